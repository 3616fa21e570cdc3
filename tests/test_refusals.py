"""What a game, a policy or an argument is refused for."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardgames_dp import (
    cardrow,
    diagonal,
    exact,
    game,
    pairs,
    play,
    plots,
    redblack,
)
from cardgames_dp._support import running
from cardgames_dp.game import TooManyStatesError, explore

from .games import Cards, Listed, Paying, RedBlack, Table
from .play.test_distributions import LOADED
from .refusals import game_error, refuses, too_large, type_error, value_error

SOLVERS: list[Callable[..., Any]] = [exact.solve, diagonal.solve]
N = np.array


# Games that answer wrongly
# ------------------------


def toy(*, pays: bool = False, **answers: Any) -> Any:
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


def toss(*outcomes: Any) -> Any:
    return toy(chance_outcomes=[*outcomes])


class HalfArrays:
    def initial_states(self) -> None: ...


ROUND = Table({0: (0, {"on": 1}), 1: (0, {"back": 0})})
FAVOUR = Table(
    {0: (0, {"yes": 1, "no": 2}), 1: ("end", [1]), 2: ("end", [1])},
)


def pays(reward: Any, *, end: Any = 1) -> Paying:
    """Return a game of one move, and what it pays."""
    rows: Any = {0: (0, {"0": 1}), 1: ("end", [end])}
    return Paying(rows, paid={(0, "0"): [reward]})


def tossing(weights: Any, *more: Any) -> Any:
    return deck(chance_outcomes=(STATE, weights, *more))


def deck(**answers: Any) -> Any:
    """Return a little game of which some answers are given."""
    made: Any = Cards(2, 1)
    for name, answer in answers.items():
        given = answer if callable(answer) else lambda *_, a=answer: a
        setattr(made, name, given if name != "num_players" else answer)
    return made


# Explored games and policies
# ---------------------------

STATE, ONE = N([0]), N([[1, 1, 0]])
FOUND: Any = explore(Cards(2, 1))
THREE: Any = FOUND.with_returns(
    lambda ends: np.arange(1, 4)[:, None, None] * Cards(2, 1).returns(ends)[:, None]
)


LITTLE: Any = exact.solve(Cards(2, 2))
STATES: Any = diagonal.solve(RedBlack(2, 2))
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


ARRAYS = "give a mixture as arrays (index, actions, weights)"
WRONG_MIXTURES: list[tuple[Callable[..., object], str, tuple[Any, ...]]] = [
    (type_error, f"{ARRAYS} of the same length, got", (index,)),
    (type_error, "index and actions of integers", (full(0.0), full(1), full(1))),
    (
        type_error,
        "one action and one weight each",
        (index, full(1), lambda s: np.ones((len(s), 2))),
    ),
    (value_error, "index from 0 to 4", (lambda s: index(s) + 1, full(1), full(1))),
    (value_error, "positive sum for state [2, 1, 0]", (index, full(1), full(0))),
    (value_error, "weights finite and >= 0", (index, full(1), full(nan))),
    (type_error, "weights of integers or floats", (index, full(1), full("1"))),
]
evaluate = play.evaluate


WRONG_PAYMENTS: list[tuple[Callable[..., object], str, Any]] = [
    (game_error, "hold one number per player", []),
    (type_error, "be a sequence, as a list", None),
    (type_error, "hold numbers (int, Fraction or float)", [1, "1"]),
    (game_error, "hold finite numbers", [1, nan]),
]


@pytest.mark.parametrize("solve", SOLVERS)
def test_answers_of_a_game(solve: Any) -> None:
    game_error("num_players must be an integer >= 1", solve, toy(num_players=0))
    game_error("current_player(0) must be the index", solve, toy(current_player=2))
    type_error("current_player(0) must be the", solve, toy(current_player=0.0))
    type_error("initial_state() must give", solve, toy(initial_state=["list"]))
    type_error("next_state(0, 'left') must give", solve, toy(next_state=["list"]))
    type_error("chance_outcomes(1)", solve, toss((1, ["list"])))
    type_error("legal_actions(0) must", solve, toy(legal_actions=["a", ["list"]]))
    game_error("legal_actions(0) must hold at least", solve, toy(legal_actions=[]))
    game_error("legal_actions(0) must", solve, toy(legal_actions=["a", "b", "a"]))
    type_error("legal_actions(0) must be a", solve, toy(legal_actions=None))
    type_error("chance_outcomes(1) must hold", solve, toy(chance_outcomes=None))
    pairs_of_weights: Any = {(1, 2): 1, (1, 3): 1}
    game_error("chance_outcomes(1) must", solve, toy(chance_outcomes=pairs_of_weights))
    type_error("chance_outcomes(1) must hold", solve, toss((1, 3), ("t", 2)))
    game_error("chance_outcomes(1) must", solve, toss((0.25, 3), (0.5, 2)))
    game_error("chance_outcomes(1)", solve, toss((2, 3), (-1, 2)))
    game_error("chance_outcomes(1) must hold pairs", solve, toss())
    for refuses_it, words, numbers in WRONG_PAYMENTS:
        refuses_it(f"returns(3) must {words}", solve, toy(returns=numbers))
        refuses_it(f"rewards(0, 'left') must {words}", solve, toy(rewards=numbers))
        paid = toss((1, 3), [2, 2, numbers])
        refuses_it(f"chance_outcomes(1) with rewards must {words}", solve, paid)


@pytest.mark.parametrize("solve", SOLVERS)
def test_what_both_backends_refuse(solve: Any) -> None:
    type_error("game must be an instance of Table", solve, Table)
    type_error("game must have the members of", solve, HalfArrays())
    type_error("game must be an instance of Cards", solve, Cards)
    listed = toy()
    listed.rewards = (1, 2)
    type_error("rewards of a game must be a method, as of", solve, listed)
    value_error("tie_break must be one of 'first'", solve, FAVOUR, tie_break="best")
    type_error("tie_break must be one of 'first'", solve, FAVOUR, tie_break=None)
    value_error(
        "tie_break must return one of the optimal actions ('yes', 'no') at state 0",
        solve,
        FAVOUR,
        tie_break=lambda state, actions: "perhaps",
    )
    many: Any = partial(refuses, TooManyStatesError)
    many(
        "grows without end, limit it in the rules", solve, RedBlack(9, 9), max_states=9
    )
    many(
        "the game has more states than max_states=45", solve, Cards(3, 3), max_states=45
    )
    game_error("every play must end", solve, ROUND)


def test_numbers() -> None:
    type_error("rewards must be integers or Fractions to be", exact.solve, pays(0.5))
    type_error("weights must be integers, Fract", exact.solve, toss((0.5, 3), (0.5, 2)))
    value_error("returns with all rewards must be", diagonal.solve, pays(-(2.0**1000)))


@pytest.mark.parametrize("solve", SOLVERS)
def test_answers_of_a_game_for_arrays(solve: Any) -> None:
    game_error("initial_states() must hold one", solve, deck(initial_states=N([])))
    type_error("initial_states() must hold", solve, deck(initial_states=N([[1.0]])))
    game_error("current_players(states)", solve, deck(current_players=N([0, 0])))
    game_error("current_players(states) must", solve, deck(current_players=N([1])))
    type_error("current_players(states) must", solve, deck(current_players=N([0.0])))
    type_error("legal_actions(states) must be 2", solve, deck(legal_actions=None))
    both = N([0, 1]), N([1, 2])
    game_error("1 states first, from 0 to 0", solve, deck(legal_actions=both))
    game_error("legal_actions(states", solve, deck(legal_actions=(N([0, 0]), N([1]))))
    type_error("legal_actions(states)", solve, deck(legal_actions=(STATE, N([0.5]))))
    none, twice = (N([], int), N([], int)), (N([0, 0, 0]), N([1, 2, 1]))
    game_error("one action for each state", solve, deck(legal_actions=none))
    game_error("must hold distinct actions", solve, deck(legal_actions=twice))
    game_error("an array of shape (2, 3)", solve, deck(next_states=N([[1, 1, 1]])))
    type_error("next_states(states", solve, deck(next_states=np.ones((2, 3))))
    type_error("a fourth of rewards", solve, tossing(N([1])))
    game_error("must hold weights >= 0", solve, tossing(N([-1]), ONE))
    game_error("positive sum for each state", solve, tossing(N([0]), ONE))
    game_error("chance_outcomes(states)", solve, tossing(N([0.5]), ONE))
    words = "chance_outcomes(states) must hold weights that are numbers >= 0 (int"
    game_error(words, solve, tossing(N([-(2**70)], dtype=object), ONE))
    type_error(words, solve, tossing(N([True], dtype=object), ONE))
    game_error("a weight for each index", solve, tossing(N([1, 1]), ONE))
    game_error("in an array of shape (1, 3)", solve, tossing(N([1]), ONE[0]))
    paid = tossing(N([1]), ONE, N([[1, 2]]))
    game_error("with rewards must hold one number per player", solve, paid)
    type_error("returns(states) must hold integers", solve, deck(returns=N(["1"])))
    type_error("returns(states) at state", solve, deck(returns=N([0.5, None])[[1]]))
    mixed = N([Fraction(1, 2), nan])[[1]]
    game_error("1] must hold finite numbers", solve, deck(returns=mixed))
    game_error("returns(states) must hold finite", solve, deck(returns=N([nan])))
    game_error("actions) must hold finite numbers", solve, deck(rewards=N([1, inf])))
    type_error("rewards(states, actions)", solve, deck(rewards=N([True, False])))
    game_error("rewards(states, actions) must hold one", solve, deck(rewards=None))
    game_error("levels(states) must hold one integer", solve, deck(levels=N([0, 0])))
    type_error("levels(states) must hold integers of at", solve, deck(levels=None))
    game_error("levels(states) must", solve, deck(levels=lambda states: states[:, 0]))


def test_what_a_game_that_is_explored_is_given_anew() -> None:
    value_error("game must be a game of one variant", exact.solve, THREE)
    value_error("variant must be", THREE.at, 3)
    value_error("at is for a game of many variants, and this game", THREE.at(0).at, 0)
    value_error(
        "optimal_actions is for", diagonal.solve(THREE).optimal_actions, N([[2, 1, 0]])
    )
    value_error("a frame or a dict is for one", diagonal.solve(THREE).to_pandas)
    wide: Any = lambda s: np.zeros((2, len(s), 2))  # noqa: E731
    game_error("an array of shape (6, 1)", THREE.with_returns, wide)
    coin = explore(Table({0: ("chance", [(1, 0), (1, 1)]), 1: ("end", [1])}))
    rows = iter(np.array([[1, 1], [1, 0]]).T)  # and a coin that never shows heads
    never = coin.with_weights(lambda *_: next(rows))
    game_error("variant 1: every play must end", diagonal.solve, never)


def test_what_a_solution_is_asked() -> None:
    refuses(KeyError, "'the state [9, 1, 0] cannot be", LITTLE.values, N([[9, 1, 0]]))
    refuses(KeyError, "'nobody decides in the state", LITTLE.policy, N([[2, 2, 1]]))
    game_error("hold states in an array of shape (3, 3)", LITTLE.values, N([2, 2, 1]))
    type_error("states must hold integers of at", LITTLE.values, N([[2, 2, 1.0]]))
    game_error("must hold states in an array of shape (None, 3)", LITTLE.values, 3)
    value_error("reached, such as (2, 2, 'decide')", STATES.advice, (9, 9, "decide"))
    ended = exact.solve(Table({0: ("end", [1])}))
    value_error("reached, and the game has none", ended.advice, 0)


def test_games_that_are_played() -> None:
    type_error("policies must be a callable of a state, a mapping", evaluate, GAME, 7)
    type_error("policies must be an instance of dict", evaluate, GAME, dict)
    type_error("policies must be given for a game, which has none of", evaluate, GAME)
    value_error("policies must hold one policy per player", evaluate, GAME, [FIRST])
    type_error("policies[1] must be a callable of a", evaluate, GAME, [FIRST, None])
    value_error("player 1 moves, and has none for 'other", evaluate, GAME, FIRST)
    value_error("policies[0] must have an action", evaluate, GAME, [SECOND, SECOND])
    value_error("the policy of player 1 must", evaluate, GAME, lambda state: "left")
    value_error("the policy of player 1 must", evaluate, GAME, [FIRST, {"other": {}}])
    value_error("the weight of 'up' in the", evaluate, GAME, [FIRST, weighing(-1)])
    type_error("the weight of 'up' in the", evaluate, GAME, [FIRST, weighing(True)])
    type_error(
        "with backend='exact", evaluate, GAME, [FIRST, weighing(0.5)], backend="exact"
    )
    type_error("policies must be a policy, such as", evaluate, LITTLE, LITTLE.values)
    type_error("the policy of player 0 must give a", evaluate, LITTLE, LITTLE.advice)
    value_error("histories must be at most", play.simulate, GAME, ALL, 5, histories=6)
    too_large("the histories of", play.simulate, GAME, ALL, 10**11, histories=10**11)
    value_error("returns must be at most 2**1000 in absolute", evaluate, HUGE, {})
    type_error("solution must be what exact.solve, diagonal.solve", play.Position, 3)
    value_error("move must be one of ('stop', 'draw')", START.play, [])
    value_error("move must be one of ((1, 2", START.play("draw").play, "draw")
    value_error("the game has just begun: there is no move to undo", START.undo)


def test_policies_of_games_for_arrays() -> None:
    value_error("player 0 moves, and has none for (2, 1, 0)", evaluate, FOUND, {})
    type_error("the policy of player 0 must give an", evaluate, FOUND, full(0.0))
    value_error("the policy of player 0 must give one of", evaluate, FOUND, full(7))
    for refuses_it, words, parts in WRONG_MIXTURES:
        refuses_it(words, evaluate, FOUND, mix(*parts))
    half = mix(index, full(1), full(0.5))
    type_error(f"of player 0 must {ARRAYS}", evaluate, FOUND, half, backend="exact")


def test_results_and_levels_of_a_distribution() -> None:
    value_error("x must be a real number (an int, Fraction, Decimal", LOADED.cdf, nan)
    type_error("x must be a real number (an int, Fraction, Decimal", LOADED.cdf, "1")
    value_error("q must be a", LOADED.quantile, -0.1)


def test_pictures() -> None:
    value_error("game must have at most", plots.plot_tree, RedBlack(9, 9))
    type_error("name must be callable or", plots.plot_tree, RedBlack(2, 1), name="x")
    type_error("name must return a str", plots.plot_tree, RedBlack(2, 1), name=len)
    game_error("drawn from the top down", plots.plot_tree, Table({0: (0, {"a": 0})}))
    drawn, laws = plots.plot_distribution, play.distribution(GAME, ALL)
    other = play.simulate(RedBlack(1, 1), lambda _: "stop", 5, rng=1)
    value_error("simulation must have 2 distributions of the", drawn, laws, other)
    huge = play.distribution(HUGE, {}, backend="exact")
    value_error("distribution must have numbers of at most 1e+100", drawn, huge)


def test_answers_of_any_kind() -> None:
    """Sequences, iterators and numbers of NumPy; weights of 0 lead nowhere."""
    payoffs = exact.solve(toy()).payoffs
    chance = [(np.int32(1), 3), [3, 2], (0, ["not hashable"])]
    for kind in (list, tuple, N):
        made = toy(chance_outcomes=iter(chance), returns=kind([1, Fraction(-1, 2)]))
        made.next_state = lambda state, action: 3 if state == 2 else int(1 + action)
        made.current_player = lambda state: N([0, -1, 1, -4])[state]
        made.legal_actions = lambda state, k=kind: k([0, 1][: 1 + (state == 0)])
        assert exact.solve(made).payoffs == payoffs
    half = np.int64(2**62)
    coin = {0: ("chance", [(half, 1), (half, 2)]), 1: ("end", [half])}
    huge = exact.solve(Table({**coin, 2: ("end", N([2**62]))})).value
    assert huge == 2**62
    assert type(huge.numerator) is int
    mixed = toy(returns=[np.float32(0.5), np.int8(2)])
    assert diagonal.solve(mixed).payoffs == (0.5, 2)
    assert isinstance(toy(), game.Game)
    assert not isinstance("chess", game.Game)


def test_more_than_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "physical_memory", lambda: 2 * 5 * 512)
    words = "memory holds, 5 of about 512 B"
    for solve in SOLVERS:
        refuses(TooManyStatesError, words, solve, RedBlack(3, 3), max_states=10**12)
    monkeypatch.setattr(running, "physical_memory", lambda: 10**5)
    too_large("a game of at least ", diagonal.solve, Cards(90, 90))


@pytest.mark.parametrize("players", [1, 3])
def test_the_size_that_is_refused(
    monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    """By state two floats a player and eight bytes besides, and two bytes by move."""
    rows: dict[Any, Any] = {0: (0, {"a": 1, "b": 2})}
    rows |= {state: ("end", [0] * players) for state in (1, 2)}
    needed = 3 * (16 * players + 8) + 2 * 2
    explored = explore(Table(rows, num_players=players))
    monkeypatch.setattr(running, "physical_memory", lambda: 2 * needed)
    assert diagonal.solve(explored).payoffs == (0,) * players
    monkeypatch.setattr(running, "physical_memory", lambda: 2 * needed - 2)
    too_large(f"needs about {needed} bytes", diagonal.solve, explored)


# Errors of the game itself
# -------------------------


@pytest.mark.parametrize("error", [RuntimeError("mine"), TypeError("mine")])
@pytest.mark.parametrize(
    "call",
    [
        *("current_player(0)", "legal_actions(0)", "next_state(0, 'left')"),
        *("rewards(0, 'left')", "chance_outcomes(1)", "returns(3)"),
    ],
)
def test_errors_of_a_game_say_where(call: str, error: Exception) -> None:
    def fail(*_: Any) -> Any:
        raise type(error)("mine")

    made = toy()
    setattr(made, call.partition("(")[0], fail)
    caught = refuses(type(error), "mine", exact.solve, made)
    (note,) = caught.__notes__
    state = call.partition(",")[0].strip(")")
    assert note == f"raised when the game was asked {state})"


def test_errors_of_an_answer_that_is_made_while_it_is_read_say_where() -> None:
    made = toy()
    made.chance_outcomes = lambda state: ((1 // k, 3) for k in (1, 0))
    (note,) = refuses(ZeroDivisionError, "", exact.solve, made).__notes__
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

    made = deck(**{method: failing})
    (note,) = refuses(RuntimeError, "mine", explore, made).__notes__
    assert note.startswith(f"raised when the game was asked {method} for ")
    assert ", the first of which is [2, 1, " in note


@pytest.mark.parametrize("levels", [None, [0] * 10, range(10)])
def test_too_many_states_of_a_game_for_arrays(levels: Any) -> None:
    rows: Any = {i: (0, {"0": i + 1}) for i in range(9)} | {9: ("end", [0])}
    made = Listed(Table(rows), levels=levels)
    assert exact.solve(made, max_states=10).num_states == 10
    words = "7 are found, and 1 follow, among them 7; give a larger max_states;"
    refuses(TooManyStatesError, words, exact.solve, made, max_states=7)


def test_more_variants_than_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "physical_memory", lambda: 400)
    too_large("; solve fewer variants at a time", diagonal.solve, THREE)


def test_who_has_nothing_to_decide_needs_no_policy() -> None:
    idle = Table({**GAME.rows, "other": ("end", [1, -1])}, "start", 2)
    for function in (play.evaluate, play.regret, play.distribution):
        function(idle, [FIRST, None])
    assert play.best_response(idle, [FIRST, None], 0).gain is not None
    assert play.simulate(idle, [FIRST, None], 5).games == 5


def test_what_needs_no_policy() -> None:
    second: Any = [None, SECOND]
    assert play.best_response(GAME, second, 0).before is None
    huge: Any = play.evaluate(HUGE, {}, backend="exact")
    assert huge.value == 10**400


HUGE_INT = 10**5000
"""More digits than Python prints."""

UNUSUAL: list[tuple[str, Callable[[], object]]] = [
    ("cards", lambda: cardrow.value(N(3))),
    (r"rows\[0\]", lambda: cardrow.values([N(3)])),
    ("legal_actions", lambda: exact.solve(toy(legal_actions=N(3)))),
    ("chance_outcomes", lambda: exact.solve(toy(chance_outcomes=N(3)))),
    ("returns", lambda: exact.solve(toy(returns=N(3)))),
    ("returns", lambda: exact.solve(toy(returns=range(10**20)))),
    ("legal_actions", lambda: exact.solve(toy(legal_actions=range(10**20)))),
    ("initial_states", lambda: exact.solve(deck(initial_states=[[1], [2, 3]]))),
    ("burn", lambda: pairs.Rules(burn=HUGE_INT)),
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
    with pytest.raises((TypeError, ValueError), match=name) as caught:
        call()
    assert "Exceeds the limit" not in str(caught.value)
