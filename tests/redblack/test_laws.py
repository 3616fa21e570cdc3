"""Laws of payoff and duration: moments, quantiles, samples, and how they print."""

from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest

from cardgames_dp import TooLargeError, redblack
from cardgames_dp.redblack import Rules


def test_laws_as_data() -> None:
    law = redblack.payoff_law(2, 2, backend="exact")
    assert law.to_dict() == {0: Fraction(1, 3), 1: Fraction(2, 3)}
    assert law.mean == Fraction(2, 3)
    assert law.variance == Fraction(2, 9)
    assert law.standard_deviation == pytest.approx((2 / 9) ** 0.5)
    assert law.loss_probability == 0
    assert [law.cdf(x) for x in (-1, 0, Fraction(1, 2), 1)] == [
        0,
        Fraction(1, 3),
        Fraction(1, 3),
        1,
    ]
    series = law.to_pandas()
    assert isinstance(series, pd.Series)
    assert (series.index.name, series.name) == ("payoff", "probability")
    assert series.loc[1] == Fraction(2, 3)
    assert repr(law) == (
        "Law(of='payoff', red=2, black=2, results=2, mean=Fraction(2, 3), "
        "standard_deviation=0.471405)"
    )
    floats = redblack.duration_law(2, 2)
    assert floats.support.dtype == np.int64
    assert isinstance(floats.mean, float)


def test_a_loss_has_a_probability() -> None:
    """A player whom cash does not interest below -1 can end below 0."""
    rules = Rules(utility=lambda cash: np.where(cash < 0, 0 * cash, cash))
    law = redblack.payoff_law(3, 5, rules=rules, backend="exact")
    assert 0 < law.loss_probability < 1
    assert law.loss_probability == sum(p for x, p in law.to_dict().items() if x < 0)


@pytest.mark.parametrize(
    "law", [redblack.payoff_law, redblack.duration_law], ids=lambda f: f.__name__
)
def test_tie_rule_of_a_law(law: Any) -> None:
    """The rules say what the player does at a tie; they stop by default."""
    assert law(4, 4, rules=Rules(tie="draw")) != law(4, 4)
    assert law(4, 4, rules=Rules(tie="stop")) == law(4, 4)


def test_laws_of_a_large_deck() -> None:
    law = redblack.payoff_law(10_000, 10_000)
    assert law.probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert law.mean == pytest.approx(redblack.value(10_000, 10_000), rel=1e-12)
    assert law.loss_probability == 0


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_quantiles(backend: Literal["float64", "exact"]) -> None:
    law: Any = redblack.payoff_law(5, 7, rules=Rules(win=2), backend=backend)
    below = 0
    for x, p in zip(law.support.tolist(), law.probabilities.tolist(), strict=True):
        assert law.quantile(below + p / 2) == x
        below += p
    assert law.quantile(0) == law.support[0]
    assert law.quantile(1) == law.support[-1]
    assert law.median == law.quantile(Fraction(1, 2))
    assert law.cdf(law.median) >= 0.5
    if backend == "exact":
        assert [law.quantile(law.cdf(x)) for x in law.support] == law.support.tolist()
    for bad in (-0.1, 1.1, float("nan"), float("inf"), 10**400):
        with pytest.raises(ValueError, match="q must be"):
            law.quantile(bad)
    with pytest.raises(TypeError, match="q must be a real number"):
        law.quantile("0.5")


def test_quantiles_when_rounding_sums_to_less_than_one() -> None:
    law = redblack.Law("payoff", np.arange(10.0), np.full(10, 0.1))
    assert np.cumsum(law.probabilities)[-1] < 1  # the sum of Python is compensated
    assert law.quantile(1) == 9


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_distribution_function(backend: Literal["float64", "exact"]) -> None:
    law = redblack.payoff_law(3, 3, backend=backend)
    total = pytest.approx(1, abs=1e-15)
    for large in (10**400, float("inf"), Fraction(10**400), np.float32("inf")):
        assert law.cdf(large) == total  # type: ignore[arg-type]
        assert law.cdf(-large) == 0  # type: ignore[arg-type]
    assert law.cdf(1) == law.cdf(1 + 1e-9) > law.cdf(1 - Fraction(1, 10**30))
    for bad in ("a", None, 1j, [1], True):
        with pytest.raises(TypeError, match="x must be a real number"):
            law.cdf(bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="x must be a real number"):
        law.cdf(float("nan"))


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_samples(backend: Literal["float64", "exact"]) -> None:
    law = redblack.payoff_law(6, 6, backend=backend)
    drawn = law.sample(20_000, rng=3)
    assert drawn.shape == (20_000,)
    assert drawn.dtype == law.support.dtype
    for x, p in zip(law.support.tolist(), law.probabilities.tolist(), strict=True):
        error = (20_000 * float(p) * (1 - float(p))) ** 0.5
        assert abs(int((drawn == x).sum()) - 20_000 * p) < 5 * error
    assert law.sample(5, rng=3).tolist() == drawn[:5].tolist()
    assert law.sample(0).shape == (0,)
    with pytest.raises(ValueError, match="size must be an integer >= 0, got -1"):
        law.sample(-1)
    with pytest.raises(TooLargeError, match=r"a sample of (about )?1"):
        law.sample(10**15)


def test_a_law_in_print() -> None:
    law = redblack.payoff_law(2, 2, backend="exact")
    assert str(law).splitlines() == [
        "payoff  probability  exact",
        "     0     0.333333    1/3",
        "     1     0.666667    2/3",
        "(mean 0.666667, standard deviation 0.471405)",
    ]
    rounded = str(redblack.payoff_law(2, 2)).splitlines()
    assert rounded[:2] == ["payoff  probability", "     0     0.333333"]
    long = redblack.duration_law(60, 60)
    *lines, grouped, moments = str(long).splitlines()
    assert grouped == f"({len(long.support)} results, 2 to a row)"
    assert moments.startswith("(mean ")
    assert len(lines) == 1 + -(-len(long.support) // 2)
    assert lines[1].split()[:3] == [str(long.support[0]), "to", str(long.support[1])]


def test_laws_know_what_they_are_of() -> None:
    law = redblack.duration_law(6, 5, rules=Rules(tie="draw"))
    assert (law.red, law.black, law.rules) == (6, 5, Rules(tie="draw"))
    alone = redblack.Law("payoff", np.array([1.0]), np.array([1.0]))
    assert (alone.red, alone.black, alone.rules) == (None, None, None)
    assert repr(alone).startswith("Law(of='payoff', results=1, mean=1, ")
