"""How wide the windows of a recursion in time must be, before it starts.

A fair walk of t steps gets further than ``deviations * sqrt(t)`` from where it began
with probability ``2 exp(-deviations**2 / 2)`` at most (Hoeffding); two units of height
are one cell. Cells further than that from the barrier do not feel it during t draws,
and cells further than that from the window's far end do not feel that it ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from cardgames_dp.redblack._kernels.staircase.walk import good_length

_IN_SERIES = 4
"""Up to this number, stairs are climbed one after the other: fewer transforms."""

OFF = 2
"""Levels by which thresholds may be off their guesses in a plan."""

_WIDE = 1.6
"""In reaches of a walk: how wide a window must end for its far cells to pay.

These take the second half of the stairs in one move, too; only the near ones go stair
by stair.
"""


class Plan(NamedTuple):
    """A number of stairs to climb with a window of cells below the barrier.

    Attributes
    ----------
    stairs : int
    lengths : tuple of int
        Cells to begin with; for stairs in series, before each of them.
    kept : int
        Cells to end with.
    halves : tuple of two Plans, or None
        Of the cells next to the barrier, if the stairs are not climbed in series.
    between : int
        Cells needed between the two halves.
    splits_again : bool
        Whether cells far from the barrier are moved apart in the second half, too.
    """

    stairs: int
    lengths: tuple[int, ...]
    kept: int
    halves: tuple[Plan, Plan] | None = None
    between: int = 0
    splits_again: bool = False

    @property
    def window(self) -> int:
        """Cells to begin with."""
        return self.lengths[0]


def reach_in_cells(steps: int, deviations: float) -> int:
    """Return how many cells a walk gets, and one for the rounding."""
    return math.ceil(deviations * math.sqrt(steps + 2 * OFF) / 2) + 1


def plan(
    levels: Sequence[int], kept: int, deviations: float, first: int = 0, count: int = 0
) -> Plan:
    """Return the plan for a number of stairs that is a power of two.

    Parameters
    ----------
    levels : sequence of int
        Where the climb has come, n_k, and the thresholds of the stairs as guessed.
    kept : int
        Cells to end with.
    deviations : float
        Standard deviations of a walk that count as all of it.
    first, count : int, optional
        Plan only for `count` stairs from ``levels[first]`` on.
    """
    stairs = count or len(levels) - 1
    if stairs <= _IN_SERIES:
        lengths = [kept]
        for i in range(first + stairs, first, -1):
            reach = reach_in_cells(levels[i] - levels[i - 1], deviations)
            lengths.insert(0, good_length(lengths[0] + reach))
        return Plan(stairs, tuple(lengths[:-1]), kept)
    half = stairs // 2
    middle = first + half
    first_reach = reach_in_cells(levels[middle] - levels[first], deviations)
    reach = reach_in_cells(levels[first + stairs] - levels[middle], deviations)
    splits_again = kept > _WIDE * reach
    near = reach + half // 2 if splits_again else kept
    second = plan(levels, near, deviations, middle, half)
    cells = max(second.window, good_length(kept + reach) if splits_again else 0)
    start = plan(levels, first_reach + half // 2, deviations, first, half)
    window = max(start.window, good_length(cells + first_reach))
    return Plan(stairs, (window,), kept, (start, second), cells, splits_again)
