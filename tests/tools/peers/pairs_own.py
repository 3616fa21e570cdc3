"""This library, its own game, in float64."""

from cardgames_dp import pairs

ABOUT = ("pairs.solve", "cardgames_dp", "float64")


def build(n: int) -> pairs.Rules:
    return pairs.Rules(deck=3, target=n)


def solve(rules: pairs.Rules) -> float:
    return pairs.solve(rules).value
