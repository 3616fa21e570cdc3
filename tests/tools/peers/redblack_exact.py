"""This library, any game: a class of one's own, solved exactly."""

from fractions import Fraction
from typing import Any

from cardgames_dp import exact
from cardgames_dp.game import CHANCE, TERMINAL

ABOUT = ("exact.solve, own game", "cardgames_dp", "exact")

State = tuple[int, int, str]


class RedBlack:
    num_players = 1

    def __init__(self, n: int) -> None:
        self.n = n

    def initial_state(self) -> State:
        return self.n, self.n, ""

    def current_player(self, state: State) -> int:
        return {"": 0, "draw": CHANCE, "stop": TERMINAL}[state[2]]

    def legal_actions(self, state: State) -> list[str]:
        return ["stop", "draw"] if state[0] + state[1] else ["stop"]

    def next_state(self, state: State, action: str) -> State:
        return state[0], state[1], action

    def chance_outcomes(self, state: State) -> list[tuple[int, State]]:
        red, black, _ = state
        return [(red, (red - 1, black, "")), (black, (red, black - 1, ""))]

    def returns(self, state: State) -> list[int]:
        return [state[1] - state[0]]


def build(n: int) -> Any:
    return RedBlack(n)


def solve(game: Any) -> Fraction:
    value: Fraction = exact.solve(game, max_states=10**9).value
    return value
