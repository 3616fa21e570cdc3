"""Connect Four on small boards.

Two players in turn drop a disc into a column, where it falls to the lowest free row.
Whoever has four in a line first wins: across, upright or on a diagonal. A full board is
a draw.

J. D. Allen and V. Allis solved the board of 7 columns and 6 rows in 1988, where the
first player wins; J. Tromp solved smaller and larger ones, and C. Steininger's table
(https://github.com/ChristopheSteininger/c4) has more.

The script takes a number of columns and of rows, or else solves three boards, and plays
on the first against a player who drops discs at random.
"""

from __future__ import annotations

import sys
from typing import Any

from cardgames_dp import diagonal, play
from cardgames_dp.game import TERMINAL, Solution, explore

State = tuple[int, int]
"""The discs of the player to move, and of both: bits, column by column."""

OUTCOMES = {1: "the first wins", 0: "a draw", -1: "the second wins"}


class ConnectFour:
    """The game on a board of some columns and rows. An action is a column.

    Between the columns of bits is one that is always free, so that no line goes on at
    the foot of the next column.
    """

    num_players = 2

    def __init__(self, columns: int = 4, rows: int = 4, line: int = 4) -> None:
        self.columns, self.rows, self.line = columns, rows, line
        self.feet = [1 << (rows + 1) * column for column in range(columns)]
        self.full = sum(foot * (2**rows - 1) for foot in self.feet)

    def initial_state(self) -> State:
        """Return the empty board."""
        return 0, 0

    def current_player(self, state: State) -> int:
        """Return who moves: the first if the number of discs is even."""
        mine, both = state
        if both == self.full or self.won(both ^ mine):
            return TERMINAL
        return both.bit_count() % 2

    def legal_actions(self, state: State) -> list[int]:
        """Return the columns with room."""
        top = 1 << self.rows - 1
        return [i for i, foot in enumerate(self.feet) if not state[1] & top * foot]

    def next_state(self, state: State, action: int) -> State:
        """Return the other player's discs, and all: a carry finds the free row."""
        mine, both = state
        return both ^ mine, both | both + self.feet[action]

    def chance_outcomes(self, state: State) -> list[tuple[int, State]]:
        """Return nothing: no chance is in the game."""
        return []

    def returns(self, state: State) -> list[int]:
        """Return 1 for the winner, who moved last, and -1 for the other."""
        mine, both = state
        if not self.won(both ^ mine):
            return [0, 0]
        return [1, -1] if both.bit_count() % 2 else [-1, 1]

    def won(self, discs: int) -> bool:
        """Return whether some discs have a line."""
        for step in (1, self.rows, self.rows + 1, self.rows + 2):
            found = discs
            for k in range(1, self.line):
                found &= discs >> k * step
            if found:
                return True
        return False


class Careful(ConnectFour):
    """The game in which the first player makes only moves of a solution."""

    def __init__(
        self, game: ConnectFour, solution: Solution[State, int, float]
    ) -> None:
        super().__init__(game.columns, game.rows, game.line)
        self.solution = solution

    def legal_actions(self, state: State) -> list[int]:
        """Return the columns, for the first player those that are best."""
        if self.current_player(state) == 0:
            return [*self.solution.optimal_actions[state]]
        return super().legal_actions(state)


def told(game: ConnectFour) -> Solution[State, int, float]:
    """Solve a board, print who wins, and return the solution."""
    solution = diagonal.solve(game)
    outcome = OUTCOMES[int(solution.value)]
    print(f"{game.columns} columns, {game.rows} rows: {outcome}", end="")
    print(f" ({solution.num_states:,} positions)")
    return solution


def main() -> None:
    """Solve some boards, and play the smallest against a player who drops at random."""
    if sys.argv[1:]:
        told(ConnectFour(*map(int, sys.argv[1:])))
        return
    game = ConnectFour()
    solution = told(game)
    told(ConnectFour(5, 3))
    told(ConnectFour(4, 5))

    def at_random(state: State) -> dict[int, int]:
        return dict.fromkeys(game.legal_actions(state), 1)

    print("4 columns, 4 rows, against random drops: wins, draws, losses")
    for name, moves in (
        ("best play, the first of equals", None),
        ("the best of equals", explore(Careful(game, solution))),
        ("the best", solution),
    ):
        player: Any = solution
        if moves is not None:
            player = play.best_response(moves, [None, at_random], 0).policy
        found = play.distribution(moves or solution, [player, at_random])
        law = found.returns[0].to_dict()
        shares = [f"{law.get(result, 0):7.4f}" for result in (1, 0, -1)]
        print(f"  {name:31}", *shares)


if __name__ == "__main__":
    main()
