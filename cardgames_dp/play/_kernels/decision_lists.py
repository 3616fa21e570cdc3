"""The search for short decision lists.

A *decision list* [1]_ has lines, each with conditions and an action; the first line
that fits a state, and whose action is legal there, decides. The conditions of a line
are intervals of features: a *box*. The last line fits everywhere.

New lines are guessed: for each pair of features, the box in which another action saves
most, by how often plays visit states and by what an action gives up, first if the
solution follows, then if the list does. The sums over all boxes come from prefix sums.
Then the game itself prices the best guesses, and numbers are moved as long as the price
falls. So prices are right, but there may be shorter lists.

References
----------
.. [1] R. L. Rivest, "Learning decision lists", Machine Learning 2 (1987), 229-246.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import combinations, product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.graph import Floats, Integers

Box: TypeAlias = tuple[tuple[int, int], ...]
"""For each feature the first and the last rank of its values."""

MOST_LINES = 10
"""The largest number of lines."""

_BINS = 64
"""The most intervals into which a feature is cut for guesses."""

_SHORT = 0.9
"""What a guess with a condition more must save, at least, as a share of the other's."""

_GUESSES, _REFINED, _STARTS = 10, 3, 2
"""How many guesses are priced, how many of them refined, and how many ends tried."""

_STEPS = (1, -1, 3, -3, 8, -8)
"""By how many ranks a bound is moved."""


class Line(NamedTuple):
    """A line of a list: a box, and the number of an action."""

    box: Box
    action: int


List: TypeAlias = tuple[Line, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """A search for lists of few lines.

    Attributes
    ----------
    ranks : ndarray of int, shape (features, states)
        The values of features in all decision states of the player, as ranks.
    given_up : ndarray of float64, shape (states, actions)
        What an action gives up if the solution follows; NaN where it is not legal.
    visits : ndarray of float64, shape (states,)
        How often the solution visits the states.
    price : callable
        A function of an action for each state to what that costs from the start,
        infinite where it cannot be told, and to how often it visits the states.
    worth : callable
        A function of an action for each state to the value of all actions, of the shape
        of `given_up`, if these actions follow.
    """

    ranks: Integers
    given_up: Floats
    visits: Floats
    price: Callable[[Integers], tuple[float, Floats]]
    worth: Callable[[Integers], Floats]
    _prices: dict[bytes, float] = field(default_factory=dict)

    @property
    def whole(self) -> Box:
        """The box of all states."""
        return tuple([(0, last) for last in self.ranks.max(axis=1).tolist()])

    def find(self, loss: float) -> tuple[List, list[float]]:
        """Return the best list found, and the least cost by number of lines.

        The list costs at most `loss` if one that does is found.
        """
        ends = [(Line(self.whole, a),) for a in range(self.given_up.shape[1])]
        ends.sort(key=self.cost)
        best, curve = ends[0], [np.inf] * MOST_LINES
        for refits, end in product((False, True), ends[:_STARTS]):
            longer: List | None = end
            while longer is not None:
                lines, cost, count = longer, self.cost(longer), len(longer)
                curve[count - 1 :] = np.minimum(curve[count - 1 :], cost).tolist()
                best = min(best, lines, key=lambda x: self._order(x, loss))
                # Another list is of use if it is shorter than one that costs so little.
                most = len(best) - 1 if self.cost(best) <= loss else MOST_LINES
                longer = self._next(lines, count + 1) if count < most else None
                while refits and longer and (other := self._refitted(longer)):
                    longer = other
        return self._tight(best), curve[: len(best)]

    def _tight(self, lines: List) -> List:
        """Return the same list, with bounds that are values in the states that fit."""
        tight, legal = [], ~np.isnan(self.given_up)
        for line in lines:
            ranks = self.ranks[:, self._fits(line, legal)]
            ends = zip(line.box, self.whole, ranks, strict=True)
            box = [
                (low and int(own.min()), high if high == last else int(own.max()))
                for (low, high), (_, last), own in ends
            ]
            tight.append(Line(tuple(box), line.action))
        return tuple(tight)

    def _order(self, lines: List, loss: float) -> tuple[float, ...]:
        cost = self.cost(lines)
        return (0, len(lines), cost) if cost <= loss else (1, cost, len(lines))

    def actions(self, lines: List) -> Integers:
        """Return the action of a list for each state; if none is legal, the first."""
        legal = ~np.isnan(self.given_up)
        taken = legal.argmax(axis=1)
        free = np.ones(len(taken), dtype=bool)
        for line in lines:
            here = free & self._fits(line, legal)
            taken[here] = line.action
            free &= ~here
        return taken

    def _fits(self, line: Line, legal: NDArray[np.bool_]) -> NDArray[np.bool_]:
        inside = legal[:, line.action].copy()
        for ranks, (low, high), every in zip(
            self.ranks, line.box, self.whole, strict=True
        ):
            if (low, high) != every:
                inside &= (low <= ranks) & (ranks <= high)
        return inside

    def cost(self, lines: List) -> float:
        """Return what a list costs from the start."""
        taken = self.actions(lines)
        key = blake2b(taken.astype(np.int32).tobytes()).digest()
        if key not in self._prices:
            self._prices[key] = self.price(taken)[0]
        return self._prices[key]

    def bounds(self, lines: List) -> int:
        """Return the number of conditions."""
        pairs = [pair for line in lines for pair in zip(line.box, self.whole)]
        return sum([(x[0] > y[0]) + (x[1] < y[1]) for x, y in pairs])

    def _next(self, lines: List, most: int) -> List | None:
        """Return a better list of at most so many lines; None if none is found."""
        cost, size = self.cost(lines), self.bounds(lines)
        some = [x for x in self._guesses(lines) if len(x[1]) <= most]
        guesses = sorted(some, key=lambda x: -x[0])
        few = list({x: k for _, x, k in guesses}.items())[:_GUESSES]
        few = sorted(few, key=lambda x: self.cost(x[0]))[:_REFINED]
        refined = [self._polished(x, [k], 10) for x, k in few]
        if not refined:
            return None

        def saved(x: List) -> float:
            return (cost - self.cost(x)) * _SHORT ** (self.bounds(x) - size)

        best = max(refined, key=saved) if np.isfinite(cost) else refined[0]
        if not saved(best) > 1e-12:
            return None
        best = self._shorter(best)
        return self._shorter(self._polished(best, range(len(best)), 80))

    def _refitted(self, lines: List) -> List | None:
        """Return a better list, no longer, with another line in place of one, or None."""
        bases = [lines, *[lines[:k] + lines[k + 1 :] for k in range(len(lines) - 1)]]
        for base in bases:
            other = self._next(base, len(lines))
            if other and self.cost(other) < self.cost(lines) - 1e-12:
                return other
        return None

    def _guesses(self, lines: List) -> Iterator[tuple[float, List, int]]:
        """Yield what lists might save, with the number of the line that is new."""
        taken = self.actions(lines)
        cost, visits = self.price(taken)
        here, legal = np.arange(len(taken)), ~np.isnan(self.given_up)
        pairs = [((self.visits + visits) / 2, self.given_up)]
        if np.isfinite(cost):
            pairs.append((visits + 1e-3 * self.visits, -self.worth(taken)))
        gains = [
            w[:, np.newaxis] * (x[here, taken][:, np.newaxis] - x) for w, x in pairs
        ]
        free = np.ones(len(taken), dtype=bool)
        for top, line in enumerate(lines):
            before, after = lines[:top], lines[top:]
            for gain in gains:
                for action in range(legal.shape[1]):
                    some = np.flatnonzero(free & legal[:, action])
                    for saved, box in self._boxes(some, gain[some, action]):
                        longer = (*before, Line(box, action), *after)
                        size = self.bounds((longer[top],))
                        yield saved * _SHORT**size, longer, top
            fits = self._fits(line, legal)
            if top < len(lines) - 1:
                other = self.actions(before + after[1:])
                some = np.flatnonzero((taken != other) & free & fits)
                for gain in gains:
                    loss = -gain[some, other[some]]
                    for saved, box in self._boxes(some, loss, line.box):
                        saved -= loss.sum()
                        size = self.bounds((Line(box, 0),))
                        if saved > 0:
                            cut = (*before, Line(box, line.action), *after[1:])
                            yield saved * _SHORT**size, cut, top
            free &= ~fits

    def _boxes(
        self, some: Integers, gain: Floats, within: Box | None = None
    ) -> Iterator[tuple[float, Box]]:
        """Yield boxes in which some states gain most, for each pair of features."""
        share, within = _SHORT if within is None else 1.0, within or self.whole
        some, gain = some[gain != 0], gain[gain != 0]
        if not some.size:
            return
        tables = [
            _Bins.of(x[some], last) for x, (_, last) in zip(self.ranks, self.whole)
        ]
        pairs = list(combinations(range(len(tables)), 2)) or [(0, 0)]
        parts: list[tuple[int, int]] = [(-1, 0)]
        binary = [f for f, (_, last) in enumerate(self.whole) if last == 1]
        if len(binary) <= 3:
            parts += [(f, value) for f in binary for value in (0, 1)]
        for feature, value in parts:
            part = slice(None) if feature < 0 else self.ranks[feature][some] == value
            for one, two in pairs:
                if feature in (one, two):
                    continue
                x, y = tables[one], tables[two]
                shape = len(x.edges) - 1, len(y.edges) - 1
                flat = x.bins[part] * shape[1] + y.bins[part]
                sums = np.bincount(flat, gain[part], shape[0] * shape[1])
                for saved, a, b, c, d in rectangles(sums.reshape(shape), share):
                    box = list(within)
                    if feature >= 0:
                        box[feature] = value, value
                    for f, (low, high), e in ((one, (a, b), x), (two, (c, d), y)):
                        low, high = int(e.edges[low]), int(e.edges[high]) - 1
                        old = box[f]
                        if low > 0 or high < self.whole[f][1]:
                            box[f] = max(low, old[0]), min(high, old[1])
                    if all(low <= high for low, high in box):
                        yield saved, tuple(box)

    def _shorter(self, lines: List) -> List:
        """Leave out lines and conditions that save nothing."""
        for shorter in self._parts(lines):
            if self.cost(shorter) <= self.cost(lines) + 1e-12:
                return self._shorter(shorter)
        return lines

    def _parts(self, lines: List) -> Iterator[List]:
        """Yield lists with a line or a condition less."""
        for k, (box, action) in enumerate(lines[:-1]):
            yield lines[:k] + lines[k + 1 :]
            for f, (own, every) in enumerate(zip(box, self.whole, strict=True)):
                for end in (0, 1):
                    if own[end] != every[end]:
                        pair = (every[0], own[1]) if end == 0 else (own[0], every[1])
                        wider = Line((*box[:f], pair, *box[f + 1 :]), action)
                        yield (*lines[:k], wider, *lines[k + 1 :])

    def _polished(self, lines: List, which: Any, most: int) -> List:
        """Move bounds of some lines one after the other, as long as the cost falls."""
        better = True
        while better:
            better = False
            for moved in self._moved(lines, which):
                most -= 1
                if most < 0:
                    return lines
                if self.cost(moved) < self.cost(lines) - 1e-12:
                    lines, better = moved, True
                    break
        return lines

    def _moved(self, lines: List, which: Any) -> Iterator[List]:
        for k in which:
            box, action = lines[k]
            for f, (own, every) in enumerate(zip(box, self.whole, strict=True)):
                for end, step in [(e, s) for e in (0, 1) for s in _STEPS]:
                    pair = (
                        (own[0] + step, own[1]) if end == 0 else (own[0], own[1] + step)
                    )
                    inside = every[0] <= pair[0] <= pair[1] <= every[1]
                    if own[end] != every[end] and inside:
                        moved = Line((*box[:f], pair, *box[f + 1 :]), action)
                        yield (*lines[:k], moved, *lines[k + 1 :])


class _Bins(NamedTuple):
    """Ranks of a feature in intervals."""

    bins: Integers
    edges: Integers

    @classmethod
    def of(cls, ranks: Integers, last: int) -> _Bins:
        count = min(last + 1, _BINS)
        edges = -(-np.arange(count + 1) * (last + 1) // count)
        return cls(ranks * count // (last + 1), edges)


def rectangles(
    table: Floats, share: float
) -> Iterator[tuple[float, int, int, int, int]]:
    """Yield the quadrant and the rectangle of a table with the largest sums.

    With each come its sum, its first row, the row after its last, and its columns
    likewise. A side is left out if the sum without it is at least a share of that with it.
    """
    rows, columns = table.shape
    total = np.zeros((rows + 1, columns + 1))
    total[1:, 1:] = table.cumsum(axis=0).cumsum(axis=1)
    low, high = np.triu_indices(rows + 1, 1)
    strips = total[high] - total[low]
    half = np.flatnonzero((low == 0) | (high == rows))
    begin = strips[:, -1:] - strips
    least = np.minimum.accumulate(strips, axis=1)
    found = []
    k, end = divmod(int(strips[half].argmax()), columns + 1)
    found.append((half[k], 0, end))
    k, start = divmod(int(begin[half].argmax()), columns + 1)
    found.append((half[k], start, columns))
    k, end = divmod(int((strips - least).argmax()), columns + 1)
    found.append((k, int(strips[k, : end + 1].argmin()), end))
    for k, start, end in found:
        sides = [int(low[k]), int(high[k]), start, end]
        for side, wide in enumerate((0, rows, 0, columns)):
            wider = [*sides[:side], wide, *sides[side + 1 :]]
            if _sum(total, wider) >= share * _sum(total, sides):
                sides = wider
        saved = _sum(total, sides)
        if saved > 1e-13:
            a, b, c, d = sides
            yield saved, a, b, c, d


def _sum(total: Floats, sides: list[int]) -> float:
    a, b, c, d = sides
    return float(total[b, d] - total[a, d] - total[b, c] + total[a, c])
