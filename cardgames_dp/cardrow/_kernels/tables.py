"""The full table of a row: every interval, by both backends."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.running import refuse_too_large, tracked
from cardgames_dp.cardrow._kernels import diagonals
from cardgames_dp.cardrow._kernels.row import Instance, Terms

_ROWS = 8
"""Rows filled at a time: more than one, and few enough for a cache."""

_FRACTION_BYTES = 150
"""Bytes of a Fraction, with its place in the array, in addition to its integers."""


class Tables(NamedTuple):
    """All intervals; the attributes are those of `Solution`."""

    best: NDArray[np.signedinteger[Any]]
    ties: NDArray[np.bool_]
    sums: NDArray[Any]
    sums_of_second: NDArray[Any] | None


def solved(
    instance: Instance,
    *,
    exact: bool,
) -> Tables:
    """Return the tables of a row, exactly or in float64."""
    unit, terms = instance.unit, instance.terms
    worths = instance.array(exact=exact)
    n = worths.shape[1]
    code = np.min_scalar_type(-min(terms.take, n))
    # With weights six tables are filled, and their sums copied into four.
    numbers = terms.players * (5 if instance.weighted else 1)
    refuse_too_large(
        f"a table of {n} x {n} intervals",
        n**2 * (numbers * _sum_bytes(worths, instance) + code.itemsize),
        "use value(...), optimal_play(...), Position(...), which need no table"
        + ", or backend='float64'" * exact,
    )
    best, ties = np.zeros((n, n), code), np.zeros((n, n), bool)
    sums = np.zeros((len(worths), terms.players, n, n), worths.dtype)
    if terms.linear and not instance.weighted:
        _fill_by_rows(worths[0], terms, best, ties, sums[0])
    else:
        every = diagonals.sweep(worths, terms)
        for offset, turns in enumerate(every):
            _diagonal(best, offset)[...] = turns.codes
            _diagonal(ties, offset)[...] = turns.tied
            _diagonal(sums, offset)[...] = turns.sums
    if exact and not unit.integral:
        sums = _fractions(sums, unit.denominator)
    if not instance.weighted:
        return Tables(best, ties, sums[0], None)
    # Each player's sum is by their own values.
    first, second = (sums[1, 0], sums[2, 1]), (sums[2, 0], sums[1, 1])
    return Tables(best, ties, np.stack(first), np.stack(second))


def _fill_by_rows(
    cards: NDArray[Any],
    terms: Terms,
    best: NDArray[Any],
    ties: NDArray[np.bool_],
    sums: NDArray[Any],
) -> None:
    """Fill the table of two players who take one card a turn.

    What the player to move is ahead by is found by diagonals. What else the table shows
    follows from it and its neighbours, some rows at a time, as they lie in memory.
    """
    cards = -cards if terms.misere else cards
    leads, n = sums[0], len(cards)
    every = diagonals.leads(cards, take=1)
    for offset, lead in enumerate(every):
        _diagonal(leads, offset)[...] = lead
    starts = range(0, n, _ROWS)
    for start in tracked(starts, len(starts), "rows of cells"):
        rows, columns = slice(start, start + _ROWS), slice(start + 1, n)
        _compare(cards, terms, leads, rows, columns, best, ties)
        # These leads are not needed for further rows, and give way to the sums.
        for left in range(start, min(start + _ROWS, n)):
            best[left, left], best[left, :left] = -1, 0
            ties[left, : left + 1] = False
            lead = leads[left, left:]
            total = cards[left:].cumsum()
            lead += total
            if cards.dtype == np.float64:
                lead /= 2
            else:
                lead >>= 1
            np.subtract(total, lead, out=sums[1, left, left:])
    if terms.misere:
        np.negative(sums, out=sums)


def _compare(
    cards: NDArray[Any],
    terms: Terms,
    leads: NDArray[Any],
    rows: slice,
    columns: slice,
    best: NDArray[Any],
    ties: NDArray[np.bool_],
) -> None:
    """Fill a part of `best` and `ties`; below the diagonal with what is to go again."""
    lefts, rights = cards[rows, None], cards[columns]
    # By how much to take the right card is better than to take the left one.
    ahead = rights - lefts
    ahead -= leads[rows, columns.start - 1 : columns.stop - 1]
    below = leads[rows.start + 1 : rows.stop + 1, columns]
    ahead[: len(below)] += below
    tied, right = ties[rows, columns], best[rows, columns].view(bool)
    if cards.dtype == np.float64:
        lengths = (
            np.arange(columns.start, columns.stop)
            - np.arange(len(cards))[rows, None]
            + 1
        )
        # Leads differ by twice as much as sums.
        tolerance = 2 * diagonals.tolerance(cards, 1) * lengths**2
        np.less_equal(np.abs(ahead), tolerance, out=tied)
        np.greater(ahead, tolerance, out=right)
    else:
        tied[...] = ahead == 0
        right[...] = ahead > 0
    if terms.tie == "right":
        right |= tied
    elif terms.tie == "larger":
        right |= tied & (rights <= lefts if terms.misere else rights >= lefts)
    codes = best[rows, columns]
    codes *= 2
    codes -= 1


def _diagonal(table: NDArray[Any], offset: int) -> NDArray[Any]:
    """Return the cells ``[..., l, l + offset]`` of a new table, as a view."""
    *outer, n, _ = table.shape
    flat = table.reshape(*outer, n * n)
    return flat[..., offset : (n - offset) * n : n + 1]


def _sum_bytes(worths: NDArray[Any], instance: Instance) -> int:
    """Return about how much a sum in the table takes."""
    if worths.dtype == np.float64 or (
        worths.dtype == np.int64 and instance.unit.integral
    ):
        return 8
    largest = max([max(map(abs, row)) for row in instance.worths])
    return (
        _FRACTION_BYTES
        + (largest.bit_length() + instance.unit.denominator.bit_length()) // 8
    )


def _fractions(
    sums: NDArray[Any],
    denominator: int,
) -> NDArray[Any]:
    """Return integers over a denominator as Fractions."""
    result = np.empty(sums.size, object)
    numerators = tracked(sums.ravel().tolist(), sums.size, "sums")
    result[:] = [Fraction(x, denominator) for x in numerators]
    return result.reshape(sums.shape)
