"""The Pairs essay's figures, and what they would be without its mistakes."""

import dataclasses
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardgames_dp import exact, pairs
from cardgames_dp.pairs import Rules

from . import sources
from .counted import inverted, met
from .sources import Row
from .test_decisions import seen_by


def essay(players: int, target: int, ranks: int) -> Rules:
    return Rules(players, ranks, target, reshuffle="essay")


def places(rules: Rules, table: pairs.Round, hands: Any, unseen: Any) -> Any:
    """Return where positions stand in a round, whose hands begin with the mover's."""
    n = rules.players
    turns = (np.arange(n) - table.cards[:, None]) % n
    known = np.take_along_axis(table.hands, turns[:, :, None], axis=1)

    def codes(hands: Any, unseen: Any) -> Any:
        digits = np.concatenate([hands.reshape(len(hands), -1), unseen], axis=1)
        return digits.astype(np.int64) @ 10 ** np.arange(digits.shape[1])

    all_codes = codes(known, table.unseen)
    order = all_codes.argsort()
    return order[np.searchsorted(all_codes[order], codes(hands, unseen))]


def differing(row: Row) -> Counter[str]:
    """Count, in one walk over all positions that can be reached."""
    rules = essay(row.players, row.target, row.ranks)
    exactly = pairs.solve(rules)
    noisy = pairs.solve(dataclasses.replace(rules, tie="rounding"))
    thumbs = (inverted, pairs.policies.expected_points, pairs.policies.fifty_percent)
    found: Counter[str] = Counter()
    for scores, positions in met(rules):
        hands = np.array([hands for hands, _ in positions])
        unseen = np.array([unseen for _, unseen in positions])
        table, as_written = exactly.round(scores), noisy.round(scores)
        assert (table.hands == as_written.hands).all()
        here = places(rules, table, hands, unseen)
        lacking = row.players - 1 - table.values[here].sum(axis=1)
        assert lacking.min() > -1e-12
        found["short"] += int((lacking > 1e-9).sum())
        found["ties"] += int(table.ties[here].sum())
        found["visited"] += len(hands)
        movers = table.cards[here] % row.players
        for player in range(row.players):
            some = movers == player
            turned = np.roll(hands[some], -player, axis=1)
            points = np.roll([scores], -player, axis=1)
            view = pairs.View(rules, turned[:, 0], turned[:, 1:], unseen[some], points)
            bare = ~view.table.any(axis=1)
            for thumb in thumbs:
                hits, name = thumb(view), thumb.__name__
                for solved, told in (("exact", table), ("noisy", as_written)):
                    other = told.hits[here[some]] != hits
                    found[f"{solved} {name}"] += int(other.sum())
                    found[f"{solved} {name}, bare"] += int(other[bare].sum())
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "row",
    sources.TABLE[:-2],  # examples/pairs_complete.py prints those of three, too
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
        assert exact.solve(rules.game()).value == chance
        assert pairs.solve(rules).value == pytest.approx(float(chance), abs=1e-15)
    for n, target, ranks, digits in sources.ESSAY_CHANCES:
        value = pairs.solve(essay(n, target, ranks)).payoffs[: len(digits)]
        assert np.round(value, 10).tolist() == list(digits)
    for target, ranks, chance, positions in sources.SHUFFLED:
        rules = Rules(deck=ranks, target=target)
        assert exact.solve(rules.game()).payoffs == (chance, 1 - chance)
        assert sum(len(found) for _, found in met(rules)) == positions
    remembered = pairs.solve(Rules(deck=3, target=5, reshuffle="exhausted")).value
    others = [sources.ESSAY_FRACTIONS[0][3], sources.SHUFFLED[0][2]]
    assert all(abs(float(other) - remembered) > 1e-3 for other in others)


def test_worked_example() -> None:
    """Chances of a pair: 8/45 and 26/45."""
    rules = Rules(target=1)
    both = [[rank in hand for rank in rules.ranks] for hand in sources.EXAMPLE]
    for mine, theirs, chance in zip(
        both, both[::-1], sources.EXAMPLE_CHANCES, strict=True
    ):
        view, hits = seen_by(rules, mine, theirs), chance < Fraction(1, 2)
        for over in (False, True):
            threshold = chance + Fraction(over, 10**9)
            assert pairs.HitBelow(threshold)(view).tolist() == [over]
        for name in ("fifty_percent", "expected_points"):
            assert getattr(pairs.policies, name)(view).tolist() == [hits]
        assert inverted(view).tolist() == [not hits]
