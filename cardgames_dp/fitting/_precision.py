"""Numbers to any number of digits, all of them right, without a global precision."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from decimal import Decimal
from typing import Any

FLOAT_DIGITS = 17
"""Significant digits that determine a float64."""

GUARD = 10
"""Digits computed beyond those asked for, at first; half of them absorb rounding."""


def rounded(
    enclosed: Callable[[Any], tuple[Any, Any]], digits: int, guard: int = GUARD
) -> Decimal:
    """Return an enclosed number rounded to some digits.

    `enclosed` returns two bounds for a context of mpmath; the bounds get closer as the
    precision of the context grows. The context is a local one, because the global one,
    ``mpmath.mp``, belongs to the user.
    """
    from mpmath import MPContext

    rounding = decimal.Context(prec=digits, rounding=decimal.ROUND_HALF_EVEN)
    while True:
        context = MPContext()
        context.dps = digits + guard
        lower, upper = (
            rounding.create_decimal(context.nstr(end, context.dps))
            for end in enclosed(context)
        )
        if lower == upper:
            return lower
        guard *= 2
