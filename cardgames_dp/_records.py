"""Results that hold arrays: frozen dataclasses, read-only, equal by content, brief."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_MOST_SHOWN = 8
"""So many entries of an array or a tuple are printed."""


class ArrayRecord:
    """A base of frozen dataclasses (``eq=False``) some of whose fields are arrays.

    What `dataclass` generates cannot compare arrays, nor keep them from being written
    to, and unpickling would give them back writeable. With ``repr=False`` they print in
    one line as well.
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

    def __repr__(self: DataclassInstance) -> str:
        return short_repr(self)

    def __reduce__(self: DataclassInstance) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


def short_repr(record: DataclassInstance) -> str:
    """Return what `dataclass` would print, with long arrays and tuples cut."""
    parts = [f"{f.name}={_brief(getattr(record, f.name))}" for f in fields(record)]
    return f"{type(record).__qualname__}({', '.join(parts)})"


def _brief(value: object) -> str:
    if isinstance(value, np.ndarray):
        few = [
            f"{x:.6g}" if isinstance(x, float) else str(x)
            for x in value[:_MOST_SHOWN].tolist()
        ]
        return f"[{', '.join(few + ['...'] * (len(value) > _MOST_SHOWN))}]"
    if isinstance(value, tuple) and len(value) > 1:
        parts = [_brief(x) for x in value[:_MOST_SHOWN]]
        return f"({', '.join(parts + ['...'] * (len(value) > _MOST_SHOWN))})"
    return repr(value)


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
