"""Find the states of a game for arrays that tells their levels, each state once.

No move lowers the level. So the lowest level of which states are known is asked about
until no new state of it appears; then the states of the level are complete, and are
laid out like any diagonals (`_lay_out`). States of later levels wait until it is their
turn. As their places are not known before, moves lead to *references* meanwhile: there
is one for each state that waits, and several for a state that was found several times.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import GameError
from cardgames_dp._graph.array_answers import CheckedArrays
from cardgames_dp._graph.generations import Asked, Bounds, Walk, bounds, packed, unique
from cardgames_dp._graph.graph import (
    Integers,
    kind_of,
    narrowed,
)
from cardgames_dp._graph.walking import levels_of
from cardgames_dp._support import arguments

_PART = 2**22
"""The number of moves whose references are looked up at once."""


class _Waiting:
    """States of a level that were found, but not yet asked about; some repeatedly.

    Attributes
    ----------
    nbytes : int
        About the bytes that they take.
    """

    def __init__(self) -> None:
        # States, the index among all states of each reference, and the references.
        self._found: list[tuple[Integers, Integers, Integers]] = []
        self._size, self._enough = 0, 2**12
        self.nbytes = 0

    def add(self, states: Integers, references: Integers) -> None:
        """Add distinct states, with a reference for each."""
        index = np.arange(self._size, self._size + states.shape[1])
        self._found.append((states, index, references))
        self._size += states.shape[1]
        self.nbytes += 2 * (states.nbytes + references.nbytes)
        if self._size > self._enough:
            found, index, known = self.distinct()
            self._found = [(found, index, known)]
            self._size = found.shape[1]
            self._enough = max(2 * self._size, 2**12)
            self.nbytes = 2 * (found.nbytes + known.nbytes)

    def distinct(self) -> tuple[Integers, Integers, Integers]:
        """Return the distinct states, the index of each reference's, the references."""
        parts, index, references = map(list, zip(*self._found, strict=True))
        every = np.concatenate(parts, axis=1)
        states, which = unique(every, bounds(every))
        indices = which[np.concatenate(index)]
        return narrowed(states), indices, np.concatenate(references)


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
        self._runs = [(packed(every, self._within), np.arange(self.size))]
        self._sort(1)


class LevelWalk(Walk):
    """The search level by level, with the states found so far."""

    _unit = "levels"

    def __init__(self, game: CheckedArrays, max_states: int) -> None:
        super().__init__(game, max_states)
        self._waiting: dict[int, _Waiting] = {}
        self._coming: list[int] = []
        self._place_of: Integers = np.empty(0, dtype=np.int64)
        self._references = self._num_groups = self._num_components = 0
        self._cyclic: list[tuple[int, Integers]] = []

    def _steps(self) -> Iterator[None]:
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
        asked, targets = list[Asked](), [references[:0]]
        count, held = 0, sum([each.nbytes for each in self._waiting.values()])
        while states.shape[1]:
            known = 32 * numbers.size + 16 * self._references
            self._refuse(states, self._places + count, known + held)
            answers = self._asked(states, count)
            count += states.shape[1]
            every = np.concatenate([each.following for each in answers], axis=1)
            asked += [each._replace(following=every[:, :0]) for each in answers]
            if not every.size:
                break
            found, which = unique(every, bounds(every))
            levels = self._game.levels(found)
            if levels.min() < level:
                move = int((levels[which] < level).argmax())
                lower = int(levels[which[move]])
                self._refuse_fall(states, answers, level, move, lower)
            here = levels == level
            ahead = np.empty(len(levels), dtype=np.int64)
            sent = found[:, ~here]
            ahead[~here] = self._sent(sent, levels[~here])
            held += 2 * sent.nbytes
            inside, states = numbers(found[:, here])
            ahead[here] = ~inside
            targets.append(ahead[which])
        every = np.concatenate(numbers.parts, axis=1)
        places = self._ordered(asked, np.concatenate(targets), every)
        more = self._references - len(self._place_of)
        if more > 0:
            self._place_of = np.pad(self._place_of, (0, more + self._references))
        self._place_of[references] = places[index]

    def _ordered(
        self, asked: list[Asked], targets: Integers, states: Integers
    ) -> Integers:
        """Lay out a level, and return the places of its states by number.

        The targets of moves are references >= 0 or, within the level, ``~number``.
        """
        numbers = np.concatenate([each.group for each in asked])
        counts = np.concatenate([each.counts for each in asked])
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
            depths, components = levels_of(offsets, index[~targets[inner]])
        first = self._places
        if components is not None:  # blocks of one depth are solved together
            on_cycle = components >= 0
            known, which = np.unique(depths[on_cycle], return_inverse=True)
            groups[on_cycle] = which + self._num_groups
            self._num_groups += len(known)
        depths = 2 * depths + (groups >= 0)
        places, moves = self._lay_out(asked, states, depths, groups)
        targets[inner] = ~places[~targets[inner]]
        self._keep(self._following, narrowed(targets[moves], np.int32))
        if components is not None:
            known = np.where(on_cycle, components + self._num_components, -1)
            self._num_components += int(components.max()) + 1
            self._cyclic.append((first, known[np.argsort(places[numbers])]))
        return places

    def _refuse_fall(
        self,
        states: Integers,
        answers: list[Asked],
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
        following = np.empty(len(codes), dtype=kind_of(0, self._places | 2**31 - 1))
        for start in range(0, len(codes), _PART):
            part = codes[start : start + _PART]
            known = self._place_of[np.maximum(part, 0)]
            following[start : start + _PART] = np.where(part < 0, ~part, known)
        return following

    def _components(self) -> Integers | None:
        """Return the strong components of states to which plays can come back."""
        if not self._cyclic:
            return None
        components = np.full(self._places, -1, dtype=np.int32)
        for first, known in self._cyclic:
            components[first : first + len(known)] = known
        return components
