"""Other goals than to win, against exact solutions of the same game."""

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact, pairs
from cardgames_dp._graph import explored

from .counted import compared, win_rate
from .strategies import small_rules

RULES = pairs.Rules(deck=4, target=8)
THREE = pairs.Rules(players=3, deck=3, target=4)


def squares(scores: tuple[int, ...]) -> list[Fraction]:
    """Return something that no word says: large scores hurt more."""
    return [Fraction(-points * points, 7) for points in scores]


def direct(rules: pairs.Rules, goal: Any) -> Any:
    """Return the exact solution of returns that are written out here."""

    def returns(state: pairs.State) -> Any:
        scores, n = state.scores, rules.players
        if goal == "points":
            return [Fraction(-own) for own in scores]
        if goal == "lead":
            return [Fraction(sum(scores) - own, n - 1) - own for own in scores]
        if goal == "win":
            return [Fraction(own < rules.target) for own in scores]
        if goal is squares:
            return squares(scores)
        # Everybody's chance if those who are tied are put in order by lot.
        chances = []
        for own in scores:
            lower = sum(other < own for other in scores)
            tied = scores.count(own)
            places = range(lower, lower + tied)
            chances.append(Fraction(sum(place < goal for place in places), tied))
        return chances

    game = explored.explore(rules.game(), max_states=300_000)
    return exact.solve(game.with_returns(returns))


@pytest.mark.slow
@given(
    small_rules(reshuffle=st.sampled_from(["round", "exhausted"])),
    st.sampled_from(["win", "points", "lead", 1, squares]),
)
def test_as_the_exact_solution(rules: pairs.Rules, goal: Any) -> None:
    solution = pairs.solve(rules, goal=goal)
    expected = direct(rules, goal)
    assert solution.value == pytest.approx([*map(float, expected.value)], abs=1e-10)
    by_door = pairs.solve(rules, goal=goal, backend="exact")
    assert by_door.value == expected.value
    assert by_door.policy == expected.policy


@pytest.mark.parametrize("goal", ["points", "lead", squares])
def test_every_score_as_the_exact_solution(goal: Any) -> None:
    solution, expected = pairs.solve(RULES, goal=goal), direct(RULES, goal)
    starts = 0
    for state, values in expected.values.items():
        if any(map(any, state.hands)) or max(state.scores) >= RULES.target:
            continue
        if state.drawing:
            continue
        order = [state.player, 1 - state.player]
        found = solution.value_at([state.scores[i] for i in order])
        assert found == pytest.approx([float(values[i]) for i in order], abs=1e-12)
        starts += 1
    assert starts > 50


def test_to_win_is_what_solve_solves() -> None:
    usual = pairs.solve(THREE)
    for goal in ("win", 2):
        solution = pairs.solve(THREE, goal=goal)
        assert solution.table == pytest.approx(usual.table, abs=1e-15)
        assert solution.ties == usual.ties
        assert compared(THREE, "optimal", solution).differing == 0


def test_returns_that_add_up() -> None:
    assert sum(pairs.solve(RULES, goal="lead").value) == pytest.approx(0, abs=1e-14)
    assert sum(pairs.solve(THREE, goal=1).value) == pytest.approx(1, abs=1e-14)


def test_one_round_of_points() -> None:
    """A deck that is played through by hand.

    A 1 comes first (1 of 3): the second player scores it now or a turn later. A 5 comes
    first (2 of 3), and the second player hits: a 1 (1 of 2), which the first player
    takes rather than a pair of fives; or a 5, and the first player draws the 1, which
    the second must take.
    """
    rules = pairs.Rules(deck={1: 1, 5: 2}, target=1)
    found = pairs.solve(rules, goal="points", backend="exact")
    assert found.value == (Fraction(-1, 3), Fraction(-2, 3))
    assert pairs.solve(rules, goal="points").value == pytest.approx((-1 / 3, -2 / 3))


def test_a_goal_is_a_policy() -> None:
    """Who plays for something else does not win more often than optimal play."""
    for goal in ("points", "lead"):
        solution = pairs.solve(RULES, goal=goal)
        rate = win_rate(RULES, solution, "optimal")
        assert rate.a == f"solution for {goal}"
        assert rate.mean < 0.5
        assert compared(RULES, "optimal", solution).differing > 0
        again = pickle.loads(pickle.dumps(solution))
        assert again == solution
        assert win_rate(RULES, again, "optimal") == rate
        assert np.array_equal(again.opening_table().hits, solution.opening_table().hits)


def test_words_and_tables() -> None:
    solution = pairs.solve(THREE, goal=1)
    assert repr(solution).startswith("Solution(goal='best 1', value=(0.261851, ")
    plain = solution.to_dict(json=True)
    assert plain["goal"] == 1
    assert plain["value"] == list(solution.value)
    frame = solution.to_pandas()
    assert list(frame)[-3:] == ["return_0", "return_1", "return_2"]
    assert frame["return_0"][0] == solution.value[0]
    assert pairs.solve(RULES, goal=squares).to_dict(json=True)["goal"] == "squares"


@pytest.mark.parametrize(
    ("goal", "error", "message"),
    [
        ("most", ValueError, "goal must be"),
        (0, ValueError, "goal must be an integer >= 1, got 0"),
        (2, ValueError, "goal must be fewer players than the game has, 2, got 2"),
        (1.5, TypeError, "goal must be an integer"),
        (dict, TypeError, "goal must"),
        (lambda _: 3, TypeError, "goal must return a finite number for each of 2"),
        (lambda _: [1], ValueError, "goal must return a finite number for each of 2"),
        (lambda _: [1, float("inf")], ValueError, "goal must return a finite number"),
        (lambda _: [1, float("nan")], ValueError, "what goal returns must be"),
        (lambda _: [1, "x"], TypeError, "what goal returns must be"),
    ],
)
def test_what_is_no_goal(goal: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        pairs.solve(RULES, goal=goal)


def test_refusals() -> None:
    essay = pairs.Rules(deck=3, target=5, reshuffle="essay")
    with pytest.raises(ValueError, match="must not have reshuffle='essay'"):
        pairs.solve(essay, goal="points")
    with pytest.raises(ValueError, match="checkpoint is for goal='win', got it with"):
        pairs.solve(RULES, goal="points", checkpoint="x.npz")
    careful = pairs.solve(RULES, goal="points")
    with pytest.raises(
        ValueError, match="advice is for goal='win', got a solution for p"
    ):
        careful.advice(hand=[], others=[], scores=[0, 0])
    with pytest.raises(ValueError, match="must be of players who want to win"):
        pairs.Position(careful)
