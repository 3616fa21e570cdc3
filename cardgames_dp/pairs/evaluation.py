"""What policies are worth: against each other, and against their best response."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass

from cardgames_dp import _checks, _html
from cardgames_dp._records import Record
from cardgames_dp.pairs.advice import Advice, advice_from
from cardgames_dp.pairs.deciders import Policy, decider, policy_name
from cardgames_dp.pairs.induction import BEST, COPY, Behaviour, Floats, Profile, optimal
from cardgames_dp.pairs.opening import OpeningTable
from cardgames_dp.pairs.policies import Decisions, View
from cardgames_dp.pairs.rounds import Round, round_from
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.solution import Hand, checked_scores, filled, opening_of
from cardgames_dp.pairs.sweep import Sweep
from cardgames_dp.pairs.table import TOLERANCE, solved
from cardgames_dp.pairs.tabled import Tabled, WithSweep


@dataclass(frozen=True, slots=True)
class WinRate(Record):
    """How likely a policy beats another in a game of two players.

    Attributes
    ----------
    a, b : str
        The policies.
    first, second : float
        The chance that `a` wins in the first seat, and in the second.

    Examples
    --------
    What leading costs a player who always hits, against another one:

    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5)
    >>> rate = pairs.win_rate(rules, "always_hit", "always_hit")
    >>> round(rate.first, 4), round(rate.second, 4), round(rate.mean, 4)
    (0.453, 0.547, 0.5)
    """

    a: str
    b: str
    first: float
    second: float

    @property
    def mean(self) -> float:
        """The chance that `a` wins when seats are drawn by lot."""
        return (self.first + self.second) / 2


def win_rate(
    rules: Rules | None,
    a: Policy,
    b: Policy,
    *,
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
) -> WinRate:
    """Return the chance that a policy beats another, exactly but for rounding.

    Grade: float64.

    Parameters
    ----------
    rules : Rules or None
        For two players; the published game if None.
    a, b : word or callable
        Policies.

        - "optimal": that of :func:`solve`, whatever the other does.
        - "fifty_percent": hits while a pair is less likely than not.
          "fifty_percent_code" is document 004's program, which has it upside down.
        - "expected_points": hits while that scores less on average than folding.
        - "fifty_percent_face_up", "expected_points_face_up": the same two, as if all
          cards that are not on the table, discards too, might be drawn.
        - "never_hit", "always_hit": folds, or hits, whenever that is allowed.
        - `HitBelow` and `FoldUpTo`, or any function of a `View` that returns a bool
          array, true where to hit, of shape (positions, vectors), or (positions,) if it
          does not look at scores. Where only one action is allowed it is not heeded.
        - a `Solution` or `BestResponse`, or its method `policy`: of any rules under
          which all positions and scores of this game can arise.
    tolerance, progress, executor
        As for :func:`solve`.

    Returns
    -------
    WinRate
        For either seat of `a`.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the kinds above, the rules are not for two players, a
        policy does not return an array of bool of the right shape, or a solved one
        knows no such positions.
    TooLargeError, ModuleNotFoundError
        As by :func:`solve`.

    References
    ----------
    Document 004 ("Probability and Game Theory in the Card Game Pairs"), for the rules
    of fifty percent and of expected points, in its text and in its program.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> rate = pairs.win_rate(rules, "optimal", "fifty_percent")
    >>> round(rate.first, 4), round(rate.second, 4), round(rate.mean, 4)
    (0.5774, 0.6531, 0.6153)
    """
    rules = _checks.rules(rules, Rules)
    if rules.players != 2:
        raise ValueError(
            f"win_rate is for two players, got rules with players={rules.players}"
        )
    profile = _played("a", a), _played("b", b)
    sweep = solved(
        rules,
        [optimal(2), profile] if COPY in profile else [profile],
        tolerance=tolerance,
        progress=progress,
        executor=executor,
    )
    full = sweep.positions.full_deck
    leading = sweep.tables[sweep.profiles.index(profile)][full, 0]
    following = sweep.tables[sweep.profiles.index(profile[::-1])][full, 0]
    return WinRate(
        policy_name(a), policy_name(b), float(leading[0]), float(following[1])
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BestResponse(WithSweep):
    """The best that one player can do against others who all keep to a policy.

    Made by :func:`best_response`, read-only.

    Attributes
    ----------
    rules : Rules
        Those of the game.
    others : word or callable
        The policy of all others.
    tolerance : float
        Chances of winning that differ by so much at most were taken for equal.
    tables : tuple of ndarray of float64, shape (decks, vectors of scores, players)
        For each seat of the responder, from the leader on, chances of winning as in
        :class:`Solution`.

    Examples
    --------
    What one of three gains, seat by seat, where the others keep to a rule of thumb:

    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(players=3, deck=pairs.triangular(3), target=3)
    >>> response = pairs.best_response(rules, "fifty_percent")
    >>> usual = pairs.solve(rules).value
    >>> [round(x - y, 4) for x, y in zip(response.values, usual)]
    [0.0682, 0.0616, 0.0473]
    >>> round(response.mean, 4)
    0.7257
    """

    rules: Rules
    others: Policy
    tolerance: float
    tables: tuple[Floats, ...]

    @property
    def values(self) -> tuple[float, ...]:
        """The responder's chance of winning in each seat, at the start of the game."""
        return tuple(
            [float(table[-1, 0, seat]) for seat, table in enumerate(self.tables)]
        )

    @property
    def first(self) -> float:
        """The responder's chance of winning in the first seat."""
        return self.values[0]

    @property
    def second(self) -> float:
        """The responder's chance of winning in the second seat."""
        return self.values[1]

    @property
    def mean(self) -> float:
        """The responder's chance of winning when seats are drawn by lot."""
        return sum(self.values) / len(self.values)

    def round(self, scores: Iterable[int], *, seat: int = 0) -> Round:
        """Return a round: the responder's best decisions, and the others' own.

        Parameters
        ----------
        scores : iterable of int
            Points of each player, the leader of the round first.
        seat : int, default 0
            Where the responder sits, from the leader (0) on.

        Returns
        -------
        Round
            It is the responder's turn where ``cards % players == seat``.

        Raises
        ------
        TypeError, ValueError
            If there is not one score below the target for each player, or no such seat.
        """
        vector = checked_scores(self.rules, scores)
        seat = _checks.integer("seat", seat)
        n = self.rules.players
        if seat >= n:
            raise ValueError(
                f"seat must be an integer from 0 to {n - 1}, got {_checks.shown(seat)}"
            )
        return round_from(self.sweep, self.sweep.deciding[seat], vector)

    def advice(
        self,
        *,
        hand: Hand,
        others: Iterable[Hand] | Hand,
        scores: Iterable[int],
        deck: Mapping[int, int] | None = None,
    ) -> Advice:
        """Return what the responder should do when it is the responder's turn.

        Parameters
        ----------
        hand, others, scores, deck
            The position, as for :meth:`Solution.advice`, the responder's own cards and
            points first. The responder's seat follows from the numbers of cards.

        Returns
        -------
        Advice
            With the chances of winning after either action, if all others keep to their
            policy.

        Raises
        ------
        TypeError, ValueError
            As by :meth:`Solution.advice`.

        Examples
        --------
        Whoever always hits loses more often than an optimal player would:

        >>> from cardgames_dp import pairs
        >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
        >>> position = {"hand": [2, 3], "others": [4, 1], "scores": [3, 5]}
        >>> print(pairs.best_response(rules, "always_hit").advice(**position))
        fold, winning 0.734885; a hit wins 0.699604.
        >>> print(pairs.solve(rules).advice(**position))
        fold, winning 0.632464; a hit wins 0.597338.
        """
        vector = checked_scores(self.rules, scores)
        return advice_from(self.sweep, hand, others, vector, deck)

    def opening_table(self, scores: Iterable[int] = (0, 0)) -> OpeningTable:
        """Return the responder's first real decision, with one card each.

        Parameters
        ----------
        scores : iterable of int
            Points of the responder, who leads, and of the other.

        Returns
        -------
        OpeningTable
            By the own card and the other's.

        Raises
        ------
        TypeError, ValueError
            If the scores are not two below the target, or the rules not for two.

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
        >>> print(pairs.best_response(rules, "always_hit").opening_table())
           1 2 3 4
         1   H H H
         2 f H H H
         3 f H H H
         4 f f H H
        """
        return opening_of(self, scores)

    def policy(self, view: View) -> Decisions:
        """Return where the responder hits, as a policy for :func:`win_rate` and others.

        Parameters
        ----------
        view : View
            Of a game with as many players, the same ranks and capacities, and scores
            below this game's target.

        Returns
        -------
        ndarray of bool, shape (positions, vectors)
            True where to hit.

        Raises
        ------
        ValueError
            If a position is none that can arise in this game.

        Notes
        -----
        A response just made keeps its decisions if they take no more than 64 MiB, a bit
        for each position and vector of scores, and looks them up. Otherwise each call
        solves the rounds with the view's scores.
        """
        return Tabled(self.sweep)(view)

    @property
    def label(self) -> str:
        """What results call this policy."""
        return f"best response to {policy_name(self.others)}"

    def _filled_sweep(self) -> Sweep:
        responding = _responses(self.rules.players, _played("others", self.others))
        return filled(self.rules, self.tolerance, self.tables, responding)

    def __repr__(self) -> str:
        shown = ", ".join([f"{chance:.6g}" for chance in self.values])
        return f"BestResponse(to={policy_name(self.others)!r}, values=({shown}))"

    def _repr_html_(self) -> str:
        rows = [
            [_html.label(str(seat)), _html.cell(f"{chance:.6f}")]
            for seat, chance in enumerate(self.values)
        ]
        notes = ["The responder's chance of winning, by the seat from the leader on."]
        return _html.table(self.label, ["seat", "chance"], rows, notes)


def best_response(
    rules: Rules | None,
    policy: Policy,
    *,
    tolerance: float = TOLERANCE,
    progress: bool = False,
    executor: Executor | None = None,
) -> BestResponse:
    """Return the best play against others who all keep to one policy.

    What it wins beyond optimal play's own chances is what the policy costs at worst.

    Grade: float64.

    Parameters
    ----------
    rules : Rules or None
        The published game if None.
    policy : word or callable
        What all others do; as for :func:`win_rate`.
    tolerance, progress, executor
        As for :func:`solve`.

    Returns
    -------
    BestResponse
        Chances of winning from each seat, and a policy that has them.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the kinds above, or the policy does not return an
        array of bool of the right shape.
    TooLargeError, ModuleNotFoundError
        As by :func:`solve`.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> response = pairs.best_response(rules, "fifty_percent")
    >>> response
    BestResponse(to='fifty_percent', values=(0.57934, 0.65534))
    >>> rate = pairs.win_rate(rules, response.policy, "fifty_percent")
    >>> round(rate.first - response.first, 12), round(rate.second - response.second, 12)
    (0.0, 0.0)
    """
    rules = _checks.rules(rules, Rules)
    sweep = solved(
        rules,
        _responses(rules.players, _played("policy", policy))[:1],
        tolerance=tolerance,
        progress=progress,
        executor=executor,
        keep_decisions=True,
    )
    tables = tuple([sweep.tables[place] for place in sweep.deciding])
    response = BestResponse(rules, policy, sweep.tolerance, tables)
    object.__setattr__(response, "_sweep", sweep)
    return response


def _played(name: str, policy: object) -> Behaviour:
    """Return how a seat with a policy plays, as profiles say it."""
    return decider(name, policy) or COPY


def _responses(players: int, other: Behaviour) -> list[Profile]:
    """Return the profiles in which each seat in turn responds to all others."""
    if other == COPY:  # no seat has anything better than what is optimal
        return [optimal(players)] * players
    return [
        tuple([BEST if i == seat else other for i in range(players)])
        for seat in range(players)
    ]
