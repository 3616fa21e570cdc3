"""Plain Python: a recursion with a cache, in Fractions."""

import sys
from fractions import Fraction
from functools import lru_cache

ABOUT = ("Python, lru_cache", "python", "exact")


def build(n: int) -> int:
    return n


def solve(n: int) -> Fraction:
    sys.setrecursionlimit(10**7)

    @lru_cache(None)
    def value(red: int, black: int) -> Fraction:
        if red == 0 or black == 0:
            return Fraction(red)
        cards = red + black
        win = Fraction(red, cards) * (value(red - 1, black) + 1)
        lose = Fraction(black, cards) * (value(red, black - 1) - 1)
        return max(Fraction(0), win + lose)

    return value(n, n)
