"""Bounds of chances, against exact fractions and against the solver."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact, pairs
from cardgames_dp.pairs.solution import sweep_of

from .strategies import small_rules
from .test_solutions import held

RULES = pairs.Rules(deck=4, target=6)
ALL_RULES = [
    RULES,
    pairs.Rules(deck=4, target=6, burn=2, deal=1),
    pairs.Rules(deck=3, target=4, reshuffle="exhausted"),
    pairs.Rules(deck=4, target=5, deal=1, first="lowest"),
]


@pytest.mark.slow
@given(
    small_rules(players=st.just(2), reshuffle=st.sampled_from(["round", "exhausted"]))
)
def test_exact_chances_are_inside(rules: pairs.Rules) -> None:
    """At the starts of all rounds."""
    certain = pairs.enclosure(rules)
    solution = exact.solve(rules.game(), max_states=200_000)

    def known(state: pairs.State) -> dict[str, Any]:
        order = [state.player, 1 - state.player]
        deck = held(rules, state.unseen) if rules.reshuffle != "round" else None
        return {"scores": [state.scores[i] for i in order], "deck": deck}

    for state in solution.values:
        if max(state.scores) >= rules.target:
            continue
        if not any(map(any, state.hands)) and state.drawing == (rules.deal > 0):
            bounds = certain.value_at(**known(state))
            for seat, (lower, upper) in zip(
                (state.player, 1 - state.player), bounds, strict=True
            ):
                assert lower <= solution.payoffs_at(state)[seat] <= upper
                assert upper - lower < 1e-12


@pytest.mark.parametrize(
    "rules", ALL_RULES, ids=["round", "dealt", "exhausted", "lowest"]
)
def test_solved_chances_are_inside(rules: pairs.Rules) -> None:
    """And decisions are open where the solver has told a tie, and nowhere else."""
    certain, solution = pairs.enclosure(rules), pairs.solve(rules)
    starts = sweep_of(solution).positions.layers[0].keys
    leader, noise = solution.table[starts, :, 0], 1e-15
    assert (certain.lower[starts] <= leader + noise).all()
    assert (certain.upper[starts] >= leader - noise).all()
    assert certain.width < 1e-13
    assert certain.undecided == solution.ties
    scores = [(a, b) for a in range(rules.target) for b in range(rules.target)]
    rounds = map(solution.round, scores)
    assert certain.choices == sum((x.can_hit & x.can_fold).sum() for x in rounds)
    assert certain.largest_doubt < 1e-13
    (lower, upper), (below, above) = certain.payoffs
    assert lower + above == pytest.approx(1, abs=1e-15)
    assert upper + below == pytest.approx(1, abs=1e-15)
    assert certain.payoffs == certain.value_at([0, 0])
    assert certain.value == certain.payoffs[0]


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
