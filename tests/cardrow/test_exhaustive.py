"""Pashevich's brute force: its answers, its calls and its end."""

from fractions import Fraction

import numpy as np
import pytest

from cardgames_dp import TooLongError
from cardgames_dp.cardrow.exhaustive import brute_force
from cardgames_dp.cardrow.valuation import value


@pytest.mark.parametrize("n", range(1, 11))
def test_brute_force_counts_its_calls(n: int) -> None:
    cards = np.random.default_rng(n).integers(1, 14, n).tolist()
    found = brute_force(cards)
    assert found.calls == 2**n - 1
    assert found.balance == value(cards, backend="exact")


def test_brute_force_of_pashevich() -> None:
    assert brute_force([14, 4, 7, 2, 5, 12]).side == "left"
    assert brute_force([4, 4, 6, 6, 12, 9]).side == "left"
    assert brute_force([8, 4, 2, 2, 4, 8]).side == "right"
    assert brute_force([1, 5, 1]).balance == -3
    assert brute_force([7]).side == "left"
    assert brute_force([7, 7], tie="left").side == "left"
    assert brute_force([7, 7], tie="larger").side == "right"
    assert brute_force([4, 7, 2], tie="larger").side == "left"
    assert brute_force([Fraction(1, 2), 0.25]).balance == Fraction(1, 4)


def test_brute_force_errors() -> None:
    with pytest.raises(ValueError, match=r"at most 24 cards, got 25, .* 2\*\*25 - 1"):
        brute_force(range(25))
    with pytest.raises(ValueError, match="tie must be one of"):
        brute_force([1], tie="middle")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="cards must be an iterable of numbers"):
        brute_force(3)  # type: ignore[arg-type]


def test_brute_force_says_how_long_it_would_take() -> None:
    with pytest.raises(TooLongError, match=r"at most 24 cards, got 60.* years.*value"):
        brute_force(range(60))
    with pytest.raises(TooLongError, match=r"got 25, .* about 5 seconds"):
        brute_force(range(25))
    with pytest.raises(TooLongError):
        brute_force([1] * 10**6)
