"""Games of any kind played side by side: the same ones on any number of workers."""

from concurrent.futures import Executor
from typing import Any

import numpy as np
import pytest

import cardgames_dp
from cardgames_dp import diagonal, pairs, play, redblack
from cardgames_dp.play._kernels import playing

GAME = redblack.Rules().game(6, 6)
"""Its policies are solutions and a ``lambda``: neither they nor it are sent."""


def simulate(**options: Any) -> Any:
    solution = diagonal.solve(GAME)
    return play.simulate(
        GAME, lambda state: solution.policy[state], 1000, rng=3, **options
    )


@pytest.mark.slow
def test_executors(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "_BATCH", 64)
    assert simulate(histories=100, executor=executor) == simulate(histories=100)
    rules = pairs.Rules(players=3, deck={1: 2, 2: 2}, target=3)
    solution = diagonal.solve(rules.game())
    alone = play.simulate(solution, solution, 500, rng=1)
    assert play.simulate(solution, solution, 500, rng=1, executor=executor) == alone


def test_histories_and_bars_change_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(playing, "_BATCH", 300)
    with cardgames_dp.running(progress=True):
        alone, told = simulate(), simulate(histories=700)
    assert "1.00k/1.00k" in capsys.readouterr().err
    assert told.returns[0].tolist() == alone.returns[0].tolist()
    assert told.return_counts[0].tolist() == alone.return_counts[0].tolist()
    assert told.move_counts.tolist() == alone.move_counts.tolist()
    assert len(told.histories) == 700
    assert simulate(histories=650).histories == told.histories[:650]
    assert np.unique([len(states) for states in told.histories]).size > 5


def test_only_executors_are_executors() -> None:
    with pytest.raises(TypeError, match=r"executor must be a concurrent\.futures"):
        simulate(executor=2)
