"""The rule of sums, against its seven lines followed one by one."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import pairs

from .counted import win_rate

GAME = pairs.Rules(deck=6, target=16)


def followed(rule: pairs.SumBelow, hand: Any, others: Any, own: int) -> str:
    """Return what the lines say, one after the other."""
    table = [*hand, *others]
    if not table:
        return "hit"
    if own + min(table) >= GAME.target:
        return "hit"
    total = 0
    for card in hand:
        total += card * (rule.losing if own + card >= GAME.target else 1)
    return "hit" if total < rule.times * min(table) - rule.less else "fold"


@given(
    st.builds(
        pairs.SumBelow, st.integers(0, 12), st.integers(0, 20), st.integers(0, 3)
    ),
    st.sets(st.integers(1, 6), max_size=4),
    st.sets(st.integers(2, 6), max_size=5),
    st.integers(0, 15),
    st.integers(0, 15),
)
def test_as_the_lines_say(
    rule: pairs.SumBelow, hand: set[int], others: set[int], own: int, other: int
) -> None:
    hand = set(sorted(hand)[: len(others)])
    others = set(sorted(others)[: len(hand) + 1])
    found = pairs.decision(
        rule, hand=hand, others=others, scores=[own, other], rules=GAME
    )
    assert found == followed(rule, hand, others, own)


def test_each_line_is_of_use() -> None:
    """Without doubling, without what is taken off, or by the fold's points alone."""
    rules = pairs.Rules(deck=7, target=21)

    def wins(rule: pairs.Policy) -> float:
        return win_rate(rules, rule, "optimal").mean

    best = wins(pairs.SumBelow(7, 4))
    assert best > wins(pairs.SumBelow(7, 4, losing=1))
    assert best > wins(pairs.SumBelow(7, 0))
    assert best > wins("expected_points") > wins("fifty_percent")


def test_three_players_follow_it() -> None:
    rules = pairs.Rules(players=3, deck=4, target=8)
    rule = pairs.SumBelow(4, 1)
    assert win_rate(rules, rule, "fifty_percent").mean > 2 / 3


def test_its_numbers() -> None:
    assert pairs.SumBelow() == pairs.SumBelow(times=9, less=4, losing=2)
    assert repr(pairs.SumBelow(7, 4)) == "SumBelow(7, 4, 2)"
    with pytest.raises(ValueError, match="less must be an integer >= 0, got -1"):
        pairs.SumBelow(10, -1)
    with pytest.raises(
        TypeError, match=r"times must be an integer >= 0, got 9\.5 of type float"
    ):
        pairs.SumBelow(9.5)  # type: ignore[arg-type]
