"""This library, any game: cards in a row as any game, solved exactly."""

from typing import Any

from cardgames_dp import cardrow, exact

from . import row_numpy

ABOUT = ("exact.solve", "cardgames_dp", "exact")


def build(n: int) -> Any:
    return cardrow.Rules().game(row_numpy.build(n))


def solve(game: Any) -> Any:
    return exact.solve(game, max_states=10**9).value
