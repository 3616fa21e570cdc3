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

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL
from cardgames_dp._graph.graph import (
    Block,
    Exact,
    Floats,
    Graph,
    Integers,
    exact_array,
    spans,
)
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
    left = replace(
        graph,
        players=np.where(moved, CHANCE, graph.players),
        offsets=offsets,
        following=graph.following[keep],
        weights=chances,
        blocks=_blocks(graph.blocks, offsets, free),
        rewards=None if paid is None else replace(paid, which=paid.which[keep]),
        components=graph.components,
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


def _blocks(
    blocks: Sequence[Block], offsets: Integers, free: int | None
) -> tuple[Block, ...]:
    """Return what is swept in one step where all but one of the players are chance."""
    counts, ahead = np.diff(offsets), {CHANCE: 0, TERMINAL: 0}
    result = []
    for block in blocks:
        player = CHANCE if block.player >= 0 and block.player != free else block.player
        first, last = block.places.start, block.places.stop
        moves = slice(int(offsets[first]), int(offsets[last]))
        size = moves.stop - moves.start if player == CHANCE else last - first
        own = slice(ahead.get(player, 0), ahead.get(player, 0) + size)
        ahead[player] = own.stop
        most = int(counts[first:last].max())
        even = most * (last - first) == moves.stop - moves.start
        places = block.places
        result.append(Block(player, places, moves, own, most, even, block.group))
    return tuple(result)


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

    places: Integers
    chances: NDArray[Any]
    errors: Floats

    def at(self, places: Integers) -> Reached:
        """Return those of some of the places, if all places are here in their order."""
        return Reached(places, self.chances[places], self.errors[places])


def reach(graph: Graph, start: int, *, exact: bool) -> Reached:
    """Return the probability that a play from a start reaches each place."""
    if exact:
        return _exact_reach(graph, start)
    chances = graph.chances()
    floats, rounds = np.zeros(graph.num_states), np.zeros(graph.num_states)
    floats[start] = 1
    more = additions(graph)
    for block in tracked(graph.blocks, len(graph.blocks), "diagonals"):
        if block.player != CHANCE:
            continue
        counts = np.diff(graph.offsets[block.places.start : block.places.stop + 1])
        following = graph.following[block.moves]
        share = np.repeat(floats[block.places], counts) * chances[block.own]
        np.add.at(floats, following, share)
        ahead = rounds[block.places] + more[block.places] + 2 * (counts > 1)
        np.maximum.at(rounds, following, np.repeat(ahead, counts))
    errors = errors_of(floats, rounds + more, len(chances))
    return Reached(np.arange(graph.num_states), floats, errors)


def additions(graph: Graph) -> Integers:
    """Return by place the additions of probabilities; the first, to zero, is exact."""
    ways = np.bincount(graph.following, minlength=graph.num_states)
    additions: Integers = np.maximum(ways - 1, 0)
    return additions


def _exact_reach(graph: Graph, start: int) -> Reached:
    moves = exact_moves(graph)
    found = [Fraction(0)] * graph.num_states
    found[start] = Fraction(1)
    for place, here in tracked(enumerate(found), len(found), "states"):
        if here:
            for following, share in moves(place):
                found[following] += here * share
    places = np.arange(graph.num_states)
    return Reached(places, objects(found), np.zeros(graph.num_states))


def ends_by_length(graph: Graph, start: int, *, exact: bool) -> Iterator[Reached]:
    """Yield the probabilities of the plays that end after 0, 1, 2, ... moves.

    They are by terminal state; there are none where no play ends. If plays can come
    back to a state, this ends where at most `LEAST` of them go on, or after
    `MOST_MOVES` moves.
    """
    moved, cyclic = 0, graph.components is not None
    terminal = np.diff(graph.offsets) == 0
    here = Reached(np.array([start]), np.ones(1), np.zeros(1))
    if exact:
        here = here._replace(chances=objects([Fraction(1)]))
        moves = exact_moves(graph)
    else:
        rounds, chances, starts = 0, graph.chances(), _starts(graph)
    while here.places.size:
        over = terminal[here.places]
        moved += 1
        yield Reached(*(each[over] for each in here))
        places, now = here.places[~over], here.chances[~over]
        if cyclic and (now.sum() <= LEAST or moved > MOST_MOVES):
            return
        if exact:
            here = _exact_step(moves, places.tolist(), now.tolist())
            continue
        counts = graph.offsets[places + 1] - graph.offsets[places]
        following = graph.following[spans(graph.offsets[places], counts)]
        share = np.repeat(now, counts) * chances[spans(starts[places], counts)]
        after, which, times = np.unique(
            following, return_inverse=True, return_counts=True
        )
        now = np.bincount(which.ravel(), share, len(after))
        rounds += 1 + int(times.max(initial=1))
        here = Reached(after, now, errors_of(now, rounds, len(following)))


def errors_of(chances: NDArray[Any], rounds: Floats | int, moves: int) -> Floats:
    """Return bounds of errors of probabilities after this many roundings."""
    share = rounds * _UNIT
    errors: Floats = chances * (share * (1 + 4 * share)) + moves * _TINY * (rounds > 0)
    return errors


def _starts(graph: Graph) -> Integers:
    """Return where in the weights those of each place begin."""
    lucky = np.where(graph.players == CHANCE, np.diff(graph.offsets), 0)
    starts: Integers = np.cumsum(lucky) - lucky
    return starts


class exact_moves:
    """The places to which each place of chance leads, with probabilities."""

    def __init__(self, graph: Graph) -> None:
        self._offsets, self._following = (
            graph.offsets.tolist(),
            graph.following.tolist(),
        )
        self._starts, self._weights = _starts(graph).tolist(), graph.weights.tolist()

    def __call__(self, place: int) -> Iterable[tuple[int, Fraction]]:
        first, last = self._offsets[place], self._offsets[place + 1]
        start = self._starts[place]
        weights = self._weights[start : start + last - first]
        total = sum(weights)
        shares = [Fraction(weight, total) for weight in weights]
        return zip(self._following[first:last], shares, strict=True)


def _exact_step(moves: exact_moves, places: list[int], now: list[Fraction]) -> Reached:
    """Return the probabilities of places one move later."""
    found: defaultdict[int, Fraction] = defaultdict(Fraction)
    for place, here in zip(places, now, strict=True):
        for following, share in moves(place):
            found[following] += here * share
    chances = objects([*found.values()])
    return Reached(np.array([*found], dtype=np.int64), chances, np.zeros(len(found)))


def objects(numbers: Sequence[Any]) -> NDArray[Any]:
    """Return Fractions, or integers of any size, as an array."""
    array = np.empty(len(numbers), dtype=object)
    array[:] = numbers
    return array
