"""What the diagonal kernels of the games share: views, exact scales, limits, errors.

A game whose state is a pair of counts is swept along the antidiagonals ``i + j = n``:
every cell of one depends on the one before it alone, so one antidiagonal is one NumPy
operation.

Two choices make float64 trustworthy here. Values are carried in *Pascal form*, times a
binomial coefficient, so that a step is a plain sum of non-negative numbers, whose
relative error after m operations is at most ``(1 + u)**m - 1`` with u = 2**-53. And the
coefficients that scale them are carried as integer mantissas of 192 bits, next to which
float64's rounding is everything: neither drift of a running product nor a loss in
``exp(lgamma)``.
"""

from __future__ import annotations

import math
import os
from fractions import Fraction
from typing import Any, NamedTuple

from numpy.typing import NDArray

from cardgames_dp._effort import real

MANTISSA_BITS = 192
UNIT_ROUNDOFF = Fraction(1, 2**53)


class TooLargeError(ValueError, MemoryError):
    """A request would not fit in memory; the message says how large, and what to do.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.solve(26, 26, max_bytes=1000)
    Traceback (most recent call last):
        ...
    cardgames_dp.diagonal.TooLargeError: a table of 27 x 27 states needs about \
7.119 KiB of memory, more than max_bytes, 1000 bytes; use value(...), \
thresholds(...), payoff_law(...), which need no table
    """


class Scaled(NamedTuple):
    """The number ``mantissa * 2**exponent``, with an integer mantissa of any size."""

    mantissa: int
    exponent: int

    def normalised(self) -> Scaled:
        """Return the number with a mantissa of exactly `MANTISSA_BITS` bits.

        Excess bits are cut: the result is smaller by less than 2**(1 - MANTISSA_BITS).
        """
        excess = self.mantissa.bit_length() - MANTISSA_BITS
        if excess < 0:
            return Scaled(self.mantissa << -excess, self.exponent + excess)
        return Scaled(self.mantissa >> excess, self.exponent + excess)

    def times(self, numerator: int, denominator: int, *, exact: bool) -> Scaled:
        """Return the number times a ratio: cut to its width, or exact if it divides."""
        if exact:
            return Scaled(self.mantissa * numerator // denominator, self.exponent)
        # Widened by more bits than the division takes away again.
        shift = denominator.bit_length()
        product = (self.mantissa * numerator << shift) // denominator
        return Scaled(product, self.exponent - shift).normalised()

    def fraction(self) -> Fraction:
        """Return the number as a Fraction."""
        if self.exponent < 0:
            return Fraction(self.mantissa, 1 << -self.exponent)
        return Fraction(self.mantissa << self.exponent)


def binomial(n: int, k: int) -> Scaled:
    """Return C(n, k), or less by one part in ``2**160 / min(k, n - k)`` at most."""
    k = min(k, n - k)
    result = Scaled(1, 0).normalised()
    for done in range(0, k, 16):
        factors = range(done + 1, min(done + 16, k) + 1)
        product = math.prod(n - k + i for i in factors)
        result = result.times(product, math.prod(factors), exact=False)
    return result


def power(base: Scaled, k: int) -> Scaled:
    """Return ``base**k``, or less by one part in ``2**160 / k`` at most."""
    result, square = Scaled(1, 0), base
    while k:
        if k & 1:
            result = _product(result, square)
        square = _product(square, square)
        k >>= 1
    return result


def _product(x: Scaled, y: Scaled) -> Scaled:
    return Scaled(x.mantissa * y.mantissa, x.exponent + y.exponent).normalised()


def relative_error(operations: int) -> Fraction:
    """Return a bound of ``(1 + u)**operations - 1``, u the unit roundoff of float64.

    References
    ----------
    N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., lemma 3.1.
    """
    first_order = operations * UNIT_ROUNDOFF
    return first_order / (1 - first_order)


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


def refuse_too_large(
    what: str, needed: int, instead: str, max_bytes: int | None = None
) -> None:
    """Raise `TooLargeError` when `needed` bytes exceed the limit.

    Parameters
    ----------
    what : str
        What was asked for, with its size, for the message.
    needed : int
        Bytes that it takes.
    instead : str
        What to use instead.
    max_bytes : int, optional
        The limit, up to this machine's memory; if not given, half of that.
    """
    memory = physical_memory()
    if max_bytes is None:
        limit, whose = memory // 2, "half of this machine's memory"
    elif max_bytes <= memory:
        limit, whose = max_bytes, "max_bytes"
    else:
        limit, whose = memory, "this machine's memory"
    if needed > limit:
        raise TooLargeError(
            f"{what} needs about {_readable(needed)} of memory, more than {whose}, "
            f"{_readable(limit)}; {instead}"
        )


def physical_memory() -> int:
    """Return the bytes of memory of this machine, or 4 GiB where it does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not a POSIX system
        return 4 * 2**30


def _readable(size: int) -> str:
    value = real(size)
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if value < 1024:
            return f"{value:.4g} {unit}"
        value /= 1024
    return "1e300 PiB" if value == math.inf else f"{value:.4g} PiB"
