"""Exact values by two halves of the deck are those of one sweep."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels import methods
from cardgames_dp.redblack._kernels.sweep import Sweep

RULES = [
    Rules(),
    Rules(win=2),
    Rules(lose=2),
    Rules(win=3, lose=2),
    Rules(win=Fraction(1, 3), lose=Fraction(2, 7)),
    Rules(fee=0.125),
]


@pytest.fixture
def always_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods, "_FEWEST_TO_HALVE", 2)


def by_one_sweep(sweep: Sweep) -> Fraction:
    """Read the full deck off the last level, or off the rules where the deck stops."""
    for level in sweep.levels():
        if level.top >= sweep.red:
            return Fraction(sweep.stakes.reward(sweep.red + sweep.black, sweep.red))
    number = level.cells.item(sweep.red - level.base)
    return Fraction(number, math.comb(sweep.red + sweep.black, sweep.red))


@pytest.mark.usefixtures("always_halves")
@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_halves_equal_one_sweep_on_small_decks(rules: Rules) -> None:
    for red in range(1, 14):
        for black in range(1, 14):
            sweep = Sweep.of(rules, red, black, exact=True)
            assert methods.best_reward(sweep) == by_one_sweep(sweep), (red, black)


@pytest.mark.parametrize("rules", RULES[:4], ids=repr)
@given(red=st.integers(20, 120), black=st.integers(20, 120))
def test_halves_equal_one_sweep(rules: Rules, red: int, black: int) -> None:
    sweep = Sweep.of(rules, red, black, exact=True)
    met = methods._meeting_halfway(sweep)
    assert met is None or met == by_one_sweep(sweep)


@pytest.mark.slow
def test_the_default_meets_halfway_where_it_is_sure_to_pay() -> None:
    deck = methods._FEWEST_TO_HALVE // 2
    sweep = Sweep.of(Rules(), deck, deck, exact=True)
    met = methods._meeting_halfway(sweep)
    assert met is not None
    assert met == by_one_sweep(sweep) == methods.best_reward(sweep)


def test_it_declines_where_play_to_the_end_beats_stopping() -> None:
    """There the float64 boundary is not followed as far as the deck can reach."""
    assert methods._meeting_halfway(Sweep.of(Rules(), 30, 20, exact=True)) is None


@pytest.mark.usefixtures("always_halves")
def test_an_uncertain_decision_above_the_middle_is_left_to_the_integers() -> None:
    """1 red and 2 black, the tie, is above the middle of 2 + 2 cards."""
    sweep = Sweep.of(Rules(), 2, 2, exact=True)
    assert methods._meeting_halfway(sweep) is None
    assert methods.best_reward(sweep) == Fraction(2, 3)
