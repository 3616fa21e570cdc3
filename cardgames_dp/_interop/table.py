"""Games imported from other libraries: tables of their states."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from cardgames_dp._graph.explored import Table


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


@dataclass(frozen=True, slots=True, repr=False)
class GambitGame(Table[tuple[str, ...], str]):
    """A game of Gambit as a `Game`: a table, which does not need Gambit.

    Made by `from_efg` and `from_gambit`. A state is the tuple of the labels of all
    actions and outcomes of chance that lead to it, and an action is its label.

    Attributes
    ----------
    explored : Explored
        All states, which solvers take from here.
    title : str
        The title of the game.
    players : tuple of str
        The names of the players.
    num_players : int
        The number of players.
    num_states : int
        The number of nodes that can be reached.

    Examples
    --------
    >>> from cardgames_dp import interop
    >>> game = interop.from_efg('''EFG 2 R "A bet" { "Ann" }
    ... p "" 1 1 "" { "bet" "pass" } 0
    ...   c "" 1 "" { "heads" 1/2 "tails" 1/2 } 0
    ...     t "" 1 "" { 3 }
    ...     t "" 2 "" { -1 }
    ...   t "" 0''')
    >>> game
    GambitGame('A bet', players=('Ann',), num_states=5)
    >>> game.chance_outcomes(("bet",))
    [(1, ('bet', 'heads')), (1, ('bet', 'tails'))]
    """

    title: str
    players: tuple[str, ...]

    def __repr__(self) -> str:
        return (
            f"GambitGame({self.title!r}, players={self.players}, "
            f"num_states={self.num_states})"
        )
