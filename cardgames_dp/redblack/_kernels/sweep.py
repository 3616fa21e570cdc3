"""One sweep up the Pascal triangle of red/black, past a single stopping boundary.

Let r red and b black cards remain, n = r + b; a red card gains `g` and a black card
costs `c`. Count rewards relative to playing on to the very end: stopping at (r, b) is
then worth the *reward* ``s = c b - g r = c n - (g + c) r``, the end of the deck 0, and
the best expected reward W(r, b) is ``max(s, r/n W(r-1, b) + b/n W(r, b-1))``. In Pascal
form, ``U(n, r) = C(n, r) W``, the probabilities disappear [1]_::

    U(n, r) = max(s C(n, r), U(n-1, r-1) + U(n-1, r))        U(0, 0) = 0

and a whole antidiagonal n is one addition of two shifted arrays. The marginal value of
the position is W - s.

**One boundary.** The maximum matters in only one cell of a level. For each n the stop
set is ``r <= top(n)``, because no player gains if a red card turns black. And top(n) is
top(n-1) or top(n-1) + 1. It is not lower: both successors of (n, top(n-1)) stop, so
drawing there is worth s (n-1)/n <= s. It is not higher: if (n, r) stops, so does (n-1,
r-1), because no player gains by the loss of a red card (a player who has it can ignore
it). So each level decides one cell, r = top(n-1) + 1, by comparing its stopping value
with the sum that the addition has just brought; cells below the boundary are never
touched.

**Close decisions.** Rounding can hide a rise of the boundary that is nearly a tie. The
cell still gets its value, within the error of both sums, but a boundary that is one too
low could not rise by two at the next level. So the sweep goes on from the higher
boundary wherever the error bound leaves the decision open. That is safe: if drawing at
(n, r) is better by less than ``s / n``, stopping at (n+1, r) is right, since a black
card leads to (n, r), a red one to a cell that stops, and a draw between two such cells
costs ``s / (n+1)``. For this, `error` must be below ``1 / (4 n)``: up to 10**7 cards it
is.

**Band.** In float64 the sweep keeps only the cells that a path from the full deck may
visit: r within x(n) of its mean, where x(n) is the smaller of Serfling's [2]_ and
Bernstein's bounds [3]_ for one tail of probability 2**-64 / N. Cells outside count as
0, the worth of playing to the end, so the result is what some policy achieves: a lower
bound. The omitted paths, at most 2 N of these tails, could bring ``c black`` at most.
Once stopping is worth less than 0 in all of the band, which then holds at all further
levels, the sweep only adds, and `total_from_level` replaces the remaining levels. In
all this takes O(l**1.5) time and O(sqrt l) memory for l + l cards, and less for decks
that are not about fair.

**Scale.** Float cells are in units of a power of two, renewed with the band every
`BLOCK` levels. Unequal colours are *tilted*, G = U t**r with t near red/black, so that
the cells that matter stay of one magnitude. The stopping value is computed from a
binomial that is renewed from 192 bits every `_RENEWAL` levels, so nothing drifts, and
every operation adds or multiplies non-negative numbers: `Sweep.error` bounds what
rounding can do.

In exact arithmetic the same code runs on Python integers, with neither band nor scale.

**Decks far from the boundary** stop at once above it, and are free below it. Only a
deck that is about fair under its rules, ``c B = g R``, can meet the boundary at all
levels. With s = c B - g R, N = R + B and h = (g + c) / 2, the reward of stopping per
card, ``s / N``, is a martingale while cards are drawn, and the boundary lies at about
``0.84 sqrt(g c n)``.

**Below**, s < 0, paths come near the boundary only when few cards are left: about
``120 h**2 N**2 / s**2``. Further up the player never stops. So from the last level n
where the boundary can be met (`Sweep.level_without_stops`) to the full deck there are
no decisions::

    W(N, R) = sum over r of  C(N - n, R - r) / C(N, R) * U(n, r)

This is a single sum for any N: `total_from_level`.

**Above**, s well beyond sqrt(N), drawing is wrong: `stops_at_once`. Proof: let a player
draw, and follow them through the first M = N // 2 cards at most, up to where they stop;
m is ``s / n`` there. If s / n never falls below half of what it was, they stop with at
most (N - 1) m; or go on from N - M cards, which is worth no more than (N - M) m plus
the value of such a deck, at most ``3.1 h sqrt(N - M)``, which is less than (N - 1) m by
the first condition below. Else they get at most (N - 1) m + 2 h N, because m >= -g and
the player wins at most c a card. As m is s / N on average, drawing is worth less than
``(N - 1) s / N + 2 h N P``, P the probability of the fall, which is less than s by the
second condition. Serfling's inequality [2]_, in its form for the largest deviation on
the way [4]_, gives P: at most ``exp(-0.98 t**2 / 8)``, where ``s = t h sqrt(N)``, and
the value of n cards with s >= 0 as well: the mean of the largest ``n (m - m0)`` in
either half of the deck, at most ``h sqrt(3 pi n) / 2`` each.

References
----------
.. [1] W. M. Boyce, "On a simple optimal stopping problem", Discrete Mathematics 5
   (1973), 297-312, has this in integers for the marginal value.
.. [2] R. J. Serfling, "Probability inequalities for the sum in sampling without
   replacement", Annals of Statistics 2 (1974), 39-48.
.. [3] W. Hoeffding, "Probability inequalities for sums of bounded random variables",
   Journal of the American Statistical Association 58 (1963), 13-30; section 6 carries
   them over to draws without replacement.
.. [4] R. Bardenet and O.-A. Maillard, "Concentration inequalities for sampling without
   replacement", Bernoulli 21 (2015), 1361-1385, section 2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, cycle, islice
from operator import floordiv, truediv
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.arguments import at_most, shown
from cardgames_dp._support.printing import short
from cardgames_dp._support.running import float_or_inf, refuse_too_large, with_progress
from cardgames_dp.redblack._kernels import scaling
from cardgames_dp.redblack._kernels.scaling import BLOCK, Band, Scaled, Tilt
from cardgames_dp.redblack.rules import Problem, Rules, Stakes, Tie

MOST_SWEPT = 10**300
"""The most cards of a colour, within the range of float64."""

_MOST_LEVELS, _MOST_LEVELS_EXACTLY = 10**10, 10**8
"""Levels that take about a week on one core of a server of 2025."""

_STAKE_BITS = 256
"""The most bits of stakes: products of more would overflow; 0.1 and 1e20 have 124."""

_TOP_BYTES = 48
"""Bytes of a level of a boundary, as an array and as a list of ints for a loop."""

_RENEWAL = 16
"""Levels between two renewals of C(n, top) from 192 bits."""

_START = 16 + 4 * _RENEWAL
"""Roundings, in levels, of a stopping value, and of the last division or a leap.

Four at most a level: of a weight, two products and a quotient.
"""

_MOST_TO_LEAP = 10**100
"""Cards of the largest deck whose band is computed in float64."""


class Level(NamedTuple):
    """One antidiagonal of a sweep.

    `top`: the largest r at which stopping is right. When the deck can no longer reach
    the boundary, its last place is repeated. `rose`: whether the cell that this level
    decided, the one above the boundary before, stops; it is the top then. `stop` and
    `draw`: the worths in that cell, in the form of `cells`; 0 and 0 if there was no
    decision. ``cells[i]`` holds U(n, base + i), tilted, over ``2**unit``, until the
    next level.
    """

    n: int
    top: int
    rose: bool
    stop: float
    draw: float
    cells: NDArray[Any]
    base: int
    unit: int


class Sweep:
    """The sweep from the empty deck up to the full one of `red` and `black` cards.

    The deck has a card of each colour. `tie` says whether the boundary includes a cell
    where both are worth the same; in float64 the rounded comparison decides. `tilt` has
    the weights of the colours. From the level `level_without_stops` on the band has no
    cell in which stopping would be right; it is the full deck's if there is none, and
    if `exact`.
    """

    def __init__(
        self, stakes: Stakes, red: int, black: int, exact: bool, tie: Tie = "stop"
    ) -> None:
        self.stakes, self.red, self.black = stakes, red, black
        self.exact, self.tie = exact, tie
        self.tilt = Tilt() if exact else Tilt.of(red, black)
        self.level_without_stops = (
            red + black if exact else level_without_stops(stakes, Band(red, black))
        )

    @classmethod
    def of(cls, problem: Problem, *, tie: Tie = "stop", last: int = 0) -> Sweep:
        """Return the sweep of a deck, or up to level `last`, unless it is too large."""
        rules, red, black, exact = problem
        if max(red, black) > MOST_SWEPT:
            raise ValueError(
                f"red and black must be at most 10**300, got {problem.deck}"
            )
        stakes = Stakes.of(rules)
        sweep = cls(stakes, red, black, exact, tie)
        refuse_large(
            problem, min(last or sweep.level_without_stops, sweep.level_without_stops)
        )
        if not exact and max(stakes.gain, stakes.cost).bit_length() > _STAKE_BITS:
            raise ValueError(
                "rules must have amounts of less different sizes for float64, got "
                f"win - fee = {short(rules.gain, 12)} and lose + fee = "
                f"{short(rules.cost, 12)}, which are not multiples of a common "
                f"unit by less than 2**{_STAKE_BITS}; use backend='exact'"
            )
        return sweep

    @property
    def cards(self) -> int:
        """The number of cards, N."""
        return self.red + self.black

    @property
    def bits(self) -> int | None:
        """Bits of the binomial coefficients; None if they are exact."""
        return None if self.exact else scaling.MANTISSA_BITS

    @property
    def error(self) -> Fraction:
        """A bound on the relative rounding error of every W of the sweep."""
        if self.exact:
            return Fraction(0)
        levels = self.level_without_stops + _START
        return scaling.relative_error(self.tilt.roundings * levels)

    @property
    def omitted(self) -> Fraction:
        """A bound of what paths outside the band could add to W of the full deck."""
        if self.exact:
            return Fraction(0)
        return Fraction(self.stakes.cost * self.black, 1 << (scaling.TAIL_BITS - 1))

    def reward(self, level: Level, r: int, count: Scaled | None = None) -> Fraction:
        """Return W at a cell of a level, in units of the stakes; `count` is C(n, r)."""
        if r <= level.top:
            return Fraction(self.stakes.reward(level.n, r))
        if count is None:
            count = scaling.binomial(level.n, r, self.bits)
        weight = self.tilt.weight(r, level.n - r)
        number = Fraction(level.cells.item(r - level.base))
        return number / count.by(weight, -level.unit).fraction()

    def certain(self, level: Level) -> bool:
        """Return whether rounding and cuts cannot have changed a level's decision."""
        if self.exact or not level.stop:
            return True
        reward = self.stakes.reward(level.n, level.top + (not level.rose))
        rounding = self.tilt.roundings * (level.n + _START) * 2.0**-53
        # Doubled, for neglected terms: second-order roundings, and those made here.
        doubt = 2 * (rounding + float(self.omitted) / reward)
        return abs(level.stop - level.draw) > doubt * level.stop

    def levels(self, *, every: bool = True) -> Iterator[Level]:
        """Yield the levels n = 1, 2, ..., until the full deck is reached or stops.

        Unless `every`, the last one of each block only, which is faster.
        """
        red, black, total, exact = self.red, self.black, self.cards, self.exact
        cost, slope = self.stakes.cost, self.stakes.gain + self.stakes.cost
        red_weight, black_weight = self.tilt.weights
        divide = floordiv if exact else truediv
        band, ties_stop = None if exact else Band(red, black), self.tie == "stop"
        cells, base, unit = np.zeros(2, object if exact else np.float64), -1, 0
        n, top, reward, bounded, hidden = 0, 0, 0, True, False
        open_from = 1 - 4 * float(self.error)  # of a decision: twice the errors of both
        # C(n, top), tilted: as cells have it, and not in exact arithmetic at `renewed`.
        count: float = 1
        renewed = Scaled(1, 0).normalised(), 0, 0
        while n < total and top - hidden < red:
            begin, end = n, min(n + BLOCK, total)
            first, last = max(n - black, 0), min(red, end)
            if band:
                lowest, highest = band.over(n, end)
                first, last = max(first, lowest), min(last, highest)
                bounded = n < self.level_without_stops
                # In the unit that makes the largest one about 1.
                shift = math.frexp(cells.max())[1]
                cells, unit = np.ldexp(cells, -shift), unit + shift
            if bounded := bounded and top >= n - black:
                first, last = top, max(last, top + BLOCK + 1)
            cells, base = window(cells, base, first, last), first - 1
            for added in islice(_additions(cells, self.tilt), end - n):
                cells = added
                if bounded and not exact and (n - begin) % _RENEWAL == 0:
                    renewed = _renewed(renewed, n, top, self.tilt)
                    count = renewed[0].in_units(unit)
                n += 1
                rises, hidden, stop, draw = False, False, 0.0, 0.0
                if bounded:
                    reward += cost
                    # Decide one cell: does top + 1 stop as well?
                    if reward > slope:
                        above = divide(count * (n * red_weight), top + 1)
                        stop = (reward - slope) * above
                        draw = cells.item(top + 1 - base)
                        rises = stop > draw or (ties_stop and stop == draw)
                        hidden = not (rises or exact) and stop > open_from * draw
                    if rises or hidden:
                        top, count, reward = top + 1, above, reward - slope
                        if rises:
                            cells[top - base] = stop
                    else:
                        count = divide(count * (n * black_weight), n - top)
                        cells[top - base] = reward * count
                if every or n == end:
                    yield Level(n, top - hidden, rises, stop, draw, cells, base, unit)


def refuse_large(problem: Problem, last: int = 0) -> None:
    """Refuse a sweep to level `last`, or to the end, that is too large or too long."""
    rules, red, black, exact = problem
    if exact:
        # Two windows of integers of as many bits as levels, in 30-bit digits.
        bits = about_levels(rules, red, black)
        size = 2 * (min(red, black) + 1) * (int(bits) * 4 // 30 + 36)
        instead = "use backend='float64', and enclosure(...) for its error"
        refuse_too_large(f"the exact sweep of {problem.deck}", size, instead)
    else:
        instead = (
            "use method='staircase' (up to 2**50 cards, about as many red as black "
            "ones, and rules under which a red card gains what a black one costs), "
            "enclosure(l, l) or fitting.asymptotic_value(...) beyond, or a smaller "
            "deck; foresight_value(...) is a bound"
        )
    passed = int(about_levels(rules, red, black, last))
    most = _MOST_LEVELS_EXACTLY if exact else _MOST_LEVELS
    at_most(f"the levels of a sweep of {problem.deck}", passed, most, instead)


def about_levels(rules: Rules, red: int, black: int, last: int = 0) -> float:
    """Return how many levels a sweep passes: to level `last`, or to its end.

    It ends where stopping brings about as much as playing to the end of the deck.
    """
    n = float_or_inf(last or red + black)
    even = (
        float_or_inf(math.ceil(red * (1 + rules.gain / rules.cost)))
        if rules.cost
        else n
    )
    return min(n, even + 4 * math.sqrt(even) + 64)


def _renewed(
    before: tuple[Scaled, int, int], n: int, top: int, tilt: Tilt
) -> tuple[Scaled, int, int]:
    """Return C(n, top), tilted, to 192 bits, with n and top, from a lower level's."""
    orders, level, place = before
    rises, stays = top - place, n - level - (top - place)
    ways = math.perm(n, rises + stays) * tilt.red**rises * tilt.black**stays
    alike = math.perm(top, rises) * math.perm(n - top, stays)
    mantissa, exponent = orders.times(ways, alike)
    exponent -= tilt.red_shift * rises + tilt.black_shift * stays
    return Scaled(mantissa, exponent), n, top


def level_without_stops(stakes: Stakes, band: Band) -> int:
    """Return the level from which on a deck's band has no cell to stop in."""
    total = band.red + band.black
    if total > _MOST_TO_LEAP:
        return total
    # The largest reward of the band is concave in n, and positive at 0: once it is not
    # positive, it falls.
    bounded, free = 0, -(-total // BLOCK)
    while free - bounded > 1:
        middle = (bounded + free) // 2
        n = middle * BLOCK
        lowest, _ = band.over(n, min(n + BLOCK, total))
        if stakes.reward(n, lowest) > 0:
            bounded = middle
        else:
            free = middle
    return min(free * BLOCK, total)


def window(cells: NDArray[Any], base: int, first: int, last: int) -> NDArray[Any]:
    """Return the cells r = first..last behind an empty rim; those not there are 0."""
    window = scaling.part(cells[1:], base + 1, first - 1, last)
    window[0] = 0
    return window


def _additions(cells: NDArray[Any], tilt: Tilt) -> Iterator[NDArray[Any]]:
    """Yield the window one, two, ... levels on, by Pascal's rule; overwrites it."""
    red, black = tilt.weights
    other = cells.copy()
    # Views made once a block: slicing is a third of the time of a level.
    there = (other, other[1:], cells[:-1], cells[1:])
    back = (cells, cells[1:], other[:-1], other[1:])
    for window, result, drew_red, drew_black in cycle((there, back)):
        if red < 1:
            np.multiply(drew_red, red, out=result)
            np.add(result, drew_black, out=result)
        elif black < 1:
            np.multiply(drew_black, black, out=result)
            np.add(result, drew_red, out=result)
        else:
            np.add(drew_red, drew_black, out=result)
        yield window


_FEWEST = 100
"""The smallest number of cards for which the constants of the proof hold."""


def stops_at_once(stakes: Stakes, red: int, black: int) -> bool:
    """Return whether a deck is so far above the boundary that it stops for certain."""
    cards, stopping = red + black, stakes.reward(red + black, red)
    if stopping <= 0 or cards < _FEWEST:
        return False
    spread = stakes.gain + stakes.cost
    squared = min(4 * stopping**2 // (spread**2 * cards), 10**6)
    # In logarithms, because the number of cards may exceed the range of float64.
    odds = math.log(spread) + 2 * math.log(cards) - math.log(stopping)
    return squared >= 100 and 0.98 * squared / 8 > odds


def total_from_level(level: Level, tilt: Tilt, red: int, black: int) -> Fraction:
    """Return W of a full deck from a level that its paths reach without stopping.

    Four roundings at most: of a weight, a product, the sum, and one to spare.
    """
    first = max(level.top, level.base + 1)
    last = min(level.base + len(level.cells) - 1, level.n)
    weights = path_weights(tilt, red, black, level.n, first, last)
    cells = level.cells[first - level.base : last + 1 - level.base].tolist()
    unit = max(weight.exponent for weight in weights) + scaling.MANTISSA_BITS
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
    bits: int = scaling.MANTISSA_BITS,
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
        weight = weight.times(up, down, bits).by(Scaled(1, shift))
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
        result = result.times(above, math.prod(below), bits)
    return result


def tops(problem: Problem) -> NDArray[np.int64]:
    """Return for each n the largest r that stops, -1 if none, under linear rules."""
    rules, red, black, _ = problem
    total = red + black
    refuse_too_large(
        f"the boundary of {shown(total)} levels",
        _TOP_BYTES * total,
        "use value(...), or thresholds(...) with a bound on the excess",
    )
    if rules.gain <= 0 or rules.cost == 0:
        return _tops_of_free_cards(rules, total, rules.tie)
    result = np.zeros(total + 1, dtype=np.int64)
    if red == 0 or black == 0:
        return result
    top = n = 0
    sweep = Sweep.of(problem, tie=rules.tie)
    last = sweep.level_without_stops
    for level in with_progress(sweep.levels(), last, "levels"):
        n, top = level.n, level.top
        result[n] = top
        if n == last:
            break
    # Out of the deck's reach the boundary keeps its place.
    result[n + 1 :] = red if top >= red else top
    return result


def _tops_of_free_cards(rules: Rules, total: int, tie: Tie) -> NDArray[np.int64]:
    """Return the boundary with no gain, or no cost: lines of such cards are ties."""
    all_stop, none_stops = np.arange(total + 1), np.full(total + 1, -1)
    if rules.gain < 0 or (rules.gain == 0 and tie == "stop"):
        return all_stop
    if rules.gain == 0:
        return none_stops if rules.cost == 0 else all_stop - 1
    return none_stops if tie == "draw" else none_stops + 1
