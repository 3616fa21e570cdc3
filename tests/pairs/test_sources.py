"""The Pairs essay's figures, and what they would be without its mistakes."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardgames_dp import exact, pairs
from cardgames_dp.pairs._kernels.flow import flows
from cardgames_dp.pairs.policies import sweep_of

from . import sources
from .sources import Row

rows = pytest.mark.parametrize(
    "row", sources.TABLE, ids=lambda row: f"{row.players},{row.target},{row.ranks}"
)


def essay(players: int, target: int, ranks: int) -> pairs.Rules:
    return pairs.Rules(
        players=players,
        deck=pairs.triangular(ranks),
        target=target,
        reshuffle="essay",
    )


def counted(row: Row, policy: Any, **options: Any) -> pairs.Comparison:
    rules = essay(row.players, row.target, row.ranks)
    return pairs.compare(rules, "optimal", policy, **options)


@rows
def test_table(row: Row) -> None:
    """The Pairs essay's two columns, with the noise of its arithmetic."""
    fifty_percent = counted(row, "fifty_percent_code", tolerance=0)
    assert fifty_percent.differing == row.fifty_percent
    assert fifty_percent.visited == row.visited
    points = counted(row, "expected_points", tolerance=0)
    assert points.differing == row.expected_points
    assert points.visited == row.visited


@pytest.mark.slow
@rows
def test_exact_table(row: Row) -> None:
    result, points = (
        counted(row, rule) for rule in ("fifty_percent_code", "expected_points")
    )
    assert (result.differing, points.differing) == row.exact
    # "The differences increased exponentially": only the positions do.
    shares = [round(each.differing / each.visited, 2) for each in (result, points)]
    assert shares == list(sources.SHARES[sources.TABLE.index(row)])
    assert result.ties == row.ties
    right = counted(row, "fifty_percent")
    assert right.differing == row.as_text
    assert right.differing < 3 * row.exact[1]  # the lead is no more than this


@rows
def test_spurious_differences_on_the_empty_table(row: Row) -> None:
    """The program's 50 % rule folds there, where only a hit is allowed."""
    result = counted(row, "fifty_percent_code")
    assert result.by_kind["empty_table"] == (row.on_empty_table, row.on_empty_table)
    assert counted(row, "fifty_percent").by_kind["empty_table"][1] == 0
    assert sum(result.visited_by_kind) == result.visited
    assert sum(result.differing_by_kind) == result.differing


@rows
def test_chances_that_do_not_add_up(row: Row) -> None:
    """Lemma 2 of the Pairs essay fails where its program runs out of cards."""
    sweep = sweep_of(pairs.solve(essay(row.players, row.target, row.ranks)))
    short = 0
    for flow in flows(sweep, None):
        layers = [by_profile[0] for by_profile in sweep.steps(flow.vectors)]
        for step, met in zip(layers[::-1], flow.layers, strict=True):
            lacking = row.players - 1 - step.values.sum(axis=1)
            assert lacking.min() > -1e-12
            short += int(((met.weights > 0) & (lacking > 1e-9)).sum())
    assert short == row.short


@pytest.mark.slow
@pytest.mark.parametrize(("n", "target", "ranks", "chance"), sources.ESSAY_FRACTIONS)
def test_value_of_the_program(
    n: int, target: int, ranks: int, chance: Fraction
) -> None:
    rules = essay(n, target, ranks)
    assert exact.solve(rules.game()).value[0] == chance
    assert pairs.solve(rules).value[0] == pytest.approx(float(chance), abs=1e-15)


@pytest.mark.parametrize(("n", "target", "ranks", "chances"), sources.ESSAY_CHANCES)
def test_digits_of_the_program(
    n: int, target: int, ranks: int, chances: tuple[float, ...]
) -> None:
    value = pairs.solve(essay(n, target, ranks)).value[: len(chances)]
    assert np.round(value, 10).tolist() == list(chances)


@pytest.mark.parametrize(("target", "ranks", "chance", "met"), sources.SHUFFLED)
def test_text(target: int, ranks: int, chance: Fraction, met: int) -> None:
    """Every round is shuffled: what the Pairs essay's text describes."""
    rules = pairs.Rules(deck=pairs.triangular(ranks), target=target)
    oracle = exact.solve(rules.game())
    assert oracle.value == (chance, 1 - chance)
    assert pairs.solve(rules).value[0] == pytest.approx(float(chance), abs=1e-15)
    assert pairs.compare(rules, "optimal", "never_hit").visited == met


def test_remembered_discards() -> None:
    """Rule set 2 in both backends: another game than the other two rule sets."""
    rules = pairs.Rules(deck=pairs.triangular(3), target=5, reshuffle="exhausted")
    oracle = exact.solve(rules.game())
    solution = pairs.solve(rules)
    assert solution.value == pytest.approx(list(map(float, oracle.value)), abs=1e-15)
    assert sum(oracle.value) == 1
    others = [sources.ESSAY_FRACTIONS[0][3], sources.SHUFFLED[0][2]]
    assert all(abs(float(x) - solution.value[0]) > 1e-3 for x in others)


def test_worked_example() -> None:
    """Chances of a pair: 8/45 and 26/45."""
    rules = pairs.Rules(target=1)
    hands = np.array(
        [[rank in hand for rank in rules.ranks] for hand in sources.EXAMPLE]
    )
    for mine, theirs, chance in zip(
        hands, hands[::-1], sources.EXAMPLE_CHANCES, strict=True
    ):
        view = pairs.View(
            rules,
            mine[None].astype(int),
            theirs[None, None].astype(int),
            (np.array(rules.counts) - mine - theirs)[None],
            np.zeros((1, 2), int),
        )
        for over in (False, True):
            threshold = chance + Fraction(over, 10**9)
            assert pairs.HitBelow(threshold)(view).tolist() == [over]
        hits = chance < Fraction(1, 2)
        for name in ("fifty_percent", "fifty_percent_face_up"):
            assert getattr(pairs.policies, name)(view).tolist() == [hits]
        for name in ("expected_points", "expected_points_face_up"):
            assert getattr(pairs.policies, name)(view).tolist() == [hits]
        assert pairs.policies.fifty_percent_code(view).tolist() == [not hits]
