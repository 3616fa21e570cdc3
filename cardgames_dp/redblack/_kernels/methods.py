"""The choice of the algorithm that computes a value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

from cardgames_dp import _checks
from cardgames_dp.redblack._kernels.staircase.ascent import (
    MOST_CARDS,
    MOST_UNEVEN,
    Deck,
)
from cardgames_dp.redblack._kernels.terms import Terms

Method: TypeAlias = Literal["auto", "diagonal", "staircase"]
METHODS: tuple[Method, ...] = ("auto", "diagonal", "staircase")

_FEWEST_CARDS = 4000
"""Cards of the smallest deck for which the staircase is clearly faster."""

_MOST_UNEVEN, _FEWEST_CARDS_UNEVEN = 3, 20_000
"""How many times sqrt(N) more red than black cards: the staircase is not used for more,
below this number of cards.

Up to there it keeps 13 digits, at 4 sqrt(N) only 12. For larger decks the diagonal
takes more than three times as long.
"""

_LEVELS_A_DECK = 100
"""Levels that a sweep passes while the staircase reads off a deck."""


def chosen(
    method: object,
    rules: Terms,
    decks: Sequence[Deck],
    *,
    exact: bool = False,
    best: bool = True,
) -> Literal["diagonal", "staircase"]:
    """Return the method for decks of increasing sizes, of at least one card.

    The staircase works for optimal play only (`best`).

    Raises
    ------
    TypeError, ValueError
        If `method` is not one of the words, or is "staircase" where it cannot be used.
    """
    asked = _checks.choice("method", method, METHODS)
    obstacle = staircase_obstacle(rules, decks, exact=exact)
    if not best:
        obstacle = "for a policy other than 'optimal'; use method='diagonal'"
    if asked == "staircase" and obstacle:
        raise ValueError(f"method must not be 'staircase' {obstacle}")
    if asked != "auto":
        return asked
    most = max((deck.cards for deck in decks), default=0)
    worth = most >= max(_FEWEST_CARDS, _LEVELS_A_DECK * len(decks))
    if obstacle or not worth or any(map(_loses_digits, decks)):
        return "diagonal"
    return "staircase"


def _loses_digits(deck: Deck) -> bool:
    """Return whether the diagonal is more accurate, and costs little more."""
    uneven = -deck.excess > _MOST_UNEVEN * math.sqrt(deck.cards)
    return uneven and deck.cards < _FEWEST_CARDS_UNEVEN


def staircase_obstacle(
    rules: Terms, decks: Sequence[Deck], *, exact: bool = False
) -> str | None:
    """Return why the staircase cannot be used, and what can; None if it can be used."""
    if exact:
        return "with backend='exact', as it computes in float64; use 'diagonal'"
    if rules.utility is not None or not rules.gain == rules.cost > 0:
        return (
            "unless rules let a red card gain what a black one costs, and have no "
            f"utility, got {_checks.shown(rules)}; use method='diagonal'"
        )
    for deck in decks:
        if deck.cards > MOST_CARDS:
            return (
                f"for more than {MOST_CARDS} cards, got {_checks.shown(deck.cards)}; "
                "use fitting.asymptotic_value(...)"
            )
        if not deck.within_reach_of_balance:
            return (
                f"unless red and black differ by at most {MOST_UNEVEN:.0f} times the "
                f"root of their sum, got {_checks.shown(deck.red)} and "
                f"{_checks.shown(deck.black)}; use method='diagonal'"
            )
    return None
