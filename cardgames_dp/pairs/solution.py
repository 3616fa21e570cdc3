"""The solution of a game: a table of scores, and rounds made from it; goals of players.

The returns of a goal are a function of the final scores, which are rotated so that the
loser's come first: a goal treats all seats alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, TypeAlias

import numpy as np

from cardgames_dp._results import tables
from cardgames_dp._support import arguments
from cardgames_dp.pairs._kernels.game import Floats, Integers, Returns
from cardgames_dp.pairs._kernels.sweeps import Sweep
from cardgames_dp.pairs.advice import SolvedPlay, sweep_of, with_sweep
from cardgames_dp.pairs.rounds import Round, checked_scores, round_from, start_of
from cardgames_dp.pairs.rules import Rules

Number: TypeAlias = int | float | Fraction
Goal: TypeAlias = (
    Literal["win", "points", "lead"]
    | int
    | Callable[[tuple[int, ...]], Sequence[Number]]
)
"""What players maximise: a name, a number of players, or a function of final scores."""

_WORDS = ("win", "points", "lead")

Exactly: TypeAlias = Callable[[tuple[int, ...]], tuple[Fraction, ...]]
"""A function from final scores to returns, both by seats."""

_MOST_SCORES = 16


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution(SolvedPlay):
    """Subgame-perfect play under given rules; made by :func:`solve`, read-only.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    goal : str, int or callable
        What all players maximise, "win" if not said otherwise; see :func:`solve`.
    table : ndarray of float64, shape (decks, vectors of scores, players)
        Chances of winning (with another goal, mean returns) at the start of a round,
        the leader's first. The first index
        is the deck at the start of the round (a single one with reshuffle="round"); the
        second one is the scores, leader first, as a number in base `target`. With
        ``first="lowest"`` nobody leads before the deal, and the player who is dealt the
        first card takes the leader's place.
    ties, doubtful : int
        The number of positions in which hit and fold were equal, and in which they
        differed by between 1e-14 and 1e-9, so that a tie is in doubt.
    largest_tie, smallest_lead : float
        The largest difference that counted as a tie, at most 1e-12, and the smallest
        that did not. If they are far apart, ties are told from other differences.

    See Also
    --------
    solve : Solve a game.
    decision : Return the action of another policy in a position.

    Examples
    --------
    The leader's chance of winning with 0 to 4 points, while the other player has none:

    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=3, target=5))
    >>> [round(solution.value_at([points, 0])[0], 4) for points in range(5)]
    [0.4488, 0.3309, 0.2135, 0.1253, 0.049]
    >>> solution.ties, solution.doubtful
    (57, 0)

    Players who want few points play differently, and win less often:

    >>> rules = pairs.Rules(deck=4, target=10)
    >>> careful = pairs.solve(rules, goal="points")
    >>> careful
    Solution(goal='points', value=(-7.79216, -7.1597), players=2, cards=10, target=10, \
reshuffle='round', ties=24)
    >>> round(pairs.evaluate(rules, [careful, "optimal"]).mean[0], 4)
    0.4308
    """

    rules: Rules
    goal: Goal
    table: Floats
    ties: int
    largest_tie: float
    smallest_lead: float
    doubtful: int

    @property
    def value(self) -> tuple[float, ...]:
        """Chances of winning, or mean returns, at the start of the game.

        They are in turn order: the player who moves first comes first.
        """
        return tuple(self.table[-1, 0].tolist())  # of the full deck

    @property
    def num_positions(self) -> int:
        """The number of positions solved: those of cards times vectors of scores."""
        return sweep_of(self).positions.size * int(self.table.shape[1])

    @property
    def label(self) -> str:
        """The name of this policy in results."""
        return "Solution" if self.goal == "win" else f"solution for {self._goal}"

    @property
    def _goal(self) -> str:
        if isinstance(self.goal, str):
            return self.goal
        return (
            arguments.called(self.goal) if callable(self.goal) else f"best {self.goal}"
        )

    def value_at(
        self,
        scores: Iterable[SupportsIndex],
        *,
        deck: Mapping[Any, SupportsIndex] | None = None,
    ) -> tuple[float, ...]:
        """Return the chances of winning, or mean returns, at the start of a round.

        Parameters
        ----------
        scores : iterable of int
            The points of the players in turn order, the leader of the round first; with
            ``first="lowest"``, the player who is dealt the first card first.
        deck : mapping of int to int, optional
            The cards that nobody has seen, for rules under which discards stay out of
            the deck; ranks that are not keys have no cards. The full deck if not given.

        Returns
        -------
        tuple of float
            In the order of `scores`.

        Raises
        ------
        TypeError, ValueError
            If `scores` is not one score below the target for each player, or a round
            cannot start with `deck`.

        Examples
        --------
        >>> from cardgames_dp import pairs
        >>> solution = pairs.solve(pairs.Rules(deck=4, target=10))
        >>> [round(chance, 4) for chance in solution.value_at([9, 0])]
        [0.0164, 0.9836]
        """
        vector = checked_scores(self.rules, scores)
        place = start_of(sweep_of(self).positions, vector, deck)
        return tuple(self.table[place].tolist())

    def round(self, scores: Iterable[SupportsIndex]) -> Round:
        """Return all positions of a round with given scores.

        Parameters
        ----------
        scores : iterable of int
            The points of the players in turn order, the leader of the round first.

        Returns
        -------
        Round
            The positions, computed at each call.
        """
        vector = checked_scores(self.rules, scores)
        return round_from(sweep_of(self), self.rules, 0, vector)

    def _refuse_advice(self) -> None:
        if self.goal != "win":
            raise ValueError(
                f"advice is for goal='win', got a solution for {self._goal}; use "
                "round(...) or opening_table(...)"
            )

    _derived = ("value",)

    def _filled_sweep(self) -> Sweep:
        returns = in_arrays(returns_of(self.rules, self.goal))
        return Sweep.filled(self.rules, [self.table], returns=returns)

    def _facts(self) -> dict[str, object]:
        goal = {} if self.goal == "win" else {"goal": self._goal}
        return {
            **goal,
            "value": self.value,
            "players": self.rules.players,
            "cards": sum(self.rules.counts),
            "target": self.rules.target,
            "reshuffle": self.rules.reshuffle,
            "ties": self.ties,
        }

    def _table(self) -> tables.Table:
        n, target = self.rules.players, self.rules.target
        shown = tables.spread(target, _MOST_SCORES)
        leader = self.table[-1, :, 0].reshape(target, target, -1)[:, :, 0]
        rows = [
            [own, *(f"{leader[own, other]:.4f}" for other in shown)] for own in shown
        ]
        what = "chance of winning" if self.goal == "win" else "mean return"
        rest = ", all others at 0" * (n > 2)
        more = f" ({len(shown)} of {target} shown)" * (len(shown) < target)
        note = (
            f"The leader's {what}, by the leader's points (down) and those of the "
            f"player on the left{rest}{more}."
        )
        return tables.Table(["own \\ left", *map(str, shown)], rows, [note])

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        what = "win" if self.goal == "win" else "return"
        return None, score_columns(sweep_of(self), self.table, what)


def score_columns(sweep: Sweep, table: Floats, what: str = "win") -> dict[str, Any]:
    """Return scores, and chances with the full deck, as columns; low totals first."""
    vectors = np.concatenate(sweep.vectors())
    found = table[-1, sweep.index(vectors)]
    players = range(sweep.rules.players)
    columns = {f"score_{i}": vectors[:, i].tolist() for i in players}
    return columns | {f"{what}_{i}": found[:, i].tolist() for i in players}


def solution_of(rules: Rules, sweep: Sweep, goal: Goal = "win") -> Solution:
    """Return the solution with the table of a sweep, computed or loaded."""
    found = Solution(rules, goal, sweep.tables[0], *astuple(sweep.gaps))
    return with_sweep(found, sweep)


def returns_of(rules: Rules, goal: object) -> Exactly | None:
    """Return the function from final scores to returns; None if all want to win."""
    if isinstance(goal, str) and goal == "win":
        return None
    if rules.reshuffle == "essay":
        raise ValueError(
            "rules must not have reshuffle='essay', under which a game may end without "
            "a loser; use 'round' or 'exhausted'"
        )
    n, target = rules.players, rules.target
    arguments.not_a_class("goal", goal)
    if callable(goal):
        of_loser = _checked(goal, n)
    elif isinstance(goal, str):
        word = arguments.choice("goal", goal, _WORDS)
        of_loser = _points if word == "points" else _lead
    else:
        best = arguments.integer("goal", goal, minimum=1)
        if best >= n:
            raise ValueError(
                f"goal must be fewer players than the game has, {n}, got {best}"
            )
        of_loser = _among(best)
    known: dict[tuple[int, ...], tuple[Fraction, ...]] = {}

    def returns(scores: tuple[int, ...]) -> tuple[Fraction, ...]:
        loser = next(seat for seat, points in enumerate(scores) if points >= target)
        turned = scores[loser:] + scores[:loser]
        if turned not in known:
            known[turned] = of_loser(turned)
        got = known[turned]
        return got[n - loser :] + got[: n - loser]

    return returns


def _among(best: int) -> Exactly:
    """Return the function to the players' shares of the best places."""

    def shares(scores: tuple[int, ...]) -> tuple[Fraction, ...]:
        found = []
        for points in scores:
            before = sum([other < points for other in scores])
            tied = scores.count(points)
            found.append(Fraction(min(max(best - before, 0), tied), tied))
        return tuple(found)

    return shares


def _points(scores: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple([Fraction(-points) for points in scores])


def _lead(scores: tuple[int, ...]) -> tuple[Fraction, ...]:
    n, total = len(scores), sum(scores)
    return tuple([Fraction(total - n * points, n - 1) for points in scores])


def _checked(goal: Callable[[tuple[int, ...]], Any], players: int) -> Exactly:
    """Return a user's function, whose results are checked."""

    def returns(scores: tuple[int, ...]) -> tuple[Fraction, ...]:
        answer = goal(scores)
        must = f"goal must return a finite number for each of {players} players"
        if isinstance(answer, (str, bytes)) or not isinstance(answer, Iterable):
            raise TypeError(f"{must}, got {arguments.described(answer)}")
        got = tuple([arguments.real("what goal returns", x) for x in answer])
        if len(got) != players or not all(isinstance(x, Fraction) for x in got):
            raise ValueError(f"{must}, got {arguments.shown(answer)} for {scores}")
        return tuple([Fraction(x) for x in got])

    return returns


def in_arrays(returns: Exactly | None) -> Returns | None:
    """Return the same for many final scores, in float64."""
    if returns is None:
        return None

    def of_many(final: Integers) -> Floats:
        got = [list(map(float, returns(tuple(scores)))) for scores in final.tolist()]
        return np.array(got).reshape(final.shape)

    return of_many
