"""Random games of one's own: both backends, and what is made of policies in them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from cardgames_dp import diagonal, exact, play

from ...written import Table
from .checks import Check, Error, held, of, some

Rng = np.random.Generator


def game(rng: Rng, *, alone: bool = False) -> Table:
    """Return a random acyclic game, in which states lead to later ones."""
    players = 1 if alone else int(rng.integers(1, 5))
    size = int(rng.integers(2, 60))
    wide = 10 ** int(rng.integers(0, 9))
    rows: dict[Any, tuple[Any, Any]] = {}
    for state in range(size):
        later = size - state - 1
        kind = (
            some(rng, ("end", "chance", "chance", "move", "move")) if later else "end"
        )
        following = (state + 1 + rng.integers(0, max(later, 1), 4)).tolist()
        if kind == "end" and (state > size // 2 or not later):
            below = int(rng.integers(1, 12))
            paid = rng.integers(-wide, wide + 1, players).tolist()
            rows[state] = ("end", [Fraction(x, below) for x in paid])
        elif kind == "chance":
            weights = rng.integers(1, 1 + wide, 4).tolist()
            rows[state] = ("chance", list(zip(weights, following, strict=True)))
        else:
            moves = {f"{i}": after for i, after in enumerate(following)}
            rows[state] = (int(rng.integers(players)), moves)
    return Table(rows, num_players=players)


def policies(rng: Rng, given: Table) -> list[Any]:
    """Return a mixture for every state, and every player."""
    mixed = {
        state: dict(zip(row, rng.integers(1, 9, len(row)).tolist(), strict=True))
        for state, (kind, row) in given.rows.items()
        if kind not in ("end", "chance")
    }
    return [mixed.__getitem__] * given.num_players


def both(function: Any, *arguments: Any) -> Any:
    """Return what a function answers by each backend."""
    return (function(*arguments, backend=b) for b in ("float64", "exact"))


def compared(found: Any, exactly: Any, error: float) -> Error:
    """Hold values of all states against exact ones, by the error that is stated."""
    numbers = [x for value in exactly.values() for x in value]
    largest = max(map(abs, numbers)) or 1
    return held([x for state in exactly for x in found[state]], numbers, largest, error)


def solve(rng: Rng, *, alone: bool) -> Error:
    """Among several players a tie that rounding hides may cost those who wait."""
    given = game(rng, alone=alone)
    found = diagonal.solve(given)
    return compared(found.values, exact.solve(given).values, found.error)


def evaluate(rng: Rng) -> Error:
    given = game(rng)
    found, exactly = both(play.evaluate, given, policies(rng, given))
    return compared(found.values, exactly.values, found.error)


def best_response(rng: Rng) -> Error:
    given = game(rng)
    player = int(rng.integers(given.num_players))
    found, exactly = both(play.best_response, given, policies(rng, given), player)
    return compared(
        found.solution.values, exactly.solution.values, found.solution.error
    )


def law(rng: Rng) -> Error:
    given = game(rng)
    found, exactly = both(play.distribution, given, policies(rng, given))
    return held(
        [found.reach[state] for state in exactly.reach],
        exactly.reach.values(),
        1,
        found.error,
    )


def regret(rng: Rng) -> Error:
    given = game(rng)
    player = int(rng.integers(given.num_players))
    found, exactly = both(play.regret, given, policies(rng, given), player)
    paid = [abs(x) for kind, row in given.rows.values() if kind == "end" for x in row]
    return of(abs(Fraction(found.loss) - exactly.loss), max(paid) or 1, found.error)


CHECKS = [
    Check(
        "diagonal.solve, one player",
        "Solution.error",
        "the largest value",
        lambda rng: solve(rng, alone=True),
    ),
    Check(
        "diagonal.solve, several players",
        "Solution.error",
        "the largest value",
        lambda rng: solve(rng, alone=False),
    ),
    Check("play.evaluate", "Solution.error", "the largest value", evaluate),
    Check("play.best_response", "Solution.error", "the largest value", best_response),
    Check("play.distribution", "Distributions.error", "1", law),
    Check("play.regret", "Regret.error", "the largest return", regret),
]
