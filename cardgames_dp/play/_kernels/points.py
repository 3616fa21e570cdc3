"""What plays pay in all: the rewards on the way and the return at the end.

Plays that come to the same state with the same points go on alike, so the probabilities
of pairs of state and points are carried forward, one player at a time: as many pairs as
differ. Points are added as integers, in the largest unit of which all numbers of the
player are multiples. Hence equal points are always found to be equal. Where plays come
back to states, all pairs are carried forward move by move, until few plays go on.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL
from cardgames_dp._graph.generations import bounds, unique
from cardgames_dp._graph.graph import Floats, Graph, Integers, spans
from cardgames_dp._support.running import refuse_too_large, tracked
from cardgames_dp.play._kernels.chain import (
    LEAST,
    MOST_MOVES,
    Reached,
    additions,
    errors_of,
    exact_moves,
    objects,
)

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
    several times, such as once for each terminal state. If plays can come back to a
    state, those of more moves are left out as in `chain.ends_by_length`.

    Raises
    ------
    ValueError
        If the points, in their unit, are too large for int64.
    TooLargeError
        If there are more pairs of state and points than memory holds.
    """
    points, cyclic = Points.of(graph, player), graph.components is not None
    if exact:
        exactly = _exactly_by_moves if cyclic else _exactly
        return points.unit, exactly(graph, start, points)
    whole = points.integers(MOST_MOVES + 1 if cyclic else len(graph.blocks))
    if whole is None:
        instead = "use backend='exact'"
        if not (graph.exact and graph.rewards is not None and graph.rewards.exact):
            instead = "give rewards and returns as integers or Fractions, not as floats"
        raise ValueError(
            "the distribution of returns needs rewards and returns that are integer "
            "multiples of a common unit, of at most 2**62 units in all, so that equal "
            f"points are found to be equal; {instead} (evaluate has the means)"
        )
    in_floats = _by_moves if cyclic else _in_floats
    return points.unit, in_floats(graph, start, *whole)


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


def _by_moves(graph: Graph, start: int, paid: Integers, ends: Integers) -> Reached:
    assert graph.rewards is not None
    by_move, counts = paid[graph.rewards.which], np.diff(graph.offsets).astype(np.int64)
    terminal = counts == 0
    own = np.cumsum(terminal) - 1
    chances = np.empty(len(graph.following))
    chances[np.repeat(graph.players == CHANCE, counts)] = graph.chances()
    totals: Integers = np.zeros(1, dtype=np.int64)
    places: Integers = np.array([start])
    shares: NDArray[Any] = np.ones(1)
    rounds, found = 0, []
    for moved in tracked(itertools.count(), None, "moves"):
        over = terminal[places]
        sums = totals[over] + ends[own[places[over]]]
        errors = errors_of(shares[over], rounds, len(by_move) * rounds)
        found.append(Reached(sums, shares[over], errors))
        places, totals, shares = places[~over], totals[~over], shares[~over]
        if shares.sum() <= LEAST or moved >= MOST_MOVES:
            break
        some = counts[places]
        moves = spans(graph.offsets[places].astype(np.int64), some)
        _refuse_too_many(len(moves))
        pairs = np.stack(
            [graph.following[moves], np.repeat(totals, some) + by_move[moves]]
        )
        shares = np.repeat(shares, some) * chances[moves]
        (places, totals), which = unique(pairs, bounds(pairs))
        shares = np.bincount(which, shares, len(places))
        rounds += 1 + int(np.bincount(which).max())
    return Reached(*[np.concatenate(each) for each in zip(*found, strict=True)])


def _exactly_by_moves(graph: Graph, start: int, points: Points) -> Reached:
    assert graph.rewards is not None
    moves, which = exact_moves(graph), graph.rewards.which.tolist()
    offsets, terminal = graph.offsets.tolist(), np.diff(graph.offsets) == 0
    own = np.cumsum(terminal) - 1
    here, ends = {(start, 0): Fraction(1)}, defaultdict[int, Fraction](Fraction)
    for moved in tracked(itertools.count(), None, "moves"):
        ahead = defaultdict[tuple[int, int], Fraction](Fraction)
        goes_on = sum([x for (place, _), x in here.items() if not terminal[place]])
        last = goes_on <= LEAST or moved >= MOST_MOVES
        for (place, total), chance in here.items():
            if terminal[place]:
                ends[total + points.ends[own[place]]] += chance
            elif not last:
                for move, (following, share) in enumerate(moves(place), offsets[place]):
                    ahead[following, total + points.paid[which[move]]] += chance * share
        here = ahead
        if last:
            break
    results = objects([*ends])
    return Reached(results, objects([*ends.values()]), np.zeros(len(ends)))
