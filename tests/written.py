"""Games as a user writes them, and random ones, for the tests of both backends."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from cardgames_dp.game import CHANCE, TERMINAL


@dataclass
class Table:
    """A game given state by state.

    A row is ("chance", [(weight, state), ...]), ("end", [return, ...]) or
    (player, {action: state, ...}).
    """

    rows: Mapping[Any, tuple[Any, Any]]
    start: Any = 0
    num_players: Any = 1

    def initial_state(self) -> Any:
        return self.start

    def current_player(self, state: Any) -> Any:
        kind = self.rows[state][0]
        return {"chance": CHANCE, "end": TERMINAL}.get(kind, kind)

    def legal_actions(self, state: Any) -> list[Any]:
        return list(self.rows[state][1])

    def next_state(self, state: Any, action: Any) -> Any:
        return self.rows[state][1][action]

    def chance_outcomes(self, state: Any) -> Any:
        return self.rows[state][1]

    def returns(self, state: Any) -> Any:
        return self.rows[state][1]


@dataclass
class RedBlack:
    """Turn cards over while you like: red pays 1, black costs 1."""

    red: int
    black: int
    num_players: int = 1

    def initial_state(self) -> tuple[int, int, str]:
        return self.red, self.black, "decide"

    def current_player(self, state: tuple[int, int, str]) -> int:
        return {"decide": 0, "draw": CHANCE, "stop": TERMINAL}[state[2]]

    def legal_actions(self, state: tuple[int, int, str]) -> list[str]:
        return ["stop", "draw"] if state[0] or state[1] else ["stop"]

    def next_state(
        self, state: tuple[int, int, str], action: str
    ) -> tuple[int, int, str]:
        return state[0], state[1], action

    def chance_outcomes(
        self, state: tuple[int, int, str]
    ) -> list[tuple[int, tuple[int, int, str]]]:
        red, black, _ = state
        return [(red, (red - 1, black, "decide")), (black, (red, black - 1, "decide"))]

    def returns(self, state: tuple[int, int, str]) -> list[int]:
        return [(self.red - state[0]) - (self.black - state[1])]


class Cards:
    """Red/black for arrays, as the documentation of `ArrayGame` has it."""

    num_players = 1

    def __init__(self, red: int, black: int) -> None:
        self.deck = np.array([red, black])

    def initial_states(self) -> NDArray[Any]:
        return np.array([[*self.deck, 0]])

    def current_players(self, states: NDArray[Any]) -> NDArray[Any]:
        red, black, decided = states.T
        over = (decided == 1) | (red + black == 0)
        return np.where(over, TERMINAL, np.where(decided == 2, CHANCE, 0))

    def legal_actions(self, states: NDArray[Any]) -> Any:
        count = len(states)
        return np.repeat(np.arange(count), 2), np.tile([1, 2], count)

    def next_states(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        return np.column_stack([states[:, :2], actions])

    def chance_outcomes(self, states: NDArray[Any]) -> Any:
        index, (red, black, _) = np.arange(len(states)), states.T
        after = [states - [1, 0, 2], states - [0, 1, 2]]
        return np.tile(index, 2), np.append(red, black), np.concatenate(after)

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        paid: NDArray[Any] = (self.deck - states[:, :2]) @ [1, -1]
        return paid


@st.composite
def games(
    draw: st.DrawFn,
    *,
    max_states: int = 12,
    max_players: int = 4,
    max_moves: int = 4,
    decides: bool = False,
) -> Table:
    """Return a random acyclic game: a state leads to states of higher number only.

    If `decides`, it begins with a decision.
    """
    players = draw(st.integers(1, max_players))
    size = draw(st.integers(1 + decides, max_states))
    # Few different returns, so that ties are frequent.
    payoffs = st.lists(
        st.one_of(st.integers(-2, 2), st.fractions(-1, 1, max_denominator=3)),
        min_size=players,
        max_size=players,
    )
    rows: dict[Any, tuple[Any, Any]] = {}
    for state in range(size):
        following = st.integers(state + 1, size - 1)
        kinds = ["end"] if state == size - 1 else ["end", "chance", "move", "move"]
        if decides and state == 0:
            kinds = ["move"]
        kind = draw(st.sampled_from(kinds))
        if kind == "end":
            rows[state] = ("end", draw(payoffs))
        elif kind == "chance":
            outcomes = st.tuples(st.integers(0, 4), following)
            drawn = draw(st.lists(outcomes, max_size=max_moves - 1))
            certain = draw(st.tuples(st.integers(1, 4), following))
            rows[state] = ("chance", [*drawn, certain])
        else:
            moves = draw(st.lists(following, min_size=1, max_size=max_moves))
            mover = draw(st.integers(0, players - 1))
            rows[state] = (mover, {f"{i}": t for i, t in enumerate(moves)})
    return Table(rows, num_players=players)
