"""Lay out the states found of a game by places."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import Any

import numpy as np

from cardgames_dp._answers import CHANCE, TERMINAL
from cardgames_dp._graph import (
    Block,
    Graph,
    Integers,
    exact_array,
    narrowed,
    sizes_of,
    spans,
)
from cardgames_dp._walk import Found
from cardgames_dp.game import State


def lay_out(
    found: Found[State, Any], states: Collection[State]
) -> tuple[Integers, Graph]:
    """Return the number of the state at every place, and the graph of the places.

    Parameters
    ----------
    found : Found
        The moves of all states.
    states : collection
        The states in the order of their numbers.

    Raises
    ------
    GameError
        If there is a cycle.
    """
    levels = found.levels(states)
    players, counts = np.asarray(found.players), np.asarray(found.counts)
    sizes = sizes_of(counts)
    order = np.lexsort((sizes, -players, levels))
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order))
    offsets = np.zeros(len(order) + 1, dtype=np.int64)
    np.cumsum(counts[order], out=offsets[1:])
    moves = spans((np.cumsum(counts) - counts)[order], counts[order])
    # Chance and terminal states have their own arrays.
    luck = order[players[order] == CHANCE]
    ends = order[players[order] == TERMINAL]
    lucky = np.where(players == CHANCE, counts, 0)
    drawn = spans((np.cumsum(lucky) - lucky)[luck], counts[luck])
    paid = (np.cumsum(players == TERMINAL) - 1)[ends]
    shape = -1, found.num_players
    return order, Graph(
        players=narrowed(players[order]),
        offsets=narrowed(offsets, np.int32),
        following=place[np.asarray(found.following)[moves]],
        weights=exact_array(found.weights)[drawn],
        numerators=exact_array(found.returns.numerators).reshape(shape)[paid],
        denominators=exact_array(found.returns.denominators).reshape(shape)[paid],
        blocks=_blocks(levels[order], players[order], sizes[order], offsets),
    )


def _blocks(
    levels: Integers, players: Integers, sizes: Integers, offsets: Integers
) -> tuple[Block, ...]:
    changes = (np.diff(levels) != 0) | (np.diff(players) != 0) | (np.diff(sizes) != 0)
    starts = np.concatenate(([0], np.flatnonzero(changes) + 1))
    counts = np.diff(offsets)
    most = np.maximum.reduceat(counts, starts).tolist()
    least = np.minimum.reduceat(counts, starts).tolist()
    ends = [*starts.tolist(), len(levels)]
    ahead = {CHANCE: 0, TERMINAL: 0}
    blocks = []
    for i, (first, last) in enumerate(pairwise(ends)):
        player = int(players[first])
        moves = slice(int(offsets[first]), int(offsets[last]))
        size = moves.stop - moves.start if player == CHANCE else last - first
        start = ahead.get(player, 0)
        own = slice(start, start + size)
        ahead[player] = own.stop
        even = most[i] == least[i]
        blocks.append(Block(player, slice(first, last), moves, own, most[i], even))
    return tuple(blocks)
