"""Stop sets: where a player stops, asked level by level.

A stop set answers, about the states with n cards remaining, in which of those from
`first` to `last` red cards play ends, as indices ``r - first``. It is not asked about
the empty deck, which ends every game.

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
from cardgames_dp._support.running import refuse_too_large, with_progress
from cardgames_dp.redblack._kernels import recurrence
from cardgames_dp.redblack._kernels.recurrence import Barred, antidiagonal
from cardgames_dp.redblack._kernels.scaling import Band
from cardgames_dp.redblack.rules import Problem, in_units

Ends: TypeAlias = Sequence[int] | NDArray[Any]
"""Where play ends: indices of states, or for all states the probability."""


@dataclass(frozen=True, slots=True, eq=False)
class StopSet(ArrayRecord):
    """A player's stops: a function, and what it is given before n, `first` and `last`.

    ``stop_set(n, first, last)`` returns where play ends among r = first, ..., last, as
    indices ``r - first``: a range from 0 on if there is a boundary, or a list. Of a
    mixed policy it returns all probabilities of stopping. Unlike closures, stop sets
    can be compared, and sent to other processes.
    """

    where: Callable[..., Ends]
    given: tuple[Any, ...]

    def __call__(self, n: int, first: int, last: int) -> Ends:
        return self.where(*self.given, n, first, last)


def chances(ends: Ends, count: int) -> NDArray[Any]:
    """Return whether play ends in each of some states, or how likely that is."""
    if isinstance(ends, np.ndarray):
        return ends
    stops = np.zeros(count, dtype=bool)
    stops[ends] = True
    return stops


def edges(
    cards: int,
    ahead: NDArray[np.int64] | None = None,
    behind: NDArray[np.int64] | None = None,
) -> StopSet:
    """Return the stops of a player who goes on where ``ahead[n] < r < behind[n]``.

    The fewer red cards remain, the more cash is in hand.
    """
    levels = np.arange(cards + 1)
    low = (levels * 0 - 1 if ahead is None else ahead).tolist()
    return StopSet(_beyond, (low, (levels + 1 if behind is None else behind).tolist()))


def _beyond(
    ahead: list[int], behind: list[int], n: int, first: int, last: int
) -> Sequence[int]:
    low = min(max(ahead[n] + 1, first), last + 1) - first
    high = behind[n] - first
    if high > last - first:
        return range(low)
    return [*range(low), *range(max(low, high), last - first + 1)]


def in_table(table: NDArray[np.bool_], n: int, first: int, last: int) -> Sequence[int]:
    """Return the stops that a table has, indexed ``[red, black]``."""
    return np.flatnonzero(antidiagonal(table, n, first, last)).tolist()


def roundings(stops: StopSet) -> int:
    """Return how often a probability of stopping is rounded: from weights, in sums."""
    if stops.where is not blended:
        certain = 0 if stops.where in (in_table, _beyond, _outside) else 4
        parts = [part for part in stops.given if isinstance(part, StopSet)]
        return max(map(roundings, parts), default=certain)
    return 2 * len(stops.given[0]) + max(map(roundings, stops.given[0]))


def blended(
    parts: tuple[StopSet, ...], shares: tuple[Any, ...], n: int, first: int, last: int
) -> NDArray[Any]:
    """Return how likely a player stops who follows one of several in each state."""
    count = last - first + 1
    sums: NDArray[Any] = np.zeros(count + 1, np.asarray(shares).dtype)
    for part, share in zip(parts, shares, strict=True):
        sums[:count] += chances(part(n, first, last), count) * share
        sums[count] += share
    # Floats do not sum to 1; where all parts stop, so does the player for certain.
    sums /= sums[count]
    return sums[:count]


def either(at_edges: StopSet, other: StopSet) -> StopSet:
    """Return where a player stops at edges or as another one; as edges, if possible."""
    if other.where is not _beyond:
        return StopSet(_at_either, (at_edges, other))
    ahead, behind = zip(at_edges.given, other.given, strict=True)
    return StopSet(_beyond, (list(map(max, *ahead)), list(map(min, *behind))))


def _at_either(
    at_edges: StopSet, other: StopSet, n: int, first: int, last: int
) -> Ends:
    reached, ends = at_edges(n, first, last), other(n, first, last)
    if isinstance(ends, np.ndarray):
        ends = ends.copy()
        ends[reached] = 1
        return ends
    return sorted({*reached, *ends})


_RUNS_BYTES = 250
"""Bytes of a level of a policy made of runs of cards, as lists of ints."""


def best_within(problem: Problem, loss: Fraction | None, draws: int | None) -> StopSet:
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
    for level in with_progress(levels, problem.cards + 1, "levels"):
        goes_on = level.lead >= 0 if rules.tie == "draw" else level.lead > 0
        goes_on[recurrence.cells(barred(level.n), level.first)] = False
        # A run begins or ends where a state differs from the one before.
        ends = np.flatnonzero(np.diff(goes_on, prepend=False, append=False))
        bounds[level.n] = (ends + level.first).tolist()
    return StopSet(_outside, (bounds,))


def _outside(bounds: list[list[int]], n: int, first: int, last: int) -> Sequence[int]:
    """Return the stops of a player who goes on in runs of red cards.

    ``bounds[n]`` lists where runs begin and have ended, one after the other.
    """
    starts = [first, *bounds[n][1::2]]
    ends = [*bounds[n][::2], last + 1]
    stops: list[int] = []
    for start, end in zip(starts, ends, strict=True):
        stops += range(max(start, first) - first, min(end, last + 1) - first)
    return stops


def _barred(problem: Problem, loss: Fraction | None, draws: int | None) -> Barred:
    """Return for each n where the player may not draw: a range of r, or none.

    There another card may leave less than the floor, or the draws are used up.
    """
    rules, red, black, _ = problem
    last = -1 if draws is None else problem.cards - draws
    _, (gain, cost, floor) = in_units(rules, loss or Fraction(0))

    def barred(n: int) -> tuple[int, int]:
        if n <= last:
            return 0, n
        if loss is None:
            return n + 1, n
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

    return barred
