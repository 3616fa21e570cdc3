"""Why the longest climb leaves some thresholds open, and what would decide them.

A threshold is certain if the gain of drawing is further from 0 than its error may be,
at the threshold and two cards above it. ``python -m tests.tools near_ties [EXCESS]``
climbs once in longer floats and prints, for the thresholds that stay open, how large
that bound is beside the gain, and how many would stay open if all arithmetic within a
part of the levels below them made no error at all. Up to excess 118,782, that of the
published table, it takes four minutes of a processor.
"""

from __future__ import annotations

import argparse
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.redblack._kernels.boundary_law import level
from cardgames_dp.redblack._kernels.staircase.audit import Audit
from cardgames_dp.redblack._kernels.staircase.climb import Deck, ascend
from cardgames_dp.redblack._kernels.staircase.stairs import Stair
from cardgames_dp.redblack._kernels.staircase.walks import spread_at_barrier

NEAR = (0.0, 0.001, 0.01, 0.1, 0.5, 0.9)
"""Parts of the levels below a threshold."""


def shares(audit: Audit, stair: Stair) -> tuple[float, float, NDArray[np.float64]]:
    """Return a stair's smaller gain, its bound, and what is left of that.

    What is left comes from cells further below than each part in `NEAR`.
    """
    n = stair.top
    gains = -float(stair.advantage(n)), float(stair.advantage(n + 2))
    levels, errors = audit.noise.known
    steps = n - 1 - levels
    errors = errors * spread_at_barrier(np.maximum(steps, 0))
    left = [errors[steps > part * n].sum() for part in NEAR]
    return min(gains), audit._doubt(stair, n), np.array(left)


def open_thresholds(most: int) -> dict[int, tuple[float, float, NDArray[np.float64]]]:
    """Climb, and return `shares` of all open thresholds beyond the tie at excess 1."""
    seen, usual = {}, Audit._settle

    def settle(audit: Audit, stair: Stair) -> None:
        seen[stair.excess] = shares(audit, stair)
        usual(audit, stair)

    cards = (level(most) + level(most + 1)) // 2
    deck = Deck((cards - most) // 2, (cards + most) // 2)
    with mock.patch.object(Audit, "_settle", settle):
        ascent = ascend([deck], audited=True, extended=True)
    return {k: seen[k] for k in ascent.unsettled if 1 < k <= most}


def main() -> None:
    """Print what is left open, and why."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("excess", nargs="?", type=int, default=118_782)
    most = parser.parse_args().excess
    found = open_thresholds(most)
    print(f"{len(found)} of {most:,} thresholds are open; the first: {min(found)}")
    gains, bounds, left = map(np.array, zip(*found.values(), strict=True))
    bits = np.log2(bounds / np.abs(gains))
    print(f"bits that would decide all: {bits.max():.1f}; half: {np.median(bits):.1f}")
    for part, rest in zip(NEAR, left.T, strict=True):
        still = np.sum(gains <= rest)
        print(
            f"no error within {part:.1%} of the levels below: {still} open, "
            f"{np.median(rest / bounds):.0%} of the bound is left"
        )


if __name__ == "__main__":
    main()
