"""What all results of red/black share: data, copies, one-line summaries."""

import copy
import dataclasses
import json
import pickle
import re
import sys
from typing import Any

import numpy as np
import pytest

from cardgames_dp import redblack
from cardgames_dp.redblack import Rules

FLOAT = redblack.solve(6, 5)


EXACT = redblack.solve(6, 5, backend="exact")


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
    redblack.StopAtExcess([0, 1]),
    Rules(win=2),
    Rules().game(3, 4),
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: type(r).__name__)
def test_results_are_values(result: Any) -> None:
    """They pickle, copy, compare by content and stay read-only."""
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert other == result
        assert repr(other) == repr(result)
        for name in ("values", "stop", "excess", "n", "support", "payoffs"):
            array = getattr(other, name, None)
            if isinstance(array, np.ndarray):
                with pytest.raises(ValueError, match="read-only"):
                    array[...] = 0
    assert result != 3
    assert len(repr(result)) < 500
    field = dataclasses.fields(result)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(result, field, None)


def test_results_differ_by_content() -> None:
    assert redblack.solve(5, 6) != FLOAT != EXACT
    assert redblack.solve(6, 5, rules=Rules(tie="draw")) != FLOAT
    assert redblack.distribution(6, 5).payoff != redblack.distribution(6, 4).payoff
    assert redblack.distribution(6, 5).payoff != redblack.distribution(6, 5).moves
    assert redblack.thresholds(6) != redblack.thresholds(7)
    assert redblack.simulate(2, 2, games=1, rng=1) == redblack.simulate(
        2, 2, games=1, rng=1
    )  # the deviation of one game is NaN in both


@pytest.mark.parametrize(
    "show",
    [FLOAT.to_pandas, redblack.distribution(2, 2).payoff.to_pandas],
    ids=["table", "law"],
)
def test_missing_pandas_is_named(show: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs pandas: .*dp\[pandas\]"):
        show()


PARTS: dict[str, set[str]] = {
    "Solution": {"value", "totals"},
    "Boundary": {"cash"},
    "Advice": {"actions", "margin", "tie", "value"},
    "Enclosure": {"width", "midpoint", "digits"},
    "Simulation": {"standard_error", "mean_moves", "loss_frequency"},
    "Distribution": {"mean", "standard_deviation", "loss_probability"},
    "Distributions": {"payoff", "moves", "lowest_cash"},
    "Thresholds": set(),
}


@pytest.mark.parametrize("result", RESULTS[:9], ids=lambda r: type(r).__name__)
def test_results_are_complete_as_data(result: Any) -> None:
    """All fields are there, the rules by their own fields, and JSON takes it."""
    names = {field.name for field in dataclasses.fields(result)}
    names -= {name for name in names if name.startswith("_")}
    data = json.loads(json.dumps(result.to_dict(json=True), allow_nan=False))
    assert set(data) == names | PARTS[type(result).__name__]
    if "rules" in names:
        assert Rules(**data["rules"]) == result.rules
    for name in ("red", "black", "policy", "games", "lower", "exact_up_to", "of"):
        if name in names:
            assert data[name] == getattr(result, name)


def test_keys_of_data_that_is_not_for_json() -> None:
    assert FLOAT.to_dict()["rules"] == dataclasses.asdict(Rules())
    assert EXACT.boundary.to_dict()["excess"] == EXACT.boundary.excess.tolist()
    games = redblack.simulate(6, 5, games=1, paths=1, rng=1)
    assert games.to_dict()["paths"] == (games.paths[0].tolist(),)
    assert np.isnan(games.to_dict()["standard_deviation"])
    assert games.to_dict(json=True)["standard_deviation"] == "nan"


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: type(r).__name__)
def test_json_is_true_or_false(result: Any) -> None:
    if hasattr(result, "to_dict"):
        with pytest.raises(TypeError, match="json must be True or False, got 1"):
            result.to_dict(json=1)


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: type(r).__name__)
def test_representations_are_of_one_form(result: Any) -> None:
    assert re.fullmatch(r"\w+\((\w+=.*)?\)", repr(result))
    assert repr(result).startswith(f"{type(result).__name__}(")


def test_representations() -> None:
    assert repr(FLOAT) == "Solution(red=6, black=5, backend='float64', value=1.90909)"
    games = redblack.simulate(6, 5, games=20, rules=Rules(fee="1/2"), rng=1)
    assert repr(games).startswith("Simulation(red=6, black=5, rules=Rules(win=1, ")
    assert "rules=Rules(win=2, " in repr(
        redblack.distribution(2, 2, rules=Rules(win=2))
    )
    assert repr(redblack.distribution(2, 2)) == (
        "Distributions(red=2, black=2, policy='optimal', backend='float64')"
    )


def test_simulation_as_a_data_frame() -> None:
    games = redblack.simulate(6, 5, games=50, rng=1)
    payoffs, draws = games.to_pandas(), games.to_pandas("moves")
    assert payoffs["games"].sum() == draws["games"].sum() == 50
    assert payoffs.index.tolist() == games.payoffs.tolist()
    assert draws["frequency"].tolist() == (games.move_counts / 50).tolist()
    with pytest.raises(ValueError, match="what must be one of 'payoff', 'moves'"):
        games.to_pandas("draws")  # type: ignore[arg-type]
