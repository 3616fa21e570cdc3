r"""The probability that n fair steps of +-1 sum to s: C(n, r) / 2**n, r = (n - s)/2.

For any n without ``exp(lgamma)``, whose argument of some n log n has lost the digits
that the result needs. With x = s/n,

.. math::
   P(n, s) = \sqrt{\frac{2}{\pi n (1 - x^2)}}
   \; e^{\delta(n) - \delta(r) - \delta(n - r)}
   \; e^{-s^2 / 2 n} \prod_{j \ge 2} e^{-n x^{2 j} / (2 j (2 j - 1))},

delta the remainder of Stirling's formula [1]_. Only s^2/2n can be large; its integer
part is split off by integer division, so that no rounding is magnified.

References
----------
.. [1] C. Loader, "Fast and accurate computation of binomial probabilities" (2000).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_FEWEST_STEPS = 1024
"""Of fewer steps the binomial coefficients are counted exactly."""

_LARGEST_EXPONENT = 745
"""Of exp(-x), which is 0 in float64 beyond."""


def pmf(n: int, s: int) -> float:
    """Return P(n, s), for n and s of equal parity.

    To a few units in the last place within ten standard deviations; further out the
    exponent's own rounding shows, some hundred units at 30.
    """
    red, black = (n - s) // 2, (n + s) // 2
    if red < 0 or black < 0:
        return 0.0
    whole, rest = divmod(s * s, max(2 * n, 1))
    if whole > _LARGEST_EXPONENT:
        return 0.0
    if n < _FEWEST_STEPS or min(red, black) < _FEWEST_STEPS // 4:
        # Python divides integers with a single rounding, at any size.
        return math.comb(n, red) / (1 << n)
    square = (s / n) ** 2
    exponent = rest / (2 * n) - (_stirling(n) - _stirling(red) - _stirling(black))
    j, power = 2, square * square
    while (term := n * power / (2 * j * (2 * j - 1))) > 1e-18:
        exponent += term
        j, power = j + 1, power * square
    spread = math.sqrt(n / red / black / (2 * math.pi))
    return spread * math.exp(-exponent) * math.exp(-whole)


def _stirling(n: int) -> float:
    """Return log n! less Stirling's formula; for n >= 128 the next term is 1e-18."""
    square = 1 / (n * n)
    return (1 / 12 - square * (1 / 360 - square / 1260)) / n


def pmf_below(n: int, s: int, first: float, count: int) -> NDArray[np.float64]:
    """Return P(n, s - 2 m), m = 0, ..., count - 1, given the `first` of them.

    By ratios of neighbours, which are ratios of integers: entry m has 2 m roundings
    more than the first.
    """
    # P(n, s - 2) / P(n, s) = (n + s) / (n - s + 2): twice the counts of the two steps.
    lower = np.arange(n - s, n - s + 2 * count, 2, dtype=np.float64)
    ratios = np.subtract(2.0 * n + 2, lower)
    ratios[0], lower[0] = first, 1
    ratios /= lower
    if n + s + 2 < 2 * count:
        np.maximum(ratios, 0.0, out=ratios)  # nothing below s = -n
    return np.multiply.accumulate(ratios, out=ratios)
