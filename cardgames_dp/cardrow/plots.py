"""The picture of cards in a row: the collapse.

It draws where `cardgames_dp.plots` does, whose pictures are for any game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

_MOST_CARDS = 30
"""The largest number of cards whose collapse is drawn: more could not be read."""


@suggest_arguments
def plot_collapse(cards: Cards, *, ax: Axes | None = None) -> Axes:
    """Draw how a row collapses, peak by peak, to one that falls and then rises.

    Each line is the row after one more peak a <= b >= c became the card a - b + c,
    drawn in the place of b. Colour marks the next peak; lines lead from its cards to
    the new one.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row, at most 30 cards.
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
    n = len(row.numerators)
    if n > _MOST_CARDS:
        raise ValueError(
            f"cards must be at most {_MOST_CARDS} for a picture of their collapse, got "
            f"{n}; value(...) has no such limit"
        )
    ax, ink = figures.axes(ax), figures.ink()
    steps = collapse.steps(row.numerators)
    texts = [[short(row.exact(card)) for card in left] for _, left, _ in steps]
    letters = max([len(text) for line in texts for text in line]) + 1
    width = ax.get_window_extent().width / ax.figure.dpi * 72
    style: dict[str, Any] = {"size": min(11.0, 1.4 * width / (n * letters))}
    style |= {"ha": "center", "va": "center"}
    for line, (columns, _, peak) in enumerate(steps):
        for place, column in enumerate(columns):
            is_next = peak is not None and peak <= place <= peak + 2
            face = COLOURS[0] if is_next else figures.paper()
            box = {"boxstyle": "round", "facecolor": face, "edgecolor": ink}
            colour = "white" if is_next else ink
            ax.text(column, line, texts[line][place], bbox=box, color=colour, **style)
            if is_next and peak is not None:
                ends = [column, columns[peak + 1]], [line, line + 1]
                ax.plot(*ends, color=figures.ink(0.5), linewidth=1, zorder=0.5)
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
