"""The spreadsheet of a solved game, as document 001 shows it: as text, HTML, DataFrame.

Rows are red (good) cards remaining, columns black ones, both from the full deck down. A
cell is the total: what stopping there brings, or what playing on does. Stop cells are
marked.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._extras import require

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 60
"""Larger tables are cut to this many rows and columns, at the full deck's end."""

MOST_COLUMNS = 60


def text(red: int, black: int, totals: NDArray[Any], stop: NDArray[np.bool_]) -> str:
    """Return the sheet as plain text; a star marks the stop cells.

    Parameters
    ----------
    red, black : int
        The full deck.
    totals, stop : ndarray
        The states with the most cards, indexed ``[red, black]``: the last cell is the
        full deck.
    """
    header, rows = _cells(red, black, totals, stop)
    lines = [["red\\black", *header]]
    lines += [
        [label, *(c + ("*" if s else " ") for c, s in row)] for label, row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    # A label stands over its number, not over the place of the star.
    lines[0][1:] = [label + " " for label in lines[0][1:]]
    padded = [
        " ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    ]
    return "\n".join(line.rstrip() for line in [*padded, *_cut(red, black, totals)])


def html(
    caption: str, red: int, black: int, totals: NDArray[Any], stop: NDArray[np.bool_]
) -> str:
    """Return the sheet as an HTML table; stop cells have another background."""
    header, rows = _cells(red, black, totals, stop)
    head = "".join(f"<th>{label}</th>" for label in header)
    style = ' style="background: #f6c7c7; color: black"'
    body = "".join(
        f"<tr><th>{label}</th>"
        + "".join(f"<td{style if s else ''}>{cell}</td>" for cell, s in row)
        + "</tr>"
        for label, row in rows
    )
    notes = [
        "Rows: red cards remaining; columns: black cards remaining; cells: total; "
        "coloured: stop.",
        *_cut(red, black, totals),
    ]
    return (
        f"<table><caption>{escape(caption)}<br>{escape(' '.join(notes))}</caption>"
        f"<thead><tr><th>red \\ black</th>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def data_frame(totals: NDArray[Any]) -> pd.DataFrame:
    """Return the sheet as a DataFrame with the numbers in full.

    Raises
    ------
    ModuleNotFoundError
        If pandas is not installed.
    """
    pandas = require("pandas", extra="pandas", purpose="to_pandas")
    rows, columns = (range(size - 1, -1, -1) for size in totals.shape)
    frame: pd.DataFrame = pandas.DataFrame(
        totals[::-1, ::-1],
        index=pandas.Index(rows, name="red"),
        columns=pandas.Index(columns, name="black"),
    )
    return frame


_Row = tuple[str, list[tuple[str, bool]]]


def _cells(
    red: int, black: int, totals: NDArray[Any], stop: NDArray[np.bool_]
) -> tuple[list[str], list[_Row]]:
    """Return the column labels, and for each row its label and (number, stop) pairs."""
    height, width = totals.shape
    header = [str(black - j) for j in range(width)]
    rows = [
        (
            str(red - i),
            [
                (f"{float(totals[-1 - i, -1 - j]):.4g}", bool(stop[-1 - i, -1 - j]))
                for j in range(width)
            ],
        )
        for i in range(height)
    ]
    return header, rows


def _cut(red: int, black: int, totals: NDArray[Any]) -> list[str]:
    if totals.shape == (red + 1, black + 1):
        return []
    return [
        f"({totals.shape[0]} of {red + 1} rows and {totals.shape[1]} of {black + 1} "
        "columns shown)"
    ]
