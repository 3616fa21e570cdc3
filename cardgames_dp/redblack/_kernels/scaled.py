"""Numbers of 192 bits with any exponent, whose rounding is negligible in float64.

More bits are used where results are to have more digits than float64.

These numbers scale what a kernel computes in float64: binomial coefficients and powers
beyond its range, without the drift of a running product or the loss of ``exp(lgamma)``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

MANTISSA_BITS = 192
UNIT_ROUNDOFF = Fraction(1, 2**53)


class Scaled(NamedTuple):
    """The number ``mantissa * 2**exponent``, with an integer mantissa of any size."""

    mantissa: int
    exponent: int

    def normalised(self, bits: int = MANTISSA_BITS) -> Scaled:
        """Return the number with a mantissa of exactly `bits` bits.

        Excess bits are cut: the result is smaller by a part of less than 2**(1 - bits).
        """
        excess = self.mantissa.bit_length() - bits
        if excess < 0:
            return Scaled(self.mantissa << -excess, self.exponent + excess)
        return Scaled(self.mantissa >> excess, self.exponent + excess)

    def times(
        self,
        numerator: int,
        denominator: int,
        *,
        exact: bool,
        bits: int = MANTISSA_BITS,
    ) -> Scaled:
        """Return the number times a ratio: cut to `bits`, or exact if it divides."""
        if exact:
            return Scaled(self.mantissa * numerator // denominator, self.exponent)
        # Widened by more bits than the division removes.
        shift = denominator.bit_length()
        product = (self.mantissa * numerator << shift) // denominator
        return Scaled(product, self.exponent - shift).normalised(bits)

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


def binomial(n: int, k: int, *, exact: bool, bits: int = MANTISSA_BITS) -> Scaled:
    """Return C(n, k), or less by a part ``2**(32 - bits) min(k, n - k)`` at most."""
    if exact:
        return Scaled(math.comb(n, k), 0)
    k = min(k, n - k)
    result = Scaled(1, 0).normalised(bits)
    for start in range(0, k, 16):
        factors = range(start + 1, min(start + 16, k) + 1)
        product = math.prod(n - k + i for i in factors)
        result = result.times(product, math.prod(factors), exact=False, bits=bits)
    return result


def centres(
    sizes: Iterable[int], *, exact: bool, bits: int = MANTISSA_BITS
) -> Iterator[Scaled]:
    """Yield C(2 l, l) of increasing sizes l, as exact as `binomial`."""
    half, result = 0, Scaled(1, 0)
    for size in sizes:
        while half < size:  # C(2 l, l) = C(2 l - 2, l - 1) 2 (2 l - 1) / l
            half += 1
            result = result.times(2 * (2 * half - 1), half, exact=exact, bits=bits)
        yield result


def power(base: Scaled, k: int, bits: int = MANTISSA_BITS) -> Scaled:
    """Return ``base**k``, or less by a part ``2**(32 - bits) k`` at most."""
    result, square = Scaled(1, 0), base
    while k:
        if k & 1:
            result = _product(result, square, bits)
        square = _product(square, square, bits)
        k >>= 1
    return result


def _product(x: Scaled, y: Scaled, bits: int) -> Scaled:
    return Scaled(x.mantissa * y.mantissa, x.exponent + y.exponent).normalised(bits)


def relative_error(operations: int) -> Fraction:
    """Return a bound of ``(1 + u)**operations - 1``, u the unit roundoff of float64.

    References
    ----------
    N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., lemma 3.1.
    """
    first_order = operations * UNIT_ROUNDOFF
    return first_order / (1 - first_order)
