"""Find the states of an array game, and lay them out: by generations or levels.

A *generation* holds the states after the same number of moves. The game is asked about
all of them at once; the states that follow are numbered by sorting, and form the next
generation. A state that is reached after different numbers of moves is therefore in
several generations. Within a generation, states that are solved at once are contiguous,
as in any `Graph`.

In a game with `levels` each state is found once. No move lowers the level. So the
lowest level with known states is searched until no new state of it appears; then it is
complete, and is laid out like any diagonals. States of later levels wait. As they have
no places yet, moves lead to *references* meanwhile: one for each waiting state, and
several for a state that was found several times.

States are columns here, an array of shape (width, count); sort keys identify them.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from sys import getsizeof
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL, GameError, TooManyStatesError
from cardgames_dp._graph.array_answers import CheckedGame, is_sorted
from cardgames_dp._graph.graph import (
    Bounds,
    Graph,
    Integers,
    blocks_of,
    bounds,
    distinct_states,
    joined_ranges,
    narrowed,
    size_classes,
    smallest_integer_type,
    state_keys,
)
from cardgames_dp._graph.payments import build_rewards, distinct_rows, ratios
from cardgames_dp._graph.search import diagonals_of
from cardgames_dp._support import arguments
from cardgames_dp._support.running import refuse_too_large, with_progress

_WORD = 2**31 - 1
_LEAST_ROWS, _MOST_ROWS = 2**10, 2**24
_BLOCK_BYTES = 2048
"""About the bytes that the arrays of a block take in addition to their numbers."""

_PART = 2**22
"""The number of moves whose references are looked up at once."""


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


class _PlayerStates(NamedTuple):
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
    paid : ndarray of int, float or object
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


class GenerationSearch:
    """The search generation by generation, with the states found so far.

    Attributes
    ----------
    initial : ndarray of int
        The places of the initial states.
    """

    _unit = "generations"

    def __init__(self, game: CheckedGame, max_states: int) -> None:
        self._game, self._max_states = game, max_states
        self._places = self._moves = self._bytes = self._objects = self._allowed = 0
        self._states, self._counts = _Growing(), _Growing()
        self._following, self._weights, self._ends = _Growing(), _Growing(), _Growing()
        self._blocks: list[tuple[int, int, int]] = []  # start, player, group
        self._reward_rows, self._payments = _Growing(), _Growing()
        self._paid, self._rows = 0, 1  # moves paid for; rows, the first being nothing

    def explored(self) -> tuple[Graph, Integers, Integers]:
        """Return the graph, the states by place as columns, and the initial places."""
        for _ in with_progress(self._steps(), None, self._unit):
            pass
        states = self._states.joined().T
        return self._graph(), states, self.initial

    def _steps(self) -> Iterator[None]:
        """Find one generation after the other, until no state follows."""
        every, number = self._game.start, 0
        earlier = every[:, :0]
        moves: Integers | slice = slice(None)
        while every.size:
            states, index = distinct_states(every, bounds(every))
            if np.array_equal(states, earlier):
                raise GameError(
                    f"the game must be acyclic, but the states after {number} moves, "
                    f"{self._example(states)} among them, are the same as after fewer "
                    "moves: plays that come back to a state need a method "
                    "levels(states)"
                )
            if number & (number - 1) == 0:  # so that cycles of any length are detected
                earlier = states
            self._refuse_too_many(states, self._places)
            parts = self._moves_of(states)
            places, order = self._lay_out(parts, states)
            coming = places[index[moves]]
            if number:
                self._store(self._following, coming)
            else:
                self.initial = coming
            every = np.concatenate([each.following for each in parts], axis=1)
            moves, number = order, number + 1
            yield

    def _moves_of(self, states: Integers, first: int = 0) -> list[_PlayerStates]:
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
            numbers = group + first
            answers.append(
                _PlayerStates(player, numbers, counts, following, paid, rewards)
            )
        return answers

    def _lay_out(
        self,
        parts: list[_PlayerStates],
        states: Integers,
        depths: Integers | int = 0,
        groups: Integers | int = -1,
    ) -> tuple[Integers, Integers | slice]:
        """Lay out states as blocks, and return their places and the order of moves.

        Parameters
        ----------
        parts : list of _PlayerStates
            All of these states, and their moves.
        states : ndarray of int
            The states by number, as columns.
        depths, groups : ndarray of int, optional
            If some of these states follow others of them: numbers that tell in which
            order they are laid out, and the group of each, or -1.
        """
        numbers = np.concatenate([each.group for each in parts])
        sizes = [len(each.group) for each in parts]
        players = np.repeat([each.player for each in parts], sizes)
        counts = np.concatenate([each.counts for each in parts])
        keys = (depths * (self._game.num_players - TERMINAL) - players) * 64
        keys += size_classes(counts)
        order, moves = _order_by(keys, counts)
        for player, pieces in ((CHANCE, self._weights), (TERMINAL, self._ends)):
            paid = [each.paid for each in parts if each.player == player]
            if paid:
                here = players == player
                by = _order_by(keys[here], counts[here])[player == CHANCE]
                every = np.concatenate(paid)[by]
                self._store(
                    pieces, narrowed(every) if every.dtype.kind == "i" else every
                )
        if any(each.rewards is not None and each.rewards.any() for each in parts):
            self._add_rewards(parts, moves)
        numbers, players, keys = numbers[order], players[order], keys[order]
        self._store(self._states, narrowed(states).take(numbers, axis=1).T)
        self._counts.append(narrowed(counts[order]))
        starts = np.concatenate(([0], np.flatnonzero(keys[1:] != keys[:-1]) + 1))
        groups = np.broadcast_to(groups, len(keys))[order]
        block = starts + self._places, players[starts], groups[starts]
        self._blocks += zip(*[each.tolist() for each in block], strict=True)
        first, self._places = self._places, self._places + len(numbers)
        self._moves += int(counts.sum())
        places = np.empty(
            len(numbers), dtype=smallest_integer_type(0, self._places | _WORD)
        )
        places[numbers] = np.arange(first, self._places)
        return places, moves

    def _add_rewards(self, parts: list[_PlayerStates], order: Integers | slice) -> None:
        """Add what moves pay; those since the last that paid pay nothing."""
        paid = [
            np.zeros((each.counts.sum(), self._game.num_players), dtype=np.int8)
            if each.rewards is None
            else each.rewards
            for each in parts
        ]
        rows, index = distinct_rows(np.concatenate(paid)[order])
        nothing = np.zeros(self._moves - self._paid, dtype=np.int8)
        self._store(self._reward_rows, nothing)
        self._store(self._reward_rows, narrowed(index + self._rows))
        self._store(self._payments, rows)
        self._paid, self._rows = self._moves + len(index), self._rows + len(rows)

    def _store(self, pieces: _Growing, piece: NDArray[Any]) -> None:
        pieces.append(piece)
        self._bytes += piece.nbytes
        if piece.dtype == object:
            self._objects += sum(map(getsizeof, piece.ravel().tolist()))

    def _refuse_too_many(
        self, states: Integers, num_before: int, waiting_bytes: int = 0
    ) -> None:
        """Refuse states beyond those found, if too many are, or than memory holds.

        `waiting_bytes` counts what is not yet laid out.
        """
        count, more = states.shape[1], num_before + states.shape[1]
        if more > self._max_states:
            raise TooManyStatesError(
                f"the game has more states than max_states={self._max_states} allows; "
                f"{num_before} are found, and {count} follow, among them "
                f"{self._example(states)}; give a larger max_states; if a number in "
                "them grows without end, limit it in the rules"
            )
        # Joining what was found takes as much memory again; then comes the sweep.
        needed = 2 * self._bytes + self._objects + waiting_bytes
        needed += more * (16 * self._game.num_players + 16)
        needed += 2 * self._moves + len(self._blocks) * _BLOCK_BYTES
        if needed > self._allowed:
            refuse_too_large(
                f"a game of at least {more} states and {self._moves} moves",
                needed,
                "solve a smaller game",
            )
            self._allowed = needed + needed // 8  # so that not every generation asks

    def _example(self, states: Integers) -> str:
        """Return the first of some states as text."""
        return arguments.shown(self._game.states(states[:, :1])[0].tolist())

    def _graph(self) -> Graph:
        """Return all that was found except the states, and clear it here."""
        offsets = np.zeros(
            self._places + 1, dtype=smallest_integer_type(0, self._moves | _WORD)
        )
        self._counts.joined().cumsum(dtype=offsets.dtype, out=offsets[1:])
        starts, movers, groups = np.array(self._blocks).T
        players = np.repeat(narrowed(movers), np.diff(starts, append=self._places))
        rewards = None
        if self._paid:
            self._reward_rows.append(np.zeros(self._moves - self._paid, dtype=np.int8))
            rows = self._payments.joined()
            rows = np.concatenate([np.zeros_like(rows[:1]), rows])
            rewards = build_rewards(self._reward_rows.joined(), rows)
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
            endless=self._game.endless,
            exact_weights=self._game.exact_weights,
        )

    def _targets(self) -> Integers:
        """Return the places to which moves lead, and clear them here."""
        return self._following.joined()

    def _components(self) -> Integers | None:
        """Return the strong components, which only games with levels may have."""
        return None


def _order_by(
    keys: Integers, counts: Integers
) -> tuple[Integers | slice, Integers | slice]:
    """Return the order of states by a key, and that of their moves."""
    if is_sorted(keys):
        return slice(None), slice(None)
    order = keys.argsort(kind="stable")
    starts = np.cumsum(counts) - counts
    return order, joined_ranges(starts[order], counts[order])


class _Queue:
    """States of a level that were found, but not yet asked about; some repeatedly.

    Attributes
    ----------
    nbytes : int
        About the bytes that they take.
    """

    def __init__(self) -> None:
        # States, the index among all states of each reference, and the references.
        self._pieces: list[tuple[Integers, Integers, Integers]] = []
        self._size, self._enough = 0, 2**12
        self.nbytes = 0

    def add(self, states: Integers, references: Integers) -> None:
        """Add distinct states, with a reference for each."""
        index = np.arange(self._size, self._size + states.shape[1])
        self._pieces.append((states, index, references))
        self._size += states.shape[1]
        self.nbytes += 2 * (states.nbytes + references.nbytes)
        if self._size > self._enough:
            states, index, references = self.distinct()
            self._pieces = [(states, index, references)]
            self._size = states.shape[1]
            self._enough = max(2 * self._size, 2**12)
            self.nbytes = 2 * (states.nbytes + references.nbytes)

    def distinct(self) -> tuple[Integers, Integers, Integers]:
        """Return the distinct states, the index of each reference's, the references."""
        parts, index, references = map(list, zip(*self._pieces, strict=True))
        every = np.concatenate(parts, axis=1)
        states, ranks = distinct_states(every, bounds(every))
        indices = ranks[np.concatenate(index)]
        return narrowed(states), indices, np.concatenate(references)


class _StateNumbers:
    """The states of a level found so far, numbered in this order.

    Sorted keys are held in runs, each at most half as long as the one before, so that
    to add a few states does not mean to sort all of them again.
    """

    def __init__(self, states: Integers) -> None:
        self.parts: list[Integers] = []
        self.size = 0
        self._within = bounds(states)
        self._runs: list[tuple[NDArray[Any], Integers]] = []
        self._add(states, state_keys(states, self._within))

    def __call__(self, states: Integers) -> tuple[Integers, Integers]:
        """Return the numbers of distinct states, and those that are new."""
        if not states.size:
            return np.empty(0, dtype=np.int64), states
        self._widen(bounds(states))
        keys = state_keys(states, self._within)
        numbers = np.full(len(keys), -1)
        for run, run_numbers in self._runs:
            index = np.minimum(np.searchsorted(run, keys), len(run) - 1)
            here = run[index] == keys
            numbers[here] = run_numbers[index[here]]
        new = np.flatnonzero(numbers < 0)
        numbers[new] = np.arange(self.size, self.size + len(new))
        fresh = states[:, new]
        if new.size:
            self._add(fresh, keys[new])
        return numbers, fresh

    def _add(self, states: Integers, keys: NDArray[Any]) -> None:
        self.parts.append(narrowed(states))
        self._runs.append((keys, np.arange(self.size, self.size + len(keys))))
        self.size += len(keys)
        self._sort(1)
        sizes = [len(keys) for keys, _ in self._runs]
        while len(sizes) > 1 and sizes[-2] < 2 * sizes[-1]:
            self._sort(2)
            sizes[-2:] = [sizes[-2] + sizes[-1]]

    def _sort(self, count: int) -> None:
        """Make one sorted run of the last ones."""
        last, self._runs[-count:] = self._runs[-count:], []
        keys = np.concatenate([keys for keys, _ in last])
        order = keys.argsort(kind="stable")
        numbers = np.concatenate([numbers for _, numbers in last])
        self._runs.append((keys[order], numbers[order]))

    def _widen(self, other: Bounds) -> None:
        """Let the keys hold more states; by so much that it is rarely needed."""
        low, high = self._within
        if all(a <= b for a, b in zip(low, other[0], strict=True)) and all(
            a >= b for a, b in zip(high, other[1], strict=True)
        ):
            return
        size = [b - a for a, b in zip(low, high, strict=True)]
        lows = zip(low, other[0], size, strict=True)
        highs = zip(high, other[1], size, strict=True)
        self._within = (
            [a if a <= b else max(b - n, -(2**63)) for a, b, n in lows],
            [a if a >= b else min(b + n, 2**63 - 1) for a, b, n in highs],
        )
        every = np.concatenate(self.parts, axis=1)
        self._runs = [(state_keys(every, self._within), np.arange(self.size))]
        self._sort(1)


class LevelSearch(GenerationSearch):
    """The search level by level, with the states found so far."""

    _unit = "levels"

    def __init__(self, game: CheckedGame, max_states: int) -> None:
        super().__init__(game, max_states)
        self._waiting: dict[int, _Queue] = {}
        self._coming: list[int] = []
        self._place_of: Integers = np.empty(0, dtype=np.int64)
        self._references = self._num_groups = self._num_components = 0
        self._cyclic: list[tuple[int, Integers]] = []

    def _steps(self) -> Iterator[None]:
        """Find one level after the other, until no state waits."""
        states, index = distinct_states(self._game.start, bounds(self._game.start))
        first = self._defer(states, self._game.levels(states))
        while self._coming:
            level = heappop(self._coming)
            self._search_level(level, self._waiting.pop(level))
            yield
        self.initial = self._place_of[first[index]]

    def _defer(self, states: Integers, levels: Integers) -> Integers:
        """Let distinct states wait, and return references to them."""
        references = np.arange(self._references, self._references + len(levels))
        self._references += len(levels)
        for level in np.unique(levels).tolist():
            here = np.flatnonzero(levels == level)
            if level not in self._waiting:
                self._waiting[level] = _Queue()
                heappush(self._coming, level)
            self._waiting[level].add(states[:, here], references[here])
        return references

    def _search_level(self, level: int, waiting: _Queue) -> None:
        """Find and lay out all states of a level."""
        states, index, references = waiting.distinct()
        numbers = _StateNumbers(states)
        parts, targets = list[_PlayerStates](), [references[:0]]
        count, held = 0, sum([each.nbytes for each in self._waiting.values()])
        while states.shape[1]:
            needed = 32 * numbers.size + 16 * self._references
            self._refuse_too_many(states, self._places + count, needed + held)
            answers = self._moves_of(states, count)
            count += states.shape[1]
            every = np.concatenate([each.following for each in answers], axis=1)
            parts += [each._replace(following=every[:, :0]) for each in answers]
            if not every.size:
                break
            after, ranks = distinct_states(every, bounds(every))
            levels = self._game.levels(after)
            if levels.min() < level:
                move = int((levels[ranks] < level).argmax())
                lower = int(levels[ranks[move]])
                self._refuse_fall(states, answers, level, move, lower)
            here = levels == level
            ahead = np.empty(len(levels), dtype=np.int64)
            later = after[:, ~here]
            ahead[~here] = self._defer(later, levels[~here])
            held += 2 * later.nbytes
            inside, states = numbers(after[:, here])
            ahead[here] = ~inside
            targets.append(ahead[ranks])
        every = np.concatenate(numbers.parts, axis=1)
        places = self._lay_out_level(parts, np.concatenate(targets), every)
        more = self._references - len(self._place_of)
        if more > 0:
            self._place_of = np.pad(self._place_of, (0, more + self._references))
        self._place_of[references] = places[index]

    def _lay_out_level(
        self, parts: list[_PlayerStates], targets: Integers, states: Integers
    ) -> Integers:
        """Lay out a level, and return the places of its states by number.

        The targets of moves are references >= 0 or, within the level, ``~number``.
        """
        numbers = np.concatenate([each.group for each in parts])
        counts = np.concatenate([each.counts for each in parts])
        inner = np.flatnonzero(targets < 0)
        depths: Integers = np.zeros(len(numbers), dtype=np.int64)
        groups, components = np.full(len(numbers), -1), None
        if inner.size:
            # These are in the order in which states were asked about.
            index = np.empty_like(numbers)
            index[numbers] = np.arange(len(numbers))
            sources = np.repeat(np.arange(len(numbers)), counts)[inner]
            inside = np.bincount(sources, minlength=len(numbers))
            offsets = np.concatenate(([0], np.cumsum(inside)))
            depths, components = diagonals_of(offsets, index[~targets[inner]])
        first = self._places
        if components is not None:  # blocks of one depth are solved together
            on_cycle = components >= 0
            distinct, ranks = np.unique(depths[on_cycle], return_inverse=True)
            groups[on_cycle] = ranks + self._num_groups
            self._num_groups += len(distinct)
        depths = 2 * depths + (groups >= 0)
        places, moves = self._lay_out(parts, states, depths, groups)
        targets[inner] = ~places[~targets[inner]]
        self._store(self._following, narrowed(targets[moves], np.int32))
        if components is not None:
            distinct = np.where(on_cycle, components + self._num_components, -1)
            self._num_components += int(components.max()) + 1
            self._cyclic.append((first, distinct[np.argsort(places[numbers])]))
        return places

    def _refuse_fall(
        self,
        states: Integers,
        answers: list[_PlayerStates],
        level: int,
        move: int,
        lower: int,
    ) -> None:
        """Refuse a move of some states of a level to a lower one."""
        first = min([int(each.group[0]) for each in answers])
        every = np.concatenate([each.following for each in answers], axis=1)
        source = np.concatenate([each.group.repeat(each.counts) for each in answers])
        both = np.stack([states[:, source[move] - first], every[:, move]], axis=1)
        before, after = self._game.states(both).tolist()
        raise GameError(
            f"levels(states) must not fall along a move, got level {level} at state "
            f"{arguments.shown(before)} and {lower} at {arguments.shown(after)}, which "
            "can follow it"
        )

    def _targets(self) -> Integers:
        """Return the places to which moves lead, and clear what was found."""
        codes = self._following.joined()
        following = np.empty(
            len(codes), dtype=smallest_integer_type(0, self._places | 2**31 - 1)
        )
        for start in range(0, len(codes), _PART):
            part = codes[start : start + _PART]
            places = self._place_of[np.maximum(part, 0)]
            following[start : start + _PART] = np.where(part < 0, ~part, places)
        return following

    def _components(self) -> Integers | None:
        """Return the strong components that have loops."""
        if not self._cyclic:
            return None
        components = np.full(self._places, -1, dtype=np.int32)
        for first, numbers in self._cyclic:
            components[first : first + len(numbers)] = numbers
        return components
