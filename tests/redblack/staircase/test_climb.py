"""The staircase: its values and bounds, its thresholds, and what may be chosen."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import redblack
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels import large_decks as guess
from cardgames_dp.redblack._kernels.staircase import walks
from cardgames_dp.redblack._kernels.staircase.climb import Deck, Staircase, ascend
from cardgames_dp.redblack._kernels.staircase.walks import has_extended
from cardgames_dp.redblack.rules import Tie

STAIRCASE = "cardgames_dp.redblack._kernels.staircase"
BOUNDARY = "cardgames_dp.redblack.boundaries"


def differ(result: float, exact: float) -> float:
    return abs(result / exact - 1)


@pytest.mark.parametrize("deck", [*range(1, 13), 26, 143, 1000, 3000])
def test_small_decks(deck: int) -> None:
    exact = redblack.value(deck, deck, backend="exact")
    result = redblack.value(deck, deck, method="staircase")
    assert abs(Fraction(result) / exact - 1) <= 1e-12
    bounds = redblack.enclosure(deck, deck, method="staircase")
    assert exact in bounds
    assert bounds.method == "staircase"
    assert 0 < bounds.width <= 1e-11 * max(bounds.upper, 1)


@given(red=st.integers(1, 300), difference=st.floats(-3.9, 3.9))
def test_unbalanced_decks(red: int, difference: float) -> None:
    black = max(1, round(red + difference * (2 * red) ** 0.5 / 1.5))
    if not Deck(red, black).within_reach_of_balance:
        return
    exact = redblack.value(red, black, backend="exact")
    result = redblack.value(red, black, method="staircase")
    # The error grows with the excess, as the probability of it falls.
    assert abs(Fraction(result) - exact) <= 1e-9
    bounds = redblack.enclosure(red, black, method="staircase")
    assert exact in bounds
    assert bounds.width <= 1e-6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deck", "digits"),
    [
        ((20_000, 20_000), 1e-12),
        ((10_400, 10_000), 1e-10),
        ((20_000, 20_100), 1e-10),
    ],
)
def test_large_decks(deck: tuple[int, int], digits: float) -> None:
    result = redblack.value(*deck, method="staircase")
    assert differ(result, redblack.value(*deck, method="diagonal")) <= digits
    climbed, swept = (
        redblack.enclosure(*deck, method=method) for method in ("staircase", "diagonal")
    )
    assert max(climbed.lower, swept.lower) <= min(climbed.upper, swept.upper)
    assert result in climbed
    assert climbed.width < 2e-8


@pytest.mark.parametrize("deck", [(4797, 4850), (8148, 8233)])
def test_a_deck_below_its_last_stair(deck: tuple[int, int]) -> None:
    """Its window does not reach the stair, which was judged above the deck once."""
    bounds = redblack.enclosure(*deck, method="staircase")
    assert redblack.value(*deck, method="diagonal") in bounds


def test_decks_past_the_boundary_stop() -> None:
    for deck in ((900, 1000), (9_000, 9_300), (1, 3)):
        assert redblack.value(*deck, method="staircase") == 0
        assert redblack.enclosure(*deck, method="staircase").upper == 0
    # At the tie float64 cannot tell, but nothing depends on it.
    tie = redblack.enclosure(1, 2, method="staircase")
    assert tie.lower == redblack.value(1, 2, method="staircase") == 0
    assert tie.upper < 1e-14


@pytest.fixture(scope="module")
def chosen() -> Any:
    sizes = [100_000, 200_000]
    return redblack.value(sizes, sizes, method="staircase")


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("walks.DOUBLE", {"deviations": 8.0, "survival": 35.0}),
        ("stairs._STAIRS", 3.0),
        ("climb._FIRST", 10**9),  # one stair at a time, in all cells
    ],
)
def test_what_may_be_chosen(
    name: str, new: Any, chosen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounding = 1e-12
    if name == "walks.DOUBLE":
        new, rounding = walks.DOUBLE._replace(**new), 1e-10
    monkeypatch.setattr(f"{STAIRCASE}.{name}", new)
    sizes = [100_000, 200_000]
    result = redblack.value(sizes, sizes, method="staircase")
    np.testing.assert_allclose(result, chosen, rtol=rounding)


@pytest.mark.parametrize(("tie", "first"), [("stop", 3), ("draw", 1)])
def test_thresholds_by_both_methods(tie: Tie, first: int) -> None:
    rules = Rules(tie=tie)
    swept = redblack.thresholds(90, rules=rules, method="diagonal")
    climbed = redblack.thresholds(90, rules=rules, method="staircase")
    assert climbed == swept
    assert climbed.exact_up_to == 90
    assert climbed.n[:5].tolist() == [first, 8, 17, 28, 41]


@pytest.mark.slow
def test_thresholds_that_float64_leaves_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{BOUNDARY}.has_extended", lambda: False)
    result = redblack.thresholds(2400)
    assert result.exact_up_to == 2315
    assert np.flatnonzero(result.n < 0).tolist() == [2315]
    assert (np.diff(result.n[:2315]) > 0).all()


@pytest.mark.skipif(not has_extended(), reason="this machine has no longer floats")
def test_longer_floats_settle_what_shorter_ones_leave_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = redblack.thresholds(150)
    coarse = walks.DOUBLE._replace(unit_roundoff=1e-9)
    monkeypatch.setattr(walks, "DOUBLE", coarse)
    monkeypatch.setattr(f"{BOUNDARY}._EXACT_EXCESS", 2)
    how: Any = {"method": "staircase"}
    assert redblack.thresholds(150, **how) == right
    monkeypatch.setattr(f"{BOUNDARY}.has_extended", lambda: False)
    assert redblack.thresholds(150, **how).exact_up_to == 33


def test_a_wrong_guess_is_overruled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thresholds are decided, not guessed: guesses off by up to 6 cards are."""
    right = redblack.thresholds(100).n.tolist()
    level = guess.level
    for shift in (-6, -2, 2, 6):
        monkeypatch.setattr(
            guess, "level", lambda k, by=shift: max(level(k) + by, k + 2)
        )
        result = ascend([Deck(3500, 3500)])
        assert result.thresholds == right[: len(result.thresholds)]


def test_guesses_that_are_far_off_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a block its windows depend on them; one stair at a time, nothing does."""
    level = guess.level
    monkeypatch.setattr(guess, "level", lambda k: level(k) + 4 * (k == 400))
    assert redblack.value(60_000, 60_000) > 100
    with pytest.raises(ArithmeticError, match=r"between excess \d+ and .* expected"):
        redblack.value(200_000, 200_000)


def test_a_deck_is_not_passed() -> None:
    staircase = Staircase(50, 50)
    while staircase.climb(100):
        pass
    levels = list(staircase.levels)
    assert levels[-1] < 100 <= redblack.thresholds(len(levels)).n[-1]
    assert not staircase.climb(100)
    assert staircase.levels == levels
