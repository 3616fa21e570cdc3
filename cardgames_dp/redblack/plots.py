"""Plots of red/black: the sheet, the boundary, laws, and the paths of games.

Each function draws on the axes given, or on a new figure, which Jupyter shows at once,
and returns the axes; ``ax.figure.savefig("picture.png")`` saves the picture.
matplotlib, the extra ``plot``, is loaded when a function is called.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _boundary_law, _checks, _figures
from cardgames_dp._figures import require_kind
from cardgames_dp.redblack import _sheet_picture
from cardgames_dp.redblack._kernels import boundary as kernel
from cardgames_dp.redblack.boundary import Boundary
from cardgames_dp.redblack.laws import Law
from cardgames_dp.redblack.simulation import RESULTS, Simulation
from cardgames_dp.redblack.solution import Solution
from cardgames_dp.redblack.valuation import value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "plot_boundary",
    "plot_law",
    "plot_paths",
    "plot_policies",
    "plot_sheet",
]

_DRAW, _STOP = _figures.COLOURS[0], _figures.COLOURS[5]

_WHAT = {
    "total": ("What each position is worth", "total: cash in hand + value"),
    "value": ("What playing on is worth", "value: gain of playing on over stopping"),
}
"""The title and the unit of each map that the sheet can show."""

_MOST_BARS = 60
"""Laws with more results than this are drawn as lines: bars would be too thin."""


def __dir__() -> list[str]:
    return __all__


def plot_sheet(
    solution: Solution[Any],
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

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> ax = redblack.plots.plot_sheet(redblack.solve(26, 26))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('black cards remaining', 'red cards remaining')
    """
    require_kind("solution", solution, Solution)
    title, unit = _WHAT[_checks.choice("what", what, _WHAT)]
    if solution.rules.utility is not None:
        unit = unit.replace("cash in hand", "utility of cash in hand")
    ax = _figures.axes(ax)
    table = solution.totals if what == "total" else solution.values
    table = table.astype(np.float64)
    drawing = np.ma.masked_array(table, solution.stop | ~np.isfinite(table))
    ax.set_facecolor(_sheet_picture.STOP_CELL)
    image = ax.imshow(drawing, cmap="cividis", origin="lower", aspect="auto")
    if drawing.count():
        ax.figure.colorbar(image, ax=ax, label=unit)
    _sheet_picture.outline_stops(ax, solution.stop)
    _sheet_picture.mark_ties(ax, solution.ties)
    if _sheet_picture.shows_numbers(table):
        _sheet_picture.write_numbers(ax, image, table, np.ma.getmaskarray(drawing))
    else:
        _sheet_picture.name_regions(ax, image, table, solution.stop)
    _sheet_picture.mark_start(ax, image, solution, table)
    # The full deck comes first, as in the spreadsheet.
    ax.set_xlim(table.shape[1] - 0.5, -0.5)
    ax.set_ylim(-0.5, table.shape[0] - 0.5)
    ax.locator_params(integer=True, min_n_ticks=1)
    ax.set_xlabel("black cards remaining")
    ax.set_ylabel("red cards remaining")
    _figures.title(ax, title, columns=3)
    return ax


def plot_boundary(boundary: Boundary, *, ax: Axes | None = None) -> Axes:
    r"""Draw the smallest excess at which to stop against the cards remaining.

    A dot is drawn where the deck has states on both sides of it. Where the player stops
    in every state of the deck, the picture is shaded.

    If a red card gains what a black card costs and there is no utility, the limit law
    :math:`0.83992 \sqrt n` is drawn as well, both alone and with its corrections.

    Parameters
    ----------
    boundary : Boundary
        The boundary, from ``Solution.boundary``.
    ax : matplotlib Axes, optional
        The axes to draw on; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    TypeError
        If an argument is not as described above.
    ModuleNotFoundError
        If matplotlib is not installed.

    References
    ----------
    The constant is from L. A. Shepp, "Explicit solutions to some problems of optimal
    stopping", Annals of Mathematical Statistics 40 (1969), 993-1010.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> ax = redblack.plots.plot_boundary(redblack.solve(26, 26).boundary)
    >>> ax.get_xlabel()
    'cards remaining'
    """
    require_kind("boundary", boundary, Boundary)
    ax = _figures.axes(ax)
    runs = kernel.runs(boundary.excess, boundary.red)
    met = [
        n
        for first, last, word in runs
        if word not in ("never", "any")
        for n in range(last, first + 1)
    ]
    label = "stop at this excess or more"
    ax.plot(met, boundary.excess[met], ".", color=_STOP, label=label)
    label = "stop at any excess"
    for first, last, word in runs:
        if word == "any":
            span = last - 0.5, first + 0.5
            ax.axvspan(*span, color=_sheet_picture.STOP_CELL, label=label)
            label = "_"  # one line of the legend for all
    rules = boundary.rules
    if rules.utility is None and rules.gain == rules.cost > 0:
        fine = np.linspace(0, len(boundary.excess) - 1, 500)
        law = _boundary_law.ALPHA * np.sqrt(fine)
        ax.plot(
            fine, law, "--", color="0.4", label=r"$0.83992\,\sqrt{n}$, the limit law"
        )
        corrected = [_boundary_law.boundary(x) for x in fine[fine >= 1]]
        label = "the same with its corrections"
        ax.plot(fine[fine >= 1], corrected, color="0.4", label=label)
    ax.locator_params(integer=True, min_n_ticks=1)
    ax.set_xlabel("cards remaining")
    ax.set_ylabel("excess: black less red cards remaining")
    ax.set_title("Where to stop")
    ax.legend(fontsize="medium", handlelength=1.5)
    return ax


def plot_law(
    law: Law[Any], simulation: Simulation | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw a law as bars, or as a line if it has many results.

    Simulated frequencies can be added as dots, with two standard errors.

    Parameters
    ----------
    law : Law
        A law of the payoff, of the duration or of the lowest cash.
    simulation : Simulation, optional
        Simulated games; their payoffs or durations are drawn, as the law has. They have
        no lowest cash.
    ax : matplotlib Axes, optional
        The axes to draw on; a new figure if not given.

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
    >>> from cardgames_dp import redblack
    >>> ax = redblack.plots.plot_law(redblack.payoff_law(26, 26))
    >>> len(ax.patches)
    7
    """
    require_kind("law", law, Law)
    if simulation is not None:
        require_kind("simulation", simulation, Simulation)
        if law.of not in RESULTS:
            raise ValueError(
                f"simulation must not be given with a law of the {law.of}: simulated "
                "games have payoffs and durations only"
            )
    ax = _figures.axes(ax)
    support = law.support.astype(np.float64)
    chances = law.probabilities.astype(np.float64)
    style: dict[str, Any] = {"color": _DRAW}
    if simulation is not None:  # a law alone needs no legend
        style["label"] = "law"
    if len(support) > _MOST_BARS:
        ax.plot(support, chances, linewidth=1.2, zorder=3, **style)
    else:
        width = 0.8 * (np.diff(support).min() if len(support) > 1 else 1.0)
        ax.bar(support, chances, width, alpha=0.6, **style)
    if simulation is not None:
        results, counts = (
            (simulation.payoffs, simulation.payoff_counts)
            if law.of == "payoff"
            else (simulation.durations, simulation.duration_counts)
        )
        _figures.frequencies(ax, results, counts, color=_STOP)
    ax.set_ylim(bottom=0)  # error bars of rare results would go below 0
    if np.array_equal(support, support.round()):
        ax.locator_params(axis="x", integer=True, min_n_ticks=1)
    units = {"payoff": "payoff: final cash", "duration": "cards drawn"}
    ax.set_xlabel(units.get(law.of, law.of))
    ax.set_ylabel("probability")
    policy = law.policy or "optimal"
    player = "under optimal play" if policy == "optimal" else f"(policy: {policy})"
    _figures.title(ax, f"Law of the {law.of} {player}")
    return ax


def plot_paths(
    simulation: Simulation, *, ax: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Draw the paths of simulated games, one small panel for each game.

    A dot marks where the player stopped. 49 games fill seven rows of panels.

    Parameters
    ----------
    simulation : Simulation
        Simulated games with paths, from ``simulate(..., paths=...)``.
    ax : ndarray of matplotlib Axes, optional
        The axes to draw on, at least one for each path, as from
        ``figure.subplots(7, 7)``; their figure gets the title and the labels. A new
        figure if not given.

    Returns
    -------
    ndarray of matplotlib Axes, shape (paths,)
        The axes of the paths.

    Raises
    ------
    TypeError
        If an argument is not as described above.
    ValueError
        If `simulation` has no paths, or more paths than there are axes.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> games = redblack.simulate(26, 26, games=16, paths=16, rng=1)
    >>> ax = redblack.plots.plot_paths(games)
    >>> ax.shape, ax[0].figure.get_supxlabel()
    ((16,), 'cards drawn')
    """
    require_kind("simulation", simulation, Simulation)
    paths = simulation.paths
    if not paths:
        raise ValueError("simulation must have paths; use simulate(..., paths=49)")
    panels = _figures.panels(ax, len(paths))
    for panel, path in zip(panels, paths, strict=True):
        panel.axhline(0, color="0.8", linewidth=0.8)
        panel.plot(path, color=_DRAW, linewidth=0.8)
        panel.plot(len(path) - 1, path[-1], ".", color=_STOP, clip_on=False)
        panel.locator_params(axis="x", integer=True)
        panel.tick_params(labelsize="x-small")
    figure = panels[0].figure
    figure.suptitle(f"Simulated games, policy {simulation.policy}")
    figure.supxlabel("cards drawn", fontsize="medium")
    figure.supylabel("cash in hand", fontsize="medium")
    return panels


def plot_policies(simulations: Iterable[Simulation], *, ax: Axes | None = None) -> Axes:
    """Draw the mean winnings of several policies with the same deck.

    Error bars show two standard errors, and a line the value of optimal play.

    Parameters
    ----------
    simulations : iterable of Simulation
        The simulations, one for each policy, with the same deck and rules.
    ax : matplotlib Axes, optional
        The axes to draw on; a new figure if not given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    TypeError
        If an argument is not as described above.
    ValueError
        If there is no simulation, or they have different decks or rules.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> policies = ["first_positive", redblack.StopAtCash(3), "optimal"]
    >>> games = [
    ...     redblack.simulate(26, 26, games=10_000, policy=policy, rng=1)
    ...     for policy in policies
    ... ]
    >>> ax = redblack.plots.plot_policies(games)
    >>> ax.get_xlabel()
    'mean payoff, ± 2 standard errors'
    """
    listed = _figures.listed("simulations", simulations, Simulation)
    first = listed[0]
    for other in listed[1:]:
        if (other.red, other.black, other.rules) != (
            first.red,
            first.black,
            first.rules,
        ):
            raise ValueError("simulations must all be of the same deck and rules")
    ax = _figures.axes(ax)
    lines = range(len(listed))
    means = [simulation.mean for simulation in listed]
    errors = [2 * np.nan_to_num(simulation.standard_error) for simulation in listed]
    ax.errorbar(means, lines, xerr=errors, fmt="o", color=_DRAW, capsize=3)
    if first.rules.utility is None:
        worth = value(first.red, first.black, rules=first.rules)
        label = f"value of the game, {worth:.6g}"
        ax.axvline(worth, color=_STOP, linestyle="--", label=label)
    ax.set_yticks(lines, [simulation.policy for simulation in listed])
    ax.set_ylim(len(listed) - 0.5, -0.5)
    what = "payoff" if first.rules.utility is None else "utility"
    ax.set_xlabel(f"mean {what}, ± 2 standard errors")
    _figures.title(ax, f"What policies win with {first.red} + {first.black} cards")
    return ax
