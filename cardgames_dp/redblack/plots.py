"""Plots of red/black: the sheet, the boundary, and the paths of games.

`cardgames_dp.plots.plot_distribution` draws distributions.
Each function draws on the axes given, or on a new figure, which Jupyter shows at once,
and returns the axes; ``ax.figure.savefig("picture.png")`` saves the picture.
matplotlib is loaded when a function is called; without it (the extra ``plot``) that
raises ModuleNotFoundError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.solution import Solution
from cardgames_dp._results import figures
from cardgames_dp._results.figures import require_kind
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.redblack._kernels.large_decks import ALPHA, boundary as boundary_at
from cardgames_dp.redblack.boundaries import Boundary, runs, stops_of
from cardgames_dp.redblack.cards import State
from cardgames_dp.redblack.rules import Rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

    from cardgames_dp.play import Simulation

__all__ = ["plot_boundary", "plot_paths", "plot_sheet"]
__dir__ = __all__.copy  # for completion

_DRAW, _STOP = figures.COLOURS[:2]

_WHAT = {
    "total": ("What each position is worth", "total: cash in hand + value"),
    "value": ("What playing on is worth", "value: gain of playing on over stopping"),
}
"""The title and the unit of each map that the sheet can show."""

_STOP_CELL = 0.14
"""How grey states are in which to stop; their worth, the cash, needs no colour."""

_ROOM = 0.1
"""A region's word needs a circle about it, this much of the longer side in radius."""

_MIDDLE: dict[str, Any] = {"ha": "center", "va": "center"}

_MOST_NUMBERS = 12
"""Sheets with at most this many rows and columns show their numbers."""

_TIE_SIDE = 0.84
"""The side of a tie's frame, just inside its cell, so that the number stays free."""


@suggest_arguments
def plot_sheet(
    solution: Solution[Any, Any, Any],
    *,
    what: Literal["total", "value"] = "total",
    ax: Axes | None = None,
) -> Axes:
    """Draw the table of a solved game as a map, with the stop set marked.

    Rows are red cards remaining, columns black cards remaining, with the full deck at
    the top left. Colours show the worth of the states in which to draw; states in which
    to stop are grey, behind a black edge. A dot marks the full deck; the legend gives
    its worth. Small sheets show all their numbers, those of stops in bold. Ties are
    framed.

    Parameters
    ----------
    solution : Solution
        The solved game, from :func:`solve`.
    what : {"total", "value"}
        The table to draw: the totals, which include the cash in hand, or the values
        alone.
    ax : matplotlib Axes, optional
        The axes to draw on; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> ax = redblack.plots.plot_sheet(redblack.solve(26, 26))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('black cards remaining', 'red cards remaining')
    """
    require_kind("solution", solution, Solution, "game.Solution")
    stop, game = stops_of(solution), solution.game
    title, unit = _WHAT[arguments.choice("what", what, _WHAT)]
    if game.rules.utility is not None:
        unit = "expected utility"
    ax = figures.axes(ax)
    table = solution.table("total" if what == "total" else "values")
    table = table.astype(np.float64)
    ties = solution.table("ties")
    drawing = np.ma.masked_array(table, stop | ~np.isfinite(table))
    ax.set_facecolor(figures.ink(_STOP_CELL))
    image = ax.imshow(drawing, cmap="cividis", origin="lower", aspect="auto")
    if drawing.count():
        ax.figure.colorbar(image, ax=ax, label=unit)
    _outline_stops(ax, stop)
    if ties.any():
        cells = np.argwhere(ties)  # [red, black]; black is the x axis
        figures.frame_cells(ax, cells, _TIE_SIDE, color=_STOP, label="tie")
    if max(table.shape) <= _MOST_NUMBERS:
        _write_numbers(ax, image, table, np.ma.getmaskarray(drawing))
    else:
        _name_regions(ax, image, table, stop)
    # The full deck, at the corner of its cell, where the mark hides no number.
    red, black = game.counts
    label = f"{red} + {black}: worth {table[red, black]:.6g}"
    mark: dict[str, Any] = {"color": "white", "markeredgecolor": "black", "zorder": 3}
    ax.plot(black + 0.5, red + 0.5, "o", clip_on=False, label=label, **mark)
    # The full deck comes first, as in the spreadsheet.
    ax.set(xlim=(table.shape[1] - 0.5, -0.5), ylim=(-0.5, table.shape[0] - 0.5))
    ax.locator_params(integer=True, min_n_ticks=1)
    ax.set(xlabel="black cards remaining", ylabel="red cards remaining")
    figures.title(ax, title, columns=3)
    return ax


@suggest_arguments
def plot_boundary(boundary: Boundary, *, ax: Axes | None = None) -> Axes:
    r"""Draw the least cash in hand to stop with, against the cards remaining.

    A dot is drawn where the deck has states on both sides of it. Where the player stops
    in every state of the deck, the picture is shaded.

    If a red card gains what a black card costs and there is no utility, the limit law
    for the excess, :math:`0.83992 \sqrt n`, is drawn as well, in cash, both alone and
    with its corrections.

    Parameters
    ----------
    boundary : Boundary
        The boundary, from :func:`boundary`.
    ax : matplotlib Axes, optional
        The axes to draw on; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    References
    ----------
    The constant is from L. A. Shepp, "Explicit solutions to some problems of optimal
    stopping", Annals of Mathematical Statistics 40 (1969), 993-1010.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> boundary = redblack.boundary(redblack.solve(26, 26))
    >>> ax = redblack.plots.plot_boundary(boundary)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('cards remaining', 'cash in hand')
    """
    require_kind("boundary", boundary, Boundary)
    ax = figures.axes(ax)
    found = runs(boundary.excess, boundary.red)
    met = [
        n
        for first, last, word in found
        if word not in ("never", "any")
        for n in range(last, first + 1)
    ]
    label = "stop with this much or more"
    ax.plot(met, boundary.cash[met], "o", ms=4, color=_STOP, label=label)
    label = "stop with any cash"
    for first, last, word in found:
        if word == "any":
            span = last - 0.5, first + 0.5
            ax.axvspan(*span, color=figures.ink(_STOP_CELL), label=label)
            label = "_"  # one line of the legend for all
    rules = boundary.rules
    if rules.utility is None and rules.gain == rules.cost > 0:
        fine = np.linspace(0, len(boundary.excess) - 1, 500)
        one = float(rules.gain)
        start = one * (boundary.red - boundary.black)  # the cash at an excess of 0
        law, label = start + one * ALPHA * np.sqrt(fine), "the limit law"
        ax.plot(fine, law, "--", color=figures.ink(), label=label)
        corrected = [start + one * boundary_at(x) for x in fine[fine >= 1]]
        label = "the same with its corrections"
        ax.plot(fine[fine >= 1], corrected, color=figures.ink(), label=label)
    ax.locator_params(integer=True, min_n_ticks=1)
    ax.set(xlabel="cards remaining", ylabel="cash in hand", title="Where to stop")
    ax.legend(handlelength=1.5)
    return ax


@suggest_arguments
def plot_paths(
    simulation: Simulation[Any],
    *,
    rules: Rules | None = None,
    ax: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Draw the paths of simulated games, one small panel for each game.

    A dot marks where the player stopped. 49 games fill seven rows of panels.

    Parameters
    ----------
    simulation : Simulation
        Simulated games of a deck with histories, from `cardgames_dp.play.simulate`.
    rules : Rules, optional
        The rules, which say what the cards pay; the classic rules if not given.
    ax : ndarray of matplotlib Axes, optional
        The axes to draw on, at least one for each history, as from
        ``figure.subplots(7, 7)``; their figure gets the title and the labels. A new
        figure if not given.

    Returns
    -------
    ndarray of matplotlib Axes, shape (histories,)
        The axes of the paths.

    Raises
    ------
    ValueError
        If `simulation` has no histories, or more than there are axes.

    Examples
    --------
    >>> from cardgames_dp import play, redblack
    >>> deck = redblack.solve(26, 26)
    >>> games = play.simulate(deck, games=16, histories=16, rng=1)
    >>> ax = redblack.plots.plot_paths(games)
    >>> ax.shape, ax[0].figure.get_supxlabel()
    ((16,), 'cards drawn')
    """
    from cardgames_dp.play import Simulation  # not needed by other pictures

    require_kind("simulation", simulation, Simulation, "play.Simulation")
    rules = arguments.rules(rules, Rules)
    if not simulation.histories:
        must = "simulation must have histories; use play.simulate(..., histories=49)"
        raise ValueError(must)
    paths = [_path(history, rules) for history in simulation.histories]
    panels = figures.panels(ax, len(paths))
    for panel, path in zip(panels, paths, strict=True):
        panel.axhline(0, color=figures.ink(0.3), linewidth=0.8)
        panel.plot(path, color=_DRAW, linewidth=1)
        panel.plot(len(path) - 1, path[-1], ".", color=_STOP, clip_on=False)
        panel.locator_params(axis="x", integer=True)
        panel.tick_params(labelsize=8)
    figure = panels[0].figure
    figure.suptitle("Simulated games")
    figure.supxlabel("cards drawn", fontsize="medium")
    figure.supylabel("cash in hand", fontsize="medium")
    return panels


def _path(history: tuple[Any, ...], rules: Rules) -> list[float]:
    """Return the cash in hand after each draw of a game."""
    if not isinstance(history[0], State):
        raise arguments.wrong_type("simulation must be of a deck", history[0])
    red, black, _ = history[0]
    left = [(state.red, state.black) for state in history if not state.decision]
    return [float(rules.cash(red - r, black - b)) for r, b in left]


def _name_regions(
    ax: Axes, image: AxesImage, table: NDArray[np.float64], stop: NDArray[np.bool_]
) -> None:
    """Write what to do into the middle of a region, where it has room for the word.

    And write what the full deck is worth, at its corner.
    """
    from scipy import ndimage

    for region, word in ((~stop, "draw"), (stop, "stop")):
        # The cell farthest from all others, and from the edges of the map.
        depth = ndimage.distance_transform_edt(np.pad(region, 1))[1:-1, 1:-1]
        red, black = np.unravel_index(depth.argmax(), depth.shape)
        if depth[red, black] >= _ROOM * max(stop.shape):
            cell = image.to_rgba(table[red, black])
            colour = figures.ink() if stop[red, black] else figures.ink_on(cell)
            ax.text(
                black, red, word, color=colour, size="x-large", weight="bold", **_MIDDLE
            )
    if not stop[-1, -1]:
        ax.annotate(
            f"{table[-1, -1]:.3g}",
            (table.shape[1] - 0.5, table.shape[0] - 0.5),
            xytext=(8, -8),
            textcoords="offset points",
            va="top",
            color=figures.ink_on(image.to_rgba(table[-1, -1])),
            weight="bold",
            size="large",
        )


def _write_numbers(
    ax: Axes, image: AxesImage, table: NDArray[np.float64], stops: NDArray[np.bool_]
) -> None:
    """Write the worth of each cell: bold in the states in which to stop."""
    colours = image.to_rgba(table)
    size = min(10, 90 / max(table.shape))
    for (red, black), number in np.ndenumerate(table):
        stop = bool(stops[red, black])
        ax.text(
            black,
            red,
            f"{number:.3g}",
            size=size,
            color=figures.ink() if stop else figures.ink_on(colours[red, black]),
            weight="bold" if stop else "normal",
            **_MIDDLE,
        )


def _outline_stops(ax: Axes, stop: np.ndarray[Any, Any]) -> None:
    if stop.all():  # the empty deck is always in it
        return
    # Each cell becomes a block of points, so that contours follow its edges. One more
    # point on each side makes contours reach the edges of the map.
    side = max(1, min(8, 1000 // max(stop.shape)))
    points = np.pad(np.kron(stop, np.ones((side, side))), 1, mode="edge")
    beyond = 0.5 + 1 / side
    rows, columns = stop.shape
    extent = (-beyond, columns - 1 + beyond, -beyond, rows - 1 + beyond)
    style: dict[str, Any] = {"origin": "lower", "extent": extent, "linewidths": 1.5}
    ax.contour(points, levels=[0.5], colors=[figures.ink()], **style)
    look = figures.ink(_STOP_CELL)
    ax.fill([], [], label="stop", facecolor=look, edgecolor=figures.ink())
