"""This library, any game: the same class, solved in float64 with a bound."""

from typing import Any

from cardgames_dp import diagonal

from . import redblack_exact

ABOUT = ("diagonal.solve, own game", "cardgames_dp", "certified")

build = redblack_exact.build


def solve(game: Any) -> float:
    return float(diagonal.solve(game, max_states=10**9).value)
