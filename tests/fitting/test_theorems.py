"""The theorems of "Growth and limits", step by step: exactly, or on small decks."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.special import erfcx, pbdv

from cardgames_dp import fitting, play, redblack
from cardgames_dp.game import Solution

from . import sources

Floats = NDArray[np.float64]

ALPHA = float(fitting.shepp_alpha())
LAMBDA = float(fitting.decay_exponent(1))
NU = 2 * LAMBDA
KAPPA = 1 - ALPHA**2

FROM = 128
"""From this level on Theorem 1 has a proof by analysis, below one by counting."""

LEVELS = 900
"""So many are gone through; probabilities of longer walks underflow at the ends."""


# Pascal's rule, in Fractions.


def exact_rows(weights: list[Fraction], levels: int) -> list[dict[int, Fraction]]:
    """Return D(n, s) of a mixture of walks that begin at 0, 2, 4, ..."""
    row = {2 * j: weight for j, weight in enumerate(weights)}
    rows = [row]
    for _ in range(levels):
        places = {s + side for s in row for side in (-1, 1)}
        row = {s: (row.get(s - 1, 0) + row.get(s + 1, 0)) / Fraction(2) for s in places}
        rows.append(row)
    return rows


def exact_probability(n: int, s: int) -> Fraction:
    return Fraction(math.comb(n, (n + s) // 2), 2**n)


def of_h(n: int, s: int) -> Fraction:
    """Return D of H / kappa, at any s."""
    places = range(-n, n + 1, 2)
    return sum(
        ((1 + (m < s)) * exact_probability(n, m) for m in places if m <= s),
        Fraction(0),
    )


def of_e(n: int, s: int) -> Fraction:
    """Return D_E for nu = 1/2."""
    return ROWS[n].get(s, Fraction(0))


def of_excess(n: int, s: int) -> Fraction:
    return exact_probability(n, s) * s / n if -n <= s <= n else Fraction(0)


BINOMIAL = [Fraction(1)]
for j in range(1, 60):  # (-1)**j C(1/2, j)
    BINOMIAL.append(BINOMIAL[-1] * (Fraction(j) - Fraction(3, 2)) / j)
ROWS = exact_rows(BINOMIAL, 20)


@pytest.mark.parametrize("density", [of_h, of_e, of_excess])
def test_averages_over_probabilities_are_martingales(
    density: Callable[[int, int], Fraction],
) -> None:
    """And what is missing at the ends of a level is the density beyond them."""
    for n in range(2, 16):
        w = {
            (m, s): density(m, s) / exact_probability(m, s)
            for m in (n - 1, n)
            for s in range(-m, m + 1, 2)
        }
        for s in range(-n, n + 1, 2):
            drawn = Fraction(n - s, 2 * n) * w.get((n - 1, s + 1), Fraction(0))
            drawn += Fraction(n + s, 2 * n) * w.get((n - 1, s - 1), Fraction(0))
            beyond = density(n - 1, s + (1 if s > 0 else -1))
            missing = 2 ** (n - 1) * beyond if abs(s) == n else 0
            assert w[n, s] == drawn + missing


def test_densities_beyond_the_ends() -> None:
    for n in range(1, 16):
        assert of_h(n, n + 2) == 2
        assert of_h(n, -n - 2) == of_e(n, -n - 2) == 0
        assert -1 < of_e(n, n + 2) < 0
        e = [of_e(n, s) / exact_probability(n, s) for s in range(-n, n + 1, 2)]
        assert e == sorted(set(e), reverse=True)
        assert e[0] == 1


# Theorem 1.


@pytest.mark.parametrize(("n", "s"), [(2, 0), (7, -3), (10, 4), (50, 8), (51, 49)])
def test_the_integral_of_h(n: int, s: int) -> None:
    found = mpmath.quad(
        lambda w: mpmath.exp(s * w) * mpmath.sech(w) ** n * (n - s * mpmath.tanh(w)),
        [0, 0.2, 1, 3, 30],
    )
    assert float(found) == pytest.approx(
        float(of_h(n, s) / exact_probability(n, s)), rel=1e-12
    )


def test_more_than_the_excess_on_small_levels() -> None:
    """H + s / (4 n) > s, a rational inequality of kappa."""
    kappa = Fraction(1) - Fraction(fitting.shepp_alpha(40)) ** 2 - Fraction(1, 10**30)
    cells = 0
    for n in range(1, FROM):
        below = 0
        for red in range(n, -1, -1):
            s, orders = n - 2 * red, math.comb(n, red)
            h = Fraction(2 * below + orders, orders)
            below += orders
            if s > 0:
                cells += 1
                assert kappa * h > s - Fraction(s, 4 * n)
    assert cells == 4096


def integrals(y: float) -> list[float]:
    """Return J_0 to J_6 at y, which increase with it."""
    j = [math.sqrt(math.pi / 2) * float(erfcx(-y / math.sqrt(2)))]
    j.append(1 + y * j[0])
    for k in range(1, 6):
        j.append(y * j[k] + k * j[k - 1])
    return j


FIRST_INTEGRALS = [(float(y), integrals(float(y))) for y in np.linspace(0, 0.83, 84)]


def surplus(low: float, high: float, n: int) -> float:
    """Return a lower bound of the page's expression for y between two numbers."""
    less, more = integrals(low), integrals(high)
    found = n * (KAPPA * less[0] - high) + low / 4
    found += KAPPA * (less[4] / 12 - high * more[1])
    return found - KAPPA / n * (more[6] / 45 + high * more[5] / 12)


def test_more_than_the_excess_on_large_levels() -> None:
    """By subdivision: each piece is positive, by monotone bounds, with some room."""
    pieces, least = [(0.0, 2.0)], math.inf
    while pieces:
        low, high = pieces.pop()
        bound = surplus(low, high, FROM)
        if bound > 1e-4:
            least = min(least, surplus(low, low, FROM), surplus(high, high, FROM))
            continue
        assert high - low > 1e-6
        pieces += [(low, (low + high) / 2), ((low + high) / 2, high)]
    assert least == pytest.approx(0.00716, abs=1e-5)
    # A hundred cards would do, but not 90.
    assert surplus(0.8433, 0.8433, 100) > 0 > surplus(0.8435, 0.8435, 90)


def test_more_than_the_excess_far_out() -> None:
    y = np.linspace(2, 30, 1000)
    limit = KAPPA * math.sqrt(math.pi / 2) * erfcx(-y / math.sqrt(2))
    assert limit[0] * 0.75 == pytest.approx(4.0, abs=0.01)
    assert (0.75 * limit > y * (1 + KAPPA / FROM)).all()
    assert KAPPA * math.exp(FROM / 8) > FROM


def test_the_expansion_of_h() -> None:
    """Its second coefficient at alpha, on which the factor 1/4 depends."""
    second = ALPHA**3 / 6 - ALPHA / 3
    j = integrals(ALPHA)
    assert KAPPA * (j[4] / 12 - ALPHA * j[1]) == pytest.approx(second, rel=1e-14)
    assert -second / ALPHA == pytest.approx(0.2157, abs=1e-4)
    assert -second / ALPHA < 1 / 4 < KAPPA


# All states, up to a level.


class Level(NamedTuple):
    """A level's states, from the fewest black cards to the most."""

    n: int
    s: Floats
    total: Floats
    h: Floats
    e: Floats


def drawn(n: int, below: Floats) -> Floats:
    """Return what drawing is worth, given the level below."""
    s = -n + 2.0 * np.arange(n + 1)
    up, down = np.append(below, 0), np.insert(below, 0, 0)
    found: Floats = ((n - s) * up + (n + s) * down) / (2 * n)
    return found


def all_levels() -> list[Level]:
    weights = np.ones(LEVELS + 10)
    for j in range(1, len(weights)):
        weights[j] = weights[j - 1] * (j - 1 - NU) / j
    p: Floats = np.ones(1)
    total: Floats = np.zeros(1)
    densities = [weights]
    for _ in range(LEVELS):
        densities.append((np.insert(densities[-1], 0, 0)[:-1] + densities[-1]) / 2)
    levels = [Level(0, np.zeros(1), total, np.zeros(1), np.ones(1))]
    for n in range(1, LEVELS + 1):
        p = (np.append(p, 0) + np.insert(p, 0, 0)) / 2
        s = -n + 2.0 * np.arange(n + 1, dtype=np.float64)
        total = np.maximum(s, drawn(n, total))
        h = KAPPA * (2 * np.cumsum(p) - p) / p
        levels.append(Level(n, s, total, h, densities[n][: n + 1] / p))
    return levels


@pytest.fixture(scope="module")
def levels() -> list[Level]:
    return all_levels()


def test_totals_are_below_the_bound(levels: list[Level]) -> None:
    for level in levels[1:]:
        assert (level.total < level.h + level.s / (4 * level.n)).all()
    assert levels[52].total[26] == pytest.approx(redblack.value(26, 26), rel=1e-13)


def test_where_e_vanishes(levels: list[Level]) -> None:
    """Between neighbours at alpha sqrt(n) + nu, but for some 1 / sqrt(n)."""
    for level in levels[50:]:
        place = int(np.argmax(level.e < 0))
        before, after = level.e[place - 1 : place + 1].tolist()
        zero = level.s[place - 1] + 2 * before / (before - after)
        assert zero == pytest.approx(
            ALPHA * level.n**0.5 + NU, abs=0.2 + 1 / level.n**0.5
        )


def test_e_is_bounded_in_all_states(levels: list[Level]) -> None:
    """Property (iv): each step of its proof, and a smaller constant by measurement."""
    for n, s, _, h, e in levels[1:]:
        y = np.abs(s) / n**0.5
        assert (e <= 1.38 * n**-LAMBDA * (1 + y) ** NU).all()
        left = s <= -(n**0.5)
        part = -s[left] / n
        below = (h[left] / KAPPA + 1) / 2  # P(S_n <= s) / P(n, s)
        quotient = (1 - part) / (1 + part + 2 / n)
        assert (1 - quotient >= part * (1 - 1e-12)).all()
        assert (below >= 1 / (20 * part)).all()
        bound = (1 - quotient) ** (NU - 1)
        assert (e[left] * below <= bound * (1 + 1e-10)).all()
        assert (e[left] <= 20 * part**NU).all()


def test_where_the_player_goes_on(levels: list[Level]) -> None:
    """The inequality of the limit of g_n: for s > 0; far to the left it fails."""
    for n, s, total, h, *_ in levels[1:]:
        least = ALPHA / 2 * n**-0.5 * (ALPHA * n**0.5 - s) ** 2
        between = (s > 0) & (s < ALPHA * n**0.5 - 2)
        assert (h - s > least)[between].all()
        assert (total > s)[(s <= 0) & (n > 1)].all()
        if n > 100:
            assert (h - s < least)[s < -(n**0.5)].all()
    ratios = [(KAPPA * j[0] - y) / (ALPHA - y) ** 2 for y, j in FIRST_INTEGRALS]
    assert ratios == sorted(ratios)
    assert ratios[0] == pytest.approx(0.523, abs=5e-4)


@pytest.mark.parametrize("y", [-1.5, 0.0, 0.5])
def test_the_limit_of_e(levels: list[Level], y: float) -> None:
    off = []
    for n in (200, 800):
        level = levels[n]
        place = round((y * n**0.5 + n) / 2)
        s = float(level.s[place])
        z = (s - NU) / n**0.5
        f = math.exp(z**2 / 4) * float(mpmath.pcfd(NU, -z))
        shape = 2**NU * n**-LAMBDA * math.exp((s * s / n - z * z) / 2) * f
        off.append(abs(level.e[place] / shape - 1) * n)
    assert max(off) < 2  # of order 1 / n


@pytest.mark.slow
def test_the_projection_converges(levels: list[Level]) -> None:
    """g_n, whose limit gives A: the one that was fitted to other values."""

    def f(y: Any) -> Any:
        return np.exp(y**2 / 4) * pbdv(NU, -y)[0]

    square, _ = quad(lambda y: f(y) ** 2 * math.exp(-(y**2) / 2), -12, ALPHA)
    amplitude = -fitting.GROWTH_TERMS[1].coefficient
    limit = amplitude * 2**LAMBDA / f(0.0) * square / math.sqrt(2 * math.pi)
    p: Floats = np.ones(1)
    found = [0.0]
    for n, s, total, h, *_ in levels[1:]:
        p = (np.append(p, 0) + np.insert(p, 0, 0)) / 2
        y = s / n**0.5
        inside = (s < ALPHA * n**0.5 - 1) & (y > -12)
        found.append(float((p * (h - total))[inside] @ f(y[inside])) * n**LAMBDA)
    late = np.arange(100, LEVELS + 1)
    g = np.array(found)
    off, steps = g[late] - limit, np.abs(g[late] - g[late - 1])
    assert off * late ** (0.5 - LAMBDA) == pytest.approx(0.0555, abs=2e-3)
    assert (steps * late ** (1.5 - LAMBDA)).max() < 0.07


@pytest.mark.slow
def test_values_between_powers() -> None:
    """The difference of Theorem 2, times l**lambda, for all decks up to 20,000."""
    sizes = np.arange(1, 20_001)
    values = sources.deck_values()[: len(sizes)]
    # 4**l / C(2 l, l), by ratios of neighbours.
    inverse = np.cumprod(2.0 * sizes / (2 * sizes - 1))
    found = (KAPPA * inverse - values) * sizes**LAMBDA
    assert found[0] == found.min() == pytest.approx(0.0890, abs=1e-4)
    assert found[1] == found.max() == pytest.approx(0.1394, abs=1e-4)
    assert found[-1] == pytest.approx(-fitting.GROWTH_TERMS[1].coefficient, abs=2e-4)


def test_refuting_other_constants() -> None:
    """With a smaller constant than 1 - alpha**2 the bound of Theorem 1 fails."""

    def bound(size: int, share: Any) -> Any:
        return share * Fraction(4**size, math.comb(2 * size, size))

    value = redblack.value(500, 500, backend="exact")
    assert bound(500, Fraction(0.99 * KAPPA)) < value < bound(500, Fraction(KAPPA))


# Theorem 4.

Small = Solution[Any, Any, float]


@pytest.fixture(scope="module")
def small() -> Small:
    return redblack.solve(150, 150)


def test_who_draws_far_up_has_much_to_win_below(small: Small) -> None:
    """The lemma, for all states from which the player draws, and all lower excesses."""
    nearest, totals = math.inf, small.table("total")
    for red, black in zip(*np.nonzero(small.table("draw")), strict=True):
        n, top = int(red + black), int(black - red)
        if top < 2:
            continue
        low = np.arange(1, top)
        r = (n - top) // 2
        room = n / low * (totals[r, r + low] - low) - (top - low)
        assert (room > 0).all()
        nearest = min(nearest, room.min())
    assert nearest < 1.2  # hence no idle one


def test_small_payoffs_can_be_reached(small: Small) -> None:
    """From all states that have as many black cards and are below the boundary."""
    # Of the states in which play ends with 1: (1, 2), black cards left: two or more.
    stop = small.table("stop")
    reached = np.zeros(stop.shape)
    reached[1, 2] = 1
    for n in range(4, 200):
        for black in range(max(n - 150, 0), min(n, 150) + 1):
            red = n - black
            if stop[red, black]:
                continue
            good = reached[red - 1, black] if red else 0.0
            bad = reached[red, black - 1] if black else 0.0
            reached[red, black] = (red * good + black * bad) / n
            assert (reached[red, black] > 0) == (black >= 2 and red >= 1)


def test_small_payoffs_decay_with_the_exponent() -> None:
    sizes = (100, 1000, 10_000)
    laws = [
        play.distribution(redblack.game(size, size), "optimal").returns[0]
        for size in sizes
    ]
    assert all(law.support[:4].tolist() == [0, 1, 2, 3] for law in laws)
    small = np.array([law.probabilities[:4] for law in laws])
    scaled = small * np.array(sizes)[:, None] ** LAMBDA
    assert scaled[-1] == pytest.approx([0.47748, 0.2840, 0.1813, 0.1662], abs=6e-4)
    steps = np.abs(np.diff(scaled, axis=0))
    assert (steps[1] < 0.5 * steps[0]).all()
