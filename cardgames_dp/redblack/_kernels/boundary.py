"""The stopping boundary of red/black: where to stop, without a table.

Under linear rules the stop set of each n is ``red <= top(n)``, or in the words of a
player ``excess >= n - 2 top(n)``. Read the other way round, along a fixed excess k, it
is the thresholds n_k: stop at excess k exactly when no more than n_k cards remain.

They exist when a red card gains at least what a black one costs. Then a pair of cards,
one of each colour, can only help: a player who ignores the pair plays the smaller deck,
and by symmetry either card of the pair is as likely to be met before they stop. So if
stopping is right at (r + 1, b + 1), it is at (r, b).
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._extras import tracked
from cardgames_dp._memory import refuse_too_large
from cardgames_dp.redblack._kernels import costs
from cardgames_dp.redblack._kernels.staircase.ascent import Deck, ascend
from cardgames_dp.redblack._kernels.sweep import Sweep
from cardgames_dp.redblack._kernels.terms import Terms, Tie

_LEVEL_BYTES = 48
"""Of a level of a boundary, as an array and as the list of ints that a loop reads."""

_AUDIT = 3
"""Time of a climb with certified errors, in times of a plain one."""

Found: TypeAlias = tuple[NDArray[np.int64], dict[int, list[int]]]
"""Thresholds by excess, from 0 on; the levels, of an excess, whose decision is open."""


def tops(
    rules: Terms,
    red: int,
    black: int,
    *,
    exact: bool,
    tie: Tie | None = None,
    progress: bool = False,
) -> NDArray[np.int64]:
    """Return for each n the largest r at which stopping is right; -1 where none is.

    Parameters
    ----------
    rules : Terms
        Linear ones, without a utility.
    red, black : int
        The full deck; only cells that it can reach are meant.
    exact : bool
        Decide in integers, or in float64.
    tie : {"stop", "draw"}, optional
        The tie rule; that of `rules` if not given.
    progress : bool, default False
        Show a progress bar.

    Returns
    -------
    ndarray of int64, shape (red + black + 1,)
    """
    tie = rules.tie if tie is None else tie
    gain, cost, total = rules.gain, rules.cost, red + black
    refuse_too_large(
        f"the boundary of {_checks.shown(total)} levels",
        _LEVEL_BYTES * total,
        "use value(...), or thresholds(...) with a bound on the excess",
    )
    if gain <= 0 or cost == 0:
        return _tops_of_free_cards(rules, total, tie)
    result = np.zeros(total + 1, dtype=np.int64)
    if red == 0 or black == 0:
        return result
    top = n = 0
    levels = Sweep.of(
        rules, red, black, exact=exact, tie=tie, progress=progress
    ).levels()
    for level in tracked(levels, total, "levels", shown=progress):
        n, top = level.n, level.top
        result[n] = top
    # Out of the deck's reach the boundary keeps its place; a deck that stops, stops.
    result[n + 1 :] = red if top >= red else top
    return result


def _tops_of_free_cards(rules: Terms, total: int, tie: Tie) -> NDArray[np.int64]:
    """Return the boundary of rules under which a colour costs or brings nothing.

    Then whole lines of cells tie: those where only such cards are left.
    """
    all_stop, none_stops = np.arange(total + 1), np.full(total + 1, -1)
    if rules.gain < 0 or (rules.gain == 0 and tie == "stop"):
        return all_stop
    if rules.gain == 0:
        return none_stops if rules.cost == 0 else all_stop - 1
    return none_stops if tie == "draw" else none_stops + 1


def climbed_thresholds(_: Terms, deck: Deck, max_excess: int, progress: bool) -> Found:
    refuse_too_long(
        f"{max_excess} thresholds",
        _AUDIT * costs.climb(deck.red, deck.black),
        "ask for fewer",
        progress=progress,
    )
    ascent = ascend([deck], audited=True, progress=progress)
    last = np.array([0, *ascent.thresholds[:max_excess]])
    doubtful = {
        excess: [int(last[excess]) + step for step in (-4, -2, 0, 2, 4)]
        for excess in ascent.unsettled
        if excess <= max_excess
    }
    # No state of this excess has fewer cards.
    return last, {k: [n for n in levels if n >= k] for k, levels in doubtful.items()}


def swept_thresholds(
    rules: Terms, deck: Deck, max_excess: int, progress: bool
) -> Found:
    # The boundary is at 0.84 sqrt(n) or beyond: met long before this deck ends.
    cards = 4 * (max_excess + 2) ** 2
    sweep = Sweep.of(
        rules,
        cards,
        cards,
        exact=False,
        tie=rules.tie,
        last=deck.cards,
        progress=progress,
    )
    last = np.zeros(max_excess + 3, dtype=np.int64)  # of each excess, with its parity
    doubtful: dict[int, list[int]] = {}
    for level in tracked(sweep.levels(), deck.cards, "levels", shown=progress):
        excess = level.n - 2 * level.top
        if excess > max_excess + 1:
            break
        last[excess] = level.n
        if not sweep.certain(level):
            decided = excess if level.rose else excess - 2
            doubtful.setdefault(decided, []).append(level.n)
    found = {k: levels for k, levels in doubtful.items() if k <= max_excess}
    return last[: max_excess + 1], found


def stops(rules: Terms, n: int, excess: int) -> bool:
    """Return whether stopping is right at a state, decided in integers."""
    red = (n - excess) // 2
    return bool(tops(rules, red, n - red, exact=True)[n] >= red)
