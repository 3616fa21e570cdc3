"""Find the states of a game for arrays, generation by generation, and lay them out.

A *generation* holds the states after the same number of moves. The game is asked about
all of them at once; the states that follow are numbered by sorting, and form the next
generation. A state that is reached after different numbers of moves is therefore in
several generations. Within a generation, states that are solved at once are contiguous,
as in any `Graph`.

States are columns here, an array of shape (width, count); sort keys identify them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL, GameError, TooManyStatesError
from cardgames_dp._graph.array_answers import CheckedArrays, is_sorted
from cardgames_dp._graph.graph import (
    Block,
    Graph,
    Integers,
    Rewards,
    kind_of,
    narrowed,
    sizes_of,
    spans,
)
from cardgames_dp._graph.payments import distinct, laid_out, ratios
from cardgames_dp._support import arguments
from cardgames_dp._support.running import refuse_too_large, tracked

_WORD = 2**31 - 1
_LEAST_ROWS, _MOST_ROWS = 2**10, 2**24
_BLOCK_BYTES = 2048
"""About the bytes that the arrays of a block take in addition to their numbers."""


def explore_generations(
    game: CheckedArrays,
    max_states: int,
) -> tuple[Graph, Integers, Integers]:
    """Return the graph, the states by place as columns, and the initial places."""
    walk = Walk(game, max_states)
    for _ in tracked(walk.generations(), None, "generations"):
        pass
    states = walk.states()
    return walk.graph(), states, walk.initial


class _Growing:
    """Rows of numbers, appended piece by piece to a few long arrays.

    This avoids fragmenting memory by thousands of short arrays. The unused end of an
    array is not touched, and takes no memory.
    """

    def __init__(self) -> None:
        self._full: list[NDArray[Any]] = []
        self._last: NDArray[Any] = np.empty(0, dtype=np.int8)
        self._used = 0

    def append(self, piece: NDArray[Any]) -> None:
        """Append rows of numbers; the type becomes wider where needed."""
        kind, until = self._last.dtype, self._used + len(piece)
        wider = piece.dtype != kind and not np.can_cast(piece.dtype, kind)
        if until > len(self._last) or wider:
            self._full.append(self._last[: self._used])
            rows = max(len(piece), min(2 * len(self._last), _MOST_ROWS), _LEAST_ROWS)
            kind = np.promote_types(kind, piece.dtype)
            self._last = np.empty((rows, *piece.shape[1:]), dtype=kind)
            self._used, until = 0, len(piece)
        self._last[self._used : until] = piece
        self._used = until

    def joined(self) -> NDArray[Any]:
        """Return all rows as one array, and clear them."""
        parts = [part for part in self._full if len(part)]
        parts.append(self._last[: self._used])
        self._full, self._last, self._used = [], np.empty(0, dtype=np.int8), 0
        return np.concatenate(parts)


@dataclass(slots=True)
class _Found:
    """The blocks found so far."""

    blocks: list[Block] = field(default_factory=list)
    counts: list[int | Integers] = field(default_factory=list)
    states: _Growing = field(default_factory=_Growing)
    following: _Growing = field(default_factory=_Growing)
    weights: _Growing = field(default_factory=_Growing)
    returns: _Growing = field(default_factory=_Growing)
    which: _Growing = field(default_factory=_Growing)
    payments: _Growing = field(default_factory=_Growing)


class Walk:
    """The search generation by generation, with the states found so far.

    Attributes
    ----------
    initial : ndarray of int
        The places of the initial states.
    """

    def __init__(self, game: CheckedArrays, max_states: int) -> None:
        self._game, self._max_states = game, max_states
        self._found = _Found()
        self._places = self._moves = self._bytes = self._allowed = 0
        self._own = {CHANCE: 0, TERMINAL: 0}
        self._paid, self._rows = 0, 1  # moves paid for; rows, the first being nothing

    def generations(self) -> Iterator[None]:
        """Find one generation after the other, until no state follows."""
        within = bounds(self._game.start)
        states, coming = unique(self._game.start, within)
        kept, number = states, 0
        while states.shape[1]:
            self._refuse(states, self._places)
            places, after, orders = self._generation(states, _kind_of_rows(within))
            if number == 0:
                self.initial = places[coming]
            else:
                self._keep(self._found.following, places[coming])
            number += 1
            if not after:
                return
            every = np.concatenate(after, axis=1) if len(after) > 1 else after[0]
            within = bounds(every)
            states, which = unique(every, within)
            coming = _in_order(which, after, orders)
            if np.array_equal(states, kept):
                self._refuse_cycle(states, number)
            if number & (number - 1) == 0:  # so that cycles of any length are detected
                kept = states
            yield

    def _generation(
        self, states: Integers, kind: DTypeLike
    ) -> tuple[Integers, list[Integers], list[Integers | None]]:
        """Lay out a generation, and return the places of its states.

        Also return, for each player and chance, the states that follow, as the game
        gave them, and the order of places of these moves, or None if it is the same.
        """
        players, present = self._game.players(states)
        base, until = self._places, self._places + len(players)
        members: list[Integers] = []
        after: list[Integers] = []
        orders: list[Integers | None] = []
        for player in present:
            part, group = states, np.arange(len(players))
            if len(present) > 1:
                group = np.flatnonzero(players == player)
                part = states.take(group, axis=1)
            if player == TERMINAL:
                self._keep(self._found.returns, self._game.returns(part))
                self._add(player, part.T.astype(kind, order="C"), 0)
            else:
                by, order, following = self._move(player, part, kind)
                group = group if by is None else group[by]
                after.append(following)
                orders.append(order)
            members.append(group)
        places = np.arange(base, until, dtype=kind_of(0, until | _WORD))
        if len(members) > 1 or not is_sorted(members[0]):
            ordered, places = places, np.empty_like(places)
            places[np.concatenate(members)] = ordered
        return places, after, orders

    def _move(
        self, player: int, part: Integers, kind: DTypeLike
    ) -> tuple[Integers | None, Integers | None, Integers]:
        """Return the order of the states, that of their moves, and the next states.

        An order is None if nothing is reordered.
        """
        weights: Integers | None = None
        order: Integers | None = None
        by: Integers | None = None
        if player == CHANCE:
            index, weights, following, counts, paid = self._game.outcomes(part)
            if not is_sorted(index):
                order = index.argsort(kind="stable")
        else:
            index, actions, counts = self._game.actions(part)
            following = self._game.following(part, index, actions)
            paid = self._game.rewards(part, index, actions)
        rows = part.T.astype(kind, order="C")
        most = int(counts.max())
        if counts.min() == most:
            cuts = [0, len(counts)]
            parts: list[int | Integers] = [most]
        else:
            sizes = sizes_of(counts)
            by = sizes.argsort(kind="stable")
            moves = spans((np.cumsum(counts) - counts)[by], counts[by])
            order = moves if order is None else order[moves]
            rows, counts = rows[by], counts[by]
            cuts = [0, *(np.flatnonzero(np.diff(sizes[by])) + 1).tolist(), len(by)]
            parts = [counts[first:last] for first, last in pairwise(cuts)]
        if weights is not None:
            weights = weights if order is None else weights[order]
            self._keep(self._found.weights, narrowed(weights))
        if paid is not None and paid.any():
            self._pay(paid if order is None else paid[order])
        for (first, last), each in zip(pairwise(cuts), parts, strict=True):
            self._add(player, rows[first:last], each)
        return by, order, following

    def _add(
        self, player: int, rows: Integers, counts: int | Integers, group: int = -1
    ) -> None:
        """Add a block of states, which have this many moves each."""
        if not isinstance(counts, int) and counts.min() == counts.max():
            counts = int(counts[0])
        if isinstance(counts, int):
            most, moves, even = counts, counts * len(rows), True
        else:
            most, moves, even = int(counts.max()), int(counts.sum()), False
        size = moves if player == CHANCE else len(rows)
        own = self._own.get(player, 0)
        block = Block(
            player,
            slice(self._places, self._places + len(rows)),
            slice(self._moves, self._moves + moves),
            slice(own, own + size),
            most,
            even,
            group,
        )
        self._places, self._moves = block.places.stop, block.moves.stop
        if player in self._own:
            self._own[player] = block.own.stop
        self._found.blocks.append(block)
        self._found.counts.append(counts)
        self._keep(self._found.states, rows)

    def _pay(self, paid: NDArray[Any]) -> None:
        """Add what the next moves pay; those since the last that paid pay nothing."""
        rows, which = distinct(paid)
        nothing = np.zeros(self._moves - self._paid, dtype=np.int8)
        self._keep(self._found.which, nothing)
        self._keep(self._found.which, narrowed(which + self._rows))
        self._keep(self._found.payments, rows)
        self._paid, self._rows = self._moves + len(which), self._rows + len(rows)

    def _keep(self, pieces: _Growing, piece: NDArray[Any]) -> None:
        pieces.append(piece)
        self._bytes += piece.nbytes

    def _refuse(self, states: Integers, found: int, held: int = 0) -> None:
        """Refuse states beyond those found, if too many are, or than memory holds.

        What is `held` are the bytes of what is not yet laid out.
        """
        count, more = states.shape[1], found + states.shape[1]
        if more > self._max_states:
            state = self._game.states(states[:, :1])[0].tolist()
            raise TooManyStatesError(
                f"the game has more states than max_states={self._max_states} allows; "
                f"{found} are found, and {count} follow, among them "
                f"{arguments.shown(state)}"
            )
        # Joining what was found takes as much memory again; then comes the sweep.
        needed = 2 * self._bytes + held + more * (16 * self._game.num_players + 16)
        needed += 2 * self._moves + len(self._found.blocks) * _BLOCK_BYTES
        if needed > self._allowed:
            refuse_too_large(
                f"a game of at least {more} states and {self._moves} moves",
                needed,
                "solve a smaller game",
            )
            self._allowed = needed + needed // 8  # so that not every generation asks

    def _refuse_cycle(self, states: Integers, number: int) -> None:
        state = arguments.shown(self._game.states(states[:, :1])[0].tolist())
        raise GameError(
            f"the game must be acyclic, but the states after {number} moves, {state} "
            "among them, are the same as after fewer moves: plays that come back to a "
            "state need a method levels(states)"
        )

    def graph(self) -> Graph:
        """Return all that was found except the states, and clear it here."""
        found, blocks = self._found, tuple(self._found.blocks)
        offsets = np.zeros(self._places + 1, dtype=kind_of(0, self._moves | _WORD))
        for block, counts in zip(blocks, found.counts, strict=True):
            offsets[block.places.start + 1 : block.places.stop + 1] = counts
        players = narrowed(np.array([block.player for block in blocks]))
        sizes = [block.places.stop - block.places.start for block in blocks]
        numerators, denominators, exact = ratios(
            found.returns.joined().reshape(-1, self._game.num_players)
        )
        return Graph(
            players=np.repeat(players, sizes),
            offsets=offsets.cumsum(dtype=offsets.dtype, out=offsets),
            following=self.following(),
            weights=found.weights.joined(),
            numerators=numerators,
            denominators=denominators,
            blocks=blocks,
            rewards=self._rewards(),
            components=self.components(),
            exact=exact,
        )

    def following(self) -> Integers:
        """Return the places to which moves lead, and clear them here."""
        return self._found.following.joined()

    def components(self) -> Integers | None:
        """Return the strong components, which only games with levels may have."""
        return None

    def _rewards(self) -> Rewards | None:
        if not self._paid:
            return None
        found = self._found
        found.which.append(np.zeros(self._moves - self._paid, dtype=np.int8))
        rows = found.payments.joined()
        nothing = np.zeros((1, rows.shape[1]), dtype=rows.dtype)
        return laid_out(found.which.joined(), np.concatenate([nothing, rows]))

    def states(self) -> Integers:
        """Return the states by place, as columns."""
        return self._found.states.joined().T


def _kind_of_rows(within: Bounds) -> DTypeLike:
    return kind_of(min(within[0]), max(within[1]))


def _in_order(
    which: Integers, after: list[Integers], orders: list[Integers | None]
) -> Integers:
    """Return the next states to which moves lead, by the order of their places."""
    parts, first = [], 0
    for each, order in zip(after, orders, strict=True):
        part = which[first : first + each.shape[1]]
        parts.append(part if order is None else part[order])
        first += len(part)
    return np.concatenate(parts) if len(parts) > 1 else parts[0]


Bounds: TypeAlias = tuple[list[int], list[int]]
"""The smallest and the largest number of each column."""


def unique(columns: Integers, within: Bounds) -> tuple[Integers, Integers]:
    """Return the distinct states, sorted, and the index of each state among them."""
    count = columns.shape[1]
    keys = packed(columns, within)
    if (keys[1:] > keys[:-1]).all():
        return columns, np.arange(count)
    order = keys.argsort(kind="stable")  # fast if there are sorted runs
    ordered = keys[order]
    new = np.ones(count, dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    first = order[new]
    new[0] = False
    which = np.empty(count, dtype=np.int64)
    which[order] = new.cumsum()
    return columns.take(first, axis=1), which


def bounds(columns: Integers) -> Bounds:
    """Return the smallest and the largest number of each column."""
    return columns.min(axis=1).tolist(), columns.max(axis=1).tolist()


def packed(columns: Integers, within: Bounds) -> NDArray[Any]:
    """Return a key for each state; keys are equal if and only if states are.

    Parameters
    ----------
    columns : ndarray of int, shape (width, count)
        The states.
    within : tuple of list of int
        `bounds` of all numbers: keys within the same bounds can be compared.
    """
    low, high = within
    spans = [b - a + 1 for a, b in zip(low, high, strict=True)]
    if math.prod(spans) >= 2**63:  # bytes in place of one number
        rows = np.ascontiguousarray(columns.T, dtype=np.int64)
        texts: NDArray[Any] = rows.view(f"S{rows.shape[1] * 8}").ravel()
        return texts
    # The sum of all multiples of the lows is subtracted at once; it may wrap around.
    keys: Integers = columns[0].astype(np.int64)
    for column, span in zip(columns[1:], spans[1:], strict=True):
        keys *= span
        keys += column
    return keys
