"""Vectors of scores, and the tolerance of ties: what all engines use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.pairs.rules import Rules

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Decisions: TypeAlias = NDArray[np.bool_]
Hits: TypeAlias = NDArray[np.bool_] | NDArray[np.float64]
"""Where to hit, or with what probability."""
Returns: TypeAlias = Callable[[Integers], Floats]
"""A function from final scores to returns, both of shape (ends, players)."""

TOLERANCE = 1e-12
"""Chances of winning count as equal if they differ by at most this. Rounding makes the
two sides of an exact tie differ by up to about 1e-16; other differences are rarely
below about 1e-12. `ScoreTable.doubtful` counts the positions in between."""


def tolerance_of(rules: Rules) -> float:
    """Return the largest difference of two chances that counts as a tie."""
    return 0.0 if rules.tie == "rounding" else TOLERANCE


def largest_holdings(rules: Rules) -> list[int]:
    """Return the largest number of cards of each rank in a hand."""
    return [min(rules.capacity, count) for count in rules.counts]


def numbers_of(rules: Rules, scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the columns of tables for vectors of scores, shape (..., players)."""
    powers = rules.target ** np.arange(rules.players)[::-1]
    numbers: NDArray[np.int64] = scores @ powers
    return numbers


def vectors_of(rules: Rules) -> list[Integers]:
    """Return all vectors of scores, shape (vectors, players), by their totals."""
    n, target = rules.players, rules.target
    every = np.indices((target,) * n).reshape(n, -1).T
    totals = every.sum(axis=1)
    return [every[totals == total] for total in range(n * (target - 1) + 1)]
