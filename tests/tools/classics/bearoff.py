"""The fewest rolls to bear off fifteen checkers, summed over all 54,264 positions."""

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np

from cardgames_dp import diagonal
from tests.classics.scripts import loaded

GAME = "bearing off, 15 checkers"
SPECIAL = "NumPy, tables of numbered positions"


def ours() -> float:
    """Return the sum by the library."""
    script = loaded("bearoff")
    found = diagonal.solve(script.BearOff())
    starts = np.insert(script.positions(15), 6, 0, axis=1)
    return float(-found.values(starts).sum())


@cache
def tables() -> tuple[Any, Any]:
    """Return the pips of all positions, and where each move of each die leads."""
    every = np.array([*combinations_with_replacement(range(7), 15)])
    men = (every[:, :, np.newaxis] == np.arange(1, 7)).sum(axis=1)
    keys = men @ 16 ** np.arange(6)
    order = keys.argsort()
    leads = np.full((7, 6, len(men)), -1)
    highest = np.where(men > 0, np.arange(6), -1).max(axis=1)
    for die in range(1, 7):
        for point in range(6):
            legal = (men[:, point] > 0) & ((point + 1 >= die) | (point == highest))
            after = men[legal].copy()
            after[:, point] -= 1
            if point >= die:
                after[:, point - die] += 1
            where = np.searchsorted(keys, after @ 16 ** np.arange(6), sorter=order)
            leads[die, point, legal] = order[where]
    return men @ np.arange(1, 7), leads


def special() -> float:
    """Return the sum, by the pips that are left."""
    pips, leads = tables()
    rolls = np.zeros(len(pips) + 1)  # the last one stands for an illegal move
    rolls[-1] = np.inf
    left = np.zeros((5, 7, len(pips) + 1))  # after a die, played k times
    left[..., -1] = np.inf
    for level in range(1, int(pips.max()) + 1):
        at = np.flatnonzero(pips == level)
        to = leads[:, :, at]
        left[0, :, :] = rolls
        for k in range(1, 5):
            for die in range(1, 7):
                left[k, die, at] = left[k - 1, die][to[die]].min(axis=0)
        mean = left[4, 1:, at].sum(axis=1) / 36
        for a, b in combinations(range(1, 7), 2):
            first = left[1, b][to[a]].min(axis=0)
            other = left[1, a][to[b]].min(axis=0)
            mean += np.minimum(first, other) / 18
        rolls[at] = 1 + mean
    return float(rolls[:-1].sum())
