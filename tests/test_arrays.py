"""Games for arrays, held against the same games state by state."""

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any, assert_type

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

import cardgames_dp
from cardgames_dp import diagonal, exact, redblack
from cardgames_dp._graph import arrays, explored
from cardgames_dp._support import running
from cardgames_dp.game import (
    ArrayGame,
    ArraySolution,
    GameError,
    TooManyStatesError,
)

from .written import Cards, RedBlack, Table, games


class Listed:
    """A game that is given state by state, as a game for arrays.

    States are 0, 1, ..., each a number, or its digits in base three; actions are the
    places of the named ones.
    """

    def __init__(
        self, table: Table, *, rows: bool = False, mixed: bool = False
    ) -> None:
        self.table, self.rows, self.mixed = table, rows, mixed
        self.num_players = table.num_players

    def written(self, numbers: Any) -> NDArray[Any]:
        states = np.array(numbers, dtype=np.int64)
        return states[:, np.newaxis] // [9, 3, 1] % 3 if self.rows else states

    def read(self, states: NDArray[Any]) -> list[int]:
        assert states.dtype == np.int64
        numbers: list[int] = (states @ [9, 3, 1] if self.rows else states).tolist()
        return numbers

    def initial_states(self) -> NDArray[Any]:
        return self.written([self.table.start])

    def current_players(self, states: NDArray[Any]) -> NDArray[Any]:
        players = [self.table.current_player(s) for s in self.read(states)]
        return np.array(players, dtype=np.int64)

    def legal_actions(self, states: NDArray[Any]) -> Any:
        numbers = enumerate(self.read(states))
        pairs = [(i, k) for i, s in numbers for k in range(len(self.table.rows[s][1]))]
        if self.mixed:  # each state's in order, but not state by state
            pairs.sort(key=lambda pair: pair[1])
        index, actions = np.array(pairs).T
        return index, actions

    def next_states(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        pairs = zip(self.read(states), actions.tolist(), strict=True)
        return self.written([list(self.table.rows[s][1].values())[k] for s, k in pairs])

    def chance_outcomes(self, states: NDArray[Any]) -> Any:
        numbers = enumerate(self.read(states))
        rows = [(i, w, t) for i, s in numbers for w, t in self.table.rows[s][1]]
        if self.mixed:
            rows = rows[::2] + rows[1::2]
        index, weights, following = np.array(rows).T
        return index, weights, self.written(following)

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        return np.array([self.table.rows[s][1] for s in self.read(states)])


def scaled(game: Table) -> Table:
    """Return a game with six times the returns, which are integers."""
    rows = {
        state: (kind, [int(6 * x) for x in row] if kind == "end" else row)
        for state, (kind, row) in game.rows.items()
    }
    return Table(rows, num_players=game.num_players)


@given(
    game=games(max_players=5).map(scaled),
    tie_break=st.sampled_from(["first", "last"]),
    rows=st.booleans(),
    mixed=st.booleans(),
)
def test_random_games(game: Table, tie_break: Any, rows: bool, mixed: bool) -> None:
    one_by_one = exact.solve(game, tie_break=tie_break)
    listed = Listed(game, rows=rows, mixed=mixed)
    exactly = exact.solve(listed, tie_break=tie_break)
    floats = diagonal.solve(listed, tie_break=tie_break)
    assert exactly.value == one_by_one.value
    states = listed.written(list(one_by_one.values))
    assert list(map(tuple, exactly.values(states))) == list(one_by_one.values.values())
    errors = np.abs(exactly.values(states) - floats.values(states))
    assert (errors <= Fraction(floats.error)).all()
    if one_by_one.policy:
        asked = listed.written(list(one_by_one.policy))
        names = [f"{k}" for k in exactly.policy(asked)]
        index, actions = exactly.optimal_actions(asked)
        if not mixed:  # else the order of outcomes, hence of states, is another
            assert names == list(one_by_one.policy.values())
        for i, best in enumerate(one_by_one.optimal_actions.values()):
            assert tuple(f"{k}" for k in actions[index == i]) == best
            assert names[i] in best
        if floats.error == 0:
            assert floats.policy(asked).tolist() == exactly.policy(asked).tolist()
    assert bool(exactly.num_ties) == bool(one_by_one.ties)
    assert exactly.num_possible_ties == exactly.error == 0
    assert floats.num_ties <= exactly.num_ties


WORDS = {"": 0, "stop": 1, "draw": 2}


def test_red_black() -> None:
    table = exact.solve(redblack.Rules().game(7, 5))
    solution = exact.solve(Cards(7, 5))
    states = np.array([[s.red, s.black, WORDS[s.decision]] for s in table.values])
    assert [tuple(v) for v in solution.values(states)] == list(table.values.values())
    assert solution.num_states == table.num_states
    assert solution.num_ties == len(table.ties) == 1
    decisions = np.array([[s.red, s.black, 0] for s in table.policy])
    taken = [WORDS[action] for action in table.policy.values()]
    assert solution.policy(decisions).tolist() == taken
    index, actions = solution.optimal_actions(np.array([[1, 2, 0], [1, 3, 0]]))
    assert (index.tolist(), actions.tolist()) == ([0, 0, 1], [1, 2, 1])
    floats = diagonal.solve(Cards(7, 5))
    assert (floats.num_ties, floats.num_possible_ties) == (0, 1)
    assert 0 < floats.error < 1e-14
    assert isinstance(Cards(1, 1), ArrayGame)


def test_types() -> None:
    assert_type(diagonal.solve(Cards(1, 1)), ArraySolution[float])
    assert_type(exact.solve(Cards(1, 1)), ArraySolution[Fraction])
    assert_type(explored.explore(Cards(1, 1)), arrays.ExploredArrays)
    assert_type(exact.solve(Cards(1, 1)).value, tuple[Fraction, ...])
    assert exact.solve(Cards(1, 1)).value == exact.solve(RedBlack(1, 1)).value


def test_several_initial_states() -> None:
    class Decks(Cards):
        def initial_states(self) -> NDArray[Any]:
            return np.array([[3, 3, 0], [1, 2, 0], [3, 3, 0], [2, 0, 0]])

    solution = exact.solve(Decks(3, 3))
    values = solution.to_dict()["initial_values"]
    assert values[0] == values[2] == list(exact.solve(RedBlack(3, 3)).value)
    assert values[1] == [exact.solve(Cards(3, 3)).values(np.array([[1, 2, 0]]))[0, 0]]
    assert values[3] == [1 - 3 + 2]  # two of three red to come, all black ones drawn


def test_states_met_in_two_generations() -> None:
    """By two ways of different length; a state has a place in each."""
    rows: dict[Any, Any] = {
        0: (0, {"0": 1, "1": 2}),
        1: (0, {"0": 2}),
        2: ("chance", [(1, 3), (2, 4)]),
        3: ("end", [3]),
        4: ("end", [6]),
    }
    game = explored.explore(Listed(Table(rows)))
    assert game.num_states == 8
    assert exact.solve(game).values(np.arange(5)).ravel().tolist() == [5, 5, 5, 3, 6]
    assert exact.solve(game).num_ties == 1


def test_rows_too_wide_for_a_number() -> None:
    """Of five hundred bits: told apart by their bytes."""

    class Wide(Cards):
        def initial_states(self) -> NDArray[Any]:
            high = np.full((1, 8), 2**61)
            return np.concatenate([high, super().initial_states()], axis=1)

        def inner(self, states: NDArray[Any]) -> NDArray[Any]:
            inner: NDArray[Any] = states[:, 8:]
            return inner

        def outer(self, inner: NDArray[Any], states: NDArray[Any]) -> NDArray[Any]:
            # Of another sign in every other state: spans are wider than an int64.
            signs = np.where(inner[:, :1] % 2, -1, 1)
            high: NDArray[Any] = signs * 2**61 * np.ones(8, dtype=int)
            return np.concatenate([high, inner], axis=1)

        def current_players(self, states: NDArray[Any]) -> NDArray[Any]:
            return super().current_players(self.inner(states))

        def next_states(self, states: Any, actions: Any) -> NDArray[Any]:
            return self.outer(super().next_states(self.inner(states), actions), states)

        def chance_outcomes(self, states: NDArray[Any]) -> Any:
            index, weights, after = super().chance_outcomes(self.inner(states))
            return index, weights, self.outer(after, states)

        def returns(self, states: NDArray[Any]) -> NDArray[Any]:
            return super().returns(self.inner(states))

    wide, plain = exact.solve(Wide(6, 4)), exact.solve(Cards(6, 4))
    assert wide.value == plain.value
    assert wide.num_states == plain.num_states
    states = plain.explored.states_at(np.arange(plain.num_states))
    asked = Wide(6, 4).outer(states, states)
    assert (wide.values(asked) == plain.values(states)).all()


def test_float_returns() -> None:
    class Rooted(Cards):
        def returns(self, states: NDArray[Any]) -> NDArray[Any]:
            roots: NDArray[Any] = np.sqrt(100 + super().returns(states))
            return roots

    solution = diagonal.solve(Rooted(4, 4))
    rules = redblack.Rules(utility=lambda cash: np.sqrt(100 + cash))
    assert abs(solution.value[0] - redblack.value(4, 4, rules=rules)) < 1e-13
    message = r"^returns must be integers or Fractions to be exact, got floats"
    with pytest.raises(TypeError, match=message):
        exact.solve(Rooted(4, 4))


@pytest.mark.parametrize("solve", [exact.solve, diagonal.solve])
def test_solving_again_is_solving_afresh(solve: Callable[..., Any]) -> None:
    class Dear(Cards):
        def returns(self, states: NDArray[Any]) -> NDArray[Any]:
            paid: NDArray[Any] = (self.deck - states[:, :2]) @ [3, -4]
            return paid

    again = explored.explore(Cards(6, 6)).with_returns(Dear(6, 6).returns)
    assert solve(again) == solve(Dear(6, 6))
    assert solve(again) != solve(Cards(6, 6))


def test_solutions_are_data() -> None:
    for solution in (exact.solve(Cards(2, 3)), diagonal.solve(Cards(2, 3))):
        copied = pickle.loads(pickle.dumps(solution))
        assert copied == solution
        assert copied.values(np.array([[1, 1, 0]])) == solution.values(
            np.array([[1, 1, 0]])
        )
        assert solution.to_dict(json=True)["num_states"] == solution.num_states == 34
        assert solution.num_players == 1
        with pytest.raises(ValueError, match="read-only"):
            solution.chosen[0] = 1
    assert repr(exact.solve(Cards(3, 3))) == (
        "ArraySolution(value=(17/20,), num_states=46, ties=1, tie_break='first')"
    )
    assert "possible_ties=1, error=" in repr(diagonal.solve(Cards(3, 3)))


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (lambda s: s.values(np.array([[9, 1, 0]])), KeyError, r"\[9, 1, 0\] cannot be"),
        (
            lambda s: s.values(np.array([[2, 2, 1], [0, 0, 2]])),
            KeyError,
            r"\[0, 0, 2\]",
        ),
        (lambda s: s.policy(np.array([[2, 2, 1]])), KeyError, "nobody decides in"),
        (lambda s: s.values(np.array([2, 2, 1])), GameError, r"of shape \(3, 3\), got"),
        (
            lambda s: s.values(np.array([[2, 2, 1.0]])),
            TypeError,
            "states must hold int",
        ),
        (lambda s: s.values(3), GameError, "states must hold states in an array"),
    ],
)
def test_states_that_are_none(
    ask: Callable[[Any], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        ask(exact.solve(Cards(2, 2)))


def test_a_callable_tie_rule() -> None:
    message = (
        r"^tie_break must be 'first', 'last' or 'uniform' for a game for arrays, got "
    )
    for solve in (exact.solve, diagonal.solve):
        with pytest.raises(TypeError, match=message):
            solve(Cards(1, 1), tie_break=lambda state, actions: actions[0])  # type: ignore[call-overload]


def test_progress_counts_generations(capsys: pytest.CaptureFixture[str]) -> None:
    silent = diagonal.solve(Cards(3, 3))
    assert capsys.readouterr() == ("", "")
    with cardgames_dp.running(progress=True):
        assert diagonal.solve(Cards(3, 3)) == silent
    shown = capsys.readouterr().err
    assert "generations" in shown
    assert "diagonals" in shown


# Refusals
# --------


def wrong(**answers: Any) -> Any:
    """Return a little game of which some answers are given."""
    game = Cards(2, 1)
    for name, answer in answers.items():
        given_answer = answer if callable(answer) else lambda *_, a=answer: a
        setattr(game, name, given_answer)
    return game


N = np.array
PROMISES: list[tuple[dict[str, Any], type[Exception], str]] = [
    (
        {"initial_states": N([])},
        GameError,
        r"^initial_states\(\) must hold one or more",
    ),
    ({"initial_states": N(3)}, GameError, r"^initial_states\(\) .* of shape \(\)$"),
    ({"initial_states": N([[1.0]])}, TypeError, r"^initial_states\(\) must hold integ"),
    ({"initial_states": N([2**63])}, TypeError, "integers of at most 64 bits, got an"),
    ({"initial_states": N(["a"])}, TypeError, "integers of at most 64 bits, got an"),
    (
        {"current_players": N([0, 0])},
        GameError,
        r"^current_players\(states\) must hold one player a state, .* \(1,\), got an "
        r"array of int64 of shape \(2,\)$",
    ),
    (
        {"current_players": N([1])},
        GameError,
        r"^current_players\(states\) must hold indices of players \(num_players is 1"
        r"\), CHANCE \(-1\) or TERMINAL \(-4\), got 1 at state \[2, 1, 0\]$",
    ),
    ({"current_players": N([-2])}, GameError, r"got -2 at state \[2, 1, 0\]$"),
    ({"current_players": N([-3])}, GameError, r"got -3 at state \[2, 1, 0\]$"),
    ({"current_players": N([-5])}, GameError, r"got -5 at state \[2, 1, 0\]$"),
    ({"current_players": N([0.0])}, TypeError, r"^current_players\(states\) must hold"),
    (
        {"legal_actions": N([0])},
        TypeError,
        r"^legal_actions\(states\) must be 2 arrays",
    ),
    ({"legal_actions": None}, TypeError, r"\(index, actions\), got None of type NoneT"),
    (
        {"legal_actions": (N([0, 1]), N([1, 2]))},
        GameError,
        r"^legal_actions\(states\) must hold indices of the 1 states first, from 0 to",
    ),
    ({"legal_actions": (N([-1, 0]), N([1, 2]))}, GameError, "indices of the 1 states"),
    ({"legal_actions": (N([[0]]), N([1]))}, GameError, "indices of the 1 states first"),
    ({"legal_actions": (N([0.0]), N([1]))}, TypeError, "must hold integers of at most"),
    (
        {"legal_actions": (N([0, 0]), N([1]))},
        GameError,
        "hold an action for each index",
    ),
    (
        {"legal_actions": (N([0]), N([0.5]))},
        TypeError,
        r"^legal_actions.* got an array",
    ),
    (
        {"legal_actions": (N([], int), N([], int))},
        GameError,
        r"^legal_actions\(states\) must hold at least one action for each state, got "
        r"none for \[2, 1, 0\]$",
    ),
    (
        {"legal_actions": (N([0, 0, 0]), N([1, 2, 1]))},
        GameError,
        r"distinct actions, got 1 twice for state \[2, 1, 0\]$",
    ),
    (
        {"next_states": N([[1, 1, 1]])},
        GameError,
        r"^next_states\(states, actions\) must hold states in an array of shape \(2, ",
    ),
    ({"next_states": N([[1, 1], [1, 1]])}, GameError, r"of shape \(2, 3\), got an"),
    (
        {"next_states": np.ones((2, 3))},
        TypeError,
        r"^next_states.* array of float64 of",
    ),
    ({"chance_outcomes": (N([0]), N([1]))}, TypeError, "must be 3 arrays"),
    (
        {"chance_outcomes": (N([0]), N([-1]), N([[1, 1, 0]]))},
        GameError,
        r"^chance_outcomes\(states\) must hold weights >= 0, got -1 at state \[2, 1, ",
    ),
    (
        {"chance_outcomes": (N([0]), N([0]), N([[1, 1, 0]]))},
        GameError,
        r"hold weights with a positive sum for each state, got none for \[2, 1, 2\]$",
    ),
    (
        {"chance_outcomes": (N([0]), N([0.5]), N([[1, 1, 0]]))},
        TypeError,
        r"^chance_outcomes\(states\) must hold integers of at most 64 bits, got",
    ),
    (
        {"chance_outcomes": (N([0]), N([1, 1]), N([[1, 1, 0]]))},
        GameError,
        "must hold a weight for each index",
    ),
    (
        {"chance_outcomes": (N([0]), N([1]), N([1, 1, 0]))},
        GameError,
        r"^chance_outcomes\(states\) must hold states in an array of shape \(1, 3\)",
    ),
    (
        {"returns": lambda states: np.zeros((len(states), 2), int)},
        GameError,
        r"^returns\(states\) must hold one number a player \(num_players is 1\), .* "
        r"shape \(1, 1\), got an array of int64 of shape \(1, 2\)$",
    ),
    (
        {"returns": N(["1"])},
        TypeError,
        "64 bits, floats or Fractions, got an",
    ),
    (
        {"returns": N([Fraction(1, 2), None])[[1]]},
        TypeError,
        r"^returns\(states\) at state .* must hold numbers .*, got None of type",
    ),
    (
        {"returns": N([Fraction(1, 2), np.nan])[[1]]},
        GameError,
        r"^returns\(states\) at state .* must hold finite numbers, got nan$",
    ),
    (
        {"rewards": N([1, 2, 3])},
        GameError,
        r"^rewards\(states, actions\) must hold one number a player .* an array of "
        r"shape \(2, 1\), got an array of int64 of shape \(3,\)$",
    ),
    (
        {"rewards": N([1, np.inf])},
        GameError,
        r"^rewards\(states, actions\) must hold finite .* inf at state \[2, 1, 0\]$",
    ),
    (
        {"rewards": N([True, False])},
        TypeError,
        "floats or Fractions, got an array of b",
    ),
    ({"rewards": None}, GameError, r"^rewards\(states, actions\) must hold one number"),
    (
        {"chance_outcomes": (N([0]), N([1]), N([[1, 1, 0]]), N([[1, 2]]))},
        GameError,
        r"^chance_outcomes\(states\) with rewards must hold one number a player",
    ),
    (
        {"chance_outcomes": (N([0]), N([1]), N([[1, 1, 0]]), N([1]), N([1]))},
        TypeError,
        r"must be 3 arrays, \(index, weights, states\), or a fourth of rewards, got",
    ),
    (
        {"returns": N([np.nan])},
        GameError,
        r"^returns\(states\) must hold finite numbers, got nan at state \[2, 1, ",
    ),
]


@pytest.mark.parametrize(("answers", "error", "message"), PROMISES)
@pytest.mark.parametrize("solve", [exact.solve, diagonal.solve])
def test_broken_promises(
    solve: Any, answers: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        solve(wrong(**answers))


@pytest.mark.parametrize(
    ("num_players", "error"), [(0, GameError), (1.0, TypeError), (None, TypeError)]
)
def test_a_wrong_number_of_players(num_players: Any, error: type[Exception]) -> None:
    game = Cards(1, 1)
    game.num_players = num_players
    with pytest.raises(error, match=r"^num_players must be an integer >= 1, got "):
        diagonal.solve(game)


def test_something_else_than_a_game() -> None:
    class Half:
        def initial_states(self) -> None: ...

    message = (
        r"^game must have the members of cardgames_dp.game.ArrayGame, got .* without "
        r"num_players, current_players, legal_actions, next_states, chance_outcomes, r"
    )
    with pytest.raises(TypeError, match=message):
        diagonal.solve(Half())  # type: ignore[call-overload]
    message = r"^game must be an instance of Cards, got the class itself; use Cards"
    with pytest.raises(TypeError, match=message):
        diagonal.solve(Cards)  # type: ignore[call-overload]


@pytest.mark.parametrize("length", [1, 2, 3, 7])
def test_a_cycle_is_seen(length: int) -> None:
    rows: Any = {i: (0, {"0": (i + 1) % length, "1": 50}) for i in range(length)}
    rows[50] = ("end", [0])
    with pytest.raises(
        GameError, match=r"^the game must be acyclic, but the states aft"
    ):
        exact.solve(Listed(Table(rows)))


class Endless(Cards):
    """It goes on, and no state comes back."""

    def initial_states(self) -> NDArray[Any]:
        return np.array([0])

    def current_players(self, states: NDArray[Any]) -> NDArray[Any]:
        return np.zeros(len(states), dtype=int)

    def legal_actions(self, states: NDArray[Any]) -> Any:
        return np.arange(len(states)), np.zeros(len(states), dtype=int)

    def next_states(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        return states + 1


def test_max_states() -> None:
    size = exact.solve(Cards(3, 3)).num_states
    assert exact.solve(Cards(3, 3), max_states=size).num_states == size
    with pytest.raises(TooManyStatesError, match=f"max_states={size - 1} allows"):
        exact.solve(Cards(3, 3), max_states=size - 1)
    message = r"max_states=100 allows; 100 are found, and 1 follow, among them 100$"
    with pytest.raises(TooManyStatesError, match=message):
        diagonal.solve(Endless(0, 0), max_states=100)


def test_more_than_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "physical_memory", lambda: 10**6)
    message = r"a game of at least \d+ states and \d+ moves needs about "
    with pytest.raises(running.TooLargeError, match=message):
        diagonal.solve(Endless(0, 0))


def test_a_frame_has_a_row_for_every_state() -> None:
    game = Cards(2, 1)
    for solution in (diagonal.solve(game), exact.solve(game)):
        frame = solution.to_pandas()
        names = ["state_0", "state_1", "state_2", "player", "value_0"]
        assert list(frame.columns) == names
        assert len(frame) == solution.num_states
        states = frame[names[:3]].to_numpy()
        assert frame["player"].tolist() == game.current_players(states).tolist()
        assert frame["value_0"].tolist() == solution.values(states)[:, 0].tolist()


def test_rewards_that_are_no_method() -> None:
    game: Any = Cards(1, 1)
    game.rewards = 3
    with pytest.raises(TypeError, match=r"^rewards of a game must be a method, as of "):
        diagonal.solve(game)


@pytest.mark.parametrize(
    "method",
    [
        "current_players",
        "legal_actions",
        "next_states",
        "rewards",
        "chance_outcomes",
        "returns",
    ],
)
def test_errors_of_the_game_itself_say_where(method: str) -> None:
    def failing(*_: Any) -> Any:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match=r"^mine") as caught:
        explored.explore(wrong(**{method: failing}))
    (note,) = caught.value.__notes__
    assert note.startswith(f"raised when the game was asked {method} for ")
    assert ", the first of which is [2, 1, " in note
