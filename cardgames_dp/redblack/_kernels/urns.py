"""Draws with a prior, solved from the last card to the first.

There are N cards, of which r are red with probability w(r). All orders of the same
cards are equally likely, so all that a player knows after n draws is the number i of
red ones. Let q(i, j) be the probability of one given order of i red and j black cards::

    q(i, N - i) = w(i) / C(N, i),    q(i, j) = q(i + 1, j) + q(i, j + 1).

The next card is red with probability q(i + 1, j) / q(i, j): Bayes' rule, with a single
division. With the total W(i, j) of optimal play and U = q W, the recurrence of the game
is the same sum with a maximum::

    U(i, j) = max(q(i, j) reward(i, j), U(i + 1, j) + U(i, j + 1)).

Exact levels hold these numbers as integers. Float64 levels hold P(i) = C(n, i) q(i,
n - i), the probability of i red cards in n draws, which is the mean of those of i and
of i + 1 red cards in n + 1 draws with the weights (n + 1 - i) / (n + 1) and (i + 1) /
(n + 1). Each P has an exponent of its own, so none is too small. The odds of a red card
are its part of that mean, and values are means with these odds.

Rounding errors
---------------
Let u be the unit roundoff and ``g(k) = k u / (1 - k u)``. A term of a mean P adds two
roundings (its weight, the product) and their sum one, all of positive numbers, to that
of w(i). So both terms of the odds after n cards have relative errors of at most
``g(3 (N - n) + 1)``: one more than there are, for terms of less than 2**-1000 of the
other one, which underflow. If the terms R and B have the relative errors a and b, the
odds p = R / (R + B) are wrong by ``p (1 - p) (a - b) / (1 + p a + (1 - p) b)``, to
first order at most ``2 g p (1 - p)``, and a mean with them by that times the difference
of what follows a red and a black card. Of what follows, it also has the mean error, and
at most six roundings of its terms, from the amount in a term to the last sum; eight are
counted. `_more` is for all that is of second order, and for rounding in the bound
itself: less than ``5 g + 16 u`` of it, where ``8 g(k + 8)`` is added.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.printing import short
from cardgames_dp._support.running import refuse_too_large, tracked
from cardgames_dp.redblack._kernels.recurrence import (
    FRACTION_BYTES,
    ROUNDINGS,
    antidiagonal,
    float_amounts,
    integer_rewards,
)
from cardgames_dp.redblack._kernels.scaling import relative_error
from cardgames_dp.redblack.rules import Rules, cash_in_floats
from cardgames_dp.redblack.utilities import in_float64

Prior: TypeAlias = tuple[Fraction, ...]

EITHER, STOPS, DRAWS = 3, 1, 2
"""What is best: the last two are bits."""

_UNDERFLOW = 2.0**-1000
"""More than the odds lose by underflow, and more than a mean does."""

_LARGEST = 2.0**1000
"""The largest size of a utility: sums of some of these do not overflow."""

_NONE = -(2**30)
"""The exponent of 0, less than any other."""


class Tables(NamedTuple):
    """Solved draws with a prior, indexed by the cards drawn, ``[red, black]``.

    Attributes
    ----------
    draw : ndarray of float64 or of Fractions
        What drawing is worth: all that is still to come; under a utility, the expected
        utility. 0 after the last card, and in impossible states.
    best : ndarray of uint8
        `STOPS`, `DRAWS` or, if both are worth the same up to rounding, `EITHER`. After
        the last card `STOPS`; in impossible states 0.
    errors : ndarray of float64, or None
        Bounds of the rounding errors of `draw`; None of Fractions.
    """

    draw: NDArray[Any]
    best: NDArray[np.uint8]
    errors: NDArray[np.float64] | None


class Level(NamedTuple):
    """The same of all states after some draws, by the number of red cards."""

    draw: NDArray[Any]
    best: NDArray[np.uint8]
    errors: NDArray[np.float64] | None = None


def tables(rules: Rules, prior: Prior, exact: bool) -> Tables:
    """Return what is best in all states, in Fractions or in float64."""
    size = len(prior)
    _refuse_large(size, exact)
    found = Tables(
        np.full((size, size), Fraction(0)) if exact else np.zeros((size, size)),
        np.zeros((size, size), dtype=np.uint8),
        None if exact else np.zeros((size, size)),
    )
    levels = (exact_levels if exact else float_levels)(rules, prior)
    for below, level in enumerate(tracked(levels, size, "levels"), 1):
        n = size - below
        for table, cells in zip(found, level, strict=True):
            if table is not None:
                antidiagonal(table, n, 0, n)[:] = cells
    return found


def _refuse_large(size: int, exact: bool) -> None:
    what = f"a table of {short(size)} x {short(size)} states"
    instead = "draw fewer cards" + ", or use backend='float64'" * exact
    cell = FRACTION_BYTES + size // 4 if exact else 17
    refuse_too_large(what, size**2 * cell, instead)


def float_levels(rules: Rules, prior: Prior) -> Iterator[Level]:
    """Yield the levels from the last card to the first in float64."""
    cards = len(prior) - 1
    gain, cost = float_amounts(rules, cards)
    up, down = (gain, cost) if rules.utility is None else (0.0, 0.0)
    sizes, powers, cash = *_scaled(prior), cash_in_floats(rules)
    # Of the level before, its worth and a bound of its rounding error.
    worth, error = np.zeros((2, 0))
    for n in range(cards, -1, -1):
        draw, draw_error = np.zeros(n + 1), np.zeros(n + 1)
        if n < cards:
            red_next, black_next, sizes, powers = _odds(n, sizes, powers)
            after_red, after_black = worth[1:] + up, worth[:-1] - down
            gap = np.abs(after_red - after_black)
            terms = red_next * (np.abs(after_red) + abs(up))
            terms += black_next * (np.abs(after_black) + down)
            carried = red_next * error[1:] + black_next * error[:-1]
            draw = red_next * after_red + black_next * after_black
            odds_error, more = _more(3 * (cards - n) + 1)
            gap *= odds_error * (red_next * black_next) + _UNDERFLOW
            draw_error = (carried + gap + ROUNDINGS * terms + _UNDERFLOW) * more
        possible = sizes > 0
        stop, stop_error = np.zeros(n + 1), np.zeros(1)
        if rules.utility is not None:
            reds = np.flatnonzero(possible)
            stop[possible] = _finite(in_float64(rules.utility, cash(reds, n - reds)))
            stop_error = ROUNDINGS * np.abs(stop)
        best = _best(draw - stop, draw_error + stop_error, possible, n == cards)
        worth = np.maximum(stop, draw) if n < cards else stop
        # Where one is clearly better, the error of the other does not matter.
        error = np.where(best == STOPS, stop_error, draw_error)
        error = np.where(best == EITHER, np.maximum(error, stop_error), error)
        yield Level(draw, best, draw_error)


def _scaled(prior: Prior) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return weights as float64 numbers from 1/2 to 1, and exponents of 2."""
    pairs = []
    for weight in prior:
        top, bottom = weight.as_integer_ratio()
        power = top.bit_length() - bottom.bit_length()
        ratio = (top << max(-power, 0)) / (bottom << max(power, 0))
        size, shift = math.frexp(ratio)
        pairs.append((size, power + shift if top else _NONE))
    sizes, powers = zip(*pairs, strict=True)
    return np.array(sizes), np.array(powers, dtype=np.int32)


def _odds(
    n: int, sizes: NDArray[np.float64], powers: NDArray[np.int32]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[Any], NDArray[Any]]:
    """Return the odds of red and of black after n cards, and how likely states are.

    Both odds are 0 in states that are impossible.
    """
    i = np.arange(n + 1)
    highest = np.maximum(powers[1:], powers[:-1])
    by_red = (i + 1) / (n + 1) * np.ldexp(sizes[1:], powers[1:] - highest)
    by_black = (n + 1 - i) / (n + 1) * np.ldexp(sizes[:-1], powers[:-1] - highest)
    both = by_red + by_black
    sizes, shifts = np.frexp(both)
    both[both == 0] = 1
    by_red /= both
    by_black /= both
    return by_red, by_black, sizes, highest + shifts


def _more(roundings: int) -> tuple[float, float]:
    """Return the factor of the error of odds, and one for what is of second order."""
    of_odds = 2 * float(relative_error(roundings))
    return of_odds, 1 + 8 * float(relative_error(roundings + 8))


def _finite(utilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return utilities that are neither ruin nor too large."""
    if utilities.size and np.abs(utilities).max() > _LARGEST:
        least = utilities.min()
        got = "ruin" if least == -math.inf else np.abs(utilities).max()
        raise ValueError(
            "rules must have a utility that is finite, and of at most 2**1000 in "
            f"float64, for all amounts of cash that can occur, got {got}"
        )
    return utilities


def _best(
    lead: NDArray[Any], doubt: Any, possible: NDArray[np.bool_], last: bool
) -> NDArray[np.uint8]:
    """Return what is best, given how far drawing is ahead, and how certain that is."""
    best = np.full(len(lead), STOPS, dtype=np.uint8)
    if not last:
        best *= lead <= doubt
        best |= DRAWS * (lead >= -doubt).astype(np.uint8)
    best[~possible] = 0
    return best


def exact_levels(rules: Rules, prior: Prior) -> Iterator[Level]:
    """Yield the levels from the last card to the first in Fractions."""
    cards = len(prior) - 1
    orders = [math.comb(cards, i) for i in range(cards + 1)]
    shares = [weight / count for weight, count in zip(prior, orders, strict=True)]
    unit = math.lcm(*[share.denominator for share in shares])
    likely = np.array([int(share * unit) for share in shares], dtype=object)
    reward, denominator = integer_rewards(rules, _possible(prior))
    worth = likely[:0]
    for n in range(cards, -1, -1):
        likely = likely[:-1] + likely[1:] if n < cards else likely
        possible = likely > 0
        stop = np.zeros(n + 1, dtype=object)
        paid = [reward(i, n - i) for i in np.flatnonzero(possible).tolist()]
        stop[possible] = likely[possible] * np.array(paid, dtype=object)
        draw = worth[:-1] + worth[1:] if n < cards else stop
        worth, lead = np.maximum(stop, draw), draw - stop
        tops = np.where(n < cards, lead if rules.utility is None else draw, 0)
        pairs = zip(tops.tolist(), (likely * denominator).tolist(), strict=True)
        ratios = [Fraction(top, bottom or 1) for top, bottom in pairs]
        best = _best(lead, 0, possible, n == cards)
        yield Level(np.array(ratios, dtype=object), best)


def _possible(prior: Prior) -> Iterator[tuple[int, int]]:
    """Yield the states that can occur."""
    possible = np.array([weight > 0 for weight in prior])
    for n in range(len(prior) - 1, -1, -1):
        for i in np.flatnonzero(possible).tolist():
            yield i, n - i
        possible = possible[1:] | possible[:-1]
