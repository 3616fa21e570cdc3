"""Tic-tac-toe from OpenSpiel: the sum of all positions' values. Needs OpenSpiel."""

from functools import cache

from tests.classics.scripts import loaded

GAME = "tic-tac-toe, from OpenSpiel"
SPECIAL = "``cache``, without OpenSpiel"

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]
LINES += [(0, 4, 8), (2, 4, 6)]


def ours() -> float:
    """Return the sum for the first player, by the library."""
    values = loaded("open_spiel").tic_tac_toe().values
    return float(sum(value[0] for value in values.values()))


def special() -> float:
    """Return the sum, by a recursion through all positions."""
    total = 0

    @cache
    def value(board: str, mark: str) -> int:
        nonlocal total
        other, sign = ("o", 1) if mark == "x" else ("x", -1)
        after = []
        if any(board[a] == board[b] == board[c] == other for a, b, c in LINES):
            found = -sign
        else:
            for i in range(9):
                if board[i] == ".":
                    after.append(value(board[:i] + mark + board[i + 1 :], other))
            found = sign * max([sign * each for each in after], default=0)
        total += found
        return found

    value("." * 9, "x")
    return float(total)
