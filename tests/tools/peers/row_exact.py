"""This library, any game: cards in a row as any game, solved exactly."""

from typing import Any

from cardgames_dp import cardrow, exact

from . import row_numpy

ABOUT = ("exact.solve", "cardgames_dp", "exact")


def build(n: int) -> Any:
    return cardrow.game(row_numpy.build(n))


def solve(game: Any) -> Any:
    # With a limit of its states the game is solved as any other, not in its own way.
    return exact.solve(game, max_states=10**9).value
