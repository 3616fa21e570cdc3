"""What a play that never ends pays: values that do not depend on it, and refusals."""

from fractions import Fraction
from typing import Any

import pytest

from cardgames_dp import diagonal, exact
from cardgames_dp.game import GameError

from .written import Paying, Table

SOLVERS = [exact.solve, diagonal.solve]


def opposed(rows: dict[Any, Any], paid: Any = None) -> Paying:
    """Return a game of two players, given what the first one gets; it begins at "A".

    In place of a state, moves may lead to a number, which ends the game.
    """
    ends = {
        after
        for kind, what in rows.values()
        for after in (what.values() if kind != "chance" else [t for _, t in what])
        if after not in rows
    }
    every = rows | {x: ("end", [x, -x]) for x in ends}
    both = {move: [x, -x] for move, x in (paid or {}).items()}
    return Paying(every, "A", 2, both)


def chain(size: int) -> Table:
    """Return Haddad and Monmege's game, which comes back to 0 after each false step."""
    rows: dict[Any, Any] = {0: ("chance", [(1, -1), (1, 1)])}
    for state in range(1, size):
        rows |= {s * state: ("chance", [(1, s * (state + 1)), (1, 0)]) for s in (1, -1)}
    return Table(rows | {size: ("end", [1]), -size: ("end", [0])})


ROUND = {"A": (0, {"stop": 1, "go": "B"}), "B": (1, {"back": "A", "round": "C"})}
LEAVE = Paying(
    {0: (0, {"wait": 0, "leave": 1}), 1: ("end", [0])},
    paid={(0, "wait"): [-1], (0, "leave"): [10**6]},
)
TOSS = {
    "A": (0, {"stop": 0, "toss": "B"}),
    "B": ("chance", [(1, "A", [1]), (1, "A", [-1])]),
}


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize(
    ("game", "value"),
    [
        (opposed(ROUND | {"C": ("chance", [(1, "A")])}), 1),
        (
            opposed(
                {
                    "A": (0, {"a": "A", "b": "B", "prize": 1, "nothing": 0}),
                    "B": (1, {"a": "A", "prize": 1}),
                }
            ),
            1,
        ),
        (
            opposed(
                {"A": (1, {"delay": "B", "end": 3}), "B": (0, {"back": "A", "end": 0})},
                {("A", "delay"): 1},
            ),
            3,
        ),
        (
            opposed(
                {"A": (1, {"end": 1, "on": "B"}), "B": (0, {"end": 1, "back": "A"})},
                {("A", "end"): 2, ("B", "end"): -1, ("B", "back"): 2},
            ),
            3,
        ),
        (LEAVE, 10**6),
        (Paying(TOSS | {0: ("end", [0])}, "A"), 0),
        (chain(10), Fraction(1, 2)),
    ],
)
def test_values_that_are_clear(solve: Any, game: Any, value: Any) -> None:
    solution = solve(game)
    assert abs(Fraction(solution.payoffs[0]) - value) <= Fraction(solution.error)
    assert solution.error <= 1e-9 * (1 + value)
