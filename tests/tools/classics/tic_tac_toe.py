"""Tic-tac-toe from OpenSpiel, which must be there."""

from __future__ import annotations

from functools import cache

from cardgames_dp import exact
from tests.classics.scripts import loaded

GAME = "tic-tac-toe"
SPECIAL = "a recursion over boards with a cache, in Python"
WINS = ("012", "345", "678", "036", "147", "258", "048", "246")


def ours() -> float:
    """Return the value for the first player."""
    return float(exact.solve(loaded("tic_tac_toe").tic_tac_toe()).value[0])


def special() -> float:
    """Return the same."""

    @cache
    def value(board: str, mover: str) -> int:
        last = "o" if mover == "x" else "x"
        if any(all(board[int(i)] == last for i in line) for line in WINS):
            return -1
        free = [i for i, mark in enumerate(board) if mark == "."]
        after = [f"{board[:i]}{mover}{board[i + 1 :]}" for i in free]
        return max((-value(board, last) for board in after), default=0)

    return float(value("." * 9, "x"))
