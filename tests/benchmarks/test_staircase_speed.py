"""Speed of the staircase; asserts nothing about it. Targets are those of the project.

Targets, on one idle core: 0.1 s for l = 100,000; 0.2 s for 1e6; 1 s for 133,787,000.
Larger decks (12 s for 1e10, three minutes for 1e12) are left to whoever has the time.
"""

import math
import time

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from cardgames_dp import redblack


@pytest.mark.parametrize("deck", [100_000, 1_000_000, 10_000_000])
def test_value(benchmark: BenchmarkFixture, deck: int) -> None:
    value = benchmark.pedantic(redblack.value, (deck, deck), rounds=5)
    assert abs(value / deck**0.5 - 0.522) < 0.001


def test_largest_deck_of_the_source(benchmark: BenchmarkFixture) -> None:
    deck = 133_787_000
    value = benchmark.pedantic(redblack.value, (deck, deck), rounds=2)
    assert abs(value - 6038.2168825913) < 1e-8


@pytest.mark.parametrize("deck", [100_000, 10_000_000])
def test_enclosure(benchmark: BenchmarkFixture, deck: int) -> None:
    """Some half as long again as the value alone, and more for small decks."""
    bounds = benchmark.pedantic(redblack.enclosure, (deck, deck), rounds=3)
    assert bounds.width < 1e-6


def test_thresholds(benchmark: BenchmarkFixture) -> None:
    found = benchmark.pedantic(redblack.thresholds, (5000,), rounds=1)
    assert found.exact_up_to > 2000


def test_many_decks(benchmark: BenchmarkFixture) -> None:
    decks = np.unique(np.geomspace(10, 10**6, 200).astype(int))
    values = benchmark.pedantic(redblack.value, (decks, decks), rounds=3)
    assert (np.diff(values) > 0).all()


def test_growth_of_time(benchmark: BenchmarkFixture) -> None:
    """The exponent of l in the time, which is printed with the report."""
    decks = [4**i * 10**5 for i in range(6)]

    def measure() -> float:
        seconds = []
        for deck in decks:
            start = time.perf_counter()
            redblack.value(deck, deck)
            seconds.append(time.perf_counter() - start)
        return float(np.polyfit(np.log(decks), np.log(seconds), 1)[0])

    exponent = benchmark.pedantic(measure, rounds=1)
    benchmark.extra_info["exponent"] = exponent
    print(f"time grows like l**{exponent:.3f}")
    assert math.isfinite(exponent)
