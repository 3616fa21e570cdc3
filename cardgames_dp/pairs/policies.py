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
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, SupportsIndex, TypeAlias, get_args

import numpy as np

from cardgames_dp import _checks
from cardgames_dp._aliases import Alias
from cardgames_dp._records import ArrayRecord, Record
from cardgames_dp.pairs._kernels.setting import Decisions, Integers
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs._kernels.tabled import Tabled
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

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> rate = pairs.win_rate(rules, pairs.HitBelow(0.3), "fifty_percent")
    >>> rate.a, round(rate.mean, 4)
    ('HitBelow(0.3)', 0.487)

    With these ten cards the action at equality matters:

    >>> for or_equal in (False, True):
    ...     policy = pairs.HitBelow("1/4", or_equal=or_equal)
    ...     print(round(pairs.win_rate(rules, policy, "fifty_percent").mean, 4))
    0.2043
    0.3324
    """

    chance: Fraction
    or_equal: bool

    def __init__(
        self,
        chance: Fraction | int | Decimal | float | str,
        *,
        or_equal: bool = False,
    ) -> None:
        checked = _checks.amount("chance", chance)
        if checked > 1:
            raise ValueError(
                f"chance must be a number from 0 to 1, got {_checks.shown(chance)}"
            )
        object.__setattr__(self, "chance", checked)
        object.__setattr__(self, "or_equal", _checks.boolean("or_equal", or_equal))

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

    Raises
    ------
    TypeError, ValueError
        If `points` is not an integer >= 0.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> round(pairs.win_rate(rules, "optimal", pairs.FoldUpTo(1)).mean, 4)
    0.5943
    """

    points: int

    def __init__(self, points: SupportsIndex) -> None:
        object.__setattr__(self, "points", _checks.integer("points", points))

    def __repr__(self) -> str:
        return f"FoldUpTo({self.points})"

    def __call__(self, view: View) -> Decisions:
        """Return true where to hit, shape (positions,)."""
        require_view(view)
        over: Decisions = view.lowest > self.points
        return over


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


class SolvedPlay(ArrayRecord):
    """The base of what :func:`solve` and :func:`best_response` return.

    It has a slot for a sweep, which is made when first needed, and not compared.
    """

    __slots__ = ("_sweep",)
    _sweep: Sweep
    rules: Rules

    @property
    @abstractmethod
    def label(self) -> str:
        """The name of this play in results."""

    @abstractmethod
    def policy(self, view: View) -> Decisions:
        """Return where to hit."""

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


def policy_of(solved: SolvedPlay, view: View) -> Decisions:
    """Return where solved play hits in the positions of a view."""
    require_view(view)
    hands = np.concatenate([view.hand[:, None], view.others], axis=1)
    return Tabled(sweep_of(solved)).at(view.rules, hands, view.unseen, view.scores)


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

        Solved play is a `Solution`, `GoalSolution` or `BestResponse`, or the method
        `policy` of one. It may be of other rules, if all positions and scores of the
        game can arise under them.

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
    return _checks.called(policy)


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
    _checks.not_a_class(name, policy)
    if callable(policy):
        return _Checked(name, policy)
    if not isinstance(policy, str) or policy not in NAMES:
        raise _checks.not_one_of(
            name, policy, NAMES, "a Solution or BestResponse", "a callable of a View"
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
                else _checks.described(answer)
            )
            raise ValueError(
                f"{self.argument} must return an array of bool of shape "
                f"({positions},) or ({positions}, {vectors}), got {got}"
            )
        return answer
