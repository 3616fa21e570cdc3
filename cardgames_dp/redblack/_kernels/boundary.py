"""The stopping boundary of red/black: where to stop, without a table.

Under linear rules the stop set of each n is ``red <= top(n)``, or
``excess >= n - 2 top(n)``. For a fixed excess k it is given by the threshold n_k: stop
at excess k exactly when at most n_k cards remain.

Thresholds exist if a red card gains at least what a black card costs. Then a pair of
cards, one of each colour, can only help: a player who ignores the pair plays the
smaller deck, and by symmetry both cards of the pair are equally likely to be drawn
before the player stops. So if stopping is right at (r + 1, b + 1), it is right at (r,
b).
"""

from __future__ import annotations

import math
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.arguments import at_most
from cardgames_dp._support.printing import short
from cardgames_dp._support.running import tracked
from cardgames_dp.redblack._kernels import boundary_law, limits
from cardgames_dp.redblack._kernels.recurrence import antidiagonal
from cardgames_dp.redblack._kernels.staircase.climb import MOST_CARDS, Deck, ascend
from cardgames_dp.redblack._kernels.staircase.walks import has_extended
from cardgames_dp.redblack._kernels.sweep import Sweep
from cardgames_dp.redblack.rules import Rules, Tie

_EXACT_EXCESS = 100
"""Decisions up to this excess are always settled, with integers if necessary."""

_Found: TypeAlias = tuple[NDArray[np.int64], dict[int, list[int]]]
"""Thresholds by excess, from 0 on; for some excesses, the levels that are open."""


def tops(
    rules: Rules, red: int, black: int, *, exact: bool, tie: Tie | None = None
) -> NDArray[np.int64]:
    """Return for each n the largest r at which stopping is right; -1 where none is.

    Parameters
    ----------
    rules : Rules
        Linear rules, without a utility.
    red, black : int
        The full deck; the result is for cells that it can reach.
    exact : bool
        Decide in integers, or in float64.
    tie : {"stop", "draw"}, optional
        The tie rule; that of `rules` if not given.

    Returns
    -------
    ndarray of int64, shape (red + black + 1,)
    """
    tie = rules.tie if tie is None else tie
    gain, cost, total = rules.gain, rules.cost, red + black
    limits.refuse_boundary(total)
    if gain <= 0 or cost == 0:
        return _tops_of_free_cards(rules, total, tie)
    result = np.zeros(total + 1, dtype=np.int64)
    if red == 0 or black == 0:
        return result
    top = n = 0
    sweep = Sweep.of(rules, red, black, exact=exact, tie=tie)
    last = sweep.free_from
    for level in tracked(sweep.levels(), last, "levels"):
        n, top = level.n, level.top
        result[n] = top
        if n == last:
            break
    # Out of the deck's reach the boundary keeps its place.
    result[n + 1 :] = red if top >= red else top
    return result


def _tops_of_free_cards(rules: Rules, total: int, tie: Tie) -> NDArray[np.int64]:
    """Return the boundary under rules with no gain, or no cost.

    Then whole lines of cells are ties: those where only such cards are left.
    """
    all_stop, none_stops = np.arange(total + 1), np.full(total + 1, -1)
    if rules.gain < 0 or (rules.gain == 0 and tie == "stop"):
        return all_stop
    if rules.gain == 0:
        return none_stops if rules.cost == 0 else all_stop - 1
    return none_stops if tie == "draw" else none_stops + 1


def refuse_rules_without_thresholds(rules: Rules) -> None:
    """Refuse rules for which no threshold per excess describes where to stop."""
    if rules.utility is not None:
        raise ValueError(
            "rules must be linear, without a utility, to have thresholds; "
            "use solve(...).stop"
        )
    if not rules.gain >= rules.cost > 0:
        raise ValueError(
            "rules must have win - fee >= lose + fee > 0 to have thresholds (else "
            "stopping can be right with many cards and wrong with fewer), got "
            f"win - fee = {short(rules.gain, 12)}, lose + fee = "
            f"{short(rules.cost, 12)}; "
            "use solve(...).boundary.excess"
        )


def deck_of(max_excess: int) -> Deck:
    """Return a deck that passes the last threshold, and no other after it."""
    # n_k is about (k / 0.84)**2, and the staircase has no larger decks.
    at_most("max_excess", max_excess, math.isqrt(MOST_CARDS) // 2, "ask for fewer")
    n = (boundary_law.level(max_excess) + boundary_law.level(max_excess + 1)) // 2
    return Deck((n - max_excess) // 2, (n + max_excess) // 2)


def thresholds(
    rules: Rules, deck: Deck, max_excess: int, *, climbs: bool
) -> tuple[NDArray[np.int64], tuple[int, ...]]:
    """Return n_1, n_2, ..., -1 where unknown, and the excesses that are unknown.

    Parameters
    ----------
    rules : Rules
        Linear rules that have thresholds.
    deck : Deck
        The deck from `deck_of`.
    max_excess : int
    climbs : bool
        Whether the staircase finds them, or the diagonal.
    """
    find = _climbed_thresholds if climbs else _swept_thresholds
    last, doubtful = find(rules, deck, max_excess)
    for excess, levels in doubtful.items():
        if excess <= _EXACT_EXCESS:
            stopping = (n for n in reversed(levels) if _stops(rules, n, excess))
            last[excess] = next(stopping, levels[0] - 2)
        else:
            last[excess] = -1
    return last[1:].copy(), tuple(k for k in doubtful if k > _EXACT_EXCESS)


def _climbed_thresholds(_: Rules, deck: Deck, max_excess: int) -> _Found:
    ascent = ascend([deck], audited=True)
    open_ones = [k for k in ascent.unsettled if _EXACT_EXCESS < k <= max_excess]
    if open_ones and has_extended():
        ascent = ascend([deck], audited=True, extended=True)
    last = np.array([0, *ascent.thresholds[:max_excess]])
    doubtful = {
        excess: [int(last[excess]) + step for step in (-4, -2, 0, 2, 4)]
        for excess in ascent.unsettled
        if excess <= max_excess
    }
    # No state of this excess has fewer cards.
    return last, {k: [n for n in levels if n >= k] for k, levels in doubtful.items()}


def _swept_thresholds(rules: Rules, deck: Deck, max_excess: int) -> _Found:
    # The boundary is at 0.84 sqrt(n) or beyond: met long before this deck ends.
    cards = 4 * (max_excess + 2) ** 2
    sweep = Sweep.of(rules, cards, cards, exact=False, tie=rules.tie, last=deck.cards)
    last = np.zeros(max_excess + 3, dtype=np.int64)  # of each excess, with its parity
    doubtful: dict[int, list[int]] = {}
    for level in tracked(sweep.levels(), deck.cards, "levels"):
        excess = level.n - 2 * level.top
        if excess > max_excess + 1:
            break
        last[excess] = level.n
        if not sweep.certain(level):
            decided = excess if level.rose else excess - 2
            doubtful.setdefault(decided, []).append(level.n)
    found = {k: levels for k, levels in doubtful.items() if k <= max_excess}
    return last[: max_excess + 1], found


def _stops(rules: Rules, n: int, excess: int) -> bool:
    """Return whether stopping is right at a state, decided in integers."""
    red = (n - excess) // 2
    return bool(tops(rules, red, n - red, exact=True)[n] >= red)


def of_table(stop: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each n the smallest excess at which a table of stops stops.

    It is n + 1 where the player does not stop in any state of the deck.

    Raises
    ------
    ValueError
        If for some n the stop set is not one-sided.
    """
    red, black = stop.shape[0] - 1, stop.shape[1] - 1
    excess = np.arange(1, red + black + 2)
    for n in range(red + black + 1):
        first, last = max(0, n - black), min(red, n)
        stops = antidiagonal(stop, n, first, last)
        count = int(np.count_nonzero(stops))
        if not stops[:count].all():
            raise ValueError(
                f"with {n} cards remaining the stop set is not one-sided, so there "
                "is no boundary; use Solution.stop"
            )
        if count:
            excess[n] = n - 2 * (first + count - 1)
    return excess


def runs(
    excess: NDArray[np.int64], red: int
) -> list[tuple[int, int, int | Literal["never", "any"]]]:
    """Return ranges of n, the larger end first, with the same excess to stop at.

    An excess is even or odd as n is. So "1 or more" means 2 or more where n is even,
    and even and odd n share a range.
    """
    found: list[tuple[int, int, list[Any]]] = []
    total = len(excess) - 1
    for n in range(total, min(total, 1) - 1, -1):
        least, first = int(excess[n]), n
        if least > n:
            words: list[Any] = ["never"]
        elif least <= n - 2 * min(red, n):
            words = ["any"]
        else:
            words = [least, least - 1]
        if found and (shared := [word for word in found[-1][2] if word in words]):
            first, _, _ = found.pop()
            words = shared
        found.append((first, n, words))
    return [(first, n, words[0]) for first, n, words in found]
