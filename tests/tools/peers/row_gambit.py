"""Gambit: the game of this library sent there, solved by linear programming."""

import io
from fractions import Fraction
from typing import Any

import pygambit

from cardgames_dp import cardrow, interop

from . import row_numpy

ABOUT = ("pygambit, game from here", "pygambit", "exact")


def build(n: int) -> Any:
    game = cardrow.game(row_numpy.build(n))
    return pygambit.read_efg(io.StringIO(interop.to_efg(game)))


def solve(game: Any) -> Fraction:
    found = pygambit.nash.lp_solve(game).equilibrium
    return Fraction(str(found.payoffs["Player 1"]))
