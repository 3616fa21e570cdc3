"""Amounts and utilities: of a number or an array, ruin, ready-made; back to cash."""

import dataclasses
import math
import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardgames_dp import diagonal, play, redblack
from cardgames_dp.game import explore
from cardgames_dp.redblack import Rules, utilities
from cardgames_dp.redblack.utilities import (
    certainty_equivalent,
    exponential,
    in_float64,
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
    np.testing.assert_allclose(
        in_float64(one.utility, cash), in_float64(many.utility, cash), rtol=1e-15
    )
    assert in_float64(one.utility, np.empty(0)).shape == (0,)
    assert redblack.value(6, 6, rules=one) == pytest.approx(
        redblack.value(6, 6, rules=many), rel=1e-14
    )
    decks = [redblack.game(5, 4, rules=rules) for rules in (one, many)]
    solved = [diagonal.solve(deck) for deck in decks]
    assert np.array_equal(solved[0].table("stop"), solved[1].table("stop"))
    games = [play.simulate(deck, "optimal", 200, rng=1) for deck in decks]
    assert games[0].mean == pytest.approx(games[1].mean)


def test_errors_name_the_utility_and_the_amount() -> None:
    def broken(cash: float) -> float:
        if cash > 1:
            raise LookupError("mine")
        return math.sqrt(cash + 100)

    with pytest.raises(LookupError, match="mine") as caught:
        redblack.value(3, 3, rules=Rules(utility=broken))
    (note,) = caught.value.__notes__
    assert note == "(raised by utility at cash 2)"


def test_errors_of_a_utility_of_arrays_come_through() -> None:
    def broken(cash: Any) -> Any:
        raise KeyError("mine", len(cash))

    with pytest.raises(KeyError, match="mine") as caught:
        redblack.value(2, 2, rules=Rules(utility=broken))
    assert caught.value.__notes__[0].startswith("(raised by utility for array([")


# Ruin.


def oracle(red: int, black: int, rules: Rules) -> dict[tuple[int, int], float]:
    """Return the totals of all states by the definition, in extended reals."""
    result: dict[tuple[int, int], float] = {}
    for r, b in np.ndindex(red + 1, black + 1):
        stop = in_float64(
            rules.utility, np.array([float(rules.cash(red - r, black - b))])
        ).item()
        ways = [(r, (r - 1, b)), (b, (r, b - 1))]
        worths = [cards * result[after] for cards, after in ways if cards]
        result[r, b] = max(stop, sum(worths) / (r + b)) if worths else stop
    return result


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
    game, expected = redblack.game(red, black, rules=rules), oracle(red, black, rules)
    solution = diagonal.solve(game)
    totals = solution.table("total")
    assert np.array_equal(totals, solution.table("values"))
    for state, total in expected.items():
        assert totals[state] == pytest.approx(total, rel=1e-12, abs=1e-12)
        assert solution.values[state] == totals[state]
        assert solution.errors[state] < 1e-12
        if not any(state):
            continue
        advice = solution.advice(state)
        assert advice.value == pytest.approx(total, rel=1e-12, abs=1e-12)
        if advice.values["stop"] == -math.inf < total:
            assert advice.action == solution.policy[state] == "draw"
            assert advice.margin == math.inf
        elif total == -math.inf:
            assert advice.margin == 0
            assert advice.tie
    if red + black and any(total == -math.inf for total in expected.values()):
        with pytest.raises(ValueError, match="finite"):
            explore(game)  # a graph has no such ends
    value = redblack.value(red, black, rules=rules)
    assert value == pytest.approx(expected[red, black], rel=1e-12, abs=1e-12)
    assert solution.value == pytest.approx(value, rel=1e-12, abs=1e-12)
    first = str(solution).splitlines()[1].split()[1]
    assert first.rstrip("*") == f"{value:.4g}"
    returns = play.distribution(solution).returns[0]
    assert returns.probabilities.sum() == pytest.approx(1)
    assert (returns.support[0] == -math.inf) == (value == -math.inf)
    assert math.isnan(returns.std) == (value == -math.inf)


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
        assert certainty_equivalent(utility, u) == pytest.approx(c, rel=1e-9, abs=1e-12)
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
        assert certainty_equivalent(utility, -math.inf) == -10


# What it is worth in cash.


def test_equivalents_of_any_utility() -> None:
    assert certainty_equivalent(lambda c: math.log(100 + c), math.log(103)) == (
        pytest.approx(3, rel=1e-13)
    )
    assert certainty_equivalent(lambda c: min(c, 2), 2) == 2
    assert certainty_equivalent(lambda c: 2 * c, 0) == 0
    assert certainty_equivalent(math.floor, Fraction(1, 2)) == 1
    assert certainty_equivalent(np.arctan, 1.5) == pytest.approx(math.tan(1.5))
    ruined = certainty_equivalent(log(wealth=3).__call__, -math.inf)
    assert ruined == pytest.approx(-3)


# Amounts, and what a utility answers, are taken for what they are.


@pytest.mark.parametrize(
    ("given", "number"),
    [
        *((0.1, Fraction(0.1)), (np.float32(0.5), Fraction(1, 2)), (np.int16(2), 2)),
        *((Decimal("0.05"), Fraction(1, 20)), (Decimal("1e400"), 10**400)),
        *(("0.05", Fraction(1, 20)), ("1/20", Fraction(1, 20)), (" 2 ", 2)),
        *(("1e-3", Fraction(1, 1000)), ("1e400", 10**400)),
    ],
)
def test_amounts_are_taken_for_what_they_are(given: Any, number: Any) -> None:
    rules = Rules(win=given, lose=given, fee=given)
    assert rules == Rules(win=number, lose=number, fee=number)
    assert hash(rules) == hash(Rules(win=number, lose=number, fee=number))
    assert rules.cost == 2 * Fraction(number)
    assert rules.gain == 0
    assert redblack.StopAt(given) == redblack.StopAt(number)
    assert Rules(win=1, fee=2).gain == -1


def test_a_utility_without_fractions_gets_floats() -> None:
    """Where those are exact; its results are then exactly the floats that they are."""
    rules = Rules(win=0.5, utility=lambda cash: -np.exp(-cash))
    value = redblack.value(1, 1, rules=rules, backend="exact")
    best_of_red = Fraction(float(-np.exp(np.array([-0.5]))[0]))
    assert value == max(-1, (best_of_red + Fraction(float(-np.exp(0.5)))) / 2)


def test_a_utility_cannot_spoil_our_arrays() -> None:
    def doubled(cash: Any) -> Any:
        cash *= 2
        return cash

    plain, spoiled = (
        redblack.solve(4, 4, rules=Rules(utility=utility)).table()
        for utility in (lambda cash: 2 * cash, doubled)
    )
    assert np.array_equal(plain, spoiled)
    cash = np.array([1.0, 2.0])
    assert in_float64(doubled, cash).tolist() == [2.0, 4.0]
    assert cash.tolist() == [1.0, 2.0]
