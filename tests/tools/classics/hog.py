"""Hog to 100."""

from __future__ import annotations

import numpy as np

from cardgames_dp import diagonal
from tests.classics.scripts import loaded

GAME = "Hog to 100"
SPECIAL = "value iteration of two scores at a time, in NumPy"


def ours() -> float:
    """Return how often the first player wins."""
    value: float = diagonal.solve(loaded("hog").Hog(100)).value[0]
    return value


def special(goal: int = 100, most: int = 10) -> float:
    """Return the same; two positions depend on each other, where nobody scores."""
    chances, row = [], np.ones(1)
    for _ in range(most):
        row = np.convolve(row, [0, 0, 1, 1, 1, 1, 1]) / 6
        chances.append(row)
    blank = np.array([1 - row.sum() for row in chances])
    wins = np.zeros((goal, goal))  # of who moves: own score, the other's

    def scored(own: int, other: int) -> np.ndarray:
        after = 1 - wins[other, own:]
        after = np.concatenate([after, np.ones(6 * most)])
        return np.array([row @ after[: len(row)] for row in chances])

    for total in reversed(range(2 * goal - 1)):
        for own in range(max(0, total - goal + 1), total // 2 + 1):
            other = total - own
            ahead, behind = scored(own, other), scored(other, own)
            first, before = 0.5, 1.0
            while abs(first - before) > 1e-16:
                second = (behind + blank * (1 - first)).max()
                before, first = first, (ahead + blank * (1 - second)).max()
            wins[own, other], wins[other, own] = first, second
    return float(wins[0, 0])
