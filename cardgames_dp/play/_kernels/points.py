"""What plays pay in all: the rewards on the way and the return at the end.

Plays that come to the same state with the same points go on alike, so the probabilities
of pairs of state and points are carried forward, one player at a time: as many pairs as
differ. Points are added as integers, in the largest unit of which all numbers of the
player are multiples. Hence equal points are always found to be equal.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from cardgames_dp._graph.answers import TERMINAL
from cardgames_dp._graph.generations import bounds, unique
from cardgames_dp._graph.graph import Floats, Graph, Integers, spans
from cardgames_dp._support.running import refuse_too_large, tracked
from cardgames_dp.play._kernels.chain import Reached, additions, errors_of, exact_moves

_PAIR_BYTES = 100
"""About the bytes that a pair of state and points takes."""


class Points(NamedTuple):
    """What moves and ends pay to a player, in a common unit.

    Attributes
    ----------
    unit : int
        The denominator of all numbers.
    paid : list of int
        By row of `Graph.rewards`.
    ends : list of int
        By terminal state.
    """

    unit: int
    paid: list[int]
    ends: list[int]

    @classmethod
    def of(cls, graph: Graph, player: int) -> Points:
        """Return what a game pays to a player; floats are the numbers that they are."""
        columns = []
        for part in (graph.rewards, graph):
            assert part is not None
            tops, bottoms = part.numerators[:, player], part.denominators[:, player]
            pairs = zip(tops.tolist(), bottoms.tolist(), strict=True)
            columns.append([Fraction(top) / bottom for top, bottom in pairs])
        unit = math.lcm(*{x.denominator for column in columns for x in column})
        paid, ends = ([int(x * unit) for x in column] for column in columns)
        return cls(unit, paid, ends)

    def integers(self, longest: int) -> tuple[Integers, Integers] | None:
        """Return `paid` and `ends` as int64, or None if sums might not fit.

        Parameters
        ----------
        longest : int
            No play has more moves.
        """
        most = max(map(abs, self.paid)) * longest + max(map(abs, self.ends))
        if most >= 2**62:
            return None
        return np.array(self.paid, dtype=np.int64), np.array(self.ends, dtype=np.int64)


def ends_with_points(
    graph: Graph, start: int, player: int, *, exact: bool
) -> tuple[int, Reached]:
    """Return the points of a player in all, as `Reached.places`, and their chances.

    The first value is the unit of the points, a denominator. The same points may occur
    several times, once for each terminal state.

    Raises
    ------
    ValueError
        If the points, in their unit, are too large for int64.
    TooLargeError
        If there are more pairs of state and points than memory holds.
    """
    points = Points.of(graph, player)
    if exact:
        return points.unit, _exactly(graph, start, points)
    whole = points.integers(len(graph.blocks))
    if whole is None:
        instead = "use backend='exact'"
        if not (graph.exact and graph.rewards is not None and graph.rewards.exact):
            instead = "give rewards and returns as integers or Fractions, not as floats"
        raise ValueError(
            "the distribution of returns needs rewards and returns that are integer "
            "multiples of a common unit, of at most 2**62 units in all, so that equal "
            f"points are found to be equal; {instead} (evaluate has the means)"
        )
    return points.unit, _in_floats(graph, start, *whole)


def _in_floats(graph: Graph, start: int, paid: Integers, ends: Integers) -> Reached:
    assert graph.rewards is not None
    by_move = paid[graph.rewards.which]
    counts, chances = np.diff(graph.offsets).astype(np.int64), graph.chances()
    more = additions(graph)
    firsts = np.array([block.places.start for block in graph.blocks])
    # Pairs that wait for the block of their state: states and points, and chances.
    waiting: list[list[tuple[Integers, Floats]]] = [[] for _ in graph.blocks]
    waiting[int(np.searchsorted(firsts, start, side="right")) - 1].append(
        (np.array([[start], [0]]), np.ones(1))
    )
    rounds = np.zeros(graph.num_states)
    number, products, found = 1, 0, []
    for at, block in tracked(enumerate(graph.blocks), len(graph.blocks), "diagonals"):
        pieces, waiting[at] = waiting[at], []
        if not pieces:
            continue
        every = np.concatenate([columns for columns, _ in pieces], axis=1)
        number -= every.shape[1]
        (places, totals), which = unique(every, bounds(every))
        shares = np.bincount(
            which, np.concatenate([share for _, share in pieces]), len(places)
        )
        if block.player == TERMINAL:
            results = totals + ends[block.own][places - block.places.start]
            found.append((results, shares, rounds[places] + more[places]))
            continue
        # Each pair goes on by all moves of its state.
        some = counts[places]
        moves = spans(graph.offsets[places].astype(np.int64), some)
        following = graph.following[moves]
        own = moves - block.moves.start + block.own.start
        shares = np.repeat(shares, some) * chances[own]
        here = np.repeat(rounds[places] + more[places] + 2 * (some > 1), some)
        np.maximum.at(rounds, following, here)
        pairs = np.stack([following, np.repeat(totals, some) + by_move[moves]])
        products += len(moves)
        number += len(moves)
        _refuse_too_many(number)
        for goal, columns, share in _by_goal(firsts, pairs, shares):
            waiting[goal].append((columns, share))
    parts = [np.concatenate(part) for part in zip(*found, strict=True)]
    results, shares, most = parts
    some = shares > 0
    errors = errors_of(shares, most, products)
    return Reached(results[some], shares[some], errors[some])


def _refuse_too_many(pairs: int) -> None:
    refuse_too_large(
        f"the distribution of returns with {pairs} pairs of state and points",
        _PAIR_BYTES * pairs,
        "rewards of fewer different sizes have fewer different sums",
    )


def _by_goal(
    firsts: Integers, pairs: Integers, shares: Floats
) -> Iterator[tuple[int, Integers, Floats]]:
    """Yield pairs and their chances by the blocks of their states."""
    goals = np.searchsorted(firsts, pairs[0], side="right") - 1
    order = goals.argsort(kind="stable")
    goals, pairs, shares = goals[order], pairs[:, order], shares[order]
    cuts = np.flatnonzero(np.diff(goals)) + 1
    numbers = goals[np.append(0, cuts)].tolist()
    parts = np.split(pairs, cuts, axis=1), np.split(shares, cuts)
    yield from zip(numbers, *parts, strict=True)


def _exactly(graph: Graph, start: int, points: Points) -> Reached:
    assert graph.rewards is not None
    moves, which = exact_moves(graph), graph.rewards.which.tolist()
    offsets, players = graph.offsets.tolist(), graph.players.tolist()
    found: list[defaultdict[int, Fraction]]
    found = [defaultdict(Fraction) for _ in range(graph.num_states)]
    found[start][0] = Fraction(1)
    totals, chances = list[int](), list[Fraction]()
    end = iter(points.ends)
    for place in tracked(range(graph.num_states), graph.num_states, "states"):
        here, found[place] = found[place], defaultdict(Fraction)
        if players[place] == TERMINAL:
            last = next(end)
            totals += [total + last for total in here]
            chances += here.values()
        elif here:
            for move, (following, share) in enumerate(moves(place), offsets[place]):
                paid, ahead = points.paid[which[move]], found[following]
                for total, chance in here.items():
                    ahead[total + paid] += chance * share
    results = np.empty((2, len(totals)), dtype=object)
    results[:] = totals, chances
    return Reached(results[0], results[1], np.zeros(len(totals)))
