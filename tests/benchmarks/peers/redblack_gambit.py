"""Gambit: a tree with a node for each history, solved as a game of one player."""

from fractions import Fraction
from typing import Any

import pygambit

from cardgames_dp import interop

from .redblack_exact import RedBlack

ABOUT = ("pygambit, game from here", "pygambit", "exact")


def build(n: int) -> Any:
    return interop.to_gambit(RedBlack(n))


def solve(game: Any) -> Fraction:
    found = pygambit.nash.enumpure_solve(game).equilibria[0]
    return Fraction(str(found.payoffs["Player 1"]))
