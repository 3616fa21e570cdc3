"""Pictures of Pairs: when to hit, chances of winning, and what policies cost.

Each function draws on the given axes, or on a new figure, which Jupyter shows at once,
and returns the axes; ``ax.figure.savefig("picture.png")`` saves the picture. Matplotlib
(the extra ``plot``) is loaded when a function is called.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from cardgames_dp import _figures
from cardgames_dp._figures import COLOURS, require_kind
from cardgames_dp.pairs._drawing import (
    choices,
    draw_choices,
    in_order,
    label_hands,
    losses,
    require_two,
)
from cardgames_dp.pairs.comparison import KINDS, Comparison
from cardgames_dp.pairs.evaluation import WinRate
from cardgames_dp.pairs.openings import OpeningTable
from cardgames_dp.pairs.response import BestResponse
from cardgames_dp.pairs.rounds import Round
from cardgames_dp.pairs.solution import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "plot_differences",
    "plot_hands",
    "plot_losses",
    "plot_opening",
    "plot_scores",
    "plot_win_rates",
]

_FIRST, _SECOND, _INK = *COLOURS[:2], "black"


def __dir__() -> list[str]:
    return __all__


def plot_opening(opening: OpeningTable, *, ax: Axes | None = None) -> Axes:
    """Draw whether to hit with one card against one card, and the gain.

    Parameters
    ----------
    opening : OpeningTable
        The table of a game of two players, from ``Solution.opening_table``.
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
        If there are more players.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(4), target=10))
    >>> ax = pairs.plots.plot_opening(solution.opening_table())
    >>> [text.get_text() for text in ax.texts][:5]
    ['hit', 'hit', 'hit', 'fold', 'hit']
    """
    require_kind("opening", opening, OpeningTable)
    require_two("opening", opening.hits.ndim)
    ax = _figures.axes(ax)
    ranks = [str(rank) for rank in opening.ranks]
    ax.set_xticks(range(len(ranks)), ranks)
    ax.set_yticks(range(len(ranks)), ranks)
    ax.set_xlabel("the other's card")
    ax.set_ylabel("own card")
    lead = np.ma.masked_array(opening.lead, ~opening.possible)
    own, other = opening.scores
    title = f"One card each, at {own} to {other} points"
    draw_choices(ax, lead, opening.hits, opening.ties, title)
    return ax


def plot_hands(
    round_: Round, *, own: int = 2, other: int = 2, ax: Axes | None = None
) -> Axes:
    """Draw whether to hit with every hand against every hand, and the gain.

    Rows are the hands of the player to move, columns those of the other. They are in
    the order of their lowest cards, which are the cost of a fold, then of their sums,
    which indicate the chance of a pair in a triangular deck.

    Parameters
    ----------
    round_ : Round
        A round of two players with the full deck. If a player follows a policy, as in
        ``BestResponse.round``, dots mark where the other action would be better.
    own, other : int, default 2
        The numbers of cards of the player to move and of the other: equal, or one more.
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
        If there are more players, or there is no choice with these numbers of cards.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(4), target=10))
    >>> ax = pairs.plots.plot_hands(solution.round([0, 0]), own=1, other=2)
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['1 2', '1 3', '1 4', '2 3', '2 4', '3 4']
    """
    require_kind("round_", round_, Round)
    require_two("round_", round_.rules.players)
    here = choices(round_, own, other)
    ax = _figures.axes(ax)
    ranks = round_.rules.ranks
    rows, row = in_order(round_.hands[here, 0], ranks)
    columns, column = in_order(round_.hands[here, 1], ranks)
    label_hands(ax.yaxis, rows, ranks, "own hand")
    label_hands(ax.xaxis, columns, ranks, "the other's hand")
    shape = len(rows), len(columns)
    lead = np.ma.masked_array(np.zeros(shape), True)
    lead[row, column] = round_.hit[here, 0] - round_.fold[here, 0]
    hits, ties = np.zeros(shape, bool), np.zeros(shape, bool)
    hits[row, column], ties[row, column] = round_.hits[here], round_.ties[here]
    mover = (own + other) % 2
    scores = f"{round_.scores[mover]} to {round_.scores[1 - mover]}"
    cards = f"{own} card{'s' * (own != 1)} against {other}"
    draw_choices(ax, lead, hits, ties, f"{cards}, at {scores} points")
    return ax


def plot_scores(solution: Solution, *, ax: Axes | None = None) -> Axes:
    """Draw the chance of winning at the start of a round, by the points of both.

    Parameters
    ----------
    solution : Solution
        The solution of a game of two players.
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
        If there are more players.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(4), target=10))
    >>> ax = pairs.plots.plot_scores(solution)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ("the other player's points", "the leader's points")
    """
    require_kind("solution", solution, Solution)
    require_two("solution", solution.rules.players)
    ax = _figures.axes(ax)
    from matplotlib.patheffects import withStroke

    target = solution.rules.losing_score
    # The full deck is the last one.
    chances = solution.table[-1, :, 0].reshape(target, target)
    image = ax.imshow(
        chances, cmap="PuOr", vmin=0, vmax=1, origin="lower", aspect="equal"
    )
    ax.figure.colorbar(image, ax=ax, label="the leader's chance of winning")
    if target > 2:
        levels = [0.1, 0.25, 0.5, 0.75, 0.9]
        lines = ax.contour(chances, levels=levels, colors=_INK, linewidths=0.7)
        # In the middle of each line, as labels on the edge would be cut off.
        parts = [
            np.asarray(part)
            for level in lines.get_paths()
            for part in level.to_polygons(closed_only=False)
        ]
        middles = [part[len(part) // 2] for part in parts]
        # A light rim, as lines cross cells that are as dark as they are.
        rim = [withStroke(linewidth=2.5, foreground="white", alpha=0.8)]
        lines.set(path_effects=rim)
        for text in ax.clabel(lines, fontsize="small", manual=middles):
            text.set(path_effects=rim)
    ax.locator_params(integer=True, min_n_ticks=1)
    ax.set_xlabel("the other player's points")
    ax.set_ylabel("the leader's points")
    ax.set_title("Chance of winning at the start of a round")
    return ax


def plot_win_rates(rates: Iterable[WinRate], *, ax: Axes | None = None) -> Axes:
    """Draw how often policies win, in either seat, as dots.

    Parameters
    ----------
    rates : iterable of WinRate
        The rates, from ``win_rate``, of two players; one line each, from the top.
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
        If there is no rate, or one is of more players.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> names = ["fifty_percent", "never_hit"]
    >>> rates = [pairs.win_rate(rules, "optimal", name) for name in names]
    >>> ax = pairs.plots.plot_win_rates(rates)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['optimal against fifty_percent', 'optimal against never_hit']
    """
    listed = _figures.listed("rates", rates, WinRate)
    for rate in listed:
        require_two("rates", len(rate.values))
    ax = _figures.axes(ax)
    lines = np.arange(len(listed))
    for seat, colour, marker in (("first", _FIRST, "o"), ("second", _SECOND, "s")):
        chances = [getattr(rate, seat) for rate in listed]
        ax.plot(chances, lines, marker, color=colour, label=f"in the {seat} seat")
    ax.plot([rate.mean for rate in listed], lines, "|", color=_INK, ms=14, label="mean")
    ax.axvline(0.5, color="0.6", linewidth=0.8)
    ax.set_yticks(lines, [f"{rate.a} against {rate.b}" for rate in listed])
    ax.set_ylim(len(listed) - 0.5, -0.5)
    ax.grid(axis="x", alpha=0.4)
    ax.set_xlabel("chance of winning")
    _figures.title(ax, "What policies win")
    return ax


def plot_losses(
    rates: Iterable[WinRate],
    responses: Iterable[BestResponse] = (),
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the chance of winning that policies lose against optimal play, as bars.

    Optimal play against itself wins half of the games in random seats. The loss of a
    policy is the difference to this; it is largest against a best response.

    Parameters
    ----------
    rates : iterable of WinRate
        Rates of policies against "optimal", of two players; one line each.
    responses : iterable of BestResponse
        Responses to some or all of these policies, under the same rules.
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
        If there is no rate, one is not against optimal play, two are of policies with
        the same name, one is of more players, or a response is to another policy or of
        more players.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> names = ["expected_points", "fifty_percent"]
    >>> rates = [pairs.win_rate(rules, name, "optimal") for name in names]
    >>> worst = [pairs.best_response(rules, name) for name in names]
    >>> ax = pairs.plots.plot_losses(rates, worst)
    >>> [text.get_text() for text in ax.texts]  # against optimal play, and at worst
    ['0.0487', '0.1153', '0.0496', '0.1173']
    """
    listed = _figures.listed("rates", rates, WinRate)
    lost, worst = losses(listed, responses)
    names = list(lost)
    ax = _figures.axes(ax)
    series = [
        ("against optimal play", lost),
        ("at worst, against a best response", worst),
    ]
    series = series[: 1 + bool(worst)]
    width = 0.8 / len(series)
    for place, (label, by_name) in enumerate(series):
        lines = [names.index(name) + place * width for name in by_name]
        bars = ax.barh(
            lines, list(by_name.values()), width, color=COLOURS[place], label=label
        )
        ax.bar_label(bars, fmt="%.4f", padding=3)
    ax.set_yticks(np.arange(len(names)) + 0.4 - width / 2, names)
    ax.invert_yaxis()
    ax.margins(x=0.25)  # room for the numbers
    ax.set_xlabel("0.5 less the chance of winning, the mean of both seats")
    _figures.title(ax, "Losses of policies", columns=1)
    return ax


def plot_differences(
    comparisons: Iterable[Comparison], *, ax: Axes | None = None
) -> Axes:
    """Draw the share of positions in which policies differ, as bars by kind.

    Parameters
    ----------
    comparisons : iterable of Comparison
        Comparisons, from ``compare``, which describes the kinds of positions; one line
        each, from the top.
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
        If there is no comparison.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> thumbs = ["expected_points", "fifty_percent"]
    >>> found = [pairs.compare(rules, "optimal", thumb) for thumb in thumbs]
    >>> ax = pairs.plots.plot_differences(found)
    >>> print(ax.get_yticklabels()[0].get_text())
    optimal and expected_points
    990 of 8,281
    """
    listed = _figures.listed("comparisons", comparisons, Comparison)
    ax = _figures.axes(ax)
    lines = np.arange(len(listed))
    before = np.zeros(len(listed))
    for kind, colour in zip(KINDS, COLOURS, strict=False):
        shares = [100 * found.by_kind[kind][1] / found.visited for found in listed]
        label = kind.replace("_", " ")
        ax.barh(lines, shares, 0.7, before, color=colour, label=label)
        before += shares
    labels = [
        f"{found.a} and {found.b}\n{found.differing:,} of {found.visited:,}"
        for found in listed
    ]
    ax.set_yticks(lines, labels)
    ax.invert_yaxis()
    ax.set_xlim(left=0)
    ax.set_xlabel("% of the positions that can be reached")
    _figures.title(ax, "Where policies differ")
    return ax
