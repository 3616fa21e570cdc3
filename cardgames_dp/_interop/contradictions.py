"""What a value table says against itself: values, policies and optimal actions.

Let q be what a move pays and the value of the state that follows, for the player who
moves. In exact numbers the value of a state is the mean of q by the weights of its
moves, for each player, and the optimal actions are those with the largest q.

With an error e, each right value is within e of the table's. So what must be refused is
a mean that misses the value by more than 2e; an action that is marked as optimal
although q + e is less than another action's q - e; and one that is not, although its
q - e is at least all q + e of those that are. No table that a solver wrote is refused:
what rounding in this module itself may add is allowed for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.graph import Exact, Graph, Integers, joined_ranges
from cardgames_dp._interop.certificate import one_step


def refuse_contradictions(
    graph: Graph,
    weights: Exact,
    tops: NDArray[Any],
    bottoms: NDArray[Any] | None,
    optimal: NDArray[np.bool_],
    error: float,
    *,
    mixed: bool,
) -> None:
    """Refuse values, weights and optimal actions that one step shows to be wrong.

    Parameters
    ----------
    graph : Graph
        The game.
    weights : ndarray of int or object, shape (moves,)
        The weights of outcomes of chance and of policies.
    tops : ndarray of float64 or object, shape (players, states)
        The values or, if they are exact, their numerators.
    bottoms : ndarray of object, shape (states,), or None
        The denominators of exact values.
    optimal : ndarray of bool, shape (moves,)
        The optimal actions, or in floats those that may be.
    error : float
        A bound on the errors of values; 0 if they are exact.
    mixed : bool
        Whether a policy takes all optimal actions with equal weights, or else one.

    Raises
    ------
    ValueError
        If they contradict each other; the message says in which state.
    """
    _refuse_policies(graph, weights, optimal, mixed=mixed)
    counts = np.diff(graph.offsets)
    ends, live = np.flatnonzero(counts == 0), np.flatnonzero(counts)
    for player in range(graph.num_players):
        if bottoms is not None:
            right = tops[player, ends] * graph.denominators[:, player]
            wrong = right != graph.numerators[:, player] * bottoms[ends]
        else:
            returns, roundings = (x[:, player] for x in graph.payoffs())
            wrong = abs(tops[player, ends] - returns) > error + roundings
        _refuse(wrong, ends, "value")
        if not live.size:
            continue
        doubts: Any = 0
        if bottoms is not None:
            after, wrong = _exact_step(
                graph, weights, tops[player], bottoms, live, player
            )
        else:
            after, doubts, gaps, roundings = one_step(
                graph, weights, tops[player], player
            )
            wrong, doubts = gaps - roundings > 2 * error, doubts + error
        _refuse(wrong, live, "value")
        mine = live[graph.players[live] == player]
        if mine.size:
            _refuse_optimal(graph, mine, after, doubts, optimal)


def _exact_step(
    graph: Graph,
    weights: Exact,
    tops: NDArray[Any],
    bottoms: Any,
    live: Integers,
    player: int,
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return q of all moves, by their states' own scale, and whose mean is no value."""
    starts, counts = graph.offsets[live], np.diff(graph.offsets)[live]
    after, below = tops[graph.following], bottoms[graph.following]
    if graph.rewards is not None:
        rows = graph.rewards.rows
        top, bottom = (
            x[rows, player].astype(object)
            for x in (graph.rewards.numerators, graph.rewards.denominators)
        )
        after, below = after * bottom + top * below, below * bottom
    common = np.lcm.reduceat(below, starts)
    after = after * (np.repeat(common, counts) // below)
    sums = np.add.reduceat(weights.astype(object), starts)
    mean = np.add.reduceat(weights * after, starts)
    return after, mean * bottoms[live] != sums * common * tops[live]


def _refuse_policies(
    graph: Graph, weights: Exact, optimal: NDArray[np.bool_], *, mixed: bool
) -> None:
    """Refuse weights other than those that optimal actions have."""
    counts = np.diff(graph.offsets)
    sources = np.repeat(np.arange(graph.num_states), counts)
    decided = graph.players[sources] >= 0
    taken = decided & (weights > 0)
    wrong = (optimal & ~decided) | (taken & (~optimal | (weights != 1)))
    if mixed:
        wrong |= optimal & ~taken
    _refuse(wrong, sources, "policy")
    number = np.bincount(sources[taken], minlength=graph.num_states)
    several = (number > 1) & (not mixed)
    places = np.arange(graph.num_states)
    _refuse((graph.players >= 0) & ((number == 0) | several), places, "policy")


def _refuse_optimal(
    graph: Graph,
    places: Integers,
    after: NDArray[Any],
    doubt: Any,
    optimal: NDArray[np.bool_],
) -> None:
    """Refuse actions that are certainly not optimal, or certainly are, as the other."""
    counts = np.diff(graph.offsets)[places]
    moves = joined_ranges(graph.offsets[places], counts)
    low, high = (after - doubt)[moves], (after + doubt)[moves]
    good = optimal[moves]
    starts = np.cumsum(counts) - counts
    best = np.repeat(np.maximum.reduceat(low, starts), counts)
    sure = np.where(good, high, -np.inf)
    worst = np.repeat(np.maximum.reduceat(sure, starts), counts)
    wrong = np.where(good, high < best, low >= worst)
    _refuse(wrong, np.repeat(places, counts), "choice of optimal actions")


def _refuse(wrong: NDArray[Any], places: Integers, what: str) -> None:
    if wrong.any():
        place = places[wrong.argmax()]
        raise ValueError(
            f"the {what} in state number {place} contradicts the values of the states "
            "that follow it"
        )
