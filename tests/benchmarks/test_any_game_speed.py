"""Speed of both backends on any game, beside what else there is for it.

In processor time, each group to be read as ratios in one run: ``pytest
tests/benchmarks/test_any_game_speed.py``. Storm and OpenSpiel are compared where they
are installed (``stormpy``, ``open_spiel``), the building of their models included.
"""

import sys
import time
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from cardgames_dp import diagonal, exact, interop, redblack
from cardgames_dp._graph import explored
from cardgames_dp.game import CHANCE, TERMINAL

from ..test_classics import YAHTZEE
from ..written import Cards

State = tuple[str, int, int, int, int, int]

# Of 271,801 states.
GAME = redblack.Rules().game(300, 300)
VALUE = 9.018086894484941

of_red_black = pytest.mark.benchmark(
    group="red/black 300 + 300", timer=time.process_time, min_rounds=3
)
of_pig = pytest.mark.benchmark(
    group="Pig to 40 in 20 turns", timer=time.process_time, min_rounds=1
)
of_noughts = pytest.mark.benchmark(
    group="tic-tac-toe", timer=time.process_time, min_rounds=3
)


@of_red_black
def test_explored(benchmark: BenchmarkFixture) -> None:
    assert benchmark(explored.explore, GAME).num_states == 271_801


@of_red_black
def test_in_floats(benchmark: BenchmarkFixture) -> None:
    """Target: a third of the 4.1 s that ``exact.solve`` took when it was written."""
    assert benchmark(diagonal.solve, GAME).value[0] == pytest.approx(VALUE, abs=1e-12)


@of_red_black
def test_exactly(benchmark: BenchmarkFixture) -> None:
    """Target: half of these 4.1 s."""
    value = benchmark(exact.solve, GAME).value
    assert float(value[0]) == pytest.approx(VALUE, abs=1e-12)


@of_red_black
def test_in_floats_again(benchmark: BenchmarkFixture) -> None:
    """Explored before. Target: a thirtieth of these 4.1 s."""
    found = explored.explore(GAME)
    assert benchmark(diagonal.solve, found).value[0] == pytest.approx(VALUE)


@of_red_black
def test_exactly_again(benchmark: BenchmarkFixture) -> None:
    found = explored.explore(GAME)
    assert float(benchmark(exact.solve, found).value[0]) == pytest.approx(VALUE)


@of_red_black
def test_for_arrays(benchmark: BenchmarkFixture) -> None:
    assert benchmark(diagonal.solve, Cards(300, 300)).value[0] == pytest.approx(VALUE)


@of_red_black
def test_by_storm(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """A model in the language of PRISM, which Storm explores and solves in C++."""
    stormpy = pytest.importorskip("stormpy")
    model = tmp_path / "redblack.prism"
    model.write_text(PRISM, encoding="utf-8")

    def solve() -> float:
        program = stormpy.parse_prism_program(str(model))
        wanted = stormpy.parse_properties('Rmax=? [F "over"]', program)
        built = stormpy.build_model(program, wanted)
        result = stormpy.model_checking(built, wanted[0])
        return float(result.get_value(built.initial_states[0]))

    assert benchmark(solve) - 300 == pytest.approx(VALUE, abs=1e-6)


# Storm's rewards are not negative: 300 is added to the cash.
PRISM = """
mdp
module redblack
  red : [0..300] init 300;
  black : [0..300] init 300;
  decided : [0..2] init 0;
  [stop] decided=0 -> (decided'=1);
  [draw] decided=0 & red+black>0 -> (decided'=2);
  [] decided=2 & red>0 & black>0 ->
     red/(red+black) : (red'=red-1) & (decided'=0)
     + black/(red+black) : (black'=black-1) & (decided'=0);
  [] decided=2 & black=0 -> (red'=red-1) & (decided'=0);
  [] decided=2 & red=0 -> (black'=black-1) & (decided'=0);
  [end] decided=1 -> true;
endmodule
rewards
  [stop] true : 300-red+black;
endrewards
label "over" = decided=1;
"""


class Pig:
    """Roll for points until you hold; a 1 loses the turn's points; so many points win.

    A state has what comes next, the turns left, who moves, the points of who moves, of
    the other, and of this turn. After the last turn it is a draw.
    """

    num_players = 2

    def __init__(self, points: int, turns: int) -> None:
        self.points, self.turns = points, turns

    def initial_state(self) -> State:
        return "move", self.turns, 0, 0, 0, 0

    def current_player(self, state: State) -> int:
        word, turns, mover, _, yours, _ = state
        if turns == 0 or yours >= self.points:
            return TERMINAL
        return CHANCE if word == "roll" else mover

    def legal_actions(self, state: State) -> list[str]:
        return ["hold"] if state[3] + state[5] >= self.points else ["hold", "roll"]

    def next_state(self, state: State, action: str) -> State:
        _, turns, mover, mine, yours, pot = state
        if action == "roll":
            return "roll", turns, mover, mine, yours, pot
        return "move", turns - 1, 1 - mover, yours, mine + pot, 0

    def chance_outcomes(self, state: State) -> list[tuple[int, State]]:
        _, turns, mover, mine, yours, pot = state
        bust = "move", turns - 1, 1 - mover, yours, mine, 0
        lucky = [("move", turns, mover, mine, yours, pot + n) for n in range(2, 7)]
        return [(1, bust), *((1, state) for state in lucky)]

    def returns(self, state: State) -> list[int]:
        _, _, mover, _, yours, _ = state
        if yours < self.points:
            return [0, 0]
        return [1, -1] if mover == 1 else [-1, 1]


def recursion(points: int, turns: int) -> Fraction:
    """Return the first player's value, by what somebody would write for this game."""

    @lru_cache(None)
    def edge(turns: int, mine: int, yours: int, pot: int) -> Fraction:
        if yours >= points:
            return Fraction(-1)
        if turns == 0:
            return Fraction(0)
        hold = -edge(turns - 1, yours, mine + pot, 0)
        if mine + pot >= points:
            return hold
        bust = -edge(turns - 1, yours, mine, 0)
        lucky = sum(edge(turns, mine, yours, pot + n) for n in range(2, 7))
        return max(hold, (bust + lucky) / 6)

    return edge(turns, 0, 0, 0)


@of_pig
def test_pig_by_a_recursion(benchmark: BenchmarkFixture) -> None:
    """Of 692,223 states, as chance has none of its own, nor the second player."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10**5)
    try:
        value = benchmark.pedantic(recursion, (40, 20))
    finally:
        sys.setrecursionlimit(limit)
    assert float(value) == pytest.approx(0.08822766337)


@of_pig
def test_pig_exactly(benchmark: BenchmarkFixture) -> None:
    """Of 1,215,369 states. Target: not slower than the recursion."""
    options = {"max_states": 2_000_000}
    solution = benchmark.pedantic(exact.solve, (Pig(40, 20),), options)
    assert solution.num_states == 1_215_369
    assert float(solution.value[0]) == pytest.approx(0.08822766337)


@of_pig
def test_pig_in_floats(benchmark: BenchmarkFixture) -> None:
    options = {"max_states": 2_000_000}
    solution = benchmark.pedantic(diagonal.solve, (Pig(40, 20),), options)
    assert solution.value[0] == pytest.approx(0.08822766337)


@of_noughts
def test_tic_tac_toe(benchmark: BenchmarkFixture) -> None:
    """OpenSpiel's game, its states told apart by their texts, solved here."""
    pytest.importorskip("pyspiel")

    def solve() -> tuple[float, ...]:
        return diagonal.solve(interop.from_open_spiel("tic_tac_toe", key=str)).value

    assert benchmark(solve) == (0, 0)


@of_noughts
def test_tic_tac_toe_by_open_spiel(benchmark: BenchmarkFixture) -> None:
    """The same game and the same states, by OpenSpiel's own value iteration."""
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import value_iteration

    def solve() -> Any:
        game = pyspiel.load_game("tic_tac_toe")
        values = value_iteration.value_iteration(game, -1, 1e-9)
        return values[str(game.new_initial_state())]

    assert benchmark(solve) == 0


@pytest.mark.benchmark(
    group="red/black for arrays", timer=time.process_time, min_rounds=1
)
@pytest.mark.parametrize(
    ("cards_a_side", "value"), [(1000, 16.489495866404358), (2000, 23.32995137143898)]
)
def test_millions(benchmark: BenchmarkFixture, cards_a_side: int, value: float) -> None:
    """Of 3 and 12 million states. Targets: 0.7 s, and 2.5 s in 600 MB."""
    game = Cards(cards_a_side, cards_a_side)
    solution = benchmark.pedantic(diagonal.solve, (game,))
    assert solution.value[0] == pytest.approx(value, abs=1e-9)
    half = cards_a_side // 2
    assert solution.policy(np.array([[half, half, 0]])).tolist() == [2]


of_yahtzee = pytest.mark.benchmark(
    group="ten boxes of Yahtzee", timer=time.process_time, min_rounds=1
)
TEN_BOXES = 199.2052610359


@of_yahtzee
def test_yahtzee(benchmark: BenchmarkFixture) -> None:
    """Of 33,000 positions. Target: within 1.5 times of the dense matrices."""
    game = YAHTZEE.Solitaire("forced", YAHTZEE.BOXES[-10:])
    assert benchmark.pedantic(game.solve) == pytest.approx(TEN_BOXES, abs=1e-9)


@of_yahtzee
def test_yahtzee_by_dense_matrices(benchmark: BenchmarkFixture) -> None:
    """What somebody would write for this game alone, without bounds of errors."""
    game = YAHTZEE.Solitaire("forced", YAHTZEE.BOXES[-10:])
    which = {tuple(row): i for i, row in enumerate(game.faces.tolist())}
    chances = np.zeros((len(YAHTZEE.KEPT), len(which)))
    for i, kept in enumerate(YAHTZEE.KEPT):
        count = 5 - kept.sum()
        rows = zip(YAHTZEE.THROWS[count], YAHTZEE.WAYS[count], strict=True)
        for thrown, ways in rows:
            chances[i, which[tuple((kept + thrown).tolist())]] = ways / 6**count
    fits = (game.faces[:, np.newaxis] >= YAHTZEE.KEPT).all(axis=2)
    starts, kept = np.cumsum(fits.sum(axis=1)) - fits.sum(axis=1), np.nonzero(fits)[1]

    def solve_some(some: Any) -> float:
        values = np.concatenate([game.worth(*each) for each in some]).T
        for _ in range(2):
            values = np.maximum.reduceat((chances @ values)[kept], starts, axis=0)
        start = 0
        first = chances[0] @ values
        for holds, bits, totals in some:
            game.values[holds, bits, totals] = first[start : start + len(totals)]
            start += len(totals)
        return 0.0

    game.solve_some = solve_some
    assert benchmark.pedantic(game.solve) == pytest.approx(TEN_BOXES, abs=1e-9)
