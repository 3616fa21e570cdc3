"""The recurrence of red/black with the maximum taken in every cell: any rules at all.

A utility can make the player stop when poor, draw again when rich, and stop again when
richer, so this module does not assume a single boundary: an antidiagonal
n = red + black is computed from the one before it, cell by cell, in vector operations.
The tables are filled from these levels, for all rules; single values under a utility
are read off the last level.

A player may be *barred* from drawing in some states, and must then stop there.

Float64 levels carry marginal values, ``max(0, r/n (gain + v) + b/n (v' - cost))``, or
under a utility totals, ``max(utility(cash), r/n W + b/n W')``. Exact levels carry the
integers ``C(n, r) D W`` of the Pascal form (`cardgames_dp.redblack._kernels.sweep`), D
a common denominator of the rewards: one addition and one comparison a cell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._extras import tracked
from cardgames_dp.redblack._kernels.terms import Terms

Barred: TypeAlias = Callable[[int], tuple[int, int]]
"""``barred(n)`` is the range of r, first to last, where the player may not draw."""

_ROUNDINGS = 2.0**-50
"""The error of a cell relative to its terms: five roundings, amounts included."""

_SMALLEST, _LARGEST = Fraction(1, 10**270), Fraction(10**300)


class FloatLevel(NamedTuple):
    """The cells ``[r, n - r]`` of one antidiagonal, r = first, first + 1, ...

    Attributes
    ----------
    n, first : int
    stop, draw : ndarray of float64
        What stopping and drawing are worth: marginal values (`stop` is 0) under linear
        rules, totals under a utility. They are equal for the empty deck.
    error : ndarray of float64
        A bound of the rounding error of ``draw - stop``.
    """

    n: int
    first: int
    stop: NDArray[np.float64]
    draw: NDArray[np.float64]
    error: NDArray[np.float64]


class ExactLevel(NamedTuple):
    """The same in integers: each of `stop` and `draw` is over ``denominators``.

    Attributes
    ----------
    n, first : int
    stop, draw : ndarray of int
        Totals, in arrays of dtype object.
    denominators : ndarray of int
        ``C(n, r) D``.
    """

    n: int
    first: int
    stop: NDArray[np.object_]
    draw: NDArray[np.object_]
    denominators: NDArray[np.object_]


def best(
    rules: Terms, red: int, black: int, *, exact: bool, progress: bool = False
) -> float | Fraction:
    """Return the value of a full deck: the better of stopping and drawing."""
    count = red + black + 1
    if exact:
        levels = exact_levels(rules, red, black)
        for level in tracked(levels, count, "levels", shown=progress):  # noqa: B007
            pass
        return Fraction(max(level.stop[-1], level.draw[-1]), level.denominators[-1])
    floats = float_levels(rules, red, black)
    for last in tracked(floats, count, "levels", shown=progress):  # noqa: B007
        pass
    return float(max(last.stop[-1], last.draw[-1]))


def float_levels(
    rules: Terms, red: int, black: int, barred: Barred | None = None
) -> Iterator[FloatLevel]:
    """Yield the levels n = 0, 1, ..., red + black in float64."""
    gain, cost = _float_amounts(rules, red + black)
    up, down = (gain, cost) if rules.utility is None else (0.0, 0.0)
    # worth[i] is the worth of r = start + i on the level before, with a 0 on each side,
    # where there is no cell; error[i] bounds its rounding error.
    worth, error, start = np.zeros(2), np.zeros(2), -1
    size = np.abs if rules.utility is None else _size
    for n in range(red + black + 1):
        first, last = max(0, n - black), min(red, n)
        lower = slice(first - 1 - start, last - start)
        upper = slice(first - start, last + 1 - start)
        r = np.arange(first, last + 1, dtype=np.float64)
        b = n - r
        if rules.utility is None:  # marginal values
            stop = np.zeros(len(r))
        else:
            stop = rules.reward(gain * (red - r) - cost * (black - b))
        stop_error = _ROUNDINGS * size(stop)
        if n == 0:
            draw, draw_error = stop, stop_error
        else:
            draw = (r * (worth[lower] + up) + b * (worth[upper] - down)) / n
            terms = r * (size(worth[lower]) + abs(up))
            terms += b * (size(worth[upper]) + down)
            draw_error = (r * error[lower] + b * error[upper] + _ROUNDINGS * terms) / n
        if barred:
            forced = _slice(*barred(n), first)
            draw[forced], draw_error[forced] = stop[forced], stop_error[forced]
        doubt = stop_error + draw_error
        yield FloatLevel(n, first, stop, draw, doubt)
        worth, error = np.zeros(len(r) + 2), np.zeros(len(r) + 2)
        start, inner = first - 1, slice(1, -1)
        np.maximum(stop, draw, out=worth[inner])
        # Where one is clearly better, the error of the other does not matter: with a
        # strongly concave utility, stopping may be worth -1e30 in some cells, with a
        # rounding error larger than all other numbers.
        error[inner] = np.maximum(stop_error, draw_error)
        advantage = ahead(draw, stop)
        drawn, stopped = advantage > doubt, -advantage > doubt
        error[inner][drawn] = draw_error[drawn]
        error[inner][stopped] = stop_error[stopped]


def ahead(draw: NDArray[np.float64], stop: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``draw - stop``, which is 0 where both are ruin, -inf."""
    if stop.min() > -math.inf:  # mostly; the mask below takes time
        return draw - stop
    return np.subtract(draw, stop, out=np.zeros(len(stop)), where=draw != stop)


def _size(worth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sizes that rounding errors are relative to; 0 for ruin, -inf."""
    return np.where(np.isneginf(worth), 0.0, np.abs(worth))


def _float_amounts(rules: Terms, cards: int) -> tuple[float, float]:
    """Return gain and cost; refuse those that would overflow or lose digits."""
    for amount in (abs(rules.gain), rules.cost):
        if amount and not _SMALLEST <= amount * max(cards, 1) <= _LARGEST:
            raise ValueError(
                "rules must have amounts between 1e-270 and 1e300 / (red + black) for "
                f"float64, got {float(amount) if amount < _LARGEST else '> 1e300'}; "
                "use backend='exact'"
            )
    return float(rules.gain), float(rules.cost)


def _slice(first: int, last: int, start: int) -> slice:
    """Return the cells from `first` to `last` of a level that begins at `start`."""
    return slice(max(first - start, 0), max(last + 1 - start, 0))


def exact_levels(
    rules: Terms, red: int, black: int, barred: Barred | None = None
) -> Iterator[ExactLevel]:
    """Yield the levels n = 0, 1, ..., red + black in integers."""
    rewards = _integer_rewards(rules, red, black)
    # As in `float_levels`; counts[i] is C(n, start + i).
    counts, best, start = np.array([0, 1, 0], dtype=object), np.zeros(3, object), -1
    for n in range(red + black + 1):
        first, last = max(0, n - black), min(red, n)
        lower = slice(first - 1 - start, last - start)
        upper = slice(first - start, last + 1 - start)
        count = counts[lower] + counts[upper] if n else counts[1:2]
        stop = count * rewards.numerators(n, first, last)
        draw = best[lower] + best[upper] if n else stop
        if barred:
            forced = _slice(*barred(n), first)
            draw[forced] = stop[forced]
        yield ExactLevel(n, first, stop, draw, count * rewards.denominator)
        counts, best = (np.zeros(len(count) + 2, dtype=object) for _ in range(2))
        start, counts[1:-1], best[1:-1] = first - 1, count, np.maximum(stop, draw)


class _IntegerRewards(NamedTuple):
    """Rewards of stopping over one common denominator: by cash, in units of `unit`."""

    by_cash: dict[int, int]
    denominator: int
    gain: int
    cost: int
    red: int
    black: int

    def numerators(self, n: int, first: int, last: int) -> NDArray[np.object_]:
        """Return the numerators of the cells ``[r, n - r]``, r from first to last."""
        array = np.empty(last - first + 1, dtype=object)
        array[:] = [
            self.by_cash[self.gain * (self.red - r) - self.cost * (self.black - n + r)]
            for r in range(first, last + 1)
        ]
        return array


def _integer_rewards(rules: Terms, red: int, black: int) -> _IntegerRewards:
    unit = rules.cash_unit
    gain, cost = int(rules.gain / unit), int(rules.cost / unit)
    cash = sorted(
        {gain * i - cost * j for i in range(red + 1) for j in range(black + 1)}
    )
    rewards = rules.exact_reward(unit * c for c in cash)
    denominator = math.lcm(*(reward.denominator for reward in rewards))
    by_cash = {
        c: int(reward * denominator) for c, reward in zip(cash, rewards, strict=True)
    }
    return _IntegerRewards(by_cash, denominator, gain, cost, red, black)
