"""The closed form of a rise against the cells that it stands for."""

from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.fft
from hypothesis import given, strategies as st

from cardgames_dp.redblack._kernels.staircase.stairs import Rise, nodes_needed
from cardgames_dp.redblack._kernels.staircase.walks import pmf, pmf_at, step

UNIT = 2.0**-53


def cells_of(slopes: np.ndarray, rise: Rise) -> np.ndarray:
    """The cells at the depths 1, 3, 5, ..., summed wave by wave."""
    pairs = slopes.shape[1]
    waves = np.arange(1, 2 * pairs + 1).reshape(pairs, 2).T
    angles = waves * np.pi / (2 * rise.cells)
    depths = 2 * np.arange(rise.cells) + 1
    sums: np.ndarray = np.einsum(
        "rp,rpc->c", slopes * np.sin(angles), np.sin(angles[:, :, None] * depths)
    )
    return sums


@given(
    cells=st.integers(8, 120),
    part=st.floats(0.1, 0.49),
    seed=st.integers(0, 10**6),
)
def test_a_rise_is_a_step_and_a_new_barrier(cells: int, part: float, seed: int) -> None:
    pairs = max(1, int(part * cells))
    rise = Rise.of(cells, pairs, 2, float)
    slopes = np.random.default_rng(seed).standard_normal((2, pairs))
    below = step(cells_of(slopes, rise))
    amplitudes = scipy.fft.dst(below, 2)[: 2 * pairs] / cells
    sines = np.sqrt(rise.losses)
    found = rise.risen(slopes, pairs) * sines
    np.testing.assert_allclose(found.T.ravel(), amplitudes, atol=1e-12)


@given(given_pairs=st.integers(1, 20), kept=st.integers(1, 20))
def test_fewer_or_more_waves_after_a_rise(given_pairs: int, kept: int) -> None:
    rise = Rise.of(50, 20, 2, float)
    slopes = np.zeros((2, 20))
    slopes[:, :given_pairs] = np.random.default_rng(kept).standard_normal(
        (2, given_pairs)
    )
    some = rise.risen(slopes[:, :given_pairs], kept)
    np.testing.assert_allclose(some, rise.risen(slopes, 20)[:, :kept], atol=1e-14)


@pytest.mark.parametrize("excess", [80, 300, 5000])
@pytest.mark.parametrize("real", [float, np.longdouble])
def test_rows_of_probabilities_from_a_few_of_them(excess: int, real: type) -> None:
    top = round((excess / 0.84) ** 2)
    top -= (top - excess) % 2
    cells, unit = int(36 * excess**0.5), float(np.finfo(real).eps) / 2
    nodes = nodes_needed(top, excess, cells, unit / 4)
    rise = Rise.of(cells, cells // 6, nodes, real)
    coefficients, slopes = rise.of_pmf(np.array([top]), np.array([excess]))
    exact = np.array([pmf(top, excess - 2 * x, real) for x in range(cells)])
    turns = np.arccos(np.arange(cells) / (real(cells - 1) / 2) - 1)
    row = sum(c * np.cos(j * turns) for j, c in enumerate(coefficients[0]))
    largest = float(pmf(top, top % 2))
    assert np.abs(row - exact).max() <= 6 * nodes * unit * largest
    direct = scipy.fft.dst(exact, 2)[: 2 * (cells // 6)] / cells
    found = (slopes[0] * np.sqrt(rise.losses)).T.ravel()
    assert np.abs(found - direct).max() <= 6 * nodes * unit * largest
    assert nodes <= 70


@pytest.mark.parametrize("part", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("excess", [80, 1000])
def test_as_many_nodes_as_are_needed(part: float, excess: int) -> None:
    """The error is within what was asked for, and not a thousandth of that."""
    top = round((excess / 0.84) ** 2)
    top -= (top - excess) % 2
    cells = int(30 * excess**0.5)
    nodes = nodes_needed(top, excess, cells, part)
    rise = Rise.of(cells, 4, nodes, float)
    coefficients, _ = rise.of_pmf(np.array([top]), np.array([excess]))
    turns = np.arccos(np.arange(cells) / ((cells - 1) / 2) - 1)
    row = sum(c * np.cos(j * turns) for j, c in enumerate(coefficients[0]))
    exact = pmf_at(float(top), excess - 2.0 * np.arange(cells))
    error = np.abs(row - exact).max() / pmf(top, top % 2)
    assert part / 1000 < error < part


@given(
    n=st.integers(1024, 10**11),
    deviations=st.floats(-9, 9),
    shift=st.floats(0, 2),
)
def test_probabilities_between_whole_numbers(
    n: int, deviations: float, shift: float
) -> None:
    s = float(round(deviations * n**0.5)) + shift
    if abs(s) >= n / 2:
        return
    context = mpmath.mp.clone()
    context.dps = 50
    red, black = (context.mpf(n) - s) / 2, (context.mpf(n) + s) / 2
    logarithm = context.loggamma(n + 1) - context.loggamma(red + 1)
    logarithm -= context.loggamma(black + 1) + n * context.log(2)
    exact = context.exp(logarithm)
    found = float(pmf_at(float(n), np.array([s]))[0])
    assert abs(found - exact) <= (12 + 3 * s * s / (2 * n)) * UNIT * exact


def test_of_what_a_rise_is() -> None:
    rise = Rise.of(50, 10, 6, float)
    assert rise.is_of(50, 10, 6)
    for other in ((51, 10, 6), (50, 11, 6), (50, 9, 6), (50, 10, 7)):
        assert not rise.is_of(*other)


@given(excess=st.integers(80, 5000), y=st.floats(0, 3), x=st.floats(-1, 1))
def test_the_bound_of_p_off_the_real_line(excess: int, y: float, x: float) -> None:
    """What the number of nodes rests on."""
    n = round((excess / 0.84) ** 2)
    context = mpmath.mp.clone()
    context.dps = 30
    s = context.mpc(x * excess, y * excess)

    def size(at: Any) -> mpmath.mpf:
        return abs(context.rgamma((n + at) / 2 + 1) * context.rgamma((n - at) / 2 + 1))

    real, imaginary = x * excess, y * excess
    bound = context.exp(imaginary**2 * n / (2 * (n - real) * (n + real)))
    assert size(s) <= size(context.mpf(real)) * bound * (1 + 1e-12)
    assert size(context.mpf(real)) <= size(context.mpf(0)) * (1 + 1e-12)
