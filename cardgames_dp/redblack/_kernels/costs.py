"""The time of the algorithms of red/black: operations counted, at measured speeds.

Every function returns seconds of one core for a deck of `red` and `black` cards. It
counts the operations of the algorithm, levels and cells, and multiplies them by
constants that were measured in processor seconds (CPython 3.11, NumPy 2, one core of a
server of 2025) at the sizes given next to them. They hold within a factor of about
three, which is enough to distinguish minutes from weeks.
"""

from __future__ import annotations

import math

from cardgames_dp._effort import real
from cardgames_dp.redblack._kernels.terms import Terms

_SIMULATED_TOGETHER = 2**16
"""Games in a chunk of `cardgames_dp.redblack._kernels.playing`."""


def sweep(rules: Terms, red: int, black: int, *, exact: bool, last: int = 0) -> float:
    """Return the time of a sweep under linear rules, to its end or to level `last`.

    In float64 a level takes 2.5 us, and a cell of the band 0.5 ns (l = 1000 to 300,000,
    100,000 + 1000, 1,000,000 + 100); in integers a cell of each level takes 15 ns, and
    3 ps for each card of the deck (l = 1000 to 10,000).
    """
    n, width = levels(rules, red, black, last), _width(red, black, last)
    if exact:
        return n * min(real(red), real(black), n / 2) * (15e-9 + 3e-12 * n)
    return n * (2.5e-6 + 0.5e-9 * width)


def levels(rules: Terms, red: int, black: int, last: int = 0) -> float:
    """Return how many levels a sweep passes: to the end, or until the deck stops.

    It stops where stopping brings about as much as playing to the end.
    """
    n = real(last or red + black)
    even = real(math.ceil(red * (1 + rules.gain / rules.cost))) if rules.cost else n
    return min(n, even + 4 * math.sqrt(even) + 64)


def cut_sweep(red: int, black: int, last: int, bits: int, *, tilted: bool) -> float:
    """Return the time of a sweep in integers of a number of bits, to some level.

    A level takes 10 us, a cell 20 ns and 20 ps for each bit, three times as much if the
    colours are weighted (l = 1000 to 100,000, 50 to 1000 digits).
    """
    # The band of float64 is for tails of 64 bits.
    width = _width(red, black, last) * math.sqrt(1 + bits / 64) / 2
    cell = (20e-9 + 20e-12 * bits) * (3 if tilted else 1)
    return real(last) * (10e-6 + min(width, real(last)) * cell)


def climb(red: int, black: int) -> float:
    """Return the time of the staircase: 1.19 sqrt(l) stairs.

    A stair takes 30 us, and 2 us times the fourth root of their number, as the stairs
    of a block are (l = 10^8 to 10^12); with certified errors twice as much.
    """
    stairs = 0.84 * math.sqrt(real(red + black))
    return stairs * (30e-6 + 2e-6 * math.sqrt(math.sqrt(stairs)))


def recurrence(red: int, black: int, *, exact: bool) -> float:
    """Return the time of the recurrence in every cell, as under a utility.

    In float64 a level takes 60 us and a cell 10 ns (300 + 300 to 3000 + 3000 cards);
    in integers a cell takes 500 ns and 1 ps for each card.
    """
    n, states = real(red + black + 1), real((red + 1) * (black + 1))
    return states * (500e-9 + 0.2e-9 * n) if exact else n * 60e-6 + states * 10e-9


def table(red: int, black: int, *, exact: bool) -> float:
    """Return the time of all tables: the recurrence's, and 3 us an exact Fraction."""
    states = real((red + 1) * (black + 1))
    each = 3e-6 + 1e-9 * real(red + black) if exact else 20e-9
    return recurrence(red, black, exact=exact) + states * each


def forward(red: int, black: int, *, exact: bool) -> float:
    """Return the time of running play forwards, for a law.

    In float64 a level takes 9 us and a cell 1 ns (l = 1000 to 100,000), in integers a
    cell of each level 20 ns and 5 ps for each card of the deck (l = 300 to 2000).
    """
    n = real(red + black)
    if exact:
        return n * min(real(red), real(black)) * (20e-9 + 5e-12 * n)
    return n * (9e-6 + 1e-9 * _width(red, black))


def floor(red: int, black: int) -> float:
    """Return the time of the best policy above a floor in float64, by its band.

    A level takes 20 us and a cell 5 ns (l = 1000 to 100,000).
    """
    return real(red + black) * (20e-6 + 5e-9 * _width(red, black))


def floor_cells(red: int, black: int) -> int:
    """Return about how many cells play above a floor has, on average."""
    return int(_width(red, black) / 3) + 2


def depths(red: int, black: int, count: int, *, exact: bool) -> float:
    """Return the time of following play down to many depths.

    A level takes 20 us for each of the arrays that they are followed in, and a cell 1.5
    ns (l = 1000 to 100,000); in integers a cell takes 60 ns and 5 ps for each card.
    """
    n, cells = real(red + black), real(count) * floor_cells(red, black)
    if exact:
        return n * real(count) * min(real(red), real(black)) * (60e-9 + 5e-12 * n)
    return n * (20e-6 * max(cells / 2**15, 1) + 1.5e-9 * cells)


def band_cells(red: int, black: int) -> int:
    """Return about how many cells the band of a float64 sweep has."""
    return int(min(_width(red, black), 1e18))


def foresight(red: int, black: int, profiles: int, *, exact: bool) -> float:
    """Return the time of partial foresight.

    In float64 a level takes 30 us, and a cell of each profile 5 ns (l = 26 to 100,000,
    2 to 6765 profiles); in integers a cell takes 200 ns and 0.2 ns for each card (l =
    200 to 400, 5 to 13 profiles).
    """
    n, most = real(red + black), real(min(red, black))
    if exact:
        return n * most * real(profiles) * (200e-9 + 0.2e-9 * n)
    return n * (30e-6 + 5e-9 * real(profiles) * _width(red, black))


def simulation(red: int, black: int, games: int) -> float:
    """Return the time of games that go on to the end of the deck.

    A card takes 6 ns, a level of 65,536 games 15 us, such games 200 us.
    """
    n, chunks = real(red + black), real(-(-games // _SIMULATED_TOGETHER))
    return chunks * (200e-6 + 15e-6 * n) + real(games) * n * 6e-9


def omniscient(red: int, black: int, *, exact: bool) -> float:
    """Return the time of the omniscient value: 0.15 us a term, or 0.2 ns a bit.

    In float64 the terms go down to 1e-25 (l = 10^6 to 10^10). Exact arithmetic has as
    many terms as cards of the rarer colour, each with as many bits as the number of
    orders, at most N (l = 1000 to 30,000).
    """
    n, most = real(red + black), real(min(red, black))
    if exact:
        length = (red + black).bit_length()  # the factors may be long numbers, too
        return most * min(n, most * length) * max(length / 30, 1) * 0.2e-9
    return leads(red, black) * 0.15e-6


def omniscient_law(red: int, black: int) -> float:
    """Return the time of the exact omniscient law, of Fractions in lowest terms.

    Each takes 3e-12 s times the square of its bits (l = 3000).
    """
    n = real(red + black)
    return real(min(red, black)) * n * n * 3e-12


def leads(red: int, black: int) -> float:
    """Return how many leads the omniscient player may win, down to chances of 1e-25."""
    n, most = real(red + black), real(min(red, black))
    half = real(abs(red - black)) / 2
    # The chance falls as exp(-2 (m**2 + m |red - black|) / N), or faster.
    far = math.sqrt(35 * n + half * half) - half if n < math.inf else math.inf
    return min(most, far + 60)


def leap(n: int, cells: int) -> float:
    """Return the time of a leap from level n: 0.15 us a level and 1.2 us a cell.

    (10,000 to 1,000,000 levels, 1000 to 10,000 cells.)
    """
    return n * 0.15e-6 + cells * 1.2e-6


def _width(red: int, black: int, last: int = 0) -> float:
    """Return about how many cells the band of a float64 sweep has, up to a level."""
    total = real(red + black)
    passed = min(real(last) if last else total, total / 2)
    # The band is widest at half of the deck.
    widest = 5.3 * math.sqrt(min(4 * passed, total))
    return min(real(min(red, black)), widest) + 1
