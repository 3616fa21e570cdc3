"""Amounts that arise at levels of a climb, and their remainders further up."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

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
    entries: NDArray[np.float64],
    n: NDArray[np.int64],
    decay: Decay,
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


def at(decay: Decay, steps: int) -> float:
    """Return a decay after one number of steps."""
    return float(decay(np.array(float(steps))))


def with_room(entries: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the entries with room for more."""
    return np.pad(entries, ((0, 0), (0, entries.shape[1] + _CHUNK)))
