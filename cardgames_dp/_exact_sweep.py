"""The exact sweep: integers over common denominators, block after block.

The docstring of `cardgames_dp.exact` explains the algorithm.
"""

from __future__ import annotations

import math
from array import array
from fractions import Fraction
from operator import mul

from cardgames_dp._answers import CHANCE, TERMINAL
from cardgames_dp._graph import Block, Graph
from cardgames_dp._ties import Pick


class ExactSweep:
    """The values and decisions of the states solved so far.

    Attributes
    ----------
    bottoms : list of int
        By place, the value of each player is ``tops()[player]`` over ``bottoms``.
    optimal : bytearray
        By move: whether it is an optimal action.
    chosen : array of int
        By place: the index of the action that the tie rule chose, or 0.
    num_ties : int
        The number of states in which several actions are optimal.
    """

    def __init__(self, graph: Graph, pick: Pick) -> None:
        self._graph, self._pick = graph, pick
        # With two players and a constant sum, the first player's column is enough.
        self._sum = _constant_sum(graph) if graph.num_players == 2 else None
        columns = graph.num_players if self._sum is None else 1
        self._columns = [[0] * graph.num_states for _ in range(columns)]
        self.bottoms = [1] * graph.num_states
        self.optimal = bytearray(len(graph.following))
        self.chosen = array("i", bytes(4 * graph.num_states))
        self.num_ties = 0

    def tops(self) -> list[list[int]]:
        """Return the numerators of all players' values, by place."""
        if self._sum is None:
            return self._columns
        both = zip(self._columns[0], self.bottoms, strict=True)
        return [self._columns[0], [self._sum * bottom - top for top, bottom in both]]

    def step(self, block: Block) -> None:
        """Solve the states of a block."""
        if block.player == TERMINAL:
            self._end(block)
        elif block.player == CHANCE:
            self._average(block)
        else:
            self._decide(block)

    def _end(self, block: Block) -> None:
        graph = self._graph
        tops = graph.numerators[block.own].tolist()
        bottoms = graph.denominators[block.own].tolist()
        places = range(block.places.start, block.places.stop)
        for place, numerators, denominators in zip(places, tops, bottoms, strict=True):
            bottom = math.lcm(*denominators)
            self.bottoms[place] = bottom
            # With a constant sum there is no column for the second player.
            for column, n, d in zip(self._columns, numerators, denominators):  # noqa: B905
                column[place] = n * (bottom // d)

    def _average(self, block: Block) -> None:
        graph, known = self._graph, self.bottoms
        following = graph.following[block.moves].tolist()
        weights = graph.weights[block.own].tolist()
        ends = graph.offsets[block.places.start + 1 : block.places.stop + 1]
        first = 0
        for place, last in enumerate(
            (ends - block.moves.start).tolist(), block.places.start
        ):
            after, factors = following[first:last], weights[first:last]
            bottoms = [known[i] for i in after]
            total, bottom = sum(factors), bottoms[0]
            if bottoms.count(bottom) < len(bottoms):
                bottom = _common(bottoms)
                factors = [
                    w * (bottom // d) for w, d in zip(factors, bottoms, strict=True)
                ]
            bottom *= total
            tops = [
                sum(map(mul, factors, [column[i] for i in after]))
                for column in self._columns
            ]
            common = math.gcd(bottom, *tops)
            known[place] = bottom // common
            for column, top in zip(self._columns, tops, strict=True):
                column[place] = top // common
            first = last

    def _decide(self, block: Block) -> None:
        graph, known = self._graph, self.bottoms
        worth, rising = self._columns[0], False
        if self._sum is None or block.player == 0:
            worth, rising = self._columns[block.player], True
        following = graph.following[block.moves].tolist()
        ends = graph.offsets[block.places.start + 1 : block.places.stop + 1]
        first = 0
        for place, last in enumerate(
            (ends - block.moves.start).tolist(), block.places.start
        ):
            after = following[first:last]
            best, top, bottom = [0], worth[after[0]], known[after[0]]
            for k in range(1, len(after)):
                n, d = worth[after[k]], known[after[k]]
                more = n - top if d == bottom else n * bottom - top * d
                if not more:
                    best.append(k)
                elif (more > 0) is rising:
                    best, top, bottom = [k], n, d
            chosen = best[0]
            if len(best) > 1:
                self.num_ties += 1
                chosen = self._picked(place, best)
            self.chosen[place] = chosen
            for k in best:
                self.optimal[block.moves.start + first + k] = True
            target = after[chosen]
            known[place] = known[target]
            for column in self._columns:
                column[place] = column[target]
            first = last

    def _picked(self, place: int, best: list[int]) -> int:
        """Return the one of several optimal actions that the tie rule takes."""
        if self._pick == "first":
            return best[0]
        return best[-1] if self._pick == "last" else self._pick(place, best)


def _constant_sum(graph: Graph) -> int | None:
    """Return the sum of two players' returns, if it is the same integer everywhere."""
    tops, bottoms = graph.numerators.T.tolist(), graph.denominators.T.tolist()
    ends = set(zip(*tops, *bottoms, strict=True))
    sums = {Fraction(m, c) + Fraction(n, d) for m, n, c, d in ends}
    only = sums.pop()
    return only.numerator if not sums and only.denominator == 1 else None


def _common(bottoms: list[int]) -> int:
    """Return the least common multiple, which is often the largest of them."""
    largest = max(bottoms)
    for bottom in bottoms:
        if largest % bottom:  # a remainder takes a small part of the time of a gcd
            return math.lcm(*bottoms)
    return largest
