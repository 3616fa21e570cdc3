"""Plots of growth: values with fits and the law of growth, and the limits.

They draw where `cardgames_dp.plots` does, whose pictures are for any game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results import figures
from cardgames_dp._results.distribution import Distribution
from cardgames_dp._results.figures import COLOURS, require_kind
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.fitting.constants import decay_exponent, limit_constant
from cardgames_dp.fitting.growth import AsymptoticValue
from cardgames_dp.fitting.limit import LimitDistribution
from cardgames_dp.fitting.regression import Fit, formula

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_fits", "plot_limit"]
__dir__ = __all__.copy  # for completion

_LOOKS = {
    "log": (COLOURS[0], "-."),
    "sqrt": (COLOURS[1], "--"),
    "log+sqrt": (COLOURS[2], "-"),
}
"""The colour of each law, whichever others are drawn, and its line where they agree."""

_ROOM = 2
"""The factor by which the picture extends beyond the missing amounts, up and down."""

_LAW: dict[str, Any] = {"linestyle": ":", "linewidth": 2}


@suggest_arguments
def plot_fits(
    fits: Iterable[Fit],
    law: AsymptoticValue[Any] | None = None,
    *,
    missing: bool = False,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw the values to which laws were fitted, the laws, and the law of growth.

    Parameters
    ----------
    fits : iterable of Fit
        The fits, all to the same values; the Problem 14 essay compares three laws.
    law : AsymptoticValue, optional
        The law of growth, from :func:`asymptotic_value`; drawn for its decks.
    missing : bool, default False
        Whether to draw how far all these are from the limit :math:`c \sqrt l`, on
        logarithmic axes. The values are below it by an amount that shrinks like
        :math:`l^{-\lambda}`, a straight line, whose slope is drawn as well. Fitted laws
        leave this line in the end.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from cardgames_dp import fitting, redblack
    >>> cards = [1, 5, 20, 50, 100, 200, 500, 1000, 1500, 2000]
    >>> values = redblack.value(cards, cards)
    >>> laws = [fitting.fit(cards, values, law) for law in ("log", "sqrt")]
    >>> growth = fitting.asymptotic_value([1000, 1500, 2000])
    >>> ax = fitting.plots.plot_fits(laws, growth)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('$l$, the number of red and of black cards', 'value $V(l)$, in units of cash')
    """
    several = _checked_fits(fits)
    if law is not None:
        require_kind("law", law, AsymptoticValue)
    limit = float(limit_constant()) if arguments.boolean("missing", missing) else 0.0

    def height(sizes: NDArray[np.float64], values: NDArray[np.float64]) -> Any:
        return limit * np.sqrt(sizes) - values if missing else values

    ax = figures.axes(ax)
    cards, values = several[0].cards, height(several[0].cards, several[0].values)
    # Of many thousand decks no eye tells more apart, and a file would be large.
    dots: dict[str, Any] = {"color": figures.ink(0.5), "ms": 5, "markevery": 0.002}
    ax.plot(cards, values, "o", label="values", **dots)
    fine = np.geomspace(cards.min(), cards.max(), 400)
    for fit in several:
        colour, dash = _LOOKS[fit.model]
        law_of = formula(fit.model).replace(" log(l)", r"\,\log\,l")
        label = f"$V = {law_of}$".replace(" sqrt(l)", r"\,\sqrt{l}")
        curve = height(fine, fit.predict(fine))
        if missing:
            curve = np.abs(curve)
        else:
            label += f", standard error {fit.residual_standard_error:.3g}"
        ax.plot(fine, curve, dash, color=colour, label=label)
    if law is not None:
        sizes, worth = np.atleast_1d(law.cards, law.value)
        order = np.argsort(sizes)
        sizes, worth = sizes[order], worth[order]
        look = _LAW | {"color": figures.ink(), "label": "the law of growth"}
        ax.plot(sizes, height(sizes, worth), **look)
    ax.set_xlabel("$l$, the number of red and of black cards")
    if missing:
        _draw_slope(ax, cards, values, fine)
        return ax
    # By the values, not by a law that does not fit them.
    if (margin := 0.05 * np.ptp(values)) > 0:
        ax.set_ylim(values.min() - margin, values.max() + margin)
    ax.ticklabel_format(useMathText=True)
    ax.set(ylabel="value $V(l)$, in units of cash", title="The growth of the value")
    ax.legend(loc="lower right", handlelength=2.2)
    return ax


def _draw_slope(
    ax: Axes,
    cards: NDArray[np.float64],
    missing: NDArray[np.float64],
    fine: NDArray[np.float64],
) -> None:
    """Make the axes logarithmic, and draw the power of l through the largest deck."""
    slope, end = float(decay_exponent(1)), cards.argmax()
    straight = missing[end] * (fine / cards[end]) ** -slope
    label = rf"slope $-\lambda = {-slope:.4f}$"
    ax.loglog(fine, straight, color=figures.ink(), linewidth=0.8, label=label)
    positive = missing[missing > 0]
    if positive.size:
        ax.set_ylim(positive.min() / _ROOM, positive.max() * _ROOM)
    ax.set_ylabel(r"$c\,\sqrt{l} - V(l)$, in units of cash")
    ax.set_title(r"How far the value is below $c\,\sqrt{l}$")
    ax.legend(loc="upper right", handlelength=2.2)


@suggest_arguments
def plot_limit(
    limit: LimitDistribution,
    decks: Mapping[int, Distribution[Any]] | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw the distribution function in the limit, with those of decks.

    Parameters
    ----------
    limit : LimitDistribution
        That of the payoff or the duration, from :class:`LimitDistribution`.
    decks : mapping from int to Distribution, optional
        Those of the same quantity for decks of l red and l black cards, by l:
        ``returns[0]`` or ``moves`` of `cardgames_dp.play.distribution` with
        ``count="draw"``. They are drawn as steps, in the unit of the limit: payoffs
        divided by the square root of l, draws divided by 2 l.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        If `limit` is that of the cards left, or one of the decks has that of another
        quantity, or results beyond the deck.

    Examples
    --------
    >>> from cardgames_dp import fitting, play, redblack
    >>> solved = {l: redblack.solve(l, l) for l in (26, 1000)}
    >>> decks = {l: play.distribution(deck).returns[0] for l, deck in solved.items()}
    >>> ax = fitting.plots.plot_limit(fitting.LimitDistribution("payoff"), decks)
    >>> ax.get_xlabel()
    'payoff over $\\sqrt{l}$'
    """
    require_kind("limit", limit, LimitDistribution)
    if limit.of == "left":
        raise ValueError("limit must be of the payoff or the duration, got 'left'")
    if decks is not None:
        require_kind("decks", decks, Mapping, "mapping from int to Distribution")
    scaled = [_in_its_unit(*item, limit) for item in (decks or {}).items()]
    ax = figures.axes(ax)
    for (size, results, chances), colour in zip(scaled, cycle(COLOURS), strict=False):
        label = f"{size:,} + {size:,} cards"
        ax.step(results, chances, where="post", color=colour, label=label)
    fine = np.linspace(0, limit.quantile(1), 400)
    ax.plot(fine, limit.cdf(fine), label="the limit", color=figures.ink(), **_LAW)
    payoff = limit.of == "payoff"
    ax.set_xlabel(r"payoff over $\sqrt{l}$" if payoff else "share of the cards drawn")
    ax.set_ylabel("cumulative probability")
    figures.title(ax, f"The {limit.of} of large decks")
    return ax


def _in_its_unit(
    key: object, deck: Distribution[Any], limit: LimitDistribution
) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """Return l, the results in the limit's unit, and cumulative probabilities."""
    size = arguments.integer("decks", key, minimum=1)
    require_kind("decks", deck, Distribution, "mapping from int to Distribution")
    must = "decks must have keys that fit in float64"
    root = arguments.nearest_float(must, size) ** 0.5
    payoff = limit.of == "payoff"
    results = deck.support.astype(np.float64)
    most = size if payoff else 2 * size
    kind = "return" if payoff else "'draw' moves"
    if deck.of != kind or results[0] < 0 or results[-1] > most:
        raise ValueError(
            f"decks must have distributions of the {kind} with results from 0 to "
            f"{most} for {size} red and {size} black cards, got {deck!r}"
        )
    chances = np.cumsum(deck.probabilities.astype(np.float64))
    return size, results / (root if payoff else 2 * size), chances


def _checked_fits(fits: Iterable[Fit]) -> list[Fit]:
    """Return the fits as a list: at least one, all to the same values."""
    if not arguments.is_iterable(fits):
        raise arguments.wrong_type("fits must be an iterable of fitting.Fit", fits)
    several = list(arguments.limited_items("fits", fits))
    if not several:
        raise ValueError("fits must hold at least one Fit, got none")
    for fit in several:
        require_kind("fits", fit, Fit, "fitting.Fit each")
        same = np.array_equal(fit.cards, several[0].cards)
        if not (same and np.array_equal(fit.values, several[0].values)):
            raise ValueError("fits must all be to the same cards and values")
    return several
