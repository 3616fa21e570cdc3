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

`tables` makes the full tables of a deck of them: values, stops and ties.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.printing import printable, printable_array
from cardgames_dp._support.running import tracked
from cardgames_dp.redblack.rules import Rules

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


def best(rules: Rules, red: int, black: int, *, exact: bool) -> float | Fraction:
    """Return the value of a full deck: the better of stopping and drawing."""
    count = red + black + 1
    if exact:
        levels = exact_levels(rules, red, black)
        for level in tracked(levels, count, "levels"):  # noqa: B007
            pass
        return Fraction(max(level.stop[-1], level.draw[-1]), level.denominators[-1])
    floats = float_levels(rules, red, black)
    for last in tracked(floats, count, "levels"):  # noqa: B007
        pass
    return float(max(last.stop[-1], last.draw[-1]))


def float_levels(
    rules: Rules, red: int, black: int, barred: Barred | None = None
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


def _float_amounts(rules: Rules, cards: int) -> tuple[float, float]:
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
    rules: Rules, red: int, black: int, barred: Barred | None = None
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


def _integer_rewards(rules: Rules, red: int, black: int) -> _IntegerRewards:
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


def tables(
    rules: Rules, red: int, black: int, *, exact: bool
) -> tuple[NDArray[Any], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the values, stops and ties of a deck, indexed ``[red, black]``."""
    shape = (red + 1, black + 1)
    # First the table holds by how much drawing leads stopping, with its sign.
    values = np.empty(shape, object if exact else np.float64)
    levels = (_exact if exact else _float64)(rules, red, black)
    for n, first, advantage in tracked(levels, red + black + 1, "levels"):
        last = first + len(advantage) - 1
        antidiagonal(values, n, first, last)[:] = advantage
    stop, ties = np.empty(shape, bool), np.empty(shape, bool)
    nothing: Any = Fraction(0) if exact else 0.0
    for row in range(red + 1):  # row by row, because only rows are contiguous in memory
        ties[row] = values[row] == 0
        stop[row] = values[row] <= 0
        np.maximum(values[row], nothing, out=values[row])
    if rules.tie == "draw":
        stop &= ~ties
    stop[0, 0], ties[0, 0] = True, False  # an empty deck leaves no choice
    return values, stop, ties


def _float64(
    rules: Rules, red: int, black: int
) -> Iterator[tuple[int, int, NDArray[np.float64]]]:
    """Yield n, the first r, and how far drawing leads stopping in ``[r, n - r]``."""
    for level in float_levels(rules, red, black):
        advantage = ahead(level.draw, level.stop)
        advantage[np.abs(advantage) <= level.error] = 0  # a tie, to rounding
        yield level.n, level.first, advantage


def _exact(
    rules: Rules, red: int, black: int
) -> Iterator[tuple[int, int, NDArray[np.object_]]]:
    """Yield the same in Fractions."""
    for level in exact_levels(rules, red, black):
        advantage = level.draw - level.stop
        for i, denominator in enumerate(level.denominators):
            advantage[i] = printable(Fraction(advantage[i], denominator))
        yield level.n, level.first, advantage


def cash(
    rules: Rules,
    deck: tuple[int, int],
    reds: NDArray[np.int64],
    blacks: NDArray[np.int64],
    *,
    exact: bool,
) -> NDArray[Any]:
    """Return the cash in the states with these cards, as a table."""
    red_drawn, black_drawn = deck[0] - reds[:, None], deck[1] - blacks
    if not exact:
        return float(rules.gain) * red_drawn - float(rules.cost) * black_drawn
    red_worth = rules.gain * red_drawn.astype(object)
    return printable_array(red_worth - rules.cost * black_drawn.astype(object))


def totals(rules: Rules, values: NDArray[Any], cash: NDArray[Any]) -> NDArray[Any]:
    """Return the totals of states with these values and this cash."""
    if values.dtype != object:
        return np.asarray(values + rules.reward(cash))
    worth = np.empty(cash.size, dtype=object)
    worth[:] = rules.exact_reward(cash.ravel().tolist())
    return printable_array(values + worth.reshape(values.shape))


def totals_past_ruin(
    values: NDArray[np.float64], stopping: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return all totals where stopping is ruin in some states, but drawing is not.

    In those states the value is infinite and does not determine the total.
    """
    red, black = values.shape[0] - 1, values.shape[1] - 1
    lost = np.isposinf(values)
    totals: NDArray[np.float64] = stopping + np.where(lost, 0, values)
    for n in range(1, red + black + 1):
        first, last = max(0, n - black), min(red, n)
        for i in np.flatnonzero(antidiagonal(lost, n, first, last)).tolist():
            r, b = first + i, n - first - i
            ways = (r, (r - 1, b)), (b, (r, b - 1))
            drawn = sum(cards * totals[after] for cards, after in ways if cards)
            totals[r, b] = drawn / n
    return totals


def antidiagonal(
    table: NDArray[Any], n: int, first_row: int, last_row: int
) -> NDArray[Any]:
    """Return the cells ``[i, n - i]`` of a table, i from `first_row` to `last_row`.

    Parameters
    ----------
    table : ndarray, shape (rows, columns)
        A C-contiguous table.
    n : int
        The sum of the two indices.
    first_row, last_row : int
        Both included; every cell between them lies in the table.

    Returns
    -------
    ndarray, shape (last_row - first_row + 1,)
        A view, not a copy.
    """
    columns = table.shape[1]
    # One row further down and one column back is `columns - 1` cells on.
    step = max(columns - 1, 1)
    start = first_row * columns + n - first_row
    return table.reshape(-1)[start : start + (last_row - first_row) * step + 1 : step]
