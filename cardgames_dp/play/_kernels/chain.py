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

References
----------
.. [1] N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., SIAM,
   2002.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
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
    exact_array,
    spans,
)
from cardgames_dp._support.printing import printable
from cardgames_dp._support.running import tracked


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
        rewards=None if paid is None else replace(paid, which=paid.which[keep]),
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


class Reached(NamedTuple):
    """The probabilities that plays reach some places.

    Attributes
    ----------
    places : ndarray of int, shape (k,)
    chances : ndarray of float64, or of object (Fractions), shape (k,)
    errors : ndarray of float64, shape (k,)
        Bounds of their errors; 0 for Fractions.
    """

    places: NDArray[Any]
    chances: NDArray[Any]
    errors: Floats

    def at(self, index: NDArray[Any]) -> Reached:
        """Return those of an index, or of a mask."""
        return Reached(self.places[index], self.chances[index], self.errors[index])

    def total(self) -> tuple[Any, float]:
        """Return the sum of the probabilities, and a bound of its error."""
        if self.chances.dtype == object:
            return total(self.chances), 0.0
        return total(self.chances), math.fsum(self.errors) + _UNIT


def total(numbers: NDArray[Any]) -> Any:
    """Return the sum of floats, rounded once, or of Fractions."""
    if numbers.dtype == object:
        return printable(sum(numbers.tolist(), Fraction(0)))
    return math.fsum(numbers)


def whole(number: int, count: int, kind: np.dtype[Any]) -> NDArray[Any]:
    """Return an integer several times, as a Fraction if the type is object."""
    return np.full(count, Fraction(number) if kind.hasobject else float(number))


def reach(graph: Graph, start: int, chances: NDArray[Any]) -> Reached:
    """Return the probability that a play from a start reaches each place.

    `chances` are those of all moves, from `Graph.chances`: floats or Fractions.
    """
    found = whole(0, graph.num_states, chances.dtype)
    found[start] += 1
    rounds, more = np.zeros(graph.num_states), additions(graph)
    for block in tracked(graph.blocks, len(graph.blocks), "diagonals"):
        if block.player != CHANCE:
            continue
        counts = np.diff(graph.offsets[block.places.start : block.places.stop + 1])
        following = graph.following[block.moves]
        share = np.repeat(found[block.places], counts) * chances[block.moves]
        np.add.at(found, following, share)
        ahead = rounds[block.places] + more[block.places] + 2 * (counts > 1)
        np.maximum.at(rounds, following, np.repeat(ahead, counts))
    errors = errors_of(found, rounds + more, len(chances))
    return Reached(np.arange(graph.num_states), found, errors)


def additions(graph: Graph) -> Integers:
    """Return by place the additions of probabilities; the first, to zero, is exact."""
    ways = np.bincount(graph.following, minlength=graph.num_states)
    additions: Integers = np.maximum(ways - 1, 0)
    return additions


def ends_by_length(
    graph: Graph, start: int, chances: NDArray[Any]
) -> Iterator[Reached]:
    """Yield the probabilities of the plays that end after 0, 1, 2, ... moves.

    They are by terminal state; there are none where no play ends. If plays can come
    back to a state, this ends where at most `LEAST` of them go on, or after
    `MOST_MOVES` moves.
    """
    moved, rounds, cyclic = 0, 0, graph.components is not None
    counts = np.diff(graph.offsets)
    places, now = np.array([start]), whole(1, 1, chances.dtype)
    errors = np.zeros(1)
    while places.size:
        over = counts[places] == 0
        moved += 1
        yield Reached(places, now, errors).at(over)
        places, now = places[~over], now[~over]
        if cyclic and (now.sum() <= LEAST or moved > MOST_MOVES):
            return
        moves = spans(graph.offsets[places], counts[places])
        share = np.repeat(now, counts[places]) * chances[moves]
        places, which = np.unique(graph.following[moves], return_inverse=True)
        now = added(which.ravel(), share, len(places))
        rounds += 1 + int(np.bincount(which.ravel()).max(initial=1))
        errors = errors_of(now, rounds, len(moves))


def added(which: Integers, shares: NDArray[Any], count: int) -> NDArray[Any]:
    """Return the sums of the shares with each number, in their order."""
    sums = whole(0, count, shares.dtype)
    np.add.at(sums, which, shares)
    return sums


def errors_of(chances: NDArray[Any], rounds: Floats | int, moves: int) -> Floats:
    """Return bounds of errors of probabilities after this many roundings."""
    if chances.dtype == object:
        return np.zeros(len(chances))
    share = rounds * _UNIT
    errors: Floats = chances * (share * (1 + 4 * share)) + moves * _TINY * (rounds > 0)
    return errors


def exact_moves(
    graph: Graph, chances: NDArray[Any]
) -> Callable[[int], Iterable[tuple[int, Fraction]]]:
    """Return what gives the places to which a place leads, with exact probabilities."""
    offsets, following = graph.offsets.tolist(), graph.following.tolist()
    shares = chances.tolist()

    def moves(place: int) -> Iterable[tuple[int, Fraction]]:
        own = slice(offsets[place], offsets[place + 1])
        return zip(following[own], shares[own], strict=True)

    return moves
