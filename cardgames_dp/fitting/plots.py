"""Pictures of growth: values with their fits, and what is missing to the limit.

Each function draws on the axes that it is given, or else on a new figure, and returns
them. ``ax.figure`` is saved by its ``savefig``, and shown by a notebook after
``%matplotlib inline``. matplotlib, the extra ``plot``, is loaded when a function is
called.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle
from typing import TYPE_CHECKING

import numpy as np

from cardgames_dp import _figures
from cardgames_dp._figures import COLOURS, require_kind
from cardgames_dp.fitting.constants import decay_exponent, limit_constant
from cardgames_dp.fitting.fitted import Fit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_fits", "plot_missing"]


def plot_fits(fits: Iterable[Fit], *, ax: Axes | None = None) -> Axes:
    """Draw the values to which laws were fitted, and the laws.

    Parameters
    ----------
    fits : iterable of Fit
        All to the same values; document 001 compares three laws.
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
        If there is no fit, or they are of different values.
    ModuleNotFoundError
        If matplotlib is not installed.

    Examples
    --------
    >>> from cardgames_dp import fitting, redblack
    >>> cards = range(1, 201)
    >>> values = redblack.values(cards)
    >>> laws = [fitting.fit(cards, values, law) for law in ("log", "sqrt")]
    >>> ax = fitting.plots.plot_fits(laws)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('l, the number of red and of black cards', 'value V(l), in units of cash')
    """
    listed = _listed(fits)
    ax = _figures.axes(ax)
    cards, values = listed[0].cards, listed[0].values
    ax.plot(cards, values, ".", color="black", ms=3, label="values")
    fine = np.geomspace(cards.min(), cards.max(), 400)
    for fit, colour in zip(listed, cycle(COLOURS), strict=False):
        error = fit.residual_standard_error
        label = f"{fit.formula}, residuals {error:.2g}"
        ax.plot(fine, fit.predict(fine), color=colour, label=label)
    ax.set_xlabel("l, the number of red and of black cards")
    ax.set_ylabel("value V(l), in units of cash")
    ax.set_title("The growth of the value")
    ax.legend(fontsize="small")
    return ax


def plot_missing(fits: Iterable[Fit], *, ax: Axes | None = None) -> Axes:
    """Draw what values lack of ``c sqrt(l)``, on logarithmic axes, with its slope.

    The limit's constant is c; what is missing shrinks like ``l**-lambda``, which is a
    straight line here. Fitted laws do not know that and leave it in the end.

    Parameters
    ----------
    fits : iterable of Fit
        All to the same values, which are drawn.
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
    listed = _listed(fits)
    ax = _figures.axes(ax)
    cards = listed[0].cards
    limit = float(limit_constant()) * np.sqrt(cards)
    missing = limit - listed[0].values
    ax.loglog(cards, missing, ".", color="black", ms=4, label="c sqrt(l) - V(l)")
    for fit, colour in zip(listed, cycle(COLOURS), strict=False):
        lacking = np.abs(limit - fit.predict(cards))
        ax.loglog(cards, lacking, color=colour, label=f"the same of {fit.formula}")
    slope = float(decay_exponent(1))
    end = cards.argmax()
    line = missing[end] * (cards / cards[end]) ** -slope
    order = np.argsort(cards)
    label = f"slope -lambda = {-slope:.4f}"
    ax.loglog(cards[order], line[order], "--", color="0.4", label=label)
    ax.set_xlabel("l, the number of red and of black cards")
    ax.set_ylabel("missing to the limit, in units of cash")
    ax.set_title("What the value lacks of c sqrt(l)")
    ax.legend(fontsize="small")
    return ax


def _listed(fits: Iterable[Fit]) -> list[Fit]:
    """Return fits to the same values, of which there must be one."""
    listed = list(fits)
    for fit in listed:
        require_kind("fits", fit, Fit, "fitting.Fit each")
    if not listed:
        raise ValueError("fits must hold at least one Fit, got none")
    for fit in listed[1:]:
        same = np.array_equal(fit.cards, listed[0].cards)
        if not (same and np.array_equal(fit.values, listed[0].values)):
            raise ValueError("fits must all be to the same cards and values")
    return listed
