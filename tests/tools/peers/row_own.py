"""This library, its own game."""

from typing import Any

from cardgames_dp import cardrow

from .row_numpy import build

ABOUT = ("cardrow.value, exact", "cardgames_dp", "exact")

__all__ = ["ABOUT", "build", "solve"]


def solve(cards: list[int]) -> Any:
    return cardrow.value(cards, backend="exact")
