"""The spreadsheet of a solved game, as in the Problem 14 essay: text, HTML, DataFrame.

Rows are red (good) cards remaining, columns black cards remaining, both from the full
deck down. A cell is the total of optimal play. Stop cells are marked. A large table is
thinned to rows and columns at equal distances, because the corner at the full deck
would have no stop cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results import tables
from cardgames_dp._results.printing import short
from cardgames_dp._results.tables import starred
from cardgames_dp._support.running import require

if TYPE_CHECKING:
    import pandas as pd


class Sheet(NamedTuple):
    """The part of a table that a sheet shows.

    Attributes
    ----------
    reds, blacks : ndarray of int64
        The labels of rows and columns, from the full deck down.
    totals, stop : ndarray, shape (reds, blacks)
    whole : tuple of two int
        The numbers of rows and columns of the whole table.
    cell : str
        The name of the totals.
    """

    reds: NDArray[np.int64]
    blacks: NDArray[np.int64]
    totals: NDArray[Any]
    stop: NDArray[np.bool_]
    whole: tuple[int, int]
    cell: str = "total"


def shown(n: int) -> NDArray[np.int64]:
    """Return which of n rows, or columns, a sheet shows, from the last one on."""
    return np.array(tables.spread(n)[::-1])


def text(sheet: Sheet) -> str:
    """Return the sheet as plain text; a star marks the stop cells."""
    unit = [f"(cells: {sheet.cell})"] * (sheet.cell != "total")
    return "\n".join([*starred("red\\black", *_cells(sheet)), *unit, *_cut(sheet)])


def html(title: str, sheet: Sheet) -> str:
    """Return the sheet as an HTML table; stop cells are marked."""
    header, rows = _cells(sheet)
    cells = (
        [
            tables.label(label),
            *(tables.cell(c, mark="*" if s else None) for c, s in row),
        ]
        for label, row in rows
    )
    notes = [
        "Rows: red cards remaining; columns: black cards remaining; "
        f"cells: {sheet.cell}; marked *: stop.",
        *_cut(sheet),
    ]
    return tables.table(title, ["red \\ black", *header], cells, notes)


def data_frame(table: NDArray[Any]) -> pd.DataFrame:
    """Return a table as a DataFrame in the form of the sheet, with numbers in full.

    Raises
    ------
    ModuleNotFoundError
        If pandas is not installed.
    """
    pandas = require("pandas", extra="pandas", purpose="to_pandas")
    rows, columns = (range(size - 1, -1, -1) for size in table.shape)
    frame: pd.DataFrame = pandas.DataFrame(
        table[::-1, ::-1],
        index=pandas.Index(rows, name="red"),
        columns=pandas.Index(columns, name="black"),
    )
    return frame


def long_frame(tables: dict[str, NDArray[Any]]) -> pd.DataFrame:
    """Return tables as the columns of a DataFrame with a row for every state.

    Raises
    ------
    ModuleNotFoundError
        If pandas is not installed.
    """
    pandas = require("pandas", extra="pandas", purpose="to_pandas")
    rows, columns = next(iter(tables.values())).shape
    index = pandas.MultiIndex.from_product(
        [range(rows - 1, -1, -1), range(columns - 1, -1, -1)], names=["red", "black"]
    )
    cells = {name: table[::-1, ::-1].ravel() for name, table in tables.items()}
    frame: pd.DataFrame = pandas.DataFrame(cells, index=index)
    return frame


_Row = tuple[str, list[tuple[str, bool]]]


def _cells(sheet: Sheet) -> tuple[list[str], list[_Row]]:
    """Return the column labels, and for each row its label and (number, stop) pairs."""
    rows = zip(
        sheet.reds.tolist(), sheet.totals.tolist(), sheet.stop.tolist(), strict=True
    )
    return [str(black) for black in sheet.blacks.tolist()], [
        (str(red), [(short(x, 4), s) for x, s in zip(row, stops, strict=True)])
        for red, row, stops in rows
    ]


def _cut(sheet: Sheet) -> list[str]:
    (height, width), (rows, columns) = sheet.totals.shape, sheet.whole
    if (height, width) == (rows, columns):
        return []
    return [f"({height} of {rows} rows and {width} of {columns} columns shown)"]
