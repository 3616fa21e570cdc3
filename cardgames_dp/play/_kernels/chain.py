"""A game in which players follow policies: their states become chance states.

The result is a game like any other, in which fewer players decide; without decisions it
is a Markov chain. So the sweeps of both backends solve it, and bound its error, like
any game: without decisions they find the values of policies, and with those of one
player the best response to the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cardgames_dp._answers import CHANCE, TERMINAL
from cardgames_dp._graph import Block, Exact, Graph, Integers, exact_array


def fixed(
    graph: Graph, weights: Exact, *, free: int | None = None
) -> tuple[Graph, Integers]:
    """Return a game in which all players, or all but one, follow policies.

    It has the same places as the game; moves of weight 0 are left out. The second value
    has the moves of the game that are left.

    Parameters
    ----------
    graph : Graph
        The game.
    weights : ndarray of int or object, shape (moves,)
        The weights of chance and of policies; those of `free` do not matter.
    free : int, optional
        The player who still decides; nobody if not given.
    """
    moved = graph.players >= 0
    if free is not None:
        moved &= graph.players != free
    lucky = np.repeat(moved | (graph.players == CHANCE), np.diff(graph.offsets))
    keep = ~lucky | (weights > 0)
    until = np.concatenate(([0], np.cumsum(keep)))
    offsets = until[graph.offsets]
    chances = weights[keep & lucky]
    if chances.dtype == object:  # as int64 if they fit, whatever else did not
        chances = exact_array(chances.tolist())
    left = Graph(
        players=np.where(moved, CHANCE, graph.players),
        offsets=offsets,
        following=graph.following[keep],
        weights=chances,
        numerators=graph.numerators,
        denominators=graph.denominators,
        blocks=_blocks(graph.blocks, offsets, free),
    )
    return left, np.flatnonzero(keep)


def returns_of(graph: Graph, player: int) -> Graph:
    """Return a game in which one player decides, with the returns of that player only.

    The others' returns affect neither the player's choice nor the error of its value,
    but where actions tie their values may be far from certain.
    """
    return replace(
        graph,
        players=np.where(graph.players == player, 0, graph.players),
        numerators=graph.numerators[:, [player]],
        denominators=graph.denominators[:, [player]],
        blocks=tuple(
            [b._replace(player=0) if b.player == player else b for b in graph.blocks]
        ),
    )


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
