"""Bayes' rule: how likely the next card is red, for any prior, in integers and floats.

There are N cards, of which r are red with probability w(r). All orders of the same
cards are equally likely, so all that a player knows after n draws is the number i of
red ones. Let q(i, j) be the probability of one given order of i red and j black cards::

    q(i, N - i) = w(i) / C(N, i),    q(i, j) = q(i + 1, j) + q(i, j + 1).

The next card is red with probability q(i + 1, j) / q(i, j): Bayes' rule, with a single
division. With the total W(i, j) of optimal play and U = q W, the recurrence of the game
is the same sum with a maximum::

    U(i, j) = max(q(i, j) reward(i, j), U(i + 1, j) + U(i, j + 1)).

So it is that of `cardgames_dp.redblack._kernels.recurrence` for a deck of N red and N
black cards of which N are drawn: cells are counted by r = N - i and b = N - j, and q
takes the place of C(n, r). In integers that is all.

Float64 levels hold P(i) = C(n, i) q(i, n - i), the probability of i red cards in n
draws, which is the mean of those of i and of i + 1 red cards in n + 1 draws with the
weights (n + 1 - i) / (n + 1) and (i + 1) / (n + 1). Each P has an exponent of its own,
so none is too small. The odds of a red card are its part of that mean, and values are
means with these odds.

Weights of chance
-----------------
The numbers q(i, n - i) of a row are sums of neighbours in the row of n + 1 cards, and
integers need no division. But for a thousand cards these have more than a thousand
bits, even where the ratio of two neighbours is simple: with equally likely compositions
it is (i + 1) : (j + 1). So ratios are found from ratios as long as all of them are
small; rows are for what is left. Numbers of rows are not brought to lowest terms one by
one, which takes thirty times as long as all sums.

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
counted. The factor `more` is for all that is of second order, and for rounding in the
bound itself: less than ``5 g + 16 u`` of it, where ``8 g(k + 8)`` is added.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from sys import getsizeof
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.printing import short
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.redblack._kernels.scaling import relative_error

Prior: TypeAlias = tuple[Fraction, ...]
"""The probabilities of 0, 1, ..., N red cards; none where the deck is known."""

_SMALL_BYTES, _LARGE_BYTES = 16, 24
"""The memory for the two weights of a state; in addition to an integer, if large."""

_SMALL = 2**62
"""Small weights are less than this, so that sums of two fit in int64."""

_UNDERFLOW = 2.0**-1000
"""More than the odds lose by underflow, and more than a mean does."""

_LARGEST = 2.0**1000
"""The largest size of a utility: sums of some of these do not overflow."""

_NONE = -(2**30)
"""The exponent of 0, less than any other."""


def refuse_many_weights(most: int, each: int = _SMALL_BYTES) -> None:
    """Refuse a prior of so many cards that the weights do not fit in memory."""
    what = f"a prior of {short(most)} cards"
    refuse_too_large(what, most * (most + 1) // 2 * each, "draw fewer cards")


def weights_by_draws(prior: Prior) -> list[NDArray[Any]]:
    """Return the weights of a red and a black card as the next one drawn.

    After n = 0, 1, ..., N - 1 cards: integers of shape (2, n + 1), red first, by red
    cards drawn. Both are 0 in states that the prior excludes.
    """
    most, row = len(prior) - 1, in_integers(prior)
    levels = list(_small_weights(row))
    if len(levels) < most:
        refuse_many_weights(most, _LARGE_BYTES + getsizeof(int(row.max())))
        for n in range(most - 1, -1, -1):
            if len(levels) < most - n:
                levels.append(np.stack([row[1:], row[:-1]]))
            row = row[1:] + row[:-1]
            if n % 16 == 0:  # rarely, as it takes longer than a row
                row //= math.gcd(*row.tolist())
    return levels[::-1]


def _small_weights(row: NDArray[Any]) -> Iterator[NDArray[np.int64]]:
    """Yield weights in lowest terms, from those of the last draw on, if all are small.

    If they are a : b after one more red card, and c : d after one more black card, then
    b : c are q after both, by either way. So those before are (a + b) c : b (c + d),
    which is in lowest terms if a + b and c + d, and b and c, have no common factor.
    Where q after both is 0, in a gap of the prior, these ratios are not enough.
    """
    possible: NDArray[np.bool_] = row > 0
    red, black = _in_lowest_terms(row[1:], row[:-1])
    while len(red) and max(red.max(), black.max()) < _SMALL:
        level = np.stack([red, black]).astype(np.int64)
        yield level
        possible = possible[1:] | possible[:-1]
        both = possible[1:] & possible[:-1]
        left, right = _in_lowest_terms(level[0, :-1], level[1, 1:])
        if not left[both].all():
            return
        sums = level.sum(axis=0)
        sums_red, sums_black = _in_lowest_terms(sums[1:], sums[:-1])
        if len(both):
            largest = max(sums_red.max(), sums_black.max()).item()
            if largest * max(left.max(), right.max()).item() >= _SMALL:
                return
        red = np.where(both, sums_red * left, possible[1:])
        black = np.where(both, sums_black * right, possible[:-1])


def _in_lowest_terms(
    tops: NDArray[Any], bottoms: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return two arrays of integers, without the factors that pairs have in common."""
    common = np.maximum(np.gcd(tops, bottoms), 1)
    return tops // common, bottoms // common


def in_integers(prior: Prior) -> NDArray[np.object_]:
    """Return q after N cards, in a unit in which they are integers."""
    shares = [p / math.comb(len(prior) - 1, i) for i, p in enumerate(prior)]
    unit = math.lcm(*[share.denominator for share in shares])
    return np.array([int(share * unit) for share in shares], dtype=object)


def drawn(prior: Prior) -> Iterator[tuple[int, int]]:
    """Yield the red and black cards drawn that can occur."""
    possible = np.array([weight > 0 for weight in prior])
    for n in range(len(prior) - 1, -1, -1):
        for i in np.flatnonzero(possible).tolist():
            yield i, n - i
        possible = possible[1:] | possible[:-1]


class Odds(NamedTuple):
    """The odds of the next card in the states of a level, in float64.

    `red` and `black` are 0 in states that cannot occur, and after the last card.
    `doubt`: by how much odds may be wrong; `more`: the factor for what is of second
    order.
    """

    possible: NDArray[np.bool_]
    red: NDArray[np.float64]
    black: NDArray[np.float64]
    doubt: NDArray[np.float64]
    more: float

    def errors_of_means(
        self,
        error: NDArray[np.float64],
        after_red: NDArray[np.float64],
        after_black: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return the errors of means with these odds, given those of their terms."""
        gap = np.abs(after_red - after_black) * self.doubt
        return (error + gap + _UNDERFLOW) * self.more


def odds(prior: Prior) -> Iterator[Odds]:
    """Yield the odds by level, from the last card to the first; by r = N - i."""
    cards = len(prior) - 1
    sizes, powers = _scaled(prior[::-1])
    nothing = np.zeros(cards + 1)
    yield Odds(sizes > 0, nothing, nothing, nothing, 1.0)
    for n in range(cards - 1, -1, -1):
        red, black, sizes, powers = _odds(n, sizes, powers)
        wrong, more = _more(3 * (cards - n) + 1)
        yield Odds(sizes > 0, red, black, wrong * (red * black) + _UNDERFLOW, more)


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
    """Return the odds of red and of black, and the chances of states, by reds drawn."""
    j = np.arange(n + 1)
    highest = np.maximum(powers[1:], powers[:-1])
    by_red = (n + 1 - j) / (n + 1) * np.ldexp(sizes[:-1], powers[:-1] - highest)
    by_black = (j + 1) / (n + 1) * np.ldexp(sizes[1:], powers[1:] - highest)
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


def finite(utilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return utilities that are neither ruin nor too large."""
    if utilities.size and np.abs(utilities).max() > _LARGEST:
        least = utilities.min()
        got = "ruin" if least == -math.inf else np.abs(utilities).max()
        raise ValueError(
            "rules must have a utility that is finite, and of at most 2**1000 in "
            f"float64, for all amounts of cash that can occur, got {got}"
        )
    return utilities
