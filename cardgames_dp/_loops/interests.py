"""Whether the interests of two players who decide in loops are opposed.

They are if the sum of what both still get is the same whatever happens, an endless play
included.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL
from cardgames_dp._graph.graph import (
    Block,
    Exact,
    Graph,
    Integers,
    Rewards,
    exact_array,
)
from cardgames_dp._loops.components import Flags, Group, RefusedError, forced
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import short


class Interests:
    """Whether the interests of two players are opposed, and the sum that they share.

    Parameters
    ----------
    graph : Graph
        The game.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._found: dict[tuple[int, int], tuple[Exact, Flags, int]] = {}
        self._between: dict[int, tuple[Fraction, Fraction]] = {}

    def between(self, player: int) -> tuple[Fraction, Fraction]:
        """Return the least and the largest return of a player at an end."""
        if player not in self._between:
            tops, bottoms = self.graph.numerators, self.graph.denominators
            pairs = {
                *zip(tops[:, player].tolist(), bottoms[:, player].tolist(), strict=True)
            }
            each = [Fraction(top) / bottom for top, bottom in pairs]
            self._between[player] = min(each), max(each)
        return self._between[player]

    @cached_property
    def constant(self) -> Fraction | None:
        """The sum of what two players still get, if it is the same everywhere."""
        graph, paid = self.graph, self.graph.rewards
        if graph.num_players != 2:
            return None
        if paid is not None and any(_added(paid, 0, 1)):
            return None
        sums = {*_added(graph, 0, 1)}
        if graph.endless is not None:
            sums.add(sum([Fraction(x) for x in graph.endless], Fraction(0)))
        return sums.pop() if len(sums) == 1 else None  # no sum where no play ends

    @cached_property
    def _possible(self) -> Flags:
        """Whether each move can be made: all but outcomes of weight 0."""
        graph = self.graph
        possible = np.ones(len(graph.following), dtype=np.bool_)
        lucky = np.repeat(graph.players == CHANCE, np.diff(graph.offsets))
        possible[lucky] = graph.weights > 0
        return possible

    def sums(self, states: Integers, pair: tuple[int, int]) -> NDArray[np.float64]:
        """Return the sums of both values in some places of components, and errors.

        They are rounded to float64, in an array of shape (2, places).

        Raises
        ------
        RefusedError
            If the sum depends on what the players do.
        """
        if pair not in self._found:
            self._found[pair] = self._sums(*pair)
        tops, clear, bottom = self._found[pair]
        if not clear[states].all():
            nearly = self._differ_by_rounding(pair)
            first = int(states[~clear[states]][0])
            raise RefusedError([first], lambda names: _not_opposed(names, pair, nearly))
        different, index = np.unique(tops[states], return_inverse=True)
        if self.graph.endless is not None:
            each = [Fraction(self.graph.endless[player]) for player in pair]
            never = sum(each, Fraction(0))
            other = np.flatnonzero(different != never * bottom)
            if other.size:
                total = Fraction(int(different[other[0]]), bottom)
                first = int(states[index.ravel() == other[0]][0])
                raise RefusedError(
                    [first], lambda names: _wrong_sum(names, pair, total, never)
                )
        sums = [Fraction(top, bottom) for top in different.tolist()]
        floats = np.array([float(x) for x in sums])
        wrong = [Fraction(x) != y for x, y in zip(floats.tolist(), sums, strict=True)]
        return np.array([floats, np.spacing(np.abs(floats)) * wrong])[:, index.ravel()]

    def _differ_by_rounding(self, pair: tuple[int, int]) -> bool:
        """Return whether floats keep sums of returns, or of rewards, from being equal.

        Equal sums of returns, and rewards that sum to nothing, are the usual case.
        """
        parts = [each for each in (self.graph, self.graph.rewards) if each is not None]
        if all(each.exact for each in parts):
            return False
        for each in parts:
            sums = _added(each, *pair)
            middle = sums[0] if each is self.graph else 0
            largest = max(map(abs, _added(each, pair[0], pair[0])))
            if max(abs(x - middle) for x in sums) > largest / 10**12:
                return False
        return True

    def _sums(self, first: int, second: int) -> tuple[Exact, Flags, int]:
        """Return numerators of sums, where they are known, and their denominator."""
        graph = self.graph
        returns, paid = _added(graph, first, second), [Fraction(0)]
        if graph.rewards is not None:
            paid = _added(graph.rewards, first, second)
        some = list[Fraction]()
        if graph.endless is not None:
            some = [Fraction(graph.endless[first]) + Fraction(graph.endless[second])]
        bottom = lcm(*[each.denominator for each in (*returns, *paid, *some)])
        ends = _whole(returns, bottom)
        size = graph.num_states
        clear = np.ones(size, dtype=np.bool_)
        if graph.rewards is None and len(ends) and (ends == ends[0]).all():
            return np.broadcast_to(ends[0], size), clear, bottom
        rows = _whole(paid, bottom)
        # No sum is larger than a walk through all states, if it is known at all.
        least = max(map(abs, [*ends.tolist(), *_whole(some, bottom).tolist(), 0]))
        least += size * max(map(abs, rows.tolist()))
        sums = np.zeros(size, dtype=np.int64 if least < 2**61 else object)
        on_moves = np.zeros(len(graph.following), dtype=sums.dtype)
        if graph.rewards is not None:
            on_moves[:] = rows[graph.rewards.rows]
        for step in graph.steps(backward=True):
            if step[0].player == TERMINAL:
                sums[step[0].places] = ends[step[0].rows]
                continue
            group = Group.of(graph, step) if step[0].group >= 0 else None
            if group is not None:
                for never in some:  # of states that nothing leaves
                    sums[group.places] = int(never * bottom)
                _spread(group, sums, clear, on_moves)
                clear[group.places] |= bool(some)
            for block in step:
                self._compare(block, sums, clear, on_moves)
            if group is not None:
                clear[group.places] = group.everywhere(clear[group.places])
        return sums, clear, bottom

    def _compare(
        self, block: Block, sums: Exact, clear: Flags, on_moves: Exact
    ) -> None:
        """Set the sums of a block that is in no group, and whether all moves agree."""
        graph = self.graph
        following = graph.following[block.moves]
        places = np.arange(block.places.start, block.places.stop)
        starts = graph.offsets[places] - block.moves.start
        counts = graph.offsets[places + 1] - graph.offsets[places]
        here = on_moves[block.moves] + sums[following]
        some = self._possible[block.moves]
        if block.group < 0:
            ranks = np.where(some, np.arange(len(here)), len(here))
            sums[places] = here[np.minimum.reduceat(ranks, starts)]
        right = clear[following] & (here == np.repeat(sums[places], counts)) | ~some
        clear[places] &= np.logical_and.reduceat(right, starts)


def _added(of: Graph | Rewards, first: int, second: int) -> list[Fraction]:
    """Return the sums of what two players get; floats are what they are."""
    parts = [x[:, i] for i in (first, second) for x in (of.numerators, of.denominators)]

    @cache
    def added(a: Any, b: int, c: Any, d: int) -> Fraction:
        return Fraction(a) / b + Fraction(c) / d

    return list(map(added, *[part.tolist() for part in parts]))


def _whole(numbers: list[Fraction], bottom: int) -> Exact:
    tops = [each.numerator * (bottom // each.denominator) for each in numbers]
    whole = exact_array(tops)
    return whole if whole.dtype == object else whole.astype(np.int64)


def _spread(group: Group, sums: Exact, clear: Flags, on_moves: Exact) -> None:
    """Set the sums of a group along one walk back from its exits."""
    nobody = np.zeros(group.num_states, dtype=np.bool_)
    reached, moves = forced(group, nobody)
    clear[group.places] = reached
    # Walk back: a state after the one to which its move leads.
    pending, done = np.flatnonzero(reached), nobody
    while pending.size:
        inside = group.inside[moves[pending]]
        ready = (inside < 0) | done[inside]
        now = pending[ready]
        taken = moves[now]
        ahead = on_moves[taken + group.moves.start] + sums[group.following[taken]]
        sums[now + group.places.start] = ahead
        done[now] = True
        pending = pending[~ready]


def _not_opposed(states: Sequence[Any], pair: tuple[int, int], nearly: bool) -> str:
    one, other = pair
    if nearly:
        return (
            f"players {one} and {other} both decide in the states that can come back "
            f"to {arguments.shown(states[0])}, and what they get has different sums, "
            "by rounding only: give it as integers or Fractions, not as floats"
        )
    return (
        f"players {one} and {other} both decide in the states that can come back to "
        f"{arguments.shown(states[0])}, so their interests must be opposed: the sum of "
        "what both still get must be the same whatever happens, and it is not. "
        "cardgames_dp.play.equilibrium looks for an equilibrium"
    )


def _wrong_sum(
    states: Sequence[Any], pair: tuple[int, int], total: Fraction, never: Fraction
) -> str:
    one, other = pair
    return (
        f"endless_returns of players {one} and {other} must sum to {short(total)}, as "
        "what both still get does in the states that can come back to "
        f"{arguments.shown(states[0])}, got a sum of {short(never)}"
    )
