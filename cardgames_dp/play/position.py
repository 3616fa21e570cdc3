"""A game in progress: any game that has been solved, played move by move."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any, Generic, Self

from cardgames_dp._graph.names import names_of
from cardgames_dp._graph.solution import Solution, as_solution, payoffs_text
from cardgames_dp._graph.value_arrays import Moves
from cardgames_dp._results.records import Action, Advice, Record, State
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import Number, vector_text
from cardgames_dp.game import CHANCE, TERMINAL
from cardgames_dp.play.evaluation import Response


@suggest_arguments
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Position(Record, Generic[State, Action, Number]):
    """A game in progress: its state, the moves that led there, and what to do now.

    A position does not change: each move returns a new one. Positions of all games have
    the same members: `play`, `undo`, `history`, `over`, `advice` and `state`. In a game
    with rewards, `collected` is what was paid so far, `value` what is still to come.
    It refers to the previous one, so the time of a move and of undoing it does not
    depend on the length of the game.

    Parameters
    ----------
    solution : Solution or Response
        The solution of the game, from either ``solve``, or the best response to the
        other players: they are then chance, and what they do is played as an outcome.
    state : State, optional
        Where to begin; the initial state if not given.

    Attributes
    ----------
    state : State
        The state.
    solution : Solution
        The solution on which values and advice are based.

    Examples
    --------
    In red/black a player draws, and then chance says which card it is, which pays:

    >>> from cardgames_dp import exact, play, redblack
    >>> game = play.Position(exact.solve(redblack.game(2, 2)))
    >>> game.advice().action
    'draw'
    >>> game = game.play("draw")
    >>> game.outcomes
    ((State(red=1, black=2, decision=''), (Fraction(1, 1),)), \
(State(red=2, black=1, decision=''), (Fraction(-1, 1),)))
    >>> game = game.play(redblack.State(red=1, black=2))
    >>> game
    Position(state=State(red=1, black=2, decision=''), collected=1, value=0, \
over=False)
    >>> game.play("stop").returns, len(game.undo().history)
    ((Fraction(1, 1),), 1)
    """

    state: State
    solution: Solution[State, Action, Number]
    _before: Self | None
    _move: Any
    _moves_here: Moves

    def __init__(
        self,
        solution: Solution[State, Action, Number] | Response[State, Action, Number],
        state: State | None = None,
    ) -> None:
        solved = as_solution(solution)
        if solved is None:
            raise TypeError(
                "solution must be what exact.solve, diagonal.solve or "
                f"play.best_response returns, got {arguments.described(solution)}"
            )
        solved._source.refuse_variants("a position")
        source: Any = solved._source
        place = source.start if state is None else source.place(state)
        self._set(state=source.state(place), solution=solved, _before=None, _move=None)

    @property
    def history(self) -> tuple[Any, ...]:
        """The moves that led here from the start."""
        return tuple([here._move for here in self._path[1:]])

    def undo(self) -> Self:
        """Return the position before the last move.

        Raises
        ------
        ValueError
            If there was no move.
        """
        if self._before is None:
            raise ValueError("the game has just begun: there is no move to undo")
        return self._before

    @property
    def _path(self) -> list[Self]:
        """The positions from the start up to this one."""
        path, here = [self], self._before
        while here is not None:
            path.append(here)
            here = here._before
        return path[::-1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return bool(
            self.state == other.state
            and self.solution == other.solution
            and self.history == other.history
            and self._path[0].state == other._path[0].state
        )

    def __hash__(self) -> int:
        return hash((type(self), self.state))

    def __reduce__(self) -> tuple[Any, ...]:
        # Move by move, as pickling nested positions would recurse too deeply.
        return _replayed, (self.solution, self._path[0].state, self.history)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.player == TERMINAL

    @property
    def player(self) -> int:
        """The player to move, `game.CHANCE`, or `game.TERMINAL`."""
        return self._moves.player

    @property
    def actions(self) -> tuple[Action, ...]:
        """The legal actions; none if chance moves, or the game is over."""
        return self._moves.actions

    @property
    def outcomes(self) -> tuple[Any, ...]:
        """The states that can follow, if chance moves.

        If one of the outcomes pays something, pairs of state and rewards.
        """
        moves = self._moves
        if moves.player != CHANCE:
            return ()
        if not any(map(any, moves.paid)):
            return self._following
        return tuple(zip(self._following, moves.paid, strict=True))

    @property
    def value(self) -> Number:
        """What the first player can expect from here, if all follow the solution."""
        value: Number = self.solution.values[self.state]
        return value

    @property
    def payoffs(self) -> tuple[Number, ...]:
        """What each player can expect from here, if all follow the solution."""
        return self.solution.payoffs_at(self.state)

    @property
    def collected(self) -> tuple[Number, ...]:
        """What the moves that led here have paid to each player."""
        return self._with_collected((0,) * len(self.payoffs))

    @property
    def returns(self) -> tuple[Number, ...] | None:
        """What each player has got in all, if the game is over; None otherwise.

        This is `collected`, and what the end pays.
        """
        if not self.over:
            return None
        return self._with_collected(self.payoffs)

    def advice(self) -> Advice[State, Action, Number]:
        """Return the best actions of the player to move, and the values of all.

        Raises
        ------
        ValueError
            If chance moves, or the game is over.
        """
        if self.player < 0:
            why = "the game is over" if self.over else "chance moves"
            raise ValueError(f"{why}, so there is no action to advise")
        return self.solution.advice(self.state)

    def play(self, move: Any) -> Position[State, Action, Number]:
        """Return the position after an action, or after a move of chance.

        Parameters
        ----------
        move : Action or State
            One of `actions`; if chance moves, one of `outcomes`, or the next state if
            only one of them leads to it, or its name if the game names outcomes
            (`cardgames_dp.game.Names`), such as a card. What only chance can do after
            one of the actions is played with it, in two moves.

        Raises
        ------
        ValueError
            If `move` is not possible here.
        """
        if self.player >= 0 and move not in self.actions:
            ways = [
                way for action in self.actions for way in self._through(action, move)
            ]
            if len(ways) == 1:
                (only,) = ways
                return only
        number = self._number(move)
        state = self._following[number]
        is_state = self.player == CHANCE and move not in (*self.outcomes, *self._names)
        after = object.__new__(type(self))
        move = state if is_state else move
        after._set(state=state, solution=self.solution, _before=self, _move=move)
        return after

    def _through(self, action: Any, move: Any) -> list[Position[State, Action, Number]]:
        """Return the position after an action and a move of chance, if there is one."""
        after = self.play(action)
        if after.player != CHANCE:
            return []
        with suppress(ValueError):
            return [after.play(move)]
        return []

    @property
    def _names(self) -> tuple[Any, ...]:
        """The names of the outcomes, if chance moves and the game names them."""
        outcome = names_of(self.solution.game).outcome
        if outcome is None or self.player != CHANCE:
            return ()
        return tuple([outcome(self.state, after) for after in self._following])

    def _number(self, move: Any) -> int:
        """Return the number of a move among the possible ones."""
        possible = self.outcomes if self.player == CHANCE else self.actions
        if move in possible:
            return possible.index(move)
        if self.player == CHANCE:
            names = self._names
            if names.count(move) == 1:
                return names.index(move)
            source, states = self.solution._source, self._following
            with suppress(KeyError, TypeError):  # a state may be given by some fields
                move = source.state(source.place(move))
            if states.count(move) == 1:
                return states.index(move)
            possible = names or possible
        if self.over:
            raise ValueError("the game is over, so nothing can be played")
        raise arguments.wrong_value(
            f"move must be one of {arguments.shown(possible)}", move
        )

    def _with_collected(self, more: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the sums of what was collected and some numbers, rounded once."""
        # Ruin, -inf, is no Fraction.
        sums: list[Any] = [Fraction(x) if abs(x) < math.inf else x for x in more]
        for before, here in pairwise(self._path):
            payments = before._moves.paid[before._number(here._move)]
            sums = [x + y for x, y in zip(sums, payments, strict=True)]
        in_floats = isinstance(self.value, float)
        return tuple([float(x) if in_floats else x for x in sums])

    @property
    def _moves(self) -> Moves:
        if not hasattr(self, "_moves_here"):  # looked up once
            source = self.solution._source
            moves = source.moves_at(source.place(self.state))
            object.__setattr__(self, "_moves_here", moves)
        return self._moves_here

    @property
    def _following(self) -> tuple[Any, ...]:
        return tuple(map(self.solution._source.state, self._moves.places))

    def __repr__(self) -> str:
        payments, collected = "", self.collected
        if any(collected):
            payments = f"collected={vector_text(*collected)}, "
        return (
            f"Position(state={arguments.shown(self.state)}, {payments}"
            f"{payoffs_text(self.payoffs)}, over={self.over})"
        )


def _replayed(solution: Any, start: Any, moves: tuple[Any, ...]) -> Any:
    """Return the position after some moves from a start."""
    return reduce(Position.play, moves, Position(solution, start))
