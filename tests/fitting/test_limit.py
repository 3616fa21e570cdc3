"""The limit law: its transform, its series, its own integrals, and decks near it."""

import itertools
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from scipy import integrate

from cardgames_dp import fitting, redblack
from cardgames_dp.fitting import passage

ALPHA = float(fitting.shepp_alpha())
LAMBDA = float(fitting.decay_exponent(1))
KINDS: list[Any] = ["payoff", "duration", "left"]
LAWS = {of: fitting.limit_distribution(of) for of in KINDS}
each = pytest.mark.parametrize("of", KINDS)


def transform(q: Any) -> Any:
    """Return E X**q by mpmath's parabolic cylinder functions."""
    local = mpmath.MPContext()
    local.dps = 30
    alpha = local.mpf(str(fitting.shepp_alpha(40)))
    q = local.mpf(q)
    return local.pcfd(-2 * q, 0) / (
        local.exp(alpha**2 / 4) * local.pcfd(-2 * q, -alpha)
    )


# Moments.


@pytest.mark.parametrize("order", [0, 1, 2, 3, 7, 40])
def test_moments_are_quotients_of_parabolic_cylinder_functions(order: int) -> None:
    left = fitting.limit_distribution("left", digits=20).moment(order)
    assert left == pytest.approx(Decimal(str(transform(order))), rel=Decimal("1e-19"))
    paid = LAWS["payoff"].moment(order)
    scale = (math.sqrt(2) * ALPHA) ** order
    assert paid == pytest.approx(scale * float(transform(order / 2)), rel=1e-14)


def test_moments_in_closed_form() -> None:
    """By the recurrence of D and Shepp's equation: rational functions of alpha."""
    square = fitting.shepp_alpha(40) ** 2
    precise = {of: fitting.limit_distribution(of, digits=25) for of in KINDS}
    assert abs(precise["left"].mean - (1 - square)) < 1e-25
    assert abs(precise["duration"].mean - square) < 1e-25
    assert precise["payoff"].mean == fitting.limit_constant(25)
    # E payoff**2 / l = 2 alpha**2 (1 - alpha**2).
    assert abs(precise["payoff"].moment(2) - 2 * square * (1 - square)) < 1e-25
    deviation = LAWS["payoff"].standard_deviation
    a = ALPHA**2
    assert deviation**2 == pytest.approx((1 - a) * (2 * a - math.pi * (1 - a)), 1e-14)
    assert deviation == pytest.approx(0.378205446, abs=5e-10)


def test_the_recurrence_of_half_integer_moments() -> None:
    """With h_m = exp(alpha**2 / 4) D(-m, -alpha)."""
    h = [1.0, ALPHA / (1 - ALPHA**2)]
    for m in range(1, 8):
        h.append((h[m - 1] + ALPHA * h[m]) / m)
    for m in range(1, 9):
        at_zero = 2 ** (m / 2 - 1) * math.gamma(m / 2) / math.gamma(m)
        moment = LAWS["payoff"].moment(m) / (math.sqrt(2) * ALPHA) ** m
        assert moment == pytest.approx(at_zero / h[m], rel=1e-13)


@each
@pytest.mark.parametrize("order", [1, 2, 5])
def test_moments_are_integrals_of_the_tail(of: str, order: int) -> None:
    law = LAWS[of]
    found, error = integrate.quad(
        lambda u: order * u ** (order - 1) * law.sf(u), *law.quantile([0, 1]), limit=200
    )
    assert law.moment(order) == pytest.approx(found, abs=1e-7 + error)


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


@pytest.mark.parametrize("k", [1, 2, 17])
def test_shares_are_residues(k: int) -> None:
    rates, shares = passage.waves()
    assert rates[k - 1] == pytest.approx(float(fitting.decay_exponent(k)), rel=1e-15)
    assert shares[k - 1] == pytest.approx(share(k), rel=1e-13)


def killed_heat(times: list[float], cells: int) -> list[float]:
    """Return P(T > t) by finite differences of the killed process, Crank-Nicolson."""
    from scipy.linalg import solve_banded

    y, step = np.linspace(-8, ALPHA, cells + 1, retstep=True)
    diffusion, drift = 0.5 / step**2, -y[1:-1] / 4 / step
    lower, upper = diffusion - drift, diffusion + drift
    alive, now, dt, found = np.ones(cells - 1), 0.0, 1e-3, []
    # Far below, nothing changes with y.
    diagonal = np.full(cells - 1, -2 * diffusion)
    diagonal[0] += lower[0]
    band = np.zeros((3, cells - 1))
    band[0, 1:], band[1], band[2, :-1] = upper[:-1], diagonal, lower[1:]
    implicit = -band * dt / 2
    implicit[1] += 1
    for time in times:
        while now < time - dt / 2:
            change = diagonal * alive
            change[:-1] += upper[:-1] * alive[1:]
            change[1:] += lower[1:] * alive[:-1]
            alive = solve_banded((1, 1), implicit, alive + dt / 2 * change)
            now += dt
        found.append(float(np.interp(0, y[1:-1], alive)))
    return found


@pytest.mark.slow
def test_probabilities_solve_the_heat_equation() -> None:
    """An implementation that knows nothing of special functions."""
    times = [0.2, 0.5, 1.0, 3.0]
    found = passage.chance("after", np.array(times))
    assert killed_heat(times, 2000) == pytest.approx(found, abs=5e-5)


@pytest.mark.parametrize(
    ("of", "share"),
    [("payoff", 1e-6), ("left", 0.3), ("duration", 0.3), ("duration", 0.93)],
)
def test_digits_agree_with_float64(of: Any, share: float) -> None:
    precise, x = fitting.limit_distribution(of, digits=17), share * LAWS[of].quantile(1)
    for name, error in (("cdf", 3e-14), ("sf", 3e-14), ("pdf", 1e-11)):
        found, wanted = getattr(LAWS[of], name)(x), getattr(precise, name)(x)
        assert isinstance(wanted, Decimal)
        assert abs(found - float(wanted)) < error * max(1, found)


@pytest.mark.parametrize(("x", "name"), [("1e-30", "cdf"), ("0.95", "pdf")])
def test_more_digits_begin_with_fewer(x: str, name: str) -> None:
    few, many = (fitting.limit_distribution("left", digits=d) for d in (4, 17))
    precise = getattr(many, name)(x)
    assert len(precise.as_tuple().digits) == 17
    assert getattr(few, name)(Fraction(x)) == precise.quantize(
        Decimal(1).scaleb(precise.adjusted() - 3)
    )


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
    law, precise = LAWS[of], fitting.limit_distribution(of, digits=9)
    low, high = law.quantile([0, 1])
    for one, beyond in ((law, -1.0), (precise, -1)):
        assert (one.cdf(beyond), one.sf(beyond), one.pdf(beyond)) == (0, 1, 0)
    for one, beyond in ((law, high + 1), (precise, 3)):
        assert (one.cdf(beyond), one.sf(beyond), one.pdf(beyond)) == (1, 0, 0)
    assert (law.cdf(low), law.cdf(high)) == (0, 1)
    end, start = (high, low) if of == "duration" else (low, high)
    assert law.pdf(end) == precise.pdf(Fraction(end)) == math.inf
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


@pytest.mark.parametrize(("of", "digits"), [("payoff", 13), ("duration", 3)])
def test_quantiles_to_many_digits(of: Any, digits: int) -> None:
    precise, level = fitting.limit_distribution(of, digits=digits), Fraction(1, 3)
    x = precise.quantile(level)
    assert len(x.as_tuple().digits) == digits
    assert LAWS[of].quantile(1 / 3) == pytest.approx(
        float(x), rel=0.5 * 10.0 ** (1 - digits)
    )


@pytest.mark.parametrize("of", ["payoff", "duration"])
def test_the_ends_of_quantiles(of: Any) -> None:
    precise, law = fitting.limit_distribution(of, digits=9), LAWS[of]
    largest = math.sqrt(2) * ALPHA if of == "payoff" else 1
    assert law.quantile([0, 1]).tolist() == [0, pytest.approx(largest, rel=1e-15)]
    assert precise.quantile(0) == 0
    assert float(precise.quantile(1)) == pytest.approx(largest, rel=5e-9)
    assert law.median == law.quantile(0.5)


# Decks.


@pytest.fixture(scope="module")
def decks() -> dict[int, redblack.Distributions[float]]:
    return {size: redblack.distribution(size, size) for size in (100, 1000, 10_000)}


@pytest.mark.slow
def test_decks_converge(decks: dict[int, redblack.Distributions[float]]) -> None:
    """Means and deviations of exact decks, each ten times nearer the limit or so."""
    off = []
    for size, laws in decks.items():
        deviation = laws.payoff.standard_deviation / math.sqrt(size)
        spread = deviation - LAWS["payoff"].standard_deviation
        off.append([ALPHA**2 - float(laws.moves.mean) / (2 * size), spread])
    assert off[0] == pytest.approx([1.0946e-3, 3.9729e-3], rel=1e-3)
    for less, more in itertools.pairwise(off):
        assert 3.5 < less[0] / more[0] < 5
        assert 4 < less[1] / more[1] < 7


@pytest.mark.slow
@pytest.mark.parametrize("size", [1000, 10_000])
def test_laws_of_decks_are_near_their_limit(
    decks: dict[int, redblack.Distributions[float]], size: int
) -> None:
    """Off by l**-lambda near the end of the deck, where its cards are no bridge."""
    paid, drawn = decks[size].payoff, decks[size].moves
    limit = LAWS["payoff"].cdf((paid.support + 0.5) / math.sqrt(size))
    off = np.abs(np.cumsum(paid.probabilities) - limit).max()
    assert 0.025 < off * size**LAMBDA < 0.03
    for x in (0.05, 0.2, 0.5):
        left = 1 - float(drawn.cdf(round(2 * size * (1 - x)) - 1))
        assert left == pytest.approx(LAWS["left"].cdf(x), abs=6 / math.sqrt(size) / 10)


# Arguments.


def test_arrays() -> None:
    law = LAWS["payoff"]
    assert isinstance(law.cdf(Fraction(1, 2)), float)
    found = law.cdf(np.array([0.5, 2.0]))
    assert found.tolist() == [law.cdf(0.5), 1.0]
    assert law.quantile([]).shape == (0,)
    many = np.linspace(0.9, 1.18, 3000)
    assert (np.diff(law.cdf(many)) >= 0).all()
    assert law.cdf(many)[7] == law.cdf(many[7].item())


@pytest.mark.slow
def test_two_contours_see_too_few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """One contour would be wrong without notice; the two disagree, and take more."""
    nodes, law = 0.9, fitting.limit_distribution("left", digits=25)
    chance, density = law.cdf("0.01"), law.pdf("0.3")
    context = mpmath.MPContext()
    context.dps = 35
    few = math.ceil(nodes * 35) + 5
    one = passage._on_contour(context, -context.log("0.01"), 1, few)
    assert abs(one - (1 - context.mpf(str(chance)))) > 1e-25
    monkeypatch.setattr(passage, "_NODES_PER_DIGIT", nodes)
    assert (law.cdf("0.01"), law.pdf("0.3")) == (chance, density)
