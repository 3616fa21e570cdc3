"""Probabilities of walks against 50 digits of mpmath, and against whole rows."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp.redblack._kernels.staircase.walks import pmf, pmf_below

UNIT = 2.0**-53


def exact_pmf(n: int, s: int) -> mpmath.mpf:
    context = mpmath.mp.clone()
    context.dps = 50
    red, black = (n - s) // 2, (n + s) // 2
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


@pytest.mark.parametrize("n", [10**11, 10**13])
def test_the_largest_walks(n: int) -> None:
    for s in (0, int(0.84 * math.sqrt(n)) // 2 * 2):
        true = exact_pmf(n, s)
        assert abs(pmf(n, s) - true) <= 4 * UNIT * true


@pytest.mark.parametrize("n", [0, 1, 7, 1023, 1024, 1025, 2048])
def test_a_row_sums_to_one(n: int) -> None:
    assert math.fsum(pmf(n, n - 2 * red) for red in range(n + 1)) == pytest.approx(
        1, abs=2e-15
    )


def test_far_out_there_is_nothing() -> None:
    assert pmf(4, 6) == pmf(4, -6) == 0
    assert pmf(10**10, 10**7) == 0


@given(n=st.integers(1, 10**11), start=st.floats(-3, 3), count=st.integers(1, 300))
def test_neighbours_follow_by_ratios(n: int, start: float, count: int) -> None:
    s = min(round(start * math.sqrt(n)), n - 2)
    s -= (n - s) & 1
    if s < -n:
        s += 2
    row = pmf_below(n, s, pmf(n, s), count)
    expected = [pmf(n, s - 2 * m) for m in range(count)]
    np.testing.assert_allclose(row, expected, rtol=(2 * count + 30) * UNIT)
