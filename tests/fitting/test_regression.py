"""Growth laws by least squares: an essay's, other people's programs, edge cases."""

import copy
import dataclasses
import json
import math
import pickle
import re
import statistics
import sys
from collections.abc import Callable
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

from ..redblack import sources as redblack_sources
from . import sources
from .sources import Printed

SIZES = np.arange(1.0, sources.LARGEST + 1)


@pytest.fixture(scope="module")
def printed_file() -> NDArray[np.float64]:
    return sources.printed_file()


@pytest.fixture(scope="module")
def deck_values() -> NDArray[np.float64]:
    """V(1), ..., V(22974) in double precision."""
    return redblack.value(range(1, sources.LARGEST + 1), range(1, sources.LARGEST + 1))


# The Problem 14 essay: its regressions from its data, every digit.


def in_print(number: float, printed: str) -> str:
    """Return the number with as many digits as were printed of it."""
    mantissa, e, _ = printed.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return f"{number:.{decimals}{e or 'f'}}"


def as_printed(growth: fitting.Fit, printed: Printed) -> Printed:
    """Return what the fit says, in the form of what was printed."""
    columns = (growth.coefficients, growth.standard_errors, growth.t_values)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return Printed(
        quantiles=tuple(
            map(in_print, growth.residual_quantiles.tolist(), printed.quantiles)
        ),
        coefficients=tuple(
            (
                in_print(row[0], term[0]),
                in_print(row[1], term[1]),
                in_print(row[2], term[2]),
            )
            for row, term in zip(rows, printed.coefficients, strict=True)
        ),
        error=in_print(growth.residual_standard_error, printed.error),
        freedom=growth.degrees_of_freedom,
        r_squared=(
            in_print(growth.r_squared, printed.r_squared[0]),
            in_print(growth.adjusted_r_squared, printed.r_squared[1]),
        ),
        f=(in_print(growth.f_statistic, printed.f[0]), len(growth.terms) - 1),
    )


def with_decks(
    values: NDArray[np.float64], *more: tuple[int, float], first: int = 1
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return cards and values: decks from `first` on, then more."""
    cards = np.append(np.arange(first, first + len(values)), [deck for deck, _ in more])
    return cards.astype(float), np.append(values, [value for _, value in more])


@pytest.mark.slow
def test_problem_14_logarithm(printed_file: NDArray[np.float64]) -> None:
    growth = fitting.fit(*with_decks(printed_file[1:], sources.V100000), model="log")
    assert as_printed(growth, sources.LOG) == sources.LOG
    assert (growth.p_values < 2.22e-16).all()
    assert growth.f_p_value < 2.22e-16


def test_problem_14_square_root(printed_file: NDArray[np.float64]) -> None:
    """With the deck of no cards among its data, as the degrees of freedom say too."""
    growth = fitting.fit(*with_decks(printed_file, sources.V100000, first=0))
    assert as_printed(growth, sources.SQRT) == sources.SQRT
    assert growth.residuals.argmax() == 0
    assert (growth.p_values < 2.22e-16).all()
    for deck, printed in sources.PREDICTIONS.items():
        # Made by coefficients of six digits; two of them are cut off, not rounded.
        rounding = 5e-7 * math.sqrt(deck) + 5e-8
        last = 10.0 ** -len(printed.partition(".")[2])
        assert abs(growth.predict(deck) - float(printed)) < rounding + last


def test_problem_14_square_root_with_the_largest_deck(
    printed_file: NDArray[np.float64],
) -> None:
    data = with_decks(printed_file[1:], sources.V100000, sources.V_LARGEST)
    growth = fitting.fit(*data)
    assert as_printed(growth, sources.SQRT_REFIT) == sources.SQRT_REFIT
    deck, printed = sources.REFIT_PREDICTION
    assert growth.predict(deck) == pytest.approx(float(printed), abs=6e-3)


def test_problem_14_logarithm_and_square_root(
    printed_file: NDArray[np.float64],
) -> None:
    """The data contain the predictions of all three laws, its own among them."""
    cards, values = with_decks(printed_file[1:], sources.V100000)
    square_root = fitting.fit(*with_decks(printed_file, sources.V100000, first=0))
    laws = [
        fitting.fit(cards, values, "log"),
        square_root,
        fitting.fit(cards, values, "log+sqrt"),
    ]
    mixed = np.concatenate([values, *(law.predict(cards) for law in laws)])
    growth = fitting.fit(np.tile(cards, 4), mixed, "log+sqrt")
    assert as_printed(growth, sources.LOG_SQRT) == sources.LOG_SQRT
    clean = laws[-1].residual_standard_error
    assert clean < square_root.residual_standard_error / 6


def test_problem_14_intercepts_need_its_roundings(
    printed_file: NDArray[np.float64],
) -> None:
    """The last value is cut; without the cut the intercept has other last digits."""
    assert printed_file[-1] == 79.11
    whole = printed_file.copy()
    whole[-1] = 79.113052
    growth = fitting.fit(*with_decks(whole, sources.V100000, first=0))
    assert f"{growth.coefficients[0]:.7f}" == "-0.0186940"


def test_problem_14_values_of_the_c_program(
    printed_file: NDArray[np.float64],
) -> None:
    listed = redblack_sources.C_VALUES
    assert tuple(f"{value:f}" for value in printed_file[: len(listed)]) == listed


def test_fused_sums_are_rounded_once() -> None:
    rng = np.random.default_rng(1)
    p, added = rng.random(500), rng.random(500)
    single = (1 + rng.random(500)).astype(np.float32)
    # Sums in which the product's rounding would be seen:
    added[::2] = -(p * single)[::2] * (1 + 2.0**-40 * rng.random(250))
    exact = [
        float(Fraction(a) * Fraction(float(b)) + Fraction(c))
        for a, b, c in zip(p.tolist(), single.tolist(), added.tolist(), strict=True)
    ]
    assert sources.fused(p, single, added).tolist() == exact
    assert (p * single + added).tolist() != exact


@pytest.mark.slow
def test_what_problem_14_would_have_found_in_double_precision(
    deck_values: NDArray[np.float64],
) -> None:
    cards, values = with_decks(deck_values, (100_000, 165.0758465327752))
    found = {model: fitting.fit(cards, values, model) for model in MODELS}
    refit = fitting.fit(
        *with_decks(
            deck_values, (100_000, 165.0758465327752), (133_787_000, 6038.2168825913)
        )
    )
    rounded = {
        model: [f"{c:.6g}" for c in growth.coefficients]
        for model, growth in found.items()
    }
    assert rounded == {
        "log": ["-106.652", "17.6276"],
        "sqrt": ["-0.0201887", "0.522116"],
        "log+sqrt": ["-0.049859", "0.00465101", "0.521994"],
    }
    assert [f"{c:.6g}" for c in refit.coefficients] == ["-0.0137937", "0.522053"]
    errors = [growth.residual_standard_error for growth in (*found.values(), refit)]
    assert [f"{error:.6g}" for error in errors] == [
        *("6.19889", "0.00157446", "0.000312592", "0.00295873")
    ]


# Against other ways to compute the same.


@pytest.mark.parametrize("model", MODELS)
def test_digits_on_all_decks(model: Model, deck_values: NDArray[np.float64]) -> None:
    """Normal equations in 60 digits: 12 digits of coefficients agree, 11 of errors."""
    context = mpmath.MPContext()
    context.dps = 60
    functions = {"log": context.log, "sqrt": context.sqrt}
    names = model.split("+")
    cards = SIZES[::7]
    values = [context.mpf(value) for value in deck_values[::7].tolist()]
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
    growth = fitting.fit(cards, deck_values[::7], model)
    found = growth.coefficients.tolist()
    assert found == pytest.approx([float(c) for c in exact], rel=1e-12, abs=0)
    covariance = [[float(variance * inverse[i, j]) for j in terms] for i in terms]
    np.testing.assert_allclose(growth.covariance, covariance, rtol=1e-11, atol=0)
    error = float(context.sqrt(variance))
    assert growth.residual_standard_error == pytest.approx(error, rel=5e-12, abs=0)


def noisy(count: int = 40) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rng = np.random.default_rng(14)
    cards = rng.integers(1, 10_000, size=count).astype(float)
    return cards, 3 + 0.02 * np.sqrt(cards) + rng.normal(size=count)


@pytest.mark.parametrize(("model", "function"), [("log", np.log), ("sqrt", np.sqrt)])
def test_one_term_as_scipy_has_it(model: Model, function: Callable[..., Any]) -> None:
    cards, values = noisy()
    growth = fitting.fit(cards, values, model)
    other = scipy.stats.linregress(function(cards), values)
    expected = [
        *((other.intercept, other.slope), (other.intercept_stderr, other.stderr)),
        (other.pvalue, other.rvalue**2),
    ]
    found: list[Any] = [
        *(growth.coefficients, growth.standard_errors),
        (growth.p_values[1], growth.r_squared),
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-11)
    # With one term F is the square of its t, and has its p value.
    assert growth.f_statistic == pytest.approx(growth.t_values[1] ** 2)
    assert growth.f_p_value == pytest.approx(growth.p_values[1])
    assert 1e-9 < growth.f_p_value < 0.2


def test_two_terms_as_scipy_s_distributions_have_them() -> None:
    cards, values = noisy()
    growth = fitting.fit(cards, values, "log+sqrt")
    t = growth.coefficients / np.sqrt(np.diag(growth.covariance))
    np.testing.assert_allclose(growth.t_values, t)
    np.testing.assert_allclose(growth.p_values, 2 * scipy.stats.t.sf(np.abs(t), 37))
    total = ((values - values.mean()) ** 2).sum()
    rest = (growth.residuals**2).sum()
    assert growth.r_squared == pytest.approx(1 - rest / total)
    assert growth.adjusted_r_squared == pytest.approx(1 - rest / 37 / (total / 39))
    f = (total - rest) / 2 / (rest / 37)
    assert growth.f_statistic == pytest.approx(f)
    assert growth.f_p_value == pytest.approx(scipy.stats.f.sf(f, 2, 37))
    assert growth.residual_quantiles[1:4].tolist() == pytest.approx(
        statistics.quantiles(growth.residuals.tolist(), n=4, method="inclusive")
    )
    assert growth.residual_quantiles[[0, 4]].tolist() == [
        growth.residuals.min(),
        growth.residuals.max(),
    ]


CARDS, VALUES = [1, 4, 9, 16, 49], [2, 3, 3, 7, 10]  # roots 1, 2, 3, 4, 7


def test_tiny_example_in_fractions() -> None:
    """Everything from (X'X)^-1, written out; limits by Student's t on 3 degrees."""
    roots = [Fraction(root) for root in (1, 2, 3, 4, 7)]
    n, s, ss = 5, sum(roots), sum(root**2 for root in roots)
    xy = sum(root * value for root, value in zip(roots, VALUES, strict=True))
    determinant = n * ss - s**2
    b = (n * xy - s * sum(VALUES)) / determinant
    a = (sum(VALUES) - b * s) / n
    rest = sum(
        (value - a - b * root) ** 2 for root, value in zip(roots, VALUES, strict=True)
    )
    variance = rest / 3
    growth = fitting.fit(CARDS, VALUES)
    assert growth.coefficients.tolist() == pytest.approx([float(a), float(b)])
    covariance: list[list[Fraction | int]] = [[ss, -s], [-s, n]]
    assert growth.covariance.ravel().tolist() == pytest.approx(
        [float(variance * c / determinant) for row in covariance for c in row]
    )

    t = 3.182446305284263  # of 97.5 % on 3 degrees of freedom, from tables
    limits = growth.confidence_intervals()
    errors = [
        math.sqrt(variance * ss / determinant),
        math.sqrt(variance * n / determinant),
    ]
    assert (limits.kind, limits.level) == ("coefficients", 0.95)
    assert limits.estimate == pytest.approx(growth.coefficients)
    assert limits.lower == pytest.approx(
        [float(a) - t * errors[0], float(b) - t * errors[1]]
    )
    assert limits.upper == pytest.approx(
        [float(a) + t * errors[0], float(b) + t * errors[1]]
    )

    root = 5
    of_law = variance * (ss - 2 * s * root + n * root**2) / determinant
    for kind, error in [("confidence", of_law), ("prediction", of_law + variance)]:
        limits = growth.predict_interval(root**2, kind=kind)  # type: ignore[arg-type]
        middle = float(a + b * root)
        assert growth.predict(root**2) == pytest.approx(middle)
        assert limits.estimate == pytest.approx(middle)
        assert limits.lower == pytest.approx(middle - t * math.sqrt(error))
        assert limits.upper == pytest.approx(middle + t * math.sqrt(error))
        assert (limits.kind, limits.level) == (kind, 0.95)


def test_levels_of_intervals() -> None:
    growth = fitting.fit(*noisy(), "log+sqrt")
    for level in (0.001, 0.5, 0.95, 0.999999):
        limits = growth.confidence_intervals(level)
        reach = (limits.upper - limits.lower) / 2 / growth.standard_errors
        covered = 1 - 2 * scipy.stats.t.sf(reach, growth.degrees_of_freedom)
        np.testing.assert_allclose(covered, level)


def test_intervals_cover_as_often_as_they_say() -> None:
    """Of 500 series of true laws with noise, by a fixed seed."""
    rng = np.random.default_rng(2)
    cards = np.array([1, 5, 20, 100, 400, 1000, 3000])
    truth = 1 + 0.5 * np.sqrt(cards)
    inside = {"confidence": 0, "prediction": 0}
    for _ in range(500):
        growth = fitting.fit(cards, truth + rng.normal(size=len(cards)))
        new = {"confidence": 6.0, "prediction": 6.0 + rng.normal()}
        for kind, observed in new.items():
            limits = growth.predict_interval(100, 0.8, kind)  # type: ignore[arg-type]
            inside[kind] += bool(limits.lower <= observed <= limits.upper)
    assert all(
        abs(count / 500 - 0.8) < 4 * math.sqrt(0.16 / 500) for count in inside.values()
    )


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
        np.testing.assert_allclose(growth.fitted, other, rtol=0, atol=1e-9 * size)
        np.testing.assert_array_equal(growth.predict(cards), growth.fitted)


@given(st.floats(1e-20, 1e20), st.floats(-1e3, 1e3), st.sampled_from(MODELS))
def test_units_of_money_carry_over(unit: float, shift: float, model: Model) -> None:
    cards, values = noisy()
    growth = fitting.fit(cards, values, model)
    other = fitting.fit(cards, unit * (values + shift), model)
    expected = growth.coefficients.copy()
    expected[0] += shift
    np.testing.assert_allclose(
        other.coefficients / unit, expected, rtol=1e-8, atol=1e-8
    )
    np.testing.assert_allclose(other.standard_errors / unit, growth.standard_errors)
    assert other.r_squared == pytest.approx(growth.r_squared)
    assert other.f_p_value == pytest.approx(growth.f_p_value)


@pytest.mark.parametrize("model", MODELS)
def test_units_of_cards_carry_over(model: Model) -> None:
    """A million times as many cards: roots a thousandfold, the same law otherwise."""
    cards, values = noisy()
    few, many = (
        fitting.fit(cards, values, model),
        fitting.fit(cards * 1e6, values, model),
    )
    np.testing.assert_allclose(many.fitted, few.fitted)
    ratio = {"(Intercept)": None, "log(l)": 1.0, "sqrt(l)": 1e-3}
    for i, term in enumerate(few.terms):
        if ratio[term]:
            assert many.coefficients[i] / few.coefficients[i] == pytest.approx(
                ratio[term]
            )


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
    limits = growth.predict_interval(np.float64(9))
    assert [type(x) for x in (limits.estimate, limits.lower)] == [float, float]
    assert np.shape(growth.predict_interval([9, 10]).upper) == (2,)
    assert growth.predict(10**30) == pytest.approx(growth.coefficients[1] * 1e15)


def test_input_is_copied_and_results_are_read_only() -> None:
    cards, values = np.array(CARDS, dtype=float), np.array(VALUES, dtype=float)
    growth = fitting.fit(cards, values)
    cards[0] = values[0] = 0
    assert growth == fitting.fit(CARDS, VALUES)
    for other in (growth, pickle.loads(pickle.dumps(growth)), copy.deepcopy(growth)):
        assert other == growth
        for field in dataclasses.fields(other)[1:]:
            with pytest.raises(ValueError, match="read-only"):
                getattr(other, field.name)[...] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        growth.model = "log"  # type: ignore[misc]
    assert growth != fitting.fit(CARDS, VALUES, "log")
    limits = growth.predict_interval([1, 2])
    assert pickle.loads(pickle.dumps(limits)) == limits
    assert limits != growth.predict_interval([1, 2], kind="prediction")


# Fits without residuals, and values that do not vary.


def test_perfect_fit() -> None:
    growth = fitting.fit([1, 4, 9, 16, 25], [5, 8, 11, 14, 17])
    assert growth.coefficients == pytest.approx([2, 3])
    assert growth.is_perfect
    assert "a perfect fit" in str(growth)
    assert "a perfect fit" in str(growth._repr_html_())
    assert (growth.t_values > 1e13).all()
    assert not fitting.fit(CARDS, VALUES).is_perfect
    assert "perfect" not in str(fitting.fit(CARDS, VALUES))


def test_no_residual_at_all() -> None:
    """Then t is infinite with the sign of the coefficient, or 0 with it; never NaN."""
    nothing = fitting.fit([1, 4, 9], [0, 0, 0])
    assert nothing.residual_standard_error == 0
    assert nothing.t_values.tolist() == [0, 0]
    assert nothing.p_values.tolist() == [1, 1]
    assert (nothing.r_squared, nothing.f_statistic, nothing.f_p_value) == (0, 0, 1)
    assert np.array_equal(nothing.confidence_intervals().upper, [0, 0])

    exact = dataclasses.replace(
        nothing, values=np.array([-2.0, -4.0, -6.0]), coefficients=np.array([0.0, -2.0])
    )
    assert exact.residuals.tolist() == [0, 0, 0]
    assert exact.t_values.tolist() == [0, -math.inf]
    assert exact.p_values.tolist() == [1, 0]
    assert (exact.r_squared, exact.f_statistic, exact.f_p_value) == (1, math.inf, 0)
    assert re.search(r"sqrt\(l\) +-2 +0 +-inf +0\n", str(exact))


def test_constant_values_leave_nothing_to_explain() -> None:
    growth = fitting.fit(range(1, 50), [0.1] * 49)
    assert growth.coefficients == pytest.approx([0.1, 0], abs=1e-15)
    assert growth.is_perfect
    assert 0 <= growth.r_squared <= 1


# What a person sees.


def test_prints_as_a_table() -> None:
    """The numbers are 10/53 and 75/53, and those of the tests above."""
    growth = fitting.fit(CARDS, VALUES)
    assert (
        str(growth)
        == """\
Least squares: V = a + b sqrt(l), 5 points
term         estimate  standard_error   t_value     p_value
(Intercept)  0.188679        0.938731  0.200994    0.853559
sqrt(l)       1.41509        0.236163   5.99202  0.00930753
(residual standard error 1.08738 on 3 degrees of freedom)
(R-squared 0.922888, F 35.9043 with p value 0.00931)"""
    )
    assert growth.coefficients == pytest.approx([10 / 53, 75 / 53])
    assert repr(growth) == (
        "Fit(model='sqrt', coefficients=[0.188679, 1.41509], "
        "residual_standard_error=1.08738, degrees_of_freedom=3)"
    )
    assert str(growth._repr_html_()).count("<tr>") == 3


def test_plain_data() -> None:
    growth = fitting.fit(CARDS, VALUES, "log+sqrt")
    data = json.loads(json.dumps(growth.to_dict()))
    assert (data["model"], data["cards"], data["values"]) == ("log+sqrt", CARDS, VALUES)
    assert data["terms"] == ["(Intercept)", "log(l)", "sqrt(l)"]
    assert data["coefficients"] == growth.coefficients.tolist()
    assert data["covariance"] == growth.covariance.tolist()
    assert data["residual_quantiles"] == growth.residual_quantiles.tolist()
    for name in (
        *("residual_standard_error", "degrees_of_freedom", "r_squared"),
        *("adjusted_r_squared", "f_statistic", "f_p_value"),
    ):
        assert data[name] == getattr(growth, name)

    frame = growth.to_pandas()
    assert frame.index.name == "term"
    assert list(frame.columns) == ["estimate", "standard_error", "t_value", "p_value"]
    for name, values in [
        ("estimate", growth.coefficients),
        ("standard_error", growth.standard_errors),
        ("t_value", growth.t_values),
        ("p_value", growth.p_values),
    ]:
        assert frame[name].tolist() == values.tolist()


def test_missing_pandas_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs pandas: .*dp\[pandas\]"):
        fitting.fit(CARDS, VALUES).to_pandas()


# Refusals.


LAW = fitting.fit(CARDS, VALUES, "log")


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: fitting.fit(CARDS, VALUES, "cubic"),  # type: ignore[arg-type]
            ValueError,
            "model must be one of 'log', 'sqrt', 'log.sqrt', got 'cubic'",
        ),
        (
            lambda: fitting.fit(CARDS, VALUES[:4]),
            ValueError,
            "cards and values must be of equal length, got 5 and 4",
        ),
        (
            lambda: fitting.fit(CARDS[:2], VALUES[:2]),
            ValueError,
            "cards must be more than the 2 terms of model 'sqrt', got 2",
        ),
        (
            lambda: fitting.fit(CARDS[:3], VALUES[:3], "log+sqrt"),
            ValueError,
            "cards must be more than the 3 terms of model 'log.sqrt', got 3",
        ),
        (
            lambda: fitting.fit([26] * 5, VALUES),
            ValueError,
            "cards must differ enough to tell the 2 terms of model 'sqrt' apart",
        ),
        (
            lambda: fitting.fit([1] * 5, VALUES, "log"),
            ValueError,
            "cards must differ enough to tell the 2 terms of model 'log' apart",
        ),
        (
            lambda: fitting.fit([0] * 5, VALUES),
            ValueError,
            "cards must differ enough",
        ),
        (
            lambda: fitting.fit([3, 3, 8, 8, 8], VALUES, "log+sqrt"),
            ValueError,
            "cards must differ enough to tell the 3 terms",
        ),
        (
            lambda: fitting.fit([1, 0, 2, 3, 4], VALUES, "log"),
            ValueError,
            r"cards\[1\] must be a number above 0 and up to 1e100 in a law with "
            r"log\(l\), got 0",
        ),
        (
            lambda: fitting.fit(np.array([1, 2, 3, 4, 0]), VALUES, "log+sqrt"),
            ValueError,
            r"cards\[4\] must be a number above 0 .* got 0",
        ),
        (
            lambda: fitting.fit([4, 3, 2, 1, -1], VALUES),
            ValueError,
            r"cards\[4\] must be a number from 0 to 1e100, got -1",
        ),
        (
            lambda: fitting.fit([4, 3, 2, 1, 10**400], VALUES),
            ValueError,
            r"cards\[4\] must be a number from 0 to 1e100, got about 1e400",
        ),
        (
            lambda: fitting.fit(CARDS, [0, 1, math.nan, 3, 4]),
            ValueError,
            r"values\[2\] must be a number from -1e100 to 1e100, got nan",
        ),
        (
            lambda: fitting.fit(CARDS, np.array([0, 1, 2, -math.inf, 4])),
            ValueError,
            r"values\[3\] must be a number .* got -inf",
        ),
        (
            lambda: fitting.fit(CARDS, [0, 1, 2, 3, "4"]),  # type: ignore[list-item]
            TypeError,
            r"values\[4\] must be a number .* got '4' of type str",
        ),
        (
            lambda: fitting.fit([True, 2, 3, 4, 5], VALUES),
            TypeError,
            r"cards\[0\] must be a number .* got True of type bool",
        ),
        (
            lambda: fitting.fit(np.array([True] * 5), VALUES),
            TypeError,
            r"cards\[0\] must be a number .* of type bool",
        ),
        (
            lambda: fitting.fit(26, VALUES),  # type: ignore[arg-type]
            TypeError,
            "cards must be an iterable of numbers, got 26 of type int",
        ),
        (
            lambda: fitting.fit("12345", VALUES),  # type: ignore[arg-type]
            TypeError,
            "cards must be an iterable of numbers, got '12345' of type str",
        ),
        (
            lambda: fitting.fit(CARDS, np.array(3.0)),
            TypeError,
            "values must be an iterable of numbers",
        ),
        (
            lambda: fitting.fit(np.ones((5, 1)), VALUES),
            TypeError,
            r"cards\[0\] must be a number .* of type ndarray",
        ),
        (lambda: LAW.predict(0), ValueError, "cards must be a number above 0"),
        (lambda: LAW.predict([1, 0]), ValueError, r"cards\[1\] must be a number above"),
        (
            lambda: LAW.predict(None),  # type: ignore[call-overload]
            TypeError,
            "cards must be a number above 0 .* got None of type NoneType",
        ),
        (
            lambda: LAW.predict_interval(1, kind="both"),  # type: ignore[arg-type]
            ValueError,
            "kind must be one of 'confidence', 'prediction', got 'both'",
        ),
        (
            lambda: LAW.predict_interval(1, 95),
            ValueError,
            "level must be a number above 0 and below 1, got 95",
        ),
        (
            lambda: LAW.confidence_intervals(1.0),
            ValueError,
            "level must be a number above 0 and below 1, got 1.0",
        ),
        (
            lambda: LAW.confidence_intervals("0.9"),  # type: ignore[arg-type]
            TypeError,
            "level must be a number above 0 and below 1, got '0.9' of type str",
        ),
    ],
)
def test_refusals(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_intervals_name_what_they_are_of() -> None:
    law = fitting.fit([1, 4, 9, 16, 25], [1, 2, 2, 4, 5], "log+sqrt")
    terms = law.confidence_intervals()
    assert terms.terms == law.terms
    assert terms.to_pandas().index.tolist() == list(law.terms)
    assert terms.to_pandas()["lower"].tolist() == np.asarray(terms.lower).tolist()
    assert "terms=('(Intercept)', 'log(l)', 'sqrt(l)')" in repr(terms)
    assert "cards" not in repr(terms)
    decks = law.predict_interval([2, 3])
    assert decks.to_pandas().index.tolist() == [2, 3]
    single = law.predict_interval(36, kind="prediction")
    assert single.cards == 36
    assert single.to_pandas()["estimate"].tolist() == [single.estimate]
    assert "terms" not in repr(single)
    for result in (terms, decks, single, law):
        content = result.to_dict(json=True)
        assert json.loads(json.dumps(content, allow_nan=False)) == content
        for name in result.__dataclass_fields__:
            assert name in content


def test_a_perfect_fit_is_json_as_well() -> None:
    law = fitting.fit([0, 1, 4], [0, 0, 0])
    content = json.dumps(law.to_dict(json=True), allow_nan=False)
    assert json.loads(content)["r_squared"] == 0
