"""The secretary problem beside its recursion."""

from __future__ import annotations

from fractions import Fraction

from cardgames_dp import exact
from tests.classics.scripts import loaded

GAME = "secretary problem, expected rank, exactly"
SPECIAL = "the recursion over candidates, in fractions"
COUNT = 100


def ours() -> float:
    """Solve the game in fractions."""
    return float(exact.solve(loaded("secretary").Candidates(COUNT, "rank")).value[0])


def special() -> float:
    """Go back over the number of those who have come."""
    rank = Fraction(COUNT + 1, 2)
    for k in range(COUNT - 1, 0, -1):
        some = int(rank * (k + 1) / (COUNT + 1))  # ranks that are better than to go on
        total = Fraction(COUNT + 1, k + 1) * (some * (some + 1) // 2)
        rank = (total + (k - some) * rank) / k
    return -float(rank)
