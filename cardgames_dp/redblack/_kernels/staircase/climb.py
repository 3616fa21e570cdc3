"""The climb: stairs passed one by one, and then in blocks, up to a full deck.

The docstring of the package, `cardgames_dp.redblack._kernels.staircase`, explains why
it is correct.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cardgames_dp import _boundary_law as guess
from cardgames_dp.redblack._kernels.band import Band
from cardgames_dp.redblack._kernels.staircase import arithmetic
from cardgames_dp.redblack._kernels.staircase.arithmetic import Arithmetic, Reals
from cardgames_dp.redblack._kernels.staircase.assembly import FIRST_STAIRS, Climbed
from cardgames_dp.redblack._kernels.staircase.audit import Audit
from cardgames_dp.redblack._kernels.staircase.block import OFF, Block, Passage
from cardgames_dp.redblack._kernels.staircase.pmf import pmf, pmf_at, pmf_below
from cardgames_dp.redblack._kernels.staircase.rise import Rise
from cardgames_dp.redblack._kernels.staircase.stair import Stair
from cardgames_dp.redblack._kernels.staircase.walk import (
    good_length,
    step,
    walk,
    walk_free,
)

_FIRST = 80
"""The excess from which on stairs are climbed in blocks: P is smooth on their scale."""

_FAR = 2**63
"""A level above all decks."""


@dataclass(slots=True)
class Staircase:
    """A climb from the empty deck up to a full one of `red` and `black` cards.

    Attributes
    ----------
    red, black : int
        The largest deck to be read off.
    levels : list of int
        The thresholds passed: 0, n_1, ..., n_k.
    level : int
        The current level, at or above the last threshold passed, n_k.
    stride : int
        The distance of the cells that are held; 1 if all are held.
    cells : ndarray
        ``cells[i]`` holds D(level, k + 1 - stride (2 i + 1)): the barrier is at k + 1.
    numbers : Arithmetic
        The arithmetic of the climb.
    audit : Audit, optional
        The account of errors.
    rise : Rise, optional
        The matrices of the last block.
    also : Band, optional
        A band for whose paths the windows have room as well.
    """

    red: int
    black: int
    numbers: Arithmetic = arithmetic.DOUBLE
    audit: Audit | None = None
    levels: list[int] = field(default_factory=lambda: [0])
    level: int = 0
    stride: int = 1
    cells: Reals = field(init=False)
    rise: Rise | None = None
    also: Band | None = None

    def __post_init__(self) -> None:
        # No card is left: W = 0 is one less than the barrier.
        self.cells = np.array([-1, 0], dtype=self.numbers.real)

    @property
    def excess(self) -> int:
        """The k of the last threshold passed."""
        return len(self.levels) - 1

    def leads_to(self, n: int) -> bool:
        """Return whether the climb can go on to a level."""
        if self.level == self.levels[-1] and self.stride == 1:
            return self.level <= n
        # From the middle of a stair at least one threshold must be passed.
        if self.stride == 1:
            return guess.level(self.excess + 1) + OFF < n
        return self._block(n) is not None

    def climb(self, n: int, *, only_whole: bool = False) -> bool:
        """Pass the next thresholds below level n, as many at once as possible.

        Returns False, with nothing done, if there are none: the barrier is the same
        from here to n. With `only_whole` also if level n is so near that a climb to
        higher levels would pass others at once.
        """
        if only_whole and not self._goes_on_beyond(n):
            return False
        if self.excess >= _FIRST:
            block = self._block(n)
            if block is not None:
                passage, cells, near = self._climb_block(block)
                if self.audit:
                    self.audit.climbed(Climbed(passage, cells, self.cells, near))
                return True
        self._resize(guess.level(self.excess + 1) + 2)
        whole = self.level == self.levels[-1]
        stair = Stair.of(self.cells, self.level, self.excess + 1, whole=whole)
        if stair.top >= n:
            if self.audit:
                self.audit.stayed(stair, n)
            return False
        self._pass(stair)
        # Deep in a deck the band's edge is where it does not matter.
        deep = 4 * self.level <= self.red + self.black
        if self.audit and deep and self.excess == FIRST_STAIRS:
            self.audit.began(self.cells, self.level, self.excess)
        return True

    def branch(self) -> Staircase:
        """Return a climb that goes on from here by itself."""
        result = copy.copy(self)
        result.levels = list(self.levels)
        result.audit = self.audit.branch() if self.audit else None
        return result

    def _goes_on_beyond(self, n: int) -> bool:
        """Return whether the next move is that of a climb to any level from n on."""
        if self.excess < _FIRST:
            return guess.level(self.excess + 1) + OFF < n
        return self._block(n) == self._block(_FAR)

    def _block(self, n: int) -> Block | None:
        """Return the next block on the way to a level, if any."""
        return Block.of(self.level, self.excess, n, self.stride, self.numbers)

    def _climb_block(self, block: Block) -> tuple[Passage, Reals, int]:
        """Climb a block: near the barrier by stairs, further down in one step.

        Returns the passage, the samples at the beginning, and how many of them are
        near.
        """
        lowest = self._lowest_excess(block.end)
        reached = self.excess + block.stairs
        whole = block.window((reached - lowest) // 2 + 3 + block.reach)
        near = min(block.window(2 * block.reach), whole)
        cells = self._window(whole // block.stride)
        window = cells[: near // block.stride]
        self.rise = block.rise(near, self.rise, self.numbers.real)
        passage = Passage.of(window, block, self.rise)
        end, to = block.end, block.to
        result = passage.sampled(to)
        if near < whole:
            steps = end - block.begin
            far = walk_free(cells, block.stride, steps, block.stairs, to)
            joint = near // (2 * to)
            lost = _pmf_below(end, reached, to, joint, len(far), result.dtype)
            far[:joint] = result[:joint]
            far[joint:] -= block.stairs * lost
            result = far
        self.cells = result[: (whole - block.reach) // to]
        self.levels.extend(passage.tops.tolist())
        self.level, self.stride = end, to
        return passage, cells, len(window)

    def total(self, n: int, excess: int) -> Any:
        """Return W(n, excess), once no threshold below n is left to pass."""
        barrier, begin = self.excess + 1, self.level
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

    def _lowest_excess(self, end: int) -> int:
        """Return the lowest excess of the band from here up to a level."""
        n, deck = self.level, self.red + self.black
        end = min(end, deck)
        lowest = Band(self.red, self.black).lowest_excess(n, end)
        if self.audit:
            for level in (n, end, min(max(deck // 2, n), end)):
                self.audit.trial.band(self.red, self.black, level, lowest)
        return min(lowest, self.also.lowest_excess(n, end)) if self.also else lowest

    def _resize(self, end: int) -> None:
        """Make the window the band from here up to a level."""
        size = (self.excess - self._lowest_excess(end)) // 2 + 3
        self.cells = self._window(good_length(size))

    def _window(self, size: int) -> Reals:
        """Return this many cells, at the stride that they have."""
        known = len(self.cells)
        if known >= size:
            return self.cells[:size]
        # Outside the band W counts as 0. There are no cells below s = -n.
        n, excess, dtype = self.level, self.excess, self.cells.dtype
        more = np.zeros(size - known, dtype=dtype)
        if self.stride > 1 or self.excess >= _FIRST:
            more = _pmf_below(n, excess, self.stride, known, size, dtype)
        elif (below := excess - 2 * known) >= -n:
            more = pmf_below(n, below, pmf(n, below, self.numbers.real), size - known)
        return np.concatenate([self.cells, more * -(excess + 1)])

    def _pass(self, stair: Stair) -> None:
        """Pass a threshold."""
        if self.audit:
            self.audit.passed(stair)
        self.levels.append(stair.top)
        self.level, self.cells = stair.top, stair.end()


def _pmf_below(
    n: int, excess: int, stride: int, first: int, last: int, dtype: Any
) -> Reals:
    """Return P(n, .) in samples below the barrier at ``excess + 1``, from one on."""
    places = np.arange(first, last, dtype=dtype)
    return pmf_at(dtype.type(n), excess + 1 - stride * (2 * places + 1))
