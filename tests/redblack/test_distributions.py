"""Distributions of payoff and moves: moments, quantiles, samples, how they print."""

import pickle
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest

from cardgames_dp import TooLargeError, play, redblack
from cardgames_dp.redblack import Rules


def test_laws_as_data() -> None:
    law = redblack.distribution(2, 2, backend="exact").payoff
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
        "Distribution(of='payoff', results=2, mean=Fraction(2, 3), "
        "standard_deviation=0.471405)"
    )
    floats = redblack.distribution(2, 2).moves
    assert floats.support.dtype == np.int64
    assert isinstance(floats.mean, float)


def test_a_loss_has_a_probability() -> None:
    """A player whom cash does not interest below -1 can end below 0."""
    rules = Rules(utility=lambda cash: np.where(cash < 0, 0 * cash, cash))
    law = redblack.distribution(3, 5, rules=rules, backend="exact").payoff
    assert 0 < law.loss_probability < 1
    assert law.loss_probability == sum(p for x, p in law.to_dict().items() if x < 0)


def test_tie_rule_of_a_law() -> None:
    """The rules say what the player does at a tie; they stop by default."""
    draws = redblack.distribution(4, 4, rules=Rules(tie="draw"))
    stops = redblack.distribution(4, 4, rules=Rules(tie="stop"))
    assert stops == redblack.distribution(4, 4) != draws
    assert stops.payoff != draws.payoff
    assert stops.moves != draws.moves


def test_laws_of_a_large_deck() -> None:
    law = redblack.distribution(10_000, 10_000).payoff
    assert law.probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert law.mean == pytest.approx(redblack.value(10_000, 10_000), rel=1e-12)
    assert law.loss_probability == 0


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_quantiles(backend: Literal["float64", "exact"]) -> None:
    law: Any = redblack.distribution(5, 7, rules=Rules(win=2), backend=backend).payoff
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
    law = play.Distribution("payoff", np.arange(10.0), np.full(10, 0.1))
    assert np.cumsum(law.probabilities)[-1] < 1  # the sum of Python is compensated
    assert law.quantile(1) == 9


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_distribution_function(backend: Literal["float64", "exact"]) -> None:
    law = redblack.distribution(3, 3, backend=backend).payoff
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
    law = redblack.distribution(6, 6, backend=backend).payoff
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
    law = redblack.distribution(2, 2, backend="exact").payoff
    assert str(law).splitlines() == [
        "payoff  probability  exact",
        "     0     0.333333    1/3",
        "     1     0.666667    2/3",
        "(mean 0.666667, standard deviation 0.471405)",
    ]
    rounded = str(redblack.distribution(2, 2).payoff).splitlines()
    assert rounded[:2] == ["payoff  probability", "     0     0.333333"]
    long = redblack.distribution(60, 60).moves
    *lines, grouped, moments = str(long).splitlines()
    assert grouped == f"({len(long.support)} results, 2 to a row)"
    assert moments.startswith("(mean ")
    assert len(lines) == 1 + -(-len(long.support) // 2)
    assert lines[1].split()[:3] == [str(long.support[0]), "to", str(long.support[1])]


def timid(red: Any, black: Any) -> Any:
    """A policy that pickles."""
    return black - red >= 1


def capped(cash: Any) -> Any:
    return np.minimum(cash, 2)


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"policy": timid},
        {"policy": redblack.OptimalWithin(2)},
        {"rules": Rules(utility=capped)},
    ],
    ids=["optimal", "callable", "within", "utility"],
)
def test_a_record_is_kept_with_what_was_computed(how: Any) -> None:
    found = redblack.distribution(6, 5, **how)
    asked = pickle.loads(pickle.dumps(found))
    assert found.moves is found.moves
    assert asked == found == redblack.distribution(6, 5, **how)
    assert pickle.loads(pickle.dumps(found)).moves == found.moves == asked.moves
    assert found != redblack.distribution(5, 5, **how)
    assert found != redblack.distribution(6, 5, policy="first_positive")


def test_two_policies_of_one_name_are_told_apart() -> None:
    one, other = ((lambda r, b: b >= r), (lambda r, b: b > r))
    assert redblack.distribution(3, 3, policy=one) != redblack.distribution(
        3, 3, policy=other
    )


def test_a_record_prints_as_the_payoff() -> None:
    found = redblack.distribution(6, 5, rules=Rules(tie="draw"))
    assert (found.red, found.black, found.rules) == (6, 5, Rules(tie="draw"))
    assert (found.policy, found.backend) == ("optimal", "float64")
    assert str(found) == str(found.payoff)
    assert str(found._repr_html_()).count("<tr>") == len(found.payoff) + 1
    assert found.to_pandas().equals(found.payoff.to_pandas())
    data = found.to_dict()
    assert list(data)[:2] == ["red", "black"]
    assert data["moves"]["support"] == found.moves.support.tolist()
