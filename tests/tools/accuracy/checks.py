"""What a check of accuracy is, and how two answers are held against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

U = Fraction(1, 2**53)
"""The unit of rounding of float64."""


class Error(NamedTuple):
    """How far a float64 answer is from the exact one."""

    relative: float
    share: float
    """Of what the documentation allows: above 1 it has promised too much."""


@dataclass(frozen=True, slots=True)
class Check:
    """A function, and what its error is held against.

    `case` computes one random example by both backends.
    """

    name: str
    bound: str
    relative_to: str
    case: Callable[[np.random.Generator], Error]
    weight: float = 1
    """How many cases it gets, of those asked for: less where a case takes long."""


def held(
    computed: Iterable[Any], exact: Iterable[Any], scale: Any, bound: Any
) -> Error:
    """Compare numbers one by one; the bound is absolute, the same for all."""
    worst = max(
        (abs(Fraction(x) - Fraction(y)) for x, y in zip(computed, exact, strict=True)),
        default=Fraction(0),
    )
    return of(worst, scale, bound)


def of(error: Fraction, scale: Any, bound: Any) -> Error:
    """Return an absolute error as parts of a scale and of a bound."""
    relative = _ratio(error, Fraction(scale)) if scale else 0.0  # of nothing
    return Error(relative, _ratio(error, Fraction(bound)))


def worst_of(errors: Iterable[Error]) -> Error:
    """Return the largest relative error and the largest share."""
    relative, share = zip(*errors, strict=True)
    return Error(max(relative), max(share))


def _ratio(part: Fraction, whole: Fraction) -> float:
    if whole:
        return float(part / whole)
    return float("inf") if part else 0.0


def some(rng: np.random.Generator, items: Any) -> Any:
    """Return one of some items."""
    return items[int(rng.integers(len(items)))]


def worst(check: Check, cases: int, seed: int) -> Error:
    """Return the worst error of random cases, which depend on check and seed alone."""
    rng = np.random.default_rng([seed, *check.name.encode()])
    return worst_of(check.case(rng) for _ in range(cases))
