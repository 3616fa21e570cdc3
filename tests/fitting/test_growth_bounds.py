"""The bounds of every balanced deck: the numbers of the proof, and decks."""

import math
import runpy
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

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
        ("a", "0.2", "s <= 0"),
        ("c_above", "0.23", "from above, at the boundary"),
        ("eps_below", "0.067", "from below, at the boundary"),
        ("C", "0.1696", "on level 1000"),
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
    for result, digits in (
        (script.ALPHA, fitting.shepp_alpha(40)),
        (script.LAMBDA, fitting.decay_exponent(1, 40)),
    ):
        assert result.a < script.number(str(digits)) < result.b


def test_totals_and_functions_of_a_level(script: Any) -> None:
    """Beside the general table, and sums of probabilities in Fractions."""
    table, n = redblack.solve(60, 60).table("total"), 60
    s, h, e, flat, bent = script.compared(n)
    result = script.totals(n)
    assert len(result) >= len(s)
    places = range(len(s))
    assert [table[n - b, b] for b in places] == pytest.approx(result[: len(s)])
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


def test_the_first_theorem_on_small_levels() -> None:
    """H + s / (4 n) > s, a rational inequality of kappa; the page proves the others."""
    kappa = Fraction(1) - Fraction(fitting.shepp_alpha(40)) ** 2 - Fraction(1, 10**30)
    cells = 0
    for n in range(1, 128):
        below = 0
        for red in range(n, -1, -1):
            s, orders = n - 2 * red, math.comb(n, red)
            h = Fraction(2 * below + orders, orders)
            below += orders
            if s > 0:
                cells += 1
                assert kappa * h > s - Fraction(s, 4 * n)
    assert cells == 4096


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
