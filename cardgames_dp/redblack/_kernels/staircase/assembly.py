"""Tests of what a climb stores: its cells, found a second time in another way.

`trial` tests parts: transforms, decays, probabilities, matrices. The tests here are of
what is made of them: the first stairs draw by draw, the first block stair by stair, and
some samples of every later block by sums over the samples that it began with. Each test
raises `ArithmeticError` if a difference is larger than the account of errors allows.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.redblack._kernels.staircase import arithmetic
from cardgames_dp.redblack._kernels.staircase.arithmetic import Arithmetic, Reals
from cardgames_dp.redblack._kernels.staircase.block import Passage
from cardgames_dp.redblack._kernels.staircase.bounds import (
    PMF_ROUNDINGS,
    dropped,
    error_of_walk,
    norm,
    norm_of_pmf,
    tails,
)
from cardgames_dp.redblack._kernels.staircase.pmf import pmf, pmf_at
from cardgames_dp.redblack._kernels.staircase.stair import Stair
from cardgames_dp.redblack._kernels.staircase.walk import Waves, walk, walk_free

FIRST_STAIRS = 12
"""The excess at which the first stairs are compared: some 200 draws."""

_FEWEST_STEPS = 1024
"""Steps of a walk whose law `pmf_at` knows."""


class Climbed(NamedTuple):
    """A block of stairs as the climb leaves it.

    Attributes
    ----------
    passage : Passage
    begun, ended : ndarray
        The whole window, sampled at the beginning and at the end; some samples fewer in
        the end.
    near : int
        The number of samples of the near window in the beginning.
    """

    passage: Passage
    begun: Reals
    ended: Reals
    near: int

    @property
    def window(self) -> Reals:
        """The near window, which climbed stair by stair."""
        return self.begun[: self.near]

    @property
    def whole(self) -> Reals | None:
        """The whole window, if it is more than the near one and walked freely."""
        return self.begun if self.near < len(self.begun) else None

    @property
    def joint(self) -> int:
        """The number of samples in the end that come from the near window."""
        block = self.passage.block
        return self.near * block.stride // (2 * block.to)


def parity(tops: NDArray[np.int64], excesses: NDArray[np.int64]) -> None:
    """Test that thresholds are levels at which a path can have their excess."""
    if ((tops - excesses) % 2).any():
        first = int(np.flatnonzero((tops - excesses) % 2)[0])
        raise _refusal(
            f"no path has excess {excesses[first]} with {tops[first]} cards left, "
            "where the climb has a threshold"
        )


def geometry(climbed: Climbed, numbers: Arithmetic) -> None:
    """Test that samples resolve the waves that are left, and that windows are wide."""
    block, tops = climbed.passage.block, climbed.passage.tops
    before, after = int(tops[0]) - 1 - block.begin, block.end - int(tops[-1])
    for stride, steps in ((block.stride, before), (block.to, after)):
        if stride > 1:
            left = steps * math.log(math.cos(math.pi / (2 * stride)))
            if left > -numbers.survival:
                raise _refusal(
                    f"every cell in {stride} does not determine the waves that are "
                    f"left after {steps} draws"
                )
    # In cells, of which a path passes one in two draws, as the barrier does.
    reach = numbers.deviations * math.sqrt(block.end - block.begin) / 2
    reach += block.stairs / 2
    near, joint = climbed.near * block.stride, climbed.joint * block.to
    spared = len(climbed.begun) * block.stride - len(climbed.ended) * block.to
    rooms = [spared]
    if climbed.whole is not None:
        rooms += [joint, near - joint]
    if min(rooms) < reach:
        raise _refusal(
            f"windows have room for {min(rooms)} cells, and a walk of "
            f"{block.end - block.begin} draws reaches {math.ceil(reach)}"
        )


def first_stairs(cells: Reals, n: int, excess: int, allowed: float) -> None:
    """Test the cells at a threshold against the game, draw by draw.

    Every cell is at least as good as stopping: nothing is assumed of the boundary.
    """
    sums = np.arange(-n - 1, n + 2).astype(cells.dtype)
    law, worth = (sums == 0).astype(cells.dtype), np.zeros_like(sums)
    for _ in range(n):
        law[1:-1], worth[1:-1] = (law[:-2] + law[2:]) / 2, (worth[:-2] + worth[2:]) / 2
        np.maximum(worth, sums * law, out=worth)
    count = min(len(cells), (n + excess) // 2 + 1)
    places = n + 1 + excess - 2 * np.arange(count)
    worth, law = worth[places], law[places] * (excess + 1)
    # One rounding of each sum, and few at the end.
    rounding = (n + 5) * arithmetic.of(cells.dtype).unit_roundoff
    allowed += rounding * (norm(worth) + norm(law))
    _compare(cells[:count], worth - law, allowed, f"the first {excess} stairs")


def stair_by_stair(climbed: Climbed, allowed: float, numbers: Arithmetic) -> None:
    """Test a block that begins with all cells against single stairs of the same tops.

    The block's own cells may err by a norm that is allowed.
    """
    block, cells = climbed.passage.block, climbed.begun
    begin, excess, allowed = block.begin, block.excess, allowed / math.sqrt(block.to)
    for top in climbed.passage.tops.tolist():
        excess += 1
        steps = top - 1 - begin
        waves, chance = Waves.of(cells, steps), pmf(top, excess, numbers.real)
        left = waves.after(steps)
        stair = Stair(waves, begin, excess, top, chance, left, whole=False)
        allowed += error_of_walk(cells, begin, top, excess + 1, 1, numbers)
        begin, cells = top, stair.end()
    allowed += error_of_walk(cells, begin, block.end, excess + 1, 0, numbers)
    cells = walk(cells, block.end - begin)[block.to // 2 :: block.to]
    name = f"the stairs from {block.excess + 1} to {excess}"
    ended = climbed.ended
    _compare(ended, cells[: len(ended)], allowed, name)


def samples(
    climbed: Climbed, near_allowed: float, far_allowed: float, numbers: Arithmetic
) -> None:
    """Test three samples against sums over the samples in the beginning.

    All are so far from the barrier that it has no effect on them. The first is the last
    one that climbed stair by stair.
    """
    block = climbed.passage.block
    steps, joint, unit = block.end - block.begin, climbed.joint, numbers.unit_roundoff
    if climbed.whole is None or steps < _FEWEST_STEPS:
        return
    cells, dtype, last = climbed.begun, climbed.begun.dtype, len(climbed.ended) - 1
    reach = math.ceil(numbers.deviations * math.sqrt(steps) / (2 * block.stride)) + 1
    around = 2 * block.stride * np.arange(-reach, reach + 1)
    laws: dict[int, Reals] = {}
    for place in sorted({joint - 1, (joint + last) // 2, last}):
        depth = block.to * (2 * place + 1) - block.stairs
        middle = depth // (2 * block.stride)
        offset = depth - block.stride * (2 * middle + 1)
        if offset not in laws:
            laws[offset] = pmf_at(dtype.type(steps), (offset - around).astype(dtype))
        first = max(middle - reach, 0)
        amounts = cells[first : middle + reach + 1]
        law = laws[offset][first - middle + reach :][: len(amounts)]
        terms = amounts * law * block.stride
        excess = block.excess + 1 - depth
        lost = block.stairs * pmf(block.end, excess, numbers.real)
        error = abs(float(terms.sum() - lost - climbed.ended[place]))
        # Of each term, and of the sum: P at up to nine deviations, and few additions.
        sizes = float(np.abs(terms).sum()) + float(lost)
        allowed = near_allowed if place < joint else far_allowed
        allowed += (3 * numbers.deviations**2 + PMF_ROUNDINGS) * unit * sizes
        if not error <= allowed:
            raise _refusal(
                f"a sample at excess {excess} with {block.end} cards left errs by "
                f"{error:.1e}, where {allowed:.1e} was allowed"
            )


def row_of_pmf(climbed: Climbed, allowed: float, numbers: Arithmetic) -> None:
    """Test that the free walk of a block makes a row of P of one, below the joint.

    The walk may err by a part of the row's norm that is allowed.
    """
    block, dtype = climbed.passage.block, climbed.begun.dtype
    depths = block.stride * (2 * np.arange(len(climbed.begun), dtype=dtype) + 1)
    row = pmf_at(dtype.type(block.begin), block.excess + 1 - depths)
    steps = block.end - block.begin
    moved = walk_free(row, block.stride, steps, block.stairs, block.to)
    places = np.arange(climbed.joint, len(climbed.ended), dtype=dtype)
    heights = block.excess + block.stairs + 1 - block.to * (2 * places + 1)
    right = pmf_at(dtype.type(block.end), heights)
    allowed += 2 * PMF_ROUNDINGS * numbers.unit_roundoff
    allowed += tails(numbers) + 8 * dropped(numbers)
    allowed *= norm_of_pmf(block.begin)
    found = moved[climbed.joint : len(climbed.ended)]
    _compare(found, right, allowed, f"the probabilities of {block.end} steps")


def _compare(found: Reals, right: Reals, allowed: float, name: str) -> None:
    error = norm(found - right)
    if not error <= allowed:
        raise _refusal(
            f"{name}, climbed in two ways, differ by {error:.1e}, where {allowed:.1e} "
            "was allowed"
        )


def _refusal(reason: str) -> ArithmeticError:
    return ArithmeticError(f"{reason}; no error can be certified")
