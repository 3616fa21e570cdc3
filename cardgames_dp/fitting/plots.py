"""Plots of growth: values with fits and the law of growth, and the limit laws.

Each function draws on the axes given, or on a new figure, which Jupyter shows at once,
and returns the axes; ``ax.figure.savefig("picture.png")`` saves the picture.
matplotlib, the extra ``plot``, is loaded when a function is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _figures
from cardgames_dp._figures import COLOURS, require_kind
from cardgames_dp._law import Law
from cardgames_dp.fitting.constants import decay_exponent, limit_constant
from cardgames_dp.fitting.fitted import Fit
from cardgames_dp.fitting.growth import AsymptoticValue
from cardgames_dp.fitting.limit import LimitLaw

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_fits", "plot_limit", "plot_missing"]

_LOOKS = {
    "log": (COLOURS[0], "-"),
    "sqrt": (COLOURS[1], "--"),
    "log+sqrt": (COLOURS[2], "-."),
}
"""The colour of each law, whichever others are drawn, and its line where they agree."""

_ROOM = 2
"""The factor by which the picture extends beyond the missing amounts, up and down."""

_LAW: dict[str, Any] = {"color": "black", "linestyle": ":", "linewidth": 2}


def __dir__() -> list[str]:
    return __all__


def plot_fits(
    fits: Iterable[Fit],
    law: AsymptoticValue[Any] | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the values to which laws were fitted, the laws, and the law of growth.

    Parameters
    ----------
    fits : iterable of Fit
        The fits, all to the same values; the Problem 14 essay compares three laws.
    law : AsymptoticValue, optional
        The law of growth, from :func:`asymptotic_value`; drawn for its decks.
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
        If there is no fit, or they are of different values.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import fitting, redblack
    >>> cards = [1, 5, 20, 50, 100, 200, 500, 1000, 1500, 2000]
    >>> values = redblack.values(cards)
    >>> laws = [fitting.fit(cards, values, law) for law in ("log", "sqrt")]
    >>> growth = fitting.asymptotic_value([1000, 1500, 2000])
    >>> ax = fitting.plots.plot_fits(laws, growth)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('$l$, the number of red and of black cards', 'value $V(l)$, in units of cash')
    """
    listed, line = _listed(fits), _line(law)
    ax = _figures.axes(ax)
    cards, values = listed[0].cards, listed[0].values
    ax.plot(cards, values, "o", color="0.7", label="values")
    fine = np.geomspace(cards.min(), cards.max(), 400)
    for fit in listed:
        colour, dash = _LOOKS[fit.model]
        error = fit.residual_standard_error
        label = f"{_typeset(fit.formula)}, residual standard error {error:.3g}"
        ax.plot(fine, fit.predict(fine), dash, color=colour, label=label)
    if line is not None:
        ax.plot(*line, label="the law of growth", **_LAW)
    _keep_to(ax, values, 0.05 * np.ptp(values))
    ax.ticklabel_format(useMathText=True)
    ax.set_xlabel("$l$, the number of red and of black cards")
    ax.set_ylabel("value $V(l)$, in units of cash")
    _figures.title(ax, "The growth of the value", columns=1)
    return ax


def plot_missing(
    fits: Iterable[Fit],
    law: AsymptoticValue[Any] | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw how far values are below the limit :math:`c \sqrt l`, logarithmically.

    The constant c is that of the limit. The difference shrinks like
    :math:`l^{-\lambda}`, which is a straight line here; its slope is drawn as well.
    Fitted laws leave this line in the end; a law that is off by far more than the
    difference leaves the picture.

    Parameters
    ----------
    fits : iterable of Fit
        The fits, all to the same values, which are drawn, too.
    law : AsymptoticValue, optional
        As for :func:`plot_fits`.
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
        If there is no fit, or they are of different values.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import fitting, redblack
    >>> cards = range(1, 201)
    >>> law = fitting.fit(cards, redblack.values(cards))
    >>> ax = fitting.plots.plot_missing([law])
    >>> ax.get_xscale(), ax.get_yscale()
    ('log', 'log')
    """
    listed, line = _listed(fits), _line(law)
    ax = _figures.axes(ax)
    cards, constant = listed[0].cards, float(limit_constant())
    missing = constant * np.sqrt(cards) - listed[0].values
    dots: dict[str, Any] = {"color": "black", "markersize": 4}
    ax.loglog(cards, missing, ".", label=r"$c\,\sqrt{l} - V(l)$", **dots)
    fine = np.geomspace(cards.min(), cards.max(), 400)
    for fit in listed:
        colour, _ = _LOOKS[fit.model]
        lacking = np.abs(constant * np.sqrt(fine) - fit.predict(fine))
        ax.loglog(
            fine, lacking, color=colour, label=f"the same, {_typeset(fit.formula)}"
        )
    if line is not None:
        sizes, values = line
        lacking = constant * np.sqrt(sizes) - values
        ax.loglog(sizes, lacking, label="the same, the law of growth", **_LAW)
    slope = float(decay_exponent(1))
    end = cards.argmax()
    straight = missing[end] * (fine / cards[end]) ** -slope
    label = rf"slope $-\lambda = {-slope:.4f}$"
    ax.loglog(fine, straight, "--", color="0.4", label=label)
    known = missing[missing > 0]
    if known.size:
        ax.set_ylim(known.min() / _ROOM, known.max() * _ROOM)
    ax.set_xlabel("$l$, the number of red and of black cards")
    ax.set_ylabel("difference, in units of cash")
    _figures.title(ax, r"How far the value is below $c\,\sqrt{l}$", columns=1)
    return ax


def plot_limit(
    law: LimitLaw,
    decks: Mapping[int, Law[Any]] | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw the distribution function of a limit law, with those of decks.

    Parameters
    ----------
    law : LimitLaw
        The law of the payoff or the duration, from :func:`limit_law`.
    decks : mapping from int to Law, optional
        The laws of the same quantity for decks of l red and l black cards, by l. They
        are drawn as steps, in the unit of the limit: payoffs divided by the square root
        of l, draws divided by 2 l.
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
        If `law` is that of the cards left, or the law of a deck is that of another
        quantity or has results beyond the deck.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import fitting, redblack
    >>> decks = {l: redblack.payoff_law(l, l) for l in (26, 1000)}
    >>> ax = fitting.plots.plot_limit(fitting.limit_law("payoff"), decks)
    >>> ax.get_xlabel()
    'payoff over $\\sqrt{l}$'
    """
    require_kind("law", law, LimitLaw)
    if law.of == "left":
        raise ValueError("law must be of the payoff or the duration, got 'left'")
    law = LimitLaw(law.of)  # in float64
    if decks is not None:
        require_kind("decks", decks, Mapping, "mapping from int to Law")
    scaled = [_in_its_unit(*item, law) for item in (decks or {}).items()]
    ax = _figures.axes(ax)
    for (size, results, chances), colour in zip(scaled, cycle(COLOURS), strict=False):
        label = f"{size:,} + {size:,} cards"
        ax.step(results, chances, where="post", color=colour, label=label)
    fine = np.linspace(*law.support, 400)
    ax.plot(fine, law.cdf(fine), label="the limit", **_LAW)
    payoff = law.of == "payoff"
    ax.set_xlabel(r"payoff over $\sqrt{l}$" if payoff else "share of the cards drawn")
    ax.set_ylabel("cumulative probability")
    _figures.title(ax, f"The {law.of} of large decks")
    return ax


def _typeset(formula: str) -> str:
    """Return a law's formula as mathematics: V = a + b log(l) + c sqrt(l)."""
    parts = formula.replace(" sqrt(l)", r"\,\sqrt{l}").replace(" log(l)", r"\,\log\,l")
    return f"${parts}$"


def _keep_to(ax: Axes, values: NDArray[np.float64], margin: float) -> None:
    """Scale the axis by the values, not by a law that does not fit them."""
    if margin > 0:
        ax.set_ylim(values.min() - margin, values.max() + margin)


def _in_its_unit(
    key: object, deck: Law[Any], law: LimitLaw
) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """Return l, the results in the limit law's unit, and cumulative probabilities."""
    size = _checks.integer("decks", key, minimum=1)
    require_kind("decks", deck, Law, "mapping from int to Law")
    root = (
        _checks.nearest_float("decks must have keys that fit in float64", size) ** 0.5
    )
    payoff = law.of == "payoff"
    results = deck.support.astype(np.float64)
    most = size if payoff else 2 * size
    if deck.of != law.of or results[0] < 0 or results[-1] > most:
        raise ValueError(
            f"decks must have laws of the {law.of} with results from 0 to {most} for "
            f"{size} red and {size} black cards, got {deck!r}"
        )
    chances = np.cumsum(deck.probabilities.astype(np.float64))
    return size, results / (root if payoff else 2 * size), chances


def _line(
    law: AsymptoticValue[Any] | None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return the decks of a law of growth, in increasing order, and its values."""
    if law is None:
        return None
    require_kind("law", law, AsymptoticValue)
    sizes, values = np.atleast_1d(law.cards, law.value)
    order = np.argsort(sizes)
    return sizes[order], values[order]


def _listed(fits: Iterable[Fit]) -> list[Fit]:
    """Return the fits as a list: at least one, all to the same values."""
    listed = _figures.listed("fits", fits, Fit)
    for fit in listed[1:]:
        same = np.array_equal(fit.cards, listed[0].cards)
        if not (same and np.array_equal(fit.values, listed[0].values)):
            raise ValueError("fits must all be to the same cards and values")
    return listed
