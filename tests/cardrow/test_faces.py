"""Cards written with letters."""

from fractions import Fraction
from typing import Any

import pytest

from cardgames_dp.cardrow import read_cards, value


def test_the_documents_own_row() -> None:
    assert read_cards("A 5 7 K 4 9") == (14, 5, 7, 13, 4, 9)
    assert read_cards(["A", 5, 7, "K", 4, 9]) == (14, 5, 7, 13, 4, 9)
    assert {type(card) for card in read_cards("A 5, 7")} == {int}


def test_letters_and_numbers() -> None:
    assert read_cards("j,q,k,a") == (11, 12, 13, 14)
    assert read_cards("1/2 0.1 -3") == (Fraction(1, 2), Fraction(1, 10), -3)
    assert read_cards(["A", 0.5]) == (14, Fraction(1, 2))
    assert read_cards("10") == (10,)
    assert read_cards("1_000 1_0/2") == (1000, 5)


def test_other_worths() -> None:
    assert read_cards("a j 7", worths={"A": 1, "j": "1/2"}) == (1, Fraction(1, 2), 7)
    assert read_cards("Joker K", worths={"joker": 20}) == (20, 13)
    assert read_cards("A") == (14,)  # and the usual worths are as they were


@pytest.mark.parametrize(
    ("cards", "worths", "error", "message"),
    [
        ("A X", None, ValueError, r"cards\[1\] must be .*one of the words J, Q, K, A"),
        ("5_ 7", None, ValueError, r"cards\[0\] must be .*, got '5_'"),
        ("5__7", None, ValueError, r"cards\[0\] must be"),
        ("_5", None, ValueError, r"cards\[0\] must be"),
        ("", None, ValueError, "cards must hold at least one card"),
        (b"A", None, TypeError, "cards must be a text or an iterable"),
        (3, None, TypeError, "cards must be a text or an iterable"),
        ([None], None, TypeError, r"cards\[0\] must be"),
        ("A", [1], TypeError, "worths must be a mapping of words to numbers"),
        ("A", {1: 1}, TypeError, "worths must have words for keys, got 1"),
        ("A", {"A": "nan"}, ValueError, r"worths\['A'\] must be"),
    ],
)
def test_refusals(cards: Any, worths: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        read_cards(cards, worths=worths)


def test_text_elsewhere_is_refused_with_a_hint() -> None:
    with pytest.raises(TypeError, match=r"cardrow\.read_cards reads a row"):
        value("A 5 7")
