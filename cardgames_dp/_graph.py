"""An explored game laid into arrays, diagonal by diagonal, for a vectorised sweep.

A *diagonal* holds all states from which the longest play takes equally many moves. Each
of them leads to diagonals that are nearer to the end, so none depends on another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._explore import Explored
from cardgames_dp.game import CHANCE, TERMINAL

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Block(NamedTuple):
    """States of one diagonal and one kind, by their places."""

    chance: bool
    first: int
    last: int


@dataclass(slots=True)
class Graph:
    """A game laid out for the sweep: states have *places*, diagonal by diagonal.

    Attributes
    ----------
    place : ndarray of int64, shape (states,)
        Where the state of a number is.
    number : ndarray of int64, shape (states,)
        The number of the state at a place.
    kinds, levels, players : ndarray of int64, shape (states,)
        By place: 0 terminal, 1 chance, 2 decision; the longest play; who moves.
    offsets : ndarray of int64, shape (states + 1,)
        The moves from place i are those from ``offsets[i]`` to ``offsets[i + 1]``.
    following : ndarray of int64, shape (moves,)
        The place to which each leads.
    chances : ndarray of float64, shape (moves,)
        Its probability, where chance moves.
    """

    place: Integers
    number: Integers
    kinds: Integers
    levels: Integers
    players: Integers
    offsets: Integers
    following: Integers
    chances: Floats

    @classmethod
    def of(cls, found: Explored[Any, Any]) -> Graph:
        """Lay out a game that has been explored."""
        players, levels = np.array(found.players), np.array(found.levels())
        kinds = np.select([players == TERMINAL, players == CHANCE], [0, 1], 2)
        number = np.lexsort((kinds, levels))
        place = np.empty_like(number)
        place[number] = np.arange(len(number))
        starts = np.array(found.offsets)
        counts = np.diff(starts)[number]
        offsets = np.concatenate(([0], np.cumsum(counts)))
        moves = np.repeat(starts[number] - offsets[:-1], counts)
        moves += np.arange(len(moves))
        following = place[np.array(found.following, dtype=np.int64)[moves]]
        chances = _chances(found)[moves]
        return cls(
            place,
            number,
            kinds[number],
            levels[number],
            players[number],
            offsets,
            following,
            chances,
        )

    def blocks(self) -> Iterator[Block]:
        """Yield what is swept in one step: from the end of the game to its start."""
        changes = (np.diff(self.levels) != 0) | (np.diff(self.kinds) != 0)
        ends = [0, *(np.flatnonzero(changes) + 1).tolist(), len(self.levels)]
        for first, last in pairwise(ends):
            if self.kinds[first]:
                yield Block(bool(self.kinds[first] == 1), first, last)


def _chances(found: Explored[Any, Any]) -> Floats:
    """Return weights over their sums, each correctly rounded; 1 or less for players."""
    if not found.following:
        return np.empty(0)
    # No state without moves has a sum, so those that have some are adjacent.
    starts = np.array(sorted({*found.offsets[:-1]} - {len(found.weights)}))
    counts = np.diff(np.append(starts, len(found.weights)))
    try:
        weights = np.array(found.weights, dtype=np.int64).astype(np.float64)
    except OverflowError:
        weights = np.array([np.inf])
    if weights.max() * counts.max() < 2.0**53:  # so that sums are exact
        chances: Floats = weights / np.repeat(np.add.reduceat(weights, starts), counts)
        return chances
    ends = [*starts[1:].tolist(), len(found.weights)]
    shares: list[float] = []
    for first, last in zip(starts.tolist(), ends, strict=True):
        total = sum(found.weights[first:last])
        shares += [weight / total for weight in found.weights[first:last]]
    return np.array(shares)
