"""This library, any game: Pairs as any game, solved exactly."""

from typing import Any

from cardgames_dp import exact

from . import pairs_lru_cache

ABOUT = ("exact.solve", "cardgames_dp", "exact")

build = pairs_lru_cache.build


def solve(game: Any) -> Any:
    return exact.solve(game, max_states=10**9).value
