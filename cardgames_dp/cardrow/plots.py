"""Pictures of cards in a row: the table, a line of play, the collapse, a tournament.

Each function draws on the given axes, or on a new figure, which Jupyter shows at once,
and returns the axes; ``ax.figure.savefig("picture.png")`` saves the picture. Matplotlib
(the extra ``plot``) is loaded when a function is called.
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
    join_peaks,
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
"""The smallest size of text, in points; smaller text is left out."""

_MOST_LETTERS = 45
"""The largest number of letters in names of players that are not slanted."""

_MOST_CARDS = 60
"""The largest number of cards of which each shows the turn in which it is taken."""

_MOST_BARS = 1000
"""The largest number of cards drawn as bars; more are drawn as lines, all at once."""

_MOST_COLLAPSED = 1000
"""The largest number of cards whose collapse is drawn; more need too many lines."""


def __dir__() -> list[str]:
    return __all__


def plot_table(solution: Solution[Any], *, ax: Axes | None = None) -> Axes:
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
    TypeError
        If an argument is not as described above.
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
        write_cells(ax, solution, texts, image.to_rgba(leads), size)
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
    """Draw a row as a strip of cards, with the player and the turn that took each.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row that was played.
    play : Play or Match
        The game, from ``optimal_play``, ``Solution.play`` or ``match``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    TypeError
        If an argument is not as described above.
    ValueError
        If `play` has another number of cards, or a card is too large to be drawn.
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
            edgecolor=colour,  # so that a 0 is visible
            label=label,
        )
    if n <= _MOST_CARDS:
        number_turns(ax, play.positions.tolist(), heights)
    ax.axhline(0, color="black", linewidth=0.8, zorder=0.5)
    ax.margins(y=0.12)
    ax.locator_params(axis="x", integer=True, min_n_ticks=1)
    ax.set_xlabel("position in the row")
    ax.set_ylabel(
        "card" + (", with the turn that takes it" if n <= _MOST_CARDS else "")
    )
    sums = " to ".join([short(total) for total in play.sums])
    _figures.title(ax, f"Who takes which card, and when: {sums}")
    return ax


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

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above.
    ModuleNotFoundError
        If matplotlib is not installed.

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
    join_peaks(ax, steps)
    if len(steps) > 1:
        label = r"next: the peak $a \leq b \geq c$, which becomes $a - b + c$"
        ax.plot([], [], "s", color=COLOURS[4], label=label)
    ax.set_xlim(-0.6, n - 0.4)
    ax.set_ylim(len(steps) - 0.5, -0.5)
    ax.locator_params(integer=True, min_n_ticks=1)
    ax.set_xlabel("position in the row")
    ax.set_ylabel("peaks collapsed")
    _figures.title(ax, "The collapse of a row")
    return ax


def plot_calls(cards: Cards, *, shared: bool = False, ax: Axes | None = None) -> Axes:
    """Draw the recursive calls of the brute force: as a tree, or each interval once.

    Each call solves an interval, by two calls: without its left and without its right
    end card. Labels are the positions of the end cards. In the tree, hollow calls
    repeat an earlier one: dynamic programming saves them. With ``shared=True`` each
    interval has the number of its calls, a binomial coefficient.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        At most six cards, or twelve with ``shared=True``; only their number matters.
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
        If an argument is not as described above.
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
    """Draw the share of games that each player wins in the first seat, with errors.

    A group of bars is a player in the first seat; a bar is an opponent in the second.
    Error bars are two standard errors in each direction.

    Parameters
    ----------
    results : Tournament
        The tournament, from :func:`~cardgames_dp.cardrow.tournament`.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    TypeError
        If an argument is not as described above.
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
    _figures.title(ax, title, columns=3)
    return ax
