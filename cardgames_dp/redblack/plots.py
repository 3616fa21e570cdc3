"""Pictures of red/black: the sheet, the boundary, a law, and the paths of games.

Each function draws on the axes or the figure that it is given, or else on a new figure,
and returns them. Nothing passes through pyplot, so nothing stays open; a new figure is
shown by a notebook and saved by ``figure.savefig``. matplotlib, the extra ``plot``, is
loaded when a function is called.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from cardgames_dp._extras import require
from cardgames_dp.redblack.boundary import Boundary
from cardgames_dp.redblack.laws import Law
from cardgames_dp.redblack.simulation import Simulation
from cardgames_dp.redblack.solution import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_boundary", "plot_law", "plot_paths", "plot_sheet"]

_SHEPP_ALPHA = 0.8399236756923727
"""The boundary's excess over the square root of n, in the limit (Shepp 1969)."""

_MOST_NUMBERS = 12
"""Sheets of up to this many rows and columns show their numbers."""

_DRAW, _STOP = "tab:blue", "tab:red"

_T = TypeVar("_T")


def plot_sheet(solution: Solution, *, ax: Axes | None = None) -> Axes:
    """Draw the totals of a solved game as a map, with the stop set outlined.

    Rows are red cards remaining, columns black ones, the full deck at the top left, as
    in the spreadsheet of document 001. Ties are marked; small sheets show their
    numbers.

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
        If `solution` is something else.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> ax = redblack.plots.plot_sheet(redblack.solve(26, 26))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('black cards remaining', 'red cards remaining')
    """
    _require_kind("solution", solution, Solution)
    ax = ax or _new_figure().add_subplot()
    totals = solution.totals.astype(np.float64)
    image = ax.imshow(totals, cmap="cividis", origin="lower", aspect="auto")
    ax.figure.colorbar(image, ax=ax, label="total: cash in hand + value")
    stop = solution.stop
    if not stop.all():  # the empty deck is always in it
        points = _upscaled(stop)
        ax.contour(
            points, levels=[0.5], colors=_STOP, origin="lower", extent=_extent(stop)
        )
        ax.plot([], [], color=_STOP, label="edge of the stop set")
    if solution.ties.any():
        red, black = np.nonzero(solution.ties)
        ax.plot(black, red, "x", color="white", label="tie", markersize=5)
    if max(totals.shape) <= _MOST_NUMBERS:
        middle = (totals.min() + totals.max()) / 2
        for (r, b), total in np.ndenumerate(totals):
            colour = "black" if total > middle else "white"
            ax.text(b, r, f"{total:.3g}", ha="center", va="center", color=colour)
    if ax.get_legend_handles_labels()[1]:
        ax.legend(loc="lower left", facecolor="0.6", fontsize="small")
    # The full deck comes first, as in the spreadsheet.
    ax.set_xlim(totals.shape[1] - 0.5, -0.5)
    ax.set_ylim(-0.5, totals.shape[0] - 0.5)
    ax.set_xlabel("black cards remaining")
    ax.set_ylabel("red cards remaining")
    ax.set_title("What each position is worth")
    return ax


def plot_boundary(boundary: Boundary, *, ax: Axes | None = None) -> Axes:
    """Draw the smallest excess at which to stop against the cards remaining.

    With it goes its limit law, ``0.83992 sqrt(n)``, of the classic amounts.

    Parameters
    ----------
    boundary : Boundary
        Of ``Solution.boundary``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    TypeError
        If `boundary` is something else.
    ModuleNotFoundError
        If matplotlib is not installed.

    References
    ----------
    L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
    Mathematical Statistics 40 (1969), 993-1010, has the constant.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> ax = redblack.plots.plot_boundary(redblack.solve(26, 26).boundary)
    >>> ax.get_xlabel()
    'cards remaining'
    """
    _require_kind("boundary", boundary, Boundary)
    ax = ax or _new_figure().add_subplot()
    n = np.arange(len(boundary.excess))
    met = boundary.excess <= n  # elsewhere the deck never stops
    ax.plot(n[met], boundary.excess[met], ".", color=_STOP, label="stop from here on")
    if boundary.rules.gain == boundary.rules.cost:
        law = _SHEPP_ALPHA * np.sqrt(n)
        ax.plot(n, law, color="0.4", label="0.83992 sqrt(n), the limit law")
    ax.set_xlabel("cards remaining")
    ax.set_ylabel("excess: black less red remaining")
    ax.set_title("Where to stop")
    ax.legend(fontsize="small")
    return ax


def plot_law(
    law: Law, simulation: Simulation | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw a law as bars, and simulated frequencies with two standard errors as dots.

    Parameters
    ----------
    law : Law
    simulation : Simulation, optional
        Its payoffs or durations, as the law has it.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    TypeError
        If `law` or `simulation` is something else.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> ax = redblack.plots.plot_law(redblack.payoff_law(26, 26))
    >>> len(ax.patches)
    7
    """
    _require_kind("law", law, Law)
    if simulation is not None:
        _require_kind("simulation", simulation, Simulation)
    ax = ax or _new_figure().add_subplot()
    support = law.support.astype(np.float64)
    width = 0.8 * (np.diff(support).min() if len(support) > 1 else 1.0)
    chances = law.probabilities.astype(np.float64)
    ax.bar(support, chances, width, color=_DRAW, alpha=0.6, label="law")
    if simulation is not None:
        results, counts = (
            (simulation.payoffs, simulation.payoff_counts)
            if law.of == "payoff"
            else (simulation.durations, simulation.duration_counts)
        )
        share = counts / simulation.games
        error = 2 * np.sqrt(share * (1 - share) / simulation.games)
        label = f"{simulation.games} games, ± 2 standard errors"
        ax.errorbar(results, share, error, fmt=".", color=_STOP, label=label, capsize=2)
        ax.legend(fontsize="small")
    units = {"payoff": "payoff: final cash", "duration": "cards drawn"}
    ax.set_xlabel(units[law.of])
    ax.set_ylabel("probability")
    ax.set_title(f"Law of the {law.of}")
    return ax


def plot_paths(simulation: Simulation, *, figure: Figure | None = None) -> Figure:
    """Draw the paths of simulated games, a small panel each.

    A dot marks where the player stopped. 49 games make the panel of document 001.

    Parameters
    ----------
    simulation : Simulation
        Made with ``paths=`` at least 1.
    figure : matplotlib Figure or SubFigure, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    TypeError
        If `simulation` is something else.
    ValueError
        If it has no paths.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> games = redblack.simulate(26, 26, games=49, paths=49, rng=1)
    >>> len(redblack.plots.plot_paths(games).axes)
    49
    """
    _require_kind("simulation", simulation, Simulation)
    paths = simulation.paths
    if not paths:
        raise ValueError("simulation must have paths; use simulate(..., paths=49)")
    figure = figure or _new_figure()
    columns = math.ceil(math.sqrt(len(paths)))
    rows = math.ceil(len(paths) / columns)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for ax, path in zip(grid.flat, paths, strict=False):
        ax.axhline(0, color="0.8", linewidth=0.8)
        ax.plot(path, color=_DRAW, linewidth=0.8)
        ax.plot(len(path) - 1, path[-1], ".", color=_STOP)
        ax.tick_params(labelsize="x-small")
    for ax in grid.flat[len(paths) :]:
        ax.remove()
    figure.supxlabel("cards drawn", fontsize="medium")
    figure.supylabel("cash in hand", fontsize="medium")
    return figure


def _require_kind(name: str, value: object, kind: type[_T]) -> None:
    if not isinstance(value, kind):
        raise TypeError(
            f"{name} must be a redblack.{kind.__name__}, got {value!r} of type "
            f"{type(value).__name__}"
        )


def _new_figure() -> Figure:
    matplotlib_figure = require("matplotlib.figure", extra="plot", purpose="a picture")
    figure: Figure = matplotlib_figure.Figure(figsize=(7, 5.2), layout="constrained")
    return figure


def _upscaled(stop: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return each cell as a block of points, so that a contour follows its edges."""
    least = 2 if 1 in stop.shape else 1  # a contour needs two points either way
    side = max(least, min(8, 1000 // max(stop.shape)))
    return np.kron(stop, np.ones((side, side)))


def _extent(stop: np.ndarray[Any, Any]) -> tuple[float, float, float, float]:
    return -0.5, stop.shape[1] - 0.5, -0.5, stop.shape[0] - 0.5
