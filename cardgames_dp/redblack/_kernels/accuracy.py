"""Which algorithm and numbers give the digits asked for, decided before the work.

The widths of bounds can be predicted: those of the diagonal from its error bound, which
is known before it starts; those of the staircase because its account of errors grows in
a known way with the deck. So digits that cannot be reached are refused at once, with
the number that can.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from cardgames_dp import _checks
from cardgames_dp.redblack._kernels.methods import staircase_obstacle
from cardgames_dp.redblack._kernels.staircase.arithmetic import has_extended
from cardgames_dp.redblack._kernels.staircase.ascent import Deck, expected_error
from cardgames_dp.redblack._kernels.sweep import MOST_SWEPT, Sweep
from cardgames_dp.redblack._kernels.terms import Terms

MOST_DIGITS = 15
"""Significant digits of a float64 that are certain, after one rounding outwards."""

_MOST_EXACT = 10**8
"""States of a deck that is solved exactly for its digits: about ten seconds of work."""

_OUTWARDS = 2.0**-52
"""The relative width that remains when exact bounds are rounded to float64."""

Numbers: TypeAlias = Literal["float64", "extended", "exact"]


class Means(NamedTuple):
    """An algorithm, and the numbers it computes with."""

    method: Literal["diagonal", "staircase"]
    numbers: Numbers


def checked(digits: object) -> int:
    """Return the number of digits, checked."""
    result = _checks.integer("digits", digits, minimum=1)
    if result > MOST_DIGITS:
        raise ValueError(
            f"digits must be an integer from 1 to {MOST_DIGITS}, as many as a float64 "
            f"has, got {_checks.shown(result)}; use value(..., digits=)"
        )
    return result


def means(
    rules: Terms,
    decks: Sequence[Deck],
    method: Literal["diagonal", "staircase"],
    any_method: bool,
    digits: int | None,
    value_of: Callable[[Deck], float],
) -> Iterator[Means]:
    """Return the means that should give the digits for all decks, the cheapest first.

    `value_of` is called for a deck whose value no simple formula estimates.

    Raises
    ------
    ValueError
        If there are none.
    """
    if digits is None or not decks:
        return iter([Means(method, "float64")])
    ways = [Means(method, "float64")]
    climbs = method == "staircase" or any_method
    lacking = ""
    if climbs and not staircase_obstacle(rules, decks):
        if has_extended():
            ways.append(Means("staircase", "extended"))
        else:
            lacking = "; more need longer floats than float64, which NumPy lacks here"
    states = sum(deck.red * deck.black for deck in decks)
    if (method == "diagonal" or any_method) and states <= _MOST_EXACT:
        ways.append(Means("diagonal", "exact"))
    worth = [_rough_value(rules, deck, value_of) for deck in decks]
    widths = {
        way: max(
            _relative_width(rules, deck, way, value)
            for deck, value in zip(decks, worth, strict=True)
        )
        for way in ways
    }
    enough = [way for way in ways if widths[way] <= 10.0**-digits]
    if not enough:
        most = max(math.floor(-math.log10(min(widths.values()))), 0)
        with_method = "" if any_method else f" by method={method!r}"
        largest = decks[-1]
        raise ValueError(
            f"digits must be at most {most} for a deck of {largest.red} red and "
            f"{largest.black} black cards{with_method}, got {digits}{lacking}"
        )
    return iter(enough)


def _rough_value(rules: Terms, deck: Deck, value_of: Callable[[Deck], float]) -> float:
    """Return the value, or slightly less where the law of growth gives it at once."""
    if deck.excess == 0 and rules.gain == rules.cost and deck.red <= MOST_SWEPT:
        classic: float = 0.522 * math.sqrt(deck.red) - 0.103 * deck.red**-0.231
        return float(rules.gain) * 0.99 * classic
    return value_of(deck)


def _relative_width(rules: Terms, deck: Deck, way: Means, value: float) -> float:
    """Return about how wide the bounds of a value will be, relative to it."""
    if value == 0:
        return 0.0  # The player stops at once, and most means are certain of it.
    if way.numbers == "exact":
        return _OUTWARDS
    if way.method == "staircase":
        error = expected_error(deck, extended=way.numbers == "extended")
        return float(rules.gain) * error / value + _OUTWARDS
    sweep = Sweep.of(rules, deck.red, deck.black, exact=False)
    unit = float(sweep.stakes.unit)
    stopping = float(sweep.stakes.reward(deck.cards, deck.red))
    best = value / unit + stopping
    return 2 * float(sweep.error * best + sweep.omitted) * unit / value + _OUTWARDS
