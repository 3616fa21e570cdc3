"""What many rows are worth, each of them a game of its own.

Short rows of one length are solved side by side, by the diagonals of
`cardgames_dp.cardrow.diagonals`: one operation of NumPy serves thousands of rows, which
for up to some hundred cards outweighs the quadratic time. Longer rows are collapsed,
one by one. (To collapse the peaks of all rows at once, again and again until there are
none, was tried, too: it is slower than diagonals for up to fifty cards, and at best
three times as fast as one long row after the other.)
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._extras import progress_bar
from cardgames_dp.cardrow import diagonals
from cardgames_dp.cardrow.cards import Cards, Row, read_rows
from cardgames_dp.cardrow.rules import Rules, check_lengths
from cardgames_dp.cardrow.valuation import of_row

_SHORT = 128
"""Of up to so many cards each, rows side by side are faster than one by one."""

_CELLS = 2**14
"""So many cards lie side by side at most: many rows, and few enough for a cache."""


def values(
    rows: Iterable[Cards] | NDArray[Any],
    *,
    rules: Rules | None = None,
    progress: bool = False,
) -> NDArray[Any]:
    """Return what the first player wins by in many games, each with its own row.

    The same as :func:`value` of each row, and faster: for a matrix of rows of up to
    twenty cards by one or two orders of magnitude, of up to a hundred cards by a few
    times. (One game in which several rows lie on the table is :func:`value_of_rows`.)

    Grade: exact.

    Parameters
    ----------
    rows : iterable of rows of cards, or ndarray of shape (games, cards)
        Each row as for :func:`value`; a matrix as from :func:`deal`. Other rows need
        not be of one length.
    rules : Rules, optional
        Those of every game; the classic ones if not given. With weights, all rows must
        have as many cards as there are weights.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    ndarray, shape (games,)
        Each entry is exact and equal to :func:`value` of its row. Of int64 where all
        cards are integers and no sum could overflow it; else of Python ints and
        Fractions (dtype object).

    Raises
    ------
    TypeError, ValueError
        As by :func:`value`, for the row that the message names; also if there is none.
    TooLongError
        If it would take weeks, or more than an hour without `progress`.

    Notes
    -----
    Matrices of integers, and lists of lists of them, are solved side by side for two
    players and up to 128 cards. Other rows are read card by card first, which takes
    most of the time; with more than two players they are solved one by one.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.values([[4, 4, 6, 6, 12, 9], [8, 4, 2, 2, 4, 8], [1, 5, 1]])
    array([ 3,  0, -3])

    In what share of deals is it better to let the other start?

    >>> found = cardrow.values(cardrow.deal(10_000, 13, rng=1))
    >>> float((found < 0).mean())
    0.566
    """
    rules = _checks.rules(rules, Rules)
    progress = _checks.boolean("progress", progress)
    groups, others = _grouped(rows, rules)
    count = sum([len(group.wanted) for group in groups]) + len(others)
    seconds = [_seconds(len(g.wanted[0]), len(g.wanted), rules) for g in groups]
    seconds += [_seconds(len(row.numerators), 1, rules) for row in others.values()]
    refuse_too_long(
        f"the values of {count} rows", sum(seconds), "give fewer", progress=progress
    )
    fits = not others and all(group.unit.integral for group in groups)
    found = np.empty(count, np.int64 if fits else object)
    with progress_bar(count, "games", shown=progress) as bar:
        for places, results in _solved(groups, others, rules):
            found[places] = results
            if bar is not None:
                bar.update(len(places))
    fits = fits or all(isinstance(x, int) and abs(x) < 2**63 for x in found)
    return found.astype(np.int64, copy=False) if fits else found


class _Group(NamedTuple):
    """Short rows of one length, side by side; a `Stakes` of all of them.

    Attributes
    ----------
    places : ndarray of int64, shape (rows,)
        Where they stand among all rows.
    wanted : ndarray of int64, shape (rows, cards)
        As `Stakes.wanted`.
    more : ndarray of int64, shape (rows,), or None
        With weights: what all cards are worth to the first player, more than to the
        second.
    unit : Row
        As `Stakes.unit`.
    """

    places: NDArray[np.int64]
    wanted: NDArray[np.int64]
    more: NDArray[np.int64] | None
    unit: Row

    def leads(self, part: slice, rules: Rules) -> NDArray[Any]:
        """Return what the first player wins by on some rows, as `Stakes.lead` does."""
        cards = np.ascontiguousarray(self.wanted[part].T)
        every = diagonals.leads(cards, rules.take)
        ahead: NDArray[Any] = deque(every, maxlen=1).pop()[0]
        if rules.misere:
            ahead = -ahead
        if self.more is not None:
            ahead = (ahead + self.more[part]) // 2
        if self.unit.integral:
            return ahead
        return np.array(list(map(self.unit.exact, ahead.tolist())), object)


def _grouped(rows: object, rules: Rules) -> tuple[list[_Group], dict[int, Row]]:
    """Return rows to solve side by side, and the others by place; all are checked."""
    matrix = _matrix(rows)
    if matrix is not None:
        group = _group(np.arange(len(matrix)), matrix, Row([], 1, True), rules)
        if group is not None:
            return [group], {}
    others = dict(enumerate(read_rows("rows", rows)))
    alike: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for place, row in others.items():
        alike[len(row.numerators), row.integral].append(place)
    groups = []
    for (_, integral), places in alike.items():
        denominator = math.lcm(*{others[place].denominator for place in places})
        numerators = [others[place].over(denominator) for place in places]
        cards = diagonals.exact_array(*numerators)
        unit = Row([], denominator, integral)
        group = _group(np.array(places), cards, unit, rules)
        if group is not None:
            groups.append(group)
            for place in places:
                del others[place]
    return groups, others


def _matrix(rows: Any) -> NDArray[Any] | None:
    """Return rows as a matrix of integers, if that is what they are at a glance."""
    matrix = rows
    if type(rows) in (list, tuple):
        if not set(map(type, rows)) <= {list, tuple} or len(set(map(len, rows))) != 1:
            return None
        if set(map(type, chain.from_iterable(rows))) != {int}:
            return None
        try:
            matrix = np.array(rows, np.int64)
        except OverflowError:
            return None
    if type(matrix) is not np.ndarray or matrix.ndim != 2 or not matrix.size:
        return None
    return matrix if matrix.dtype.kind in "iu" else None


def _group(
    places: NDArray[np.int64], cards: NDArray[Any], unit: Row, rules: Rules
) -> _Group | None:
    """Return rows side by side, or None where they are solved one by one.

    Parameters
    ----------
    places : ndarray of int64, shape (rows,)
    cards : ndarray of integers, shape (rows, cards)
        Times the denominator of `unit`.
    unit : Row
    rules : Rules
    """
    length = cards.shape[1]
    weights = rules.second_row() or Row([0] * length, 1, integral=True)
    check_lengths(length, len(weights.numerators))
    if length > _SHORT or rules.players > 2:
        return None
    denominator = math.lcm(unit.denominator, weights.denominator)
    factor, second = denominator // unit.denominator, weights.over(denominator)
    largest = max(int(cards.max()), -int(cards.min()), 1) * factor
    if length * largest + sum(map(abs, second)) >= diagonals.LARGEST_SUM:
        return None
    own = cards.astype(np.int64) * factor
    wanted = own + np.array(second)
    return _Group(
        places,
        -wanted if rules.misere else wanted,
        None if rules.weights is None else own.sum(axis=1) - sum(second),
        Row([], denominator, unit.integral and weights.integral),
    )


def _solved(
    groups: list[_Group], others: dict[int, Row], rules: Rules
) -> Iterator[tuple[NDArray[np.int64], NDArray[Any]]]:
    """Yield values, some at a time, with their places."""
    for group in groups:
        count, length = group.wanted.shape
        size = max(1, _CELLS // length)
        for start in range(0, count, size):
            part = slice(start, start + size)
            yield group.places[part], group.leads(part, rules)
    for place, row in others.items():
        yield np.array([place]), np.array([of_row(row, rules)], object)


def _seconds(cards: int, rows: int, rules: Rules) -> float:
    """Return about how long it takes to solve so many rows."""
    if rows == 1 and rules.linear:
        return 4e-7 * cards
    take = min(rules.take, cards)
    several = rules.players > 2
    numbers = rules.players if several else rows
    return diagonals.sweep_seconds(cards, take, numbers, turns=several, fast=True)
