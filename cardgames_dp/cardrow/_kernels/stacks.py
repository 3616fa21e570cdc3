"""Several rows at once, some of them open at one end only: still in linear time.

A *stack* is a row of which one end is closed: its cards can be taken from the open end
alone. (Termites that have eaten a hole into a row leave one at either side of it.) All
of `cardgames_dp.cardrow._kernels.collapse` holds for stacks among rows, but that the
largest card may now lie at a closed end. One more rule settles that:

*If the card at a closed end, s, is at least as large as the next one, t, nobody needs
to touch the two before all others are gone. With N cards in all, leaving both out
changes V by t - s if N is even, and by s - t if N is odd.*

For whoever then has to move takes t, leaves s, and loses s - t. Collapse each row and
each stack, apply the rule to the closed ends as often as it holds; what is left falls
and rises in rows, and rises towards the open end in stacks. So the largest card of all
is at an open end, and V of it is the alternating sum of the sorted cards. The
documentation's page "Cards in a row" has the proof.

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
    """What a row or a stack comes to, as part of a position.

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
    """Return what a row comes to, both of whose ends are open."""
    return Part(collapse.collapsed(cards) if cards else [], 0, len(cards))


def stack(cards: Sequence[int]) -> Part:
    """Return what a stack comes to: cards from the closed end to the open one."""
    free = collapse.collapsed(cards) if cards else []
    paired, forced = 0, 0
    while paired + 1 < len(free) and free[paired] >= free[paired + 1]:
        forced += free[paired + 1] - free[paired]
        paired += 2
    return Part(free[paired:], forced, len(cards))


def value(parts: Iterable[Part]) -> int:
    """Return what the player to move wins by, if any open end may be taken."""
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
    """Return what the player to move is ahead by after taking each end.

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
