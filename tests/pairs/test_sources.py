"""The Pairs essay's figures, and what they would be without its mistakes."""

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardgames_dp import exact, pairs

from . import sources
from .counted import compared, met
from .sources import Row

rows = pytest.mark.parametrize(
    "row", sources.TABLE, ids=lambda row: f"{row.players},{row.target},{row.ranks}"
)


def essay(players: int, target: int, ranks: int) -> pairs.Rules:
    return pairs.Rules(
        players=players,
        deck=ranks,
        target=target,
        reshuffle="essay",
    )


@rows
def test_table(row: Row) -> None:
    """The Pairs essay's two columns, with the noise of its arithmetic."""
    rules = essay(row.players, row.target, row.ranks)
    noisy = pairs.solve(dataclasses.replace(rules, tie="rounding"))
    half = compared(rules, noisy, "fifty_percent_code")
    assert half.differing == row.fifty_percent
    assert half.visited == row.visited
    assert compared(rules, noisy, "expected_points").differing == row.expected_points


@pytest.mark.slow
@rows
def test_exact_table(row: Row) -> None:
    rules = essay(row.players, row.target, row.ranks)
    result, points, right = (
        compared(rules, "optimal", rule)
        for rule in ("fifty_percent_code", "expected_points", "fifty_percent")
    )
    assert (result.differing, points.differing) == row.exact
    # "The differences increased exponentially": only the positions do.
    shares = [round(each.differing / each.visited, 2) for each in (result, points)]
    assert shares == list(sources.SHARES[sources.TABLE.index(row)])
    assert right.differing == row.as_text
    assert right.differing < 3 * row.exact[1]  # the lead is no more than this
    # The program's 50 % rule folds on an empty table, where only a hit is allowed.
    assert result.bare == (row.on_empty_table, row.on_empty_table)
    assert right.bare == (row.on_empty_table, 0)


@pytest.mark.slow
@rows
def test_ties_and_chances_that_do_not_add_up(row: Row) -> None:
    """Lemma 2 of the Pairs essay fails where its program runs out of cards."""
    solution = pairs.solve(essay(row.players, row.target, row.ranks))
    ties = short = 0
    for scores, positions in met(solution.rules):
        table = solution.round(scores)
        places = {
            (tuple(map(tuple, hands)), tuple(unseen)): place
            for place, (hands, unseen) in enumerate(
                zip(_leader_first(table).tolist(), table.unseen.tolist(), strict=True)
            )
        }
        here = [places[each] for each in positions]
        lacking = row.players - 1 - table.values[here].sum(axis=1)
        assert lacking.min() > -1e-12
        short += int((lacking > 1e-9).sum())
        ties += int(table.ties[here].sum())
    assert (ties, short) == (row.ties, row.short)


def _leader_first(table: pairs.Round) -> Any:
    """Return the hands of a round, which begin with the player to move."""
    n = table.rules.players
    places = (np.arange(n) - table.cards[:, None]) % n
    return np.take_along_axis(table.hands, places[:, :, None], axis=1)


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
    rules = pairs.Rules(deck=ranks, target=target)
    oracle = exact.solve(rules.game())
    assert oracle.value == (chance, 1 - chance)
    assert pairs.solve(rules).value[0] == pytest.approx(float(chance), abs=1e-15)
    assert compared(rules, "optimal", "never_hit").visited == met


def test_remembered_discards() -> None:
    """Rule set 2 in both backends: another game than the other two rule sets."""
    rules = pairs.Rules(deck=3, target=5, reshuffle="exhausted")
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
