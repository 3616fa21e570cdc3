"""Pig in its forms, held against plain value iteration."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import diagonal, exact, play

from .scripts import loaded

PIG = loaded("pig")


def iterated(after: Any, states: list[Any], ends: Any) -> dict[Any, float]:
    """Return values by plain value iteration.

    Parameters
    ----------
    after : callable
        The actions of a state: lists of (weight, sign, next state, what is paid).
    states : list
        All states, and `ends`, the values of those that are over.
    """
    ahead = {s: after(s) for s in states}
    values: dict[Any, float] = dict.fromkeys(states, 0.0) | ends
    while True:
        apart = 0.0
        for s in states:
            best = max(
                sum(w * (paid + sign * values[t]) for w, sign, t, paid in action)
                / sum(w for w, *_ in action)
                for action in ahead[s]
            )
            apart, values[s] = max(apart, abs(best - values[s])), best
        if apart < 1e-15:
            return values


def pig_value(goal: int, dice: int) -> float:
    """Return how often the first player wins, by a recursion on the mover's lead."""
    rolls = Counter(map(tuple, product(range(1, 7), repeat=dice)))

    def after(state: Any) -> list[Any]:
        own, other, turn = state
        rolled: list[Any] = []
        for faces in rolls:
            if 1 in faces:
                kept = 0 if dice > 1 and set(faces) == {1} else own
                rolled.append((1, -1, (other, kept, 0), 0))
            elif own + turn + sum(faces) >= goal:
                rolled.append((1, 1, "won", 0))
            else:
                rolled.append((1, 1, (own, other, turn + sum(faces)), 0))
        return [rolled, [(1, -1, (other, own + turn, 0), 0)]] if turn else [rolled]

    every = product(range(goal), range(goal), range(goal))
    states = [s for s in every if s[0] + s[2] < goal]
    return (1 + iterated(after, states, {"won": 1.0})[0, 0, 0]) / 2


@pytest.mark.parametrize(("goal", "dice"), [(8, 1), (7, 2)])
def test_pig(goal: int, dice: int) -> None:
    solution = diagonal.solve(PIG.Pig(goal, dice))
    assert solution.value == pytest.approx(pig_value(goal, dice), abs=1e-12)
    exactly = exact.solve(PIG.Pig(goal, dice))
    assert abs(Fraction(solution.value) - exactly.value) <= solution.error


def test_solitaire_pig() -> None:
    goal = 12

    def after(state: Any) -> list[Any]:
        score, turn = state
        rolled: list[Any] = [(1, 1, (score, 0), -1)]
        for face in range(2, 7):
            over = score + turn + face >= goal
            reached = "over" if over else (score, turn + face)
            rolled.append((1, 1, reached, -over))
        return [rolled, [(1, 1, (score + turn, 0), -1)]]

    every = product(range(goal), range(goal))
    states = [s for s in every if sum(s) < goal]
    solution = diagonal.solve(PIG.Solitaire(goal))
    turns = iterated(after, states, {"over": 0.0})[0, 0]
    assert solution.value == pytest.approx(turns, abs=1e-12)


def test_holding_at_20_in_the_solitaire() -> None:
    """By turns that end with 20 to 25 points, or where the goal is reached."""

    def turns(needed: int) -> tuple[float, dict[int, float]]:
        chances, ends = defaultdict(float, {0: 1.0}), defaultdict[int, float](float)
        lost = 0.0
        for points in range(needed + 26):
            chance = chances.pop(points, 0.0)
            if points >= min(20, needed):
                ends[points] += chance
                continue
            lost += chance / 6
            for face in range(2, 7):
                chances[points + face] += chance / 6
        return lost, ends

    # T. Neller, "Hold-at-20 outcomes", Nifty Assignments 2010.
    lost, ends = turns(100)
    assert [round(x, 6) for x in (lost, ends[20], ends[25])] == [
        *(0.624541, 0.099713, 0.017173)
    ]
    expected = [0.0]
    for needed in range(1, 41):
        lost, ends = turns(needed)
        after = [p * expected[max(needed - k, 0)] for k, p in ends.items()]
        expected.append((1 + sum(after)) / (1 - lost))
    value = play.evaluate(PIG.Solitaire(40), PIG.hold_at_20)
    assert -value.value == pytest.approx(expected[40], abs=1e-9)
    result = play.distribution(PIG.Solitaire(23), PIG.hold_at_20).returns[0]
    assert -result.mean == pytest.approx(expected[23], abs=1e-9)
    best = diagonal.solve(PIG.Solitaire(40))
    assert best.value > value.value


def test_where_the_page_says_to_roll_again_with_more() -> None:
    goal, counts = 60, [0, 0]
    pig = diagonal.solve(PIG.Pig(goal))
    for own, other in product([0, *range(2, goal - 2)], [0, *range(2, goal)]):
        turns = [(turn, own, other, 0, 0) for turn in range(2, goal - own)]
        holds = (pig.policy(np.array(turns)) == PIG.HOLD).tolist()
        if any(holds):
            counts[0] += not all(holds[holds.index(True) :])
            counts[1] += 1
    page = Path(__file__).parents[2] / "docs" / "classics.rst"
    words = " ".join(page.read_text(encoding="utf-8").split())
    assert "In {} of the {} coloured positions".format(*counts) in words
