"""Piglet in fractions, held against value iteration and the published tables."""

from itertools import product

import pytest

from cardgames_dp import diagonal, exact

from .scripts import loaded

PIGLET = loaded("piglet")

# T. W. Neller, "Piglet", course CS 391, Gettysburg College, 2003.
HOLD = {
    3: "133 222 111",
    6: "222226 122225 112224 111133 111222 111111",
    9: "222222339 122222238 112222237 111222226 111122225 111112224 "
    "111111133 111111222 111111111",
}


def iterated(goal: int) -> dict[tuple[int, ...], float]:
    """Return the mover's chance by own score, the other's, and points of the turn."""
    states = [s for s in product(range(goal), repeat=3) if s[0] + s[2] < goal]
    values: dict[tuple[int, ...], float] = dict.fromkeys(states, 0.0)
    for _ in range(200):
        for own, other, turn in states:
            heads = values.get((own, other, turn + 1), 1.0)
            toss = (heads + 1 - values[other, own, 0]) / 2
            held = 1 - values[other, own + turn, 0] if turn else 0.0
            values[own, other, turn] = max(toss, held)
    return values


@pytest.mark.parametrize("goal", [1, 2, 5, 10])
def test_piglet(goal: int) -> None:
    solution = exact.solve(PIGLET.Piglet(goal))
    for (own, other, turn), value in iterated(goal).items():
        state = (0, own, other, turn, False)
        if state in solution.values:
            assert float(solution.values[state]) == pytest.approx(value, abs=1e-12)
    floats = diagonal.solve(PIGLET.Piglet(goal))
    assert abs(floats.value - float(solution.value)) <= floats.error + 1e-16


@pytest.mark.parametrize("goal", HOLD)
def test_when_to_hold(goal: int) -> None:
    table = [[int(digit) for digit in row] for row in HOLD[goal].split()]
    solution = exact.solve(PIGLET.Piglet(goal))
    assert PIGLET.hold_with(solution, goal) == table
    for (_, own, other, turn, _), action in solution.policy.items():
        assert (action == "hold") == (turn >= table[own][other])
