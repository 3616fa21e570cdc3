"""Solve PopOut, in which a play can go on for ever, on small boards.

Two players in turn drop a disc into a column, or take one of their own out of the
bottom of a column, so that those above it fall. Who has a line wins; if both
have, the one who moved. Who cannot move has a draw. Nobody has to make progress, and a
play that goes on for ever is a draw, too: that is what `endless_returns` says. Prints
who wins on each board, and how many positions are drawn if both players play best.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from cardgames_dp import diagonal
from cardgames_dp.game import TERMINAL

Board: TypeAlias = tuple[tuple[int, ...], ...]
"""The discs of each column, from the bottom."""

State: TypeAlias = tuple[Board, int]
"""The board, and who is to move."""


class PopOut:
    """PopOut, won by a line of so many discs."""

    num_players = 2
    endless_returns = 0, 0

    def __init__(self, columns: int, rows: int, line: int) -> None:
        self.columns, self.rows, self.line = columns, rows, line

    def initial_state(self) -> State:
        """Return the empty board, with the first player to move."""
        return ((),) * self.columns, 0

    def current_player(self, state: State) -> int:
        """Return who is to move."""
        over = any(self.lines(state)) or not self.legal_actions(state)
        return TERMINAL if over else state[1]

    def legal_actions(self, state: State) -> Sequence[tuple[str, int]]:
        """Return the columns to drop a disc into, and those to pop one out of."""
        board, mover = state
        drops = [("drop", k) for k, discs in enumerate(board) if len(discs) < self.rows]
        return drops + [
            ("pop", k) for k, discs in enumerate(board) if discs[:1] == (mover,)
        ]

    def next_state(self, state: State, action: tuple[str, int]) -> State:
        """Return the board after a move."""
        board, mover = state
        kind, k = action
        column = (*board[k], mover) if kind == "drop" else board[k][1:]
        return (*board[:k], column, *board[k + 1 :]), 1 - mover

    def chance_outcomes(self, state: State) -> Any:
        """There is no chance."""
        raise AssertionError("there is no chance")

    def returns(self, state: State) -> list[int]:
        """Return 1 for the winner, who is the one who moved if both have a line."""
        _, mover = state
        lines = self.lines(state)
        winner = 1 - mover if lines[1 - mover] else mover
        value = (1 if winner == 0 else -1) if any(lines) else 0
        return [value, -value]

    def lines(self, state: State) -> list[bool]:
        """Return whether each player has a line."""
        board = {
            (x, y): disc
            for x, discs in enumerate(state[0])
            for y, disc in enumerate(discs)
        }
        lines = [
            {board.get((x + k * i, y + k * j)) for k in range(self.line)}
            for x, y in board
            for i, j in ((0, 1), (1, 0), (1, 1), (1, -1))
        ]
        return [{player} in lines for player in (0, 1)]


def main() -> None:
    """Print who wins on some boards."""
    words = {1: "the first player wins", 0: "a draw", -1: "the second player wins"}
    for columns, rows, line in ((3, 3, 3), (4, 3, 4)):
        solution = diagonal.solve(PopOut(columns, rows, line))
        values = list(solution.values.values())
        print(f"{line} in a row on {columns} x {rows}:", end=" ")
        print(f"{words[round(solution.value)]};", end=" ")
        print(f"{values.count(0)} of {len(values)} positions are drawn")


if __name__ == "__main__":
    main()
