"""The constants of growth, to random numbers of digits, and the laws of the limit."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from cardgames_dp import fitting

from .checks import Check, Error, held, some

Rng = np.random.Generator


def constant(rng: Rng, digits_of: Callable[[int], Decimal]) -> Error:
    """Hold a number of so many digits against one of twenty more."""
    digits = int(rng.integers(1, 60))
    found, better = digits_of(digits), digits_of(digits + 20)
    ulp = Fraction(10) ** (better.adjusted() + 1 - digits)
    return held([found], [better], better, ulp / 2 * (1 + Fraction(1, 10**15)))


def exponent(rng: Rng) -> Error:
    k = int(rng.integers(1, 6))
    return constant(rng, lambda digits: fitting.decay_exponent(k, digits))


@cache
def law(of: Any, digits: int | None) -> fitting.LimitDistribution:
    """Return a law, made once."""
    return fitting.limit_distribution(of, digits=digits)


def limit(rng: Rng, method: str) -> Error:
    """Hold a probability or a density in float64 against one of 20 digits."""
    of = some(rng, ("payoff", "duration", "left"))
    x = float(rng.uniform(0.02, 3 if of == "payoff" else 0.98))
    found = getattr(law(of, None), method)(x)
    better = Fraction(getattr(law(of, 20), method)(x))
    if method == "pdf":
        # Where it is small it is found from sums that are not.
        allowed = (1 + abs(better)) / 10**11
        return held([found], [better], 1, allowed)
    return held([found], [better], 1, Fraction(3, 10**14))


CHECKS = [
    Check(
        "fitting.shepp_alpha",
        "half a unit of the last digit",
        "the number",
        lambda rng: constant(rng, fitting.shepp_alpha),
        0.05,
    ),
    Check(
        "fitting.limit_constant",
        "half a unit of the last digit",
        "the number",
        lambda rng: constant(rng, fitting.limit_constant),
        0.05,
    ),
    Check(
        "fitting.decay_exponent",
        "half a unit of the last digit",
        "the number",
        exponent,
        0.02,
    ),
    Check(
        "fitting.limit_distribution, cdf",
        "3e-14",
        "1",
        lambda rng: limit(rng, "cdf"),
        0.05,
    ),
    Check(
        "fitting.limit_distribution, pdf",
        "1e-11, and 1e-11 of the density",
        "1",
        lambda rng: limit(rng, "pdf"),
        0.05,
    ),
]
