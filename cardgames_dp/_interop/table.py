"""A game of OpenSpiel when it has come: a table of its states."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from cardgames_dp._records import Record


class Position(NamedTuple):
    """What can be asked about a state of OpenSpiel without going on from it.

    Attributes
    ----------
    player : int
        Who moves, or `CHANCE` or `TERMINAL`, which are the same numbers in OpenSpiel.
    actions : tuple of int
        Those of a player, or the outcomes of chance.
    weights : tuple of int
        Of outcomes; else empty.
    returns : tuple of Fraction
        Where the game is over; and before, if it pays on the way.
    """

    player: int
    actions: tuple[int, ...]
    weights: tuple[int, ...]
    returns: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True, repr=False)
class OpenSpielGame(Record):
    """A game of OpenSpiel that has become a `Game`: a table, which needs no OpenSpiel.

    Its states are keys of OpenSpiel's states, as `from_open_spiel` was told, its
    actions OpenSpiel's numbers.

    Attributes
    ----------
    name : str
        What ``pyspiel.load_game`` takes.
    num_players : int
        How many players there are.
    num_states : int
        How many states there are.

    Examples
    --------
    >>> from cardgames_dp import interop
    >>> game = interop.from_open_spiel("nim(pile_sizes=1;2)")
    >>> game
    OpenSpielGame('nim(pile_sizes=1;2)', num_states=12)
    >>> game.legal_actions(game.initial_state())
    (0, 1, 3)
    """

    name: str
    num_players: int
    _start: Hashable
    _positions: dict[Hashable, Position] = field(hash=False)
    _following: dict[Hashable, tuple[Hashable, ...]] = field(hash=False)

    @property
    def num_states(self) -> int:
        """How many states there are."""
        return len(self._positions)

    def initial_state(self) -> Hashable:
        """Return the state in which the game starts."""
        return self._start

    def current_player(self, state: Hashable) -> int:
        """Return the index of the player to move, or `CHANCE` or `TERMINAL`."""
        return self._positions[state].player

    def legal_actions(self, state: Hashable) -> tuple[int, ...]:
        """Return OpenSpiel's numbers of the actions."""
        return self._positions[state].actions

    def next_state(self, state: Hashable, action: int) -> Hashable:
        """Return the state to which an action leads."""
        where = self._positions[state].actions.index(action)
        return self._following[state][where]

    def chance_outcomes(self, state: Hashable) -> list[tuple[int, Hashable]]:
        """Return the outcomes of a chance state as pairs of weight and next state."""
        weights = self._positions[state].weights
        return list(zip(weights, self._following[state], strict=True))

    def returns(self, state: Hashable) -> tuple[Fraction, ...]:
        """Return what each player gets in a terminal state."""
        return self._positions[state].returns

    def __repr__(self) -> str:
        return f"OpenSpielGame({self.name!r}, num_states={self.num_states})"
