"""The best reply to a player whose policy is known, at every interval.

Against a memoryless policy the opponent's turns are chance, which leaves a decision
problem of one player, the responder. Let W(i, j) be the responder's mean lead on the
cards from i to j, and p(i, j) the probability that the opponent takes the left card::

    W(i, j) = max(x[i] + W(i+1, j), x[j] + W(i, j-1))        on the responder's turn,
    W(i, j) = p (W(i+1, j) - x[i]) + (1 - p) (W(i, j-1) - x[j])   on the opponent's,

by diagonals, as in `cardgames_dp.cardrow._kernels.diagonals`. Whose turn it is follows
from the length. Exact values stay integers: those of a diagonal are carried over one
common denominator, which each turn of the opponent multiplies by that of the chances.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.cardrow._kernels.choosers import Chance, Chooser, Deals, Hands
from cardgames_dp.cardrow._kernels.diagonals import lengths
from cardgames_dp.cardrow._kernels.instance import Tie
from cardgames_dp.cardrow._kernels.row import LARGEST_SUM


class Reply(NamedTuple):
    """The mean lead of the responder, and its turns.

    Attributes
    ----------
    value : number
        In the unit of the cards given, times `scale`.
    scale : int
        1 in float64.
    best : ndarray of int8, shape (cards, cards)
        As in :class:`~cardgames_dp.cardrow.memoryless.Response`.
    """

    value: Any
    scale: int
    best: NDArray[np.int8]


def reply(
    worths: NDArray[Any],
    deals: Deals,
    ask: Chooser,
    *,
    ours: int,
    tie: Tie,
    progress: bool,
) -> Reply:
    """Return the best reply.

    Parameters
    ----------
    worths : ndarray of float64, int64 or Python ints, shape (1, cards)
        The row, in float64 or as `deals` has it.
    deals : Deals
        The one row, exactly.
    ask : Chooser
        What the opponent does.
    ours : int
        The parity of the lengths at which the responder is to move.
    tie : {"larger", "left", "right"}
        The end that the responder takes where both are equally good.
    progress : bool
        Show a bar.
    """
    exact, n = deals.rows[0], worths.shape[1]
    best = np.zeros((n, n), np.int8)
    if ours:
        np.fill_diagonal(best, -1)  # a single card is taken from the left
    for diagonal in _sweep(worths, deals, ask, ours, progress):
        if diagonal.ahead is None:
            continue
        (ahead,) = diagonal.ahead
        here = len(ahead)
        tied, goes_left = ahead == 0, ahead > 0
        if tie == "left":
            goes_left |= tied
        elif tie == "larger":
            goes_left |= tied & (exact[:here] > exact[n - here :])
        turns = np.where(goes_left, np.int8(-1), np.int8(1))
        turns[tied] *= 2
        best.reshape(-1)[n - here : here * n : n + 1] = turns
    return Reply(diagonal.leads[0, 0], diagonal.scale, best)


def leads(
    worths: NDArray[Any], deals: Deals, ask: Chooser, *, ours: int, progress: bool
) -> tuple[NDArray[Any], int]:
    """Return the mean leads of best replies on each of several rows, and their scale.

    Parameters
    ----------
    worths : ndarray of float64, int64 or Python ints, shape (deals, cards)
    deals, ask, ours, progress
        As for :func:`reply`.
    """
    last = deque(_sweep(worths, deals, ask, ours, progress), maxlen=1).pop()
    return last.leads[:, 0], last.scale


class _Diagonal(NamedTuple):
    """All intervals of one length, from left to right, of each row.

    Attributes
    ----------
    leads : ndarray, shape (deals, intervals)
        The mean leads of the responder, times `scale`, in the unit of the cards given.
    scale : int
        1 in float64.
    ahead : ndarray or None
        The gain of the left card over the right one; None if the responder has no
        choice.
    """

    leads: NDArray[Any]
    scale: int
    ahead: NDArray[Any] | None = None


def _sweep(
    worths: NDArray[Any], deals: Deals, ask: Chooser, ours: int, progress: bool
) -> Iterator[_Diagonal]:
    """Yield the diagonals of all lengths; at parity `ours` the responder moves."""
    n = worths.shape[1]
    rounded = worths.dtype == np.float64
    largest = np.abs(worths).max(axis=1, keepdims=True) if rounded else 0
    total = max(1, *[sum(map(abs, row)) for row in deals.rows.tolist()])
    leads, scale = worths if ours else -worths, 1
    yield _Diagonal(leads, scale)
    for length in lengths(n, progress, first=2):
        here = n + 1 - length
        first, last = worths[:, :here], worths[:, length - 1 :]
        if scale > 1:
            first, last = first * scale, last * scale
        ahead = None
        if length % 2 == ours:
            by_left, by_right = leads[:, 1:] + first, leads[:, :-1] + last
            leads = np.maximum(by_left, by_right)
            ahead = by_left - by_right
            if rounded:
                ahead[np.abs(ahead) <= 16 * 2**-53 * largest * length**2] = 0
        else:
            by_left, by_right = leads[:, 1:] - first, leads[:, :-1] - last
            chance = ask(Hands(deals, length, (slice(None), slice(None))))
            if not rounded and scale * chance.whole * total >= LARGEST_SUM:
                worths, by_left, by_right = (
                    array.astype(object) for array in (worths, by_left, by_right)
                )
            leads, factor = _expected(chance, by_left, by_right, rounded)
            scale *= factor
        yield _Diagonal(leads, scale, ahead)


def _expected(
    chance: Chance, by_left: NDArray[Any], by_right: NDArray[Any], rounded: bool
) -> tuple[NDArray[Any], int]:
    """Return the means over the opponent's chances, times a factor, and this factor."""
    if chance.whole == 1:
        return np.where(chance.parts, by_left, by_right), 1
    left, right = chance.parts, chance.whole - chance.parts
    if not rounded:
        return left * by_left + right * by_right, chance.whole
    by_left = by_left * (left / chance.whole).astype(np.float64)
    by_right = by_right * (right / chance.whole).astype(np.float64)
    return by_left + by_right, 1
