"""The constants of the limit: every digit, every root, no global precision."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.linalg

from cardgames_dp import fitting
from cardgames_dp.fitting import constants


def context(digits: int) -> Any:
    local = mpmath.MPContext()
    local.dps = digits + 40
    return local


def shepp(local: Any, a: Any) -> Any:
    """Return the two sides' difference, Phi by its own series of positive terms."""
    term, series, n = a, a, 1
    while term > local.eps:
        term *= a**2 / (2 * n + 1)
        series += term
        n += 1
    half = local.sqrt(local.pi / 2)  # sqrt(2 pi) exp(a^2/2) Phi(a) = half exp + series
    return a - (1 - a**2) * (half * local.exp(a**2 / 2) + series)


def killed(local: Any, nu: Any, alpha: Any) -> Any:
    """Return the solution of f'' - y f' + nu f = 0 of polynomial growth, at alpha.

    Its power series, added up term by term; growth fixes the ratio of its two halves.
    """
    even, odd = local.rgamma((1 - nu) / 2), local.sqrt(2) * local.rgamma(-nu / 2)
    terms = [even, odd * alpha]
    total = sum(terms)
    n = 0
    while n < nu or max(map(abs, terms)) > local.eps * abs(even):
        even_or_odd = terms[n % 2] * (n - nu) * alpha**2 / ((n + 1) * (n + 2))
        terms[n % 2] = even_or_odd
        total += even_or_odd
        n += 1
    return total


def rounds_to(
    local: Any, function: Callable[[Any], Any], printed: Decimal, digits: int
) -> bool:
    """Whether the function changes sign within half a unit of the last digit."""
    assert len(printed.as_tuple().digits) == digits
    half = local.mpf(10) ** int(printed.as_tuple().exponent) / 2
    middle = local.mpf(str(printed))
    return bool(function(middle - half) * function(middle + half) < 0)


@pytest.mark.parametrize("digits", [1, 2, 3, 16, 17, 50, 200])
def test_every_digit_of_alpha_and_of_the_limit(digits: int) -> None:
    local = context(digits)

    def of_limit(c: Any) -> Any:
        return shepp(local, local.sqrt(1 - c / local.sqrt(local.pi)))

    alpha, limit = fitting.shepp_alpha(digits), fitting.limit_constant(digits)
    assert rounds_to(local, lambda a: shepp(local, a), alpha, digits)
    assert rounds_to(local, of_limit, limit, digits)


@pytest.mark.parametrize("digits", [1, 60])
@pytest.mark.parametrize("k", [1, 2, 3, 6, 40])
def test_every_digit_of_the_exponents(k: int, digits: int) -> None:
    local = context(digits)
    alpha = local.mpf(str(fitting.shepp_alpha(digits + 40)))
    exponent = fitting.decay_exponent(k, digits)
    assert rounds_to(local, lambda x: killed(local, 2 * x, alpha), exponent, digits)


@pytest.mark.slow
def test_no_exponent_is_missed() -> None:
    """The spectrum of the problem's difference operator has the same first 20.

    With f = exp(y^2/4) u it is -u'' + (y^2/4 - 1/2) u = nu u, u(alpha) = 0.
    """
    step = 0.01
    alpha = float(fitting.shepp_alpha())
    y = alpha - step * np.arange(1, 2000)
    spectrum = scipy.linalg.eigh_tridiagonal(
        2 / step**2 + y**2 / 4 - 0.5,
        np.full(len(y) - 1, -1 / step**2),
        eigvals_only=True,
        select="i",
        select_range=(0, 19),
    )
    result = [float(fitting.decay_exponent(k)) for k in range(1, 21)]
    np.testing.assert_allclose(result, spectrum / 2, rtol=0, atol=8e-3)
    assert np.diff(result).min() > 0.8


def test_the_user_s_precision_is_neither_changed_nor_used() -> None:
    def constants() -> list[Decimal]:
        exponent = fitting.decay_exponent(2, 40)
        return [fitting.shepp_alpha(40), fitting.limit_constant(40), exponent]

    with mpmath.workdps(5):
        result = constants()
        assert mpmath.mp.dps == 5
    assert mpmath.mp.dps == 15
    assert result == constants()
    limit = fitting.limit_constant(30)
    assert limit == Decimal("0.522037675987123866538371033123")
    with mpmath.workdps(30):
        assert mpmath.nstr(mpmath.mpf(str(limit)), 30) == str(limit)


# The parts.


def test_more_digits_are_computed_where_rounding_is_in_doubt() -> None:
    """0.12350000000000000003 to three digits after 0.12."""
    precisions = []

    def enclosed(local: Any) -> tuple[Any, Any]:
        precisions.append(local.dps)
        number = local.mpf("0.12350000000000000003")
        margin = local.mpf(10) ** (5 - local.dps)
        return number - margin, number + margin

    assert constants.rounded(enclosed, 3) == Decimal("0.124")
    assert precisions == [13, 23, 43]


def test_a_root_that_cannot_be_told_apart_stays_in_its_bracket() -> None:
    local = mpmath.MPContext()
    bracket = local.mpf(0), local.mpf(1)

    def flat(x: Any) -> Any:
        return local.nint((x - local.mpf(1) / 3) * 1e6)

    assert constants.enclosed_root(local, flat, *bracket) == bracket
    lower, upper = constants.enclosed_root(local, lambda x: x**2 - 0.5, *bracket)
    assert 0 < upper - lower < 1e-9
    assert lower**2 < 0.5 < upper**2
