"""Games that come back to a state, in float64: against all policies in Fractions."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from cardgames_dp import diagonal
from cardgames_dp.game import GameError
from tests.returning import brute, returning
from tests.written import Table


def check(game: Table) -> None:
    """Compare all values, errors and actions with those of the oracle."""
    expected = brute(game)
    if expected is None:
        with pytest.raises(GameError, match=r"^every play must end, but .*a cycle of"):
            diagonal.solve(game)
        return
    values, best = expected
    solution = diagonal.solve(game)
    assert set(solution.values) <= set(values)
    for state, found in solution.values.items():
        for mine, exact in zip(found, values[state], strict=True):
            assert abs(Fraction(mine) - exact) <= solution.error
    for state, actions in solution.optimal_actions.items():
        assert best[state] <= set(actions)
        assert solution.policy[state] in actions
    assert solution.error < 1e-6


@given(returning())
@settings(max_examples=400)
def test_all_policies_tried(game: Table) -> None:
    check(game)


@given(returning(heavy=True))
@settings(max_examples=200)
def test_weights_of_many_digits(game: Table) -> None:
    check(game)
