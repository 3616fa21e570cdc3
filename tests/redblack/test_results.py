"""What results of red/black say of themselves, and what data they are."""

import pickle
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from cardgames_dp import diagonal, exact, play, redblack
from cardgames_dp.game import explore
from cardgames_dp.redblack import Rules

FLOAT = redblack.solve(6, 5)
EXACT = redblack.solve(6, 5, backend="exact")


def capped(cash: Any) -> Any:
    """A utility that pickles."""
    return np.minimum(cash, 2)


def test_results_differ_by_content() -> None:
    assert redblack.thresholds(6) != redblack.thresholds(7)
    boundary = redblack.boundary(FLOAT)
    assert (
        boundary == redblack.boundary(EXACT) != redblack.boundary(redblack.solve(5, 6))
    )
    found = play.distribution(FLOAT)
    assert found.returns != play.distribution(redblack.solve(6, 4)).returns
    one, other = ((lambda s: "stop"), (lambda s: "draw"))  # of one name
    game = redblack.game(3, 3)
    assert play.distribution(game, one) != play.distribution(game, other)


@cache
def decks() -> Any:
    return redblack.enclosure([[1], [26]], [1, 26, 300], digits=12)


@cache
def published() -> Any:
    return redblack.published_values()


@cache
def edge() -> Any:
    return redblack.boundary(FLOAT)


def test_what_is_derived_is_exported() -> None:
    derived = {
        "cash": edge(),
        "width midpoint digits": decks(),
        "margin tie value collected": FLOAT.advice(redblack.State(3, 3)),
    }
    for names, result in derived.items():
        assert {*names.split()} <= result.to_dict().keys()


@pytest.mark.parametrize(
    ("result", "index", "columns"),
    [
        (edge(), ("n",), {"excess": edge().excess}),
        (decks(), (None,), {"lower": decks().lower, "digits": decks().digits}),
        (published(), ("l",), {"upper": published().enclosure.upper}),
    ],
    ids=lambda x: type(x).__name__,
)
def test_frames(result: Any, index: Any, columns: dict[str, Any]) -> None:
    frame = result.to_pandas()
    assert tuple(frame.index.names) == index
    for name, values in columns.items():
        assert frame[name].tolist() == values.ravel().tolist()


@pytest.mark.parametrize("solution", [FLOAT, EXACT])
def test_a_solution_as_a_frame(solution: Any) -> None:
    """It has all states, and is that of the explored game."""
    frame = solution.to_pandas().set_index(["red", "black", "decision"])
    assert len(frame) == solution.num_states == 3 * 7 * 6 - 2
    for (red, black), value in np.ndenumerate(solution.table()):
        assert frame.loc[(red, black, ""), "payoff_0"] == value
    solve: Any = exact.solve if solution is EXACT else diagonal.solve
    if solution is EXACT:
        assert frame.equals(
            solve(solution.explored).to_pandas().set_index(["red", "black", "decision"])
        )


def test_results_as_arrays() -> None:
    thresholds, boundary = redblack.thresholds(9), redblack.boundary(FLOAT)
    for result, numbers in ((thresholds, thresholds.n), (boundary, boundary.excess)):
        assert np.asarray(result).tolist() == numbers.tolist()
        assert np.array(result, dtype=float).dtype == np.float64
        np.array(result)[0] = -1  # a copy
        assert numbers[0] != -1


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_quantiles(backend: Any) -> None:
    game = redblack.game(5, 7, rules=Rules(win=2))
    law: Any = play.distribution(game, "optimal", backend=backend).returns[0]
    below = 0
    for x, p in law:
        assert law.quantile(below + p / 2) == x
        below += p
    assert [law.quantile(0), law.quantile(1)] == law.support[[0, -1]].tolist()
    assert law.median == law.quantile(0.5)
    if backend == "exact":
        assert [law.quantile(law.cdf(x)) for x in law.support] == law.support.tolist()
    # The sum of these is less than one in floats.
    rounded = play.Distribution("payoff", np.arange(10.0), np.full(10, 0.1))
    assert np.cumsum(rounded.probabilities)[-1] < 1
    assert rounded.quantile(1) == 9


@pytest.mark.parametrize(
    ("policy", "rules"),
    [
        ("optimal", Rules()),
        (redblack.OptimalWithin(loss=2), Rules()),
        ("optimal", Rules(utility=capped)),
        (play.mixture({"never_stop": 1, "first_positive": 2}), Rules()),
    ],
    ids=["optimal", "within", "utility", "mixture"],
)
@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_how_likely_states_are_is_found_when_it_is_asked_for(
    policy: Any, rules: Rules, backend: Any
) -> None:
    """As in the explored game; and all is a value that pickles."""
    game = redblack.game(6, 5, rules=rules)
    found = play.distribution(game, policy, backend=backend)
    copy = pickle.loads(pickle.dumps(found))
    expected = play.distribution(explore(game), policy, backend=backend)
    for each in (found, copy):
        assert dict(each.reach) == dict(expected.reach) == dict(each.visits)
        assert (each.returns, each.moves) == (found.returns, found.moves)
    assert found.to_dict()["reach"] == expected.to_dict()["reach"]
    if backend == "exact":
        assert found.to_dict(json=True) == expected.to_dict(json=True)


def test_distributions_as_series() -> None:
    solution = redblack.solve(2, 2, backend="exact")
    found = play.distribution(solution, backend="exact", count="draw")
    law = found.returns[0]
    assert law.to_dict() == {0: Fraction(1, 3), 1: Fraction(2, 3)}
    assert (law.mean, law.variance) == (Fraction(2, 3), Fraction(2, 9))
    assert law.std == pytest.approx((2 / 9) ** 0.5)
    assert found.moves.support.dtype == np.int64
    assert (law.of, found.moves.of) == ("return", "'draw' moves")
    series = law.to_pandas()
    assert (series.index.name, series.name) == ("return", "probability")
    assert series.to_dict() == law.to_dict()
