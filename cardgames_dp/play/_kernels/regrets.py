"""What a policy gives up in each state, from the solution of its best response.

By the performance difference lemma [1]_ the costs sum to the loss: along the plays of
the policies, the value of playing the best response from here on falls in each state by
what is given up there, on average, and by what moves pay, and at the end it is the
return.

References
----------
.. [1] S. Kakade and J. Langford, "Approximately optimal approximate reinforcement
   learning", Proceedings of the 19th International Conference on Machine Learning
   (2002), 267-274.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.array_solution import ArraySolution
from cardgames_dp._graph.graph import Exact, Floats, Graph, Integers, spans
from cardgames_dp._graph.solution import FloatValues
from cardgames_dp._support.running import tracked
from cardgames_dp.play._kernels.chain import Reached

_UNIT = 2.0**-53


def worth_of(solution: Any) -> tuple[Any, Any]:
    """Return the values of the first player by place: floats and None, or ratios."""
    if isinstance(solution, ArraySolution):
        bottoms = solution.denominators
        return solution.numerators[0], None if bottoms is None else bottoms.tolist()
    values: Any = solution.values
    if isinstance(values, FloatValues):
        return values.table[0], None
    return values.tops[0], values.bottoms


def optimal_of(solution: Any) -> NDArray[np.bool_]:
    """Return by move whether it is optimal or, with floats, may be."""
    if isinstance(solution, ArraySolution):
        return solution.optimal
    best: Any = solution.optimal_actions
    optimal: NDArray[np.bool_] = best.optimal
    return optimal


def given_up(
    graph: Graph,
    places: Integers,
    chances: Floats,
    optimal: NDArray[np.bool_],
    worth: Floats,
    player: int,
) -> Floats:
    """Return what a policy gives up at some places of a player, in float64.

    Parameters
    ----------
    graph : Graph
        The game.
    places : ndarray of int
        Places in which the player moves.
    chances : ndarray of float64, shape (moves,)
        The probability with which the policy takes each move of the game.
    optimal : ndarray of bool, shape (moves,)
        Which moves may be optimal: these give up nothing.
    worth : ndarray of float64, shape (states,)
        The values of the best response to the player.
    player : int
        The player.
    """
    counts = graph.offsets[places + 1] - graph.offsets[places]
    moves = spans(graph.offsets[places], counts)
    after = worth[graph.following[moves]]
    if graph.rewards is not None:
        after = after + graph.rewards.floats()[0][graph.rewards.which[moves], player]
    gaps = np.repeat(worth[places], counts) - after
    gaps = np.where(optimal[moves], 0.0, np.maximum(gaps, 0.0))
    if not places.size:
        return np.empty(0)
    found: Floats = np.add.reduceat(chances[moves] * gaps, np.cumsum(counts) - counts)
    return found


def error_of_loss(
    given: Floats, reached: Reached, error: float, most: int, size: float
) -> float:
    """Return a bound of the error of the sum of the costs.

    What an action gives up is a difference of two values, each within `error`, or is
    taken to be 0 where up to four such errors hide it; means of at most `most` of these
    and their products with probabilities round as sums of ``most + 4`` terms do. The
    terms are at most `size`, from `sizes_of`.
    """
    gap = 4 * error + (most + 8) * _UNIT * size
    found = float((reached.chances + reached.errors).sum()) * gap
    found += float(reached.errors @ given)
    found += 4 * _UNIT * float(reached.chances @ given)
    return found * (1 + len(given) * 4 * _UNIT)


def sizes_of(graph: Graph, worth: Floats, player: int) -> tuple[int, float]:
    """Return `most` and `size` of `error_of_loss`.

    What a move pays counts twice in the differences of values: it is rounded itself,
    and so is its sum with the value of the next state.
    """
    size = 2 * float(np.abs(worth).max(initial=0.0))
    if graph.rewards is not None:
        size += 4 * float(np.abs(graph.rewards.floats()[0][:, player]).max())
    return int(np.diff(graph.offsets).max(initial=0)), size


def exactly_given_up(
    graph: Graph,
    places: Integers,
    weights: Exact,
    tops: Sequence[int],
    bottoms: Sequence[int],
    player: int,
) -> list[Fraction]:
    """Return what a policy gives up at some places of a player, in Fractions.

    Parameters
    ----------
    weights : ndarray of int, shape (moves,)
        The weight with which the policy takes each move of the game.
    tops, bottoms : sequence of int
        By place: the values of the best response to the player, as ratios.
    graph, places, player
        As for `given_up`.
    """
    offsets, following = graph.offsets.tolist(), graph.following.tolist()
    found = []
    for place in tracked(places.tolist(), len(places), "states"):
        moves = range(offsets[place], offsets[place + 1])
        own = [int(weights[move]) for move in moves]
        after = sum(
            [
                Fraction(weight * tops[following[move]], bottoms[following[move]])
                + weight * graph.paid(move)[player]
                for weight, move in zip(own, moves, strict=True)
                if weight
            ],
            Fraction(0),
        )
        found.append(Fraction(tops[place], bottoms[place]) - after / sum(own))
    return found
