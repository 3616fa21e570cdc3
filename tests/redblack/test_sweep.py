"""The one-boundary sweep: its bounds, its boundary, its thresholds, its reach."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import redblack
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels.boundary import tops
from cardgames_dp.redblack._kernels.scaling import BLOCK, Band, Scaled, Tilt
from cardgames_dp.redblack._kernels.sweep import Sweep, window
from cardgames_dp.redblack.rules import Stakes


@pytest.mark.parametrize(
    ("rules", "gain", "cost", "unit"),
    [
        (Rules(), 1, 1, Fraction(1)),
        (Rules(win=0.1, lose=0.1), 1, 1, Fraction(0.1)),
        (Rules(win=Fraction(2, 3), lose=Fraction(1, 2)), 4, 3, Fraction(1, 6)),
        (Rules(win=3, lose=1, fee=1), 1, 1, Fraction(2)),
        (Rules(win=5, lose=0), 1, 0, Fraction(5)),
    ],
)
def test_stakes_are_coprime(rules: Rules, gain: int, cost: int, unit: Fraction) -> None:
    assert Stakes.of(rules) == Stakes(gain, cost, unit)


def hypergeometric_tails(
    red: int, black: int, n: int, lowest: int, highest: int
) -> tuple[Fraction, Fraction]:
    """Return the exact chances that r is below and above with n cards remaining."""
    total = red + black
    ways = math.comb(total, n)
    chances = [
        Fraction(math.comb(red, r) * math.comb(black, n - r), ways)
        for r in range(min(n, red) + 1)
    ]
    below = sum(chances[: max(lowest, 0)], Fraction(0))
    return below, sum(chances[max(highest + 1, 0) :], Fraction(0))


@pytest.mark.parametrize(
    ("red", "black"), [(300, 300), (550, 50), (50, 550), (400, 200), (599, 1)]
)
def test_band_holds_its_promise(red: int, black: int) -> None:
    """Each tail that it leaves out has a chance of at most 2**-64 / N."""
    band, promise = Band(red, black), Fraction(1, (red + black) << 64)
    left_out = 0
    for n in range(1, red + black, 7):
        lowest, highest = band.over(n, n)
        below, above = hypergeometric_tails(red, black, n, lowest, highest)
        assert below <= promise
        assert above <= promise
        left_out += (below > 0) + (above > 0)
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


def test_a_tilted_cell_is_rounded_twice_at_each_level() -> None:
    assert Tilt.of(1000, 1000).roundings == 1
    assert Tilt.of(30_000, 300).roundings == Tilt.of(300, 30_000).roundings == 2


@pytest.mark.parametrize("first", range(7, 16))
@pytest.mark.parametrize("last", range(7, 16))
@pytest.mark.parametrize("dtype", [np.float64, object])
def test_awindow_takes_the_cells_that_are_there(
    first: int, last: int, dtype: Any
) -> None:
    """Those of r = 10, 11, 12, 13; what stands in the rim, r = 9, is no cell."""
    cells = np.array([99, 1, 2, 3, 4], dtype)
    if first > last:
        return
    there = {10: 1, 11: 2, 12: 3, 13: 4}
    wanted = [0, *(there.get(r, 0) for r in range(first, last + 1))]
    found = window(cells, 9, first, last)
    assert found.tolist() == wanted
    assert found.dtype == cells.dtype


@pytest.mark.parametrize("block", [7, 65, 500])
def test_how_often_bands_are_renewed_does_not_matter(
    monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    """Nor how many bits a tilt has: any number of either is right."""
    decks = [(600, 600), (3000, 40), (40, 900)]
    usual = [redblack.value(*deck, method="diagonal") for deck in decks]
    monkeypatch.setattr("cardgames_dp.redblack._kernels.sweep.BLOCK", block)
    monkeypatch.setattr("cardgames_dp.redblack._kernels.scaling.BLOCK", block)
    monkeypatch.setattr("cardgames_dp.redblack._kernels.scaling._TILT_BITS", 19)
    renewed = [redblack.value(*deck, method="diagonal") for deck in decks]
    assert renewed == pytest.approx(usual, rel=1e-12)


def test_tilt_leans_towards_the_deck() -> None:
    """Weights of the colours are in the ratio of the deck, so its cells weigh alike."""
    assert Tilt.of(1000, 1000) == Tilt()
    more_red, more_black = Tilt.of(30_000, 300), Tilt.of(300, 30_000)
    assert more_red.red == 1
    assert math.ldexp(more_red.black, -more_red.black_shift) == pytest.approx(
        0.01, rel=2**-14
    )
    assert (more_red.black, more_red.black_shift) == (
        more_black.red,
        more_black.red_shift,
    )
    weight = more_red.weight(7, 5).fraction()
    assert weight == Fraction(more_red.black, 2**more_red.black_shift) ** 5


@pytest.mark.parametrize(
    ("red", "black", "win"),
    [
        (2000, 200, 1),
        (200, 2000, 12),
        (5000, 30, 1),
        (30, 5000, 300),
        (1500, 500, 1),
        (900, 1000, 1),
    ],
)
def test_tilted_sweeps(red: int, black: int, win: int) -> None:
    """Cells of such decks differ by more than a float's range without a tilt."""
    rules = Rules(win=win)
    exact = redblack.value(red, black, rules=rules, backend="exact")
    assert exact in redblack.enclosure(red, black, rules=rules)
    # What play adds to drawing everything is where the digits are lost first.
    extra = exact - max(win * red - black, 0)
    found = Fraction(redblack.value(red, black, rules=rules)) - max(
        win * red - black, 0
    )
    assert abs(found - extra) <= 1e-12 * exact


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(
    ("red", "black", "rules"),
    [
        (60, 60, Rules()),
        (80, 40, Rules(lose=2)),
        (30, 90, Rules(win=3)),
        (5, 70, Rules()),
    ],
)
def test_every_cell_of_every_level(
    red: int, black: int, rules: Rules, *, exact: bool
) -> None:
    """W of each cell that a level holds is the table's, stops included."""
    table = redblack.solve(red, black, rules=rules, backend="exact")
    sweep = Sweep.of(rules, red, black, exact=exact)
    checked = 0
    for level in sweep.levels():
        for r in range(max(0, level.n - black), min(level.n, red) + 1):
            if r >= level.base + len(level.cells):
                continue
            stop = table.stop[r, level.n - r]
            assert stop == (r <= level.top) or table.ties[r, level.n - r]
            if not stop:
                count = _whole(math.comb(level.n, r))
                value = sweep.reward(level, r, count) - sweep.stakes.reward(level.n, r)
                wanted = table.values[r, level.n - r] / sweep.stakes.unit
                assert abs(value - wanted) <= sweep.error * (wanted + 200)
                checked += 1
    assert checked > 100 or red < 10


def _whole(number: int) -> Scaled:
    return Scaled(number, 0)


@pytest.mark.parametrize("deck", [100, 1000, 3000])
def test_float64_keeps_twelve_digits(deck: int) -> None:
    exact = redblack.value(deck, deck, backend="exact")
    assert abs(Fraction(redblack.value(deck, deck)) / exact - 1) <= Fraction(1, 10**12)
    bounds = redblack.enclosure(deck, deck)
    assert exact in bounds
    assert bounds.width <= 1e-11 * float(exact)


def test_a_large_enclosure_is_narrow() -> None:
    bounds = redblack.enclosure(100_000, 100_000)
    assert bounds.width <= 1e-9 * bounds.midpoint
    # Computed for this project by another method, the jumps between boundary steps.
    assert 165.0758465327752 in bounds
    assert redblack.value(100_000, 100_000) in bounds


def test_the_bound_bounds_what_a_cut_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A band of three deviations loses much, and the enclosure knows how much."""
    for module in ("scaling", "sweep"):
        monkeypatch.setattr(f"cardgames_dp.redblack._kernels.{module}.TAIL_BITS", 2)
    exact = redblack.value(2000, 2000, backend="exact")
    bounds = redblack.enclosure(2000, 2000, method="diagonal")
    assert exact in bounds
    assert bounds.width > 1
    assert bounds.lower < exact - Fraction(1, 10**9)


def test_single_precision_is_caught_by_the_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sums rounded to 24 bits leave the enclosure: it is not wide by accident."""
    add = np.add

    def coarse(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> np.ndarray:
        add(x.astype(np.float32), y.astype(np.float32), out=out)
        return out

    monkeypatch.setattr("cardgames_dp.redblack._kernels.sweep.np.add", coarse)
    wrong = redblack.enclosure(500, 500)
    monkeypatch.undo()
    assert redblack.value(500, 500, backend="exact") not in wrong


@pytest.mark.parametrize("tie", ["stop", "draw"])
@pytest.mark.parametrize(
    "rules", [Rules(), Rules(win=2), Rules(win=3, lose=2), Rules(win=0.3, lose=0.25)]
)
def test_thresholds_are_those_of_integers(rules: Rules, tie: redblack.Rules) -> None:
    """Read off the exact boundary of a deck that is large enough."""
    rules = Rules(rules.win, rules.lose, tie=tie)  # type: ignore[arg-type]
    found = redblack.thresholds(25, rules=rules)
    top = tops(rules, 700, 700, exact=True)
    n = np.arange(1401)
    for k in range(1, 26):
        met = (n - 2 * top <= k) & ((n - k) % 2 == 0) & (n >= k)
        assert found[k - 1] == n[met & (n < 1300)].max()
    assert found.exact_up_to == 25
    assert found.undecided == ()
    assert all(x < y for x, y in pairwise(found))


@pytest.mark.slow
def test_thresholds_up_to_excess_100_are_those_of_integers() -> None:
    found = redblack.thresholds(100)
    assert found.exact_up_to == 100
    top = tops(Rules(), 1600, 1600, exact=True)
    n = np.arange(3201)
    excess = n - 2 * top
    for k in range(1, 46):
        assert found[k - 1] == n[(excess == k) & (n < 3000)].max()
    # A later step, decided by integers on either side of n_60; n_100 takes them 10 s.
    last = found[59]
    for cards, stops in ((last, True), (last + 2, False)):
        red = (cards - 60) // 2
        deck = Sweep.of(Rules(), red, cards - red, exact=True)
        assert (max(level.top for level in deck.levels()) >= red) == stops


def test_ties_move_the_first_threshold_only() -> None:
    stopping = redblack.thresholds(40)
    drawing = redblack.thresholds(40, rules=Rules(tie="draw"))
    assert stopping[0] == 3
    assert drawing[0] == 1
    assert stopping[1:] == drawing[1:]


def test_what_float64_cannot_tell_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a larger error bound more is undecided: integers below, -1 above."""
    true = redblack.thresholds(60, method="diagonal")
    monkeypatch.setattr("cardgames_dp.redblack._kernels.sweep._START", 10**11)
    monkeypatch.setattr("cardgames_dp.redblack._kernels.boundary._EXACT_EXCESS", 30)
    found = redblack.thresholds(60, method="diagonal")
    assert found.undecided
    assert min(found.undecided) > 30
    assert found.exact_up_to == min(found.undecided) - 1
    assert found[:30] == true[:30]
    for k in range(31, 61):
        assert found[k - 1] == (-1 if k in found.undecided else true[k - 1])


def test_what_is_reported_is_what_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """When nothing is certain all excesses are open, the last one too, and no more."""
    monkeypatch.setattr(Sweep, "certain", lambda *_: False)
    monkeypatch.setattr("cardgames_dp.redblack._kernels.boundary._EXACT_EXCESS", 4)
    for most in (5, 8, 9):
        found = redblack.thresholds(most, method="diagonal")
        assert found.undecided == tuple(range(5, most + 1))
        assert found[:] == [3, 8, 17, 28, *[-1] * (most - 4)]


def test_thresholds_are_a_sequence_and_an_array() -> None:
    found = redblack.thresholds(10)
    assert len(found) == 10
    assert list(found) == found[:] == np.asarray(found).tolist()
    assert isinstance(found[0], int)
    assert np.array(found, dtype=float).dtype == float
    assert (found.n[1:] > found.n[:-1]).all()
    assert repr(found) == (
        "Thresholds(n=[3, 8, 17, 28, 41, 58, 79, 100, ...], exact_up_to=10, "
        "undecided=(), rules=Rules(win=1, lose=1, fee=0, utility=None, tie='stop'))"
    )
    with pytest.raises(ValueError, match="read-only"):
        found.n[0] = 1


def test_what_is_left_out_could_bring_no_more_than_all_black_cards() -> None:
    """2 N tails of 2**-64 / N, each of which could bring the cost of every one."""
    sweep = Sweep.of(Rules(lose=3), 200, 300, exact=False)
    assert sweep.omitted == Fraction(3 * 300, 2**63)
    assert Sweep.of(Rules(lose=3), 200, 300, exact=True).omitted == 0


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
    exactly = Sweep.of(rules, red, black, exact=True, tie=rules.tie)
    error = Fraction(1, 4 * (red + black))
    floats = Sweep.of(rules, red, black, exact=False, tie=rules.tie)
    tops = {level.n: level.top for level in exactly.levels()}
    wanted = redblack.value(red, black, rules=rules, backend="exact")
    monkeypatch.setattr(Sweep, "error", error)
    found = redblack.value(red, black, rules=rules, method="diagonal")
    assert found == pytest.approx(float(wanted), rel=1e-12)
    close = 0
    for level in floats.levels():
        if level.stop in (0, level.draw):  # nothing decided, or a tie
            continue
        assert level.top == tops[level.n]
        close += not level.rose and level.stop > (1 - 4 * error) * level.draw
    assert close > 3
