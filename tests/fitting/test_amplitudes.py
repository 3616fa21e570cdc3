"""The program that finds A and the C_j to many digits, held against other ways."""

import math

import numpy as np
import pytest

from cardgames_dp import fitting, play, redblack

from ..tools import amplitudes

pytestmark = pytest.mark.slow
Levels = dict[int, amplitudes.Level]


@pytest.fixture(scope="module")
def levels() -> Levels:
    """By excess."""
    climb = amplitudes.climb(amplitudes.thresholds(), 200)
    return {level.excess: level for level in climb}


def test_a_climb_has_the_digits_of_values_and_distributions(levels: Levels) -> None:
    excess, n, cells = levels[60]
    size, (missing, *chances) = n // 2, cells[:, excess // 2] / amplitudes.pmf(n, 0)
    numbers = amplitudes.MP
    bound = (1 - amplitudes.ALPHA**2) * numbers.mpf(4) ** size
    bound /= numbers.binomial(2 * size, size)
    value = numbers.mpf(str(redblack.value(size, size, digits=25)))
    assert missing == pytest.approx(float(bound - value), rel=1e-13)
    payoff = play.distribution(redblack.game(size, size), "optimal").returns[0]
    for j, chance in enumerate(chances):
        assert chance == pytest.approx(payoff.pmf(j), rel=1e-11)


def test_fitted_factors_are_those_of_the_law(levels: Levels) -> None:
    even = [level for level in levels.values() if level.excess % 2 == 0]
    sizes = np.array([level.n / 2 for level in even])
    missing = [c[0, k // 2] / amplitudes.pmf(n, 0) for k, n, c in even]
    first, second, _ = amplitudes.value_factors(sizes, np.array(missing))
    by_exponent = {term.exponent: term.coefficient for term in fitting.GROWTH_TERMS}
    assert first == pytest.approx(-by_exponent[-amplitudes.LAMBDA], abs=1e-8)
    assert second == pytest.approx(-by_exponent[-amplitudes.LAMBDA_2], abs=3e-4)


def test_the_page_has_the_factors_of_payoffs(levels: Levels) -> None:
    profile = amplitudes.Profile()
    excess, n, cells = levels[200]
    places = (excess - 2.0 * np.arange(cells.shape[1])) / math.sqrt(n)
    found = cells[1:] @ profile(places) * n**amplitudes.LAMBDA * profile.norm
    printed = [
        *(0.4774823967, 0.2839842343, 0.1812819740),
        *(0.1661811227, 0.1337110347, 0.1128173655),
    ]
    # The corrections are in the same ratio for all; the rest is k**-2.5.
    k = excess
    found /= 1 + (0.01406 * k ** (-1 - 2 * amplitudes.LAMBDA) - 0.0263 / k**2) / 0.4775
    assert found == pytest.approx(printed, rel=2e-7)
