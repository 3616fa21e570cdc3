"""The race of two coins, held against its equations."""

from functools import partial

import pytest

from cardgames_dp import diagonal, exact, play

from .scripts import loaded

COINS = loaded("coins")


def race(goal: int, choices: list[int]) -> float:
    """Return how often the second player wins: each equation solved by hand."""
    before = [[0.0] * (goal + 1) for _ in range(goal + 1)]  # the first is to toss
    choose = [[0.0] * (goal + 1) for _ in range(goal + 1)]
    for first in range(1, goal + 1):
        before[first][0] = choose[first][0] = 1.0
        for second in range(1, goal + 1):
            result = []
            for tosses in choices:
                most = next(t for t in range(1, 20) if 2 ** (t - 1) >= second)
                p = 0.5 ** min(tosses, most)
                later = before[first][max(0, second - 2 ** (min(tosses, most) - 1))]
                one = (choose[first - 1][second] + p * later) / (1 + p)
                result.append((one, p * later + (1 - p) * one))
            before[first][second], choose[first][second] = max(result)
    return before[goal][goal]


@pytest.mark.parametrize("goal", [1, 2, 7, 15])
def test_race(goal: int) -> None:
    solution = diagonal.solve(COINS.Race(goal))
    assert solution.value == pytest.approx(race(goal, [*range(1, 9)]), abs=1e-12)
    for tosses in (1, 3):
        rule = play.evaluate(solution, partial(COINS.always, tosses))
        assert rule.value == pytest.approx(race(goal, [tosses]), abs=1e-12)


def test_race_in_fractions() -> None:
    exactly, floats = exact.solve(COINS.Race(6)), diagonal.solve(COINS.Race(6))
    assert abs(floats.value - float(exactly.value)) <= floats.error + 1e-16
