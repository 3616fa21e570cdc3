"""A game imported from OpenSpiel: a table of its states."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from cardgames_dp._records import Record


class Position(NamedTuple):
    """The properties of a state of OpenSpiel, without those of later states.

    Attributes
    ----------
    player : int
        The player to move, or `CHANCE` or `TERMINAL`, the same numbers as in OpenSpiel.
    actions : tuple of int
        The actions of a player, or the outcomes of chance.
    weights : tuple of int
        The weights of outcomes; otherwise empty.
    returns : tuple of Fraction
        The returns at the end; also before it, if the game pays during play.
    """

    player: int
    actions: tuple[int, ...]
    weights: tuple[int, ...]
    returns: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True, repr=False)
class OpenSpielGame(Record):
    """A game of OpenSpiel as a `Game`: a table, which does not need OpenSpiel.

    Made by `from_open_spiel`. Its states are the keys of OpenSpiel's states, and its
    actions are OpenSpiel's numbers.

    Attributes
    ----------
    name : str
        The name of the game for ``pyspiel.load_game``.
    num_players : int
        The number of players.
    num_states : int
        The number of states.

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
        """The number of states."""
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
        """Return the return of each player in a terminal state."""
        return self._positions[state].returns

    def __repr__(self) -> str:
        return f"OpenSpielGame({self.name!r}, num_states={self.num_states})"
