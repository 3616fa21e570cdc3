"""Linear time: collapsing the peaks of a row.

Two players take one card a turn; V of a position is the lead of the player to move
under optimal play, ``V = max(x - V(the position without x))`` over the end cards x, and
0 without cards. Cards are any real numbers. A position may consist of several rows,
each with two ends; the argument is the same.

Algorithm
---------
A *peak* is three neighbours a <= b >= c. It *collapses* to the one card
``m = a - b + c``, and V stays the same. One pass with a stack leaves a row without
peaks: it falls, then rises. There the larger end is always right, so two pointers
finish. Each card is pushed and popped once: O(n) comparisons and additions.

Why
---
In short; the page "Cards in a row" of the documentation has the whole proof.

1. V changes by at most t if one card does by t.
2. So the largest card, if it is at an end, may be taken.
3. A peak b that is the largest card of all collapses: after a, the other may take b.
4. Every peak collapses, since two collapses always lead on to a common position.
5. Without peaks the largest card is always at an end: V is the alternating sum of the
   sorted cards, of all rows together.
6. A collapsed card stands for a *block* of neighbours. When the largest block is at an
   end, it is optimal for both players to take its cards one after the other from there.

Where it fails
--------------
With up to two cards a turn: [0, 1, 0] is worth 1, its collapse [-1] is not; the whole
argument counts turns by cards. With three players: [1, 1, 2, 1] depends on what an
indifferent player does, so it has no one value to preserve. Those rules are
solved by tables (`cardgames_dp.cardrow._kernels.diagonals`). Strict inequalities on
both sides are wrong: (0, 0, 1, 1, 1, 0) has no peak then, and two pointers that take
the right one of equal ends give -1 instead of 1; on (0, 0, 1, 1, 1, 0, 0) they are
wrong with either.

Attribution
-----------
The fusion of a peak into one card, which gives linear time, is due to Idziaszek [1]_,
for a contest of 2010; we know programs that follow him, but not the text of his proof.
The proof here is this project's, with ties, negative cards and any real numbers, and so
are the line of play by blocks and the queries of any interval
(`cardgames_dp.cardrow._kernels.intervals`). The game is in [2]_.

References
----------
.. [1] Idziaszek, T., "An Optimal Algorithm for Calculating the Profit in the Coins in a
   Row Game"; the task "Termity" of the contest Potyczki Algorytmiczne 2010.
.. [2] Winkler, P., *Mathematical Puzzles: A Connoisseur's Collection*, A K Peters,
   2004.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_BOTTOM: tuple[Any, Any] = (math.nan, math.inf)
"""The bottom of a stack: with these two below it no card makes a peak."""


def collapsed(cards: Iterable[int]) -> list[int]:
    """Return the collapsed row: without peaks, and with the same value."""
    below: list[Any] = []  # a stack, but for its two topmost cards:
    second, top = _BOTTOM
    push, pop = below.append, below.pop
    for card in cards:
        last = card
        while last <= top >= second:
            last += second - top
            top, second = pop(), pop()
        push(second)
        second, top = top, last
    return [*below, second, top][2:]


def value(*rows: Iterable[int]) -> int:
    """Return the value of rows, if any end of any row may be taken."""
    cards = [card for row in rows for card in collapsed(row)]
    # Each row falls, then rises: `sorted` merges such runs, in linear time for one row.
    cards.sort(reverse=True)
    return sum(cards[::2]) - sum(cards[1::2])


def worths_of_ends(cards: Sequence[int]) -> tuple[int, int]:
    """Return the leads of the player to move after taking the left and the right end.

    The two remaining rows share all but their end cards, so one pass is enough.
    """
    first, last = cards[0], cards[-1]
    if len(cards) == 1:
        return first, last
    middle = collapsed(cards[1:-1])
    return first - value([*middle, last]), last - value([first, *middle])


def line(cards: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return an optimal line of play.

    Returns
    -------
    order : ndarray of int64
        The positions of the cards in the order in which they are taken.
    from_right : ndarray of bool
        The end from which each is.
    """
    row, starts = _blocks(cards)
    by_size = np.array(sorted(range(len(row)), key=row.__getitem__, reverse=True))
    begin = np.array(starts)[by_size]
    size = np.diff(starts, append=len(cards))[by_size]
    # The smallest block is the last; those to the left of it are taken from the left.
    from_right = np.repeat(by_size > by_size[-1], size)
    step = np.arange(len(cards)) - np.repeat(np.cumsum(size) - size, size)
    from_left = np.repeat(begin, size) + step
    backwards = np.repeat(begin + size - 1, size) - step
    return np.where(from_right, backwards, from_left), from_right


def _blocks(cards: Iterable[int]) -> tuple[list[int], list[int]]:
    """Return the collapsed cards, and where the block of each begins in the row."""
    below: list[Any] = []
    starts: list[int] = []
    second, top = _BOTTOM
    push, pop, push_start, pop_start = (
        below.append,
        below.pop,
        starts.append,
        starts.pop,
    )
    for start, card in enumerate(cards):
        last, begin = card, start
        while last <= top >= second:
            last += second - top
            top, second = pop(), pop()
            pop_start()
            begin = pop_start()
        push(second)
        second, top = top, last
        push_start(begin)
    return [*below, second, top][2:], starts


def steps(row: list[int]) -> list[tuple[list[int], list[int], int | None]]:
    """Return the row after each collapse: its columns, its cards, and the next peak.

    A peak is named by its first card, and is the leftmost there is; None at the end.
    """
    columns, cards = list(range(len(row))), list(row)
    steps: list[tuple[list[int], list[int], int | None]] = []
    while True:
        triples = zip(cards, cards[1:], cards[2:], strict=False)
        found = (i for i, (a, b, c) in enumerate(triples) if a <= b >= c)
        peak = next(found, None)
        steps.append((columns, cards, peak))
        if peak is None:
            return steps
        a, b, c = cards[peak : peak + 3]
        cards = [*cards[:peak], a - b + c, *cards[peak + 3 :]]
        columns = [*columns[:peak], columns[peak + 1], *columns[peak + 3 :]]
