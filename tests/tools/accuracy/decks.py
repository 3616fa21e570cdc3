"""Red/black: values, certified bounds, tables and laws of random decks and rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from cardgames_dp import redblack

from .checks import Check, Error, U, held, of, some, worst_of

Rng = np.random.Generator

MOST = 120
"""Cards of each colour in a random deck; a balanced one for the staircase has more."""


def deck(rng: Rng, most: int = MOST) -> tuple[int, int]:
    """Return a deck, balanced or not."""
    red = int(rng.integers(0, most + 1))
    return red, red if rng.random() < 0.3 else int(rng.integers(0, most + 1))


def near_balance(rng: Rng) -> tuple[int, int]:
    """Return a deck for which the staircase is."""
    red = int(rng.integers(1, 600))
    apart = int((2 * red) ** 0.5)
    return red, max(1, red + int(rng.integers(-apart, apart + 1)))


def amount(rng: Rng) -> Any:
    """Return an amount of money as people write it, often 1."""
    if rng.random() < 0.4:
        return 1
    if rng.random() < 0.5:
        return Fraction(int(rng.integers(0, 40)), int(rng.integers(1, 12)))
    return float(rng.integers(0, 64)) / 16


def linear(rng: Rng) -> redblack.Rules:
    """Return rules without a utility."""
    fee = 0 if rng.random() < 0.6 else Fraction(int(rng.integers(0, 30)), 40)
    tie = some(rng, ("stop", "draw"))
    return redblack.Rules(win=amount(rng), lose=amount(rng), fee=fee, tie=tie)


def equal_stakes(rng: Rng) -> redblack.Rules:
    """Return rules for which the staircase is."""
    stake = amount(rng) or 2
    return redblack.Rules(win=stake, lose=stake)


def value(rng: Rng) -> Error:
    cards, rules = deck(rng), linear(rng)
    found = redblack.value(*cards, rules=rules, method="diagonal")
    exact = redblack.value(*cards, rules=rules, backend="exact")
    bounds = redblack.enclosure(*cards, rules=rules, method="diagonal")
    width = Fraction(bounds.upper) - Fraction(bounds.lower)
    return held([found], [exact], exact, width)


def staircase(rng: Rng) -> Error:
    """Of an unbalanced deck, whose value may be next to nothing, in its own scale."""
    cards, rules = near_balance(rng), equal_stakes(rng)
    found = redblack.value(*cards, rules=rules, method="staircase")
    exact = redblack.value(*cards, rules=rules, backend="exact")
    scale = Fraction(rules.win) * Fraction(sum(cards) ** 0.5)
    if cards[0] == cards[1]:
        scale = exact
    return held([found], [exact], scale, scale / 10**13)


def values(rng: Rng) -> Error:
    sizes = np.unique(rng.integers(1, MOST, 5)).tolist()
    found = redblack.value(sizes, sizes)
    exact = redblack.value(sizes, sizes, backend="exact")
    return worst_of(
        held([x], [y], y, y / 10**13) for x, y in zip(found, exact, strict=True)
    )


def enclosure(rng: Rng, method: Any) -> Error:
    """Of the interval's half width, how far the exact value is from the midpoint."""
    if method == "diagonal":
        cards, rules = deck(rng), linear(rng)
    else:
        cards, rules = near_balance(rng), equal_stakes(rng)
    bounds = redblack.enclosure(*cards, rules=rules, method=method)
    exact = redblack.value(*cards, rules=rules, backend="exact")
    lower, upper = Fraction(bounds.lower), Fraction(bounds.upper)
    return of(abs(exact - (lower + upper) / 2), exact, (upper - lower) / 2)


def digits(rng: Rng) -> Error:
    """As many digits as are asked for are right."""
    cards, wanted = near_balance(rng), int(rng.integers(1, 16))
    bounds = redblack.enclosure(*cards, digits=wanted)
    exact = redblack.value(*cards, backend="exact")
    far = max(exact - Fraction(bounds.lower), Fraction(bounds.upper) - exact)
    inside = bounds.lower <= exact <= bounds.upper
    return of(far, exact, exact / 10**wanted if inside else 0)


def table(rng: Rng) -> Error:
    cards, rules = deck(rng, 40), linear(rng)
    found = redblack.solve(*cards, rules=rules).values
    exact = redblack.solve(*cards, rules=rules, backend="exact").values
    known = [[x is not None for x in row] for row in exact]
    largest = sum(cards) * max(Fraction(rules.win), Fraction(rules.lose)) or 1
    return held(found[known], exact[known], largest, 4 * sum(cards) * U * largest)


def distribution(rng: Rng, of: str) -> Error:
    """Each probability, relative to itself."""
    cards = deck(rng, 60)
    rules = redblack.Rules(tie=some(rng, ("stop", "draw")))
    found, exact = (
        getattr(redblack.distribution(*cards, rules=rules, backend=b), of)
        for b in ("float64", "exact")
    )
    assert found.support.tolist() == exact.support.tolist()
    allowed = U * (sum(cards) or 1)
    return worst_of(
        held([x], [y], y, allowed * y)
        for x, y in zip(found.probabilities, exact.probabilities, strict=True)
    )


def omniscient(rng: Rng) -> Error:
    cards = deck(rng)
    found = redblack.foresight_value(*cards)
    exact = redblack.foresight_value(*cards, backend="exact")
    return held([found], [exact], exact, exact / 10**13)


def bent(rng: Rng) -> Error:
    """Under a utility of polynomials, which both backends can compute."""
    cards = deck(rng, 30)
    rules = redblack.Rules(utility=lambda cash: cash * (400 - cash))
    found = redblack.value(*cards, rules=rules)
    exact = redblack.value(*cards, rules=rules, backend="exact")
    largest = 440 * sum(cards) or 1
    return held([found], [exact], largest, 4 * sum(cards) * U * largest)


CHECKS = [
    Check("redblack.value, diagonal", "the width of its enclosure", "the value", value),
    Check(
        "redblack.value, staircase",
        "1e-13 of the value, or √n",
        "the value or √n",
        staircase,
    ),
    Check(
        "redblack.value, with a utility",
        "4 u n of the largest utility",
        "the largest utility",
        bent,
    ),
    Check("redblack.value, of arrays", "1e-13 of each value", "each value", values),
    Check(
        "redblack.enclosure, diagonal",
        "half of its width",
        "the value",
        lambda rng: enclosure(rng, "diagonal"),
    ),
    Check(
        "redblack.enclosure, staircase",
        "half of its width",
        "the value",
        lambda rng: enclosure(rng, "staircase"),
    ),
    Check("redblack.enclosure, digits", "what was asked for", "the value", digits),
    Check("redblack.solve", "4 u n of the largest sum", "the largest sum", table, 0.3),
    Check(
        "redblack.distribution, payoff",
        "u a card, of each probability",
        "the probability",
        lambda rng: distribution(rng, "payoff"),
    ),
    Check(
        "redblack.distribution, moves",
        "u a card, of each probability",
        "the probability",
        lambda rng: distribution(rng, "moves"),
    ),
    Check(
        "redblack.foresight_value, all cards",
        "1e-13 of the value",
        "the value",
        omniscient,
    ),
]
