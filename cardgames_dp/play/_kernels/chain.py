"""A game in which players follow policies: their states become chance states.

The result is a game like any other, in which fewer players decide; without decisions it
is a Markov chain. So the sweeps of both backends solve it, and bound its error, like
any game: without decisions they find the values of policies, and with those of one
player the best response to the others.

The probabilities of states are computed forward. With u = 2**-53, a probability in
float64 is a sum of products of chances, all of them positive. A chance is correctly
rounded, and each product and each sum rounds once. If at most k of these lie on every
play to a state, its probability is wrong by at most a factor of ``(1 + u)**k``, hence
by ``k u / (1 - k u)`` of itself ([1]_, lemma 3.1), and by underflow, which takes at
most 2**-1074 a move.

What plays pay in all, the rewards on the way and the return at the end, follows in the
same way: plays that come to the same state with the same points go on alike, so the
probabilities of pairs of state and points are carried forward, one player at a time.
Unless plays can come back to a state, it waits for the longest play to it. Points are
added as integers, in the largest unit of which all numbers of the player are multiples;
hence equal points are always found to be equal.

References
----------
.. [1] N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., SIAM,
   2002.
"""

from __future__ import annotations

import itertools
import math
import numbers
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE
from cardgames_dp._graph.graph import (
    Exact,
    Floats,
    Graph,
    Integers,
    blocks_of,
    bounds,
    distinct_states,
    exact_array,
    exact_payments,
    joined_ranges,
)
from cardgames_dp._graph.search import diagonals_of
from cardgames_dp._support.running import refuse_too_large, with_progress


def fixed(
    graph: Graph, weights: Exact, *, free: int | None = None
) -> tuple[Graph, Integers]:
    """Return a game in which all players, or all but one, follow policies.

    It has the same places as the game; moves of weight 0 are left out. The second value
    has the moves of the game that are left.

    Parameters
    ----------
    graph : Graph
        The game.
    weights : ndarray of int or object, shape (moves,)
        The weights of chance and of policies; those of `free` do not matter.
    free : int, optional
        The player who still decides; nobody if not given.
    """
    moved = graph.players >= 0
    if free is not None:
        moved &= graph.players != free
    lucky = np.repeat(moved | (graph.players == CHANCE), np.diff(graph.offsets))
    keep = ~lucky | (weights > 0)
    until = np.concatenate(([0], np.cumsum(keep)))
    offsets = until[graph.offsets]
    chances = weights[keep & lucky]
    if chances.dtype == object:  # as int64 if they fit, whatever else did not
        chances = exact_array(chances.tolist())
    paid = graph.rewards
    players = np.where(moved, CHANCE, graph.players)
    starts = np.array([block.places.start for block in graph.blocks])
    groups = np.array([block.group for block in graph.blocks])
    left = replace(
        graph,
        players=players,
        offsets=offsets,
        following=graph.following[keep],
        weights=chances,
        blocks=blocks_of(starts, players, offsets, groups),
        rewards=None if paid is None else replace(paid, rows=paid.rows[keep]),
    )
    return left, np.flatnonzero(keep)


def returns_of(graph: Graph, player: int) -> Graph:
    """Return a game in which one player decides, with the returns of that player only.

    So are rewards. The others' returns affect neither the player's choice nor the error
    of its value, but where actions tie their values may be far from certain.
    """
    paid = graph.rewards
    if paid is not None:
        tops, bottoms = paid.numerators[:, [player]], paid.denominators[:, [player]]
        paid = replace(paid, numerators=tops, denominators=bottoms)
    return replace(
        graph,
        rewards=paid,
        players=np.where(graph.players == player, 0, graph.players),
        numerators=graph.numerators[:, [player]],
        denominators=graph.denominators[:, [player]],
        endless=graph.endless and graph.endless[player : player + 1],
        blocks=tuple(
            [b._replace(player=0) if b.player == player else b for b in graph.blocks]
        ),
    )


_UNIT = 2.0**-53
_TINY = 2.0**-1073

LEAST: Final = 1e-13
"""The probability of longer plays at which a distribution of moves is cut off."""

MOST_MOVES: Final = 1_000_000
"""The number of moves at which it is cut off in any case."""

MOST_BITS: Final = 2**28
"""The bits of all Fractions of it after which it is cut off."""

_PAIR_BYTES = 100
"""About the bytes that a pair of state and points takes."""


class Reached(NamedTuple):
    """The probabilities that plays reach some places.

    Attributes
    ----------
    places : ndarray of int, shape (k,)
    chances : ndarray of float64, or of object (Fractions), shape (k,)
    errors : ndarray of float64, shape (k,)
        Bounds on their errors; 0 for Fractions.
    """

    places: NDArray[Any]
    chances: NDArray[Any]
    errors: Floats

    def at(self, index: NDArray[Any]) -> Reached:
        """Return those of an index, or of a mask."""
        return Reached(self.places[index], self.chances[index], self.errors[index])

    def total(self) -> tuple[Any, float]:
        """Return the sum of the probabilities, and a bound on its error."""
        if self.chances.dtype == object:
            return total(self.chances), 0.0
        return total(self.chances), math.fsum(self.errors) + _UNIT


def total(numbers: NDArray[Any]) -> Any:
    """Return the sum of floats, rounded once, or of Fractions."""
    if numbers.dtype == object:
        return sum(numbers.tolist(), Fraction(0))
    return math.fsum(numbers)


def whole(number: int, count: int, kind: np.dtype[Any]) -> NDArray[Any]:
    """Return an integer several times, as a Fraction if the type is object."""
    return np.full(count, Fraction(number) if kind.hasobject else float(number))


def reach(graph: Graph, start: int, chances: NDArray[Any]) -> Reached:
    """Return the probability that a play from a start reaches each place.

    `chances` are those of all moves, from `Graph.chances`: floats or Fractions.
    """
    reached = whole(0, graph.num_states, chances.dtype)
    reached[start] += 1
    rounds = np.zeros(graph.num_states)
    # The additions of probabilities; the first one, to zero, is exact.
    more = np.maximum(np.bincount(graph.following, minlength=len(reached)) - 1, 0)
    for block in with_progress(graph.blocks, len(graph.blocks), "diagonals"):
        if block.player != CHANCE:
            continue
        counts = np.diff(graph.offsets[block.places.start : block.places.stop + 1])
        following = graph.following[block.moves]
        share = np.repeat(reached[block.places], counts) * chances[block.moves]
        np.add.at(reached, following, share)
        ahead = rounds[block.places] + more[block.places] + 2 * (counts > 1)
        np.maximum.at(rounds, following, np.repeat(ahead, counts))
    errors = errors_of(reached, rounds + more, len(chances))
    return Reached(np.arange(graph.num_states), reached, errors)


class Points(NamedTuple):
    """What moves and ends pay to one player, as integers in a common unit.

    Attributes
    ----------
    unit : int
        The denominator.
    paid : ndarray of int64 or Python ints
        By row of `Graph.rewards`.
    ends : ndarray of int64 or Python ints
        By terminal state.
    """

    unit: int
    paid: NDArray[Any]
    ends: NDArray[Any]

    @classmethod
    def of(
        cls, graph: Graph, player: int, longest: int, *, exact: bool = False
    ) -> Points | None:
        """Return what a game with rewards pays; floats are the numbers that they are.

        None if the sums of plays of at most `longest` moves might be too large for
        int64; if exact, numbers may be of any size.
        """
        columns = []
        for part in (graph.rewards, graph):
            assert part is not None
            tops, bottoms = part.numerators[:, player], part.denominators[:, player]
            columns.append(exact_payments(tops, bottoms))
        unit = math.lcm(*{x.denominator for column in columns for x in column})
        paid, ends = ([int(x * unit) for x in column] for column in columns)
        large = max(map(abs, paid)) * longest + max(map(abs, ends)) >= 2**62
        if large and not exact:
            return None
        kind = object if large else np.int64
        return cls(unit, np.array(paid, kind), np.array(ends, kind))


def points_of(graph: Graph, player: int, *, exact: bool) -> Points:
    """Return what a game with rewards pays to one player.

    Raises
    ------
    ValueError
        If the sums of plays, in their unit, are too large for int64, and not exact.
    """
    endless, rewards = graph.components is not None, graph.rewards
    longest = MOST_MOVES + 1 if endless else len(graph.blocks)
    points = Points.of(graph, player, longest, exact=exact)
    if points is not None:
        return points
    instead = "use backend='exact'"
    if rewards is None or not (graph.exact and rewards.exact):
        instead = "give rewards and returns as integers or Fractions, not as floats"
    raise ValueError(
        "the distribution of returns needs rewards and returns that are integer "
        "multiples of a common unit, of at most 2**62 units in all, so that equal "
        f"points are found to be equal; {instead} (evaluate has the means)"
    )


def ends_by_length(
    graph: Graph,
    start: int,
    chances: NDArray[Any],
    rest: list[float],
    pay: Points | None = None,
) -> Iterator[Reached]:
    """Yield the probabilities of the plays that end after 0, 1, 2, ... moves.

    They are by terminal state, or by `Points` if it is said what is paid; then shorter
    plays to a state may count with the longest one. There are none where no play ends.
    If plays can come back to a state, this ends where at most `LEAST` of them go on, or
    after `MOST_MOVES` moves, or `MOST_BITS` of Fractions; the probability of those that
    go on is appended to `rest`.

    Raises
    ------
    TooLargeError
        If there are more pairs of state and points than memory holds.
    """
    rounds, products, bits, ends = 0, 0, 0, graph.components is None
    counts = np.diff(graph.offsets)
    own = np.cumsum(counts == 0) - 1
    places, now = np.array([start]), np.ones(1, chances.dtype)
    # Fractions are integers over a common unit.
    shares_of, unit, base = _over_units(chances), 1, 1
    totals = None if pay is None else np.zeros(1, pay.ends.dtype)
    diagonal: Integers = np.zeros(graph.num_states, dtype=np.int32)
    if pay is not None and ends:
        diagonal, _ = diagonals_of(graph.offsets, graph.following)
    row = None if graph.rewards is None else graph.rewards.rows
    for moved in itertools.count():
        over = counts[places] == 0
        ended, results = _ratios(now[over], unit, base), places[over]
        if pay is not None and totals is not None:
            results, totals = totals[over] + pay.ends[own[results]], totals[~over]
        yield Reached(results, ended, errors_of(ended, rounds, products))
        places, now = places[~over], now[~over]
        if not places.size:
            return
        left = float(now.sum() / unit)
        bits += unit.bit_length() * len(now)
        if not ends and (left <= LEAST or moved >= MOST_MOVES or bits > MOST_BITS):
            rest.append(left)
            return
        go = diagonal[places] == diagonal[places].min()
        wait, some = ~go, counts[places[go]]
        moves = joined_ranges(graph.offsets[places[go]], some)
        shares, times = shares_of(moves)
        unit, base = unit * times, math.lcm(base, times)
        share = np.append(now[wait] * times, np.repeat(now[go], some) * shares)
        after = np.append(places[wait], graph.following[moves])
        if pay is None or totals is None or row is None:
            places, index = np.unique(after, return_inverse=True)
        else:
            _refuse_pairs(len(after))
            on = np.repeat(totals[go], some) + pay.paid[row[moves]]
            totals = np.append(totals[wait], on)
            places, totals, index = _different(after, totals)
        now = np.zeros(len(places), dtype=share.dtype)
        np.add.at(now, index.ravel(), share)
        products += len(moves)
        rounds += 1 + int(np.bincount(index.ravel()).max(initial=1))


def _over_units(chances: NDArray[Any]) -> Callable[[Integers], tuple[Any, int]]:
    """Return what gives Fractions of some moves as integers, and their common unit."""
    if chances.dtype != object:
        return lambda moves: (chances[moves], 1)
    each = [x.as_integer_ratio() for x in chances.tolist()]
    tops, bottoms = np.array(each, dtype=object).reshape(-1, 2).T

    def shares(moves: Integers) -> tuple[Any, int]:
        unit = math.lcm(*set(bottoms[moves].tolist()))
        return tops[moves] * (unit // bottoms[moves]), unit

    return shares


class _Ratio(NamedTuple):
    """A numerator and a denominator without common factors."""

    numerator: int
    denominator: int


numbers.Rational.register(_Ratio)


def _ratios(tops: NDArray[Any], bottom: int, base: int) -> NDArray[Any]:
    """Return integers over a bottom, given a number with all prime factors of this.

    The greatest common divisor of two large numbers would take most of the time; here
    it is sought among the powers of the base.
    """
    if tops.dtype != object:
        return tops
    ratios: NDArray[Any] = np.empty(len(tops), dtype=object)
    for index, top in enumerate(tops.tolist()):
        common, more = 1, base
        while more > 1:
            more = math.gcd(top // common, base * common)
            common *= more
        common = math.gcd(common, bottom)
        lowest: Any = _Ratio(top // common, bottom // common)
        ratios[index] = Fraction(lowest)
    return ratios


def _refuse_pairs(count: int) -> None:
    """Refuse more pairs of state and points than memory holds."""
    refuse_too_large(
        f"the distribution of returns with {count} pairs of state and points",
        _PAIR_BYTES * count,
        "rewards of fewer different sizes have fewer different sums",
    )


def _different(
    places: NDArray[Any], totals: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the different pairs of state and points, and the index of each among them.

    Points that are too large for int64 are ranked first.
    """
    numbers = totals
    if numbers.dtype == object:
        numbers, totals = np.unique(totals, return_inverse=True)
    pairs = np.stack([places, totals.ravel()])
    (places, totals), index = distinct_states(pairs, bounds(pairs))
    return places, numbers[totals] if numbers.dtype == object else totals, index


def errors_of(chances: NDArray[Any], rounds: Floats | int, moves: int) -> Floats:
    """Return bounds of errors of probabilities after this many roundings."""
    if chances.dtype == object:
        return np.zeros(len(chances))
    share = rounds * _UNIT
    errors: Floats = chances * (share * (1 + 4 * share)) + moves * _TINY * (rounds > 0)
    return errors
