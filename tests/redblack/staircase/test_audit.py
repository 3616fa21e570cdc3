"""Certified bounds of the staircase, and what becomes of them when it is sabotaged.

A sabotaged climb may raise, or find wide bounds; the exact value is never outside.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.fft
from hypothesis import given, strategies as st

from cardgames_dp import redblack
from cardgames_dp.redblack import Enclosure
from cardgames_dp.redblack._kernels import boundary_law as guess, scaling
from cardgames_dp.redblack._kernels.staircase import audit, self_tests, walks
from cardgames_dp.redblack._kernels.staircase.climb import Deck
from cardgames_dp.redblack._kernels.staircase.error_bounds import (
    Ledger,
    most_likely,
    spread,
    spread_at_barrier,
    transform_roundings,
)

DECK = 1500

STAIRCASE = "cardgames_dp.redblack._kernels.staircase"

UNIT = 2.0**-53


@pytest.fixture(scope="module")
def exact() -> Fraction:
    return redblack.value(DECK, DECK, backend="exact")


def enclosure(deck: int = DECK) -> Enclosure[float]:
    return redblack.enclosure(deck, deck, method="staircase")


def certified_or_refused() -> Enclosure[float] | None:
    """Return the bounds, or None if the climb says that it cannot certify any."""
    try:
        return enclosure()
    except ArithmeticError as error:
        if "float64 cannot decide where the player stops" in str(error):
            return None
        raise


@pytest.mark.parametrize("deck", [*range(1, 40), 100, 301, 1000, 3000])
def test_bounds_hold(deck: int) -> None:
    bounds = enclosure(deck)
    assert redblack.value(deck, deck, backend="exact") in bounds
    assert bounds.method == "staircase"
    assert 0 < bounds.width <= 1e-11 * max(bounds.upper, 1)


@given(red=st.integers(1, 200), difference=st.floats(-3.9, 3.9))
def test_bounds_of_unbalanced_decks(red: int, difference: float) -> None:
    black = max(1, round(red + difference * (2 * red) ** 0.5 / 1.5))
    if not Deck(red, black).within_reach_of_balance:
        return
    bounds = redblack.enclosure(red, black, method="staircase")
    assert redblack.value(red, black, backend="exact") in bounds
    assert bounds.width <= 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("deck", [20_000, 100_000])
def test_bounds_of_both_methods_overlap(deck: int) -> None:
    climbed = enclosure(deck)
    swept = redblack.enclosure(deck, deck, method="diagonal")
    assert max(climbed.lower, swept.lower) <= min(climbed.upper, swept.upper)
    assert redblack.value(deck, deck) in climbed
    assert climbed.width < 1e-8


def test_stopping_decks_are_certain() -> None:
    assert redblack.enclosure(900, 1000, method="staircase").upper == 0
    assert redblack.enclosure(1, 3, method="staircase").upper == 0
    # At the tie float64 cannot tell, but nothing depends on it.
    tie = redblack.enclosure(1, 2, method="staircase")
    assert tie.lower == 0
    assert tie.upper < 1e-14


@pytest.mark.parametrize("shift", [-20, -2, 2, 20])
def test_shifted_thresholds(
    shift: int, exact: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worse policy is worth less; what it loses is added to the upper bound."""
    honest, level = enclosure(), guess.level
    monkeypatch.setattr(f"{STAIRCASE}.stairs.DOUBT", math.inf)
    monkeypatch.setattr(guess, "level", lambda k: level(k) + shift * (k == 30))
    bounds = enclosure()
    assert exact in bounds
    assert bounds.width > 3 * honest.width
    assert bounds.lower < float(exact) - 2 * honest.width


@pytest.mark.parametrize("deviations", [3.0, 4.0, 5.0, 6.0, 7.0])
def test_a_dropped_tail_of_the_kernel(
    deviations: float, exact: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = enclosure()
    sloppy = walks.DOUBLE._replace(deviations=deviations)
    monkeypatch.setattr(walks, "DOUBLE", sloppy)
    bounds = certified_or_refused()
    assert bounds or deviations < 6
    if bounds:
        assert exact in bounds
        assert bounds.width > 10 * honest.width


@pytest.mark.parametrize("survival", [5.0, 10.0, 20.0])
def test_dropped_waves(
    survival: float, exact: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = enclosure()
    sloppy = walks.DOUBLE._replace(survival=survival)
    monkeypatch.setattr(walks, "DOUBLE", sloppy)
    bounds = certified_or_refused()
    assert bounds or survival < 20
    if bounds:
        assert exact in bounds
        assert bounds.width > 10 * honest.width


def test_a_narrow_band(exact: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (scaling, audit, self_tests):
        monkeypatch.setattr(module, "TAIL_BITS", 10)
    bounds = certified_or_refused()
    assert bounds is None or (exact in bounds and bounds.width > 1)


@pytest.mark.parametrize("name", ["dst", "idst"])
def test_transforms_in_single_precision(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    transform = getattr(scipy.fft, name)

    def rounded(cells: np.ndarray, kind: int, **more: bool) -> np.ndarray:
        single = transform(np.asarray(cells, dtype=np.float32), kind, **more)
        return np.asarray(single, dtype=np.float64)

    monkeypatch.setattr(scipy.fft, name, rounded)
    with pytest.raises(
        ArithmeticError, match=r"the sine transform of \d+ numbers errs by .*e-0\d"
    ):
        enclosure()


def test_noise_is_within_the_bound(
    exact: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that a transform is allowed to err, in every place, each time."""
    transform = scipy.fft.idst

    def worst(spectrum: np.ndarray, kind: int, **more: bool) -> np.ndarray:
        cells: np.ndarray = transform(spectrum, kind, **more)
        size = len(cells)
        allowed = (
            transform_roundings(size) * UNIT * np.linalg.norm(cells) / math.sqrt(size)
        )
        cells += 0.9 * allowed
        return cells

    honest = enclosure()
    value = redblack.value(DECK, DECK, method="staircase")
    monkeypatch.setattr(self_tests.Trial, "transforms", lambda *_: None)
    monkeypatch.setattr(scipy.fft, "idst", worst)
    bounds = enclosure()
    assert exact in bounds
    # It does matter, and the honest bounds have room for it.
    shifted = redblack.value(DECK, DECK, method="staircase")
    assert abs(shifted - value) > 10 * abs(float(Fraction(value) - exact))
    assert honest.lower < shifted < honest.upper


def test_transforms_err_less_than_is_assumed() -> None:
    rng = np.random.default_rng(14)
    for size in (2, 3, 5, 64, 81, 125, 1000, 1024, 2187, 4096, 6250, 20_000):
        cells = rng.standard_normal(size)
        back = scipy.fft.idst(scipy.fft.dst(cells, 2), 2)
        error = np.linalg.norm(back - cells) / np.linalg.norm(cells)
        assert error < 2 * transform_roundings(size) * UNIT


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
    assert ledger.count <= 130 + len(gaps) / 64


def test_too_large_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{STAIRCASE}.audit._MOST_UNSETTLED", -1)
    with pytest.raises(
        ArithmeticError, match=r"float64 cannot decide where .* at excess 1$"
    ):
        enclosure()
