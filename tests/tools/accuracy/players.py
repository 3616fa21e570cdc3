"""Red/black for other players and other decks: policies, foresight, urns, kinds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from cardgames_dp import redblack

from .checks import Check, Error, U, held, some
from .decks import deck, linear

Rng = np.random.Generator


def policy(rng: Rng) -> Any:
    """Return a policy for which rounding decides nothing."""
    return some(
        rng,
        (
            "never_stop",
            "first_positive",
            "quit_when_negative",
            redblack.StopAt(cash=int(rng.integers(0, 6))),
            redblack.StopAt(loss=int(rng.integers(0, 9))),
            redblack.StopAt(draws=int(rng.integers(0, 60))),
            redblack.OptimalWithin(int(rng.integers(0, 9))),
            redblack.OptimalWithin(draws=int(rng.integers(0, 60))),
        ),
    )


def of_policy(rng: Rng) -> Error:
    """Its mean cash, which may be a small difference of large sums."""
    cards, rules, plays = deck(rng, 40), linear(rng), policy(rng)
    found, exact = (
        redblack.value(*cards, rules=rules, policy=plays, backend=b)
        for b in ("float64", "exact")
    )
    largest = sum(cards) * max(rules.gain, rules.cost, Fraction(1)) or 1
    return held([found], [exact], largest, 4 * sum(cards) * U * largest)


def lowest_cash(rng: Rng) -> Error:
    cards, plays = deck(rng, 30), policy(rng)
    found, exact = (
        redblack.distribution(*cards, policy=plays, backend=b).lowest_cash
        for b in ("float64", "exact")
    )
    by_exact = exact.to_dict()
    by_float = found.to_dict()
    assert by_float.keys() == {float(x) for x in by_exact}
    computed = [by_float[float(x)] for x in by_exact]
    return held(computed, by_exact.values(), 1, U * (8 * sum(cards) or 1))


def foresight(rng: Rng) -> Error:
    cards, seen = deck(rng, 25), int(rng.integers(0, 6))
    found, exact = (
        redblack.foresight_value(*cards, cards=seen, backend=b)
        for b in ("float64", "exact")
    )
    largest = sum(cards) or 1
    return held([found], [exact], largest, 4 * U * largest**2)


def urn(rng: Rng) -> Error:
    """The value of a deck whose composition is not known."""
    prior = rng.integers(0, 9, int(rng.integers(2, 30))).tolist()
    prior[0] += 1
    found, exact = (
        redblack.urns.solve(prior, backend=b).value for b in ("float64", "exact")
    )
    largest = len(prior)
    return held([found], [exact], largest, 4 * U * largest**2)


def kinds(rng: Rng) -> Error:
    """The value of a small deck of cards of several worths."""
    worths = rng.choice(np.arange(-5, 6), int(rng.integers(1, 5)), replace=False)
    cards = {int(worth): int(rng.integers(1, 6)) for worth in worths}
    found, exact = (
        redblack.kinds.value(cards, backend=b) for b in ("float64", "exact")
    )
    largest = sum(abs(worth) * count for worth, count in cards.items()) or 1
    return held([found], [exact], largest, 4 * sum(cards.values()) * U * largest)


CHECKS = [
    Check(
        "redblack.value, of a policy",
        "4 u n of the largest sum",
        "the largest sum",
        of_policy,
    ),
    Check("redblack.distribution, lowest cash", "8 u n", "1", lowest_cash),
    Check(
        "redblack.foresight_value, some cards",
        "4 u n of the largest sum",
        "the largest sum",
        foresight,
    ),
    Check("redblack.urns.solve", "4 u n of the largest sum", "the largest sum", urn),
    Check(
        "redblack.kinds.value",
        "4 u n of the largest sum",
        "the largest sum",
        kinds,
        0.3,
    ),
]
