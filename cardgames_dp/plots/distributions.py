"""Distributions as bars or lines, and simulated frequencies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cardgames_dp._graph.graph import Floats
from cardgames_dp._results import figures
from cardgames_dp._results.distribution import Distribution
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import with_noun
from cardgames_dp.play.distributions import Distributions
from cardgames_dp.play.simulation import Simulation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_BARS = 100
"""Distributions with more results than this are lines: bars would be too thin."""

_MOST_LETTERS = 40
"""The most letters of what is distributed."""

_TAIL, _NOTHING = 1e-3, 1e-12
"""Results at either end that are together less likely than the first are not drawn, and
what is less likely than the second is not told from rounding."""


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
        Simulated games, from `cardgames_dp.play.simulate`; what is drawn of them is
        what the distribution has: all returns, those of one player or the moves.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        If the simulation has another number of players, or nothing of the kind that the
        distribution has; no game ends; or a result is larger than 1e100 in absolute
        value.

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
    simulated = _simulated(simulation, laws, of)
    likely, ax = [_likely(law) for law in laws], figures.axes(ax)
    every = np.unique(np.concatenate([support for support, _ in likely]))
    width = (
        0.8 * np.diff(every).min(initial=np.inf if len(every) > 1 else 1) / len(laws)
    )
    for who, (support, chances) in enumerate(likely):
        colour, aside = figures.colour(who), (who - (len(laws) - 1) / 2) * width
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
    if np.array_equal(every, every.round()):
        ax.locator_params(axis="x", integer=True, min_n_ticks=1)
    room = 0.02 * np.ptp(every) + width * len(laws)
    ax.set_xlim(every.min() - room, every.max() + room)
    rest = max(1 - math.fsum(chances) for _, chances in likely)
    elsewhere = f", with probability {rest:.1g} elsewhere" if rest > _NOTHING else ""
    of = figures.label(of, _MOST_LETTERS)
    ax.set(xlabel=of + elsewhere, ylabel="probability")
    several = "s" * isinstance(distribution, Distributions)
    figures.title(ax, f"Distribution of the {of}{several}")
    return ax


def _likely(law: Distribution[Any]) -> tuple[Floats, Floats]:
    """Return the results that are drawn, without ends that are rare, and how likely."""
    # That of plays that never end comes last.
    finite = len(law) - (law.support[-1] == math.inf)
    if not finite:
        raise ValueError("distribution must have games that end, and no game ends")
    chances = law.probabilities[:finite].astype(np.float64)
    below = chances.cumsum()
    first, last = np.searchsorted(below, [_TAIL, below[-1] - _TAIL])
    support = figures.drawable("distribution", law.support[first : last + 1])
    return support, chances[first : last + 1]


def _add_frequencies(
    ax: Axes, frequencies: Distribution[float], games: int, aside: float, labelled: bool
) -> None:
    """Draw the frequencies of results as dots, with two standard errors."""
    share, few = frequencies.probabilities, len(frequencies) <= _MOST_BARS
    look: dict[str, Any] = {"fmt": ".", "color": figures.ink(), "capsize": 2 * few}
    look |= {"markersize": 6 if few else 2, "elinewidth": 1.5 if few else 0.6}
    label = f"{games:,} games, ± 2 standard errors" if labelled else None
    error = 2 * np.sqrt(share * (1 - share) / games)
    ax.errorbar(frequencies.support + aside, share, error, label=label, **look)


def _simulated(
    simulation: Any, laws: list[Distribution[Any]], of: str
) -> tuple[Distribution[float], ...]:
    """Return the frequencies that belong to distributions; none without simulation."""
    if simulation is None:
        return ()
    figures.require_kind("simulation", simulation, Simulation, "play.Simulation")
    shares: tuple[Distribution[float], ...] = simulation.returns
    if len(laws) == 1:
        shares = tuple([x for x in (simulation.moves, *shares) if x.of == of][:1])
    if len(shares) != len(laws):
        count = with_noun(len(laws), "distribution")
        must = f"simulation must have {count} of the {of}, as distribution has"
        raise ValueError(f"{must}, got {len(shares)}")
    return shares
