"""This library, its own game, exactly."""

from fractions import Fraction

from cardgames_dp import redblack

ABOUT = ("redblack.value, exact", "cardgames_dp", "exact")


def build(n: int) -> int:
    return n


def solve(n: int) -> Fraction:
    return redblack.value(n, n, backend="exact")
