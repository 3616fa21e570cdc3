"""Gambler's ruin, held against formulas and value iteration."""

from fractions import Fraction
from functools import cache

import pytest

from cardgames_dp import diagonal, exact, play

from .scripts import loaded

RUIN = loaded("ruin")


def bold(money: int, goal: int, winning: int) -> Fraction:
    """Return the chance of bold play, where it does not come back to a state."""
    p = Fraction(winning, 38)

    @cache
    def chance(left: int) -> Fraction:
        if left in (0, goal):
            return Fraction(left, goal)
        if 2 * left <= goal:
            return p * chance(2 * left)
        return p + (1 - p) * chance(2 * left - goal)

    return chance(money)


@pytest.mark.parametrize("winning", [1, 18])
@pytest.mark.parametrize(("money", "goal"), [(3, 8), (9, 16), (1, 2), (1, 32)])
def test_bold_play_is_best_against_the_odds(
    money: int, goal: int, winning: int
) -> None:
    solution = exact.solve(RUIN.Casino(money, goal, winning))
    assert solution.value == bold(money, goal, winning)
    floats = diagonal.solve(RUIN.Casino(money, goal, winning))
    assert abs(floats.value - float(solution.value)) <= floats.error + 1e-16


@pytest.mark.parametrize("winning", [19, 20])
def test_timid_play_is_best_with_the_odds(winning: int) -> None:
    solution = exact.solve(RUIN.Casino(5, 12, winning))
    assert solution.value == RUIN.ruin(5, 12, winning)


@pytest.mark.parametrize("winning", [18, 19, 20])
def test_the_formula(winning: int) -> None:
    game = RUIN.Casino(3, 7, winning)
    timid = play.evaluate(game, lambda _: 1, backend="exact").value
    assert timid == RUIN.ruin(3, 7, winning)
    values = [0.0] * 7 + [1.0]
    for _ in range(500):
        for money in range(1, 7):
            won, lost = values[money + 1], values[money - 1]
            values[money] = (winning * won + (38 - winning) * lost) / 38
    assert float(timid) == pytest.approx(values[3], abs=1e-12)
