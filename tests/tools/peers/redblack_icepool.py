"""icepool: the next card as a die, whose faces are what the rest is worth."""

import sys
from fractions import Fraction
from functools import lru_cache

from icepool import Die

ABOUT = ("icepool", "icepool", "exact")


def build(n: int) -> int:
    return n


def solve(n: int) -> Fraction:
    sys.setrecursionlimit(10**7)

    @lru_cache(None)
    def value(red: int, black: int) -> Fraction:
        if red == 0 or black == 0:
            return Fraction(red)
        win, lose = value(red - 1, black) + 1, value(red, black - 1) - 1
        card: Die[Fraction] = Die([win, lose], times=[red, black])
        return max(Fraction(0), Fraction(card.mean()))

    return value(n, n)
