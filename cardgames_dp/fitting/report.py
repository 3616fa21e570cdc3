"""Views of a fit: as a statistician expects to see it, as HTML, as plain data.

The order, the words and the stars of the text are those of R's ``summary(lm)``; numbers
have six significant digits.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from cardgames_dp import _html
from cardgames_dp._extras import require
from cardgames_dp._records import plain

if TYPE_CHECKING:
    import pandas as pd

    from cardgames_dp.fitting.fitted import Fit

_QUANTILES = ("Min", "1Q", "Median", "3Q", "Max")
_HEADER = ("Estimate", "Std. Error", "t value", "Pr(>|t|)", "")
_STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"), (0.1, "."))
_LEGEND = "Signif. codes: 0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1 ' ' 1"
_PERFECT = "Essentially a perfect fit: errors, t and p tell of nothing but rounding."


def text(fit: Fit) -> str:
    """Return the summary as lines of plain text."""
    quantiles = [list(_QUANTILES), _short(fit.residual_quantiles.tolist())]
    coefficients = [["", *_HEADER], *_rows(fit)]
    lines = [
        title(fit),
        "",
        "Residuals:",
        *_aligned(quantiles),
        "",
        "Coefficients:",
        *_aligned(coefficients, left=(0, 5)),
        "---",
        _LEGEND,
        "",
        *_quality(fit),
    ]
    return "\n".join(lines)


def html(fit: Fit) -> str:
    """Return the summary as an HTML table of the coefficients, the rest above it."""
    rows = (
        [_html.label(term), *map(_html.cell, numbers), _html.cell(stars)]
        for term, *numbers, stars in _rows(fit)
    )
    quantiles = zip(_QUANTILES, _short(fit.residual_quantiles.tolist()), strict=True)
    residuals = "Residuals: " + ", ".join(" ".join(pair) for pair in quantiles)
    notes = [residuals, *_quality(fit), _LEGEND]
    return _html.table(title(fit), ["", *_HEADER], rows, notes)


def title(fit: Fit) -> str:
    """Return what was fitted to how much, in one line."""
    return f"Least squares: {fit.formula}, {len(fit.values)} points"


def as_dict(fit: Fit, *, json: bool) -> dict[str, Any]:
    """Return everything as plain lists and numbers, coefficients by their terms."""
    names, columns = zip(*_columns(fit).items(), strict=True)
    everything = {
        "model": fit.model,
        "formula": fit.formula,
        "cards": fit.cards,
        "values": fit.values,
        "coefficients": {
            term: dict(zip(names, row, strict=True))
            for term, *row in zip(fit.terms, *columns, strict=True)
        },
        "covariance": fit.covariance,
        "covariance_root": fit.covariance_root,
        "residual_quantiles": fit.residual_quantiles,
        "residual_standard_error": fit.residual_standard_error,
        "degrees_of_freedom": fit.degrees_of_freedom,
        "r_squared": fit.r_squared,
        "adjusted_r_squared": fit.adjusted_r_squared,
        "f_statistic": fit.f_statistic,
        "f_p_value": fit.f_p_value,
    }
    found: dict[str, Any] = plain(everything, json=json)
    return found


def data_frame(fit: Fit) -> pd.DataFrame:
    """Return the table of the coefficients as a DataFrame, a row for each term.

    Raises
    ------
    ModuleNotFoundError
        If pandas is not installed.
    """
    pandas = require("pandas", extra="pandas", purpose="to_pandas")
    frame: pd.DataFrame = pandas.DataFrame(
        _columns(fit), index=pandas.Index(fit.terms, name="term")
    )
    return frame


def p_value(p: float) -> str:
    """Return a p value in print; below the rounding unit, only that it is so."""
    return "<2e-16" if p < sys.float_info.epsilon else f"{p:.3g}"


def _columns(fit: Fit) -> dict[str, list[float]]:
    return {
        "estimate": fit.coefficients.tolist(),
        "standard_error": fit.standard_errors.tolist(),
        "t_value": fit.t_values.tolist(),
        "p_value": fit.p_values.tolist(),
    }


def _rows(fit: Fit) -> list[list[str]]:
    """Return term, estimate, error, t, p and stars of every coefficient."""
    return [
        [term, *_short(numbers), p_value(p), _stars(p)]
        for term, *numbers, p in zip(fit.terms, *_columns(fit).values(), strict=True)
    ]


def _quality(fit: Fit) -> list[str]:
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


def _short(numbers: list[float]) -> list[str]:
    return [f"{number:.6g}" for number in numbers]


def _stars(p: float) -> str:
    return next((stars for limit, stars in _STARS if p <= limit), "")


def _aligned(rows: list[list[str]], left: tuple[int, ...] = ()) -> list[str]:
    """Return the rows as lines, columns to the right but those to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        " ".join(
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
