"""The HTML of results in a notebook: a caption and one table, always in the same style.

Notebooks and pages have their own style sheets and themes, light or dark. So styles
here are inline and few, text keeps the colour of the theme, and backgrounds are
translucent. Marked cells are also bold and have a sign, for readers who do not see
colours. A wide table scrolls in its own box, below a caption that does not scroll.

Only the functions here make HTML, and all of them escape their input: `Html` is a type
of its own, so that the type checker distinguishes text from cells.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NewType

from cardgames_dp import _numbers

Html = NewType("Html", str)
"""A cell of a table, ready to be put there."""

MOST_ROWS = 20
"""The number of rows shown of a long list."""

_MOST_STEPS = 40
_MOST_TEXT = 100  # characters in a cell
_MOST_CAPTION = 1000
_BAR = 12  # em, the longest


def cell(text: str, *, mark: str | None = None) -> Html:
    """Return a cell with a number or words in it, shortened if they are very long.

    Parameters
    ----------
    text : str
    mark : str, optional
        Marks the cell, and is added to the text; may be empty if the text itself says
        what the mark means.
    """
    if mark is None:
        return Html(f"<td>{_escaped(text)}</td>")
    style = "background:#e904"  # orange, a quarter opaque
    return Html(f'<td style="{style}"><b>{_escaped(text)}{_escaped(mark)}</b></td>')


def bar(share: float) -> Html:
    """Return a cell with a bar, as long as a share from 0 to 1 of the longest."""
    style = f"width:{_BAR * share:.2f}em;height:1em;background:currentColor;opacity:.4"
    return Html(f'<td><div style="{style}"></div></td>')


def label(text: str) -> Html:
    """Return the cell at the head of a row."""
    return Html(f'<th scope="row">{_escaped(text)}</th>')


def _heading(text: str) -> str:
    """Return the cell at the head of a column; one without words heads nothing."""
    return f'<th scope="col">{_escaped(text)}</th>' if text else "<td></td>"


def table(
    title: str,
    head: Iterable[str],
    rows: Iterable[Iterable[Html]],
    notes: Iterable[str] = (),
) -> str:
    """Return a table under its caption.

    Parameters
    ----------
    title : str
        What the result is, in a line.
    head : iterable of str
        The labels of the columns.
    rows : iterable of iterables of Html
    notes : iterable of str
        Lines of the caption below the title: the meaning of cells and marks, and what
        is left out.
    """
    caption = "<br>".join(_escaped(line, _MOST_CAPTION) for line in (title, *notes))
    columns = "".join(map(_heading, head))
    body = "".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return (
        f'<figure style="margin:0"><figcaption>{caption}</figcaption>'
        '<div style="overflow-x:auto"><table style="color:inherit;margin:.5em 0;'
        'border-spacing:.5em .1em;text-align:right;font-variant-numeric:tabular-nums">'
        f"<thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table></div></figure>"
    )


def histogram(
    title: str,
    head: tuple[str, str],
    results: Sequence[Any],
    shares: Sequence[float],
    notes: Iterable[str] = (),
) -> str:
    """Return a table of results and their shares, with bars.

    Parameters
    ----------
    title, notes
        As for `table`.
    head : tuple of two str
        The labels of the results and of the shares.
    results : sequence of real numbers
        Increasing. If there are very many, several share a row.
    shares : sequence of float
        They sum to 1.
    """
    groups, grouped = grouped_shares(results, shares)
    most = max(share for _, share in groups)
    rows = [
        (label(ends), cell(f"{share:.4g}"), bar(share / most)) for ends, share in groups
    ]
    return table(title, (*head, ""), rows, (*notes, *grouped))


def grouped_shares(
    results: Sequence[Any], shares: Sequence[float]
) -> tuple[list[tuple[str, float]], list[str]]:
    """Return results and their shares, grouped if they are many, with a note then.

    Parameters
    ----------
    results, shares
        As for `histogram`.
    """
    step = _step(len(results), _MOST_STEPS)
    groups = [slice(i, i + step) for i in range(0, len(results), step)]
    rows = [(_ends(results[group]), math.fsum(shares[group])) for group in groups]
    return rows, [f"({len(results)} results, {step} to a row)"] * (step > 1)


def listing(
    title: str,
    head: Sequence[str],
    row: Callable[[int], Sequence[str]],
    count: int,
    notes: Iterable[str] = (),
) -> str:
    """Return a table of numbers; a long one shows rows in equal steps.

    Parameters
    ----------
    title, head, notes
        As for `table`.
    row : callable
        Returns the texts of a row by its place: its label, then the numbers.
    count : int
        The number of rows.
    """
    shown = spread(count, MOST_ROWS) if count else []
    rows = ([label(first), *map(cell, rest)] for first, *rest in map(row, shown))
    cut = [f"({len(shown)} of {count} rows shown)"] * (len(shown) < count)
    return table(title, head, rows, (*notes, *cut))


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
    return sorted({*range(0, count, _step(last, most - 1)), last})


def first_of(count: int, name: str, most: int = MOST_ROWS) -> list[str]:
    """Return the note for a long list of which only the first entries are shown."""
    return [f"(the first {most} of {count} {name} shown)"] * (count > most)


def _step(count: int, most: int) -> int:
    return max(1, -(-count // most))


def _ends(results: Sequence[Any]) -> str:
    first, last = (_numbers.short(results[i]) for i in (0, -1))
    return first if len(results) == 1 else f"{first} to {last}"


def _escaped(text: str, most: int = _MOST_TEXT) -> str:
    return html.escape(text if len(text) <= most else text[: most - 1] + "…")
