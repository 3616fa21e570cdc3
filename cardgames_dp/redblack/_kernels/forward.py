"""Play run forwards: from the full deck down, under a given stop set.

Play is at (r, b), n = r + b, with some probability. If it goes on, a card is drawn and
the probability flows to level n - 1; in the stop set play ends. In exact arithmetic the
flow is a number of paths F, which obeys Pascal's rule, and the probability is
``F(n, r) C(n, r) / C(N, R)``: all orders of the remaining cards are equally likely.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._extras import tracked
from cardgames_dp.redblack._kernels.band import BLOCK, Band

StopSet: TypeAlias = Callable[[int, int, int], Sequence[int]]
"""``stop_set(n, first, last)`` returns where play ends among r = first, ..., last.

It returns indices ``r - first``: a range from 0 on if there is a boundary, or a list.
It is not called for the empty deck, n = 0.
"""


class Front(NamedTuple):
    """Play on one level.

    Attributes
    ----------
    n, first : int
        Cards remaining, and the r of the first cell.
    flow : ndarray of float64, or of int (dtype object)
        The probability, or the number of paths, with which play reaches each cell.
    stops : sequence of int
        The indices of the cells where it ends.
    """

    n: int
    first: int
    flow: NDArray[Any]
    stops: Sequence[int]


def play(red: int, black: int, stop_set: StopSet, *, exact: bool) -> Iterator[Front]:
    """Yield the levels of play from the full deck down, until all of it has ended.

    In float64 only the band is kept (`cardgames_dp.redblack._kernels.band`).
    """
    band = None if exact or min(red, black) == 0 else Band(red, black)
    flow, first = np.ones(1, dtype=object if exact else np.float64), red
    for n in range(red + black, -1, -1):
        stops = stop_set(n, first, first + len(flow) - 1) if n else range(1)
        yield Front(n, first, flow, stops)
        if len(stops) == len(flow):
            return
        if isinstance(stops, range):  # no flow is left below the boundary
            flow, first = flow[len(stops) :], first + len(stops)
        else:
            flow[stops] = 0
            left = np.flatnonzero(flow)
            if not len(left):
                return
            flow, first = flow[left[0] : left[-1] + 1], first + left.item(0)
        flow, first = drawn(flow, n, first, exact=exact)
        if band and n % BLOCK == 0:
            lowest, highest = band.over(max(n - BLOCK, 0), n)
            flow = flow[max(lowest - first, 0) : highest - first + 1]
            first = max(lowest, first)
            if not len(flow):  # all flow is outside the band
                return


def drawn(
    flow: NDArray[Any], n: int, first: int, *, exact: bool
) -> tuple[NDArray[Any], int]:
    """Return the flow on the next level, n - 1, and the r of its first cell.

    The last axis is r; there may be others, for several flows.
    """
    width = flow.shape[-1]
    if exact:
        by_red = by_black = flow
    else:
        r = np.arange(first, first + width, dtype=np.float64)
        by_red, by_black = flow * (r / n), flow * ((n - r) / n)
    result = np.empty((*flow.shape[:-1], width + 1), flow.dtype)
    result[..., 0], result[..., -1] = by_red[..., 0], by_black[..., -1]
    np.add(by_red[..., 1:], by_black[..., :-1], out=result[..., 1:-1])
    # A colour that is used up cannot be drawn: no r = -1, nor r = n.
    too_low, too_high = int(first == 0), int(first + width > n)
    return result[..., too_low : width + 1 - too_high], first - 1 + too_low


class Orders:
    """Numbers of orders C(n, r) of the cards left, each from the one before."""

    def __init__(self, n: int, r: int) -> None:
        self._n, self._r, self._count = n, r, math.comb(n, r)

    def of(self, n: int, r: int) -> int:
        """Return C(n, r), for n not larger than at the call before."""
        while self._n > n:
            if self._r > r:
                self._count = self._count * self._r // self._n
                self._r -= 1
            else:
                self._count = self._count * (self._n - self._r) // self._n
            self._n -= 1
        while self._r > r:
            self._count = self._count * self._r // (n - self._r + 1)
            self._r -= 1
        while self._r < r:
            self._count = self._count * (n - self._r) // (self._r + 1)
            self._r += 1
        return self._count


class Ending(NamedTuple):
    """An end of play with n cards remaining, `red` of them red.

    The weight is its probability or, in exact arithmetic, the number of orders of the
    deck with this end, out of C(N, R).
    """

    n: int
    red: int
    weight: Any


def endings(
    red: int, black: int, stop_set: StopSet, *, exact: bool, progress: bool
) -> Iterator[Ending]:
    """Yield the ends of play and their weights, from the full deck down."""
    orders = Orders(red + black, red) if exact else None
    fronts = play(red, black, stop_set, exact=exact)
    for front in tracked(fronts, red + black + 1, "levels", shown=progress):
        for i in front.stops:
            if weight := front.flow.item(i):
                n, r = front.n, front.first + i
                yield Ending(n, r, weight * orders.of(n, r) if orders else weight)
