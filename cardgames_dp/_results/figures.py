"""Axes and parts of all pictures.

A picture is drawn on the axes that the caller gives, or on a new figure. In IPython and
Jupyter a new figure is made by pyplot, so that they show and close it. Elsewhere it is
made without pyplot, so that no figure stays open. No style is changed. Text, axes and
lines of comparison have the colours of the style in use, so that under
``matplotlib.style.context("dark_background")`` they are light on dark.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardgames_dp._support import arguments
from cardgames_dp._support.running import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

T = TypeVar("T")

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#c973a3", "#7a6a55")
"""Colours with a contrast of at least 3 : 1 to white and to black, by WCAG 2.2.

Colour-blind people can distinguish them: three are M. Okabe and K. Ito's, the others
darker than theirs. In grey they are much alike, so pictures do not tell things apart by
colour alone.
"""

_ROUNDS = 12
"""Rounds of ordering layers, and of placing; more change little."""

_SIZE = (6, 4.5)
"""Inches of a new figure: on the width of a phone its text can still be read."""

_MOST_LETTERS = 56
"""The most letters, or gaps as wide, side by side in a legend."""

_STYLE = ("cmap", "norm", "vmin", "vmax")
"""What callers hand on to matplotlib, of images."""

_LARGEST_DRAWN = 1e100
"""The largest number that is drawn; axes around larger ones could overflow."""


def axes(ax: Axes | None, *, size: tuple[float, float] = _SIZE) -> Axes:
    """Return the axes given, or those of a new figure of this size in inches.

    Raises
    ------
    TypeError
        If `ax` is something else.
    ModuleNotFoundError
        If matplotlib is not installed.
    """
    if ax is None:
        return _new_figure(size, layout="constrained").add_subplot()
    require_kind("ax", ax, _axes_kind(), "matplotlib Axes")
    return ax


def panels(ax: NDArray[Any] | None, count: int) -> NDArray[Any]:
    """Return n of the axes given, or of a new figure with panels in a square.

    Raises
    ------
    TypeError
        If `ax` is not an array of axes.
    ValueError
        If there are too few of them.
    ModuleNotFoundError
        If matplotlib is not installed.
    """
    if ax is not None:
        flat = np.asarray(ax, dtype=object).ravel()
        for panel in flat:
            require_kind(
                "ax", panel, _axes_kind(), "matplotlib Axes or an array of them"
            )
        if len(flat) < count:
            raise ValueError(f"ax must hold {count} Axes or more, got {len(flat)}")
        return flat[:count]
    columns = math.ceil(math.sqrt(count))
    # Constrained layout would take seconds for 49 panels.
    edges = {"left": 0.11, "right": 0.98, "bottom": 0.11, "top": 0.91}
    grid = _new_figure(_SIZE, layout=None).subplots(
        math.ceil(count / columns),
        columns,
        sharex=True,
        sharey=True,
        squeeze=False,
        gridspec_kw=edges,
    )
    for place, panel in enumerate(grid.flat):
        if place >= count:
            panel.remove()
        elif place + columns >= count:  # above an empty place, too
            panel.tick_params(labelbottom=True)
    first: NDArray[Any] = grid.ravel()[:count]
    return first


def _axes_kind() -> type[Any]:
    kind: type[Any] = require("matplotlib.axes", extra="plot", purpose="a picture").Axes
    return kind


def _new_figure(size: tuple[float, float], *, layout: str | None) -> Figure:
    ipython = sys.modules.get("IPython")
    if ipython is not None and ipython.get_ipython() is not None:
        make = require("matplotlib.pyplot", extra="plot", purpose="a picture").figure
    else:
        make = require("matplotlib.figure", extra="plot", purpose="a picture").Figure
    figure: Figure = make(figsize=size, layout=layout)
    return figure


def title(ax: Axes, text: str, *, columns: int = 2) -> None:
    """Write the title and, below it, where it hides nothing, a legend.

    The legend has what is labelled by then, in this many columns, or in fewer if labels
    are long.
    """
    handles, labels = ax.get_legend_handles_labels()
    if not labels:
        ax.set_title(text)
        return
    columns = _fitting(labels, columns)
    rows = math.ceil(len(labels) / columns)
    legend = ax.legend(
        handles,
        labels,
        loc="lower left",
        bbox_to_anchor=(0, 1),
        borderaxespad=0.2,
        ncols=columns,
        frameon=False,
        fontsize="medium",
        handlelength=1.5,
        columnspacing=1.2,
    )
    # The height of a row and of the margins, by the size of letters; formulas: more.
    row = 1.75 if any("$" in label for label in labels) else 1.45
    ax.set_title(text, pad=(1 + row * rows) * legend.prop.get_size_in_points())


def _fitting(labels: list[str], most: int) -> int:
    """Return the number of columns in which labels are not wider than a picture."""
    for columns in range(most, 1, -1):
        rows = math.ceil(len(labels) / columns)
        tops = range(0, len(labels), rows)
        widths = [max(map(len, labels[top : top + rows])) + 4 for top in tops]
        if sum(widths) <= _MOST_LETTERS:
            return columns
    return 1


def image_style(style: dict[str, Any], **defaults: Any) -> dict[str, Any]:
    """Return how to draw an image: what a caller hands on, or else the defaults."""
    for name in style:
        arguments.choice("a keyword of style", name, _STYLE)
    return defaults | style


def label(text: object, most: int = 18) -> str:
    """Return a text in one line that matplotlib shows as it is, cut if it is long.

    What stands between dollars would be typeset as mathematics, and a legend leaves out
    what is empty or begins with an underscore.
    """
    line = " ".join(str(text).split()) or "-"
    line = line if len(line) <= most else line[: most - 1] + "…"
    return " " * line.startswith("_") + line.replace("$", r"\$")


def ink(opacity: float = 1) -> tuple[float, float, float, float]:
    """Return the colour of text in the style in use, opaque or as faint as wanted."""
    from matplotlib import rcParams
    from matplotlib.colors import to_rgba

    return to_rgba(rcParams["text.color"], opacity)


def paper() -> str:
    """Return the colour behind the axes in the style in use."""
    from matplotlib import rcParams

    return str(rcParams["axes.facecolor"])


def ink_on(colour: ArrayLike) -> str:
    """Return black or white, whichever can be read better on a colour, by WCAG 2.2."""
    parts = np.asarray(colour)[:3]
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ [0.2126, 0.7152, 0.0722])
    return "black" if luminance > 0.179 else "white"  # where their contrasts are equal


def colour(player: int) -> str:
    """Return the colour of a player."""
    return COLOURS[player % len(COLOURS)]


def drawable(name: str, numbers: NDArray[Any]) -> NDArray[np.float64]:
    """Return numbers in float64, for drawing; too large ones are refused."""
    try:
        floats: NDArray[np.float64] = numbers.astype(np.float64)
        largest = float(np.abs(floats).max())
    except OverflowError:
        largest = math.inf
    if largest > _LARGEST_DRAWN:
        raise ValueError(
            f"{name} must have numbers of at most {_LARGEST_DRAWN:g} to be drawn"
        )
    return floats


def list_of(name: str, items: Iterable[T], kind: type[T]) -> list[T]:
    """Return what to draw as a list, which must not be empty, and all of one kind."""
    if not arguments.is_iterable(items):
        raise arguments.wrong_type(
            f"{name} must be an iterable of {_called(kind)}", items
        )
    values = list(arguments.limited_items(name, items))
    for value in values:
        require_kind(name, value, kind, f"{_called(kind)} each")
    if not values:
        raise ValueError(f"{name} must hold at least one {kind.__name__}, got none")
    return values


def require_kind(name: str, value: object, kind: Any, accepted: str = "") -> None:
    """Refuse what is not of a kind, which messages name with its package."""
    if not isinstance(value, kind):
        raise arguments.wrong_type(
            f"{name} must be a {accepted or _called(kind)}", value
        )


def _called(kind: type[Any]) -> str:
    return f"{kind.__module__.split('.')[1]}.{kind.__name__}"


# Layers of a drawn graph


def layered(
    levels: Sequence[int], edges: Sequence[tuple[int, int]]
) -> tuple[list[float], list[list[int]]]:
    """Return the horizontal place of every point, and the points of every edge.

    As K. Sugiyama, S. Tagawa and M. Toda do (IEEE Transactions on Systems, Man, and
    Cybernetics 11, 1981, 109-125): an edge that passes levels gets a point on each of
    them, so that it can go around the nodes there; the points of a level are ordered by
    the mean place of their neighbours, in several rounds down and up, and then placed
    as close to that mean as a distance of 1 allows, by least squares.

    Parameters
    ----------
    levels : sequence of int
        The level of each node.
    edges : sequence of pairs of int
        Pairs of a node and a node of a later level.

    Returns
    -------
    places : list of float
        The places of the nodes, then of the points between them; at least 1 apart on a
        level.
    paths : list of list of int
        For each edge: its first node, the points between, and its last node.
    """
    from scipy.optimize import isotonic_regression

    level_of, paths = list(levels), []
    for first, last in edges:
        between = range(len(level_of), len(level_of) + levels[last] - levels[first] - 1)
        level_of += range(levels[first] + 1, levels[last])
        paths.append([first, *between, last])
    above: list[list[int]] = [[] for _ in level_of]
    below: list[list[int]] = [[] for _ in level_of]
    for path in paths:
        for upper, lower in pairwise(path):
            above[lower].append(upper)
            below[upper].append(lower)
    rows: list[list[int]] = [[] for _ in range(max(level_of) + 1)]
    places = [0.0] * len(level_of)
    for point in _by_depth(below):
        row = rows[level_of[point]]
        places[point] = float(len(row))
        row.append(point)
    for _ in range(_ROUNDS):
        for order, beside in ((rows, above), (rows[::-1], below)):
            for row in order:
                means = {point: _mean(point, beside, places) for point in row}
                row.sort(key=means.__getitem__)
                for k, point in enumerate(row):
                    places[point] = float(k)
    near = [up + down for up, down in zip(above, below, strict=True)]
    for _ in range(_ROUNDS):
        for row in rows:
            # With k subtracted from the k-th place, places must not decrease.
            steps = np.arange(len(row))
            targets = np.array([_mean(point, near, places) for point in row]) - steps
            closest = isotonic_regression(targets).x + steps
            for point, place in zip(row, closest.tolist(), strict=True):
                places[point] = place
    return places, paths


def _by_depth(below: list[list[int]]) -> list[int]:
    """Return all points in the order of a depth-first walk downward."""
    order: dict[int, None] = {}
    ahead = [0]
    while ahead:
        point = ahead.pop()
        if point not in order:
            order[point] = None
            ahead += reversed(below[point])
    return list(order)


def _mean(point: int, beside: list[list[int]], places: list[float]) -> float:
    others = beside[point]
    if not others:
        return places[point]
    return sum([places[other] for other in others]) / len(others)
