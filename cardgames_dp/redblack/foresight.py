r"""Players who know cards in advance: all of them, or the next ones.

A player who knows the order of the cards stops when the cash is highest, so the value,
a bound for all policies, is the expected maximum M of the cash, seen as a walk. By the
reflection principle, the number of orders whose walk reaches m is the number of walks
that end where the reflected walk ends::

    P(M >= m) = C(N, black + m) / C(N, red)     for m > max(red - black, 0)

and P = 1 for smaller m. For a balanced deck the sum over m is
``(4**l / C(2 l, l) - 1) / 2``.

A player who sees the next k cards knows after t draws the walk of the cash up to
u = t + k. This is equivalent to a choice with recall: the player looks at the cards one
by one and may stop at any of the last k + 1 places; each card removes the oldest place.
So no decision is needed before a place is lost, and stopping there is right only if it
is higher than all later places. The only facts that matter about the window are its
*records*: how many cards ago the walk was, looking back, for the first time 1, 2, ...
higher than now, as ``T_1 < T_2 < ... <= k``. A red card moves the records back and
removes the first; a black card moves them back and adds one at 1::

    up:   T_2 + 1, T_3 + 1, ...        down:   1, T_1 + 1, T_2 + 1, ...

Records beyond k are lost. The distances between records are odd, so there are only
F(k + 2) such profiles, a Fibonacci number, instead of 2**k windows. With r red and b
black cards unseen, n = r + b, the best expected result above the last height is::

    E(T) = max(h, r/n (1 + E(up T)) + b/n (E(down T) - 1))

where h is the number of records if the last of them is k cards old; otherwise stopping
is not considered. When all cards are seen, ``E(T)`` is the number of records. In
integers the same holds for ``C(n, r) E``, without the divisions.

Written as an array game of cards and profiles, the same takes a hundred to a
thousand times as long: 0.3 s for 26 + 26 cards of which ten are seen, against 3 ms; in
exact numbers 0.6 s, against 2 ms, where five are seen.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import refuse_too_large, with_progress
from cardgames_dp.redblack._kernels.recurrence import FRACTION_BYTES
from cardgames_dp.redblack._kernels.scaling import BLOCK, Band, about_width, part
from cardgames_dp.redblack.rules import Problem

_NEGLIGIBLE = 1e-25

_MOST_SUMMED, _MOST_SUMMED_EXACTLY = 10**20, 10**7
"""The most cards of the rarer colour: beyond, a sum would take days."""

_MOST_FORESEEN = 10**9
"""Cards of a deck with partial foresight, which take about a week."""

_PROFILE_BYTES = 500
"""Bytes of a profile of records while it is found, as a tuple and as a key."""


@overload
def foresight_value(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    cards: SupportsIndex | None = None,
    backend: Literal["float64"] = "float64",
) -> float: ...
@overload
def foresight_value(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    cards: SupportsIndex | None = None,
    backend: Literal["exact"],
) -> Fraction: ...
@suggest_arguments
def foresight_value(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    cards: SupportsIndex | None = None,
    backend: Backend = "float64",
) -> float | Fraction:
    """Return the value of a deck for a player who knows the next cards, or all.

    The rules are the classic ones: a red card pays 1, a black card costs 1.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the deck.
    cards : int, optional
        The number of cards that are seen in advance at each moment; with 0 this is the
        ordinary game. All cards if not given: an *omniscient* player, who stops when
        the cash is highest.
    backend : {"float64", "exact"}
        The arithmetic: floats, or integers, which give a Fraction.

    Returns
    -------
    float or Fraction
        The expected winnings of an optimal player with this foresight. For an
        omniscient player it is the expected maximum of the cash during the game, an
        upper bound of :func:`value` for all policies.

    Raises
    ------
    ValueError
        If all cards are known and the sum would take days: for more than 10**20 cards
        of both colours, in exact arithmetic 10**7.
    TooLargeError
        If it would not fit in memory. Each further card seen multiplies time and memory
        by 1.6, unless almost all cards are seen.

    Notes
    -----
    With N = red + black, the maximum M of the cash has
    ``P(M >= m) = C(N, black + m) / C(N, red)`` for m > red - black, m > 0, by the
    reflection principle. In float64 these terms, which are all positive, are summed by
    their ratios until further terms are negligible.

    Of the cards seen only the records of the cash matter. They have F(cards + 2)
    patterns, a Fibonacci number, instead of 2**cards. Each pattern has its own sweep,
    which takes O(l**1.5) time in float64, and O(l**2) additions of integers of up to
    2 l bits in exact arithmetic.

    References
    ----------
    The Problem 14 essay treats the omniscient player; its footnote credits the 4.04 of
    the 52 cards to Howe, 2014. A reader of it asked for fewer cards.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> for cards in (0, 1, 2, 5, 10):
    ...     print(round(redblack.foresight_value(26, 26, cards=cards), 6))
    2.624476
    3.076827
    3.381628
    3.63077
    3.804587
    >>> round(redblack.foresight_value(26, 26), 4)
    4.0407
    >>> redblack.foresight_value(1, 1, backend="exact")
    Fraction(1, 2)

    The payoff of an omniscient player has a distribution, too. The highest cash is the
    lowest cash with the colours exchanged, with its sign changed:

    >>> never = redblack.lowest_cash(26, 26, policy="never_stop", backend="exact")
    >>> round(float(-never.mean), 4), -never.median
    (4.0407, Fraction(4, 1))
    >>> round(float(1 - never.cdf(-1)), 3)
    0.037
    """
    problem = Problem.of(red, black, None, backend)
    seen = None if cards is None else arguments.integer("cards", cards)
    if seen is None or seen >= problem.cards - 1:  # the last card follows from others
        return _highest_cash(problem)
    result: float | Fraction = problem.number(sweep(problem, seen))
    return result


def _highest_cash(problem: Problem) -> float | Fraction:
    """Return the expected maximum of the cash."""
    _, red, black, exact = problem
    most = _MOST_SUMMED_EXACTLY if exact else _MOST_SUMMED
    arguments.at_most("red or black", min(red, black), most, problem.instead)
    certain = max(red - black, 0)
    leads = with_progress(range(certain + 1, red + 1), red - certain, "leads")
    # C(N, black + m) is C(N, black + m - 1) times (red - m + 1) / (black + m), and the
    # last certain one is C(N, red) itself.
    if exact:
        orders = term = math.comb(red + black, red)
        total = 0
        for m in leads:
            term = term * (red - m + 1) // (black + m)
            total += term
        return certain + Fraction(total, orders)
    chance, expected = 1.0, 0.0
    for m in leads:
        chance *= (red - m + 1) / (black + m)
        expected += chance
        # The ratios fall, so the rest is less than a geometric series with this ratio.
        if chance < _NEGLIGIBLE * expected:
            break
    must = "red - black must be at most 1e308 in float64 (use backend='exact')"
    return arguments.nearest_float(must, certain) + expected


def _refuse_large_profiles(problem: Problem, count: int) -> None:
    """Refuse partial foresight with a number of profiles of records."""
    _, red, black, exact = problem
    what = f"foresight with {arguments.shown(count)} profiles, for {problem.deck},"
    cells = min(red, black) if exact else int(min(about_width(red, black), 1e18))
    cell = 3 * (FRACTION_BYTES + problem.cards // 8) if exact else 40
    size = count * ((cells + 2) * cell + _PROFILE_BYTES)
    bound = "foresight_value(...) is a bound"
    refuse_too_large(what, size, f"let fewer cards be seen; {bound}")
    what = "the number of cards with foresight"
    instead = f"use a smaller deck; {bound}"
    arguments.at_most(what, problem.cards, _MOST_FORESEEN, instead)


def sweep(problem: Problem, seen: int) -> float | Fraction:
    """Return the value for a player who sees the next `seen` cards, fewer than all.

    Floats are worths, in the band; integers worths times the numbers of orders.
    """
    _, red, black, exact = problem
    _refuse_large_profiles(problem, profiles(seen))
    up, down, records, oldest = _profiles(seen)
    band = None if exact or not min(red, black) else Band(red, black)
    heights = records[:, None].astype(problem.dtype)
    worth, orders, start = heights, heights[0] + 1, 0
    lowest, highest, cards = 0, red, red + black
    for n in with_progress(range(1, cards + 1), cards, "levels"):
        if band and (n == 1 or n % BLOCK == 0):
            lowest, highest = band.over(n, min(n + BLOCK - 1, cards))
        first, last = max(0, n - black, lowest), min(red, n, highest)
        before = part(worth, start, first - 1, last)
        if exact:
            counts = part(orders, start, first - 1, last)
            orders = counts[:-1] + counts[1:]
            worth = before[up, :-1] + before[down, 1:]
            worth += counts[:-1] - counts[1:]
        else:
            r = np.arange(first, last + 1, dtype=np.float64)
            worth = before[up, :-1] + 1
            worth *= r / n
            worth += (before[down, 1:] - 1) * ((n - r) / n)
        worth[oldest] = np.maximum(worth[oldest], heights[oldest] * orders)
        start = first
    highest_worth = worth.item(0, -1)
    return Fraction(highest_worth, orders[-1]) if exact else highest_worth


def profiles(seen: int) -> int:
    """Return how many profiles there are, or 10**18 if there are more."""
    before, count = 1, 1
    for _ in range(seen):
        before, count = count, before + count
        if count > 10**18:
            return 10**18
    return count


def _profiles(seen: int) -> list[NDArray[np.int64]]:
    """Return the profiles of records among the last `seen` cards.

    Of each, the profile after a red and after a black card, and its number of records;
    finally those whose oldest place is a record. The first has no records.
    """
    places: dict[tuple[int, ...], int] = {(): 0}
    queue: list[tuple[int, ...]] = [()]
    after: tuple[list[int], list[int]] = [], []
    for records in queue:  # the queue grows
        moved = [t + 1 for t in records if t < seen]
        for indices, new in (
            (after[0], moved[1:] if records and records[0] < seen else []),
            (after[1], [1, *moved] if seen else []),
        ):
            key = tuple(new)
            if key not in places:
                places[key] = len(queue)
                queue.append(key)
            indices.append(places[key])
    expiring = [i for i, records in enumerate(queue) if (0, *records)[-1] == seen]
    counts = [len(records) for records in queue]
    return [np.array(each) for each in (*after, counts, expiring)]
