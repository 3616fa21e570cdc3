"""The exact backend: games of known value, ties, and what a solution is."""

import sys
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any, assert_type

import pytest

from cardgames_dp import diagonal, exact
from cardgames_dp.game import (
    Solution,
    explore,
)

from .games import Paying, RedBlack, Table


def fractions(*numbers: int | Fraction) -> tuple[Fraction, ...]:
    """Return a value vector."""
    return tuple(map(Fraction, numbers))


# Games of known value
# --------------------


def test_red_black_of_problem_14() -> None:
    solution = exact.solve(RedBlack(26, 26))
    assert_type(solution, Solution[tuple[int, int, str], str, Fraction])
    assert solution.payoffs == (Fraction(41984711742427, 15997372030584),)
    # The one cell where stopping and drawing are worth the same: one red, two black.
    assert solution.ties == ((1, 2, "decide"),)
    # 27 x 27 cells: a decision and a stop in each, a draw in all but the last.
    assert solution.num_states == 3 * 27**2 - 1


@pytest.mark.slow
def test_a_long_game_needs_no_recursion() -> None:
    length = 10 * sys.getrecursionlimit()
    rows: dict[Any, tuple[Any, Any]] = {
        i: (0, {"on": i + 1}) if i % 2 else ("chance", [(1, i + 1)])
        for i in range(length)
    }
    rows[length] = ("end", [Fraction(2, 7)])
    solution = exact.solve(Table(rows))
    assert solution.num_states == length + 1
    assert solution.payoffs == (Fraction(2, 7),)


def test_the_game_is_asked_once_for_each_state_and_action() -> None:
    asked: list[tuple[Any, ...]] = []

    class Watched(RedBlack):
        def next_state(self, state: Any, action: str) -> Any:
            asked.append((state, action))
            return super().next_state(state, action)

        def returns(self, state: Any) -> list[int]:
            asked.append((state,))
            return super().returns(state)

        def chance_outcomes(self, state: Any) -> Any:
            asked.append((state,))
            return super().chance_outcomes(state)

    exact.solve(Watched(3, 3))
    # Of 16 cells, 15 have two actions and an outcome, and all have a return.
    assert len(asked) == len(set(asked)) == (15 * 2 + 1) + 15 + 16


def test_equal_actions_are_one_but_asked_as_given() -> None:
    """Two states call an action 1 and True: each gets back what it gave."""
    asked = []

    class Spelled(Table):
        def legal_actions(self, state: Any) -> list[Any]:
            return [1] if state == 0 else [True]

        def next_state(self, state: Any, action: Any) -> Any:
            asked.append(action)
            return state + 1

    rows: Any = {0: (0, {}), 1: (0, {}), 2: ("end", [5])}
    assert exact.solve(Spelled(rows)).policy == {0: 1, 1: 1}
    assert asked[0] is not True
    assert asked[1] is True


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
    result: dict[Any, Solution[Any, Any, Fraction]] = {
        rule: exact.solve(FAVOUR, tie_break=rule) for rule in ("first", "last")
    }
    for rule, best, value in [
        ("first", "ask", (5, 1, 0)),
        ("last", "leave", (2, 1, 0)),
    ]:
        solution = result[rule]
        assert solution.ties == ("asked",)
        assert solution.optimal_actions == {"start": (best,), "asked": ("yes", "no")}
        assert solution.payoffs == fractions(*value)
    even: Any = exact.solve(FAVOUR, tie_break="uniform")
    assert even.payoffs_at("asked") == (Fraction(5, 2), 1, Fraction(9, 2))
    assert dict(even.policy) == {"start": {"ask": 1}, "asked": {"yes": 1, "no": 1}}
    assert even.tie_break == "uniform"
    assert even.to_dict(json=True)["action"][:2] == [{"ask": 1}, {"yes": 1, "no": 1}]
    floats = diagonal.solve(FAVOUR, tie_break="uniform")
    assert (floats.policy, floats.payoffs) == (even.policy, even.payoffs)


def test_rules_of_ones_own_have_a_name() -> None:
    def refuse(_: Any, actions: tuple[Any, ...]) -> Any:
        return actions[-1]

    class Refuse:
        __call__ = staticmethod(refuse)

    def uniform(_: Any, actions: tuple[Any, ...]) -> Any:
        return actions[-1]

    named = (refuse, "refuse"), (Refuse(), "Refuse"), (uniform, "uniform()")
    for rule, name in named:
        solution = exact.solve(FAVOUR, tie_break=rule)
        assert solution.tie_break == name
        assert solution.policy == exact.solve(FAVOUR, tie_break="last").policy


# Solutions as data
# -----------------

FOUND = explore(RedBlack(3, 3))


def test_they_differ() -> None:
    assert exact.solve(RedBlack(2, 3)) != exact.solve(RedBlack(3, 2))
    assert exact.solve(FAVOUR) != exact.solve(FAVOUR, tie_break="last")
    assert explore(RedBlack(3, 2)) != FOUND


def test_they_are_read_only() -> None:
    solution = exact.solve(RedBlack(1, 1))
    with pytest.raises(FrozenInstanceError):
        solution.tie_break = "last"  # type: ignore[misc]
    for mapping in (solution.values, solution.optimal_actions, solution.policy):
        with pytest.raises(TypeError, match="does not support item assignment"):
            mapping[solution.initial_state] = None  # type: ignore[index]
    assert not hasattr(solution, "__dict__")
    with pytest.raises(ValueError, match="read-only"):
        FOUND.graph.following[0] = 1


# Games explored once, and solved many times
# -------------------------------------------


def test_each_payment_is_kept_once() -> None:
    """In one byte a move, as long as there are few different ones."""
    rows: dict[Any, Any] = {i: (0, {"a": i + 1, "b": i + 1}) for i in range(9)}
    paid = {(i, "a"): [Fraction(i % 2, 3)] for i in range(9)}
    rewards = explore(Paying(rows | {9: ("end", [0])}, paid=paid)).graph.rewards
    assert rewards is not None
    assert len(rewards.numerators) == 2
    assert rewards.rows.dtype == "int8"
    nothing = Paying(rows | {9: ("end", [0])}, paid={(0, "a"): [0]})
    assert explore(nothing).graph.rewards is None


@pytest.mark.parametrize("paid", [[1], [[1], [2]]])
def test_floats_that_chance_pays_are_not_exact(paid: Any) -> None:
    """Also if actions pay something else, in one variant or in two."""
    drawn = [(1, 2, [0.5]), (1, 3, [0])]
    rows = {0: (0, {"draw": 1}), 1: ("chance", drawn), 2: ("end", [0]), 3: ("end", [1])}
    explored = explore(Paying(rows)).with_rewards(lambda *_: paid)
    with pytest.raises(TypeError, match="rewards must be integers or Fractions"):
        exact.solve(explored if explored.num_variants is None else explored.at(1))
