r"""Bounds of the value of l red and l black cards for any l, by a theorem.

With :math:`\kappa = 1 - \alpha^2`, Shepp's constant alpha and the first exponent of
decay lambda, the appendix on large decks proves

.. math::

   \kappa \frac{4^l}{\binom{2l}l} - b\, l^{-\lambda} < V(l)
   < \kappa \frac{4^l}{\binom{2l}l} - a\, l^{-\lambda},

with the constants a and b of `CONSTANTS`, and

.. math::

   \pi (l + \tfrac14) < \Bigl(\frac{4^l}{\binom{2l}l}\Bigr)^2
   < \pi \Bigl(l + \tfrac14 + \frac1{32\, l}\Bigr),

because the quotient by the left side decreases to 1, and that by the right side
increases to 1. Both are evaluated in interval arithmetic.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

CONSTANTS = (
    (1, "0.089", "0.1394"),
    (500, "0.0926", "0.1253"),
    (2000, "0.0966", "0.1155"),
    (8000, "0.0987", "0.1106"),
    (32_000, "0.0999", "0.1079"),
    (128_000, "0.1007", "0.1063"),
)
"""The l from which on the two constants may be used, a and b."""

ALPHA = "0.83992367569237268960377697742"
LAMBDA = "0.231166686734485919149"
"""The first digits of both constants: the next number of so many digits is larger."""

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
    kappa = 1 - _beginning(context, ALPHA) ** 2
    quarter = context.mpf(1) / 4
    square = size + quarter + context.mpf([0, 1]) / (32 * context.mpf(size))
    *_, (_, least, most) = (row for row in CONSTANTS if row[0] <= size)
    constant = context.mpf([least, most])
    decay = context.exp(-_beginning(context, LAMBDA) * context.log(size))
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
