"""The table of a solved row, as document 002 shows it: as text, HTML, DataFrame.

Rows are the left end of what is left, columns its right end. A cell has an arrow to the
cell that the best turn leads to, down for a card from the left and to the left for one
from the right, and what the players take, the one to move first.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._extras import require
from cardgames_dp.cardrow.cards import short

if TYPE_CHECKING:
    import pandas as pd

MOST_CARDS = 30
"""Larger tables are cut to the first so many rows and columns."""


def text(
    cards: Sequence[Any],
    best: NDArray[Any],
    ties: NDArray[np.bool_],
    sums: NDArray[Any],
) -> str:
    """Return the table as plain text; a star marks ties.

    Parameters
    ----------
    cards : sequence of numbers
    best, ties : ndarray, shape (n, n)
    sums : ndarray, shape (players, n, n)
        As in :class:`~cardgames_dp.cardrow.solution.Solution`.
    """
    shown = min(len(cards), MOST_CARDS)
    lines = [["", *(_short(x) for x in cards[:shown])]]
    for left in range(shown):
        cells = [
            _arrow(best, left, right)
            + _sums(sums, left, right)
            + ("*" if ties[left, right] else " ")
            if left <= right
            else ""
            for right in range(shown)
        ]
        lines.append([_short(cards[left]), *cells])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines[0][1:] = [label + " " for label in lines[0][1:]]
    padded = [
        " ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    ]
    return "\n".join(line.rstrip() for line in [*padded, *_cut(len(cards))])


def html(
    caption: str,
    cards: Sequence[Any],
    best: NDArray[Any],
    ties: NDArray[np.bool_],
    sums: NDArray[Any],
) -> str:
    """Return the table as HTML; ties have another background."""
    shown = min(len(cards), MOST_CARDS)
    labels = [escape(_short(x)) for x in cards[:shown]]
    head = "".join(f"<th>{label}</th>" for label in labels)
    style = ' style="background: #f6e3b4; color: black"'
    rows = []
    for left in range(shown):
        cells = "".join(
            f"<td{style if ties[left, right] else ''}>"
            + escape(_arrow(best, left, right) + _sums(sums, left, right))
            + "</td>"
            for right in range(left, shown)
        )
        rows.append(f"<tr><th>{labels[left]}</th>{'<td></td>' * left}{cells}</tr>")
    notes = [
        "Rows: left end card; columns: right end card; cells: best turn (down: take "
        "from the left), sums of the player to move and of the others; coloured: tie.",
        *_cut(len(cards)),
    ]
    return (
        f"<table><caption>{escape(caption)}<br>{escape(' '.join(notes))}</caption>"
        f"<thead><tr><th>left \\ right</th>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def data_frame(
    best: NDArray[Any], ties: NDArray[np.bool_], sums: NDArray[Any]
) -> pd.DataFrame:
    """Return one line an interval, with the numbers in full.

    Raises
    ------
    ModuleNotFoundError
        If pandas is not installed.
    """
    pandas = require("pandas", extra="pandas", purpose="to_pandas")
    intervals = np.triu_indices(len(best))
    codes = best[intervals]
    columns: dict[str, Any] = {
        "side": np.where(codes < 0, "left", "right"),
        "count": np.abs(codes.astype(np.int64)),
        "tie": ties[intervals],
    }
    columns |= {f"sum_{j}": table[intervals] for j, table in enumerate(sums)}
    index = pandas.MultiIndex.from_arrays(intervals, names=["left", "right"])
    frame: pd.DataFrame = pandas.DataFrame(columns, index=index)
    return frame


def _arrow(best: NDArray[Any], left: int, right: int) -> str:
    """Return where the best turn leads to; nothing for a single card."""
    if left == right:
        return ""
    code = int(best[left, right])
    count = "" if abs(code) == 1 else str(abs(code))
    return ("↓" if code < 0 else "←") + count + " "


def _sums(sums: NDArray[Any], left: int, right: int) -> str:
    return ":".join(_short(x) for x in sums[:, left, right])


def _short(number: Any) -> str:
    plain = number.item() if isinstance(number, np.generic) else number
    return short(plain, digits=4)


def _cut(cards: int) -> list[str]:
    if cards <= MOST_CARDS:
        return []
    return [f"({MOST_CARDS} of {cards} rows and columns shown)"]
