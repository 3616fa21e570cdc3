"""The parts of a growth law: its terms, and the numbers it accepts."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks

Model: TypeAlias = Literal["log", "sqrt", "log+sqrt"]
Numbers: TypeAlias = Iterable[float] | NDArray[Any]

MODELS: tuple[Model, ...] = get_args(Model)
_FUNCTIONS = {"log": np.log, "sqrt": np.sqrt}


class Range(NamedTuple):
    """Which numbers are accepted, in words and as a condition on floats and arrays."""

    words: str
    holds: Callable[[Any], Any]


LEVEL = Range("a number above 0 and below 1", lambda x: (x > 0) & (x < 1))
VALUES = Range("a number from -1e100 to 1e100", lambda x: (x >= -1e100) & (x <= 1e100))
_FROM_ZERO = Range("a number from 0 to 1e100", lambda x: (x >= 0) & (x <= 1e100))
_POSITIVE = Range(
    "a number above 0 and up to 1e100 in a law with log(l)",
    lambda x: (x > 0) & (x <= 1e100),
)


def cards_of(model: Model) -> Range:
    """Return the range of deck sizes for which a model is defined."""
    return _POSITIVE if "log" in functions(model) else _FROM_ZERO


def functions(model: Model) -> list[str]:
    """Return the names of the functions of l in a model."""
    return model.split("+")


def matrix(model: Model, cards: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the design matrix of some decks: a column of ones, then the functions."""
    columns = [_FUNCTIONS[name](cards) for name in functions(model)]
    return np.column_stack([np.ones_like(cards), *columns])


def sizes(model: Model, cards: float | Numbers) -> NDArray[np.float64]:
    """Return a deck size, or several, as an array, checked for a model."""
    accepted = cards_of(model)
    if is_single(cards):
        return np.array([number("cards", cards, accepted)])
    return array("cards", cards, accepted)


def is_single(cards: object) -> bool:
    """Return whether the argument is a single deck: anything but an iterable."""
    return not isinstance(cards, Iterable)


def number(name: str, value: object, accepted: Range) -> float:
    """Return a real number of any type as a float, if it is in the range."""
    must = f"{name} must be {accepted.words}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"{must}, got {_checks.described(value)}")
    result = _checks.nearest_float(must, value)
    if not accepted.holds(result):
        raise ValueError(f"{must}, got {_checks.shown(value)}")
    return result


def array(name: str, values: object, accepted: Range) -> NDArray[np.float64]:
    """Return an iterable of real numbers as a new array, each in the range."""
    if (
        isinstance(values, np.ndarray)
        and values.ndim == 1
        and values.dtype.kind in "iuf"
    ):
        result = values.astype(np.float64)
        wrong = np.flatnonzero(~accepted.holds(result))
        if wrong.size:
            number(f"{name}[{wrong[0]}]", values[wrong[0]].item(), accepted)
        return result
    try:
        listed = list(values)  # type: ignore[call-overload]
    except TypeError:
        listed = None
    if listed is None or isinstance(values, (str, bytes)):
        raise TypeError(
            f"{name} must be an iterable of numbers, got {_checks.described(values)}"
        )
    return np.array(
        [number(f"{name}[{i}]", value, accepted) for i, value in enumerate(listed)],
        dtype=np.float64,
    )
