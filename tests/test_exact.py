"""The exact-rational backend, on games that the package does not ship."""

import copy
import math
import pickle
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from decimal import Decimal
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from operator import xor
from typing import Any, assert_type

import numpy as np
import pytest
from hypothesis import given, strategies as st

import cardgames_dp
from cardgames_dp import exact
from cardgames_dp._support import running
from cardgames_dp.game import CHANCE, TERMINAL, GameError, Solution, TooManyStatesError

from .written import Cards, RedBlack, Table, games


def fractions(*numbers: int | Fraction) -> tuple[Fraction, ...]:
    """Return a value vector."""
    return tuple(map(Fraction, numbers))


# Games of known value
# --------------------


def test_red_black_of_problem_14() -> None:
    solution = exact.solve(RedBlack(26, 26))
    assert_type(solution, Solution[tuple[int, int, str], str, Fraction])
    assert solution.value == (Fraction(41984711742427, 15997372030584),)
    # The one cell where stopping and drawing are worth the same: one red, two black.
    assert solution.ties == ((1, 2, "decide"),)
    assert solution.optimal_actions[1, 2, "decide"] == ("stop", "draw")
    # 27 x 27 cells: a decision and a stop in each, a draw in all but the last.
    assert solution.num_states == 3 * 27**2 - 1


@pytest.mark.parametrize("l", range(7))
def test_red_black_by_boyces_recursion(l: int) -> None:  # noqa: E741
    @cache
    def marginal(red: int, black: int) -> Fraction:
        if red == 0 or black == 0:
            return Fraction(red)
        draw = red * (1 + marginal(red - 1, black))
        draw += black * (marginal(red, black - 1) - 1)
        return max(Fraction(0), draw / (red + black))

    assert exact.solve(RedBlack(l, l)).value == (marginal(l, l),)


class Urn:
    """Draw from an urn while you like; the three kinds of ball pay 2, 0 and -1."""

    num_players = 1

    def __init__(self, *counts: int) -> None:
        self.counts = counts

    def initial_state(self) -> Any:
        return *self.counts, "decide"

    def current_player(self, state: Any) -> int:
        return {"decide": 0, "draw": CHANCE, "stop": TERMINAL}[state[3]]

    def legal_actions(self, state: Any) -> list[str]:
        return ["stop", "draw"] if any(state[:3]) else ["stop"]

    def next_state(self, state: Any, action: str) -> Any:
        return *state[:3], action

    def chance_outcomes(self, state: Any) -> list[tuple[int, Any]]:
        a, b, c, _ = state
        return [
            (a, (a - 1, b, c, "decide")),
            (b, (a, b - 1, c, "decide")),
            (c, (a, b, c - 1, "decide")),
        ]

    def returns(self, state: Any) -> list[int]:
        return [2 * (self.counts[0] - state[0]) - (self.counts[2] - state[2])]


@pytest.mark.parametrize("counts", [(0, 0, 0), (1, 1, 1), (2, 3, 5), (1, 0, 9)])
def test_three_kind_urn(counts: tuple[int, int, int]) -> None:
    @cache
    def gain(a: int, b: int, c: int) -> Fraction:
        """Return what is still to be won: it does not depend on what is won already."""
        draw = Fraction(0)
        if a:
            draw += Fraction(a, a + b + c) * (gain(a - 1, b, c) + 2)
        if b:
            draw += Fraction(b, a + b + c) * gain(a, b - 1, c)
        if c:
            draw += Fraction(c, a + b + c) * (gain(a, b, c - 1) - 1)
        return max(draw, Fraction(0))

    assert exact.solve(Urn(*counts)).value == (gain(*counts),)


def test_urn_with_a_closed_form() -> None:
    """One prize of 2 among blanks costs nothing to look for."""
    assert exact.solve(Urn(1, 9, 0)).value == fractions(2)
    # Never stopping before the prize pays 2 - k with probability 1/3, k = 0, 1, 2.
    assert exact.solve(Urn(1, 0, 2)).value == fractions(1)


class Pig:
    """Roll for points until you hold; a 1 loses the turn's points; eight points win.

    The real game goes on for ever. This one is a draw after so many turns, and who has
    rolled enough must hold.
    """

    num_players = 2

    def __init__(self, turns: int) -> None:
        self.turns = turns

    def initial_state(self) -> Any:
        return "move", self.turns, 0, (0, 0), 0  # turns left, mover, scores, pot

    def current_player(self, state: Any) -> int:
        word, turns, mover, scores, _ = state
        if turns == 0 or max(scores) >= 8:
            return TERMINAL
        return CHANCE if word == "roll" else int(mover)

    def legal_actions(self, state: Any) -> list[str]:
        _, _, mover, scores, pot = state
        return ["hold"] if scores[mover] + pot >= 8 else ["hold", "roll"]

    def next_state(self, state: Any, action: str) -> Any:
        _, turns, mover, scores, pot = state
        if action == "roll":
            return "roll", turns, mover, scores, pot
        scores = tuple(s + pot * (i == mover) for i, s in enumerate(scores))
        return "move", turns - 1, 1 - mover, scores, 0

    def chance_outcomes(self, state: Any) -> list[tuple[int, Any]]:
        _, turns, mover, scores, pot = state
        bust = "move", turns - 1, 1 - mover, scores, 0
        lucky = [("move", turns, mover, scores, pot + pips) for pips in range(2, 7)]
        return [(1, state) for state in (bust, *lucky)]

    def returns(self, state: Any) -> list[int]:
        first, second = state[3]
        return [1, -1] if first >= 8 else [-1, 1] if second >= 8 else [0, 0]


@pytest.mark.parametrize("turns", [1, 2, 3, 6])
def test_pig(turns: int) -> None:
    """Against minimax as one recursion, from the mover's point of view."""

    @cache
    def edge(turns: int, mine: int, yours: int, pot: int) -> Fraction:
        if yours >= 8:
            return Fraction(-1)
        if turns == 0:
            return Fraction(0)
        if mine + pot >= 8:
            return Fraction(1)
        hold = -edge(turns - 1, yours, mine + pot, 0)
        rolls = [edge(turns, mine, yours, pot + pips) for pips in range(2, 7)]
        return max(hold, (sum(rolls) - edge(turns - 1, yours, mine, 0)) / 6)

    solution = exact.solve(Pig(turns))
    assert solution.value == (edge(turns, 0, 0, 0), -edge(turns, 0, 0, 0))
    assert all(sum(value) == 0 for value in solution.values.values())


class Nim:
    """Take any number from one heap; who takes the last one wins."""

    num_players = 2

    def __init__(self, *heaps: int) -> None:
        self.heaps = heaps

    def initial_state(self) -> tuple[tuple[int, ...], int]:
        return self.heaps, 0

    def current_player(self, state: tuple[tuple[int, ...], int]) -> int:
        return state[1] if any(state[0]) else TERMINAL

    def legal_actions(
        self, state: tuple[tuple[int, ...], int]
    ) -> list[tuple[int, int]]:
        return [(i, n) for i, heap in enumerate(state[0]) for n in range(1, heap + 1)]

    def next_state(
        self, state: tuple[tuple[int, ...], int], action: tuple[int, int]
    ) -> tuple[tuple[int, ...], int]:
        heaps = list(state[0])
        heaps[action[0]] -= action[1]
        return tuple(heaps), 1 - state[1]

    def chance_outcomes(self, state: tuple[tuple[int, ...], int]) -> list[Any]:
        raise AssertionError("there is no chance in Nim")

    def returns(self, state: tuple[tuple[int, ...], int]) -> list[int]:
        return [-1, 1] if state[1] == 0 else [1, -1]


def test_nim_by_boutons_theorem() -> None:
    """The mover wins if and only if the exclusive or of the heaps is not zero."""
    solution = exact.solve(Nim(4, 3, 5))
    for (heaps, mover), value in solution.values.items():
        wins = bool(reduce(xor, heaps))
        assert value[mover] == (1 if wins else -1)
        assert value[1 - mover] == -value[mover]
        if wins:
            good = solution.optimal_actions[heaps, mover]
            after = [Nim(*heaps).next_state((heaps, mover), a)[0] for a in good]
            assert all(reduce(xor, heaps) == 0 for heaps in after)


@pytest.mark.parametrize("coins", [(5,), (4, 4, 6, 6, 12, 9), (14, 4, 7, 2, 5, 12)])
def test_coins_in_a_row(coins: tuple[int, ...]) -> None:
    class Row:
        num_players = 2

        def initial_state(self) -> Any:
            return 0, len(coins), 0  # what is left of the row; the first player's sum

        def current_player(self, state: Any) -> int:
            left, right, _ = state
            return (len(coins) - right + left) % 2 if left < right else TERMINAL

        def legal_actions(self, state: Any) -> list[str]:
            return ["left", "right"]

        def next_state(self, state: Any, action: str) -> Any:
            left, right, mine = state
            coin = coins[left if action == "left" else right - 1]
            mine += coin * (self.current_player(state) == 0)
            return left + (action == "left"), right - (action == "right"), mine

        def chance_outcomes(self, state: Any) -> list[Any]:
            raise AssertionError("there is no chance in a row of coins")

        def returns(self, state: Any) -> list[int]:
            return [state[2], sum(coins) - state[2]]

    @cache
    def margin(left: int, right: int) -> int:
        if left == right:
            return 0
        return max(
            coins[left] - margin(left + 1, right),
            coins[right - 1] - margin(left, right - 1),
        )

    first, second = exact.solve(Row()).value
    assert first + second == sum(coins)
    assert first - second == margin(0, len(coins))


class Dice:
    """Chance alone: throw a die so many times, and count the points and the faces."""

    num_players = 2

    def __init__(self, throws: int) -> None:
        self.throws = throws

    def initial_state(self) -> Any:
        return 0, 0, frozenset[int]()

    def current_player(self, state: Any) -> int:
        return CHANCE if state[0] < self.throws else TERMINAL

    def legal_actions(self, state: Any) -> list[Any]:
        raise AssertionError("nobody decides")

    def next_state(self, state: Any, action: Any) -> Any:
        raise AssertionError("nobody decides")

    def chance_outcomes(self, state: Any) -> list[tuple[int, Any]]:
        thrown, points, seen = state
        return [(1, (thrown + 1, points + p, seen | {p})) for p in range(1, 7)]

    def returns(self, state: Any) -> list[int]:
        return [state[1], len(state[2])]


@pytest.mark.parametrize("throws", [1, 2, 4])
def test_chance_alone(throws: int) -> None:
    solution = exact.solve(Dice(throws))
    points, faces = solution.value
    assert points == Fraction(7, 2) * throws
    assert faces == 6 * (1 - Fraction(5, 6) ** throws)
    assert not solution.policy
    assert not solution.optimal_actions


class PassingDice(Dice):
    """The same, with an iterable of outcomes that can be gone through once."""

    def chance_outcomes(self, state: Any) -> Any:
        return iter(super().chance_outcomes(state))


def test_outcomes_may_be_any_iterable() -> None:
    assert exact.solve(PassingDice(3)).value == exact.solve(Dice(3)).value


def test_a_single_terminal_state() -> None:
    solution = exact.solve(Table({0: ("end", [Fraction(1, 3), 2])}, num_players=2))
    assert solution.value == fractions(Fraction(1, 3), 2)
    assert solution.initial_state == 0
    assert (solution.num_players, solution.num_states) == (2, 1)
    assert (solution.policy, solution.optimal_actions, solution.ties) == ({}, {}, ())


def test_numpy_integers_are_exact() -> None:
    """Weights and returns of NumPy's types neither overflow nor become floats."""
    huge = np.int64(2**62)
    rows = {
        0: ("chance", [(huge, 1), (huge, 2)]),
        1: ("end", [huge]),
        2: ("end", np.array([2**62])),
    }
    (value,) = exact.solve(Table(rows)).value
    assert value == 2**62
    assert type(value.numerator) is int


def test_equal_outcomes_add_their_weights() -> None:
    rows = {
        0: ("chance", [(1, 1), (2, 2), (3, 1)]),
        1: ("end", [0]),
        2: ("end", [1]),
    }
    assert exact.solve(Table(rows)).value == (Fraction(1, 3),)


def test_outcomes_of_weight_zero_are_not_explored() -> None:
    rows = {0: ("chance", [(0, "nowhere"), (0, 0), (1, 1)]), 1: ("end", [7])}
    solution = exact.solve(Table(rows))
    assert solution.values == {0: fractions(7), 1: fractions(7)}


@pytest.mark.slow
def test_a_long_game_needs_no_recursion() -> None:
    """Decisions and chance in turn, ten times as deep as Python may recurse."""
    length = 10_000
    assert length >= 10 * sys.getrecursionlimit()
    rows: dict[Any, tuple[Any, Any]] = {
        i: (0, {"on": i + 1}) if i % 2 else ("chance", [(1, i + 1)])
        for i in range(length)
    }
    rows[length] = ("end", [Fraction(2, 7)])
    solution = exact.solve(Table(rows))
    assert solution.num_states == length + 1
    assert solution.value == (Fraction(2, 7),)


def test_the_game_is_asked_once_for_each_state_and_action() -> None:
    asked: list[tuple[Any, ...]] = []

    class Watched(RedBlack):
        def next_state(
            self, state: tuple[int, int, str], action: str
        ) -> tuple[int, int, str]:
            asked.append((state, action))
            return super().next_state(state, action)

        def returns(self, state: tuple[int, int, str]) -> list[int]:
            asked.append((state,))
            return super().returns(state)

        def chance_outcomes(
            self, state: tuple[int, int, str]
        ) -> list[tuple[int, tuple[int, int, str]]]:
            asked.append((state,))
            return super().chance_outcomes(state)

    solution = exact.solve(Watched(3, 3))
    # Of 16 cells, 15 have two actions and an outcome, and all have a return.
    assert len(asked) == len(set(asked)) == (15 * 2 + 1) + 15 + 16
    assert solution.num_states == 16 + 15 + 16


# Ties
# ----

# Player 0 may ask player 1, to whom both answers are worth the same.
FAVOUR = Table(
    {
        "start": (0, {"ask": "asked", "leave": "left alone"}),
        "asked": (1, {"yes": "granted", "no": "refused"}),
        "left alone": ("end", [2, 1, 0]),
        "granted": ("end", [5, 1, 0]),
        "refused": ("end", [0, 1, 9]),
    },
    start="start",
    num_players=3,
)


def test_the_tie_rule_decides_what_the_others_get() -> None:
    granting = exact.solve(FAVOUR)
    refusing = exact.solve(FAVOUR, tie_break="last")
    for solution in (granting, refusing):
        assert solution.optimal_actions["asked"] == ("yes", "no")
        assert solution.ties == ("asked",)
    assert granting.value == fractions(5, 1, 0)
    assert granting.policy == {"start": "ask", "asked": "yes"}
    assert granting.optimal_actions["start"] == ("ask",)
    assert refusing.value == fractions(2, 1, 0)
    assert refusing.policy == {"start": "leave", "asked": "no"}
    assert refusing.optimal_actions["start"] == ("leave",)
    assert refusing.values["asked"] == fractions(0, 1, 9)


def test_a_callable_tie_rule_is_asked_where_there_is_a_tie() -> None:
    asked = []

    def refuse(state: Any, actions: tuple[Any, ...]) -> Any:
        asked.append((state, actions))
        return "no"

    solution = exact.solve(FAVOUR, tie_break=refuse)
    assert asked == [("asked", ("yes", "no"))]
    assert solution.tie_break == "refuse"
    assert solution.policy == exact.solve(FAVOUR, tie_break="last").policy


def test_a_tie_rule_without_a_name() -> None:
    class Refuse:
        def __call__(self, state: Any, actions: tuple[Any, ...]) -> Any:
            return "no"

    assert exact.solve(FAVOUR, tie_break=Refuse()).tie_break == "Refuse"


def test_a_tie_rule_that_chooses_what_is_not_optimal() -> None:
    message = (
        r"^tie_break must return one of the optimal actions \('yes', 'no'\) at state "
        r"'asked', got 'perhaps'$"
    )
    with pytest.raises(ValueError, match=message):
        exact.solve(FAVOUR, tie_break=lambda state, actions: "perhaps")


TIE_RULES = (
    "^tie_break must be one of 'first', 'last', 'uniform', or a callable of a state "
    "and its optimal actions, got "
)


@pytest.mark.parametrize(
    ("word", "hint"),
    [("best", ""), ("", ""), ("First", r"; did you mean 'first'\?")],
)
def test_an_unknown_tie_rule(word: Any, hint: str) -> None:
    with pytest.raises(ValueError, match=f"{TIE_RULES}'{word}'{hint}$"):
        exact.solve(FAVOUR, tie_break=word)


@pytest.mark.parametrize("rule", [None, 0, ("first",)])
def test_a_tie_rule_of_a_wrong_type(rule: Any) -> None:
    with pytest.raises(TypeError, match=TIE_RULES):
        exact.solve(FAVOUR, tie_break=rule)


# Refusals
# --------

CYCLES: dict[str, tuple[dict[Any, tuple[Any, Any]], str, int]] = {
    "itself": ({0: (0, {"on": 0})}, "0 -> 0", 1),
    "two": ({0: (0, {"on": 1}), 1: (0, {"back": 0})}, "[01] -> [01] -> [01]", 2),
    "by chance": (
        {
            0: (0, {"end": 3, "on": 1}),
            1: ("chance", [(0, 3), (1, 2)]),
            2: (0, {"back": 1}),
            3: ("end", [0]),
        },
        "2 -> 1 -> 2",
        2,
    ),
    "six": (
        {i: (0, {"on": (i + 1) % 6}) for i in range(6)},
        "0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 0",
        6,
    ),
    "long": (
        {i: ("chance", [(1, (i + 1) % 5000)]) for i in range(5000)},
        r"0 -> 1 -> 2 -> 3 -> 4 -> \.\.\. -> 4999 -> 0",
        5000,
    ),
}


@pytest.mark.parametrize("name", CYCLES)
def test_a_cycle_without_end_is_named(name: str) -> None:
    rows, states, length = CYCLES[name]
    message = rf"^every play must end, but .*: {states} \(a cycle of {length}\)"
    with pytest.raises(GameError, match=message):
        exact.solve(Table(rows))


def test_two_ways_to_a_state_are_no_cycle() -> None:
    rows = {
        0: (0, {"a": 1, "b": 2, "c": 3}),
        1: (0, {"c": 3}),
        2: (0, {"a": 1, "c": 3}),
        3: ("end", [1]),
    }
    assert exact.solve(Table(rows)).ties == (0, 2)


@pytest.mark.parametrize(
    ("row", "error", "message"),
    [
        ((1, {"on": 2}), GameError, r"^current_player\(1\) must be the index"),
        ((-2, {"on": 2}), GameError, r"^current_player\(1\) must be the index"),
        ((0.0, {"on": 2}), TypeError, r"^current_player\(1\) must be the index"),
        ((0, {}), GameError, r"^legal_actions\(1\) must hold at least one action"),
        ((0, {"on": []}), TypeError, r"^next_state\(1, 'on'\) must give hashable"),
        (("chance", [(1, [])]), TypeError, r"^chance_outcomes\(1\) must give hashable"),
        (("chance", []), GameError, r"weights have a positive sum, got 0$"),
        (("chance", [(0, 2)]), GameError, r"weights have a positive sum, got 0$"),
        (("chance", [(-1, 2), (3, 2)]), GameError, r"integers >= 0, got the weight -1"),
        (("chance", [(0.5, 2)]), TypeError, r"integers >= 0, got the weight 0.5 of"),
        (
            ("chance", [(Fraction(1, 2), 2)]),
            TypeError,
            r"integers >= 0, got the weight Fraction\(1, 2\) of type Fraction$",
        ),
        (("chance", [(True, 2)]), TypeError, r"integers >= 0, got the weight True of"),
        (("chance", [2]), TypeError, r"^chance_outcomes\(1\) must hold pairs"),
        (("end", [1, 2]), GameError, r"^returns\(1\) must hold one number a player"),
        (("end", 1), TypeError, r"^returns\(1\) must be a sequence"),
        (("end", [0.5]), TypeError, "^returns must be integers or Fractions to be exa"),
        (("end", [math.nan]), GameError, r"^returns\(1\) must hold finite .* got nan$"),
        (("end", [-math.inf]), GameError, r"^returns\(1\) must hold finite .* -inf$"),
        (("end", ["1"]), TypeError, r"^returns\(1\) must hold numbers .* got '1' of"),
        (("end", [True]), TypeError, r"^returns\(1\) must hold numbers .* got True"),
        (("end", [Decimal(1)]), TypeError, r"^returns\(1\) must hold .* of type Decim"),
    ],
)
def test_broken_promises(row: Any, error: type[Exception], message: str) -> None:
    """Behind a good initial state; the wording is tested with `CheckedGame`."""
    rows = {0: (0, {"on": 1}), 1: row, 2: ("end", [0])}
    with pytest.raises(error, match=message):
        exact.solve(Table(rows))


@pytest.mark.parametrize(
    ("method", "state"),
    [
        ("current_player", 1),
        ("legal_actions", 1),
        ("next_state", 1),
        ("rewards", 1),
        ("chance_outcomes", 2),
        ("returns", 3),
    ],
)
@pytest.mark.parametrize("error", [RuntimeError("mine"), TypeError("mine")])
def test_errors_of_the_game_itself_say_where(
    method: str, state: int, error: Exception
) -> None:
    rows = {
        0: (0, {"on": 1}),
        1: (0, {"on": 2}),
        2: ("chance", [(1, 3)]),
        3: ("end", [0]),
    }

    class Failing(Table):
        def rewards(self, state: Any, action: Any) -> Any:
            return [0]

    def fail(given: Any, *_: Any) -> Any:
        if given == state:
            raise type(error)("mine")
        return getattr(Failing(rows), method)(given, *_)

    game = Failing(rows)
    setattr(game, method, fail)
    with pytest.raises(type(error), match=r"^mine") as caught:
        exact.solve(game)
    assert caught.value.__notes__ == [
        f"raised when the game was asked {method}({state})"
    ]


def test_errors_of_an_answer_that_is_made_while_it_is_read_say_where() -> None:
    class Lazy(Table):
        def chance_outcomes(self, state: Any) -> Any:
            yield 1, 1
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as caught:
        exact.solve(Lazy({0: ("chance", []), 1: ("end", [0])}))
    assert caught.value.__notes__ == [
        "raised when the game was asked chance_outcomes(0)"
    ]


def test_our_own_messages_have_no_note() -> None:
    rows: list[Any]
    rows = [("end", [None]), ("chance", [3]), (7, {}), (0, {}), (0, {"a": []})]
    for row in rows:
        with pytest.raises((TypeError, GameError)) as caught:
            exact.solve(Table({0: row}))
        assert not hasattr(caught.value, "__notes__")


def test_actions_without_order_are_refused_where_the_same_ones_are_known() -> None:
    class Unordered(Table):
        def legal_actions(self, state: Any) -> Any:
            actions = super().legal_actions(state)
            return dict.fromkeys(actions) if state == 1 else actions

    rows = {0: (0, {"a": 1, "b": 2}), 1: (0, {"a": 2, "b": 2}), 2: ("end", [0])}
    with pytest.raises(TypeError, match=r"^legal_actions\(1\) must be a sequence"):
        exact.solve(Unordered(rows))


def test_an_initial_state_that_is_not_hashable() -> None:
    with pytest.raises(TypeError, match=r"^initial_state\(\) must give hashable"):
        exact.solve(Table({}, start=[]))


def test_something_else_than_a_game() -> None:
    with pytest.raises(
        TypeError, match=r"got 26 of type int without num_players, init"
    ):
        exact.solve(26)  # type: ignore[call-overload]


@pytest.mark.parametrize(("number", "error"), [(0, GameError), (1.0, TypeError)])
def test_a_wrong_number_of_players(number: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^num_players must be an integer >= 1, got "):
        exact.solve(Table({0: ("end", [])}, num_players=number))


class Endless:
    """An infinite game: no state comes back."""

    num_players = 1

    def initial_state(self) -> int:
        return 0

    def current_player(self, state: int) -> int:
        return 0

    def legal_actions(self, state: int) -> list[str]:
        return ["on"]

    def next_state(self, state: int, action: str) -> int:
        return state + 1

    def chance_outcomes(self, state: int) -> list[tuple[int, int]]:
        return []

    def returns(self, state: int) -> list[int]:
        return [0]


def test_max_states() -> None:
    game = RedBlack(2, 2)
    number = exact.solve(game).num_states
    assert exact.solve(game, max_states=number) == exact.solve(game)
    with pytest.raises(TooManyStatesError, match=f"max_states={number - 1} "):
        exact.solve(game, max_states=number - 1)
    message = (
        "^the game has more states than max_states=1000 allows; the first one beyond "
        "is 1000$"
    )
    with pytest.raises(TooManyStatesError, match=message):
        exact.solve(Endless(), max_states=1000)
    assert issubclass(TooManyStatesError, ValueError)
    assert not issubclass(TooManyStatesError, GameError)


@pytest.mark.parametrize("number", [0, -5])
def test_max_states_not_positive(number: int) -> None:
    message = f"^max_states must be an integer >= 1, got {number}$"
    with pytest.raises(ValueError, match=message):
        exact.solve(RedBlack(1, 1), max_states=number)


@pytest.mark.parametrize("number", [1e6, True, "10"])
def test_max_states_of_a_wrong_type(number: Any) -> None:
    with pytest.raises(TypeError, match=r"^max_states must be an integer >= 1, got "):
        exact.solve(RedBlack(1, 1), max_states=number)


# Solutions as data
# -----------------


@pytest.mark.parametrize(
    "remake",
    [
        copy.copy,
        copy.deepcopy,
        *(
            lambda s, p=protocol: pickle.loads(pickle.dumps(s, p))
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
        ),
    ],
)
def test_solutions_pickle_and_compare(remake: Callable[[Any], Any]) -> None:
    solution = exact.solve(RedBlack(2, 3))
    other = remake(solution)
    assert other is not solution
    assert other == solution
    assert hash(other) == hash(solution)
    assert list(other.values) == list(solution.values)
    with pytest.raises(TypeError, match="does not support item assignment"):
        other.values[other.initial_state] = (Fraction(9),)


def test_solutions_differ() -> None:
    assert exact.solve(RedBlack(2, 3)) != exact.solve(RedBlack(3, 2))
    assert exact.solve(FAVOUR) != exact.solve(FAVOUR, tie_break="last")


def test_solutions_are_read_only() -> None:
    solution = exact.solve(RedBlack(1, 1))
    with pytest.raises(FrozenInstanceError):
        solution.tie_break = "last"  # type: ignore[misc]
    for mapping in (solution.values, solution.optimal_actions, solution.policy):
        with pytest.raises(TypeError, match="does not support item assignment"):
            mapping[solution.initial_state] = None  # type: ignore[index]
    assert not hasattr(solution, "__dict__")


def test_a_solution_keeps_its_own_mappings() -> None:
    values = {0: (Fraction(1),)}
    solution: Solution[int, str, Fraction] = Solution(0, "first", values, {}, {})
    values[0] = (Fraction(2),)
    assert solution.value == fractions(1)


def test_every_state_comes_before_those_that_can_follow_it() -> None:
    game = RedBlack(4, 3)
    solution = exact.solve(game)
    place = {state: i for i, state in enumerate(solution.values)}
    assert place[solution.initial_state] == 0
    for state in solution.values:
        player = game.current_player(state)
        following = []
        if player == CHANCE:
            following = [t for weight, t in game.chance_outcomes(state) if weight]
        elif player == 0:
            following = [game.next_state(state, a) for a in game.legal_actions(state)]
        assert all(place[t] > place[state] for t in following)
    decisions = [s for s in solution.values if game.current_player(s) == 0]
    assert list(solution.policy) == list(solution.optimal_actions) == decisions


def test_repr() -> None:
    assert repr(exact.solve(FAVOUR)) == (
        "Solution(value=(5, 1, 0), num_states=5, ties=1, tie_break='first')"
    )
    assert repr(exact.solve(RedBlack(2, 2))) == (
        "Solution(value=(2/3,), num_states=26, ties=1, tie_break='first')"
    )


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(10**5000 + 1, 3), "~3.333333333E+4999"),
        (Fraction(-1, 10**5000), "~-1E-5000"),
        (Fraction(2**31, 2**31 - 1), "2147483648/2147483647"),
        (Fraction(2**63, 2**63 - 1), "~1.000000000"),
    ],
)
def test_repr_of_long_fractions_is_short(value: Fraction, shown: str) -> None:
    solution = exact.solve(Table({0: ("end", [value])}))
    assert f"value=({shown},)" in repr(solution)
    assert shown in solution._repr_html_()


def test_html() -> None:
    html = exact.solve(Table({"<b>": (0, {"<i>": "end"}), "end": ("end", [3])}, "<b>"))
    text = html._repr_html_()
    assert "<figcaption>Solution(value=(3,), num_states=2, " in text
    assert (
        "<td>&#x27;&lt;b&gt;&#x27;</td><td>(3,)</td><td>&#x27;&lt;i&gt;&#x27;" in text
    )
    assert "<b>" not in text
    assert "shown" not in text


def test_html_of_many_states_is_short() -> None:
    text = exact.solve(RedBlack(26, 26))._repr_html_()
    assert text.count("<tr>") == 1 + 20
    assert "(the first 20 of 2186 states shown)" in text


def test_columns() -> None:
    assert exact.solve(FAVOUR, tie_break="last").to_dict() == {
        "tie_break": "last",
        "state": ["start", "asked", "left alone", "granted", "refused"],
        "values": [(2, 1, 0), (0, 1, 9), (2, 1, 0), (5, 1, 0), (0, 1, 9)],
        "optimal_actions": [("leave",), ("yes", "no"), (), (), ()],
        "policy": ["leave", "no", None, None, None],
        "error": 0.0,
        "possible_ties": [],
        "turned_ties": [],
    }


def test_pandas() -> None:
    solution = exact.solve(RedBlack(1, 1))
    frame = solution.to_pandas()
    words: dict[Any, Any] = {"tie_break": "first", "error": 0.0}
    words |= {"possible_ties": [], "turned_ties": []}
    columns = words | frame.to_dict("list")
    assert columns == solution.to_dict()
    assert isinstance(frame["values"][0][0], Fraction)


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pandas"):
        exact.solve(FAVOUR).to_pandas()


# Random games
# ------------


Answer = tuple[dict[Any, list[Fraction]], dict[Any, list[str]]]


def naive(game: Table, pick: int) -> Answer:
    """Return values and optimal actions by plain recursion, state by state."""
    values: dict[Any, list[Fraction]] = {}
    optimal: dict[Any, list[str]] = {}

    def value(state: Any) -> list[Fraction]:
        kind, row = game.rows[state]
        if kind == "end":
            result = [Fraction(x) for x in row]
        elif kind == "chance":
            result = [Fraction(0)] * game.num_players
            total = sum(weight for weight, _ in row)
            for weight, following in row:
                if weight:
                    share = Fraction(weight, total)
                    result = [
                        sum(pair, Fraction(0))
                        for pair in zip(
                            result, [share * x for x in value(following)], strict=True
                        )
                    ]
        else:
            after = {action: value(following) for action, following in row.items()}
            top = sorted(v[kind] for v in after.values())[-1]
            optimal[state] = [a for a, v in after.items() if not v[kind] < top]
            result = after[optimal[state][pick]]
        values[state] = result
        return result

    value(game.start)
    return values, optimal


@given(game=games(), pick=st.sampled_from([("first", 0), ("last", -1)]))
def test_random_games(game: Table, pick: tuple[Any, int]) -> None:
    word, index = pick
    solution = exact.solve(game, tie_break=word)
    values, optimal = naive(game, index)
    assert {s: list(v) for s, v in solution.values.items()} == values
    assert {s: list(a) for s, a in solution.optimal_actions.items()} == optimal
    assert solution.policy == {s: a[index] for s, a in optimal.items()}
    assert solution.value == tuple(values[game.start])
    assert set(solution.ties) == {s for s, a in optimal.items() if len(a) > 1}
    assert solution.tie_break == word


@given(game=games(max_states=7, max_players=1, max_moves=2))
def test_no_pure_policy_does_better(game: Table) -> None:
    """A lone player: against every policy there is, each followed forward."""
    decisions = [s for s, (kind, _) in game.rows.items() if kind == 0]
    best = None
    for choice in product(*[game.rows[s][1].values() for s in decisions]):
        policy = dict(zip(decisions, choice, strict=True))
        here = {s: Fraction(s == game.start) for s in game.rows}
        earned = Fraction(0)
        for state, (kind, row) in game.rows.items():  # in topological order
            if kind == "end":
                earned += here[state] * row[0]
            elif kind == "chance":
                for weight, following in row:
                    share = Fraction(weight, sum(w for w, _ in row))
                    here[following] += here[state] * share
            else:
                here[policy[state]] += here[state]
        best = earned if best is None else max(best, earned)
    assert exact.solve(game).value == (best,)


@given(
    game=games(),
    scale=st.fractions(min_value=Fraction(1, 50), max_value=50),
    shift=st.fractions(-5, 5),
)
def test_scale_and_shift_of_the_returns(
    game: Table, scale: Fraction, shift: Fraction
) -> None:
    rows = {
        state: (kind, [scale * x + shift for x in row] if kind == "end" else row)
        for state, (kind, row) in game.rows.items()
    }
    before = exact.solve(game)
    after = exact.solve(Table(rows, num_players=game.num_players))
    assert after.policy == before.policy
    assert after.optimal_actions == before.optimal_actions
    assert after.values == {
        state: tuple(scale * x + shift for x in value)
        for state, value in before.values.items()
    }


@given(game=games())
def test_a_callable_can_be_the_word(game: Table) -> None:
    first = exact.solve(game, tie_break=lambda state, actions: actions[0])
    assert first.values == exact.solve(game).values
    last = exact.solve(game, tie_break=lambda state, actions: actions[-1])
    assert last.policy == exact.solve(game, tie_break="last").policy


def test_a_game_too_large_for_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "physical_memory", lambda: 2 * 5 * 512)
    exact.solve(Nim(2), max_states=10**12)
    with pytest.raises(TooManyStatesError, match="memory holds, 5 of about 512 B"):
        exact.solve(Nim(40), max_states=10**12)


def test_a_class_is_no_game() -> None:
    with pytest.raises(TypeError, match=r"of Table, got the class itself; use Table\("):
        exact.solve(Table)  # type: ignore[call-overload]


def test_progress_counts_states(capsys: pytest.CaptureFixture[str]) -> None:
    silent = exact.solve(Nim(40))
    assert capsys.readouterr() == ("", "")
    with cardgames_dp.running(progress=True):
        assert exact.solve(Nim(40)) == silent
    assert f"{silent.num_states}.0 states" in capsys.readouterr().err


def test_ties_of_a_game_for_arrays_are_counted() -> None:
    by_state = exact.solve(RedBlack(5, 5))
    assert exact.solve(Cards(5, 5)).num_ties == len(by_state.ties) > 0
