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
    """Draw three blocks: what climbs stair by stair, and what moves at once."""
    cards, staircase = 6_000_000, Staircase(3_000_000, 3_000_000)
    while staircase.excess < 900:
        staircase.climb(cards)
    paper = {"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 2}
    for _ in range(3):
        begin, excess, stride = staircase.level, staircase.excess, staircase.stride
        block = Block.of(begin, excess, cards, stride, staircase.numbers)
        assert block is not None  # as it is where few stairs are left
        near = 2 * block.window(2 * block.reach)
        whole = 2 * stride * len(staircase.cells)
        sides = [begin, block.end]
        ax.fill_between(sides, 0, near, color=COLOURS[0], alpha=0.5, lw=0)
        ax.fill_between(sides, near, whole, color=COLOURS[1], alpha=0.25, lw=0)
        samples = np.arange(stride, whole, 2 * 24 * stride)
        ax.plot(np.full(len(samples), begin), samples, ".", color=ink(), ms=3)
        staircase.climb(cards)
        tops = staircase.levels[excess + 1 :]
        ax.vlines(tops, 0, near, lw=0.5, color=ink())
        middle, deep = (begin + block.end) / 2, 8000
        arrow = {"arrowstyle": "->", "color": ink()}
        ax.annotate("", (block.end, deep), (begin, deep), arrowprops=arrow)
        ax.text(middle, deep - 150, "one step", ha="center", va="bottom")
        climbed = f"{len(tops)} stairs,\none by one"
        ax.text(middle, near / 2, climbed, ha="center", va="center", bbox=paper)
    ax.ticklabel_format(useMathText=True)
    ax.set(xlabel="cards remaining", ylabel="depth below the barrier")
    ax.margins(x=0.02, y=0)
    ax.invert_yaxis()
