"""What policies do in a position, against their descriptions and what games ask."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import pairs
from cardgames_dp.pairs import FoldUpTo, HitBelow, Rules, SumBelow, View
from cardgames_dp.pairs.players import decider

from .test_policies import NAMES, SMALL, behind, one_in_four


def seen_by(rules: Rules, hand: Any, other: Any) -> View:
    """Return one position at the start of the game."""
    one, two = ([[*map(int, each)]] for each in (hand, other))
    unseen = np.array(rules.counts) - np.array(one) - np.array(two)
    return View(rules, np.array(one), np.array([two]), unseen, np.zeros((1, 2), int))


def test_exact_ties_of_chances() -> None:
    """A chance of exactly one half is folded by the text, not hit by the program."""
    # With 1 against 2 there are one 1 and one 2 left: a pair in one of two cases.
    view = seen_by(Rules(deck={1: 2, 2: 2}, target=3), [1, 0], [0, 1])
    for policy, hits in [
        (pairs.policies.fifty_percent, False),
        (HitBelow(0.5), False),
        (HitBelow(0.5, or_equal=True), True),
        (HitBelow(np.nextafter(0.5, 0), or_equal=True), False),
        (HitBelow(Decimal("0.5" + "0" * 40 + "1")), True),
        (HitBelow(np.nextafter(0.5, 1)), True),
        (pairs.policies.expected_points, True),  # 1/2 on average; a fold costs 1
    ]:
        assert policy(view).tolist() == [hits]  # type: ignore[operator]
    for policy in (
        HitBelow("0.4"),
        HitBelow(np.float64(0.1)),
        HitBelow(0.2, or_equal=True),
    ):
        assert eval(repr(policy), {"HitBelow": HitBelow}) == policy
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
    where: Any = {"hand": hand, "others": others, "scores": [own, other]}
    found = pairs.decision(rule, **where, rules=rules)
    assert found == ("hit" if expected else "fold")


@pytest.mark.parametrize(
    "policy",
    [*(name for name in NAMES if name != "optimal"), HitBelow(0.3), behind],
    ids=lambda policy: getattr(policy, "__name__", str(policy)),
)
@pytest.mark.parametrize(
    "rules",
    [Rules(deck=4, target=4), Rules(deck=3, target=4, reshuffle="exhausted")],
    ids=["round", "exhausted"],
)
def test_decision_is_what_games_are_played_by(rules: Rules, policy: Any) -> None:
    """In the positions about which `evaluate` asks, where there is a choice."""
    decide: Any = decider("policy", policy)
    met = 0

    def cards(counts: Any) -> dict[int, int]:
        return dict(zip(rules.ranks, counts.tolist(), strict=True))

    def looked_at(view: View) -> Any:
        nonlocal met
        said = decide(view)
        hits = said if said.ndim == 2 else said[:, None]
        hits = np.broadcast_to(hits, (len(view.hand), len(view.scores)))
        there = np.flatnonzero(view.table.any(axis=1) & view.unseen.any(axis=1))
        for i in there[:: max(1, len(there) // 4)] if met < 200 else ():
            for j in range(min(3, len(view.scores))):
                met += 1
                found = pairs.decision(
                    policy,
                    hand=cards(view.hand[i]),
                    others=[cards(other) for other in view.others[i]],
                    scores=view.scores[j].tolist(),
                    deck=cards(view.unseen[i]),
                    rules=rules,
                )
                assert (found == "hit") == hits[i, j]
        return said

    pairs.evaluate(rules, [looked_at, "fifty_percent"])
    assert met > 20


def test_decision_where_there_is_no_choice_and_in_the_published_game() -> None:
    rules = Rules(players=3, deck=2, target=3, burn=1)
    nobody: dict[str, Any] = {"hand": [], "scores": [0, 0, 0], "rules": rules}
    assert pairs.decision("never_hit", others=[[], []], **nobody) == "hit"
    assert pairs.decision("always_hit", others=[[1], [2]], **nobody) == "fold"
    asked: dict[str, Any] = {"hand": [5], "others": [9], "scores": [0, 0]}
    # 4 of 53 cards make a pair: it costs 20/53 on average, a fold 5.
    for policy, action in [
        *(("never_hit", "fold"), ("expected_points", "hit")),
        *((HitBelow(4 / 53), "fold"), (HitBelow(4.01 / 53), "hit")),
        *((one_in_four, {"hit": 0.25, "fold": 0.75}), (lambda view: np.ones(1), "hit")),
    ]:
        assert pairs.decision(policy, **asked) == action  # type: ignore[arg-type]


def test_what_a_policy_sees() -> None:
    """The player to move first, in cards and in scores, and all cards accounted for."""
    rules, totals = SMALL, set()

    def watching(view: View) -> Any:
        totals.add(int(view.scores[0].sum()))
        size = len(view.hand)
        assert view.rules == rules
        assert view.hand.shape == view.unseen.shape == view.table.shape == (size, 3)
        assert view.others.shape == (size, 2, 3)
        assert view.scores.shape[1] == 3
        assert (view.table + view.unseen == rules.counts).all()
        assert (view.scoring == (view.hand == 1)).all()
        left, right = view.others.sum(axis=2).T
        own = view.hand.sum(axis=1)
        assert ((own <= left) & (left <= right) & (right <= own + 1)).all()
        least = [min(np.append(np.flatnonzero(t) + 1, 4)) for t in view.table]
        assert view.lowest.tolist() == least
        return np.ones((size, len(view.scores)), bool)

    pairs.best_response(rules, watching)
    assert totals == {*range(7)}
