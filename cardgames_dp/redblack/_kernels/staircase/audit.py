r"""The account of errors of a climb: rounding, tails, and doubtful stairs.

A `Ledger` has amounts that arise at levels of a climb, and their remainders further up.
Errors of transforms and of walks are bounded in the norm of the cells (`walks`), those
of a block term by term. The appendix on methods derives every bound, those
of blocks under "Samples", "A rise", "P from some of its values" and "Ends of a block".
In short, with u the largest relative error of an operation and D the cells:

**Transforms.** Errors are bounded in the Euclidean norm of the cells. Each pass of a
transform, of radix 4, 2, 3 or 5, adds some roundings of the norm, and the passes are
rotations up to a factor. It is an assumption that the library's transforms behave so;
`self_tests` tests it on the first window of each length.

**Cuts.** Walks that leave their window, or reach a barrier that has moved in the
meantime, are tails of a walk; as W lies between 0 and the barrier B, no cell exceeds B
P.

**Propagation.** An error of norm e, t draws before, changes a cell by no more than
``e / (pi t)**(1/4)``, and the cell next to the barrier by no more than
``e / ((pi t)**(1/4) sqrt(t + 1))``.

**Stairs.** The value computed is that of the policy that the climb's thresholds define,
whatever they are: a lower bound. An optimal player can gain over it only where the two
policies differ, by the margins there. Margins that exceed their error determine the
true threshold; between the levels so decided, every cell counts as a loss.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.redblack._kernels.scaling import TAIL_BITS
from cardgames_dp.redblack._kernels.staircase import self_tests, walks
from cardgames_dp.redblack._kernels.staircase.self_tests import Climbed, HandOver
from cardgames_dp.redblack._kernels.staircase.stairs import Passage, Rise, Stair
from cardgames_dp.redblack._kernels.staircase.walks import SLACK, Arithmetic, Reals

_CHUNK = 64
"""The number of old entries of a ledger that are merged into one."""

FIRST = 30
"""Roundings of the cell next to the barrier, besides those of its sum."""

_SAMPLED, FREE = 12, 40
"""Roundings of amplitudes made of samples or the reverse, and of a free walk."""

_DECAY, _RISE, _SUM = 8, 4, 2
"""Roundings of slopes that decay, of slopes that a rise keeps, and of the sums there.
"""

_ENTRY, _INTERPOLATED = 120, 65
"""Roundings of a coupling's entry, and of P at nodes."""

_MOST_UNSETTLED = 1000
"""The most undecided cells above a stair's top before the audit gives up."""


@dataclass(slots=True)
class Ledger:
    """Amounts, the levels where they arise, and their remainders further up.

    Old entries are merged, to the first `merged` of them, at the uppermost level among
    them, where they would have decayed least.
    """

    entries: NDArray[np.float64] = field(default_factory=lambda: np.zeros((2, 0)))
    merged: int = 0

    def add(self, level: int, amount: float) -> None:
        """Enter an amount at a level."""
        entries = self.entries
        if entries.shape[1] - self.merged == 2 * _CHUNK:
            old = entries[:, self.merged : self.merged + _CHUNK]
            one = np.array([[old[0].max()], [old[1].sum()]])
            parts = entries[:, : self.merged], one, entries[:, self.merged + _CHUNK :]
            entries = np.concatenate(parts, axis=1)
            self.merged += 1
        new = np.array([[level], [amount]])
        self.entries = np.concatenate((entries, new), axis=1)

    def left(self, n: int, decay: walks.Decay) -> float:
        """Return a bound of the sum of all entries at a level."""
        levels, amounts = self.entries
        return float(amounts @ decay(n - levels)) * SLACK


def left_at(
    entries: NDArray[np.float64],
    n: NDArray[np.int64],
    decay: walks.Decay,
    above: float = 0.0,
) -> NDArray[np.float64]:
    """Return a bound of the sum of entries at many levels.

    Of an entry at a higher level the part `above` counts.
    """
    levels, amounts = entries
    steps = n[:, None] - levels
    parts = np.where(steps < 0, above, decay(np.maximum(steps, 0)))
    left: NDArray[np.float64] = parts @ amounts
    return left * SLACK


class BlockErrors(NamedTuple):
    """Bounds on the errors that a block of stairs makes, in the norm of the cells.

    `begin`: of the amplitudes, which are made of the samples at the beginning. `rises`:
    of the walk to each threshold, and past it. `cuts`: from the ends of windows, from
    samples, and from dropped waves, in the whole block. `end`: of the samples at the
    end, those of the free walk included, with all cuts.
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
        norm = walks.norm(window) * scale
        begin = (walks.transform_roundings(len(window)) + _SAMPLED) * unit * norm
        cuts = _cut(norm, block.begin, barrier, numbers)
        ended = walks.transform_roundings(passage.rise.cells // block.to) + _SAMPLED
        end = ended * unit * float(passage.norms(passage.before)[-1]) + cuts
        if whole is not None:
            size, norm = len(whole), walks.norm(whole) * scale
            roundings = walks.transform_roundings(size) + FREE
            roundings += 2 * walks.transform_roundings(size * block.stride // block.to)
            rows = walks.PMF_ROUNDINGS * block.stairs * walks.norm_of_pmf(block.end)
            end += unit * (roundings * norm + rows)
            end += _cut(norm, block.begin, barrier, numbers)
        return cls(begin, _errors_of_rises(passage, numbers), cuts, end)

    def doubts(self, passage: Passage, unit: float) -> NDArray[np.float64]:
        """Return bounds on the errors of the advantages of drawing at the thresholds.

        They include the errors of the sums and the cuts, but not those of earlier
        cells.
        """
        at_begin = passage.norms(passage.slopes)[:-1]
        roundings = 2 * np.array(passage.pairs[:-1]) + FIRST
        steps = passage.walks[:-1].astype(np.float64)
        errors: NDArray[np.float64] = roundings * unit * at_begin
        return errors * walks.spread_at_barrier(steps) + self.cuts


def _cut(norm: float, begin: int, barrier: int, numbers: Arithmetic) -> float:
    """Return what ends of windows, samples, and waves dropped in a block change."""
    part = walks.tails(numbers) + 8 * walks.dropped(numbers)
    return part * (norm + barrier * walks.norm_of_pmf(begin))


def _errors_of_rises(passage: Passage, numbers: Arithmetic) -> NDArray[np.float64]:
    rise, unit = passage.rise, numbers.unit_roundoff
    at_begin, at_end = passage.norms(passage.slopes), passage.norms(passage.before)
    pairs = passage.before.shape[2]
    of_rise = _RISE + 12 * float(rise.losses[-1, pairs - 1])
    of_walks = _DECAY * at_begin[:-1] + of_rise * at_end[:-1] + _SUM * at_begin[1:]
    roundings = _of_products(passage, pairs) + of_walks + _of_rows(passage)
    lost = at_end[:-1] + walks.spread(passage.tops.astype(np.float64))
    return np.asarray((unit * roundings + walks.dropped(numbers) * lost) * SLACK)


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
    growth = 2.5 * np.arange(nodes) ** 2 + 10 + nodes + walks.transform_roundings(cells)
    growth[0] += 2 * nodes**2
    coefficients = np.abs(passage.coefficients).astype(np.float64)
    largest = walks.most_likely(passage.tops.astype(np.float64))
    return math.sqrt(cells) * (coefficients @ growth + _INTERPOLATED * largest)


NO_CARDS = HandOver(np.array([-1.0, 0.0]), level=0, barrier=1, stride=1)
"""Where a climb begins: W = 0 is one less than the barrier."""


@dataclass(slots=True)
class Audit:
    """The errors of one climb.

    `noise`: the errors of the cells, in the norm; `loss`: what an optimal player could
    gain by other thresholds, in the form of cells. `unsettled`: the excesses whose
    threshold is not certain. `here` and `reading`: the loss and the noise of the stair
    on which a deck is read off; `direct`: the cell read, by a sum over `last_cells`,
    the cells in which the last stair or block ended, and a bound of the sum's error.
    `tried`: the lengths of windows, and `rise` the last one, that have been tested;
    `compared`: whether a block has been climbed, of which the first is climbed twice.
    """

    numbers: Arithmetic = walks.DOUBLE
    noise: Ledger = field(default_factory=Ledger)
    loss: Ledger = field(default_factory=Ledger)
    unsettled: list[int] = field(default_factory=list)
    here: float = 0.0
    reading: float = 0.0
    direct: tuple[Any, float] = 0.0, 0.0
    last_cells: HandOver = NO_CARDS
    tried: set[int] = field(default_factory=set)
    rise: Rise | None = None
    compared: bool = False

    def add_walk(
        self, window: Reals, begin: int, n: int, barrier: int, stairs: int
    ) -> float:
        """Enter a window's walk from one level to another; return its error's bound.

        At the end the barrier is as given, and P has been subtracted for each of
        `stairs`.
        """
        noise = self._noise(window, begin, n, barrier, stairs)
        self.noise.add(n, noise)
        return noise

    def add_reading(
        self, window: Reals, begin: int, n: int, barrier: int, excess: int
    ) -> None:
        """Enter the walk by which a deck of n cards is read off; it ends there."""
        self.last_cells.check_start(window, begin, barrier, 1)
        self.reading = self._noise(window, begin, n, barrier, stairs=0)
        place = (barrier - excess) // 2
        (cell,), error = self_tests.walk_by_sums(
            window, n - begin, place, place + 1, self.numbers
        )
        self.direct = cell, error

    def add_stair(self, stair: Stair, cells: Reals) -> None:
        """Enter a stair that the climb passes, and the cells that it hands over."""
        begin, top, barrier = stair.begin, stair.top, stair.excess + 1
        window = stair.waves.window
        self.last_cells.check_start(window, begin, stair.excess, 1)
        self_tests.parity(np.array([top]), np.array([stair.excess]))
        self._add_loss(stair)
        noise = self.add_walk(window, begin, top, barrier, 1)
        self_tests.stair(stair, cells, noise, self.numbers)
        self.last_cells = HandOver(cells.copy(), top, barrier, 1)

    def check_first_stairs(self, cells: Reals, n: int, excess: int) -> None:
        """Test the first stairs, up to a threshold."""
        allowed = float(self.noise.entries[1].sum()) * SLACK
        self_tests.first_stairs(cells, n, excess, allowed)

    def add_block(self, climbed: Climbed) -> None:
        """Enter a block of stairs, and the free walk of the whole window, if any."""
        passage, numbers = climbed.passage, self.numbers
        block = passage.block
        self.last_cells.check_start(
            climbed.begun, block.begin, block.excess + 1, block.stride
        )
        ended = self._test_block(climbed)
        errors = BlockErrors.of(passage, climbed.window, climbed.whole, numbers)
        self._compare_block(climbed, errors, ended)
        self._add_block_losses(passage, errors)
        self.noise.add(block.end, errors.end)
        barrier = block.excess + block.stairs + 1
        self.last_cells = HandOver(climbed.ended.copy(), block.end, barrier, block.to)

    def _compare_block(
        self, climbed: Climbed, errors: BlockErrors, ended: Reals
    ) -> None:
        """Test what a block has made of its samples, as a whole."""
        block, numbers = climbed.passage.block, self.numbers
        allowed = errors.begin + float(errors.rises.sum()) + errors.end
        if not self.compared and block.stride == 1:
            self_tests.stair_by_stair(climbed, allowed, numbers)
        self.compared = True
        self_tests.samples(climbed, allowed, errors.end, numbers)
        self_tests.assembly(climbed, ended, numbers)

    def _add_block_losses(self, passage: Passage, errors: BlockErrors) -> None:
        """Enter the errors of a block's stairs, and the decisions left open."""
        begin, tops = passage.block.begin, passage.tops
        own = np.array([[begin, *tops], [errors.begin, *errors.rises]])
        at_top, above, risk = (each.astype(np.float64) for each in passage.advantages())
        doubt = errors.doubts(passage, self.numbers.unit_roundoff)
        entries = np.hstack([self.noise.entries, own])
        doubt += left_at(entries, tops - 1, walks.spread_at_barrier)
        excess = passage.block.excess + 1 + np.arange(len(tops))
        doubt = (doubt + self._relative(excess) * risk) * SLACK
        certain = above - doubt > 0
        gain = self._gain(tops - 1)
        self.noise.add(begin, errors.begin)
        for i, top in enumerate(tops.tolist()):
            if not certain[i] or not at_top[i] + doubt[i] + gain[i] < 0:
                self._add_loss(passage.stair(i))
                # A loss on one stair counts on all later stairs.
                gain = self._gain(tops - 1)
            self.noise.add(top, float(errors.rises[i]))

    def _gain(self, levels: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what an optimal player may gain on lower stairs, from some levels.

        A doubtful cell may be above a level: there nothing is known of its chance.
        """
        return left_at(self.loss.entries, levels, walks.most_likely, above=1.0)

    def _relative(self, excess: Any) -> Any:
        """Return the relative error of what a drawing player risks.

        It comes from the roundings of P, and from the paths that leave the band.
        """
        rounding = 2 * walks.PMF_ROUNDINGS * self.numbers.unit_roundoff
        return rounding + excess * 2.0 ** (2 - TAIL_BITS)

    def _add_loss(self, stair: Stair) -> None:
        """Enter what an optimal player might gain where the stair's top is doubtful."""
        below = self._lost_below(stair, stair.top)
        above, highest = self._lost_above(stair)
        if below + above:
            self.unsettled.append(stair.excess)
            self.loss.add(highest, below + above)

    def add_last_stair(self, stair: Stair, n: int) -> None:
        """Enter the stair on which a deck of n cards is read off, below its top."""
        self.last_cells.check_start(stair.waves.window, stair.begin, stair.excess, 1)
        self.here = self._lost_below(stair, n - (n - stair.excess) % 2)

    def _lost_below(self, stair: Stair, n: int) -> float:
        """Return what stopping at the stair's barrier may lose, with up to n cards.

        Stopping is right at a level, and at all below, if drawing there is worth less
        even with all possible gains on lower stairs: see `docs/appendix/methods.rst`.
        """
        loss = 0.0
        # A draw just above the stair's begin leads to states in which the player stops.
        while n > stair.begin + 1:
            if n - 1 - stair.begin < stair.waves.fewest_steps:
                if not stair.whole:
                    raise _undecided(stair)
                stair = stair.with_all_waves()
            ahead, doubt = float(stair.advantage(n)), self._doubt(stair, n)
            if ahead + doubt + self.loss.left(n - 1, walks.most_likely) < 0:
                break
            loss += max(ahead + doubt, 0.0) / 2
            n -= 2
        else:
            if not stair.whole:
                raise _undecided(stair)
        return loss

    def _lost_above(self, stair: Stair) -> tuple[float, int]:
        """Return what drawing at the barrier above the top may lose, and up to where.

        Drawing is right at a level, and at all above, if it gains there by the climb's
        policy.
        """
        loss, n = 0.0, stair.top + 2
        while n <= stair.top + 2 * _MOST_UNSETTLED:
            ahead, doubt = float(stair.advantage(n)), self._doubt(stair, n)
            if ahead - doubt > 0:
                return loss, n - 2
            loss += max(doubt - ahead, 0.0) / 2
            n += 2
        raise _undecided(stair)

    def bounds(self, n: int, excess: int, barrier: int, total: Any) -> tuple[Any, Any]:
        """Return bounds of W(n, excess), given the total that the climb has computed.

        The climb's last walk and its last stair must have been entered.
        """
        right, allowed = excess, 0.0
        if excess >= barrier:
            # Beyond the barrier drawing is worth no more than on it.
            n, excess = n - (n - barrier) % 2, barrier
        unit = self.numbers.unit_roundoff
        probability = walks.pmf(n, excess, self.numbers.real)
        self_tests.pmf(n, excess, probability)
        lost = self.loss.left(n, walks.most_likely) + self.here
        gain = lost / float(probability) * (1 + 2 * walks.PMF_ROUNDINGS * unit)
        if excess < barrier:
            cell, error = self.direct
            right = barrier + cell / probability
            allowed = (error + self.reading) / float(probability)
        self_tests.total(total, right, allowed + 4 * unit * barrier)
        if excess == barrier:
            return total, np.nextafter(total + gain, math.inf) if self.here else total
        most = (n + excess) // 2  # the black cards, a bound of every loss or gain
        noise = (self.noise.left(n, walks.spread) + self.reading) / float(probability)
        error = noise * (1 + 2 * walks.PMF_ROUNDINGS * unit)
        error += most * ((walks.PMF_ROUNDINGS + 4) * unit + 2.0 ** (1 - TAIL_BITS))
        return (
            np.nextafter(total - error * SLACK, -math.inf),
            np.nextafter(total + (error + gain) * SLACK, math.inf),
        )

    def branch(self) -> Audit:
        """Return an account that goes on from here by itself."""
        return replace(
            self,
            noise=replace(self.noise),
            loss=replace(self.loss),
            unsettled=list(self.unsettled),
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the account as arrays, for a checkpoint."""
        return {
            "unsettled": np.array(self.unsettled, dtype=np.int64),
            "noise": self.noise.entries,
            "loss": self.loss.entries,
            "merged": np.array([self.noise.merged, self.loss.merged]),
            "handed": self.last_cells.cells,
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Restore the account of a checkpoint."""
        self.unsettled = arrays["unsettled"].tolist()
        noise, loss = arrays["merged"].tolist()
        self.noise = Ledger(arrays["noise"], noise)
        self.loss = Ledger(arrays["loss"], loss)
        level, stride = arrays["place"].tolist()
        barrier = len(arrays["levels"])
        self.last_cells = HandOver(arrays["handed"], level, barrier, stride)

    def _noise(
        self, window: Reals, begin: int, n: int, barrier: int, stairs: int
    ) -> float:
        """Return a bound on the error of a walk, in the norm."""
        size, steps = len(window), n - begin
        if size not in self.tried:  # the assumptions, once for each length
            unit, real = self.numbers.unit_roundoff, self.numbers.real
            self_tests.transforms(window, walks.transform_roundings(size) * unit)
            self_tests.decay(window, max(steps - steps % 2, 2))
            self_tests.row(n, barrier - 1 - (n - barrier + 1) % 2, size, real)
            self.tried.add(size)
        return walks.error_of_walk(window, begin, n, barrier, stairs, self.numbers)

    def _doubt(self, stair: Stair, n: int) -> float:
        """Return a bound on the error of a stair's advantage of drawing."""
        steps, waves = n - 1 - stair.begin, stair.waves
        unit = self.numbers.unit_roundoff
        norm = walks.norm(waves.window) * math.sqrt(waves.stride)
        roundings = (
            walks.transform_roundings(len(waves.window)) + len(waves.sines) + FIRST
        )
        error = roundings * unit * norm * walks.at(walks.spread_at_barrier, steps)
        error += walks.cut(norm, stair.begin, stair.excess, self.numbers)
        error += self.noise.left(n - 1, walks.spread_at_barrier)
        error += self._relative(stair.excess) * float(stair.at_risk(n))
        return float(error * SLACK)

    def _test_block(self, climbed: Climbed) -> Reals:
        """Test the account's assumptions; return the near window's samples."""
        passage, window, whole = climbed.passage, climbed.window, climbed.whole
        block, unit = passage.block, self.numbers.unit_roundoff
        excesses = block.excess + 1 + np.arange(block.stairs)
        self_tests.parity(passage.tops, excesses)
        self_tests.geometry(climbed, self.numbers)
        ended = passage.samples_at_end(block.to)
        for samples in (window, ended) if whole is None else (window, ended, whole):
            if len(samples) not in self.tried:
                allowed = walks.transform_roundings(len(samples)) * unit
                self_tests.transforms(samples, allowed)
                self.tried.add(len(samples))
        if passage.rise is not self.rise:
            cells = passage.rise.cells
            self_tests.rise(passage, walks.transform_roundings(cells) * unit)
            self_tests.row_of_samples(block.begin, block.excess, window.dtype.type)
            self.rise = passage.rise
            if whole is not None:
                roundings = walks.transform_roundings(len(whole)) * 3 + FREE
                self_tests.decay(whole, block.end - block.begin, block.stride)
                self_tests.row_of_pmf(climbed, roundings * unit, self.numbers)
        return ended


def _undecided(stair: Stair) -> ArithmeticError:
    return ArithmeticError(
        f"float64 cannot decide where the player stops at excess {stair.excess}"
    )
