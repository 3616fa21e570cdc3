"""The bounds of every balanced deck: the numbers of the proof, and decks."""

import math
import runpy
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mpmath
import numpy as np
import pytest

from cardgames_dp import fitting, redblack
from cardgames_dp.redblack import Rules
from cardgames_dp.redblack._kernels import large_decks
from cardgames_dp.redblack._kernels.large_decks import proved_bounds

SCRIPT = Path(__file__).parents[2] / "examples" / "growth_bounds.py"


@pytest.fixture(scope="module")
def script() -> Any:
    return SimpleNamespace(**runpy.run_path(str(SCRIPT)))


@pytest.fixture(scope="module")
def constants(script: Any) -> Any:
    return script.check_constants()


# The proof: `examples/growth_bounds.py`.


@pytest.mark.parametrize("row", [0, 1, 2])
def test_the_inequalities_of_a_row(script: Any, constants: Any, row: int) -> None:
    """The session ``examples`` checks the next one, and ``bounds`` the last."""
    room = script.check_row(script.ROWS[row], constants)
    assert min(room) > 5e-6
    assert max(room) < 1e-3  # no row could be much better


def test_the_rows_that_are_not_swept_here(script: Any, constants: Any) -> None:
    for row in script.ROWS:
        script.check_elsewhere(row)
        script.check_bounds(row)
        assert min(float(margin.a) for margin in script.margins(row, constants)) > 0


@pytest.mark.parametrize(
    ("name", "wrong", "where"),
    [
        ("eps_above", "0.135", "from above, at the boundary"),
        ("eps_above", "0.137", "on level 1000"),
        ("a", "0.1285", "on level 1000"),
        ("a", "0.2", "s <= 0"),
        ("c_above", "0.18", "on level 1000"),
        ("c_above", "0.23", "from above, at the boundary"),
        ("eps_below", "0.067", "from below, at the boundary"),
        ("eps_below", "0.068", "on level 1000"),
        ("C", "0.1696", "on level 1000"),
        ("c_below", "0.62", "on level 1000"),
        ("c_below", "0.67", "from below, at the boundary"),
        ("least", "0.0928", "the lower constant"),
        ("most", "0.1250", "the upper constant"),
    ],
)
def test_a_wrong_constant_is_noticed(
    script: Any, constants: Any, name: str, wrong: str, where: str
) -> None:
    row = script.ROWS[0]._replace(**{name: wrong})
    with pytest.raises(ArithmeticError, match=where):
        script.check_row(row, constants)


def test_wrong_values_are_noticed(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = script.check_small_decks.__globals__
    script.check_small_decks(12)
    for constant in (("0.0891", "0.1394"), ("0.089", "0.1393")):
        monkeypatch.setitem(inside, "ALL_DECKS", constant)
        with pytest.raises(ArithmeticError, match="all decks"):
            script.check_small_decks(12)
    monkeypatch.setitem(inside, "ALPHA", script.enclosed("0.8399"))
    with pytest.raises(ArithmeticError, match="equation"):
        script.check_constants()


def test_the_script_and_the_library_have_the_same_constants(script: Any) -> None:
    rows = [(row.n // 2, row.least, row.most) for row in script.ROWS]
    assert [(1, *script.ALL_DECKS), *rows] == [*large_decks.CONSTANTS]
    assert str(fitting.shepp_alpha(40)).startswith(large_decks.DIGITS[0])
    assert str(fitting.decay_exponent(1, 40)).startswith(large_decks.DIGITS[1])
    for found, digits in (
        (script.ALPHA, fitting.shepp_alpha(40)),
        (script.LAMBDA, fitting.decay_exponent(1, 40)),
    ):
        assert found.a < script.number(str(digits)) < found.b


def test_totals_and_functions_of_a_level(script: Any) -> None:
    """Beside the general table, and sums of probabilities in Fractions."""
    table, n = redblack.solve(60, 60).table("total"), 60
    s, h, e, flat, bent = script.compared(n)
    found = script.totals(n)
    assert len(found) >= len(s)
    places = range(len(s))
    assert [table[n - b, b] for b in places] == pytest.approx(found[: len(s)])
    nu = 2 * Fraction(fitting.decay_exponent(1))

    def mixed(order: Fraction | int, b: int) -> float:
        total, weight = Fraction(0), Fraction(1)
        for j in range(b + 1):
            total += weight * math.comb(n, b - j)
            weight *= (j - order) / Fraction(j + 1)
        return float(total / math.comb(n, b))

    for order, values in ((nu, e), (1, flat), (2, bent)):
        assert [mixed(order, b) for b in places] == pytest.approx(values, abs=1e-13)
    kappa = float(script.KAPPA.mid)
    less = [sum(math.comb(n, i) for i in range(b)) / math.comb(n, b) for b in places]
    assert h == pytest.approx([kappa * (2 * x + 1) for x in less], rel=1e-13)


def test_the_functions_bound_the_totals_of_later_levels(script: Any) -> None:
    """As the induction says: of both parities, and with each its own numbers."""
    row = script.ROWS[0]
    crossings = 0
    for n in (1001, 1002, 1007, 1500, 2003):
        s, h, e, flat, bent = script.compared(n)
        rest = h - script.totals(n)[: len(s)]
        eps, a, c = map(float, (row.eps_above, row.a, row.c_above))
        assert (rest >= eps * flat + a * e - c * bent).all()
        eps, a, c = map(float, (row.eps_below, row.C, row.c_below))
        going = s < float(script.ALPHA.mid) * n**0.5 - 0.5
        assert (rest <= a * e + c * bent - eps * flat)[going].all()
        # What the induction uses: both stay on their side of s.
        above = h - float(row.eps_above) * flat - float(row.a) * e
        assert (above + float(row.c_above) * bent >= s).all()
        crossed = ~going & (s < float(script.ALPHA.mid) * (n + 1) ** 0.5 + 0.5)
        assert (h + eps * flat - a * e - c * bent <= s)[crossed].all()
        crossings += int(crossed.sum())
    assert crossings > 0


def test_the_page_has_the_rows(script: Any) -> None:
    page = (SCRIPT.parents[1] / "docs" / "appendix" / "limits.rst").read_text("utf-8")
    for row in script.ROWS:
        half, level = (
            f'"{size:,}"' if size > 999 else f"{size}" for size in (row.n // 2, row.n)
        )
        numbers = [row.eps_above, row.a, row.c_above]
        numbers += [row.eps_below, row.C, row.c_below]
        assert f"   {', '.join([half, row.least, row.most, level, *numbers])}\n" in page
    for constant in script.ALL_DECKS:
        assert f"{constant}\\, l^{{-\\lambda}}" in page


# The lemmas of the page, in states of all sizes.

ALPHA, NU = (
    mpmath.mpf(str(number))
    for number in (fitting.shepp_alpha(17), 2 * fitting.decay_exponent(1, 17))
)
KAPPA, LAMBDA = 1 - ALPHA**2, NU / 2


def walk(n: Any, s: Any, power: Any) -> tuple[Any, Any]:
    """Return the integrals of tanh^power w e^(s w) / cosh^n w, and one power more.

    By a substitution that takes away the singularity at 0.
    """
    root = mpmath.sqrt(n)

    def integrand(u: Any, power: Any) -> Any:
        w = u**3 / root
        grown = mpmath.exp(s * w - n * mpmath.log(mpmath.cosh(w)))
        return mpmath.tanh(w) ** power * grown * 3 * u**2 / root

    ends = [0, 0.5, 1, 1.5, 2, 2.5]
    return tuple(
        mpmath.quad(lambda u, p=p: integrand(u, p), ends) for p in (power, power + 1)
    )


def h_of(n: int, s: int) -> Any:
    n_, s_ = mpmath.mpf(n), mpmath.mpf(s)
    return KAPPA * ((n_ - s_**2 / n_) * walk(n_, s_, mpmath.mpf(0))[0] - s_ / n_)


def e_of(n: int, s: int) -> Any:
    red = mpmath.mpf(n - s) / 2
    whole, place = n + NU, s - NU
    first, second = walk(whole, place, -NU)
    front = mpmath.exp(mpmath.loggamma(red + 1) - mpmath.loggamma(red + 1 + NU))
    return front / mpmath.gamma(1 - NU) * (whole * second - place * first)


@pytest.mark.parametrize(("n", "s"), [(40, 0), (41, 9), (200, -6), (1000, 28)])
def test_the_integral_of_e(n: int, s: int) -> None:
    total, weight, b = mpmath.mpf(0), mpmath.mpf(1), (n + s) // 2
    for j in range(b + 1):
        total += weight * mpmath.binomial(n, b - j) / mpmath.binomial(n, b)
        weight *= (j - NU) / (j + 1)
    assert float(e_of(n, s)) == pytest.approx(float(total), rel=1e-6)


@pytest.mark.parametrize("n", [1000, 10**6 + 1])
def test_the_lemmas_at_the_boundary(n: int) -> None:
    """Scaled so that each is of the order of the terms that were left out."""
    with mpmath.workdps(18):
        root = mpmath.sqrt(n)
        scale = 2**NU * mpmath.mpf(n) ** -LAMBDA * (1 + NU / n) ** LAMBDA
        scale *= (1 - 1 / root) ** -NU
        slope = NU * mpmath.exp(ALPHA**2 / 4) * mpmath.pcfd(NU - 1, -ALPHA)
        rng = np.random.default_rng(n)
        for place in [*rng.uniform(0.5, 1, 2), *rng.uniform(0.835, 0.845, 2)]:
            s = round(place * float(root))
            s += (s - n) % 2
            y, eta = s / root, (s - NU) / mpmath.sqrt(n + NU)
            limit = KAPPA * mpmath.sqrt(2 * mpmath.pi) * mpmath.exp(y**2 / 2)
            limit *= mpmath.ncdf(y)
            j = [limit / KAPPA, 1 + y * limit / KAPPA]
            for k in (1, 2, 3):
                j.append(y * j[k] + k * j[k - 1])
            f1 = KAPPA * (j[4] / 12 - y**2 * j[0] - y)
            off = root * (h_of(n, s) - s) - n * (limit - y) - f1
            e = e_of(n, s)
            above = scale * (slope * max(ALPHA - eta, 0) + mpmath.mpf(3.5) / n) - e
            assert -3.1 / n < off
            assert above > 0
            if eta <= 0.86:
                assert off < 4.2 / n
                assert -scale * (max(eta - ALPHA, 0) + mpmath.mpf(3) / n) < e
            assert limit - y > 0.678 * (ALPHA - y) ** 2


def test_the_bounds_of_e_in_the_middle() -> None:
    front = 2**NU / mpmath.sqrt(mpmath.pi)
    first = front * mpmath.cos(mpmath.pi * LAMBDA) * mpmath.gamma(LAMBDA + 0.5)
    second = front * NU * mpmath.sin(mpmath.pi * LAMBDA) * mpmath.gamma(LAMBDA + 1)
    for size in (1, 2, 10, 500, 10**4):
        total, weight = mpmath.mpf(0), mpmath.mpf(1)
        quotient = mpmath.mpf(1)
        for j in range(min(size, 2000) + 1):
            total += weight * quotient
            weight *= (j - NU) / (j + 1)
            quotient *= mpmath.mpf(size - j) / (size + j + 1)
        assert first * (size + 1) ** -LAMBDA < total
        assert total < (first + second / mpmath.sqrt(size - 0.5)) * size**-LAMBDA


# Decks.


def test_exact_values_are_inside() -> None:
    sizes = range(1, 121)
    for size, value in zip(
        sizes, redblack.value(sizes, sizes, backend="exact"), strict=True
    ):
        lower, upper = proved_bounds(size)
        assert lower < value < upper


@pytest.mark.slow
def test_enclosures_meet() -> None:
    """In one climb, and those that come with the package: up to 10^10."""
    sizes = [10**k for k in range(3, 7)] + [l_ for l_, *_ in large_decks.CONSTANTS]
    sizes += [l_ - 1 for l_, *_ in large_decks.CONSTANTS[1:]]
    climbed = redblack.enclosure(sizes, sizes)
    known = redblack.published_values()
    ends = [climbed.lower.tolist() + known.enclosure.lower.tolist()]
    ends += [climbed.upper.tolist() + known.enclosure.upper.tolist()]
    for size, *other in zip([*sizes, *known.decks], *ends, strict=True):
        lower, upper = proved_bounds(size)
        assert lower < other[0] <= other[1] < upper


def test_large_decks_are_enclosed_by_the_theorem() -> None:
    for exponent in (10, 15, 19, 30, 100, 600):
        size = 10**exponent
        bounds = redblack.enclosure(size, size)
        assert bounds.method == "theorem"
        lower, upper = proved_bounds(size)
        assert bounds.lower <= lower < upper <= bounds.upper
        assert bounds.upper <= math.nextafter(float(upper), math.inf)
        if exponent <= 30:
            law = fitting.asymptotic_value(size)
            assert exponent > 15 or float(law) in bounds
            # From there on the error that the law states is certified.
            least, most = law.value - law.error, law.value + law.error
            assert exponent < 19 or least < bounds.lower < bounds.upper < most
    assert redblack.enclosure(10**18, 10**18, digits=15).digits == 15
    twice = redblack.enclosure(10**30, 10**30, rules=Rules(win=2, lose=2))
    assert twice.lower == 2 * redblack.enclosure(10**30, 10**30).lower


def test_the_theorem_is_used_where_it_is_the_best_way() -> None:
    first = large_decks.NARROWER_FROM
    decks = [26, 10**30, first]
    assert redblack.enclosure(decks, decks).method.tolist() == [
        *("diagonal", "theorem", "theorem")
    ]
    assert "theorem" in str(redblack.enclosure(first, first).to_dict())


@pytest.mark.parametrize("size", [1, 2, 3, 10, 1000, 10**40])
def test_the_middle_probability_has_simple_bounds(size: int) -> None:
    """Each quotient of the page goes the way that the proof says, as integers."""
    one, next_ = size, size + 1
    grow = Fraction((2 * size + 2) ** 2, (2 * size + 1) ** 2)
    assert grow * (one + Fraction(1, 4)) < next_ + Fraction(1, 4)
    above = [x + Fraction(1, 4) + Fraction(1, 32 * x) for x in (one, next_)]
    assert grow * above[0] > above[1]
    if size < 10**4:
        middle = Fraction(4**size, math.comb(2 * size, size))
        pi = Fraction(355, 113)  # a little too much
        assert middle**2 < pi * above[0]
        assert middle**2 > Fraction(333, 106) * (size + Fraction(1, 4))
