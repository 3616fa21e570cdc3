"""Reading cards: exactly, of every kind, and refused by name where they are none."""

import enum
import math
from collections import deque
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from cardgames_dp import cardrow
from cardgames_dp.cardrow import Rules
from cardgames_dp.cardrow._kernels.row import Row
from cardgames_dp.cardrow.cards import read

from .oracles import brute_force, lists


class One(enum.IntEnum):
    ONE = 1


INTEGERS = [np.dtype(kind) for kind in np.typecodes["AllInteger"]]


@given(lists())
def test_every_number_is_taken_for_what_it_is(cards: list[Any]) -> None:
    row = read("cards", cards)
    exactly = [Fraction(x) for x in cards]
    assert list(row.numbers()) == exactly
    assert row.integral == all(isinstance(x, int) for x in cards)
    denominator = math.lcm(*[x.denominator for x in exactly])
    assert row.denominator == denominator
    assert [row.exact(x) for x in row.numerators] == exactly
    kind = int if row.integral else Fraction
    assert {type(x) for x in row.numbers()} == {kind} == {type(row.exact(1))}


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integer_arrays(dtype: np.dtype[Any]) -> None:
    """Differences of unsigned and of small integers overflow unless they are cast."""
    largest = int(np.iinfo(dtype).max)
    cards = np.array([1, largest, 1], dtype)
    for value in (
        cardrow.value(cards, backend="exact"),
        cardrow.value(cards, method="diagonal", backend="exact"),
        cardrow.solve(cards, backend="exact").value,
        -cardrow.value(
            [-int(x) for x in cards], rules=Rules(misere=True), backend="exact"
        ),
    ):
        assert value == 2 - largest
        assert type(value) is int
    assert cardrow.value(cards[::-1], backend="exact") == 2 - largest


def test_bytes_of_the_source_s_bug() -> None:
    assert cardrow.value(np.array([1, 200, 1], np.uint8), backend="exact") == -198


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_float_arrays(dtype: Any) -> None:
    cards = np.array([0.1, 0.3, 0.1, 2.5], dtype)
    exactly = [Fraction(*x.as_integer_ratio()) for x in cards]
    assert cardrow.value(cards, backend="exact") == brute_force(exactly)
    assert list(read("cards", cards).numbers()) == exactly


@pytest.mark.parametrize(
    "cards",
    [
        (1, 5, 2),
        iter([1, 5, 2]),
        (x for x in (1, 5, 2)),
        deque([1, 5, 2]),
        {0: 1, 1: 5, 2: 2}.values(),
        pd.Series([1, 5, 2]),
        np.array([1, 5, 2], object),
        np.array([1, 5, 2]).astype(">i4"),
        np.ma.masked_array([1, 5, 2]),
        [np.int8(1), 5, np.uint64(2)],
        [One.ONE, 5, 2],
    ],
    ids=lambda cards: type(cards).__name__,
)
def test_iterables(cards: Any) -> None:
    row = read("cards", cards)
    assert row == Row([1, 5, 2], 1, integral=True)
    assert {type(x) for x in row.numerators} == {int}


def test_the_argument_stays_as_it_is() -> None:
    cards = [3, 1, 2]
    table = cardrow.solve(cards, backend="exact")
    cards[0] = 9
    assert table.cards == (3, 1, 2)
    for function in (cardrow.value, cardrow.Position, cardrow.match):
        given_cards = [3, 1, 2]
        function(given_cards)
        assert given_cards == [3, 1, 2]


def test_large_and_small_numbers_need_not_fit_in_a_float() -> None:
    assert cardrow.value([Decimal("1e400"), Decimal("1e-400")], backend="exact") == (
        Fraction(10**800 - 1, 10**400)
    )
    assert cardrow.value([5e-324, 1e308], backend="exact") == Fraction(
        1e308
    ) - Fraction(5e-324)
    largest: Any = np.finfo(np.longdouble).max
    assert cardrow.value([largest], backend="exact") == Fraction(
        *largest.as_integer_ratio()
    )


def naive_ends(cards: list[float]) -> tuple[float, float]:
    """Return what the ends are worth as a recursion in floats finds it."""
    if len(cards) == 1:
        return cards[0], cards[0]
    left, right = max(naive_ends(cards[1:])), max(naive_ends(cards[:-1]))
    return cards[0] - left, cards[-1] - right


def test_tenths() -> None:
    """As decimals they tie, as binary fractions they are told apart exactly.

    A recursion in floats takes one for the other now and then.
    """
    assert cardrow.value(list(map(Decimal, ("0.1", "0.3", "0.2")))) == 0
    assert Fraction(0.2) - Fraction(0.3) + Fraction(0.1) > 0
    assert cardrow.value([0.1, 0.3, 0.2]) > 0
    rng, wrong = np.random.default_rng(5), 0
    for tenths in rng.integers(1, 8, (200, 7)).tolist():
        floats = [x / 10 for x in tenths]
        exactly = [Fraction(x) for x in floats]
        left = exactly[0] - brute_force(exactly[1:])
        right = exactly[-1] - brute_force(exactly[:-1])
        assert tuple(cardrow.Position(floats).advice().values.values()) == (left, right)
        naive = naive_ends(floats)
        wrong += (left > right, left < right) != (
            naive[0] > naive[1],
            naive[0] < naive[1],
        )
        as_decimals = cardrow.Position([Decimal(x) / 10 for x in tenths]).advice()
        assert as_decimals.best == cardrow.Position(tenths).advice().best
    assert wrong > 4


READERS = [
    cardrow.value,
    cardrow.Position,
    cardrow.match,
    cardrow.brute_force,
    cardrow.solve,
    Rules().game,
]

NOT_CARDS: list[tuple[Any, type[Exception], str]] = [
    ([], ValueError, r"cards must hold at least one card, got none"),
    (np.array([], int), ValueError, r"cards must hold at least one card, got none"),
    (3, TypeError, r"cards must be an iterable of numbers .*, got 3 of type int"),
    (None, TypeError, r"cards must be an iterable .*, got None of type NoneType"),
    (" ,", ValueError, r"cards must hold at least one card, got none"),
    (b"12", TypeError, r"cards must be an iterable .*, got b'12' of type bytes"),
    ({1, 2}, TypeError, r"from left to right, got {1, 2} of type set"),
    ({1: 2}, TypeError, r"from left to right, got {1: 2} of type dict"),
    ([1, True], TypeError, r"cards\[1\] must be a finite .*, got True of type bool"),
    ([np.True_], TypeError, r"cards\[0\] must be .* of type bool"),
    (np.array([True]), TypeError, r"cards\[0\] must be .* of type bool"),
    ([1, "two"], ValueError, r"cards\[1\] must be .* as text, .*, got 'two'"),
    ([1, b"2"], TypeError, r"cards\[1\] must be .*, got b'2' of type bytes"),
    (["nan"], ValueError, r"cards\[0\] must be a finite .*, got 'nan'"),
    (["1/0"], ValueError, r"cards\[0\] must be a finite .*, got '1/0'"),
    (["1e999999999"], ValueError, r"cards\[0\] must have at most \d+ digits"),
    ([1j], TypeError, r"cards\[0\] must be .*, got 1j of type complex"),
    (np.array([1j]), TypeError, r"cards\[0\] must be .* of type complex"),
    ([None], TypeError, r"cards\[0\] must be .*, got None of type NoneType"),
    ([[1, 2]], TypeError, r"cards\[0\] must .* cardrow\.values is f"),
    (
        np.ones((2, 2)),
        TypeError,
        r"shape \(2, 2\); cardrow\.values is f",
    ),
    (np.array(3), TypeError, r"cards must be one row of numbers, got .* shape \(\)$"),
    ([1.0, math.nan], ValueError, r"cards\[1\] must be a finite .*, got nan"),
    ([1, math.inf], ValueError, r"cards\[1\] must be a finite .*, got inf"),
    ([-math.inf], ValueError, r"cards\[0\] must be a finite .*, got -inf"),
    (np.array([1, np.nan]), ValueError, r"cards\[1\] must be a finite .*, got nan"),
    ([Decimal("NaN")], ValueError, r"cards\[0\] must .*, got Decimal\('NaN'\)"),
    ([Decimal("sNaN")], ValueError, r"cards\[0\] must .*, got Decimal\('sNaN'\)"),
    ([1, Decimal("-Infinity")], ValueError, r"cards\[1\] .*, got Decimal\('-Inf"),
    ([np.float32("inf")], ValueError, r"cards\[0\] must be a finite .*inf"),
]


@pytest.mark.parametrize("function", READERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(("bad", "error", "message"), NOT_CARDS)
def test_what_is_no_row_of_cards(
    function: Any, bad: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        function(bad)
    assert type(caught.value) is error


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        ([], ValueError, "rows must hold at least one row, got none"),
        (3, TypeError, "rows must be an iterable of rows of cards, got 3 of type int"),
        ("ab", TypeError, "rows must be an iterable of rows of cards, got 'ab'"),
        ({1: [2]}, TypeError, "rows must be an iterable of rows of cards, got {1"),
        (
            [1, 2],
            TypeError,
            r"rows\[0\] must be a row, an iterable of numbers, got 1 of",
        ),
        ([[1], []], ValueError, r"rows\[1\] must hold at least one card, got none"),
        ([[1], [2, None]], TypeError, r"rows\[1\]\[1\] must be .*, got None of type"),
        (
            np.array([1, 2]),
            TypeError,
            r"rows\[0\] must be a row, an iterable of numbers",
        ),
    ],
)
def test_what_are_no_rows(bad: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cardrow.values(bad, backend="exact")


def test_numbers_written_as_text() -> None:
    """Tenths are tenths, and what comes out is exact."""
    texts: list[Any] = ["0.1", "1/3", "-2", "1e1", np.str_("0.5")]
    numbers = [Fraction(str(text)) for text in texts]
    assert cardrow.value(texts, backend="exact") == cardrow.value(
        numbers, backend="exact"
    )
    assert (
        cardrow.values([texts, texts], backend="exact").tolist()
        == [cardrow.value(numbers, backend="exact")] * 2
    )
    rules = Rules(weights=texts)
    assert rules.weights == tuple(numbers)
    assert rules == Rules(weights=numbers)
    assert cardrow.Mixed({"larger": "0.7", "random": "0.3"}) == cardrow.Mixed(
        {"larger": 7, "random": 3}
    )
