"""How a value is computed under linear rules: the algorithm, and its sweeps.

The first part chooses the algorithm. The second reads values of full decks off sweeps.

A float64 value is the end of one sweep, or a leap from the level above which no path
stops. An exact value is the end of a sweep in integers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from cardgames_dp._support import arguments
from cardgames_dp._support.running import with_progress
from cardgames_dp.redblack._kernels import scaling, sweep as sweeps
from cardgames_dp.redblack._kernels.scaling import BLOCK
from cardgames_dp.redblack._kernels.staircase import climb
from cardgames_dp.redblack._kernels.staircase.climb import Deck
from cardgames_dp.redblack._kernels.sweep import Sweep
from cardgames_dp.redblack.rules import Problem, Rules, Stakes

Method: TypeAlias = Literal["auto", "diagonal", "staircase"]
METHODS: tuple[Method, ...] = ("auto", "diagonal", "staircase")

_FEWEST_CARDS = 4000
"""Cards of the smallest deck for which the staircase is clearly faster."""

_MOST_RED_SURPLUS, _FEWEST_CARDS_BEYOND = 3, 20_000
"""The most red cards beyond the black ones, in units of sqrt(N), for which the
staircase is chosen; beyond it, the fewest cards for which it is.

It can be used up to `climb.MOST_UNEVEN`. Up to three it keeps 13 digits, at four only
12. For larger decks the diagonal takes more than three times as long.
"""

_LEAPED_LEVELS = 16
"""Levels of leaps that take as long as one of the sweep."""

_LEVELS_A_DECK = 100
"""Levels that a sweep passes while the staircase reads off a deck."""


def chosen(
    method: object, rules: Rules, decks: Sequence[Deck], obstacle: str = ""
) -> Literal["diagonal", "staircase"]:
    """Return the method for decks of increasing sizes, of at least one card.

    An `obstacle` says why the staircase cannot be used whatever the decks are.
    """
    word = arguments.choice("method", method, METHODS)
    obstacle = obstacle or staircase_obstacle(rules, decks)
    if word == "staircase" and obstacle:
        raise ValueError(f"method must not be 'staircase' {obstacle}")
    if word != "auto":
        return word
    most = max((deck.cards for deck in decks), default=0)
    slow = most < max(_FEWEST_CARDS, _LEVELS_A_DECK * len(decks))
    inaccurate = any(
        deck.cards < _FEWEST_CARDS_BEYOND
        and -deck.excess > _MOST_RED_SURPLUS * math.sqrt(deck.cards)
        for deck in decks
    )
    return "diagonal" if obstacle or slow or inaccurate else "staircase"


def staircase_obstacle(rules: Rules, decks: Sequence[Deck]) -> str:
    """Return why the staircase cannot be used, and what can; nothing if it can be."""
    if rules.utility is not None or not rules.gain == rules.cost > 0:
        return (
            "unless rules let a red card gain what a black one costs, and have no "
            f"utility, got {arguments.shown(rules)}; use method='diagonal'"
        )
    for deck in decks:
        if deck.cards > climb.MOST_CARDS:
            return (
                f"for more than {climb.MOST_CARDS} cards, got "
                f"{arguments.shown(deck.cards)}; use enclosure(l, l) or "
                "fitting.asymptotic_value(...)"
            )
        if not deck.within_reach_of_balance:
            return (
                f"unless red and black differ by at most {climb.MOST_UNEVEN:.0f} times "
                f"the root of their sum, got {arguments.shown(deck.red)} and "
                f"{arguments.shown(deck.black)}; use method='diagonal'"
            )
    return ""


def closed_forms(rules: Rules, decks: Iterable[Deck]) -> dict[Deck, Fraction | None]:
    """Return the value of each deck where no sweep is needed, None where one is."""
    gain = rules.gain
    if gain <= 0:
        return dict.fromkeys(decks, Fraction(0))
    stakes = Stakes.of(rules)
    values: dict[Deck, Fraction | None] = {}
    for deck in decks:
        stops = not deck.red or sweeps.stops_at_once(stakes, deck.red, deck.black)
        values[deck] = Fraction(0) if stops else None
        if deck.red and not deck.black:
            values[deck] = gain * deck.red
    return values


def by_staircase(
    rules: Rules, decks: Sequence[Deck], checkpoint: object = None
) -> dict[Deck, Fraction]:
    """Return the values of decks of increasing sizes, by the staircase."""
    values = closed_forms(rules, decks)
    left = [deck for deck in decks if values[deck] is None]
    if left:
        totals, gain = climb.ascend(left, checkpoint=checkpoint).totals, rules.gain
        for deck, total in zip(left, totals, strict=True):
            values[deck] = gain * (total - deck.excess)
    return {deck: value or Fraction(0) for deck, value in values.items()}


def by_diagonal(whole: Problem, decks: Sequence[Deck]) -> dict[Deck, Fraction]:
    """Return the values of one deck, or of balanced ones of increasing sizes."""
    values = closed_forms(whole.rules, decks)
    left = [deck for deck in decks if values[deck] is None]
    if left:
        largest = whole._replace(red=left[-1].red, black=left[-1].black)
        sweep = Sweep.of(largest)
        if len(decks) == 1:
            values[left[0]] = of_best(sweep, best_reward(sweep))
        else:
            sizes = [deck.red for deck in left]
            free, most = sweep.level_without_stops, sizes[-1]
            far = sum(2 * size > free for size in sizes)
            passed = sweeps.about_levels(whole.rules, most, most)
            leaping = 0 < far * free < _LEAPED_LEVELS * passed
            if not leaping:
                sweeps.refuse_large(largest)
            for size, best in _centre(sweep, sizes, leaping):
                stopping = sweep.stakes.reward(2 * size, size)
                values[Deck(size, size)] = (best - stopping) * sweep.stakes.unit
    return {deck: value or Fraction(0) for deck, value in values.items()}


def of_best(sweep: Sweep, best: Fraction) -> Fraction:
    """Return the value of the full deck, given its W in units of the stakes."""
    stopping = sweep.stakes.reward(sweep.red + sweep.black, sweep.red)
    return (best - stopping) * sweep.stakes.unit


def best_reward(sweep: Sweep) -> Fraction:
    """Return W of the full deck, in units of the stakes."""
    red, total = sweep.red, sweep.red + sweep.black
    blocks, ends = -(-sweep.level_without_stops // BLOCK), sweep.levels(every=False)
    for last in with_progress(ends, blocks, "blocks of levels"):
        if last.n == sweep.level_without_stops < total:
            return sweeps.total_from_level(last, sweep.tilt, red, sweep.black)
    if last.top >= red:  # here or on a level before
        return Fraction(sweep.stakes.reward(total, red))
    return sweep.reward(last, red)


def _centre(
    sweep: Sweep, sizes: list[int], leaping: bool
) -> Iterator[tuple[int, Fraction]]:
    """Yield W of the balanced decks of increasing sizes that a sweep passes.

    Those after its end are not yielded: they stop, as the largest does.
    """
    further = iter(sizes)
    counts = scaling.centres(sizes, sweep.bits)
    size = next(further)
    levels = with_progress(sweep.levels(), 2 * sizes[-1], "levels")
    for level in levels:
        if level.n == sweep.level_without_stops and leaping:
            for far in (size, *further):
                yield far, sweeps.total_from_level(level, sweep.tilt, far, far)
            return
        if level.n < 2 * size:
            continue
        yield size, sweep.reward(level, size, next(counts))
        size = next(further, 0)
        if not size:
            return
