"""Pairs: chances of random small games, policies in them, and best responses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from cardgames_dp import exact, pairs
from cardgames_dp.pairs._kernels.positions import Positions

from ...pairs import oracles
from .checks import Check, Error, held, some, worst_of

Rng = np.random.Generator

LARGEST = 1000  # positions with scores, so that a case takes little


def rules(rng: Rng, most_players: int = 3) -> pairs.Rules:
    """Return rules of every kind, of a small game."""
    while True:
        ranks = rng.choice(np.arange(1, 5), int(rng.integers(1, 4)), replace=False)
        players = int(rng.integers(2, most_players + 1))
        try:
            found = pairs.Rules(
                players=players,
                deck={int(rank): int(rng.integers(1, 4)) for rank in ranks},
                target=int(rng.integers(1, 6 - players)),
                reshuffle=some(rng, ("round", "exhausted")),
                deal=int(rng.integers(2)),
                tie=some(rng, ("fold", "hit")),
                capacity=int(rng.integers(1, 3)),
            )
        except ValueError:
            continue
        if Positions(found).size * found.target**players <= LARGEST:
            return found


def kept(given: pairs.Rules, a: str, b: str | None) -> list[Fraction]:
    """Return the chances of one seat with `a`, or its best, against others with `b`."""
    chances = []
    for seat in range(given.players):
        plays = {i: oracles.PLAYS[b or a] for i in range(given.players) if i != seat}
        if b:
            plays[seat] = oracles.PLAYS[a]
        game = oracles.Kept(given, plays)
        chances.append(exact.solve(game, max_states=200_000).value[seat])
    return chances


def close(found: Any, exactly: Any) -> Error:
    """Hold chances against exact ones; they are absolutely right to 1e-13."""
    return held(found, exactly, 1, Fraction(1, 10**13))


def solve(rng: Rng) -> Error:
    given = rules(rng)
    return close(pairs.solve(given).value, pairs.solve(given, backend="exact").value)


def evaluate(rng: Rng) -> Error:
    given, names = rules(rng), sorted(oracles.PLAYS)
    a, b = some(rng, names), some(rng, names)
    found = pairs.evaluate(given, [a, *[b] * (given.players - 1)]).by_leader
    in_turn = [found[-seat][0] for seat in range(given.players)]
    return close(in_turn, kept(given, a, b))


def best_response(rng: Rng) -> Error:
    given, name = rules(rng), some(rng, sorted(oracles.PLAYS))
    return close(pairs.best_response(given, name).values, kept(given, name, None))


def frequencies(rng: Rng) -> Error:
    """How often there is a choice, a hit, a fold: sums of chances."""
    given, name = rules(rng), some(rng, sorted(oracles.PLAYS))
    found = pairs.evaluate(given, name)
    exactly = oracles.usual(given, oracles.PLAYS[name])
    counted = [exactly[field] for field in ("choices", "hits", "folds")]
    most = max(*counted, Fraction(1))
    return held((found.choices, found.hits, found.folds), counted, most, most / 10**13)


def enclosure(rng: Rng) -> Error:
    """Of the intervals' half widths, how far exact chances are from the middles."""
    given = rules(rng, most_players=2)
    bounds = pairs.enclosure(given).value_at((0,) * given.players)
    exactly = pairs.solve(given, backend="exact").value
    return worst_of(
        held([(Fraction(a) + Fraction(b)) / 2], [x], 1, (Fraction(b) - Fraction(a)) / 2)
        for (a, b), x in zip(bounds, exactly, strict=True)
    )


def another_goal(rng: Rng) -> Error:
    """Mean returns of players who want something else than to win."""
    given = rules(rng)
    goal = some(rng, ("points", "lead", 1))
    found = pairs.solve(given, goal=goal).value
    return close(found, pairs.solve(given, goal=goal, backend="exact").value)


CHECKS = [
    Check("pairs.solve, goal", "1e-13", "1", another_goal, 0.2),
    Check("pairs.solve", "1e-13", "1", solve, 0.2),
    Check("pairs.evaluate", "1e-13", "1", evaluate, 0.2),
    Check("pairs.best_response", "1e-13", "1", best_response, 0.2),
    Check("pairs.enclosure", "half of its width", "1", enclosure, 0.2),
    Check(
        "pairs.evaluate(...).rounds",
        "1e-13 of the count",
        "the largest",
        frequencies,
        0.2,
    ),
]
