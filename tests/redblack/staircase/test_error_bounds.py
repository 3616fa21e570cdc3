"""The account of errors, term by term, against the formulas of its page.

Arithmetics with one large fault at a time single out each term; the right sides are
written anew, from "How the staircase works".
"""

import math
from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import redblack
from cardgames_dp.redblack._kernels.staircase import audit, self_tests
from cardgames_dp.redblack._kernels.staircase.audit import Audit, Ledger
from cardgames_dp.redblack._kernels.staircase.walks import (
    Arithmetic,
    most_likely,
    norm,
    pmf,
    spread,
    spread_at_barrier,
    transform_roundings,
)

ROUNDING = Arithmetic(float, unit_roundoff=1e-6, deviations=99.0, survival=999.0)
TAILS = Arithmetic(float, unit_roundoff=0.0, deviations=3.0, survival=999.0)
WAVES = Arithmetic(float, unit_roundoff=0.0, deviations=99.0, survival=3.0)

WINDOW = np.array([-3.0, -4.0, 0.0, 0.0])
"""Of norm 5, and of 4 cells: a transform has 6 + 8 roundings."""


@pytest.fixture(autouse=True)
def cells_of_no_climb(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers here are made up, so what compares them with others is left out."""
    for owner, name in (
        (self_tests.HandOver, "check_start"),
        (self_tests, "stair"),
        (self_tests, "total"),
        (self_tests, "transforms"),
        (self_tests, "decay"),
        (self_tests, "row"),
        (self_tests, "pmf"),
    ):
        monkeypatch.setattr(owner, name, lambda *_: None)


@pytest.mark.parametrize(
    ("cells", "roundings"),
    [(1, 8), (2, 13), (4, 14), (8, 19), (3, 20), (9, 32), (5, 28), (25, 48), (60, 46)],
)
def test_passes_of_a_transform(cells: int, roundings: int) -> None:
    assert transform_roundings(cells) == roundings
    for unknown in (7, 14, 121):
        with pytest.raises(ArithmeticError, match=f"a transform of {unknown} numbers"):
            transform_roundings(unknown)


def test_the_norm_is_an_upper_bound() -> None:
    rng = np.random.default_rng(5)
    for size in (1, 2, 1000):
        cells = rng.standard_normal(size)
        squares = sum(Fraction(x) ** 2 for x in cells.tolist())
        assert squares <= Fraction(norm(cells)) ** 2 <= squares * Fraction(1 + 1e-8)


@pytest.mark.parametrize(
    ("numbers", "stairs", "expected"),
    [
        (ROUNDING, 0, (2 * 14 + 12) * 1e-6 * 5),
        # ... and for each stair a row of P, to (2 N + 20) u of its norm.
        (ROUNDING, 3, 40e-6 * 5 + (2 * 4 + 20) * 1e-6 * 3 * (math.pi * 50) ** -0.25),
        # Four tails, of the window and of what is beyond it: at most the barrier.
        (TAILS, 3, 4 * math.exp(-4.5) * (5 + 7 * (math.pi * 10) ** -0.25)),
        (WAVES, 3, math.exp(-3) * 5),
    ],
)
def test_a_walk(numbers: Arithmetic, stairs: int, expected: float) -> None:
    account = Audit(numbers)
    account.add_walk(WINDOW, 10, 50, 7, stairs)
    assert account.noise.left(50, lambda _: np.ones(1)) == pytest.approx(expected)
    account.add_reading(WINDOW, 10, 50, 7, 0)
    if not stairs or numbers is not ROUNDING:
        assert account.reading == pytest.approx(expected)
    assert account.noise.entries.shape == (2, 1)


class FakeStair:
    """A stair at excess 6 from level 40 to 50, with the advantages that it is given."""

    begin, excess, top = 40, 6, 50
    waves = SimpleNamespace(
        fewest_steps=4, window=WINDOW, sines=np.ones(3), amplitudes=None, stride=1
    )
    whole = True

    def __init__(self, advantage: Callable[[int], float]) -> None:
        self.advantage = advantage
        self.early = False

    def with_all_waves(self) -> "FakeStair":
        self.waves = SimpleNamespace(**vars(self.waves) | {"fewest_steps": 2})
        self.early = True
        return self

    def at_risk(self, n: int) -> float:
        return 1e-3 * n


def test_what_stopping_below_the_top_may_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Audit, "_doubt", lambda *_: 0.5)
    account = Audit(ROUNDING)
    # Settled at 46: -2 + 0.5 < 0. Above that, the margin and its doubt, halved.
    stair: Any = FakeStair({50: 1.0, 48: -0.25, 46: -2.0}.__getitem__)
    assert account._lost_below(stair, 50) == pytest.approx((1.5 + 0.25) / 2)
    assert not stair.early
    # Not settled there, if more may be gained on lower stairs: down to the begin.
    account.loss.add(45, 2.0)
    stair = FakeStair({50: 1.0, 48: -0.25, 46: -2.0, 44: -0.6, 42: 0.0}.__getitem__)
    assert account._lost_below(stair, 50) == pytest.approx((1.5 + 0.25 + 0.5) / 2)
    assert stair.early
    stair = FakeStair({46: 1.0, 44: -9.0}.__getitem__)
    account.add_last_stair(stair, 47)
    assert account.here == pytest.approx(0.75)


def test_what_drawing_above_the_top_may_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Audit, "_doubt", lambda *_: 0.5)
    account = Audit(ROUNDING)
    stair: Any = FakeStair({52: -1.0, 54: 0.25, 56: 0.75}.__getitem__)
    lost, highest = account._lost_above(stair)
    assert lost == pytest.approx((1.5 + 0.25) / 2)
    assert highest == 54
    monkeypatch.setattr(audit, "_MOST_UNSETTLED", 2)
    with pytest.raises(ArithmeticError, match=r"stops at excess 6$"):
        account._lost_above(FakeStair(lambda _: 0.0))  # type: ignore[arg-type]


def test_a_passed_stair_books_its_losses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Audit, "_doubt", lambda *_: 0.5)
    account = Audit(ROUNDING)
    advantages = {50: 1.0, 48: -9.0, 52: -1.0, 54: 9.0}
    account.add_stair(FakeStair(advantages.__getitem__), WINDOW)  # type: ignore[arg-type]
    assert account.unsettled == [6]
    assert account.loss.entries[:, 0].tolist() == [52, pytest.approx(0.75 + 0.75)]
    assert account.noise.entries[0, 0] == 50
    account.add_stair(FakeStair(lambda n: n - 51.0), WINDOW)  # type: ignore[arg-type]
    assert account.unsettled == [6]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        # The first cell after 9 steps: one transform and a sum of 3 waves.
        (
            ROUNDING,
            (14 + 3 + 30) * 1e-6 * 5 * (math.pi * 9) ** -0.25 / math.sqrt(10)
            + 40e-6 * 0.05,
        ),
        (TAILS, 4 * math.exp(-4.5) * (5 + 6 * (math.pi * 40) ** -0.25)),
        (WAVES, math.exp(-3) * 5),
    ],
)
def test_the_doubt_of_an_advantage(numbers: Arithmetic, expected: float) -> None:
    stair: Any = FakeStair(lambda _: 0.0)
    account = Audit(numbers)
    assert account._doubt(stair, 50) == pytest.approx(expected)
    # Errors of the cells 25 steps before, next to the barrier.
    account.noise.add(24, 3.0)
    earlier = 3.0 * (math.pi * 25) ** -0.25 / math.sqrt(26)
    assert account._doubt(stair, 50) == pytest.approx(expected + earlier)


def test_the_band_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = Arithmetic(float, 0.0, 99.0, 999.0)
    stair: Any = FakeStair(lambda _: 0.0)
    monkeypatch.setattr(audit, "TAIL_BITS", 12)
    expected = 6 * 2.0**-10 * 0.05
    assert Audit(exact)._doubt(stair, 50) == pytest.approx(expected)
    monkeypatch.setattr(audit, "TAIL_BITS", 20)
    lower, upper = Audit(exact).bounds(100, 4, 10, 9.0)
    assert 9 - lower == pytest.approx(52 * 2.0**-19, rel=1e-6)
    assert upper - 9 == pytest.approx(52 * 2.0**-19, rel=1e-6)


def test_bounds_of_a_total() -> None:
    exact = Arithmetic(float, 0.0, 99.0, 999.0)
    account = Audit(exact)
    account.noise.add(90, 1e-6)
    account.reading = 1e-7
    account.loss.add(60, 2e-6)
    account.here = 3e-6
    lower, upper = account.bounds(100, 4, 10, 9.0)
    probability = pmf(100, 4)
    noise = (1e-6 * (math.pi * 10) ** -0.25 + 1e-7) / probability
    gain = (2e-6 * math.sqrt(2 / math.pi / 40) + 3e-6) / probability
    assert 9 - lower == pytest.approx(noise, rel=1e-8)
    assert upper - 9 == pytest.approx(noise + gain, rel=1e-8)
    # Roundings of a total of 52 black cards' size, and of P.
    account = Audit(ROUNDING)
    lower, upper = account.bounds(100, 4, 10, 9.0)
    assert 9 - lower == pytest.approx(52 * 24e-6, rel=1e-8)
    account.noise.add(100, 1e-3)
    lower, upper = account.bounds(100, 4, 10, 9.0)
    noise = 1e-3 / probability * (1 + 40e-6)
    assert 9 - lower == pytest.approx(52 * 24e-6 + noise, rel=1e-8)
    assert upper - 9 == pytest.approx(9 - lower)


@pytest.mark.parametrize(
    ("n", "excess", "level"), [(100, 10, 100), (101, 11, 100), (103, 13, 102)]
)
@pytest.mark.parametrize("unit", [0.0, 1e-3])
def test_bounds_of_a_deck_that_stops(
    n: int, excess: int, level: int, unit: float
) -> None:
    """Beyond the barrier what is lost on it counts, with as many cards or one less."""
    account = Audit(Arithmetic(float, unit, 99.0, 999.0))
    account.loss.add(60, 2e-6)
    assert account.bounds(n, excess, 10, 12.0) == (12.0, 12.0)
    account.here = 3e-6
    lower, upper = account.bounds(n, excess, 10, 12.0)
    lost = 2e-6 * math.sqrt(2 / math.pi / (level - 60)) + 3e-6
    assert lower == 12.0
    assert upper - 12 == pytest.approx(lost / pmf(level, 10) * (1 + 40 * unit))


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 10, 101])
def test_what_a_walk_leaves_of_an_error(steps: int) -> None:
    """The laws of walks, free and below a barrier, against the bounds of them."""
    law = np.array([math.comb(steps, k) / 2**steps for k in range(steps + 1)])
    time = np.array(float(steps))
    assert np.linalg.norm(law) <= spread(time) * (1 + 1e-12)
    assert law.max() <= most_likely(time) * (1 + 1e-12)
    # From the first cell, reflected: heights -1, ..., less those mirrored at 0.
    places = -1 + 2 * np.arange(steps + 1) - steps
    below = {s: p for s, p in zip(places, law, strict=True) if s < 0}
    for s, p in zip(places, law, strict=True):
        if s > 0:
            below[-s] = below.get(-s, 0.0) - p
    norm = math.sqrt(sum(p * p for p in below.values()))
    assert norm <= spread_at_barrier(time) * (1 + 1e-12)


@given(
    gaps=st.lists(st.integers(0, 50), min_size=1, max_size=400),
    amount=st.floats(0.1, 10),
)
def test_a_ledger_forgets_nothing(gaps: list[int], amount: float) -> None:
    ledger, levels = Ledger(), np.cumsum(gaps)
    for level in levels.tolist():
        ledger.add(level, amount)
    n = int(levels[-1]) + 7
    for decay in (spread, spread_at_barrier, most_likely):
        exact = float((amount * decay((n - levels).astype(float))).sum())
        assert exact <= ledger.left(n, decay) <= 5 * exact
    assert ledger.entries.shape[1] <= 130 + len(gaps) / 64
    # In any order: merged entries stand at the highest level among them.
    ledger = Ledger()
    for level in [500, *range(200)]:
        ledger.add(level, 1.0)
    assert (ledger.merged, ledger.entries[0, 0]) == (2, 500)
    levels = np.array([500.0, *range(200)])
    assert ledger.left(600, spread) >= float(spread(600 - levels).sum())


def test_too_large_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "_MOST_UNSETTLED", -1)
    with pytest.raises(
        ArithmeticError, match=r"float64 cannot decide where .* at excess 1$"
    ):
        redblack.enclosure(1500, 1500, method="staircase")
