"""Speed of red/black; asserts nothing about it. Targets are those of the project."""

from fractions import Fraction

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from cardgames_dp import redblack


@pytest.mark.parametrize("deck", [1_000, 10_000, 100_000])
def test_value(benchmark: BenchmarkFixture, deck: int) -> None:
    """Target: 0.8 s for 100,000."""
    value = benchmark.pedantic(redblack.value, (deck, deck), rounds=3)
    assert abs(value / deck**0.5 - 0.522) < 0.001


@pytest.mark.parametrize(("red", "black"), [(120_000, 80_000), (1_000_000, 200)])
def test_value_of_an_unbalanced_deck(
    benchmark: BenchmarkFixture, red: int, black: int
) -> None:
    """Tilted: two operations a level and a mantissa to cut."""
    value = benchmark.pedantic(redblack.value, (red, black), rounds=1)
    assert value > red - black


@pytest.mark.parametrize("win", ["2", "1.01", "1.0001"])
def test_value_under_other_rules(benchmark: BenchmarkFixture, win: str) -> None:
    """Far from the boundary a leap does it; a deck that is about fair has no leap."""
    rules = redblack.Rules(win=win)
    value = benchmark.pedantic(
        redblack.value, (100_000, 100_000), {"rules": rules}, rounds=1
    )
    assert value > 165


@pytest.mark.parametrize("deck", [1_000, 3_000, 10_000])
def test_fifty_digits(benchmark: BenchmarkFixture, deck: int) -> None:
    """Target: 1 s for 10,000."""
    value = benchmark.pedantic(redblack.value, (deck, deck), {"digits": 50}, rounds=1)
    assert len(value.as_tuple().digits) == 50


@pytest.mark.parametrize("deck", [1_000, 3_000, 10_000])
def test_exact_value(benchmark: BenchmarkFixture, deck: int) -> None:
    """Targets: 0.05 s for 1000, 15 s for 10,000."""
    value = benchmark.pedantic(
        redblack.value, (deck, deck), {"backend": "exact"}, rounds=1
    )
    assert isinstance(value, Fraction)


def test_values_of_many_decks(benchmark: BenchmarkFixture) -> None:
    """All the decks that the growth law is fitted to."""
    decks = range(22_975)
    values = benchmark.pedantic(redblack.value, (decks, decks), rounds=1)
    assert (np.diff(values) > 0).all()


def test_solve(benchmark: BenchmarkFixture) -> None:
    """Target: 1.5 s."""
    table = benchmark.pedantic(redblack.solve, (5_000, 5_000), rounds=3)
    assert not table.stop[5_000, 5_000]


@pytest.mark.parametrize("max_excess", [100, 389])
def test_thresholds(benchmark: BenchmarkFixture, max_excess: int) -> None:
    """Certified throughout up to excess 389."""
    found = benchmark.pedantic(redblack.thresholds, (max_excess,), rounds=1)
    assert found.undecided == ()


@pytest.mark.parametrize("deck", [10_000, 100_000])
def test_distribution(benchmark: BenchmarkFixture, deck: int) -> None:
    """A backward sweep for the boundary, and a forward one for the law."""
    law = benchmark.pedantic(
        lambda deck: redblack.distribution(deck, deck).payoff, (deck,), rounds=1
    )
    assert abs(law.probabilities.sum() - 1) < 1e-9


@pytest.mark.parametrize("each", [300, 1000])
def test_value_of_three_kinds(benchmark: BenchmarkFixture, each: int) -> None:
    """Target: 5 s for 4000 cards."""
    deck = {2: each, "1/3": each, -1: 2 * each}
    assert benchmark.pedantic(redblack.kinds.value, (deck,), rounds=1) > each / 3


def test_unknown_composition(benchmark: BenchmarkFixture) -> None:
    """All states of 2000 cards."""
    urn = benchmark.pedantic(redblack.urns.solve, ([1] * 2001,), rounds=1)
    assert urn.value > 400
