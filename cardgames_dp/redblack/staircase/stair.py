"""One stair of the boundary: a fixed barrier, and the level at which it rises."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.redblack.staircase import guess
from cardgames_dp.redblack.staircase.pmf import pmf, pmf_below
from cardgames_dp.redblack.staircase.walk import Waves, step

_DOUBT = 1e-14
"""Of what is at risk, times the excess: ten times what rounding is seen to do."""


@dataclass(frozen=True, slots=True)
class Stair:
    """The levels above a threshold, at which the player stops from one excess on.

    Attributes
    ----------
    waves : Waves
        Of the cells at the level `begin`, for the barrier at `excess`.
    begin, excess : int
    top : int
        The threshold n_k of this excess: the largest n at which stopping is right.
    pmf : float
        P(top, excess).
    before : ndarray
        Amplitudes of the waves at the level below the top.
    """

    waves: Waves
    begin: int
    excess: int
    top: int
    pmf: float
    before: NDArray[np.float64]

    @classmethod
    def of(cls, cells: NDArray[np.float64], begin: int, excess: int) -> Stair:
        """Return the stair that begins with these cells; its top is searched."""
        top = guess.level(excess)
        waves = Waves.of(cells, max((top - begin) // 8 * 6, 2))
        doubt = _DOUBT * excess
        # The guess stands unless it is clearly wrong.
        while True:
            before = waves.after(top - 1 - begin)
            stair = cls(waves, begin, excess, top, pmf(top, excess), before)
            if top > begin + 3 and stair.advantage(top) > doubt * stair.pmf:
                top -= 2
            elif stair.advantage(top + 2) < -doubt * stair.pmf:
                top += 2
            else:
                return stair

    def at_risk(self, n: int) -> float:
        """Return P(n - 1, excess + 1), half of which is what a drawing player risks."""
        if n == self.top:
            return self.pmf * ((n - self.excess) / n)
        if n == self.top + 2:
            return self.pmf * ((n - 1) / (n + self.excess))
        return pmf(n - 1, self.excess + 1)

    def advantage(self, n: int) -> float:
        """Return what drawing with n cards is worth beyond stopping, times 2 P(n, .).

        It leads above the barrier, which is worth one more, or below it, where D tells
        what is missing.
        """
        if n == self.top:
            waves = self.before
        elif n == self.top + 2:
            waves = self.waves.two_steps(self.before)
        else:
            waves = self.waves.after(n - 1 - self.begin)
        return self.waves.first(waves) + self.at_risk(n)

    def end(self) -> NDArray[np.float64]:
        """Return the cells at the top, for the barrier one higher."""
        cells = step(self.waves.summed(self.before))
        cells -= pmf_below(self.top, self.excess, self.pmf, len(cells))
        return cells
