"""Spread work over workers: threads, processes, or the machines of a cluster.

Any `concurrent.futures.Executor` can be used: Python's own pools of threads and of
processes, ``distributed.Client(...).get_executor()`` of Dask, mpi4py's pools.

The object that all items of some work share (tables, policies) is sent to each worker
once, and a task carries only its own item:

- Threads get the object itself.
- On a Dask cluster it is the result of a task, on which all others depend: the workers
  copy it from each other, and if the last one that has it dies, it is computed again.
- Other executors do not identify their workers. The first tasks, as many as there are
  workers, carry the shared object; the others name it by its checksum. A worker that
  lacks it says so, and gets it with the same item again.

Items are taken when there is room for them, so that enough of them wait to keep the
workers busy. Results come in any order, on which nothing may depend. Each item has its
own stream of random numbers, which does not depend on the number of workers.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import pickle  # nosec B403
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from cardgames_dp._support import arguments, running

Item = TypeVar("Item")
Shared = TypeVar("Shared")
Result = TypeVar("Result")

_AHEAD = 2
"""Items sent to each worker: the current one and the next one."""
_FEWEST = 8
"""The fewest items sent, so that a cluster that scales with its work starts to grow."""
_TASKS = 32
"""The fewest tasks into which items are grouped; also four for each worker."""
_RECOUNT_SECONDS = 5.0
"""Seconds after which workers are counted again, as clusters grow and shrink."""
_MOST_HELD = 4
"""The number of shared objects that a worker keeps."""

_Lacking: TypeAlias = Literal["cardgames_dp: what all items share is not here"]
_LACKING: _Lacking = "cardgames_dp: what all items share is not here"
"""The answer of a worker; text, as singletons do not survive a change of process."""

_held: dict[str, tuple[Callable[[Any, Any], Any], Any]] = {}
"""The shared objects of this worker, by checksum, kept for later calls."""


def checked(executor: object) -> Executor | None:
    """Return the argument `executor`, checked."""
    if executor is not None and not isinstance(executor, Executor):
        raise arguments.wrong_type(
            "executor must be a concurrent.futures.Executor or None", executor
        )
    return executor


def streams(source: np.random.Generator) -> Iterator[np.random.Generator]:
    """Yield independent streams of random numbers, the same ones for the same seed.

    They are spawned, as by `numpy.random.SeedSequence.spawn`; another call continues
    after the last one taken.
    """
    while True:
        try:
            yield source.spawn(1)[0]
        except TypeError as error:  # its seed is that of a RandomState, for one
            raise TypeError(
                "rng must be a numpy.random.Generator that can spawn others, as "
                f"numpy.random.default_rng(seed), got {arguments.described(source)}"
            ) from error


class Chunk(NamedTuple):
    """Random games that are played side by side."""

    start: int
    games: int
    rng: np.random.Generator

    def __str__(self) -> str:
        return f"games {self.start} to {self.start + self.games - 1}"


def chunks(games: int, size: int, source: np.random.Generator) -> Iterator[Chunk]:
    """Yield games in chunks of a size, each with a stream of random numbers."""
    starts = range(0, games, size)
    for start, stream in zip(starts, streams(source), strict=False):
        yield Chunk(start, min(size, games - start), stream)


def games_of(batch: tuple[Chunk, ...]) -> str:
    """Return the name of consecutive chunks."""
    last = batch[-1]
    return str(batch[0]._replace(games=last.start + last.games - batch[0].start))


def batches(
    items: Iterable[Item], count: int, most: int, executor: Executor | None
) -> Iterator[tuple[Item, ...]]:
    """Yield items in batches, so that a task takes longer than sending it.

    Parameters
    ----------
    items : iterable
    count : int
        The number of items.
    most : int
        The largest batch: items that take some tenths of a second.
    executor : concurrent.futures.Executor or None
        Batches are smaller if there are few items for each worker, and of one item
        without an executor.
    """
    size = 1
    if executor is not None:
        size = min(count // max(4 * _workers(executor), _TASKS), most)
    source = iter(items)
    while batch := tuple(itertools.islice(source, max(size, 1))):
        yield batch


def each(
    work: Callable[[Shared, Item], Result],
    shared: Shared,
    items: Iterable[Item],
    *,
    executor: Executor | None,
    name: Callable[[Item], str],
) -> Generator[tuple[int, Result], None, None]:
    """Yield ``work(shared, item)`` for each item, with its number, as they are done.

    Parameters
    ----------
    work, shared, executor, name
        As for `over`.
    items : iterable
        Taken one by one when there is room; without an executor, on demand.

    Raises
    ------
    Exception
        What `work` raises, with a note that names the item. Work that has not begun is
        then cancelled, as when the iterator is closed or interrupted.
    """
    return over(work, shared, executor=executor, name=name)(items)


def over(
    work: Callable[[Shared, Item], Result],
    shared: Shared,
    *,
    executor: Executor | None,
    name: Callable[[Item], str],
) -> Callable[[Iterable[Item]], Generator[tuple[int, Result], None, None]]:
    """Return a function that spreads items, as `each` does, and can be called again.

    The shared object is sent once for all calls.

    Parameters
    ----------
    work : callable
        A function of a module, so that it can be sent by its name. It must not change
        the shared object.
    shared : object
        The object that it needs for every item.
    executor : concurrent.futures.Executor or None
        With None the work is done here, item after item.
    name : callable
        Returns the name of an item, for a note on the error that it raises.
    """
    if executor is None:
        return partial(_here, partial(work, shared), name)
    limited = partial(_under, running.setting.get()._replace(progress=False), work)
    sender = _sender(executor, limited, shared)
    return partial(_spread, sender, _crew(executor), name)


def _under(
    setting: running.Setting, work: Callable[[Shared, Item], Result], *given: Any
) -> Result:
    """Do an item's work under what `running` said where it was sent."""
    token = running.setting.set(setting)
    try:
        return work(*given)
    finally:
        running.setting.reset(token)


def _here(
    work: Callable[[Item], Result], name: Callable[[Item], str], items: Iterable[Item]
) -> Generator[tuple[int, Result], None, None]:
    for number, item in enumerate(items):
        with _named(name, item):
            result = work(item)
        yield number, result


def _spread(
    send: Callable[[Any, bool], Future[Any]],
    most: Callable[[], int],
    name: Callable[[Any], str],
    items: Iterable[Any],
) -> Generator[tuple[int, Any], None, None]:
    numbered = enumerate(items)
    under_way: dict[Future[Any], tuple[int, Any]] = {}
    try:
        while True:
            free = max(most() - len(under_way), 0)
            for number, item in itertools.islice(numbered, free):
                under_way[send(item, False)] = number, item
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                number, item = under_way.pop(future)
                with _named(name, item):
                    result = future.result()
                if isinstance(result, str) and result == _LACKING:
                    under_way[send(item, True)] = number, item
                else:
                    yield number, result
    finally:
        for future in under_way:
            future.cancel()


@contextmanager
def _named(name: Callable[[Item], str], item: Item) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        error.add_note(f"This happened with {name(item)}.")
        raise


def _sender(
    executor: Executor, work: Callable[[Any, Any], Any], shared: object
) -> Callable[[Any, bool], Future[Any]]:
    """Return a function that submits an item, with the shared object where needed.

    It takes the item, and whether a worker has answered that it lacks the object.
    """
    if isinstance(executor, ThreadPoolExecutor):
        return lambda item, _: executor.submit(work, shared, item)
    client = _dask_client(executor)
    if client is not None:
        submit: Any = executor.submit
        with warnings.catch_warnings():
            # The warning is about large graphs; each worker gets this one only once.
            warnings.filterwarnings("ignore", message="Sending large graph")
            there = client.submit(_itself, _Sealed(shared), pure=False)
        # Equal items of a game of chance are distinct: `pure` would merge them.
        return lambda item, _: submit(_unsealed, work, there, _Sealed(item), pure=False)
    content = pickle.dumps((work, shared), protocol=pickle.HIGHEST_PROTOCOL)
    key = hashlib.sha256(content).hexdigest()
    first = itertools.repeat(True, _workers(executor))
    return lambda item, lacking: executor.submit(
        _at_worker, key, content if lacking or next(first, False) else None, item
    )


@dataclass(frozen=True, slots=True)
class _Sealed:
    """An object that Dask does not inspect.

    Older versions of Dask treat a tuple that begins with a callable as a task.
    """

    content: Any


def _itself(shared: _Sealed) -> _Sealed:
    return shared


def _unsealed(work: Callable[[Any, Any], Any], shared: _Sealed, item: _Sealed) -> Any:
    return work(shared.content, item.content)


def _at_worker(key: str, content: bytes | None, item: object) -> Any:
    """Do an item's work in a worker that may lack the shared object."""
    if content is not None and key not in _held:
        while len(_held) >= _MOST_HELD:
            del _held[next(iter(_held))]
        # A worker runs whatever its scheduler sends, and this came from there.
        _held[key] = pickle.loads(content)  # nosec B301
    if key not in _held:
        return _LACKING
    work, shared = _held[key]
    return work(shared, item)


def _dask_client(executor: Executor) -> Any:
    """Return the client of an executor of Dask, or None for others."""
    if type(executor).__module__ != "distributed.cfexecutor":
        return None
    return getattr(executor, "_client", None)


def _crew(executor: Executor) -> Callable[[], int]:
    """Return what tells how many items to have in progress.

    It counts the workers from time to time.
    """
    counted, most = float("-inf"), _FEWEST

    def items() -> int:
        nonlocal counted, most
        if time.monotonic() - counted > _RECOUNT_SECONDS:
            most = max(_AHEAD * _workers(executor), _FEWEST)
            counted = time.monotonic()
        return most

    return items


def _workers(executor: Executor) -> int:
    """Return the number of workers of an executor, or a guess if it is not known."""
    client = _dask_client(executor)
    if client is not None:
        return sum(client.nthreads().values())
    for name in ("num_workers", "_max_workers"):  # mpi4py's, and Python's own
        count = getattr(executor, name, None)
        if isinstance(count, int):
            return count
    return os.cpu_count() or 1
