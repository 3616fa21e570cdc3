"""Pictures of cards in a row: the table, a line of play, the collapse, a tournament.

Each function draws on the axes that it is given, or else on a new figure, which Jupyter
shows at once, and returns the axes; ``ax.figure.savefig("picture.png")`` saves it.
matplotlib, the extra ``plot``, is loaded when a function is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardgames_dp import _checks, _figures
from cardgames_dp._figures import COLOURS, require_kind
from cardgames_dp._numbers import short
from cardgames_dp.cardrow import _calls_picture
from cardgames_dp.cardrow._cards import read
from cardgames_dp.cardrow._kernels import collapse
from cardgames_dp.cardrow._kernels.row import Cards, counted
from cardgames_dp.cardrow._writing import (
    line_of_play,
    number_turns,
    sums_written,
    text_size,
    write_cells,
)
from cardgames_dp.cardrow.matches import Match
from cardgames_dp.cardrow.play import Play
from cardgames_dp.cardrow.solution import Solution
from cardgames_dp.cardrow.tournaments import Tournament

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_calls", "plot_collapse", "plot_play", "plot_table", "plot_tournament"]

_SMALLEST = 5.0
"""The size of text, in points: what would have to be smaller is not written."""

_MOST_LETTERS = 45
"""Letters of all names of players, of which more are slanted."""

_MOST_CARDS = 60
"""Cards of a row up to which each shows the turn in which it goes."""

_MOST_BARS = 1000
"""Cards drawn as bars; more are lines, which are drawn at once."""

_MOST_COLLAPSED = 1000
"""Cards of a row whose collapse is drawn; of more it has too many lines."""


def __dir__() -> list[str]:
    return __all__


def plot_table(solution: Solution[Any], *, ax: Axes | None = None) -> Axes:
    """Draw the table of a solved row, an interval of cards a cell.

    Rows are the left ends of intervals, columns the right ends. A cell has the sums of
    the player to move and of the next one, and an arrow to the cell that the best turn
    leads to: down from the left card, leftwards from the right one. A star is a tie.
    Cells along the line of play from the whole row are framed. Colour is what the
    player to move wins by; tables too large for sums and arrows have the rest alone.

    Parameters
    ----------
    solution : Solution
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    TypeError
        If an argument is something else.
    ValueError
        If sums are too large to be drawn.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> ax = cardrow.plots.plot_table(cardrow.solve([14, 4, 7, 2, 5, 12]))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('right end of the interval', 'left end of the interval')
    """
    require_kind("solution", solution, Solution)
    ax = _figures.axes(ax)
    n = len(solution.cards)
    sums: Any = solution.sums
    leads = _figures.drawable("solution", sums[0] - sums[1:].max(axis=0))
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
    small = text_size(ax, n, 3) < _SMALLEST
    texts = {} if small else sums_written(solution)
    size = 0.0 if small else text_size(ax, n, max(map(len, texts.values())))
    if size >= _SMALLEST:
        write_cells(ax, solution, texts, leads / largest, size)
        cards = [short(card) for card in solution.cards]
        ax.set_xticks(range(n), [f"{i}:\n{card}" for i, card in enumerate(cards)])
        ax.set_yticks(range(n), [f"{i}: {card}" for i, card in enumerate(cards)])
        title = "Best turns, and sums of the player to move and the next one"
    else:
        ax.locator_params(integer=True)
        title = "What the player to move wins by, for each interval"
    line = line_of_play(solution)
    _figures.frame_cells(ax, line, 0.94, color="black", lw=1.6, label="line of play")
    if any(text.endswith("*") for text in texts.values()) and size >= _SMALLEST:
        ax.plot([], [], "*", color="black", label="tie")
    ax.set_xlabel("right end of the interval")
    ax.set_ylabel("left end of the interval")
    _figures.title(ax, title)
    return ax


def plot_play(cards: Cards, play: Play[Any] | Match, *, ax: Axes | None = None) -> Axes:
    """Draw a row as a strip of cards, each with who took it, and when.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row that was played.
    play : Play or Match
        As from :func:`optimal_play`, ``Solution.play`` or :func:`match`.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    TypeError
        If an argument is something else.
    ValueError
        If `play` is of another number of cards, or a card is too large to be drawn.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> row = [14, 4, 7, 2, 5, 12]
    >>> ax = cardrow.plots.plot_play(row, cardrow.optimal_play(row))
    >>> ax.get_title()
    'Who takes which card, and when: 26 to 18'
    """
    if isinstance(play, Match):
        players = play.takers
        names: tuple[str, ...] = play.players
    else:
        require_kind("play", play, Play, "cardrow.Play or cardrow.Match")
        players = play.players
        names = tuple([f"player {i + 1}" for i in range(len(play.sums))])
    row = read("cards", cards).numbers()
    n = len(play.positions)
    if len(row) != n:
        raise ValueError(f"play must be of the {len(row)} cards given, got one of {n}")
    heights = _figures.drawable("cards", np.array(row, object))
    ax = _figures.axes(ax)
    takers = np.empty(n, np.int64)
    takers[play.positions] = players
    for player, (name, total) in enumerate(zip(names, play.sums, strict=True)):
        colour, label = COLOURS[player % len(COLOURS)], f"{name}: {short(total)}"
        if n > _MOST_BARS:
            (theirs,) = np.nonzero(takers == player)
            ax.vlines(theirs, 0, heights[theirs], color=colour, label=label)
            continue
        ax.bar(
            range(n),
            np.where(takers == player, heights, np.nan),
            0.9,
            color=colour,
            edgecolor=colour,  # so that a 0 is seen
            label=label,
        )
    if n <= _MOST_CARDS:
        number_turns(ax, play.positions.tolist(), heights)
    ax.axhline(0, color="black", linewidth=0.8, zorder=0.5)
    ax.margins(y=0.12)
    ax.locator_params(axis="x", integer=True, min_n_ticks=1)
    ax.set_xlabel("position in the row")
    ax.set_ylabel(
        "card" + (", with the turn in which it goes" if n <= _MOST_CARDS else "")
    )
    sums = " to ".join([short(total) for total in play.sums])
    _figures.title(ax, f"Who takes which card, and when: {sums}", columns=3)
    return ax


def plot_collapse(cards: Cards, *, ax: Axes | None = None) -> Axes:
    """Draw how a row collapses, peak by peak, to one that falls and then rises.

    Each line is the row after one more peak a <= b >= c has become the single card
    a - b + c, which stands where b was. Colour marks the peak that goes next. Cards of
    rows too long for numbers are squares.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row; best with up to about thirty cards, and a thousand at most.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    TypeError, ValueError
        If an argument is something else.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> ax = cardrow.plots.plot_collapse([14, 4, 7, 2, 5, 12])
    >>> [text.get_text() for text in ax.texts]
    ['14', '4', '7', '2', '5', '12', '14', '-1', '5', '12']
    """
    row = read("cards", cards)
    if len(row.numerators) > _MOST_COLLAPSED:
        raise ValueError(
            f"cards must be at most {_MOST_COLLAPSED} for a picture of their collapse, "
            f"got {len(row.numerators)}; value(...) collapses any number"
        )
    ax = _figures.axes(ax)
    steps = collapse.steps(row.numerators)
    n = len(row.numerators)
    texts = [[short(row.exact(card)) for card in left] for _, left, _ in steps]
    size = text_size(ax, n, max([len(text) for line in texts for text in line]) + 1)
    cells = [
        (column, line, peak is not None and peak <= place <= peak + 2)
        for line, (columns, _, peak) in enumerate(steps)
        for place, column in enumerate(columns)
    ]
    if size >= _SMALLEST:
        written = [text for line in texts for text in line]
        for (column, line, next_to_go), text in zip(cells, written, strict=True):
            box = {
                "boxstyle": "round",
                "facecolor": COLOURS[4] if next_to_go else "white",
                "edgecolor": "0.4",
            }
            ax.text(column, line, text, ha="center", va="center", size=size, bbox=box)
    else:
        places = np.array(cells)
        for next_to_go, colour in ((False, "white"), (True, COLOURS[4])):
            x, y, _ = places[places[:, 2] == next_to_go].T
            side = text_size(ax, n, 2)
            ax.plot(x, y, "s", ms=side, mew=0.4, mfc=colour, mec="0.4")
    if len(steps) > 1:
        label = "next: the peak a ≤ b ≥ c, which becomes a - b + c"
        ax.plot([], [], "s", color=COLOURS[4], label=label)
    ax.set_xlim(-0.6, n - 0.4)
    ax.set_ylim(len(steps) - 0.5, -0.5)
    ax.locator_params(integer=True, min_n_ticks=1)
    ax.set_xlabel("position in the row")
    ax.set_ylabel("peaks collapsed")
    _figures.title(ax, "The collapse of a row")
    return ax


def plot_calls(cards: Cards, *, shared: bool = False, ax: Axes | None = None) -> Axes:
    """Draw the calls of the brute force, as a tree or with shared ones drawn once.

    Each call asks what an interval of the row is worth, and calls for the two that are
    left when an end is taken; labels are the positions of its end cards. In the tree,
    calls that ask again what was asked before (to the left of them) are hollow: what
    dynamic programming saves. With shared calls drawn once, the number is how often the
    brute force makes each: a binomial coefficient.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row; at most six cards, or twelve with shared calls. Only their number
        matters.
    shared : bool, default False
        Whether to draw each interval once.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    TypeError, ValueError
        If `cards` is no row of numbers, or too long; or an argument is something else.
    ModuleNotFoundError
        If matplotlib is not installed.

    References
    ----------
    The report "APP2: Hold'em for n00bs" by A. Pashevich and others, figure 1.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> ax = cardrow.plots.plot_calls([8, 4, 2, 2, 4])
    >>> ax.get_title()
    '31 calls for 15 intervals'
    """
    count = len(read("cards", cards).numerators)
    if _checks.boolean("shared", shared):
        most, draw = 12, _calls_picture.draw_shared
    else:
        most, draw = 6, _calls_picture.draw_tree
    if count > most:
        raise ValueError(
            f"cards must be at most {most} for a picture of all calls"
            f"{'' if shared else ' (12 with shared=True)'}, got {count}"
        )
    ax = _figures.axes(ax)
    draw(ax, count)
    ax.axis("off")
    intervals = count * (count + 1) // 2
    calls = f"{counted(2**count - 1, 'call')} for {counted(intervals, 'interval')}"
    _figures.title(ax, calls)
    return ax


def plot_tournament(results: Tournament, *, ax: Axes | None = None) -> Axes:
    """Draw the shares of games won by each player in the first seat, with errors.

    Bars are grouped by the player in the first seat, one for each in the second; error
    bars are two standard errors each way.

    Parameters
    ----------
    results : Tournament
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    TypeError
        If an argument is something else.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> rows = cardrow.deal(100, 8, rng=1)
    >>> results = cardrow.tournament(["optimal", "greedy", "larger"], rows, rng=1)
    >>> ax = cardrow.plots.plot_tournament(results)
    >>> len(ax.patches)
    9
    """
    require_kind("results", results, Tournament)
    ax = _figures.axes(ax)
    count = len(results.players)
    width = 0.8 / count
    errors = 2 * np.nan_to_num(results.win_rate_error)
    for second, name in enumerate(results.players):
        ax.bar(
            np.arange(count) + (second - (count - 1) / 2) * width,
            results.win_rate[:, second],
            width,
            yerr=errors[:, second],
            capsize=2,
            color=COLOURS[second % len(COLOURS)],
            label=name,
        )
    ax.set_ylim(0, 1.05)
    ax.set_xticks(range(count), results.players)
    if sum(map(len, results.players)) > _MOST_LETTERS:
        for label in ax.get_xticklabels():
            label.set(rotation=30, ha="right", rotation_mode="anchor")
    ax.set_xlabel("player in the first seat")
    ax.set_ylabel(f"share of {results.games:,} games won, ± 2 standard errors")
    title = "Games won in the first seat, by the player in the second"
    _figures.title(ax, title, columns=4)
    return ax
