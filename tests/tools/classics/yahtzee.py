"""Yahtzee beside products with the matrix of all rolls, by SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tests.classics.scripts import loaded

GAME = "Yahtzee"
SPECIAL = "the rolls as a sparse matrix, in SciPy"


def ours() -> float:
    """Solve the game with the official rule of jokers."""
    value: float = loaded("yahtzee").Solitaire("forced").solve()
    return value


def matrices(script: Any) -> tuple[Any, NDArray[Any], NDArray[Any]]:
    """Return the chances of throws by kept dice, and what each throw can keep."""
    throws, kept = script.THROWS[5], script.KEPT
    place = {row.tobytes(): i for i, row in enumerate(throws)}
    chances = np.zeros((len(kept), len(throws)))
    for i, row in enumerate(kept):
        count = 5 - row.sum()
        for more, ways in zip(script.THROWS[count], script.WAYS[count], strict=True):
            chances[i, place[(row + more).tobytes()]] = ways / 6**count
    owner, keeps = np.nonzero((throws[:, np.newaxis] >= kept).all(axis=2))
    starts = np.searchsorted(owner, np.arange(len(throws)))
    return sparse.csr_array(chances), keeps, starts


def special() -> float:
    """Solve all positions with as many open boxes by three products of matrices."""
    script = loaded("yahtzee")
    script.AT_ONCE = 128  # more would not fit into a cache
    chances, keeps, cuts = matrices(script)
    solitaire: Any = script.Solitaire

    class Matrices(solitaire):  # type: ignore[misc]
        def __init__(self) -> None:
            self.rule, self.boxes = "forced", list(range(13))
            self.open, self.error = 2**13 - 1, 0.0
            self.values = np.zeros((2, 2**13, script.ENOUGH + 1))
            self.faces = script.THROWS[5]
            self.points = script.points(self.faces)
            self.totals = self.reachable()

        def solve_some(self, some: Any) -> float:
            value = np.concatenate([self.worth(*each) for each in some]).T
            for _ in range(2):
                value = np.maximum.reduceat((chances @ value)[keeps], cuts)
            cut = np.cumsum([len(totals) for _, _, totals in some])[:-1]
            starts = np.split((chances[[0]] @ value)[0], cut)
            for (holds, bits, totals), part in zip(some, starts, strict=True):
                self.values[holds, bits, totals] = part
            return 0.0

    return float(Matrices().solve())
