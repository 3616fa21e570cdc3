"""Work spread over workers: what is sent, how much at a time, errors, streams."""

import pickle
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from operator import add, truediv
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from cardgames_dp._support import executors


class Elsewhere(Executor):
    """A worker to whom everything goes as bytes; the bytes are kept."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.sent.append(pickle.dumps((fn, args, kwargs)))
        function, given, named = pickle.loads(self.sent[-1])
        future: Future[Any] = Future()
        try:
            future.set_result(function(*given, **named))
        except Exception as error:
            future.set_exception(error)
        return future


class Idle(Executor):
    """Workers who do nothing until `wait` is called, and the last task first."""

    def __init__(self) -> None:
        self.tasks: list[tuple[Future[Any], Any, Any]] = []

    def submit(self, fn: Any, /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.tasks.append((future, fn, args))
        return future

    def wait(self, pending: Any, **_: Any) -> tuple[set[Future[Any]], set[Future[Any]]]:
        """Do the last task, as soon as anybody waits."""
        future, fn, args = self.tasks.pop()
        future.set_result(fn(*args))
        return {future}, set(pending) - {future}


def named(item: object) -> str:
    return f"item {item}"


def results(found: Iterator[tuple[int, Any]]) -> list[Any]:
    """Return results in the order of the items, each of which has one."""
    by_number = list(found)
    numbers = [number for number, _ in by_number]
    assert sorted(numbers) == list(range(len(numbers)))
    return [result for _, result in sorted(by_number)]


ALONE = pytest.mark.parametrize("workers", [None, Elsewhere()], ids=["here", "bytes"])


def add_to_all(workers: Executor | None) -> None:
    for count in (0, 1, 100):
        result = executors.map_items(
            add, 1000, range(count), executor=workers, name=named
        )
        assert results(result) == list(range(1000, 1000 + count))


def divide_by_nothing(workers: Executor | None) -> None:
    items = range(-13, 10**9)
    result = executors.map_items(truediv, 1, items, executor=workers, name=named)
    with pytest.raises(ZeroDivisionError) as raised:
        list(result)
    assert raised.value.__notes__ == ["This happened with item 0."]


@ALONE
def test_items_and_errors(workers: Executor | None) -> None:
    """Each item is worked on once; an error names its item and ends the work."""
    add_to_all(workers)
    divide_by_nothing(workers)


@pytest.mark.slow
def test_pools(executor: Executor) -> None:
    add_to_all(executor)
    divide_by_nothing(executor)
    add_to_all(executor)


def test_here_items_are_taken_one_by_one() -> None:
    items = iter(range(10))
    result = executors.map_items(add, 1, items, executor=None, name=named)
    assert next(result) == (0, 1)
    assert next(items) == 1


def test_threads_share_the_object_itself() -> None:
    shared = object()
    with ThreadPoolExecutor(2) as pool:
        result = executors.map_items(
            lambda x, item: (x, item), shared, range(5), executor=pool, name=named
        )
        assert {id(x) for x, _ in results(result)} == {id(shared)}


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> Idle:
    workers = Idle()
    monkeypatch.setattr(executors, "wait", workers.wait)
    return workers


def test_as_many_items_wait_as_keep_the_workers_busy(idle: Idle) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for item in range(100):
            taken.append(item)
            yield item

    result = executors.map_items(add, 0, items(), executor=idle, name=named)
    for most in range(64, 70):  # and one more for each result
        next(result)
        assert len(taken) == most
    # The last one was done first.
    assert [number for number, _ in result][-1] == 0


@pytest.mark.parametrize("how", ["closed", "interrupted"])
def test_the_rest_is_called_off(
    idle: Idle, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = executors.map_items(add, 0, range(100), executor=idle, name=named)
    if how == "closed":
        assert next(result) == (63, 63)
        result.close()
    else:
        interrupted = Mock(side_effect=KeyboardInterrupt)
        monkeypatch.setattr(executors, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            next(result)
    waiting = [future for future, _, _ in idle.tasks]
    assert len(waiting) == 63 + (how == "interrupted")
    assert all(future.cancelled() for future in waiting)


def test_what_cannot_be_sent_is_told() -> None:
    one = lambda: 1  # noqa: E731
    result = executors.map_items(add, one, range(9), executor=Elsewhere(), name=named)
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        next(result)


@pytest.mark.slow
def test_a_pool_that_breaks_says_so() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        leave = "import os; os._exit(1)"
        broken = executors.map_items(exec, leave, [{}], executor=pool, name=named)
        with pytest.raises(BrokenProcessPool) as raised:
            list(broken)
    assert raised.value.__notes__ == ["This happened with item {}."]


@pytest.mark.parametrize("size", [1, 7, 10, 100])
def test_streams_are_spawned(size: int) -> None:
    result = list(executors.chunks(10, size, np.random.default_rng(5)))
    assert [chunk.start for chunk in result] == list(range(0, 10, size))
    assert sum(chunk.games for chunk in result) == 10
    children = np.random.SeedSequence(5).spawn(len(result))
    for chunk, child in zip(result, children, strict=True):
        same = np.random.default_rng(child)
        assert chunk.rng.random(3).tolist() == same.random(3).tolist()


def test_streams_of_a_second_call_are_others() -> None:
    source = np.random.default_rng(5)
    first, second = (
        [chunk.rng.random() for chunk in executors.chunks(3, 1, source)] for _ in "ab"
    )
    assert set(first).isdisjoint(second)


@pytest.mark.parametrize(
    ("count", "workers", "sizes"),
    [
        (10, None, [1] * 10),  # here, one after the other
        (10, 2, [1] * 10),
        (256, 2, [2] * 128),
        (400, 2, [3] * 133 + [1]),
        (4000, 2, [20] * 200),
    ],
)
def test_batches(count: int, workers: int | None, sizes: list[int]) -> None:
    pool = None if workers is None else ThreadPoolExecutor(workers)
    result = list(executors.batches(iter(range(count)), count, 20, pool))
    assert [len(some) for some in result] == sizes
    assert [item for some in result for item in some] == list(range(count))


def test_chunks_and_batches_are_named_by_their_games() -> None:
    chunks = [*executors.chunks(10, 4, np.random.default_rng(5))]
    assert [*map(str, chunks)] == ["games 0 to 3", "games 4 to 7", "games 8 to 9"]
    (every,) = executors.batches(iter(chunks), 512, 4, ThreadPoolExecutor(2))
    assert executors.chunk_name(every) == "games 0 to 9"
    assert executors.chunk_name(every[1:2]) == "games 4 to 7"


@pytest.mark.parametrize("wrong", [2, "threads", ThreadPoolExecutor])
def test_only_executors_are_executors(wrong: object) -> None:
    with pytest.raises(TypeError, match=r"executor must be a concurrent\.futures"):
        executors.check_executor(wrong)
