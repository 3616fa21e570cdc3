r"""The classic game in large decks: about where to stop, and bounds of the value.

*The stopping boundary*, to a ten-thousandth of a card: with a large number n of cards
left the player stops at excess s if approximately

.. math:: s \ge \alpha \sqrt n - \tfrac12 - 0.113569\, n^{-\lambda}
   - 2 \zeta(-\tfrac12) \sqrt{\alpha / \pi}\; n^{-1/4}
   - \tfrac{\alpha^3}{12}\, n^{-1/2} + \ldots

alpha is Shepp's constant [1]_, and 1/2 is the usual correction for steps of +-1 [2]_.
The other terms were found by this project, and are derived in the appendix on
large decks, except those from n**-(3/4) on, which are fitted: lambda is the slowest
decay of a disturbance of the boundary, and the coefficient of n**-(1/4) is the one that
Elton proved for the Chow-Robbins game [3]_.

It is a starting point for searches, not a proof.

*Bounds of the value* of l red and l black cards for any l, by a theorem: with
:math:`\kappa = 1 - \alpha^2` the appendix on large decks proves

.. math::

   \kappa \frac{4^l}{\binom{2l}l} - b\, l^{-\lambda} < V(l)
   < \kappa \frac{4^l}{\binom{2l}l} - a\, l^{-\lambda},

with the constants a and b of `CONSTANTS`, and

.. math::

   \pi (l + \tfrac14) < \Bigl(\frac{4^l}{\binom{2l}l}\Bigr)^2
   < \pi \Bigl(l + \tfrac14 + \frac1{32\, l}\Bigr),

because the quotient by the left side decreases to 1, and that by the right side
increases to 1. Both are evaluated in interval arithmetic.

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
from fractions import Fraction
from typing import Any, TypeVar

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
    excess: Real = ALPHA * root - 0.5 + _correction(root)
    return excess


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


CONSTANTS = (
    (1, "0.089", "0.1394"),
    (500, "0.0926", "0.1253"),
    (2000, "0.0966", "0.1155"),
    (8000, "0.0987", "0.1106"),
    (32_000, "0.0999", "0.1079"),
    (128_000, "0.1007", "0.1063"),
)
"""The l from which on the two constants may be used, a and b."""

DIGITS = "0.83992367569237268960377697742", "0.231166686734485919149"
"""The first digits of alpha and lambda: the next number of so many is larger."""

NARROWER_FROM = 5 * 10**9
"""The l from which on these bounds are narrower than the staircase's in float64."""

MOST = 10**600
"""The largest l: values of larger decks would soon be too large for float64."""

_BITS = 192
"""More than enough for float64 bounds, whatever l is."""


def proved_bounds(size: int) -> tuple[Fraction, Fraction]:
    """Return bounds of the value of `size` red and as many black cards, if any."""
    from mpmath.ctx_iv import MPIntervalContext

    context: Any = MPIntervalContext()
    context.prec = _BITS
    kappa = 1 - _beginning(context, DIGITS[0]) ** 2
    quarter = context.mpf(1) / 4
    square = size + quarter + context.mpf([0, 1]) / (32 * context.mpf(size))
    *_, (_, least, most) = (row for row in CONSTANTS if row[0] <= size)
    constant = context.mpf([least, most])
    decay = context.exp(-_beginning(context, DIGITS[1]) * context.log(size))
    value = kappa * context.sqrt(context.pi * square) - constant * decay
    return _fraction(value.a), _fraction(value.b)


def _beginning(context: Any, digits: str) -> Any:
    """Return the interval of the numbers that begin with these digits."""
    last = Fraction(1, 10 ** len(digits.partition(".")[2]))
    end = Fraction(digits) + last
    return context.mpf([digits, context.mpf(end.numerator) / end.denominator])


def _fraction(number: Any) -> Fraction:
    """Return a number of interval arithmetic without rounding."""
    from mpmath.libmp import to_rational

    return Fraction(*to_rational(number._mpi_[0]))
