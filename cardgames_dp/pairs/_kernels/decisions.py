"""A table of the decisions in every position with all scores, one bit for each.

The values at the start of every round are a small table, from which decisions follow
round by round. Simulations, and evaluations of solved play as a policy, need those of
many rounds, and look them up here instead of solving the rounds again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.pairs._kernels.positions import Layer

Bits = NDArray[np.uint8]


class DecisionTable:
    """Where to hit: bits for positions in rows, a column for each vector of scores.

    Each layer starts with a byte of its own.

    Parameters
    ----------
    layers : sequence of Layer
        Of the positions.
    vectors : int
        How many vectors of scores there are.
    """

    __slots__ = ("_sizes", "_starts", "bits")

    def __init__(self, layers: Sequence[Layer], vectors: int) -> None:
        self._sizes = [len(layer.keys) for layer in layers]
        self._starts = _starts(self._sizes)
        self.bits: Bits = np.zeros((self._starts[-1], vectors), np.uint8)

    @staticmethod
    def bytes(layers: Sequence[Layer], vectors: int) -> int:
        """Return the bytes that a table takes."""
        return int(_starts([len(layer.keys) for layer in layers])[-1]) * vectors

    def write(self, packed: Bits, columns: NDArray[Any]) -> None:
        """Store the last layers of some vectors of scores, each made by `packed`."""
        self.bits[len(self.bits) - len(packed) :, columns] = packed

    def read(self, in_hands: int, columns: NDArray[Any]) -> NDArray[np.bool_]:
        """Return the decisions of a layer, shape (positions, columns)."""
        start, end = self._starts[in_hands : in_hands + 2]
        rows = self.bits[start:end, columns]
        bits = np.unpackbits(rows, axis=0, count=self._sizes[in_hands])
        return bits.view(np.bool_)

    def places(self, in_hands: int) -> NDArray[np.int64]:
        """Return where the bits of a layer's positions are, for `look_up`."""
        bits: NDArray[np.int64] = 8 * self._starts[in_hands] + np.arange(
            self._sizes[in_hands]
        )
        return bits

    def look_up(
        self, places: NDArray[np.int64], columns: NDArray[Any]
    ) -> NDArray[np.bool_]:
        """Return single decisions, by their places and vectors of scores."""
        return _bit(self.bits[places >> 3, columns], places)


class FewDecisions:
    """The same for the vectors of scores that are asked about, made when they are.

    Parameters
    ----------
    layers : sequence of Layer
    made : callable
        Returns the decisions of some columns, packed.
    at_once : int
        How many columns are made side by side.
    most : int
        How many columns are kept: those that were asked about last.
    """

    __slots__ = ("_at_once", "_kept", "_layers", "_made", "_most")

    def __init__(
        self,
        layers: Sequence[Layer],
        made: Callable[[NDArray[np.int64]], Bits],
        at_once: int,
        most: int,
    ) -> None:
        self._layers = DecisionTable(layers, 0)
        self._made, self._at_once, self._most = made, at_once, most
        self._kept: dict[int, Bits] = {}

    def places(self, in_hands: int) -> NDArray[np.int64]:
        """Return where the bits of a layer's positions are, for `look_up`."""
        return self._layers.places(in_hands)

    def look_up(
        self, places: NDArray[np.int64], columns: NDArray[Any]
    ) -> NDArray[np.bool_]:
        """Return single decisions, by their places and vectors of scores."""
        asked, which = np.unique(columns, return_inverse=True)
        order = np.argsort(which, kind="stable")
        starts = np.searchsorted(which[order], np.arange(len(asked) + 1))
        hits = np.empty(len(places), np.bool_)
        rows = (places >> 3) - len(self._layers.bits)  # from the last layer
        for first in range(0, len(asked), self._most):
            some = asked[first : first + self._most]
            self._make(some.tolist())
            for number, column in enumerate(some.tolist(), first):
                here = order[starts[number] : starts[number + 1]]
                hits[here] = _bit(self._kept[column][rows[here]], places[here])
        return hits

    def _make(self, columns: list[int]) -> None:
        """Make those of the columns that are not kept, in the place of older ones."""
        missing = [column for column in columns if column not in self._kept]
        for column in columns:
            if column in self._kept:  # it becomes the one asked about last
                self._kept[column] = self._kept.pop(column)
        too_many = len(self._kept) + len(missing) - self._most
        for column in [*self._kept][: max(too_many, 0)]:
            del self._kept[column]
        for first in range(0, len(missing), self._at_once):
            some = missing[first : first + self._at_once]
            bits = self._made(np.array(some))
            for number, column in enumerate(some):
                self._kept[column] = bits[:, number].copy()


def packed(hits: NDArray[np.bool_]) -> Bits:
    """Return the decisions of a layer as bits."""
    return np.packbits(hits, axis=0)


def _bit(found: Bits, places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the bits of places in their bytes."""
    bits = found >> (7 - (places & 7)).astype(np.uint8)
    hits: NDArray[np.bool_] = (bits & 1).view(np.bool_)
    return hits


def _starts(sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return the first byte of each layer, and where the last one ends."""
    return np.cumsum([0] + [-(-size // 8) for size in sizes])
