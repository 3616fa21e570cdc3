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
In short; the appendix on methods in the documentation has the whole proof.

1. V changes by at most t if one card does by t.
2. So the largest card, if it is at an end, may be taken.
3. A peak b that is the largest card of all collapses: after a, the other may take b.
4. Every peak collapses, since two collapses always lead on to a common position.
5. Without peaks the largest card is always at an end: V is the alternating sum of the
   sorted cards, of all rows together.
6. A collapsed card stands for a *block* of neighbours. When the largest block is at an
   end, it is optimal for both players to take its cards one after the other from there.

It fails with up to two cards a turn and with three players (:doc:`/theory/cardrow`);
those rules are solved by `cardgames_dp.cardrow._kernels.diagonals`. Strict inequalities
on both sides are wrong, as equal cards must collapse, too.

Stacks
------
A *stack* is a row with one closed end: its cards can be taken from the open end only.
All of the above holds, except that the largest card may be at a closed end. One more
rule handles this:

*If the card at a closed end, s, is at least as large as the next one, t, no player
needs to touch the two before all others are gone. With N cards in total, leaving both
out changes V by t - s if N is even, and by s - t if N is odd.*

The player who then has to move takes t, leaves s, and loses s - t. Collapse each row
and each stack, and apply the rule to the closed ends as often as it holds. Then the
largest card of all is at an open end, and V is the alternating sum of the sorted cards.

The fusion of a peak into one card is due to Idziaszek [1]_; the proof, the line of play
by blocks and the queries of any interval (`Intervals`) are this project's.

References
----------
.. [1] Idziaszek, T., "An Optimal Algorithm for Calculating the Profit in the Coins in a
   Row Game"; the task "Termity" of the contest Potyczki Algorytmiczne 2010.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

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


def value(*rows: Sequence[int], stacks: Sequence[Sequence[int]] = ()) -> int:
    """Return the value of rows and stacks; of these only the last card is open."""
    cards, forced = [card for row in rows for card in collapsed(row)], 0
    for stack in stacks:
        free = collapsed(stack)
        paired = 0  # cards at the closed end that nobody wants to touch
        while paired + 1 < len(free) and free[paired] >= free[paired + 1]:
            forced += free[paired + 1] - free[paired]
            paired += 2
        cards += free[paired:]
    # Each row falls, then rises: `sorted` merges such runs, in linear time for one row.
    cards.sort(reverse=True)
    if forced and sum(map(len, [*rows, *stacks])) % 2:
        forced = -forced
    return sum(cards[::2]) - sum(cards[1::2]) + forced


def line(cards: Sequence[int]) -> NDArray[np.bool_]:
    """Return from which end each card is taken on an optimal line of play."""
    (card, below), ends = _stacks(cards), [len(cards)]
    while ends[-1]:  # each block of a collapsed card ends where the next one begins
        ends.append(below[ends[-1]])
    row = [card[end] for end in ends[-2::-1]]
    by_size = np.array(sorted(range(len(row)), key=row.__getitem__, reverse=True))
    size = -np.diff(ends)[::-1][by_size]
    # The smallest block is the last; those to the left of it are taken from the left.
    return np.repeat(by_size > by_size[-1], size)


def steps(row: list[int]) -> list[tuple[list[int], list[int], int | None]]:
    """Return the row after each collapse: its columns, its cards, and the next peak.

    A peak is named by its first card, and is the leftmost there is; None at the end.
    """
    columns, cards = list(range(len(row))), list(row)
    steps: list[tuple[list[int], list[int], int | None]] = []
    while True:
        triples = zip(cards, cards[1:], cards[2:], strict=False)
        peaks = (i for i, (a, b, c) in enumerate(triples) if a <= b >= c)
        peak = next(peaks, None)
        steps.append((columns, cards, peak))
        if peak is None:
            return steps
        a, b, c = cards[peak : peak + 3]
        cards = [*cards[:peak], a - b + c, *cards[peak + 3 :]]
        columns = [*columns[:peak], columns[peak + 1], *columns[peak + 3 :]]


class Intervals:
    """What the player to move wins by, for any interval of a row.

    The intervals of a game off the optimal line shrink from both ends, and grow again
    when moves are undone. Collapsing each anew takes linear time, but they can share
    this work.

    *Algorithm.* Collapse a row outwards from some middle: each card is pushed on a
    stack, where peaks collapse. If a stack is a linked list, a push leaves all earlier
    stacks as they were; so *every* interval that begins (or ends) at the middle has its
    stack, in one node a card. An interval across the middle is the one stack turned
    round, and the other; the peaks left in that are at the middle, and collapsing them
    costs what the two stacks hold.

    The middles are fixed: for an interval of several cards, the multiple of the largest
    power of two, 2**k, that has one at most in (l, r]. It is the number that l and r,
    in binary, first disagree at, and its block is the 2**k cards to either side (a
    *disjoint sparse table*). A block is collapsed when an interval first needs it, and
    then kept.

    *Cost.* A block of b cards costs O(b) once. Intervals that shrink from the whole row
    of n cards go through blocks that halve from one to the next, and so do the moves
    beside them: O(n) time and memory in all; all blocks have O(n log n) cards together.
    The value of an interval costs O(c log c), c being what its two stacks hold: for
    100,000 random cards about ten each. At worst, as in a row that rises from end to
    end, c is the number of cards; then nothing is saved.

    A segment tree over what pieces collapse to is simpler, and two or three times
    slower on random rows. The best worst case that we know is O(sqrt(n) log n) a query,
    by blocks with a search tree of each beginning (a solution of "Game Prediction",
    Petrozavodsk training camp, summer 2019).
    """

    __slots__ = ("_blocks", "cards")

    def __init__(self, cards: list[int]) -> None:
        self.cards = cards
        self._blocks: dict[int, tuple[_Stacks, _Stacks]] = {}

    def value(self, left: int, right: int) -> int:
        """Return the value of the cards from position `left` to `right`, inclusive."""
        if left >= right:
            return sum(self.cards[left : right + 1])
        size = 1 << ((left ^ right).bit_length() - 1)
        middle = right & -size
        if middle not in self._blocks:
            leftwards = self.cards[middle - size : middle][::-1]
            rightwards = self.cards[middle : middle + size]
            self._blocks[middle] = _stacks(leftwards), _stacks(rightwards)
        before, after = self._blocks[middle]
        return value(
            _outermost_first(before, middle - left)
            + _outermost_first(after, right - middle + 1)[::-1]
        )


_Stacks: TypeAlias = tuple[list[Any], list[int]]
"""What each beginning of a list of cards collapses to, as stacks that share nodes.

Node i is the top of the stack of the first i cards; node 0 is the bottom of all. For
each node: its collapsed card, and the node below.
"""


def _stacks(cards: Iterable[int]) -> _Stacks:
    card: list[Any] = [math.nan]  # no peak has this for one of its cards
    below = [0]
    for before, pushed in enumerate(cards):
        top, under = pushed, before
        while top <= card[under] >= card[below[under]]:
            top += card[below[under]] - card[under]
            under = below[below[under]]
        card.append(top)
        below.append(under)
    return card, below


def _outermost_first(stacks: _Stacks, count: int) -> list[int]:
    """Return the stack of the first `count` cards, from its top down."""
    card, below = stacks
    stack = []
    while count:
        stack.append(card[count])
        count = below[count]
    return stack
