"""The climb: stairs passed one by one, and then in blocks, up to full decks.

The docstring of the package, `cardgames_dp.redblack._kernels.staircase`, explains why
it is correct. `ascend` climbs past many decks, with a progress bar and checkpoints.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from cardgames_dp._support.checkpoints import Arrays, Checkpoint
from cardgames_dp._support.running import progress_bar
from cardgames_dp.redblack._kernels import large_decks as guess
from cardgames_dp.redblack._kernels.scaling import Band
from cardgames_dp.redblack._kernels.staircase import self_tests, stairs, walks
from cardgames_dp.redblack._kernels.staircase.audit import Audit
from cardgames_dp.redblack._kernels.staircase.self_tests import FIRST_STAIRS, Climbed
from cardgames_dp.redblack._kernels.staircase.stairs import Block, Passage, Rise, Stair
from cardgames_dp.redblack._kernels.staircase.walks import Arithmetic, Reals

_FIRST = 80
"""The excess from which on stairs are climbed in blocks: P is smooth on their scale."""

_FAR = 2**63
"""A level above all decks."""


@dataclass(slots=True)
class Staircase:
    """A climb from the empty deck up to a full one of `red` and `black` cards.

    `levels` are the thresholds passed, 0, n_1, ..., n_k, and `level` is at or above the
    last. ``cells[i]`` holds D(level, k + 1 - stride (2 i + 1)): the barrier is at k +
    1, and all cells are held if the stride is 1. `rise` has the matrices of the last
    block; there is room in the windows for the paths of the band `also` as well.
    """

    red: int
    black: int
    numbers: Arithmetic = walks.DOUBLE
    audit: Audit | None = None
    levels: list[int] = field(default_factory=lambda: [0])
    level: int = 0
    stride: int = 1
    cells: Reals = field(init=False)
    rise: Rise | None = None
    also: Band | None = None

    def __post_init__(self) -> None:
        # No card is left: W = 0 is one less than the barrier.
        self.cells = np.array([-1, 0], dtype=self.numbers.real)

    @property
    def excess(self) -> int:
        """The k of the last threshold passed."""
        return len(self.levels) - 1

    def leads_to(self, n: int) -> bool:
        """Return whether the climb can go on to a level."""
        if self.level == self.levels[-1] and self.stride == 1:
            return self.level <= n
        # From the middle of a stair at least one threshold must be passed.
        if self.stride == 1:
            return guess.level(self.excess + 1) + stairs.OFF < n
        return self._block(n) is not None

    def climb(self, n: int, *, only_whole: bool = False) -> bool:
        """Pass the next thresholds below level n, as many at once as possible.

        Returns False, with nothing done, if there are none. With `only_whole` also if
        level n is so near that a climb to higher levels would pass others at once.
        """
        if only_whole and not self._goes_on_beyond(n):
            return False
        if self.excess >= _FIRST:
            block = self._block(n)
            if block is not None:
                climbed = self._climb_block(block)
                if self.audit:
                    self.audit.add_block(climbed)
                return True
        self._resize(guess.level(self.excess + 1) + 2)
        whole = self.level == self.levels[-1]
        stair = Stair.of(self.cells, self.level, self.excess + 1, whole=whole)
        if stair.top >= n:
            if self.audit:
                self.audit.add_last_stair(stair, n)
            return False
        self._pass(stair)
        # Deep in a deck the band's edge is where it does not matter.
        deep = 4 * self.level <= self.red + self.black
        if self.audit and deep and self.excess == FIRST_STAIRS:
            self.audit.check_first_stairs(self.cells, self.level, self.excess)
        return True

    def branch(self) -> Staircase:
        """Return a climb that goes on from here by itself."""
        result = copy.copy(self)
        result.levels = list(self.levels)
        result.audit = self.audit.branch() if self.audit else None
        return result

    def _goes_on_beyond(self, n: int) -> bool:
        """Return whether the next move is that of a climb to any level from n on."""
        if self.excess < _FIRST:
            return guess.level(self.excess + 1) + stairs.OFF < n
        return self._block(n) == self._block(_FAR)

    def _block(self, n: int) -> Block | None:
        """Return the next block on the way to a level, if any."""
        return Block.of(self.level, self.excess, n, self.stride, self.numbers)

    def _climb_block(self, block: Block) -> Climbed:
        """Climb a block: near the barrier by stairs, further down in one step."""
        lowest = self._lowest_excess(block.end)
        reached = self.excess + block.stairs
        whole = block.window((reached - lowest) // 2 + 3 + block.reach)
        near = min(block.window(2 * block.reach), whole)
        cells = self._window(whole // block.stride)
        window = cells[: near // block.stride]
        self.rise = block.rise(near, self.rise, self.numbers.real)
        passage = Passage.of(window, block, self.rise)
        end, to = block.end, block.to
        result = passage.samples_at_end(to)
        if near < whole:
            steps = end - block.begin
            far = walks.walk_free(cells, block.stride, steps, block.stairs, to)
            joint = near // (2 * to)
            lost = _pmf_below(end, reached, to, joint, len(far), result.dtype)
            far[:joint] = result[:joint]
            far[joint:] -= block.stairs * lost
            result = far
        self.cells = result[: (whole - block.reach) // to]
        self.levels.extend(passage.tops.tolist())
        self.level, self.stride = end, to
        return Climbed(passage, cells, self.cells, len(window))

    def _pass(self, stair: Stair) -> None:
        """Pass a threshold."""
        cells = stair.end()
        if self.audit:
            self.audit.add_stair(stair, cells)
        self.levels.append(stair.top)
        self.level, self.cells = stair.top, cells

    def total(self, n: int, excess: int) -> Any:
        """Return W(n, excess), once no threshold below n is left to pass."""
        barrier, begin = self.excess + 1, self.level
        real = self.numbers.real
        if excess >= barrier:
            return real(excess)
        self._resize(n)
        steps = n - begin
        probability = walks.pmf(n, excess, real)
        if self.audit:
            self.audit.add_reading(self.cells, begin, n, barrier, excess)
            self_tests.pmf(n, excess, probability)
        cells, top = walks.walk(self.cells, steps - steps % 2), barrier - 1
        if steps % 2:
            cells, top = walks.step(cells), barrier
        return barrier + cells[(top - excess) // 2] / probability

    def _lowest_excess(self, end: int) -> int:
        """Return the lowest excess of the band from here up to a level."""
        n, deck = self.level, self.red + self.black
        end = min(end, deck)
        lowest = Band(self.red, self.black).lowest_excess(n, end)
        if self.audit:
            for level in (n, end, min(max(deck // 2, n), end)):
                self_tests.band(self.red, self.black, level, lowest)
        return min(lowest, self.also.lowest_excess(n, end)) if self.also else lowest

    def _resize(self, end: int) -> None:
        """Make the window the band from here up to a level."""
        size = (self.excess - self._lowest_excess(end)) // 2 + 3
        self.cells = self._window(walks.good_length(size))

    def _window(self, size: int) -> Reals:
        """Return this many cells, at the stride that they have."""
        count = len(self.cells)
        if count >= size:
            return self.cells[:size]
        # Outside the band W counts as 0. There are no cells below s = -n.
        n, excess, dtype = self.level, self.excess, self.cells.dtype
        more = np.zeros(size - count, dtype=dtype)
        if self.stride > 1 or self.excess >= _FIRST:
            more = _pmf_below(n, excess, self.stride, count, size, dtype)
        elif (below := excess - 2 * count) >= -n:
            more = walks.pmf_below(
                n, below, walks.pmf(n, below, self.numbers.real), size - count
            )
        return np.concatenate([self.cells, more * -(excess + 1)])


def _pmf_below(
    n: int, excess: int, stride: int, first: int, last: int, dtype: Any
) -> Reals:
    """Return P(n, .) in samples below the barrier at ``excess + 1``, from one on."""
    places = np.arange(first, last, dtype=dtype)
    return walks.pmf_at(dtype.type(n), excess + 1 - stride * (2 * places + 1))


Reading = tuple[Any, ...]
"""W of a deck and its two bounds, in the arithmetic of a climb."""

MOST_CARDS = 2**50
"""The most cards of a deck; more take weeks, and from 2**53 on float64 skips integers.
"""

ROOM = Band(2**62, 2**62)
"""A band wider than that of any deck allowed; `docs/appendix/methods.rst` proves it."""

MOST_UNEVEN = 4.0
"""The largest ``|black - red|``, in units of sqrt(N); the error grows with it.

At four the error is about 3000 times that of a balanced deck.
"""

_VERSION = 3
"""Of the states in checkpoints: others have other last bits, or lack an array."""


@dataclass(frozen=True, slots=True)
class Deck:
    """A full deck of `red` and `black` cards."""

    red: int
    black: int

    @property
    def cards(self) -> int:
        """The number of cards, N."""
        return self.red + self.black

    @property
    def excess(self) -> int:
        """``black - red``."""
        return self.black - self.red

    @property
    def within_reach_of_balance(self) -> bool:
        """Whether the colours differ by `MOST_UNEVEN` sqrt(N) at most."""
        return self.excess**2 <= MOST_UNEVEN**2 * self.cards


def expected_error(deck: Deck, *, extended: bool) -> float:
    """Return about the width of the certified bounds of a total, overestimated."""
    numbers = walks.EXTENDED if extended else walks.DOUBLE
    uneven = math.exp(deck.excess**2 / (2 * deck.cards))
    cards = deck.cards + 4
    # In roundings per card: 117 were observed up to 20,000 cards, 69 at 200,000, 37 at
    # 2 * 10**8.
    a_card = min(140.0, 40 + 1400 * cards**-0.25)
    return float(a_card * numbers.unit_roundoff * cards * uneven)


@dataclass(frozen=True, slots=True)
class Ascent:
    """The results of a climb.

    `totals`: W of the decks as computed, in their order; `lower` and `upper`: certified
    bounds of them or, without an audit, the totals themselves. `thresholds`: n_1, n_2,
    ..., below the largest deck; an audit leaves those of the excesses `unsettled` open.
    """

    totals: tuple[Fraction, ...]
    lower: tuple[Fraction, ...]
    upper: tuple[Fraction, ...]
    thresholds: list[int]
    unsettled: list[int]


def ascend(
    decks: Sequence[Deck],
    *,
    audited: bool = False,
    extended: bool = False,
    checkpoint: object = None,
) -> Ascent:
    """Climb past decks of increasing numbers of cards, the last one the widest.

    A path from the last deck must be able to pass through each other deck, at about its
    mean or above. If `extended`, the climb uses the longer floats of this machine,
    which are about ten times slower.

    With a checkpoint, its windows have room for the paths of all larger decks, and it
    passes whole blocks of stairs only, as a climb to any larger deck does. The last
    stairs before a deck are climbed on a branch of its own, which is not saved. So the
    result for a deck is the same, to the last bit, wherever a climb was interrupted and
    for whatever other decks it is.
    """
    last = decks[-1]
    numbers = walks.EXTENDED if extended else walks.DOUBLE
    audit = Audit(numbers) if audited else None
    # Past the boundary there would be no window below it.
    excess = min(last.excess, math.floor(guess.boundary(last.cards)))
    red, black = (last.cards - excess) // 2, (last.cards + excess + 1) // 2
    staircase = Staircase(red, black, numbers, audit)
    readings: dict[Deck, Reading] = {}
    save = None
    if checkpoint is not None:
        staircase.also = ROOM
        save = Checkpoint.of(checkpoint, _parameters(staircase))
        if state := save.load():
            readings = _restore(staircase, state)
            _refuse_if_too_far(save, staircase, [d for d in decks if d not in readings])
    expected = math.ceil(guess.boundary(last.cards))
    with progress_bar(expected, "stairs") as bar:
        climber = staircase
        for deck in decks:
            if deck in readings:
                continue
            if save:
                while staircase.climb(deck.cards, only_whole=True):
                    _show(bar, staircase)
                    if save.due:
                        save.save(_state(staircase, readings))
                climber = staircase.branch()
            while climber.climb(deck.cards):
                _show(bar, climber)
            readings[deck] = _read(climber, deck)
        if bar is not None:
            bar.update(bar.total - bar.n)
    if save:
        save.save(_state(staircase, readings))
    totals, lower, upper = (
        tuple(Fraction(*bound.as_integer_ratio()) for bound in bounds)
        for bounds in zip(*(readings[deck] for deck in decks), strict=True)
    )
    unsettled = climber.audit.unsettled if climber.audit else []
    return Ascent(totals, lower, upper, climber.levels[1:], unsettled)


def _parameters(staircase: Staircase) -> dict[str, object]:
    """Return what a state must have been computed with to be used."""
    return {
        "algorithm": "redblack staircase",
        "version": _VERSION,
        "audited": staircase.audit is not None,
        "numbers": np.dtype(staircase.numbers.real).name,
    }


def _show(bar: Any, staircase: Staircase) -> None:
    """Let a progress bar, if there is one, show the stairs that have been passed."""
    if bar is not None:
        # The branch of an earlier deck may have been further up.
        bar.update(max(staircase.excess - bar.n, 0))


def _read(staircase: Staircase, deck: Deck) -> Reading:
    """Return W of a deck, and bounds of it: itself, without an audit."""
    total = staircase.total(deck.cards, deck.excess)
    if staircase.audit is None:
        return total, total, total
    barrier = staircase.excess + 1
    return total, *staircase.audit.bounds(deck.cards, deck.excess, barrier, total)


def _refuse_if_too_far(
    save: Checkpoint, staircase: Staircase, missing: list[Deck]
) -> None:
    """Refuse a state that is past decks that have not been read off."""
    for deck in missing:
        if not staircase.leads_to(deck.cards):
            raise save.refusal(
                f"belongs to a climb that has come too far for {deck.red} red and "
                f"{deck.black} black cards"
            )


def _state(staircase: Staircase, readings: dict[Deck, Reading]) -> Arrays:
    decks = [[deck.red, deck.black] for deck in readings]
    arrays = {
        "levels": np.array(staircase.levels),
        "place": np.array([staircase.level, staircase.stride]),
        "cells": staircase.cells,
        "decks": np.array(decks, dtype=np.int64).reshape(-1, 2),
        "found": np.array(list(readings.values())).reshape(-1, 3),
    }
    return arrays | (staircase.audit.arrays() if staircase.audit else {})


def _restore(staircase: Staircase, state: Arrays) -> dict[Deck, Reading]:
    staircase.levels, staircase.cells = state["levels"].tolist(), state["cells"]
    staircase.level, staircase.stride = state["place"].tolist()
    if staircase.audit:
        staircase.audit.restore(state)
    each = zip(state["decks"].tolist(), state["found"], strict=True)
    return {Deck(*deck): tuple(ends) for deck, ends in each}
