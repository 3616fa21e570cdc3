"""Slow and simple: heuristics for one state, and games in which seats keep to them."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from cardgames_dp import exact, pairs
from cardgames_dp.game import CHANCE

from .literal import Action, PairsGame, Seated as State

Play: TypeAlias = Callable[[pairs.Rules, State], bool]
"""Whether to hit."""


def chances(rules: pairs.Rules, state: State) -> tuple[Fraction, Fraction]:
    """Return the chance of a pair, and the points that a hit scores on average."""
    hand, unseen = state.hands[state.player], state.unseen
    making = [
        (rank, count)
        for rank, have, count in zip(rules.ranks, hand, unseen, strict=True)
        if have == rules.capacity
    ]
    drawn = max(sum(unseen), 1)
    pair = sum(count for _, count in making)
    points = sum(rank * count for rank, count in making)
    return Fraction(pair, drawn), Fraction(points, drawn)


def lowest(rules: pairs.Rules, state: State) -> int:
    """Return the lowest rank on the table."""
    return min(
        rank
        for hand in state.hands
        for rank, count in zip(rules.ranks, hand, strict=True)
        if count
    )


HALF = Fraction(1, 2)
PLAYS: Mapping[str, Play] = {
    "fifty_percent": lambda r, s: chances(r, s)[0] < HALF,
    "expected_points": lambda r, s: chances(r, s)[1] < lowest(r, s),
    "never_hit": lambda r, s: False,
    "always_hit": lambda r, s: True,
}


@dataclass(frozen=True)
class Kept(PairsGame):
    """Pairs in which some seats have nothing to decide: they play as said."""

    rules: pairs.Rules
    plays: Mapping[int, Play]

    def legal_actions(self, state: State) -> list[Action]:
        allowed = super().legal_actions(state)
        if len(allowed) == 2 and state.player in self.plays:
            return ["hit" if self.plays[state.player](self.rules, state) else "fold"]
        return allowed


def value(rules: pairs.Rules, plays: Mapping[int, Play]) -> list[float]:
    """Return chances of winning where the other seats play their best."""
    solution = exact.solve(Kept(rules, plays), max_states=200_000)
    return list(map(float, solution.payoffs))


def optimal(rules: pairs.Rules) -> Play:
    """Return subgame-perfect play of all, as one seat's."""
    policy = exact.solve(PairsGame(rules), max_states=200_000).policy
    return lambda _, state: policy[state] == "hit"


def usual(rules: pairs.Rules, *plays: Play) -> dict[str, Fraction]:
    """Return what happens in a game on average, if all seats play so, or each."""
    each = plays if len(plays) > 1 else plays * rules.players
    game = Kept(rules, dict(enumerate(each)))
    both = PairsGame(rules)
    solution = exact.solve(game, max_states=200_000)
    weights: dict[State, Fraction] = defaultdict(Fraction)
    weights[solution.initial_state] = Fraction(1)
    result: dict[str, Fraction] = defaultdict(Fraction)
    for state in solution.values:  # every state comes before those that follow it
        weight = weights[state]
        player = game.current_player(state)
        if player >= 0:
            action = solution.policy[state]
            if len(both.legal_actions(state)) == 2:
                result["choices"] += weight
                result["hits"] += weight * (action == "hit")
            result["folds"] += weight * (action == "fold")
            weights[game.next_state(state, action)] += weight
        elif player == CHANCE:
            outcomes = game.chance_outcomes(state)
            total = sum([part for part, _ in outcomes])
            for part, after in outcomes:
                share = weight * Fraction(part, total)
                result["pairs"] += share * (after.scores != state.scores)
                weights[after] += share
    return result
