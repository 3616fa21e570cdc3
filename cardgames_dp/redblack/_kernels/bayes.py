"""Bayes' rule in integers: how likely the next card is red, for any prior.

The weights of a red and of a black card after i red and j black ones are q(i + 1, j)
and q(i, j + 1), the probabilities of one given order of these cards: see
`cardgames_dp.redblack._kernels.urns`. As the numbers q(i, n - i) of a row are sums of
neighbours in the row of n + 1 cards, integers need no division. But for a thousand
cards these have more than a thousand bits, even where the ratio of two neighbours is
simple: with equally likely compositions it is (i + 1) : (j + 1). So ratios are found
from ratios as long as all of them are small; rows are for what is left. Numbers of rows
are not brought to lowest terms one by one, which takes thirty times as long as all
sums.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from sys import getsizeof
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.printing import short
from cardgames_dp._support.running import refuse_too_large

_SMALL_BYTES, _LARGE_BYTES = 16, 24
"""The memory for the two weights of a state; in addition to an integer, if large."""

_SMALL = 2**62
"""Small weights are less than this, so that sums of two fit in int64."""


def refuse_many_weights(most: int, each: int = _SMALL_BYTES) -> None:
    """Refuse a prior of so many cards that the weights do not fit in memory."""
    what = f"a prior of {short(most)} cards"
    refuse_too_large(what, most * (most + 1) // 2 * each, "draw fewer cards")


def weights_by_draws(prior: tuple[Fraction, ...]) -> list[NDArray[Any]]:
    """Return the weights of a red and a black card as the next one drawn.

    Parameters
    ----------
    prior : tuple of Fraction
        The probabilities of 0, 1, ..., N red cards among N cards.

    Returns
    -------
    list of ndarray of int64 or object, shape (2, n + 1)
        After n = 0, 1, ..., N - 1 cards: by colour, red first, and by red cards drawn.
        Both are 0 in states that the prior excludes.

    Raises
    ------
    TooLargeError
        If they would not fit in memory.
    """
    most = len(prior) - 1
    shares = [p / math.comb(most, i) for i, p in enumerate(prior)]
    unit = math.lcm(*[share.denominator for share in shares])
    row: NDArray[Any] = np.array([int(share * unit) for share in shares], dtype=object)
    found = list(_small_weights(row))
    if len(found) < most:
        refuse_many_weights(most, _LARGE_BYTES + getsizeof(int(row.max())))
        for n in range(most - 1, -1, -1):
            if len(found) < most - n:
                found.append(np.stack([row[1:], row[:-1]]))
            row = row[1:] + row[:-1]
            if n % 16 == 0:  # rarely, as it takes longer than a row
                row //= math.gcd(*row.tolist())
    return found[::-1]


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
