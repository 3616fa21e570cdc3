"""Speed of the players of cards in a row."""

from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from cardgames_dp.cardrow.best_responses import best_response
from cardgames_dp.cardrow.cards import deal
from cardgames_dp.cardrow.matches import match
from cardgames_dp.cardrow.policies import Mixed
from cardgames_dp.cardrow.tournaments import tournament
from cardgames_dp.cardrow.valuation import brute_force, value

MIXED = Mixed({"larger": 4, "random": 1})


def row(n: int) -> Any:
    return np.random.default_rng(n).integers(1, 14, n)


@pytest.mark.parametrize(
    "opponent", ["larger", "greedy", "greedy_literal", "optimal"], ids=str
)
def test_best_response(benchmark: BenchmarkFixture, opponent: Any) -> None:
    """Target, on one idle core: 0.3 s."""
    cards = row(5000)
    response = benchmark(best_response, cards, opponent)
    assert response.value >= value(cards)


@pytest.mark.parametrize("opponent", ["random", MIXED], ids=str)
def test_best_response_in_floats(benchmark: BenchmarkFixture, opponent: Any) -> None:
    cards = row(5000)
    response = benchmark(best_response, cards, opponent, backend="float64")
    assert response.value >= value(cards)


@pytest.mark.parametrize("opponent", ["random", MIXED], ids=str)
def test_exact_best_response_to_chance(
    benchmark: BenchmarkFixture, opponent: Any
) -> None:
    cards = row(300)
    response = benchmark(best_response, cards, opponent)
    assert response.value >= value(cards)


def test_tournament(benchmark: BenchmarkFixture) -> None:
    """Sixteen pairs of players, 4000 games each."""
    rows = deal(4000, 10, deck=range(1, 14), replace=True, rng=1)
    players = ["greedy_literal", "greedy", "larger", "optimal"]
    result = benchmark(tournament, players, rows)
    assert not result.losses[3].any()


def test_long_match(benchmark: BenchmarkFixture) -> None:
    cards = row(20_000)
    game = benchmark(match, cards, "greedy", "random", rng=1)
    assert sum(game.sums) == cards.sum()


def test_brute_force(benchmark: BenchmarkFixture) -> None:
    cards = row(18)
    assert benchmark(brute_force, cards)[2] == 2**18 - 1
