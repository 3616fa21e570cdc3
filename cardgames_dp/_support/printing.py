"""Print numbers of any size.

Python refuses to write an integer of more than 4300 digits, to avoid programs that
hang, so an interpreter could not show a result with such a number. The functions here
never fail: long exact results become a `LongFraction`, which prints its first digits
and names the method that returns all of them.

States and actions get short and distinct names, and a misspelt word the one meant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", float, Fraction)
"""The numbers of a result: floats, or Fractions in an exact one."""

_LONG_BITS = 2_100
"""Bits of 633 decimal digits: Python's limit cannot be set below 640 digits."""

_SHOWN = 10
"""The number of leading digits shown of an integer that is too long."""

_FULL = 12
"""The most digits of an integer that is written in full where others are rounded."""

_FORMATTED = 50
"""Digits available to a format where Python cannot format Fractions."""


class LongFraction(Fraction):
    """A Fraction that prints even if it has too many digits for Python to print.

    It compares, hashes and computes like a Fraction; results of computations are plain
    Fractions.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from cardgames_dp._support.printing import LongFraction
    >>> long = LongFraction(Fraction(10**5000 + 1, 3))
    >>> long
    Fraction(1000000000..., 3): 5001 and 1 digits, about 3.33333333333e+4999; \
digits() has all
    >>> len(long.digits())
    5003
    """

    __slots__ = ()

    def digits(self) -> str:
        """Return all digits, as ``numerator/denominator``."""
        return written(self)

    def __repr__(self) -> str:
        try:
            return f"Fraction({self.numerator}, {self.denominator})"
        except ValueError:  # it is longer than this Python's limit
            return (
                f"Fraction({leading(self.numerator)}, {leading(self.denominator)}): "
                f"{_count(self.numerator)} and {_count(self.denominator)} digits, "
                f"about {short(self, 12)}; digits() has all"
            )

    def __str__(self) -> str:
        try:
            return super().__str__()
        except ValueError:
            return repr(self)

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        try:
            return super().__format__(spec)
        except (TypeError, ValueError):  # Python 3.11 formats no Fractions
            return format(_decimal(self, _FORMATTED), spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.numerator, self.denominator)


def printable(number: Fraction) -> Fraction:
    """Return an exact number in a form that prints, whatever its length."""
    return LongFraction(number) if is_long(number) else number


def printable_array(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return an array of Fractions in a form that prints."""
    result = np.empty(numbers.shape, dtype=object)
    result.ravel()[:] = [printable(number) for number in numbers.ravel().tolist()]
    return result


def leading(number: int) -> str:
    """Return an integer as text, or its first digits if Python cannot write it."""
    try:
        return str(number)
    except ValueError:
        sign = "-" * (number < 0)
        return f"{sign}{str(Decimal(abs(number)))[:_SHOWN]}..."


def short(number: float | Fraction, digits: int = 6) -> str:
    """Return any real number rounded to some digits, also if it fits in no float.

    Integers of up to twelve digits are written in full.
    """
    if isinstance(number, int) and abs(number) < 10**_FULL:
        return str(number)
    try:
        nearest = float(number)
    except OverflowError:
        nearest = math.inf
    if isinstance(number, float) or (
        math.isfinite(nearest) and (nearest or not number)
    ):
        return f"{nearest:.{digits}g}"
    return f"{_decimal(number, digits).normalize():g}"


def counted(number: float | str, noun: str) -> str:
    """Return a number with what it counts, in the singular or the plural."""
    return f"{number} {noun}{'s' * (str(number) != '1')}"


def written(number: Fraction | int) -> str:
    """Return an exact number with all its digits, in a form that ``Fraction`` reads.

    Decimal writes integers of any length, without changing Python's limit.
    """
    numerator = f"{Decimal(number.numerator):f}"
    if number.denominator == 1:
        return numerator
    return f"{numerator}/{Decimal(number.denominator):f}"


def vector(value: tuple[float | Fraction, ...]) -> str:
    """Return a value vector as short text, with long fractions as decimals."""
    texts = [
        f"{x:.10g}"
        if isinstance(x, float)
        else str(x)
        if x.numerator.bit_length() + x.denominator.bit_length() < 64
        else f"~{_decimal(x, _SHOWN)}"
        for x in value
    ]
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def is_long(number: Fraction | int) -> bool:
    """Return whether an exact number has more digits than Python may print."""
    bits = max(number.numerator.bit_length(), number.denominator.bit_length())
    return bits > _LONG_BITS


def _decimal(number: Fraction | int, digits: int) -> Decimal:
    context = Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)
    return context.divide(Decimal(number.numerator), Decimal(number.denominator))


def _count(number: int) -> int:
    """Return the number of digits of an integer as text."""
    return Decimal(number).adjusted() + 1


def closest(word: str, words: Iterable[str], alike: float = 0.6) -> str | None:
    """Return the one of some words that is most like a word, if any is."""
    import difflib

    lower = {known.lower(): known for known in words}
    found = difflib.get_close_matches(word.lower(), lower, n=1, cutoff=alike)
    return lower[found[0]] if found else None


def labels(things: Sequence[object], *, clean: Callable[[str], str] = str) -> list[str]:
    """Return a line of text for each of several things, all of them different.

    They are ``str`` of the things; if two of these are equal, ``repr``; and if two of
    these are equal as well, they are numbered from 1. `clean` is applied to the texts
    before they are compared.
    """
    for text in (str, repr):
        texts = [clean(" ".join(text(thing).split()) or "-") for thing in things]
        if len(set(texts)) == len(texts):
            return texts
    return [f"{number}: {text}" for number, text in enumerate(texts, 1)]
