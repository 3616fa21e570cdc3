"""Pictures of cards in a row: the table, a line of play, the collapse, a tournament.

Each function draws on the given axes, or on a new figure, which Jupyter shows at once,
and returns the axes; ``ax.figure.savefig("picture.png")`` saves the picture. Matplotlib
(the extra ``plot``) is loaded when a function is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.solution import Solution
from cardgames_dp._results import figures
from cardgames_dp._results.figures import COLOURS, require_kind
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short
from cardgames_dp.cardrow._kernels import collapse
from cardgames_dp.cardrow._kernels.row import Cards
from cardgames_dp.cardrow.cards import read
from cardgames_dp.cardrow.fast import Cells, cells
from cardgames_dp.cardrow.matches import Match, Tournament
from cardgames_dp.cardrow.row import CardRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_collapse", "plot_play", "plot_table", "plot_tournament"]
__dir__ = __all__.copy  # for completion

_LARGEST = 11.0
"""The largest size of text, in points."""

_SMALLEST = 7.0
"""The smallest size of text, in points; smaller text is left out."""

_MOST_LETTERS = 45
"""The largest number of letters in names of players that are not slanted."""

_MOST_BARS = 1000
"""The largest number of cards drawn as bars; more are drawn as lines, all at once."""

_MOST_COLLAPSED = 1000
"""The largest number of cards whose collapse is drawn; more need too many lines."""


@suggest_arguments
def plot_table(solution: Solution[Any, Any, Any], *, ax: Axes | None = None) -> Axes:
    """Draw the table of a solved row, one cell for each interval.

    Rows are the left ends of intervals, columns the right ends. A cell shows the sums
    of the player to move and of the next one, and an arrow to the cell that the best
    turn leads to: down for the left card, to the left for the right one. A star marks a
    tie, frames the line of play from the whole row, and colour what the player to move
    wins by. Large tables have no sums and arrows.

    Parameters
    ----------
    solution : Solution
        The solved row, from :func:`~cardgames_dp.cardrow.solve`.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        If sums are too large to be drawn.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> ax = cardrow.plots.plot_table(cardrow.solve([14, 4, 7, 2, 5, 12]))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('right end of the interval', 'left end of the interval')
    """
    require_kind("solution", solution, Solution, "game.Solution")
    row: Any = solution.game
    if not isinstance(row, CardRow):
        raise ValueError(
            "solution must be of cards in a row, such as cardrow.solve(cards), got one "
            f"of {arguments.described(row)}"
        )
    ax = figures.axes(ax)
    n = len(row.cards)
    ends = np.triu_indices(n)
    known = cells(solution, *ends)
    leads = np.zeros((n, n))
    leads[ends] = figures.drawable("solution", known.leads)
    below = np.tri(n, k=-1, dtype=bool)
    largest = np.abs(leads[~below]).max() or 1.0
    image = ax.imshow(
        np.ma.masked_array(leads, below),
        cmap="PuOr",
        vmin=-largest,
        vmax=largest,
        aspect="auto",
    )
    ax.figure.colorbar(image, ax=ax, label="what the player to move wins by")
    # Where the shortest text would be too small, none is made.
    small = _text_size(ax, n, 3) < _SMALLEST
    texts = {} if small else _written(known, ends)
    size = 0.0 if small else _text_size(ax, n, max(map(len, texts.values())))
    if size >= _SMALLEST:
        _write_cells(ax, known.turns.tolist(), texts, image.to_rgba(leads), size)
        cards = [short(card) for card in row.cards]
        ax.set_xticks(range(n), [f"{i}:\n{card}" for i, card in enumerate(cards)])
        ax.set_yticks(range(n), [f"{i}: {card}" for i, card in enumerate(cards)])
        title = "Best turns, and sums of the player to move and the next one"
    else:
        ax.locator_params(integer=True)
        title = "What the player to move wins by, for each interval"
    line = _line_of_play(known, ends)
    figures.frame_cells(ax, line, 0.94, color="black", label="line of play")
    if any(text.endswith("*") for text in texts.values()) and size >= _SMALLEST:
        ax.plot([], [], "*", color=figures.ink(), label="tie")
    ax.set_xlabel("right end of the interval")
    ax.set_ylabel("left end of the interval")
    figures.title(ax, title)
    return ax


@suggest_arguments
def plot_play(game: Match[Any], *, ax: Axes | None = None) -> Axes:
    """Draw a row as a strip of cards, with the player and the turn that took each.

    Parameters
    ----------
    game : Match
        The game, from ``match``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        If a card is too large to be drawn.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> game = cardrow.match([14, 4, 7, 2, 5, 12])
    >>> ax = cardrow.plots.plot_play(game)
    >>> ax.get_title()
    'Who takes which card, and when: 26 to 18'
    """
    require_kind("game", game, Match)
    names = game.players
    if len({*names}) < len(names):
        names = tuple([f"player {i}, {name}" for i, name in enumerate(names, 1)])
    n = len(game.cards)
    heights = figures.drawable("game", np.array(game.cards, object))
    ax = figures.axes(ax)
    takers = np.empty(n, np.int64)
    takers[game.positions] = game.takers
    for player, (name, total) in enumerate(zip(names, game.sums, strict=True)):
        colour, label = COLOURS[player % len(COLOURS)], f"{name}: {short(total)}"
        face = colour, (1, 0.3, 0.6)[player % 3]  # so that they differ in grey
        if n > _MOST_BARS:
            (theirs,) = np.nonzero(takers == player)
            ax.vlines(theirs, 0, heights[theirs], color=colour, label=label)
            continue
        ax.bar(
            range(n),
            np.where(takers == player, heights, np.nan),
            0.9,
            color=face,
            edgecolor=colour,  # so that a 0 is visible
            label=label,
        )
    numbered = _text_size(ax, n, 2) >= _SMALLEST
    if numbered:
        _number_turns(ax, game.positions.tolist(), heights)
    ax.axhline(0, color=figures.ink(), linewidth=0.8, zorder=0.5)
    ax.margins(y=0.12)
    ax.locator_params(axis="x", integer=True, min_n_ticks=1)
    ax.set_xlabel("position in the row")
    ax.set_ylabel("card" + ", with the turn that takes it" * numbered)
    sums = " to ".join([short(total) for total in game.sums])
    figures.title(ax, f"Who takes which card, and when: {sums}")
    return ax


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
        Where to draw; a new figure if not given.

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
    row = read("cards", cards)
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
def plot_tournament(results: Tournament, *, ax: Axes | None = None) -> Axes:
    """Draw the share of games that each player wins in the first seat, with errors.

    Rows are players in the first seat, columns their opponents in the second. Below
    each share stand two standard errors. Many players have colours without numbers.

    Parameters
    ----------
    results : Tournament
        The tournament, from :func:`~cardgames_dp.cardrow.tournament`.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.

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
    ax = figures.axes(ax)
    percent, errors = 100 * results.win_rate, 200 * results.win_rate_error
    image = ax.imshow(percent, cmap="PuOr", vmin=0, vmax=100, aspect="auto")
    label = f"% of {results.games:,} games, ± 2 standard errors"
    ax.figure.colorbar(image, ax=ax, label=label)
    digits = int(errors.max() < 3)
    size, colours = _text_size(ax, len(percent), 8), image.to_rgba(percent)
    for (first, second), share in np.ndenumerate(percent):
        error = errors[first, second]
        more = "" if np.isnan(error) else f"\n± {error:.{digits}f}"
        colour = figures.ink_on(colours[first, second])
        style: dict[str, Any] = {"color": colour, "size": size}
        if size >= _SMALLEST:
            text = f"{share:.{digits}f}{more}"
            ax.text(second, first, text, ha="center", va="center", **style)
    ax.set_xticks(range(len(percent)), results.players)
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


def _written(
    known: Cells, ends: tuple[NDArray[Any], NDArray[Any]]
) -> dict[tuple[int, int], str]:
    """Return the text of each cell: two sums, and a star if turns tie."""
    places = zip(*[x.tolist() for x in ends], strict=True)
    numbers = [sums.tolist() for sums in known.sums[:2]]
    return {
        place: ":".join(map(short, pair)) + "*" * bool(tie)
        for place, tie, *pair in zip(places, known.ties, *numbers, strict=True)
    }


def _line_of_play(
    known: Cells, ends: tuple[NDArray[Any], NDArray[Any]]
) -> list[tuple[int, int]]:
    """Return the intervals on the line of best turns from the whole row."""
    places = zip(*[x.tolist() for x in ends], strict=True)
    turns = dict(zip(places, known.turns.tolist(), strict=True))
    line, left, right = [], 0, int(ends[1].max())
    while left <= right:
        line.append((left, right))
        turn = turns[left, right]
        left, right = (left - turn, right) if turn < 0 else (left, right - turn)
    return line


def _write_cells(
    ax: Axes,
    turns: list[int],
    texts: dict[tuple[int, int], str],
    colours: np.ndarray[Any, Any],
    size: float,
) -> None:
    """Write sums and arrows into the cells, which have these colours."""
    for turn, ((left, right), text) in zip(turns, texts.items(), strict=True):
        colour = figures.ink_on(colours[left, right])
        ax.text(
            right, left - 0.12, text, ha="center", va="center", color=colour, size=size
        )
        if left < right:
            down = turn < 0
            start = (right, left + 0.16) if down else (right - 0.2, left + 0.2)
            end = (right, left + 0.46) if down else (right - 0.48, left + 0.2)
            arrow = {"arrowstyle": "-|>", "color": colour}
            ax.annotate("", end, start, arrowprops=arrow)


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


def _number_turns(ax: Axes, positions: list[int], heights: NDArray[Any]) -> None:
    """Write the number of its turn above each card, or below a negative one."""
    size = min(10.5, _text_size(ax, len(positions), 2))
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
