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

*Draws with a prior* on N cards obey the same recurrence with other odds of the next
card (`cardgames_dp.redblack._kernels.bayes`): as a deck of N red and N black cards of
which N are left in the end. Then the first level is n = N; cells that the prior
excludes have NaN in `Level.lead`.

`tables` makes the full tables of a deck of them: values of drawing, what is best, and
errors.
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
from cardgames_dp._support.running import refuse_too_large, with_progress
from cardgames_dp.redblack._kernels import bayes
from cardgames_dp.redblack._kernels.bayes import Prior
from cardgames_dp.redblack._kernels.scaling import BLOCK, Band, part
from cardgames_dp.redblack.rules import Problem, Rules, Tie, cash_in_floats, in_units
from cardgames_dp.redblack.utilities import in_float64, in_fractions

Barred: TypeAlias = Callable[[int], tuple[int, int]]
"""``barred(n)`` is the range of r, first to last, where the player may not draw."""

STOPS, DRAWS = 1, 2
"""What is best in a cell, as bits: both if they are worth the same, up to rounding."""

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

    `draw`: what drawing is worth, marginal values in float64 under linear rules, else
    totals; without a card, what stopping is worth. `lead`: by how much drawing leads
    stopping; 0 in a tie, up to rounding. `worth`: the larger of both. Integers are to
    be divided by `unit`, ``C(n, r) D``; floats have `errors`, of shape (2, cells),
    bounds on the rounding errors of `worth` and of `draw`.
    """

    n: int
    first: int
    draw: NDArray[Any]
    lead: NDArray[Any]
    worth: NDArray[Any]
    unit: NDArray[np.object_] | None = None
    errors: NDArray[np.float64] | None = None


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


def levels(
    problem: Problem, barred: Barred | None = None, prior: Prior = ()
) -> Iterator[Level]:
    """Yield the levels up to red + black, in integers or in float64."""
    if problem.exact:
        return exact_levels(problem, barred, prior)
    return float_levels(problem, barred, prior=prior)


def best(problem: Problem) -> float | Fraction:
    """Return the value of a full deck: the better of stopping and drawing."""
    [level] = deque(
        with_progress(levels(problem), problem.cards + 1, "levels"), maxlen=1
    )
    worth = level.worth[-1]
    return float(worth) if level.unit is None else Fraction(worth, level.unit[-1])


def float_levels(
    problem: Problem,
    barred: Barred | None = None,
    band: Band | None = None,
    prior: Prior = (),
) -> Iterator[Level]:
    """Yield the levels in float64; in a band, for linear rules, all stop beyond it."""
    rules, red, black, _ = problem
    begin = max(len(prior) - 1, 0)
    gain, cost = float_amounts(rules, red + black - begin)
    linear = rules.utility is None
    up, down = (gain, cost) if linear else (0.0, 0.0)
    size: Any = np.abs if linear else sizes
    cash, unknown = cash_in_floats(rules), bayes.odds(prior) if prior else None
    # Of the level before, its worth and a bound on its rounding error.
    before, start = np.zeros((2, 0)), 0
    lowest, highest = 0, red
    for n in range(begin, red + black + 1):
        if band and n % BLOCK == 0:
            lowest, highest = band.over(n, min(n + BLOCK - 1, red + black))
        first, last = max(0, n - black, lowest), min(red, n, highest)
        worth, error = part(before[:2], start, first - 1, last)
        r: NDArray[np.float64] = np.arange(first, last + 1, dtype=np.float64)
        b, cards, odds = n - r, n, next(unknown) if unknown else None
        stop = stop_error = np.zeros(len(r))
        if not linear:
            reds = np.arange(first, last + 1)
            stop = _paid(rules, cash, red - reds, black - n + reds, odds)
            stop_error = ROUNDINGS * size(stop)
        draw, draw_error = stop, stop_error
        if n > begin:
            if odds:
                r, b, cards = odds.red, odds.black, 1
            after = worth[:-1] + up, worth[1:] - down
            draw = (r * after[0] + b * after[1]) / cards
            terms = r * (size(worth[:-1]) + abs(up))
            terms += b * (size(worth[1:]) + down)
            draw_error = (r * error[:-1] + b * error[1:] + ROUNDINGS * terms) / cards
            if odds:
                draw_error = odds.errors_of_means(draw_error, *after)
        if barred:
            forced = cells(barred(n), first)
            draw[forced], draw_error[forced] = stop[forced], stop_error[forced]
        lead = draw - stop if linear else _ahead(draw, stop)
        before, start = _better(stop, draw, stop_error, draw_error, lead), first
        if odds:
            lead[~odds.possible] = np.nan
        yield Level(n, first, draw, lead, before[0], errors=before[1:])


def _paid(
    rules: Rules, cash: Any, red: Any, black: Any, odds: bayes.Odds | None
) -> NDArray[np.float64]:
    """Return the utility of stopping after some cards; 0 where a prior excludes it."""
    if odds is None:
        return in_float64(rules.utility, cash(red, black))
    paid: NDArray[np.float64] = np.zeros(len(red))
    red, black = red[odds.possible], black[odds.possible]
    paid[odds.possible] = bayes.finite(in_float64(rules.utility, cash(red, black)))
    return paid


def _better(
    stop: NDArray[np.float64],
    draw: NDArray[np.float64],
    stop_error: NDArray[np.float64],
    draw_error: NDArray[np.float64],
    lead: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the larger worths, errors, and those of drawing; leads in doubt are 0."""
    doubt = stop_error + draw_error
    drawn, stopped = lead > doubt, -lead > doubt
    lead[~(drawn | stopped)] = 0
    better = np.empty((3, len(stop)))
    better[2] = draw_error
    np.maximum(stop, draw, out=better[0])
    # Where one is clearly better, the error of the other does not matter: with a
    # strongly concave utility, stopping may be worth -1e30 in some cells, with a
    # rounding error larger than all other numbers.
    np.maximum(stop_error, draw_error, out=better[1])
    if stop is not stop_error:  # else it is there
        better[1, drawn] = draw_error[drawn]
    better[1, stopped] = stop_error[stopped]
    return better


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


def exact_levels(
    problem: Problem, barred: Barred | None = None, prior: Prior = ()
) -> Iterator[Level]:
    """Yield the levels in integers."""
    rules, red, black, _ = problem
    begin = max(len(prior) - 1, 0)
    drawn = bayes.drawn(prior) if prior else product(range(red + 1), range(black + 1))
    reward, denominator = _integer_rewards(rules, drawn)
    # Of the level before; counts are C(n, r), or as likely as cells with a prior.
    counts = bayes.in_integers(prior)[::-1] if prior else np.ones(1, dtype=object)
    best, start = counts, 0
    for n in range(begin, red + black + 1):
        first, last = max(0, n - black), min(red, n)
        if n > begin:
            counts, best = (part(x, start, first - 1, last) for x in (counts, best))
            counts, best = counts[:-1] + counts[1:], best[:-1] + best[1:]
        here = zip(range(first, last + 1), counts.tolist(), strict=True)
        paid = [reward(red - r, black - n + r) if count else 0 for r, count in here]
        stop = counts * np.array(paid, dtype=object)
        draw = best if n > begin else stop
        if barred:
            forced = cells(barred(n), first)
            draw[forced] = stop[forced]
        best, start = np.maximum(stop, draw), first
        lead, unit = draw - stop, counts * denominator
        if prior:
            lead[counts == 0] = np.nan
        yield Level(n, first, draw, lead, best, unit)


def _integer_rewards(
    rules: Rules, drawn: Iterable[tuple[int, int]]
) -> tuple[Callable[[int, int], int], int]:
    """Return the rewards of stopping, by cards drawn, over one denominator."""
    unit, (gain, cost) = in_units(rules)
    cash = sorted({gain * i - cost * j for i, j in drawn})
    rewards = in_fractions(rules.utility, (unit * c for c in cash))
    denominator = math.lcm(*{reward.denominator for reward in rewards})
    paid = {c: int(x * denominator) for c, x in zip(cash, rewards, strict=True)}
    return lambda i, j: paid[gain * i - cost * j], denominator


def refuse_large_tables(problem: Problem, prior: Prior = ()) -> None:
    """Refuse the tables of a deck, or with a prior, if they would be too large."""
    rules, red, black, exact = problem
    what = f"a table of {shown(red + 1)} x {shown(black + 1)} states"
    instead = (
        "use value(...), thresholds(...), play.distribution(game(...), 'optimal'), "
        "which need no table"
    )
    if prior:
        instead = "draw fewer cards" + ", or use backend='float64'" * exact
    cell = FRACTION_BYTES + problem.cards // 4 if exact else 10
    if not exact:
        cell += 8 * bool(prior) if rules.utility is None else 16
    refuse_too_large(what, (red + 1) * (black + 1) * cell, instead)


Tables: TypeAlias = tuple[NDArray[Any], NDArray[np.uint8], NDArray[np.float64] | None]


def tables(problem: Problem, prior: Prior = ()) -> Tables:
    """Return what drawing is worth and what is best, of a deck or with a prior.

    They are indexed ``[red, black]``. What drawing is worth is all that is still to
    come: 0 for a player who stops, and in a tie; under a utility, the expected utility.
    Best is `STOPS`, `DRAWS` or both, if they are worth the same up to rounding; 0 where
    a prior excludes a state; `STOPS` without a card to draw. In float64 there are
    bounds on the errors of what drawing is worth. Of a deck under linear rules they are
    the largest of each number of cards left, in two rows: where the player may draw,
    and in all states.
    """
    shape = (problem.red + 1, problem.black + 1)
    linear = problem.rules.utility is None
    # Under linear rules `lead` is what drawing is worth.
    lead = np.full(shape, np.nan, problem.dtype)
    draw = lead if linear else np.zeros(shape, problem.dtype)
    errors, by_level = None, linear and not prior
    if not problem.exact:
        errors = np.zeros((2, problem.cards + 1) if by_level else shape)
    last = max(len(prior) - 1, 0)
    every = levels(problem, prior=prior)
    for level in with_progress(every, problem.cards + 1 - last, "levels"):
        ends = level.n, level.first, level.first + len(level.lead) - 1
        antidiagonal(lead, *ends)[:] = _numbers(level.lead, level.unit, linear)
        if not linear:
            antidiagonal(draw, *ends)[:] = _numbers(level.draw, level.unit)
        if level.errors is None or errors is None:
            continue
        if by_level:
            np.maximum.reduce(level.errors, axis=1, out=errors[:, level.n])
        else:
            antidiagonal(errors, *ends)[:] = level.errors[1]
    with np.errstate(invalid="ignore"):  # comparisons of NaN
        best: NDArray[np.uint8] = (lead <= 0) * np.uint8(STOPS)
        best += (lead >= 0) * np.uint8(DRAWS)
    antidiagonal(best, last, 0, last)[:] &= STOPS  # no card leaves no choice
    if prior:
        draw[best == 0] = 0
    return draw, best, errors


def stops(best: NDArray[np.uint8], tie: Tie) -> NDArray[np.bool_]:
    """Return where the player stops by a tie rule, given what is best."""
    return best == STOPS if tie == "draw" else best & STOPS > 0


def _numbers(
    cells: NDArray[Any], unit: NDArray[np.object_] | None, exactly: bool = True
) -> Any:
    """Return cells as they stand in tables: Fractions, or floats."""
    if unit is None or not exactly:
        return cells
    pairs = zip(cells.tolist(), unit.tolist(), strict=True)
    return [Fraction(cell, each) if each else cell for cell, each in pairs]


def antidiagonal(
    table: NDArray[Any], n: int, first_row: int, last_row: int
) -> NDArray[Any]:
    """Return a view of some cells ``[i, n - i]``, all in a contiguous table."""
    columns = table.shape[1]
    # One row further down and one column back is `columns - 1` cells on.
    step = max(columns - 1, 1)
    start = first_row * columns + n - first_row
    return table.reshape(-1)[start : start + (last_row - first_row) * step + 1 : step]
