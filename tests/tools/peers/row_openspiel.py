"""OpenSpiel: the game of this library sent there, solved by its value iteration."""

import sys
from typing import Any

from open_spiel.python.algorithms import value_iteration

from cardgames_dp import cardrow, interop

from . import row_numpy

ABOUT = ("OpenSpiel, game from here", "open_spiel", "float64")


def build(n: int) -> Any:
    return interop.to_open_spiel(cardrow.Rules().game(row_numpy.build(n)))


def solve(game: Any) -> float:
    sys.setrecursionlimit(10**7)
    # Told of cycles, it does not enter a state again that it has met.
    found = value_iteration.value_iteration(game, -1, 1e-12, cyclic_game=True)
    return float(found[str(game.new_initial_state())])
