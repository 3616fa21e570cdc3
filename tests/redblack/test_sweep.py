"""The one-boundary sweep: its bounds, boundary, leaps, reach and numbers."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from cardgames_dp import redblack
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels import methods, scaling
from cardgames_dp.redblack._kernels.scaling import BLOCK, Band, Scaled, Tilt
from cardgames_dp.redblack._kernels.sweep import (
    Sweep,
    about_levels,
    stops_at_once,
    tops,
    total_from_level,
    window,
)
from cardgames_dp.redblack.rules import Problem, Stakes

KERNELS = "cardgames_dp.redblack._kernels"


@pytest.mark.parametrize(
    ("red", "black"), [(300, 300), (550, 50), (50, 550), (400, 200), (599, 1)]
)
def test_band_holds_its_promise(red: int, black: int) -> None:
    """Each tail that it leaves out has a chance of at most 2**-64 / N."""
    band, total, left_out = Band(red, black), red + black, 0
    for n in range(1, total, 7):
        lowest, highest = band.over(n, n)
        counts = [
            math.comb(red, r) * math.comb(black, n - r) for r in range(min(n, red) + 1)
        ]
        for tail in (counts[: max(lowest, 0)], counts[max(highest + 1, 0) :]):
            assert (total << 64) * sum(tail) <= math.comb(total, n)
            left_out += any(tail)
    if min(red, black) > 100:
        assert left_out > 20  # it is a band, not everything


@pytest.mark.parametrize(
    ("red", "black"), [(300, 300), (9000, 1000), (10, 9990), (10**7, 10**7 + 5)]
)
def test_the_reach_is_the_least_of_two_bounds(red: int, black: int) -> None:
    """Serfling's or Bernstein's bound of a deviation of x(n) is the tail, no less."""
    band, total = Band(red, black), red + black
    nearer = set()
    for n in range(1, total, total // 97):
        x = band.reach(n)
        serfling = 2 * x * x * total / ((total - n) * (n + 1))
        variance = min(n, total - n) * red * black / total**2
        bernstein = x * x / (2 * (variance + x / 3))
        tail = math.log(total * 2**64)  # all of them as -log of a chance
        assert max(serfling, bernstein) == pytest.approx(tail, rel=1e-9)
        nearer.add(serfling > bernstein)
    assert nearer == (
        {False, True} if max(red, black) > 2 * min(red, black) else {True}
    )


@given(
    deck=st.tuples(st.integers(1, 3000), st.integers(1, 3000)),
    n=st.integers(0, 6000),
    length=st.integers(0, 64),
)
def test_band_over_a_block_holds_every_level(
    deck: tuple[int, int], n: int, length: int
) -> None:
    band = Band(*deck)
    start = min(n, sum(deck))
    end = min(start + length, sum(deck))
    lowest, highest = band.over(start, end)
    for level in range(start, end + 1):
        low, high = band.over(level, level)
        assert lowest <= low
        assert high <= highest


@pytest.mark.parametrize("total", [2000, 20_000, 200_000])
def test_decks_are_tilted_before_their_cells_lie_too_far_apart(total: int) -> None:
    """Of the most uneven deck that is not, a window's cells span 200 in logarithm."""
    tilted, red = 0, total // 2
    while red - tilted > 1:
        middle = (tilted + red) // 2
        if Tilt.of(middle, total - middle) == Tilt():
            red = middle
        else:
            tilted = middle
    black = total - red
    widest = 0
    for n in range(0, total, BLOCK):
        end = min(n + BLOCK, total)
        lowest, highest = Band(red, black).over(n, end)
        inside = min(highest, red, end) - max(lowest, n - black, 0)
        widest = max(widest, inside)
    span = math.log(black / red) * widest
    assert span <= 200
    assert span >= 190 or total < 200_000  # small windows are cut by their deck
    assert Tilt.of(black, red) == Tilt() != Tilt.of(total - tilted, tilted)


@pytest.mark.parametrize("dtype", [np.float64, object])
def test_a_window_takes_the_cells_that_are_there(dtype: Any) -> None:
    """Those of r = 10, 11, 12, 13; what stands in the rim, r = 9, is no cell."""
    cells = np.array([99, 1, 2, 3, 4], dtype)
    there = {10: 1, 11: 2, 12: 3, 13: 4}
    for first in range(7, 16):
        for last in range(first, 16):
            result = window(cells, 9, first, last)
            expected = [0, *(there.get(r, 0) for r in range(first, last + 1))]
            assert result.tolist() == expected
            assert result.dtype == cells.dtype


@pytest.mark.parametrize("block", [7, 65, 500])
def test_how_often_bands_are_renewed_does_not_matter(
    monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    """Nor how many bits a tilt has: any number of either is right."""
    decks = [(600, 600), (3000, 40), (40, 900)]
    usual = [redblack.value(*deck, method="diagonal") for deck in decks]
    monkeypatch.setattr(f"{KERNELS}.sweep.BLOCK", block)
    monkeypatch.setattr(f"{KERNELS}.scaling.BLOCK", block)
    monkeypatch.setattr(f"{KERNELS}.scaling._TILT_BITS", 19)
    renewed = [redblack.value(*deck, method="diagonal") for deck in decks]
    assert renewed == pytest.approx(usual, rel=1e-12)


def test_the_bound_bounds_what_a_cut_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A band of three deviations loses much, and the enclosure knows how much."""
    monkeypatch.setattr(scaling, "TAIL_BITS", 2)
    monkeypatch.setattr(scaling.Band.__init__, "__defaults__", (2,))
    exact = redblack.value(2000, 2000, backend="exact")
    bounds = redblack.enclosure(2000, 2000, method="diagonal")
    assert exact in bounds
    assert bounds.width > 1
    assert redblack.value(2000, 2000, method="diagonal") < exact - Fraction(1, 10**4)
    assert bounds.lower < exact - Fraction(1, 10**9)


def test_single_precision_is_caught_by_the_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sums rounded to 24 bits leave the enclosure: it is not wide by accident."""
    add = np.add

    def coarse(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> np.ndarray:
        add(x.astype(np.float32), y.astype(np.float32), out=out)
        return out

    monkeypatch.setattr(f"{KERNELS}.sweep.np.add", coarse)
    wrong = redblack.enclosure(500, 500)
    monkeypatch.undo()
    assert redblack.value(500, 500, backend="exact") not in wrong


@pytest.mark.parametrize("tie", ["stop", "draw"])
@pytest.mark.parametrize(
    "rules", [Rules(), Rules(win=3, lose=2), Rules(win=0.3, lose=0.25)]
)
def test_thresholds_are_those_of_integers(rules: Rules, tie: Any) -> None:
    """Read off the exact boundary of a deck that is large enough."""
    rules = Rules(rules.win, rules.lose, tie=tie)
    result = redblack.thresholds(20, rules=rules)
    steps = result.n.tolist()
    top = tops(Problem(rules, 450, 450, exact=True))
    n = np.arange(901)
    for k in range(1, 21):
        stops = (n - 2 * top <= k) & ((n - k) % 2 == 0) & (n >= k)
        assert steps[k - 1] == n[stops & (n < 850)].max()
    assert result.exact_up_to == 20
    assert all(x < y for x, y in pairwise(steps))
    # Ties move the first threshold only.
    if rules == Rules(tie="draw"):
        assert steps == [1, *redblack.thresholds(20).n[1:].tolist()]


def test_what_float64_cannot_tell_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a larger error bound more is undecided: integers below, -1 above."""
    true = redblack.thresholds(60, method="diagonal").n.tolist()
    monkeypatch.setattr(f"{KERNELS}.sweep._START", 10**11)
    monkeypatch.setattr("cardgames_dp.redblack.boundaries._EXACT_EXCESS", 30)
    result = redblack.thresholds(60, method="diagonal")
    assert 30 <= result.exact_up_to < 60
    assert result.n[result.exact_up_to] == -1
    for k in range(1, 61):
        assert result.n[k - 1] == true[k - 1] or result.n[k - 1] == -1 < 30 < k


def test_what_is_left_out_could_bring_no_more_than_all_black_cards() -> None:
    """2 N tails of 2**-64 / N, each of which could bring the cost of every one."""
    sweep = Sweep.of(Problem(Rules(lose=3), 200, 300, exact=False))
    assert sweep.omitted == Fraction(3 * 300, 2**63)
    assert Sweep.of(Problem(Rules(lose=3), 200, 300, exact=True)).omitted == 0


@pytest.mark.parametrize(
    ("red", "black", "rules"),
    [
        (100, 100, Rules()),
        (120, 60, Rules(lose=2)),
        (150, 20, Rules(lose=Fraction(17, 3), tie="draw")),
        (40, 120, Rules(win=3)),
    ],
)
def test_close_decisions_leave_the_boundary_where_it_is(
    red: int, black: int, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the largest error that is allowed, some decisions are open for a level."""
    exactly = Sweep.of(Problem(rules, red, black, exact=True), tie=rules.tie)
    error = Fraction(1, 4 * (red + black))
    floats = Sweep.of(Problem(rules, red, black, exact=False), tie=rules.tie)
    tops = {level.n: level.top for level in exactly.levels()}
    expected = redblack.value(red, black, rules=rules, backend="exact")
    monkeypatch.setattr(Sweep, "error", error)
    result = redblack.value(red, black, rules=rules, method="diagonal")
    assert result == pytest.approx(float(expected), rel=1e-12)
    close = 0
    for level in floats.levels():
        if level.stop in (0, level.draw):  # nothing decided, or a tie
            continue
        assert level.top == tops[level.n]
        close += not level.rose and level.stop > (1 - 4 * error) * level.draw
    assert close > 3


# Decks far from the boundary: those that stop at once, and leaps over free levels.


@given(
    gain=st.integers(1, 5),
    cost=st.integers(1, 5),
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
        (99, 16, False),  # small decks are not told
    ],
)
def test_how_far_up_decks_are_known_to_stop_at_once(
    cards: int, deviations: int, known: bool
) -> None:
    """Deviations are halves of a card's spread times the root of the cards."""
    red = (6 * cards - 5 * deviations * math.isqrt(cards)) // 10
    assert stops_at_once(Stakes(2, 3, Fraction(1)), red, cards - red) == known


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
    assume(sweep.level_without_stops < red + black)
    exact = methods.best_reward(Sweep(stakes, red, black, exact=True))
    for level in sweep.levels():
        if level.n == sweep.level_without_stops:
            result = total_from_level(level, sweep.tilt, red, black)
            assert abs(result - exact) <= sweep.error * exact + sweep.omitted


def test_many_decks_by_leaps_or_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever is faster, with the same values but for rounding."""
    rules, sizes = Rules(win="1.5"), [3, 40, 700, 2000, 2001]
    single = [redblack.value(size, size, rules=rules) for size in sizes]
    for levels in (0, 10**9):
        monkeypatch.setattr(methods, "_LEAPED_LEVELS", levels)
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
    last = next(x for x in of_level.levels() if x.n == of_level.level_without_stops)
    result = total_from_level(last, of_level.tilt, 2 * 10**12, 10**12)
    assert float(result) == pytest.approx(float(limit), abs=1e-9)


def test_boundaries_end_where_the_deck_cannot_reach_them() -> None:
    """They were decided in floats up to where the band is free; integers go on."""
    rules = Rules(win=2)
    free = Sweep(Stakes.of(rules), 400, 400, exact=False).level_without_stops
    assert free < 800
    result = tops(Problem(rules, 400, 400, exact=False))
    np.testing.assert_array_equal(
        result[: free + 1], tops(Problem(rules, 400, 400, exact=True))[: free + 1]
    )
    assert (result[free:] == result[free]).all()


def test_a_sweep_ends_where_its_deck_stops() -> None:
    """Which is what makes a deck of few red cards cheap, whatever the black ones."""
    for rules in (
        Rules(),
        Rules(win=3, lose=2),
        Rules(lose=5),
        Rules(fee=Fraction(1, 3)),
    ):
        sweep = Sweep.of(Problem(rules, 40, 10**6, exact=True))
        passed = sum(1 for _ in sweep.levels())
        assert passed <= about_levels(rules, 40, 10**6) <= 3 * passed + 200


# Numbers of 192 bits, and what the roundings of float64 add up to.


@given(n=st.integers(0, 400), data=st.data())
def test_binomial(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    below = math.comb(n, k) - scaling.binomial(n, k).fraction()
    assert 0 <= below <= math.comb(n, k) * Fraction(min(k, n - k), 2**160)
    assert scaling.binomial(n, k, bits=None) == (math.comb(n, k), 0)


@given(
    number=st.builds(Scaled, st.integers(1, 2**300), st.integers(-50, 50)),
    k=st.integers(0, 300),
    top=st.integers(1, 10**6),
    bottom=st.integers(1, 99),
)
def test_what_operations_cut_off(number: Scaled, k: int, top: int, bottom: int) -> None:
    """At most some parts in the width of a mantissa, and never less than nothing."""
    part = Fraction(1, 2**scaling.MANTISSA_BITS)
    cut = number.normalised()
    assert cut.mantissa.bit_length() == scaling.MANTISSA_BITS
    assert 0 <= 1 - cut.fraction() / number.fraction() < 2 * part
    times = cut.times(top, bottom).fraction()
    assert 0 <= 1 - times / (cut.fraction() * top / bottom) < 4 * part
    whole = Scaled(number.mantissa * bottom, 0).times(top, bottom, bits=None)
    assert whole == Scaled(number.mantissa * top, 0)
    base = Scaled(number.mantissa % 2**20 + 1, number.exponent % 44 - 40)
    power = scaling.power(base, k).fraction()
    assert 0 <= 1 - power / base.fraction() ** k <= Fraction(k, 2**160)


@pytest.mark.parametrize("operations", [0, 1, 7, 10**6])
def test_relative_error_is_a_bound(operations: int) -> None:
    growth = (1 + Fraction(1, 2**53)) ** min(operations, 200) - 1
    assert growth <= scaling.relative_error(operations)
    assert scaling.relative_error(operations) <= 1.0001 * operations * 2.0**-53


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_a_deck_that_stops_at_the_end_of_a_block_is_worth_nothing(backend: Any) -> None:
    """And so are those with one red card less or more: blocks run on past the stop."""
    levels = Sweep.of(Problem(Rules(), BLOCK, BLOCK, exact=True)).levels()
    top = next(level.top for level in levels if level.n == BLOCK)
    for red in (top - 1, top, top + 1):
        assert redblack.value(red, 2 * red, backend=backend) == 0
