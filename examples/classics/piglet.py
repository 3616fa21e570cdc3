"""Piglet: Pig with a coin, exactly.

In a turn you toss a coin as often as you like and count the heads, until you hold, or
toss tails: then the turn is lost with its points. The first with 10 points wins. After
two turns without points both players are where they were, so plays come back to states;
`exact.solve` solves such states together, in fractions.

T. W. Neller and C. G. M. Presser, "Optimal play of the dice game Pig", The UMAP Journal
25 (2004), 25-47, explain their method with this game. A page of Neller's course on
machine learning (Gettysburg College, CS 391, 2003) has tables of when to hold for goals
of 3, 6 and 9 points.

The script takes the goal, or else 10. It prints how often the first player wins, and
with how many points to hold, by your own score and the other player's.
"""

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Iterable
from fractions import Fraction

from cardgames_dp import exact
from cardgames_dp.game import CHANCE, TERMINAL, Names, Solution

State = tuple[int, int, int, int, bool]
"""The player, the own points, the other's, those of the turn, and whether to toss."""


class Piglet:
    """The game for two, with a goal."""

    num_players = 2
    names = Names(namedtuple("State", "player own other turn toss"))

    def __init__(self, goal: int = 10) -> None:
        self.goal = goal

    def initial_state(self) -> State:
        """Return the start: nobody has points."""
        return 0, 0, 0, 0, False

    def current_player(self, state: State) -> int:
        """Return who moves; it is over when the last turn has reached the goal."""
        player, _, other, _, toss = state
        return TERMINAL if other >= self.goal else CHANCE if toss else player

    def legal_actions(self, state: State) -> list[str]:
        """Return both, where they make sense."""
        _, own, _, turn, _ = state
        return ["hold"] if own + turn >= self.goal else ["toss", "hold"][: 1 + turn]

    def next_state(self, state: State, action: str) -> State:
        """Return the state after a decision."""
        player, own, other, turn, _ = state
        if action == "toss":
            return player, own, other, turn, True
        return 1 - player, other, own + turn, 0, False

    def chance_outcomes(self, state: State) -> Iterable[tuple[int, State]]:
        """Return what follows heads, and tails."""
        player, own, other, turn, _ = state
        yield 1, (player, own, other, turn + 1, False)
        yield 1, (1 - player, other, own, 0, False)

    def returns(self, state: State) -> list[int]:
        """Return 1 for the winner, who was the last to move."""
        return [state[0], 1 - state[0]]


def hold_with(solution: Solution[State, str, Fraction], goal: int) -> list[list[int]]:
    """Return the fewest points to hold with, by the own score and the other's."""
    return [
        [
            next(
                turn
                for turn in range(1, goal + 1)
                if solution.policy[0, own, other, turn, False] == "hold"
            )
            for other in range(goal)
        ]
        for own in range(goal)
    ]


def main() -> None:
    """Solve the game for a goal."""
    goal = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    solution = exact.solve(Piglet(goal))
    value = solution.value
    print(f"Piglet to {goal}: the first player wins {float(value):.12f}")
    print(f"  (a fraction with {len(str(value.denominator))} digits below the line)")
    print(f"  to 2 it is {exact.solve(Piglet(2)).value}")
    print("Hold with so many points or more, if you have 0, 1, ... (rows),")
    print("the other 0, ... (columns):")
    for row in hold_with(solution, goal):
        print("".join(f"{turn:4}" for turn in row))
    after = {
        action: solution.values[Piglet(goal).next_state((0, 0, 0, 1, False), action)]
        for action in ("toss", "hold")
    }
    lost: Fraction = after["toss"] - after["hold"]
    print(f"Holding after one head costs {float(lost):.4%} of wins")


if __name__ == "__main__":
    main()
