"""This library, any game: a class for arrays, solved in float64 with a bound."""

from typing import Any

import numpy as np

from cardgames_dp import diagonal
from cardgames_dp.game import CHANCE, TERMINAL

ABOUT = ("diagonal.solve, for arrays", "cardgames_dp", "certified")

ASK, STOP, DRAW = 0, 1, 2


class RedBlack:
    num_players = 1

    def __init__(self, n: int) -> None:
        self.deck = np.array([n, n])

    def initial_states(self) -> Any:
        return np.array([[*self.deck, ASK]])

    def current_players(self, states: Any) -> Any:
        red, black, decided = states.T
        over = (decided == STOP) | (red + black == 0)
        return np.where(over, TERMINAL, np.where(decided == DRAW, CHANCE, 0))

    def legal_actions(self, states: Any) -> Any:
        return np.repeat(np.arange(len(states)), 2), np.tile([STOP, DRAW], len(states))

    def next_states(self, states: Any, actions: Any) -> Any:
        return np.column_stack([states[:, :2], actions])

    def chance_outcomes(self, states: Any) -> Any:
        index, (red, black, _) = np.arange(len(states)), states.T
        after = [states - [1, 0, DRAW], states - [0, 1, DRAW]]
        return np.tile(index, 2), np.append(red, black), np.concatenate(after)

    def returns(self, states: Any) -> Any:
        return states[:, :2] @ [-1, 1]


def build(n: int) -> Any:
    return RedBlack(n)


def solve(game: Any) -> float:
    return float(diagonal.solve(game, max_states=10**9).value)
