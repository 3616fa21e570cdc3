"""The digits that a value promises, whichever method "auto" chooses."""

import math
from decimal import Decimal

import pytest
from hypothesis import example, given, strategies as st

from cardgames_dp import redblack
from cardgames_dp.redblack._kernels.methods import Method


def error(red: int, black: int, method: Method) -> float:
    """Return the error of a value, relative to it or to sqrt(N) if it is close to 0."""
    exact = redblack.value(red, black, digits=25)
    found = redblack.value(red, black, method=method)
    root = Decimal(red + black).sqrt() if black > red else 0
    return float(abs(Decimal(found) - exact) / max(exact, root))


@pytest.mark.slow
@given(cards=st.integers(3900, 4500), uneven=st.floats(-4.1, 0.9))
@example(cards=3541 + 3213, uneven=(3213 - 3541) / math.sqrt(3541 + 3213))
@example(cards=2130 + 1880, uneven=(1880 - 2130) / math.sqrt(2130 + 1880))
def test_a_value_has_thirteen_digits(cards: int, uneven: float) -> None:
    red = round((cards - uneven * math.sqrt(cards)) / 2)
    assert error(red, cards - red, "auto") <= 1e-13


@pytest.mark.parametrize("deck", [(3541, 3213), (2130, 1880), (5017, 4626)])
def test_the_staircase_has_twelve_at_its_end(deck: tuple[int, int]) -> None:
    assert error(*deck, "staircase") <= 1e-12


def test_small_decks_have_them_in_the_climb_of_a_large_one() -> None:
    sizes = [1, 26, 300, 2345, 4642]
    exact = redblack.value(sizes, sizes, digits=25).astype(float)
    found = redblack.value([*sizes, 10**5], [*sizes, 10**5], method="staircase")[:-1]
    assert found == pytest.approx(exact, rel=1e-13, abs=0)


@pytest.mark.parametrize(
    ("deck", "method"),
    [
        ((2000, 1999), "diagonal"),
        ((2000, 2000), "staircase"),
        ((2100, 1905), "diagonal"),  # -3.08 sqrt(N)
        ((2090, 1910), "staircase"),  # -2.85 sqrt(N)
        ((1900, 2150), "staircase"),  # 3.93 sqrt(N)
        ((10_250, 9_749), "diagonal"),
        ((10_250, 9_750), "staircase"),
    ],
)
def test_auto(deck: tuple[int, int], method: str) -> None:
    assert redblack.enclosure(*deck).method == method
