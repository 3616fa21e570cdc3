"""Each error that playing a game can raise, and what it says."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardgames_dp import diagonal, exact, play
from cardgames_dp._support import running
from cardgames_dp.game import GameError, Solution

from ..written import RedBlack, Table

GAME = Table(
    {
        "start": (0, {"left": "chance", "right": "other"}),
        "chance": ("chance", [(1, "end"), (2, "other")]),
        "other": (1, {"up": "end", "down": "last"}),
        "end": ("end", [1, -1]),
        "last": ("end", [0, Fraction(1, 3)]),
    },
    start="start",
    num_players=2,
)
FIRST, SECOND = {"start": "left"}, {"other": "up"}
BOTH = FIRST | SECOND

FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "evaluate": play.evaluate,
    "best_response": lambda game, policies: play.best_response(game, policies, 0),
    "regret": play.regret,
    "distribution": play.distribution,
    "simulate": lambda game, policies: play.simulate(game, policies, 5),
}
function = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)

KINDS = "a callable of a state, a mapping of states to actions, or a solution"
MUST = (
    r"the policy of player 1 must give one of the legal actions \('up', 'down'\) at "
    r"state 'other', or a mapping of them to weights"
)


@function
@pytest.mark.parametrize(
    ("policies", "error", "message"),
    [
        (7, TypeError, f"^policies must be {KINDS}, or a list .* got 7 of type int$"),
        ("first", TypeError, "policies must be .* got 'first' of type str"),
        (dict, TypeError, "policies must be an instance of dict, got the class itself"),
        (None, TypeError, "policies must be .* got None of type NoneType"),
        ([FIRST], ValueError, r"one policy a player \(num_players is 2\), got 1$"),
        ([FIRST] * 3, ValueError, r"one policy a player \(num_players is 2\), got 3$"),
        ([FIRST, None], TypeError, rf"policies\[1\] must be {KINDS}, got None"),
        ([FIRST, 1.5], TypeError, rf"policies\[1\] must be {KINDS}, got 1.5 of type"),
        (
            FIRST,
            ValueError,
            "^policies must have an action for every state in which player 1 moves, "
            "and has none for 'other'$",
        ),
        (
            [SECOND, SECOND],
            ValueError,
            r"^policies\[0\] must have an action for every state in which player 0 "
            "moves, and has none for 'start'$",
        ),
        (
            lambda state: "left",
            ValueError,
            f"^{MUST}, got 'left' of type str$",
        ),
        ([FIRST, lambda state: None], ValueError, f"{MUST}, got None of type"),
        ([FIRST, lambda state: ["up"]], ValueError, rf"{MUST}, got \['up'\] of type"),
        ([FIRST, {"other": {}}], ValueError, f"{MUST} with a positive sum, got {{}}"),
        (
            [FIRST, {"other": {"up": 0, "down": 0}}],
            ValueError,
            f"{MUST} with a positive sum, got",
        ),
        (
            [FIRST, {"other": {"up": 1, "left": 1}}],
            ValueError,
            f"{MUST}, got a weight for 'left'$",
        ),
        (
            [FIRST, {"other": {"up": -1, "down": 2}}],
            ValueError,
            f"{MUST} that are finite and >= 0, got -1 for 'up'$",
        ),
        (
            [FIRST, {"other": {"up": math.nan}}],
            ValueError,
            f"{MUST} that are finite and >= 0, got nan for 'up'$",
        ),
        (
            [FIRST, {"other": {"up": math.inf}}],
            ValueError,
            f"{MUST} that are finite and >= 0, got inf for 'up'$",
        ),
        (
            [FIRST, {"other": {"up": "1"}}],
            TypeError,
            f"{MUST}, got the weight '1' of type str for 'up'$",
        ),
        (
            [FIRST, {"other": {"up": True}}],
            TypeError,
            f"{MUST}, got the weight True of type bool for 'up'$",
        ),
    ],
)
def test_policies(
    function: Any, policies: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        function(GAME, policies)


@function
@pytest.mark.parametrize(
    ("game", "error", "message"),
    [
        (7, TypeError, "game must have the members of cardgames_dp.game.Game, got 7"),
        (Table, TypeError, "game must be an instance of Table, got the class itself"),
        (
            Solution(0, "first", {0: (1.0,)}, {}, {}),
            TypeError,
            "game must be a Game, an Explored or a solution .* constructed by hand",
        ),
    ],
)
def test_games(function: Any, game: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        function(game, BOTH)


@function
def test_endless_play(function: Any) -> None:
    game = Table({0: (0, {"on": 1}), 1: (0, {"back": 0})})
    message = "every play must end, but a play can come back to 0: 0 -> 1 -> 0"
    with pytest.raises(GameError, match=message):
        function(game, {0: "on", 1: "back"})


@pytest.mark.parametrize(
    "name", ["evaluate", "best_response", "regret", "distribution"]
)
def test_floats_where_exact_weights_are_asked(name: str) -> None:
    functions: dict[str, Any] = {
        "evaluate": play.evaluate,
        "best_response": lambda game, policies, **how: play.best_response(
            game, policies, 0, **how
        ),
        "regret": play.regret,
        "distribution": play.distribution,
    }
    mixed: Any = [FIRST, {"other": {"up": 0.5, "down": 1}}]
    functions[name](GAME, mixed)
    message = (
        f"^{MUST} which are exact .* with backend='exact', got 0.5 of type float for "
        "'up'$"
    )
    with pytest.raises(TypeError, match=message):
        functions[name](GAME, mixed, backend="exact")
    with pytest.raises(TypeError, match="exact"):
        functions[name](
            GAME, [FIRST, {"other": {"up": np.float32(0.5)}}], backend="exact"
        )
    with pytest.raises(ValueError, match="backend must be one of 'float64', 'exact'"):
        functions[name](GAME, BOTH, backend="float")


@pytest.mark.parametrize("ask", [play.best_response, play.regret])
def test_players(ask: Any) -> None:
    with pytest.raises(ValueError, match="player must be less than num_players, 2, go"):
        ask(GAME, BOTH, 2)
    with pytest.raises(ValueError, match="player must be an integer >= 0, got -1"):
        ask(GAME, BOTH, -1)
    with pytest.raises(TypeError, match="player must be an integer >= 0, got 'me'"):
        ask(GAME, BOTH, "me")


IDLE = Table(
    {
        "start": (0, {"left": "end", "right": "last"}),
        "end": ("end", [1, -1]),
        "last": ("end", [0, 2]),
    },
    start="start",
    num_players=2,
)
"""A game in which the second player has nothing to decide."""


@function
def test_a_player_who_never_moves_needs_no_policy(
    function: Callable[[Any, Any], Any],
) -> None:
    function(IDLE, [FIRST, None])
    with pytest.raises(TypeError, match=r"policies\[0\] must be .* got None"):
        play.evaluate(IDLE, [None, FIRST])
    assert play.evaluate(IDLE, [exact.solve(IDLE), None]).value == (1, -1)


def test_the_responding_player_needs_no_policy_but_a_right_one() -> None:
    assert play.best_response(GAME, [None, SECOND], 0).before is None
    with pytest.raises(TypeError, match=r"policies\[0\] must be .* got 3 of type int"):
        play.best_response(GAME, [3, SECOND], 0)
    with pytest.raises(TypeError, match=r"policies\[0\] must be .* got None"):
        play.best_response(GAME, [None, SECOND], 1)
    with pytest.raises(ValueError, match="tie_break must be one of 'first', 'last'"):
        play.best_response(GAME, BOTH, 0, tie_break="best")  # type: ignore[call-overload]


def test_numbers_of_games() -> None:
    with pytest.raises(ValueError, match="games must be an integer >= 1, got 0"):
        play.simulate(GAME, BOTH, 0)
    with pytest.raises(TypeError, match=r"games must be an integer >= 1, got 5\.0"):
        play.simulate(GAME, BOTH, 5.0)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="histories must be at most games, 5, got 6"):
        play.simulate(GAME, BOTH, 5, histories=6)
    with pytest.raises(TypeError, match="rng must be None, a seed"):
        play.simulate(GAME, BOTH, 5, rng="1")  # type: ignore[call-overload]
    with pytest.raises(running.TooLargeError, match="histories of 100000000000 games"):
        play.simulate(GAME, BOTH, 10**11, histories=10**11)


def test_returns_beyond_float64() -> None:
    large = Table({0: ("end", [10**400])})
    for name in ("evaluate", "distribution", "simulate"):
        with pytest.raises(ValueError, match=r"returns must be at most 2\*\*1000"):
            FUNCTIONS[name](large, {})
    (value,) = play.evaluate(large, {}, backend="exact").value
    assert value == 10**400


def test_advice_of_a_solution() -> None:
    solution = diagonal.solve(RedBlack(2, 2))
    message = "state must be one in which a player moves and that can be reached, got"
    for state in ((9, 9, "decide"), (2, 2, "draw"), (2, 2, "stop"), "x"):
        with pytest.raises(ValueError, match=message):
            solution.advice(state)  # type: ignore[arg-type]
    by_hand: Any = Solution(0, "first", {0: (1.0,)}, {}, {})
    with pytest.raises(ValueError, match="solution that was constructed by hand"):
        by_hand.advice(0)
