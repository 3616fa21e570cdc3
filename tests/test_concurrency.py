"""Threads, processes and memory: the same bits from all, and nothing that grows."""

from __future__ import annotations

import gc
import multiprocessing
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from numpy.typing import NDArray

from cardgames_dp import cardrow, diagonal, exact, fitting, pairs, play, redblack

from .games import Pig

ROW = [4, 4, 6, 6, 12, 9, 3, 8]
SMALL = pairs.Rules(deck=3, target=5)
GAME = redblack.game(5, 5)


def bits(array: NDArray[Any]) -> bytes:
    """Return an array as the bytes that it has."""
    return array.tobytes()


CALLS: dict[str, Callable[[], object]] = {
    "value": lambda: redblack.value(300, 290, method="diagonal"),
    "staircase": lambda: redblack.enclosure(500, 500, method="staircase").lower,
    "exact value": lambda: redblack.value(40, 40, backend="exact"),
    "table": lambda: bits(redblack.solve(30, 30).table()),
    "thresholds": lambda: bits(redblack.thresholds(30).n),
    "law": lambda: bits(
        play.distribution(redblack.game(40, 40), "optimal").returns[0].probabilities
    ),
    "simulation": lambda: bits(
        play.simulate(redblack.game(9, 9), "optimal", 500, rng=1)
        .returns[0]
        .probabilities
    ),
    "row": lambda: cardrow.value(ROW, backend="exact"),
    "rows": lambda: bits(cardrow.solve(ROW).table()),
    "pairs": lambda: bits(pairs.score_table(pairs.solve(SMALL)).table),
    "win rate": lambda: pairs.rates(SMALL, ["optimal", "fifty_percent"]).mean,
    "any game": lambda: diagonal.solve(GAME).value,
    "any game exactly": lambda: exact.solve(GAME).value,
    "any game played": lambda: play.distribution(GAME, exact.solve(GAME)).moves.mean,
    "limit law": lambda: fitting.LimitDistribution("payoff").cdf(0.7),
    "constant": lambda: fitting.shepp_alpha(30),
}


def answer(name: str) -> object:
    """Return what a call gives; processes find it by its name."""
    return CALLS[name]()


@pytest.fixture(scope="module")
def alone() -> dict[str, object]:
    """Return all answers, computed one after the other."""
    return {name: answer(name) for name in CALLS}


@pytest.mark.slow
def test_eight_threads_at_once(alone: dict[str, object]) -> None:
    """Each call meets itself, and all the others, in other threads."""
    names = [name for name in CALLS for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        mixed = list(pool.map(answer, names[::3] + names[1::3] + names[2::3]))
        together = list(pool.map(answer, names))
    assert together == [alone[name] for name in names]
    assert mixed == [alone[n] for n in names[::3] + names[1::3] + names[2::3]]


@pytest.mark.slow
def test_a_fresh_process(
    alone: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A new process is given the path of this one, and has to find this module by it.
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        assert dict(zip(CALLS, pool.map(answer, CALLS), strict=True)) == alone


CALLED = 50

GROWING = [
    lambda: redblack.value(9, 8),
    lambda: redblack.value(5, 5, backend="exact"),
    lambda: redblack.solve(4, 4).table(),
    lambda: play.distribution(redblack.game(6, 6), "optimal"),
    lambda: cardrow.value(ROW),
    lambda: play.Position(cardrow.solve([1, 5, 2])).advice(),
    lambda: play.best_response(cardrow.game(ROW), [None, "greedy"], 0),
    lambda: exact.solve(redblack.game(2, 2)),
    lambda: diagonal.solve(redblack.game(2, 2)),
]


@pytest.mark.slow
@pytest.mark.parametrize("call", GROWING, ids=range(len(GROWING)))
def test_nothing_grows_over_many_calls(call: Callable[[], object]) -> None:
    """Less than 24 bytes a call stay, what a float takes, and most objects more.

    NumPy keeps memory that it freed, for arrays of the same size, and such caches of
    others fill over many rounds; other threads of the test run take memory at times.
    Neither lasts: a leak is in every one of thirty rounds.
    """
    tracemalloc.start()
    try:
        for _ in range(CALLED // 2):
            call()
        grown: list[int] = []
        while len(grown) < 30 and not (grown and grown[-1] < 24 * CALLED):
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
            for _ in range(CALLED):
                call()
            gc.collect()
            grown.append(tracemalloc.get_traced_memory()[0] - before)
    finally:
        tracemalloc.stop()
    assert min(grown) < 24 * CALLED


LOOPS = Pig(6)
SOLVED = exact.solve(LOOPS)


def without_argument() -> None:
    with suppress(TypeError):
        pairs.rates()  # type: ignore[call-arg]


def raising(*_: Any) -> Any:
    raise TypeError


def with_a_policy_that_raises() -> None:
    with suppress(TypeError):
        redblack.value(9, 9, policy=raising)


FREED = [
    *GROWING,
    lambda: exact.solve(LOOPS),
    lambda: diagonal.solve(LOOPS),
    lambda: play.evaluate(LOOPS, [SOLVED, SOLVED]),
    lambda: play.distribution(LOOPS, [SOLVED, SOLVED]),
    lambda: play.regret(LOOPS, [SOLVED, SOLVED]),
    lambda: pairs.solve(SMALL),
    lambda: pairs.enclosure(SMALL),
    lambda: play.best_response(pairs.game(SMALL), "fifty_percent", 0),
    lambda: pairs.rates(SMALL, ["optimal", "fifty_percent"]).rounds,
    lambda: pairs.solve(SMALL).advice(pairs.state([2], [3], rules=SMALL)),
    without_argument,
    with_a_policy_that_raises,
]


@pytest.mark.parametrize("call", FREED, ids=range(len(FREED)))
def test_memory_is_freed_at_once(call: Callable[[], object]) -> None:
    """No cycle of objects is left, which would hold its arrays for a while.

    A cluster of other tests may leave some meanwhile, but not at every call.
    """
    left: list[int] = []
    gc.collect()
    gc.freeze()  # so that what other tests hold is not looked through
    gc.disable()
    try:
        while len(left) < 4 and 0 not in left:
            call()
            left.append(gc.collect())
    finally:
        gc.enable()
        gc.unfreeze()
    assert 0 in left
