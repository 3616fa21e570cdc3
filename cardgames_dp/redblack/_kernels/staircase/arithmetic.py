"""The arithmetics of a climb: float64, and longer floats.

A climb uses the arithmetic of its cells. NumPy's `longdouble` has 64 or 113 bits if the
processor and the compiler support them (with Microsoft's compiler and on Apple's
processors it is float64); SciPy's transforms take it as well.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

Reals = NDArray[Any]
"""An array of float64 or longdouble."""

PI = np.longdouble("3.14159265358979323846264338327950288420")

_EXTENDED_BITS = (63, 112)
"""Bits of fractions of x87 and IEEE quadruple; pairs of doubles round otherwise."""


class Arithmetic(NamedTuple):
    """A kind of floating-point numbers, and what a climb with them neglects.

    Attributes
    ----------
    real : type
        The type of a scalar; Python's float for float64, which is faster.
    unit_roundoff : float
        The largest relative error of an operation.
    deviations : float
        Walks are taken to end this many standard deviations away: those that get
        further are fewer than a part exp(-deviations**2 / 2), by Hoeffding's
        inequality.
    survival : float
        Waves that decay by more than exp(-survival), a rounding error, are dropped.
    """

    real: type[Any]
    unit_roundoff: float
    deviations: float
    survival: float


DOUBLE = Arithmetic(float, 2.0**-53, 9.0, 44.0)
EXTENDED = Arithmetic(np.longdouble, float(np.finfo(np.longdouble).eps) / 2, 10.6, 53.0)


def has_extended() -> bool:
    """Return whether this machine has longer floats than float64."""
    return np.finfo(np.longdouble).nmant in _EXTENDED_BITS


def of(dtype: DTypeLike) -> Arithmetic:
    """Return the arithmetic of the numbers of a dtype."""
    return DOUBLE if np.dtype(dtype) == np.dtype(np.float64) else EXTENDED
