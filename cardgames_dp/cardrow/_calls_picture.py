"""Pictures of the calls of the brute force: a tree, or a net of shared calls."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cardgames_dp._figures import COLOURS
from cardgames_dp.cardrow._writing import text_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LARGEST = 10.5
"""The size of text in a node, in points, that need not be larger."""


def draw_tree(ax: Axes, count: int) -> None:
    """Draw every call for a row; calls for an interval that was solved are hollow."""
    seen: set[tuple[int, int]] = set()
    size = min(_LARGEST, text_size(ax, 2 ** (count - 1), 2))

    def call(left: int, right: int, x: float, depth: int) -> None:
        again = (left, right) in seen
        seen.add((left, right))
        if left < right:
            step = 2.0 ** (count - depth - 3)
            for side, interval in (
                (-step, (left + 1, right)),
                (step, (left, right - 1)),
            ):
                ax.plot(
                    [x, x + side], [-depth, -depth - 1], color="0.7", lw=1, zorder=1
                )
                call(*interval, x + side, depth + 1)
        _node(ax, x, -depth, left, right, again=again, size=size)

    call(0, count - 1, 0.0, 0)
    for again, label in ((False, "first call of an interval"), (True, "repeated call")):
        ax.plot([], [], "o", mec=COLOURS[0], mfc=_fill(again), label=label)


def draw_shared(ax: Axes, count: int) -> None:
    """Draw every interval of a row once, with the number of its calls."""
    size = min(_LARGEST, text_size(ax, count, 10))
    for left in range(count):
        for right in range(left, count):
            x, depth = (left + right) / 2, count - 1 - (right - left)
            if left < right:
                for side in (-0.5, 0.5):
                    ends = [x, x + side], [-depth, -depth - 1]
                    ax.plot(*ends, color="0.7", lw=1, zorder=1)
            # Of `depth` turns, `left` take the left end, in any order.
            calls = math.comb(depth, left)
            _node(ax, x, -depth, left, right, again=False, size=size)
            ax.annotate(
                f"{calls}x",
                (x, -depth),
                xytext=(14, 6),
                textcoords="offset points",
                size=9,
                color="0.35",
            )
    ax.margins(0.06)


def _node(
    ax: Axes, x: float, y: float, left: int, right: int, *, again: bool, size: float
) -> None:
    """Draw one call, labelled with the positions of its end cards."""
    text = str(left) if left == right else f"{left}-{right}"
    ax.text(
        x,
        y,
        text,
        ha="center",
        va="center",
        size=size,
        color="black" if again else "white",
        bbox={
            "boxstyle": "round,pad=0.25",
            "facecolor": _fill(again),
            "edgecolor": COLOURS[0],
        },
    )


def _fill(again: bool) -> str:
    return "white" if again else COLOURS[0]
