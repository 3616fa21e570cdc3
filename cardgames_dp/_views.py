"""What a solution knows, looked up by state in the arrays of a sweep.

Read-only mappings over one explored game: making them takes no time, and no memory
beyond the arrays. Iteration goes by places, the initial state first.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from fractions import Fraction
from itertools import compress
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph import Floats, Integers
from cardgames_dp._numbers import printable
from cardgames_dp.explored import Explored
from cardgames_dp.game import Action, State

T = TypeVar("T")


class ByState(Mapping[State, T], Generic[State, Action, T]):
    """A mapping from states; whoever inherits says what is at a place.

    Attributes
    ----------
    explored : Explored
        The game.
    """

    __slots__ = ("explored",)

    explored: Explored[State, Action]

    def at(self, place: int) -> T:
        """Return what is mapped to by the state at a place."""
        raise NotImplementedError

    def all(self) -> Iterable[T]:
        """Return what is mapped to by all states, in their order."""
        return map(self.at, range(len(self)))

    def __getitem__(self, state: State) -> T:
        return self.at(self.explored.places[state])

    def __iter__(self) -> Iterator[State]:
        return iter(self.explored.states)

    def __len__(self) -> int:
        return len(self.explored.states)

    # Those of a dict are made at once: a look-up for every state takes longer.

    def items(self) -> ItemsView[State, T]:
        """Return pairs of states and what they map to."""
        return dict(zip(self, self.all(), strict=True)).items()

    def values(self) -> ValuesView[T]:
        """Return what the states map to."""
        return dict(zip(self, self.all(), strict=True)).values()

    def __repr__(self) -> str:
        return repr(dict(self.items()))


class FloatValues(ByState[State, Action, tuple[float, ...]]):
    """Values in float64: an array of shape (players, states)."""

    __slots__ = ("table",)

    def __init__(self, explored: Explored[State, Action], table: Floats) -> None:
        self.explored, self.table = explored, table

    def at(self, place: int) -> tuple[float, ...]:
        """Return the value of the state at a place."""
        return tuple(self.table[:, place].tolist())

    def all(self) -> Iterable[tuple[float, ...]]:
        """Return the values of all states."""
        return zip(*self.table.tolist(), strict=True)


class ExactValues(ByState[State, Action, tuple[Fraction, ...]]):
    """Exact values: for each state an integer a player, over a common denominator."""

    __slots__ = ("bottoms", "tops")

    def __init__(
        self,
        explored: Explored[State, Action],
        tops: list[list[int]],
        bottoms: list[int],
    ) -> None:
        self.explored, self.tops, self.bottoms = explored, tops, bottoms

    def at(self, place: int) -> tuple[Fraction, ...]:
        """Return the value of the state at a place."""
        bottom = self.bottoms[place]
        return tuple([printable(Fraction(top[place], bottom)) for top in self.tops])


class _Decisions(ByState[State, Action, T]):
    """What is known of decision states only."""

    __slots__ = ()

    def __getitem__(self, state: State) -> T:
        place = self.explored.places[state]
        if self.explored.which[place] < 0:
            raise KeyError(state)
        return self.at(place)

    def __iter__(self) -> Iterator[State]:
        return compress(self.explored.states, (self.explored.which >= 0).tolist())

    def __len__(self) -> int:
        return int(np.count_nonzero(self.explored.which >= 0))

    def all(self) -> Iterable[T]:
        """Return what is known of all decision states, in their order."""
        return map(self.at, np.flatnonzero(self.explored.which >= 0).tolist())


class OptimalActions(_Decisions[State, Action, tuple[Action, ...]]):
    """Which actions are optimal: an array of bool, one a move."""

    __slots__ = ("optimal",)

    def __init__(
        self, explored: Explored[State, Action], optimal: NDArray[np.bool_]
    ) -> None:
        self.explored, self.optimal = explored, optimal

    def at(self, place: int) -> tuple[Action, ...]:
        """Return the optimal actions of the decision state at a place."""
        first, last = self.explored.graph.offsets[place : place + 2].tolist()
        flags = self.optimal[first:last].tolist()
        return tuple(compress(self.explored.actions_at(place), flags))

    def several(self) -> list[State]:
        """Return the states that have more than one."""
        until = np.concatenate(([0], np.cumsum(self.optimal)))
        counts = np.diff(until[self.explored.graph.offsets])
        return [self.explored.states[i] for i in np.flatnonzero(counts > 1).tolist()]


class Policy(_Decisions[State, Action, Action]):
    """Which action is taken.

    Attributes
    ----------
    chosen : ndarray of int, shape (states,)
        By place: which of the actions, from 0 on; 0 where nobody decides.
    """

    __slots__ = ("chosen",)

    def __init__(self, explored: Explored[State, Action], chosen: Integers) -> None:
        self.explored, self.chosen = explored, chosen

    @property
    def moves(self) -> Integers:
        """By place: which move it is in `Graph.following`."""
        return self.explored.graph.offsets[:-1] + self.chosen

    def at(self, place: int) -> Action:
        """Return the action that is taken in the decision state at a place."""
        return self.explored.actions_at(place)[int(self.chosen[place])]

    def all(self) -> Iterable[Any]:
        """Return the actions that are taken in all decision states."""
        explored = self.explored
        places = np.flatnonzero(explored.which >= 0)
        taken = self.chosen[places].tolist()
        rows = zip(explored.which[places].tolist(), taken, strict=True)
        return [explored.actions[which][k] for which, k in rows]
