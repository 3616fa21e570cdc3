"""Distributions as bars or lines, and simulated frequencies."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results import figures
from cardgames_dp._results.distribution import Distribution
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.play.distributions import Distributions
from cardgames_dp.play.simulation import Simulation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_BARS = 100
"""Distributions with more results than this are lines: bars would be too thin."""

_MOST_LETTERS = 40
"""The most letters of what is distributed."""

_TAIL = 1e-3
"""Results at either end that are together less likely than this are not drawn."""


@suggest_arguments
def plot_distribution(
    distribution: Distribution[Any] | Distributions[Any, Any],
    simulation: Simulation[Any] | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw distributions as bars, or as lines if they have many results.

    Rare results at either end, and games that never end, are left out, and the label
    says how likely they are.
    Simulated frequencies can be added as dots, with two standard errors.

    Parameters
    ----------
    distribution : Distribution or Distributions
        A distribution, such as ``play.distribution(...).moves``; or those of the
        returns of all players, side by side: the whole result of
        `cardgames_dp.play.distribution`.
    simulation : Simulation, optional
        Simulated games, from `cardgames_dp.play.simulate`; their returns are drawn or,
        with a single distribution, the first player's or their moves, as it has.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        If the simulation has another number of players, or nothing of the kind that the
        distribution has; or a result is larger than 1e100 in absolute value.

    Examples
    --------
    >>> from cardgames_dp import diagonal, play, plots, redblack
    >>> solution = diagonal.solve(redblack.game(26, 26))
    >>> ax = plots.plot_distribution(play.distribution(solution))
    >>> len(ax.patches)
    7
    >>> ax = plots.plot_distribution(play.distribution(solution, count="draw").moves)
    >>> ax.get_title()
    "Distribution of the 'draw' moves"
    """
    kinds = (Distribution, Distributions)
    accepted = "play.Distribution or play.Distributions"
    figures.require_kind("distribution", distribution, kinds, accepted)
    if isinstance(distribution, Distribution):
        laws, names, of = [distribution], ["distribution"], distribution.of
    else:
        laws, of = [*distribution.returns], "return"
        names = [f"player {who}" for who in range(len(laws))]
    simulated = () if simulation is None else _simulated(simulation, distribution)
    laws = [_finite(law) for law in laws]
    supports = [figures.drawable("distribution", law.support) for law in laws]
    likely, ax = _likely(laws, supports), figures.axes(ax)
    inside = [support[some] for support, some in zip(supports, likely, strict=True)]
    gaps = np.diff(np.unique(np.concatenate(inside)))
    width = 0.8 * gaps.min(initial=1.0 if not gaps.size else np.inf) / len(laws)
    for who, support in enumerate(inside):
        colour, aside = figures.colour(who), (who - (len(laws) - 1) / 2) * width
        chances = laws[who].probabilities[likely[who]].astype(np.float64)
        label = names[who] if len(names) > 1 or simulated else None
        if len(support) > _MOST_BARS:
            aside = 0.0
            ax.plot(support, chances, color=colour, linewidth=1.2, label=label)
        else:
            # An edge keeps a narrow bar visible; pale and full bars differ in grey.
            face = colour, (0.8, 0.25)[who % 2]
            look: dict[str, Any] = {"edgecolor": colour, "linewidth": 0.8}
            ax.bar(support + aside, chances, width, color=face, label=label, **look)
        if simulation is not None:
            last = who == len(laws) - 1
            _add_frequencies(ax, simulated[who], simulation.games, aside, last)
    ax.set_ylim(bottom=0)  # as the error bar of a rare result may go below
    if all(np.array_equal(support, support.round()) for support in supports):
        ax.locator_params(axis="x", integer=True, min_n_ticks=1)
    every = np.concatenate(inside)
    room = 0.02 * np.ptp(every) + width * len(laws)
    ax.set_xlim(every.min() - room, every.max() + room)
    left_out = zip(laws, likely, strict=True)
    rest = max(law.rest + float(law.probabilities[~x].sum()) for law, x in left_out)
    elsewhere = f", with probability {rest:.1g} elsewhere" if rest else ""
    of = figures.label(of, _MOST_LETTERS)
    ax.set(xlabel=of + elsewhere, ylabel="probability")
    several = "s" * isinstance(distribution, Distributions)
    figures.title(ax, f"Distribution of the {of}{several}")
    return ax


def _finite(law: Distribution[Any]) -> Distribution[Any]:
    """Return a distribution with the numbers of endless games in its `rest`."""
    if len(law) == 1 or law.support[-1] != math.inf:
        return law
    rest = law.rest + float(law.probabilities[-1])
    finite = law.support[:-1], law.probabilities[:-1]
    return replace(law, support=finite[0], probabilities=finite[1], rest=rest)


def _likely(
    laws: list[Distribution[Any]], supports: list[NDArray[np.float64]]
) -> list[NDArray[np.bool_]]:
    """Return which results are drawn: all but those beyond the likely ones."""
    ends = []
    for law, support in zip(laws, supports, strict=True):
        below = law.probabilities.astype(np.float64).cumsum()
        ends += support[np.searchsorted(below, [_TAIL, below[-1] - _TAIL])].tolist()
    return [(min(ends) <= x) & (x <= max(ends)) for x in supports]


def _add_frequencies(
    ax: Axes, frequencies: Distribution[float], games: int, aside: float, labelled: bool
) -> None:
    """Draw the frequencies of results as dots, with two standard errors."""
    share, few = frequencies.probabilities, len(frequencies) <= _MOST_BARS
    look: dict[str, Any] = {"fmt": ".", "color": figures.ink(), "markersize": 2}
    look |= {"elinewidth": 0.6}
    if few:
        look |= {"markersize": 6, "elinewidth": 1.5, "capsize": 2}
    label = f"{games:,} games, ± 2 standard errors" if labelled else None
    error = 2 * np.sqrt(share * (1 - share) / games)
    ax.errorbar(frequencies.support + aside, share, error, label=label, **look)


def _simulated(
    simulation: Any, beside: Distribution[Any] | Distributions[Any, Any]
) -> tuple[Distribution[float], ...]:
    """Return the frequencies that belong to a distribution, or to several."""
    figures.require_kind("simulation", simulation, Simulation, "play.Simulation")
    returns: tuple[Distribution[float], ...] = simulation.returns
    if isinstance(beside, Distributions):
        players = len(beside.returns)
        if len(returns) == players:
            return returns
        raise ValueError(
            f"simulation must have {players} players, as distribution has, got "
            f"{len(returns)}"
        )
    if beside.of == simulation.moves.of:
        return (simulation.moves,)
    if beside.of == "return":
        return returns[:1]
    raise ValueError(
        f"simulation must not be given with the distribution of the {beside.of}, which "
        "it does not have"
    )
