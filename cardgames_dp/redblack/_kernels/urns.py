"""Urns of unknown composition, about which the player learns by drawing.

There are N cards, of which r are red with probability w(r). All orders of the same
cards are equally likely, so all that a player knows after n draws is the number i of
red ones. Let q(i, j) be the probability of one given order of i red and j black cards::

    q(i, N - i) = w(i) / C(N, i),    q(i, j) = q(i + 1, j) + q(i, j + 1),

The next card is red with probability q(i + 1, j) / q(i, j): Bayes' rule, with a single
division. With the total W(i, j) of optimal play and U = q W, the recurrence of the game
is the same sum with a maximum::

    U(i, j) = max(q(i, j) reward(i, j), U(i + 1, j) + U(i, j + 1)).

A known deck is the special case of a single r; draws with replacement at fixed odds are
the case of a binomial w.

Exact levels hold these numbers as integers. Float64 levels hold P(i) = C(n, i) q(i,
n - i), the probability of i red cards in n draws, and C(n, i) U, so that all numbers
have similar sizes: both are computed from the level of n + 1 cards with the weights
(n + 1 - i) / (n + 1) and (i + 1) / (n + 1). Rewards are counted from the smallest, so
that no number is negative; each level then adds at most four roundings to the relative
error of either.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.redblack._kernels.scaling import relative_error
from cardgames_dp.redblack.rules import Rules

LEAST_CHANCE = 1e-250
"""In float64, states less likely than this count as impossible."""

_ROUNDINGS = 4
"""Roundings of a cell at each level; the reward and the first level have a few more."""


class Level(NamedTuple):
    """The states after n draws, by how many of them were red.

    Attributes
    ----------
    n : int
    possible : ndarray of bool, shape (n + 1,)
    values : ndarray, shape (n + 1,)
        The gain of playing on over stopping, never negative; 0 after the last card, and
        where the state is impossible.
    ties : ndarray of bool, shape (n + 1,)
        Where drawing is worth as much, to rounding.
    red : ndarray, shape (n + 1,)
        The probability that the next card is red; 0 after the last one.
    totals : ndarray, shape (n + 1,)
        The totals of optimal play.
    """

    n: int
    possible: NDArray[np.bool_]
    values: NDArray[Any]
    ties: NDArray[np.bool_]
    red: NDArray[Any]
    totals: NDArray[Any]


def rewards(rules: Rules, n: int) -> NDArray[np.float64]:
    """Return the rewards of stopping after n draws, by the number of red cards."""
    red = np.arange(n + 1)
    return rules.reward(float(rules.gain) * red - float(rules.cost) * (n - red))


def lowest_reward(rules: Rules, cards: int) -> float:
    """Return the smallest of all rewards."""
    return min([float(rewards(rules, n).min()) for n in range(cards + 1)])


def float_levels(
    rules: Rules, prior: NDArray[np.float64], lowest: float
) -> Iterator[Level]:
    """Yield the levels from the last card to the first in float64.

    The smallest of all rewards must be finite.
    """
    cards = len(prior) - 1
    chance = prior / prior.sum()
    best = np.zeros(0)
    for n in range(cards, -1, -1):
        reward = rewards(rules, n) - lowest
        red = np.zeros(n + 1)
        if n < cards:
            i = np.arange(n + 1)
            black_next, red_next = (n + 1 - i) / (n + 1), (i + 1) / (n + 1)
            by_red = red_next * chance[1:]
            chance = black_next * chance[:-1] + by_red
            draw = black_next * best[:-1] + red_next * best[1:]
            possible = chance >= LEAST_CHANCE
            np.divide(by_red, chance, out=red, where=possible)
        else:
            draw, possible = chance * reward, chance >= LEAST_CHANCE
        stop = chance * reward
        best = np.maximum(stop, draw)
        doubt = float(relative_error(_ROUNDINGS * (cards - n) + 16))
        ties = possible & (np.abs(draw - stop) <= doubt * (draw + stop))
        values = np.zeros(n + 1)
        np.divide(best - stop, chance, out=values, where=possible & ~ties)
        totals = np.full(n + 1, lowest)
        np.divide(best, chance, out=totals, where=possible)
        totals[possible] += lowest
        yield Level(n, possible, values, ties & (n < cards), red, totals)


def exact_levels(rules: Rules, prior: list[Fraction]) -> Iterator[Level]:
    """Yield the same in Fractions."""
    cards = len(prior) - 1
    unit = math.lcm(*(weight.denominator for weight in prior))
    orders = [math.comb(cards, i) for i in range(cards + 1)]
    scale = math.lcm(*orders)
    likely = _integers(
        [int(w * unit) * (scale // c) for w, c in zip(prior, orders, strict=True)]
    )
    reward, denominator = _integer_rewards(rules, cards)
    best = _integers([])
    for n in range(cards, -1, -1):
        red = _integers([0] * (n + 1))
        if n < cards:
            before, likely = likely, likely[:-1] + likely[1:]
            draw = best[:-1] + best[1:]
            red[:] = _ratios(before[1:], likely)
        stop = likely * reward(n)
        if n == cards:
            draw = stop
        best = np.maximum(stop, draw)
        possible = likely > 0
        values = _ratios(best - stop, likely * denominator)
        totals = _ratios(best, likely * denominator)
        ties = possible & (draw == stop) & (n < cards)
        yield Level(n, possible.astype(bool), values, ties.astype(bool), red, totals)


def _integer_rewards(
    rules: Rules, cards: int
) -> tuple[Callable[[int], NDArray[np.object_]], int]:
    """Return the rewards of each level over one common denominator, and that."""
    levels = [
        rules.exact_reward(rules.gain * i - rules.cost * (n - i) for i in range(n + 1))
        for n in range(cards + 1)
    ]
    denominator = math.lcm(*{reward.denominator for row in levels for reward in row})
    return (
        lambda n: _integers([int(reward * denominator) for reward in levels[n]]),
        denominator,
    )


def posterior(
    prior: list[Any], red: int, black: int, *, exact: bool
) -> list[Fraction] | list[float]:
    """Return the probabilities of the numbers of red cards left, after some draws.

    An empty list if the draws are impossible.
    """
    cards, rest = len(prior) - 1, len(prior) - 1 - red - black
    weights = [
        Fraction(prior[red + more])
        * Fraction(math.comb(rest, more), math.comb(cards, red + more))
        for more in range(rest + 1)
    ]
    whole = sum(weights)
    if not whole:
        return []
    found = [weight / whole for weight in weights]
    return found if exact else [float(weight) for weight in found]


def _integers(numbers: list[Any]) -> NDArray[np.object_]:
    array = np.empty(len(numbers), dtype=object)
    array[:] = numbers
    return array


def _ratios(tops: NDArray[Any], bottoms: NDArray[Any]) -> NDArray[np.object_]:
    """Return Fractions; a ratio with denominator 0 is 0."""
    return _integers([Fraction(t, b or 1) for t, b in zip(tops, bottoms, strict=True)])
