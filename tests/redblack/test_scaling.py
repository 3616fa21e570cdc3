"""Numbers of 192 bits, and what the roundings of float64 add up to."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from cardgames_dp.redblack._kernels import scaling
from cardgames_dp.redblack._kernels.scaling import Scaled


@given(n=st.integers(0, 400), data=st.data())
def test_binomial(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    below = math.comb(n, k) - scaling.binomial(n, k, exact=False).fraction()
    assert 0 <= below <= math.comb(n, k) * Fraction(min(k, n - k), 2**160)


def test_binomial_of_a_large_deck() -> None:
    exact = scaling.binomial(20_000, 9_000, exact=True)
    assert exact == (math.comb(20_000, 9_000), 0)
    found = scaling.binomial(20_000, 9_000, exact=False)
    assert 0 <= 1 - found.fraction() / exact.fraction() < 2.0**-147


@given(mantissa=st.integers(1, 2**300), exponent=st.integers(-50, 50))
def test_normalising_cuts_at_most_one_part_in_its_width(
    mantissa: int, exponent: int
) -> None:
    number = Scaled(mantissa, exponent)
    cut = number.normalised()
    assert cut.mantissa.bit_length() == scaling.MANTISSA_BITS
    lost = 1 - cut.fraction() / number.fraction()
    assert 0 <= lost < Fraction(2, 2**scaling.MANTISSA_BITS)


@given(
    base=st.builds(Scaled, st.integers(1, 2**20), st.integers(-40, 3)),
    k=st.integers(0, 300),
)
def test_power(base: Scaled, k: int) -> None:
    exact = base.fraction() ** k
    assert 0 <= 1 - scaling.power(base, k).fraction() / exact <= Fraction(k, 2**160)


@given(
    number=st.integers(1, 2**250), top=st.integers(1, 10**6), bottom=st.integers(1, 99)
)
def test_times(number: int, top: int, bottom: int) -> None:
    start = Scaled(number, -3).normalised()
    exact = start.fraction() * top / bottom
    lost = 1 - start.times(top, bottom, exact=False).fraction() / exact
    assert 0 <= lost < Fraction(4, 2**scaling.MANTISSA_BITS)
    whole = Scaled(number * bottom, 0).times(top, bottom, exact=True)
    assert whole == Scaled(number * top, 0)


@pytest.mark.parametrize("operations", [0, 1, 7, 10**6])
def test_relative_error_is_a_bound(operations: int) -> None:
    growth = (1 + Fraction(1, 2**53)) ** min(operations, 200) - 1
    assert growth <= scaling.relative_error(operations)
    assert scaling.relative_error(operations) <= 1.0001 * operations * 2.0**-53
