"""Any interval of a row, each in a few steps: stacks that are split at fixed middles.

The intervals of a game off the optimal line shrink from both ends, and grow again when
moves are undone. Collapsing each of them again takes linear time for each move, but
intervals can share this work.

Algorithm
---------
Collapse a row outwards from some middle: each card is pushed on a stack, where peaks
collapse. If a stack is a linked list, a push leaves all earlier stacks as they were;
so *every* interval that begins (or ends) at the middle has its stack, in one node a
card. An interval across the middle is the one stack turned round, and the other; the
peaks left in that are at the middle, and collapsing them costs what the two stacks
hold.

The middles are fixed: for an interval of several cards, the multiple of the largest
power of two, 2**k, that has one at most in (l, r]. It is the number that l and r, in
binary, first disagree at, and its block is the 2**k cards to either side. (Such blocks
are known as a *disjoint sparse table*.) A block is collapsed when an interval first
needs it, and then kept.

Why it is right
---------------
Collapsing a peak inside of an interval never changes its value, and neither does it
matter in what order it is done, nor from which side
(`cardgames_dp.cardrow._kernels.collapse`). A stack holds the collapsed cards of
its interval, since a push only collapses peaks.

Cost
----
- A block of b cards costs O(b) once: a card is pushed once, and collapses a peak with
  every step of the loop but the last. Intervals that shrink from the whole row of n
  cards go through blocks that halve from one to the next, and so do the moves beside
  them: O(n) time and memory in all. With moves undone and others tried, no
  block is collapsed twice, and all of them have O(n log n) cards together.
- The value of an interval costs O(c log c), c being what its two stacks hold: for
  100,000 random cards about ten each, at most twenty. At worst c is the number of
  cards, as in a row that rises from end to end; then nothing is saved over collapsing
  anew.

A segment tree over what pieces collapse to is simpler, and two or three times slower on
random rows; at worst it is as slow. What is slow is not the collapse, but the sorted
sum of a long row without peaks, which pieces do not share. The best worst case that we
know is O(sqrt(n) log n) for each query, by blocks with a search tree of each beginning
(a solution of "Game Prediction", Petrozavodsk training camp, summer 2019); typical rows
do not need it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from cardgames_dp.cardrow._kernels import collapse


class Intervals:
    """What the player to move wins by, for any interval of a row.

    Parameters
    ----------
    cards : list of int
        The row; not to be changed.
    """

    __slots__ = ("_blocks", "_cards")

    def __init__(self, cards: list[int]) -> None:
        self._cards = cards
        self._blocks: dict[int, tuple[_Stacks, _Stacks]] = {}

    def value(self, left: int, right: int) -> int:
        """Return the value of the cards from position `left` to `right`, inclusive."""
        if left > right:
            return 0
        if left == right:
            return self._cards[left]
        size = 1 << ((left ^ right).bit_length() - 1)
        middle = right & -size
        if middle not in self._blocks:
            leftwards = self._cards[middle - size : middle][::-1]
            rightwards = self._cards[middle : middle + size]
            self._blocks[middle] = _Stacks.of(leftwards), _Stacks.of(rightwards)
        before, after = self._blocks[middle]
        return collapse.value(
            before.outermost_first(middle - left)
            + after.outermost_first(right - middle + 1)[::-1]
        )


class _Stacks(NamedTuple):
    """What each beginning of a list of cards collapses to, as stacks that share nodes.

    Node i is the top of the stack of the first i cards; node 0 is the bottom of all.

    Attributes
    ----------
    card : list of int
        The collapsed card of each node.
    below : list of int
        The node under it.
    """

    card: list[Any]
    below: list[int]

    @classmethod
    def of(cls, cards: list[int]) -> _Stacks:
        card: list[Any] = [math.nan]  # no peak has this for one of its cards
        below = [0]
        for before, pushed in enumerate(cards):
            top, under = pushed, before
            while top <= card[under] >= card[below[under]]:
                top += card[below[under]] - card[under]
                under = below[below[under]]
            card.append(top)
            below.append(under)
        return cls(card, below)

    def outermost_first(self, count: int) -> list[int]:
        """Return the stack of the first `count` cards, from its top down."""
        card, below = self
        stack = []
        while count:
            stack.append(card[count])
            count = below[count]
        return stack
