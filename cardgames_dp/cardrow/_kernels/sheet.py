"""The table of a solved row, as Pashevich's report shows it: as text, HTML, DataFrame.

Rows are the left end of what is left, columns its right end. A cell has an arrow to the
cell that the best turn leads to, down for a card from the left and to the left for one
from the right, and what the players take, the one to move first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _html
from cardgames_dp._extras import require
from cardgames_dp._numbers import short
from cardgames_dp._text import starred

if TYPE_CHECKING:
    import pandas as pd

MOST_CARDS = 30
"""Rows and columns shown of a larger table, at the corner of the whole row."""

_MOST_SUMS = 3600
"""Sums shown: with many players there are fewer rows and columns, but at least one."""


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
    lefts, rights = _corner(len(cards), len(sums))

    def cell(left: int, right: int) -> tuple[str, bool]:
        if left > right:
            return "", False
        shown = _arrow(best, left, right) + _sums(sums, left, right)
        return shown, bool(ties[left, right])

    rows = [(_short(cards[left]), [cell(left, r) for r in rights]) for left in lefts]
    lines = starred("", [_short(cards[right]) for right in rights], rows)
    return "\n".join([*lines, *_cut(len(cards), len(lefts))])


def html(
    title: str,
    cards: Sequence[Any],
    best: NDArray[Any],
    ties: NDArray[np.bool_],
    sums: NDArray[Any] | None = None,
) -> str:
    """Return the table as HTML; ties are marked.

    Without `sums` it is that of one player's turns, 0 in `best` where another moves.
    """
    lefts, rights = _corner(len(cards), 1 if sums is None else len(sums))

    def cell(left: int, right: int) -> _html.Html:
        if left > right:
            return _html.cell("")
        shown = ("←" if best[left, right] > 0 else "↓") * bool(best[left, right])
        if sums is not None:
            shown = _arrow(best, left, right) + _sums(sums, left, right)
        shown = shown.replace(" ", "\N{NO-BREAK SPACE}")
        return _html.cell(shown, mark="*" if ties[left, right] else None)

    rows = (
        [_html.label(_short(cards[left])), *(cell(left, right) for right in rights)]
        for left in lefts
    )
    after = ", sums of the player to move and of the others"
    notes = [
        "Rows: left end card; columns: right end card; cells: best turn (down: take "
        f"from the left){after * (sums is not None)}; marked *: tie.",
        *_cut(len(cards), len(lefts)),
    ]
    head = ["left \\ right", *(_short(cards[right]) for right in rights)]
    return _html.table(title, head, rows, notes)


def data_frame(
    best: NDArray[Any], ties: NDArray[np.bool_], tables: Mapping[str, NDArray[Any]]
) -> pd.DataFrame:
    """Return one line an interval, with the numbers of tables in full.

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
    columns |= {name: table[intervals] for name, table in tables.items()}
    index = pandas.MultiIndex.from_arrays(intervals, names=["left", "right"])
    frame: pd.DataFrame = pandas.DataFrame(columns, index=index)
    return frame


def choices(best: NDArray[Any], ties: NDArray[np.bool_]) -> pd.DataFrame:
    """Return one line an interval at which there is a turn: its side, and whether tied.

    Raises
    ------
    ModuleNotFoundError
        If pandas is not installed.
    """
    pandas = require("pandas", extra="pandas", purpose="to_pandas")
    intervals = np.nonzero(best)
    columns = {
        "side": np.where(best[intervals] < 0, "left", "right"),
        "tie": ties[intervals],
    }
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


def _corner(cards: int, numbers: int) -> tuple[range, range]:
    """Return the left and right ends shown, by the numbers in a cell.

    Those of the intervals that are met first: the arrows lead from cell to cell, so
    that no rows between them can be left out.
    """
    most = min(cards, MOST_CARDS, max(1, math.isqrt(_MOST_SUMS // numbers)))
    return range(most), range(cards - most, cards)


def _cut(cards: int, shown: int) -> list[str]:
    if shown == cards:
        return []
    return [f"(the first {shown} rows and the last {shown} columns of {cards} shown)"]
