"""Speed of a game in progress, off the optimal line; asserts nothing about it.

Target, on one idle core: 5 s for a game of 100,000 random cards against a player who
takes either end at random, asking for the best move at each of one's own turns.
"""

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from cardgames_dp.cardrow.position import Position


def play(cards: np.ndarray, coins: list[bool]) -> Position:
    position = Position(cards)
    for coin in coins:
        if position.player == 0:
            position = position.play(position.advice().action)
        else:
            position = position.play("left" if coin else "right")
    return position


@pytest.mark.parametrize("largest", [13, 10**6])
@pytest.mark.parametrize("n", [10_000, 100_000])
def test_random_player(benchmark: BenchmarkFixture, n: int, largest: int) -> None:
    rng = np.random.default_rng(1)
    cards = rng.integers(1, largest + 1, n)
    coins = (rng.random(n) < 0.5).tolist()
    position = benchmark.pedantic(play, (cards, coins), rounds=2)
    assert position.lead > 0
    assert sum(position.sums) == cards.sum()


@pytest.mark.parametrize("kind", [float, object])
def test_other_numbers(benchmark: BenchmarkFixture, kind: type) -> None:
    """Floats of tenths, and integers beyond 64 bits; 20,000 cards."""
    rng = np.random.default_rng(1)
    cards: np.ndarray = rng.integers(1, 131, 20_000).astype(kind)
    cards = cards / 10 if kind is float else cards * 10**30
    coins = (rng.random(len(cards)) < 0.5).tolist()
    assert benchmark.pedantic(play, (cards, coins), rounds=1).lead > 0


def test_worst_case(benchmark: BenchmarkFixture) -> None:
    """A row that rises: nothing collapses, and each question looks at all of it."""
    cards = np.arange(3000)
    coins = (np.random.default_rng(1).random(3000) < 0.5).tolist()
    assert benchmark.pedantic(play, (cards, coins), rounds=1).lead > 0


def test_moves_taken_back(benchmark: BenchmarkFixture) -> None:
    """To and fro across the middle of the row, where other blocks are needed."""
    n = 2**16
    position = Position(np.random.default_rng(1).integers(1, 14, n))
    for _ in range(n // 2 - 1):
        position = position.play("left")

    def to_and_fro() -> None:
        for _ in range(1000):
            after = position.play("left")
            after.advice()
            after.undo().advice()

    benchmark.pedantic(to_and_fro, rounds=3)
