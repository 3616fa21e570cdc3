r"""Values to any number of digits, all of them right.

This is the sweep of `cardgames_dp.redblack._kernels.sweep`, with its band, tilt and
leap, in integers of about as many bits as the digits need. A cell is a number of units;
the unit is a power of two, renewed every `BLOCK` levels, and bits that do not fit are
cut off.

So cells never exceed the exact numbers ``U t**r``, and one number `cut` bounds, for all
cells of a level, by how many units they may be too low: adding two cells at most
doubles it; a product with a weight, a stopping value and a renewal add some units. A
renewal halves it as often as there were additions, so it stays near the number of
renewals.

If stopping is worth at least as much as drawing less `cut`, the sweep stops; the cell
may then be too low by another `cut`. A boundary that is too low would be worse, because
each level decides only one cell. A boundary that is too high does no harm, because
drawing next to it is worth n / (n + 1) of stopping, a larger difference than any cut.

The value lies between the value that the cells give and the one that the cells plus
`cut` give, widened by the band (2**(1 - bits) of what the black cards cost) and by the
roundings of binomial coefficients, which have `_GUARD` more bits. If both ends round to
the same number, that is the result; otherwise the sweep is repeated with more bits, and
finally with exact integers.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.arguments import at_most
from cardgames_dp._support.running import with_progress
from cardgames_dp.redblack._kernels import methods, scaling
from cardgames_dp.redblack._kernels.scaling import BLOCK, Band, Scaled, Tilt
from cardgames_dp.redblack._kernels.staircase.climb import Deck
from cardgames_dp.redblack._kernels.sweep import (
    level_without_stops,
    path_weights,
    window,
)
from cardgames_dp.redblack.rules import Problem, Rules, Stakes

_GUARD = 192
"""Bits of a stopping value beyond those of the cells."""

_SPARE = 48
"""Bits of the first sweep besides those for the digits and for the deck's size."""

_MOST_APART = 290
"""The most bits by which cells of a band without a tilt differ: see `scaling`."""

_MOST_LEVELS = 10**9
"""Levels that take about a week on one core of a server of 2025."""

Bounds = tuple[Fraction, Fraction]


class CutLevel(NamedTuple):
    """One antidiagonal, as ``sweep.Level``, and how wrong it may be.

    Its cells may be too low by `cut` units; the boundary, here or at a level before,
    may be too high if it is `doubtful`.
    """

    n: int
    top: int
    cells: NDArray[np.object_]
    base: int
    unit: int
    cut: int
    doubtful: bool


class CutSweep:
    """A sweep in integers of about the `bits` that the digits need.

    Cells have more bits if their magnitudes differ. The deck has a card of each colour.
    """

    def __init__(self, stakes: Stakes, red: int, black: int, bits: int) -> None:
        self.stakes, self.red, self.black, self.bits = stakes, red, black, bits
        self.tilt, self.band = Tilt.of(red, black), Band(red, black, bits)
        self.level_without_stops = level_without_stops(stakes, self.band)
        apart = 0.0
        if self.tilt == Tilt():
            apart = abs(math.log2(black / red)) * min(
                red, black, self.level_without_stops
            )
        self.cell_bits = bits + math.ceil(min(apart, _MOST_APART))

    @property
    def precision(self) -> int:
        """Bits of binomial coefficients and weights."""
        return self.cell_bits + _GUARD

    def levels(self) -> Iterator[CutLevel]:
        """Yield the levels until the band is free, or the full deck stops."""
        cost, slope = self.stakes.cost, self.stakes.gain + self.stakes.cost
        tilt, tilted = self.tilt, self.tilt != Tilt()
        weight, shift = tilt.red * tilt.black, tilt.red_shift + tilt.black_shift
        cells, base = np.array([0, 0], object), -1
        unit = -self.cell_bits if tilted else 0
        # C(n, top), tilted, is mantissa * 2**exponent.
        mantissa, exponent = 1, 0
        n = top = cut = 0
        # Nothing is cut off as long as all numbers are short.
        grain, doubtful = 3 if tilted else 0, False
        while n < self.level_without_stops and top < self.red:
            end = min(n + BLOCK, self.level_without_stops)
            _, highest = self.band.over(n, end)
            last = max(min(self.red, end, highest), top + BLOCK + 1)
            cells, base = window(cells, base, top, last), top - 1
            cells, unit, cut = self._rescaled(cells, unit, cut)
            other = cells.copy()
            if (excess := mantissa.bit_length() - self.precision) > 0:
                mantissa, exponent = mantissa >> excess, exponent + excess
            if unit > 0 or excess > 0:
                grain = 3
            while n < end:
                n += 1
                cells, other = _next_cells(cells, other, tilt), cells
                # A product with a weight is cut as well.
                cut += (cut * weight + (1 << shift) - 1 >> shift) + grain
                reward = cost * n - slope * (top + 1)
                above = mantissa * (n * tilt.red) // (top + 1)
                stop = _shifted(reward * above, exponent - tilt.red_shift - unit)
                draw = cells.item(top + 1 - base)
                if reward > 0 and stop + cut >= draw:
                    doubtful = doubtful or stop < draw + cut
                    if stop < draw:
                        cut = 2 * cut + grain
                    top, mantissa, exponent = top + 1, above, exponent - tilt.red_shift
                    cells[top - base] = stop
                else:
                    mantissa = mantissa * (n * tilt.black) // (n - top)
                    exponent -= tilt.black_shift
                    worth = (reward + slope) * mantissa
                    cells[top - base] = _shifted(worth, exponent - unit)
                yield CutLevel(n, top, cells, base, unit, cut, doubtful)

    def _rescaled(
        self, cells: NDArray[np.object_], unit: int, cut: int
    ) -> tuple[NDArray[np.object_], int, int]:
        """Return cells, unit and cut in a unit in which the cells fit their bits."""
        excess = int(cells.max()).bit_length() - self.cell_bits
        if excess > 0:
            return cells >> excess, unit + excess, (cut >> excess) + 2
        return cells, unit, cut

    def bounds(self, level: CutLevel, deck: Deck, count: Scaled) -> Bounds | None:
        """Return bounds of W of a deck with `count` orders; None if in doubt."""
        if level.top >= deck.red:
            stopping = Fraction(self.stakes.reward(deck.cards, deck.red))
            return None if level.doubtful else (stopping, stopping)
        weight = self.tilt.weight(deck.red, deck.black, self.precision)
        cell = level.cells.item(deck.red - level.base)
        each = Scaled(1, level.unit).over(count.by(weight), self.precision)
        return self._widened(cell * each.fraction(), level.cut * each.fraction())

    def bounds_beyond(self, level: CutLevel, deck: Deck) -> Bounds:
        """Return bounds of W of a deck beyond the last level."""
        first, last = level.top, level.base + len(level.cells) - 1
        weights = path_weights(
            self.tilt, deck.red, deck.black, level.n, first, last, self.precision
        )
        unit = min(weight.exponent for weight in weights)
        whole = [weight.mantissa << weight.exponent - unit for weight in weights]
        cells = level.cells[first - level.base :].tolist()
        scale = Scaled(1, unit + level.unit).fraction()
        total = sum(a * b for a, b in zip(whole, cells, strict=True))
        return self._widened(total * scale, level.cut * sum(whole) * scale)

    def _widened(self, number: Fraction, cut: Fraction) -> Bounds:
        """Return bounds of W that allow for cuts, coefficients and the band."""
        rounding = Fraction(1, 1 << self.bits)
        omitted = self.stakes.cost * self.black * 2 * rounding
        return number * (1 - rounding), (number + cut) * (1 + rounding) + omitted


def decimals(rules: Rules, decks: Sequence[Deck], digits: int) -> dict[Deck, Decimal]:
    """Return the values of one deck, or of balanced ones of increasing sizes."""
    rounding = decimal.Context(prec=digits, rounding=decimal.ROUND_HALF_EVEN)
    results, still = {}, []
    for deck, value in methods.closed_forms(rules, decks).items():
        if value is None:
            still.append(deck)
        else:
            results[deck] = _rounded(value, rounding)
    bits = math.ceil(digits * math.log2(10)) + _SPARE
    bits += 2 * still[-1].cards.bit_length() if still else 0
    while still:
        largest = still[-1]
        if bits >= largest.cards:
            for deck in still:
                problem = Problem(rules, deck.red, deck.black, exact=True)
                [exactly] = methods.by_diagonal(problem, [deck]).values()
                results[deck] = _rounded(exactly, rounding)
            break
        spans = _sweep(rules, still, bits)
        for deck, (lower, upper) in spans.items():
            ends = {_rounded(max(end, Fraction(0)), rounding) for end in (lower, upper)}
            if len(ends) == 1:
                [results[deck]] = ends
        still = [deck for deck in still if deck not in results]
        bits *= 2
    return results


def _sweep(rules: Rules, decks: list[Deck], bits: int) -> dict[Deck, Bounds]:
    """Return bounds of the values of those decks that one sweep can decide."""
    largest, stakes = decks[-1], Stakes.of(rules)
    sweep = CutSweep(stakes, largest.red, largest.black, bits)
    words = Problem(rules, largest.red, largest.black, exact=True).deck
    what = f"the levels of a sweep of {words} with digits"
    instead = "use enclosure(..., digits=), or a smaller deck"
    at_most(what, sweep.level_without_stops, _MOST_LEVELS, instead)
    bounds: dict[Deck, Bounds | None] = {}
    left = decks[::-1]
    counts = scaling.centres((deck.red for deck in decks), sweep.precision)
    if len(decks) == 1:
        counts = iter([scaling.binomial(largest.cards, largest.red, sweep.precision)])
    for level in with_progress(sweep.levels(), sweep.level_without_stops, "levels"):
        if left and level.n == left[-1].cards:
            deck = left.pop()
            bounds[deck] = sweep.bounds(level, deck, next(counts))
    for deck in left:  # beyond the last level, where all stop or none has stopped
        if level.top >= largest.red:
            bounds[deck] = sweep.bounds(level, deck, Scaled(1, 0))
        else:
            bounds[deck] = sweep.bounds_beyond(level, deck)
    spans = {}
    for deck, ends in bounds.items():
        if ends is not None:
            stopping = stakes.reward(deck.cards, deck.red)
            lower, upper = ((end - stopping) * stakes.unit for end in ends)
            spans[deck] = lower, upper
    return spans


def _next_cells(
    cells: NDArray[np.object_], other: NDArray[np.object_], tilt: Tilt
) -> NDArray[np.object_]:
    """Return the cells of the next level, in the place of the others."""
    drew_red, drew_black, result = cells[:-1], cells[1:], other[1:]
    if tilt.red_shift:
        np.multiply(drew_red, tilt.red, out=result)
        np.right_shift(result, tilt.red_shift, out=result)
        np.add(result, drew_black, out=result)
    elif tilt.black_shift:
        np.multiply(drew_black, tilt.black, out=result)
        np.right_shift(result, tilt.black_shift, out=result)
        np.add(result, drew_red, out=result)
    else:
        np.add(drew_red, drew_black, out=result)
    return other


def _shifted(number: int, shift: int) -> int:
    """Return a number times a power of two, cut to an integer."""
    return number << shift if shift >= 0 else number >> -shift


def _rounded(number: Fraction, rounding: decimal.Context) -> Decimal:
    numerator, denominator = number.as_integer_ratio()
    return rounding.divide(Decimal(numerator), Decimal(denominator))
