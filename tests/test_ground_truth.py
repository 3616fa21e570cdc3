"""The models of ``examples/ground_truth.py`` against value iteration in NumPy."""

import sys
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "ground_truth.py"


def loaded() -> Any:
    spec = spec_from_file_location("ground_truth", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["ground_truth"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def script() -> Any:
    return loaded()


@pytest.fixture(scope="module")
def models(script: Any) -> list[Any]:
    return [*script.toy_texts(), *script.textbooks(), *script.packages()]


def iterated(model: Any) -> float:
    """Return the value at the start by sweeps over the table, in floats."""
    table, states = model.table(), model.states
    size, actions = len(states), max(map(len, table.values()))
    p, r = np.zeros((size, actions, size)), np.full((size, actions), -np.inf)
    signs = np.ones(size)
    if model.mover:
        signs = 1.0 - 2 * np.array(list(map(model.mover, states)))
    for s, of in table.items():
        for a, row in of.items():
            r[s, a] = sum(float(chance) * float(paid) for chance, _, paid, _ in row)
            for chance, after, _, done in row:
                p[s, a, after] += float(chance) * (not done)
    values, sweeps = np.zeros(size), 0
    while sweeps < (model.horizon or 20_000):
        worth = r + float(model.discount) * (p.reshape(-1, size) @ values).reshape(
            r.shape
        )
        if model.random:
            best = worth.mean(axis=1)
        else:
            best = signs * np.where(r > -np.inf, signs[:, None] * worth, -np.inf).max(
                axis=1
            )
        moved, values, sweeps = abs(best - values).max(), best, sweeps + 1
        if moved < 1e-14 and model.horizon is None:
            break
    first = np.zeros(size)
    first[: len(model.starts)] = 1 / len(model.starts)
    return float(first @ values)


def test_against_value_iteration(models: list[Any]) -> None:
    for model in models:
        if model.name != "OpenSpiel tic_tac_toe":  # whose matrix would be too large
            value = pytest.approx(iterated(model), abs=1e-9, rel=1e-10)
            assert float(model.value()) == value, model.name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FrozenLake, no limit", Fraction(14, 17)),
        ("Taxi, limit 200", Fraction(793, 100)),
        ("Taxi before its version 3", Fraction(2539, 300)),
        ("CliffWalkingSlippery", Fraction(-1817367253278, 28085155277)),
        (
            "Blackjack (sab=True, the default)",
            Fraction(-3954908734551683826282634489, 13**26),
        ),
        ("5 x 5 grid, at A, discount 0.9", Fraction(1000000, 40951)),
        (
            "Gambler with 50, heads 11/20",
            (1 - Fraction(9, 11) ** 50) / (1 - Fraction(9, 11) ** 100),
        ),
        ("Windy grid, king's moves, stochastic wind", Fraction(-13322, 1215)),
        ("4 x 3 grid, at (1, 1)", Fraction(4119, 5840)),
        ("forest(), young, discount 0.96", Fraction(46656, 625)),
        ("2 x 2 example, discount 0.9", Fraction(1825, 43)),
        ("Puterman's two states, discount 0.95", Fraction(-60, 7)),
        ("OpenSpiel tic_tac_toe", 0),
        ("OpenSpiel nim(pile_sizes=3;4;5)", 1),
    ],
)
def test_exact_values(models: list[Any], name: str, value: Fraction) -> None:
    result = next(model for model in models if model.name == name).value()
    assert isinstance(result, Fraction)
    assert result == value


def test_the_states_of_taxi_that_can_be_reached(models: list[Any]) -> None:
    (model,) = (each for each in models if each.name == "Taxi, limit 200")
    model.table()
    assert len(model.states) == 400


def test_blackjack_as_it_is_in_the_example_of_its_own(script: Any) -> None:
    """It is written there as a game, and here as a table."""
    from cardgames_dp import exact

    from .classics.scripts import loaded as classic

    endless = classic("blackjack").Endless
    for rule in ("sab", "plain", "natural"):
        model = script.Model("", script.blackjack(rule), ["deal"], "", "")
        assert model.value() == exact.solve(endless(rule)).value
