"""The climb: stairs passed one by one, in a recursion in time, up to a full deck.

The head of the package `cardgames_dp.redblack.staircase` tells why it is right.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.redblack.band import Band
from cardgames_dp.redblack.staircase import guess
from cardgames_dp.redblack.staircase.audit import Audit
from cardgames_dp.redblack.staircase.plan import OFF, Plan, half_width, plan
from cardgames_dp.redblack.staircase.pmf import pmf, pmf_below
from cardgames_dp.redblack.staircase.stair import Stair
from cardgames_dp.redblack.staircase.walk import good_length, step, walk

DEVIATIONS = 8.6
"""Walks are taken to end there: further ones have probability 1.7e-16."""

_FEWEST_STAIRS = 8
"""Blocks of fewer are climbed stair by stair."""


@dataclass(slots=True)
class Staircase:
    """A climb from the empty deck up to a full one of `red` and `black` cards.

    Attributes
    ----------
    red, black : int
        The largest deck to be read off.
    levels : list of int
        The thresholds passed: 0, n_1, ..., n_k.
    cells : ndarray
        ``cells[i]`` holds D(n_k, k - 2 i), for the barrier at k + 1.
    audit : Audit, optional
        Keeps the account of errors.
    deviations : float
        Standard deviations of a walk that count as all of it.
    """

    red: int
    black: int
    audit: Audit | None = None
    deviations: float = DEVIATIONS
    levels: list[int] = field(default_factory=lambda: [0])
    # Nothing is left and nothing can be won: W = 0 is one less than the barrier.
    cells: NDArray[np.float64] = field(default_factory=lambda: np.array([-1.0, 0.0]))

    @property
    def excess(self) -> int:
        """The k of the last threshold passed."""
        return len(self.levels) - 1

    def climb(self, n: int) -> bool:
        """Pass the next thresholds, as many at once as can be, all below level n.

        Returns False, with nothing done, if there is none: the barrier is the same from
        here to n.
        """
        stairs = self._stairs_at_once(n)
        begin, excess = self.levels[-1], self.excess
        end = guess.level(excess + stairs) + 2
        if stairs < _FEWEST_STAIRS:
            self._resize(end)
            stair = Stair.of(self.cells, begin, excess + 1)
            if stair.top >= n:
                if self.audit:
                    self.audit.stayed(stair)
                return False
            self.cells = self._pass(stair)
            return True
        near = half_width(end - begin, self.deviations) + stairs // 2
        levels = [begin, *(guess.level(excess + i + 1) for i in range(stairs))]
        block = plan(levels, near, self.deviations)
        self._resize(end, block.window)
        self.cells = self._move(self.cells, block, len(self.cells))
        passed = zip(self.levels[excess:], levels, strict=True)
        if any(abs(n - guess) > OFF for n, guess in passed):
            raise ArithmeticError(
                f"a threshold between excess {excess} and {self.excess} is not where "
                "it was expected; the windows may have been too narrow for it"
            )
        return True

    def total(self, n: int, excess: int) -> float:
        """Return W(n, excess), once no threshold below n is left to pass."""
        barrier = self.excess + 1
        if excess >= barrier:
            return float(excess)
        self._resize(n)
        steps = n - self.levels[-1]
        if self.audit:
            self.audit.moved(n, self.cells, 0)
        cells = walk(self.cells, steps - steps % 2)
        top = barrier - 1
        if steps % 2:
            cells, top = step(cells), barrier
        return barrier + cells.item((top - excess) // 2) / pmf(n, excess)

    def _stairs_at_once(self, n: int) -> int:
        """Return how many stairs pay, a power of two, all of them below level n."""
        begin, excess = self.levels[-1], self.excess
        stairs = 1
        while True:
            end = guess.level(excess + 2 * stairs) + 2
            # The near window is 2.5 half widths: more than half, and little is far.
            near = 2.5 * half_width(end - begin, self.deviations) + 2 * stairs
            if end >= n or 2 * near > len(self.cells):
                return stairs
            stairs *= 2

    def _resize(self, end: int, fewest: int = 2) -> None:
        """Make the window the band from here up to a level, or some cells if more."""
        n, excess = self.levels[-1], self.excess
        end = min(end, self.red + self.black)
        lowest = Band(self.red, self.black).lowest_excess(n, end)
        size = good_length(max((excess - lowest) // 2 + 3, fewest))
        missing = size - len(self.cells)
        if missing <= 0:
            self.cells = self.cells[:size]
            return
        # Outside the band nothing counts: W = 0. Below s = -n there is nothing.
        more = np.zeros(missing)
        below = excess - 2 * len(self.cells)
        if below >= -n:
            more = pmf_below(n, below, pmf(n, below), missing) * -(excess + 1.0)
        self.cells = np.concatenate([self.cells, more])

    def _advance(self, cells: NDArray[np.float64], block: Plan) -> NDArray[np.float64]:
        """Return the cells next to the barrier, all stairs of the plan later."""
        if block.halves is None:
            for length in block.lengths:
                stair = Stair.of(cells[:length], self.levels[-1], len(self.levels))
                cells = self._pass(stair)
            return cells[: block.out]
        first, second = block.halves
        cells = self._move(cells[: block.window], first, block.middle)
        if block.both:
            return self._move(cells, second, block.out)
        return self._advance(cells[: second.window], second)

    def _move(
        self, cells: NDArray[np.float64], near: Plan, out: int
    ) -> NDArray[np.float64]:
        """Return `out` cells later, those near the barrier by the plan."""
        begin = self.levels[-1]
        result = np.empty(out)
        joint = near.out
        result[:joint] = self._advance(cells[: near.window], near)
        n, excess = self.levels[-1], self.excess
        far = walk(cells, n - begin)
        if self.audit:
            self.audit.moved(n, cells, near.stairs)
        # The barrier has risen by so many units: the cells' places, by half of it.
        shift, below = near.stairs // 2, excess - 2 * joint
        lost = pmf_below(n, below, pmf(n, below), out - joint)
        lost *= near.stairs
        np.subtract(far[joint - shift : out - shift], lost, out=result[joint:])
        return result

    def _pass(self, stair: Stair) -> NDArray[np.float64]:
        """Pass a threshold, and return the cells there."""
        if self.audit:
            self.audit.passed(stair)
        self.levels.append(stair.top)
        return stair.end()
