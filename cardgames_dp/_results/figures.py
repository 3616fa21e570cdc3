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
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardgames_dp._support import arguments
from cardgames_dp._support.printing import short
from cardgames_dp._support.running import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#c973a3", "#7a6a55")
"""Colours with a contrast of at least 3 : 1 to white and to black, by WCAG 2.2.

Colour-blind people can distinguish them: three are M. Okabe and K. Ito's, the others
darker than theirs. In grey they are much alike, so pictures do not tell things apart by
colour alone.
"""

_ROUNDS = 12
"""Rounds of ordering and placing layers; more change little."""

_SIZE = (6, 4.5)
"""Inches of a new figure: on the width of a phone its text can still be read."""

_MOST_LETTERS = 56
"""The most letters, or gaps as wide, side by side in a legend."""

HUES = ("#0072b2", "#f0b440", "#009e73", "#c973a3", "#d55e00", "#56b4e9", "#7a6a55")
"""The colours of words on squares, each of which differs in grey from the next."""

GREY = "#999999"
"""What covers squares that have no colour of their own, and the lines of holes."""

_SIDE_OF_LETTERS, _SIDE_OF_NUMBERS = 20, 12
"""The most squares a side with letters, and lines between them; and with numbers."""

_MOST_TICKS, MOST_SHOWN = 14, 40
"""The most words along an axis, and letters of a line."""

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
    ipython = sys.modules.get("IPython")
    interactive = ipython is not None and ipython.get_ipython() is not None
    if ax is None:
        name, make = ("pyplot", "figure") if interactive else ("figure", "Figure")
        maker = getattr(_matplotlib(name), make)
        new: Axes = maker(figsize=size, layout="constrained").add_subplot()
        return new
    require_kind("ax", ax, _matplotlib("axes").Axes, "matplotlib Axes")
    return ax


def _matplotlib(name: str) -> Any:
    return require(f"matplotlib.{name}", extra="plot", purpose="a picture")


def title(ax: Axes, text: str) -> None:
    """Write the title and, below it, where it hides nothing, a legend.

    The legend has what is labelled by then, in three columns, or fewer if labels are
    long. Another title moves above it, too.
    """
    ax.set_title(text)
    labels = ax.get_legend_handles_labels()[1]
    if not labels:
        return
    for columns in (3, 2, 1):
        rows = math.ceil(len(labels) / columns)
        parts = [labels[top : top + rows] for top in range(0, len(labels), rows)]
        if sum([max(map(len, part)) + 4 for part in parts]) <= _MOST_LETTERS:
            break
    look: dict[str, Any] = {"handlelength": 1.5, "columnspacing": 1.2}
    look |= {"frameon": False, "fontsize": "medium", "borderaxespad": 0.2}
    corner: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1)}
    ax.legend(ncols=columns, **corner, **look)
    # Titles stay above axes inside of others, but not above legends.
    room = ax.inset_axes((0, 0, 1, 1))
    room.set_visible(False)
    room.set_axes_locator(partial(_around_legend, ax))


def _around_legend(ax: Axes, _: Axes, renderer: Any) -> Any:
    """Return the place of the legend in the figure; of the axes if it is removed."""
    box = ax.get_legend() or ax
    return box.get_window_extent(renderer).transformed(ax.figure.transFigure.inverted())


def _beside(ax: Axes, bar: Axes, _: Any) -> Any:
    """Return the place of a colour bar in the figure, as high as its axes."""
    place, height = bar.get_position(original=True), ax.get_position()
    return type(place).from_extents(place.x0, height.y0, place.x1, height.y1)


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


def require_kind(name: str, value: object, kind: Any, accepted: str = "") -> None:
    """Refuse what is not of a kind, which messages name with its package."""
    if not isinstance(value, kind):
        raise arguments.wrong_type(
            f"{name} must be a {accepted or _called(kind)}", value
        )


def _called(kind: type[Any]) -> str:
    return f"{kind.__module__.split('.')[1]}.{kind.__name__}"


# Squares


class Side(NamedTuple):
    """A side of squares: its name and its values.

    Integers begin at `first` and stand where they are, with those between them.
    """

    name: str
    values: Sequence[Any]
    first: int = 0


@dataclass(slots=True)
class Squares:
    """Squares on two sides: their colours, and what is written on them.

    Attributes
    ----------
    sides : tuple of two Side
        The vertical one first.
    keys : ndarray of int, shape (n, 2)
        By square: its places on both sides.
    numbers : ndarray of float64, shape (n,)
        By square: what its colour stands for, if it is not NaN.
    label : str
        What numbers are.
    words : sequence of str
        What the numbers 0, 1, ... stand for; empty if they are numbers.
    signs : sequence of str
        What is better where numbers are below 0, and above.
    look : dict
        How numbers are drawn.
    covers : list of tuple
        Flags of squares, the colour of what lies over them, and its name.
    dots : tuple of an array and a str, optional
        Flags of squares with a dot, and its name.
    """

    sides: tuple[Side, Side]
    keys: NDArray[Any]
    numbers: NDArray[Any]
    label: str
    words: Sequence[str] = ()
    signs: Sequence[str] = ()
    look: dict[str, Any] = field(default_factory=dict)
    covers: list[tuple[NDArray[np.bool_], str, str]] = field(default_factory=list)
    dots: tuple[NDArray[np.bool_], str] | None = None

    def draw(self, ax: Axes) -> None:
        """Draw squares, axes, and what the legend explains."""
        from matplotlib.colors import ListedColormap, to_rgba

        shape = high, wide = [len(side.values) for side in self.sides]
        low, left = [side.first - 0.5 for side in self.sides]
        frame: dict[str, Any] = {"extent": (left, left + wide, low, low + high)}
        frame |= {"origin": "lower", "interpolation": "nearest"}
        frame["aspect"] = "equal" if max(shape) < 3 * min(shape) else "auto"

        def image(numbers: NDArray[Any], **look: Any) -> Any:
            grid = np.full(shape, np.nan)
            grid[tuple(self.keys.T)] = numbers
            return ax.imshow(np.ma.masked_invalid(grid), **frame, **look)

        look: dict[str, Any] = {"cmap": "cividis"}
        if self.words:
            look["cmap"] = ListedColormap(HUES[: len(self.words)])
            look |= {"vmin": -0.5, "vmax": len(self.words) - 0.5}
        layer, empty = image(self.numbers, **look | self.look), np.isnan(self.numbers)
        if not self.words and not empty.all():
            thin = 20 * min(1, high / wide) if frame["aspect"] == "equal" else 20
            bar = ax.figure.colorbar(layer, ax=ax, label=self.label, aspect=thin)
            bar.ax.set_axes_locator(partial(_beside, ax))
        names = [(layer.to_rgba(k), word) for k, word in enumerate(self.words)]
        for some, colour, name in self.covers:
            image(np.where(some, 0, np.nan), cmap=ListedColormap([colour]))
            # The square of the legend is like the first that is covered.
            *top, veil = to_rgba(colour)
            below = layer.to_rgba(np.ma.masked_invalid(self.numbers))[some][0, :3]
            mix = veil * np.array(top) + (1 - veil) * below
            names.append((mix, name))
            empty &= ~some
        for colour, name in names:
            text = label(name, MOST_SHOWN)
            ax.plot([], [], "s", color=colour, label=text, ms=9, mec=ink())
        if np.count_nonzero(~empty) < high * wide:
            # Opaque: a file of SVG would have no lines otherwise.
            hatch: dict[str, Any] = {"facecolor": paper(), "hatch": "///"}
            hatch |= {"edgecolor": GREY, "linewidth": 0}
            ax.patch.set(**hatch)
            ax.fill([], [], label="no decision", **hatch)
        self._write(ax, layer.to_rgba(np.ma.masked_invalid(self.numbers)), max(shape))
        for axis, side in zip((ax.yaxis, ax.xaxis), self.sides, strict=True):
            _label_side(axis, side, lines=max(shape) <= _SIDE_OF_LETTERS)

    def _write(self, ax: Axes, colours: NDArray[Any], side: int) -> None:
        """Write on squares what they show, if they are large, and mark some."""
        numbers, texts = self.numbers.tolist(), [""] * len(self.numbers)
        if (self.words or self.signs) and side <= _SIDE_OF_LETTERS:
            letters = _letters(self.words or (self.signs[0], "", self.signs[-1]))
            index = numbers if self.words else np.sign(self.numbers) + 1
            texts = ["" if math.isnan(k) else letters[int(k)] for k in index]
        elif side <= _SIDE_OF_NUMBERS:
            most = np.nanmax(np.abs(self.numbers), initial=0) or 1
            places = 2 - math.floor(math.log10(most))
            texts = [
                "" if math.isnan(x) else short(round(x, places), 4) for x in numbers
            ]
        size = min(11, 360 / side / max(1, *map(len, texts)))
        centres = self.keys + [side.first for side in self.sides]
        for (y, x), text, colour in zip(centres.tolist(), texts, colours, strict=True):
            style: dict[str, Any] = {"ha": "center", "va": "center", "size": size}
            if text:
                ax.text(x, y, label(text), color=ink_on(colour), **style)
        if self.dots is not None and self.dots[0].any():
            corner = [-0.3, 0.3] if any(texts) else [0, 0]
            y, x = (centres[self.dots[0]] + corner).T
            style = {"ms": max(3, min(6, 150 / side)), "mec": "white", "mew": 0.6}
            ax.plot(x, y, "o", color="black", label=self.dots[1], **style)


def _letters(words: Sequence[str]) -> list[str]:
    """Return the first letters of words, as many as tell them apart, up to three."""
    for count in (1, 2, 3):
        letters = [word.strip()[:count] for word in words]
        if len({*letters}) == len(letters):
            return letters
    return [""] * len(words)


def _label_side(axis: Any, side: Side, *, lines: bool) -> None:
    """Label an axis, and draw lines between squares."""
    count, values = len(side.values), [*side.values]
    if values == [*range(side.first, side.first + count)]:
        axis.get_major_locator().set_params(integer=True, min_n_ticks=1)
    else:
        numbers = int, float, Fraction
        texts = [short(x, 4) if isinstance(x, numbers) else label(x) for x in values]
        most = _MOST_TICKS
        if axis.axis_name == "x":  # side by side
            most = max(MOST_SHOWN // (max(map(len, texts)) + 2), 4)
        step = math.ceil(count / most) if count > _MOST_TICKS else 1
        texts = texts[::step]
        axis.set_ticks(range(0, count, step), texts)
        if axis.axis_name == "x" and sum(map(len, texts)) > MOST_SHOWN:
            axis.set_tick_params(rotation=30)
    axis.set_label_text(side.name)
    if lines:
        axis.set_ticks(side.first + np.arange(1, count) - 0.5, minor=True)
        axis.set_tick_params(which="minor", length=0)
        axis.grid(which="minor", color=paper(), linewidth=0.8)


# Layers of a drawn graph


def layered(
    levels: Sequence[int], edges: Sequence[tuple[int, int]]
) -> tuple[list[float], list[list[int]]]:
    """Return the horizontal place of every point, and the points of every edge.

    As K. Sugiyama, S. Tagawa and M. Toda do (IEEE Transactions on Systems, Man, and
    Cybernetics 11, 1981, 109-125): an edge that passes levels gets a point on each of
    them, so that it can go around the nodes there; the points of a level are ordered by
    the mean place of their neighbours above, below and on both sides, in several
    rounds, and placed as close to it as a distance of 1 allows, by least squares.

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
    near = [up + down for up, down in zip(above, below, strict=True)]
    rows: list[list[int]] = [[] for _ in range(max(level_of) + 1)]
    for point, level in enumerate(level_of):
        rows[level].append(point)
    places = [0.0] * len(level_of)
    for beside in [above, below, near] * _ROUNDS:
        for row in rows[::-1] if beside is below else rows:
            others = [[places[x] for x in beside[k] or [k]] for k in row]
            means = [sum(x) / len(x) for x in others]
            order = sorted(range(len(row)), key=means.__getitem__)
            row[:] = [row[k] for k in order]
            # With k subtracted from the k-th place, places must not decrease.
            steps = np.arange(len(row))
            closest = isotonic_regression(np.array(means)[order] - steps).x + steps
            for point, place in zip(row, closest.tolist(), strict=True):
                places[point] = place
    return places, paths
