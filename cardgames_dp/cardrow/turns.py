"""Turns and states of cards in a row."""

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
    """A player's turn: taking one card or several from one end.

    A turn that takes all cards left counts as one from the left, so that it is one turn
    and not two.

    Attributes
    ----------
    side : {"left", "right"}
        The end to take from.
    count : int, default 1
        The number of cards, at least 1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above.

    Examples
    --------
    Tables encode turns as integers:

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
        """The turn as an integer, as in tables: the count, negative for the left."""
        return -self.count if self.side == "left" else self.count

    @classmethod
    def of_code(cls, code: SupportsIndex) -> Turn:
        """Return the turn that an integer in a table stands for.

        Raises
        ------
        TypeError, ValueError
            If it is not an integer, or is 0, which stands for no turn.
        """
        # A table's cell is a short NumPy integer, which -(-128) would overflow.
        count = _checks.integer("code", code, minimum=None)
        if not count:
            raise ValueError("code must not be 0, which stands for no turn")
        return cls("left", -count) if count < 0 else cls("right", count)


class State(NamedTuple):
    """The state of a game: the cards left, the player to move, the sums taken.

    Attributes
    ----------
    left, right : int
        Positions of the end cards, counted from 0; no card is left if left > right.
    player : int
        The player to move, counted from 0; when no card is left, the one after the
        last.
    sums : tuple of int or Fraction
        The sum that each player has taken so far, each by their own values.

    Examples
    --------
    The tables of the exact solver are indexed by states, or by plain tuples:

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
    """Return a state, checked against the number of cards and of players."""
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
