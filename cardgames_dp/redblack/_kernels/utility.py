"""Calls of the user's utility, with each result checked before it is used.

A utility may be a function of an array of cash or of a single amount; the user does not
have to say which. It is first called with an array. If it does not take an array, or
the result does not have its shape (as the constant of a function of a number), it is
called with each amount.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._numbers import short

_EXPECTED = (
    "utility must return a real number for an amount of cash, or for an array of cash "
    "a real array of its shape"
)
_RANGE = "utility must be a finite number, or -inf for ruin"

_NO_ARRAYS = (TypeError, ValueError, AttributeError)
"""How functions of a number refuse an array: `math.log`, ``cash > 0``, methods."""


def in_float64(
    utility: Callable[[Any], Any], cash: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return ``utility(cash)`` in float64: finite numbers, and -inf for ruin."""
    with np.errstate(all="ignore"):  # the results are checked here
        values = _in_float64(utility, cash)
        if np.isneginf(values).any():
            _refuse_overflow(utility, cash[np.isneginf(values)])
    wrong = np.isnan(values) | np.isposinf(values)
    if wrong.any():
        where = int(np.argmax(wrong))
        raise ValueError(f"{_RANGE}, got {values[where]} at cash {cash[where]}")
    return values


def in_fractions(utility: Callable[[Any], Any], cash: list[Fraction]) -> list[Fraction]:
    """Return ``utility(cash)`` in exact rationals, which have no -inf."""
    with np.errstate(all="ignore"):
        answer = _of_an_array(utility, _objects(cash))
        if answer is not None:
            answers = answer.tolist()
        else:
            try:
                answers = [utility(c) for c in cash]
            except (TypeError, AttributeError):
                # NumPy's transcendental functions end here: they do not take Fractions.
                answers = _in_float64(utility, _as_float64(cash)).tolist()
            except (ValueError, ArithmeticError):
                answers = [_asked(utility, c) for c in cash]  # to say where
    return [_rational(u, c) for u, c in zip(answers, cash, strict=True)]


def _in_float64(
    utility: Callable[[Any], Any], cash: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the answers as float64 numbers of any kind."""
    answer = _of_an_array(utility, cash)
    if answer is not None and answer.dtype != object:
        return np.asarray(answer, dtype=np.float64)
    different, places = np.unique(cash, return_inverse=True)
    if answer is None:
        answers = [_asked(utility, c) for c in different.tolist()]
    else:
        answers, different, places = answer.tolist(), cash, np.arange(len(cash))
    pairs = zip(answers, different.tolist(), strict=True)
    values = np.array([_float(u, c) for u, c in pairs], dtype=np.float64)
    return values[places]


def _of_an_array(utility: Callable[[Any], Any], cash: NDArray[Any]) -> Any | None:
    """Return the result for an array of cash; None if single amounts have to be used.

    Raises
    ------
    TypeError
        If the result is an array of this shape, but not of real numbers.
    """
    if not len(cash):
        return np.empty(0)
    # A single amount is repeated, because an array of one passes for a number. A copy,
    # because a utility that works in place must not change our arrays.
    asked = np.repeat(cash, 2) if len(cash) == 1 else cash.copy()
    try:
        answer = utility(asked)
    except _NO_ARRAYS:
        return None
    except Exception as error:
        error.add_note("(raised by utility, given an array of cash)")
        raise
    if not isinstance(answer, np.ndarray) or answer.shape != asked.shape:
        return None
    if answer.dtype.kind not in "iufO":
        raise TypeError(f"{_EXPECTED}, got an array of dtype {answer.dtype}")
    return answer[: len(cash)]


def _asked(utility: Callable[[Any], Any], cash: float | Fraction) -> object:
    """Return the result for one amount; errors name the utility."""
    try:
        return utility(cash)
    except (*_NO_ARRAYS, ArithmeticError) as error:
        kind = (
            TypeError if isinstance(error, (TypeError, AttributeError)) else ValueError
        )
        raise kind(
            f"{_EXPECTED} (-inf for ruin), but raised {type(error).__name__}: {error}, "
            f"at cash {short(cash)}"
        ) from error
    except Exception as error:
        error.add_note(f"(raised by utility at cash {cash})")
        raise


def _refuse_overflow(utility: Callable[[Any], Any], cash: NDArray[np.float64]) -> None:
    """Refuse -inf that means a number too large for float64, not ruin."""
    try:
        with np.errstate(over="raise"):
            _in_float64(utility, cash)
    except FloatingPointError:
        raise ValueError(
            f"{_RANGE}, but overflows float64 at cash {cash.min()}; scale it down"
        ) from None


def _objects(values: list[Fraction]) -> NDArray[np.object_]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _as_float64(cash: list[Fraction]) -> NDArray[np.float64]:
    for c in cash:
        if abs(c) > Fraction(np.finfo(np.float64).max) or Fraction(float(c)) != c:
            raise TypeError(
                "utility takes no Fractions, and the exact backend does not round: "
                f"cash {c} is not a float64; use a utility that takes Fractions, "
                "amounts that are binary fractions, or backend='float64'"
            )
    return np.array([float(c) for c in cash])


def _float(value: object, cash: float) -> float:
    number = _number(value, cash)
    must = f"{_RANGE} that fits in float64 at cash {cash}"
    return _checks.nearest_float(must, number)


def _rational(value: object, cash: Fraction) -> Fraction:
    number = _number(value, cash)
    if isinstance(number, numbers.Rational):
        return _checks.exact_rational(number)
    if np.isfinite(number):
        return Fraction(*number.as_integer_ratio())
    more = ", which only backend='float64' takes" if np.isneginf(number) else ""
    raise ValueError(f"{_RANGE}{more}, got {number} at cash {cash}")


def _number(
    value: object, cash: float | Fraction
) -> numbers.Rational | float | np.floating[Any]:
    """Return a result for one amount; refuse anything but a real number."""
    if isinstance(value, np.ndarray) and not value.ndim:
        value = value[()]
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, (numbers.Rational, float, np.floating)
    ):
        raise TypeError(
            f"{_EXPECTED}, as int, Fraction or float numbers, got "
            f"{_checks.described(value)} at cash {cash}"
        )
    return value
