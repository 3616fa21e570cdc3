"""Argument checks of the public functions: one home for the wording of refusals."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

R = TypeVar("R")
T = TypeVar("T", bound=str)

_MOST_DIGITS = 10_000
"""Of an amount in decimals: a few letters, 1e999999999, would fill the memory."""


def integer(name: str, value: object, *, minimum: int = 0) -> int:
    """Return `value` as a Python int; bools, floats and smaller numbers are refused."""
    accepted = f"{name} must be an integer >= {minimum}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{accepted}, got {value!r} of type {type(value).__name__}")
    result = operator.index(value)
    if result < minimum:
        raise ValueError(f"{accepted}, got {result}")
    return result


def integers(name: str, values: object, *, minimum: int = 0) -> list[int]:
    """Return an iterable of integers as a list of Python ints, each checked."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(
            f"{name} must be an iterable of integers >= {minimum}, got {values!r} "
            f"of type {type(values).__name__}"
        )
    return [integer(f"{name}[{i}]", v, minimum=minimum) for i, v in enumerate(values)]


def boolean(name: str, value: object) -> bool:
    """Return `value` as a Python bool; nothing but a bool is one."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(
            f"{name} must be True or False, got {value!r} of type "
            f"{type(value).__name__}"
        )
    return bool(value)


def choice(name: str, value: object, accepted: Iterable[T]) -> T:
    """Return `value` if it is one of the `accepted` words."""
    words = list(accepted)
    for word in words:
        if isinstance(value, str) and value == word:
            return word
    listed = ", ".join(repr(word) for word in words)
    kind = ValueError if isinstance(value, str) else TypeError
    raise kind(f"{name} must be one of {listed}, got {value!r}")


def rules(value: object, kind: type[R]) -> R:
    """Return the rules that a function was given, the usual ones of a game for None."""
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise TypeError(
            f"rules must be {kind.__module__.split('.')[1]}.{kind.__name__} or None, "
            f"got {value!r} of type {type(value).__name__}"
        )
    return value


def amount(name: str, value: object) -> Fraction:
    """Return a finite number >= 0 of any of these kinds as the Fraction it is."""
    accepted = (
        f"{name} must be a finite int, Fraction, Decimal or float >= 0, or one written "
        "as text, '0.05' or '1/20'"
    )
    number = _written(value) if isinstance(value, str) else value
    if isinstance(number, (bool, np.bool_)):
        raise TypeError(f"{accepted}, got {value!r} of type {type(value).__name__}")
    if isinstance(number, numbers.Rational):
        result = exact_rational(number)
    elif isinstance(number, (float, np.floating, Decimal)):
        if not is_finite(number):
            raise ValueError(f"{accepted}, got {value!r}")
        long = isinstance(number, Decimal) and abs(number.adjusted()) > _MOST_DIGITS
        if long and number:
            raise ValueError(
                f"{name} must have at most {_MOST_DIGITS} digits before or after the "
                f"point, got {value!r}"
            )
        result = Fraction(*number.as_integer_ratio())
    else:
        raise TypeError(f"{accepted}, got {value!r} of type {type(value).__name__}")
    if result < 0:
        raise ValueError(f"{accepted}, got {value!r}")
    return result


def _written(text: str) -> Fraction | Decimal:
    """Return the number that a text is, NaN if it is none."""
    try:
        return Fraction(text) if "/" in text else Decimal(text)
    except (ValueError, ArithmeticError):  # of which a division by zero is one
        return Decimal("NaN")


def is_finite(value: float | np.floating[Any] | Decimal) -> bool:
    """Return whether a number is; large ones need not fit in a float for it."""
    if isinstance(value, Decimal):
        return value.is_finite()
    return bool(np.isfinite(value))


def exact_rational(value: numbers.Rational) -> Fraction:
    """Return a rational number of any type (NumPy's integers too) as a Fraction."""
    return Fraction(int(value.numerator), int(value.denominator))


def as_float(exact: Fraction) -> float:
    """Return the nearest float64, refusing what is too large for one."""
    try:
        return float(exact)
    except OverflowError:
        raise ValueError(
            "rules must have amounts whose winnings fit in a float64; use "
            "backend='exact'"
        ) from None


def generator(rng: object) -> np.random.Generator:
    """Return the source of random numbers that an argument `rng` stands for."""
    accepted = "rng must be None, a seed (an integer >= 0) or a numpy.random.Generator"
    if isinstance(rng, (bool, np.bool_, float)):
        raise TypeError(f"{accepted}, got {rng!r} of type {type(rng).__name__}")
    try:
        return np.random.default_rng(rng)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"{accepted}, got {rng!r} of type {type(rng).__name__}"
        ) from None


def mapper(executor: object) -> Callable[..., Any]:
    """Return the `map` of an executor, or Python's own for None."""
    from concurrent.futures import Executor  # not needed before it is asked for

    if executor is None:
        return map
    if not isinstance(executor, Executor):
        raise TypeError(
            "executor must be a concurrent.futures.Executor or None, got "
            f"{executor!r} of type {type(executor).__name__}"
        )
    return executor.map
