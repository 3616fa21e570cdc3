"""Bounds of errors in a climb: how they decay, of single walks, of blocks of stairs.

A `Ledger` has amounts that arise at levels of a climb, and their remainders further up.
Errors of transforms and of walks are bounded in the norm of the cells, those of a block
term by term. The page "How the staircase works" derives the bounds; those of blocks
under "Samples", "A rise", "P from some of its values" and "Ends of a block".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.redblack._kernels.staircase.stairs import Passage
from cardgames_dp.redblack._kernels.staircase.walks import Arithmetic, Reals

Decay = Callable[[NDArray[np.float64]], NDArray[np.float64]]

SLACK = 1 + 1e-9
"""Factor for the rounding of the account itself: thousands of positive terms."""

_CHUNK = 64
"""The number of old entries of a ledger that are merged into one."""


def spread(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the part of an error of norm 1 that reaches a cell after some steps."""
    return np.maximum(math.pi * steps, 1) ** -0.25


def spread_at_barrier(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the part of an error of norm 1 that reaches the cell at the barrier."""
    return spread(steps) / np.sqrt(steps + 1)


def most_likely(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a bound of the largest probability of a walk to be in one place."""
    return np.minimum(1, np.sqrt(2 / math.pi / np.maximum(steps, 0.5)))


@dataclass(slots=True)
class Ledger:
    """Amounts, the levels where they arise, and their remainders further up.

    Attributes
    ----------
    entries : ndarray, shape (2, capacity)
        Levels and amounts; old ones are merged at the uppermost level among them, where
        they would have decayed least.
    count, merged : int
        Entries, and how many of them are merged ones.
    """

    entries: NDArray[np.float64] = field(default_factory=lambda: np.zeros((2, _CHUNK)))
    count: int = 0
    merged: int = 0

    def add(self, level: int, amount: float) -> None:
        """Enter an amount at a level."""
        entries = self.entries
        if self.count - self.merged == 2 * _CHUNK:
            old = slice(self.merged, self.merged + _CHUNK)
            entries[0, old.start] = entries[0, old].max()
            entries[1, old.start] = entries[1, old].sum()
            self.merged += 1
            kept = entries[:, old.stop : self.count].copy()
            self.count -= _CHUNK - 1
            entries[:, self.merged : self.count] = kept
        if self.count == entries.shape[1]:
            self.entries = entries = with_room(entries)
        entries[:, self.count] = level, amount
        self.count += 1

    def copy(self) -> Ledger:
        """Return a ledger with the same entries."""
        return Ledger(self.entries.copy(), self.count, self.merged)

    @property
    def known(self) -> NDArray[np.float64]:
        """All entries, without the free room."""
        return self.entries[:, : self.count]

    def left(self, n: int, decay: Decay) -> float:
        """Return a bound of the sum of all entries at a level."""
        levels, amounts = self.known
        return float(amounts @ decay(n - levels)) * SLACK


def left_at(
    entries: NDArray[np.float64], n: NDArray[np.int64], decay: Decay, above: float = 0.0
) -> NDArray[np.float64]:
    """Return a bound of the sum of entries at many levels.

    Of an entry at a higher level the part `above` counts.
    """
    levels, amounts = entries
    steps = n[:, None] - levels
    parts = np.where(steps < 0, above, decay(np.maximum(steps, 0)))
    left: NDArray[np.float64] = parts @ amounts
    return left * SLACK


def at(decay: Decay, steps: int) -> float:
    """Return a decay after one number of steps."""
    return float(decay(np.array(float(steps))))


def with_room(entries: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the entries with room for more."""
    return np.pad(entries, ((0, 0), (0, entries.shape[1] + _CHUNK)))


PMF_ROUNDINGS = 20
"""Roundings of a probability, within ten standard deviations."""

FIRST = 30
"""Roundings of the cell next to the barrier, besides those of its sum."""

_PASSES, _FRAME = {4: 6, 2: 5, 3: 12, 5: 20}, 8
"""Roundings of the passes of a transform, by their radix; of what comes with them."""

_WALK = 12
"""Roundings of a walk besides its two transforms: decays, the last step, a joint."""


def transform_roundings(cells: int) -> int:
    """Return the bound of a sine transform's relative error in the norm, over u."""
    roundings, rest = _FRAME, cells
    for radix, cost in _PASSES.items():
        while rest % radix == 0:
            roundings, rest = roundings + cost, rest // radix
    if rest != 1:
        raise ArithmeticError(f"no bound is known for a transform of {cells} numbers")
    return roundings


def norm(cells: Reals) -> float:
    """Return the Euclidean norm, or a little more."""
    # Not by a dot product, which may wait for threads at each call.
    return math.sqrt(float((cells * cells).sum())) * SLACK


def norm_of_pmf(n: int) -> float:
    """Return a bound of the norm of P(n, .), the root of P(2n, 0)."""
    return at(spread, n)


def tails(numbers: Arithmetic) -> float:
    """Return the part of a walk that gets too far: two ends, each with its image."""
    return 4 * math.exp(-(numbers.deviations**2) / 2)


def dropped(numbers: Arithmetic) -> float:
    """Return the largest remainder of a wave that is dropped."""
    return math.exp(-numbers.survival)


def cut(found: float, begin: int, barrier: int, numbers: Arithmetic) -> float:
    """Return the effect of walks that go too far, and of dropped waves, in the norm.

    The window has norm `found` at the level `begin`.
    """
    reached = found + barrier * norm_of_pmf(begin)
    return tails(numbers) * reached + dropped(numbers) * found


def error_of_walk(
    window: Reals, begin: int, n: int, barrier: int, stairs: int, numbers: Arithmetic
) -> float:
    """Return a bound of the error of a window's walk from one level to another.

    At the end the barrier is as given, and P has been subtracted for each of `stairs`.
    """
    size, unit, found = len(window), numbers.unit_roundoff, norm(window)
    rounding = (2 * transform_roundings(size) + _WALK) * unit * found
    # Entry m of a row of P has 2 m roundings more than its first.
    rows = (2 * size + PMF_ROUNDINGS) * unit * stairs * norm_of_pmf(n)
    return rounding + rows + cut(found, begin, barrier, numbers)


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
