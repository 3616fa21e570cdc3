"""Stop sets: where a player stops, asked level by level.

Each kind answers, about the states with n cards remaining, in which of those from
`first` to `last` red cards play ends, as indices ``r - first``. It is not asked about
the empty deck, which ends every game. These are classes, not functions, as those can be
sent to other processes.

A *mixed* policy stops with a probability. It answers with an array of the probabilities
in all states asked about: floats or, in exact arithmetic, Fractions.

`best_within` computes that of the best player with a floor for the cash, or a limit of
draws. Such a player may draw only if the worst card left still leaves the cash at the
floor or above, and only until the draws are used up. In all other cells the maximum of
the recurrence is taken. With a floor the stop set need not have a single boundary,
because more cash leaves more room: the result is a list of runs of red cards in which
the player goes on, level by level. Under linear rules and in float64, only the band is
computed that a path from the full deck may visit
(`cardgames_dp.redblack._kernels.scaling`). Outside of it the player is assumed to stop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import ArrayRecord
from cardgames_dp._support import arguments
from cardgames_dp._support.running import refuse_too_large, tracked
from cardgames_dp.redblack._kernels import recurrence
from cardgames_dp.redblack._kernels.recurrence import Barred, antidiagonal
from cardgames_dp.redblack._kernels.scaling import Band
from cardgames_dp.redblack.rules import Problem, in_units

Ends: TypeAlias = Sequence[int] | NDArray[Any]
"""Where play ends: indices of states, or for all states the probability."""

StopSet: TypeAlias = Callable[[int, int, int], Ends]
"""``stop_set(n, first, last)`` returns where play ends among r = first, ..., last.

It returns indices ``r - first``: a range from 0 on if there is a boundary, or a list.
Of a mixed policy it returns all probabilities of stopping.
"""


def chances(ends: Ends, count: int) -> NDArray[Any]:
    """Return the probability of stopping in each of some states."""
    if isinstance(ends, np.ndarray):
        return ends
    found = np.zeros(count, dtype=np.int64)
    found[ends] = 1
    return found


@dataclass(frozen=True, slots=True)
class Edges:
    """A player who goes on exactly where ``ahead[n] < r < behind[n]``.

    The fewer red cards remain, the more cash is in hand.
    """

    ahead: list[int]
    behind: list[int]

    @classmethod
    def of(
        cls,
        cards: int,
        ahead: NDArray[np.int64] | None = None,
        behind: NDArray[np.int64] | None = None,
    ) -> Edges:
        """Return the edges from arrays by n; without an array that edge never stops."""
        levels = np.arange(cards + 1)
        return cls(
            (levels * 0 - 1 if ahead is None else ahead).tolist(),
            (levels + 1 if behind is None else behind).tolist(),
        )

    def __call__(self, n: int, first: int, last: int) -> Sequence[int]:
        low = min(max(self.ahead[n] + 1, first), last + 1) - first
        high = self.behind[n] - first
        if high > last - first:
            return range(low)
        return [*range(low), *range(max(low, high), last - first + 1)]


@dataclass(frozen=True, slots=True)
class Runs:
    """A player who goes on in runs of red cards: any set of states.

    ``bounds[n]`` lists where the first run begins, where it has ended, where the second
    run begins, and so on.
    """

    bounds: list[list[int]]

    def __call__(self, n: int, first: int, last: int) -> Sequence[int]:
        starts = [first, *self.bounds[n][1::2]]
        ends = [*self.bounds[n][::2], last + 1]
        found: list[int] = []
        for start, end in zip(starts, ends, strict=True):
            found += range(max(start, first) - first, min(end, last + 1) - first)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Table(ArrayRecord):
    """A player whose stops are a table, indexed ``[red, black]``."""

    table: NDArray[np.bool_]

    def __call__(self, n: int, first: int, last: int) -> Sequence[int]:
        stops = antidiagonal(self.table, n, first, last)
        found: list[int] = np.flatnonzero(stops).tolist()
        return found


@dataclass(frozen=True, slots=True)
class Always:
    """A player who stops with the same probability everywhere."""

    chance: float | Fraction

    def __call__(self, n: int, first: int, last: int) -> NDArray[Any]:
        return np.full(last - first + 1, self.chance)


@dataclass(frozen=True, slots=True)
class Asked:
    """A player given as a function of red and black cards; each result is checked."""

    policy: Callable[..., object]
    exact: bool = False

    def __call__(self, n: int, first: int, last: int) -> Ends:
        answer = self._answer(n, first, last)
        if answer.dtype != np.bool_:
            return answer
        found: list[int] = np.flatnonzero(answer).tolist()
        return found

    def _answer(self, n: int, first: int, last: int) -> NDArray[Any]:
        expected = "policy must return a bool array of the shape of its arguments"
        reds = np.arange(first, last + 1)
        try:
            answer = self.policy(reds, n - reds)
        except Exception as error:
            error.add_note(
                "policy was called with arrays of the red and of the black cards that "
                "remain, of one dimension, and must return an array of bool"
            )
            raise
        if not isinstance(answer, np.ndarray):
            raise TypeError(f"{expected}, got {type(answer).__name__}")
        if answer.dtype.kind not in "bfO":
            raise TypeError(f"{expected}, got one of dtype {answer.dtype}")
        if answer.shape != (last - first + 1,):
            raise ValueError(
                f"{expected}, {(last - first + 1,)}, got shape {answer.shape}"
            )
        return answer if answer.dtype == np.bool_ else self._chances(answer)

    def _chances(self, answer: NDArray[Any]) -> NDArray[Any]:
        """Return probabilities of stopping, checked."""
        must = "policy must return probabilities of stopping from 0 to 1"
        if self.exact:
            if answer.dtype != object:
                raise TypeError(
                    f"{must} that are Fractions, with backend='exact', got an array of "
                    f"dtype {answer.dtype}"
                )
            found = [arguments.finite("a probability of policy", p) for p in answer]
            answer = np.array([*found, None], dtype=object)[:-1]
        elif answer.dtype == object:
            answer = answer.astype(np.float64)
        right = (answer >= 0) & (answer <= 1)
        if not right.all():
            raise ValueError(f"{must}, got {answer[right.argmin()]}")
        return answer


@dataclass(frozen=True, slots=True)
class Either:
    """A player who stops at edges, and where another player stops."""

    edges: Edges
    other: StopSet

    def __call__(self, n: int, first: int, last: int) -> Ends:
        at_edges, ends = self.edges(n, first, last), self.other(n, first, last)
        if isinstance(ends, np.ndarray):
            ends = ends.copy()
            ends[at_edges] = 1
            return ends
        return sorted({*at_edges, *ends})


def either(edges: Edges, other: StopSet) -> StopSet:
    """Return where a player stops at edges or as another one; as edges, if possible."""
    if not isinstance(other, Edges):
        return Either(edges, other)
    ahead = list(map(max, edges.ahead, other.ahead))
    return Edges(ahead, list(map(min, edges.behind, other.behind)))


_RUNS_BYTES = 250
"""Bytes of a level of a policy made of runs of cards, as lists of ints."""


def best_within(problem: Problem, loss: Fraction | None, draws: int | None) -> Runs:
    """Return the stops of the best player with a limited loss, or number of draws."""
    rules, red, black, exact = problem
    what = f"the best policy within a loss, of {problem.deck},"
    refuse_too_large(what, _RUNS_BYTES * (problem.cards + 1), problem.instead)
    everywhere = exact or rules.utility is not None
    if everywhere:
        recurrence.refuse_large(problem)
    barred = _barred(problem, loss, draws)
    if everywhere or not min(red, black):
        levels = recurrence.levels(problem, barred)
    else:
        levels = recurrence.float_levels(problem, barred, Band(red, black))
    bounds: list[list[int]] = [[]] * (problem.cards + 1)
    for level in tracked(levels, problem.cards + 1, "levels"):
        goes_on = level.lead >= 0 if rules.tie == "draw" else level.lead > 0
        goes_on[recurrence.cells(barred(level.n), level.first)] = False
        # A run begins or ends where a state differs from the one before.
        ends = np.flatnonzero(np.diff(goes_on, prepend=False, append=False))
        bounds[level.n] = (ends + level.first).tolist()
    return Runs(bounds)


def _barred(problem: Problem, loss: Fraction | None, draws: int | None) -> Barred:
    """Return for each n where the player may not draw: a range of r, or none."""
    last = -1 if draws is None else problem.cards - draws
    floored = None if loss is None else _floored(problem, loss)

    def barred(n: int) -> tuple[int, int]:
        if n <= last:
            return 0, n
        return floored(n) if floored else (n + 1, n)

    return barred


def _floored(problem: Problem, loss: Fraction) -> Barred:
    """Return for each n where another card may leave less than the floor."""
    rules, red, black, _ = problem
    _, (gain, cost, floor) = in_units(rules, loss)

    def floored(n: int) -> tuple[int, int]:
        # The cash with r red cards is gain (red - r) - cost (black - (n - r)); black
        # cards are the worst, as long as there are any.
        spare = gain * red - cost * (black - n) - cost + floor
        if gain + cost:
            first = max(spare // (gain + cost) + 1, 0)
        else:
            first = 0 if spare < 0 else n + 1
        if first > n or gain * (red - n) - cost * black + min(gain, 0) < -floor:
            return first, n
        return first, n - 1

    return floored
