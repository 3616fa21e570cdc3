"""Speed of simulated games of red/black."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from cardgames_dp import redblack
from cardgames_dp.redblack.policies import Policy, StopAtCash
from cardgames_dp.redblack.simulation import simulate


@pytest.mark.parametrize(
    "policy",
    ["optimal", "never_stop", StopAtCash(3), lambda red, black: black > red + 2],
    ids=["optimal", "never_stop", "cash", "callable"],
)
def test_52_cards(benchmark: BenchmarkFixture, policy: Policy) -> None:
    """Target for the optimal policy, on one idle core: 1.5 s, a tenth of 10^7 games."""
    result = benchmark(simulate, 26, 26, games=10**6, policy=policy, rng=1)
    assert result.payoff_counts.sum() == 10**6


def test_problem_14(benchmark: BenchmarkFixture) -> None:
    """Target, on one idle core: 15 s for the 10^7 games of the Problem 14 essay."""
    result = benchmark.pedantic(
        simulate, (26, 26), {"games": 10**7, "rng": 1}, rounds=1
    )
    assert abs(result.mean - redblack.value(26, 26)) < 5 * result.standard_error


def test_large_deck(benchmark: BenchmarkFixture) -> None:
    """Ten thousand games of ten thousand cards of each colour: 1.4e8 cards drawn."""
    result = benchmark.pedantic(
        simulate, (10_000, 10_000), {"games": 10_000, "rng": 1}, rounds=1
    )
    assert abs(result.mean - redblack.value(10_000, 10_000)) < (
        5 * result.standard_error
    )
