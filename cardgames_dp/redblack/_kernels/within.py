"""The best policy of a player with a floor for the cash, or a limit of draws.

Such a player may draw only if the worst card left still leaves the cash at the floor or
above, and only until the draws are used up. In all other cells the maximum of the
recurrence is taken. With a floor the stop set need not have a single boundary, because
more cash leaves more room. The result is a list of runs of red cards in which the
player goes on, level by level.

Under linear rules and in float64, only the band is computed that a path from the full
deck may visit (`cardgames_dp.redblack._kernels.band`). Outside of it the player is
assumed to stop.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._extras import tracked
from cardgames_dp.redblack._kernels import limits, recurrence
from cardgames_dp.redblack._kernels.band import BLOCK, Band
from cardgames_dp.redblack._kernels.recurrence import Barred
from cardgames_dp.redblack._kernels.stakes import Stakes, as_float
from cardgames_dp.redblack._kernels.stops import Runs
from cardgames_dp.redblack._kernels.terms import Terms

_TIE = 2.0**-46
"""Worths that differ by at most this share of their terms are a tie."""


class _Level(NamedTuple):
    """By how much drawing leads stopping, times a positive number, from `first` on."""

    n: int
    first: int
    advantage: NDArray[Any]


def best(
    rules: Terms,
    red: int,
    black: int,
    loss: Fraction | None,
    draws: int | None,
    *,
    exact: bool,
    progress: bool,
) -> Runs:
    """Return the stops of the best player with a limited loss, or number of draws."""
    limits.refuse_floor(rules, red, black, exact=exact, progress=progress)
    barred = _barred(rules, red, black, loss, draws)
    if exact:
        levels = _exact(rules, red, black, barred)
    elif rules.utility is not None:
        levels = _with_utility(rules, red, black, barred)
    elif rules.gain <= 0:
        levels = _hopeless(rules, red, black)
    else:
        begin = 0 if draws is None else max(red + black - draws, 0)
        levels = _linear(rules, red, black, barred, begin)
    ties = rules.tie == "draw"
    bounds: list[list[int]] = [[]] * (red + black + 1)
    for level in tracked(levels, red + black + 1, "levels", shown=progress):
        bounds[level.n] = _runs(level, barred(level.n), draws_at_ties=ties)
    return Runs(bounds)


def _barred(
    rules: Terms, red: int, black: int, loss: Fraction | None, draws: int | None
) -> Barred:
    """Return for each n where the player may not draw: a range of r, or none."""
    last = -1 if draws is None else red + black - draws
    floored = None if loss is None else _floored(rules, red, black, loss)

    def barred(n: int) -> tuple[int, int]:
        if n <= last:
            return 0, n
        return floored(n) if floored else (n + 1, n)

    return barred


def _floored(rules: Terms, red: int, black: int, loss: Fraction) -> Barred:
    """Return for each n where another card may leave less than the floor."""
    unit = Fraction(1, math.lcm(rules.cash_unit.denominator, loss.denominator))
    gain, cost, floor = (int(x / unit) for x in (rules.gain, rules.cost, loss))

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


def _runs(level: _Level, barred: tuple[int, int], *, draws_at_ties: bool) -> list[int]:
    """Return the bounds of the runs of r in which the player goes on."""
    _, first, advantage = level
    goes_on = advantage >= 0 if draws_at_ties else advantage > 0
    goes_on[max(barred[0] - first, 0) : max(barred[1] + 1 - first, 0)] = False
    bounds: list[int] = (
        np.flatnonzero(goes_on[1:] != goes_on[:-1]) + first + 1
    ).tolist()
    last = first + len(goes_on) - 1
    if len(goes_on) and goes_on[0]:
        bounds.insert(0, first)
    if len(goes_on) and goes_on[-1]:
        bounds.append(last + 1)
    return bounds


def _exact(rules: Terms, red: int, black: int, barred: Barred) -> Iterator[_Level]:
    for level in recurrence.exact_levels(rules, red, black, barred):
        yield _Level(level.n, level.first, level.draw - level.stop)


def _with_utility(
    rules: Terms, red: int, black: int, barred: Barred
) -> Iterator[_Level]:
    for level in recurrence.float_levels(rules, red, black, barred):
        advantage = recurrence.ahead(level.draw, level.stop)
        advantage[np.abs(advantage) <= level.error] = 0  # a tie, to rounding
        yield _Level(level.n, level.first, advantage)


def _hopeless(rules: Terms, red: int, black: int) -> Iterator[_Level]:
    """Yield the levels of a game in which no card has a gain."""
    for n in range(red + black + 1):
        r = np.arange(max(0, n - black), min(red, n) + 1)
        free = (r == 0) if rules.gain else np.ones(len(r), bool)
        free &= (r == n) | (rules.cost == 0)
        yield _Level(n, int(r[0]), np.where(free, 0, -1))


def _linear(
    rules: Terms, red: int, black: int, barred: Barred, begin: int
) -> Iterator[_Level]:
    """Yield the levels of marginal values ``max(0, r/n (g + v) + b/n (v' - c))``.

    They begin at `begin`; the player does not draw at lower levels.
    """
    stakes = Stakes.of(rules)
    gain, cost = as_float(stakes.gain), as_float(stakes.cost)
    band = Band(red, black) if min(red, black) else None
    reds, lowest, highest = np.arange(red + 1.0), 0, red
    values, start = np.zeros(0), 0
    for n in range(begin, red + black + 1):
        if band and (n % BLOCK == 0 or n == begin):
            lowest, highest = band.over(n, min(n + BLOCK - 1, red + black))
        first, last = max(0, n - black, lowest), min(red, n, highest)
        # v of the level before, for r from first - 1 to last; 0 where it was not kept.
        before = np.zeros(last - first + 2)
        low, high = max(first - 1, start), min(last, start + len(values) - 1)
        if low <= high:
            kept = values[low - start : high + 1 - start]
            before[low - first + 1 : high - first + 2] = kept
        r = reds[first : last + 1]
        by_red, by_black = r * (before[:-1] + gain), (n - r) * (before[1:] - cost)
        advantage = by_red + by_black
        advantage[np.abs(advantage) <= _TIE * (by_red + cost * n)] = 0
        bars = slice(*(max(bar - first, 0) for bar in (barred(n)[0], barred(n)[1] + 1)))
        advantage[bars] = 0
        yield _Level(n, first, advantage)
        values, start = np.maximum(advantage, 0) / max(n, 1), first
