"""Games of red/black dealt card by card, many at a time.

All games have n cards remaining. For each game the number of its next card is drawn,
uniform among 0, ..., n - 1, in integers and therefore without a bias of rounding; the
first r of these cards are the red ones. Games that stop leave the array. Only the
states in which games ended are kept and counted, so memory does not grow with the
number of games, and nothing is rounded before averages are taken.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import Executor
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import arguments, executors
from cardgames_dp._support.running import progress_bar, refuse_too_large
from cardgames_dp.redblack._kernels.stop_sets import StopSet, chances
from cardgames_dp.redblack.rules import Problem

CHUNK = 2**16
"""Games dealt at a time: few enough for their arrays to stay in the cache."""

_LEVELS_A_STEP = 2**12
"""Levels after which the progress bar of long games moves."""

_TASK_DRAWS = 2**26
"""The most cards of all games that a worker is given at a time, unless one chunk has
more; a task with small decks takes some tenths of a second.
"""

_PATH_BYTES, _POLICY_BYTES = 300, 64
"""Bytes of a level of a simulation: for each history, and for the policy."""

_MOST_DRAWN = 10**14
"""Cards of all games, which take about a week."""

Player: TypeAlias = tuple[int, int, StopSet]
"""The red and the black cards of a full deck, and where its player stops."""


def refuse_large(problem: Problem, games: int, histories: int) -> None:
    """Refuse games that would be too large or too long."""
    refuse_too_large(
        f"a simulation of {problem.deck} with {arguments.shown(histories)} histories",
        (histories * _PATH_BYTES + _POLICY_BYTES) * (problem.cards + 1),
        "simulate a smaller deck, or ask for fewer histories",
    )
    what = f"the cards of {arguments.shown(games)} games of {problem.deck}"
    arguments.at_most(what, games * problem.cards, _MOST_DRAWN, "simulate fewer games")


def play(
    problem: Problem,
    stops: StopSet,
    games: int,
    histories: int,
    rng: np.random.Generator,
    executor: Executor | None,
) -> tuple[Counter[int], list[NDArray[np.int64]]]:
    """Return how often games ended in each state, and the red cards of some by draw."""
    chunks = executors.chunks(games, CHUNK, rng)
    most = max(_TASK_DRAWS // (CHUNK * max(problem.cards, 1)), 1)
    tasks = executors.batches(chunks, -(-games // CHUNK), most, executor)
    ends, courses = Counter[int](), dict[int, list[NDArray[np.int64]]]()
    with progress_bar(games, "games") as bar:
        player = problem.red, problem.black, stops
        shared = player, histories, bar if executor is None else None
        how: Any = {"executor": executor, "name": executors.chunk_name}
        for task, (counts, trails) in executors.map_items(
            play_chunks, shared, tasks, **how
        ):
            ends.update(counts)
            courses[task] = trails
            if bar is not None:
                bar.update(ends.total() - bar.n)
    return ends, [trail for _, some in sorted(courses.items()) for trail in some]


def play_chunks(
    shared: tuple[Player, int, Any], chunks: tuple[executors.Chunk, ...]
) -> tuple[Counter[int], list[NDArray[np.int64]]]:
    """Return how often games ended in each state, and the watched games."""
    player, watched, bar = shared
    counts, courses = Counter[int](), list[NDArray[np.int64]]()
    for chunk in chunks:
        first = min(chunk.games, max(watched - chunk.start, 0))
        ends, trails = play_games(player, chunk.games, first, chunk.rng, bar)
        states, times = np.unique(ends, return_counts=True)
        counts.update(dict(zip(states.tolist(), times.tolist(), strict=True)))
        courses += trails
    return counts, courses


def play_games(
    player: Player, games: int, watched: int, rng: np.random.Generator, bar: Any
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """Play games; return where they ended, and the red cards of the first ones by draw.

    The end with n cards remaining, r of them red, is the number ``n (red + 1) + r``.
    """
    red, black, stop_set = player
    total = red + black
    # Short integers are drawn and moved twice as fast.
    dtype: Any = np.uint16 if total < 2**16 else np.int64
    reds: NDArray[Any] = np.full(games, red, dtype)
    trails = np.empty((watched, total + 1), np.int64)
    lengths = np.full(watched, total + 1)
    going_on = np.arange(watched)  # the watched games among the first of `reds`
    ends = []
    for n in range(total, 0, -1):
        if bar is not None and n % _LEVELS_A_STEP == 0:
            bar.update(games * min(_LEVELS_A_STEP / total, 1))
        trails[going_on, total - n] = reds[: len(going_on)]
        first, last = max(0, n - black), min(red, n)
        stops = stop_set(n, first, last)
        if isinstance(stops, range):
            leaving: NDArray[Any] = reds < first + len(stops)
        else:
            leaving = chances(stops, last - first + 1)[reds - first]
        if leaving.dtype != np.bool_:  # probabilities
            leaving = rng.random(len(reds)) < leaving
        if leaving.any():
            ends.append(n * (red + 1) + reds[leaving].astype(np.int64))
            reds = reds[~leaving]
            if watched:
                left = leaving[: len(going_on)]
                lengths[going_on[left]] = total - n + 1
                going_on = going_on[~left]
            if not len(reds):
                break
        reds -= rng.integers(n, size=len(reds), dtype=dtype) < reds
    trails[going_on, total] = 0
    ends.append(np.zeros(len(reds), np.int64))
    paths = [trail[:length] for trail, length in zip(trails, lengths, strict=True)]
    return np.concatenate(ends), paths
