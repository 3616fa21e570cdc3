"""Cards in a row: values, tables and responses of random rows and rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from cardgames_dp import cardrow

from .checks import Check, Error, U, held, some, worst_of

Rng = np.random.Generator

OPPONENTS = ("larger", "smaller", "greedy", "random")
"""Who look at cards alone, so that rounding never changes what they do."""


def cards(rng: Rng, most: int = 40) -> list[Any]:
    """Return a row of integers, small or huge, of floats or of fractions."""
    count = int(rng.integers(1, most + 1))
    kind = int(rng.integers(4))
    if kind == 0:
        row: Any = rng.integers(-13, 14, count)
    elif kind == 1:
        row = rng.integers(-(2**62), 2**62, count)
    elif kind == 2:
        row = rng.normal(scale=10.0 ** int(rng.integers(-9, 10)), size=count)
    else:
        return [Fraction(int(a), int(b)) for a, b in rng.integers(1, 50, (count, 2))]
    return list(row.tolist())


def rules(rng: Rng, row: list[Any]) -> cardrow.Rules:
    """Return rules of every kind."""
    if rng.random() < 0.2:
        return cardrow.Rules(weights=rng.integers(-9, 10, len(row)).tolist())
    return cardrow.Rules(
        take=int(rng.integers(1, 4)),
        players=int(rng.integers(2, 4)),
        misere=bool(rng.integers(2)),
        tie=some(rng, ("larger", "left", "right")),
    )


def rounded(found: Any, exact: Any) -> Error:
    """Hold numbers that are rounded once: by u of each at most."""
    return worst_of(
        held([x], [y], abs(y), abs(Fraction(y)) * U)
        for x, y in zip(found, exact, strict=True)
    )


def value(rng: Rng) -> Error:
    row = cards(rng)
    given = rules(rng, row)
    found, exact = (
        cardrow.value(row, rules=given, backend=b) for b in ("float64", "exact")
    )
    return rounded([found], [exact])


def values(rng: Rng) -> Error:
    rows = [cards(rng, 20) for _ in range(4)]
    found, exact = (cardrow.values(rows, backend=b) for b in ("float64", "exact"))
    return rounded(found, exact)


def value_of_several(rng: Rng) -> Error:
    rows = [cards(rng, 20) for _ in range(3)]
    found, exact = (cardrow.value(*rows, backend=b) for b in ("float64", "exact"))
    return rounded([found], [exact])


def table(rng: Rng) -> Error:
    """Sums in every interval; by classic rules, where no near tie can change them."""
    row = cards(rng, 25)
    found, exact = (cardrow.solve(row, backend=b).sums for b in ("float64", "exact"))
    largest = max(map(abs, map(Fraction, row))) or 1
    return held(found.flat, exact.flat, largest, 2 * U * largest * len(row) ** 2)


def response(rng: Rng) -> Error:
    row = cards(rng, 25)
    opponent, seat = some(rng, OPPONENTS), some(rng, ("first", "second"))
    found, exact = (
        cardrow.best_response(row, opponent, seat=seat, backend=b).value
        for b in ("float64", "exact")
    )
    largest = max(map(abs, map(Fraction, row))) or 1
    return held([found], [exact], largest, 8 * U * largest * len(row) ** 2)


def distribution(rng: Rng) -> Error:
    """What players win by, one of them at random: probabilities of every lead."""
    row = rng.integers(1, 14, int(rng.integers(1, 15))).tolist()
    player: Any = some(rng, OPPONENTS)
    found = cardrow.distribution(row, player, "random")
    exact = cardrow.distribution(row, player, "random", backend="exact")
    by_lead = {float(x): p for x, p in exact.to_dict().items()}
    assert found.to_dict().keys() == by_lead.keys()
    return held(found.to_dict().values(), by_lead.values(), 1, 4 * U * len(row))


CHECKS = [
    Check("cardrow.value", "u of the value", "the value", value),
    Check("cardrow.values", "u of each value", "each value", values),
    Check("cardrow.value of rows", "u of the value", "the value", value_of_several),
    Check("cardrow.solve", "2 u n² x", "the largest card", table, 0.5),
    Check("cardrow.best_response", "8 u n² x", "the largest card", response),
    Check("cardrow.distribution", "4 u n", "1", distribution),
]
