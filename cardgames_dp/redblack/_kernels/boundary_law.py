r"""The stopping boundary of the classic red/black game, to a ten-thousandth of a card.

For large n, the number of cards left, the player stops at excess s if approximately

.. math:: s \ge \alpha \sqrt n - \tfrac12 - 0.113569\, n^{-\lambda}
   - 2 \zeta(-\tfrac12) \sqrt{\alpha / \pi}\; n^{-1/4}
   - \tfrac{\alpha^3}{12}\, n^{-1/2} + \ldots

alpha is Shepp's constant [1]_, and 1/2 is the usual correction for steps of +-1 [2]_.
The other terms were found by this project, and are derived in the appendix on
large decks, except those from n**-(3/4) on, which are fitted: lambda is the slowest
decay of a disturbance of the boundary, and the coefficient of n**-(1/4) is the one that
Elton proved for the Chow-Robbins game [3]_.

It is a starting point for searches, not a proof.

References
----------
.. [1] L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
   Mathematical Statistics 40 (1969), 993-1010.
.. [2] H. Chernoff and A. J. Petkau, "An optimal stopping problem for sums of
   dichotomous random variables", Annals of Probability 4 (1976), 875-889.
.. [3] J. H. Elton, "Exact solution to the Chow-Robbins game for almost all n, by using
   a Catalan triangle", Advances in Applied Probability, 2025.
"""

from __future__ import annotations

import math
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Real = TypeVar("Real", float, NDArray[np.float64])

ALPHA = 0.8399236756923727
"""Shepp's constant, which solves a = (1 - a**2) exp(a**2 / 2) sqrt(2 pi) Phi(a)."""

LAMBDA = 0.23116668673448593
"""The smallest root of D_{2 lambda}(-alpha) = 0, D the parabolic cylinder function."""

_MINUS_ZETA = 0.20788622497735457
"""-zeta(-1/2)."""

DECAYING = -0.113568895
"""Coefficient of n**-LAMBDA: -1.107018654 times that of l**-LAMBDA in the value."""

QUARTERS = (
    2 * _MINUS_ZETA * math.sqrt(ALPHA / math.pi),
    -(ALPHA**3) / 12,
    0.028544,
    -0.011807,
    -0.210732,
)
"""Coefficients of n**-(1/4), n**-(2/4), ..."""


def boundary(n: Real) -> Real:
    """Return about the smallest excess at which to stop with n >= 1 cards left."""
    root = n**0.5
    found: Real = ALPHA * root - 0.5 + _correction(root)
    return found


def level(excess: int) -> int:
    """Return about the largest n at which stopping at this excess is optimal.

    It has the parity of `excess`, and is at least ``excess + 2``.
    """
    root = (excess + 0.5) / ALPHA
    for _ in range(2):  # a fixed-point iteration: the correction hardly varies
        root = (excess + 0.5 - _correction(root)) / ALPHA
    n = int(root * root)
    return max(n - ((n - excess) & 1), excess + 2)


def _correction(root: Real) -> Real:
    """Return the terms that vanish for large n, given its square root."""
    x = root**-0.5
    a, b, c, d, e = QUARTERS
    series: Real = x * (a + x * (b + x * (c + x * (d + x * e))))
    series += DECAYING * x ** (4 * LAMBDA)
    return series
