"""Pictures of Pairs: the opening, chances of winning, and what policies cost.

Each function draws on the axes that it is given, or else on a new figure, and returns
them. ``ax.figure`` is saved by its ``savefig``, and shown by a notebook after
``%matplotlib inline``. matplotlib, the extra ``plot``, is loaded when a function is
called.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from cardgames_dp import _figures
from cardgames_dp._figures import COLOURS, require_kind
from cardgames_dp.pairs.evaluation import WinRate
from cardgames_dp.pairs.opening import OpeningTable
from cardgames_dp.pairs.solution import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_opening", "plot_scores", "plot_win_rates"]

_FIRST, _SECOND, _INK = *COLOURS[:2], "black"


def plot_opening(opening: OpeningTable, *, ax: Axes | None = None) -> Axes:
    """Draw whether to hit with one card against one card, and by how much.

    Parameters
    ----------
    opening : OpeningTable
        As from ``Solution.opening_table``.
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
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(4), target=10))
    >>> ax = pairs.plots.plot_opening(solution.opening_table())
    >>> [text.get_text() for text in ax.texts][:5]
    ['hit', 'hit', 'hit', 'fold', 'hit']
    """
    require_kind("opening", opening, OpeningTable)
    ax = _figures.axes(ax)
    ranks = opening.ranks
    lead = np.ma.masked_array(opening.lead, ~opening.possible)
    largest = float(np.abs(opening.lead).max()) or 1.0
    image = ax.imshow(lead, cmap="PuOr", vmin=-largest, vmax=largest, aspect="auto")
    ax.figure.colorbar(image, ax=ax, label="chance of winning: hit less fold")
    for own, other in np.argwhere(opening.possible).tolist():
        word = "hit" if opening.hits[own, other] else "fold"
        strong = abs(opening.lead[own, other]) > 0.6 * largest
        ax.text(
            other,
            own,
            "tie" if opening.ties[own, other] else word,
            ha="center",
            va="center",
            color="white" if strong else _INK,
            size=min(10, 90 / len(ranks)),
        )
    ax.set_xticks(range(len(ranks)), [str(rank) for rank in ranks])
    ax.set_yticks(range(len(ranks)), [str(rank) for rank in ranks])
    ax.set_xlabel("the other's card")
    ax.set_ylabel("own card")
    own, other = opening.scores
    ax.set_title(f"One card each, at {own} to {other} points")
    return ax


def plot_scores(solution: Solution, *, ax: Axes | None = None) -> Axes:
    """Draw the chance of winning at the start of a round, by the points of both.

    Parameters
    ----------
    solution : Solution
        Of a game of two players.
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
    if solution.rules.players != 2:
        raise ValueError(
            f"solution must be of two players, got players={solution.rules.players}"
        )
    ax = _figures.axes(ax)
    target = solution.rules.losing_score
    # The full deck comes last among those that are told apart.
    chances = solution.table[-1, :, 0].reshape(target, target)
    image = ax.imshow(
        chances, cmap="PuOr", vmin=0, vmax=1, origin="lower", aspect="equal"
    )
    ax.figure.colorbar(image, ax=ax, label="the leader's chance of winning")
    if target > 2:
        levels = [0.1, 0.25, 0.5, 0.75, 0.9]
        lines = ax.contour(chances, levels=levels, colors=_INK, linewidths=0.7)
        ax.clabel(lines, fontsize="small")
    ax.locator_params(integer=True, min_n_ticks=1)
    ax.set_xlabel("the other player's points")
    ax.set_ylabel("the leader's points")
    ax.set_title("Who will win, at the start of a round")
    return ax


def plot_win_rates(rates: Iterable[WinRate], *, ax: Axes | None = None) -> Axes:
    """Draw how often policies win, in either seat, as dots.

    Parameters
    ----------
    rates : iterable of WinRate
        As from :func:`win_rate`, a line each, from the top.
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
        If there is nothing to draw.
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
    listed = list(rates)
    for rate in listed:
        require_kind("rates", rate, WinRate, "pairs.WinRate each")
    if not listed:
        raise ValueError("rates must hold at least one WinRate, got none")
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
    ax.set_title("What policies win")
    ax.legend(fontsize="small")
    return ax
