"""Details of the picture of a sheet: numbers, edges and marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _figures
from cardgames_dp.redblack.solution import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

STOP_CELL = "0.86"
"""The grey of states in which to stop; their worth, the cash, needs no colour."""

_EDGE, _TIE = "black", _figures.COLOURS[1]

_ROOM = 0.1
"""A region's word needs a circle about it, this much of the longer side in radius."""

_WORD: dict[str, Any] = {
    "ha": "center",
    "va": "center",
    "size": "x-large",
    "weight": "bold",
}

_MOST_NUMBERS = 12
"""Sheets with at most this many rows and columns show their numbers."""

_TIE_SIDE = 0.84
"""The side of a tie's frame, just inside its cell, so that the number stays free."""


def shows_numbers(table: NDArray[Any]) -> bool:
    """Return whether a table is small enough for its numbers to be read."""
    return bool(max(table.shape) <= _MOST_NUMBERS)


def mark_start(
    ax: Axes, image: AxesImage, solution: Solution[Any], table: NDArray[np.float64]
) -> None:
    """Mark the full deck at the corner of its cell, where the mark hides no number."""
    red, black = solution.red, solution.black
    label = f"{red} + {black}: worth {table[red, black]:.6g}"
    start: dict[str, Any] = {
        "color": "white",
        "markeredgecolor": "black",
        "clip_on": False,
    }
    ax.plot(black + 0.5, red + 0.5, "o", zorder=3, label=label, **start)
    if not shows_numbers(table) and not solution.stop[red, black]:
        ax.annotate(
            f"{table[red, black]:.3g}",
            (black + 0.5, red + 0.5),
            xytext=(8, -8),
            textcoords="offset points",
            va="top",
            color=_figures.ink(image.to_rgba(table[red, black])),
            weight="bold",
            size="large",
        )


def name_regions(
    ax: Axes, image: AxesImage, table: NDArray[np.float64], stop: NDArray[np.bool_]
) -> None:
    """Write what to do into the middle of a region, where it has room for the word."""
    from matplotlib.colors import to_rgba
    from scipy import ndimage

    for region, word in ((~stop, "draw"), (stop, "stop")):
        # The cell farthest from all others, and from the edges of the map.
        depth = ndimage.distance_transform_edt(np.pad(region, 1))[1:-1, 1:-1]
        red, black = np.unravel_index(depth.argmax(), depth.shape)
        if depth[red, black] >= _ROOM * max(stop.shape):
            stops = stop[red, black]
            cell = to_rgba(STOP_CELL) if stops else image.to_rgba(table[red, black])
            ax.text(black, red, word, color=_figures.ink(cell), **_WORD)


def write_numbers(
    ax: Axes, image: AxesImage, table: NDArray[np.float64], stops: NDArray[np.bool_]
) -> None:
    """Write the worth of each cell: bold in the states in which to stop."""
    colours = image.to_rgba(table)
    size = min(10, 90 / max(table.shape))
    for (red, black), number in np.ndenumerate(table):
        stop = bool(stops[red, black])
        ax.text(
            black,
            red,
            f"{number:.3g}",
            ha="center",
            va="center",
            size=size,
            color="black" if stop else _figures.ink(colours[red, black]),
            weight="bold" if stop else "normal",
        )


def outline_stops(ax: Axes, stop: np.ndarray[Any, Any]) -> None:
    if stop.all():  # the empty deck is always in it
        return
    # Each cell becomes a block of points, so that contours follow its edges. One more
    # point on each side makes contours reach the edges of the map.
    side = max(1, min(8, 1000 // max(stop.shape)))
    points = np.pad(np.kron(stop, np.ones((side, side))), 1, mode="edge")
    beyond = 0.5 + 1 / side
    rows, columns = stop.shape
    extent = (-beyond, columns - 1 + beyond, -beyond, rows - 1 + beyond)
    style: dict[str, Any] = {"origin": "lower", "extent": extent, "linewidths": 1.5}
    ax.contour(points, levels=[0.5], colors=_EDGE, **style)
    ax.fill([], [], facecolor=STOP_CELL, edgecolor=_EDGE, label="stop")


def mark_ties(ax: Axes, ties: np.ndarray[Any, Any]) -> None:
    if not ties.any():
        return
    cells = np.argwhere(ties)  # [red, black]; black is the x axis
    _figures.frame_cells(ax, cells, _TIE_SIDE, color=_TIE, label="tie")
