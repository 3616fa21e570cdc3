"""The limit law: its transform, its series, its own integrals, and decks near it."""

import itertools
import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from scipy import integrate

from cardgames_dp import fitting, play, redblack
from cardgames_dp.play import Distributions

from . import inversion

ALPHA = float(fitting.shepp_alpha())
LAMBDA = float(fitting.decay_exponent(1))
KINDS: list[Any] = ["payoff", "duration", "left"]
LAWS = {of: fitting.LimitDistribution(of) for of in KINDS}
each = pytest.mark.parametrize("of", KINDS)


def transform(q: Any) -> Any:
    context = mpmath.MPContext()
    context.dps = 30
    return inversion.transform(context, q)


# Moments.


@pytest.mark.parametrize("order", [0, 1, 2, 3, 7, 40])
def test_moments_are_quotients_of_parabolic_cylinder_functions(order: int) -> None:
    left = LAWS["left"].moment(order)
    assert left == pytest.approx(float(transform(order)), rel=1e-15)
    paid = LAWS["payoff"].moment(order)
    scale = (math.sqrt(2) * ALPHA) ** order
    assert paid == pytest.approx(scale * float(transform(order / 2)), rel=1e-14)


def test_moments_in_closed_form() -> None:
    """By the recurrence of D and Shepp's equation: rational functions of alpha."""
    square = fitting.shepp_alpha(40) ** 2
    assert LAWS["left"].mean == float(1 - square)
    assert LAWS["duration"].mean == float(square)
    assert LAWS["payoff"].mean == float(fitting.limit_constant())
    # E payoff**2 / l = 2 alpha**2 (1 - alpha**2).
    assert LAWS["payoff"].moment(2) == float(2 * square * (1 - square))
    deviation = LAWS["payoff"].std
    a = ALPHA**2
    assert deviation**2 == pytest.approx((1 - a) * (2 * a - math.pi * (1 - a)), 1e-14)
    assert deviation == pytest.approx(0.378205446, abs=5e-10)


@each
@pytest.mark.parametrize("order", [1, 2, 5])
def test_moments_are_integrals_of_the_tail(of: str, order: int) -> None:
    law = LAWS[of]
    result, error = integrate.quad(
        lambda u: order * u ** (order - 1) * law.sf(u), *law.quantile([0, 1]), limit=200
    )
    assert law.moment(order) == pytest.approx(result, abs=1e-7 + error)


# Probabilities.


def share(k: int) -> float:
    """Return c_k by the page's formula, a residue, in 40 digits."""
    context = mpmath.MPContext()
    context.dps = 40
    alpha = context.mpf(str(fitting.shepp_alpha(45)))
    nu = 2 * context.mpf(str(fitting.decay_exponent(k, 45)))
    slope = context.diff(lambda order: context.pcfd(order, -alpha), nu)
    return float(-context.pcfd(nu, 0) / (nu * context.exp(alpha**2 / 4) * slope))


@pytest.mark.slow
def test_series_of_powers() -> None:
    """P(X <= x) = sum c_k x**lambda_k, with mpmath's own roots and residues."""
    terms = [(float(fitting.decay_exponent(k)), share(k)) for k in range(1, 7)]
    for x in (1e-9, 1e-3):
        expected = math.fsum(c * x**rate for rate, c in terms)
        assert LAWS["left"].cdf(x) == pytest.approx(expected, rel=1e-14)
    assert [round(share, 7) for _, share in terms[:3]] == [
        *(0.6684652, 0.2070364, 0.1186836),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("x", [0.3, 0.9])
def test_probabilities_are_those_of_another_inversion(x: float) -> None:
    """The series, and the contour, for the times from 1/8 on and below."""
    for name, error in (("cdf", 3e-14), ("pdf", 1e-11)):
        result, expected = getattr(LAWS["left"], name)(x), inversion.precisely(name, x)
        assert abs(result - float(expected)) < error * max(1, result)


@given(drawn=st.floats(0.01, 0.99999))
def test_payoff_and_duration_follow_from_the_cards_left(drawn: float) -> None:
    left, top, x = LAWS["left"], math.sqrt(2) * ALPHA, 1 - drawn
    assert LAWS["duration"].cdf(drawn) == pytest.approx(left.sf(x), abs=1e-13)
    assert LAWS["duration"].pdf(drawn) == pytest.approx(left.pdf(x), abs=1e-10)
    paid = top * math.sqrt(x)
    assert LAWS["payoff"].cdf(paid) == pytest.approx(left.cdf(x), abs=1e-13)
    slope = left.pdf(x) * 2 * math.sqrt(x) / top
    assert LAWS["payoff"].pdf(paid) == pytest.approx(slope, rel=1e-9, abs=1e-10)


@each
@given(shares=st.lists(st.floats(0, 1), min_size=2, max_size=2))
def test_probabilities_of_any_result(of: str, shares: list[float]) -> None:
    law = LAWS[of]
    xs = np.sort(shares) * law.quantile(1)
    below, above = law.cdf(xs), law.sf(xs)
    assert below + above == pytest.approx([1, 1], abs=1e-15)
    assert below[0] <= below[1] + 6e-14
    assert (below >= 0).all()
    assert [law.cdf(x) for x in xs.tolist()] == below.tolist()


@each
def test_density_is_the_slope(of: str) -> None:
    law = LAWS[of]
    xs, step = np.linspace(0.15, 0.8, 14) * law.quantile(1), 1e-5
    slopes = (law.cdf(xs + step) - law.cdf(xs - step)) / (2 * step)
    assert law.pdf(xs) == pytest.approx(slopes, rel=1e-7)


@each
def test_outside_of_the_support(of: Any) -> None:
    law = LAWS[of]
    low, high = law.quantile([0, 1])
    for below in (-1.0, -1e100):
        assert (law.cdf(below), law.sf(below), law.pdf(below)) == (0, 1, 0)
    for above in (high + 1, 1e100):
        assert (law.cdf(above), law.sf(above), law.pdf(above)) == (1, 0, 0)
    assert (law.cdf(low), law.cdf(high)) == (0, 1)
    end, start = (high, low) if of == "duration" else (low, high)
    assert law.pdf(end) == math.inf
    assert law.pdf(start) == 0
    tiny = 0.66846521 * math.exp(2 * LAMBDA * math.log(5e-324 / 2**0.5 / ALPHA))
    assert LAWS["payoff"].cdf(5e-324) == pytest.approx(tiny)
    assert LAWS["left"].pdf(5e-324) > 1e200


# Quantiles.


@each
@given(level=st.floats(1e-12, 1 - 1e-12))
@example(level=0.9861258189570618)
def test_quantiles_invert_the_distribution(of: str, level: float) -> None:
    law = LAWS[of]
    x = law.quantile(level)
    # Durations near 1 are rounded where the distribution is steep.
    rounding = min(law.pdf(x) * 2.0**-53, 1e-3) if of == "duration" else 0
    # Both ways round are off by up to 1e-13 each.
    assert law.cdf(x) == pytest.approx(level, abs=2e-13 + rounding)


@each
def test_quantiles_at_the_ends(of: Any) -> None:
    largest = math.sqrt(2) * ALPHA if of == "payoff" else 1
    ends = [0, pytest.approx(largest, rel=1e-15)]
    assert LAWS[of].quantile([0, 1]).tolist() == ends
    assert LAWS[of].median == LAWS[of].quantile(0.5)


# Decks.

Decks = dict[int, Distributions[Any, float]]
"""By size."""


@pytest.fixture(scope="module")
def decks() -> Decks:
    def laws(size: int) -> Distributions[Any, float]:
        return play.distribution(redblack.game(size, size), "optimal", count="draw")

    return {size: laws(size) for size in (100, 1000, 10_000)}


@pytest.mark.slow
def test_decks_converge(decks: Decks) -> None:
    """Means and deviations of exact decks, each ten times nearer the limit or so."""
    off = []
    for size, laws in decks.items():
        deviation = laws.returns[0].std / math.sqrt(size)
        spread = deviation - LAWS["payoff"].std
        off.append([ALPHA**2 - float(laws.moves.mean) / (2 * size), spread])
    assert off[0] == pytest.approx([1.0946e-3, 3.9729e-3], rel=1e-3)
    for less, more in itertools.pairwise(off):
        assert 3.5 < less[0] / more[0] < 5
        assert 4 < less[1] / more[1] < 7


# Arguments.


def test_arrays() -> None:
    law = LAWS["payoff"]
    half: Any = Fraction(1, 2)
    assert isinstance(law.cdf(half), float)
    result = law.cdf(np.array([0.5, 2.0]))
    assert result.tolist() == [law.cdf(0.5), 1.0]
    assert law.quantile([]).shape == (0,)
    many = np.linspace(0.9, 1.18, 3000)
    assert (np.diff(law.cdf(many)) >= 0).all()
    assert law.cdf(many)[7] == law.cdf(many[7].item())
