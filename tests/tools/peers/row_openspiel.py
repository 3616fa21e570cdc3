"""OpenSpiel: a game written here and sent there, solved by its value iteration."""

import sys
from typing import Any

from open_spiel.python.algorithms import value_iteration

from cardgames_dp import interop
from cardgames_dp.game import TERMINAL

from . import row_numpy

ABOUT = ("OpenSpiel, game from here", "open_spiel", "float64")

State = tuple[int, int, int, int]


class Row:
    """With the lead in the states, on which rewards must not depend there."""

    num_players = 2

    def __init__(self, n: int) -> None:
        self.cards = row_numpy.build(n)

    def initial_state(self) -> State:
        return 0, len(self.cards), 0, 0

    def current_player(self, state: State) -> int:
        return TERMINAL if state[0] == state[1] else state[2]

    def legal_actions(self, state: State) -> list[str]:
        return ["left", "right"] if state[1] - state[0] > 1 else ["left"]

    def next_state(self, state: State, action: str) -> State:
        left, right, player, lead = state
        low, high = (left + 1, right) if action == "left" else (left, right - 1)
        card = self.cards[left if action == "left" else high]
        return low, high, 1 - player, lead + (card if player == 0 else -card)

    def chance_outcomes(self, state: State) -> list[tuple[int, State]]:
        return []

    def returns(self, state: State) -> list[int]:
        return [state[3], -state[3]]


def build(n: int) -> Any:
    return interop.to_open_spiel(Row(n))


def solve(game: Any) -> float:
    sys.setrecursionlimit(10**7)
    # Told of cycles, it does not enter a state again that it has met.
    found = value_iteration.value_iteration(game, -1, 1e-12, cyclic_game=True)
    return float(found[str(game.new_initial_state())])
