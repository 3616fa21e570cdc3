"""OpenSpiel: the game of this library sent there, solved by its value iteration."""

import sys
from typing import Any

from open_spiel.python.algorithms import value_iteration

from cardgames_dp import interop

from . import pairs_lru_cache

ABOUT = ("OpenSpiel, game from here", "open_spiel", "float64")


class ZeroSum:
    """Whoever wins gets 1 of the other: the algorithm takes no other game of two."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def returns(self, state: Any) -> list[Any]:
        return [2 * x - 1 for x in self.game.returns(state)]


def build(n: int) -> Any:
    return interop.to_open_spiel(ZeroSum(pairs_lru_cache.build(n)))


def solve(game: Any) -> float:
    sys.setrecursionlimit(10**7)
    # Told of cycles, it does not enter a state again that it has met.
    found = value_iteration.value_iteration(game, -1, 1e-12, cyclic_game=True)
    return float(found[str(game.new_initial_state())] + 1) / 2
