"""What all results of red/black share: data, copies, what they say of themselves."""

import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import diagonal, exact, play, redblack
from cardgames_dp.redblack import Rules

from .. import told

FLOAT = redblack.solve(6, 5)
EXACT = redblack.solve(6, 5, backend="exact")


def capped(cash: Any) -> Any:
    """A utility that pickles."""
    return np.minimum(cash, 2)


RESULTS = [
    FLOAT,
    EXACT,
    FLOAT.boundary,
    FLOAT.advice(red=3, black=3),
    redblack.thresholds(7),
    redblack.distribution(6, 5),
    redblack.distribution(6, 5, backend="exact", rules=Rules(utility=np.tanh)).moves,
    redblack.enclosure(6, 5),
    redblack.simulate(6, 5, games=20, paths=2, rng=1),
]


NAMES = {name: getattr(redblack, name) for name in dir(redblack)} | {
    "capped": Rules(utility=capped),
    "diagonal": diagonal,
    "exact": exact,
    "play": play,
    "table": FLOAT,
    "exactly": EXACT,
    "careful": redblack.solve(
        4, 3, rules=Rules(utility=redblack.utilities.log(wealth=3))
    ),
}


@pytest.mark.parametrize(
    "line", [*told.table(Path(__file__).with_name("shown.txt"))], ids=str
)
def test_what_results_say(line: told.Told) -> None:
    line.check(NAMES)


def test_results_differ_by_content() -> None:
    assert redblack.solve(5, 6) != FLOAT != EXACT
    assert redblack.solve(6, 5, rules=Rules(tie="draw")) != FLOAT
    assert redblack.thresholds(6) != redblack.thresholds(7)
    laws = redblack.distribution(6, 5)
    assert laws.payoff != redblack.distribution(6, 4).payoff
    assert laws.payoff != laws.moves
    assert laws != redblack.distribution(6, 5, policy="first_positive")
    one, other = ((lambda r, b: b >= r), (lambda r, b: b > r))  # of one name
    of = redblack.distribution
    assert of(3, 3, policy=one) != of(3, 3, policy=other)


@pytest.mark.parametrize(
    "how",
    [{}, {"policy": redblack.OptimalWithin(loss=2)}, {"rules": Rules(utility=capped)}],
    ids=["optimal", "within", "utility"],
)
def test_a_record_is_kept_with_what_was_computed(how: Any) -> None:
    found = redblack.distribution(6, 5, **how)
    asked = pickle.loads(pickle.dumps(found))
    assert found.moves is found.moves
    assert asked == found == redblack.distribution(6, 5, **how)
    assert pickle.loads(pickle.dumps(found)).moves == found.moves == asked.moves
    assert found != redblack.distribution(5, 5, **how)


GAMES = redblack.simulate(6, 5, games=50, rng=1)
DECKS = redblack.enclosure([[1], [26]], [1, 26, 300], digits=12)
KNOWN = redblack.published_values()


def test_what_is_derived_is_exported() -> None:
    derived = {
        "value totals": FLOAT,
        "cash": FLOAT.boundary,
        "width midpoint digits": DECKS,
        "standard_error": GAMES,
        "margin tie value": FLOAT.advice(red=3, black=3),
    }
    data = redblack.distribution(6, 5).to_dict()
    assert {"payoff", "moves", "lowest_cash"} <= data.keys()
    for names, result in derived.items():
        assert {*names.split()} <= result.to_dict().keys()


@pytest.mark.parametrize(
    ("result", "index", "columns"),
    [
        (FLOAT, ("red", "black"), {"value": FLOAT.values, "total": FLOAT.totals}),
        (EXACT, ("red", "black"), {"stop": EXACT.stop, "tie": EXACT.ties}),
        (GAMES, ("payoff",), {"frequency": GAMES.payoff.probabilities}),
        (DECKS, (None,), {"lower": DECKS.lower, "digits": DECKS.digits}),
        (KNOWN, ("l",), {"upper": KNOWN.enclosure.upper}),
    ],
    ids=lambda x: type(x).__name__,
)
def test_frames(result: Any, index: Any, columns: dict[str, Any]) -> None:
    frame = result.to_pandas()
    assert tuple(frame.index.names) == index
    for name, values in columns.items():
        down = values[::-1, ::-1] if "red" in index else values  # from the full deck
        assert frame[name].tolist() == down.ravel().tolist()


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_quantiles(backend: Any) -> None:
    law: Any = redblack.distribution(5, 7, rules=Rules(win=2), backend=backend).payoff
    below = 0
    for x, p in law:
        assert law.quantile(below + p / 2) == x
        below += p
    assert [law.quantile(0), law.quantile(1)] == law.support[[0, -1]].tolist()
    assert law.median == law.quantile(Fraction(1, 2))
    if backend == "exact":
        assert [law.quantile(law.cdf(x)) for x in law.support] == law.support.tolist()
    # The sum of these is less than one in floats.
    rounded = play.Distribution("payoff", np.arange(10.0), np.full(10, 0.1))
    assert np.cumsum(rounded.probabilities)[-1] < 1
    assert rounded.quantile(1) == 9


def test_distributions_as_data_frames() -> None:
    law = redblack.distribution(2, 2, backend="exact").payoff
    assert law.to_dict() == {0: Fraction(1, 3), 1: Fraction(2, 3)}
    assert (law.mean, law.variance) == (Fraction(2, 3), Fraction(2, 9))
    assert law.standard_deviation == pytest.approx((2 / 9) ** 0.5)
    assert redblack.distribution(2, 2).moves.support.dtype == np.int64
    series = law.to_pandas()
    assert (series.index.name, series.name) == ("payoff", "probability")
    assert series.to_dict() == law.to_dict()
    found = redblack.distribution(6, 5, rules=Rules(tie="draw"))
    assert found.to_pandas().equals(found.payoff.to_pandas())
    assert str(found._repr_html_()).count("<tr>") == len(found.payoff) + 1
    assert found.to_dict()["moves"]["support"] == found.moves.support.tolist()
