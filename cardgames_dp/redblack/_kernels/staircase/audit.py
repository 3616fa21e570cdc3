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
from collections.abc import Callable, Mapping
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
from cardgames_dp.redblack._kernels.staircase.pmf import pmf
from cardgames_dp.redblack._kernels.staircase.stair import Stair
from cardgames_dp.redblack._kernels.staircase.trial import PMF_ROUNDINGS, Trial

Decay = Callable[[NDArray[np.float64]], NDArray[np.float64]]

_SLACK = 1 + 1e-9
"""For the rounding of the account itself, some thousand sums of positive terms."""

_CHUNK = 64
"""Old entries of a ledger that are merged into one."""

_MOST_UNSETTLED = 1000
"""Cells above a stair's top at which nothing is settled, before giving up."""

_PASSES, _FRAME = {4: 6, 2: 5, 3: 12, 5: 20}, 8
"""Roundings of the passes of a transform, by their radix; of what comes with them."""

_WALK = 12
"""Roundings of a walk besides its two transforms: of decays, the last step, a joint."""


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
    return math.sqrt(float((cells * cells).sum())) * _SLACK


def spread(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what of an error of norm 1 reaches a cell after so many steps."""
    return np.maximum(math.pi * steps, 1) ** -0.25


def spread_at_barrier(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what of an error of norm 1 reaches the cell next to the barrier."""
    return spread(steps) / np.sqrt(steps + 1)


def most_likely(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest probability that a walk is in some place, or more."""
    return np.minimum(1, np.sqrt(2 / math.pi / np.maximum(steps, 0.5)))


@dataclass(slots=True)
class Ledger:
    """Amounts, the levels where they arise, and what is left of them further up.

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
            self.entries = entries = _with_room(entries)
        entries[:, self.count] = level, amount
        self.count += 1

    def left(self, n: int, decay: Decay) -> float:
        """Return a bound of what all entries amount to at a level."""
        levels, amounts = self.entries[:, : self.count]
        return float(amounts @ decay(n - levels)) * _SLACK


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
    """

    numbers: Arithmetic = DOUBLE
    noise: Ledger = field(default_factory=Ledger)
    loss: Ledger = field(default_factory=Ledger)
    unsettled: list[int] = field(default_factory=list)
    here: float = 0.0
    reading: float = 0.0
    trial: Trial = field(default_factory=Trial)
    tried: set[int] = field(default_factory=set)

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
        below = self._lost_below(stair, stair.top)
        above, highest = self._lost_above(stair)
        if below + above:
            self.unsettled.append(stair.excess)
            self.loss.add(highest, below + above)
        barrier = stair.excess + 1
        self.moved(stair.waves.window, stair.begin, stair.top, barrier, 1)

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
                stair = stair.seen_early()
            ahead, doubt = float(stair.advantage(n)), self._doubt(stair, n)
            if ahead + doubt + self.loss.left(n - 1, most_likely) < 0:
                break
            loss += max(ahead + doubt, 0.0) / 2
            n -= 2
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
        raise ArithmeticError(
            f"float64 cannot tell where the player stops at excess {stair.excess}"
        )

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
            np.nextafter(total - error * _SLACK, -math.inf),
            np.nextafter(total + (error + gain) * _SLACK, math.inf),
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
            Ledger(_with_room(arrays[name]), arrays[name].shape[1], count)
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
        unit, found = self.numbers.unit_roundoff, norm(waves.window)
        roundings = transform_roundings(len(waves.window)) + len(waves.sines) + 20
        error = roundings * unit * found * _at(spread_at_barrier, steps)
        error += self._cut(found, stair.begin, stair.excess)
        error += self.noise.left(n - 1, spread_at_barrier)
        relative = 2 * PMF_ROUNDINGS * unit + stair.excess * 2.0 ** (2 - TAIL_BITS)
        return (error + relative * float(stair.at_risk(n))) * _SLACK

    def _try_out(self, window: Reals, steps: int, n: int, barrier: int) -> None:
        """Try what the account takes on trust, on the first window of a length."""
        unit, real = self.numbers.unit_roundoff, self.numbers.real
        self.trial.transforms(window, transform_roundings(len(window)) * unit)
        self.trial.decay(window, max(steps - steps % 2, 2))
        self.trial.row(n, barrier - 1 - (n - barrier + 1) % 2, len(window), real)


def _norm_of_pmf(n: int) -> float:
    """Return a bound of the norm of P(n, .), the root of P(2n, 0)."""
    return _at(spread, n)


def _at(decay: Decay, steps: int) -> float:
    return float(decay(np.array(float(steps))))


def _with_room(entries: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.pad(entries, ((0, 0), (0, entries.shape[1] + _CHUNK)))
