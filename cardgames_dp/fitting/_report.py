"""Views of a fit: a statistical summary as text and as HTML.

The order, the words and the stars of the text are those of R's ``summary(lm)``; numbers
have six significant digits.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardgames_dp import _html
from cardgames_dp._text import aligned

_QUANTILES = ("Min", "1Q", "Median", "3Q", "Max")
_HEADER = ("Estimate", "Std. Error", "t value", "Pr(>|t|)", "")
_STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"), (0.1, "."))
_LEGEND = "Signif. codes: 0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1 ' ' 1"
_PERFECT = "Essentially a perfect fit: errors, t and p values show only rounding."


class Statistics(NamedTuple):
    """The figures shown of a fit, named as the attributes of `Fit`."""

    formula: str
    points: int
    terms: Sequence[str]
    columns: Mapping[str, Sequence[float]]
    """By name, for each term: the estimate, standard error, t value and p value."""
    residual_quantiles: Sequence[float]
    residual_standard_error: float
    degrees_of_freedom: int
    r_squared: float
    adjusted_r_squared: float
    f_statistic: float
    f_p_value: float
    is_perfect: bool


def text(fit: Statistics) -> str:
    """Return the summary as lines of plain text."""
    quantiles = [list(_QUANTILES), _short(fit.residual_quantiles)]
    coefficients = [["", *_HEADER], *_rows(fit)]
    lines = [
        title(fit),
        "",
        "Residuals:",
        *aligned(quantiles, gap=1),
        "",
        "Coefficients:",
        *aligned(coefficients, left=(0, 5), gap=1),
        "---",
        _LEGEND,
        "",
        *_quality(fit),
    ]
    return "\n".join(lines)


def html(fit: Statistics) -> str:
    """Return the summary as an HTML table of the coefficients, with notes."""
    rows = (
        [_html.label(term), *map(_html.cell, numbers), _html.cell(stars)]
        for term, *numbers, stars in _rows(fit)
    )
    quantiles = zip(_QUANTILES, _short(fit.residual_quantiles), strict=True)
    residuals = "Residuals: " + ", ".join(" ".join(pair) for pair in quantiles)
    notes = [residuals, *_quality(fit), _LEGEND]
    return _html.table(title(fit), ["", *_HEADER], rows, notes)


def title(fit: Statistics) -> str:
    """Return the formula and the number of points in one line."""
    return f"Least squares: {fit.formula}, {fit.points} points"


def p_value(p: float) -> str:
    """Return a p value as text, "<2e-16" below the rounding unit."""
    return "<2e-16" if p < sys.float_info.epsilon else f"{p:.3g}"


def _rows(fit: Statistics) -> list[list[str]]:
    """Return term, estimate, error, t, p and stars of every coefficient."""
    return [
        [term, *_short(numbers), p_value(p), _stars(p)]
        for term, *numbers, p in zip(fit.terms, *fit.columns.values(), strict=True)
    ]


def _quality(fit: Statistics) -> list[str]:
    freedom = fit.degrees_of_freedom
    error, r_squared, adjusted, f = _short(
        [
            fit.residual_standard_error,
            fit.r_squared,
            fit.adjusted_r_squared,
            fit.f_statistic,
        ]
    )
    return [
        f"Residual standard error: {error} on {freedom} degrees of freedom",
        f"Multiple R-squared: {r_squared}, Adjusted R-squared: {adjusted}",
        f"F-statistic: {f} on {len(fit.terms) - 1} and {freedom} DF, "
        f"p-value: {p_value(fit.f_p_value)}",
        *([_PERFECT] if fit.is_perfect else []),
    ]


def _short(numbers: Sequence[float]) -> list[str]:
    return [f"{number:.6g}" for number in numbers]


def _stars(p: float) -> str:
    return next((stars for limit, stars in _STARS if p <= limit), "")
