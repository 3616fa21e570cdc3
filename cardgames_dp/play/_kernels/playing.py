"""Many plays of a game without decisions at once, each with its own random numbers.

Each step advances all plays of a batch by one move. A play in a state with several
moves draws a random number in [0, 1) and takes, by bisection, the first move whose
cumulative probability exceeds it. Cumulative probabilities are summed for each state
separately, so their rounding error does not grow with the number of states.

With rewards, each play has its own sum of them.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL
from cardgames_dp._graph.graph import Floats, Graph, Integers
from cardgames_dp._support import executors
from cardgames_dp._support.running import progress_bar
from cardgames_dp.play._kernels.points import Points

_BATCH = 2**16
"""The number of plays at once: their arrays fit in a cache of a few megabytes."""


@dataclass(slots=True)
class Counts:
    """Counts of how plays ended.

    Attributes
    ----------
    ends : ndarray of int64, shape (states,)
        The number of plays that ended at each place.
    lengths : ndarray of int64
        The number of plays with 0, 1, 2, ... moves.
    histories : list of list of int
        The places of the first plays.
    returns : list of Counter, one a player
        The number of plays with each return, all rewards included; empty in games
        without rewards, where `ends` tells it.
    """

    ends: NDArray[np.int64]
    lengths: NDArray[np.int64]
    histories: list[list[int]]
    returns: list[Counter[float]]


def played(
    graph: Graph,
    start: int,
    games: int,
    rng: np.random.Generator,
    histories: int,
    *,
    executor: Executor | None,
) -> Counts:
    """Return the counts of plays of a graph without decisions, batch after batch."""
    ends = np.zeros(graph.num_states, dtype=np.int64)
    lengths = np.zeros(len(graph.blocks) + 1, dtype=np.int64)
    told: dict[int, list[list[int]]] = {}
    returns: list[Counter[float]] = []
    if graph.rewards is not None:
        returns = [Counter() for _ in range(graph.num_players)]
    with progress_bar(games, "games") as bar:
        for number, batch in executors.each(
            _played,
            (_Table(graph, start), histories),
            executors.chunks(games, _BATCH, rng),
            executor=executor,
            name=str,
        ):
            ends[batch.places] += batch.ends
            if len(batch.lengths) > len(lengths):  # where plays come back to states
                lengths = np.append(lengths, np.zeros_like(batch.lengths))
            lengths[: len(batch.lengths)] += batch.lengths
            told[number] = batch.histories
            for counts, (results, times) in zip(returns, batch.returns, strict=True):
                counts.update(dict(zip(results.tolist(), times.tolist(), strict=True)))
            if bar is not None:
                bar.update(int(batch.ends.sum()))
    histories_told = [one for _, some in sorted(told.items()) for one in some]
    return Counts(ends, lengths, histories_told, returns)


class _Batch(NamedTuple):
    """How the plays of a batch ended, by the places where some did."""

    places: Integers
    ends: NDArray[np.int64]
    lengths: NDArray[np.int64]
    histories: list[list[int]]
    returns: list[tuple[Floats, NDArray[np.int64]]]


def _played(shared: tuple[_Table, int], chunk: executors.Chunk) -> _Batch:
    table, histories = shared
    told = min(chunk.games, max(histories - chunk.start, 0))
    return table.play(chunk.games, chunk.rng, told)


_MOVES = 2**31
"""No play has more moves, as nobody could wait for it."""


class _Purse(NamedTuple):
    """What a player gets by row of the rewards and by terminal state.

    Numbers are integers, whose sums are exact, if they have a common unit.
    """

    paid: NDArray[Any]
    ends: NDArray[Any]
    unit: int

    @classmethod
    def of(cls, graph: Graph, player: int) -> _Purse:
        """Return the purse of a player."""
        points = Points.of(graph, player)
        whole = points.integers(_MOVES)
        if whole is not None:
            return cls(*whole, points.unit)
        assert graph.rewards is not None
        paid, ends = graph.rewards.floats()[0], graph.payoffs()[0]
        return cls(paid[:, player], ends[:, player], 1)


class _Table:
    """A graph as plays need it.

    Parameters
    ----------
    graph : Graph
        Without decisions.
    start : int
        Where plays start.
    """

    def __init__(self, graph: Graph, start: int) -> None:
        self._start = start
        self._offsets, self._following = graph.offsets, graph.following
        self._counts = np.diff(graph.offsets)
        self._until = _cumulative(graph)
        self._halvings = int(self._counts.max()).bit_length()
        self._purses: list[_Purse] = []
        if graph.rewards is not None:
            self._which = graph.rewards.which
            self._row = np.cumsum(graph.players == TERMINAL) - 1
            self._purses = [_Purse.of(graph, p) for p in range(graph.num_players)]

    def play(self, games: int, rng: np.random.Generator, histories: int) -> _Batch:
        """Return how some plays end, and the places of the first of them."""
        places: Integers = np.full(games, self._start)
        told: list[list[int]] = [[self._start] for _ in range(histories)]
        which = np.arange(games)
        totals = [np.zeros(games, purse.paid.dtype) for purse in self._purses]
        ended, lengths = [], []
        while places.size:
            over = self._counts[places] == 0
            lengths.append(int(np.count_nonzero(over)))
            if lengths[-1]:
                ended.append(places[over])
                for total, purse in zip(totals, self._purses, strict=True):
                    total[which[over]] += purse.ends[self._row[places[over]]]
                places, which = places[~over], which[~over]
            moves = self._drawn(places, rng)
            places = self._following[moves]
            for total, purse in zip(totals, self._purses, strict=True):
                total[which] += purse.paid[self._which[moves]]
            shown = np.searchsorted(which, histories)
            for game, place in zip(
                which[:shown].tolist(), places[:shown].tolist(), strict=True
            ):
                told[game].append(place)
        found, ends = np.unique(np.concatenate(ended), return_counts=True)
        returns = []
        for total, purse in zip(totals, self._purses, strict=True):
            support, times = np.unique(total / purse.unit, return_counts=True)
            returns.append((support, times.astype(np.int64)))
        return _Batch(found, ends, np.array(lengths, dtype=np.int64), told, returns)

    def _drawn(self, places: Integers, rng: np.random.Generator) -> Integers:
        """Return a move from each of these places, at random."""
        moves = self._offsets[places].astype(np.int64)
        counts = self._counts[places]
        several = np.flatnonzero(counts > 1)
        if several.size:
            low = moves[several]
            high = low + counts[several] - 1
            drawn = rng.random(len(several))
            for _ in range(self._halvings):
                middle = (low + high) >> 1
                beyond = self._until[middle] > drawn
                high = np.where(beyond, middle, high)
                low = np.where(beyond, low, np.minimum(middle + 1, high))
            moves[several] = low
        return moves


def _cumulative(graph: Graph) -> Floats:
    """Return for every move the chance of it, or of one before it from its state."""
    chances = np.zeros(len(graph.following))
    counts = np.diff(graph.offsets)
    chances[np.repeat(graph.players == CHANCE, counts)] = graph.chances()
    rows = np.flatnonzero(counts > 1)
    starts, counts = graph.offsets[rows], counts[rows]
    rank = 1
    while rows.size:
        here = starts + rank
        chances[here] += chances[here - 1]
        rank += 1
        longer = counts > rank
        chances[here[~longer]] = np.inf  # the last one is beyond any number
        rows, starts, counts = rows[longer], starts[longer], counts[longer]
    return chances
