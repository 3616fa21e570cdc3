"""What results of red/black say of themselves, and what data they are."""

import pickle
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


def test_what_is_derived_is_exported() -> None:
    derived = {
        "cash": redblack.boundary(FLOAT),
        "width midpoint digits": redblack.enclosure([1, 26], 300),
        "margin tie value collected": FLOAT.advice(redblack.State(3, 3)),
    }
    for names, result in derived.items():
        assert {*names.split()} <= result.to_dict().keys()


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
    result = play.distribution(game, policy, backend=backend)
    copy = pickle.loads(pickle.dumps(result))
    expected = play.distribution(explore(game), policy, backend=backend)
    for each in (result, copy):
        assert dict(each.reach) == dict(expected.reach) == dict(each.visits)
        assert (each.returns, each.moves) == (result.returns, result.moves)
    assert result.to_dict()["reach"] == expected.to_dict()["reach"]
    if backend == "exact":
        assert result.to_dict(json=True) == expected.to_dict(json=True)


def test_thresholds_and_published_values_as_frames() -> None:
    assert redblack.thresholds(10).to_pandas().loc[7, "n"] == 79
    known = redblack.published_values()
    assert known.to_pandas()["upper"].tolist() == known.enclosure.upper.tolist()
