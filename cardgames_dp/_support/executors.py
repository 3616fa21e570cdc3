"""Spread work over the workers of any `concurrent.futures.Executor`.

Python's own pools of threads and of processes are such executors, as are
``distributed.Client(...).get_executor()`` of Dask and mpi4py's pools. A task is a
function of a module, an object that all items of some work share (tables, policies),
and one item; threads get the objects themselves, other workers a pickle of them.

Results come in any order, on which nothing may depend. Each item has its own stream of
random numbers, which does not depend on the number of workers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import numpy as np

from cardgames_dp._support import arguments, running

Item = TypeVar("Item")
Shared = TypeVar("Shared")
Result = TypeVar("Result")

_IN_PROGRESS = 64
"""The most items that are sent and not done: enough for the workers of a machine."""

_TASKS = 128
"""The fewest tasks into which items are grouped."""


def check_executor(executor: object) -> Executor | None:
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


def chunk_name(batch: tuple[Chunk, ...]) -> str:
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
        Batches are smaller if there are few items, and of one item without an executor.
    """
    size = 1 if executor is None else min(count // _TASKS, most)
    source = iter(items)
    while batch := tuple(itertools.islice(source, max(size, 1))):
        yield batch


def map_items(
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
    work : callable
        A function of a module, so that it can be sent by its name. It must not change
        the shared object.
    shared : object
        The object that it needs for every item.
    items : iterable
        Taken one by one when there is room; without an executor, on demand.
    executor : concurrent.futures.Executor or None
        With None the work is done here, item after item.
    name : callable
        Returns the name of an item, for a note on the error that it raises.

    Raises
    ------
    Exception
        What `work` raises, with a note that names the item. Work that has not begun is
        then cancelled, as when the iterator is closed or interrupted.
    """
    numbered = enumerate(items)
    if executor is None:
        for number, item in numbered:
            with _note_item(name, item):
                result = work(shared, item)
            yield number, result
        return
    setting = running.setting.get()._replace(progress=False)
    under_way: dict[Future[Result], tuple[int, Item]] = {}
    try:
        while True:
            free = _IN_PROGRESS - len(under_way)
            for number, item in itertools.islice(numbered, free):
                future = executor.submit(
                    _call_with_setting, setting, work, shared, item
                )
                under_way[future] = number, item
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                number, item = under_way.pop(future)
                with _note_item(name, item):
                    result = future.result()
                yield number, result
    finally:
        for future in under_way:
            future.cancel()


def _call_with_setting(
    setting: running.Setting, work: Callable[[Shared, Item], Result], *given: Any
) -> Result:
    """Do an item's work under what `running` said where it was sent."""
    token = running.setting.set(setting)
    try:
        return work(*given)
    finally:
        running.setting.reset(token)


@contextmanager
def _note_item(name: Callable[[Item], str], item: Item) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        error.add_note(f"This happened with {name(item)}.")
        raise
