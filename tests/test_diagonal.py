"""The float64 backend of any game, held against the exact one."""

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any, assert_type

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from numpy.typing import NDArray

import cardgames_dp
from cardgames_dp import cardrow, diagonal, exact, pairs, redblack
from cardgames_dp._graph.explored import explore
from cardgames_dp._support import running
from cardgames_dp.game import (
    CHANCE,
    TERMINAL,
    Game,
    GameError,
    Solution,
    TooManyStatesError,
)

from .written import RedBlack, Table, games

Rows = NDArray[Any]

LITTLE = pairs.Rules(deck={1: 2, 2: 1, 3: 2}, target=4)
TIE_OF_THIRDS = Table(
    {
        0: (0, {"a": 1, "b": 2, "c": 3}),
        1: ("chance", [(1, 4), (2, 5)]),
        2: ("chance", [(2, 4), (4, 5)]),
        3: ("chance", [(3, 4), (7, 5)]),
        4: ("end", [Fraction(1, 3), 0]),
        5: ("end", [Fraction(-1, 7), 5]),
    },
    num_players=2,
)


def check(game: Game[Any, Any], tie_break: Any = "first") -> None:
    """Hold a float solution against the exact one: values, actions, ties."""
    floats = diagonal.solve(game, tie_break=tie_break)
    exactly = exact.solve(game, tie_break=tie_break)
    assert list(floats.values) == list(exactly.values)
    for state, value in floats.values.items():
        assert all(type(x) is float for x in value)
        for x, y in zip(value, exactly.values[state], strict=True):
            assert abs(Fraction(x) - y) <= Fraction(floats.error)
    if floats.error < 0.1 / 7**6:  # so that no possible tie changes what comes before
        for state, actions in exactly.optimal_actions.items():
            assert set(actions) <= set(floats.optimal_actions[state])
            if state not in floats.possible_ties:
                assert floats.optimal_actions[state] == actions
                assert floats.policy[state] == exactly.policy[state]
    assert set(floats.ties) <= set(exactly.ties)
    assert floats.tie_break == exactly.tie_break


@given(game=games(), tie_break=st.sampled_from(["first", "last", max, min]))
@example(game=TIE_OF_THIRDS, tie_break="last")
def test_random_games(game: Table, tie_break: Any) -> None:
    rule = tie_break
    if callable(tie_break):
        rule = lambda state, actions: tie_break(actions)  # noqa: E731
    check(game, rule)


@pytest.mark.parametrize("backend", [exact, diagonal])
@given(game=games())
@example(game=TIE_OF_THIRDS)
def test_a_rule_is_asked_once_where_several_actions_are_optimal(
    backend: Any, game: Table
) -> None:
    asked: dict[Any, Any] = {}

    def rule(state: Any, actions: Any) -> Any:
        assert state not in asked
        asked[state] = actions
        return actions[-1]

    optimal = backend.solve(game, tie_break=rule).optimal_actions
    assert asked == {
        state: actions for state, actions in optimal.items() if len(actions) > 1
    }


@given(game=games(max_players=1))
def test_a_lone_player_always_has_a_small_error(game: Table) -> None:
    assert diagonal.solve(game).error < 1e-14
    check(game)


@pytest.mark.parametrize(
    "game",
    [
        redblack.Rules().game(7, 6),
        redblack.Rules(fee="1/20", tie="draw").game(5, 5),
        cardrow.Rules().game([4, 4, 6, 6, 12, 9]),
        cardrow.Rules(players=3, take=2).game([3, 1, 4, 1, 5, 9]),
        LITTLE.game(),
        RedBlack(9, 8),
    ],
    ids=lambda game: type(game).__name__,
)
@pytest.mark.parametrize("tie_break", ["first", "last"])
def test_games_of_the_package(game: Any, tie_break: Any) -> None:
    check(game, tie_break)


def test_types() -> None:
    solution = diagonal.solve(RedBlack(2, 2))
    assert_type(solution, Solution[tuple[int, int, str], str, float])
    assert_type(solution.value, tuple[float, ...])


def test_integers_without_chance_are_exact_and_tie_for_certain() -> None:
    game = cardrow.Rules().game([1, 2, 2, 1, 1])
    floats, exactly = diagonal.solve(game), exact.solve(game)
    assert floats.error == 0
    assert floats.possible_ties == ()
    assert floats.ties == exactly.ties != ()


def test_a_possible_tie_is_told_from_a_certain_one() -> None:
    solution = diagonal.solve(TIE_OF_THIRDS)
    assert solution.possible_ties == (0,)
    assert solution.ties == ()
    assert solution.optimal_actions == {0: ("a", "b")}
    assert "possible_ties=1, error=" in repr(solution)
    assert "&#x27;a&#x27;, &#x27;b&#x27; (tie?)" in solution._repr_html_()


@pytest.mark.parametrize("outcomes", range(2, 60))
def test_a_mean_that_is_rounded_down_may_be_optimal(outcomes: int) -> None:
    """One over and over, against one for certain."""
    mean = ("chance", [(1, 2 + i % 2) for i in range(outcomes)])
    rows: dict[Any, Any] = {0: (0, {"mean": 1, "sure": 2}), 1: mean}
    solution = diagonal.solve(Table(rows | {2: ("end", [1]), 3: ("end", [1])}))
    assert solution.optimal_actions[0] == ("mean", "sure")
    assert solution.possible_ties == (0,)


@given(parts=st.lists(st.fractions(-9, 9, max_denominator=99), min_size=2, max_size=9))
@example(parts=[Fraction(1, 10), Fraction(2, 10)])
@example(parts=[Fraction(-1, 10), Fraction(-2, 10)])
def test_a_mean_that_cancels_may_be_optimal(parts: list[Fraction]) -> None:
    """Nothing in the mean, of which rounding leaves something; nothing for certain."""
    returns = [0, *parts, -sum(parts)]
    rows: dict[Any, Any] = {state: ("end", [x]) for state, x in enumerate(returns, 2)}
    rows |= {0: (0, {"mean": 1, "sure": 2})}
    rows |= {1: ("chance", [(1, state) for state in range(3, 2 + len(returns))])}
    assert diagonal.solve(Table(rows)).optimal_actions[0] == ("mean", "sure")


def test_a_mean_that_needs_most_of_its_bound() -> None:
    """Found by a search among small weights and returns of 53 bits."""
    first, second = 4995393753488457, 6150704029045423
    rows = {0: ("chance", [(30, 1), (1, 2)]), 1: ("end", [first]), 2: ("end", [second])}
    solution = diagonal.solve(Table(rows))
    off = abs(Fraction(solution.value[0]) - Fraction(30 * first + second, 31))
    assert 0.8 * solution.error < off < solution.error


def test_what_a_possible_tie_leaves_open_for_others_is_in_the_error() -> None:
    """Equal for the first player up to rounding, far apart for the second."""
    third = Fraction(1, 3)
    rows: dict[Any, Any] = {
        0: (0, {"a": 1, "b": 2}),
        1: ("chance", [(1, 3), (2, 4)]),
        2: ("chance", [(2, 5), (1, 6)]),
        3: ("end", [third, 0]),
        4: ("end", [third, 0]),
        5: ("end", [third, 9]),
        6: ("end", [third + Fraction(1, 10**40), 9]),
    }
    game = Table(rows, num_players=2)
    assert exact.solve(game).policy == {0: "b"}
    solution = diagonal.solve(game)
    assert solution.possible_ties == (0,)
    assert 9 <= solution.error < 9.001


def test_a_single_terminal_state() -> None:
    solution = diagonal.solve(Table({0: ("end", [Fraction(1, 3), 2])}, num_players=2))
    assert solution.value == (1 / 3, 2.0)
    assert 0 < solution.error < 1e-16
    assert solution.policy == {}


def test_weights_beyond_float64() -> None:
    huge = 10**400
    rows: dict[Any, Any] = {
        0: ("chance", [(huge, 1), (3 * huge, 2)]),
        1: ("end", [4]),
        2: ("end", [8]),
    }
    check(Table(rows))
    check(Table(rows | {0: ("chance", [(2**60 + 1, 1), (2**60 - 1, 2)])}))


def test_returns_beyond_float64() -> None:
    check(Table({0: ("end", [Fraction(1, 10**400)])}))
    for number in (10**400, Fraction(10**310, 3), -(2**1001)):
        with pytest.raises(ValueError, match=r"^returns must be at most 2\*\*1000 in"):
            diagonal.solve(Table({0: ("end", [number])}))


ROUND: Any = Table({0: (0, {"on": 1}), 1: (0, {"back": 0})})
WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: diagonal.solve(ROUND), GameError, "every play must end"),
    (lambda: diagonal.solve(7), TypeError, "game must have"),  # type: ignore[call-overload]
    (
        lambda: diagonal.solve(RedBlack(1, 1), tie_break="best"),  # type: ignore[call-overload]
        ValueError,
        "tie_break must be one of 'first', 'last', 'uniform', or a callable",
    ),
    (
        lambda: diagonal.solve(TIE_OF_THIRDS, tie_break=lambda state, actions: "c"),
        ValueError,
        r"one of the optimal actions \('a', 'b'\) at state 0, got 'c'",
    ),
    (
        lambda: diagonal.solve(RedBlack(3, 3), max_states=9),
        TooManyStatesError,
        "max_states=9 allows",
    ),
]


@pytest.mark.parametrize(("call", "error", "message"), WRONG)
def test_refusals(
    call: Callable[[], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        call()


def test_more_than_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "physical_memory", lambda: 2 * 5 * 512)
    with pytest.raises(TooManyStatesError, match="memory holds, 5 of about"):
        diagonal.solve(RedBlack(3, 3))
    monkeypatch.undo()
    game = explore(redblack.Rules().game(3, 3))
    monkeypatch.setattr(running, "physical_memory", lambda: 2**11)
    message = r"46 x 1 values \(states, players\) needs"
    with pytest.raises(running.TooLargeError, match=message):
        diagonal.solve(game)


@pytest.mark.parametrize("players", [1, 3])
def test_the_size_that_is_refused(
    monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    """By state two floats a player and eight bytes besides, and two bytes by move."""
    rows: dict[Any, Any] = {0: (0, {"a": 1, "b": 2})}
    rows |= {state: ("end", [0] * players) for state in (1, 2)}
    needed = 3 * (16 * players + 8) + 2 * 2
    game = explore(Table(rows, num_players=players))
    monkeypatch.setattr(running, "physical_memory", lambda: 2 * needed)
    assert diagonal.solve(game).value == (0,) * players
    monkeypatch.setattr(running, "physical_memory", lambda: 2 * needed - 2)
    with pytest.raises(running.TooLargeError, match=f"needs about {needed} bytes"):
        diagonal.solve(game)


def test_solutions_are_data() -> None:
    solution = diagonal.solve(TIE_OF_THIRDS)
    assert pickle.loads(pickle.dumps(solution)) == solution
    assert solution != diagonal.solve(TIE_OF_THIRDS, tie_break="last")
    found = solution.to_dict(json=True)
    assert found["possible_ties"] == [0]
    assert found["error"] == solution.error > 0
    assert found["values"][0] == list(solution.value)


def test_progress_counts_diagonals(capsys: pytest.CaptureFixture[str]) -> None:
    silent = diagonal.solve(RedBlack(3, 3))
    assert capsys.readouterr() == ("", "")
    with cardgames_dp.running(progress=True):
        assert diagonal.solve(RedBlack(3, 3)) == silent
    shown = capsys.readouterr().err
    assert "states" in shown
    assert "diagonals" in shown


class Bets:
    """Bet any part of your coins on flips that are won 3 times of 5, up to a cap.

    With many flips left almost every decision is nearly a tie. A state is a row of
    flips, coins, and the bet or -1.
    """

    num_players = 1

    def __init__(self, coins: int, cap: int, flips: int) -> None:
        self.coins, self.cap, self.flips = coins, cap, flips

    def initial_states(self) -> Rows:
        return np.array([[self.flips, self.coins, -1]])

    def current_players(self, states: Rows) -> Rows:
        flips, coins, bet = states.T
        over = (flips == 0) | (coins == 0) | (coins == self.cap)
        return np.where(over, TERMINAL, np.where(bet < 0, 0, CHANCE))

    def legal_actions(self, states: Rows) -> tuple[Rows, Rows]:
        count = np.minimum(states[:, 1], self.cap - states[:, 1]) + 1
        bets = np.concatenate([np.arange(n) for n in count])
        return np.repeat(np.arange(len(states)), count), bets

    def next_states(self, states: Rows, actions: Rows) -> Rows:
        return np.column_stack([states[:, :2], actions])

    def chance_outcomes(self, states: Rows) -> tuple[Rows, Rows, Rows]:
        flips, coins, bet = states.T
        after = [
            np.column_stack([flips - 1, coins + won, 0 * bet - 1])
            for won in (bet, -bet)
        ]
        index = np.arange(len(states))
        weights = np.repeat([3, 2], len(states))
        return np.tile(index, 2), weights, np.concatenate(after)

    def returns(self, states: Rows) -> Rows:
        return states[:, 1]


def by_recurrence(game: Bets) -> float:
    """Return the value by a loop over the flips."""
    worth = np.arange(game.cap + 1.0)
    for _ in range(game.flips):
        best = worth.copy()
        for coins in range(1, game.cap):
            bets = np.arange(min(coins, game.cap - coins) + 1)
            means = 0.6 * worth[coins + bets] + 0.4 * worth[coins - bets]
            best[coins] = means.max()
        worth = best
    return float(worth[game.coins])


@pytest.mark.slow
def test_doubts_of_a_lone_player_do_not_grow_from_level_to_level() -> None:
    """The player gets the largest worth, whichever of many actions has it."""
    game = Bets(coins=25, cap=250, flips=60)
    solution = diagonal.solve(game)
    assert solution.num_possible_ties > 1000
    assert solution.error < 1e-11
    assert solution.value[0] == pytest.approx(by_recurrence(game), rel=1e-13)
