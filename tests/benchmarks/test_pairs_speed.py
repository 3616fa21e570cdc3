"""Speed of Pairs; asserts nothing about it. Targets are those of the project.

Targets, on one idle core: the published game 60 s; three players, target 21, six ranks
30 s; with remembered discards 10 s for 2, 31, 5 and 20 s for 3, 21, 4; the six rows of
the Pairs essay's table 60 s together.
"""

from collections.abc import Callable
from typing import Final

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from cardgames_dp import pairs

DOCUMENT_004 = [(2, 5, 3), (2, 6, 3), (2, 5, 4), (2, 6, 4), (3, 5, 4), (3, 6, 4)]


def test_published_game(benchmark: BenchmarkFixture) -> None:
    solution = benchmark.pedantic(pairs.solve, rounds=1)
    benchmark.extra_info["positions"] = solution.num_positions
    assert round(solution.value[0], 8) == 0.48046769


@pytest.mark.parametrize(
    "rules",
    [
        pairs.Rules(players=3, deck=6),
        pairs.Rules(deck=5, reshuffle="exhausted"),
        pairs.Rules(players=3, deck=4, reshuffle="exhausted"),
    ],
    ids=lambda rules: f"{rules.players},{rules.target},{rules.ranks[-1]}",
)
def test_solve(benchmark: BenchmarkFixture, rules: pairs.Rules) -> None:
    solution = benchmark.pedantic(pairs.solve, (rules,), rounds=1)
    benchmark.extra_info["positions"] = solution.num_positions
    assert sum(solution.value) == pytest.approx(rules.players - 1)


def test_games_of_pairs_essay(benchmark: BenchmarkFixture) -> None:
    def chances() -> list[float]:
        return [
            pairs.solve(pairs.Rules(players, ranks, target, reshuffle="essay")).value[0]
            for players, target, ranks in DOCUMENT_004
        ]

    assert 0 < min(benchmark.pedantic(chances, rounds=1)) < 1


def test_round(benchmark: BenchmarkFixture) -> None:
    """A round of a game of which only the table of scores is kept."""
    solution = pairs.solve(pairs.Rules(target=3))
    table = benchmark.pedantic(solution.round, ([0, 0],), rounds=3)
    assert len(table) == 260_338


def test_evaluate(benchmark: BenchmarkFixture) -> None:
    rules = pairs.Rules(deck=7)
    policies = ["optimal", "fifty_percent"]
    found = benchmark.pedantic(pairs.evaluate, (rules, policies), rounds=1)
    assert found.mean[0] > 0.5


def test_best_response(benchmark: BenchmarkFixture) -> None:
    rules = pairs.Rules(deck=7)
    response = benchmark.pedantic(
        pairs.best_response, (rules, "fifty_percent"), rounds=1
    )
    assert response.mean > 0.5


HEURISTIC: Final = "expected_points"
USES: dict[str, Callable[[pairs.Rules, pairs.Response], object]] = {
    "evaluate": lambda rules, by: pairs.evaluate(rules, [by.policy, HEURISTIC]),
    "frequencies": lambda rules, by: pairs.evaluate(rules, by.policy).rounds,
    "simulate": lambda rules, by: pairs.simulate(
        rules, [by.policy, HEURISTIC], games=2000, rng=1
    ),
}


@pytest.mark.parametrize("use", USES)
def test_use_of_a_best_response(benchmark: BenchmarkFixture, use: str) -> None:
    """In the published game, to 12 points; to compare with making it.

    Target: not more than twice as long, and a simulation a tenth of that.
    """
    rules = pairs.Rules(target=12)
    response = pairs.best_response(rules, HEURISTIC)
    benchmark.extra_info["mean"] = response.mean
    assert benchmark.pedantic(USES[use], (rules, response), rounds=1)


def test_making_of_a_best_response(benchmark: BenchmarkFixture) -> None:
    rules = pairs.Rules(target=12)
    response = benchmark.pedantic(pairs.best_response, (rules, HEURISTIC), rounds=1)
    assert response.mean > 0.5
