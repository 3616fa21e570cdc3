"""The best play of one player against others whose policies are known, by tallies.

The others' turns are chance, which leaves a decision problem of one player on the
states of `cardgames_dp.cardrow._kernels.courses`. Its goal is the mean lead, or the
chance of winning and then that of a draw. A guarantee forbids turns: with the tally
known, a plan guarantees g against any opponent if and only if each of its turns leads
to a position in which it is ahead by at least g + V, where V is the value for the
opponent (the corollary on the page "Cards in a row"). So the same recursion over the
allowed turns finds the best plan with this guarantee, which may spend all that the
opponent has given away.

References
----------
Ganzfried, S. and Sandholm, T., "Safe opponent exploitation", ACM Transactions on
Economics and Computation 3 (2015), on gifts, and strategies that risk no more of them
than they have been given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.cardrow._kernels import diagonals
from cardgames_dp.cardrow._kernels.courses import Board, Place, chances, results
from cardgames_dp.cardrow._kernels.instance import Tie
from cardgames_dp.cardrow._kernels.odds import Player
from cardgames_dp.cardrow._kernels.row import exact_array

Goal: TypeAlias = Literal["lead", "win"]

_WIN, _DRAW, _LEAD = 0, 1, 2
_ORDER: dict[Goal, tuple[int, ...]] = {"lead": (_LEAD,), "win": (_WIN, _DRAW, _LEAD)}
"""The criteria of each goal, in lexicographic order."""


class Task(NamedTuple):
    """The problem to solve.

    Attributes
    ----------
    board : Board
    states : mapping of place to ndarray
        From :func:`~cardgames_dp.cardrow._kernels.courses.reached`.
    players : sequence of Player
        The players by seat; the entry at `seat` is not used.
    seat : int
    goal : {"lead", "win"}
    floor : int or None
        The lead that the player at `seat` must guarantee, in units of the tally; for
        two players.
    offset : int
        As for :func:`~cardgames_dp.cardrow._kernels.courses.results`.
    tie : {"larger", "left", "right"}
    misere : bool
        Whether the cards of the board are the negated ones.
    exact : bool
        Whether probabilities and means are Fractions; otherwise float64.
    """

    board: Board
    states: Mapping[Place, NDArray[Any]]
    players: Sequence[Player]
    seat: int
    goal: Goal
    floor: int | None
    offset: int
    tie: Tie
    misere: bool
    exact: bool


class Found(NamedTuple):
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


def solve(task: Task) -> Found:
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
            parts, whole = chances(task.players[player], place)
            values[place] = _mean(worths, parts, whole, task.exact)
            continue
        allowed = None
        if worst is not None:
            allowed = np.stack([_safe(task, worst, tallies, turn) for turn in turns])
        chosen = _chosen(task, place, np.stack(worths), allowed)
        values[place] = np.stack(worths)[chosen, :, np.arange(len(tallies))].T
        codes[place] = np.array([code for code, _, _ in turns])[chosen]
    start = values[0, 0, board.cards - 1][:, 0]
    return Found(start[_WIN], start[_DRAW], start[_LEAD], codes)


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
    larger = last <= first if task.misere else last >= first
    right_first = task.tie == "right" or (task.tie == "larger" and larger)
    order = np.array(from_right + from_left if right_first else from_left + from_right)
    found: NDArray[np.int64] = order[good[order].argmax(axis=0)]
    return found
