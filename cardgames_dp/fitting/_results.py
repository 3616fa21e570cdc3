"""What the time T of `_passage` means: the payoff, cards drawn, or cards left.

With ``m`` the module of functions, NumPy or a context of mpmath.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np

from cardgames_dp._boundary_law import ALPHA
from cardgames_dp.fitting import _passage_digits

Of: TypeAlias = Literal["payoff", "duration", "left"]


def grows(of: Of) -> bool:
    """Return whether the result grows with T."""
    return of == "duration"


def largest(of: Of, m: Any) -> Any:
    """Return the largest result."""
    if of != "payoff":
        return 1.0
    return m.sqrt(2) * (ALPHA if m is np else _passage_digits.alpha(m))


def result(of: Of, m: Any, t: Any) -> Any:
    """Return the result, given T."""
    if of == "duration":
        return -m.expm1(-t)
    return largest(of, m) * m.exp(-t / _pace(of))


def time(of: Of, m: Any, x: Any) -> Any:
    """Return T, given the result."""
    if of == "duration":
        return -m.log1p(-x)
    # Not of the quotient, which may be too small for a float.
    return (m.log(largest(of, m)) - m.log(x)) * _pace(of)


def slope(of: Of, x: Any) -> Any:
    """Return by how much T changes with the result."""
    return 1 / (1 - x) if of == "duration" else _pace(of) / x


def moment(of: Of, context: Any, order: int) -> Any:
    """Return the expectation of a power of the result."""
    if of == "duration":
        return context.fsum(
            (-1) ** k * context.binomial(order, k) * _passage_digits.moment(context, k)
            for k in range(order + 1)
        )
    power = context.mpf(order) / _pace(of)
    return largest(of, context) ** order * _passage_digits.moment(context, power)


def _pace(of: Of) -> int:
    """Return by how much T grows while the logarithm of the result shrinks by 1."""
    return 2 if of == "payoff" else 1
