"""Games of red/black dealt card by card, many at a time.

All games have n cards remaining. For each game the number of its next card is drawn,
uniform among 0, ..., n - 1, in integers and therefore without a bias of rounding; the
first r of these cards are the red ones. Games that stop leave the array. Only the
states in which games ended are kept and counted, so memory does not grow with the
number of games, and nothing is rounded before averages are taken.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import arguments, executors
from cardgames_dp._support.running import refuse_too_large
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


def chunks_a_task(problem: Problem) -> int:
    """Return how many chunks of games a worker is given at a time."""
    return max(_TASK_DRAWS // (CHUNK * max(problem.cards, 1)), 1)


def dealt(
    shared: tuple[Player, int, Any], chunks: tuple[executors.Chunk, ...]
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[NDArray[np.int64]]]:
    """Return the states in which games ended, their counts, and the watched games."""
    player, watched, bar = shared
    ended, courses = [], []
    for chunk in chunks:
        first = min(chunk.games, max(watched - chunk.start, 0))
        ends, trails = deal(player, chunk.games, first, chunk.rng, bar)
        ended.append(np.unique(ends, return_counts=True))
        courses += trails
    return *histogram(*map(np.concatenate, zip(*ended, strict=True))), courses


def deal(
    player: Player, games: int, watched: int, rng: np.random.Generator, bar: Any
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """Play games; return where they ended, and the red cards of the first ones by draw.

    The end with n cards remaining, r of them red, is the number ``n (red + 1) + r``.
    """
    red, black, _ = player
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
        leaving = _leaving(player, n, reds)
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


def _leaving(player: Player, n: int, reds: NDArray[Any]) -> NDArray[Any]:
    """Return whether games stop with these red cards left, or how likely that is."""
    red, black, stop_set = player
    first, last = max(0, n - black), min(red, n)
    ends = stop_set(n, first, last)
    if isinstance(ends, range):
        stops: NDArray[np.bool_] = reds < first + len(ends)
        return stops
    each: NDArray[Any] = chances(ends, last - first + 1)[reds - first]
    return each


def histogram(values: NDArray[Any], counts: NDArray[np.int64]) -> tuple[Any, Any]:
    """Return the distinct values, increasing, and the total count of each."""
    different, place = np.unique(values, return_inverse=True)
    totals = np.zeros(len(different), np.int64)
    np.add.at(totals, place, counts)
    return different, totals
