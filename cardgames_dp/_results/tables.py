"""Tables of results, as plain text and as the HTML of notebooks, in one style.

Notebooks and pages have their own style sheets and themes, light or dark. So styles
here are inline and few, text keeps the colour of the theme, and backgrounds are
translucent. Marked cells are also bold and have a sign, for readers who do not see
colours. A wide table scrolls in its own box, below a caption that does not scroll.

Only `Table` makes HTML, and escapes all that it is given.
"""

from __future__ import annotations

import html
import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any, NamedTuple

from cardgames_dp._support.printing import bits, short

MOST_ROWS = 20
"""The number of rows shown of a long list."""

_MOST_STEPS = 40
_MOST_TEXT = 100  # characters in a cell
_MOST_CAPTION = 1000
_BAR = 12  # em, the longest
_FEW_BITS = 50  # of a fraction that is printed beside its decimals: 15 digits


def spread(count: int, most: int = _MOST_STEPS + 1) -> list[int]:
    """Return numbers from 0 to ``count - 1``, both included, in equal steps.

    Parameters
    ----------
    count : int
        At least 1.
    most : int
        All numbers are returned if there are at most this many; otherwise at most one
        more than this, as the last step may be shorter.
    """
    last = count - 1
    return sorted({*range(0, count, _step(last, max(most - 1, 1))), last})


def first_of(count: int, name: str, most: int = MOST_ROWS) -> list[str]:
    """Return the note for a long list of which only the first entries are shown."""
    return [f"the first {most} of {count} {name} shown"] * (count > most)


def _step(count: int, most: int) -> int:
    return max(1, -(-count // most))


def _escaped(text: str, most: int = _MOST_TEXT) -> str:
    return html.escape(text if len(text) <= most else text[: most - 1] + "…")


def aligned(rows: Iterable[Sequence[str]], *, left: Container[int] = ()) -> list[str]:
    """Return rows of cells as lines, every column as wide as its widest cell.

    Parameters
    ----------
    rows : iterable of sequences of str
        The rows, all of the same length, with the labels of the columns as one of them.
    left : container of int
        The columns aligned left; the others, mostly numbers, are aligned right.

    Returns
    -------
    list of str
        Lines without spaces at their ends.
    """
    table = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        [x.ljust(w) if i in left else x.rjust(w) for i, (x, w) in enumerate(pairs)]
        for pairs in (zip(row, widths, strict=True) for row in table)
    ]
    return ["  ".join(line).rstrip() for line in lines]


class Marked(NamedTuple):
    """A cell that stands out: with a sign, and in HTML also bold and coloured."""

    cell: object
    sign: str = "*"


@dataclass(frozen=True, slots=True)
class Table:
    """The table of a result, from which its text and its HTML are made.

    Attributes
    ----------
    head : sequence of str
        The labels of the columns.
    rows : sequence of sequences
        Cells: text as it is, numbers rounded, `Marked` cells. The first cell of a row
        is its label. A sequence may make its rows when they are asked for.
    notes : sequence of str
        What is said below the table: sums, the meaning of marks, what is left out.
    title : str
        The line above the table; in HTML the repr of the result if empty.
    left : container of int
        The columns aligned left in text.
    first : str, optional
        What the rows are, if a long table is to show the first ones; otherwise it shows
        rows in equal steps, with the first and the last.
    most : int
        How many rows are shown.
    bars : sequence of float
        Lengths of bars beside the rows in HTML, if it has any: all rows are shown then.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    notes: Sequence[str] = ()
    title: str = ""
    left: Container[int] = (0,)
    first: str = ""
    most: int = MOST_ROWS
    bars: Sequence[float] = ()

    def text(self) -> str:
        """Return the table as plain text, as ``print`` shows it."""
        rows, cut = self._visible()
        signed = {
            i for row in rows for i, c in enumerate(row) if getattr(c, "sign", "")
        }
        cells = [
            [
                _written(c) + " " * (i in signed and not isinstance(c, Marked))
                for i, c in enumerate(row)
            ]
            for row in rows
        ]
        lines = aligned([list(self.head), *cells], left=self.left)
        notes = [f"({note})" for note in [*self.notes, *cut]]
        return "\n".join([*[self.title] * bool(self.title), *lines, *notes])

    def html(self, caption: str) -> str:
        """Return the table as HTML, under its title or a caption."""
        rows, cut = self._visible()
        above = [self.title or caption, *self.notes, *[f"({note})" for note in cut]]
        lines = "<br>".join([_escaped(line, _MOST_CAPTION) for line in above])
        # A column without words is headed by nothing.
        head = "".join(
            f'<th scope="col">{_escaped(text)}</th>' if text else "<td></td>"
            for text in [*self.head, *[""] * bool(self.bars)]
        )
        bars = [
            f'<td><div style="width:{_BAR * length / max(self.bars):.2f}em;height:1em;'
            'background:currentColor;opacity:.4"></div></td>'
            for length in self.bars
        ]
        body = "".join(
            f"<tr>{''.join(map(_cell, row, range(len(row))))}{bar}</tr>"
            for row, bar in zip(rows, bars or [""] * len(rows), strict=True)
        )
        return (
            f'<figure style="margin:0"><figcaption>{lines}</figcaption>'
            '<div style="overflow-x:auto"><table style="color:inherit;margin:.5em 0;'
            "border-spacing:.5em .1em;text-align:right;font-variant-numeric:"
            f'tabular-nums"><thead><tr>{head}</tr></thead><tbody>{body}</tbody>'
            "</table></div></figure>"
        )

    def _visible(self) -> tuple[list[Sequence[object]], list[str]]:
        """Return the rows that are shown, and a note if there are more."""
        count = len(self.rows)
        if self.first:
            rows = list(range(min(count, self.most)))
            cut = first_of(count, self.first, self.most)
        else:
            rows = spread(count, self.most) if count else []
            cut = [f"{len(rows)} of {count} rows shown"] * (len(rows) < count)
        return [self.rows[i] for i in rows], cut


def table_of_shares(
    head: tuple[str, str],
    results: Sequence[Any],
    shares: Sequence[float],
    exactly: Sequence[Fraction] = (),
    notes: Sequence[str] = (),
) -> Table:
    """Return the table of a distribution: results and their shares, in HTML with bars.

    Parameters
    ----------
    head : tuple of two str
        The labels of the results and of the shares.
    results : sequence of real numbers
        Increasing. If there are very many, several share a row.
    shares : sequence of float
        They sum to 1.
    exactly : sequence of Fraction
        The shares as fractions, which stand in a column of their own where each of them
        is short and has a row.
    notes : sequence of str
        What is said below the table.
    """
    count = len(results)
    step = _step(count, _MOST_STEPS)
    groups = [results[i : i + step] for i in range(0, count, step)]
    columns: list[Sequence[object]] = [
        [short(x[0]) + f" to {short(x[-1])}" * (len(x) > 1) for x in groups],
        bars := [math.fsum(shares[i : i + step]) for i in range(0, count, step)],
    ]
    names = list(head)
    if step > 1:
        notes = [f"{count} results, {step} to a row", *notes]
    elif exactly and max(map(bits, exactly)) <= _FEW_BITS:
        names.append("exact")
        columns.append([*map(str, exactly)])
    rows = [*zip(*columns, strict=True)]
    return Table(names, rows, notes, left=(), most=len(rows), bars=bars)


def _cell(item: object, column: int) -> str:
    text = _escaped(_written(item))
    if isinstance(item, Marked):
        style = "background:#e904"  # orange, a quarter opaque
        return f'<td style="{style}"><b>{text}</b></td>'
    return f"<td>{text}</td>" if column else f'<th scope="row">{text}</th>'


def _written(item: object) -> str:
    """Return a cell as text: numbers rounded, a sign after what is marked."""
    if isinstance(item, Marked):
        return _written(item.cell) + item.sign
    if isinstance(item, bool) or not isinstance(item, Real):
        return str(item)
    return short(item)  # type: ignore[arg-type]
