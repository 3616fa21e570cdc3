"""Enclosures and digits: whatever the deck, as many as are asked for, many at once."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import redblack
from cardgames_dp.redblack import Enclosure, Rules, certified
from cardgames_dp.redblack._kernels import methods, scaling
from cardgames_dp.redblack._kernels.digits import CutSweep
from cardgames_dp.redblack._kernels.methods import Method
from cardgames_dp.redblack._kernels.staircase import climb as staircase, walks
from cardgames_dp.redblack._kernels.staircase.climb import Deck, ascend, expected_error
from cardgames_dp.redblack._kernels.sweep import Sweep
from cardgames_dp.redblack.rules import Stakes

from .test_valuation import rounded

needs_extended = pytest.mark.skipif(
    not walks.has_extended(), reason="this machine has no longer floats"
)


def uneven(cards: int, deviations: float) -> tuple[int, int]:
    excess = round(deviations * math.sqrt(cards))
    return (cards - excess) // 2, cards - (cards - excess) // 2


@given(
    cards=st.integers(2, 800),
    deviations=st.floats(-3.9, 3.9),
    digits=st.integers(1, 15),
)
def test_digits(cards: int, deviations: float, digits: int) -> None:
    deck = uneven(cards, deviations if cards > 20 else 0)
    for rules in (Rules(), Rules(win=2, fee=Fraction(cards % 20, 20))):
        bounds = redblack.enclosure(*deck, digits=digits, rules=rules)
        assert redblack.value(*deck, backend="exact", rules=rules) in bounds
        width = Fraction(bounds.upper) - Fraction(bounds.lower)
        assert width <= Fraction(bounds.lower) / 10**digits
        assert bounds.digits >= digits


@needs_extended
@pytest.mark.parametrize("deck", [50, 700, 2000])
def test_longer_floats_hold_the_exact_value(deck: int) -> None:
    climb = ascend([Deck(deck, deck)], audited=True, extended=True)
    exact = redblack.value(deck, deck, backend="exact")
    assert climb.lower[0] <= exact <= climb.upper[0]
    assert 0 < climb.upper[0] - climb.lower[0] <= 1e-14 * exact
    # The computed value itself is far better than its bounds.
    assert abs(climb.totals[0] - exact) <= (climb.upper[0] - exact) / 10


@needs_extended
@pytest.mark.parametrize("extended", [False, True])
@pytest.mark.parametrize("deck", [(5, 5), (300, 300), (3000, 2800), (20_000, 20_000)])
def test_widths_are_as_expected(deck: tuple[int, int], extended: bool) -> None:
    climb = ascend([Deck(*deck)], audited=True, extended=extended)
    expected = expected_error(Deck(*deck), extended=extended)
    assert expected / 4 <= float(climb.upper[0] - climb.lower[0]) <= expected


def test_digits_that_cannot_be_had_cost_no_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on Windows and on a Mac: fewer, and small decks are solved exactly."""
    finfo: Any = np.finfo

    def without(kind: Any) -> Any:
        return finfo(np.float64 if kind is np.longdouble else kind)

    def no_work(*_: object, **__: object) -> None:
        raise AssertionError("work was done")

    with monkeypatch.context() as patch:
        patch.setattr(staircase, "ascend", no_work)
        patch.setattr(methods, "best_reward", no_work)
        with pytest.raises(ValueError, match=r"^digits must be at most 1\d for"):
            redblack.enclosure(10**7, 10**7, digits=15)
        patch.setattr(np, "finfo", without)
        lacks = "; more need longer floats than float64, which NumPy lacks here$"
        with pytest.raises(ValueError, match=f"at most 10 .*, got 12{lacks}"):
            redblack.enclosure(10**6, 10**6, digits=12)
        with pytest.raises(ValueError, match=r"'diagonal', got 14$"):
            redblack.enclosure(60_000, 60_000, digits=14, method="diagonal")
    monkeypatch.setattr(np, "finfo", without)
    assert redblack.enclosure(300, 300, digits=15).digits == 15


def test_bounds_wider_than_expected_are_not_passed_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(certified, "_relative_width", lambda *_: 0.0)
    monkeypatch.setattr(certified, "has_extended", lambda: False)
    monkeypatch.setattr(certified, "_MOST_EXACT", 0)
    with pytest.raises(ArithmeticError, match="digits=15 were expected"):
        redblack.enclosure(3000, 3000, digits=15)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("digits", "method"),
    [
        *[(None, "auto"), (12, "diagonal")],
        pytest.param(12, "staircase", marks=needs_extended),
    ],
)
def test_many_decks(digits: int | None, method: Method) -> None:
    decks = [2050, 0, 1, 26, 2050, 300]
    result = redblack.enclosure(decks, decks, digits=digits, method=method)
    assert result.lower.shape == result.method.shape == (len(decks),)
    assert redblack.value(decks, decks, backend="exact") in result
    assert redblack.value(decks, 3, backend="exact") not in result
    assert (result.digits >= (digits or 11)).all()
    assert [end[0] for end in result] == [end[4] for end in result]
    assert result == redblack.enclosure(decks, decks, digits=digits, method=method)
    assert redblack.enclosure([], []).width.shape == (0,)


def test_arrays_of_all_kinds_of_decks() -> None:
    reds, blacks = np.arange(40).reshape(5, 8), np.array([[3], [9], [17], [30], [31]])
    result = redblack.enclosure(reds, blacks)
    assert result.lower.shape == result.digits.shape == reds.shape
    assert redblack.value(reds, blacks, backend="exact") in result
    assert result.width.max() < 1e-11
    digits = result.digits.ravel().tolist()
    assert result.to_pandas()["digits"].tolist() == digits
    one = redblack.enclosure(int(reds[2, 3]), 17)
    assert (result.lower[2, 3], result.upper[2, 3]) == tuple(one)
    large = redblack.enclosure([20_000, 300], [[20_020], [300]], method="auto")
    assert large.method.tolist() == [["staircase", "diagonal"], ["diagonal"] * 2]


@pytest.mark.parametrize("method", ["auto", "diagonal", "staircase"])
def test_decks_of_one_colour_or_worth_hardly_anything(method: Method) -> None:
    """Lower bounds are neither 0 for ease nor below it."""
    for red, black, value in ((4, 0, 4), (0, 3, 0), (0, 0, 0)):
        for digits in (None, 15):
            bounds = redblack.enclosure(red, black, digits=digits, method=method)
            assert [*bounds] == [value, value]
    slack = Fraction(1, 10**10)
    for stake in (1, 3):
        rules = Rules(win=stake, lose=stake)
        for red, black in ((1, 2), (2, 4), (3, 5), (100, 112), (1000, 1037)):
            bounds = redblack.enclosure(red, black, rules=rules, method=method)
            exact = redblack.value(red, black, rules=rules, backend="exact")
            assert exact in bounds
            assert 0 <= bounds.lower >= exact - slack
            assert bounds.upper <= exact + slack


def test_an_enclosure_is_an_interval() -> None:
    for lower, upper, digits in (
        *((1.0, 1.0, 15), (1.0, 1.09, 1), (1.0, 1.0099, 2), (2.0, 2.0 + 1.9e-7, 7)),
        *((1.0, 3.0, 0), (0.0, 1e-300, 0), (0.0, 0.0, 15)),
    ):
        assert Enclosure(lower, upper, "diagonal").digits == digits
    bounds = Enclosure(1.0, 2.0, "diagonal")
    assert (bounds.width, bounds.midpoint, float(bounds)) == (1.0, 1.5, 1.5)
    assert [*bounds] == [1.0, 2.0]
    for number in (1, Fraction(3, 2), 2.0, np.array([1.0, 2.0])):
        assert number in bounds
    tiny = Fraction(1, 10**40)
    for number in (2 + tiny, 0.999, 10**400, np.array([1.0, 3.0])):
        assert number not in bounds
    third = redblack.enclosure(1, 0, rules=Rules(win=Fraction(1, 3)))
    assert third.lower < Fraction(1, 3) < third.upper
    assert third.width < 1e-16


# Any number of digits.


@pytest.mark.parametrize(
    ("red", "black", "rules"),
    [
        (500, 500, Rules()),
        (500, 500, Rules(fee="0.02")),
        (700, 300, Rules(fee="0.4")),
        (3000, 100, Rules(lose=30)),
        (100, 3000, Rules(win=29)),
    ],
)
def test_bounds_hold_with_few_bits(red: int, black: int, rules: Rules) -> None:
    """So few that cuts are felt: cells of 40 bits, of fair and of tilted decks."""
    stakes, deck = Stakes.of(rules), Deck(red, black)
    exact = methods.best_reward(Sweep(stakes, red, black, exact=True))
    for bits in (40, 60, 100):
        sweep = CutSweep(stakes, red, black, bits)
        last = list(sweep.levels())[-1]
        assert last.cut
        if last.n == red + black or last.top >= red:
            count = scaling.binomial(red + black, red, sweep.precision)
            ends = sweep.bounds(last, deck, count)
        else:
            ends = sweep.bounds_beyond(last, deck)
        assert ends is not None
        assert ends[0] <= exact <= ends[1]
        assert ends[1] - ends[0] <= exact * 2.0 ** (20 - bits) + 2.0 ** (20 - bits)


def test_a_value_half_way_between_two_decimals() -> None:
    """No bounds that are wider than nothing agree there, but the exact value does."""
    assert redblack.value(199, 1, backend="exact") == Fraction(198005, 1000)
    assert redblack.value(199, 1, digits=5) == Decimal("198.00")
    assert redblack.value(199, 1, digits=6) == Decimal("198.005")


def test_a_deck_that_draws_for_next_to_nothing() -> None:
    """A value of 1e-40 or so, far below the cuts of the first sweep."""
    deck, low, high = (60, 62), Fraction(0), Fraction(1, 5)
    for _ in range(130):
        fee = (low + high) / 2
        if redblack.value(*deck, rules=Rules(fee=fee), backend="exact"):
            low = fee
        else:
            high = fee
    exact = redblack.value(*deck, rules=Rules(fee=low), backend="exact")
    assert 0 < exact < Fraction(1, 10**36)
    assert redblack.value(*deck, rules=Rules(fee=low), digits=3) == rounded(exact, 3)
    assert redblack.value(*deck, rules=Rules(fee=high), digits=3) == 0
