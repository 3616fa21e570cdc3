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
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL, GameError, TooManyStatesError
from cardgames_dp._graph.array_answers import CheckedArrays, is_sorted
from cardgames_dp._graph.graph import (
    Graph,
    Integers,
    blocks_of,
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


class Asked(NamedTuple):
    """States in which the same player moves, and their moves.

    Attributes
    ----------
    player : int
    group : ndarray of int, shape (count,)
        The numbers of the states, within their generation or level.
    counts : ndarray of int, shape (count,)
        The number of moves of each state.
    following : ndarray of int, shape (width, moves)
        The next states, as columns.
    paid : ndarray of int or float
        The weights of chance, or the returns of terminal states.
    rewards : ndarray, shape (moves, players), or None
        What moves pay.
    """

    player: int
    group: Integers
    counts: Integers
    following: Integers
    paid: NDArray[Any]
    rewards: NDArray[Any] | None


class Walk:
    """The search generation by generation, with the states found so far.

    Attributes
    ----------
    initial : ndarray of int
        The places of the initial states.
    """

    _unit = "generations"

    def __init__(self, game: CheckedArrays, max_states: int) -> None:
        self._game, self._max_states = game, max_states
        self._places = self._moves = self._bytes = self._allowed = 0
        self._states, self._counts = _Growing(), _Growing()
        self._following, self._weights, self._ends = _Growing(), _Growing(), _Growing()
        self._blocks: list[tuple[int, int, int]] = []  # start, player, group
        self._which, self._payments = _Growing(), _Growing()
        self._paid, self._rows = 0, 1  # moves paid for; rows, the first being nothing

    def explored(self) -> tuple[Graph, Integers, Integers]:
        """Return the graph, the states by place as columns, and the initial places."""
        for _ in tracked(self._steps(), None, self._unit):
            pass
        states = self._states.joined().T
        return self._graph(), states, self.initial

    def _steps(self) -> Iterator[None]:
        """Find one generation after the other, until no state follows."""
        every, number = self._game.start, 0
        kept = every[:, :0]
        moves: Integers | slice = slice(None)
        while every.size:
            states, which = unique(every, bounds(every))
            if np.array_equal(states, kept):
                self._refuse_cycle(states, number)
            if number & (number - 1) == 0:  # so that cycles of any length are detected
                kept = states
            self._refuse(states, self._places)
            asked = self._asked(states)
            places, order = self._lay_out(asked, states)
            coming = places[which[moves]]
            if number:
                self._keep(self._following, coming)
            else:
                self.initial = coming
            every = np.concatenate([each.following for each in asked], axis=1)
            moves, number = order, number + 1
            yield

    def _asked(self, states: Integers, first: int = 0) -> list[Asked]:
        """Return the moves of some states, numbered from `first`, by who moves."""
        players, present = self._game.players(states)
        answers = []
        for player in present:
            group, part = np.arange(len(players)), states
            if len(present) > 1:
                group = np.flatnonzero(players == player)
                part = states.take(group, axis=1)
            counts: Integers = np.zeros(len(group), dtype=np.int64)
            following = part[:, :0]
            paid: NDArray[Any] = counts[:0]
            rewards: NDArray[Any] | None = None
            if player == TERMINAL:
                paid = self._game.returns(part)
            elif player == CHANCE:
                index, paid, following, counts, rewards = self._game.outcomes(part)
                if not is_sorted(index):
                    order = index.argsort(kind="stable")
                    paid, following = paid[order], following.take(order, axis=1)
                    rewards = None if rewards is None else rewards[order]
            else:
                index, actions, counts = self._game.actions(part)
                following = self._game.following(part, index, actions)
                rewards = self._game.rewards(part, index, actions)
            own = group + first
            answers.append(Asked(player, own, counts, following, paid, rewards))
        return answers

    def _lay_out(
        self,
        asked: list[Asked],
        states: Integers,
        depths: Integers | int = 0,
        groups: Integers | int = -1,
    ) -> tuple[Integers, Integers | slice]:
        """Lay out states as blocks, and return their places and the order of moves.

        Parameters
        ----------
        asked : list of Asked
            All of these states, and their moves.
        states : ndarray of int
            The states by number, as columns.
        depths, groups : ndarray of int, optional
            If some of these states follow others of them: numbers that tell in which
            order they are laid out, and the group of each, or -1.
        """
        numbers = np.concatenate([each.group for each in asked])
        sizes = [len(each.group) for each in asked]
        players = np.repeat([each.player for each in asked], sizes)
        counts = np.concatenate([each.counts for each in asked])
        keys = (depths * (self._game.num_players - TERMINAL) - players) * 64
        keys += sizes_of(counts)
        order, moves = _sorted(keys, counts)
        for player, kept in ((CHANCE, self._weights), (TERMINAL, self._ends)):
            paid = [each.paid for each in asked if each.player == player]
            if paid:
                here = players == player
                by = _sorted(keys[here], counts[here])[player == CHANCE]
                every = np.concatenate(paid)[by]
                self._keep(kept, narrowed(every) if every.dtype.kind == "i" else every)
        if any(each.rewards is not None and each.rewards.any() for each in asked):
            self._pay(asked, moves)
        numbers, players, keys = numbers[order], players[order], keys[order]
        self._keep(self._states, narrowed(states).take(numbers, axis=1).T)
        self._counts.append(narrowed(counts[order]))
        starts = np.concatenate(([0], np.flatnonzero(keys[1:] != keys[:-1]) + 1))
        groups = np.broadcast_to(groups, len(keys))[order]
        block = starts + self._places, players[starts], groups[starts]
        self._blocks += zip(*[each.tolist() for each in block], strict=True)
        first, self._places = self._places, self._places + len(numbers)
        self._moves += int(counts.sum())
        places = np.empty(len(numbers), dtype=kind_of(0, self._places | _WORD))
        places[numbers] = np.arange(first, self._places)
        return places, moves

    def _pay(self, asked: list[Asked], order: Integers | slice) -> None:
        """Add what moves pay; those since the last that paid pay nothing."""
        paid = [
            np.zeros((each.counts.sum(), self._game.num_players), dtype=np.int8)
            if each.rewards is None
            else each.rewards
            for each in asked
        ]
        rows, which = distinct(np.concatenate(paid)[order])
        nothing = np.zeros(self._moves - self._paid, dtype=np.int8)
        self._keep(self._which, nothing)
        self._keep(self._which, narrowed(which + self._rows))
        self._keep(self._payments, rows)
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
        needed += 2 * self._moves + len(self._blocks) * _BLOCK_BYTES
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

    def _graph(self) -> Graph:
        """Return all that was found except the states, and clear it here."""
        offsets = np.zeros(self._places + 1, dtype=kind_of(0, self._moves | _WORD))
        self._counts.joined().cumsum(dtype=offsets.dtype, out=offsets[1:])
        starts, movers, groups = np.array(self._blocks).T
        players = np.repeat(narrowed(movers), np.diff(starts, append=self._places))
        rewards = None
        if self._paid:
            self._which.append(np.zeros(self._moves - self._paid, dtype=np.int8))
            rows = self._payments.joined()
            rows = np.concatenate([np.zeros_like(rows[:1]), rows])
            rewards = laid_out(self._which.joined(), rows)
        numerators, denominators, exact = ratios(
            self._ends.joined().reshape(-1, self._game.num_players)
        )
        return Graph(
            players=players,
            offsets=offsets,
            following=self._targets(),
            weights=self._weights.joined(),
            numerators=numerators,
            denominators=denominators,
            blocks=blocks_of(starts, players, offsets, groups),
            rewards=rewards,
            components=self._components(),
            exact=exact,
        )

    def _targets(self) -> Integers:
        """Return the places to which moves lead, and clear them here."""
        return self._following.joined()

    def _components(self) -> Integers | None:
        """Return the strong components, which only games with levels may have."""
        return None


def _sorted(
    keys: Integers, counts: Integers
) -> tuple[Integers | slice, Integers | slice]:
    """Return the order of states by a key, and that of their moves."""
    if is_sorted(keys):
        return slice(None), slice(None)
    order = keys.argsort(kind="stable")
    starts = np.cumsum(counts) - counts
    return order, spans(starts[order], counts[order])


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
