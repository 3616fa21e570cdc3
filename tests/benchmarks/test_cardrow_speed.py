"""Speed of cards in a row; asserts nothing about it. Targets are those of the project.

Targets, on one idle core: value 0.3 s for n = 1e6 and 3 s for 1e7; match 0.5 s
and advice 0.7 s for 1e6; the table 0.1 s for n = 2000.
"""

import time
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from cardgames_dp import cardrow
from cardgames_dp.cardrow import Rules


def row(n: int) -> list[int]:
    numbers: list[int] = np.random.default_rng(1).integers(1, 10**6, n).tolist()
    return numbers


@pytest.mark.parametrize("n", [1_000, 100_000, 1_000_000, 10_000_000])
def test_value(benchmark: BenchmarkFixture, n: int) -> None:
    value = benchmark.pedantic(cardrow.value, (row(n),), rounds=3)
    assert value >= 0  # n is even


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float64])
def test_value_of_an_array(benchmark: BenchmarkFixture, dtype: Any) -> None:
    cards = (np.array(row(1_000_000)) % 200).astype(dtype)
    assert benchmark.pedantic(cardrow.value, (cards,), rounds=3) >= 0


def test_optimal_play(benchmark: BenchmarkFixture) -> None:
    play = benchmark.pedantic(cardrow.match, (row(1_000_000),), rounds=3)
    assert len(play.positions) == 1_000_000


def test_advice(benchmark: BenchmarkFixture) -> None:
    cards = row(1_000_000)
    advice = benchmark.pedantic(lambda: cardrow.Position(cards).advice(), rounds=3)
    assert advice.worth >= 0


@pytest.mark.parametrize("backend", ["exact", "float64"])
def test_solve(benchmark: BenchmarkFixture, backend: Any) -> None:
    cards = row(2_000)
    table = benchmark.pedantic(
        cardrow.solve, (cards,), {"backend": backend}, rounds=5, warmup_rounds=1
    )
    assert table.value == cardrow.value(cards)


@pytest.mark.parametrize("rules", [Rules(take=3), Rules(players=3)], ids=str)
def test_solve_other_rules(benchmark: BenchmarkFixture, rules: Rules) -> None:
    table = benchmark.pedantic(cardrow.solve, (row(1_000),), {"rules": rules}, rounds=3)
    assert table.best[0, -1]


@pytest.mark.parametrize("n", [6, 12, 24, 52, 100, 200])
def test_many_rows(benchmark: BenchmarkFixture, n: int) -> None:
    """How much faster than one by one is printed with the report."""
    rows = np.random.default_rng(1).integers(1, 14, (200_000 // n, n))
    found = benchmark.pedantic(cardrow.values, (rows,), rounds=3, warmup_rounds=1)
    start = time.perf_counter()
    one_by_one = [cardrow.value(row) for row in rows]
    loop = time.perf_counter() - start
    assert found.tolist() == one_by_one
    if benchmark.stats is not None:
        ratio = loop / benchmark.stats.stats.min
        benchmark.extra_info["ratio"] = ratio
        print(f"n = {n}: side by side is {ratio:.0f} times as fast as a loop")


@pytest.mark.parametrize("n", [5_000, 20_000])
def test_diagonals_against_linear_time(benchmark: BenchmarkFixture, n: int) -> None:
    """Their ratio is printed with the report: 60 or more for n = 20,000."""
    cards = row(n)
    quadratic = benchmark.pedantic(
        cardrow.value, (cards,), {"method": "diagonal"}, rounds=2
    )
    assert quadratic == cardrow.value(cards)
    ratio = seconds(cards, "diagonal") / seconds(cards, "collapse")
    benchmark.extra_info["ratio"] = ratio
    print(f"n = {n}: linear time is {ratio:.0f} times as fast")


def test_growth_of_the_ratio(benchmark: BenchmarkFixture) -> None:
    """The exponent of n in quadratic by linear time: to 1, once arrays are long."""
    sizes = [2_500, 5_000, 10_000, 20_000, 40_000]

    def measure() -> float:
        ratios = [
            seconds(row(n), "diagonal") / seconds(row(n), "collapse") for n in sizes
        ]
        print(dict(zip(sizes, map(round, ratios), strict=True)))
        return float(np.polyfit(np.log(sizes), np.log(ratios), 1)[0])

    exponent = benchmark.pedantic(measure, rounds=1)
    benchmark.extra_info["exponent"] = exponent
    print(f"the ratio grows like n**{exponent:.2f}")
    assert np.isfinite(exponent)


def seconds(cards: list[int], method: Any) -> float:
    """Return the shortest of three times."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        cardrow.value(cards, method=method)
        times.append(time.perf_counter() - start)
    return min(times)
