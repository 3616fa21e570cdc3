"""Several rows at once, some of them open at one end only: still in linear time.

A *stack* is a row with one closed end: its cards can be taken from the open end only.
(In the contest's task, termites have eaten a hole into a row, which leaves a stack on
either side.) All of `cardgames_dp.cardrow._kernels.collapse` holds for stacks as well
as rows, except that the largest card may be at a closed end. One more rule handles
this:

*If the card at a closed end, s, is at least as large as the next one, t, no player
needs to touch the two before all others are gone. With N cards in total, leaving both
out changes V by t - s if N is even, and by s - t if N is odd.*

The player who then has to move takes t, leaves s, and loses s - t. Collapse each row
and each stack, and apply the rule to the closed ends as often as it holds. The cards
left fall and then rise in rows, and rise towards the open end in stacks. So the largest
card of all is at an open end, and V is the alternating sum of the sorted cards. The
page "Cards in a row" of the documentation has the proof.

References
----------
Idziaszek, T., "An Optimal Algorithm for Calculating the Profit in the Coins in a Row
Game"; the task "Termity" of the contest Potyczki Algorytmiczne 2010, in which some of
the cards of a row are gone when the game begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardgames_dp.cardrow._kernels import collapse


class Part(NamedTuple):
    """A collapsed row or stack, as a part of a position.

    Attributes
    ----------
    free : list of int
        Cards of which the largest of all parts may always be taken.
    forced : int
        What the first player to touch the pairs at the closed end wins by; never
        positive, and 0 for a row.
    cards : int
        How many cards it has.
    """

    free: list[int]
    forced: int
    cards: int


def row(cards: Sequence[int]) -> Part:
    """Return the collapsed part of a row, with both ends open."""
    return Part(collapse.collapsed(cards) if cards else [], 0, len(cards))


def stack(cards: Sequence[int]) -> Part:
    """Return the collapsed part of a stack, from its closed end to its open end."""
    free = collapse.collapsed(cards) if cards else []
    paired, forced = 0, 0
    while paired + 1 < len(free) and free[paired] >= free[paired + 1]:
        forced += free[paired + 1] - free[paired]
        paired += 2
    return Part(free[paired:], forced, len(cards))


def value(parts: Iterable[Part]) -> int:
    """Return the value of parts, if any open end may be taken."""
    free: list[int] = []
    forced = total = 0
    for part in parts:
        free += part.free
        forced += part.forced
        total += part.cards
    free.sort(reverse=True)
    return sum(free[::2]) - sum(free[1::2]) + (-forced if total % 2 else forced)


def worths_of_ends(
    rows: Sequence[Sequence[int]], stacks: Sequence[Sequence[int]]
) -> list[tuple[int, int]]:
    """Return the lead of the player to move after taking each end.

    Returns
    -------
    list of two int
        For each row, then each stack: by the left end and by the right one. A single
        card is at both, and the left end of a stack counts as the right one does.
    """
    parts = [*map(row, rows), *map(stack, stacks)]
    worths = []
    for i, cards in enumerate([*rows, *stacks]):
        others = [*parts[:i], *parts[i + 1 :]]
        kind = row if i < len(rows) else stack
        right = cards[-1] - value([*others, kind(cards[:-1])])
        left = right
        if kind is row:
            left = cards[0] - value([*others, row(cards[1:])])
        worths.append((left, right))
    return worths
