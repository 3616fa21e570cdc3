"""What policies give away, against any game's own account, state by state."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import pairs, play

from . import oracles
from .counted import win_rate
from .strategies import small_rules

RULES = pairs.Rules(players=3, deck=4, target=6)
THUMBS = ["expected_points", "fifty_percent", "never_hit", "always_hit"]


@pytest.mark.slow
@given(
    small_rules(), st.sampled_from(THUMBS), st.sampled_from([None, "optimal", *THUMBS])
)
def test_as_any_game(rules: pairs.Rules, name: Any, against: Any) -> None:
    """A player in each seat in turn; the mean of what they give away."""
    game = rules.game()

    def as_policy(thumb: oracles.Play) -> Any:
        def policy(state: pairs.State) -> Any:
            actions = game.legal_actions(state)
            if len(actions) == 1:
                return actions[0]
            return "hit" if thumb(rules, state) else "fold"

        return policy

    own = others = as_policy(oracles.PLAYS[name])
    if against == "optimal":
        others = as_policy(oracles.optimal(rules))
    elif against is not None:
        others = as_policy(oracles.PLAYS[against])
    found = pairs.regret(rules, name, against, most=10**6)
    by_seat = []
    for seat in range(rules.players):
        profile = [others] * rules.players
        profile[seat] = own
        by_seat.append(play.regret(game, profile, seat))
    losses = [regret.loss for regret in by_seat]
    assert found.loss_by_seat == pytest.approx(losses, abs=1e-12)
    assert found.loss == pytest.approx(np.mean(losses), abs=1e-12)
    mistakes = [regret.reach[regret.given_up > 1e-12].sum() for regret in by_seat]
    assert found.mistakes == pytest.approx(np.mean(mistakes), abs=1e-12)
    # A position on the table is a state for each player who may be to move in it.
    states: dict[Any, float] = {}
    for seat, regret in enumerate(by_seat):
        for state, cost in zip(regret.states, regret.cost, strict=True):
            turned = [
                np.roll(each, -seat, axis=0) for each in (state.hands, state.scores)
            ]
            key = (*(each.tobytes() for each in turned), state.unseen)
            states[key] = states.get(key, 0.0) + cost / rules.players
    dearest = sorted(states.values(), reverse=True)[: len(found.dearest)]
    assert [each.cost for each in found.dearest] == pytest.approx(dearest, abs=1e-12)
    total = sum(each.cost for each in found.dearest)
    assert total == pytest.approx(found.loss, abs=1e-12)


@pytest.mark.parametrize("name", THUMBS)
@pytest.mark.parametrize(
    "rules",
    [
        RULES,
        pairs.Rules(deck=4, target=8),
        pairs.Rules(deck=3, target=5, reshuffle="exhausted"),
        pairs.Rules(players=3, deck=4, target=4, deal=1, first="lowest"),
    ],
    ids=["three", "two", "exhausted", "lowest"],
)
def test_what_the_best_response_gains(rules: pairs.Rules, name: Any) -> None:
    gain = pairs.best_response(rules, name).mean - (1 - 1 / rules.players)
    found = pairs.regret(rules, name)
    assert found.loss == pytest.approx(gain, abs=1e-14)
    assert found.mistakes <= pairs.evaluate(rules, name).choices


@pytest.mark.parametrize("against", ["optimal", "always_hit", pairs.FoldUpTo(2)])
@pytest.mark.parametrize(
    "rules",
    [
        RULES,
        pairs.Rules(players=3, deck=4, target=4, deal=1, first="lowest"),
        pairs.Rules(deck=3, target=5, reshuffle="exhausted"),
    ],
    ids=["three", "lowest", "exhausted"],
)
def test_against_others(rules: pairs.Rules, against: Any) -> None:
    """All positions' costs add up to what the best response wins more often."""
    found = pairs.regret(rules, "fifty_percent", against, most=10**6)
    response = pairs.best_response(rules, against)
    rate = win_rate(rules, "fifty_percent", against)
    by_seat = np.subtract(response.values, rate.values)
    assert found.loss_by_seat == pytest.approx(by_seat, abs=1e-13)
    lost = response.mean - rate.mean
    assert found.loss == pytest.approx(lost, abs=1e-13)
    assert sum(each.cost for each in found.dearest) == pytest.approx(lost, abs=1e-13)
    assert found.against == getattr(against, "__name__", str(against))
    few = pairs.regret(rules, "fifty_percent", against, most=3)
    assert few.dearest == found.dearest[:3]
    assert few.loss_by_kind == found.loss_by_kind


def test_losses_by_seat_and_their_mean_are_told_apart() -> None:
    """What four players lose who fold above 1/5, as an independent recursion has it."""
    rules = pairs.Rules(players=4, deck=4, target=3)
    careful = pairs.HitBelow("1/5", or_equal=True)
    found = pairs.regret(rules, careful, "optimal")
    assert found.loss_by_seat[0] == pytest.approx(0.18829, abs=5e-6)
    assert found.loss == pytest.approx(0.15575, abs=5e-6)
    assert found.loss == pytest.approx(np.mean(found.loss_by_seat), abs=1e-14)
    seats = "0.188291, 0.152592, 0.153117, 0.128992"
    assert f"loss=0.155748, loss_by_seat=({seats}), " in repr(found)
    *_, means, by_kind, by_seat = str(found).splitlines()
    assert means == "(means over seats: 0.485924 mistakes a game; loss 0.155748)"
    assert by_kind.startswith("(loss by kind: empty_table ")
    assert by_seat == f"(loss by seat: {seats})"
    for note in (means, by_kind, by_seat):
        assert note.strip("()") in str(found._repr_html_())


def test_most_is_a_number_of_positions() -> None:
    assert pairs.regret(RULES, "fifty_percent", most=0).dearest == ()
    with pytest.raises(ValueError, match="most must be an integer >= 0, got -1"):
        pairs.regret(RULES, "fifty_percent", most=-1)


@pytest.mark.parametrize("by", ["word", "solution", "response"])
def test_who_plays_optimally_regrets_nothing(by: str) -> None:
    policy: Any = {
        "word": "optimal",
        "solution": pairs.solve(RULES),
        "response": pairs.best_response(RULES, "optimal"),
    }[by]
    found = pairs.regret(RULES, policy)
    assert (found.loss, found.mistakes, found.dearest) == (0, 0, ())
    assert found.loss_by_seat == (0, 0, 0)


def test_the_dearest_mistake() -> None:
    """What is given up, and what would be better, is what advice says."""
    rules = pairs.Rules(deck=4, target=8)
    response = pairs.best_response(rules, "fifty_percent")
    found = pairs.regret(rules, "fifty_percent")
    assert len(found.dearest) == 10
    costs = [each.cost for each in found.dearest]
    assert costs == sorted(costs, reverse=True)
    for each in found.dearest:
        advice = response.advice(hand=each.hand, others=each.others, scores=each.scores)
        assert {each.taken, advice.action} == {"hit", "fold"}
        assert each.given_up == pytest.approx(advice.margin, abs=1e-14)
        assert each.cost == each.reach * each.given_up
        thumb = pairs.decision(
            "fifty_percent",
            hand=each.hand,
            others=each.others,
            scores=each.scores,
            rules=rules,
        )
        assert thumb == each.taken


def test_words_and_tables() -> None:
    found = pairs.regret(RULES, "fifty_percent")
    assert found.policy == "fifty_percent"
    kinds = found.by_kind
    assert tuple(kinds) == ("empty_table", "empty_hand", "safe", "risk")
    assert kinds["empty_table"] == (0.0, 0.0)
    assert sum(loss for _, loss in kinds.values()) == found.loss
    assert found.mistakes == pytest.approx(sum(count for count, _ in kinds.values()))
    lines = str(found).splitlines()
    assert lines[0].split() == [
        "hand",
        "others",
        "scores",
        "taken",
        "reach",
        "given",
        "up",
        "cost",
    ]
    assert len(lines) == 14
    parts = [f"{kind} {loss:.6g}" for kind, (_, loss) in found.by_kind.items()]
    assert lines[-3].endswith(f"loss {found.loss:.6g})")
    assert lines[-2] == f"(loss by kind: {', '.join(parts)})"
    plain = found.to_dict(json=True)
    assert plain["dearest"][0]["hand"] == list(found.dearest[0].hand)
    assert plain["loss"] == found.loss
    frame = found.to_pandas()
    assert frame["cost"].tolist() == [each.cost for each in found.dearest]
    assert str(found._repr_html_()).count("<tr>") == 11
