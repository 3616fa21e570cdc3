"""The amounts of the rules and what a utility answers: taken as given, or refused."""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import diagonal, exact, redblack
from cardgames_dp.game import check
from cardgames_dp.redblack import Rules
from tests.redblack.strategies import linear_rules, utility_rules


@pytest.mark.parametrize("name", ["win", "lose", "fee"])
@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        (-1, ValueError, "got -1"),
        (Fraction(-1, 2), ValueError, "got Fraction"),
        (-0.5, ValueError, r"got -0\.5"),
        (float("nan"), ValueError, "got nan"),
        (float("inf"), ValueError, "got inf"),
        (np.float32("inf"), ValueError, "inf"),
        (Decimal("-0.1"), ValueError, r"got Decimal\('-0\.1'\)"),
        (Decimal("NaN"), ValueError, r"got Decimal\('NaN'\)"),
        (Decimal("sNaN"), ValueError, r"got Decimal\('sNaN'\)"),
        (Decimal("Infinity"), ValueError, r"got Decimal\('Infinity'\)"),
        (Decimal("-Infinity"), ValueError, r"got Decimal\('-Infinity'\)"),
        (True, TypeError, "got True of type bool"),
        (np.True_, TypeError, "of type bool"),
        ("-0.1", ValueError, "got '-0.1'"),
        ("-1/20", ValueError, "got '-1/20'"),
        ("a tenth", ValueError, "got 'a tenth'"),
        ("", ValueError, "got ''"),
        ("1/0", ValueError, "got '1/0'"),
        ("0.1/2", ValueError, "got '0.1/2'"),
        ("0,05", ValueError, "got '0,05'"),
        ("nan", ValueError, "got 'nan'"),
        ("inf", ValueError, "got 'inf'"),
        (b"1", TypeError, "got b'1' of type bytes"),
        (1j, TypeError, "of type complex"),
        (None, TypeError, "of type NoneType"),
    ],
)
def test_amounts(name: str, bad: Any, error: type[Exception], message: str) -> None:
    expected = (
        rf"^{name} must be a finite int, Fraction, Decimal or float >= 0, .*{message}"
    )
    with pytest.raises(error, match=expected):
        Rules(**{name: bad})


def test_amounts_are_taken_for_what_they_are() -> None:
    assert Rules(win=0.1).gain == Fraction(0.1) != Fraction(1, 10)
    of_numpy: dict[str, Any] = {"win": np.float32(0.5), "lose": np.int16(2)}
    assert Rules(**of_numpy, fee=Fraction(1, 3)).cost == Fraction(7, 3)
    assert Rules(win=1, fee=2).gain == -1


def test_decimal_amounts_are_exact() -> None:
    decimal, fraction = Rules(fee=Decimal("0.05")), Rules(fee=Fraction(1, 20))
    assert (decimal.gain, decimal.cost) == (Fraction(19, 20), Fraction(21, 20))
    assert decimal == fraction != Rules(fee=0.05)
    assert hash(decimal) == hash(fraction)
    assert redblack.value(3, 4, rules=decimal, backend="exact") == redblack.value(
        3, 4, rules=fraction, backend="exact"
    )
    assert Rules(win=Decimal("1e400")).gain == 10**400  # no float is so large


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.05", Fraction(1, 20)),
        ("1/20", Fraction(1, 20)),
        (" 2 ", 2),
        ("1e-3", Fraction(1, 1000)),
        ("1e400", 10**400),
    ],
)
def test_amounts_in_text_are_exact(text: str, number: Fraction | int) -> None:
    rules = Rules(win=number, lose=number, fee=number)
    assert Rules(win=text, lose=text, fee=text) == rules
    assert hash(Rules(fee=text)) == hash(Rules(fee=number))
    assert redblack.StopAtCash(text) == redblack.StopAtCash(number)


@pytest.mark.parametrize("long", ["1e999999999", "1e-999999999"])
def test_amounts_of_too_many_digits(long: str) -> None:
    """A few letters that would fill the memory if they were taken at their word."""
    for amount in (long, Decimal(long)):
        with pytest.raises(ValueError, match=r"^fee must have at most 4000 digits"):
            Rules(fee=amount)
    assert Rules(fee="0e999999").fee == 0
    for number in (10**5000, Fraction(1, 10**5000), "1" * 5000):
        with pytest.raises(ValueError, match=r"^win must have at most 4000 digits"):
            Rules(win=number)
    assert repr(Rules(win=10**4000 - 1)).startswith("Rules(win=999")


def test_other_fields_of_rules() -> None:
    with pytest.raises(TypeError, match=r"utility must be None or a callable .* got 3"):
        Rules(utility=3)  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match=r"tie must be one of 'stop', 'draw', got 'no'"
    ):
        Rules(tie="no")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"tie must be one of"):
        Rules(tie=True)  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        Rules().win = 2  # type: ignore[misc]


BAD_UTILITIES: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda cash: None, TypeError, "got None of type NoneType at cash"),
    (lambda cash: "rich", TypeError, "got 'rich' of type str at cash"),
    (lambda cash: cash.tolist(), TypeError, "raised AttributeError: .*'tolist'"),
    (lambda cash: cash[:0], TypeError, "raised TypeError: .*not subscriptable"),
    (lambda cash: cash > 0, TypeError, "got (an array of dtype )?(bool|True|False)"),
    (lambda cash: bool(cash > 0), TypeError, "got (True|False) of type bool at cash"),
    (math.log, ValueError, "raised ValueError: .* at cash (-|0)"),
    (lambda cash: 1 / int(cash), ValueError, "raised ZeroDivisionError: .* at cash 0"),
    (lambda cash: 2**cash.size, TypeError, "raised AttributeError: .*'size'"),
    (lambda cash: np.full(cash.shape, "1"), TypeError, "dtype <U1"),
    (lambda cash: cash.astype(float) * 1j, TypeError, "dtype complex128"),
    (
        lambda cash: cash.astype(float) * np.nan,
        ValueError,
        "or -inf for ruin, got nan at cash",
    ),
    (lambda cash: cash.astype(float) * 0 + np.inf, ValueError, "for ruin, got inf"),
    (lambda cash: math.nan, ValueError, "for ruin, got nan at cash"),
    (lambda cash: math.inf, ValueError, "for ruin, got inf at cash"),
]


@pytest.mark.parametrize("backend", ["float64", "exact"])
@pytest.mark.parametrize(("utility", "error", "message"), BAD_UTILITIES)
def test_answers_of_a_utility(
    utility: Callable[[Any], Any], error: type[Exception], message: str, backend: Any
) -> None:
    rules = Rules(utility=utility)
    for function in (redblack.value, redblack.solve, redblack.distribution):
        with pytest.raises(error, match=message):
            function(3, 3, rules=rules, backend=backend)


def test_objects_among_the_answers() -> None:
    rules = Rules(utility=lambda cash: np.array([None] * len(cash), dtype=object))
    with pytest.raises(TypeError, match="int, Fraction or float numbers, got None"):
        redblack.value(2, 2, rules=rules, backend="exact")
    with pytest.raises(TypeError, match="int, Fraction or float numbers, got None"):
        redblack.value(2, 2, rules=rules)


def test_a_utility_without_fractions_gets_floats() -> None:
    """Where those are exact; its results are then exactly the floats that they are."""
    rules = Rules(win=0.5, utility=lambda cash: -np.exp(-cash))
    value = redblack.value(1, 1, rules=rules, backend="exact")
    best_of_red = Fraction(float(-np.exp(np.array([-0.5]))[0]))
    assert value == max(-1, (best_of_red + Fraction(float(-np.exp(0.5)))) / 2)
    thirds = Rules(win=Fraction(1, 3), utility=np.exp)
    with pytest.raises(TypeError, match=r"takes no Fractions, .* is not a float64"):
        redblack.value(1, 1, rules=thirds, backend="exact")


def test_a_utility_cannot_spoil_our_arrays() -> None:
    def doubled(cash: Any) -> Any:
        cash *= 2
        return cash

    plain = redblack.solve(4, 4, rules=Rules(utility=lambda cash: 2 * cash))
    spoiled = redblack.solve(4, 4, rules=Rules(utility=doubled))
    assert np.array_equal(plain.values, spoiled.values)
    cash = np.array([1.0, 2.0])
    assert Rules(utility=doubled).reward(cash).tolist() == [2.0, 4.0]
    assert cash.tolist() == [1.0, 2.0]


def test_errors_of_a_utility_come_through() -> None:
    def broken(cash: Any) -> Any:
        raise KeyError("mine", len(cash))

    for backend in ("float64", "exact"):
        with pytest.raises(KeyError, match="mine") as caught:
            redblack.value(2, 2, rules=Rules(utility=broken), backend=backend)
        assert caught.value.__notes__ == ["(raised by utility, given an array of cash)"]


def test_cash_of_any_size() -> None:
    assert Rules(fee="1/2").cash(10**400, 0) == Fraction(10**400, 2)
    assert Rules().exact_reward([10**400]) == [10**400]  # type: ignore[list-item]
    for bad in (np.longdouble("1e4000"), 10**400, Fraction(10**400)):
        with pytest.raises(
            ValueError, match=r"^cash must be numbers that fit in float"
        ):
            Rules().reward(bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^red_drawn must be an integer >= 0, got -1"):
        Rules().cash(-1, 0)
    assert repr(Rules().game(10**5000, 1)).startswith("RedBlackGame(rules=Rules(win=1")


@given(
    deck=st.tuples(st.integers(0, 5), st.integers(0, 5)),
    rules=linear_rules | utility_rules,
)
def test_the_game_for_arrays_is_the_same(deck: tuple[int, int], rules: Rules) -> None:
    plain = exact.solve(rules.game(*deck))
    solution: Any = exact.solve(rules.game(*deck, arrays=True))
    words, moments = ("", "stop", "draw"), {"": 0, "stop": 1, "draw": 2}
    for state, values in plain.values.items():
        row = np.array([[state.red, state.black, moments[state.decision]]])
        assert tuple(solution.values(row)[0]) == values
        if state in plain.policy:
            assert words[solution.policy(row).item()] == plain.policy[state]
    assert solution.value == (redblack.value(*deck, rules=rules, backend="exact"),)
    floats = diagonal.solve(rules.game(*deck, arrays=True))
    assert abs(Fraction(floats.value[0]) - solution.value[0]) <= floats.error


def test_a_large_deck_in_arrays() -> None:
    found = diagonal.solve(Rules().game(300, 280, arrays=True))
    assert abs(found.value[0] - redblack.value(300, 280)) <= found.error < 1e-9
    check(Rules(fee="1/10").game(9, 9, arrays=True), rng=1)
