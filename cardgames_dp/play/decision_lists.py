"""The search for short decision lists, priced by the game itself.

A *decision list* [1]_ has lines, each with conditions and an action; the first line
that fits a state, and whose action is legal there, decides. The conditions of a line
are intervals of features: a *box*. The last line fits everywhere.

What a list costs is the sum, over states, of how often plays that follow it visit the
state times what it gives up there, by the performance difference lemma [2]_. A new line
is guessed: for each pair of features, the box in which another action saves most, also
for either value of a feature that has two. The sums of all boxes come from prefix sums.
Then the best guesses are priced, and bounds are moved as long as the price falls. So
prices are right, but a shorter list may exist.

References
----------
.. [1] R. L. Rivest, "Learning decision lists", Machine Learning 2 (1987), 229-246.
.. [2] S. Kakade and J. Langford, "Approximately optimal approximate reinforcement
   learning", Proceedings of the 19th International Conference on Machine Learning
   (2002), 267-274.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from itertools import combinations, islice, product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.decisions import Decisions
from cardgames_dp._graph.graph import Exact, Floats, Integers
from cardgames_dp.game import GameError
from cardgames_dp.play._kernels.chain import fixed
from cardgames_dp.play._kernels.visits import expected_visits, refuse_endless

Box: TypeAlias = tuple[tuple[int, int], ...]
"""For each feature the first and the last rank of its values."""

List: TypeAlias = tuple[tuple[Box, int], ...]
"""The lines, each a box and the number of an action."""

MOST_LINES = 10
"""The largest number of lines."""

_BINS = 64
"""The most intervals of a feature in guesses."""

_GUESSES, _REFINED, _STARTS = 12, 3, 2
"""How many guesses are priced, how many of them refined, and how many ends tried."""

_STEPS, _MOVES = (1, -1, 3, -3, 8, -8), (10, 80)
"""By how many ranks a bound is moved, and how many moves are priced at a time."""

_SHORT, _EQUAL = 0.9, 1e-12
"""The share of a saving that a condition less is worth, and what costs nothing."""


class Search:
    """The search for a player's lists of few lines.

    Parameters
    ----------
    explored : Explored or ExploredArrays
    table : Decisions
        All states in which the player decides.
    ranks : ndarray of int, shape (features, states)
        The values of features in these states, as ranks.
    weights : ndarray of int or object
        The weights of the moves of chance and of all players in the solution.
    until : float
        The time after which nothing is priced.
    """

    def __init__(
        self,
        explored: Any,
        table: Decisions,
        ranks: Integers,
        weights: Exact,
        until: float,
    ) -> None:
        self._explored, self._table, self._ranks = explored, table, ranks
        self._until, self._costs = until, dict[int, float]()
        self._player, graph = int(table.players[0]), explored.graph
        self.whole: Box = tuple([(0, last) for last in ranks.max(axis=1).tolist()])
        shape, self._each = (len(table), len(table.names)), (table.rows, table.actions)
        self._given_up, self._moves = np.full(shape, np.nan), np.zeros(shape, np.int64)
        gaps = np.maximum(table.values[table.rows] - table.worth, 0)
        self._given_up[self._each] = np.where(table.best, 0, gaps)
        self._moves[self._each] = np.arange(len(gaps)) - table.offsets[table.rows]
        self._legal = ~np.isnan(self._given_up)
        # A state of an array game may have several places.
        self._places = np.flatnonzero(graph.players == self._player)
        every = explored.representatives[self._places]
        self._rows = np.searchsorted(table.places, every)
        self._first = graph.offsets[self._places]
        mine = np.repeat(graph.players == self._player, np.diff(graph.offsets))
        self._weights = np.where(mine, 0, weights)
        self._visits = self._price(np.nanargmin(self._given_up, axis=1))[1]

    def find(self, loss: float) -> tuple[List, tuple[float, ...]]:
        """Return the best list found, and the least cost by number of lines.

        The list costs at most `loss` if one that does is found.
        """
        ends: list[List] = [((self.whole, k),) for k in range(self._legal.shape[1])]
        ends.sort(key=self.cost)
        best, curve = ends[0], np.full(MOST_LINES, np.inf)
        for end in ends[:_STARTS]:
            lines: List | None = end
            while lines:
                cost, count = self.cost(lines), len(lines)
                curve[count - 1 :] = np.minimum(curve[count - 1 :], cost)
                # Once the loss is reached, only shorter lists are of use.
                shorter = cost <= loss and count < len(best)
                if shorter or self.cost(best) > max(cost, loss):
                    best = lines
                most = len(best) - 1 if self.cost(best) <= loss else MOST_LINES
                bases = [lines[:k] + lines[k + 1 :] for k in range(count - 1)]
                bases += [lines] * (count < most)
                lines = self._better(lines, bases) if count <= most else None
        return best, tuple(curve[: len(best)].tolist())

    def actions(self, lines: List) -> Integers:
        """Return the action of a list for each state; if none is legal, the first."""
        choices: Integers = self._legal.argmax(axis=1)
        free = np.ones(len(choices), dtype=np.bool_)
        for box, action in lines:
            here = free & self._legal[:, action] & self._inside(box)
            choices[here] = action
            free &= ~here
        return choices

    def _inside(self, box: Box) -> NDArray[np.bool_]:
        low, high = np.array(box).T[:, :, np.newaxis]
        inside = (low <= self._ranks) & (self._ranks <= high)
        return np.logical_and.reduce(inside, axis=0)  # type: ignore[no-any-return]

    def weights(self, choices: Integers) -> Exact:
        """Return the weights of all moves if the player takes these actions."""
        weights = self._weights.copy()
        weights[
            self._moves[np.arange(len(choices)), choices][self._rows] + self._first
        ] = 1
        return weights

    def cost(self, lines: List) -> float:
        """Return what a list costs from the start."""
        choices = self.actions(lines)
        key = hash(choices.tobytes())
        if key not in self._costs:
            self._costs[key] = self._price(choices)[0]
        return self._costs[key]

    def _price(self, choices: Integers) -> tuple[float, Floats]:
        """Return what actions cost from the start, and how often they visit states.

        The price is infinite where a play might never end, or there is no time.
        """
        explored, nothing = self._explored, np.zeros(len(choices))
        if time.monotonic() > self._until:
            return math.inf, nothing
        graph, _ = fixed(explored.graph, self.weights(choices))
        try:
            refuse_endless(explored, graph, None)
        except GameError:
            return math.inf, nothing
        by_place = expected_visits(graph, explored.start)[self._places]
        visits: Floats = nothing + np.bincount(self._rows, by_place, len(choices))
        return float(visits @ self._given_up[np.arange(len(choices)), choices]), visits

    def _better(self, lines: List, bases: Iterable[List]) -> List | None:
        """Return a better list: one of some lists with a line more; or None."""
        cost = self.cost(lines)
        for base in bases:
            few = dict[float, tuple[List, int]]()
            for _, longer, k in sorted(self._guesses(base), reverse=True):
                if len(few) < _GUESSES:
                    few.setdefault(self.cost(longer), (longer, k))
            best = [self._improved(*few[x], _MOVES[0]) for x in sorted(few)[:_REFINED]]
            share = [_SHORT ** self._conditions(x) for x in best]
            saved = [
                (cost - self.cost(x)) * y for x, y in zip(best, share, strict=True)
            ]
            if saved and max(saved) > _EQUAL:
                return self._improved(best[saved.index(max(saved))], None, _MOVES[1])
        return None

    def _guesses(self, lines: List) -> Iterator[tuple[float, List, int]]:
        """Yield what lists might save, with the number of the line that is new."""
        choices, lost = self.actions(lines), self._given_up
        often = (self._visits + self._price(choices)[1]) / 2
        saved = np.take_along_axis(lost, choices[:, np.newaxis], 1) - lost
        gain = (often[:, np.newaxis] * np.nan_to_num(saved)).T
        free = np.ones(len(choices), dtype=np.bool_)
        for k, (box, action) in enumerate(lines):
            for other in range(len(gain)):
                some = np.flatnonzero(free & (gain[other] != 0))
                for most, new in self._boxes(some, gain[other, some]):
                    yield most, (*lines[:k], (new, other), *lines[k:]), k
            free &= ~(self._legal[:, action] & self._inside(box))

    def _boxes(
        self, some: Integers, gain: Floats, within: Box | None = None
    ) -> list[tuple[float, Box]]:
        """Return boxes in which some states gain most, by two or three features."""
        boxes, features = list[tuple[float, Box]](), range(len(self.whole))
        widths = [last // _BINS + 1 for _, last in self.whole]
        for pair in [*combinations(features, 2)] or [(0, 0)]:
            bins = [self._ranks[f, some] // widths[f] for f in pair]
            x, y = (self.whole[f][1] // widths[f] + 1 for f in pair)
            sums = np.bincount(bins[0] * y + bins[1], gain, x * y).astype(np.float64)
            for saved, sides in rectangles(sums.reshape(x, y)):
                box = list(within or self.whole)
                for f, (low, high) in zip(pair, sides, strict=True):
                    first, last = low * widths[f], high * widths[f] - 1
                    box[f] = max(first, box[f][0]), min(last, box[f][1])
                share = _SHORT ** self._conditions(((tuple(box), 0),))
                boxes.append((saved * share, tuple(box)))
        if within is None:
            halves = product([f for f in features if self.whole[f][1] == 1], (0, 1))
            for f, x in halves:
                base = (*self.whole[:f], (x, x), *self.whole[f + 1 :])
                here = self._inside(base)[some]
                boxes += self._boxes(some[here], gain[here], base)
        return boxes

    def _conditions(self, lines: List) -> int:
        """Return the number of conditions."""
        return int(np.sum(np.array([box for box, _ in lines]) != self.whole))

    def _size(self, lines: List) -> tuple[int, int]:
        """Return what makes a list long: its conditions, and then its lines."""
        return self._conditions(lines), len(lines)

    def _improved(self, lines: List, only: int | None, most: int) -> List:
        """Move bounds of all lines, or of one, and leave out what saves nothing."""
        for variant in islice(self._neighbours(lines, only), most):
            most -= 1
            less = self._size(variant) < self._size(lines)
            if self.cost(variant) < self.cost(lines) + (_EQUAL if less else -_EQUAL):
                return self._improved(variant, only, most)
        return lines

    def _neighbours(self, lines: List, only: int | None) -> Iterator[List]:
        """Yield lists with a line less, or with another bound or none in its place."""
        for k in [k for k in range(len(lines) - 1) if only in (None, k)]:
            box, action = lines[k]
            yield lines[:k] + lines[k + 1 :]
            for f, end in product(range(len(box)), (0, 1)):
                rank, every = box[f][end], self.whole[f]
                for to in (every[end], *[rank + step for step in _STEPS]):
                    pair = (to, box[f][1]) if end == 0 else (box[f][0], to)
                    if rank != every[end] and 0 <= pair[0] <= pair[1] <= every[1]:
                        line = (*box[:f], pair, *box[f + 1 :]), action
                        yield (*lines[:k], line, *lines[k + 1 :])


def rectangles(table: Floats) -> Iterator[tuple[float, Box]]:
    """Yield the rectangle with the largest sum, of all and of those at a border.

    With each comes its sum. Its rows and its columns are a pair of the first and of the
    one after the last.
    """
    total = np.zeros((table.shape[0] + 1, table.shape[1] + 1))
    total[1:, 1:] = table.cumsum(axis=0).cumsum(axis=1)
    low, high = np.triu_indices(len(total), 1)
    strips = total[high] - total[low]
    gains = strips - np.minimum.accumulate(strips, axis=1)
    for some in (low >= 0, (low == 0) | (high == len(table))):
        k, last = divmod(int((gains * some[:, np.newaxis]).argmax()), total.shape[1])
        if gains[k, last] > 0:
            first = int(strips[k, : last + 1].argmin())
            sides = (int(low[k]), int(high[k])), (first, last)
            yield float(gains[k, last]), sides
