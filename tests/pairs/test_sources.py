"""The Pairs essay's figures, and what they would be without its mistakes."""

import dataclasses
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardgames_dp import exact, game, pairs
from cardgames_dp.pairs import Rules, policies

from . import sources
from .counted import hits, inverted, met
from .sources import Row
from .test_decisions import seen_by


def essay(players: int, target: int, ranks: int) -> Rules:
    return Rules(players, ranks, target, reshuffle="essay")


def differing(row: Row) -> Counter[str]:
    """Count, over all positions that can be reached."""
    rules = essay(row.players, row.target, row.ranks)
    exactly = pairs.solve(rules)
    noisy = pairs.solve(dataclasses.replace(rules, tie="rounding"))
    thumbs = (inverted, policies.expected_points, policies.fifty_percent)
    rows, stuck = met(rules)
    state: Any = pairs.game(rules).names.fields_of(rows)
    chances = np.zeros((len(rows), row.players))
    chances[~stuck] = exactly.payoffs_at(rows[~stuck])
    lacking = row.players - 1 - chances.sum(axis=1)
    assert lacking.min() > -1e-12
    bare = ~(state.hand.any(axis=1) | state.others.any(axis=(1, 2)))
    index, _ = exactly.optimal_actions(rows[~stuck])
    found = Counter(
        short=int((lacking > 1e-9).sum()),
        ties=int((np.bincount(index) == 2).sum()),
        visited=len(rows),
    )
    for thumb in thumbs:
        other, name = thumb(rules, state), thumb.__name__
        for said, solution in (("exact", exactly), ("noisy", noisy)):
            differs = hits(solution, rows, stuck) != other
            found[f"{said} {name}"] += int(differs.sum())
            found[f"{said} {name}, bare"] += int(differs[bare].sum())
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "row",
    sources.TABLE,  # examples/pairs_complete.py has the rows of three players, too
    ids=lambda row: f"{row.players},{row.target},{row.ranks}",
)
def test_table(row: Row) -> None:
    """The Pairs essay's columns, with the noise of its arithmetic and without it.

    Its Lemma 2 fails where its program runs out of cards, its 50 % rule folds on an
    empty table, where only a hit is allowed, and "the differences increased
    exponentially" as only the positions do.
    """
    found = differing(row)
    assert found["visited"] == row.visited
    assert found["noisy inverted"] == row.fifty_percent
    assert found["noisy expected_points"] == row.expected_points
    both = found["exact inverted"], found["exact expected_points"]
    assert both == row.exact
    shares = tuple(round(each / row.visited, 2) for each in both)
    assert shares == sources.SHARES[sources.TABLE.index(row)]
    assert found["exact fifty_percent"] == row.as_text
    assert row.as_text < 3 * row.exact[1]  # the lead is no more than this
    assert found["exact inverted, bare"] == row.on_empty_table
    assert found["exact fifty_percent, bare"] == 0
    assert (found["ties"], found["short"]) == (row.ties, row.short)


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
