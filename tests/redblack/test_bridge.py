"""The Brownian bridge: its equation, its boundary, and the decks that come near it."""

import mpmath
import numpy as np
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
    found = redblack.bridge_value(t, x)
    if y >= ALPHA:
        assert found == pytest.approx(x, rel=1e-15)
        return
    shape = mpmath.exp(mpmath.mpf(y) ** 2 / 2) * mpmath.ncdf(y)
    scale = float(mpmath.sqrt(2 * mpmath.pi * (1 - t)) * (1 - ALPHA**2))
    assert found == pytest.approx(scale * float(shape), rel=2e-13)


@given(t=st.floats(0, 0.9), y=st.floats(-4, 0.8))
def test_equation_where_the_bridge_goes_on(t: float, y: float) -> None:
    """A martingale: V_t - x / (1 - t) V_x + V_xx / 2 = 0."""
    x, h = y * (1 - t) ** 0.5, 1e-3 * (1 - t) ** 0.5
    value = redblack.bridge_value
    sides = value(t, x + h), value(t, x - h)
    slope, bend = (sides[0] - sides[1]) / (2 * h), (sum(sides) - 2 * value(t, x)) / h**2
    k = 1e-5 * (1 - t)
    change = (value(t + k, x) - value(max(t - k, 0), x)) / (k + min(k, t))
    scale = 1 / (1 - t) ** 0.5
    assert change - x / (1 - t) * slope + bend / 2 == pytest.approx(0, abs=2e-5 * scale)


@given(t=times)
def test_smooth_fit(t: float) -> None:
    b = ALPHA * (1 - t) ** 0.5
    assert redblack.bridge_value(t, b) == pytest.approx(b, rel=1e-15)
    step = 1e-4 * b
    below = redblack.bridge_value(t, b - step)
    # The curvature is that of alpha (y - alpha)**2.
    assert 0 < below - (b - step) < 1.01 * ALPHA**2 / (1 - t) ** 0.5 * step**2 * 2


def test_the_end() -> None:
    assert redblack.bridge_value(1, [-3, 0, 2]).tolist() == [0, 0, 2]


def test_decks_converge_to_the_bridge() -> None:
    """In the whole table, by the square root of the size."""
    off = []
    for size in (50, 200):
        totals = redblack.solve(size, size).table("total") / (2 * size) ** 0.5
        red, black = np.indices(totals.shape)
        t, x = 1 - (red + black) / (2 * size), (black - red) / (2 * size) ** 0.5
        off.append(np.abs(totals - redblack.bridge_value(t, x)).max())
    assert off == pytest.approx([0.0289, 0.01465], rel=5e-3)


def test_shapes() -> None:
    assert isinstance(redblack.bridge_value(0, 0), float)
    grid = redblack.bridge_value([[0.0], [0.5]], [0.0, 0.1, 0.2])
    assert grid.shape == (2, 3)
    assert grid[1, 2] == redblack.bridge_value(0.5, 0.2)
