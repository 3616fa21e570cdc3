"""Checks of the arguments of public functions, with one wording of error messages."""

from __future__ import annotations

import math
import numbers
import operator
import random
import re
import reprlib
import sys
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import running
from cardgames_dp._support.printing import closest, short
from cardgames_dp._support.running import refuse_too_large

R = TypeVar("R")
T = TypeVar("T", bound=str)
Many = TypeVar("Many", bound=Any)

Count: TypeAlias = int | np.integer[Any]
Counts: TypeAlias = (
    Count
    | Sequence[Count]
    | Sequence[Sequence[Count]]
    | NDArray[np.integer[Any]]
    | NDArray[np.object_]
)
"""Numbers of cards that broadcast: a number, or an array of them."""

Backend: TypeAlias = Literal["float64", "exact"]
"""The arithmetic: floats of 64 bits, or integers and fractions."""

BACKENDS: tuple[Backend, ...] = ("float64", "exact")

_MOST_SHOWN = 160
"""The largest number of characters of a value that a message shows."""

_STRAY = re.compile(r"(?<!\d)_|_(?!\d)")
"""An underscore that is not between two digits, which `Decimal` would overlook."""

_MOST_SHOWN_DIGITS = 30
"""The most digits of an integer that messages show; of others they show the size."""

_MOST_DIGITS = 4_000
"""The most digits of an amount: Python prints 4300, and 1e999999999 fills memory."""

_SEED_BITS = 2**15
"""The most bits of a seed: a thousand words."""


def integer(name: str, value: object, *, minimum: int | None = 0) -> int:
    """Return `value` as a Python int; bools, floats and smaller numbers are refused."""
    accepted = f"{name} must be an integer"
    if minimum is not None:
        accepted += f" >= {minimum}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        raise wrong_type(accepted, value)
    try:
        result = operator.index(value)
    except Exception as error:
        raise _unreadable_error(accepted, value) from error
    if minimum is not None and result < minimum:
        raise wrong_value(accepted, result)
    return result


def index(name: str, value: object, of: str, count: int) -> int:
    """Return the index of one of so many things, whose number has a name."""
    number = integer(name, value)
    if number >= count:
        raise wrong_value(f"{name} must be below {of}, {count}", value)
    return number


def iterable(must: str, values: Any) -> Iterable[Any]:
    """Return an iterable that is no text; `must` begins the error message."""
    if isinstance(values, (str, bytes)) or not is_iterable(values):
        raise wrong_type(must, values)
    return values  # type: ignore[no-any-return]


def is_iterable(values: Any) -> bool:
    """Return whether there is anything to iterate: not in an array of no dimension."""
    return isinstance(values, Iterable) and getattr(values, "ndim", 1) != 0


def integers(name: str, values: object, *, minimum: int = 0) -> list[int]:
    """Return an iterable of integers as a list of Python ints, each checked."""
    given = iterable(f"{name} must be an iterable of integers >= {minimum}", values)
    return [
        integer(f"{name}[{i}]", v, minimum=minimum)
        for i, v in enumerate(limited_items(name, given))
    ]


def counts(name: str, values: Any) -> NDArray[np.object_]:
    """Return an integer >= 0, or an array_like of them, as an array of Python's."""
    given = limited_items(name, values)
    try:
        numbers = np.array(given, dtype=object)
    except Exception as error:
        must = f"{name} must be an integer >= 0 or an array of integers"
        raise _unreadable_error(must, values) from error
    for at in np.ndindex(numbers.shape):
        numbers[at] = integer(f"{name}{[*at]}" if at else name, numbers[at])
    return numbers


_FEW = 1000
"""Items for which nobody asks the machine for its memory, which takes longer."""


def limited_items(name: str, values: Many) -> Many:
    """Return an array, or iterable; one that says that it has too many is refused.

    Its items are looked at one by one, some microseconds each, and kept as objects.
    """
    try:
        count = values.size if isinstance(values, np.ndarray) else len(values)
    except OverflowError:  # of a range, for one
        count = sys.maxsize
    except Exception:  # a generator has none
        return values
    if count > _FEW or running.setting.get().max_bytes is not None:
        what, instead = f"{name} with {short(count)} items", "give fewer"
        refuse_too_large(what, 40 * count, instead)
    return values


def at_most(name: str, value: int, limit: int, instead: str) -> int:
    """Return a number; one above a limit, which would never end, is refused.

    Parameters
    ----------
    name : str
        Its argument, or what is counted, for the message.
    value, limit : int
    instead : str
        What to do instead, for the message.
    """
    if value > limit:
        raise ValueError(
            f"{name} must be at most {short(limit)}, got {shown(value)}; {instead}"
        )
    return value


def boolean(name: str, value: object) -> bool:
    """Return `value` as a Python bool; anything but a bool is refused."""
    if not isinstance(value, (bool, np.bool_)):
        raise wrong_type(f"{name} must be True or False", value)
    return bool(value)


def call(who: str, function: Callable[..., Any], *given: object) -> Any:
    """Return what a user's function returns; its errors get a note of the call."""
    try:
        return function(*given)
    except Exception as error:
        error.add_note(f"raised by {who} for {', '.join(map(shown, given))}")
        raise


def refuse_class(name: str, value: object) -> None:
    """Refuse a class where an instance is needed."""
    if isinstance(value, type):
        raise TypeError(
            f"{name} must be an instance of {value.__name__}, got the class itself; "
            f"use {value.__name__}(...)"
        )


def choice(name: str, value: object, accepted: Iterable[T], *others: str) -> T:
    """Return `value` if it is one of the `accepted` words.

    The `others` are values that the caller accepts besides, each described.
    """
    words = list(accepted)
    for word in words:
        # By the equality of str, as a subclass may define another one.
        if isinstance(value, str) and str.__eq__(value, word):
            return word
    raise not_one_of(name, value, words, *others)


def wrong_type(must: str, value: object) -> TypeError:
    """Return the error that says what an argument must be, and what it is."""
    return TypeError(f"{must}, got {described(value)}")


def wrong_value(must: str, value: object) -> ValueError:
    """Return the error that says what a value must be, and what it is."""
    return ValueError(f"{must}, got {shown(value)}")


def not_one_of(
    name: str, value: object, words: Iterable[str], *others: str
) -> TypeError | ValueError:
    """Return the error for a value that is not one of the accepted ones.

    Parameters
    ----------
    name : str
        The name of the argument.
    value : object
        Its value: a str gives a ValueError, anything else a TypeError.
    words : iterable of str
        The accepted words.
    *others : str
        Other accepted values, each described: "a number".
    """
    words = list(words)
    accepted = [*map(repr, words), *others]
    if others:
        accepted[-1] = f"or {others[-1]}"
    said = f"{name} must be one of {', '.join(accepted)}, got {shown(value)}"
    if not isinstance(value, str):
        return TypeError(said)
    meant = closest(str.__str__(value)[:_MOST_SHOWN], words)
    return ValueError(said if meant is None else f"{said}; did you mean {meant!r}?")


def function_name(function: object) -> str:
    """Return the name of a user's function in results: its own, or its class's."""
    name = getattr(function, "__name__", None)
    return name if isinstance(name, str) else type(function).__name__


def backend(value: object) -> Backend:
    """Return the argument `backend`, checked."""
    return choice("backend", value, BACKENDS)


def rules(value: object, kind: type[R]) -> R:
    """Return the argument `rules`, checked; the classic rules of a game for None."""
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise TypeError(
            f"rules must be {kind.__module__.split('.')[1]}.{kind.__name__} or None, "
            f"got {described(value)}"
        )
    return value


def amount(name: str, value: object) -> Fraction:
    """Return a finite number >= 0, or one written as text, as an exact Fraction."""
    accepted = (
        "a finite int, Fraction, Decimal or float >= 0, or one written as text, "
        "'0.05' or '1/20'"
    )
    result = finite(name, value, accepted, text=True)
    bits = max(result.numerator.bit_length(), result.denominator.bit_length())
    if bits > _MOST_DIGITS * math.log2(10) + 1:
        raise wrong_value(f"{name} must have at most {_MOST_DIGITS} digits", value)
    if result < 0:
        raise wrong_value(f"{name} must be {accepted}", value)
    return result


def stored_amount(name: str, value: Any) -> int | Fraction | Decimal | float:
    """Return an amount as records hold it: text as a Fraction, NumPy's as Python's."""
    exact = amount(name, value)
    given = value.item() if isinstance(value, np.generic) else value
    # A long double is its own item.
    return given if isinstance(given, (int, float, Decimal)) else exact


def finite(
    name: str,
    value: object,
    accepted: str = "a finite int, Fraction, Decimal or float",
    *,
    text: bool = False,
) -> Fraction:
    """Return a finite number of any of these kinds as an exact Fraction."""
    must = f"{name} must be {accepted}"
    number = _parse_number(value) if text and isinstance(value, str) else value
    if isinstance(number, (bool, np.bool_)) or not isinstance(
        number, (numbers.Rational, float, np.floating, Decimal)
    ):
        raise wrong_type(must, value)
    decimal = isinstance(number, Decimal) and number.is_finite() and number
    if decimal and abs(decimal.adjusted()) > _MOST_DIGITS:
        raise ValueError(
            f"{name} must have at most {_MOST_DIGITS} digits before or after the "
            f"point, got {shown(value)}"
        )
    try:
        if isinstance(number, numbers.Rational):
            return exact_rational(number)
        if isinstance(number, Decimal):
            ends = number.is_finite()
        else:
            ends = bool(np.isfinite(number))
        ratio = number.as_integer_ratio() if ends else None
    except Exception as error:
        raise _unreadable_error(must, value) from error
    if ratio is None:
        raise wrong_value(must, value)
    return Fraction(*ratio)


def _parse_number(text: str) -> Fraction | Decimal:
    """Return the number that a text stands for, or NaN."""
    if _STRAY.search(text):
        return Decimal("NaN")
    try:
        return Fraction(text) if "/" in text else Decimal(text)
    except (ValueError, ArithmeticError):  # of which a division by zero is one
        return Decimal("NaN")


def real(name: str, value: object) -> Fraction | float:
    """Return a real number as an exact Fraction, an infinity as a float."""
    accepted = "a real number (an int, Fraction, Decimal or float)"
    if isinstance(value, Decimal) and value.is_infinite():
        return float(value)
    if isinstance(value, (float, np.floating)):
        try:
            infinite = bool(np.isinf(value))
        except Exception as error:
            raise _unreadable_error(f"{name} must be {accepted}", value) from error
        if infinite:
            return float(value)
    return finite(name, value, accepted)


def float_array(name: str, values: object) -> NDArray[np.float64]:
    """Return finite numbers, an array_like of any shape, as float64 numbers."""
    must = f"{name} must be numbers that fit in float64"
    given = array(values, must)
    if given.dtype.kind not in "iufO":
        raise wrong_type(must, values)
    try:
        with np.errstate(over="ignore"):  # to infinity, which is refused
            floats = given.astype(np.float64)
    except OverflowError:
        raise wrong_value(must, values) from None
    except Exception as error:
        raise _unreadable_error(must, values) from error
    if not np.isfinite(floats).all():
        raise wrong_value(must, values)
    return floats


class Range(NamedTuple):
    """Which floats are accepted, in words and as a condition on floats and arrays."""

    words: str
    holds: Callable[[Any], Any]


def broadcast(names: str, x: NDArray[Any], y: NDArray[Any]) -> list[NDArray[Any]]:
    """Return two arrays in the shape to which they broadcast."""
    try:
        x, y = np.broadcast_arrays(x, y)
    except ValueError:
        raise ValueError(
            f"{names} must have shapes that broadcast, got {x.shape} and {y.shape}"
        ) from None
    return [limited_items(names, x), y]


def is_single(values: object) -> bool:
    """Return whether an argument is a single number: anything but an iterable."""
    return not isinstance(values, Iterable)


def float_in(name: str, value: object, accepted: Range) -> float:
    """Return a real number of any type as a float, if it is in the range."""
    must = f"{name} must be {accepted.words}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise wrong_type(must, value)
    result = nearest_float(must, value)
    if not accepted.holds(result):
        raise wrong_value(must, value)
    return result


def floats_in(name: str, values: object, accepted: Range) -> NDArray[np.float64]:
    """Return an iterable of real numbers as a new array, each in the range."""
    if (
        isinstance(values, np.ndarray)
        and values.ndim == 1
        and values.dtype.kind in "iuf"
    ):
        result = limited_items(name, values).astype(np.float64)
        wrong = np.flatnonzero(~accepted.holds(result))
        if wrong.size:
            float_in(f"{name}[{wrong[0]}]", values[wrong[0]].item(), accepted)
        return result
    numbers = limited_items(
        name, iterable(f"{name} must be an iterable of numbers", values)
    )
    return np.array(
        [float_in(f"{name}[{i}]", value, accepted) for i, value in enumerate(numbers)],
        dtype=np.float64,
    )


def float_or_floats_in(
    name: str, values: object, accepted: Range
) -> NDArray[np.float64]:
    """Return one number, or several, as an array, each in the range."""
    if is_single(values):
        return np.array([float_in(name, values, accepted)])
    return floats_in(name, values, accepted)


def array(values: object, must: str) -> NDArray[Any]:
    """Return an array_like as an array; `must` begins the error message."""
    given = limited_items(must.partition(" must ")[0], values)
    if np.ma.is_masked(given):
        raise ValueError(f"{must}, got masked entries; fill them first")
    try:
        return np.asarray(given)
    except Exception as error:
        raise _unreadable_error(must, values) from error


def places(name: str, values: object, count: int) -> NDArray[Any]:
    """Return an array of integers from 0 to below `count`."""
    result = array(values, f"{name} must be an array of integers")
    if not result.size:
        return result.astype(np.intp)
    if result.dtype.kind not in "iu":
        raise TypeError(
            f"{name} must be an array of integers, got one of {result.dtype}"
        )
    if result.min() < 0 or result.max() >= count:
        wrong = result.min() if result.min() < 0 else result.max()
        raise wrong_value(f"{name} must be from 0 to {count - 1}", wrong)
    return result


def exact_rational(value: numbers.Rational) -> Fraction:
    """Return a rational number of any type (NumPy's integers too) as a Fraction."""
    return Fraction(int(value.numerator), int(value.denominator))


def nearest_float(must: str, value: Any) -> float:
    """Return a real number as a float; `must` begins the error message."""
    try:
        return float(value)
    except OverflowError:
        raise wrong_value(must, value) from None
    except Exception as error:
        raise _unreadable_error(must, value) from error


def generator(rng: object) -> np.random.Generator:
    """Return the random number generator for an argument `rng`."""
    accepted = "rng must be None, a seed (an integer >= 0) or a numpy.random.Generator"
    if isinstance(rng, (bool, np.bool_, float)):
        raise wrong_type(accepted, rng)
    if isinstance(rng, (np.random.RandomState, random.Random)):
        said = wrong_type(accepted, rng)
        raise TypeError(f"{said}; use numpy.random.default_rng(seed)")
    words = rng if isinstance(rng, (list, tuple, range, np.ndarray)) else [rng]
    try:
        # NumPy's time grows as the square of a seed's length.
        long = len(words) * 32 > _SEED_BITS or _seed_bits(words) > _SEED_BITS
        if not long:
            return np.random.default_rng(rng)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{accepted}, got {described(rng)}") from None
    except Exception as error:
        raise _unreadable_error(accepted, rng) from error
    raise ValueError(
        f"rng must be a seed of at most {_SEED_BITS} bits, got {described(rng)}"
    )


def _seed_bits(words: Iterable[object]) -> int:
    """Return the number of bits of the integers of a seed, which must not be nested."""
    if any(isinstance(word, (list, tuple, range)) for word in words):
        raise TypeError
    return sum(word.bit_length() for word in words if isinstance(word, int))


class _Short(reprlib.Repr):
    """Short representations, of integers and of whole values as well."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxstring, self.maxother = 3, 80, _MOST_SHOWN
        self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = 8
        self.maxdict = 8

    def repr_int(self, x: int, level: int) -> str:
        return repr(x) if abs(x) < 10**_MOST_SHOWN_DIGITS else magnitude(x)

    def repr_instance(self, x: object, level: int) -> str:
        # One line: NumPy's arrays, for one, have several.
        return " ".join(super().repr_instance(x, level).split())


_SHORT = _Short()


def shown(value: object) -> str:
    """Return a value as messages show it: its shortened repr, even if that fails."""
    try:
        text = _SHORT.repr(value)
    except Exception:  # a user's repr or order may raise anything
        text = object.__repr__(value)
    if len(text) <= _MOST_SHOWN:
        return text
    return f"{text[: _MOST_SHOWN - 43]}...{text[-40:]}"


def described(value: object) -> str:
    """Return a value as messages show it, with the name of its type."""
    return f"{shown(value)} of type {type(value).__name__}"


def magnitude(number: int) -> str:
    """Return the approximate size of an integer of any length as text."""
    shift = max(abs(number).bit_length() - 64, 0)
    # This works for integers of a billion digits, too.
    exponent = math.log10(max(abs(number) >> shift, 1)) + shift * math.log10(2)
    places = math.floor(exponent)
    sign = "-" if number < 0 else ""
    return f"about {sign}{10 ** (exponent - places):.2g}e{places}"


def _unreadable_error(accepted: str, value: object) -> TypeError:
    """Return the error for a value of the right type whose number cannot be read."""
    return TypeError(f"{accepted}, got {described(value)}, which cannot be read")
