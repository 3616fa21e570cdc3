"""Games imported from other libraries: tables of their states."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from cardgames_dp.explored import Table


@dataclass(frozen=True, slots=True, repr=False)
class OpenSpielGame(Table[Hashable, int]):
    """A game of OpenSpiel as a `Game`: a table, which does not need OpenSpiel.

    Made by `from_open_spiel`. Its states are the keys of OpenSpiel's states, and its
    actions are OpenSpiel's numbers.

    Attributes
    ----------
    explored : Explored
        All states, which solvers take from here.
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

    def __repr__(self) -> str:
        return f"OpenSpielGame({self.name!r}, num_states={self.num_states})"
