"""The climb: stairs passed one by one, in a recursion in time, up to a full deck.

The head of the package, `cardgames_dp.redblack._kernels.staircase`, tells why it is
right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cardgames_dp import _boundary_law as guess
from cardgames_dp.redblack._kernels.band import Band
from cardgames_dp.redblack._kernels.staircase import arithmetic
from cardgames_dp.redblack._kernels.staircase.arithmetic import Arithmetic, Reals
from cardgames_dp.redblack._kernels.staircase.audit import Audit
from cardgames_dp.redblack._kernels.staircase.plan import (
    OFF,
    Plan,
    plan,
    reach_in_cells,
)
from cardgames_dp.redblack._kernels.staircase.pmf import pmf, pmf_below
from cardgames_dp.redblack._kernels.staircase.stair import Stair
from cardgames_dp.redblack._kernels.staircase.walk import good_length, step, walk

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
    numbers : Arithmetic
        What it is computed in.
    audit : Audit, optional
        Keeps the account of errors.
    """

    red: int
    black: int
    numbers: Arithmetic = arithmetic.DOUBLE
    audit: Audit | None = None
    levels: list[int] = field(default_factory=lambda: [0])
    cells: Reals = field(init=False)

    def __post_init__(self) -> None:
        # Nothing is left and nothing can be won: W = 0 is one less than the barrier.
        self.cells = np.array([-1, 0], dtype=self.numbers.real)

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
                    self.audit.stayed(stair, n)
                return False
            self.cells = self._pass(stair)
            return True
        near = reach_in_cells(end - begin, self.numbers.deviations) + stairs // 2
        levels = [begin, *(guess.level(excess + i + 1) for i in range(stairs))]
        block = plan(levels, near, self.numbers.deviations)
        self._resize(end, block.window)
        self.cells = self._move(self.cells, block, len(self.cells))
        passed = zip(self.levels[excess:], levels, strict=True)
        if any(abs(n - guess) > OFF for n, guess in passed):
            raise ArithmeticError(
                f"a threshold between excess {excess} and {self.excess} is not where "
                "it was expected; the windows may have been too narrow for it"
            )
        return True

    def total(self, n: int, excess: int) -> Any:
        """Return W(n, excess), once no threshold below n is left to pass."""
        barrier, begin = self.excess + 1, self.levels[-1]
        real = self.numbers.real
        if excess >= barrier:
            return real(excess)
        self._resize(n)
        steps = n - begin
        probability = pmf(n, excess, real)
        if self.audit:
            self.audit.read(self.cells, begin, n, barrier)
            self.audit.trial.pmf(n, excess, probability)
        cells, top = walk(self.cells, steps - steps % 2), barrier - 1
        if steps % 2:
            cells, top = step(cells), barrier
        return barrier + cells[(top - excess) // 2] / probability

    def _stairs_at_once(self, n: int) -> int:
        """Return how many stairs pay, a power of two, all of them below level n."""
        begin, excess = self.levels[-1], self.excess
        stairs = 1
        while True:
            end = guess.level(excess + 2 * stairs) + 2
            # A near window takes 2.5 times the reach of a walk. Where that is more than
            # half of all cells, moving the others apart saves next to nothing.
            reach = reach_in_cells(end - begin, self.numbers.deviations)
            near = 2.5 * reach + 2 * stairs
            if end >= n or 2 * near > len(self.cells):
                return stairs
            stairs *= 2

    def _resize(self, end: int, fewest: int = 2) -> None:
        """Make the window the band from here up to a level, or some cells if more."""
        n, excess = self.levels[-1], self.excess
        end = min(end, self.red + self.black)
        lowest = Band(self.red, self.black).lowest_excess(n, end)
        size = good_length(max((excess - lowest) // 2 + 3, fewest))
        if self.audit:
            for level in (n, end, min(max((self.red + self.black) // 2, n), end)):
                self.audit.trial.band(self.red, self.black, level, excess - 2 * size)
        missing = size - len(self.cells)
        if missing <= 0:
            self.cells = self.cells[:size]
            return
        # Outside the band nothing counts: W = 0. Below s = -n there is nothing.
        more = np.zeros(missing, dtype=self.cells.dtype)
        below = excess - 2 * len(self.cells)
        if below >= -n:
            more = self._pmf_below(n, below, missing) * -(excess + 1)
        self.cells = np.concatenate([self.cells, more])

    def _advance(self, cells: Reals, block: Plan) -> Reals:
        """Return the cells next to the barrier, all stairs of the plan later."""
        if block.halves is None:
            for length in block.lengths:
                stair = Stair.of(cells[:length], self.levels[-1], len(self.levels))
                cells = self._pass(stair)
            return cells[: block.kept]
        first, second = block.halves
        cells = self._move(cells[: block.window], first, block.between)
        if block.splits_again:
            return self._move(cells, second, block.kept)
        return self._advance(cells[: second.window], second)

    def _move(self, cells: Reals, near: Plan, kept: int) -> Reals:
        """Return `kept` cells later, those near the barrier by the plan."""
        begin = self.levels[-1]
        result = np.empty(kept, dtype=cells.dtype)
        joint = near.kept
        result[:joint] = self._advance(cells[: near.window], near)
        n, excess = self.levels[-1], self.excess
        far = walk(cells, n - begin)
        if self.audit:
            self.audit.moved(cells, begin, n, excess + 1, near.stairs)
        # The barrier has risen by so many units: the cells' places, by half of it.
        shift, below = near.stairs // 2, excess - 2 * joint
        lost = self._pmf_below(n, below, kept - joint)
        lost *= near.stairs
        np.subtract(far[joint - shift : kept - shift], lost, out=result[joint:])
        return result

    def _pmf_below(self, n: int, s: int, count: int) -> Reals:
        return pmf_below(n, s, pmf(n, s, self.numbers.real), count)

    def _pass(self, stair: Stair) -> Reals:
        """Pass a threshold, and return the cells there."""
        if self.audit:
            self.audit.passed(stair)
        self.levels.append(stair.top)
        return stair.end()
