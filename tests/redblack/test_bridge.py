"""The Brownian bridge: its equation, its boundary, and the decks that come near it."""

import mpmath
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import fitting, redblack

ALPHA = float(fitting.shepp_alpha())

times = st.floats(0, 0.999)


def test_value_at_the_start() -> None:
    """0.3691, Ekström and Wanntorp; the limit of V(l) / sqrt(2 l)."""
    start = redblack.bridge_value(0, 0)
    assert start == pytest.approx(float(fitting.limit_constant()) / 2**0.5, rel=1e-15)
    assert start == pytest.approx(0.3691, abs=5e-5)


@given(t=times, y=st.floats(-30, 3))
def test_formula(t: float, y: float) -> None:
    """With another normal distribution function."""
    x = y * (1 - t) ** 0.5
    result = redblack.bridge_value(t, x)
    if y >= ALPHA:
        assert result == pytest.approx(x, rel=1e-15)
        return
    shape = mpmath.exp(mpmath.mpf(y) ** 2 / 2) * mpmath.ncdf(y)
    scale = float(mpmath.sqrt(2 * mpmath.pi * (1 - t)) * (1 - ALPHA**2))
    assert result == pytest.approx(scale * float(shape), rel=2e-13)


def test_the_end() -> None:
    assert redblack.bridge_value(1, [-3, 0, 2]).tolist() == [0, 0, 2]


def test_shapes() -> None:
    assert isinstance(redblack.bridge_value(0, 0), float)
    grid = redblack.bridge_value([[0.0], [0.5]], [0.0, 0.1, 0.2])
    assert grid.shape == (2, 3)
    assert grid[1, 2] == redblack.bridge_value(0.5, 0.2)
