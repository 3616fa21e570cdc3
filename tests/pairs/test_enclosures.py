"""Bounds of chances, against exact fractions and against the solver."""

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact, game, pairs
from cardgames_dp.pairs.rounds import solved_by_pairs

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
    solution = exact.solve(game.explore(pairs.game(rules)))
    for state in solution.values:
        if max(state.scores) >= rules.target:
            continue
        empty = not any(map(any, (state.hand, *state.others)))
        if empty and state.drawing == (rules.deal > 0):
            deck = held(rules, state.unseen) if rules.reshuffle != "round" else None
            bounds = certain.value_at(state.scores, deck=deck)
            order = state.player, 1 - state.player
            for seat, (lower, upper) in zip(order, bounds, strict=True):
                assert lower <= solution.payoffs_at(state)[seat] <= upper
                assert upper - lower < 1e-12


@pytest.mark.parametrize(
    "rules", ALL_RULES, ids=["round", "dealt", "exhausted", "lowest"]
)
def test_solved_chances_are_inside(rules: pairs.Rules) -> None:
    """And decisions are open where the solver has told a tie, and nowhere else."""
    certain, solution = pairs.enclosure(rules), pairs.solve(rules)
    starts = solved_by_pairs(solution).sweep.positions.layers[0].keys
    about = pairs.score_table(solution)
    leader, noise = about.table[starts, :, 0], 1e-15
    assert (certain.lower[starts] <= leader + noise).all()
    assert (certain.upper[starts] >= leader - noise).all()
    assert certain.width < 1e-13
    assert certain.undecided == about.ties
    scores = [(a, b) for a in range(rules.target) for b in range(rules.target)]
    rounds = [pairs.positions(solution, each) for each in scores]
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
