"""How wide the windows of a recursion in time must be, before it starts.

A fair walk of t steps gets further than ``deviations * sqrt(t)`` from where it began
with probability ``2 exp(-deviations**2 / 2)`` at most (Hoeffding); two units of height
are one cell. Cells further than that from the barrier do not feel it during t draws,
and cells further than that from the window's far end do not feel that it ends.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from cardgames_dp.redblack import guess
from cardgames_dp.redblack.walk import good_length

_IN_SERIES = 4
"""So few stairs are climbed one after the other: fewer, larger transforms."""

_SLACK = 4
"""Levels by which a stair may be longer than guessed, in a plan."""

_WIDE = 1.6
"""An output of more half widths is moved at once, past its barrier, where it can be."""


class Plan(NamedTuple):
    """A number of stairs to climb with a window of cells below the barrier.

    Attributes
    ----------
    stairs : int
    lengths : tuple of int
        Cells to begin with; for stairs in series, before each of them.
    out : int
        Cells to end with.
    halves : tuple of two Plans, or None
        Of the cells next to the barrier, if the stairs are not climbed in series.
    middle : int
        Cells needed between the two halves.
    both : bool
        Whether cells far from the barrier are moved past it in the second half, too.
    """

    stairs: int
    lengths: tuple[int, ...]
    out: int
    halves: tuple[Plan, Plan] | None = None
    middle: int = 0
    both: bool = False

    @property
    def window(self) -> int:
        """Cells to begin with."""
        return self.lengths[0]


def half_width(steps: int, deviations: float) -> int:
    """Return how many cells a walk gets, and one for the rounding."""
    return math.ceil(deviations * math.sqrt(steps + _SLACK) / 2) + 1


def plan(n: int, excess: int, stairs: int, out: int, deviations: float) -> Plan:
    """Return the plan for `stairs`, a power of two, from the one left at level n.

    Parameters
    ----------
    n, excess : int
        Where the climb has come: n_k and k.
    stairs : int
        How many to climb.
    out : int
        Cells to end with.
    deviations : float
        Standard deviations of a walk that count as all of it.
    """
    if stairs <= _IN_SERIES:
        levels = [n, *(guess.level(excess + i + 1) for i in range(stairs))]
        lengths = [out]
        for start, end in zip(levels[-2::-1], levels[:0:-1], strict=True):
            reach = half_width(end - start, deviations)
            lengths.insert(0, good_length(lengths[0] + reach))
        return Plan(stairs, tuple(lengths[:-1]), out)
    half = stairs // 2
    middle, end = guess.level(excess + half), guess.level(excess + stairs)
    first_reach = half_width(middle - n, deviations)
    reach = half_width(end - middle, deviations)
    both = out > _WIDE * reach
    near = reach + half // 2 if both else out
    second = plan(middle, excess + half, half, near, deviations)
    cells = max(second.window, good_length(out + reach) if both else 0)
    first = plan(n, excess, half, first_reach + half // 2, deviations)
    window = max(first.window, good_length(cells + first_reach))
    return Plan(stairs, (window,), out, (first, second), cells, both)
