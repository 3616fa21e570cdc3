"""The states of cards in a row, and turns: as words, as codes, as numbers of cards.

The kernels write a turn as the number of cards that it takes, negative from the left. A
game for arrays needs codes from 0 on: 0 takes one card from the left, 1 one from the
right, 2 two from the left, and so on.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class State(NamedTuple):
    """A state of a game: the cards left, and the player to move.

    Attributes
    ----------
    left, right : int
        Positions of the end cards, counted from 0; no card is left if left > right.
    player : int, default 0
        The player to move, counted from 0; when no card is left, the one after the
        last.

    Examples
    --------
    Solutions are looked up by states; a plain tuple works as well:

    >>> from cardgames_dp import cardrow, exact
    >>> solution = exact.solve(cardrow.game([1, 5, 1]))
    >>> solution.policy[cardrow.State(left=1, right=2, player=1)]
    'left'
    >>> solution.payoffs_at((1, 2, 1))
    (Fraction(-4, 1), Fraction(4, 1))
    """

    left: int
    right: int
    player: int = 0


def words(take: int) -> tuple[str, ...]:
    """Return the turns that take up to some cards as words, in the order of codes."""
    many = range(2, take + 1)
    several = [f"{k} from the {side}" for k in many for side in ("left", "right")]
    return ("left", "right", *several)


def codes_of(turns: Any) -> Any:
    """Return the codes of numbers of cards, an array or an integer."""
    return 2 * abs(turns) - 2 + (turns > 0)


def signed(codes: Any) -> Any:
    """Return the numbers of cards of codes, an array or an integer."""
    return (codes // 2 + 1) * (2 * (codes % 2) - 1)


def word_of(turn: int) -> str:
    """Return a number of cards as a word."""
    side = "left" if turn < 0 else "right"
    return side if abs(turn) == 1 else f"{abs(turn)} from the {side}"
