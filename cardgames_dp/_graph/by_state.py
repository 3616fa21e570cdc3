"""What is known of the states of a game, looked up: mappings, and functions of arrays.

What is known lies in arrays by place (`ByPlace`), or is found without them, from states
themselves (`cardgames_dp._graph.lookup`).
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.graph import Integers
from cardgames_dp._results.records import State, brief


class ByPlace:
    """A base of what is known of the states of an explored game, by place.

    For each thing that is known, such as `value`, it has two methods: ``value_at`` of a
    place, and ``value_of`` of an array of places.
    """

    __slots__ = ()

    explored: Any

    @property
    def by_place(self) -> Any:
        """The same, by place."""
        return self

    def place(self, state: Any) -> Any:
        """Return the place of a state; a KeyError if it cannot be reached."""
        return self.explored.place(state)

    def places(self, states: NDArray[Any]) -> Integers:
        """Return the places of some states, in the form that the game uses."""
        if not isinstance(self.explored, ExploredArrays):
            raise TypeError(
                "arrays of states are for array games; look up single states in "
                "square brackets"
            )
        return self.explored.places(states)

    def reaches(self, states: NDArray[Any]) -> NDArray[np.bool_]:
        """Return whether each of some states of an array game can be reached."""
        reachable: NDArray[np.bool_] = self.explored._look_up(states)[1]
        return reachable

    def movers(self, places: Any) -> Any:
        """Return who moves at a place, or at some places."""
        return self.explored.graph.players[places]


T_co = TypeVar("T_co", covariant=True)

_MOST_SHOWN = 20
"""The most entries of a mapping that are printed."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ByState(Mapping[State, T_co], Generic[State, T_co]):
    """A mapping from the states of a game, or from its decision states only.

    Of an array game it may also be called with an array of states.

    Attributes
    ----------
    source : ByPlace or LookupValues
        What is known of the states.
    what : str
        The entry of each state: a thing that the source knows.
    deciding : bool
        Whether only decision states have an entry.
    """

    source: Any
    what: str
    deciding: bool = False

    def __call__(self, states: NDArray[Any]) -> Any:
        """Return the entries of some states.

        Parameters
        ----------
        states : ndarray of int, or pandas.Series
            Reachable states, in the form that the array game uses. A Series has
            single states of any game; the entries are a Series, too.

        Raises
        ------
        TypeError, GameError, KeyError
            As for `ExploredArrays.places`, or if nobody decides in one of the states.
        """
        if hasattr(states, "map") and states.ndim == 1:
            return states.map(self.__getitem__)
        places = places_of(self.source, states, deciding=self.deciding)
        return getattr(self.source, f"{self.what}_of")(places)

    @property
    def explored(self) -> Any:
        """The explored game."""
        return self.source.by_place.explored

    @property
    def places(self) -> Integers:
        """The places of the states that have an entry, each state once."""
        every = self.explored.representatives
        some = every == np.arange(len(every))
        if self.deciding:
            some &= self.explored.graph.players >= 0
        return np.flatnonzero(some)

    def __getitem__(self, state: State) -> T_co:
        place = self.source.place(state)
        if self.deciding and self.source.movers(place) < 0:
            raise KeyError(f"nobody decides in the state {state!r}")
        entry: T_co = getattr(self.source, f"{self.what}_at")(place)
        return entry

    def __iter__(self) -> Iterator[State]:
        return iter(self.explored.named_states(self.places))

    def __len__(self) -> int:
        return len(self.places)

    # All entries are made at once, as a look-up for every state takes longer.

    def _entries(self, places: Integers) -> dict[State, T_co]:
        explored, source = self.explored, self.source.by_place
        entries: Iterable[Any] = map(
            getattr(source, f"{self.what}_at"), places.tolist()
        )
        if self.what in ("best", "chosen") and source.num_variants is None:
            entries = explored.actions_with_flags(places, source.optimal)
            if self.what == "chosen" and source.tie_break == "uniform":
                entries = (dict.fromkeys(best, 1) for best in entries)
            elif self.what == "chosen":
                chosen = source.chosen[places].tolist()
                pairs = zip(explored.decisions(places), chosen, strict=True)
                entries = (actions[index] for (_, actions), index in pairs)
        return dict(zip(explored.named_states(places), entries, strict=True))

    def items(self) -> ItemsView[State, T_co]:
        """Return pairs of states and their entries."""
        return self._entries(self.places).items()

    def values(self) -> ValuesView[T_co]:
        """Return the entries of the states."""
        return self._entries(self.places).values()

    def __repr__(self) -> str:
        every = self.places
        some = self._entries(every[:_MOST_SHOWN])
        # Numbers may be too long to read, or for Python to print.
        items = [
            (state, brief(x) if isinstance(x, (Fraction, tuple)) else repr(x))
            for state, x in some.items()
        ]
        text = f"{{{', '.join([f'{state!r}: {x}' for state, x in items])}}}"
        more = f", ...}} ({len(some)} of {len(every)} states)"
        return text if len(some) == len(every) else text[:-1] + more


def places_of(source: Any, states: NDArray[Any], *, deciding: bool) -> Integers:
    """Return the places of some states, in all of which a player decides if asked."""
    places: Integers = source.places(states)
    if deciding:
        idle = source.movers(places) < 0
        if idle.any():
            state = np.asarray(states)[idle.argmax()].tolist()
            raise KeyError(f"nobody decides in the state {state}")
    return places


def not_a_policy_error(name: str, look_up: ByState[Any, Any]) -> TypeError:
    """Return the error for a look-up of states that is none of actions."""
    return TypeError(
        f"{name} must be a policy, such as a solution or its attribute policy, got a "
        f"look-up of {look_up.what!r} by state"
    )
