"""The library's own games and the integer sequences that they are."""

from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest

from cardgames_dp import redblack

from .scripts import loaded

HOUSE = loaded("house")

# oeis.org, as printed there in 2025.
A276163 = (1, 1, 2, 4, 5, 9, 6, 16, 9, 25, 10, 36, 13, 49, 14, 64)
A276168 = (1, 1, 0, 0, -3, 1, -8, 0, -15, 1, -24, 0, -35, 1, -48, 0)
A108883 = (0, 1, 2, 17, 1, 47, 284, 4583, 18457, 74131, 26995, 148793, 207563, 19145523)
A108884 = (1, 2, 3, 20, 1, 42, 231, 3432, 12870, 48620, 16796, 88179, 117572, 10400600)
A108885 = (0, 0, 1, 0, 1, 2, 0, 0, 4, 3, 0, 0, 2, 9, 4, 0, 0, 1, 3, 16, 5)
A108886 = (1, 1, 1, 1, 2, 1, 1, 1, 3, 1, 1, 1, 3, 4, 1, 1, 1, 5, 2, 5, 1)


@cache
def lead(row: tuple[int, ...]) -> int:
    """Return what a row is worth, by the rule of the game."""
    if not row:
        return 0
    return max(row[0] - lead(row[1:]), row[-1] - lead(row[:-1]))


@pytest.mark.parametrize("n", range(1, 7))
def test_searched_rows(n: int) -> None:
    leads = [lead(row) for row in permutations(range(1, n + 1))]
    assert HOUSE.searched(n) == (min(leads), max(leads)) == HOUSE.term(n)


def test_published_terms() -> None:
    terms = [HOUSE.term(n) for n in range(1, 17)]
    assert tuple(zip(*terms, strict=True)) == (A276168, A276163)


@pytest.mark.parametrize("n", [17, 18, 19, 20, 101, 102, 103, 104])
def test_new_terms(n: int) -> None:
    """They are as conjectured in the encyclopedia, and the rows are what they say."""
    least, most = HOUSE.term(n)
    half = (n + 1) // 2
    assert least == (-half * (half - 2) if n % 2 else n // 2 % 2)
    assert most == (n - n // 2 % 2 if n % 2 else half * half)
    for row in HOUSE.extremes(n):
        assert sorted(row) == list(range(1, n + 1))


def test_red_black() -> None:
    even = [redblack.value(n, n, backend="exact") for n in range(14)]
    assert even == [Fraction(*pair) for pair in zip(A108883, A108884, strict=True)]
    decks = [(red, n - red) for n in range(6) for red in range(n + 1)]
    values = [redblack.value(*deck, backend="exact") for deck in decks]
    assert values == [Fraction(*pair) for pair in zip(A108885, A108886, strict=True)]
