"""Utilities of a number or of an array, ruin, the ready-made ones; back to cash."""

import dataclasses
import json
import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact, redblack
from cardgames_dp.redblack import Rules, utilities
from cardgames_dp.redblack.utilities import (
    certainty_equivalent,
    exponential,
    log,
    power,
)

Utility = Callable[[Any], Any]

PAIRS: list[tuple[Utility, Utility]] = [
    (lambda c: math.log(100 + c), lambda c: np.log(100 + c)),
    (lambda c: c if c > 0 else 2 * c, lambda c: np.where(c > 0, c, 2 * c)),
    (lambda c: min(c, 3), lambda c: np.minimum(c, 3)),
    (lambda c: 7, lambda c: np.full(c.shape, 7.0)),
    (lambda c: {0: 0.0}.get(c, 1.0), lambda c: np.where(c == 0, 0.0, 1.0)),
    (lambda c: float(c).is_integer() + c, lambda c: c + 1),
    (np.frompyfunc(math.atan, 1, 1), np.arctan),
    (lambda c: np.asarray(c)[()] + 0, lambda c: c),
]
"""The same utility of a number, and of an array."""


@pytest.mark.parametrize(("of_number", "of_array"), PAIRS)
def test_functions_of_a_number(of_number: Utility, of_array: Utility) -> None:
    one, many = Rules(utility=of_number), Rules(utility=of_array)
    cash = np.array([[-3.0, -1, 0], [0, 2, 50]])
    np.testing.assert_allclose(one.reward(cash), many.reward(cash), rtol=1e-15)
    assert one.reward([2.0]) == many.reward([2.0])
    assert one.reward(np.empty(0)).shape == (0,)
    assert redblack.value(6, 6, rules=one) == pytest.approx(
        redblack.value(6, 6, rules=many), rel=1e-14
    )
    table = redblack.solve(5, 4, rules=one)
    assert np.array_equal(table.stop, redblack.solve(5, 4, rules=many).stop)
    game = redblack.simulate(5, 4, games=200, rules=one, rng=1)
    assert game.mean == pytest.approx(
        redblack.simulate(5, 4, games=200, rules=many, rng=1).mean
    )


@pytest.mark.parametrize("pair", PAIRS[1:5])
def test_functions_of_a_number_take_fractions(pair: tuple[Utility, Utility]) -> None:
    one, many = (
        redblack.value(4, 4, rules=Rules(win="1/3", utility=utility), backend="exact")
        for utility in pair
    )
    assert one == many
    assert isinstance(one, Fraction)


def test_the_game_by_first_principles_takes_them_too() -> None:
    rules = Rules(utility=lambda c: math.log(100 + c))
    value = redblack.value(3, 3, rules=rules, backend="exact")
    assert exact.solve(rules.game(3, 3)).value == (value,)
    assert float(value) == pytest.approx(redblack.value(3, 3, rules=rules))


def test_many_equal_amounts_are_asked_for_once() -> None:
    asked = []

    def utility(cash: float) -> float:
        asked.append(cash)
        return math.tanh(cash)

    redblack.solve(8, 8, rules=Rules(utility=utility)).totals  # noqa: B018
    asked.clear()
    Rules(utility=utility).reward(np.repeat([1.0, 2.0], 50))
    assert asked[1:] == [1.0, 2.0]  # the first was the whole array


def test_an_array_of_one_is_not_asked_for() -> None:
    """It would pass for a number, where all others do not."""
    asked = []

    def utility(cash: Any) -> Any:
        asked.append(np.shape(cash))
        return math.tanh(cash)

    assert Rules(utility=utility).reward([2.0]) == [math.tanh(2)]
    assert asked == [(2,), ()]


def test_errors_name_the_utility_and_the_amount() -> None:
    def broken(cash: float) -> float:
        if cash > 1:
            raise LookupError("mine")
        return math.sqrt(cash + 100)

    with pytest.raises(LookupError, match="mine") as caught:
        redblack.value(3, 3, rules=Rules(utility=broken))
    (note,) = caught.value.__notes__
    assert note == "(raised by utility at cash 2.0)"


# Ruin.


def oracle(red: int, black: int, rules: Rules) -> dict[tuple[int, int], float]:
    """Return the totals of all states by the definition, in extended reals."""
    found: dict[tuple[int, int], float] = {}
    for n in range(red + black + 1):
        for r in range(max(0, n - black), min(n, red) + 1):
            b = n - r
            cash = float(rules.cash(red - r, black - b))
            stop = rules.reward([cash]).item()
            ways = [(r, (r - 1, b)), (b, (r, b - 1))]
            worths = [cards * found[after] for cards, after in ways if cards]
            found[r, b] = max(stop, sum(worths) / n) if n else stop
    return found


RUINOUS: list[Utility] = [
    log(wealth=2),
    log(wealth="3.5"),
    power(3, wealth=2),
    power(0.5, wealth=2),
    lambda c: math.log(c) if c > 0 else -math.inf,
    lambda c: np.where(c < 2, -np.inf, c),
    lambda c: -math.inf,
    lambda c: np.log(np.maximum(c, 0)),
]


@pytest.mark.parametrize("utility", RUINOUS)
@pytest.mark.parametrize(("red", "black"), [(5, 5), (2, 6), (6, 2), (0, 4), (0, 0)])
def test_ruin(utility: Utility, red: int, black: int) -> None:
    rules = Rules(utility=utility)
    table, expected = redblack.solve(red, black, rules=rules), oracle(red, black, rules)
    assert not np.isnan(table.values).any()
    totals = table.totals
    for state, total in expected.items():
        assert totals[state] == pytest.approx(total, rel=1e-12, abs=1e-12)
        advice = table.advice(red=state[0], black=state[1])
        assert advice.value == pytest.approx(total, rel=1e-12, abs=1e-12)
        if advice.stop == -math.inf < total:
            assert advice.action == "draw"
            assert (advice.gain, advice.margin) == (math.inf, math.inf)
        elif total == -math.inf:
            assert (advice.gain, advice.margin) in [(0, 0), (0, None)]
    value = redblack.value(red, black, rules=rules)
    assert value == pytest.approx(expected[red, black], rel=1e-12, abs=1e-12)
    assert table.value == pytest.approx(value, rel=1e-12, abs=1e-12)
    # In any order of rows, as the sheet has it, and as data.
    first = table.to_text().splitlines()[1].split()[1]
    assert first.rstrip("*") == f"{value:.4g}"
    json.dumps(table.to_dict(json=True), allow_nan=False)
    assert redblack.distribution(
        red, black, rules=rules
    ).payoff.probabilities.sum() == (pytest.approx(1))


@pytest.mark.parametrize("utility", RUINOUS)
def test_the_exact_backend_refuses_ruin(utility: Utility) -> None:
    rules = Rules(utility=utility)
    message = "-inf for ruin, which only backend='float64' takes, got -inf at cash"
    for function in (redblack.value, redblack.solve, redblack.distribution):
        with pytest.raises(ValueError, match=message):
            function(4, 4, rules=rules, backend="exact")


def test_overflow_is_not_ruin() -> None:
    steep: list[Utility] = [lambda c: -np.exp(-500 * c), lambda c: -math.exp(-500 * c)]
    steep += [exponential(500), lambda c: -(10**400)]
    for utility in steep:
        with pytest.raises(
            ValueError, match=r"utility must .*(overflow|Overflow|fits)"
        ):
            redblack.value(3, 3, rules=Rules(utility=utility))
    # On the way to a finite answer it does no harm.
    rules = Rules(utility=lambda c: 1 / (1 + np.exp(-500 * c)))
    assert 0.5 <= redblack.value(3, 3, rules=rules) <= 1


def test_a_simulated_player_can_be_ruined() -> None:
    rules = Rules(utility=log(wealth=2))
    result = redblack.simulate(
        6, 6, games=200, rules=rules, rng=1, policy=lambda r, b: abs(r - b) == 2
    )
    assert result.mean == -math.inf
    assert math.isnan(result.standard_deviation)
    assert "mean utility -inf" in str(result)
    best = redblack.simulate(6, 6, games=2000, rules=rules, rng=1)
    value = redblack.value(6, 6, rules=rules)
    assert abs(best.mean - value) < 5 * best.standard_error


# Ready-made utilities.

READY: list[Any] = [
    exponential(0.5),
    exponential("1/20"),
    power(2, wealth=10),
    power(0.5, wealth="10.5"),
    power(Fraction(7, 2), wealth=100),
    log(wealth=10),
]


@pytest.mark.parametrize("utility", READY, ids=repr)
def test_ready_made(utility: Any) -> None:
    """Nothing for nothing, about the amount for a small one, concave, invertible."""
    assert utility(0) == 0
    assert utility(1e-6) == pytest.approx(1e-6, rel=1e-5)
    cash = np.linspace(-9, 30, 40)
    worth = utility(cash)
    assert (np.diff(worth) > 0).all()
    assert (np.diff(worth, 2) < 0).all()
    for c, u in zip(cash.tolist(), worth.tolist(), strict=True):
        assert utility(c) == u
        assert utility.inverse(u) == pytest.approx(c, rel=1e-9, abs=1e-12)
    assert utility(Fraction(1, 2)) == utility(0.5)
    assert pickle.loads(pickle.dumps(utility)) == utility
    assert len({utility, pickle.loads(pickle.dumps(utility))}) == 1
    assert eval(repr(utility), vars(utilities) | {"Fraction": Fraction}) == utility
    field = dataclasses.fields(utility)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(utility, field, 3)


def test_ready_made_by_their_formulas() -> None:
    assert exponential(0.5)(3) == pytest.approx((1 - math.exp(-1.5)) / 0.5)
    assert power(3, wealth=10)(5) == pytest.approx(10 / -2 * (1.5**-2 - 1))
    assert log(wealth=10)(5) == pytest.approx(10 * math.log(1.5))
    # In the limits they are each other, or cash.
    assert power(1 + 1e-9, wealth=10)(5) == pytest.approx(log(wealth=10)(5))
    assert exponential(1e-12)(5) == pytest.approx(5)


def test_ruin_of_the_ready_made() -> None:
    assert log(wealth=10)(-10) == log(wealth=10)(-11) == -math.inf
    assert power(2, wealth=10)(-10) == power(2, wealth=10)(-11) == -math.inf
    assert power(0.5, wealth=10)(-10) == -20
    assert power(0.5, wealth=10)(-10.5) == -math.inf
    for utility in (log(wealth=10), power(2, wealth=10), power(0.5, wealth=10)):
        assert utility.inverse(-math.inf) == -10


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: exponential(0), ValueError, "risk_aversion must be a number > 0"),
        (lambda: exponential(-1), ValueError, "risk_aversion must be a finite"),
        (lambda: exponential(None), TypeError, "risk_aversion must be a finite"),  # type: ignore[arg-type]
        (lambda: exponential("1e-400"), ValueError, "> 0 in float64"),
        (lambda: power(1, wealth=1), ValueError, "not be 1; use log"),
        (lambda: power(2, wealth=0), ValueError, "wealth must be a number > 0"),
        (lambda: log(wealth="1e400"), ValueError, "> 0 in float64"),
        (lambda: log(wealth=math.nan), ValueError, "wealth must be a finite"),
        (lambda: log(wealth=1)("1"), TypeError, "cash must be numbers"),
        (lambda: log(wealth=1)(math.nan), ValueError, "cash must be numbers"),
        (lambda: log(wealth=1).inverse(math.nan), ValueError, "utility must be"),
        (lambda: log(wealth=1).inverse(math.inf), ValueError, "utility must be a val"),
        (lambda: log(wealth=1).inverse(10**400), ValueError, "utility must be a value"),
        (lambda: exponential(1).inverse(1.5), ValueError, "utility must be a value of"),
        (lambda: power(0.5, wealth=1).inverse(-9), ValueError, "utility must be a val"),
        (lambda: certainty_equivalent(3, 1), TypeError, "utility must be None or"),  # type: ignore[call-overload]
        (lambda: certainty_equivalent(None, "1"), TypeError, "value must be a real"),  # type: ignore[call-overload]
        (lambda: certainty_equivalent(log(wealth=1), math.inf), ValueError, "value mu"),
        (
            lambda: certainty_equivalent(math.tanh, 2),
            ValueError,
            "value must .* 2, more than",
        ),
        (
            lambda: certainty_equivalent(math.tanh, -2),
            ValueError,
            "value .*, not more than any",
        ),
    ],
)
def test_refusals(
    call: Callable[[], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=rf"^{message}|^(risk_aversion|wealth).*{message}"):
        call()


# What it is worth in cash.


@given(cash=st.floats(-9.9, 1e6), utility=st.sampled_from(READY[2:]))
def test_equivalents_by_inverse_and_by_bisection(cash: float, utility: Any) -> None:
    worth = utility(cash)
    by_inverse = certainty_equivalent(utility, worth)
    by_bisection = certainty_equivalent(utility.__call__, worth)
    assert utility(by_bisection) == pytest.approx(worth, rel=1e-12, abs=1e-300)
    # As well as the utility tells amounts apart.
    for found in (by_inverse, by_bisection):
        assert float(found) == pytest.approx(cash, rel=1e-3, abs=1e-9)


def test_equivalents_of_any_utility() -> None:
    assert certainty_equivalent(None, Fraction(1, 3)) == Fraction(1, 3)
    assert certainty_equivalent(lambda c: math.log(100 + c), math.log(103)) == (
        pytest.approx(3, rel=1e-13)
    )
    assert certainty_equivalent(lambda c: min(c, 2), 2) == 2
    assert certainty_equivalent(lambda c: 2 * c, 0) == 0
    assert certainty_equivalent(math.floor, Fraction(1, 2)) == 1
    assert certainty_equivalent(np.arctan, 1.5) == pytest.approx(math.tan(1.5))
    ruined = certainty_equivalent(log(wealth=3).__call__, -math.inf)
    assert ruined == pytest.approx(-3)


@pytest.mark.parametrize("backend", ["float64", "exact"])
def test_equivalent_of_a_solution(backend: Literal["float64", "exact"]) -> None:
    table = redblack.solve(26, 26, rules=Rules(utility=exponential(0.5)))
    assert table.certainty_equivalent == pytest.approx(1.919147, abs=1e-6)
    plain = redblack.solve(6, 6, backend=backend)
    assert plain.certainty_equivalent == plain.value


# What is said about it.


def test_figures_say_that_they_are_utilities() -> None:
    rules = Rules(utility=log(wealth=3))
    table = redblack.solve(4, 3, rules=rules)
    said = str(table.advice(red=4, black=3))
    assert said.count("a utility of") == 2
    assert str(table.advice(red=0, black=1)).count("a utility of") == 2
    page = str(table.advice(red=4, black=3)._repr_html_())
    assert ">expected utility</th>" in page
    assert "cells: expected utility" in table.to_text()
    assert "cells: expected utility" in table._repr_html_()
    assert "utility=log(wealth=3)" in repr(table)
    plain = redblack.solve(4, 3)
    assert "utility" not in plain.to_text() + str(plain.advice(red=1, black=2))
    assert "utility" not in plain._repr_html_()
