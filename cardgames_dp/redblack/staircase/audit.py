r"""The account of errors of a climb: rounding, tails, and doubtful stairs.

`docs/staircase.rst` derives every bound. In short, with u = 2**-53 and D the cells:

**Transforms.** Errors are bounded in the Euclidean norm of the cells. Each pass of a
transform, of radix 4, 2, 3 or 5, errs by some roundings of it, and the passes are
rotations but for a factor. Whether the library's transforms keep to that is tried out,
once for each length, on waves known beforehand.

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
import scipy  # its parts are loaded when they are used
from numpy.typing import NDArray

from cardgames_dp.redblack.band import TAIL_BITS
from cardgames_dp.redblack.staircase import walk
from cardgames_dp.redblack.staircase.pmf import pmf
from cardgames_dp.redblack.staircase.stair import Stair

Decay = Callable[[NDArray[np.float64]], NDArray[np.float64]]

_ROUNDOFF = 2.0**-53

_SLACK = 1 + 1e-9
"""For the rounding of the account itself, some thousand sums of positive terms."""

_CHUNK = 64
"""Old entries of a ledger that are merged into one."""

_MOST_UNSETTLED = 1000
"""Cells above a stair's top at which nothing is settled, before giving up."""

_PASSES, _FRAME = {4: 6, 2: 5, 3: 12, 5: 20}, 8
"""Roundings of the passes of a transform, by their radix; of what comes with them."""


def transform_error(cells: int) -> float:
    """Return the bound of a sine transform's relative error in the norm."""
    roundings, rest = _FRAME, cells
    for radix, cost in _PASSES.items():
        while rest % radix == 0:
            roundings, rest = roundings + cost, rest // radix
    return roundings * _ROUNDOFF


def norm(cells: NDArray[np.float64]) -> float:
    """Return the Euclidean norm, or a little more."""
    return math.sqrt(float(cells @ cells)) * _SLACK


def spread(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what of an error of norm 1 reaches a cell after so many steps."""
    return np.maximum(math.pi * steps, 1) ** -0.25


def spread_at_barrier(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what of an error of norm 1 reaches the cell next to the barrier."""
    return spread(steps) / np.sqrt(steps + 1)


def most_likely(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest probability that a walk is in some place, or more."""
    return np.minimum(1, np.sqrt(2 / math.pi / np.maximum(steps, 0.5)))


def norm_of_pmf(n: int) -> float:
    """Return a bound of the norm of P(n, .)."""
    return float((math.pi * n) ** -0.25)


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
        """Enter an amount at a level, not below those entered before."""
        entries = self.entries
        if self.count - self.merged == 2 * _CHUNK:
            old = slice(self.merged, self.merged + _CHUNK)
            entries[0, old.start] = entries[0, old.stop - 1]
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
    deviations : float
        Where the climb cuts walks off.
    noise : Ledger
        The errors of the cells, in the norm.
    loss : Ledger
        What an optimal player could gain by other thresholds, in the form of cells.
    unsettled : list of int
        The excesses whose threshold is not certain.
    here : float
        The same for the stair on which a deck is read off.
    tried : set of int
        The lengths of the transforms that have been tried out.
    """

    deviations: float
    noise: Ledger = field(default_factory=Ledger)
    loss: Ledger = field(default_factory=Ledger)
    unsettled: list[int] = field(default_factory=list)
    here: float = 0.0
    tried: set[int] = field(default_factory=set)

    def moved(self, n: int, window: NDArray[np.float64], stairs: int) -> None:
        """Enter a window's walk that ended at level n, where it lost `stairs` P."""
        size = len(window)
        if size not in self.tried:
            _try_out(size)
            self.tried.add(size)
        relative = 2 * transform_error(size) + 12 * _ROUNDOFF + self._tails
        # Entry m of a row of P has 2 m roundings more than its first.
        rows = (2 * size + 20) * _ROUNDOFF * stairs * norm_of_pmf(n)
        self.noise.add(n, relative * norm(window) + rows)

    def passed(self, stair: Stair) -> None:
        """Enter a stair that the climb passes."""
        loss, highest = self._loss(stair)
        if loss:
            self.unsettled.append(stair.excess)
            self.loss.add(highest, loss)
        self.moved(stair.top, stair.waves.window, 1)

    def stayed(self, stair: Stair) -> None:
        """Enter the stair on which a deck is read off."""
        self.here = self._loss(stair)[0]

    def _loss(self, stair: Stair) -> tuple[float, int]:
        """Settle where a stair's top must be; return the losses in between.

        And the highest level at which there may be one.
        """
        loss, n = 0.0, stair.top
        # Stopping is right where it wins even against all that an optimal player gains
        # further down, and where no red cards are left.
        while n > stair.excess:
            ahead, doubt = stair.advantage(n), self._doubt(stair, n)
            if ahead + doubt + self.loss.left(n - 1, most_likely) < 0:
                break
            loss += max(ahead + doubt, 0.0) / 2
            n -= 2
        # Drawing is right where it wins even if no more is gained.
        n = stair.top + 2
        while (ahead := stair.advantage(n)) <= (doubt := self._doubt(stair, n)):
            loss += (doubt - ahead) / 2
            n += 2
        return loss, n - 2

    def bounds(
        self, n: int, excess: int, barrier: int, total: float
    ) -> tuple[float, float]:
        """Return bounds of W(n, excess), given what the climb has computed.

        The climb's last walk and its last stair have been entered.
        """
        unit = pmf(n, excess) * (1 - 20 * _ROUNDOFF)
        gain = (self.loss.left(n, most_likely) + self.here) / unit
        if excess >= barrier:
            # The player stops. If that is not certain: W <= barrier below it, so nobody
            # gains more than 1 by playing on.
            doubtful = gain if excess == barrier else 1.0
            return total, total + (min(doubtful, 1.0) if self.here else 0.0)
        most = (n + excess) // 2  # the black cards: no player loses or wins more
        error = self.noise.left(n, spread) / unit + 20 * _ROUNDOFF * most
        error += most * 2.0 ** (1 - TAIL_BITS)
        lower, upper = total - error, total + error + gain
        return math.nextafter(lower, -math.inf), math.nextafter(upper, math.inf)

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

    @property
    def _tails(self) -> float:
        """What walks that go too far, and waves that are dropped, can change."""
        return 4 * math.exp(-(self.deviations**2) / 2) + math.exp(-walk.SURVIVAL)

    def _doubt(self, stair: Stair, n: int) -> float:
        """Return a bound of the error of a stair's advantage of drawing."""
        steps, waves = n - 1 - stair.begin, stair.waves
        if steps < waves.fewest_steps or n > stair.top + 2 * _MOST_UNSETTLED:
            raise ArithmeticError(
                f"float64 cannot tell where the player stops at excess {stair.excess}"
            )
        own = transform_error(len(waves.window)) + self._tails
        own += (len(waves.sines) + 20) * _ROUNDOFF
        decay = float(spread_at_barrier(np.array(float(steps))))
        error = own * decay * norm(waves.window)
        error += self.noise.left(n - 1, spread_at_barrier)
        relative = 40 * _ROUNDOFF + stair.excess * 2.0 ** (2 - TAIL_BITS)
        return error + relative * stair.at_risk(n)


def _with_room(entries: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.pad(entries, ((0, 0), (0, entries.shape[1] + _CHUNK)))


def _try_out(cells: int) -> None:
    """Compare the library's transforms of some waves with what they are."""
    index, waves = np.arange(cells), np.unique([1, cells // 3 + 1, cells])
    sines = np.sin(
        (2 * index + 1) * waves[:, None] % (4 * cells) * (math.pi / (2 * cells))
    )
    spectrum = np.zeros(cells)
    spectrum[waves - 1] = cells * (1 + (waves == cells))
    window = sines.sum(axis=0)
    allowed = (transform_error(cells) + 20 * _ROUNDOFF) * np.linalg.norm(window)
    there = np.linalg.norm(scipy.fft.dst(window, 2) - spectrum) / math.sqrt(2 * cells)
    back = np.linalg.norm(scipy.fft.idst(spectrum, 2) - window)
    if not max(there, back) <= allowed:
        raise ArithmeticError(
            f"the sine transform of {cells} numbers errs by {max(there, back):.1e}, "
            f"where {allowed:.1e} was allowed; no error can be certified"
        )
