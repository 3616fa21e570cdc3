"""Any rules, by diagonals: all intervals of the same length in one NumPy operation.

The cards left are always an interval of the row, from card i to card j, and the sums
that the players will still take depend only on it. Let s_p(i, j) be the sum of the p-th
player, counted from the one to move. After a turn of c cards from the left, worth g::

    s_0(i, j) = g + s_last(i + c, j),    s_p(i, j) = s_(p-1)(i + c, j),

and in the same way from the right. The player to move takes the best s_0. The intervals
of one length, a *diagonal* of the table, depend only on shorter ones. O(n**2 k m) time
for n cards, up to k a turn and m players; O(n k m) memory.

This is the dynamic programme of Pashevich's report, whose mySum and oppSum are s_0 and
s_1. For two players for whom the cards have the same values, the lead of the player to
move is enough, v = s_0 - s_1: a turn makes it ``g - v(i + c, j)``.

References
----------
Pashevich and others ("APP2: Hold'em for n00bs"), section 4.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.running import progress_bar, refuse_too_large, tracked
from cardgames_dp.cardrow._kernels.row import Instance, Terms, exact_array


def leads(
    rows: NDArray[Any],
    take: int,
    *,
    compare: Callable[[NDArray[Any], NDArray[Any]], None] | None = None,
) -> Iterator[NDArray[Any]]:
    """Yield the leads of the player to move, one of two, without turns and ties.

    For the intervals of each length from 1 to the whole row, from left to right, as an
    array of shape (..., intervals). This is the one sweep of two players who value the
    cards alike: values, tables and optimal players are made of it.

    Parameters
    ----------
    rows : ndarray, shape (..., n)
        One row from left to right, or any number of them; their order in memory is
        that of the results. Many short rows are fastest in Fortran's order, side by
        side.
    take : int
        The most cards a turn.
    compare : callable, optional
        It is called with the worths of the best turns from the left and from the right,
        for each length before its result is yielded, and must not keep or change the
        arrays.
    """
    n = rows.shape[-1]
    _refuse(rows.dtype, n, take, rows.size // n)
    gains = runs(rows, take)
    nothing = np.zeros_like(rows, shape=(*rows.shape[:-1], n + 1))
    shorter = deque([nothing], maxlen=len(gains))
    for length in lengths(n):
        here = n + 1 - length
        left = right = None
        for count, (gain, after) in enumerate(zip(gains, shorter, strict=False), 1):
            taken = gain[..., :here] - after[..., count:]
            left = taken if left is None else np.maximum(left, taken, out=left)
            taken = gain[..., length - count :] - after[..., :here]
            right = taken if right is None else np.maximum(right, taken, out=right)
        assert left is not None
        assert right is not None
        if compare is not None:
            compare(left, right)
        best: NDArray[Any] = np.maximum(left, right, out=left)
        yield best
        shorter.appendleft(best)


def value(
    cards: list[int],
    take: int,
) -> int:
    """Return what the first of two players wins by."""
    last = deque(leads(exact_array(cards)[0], take), maxlen=1)
    return int(last.pop()[0])


class Turns(NamedTuple):
    """A turn at each of several intervals of one length, from left to right.

    Attributes
    ----------
    sums : ndarray, shape (worths, players, intervals)
        The sums of the player to move, of the next one, and so on, by each row of
        worths.
    codes : ndarray of int, shape (intervals,), or int
        How many cards are taken, negative from the left; a number if it is the same
        everywhere.
    tied : ndarray of bool, shape (intervals,), or False
        Whether another turn among those considered is as good.
    """

    sums: NDArray[Any]
    codes: NDArray[Any] | np.signedinteger[Any]
    tied: NDArray[np.bool_] | Literal[False] = False


def sweep(
    worths: NDArray[Any],
    terms: Terms,
) -> Iterator[Turns]:
    """Yield the best turns by the tie rule, for all lengths from 1 to the whole row.

    Parameters
    ----------
    worths : ndarray of int64, float64 or Python ints, shape (worths, cards)
        As in `cardgames_dp.cardrow._kernels.row`: decisions depend on the first
        row, the others are summed along.
    terms : Terms

    Notes
    -----
    Single cards are taken from the left. In float64, sums that differ by no more than
    `tolerance` are taken for equal.
    """
    n = worths.shape[1]
    numbers = len(worths) * terms.players
    _refuse(worths.dtype, n, terms.take, numbers)
    gains = runs(worths, terms.take)
    code = np.min_scalar_type(-len(gains)).type
    nothing = np.zeros((len(worths), terms.players, n + 1), worths.dtype)
    shorter = deque([nothing], maxlen=len(gains))
    unit = tolerance(worths[0], 1)
    for length in lengths(n):
        here = n + 1 - length
        better = _Comparison(terms.misere, unit * length**2)
        left = right = None
        for count, after in enumerate(shorter, start=1):
            gain = gains[count - 1]
            sums = _sums(after[..., count:], gain[:, :here])
            left = better(left, Turns(sums, code(-count)))
            if count < length:
                sums = _sums(after[..., :here], gain[:, length - count :])
                right = better(right, Turns(sums, code(count)))
        assert left is not None
        best = left
        if right is not None:
            prefers_right: Any = terms.tie == "right"
            if terms.tie == "larger":
                prefers_right = worths[0, length - 1 :] >= worths[0, :here]
            best = better(left, right, prefers_right)
        yield best
        shorter.appendleft(best.sums)


def tolerance(cards: NDArray[Any], length: int) -> float:
    """Return by how much sums of intervals of a length may differ and count as equal.

    Notes
    -----
    Zero for exact numbers. In float64, card values are off by u times the largest one,
    x, and a sum or lead over an interval of D cards by at most ``2 u x D**2``,
    u = 2**-53. (By induction: a turn of c cards adds at most ``u x (c**2 + D)``, to
    first order.) Equal ones can differ by twice this, and the rounding of their
    difference.
    """
    if cards.dtype != np.float64:
        return 0
    return 5 * 2**-53 * float(np.abs(cards).max()) * length**2


def _sums(after: NDArray[Any], gain: NDArray[Any]) -> NDArray[Any]:
    """Return the sums of all players, the player to move first."""
    sums = np.empty_like(after)
    np.add(gain, after[:, -1], out=sums[:, 0])
    sums[:, 1:] = after[:, :-1]  # who was next is now to move
    return sums


class _Comparison(NamedTuple):
    """Which of two turns is the better one for the player to move."""

    misere: bool
    tolerance: float

    def __call__(
        self, first: Turns | None, second: Turns, prefers_second: Any = False
    ) -> Turns:
        if first is None:
            return second
        ahead = second.sums[0, 0] - first.sums[0, 0]
        if self.misere:
            ahead = -ahead
        equal = np.abs(ahead) <= self.tolerance if self.tolerance else ahead == 0
        chosen = (ahead > self.tolerance) | (equal & prefers_second)
        sums = np.where(chosen, second.sums, first.sums)
        codes = np.where(chosen, second.codes, first.codes)
        if first.tied is False and second.tied is False:  # the case of one card a turn
            return Turns(sums, codes, equal)
        return Turns(sums, codes, np.where(chosen, second.tied, first.tied) | equal)


def runs(worths: NDArray[Any], take: int) -> list[NDArray[Any]]:
    """Return for 1, 2, ... cards a turn what they are worth, wherever they begin.

    Parameters
    ----------
    worths : ndarray, shape (..., n)
    take : int
    """
    gains = [worths]
    for count in range(2, min(take, worths.shape[-1]) + 1):
        gains.append(gains[-1][..., :-1] + worths[..., count - 1 :])
    return gains


def _refuse(
    dtype: np.dtype[Any],
    cards: int,
    take: int,
    numbers: int,
) -> None:
    """Refuse a sweep that would take too much memory."""
    most = min(take, cards)
    what = (
        f"a sweep over {cards} cards with up to {most} a turn and {numbers} numbers "
        "an interval"
    )
    instead = "allow fewer cards a turn, or fewer players"
    needed = sweep_bytes(cards, most, numbers, dtype.itemsize)
    refuse_too_large(what, needed, instead)


def sweep_bytes(cards: int, take: int, numbers: int, itemsize: int) -> int:
    """Return about the bytes that a sweep takes, with the parameters of `_refuse`.

    It keeps as many diagonals, and as many rows of gains, as there are cards a turn.
    """
    return 2 * cards * take * numbers * itemsize


def lengths(n: int, first: int = 1) -> Iterator[int]:
    """Yield the lengths of intervals up to n, counting intervals on a bar."""
    longer = n + 1 - first
    with progress_bar(longer * (longer + 1) // 2, "intervals") as bar:
        for length in range(first, n + 1):
            yield length
            if bar is not None:
                bar.update(n + 1 - length)


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


def tables(
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
        "use value(...), match(cards), Position(...), which need no table"
        + ", or backend='float64'" * exact,
    )
    best, ties = np.zeros((n, n), code), np.zeros((n, n), bool)
    sums = np.zeros((len(worths), terms.players, n, n), worths.dtype)
    if terms.linear and not instance.weighted:
        _fill_by_rows(worths[0], terms, best, ties, sums[0])
    else:
        every = sweep(worths, terms)
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

    What the player to move is ahead by is found by  What else the table shows
    follows from it and its neighbours, some rows at a time, as they lie in memory.
    """
    cards = -cards if terms.misere else cards
    ahead, n = sums[0], len(cards)
    every = leads(cards, take=1)
    for offset, lead in enumerate(every):
        _diagonal(ahead, offset)[...] = lead
    starts = range(0, n, _ROWS)
    for start in tracked(starts, len(starts), "rows of cells"):
        rows, columns = slice(start, start + _ROWS), slice(start + 1, n)
        _compare(cards, terms, ahead, rows, columns, best, ties)
        # These leads are not needed for further rows, and give way to the sums.
        for left in range(start, min(start + _ROWS, n)):
            best[left, left], best[left, :left] = -1, 0
            ties[left, : left + 1] = False
            lead = ahead[left, left:]
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
        near = 2 * tolerance(cards, 1) * lengths**2
        np.less_equal(np.abs(ahead), near, out=tied)
        np.greater(ahead, near, out=right)
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
