"""A turn, and what the player to move sees."""

from __future__ import annotations

from numbers import Real
from typing import Literal, NamedTuple, SupportsIndex, TypeAlias

import numpy as np

from cardgames_dp import _checks
from cardgames_dp.cardrow._kernels.row import Exact

Side: TypeAlias = Literal["left", "right"]
SIDES: tuple[Side, ...] = ("left", "right")


class _TurnFields(NamedTuple):
    side: Side
    count: int = 1  # type: ignore[assignment]  # in place of a tuple's method


class Turn(_TurnFields):
    """A player's turn: one card or several from one end.

    The whole rest of a row is always taken from the left, so that it is one turn, not
    two.

    Attributes
    ----------
    side : {"left", "right"}
        The end.
    count : int, default 1
        How many cards, at least 1.

    Raises
    ------
    TypeError, ValueError
        If one of them is something else.

    Examples
    --------
    Tables hold turns as numbers:

    >>> from cardgames_dp import cardrow
    >>> cardrow.Turn("left", 2).code
    -2
    >>> table = cardrow.solve([0, 1, 0, 5], rules=cardrow.Rules(take=2))
    >>> cardrow.Turn.of_code(table.best[0, 3])
    Turn(side='right', count=1)
    """

    __slots__ = ()

    def __new__(cls, side: Side, count: SupportsIndex = 1) -> Turn:
        """Return a turn, checked."""
        return super().__new__(
            cls,
            _checks.choice("side", side, SIDES),
            _checks.integer("count", count, minimum=1),
        )

    def __str__(self) -> str:
        return self.side if self.count == 1 else f"{self.count} from the {self.side}"

    @property
    def code(self) -> int:
        """The turn as one number, as tables hold it: the count, negative for left."""
        return -self.count if self.side == "left" else self.count

    @classmethod
    def of_code(cls, code: SupportsIndex) -> Turn:
        """Return the turn that a number in a table, other than 0, stands for.

        Raises
        ------
        TypeError, ValueError
            If it is no integer, or 0, which stands for none.
        """
        # A table's cell is a short NumPy integer, which -(-128) would overflow.
        count = _checks.integer("code", code, minimum=None)
        if not count:
            raise ValueError("code must not be 0, which stands for no turn")
        return cls("left", -count) if count < 0 else cls("right", count)


class State(NamedTuple):
    """What a player sees: which cards are left, whose turn it is, what all have taken.

    Attributes
    ----------
    left, right : int
        Positions of the end cards, counted from 0; no card is left if left > right.
    player : int
        The player to move, counted from 0; the next one where no card is left.
    sums : tuple of int or Fraction
        What each player has taken so far, by the own values.

    Examples
    --------
    What the exact solver's tables are looked up by; a plain tuple will do as well:

    >>> from cardgames_dp import cardrow, exact
    >>> solution = exact.solve(cardrow.Rules().game([1, 5, 1]))
    >>> after = cardrow.State(left=1, right=2, player=1, sums=(1, 0))
    >>> solution.policy[after]
    Turn(side='left', count=1)
    >>> solution.values[0, 1, 1, (1, 0)]
    (Fraction(-3, 1), Fraction(3, 1))
    """

    left: int
    right: int
    player: int
    sums: tuple[Exact, ...]


def checked_state(state: object, cards: int, players: int) -> State:
    """Return a state, if a game with these numbers of cards and players has it."""
    if not isinstance(state, tuple) or len(state) != len(State._fields):
        raise TypeError(
            f"state must be a cardrow.State, got {_checks.described(state)}"
        )
    left, right, player, sums = state
    whole = all(isinstance(x, (int, np.integer)) for x in (left, right, player))
    known = isinstance(sums, tuple) and all(isinstance(x, Real) for x in sums)
    if not whole or not known:
        raise TypeError(
            "state must hold three integers and a tuple of sums, got "
            f"{_checks.described(state)}"
        )
    inside = 0 <= left <= right + 1 <= cards and 0 <= player < players
    if not inside or len(sums) != players:
        raise ValueError(
            f"state must be one of a game with {cards} cards and {players} players, "
            f"got {_checks.shown(state)}"
        )
    return State(left, right, player, sums)
