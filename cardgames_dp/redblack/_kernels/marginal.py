"""Marginal values of full decks under linear rules, read off sweeps.

A float64 value is the end of one sweep, or a leap from the level above which no path
stops. An exact value is the end of a sweep if the deck is small. A large deck is solved
in two halves that meet in the middle: an exact sweep up to level N/2, and numbers of
paths from the full deck down to this level, with the boundary that a float64 sweep has
certified. The integers then have at most N/2 bits instead of N, which takes two thirds
of the time.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice

from cardgames_dp._extras import tracked
from cardgames_dp.redblack._kernels import costs, limits, scaled
from cardgames_dp.redblack._kernels.band import BLOCK, Band
from cardgames_dp.redblack._kernels.far import leap, stops_at_once
from cardgames_dp.redblack._kernels.forward import Orders, play
from cardgames_dp.redblack._kernels.staircase.ascent import Deck, ascend
from cardgames_dp.redblack._kernels.stakes import Stakes
from cardgames_dp.redblack._kernels.sweep import Sweep
from cardgames_dp.redblack._kernels.terms import Terms

_FEWEST_TO_HALVE = 4000
"""Cards of the smallest deck for which the second sweep pays."""


def closed_forms(rules: Terms, decks: Iterable[Deck]) -> dict[Deck, Fraction | None]:
    """Return the value of each deck where no sweep is needed, None where one is."""
    gain = rules.gain
    if gain <= 0:
        return dict.fromkeys(decks, Fraction(0))
    stakes = Stakes.of(rules)
    known: dict[Deck, Fraction | None] = {}
    for deck in decks:
        if deck.red and not deck.black:
            known[deck] = gain * deck.red
        elif deck.red and not stops_at_once(stakes, deck.red, deck.black):
            known[deck] = None
        else:
            known[deck] = Fraction(0)
    return known


def value(
    rules: Terms, red: int, black: int, *, exact: bool, progress: bool
) -> Fraction:
    """Return the value of one deck, by a sweep."""
    deck = Deck(red, black)
    known = closed_forms(rules, [deck])[deck]
    if known is not None:
        return known
    sweep = Sweep.of(rules, red, black, exact=exact, progress=progress)
    return of_best(sweep, best_reward(sweep, progress=progress))


def climbed(
    rules: Terms, decks: Sequence[Deck], progress: bool, checkpoint: object
) -> list[Fraction]:
    """Return the values of decks of increasing sizes, by the staircase."""
    found = closed_forms(rules, decks)
    climbed = [deck for deck in decks if found[deck] is None]
    if climbed:
        last = climbed[-1]
        limits.refuse_climb(last.red, last.black, progress=progress)
        totals = ascend(climbed, progress=progress, checkpoint=checkpoint).totals
        gain = rules.gain
        for deck, total in zip(climbed, totals, strict=True):
            found[deck] = gain * (total - deck.excess)
    return [found[deck] or Fraction(0) for deck in decks]


def of_balanced(
    rules: Terms, sizes: list[int], *, exact: bool, progress: bool = False
) -> dict[int, Fraction]:
    """Return the values of balanced decks of increasing sizes, by one sweep."""
    known = closed_forms(rules, [Deck(size, size) for size in sizes])
    found = {deck.red: value for deck, value in known.items()}
    swept = [size for size in sizes if found[size] is None]
    if swept:
        largest = swept[-1]
        sweep = Sweep.of(rules, largest, largest, exact=exact, progress=progress)
        leaping = _leaping_pays(rules, sweep, swept)
        if not leaping:
            limits.refuse_sweep(rules, largest, largest, exact=exact, progress=progress)
        for size, best in _centre(sweep, swept, leaping, progress):
            stopping = sweep.stakes.reward(2 * size, size)
            found[size] = (best - stopping) * sweep.stakes.unit
    return {size: Fraction(0) if v is None else v for size, v in found.items()}


def of_best(sweep: Sweep, best: Fraction) -> Fraction:
    """Return the value of the full deck, given its W in units of the stakes."""
    stopping = sweep.stakes.reward(sweep.red + sweep.black, sweep.red)
    return (best - stopping) * sweep.stakes.unit


def best_reward(sweep: Sweep, *, progress: bool = False) -> Fraction:
    """Return W of the full deck, in units of the stakes."""
    red, total = sweep.red, sweep.red + sweep.black
    if sweep.exact and total >= _FEWEST_TO_HALVE:
        met = _meeting_halfway(sweep, progress)
        if met is not None:
            return met
    blocks, ends = -(-sweep.free_from // BLOCK), sweep.levels(every=False)
    for last in tracked(ends, blocks, "blocks of levels", shown=progress):
        if last.n == sweep.free_from < total:
            return leap(last, sweep.tilt, red, sweep.black)
    if last.top >= red:  # here or on a level before
        return Fraction(sweep.stakes.reward(total, red))
    return sweep.reward(last, red)


def _meeting_halfway(sweep: Sweep, progress: bool = False) -> Fraction | None:
    """Return W of the full deck from its halves, or None if float64 cannot certify it.

    That is so if a decision above the middle is not certain, or if the boundary may
    leave the band while the deck can still reach it. The latter cannot happen while
    stopping at once is at least as good as playing to the end.
    """
    stakes, red, black = sweep.stakes, sweep.red, sweep.black
    total, middle = red + black, (red + black) // 2
    if stakes.reward(total, red) < 0:
        return None
    guide = dataclasses.replace(sweep, exact=False)
    tops = [0]
    for level in guide.levels():
        tops.append(level.top)
        if level.n > middle and not guide.certain(level):
            return None
    if tops[-1] >= red:
        return Fraction(stakes.reward(total, red))
    tops += [tops[-1]] * (total + 1 - len(tops))
    levels = tracked(islice(sweep.levels(), middle), middle, "levels", shown=progress)
    for half in levels:  # noqa: B007
        pass

    orders, reward = Orders(total, red), 0
    stop_set = lambda n, first, last: range(min(tops[n], last) + 1 - first)  # noqa: E731
    flows = play(red, black, stop_set, exact=True)
    for n, first, flow, stops in tracked(
        flows, total - middle, "levels", shown=progress
    ):
        if n == middle:
            break
        for i in stops:
            stop = stakes.reward(n, first + i) * orders.of(n, first + i)
            reward += flow.item(i) * stop
    for i, paths in enumerate(flow):
        r = first + i
        if r > half.top:
            reward += paths * half.cells.item(r - half.base)
        else:
            reward += paths * stakes.reward(n, r) * orders.of(n, r)
    return Fraction(reward, math.comb(total, red))


def _leaping_pays(rules: Terms, sweep: Sweep, sizes: list[int]) -> bool:
    """Return whether leaps are faster for decks beyond the reach of the boundary."""
    free, largest = sweep.free_from, sizes[-1]
    if free == 2 * largest:
        return False
    reach = Band(largest, largest).reach(free)
    far = sum(2 * size > free for size in sizes)
    leaps = far * costs.leap(free, math.ceil(2 * reach) + 1)
    return leaps < costs.sweep(rules, largest, largest, exact=False)


def _centre(
    sweep: Sweep, sizes: list[int], leaping: bool, progress: bool
) -> Iterator[tuple[int, Fraction]]:
    """Yield W of the balanced decks of increasing sizes that a sweep passes.

    Decks after the end of the sweep are not yielded: there the boundary has passed the
    largest deck, and so all decks; they stop, and their value is 0.
    """
    wanted = iter(sizes)
    counts = scaled.centres(sizes, exact=sweep.exact)
    size = next(wanted)
    levels = tracked(sweep.levels(), 2 * sizes[-1], "levels", shown=progress)
    for level in levels:
        if level.n == sweep.free_from and leaping:
            for far in (size, *wanted):
                yield far, leap(level, sweep.tilt, far, far)
            return
        if level.n < 2 * size:
            continue
        yield size, sweep.reward(level, size, next(counts))
        size = next(wanted, 0)
        if not size:
            return
