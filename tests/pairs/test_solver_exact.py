"""`solve` with ``backend="exact"``: the general backend, refused by size."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

import cardgames_dp
from cardgames_dp import TooLargeError, exact, pairs
from cardgames_dp.pairs.solver import _most_states

from .strategies import small_rules

SMALL = [
    pairs.Rules(deck=3, target=5),
    pairs.Rules(deck=3, target=4, tie="hit", capacity=2),
    pairs.Rules(deck=3, target=4, reshuffle="exhausted"),
    pairs.Rules(deck=3, target=4, reshuffle="essay"),
    pairs.Rules(deck=3, target=5, deal=1, first="lowest"),
    pairs.Rules(players=3, deck=3, target=3),
]


@pytest.mark.parametrize("rules", SMALL, ids=repr)
def test_values_are_those_of_the_other_backend(rules: pairs.Rules) -> None:
    solution = pairs.solve(rules, backend="exact")
    assert solution == exact.solve(rules.game())
    assert all(type(chance) is Fraction for chance in solution.value)
    assert solution.value == pytest.approx(pairs.solve(rules).value, abs=1e-13)


@pytest.mark.slow
@given(small_rules())
def test_states_are_not_more_than_estimated(rules: pairs.Rules) -> None:
    """Otherwise a game would be refused after the work."""
    assert exact.solve(rules.game()).num_states <= _most_states(rules)


def test_estimate_is_near() -> None:
    for rules in SMALL:
        states = pairs.solve(rules, backend="exact").num_states
        assert states <= _most_states(rules) < 5 * states


def test_the_published_game_is_refused_before_any_work() -> None:
    with pytest.raises(TooLargeError, match="states needs about") as refused:
        pairs.solve(backend="exact")
    assert "use backend='float64'" in str(refused.value)
    with (
        pytest.raises(TooLargeError, match="max_bytes, 1000 bytes"),
        cardgames_dp.running(max_bytes=1000),
    ):
        pairs.solve(SMALL[0], backend="exact")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"backend": "double"}, "backend must be one of 'float64', 'exact', got"),
        (
            {"backend": "exact", "checkpoint": "x"},
            "checkpoint is for backend='float64'",
        ),
        (
            {"backend": "exact", "executor": ThreadPoolExecutor(1)},
            "executor is for backend='float64'",
        ),
    ],
)
def test_refusals(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pairs.solve(SMALL[0], **arguments)
