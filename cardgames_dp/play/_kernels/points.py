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
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import TERMINAL
from cardgames_dp._graph.generations import bounds, unique
from cardgames_dp._graph.graph import Graph, Integers, spans
from cardgames_dp._support.running import refuse_too_large, tracked
from cardgames_dp.play._kernels.chain import (
    LEAST,
    MOST_MOVES,
    Reached,
    added,
    additions,
    errors_of,
    whole,
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
    graph: Graph, start: int, player: int, chances: NDArray[Any]
) -> tuple[int, Reached]:
    """Return the points of a player in all, as `Reached.places`, and their chances.

    The first value is the unit of the points, a denominator. The same points may occur
    several times, such as once for each terminal state. If plays can come back to a
    state, those of more moves are left out as in `chain.ends_by_length`. `chances` are
    those of all moves, floats or Fractions; with Fractions, points may be of any size.

    Raises
    ------
    ValueError
        If the points, in their unit, are too large for int64.
    TooLargeError
        If there are more pairs of state and points than memory holds.
    """
    points, cyclic = Points.of(graph, player), graph.components is not None
    counted = points.integers(MOST_MOVES + 1 if cyclic else len(graph.blocks))
    if counted is None and chances.dtype == object:
        counted = np.array(points.paid, object), np.array(points.ends, object)
    if counted is None:
        instead = "use backend='exact'"
        if not (graph.exact and graph.rewards is not None and graph.rewards.exact):
            instead = "give rewards and returns as integers or Fractions, not as floats"
        raise ValueError(
            "the distribution of returns needs rewards and returns that are integer "
            "multiples of a common unit, of at most 2**62 units in all, so that equal "
            f"points are found to be equal; {instead} (evaluate has the means)"
        )
    assert graph.rewards is not None
    paid, ends = counted[0][graph.rewards.which], counted[1]
    walk = _by_moves if cyclic else _by_blocks
    return points.unit, walk(graph, start, paid, ends, chances)


def _by_blocks(
    graph: Graph,
    start: int,
    paid: NDArray[Any],
    ends: NDArray[Any],
    chances: NDArray[Any],
) -> Reached:
    """Return the points of plays that cannot come back to a state, and their chances.

    Here and below, `paid` is by move, and `ends` by terminal state.
    """
    counts, more = np.diff(graph.offsets).astype(np.int64), additions(graph)
    firsts = np.array([block.places.start for block in graph.blocks])
    # Pairs that wait for the block of their state: states, points and chances.
    waiting: list[list[Sequence[NDArray[Any]]]] = [[] for _ in graph.blocks]
    begin = np.array([start]), np.zeros(1, paid.dtype), whole(1, 1, chances.dtype)
    waiting[int(np.searchsorted(firsts, start, side="right")) - 1].append(begin)
    rounds = np.zeros(graph.num_states)
    number, products, found = 1, 0, []
    for at, block in tracked(enumerate(graph.blocks), len(graph.blocks), "diagonals"):
        pieces, waiting[at] = waiting[at], []
        if not pieces:
            continue
        places, totals, shares = map(np.concatenate, zip(*pieces, strict=True))
        number -= len(places)
        places, totals, which = _different(places, totals)
        shares = added(which, shares, len(places))
        if block.player == TERMINAL:
            results = totals + ends[block.own][places - block.places.start]
            found.append((results, shares, rounds[places] + more[places]))
            continue
        # Each pair goes on by all moves of its state.
        some = counts[places]
        moves = spans(graph.offsets[places].astype(np.int64), some)
        following = graph.following[moves]
        here = np.repeat(rounds[places] + more[places] + 2 * (some > 1), some)
        np.maximum.at(rounds, following, here)
        products += len(moves)
        number += len(moves)
        _refuse_too_many(number)
        # In the order of the blocks of their states.
        goals = np.searchsorted(firsts, following, side="right") - 1
        order = goals.argsort(kind="stable")
        cuts = np.flatnonzero(np.diff(goals[order])) + 1
        totals = np.repeat(totals, some) + paid[moves]
        shares = np.repeat(shares, some) * chances[moves]
        pairs = [np.split(each[order], cuts) for each in (following, totals, shares)]
        numbers = goals[order[np.append(0, cuts)]].tolist()
        for goal, *piece in zip(numbers, *pairs, strict=True):
            waiting[goal].append(piece)
    results, shares, most = (np.concatenate(each) for each in zip(*found, strict=True))
    errors = errors_of(shares, most, products)
    return Reached(results, shares, errors).at(shares > 0)


def _by_moves(
    graph: Graph,
    start: int,
    paid: NDArray[Any],
    ends: NDArray[Any],
    chances: NDArray[Any],
) -> Reached:
    """Return the points of plays that may come back to a state, up to the last moves.

    All pairs of state and points are carried forward move by move.
    """
    counts = np.diff(graph.offsets).astype(np.int64)
    terminal = counts == 0
    own = np.cumsum(terminal) - 1
    places, totals = np.array([start]), np.zeros(1, paid.dtype)
    shares = whole(1, 1, chances.dtype)
    rounds, found = 0, []
    for moved in tracked(itertools.count(), None, "moves"):
        over = terminal[places]
        sums = totals[over] + ends[own[places[over]]]
        errors = errors_of(shares[over], rounds, len(paid) * rounds)
        found.append(Reached(sums, shares[over], errors))
        places, totals, shares = places[~over], totals[~over], shares[~over]
        if shares.sum() <= LEAST or moved >= MOST_MOVES:
            break
        some = counts[places]
        moves = spans(graph.offsets[places].astype(np.int64), some)
        _refuse_too_many(len(moves))
        totals = np.repeat(totals, some) + paid[moves]
        shares = np.repeat(shares, some) * chances[moves]
        places, totals, which = _different(graph.following[moves], totals)
        shares = added(which, shares, len(places))
        rounds += 1 + int(np.bincount(which).max())
    return Reached(*[np.concatenate(each) for each in zip(*found, strict=True)])


def _different(
    places: NDArray[Any], totals: NDArray[Any]
) -> tuple[Integers, NDArray[Any], Integers]:
    """Return the different pairs of state and points, and the index of each among them.

    Points that are too large for int64 are ranked first.
    """
    known = totals
    if known.dtype == object:
        known, totals = np.unique(totals, return_inverse=True)
    pairs = np.stack([places, totals.ravel()])
    (places, totals), which = unique(pairs, bounds(pairs))
    return places, known[totals] if known.dtype == object else totals, which


def _refuse_too_many(pairs: int) -> None:
    refuse_too_large(
        f"the distribution of returns with {pairs} pairs of state and points",
        _PAIR_BYTES * pairs,
        "rewards of fewer different sizes have fewer different sums",
    )
