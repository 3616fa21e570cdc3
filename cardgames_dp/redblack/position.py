"""A game in progress, card by card: cash in hand, cards left, and advice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeAlias

from cardgames_dp._results.records import PositionRecord, summary
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import Number
from cardgames_dp.redblack.deck import State
from cardgames_dp.redblack.rules import Rules
from cardgames_dp.redblack.solution import Advice, Solution

Colour: TypeAlias = Literal["red", "black"]
Move: TypeAlias = Literal["red", "black", "stop"]

COLOURS: tuple[Colour, ...] = ("red", "black")
_MOVES: tuple[Move, ...] = (*COLOURS, "stop")


@suggest_arguments
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Position(PositionRecord[tuple[Any, Colour], State, Move], Generic[Number]):
    """A game in progress: cards drawn, cards left, and what to do now.

    A position does not change: each move returns a new one. Positions of all games have
    the same members: `play`, `undo`, `history`, `over`, `value`, `advice`, `rules` and
    `state`.

    Parameters
    ----------
    solution : Solution
        The solution of the deck that is played, from `solve`.
    good : {"red", "black"}, default "red"
        The colour of the good cards. With "black", black cards here are those that
        `solution`, like all of this package, calls red, and red cards are those that it
        calls black.

    See Also
    --------
    cardgames_dp.cardrow.Position, cardgames_dp.pairs.Position

    References
    ----------
    H. Yang's program (:doc:`/errata`) "suggests the optimal move at any given
    position"; its good cards are the black ones.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> game = redblack.Position(redblack.solve(26, 26), good="black")
    >>> for card in ["red", "black", "black", "black"]:
    ...     game = game.play(card)
    >>> game
    Position(red=25, black=23, cash=2, value=3.2462, over=False)
    >>> print(game.advice())
    25 red and 23 black cards left, 2 in hand: draw, worth 3.2462; stopping is worth 2.
    >>> game.undo().history
    ('red', 'black', 'black')
    >>> game.play("stop").over
    True
    """

    def __init__(self, solution: Solution[Number], *, good: Colour = "red") -> None:
        if not isinstance(solution, Solution):
            raise arguments.wrong_type(
                "solution must be what redblack.solve returns", solution
            )
        good = arguments.choice("good", good, COLOURS)
        state = State(solution.red, solution.black)
        self._place((solution, good), state)

    @property
    def solution(self) -> Solution[Number]:
        """The solution on which the advice is based."""
        solution: Solution[Number] = self._shared[0]
        return solution

    @property
    def good(self) -> Colour:
        """The colour of the good cards."""
        return self._shared[1]

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.solution.rules

    @property
    def red(self) -> int:
        """The number of red cards that remain."""
        return self.state.red if self.good == "red" else self.state.black

    @property
    def black(self) -> int:
        """The number of black cards that remain."""
        return self.state.black if self.good == "red" else self.state.red

    @property
    def over(self) -> bool:
        """Whether the player has stopped, or no card is left."""
        return self.state.decision == "stop" or not (self.red or self.black)

    @property
    def cash(self) -> Number:
        """The cash in hand."""
        return self._now.cash

    @property
    def value(self) -> Number:
        """The expected final cash if play goes on optimally; at the end, the cash.

        Under a utility, its expected utility. It is the `value` of the `advice`.
        """
        return self._now.values["stop"] if self.over else self._now.value

    def advice(self) -> Advice[Number]:
        """Return what to do now, draw or stop, and what each action is worth.

        Examples
        --------
        >>> from cardgames_dp import redblack
        >>> game = redblack.Position(redblack.solve(2, 2)).play("red")
        >>> game.advice().action
        'stop'
        """
        if self.over:
            raise ValueError("the game is over, so there is no action to advise")
        return replace(self._now, red=self.red, black=self.black)

    def play(self, move: Move) -> Position[Number]:
        """Return the position after the next card, or after the player stops.

        Parameters
        ----------
        move : {"red", "black", "stop"}
            The colour of the card drawn, or "stop" if the player stops.
        """
        move = arguments.choice("move", move, _MOVES)
        if self.over:
            raise ValueError(f"the game is over, so that {move!r} cannot be played")
        if move == "stop":
            return self._next(move, self.state._replace(decision=move))
        left = {"red": self.red, "black": self.black}
        if not left[move]:
            raise ValueError(f"no {move} card is left to draw")
        if move == self.good:
            return self._next(move, self.state._replace(red=left[move] - 1))
        return self._next(move, self.state._replace(black=left[move] - 1))

    @property
    def _now(self) -> Advice[Number]:
        return self.solution.advice(red=self.state.red, black=self.state.black)

    def __repr__(self) -> str:
        told = "red", "black", "cash", "value", "over"
        return summary(self, **{name: getattr(self, name) for name in told})
