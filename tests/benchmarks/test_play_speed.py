"""Speed of played games: red/black 300 + 300, explored once (271,801 states)."""

from collections.abc import Callable
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from cardgames_dp import diagonal, play, redblack
from cardgames_dp._graph import explored

GAME = explored.explore(redblack.Rules().game(300, 300))
BEST = diagonal.solve(GAME)


def thumb(state: redblack.State) -> str:
    """Stop with five in hand."""
    return "draw" if state.red and state.black - state.red < 5 else "stop"


WORK: dict[str, Callable[[], Any]] = {
    "solve": lambda: diagonal.solve(GAME),
    "evaluate": lambda: play.evaluate(GAME, BEST),
    "evaluate a callable": lambda: play.evaluate(GAME, thumb),
    "best response": lambda: play.best_response(GAME, BEST, 0),
    "regret": lambda: play.regret(GAME, BEST),
    "law": lambda: play.distribution(GAME, BEST),
    "simulate 10,000 games": lambda: play.simulate(GAME, BEST, 10_000, rng=1),
}


@pytest.mark.parametrize("name", WORK)
def test_played_red_black(benchmark: BenchmarkFixture, name: str) -> None:
    """Target: none takes longer than exploring the game, 1.4 s on one core."""
    assert benchmark(WORK[name])
