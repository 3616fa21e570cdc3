"""What keeps a sweep within float64: the band of its cells, and their scale.

A `Band` has the cells that a sweep needs, a `Tilt` keeps them of one magnitude. They
are scaled by numbers of 192 bits with any exponent, `Scaled`, whose rounding is
negligible in float64: binomial coefficients and powers beyond its range, without the
drift of a running product or the loss of ``exp(lgamma)``. More bits are used where
results are to have more digits than float64.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.running import float_or_inf

MANTISSA_BITS = 192
UNIT_ROUNDOFF = Fraction(1, 2**53)


class Scaled(NamedTuple):
    """The number ``mantissa * 2**exponent``, with an integer mantissa of any size."""

    mantissa: int
    exponent: int

    def normalised(self, bits: int = MANTISSA_BITS) -> Scaled:
        """Return the number with a mantissa of `bits` bits; what is more is cut."""
        excess = self.mantissa.bit_length() - bits
        if excess < 0:
            return Scaled(self.mantissa << -excess, self.exponent + excess)
        return Scaled(self.mantissa >> excess, self.exponent + excess)

    def times(
        self, numerator: int, denominator: int, bits: int | None = MANTISSA_BITS
    ) -> Scaled:
        """Return the number times a ratio that divides it, or cut to some bits."""
        if bits is None:
            return Scaled(self.mantissa * numerator // denominator, self.exponent)
        # Widened by more bits than the division removes.
        shift = denominator.bit_length()
        product = (self.mantissa * numerator << shift) // denominator
        return Scaled(product, self.exponent - shift).normalised(bits)

    def by(self, other: Scaled, exponent: int = 0) -> Scaled:
        """Return the product with another number and, if given, a power of two."""
        exponent += self.exponent + other.exponent
        return Scaled(self.mantissa * other.mantissa, exponent)

    def over(self, other: Scaled, bits: int = MANTISSA_BITS) -> Scaled:
        """Return the ratio to another number, cut to a mantissa of `bits` bits."""
        shift = bits + other.mantissa.bit_length()
        quotient = (self.mantissa << shift) // other.mantissa
        exponent = self.exponent - other.exponent - shift
        return Scaled(quotient, exponent).normalised(bits)

    def in_units(self, unit: int) -> float:
        """Return the nearest float64 to the number over ``2**unit``."""
        return math.ldexp(self.mantissa, self.exponent - unit)

    def fraction(self) -> Fraction:
        """Return the number as a Fraction."""
        if self.exponent < 0:
            return Fraction(self.mantissa, 1 << -self.exponent)
        return Fraction(self.mantissa << self.exponent)


def binomial(n: int, k: int, bits: int | None = MANTISSA_BITS) -> Scaled:
    """Return C(n, k), or less by a part ``2**(32 - bits) min(k, n - k)`` at most."""
    if bits is None:
        return Scaled(math.comb(n, k), 0)
    k = min(k, n - k)
    result = Scaled(1, 0).normalised(bits)
    for start in range(0, k, 16):
        factors = range(start + 1, min(start + 16, k) + 1)
        product = math.prod(n - k + i for i in factors)
        result = result.times(product, math.prod(factors), bits)
    return result


def centres(sizes: Iterable[int], bits: int | None = MANTISSA_BITS) -> Iterator[Scaled]:
    """Yield C(2 l, l) of increasing sizes l, as exact as `binomial`."""
    half, result = 0, Scaled(1, 0)
    for size in sizes:
        while half < size:  # C(2 l, l) = C(2 l - 2, l - 1) 2 (2 l - 1) / l
            half += 1
            result = result.times(2 * (2 * half - 1), half, bits)
        yield result


def power(base: Scaled, k: int, bits: int = MANTISSA_BITS) -> Scaled:
    """Return ``base**k``, or less by a part ``2**(32 - bits) k`` at most."""
    result, square = Scaled(1, 0), base
    while k:
        if k & 1:
            result = result.by(square).normalised(bits)
        square = square.by(square).normalised(bits)
        k >>= 1
    return result


def relative_error(operations: int) -> Fraction:
    """Return a bound of ``(1 + u)**operations - 1`` in float64: Higham's lemma 3.1."""
    first_order = operations * UNIT_ROUNDOFF
    return first_order / (1 - first_order)


BLOCK = 64
"""Levels between two renewals of band and scale; any number works, this is fast."""

TAIL_BITS = 64
"""The tail of a level outside the band has probability at most 2**-64 / N."""

_TILT_BITS = 16
"""Bits of a tilt: its error of 2**-16 a card is negligible over the width of a band.

A smaller error would have the same effect.
"""

_LOG_RANGE = 200.0
"""The largest ratio of cells of a band without a tilt, as a logarithm."""


@dataclass(frozen=True, slots=True)
class Band:
    """The cells that a path from the full deck of `red` and `black` cards visits.

    At each level and on each side, a path is outside with probability at most
    2**-tail_bits / N.
    """

    red: int
    black: int
    tail_bits: int = TAIL_BITS

    def reach(self, n: int) -> float:
        """Return x(n): how far from its mean the band lets r be with n cards left."""
        total = self.red + self.black
        tail = math.log(2) * self.tail_bits + math.log(total)
        # Cards drawn and cards left have the same law of deviations: use the smaller.
        fewer = min(n, total - n)
        serfling = math.sqrt(tail * (total - n) * (n + 1) / (2 * total))
        variance = fewer * (self.red / total) * (self.black / total)
        bernstein = tail / 3 + math.sqrt(tail * tail / 9 + 2 * tail * variance)
        return min(serfling, bernstein)

    def widest(self, n: int, end: int) -> float:
        """Return the largest reach at the levels n to `end`."""
        # The reach rises up to the middle of the deck and then falls.
        middle = min(max((self.red + self.black) // 2, n), end)
        return max(self.reach(n), self.reach(end), self.reach(middle))

    def over(self, n: int, end: int) -> tuple[int, int]:
        """Return the lowest and the highest r of the band, at the levels n to `end`."""
        total, widest = self.red + self.black, self.widest(n, end)
        lowest = math.floor(self.red * n / total - widest) - 1
        return lowest, math.ceil(self.red * end / total + widest) + 1

    def lowest_excess(self, n: int, end: int) -> int:
        """Return the lowest ``black - red`` of the band, at the levels n to `end`."""
        drift = (self.black - self.red) / (self.red + self.black)
        return math.floor(min(drift * n, drift * end) - 2 * self.widest(n, end)) - 2


@dataclass(frozen=True, slots=True)
class Tilt:
    """Weights t of the colours, ``red / 2**red_shift`` and the same for black.

    At most one differs from 1, and it is below 1, so cells never grow faster than
    Pascal's. The cells of the band, C(n, r) times the weights, then have similar sizes.
    """

    red: int = 1
    red_shift: int = 0
    black: int = 1
    black_shift: int = 0

    @classmethod
    def of(cls, red: int, black: int) -> Tilt:
        """Return the weights for a deck: 1 if its colours are nearly even."""
        reach = Band(red, black).reach((red + black) // 2)
        width = min(red, black, 2 * reach + 2 * BLOCK)
        if abs(math.log(black / red)) * width < _LOG_RANGE:
            return cls()
        fewer, more = sorted((red, black))
        shift = _TILT_BITS + (more // fewer).bit_length()
        weight = (fewer << shift) // more
        return cls(weight, shift) if red < black else cls(1, 0, weight, shift)

    @property
    def roundings(self) -> int:
        """Roundings of a cell at each level: of its sum, and of a weight if tilted."""
        return 1 if self.red == self.black else 2

    @property
    def weights(self) -> tuple[float, float]:
        """The factors by which cells are multiplied: the integer 1 without a tilt."""
        red = math.ldexp(self.red, -self.red_shift) if self.red_shift else 1
        black = math.ldexp(self.black, -self.black_shift) if self.black_shift else 1
        return red, black

    def weight(self, red: int, black: int, bits: int = MANTISSA_BITS) -> Scaled:
        """Return the weight of these cards."""
        if self.roundings == 1:
            return Scaled(1, 0)
        reds = power(Scaled(self.red, -self.red_shift), red, bits)
        return reds.by(power(Scaled(self.black, -self.black_shift), black, bits))


def about_width(red: int, black: int) -> float:
    """Return about how many cells the band of a deck has, at half of it: the most."""
    return (
        min(float_or_inf(min(red, black)), 5.3 * math.sqrt(float_or_inf(red + black)))
        + 1
    )


def part(cells: NDArray[Any], start: int, first: int, last: int) -> NDArray[Any]:
    """Return the cells first, ..., last of the last axis; 0 where there are none."""
    result = np.zeros((*cells.shape[:-1], last + 1 - first), cells.dtype)
    low, high = max(first, start), min(last + 1, start + cells.shape[-1])
    if low < high:
        result[..., low - first : high - first] = cells[..., low - start : high - start]
    return result
