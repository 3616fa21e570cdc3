"""The value of a row, and of many rows, each a game of its own.

A row is collapsed where this is valid, and otherwise solved by diagonals. Short rows of
one length are solved side by side, by the sweep of
`cardgames_dp.cardrow._kernels.diagonals`: one NumPy operation handles thousands of
rows, which for up to about a hundred cards outweighs the quadratic time. (Collapsing
the peaks of all rows at once, repeatedly until none is left, is slower than diagonals
for up to fifty cards, and at best three times as fast as collapsing one long row after
another.)
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.cardrow._kernels import collapse, diagonals
from cardgames_dp.cardrow._kernels.row import (
    LARGEST_SUM,
    Exact,
    Instance,
    Row,
    Terms,
    exact_array,
)

Method: TypeAlias = Literal["auto", "collapse", "diagonal"]


def value(
    instance: Instance,
    method: Method = "auto",
) -> Exact:
    """Return what the first player wins by; of more than two, less the best other."""
    if instance.terms.players > 2:
        sums = end_sums(instance)
        others = sums[1:]
        return sums[0] - (min(others) if instance.terms.misere else max(others))
    return instance.lead(wanted_lead(instance, method))


def wanted_lead(
    instance: Instance,
    method: Method = "auto",
) -> int:
    """Return the lead of the first of two players, in the cards that both want."""
    if method == "diagonal" or not instance.terms.linear:
        take = instance.terms.take
        return diagonals.value(instance.wanted, take)
    return collapse.value(instance.wanted)


def end_sums(
    instance: Instance,
) -> list[Exact]:
    """Return the final sum of each player, by diagonals and the tie rule."""
    worths = instance.array(exact=True)
    every = diagonals.sweep(worths, instance.terms)
    sums = deque(every, maxlen=1).pop().sums[:, :, 0].tolist()
    own = [sums[1][0], sums[2][1]] if instance.weighted else sums[0]
    return [instance.unit.exact(x) for x in own]


def taken_sums(
    instance: Instance, positions: NDArray[np.int64], players: NDArray[np.int64]
) -> tuple[Exact, ...]:
    """Return the sum of each player, from the order of positions and their takers."""

    def sum_of(player: int) -> int:
        taken = positions[players == player].tolist()
        return sum(map(instance.own(player).__getitem__, taken))

    last = instance.terms.players - 1
    sums = [sum_of(player) for player in range(last)]
    # Where all value the cards alike the last player has the rest.
    rest = sum_of(last) if instance.weighted else sum(instance.worths[0]) - sum(sums)
    return tuple([instance.unit.exact(x) for x in (*sums, rest)])


_MOST_CARDS = 128
"""The largest number of cards at which rows side by side are faster than one by one."""

_MOST_SIDE_BY_SIDE = 2**14
"""Cards in all rows side by side: many rows, but few enough for a cache."""


class _Group(NamedTuple):
    """Short rows of one length, side by side; an `Instance` of all of them.

    Attributes
    ----------
    places : ndarray of int64, shape (rows,)
        Their indices among all rows.
    wanted : ndarray of int64, shape (rows, cards)
        As `Instance.wanted`.
    favour : ndarray of int64, shape (rows,), or None
        With weights: how much more all cards are worth to the first player than to the
        second.
    unit : Row
        As `Instance.unit`.
    """

    places: NDArray[np.int64]
    wanted: NDArray[np.int64]
    favour: NDArray[np.int64] | None
    unit: Row

    def leads(self, part: slice, terms: Terms) -> NDArray[Any]:
        """Return what the first player wins by on some rows."""
        cards = np.asfortranarray(self.wanted[part])
        every = diagonals.leads(cards, terms.take)
        ahead: NDArray[Any] = deque(every, maxlen=1).pop()[:, 0]
        if terms.misere:
            ahead = -ahead
        if self.favour is not None:
            ahead = (ahead + self.favour[part]) // 2
        if self.unit.integral:
            return ahead
        return np.array(list(map(self.unit.exact, ahead.tolist())), object)


class Batch(NamedTuple):
    """Rows to solve: short ones side by side, the others one by one.

    Attributes
    ----------
    groups : list of _Group
    others : dict of int to Row
        By their places among all rows.
    terms : Terms
    weights : Row or None
        One for each card of every row.
    """

    groups: list[_Group]
    others: dict[int, Row]
    terms: Terms
    weights: Row | None

    @classmethod
    def of(cls, rows: Iterable[Row], terms: Terms, weights: Row | None) -> Batch:
        """Return rows of any lengths in groups of equal ones."""
        others = dict(enumerate(rows))
        alike: dict[tuple[int, bool], list[int]] = defaultdict(list)
        for place, row in others.items():
            alike[len(row.numerators), row.integral].append(place)
        groups = []
        for (_, integral), places in alike.items():
            denominator = math.lcm(*{others[place].denominator for place in places})
            numerators = [others[place].over(denominator) for place in places]
            cards = exact_array(*numerators)
            unit = Row([], denominator, integral)
            group = _group(np.array(places), cards, unit, terms, weights)
            if group is not None:
                groups.append(group)
                for place in places:
                    del others[place]
        return cls(groups, others, terms, weights)

    @classmethod
    def of_matrix(
        cls, matrix: NDArray[Any], terms: Terms, weights: Row | None
    ) -> Batch | None:
        """Return a matrix of integers as one group, or None where it cannot be one."""
        places, unit = np.arange(len(matrix)), Row([], 1, integral=True)
        group = _group(places, matrix, unit, terms, weights)
        return None if group is None else cls([group], {}, terms, weights)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return sum([len(group.wanted) for group in self.groups]) + len(self.others)

    @property
    def fits(self) -> bool:
        """Whether all values are known to be integers that fit in an int64."""
        return not self.others and all(group.unit.integral for group in self.groups)

    def solved(self) -> Iterator[tuple[NDArray[np.int64], NDArray[Any]]]:
        """Yield places and the values there, some at a time."""
        for group in self.groups:
            count, length = group.wanted.shape
            size = max(1, _MOST_SIDE_BY_SIDE // length)
            for start in range(0, count, size):
                part = slice(start, start + size)
                yield group.places[part], group.leads(part, self.terms)
        for place, row in self.others.items():
            found = value(Instance.of(self.terms, row, self.weights))
            yield np.array([place]), np.array([found], object)


def integer_matrix(rows: Any) -> NDArray[Any] | None:
    """Return rows as a matrix of integers, if a quick check shows that they are one."""
    matrix = rows
    if type(rows) in (list, tuple):
        if not set(map(type, rows)) <= {list, tuple} or len(set(map(len, rows))) != 1:
            return None
        if set(map(type, chain.from_iterable(rows))) != {int}:
            return None
        try:
            matrix = np.array(rows, np.int64)
        except OverflowError:
            return None
    if type(matrix) is not np.ndarray or matrix.ndim != 2 or not matrix.size:
        return None
    return matrix if matrix.dtype.kind in "iu" else None


def _group(
    places: NDArray[np.int64],
    cards: NDArray[Any],
    unit: Row,
    terms: Terms,
    weights: Row | None,
) -> _Group | None:
    """Return rows side by side, or None where they are solved one by one.

    Parameters
    ----------
    places : ndarray of int64, shape (rows,)
    cards : ndarray of integers, shape (rows, cards)
        Times the denominator of `unit`.
    unit : Row
    terms : Terms
    weights : Row or None
    """
    length = cards.shape[1]
    if length > _MOST_CARDS or terms.players > 2:
        return None
    alike = weights is None
    weights = weights or Row([0] * length, 1, integral=True)
    denominator = math.lcm(unit.denominator, weights.denominator)
    factor, second = denominator // unit.denominator, weights.over(denominator)
    largest = max(int(cards.max()), -int(cards.min()), 1) * factor
    if length * largest + sum(map(abs, second)) >= LARGEST_SUM:
        return None
    own = cards.astype(np.int64) * factor
    wanted = own + np.array(second)
    return _Group(
        places,
        -wanted if terms.misere else wanted,
        None if alike else own.sum(axis=1) - sum(second),
        Row([], denominator, unit.integral and weights.integral),
    )
