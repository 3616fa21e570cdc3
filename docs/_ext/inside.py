"""Pictures of how the staircase works inside, for the page that explains it.

They alone need what is private to the package; a page calls them from ``.. plot::``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardgames_dp._results.figures import COLOURS, ink
from cardgames_dp.redblack._kernels.staircase.climb import Staircase
from cardgames_dp.redblack._kernels.staircase.stairs import Block
from cardgames_dp.redblack._kernels.staircase.walks import walk

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_reflection(ax: Axes) -> None:
    """Draw D and its mirror image about the barrier, before and after one stair."""
    staircase = Staircase(2000, 2000)
    while staircase.excess < 10:
        staircase.climb(4000)
    n, barrier = staircase.levels[-1], staircase.excess + 1
    steps = 30
    heights = barrier - 1 - 2 * np.arange(len(staircase.cells))
    for cells, colour, label in (
        (staircase.cells, COLOURS[0], f"n = {n}, just past a threshold"),
        (
            walk(staircase.cells, steps),
            COLOURS[1],
            f"{steps} draws earlier, n = {n + steps}",
        ),
    ):
        ax.plot(heights, cells, "o-", ms=3, color=colour, label=label)
        ax.plot(2 * barrier - heights, -cells, "o--", ms=3, color=colour, alpha=0.4)
    ax.axvline(barrier, color=ink(), lw=1)
    corner = (barrier, ax.get_ylim()[0])
    ax.annotate("barrier", corner, xytext=(4, 4), textcoords="offset points")
    ax.set(xlim=(barrier - 42, barrier + 42), xlabel="excess s", ylabel="D")
    ax.legend(loc="upper left")


def draw_blocks(ax: Axes) -> None:
    """Draw three blocks: their windows, thresholds and samples."""
    from matplotlib.patches import Rectangle

    cards, staircase = 6_000_000, Staircase(3_000_000, 3_000_000)
    while staircase.excess < 900:
        staircase.climb(cards)
    for colour in COLOURS[:3]:
        begin, excess, stride = staircase.level, staircase.excess, staircase.stride
        block = Block.of(begin, excess, cards, stride, staircase.numbers)
        assert block is not None  # as it is where few stairs are left
        near = 2 * block.window(2 * block.reach)
        whole = 2 * stride * len(staircase.cells)
        for depth, height, alpha in ((near, near, 0.5), (whole, whole - near, 0.2)):
            corner, width = (begin, excess - depth), block.end - begin
            ax.add_patch(Rectangle(corner, width, height, color=colour, alpha=alpha))
        samples = excess - np.arange(stride, whole, 2 * 12 * stride)
        ax.plot(np.full(len(samples), begin), samples, ".", color=ink(), ms=2)
        staircase.climb(cards)
        tops, steps = (
            staircase.levels[excess + 1 :],
            np.arange(excess, staircase.excess),
        )
        ax.vlines(tops, excess - near, steps, lw=0.4, color=ink())
        heights = [*steps, staircase.excess, staircase.excess]
        ax.step([begin, *tops, block.end], heights, color=ink(), lw=1, where="post")
    ax.ticklabel_format(useMathText=True)
    ax.set(xlabel="cards remaining", ylabel="excess")
