"""Reading cards: exactly, of every kind."""

import enum
from collections import deque
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from cardgames_dp import cardrow
from cardgames_dp.cardrow import Rules, State, game, solve, value
from cardgames_dp.cardrow.rules import codes_of, signed, word_of, words

from .oracles import brute_force, lists


class One(enum.IntEnum):
    ONE = 1


def read(cards: Any) -> tuple[Any, ...]:
    return Rules().worths(cards)[0]


@given(lists())
def test_every_number_is_taken_for_what_it_is(cards: list[Any]) -> None:
    result = read(cards)
    assert [*result] == [Fraction(x) for x in cards]
    integral = all(isinstance(x, int) for x in cards)
    assert {*map(type, result)} == {int if integral else Fraction}
    assert read([str(Fraction(x)) for x in cards]) == result
    assert Rules(weights=cards).weights == result


INTEGERS = [np.dtype(kind) for kind in np.typecodes["AllInteger"]]


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integer_arrays(dtype: np.dtype[Any]) -> None:
    """Differences of unsigned and of small integers overflow unless they are cast."""
    largest = int(np.iinfo(dtype).max)
    cards = np.array([1, largest, 1], dtype)
    for result in (
        value(cards, backend="exact"),
        value(cards[::-1], backend="exact"),
        value(cards, method="diagonal", backend="exact"),
    ):
        assert (result, type(result)) == (2 - largest, int)
    assert cardrow.solve(cards, backend="exact").value == 2 - largest


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_float_arrays(dtype: Any) -> None:
    cards = np.array([0.1, 0.3, 0.1, 2.5], dtype)
    exactly = [Fraction(*x.as_integer_ratio()) for x in cards]
    assert [*read(cards)] == exactly
    assert value(cards, backend="exact") == brute_force(exactly)


@pytest.mark.parametrize(
    "cards",
    [
        *((1, 5, 2), iter([1, 5, 2]), (x for x in (1, 5, 2)), deque([1, 5, 2])),
        *({0: 1, 1: 5, 2: 2}.values(), pd.Series([1, 5, 2])),
        *(np.array([1, 5, 2], object), np.array([1, 5, 2]).astype(">i4")),
        *(np.ma.masked_array([1, 5, 2]), [np.int8(1), 5, np.uint64(2)]),
        *([One.ONE, 5, 2], "1 5 2", "1, 5,2"),
    ],
    ids=lambda cards: type(cards).__name__,
)
def test_iterables(cards: Any) -> None:
    result = read(cards)
    assert result == (1, 5, 2)
    assert {*map(type, result)} == {int}


def test_letters_and_numbers_in_text() -> None:
    assert read("A 5 7 K 4 9") == read(["A", 5, 7, "K", 4, 9]) == (14, 5, 7, 13, 4, 9)
    assert read("j,q,k,a") == (11, 12, 13, 14)
    assert read("1/2 0.1 -3 1e1") == (Fraction(1, 2), Fraction(1, 10), -3, 10)
    assert read(["A", 0.5]) == (14, Fraction(1, 2))
    assert read("1_000 1_0/2") == (1000, 5)
    assert cardrow.values(["A 5 7", [3, "J"]]).tolist() == [12, 8]
    assert Rules(weights="0.1 3") == Rules(weights=[Fraction(1, 10), 3])


def test_the_argument_stays_as_it_is() -> None:
    cards = [3, 1, 2]
    row = game(cards)
    for function in (value, solve, cardrow.match):
        function(cards)
        assert cards == [3, 1, 2]
    cards[0] = 9
    assert row.cards == (3, 1, 2)


def test_large_and_small_numbers_need_not_fit_in_a_float() -> None:
    pairs: list[Any] = [(Decimal("1e400"), Decimal("1e-400")), (1e308, 5e-324)]
    for pair in pairs:
        one, other = map(Fraction, pair)
        assert value(pair, backend="exact") == one - other
    largest: Any = np.finfo(np.longdouble).max
    assert value([largest], backend="exact") == Fraction(*largest.as_integer_ratio())


def test_tenths() -> None:
    """As decimals they tie; as binary fractions they are told apart, exactly."""
    assert value([Decimal("0.1"), Decimal("0.3"), Decimal("0.2")]) == 0
    assert value([0.1, 0.3, 0.2]) > 0
    assert 0.1 - (0.8 - 0.7) != 0.7 - (0.8 - 0.1)
    start = State(0, 2)
    assert solve([0.1, 0.8, 0.7]).advice(start).tie
    assert solve([2.0**60, 1, 2**60 + 1]).advice(start).best == ("right",)


def test_cards_that_are_put_back_have_no_end() -> None:
    rows = cardrow.deal(3, 60, deck=[1, 5], replace=True, rng=1)
    assert (rows.shape, {*rows.ravel().tolist()}) == ((3, 60), {1, 5})


def test_rules_and_turns_are_values() -> None:
    rules = Rules(take=2, misere=True, tie="left", weights=[0.5, Decimal("0.25")])
    assert rules == Rules(2, 2, True, np.array([0.5, 0.25]), "left")
    assert rules != Rules(2, 2, True, [1, 3], "left")
    assert hash(rules) == hash(Rules(2, 2, True, ("1/2", "1/4"), "left"))
    assert rules.worths([5, 6]) == ((5, 6), (Fraction(1, 2), Fraction(1, 4)))
    assert Rules(players=3).worths([5]) == ((5,), (5,), (5,))
    turns = np.array([-300, -2, -1, 1, 2, 300])
    codes = codes_of(turns)
    assert (signed(codes) == turns).all()
    assert [words(300)[code] for code in codes] == [*map(word_of, turns.tolist())]
    assert words(2) == ("left", "right", "2 from the left", "2 from the right")
