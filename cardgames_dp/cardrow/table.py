"""The full table of a row: every interval, by both backends."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._extras import tracked
from cardgames_dp.cardrow import diagonals
from cardgames_dp.cardrow.cards import Cards, read
from cardgames_dp.cardrow.rules import Rules
from cardgames_dp.cardrow.solution import Solution
from cardgames_dp.cardrow.stakes import Stakes
from cardgames_dp.diagonal import refuse_too_large

Backend: TypeAlias = Literal["exact", "float64"]
BACKENDS: tuple[Backend, ...] = ("exact", "float64")

_ROWS = 8
"""How many rows are filled at a time: more than one, and few enough for a cache."""

_FRACTION_BYTES = 150
"""About what a Fraction takes, with its place in the array, besides its integers."""


def solve(
    cards: Cards,
    *,
    rules: Rules | None = None,
    backend: Backend = "exact",
    max_bytes: int | None = None,
    progress: bool = False,
) -> Solution:
    """Solve every interval of a row: the table of document 002.

    Grade: exact; float64 with ``backend="float64"``.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right.
    rules : Rules, optional
        The classic ones if not given.
    backend : {"exact", "float64"}
        Exact tables are of int64 where all cards are integers and no sum overflows, of
        Python ints where it would, and of Fractions for other cards; those are slower
        and take more memory. Float tables are as fast for any cards.
    max_bytes : int, optional
        The largest table to make; half of this machine's memory if not given.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Solution
        Tables indexed ``[left, right]`` by the end cards of what is left of the row.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the kinds above, or the weights of the rules are not
        one for each card; in float64 also if sums of the cards are too large for it.
    TooLargeError
        If the table would not fit in memory. :func:`value`, :func:`scores`,
        :func:`best_move` and :func:`optimal_play` need none.
    TooLongError
        If it would take weeks, or more than an hour without `progress`.

    Notes
    -----
    In float64 two turns whose sums differ by no more than 5 u x D**2 are taken for a
    tie, where D is the number of cards, x the largest of the row in absolute value and
    u = 2**-53; sums are right to 2 u x D**2 as long as no two turns are closer to each
    other without being equal. The exact backend knows for certain.

    References
    ----------
    Document 002 (A. Pashevich and others, "APP2: Hold'em for n00bs"), section 4.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> table = cardrow.solve([14, 4, 7, 2, 5, 12])
    >>> table.my_sum[0].tolist()
    [14, 14, 18, 21, 20, 26]
    >>> table.best_turn(1, 3), bool(table.ties[1, 3])
    (Turn(side='left', count=1), True)
    """
    rules = _checks.rules(rules, Rules)
    exact = _checks.choice("backend", backend, BACKENDS) == "exact"
    progress = _checks.boolean("progress", progress)
    if max_bytes is not None:
        max_bytes = _checks.integer("max_bytes", max_bytes)
    row = read("cards", cards)
    stakes = Stakes.of(rules, row)
    worths = (
        diagonals.exact_array(*stakes.worths)
        if exact
        else diagonals.float_array(*stakes.worths, denominator=stakes.unit.denominator)
    )
    n = worths.shape[1]
    code = np.min_scalar_type(-min(rules.take, n))
    tables = rules.players * (1 if len(worths) == 1 else 5)  # 6 are made into 4
    refuse_too_large(
        f"a table of {n} x {n} intervals",
        n**2 * (tables * _bytes(worths, stakes) + code.itemsize),
        "use value(...), scores(...), best_move(...), optimal_play(...), which need no "
        "table, or backend='float64'",
        max_bytes,
    )
    best, ties = np.zeros((n, n), code), np.zeros((n, n), bool)
    sums = np.zeros((len(worths), rules.players, n, n), worths.dtype)
    if rules.linear and len(worths) == 1:
        _fill_by_rows(worths[0], rules, best, ties, sums[0], progress)
    else:
        _fill_by_diagonals(worths, rules, best, ties, sums, progress)
    if exact and not stakes.unit.integral:
        sums = _fractions(sums, stakes.unit.denominator, progress)
    own, other = sums[0], None
    if len(worths) > 1:  # each counts the own cards by the own values
        own = np.stack([sums[1, 0], sums[2, 1]])
        other = np.stack([sums[2, 0], sums[1, 1]])
    return Solution(tuple(row.numbers()), rules, backend, best, ties, own, other)


def _fill_by_diagonals(
    worths: NDArray[Any],
    rules: Rules,
    best: NDArray[Any],
    ties: NDArray[np.bool_],
    sums: NDArray[Any],
    progress: bool,
) -> None:
    every = diagonals.sweep(worths, rules, progress=progress)
    for offset, turns in enumerate(every):
        _diagonal(best, offset)[...] = turns.codes
        _diagonal(ties, offset)[...] = turns.tied
        _diagonal(sums, offset)[...] = turns.sums


def _fill_by_rows(
    cards: NDArray[Any],
    rules: Rules,
    best: NDArray[Any],
    ties: NDArray[np.bool_],
    sums: NDArray[Any],
    progress: bool,
) -> None:
    """Fill the table of two players who take one card a turn.

    What the player to move is ahead by is found by diagonals. What else the table shows
    follows from it and its neighbours, some rows at a time, as they lie in memory.
    """
    cards = -cards if rules.misere else cards
    leads, n = sums[0], len(cards)
    every = diagonals.leads(cards, take=1, progress=progress)
    for offset, lead in enumerate(every):
        _diagonal(leads, offset)[...] = lead
    starts = range(0, n, _ROWS)
    for start in tracked(starts, len(starts), "rows of cells", shown=progress):
        rows, columns = slice(start, start + _ROWS), slice(start + 1, n)
        _compare(cards, rules, leads, rows, columns, best, ties)
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
    if rules.misere:
        np.negative(sums, out=sums)


def _compare(
    cards: NDArray[Any],
    rules: Rules,
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
    if rules.tie == "right":
        right |= tied
    elif rules.tie == "larger":
        right |= tied & (rights <= lefts if rules.misere else rights >= lefts)
    codes = best[rows, columns]
    codes *= 2
    codes -= 1


def _diagonal(table: NDArray[Any], offset: int) -> NDArray[Any]:
    """Return the cells ``[..., l, l + offset]`` of a new table, as a view."""
    *outer, n, _ = table.shape
    flat = table.reshape(*outer, n * n)
    return flat[..., offset : (n - offset) * n : n + 1]


def _bytes(worths: NDArray[Any], stakes: Stakes) -> int:
    """Return about how much a sum in the table takes."""
    if worths.dtype == np.float64 or (
        worths.dtype == np.int64 and stakes.unit.integral
    ):
        return 8
    largest = max([max(map(abs, row)) for row in stakes.worths])
    return (
        _FRACTION_BYTES
        + (largest.bit_length() + stakes.unit.denominator.bit_length()) // 8
    )


def _fractions(sums: NDArray[Any], denominator: int, progress: bool) -> NDArray[Any]:
    result = np.empty(sums.size, object)
    numerators = tracked(sums.ravel().tolist(), sums.size, "sums", shown=progress)
    result[:] = [Fraction(x, denominator) for x in numerators]
    return result.reshape(sums.shape)
