"""What a game, a policy or an argument is refused for: ``refused.txt``, and more."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cardgames_dp
from cardgames_dp import (
    TooLargeError,
    cardrow,
    diagonal,
    exact,
    game,
    interop,
    pairs,
    play,
    plots,
    redblack,
)
from cardgames_dp._graph import checking
from cardgames_dp._support import arguments, running
from cardgames_dp.fitting.regression import LEVEL
from cardgames_dp.game import TooManyStatesError, explore

from . import test_check, test_checks, test_cycles, told
from .play.test_distributions import LOADED
from .tools.fuzz import hostile
from .written import Cards, Listed, Paying, RedBlack, Table

SOLVERS: list[Callable[..., Any]] = [exact.solve, diagonal.solve]
N = np.array


def refuses(
    call: Callable[..., Any], error: type[Exception], words: str, *given: Any
) -> Any:
    with pytest.raises(error) as caught:
        call(*given)
    assert re.search(words, str(caught.value)), str(caught.value)
    return caught.value


# Games that answer wrongly
# ------------------------


def asked(*, pays: bool = False, **answers: Any) -> Any:
    """Return a game of two players with some answers given."""
    rows: dict[Any, Any] = {
        0: (0, {"left": 1, "right": 2}),
        1: ("chance", [(1, 3), (3, 2)]),
        2: (1, {"on": 3}),
        3: ("end", [1, Fraction(-1, 2)]),
    }
    made: Any = (Paying if pays else Table)(rows, num_players=2)
    for name, answer in answers.items():
        value = answer if name == "num_players" else lambda *_, a=answer: a
        setattr(made, name, value)
    return made


class Half:
    """Lacks two methods, and has a third that is not one."""

    num_players = 1
    returns = 3
    initial_state = current_player = legal_actions = lambda *_: 0


class HalfArrays:
    def initial_states(self) -> None: ...


ROUND = Table({0: (0, {"on": 1}), 1: (0, {"back": 0})})
FAVOUR = Table(
    {0: (0, {"yes": 1, "no": 2}), 1: ("end", [1]), 2: ("end", [1])},
)


class Endless(Table):
    def next_state(self, state: Any, action: Any) -> Any:
        return state + 1

    def current_player(self, state: Any) -> Any:
        return 0

    def legal_actions(self, state: Any) -> Any:
        return ["on"]


def listing() -> Any:
    made: Any = asked()
    made.rewards = (1, 2)
    return made


def one(reward: Any, *, end: Any = 1) -> Paying:
    """Return a game of one move, and what it pays."""
    rows: Any = {0: (0, {"0": 1}), 1: ("end", [end])}
    return Paying(rows, paid={(0, "0"): [reward]})


def wrong(**answers: Any) -> Any:
    """Return a little game of which some answers are given."""
    made: Any = Cards(2, 1)
    for name, answer in answers.items():
        given = answer if callable(answer) else lambda *_, a=answer: a
        setattr(made, name, given if name != "num_players" else answer)
    return made


# Explored games and policies
# ---------------------------

STATE, ONE = N([0]), N([[1, 1, 0]])
BRANCH: Any = explore(
    Table({0: ("chance", [(1, 1), (0, 2), (1, 3)]), 1: ("end", [0]), 3: ("end", [1])})
)
FOUND: Any = explore(Cards(2, 1))
THREE: Any = FOUND.with_returns(
    lambda ends: np.arange(1, 4)[:, None, None] * Cards(2, 1).returns(ends)[:, None]
)


LITTLE: Any = exact.solve(Cards(2, 2))
STATES: Any = diagonal.solve(RedBlack(2, 2))
FLOATS: Any = FOUND.with_returns(lambda states: Cards(2, 1).returns(states) / 2)
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
ALL = FIRST | SECOND
HUGE = Table({0: ("end", [10**400])})
START: Any = play.Position(exact.solve(RedBlack(2, 2)))
PLAYED: dict[str, Any] = {
    "evaluate": play.evaluate,
    "best_response": lambda game, policies, **how: play.best_response(
        game, policies, 0, **how
    ),
    "regret": play.regret,
    "distribution": play.distribution,
    "simulate": lambda game, policies: play.simulate(game, policies, 5),
}


def weighing(weight: Any) -> dict[str, dict[str, Any]]:
    """Return a policy of the second player with a weight for one action."""
    return {"other": {"up": weight}}


def mix(*more: Any) -> Callable[[NDArray[Any]], Any]:
    """Return a policy that gives for each state what functions make of the states."""
    return lambda states: tuple([each(states) for each in more])


def index(states: NDArray[Any]) -> NDArray[Any]:
    return np.arange(len(states))


def full(number: Any) -> Callable[[NDArray[Any]], NDArray[Any]]:
    return lambda states: np.full(len(states), number)


LAWS = play.distribution(GAME, ALL)
EDGE = redblack.boundary(redblack.solve(26, 26))
LONG = test_checks.HUGE


def efg(nodes: str) -> Any:
    """Return the game of a text of Gambit, given without its first line."""
    return interop.from_efg(f'EFG 2 R "" {{ "Ann" "Bob" }}\n{nodes}')


NAMES: dict[str, Any] = {**vars(test_check), **vars(test_checks), **vars(test_cycles)}
NAMES |= {**globals(), **PLAYED, "nan": math.nan, "inf": math.inf, "check": game.check}
NAMES |= {"LEVEL": LEVEL, "LOADED": LOADED, "arguments": arguments, "cardrow": cardrow}
NAMES |= {"cardgames_dp": cardgames_dp, "hostile": hostile, "plots": plots}
LINES = [*told.table(Path(__file__).with_name("refused.txt"))]


@pytest.mark.parametrize("line", LINES, ids=str)
def test_refused(line: told.Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "_MOST_MOVES", 500)
    monkeypatch.setattr(checking, "_LONGEST", 50)
    line.check(NAMES)


@pytest.mark.parametrize("answers", [{"current_player": 2}, {"returns": [1]}])
def test_what_a_message_says_already_is_no_note(answers: Any) -> None:
    for solve in SOLVERS:
        refusal = refuses(lambda s=solve: s(asked(**answers)), game.GameError, "must")
        assert not hasattr(refusal, "__notes__")


def test_answers_of_any_kind() -> None:
    """Sequences, iterators and numbers of NumPy; weights of 0 lead nowhere."""
    payoffs = exact.solve(asked()).payoffs
    chance = [(np.int32(1), 3), [3, 2], (0, ["not hashable"])]
    for kind in (list, tuple, N):
        made = asked(legal_actions=kind([0, 1]), chance_outcomes=iter(chance))
        made.next_state = lambda state, action: 3 if state == 2 else int(1 + action)
        made.returns = lambda state, k=kind: k([1, Fraction(-1, 2)])
        made.current_player = lambda state: N([0, -1, 1, -4])[state]
        made.legal_actions = lambda state, k=kind: k([0, 1][: 1 + (state == 0)])
        assert exact.solve(made).payoffs == payoffs
    huge = exact.solve(
        Table(
            {
                0: ("chance", [(np.int64(2**62), 1), (np.int64(2**62), 2)]),
                1: ("end", [np.int64(2**62)]),
                2: ("end", N([2**62])),
            }
        )
    ).value
    assert huge == 2**62
    assert type(huge.numerator) is int
    mixed = asked(returns=[np.float32(0.5), np.int8(2)])
    assert diagonal.solve(mixed).payoffs == (0.5, 2)
    assert isinstance(asked(), game.Game)
    assert not isinstance("chess", game.Game)


def test_more_than_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "physical_memory", lambda: 2 * 5 * 512)
    for solve in SOLVERS:
        with pytest.raises(TooManyStatesError, match="memory holds, 5 of about 512 B"):
            solve(RedBlack(3, 3), max_states=10**12)
    monkeypatch.setattr(running, "physical_memory", lambda: 10**5)
    with pytest.raises(
        TooLargeError, match=r"a game of at least \d+ states and \d+ mo"
    ):
        diagonal.solve(Cards(90, 90))


@pytest.mark.parametrize("players", [1, 3])
def test_the_size_that_is_refused(
    monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    """By state two floats a player and eight bytes besides, and two bytes by move."""
    rows: dict[Any, Any] = {0: (0, {"a": 1, "b": 2})}
    rows |= {state: ("end", [0] * players) for state in (1, 2)}
    needed = 3 * (16 * players + 8) + 2 * 2
    found = explore(Table(rows, num_players=players))
    monkeypatch.setattr(running, "physical_memory", lambda: 2 * needed)
    assert diagonal.solve(found).payoffs == (0,) * players
    monkeypatch.setattr(running, "physical_memory", lambda: 2 * needed - 2)
    with pytest.raises(TooLargeError, match=f"needs about {needed} bytes"):
        diagonal.solve(found)


# Errors of the game itself
# -------------------------


@pytest.mark.parametrize("error", [RuntimeError("mine"), TypeError("mine")])
@pytest.mark.parametrize(
    "call",
    [
        "current_player(0)",
        "legal_actions(0)",
        "next_state(0, 'left')",
        "rewards(0, 'left')",
        "chance_outcomes(1)",
        "returns(3)",
    ],
)
def test_errors_of_a_game_say_where(call: str, error: Exception) -> None:
    def fail(*_: Any) -> Any:
        raise type(error)("mine")

    made = asked()
    setattr(made, call.partition("(")[0], fail)
    caught = refuses(lambda: exact.solve(made), type(error), "^mine")
    (note,) = caught.__notes__
    state = call.partition(",")[0].strip(")")
    assert note == f"raised when the game was asked {state})"


def test_errors_of_an_answer_that_is_made_while_it_is_read_say_where() -> None:
    made = asked(chance_outcomes=(1 // k for k in (1, 0)))
    made.chance_outcomes = lambda state: ((1 // k, 3) for k in (1, 0))
    (note,) = refuses(lambda: exact.solve(made), ZeroDivisionError, "").__notes__
    assert note == "raised when the game was asked chance_outcomes(1)"


@pytest.mark.parametrize(
    "method",
    [
        *("current_players", "legal_actions", "next_states"),
        *("rewards", "chance_outcomes", "returns"),
    ],
)
def test_errors_of_a_game_for_arrays_say_where(method: str) -> None:
    def failing(*_: Any) -> Any:
        raise RuntimeError("mine")

    made = wrong(**{method: failing})
    (note,) = refuses(lambda: explore(made), RuntimeError, "^mine").__notes__
    assert note.startswith(f"raised when the game was asked {method} for ")
    assert ", the first of which is [2, 1, " in note


@pytest.mark.parametrize("levels", [None, [0] * 10, range(10)])
def test_too_many_states_of_a_game_for_arrays(levels: Any) -> None:
    rows: Any = {i: (0, {"0": i + 1}) for i in range(9)} | {9: ("end", [0])}
    made = Listed(Table(rows), levels=levels)
    assert exact.solve(made, max_states=10).num_states == 10
    words = "7 are found, and 1 follow, among them 7; give a larger max_states;"
    refuses(lambda: exact.solve(made, max_states=7), TooManyStatesError, words)


def test_more_variants_than_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "physical_memory", lambda: 400)
    words = r"a solution of 3 x \d+ x 1 values .*; solve fewer variants at a time"
    refuses(lambda: diagonal.solve(THREE), TooLargeError, words)


@pytest.mark.parametrize("function", PLAYED.values(), ids=PLAYED)
def test_who_has_nothing_to_decide_needs_no_policy(function: Any) -> None:
    idle = Table({**GAME.rows, "other": ("end", [1, -1])}, "start", 2)
    function(idle, [FIRST, None])


def test_what_needs_no_policy() -> None:
    second: Any = [None, SECOND]
    assert play.best_response(GAME, second, 0).before is None
    huge: Any = play.evaluate(HUGE, {}, backend="exact")
    assert huge.value == 10**400


@pytest.mark.parametrize("name", [*PLAYED][:4])
def test_floats_are_weights(name: str) -> None:
    PLAYED[name](GAME, [FIRST, {"other": {"up": 0.5, "down": 1}}])


def test_floats_for_arrays() -> None:
    assert play.distribution(FLOATS, full(1)).error < 1e-13


HUGE_INT = 10**5000
"""More digits than Python prints."""

UNUSUAL: list[tuple[str, Callable[[], object]]] = [
    ("policies", lambda: pairs.rates(None, N(3))),
    ("policies", lambda: play.simulate(pairs.game(), N(3), 1)),
    ("deck", lambda: pairs.Rules(deck=N(3))),
    ("cards", lambda: cardrow.value(N(3))),
    (r"rows\[0\]", lambda: cardrow.values([N(3)])),
    ("legal_actions", lambda: exact.solve(asked(legal_actions=N(3)))),
    ("chance_outcomes", lambda: exact.solve(asked(chance_outcomes=N(3)))),
    ("returns", lambda: exact.solve(asked(returns=N(3)))),
    ("returns", lambda: exact.solve(asked(returns=range(10**20)))),
    ("legal_actions", lambda: exact.solve(asked(legal_actions=range(10**20)))),
    ("initial_states", lambda: exact.solve(wrong(initial_states=[[1], [2, 3]]))),
    ("burn", lambda: pairs.Rules(burn=HUGE_INT)),
    ("burn", lambda: pairs.Rules.official(players=HUGE_INT)),
    ("target", lambda: pairs.Rules.official(target=HUGE_INT)),
    ("goal", lambda: pairs.solve(pairs.Rules(deck=3, target=3), goal=HUGE_INT)),
    ("rows", lambda: cardrow.deal(HUGE_INT, 3)),
    (
        "a distribution",
        lambda: play.distribution(redblack.game(HUGE_INT, 1), "optimal"),
    ),
]


@pytest.mark.parametrize(("name", "call"), UNUSUAL)
def test_the_argument_is_named(name: str, call: Callable[[], object]) -> None:
    """Arrays of no dimension, and numbers that Python does not print."""
    error = refuses(call, Exception, name)
    assert isinstance(error, (TypeError, ValueError))
    assert "Exceeds the limit" not in str(error)
