"""Games of red/black dealt card by card, many at a time.

All games have n cards remaining. For each game the number of its next card is drawn,
uniform among 0, ..., n - 1, in integers and therefore without a bias of rounding; the
first r of these cards are the red ones. Games that stop leave the array. Only the
states in which games ended are kept and counted, so memory does not grow with the
number of games, and nothing is rounded before averages are taken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.redblack._kernels.terms import Terms

CHUNK = 2**16
"""Games dealt at a time: few enough for their arrays to stay in the cache."""

_LEVELS_A_STEP = 2**12
"""Levels after which the progress bar of long games moves."""

Stops: TypeAlias = Callable[[int, NDArray[Any]], NDArray[np.bool_]]
"""Whether games stop with n cards remaining, given the numbers of red ones."""


class Deck(NamedTuple):
    """A full deck and its player: the name of the policy, and its stop set."""

    red: int
    black: int
    policy: str
    stops: Stops


def deal(
    deck: Deck, games: int, watched: int, rng: np.random.Generator, bar: Any
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """Play games; return where they ended, and the red cards of the first ones by draw.

    The end with n cards remaining, r of them red, is the number ``n (red + 1) + r``.
    """
    red, total = deck.red, deck.red + deck.black
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
        leaving = deck.stops(n, reds)
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


def course(deck: Deck, rules: Terms, trail: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the cash during one game, given its red cards remaining at each draw."""
    red_drawn = deck.red - trail
    return cash_of(rules, red_drawn, np.arange(len(trail)) - red_drawn)


def histogram(values: NDArray[Any], counts: NDArray[np.int64]) -> tuple[Any, Any]:
    """Return the distinct values, increasing, and the total count of each."""
    different, place = np.unique(values, return_inverse=True)
    totals = np.zeros(len(different), np.int64)
    np.add.at(totals, place, counts)
    return different, totals


def cash_of(
    rules: Terms, red_drawn: NDArray[np.int64], black_drawn: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the cash after these draws, rounded once: equal amounts stay equal."""
    unit = rules.cash_unit
    units = int(rules.gain / unit) * red_drawn.astype(object)
    units -= int(rules.cost / unit) * black_drawn.astype(object)
    cash: NDArray[np.float64] = (units / unit.denominator).astype(np.float64)
    return cash
