"""Print numbers of any size.

Python refuses to write an integer of more than 4300 digits, to avoid programs that
hang, and a Fraction with such a number does not print. The functions here never fail.

States and actions get short and distinct names, and a misspelt word the one meant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from decimal import MAX_EMAX, MIN_EMIN, ROUND_DOWN, Context, Decimal, Inexact
from fractions import Fraction
from typing import TypeVar

Number = TypeVar("Number", float, Fraction)
"""The numbers of a result: floats, or Fractions in an exact one."""

_LONG_BITS = 2_100
"""Bits of 633 decimal digits: Python's limit cannot be set below 640 digits."""

_SHOWN = 10
"""The number of leading digits shown of an integer that is too long."""

_FULL = 12
"""The most digits of an integer that is written in full where others are rounded."""


def leading_digits(number: int) -> str:
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
    # The caller's context may not have such an exponent.
    return f"{_divided(number, _context(digits)).normalize(_context(50)):g}"


def with_noun(number: float | str, noun: str) -> str:
    """Return a number with what it counts, in the singular or the plural."""
    return f"{number} {noun}{'s' * (str(number) != '1')}"


def exact_text(number: Fraction | int) -> str:
    """Return an exact number with all its digits, in a form that ``Fraction`` reads.

    Decimal writes integers of any length, without changing Python's limit.
    """
    numerator = f"{Decimal(number.numerator):f}"
    if number.denominator == 1:
        return numerator
    return f"{numerator}/{Decimal(number.denominator):f}"


def vector_text(*numbers: float | Fraction) -> str:
    """Return several numbers in brackets, or one without, as short text.

    Of long fractions only the first digits are shown.
    """
    texts = [
        f"{x:.{_SHOWN}g}"
        if isinstance(x, float)
        else str(x)
        if bits(x) < 64
        else first_digits(x, _SHOWN)
        for x in numbers
    ]
    return f"({', '.join(texts)})" if len(texts) > 1 else texts[0]


def first_digits(number: Fraction | int, digits: int) -> str:
    """Return the first digits of a number as text, with dots for any others."""
    context = _context(digits, ROUND_DOWN)
    text, *exponent = f"{_divided(number, context)}".split("E")
    return "E".join([text + "..." * context.flags[Inexact], *exponent])


def bits(number: Fraction) -> int:
    """Return the bits of a fraction: of its numerator and of its denominator."""
    return number.numerator.bit_length() + number.denominator.bit_length()


def is_long(number: Fraction | int) -> bool:
    """Return whether an exact number has more digits than Python may print."""
    bits = max(number.numerator.bit_length(), number.denominator.bit_length())
    return bits > _LONG_BITS


def _context(digits: int, rounding: str | None = None) -> Context:
    return Context(digits, rounding, MIN_EMIN, MAX_EMAX)


def _divided(number: Fraction | int, context: Context) -> Decimal:
    return context.divide(Decimal(number.numerator), Decimal(number.denominator))


def closest(word: str, words: Iterable[str], alike: float = 0.6) -> str | None:
    """Return the one of some words that is most like a word, if any is."""
    import difflib

    lower = {candidate.lower(): candidate for candidate in words}
    matches = difflib.get_close_matches(word.lower(), lower, n=1, cutoff=alike)
    return lower[matches[0]] if matches else None


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
