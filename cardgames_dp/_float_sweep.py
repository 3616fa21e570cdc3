"""The float64 sweep: values, error bounds, and optimal actions, block after block.

The docstring of `cardgames_dp.diagonal` has the algorithm and the proof of the bounds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._answers import CHANCE, TERMINAL
from cardgames_dp._graph import Block, Floats, Graph, Integers
from cardgames_dp._ranks import Ranks, by_rank
from cardgames_dp._ties import Pick

_UNIT = 2.0**-53
_TINY = 2.0**-1073


class FloatSweep:
    """Values, error bounds and optimal actions of the states solved so far.

    Within a block, arrays have an axis of moves and one of states: the first moves of
    all states, then the second ones, and so on.

    Attributes
    ----------
    values, errors : ndarray of float64, shape (players, states)
        By place.
    optimal : ndarray of bool, shape (moves,)
        Which actions may be optimal.
    chosen : ndarray of int, shape (states,)
        By place: the index of the action that the tie rule chose.
    num_ties : int
        The number of states in which several actions are certainly optimal.
    open : list of int
        The places where rounding leaves open which actions are optimal.
    """

    def __init__(self, graph: Graph, pick: Pick) -> None:
        self._graph, self._pick = graph, pick
        self._players = graph.num_players
        # Values and errors are gathered together, so they are rows of one array.
        self._table = np.zeros((2 * graph.num_players, graph.num_states))
        self.values, self.errors = np.split(self._table, 2)
        largest = graph.largest_return()
        self._tiny = _TINY * (1 + largest)
        self._summable = graph.weights_are_summable(largest)
        self._weights = graph.weights if self._summable else graph.chances()
        most = max([block.most for block in graph.blocks])
        self.chosen = np.zeros(graph.num_states, dtype=np.min_scalar_type(most))
        self.optimal = np.zeros(len(graph.following), dtype=np.bool_)
        self.num_ties, self.open = 0, list[int]()

    def step(self, block: Block) -> None:
        """Solve the states of a block, all at once."""
        if block.player == TERMINAL:
            values, errors = self._graph.payoffs(block.own)
            self.values[:, block.places] = values.T
            self.errors[:, block.places] = errors.T
            return
        following = self._graph.following[block.moves]
        if block.most == 1:
            self._table[:, block.places] = self._table.take(following, axis=1)
            self.optimal[block.moves] = block.player != CHANCE
            return
        ranks = None if block.even else Ranks.of(block, self._graph.offsets)
        after = self._table.take(by_rank(following, block, ranks), axis=1)
        if block.player == CHANCE:
            self._average(block, ranks, after)
        else:
            self._decide(block, ranks, after)

    def _average(self, block: Block, ranks: Ranks | None, after: Floats) -> None:
        weights = by_rank(self._weights[block.own], block, ranks).astype(np.float64)
        counts: int | Integers = block.most
        if ranks is not None:
            weights *= ranks.real
            counts = ranks.counts
        after *= weights
        values = after.sum(axis=1)
        sizes = np.abs(after[: self._players]).sum(axis=1)
        if self._summable:
            total = weights.sum(axis=0)
            values /= total
            sizes /= total
        errors = values[self._players :]
        errors += sizes * ((counts + 1) * _UNIT)
        errors *= 1 + (counts + 8) * (2 * _UNIT)
        errors += counts * self._tiny
        self._table[:, block.places] = values

    def _decide(self, block: Block, ranks: Ranks | None, after: Floats) -> None:
        values, errors = after[block.player], after[self._players + block.player]
        unsure = errors > 0
        lower = upper = values
        if unsure.any():
            # Enough to cover the rounding of the two bounds themselves.
            margin = errors * (1 + 4 * _UNIT) + np.abs(values) * (unsure * (2 * _UNIT))
            lower, upper = values - margin, values + margin
        optimal = upper >= lower.max(axis=0)
        if ranks is not None:
            optimal &= ranks.real
        chosen = self._chosen(block, optimal)
        size = len(chosen)
        taken = chosen * size + np.arange(size)
        flat = after.reshape(len(after), -1)
        self._table[:, block.places] = flat.take(taken, axis=1)
        self.chosen[block.places] = chosen
        here = self.optimal[block.moves]
        if ranks is None:
            here.reshape(size, block.most).T[:] = optimal
        else:
            here[ranks.moves[ranks.real]] = optimal[ranks.real]
        if np.count_nonzero(optimal) > size:
            self._tie(block, after, optimal, unsure)

    def _chosen(self, block: Block, optimal: NDArray[np.bool_]) -> Integers:
        """Return the ranks of the actions taken among those that may be optimal."""
        if self._pick == "last":
            last: Integers = len(optimal) - 1 - optimal[::-1].argmax(axis=0)
            return last
        if len(optimal) == 2 and self._pick == "first":
            other: Integers = (~optimal[0]).astype(np.int64)  # eight times faster
            return other
        chosen: Integers = optimal.argmax(axis=0)
        if self._pick != "first":
            for i in np.flatnonzero(np.count_nonzero(optimal, axis=0) > 1).tolist():
                among = np.flatnonzero(optimal[:, i]).tolist()
                chosen[i] = self._pick(block.places.start + i, among)
        return chosen

    def _tie(
        self,
        block: Block,
        after: Floats,
        optimal: NDArray[np.bool_],
        unsure: NDArray[np.bool_],
    ) -> None:
        """Enlarge errors to cover whichever of several actions is optimal."""
        several = np.count_nonzero(optimal, axis=0) > 1
        doubtful = np.flatnonzero(several & (optimal & unsure).any(axis=0))
        self.num_ties += int(np.count_nonzero(several)) - len(doubtful)
        if not doubtful.size:
            return
        places = doubtful + block.places.start
        values, errors = np.split(after[:, :, doubtful], 2)
        away = np.abs(values - self.values[:, np.newaxis, places]) + errors
        among = optimal[:, doubtful]
        away *= among * (1 + 4 * _UNIT)
        self.errors[:, places] = away.max(axis=1)
        if self._players == 1:
            # A lone player gets the largest, whichever it is: were it that of the
            # action which the tie rule takes, doubts would grow from level to level.
            self.values[0, places] = np.where(among, values[0], -np.inf).max(axis=0)
            self.errors[0, places] = (errors[0] * among).max(axis=0)
        self.open += places.tolist()
