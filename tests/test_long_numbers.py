"""Exact results that are too long for Python to print, on every way to be seen."""

import json
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact, pairs, play, redblack
from cardgames_dp._results import records
from cardgames_dp._support import printing
from cardgames_dp._support.printing import exact_text
from cardgames_dp.game import Solution

Table = Solution[redblack.State, Any, Fraction]

HUGE = Fraction(-(10**5000) - 1, 3 * 10**4500 + 1)


def test_exact_results_are_fractions() -> None:
    """However long they are: what is computed from them is of the same kind."""
    for value in (
        redblack.value(7200, 0, backend="exact"),
        redblack.value(1100, 1100, backend="exact"),
        redblack.foresight_value(1100, 1100, backend="exact"),
        redblack.Rules(win=Fraction(10**700 + 1, 7**828)).gain,
    ):
        assert type(value) is type(value * 2) is Fraction
    value = redblack.value(26, 26, backend="exact")
    assert repr(value) == "Fraction(41984711742427, 15997372030584)"


@given(st.integers(), st.integers(1, 10**30), st.integers(0, 9000))
def test_written_numbers_are_read_back(top: int, bottom: int, zeros: int) -> None:
    number = Fraction(top * 10**zeros + 1, bottom)
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert Fraction(exact_text(number)) == number
    finally:
        sys.set_int_max_str_digits(before)


def test_plain_data_of_long_numbers() -> None:
    data = {"x": HUGE, "n": -(10**5000), "m": 10**20, "t": (Fraction(1, 2),)}
    assert records.plain(data) == data
    result = json.loads(json.dumps(records.plain(data, json=True), allow_nan=False))
    assert result["x"] == printing.exact_text(HUGE)
    assert result["n"] == "-1" + 5000 * "0"
    assert result["m"] == 10**20
    assert result["t"] == ["1/2"]


@pytest.fixture(scope="module")
def table() -> Table:
    """A small deck with long amounts: their difference has 7700 digits."""
    win, fee = Fraction(10**3900 + 1, 7**4600), Fraction(1, 11**3700)
    rules = redblack.Rules(win=win, fee=fee)
    return redblack.solve(4, 3, rules=rules, backend="exact")


def law(table: Table) -> play.Distribution[Fraction]:
    return play.distribution(table, backend="exact").returns[0]


def small(table: Table) -> Any:
    return redblack.game(2, 2, rules=table.game.rules)


def draw(_: redblack.State) -> str:
    return "draw"


SHOWN: list[Callable[[Table], Any]] = [
    lambda _: play.distribution(redblack.solve(60, 60), backend="exact").moves,
    lambda table: table,
    lambda table: table.advice(redblack.State(4, 3)),
    lambda table: table.advice(redblack.State(1, 3)),
    redblack.boundary,
    lambda table: table.game.rules,
    law,
    lambda table: exact.solve(small(table)),
    lambda table: exact.solve(small(table)).values,
    lambda table: play.Position(exact.solve(small(table))),
    lambda table: play.evaluate(small(table), draw, backend="exact"),
    lambda table: play.best_response(small(table), draw, 0, backend="exact"),
    lambda table: play.regret(small(table), draw, backend="exact"),
    lambda table: play.distribution(small(table), draw, backend="exact"),
]
"""What the library prints; a number alone is Python's to print, an array NumPy's."""


@pytest.mark.parametrize("show", SHOWN)
def test_every_way_to_be_seen(show: Callable[[Table], Any], table: Table) -> None:
    result = show(table)
    assert repr(result)
    assert str(result)
    assert format(result)
    if hasattr(result, "_repr_html_"):
        assert result._repr_html_()
    if hasattr(result, "to_dict") and not hasattr(result, "columns"):
        json.dumps(records.plain(list(result.to_dict().items()), json=True))


def test_the_numbers_of_the_tests_are_long_enough(
    table: Table,
) -> None:
    """Else those above could not fail."""
    for number in (table.value, law(table).mean, law(table).support[0]):
        with pytest.raises(ValueError, match="Exceeds the limit"):
            repr(number)


@pytest.mark.parametrize("how", [{"target": 10**5000}, {"deck": {10**5000: 1, 3: 2}}])
def test_rules_of_pairs(how: Any) -> None:
    assert "1000000000..." in repr(pairs.Rules(**how))
    assert "(10, 10)), target=31" in repr(pairs.Rules())
