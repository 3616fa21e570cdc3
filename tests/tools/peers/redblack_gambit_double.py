"""Gambit, in double precision: the same tree, solved by linear programming."""

from typing import Any

import pygambit

from . import redblack_gambit

ABOUT = ("pygambit, double", "pygambit", "float64")

build = redblack_gambit.build


def solve(game: Any) -> float:
    found = pygambit.nash.lp_solve(game, rational=False).equilibrium
    return float(found.payoffs["Player 1"])
