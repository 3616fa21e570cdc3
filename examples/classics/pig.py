"""The dice game Pig, for two players and as a solitaire.

In a turn you roll a die as often as you like and add up the points, until you hold, or
roll a one: then the turn is lost with its points. The first with 100 points wins. After
two turns without points both players are where they were, so plays come back to states;
no move lowers the sum of the scores, so this is the *level* of a state.

With two dice, a one loses the turn, and two ones the whole score as well. Then all
states come back to each other, and only small goals are quick.

The solitaire asks for the fewest turns, so each turn costs one point.

T. W. Neller and C. G. M. Presser, "Optimal play of the dice game Pig", The UMAP Journal
25 (2004), 25-47, solved the game: the first player wins 53.06 % of all plays. A million
plays of the solitaire by the rule to hold at 20 points took 12.634906 turns on average:
T. W. Neller, "Average Pig turns", Nifty Assignments, 2010.

The script takes the goal, or else 100, and the number of dice, or else one.
"""

from __future__ import annotations

import sys
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import diagonal, play
from cardgames_dp.game import CHANCE, TERMINAL, Names

States = NDArray[Any]
HOLD, ROLL, OVER = 0, 1, 2


class Turn(NamedTuple):
    """The points of the turn, both scores, who moves, and the last decision."""

    turn: Any
    own: Any
    other: Any
    mover: Any
    last: Any


class Solo(NamedTuple):
    """The points of the turn, the score, and the last decision."""

    turn: Any
    score: Any
    last: Any


class Pig:
    """The game for two, with a goal and a number of dice.

    A state has the points of the turn, both scores, the mover's first, who moves, and
    the last decision: to hold, so that a new one is due, or to roll.
    """

    num_players = 2
    names = Names(Turn, ("hold", "roll"))

    def __init__(self, goal: int = 100, dice: int = 1) -> None:
        self.goal, self.dice = goal, dice
        faces = np.array(list(product(range(1, 7), repeat=dice)))
        ones, points = (faces == 1).sum(axis=1), faces.sum(axis=1)
        # Points are those gained; -1 if the turn is lost, -2 if all is lost.
        self.points, self.ways = np.unique(
            np.where(ones, -ones, points), return_counts=True
        )

    def initial_states(self) -> States:
        """Return the only one."""
        return np.array([[0, 0, 0, 0, HOLD]])

    def levels(self, states: States) -> States:
        """Return the steps of scores, which fall only with more than one die."""
        _, own, other, _, last = states.T
        sums = np.where(last == OVER, 2 * self.goal, own + other)
        return sums // 20 * (self.dice == 1)

    def current_players(self, states: States) -> States:
        """Return who moves."""
        mover, last = states[:, 3], states[:, 4]
        return np.where(last == HOLD, mover, np.where(last == ROLL, CHANCE, TERMINAL))

    def legal_actions(self, states: States) -> tuple[States, States]:
        """Return both decisions; nobody may hold without points."""
        index = np.repeat(np.arange(len(states)), 2)
        actions = np.tile([HOLD, ROLL], len(states))
        legal = (actions == ROLL) | (states[index, 0] > 0)
        return index[legal], actions[legal]

    def next_states(self, states: States, actions: States) -> States:
        """Return the states in which it is the other's turn, or the dice are rolled."""
        turn, own, other, mover, _ = states.T
        held = np.array([0 * turn, other, own + turn, 1 - mover, actions])
        rolled = np.array([turn, own, other, mover, actions])
        return np.where(actions == HOLD, held, rolled).T

    def chance_outcomes(self, states: States) -> tuple[States, States, States]:
        """Return all rolls."""
        index = np.arange(len(states)).repeat(len(self.points))
        points, ways = np.tile([self.points, self.ways], len(states))
        turn, own, other, mover, _ = states[index].T
        zero = np.zeros_like(own)
        gained = np.array([turn + points, own, other, mover, zero])
        lost = np.array([zero, other, own * (points == -1), 1 - mover, zero])
        won = np.array([zero, zero, zero, mover, zero + OVER])
        after = np.where(own + turn + points < self.goal, gained, won)
        return index, ways, np.where(points > 0, after, lost).T

    def returns(self, states: States) -> States:
        """Return 1 for the winner, who was the last to move."""
        mover = states[:, 3]
        return np.column_stack([1 - mover, mover])


class Solitaire:
    """The goal is to be reached in few turns.

    A state has the points of the turn, the score, and the last decision.
    """

    num_players = 1
    names = Names(Solo, ("hold", "roll"))

    def __init__(self, goal: int = 100) -> None:
        self.goal = goal

    def initial_states(self) -> States:
        """Return the only one."""
        return np.array([[0, 0, HOLD]])

    def levels(self, states: States) -> States:
        """Return the scores."""
        return states[:, 1]

    def current_players(self, states: States) -> States:
        """Return whether the player moves, or the die."""
        return np.array([0, CHANCE, TERMINAL])[states[:, 2]]

    def legal_actions(self, states: States) -> tuple[States, States]:
        """Return both decisions."""
        index = np.repeat(np.arange(len(states)), 2)
        return index, np.tile([HOLD, ROLL], len(states))

    def rewards(self, states: States, actions: States) -> States:
        """Return what a turn costs that is ended."""
        return np.where(actions == HOLD, -1, 0)

    def next_states(self, states: States, actions: States) -> States:
        """Return the states of the next turn, or in which the die is rolled."""
        turn, score, _ = states.T
        held = np.array([0 * turn, score + turn, actions])
        return np.where(actions == HOLD, held, [turn, score, actions]).T

    def chance_outcomes(self, states: States) -> tuple[States, States, States, States]:
        """Return all rolls, and what a turn costs that is lost, or the last one."""
        index = np.arange(len(states)).repeat(6)
        face = np.tile(np.arange(1, 7), len(states))
        turn, score, _ = states[index].T
        lost, done = face == 1, (face > 1) & (score + turn + face >= self.goal)
        score = np.where(done, self.goal, score)
        turn = np.where(lost | done, 0, turn + face)
        after = np.column_stack([turn, score, np.where(done, OVER, HOLD)])
        return index, np.ones_like(face), after, -(lost | done).astype(int)

    def returns(self, states: States) -> States:
        """Return nothing."""
        return np.zeros(len(states), dtype=int)


def hold_at_20(states: Turn | Solo) -> States:
    """Return the decisions of a simple rule, in both games."""
    return np.where(states.turn >= 20, "hold", "roll")


def handicap(chances: States) -> int:
    """Return the index of the chance that is nearest to 1/2."""
    return int(np.abs(chances - 0.5).argmin())


def main() -> None:
    """Solve both games for a goal, and compare the rule to hold at 20 points."""
    goal, dice = [*map(int, sys.argv[1:]), *(100, 1)[len(sys.argv) - 1 :]]
    pig = diagonal.solve(Pig(goal, dice))
    wins = f"{pig.value:.10f}, within {pig.error:.0e}"
    print(f"Pig to {goal}: the first player wins {wins}")
    if (goal, dice) == (100, 1):
        print("  (Neller and Presser: 0.5306)")
    # The second player follows the rule. In states where one of them begins, one has
    # some points; nobody can have one point.
    points = np.array([0, *range(2 * dice, goal // 2)])
    zero, one = np.zeros_like(points), np.ones_like(points)
    begins = np.column_stack([zero, zero, points, zero, zero])
    waits = np.column_stack([zero, points, zero, one, zero])
    rule = play.evaluate(pig, [pig, hold_at_20])
    first, second = rule.values(begins), rule.values(waits)
    print(f'Against "hold at 20", optimal play wins {first[0]:.6f} moving first,')
    mean = (first + second) / 2
    print(f"  {second[0]:.6f} moving second; on average {mean[0]:.6f}")
    fair = points[handicap(pig.values(begins))]
    given = points[handicap(mean)]
    print(f"A fair head start: for the second player, {fair} points;")
    print(f"  for a player who holds at 20 and moves first every other time, {given}")
    if dice > 1:
        return
    alone = diagonal.solve(Solitaire(goal))
    turns = -play.evaluate(alone, hold_at_20).value
    print(f"The solitaire takes {-alone.value:.10f} turns; the rule, {turns:.6f}")


if __name__ == "__main__":
    main()
