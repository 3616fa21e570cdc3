"""Bounds of the errors of a block of stairs, term by term.

The page "How the staircase works" derives them, under "Samples", "A rise", "P from some
of its values" and "Ends of a block".
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.redblack._kernels.staircase.arithmetic import Arithmetic, Reals
from cardgames_dp.redblack._kernels.staircase.block import Passage
from cardgames_dp.redblack._kernels.staircase.bounds import (
    FIRST,
    PMF_ROUNDINGS,
    dropped,
    norm,
    norm_of_pmf,
    tails,
    transform_roundings,
)
from cardgames_dp.redblack._kernels.staircase.ledger import (
    SLACK,
    most_likely,
    spread,
    spread_at_barrier,
)

_SAMPLED, FREE = 12, 40
"""Roundings of amplitudes made of samples or the reverse, and of a free walk."""

_DECAYED, _KEPT, _SUMMED = 8, 4, 2
"""Roundings of slopes that decay, of slopes that a rise keeps, and of the sums there.
"""

_ENTRY, _INTERPOLATED = 120, 65
"""Roundings of a coupling's entry, and of P at nodes."""


class BlockErrors(NamedTuple):
    """Bounds of the errors that a block of stairs makes, in the norm of the cells.

    Attributes
    ----------
    begin : float
        The error of the amplitudes, which are made of the samples at the beginning.
    rises : ndarray, shape (stairs,)
        The errors of the walk to each threshold, and past it.
    cuts : float
        The errors from the ends of windows, from samples, and from dropped waves, in
        the whole block.
    end : float
        The error of the samples at the end, those of the free walk included, with all
        cuts.
    """

    begin: float
    rises: NDArray[np.float64]
    cuts: float
    end: float

    @classmethod
    def of(
        cls, passage: Passage, window: Reals, whole: Reals | None, numbers: Arithmetic
    ) -> BlockErrors:
        """Return the bounds for a passage, and for a window's free walk, if any."""
        block, unit = passage.block, numbers.unit_roundoff
        barrier, scale = block.excess + block.stairs + 1, math.sqrt(block.stride)
        found = norm(window) * scale
        begin = (transform_roundings(len(window)) + _SAMPLED) * unit * found
        cuts = _cut(found, block.begin, barrier, numbers)
        ended = transform_roundings(passage.rise.cells // block.to) + _SAMPLED
        end = ended * unit * float(passage.norms(passage.before)[-1]) + cuts
        if whole is not None:
            size, found = len(whole), norm(whole) * scale
            roundings = transform_roundings(size) + FREE
            roundings += 2 * transform_roundings(size * block.stride // block.to)
            rows = PMF_ROUNDINGS * block.stairs * norm_of_pmf(block.end)
            end += unit * (roundings * found + rows)
            end += _cut(found, block.begin, barrier, numbers)
        return cls(begin, _errors_of_rises(passage, numbers), cuts, end)

    def doubts(self, passage: Passage, unit: float) -> NDArray[np.float64]:
        """Return bounds of the errors of the advantages of drawing at the thresholds.

        They include the errors of the sums and the cuts, but not those of the cells
        before.
        """
        at_begin = passage.norms(passage.slopes)[:-1]
        roundings = 2 * np.array(passage.pairs[:-1]) + FIRST
        steps = passage.walks[:-1].astype(np.float64)
        found: NDArray[np.float64] = roundings * unit * at_begin
        return found * spread_at_barrier(steps) + self.cuts


def _cut(found: float, begin: int, barrier: int, numbers: Arithmetic) -> float:
    """Return what ends of windows, samples, and waves dropped in a block change."""
    part = tails(numbers) + 8 * dropped(numbers)
    return part * (found + barrier * norm_of_pmf(begin))


def _errors_of_rises(passage: Passage, numbers: Arithmetic) -> NDArray[np.float64]:
    rise, unit = passage.rise, numbers.unit_roundoff
    at_begin, at_end = passage.norms(passage.slopes), passage.norms(passage.before)
    pairs = passage.before.shape[2]
    kept = _KEPT + 12 * float(rise.losses[-1, pairs - 1])
    walked = _DECAYED * at_begin[:-1] + kept * at_end[:-1] + _SUMMED * at_begin[1:]
    roundings = _of_products(passage, pairs) + walked + _of_rows(passage)
    lost = at_end[:-1] + spread(passage.tops.astype(np.float64))
    return np.asarray((unit * roundings + dropped(numbers) * lost) * SLACK)


def _of_products(passage: Passage, pairs: int) -> Any:
    """Return the roundings of the products of the rises, in the norm.

    Each product has a number of roundings of the product with all signs the same.
    """
    sizes = np.abs(passage.before[:-1, ::-1]).astype(np.float64)
    entries = np.abs(passage.rise.coupling[:, :pairs, :pairs]).astype(np.float64)
    products = np.matmul(entries, sizes.transpose(1, 2, 0)).transpose(2, 0, 1)
    return (pairs + _ENTRY) * passage.norms(products)


def _of_rows(passage: Passage) -> Any:
    """Return the roundings of the rows of P that the rises subtract, in the norm.

    The rows are polynomials through their values at the nodes.
    """
    cells, nodes = passage.rise.cells, len(passage.rise.basis)
    growth = 2.5 * np.arange(nodes) ** 2 + 10 + nodes + transform_roundings(cells)
    growth[0] += 2 * nodes**2
    coefficients = np.abs(passage.coefficients).astype(np.float64)
    largest = most_likely(passage.tops.astype(np.float64))
    return math.sqrt(cells) * (coefficients @ growth + _INTERPOLATED * largest)
