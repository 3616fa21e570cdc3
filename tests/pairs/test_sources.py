"""The Pairs essay's figures, and what they would be without its mistakes."""

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardgames_dp import exact, game, pairs
from cardgames_dp.pairs import Rules, policies

from . import sources
from .counted import hits, inverted, met
from .test_decisions import seen_by


def essay(players: int, target: int, ranks: int) -> Rules:
    return Rules(players, ranks, target, reshuffle="essay")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "ranks", "printed", "certain", "positions"),
    sources.TABLE,  # examples/pairs_complete.py has all rows and other columns, too
)
def test_table(
    target: int, ranks: int, printed: Any, certain: Any, positions: int
) -> None:
    """The Pairs essay's columns, with the noise of its arithmetic and without it."""
    rules = essay(2, target, ranks)
    rows, stuck = met(rules)
    assert len(rows) == positions
    state: Any = pairs.game(rules).names.fields_of(rows)
    thumbs = inverted(rules, state), policies.expected_points(rules, state)
    ties: list[tuple[Any, Any]] = [("rounding", printed), ("fold", certain)]
    for tie, expected in ties:
        moves = hits(pairs.solve(dataclasses.replace(rules, tie=tie)), rows, stuck)
        assert tuple([int((moves != thumb).sum()) for thumb in thumbs]) == expected


def test_values() -> None:
    """Of the program; of its text, where every round is shuffled; and of neither."""
    for n, target, ranks, chance in sources.ESSAY_FRACTIONS:
        rules = essay(n, target, ranks)
        assert exact.solve(game.explore(pairs.game(rules))).value == chance
        assert pairs.solve(rules).value == pytest.approx(float(chance), abs=1e-15)
    for n, target, ranks, digits in sources.ESSAY_CHANCES:
        value = pairs.solve(essay(n, target, ranks)).payoffs[: len(digits)]
        assert np.round(value, 10).tolist() == list(digits)
    for target, ranks, chance, positions in sources.SHUFFLED:
        rules = Rules(deck=ranks, target=target)
        assert exact.solve(game.explore(pairs.game(rules))).payoffs == (
            chance,
            1 - chance,
        )
        assert len(met(rules)[0]) == positions
    remembered = pairs.solve(Rules(deck=3, target=5, reshuffle="exhausted")).value
    others = [sources.ESSAY_FRACTIONS[0][3], sources.SHUFFLED[0][2]]
    assert all(abs(float(other) - remembered) > 1e-3 for other in others)


def test_worked_example() -> None:
    """Chances of a pair: 8/45 and 26/45."""
    rules = Rules(target=1)
    both = sources.EXAMPLE
    for mine, theirs, chance in zip(
        both, both[::-1], sources.EXAMPLE_CHANCES, strict=True
    ):
        state, below = seen_by(rules, mine, theirs), chance < Fraction(1, 2)
        for over in (False, True):
            policy = pairs.HitBelow(chance + Fraction(over, 10**9))
            assert pairs.decision(policy, state, rules=rules) == ("fold", "hit")[over]
        for name in ("fifty_percent", "expected_points"):
            said = pairs.decision(name, state, rules=rules)
            assert said == ("fold", "hit")[below]
        assert inverted(rules, pairs.State(*map(np.atleast_2d, state))) == [not below]  # type: ignore[arg-type]
