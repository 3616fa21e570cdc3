"""Pig beside the value iteration by which it was solved first, in NumPy."""

from __future__ import annotations

import numpy as np

from cardgames_dp import diagonal
from tests.classics.scripts import loaded

GAME = "Pig to 100"
SPECIAL = "value iteration in NumPy, by the sum of the scores"
GOAL = 100


def ours() -> float:
    """Solve the game for arrays."""
    value: float = diagonal.solve(loaded("pig").Pig(GOAL)).value[0]
    return value


def special() -> float:
    """Iterate the values of all states with one sum of scores at a time."""
    start = np.zeros((GOAL, GOAL))  # of the mover, by own score and the other's
    for total in range(2 * GOAL - 2, -1, -1):
        own = np.arange(max(0, total - GOAL + 1), min(total, GOAL - 1) + 1)
        other, most = total - own, GOAL - own.min()
        after = own + np.arange(most)[:, np.newaxis]
        later = start[other, np.minimum(after, GOAL - 1)]
        held = np.where(after >= GOAL, 1, 1 - later)
        held[0] = 0  # nobody may hold without points
        value = np.ones((most + 6, len(own)))
        apart = 1.0
        while apart > 1e-14:
            lost = 1 - start[other, own]
            for turn in range(most - 1, -1, -1):
                rolled = (lost + value[turn + 2 : turn + 7].sum(axis=0)) / 6
                np.maximum(rolled, held[turn], out=value[turn])
            apart = np.abs(value[0] - start[own, other]).max()
            start[own, other] = value[0]
    return float(start[0, 0])
