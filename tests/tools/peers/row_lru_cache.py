"""Plain Python: a recursion with a cache."""

import sys
from functools import lru_cache

from .row_numpy import build

ABOUT = ("Python, lru_cache", "python", "exact")

__all__ = ["ABOUT", "build", "solve"]


def solve(cards: list[int]) -> int:
    sys.setrecursionlimit(10**7)

    @lru_cache(None)
    def ahead(left: int, right: int) -> int:
        if left > right:
            return 0
        take_left = cards[left] - ahead(left + 1, right)
        return max(take_left, cards[right] - ahead(left, right - 1))

    return ahead(0, len(cards) - 1)
