"""Full tables of red/black: values, stops and ties of all states of a deck."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._extras import tracked
from cardgames_dp._numbers import printable, printable_array
from cardgames_dp.redblack._kernels import recurrence
from cardgames_dp.redblack._kernels.antidiagonals import antidiagonal
from cardgames_dp.redblack._kernels.terms import Terms


def tables(
    rules: Terms, red: int, black: int, *, exact: bool, progress: bool
) -> tuple[NDArray[Any], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the values, stops and ties of a deck, indexed ``[red, black]``."""
    shape = (red + 1, black + 1)
    # First the table holds by how much drawing leads stopping, with its sign.
    values = np.empty(shape, object if exact else np.float64)
    levels = (_exact if exact else _float64)(rules, red, black)
    for n, first, advantage in tracked(
        levels, red + black + 1, "levels", shown=progress
    ):
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
    rules: Terms, red: int, black: int
) -> Iterator[tuple[int, int, NDArray[np.float64]]]:
    """Yield n, the first r, and how far drawing leads stopping in ``[r, n - r]``."""
    for level in recurrence.float_levels(rules, red, black):
        advantage = recurrence.ahead(level.draw, level.stop)
        advantage[np.abs(advantage) <= level.error] = 0  # a tie, to rounding
        yield level.n, level.first, advantage


def _exact(
    rules: Terms, red: int, black: int
) -> Iterator[tuple[int, int, NDArray[np.object_]]]:
    """Yield the same in Fractions."""
    for level in recurrence.exact_levels(rules, red, black):
        advantage = level.draw - level.stop
        for i, denominator in enumerate(level.denominators):
            advantage[i] = printable(Fraction(advantage[i], denominator))
        yield level.n, level.first, advantage


def cash(
    rules: Terms,
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


def totals(rules: Terms, values: NDArray[Any], cash: NDArray[Any]) -> NDArray[Any]:
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
