"""The race of two coins beside its equations, solved by hand."""

from __future__ import annotations

from cardgames_dp import diagonal
from tests.classics.scripts import loaded
from tests.classics.test_coins import race

GAME = "the race of two coins"
SPECIAL = "two equations at a time, in Python"


def ours() -> float:
    """Solve the game for states."""
    value: float = diagonal.solve(loaded("coins").Race(100)).value[0]
    return value


def special() -> float:
    """Solve the equations of each pair of scores for each number of tosses."""
    return race(100, [*range(1, 9)])
