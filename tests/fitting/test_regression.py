"""Growth laws by least squares: other people's programs, and edge cases."""

import dataclasses
import math
import re
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from cardgames_dp import fitting, redblack
from cardgames_dp.fitting.regression import MODELS, Model


def t_of(growth: fitting.Fit) -> NDArray[np.float64]:
    return growth.to_pandas()["t_value"].to_numpy()


def p_of(growth: fitting.Fit) -> NDArray[np.float64]:
    return growth.to_pandas()["p_value"].to_numpy()


def covariance_of(growth: fitting.Fit) -> NDArray[np.float64]:
    return growth.covariance_root @ growth.covariance_root.T


@pytest.mark.parametrize("model", MODELS)
def test_digits_on_all_decks(model: Model) -> None:
    """Normal equations in 60 digits: 12 digits of coefficients agree, 11 of errors."""
    context = mpmath.MPContext()
    context.dps = 60
    functions = {"log": context.log, "sqrt": context.sqrt}
    names = model.split("+")
    cards = np.arange(1.0, 22_975, 200)
    worth = redblack.value(cards.astype(int), cards.astype(int))
    values = [context.mpf(value) for value in worth.tolist()]
    rows = [
        [context.mpf(1), *(functions[name](context.mpf(card)) for name in names)]
        for card in cards.tolist()
    ]
    terms = range(len(rows[0]))
    normal = context.matrix(
        [[context.fsum(row[i] * row[j] for row in rows) for j in terms] for i in terms]
    )
    right = [
        context.fsum(row[i] * value for row, value in zip(rows, values, strict=True))
        for i in terms
    ]
    inverse = normal**-1
    exact = [context.fsum(inverse[i, j] * right[j] for j in terms) for i in terms]
    squares = context.fsum(
        (value - context.fdot(exact, row)) ** 2
        for row, value in zip(rows, values, strict=True)
    )
    variance = squares / (len(rows) - len(terms))
    growth = fitting.fit(cards, worth, model)
    result = growth.coefficients.tolist()
    assert result == pytest.approx([float(c) for c in exact], rel=1e-12, abs=0)
    covariance = [[float(variance * inverse[i, j]) for j in terms] for i in terms]
    np.testing.assert_allclose(covariance_of(growth), covariance, rtol=1e-11, atol=0)
    error = float(context.sqrt(variance))
    assert growth.residual_standard_error == pytest.approx(error, rel=5e-12, abs=0)


def noisy(count: int = 40) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rng = np.random.default_rng(14)
    cards = rng.integers(1, 10_000, size=count).astype(float)
    return cards, 3 + 0.02 * np.sqrt(cards) + rng.normal(size=count)


def test_two_terms_as_scipy_s_distributions_have_them() -> None:
    cards, values = noisy()
    growth = fitting.fit(cards, values, "log+sqrt")
    t = growth.coefficients / np.sqrt(np.diag(covariance_of(growth)))
    np.testing.assert_allclose(t_of(growth), t)
    np.testing.assert_allclose(p_of(growth), 2 * scipy.stats.t.sf(np.abs(t), 37))
    total = ((values - values.mean()) ** 2).sum()
    rest = (growth.residuals**2).sum()
    assert growth.r_squared == pytest.approx(1 - rest / total)


CARDS, VALUES = [1, 4, 9, 16, 49], [2, 3, 3, 7, 10]  # roots 1, 2, 3, 4, 7


def test_levels_of_intervals() -> None:
    growth = fitting.fit(*noisy(), "log+sqrt")
    for level in (0.001, 0.5, 0.95, 0.999999):
        lower, upper = growth.predict_interval([4, 9], level)
        design = np.array([[1, np.log(4), 2], [1, np.log(9), 3]])
        errors = np.sqrt(np.diag(design @ covariance_of(growth) @ design.T))
        reach = (upper - lower) / 2 / errors
        covered = 1 - 2 * scipy.stats.t.sf(reach, growth.degrees_of_freedom)
        np.testing.assert_allclose(covered, level)
        # A new value errs as well.
        lower, upper = growth.predict_interval([4, 9], level, kind="prediction")
        new = np.hypot(errors, growth.residual_standard_error)
        np.testing.assert_allclose((upper - lower) / 2, reach * new)


decks = st.lists(st.integers(1, 10**30), min_size=6, max_size=30, unique=True)


@given(decks, st.data())
def test_least_squares_leave_residuals_that_no_term_explains(
    cards: list[int], data: st.DataObject
) -> None:
    count = len(cards)
    values = data.draw(st.lists(st.floats(-1e6, 1e6), min_size=count, max_size=count))
    functions = {"log": np.log, "sqrt": np.sqrt}
    x = np.array(cards, dtype=float)
    for model in MODELS:
        design = np.column_stack(
            [np.ones(count), *(functions[name](x) for name in model.split("+"))]
        )
        design /= np.abs(design).max(axis=0)
        if np.linalg.cond(design) > 1e6:
            continue
        growth = fitting.fit(cards, values, model)
        size = max(map(abs, values))
        assert np.abs(design.T @ growth.residuals).max() <= 1e-9 * size * count
        other = design @ np.linalg.lstsq(design, np.array(values), rcond=None)[0]
        result = growth.predict(cards)
        np.testing.assert_allclose(result, other, rtol=0, atol=1e-9 * size)


def test_kinds_of_numbers() -> None:
    """Ints, Fractions, NumPy's numbers, iterators and series mean what they say."""
    growth = fitting.fit(CARDS, VALUES)
    assert growth.model == "sqrt"
    alike: list[tuple[Any, Any]] = [
        (np.array(CARDS), np.array(VALUES, dtype=np.float32)),
        (iter(CARDS), (Fraction(value) for value in VALUES)),
        (pd.Series(CARDS), np.array([Fraction(v) for v in VALUES], dtype=object)),
        ([np.int64(c) for c in CARDS], [np.float64(v) for v in VALUES]),
    ]
    for cards, values in alike:
        assert fitting.fit(cards, values) == growth
    exact = redblack.value(range(1, 8), range(1, 8), backend="exact")
    floats = redblack.value(range(1, 8), range(1, 8))
    assert fitting.fit(range(1, 8), exact) == fitting.fit(range(1, 8), floats)
    assert growth.predict(9.0) == growth.predict([9])[0]
    others: list[Any] = [Fraction(9), np.int64(9)]
    for nine in others:
        assert growth.predict(nine) == growth.predict(9.0)
        assert type(growth.predict(nine)) is float
    assert growth.predict(iter([9, 10])).shape == (2,)
    assert growth.predict([]).shape == (0,)
    assert [type(x) for x in growth.predict_interval(np.float64(9))] == [float, float]
    assert [x.shape for x in growth.predict_interval([9, 10])] == [(2,), (2,)]
    assert growth.predict(10**30) == pytest.approx(growth.coefficients[1] * 1e15)


def test_input_is_copied() -> None:
    cards, values = np.array(CARDS, dtype=float), np.array(VALUES, dtype=float)
    growth = fitting.fit(cards, values)
    cards[0] = values[0] = 0
    assert growth == fitting.fit(CARDS, VALUES) != fitting.fit(CARDS, VALUES, "log")


# Fits without residuals, and values that do not vary.


def test_perfect_fits() -> None:
    growth = fitting.fit([1, 4, 9, 16, 25], [5, 8, 11, 14, 17])
    assert growth.coefficients == pytest.approx([2, 3])
    assert "a perfect fit" in str(growth)
    assert "a perfect fit" in str(growth._repr_html_())
    assert (t_of(growth) > 1e13).all()
    assert "a perfect fit" not in str(fitting.fit(CARDS, VALUES))
    constant = fitting.fit(range(1, 50), [0.1] * 49)
    assert constant.coefficients == pytest.approx([0.1, 0], abs=1e-15)
    assert "a perfect fit" in str(constant)
    assert 0 <= constant.r_squared <= 1


def test_no_residual_at_all() -> None:
    """Then t is infinite with the sign of the coefficient, or 0 with it; never NaN."""
    nothing = fitting.fit([1, 4, 9], [0, 0, 0])
    assert nothing.residual_standard_error == 0
    assert t_of(nothing).tolist() == [0, 0]
    assert p_of(nothing).tolist() == [1, 1]
    assert nothing.r_squared == 0
    assert nothing.predict_interval(4) == (0, 0)
    assert nothing.to_dict(json=True)["r_squared"] == 0
    other = {"values": np.array([-2.0, -4, -6]), "coefficients": np.array([0.0, -2])}
    exact = dataclasses.replace(nothing, **other)  # type: ignore[arg-type]
    assert exact.residuals.tolist() == [0, 0, 0]
    assert t_of(exact).tolist() == [0, -math.inf]
    assert p_of(exact).tolist() == [1, 0]
    assert exact.r_squared == 1
    assert re.search(r"sqrt\(l\) +-2 +0 +-inf +0\n", str(exact))
