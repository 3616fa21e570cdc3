"""Walks and rises by closed forms, against steps and 50 digits of mpmath."""

import math

import mpmath
import numpy as np
import pytest
import scipy.fft
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as npst

from cardgames_dp.redblack._kernels.staircase.stairs import Rise, nodes_needed
from cardgames_dp.redblack._kernels.staircase.walks import (
    Waves,
    pmf,
    pmf_at,
    pmf_below,
    step,
    walk,
)

UNIT = 2.0**-53

windows = npst.arrays(
    np.float64, st.integers(2, 40), elements=st.floats(-1, 1, allow_subnormal=False)
)


def two_steps(cells: np.ndarray) -> np.ndarray:
    """Heights -1, -3, ..., absorbed at 0 and below the last, two averages later."""
    middle: np.ndarray = np.concatenate([[0.0], (cells[:-1] + cells[1:]) / 2, [0.0]])
    after: np.ndarray = (middle[:-1] + middle[1:]) / 2
    return after


@given(cells=windows, steps=st.integers(0, 60).map(lambda pairs: 2 * pairs))
def test_a_walk_is_its_steps(cells: np.ndarray, steps: int) -> None:
    expected = cells
    for _ in range(steps // 2):
        expected = two_steps(expected)
    np.testing.assert_allclose(walk(cells, steps), expected, atol=1e-14)


@given(cells=windows, steps=st.integers(1, 30).map(lambda pairs: 2 * pairs))
def test_the_first_cell_by_itself(cells: np.ndarray, steps: int) -> None:
    waves = Waves.of(cells, 2)
    first = waves.first(waves.after(steps))
    assert first == pytest.approx(walk(cells, steps)[0], abs=1e-14)


@given(cells=windows)
def test_one_step_ends_between_the_heights(cells: np.ndarray) -> None:
    expected = np.concatenate([[0.0], (cells[:-1] + cells[1:]) / 2])
    np.testing.assert_array_equal(step(cells), expected)


# Probabilities.


def exact_pmf(n: int, s: float) -> mpmath.mpf:
    context = mpmath.mp.clone()
    context.dps = 50
    red, black = (context.mpf(n) - s) / 2, (context.mpf(n) + s) / 2
    logarithm = context.loggamma(n + 1) - context.loggamma(red + 1)
    logarithm -= context.loggamma(black + 1) + n * context.log(2)
    return context.exp(logarithm)


@given(
    n=st.one_of(st.integers(1, 5000), st.integers(1, 10**11)),
    deviations=st.floats(-9, 9),
)
def test_a_few_units_in_the_last_place(n: int, deviations: float) -> None:
    s = round(deviations * math.sqrt(n))
    s += (n - s) & 1
    if abs(s) > n:
        assert pmf(n, s) == 0
    else:
        true = exact_pmf(n, s)
        assert abs(pmf(n, s) - true) <= 12 * UNIT * true


def test_the_largest_walks_and_whole_rows() -> None:
    for n in (10**11, 10**13):
        for s in (0, int(0.84 * math.sqrt(n)) // 2 * 2):
            true = exact_pmf(n, s)
            assert abs(pmf(n, s) - true) <= 4 * UNIT * true
    for n in (0, 1, 7, 1023, 1024, 1025, 2048):
        row = math.fsum(pmf(n, n - 2 * red) for red in range(n + 1))
        assert row == pytest.approx(1, abs=2e-15)
    assert pmf(4, 6) == pmf(4, -6) == pmf(10**10, 10**7) == 0


@given(n=st.integers(1, 10**11), start=st.floats(-3, 3), count=st.integers(1, 300))
def test_neighbours_follow_by_ratios(n: int, start: float, count: int) -> None:
    s = min(round(start * math.sqrt(n)), n - 2)
    s -= (n - s) & 1
    if s < -n:
        s += 2
    row = pmf_below(n, s, pmf(n, s), count)
    expected = [pmf(n, s - 2 * m) for m in range(count)]
    np.testing.assert_allclose(row, expected, rtol=(2 * count + 30) * UNIT)


@given(n=st.integers(1024, 10**11), deviations=st.floats(-9, 9), shift=st.floats(0, 2))
def test_probabilities_between_whole_numbers(
    n: int, deviations: float, shift: float
) -> None:
    s = float(round(deviations * n**0.5)) + shift
    if abs(s) < n / 2:
        exact = exact_pmf(n, s)
        result = float(pmf_at(float(n), np.array([s]))[0])
        assert abs(result - exact) <= (12 + 3 * s * s / (2 * n)) * UNIT * exact


# Rises.


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
    result = rise.after_rise(slopes, pairs) * sines
    np.testing.assert_allclose(result.T.ravel(), amplitudes, atol=1e-12)


@given(given_pairs=st.integers(1, 20), kept=st.integers(1, 20))
def test_fewer_or_more_waves_after_a_rise(given_pairs: int, kept: int) -> None:
    rise = Rise.of(50, 20, 2, float)
    slopes = np.zeros((2, 20))
    slopes[:, :given_pairs] = np.random.default_rng(kept).standard_normal(
        (2, given_pairs)
    )
    some = rise.after_rise(slopes[:, :given_pairs], kept)
    np.testing.assert_allclose(some, rise.after_rise(slopes, 20)[:, :kept], atol=1e-14)


def top_at(excess: int) -> int:
    top = round((excess / 0.84) ** 2)
    return top - (top - excess) % 2


@pytest.mark.parametrize("excess", [80, 5000])
@pytest.mark.parametrize("real", [float, np.longdouble])
def test_rows_of_probabilities_from_a_few_of_them(excess: int, real: type) -> None:
    top = top_at(excess)
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
    result = (slopes[0] * np.sqrt(rise.losses)).T.ravel()
    assert np.abs(result - direct).max() <= 6 * nodes * unit * largest
    assert nodes <= 70


@pytest.mark.parametrize("part", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("excess", [80, 1000])
def test_as_many_nodes_as_are_needed(part: float, excess: int) -> None:
    """The error is within what was asked for, and not a thousandth of that."""
    top = top_at(excess)
    cells = int(30 * excess**0.5)
    nodes = nodes_needed(top, excess, cells, part)
    rise = Rise.of(cells, 4, nodes, float)
    coefficients, _ = rise.of_pmf(np.array([top]), np.array([excess]))
    turns = np.arccos(np.arange(cells) / ((cells - 1) / 2) - 1)
    row = sum(c * np.cos(j * turns) for j, c in enumerate(coefficients[0]))
    exact = pmf_at(float(top), excess - 2.0 * np.arange(cells))
    error = np.abs(row - exact).max() / pmf(top, top % 2)
    assert part / 1000 < error < part
