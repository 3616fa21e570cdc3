"""Calls of the user's utility, with every answer checked before it is used."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks

_EXPECTED = "utility must return a real array of the shape of its argument"


def in_float64(
    utility: Callable[[NDArray[Any]], NDArray[Any]], cash: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return ``utility(cash)`` as finite float64 numbers."""
    # A copy, because a utility that works in place must not change our arrays.
    result = _same_shape(utility(cash.copy()), cash)
    if result.dtype.kind not in "iuf":
        raise TypeError(f"{_EXPECTED}, got one of dtype {result.dtype}")
    values = result.astype(np.float64)
    if not np.isfinite(values).all():
        where = int(np.argmin(np.isfinite(values)))
        raise ValueError(
            f"utility must be finite, got {values[where]} at cash {cash[where]}"
        )
    return values


def in_fractions(
    utility: Callable[[NDArray[Any]], NDArray[Any]], cash: list[Fraction]
) -> list[Fraction]:
    """Return ``utility(cash)`` in exact rationals."""
    try:
        result = utility(_objects(cash))
    except (TypeError, AttributeError):
        # NumPy's transcendental functions end here: they know no Fractions.
        return [Fraction(x) for x in in_float64(utility, _as_float64(cash)).tolist()]
    checked = _same_shape(result, _objects(cash))
    if checked.dtype.kind not in "iufO":
        raise TypeError(f"{_EXPECTED}, got one of dtype {checked.dtype}")
    return [_rational(u, c) for u, c in zip(checked.tolist(), cash, strict=True)]


def _same_shape(result: object, cash: NDArray[Any]) -> NDArray[Any]:
    if not isinstance(result, np.ndarray):
        raise TypeError(f"{_EXPECTED}, got {type(result).__name__}")
    if result.shape != cash.shape:
        raise ValueError(f"{_EXPECTED} {cash.shape}, got shape {result.shape}")
    return result


def _objects(values: list[Fraction]) -> NDArray[np.object_]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _as_float64(cash: list[Fraction]) -> NDArray[np.float64]:
    for c in cash:
        if abs(c) > Fraction(np.finfo(np.float64).max) or Fraction(float(c)) != c:
            raise TypeError(
                "utility takes no Fractions, and the exact backend does not round: "
                f"cash {c} is not a float64; use a utility that takes arrays of "
                "Fractions, amounts that are binary fractions, or backend='float64'"
            )
    return np.array([float(c) for c in cash])


def _rational(value: object, cash: Fraction) -> Fraction:
    if not isinstance(value, bool):
        if isinstance(value, numbers.Rational):
            return _checks.exact_rational(value)
        if isinstance(value, (float, np.floating)):
            if not np.isfinite(value):
                raise ValueError(f"utility must be finite, got {value} at cash {cash}")
            return Fraction(*value.as_integer_ratio())
    raise TypeError(
        "utility must return int, Fraction or float numbers, got "
        f"{_checks.described(value)} at cash {cash}"
    )
