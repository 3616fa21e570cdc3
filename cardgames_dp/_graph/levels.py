"""Find the states of a game for arrays that tells their levels, each state once.

No move lowers the level. So the lowest level of which states are known is asked about
until no new state of it appears; then the states of the level are complete, and are
laid out like any diagonals (`ordering`). States of later levels wait until it is their
turn. As their places are not known before, moves lead to *references* meanwhile: there
is one for each state that waits, and several for a state that was found several times.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL, GameError
from cardgames_dp._graph.array_answers import CheckedArrays, is_sorted
from cardgames_dp._graph.generations import Bounds, Walk, bounds, packed, unique
from cardgames_dp._graph.graph import (
    Graph,
    Integers,
    kind_of,
    narrowed,
    sizes_of,
    spans,
)
from cardgames_dp._graph.walking import levels_of
from cardgames_dp._support import arguments
from cardgames_dp._support.running import tracked

_PART = 2**22
"""The number of moves whose references are looked up at once."""


def explore_levels(
    game: CheckedArrays, max_states: int
) -> tuple[Graph, Integers, Integers]:
    """Return the graph, the states by place as columns, and the initial places."""
    walk = _LevelWalk(game, max_states)
    for _ in tracked(walk.levels(), None, "levels"):
        pass
    states = walk.states()
    return walk.graph(), states, walk.initial


class _Waiting:
    """States of a level that were found, but not yet asked about; some repeatedly.

    Attributes
    ----------
    nbytes : int
        About the bytes that they take.
    """

    def __init__(self) -> None:
        self._parts: list[Integers] = []
        self._index: list[Integers] = []
        self._references: list[Integers] = []
        self._size, self._enough = 0, 2**12
        self.nbytes = 0

    def add(self, states: Integers, references: Integers) -> None:
        """Add distinct states, with a reference for each."""
        self._parts.append(states)
        self._index.append(np.arange(self._size, self._size + states.shape[1]))
        self._references.append(references)
        self._size += states.shape[1]
        self.nbytes += 2 * (states.nbytes + references.nbytes)
        if self._size > self._enough:
            found, index, known = self.distinct()
            self._parts, self._index, self._references = [found], [index], [known]
            self._size = found.shape[1]
            self._enough = max(2 * self._size, 2**12)
            self.nbytes = 2 * (found.nbytes + known.nbytes)

    def distinct(self) -> tuple[Integers, Integers, Integers]:
        """Return the distinct states, the index of each reference's, the references."""
        every = np.concatenate(self._parts, axis=1)
        states, which = unique(every, bounds(every))
        index = which[np.concatenate(self._index)]
        return narrowed(states), index, np.concatenate(self._references)


class _Numbers:
    """The states of a level found so far, numbered in this order.

    Sorted keys are held in runs, each at most half as long as the one before, so that
    to add a few states does not mean to sort all of them again.
    """

    def __init__(self, states: Integers) -> None:
        self.parts: list[Integers] = []
        self.size = 0
        self._within = bounds(states)
        self._runs: list[tuple[NDArray[Any], Integers]] = []
        self._add(states, packed(states, self._within))

    def __call__(self, states: Integers) -> tuple[Integers, Integers]:
        """Return the numbers of distinct states, and those that are new."""
        if not states.size:
            return np.empty(0, dtype=np.int64), states
        self._widen(bounds(states))
        wanted = packed(states, self._within)
        numbers = np.full(len(wanted), -1)
        for keys, known in self._runs:
            found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            here = keys[found] == wanted
            numbers[here] = known[found[here]]
        new = np.flatnonzero(numbers < 0)
        numbers[new] = np.arange(self.size, self.size + len(new))
        fresh = states[:, new]
        if new.size:
            self._add(fresh, wanted[new])
        return numbers, fresh

    def _add(self, states: Integers, keys: NDArray[Any]) -> None:
        self.parts.append(narrowed(states))
        self._runs.append((keys, np.arange(self.size, self.size + len(keys))))
        self.size += len(keys)
        self._sort(1)
        while len(self._runs) > 1 and len(self._runs[-2][0]) < 2 * len(
            self._runs[-1][0]
        ):
            self._sort(2)

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
        self._runs = [(packed(every, self._within), np.arange(self.size))]
        self._sort(1)


class _Asked(NamedTuple):
    """States of a level in which the same player moves, and their moves.

    Attributes
    ----------
    player : int
    group : ndarray of int, shape (count,)
        The numbers of the states within the level.
    counts : ndarray of int, shape (count,)
        The number of moves of each state.
    following : ndarray of int
        By move, state by state: the next states, as columns; once these are known, a
        reference >= 0 or, within the level, ``~number``.
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


class _LevelWalk(Walk):
    """The search level by level, with the states found so far."""

    def __init__(self, game: CheckedArrays, max_states: int) -> None:
        super().__init__(game, max_states)
        self._waiting: dict[int, _Waiting] = {}
        self._coming: list[int] = []
        self._place_of: Integers = np.empty(0, dtype=np.int64)
        self._references = self._groups = self._components = 0
        self._cyclic: list[tuple[int, Integers]] = []

    def levels(self) -> Iterator[None]:
        """Find one level after the other, until no state waits."""
        states, which = unique(self._game.start, bounds(self._game.start))
        first = self._sent(states, self._game.levels(states))
        while self._coming:
            level = heappop(self._coming)
            self._level(level, self._waiting.pop(level))
            yield
        self.initial = self._place_of[first[which]]

    def _sent(self, states: Integers, levels: Integers) -> Integers:
        """Let distinct states wait, and return references to them."""
        references = np.arange(self._references, self._references + len(levels))
        self._references += len(levels)
        for level in np.unique(levels).tolist():
            here = np.flatnonzero(levels == level)
            if level not in self._waiting:
                self._waiting[level] = _Waiting()
                heappush(self._coming, level)
            self._waiting[level].add(states[:, here], references[here])
        return references

    def _level(self, level: int, waiting: _Waiting) -> None:
        """Find and lay out all states of a level."""
        states, index, references = waiting.distinct()
        numbers = _Numbers(states)
        asked: list[_Asked] = []
        count, held = 0, sum([each.nbytes for each in self._waiting.values()])
        while states.shape[1]:
            known = 32 * numbers.size + 16 * self._references
            self._refuse(states, self._places + count, known + held)
            answers = self._asked(states, count)
            count += states.shape[1]
            every = np.concatenate([each.following for each in answers], axis=1)
            if not every.size:
                asked += [each._replace(following=each.counts[:0]) for each in answers]
                break
            found, which = unique(every, bounds(every))
            levels = self._game.levels(found)
            if levels.min() < level:
                move = int((levels[which] < level).argmax())
                lower = int(levels[which[move]])
                self._refuse_fall(states, answers, level, move, lower)
            here = levels == level
            targets = np.empty(len(levels), dtype=np.int64)
            sent = found[:, ~here]
            targets[~here] = self._sent(sent, levels[~here])
            held += 2 * sent.nbytes
            inside, states = numbers(found[:, here])
            targets[here] = ~inside
            ends = np.cumsum([int(each.counts.sum()) for each in answers])
            parts = np.split(targets[which], ends[:-1])
            asked += [
                each._replace(following=part)
                for each, part in zip(answers, parts, strict=True)
            ]
        places = self._lay_out(asked, np.concatenate(numbers.parts, axis=1))
        if self._references > len(self._place_of):
            more = np.zeros(2 * self._references, dtype=np.int64)
            more[: len(self._place_of)] = self._place_of
            self._place_of = more
        self._place_of[references] = places[index]

    def _asked(self, states: Integers, first: int) -> list[_Asked]:
        """Return the moves of some states, numbered from `first`."""
        players, present = self._game.players(states)
        answers = []
        for player in present:
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
            answers.append(_Asked(player, own, counts, following, paid, rewards))
        return answers

    def _lay_out(self, asked: list[_Asked], states: Integers) -> Integers:
        """Lay out a level, and return the places of its states by number."""
        numbers = np.concatenate([each.group for each in asked])
        sizes = [len(each.group) for each in asked]
        players = np.repeat([each.player for each in asked], sizes)
        counts = np.concatenate([each.counts for each in asked])
        targets = np.concatenate([each.following for each in asked])
        # From here on states are in the order in which they were asked about.
        index = np.empty_like(numbers)
        index[numbers] = np.arange(len(numbers))
        inner = np.flatnonzero(targets < 0)
        depths: Integers = np.zeros(len(numbers), dtype=np.int32)
        components: Integers | None = None
        if inner.size:
            sources = np.repeat(np.arange(len(numbers)), counts)[inner]
            inside = np.bincount(sources, minlength=len(numbers))
            offsets = np.concatenate(([0], np.cumsum(inside)))
            depths, components = levels_of(offsets, index[~targets[inner]])
        on_cycle = np.zeros(len(numbers), dtype=np.bool_)
        if components is not None:
            on_cycle = components >= 0
        keys = sizes_of(counts), -players, on_cycle, depths
        order = np.lexsort(keys)
        places = np.empty(len(numbers), dtype=np.int64)
        places[order] = np.arange(self._places, self._places + len(numbers))
        targets[inner] = ~places[index[~targets[inner]]]
        self._keep_paid(asked, order, players, counts)
        starts = np.cumsum(counts) - counts
        moves = spans(starts[order], counts[order])
        self._keep(self._found.following, narrowed(targets[moves], np.int32))
        rewards = [self._rewards_of(each) for each in asked]
        if any(each.any() for each in rewards):
            self._pay(np.concatenate(rewards)[moves])
        if components is not None:
            known = components[order]
            known[known >= 0] += self._components
            self._components += int(components.max()) + 1
            self._cyclic.append((self._places, known))
        rows = np.ascontiguousarray(states[:, numbers[order]].T)
        self._add_blocks(rows, counts[order], [key[order] for key in keys])
        by_number: Integers = places[index]
        return by_number

    def _add_blocks(
        self, rows: Integers, counts: Integers, keys: list[NDArray[Any]]
    ) -> None:
        """Add the states of a level, in the order of places, as blocks."""
        _, movers, on_cycle, depths = keys
        changes = [np.diff(key) != 0 for key in keys]
        cuts = np.flatnonzero(np.logical_or.reduce(changes)) + 1
        grouped = -1
        for first, last in pairwise([0, *cuts.tolist(), len(rows)]):
            group, player = -1, -int(movers[first])
            if on_cycle[first]:  # blocks of one depth are solved together
                if depths[first] != grouped:
                    self._groups, grouped = self._groups + 1, int(depths[first])
                group = self._groups - 1
            most = 0 if player == TERMINAL else counts[first:last]
            self._add(player, rows[first:last], most, group)

    def _keep_paid(
        self, asked: list[_Asked], order: Integers, players: Integers, counts: Integers
    ) -> None:
        """Keep weights and returns in the order of places."""
        for player, pieces in (
            (CHANCE, self._found.weights),
            (TERMINAL, self._found.returns),
        ):
            paid = [each.paid for each in asked if each.player == player]
            if not paid:
                continue
            here = players == player
            own = np.where(here, counts if player == CHANCE else 1, 0)
            starts, some = np.cumsum(own) - own, order[here[order]]
            every = np.concatenate(paid)[spans(starts[some], own[some])]
            self._keep(pieces, narrowed(every) if every.dtype.kind == "i" else every)

    def _rewards_of(self, each: _Asked) -> NDArray[Any]:
        """Return what moves pay, or zeros."""
        if each.rewards is None:
            shape = len(each.following), self._game.num_players
            return np.zeros(shape, dtype=np.int8)
        return each.rewards

    def _refuse_fall(
        self,
        states: Integers,
        answers: list[_Asked],
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

    def following(self) -> Integers:
        """Return the places to which moves lead, and clear what was found."""
        codes = self._found.following.joined()
        following = np.empty(len(codes), dtype=kind_of(0, self._places | 2**31 - 1))
        for start in range(0, len(codes), _PART):
            part = codes[start : start + _PART]
            known = self._place_of[np.maximum(part, 0)]
            following[start : start + _PART] = np.where(part < 0, ~part, known)
        return following

    def components(self) -> Integers | None:
        """Return the strong components of states to which plays can come back."""
        if not self._cyclic:
            return None
        components = np.full(self._places, -1, dtype=np.int32)
        for first, known in self._cyclic:
            components[first : first + len(known)] = known
        return components
