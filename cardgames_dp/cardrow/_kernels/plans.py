"""Best responses that look at the sums taken, to players whose policies are known.

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
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import exact
from cardgames_dp._graph.array_solution import ArraySolution
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._support.arguments import Backend
from cardgames_dp.cardrow._kernels.row import LARGEST_SUM
from cardgames_dp.cardrow._kernels.states import RowArrays
from cardgames_dp.game import explore
from cardgames_dp.play.evaluation import evaluate
from cardgames_dp.play.response import best_response

Goal: TypeAlias = Literal["lead", "win"]
Aim: TypeAlias = Literal["win", "draw", "lead"]

_ORDER: dict[Goal, tuple[Aim, ...]] = {
    "lead": ("lead",),
    "win": ("win", "draw", "lead"),
}
"""What each goal maximises, in lexicographic order."""


class Best(NamedTuple):
    """The best plan.

    Attributes
    ----------
    win, draw, ahead : float or Fraction
        The probabilities, and the player's mean return.
    guaranteed : Fraction or None
        The return that it guarantees, if that was asked for.
    plan : ArraySolution
        The best turn in every state in which the player is to move.
    """

    win: Any
    draw: Any
    ahead: Any
    guaranteed: Fraction | None
    plan: ArraySolution[Any]


def solve(
    game: RowArrays,
    others: Sequence[Any],
    seat: int,
    goal: Goal,
    slack: Fraction | None,
    backend: Backend,
) -> Best:
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
    """
    given: ExploredArrays = explore(game)
    floor, good = None, None
    if slack is not None:
        worst, scale = exact.solve(given), game.instance.scale
        floor = Fraction(math.ceil((worst.value[seat] - slack) * scale), scale)
        good = _Good(worst, floor)
    for aim in _ORDER[goal]:
        given = given.with_returns(partial(_paid, game, seat, (aim,)))
        if good is not None:
            most = game.most if aim == "lead" else 1
            given = given.with_rewards(good.fines(seat, 4 * most))
        plan: Any = best_response(given, others, seat, backend=backend).solution
        given, good = plan.explored, _Good(plan)
    both = plan.explored.with_returns(partial(_paid, game, seat, ("win", "draw")))
    win, draw, *_ = evaluate(both, plan, backend=backend).value
    return Best(win, draw, plan.value[seat], floor, plan)


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


class _Good(NamedTuple):
    """The turns of a solution that are not fined: the best, or all good enough ones.

    Attributes
    ----------
    solution : ArraySolution
    floor : Fraction or None
        Turns whose values are at least this are good enough.
    """

    solution: ArraySolution[Any]
    floor: Fraction | None = None

    def fines(self, seat: int, fine: int) -> Callable[..., NDArray[Any]]:
        """Return rewards that fine other turns of a player.

        Best play has no fines if they exceed all differences of returns.
        """

        def fines(states: NDArray[Any], turns: NDArray[Any]) -> NDArray[Any]:
            dtype: Any = np.int64 if fine < LARGEST_SUM else object
            shape = len(states), self.solution.num_players
            fined = np.zeros(shape, dtype)
            (ours,) = np.nonzero(states[:, 2] == seat)
            if ours.size:
                index, every, values, good = self.solution.advice(states[ours])
                if self.floor is not None:
                    good = values >= self.floor
                here = every == turns[ours][index]
                fined[ours[~good[here]]] = -fine
            return fined

        return fines
