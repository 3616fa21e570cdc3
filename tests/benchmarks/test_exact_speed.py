"""Speed of both backends, on games written as a user writes them."""

from fractions import Fraction

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from cardgames_dp import diagonal, exact
from cardgames_dp._graph import explored
from cardgames_dp.game import CHANCE, TERMINAL

State = tuple[int, int, str]


class RedBlack:
    """Turn cards over while you like: red pays 1, black costs 1."""

    num_players = 1

    def __init__(self, cards_a_side: int) -> None:
        self.cards_a_side = cards_a_side

    def initial_state(self) -> State:
        return self.cards_a_side, self.cards_a_side, "decide"

    def current_player(self, state: State) -> int:
        return {"decide": 0, "draw": CHANCE, "stop": TERMINAL}[state[2]]

    def legal_actions(self, state: State) -> list[str]:
        return ["stop", "draw"] if state[0] or state[1] else ["stop"]

    def next_state(self, state: State, action: str) -> State:
        return state[0], state[1], action

    def chance_outcomes(self, state: State) -> list[tuple[int, State]]:
        red, black, _ = state
        return [(red, (red - 1, black, "decide")), (black, (red, black - 1, "decide"))]

    def returns(self, state: State) -> list[int]:
        return [state[1] - state[0]]


@pytest.mark.parametrize(
    ("cards_a_side", "value"),
    [(26, Fraction(41984711742427, 15997372030584)), (100, 5.191092001)],
)
def test_red_black(
    benchmark: BenchmarkFixture, cards_a_side: int, value: Fraction | float
) -> None:
    """Targets, on one idle core: 0.1 s for 26 + 26, 1.5 s for 100 + 100."""
    solution = benchmark(exact.solve, RedBlack(cards_a_side))
    if isinstance(value, Fraction):
        assert solution.value == (value,)
    else:
        assert float(solution.value[0]) == pytest.approx(value, abs=1e-9)


def test_long_game(benchmark: BenchmarkFixture) -> None:
    """A hundred thousand states in one line: the overhead of a state."""

    class Line:
        num_players = 1

        def initial_state(self) -> int:
            return 100_000

        def current_player(self, state: int) -> int:
            return 0 if state else TERMINAL

        def legal_actions(self, state: int) -> tuple[int]:
            return (1,)

        def next_state(self, state: int, action: int) -> int:
            return state - action

        def chance_outcomes(self, state: int) -> list[tuple[int, int]]:
            return []

        def returns(self, state: int) -> tuple[int]:
            return (7,)

    assert benchmark(exact.solve, Line()).value == (7,)


def test_red_black_in_floats(benchmark: BenchmarkFixture) -> None:
    """Of 121,202 states; most of the time is the game's own, and its answers' checks.

    Compare with ``test_red_black_in_fractions``.
    """
    solution = benchmark(diagonal.solve, RedBlack(200))
    assert solution.value[0] == pytest.approx(7.356938687, abs=1e-9)


def test_red_black_in_fractions(benchmark: BenchmarkFixture) -> None:
    """The same game in exact numbers."""
    assert benchmark(exact.solve, RedBlack(200)).ties == ((1, 2, "decide"),)


def test_finding_states(benchmark: BenchmarkFixture) -> None:
    """What both backends do before they solve the same game."""
    found = benchmark(explored.explore, RedBlack(200))
    assert found.num_states == 121_202


def test_sweeping_diagonals(benchmark: BenchmarkFixture) -> None:
    """The float64 backend's own work on the same game."""
    found = explored.explore(RedBlack(200))
    solution = benchmark(diagonal.solve, found)
    assert solution.value[0] == pytest.approx(7.356938687, abs=1e-9)
