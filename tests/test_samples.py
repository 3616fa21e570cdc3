"""Standard errors of simulated games: one convention, held against the definition."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp._results.distribution import deviation, mean_error, rate_error

RESULTS = st.lists(st.integers(-5, 5), min_size=2, max_size=40)


@given(RESULTS)
def test_deviation_is_that_of_the_sample(results: list[int]) -> None:
    values, counts = np.unique(results, return_counts=True)
    found = deviation(values, counts)
    assert found == pytest.approx(statistics.stdev(results), abs=1e-15)
    mean = statistics.mean(results)
    assert deviation(values, counts, mean) == pytest.approx(found, abs=1e-15)


@given(wins=st.integers(0, 50), losses=st.integers(0, 50))
def test_a_rate_is_a_mean_of_zeros_and_ones(wins: int, losses: int) -> None:
    games = wins + losses
    if games < 2:
        return
    counts = np.array([losses, wins])
    spread = deviation(np.array([0, 1]), counts)
    error = mean_error(spread, games)
    assert rate_error(wins / games, games) == pytest.approx(error, abs=1e-15)


def test_errors_of_arrays() -> None:
    rates = np.array([[0.0, 0.5], [0.2, 1.0]])
    errors = rate_error(rates, 101)
    assert errors.shape == (2, 2)
    np.testing.assert_allclose(errors, [[0, 0.05], [0.04, 0]], rtol=1e-15)
    np.testing.assert_allclose(mean_error(rates, 4), rates / 2)


def test_one_game_tells_nothing() -> None:
    assert math.isnan(deviation(np.array([3]), np.array([1])))
    assert math.isnan(rate_error(1.0, 1))
    assert np.isnan(rate_error(np.array([0.0, 1.0]), 1)).all()


def test_a_float_stays_a_float() -> None:
    assert type(rate_error(0.5, 3)) is float
    assert type(rate_error(0.5, 1)) is float


def test_deviations_of_large_results_do_not_overflow() -> None:
    found = deviation(np.array([-1e300, 1e300]), np.array([2, 2]))
    assert found == pytest.approx(1e300 * math.sqrt(4 / 3), rel=1e-15)
