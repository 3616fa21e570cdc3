"""OpenSpiel: a game written in Python, solved by its value iteration."""

import sys
from typing import Any

import pyspiel
from open_spiel.python.algorithms import value_iteration

ABOUT = ("OpenSpiel", "open_spiel", "float64")

STOP, DRAW = 0, 1
RED, BLACK = 0, 1

TYPE = pyspiel.GameType(
    short_name="python_redblack",
    long_name="Red/black",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=1,
    min_num_players=1,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={},
)


class RedBlack(pyspiel.Game):  # type: ignore[misc]
    def __init__(self, n: int) -> None:
        self.n = n
        info = pyspiel.GameInfo(2, 2, 1, -float(n), float(n), None, 4 * n + 1)
        super().__init__(TYPE, info, {})

    def new_initial_state(self) -> Any:
        return Deck(self)


class Deck(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.red = self.black = game.n
        self.decided = -1

    def current_player(self) -> Any:
        if self.decided == STOP or self.red + self.black == 0:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.decided == DRAW else 0

    def _legal_actions(self, _: int) -> list[int]:
        return [STOP, DRAW]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        cards = self.red + self.black
        both = [(RED, self.red / cards), (BLACK, self.black / cards)]
        return [pair for pair in both if pair[1]]

    def _apply_action(self, action: int) -> None:
        if self.decided != DRAW:
            self.decided = action
            return
        self.decided = -1
        self.red -= action == RED
        self.black -= action == BLACK

    def _action_to_string(self, _: int, action: int) -> str:
        return str(action)

    def is_terminal(self) -> bool:
        return bool(self.current_player() == pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        return [float(self.black - self.red)]

    def __str__(self) -> str:
        return f"{self.red} {self.black} {self.decided}"


def build(n: int) -> Any:
    return RedBlack(n)


def solve(game: Any) -> float:
    sys.setrecursionlimit(10**7)
    # Told of cycles, it does not enter a state again that it has met.
    found = value_iteration.value_iteration(game, -1, 1e-12, cyclic_game=True)
    return float(found[str(game.new_initial_state())])
