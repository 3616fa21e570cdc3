"""What policies do in a position, against their descriptions and what games ask."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import pairs, play
from cardgames_dp.pairs import FoldUpTo, HitBelow, Rules, SumBelow
from cardgames_dp.play.policies import weighed

from .test_policies import (
    FUNCTIONS,
    NAMES,
    explored_of,
    one_in_four,
    policy_for,
)


def seen_by(rules: Rules, hand: Any, other: Any) -> pairs.State:
    """Return one position at the start of the game."""
    return pairs.state(hand, other, rules=rules)


def test_exact_ties_of_chances() -> None:
    """A chance of exactly one half is folded by the text, not hit by the program."""
    # With 1 against 2 there are one 1 and one 2 left: a pair in one of two cases.
    rules = Rules(deck={1: 2, 2: 2}, target=3)
    state = seen_by(rules, [1], [2])
    for policy, hits in [
        ("fifty_percent", False),
        (HitBelow(0.5), False),
        (HitBelow(0.5, or_equal=True), True),
        (HitBelow(np.nextafter(0.5, 0), or_equal=True), False),
        (HitBelow(Decimal("0.5" + "0" * 40 + "1")), True),
        (HitBelow(np.nextafter(0.5, 1)), True),
        ("expected_points", True),  # 1/2 on average; a fold costs 1
    ]:
        said = pairs.decision(policy, state, rules=rules)
        assert said == ("hit" if hits else "fold")
    for written in (
        HitBelow("0.4"),
        HitBelow(np.float64(0.1)),
        HitBelow(0.2, or_equal=True),
    ):
        assert eval(repr(written), {"HitBelow": HitBelow}) == written
    assert HitBelow(Decimal("0.5")) == HitBelow(1 / 2) != HitBelow(0.5, or_equal=True)
    assert hash(FoldUpTo(1)) == hash(FoldUpTo(1))
    assert SumBelow() == SumBelow(times=9, less=4, losing=2)


@given(
    st.builds(SumBelow, st.integers(0, 12), st.integers(0, 20), st.integers(0, 3)),
    *(st.sets(st.integers(1, 6), max_size=4), st.sets(st.integers(2, 6), max_size=5)),
    *[st.integers(0, 15)] * 2,
)
def test_sums_below_as_the_lines_say(
    rule: SumBelow, hand: Any, others: Any, own: int, other: int
) -> None:
    rules = Rules(deck=6, target=16)
    hand = sorted(hand)[: len(others)]
    others = sorted(others)[: len(hand) + 1]
    expected = not [*hand, *others] or own + min([*hand, *others]) >= 16
    if not expected:
        total = sum(card * (rule.losing if own + card >= 16 else 1) for card in hand)
        expected = total < rule.times * min([*hand, *others]) - rule.less
    state = pairs.state(hand, others, [own, other], rules=rules)
    result = pairs.decision(rule, state, rules=rules)
    assert result == ("hit" if expected else "fold")


@pytest.mark.parametrize(
    "name",
    [*NAMES, HitBelow(0.3), *FUNCTIONS, "response", "solution", "exact", "mapping"],
    ids=lambda name: getattr(name, "__name__", str(name)),
)
@pytest.mark.parametrize(
    "rules",
    [Rules(deck=4, target=3), Rules(deck=3, target=3, reshuffle="exhausted")],
    ids=["round", "exhausted"],
)
def test_decision_is_what_games_are_played_by(rules: Rules, name: Any) -> None:
    """In states one by one, and many at once, as the general functions play."""
    policy, explored = policy_for(rules, name), explored_of(rules)
    graph = explored.graph
    chain = weighed(explored, policy)
    places = np.flatnonzero(graph.players >= 0)[::17]
    assert len(places) > 20
    for place, state in zip(places, explored.named_states(places), strict=True):
        result = pairs.decision(policy, state, rules=rules)
        moves = slice(graph.offsets[place], graph.offsets[place + 1])
        weights = chain[moves].astype(float) / float(chain[moves].sum())
        actions = explored.actions_at(int(place))
        expected = dict(zip(actions, weights, strict=True))
        if isinstance(result, str):
            result = {result: 1}
        for action, weight in expected.items():
            total = sum(result.values())
            assert result.get(action, 0) / total == pytest.approx(weight)


def test_decision_where_there_is_no_choice_and_in_the_published_game() -> None:
    rules = Rules(players=3, deck=2, target=3, burn=1)
    nobody = pairs.state(rules=rules)
    assert pairs.decision("never_hit", nobody, rules=rules) == "hit"
    last = pairs.state([], [[1], [2]], rules=rules)
    assert pairs.decision("always_hit", last, rules=rules) == "fold"
    state = pairs.state(hand=[5], others=[9])
    # 4 of 53 cards make a pair: it costs 20/53 on average, a fold 5.
    for policy, action in [
        *(("expected_points", "hit"), (HitBelow(4 / 53), "fold")),
        *((HitBelow(4.01 / 53), "hit"), (one_in_four, {"hit": 0.25, "fold": 0.75})),
        (play.mixture({"never_hit": 3, "always_hit": 1}), {"hit": 0.25, "fold": 0.75}),
    ]:
        assert pairs.decision(policy, state) == action
    fields: Any = [np.repeat([part], 3, axis=0) for part in state]
    many: Any = pairs.State(*fields)
    assert pairs.decision("never_hit", many).tolist() == ["fold"] * 3
    assert pairs.decision(one_in_four, many)["hit"].tolist() == [0.25] * 3
