"""A row of cards as exact numbers: integers of a common unit.

The engines see integers only: the cards times their least common denominator. Scaling
changes no decision, and no tie is an accident of rounding.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Number: TypeAlias = (
    int | Fraction | Decimal | float | str | np.integer[Any] | np.floating[Any]
)
"""What a card may be."""

Cards: TypeAlias = Iterable[Number] | NDArray[Any]
"""A row of cards, from left to right."""

Exact: TypeAlias = int | Fraction
"""An exact result: an int if all cards were integers, otherwise a Fraction."""

Real = TypeVar("Real", float, int | Fraction)
"""The numbers of a result: floats with the backend "float64", otherwise exact."""


LARGEST_SUM = 2**62
"""Absolute values with a smaller sum are safe: twice as much still fits in an int64."""


@dataclass(frozen=True, slots=True)
class Row:
    """Numbers over a common denominator.

    Attributes
    ----------
    numerators : list of int
        One a card; not to be changed.
    denominator : int
        The least common one, positive.
    integral : bool
        Whether all cards were given as integers, so that results are ints.
    """

    numerators: list[int]
    denominator: int
    integral: bool

    @classmethod
    def joined(cls, rows: Sequence[Row]) -> Row:
        """Return one row after the other as one."""
        denominator = math.lcm(*[row.denominator for row in rows])
        numerators = [x for row in rows for x in row.over(denominator)]
        return cls(numerators, denominator, all(row.integral for row in rows))

    def exact(self, numerator: int) -> Exact:
        """Return units as an int or, unless all cards are ints, as a Fraction."""
        return numerator if self.integral else Fraction(numerator, self.denominator)

    def numbers(self) -> list[Exact]:
        """Return the cards as exact numbers."""
        if self.integral:
            return list(self.numerators)
        return [Fraction(x, self.denominator) for x in self.numerators]

    def over(self, denominator: int) -> list[int]:
        """Return the numerators over a multiple of the denominator."""
        factor = denominator // self.denominator
        return self.numerators if factor == 1 else [x * factor for x in self.numerators]


_CHUNK, _CHUNK_CELLS = 1024, 2**24
"""Rows side by side at most, and how many table cells they may have."""


def alike(rows: Iterable[Row]) -> Iterator[tuple[list[int], list[Row]]]:
    """Yield rows again, those of one length together, and their numbers."""
    by_length: dict[int, list[tuple[int, Row]]] = defaultdict(list)
    for number, row in enumerate(rows):
        by_length[len(row.numerators)].append((number, row))
    for length, same in by_length.items():
        size = min(_CHUNK, max(1, _CHUNK_CELLS // length**2))
        for start in range(0, len(same), size):
            numbers, chunk = zip(*same[start : start + size], strict=True)
            yield list(numbers), list(chunk)


def exact_array(*rows: list[int]) -> NDArray[Any]:
    """Return rows of integers as an array of int64, or of Python ints.

    An int64 is used where no sum or difference in a sweep can overflow it.
    """
    safe = all(sum(map(abs, row)) < LARGEST_SUM for row in rows)
    return np.array(rows, dtype=np.int64 if safe else object)


def float_array(*rows: list[int], denominator: int) -> NDArray[np.float64]:
    """Return rows of integers, over a denominator, in float64, each rounded once.

    Raises
    ------
    ValueError
        If sums of a row could be too large.
    """
    try:
        floats = np.array([[x / denominator for x in row] for row in rows])
        largest = max([math.fsum(map(abs, row)) for row in floats])
    except OverflowError:
        largest = math.inf
    if largest > 1e307:
        raise ValueError(
            "cards must have sums of at most 1e307 for backend='float64'; use "
            "backend='exact'"
        )
    return floats


def counted(number: int, noun: str) -> str:
    """Return a number with a noun, in the plural unless the number is 1."""
    return f"{number} {noun}{'s' * (number != 1)}"
