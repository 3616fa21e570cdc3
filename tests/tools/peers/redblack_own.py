"""This library, its own game, with certified bounds."""

from cardgames_dp import redblack

ABOUT = ("redblack.enclosure", "cardgames_dp", "certified")


def build(n: int) -> int:
    return n


def solve(n: int) -> float:
    return redblack.enclosure(n, n).midpoint
