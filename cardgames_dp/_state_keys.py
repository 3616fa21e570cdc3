"""Sort keys that identify the states of a game for arrays.

States are columns here, an array of shape (width, count).
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph import Integers

Bounds: TypeAlias = tuple[list[int], list[int]]
"""The smallest and the largest number of each column."""


def unique(columns: Integers, within: Bounds) -> tuple[Integers, Integers]:
    """Return the distinct states, sorted, and the index of each state among them."""
    count = columns.shape[1]
    keys = packed(columns, within)
    if (keys[1:] > keys[:-1]).all():
        return columns, np.arange(count)
    order = keys.argsort(kind="stable")  # fast if there are sorted runs
    ordered = keys[order]
    new = np.ones(count, dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    first = order[new]
    new[0] = False
    which = np.empty(count, dtype=np.int64)
    which[order] = new.cumsum()
    return columns.take(first, axis=1), which


def bounds(columns: Integers) -> Bounds:
    """Return the smallest and the largest number of each column."""
    return columns.min(axis=1).tolist(), columns.max(axis=1).tolist()


def packed(columns: Integers, within: Bounds) -> NDArray[Any]:
    """Return a key for each state; keys are equal if and only if states are.

    Parameters
    ----------
    columns : ndarray of int, shape (width, count)
        The states.
    within : tuple of list of int
        `bounds` of all numbers: keys within the same bounds can be compared.
    """
    low, high = within
    spans = [b - a + 1 for a, b in zip(low, high, strict=True)]
    if math.prod(spans) >= 2**63:  # bytes in place of one number
        rows = np.ascontiguousarray(columns.T, dtype=np.int64)
        texts: NDArray[Any] = rows.view(f"S{rows.shape[1] * 8}").ravel()
        return texts
    # The sum of all multiples of the lows is subtracted at once; it may wrap around.
    keys: Integers = columns[0].astype(np.int64)
    for column, span in zip(columns[1:], spans[1:], strict=True):
        keys *= span
        keys += column
    return keys
