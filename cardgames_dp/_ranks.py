"""The moves of a block as a rectangle: by rank among a state's moves, and by state."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph import Block, Exact, Integers


class Ranks(NamedTuple):
    """The moves of a block whose states have different numbers of moves.

    Attributes
    ----------
    moves : ndarray of int, shape (most, states)
        The moves by rank and state; if a state has no more moves, its last one again.
    real : ndarray of bool, shape (most, states)
        Whether the state has a move of this rank.
    counts : ndarray of int, shape (states,)
        The number of moves of each state.
    """

    moves: Integers
    real: NDArray[np.bool_]
    counts: Integers

    @classmethod
    def of(cls, block: Block, offsets: Integers) -> Ranks:
        """Return the ranks of a block."""
        ends = offsets[block.places.start : block.places.stop + 1] - block.moves.start
        counts, ranks = (
            np.diff(ends).astype(np.int64),
            np.arange(block.most)[:, np.newaxis],
        )
        moves = ends[:-1] + np.minimum(ranks, counts - 1)
        return cls(moves, ranks < counts, counts)


def by_rank(of_moves: Exact, block: Block, ranks: Ranks | None) -> Exact:
    """Return the entries of the moves of a block, in shape (most, states)."""
    if ranks is None:
        return of_moves.reshape(-1, block.most).T
    return of_moves[ranks.moves]
