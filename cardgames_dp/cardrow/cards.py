"""Reading cards: every number for exactly what it is, as integers of a common unit.

A card is an int of any size, a Fraction, a Decimal or a float, or NumPy's equivalent of
one, or such a number written as text. A float is taken for the binary fraction that it
is: 0.1 is a little more than a tenth. Who means tenths writes ``"0.1"``, ``"1/10"``,
``Decimal("0.1")`` or ``Fraction(1, 10)``.

The solvers see integers only: the cards times their least common denominator. Scaling
changes no decision, and no tie is an accident of rounding.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks

Number: TypeAlias = int | Fraction | Decimal | float | str
"""What a card may be, next to NumPy's integers and floats."""

Cards: TypeAlias = Iterable[Number] | NDArray[Any]
"""A row of cards, from left to right."""

Exact: TypeAlias = int | Fraction
"""What comes out: an int if all cards were integers, and else a Fraction."""


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
        """Return so many units as an int or, unless all cards are ints, a Fraction."""
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


def read(name: str, cards: object) -> Row:
    """Return a row of cards as exact numbers.

    Parameters
    ----------
    name : str
        What the messages call it.
    cards : iterable of int, Fraction, Decimal or float
        Or a one-dimensional NumPy array of integers or floats; at least one. Numbers
        may be written as text.

    Raises
    ------
    TypeError
        If it is not such an iterable, or a card is not such a number (a bool, a complex
        number and another row are not).
    ValueError
        If there is no card, one is NaN or infinite, or a text is no number.
    """
    values = _listed(name, cards)
    if not values:
        raise ValueError(f"{name} must hold at least one card, got none")
    kinds = set(map(type, values))
    if kinds == {int}:
        return Row(values, 1, integral=True)
    if kinds != {float}:
        return _read_each(name, values)
    if not all(map(math.isfinite, values)):
        _read_each(name, values)  # names the first one that is not
    ratios = [x.as_integer_ratio() for x in values]
    denominator = max([d for _, d in ratios])  # all of them are powers of two
    numerators = [n * (denominator // d) for n, d in ratios]
    return Row(numerators, denominator, integral=False)


def _listed(name: str, cards: object) -> list[Any]:
    if type(cards) is np.ndarray:  # a masked array, for one, is read card by card
        if cards.ndim != 1:
            raise TypeError(
                f"{name} must be one row of numbers, got an array of shape "
                f"{cards.shape}{_HINT if cards.ndim else ''}"
            )
        if cards.dtype.kind in "iuf":
            listed: list[Any] = cards.tolist()
            return listed
    unordered = isinstance(cards, (Mapping, Set))
    if isinstance(cards, (str, bytes)) or unordered or not isinstance(cards, Iterable):
        raise TypeError(
            f"{name} must be an iterable of numbers from left to right, got "
            f"{_checks.described(cards)}"
        )
    return list(cards)


def _read_each(name: str, values: list[Any]) -> Row:
    integral = True
    exact: list[Fraction] = []
    for i, value in enumerate(values):
        try:
            exact.append(_checks.finite(f"{name}[{i}]", value, _ACCEPTED, text=True))
        except TypeError as error:
            nested = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
            raise TypeError(f"{error}{_HINT if nested else ''}") from error.__cause__
        integral = integral and isinstance(value, numbers.Integral)
    denominator = math.lcm(*{x.denominator for x in exact})
    numerators = [x.numerator * (denominator // x.denominator) for x in exact]
    return Row(numerators, denominator, integral)


def short(number: Exact | float, digits: int = 6) -> str:
    """Return a number for a person to read: integers of up to twelve digits in full."""
    if isinstance(number, float):
        return f"{number:.{digits}g}"
    if isinstance(number, int) and abs(number) < 10**12:
        return str(number)
    decimal = _CONTEXT.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{decimal.normalize(_CONTEXT):.{digits}g}"


def counted(number: int, noun: str) -> str:
    """Return a number of things in words: one of them is no plural."""
    return f"{number} {noun}{'s' * (number != 1)}"


_CONTEXT = Context(prec=20, Emin=MIN_EMIN, Emax=MAX_EMAX)

_ACCEPTED = (
    "a finite int, Fraction, Decimal or float, or one written as text, '0.1' or '1/10'"
)

_HINT = (
    "; cardrow.values is for many rows, each a game of its own, and "
    "cardrow.value_of_rows for one game on several rows"
)


def read_rows(name: str, rows: object) -> Iterator[Row]:
    """Yield several rows, each read as by `read`, of which there must be one at least.

    Raises
    ------
    TypeError, ValueError
        As by `read`, of a row or if there is none.
    """
    flat = isinstance(rows, np.ndarray) and not rows.ndim  # iterable by its type only
    unordered = isinstance(rows, (str, bytes, Mapping, Set))
    if flat or unordered or not isinstance(rows, Iterable):
        raise TypeError(
            f"{name} must be an iterable of rows of cards, got "
            f"{_checks.described(rows)}"
        )
    count = 0
    for row in rows:
        yield read(f"{name}[{count}]", row)
        count += 1
    if not count:
        raise ValueError(f"{name} must hold at least one row, got none")
