"""What stopping at whole numbers costs: the order that gives the term in l**-(5/4).

The appendix on large decks derives it, but for one integral, which is computed here,
and for the calculus itself, which is held against a walk on whole numbers.
"""

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq

from cardgames_dp import fitting

Floats = NDArray[np.float64]


def zeta(s: float) -> float:
    return float(mpmath.zeta(s))


CORRECTIONS = [
    float(mpmath.bernoulli(2 * k) / mpmath.factorial(2 * k)) for k in range(1, 12)
]


def hurwitz(s: float, start: Floats) -> Floats:
    """zeta(s, start), 0 < start, by Euler and Maclaurin."""
    first = 14
    tail = start + first
    found: Floats = start**-s + sum((start + k) ** -s for k in range(1, first))
    found += tail ** (1 - s) / (s - 1) + 0.5 * tail**-s
    rising, power = s, tail ** (-s - 1)
    for k, correction in enumerate(CORRECTIONS, 1):
        found += correction * rising * power
        rising *= (s + 2 * k - 1) * (s + 2 * k)
        power = power / tail**2
    return found


def half_interval(panels: int, nodes: int) -> tuple[Floats, Floats]:
    """Places and weights for (0, 1/2), where roots at 0 do no harm."""
    places, weights = np.polynomial.legendre.leggauss(nodes)
    ends = np.append(0.0, 2.0 ** -np.arange(panels, 0, -1))
    low, high = ends[:-1, None], ends[1:, None]
    roots = ((low + high) / 2 + (high - low) / 2 * places).ravel()
    shares = ((high - low) / 2 * weights).ravel()
    return 2 * roots**2, 4 * roots * shares


def half_derivative(u: float, near: Floats, weights: Floats) -> float:
    """Of ``(t - 1/2) zeta(-1/2, t)`` on the circle, which jumps at 0."""

    def slope(t: Floats) -> Floats:
        return hurwitz(-0.5, t) + 0.5 * (t - 0.5) * hurwitz(0.5, t)

    total = 0.0
    for part, rest in ((near, 1 - near), (1 - near, near)):
        past = hurwitz(0.5, u * part) * slope(u * rest)
        before = hurwitz(0.5, u + (1 - u) * part) * slope(u + (1 - u) * rest)
        total += float((past * u + before * (1 - u)) @ weights)
    jump = zeta(-0.5) * float(hurwitz(0.5, np.array([u]))[0])
    return (total - jump) / math.sqrt(math.pi)


@pytest.mark.slow
def test_the_integral_that_is_measured() -> None:
    near, weights = half_interval(18, 9)
    total = 0.0
    for u, weight in zip(near.tolist(), weights.tolist(), strict=True):
        before, after = hurwitz(0.5, np.array([1 - u, u])).tolist()
        total += weight * before * (u - 0.5) * half_derivative(u, near, weights)
        total += weight * after * (0.5 - u) * half_derivative(1 - u, near, weights)
    expected = math.sqrt(math.pi) * (8 / 5 * zeta(-2.5) + zeta(-0.5) / 6)
    assert total == pytest.approx(expected, abs=1e-8)


def best_average(period: int) -> tuple[float, float]:
    """What whole numbers cost a walk of constant drift, and its curvature kappa.

    Each step takes the walker by 2 / period off a barrier that has risen by one when
    `period` steps are over. Off the best smooth barrier, at X, a smooth solution is
    f(X) worth more than stopping, and f has a double zero; what is left besides is
    smooth far away if f has the right multiple of ``exp(-kappa X)`` added, which is
    the cost. It is computed in every cell, for the best place of the stairs.
    """
    rise, drift = 1 / period, 2 / period
    up, down = (1 - drift) / 2, (1 + drift) / 2
    kappa: float = brentq(
        lambda k: math.log(up * math.exp(k) + down * math.exp(-k)) + k * rise,
        0.5 * drift,
        1.5 * drift,
        xtol=1e-17,
    )

    def f(place: float) -> float:
        y = kappa * place
        series = sum((-1) ** j * y**j / math.factorial(j) for j in range(2, 9))
        return float(2 / kappa * series)

    cells = int(20 / math.sqrt(drift))
    offsets = [-0.2346 * math.sqrt(drift) * part for part in (0.5, 1.0, 1.5)]

    def on_barrier(steps: int) -> Floats:
        row = np.zeros(cells + 2 * len(offsets))
        for i, offset in enumerate(offsets):
            place = steps * rise - 0.5 + offset
            row[cells + 2 * i :][:2] = -f(place), -math.exp(-kappa * place)
        return row

    # What a period makes of every cell, and of the barrier's two data.
    rows = np.zeros((cells + 1, cells + 2 * len(offsets)))
    rows[0], rows[1:, :cells] = on_barrier(period), np.eye(cells)
    for steps in range(1, period + 1):
        moved = up * rows[:-1] + down * rows[1:]
        edge = on_barrier(steps) if steps % 2 else np.zeros_like(rows[0])
        rows = np.vstack([edge, moved] if steps % 2 else [moved, edge])
    found = np.linalg.solve(np.eye(cells) - rows[1:, :cells], rows[1:, cells:])
    smooth, wanted = found[cells // 2, 0::2], found[cells // 2, 1::2]
    gains = -smooth / wanted / kappa
    bend, tilt, level = np.polyfit(offsets, gains, 2)
    return float(tilt**2 / (4 * bend) - level), kappa


@pytest.mark.slow
def test_the_calculus_against_a_walk() -> None:
    """The orders kappa to kappa**(5/2), for alpha -> infinity; nothing in kappa**2."""
    root = math.sqrt(math.pi)
    known = -8 * zeta(-1.5) / (3 * root)
    expected = -(zeta(-0.5) / 3 + 14 / 5 * zeta(-2.5)) / root
    rest = []
    for period in (101, 201, 401, 801):
        cost, kappa = best_average(period)
        left = cost - 1 / 12 - known * math.sqrt(kappa)
        rest.append((math.sqrt(kappa), left / kappa**1.5))
    scales, coefficients = map(np.array, zip(*rest, strict=True))
    found = np.polyfit(scales, coefficients, 2)[-1]
    assert found == pytest.approx(expected, rel=2e-3)
    # A term in kappa**2 of a thousandth would show.
    assert np.polyfit(1 / scales, coefficients, 2)[0] == pytest.approx(0, abs=1e-4)


def test_the_term_that_follows() -> None:
    context: Any = mpmath.MPContext()
    context.dps = 30
    alpha = context.mpf(str(fitting.shepp_alpha(40)))
    order = context.mpf(-5) / 4

    def smooth(y: Any) -> Any:
        return context.exp(y**2 / 4) * context.pcfd(-2 * order, -y)

    ends = context.zeta(context.mpf(-1) / 2), context.zeta(context.mpf(-5) / 2)
    average = ends[0] / 3 + (context.mpf(14) / 5 - 2 / alpha**2) * ends[1]
    average *= alpha ** (context.mpf(5) / 2) / context.sqrt(context.pi)
    expected = average * 2**order * smooth(0) / smooth(alpha)
    (term,) = (term for term in fitting.GROWTH_TERMS if term.exponent == -5 / 4)
    assert term.origin == "derived"
    assert term.coefficient == pytest.approx(float(expected), rel=1e-13, abs=0)
