"""Rows that are written as text, with letters for cards."""

from fractions import Fraction
from typing import Any

import pytest

from cardgames_dp import cardrow
from cardgames_dp.cardrow import value


def read(cards: Any) -> Any:
    return cardrow.Rules().worths(cards)[0]


def test_the_documents_own_row() -> None:
    assert read("A 5 7 K 4 9") == (14, 5, 7, 13, 4, 9)
    assert read(["A", 5, 7, "K", 4, 9]) == (14, 5, 7, 13, 4, 9)
    assert {type(card) for card in read("A 5, 7")} == {int}
    assert value("A 4 7 2 5 Q") == value([14, 4, 7, 2, 5, 12])
    assert cardrow.values(["A 5 7", [3, "J"]]).tolist() == [12, 8]


def test_letters_and_numbers() -> None:
    assert read("j,q,k,a") == (11, 12, 13, 14)
    assert read("1/2 0.1 -3") == (Fraction(1, 2), Fraction(1, 10), -3)
    assert read(["A", 0.5]) == (14, Fraction(1, 2))
    assert read("10") == (10,)
    assert read("1_000 1_0/2") == (1000, 5)


@pytest.mark.parametrize(
    ("cards", "error", "message"),
    [
        ("A X", ValueError, r"cards\[1\] must be .*one of the letters J, Q, K, A"),
        ("5_ 7", ValueError, r"cards\[0\] must be .*, got '5_'"),
        ("5__7", ValueError, r"cards\[0\] must be"),
        ("_5", ValueError, r"cards\[0\] must be"),
        ("", ValueError, "cards must hold at least one card"),
        (b"A", TypeError, "cards must be an iterable of numbers"),
        (3, TypeError, "cards must be an iterable of numbers"),
        ([None], TypeError, r"cards\[0\] must be"),
    ],
)
def test_refusals(cards: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        value(cards)
