"""Where pictures are drawn: on what the caller gives, or on a figure of their own.

Nothing passes through pyplot, so no figure stays open, and no style is changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardgames_dp._extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
"""Colours that colour-blind people tell apart (M. Okabe and K. Ito)."""


def axes(ax: Axes | None) -> Axes:
    """Return the axes given, or those of a new figure.

    Raises
    ------
    TypeError
        If `ax` is something else.
    ModuleNotFoundError
        If matplotlib is not installed.
    """
    if ax is None:
        return figure(None).add_subplot()
    kind = require("matplotlib.axes", extra="plot", purpose="a picture").Axes
    require_kind("ax", ax, kind, "matplotlib Axes")
    return ax


def figure(given: Figure | None) -> Figure:
    """Return the figure given, or a new one.

    Raises
    ------
    TypeError
        If it is something else.
    ModuleNotFoundError
        If matplotlib is not installed.
    """
    module = require("matplotlib.figure", extra="plot", purpose="a picture")
    if given is None:
        given = module.Figure(figsize=(7, 5.2), layout="constrained")
    require_kind("figure", given, module.FigureBase, "matplotlib Figure or SubFigure")
    return given


def require_kind(name: str, value: object, kind: type[Any], accepted: str = "") -> None:
    """Refuse what is not of a kind, which the message calls by its package's name."""
    if not isinstance(value, kind):
        package = kind.__module__.split(".")[1] if "." in kind.__module__ else ""
        raise TypeError(
            f"{name} must be a {accepted or f'{package}.{kind.__name__}'}, "
            f"got {value!r} of type {type(value).__name__}"
        )
