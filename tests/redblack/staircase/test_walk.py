"""Walks by sine transforms against walks step by step."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as npst

from cardgames_dp.redblack._kernels.staircase.walks import (
    Waves,
    good_length,
    step,
    walk,
)

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


def test_waves_that_die_are_not_missed() -> None:
    """Of 5000 waves 70 survive a walk of 100,000 steps, and they are all it takes."""
    cells = np.random.default_rng(1).random(5000)
    waves = Waves.of(cells, 100_000)
    assert len(waves.sines) < 100
    every = Waves.of(cells, 2)
    np.testing.assert_allclose(
        waves.summed(waves.after(100_000)),
        every.summed(every.after(100_000)),
        atol=1e-15,
    )


@given(cells=windows)
def test_one_step_ends_between_the_heights(cells: np.ndarray) -> None:
    expected = np.concatenate([[0.0], (cells[:-1] + cells[1:]) / 2])
    np.testing.assert_array_equal(step(cells), expected)


def test_good_lengths_have_small_factors() -> None:
    for cells in range(1, 3000, 7):
        length = rest = good_length(cells)
        assert length >= max(cells, 2)
        for factor in (2, 3, 5):
            while rest % factor == 0:
                rest //= factor
        assert rest == 1
