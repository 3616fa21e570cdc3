"""Policies of Pairs: rules by which a player decides, in many positions at once.

The text and the program of the Pairs essay differ in its two heuristics:

- The 50 % rule of the text folds if the chance of a pair is at least 1/2; that of the
  program *hits* if it is more than 1/2, the opposite.
- The program computes chances from the cards that may be drawn; the text from all cards
  not on the table, discards included. These are the same if every round is shuffled.

All are evaluated in integers, so rounding never decides.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias, get_args

import numpy as np

from cardgames_dp._results.records import Record, Result
from cardgames_dp._support import arguments
from cardgames_dp._support.door import Alias
from cardgames_dp.pairs._kernels.backward import Sweep
from cardgames_dp.pairs._kernels.game import Decisions, Integers
from cardgames_dp.pairs._kernels.players import Tabled
from cardgames_dp.pairs.advice import Advice, Hand, advice_from
from cardgames_dp.pairs.hands import checked_scores
from cardgames_dp.pairs.rounds import OpeningTable, opening_from
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.views import Decide, View, require_view

_LARGE = 10**20
"""Chances with smaller denominators are printed exactly."""

Name: TypeAlias = Literal[
    "optimal",
    "fifty_percent",
    "fifty_percent_code",
    "fifty_percent_face_up",
    "expected_points",
    "expected_points_face_up",
    "never_hit",
    "always_hit",
]
NAMES: tuple[Name, ...] = get_args(Name)


def fifty_percent(view: View) -> Decisions:
    """Hit if the chance of a pair is below 1/2, among the cards that may be drawn."""
    scoring, cards = _chances(view, view.unseen)
    less: Decisions = 2 * scoring.sum(axis=1) < cards
    return less


def fifty_percent_code(view: View) -> Decisions:
    """Hit if the chance of a pair is above 1/2: a mistake of the essay's program."""
    scoring, cards = _chances(view, view.unseen)
    more: Decisions = 2 * scoring.sum(axis=1) > cards
    return more


def fifty_percent_face_up(view: View) -> Decisions:
    """Hit if the chance of a pair is below 1/2, among all cards not on the table."""
    scoring, cards = _chances(view, view.not_on_table)
    less: Decisions = 2 * scoring.sum(axis=1) < cards
    return less


def expected_points(view: View) -> Decisions:
    """Hit if that scores less on average than a fold, among the cards to draw."""
    scoring, cards = _chances(view, view.unseen)
    less: Decisions = scoring @ view.ranks < view.lowest * cards
    return less


def expected_points_face_up(view: View) -> Decisions:
    """Hit if that scores less on average than a fold, among cards not on the table."""
    scoring, cards = _chances(view, view.not_on_table)
    less: Decisions = scoring @ view.ranks < view.lowest * cards
    return less


def never_hit(view: View) -> Decisions:
    """Fold whenever folding is allowed."""
    return np.zeros(len(view.hand), bool)


def always_hit(view: View) -> Decisions:
    """Hit whenever hitting is allowed."""
    return np.ones(len(view.hand), bool)


@dataclass(frozen=True, slots=True, repr=False, init=False)
class HitBelow(Record):
    """The policy of hitting if the chance of a pair is below a threshold.

    Chances are compared exactly. In a small deck they are often equal to a simple
    threshold; then the player folds, or hits with ``or_equal=True``.

    Parameters
    ----------
    chance : int, float, Decimal, Fraction or str
        The threshold, from 0 to 1. A float counts as exactly the binary fraction that
        it is, so 0.2 is a little more than 1/5; a str, such as "0.4" or "2/5", as
        exactly what it says.
    or_equal : bool, default False
        Whether to hit also if the chance is equal to the threshold. "Fold if the chance
        of a pair is above 1/5" is ``HitBelow("1/5", or_equal=True)``; "fold if it is
        1/5 or more" is ``HitBelow("1/5")``.

    Attributes
    ----------
    chance : Fraction
        The threshold, exactly.
    or_equal : bool
        The same as the parameter.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=4, target=10)
    >>> found = pairs.evaluate(rules, [pairs.HitBelow(0.3), "fifty_percent"])
    >>> found.policies[0], round(found.mean[0], 4)
    ('HitBelow(0.3)', 0.487)

    With these ten cards the action at equality matters:

    >>> for or_equal in (False, True):
    ...     policy = pairs.HitBelow("1/4", or_equal=or_equal)
    ...     found = pairs.evaluate(rules, [policy, "fifty_percent"])
    ...     print(round(found.mean[0], 4))
    0.2043
    0.3324
    """

    chance: Fraction
    or_equal: bool

    def __init__(
        self, chance: Fraction | int | Decimal | float | str, *, or_equal: bool = False
    ) -> None:
        checked = arguments.amount("chance", chance)
        if checked > 1:
            raise ValueError(
                f"chance must be a number from 0 to 1, got {arguments.shown(chance)}"
            )
        object.__setattr__(self, "chance", checked)
        object.__setattr__(self, "or_equal", arguments.boolean("or_equal", or_equal))

    def __repr__(self) -> str:
        more = ", or_equal=True" * self.or_equal
        return f"HitBelow({_written(self.chance)}{more})"

    def __call__(self, view: View) -> Decisions:
        """Return true where to hit, shape (positions,)."""
        require_view(view)
        scoring, cards = _chances(view, view.unseen)
        chance = self.chance
        # Python's integers, as a float's denominator is up to 2**1074.
        pairs = scoring.sum(axis=1).astype(object) * chance.denominator
        most = cards.astype(object) * chance.numerator
        below = pairs <= most if self.or_equal else pairs < most
        decisions: Decisions = below.astype(bool)
        return decisions


@dataclass(frozen=True, slots=True, repr=False, init=False)
class FoldUpTo(Record):
    """The policy of folding if that scores at most some points, and hitting otherwise.

    Parameters
    ----------
    points : int
        The largest score of a fold that is accepted, at least 0.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=4, target=10)
    >>> round(pairs.evaluate(rules, ["optimal", pairs.FoldUpTo(1)]).mean[0], 4)
    0.5943
    """

    points: int

    def __init__(self, points: SupportsIndex) -> None:
        object.__setattr__(self, "points", arguments.integer("points", points))

    def __repr__(self) -> str:
        return f"FoldUpTo({self.points})"

    def __call__(self, view: View) -> Decisions:
        """Return true where to hit, shape (positions,)."""
        require_view(view)
        over: Decisions = view.lowest > self.points
        return over


@dataclass(frozen=True, slots=True, repr=False, init=False)
class SumBelow(Record):
    """The policy of hitting if the own hand is small compared with the lowest card.

    In seven steps, with the default numbers:

    1. If there is no card on the table, you must hit.
    2. If a fold would lose you the game, hit.
    3. Add up the cards in your hand.
    4. Count a card double if a pair of it would lose you the game.
    5. Take nine times the lowest card on the table, less 4: that is 5, 14, 23, 32, ....
    6. If your sum is smaller, hit.
    7. Otherwise fold.

    Parameters
    ----------
    times : int, default 9
        The factor of the lowest card.
    less : int, default 4
        The number subtracted from this.
    losing : int, default 2
        The factor of a card if a pair of it would lose the game.

    Notes
    -----
    With the default numbers the policy wins most often against optimal play in the
    published game of two players, more often than with any numbers one step away;
    ``examples/pairs_rule.py`` searches for them.

    Examples
    --------
    The lowest card is a 2, so the limit is 14. Hit with a 10 and a 3, fold with a 10
    and a 4:

    >>> from cardgames_dp import pairs
    >>> table = {"others": [2, 6], "scores": [12, 20]}
    >>> pairs.decision(pairs.SumBelow(), hand=[3, 10], **table)
    'hit'
    >>> pairs.decision(pairs.SumBelow(), hand=[4, 10], **table)
    'fold'

    With 22 points a pair of tens would lose the game, and the 10 counts double:

    >>> table = {"others": [2, 6], "scores": [22, 20]}
    >>> pairs.decision(pairs.SumBelow(), hand=[3, 10], **table)
    'fold'
    """

    times: int
    less: int
    losing: int

    def __init__(
        self,
        times: SupportsIndex = 9,
        less: SupportsIndex = 4,
        losing: SupportsIndex = 2,
    ) -> None:
        object.__setattr__(self, "times", arguments.integer("times", times))
        object.__setattr__(self, "less", arguments.integer("less", less))
        object.__setattr__(self, "losing", arguments.integer("losing", losing))

    def __repr__(self) -> str:
        return f"SumBelow({self.times}, {self.less}, {self.losing})"

    def __call__(self, view: View) -> Decisions:
        """Return true where to hit, shape (positions, vectors)."""
        require_view(view)
        own, target = view.scores[:, 0], view.rules.target
        points = view.hand * view.ranks
        loses: Integers = (view.ranks + own[:, None] >= target).astype(np.int64)
        total = points @ (1 + (self.losing - 1) * loses).T
        lowest = view.lowest[:, None]
        hits: Decisions = (total < self.times * lowest - self.less) | (
            lowest + own >= target
        )
        return hits


NAMED: dict[str, Decide] = {
    rule.__name__: rule
    for rule in (
        fifty_percent,
        fifty_percent_code,
        fifty_percent_face_up,
        expected_points,
        expected_points_face_up,
        never_hit,
        always_hit,
    )
}


def _written(chance: Fraction) -> str:
    """Return the shortest text from which the same chance is read, if it is short."""
    if chance.denominator == 1:
        return str(chance)
    if Fraction(float(chance)) == chance:
        return repr(float(chance))
    if chance.denominator >= _LARGE:
        return f"about {float(chance):.6g}"
    decimal = Decimal(chance.numerator) / chance.denominator
    return f"'{decimal if Fraction(decimal) == chance else chance}'"


def _chances(view: View, cards: Integers) -> tuple[Integers, Integers]:
    """Return the number of cards that would score, by rank, and of all cards.

    If there are none, one that does not score is assumed, so that the chance of a pair
    is 0.
    """
    return np.where(view.scoring, cards, 0), np.maximum(cards.sum(axis=1), 1)


class SolvedPlay(Result):
    """What `Solution` and `Response` have in common: decisions in all positions.

    It has a slot for a sweep, which is made when first needed, and not compared.
    """

    __slots__ = ("_sweep",)
    _sweep: Sweep
    rules: Rules

    @property
    @abstractmethod
    def label(self) -> str:
        """The name of this play in results."""

    def advice(
        self,
        *,
        hand: Hand,
        others: Iterable[Hand] | Hand,
        scores: Iterable[SupportsIndex],
        deck: Mapping[Any, SupportsIndex] | None = None,
    ) -> Advice:
        """Return the best action of the player to move, and the chances after each.

        For a `Response` this is the responder, whose seat follows from the numbers of
        cards.

        Parameters
        ----------
        hand : iterable of int, or mapping of int to int
            The cards of the player to move: the rank of each, or the number of each
            rank.
        others : iterable of such hands
            The hands of the others in turn order, beginning with the player on the
            left. With two players you may give the other's hand itself. As players take
            turns, each other hand has as many cards as `hand`, or one more if its
            player, one of the last in turn order, has already had this turn.
        scores : iterable of int
            The points in the same order, the player to move first.
        deck : mapping of int to int, optional
            The cards that nobody has seen, for rules under which discards stay out of
            the deck; all cards that are not on the table if not given.

        Returns
        -------
        Advice
            The best action, and the chances of winning after each action.

        Raises
        ------
        TypeError, ValueError
            If the position cannot arise: more cards of a rank than there are, a hand
            with more than it may hold, or numbers of cards that do not fit to taking
            turns; or the players have another goal than to win.

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> solution = pairs.solve(pairs.Rules(deck=4, target=10))
        >>> advice = solution.advice(hand=[2, 3], others=[4, 1], scores=[3, 5])
        >>> advice.action, round(advice.hit, 4), round(advice.fold, 4)
        ('fold', 0.5973, 0.6325)
        """
        self._refuse_advice()
        vector = checked_scores(self.rules, scores)
        return advice_from(sweep_of(self), hand, others, vector, deck)

    def opening_table(
        self, scores: Iterable[SupportsIndex] | None = None
    ) -> OpeningTable:
        """Return the first decision with a choice in a round, with one card each.

        Parameters
        ----------
        scores : iterable of int, optional
            The points in turn order, the player to move first, who is the responder of
            a `Response`; 0 if not given.

        Returns
        -------
        OpeningTable
            The decisions by the cards of all players.

        Raises
        ------
        TooLargeError
            If the table, or the round from which it is made, would not fit in memory.

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> solution = pairs.solve(pairs.Rules(deck=4, target=10))
        >>> print(solution.opening_table())  # own card down; H hit, f fold
           1 2 3 4
         1   H H H
         2 f H H H
         3 f H H H
         4 f f H H
        """
        return opening_from(sweep_of(self), self.rules, scores)

    def policy(self, view: View) -> Decisions:
        """Return where to hit: a policy for any game with the same hands.

        With ``evaluate(rules, ["optimal", solution])``, for example, a player can play
        as if all cards returned after each round in a game where they do not.

        Parameters
        ----------
        view : View
            Positions of a game with as many players, the same ranks and capacities, and
            scores below this game's target. The unseen cards matter only if discards
            stay out of the deck in this game.

        Returns
        -------
        ndarray of bool, shape (positions, vectors)
            True where to hit.

        Raises
        ------
        ValueError
            If a position cannot arise in this game.

        Notes
        -----
        A new result keeps its decisions if they take at most 64 MiB, one bit for each
        position and vector of scores, and looks them up. Otherwise each call solves the
        rounds with the scores of the view.
        """
        require_view(view)
        hands = np.concatenate([view.hand[:, None], view.others], axis=1)
        return Tabled(sweep_of(self)).at(view.rules, hands, view.unseen, view.scores)

    def _refuse_advice(self) -> None:
        """Refuse where there is no advice."""

    @abstractmethod
    def _filled_sweep(self) -> Sweep: ...


def sweep_of(solved: SolvedPlay) -> Sweep:
    """Return the sweep with the tables of solved play."""
    if not hasattr(solved, "_sweep"):
        object.__setattr__(solved, "_sweep", solved._filled_sweep())
    return solved._sweep


def solved_play(policy: object) -> SolvedPlay | None:
    """Return the result that a policy is or whose method `policy` it is; else None."""
    source = getattr(policy, "__self__", policy)
    if isinstance(source, SolvedPlay) and (policy is source or policy == source.policy):
        return source
    return None


if TYPE_CHECKING:
    Policy: TypeAlias = Name | Decide | SolvedPlay
else:
    Policy = Alias(
        "Policy",
        __name__,
        Name | Decide | SolvedPlay,
        """A policy: a name, a function of a `View`, or solved play.

        The named policies are:

        =============================  ==============================================
        ``"optimal"``                  Plays as the solution of :func:`solve`,
                                       whatever the others do.
        ``"fifty_percent"``            Hits if the chance of a pair is below 1/2.
        ``"fifty_percent_code"``       The same rule as in the program of the Pairs
                                       essay, a mistake: hits if the chance of a pair
                                       is above 1/2.
        ``"fifty_percent_face_up"``    "fifty_percent" with chances over all cards
                                       that are not on the table, discards included.
        ``"expected_points"``          Hits if a hit scores less on average than a
                                       fold.
        ``"expected_points_face_up"``  "expected_points" with chances over all cards
                                       that are not on the table, discards included.
        ``"never_hit"``                Folds whenever folding is allowed.
        ``"always_hit"``               Hits whenever hitting is allowed.
        =============================  ==============================================

        A function gets a `View` of many positions with several vectors of scores, and
        returns an array of bool, true where to hit, of shape (positions, vectors), or
        (positions,) if it does not look at the scores. Where only one action is
        allowed, its answer is ignored. `HitBelow`, `FoldUpTo` and `SumBelow` are such
        functions.

        Solved play is a `Solution` or a `Response`, or the method `policy` of one. It
        may be of other rules, if all positions and scores of the game can arise under
        them.

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> def greedy(view: pairs.View):
        ...     return view.lowest >= 3
        >>> policies: list[pairs.Policy] = ["optimal", pairs.HitBelow(0.4), greedy]
        """,
    )


def policy_name(policy: Policy) -> str:
    """Return the name of a policy in results."""
    if isinstance(policy, str):
        return policy
    solved = solved_play(policy)
    if solved is not None:
        return solved.label
    if isinstance(policy, Record):  # such as HitBelow(0.4)
        return repr(policy)
    return arguments.called(policy)


def decider(name: str, policy: object) -> Decide | None:
    """Return the function that a policy stands for; None for "optimal".

    Raises
    ------
    TypeError, ValueError
        If it is neither a known name nor callable, or a class.
    """
    solved = solved_play(policy)
    if solved is not None:
        return solved.policy
    arguments.not_a_class(name, policy)
    if callable(policy):
        return _Checked(name, policy)
    if not isinstance(policy, str) or policy not in NAMES:
        raise arguments.not_one_of(
            name, policy, NAMES, "a Solution or Response", "a callable of a View"
        )
    return NAMED.get(policy)


@dataclass(frozen=True, slots=True)
class _Checked:
    """A user's policy, whose answers are checked."""

    argument: str
    policy: Callable[[View], object]

    def __call__(self, view: View) -> Decisions:
        answer = self.policy(view)
        positions, vectors = len(view.hand), len(view.scores)
        if (
            not isinstance(answer, np.ndarray)
            or answer.dtype != np.bool_
            or answer.shape not in ((positions,), (positions, vectors))
        ):
            got = (
                f"an array of {answer.dtype} of shape {answer.shape}"
                if isinstance(answer, np.ndarray)
                else arguments.described(answer)
            )
            raise ValueError(
                f"{self.argument} must return an array of bool of shape "
                f"({positions},) or ({positions}, {vectors}), got {got}"
            )
        return answer
