r"""Probabilities of the fair random walk, accurate to the last digits for any length.

P(n, s) is the probability that n steps of +-1 sum to s, ``C(n, (n + s) / 2) / 2**n``.
With ``lgamma`` its logarithm would have a relative error of 1e-16, an absolute error of
about 1e-8 for n = 10**10, which is not enough. Stirling's series for the three
factorials and the series of the entropy about the middle give, with d = s / n,

.. math::

   P(n, s) = \sqrt{\frac{n}{2 \pi r b}} \exp\Bigl(-n \sum_{j \ge 1}
   \frac{d^{2j}}{2j (2j - 1)} + \sigma(n) - \sigma(r) - \sigma(b)\Bigr),

where r and b are ``(n -+ s) / 2`` and sigma is the rest of Stirling's series. All terms
are small except the first of the sum, ``s**2 / 2n``, which is split into an integer and
a remainder in exact arithmetic.

References
----------
C. Loader, "Fast and accurate computation of binomial probabilities", 2000: the saddle
point expansion, here about the centre.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cardgames_dp.redblack._kernels.staircase.arithmetic import PI, Reals

_FEWEST_STEPS = 1024
"""Steps of a walk: for fewer, the binomial coefficients are computed exactly."""

_LARGEST_EXPONENT = 745
"""The largest x for which exp(-x) is not 0 in float64."""

_SMALLEST_TERM = 1e-22
"""The smallest terms of the exponent: a hundredth of a rounding of the longest floats.
"""

_MANTISSA = 64
"""Bits of an unsigned integer; the floats of a climb need no more."""


def pmf(n: int, s: int, real: type[Any] = float) -> Any:
    """Return P(n, s), for n and s of equal parity, as a number of type `real`.

    The error is a few units in the last place within ten standard deviations. Further
    out the rounding of the exponent grows, to about a hundred units at 30 standard
    deviations.
    """
    red, black = (n - s) // 2, (n + s) // 2
    if red < 0 or black < 0:
        return real(0)
    whole, rest = divmod(s * s, max(2 * n, 1))
    if whole > _LARGEST_EXPONENT:
        return real(0)
    if n < _FEWEST_STEPS or min(red, black) < _FEWEST_STEPS // 4:
        return _counted(n, red, real)
    functions: Any = math if real is float else np
    square = (real(s) / n) ** 2
    exponent = real(rest) / (2 * n)
    exponent -= _stirling(real(n)) - _stirling(real(red)) - _stirling(real(black))
    j, power = 2, square * square
    while (term := n * power / (2 * j * (2 * j - 1))) > _SMALLEST_TERM:
        exponent += term
        j, power = j + 1, power * square
    spread = functions.sqrt(real(n) / red / black / (2 * real(PI)))
    return spread * functions.exp(-exponent) * functions.exp(-real(whole))


def _counted(n: int, red: int, real: type[Any]) -> Any:
    """Return C(n, red) / 2**n."""
    count = math.comb(n, red)
    if real is float:
        # Python divides integers with a single rounding, at any size.
        return count / (1 << n)
    excess = max(count.bit_length() - _MANTISSA, 0)
    return np.ldexp(real(np.uint64(count >> excess)), excess - n)


def _stirling(n: Any) -> Any:
    """Return log n! less Stirling's formula; for n >= 256 the next term is 1e-20."""
    square = 1 / (n * n)
    return ((1 - square * (1 - square * 2 / 7) / 30) / 12) / n


def pmf_below(n: int, s: int, first: Any, count: int) -> Reals:
    """Return P(n, s - 2 m), m = 0, ..., count - 1, given the `first` of them.

    It uses the arithmetic of `first` and ratios of neighbours, which are ratios of
    integers: entry m has 2 m roundings more than the first.
    """
    # P(n, s - 2) / P(n, s) = (n + s) / (n - s + 2): twice the counts of the two steps.
    lower = np.arange(n - s, n - s + 2 * count, 2, dtype=np.asarray(first).dtype)
    ratios = np.subtract(2.0 * n + 2, lower)
    ratios[0], lower[0] = first, 1
    ratios /= lower  # one of them is 0, at s = -n: nothing is below
    return np.multiply.accumulate(ratios, out=ratios)


def pmf_at(n: Any, s: Reals) -> Reals:
    """Return P(n, s) for arrays that broadcast: floats, s not necessarily whole.

    n must be at least 1024, and ``|s|`` below n / 2. Between whole numbers, P is
    defined by the Gamma function. The error is at most 3 x + 12 units of the last
    place, where x is ``s**2 / 2n``.
    """
    square = s / n
    square *= square
    power, j = square * square, 2
    # Small terms first, so that at most three roundings are as large as x.
    exponent = power * n
    exponent /= 12
    while True:
        j += 1
        power = power * square
        term = power * n
        term /= 2 * j * (2 * j - 1)
        if not term.max() > _SMALLEST_TERM:
            break
        exponent += term
    red, black = (n - s) / 2, (n + s) / 2
    exponent -= _stirling(n)
    exponent += _stirling(red)
    exponent += _stirling(black)
    exponent += s * s / (2 * n)
    red *= black
    red *= 2 * s.dtype.type(PI)
    spread: Reals = np.sqrt(n / red)
    np.negative(exponent, out=exponent)
    spread *= np.exp(exponent, out=exponent)
    return spread
