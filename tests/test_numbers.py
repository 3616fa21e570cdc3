"""Exact results that are too long for Python to print, on every way to be seen."""

import copy
import json
import pickle
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact, play, redblack
from cardgames_dp._results import records
from cardgames_dp._support import printing
from cardgames_dp._support.printing import (
    LongFraction,
    printable,
    written,
)

HUGE = printable(Fraction(-(10**5000) - 1, 3 * 10**4500 + 1))
LIMIT = 640
"""The lowest limit that Python can be given: with it, decks of 1100 are too long."""


@pytest.fixture
def low_limit() -> Iterator[None]:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(LIMIT)
    yield
    sys.set_int_max_str_digits(before)


def test_a_long_fraction_is_the_fraction_that_it_is() -> None:
    plain = Fraction(HUGE.numerator, HUGE.denominator)
    assert type(HUGE) is LongFraction
    assert type(plain) is Fraction
    assert plain == HUGE
    assert hash(plain) == hash(HUGE)
    assert type(HUGE + 1) is type(HUGE * HUGE) is type(-HUGE) is Fraction
    assert plain + 1 == HUGE + 1
    assert HUGE < 0 < -HUGE
    for other in (
        pickle.loads(pickle.dumps(HUGE)),
        copy.copy(HUGE),
        copy.deepcopy(HUGE),
    ):
        assert type(other) is LongFraction
        assert other == HUGE
    with pytest.raises(AttributeError):
        HUGE.name = 1  # type: ignore[attr-defined]


def test_a_long_fraction_in_print() -> None:
    text = (
        "Fraction(-1000000000..., 3000000000...): 5001 and 4501 digits, "
        "about -3.33333333333e+499; digits() has all"
    )
    assert repr(HUGE) == str(HUGE) == f"{HUGE}" == text
    assert text in repr(np.array([HUGE], dtype=object))
    assert isinstance(HUGE, LongFraction)
    numerator, _, denominator = HUGE.digits().partition("/")
    assert numerator == "-1" + 4999 * "0" + "1"
    assert denominator == "3" + 4499 * "0" + "1"
    third = printable(Fraction(10**5000 + 1, 3 * 10**5000))
    assert f"{third:.4f}" == "0.3333"
    assert f"{third:>12.4f}" == "      0.3333"


def test_without_a_limit_all_digits_are_shown() -> None:
    """And what is short enough for the limit shows them anyway."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert repr(HUGE) == f"Fraction({HUGE.numerator}, {HUGE.denominator})"
        assert str(HUGE) == f"{HUGE.numerator}/{HUGE.denominator}"
    finally:
        sys.set_int_max_str_digits(before)
    long = printable(Fraction(10**1000 + 1, 7))
    assert type(long) is LongFraction
    assert repr(long) == f"Fraction({10**1000 + 1}, 7)"


def test_what_python_prints_stays_as_it_is() -> None:
    assert type(printable(Fraction(2, 3))) is Fraction
    below = Fraction(10**632, 7)
    assert type(printable(below)) is Fraction
    value = redblack.value(26, 26, backend="exact")
    assert type(value) is Fraction
    assert repr(value) == "Fraction(41984711742427, 15997372030584)"


@given(st.integers(), st.integers(1, 10**30), st.integers(0, 9000))
def test_written_numbers_are_read_back(top: int, bottom: int, zeros: int) -> None:
    number = Fraction(top * 10**zeros + 1, bottom)
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert Fraction(written(number)) == number
    finally:
        sys.set_int_max_str_digits(before)


def test_plain_data_of_long_numbers() -> None:
    data = {"x": HUGE, "n": -(10**5000), "m": 10**20, "t": (Fraction(1, 2),)}
    assert records.plain(data) == data
    found = json.loads(json.dumps(records.plain(data, json=True), allow_nan=False))
    assert found["x"] == printing.written(HUGE)
    assert found["n"] == "-1" + 5000 * "0"
    assert found["m"] == 10**20
    assert found["t"] == ["1/2"]


@pytest.fixture(scope="module")
def table() -> redblack.Solution[Any]:
    """A small deck with long amounts."""
    win = Fraction(10**700 + 1, 7**828)
    return redblack.solve(4, 3, rules=redblack.Rules(win=win), backend="exact")


def law(table: redblack.Solution[Any]) -> play.Distribution[Fraction]:
    return redblack.distribution(4, 3, rules=table.rules, backend="exact").payoff


SHOWN: list[Callable[[redblack.Solution[Any]], Any]] = [
    lambda table: redblack.value(1100, 1100, backend="exact"),
    lambda table: redblack.value([0, 2, 1100], [0, 2, 1100], backend="exact"),
    lambda table: redblack.foresight_value(1100, 1100, backend="exact"),
    lambda table: redblack.distribution(60, 60, backend="exact").moves,
    lambda table: table,
    lambda table: table.value,
    lambda table: table.values,
    lambda table: table.totals,
    lambda table: table.advice(red=4, black=3),
    lambda table: table.advice(red=4, black=3).margin,
    lambda table: table.advice(red=1, black=3),
    lambda table: table.boundary,
    lambda table: table.to_pandas(),
    law,
    lambda table: law(table).mean,
    lambda table: law(table).variance,
    lambda table: law(table).support,
    lambda table: law(table).quantile(0.7),
    lambda table: law(table).cdf(3),
    lambda table: law(table).to_dict(),
    lambda table: law(table).to_pandas(),
    lambda table: table.rules.cash(3, 1),
    lambda table: table.rules.gain,
    lambda table: exact.solve(table.rules.game(2, 2)),
    lambda table: exact.solve(table.rules.game(2, 2)).values,
    lambda table: exact.solve(table.rules.game(2, 2)).to_pandas(),
]


@pytest.mark.usefixtures("low_limit")
@pytest.mark.parametrize("show", SHOWN)
def test_every_way_to_be_seen(
    show: Callable[[redblack.Solution[Any]], Any], table: redblack.Solution[Any]
) -> None:
    result = show(table)
    assert repr(result)
    assert str(result)
    assert format(result)
    if hasattr(result, "_repr_html_"):
        assert result._repr_html_()
    if hasattr(result, "to_dict") and not hasattr(result, "columns"):
        json.dumps(records.plain(list(result.to_dict().items()), json=True))


def test_the_limit_of_the_tests_is_low_enough(table: redblack.Solution[Any]) -> None:
    """Else those above could not fail."""
    for number in (
        redblack.value(1100, 1100, backend="exact"),
        table.value,
        law(table).mean,
    ):
        assert len(str(Decimal(number.numerator))) > LIMIT
