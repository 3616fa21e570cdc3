"""Whole climbs of the staircase: many decks, a progress bar, checkpoints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from cardgames_dp import _boundary_law as guess
from cardgames_dp._checkpoint import Arrays, Checkpoint
from cardgames_dp._extras import progress_bar
from cardgames_dp.redblack._kernels.band import Band
from cardgames_dp.redblack._kernels.staircase import arithmetic
from cardgames_dp.redblack._kernels.staircase.audit import Audit
from cardgames_dp.redblack._kernels.staircase.climb import Staircase

Found = tuple[Any, Any, Any]
"""W of a deck and its two bounds, in the arithmetic of a climb."""

MOST_CARDS = 2**50
"""The most cards of a deck; more take weeks, and from 2**53 on float64 skips integers.
"""

ROOM = Band(2**62, 2**62)
"""A band wider than that of any deck allowed; `docs/theory/staircase.rst` proves it."""

MOST_UNEVEN = 4.0
"""The largest ``|black - red|``, in units of sqrt(N); the error grows with it.

At four the error is about 3000 times that of a balanced deck.
"""

_VERSION = 2
"""Of the states in checkpoints: those of another version have other last bits."""


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

    def at_excess(self, excess: int) -> Deck:
        """Return the deck with the same number of cards and about another excess."""
        return Deck((self.cards - excess) // 2, (self.cards + excess + 1) // 2)

    @property
    def within_reach_of_balance(self) -> bool:
        """Whether the colours differ by `MOST_UNEVEN` sqrt(N) at most."""
        return self.excess**2 <= MOST_UNEVEN**2 * self.cards


def _error(cards: float) -> float:
    """Return the error of a total in roundings per card, somewhat overestimated.

    117 were observed up to 20,000 cards, 69 at 200,000, 37 at 2 * 10**8.
    """
    return float(min(140.0, 40 + 1400 * cards**-0.25))


def expected_error(deck: Deck, *, extended: bool) -> float:
    """Return about the width of the certified bounds of a total, overestimated."""
    numbers = arithmetic.EXTENDED if extended else arithmetic.DOUBLE
    uneven = math.exp(deck.excess**2 / (2 * deck.cards))
    cards = deck.cards + 4
    return _error(cards) * numbers.unit_roundoff * cards * uneven


@dataclass(frozen=True, slots=True)
class Ascent:
    """The results of a climb.

    Attributes
    ----------
    totals : tuple of Fraction
        W of the decks as computed, in their order.
    lower, upper : tuple of Fraction
        Certified bounds of the totals; without an audit, the totals themselves.
    thresholds : list of int
        n_1, n_2, ..., below the largest deck.
    unsettled : list of int
        The excesses whose threshold an audit leaves open.
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
    progress: bool = False,
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

    Raises
    ------
    TypeError, ValueError
        If `checkpoint` is not the path of a file, or the file belongs to another kind
        of climb or to one that has come too far.
    ArithmeticError
        In an audit, if float64 can certify nothing.
    """
    last = decks[-1]
    numbers = arithmetic.EXTENDED if extended else arithmetic.DOUBLE
    audit = Audit(numbers) if audited else None
    # Past the boundary there would be no window below it.
    widest = last.at_excess(min(last.excess, math.floor(guess.boundary(last.cards))))
    staircase = Staircase(widest.red, widest.black, numbers, audit)
    found: dict[Deck, Found] = {}
    save = None
    if checkpoint is not None:
        staircase.also = ROOM
        save = Checkpoint.of(checkpoint, _parameters(staircase))
        if state := save.load():
            found = _restore(staircase, state)
            _refuse_if_too_far(save, staircase, [d for d in decks if d not in found])
    stairs = math.ceil(guess.boundary(last.cards))
    with progress_bar(stairs, "stairs", shown=progress) as bar:
        climber = staircase
        for deck in decks:
            if deck in found:
                continue
            if save:
                while staircase.climb(deck.cards, only_whole=True):
                    _show(bar, staircase)
                    if save.due:
                        save.save(_state(staircase, found))
                climber = staircase.branch()
            while climber.climb(deck.cards):
                _show(bar, climber)
            found[deck] = _read(climber, deck)
        if bar is not None:
            bar.update(bar.total - bar.n)
    if save:
        save.save(_state(staircase, found))
    totals, lower, upper = (
        tuple(Fraction(*bound.as_integer_ratio()) for bound in bounds)
        for bounds in zip(*(found[deck] for deck in decks), strict=True)
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


def _read(staircase: Staircase, deck: Deck) -> Found:
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


def _state(staircase: Staircase, found: dict[Deck, Found]) -> Arrays:
    decks = [[deck.red, deck.black] for deck in found]
    arrays = {
        "levels": np.array(staircase.levels),
        "place": np.array([staircase.level, staircase.stride]),
        "cells": staircase.cells,
        "decks": np.array(decks, dtype=np.int64).reshape(-1, 2),
        "found": np.array(list(found.values())).reshape(-1, 3),
    }
    return arrays | (staircase.audit.arrays() if staircase.audit else {})


def _restore(staircase: Staircase, state: Arrays) -> dict[Deck, Found]:
    staircase.levels, staircase.cells = state["levels"].tolist(), state["cells"]
    staircase.level, staircase.stride = state["place"].tolist()
    if staircase.audit:
        staircase.audit.restore(state)
    return {
        Deck(*deck): (total, lower, upper)
        for deck, (total, lower, upper) in zip(
            state["decks"].tolist(), state["found"], strict=True
        )
    }
