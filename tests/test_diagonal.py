"""The machinery of the diagonal kernels: exact scales, views, limits, error bounds."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgames_dp import diagonal
from cardgames_dp.diagonal import Scaled


@given(n=st.integers(0, 400), data=st.data())
def test_binomial(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    below = math.comb(n, k) - diagonal.binomial(n, k).fraction()
    assert 0 <= below <= math.comb(n, k) * Fraction(min(k, n - k), 2**160)


def test_binomial_of_a_large_deck() -> None:
    exact = math.comb(20_000, 9_000)
    assert 0 <= 1 - diagonal.binomial(20_000, 9_000).fraction() / exact < 2.0**-147


@given(mantissa=st.integers(1, 2**300), exponent=st.integers(-50, 50))
def test_normalising_cuts_at_most_one_part_in_its_width(
    mantissa: int, exponent: int
) -> None:
    number = Scaled(mantissa, exponent)
    cut = number.normalised()
    assert cut.mantissa.bit_length() == diagonal.MANTISSA_BITS
    lost = 1 - cut.fraction() / number.fraction()
    assert 0 <= lost < Fraction(2, 2**diagonal.MANTISSA_BITS)


@given(
    base=st.builds(Scaled, st.integers(1, 2**20), st.integers(-40, 3)),
    k=st.integers(0, 300),
)
def test_power(base: Scaled, k: int) -> None:
    exact = base.fraction() ** k
    assert 0 <= 1 - diagonal.power(base, k).fraction() / exact <= Fraction(k, 2**160)


@given(
    number=st.integers(1, 2**250), top=st.integers(1, 10**6), bottom=st.integers(1, 99)
)
def test_times(number: int, top: int, bottom: int) -> None:
    start = Scaled(number, -3).normalised()
    exact = start.fraction() * top / bottom
    lost = 1 - start.times(top, bottom, exact=False).fraction() / exact
    assert 0 <= lost < Fraction(4, 2**diagonal.MANTISSA_BITS)
    whole = Scaled(number * bottom, 0).times(top, bottom, exact=True)
    assert whole == Scaled(number * top, 0)


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (3, 4), (4, 3), (6, 6)])
def test_antidiagonals_are_views_of_their_cells(shape: tuple[int, int]) -> None:
    table = np.arange(shape[0] * shape[1]).reshape(shape)
    seen = []
    for n in range(sum(shape) - 1):
        first, last = max(0, n - shape[1] + 1), min(shape[0] - 1, n)
        view = diagonal.antidiagonal(table, n, first, last)
        assert np.shares_memory(view, table)
        assert view.tolist() == [table[i, n - i] for i in range(first, last + 1)]
        seen += view.tolist()
    assert sorted(seen) == table.ravel().tolist()


@pytest.mark.parametrize("operations", [0, 1, 7, 10**6])
def test_relative_error_is_a_bound(operations: int) -> None:
    growth = (1 + Fraction(1, 2**53)) ** min(operations, 200) - 1
    assert growth <= diagonal.relative_error(operations)
    assert diagonal.relative_error(operations) <= 1.0001 * operations * 2.0**-53


def test_too_large_says_how_large_and_what_else() -> None:
    with pytest.raises(
        diagonal.TooLargeError,
        match=r"^a cake needs about 2 MiB of memory, more than max_bytes, 1 KiB; eat",
    ):
        diagonal.refuse_too_large("a cake", 2 * 2**20, "eat bread", 1024)
    diagonal.refuse_too_large("a cake", 1024, "eat bread", 1024)
    half = r"PiB of memory, more than half of this machine's memory, [\d.]+ \wiB; eat"
    with pytest.raises(diagonal.TooLargeError, match=half):
        diagonal.refuse_too_large("a cake", 2**60, "eat bread")


def test_memory_of_a_machine_that_does_not_tell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert diagonal.physical_memory() > 2**20
    monkeypatch.delattr("os.sysconf")
    assert diagonal.physical_memory() == 4 * 2**30
