"""What a policy does in one position, against what games of it are made of."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from cardgames_dp import pairs
from cardgames_dp.pairs.players import decider, policy_name
from cardgames_dp.pairs.policies import NAMES

from .counted import win_rate

RULES = pairs.Rules(deck=4, target=4)


def holding(counts: Any, ranks: tuple[int, ...]) -> dict[int, int]:
    return dict(zip(ranks, np.asarray(counts).tolist(), strict=True))


def asked(rules: pairs.Rules, policy: Any, view: pairs.View) -> list[list[bool]]:
    """Return where a policy hits, by `decision` about one position after the other."""
    return [
        [
            pairs.decision(
                policy,
                hand=holding(view.hand[i], rules.ranks),
                others=[holding(other, rules.ranks) for other in view.others[i]],
                scores=scores,
                deck=holding(view.unseen[i], rules.ranks),
                rules=rules,
            )
            == "hit"
            for scores in view.scores.tolist()
        ]
        for i in range(len(view.hand))
    ]


@pytest.mark.parametrize(
    "policy",
    [
        *(name for name in NAMES if name != "optimal"),
        pairs.HitBelow(0.3),
        pairs.FoldUpTo(2),
        lambda view: view.lowest[:, None] + view.scores[:, 0] >= view.rules.target,
    ],
    ids=policy_name,
)
@pytest.mark.parametrize(
    "rules",
    [
        RULES,
        pairs.Rules(deck=3, target=4, reshuffle="exhausted"),
        dataclasses.replace(RULES, deal=1, burn=1, target=2),
    ],
    ids=["round", "exhausted", "dealt"],
)
def test_decision_is_what_games_are_played_by(rules: pairs.Rules, policy: Any) -> None:
    """In the positions about which `win_rate` asks, where there is a choice."""
    decide = decider("policy", policy)
    assert decide is not None
    met: list[int] = []

    def looked_at(view: pairs.View) -> Any:
        said: Any = decide(view)
        if view.table.any() and len(met) < 12:
            some = slice(None, None, max(1, len(view.hand) // 6))
            few = view._replace(
                hand=view.hand[some],
                others=view.others[some],
                unseen=view.unseen[some],
                scores=view.scores[:3],
            )
            can_hit = few.unseen.sum(axis=1) > rules.burn
            said_of_few: Any = decide(few)
            hits = said_of_few.reshape(len(few.hand), -1) & can_hit[:, None]
            hits = np.broadcast_to(hits, (len(few.hand), len(few.scores)))
            enough = few.table.sum(axis=1) >= 2 * rules.deal
            keep = few._replace(
                hand=few.hand[enough], others=few.others[enough],
                unseen=few.unseen[enough],
            )  # fmt: skip
            assert asked(rules, policy, keep) == hits[enough].tolist()
            met.append(int(enough.sum()))
        return said

    win_rate(rules, looked_at, "fifty_percent")
    assert sum(met) > 10


def test_decision_of_a_best_response_is_that_of_its_rounds() -> None:
    rules = pairs.Rules(deck=3, target=5)
    response = pairs.best_response(rules, "fifty_percent")
    table = response.round([0, 2])._columns()[1]
    for hand, others, action in zip(
        table["hand"], table["others"], table["action"], strict=True
    ):
        if len(hand) != len(others[0]):
            continue  # the other is to move
        position: dict[str, Any] = {
            "hand": hand,
            "others": others,
            "scores": [0, 2],
            "rules": rules,
        }
        assert pairs.decision(response.policy, **position) == action


def test_decision_where_one_action_is_allowed() -> None:
    rules = pairs.Rules(players=3, deck=2, target=3, burn=1)
    nobody: dict[str, Any] = {"scores": [0, 0, 0], "rules": rules}
    empty: dict[str, Any] = {"hand": [], "others": [[], []]}
    assert pairs.decision("never_hit", **empty, **nobody) == "hit"
    none_left: dict[str, Any] = {"hand": [], "others": [[1], [2]]}
    assert pairs.decision("always_hit", **none_left, **nobody) == "fold"


def test_decision_in_the_published_game() -> None:
    position: dict[str, Any] = {"hand": [5], "others": [9], "scores": [0, 0]}
    assert pairs.decision("never_hit", **position) == "fold"
    # 4 of 53 cards make a pair: it costs 20/53 on average, a fold 5.
    assert pairs.decision("expected_points", **position) == "hit"
    assert pairs.decision(pairs.HitBelow(4 / 53), **position) == "fold"
    assert pairs.decision(pairs.HitBelow(4.01 / 53), **position) == "hit"


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"policy": "optimal"},
            ValueError,
            r"^policy must not be 'optimal', .* use solve\(rules\)\.advice\(\.\.\.\)$",
        ),
        ({"policy": "bold"}, ValueError, "^policy must be one of 'optimal', "),
        ({"policy": 3}, TypeError, "^policy must be one of .*, got 3$"),
        (
            {"policy": lambda view: True},
            ValueError,
            r"^policy must return an array of bool of shape \(1,\) or \(1, 1\), got ",
        ),
        ({"scores": [0]}, ValueError, "^scores must hold an integer from 0 to 30 "),
        ({"hand": [1, 2]}, ValueError, "or one more; got 2 in hand and 1 in others"),
        ({"hand": [11]}, ValueError, "^hand must hold ranks of the deck"),
        ({"deck": [4]}, ValueError, "all of them, with reshuffle='round', got"),
        ({"rules": 2}, TypeError, r"^rules must be pairs\.Rules or None, got 2"),
    ],
)
def test_what_decision_refuses(
    change: dict[str, Any], error: type[Exception], message: str
) -> None:
    question = {"policy": "never_hit", "hand": [5], "others": [9], "scores": [0, 0]}
    with pytest.raises(error, match=message):
        pairs.decision(**(question | change))
