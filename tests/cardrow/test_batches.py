"""Many rows at once: each is worth what it is alone, whatever they are given as."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import cardrow, running
from cardgames_dp.cardrow import Rules
from cardgames_dp.cardrow._kernels import values

from .oracles import lists, rules


def one_by_one(rows: Any, rules: Rules | None = None) -> list[Any]:
    return [cardrow.value(row, rules=rules, backend="exact") for row in rows]


def same(found: Any, expected: list[Any]) -> None:
    assert found.shape == (len(expected),)
    assert found.tolist() == expected
    assert list(map(type, found.tolist())) == list(map(type, expected))


@given(st.lists(lists(6), min_size=1, max_size=8), rules)
def test_ragged_rows_of_any_numbers(rows: list[Any], rules: Rules) -> None:
    same(cardrow.values(rows, rules=rules, backend="exact"), one_by_one(rows, rules))


@given(
    st.integers(1, 7).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(-(2**40), 2**40), min_size=n, max_size=n), min_size=1
        )
    ),
    rules,
)
def test_matrices(rows: list[list[int]], rules: Rules) -> None:
    expected = one_by_one(rows, rules)
    for given_as in (np.array(rows), rows, tuple(rows), iter(rows)):
        found = cardrow.values(given_as, rules=rules, backend="exact")
        assert found.dtype == np.int64
        assert found.tolist() == expected


@given(st.data(), st.booleans(), st.integers(1, 3))
def test_weights(data: Any, misere: bool, take: int) -> None:
    n = data.draw(st.integers(1, 5))
    row = st.lists(st.integers(-9, 9) | st.fractions(-3, 3), min_size=n, max_size=n)
    rules = Rules(weights=data.draw(row), misere=misere, take=take)
    rows = data.draw(st.lists(row, min_size=1, max_size=6))
    same(cardrow.values(rows, rules=rules, backend="exact"), one_by_one(rows, rules))


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint64, np.int64, np.float32])
@pytest.mark.parametrize("cards", [1, 2, 127, 128, 129])
def test_dtypes_on_both_sides_of_what_is_short(dtype: Any, cards: int) -> None:
    rng = np.random.default_rng(cards)
    rows = rng.integers(0, 100, (5, cards)).astype(dtype)
    rows[0] = 127 * (np.arange(cards) % 2)  # differences that an int8 cannot hold
    same(cardrow.values(rows, backend="exact"), one_by_one(rows))


def test_more_rows_than_are_swept_at_a_time() -> None:
    rows = cardrow.deal(values._MOST_SIDE_BY_SIDE // 3 + 10, 4, rng=1)
    found = cardrow.values(rows, backend="exact")
    assert found.tolist() == one_by_one(rows)
    assert (found[-20:] == cardrow.values(rows[-20:], backend="exact")).all()


@pytest.mark.parametrize("size", [2**61, 2**62, 2**63 - 1, 2**63, 10**30])
def test_sums_that_leave_an_int64(size: int) -> None:
    rows = [[size, -size, size], [-size, size, -size], [1, 2, 3]]
    found = cardrow.values(rows, backend="exact")
    assert found.tolist() == one_by_one(rows)
    assert found.dtype == (np.int64 if 3 * size < 2**63 else object)
    if size < 2**64:
        unsigned = np.array([[size, 0, 1], [0, size, 1]], np.uint64)
        assert cardrow.values(unsigned, backend="exact").tolist() == one_by_one(
            unsigned
        )


def test_integers_and_fractions_keep_their_kinds() -> None:
    found = cardrow.values([[1, 5, 1], [Decimal("0.1"), 1, 0.5], [2]], backend="exact")
    assert found.tolist() == [-3, Fraction(-2, 5), 2]
    assert [type(x) for x in found] == [int, Fraction, int]


def test_the_message_tells_many_games_from_one_game_on_many_rows() -> None:
    rows = cardrow.deal(3, 4, rng=1)
    for given_as in (rows, rows.tolist()):
        with pytest.raises(
            TypeError, match=r"values is for many rows, each a game.* one"
        ):
            cardrow.value(given_as, backend="exact")


@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        ([], ValueError, "rows must hold at least one row"),
        (np.empty((0, 3), int), ValueError, "rows must hold at least one row"),
        (np.empty((3, 0), int), ValueError, r"rows\[0\] must hold at least one card"),
        ([[1], []], ValueError, r"rows\[1\] must hold at least one card"),
        ([1, 2], TypeError, r"rows\[0\]"),
        (np.array([1, 2]), TypeError, r"rows\[0\]"),
        (np.zeros((2, 2, 2), int), TypeError, r"rows\[0\]"),
        ([[1, True]], TypeError, r"rows\[0\]\[1\]"),
        (np.ones((2, 2), bool), TypeError, r"rows\[0\]"),
        ([[1, 2], [1.0, float("nan")]], ValueError, r"rows\[1\]\[1\]"),
        (np.array([[1.0, np.inf]]), ValueError, r"rows\[0\]\[1\]"),
        ("12", TypeError, "rows"),
        (np.array(3), TypeError, "rows must be an iterable of rows"),
        (None, TypeError, "rows"),
        ({1: [2]}, TypeError, "rows"),
    ],
)
def test_refusals(bad: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        cardrow.values(bad, backend="exact")


def test_weights_of_another_length_are_refused_first() -> None:
    ragged: Any = [[1, 2], [1, 2, 3]]
    for rows in (ragged, np.ones((2, 3), int), np.ones((2, 200), int)):
        with pytest.raises(ValueError, match=r"rules\.weights"):
            cardrow.values(rows, rules=Rules(weights=[1, 2]), backend="exact")


def test_a_bar_counts_games(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    rows: list[Any] = [[1, 2], [3, 4], [1, 2, 3], [0.5]]
    with running(progress=True):
        found = cardrow.values(rows, backend="exact")
    assert found.tolist() == one_by_one(rows)
    assert "4.00/4.00" in capsys.readouterr().err
