"""Gambit: a tree with a node for each history, solved by linear programming."""

import io
from fractions import Fraction
from typing import Any

import pygambit

from cardgames_dp import interop

from . import redblack_exact

ABOUT = ("pygambit, game from here", "pygambit", "exact")


class ZeroSum(redblack_exact.RedBlack):
    """The bank pays: the algorithm takes games of two players only."""

    num_players = 2

    def returns(self, state: Any) -> list[int]:
        return [state[1] - state[0], state[0] - state[1]]


def build(n: int) -> Any:
    return pygambit.read_efg(io.StringIO(interop.to_efg(ZeroSum(n))))


def solve(game: Any) -> Fraction:
    found = pygambit.nash.lp_solve(game).equilibrium
    return Fraction(str(found.payoffs["Player 1"]))
