"""Reading cards: numbers are read exactly, and anything else is refused.

A card is an int of any size, a Fraction, a Decimal or a float, or NumPy's equivalent of
one, or such a number written as text. A float counts as the binary fraction that it is:
0.1 is a little more than a tenth. Tenths are written ``"0.1"``, ``"1/10"``,
``Decimal("0.1")`` or ``Fraction(1, 10)``.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Iterator, Mapping, Set
from fractions import Fraction
from typing import Any

import numpy as np

from cardgames_dp import _checks
from cardgames_dp.cardrow._kernels.row import Row


def read(name: str, cards: object) -> Row:
    """Return a row of cards as exact numbers.

    Parameters
    ----------
    name : str
        The name of the argument in error messages.
    cards : iterable of int, Fraction, Decimal or float
        The row, at least one card; or a one-dimensional NumPy array of integers or
        floats. Numbers may be written as text.

    Raises
    ------
    TypeError
        If it is not such an iterable, or a card is not such a number (a bool, a complex
        number and another row are not).
    ValueError
        If there is no card, one is NaN or infinite, or a text is not a number.
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
            listed: list[Any] = _checks.items(name, cards).tolist()
            return listed
    unordered = isinstance(cards, (Mapping, Set))
    if isinstance(cards, (str, bytes)) or unordered or not isinstance(cards, Iterable):
        hint = "; cardrow.read_cards reads a row that is written as text"
        raise TypeError(
            f"{name} must be an iterable of numbers from left to right, got "
            f"{_checks.described(cards)}{hint if isinstance(cards, str) else ''}"
        )
    return list(_checks.items(name, cards))


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


_ACCEPTED = (
    "a finite int, Fraction, Decimal or float, or one written as text, '0.1' or '1/10'"
)


_HINT = (
    "; cardrow.values, response_values and guarantees are for many rows, each a game "
    "of its own, and cardrow.value_of_rows is for one game on several rows"
)


def read_rows(name: str, rows: object, *, least: int = 1) -> Iterator[Row]:
    """Yield several rows, each read by `read`.

    There must be at least `least` of them, 0 or 1.

    Raises
    ------
    TypeError, ValueError
        As for `read`, for a row; or if there are too few rows.
    """
    flat = isinstance(rows, np.ndarray) and not rows.ndim  # iterable by its type only
    unordered = isinstance(rows, (str, bytes, Mapping, Set))
    if flat or unordered or not isinstance(rows, Iterable):
        raise TypeError(
            f"{name} must be an iterable of rows of cards, got "
            f"{_checks.described(rows)}"
        )
    count = 0
    for row in _checks.items(name, rows):
        if not isinstance(row, Iterable):
            raise TypeError(
                f"{name}[{count}] must be a row, an iterable of numbers, got "
                f"{_checks.described(row)}; put a single row into a list: [row]"
            )
        yield read(f"{name}[{count}]", row)
        count += 1
    if count < least:
        raise ValueError(f"{name} must hold at least one row, got none")
