"""What a solution of any game advises, state by state."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import diagonal, exact

from ..written import RedBlack, Table, games


@given(game=games(), tie_break=st.sampled_from(["first", "last"]))
def test_advice_in_every_state(game: Table, tie_break: Any) -> None:
    for solve in (exact.solve, diagonal.solve):
        solution: Any = solve(game, tie_break=tie_break)
        for state, action in solution.policy.items():
            player, moves = game.rows[state]
            advice = solution.advice(state)
            assert (advice.state, advice.player) == (state, player)
            assert advice.action == action
            assert advice.best == solution.optimal_actions[state]
            assert advice.values == {
                each: solution.values[after][player] for each, after in moves.items()
            }
            assert list(advice.values) == list(moves)
            assert advice.returns == solution.values[state]
            assert advice.value == advice.returns[player]
            assert advice.error == solution.error
            assert advice.certain == (state not in solution.possible_ties)
            assert advice.tie == (len(advice.best) > 1)


def test_advice_in_words() -> None:
    solution = exact.solve(RedBlack(3, 3))
    assert str(solution.advice((1, 2, "decide"))) == (
        "(1, 2, 'decide'): stop (a tie); value: stop 1, draw 1."
    )
    assert str(solution.advice((3, 3, "decide"))) == (
        "(3, 3, 'decide'): draw; value: stop 0, draw 0.85."
    )
    floats = diagonal.solve(RedBlack(3, 3)).advice((1, 2, "decide"))
    assert not floats.certain
    assert str(floats).startswith("(1, 2, 'decide'): stop (a possible tie); value: ")
    assert 0 <= (floats.margin or 0) <= 2 * floats.error


@pytest.mark.parametrize("solve", [exact.solve, diagonal.solve])
def test_advice_where_there_is_no_choice(solve: Any) -> None:
    advice = solve(RedBlack(1, 0)).advice((0, 0, "decide"))
    assert (advice.action, advice.margin, advice.tie) == ("stop", None, False)
