"""Bounds of chances, against exact fractions and against the solver."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact, pairs
from cardgames_dp.pairs.advice import sweep_of

from .strategies import small_rules

RULES = pairs.Rules(deck=4, target=10)
ALL_RULES = [
    RULES,
    pairs.Rules(deck=4, target=8, burn=2, deal=1),
    pairs.Rules(deck=3, target=5, reshuffle="exhausted"),
    pairs.Rules(deck=4, target=6, deal=1, first="lowest"),
]
IDS = ["round", "dealt", "exhausted", "lowest"]


def whole(counts: Any, rules: pairs.Rules) -> dict[int, int]:
    """Return cards by rank."""
    return {r: c for r, c in zip(rules.ranks, counts, strict=True) if c}


@pytest.mark.slow
@given(
    small_rules(players=st.just(2), reshuffle=st.sampled_from(["round", "exhausted"])),
    st.randoms(use_true_random=False),
)
def test_exact_chances_are_inside(rules: pairs.Rules, luck: Any) -> None:
    """At the starts of all rounds, and after either action in some positions."""
    certain = pairs.enclosure(rules)
    game = rules.game()
    solution = exact.solve(game, max_states=200_000)
    remembers = rules.reshuffle != "round"
    decisions = []
    for state, values in solution.values.items():
        if max(state.scores) >= rules.target:
            continue
        if any(map(any, state.hands)):
            if not state.drawing and game.current_player(state) >= 0:
                decisions.append(state)
            continue
        if state.drawing != (rules.deal > 0):
            continue
        order = [state.player, 1 - state.player]
        deck = whole(state.unseen, rules) if remembers else None
        bounds = certain.value_at([state.scores[i] for i in order], deck=deck)
        for seat, (lower, upper) in zip(order, bounds, strict=True):
            assert lower <= values[seat] <= upper
            assert upper - lower < 1e-12
    for state in luck.sample(decisions, min(20, len(decisions))):
        _require_inside(rules, solution, certain, state)


def _require_inside(
    rules: pairs.Rules, solution: Any, certain: pairs.Enclosure, state: pairs.State
) -> None:
    """Look at both actions of a position."""
    mover = state.player
    deck = whole(state.unseen, rules) if rules.reshuffle != "round" else None
    found = certain.chances(
        hand=whole(state.hands[mover], rules),
        others=[whole(state.hands[1 - mover], rules)],
        scores=[state.scores[mover], state.scores[1 - mover]],
        deck=deck,
    )
    game = rules.game()
    actions = game.legal_actions(state)
    assert [found.hit is not None, found.fold is not None] == [
        action in actions for action in ("hit", "fold")
    ]
    for action in actions:
        bounds = found.hit if action == "hit" else found.fold
        assert bounds is not None
        value = solution.values[game.next_state(state, action)][mover]
        assert bounds.lower <= value <= bounds.upper
    assert solution.policy[state] in found.best


@pytest.mark.parametrize("rules", ALL_RULES, ids=IDS)
def test_solved_chances_are_inside(rules: pairs.Rules) -> None:
    """And decisions are open where the solver has told a tie, and nowhere else."""
    certain, solution = pairs.enclosure(rules), pairs.solve(rules)
    starts = sweep_of(solution).positions.layers[0].keys
    leader = solution.table[starts, :, 0]
    noise = 1e-15
    assert (certain.lower[starts] <= leader + noise).all()
    assert (certain.upper[starts] >= leader - noise).all()
    assert certain.width < 1e-13
    assert certain.undecided == solution.ties
    assert certain.choices == sum(
        round_.choice.sum()
        for own in range(rules.target)
        for other in range(rules.target)
        for round_ in [solution.round([own, other])]
    )
    assert certain.largest_doubt < 1e-13


def test_wider_where_rounding_is_coarser(monkeypatch: pytest.MonkeyPatch) -> None:
    """The widths come from the rounding that is allowed for, in proportion."""
    from cardgames_dp.pairs import enclosures

    fine = pairs.enclosure(RULES)
    monkeypatch.setattr(enclosures, "_UNIT", 2.0**-43)
    coarse = pairs.enclosure(RULES)
    assert (coarse.lower <= fine.lower).all()
    assert (coarse.upper >= fine.upper).all()
    assert 900 < coarse.width / fine.width < 1100
    assert coarse.undecided >= fine.undecided


def test_chances_of_both_add_up_to_one() -> None:
    certain = pairs.enclosure(RULES)
    (lower, upper), (below, above) = certain.value
    assert lower + above == pytest.approx(1, abs=1e-15)
    assert upper + below == pytest.approx(1, abs=1e-15)
    assert certain.value == certain.value_at([0, 0])
    assert np.array_equal(certain.lower[-1, :1], [lower])


def test_a_position_as_advice_has_it() -> None:
    certain, solution = pairs.enclosure(RULES), pairs.solve(RULES)
    position: Any = {"hand": [2, 3], "others": [4, 1], "scores": [3, 5]}
    found, advice = certain.chances(**position), solution.advice(**position)
    assert found.best == (advice.action,)
    assert found.hit is not None
    assert found.fold is not None
    assert advice.hit is not None
    assert advice.fold is not None
    assert found.hit.lower <= advice.hit <= found.hit.upper
    assert found.fold.lower <= advice.fold <= found.fold.upper
    first = certain.chances(hand=[], others=[], scores=[0, 0])
    assert first.best == ("hit",)
    assert first.fold is None


def test_refusals() -> None:
    with pytest.raises(ValueError, match="rules must be for two players"):
        pairs.enclosure(pairs.Rules(players=3))
    with pytest.raises(ValueError, match="must not have reshuffle='essay'"):
        pairs.enclosure(pairs.Rules(reshuffle="essay"))
    certain = pairs.enclosure(pairs.Rules(deck={1: 1, 2: 2}, target=2))
    with pytest.raises(ValueError, match="scores must hold an integer"):
        certain.value_at([2, 0])
    with pytest.raises(ValueError, match="others must hold as many cards"):
        certain.chances(hand=[], others=[1, 2], scores=[0, 0])


def test_words_and_tables() -> None:
    certain = pairs.enclosure(RULES)
    assert repr(certain).startswith("Enclosure(value=(0.465514, 0.465514), width=")
    assert f"undecided={certain.undecided}" in repr(certain)
    plain = certain.to_dict(json=True)
    assert plain["value"][0] == list(certain.value[0])
    frame = certain.to_pandas()
    assert len(frame) == 100
    row = frame[(frame["score_0"] == 3) & (frame["score_1"] == 5)].iloc[0]
    assert (row["win_lower"], row["win_upper"]) == certain.value_at([3, 5])[0]
    assert str(certain._repr_html_()).count("<tr>") == 11
