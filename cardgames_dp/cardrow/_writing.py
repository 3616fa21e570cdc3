"""Text in pictures: the cells of a solved row's table, and the numbers of turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _figures
from cardgames_dp._numbers import short
from cardgames_dp.cardrow.solution import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LARGEST = 11.0
"""The largest size of text, in points."""


def text_size(ax: Axes, columns: int, letters: int) -> float:
    """Return the size of text, in points, at which letters fit in a column."""
    width = ax.get_window_extent().width / ax.figure.dpi * 72
    return float(min(_LARGEST, 1.4 * width / (columns * letters)))


def sums_written(solution: Solution[Any]) -> dict[tuple[int, int], str]:
    """Return the text of each cell: two sums, and a star if turns tie."""
    own, other = solution.sums[:2].tolist()
    return {
        (left, right): f"{short(own[left][right])}:{short(other[left][right])}"
        + "*" * bool(solution.ties[left, right])
        for left in range(len(own))
        for right in range(left, len(own))
    }


def line_of_play(solution: Solution[Any]) -> list[tuple[int, int]]:
    """Return the intervals on the line of best turns from the whole row."""
    line, left, right = [], 0, len(solution.cards) - 1
    best = solution.best.tolist()
    while left <= right:
        line.append((left, right))
        left, right = _after(left, right, best[left][right])
    return line


def write_cells(
    ax: Axes,
    solution: Solution[Any],
    texts: dict[tuple[int, int], str],
    colours: np.ndarray[Any, Any],
    size: float,
) -> None:
    """Write sums and arrows into the cells, which have these colours."""
    best = solution.best.tolist()
    for (left, right), text in texts.items():
        colour = _figures.ink(colours[left, right])
        ax.text(
            right, left - 0.12, text, ha="center", va="center", color=colour, size=size
        )
        if left < right:
            down = best[left][right] < 0
            start = (right, left + 0.16) if down else (right - 0.2, left + 0.2)
            end = (right, left + 0.46) if down else (right - 0.48, left + 0.2)
            arrow = {"arrowstyle": "-|>", "color": colour}
            ax.annotate("", end, start, arrowprops=arrow)


def join_peaks(ax: Axes, steps: list[tuple[list[int], list[int], int | None]]) -> None:
    """Draw lines from the cards of each peak that collapses to the card it becomes."""
    lines = [
        ((column, line), (columns[peak + 1], line + 1))
        for line, (columns, _, peak) in enumerate(steps)
        if peak is not None
        for column in columns[peak : peak + 3]
    ]
    # A gap after each line lets one artist draw them all.
    ends = np.full((len(lines), 3, 2), np.nan)
    ends[:, :2] = np.reshape(lines, (-1, 2, 2))
    x, y = ends.reshape(-1, 2).T
    ax.plot(x, y, color="0.6", linewidth=1, zorder=0.5)


def _after(left: int, right: int, code: int) -> tuple[int, int]:
    """Return the interval that a turn leaves; negative codes are from the left."""
    return (left - code, right) if code < 0 else (left, right - code)


def number_turns(ax: Axes, positions: list[int], heights: NDArray[Any]) -> None:
    """Write the number of its turn above each card, or below a negative one."""
    size = min(10.5, text_size(ax, len(positions), 2))
    for turn, position in enumerate(positions, start=1):
        down = heights[position] < 0
        ax.annotate(
            str(turn),
            (position, heights[position]),
            xytext=(0, -3 if down else 3),
            textcoords="offset points",
            ha="center",
            va="top" if down else "bottom",
            size=size,
        )
