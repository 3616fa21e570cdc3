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

`tables` makes the full tables of a deck of them: values, stops, ties and errors.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.arguments import at_most, shown
from cardgames_dp._support.running import refuse_too_large, tracked
from cardgames_dp.redblack._kernels.scaling import BLOCK, Band, part
from cardgames_dp.redblack.rules import Problem, Rules, cash_in_floats, in_units
from cardgames_dp.redblack.utilities import in_float64, in_fractions

Barred: TypeAlias = Callable[[int], tuple[int, int]]
"""``barred(n)`` is the range of r, first to last, where the player may not draw."""

ROUNDINGS = 2.0**-50
"""The error of a cell relative to its terms: five roundings, amounts included."""

_SMALLEST, _LARGEST = Fraction(1, 10**270), Fraction(10**300)

FRACTION_BYTES = 200
"""Bytes of a Fraction in a table, with its integers and its place in the array."""

_LEVEL_BYTES, _AMOUNT_BYTES = 200, 500
"""Bytes of a cell of a level, and of an amount of cash with its exact utility."""

_MOST_STATES, _MOST_STATES_EXACTLY, _MOST_CARDS = 10**14, 10**12, 10**10
"""What takes about a week on one core of a server of 2025."""


class Level(NamedTuple):
    """The cells ``[r, n - r]`` of one antidiagonal, r = first, first + 1, ...

    Attributes
    ----------
    n, first : int
    stop, draw : ndarray of float64, or of int (dtype object)
        What stopping and drawing are worth: marginal values (`stop` is 0) in float64
        under linear rules, else totals. They are equal for the empty deck.
    lead : ndarray
        By how much drawing leads stopping; 0 in a tie, up to rounding.
    worth : ndarray
        The larger of both.
    unit : ndarray of int
        What the integers are to be divided by, ``C(n, r) D``; None of floats.
    error : ndarray of float64
        A bound of the rounding error of `worth`; None of integers.
    """

    n: int
    first: int
    stop: NDArray[Any]
    draw: NDArray[Any]
    lead: NDArray[Any]
    worth: NDArray[Any]
    unit: NDArray[np.object_] | None = None
    error: NDArray[np.float64] | None = None


def refuse_large(problem: Problem) -> None:
    """Refuse all states under a utility if they are too many."""
    rules, red, black, exact = problem
    size, states = _LEVEL_BYTES * (min(red, black) + 1), (red + 1) * (black + 1)
    if exact:
        _, (gain, cost) = in_units(rules)
        amounts = min(states, abs(gain * red + cost * black) + 1)
        size += _AMOUNT_BYTES * amounts + (min(red, black) + 1) * problem.cards // 2
    what = f"the utility of {problem.deck}, in every state,"
    refuse_too_large(what, size, problem.instead)
    most = _MOST_STATES_EXACTLY if exact else _MOST_STATES
    at_most(f"the states of {problem.deck}", states, most, problem.instead)
    what = "the number of cards under a utility"
    at_most(what, problem.cards, _MOST_CARDS, problem.instead)


def levels(problem: Problem, barred: Barred | None = None) -> Iterator[Level]:
    """Yield the levels n = 0, 1, ..., red + black, in integers or in float64."""
    return (exact_levels if problem.exact else float_levels)(problem, barred)


def best(problem: Problem) -> float | Fraction:
    """Return the value of a full deck: the better of stopping and drawing."""
    [level] = deque(tracked(levels(problem), problem.cards + 1, "levels"), maxlen=1)
    worth = level.worth[-1]
    return float(worth) if level.unit is None else Fraction(worth, level.unit[-1])


def float_levels(
    problem: Problem, barred: Barred | None = None, band: Band | None = None
) -> Iterator[Level]:
    """Yield the levels in float64; of a band only, outside of which the player stops.

    A band is for linear rules.
    """
    rules, red, black, _ = problem
    gain, cost = float_amounts(rules, red + black)
    linear = rules.utility is None
    up, down = (gain, cost) if linear else (0.0, 0.0)
    size: Any = np.abs
    if not linear:
        size, cash = sizes, cash_in_floats(rules)
    # Of the level before, its worth and a bound of its rounding error.
    before, start = np.zeros((2, 0)), 0
    lowest, highest = 0, red
    for n in range(red + black + 1):
        if band and n % BLOCK == 0:
            lowest, highest = band.over(n, min(n + BLOCK - 1, red + black))
        first, last = max(0, n - black, lowest), min(red, n, highest)
        worth, error = part(before, start, first - 1, last)
        r = np.arange(first, last + 1, dtype=np.float64)
        b = n - r
        if linear:  # marginal values
            stop = stop_error = np.zeros(len(r))
        else:
            reds = np.arange(first, last + 1)
            stop = in_float64(rules.utility, cash(red - reds, black - n + reds))
            stop_error = ROUNDINGS * size(stop)
        if n == 0:
            draw, draw_error = stop, stop_error
        else:
            draw = (r * (worth[:-1] + up) + b * (worth[1:] - down)) / n
            terms = r * (size(worth[:-1]) + abs(up))
            terms += b * (size(worth[1:]) + down)
            draw_error = (r * error[:-1] + b * error[1:] + ROUNDINGS * terms) / n
        if barred:
            forced = cells(barred(n), first)
            draw[forced], draw_error[forced] = stop[forced], stop_error[forced]
        lead = draw - stop if linear else _ahead(draw, stop)
        doubt = stop_error + draw_error
        drawn, stopped = lead > doubt, -lead > doubt
        lead[~(drawn | stopped)] = 0
        before, start = np.empty((2, len(r))), first
        np.maximum(stop, draw, out=before[0])
        # Where one is clearly better, the error of the other does not matter: with a
        # strongly concave utility, stopping may be worth -1e30 in some cells, with a
        # rounding error larger than all other numbers.
        np.maximum(stop_error, draw_error, out=before[1])
        if not linear:  # else it is there
            before[1, drawn] = draw_error[drawn]
        before[1, stopped] = stop_error[stopped]
        yield Level(n, first, stop, draw, lead, before[0], error=before[1])


def _ahead(draw: NDArray[np.float64], stop: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``draw - stop``, which is 0 where both are ruin, -inf."""
    if stop.min() > -math.inf:  # mostly; the mask below takes time
        return draw - stop
    return np.subtract(draw, stop, out=np.zeros(len(stop)), where=draw != stop)


def sizes(worth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sizes that rounding errors are relative to; 0 for ruin, -inf."""
    return np.where(np.isneginf(worth), 0.0, np.abs(worth))


def float_amounts(rules: Rules, cards: int) -> tuple[float, float]:
    """Return gain and cost; refuse those that would overflow or lose digits."""
    for amount in (abs(rules.gain), rules.cost):
        if amount and not _SMALLEST <= amount * max(cards, 1) <= _LARGEST:
            raise ValueError(
                "rules must have amounts between 1e-270 and 1e300 / (red + black) for "
                f"float64, got {float(amount) if amount < _LARGEST else '> 1e300'}; "
                "use backend='exact'"
            )
    return float(rules.gain), float(rules.cost)


def cells(ends: tuple[int, int], start: int) -> slice:
    """Return the cells from one r to another of a level that begins at `start`."""
    return slice(max(ends[0] - start, 0), max(ends[1] + 1 - start, 0))


def exact_levels(problem: Problem, barred: Barred | None = None) -> Iterator[Level]:
    """Yield the levels in integers."""
    rules, red, black, _ = problem
    drawn = product(range(red + 1), range(black + 1))
    reward, denominator = integer_rewards(rules, drawn)
    # Of the level before; counts are C(n, r).
    counts, best, start = np.ones(1, dtype=object), np.zeros(1, dtype=object), 0
    for n in range(red + black + 1):
        first, last = max(0, n - black), min(red, n)
        if n:
            counts, best = (part(x, start, first - 1, last) for x in (counts, best))
            counts, best = counts[:-1] + counts[1:], best[:-1] + best[1:]
        paid = [reward(red - r, black - n + r) for r in range(first, last + 1)]
        stop = counts * np.array(paid, dtype=object)
        draw = best if n else stop
        if barred:
            forced = cells(barred(n), first)
            draw[forced] = stop[forced]
        best, start = np.maximum(stop, draw), first
        yield Level(n, first, stop, draw, draw - stop, best, counts * denominator)


def integer_rewards(
    rules: Rules, drawn: Iterable[tuple[int, int]]
) -> tuple[Callable[[int, int], int], int]:
    """Return the rewards of stopping after some cards, over one denominator.

    They are a function of the red and the black cards drawn.
    """
    unit, (gain, cost) = in_units(rules)
    cash = sorted({gain * i - cost * j for i, j in drawn})
    rewards = in_fractions(rules.utility, (unit * c for c in cash))
    denominator = math.lcm(*{reward.denominator for reward in rewards})
    paid = {c: int(x * denominator) for c, x in zip(cash, rewards, strict=True)}
    return lambda i, j: paid[gain * i - cost * j], denominator


def refuse_large_tables(problem: Problem) -> None:
    """Refuse the tables of a deck if they would be too large."""
    rules, red, black, exact = problem
    what = f"a table of {shown(red + 1)} x {shown(black + 1)} states"
    instead = (
        "use value(...), thresholds(...), play.distribution(game(...), 'optimal'), "
        "which need no table"
    )
    cell = FRACTION_BYTES + problem.cards // 4 if exact else 10
    if rules.utility is not None and not exact:
        cell += 16
    refuse_too_large(what, (red + 1) * (black + 1) * cell, instead)


class Tables(NamedTuple):
    """A solved deck, indexed ``[red, black]``.

    Attributes
    ----------
    values : ndarray of float64 or of Fractions
        What is still to come; under a utility, the expected utility.
    stop, ties : ndarray of bool
        Where the player stops, and where stopping and drawing are worth the same, up to
        rounding. The empty deck leaves no choice: it stops, and is no tie.
    errors : ndarray of float64, or None
        Bounds of the rounding errors of `values`; None of Fractions. Under linear rules
        they are by the number of cards left, the largest of a level, and of the worth
        of drawing: in a tie, the value of stopping is as far from it again.
    """

    values: NDArray[Any]
    stop: NDArray[np.bool_]
    ties: NDArray[np.bool_]
    errors: NDArray[np.float64] | None


def tables(problem: Problem) -> Tables:
    """Return the values, stops and ties of a deck."""
    shape = (problem.red + 1, problem.black + 1)
    linear = problem.rules.utility is None
    # Under linear rules the values are `lead`, where it is positive, and 0.
    lead = np.empty(shape, problem.dtype)
    values = lead if linear else np.empty(shape, problem.dtype)
    errors = None
    if not problem.exact:
        errors = np.zeros(problem.cards + 1) if linear else np.empty(shape)
    for level in tracked(levels(problem), problem.cards + 1, "levels"):
        last = level.first + len(level.lead) - 1
        filled: list[tuple[NDArray[Any], Any]] = [(lead, level.lead)]
        if not linear:
            filled.append((values, level.worth))
        for table, cells in filled:
            numbers: Any = cells
            if level.unit is not None:
                pairs = zip(cells, level.unit, strict=True)
                numbers = [Fraction(*pair) for pair in pairs]
            antidiagonal(table, level.n, level.first, last)[:] = numbers
        if level.error is not None and errors is not None:
            if linear:
                errors[level.n] = np.maximum.reduce(level.error)
            else:
                antidiagonal(errors, level.n, level.first, last)[:] = level.error
    stop, ties = np.empty(shape, bool), np.empty(shape, bool)
    nothing: Any = Fraction(0) if problem.exact else 0.0
    for row in range(len(lead)):  # only rows are contiguous in memory
        ties[row] = lead[row] == 0
        stop[row] = lead[row] <= 0
        if linear:
            np.maximum(lead[row], nothing, out=values[row])
    if problem.rules.tie == "draw":
        stop &= ~ties
    stop[0, 0], ties[0, 0] = True, False  # an empty deck leaves no choice
    return Tables(values, stop, ties, errors)


def antidiagonal(
    table: NDArray[Any], n: int, first_row: int, last_row: int
) -> NDArray[Any]:
    """Return a view of the cells ``[i, n - i]`` of a contiguous table.

    They are those from i = `first_row` to `last_row`, which lie in the table.
    """
    columns = table.shape[1]
    # One row further down and one column back is `columns - 1` cells on.
    step = max(columns - 1, 1)
    start = first_row * columns + n - first_row
    return table.reshape(-1)[start : start + (last_row - first_row) * step + 1 : step]
