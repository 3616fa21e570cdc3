"""A gambler who chooses stakes, beside value iteration in NumPy."""

from __future__ import annotations

import numpy as np

from cardgames_dp import diagonal
from tests.classics.scripts import loaded

GAME = "stakes from 20 to 100"
SPECIAL = "value iteration over all stakes, in NumPy"
MONEY, GOAL, WINNING = 20, 100, 18


def ours() -> float:
    """Solve the game for states."""
    value: float = diagonal.solve(loaded("ruin").Casino(MONEY, GOAL, WINNING)).value[0]
    return value


def special() -> float:
    """Improve the values of all sums at once until none of them changes."""
    money, stake = np.meshgrid(np.arange(1, GOAL), np.arange(1, GOAL // 2 + 1))
    allowed = stake <= np.minimum(money, GOAL - money)
    won, lost = np.where(allowed, money + stake, 0), np.where(allowed, money - stake, 0)
    values, p = np.append(np.zeros(GOAL), 1.0), WINNING / 38
    while True:
        better = (p * values[won] + (1 - p) * values[lost]).max(axis=0)
        if np.abs(better - values[1:-1]).max() < 1e-15:
            return float(values[MONEY])
        values[1:-1] = better
