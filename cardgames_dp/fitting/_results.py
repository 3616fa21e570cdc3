"""The results for a time T of `_passage`: payoff, cards drawn, or cards left.

`m` is the module of functions: NumPy, or a context of mpmath.
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
    """Return the result for a time T."""
    if of == "duration":
        return -m.expm1(-t)
    return largest(of, m) * m.exp(-t / _pace(of))


def time(of: Of, m: Any, x: Any) -> Any:
    """Return the time T for a result."""
    if of == "duration":
        return -m.log1p(-x)
    # Two logarithms, because the quotient may be too small for a float.
    return (m.log(largest(of, m)) - m.log(x)) * _pace(of)


def slope(of: Of, x: Any) -> Any:
    """Return the size of the derivative of T by the result."""
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
    """Return the increase of T while the logarithm of the result falls by 1."""
    return 2 if of == "payoff" else 1
