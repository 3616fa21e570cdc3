"""Results that hold arrays: frozen dataclasses, read-only, equal by content."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class ArrayRecord:
    """A base of frozen dataclasses (``eq=False``) some of whose fields are arrays.

    What `dataclass` generates cannot compare arrays, nor keep them from being written
    to, and unpickling would give them back writeable.
    """

    __slots__ = ()

    def __post_init__(self: DataclassInstance) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                object.__setattr__(self, field.name, _read_only(value))
            elif isinstance(value, tuple):
                parts = (
                    _read_only(v) if isinstance(v, np.ndarray) else v for v in value
                )
                object.__setattr__(self, field.name, tuple(parts))

    def __eq__(self: DataclassInstance, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            _same(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self: DataclassInstance) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


def _read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    view = array.view()
    view.flags.writeable = False
    return view


def _same(x: object, y: object) -> bool:
    if isinstance(x, np.ndarray) and isinstance(y, np.ndarray):
        return np.array_equal(x, y)
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        return False  # a number is no array, though NumPy compares them
    if isinstance(x, tuple) and isinstance(y, tuple):
        return len(x) == len(y) and all(map(_same, x, y))
    if isinstance(x, float) and isinstance(y, float) and math.isnan(x):
        return math.isnan(y)  # as the deviation of a single game is
    return bool(x == y)
