"""OpenSpiel: the game of this library sent there, solved by its value iteration."""

from typing import Any

from open_spiel.python.algorithms import value_iteration

from cardgames_dp import cardrow, interop

from . import row_numpy

ABOUT = ("OpenSpiel, game from here", "open_spiel", "float64")


def build(n: int) -> Any:
    return interop.to_open_spiel(cardrow.Rules().game(row_numpy.build(n)))


def solve(game: Any) -> float:
    found = value_iteration.value_iteration(game, -1, 1e-12)
    return float(found[str(game.new_initial_state())])
