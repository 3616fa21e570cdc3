"""Decks far from the boundary: those that stop at once, and leaps over free levels."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from cardgames_dp import redblack
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels import limits, methods
from cardgames_dp.redblack._kernels.boundary import tops
from cardgames_dp.redblack._kernels.scaling import BLOCK, Band
from cardgames_dp.redblack._kernels.sweep import Sweep, leap, stops_at_once
from cardgames_dp.redblack.rules import Stakes

amounts = st.integers(1, 5)


@given(
    gain=amounts,
    cost=amounts,
    red=st.integers(1, 12),
    black=st.integers(500, 900),
)
def test_a_deck_that_is_said_to_stop_at_once_does(
    gain: int, cost: int, red: int, black: int
) -> None:
    stakes = Stakes.of(Rules(win=gain, lose=cost))
    assume(stops_at_once(stakes, red, black))
    sweep = Sweep(stakes, red, black, exact=True)
    assert methods.best_reward(sweep) == stakes.reward(red + black, red)


@pytest.mark.parametrize(
    ("cards", "deviations", "known"),
    [
        (10**4, 9, False),
        (10**4, 11, True),
        (10**9, 11, False),
        (10**9, 17, True),
        (10**40, 20, False),
        (10**40, 35, True),
        (10**40, -35, False),
    ],
)
def test_how_far_up_decks_are_known_to_stop_at_once(
    cards: int, deviations: int, known: bool
) -> None:
    """Deviations are halves of a card's spread times the root of the cards."""
    red = (6 * cards - 5 * deviations * math.isqrt(cards)) // 10
    assert stops_at_once(Stakes(2, 3, Fraction(1)), red, cards - red) == known


def test_small_decks_are_not_told() -> None:
    assert not stops_at_once(Stakes(1, 99, Fraction(1)), 1, 98)


@given(
    win=st.fractions(Fraction(1, 2), 4, max_denominator=9),
    red=st.integers(1, 60),
    black=st.integers(0, 240),
)
def test_leaps_agree_with_exact_sweeps(win: Fraction, red: int, black: int) -> None:
    """From any level above which the band is free: small decks have such, too."""
    stakes = Stakes.of(Rules(win=win))
    red, black = red + 200, black + 1
    sweep = Sweep(stakes, red, black, exact=False)
    assume(sweep.free_from < red + black)
    exact = methods.best_reward(Sweep(stakes, red, black, exact=True))
    for level in sweep.levels():
        if level.n == sweep.free_from:
            found = leap(level, sweep.tilt, red, black)
            assert abs(found - exact) <= sweep.error * exact + sweep.omitted


def test_a_leap_errs_by_some_roundings_only() -> None:
    rules = Rules(win=2)
    exact = redblack.value(700, 700, rules=rules, backend="exact")
    assert abs(redblack.value(700, 700, rules=rules) / exact - 1) < 4e-16


def test_leaps_of_tilted_decks() -> None:
    """From 30 red cards a black one on, cells need weights of the colours."""
    red, black, rules = 9000, 300, Rules(lose=20)
    sweep = Sweep(Stakes.of(rules), red, black, exact=False)
    assert sweep.tilt.roundings == 2
    assert sweep.free_from < red + black
    exact = redblack.value(red, black, rules=rules, backend="exact")
    assert exact in redblack.enclosure(red, black, rules=rules)
    assert redblack.value(red, black, rules=rules) == pytest.approx(float(exact), 1e-15)


@given(
    gain=amounts,
    cost=amounts,
    red=st.integers(100, 3000),
    black=st.integers(100, 3000),
)
def test_once_free_a_band_stays_so(gain: int, cost: int, red: int, black: int) -> None:
    stakes = Stakes.of(Rules(win=gain, lose=cost))
    total, free = red + black, Sweep(stakes, red, black, exact=False).free_from
    for n in range(0, total, BLOCK):
        lowest, _ = Band(red, black).over(n, min(n + BLOCK, total))
        assert (stakes.reward(n, lowest) <= 0) == (n >= free)


def test_many_decks_by_leaps_or_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever is faster, with the same values but for rounding."""
    rules, sizes = Rules(win="1.5"), [3, 40, 700, 2000, 2001]
    single = [redblack.value(size, size, rules=rules) for size in sizes]
    for seconds in (0.0, 1.0):
        monkeypatch.setattr(limits, "leaping_pays", lambda *_, s=seconds: s == 0)
        many = redblack.value(sizes, sizes, rules=rules)
        np.testing.assert_allclose(many, single, rtol=1e-13)


def test_decks_beyond_any_sweep() -> None:
    """The last cards of so large a deck are as good as drawn with replacement."""
    stakes, n = Stakes(1, 1, Fraction(1)), 600
    sweep = Sweep(stakes, n, n, exact=True)
    level = next(level for level in sweep.levels() if level.n == n)
    limit = (
        sum(
            sweep.reward(level, r) * math.comb(n, r) * Fraction(2) ** r
            for r in range(n + 1)
        )
        / Fraction(3) ** n
    )
    far = redblack.enclosure(2 * 10**12, 10**12)
    assert far.lower - 10**12 <= limit + Fraction(1, 10**3)
    assert far.upper - 10**12 >= limit - Fraction(1, 10**3)
    assert far.digits == 15
    of_level = Sweep(stakes, 2 * 10**12, 10**12, exact=False)
    last = next(x for x in of_level.levels() if x.n == of_level.free_from)
    found = leap(last, of_level.tilt, 2 * 10**12, 10**12)
    assert float(found) == pytest.approx(float(limit), abs=1e-9)


def test_boundaries_end_where_the_deck_cannot_reach_them() -> None:
    """They were decided in floats up to where the band is free; integers go on."""
    rules = Rules(win=2)
    free = Sweep(Stakes.of(rules), 400, 400, exact=False).free_from
    assert free < 800
    found = tops(rules, 400, 400, exact=False)
    np.testing.assert_array_equal(
        found[: free + 1], tops(rules, 400, 400, exact=True)[: free + 1]
    )
    assert (found[free:] == found[free]).all()
