"""What a picture shows, read back from its artists."""

from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.container import BarContainer, Container, ErrorbarContainer
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from numpy.typing import NDArray


def render(figure: Any) -> None:
    """Draw for real: the canvas of a figure that is not pyplot's draws nothing."""
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]


def draw(ax: Axes) -> None:
    """Render, which is where a broken artist shows."""
    render(ax.figure)


def pixels(ax: Axes, layer: int = 0) -> np.ma.MaskedArray[Any, np.dtype[Any]]:
    """Return the numbers behind an image."""
    shown = ax.images[layer].get_array()
    assert isinstance(shown, np.ma.MaskedArray)
    return shown


def xs(line: Line2D) -> NDArray[Any]:
    return np.asarray(line.get_xdata())


def ys(line: Line2D) -> NDArray[Any]:
    return np.asarray(line.get_ydata())


def points(line: Line2D) -> NDArray[Any]:
    """Return a row of x and y for each point."""
    return np.asarray(line.get_xydata())


def label_of(artist: Artist | Container) -> str:
    return str(artist.get_label())


def legend_of(ax: Axes) -> Legend:
    result = ax.get_legend()
    assert result is not None
    return result


def bars_of(ax: Axes) -> list[BarContainer]:
    """Return the groups of bars."""
    return [group for group in ax.containers if isinstance(group, BarContainer)]


def rectangles(ax: Axes) -> list[Rectangle]:
    """Return the bars of all groups."""
    return [bar for bar in ax.patches if isinstance(bar, Rectangle)]


def cell_texts(ax: Axes) -> dict[tuple[int, int], str]:
    """Return the texts on the cells of an image, by column and row."""
    return {
        (round(x), round(y)): text.get_text()
        for text in ax.texts
        for x, y in [text.get_position()]
    }


def error_bars(container: object) -> NDArray[Any]:
    """Return the two ends of each error bar, as points."""
    assert isinstance(container, ErrorbarContainer)
    (segments,) = container.lines[2]
    assert isinstance(segments, LineCollection)
    return np.array(segments.get_segments())
