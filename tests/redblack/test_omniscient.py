"""The clairvoyant's value is the mean maximum of the cash."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgames_dp import redblack

from . import oracles


@given(deck=st.tuples(st.integers(0, 6), st.integers(0, 6)))
def test_omniscient_is_the_mean_maximum(deck: tuple[int, int]) -> None:
    highest = [oracles.highest_cash(order) for order in oracles.orders(*deck)]
    mean = Fraction(sum(highest), len(highest))
    assert redblack.omniscient_value(*deck, backend="exact") == mean
    assert redblack.omniscient_value(*deck) == pytest.approx(float(mean), rel=1e-14)


@given(size=st.integers(1, 200))
def test_omniscient_closed_form(size: int) -> None:
    """A sum over the reflected walks, against the sum in closed form."""
    central = Fraction(1)
    for i in range(1, size + 1):
        central = central * (size + i) / i
    expected = (Fraction(4) ** size / central - 1) / 2
    assert redblack.omniscient_value(size, size, backend="exact") == expected
