"""Games in progress: what the positions of all games have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from cardgames_dp._results.records import Record

Shared = TypeVar("Shared")
State = TypeVar("State")
Move = TypeVar("Move")


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class PositionRecord(Record, Generic[Shared, State, Move]):
    """A base of the Position of every game, which adds moves, values and advice.

    A move makes a new position that refers to the previous one, so the time of a move
    and of undoing it does not depend on the length of the game.

    Attributes
    ----------
    state : State
        The state, as in ``rules.game(...)``.
    """

    state: State
    _shared: Shared
    _before: Self | None
    _move: Move | None

    def _place(
        self,
        shared: Shared,
        state: State,
        before: Self | None = None,
        move: Move | None = None,
    ) -> None:
        """Set the fields of a position, in place of an `__init__`."""
        object.__setattr__(self, "_shared", shared)
        object.__setattr__(self, "state", state)
        object.__setattr__(self, "_before", before)
        object.__setattr__(self, "_move", move)

    def _next(self, move: Move, state: State) -> Self:
        """Return the position after a move."""
        after = object.__new__(type(self))
        after._place(self._shared, state, self, move)
        return after

    @property
    def history(self) -> tuple[Move, ...]:
        """The moves that led here from the start."""
        moves, here = [], self
        while here._before is not None:
            assert here._move is not None
            moves.append(here._move)
            here = here._before
        return tuple(reversed(moves))

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
    def _start(self) -> Self:
        here = self
        while here._before is not None:
            here = here._before
        return here

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return bool(
            self.state == other.state
            and self._shared == other._shared
            and self.history == other.history
            and self._start.state == other._start.state
        )

    def __hash__(self) -> int:
        return hash((type(self), self.state))

    def __reduce__(self) -> tuple[Any, ...]:
        # Move by move, as pickling nested positions would recurse too deeply.
        return _replayed, (type(self), self._shared, self._start.state, self.history)


def _replayed(kind: Any, shared: Any, state: Any, moves: tuple[Any, ...]) -> Any:
    """Return the position after some moves from a start."""
    position = object.__new__(kind)
    position._place(shared, state)
    for move in moves:
        position = position.play(move)
    return position
