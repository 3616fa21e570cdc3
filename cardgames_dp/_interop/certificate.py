"""The certificate of a value table: numbers with which one step proves all values.

Let v be a player's values in a table, with the others' policies given and the player
free. Let e be the error that the table states, and c the certificate: numbers that are
not negative, and that fall by more than 0 in every move that can be made, in the mean
where chance or another player moves. Let C be the largest of them. If

    ``|v - mean of what follows| <= e / C * (c - mean of c)``

where others move and for the player's own policy, and no move of the player is worth
more than ``v + e / C * (c - c after the move)``, then ``v - e c / C`` is at most what
the policies give, and ``v + e c / C`` is at least the best that the player can get: so
each is within e of v. For the first number rises, and the second falls, in the mean in
each move; both meet what the end pays; and play ends, as c falls. If e is 0, no step
may be wrong at all, and c only proves that play ends.

Of one player the values of the best play are proved so. Of two whose interests are
opposed as well: what one can be held to is the sum that they share less the best that
the other can get, so the error is e and what their values miss this sum. Of others it
is proved that nobody gains more than 2e by another policy. No certificate
exists if a player could go on for ever, even at a loss.

The certificate is found by solving a game in which each move costs what one step is
wrong there, or 1 if values are exact. Each step's error is measured in NumPy's longest
floats and rounded up; a checker may use fractions.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import TERMINAL
from cardgames_dp._graph.float_sweep import FloatSweep
from cardgames_dp._graph.graph import Exact, Floats, Graph, Integers
from cardgames_dp._graph.payments import build_rewards
from cardgames_dp._loops.components import RefusedError
from cardgames_dp.play._kernels.chain import fixed

_LONG = np.longdouble
_UNIT = float(np.finfo(_LONG).eps)
_SPARE = 2.0**-20
"""The part of the largest step's error that is added to each, so that the certificate
falls in every move by more than its own rounding."""


def certificate(
    graph: Graph, weights: Exact, values: Floats | None
) -> tuple[Floats, float] | None:
    """Return the certificate of a solved game and the error that it proves.

    It has the shape (states, players); None if no certificate exists.

    Parameters
    ----------
    graph : Graph
        The game.
    weights : ndarray of int or object, shape (moves,)
        The weights of outcomes of chance and of policies.
    values : ndarray of float64, shape (players, states), or None
        The values; None if they are exact.
    """
    scales, error = np.zeros((graph.num_players, graph.num_states)), 0.0
    ends = graph.players == TERMINAL
    for player in range(graph.num_players):
        costs = None if values is None else _wrong(graph, weights, values, player)
        largest = 0.0 if costs is None else float(costs.max())
        if costs is None or not largest:
            scaled = np.where(ends, 0.0, 1.0)
        else:
            scaled = costs / largest + _SPARE * ~ends
        try:
            scales[player] = _expected(fixed(graph, weights, free=player)[0], scaled)
        except RefusedError:
            return None
        error = max(error, largest * float(scales[player].max()) * (1 + 2.0**-50))
    return np.ascontiguousarray(scales.T), error


def _wrong(graph: Graph, weights: Exact, values: Floats, player: int) -> Floats:
    """Return bounds on the errors of one step, by place, for the values of a player."""
    v = values[player]
    bounds = np.zeros(graph.num_states)
    bounds[graph.players == TERMINAL] = graph.payoffs()[1][:, player]
    live = np.flatnonzero(np.diff(graph.offsets))
    if not live.size:
        return bounds
    after, doubts, gaps, roundings = one_step(graph, weights, v, player)
    wrong = gaps + roundings
    own = graph.players[live] == player
    if own.any():
        starts = graph.offsets[live]
        more = np.maximum.reduceat(after + doubts, starts) - v[live]
        if graph.rewards is not None:
            more += np.maximum.reduceat(np.abs(after), starts) * (4 * _UNIT)
        wrong = np.where(own, np.maximum(wrong, more), wrong)
    bounds[live] = np.nextafter(wrong.astype(np.float64), np.inf) * (wrong > 0)
    return bounds


def one_step(
    graph: Graph, weights: Exact, values: NDArray[Any], player: int
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return how well one step of backward induction agrees with a player's values.

    Returns
    -------
    after, doubts : ndarray, shape (moves,)
        What each move and the state that follows are worth, and bounds on the errors.
    gaps, roundings : ndarray, shape (states with moves,)
        By how much the means of these miss the values, and bounds on the errors.
    """
    counts = np.diff(graph.offsets).astype(np.int64)
    live = np.flatnonzero(counts)
    counts, starts = counts[live], graph.offsets[live]
    after = values[graph.following].astype(_LONG)
    doubts = np.zeros(len(after))
    if graph.rewards is not None:
        paid, doubts = (x[graph.rewards.rows, player] for x in graph.rewards.floats())
        before, after = after, after + paid
        back = after - before  # the sum's rounding is known exactly, by Knuth
        doubts = doubts + np.abs((before - (after - back)) + (paid - back))
    shares, exact = shares_of(weights, starts, counts)
    unit = _UNIT if exact else 2.0**-52
    gaps = np.abs(np.add.reduceat(shares * after, starts) - values[live])
    wide = np.add.reduceat(shares * (np.abs(after) * (unit * 2) + doubts), starts)
    # Of a single move nothing is rounded but its reward, and that is seldom.
    several = np.add.reduceat(weights > 0, starts) > 1
    steps = np.where(several, counts + 4, int(graph.rewards is not None))
    return after, doubts, gaps, wide * steps + gaps * (4 * unit) * (steps > 0)


def shares_of(
    weights: Exact, starts: Integers, counts: Integers
) -> tuple[NDArray[Any], bool]:
    """Return the weights of moves over their sums, and whether sums are exact."""
    if weights.dtype == object:
        exact = weights * Fraction(1)
        shares = exact / np.repeat(np.add.reduceat(exact, starts), counts)
        return shares.astype(np.float64).astype(_LONG), False
    long = weights.astype(_LONG)
    fits = float(long.max()) * float(counts.max()) < 1 / _UNIT
    return long / np.repeat(np.add.reduceat(long, starts), counts), fits


def _expected(graph: Graph, costs: Floats) -> Floats:
    """Return what one player can expect to pay at most who wants to, by place.

    A move costs what it costs to leave its state, and the end what its state costs.
    """
    sources = np.repeat(np.arange(graph.num_states), np.diff(graph.offsets))
    rows = np.concatenate([[0.0], costs])[:, np.newaxis]
    ends = costs[graph.players == TERMINAL][:, np.newaxis]
    alone = np.where(graph.players >= 0, 0, graph.players)
    game = replace(
        graph,
        players=alone,
        numerators=ends,
        denominators=np.ones(ends.shape, dtype=np.int8),
        blocks=tuple([b._replace(player=min(b.player, 0)) for b in graph.blocks]),
        rewards=build_rewards(sources + 1, rows),
        exact=False,
        endless=None,
    )
    sweep = FloatSweep(game, "first")
    for step in game.steps(backward=True):
        sweep.step(step)
    expected: Floats = sweep.values[0]
    return expected
