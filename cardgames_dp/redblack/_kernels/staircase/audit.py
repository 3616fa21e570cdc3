r"""The account of errors of a climb: rounding, tails, and doubtful stairs.

The page "How the staircase works" derives every bound. In short, with u the
largest relative error of an operation and D the cells:

**Transforms.** Errors are bounded in the Euclidean norm of the cells. Each pass of a
transform, of radix 4, 2, 3 or 5, errs by some roundings of it, and the passes are
rotations but for a factor. That the library's transforms keep to that is an assumption;
`trial` tries it out on the first window of each length.

**Cuts.** A walk that leaves its window, or comes to a barrier that has moved meanwhile,
is a tail of a walk; as W lies between 0 and the barrier B, no cell exceeds B P.

**Propagation.** An error of norm e, t draws before, changes a cell by no more than
``e / (pi t)**(1/4)``, and the cell next to the barrier by no more than
``e / ((pi t)**(1/4) sqrt(t + 1))``.

**Stairs.** The value computed is that of the policy which the climb's thresholds
define, whatever they are: a lower bound. An optimal player gains over it only where the
two differ, by the margins there. Margins that exceed their error settle where the true
threshold is; between the settled places every cell counts as a loss.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.redblack._kernels.band import TAIL_BITS
from cardgames_dp.redblack._kernels.staircase.arithmetic import (
    DOUBLE,
    Arithmetic,
    Reals,
)
from cardgames_dp.redblack._kernels.staircase.block import Passage
from cardgames_dp.redblack._kernels.staircase.ledger import (
    SLACK,
    Ledger,
    at,
    left_at,
    most_likely,
    spread,
    spread_at_barrier,
    with_room,
)
from cardgames_dp.redblack._kernels.staircase.pmf import pmf
from cardgames_dp.redblack._kernels.staircase.rise import Rise
from cardgames_dp.redblack._kernels.staircase.stair import Stair
from cardgames_dp.redblack._kernels.staircase.trial import PMF_ROUNDINGS, Trial

_MOST_UNSETTLED = 1000
"""Cells above a stair's top at which nothing is settled, before giving up."""

_PASSES, _FRAME = {4: 6, 2: 5, 3: 12, 5: 20}, 8
"""Roundings of the passes of a transform, by their radix; of what comes with them."""

_WALK = 12
"""Roundings of a walk besides its two transforms: of decays, the last step, a joint."""

_SAMPLED, _FREE = 12, 40
"""Roundings of amplitudes made of samples or the reverse, and of a free walk."""

_DECAYED, _ENTRY, _INTERPOLATED = 8, 120, 65
"""Roundings of the decay of slopes, of an entry of a coupling, of P at nodes."""


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


@dataclass(slots=True)
class Audit:
    """The errors of one climb.

    Attributes
    ----------
    numbers : Arithmetic
        What the climb is made in.
    noise : Ledger
        The errors of the cells, in the norm.
    loss : Ledger
        What an optimal player could gain by other thresholds, in the form of cells.
    unsettled : list of int
        The excesses whose threshold is not certain.
    here, reading : float
        The loss and the noise of the stair on which a deck is read off.
    trial : Trial
        Of what the account takes on trust.
    tried : set of int
        The lengths of the windows on which everything has been tried out.
    rise : Rise, optional
        The last one that has been tried out.
    """

    numbers: Arithmetic = DOUBLE
    noise: Ledger = field(default_factory=Ledger)
    loss: Ledger = field(default_factory=Ledger)
    unsettled: list[int] = field(default_factory=list)
    here: float = 0.0
    reading: float = 0.0
    trial: Trial = field(default_factory=Trial)
    tried: set[int] = field(default_factory=set)
    rise: Rise | None = None

    def moved(
        self, window: Reals, begin: int, n: int, barrier: int, stairs: int
    ) -> None:
        """Enter a window's walk from one level to another.

        There the barrier is as given, and the cells have lost P for each of `stairs`.
        """
        self.noise.add(n, self._noise(window, begin, n, barrier, stairs))

    def read(self, window: Reals, begin: int, n: int, barrier: int) -> None:
        """Enter the walk by which a deck of n cards is read off; none goes on there."""
        self.reading = self._noise(window, begin, n, barrier, stairs=0)

    def passed(self, stair: Stair) -> None:
        """Enter a stair that the climb passes."""
        self._settle(stair)
        barrier = stair.excess + 1
        self.moved(stair.waves.window, stair.begin, stair.top, barrier, 1)

    def climbed(self, passage: Passage, window: Reals, whole: Reals | None) -> None:
        """Enter a block of stairs, and the free walk of the whole window, if any."""
        block, unit = passage.block, self.numbers.unit_roundoff
        self._try_out_block(passage, window, whole)
        at_begin, at_end = passage.norms(passage.slopes), passage.norms(passage.before)
        barrier, scale = block.excess + block.stairs + 1, math.sqrt(block.stride)
        found = norm(window) * scale
        cuts = self._cut_of_block(found, block.begin, barrier)
        reading = (transform_roundings(len(window)) + _SAMPLED) * unit * found
        errors = self._errors_of_rises(passage, at_begin, at_end)
        own = np.array([[block.begin, *passage.tops], [reading, *errors]])
        self._settle_block(passage, at_begin, own, cuts)
        ended = transform_roundings(passage.rise.cells // block.to) + _SAMPLED
        last = ended * unit * float(at_end[-1]) + cuts
        if whole is not None:
            size, found = len(whole), norm(whole) * scale
            roundings = transform_roundings(size) + _FREE
            roundings += 2 * transform_roundings(size * block.stride // block.to)
            rows = PMF_ROUNDINGS * block.stairs * _norm_of_pmf(block.end)
            last += unit * (roundings * found + rows)
            last += self._cut_of_block(found, block.begin, barrier)
        self.noise.add(block.end, last)

    def _errors_of_rises(
        self, passage: Passage, at_begin: Any, at_end: Any
    ) -> NDArray[np.float64]:
        """Return bounds of the errors of the walks to each threshold, and past it."""
        unit, rise = self.numbers.unit_roundoff, passage.rise
        pairs = passage.before.shape[2]
        # A product errs by this many roundings of what it is with all signs the same.
        sizes = np.abs(passage.before[:-1, ::-1]).astype(np.float64)
        entries = np.abs(rise.coupling[:, :pairs, :pairs]).astype(np.float64)
        products = np.matmul(entries, sizes.transpose(1, 2, 0)).transpose(2, 0, 1)
        coupled = (pairs + _ENTRY) * passage.norms(products)
        kept = 4 + 12 * float(rise.losses[-1, pairs - 1])
        walked = _DECAYED * at_begin[:-1] + kept * at_end[:-1] + 2 * at_begin[1:]
        # The row of P, from polynomials through `nodes` of its values.
        levels, nodes = passage.tops.astype(np.float64), len(rise.basis)
        degrees = np.arange(nodes)
        growth = 1.5 * degrees**2 + 10 * degrees + nodes + 10
        growth += transform_roundings(rise.cells)
        growth[0] += 2 * nodes**2
        coefficients = np.abs(passage.coefficients).astype(np.float64)
        rows = coefficients @ growth + _INTERPOLATED * most_likely(levels)
        rounding = unit * (coupled + walked + math.sqrt(rise.cells) * rows)
        dropped = math.exp(-self.numbers.survival) * (at_end[:-1] + spread(levels))
        return np.asarray((rounding + dropped) * SLACK)

    def _settle_block(
        self, passage: Passage, at_begin: Any, own: NDArray[np.float64], cuts: float
    ) -> None:
        """Enter the errors of a block, and the stairs that they leave open."""
        unit, tops = self.numbers.unit_roundoff, passage.tops
        at_top, above, risk = (
            found.astype(np.float64) for found in passage.advantages()
        )
        walks = passage.walks[:-1].astype(np.float64)
        roundings = (2 * np.array(passage.pairs[:-1]) + 20) * unit
        doubt = roundings * at_begin[:-1] * spread_at_barrier(walks) + cuts
        entries = np.hstack([self.noise.known, own])
        doubt += left_at(entries, tops - 1, spread_at_barrier)
        excess = passage.block.excess + 1 + np.arange(len(tops))
        relative = 2 * PMF_ROUNDINGS * unit + excess * 2.0 ** (2 - TAIL_BITS)
        doubt = (doubt + relative * risk) * SLACK
        certain = above - doubt > 0
        gain = left_at(self.loss.known, tops - 1, most_likely)
        self.noise.add(*own[:, 0].tolist())
        for i, top in enumerate(tops.tolist()):
            if not certain[i] or not at_top[i] + doubt[i] + gain[i] < 0:
                self._settle(passage.stair(i))
                # What is lost on one stair counts on all that follow.
                gain = left_at(self.loss.known, tops - 1, most_likely)
            self.noise.add(top, float(own[1, i + 1]))

    def _cut_of_block(self, found: float, begin: int, barrier: int) -> float:
        """Return what ends of windows, samples, and waves dropped in a block change."""
        numbers = self.numbers
        part = 4 * math.exp(-(numbers.deviations**2) / 2)
        part += 8 * math.exp(-numbers.survival)
        return part * (found + barrier * _norm_of_pmf(begin))

    def _settle(self, stair: Stair) -> None:
        """Enter what an optimal player might win where the stair's top is doubtful."""
        below = self._lost_below(stair, stair.top)
        above, highest = self._lost_above(stair)
        if below + above:
            self.unsettled.append(stair.excess)
            self.loss.add(highest, below + above)

    def stayed(self, stair: Stair, n: int) -> None:
        """Enter the stair on which a deck of n cards is read off, below its top."""
        self.here = self._lost_below(stair, n - (n - stair.excess) % 2)

    def _lost_below(self, stair: Stair, n: int) -> float:
        """Return what stopping at the stair's barrier may lose, with up to n cards.

        It is right at some level, and then at all below, where drawing is worth less
        than stopping even if an optimal player gains all they can on lower stairs. On
        the stair itself they then gain nothing: `docs/theory/staircase.rst` proves it.
        """
        loss = 0.0
        # One draw from the stair's begin leads to states in which the player stops.
        while n > stair.begin + 1:
            if n - 1 - stair.begin < stair.waves.fewest_steps:
                if not stair.whole:
                    raise _undecided(stair)
                stair = stair.seen_early()
            ahead, doubt = float(stair.advantage(n)), self._doubt(stair, n)
            if ahead + doubt + self.loss.left(n - 1, most_likely) < 0:
                break
            loss += max(ahead + doubt, 0.0) / 2
            n -= 2
        else:
            if not stair.whole:
                raise _undecided(stair)
        return loss

    def _lost_above(self, stair: Stair) -> tuple[float, int]:
        """Return what drawing at the barrier above the top may lose, and up to where.

        Drawing is right at some level, and then at all above, where it wins even if one
        plays on by the policy of the climb.
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
        """Return bounds of W(n, excess), given what the climb has computed.

        The climb's last walk and its last stair have been entered.
        """
        if excess >= barrier:
            # Beyond the barrier drawing is worth no more than on it.
            n, excess = n - (n - barrier) % 2, barrier
        unit = self.numbers.unit_roundoff
        probability = pmf(n, excess, self.numbers.real)
        self.trial.pmf(n, excess, probability)
        lost = self.loss.left(n, most_likely) + self.here
        gain = lost / float(probability) * (1 + 2 * PMF_ROUNDINGS * unit)
        if excess == barrier:
            return total, np.nextafter(total + gain, math.inf) if self.here else total
        most = (n + excess) // 2  # the black cards: no player loses or wins more
        noise = (self.noise.left(n, spread) + self.reading) / float(probability)
        error = noise * (1 + 2 * PMF_ROUNDINGS * unit)
        error += most * ((PMF_ROUNDINGS + 4) * unit + 2.0 ** (1 - TAIL_BITS))
        return (
            np.nextafter(total - error * SLACK, -math.inf),
            np.nextafter(total + (error + gain) * SLACK, math.inf),
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the account as arrays, for a checkpoint."""
        return {
            "unsettled": np.array(self.unsettled, dtype=np.int64),
            "noise": self.noise.entries[:, : self.noise.count],
            "loss": self.loss.entries[:, : self.loss.count],
            "merged": np.array([self.noise.merged, self.loss.merged]),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over the account of a checkpoint."""
        self.unsettled = arrays["unsettled"].tolist()
        merged = arrays["merged"].tolist()
        self.noise, self.loss = (
            Ledger(with_room(arrays[name]), arrays[name].shape[1], count)
            for name, count in zip(("noise", "loss"), merged, strict=True)
        )

    def _noise(
        self, window: Reals, begin: int, n: int, barrier: int, stairs: int
    ) -> float:
        """Return a bound of the error of a walk, in the norm."""
        size, unit = len(window), self.numbers.unit_roundoff
        if size not in self.tried:
            self._try_out(window, n - begin, n, barrier)
            self.tried.add(size)
        found = norm(window)
        rounding = (2 * transform_roundings(size) + _WALK) * unit * found
        # Entry m of a row of P has 2 m roundings more than its first.
        rows = (2 * size + PMF_ROUNDINGS) * unit * stairs * _norm_of_pmf(n)
        return rounding + rows + self._cut(found, begin, barrier)

    def _cut(self, found: float, begin: int, barrier: int) -> float:
        """Return what walks that go too far, and waves that are dropped, can change.

        Of a window of norm `found` at the level `begin`, in the norm.
        """
        tails = 4 * math.exp(-(self.numbers.deviations**2) / 2)
        reached = found + barrier * _norm_of_pmf(begin)
        return tails * reached + math.exp(-self.numbers.survival) * found

    def _doubt(self, stair: Stair, n: int) -> float:
        """Return a bound of the error of a stair's advantage of drawing."""
        steps, waves = n - 1 - stair.begin, stair.waves
        unit = self.numbers.unit_roundoff
        found = norm(waves.window) * math.sqrt(waves.stride)
        roundings = transform_roundings(len(waves.window)) + len(waves.sines) + 20
        error = roundings * unit * found * at(spread_at_barrier, steps)
        error += self._cut(found, stair.begin, stair.excess)
        error += self.noise.left(n - 1, spread_at_barrier)
        relative = 2 * PMF_ROUNDINGS * unit + stair.excess * 2.0 ** (2 - TAIL_BITS)
        return (error + relative * float(stair.at_risk(n))) * SLACK

    def _try_out_block(
        self, passage: Passage, window: Reals, whole: Reals | None
    ) -> None:
        """Try what the account of a block takes on trust, once for each length."""
        block, unit = passage.block, self.numbers.unit_roundoff
        ended = passage.sampled(block.to)
        for samples in (window, ended) if whole is None else (window, ended, whole):
            if len(samples) not in self.tried:
                allowed = transform_roundings(len(samples)) * unit
                self.trial.transforms(samples, allowed)
                self.tried.add(len(samples))
        if passage.rise is not self.rise:
            cells = passage.rise.cells
            self.trial.rise(passage, transform_roundings(cells) * unit)
            self.trial.row_of_samples(block.begin, block.excess, window.dtype.type)
            self.rise = passage.rise
            if whole is not None:
                roundings = transform_roundings(len(whole)) * 3 + _FREE
                self.trial.free_walk(whole, block, roundings * unit)

    def _try_out(self, window: Reals, steps: int, n: int, barrier: int) -> None:
        """Try what the account takes on trust, on the first window of a length."""
        unit, real = self.numbers.unit_roundoff, self.numbers.real
        self.trial.transforms(window, transform_roundings(len(window)) * unit)
        self.trial.decay(window, max(steps - steps % 2, 2))
        self.trial.row(n, barrier - 1 - (n - barrier + 1) % 2, len(window), real)


def _undecided(stair: Stair) -> ArithmeticError:
    return ArithmeticError(
        f"float64 cannot tell where the player stops at excess {stair.excess}"
    )


def _norm_of_pmf(n: int) -> float:
    """Return a bound of the norm of P(n, .), the root of P(2n, 0)."""
    return at(spread, n)
