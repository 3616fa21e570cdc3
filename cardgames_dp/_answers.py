"""What a game may answer: the checks that need to know nothing of games."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from cardgames_dp import _checks


def expected(state: object) -> str:
    """Return how a refusal of outcomes begins."""
    return f"chance_outcomes({_checks.shown(state)}) must hold pairs (weight, state)"


def is_integer(value: object) -> bool:
    """Return whether a value is an integer, and no bool."""
    return type(value) is int or (
        not isinstance(value, bool) and isinstance(value, numbers.Integral)
    )


def rational(value: object, state: object) -> Fraction:
    """Return one of the returns of a state as the Fraction it is."""
    if type(value) is int:
        return Fraction(value)
    if type(value) is Fraction:
        return value
    if not isinstance(value, bool) and isinstance(value, numbers.Rational):
        return _checks.exact_rational(value)
    raise TypeError(
        f"returns({_checks.shown(state)}) must hold exact rationals (int or "
        f"Fraction), got {_checks.described(value)}"
    )


def require_sequence(value: object, method: str, state: object) -> None:
    """Refuse what has no order, or can be gone through once only."""
    # A set or an iterator would make "the first optimal action" mean nothing.
    if not isinstance(value, (tuple, list, Sequence, np.ndarray)):
        raise TypeError(
            f"{method}({_checks.shown(state)}) must be a sequence, as a list or a "
            f"tuple, got {_checks.described(value)}"
        )


def require_hashable(value: object, method: str, *arguments: object) -> None:
    """Refuse states and actions that cannot be looked up."""
    try:
        hash(value)
    except TypeError as error:
        call = f"{method}({', '.join(map(_checks.shown, arguments))})"
        raise TypeError(
            f"{call} must give hashable states and actions, got "
            f"{_checks.described(value)}"
        ) from error
