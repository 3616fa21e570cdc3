"""Enclosures: whatever the deck, the digits that are asked for, many decks at once."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import redblack
from cardgames_dp.redblack import Enclosure, Rules
from cardgames_dp.redblack._kernels import methods
from cardgames_dp.redblack._kernels.methods import Method
from cardgames_dp.redblack._kernels.staircase import walks
from cardgames_dp.redblack._kernels.staircase.climb import Deck, ascend, expected_error

needs_extended = pytest.mark.skipif(
    not walks.has_extended(), reason="this machine has no longer floats"
)


@pytest.mark.parametrize(
    ("red", "black"),
    [(4797, 4850), (8148, 8233), (6830, 6928), (21508, 22178)],
)
def test_decks_that_were_refused(red: int, black: int) -> None:
    """Their last stair was judged above the deck, where its window does not reach."""
    climbed = redblack.enclosure(red, black, method="staircase")
    swept = redblack.enclosure(red, black, method="diagonal")
    assert max(climbed.lower, swept.lower) <= min(climbed.upper, swept.upper)
    assert redblack.value(red, black, method="diagonal") in climbed


@pytest.mark.slow
def test_no_unequal_deck_is_refused() -> None:
    """Of such decks from 4000 cards on 2.8 % were, 6.7 % of those past the boundary."""
    rng = np.random.default_rng(25)
    for _ in range(500):
        cards = round(math.exp(rng.uniform(math.log(300), math.log(2000))))
        excess = round(rng.uniform(-3.9, 3.9) * math.sqrt(cards))
        red = (cards - excess) // 2
        climbed = redblack.enclosure(red, cards - red, method="staircase")
        assert redblack.value(red, cards - red, method="diagonal") in climbed


@given(
    red=st.integers(1, 400),
    difference=st.floats(-3.9, 3.9),
    digits=st.integers(1, 15),
)
def test_digits(red: int, difference: float, digits: int) -> None:
    black = max(1, round(red + difference * math.sqrt(red)))
    bounds = redblack.enclosure(red, black, digits=digits)
    assert redblack.value(red, black, backend="exact") in bounds
    assert (
        Fraction(bounds.upper) - Fraction(bounds.lower)
        <= Fraction(bounds.lower) / 10**digits
    )
    assert bounds.digits >= digits


@given(
    decks=st.tuples(st.integers(1, 80), st.integers(1, 80)),
    fee=st.fractions(0, 1, max_denominator=20),
)
def test_digits_under_other_rules(decks: tuple[int, int], fee: Fraction) -> None:
    rules = Rules(win=2, lose=1, fee=fee)
    bounds = redblack.enclosure(*decks, rules=rules, digits=14)
    assert redblack.value(*decks, rules=rules, backend="exact") in bounds
    assert bounds.width <= 1e-14 * bounds.lower


@pytest.mark.slow
@needs_extended
@pytest.mark.parametrize("deck", [2000, 20_000, 200_000])
def test_twelve_digits_by_longer_floats(deck: int) -> None:
    bounds = redblack.enclosure(deck, deck, digits=12, method="staircase")
    assert bounds.method == "staircase"
    assert bounds.width <= 1e-12 * bounds.lower
    plain = redblack.enclosure(deck, deck, method="staircase")
    assert plain.lower <= bounds.lower <= bounds.upper <= plain.upper
    assert redblack.value(deck, deck, method="diagonal") == pytest.approx(
        bounds.midpoint, rel=1e-12
    )


@needs_extended
@pytest.mark.parametrize("deck", [50, 700, 3000])
def test_longer_floats_hold_the_exact_value(deck: int) -> None:
    climb = ascend([Deck(deck, deck)], audited=True, extended=True)
    exact = redblack.value(deck, deck, backend="exact")
    assert climb.lower[0] <= exact <= climb.upper[0]
    assert 0 < climb.upper[0] - climb.lower[0] <= 1e-14 * exact
    # The computed value itself is far better than its bounds.
    assert abs(climb.totals[0] - exact) <= (climb.upper[0] - exact) / 10


@needs_extended
@pytest.mark.parametrize("extended", [False, True])
@pytest.mark.parametrize(
    ("red", "black"), [(5, 5), (300, 300), (3000, 2800), (40_000, 40_000)]
)
def test_widths_are_as_expected(red: int, black: int, extended: bool) -> None:
    deck = Deck(red, black)
    climb = ascend([deck], audited=True, extended=extended)
    expected = expected_error(deck, extended=extended)
    assert expected / 4 <= float(climb.upper[0] - climb.lower[0]) <= expected


def test_decks_that_stop_are_worth_nothing_for_certain() -> None:
    for red, black in ((1, 2), (900, 1000), (3000, 3100), (0, 7)):
        bounds = redblack.enclosure(red, black, digits=15)
        assert (bounds.lower, bounds.upper, bounds.digits) == (0, 0, 15)


def test_digits_that_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_work(*_: object, **__: object) -> None:
        raise AssertionError("work was done")

    monkeypatch.setattr("cardgames_dp.redblack.certified.ascend", no_work)
    monkeypatch.setattr("cardgames_dp.redblack.certified.Sweep", no_work)
    with pytest.raises(
        ValueError, match=r"^digits must be at most 1\d for .* 10000000 .*, got 15"
    ):
        redblack.enclosure(10**7, 10**7, digits=15)
    with pytest.raises(
        ValueError, match=r"at most 1\d .* 60000 black cards by method='diagonal'"
    ):
        redblack.enclosure(60_000, 60_000, digits=14, method="diagonal")


def test_digits_where_the_longest_floats_are_float64(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on Windows and on a Mac: fewer, and small decks are solved exactly."""
    finfo: Any = np.finfo

    def without(kind: Any) -> Any:
        return finfo(np.float64 if kind is np.longdouble else kind)

    monkeypatch.setattr(np, "finfo", without)
    with pytest.raises(
        ValueError,
        match=r"^digits must be at most 10 .*, got 12; more need longer floats than "
        "float64, which NumPy lacks here$",
    ):
        redblack.enclosure(10**6, 10**6, digits=12)
    with pytest.raises(ValueError, match=r"'diagonal', got 14$"):
        redblack.enclosure(60_000, 60_000, digits=14, method="diagonal")
    assert redblack.enclosure(300, 300, digits=15).digits == 15


@pytest.mark.parametrize("digits", [0, -3, 16, 10**400])
def test_numbers_of_digits_that_are_none(digits: int) -> None:
    with pytest.raises(ValueError, match=r"^digits must be an integer "):
        redblack.enclosure(5, 5, digits=digits)


def test_digits_of_another_type() -> None:
    for digits in (True, 3.0, "12"):
        with pytest.raises(TypeError, match=r"^digits must be an integer >= 1, got"):
            redblack.enclosure(5, 5, digits=digits)  # type: ignore[arg-type]


def test_bounds_wider_than_expected_are_not_passed_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(methods, "_relative_width", lambda *_: 0.0)
    monkeypatch.setattr(methods, "has_extended", lambda: False)
    monkeypatch.setattr(methods, "_MOST_EXACT", 0)
    with pytest.raises(ArithmeticError, match="digits=15 were expected"):
        redblack.enclosure(3000, 3000, digits=15)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("digits", "method"),
    [
        *[(None, "auto"), (None, "diagonal"), (None, "staircase")],
        *[(12, "auto"), (12, "diagonal")],
        pytest.param(12, "staircase", marks=needs_extended),
    ],
)
def test_many_decks(digits: int | None, method: Method) -> None:
    decks = [2500, 0, 1, 26, 2500, 300]
    found = redblack.enclosure(decks, decks, digits=digits, method=method)
    assert found.lower.shape == found.method.shape == (len(decks),)
    assert redblack.value(decks, decks, backend="exact") in found
    assert redblack.value(decks, 3, backend="exact") not in found
    assert (found.digits >= (digits or 11)).all()
    assert [end[0] for end in found] == [end[4] for end in found]
    assert found == redblack.enclosure(decks, decks, digits=digits, method=method)
    assert redblack.enclosure([], []).width.shape == (0,)


def test_arrays_of_all_kinds_of_decks() -> None:
    reds, blacks = np.arange(40).reshape(5, 8), np.array([[3], [9], [17], [30], [31]])
    found = redblack.enclosure(reds, blacks)
    assert found.lower.shape == found.digits.shape == reds.shape
    assert redblack.value(reds, blacks, backend="exact") in found
    assert found.width.max() < 1e-11
    one = redblack.enclosure(int(reds[2, 3]), 17)
    assert (found.lower[2, 3], found.upper[2, 3]) == tuple(one)
    large = redblack.enclosure([20_000, 300], [[20_020], [300]], method="auto")
    assert large.method.tolist() == [["staircase", "diagonal"], ["diagonal"] * 2]


def test_what_is_read_off_on_the_way_costs_the_next_decks_nothing() -> None:
    alone = redblack.enclosure(5000, 5000)
    decks = [*range(1000, 2000, 50), 5000]
    among = redblack.enclosure(decks, decks)
    assert [end[-1] for end in among] == [*alone]


@pytest.mark.parametrize("method", ["auto", "diagonal", "staircase"])
@pytest.mark.parametrize("digits", [None, 15])
def test_decks_of_one_colour(digits: int | None, method: Method) -> None:
    for red, black, value in ((4, 0, 4), (0, 3, 0), (0, 0, 0)):
        bounds = redblack.enclosure(red, black, digits=digits, method=method)
        assert [*bounds] == [value, value]


def test_how_many_digits_an_interval_has() -> None:
    for lower, upper, digits in (
        (1.0, 1.0, 15),
        (1.0, 1.09, 1),
        (1.0, 1.0099, 2),
        (2.0, 2.0 + 1.9e-7, 7),
        (1.0, 3.0, 0),
        (0.0, 1e-300, 0),
        (0.0, 0.0, 15),
    ):
        assert Enclosure(lower, upper, "diagonal").digits == digits


@pytest.mark.parametrize("method", ["diagonal", "staircase"])
@pytest.mark.parametrize("stake", [1, 3])
def test_decks_worth_hardly_anything(stake: int, method: Method) -> None:
    """Lower bounds are neither 0 for ease nor below it."""
    rules = Rules(win=stake, lose=stake)
    for red, black in ((1, 2), (2, 4), (3, 5), (100, 112), (1000, 1037)):
        bounds = redblack.enclosure(red, black, rules=rules, method=method)
        exact = redblack.value(red, black, rules=rules, backend="exact")
        assert exact in bounds
        assert exact - Fraction(1, 10**10) <= bounds.lower
        assert bounds.lower >= 0
        assert bounds.upper <= exact + Fraction(1, 10**10)


def test_a_table_of_enclosures() -> None:
    pandas = pytest.importorskip("pandas")
    found = redblack.enclosure([[1], [26]], [1, 26, 300], digits=12)
    table = found.to_pandas()
    assert isinstance(table, pandas.DataFrame)
    assert table["lower"].tolist() == found.lower.ravel().tolist()
    assert table["digits"].tolist() == found.digits.ravel().tolist()
    alone = redblack.enclosure(26, 26).to_pandas()
    assert list(alone.columns) == list(table.columns) == list(found.to_dict())
    assert len(alone) == 1


def test_enclosure_is_an_interval() -> None:
    bounds = redblack.Enclosure(1.0, 2.0, "diagonal")
    assert (bounds.width, bounds.midpoint) == (1.0, 1.5)
    assert 1 in bounds
    assert Fraction(3, 2) in bounds
    assert 2.0 in bounds
    assert Fraction(2) + Fraction(1, 10**40) not in bounds
    assert 0.999 not in bounds
    assert redblack.enclosure(3, 0).width == 0
    third = redblack.enclosure(1, 0, rules=Rules(win=Fraction(1, 3)))
    assert third.lower < Fraction(1, 3) < third.upper
    assert third.width < 1e-16


def test_enclosures_come_apart() -> None:
    bounds = redblack.enclosure(26, 26)
    lower, upper = bounds
    assert (lower, upper) == (bounds.lower, bounds.upper)
    assert float(bounds) == bounds.midpoint
    assert 10**400 not in bounds
    assert np.array([lower, upper]) in bounds
    assert np.array([lower, 2.0]) not in bounds
    for bad in ("a", None, True):
        with pytest.raises(TypeError, match="number must be a real number"):
            bad in bounds  # noqa: B015
    with pytest.raises(ValueError, match="number must be a real number"):
        np.float64("nan") in bounds  # noqa: B015
