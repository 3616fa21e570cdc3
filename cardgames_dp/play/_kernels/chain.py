"""A game in which players follow policies: their states become states of chance.

What remains is a game like any other, with fewer players who decide; when nobody does,
it is a Markov chain. So the sweeps of both backends solve it, and bound its error, as
they do any game: with no decision left they find what policies are worth, with those of
one player left the best response to the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from cardgames_dp._graph import Block, Exact, Graph, Integers, exact_array, spans
from cardgames_dp._views import Policy
from cardgames_dp.explored import Explored
from cardgames_dp.game import CHANCE, TERMINAL
from cardgames_dp.play._kernels.mixtures import Asked, LookUp, Mixer


def weighed(
    explored: Explored[Any, Any], asked: Sequence[Asked | None], *, exact: bool
) -> Exact:
    """Return the weights of all moves: those of chance, and those of policies.

    Moves of a player without a policy have weight 0.

    Parameters
    ----------
    explored : Explored
        The game.
    asked : sequence of callable or None
        What each player does in a state. Each is asked once of each of its states.
    exact : bool
        Whether weights that are floats are refused.

    Raises
    ------
    TypeError, ValueError
        If a policy gives anything but a legal action or a mixture of them.
    """
    graph, counts = explored.graph, np.diff(explored.graph.offsets)
    rows: dict[int, Sequence[int]] = {}
    taken = np.full(graph.num_states, -1)
    for player, ask in enumerate(asked):
        places = np.flatnonzero(graph.players == player)
        known = _moves_of(ask, explored, places)
        if known is not None:
            taken[places] = known
        elif ask is not None:
            mixer = Mixer(player, exact=exact)
            for place in places.tolist():
                state = explored.states[place]
                done = mixer(ask(state), state, explored.actions_at(place))
                if isinstance(done, int):
                    taken[place] = done
                else:
                    rows[place] = done
    mixed = np.array([*rows], dtype=np.int64)
    given = exact_array(list(chain.from_iterable(rows.values())))
    wide = object in (given.dtype, graph.weights.dtype)
    weights = np.zeros(len(graph.following), dtype=object if wide else np.int64)
    weights[np.repeat(graph.players == CHANCE, counts)] = graph.weights
    certain = np.flatnonzero(taken >= 0)
    weights[graph.offsets[certain] + taken[certain]] = 1
    weights[spans(graph.offsets[mixed], counts[mixed])] = given
    return weights


def _moves_of(
    ask: Asked | None, explored: Explored[Any, Any], places: Integers
) -> Integers | None:
    """Return the numbers of the actions of a solution of this very game, at places."""
    if not isinstance(ask, LookUp) or not isinstance(ask.mapping, Policy):
        return None
    of = ask.mapping.explored
    if of.places is not explored.places or (of.which[places] < 0).any():
        return None
    return ask.mapping.chosen[places]


def fixed(
    explored: Explored[Any, Any], weights: Exact, *, free: int | None = None
) -> tuple[Explored[Any, Any], Integers]:
    """Return a game in which all players, or all but one, follow policies.

    It has the same places as the game; moves of weight 0 are left out. Besides, which
    moves of the game are left.

    Parameters
    ----------
    explored : Explored
        The game.
    weights : ndarray of int or object, shape (moves,)
        As from `weighed`.
    free : int, optional
        The player who decides still; nobody if not given.
    """
    graph = explored.graph
    moved = graph.players >= 0
    if free is not None:
        moved &= graph.players != free
    lucky = np.repeat(moved | (graph.players == CHANCE), np.diff(graph.offsets))
    keep = ~lucky | (weights > 0)
    until = np.concatenate(([0], np.cumsum(keep)))
    offsets = until[graph.offsets]
    left = Graph(
        players=np.where(moved, CHANCE, graph.players),
        offsets=offsets,
        following=graph.following[keep],
        weights=weights[keep & lucky],
        numerators=graph.numerators,
        denominators=graph.denominators,
        blocks=_blocks(graph.blocks, offsets, free),
    )
    which = np.where(moved, -1, explored.which)
    return replace(explored, which=which, graph=left), np.flatnonzero(keep)


def _blocks(
    blocks: Sequence[Block], offsets: Integers, free: int | None
) -> tuple[Block, ...]:
    """Return what is swept in one step where all but one of the players are chance."""
    counts, ahead = np.diff(offsets), {CHANCE: 0, TERMINAL: 0}
    result = []
    for block in blocks:
        player = CHANCE if block.player >= 0 and block.player != free else block.player
        first, last = block.places.start, block.places.stop
        moves = slice(int(offsets[first]), int(offsets[last]))
        size = moves.stop - moves.start if player == CHANCE else last - first
        own = slice(ahead.get(player, 0), ahead.get(player, 0) + size)
        ahead[player] = own.stop
        most = int(counts[first:last].max())
        even = most * (last - first) == moves.stop - moves.start
        result.append(Block(player, block.places, moves, own, most, even))
    return tuple(result)
