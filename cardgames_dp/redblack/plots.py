"""Plots of red/black: the boundary, and the paths of games.

They draw where `cardgames_dp.plots` does, whose pictures are for any game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardgames_dp._results import figures
from cardgames_dp._results.figures import require_kind
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.redblack._kernels.large_decks import ALPHA, boundary as boundary_at
from cardgames_dp.redblack.boundaries import Boundary, runs
from cardgames_dp.redblack.cards import State
from cardgames_dp.redblack.rules import Rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cardgames_dp.play import Simulation

__all__ = ["plot_boundary", "plot_paths"]
__dir__ = __all__.copy  # for completion

_DRAW, _STOP = figures.COLOURS[:2]

_STOP_CELL = 0.14
"""How grey the decks are in which to stop with any cash."""


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
    ranges = runs(boundary.excess, boundary.red)
    levels = [
        n
        for first, last, word in ranges
        if word not in ("never", "any")
        for n in range(last, first + 1)
    ]
    label = "stop with this much or more"
    side = max(2, min(4, 500 / max(len(levels), 1)))  # of many decks, fine lines
    ax.plot(levels, boundary.cash[levels], "o", ms=side, color=_STOP, label=label)
    label = "stop with any cash"
    for first, last, word in ranges:
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
    ax.legend(handlelength=1.5, markerscale=4 / side)
    return ax


@suggest_arguments
def plot_paths(
    simulation: Simulation[Any], *, rules: Rules | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the paths of simulated games, with a dot where the player stopped.

    Parameters
    ----------
    simulation : Simulation
        Simulated games of a deck with histories, from `cardgames_dp.play.simulate`.
    rules : Rules, optional
        The rules, which say what the cards pay; the classic rules if not given.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from cardgames_dp import play, redblack
    >>> deck = redblack.solve(26, 26)
    >>> games = play.simulate(deck, games=16, histories=16, rng=1)
    >>> ax = redblack.plots.plot_paths(games)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('cards drawn', 'cash in hand')
    """
    from cardgames_dp.play import Simulation  # not needed by other pictures

    require_kind("simulation", simulation, Simulation, "play.Simulation")
    rules = arguments.rules(rules, Rules)
    if not simulation.histories:
        must = "simulation must have histories; use play.simulate(..., histories=49)"
        raise ValueError(must)
    paths = [_path(history, rules) for history in simulation.histories]
    ax = figures.axes(ax)
    for path in paths:
        ax.plot(path, color=_DRAW, linewidth=0.8)
    for path in paths:
        ax.plot(len(path) - 1, path[-1], "o", ms=4, color=_STOP, clip_on=False)
    ax.axhline(0, color=figures.ink(0.3), linewidth=0.8)
    ax.locator_params(integer=True, min_n_ticks=1)
    ax.set(xlabel="cards drawn", ylabel="cash in hand", title="Simulated games")
    return ax


def _path(history: tuple[Any, ...], rules: Rules) -> list[float]:
    """Return the cash in hand after each draw of a game."""
    if not isinstance(history[0], State):
        raise arguments.wrong_type("simulation must be of a deck", history[0])
    red, black, _ = history[0]
    left = [(state.red, state.black) for state in history if not state.decision]
    return [float(rules.cash(red - r, black - b)) for r, b in left]
