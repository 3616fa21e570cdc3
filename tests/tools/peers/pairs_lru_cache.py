"""Plain Python: a recursion with a cache over any game, in Fractions."""

import sys
from fractions import Fraction
from functools import lru_cache
from typing import Any

from cardgames_dp import pairs
from cardgames_dp.game import CHANCE, TERMINAL

from ...pairs.literal import PairsGame

ABOUT = ("Python, lru_cache", "python", "exact")


def build(n: int) -> Any:
    """Two players to n points, with the deck 1, 2, 2, 3, 3, 3."""
    return PairsGame(pairs.Rules(deck=3, target=n))


def solve(game: Any) -> Fraction:
    sys.setrecursionlimit(10**7)

    @lru_cache(None)
    def value(state: Any) -> list[Fraction]:
        player = game.current_player(state)
        if player == TERMINAL:
            return [Fraction(x) for x in game.returns(state)]
        if player == CHANCE:
            outcomes = [(w, value(s)) for w, s in game.chance_outcomes(state)]
            total = sum(weight for weight, _ in outcomes)
            both = [[weight * x for x in worth] for weight, worth in outcomes]
            return [Fraction(sum(part)) / total for part in zip(*both, strict=True)]
        after = [game.next_state(state, a) for a in game.legal_actions(state)]
        return max(map(value, after), key=lambda worth: worth[player])

    return value(game.initial_state())[0]
