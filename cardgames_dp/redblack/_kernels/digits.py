r"""Values to any number of digits, all of them right.

This is the sweep of `cardgames_dp.redblack._kernels.sweep`, in Decimals of more digits
than the result has. Its error is bounded in the same way, so the value lies between two
numbers. If both round to the same digits, these are the result; otherwise the sweep is
repeated with twice as many, and finally with exact integers.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any

from cardgames_dp._support.arguments import at_most
from cardgames_dp._support.running import with_progress
from cardgames_dp.redblack._kernels import methods
from cardgames_dp.redblack._kernels.staircase.climb import Deck
from cardgames_dp.redblack._kernels.sweep import Sweep, total_from_level
from cardgames_dp.redblack.rules import Problem, Rules, Stakes

_SPARE = 14
"""Digits of the first sweep besides those of the result, and for the deck's size."""

_MOST_LEVELS = 10**9
"""Levels that take about a week on one core of a server of 2025."""

Bounds = tuple[Fraction, Fraction]


def decimals(rules: Rules, decks: Sequence[Deck], digits: int) -> dict[Deck, Decimal]:
    """Return the values of one deck, or of balanced ones of increasing sizes."""
    rounding = decimal.Context(prec=digits, rounding=decimal.ROUND_HALF_EVEN)
    results, left = {}, []
    for deck, value in methods.closed_forms(rules, decks).items():
        if value is None:
            left.append(deck)
        else:
            results[deck] = _rounded(value, rounding)
    precision = digits + _SPARE
    precision += 2 * len(str(left[-1].cards)) if left else 0
    while left:
        if precision * math.log2(10) >= left[-1].cards:
            for deck in left:
                problem = Problem(rules, deck.red, deck.black, exact=True)
                [exactly] = methods.by_diagonal(problem, [deck]).values()
                results[deck] = _rounded(exactly, rounding)
            break
        for deck, bounds in _bounds(rules, left, precision).items():
            ends = {_rounded(max(end, Fraction(0)), rounding) for end in bounds}
            if len(ends) == 1:
                [results[deck]] = ends
        left = [deck for deck in left if deck not in results]
        precision *= 2
    return results


def _bounds(rules: Rules, decks: list[Deck], precision: int) -> dict[Deck, Bounds]:
    """Return bounds of the values of decks, by one sweep."""
    largest, stakes, bounds = decks[-1], Stakes.of(rules), dict[Deck, Bounds]()
    limits: Any = {"Emin": decimal.MIN_EMIN, "Emax": decimal.MAX_EMAX}
    with decimal.localcontext(decimal.Context(prec=precision, **limits)):
        sweep = Sweep(stakes, largest.red, largest.black, False, digits=precision)
        words = Problem(rules, largest.red, largest.black, exact=True).deck
        what = f"the levels of a sweep of {words} with digits"
        instead = "use enclosure(..., digits=), or a smaller deck"
        last = at_most(what, sweep.level_without_stops, _MOST_LEVELS, instead)
        left, certain = decks[::-1], True
        levels = with_progress(islice(sweep.levels(), last), last, "levels")
        for level in levels:
            if level.rose:
                certain = sweep.certain(level)
            if left and level.n == left[-1].cards:
                deck = left.pop()
                stops = level.top >= deck.red
                best = Fraction(0) if stops else sweep.reward(level, deck.red)
                bounds[deck] = _around(sweep, deck, best, stops and certain)
        stops = level.top >= largest.red
        for deck in left:  # where all stop or none has stopped
            best = Fraction(0)
            if not stops:
                best = total_from_level(level, sweep, deck.red, deck.black)
            bounds[deck] = _around(sweep, deck, best, stops and certain)
    return bounds


def _around(sweep: Sweep, deck: Deck, best: Fraction, stops: bool) -> Bounds:
    """Return bounds of the value of a deck, given its W or that it stops."""
    stopping = Fraction(sweep.stakes.reward(deck.cards, deck.red))
    best = max(best, stopping)
    ends = best / (1 + sweep.error), best / (1 - sweep.error) + sweep.omitted
    if stops:
        ends = stopping, stopping
    lower, upper = ((end - stopping) * sweep.stakes.unit for end in ends)
    return lower, upper


def _rounded(number: Fraction, rounding: decimal.Context) -> Decimal:
    numerator, denominator = number.as_integer_ratio()
    return rounding.divide(Decimal(numerator), Decimal(denominator))
