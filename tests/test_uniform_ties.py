"""The tie rule "uniform": all optimal actions are taken, with equal chances."""

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from cardgames_dp import diagonal, exact, play
from cardgames_dp.game import GameError

from . import stationary
from .games import cyclic_games
from .written import Cards, Table, games

THREE = Table(
    {
        "A": (0, {"left": "B", "right": "C", "out": "low"}),
        "B": (1, {"l": "x", "r": "y", "m": "z"}),
        "C": ("chance", [(1, "x"), (2, "y")]),
        "x": ("end", [1, 1, 0]),
        "y": ("end", [1, 1, 3]),
        "z": ("end", [7, 0, 0]),
        "low": ("end", [0, 5, 5]),
    },
    start="A",
    num_players=3,
)


def means(game: Table) -> dict[Any, tuple[Fraction, ...]]:
    """Return the values by the recursion, in Fractions."""
    values: dict[Any, tuple[Fraction, ...]] = {}

    def value(state: Any) -> tuple[Fraction, ...]:
        if state not in values:
            kind, what = game.rows[state]
            if kind == "end":
                values[state] = tuple(map(Fraction, what))
                return values[state]
            after = [(Fraction(1), value(t)) for t in dict(what).values()] * (
                kind != "chance"
            )
            if kind == "chance":
                after = [(Fraction(w), value(t)) for w, t in what if w]
            else:
                best = max(each[kind] for _, each in after)
                after = [(w, each) for w, each in after if each[kind] == best]
            total = sum(w for w, _ in after)
            columns = zip(*[each for _, each in after], strict=True)
            values[state] = tuple(
                [
                    sum(w * x for (w, _), x in zip(after, column, strict=True)) / total
                    for column in columns
                ]
            )
        return values[state]

    value(game.start)
    return values


def test_all_tied_actions_count_alike() -> None:
    solution: Any = exact.solve(THREE, tie_break="uniform")
    # At B: x and y tie for player 1; at A: left and right tie for player 0.
    assert solution.values["B"] == (1, 1, Fraction(3, 2))
    assert solution.value == (1, 1, Fraction(3, 2) / 2 + Fraction(2) / 2)
    assert solution.policy["A"] == {"left": 1, "right": 1}
    assert dict(solution.policy.items()) == {
        "A": {"left": 1, "right": 1},
        "B": {"l": 1, "r": 1},
    }
    assert solution.tie_break == "uniform"
    assert solution.advice("A").action == "left"
    assert pickle.loads(pickle.dumps(solution)) == solution
    assert solution.to_dict(json=True)["policy"][0] == {"left": 1, "right": 1}
    floats = diagonal.solve(THREE, tie_break="uniform")
    assert floats.policy == solution.policy
    assert floats.value == pytest.approx((1, 1, 1.75), abs=1e-15)


@given(game=games())
def test_values_are_means(game: Table) -> None:
    solution = exact.solve(game, tie_break="uniform")
    expected = means(game)
    assert dict(solution.values) == {s: expected[s] for s in solution.values}
    floats = diagonal.solve(game, tie_break="uniform")
    for state, value in floats.values.items():
        for x, y in zip(value, expected[state], strict=True):
            assert abs(Fraction(x) - y) <= Fraction(floats.error)
    assert floats.error < 1e-13 or floats.possible_ties


@given(game=games())
def test_the_policy_can_be_played(game: Table) -> None:
    solution = exact.solve(game, tie_break="uniform")
    # As the solution of this game, and as a mapping from states.
    for policy in (solution, dict(solution.policy)):
        found = play.evaluate(solution, policy, backend="exact")
        assert dict(found.values) == dict(solution.values)


@given(game=cyclic_games(deciders=(1,), num_players=3))
def test_in_components(game: Table) -> None:
    try:
        solution = exact.solve(game, tie_break="uniform")
    except GameError:
        assert stationary.best_alone(game, 1) is None
        return
    chances = {
        state: {a: Fraction(1, len(mixture)) for a in mixture}
        for state, mixture in solution.policy.items()
    }
    assert stationary.ends(game, chances)
    assert stationary.values(game, chances) == dict(solution.values)
    assert {s: tuple(m) for s, m in solution.policy.items()} == dict(
        solution.optimal_actions
    )
    found = play.evaluate(solution, solution, backend="exact")
    assert dict(found.values) == dict(solution.values)
    try:
        floats = diagonal.solve(game, tie_break="uniform")
    except GameError:
        return
    for state, value in floats.values.items():
        for x, y in zip(value, solution.values[state], strict=True):
            assert abs(Fraction(x) - y) <= Fraction(floats.error)


@pytest.mark.parametrize("solve", [exact.solve, diagonal.solve])
def test_arrays(solve: Any) -> None:
    solution = solve(Cards(4, 4), tie_break="uniform")
    assert repr(solution).endswith("tie_break='uniform')")
    states = np.array([[1, 2, 0], [3, 3, 0]])
    index, actions, weights = solution.policy(states)
    assert index.tolist() == [0, 0, 1]
    assert actions.tolist() == [1, 2, 2]  # stop or draw; draw
    assert weights.tolist() == [1, 1, 1]
    for policy in (solution, solution.policy):
        found = play.evaluate(solution, policy, backend="exact")
        assert found.value == exact.solve(Cards(4, 4)).value
