"""The law of growth: terms derived anew, held-out decks, where to stop."""

import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from cardgames_dp import fitting, redblack

from .large_decks import CLIMBED, PRECISE

ROOT = Path(__file__).parents[2]

LAMBDA = float(fitting.decay_exponent(1))
LAMBDA_2 = float(fitting.decay_exponent(2))
SQUARE, LATTICE = -1 / 2 - 2 * LAMBDA, -1 - LAMBDA
TERMS = {term.exponent: term for term in fitting.GROWTH_TERMS}
A = -TERMS[-LAMBDA].coefficient

STAIRCASE = 5e-14
"""The relative error of the staircase at 10**10 cards of each colour."""


def law(cards: NDArray[Any]) -> NDArray[np.longdouble]:
    """Return the terms' sum, without the rounding errors of float64 in the powers."""
    sizes = cards.astype(np.longdouble)
    terms = [np.longdouble(t.coefficient) * sizes**t.exponent for t in TERMS.values()]
    limit = np.longdouble(str(fitting.limit_constant(25)))
    total: NDArray[np.longdouble] = sum(terms[1:], limit * np.sqrt(sizes))
    return total


# The terms, derived anew as the documentation has it.


@pytest.fixture
def context() -> Any:
    local = mpmath.MPContext()
    local.dps = 30
    return local


class Theory:
    """Solutions ``n**mu F(excess / sqrt(n))`` of the continuous problem."""

    def __init__(self, context: Any) -> None:
        self.m = context
        self.alpha = context.mpf(str(fitting.shepp_alpha(40)))
        self.exponent = context.mpf(str(fitting.decay_exponent(1, 40)))

    def f(self, mu: Any, y: Any) -> Any:
        """F of polynomial growth."""
        return self.m.exp(y**2 / 4) * self.m.pcfd(-2 * mu, -y)

    def seen(self, mu: Any) -> Any:
        """What 1 at the boundary is at excess 0, as coefficient of ``l**mu``."""
        two = self.m.mpf(2)
        return two**mu * self.f(mu, self.m.mpf(0)) / self.f(mu, self.alpha)

    @property
    def disturbance(self) -> Any:
        """The factor of A in the value, ``-A l**-lambda`` at excess 0."""
        return 2**self.exponent / self.f(-self.exponent, self.m.mpf(0))

    @property
    def boundary_shift(self) -> Any:
        """What the boundary yields to a disturbance A = 1, by smooth fit."""
        slope = self.m.diff(lambda y: self.f(-self.exponent, y), self.alpha)
        return self.disturbance * slope / (2 * self.alpha)

    @property
    def lattice_slope(self) -> Any:
        """The slope at the boundary of the term in ``n**-(1/2)``."""
        a = self.alpha**2
        return (2 * a**2 - 10 * a - 1) / 12


@pytest.fixture
def theory(context: Any) -> Theory:
    return Theory(context)


def test_exponents_are_those_of_the_theory() -> None:
    exponents = [-LAMBDA, -1 / 2, -3 / 4, SQUARE, -LAMBDA_2, LATTICE, -5 / 4, -3 / 2]
    assert list(TERMS) == [1 / 2, *exponents]
    assert exponents == sorted(exponents, reverse=True)
    assert [term.origin for term in TERMS.values()] == [
        *("proved", "fitted", "derived", "derived"),
        *("derived", "fitted", "derived", "derived", "fitted"),
    ]


def test_limit_and_its_lattice_correction() -> None:
    limit = float(fitting.limit_constant())
    assert TERMS[1 / 2].coefficient == limit
    # 4^l / C(2 l, l) = sqrt(pi l) (1 + 1 / (8 l) + ...).
    assert TERMS[-1 / 2].coefficient == limit / 8
    exact = [2 ** (2 * k) / Fraction(math.comb(2 * k, k)) for k in (500, 1000)]
    ratios = [float(v) / math.sqrt(math.pi * k) for v, k in zip(exact, (500, 1000))]  # noqa: B905
    assert ratios == pytest.approx([1 + 1 / 4000, 1 + 1 / 8000], rel=1e-7)


def test_cost_of_whole_numbers(theory: Theory) -> None:
    m = theory.m
    mu = -m.mpf(3) / 4
    cost = theory.alpha ** (m.mpf(3) / 2) * 8 * m.zeta(m.mpf(-3) / 2)
    expected = cost / (3 * m.sqrt(m.pi)) * theory.seen(mu)
    assert TERMS[-3 / 4].coefficient == pytest.approx(float(expected), rel=1e-14, abs=0)


def test_next_cost_of_whole_numbers(theory: Theory) -> None:
    m, alpha = theory.m, theory.alpha
    average = (m.mpf(14) / 5 - 2 / alpha**2) * m.zeta(m.mpf(-5) / 2)
    average += m.zeta(m.mpf(-1) / 2) / 3
    expected = average * alpha ** (m.mpf(5) / 2) / m.sqrt(m.pi)
    expected *= theory.seen(m.mpf(-5) / 4)
    assert TERMS[-5 / 4].coefficient == pytest.approx(float(expected), rel=1e-13, abs=0)


def test_gain_from_giving_way(theory: Theory) -> None:
    expected = theory.alpha * theory.boundary_shift**2
    expected *= theory.seen(-theory.m.mpf(1) / 2 - 2 * theory.exponent)
    term = TERMS[SQUARE]
    assert term.coefficient == pytest.approx(float(expected) * A**2, rel=1e-13, abs=0)


def test_lattice_correction_of_the_disturbance(theory: Theory) -> None:
    m, alpha = theory.m, theory.alpha
    mu, nu = -1 - theory.exponent, 2 * theory.exponent

    def particular(y: Any) -> Any:
        fourth = m.exp(y**2 / 4) * m.pcfd(nu + 4, -y)
        he4 = y**4 - 6 * y**2 + 3
        return (fourth - theory.f(-theory.exponent, y) * he4) * theory.disturbance / 12

    at_boundary = -theory.boundary_shift * (m.mpf(1) / 12 + theory.lattice_slope)
    homogeneous = at_boundary - particular(alpha)
    expected = homogeneous * theory.seen(mu) + 2**mu * particular(m.mpf(0))
    assert TERMS[LATTICE].coefficient == pytest.approx(
        float(expected) * A, rel=1e-12, abs=0
    )


def test_fitted_coefficients_come_out_of_other_values() -> None:
    """The staircase's, less what is derived: within the stated uncertainties."""
    sizes = np.unique(np.geomspace(3000, 300_000, 60).astype(np.int64))
    values = redblack.value(sizes, sizes, method="staircase")
    fitted = [-LAMBDA, -LAMBDA_2]
    left = values - law(sizes)
    left += sum(TERMS[e].coefficient * sizes.astype(np.longdouble) ** e for e in fitted)
    # What arithmetic leaves, and the staircase's rounding.
    errors = 0.01 * sizes**-1.75 + 3e-14 * values
    matrix = np.column_stack([sizes**exponent / errors for exponent in fitted])
    scale = np.linalg.norm(matrix, axis=0)
    weighted = (left / errors).astype(float)
    result = np.linalg.lstsq(matrix / scale, weighted, rcond=None)[0] / scale
    # Values in float64 say less than what the terms were fitted to.
    allowed = [1e-9, 5e-4]
    for exponent, coefficient, off in zip(
        fitted, result.tolist(), allowed, strict=True
    ):
        assert abs(coefficient - TERMS[exponent].coefficient) < off


# Values that took no part in the fit.


def test_error_holds_for_precise_values() -> None:
    cards = np.array(list(PRECISE))
    result = fitting.asymptotic_value(cards)
    exact = np.array([np.longdouble(value) for value in PRECISE.values()])
    off = np.abs(exact - result.value).astype(float)
    assert (off < result.error).all()
    # And it is no idle one: somewhere a quarter of it is used.
    assert (off / result.error).max() > 0.25
    smooth = np.abs(exact - law(cards)).astype(float) * cards**1.75
    assert smooth.max() < 0.05


def test_error_holds_up_to_ten_billion() -> None:
    cards, values = np.array(list(CLIMBED)), np.array(list(CLIMBED.values()))
    result = fitting.asymptotic_value(cards)
    assert (np.abs(values - result.value) < result.error + STAIRCASE * values).all()


def test_the_largest_multiple_is_the_one_that_is_stated() -> None:
    cards = np.arange(1000, 2001)
    off = np.abs(redblack.value(cards, cards) - law(cards)) * cards**1.75
    assert cards[off.argmax()] == 1023
    stated = 0.0462
    assert stated - 1e-4 < off.max() <= stated
    assert (off < fitting.asymptotic_value(cards).error * cards**1.75).all()
    page = (ROOT / "docs" / "theory" / "growth.rst").read_text(encoding="utf-8")
    for text in (page, str(fitting.asymptotic_value.__doc__)):
        assert re.search(rf"above :math:`{stated}|exceeds {stated} ", text)
        assert re.search(r"3230\s+decks\s+with\s", text)


def test_a_law_without_a_term_is_off() -> None:
    """Each of them is seen in the values, derived ones too."""
    cards = np.array(list(PRECISE))
    exact = np.array([np.longdouble(value) for value in PRECISE.values()])
    for term in TERMS.values():
        without = law(cards) - term.coefficient * cards**term.exponent
        least = 0.4 if term.exponent > -1.5 else 0.1  # the last is next to the noise
        assert (np.abs(exact - without) * cards**1.75).max() > least


@given(st.floats(1000, 1e30), st.floats(1000, 1e30))
def test_law_and_its_error_in_between(first: float, second: float) -> None:
    less, more = sorted([first, second])
    small, large = fitting.asymptotic_value(less), fitting.asymptotic_value(more)
    assert isinstance(large.error, float)
    assert float(small) <= float(large)
    assert 0 < large.error <= max(float(small.error), 1.1e-15 * float(large))
    factor = float(large) / math.sqrt(more)
    assert abs(factor - 0.5220376759871239) < 0.1 / more**0.7 + 2**-52


# Arguments and results.


@pytest.mark.parametrize(
    "cards", [2000, 2000.0, np.uint16(2000), np.float32(2000), Fraction(2000)]
)
def test_sizes_of_any_type(cards: Any) -> None:
    result = fitting.asymptotic_value(cards)
    assert result == fitting.asymptotic_value(2000)
    assert type(result.cards) is type(result.value) is type(result.error) is float
    assert float(result) == result.value == pytest.approx(23.3299514, abs=1e-7)


def test_many_sizes() -> None:
    sizes = [1000, 10**6, 1e20]
    result = fitting.asymptotic_value(sizes)
    frame, singles = result.to_pandas(), [*map(fitting.asymptotic_value, sizes)]
    assert frame.index.tolist() == result.cards.tolist() == sizes
    assert result.value.tolist() == [single.value for single in singles]
    assert frame["error"].tolist() == [single.error for single in singles]
    assert result.error[-1] == pytest.approx(2.0**-50 * result.value[-1])
    assert fitting.asymptotic_value([]).value.shape == (0,)


def test_uncertainties_follow_from_that_of_the_amplitude() -> None:
    """Where a coefficient is made of A, by the difference that A's error makes."""
    terms = {round(-term.exponent, 4): term for term in fitting.GROWTH_TERMS}
    amplitude = terms[0.2312]
    relative = amplitude.uncertainty / abs(amplitude.coefficient)
    square, lattice = terms[0.9623], terms[1.2312]
    for term, power in ((square, 2), (lattice, 1)):
        moved = term.coefficient * ((1 + relative) ** power - 1)
        assert term.uncertainty == pytest.approx(abs(moved), rel=1e-6)
        assert term.origin == "derived"
    for term in fitting.GROWTH_TERMS:
        certain = term.origin != "fitted" and term not in (square, lattice)
        assert (term.uncertainty == 0) == certain
