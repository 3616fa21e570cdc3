"""Storm, in rational numbers: the same model, built and solved exactly."""

from fractions import Fraction
from typing import Any

import stormpy

from . import redblack_storm

ABOUT = ("stormpy, exact", "stormpy", "exact")


def build(n: int) -> Any:
    return redblack_storm.build(n, stormpy.Rational)


def solve(model: Any) -> Fraction:
    n, *_ = model
    found = redblack_storm.check(model, stormpy.environments.exact()).value
    return Fraction(str(found)) - int(n)
