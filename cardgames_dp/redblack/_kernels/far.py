r"""Decks far from the boundary: above it they stop at once, below it they are free.

Only a deck that is about fair under its rules, ``c B = g R``, can meet the boundary at
all levels. With s = c B - g R (`cardgames_dp.redblack._kernels.sweep` has the
notation), N = R + B and h = (g + c) / 2, the reward of stopping per card, ``s / N``, is
a martingale while cards are drawn, and the boundary lies at about ``0.84 sqrt(g c n)``.

**Below**, s < 0, paths come near the boundary only when few cards are left: about
``120 h**2 N**2 / s**2``. Further up the player never stops. So from the last level n
where the boundary can be met (`Sweep.free_from`) to the full deck there are no
decisions::

    W(N, R) = sum over r of  C(N - n, R - r) / C(N, R) * U(n, r)

This is a single sum for any N: `leap`.

**Above**, s well beyond sqrt(N), drawing is wrong: `stops_at_once`. Proof: let a player
draw, and follow them through the first M = N // 2 cards at most, up to where they stop;
m is ``s / n`` there. If s / n never falls below half of what it was, they stop with at
most (N - 1) m; or go on from N - M cards, which is worth no more than (N - M) m plus
the value of such a deck, at most ``3.1 h sqrt(N - M)``, which is less than (N - 1) m by
the first condition below. Else they get at most (N - 1) m + 2 h N, because m >= -g and
the player wins at most c a card. As m is s / N on average, drawing is worth less than
``(N - 1) s / N + 2 h N P``, P the probability of the fall, which is less than s by the
second condition. Serfling's inequality [1]_, in its form for the largest deviation on
the way [2]_, gives P: at most ``exp(-0.98 t**2 / 8)``, where ``s = t h sqrt(N)``, and
the value of n cards with s >= 0 as well: the mean of the largest ``n (m - m0)`` in
either half of the deck, at most ``h sqrt(3 pi n) / 2`` each.

References
----------
.. [1] R. J. Serfling, "Probability inequalities for the sum in sampling without
   replacement", Annals of Statistics 2 (1974), 39-48.
.. [2] R. Bardenet and O.-A. Maillard, "Concentration inequalities for sampling without
   replacement", Bernoulli 21 (2015), 1361-1385, section 2.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import chain, islice

from cardgames_dp.redblack._kernels.band import Tilt
from cardgames_dp.redblack._kernels.scaled import MANTISSA_BITS, Scaled
from cardgames_dp.redblack._kernels.stakes import Stakes
from cardgames_dp.redblack._kernels.sweep import Level

_FEWEST = 100
"""The smallest number of cards for which the constants of the proof hold."""


def stops_at_once(stakes: Stakes, red: int, black: int) -> bool:
    """Return whether stopping is right because the deck is far above the boundary.

    If False is returned, stopping may still be right.
    """
    cards, stopping = red + black, stakes.reward(red + black, red)
    if stopping <= 0 or cards < _FEWEST:
        return False
    spread = stakes.gain + stakes.cost
    squared = min(4 * stopping**2 // (spread**2 * cards), 10**6)
    # In logarithms, because the number of cards may exceed the range of float64.
    odds = math.log(spread) + 2 * math.log(cards) - math.log(stopping)
    return squared >= 100 and 0.98 * squared / 8 > odds


def leap(level: Level, tilt: Tilt, red: int, black: int) -> Fraction:
    """Return W of a full deck from a level that its paths reach without stopping.

    The relative error is at most four roundings: of a weight, a product, the sum, and
    one to spare.
    """
    first = max(level.top, level.base + 1)
    last = min(level.base + len(level.cells) - 1, level.n)
    weights = path_weights(tilt, red, black, level.n, first, last)
    cells = level.cells[first - level.base : last + 1 - level.base].tolist()
    unit = max(weight.exponent for weight in weights) + MANTISSA_BITS
    total = math.fsum(
        math.ldexp(weight.mantissa, weight.exponent - unit) * cell
        for weight, cell in zip(weights, cells, strict=True)
    )
    return Fraction(total) * Scaled(1, unit + level.unit).fraction()


def path_weights(
    tilt: Tilt,
    red: int,
    black: int,
    n: int,
    first: int,
    last: int,
    bits: int = MANTISSA_BITS,
) -> list[Scaled]:
    """Return C(N - n, R - r) / C(N, R) over the tilt of r, for r from first to last.

    Or less by a part ``2**(36 - bits) n`` at most; 0 where r is not in the deck.
    """
    least, most = max(first, n - black), min(last, red)
    weight = _paths(red, black, n, least, bits)
    weight = weight.over(tilt.weight(least, n - least, bits), bits)
    shift = tilt.red_shift - tilt.black_shift
    weights = [Scaled(0, weight.exponent)] * (least - first) + [weight]
    for r in range(least, most):
        up, down = (red - r) * tilt.black, (black - n + r + 1) * tilt.red
        weight = weight.times(up, down, exact=False, bits=bits)
        weight = Scaled(weight.mantissa, weight.exponent + shift)
        weights.append(weight)
    return weights + [Scaled(0, weight.exponent)] * (last - most)


def _paths(red: int, black: int, n: int, r: int, bits: int) -> Scaled:
    """Return C(N - n, R - r) / C(N, R)."""
    total, result = red + black, Scaled(1, 0).normalised(bits)
    reds, blacks = range(red, red - r, -1), range(black, black - (n - r), -1)
    factors = chain(reds, blacks)
    for start in range(total, total - n, -16):
        below = range(start, max(start - 16, total - n), -1)
        above = math.prod(islice(factors, len(below)))
        result = result.times(above, math.prod(below), exact=False, bits=bits)
    return result
