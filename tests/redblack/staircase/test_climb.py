"""The staircase against exact values, against the diagonal, and against itself."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

import cardgames_dp
from cardgames_dp import redblack
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels import boundary_law as guess
from cardgames_dp.redblack._kernels.staircase import walks
from cardgames_dp.redblack._kernels.staircase.climb import Deck, Staircase, ascend
from cardgames_dp.redblack._kernels.staircase.walks import has_extended

from ..sources import LARGEST_COMPUTED, LARGEST_DECK, V100000

STAIRCASE = "cardgames_dp.redblack._kernels.staircase"


def relative_error(found: float, exact: Fraction) -> float:
    return abs(float(Fraction(found) / exact - 1))


@pytest.mark.parametrize("deck", [*range(1, 60), 100, 143, 301, 1000, 2000, 3000])
def test_exact_values(deck: int) -> None:
    exact = redblack.value(deck, deck, backend="exact")
    found = redblack.value(deck, deck, method="staircase")
    assert relative_error(found, exact) <= 1e-12


@pytest.mark.slow
def test_the_diagonal_at_100_000() -> None:
    found = redblack.value(100_000, 100_000, method="staircase")
    diagonal = redblack.value(100_000, 100_000, method="diagonal")
    assert abs(found / diagonal - 1) <= 1e-12
    assert abs(found / V100000 - 1) <= 1e-12


@given(red=st.integers(1, 300), difference=st.floats(-3.9, 3.9))
def test_unbalanced_decks(red: int, difference: float) -> None:
    black = max(1, round(red + difference * (2 * red) ** 0.5 / 1.5))
    if not Deck(red, black).within_reach_of_balance:
        return
    exact = redblack.value(red, black, backend="exact")
    found = redblack.value(red, black, method="staircase")
    # The error grows with the excess, as the probability of it falls.
    assert abs(Fraction(found) - exact) <= 1e-9


@pytest.mark.parametrize(("red", "black"), [(10_400, 10_000), (50_000, 50_100)])
def test_large_unbalanced_decks(red: int, black: int) -> None:
    diagonal = redblack.value(red, black, method="diagonal")
    found = redblack.value(red, black, method="staircase")
    assert found == pytest.approx(diagonal, rel=1e-10)


def test_decks_past_the_boundary_stop() -> None:
    assert redblack.value(9_000, 9_300, method="staircase") == 0
    assert redblack.value(1, 2, method="staircase") == 0


def test_many_decks_in_one_climb() -> None:
    decks = [0, 1, 2, 26, 26, 1000, 999, 5000, 5001, 20_000]
    found = redblack.value(decks, decks, method="staircase")
    expected = [redblack.value(deck, deck, method="diagonal") for deck in decks]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert redblack.value([], [], method="staircase").shape == (0,)


def test_stakes_scale() -> None:
    rules = Rules(win=3, lose=3)
    found = redblack.value(5000, 5000, rules=rules, method="staircase")
    assert found == pytest.approx(3 * redblack.value(5000, 5000), rel=1e-15)


def test_auto_takes_the_faster_method() -> None:
    for deck, method in ((1000, "diagonal"), (5000, "staircase")):
        assert redblack.enclosure(deck, deck).method == method
        by_name = redblack.value(deck, deck, method=method)  # type: ignore[call-overload]
        assert redblack.value(deck, deck) == by_name
    assert redblack.enclosure(5000, 5000, rules=Rules(fee=1)).method == "diagonal"
    assert redblack.enclosure(9000, 1000).method == "diagonal"


@pytest.mark.parametrize("deviations", [8.0, 9.5, 12.0])
def test_other_widths_of_windows(deviations: float) -> None:
    numbers = walks.DOUBLE._replace(deviations=deviations)
    staircase = Staircase(200_000, 200_000, numbers)
    while staircase.climb(400_000):
        pass
    total = staircase.total(400_000, 0)
    assert total == pytest.approx(redblack.value(200_000, 200_000), rel=1e-10)


def test_fewer_and_more_waves(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = redblack.value(200_000, 200_000)
    for survival in (35.0, 60.0):
        other = walks.DOUBLE._replace(survival=survival)
        monkeypatch.setattr(walks, "DOUBLE", other)
        found = redblack.value(200_000, 200_000)
        assert found == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("stairs", [3.0, 6.0, 25.0])
def test_blocks_of_other_sizes(stairs: float, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = redblack.value(400_000, 400_000, method="staircase")
    monkeypatch.setattr(f"{STAIRCASE}.stairs._STAIRS", stairs)
    found = redblack.value(400_000, 400_000, method="staircase")
    assert found == pytest.approx(expected, rel=1e-12)


def test_blocks_are_stairs_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stair by stair, in all cells, it is the same."""
    expected = redblack.value(400_000, 400_000, method="staircase")
    monkeypatch.setattr(f"{STAIRCASE}.climb._FIRST", 10**9)
    found = redblack.value(400_000, 400_000, method="staircase")
    assert found == pytest.approx(expected, rel=1e-12)


def test_the_source_s_largest_deck_by_a_tenth() -> None:
    """The essay's is 133,787,000; a hundredth of it is worth a tenth, nearly."""
    found = redblack.value(LARGEST_DECK // 100, LARGEST_DECK // 100)
    assert found == pytest.approx(LARGEST_COMPUTED / 10, abs=0.01)


@pytest.mark.slow
def test_thresholds_by_both_methods() -> None:
    swept = redblack.thresholds(300, method="diagonal")
    climbed = redblack.thresholds(300, method="staircase")
    assert climbed == swept
    assert climbed.undecided == ()


def test_thresholds_settle_the_tie() -> None:
    for tie, first in (("stop", 3), ("draw", 1)):
        rules = Rules(tie=tie)  # type: ignore[arg-type]
        found = redblack.thresholds(5, rules=rules, method="staircase")
        assert found[:] == [first, 8, 17, 28, 41]


@pytest.mark.slow
def test_thresholds_that_float64_leaves_open(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = "cardgames_dp.redblack._kernels.boundary.has_extended"
    if has_extended():
        settled = redblack.thresholds(2400)
        assert settled.undecided == ()
        assert settled.exact_up_to == 2400
        guesses = [guess.level(k) for k in range(1000, 2401)]
        assert settled.n[999:].tolist() == guesses
    monkeypatch.setattr(kernel, lambda: False)
    found = redblack.thresholds(2400)
    assert found.undecided == (2316,)
    assert found.exact_up_to == 2315
    assert found[2315] == -1
    assert (np.diff(found.n[:2315]) > 0).all()


def test_a_wrong_guess_is_overruled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thresholds are decided, not guessed: guesses off by up to 6 cards are."""
    right = redblack.thresholds(100)
    level = guess.level
    for shift in (-6, -2, 2, 6):
        monkeypatch.setattr(
            guess, "level", lambda k, by=shift: max(level(k) + by, k + 2)
        )
        found = ascend([Deck(3500, 3500)])
        assert found.thresholds == right[: len(found.thresholds)]


def test_guesses_that_are_far_off_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a block its windows depend on them; one stair at a time, nothing does."""
    level = guess.level
    monkeypatch.setattr(guess, "level", lambda k: level(k) + 4 * (k == 1000))
    assert redblack.value(500_000, 500_000) > 300
    with pytest.raises(ArithmeticError, match=r"between excess \d+ and .* expected"):
        redblack.value(5_000_000, 5_000_000)


@pytest.mark.slow
def test_guesses_up_to_excess_2000() -> None:
    """What the docstring says of them; the exact ones are from a certified climb."""
    found = redblack.thresholds(2000)
    wrong = [k for k, n in enumerate(found, 1) if guess.level(k) != n]
    assert wrong == []


def test_boundary_and_level_are_inverse() -> None:
    for excess in (3, 10, 100, 10_000, 10**6):
        n = guess.level(excess)
        assert guess.boundary(n) <= excess < guess.boundary(n + 2.0)


def test_a_deck_is_not_passed() -> None:
    staircase = Staircase(50, 50)
    while staircase.climb(100):
        pass
    levels = list(staircase.levels)
    assert levels[-1] < 100 <= redblack.thresholds(len(levels))[len(levels) - 1]
    assert not staircase.climb(100)
    assert staircase.levels == levels


def test_progress(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    for call in (
        lambda: redblack.value(5000, 5000),
        lambda: redblack.value(500, 500),
        lambda: redblack.value(50, 50, backend="exact"),
        lambda: redblack.value(2100, 2100, backend="exact"),
        lambda: redblack.value([5, 50], [5, 50]),
        lambda: redblack.value(5, 5, rules=Rules(utility=lambda cash: cash * cash)),
        lambda: redblack.enclosure(5000, 5000),
        lambda: redblack.thresholds(10),
        lambda: redblack.thresholds(10, method="diagonal"),
    ):
        with cardgames_dp.running(progress=True):
            call()
        shown = capsys.readouterr().err
        assert "levels/s" in shown or "stairs/s" in shown
    redblack.value(5000, 5000)
    assert capsys.readouterr().err == ""
