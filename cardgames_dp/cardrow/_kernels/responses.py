"""Best responses to players whose policies are known.

Their turns are chance, which leaves a decision problem of one player, the responder.

*By the cards left alone* (:func:`reply`, :func:`leads`; two players, one card a turn).
Let W(i, j) be the responder's mean lead on the cards from i to j, and p(i, j) the
probability that the opponent takes the left card::

    W(i, j) = max(x[i] + W(i+1, j), x[j] + W(i, j-1))        on the responder's turn,
    W(i, j) = p (W(i+1, j) - x[i]) + (1 - p) (W(i, j-1) - x[j])   on the opponent's,

by diagonals, as in `cardgames_dp.cardrow._kernels.diagonals`. Whose turn it is follows
from the length. Exact values stay integers: those of a diagonal are carried over one
common denominator, which each turn of the opponent multiplies by that of the chances.

*By the sums taken, too* (:func:`solve`; any rules), on the states of
`cardgames_dp.cardrow._kernels.states`. The goal is the mean lead, or the chance of
winning and then that of a draw. A guarantee forbids turns: with the tally known, a
response guarantees g against any opponent if and only if each of its turns leads to a
position in which it is ahead by at least g + V, where V is the value for the opponent
(the corollary on the page "Cards in a row"). So the same recursion over the allowed
turns finds the best response with this guarantee, which may spend all that the opponent
has given away.

References
----------
Ganzfried, S. and Sandholm, T., "Safe opponent exploitation", ACM Transactions on
Economics and Computation 3 (2015), on gifts, and strategies that risk no more of them
than they have been given.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.cardrow._kernels import diagonals
from cardgames_dp.cardrow._kernels.diagonals import lengths
from cardgames_dp.cardrow._kernels.players import (
    Deals,
    Hands,
    Odds,
    Player,
    goes_left,
)
from cardgames_dp.cardrow._kernels.row import LARGEST_SUM, exact_array
from cardgames_dp.cardrow._kernels.states import Board, Place, odds_at, results

Goal: TypeAlias = Literal["lead", "win"]


class Reply(NamedTuple):
    """The mean lead of the responder, and its turns.

    Attributes
    ----------
    value : number
        In the unit of the cards given, times `scale`.
    scale : int
        1 in float64.
    best : ndarray of int8, shape (cards, cards)
        As in :class:`~cardgames_dp.cardrow.response.Response`.
    """

    value: Any
    scale: int
    best: NDArray[np.int8]


def reply(
    worths: NDArray[Any],
    deals: Deals,
    opponent: Player,
    *,
    seat: int,
) -> Reply:
    """Return the best reply.

    Parameters
    ----------
    worths : ndarray of float64, int64 or Python ints, shape (1, cards)
        The row, in float64 or as `deals` has it.
    deals : Deals
        The one row, exactly.
    opponent : Player
    seat : int
        That of the responder, 0 or 1.
    """
    exact, n, tie = deals.shared[0], worths.shape[1], deals.terms.tie
    best = np.zeros((n, n), np.int8)
    if (n - seat) % 2:
        np.fill_diagonal(best, -1)  # a single card is taken from the left
    for diagonal in _sweep(worths, deals, opponent, seat):
        if diagonal.ahead is None:
            continue
        (ahead,) = diagonal.ahead
        here = len(ahead)
        left = goes_left(ahead, 0, tie, exact[:here], exact[n - here :])
        turns = np.where(left, np.int8(-1), np.int8(1))
        turns[ahead == 0] *= 2
        best.reshape(-1)[n - here : here * n : n + 1] = turns
    return Reply(diagonal.leads[0, 0], diagonal.scale, best)


def leads(
    worths: NDArray[Any],
    deals: Deals,
    opponent: Player,
    *,
    seat: int,
) -> tuple[NDArray[Any], int]:
    """Return the mean leads of best replies on each of several rows, and their scale.

    Parameters
    ----------
    worths : ndarray of float64, int64 or Python ints, shape (deals, cards)
    deals, opponent, seat
        As for :func:`reply`.
    """
    last = deque(_sweep(worths, deals, opponent, seat), maxlen=1).pop()
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
    worths: NDArray[Any],
    deals: Deals,
    opponent: Player,
    seat: int,
) -> Iterator[_Diagonal]:
    """Yield the diagonals of all lengths; with the responder's turns where it moves."""
    n = worths.shape[1]
    ours = (n - seat) % 2  # the parity of the lengths at which the responder moves
    rounded = worths.dtype == np.float64
    largest = np.abs(worths).max(axis=1, keepdims=True) if rounded else 0
    total = max(1, *[sum(map(abs, row)) for row in deals.shared.tolist()])
    leads, scale = worths if ours else -worths, 1
    yield _Diagonal(leads, scale)
    for length in lengths(n, first=2):
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
            hands = Hands(deals, length, (slice(None), slice(n + 1 - length)))
            odds = opponent(hands, 1 - seat)
            if not rounded and scale * odds.whole * total >= LARGEST_SUM:
                worths, by_left, by_right = (
                    array.astype(object) for array in (worths, by_left, by_right)
                )
            leads, factor = _expected(odds, by_left, by_right, rounded)
            scale *= factor
        yield _Diagonal(leads, scale, ahead)


def _expected(
    odds: Odds, by_left: NDArray[Any], by_right: NDArray[Any], rounded: bool
) -> tuple[NDArray[Any], int]:
    """Return the means over the opponent's chances, times a factor, and this factor."""
    left, right = odds.parts
    if odds.whole == 1:
        return np.where(left, by_left, by_right), 1
    if not rounded:
        return left * by_left + right * by_right, odds.whole
    by_left = by_left * (left / odds.whole).astype(np.float64)
    by_right = by_right * (right / odds.whole).astype(np.float64)
    return by_left + by_right, 1


_WIN, _DRAW, _LEAD = 0, 1, 2
_ORDER: dict[Goal, tuple[int, ...]] = {"lead": (_LEAD,), "win": (_WIN, _DRAW, _LEAD)}
"""The criteria of each goal, in lexicographic order."""


class Task(NamedTuple):
    """The problem to solve.

    Attributes
    ----------
    board : Board
    deals : Deals
        The one row.
    states : mapping of place to ndarray
        From :func:`~cardgames_dp.cardrow._kernels.states.reached`.
    players : sequence of Player
        The players by seat; the entry at `seat` is not used.
    seat : int
    goal : {"lead", "win"}
    floor : int or None
        The lead that the player at `seat` must guarantee, in units of the tally; for
        two players.
    offset : int
        As for :func:`~cardgames_dp.cardrow._kernels.states.results`.
    exact : bool
        Whether probabilities and means are Fractions; otherwise float64.
    """

    board: Board
    deals: Deals
    states: Mapping[Place, NDArray[Any]]
    players: Sequence[Player]
    seat: int
    goal: Goal
    floor: int | None
    offset: int
    exact: bool


class Best(NamedTuple):
    """The best plan.

    Attributes
    ----------
    win, draw, lead : number
        The probabilities, and the mean lead (with more than two players, the mean sum)
        in units of the tally.
    codes : dict of place to ndarray of int
        The turn at each tally of each place where the player is to move.
    """

    win: Any
    draw: Any
    lead: Any
    codes: dict[Place, NDArray[Any]]


def solve(task: Task) -> Best:
    """Return the best plan."""
    board, states = task.board, task.states
    values: dict[Place, NDArray[Any]] = {}
    codes: dict[Place, NDArray[Any]] = {}
    worst = None if task.floor is None else _minimax(board)
    for place in reversed([*states]):
        tallies = states[place]
        player, left, right = place
        if left > right:
            win, draw = results(board, tallies, task.seat, task.offset)
            ends = np.zeros((3, len(tallies)), object if task.exact else np.float64)
            ends[_WIN], ends[_DRAW] = win.astype(int), draw.astype(int)
            values[place] = ends
            continue
        turns, worths = board.turns(place), []
        for _, rest, gain in turns:
            moved = tallies + board.steps[player] * gain
            worth = values[rest][:, np.searchsorted(states[rest], moved)]
            if player == task.seat:
                worth[_LEAD] += gain
            elif board.players == 2:
                worth[_LEAD] -= gain
            worths.append(worth)
        if player != task.seat:
            parts, whole = odds_at(task.players[player], task.deals, place)
            values[place] = _mean(worths, parts[:, 0], whole, task.exact)
            continue
        allowed = None
        if worst is not None:
            allowed = np.stack([_safe(task, worst, tallies, turn) for turn in turns])
        chosen = _chosen(task, place, np.stack(worths), allowed)
        values[place] = np.stack(worths)[chosen, :, np.arange(len(tallies))].T
        codes[place] = np.array([code for code, _, _ in turns])[chosen]
    start = values[0, 0, board.cards - 1][:, 0]
    return Best(start[_WIN], start[_DRAW], start[_LEAD], codes)


def _mean(
    worths: list[NDArray[Any]], parts: NDArray[Any], whole: int, exact: bool
) -> NDArray[Any]:
    """Return the mean over another player's chances."""
    mean: Any = 0
    for part, worth in zip(parts.tolist(), worths, strict=True):
        if part:
            mean = mean + worth * (Fraction(part, whole) if exact else part / whole)
    found: NDArray[Any] = mean
    return found


def _minimax(board: Board) -> list[NDArray[Any]]:
    """Return the value of each interval for the player to move, by length."""
    cards = np.diff(np.array(board.sums, object)).tolist()
    empty = np.zeros(board.cards + 1, np.int64)
    return [
        empty,
        *[x.copy() for x in diagonals.leads(exact_array(cards)[0], board.take)],
    ]


def _safe(
    task: Task, worst: list[NDArray[Any]], tallies: NDArray[Any], turn: Any
) -> NDArray[np.bool_]:
    """Return where a turn keeps the guarantee."""
    assert task.floor is not None
    _, (_, left, right), gain = turn
    ahead = (tallies if task.seat == 0 else -tallies) + gain
    kept: NDArray[np.bool_] = ahead - worst[right - left + 1][left] >= task.floor
    return kept


def _chosen(
    task: Task, place: Place, worths: NDArray[Any], allowed: NDArray[np.bool_] | None
) -> NDArray[np.int64]:
    """Return the number of the best turn for each tally."""
    board, (_, left, right) = task.board, place
    good = np.ones(worths[:, 0].shape, bool) if allowed is None else allowed
    for wanted in _ORDER[task.goal]:
        some = np.where(good, worths[:, wanted], -np.inf)
        slack: Any = 0
        if not task.exact:
            slack = board.cards * 2.0**-48 * (board.base if wanted == _LEAD else 1)
        good = good & (some >= some.max(axis=0) - slack)
    from_left = [i for i, (code, _, _) in enumerate(board.turns(place)) if code < 0]
    from_right = [i for i in range(len(worths)) if i not in from_left]
    first = board.sums[left + 1] - board.sums[left]
    last = board.sums[right + 1] - board.sums[right]
    terms = task.deals.terms
    larger = last <= first if terms.misere else last >= first
    right_first = terms.tie == "right" or (terms.tie == "larger" and larger)
    order = np.array(from_right + from_left if right_first else from_left + from_right)
    found: NDArray[np.int64] = order[good[order].argmax(axis=0)]
    return found
