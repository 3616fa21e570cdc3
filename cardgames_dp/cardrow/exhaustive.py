"""The brute force of Pashevich's report: exponential time, for comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cardgames_dp import _checks
from cardgames_dp._effort import TooLongError, duration
from cardgames_dp._records import Record, plain, short_repr
from cardgames_dp.cardrow._cards import read
from cardgames_dp.cardrow._kernels.instance import Tie
from cardgames_dp.cardrow._kernels.row import Cards, Exact
from cardgames_dp.cardrow.rules import TIES
from cardgames_dp.cardrow.turns import Side

_MOST_CARDS = 24
"""The longest row: more cards would take minutes, as each card doubles the time."""


@dataclass(frozen=True, slots=True, repr=False)
class BruteForce(Record):
    """The result of the brute force; made by :func:`brute_force`.

    Attributes
    ----------
    side : {"left", "right"}
        The best end to take a card from.
    balance : int or Fraction
        The value of the row: what the player to move wins by.
    calls : int
        The number of calls of the recursive function, the first one included:
        ``2**n - 1`` for n cards.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> row = [8, 4, 2, 2, 4, 8]
    >>> cardrow.brute_force(row).balance == cardrow.value(row)
    True
    >>> [cardrow.brute_force(row[:n]).calls for n in range(1, 7)]
    [1, 3, 7, 15, 31, 63]
    """

    side: Side
    balance: Exact
    calls: int

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain numbers and lists.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become text.
        """
        found: dict[str, Any] = plain(self, json=json)
        return found

    def __repr__(self) -> str:
        return short_repr(self)


def brute_force(cards: Cards, *, tie: Tie = "right") -> BruteForce:
    """Solve a row by trying all courses of the game, as Pashevich's gameOptimal does.

    It is for comparison: :func:`value` and :func:`best_move` find the same in linear
    time.

    Grade: exact.

    Parameters
    ----------
    cards : iterable of int, Fraction, Decimal or float
        The row from left to right, as for :func:`value`; at most 24 cards.
    tie : {"right", "left", "larger"}
        Which end to take if both are equally good; "right" is the rule of Pashevich's
        report. The last card is always taken from the left.

    Returns
    -------
    BruteForce
        The best end, the value, and the number of calls.

    Raises
    ------
    TypeError
        If `cards` is not a row of numbers, or `tie` is not a str.
    ValueError
        If there is no card, one is NaN or infinite, or `tie` is not one of the above.
    TooLongError
        If there are more than 24 cards. These take some seconds, and each further card
        doubles the time: sixty would take millennia.

    References
    ----------
    Pashevich and others ("APP2: Hold'em for n00bs"), section 3, which gives the number
    of calls as O(2**N).

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.brute_force([14, 4, 7, 2, 5, 12])
    BruteForce(side='left', balance=8, calls=63)
    """
    row = read("cards", cards)
    tie = _checks.choice("tie", tie, TIES)
    _refuse_long_rows(len(row.numerators))
    first, last = row.numerators[0], row.numerators[-1]
    left, right, calls = _tried(row.numerators)
    prefers_left = tie == "left" or (tie == "larger" and first > last)
    goes_left = left > right or (left == right and prefers_left)
    return BruteForce(
        side="left" if goes_left or len(row.numerators) == 1 else "right",
        balance=row.exact(max(left, right)),
        calls=calls,
    )


def _refuse_long_rows(cards: int) -> None:
    """Refuse a row that would take too long."""
    if cards > _MOST_CARDS:
        raise TooLongError(
            f"brute force is for at most {_MOST_CARDS} cards, got {cards}, which would "
            f"take 2**{cards} - 1 calls, about {duration(_seconds(cards))}; value(...) "
            "and best_move(...) find the same"
        )


def _seconds(cards: int) -> float:
    """Estimate the time for a row in seconds, at about 150 ns a call."""
    return 1.5e-7 * 2.0 ** min(cards, 1000)


class _Tried(NamedTuple):
    """The worths of taking the left and the right end, and the number of calls."""

    left: int
    right: int
    calls: int


def _tried(cards: Sequence[int]) -> _Tried:
    """Call gameOptimal, for a row of at least one card."""
    calls = 1  # this one

    def balance(left: int, right: int) -> int:
        nonlocal calls
        calls += 1
        if left == right:
            return cards[left]
        return max(
            cards[left] - balance(left + 1, right),
            cards[right] - balance(left, right - 1),
        )

    last = len(cards) - 1
    if last == 0:
        return _Tried(cards[0], cards[0], calls)
    by_left = cards[0] - balance(1, last)
    by_right = cards[last] - balance(0, last - 1)
    return _Tried(by_left, by_right, calls)
