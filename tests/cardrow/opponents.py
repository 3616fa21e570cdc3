"""Players in plain Python, one interval at a time, and games against them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from cardgames_dp.cardrow._kernels.row import Tie
from cardgames_dp.cardrow.policies import Mixed, NamedPolicy, Policy
from cardgames_dp.game import CHANCE, TERMINAL

Chance = Callable[[int, int], Fraction]
"""The chance of the left card, by the interval."""

NAMES: list[NamedPolicy] = [
    "optimal",
    "greedy",
    "greedy_literal",
    "larger",
    "smaller",
    "random",
]
TIES: list[Tie] = ["right", "left", "larger"]


def value(cards: Sequence[Fraction]) -> Fraction:
    """Return what the player to move wins by, from the definition."""
    x = tuple(cards)

    @lru_cache(None)
    def ahead(left: int, right: int) -> Fraction:
        if left > right:
            return Fraction(0)
        return max(x[left] - ahead(left + 1, right), x[right] - ahead(left, right - 1))

    return ahead(0, len(x) - 1)


def chance_of_left(policy: Policy, cards: Sequence[Any], tie: Tie) -> Chance:
    """Return a policy of several cards, written once more from its description."""
    x = list(map(Fraction, cards))
    if isinstance(policy, Mixed):
        parts = [(chance_of_left(p, x, tie), share) for p, share in policy.shares]
        return lambda left, right: sum(
            (share * chance(left, right) for chance, share in parts), Fraction(0)
        )
    assert isinstance(policy, str)

    def chance(left: int, right: int) -> Fraction:
        first, last = x[left], x[right]
        d0 = first - max(x[left + 1], last)
        d1 = last - max(first, x[right - 1])
        if policy == "random":
            return Fraction(1, 2)
        ahead = {
            "greedy": lambda: d0 - d1,
            "greedy_literal": lambda: abs(d1) - abs(d0),
            "larger": lambda: first - last,
            "smaller": lambda: last - first,
            "optimal": lambda: (
                (first - value(x[left + 1 : right + 1])) - (last - value(x[left:right]))
            ),
        }[policy]()
        if ahead:
            return Fraction(ahead > 0)
        return Fraction(tie == "left" or (tie == "larger" and first > last))

    return chance


def expected_lead(cards: Sequence[Any], first: Chance, second: Chance) -> Fraction:
    """Return what the first of two fixed players wins by, over all courses."""
    x = tuple(cards)

    def ahead(left: int, right: int, mover: Chance, other: Chance) -> Fraction:
        if left == right:
            return Fraction(x[left])
        p, mean = mover(left, right), Fraction(0)
        if p:
            mean += p * (x[left] - ahead(left + 1, right, other, mover))
        if p < 1:
            mean += (1 - p) * (x[right] - ahead(left, right - 1, other, mover))
        return mean

    return ahead(0, len(x) - 1, first, second)


class State(NamedTuple):
    """Who is to move at an interval, and what we are ahead by."""

    left: int
    right: int
    our_turn: bool
    lead: Fraction


@dataclass(frozen=True)
class AgainstChance:
    """The game of one player in which the opponent's moves are chance."""

    cards: tuple[Fraction, ...]
    chance: Chance
    we_start: bool
    num_players = 1

    def initial_state(self) -> State:
        return State(0, len(self.cards) - 1, self.we_start, Fraction(0))

    def current_player(self, state: State) -> int:
        if state.left > state.right:
            return TERMINAL
        return 0 if state.our_turn else CHANCE

    def legal_actions(self, state: State) -> list[str]:
        return ["left", "right"] if state.left < state.right else ["left"]

    def next_state(self, state: State, action: str) -> State:
        left, right, our_turn, lead = state
        card = self.cards[left if action == "left" else right]
        if action == "left":
            left += 1
        else:
            right -= 1
        return State(left, right, not our_turn, lead + (card if our_turn else -card))

    def chance_outcomes(self, state: State) -> list[tuple[int, State]]:
        if state.left == state.right:
            return [(1, self.next_state(state, "left"))]
        p = self.chance(state.left, state.right)
        return [
            (p.numerator, self.next_state(state, "left")),
            (p.denominator - p.numerator, self.next_state(state, "right")),
        ]

    def returns(self, state: State) -> list[Fraction]:
        return [state.lead]
