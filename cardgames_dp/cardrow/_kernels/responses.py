"""Best responses to players whose policies are known.

Their turns are chance, which leaves a decision problem of one player, the responder.

By the cards left alone
-----------------------
For two players who take one card a turn, let W(i, j) be the responder's mean lead on
the cards from i to j, and p(i, j) the probability that the opponent takes the left
card::

    W(i, j) = max(x[i] + W(i+1, j), x[j] + W(i, j-1))        on the responder's turn,
    W(i, j) = p (W(i+1, j) - x[i]) + (1 - p) (W(i, j-1) - x[j])   on the opponent's,

by diagonals, as in `cardgames_dp.cardrow._kernels.diagonals`. Whose turn it is follows
from the length. Exact values stay integers: those of a diagonal are carried over one
common denominator, which each turn of the opponent multiplies by that of the chances.

It is an engine of its own as it is 25 times as fast as a game for the general backends
on a row of 1,500 cards (0.1 s against 2.6 s). Of a row of 5,000 cards they would keep
all 12 million intervals.

By the sums taken as well
-------------------------
A plan looks at the cards left and at the sums taken, by any rules. It is found by
`cardgames_dp.play` on the game `RowArrays`. The goal is the mean lead, or the chance of
winning and then that of a draw: three games, in each of which turns that are not
optimal in the last one are fined so much that they are never taken. A guarantee forbids
turns in the same way: with the tally known, a response guarantees g against any
opponent if and only if each of its turns leads to a position whose value, if both play
optimally, is at least g (the corollary on the page "Cards in a row"). So the best
response with these fines has this guarantee, and may spend all that the opponent has
given away.

References
----------
Ganzfried, S. and Sandholm, T., "Safe opponent exploitation", ACM Transactions on
Economics and Computation 3 (2015), on gifts, and strategies that risk no more of them
than they have been given.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import exact
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.solution import ArraySolution
from cardgames_dp._support.arguments import Backend
from cardgames_dp.cardrow._kernels.diagonals import lengths
from cardgames_dp.cardrow._kernels.players import Deals, Hands, Odds, Player, goes_left
from cardgames_dp.cardrow._kernels.row import LARGEST_SUM, float_array
from cardgames_dp.cardrow._kernels.states import RowArrays
from cardgames_dp.game import explore
from cardgames_dp.play.evaluation import best_response, evaluate

Goal: TypeAlias = Literal["lead", "win"]
Aim: TypeAlias = Literal["win", "draw", "lead"]

_ORDER: dict[Goal, tuple[Aim, ...]] = {
    "lead": ("lead",),
    "win": ("win", "draw", "lead"),
}
"""What each goal maximises, in lexicographic order."""


def by_cards(
    deals: Deals,
    opponent: Player,
    seat: int,
    backend: Backend,
    best: NDArray[np.int8] | None = None,
) -> list[Any]:
    """Return the mean leads of best responses on each of several rows.

    Parameters
    ----------
    deals : Deals
    opponent : Player
    seat : int
        That of the responder, 0 or 1.
    backend : {"float64", "exact"}
    best : ndarray of int8, shape (cards, cards), optional
        Zeros, in which the turns on the one row of `deals` are written, as
        :class:`~cardgames_dp.cardrow.Response` has them.
    """
    worths, cards, n = deals.shared, deals.shared[0], deals.shared.shape[1]
    if backend == "float64":
        rows = [instance.worths[0] for instance in deals.instances]
        worths = float_array(*rows, denominator=deals.unit.denominator)
    if best is not None and (n - seat) % 2:
        np.fill_diagonal(best, -1)  # a single card is taken from the left
    for diagonal in _sweep(worths, deals, opponent, seat):
        leads, scale, ahead = diagonal
        if best is not None and ahead is not None:
            here = ahead.shape[1]
            ends = cards[:here], cards[n - here :]
            left = goes_left(ahead[0], 0, deals.terms.tie, *ends)
            turns = np.where(left, np.int8(-1), np.int8(1))
            turns[ahead[0] == 0] *= 2
            best.reshape(-1)[n - here : here * n : n + 1] = turns
    found: list[Any] = leads[:, 0].tolist()
    if backend == "float64":
        return found
    return [
        its.unit.exact(x) if scale == 1 else Fraction(x, scale * its.unit.denominator)
        for its, x in zip(deals.instances, found, strict=True)
    ]


def _sweep(
    worths: NDArray[Any],
    deals: Deals,
    opponent: Player,
    seat: int,
) -> Iterator[tuple[NDArray[Any], int, NDArray[Any] | None]]:
    """Yield the intervals of each length, from left to right, of each row.

    Yields
    ------
    leads : ndarray, shape (deals, intervals)
        The mean leads of the responder, times `scale`, in the unit of the worths.
    scale : int
        1 in float64.
    ahead : ndarray or None
        The gain of the left card over the right one; None if the responder has no
        choice.
    """
    n = worths.shape[1]
    ours = (n - seat) % 2  # the parity of the lengths at which the responder moves
    rounded = worths.dtype == np.float64
    largest = np.abs(worths).max(axis=1, keepdims=True) if rounded else 0
    total = max(1, *[sum(map(abs, row)) for row in deals.shared.tolist()])
    leads, scale = worths if ours else -worths, 1
    yield leads, scale, None
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
        yield leads, scale, ahead


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


def by_sums(
    game: RowArrays,
    others: Sequence[Any],
    seat: int,
    goal: Goal,
    slack: Fraction | None,
    backend: Backend,
) -> tuple[Any, Any, Any, Fraction | None, ArraySolution[Any]]:
    """Return the best plan.

    Parameters
    ----------
    game : RowArrays
    others : sequence of callable or None
        The policy of each player; the player at `seat` has none.
    seat : int
    goal : {"lead", "win"}
    slack : Fraction or None
        The plan must guarantee the value of the game less this; for two players.
    backend : {"float64", "exact"}

    Returns
    -------
    win, draw, ahead : float or Fraction
        The probabilities, and the player's mean return.
    guaranteed : Fraction or None
        The return that it guarantees, if that was asked for.
    plan : ArraySolution
        The best turn in every state in which the player is to move.
    """
    given: ExploredArrays = explore(game)
    floor: Fraction | None = None
    good: tuple[ArraySolution[Any], Fraction | None] | None = None
    if slack is not None:
        worst, scale = exact.solve(given), game.instance.scale
        floor = Fraction(math.ceil((worst.value[seat] - slack) * scale), scale)
        good = worst, floor
    for aim in _ORDER[goal]:
        given = given.with_returns(partial(_paid, game, seat, (aim,)))
        if good is not None:
            most = game.most if aim == "lead" else 1
            given = given.with_rewards(partial(_fines, *good, seat, 4 * most))
        plan: Any = best_response(given, others, seat, backend=backend).solution
        given, good = plan.explored, (plan, None)
    both = plan.explored.with_returns(partial(_paid, game, seat, ("win", "draw")))
    win, draw, *_ = evaluate(both, plan, backend=backend).value
    return win, draw, plan.value[seat], floor, plan


def _paid(
    game: RowArrays, seat: int, aims: Sequence[Aim], ends: NDArray[Any]
) -> NDArray[Any]:
    """Return what is aimed at, for each player the last aim that is left."""
    won, drawn = game.results(ends, seat)
    known = {"win": won * 1, "draw": drawn * 1}
    if "lead" in aims:
        known["lead"] = game.returns(ends)[:, seat]
    players = [*aims, *[aims[-1]] * game.num_players][: game.num_players]
    return np.stack([known[aim] for aim in players], axis=1)


def _fines(
    solution: ArraySolution[Any],
    floor: Fraction | None,
    seat: int,
    fine: int,
    states: NDArray[Any],
    turns: NDArray[Any],
) -> NDArray[Any]:
    """Return rewards that fine a player's turns that are not good enough.

    These are all but the best ones in a solution or, with a floor, all of which the
    values are less. Best play has no fines if they exceed all differences of returns.
    """
    dtype: Any = np.int64 if fine < LARGEST_SUM else object
    fined = np.zeros((len(states), solution.num_players), dtype)
    (ours,) = np.nonzero(states[:, 2] == seat)
    if ours.size:
        index, every, values, good = solution.advice(states[ours])
        if floor is not None:
            good = values >= floor
        here = every == turns[ours][index]
        fined[ours[~good[here]]] = -fine
    return fined
