r"""Partial foresight: a player who sees the next k cards.

After t draws such a player knows the walk of the cash up to u = t + k. This is
equivalent to a choice with recall: the player looks at the cards one by one and may
stop at any of the last k + 1 places; each card removes the oldest place. So no decision
is needed before a place is lost, and stopping there is right only if it is higher than
all later places. The only facts that matter about the window are its *records*: how
many cards ago the walk was, looking back, for the first time 1, 2, ... higher than now,
as ``T_1 < T_2 < ... <= k``. A red card moves the records back and removes the first; a
black card moves them back and adds one at 1:

    up:   T_2 + 1, T_3 + 1, ...        down:   1, T_1 + 1, T_2 + 1, ...

Records beyond k are lost. The distances between records are odd, so there are only
F(k + 2) such profiles, a Fibonacci number, instead of 2**k windows. With r red and b
black cards unseen, n = r + b, the best expected result above the walk's last height is

    E(T) = max(h, r/n (1 + E(up T)) + b/n (E(down T) - 1))

where h is the number of records if the last of them is k cards old; otherwise stopping
is not considered. When all cards are seen, ``E(T)`` is the number of records. In
integers the same holds for ``C(n, r) E``, without the divisions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._extras import tracked
from cardgames_dp.redblack._kernels import limits
from cardgames_dp.redblack._kernels.band import BLOCK, Band


class _Profiles(NamedTuple):
    """All profiles of records: their successors after a card, and their heights.

    Attributes
    ----------
    up, down : ndarray of int64, shape (profiles,)
        The profile after a red card, and after a black card.
    heights : ndarray of int64, same shape
        The number of records; the first profile has none.
    expiring : ndarray of int64
        The profiles whose oldest place is a record.
    """

    up: NDArray[np.int64]
    down: NDArray[np.int64]
    heights: NDArray[np.int64]
    expiring: NDArray[np.int64]


def value(
    red: int, black: int, seen: int, *, exact: bool, progress: bool
) -> float | Fraction:
    """Return the value for a player who sees the next `seen` cards, fewer than all."""
    limits.refuse_foresight(red, black, profiles(seen), exact=exact, progress=progress)
    kinds = _profiles(seen)
    levels: Iterator[Any] = (_exact if exact else _floats)(red, black, kinds)
    worth: float | Fraction = 0.0
    for worth in tracked(levels, red + black + 1, "levels", shown=progress):  # noqa: B007
        pass
    return worth


def profiles(seen: int) -> int:
    """Return how many profiles there are, or 10**18 if there are more."""
    before, count = 1, 1
    for _ in range(seen):
        before, count = count, before + count
        if count > 10**18:
            return 10**18
    return count


def _profiles(seen: int) -> _Profiles:
    """Return the profiles of records among the last `seen` cards."""
    places: dict[tuple[int, ...], int] = {(): 0}
    queue: list[tuple[int, ...]] = [()]
    after: tuple[list[int], list[int]] = [], []
    for records in queue:  # the queue grows
        moved = [t + 1 for t in records if t < seen]
        for found, new in (
            (after[0], moved[1:] if records and records[0] < seen else []),
            (after[1], [1, *moved] if seen else []),
        ):
            key = tuple(new)
            if key not in places:
                places[key] = len(queue)
                queue.append(key)
            found.append(places[key])
    expiring = [i for i, records in enumerate(queue) if (0, *records)[-1] == seen]
    return _Profiles(
        np.array(after[0]),
        np.array(after[1]),
        np.array([len(records) for records in queue]),
        np.array(expiring),
    )


def _floats(red: int, black: int, kinds: _Profiles) -> Iterator[float]:
    """Yield the worth of the first profile in the last cell of each level."""
    band = Band(red, black) if min(red, black) else None
    heights = kinds.heights[:, None].astype(np.float64)
    worth, start = heights, 0
    lowest, highest = 0, red
    yield 0.0
    for n in range(1, red + black + 1):
        if band and (n == 1 or n % BLOCK == 0):
            lowest, highest = band.over(n, min(n + BLOCK - 1, red + black))
        first, last = max(0, n - black, lowest), min(red, n, highest)
        # The level before, r from first - 1 to last; missing cells count as 0.
        before = np.zeros((len(heights), last - first + 2))
        low, high = max(first - 1, start), min(last, start + worth.shape[1] - 1)
        before[:, low - first + 1 : high - first + 2] = worth[
            :, low - start : high + 1 - start
        ]
        r = np.arange(first, last + 1, dtype=np.float64)
        worth = before[kinds.up, :-1] + 1
        worth *= r / n
        worth += (before[kinds.down, 1:] - 1) * ((n - r) / n)
        oldest = kinds.expiring
        worth[oldest] = np.maximum(worth[oldest], heights[oldest])
        start = first
        yield worth.item(0, -1)


def _exact(red: int, black: int, kinds: _Profiles) -> Iterator[Fraction]:
    """Yield the same, of all cells of each level, in integers."""
    heights = kinds.heights[:, None].astype(object)
    worth, counts, start = heights, np.ones(1, object), 0
    yield Fraction(0)
    for n in range(1, red + black + 1):
        first, last = max(0, n - black), min(red, n)
        # With an empty cell on each side.
        before = np.zeros((len(heights), worth.shape[1] + 2), object)
        before[:, 1:-1] = worth
        orders = np.zeros(len(counts) + 2, object)
        orders[1:-1] = counts
        lower = slice(first - start, last + 1 - start)
        upper = slice(first - start + 1, last + 2 - start)
        counts = orders[lower] + orders[upper]
        worth = before[kinds.up, lower] + before[kinds.down, upper]
        worth += orders[lower] - orders[upper]
        oldest = kinds.expiring
        worth[oldest] = np.maximum(worth[oldest], heights[oldest] * counts)
        start = first
        yield Fraction(worth[0, -1], counts[-1])
