"""What the moves of a game pay on the way, collected as the game is explored.

A game has many moves and few different payments. So the payments are kept once, in
rows, and each move has the number of its row. Row 0 is nothing. As long as no move pays
anything, nothing is stored.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph import answers
from cardgames_dp._graph.graph import Exact, Integers, Rewards, exact_array, narrowed

RATIONALS: Final = frozenset({int, Fraction})
"""The types of numbers that need no conversion."""

_FEW = 2**16
"""Integers in a range of this length are told apart by a table, without sorting."""


@dataclass(slots=True)
class Payments:
    """What the moves of a game pay, in the order in which the moves are found.

    Attributes
    ----------
    num_players : int
        The number of players.
    row_of : dict of tuple to int
        The row of each payment.
    rows : array of int
        The row of each move, up to the last one that was paid for.
    exact : bool
        Whether no payment was given as a float.
    """

    num_players: int
    row_of: dict[tuple[Any, ...], int] = field(init=False)
    rows: array[int] = field(default_factory=lambda: array("i"))
    exact: bool = True

    def __post_init__(self) -> None:
        self.row_of = {(0,) * self.num_players: 0}

    def of_action(self, answer: Any, state: object, action: object) -> int:
        """Return the row of what an action pays, from the answer of `rewards`."""
        row = tuple(answer) if type(answer) is list else answer
        usual = type(row) is tuple and len(row) == self.num_players
        if usual and RATIONALS.issuperset(map(type, row)):
            return self.row_of.setdefault(row, len(self.row_of))
        paid = answers.payoffs(answer, self.num_players, "rewards", state, action)
        return self._row_of_fractions(paid)

    def of_actions(
        self, rewards: Callable[..., Any], state: Any, actions: Any, before: int
    ) -> None:
        """Append what the actions of a state pay; `before` counts all earlier moves."""
        rows = [self.of_action(rewards(state, a), state, a) for a in actions]
        self._extend(before, rows)

    def of_outcomes(
        self, paid: Iterable[tuple[Fraction | float, ...]], before: int
    ) -> None:
        """Append what the outcomes of a state pay, as `of_actions` does."""
        self._extend(before, [self._row_of_fractions(each) for each in paid])

    def _extend(self, before: int, rows: list[int]) -> None:
        """Append the rows of moves, if any pays anything."""
        if any(rows):
            self.rows.frombytes(bytes(4 * (before - len(self.rows))))
            self.rows.extend(rows)

    def table(self) -> NDArray[Any]:
        """Return the payments as an array."""
        return in_rows([*chain.from_iterable(self.row_of)], self.num_players)

    def rewards(self, order: Integers) -> Rewards | None:
        """Return what moves pay, in another order; None if no move pays anything."""
        if not self.rows:
            return None
        rows = np.zeros(len(order), dtype=np.int32)
        rows[: len(self.rows)] = self.rows
        return build_rewards(rows[order], self.table(), exact=self.exact)

    def _row_of_fractions(self, paid: tuple[Fraction | float, ...]) -> int:
        """Return the row of a payment; floats are the rationals that they are."""
        self.exact = self.exact and float not in map(type, paid)
        return self.row_of.setdefault(
            tuple([Fraction(x) for x in paid]), len(self.row_of)
        )


def build_rewards(
    rows: Integers, payments: NDArray[Any], *, exact: bool = True
) -> Rewards | None:
    """Return rewards with each payment once, in the order in which moves have them.

    Parameters
    ----------
    rows : ndarray of int, shape (moves,)
        By move: the row of what it pays.
    payments : ndarray, shape (rows, players)
        The payments; the first is nothing.
    exact : bool
        Whether no payment was given as a float; floats among the rows show it, too.
    """
    first = np.full(len(payments), len(rows))
    for start in reversed(range(0, len(rows), _AT_ONCE)):
        part = rows[start : start + _AT_ONCE]
        first[part[::-1]] = np.arange(start, start + len(part))[::-1]
    first[0] = -1
    used = np.flatnonzero(first < len(rows))
    different, index = distinct_rows(payments[used])
    if len(different) == 1:
        return None
    seen = np.full(len(different), len(rows))
    np.minimum.at(seen, index, first[used])
    order = seen.argsort()
    number = np.zeros(len(payments), dtype=np.int64)
    number[used] = order.argsort()[index]
    tops, bottoms, whole = ratios(different[order])
    return Rewards(narrowed(number)[rows], tops, bottoms, exact and whole)


_AT_ONCE = 2**22


def distinct_rows(rows: NDArray[Any]) -> tuple[NDArray[Any], Integers]:
    """Return the different rows of numbers, and the index of each row among them."""
    index: Integers = np.zeros(len(rows), dtype=np.int64)
    count = 1
    for column in rows.T:
        numbers, ranks = _ranked(column)
        codes, index = _ranked(index * len(numbers) + ranks)
        count = len(codes)
    first = np.empty(count, dtype=np.int64)
    first[index] = np.arange(len(rows))
    return rows[first], index


def _ranked(numbers: NDArray[Any]) -> tuple[NDArray[Any], Integers]:
    """Return the different numbers, and the index of each among them."""
    if numbers.dtype == object:  # not sorted, as to compare Fractions takes long
        values = numbers.tolist()
        _, first, same = np.unique(list(map(id, values)), True, True)
        ranks: dict[Any, int] = {}
        few = [ranks.setdefault(values[i], len(ranks)) for i in first.tolist()]
        return np.array([*ranks], dtype=object), np.array(few, dtype=np.int64)[same]
    if numbers.dtype.kind == "i":
        low, high = int(numbers.min()), int(numbers.max())
        if high - low < max(_FEW, len(numbers)):
            places = numbers.astype(np.int64) - low
            seen = np.zeros(high - low + 1, dtype=np.bool_)
            seen[places] = True
            return np.flatnonzero(seen) + low, (seen.cumsum() - 1)[places]
    support, index = np.unique(numbers, return_inverse=True)
    return support, index.ravel()


def in_rows(numbers: list[Any], width: int) -> NDArray[Any]:
    """Return numbers in rows: as integers if all of them are, otherwise as objects."""
    whole = {int}.issuperset(map(type, numbers))
    array = exact_array(numbers) if whole else np.array(numbers, dtype=object)
    return array.reshape(-1, width)


def ratios(numbers: NDArray[Any]) -> tuple[Exact, Exact, bool]:
    """Return numerators and denominators of numbers, and whether none is a float.

    Parameters
    ----------
    numbers : ndarray of int or float64, or of int, Fraction and float
    """
    if numbers.dtype != object:
        ones = np.broadcast_to(np.int8(1), numbers.shape)
        return numbers, ones, numbers.dtype.kind != "f"
    values = numbers.ravel().tolist()
    pairs = [number.as_integer_ratio() for number in values]
    tops, bottoms = (
        exact_array([pair[i] for pair in pairs]).reshape(numbers.shape) for i in (0, 1)
    )
    return tops, bottoms, float not in map(type, values)
