"""Mappings from states to the results of a sweep.

They are read-only views over the arrays of an explored game: making them takes no time,
and no memory beyond the arrays. Iteration is by places, the initial state first.
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
    """A mapping from states; subclasses define the entry at a place.

    Attributes
    ----------
    explored : Explored
        The game.
    """

    __slots__ = ("explored",)

    explored: Explored[State, Action]

    def at(self, place: int) -> T:
        """Return the entry of the state at a place."""
        raise NotImplementedError

    def all(self) -> Iterable[T]:
        """Return the entries of all states, in their order."""
        return map(self.at, range(len(self)))

    def __getitem__(self, state: State) -> T:
        return self.at(self.explored.places[state])

    def __iter__(self) -> Iterator[State]:
        return iter(self.explored.states)

    def __len__(self) -> int:
        return len(self.explored.states)

    # All entries are made at once, as a look-up for every state takes longer.

    def items(self) -> ItemsView[State, T]:
        """Return pairs of states and their entries."""
        return dict(zip(self, self.all(), strict=True)).items()

    def values(self) -> ValuesView[T]:
        """Return the entries of the states."""
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
    """A mapping from decision states only."""

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
        """Return the entries of all decision states, in their order."""
        return map(self.at, np.flatnonzero(self.explored.which >= 0).tolist())


class OptimalActions(_Decisions[State, Action, tuple[Action, ...]]):
    """The optimal actions of decision states: an array of bool, one for each move."""

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
        """Return the states with more than one optimal action."""
        until = np.concatenate(([0], np.cumsum(self.optimal)))
        counts = np.diff(until[self.explored.graph.offsets])
        return [self.explored.states[i] for i in np.flatnonzero(counts > 1).tolist()]


class Policy(_Decisions[State, Action, Action]):
    """The action taken in each decision state.

    Attributes
    ----------
    chosen : ndarray of int, shape (states,)
        By place: the index of the action; 0 where nobody decides.
    """

    __slots__ = ("chosen",)

    def __init__(self, explored: Explored[State, Action], chosen: Integers) -> None:
        self.explored, self.chosen = explored, chosen

    @property
    def moves(self) -> Integers:
        """By place: the index of the move in `Graph.following`."""
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
