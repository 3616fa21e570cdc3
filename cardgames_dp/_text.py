"""Tables of plain text: the alignment of all results that print as tables."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from fractions import Fraction
from typing import Any

from cardgames_dp import _html
from cardgames_dp._numbers import short

_MOST_DIGITS = 16
"""Longer fractions are not printed beside their decimals."""


def aligned(
    rows: Iterable[Sequence[str]], *, left: Container[int] = (), gap: int = 2
) -> list[str]:
    """Return rows of cells as lines, every column as wide as its widest cell.

    Parameters
    ----------
    rows : iterable of sequences of str
        The rows, all of the same length, with the labels of the columns as one of them.
    left : container of int
        The columns aligned left; the others, mostly numbers, are aligned right.
    gap : int, default 2
        The number of spaces between columns.

    Returns
    -------
    list of str
        Lines without spaces at their ends.
    """
    table = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        (" " * gap)
        .join(
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        .rstrip()
        for row in table
    ]


def starred(
    corner: str,
    labels: Sequence[str],
    rows: Iterable[tuple[str, Sequence[tuple[str, bool]]]],
) -> list[str]:
    """Return a grid of cells as lines, with a star after marked cells.

    Parameters
    ----------
    corner : str
        The text above the labels of the rows.
    labels : sequence of str
        The labels of the columns, aligned with the numbers without their stars.
    rows : iterable of pairs
        The label of a row, and for each column a text and whether it is marked.
    """
    head = [corner, *(label + " " for label in labels)]
    body = [
        [label, *(text + ("*" if marked else " ") for text, marked in cells)]
        for label, cells in rows
    ]
    return aligned([head, *body], gap=1)


def histogram(
    head: tuple[str, str],
    results: Sequence[Any],
    shares: Sequence[float],
    exactly: Sequence[Fraction] = (),
) -> list[str]:
    """Return results and their shares as lines, as `_html.histogram` shows them.

    The shares as fractions, if given, stand in a column of their own where each of them
    is short and has a row.
    """
    rows, grouped = _html.grouped_shares(results, shares)
    table = [list(head), *([x, short(p)] for x, p in rows)]
    few = exactly and not grouped
    if few and all(_digits(p) <= _MOST_DIGITS for p in exactly):
        for line, text in zip(table, ["exact", *map(str, exactly)], strict=True):
            line.append(text)
    return [*aligned(table), *grouped]


def _digits(fraction: Fraction) -> int:
    """Return about how many digits a fraction has, without writing them."""
    numerator, denominator = fraction.as_integer_ratio()
    return (numerator.bit_length() + denominator.bit_length()) // 3
