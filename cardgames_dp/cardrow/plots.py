"""The picture of cards in a row: the collapse.

It draws where `cardgames_dp.plots` does, whose pictures are for any game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardgames_dp._results import figures
from cardgames_dp._results.figures import COLOURS
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short
from cardgames_dp.cardrow._kernels import collapse
from cardgames_dp.cardrow._kernels.row import Cards
from cardgames_dp.cardrow.cards import parse_row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_collapse"]
__dir__ = __all__.copy  # for completion

_LARGEST = 11.0
"""The largest size of text, in points."""

_SMALLEST = 7.0
"""The smallest size of text, in points; smaller text is left out."""

_MOST_COLLAPSED = 1000
"""The largest number of cards whose collapse is drawn; more need too many lines."""


@suggest_arguments
def plot_collapse(cards: Cards, *, ax: Axes | None = None) -> Axes:
    """Draw how a row collapses, peak by peak, to one that falls and then rises.

    Each line is the row after one more peak a <= b >= c became the card a - b + c,
    drawn in the place of b. Colour marks the next peak; lines lead from its cards to
    the new one. In long rows cards are drawn as squares without numbers.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row, at most a thousand cards; up to about thirty are easy to read.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> ax = cardrow.plots.plot_collapse([4, 4, 6, 6, 12, 9, 3, 8, 2, 7])
    >>> [text.get_text() for text in ax.texts][-2:]  # the last line
    ['-3', '7']
    """
    row = parse_row("cards", cards)
    if len(row.numerators) > _MOST_COLLAPSED:
        raise ValueError(
            f"cards must be at most {_MOST_COLLAPSED} for a picture of their collapse, "
            f"got {len(row.numerators)}; value(...) has no such limit"
        )
    ax = figures.axes(ax)
    steps = collapse.steps(row.numerators)
    n = len(row.numerators)
    texts = [[short(row.exact(card)) for card in left] for _, left, _ in steps]
    size = _text_size(ax, n, max([len(text) for line in texts for text in line]) + 1)
    cells = [
        (column, line, peak is not None and peak <= place <= peak + 2)
        for line, (columns, _, peak) in enumerate(steps)
        for place, column in enumerate(columns)
    ]
    if size >= _SMALLEST:
        written = [text for line in texts for text in line]
        for (column, line, next_to_go), text in zip(cells, written, strict=True):
            face = COLOURS[0] if next_to_go else figures.paper()
            box = {"boxstyle": "round", "facecolor": face, "edgecolor": figures.ink()}
            style: dict[str, Any] = {"ha": "center", "va": "center", "bbox": box}
            style["color"] = "white" if next_to_go else figures.ink()
            ax.text(column, line, text, size=size, **style)
    else:
        places = np.array(cells)
        for next_to_go, colour in ((False, figures.paper()), (True, COLOURS[0])):
            x, y, _ = places[places[:, 2] == next_to_go].T
            side = _text_size(ax, n, 2)
            ax.plot(x, y, "s", ms=side, mew=0.4, mfc=colour, mec=figures.ink())
    _join_peaks(ax, steps)
    if len(steps) > 1:
        label = r"next: the peak $a \leq b \geq c$, which becomes $a - b + c$"
        ax.plot([], [], "s", color=COLOURS[0], label=label)
    ax.set_xlim(-0.6, n - 0.4)
    ax.set_ylim(len(steps) - 0.5, -0.5)
    ax.locator_params(integer=True, min_n_ticks=1)
    ax.set_xlabel("position in the row")
    ax.set_ylabel("peaks collapsed")
    figures.title(ax, "The collapse of a row")
    return ax


def _text_size(ax: Axes, columns: int, letters: int) -> float:
    """Return the size of text, in points, at which letters fit in a column."""
    width = ax.get_window_extent().width / ax.figure.dpi * 72
    return float(min(_LARGEST, 1.4 * width / (columns * letters)))


def _join_peaks(ax: Axes, steps: list[tuple[list[int], list[int], int | None]]) -> None:
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
    ax.plot(x, y, color=figures.ink(0.5), linewidth=1, zorder=0.5)
