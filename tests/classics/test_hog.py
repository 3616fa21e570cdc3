"""Hog, held against value iteration of two scores at a time."""

from fractions import Fraction

import numpy as np
import pytest

from cardgames_dp import diagonal, exact, play

from .scripts import loaded

HOG = loaded("hog")


def hog(goal: int = 100, most: int = 10) -> float:
    """Return how often the first player wins; two positions depend on each other."""
    chances, row = [], np.ones(1)
    for _ in range(most):
        row = np.convolve(row, [0, 0, 1, 1, 1, 1, 1]) / 6
        chances.append(row)
    blank = np.array([1 - row.sum() for row in chances])  # where nobody scores
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


@pytest.mark.parametrize(("goal", "most"), [(9, 3), (13, 4), (1, 1)])
def test_value(goal: int, most: int) -> None:
    solution = diagonal.solve(HOG.Hog(goal, most))
    assert solution.value == pytest.approx(hog(goal, most), abs=1e-12)
    exactly = exact.solve(HOG.Hog(goal, most))
    assert abs(Fraction(solution.value) - exactly.value) <= solution.error


def test_six_dice_lose() -> None:
    best = diagonal.solve(HOG.Hog(30, 6))
    result = play.evaluate(best, [best, HOG.six_dice])
    assert best.value < result.value < 1


def test_more_dice_than_can_be_counted() -> None:
    with pytest.raises(ValueError, match="most must be from 1 to 24 dice, got 25"):
        HOG.Hog(100, 25)
