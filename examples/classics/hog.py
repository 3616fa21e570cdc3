"""The dice game Hog: a turn is one roll of as many dice as you like, up to ten.

If a die shows a one, the turn scores nothing, or else the sum of all dice. The first
player with 100 points wins. After two turns without points both players are where they
were, so plays come back to states; no turn lowers the sum of the scores, so this is the
level of a state.

L. Feldman and F. Morgan, "The pedagogy and probability of the dice game HOG", Journal
of Statistics Education 11 (2003), ask for the most points on average: both five and six
dice gain 8.04. Here it is a race, as in T. W. Neller and C. G. M. Presser's analysis of
Pig ("Optimal play of the dice game Pig", The UMAP Journal 25 (2004), 25-47).

The script takes the goal and the number of dice at hand, or else 100 and 10. It prints
how often the first player wins, how often best play beats six dice in every turn, and
how many dice are best.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import diagonal, play
from cardgames_dp.game import CHANCE, TERMINAL, Names

States = NDArray[Any]


class Turn(NamedTuple):
    """Both scores, the mover's first, who moves, and the dice to be rolled."""

    own: Any
    other: Any
    mover: Any
    dice: Any


class Hog:
    """The game for two, with a goal and a number of dice.

    A state has both scores, the mover's first, who moves, and the dice to be rolled,
    none before the decision.
    """

    num_players = 2
    names = Names(Turn)

    def __init__(self, goal: int = 100, most: int = 10) -> None:
        if not 1 <= most <= 24:  # 6**25 ways would not fit in 63 bits
            raise ValueError(f"most must be from 1 to 24 dice, got {most}")
        self.goal, self.most = goal, most
        face, row = np.array([0, 0, 1, 1, 1, 1, 1]), np.ones(1, dtype=np.int64)
        rolls = [(0, 0, 1)]  # dice, points, ways
        for dice in range(1, most + 1):
            row = np.convolve(row, face)
            sums = np.flatnonzero(row)
            rolls.append((dice, 0, 6**dice - 5**dice))
            rolls += [(dice, points, int(row[points])) for points in sums.tolist()]
        self.rolls = np.array(rolls)
        self.starts = np.searchsorted(self.rolls[:, 0], np.arange(most + 2))

    def initial_states(self) -> States:
        """Return the only one."""
        return np.array([[0, 0, 0, 0]])

    def levels(self, states: States) -> States:
        """Return the sums of scores, in steps."""
        return (states[:, 0] + states[:, 1]) // 10

    def current_players(self, states: States) -> States:
        """Return who moves."""
        _, other, mover, dice = states.T
        return np.where(other >= self.goal, TERMINAL, np.where(dice, CHANCE, mover))

    def legal_actions(self, states: States) -> tuple[States, States]:
        """Return all numbers of dice."""
        index = np.arange(len(states)).repeat(self.most)
        return index, np.tile(np.arange(1, self.most + 1), len(states))

    def next_states(self, states: States, actions: States) -> States:
        """Return the states in which the dice are rolled."""
        return np.column_stack([states[:, :3], actions])

    def chance_outcomes(self, states: States) -> tuple[States, States, States]:
        """Return all scores of a roll; then it is the other's turn."""
        first, last = self.starts[states[:, 3]], self.starts[states[:, 3] + 1]
        index = np.arange(len(states)).repeat(last - first)
        count = np.arange(len(index)) - (np.cumsum(last - first) - last)[index]
        _, points, ways = self.rolls[count].T
        own, other, mover, _ = states[index].T
        score = np.minimum(own + points, self.goal)
        return index, ways, np.column_stack([other, score, 1 - mover, 0 * mover])

    def returns(self, states: States) -> States:
        """Return 1 for the winner, who has just moved."""
        winners: States = np.eye(2, dtype=int)[1 - states[:, 2]]
        return winners


def six_dice(states: Turn) -> States:
    """Return the decisions of who wants the most points on average."""
    return np.full_like(states.own, 6)


def main() -> None:
    """Solve the game for a goal."""
    given = [int(word) for word in sys.argv[1:]]
    goal, most = [*given, *(100, 10)[len(given) :]]
    hog = diagonal.solve(Hog(goal, most))
    first = hog.value
    print(f"Hog to {goal}: the first player wins {first:.10f}, within {hog.error:.0e}")
    gains = [4 * n * Fraction(5, 6) ** n for n in (5, 6)]
    print(
        f"  Five or six dice gain {float(gains[0]):.4f} points (both the same: "
        f"{gains[0] == gains[1]})"
    )
    begins = play.evaluate(hog, [hog, six_dice]).value
    second = play.evaluate(hog, [six_dice, hog]).payoffs[1]
    print(
        f"  Against six dice, optimal play wins {begins:.6f} moving first,"
        f" {second:.6f} second"
    )
    scores = range(0, goal, max(goal // 10, 1))
    print("  Dice to roll, with so many points (rows) against so many (columns):")
    print("     ", *[f"{other:3}" for other in scores])
    for own in scores:
        row = hog.policy(np.array([[own, other, 0, 0] for other in scores]))
        print(f"  {own:3}:", *[f"{dice:3}" for dice in row.tolist()])


if __name__ == "__main__":
    main()
