"""One stair of the boundary: a fixed barrier, and the level at which it rises."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from cardgames_dp import _boundary_law as guess
from cardgames_dp.redblack._kernels.staircase import arithmetic
from cardgames_dp.redblack._kernels.staircase.arithmetic import Reals
from cardgames_dp.redblack._kernels.staircase.pmf import pmf, pmf_below
from cardgames_dp.redblack._kernels.staircase.walk import Waves, step

DOUBT = 90
"""Roundings of what is at risk, times the excess: ten times the errors observed."""


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
    pmf : float or longdouble
        P(top, excess), in the arithmetic of the cells.
    before : ndarray
        Amplitudes of the waves at the level below the top.
    whole : bool
        Whether questions about its lowest levels can be answered. They cannot if it
        begins further up, or if its fastest waves were dropped.
    """

    waves: Waves
    begin: int
    excess: int
    top: int
    pmf: Any
    before: Reals
    whole: bool = True

    @classmethod
    def of(cls, cells: Reals, begin: int, excess: int, *, whole: bool = True) -> Stair:
        """Return the stair that begins with these cells, and find its top."""
        top = guess.level(excess)
        waves = Waves.of(cells, max((top - begin) // 8 * 6, 2))
        numbers = arithmetic.of(cells.dtype)
        doubt = DOUBT * numbers.unit_roundoff * excess
        # The guess stands unless it is clearly wrong.
        while True:
            if top - 1 - begin < waves.fewest_steps:
                waves = Waves.of(cells, 2)
            before = waves.after(top - 1 - begin)
            at_top = pmf(top, excess, numbers.real)
            stair = cls(waves, begin, excess, top, at_top, before, whole)
            if top > begin + 3 and stair.advantage(top) > doubt * stair.pmf:
                top -= 2
            elif stair.advantage(top + 2) < -doubt * stair.pmf:
                top += 2
            else:
                return stair

    def seen_early(self) -> Stair:
        """Return the stair with all waves, for questions at its lowest levels."""
        waves = Waves.of(self.waves.window, 2)
        return replace(self, waves=waves, before=waves.after(self.top - 1 - self.begin))

    def at_risk(self, n: int) -> Any:
        """Return P(n - 1, excess + 1), half of which is what a drawing player risks."""
        if n == self.top:
            return self.pmf * (n - self.excess) / n
        if n == self.top + 2:
            return self.pmf * (n - 1) / (n + self.excess)
        return pmf(n - 1, self.excess + 1, type(self.pmf))

    def advantage(self, n: int) -> Any:
        """Return by how much drawing with n cards leads stopping, times 2 P(n, .).

        A draw leads above the barrier, where the total is one higher, or below it,
        where D is the difference.
        """
        if n == self.top:
            waves = self.before
        elif n == self.top + 2:
            waves = self.waves.two_steps(self.before)
        else:
            waves = self.waves.after(n - 1 - self.begin)
        return self.waves.first(waves) + self.at_risk(n)

    def end(self) -> Reals:
        """Return the cells at the top, for the barrier one higher."""
        cells = step(self.waves.summed(self.before))
        cells -= pmf_below(self.top, self.excess, self.pmf, len(cells))
        return cells
