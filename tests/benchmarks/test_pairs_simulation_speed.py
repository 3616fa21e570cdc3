"""Speed of simulated games of Pairs."""

from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from cardgames_dp import pairs
from cardgames_dp.pairs._kernels.game import Decisions
from cardgames_dp.pairs._kernels.players import LookedUp
from cardgames_dp.pairs.advice import sweep_of
from cardgames_dp.pairs.players import Asked
from cardgames_dp.pairs.policies import always_hit

GAMES = 2**15


def cautious_when_behind(view: pairs.View) -> Decisions:
    more: Decisions = view.scores[:, 0] > view.scores[:, 1]
    return (view.lowest[:, None] > 3) | ~more[None, :]


@pytest.mark.parametrize(
    "policy", ["expected_points", "never_hit", cautious_when_behind]
)
@pytest.mark.parametrize(
    "rules", [pairs.Rules(), pairs.OfficialRules()], ids=["round", "official"]
)
def test_games(benchmark: BenchmarkFixture, rules: Any, policy: Any) -> None:
    """Target, on one idle core: 10,000 games a second of simple policies."""
    result = benchmark(pairs.simulate, rules, policy, games=GAMES, rng=1)
    assert sum(result.losses) == GAMES


def test_six_players(benchmark: BenchmarkFixture) -> None:
    rules = pairs.OfficialRules(players=6)
    result = benchmark(pairs.simulate, rules, "expected_points", games=GAMES, rng=1)
    assert sum(result.losses) == GAMES


def test_a_table_of_decisions(benchmark: BenchmarkFixture) -> None:
    """The published deck with scores to 12: a bit for each of 37 million positions."""
    solution = pairs.solve(pairs.Rules(target=12))
    sweep, otherwise = sweep_of(solution), Asked("policy", always_hit, solution.rules)
    player = benchmark.pedantic(LookedUp, args=(sweep, otherwise), rounds=1)
    assert isinstance(player, LookedUp)


def test_games_of_a_solution(benchmark: BenchmarkFixture) -> None:
    rules = pairs.OfficialRules(deck=7, target=16)
    solution = pairs.solve(rules.solvable)
    players = [solution, "expected_points"]
    result = benchmark(pairs.simulate, rules, players, games=GAMES, rng=1)
    assert sum(result.losses) == GAMES
