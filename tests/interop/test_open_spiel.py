"""Games that go to OpenSpiel and come from it, held against its own algorithms."""

import copy
import gc
import math
import pickle
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pyspiel
import pytest
from hypothesis import example, given, strategies as st
from open_spiel.python.algorithms import (
    minimax_solver,
    value_iteration,
)
from open_spiel.python.observation import make_observation

from cardgames_dp import cardrow, exact, interop, pairs, redblack
from cardgames_dp._interop import from_open_spiel
from cardgames_dp.game import Game, GameError, TooManyStatesError, explore

from ..games import RedBlack, Row, Table, games, whole
from ..refusals import game_error, refuses, type_error, value_error

# To OpenSpiel
# ------------

MATCH = Table({0: (0, {"a": 1, 1: 2, "1": 2}), 1: ("end", [0]), 2: ("end", [0])})
OURS = [
    redblack.game(4, 3),
    Row([4, 4, 6, 6, 12, 9]),
    cardrow.game([4, 4, 6, 6, 12, 9]),
    cardrow.game([3, 1, 4, 1, 5], rules=cardrow.Rules(2, 3)),
    pairs.game(pairs.Rules(deck={1: 2, 2: 2}, target=2)),
    RedBlack(3, 3),
    Table({0: ("end", [Fraction(1, 3)])}),
    MATCH,
]


@pytest.mark.parametrize("game", OURS, ids=lambda game: type(game).__name__)
def test_openspiels_own_test_of_a_game(game: Any) -> None:
    pyspiel.random_sim_test(
        interop.to_open_spiel(game), num_sims=20, serialize=True, verbose=False
    )


@given(game=games(max_players=3))
@example(game=MATCH)
def test_openspiels_own_test_of_random_games(game: Table) -> None:
    there = interop.to_open_spiel(game, name="random")
    pyspiel.random_sim_test(there, num_sims=3, serialize=True, verbose=False)
    assert there.get_type().short_name == "random"


def test_information_is_the_history_and_observation_the_state() -> None:
    state = interop.to_open_spiel(RedBlack(1, 1)).new_initial_state()
    state.apply_action(1)
    assert state.observation_string(0) == str(state) == "(1, 1, 'draw')"
    assert state.information_state_string(0) == state.history_str() == "1"


def test_a_state_is_several_if_plays_to_it_were_paid_differently() -> None:
    """As in a row, whose states do not have the sums taken."""
    game = cardrow.game([4, 7, 2, 9, 3])
    there = interop.to_open_spiel(game)
    values = value_iteration.value_iteration(there, depth_limit=-1, threshold=1e-9)
    assert values[str(there.new_initial_state())] == cardrow.value([4, 7, 2, 9, 3])
    assert len(values) == len(explore(Row([4, 7, 2, 9, 3])).states)
    ways = Table(
        {0: ("chance", [(1, 1, [2]), (1, 2)]), 2: ("chance", [(1, 1)]), 1: ("end", [0])}
    )
    state = interop.to_open_spiel(ways).new_initial_state()
    state.apply_action(0)
    assert (str(state), state.returns()) == ("(1, (Fraction(2, 1),))", [2])


def test_games_of_one_name_are_told_apart() -> None:
    """The name finds the latest one, and the whole text each that is in memory."""
    first = interop.to_open_spiel(RedBlack(1, 1), name="reds_and_blacks")
    second = interop.to_open_spiel(RedBlack(1, 2), name="reds_and_blacks")
    assert first != second
    assert pyspiel.load_game("reds_and_blacks") == second
    assert pyspiel.load_game(str(first)) == first
    assert first == interop.to_open_spiel(RedBlack(1, 1), name="reds_and_blacks")
    assert pyspiel.load_game("reds_and_blacks") == first
    gone = str(interop.to_open_spiel(RedBlack(3, 2), name="reds_and_blacks"))
    interop.to_open_spiel(RedBlack(1, 1), name="reds_and_blacks")
    gc.collect()
    with pytest.raises(ValueError, match="is not in memory any more: keep what to_ope"):
        pyspiel.load_game(gone)


def test_a_pickle_is_read_by_another_process() -> None:
    game = interop.to_open_spiel(redblack.game(2, 2), name="elsewhere")
    state = game.new_initial_state().child(1)
    script = """if True:
        import pickle, sys
        state = pickle.load(sys.stdin.buffer)
        import pyspiel
        assert pyspiel.load_game("elsewhere") == state.get_game()
        print(state, pyspiel.deserialize_game_and_state(
            pyspiel.serialize_game_and_state(state.get_game(), state))[1].history())
    """
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=pickle.dumps(state),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().strip() == f"{state} [1]"


def test_tensors_are_those_of_states() -> None:
    """Without a function: a 1 at the number of the state, which is its place."""
    game = Row([3, 1, 2])
    explored = explore(game)
    there = interop.to_open_spiel(game)

    def looked(state: Any) -> list[list[float]]:
        return [[len(str(state)), 0.5], [explored.places[state], -1]]

    seen = interop.to_open_spiel(game, tensor=looked)
    assert there.observation_tensor_shape() == [explored.num_states]
    assert seen.observation_tensor_shape() == [2, 2]
    assert seen.information_state_tensor_shape() == [2, 2]
    for number, at in enumerate(explored.states):
        history = path_to(there, str(at))
        state, other = there.new_initial_state(), seen.new_initial_state()
        for action in history:
            state.apply_action(action)
            other.apply_action(action)
        one_hot = [float(i == number) for i in range(explored.num_states)]
        assert state.observation_tensor(0) == one_hot
        assert state.information_state_tensor(1) == one_hot
        assert other.observation_tensor(1) == [len(str(at)), 0.5, number, -1]
        assert make_observation(seen).string_from(other, 0) == str(at)


def path_to(game: Any, text: str) -> list[int]:
    """Return the actions that lead to a state."""
    ahead = [game.new_initial_state()]
    while str(ahead[-1]) != text:
        state = ahead.pop()
        ahead += [state.child(action) for action in state.legal_actions()]
    return ahead[-1].history()  # type: ignore[no-any-return]


@given(game=games(players=1) | games(total=0))
def test_openspiels_value_iteration_finds_the_same(game: Table) -> None:
    there = interop.to_open_spiel(game)
    values = value_iteration.value_iteration(there, depth_limit=-1, threshold=1e-13)
    solution = exact.solve(game)
    decided = {str(s): s for s in solution.values if game.rows[s][0] != "chance"}
    assert values.keys() == decided.keys()
    for text, state in decided.items():
        right = float(solution.values[state])
        assert values[text] == pytest.approx(right, abs=1e-12)


def test_payments_on_the_way_are_paid_at_the_end() -> None:
    """In OpenSpiel a state is worth all that a play is paid, so here with the cash."""
    game = redblack.game(3, 3, rules=redblack.Rules(win=2, fee="1/2"))
    there = interop.to_open_spiel(game)
    values = value_iteration.value_iteration(there, depth_limit=-1, threshold=1e-13)
    solution = exact.solve(game)
    assert len(values) == 31  # all but those of chance
    for state in solution.values:
        if state.decision != "draw" or not state.red + state.black:
            cash = Fraction(3, 2) * (3 - state.red) - Fraction(3, 2) * (3 - state.black)
            right = float(solution.values[state] + cash)
            assert values[str(state)] == pytest.approx(right, abs=1e-12)


@pytest.mark.parametrize(
    ("returns", "kind", "total"),
    [
        ([[1, -1], [-2, 2]], "ZERO_SUM", 0.0),
        ([[1, 2], [3, 0]], "CONSTANT_SUM", 3.0),
        ([[1, 1], [2, 2]], "IDENTICAL", None),
        ([[1, 2], [2, 2]], "GENERAL_SUM", None),
        ([[1], [1]], "GENERAL_SUM", None),
    ],
)
def test_bounds(returns: list[list[int]], kind: str, total: float | None) -> None:
    rows: dict[Any, tuple[Any, Any]] = {
        "start": ("chance", [(1, "left"), (2, "right"), (3, "left"), (0, "never")]),
        "left": (0, {"go": "end"}),
        "right": ("end", returns[0]),
        "end": ("end", returns[1]),
    }
    game = interop.to_open_spiel(Table(rows, "start", len(returns[0])))
    assert game.get_type().utility.name == kind
    assert game.get_type().chance_mode.name == "EXPLICIT_STOCHASTIC"
    assert game.utility_sum() == total
    numbers = [x for each in returns for x in each]
    bounds = min(numbers), max(*numbers, min(numbers) + 1)
    assert (game.min_utility(), game.max_utility()) == bounds
    assert (game.max_game_length(), game.max_chance_nodes_in_history()) == (1, 1)
    assert (game.max_chance_outcomes(), game.num_distinct_actions()) == (2, 1)
    state = game.new_initial_state()
    assert state.chance_outcomes() == [(0, 4 / 6), (1, 2 / 6)]
    assert state.action_to_string(1) == "right"
    assert state.child(0).action_to_string(0) == "go"


def test_a_constant_sum_becomes_zero() -> None:
    ends = {1: ("end", [4, 1]), 2: ("end", [Fraction(1, 2), Fraction(9, 2)])}
    game = Table({0: ("chance", [(1, 1), (2, 3)]), 3: (1, {1: 1, 2: 2}), **ends}, 0, 2)
    there = interop.to_open_spiel(game, zero_sum=True)
    assert there.get_type().utility.name == "ZERO_SUM"
    assert there.utility_sum() == 0
    assert (there.min_utility(), there.max_utility()) == (-2, 2)
    come = exact.solve(interop.from_open_spiel(there, key=str)).payoffs
    assert come == tuple(x - Fraction(5, 2) for x in exact.solve(game).payoffs)
    three = Table({0: ("end", [1, 3, 5])}, num_players=3)
    over = interop.to_open_spiel(three, zero_sum=True).new_initial_state()
    assert over.returns() == [-2, 0, 2]


@pytest.mark.parametrize(
    "copied",
    [
        *(copy.deepcopy, copy.copy),
        *(lambda x, p=p: pickle.loads(pickle.dumps(x, p)) for p in (2, 5)),
    ],
)
def test_copies_of_games_and_states(copied: Callable[[Any], Any]) -> None:
    game = interop.to_open_spiel(RedBlack(2, 2))
    interop.to_open_spiel(RedBlack(2, 1))  # which is what the name means from now on
    state = game.new_initial_state()
    assert len(state.serialize()) < 100  # without the board
    state.apply_action(1)
    other, there = copied(game), copied(state)
    assert other == game == there.get_game()
    assert other.max_game_length() == game.max_game_length()
    assert str(there) == str(state) == str(other.new_initial_state().child(1))
    assert str(game.deserialize_state(state.serialize())) == str(state)
    there.apply_action(0)
    assert (there.history(), state.history()) == ([1, 0], [1])
    assert str(there) == str(state.child(0))


# From OpenSpiel
# --------------


@pytest.mark.parametrize(
    ("name", "states", "value"),
    [
        ("tic_tac_toe", 5478, 0),
        ("hex(board_size=2)", 32, 1),  # the first player wins: J. Nash
        ("nim(pile_sizes=1;3;5)", 88, 1),
        ("nim(pile_sizes=1;2;3)", 40, -1),  # C. Bouton: a nim sum of zero loses
        ("dots_and_boxes(num_rows=1,num_cols=2)", 143, 0),
    ],
)
def test_deterministic_games_against_minimax(
    name: str, states: int, value: int
) -> None:
    game = interop.from_open_spiel(name, key=str)
    solution = exact.solve(game)
    assert solution.num_states == states
    assert [*solution.payoffs] == [value, -value]
    table = minimax_solver.MinimaxSolver(name).solve()
    assert table.keys() == solution.policy.keys()
    for text, entry in table.items():
        mover = game.current_player(text)
        assert solution.payoffs_at(text)[mover] == entry.value
        best = {a for a, x in enumerate(entry.action_values) if x == entry.value}
        assert best == set(solution.optimal_actions[text])


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("dots_and_boxes(num_rows=1,num_cols=1)", str),
        ("catch(rows=4,columns=3)", str),
        ("breakthrough(rows=4,columns=2)", lambda s: (str(s), s.current_player())),
    ],
)
def test_a_key_that_is_right_changes_no_value(name: str, key: Any) -> None:
    histories = exact.solve(interop.from_open_spiel(name))
    short = exact.solve(interop.from_open_spiel(name, key=key))
    assert short.num_states < histories.num_states
    for actions in histories.values:
        state = pyspiel.load_game(name).new_initial_state()
        assert isinstance(actions, tuple)
        for action in actions:
            state.apply_action(action)
        assert short.payoffs_at(key(state)) == histories.payoffs_at(actions)
        if actions in histories.policy:
            best = histories.optimal_actions[actions]
            assert short.optimal_actions[key(state)] == best


@given(game=games(max_players=3).map(whole))
def test_there_and_back_again(game: Table) -> None:
    there = interop.to_open_spiel(game)
    solution = exact.solve(game)
    table = interop.from_open_spiel(there, key=str)
    again = exact.solve(table)
    assert again.values == {str(s): value for s, value in solution.values.items()}
    ties = {str(state): len(best) for state, best in solution.optimal_actions.items()}
    assert {text: len(best) for text, best in again.optimal_actions.items()} == ties
    histories = interop.from_open_spiel(there)
    assert exact.solve(histories).payoffs == solution.payoffs
    assert histories.num_states >= again.num_states


@given(game=games(max_players=3).map(whole))
def test_openspiel_reads_what_is_written_for_gambit(game: Table) -> None:
    if game.rows[0][0] == "end":
        return  # a tree without moves, which OpenSpiel does not read
    there = pyspiel.load_efg_game(interop.to_efg(game))
    again = interop.from_open_spiel(there)
    assert exact.solve(again).payoffs == exact.solve(game).payoffs


def test_what_comes_is_a_plain_table() -> None:
    game = interop.from_open_spiel("nim(pile_sizes=1;2)")
    assert isinstance(game, Game)
    assert pickle.loads(pickle.dumps(game)) == game
    assert b"pyspiel" not in pickle.dumps(game)
    assert interop.from_open_spiel(pyspiel.load_game("nim(pile_sizes=1;2)")) == game
    with pytest.raises(ValueError, match="not in tuple"):
        game.next_state((), 2)


# Chances
# -------


@given(st.fractions(0, 1, max_denominator=10**6), st.integers(-3, 3))
def test_a_chance_is_the_fraction_that_it_stands_for(p: Fraction, units: int) -> None:
    chance = float(p)
    for _ in range(abs(units)):
        chance = math.nextafter(chance, math.copysign(2, units)) if p else chance
    assert from_open_spiel.fraction_of(chance) == p


@pytest.mark.parametrize(
    "chance", [math.sqrt(0.5), 1e-9, 1 / 1_000_003, math.nan, math.inf, -math.inf]
)
def test_a_chance_that_stands_for_none(chance: float) -> None:
    assert from_open_spiel.fraction_of(chance) is None


# Refusals
# --------


def unsafe(state: Any) -> Any:
    """Return a key without the limit of moves, which `move_number` does not count."""
    return str(state), state.current_player(), state.move_number()


@pytest.mark.parametrize("rng", [0, 1, None, np.random.default_rng(2)], ids=str)
def test_playouts_expose_a_key_that_lacks_something(rng: Any) -> None:
    name = "pig(winscore=4,horizon=8,diceoutcomes=3)"

    def safe(state: Any) -> Any:
        return str(state), sum(move.player >= 0 for move in state.full_history())

    game = interop.from_open_spiel(name, key=safe, rng=rng)
    assert exact.solve(game).value == Fraction(616, 2187)
    assert exact.solve(interop.from_open_spiel(name)).value == Fraction(616, 2187)
    with pytest.raises(GameError, match=r"and leads to .*; key lacks something"):
        interop.from_open_spiel(name, key=unsafe, rng=rng)


class Odd(pyspiel.Game):  # type: ignore[misc]
    """A toss of a coin with chances, and a return, as they are given."""

    def __init__(self, chances: list[float], prize: float) -> None:
        self.chances, self.prize = chances, prize
        there = interop.to_open_spiel(RedBlack(1, 1))
        info = pyspiel.GameInfo(
            num_distinct_actions=1,
            max_chance_outcomes=len(chances),
            num_players=1,
            min_utility=0.0,
            max_utility=1.0,
            max_game_length=1,
        )
        super().__init__(there.get_type(), info, {})

    def new_initial_state(self) -> Any:
        return OddState(self)


class OddState(pyspiel.State):  # type: ignore[misc]
    """One of its two states. Without chances somebody must move, and cannot."""

    def __init__(self, game: Odd) -> None:
        super().__init__(game)
        self.chances, self.prize, self.over = game.chances, game.prize, False

    def current_player(self) -> int:
        mover = pyspiel.PlayerId.CHANCE if self.chances else 0
        return int(pyspiel.PlayerId.TERMINAL if self.over else mover)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(enumerate(self.chances))

    def _legal_actions(self, _player: int) -> list[int]:
        return []

    def _apply_action(self, action: int) -> None:
        self.over = True

    def is_terminal(self) -> bool:
        return self.over

    def returns(self) -> list[float]:
        return [self.prize]

    def __str__(self) -> str:
        return "over" if self.over else "toss"


def test_odd_numbers() -> None:
    come = interop.from_open_spiel(Odd([0.1, 0.2, 0.7], 0.1))
    assert exact.solve(come).value == Fraction(0.1)
    game = interop.from_open_spiel(Odd([0.5, 0.0, 0.5], 1.0))
    assert game.chance_outcomes(()) == [(1, (0,)), (1, (2,))]
    assert game.num_states == 3  # outcomes that cannot happen are left out


# Refusals
# --------


ONE, PIG = RedBlack(1, 1), "pig(winscore=4,horizon=8,diceoutcomes={})"
SUMS = Table({0: (0, {1: 1, 2: 2}), 1: ("end", [1, 2]), 2: ("end", [2, 2])}, 0, 2)
go, come = interop.to_open_spiel, interop.from_open_spiel


def test_to_openspiel() -> None:
    type_error("game must have the members of cardgames_dp.game.Game", go, 3)
    type_error("game must be an instance of RedBlack", go, RedBlack)
    refuses(TooManyStatesError, "the game has more states", go, ONE, max_states=3)
    game_error("the game must be acyclic for", go, Table({0: (0, {"a": 0})}))
    value_error("name must be new to OpenSpiel", go, ONE, name="tic_tac_toe")
    value_error("name must be a word of letters, digits and", go, ONE, name="")
    type_error("tensor must be a callable that takes a state, or", go, ONE, tensor=3)
    type_error("tensor((1, 1, 'decide')) must be", go, ONE, tensor=lambda _: "x")
    value_error("tensor((1, 1, 'decide')) must", go, ONE, tensor=lambda _: [math.nan])
    value_error("tensor((1, 1, 'decide')) must have", go, ONE, tensor=lambda _: 1.0)
    value_error(
        "tensor((1, 1, 'draw')) must", go, ONE, tensor=lambda state: [0] * len(state[2])
    )
    game_error("with zero_sum=True, the returns of at least", go, SUMS, zero_sum=True)
    value_error("returns must fit in a float64", go, Table({0: ("end", [10**400])}))


def test_from_openspiel() -> None:
    type_error("game must be a pyspiel.Game or the name of one", come, 3)
    value_error("game must be a game that OpenSpiel knows", come, "solitude")
    value_error("must be a game that OpenSpiel loads", come, "tic_tac_toe(size=4)")
    game_error("game must have information of OpenSpiel's kind", come, "matrix_pd")
    game_error("game must have dynamics of OpenSpiel's kind", come, "goofspiel")
    game_error("game must have chance of OpenSpiel's kind", come, "stones_and_gems")
    type_error("key must be a callable that takes a", come, "tic_tac_toe", key=3)
    type_error("key must return what is", come, "tic_tac_toe", key=lambda _: [])
    game_error("the game must be acyclic", come, PIG.format(2), key=str)
    game_error("key must be the same only for", come, PIG.format(3), key=unsafe)
    game_error("chances after () must be fractions with", come, Odd([0.5, 0.4], 1.0))
    game_error("returns((0,)) must hold finite numbers", come, Odd([1.0], math.inf))
    game_error("legal_actions(()) must hold at least one action", come, Odd([], 1.0))
    refuses(
        TooManyStatesError,
        "the game has more states than",
        come,
        "tic_tac_toe",
        max_states=100,
    )
    refuses(
        TooManyStatesError,
        "the game has more states than",
        come,
        "tic_tac_toe",
        key=str,
        max_states=5477,
    )
