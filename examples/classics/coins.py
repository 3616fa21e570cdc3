"""The race of two coins: a cautious player against one who may double the stakes.

On her turn the first player tosses a coin and gets a point for heads. The second one
chooses a number T of tosses, and gets 2^(T - 1) points if all are heads; so every T
gets half a point on average, as the first player does. The first with 100 points wins.
When both get nothing, the play is back where it was.

This is problem 232 of Project Euler, "The Race". The answer, that the second player
wins with probability 0.83648556, is in the tests of freeCodeCamp's copy of the problem.

The script takes the goal, or else 100. It prints how often the second player wins with
the best play, and with always the same T.
"""

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Iterable
from functools import partial

from cardgames_dp import diagonal, play
from cardgames_dp.game import CHANCE, TERMINAL, Names

State = tuple[int, int, int]
"""The points that both still need, and T; 0 if it is to be chosen, -1 before that."""
FIRST, CHOOSE = -1, 0


class Race:
    """The game of the second player, the only one who decides."""

    num_players = 1
    names = Names(namedtuple("State", "first second tosses"))

    def __init__(self, goal: int = 100) -> None:
        self.goal = goal

    def initial_state(self) -> State:
        """Return the start, where the first player is to toss."""
        return self.goal, self.goal, FIRST

    def current_player(self, state: State) -> int:
        """Return whether the race is over, or to choose, or a coin is tossed."""
        first, second, tosses = state
        if min(first, second) == 0:
            return TERMINAL
        return 0 if tosses == CHOOSE else CHANCE

    def legal_actions(self, state: State) -> range:
        """Return the numbers of tosses up to the first one with which she wins."""
        return range(1, (state[1] - 1).bit_length() + 2)

    def next_state(self, state: State, action: int) -> State:
        """Return the state in which the coin is to be tossed so often."""
        return state[0], state[1], action

    def chance_outcomes(self, state: State) -> Iterable[tuple[int, State]]:
        """Return what follows if all tosses are heads, and if not."""
        first, second, tosses = state
        if tosses == FIRST:
            return [(1, (first - 1, second, CHOOSE)), (1, (first, second, CHOOSE))]
        left = max(second - 2 ** (tosses - 1), 0)
        return [(1, (first, left, FIRST)), (2**tosses - 1, (first, second, FIRST))]

    def returns(self, state: State) -> list[int]:
        """Return 1 if the second player has won."""
        return [int(state[1] == 0)]


def always(tosses: int, state: State) -> int:
    """Return the same T, or fewer tosses where these are enough to win."""
    return min(tosses, (state[1] - 1).bit_length() + 1)


def main() -> None:
    """Solve the race for a goal."""
    goal = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    race = diagonal.solve(Race(goal))
    print(f"Race to {goal}: the second player wins {race.value:.12f}", end="")
    print(f", within {race.error:.0e}")
    if goal == 100:
        print("  (Project Euler: 0.83648556)")
    start = (goal, goal, CHOOSE)
    print(f"Best T when both have nothing: {race.policy[start]}")
    for tosses in range(1, (goal - 1).bit_length() + 2):
        rule = play.evaluate(race, partial(always, tosses))
        print(f"  always T = {tosses}: {rule.value:.6f}")


if __name__ == "__main__":
    main()
