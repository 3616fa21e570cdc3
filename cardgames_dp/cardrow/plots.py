"""Pictures of cards in a row: the collapse, and a tournament.

They draw where `cardgames_dp.plots` does, whose pictures are for any game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardgames_dp._results import figures
from cardgames_dp._results.figures import COLOURS, require_kind
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short
from cardgames_dp.cardrow._kernels import collapse
from cardgames_dp.cardrow._kernels.row import Cards
from cardgames_dp.cardrow.cards import parse_row
from cardgames_dp.cardrow.matches import Tournament

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_collapse", "plot_tournament"]
__dir__ = __all__.copy  # for completion

_LARGEST = 11.0
"""The largest size of text, in points."""

_SMALLEST = 7.0
"""The smallest size of text, in points; smaller text is left out."""

_MOST_LETTERS = 45
"""The largest number of letters in names of players that are not slanted."""

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


@suggest_arguments
def plot_tournament(
    results: Tournament, *, ax: Axes | None = None, **style: Any
) -> Axes:
    """Draw the share of games that each player wins in the first seat, with errors.

    Rows are players in the first seat, columns their opponents in the second. Below
    each share stand two standard errors. Many players have colours without numbers.

    Parameters
    ----------
    results : Tournament
        The tournament, from :func:`~cardgames_dp.cardrow.tournament`.
    ax : matplotlib Axes, optional
    **style
        Any of ``cmap``, ``norm``, ``vmin`` and ``vmax``, as in `plots.plot_map`.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> rows = cardrow.deal(100, 8, rng=1)
    >>> players = ["optimal", "greedy", "larger", "random"]
    >>> results = cardrow.tournament(players, rows, rng=1)
    >>> ax = cardrow.plots.plot_tournament(results)
    >>> ax.texts[0].get_text().split()
    ['96', '±', '4']
    """
    require_kind("results", results, Tournament)
    look = figures.image_style(style, cmap="PuOr", vmin=0, vmax=100)
    ax = figures.axes(ax)
    percent, errors = 100 * results.win_rate, 200 * results.win_rate_error
    image = ax.imshow(percent, aspect="auto", **look)
    label = f"% of {results.games:,} games, ± 2 standard errors"
    ax.figure.colorbar(image, ax=ax, label=label)
    digits = int(errors.max() < 3)
    size, colours = _text_size(ax, len(percent), 8), image.to_rgba(percent)
    for (first, second), share in np.ndenumerate(percent):
        error = errors[first, second]
        more = "" if np.isnan(error) else f"\n± {error:.{digits}f}"
        colour = figures.ink_on(colours[first, second])
        font: dict[str, Any] = {"color": colour, "size": size}
        if size >= _SMALLEST:
            text = f"{share:.{digits}f}{more}"
            ax.text(second, first, text, ha="center", va="center", **font)
    names = [str(player).replace("_", "_\n") for player in results.players]
    ax.set_xticks(range(len(percent)), names)
    ax.set_yticks(range(len(percent)), results.players)
    if sum(map(len, results.players)) > _MOST_LETTERS:
        for name in ax.get_xticklabels():
            name.set(rotation=30, ha="right", rotation_mode="anchor")
    ax.set_xlabel("player in the second seat")
    ax.set_ylabel("player in the first seat")
    ax.set_title("Games won in the first seat")
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
