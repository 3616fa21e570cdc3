"""A cluster of Dask: scheduler and workers as processes of their own, on loopback.

The bits of serial work; a worker that is killed; an interrupt; what is sent.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import cardrow, diagonal, pairs, play, redblack
from cardgames_dp._support import executors
from cardgames_dp.game import explore
from cardgames_dp.pairs import fast as pairs_simulation
from cardgames_dp.pairs._kernels import sweeps
from cardgames_dp.play import simulation as any_simulation
from cardgames_dp.redblack._kernels import dealing

distributed = pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("cluster"),
    pytest.mark.skipif(sys.platform == "win32", reason="signals are not like that"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

SOURCE = str(Path(executors.__file__).parents[1])


class Cluster:
    """A scheduler, workers of one thread, and a client."""

    def __init__(self, workers: int) -> None:
        self.scheduler = self._started(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"
        )
        assert self.scheduler.stderr
        for line in self.scheduler.stderr:
            if "Scheduler at:" in line:
                self.address = line.split()[-1]
                break
        self.workers = [self.worker() for _ in range(workers)]
        self.client = distributed.Client(self.address, timeout=60)
        self.client.wait_for_workers(workers, timeout=60)
        self.executor = self.client.get_executor()

    def worker(self) -> Any:
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
        return self._started("dask_worker", self.address, *options)

    @staticmethod
    def _started(program: str, *options: str) -> Any:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{program}", *options],
            env=os.environ | {"PYTHONPATH": SOURCE},
            stderr=subprocess.PIPE
            if program == "dask_scheduler"
            else subprocess.DEVNULL,
            text=True,
        )

    def close(self) -> None:
        self.client.close()
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()
            if process.stderr:
                process.stderr.close()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    made = Cluster(2)
    yield made
    made.close()


RULES = pairs.Rules(deck=4, target=9)
THREE = pairs.Rules(players=3, deck=3, target=5, deal=1)


@cache
def solved() -> Any:
    return pairs.solve(RULES)


@cache
def any_game() -> Any:
    return diagonal.solve(explore(redblack.game(6, 6)))


CALLS: dict[str, Callable[[Any], Any]] = {
    "red/black": lambda executor: play.simulate(
        redblack.game(20, 20),
        lambda state: "stop" if state.black > state.red + 1 else "draw",
        2000, histories=30, rng=1, executor=executor,
    ),
    "pairs": lambda executor: play.simulate(
        pairs.game(RULES), [solved(), "fifty_percent"], 2000, rng=1, executor=executor
    ),
    "any game": lambda executor: play.simulate(
        any_game(), any_game(), 2000, rng=1, histories=9, executor=executor
    ),
    "tournament": lambda executor: cardrow.tournament(
        {"own": lambda _: lambda _: {"left": 0.3, "right": 0.7}, "best": "optimal"},
        cardrow.deal(20, 8, rng=1), rng=1, executor=executor,
    ),
    "deals": lambda executor: pairs.solve(THREE, executor=executor),
    "rates": lambda executor: pairs.rates(
        RULES, [solved(), lambda state: {"hit": state.scores[:, 0], "fold": 1}],
        executor=executor,
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealing, "CHUNK", 100)
    monkeypatch.setattr(pairs_simulation, "CHUNK", 100)
    monkeypatch.setattr(any_simulation, "_BATCH", 100)
    monkeypatch.setattr(sweeps, "_BLOCK_CELLS", 1)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_the_bits_of_serial_work(cluster: Cluster, call: Any) -> None:
    assert call(cluster.executor) == call(None)


def wrong(state: Any) -> Any:
    return state.hand


def test_a_failing_item_is_named(cluster: Cluster) -> None:
    with pytest.raises(ValueError, match="must give 'fold' or 'hit'") as raised:
        play.simulate(pairs.game(RULES), wrong, 500, executor=cluster.executor)
    assert "games " in raised.value.__notes__[0]


def slowly(shared: Any, item: int) -> int:
    time.sleep(0.05)
    return int(shared[0]) + item


def test_a_worker_that_is_killed_loses_nothing() -> None:
    cluster = Cluster(2)
    try:
        shared = np.full(10**6, 7)
        done = []
        for _, result in executors.map_items(
            slowly, shared, range(60), executor=cluster.executor, name=str
        ):
            done.append(result)
            if len(done) == 10:  # in the middle, one after the other
                os.kill(cluster.workers[0].pid, signal.SIGKILL)
            if len(done) == 25:
                cluster.workers.append(cluster.worker())
                cluster.client.wait_for_workers(2, timeout=60)
                os.kill(cluster.workers[1].pid, signal.SIGKILL)
        assert sorted(done) == list(range(7, 67))
    finally:
        cluster.close()
