"""Connect Four, held against a plain recursion on tuples and published results."""

from functools import cache
from itertools import product
from typing import Any

import pytest

from cardgames_dp import diagonal, exact, play

from .scripts import loaded

CONNECT = loaded("connect_four")
Board = tuple[tuple[int, ...], ...]
"""The players of the discs in each column, from below."""


def lined(board: Board, line: int) -> bool:
    """Return whether some line has discs of one player, cell by cell."""
    cells = {
        (x, y): who for x, column in enumerate(board) for y, who in enumerate(column)
    }
    for (x, y), (dx, dy) in product(cells, [(0, 1), (1, 0), (1, 1), (1, -1)]):
        result = {cells.get((x + k * dx, y + k * dy)) for k in range(line)}
        if len(result) == 1:
            return True
    return False


def recursion(columns: int, rows: int, line: int) -> tuple[int, int]:
    """Return the value for the first player, and the number of positions."""
    seen = set()

    @cache
    def value(board: Board) -> int:
        seen.add(board)
        mover = sum(map(len, board)) % 2
        if lined(board, line):
            return -1
        after = [
            (*board[:i], (*column, mover), *board[i + 1 :])
            for i, column in enumerate(board)
            if len(column) < rows
        ]
        return max([-value(each) for each in after], default=0)

    return value(((),) * columns), len(seen)


@pytest.mark.parametrize(
    ("columns", "rows", "line"),
    [(3, 3, 3), (4, 3, 3), (3, 4, 3), (2, 5, 4), (5, 2, 4), (4, 2, 2), (1, 4, 4)],
)
def test_small_boards(columns: int, rows: int, line: int) -> None:
    board = CONNECT.ConnectFour(columns, rows, line)
    expected, count = recursion(columns, rows, line)
    for solve in (diagonal.solve, exact.solve):
        solution: Any = solve(board)
        assert solution.payoffs == (expected, -expected)
        assert solution.num_states == count


def test_careful_play_never_loses() -> None:
    """Against chance, equally good moves are not equally good."""
    board = CONNECT.ConnectFour(4, 3)
    solution = diagonal.solve(board)

    def at_random(state: Any) -> dict[int, int]:
        return dict.fromkeys(board.legal_actions(state), 1)

    careful = CONNECT.Careful(board, solution)
    some = play.best_response(careful, [None, at_random], 0)
    best = play.best_response(solution, [None, at_random], 0)
    plain = play.evaluate(solution, [solution, at_random])
    assert plain.value <= some.value <= best.value
    law = play.distribution(careful, [some.policy, at_random]).returns[0].to_dict()
    assert -1 not in law
