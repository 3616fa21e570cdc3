"""A user's code, of which mypy proves in the session ``types`` what it takes it for.

At each `assert_type` mypy compares the type written with the one that it finds behind
the public names, though the top package imports its modules only when they are used.
pytest runs the same lines.
"""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, assert_type

import numpy as np
import pytest
from numpy.typing import NDArray

import cardgames_dp
from cardgames_dp import (
    cardrow,
    diagonal,
    exact,
    fitting,
    game,
    pairs,
    play,
    redblack,
)
from cardgames_dp.redblack import kinds, urns

from .games import RedBlack

Decision = Literal["draw", "stop"]


def test_modules_are_what_they_are_imported_as() -> None:
    assert_type(cardgames_dp.__version__, str)
    assert_type(cardgames_dp.redblack.value(3, 3), float)
    assert cardgames_dp.redblack is redblack
    assert_type(cardgames_dp.game.CHANCE, Literal[-1])
    assert cardgames_dp.game.CHANCE == game.CHANCE == -1


def test_the_backend_of_red_black_tells_the_kind_of_number() -> None:
    number = redblack.value(3, 3)
    assert_type(number, float)
    assert_type(redblack.value(3, 3, backend="float64"), float)
    fraction = redblack.value(3, 3, backend="exact")
    assert_type(fraction, Fraction)

    assert_type(redblack.foresight_value(3, 3), float)
    known = redblack.foresight_value(3, 3, backend="exact")
    assert_type(known, Fraction)

    assert_type(redblack.value([1, 2, 3], [1, 2, 3]), NDArray[np.float64])
    assert_type(redblack.value(3, np.arange(2)), NDArray[np.float64])
    assert_type(redblack.value(range(3), 3, digits=3), NDArray[np.object_])
    assert_type(redblack.value(3, 3, digits=3), Decimal)
    many = redblack.value([1, 2, 3], [1, 2, 3], backend="exact")
    assert_type(many, NDArray[np.object_])
    assert many.dtype == object


def test_a_backend_that_is_known_at_run_time_only() -> None:
    backends: tuple[Literal["float64", "exact"], ...] = ("float64", "exact")
    for backend in backends:
        assert_type(redblack.value(3, 3, backend=backend), float | Fraction)


def test_scalars_of_numpy_are_numbers() -> None:
    """As they are at run time: counts, amounts, cards and sizes."""
    size = np.int64(3)
    assert redblack.value(size, np.uint8(3)) == redblack.value(3, 3)
    assert redblack.solve(size, size) == redblack.solve(3, 3)
    assert redblack.lowest_cash(size, size) == redblack.lowest_cash(3, 3)
    assert (
        redblack.value([size], [size]).tolist()
        == redblack.value(np.arange(3, 4), np.arange(3, 4)).tolist()
    )
    assert redblack.thresholds(size) == redblack.thresholds(3)
    assert redblack.enclosure(size, size, digits=size).digits >= 3
    assert game.explore(redblack.game(size, size)).initial_state() == (3, 3, "")
    assert redblack.Rules(win=np.int64(2), fee=np.float32(0.5)).gain == Fraction(3, 2)
    assert play.simulate(redblack.solve(size, size), games=size, rng=1).games == 3
    assert cardrow.value([np.int64(4), np.float64(0.5), np.uint8(2)]) == 2.5
    assert cardrow.Rules(take=np.int64(2), players=size).take == 2
    assert cardrow.deal(size, size, rng=1).shape == (3, 3)
    with cardgames_dp.running(max_bytes=np.int64(10**6)):
        table = cardrow.solve([1, 5, 2])
    ends: Any = size - 3, np.int8(2)
    assert table.values[cardrow.State(*ends)] == table.value == -2
    assert fitting.decay_exponent(np.int64(1), np.int8(5)) == Decimal("0.23117")


def test_rules_are_typed_as_what_they_hold() -> None:
    risky = redblack.Rules(fee="1/20", lose=Decimal("0.5"))
    assert_type(risky.fee, redblack.rules.Held)
    assert risky.fee == Fraction(1, 20)
    weighted = cardrow.Rules(weights=["1/3", 2])
    assert_type(weighted.weights, tuple[int | Fraction, ...] | None)
    assert weighted.weights == (Fraction(1, 3), 2)
    assert_type(weighted.take, int)


def test_results_of_red_black() -> None:
    bounds = redblack.enclosure(3, 3)
    assert_type(bounds, redblack.Enclosure[float])
    many = redblack.enclosure([1, 2], 3)
    assert_type(many, redblack.Enclosure[NDArray[np.float64]])
    assert many.lower.dtype == np.float64
    assert_type(bounds.lower, float)

    solution = redblack.solve(3, 3, backend="exact")
    assert_type(solution, game.Solution[redblack.State, Decision, Fraction])
    assert_type(solution.value, Fraction)
    assert_type(solution.table(), NDArray[Any])
    state = redblack.State(1, 2)
    assert_type(solution.policy[state], Decision)
    assert_type(solution.advice(state), play.Advice[redblack.State, Decision, Fraction])
    assert_type(solution.advice(state).value, Fraction)
    assert_type(redblack.solve(3, 3).value, float)
    law = redblack.lowest_cash(3, 3)
    assert_type(law, play.Distribution[float])
    assert_type(law.mean, float)
    assert_type(law.quantile(0.5), float)
    assert_type(law.cdf(1), float)
    certain = redblack.lowest_cash(3, 3, backend="exact")
    assert_type(certain, play.Distribution[Fraction])
    assert_type(certain.mean, Fraction)
    assert_type(certain.variance, Fraction)
    assert_type(certain.loss_probability, Fraction)
    assert_type(play.distribution(solution).moves.mean, float)
    exactly = play.distribution(solution, backend="exact")
    assert_type(exactly.returns[0].mean, Fraction)
    assert_type(redblack.boundary(solution), redblack.Boundary)
    assert_type(redblack.thresholds(3).n, NDArray[np.int64])
    position = play.Position(solution).play("draw").play((2, 3))
    assert_type(position, play.Position[redblack.State, Decision, Fraction])
    assert_type(position.collected, tuple[Fraction, ...])
    assert_type(redblack.thresholds(3).least_red(3), int)
    assert_type(redblack.thresholds(3).least_red([3]), NDArray[np.int64])
    assert_type(kinds.value({1: 1, -1: 1}), float)
    assert_type(kinds.value({1: 1, -1: 1}, backend="exact"), Fraction)
    assert_type(kinds.game({1: 1}), game.ArrayGame)
    assert_type(exact.solve(urns.game([1, 1])).value, Fraction)
    assert_type(diagonal.solve(urns.game([1, 1])).value, float)


def test_cards_in_a_row_are_counted_exactly() -> None:
    solution = cardrow.solve([1, 5, 2], backend="exact")
    advice = solution.advice(cardrow.State(0, 2))
    assert_type(advice, play.Advice[cardrow.State, str, Fraction])
    assert_type(advice.action, str)
    assert_type(cardrow.match([1, 5]).sums, tuple[int | Fraction, ...])
    position = play.Position(solution).play(advice.action)
    assert_type(position, play.Position[cardrow.State, str, Fraction])
    assert_type(position.advice(), play.Advice[cardrow.State, str, Fraction])
    # A mapping and a list of players alike.
    named = cardrow.tournament({"a": "larger", "b": "optimal"}, [[1, 2]])
    assert_type(named, cardrow.Tournament)
    assert cardrow.tournament(["larger", len_of], [[1, 2]]).players[0] == "larger"


def test_the_backend_of_a_row_tells_the_kind_of_number() -> None:
    number = cardrow.value([1, 5, 2])
    assert_type(number, float)
    assert_type(cardrow.value([1, 5, 2], backend="float64"), float)
    whole = cardrow.value([1, 5, 2], backend="exact")
    assert_type(whole, int | Fraction)
    assert_type(cardrow.value([1, 5], [2]), float)
    assert_type(cardrow.value([1, 5], [2], backend="exact"), int | Fraction)
    assert_type(cardrow.values([[1, 5], [2]]), NDArray[Any])
    assert_type(cardrow.values([[1, 5], [2]], backend="exact"), NDArray[Any])

    whole_row = cardrow.State(0, 2)
    table = cardrow.solve([1, 5, 2])
    assert_type(table, game.Solution[cardrow.State, str, float])
    assert_type(table.value, float)
    assert_type(table.advice(whole_row), play.Advice[cardrow.State, str, float])
    assert_type(table.advice(whole_row).values, Mapping[str, float])
    assert_type(table.policy[whole_row], str)
    assert_type(table.table(), NDArray[Any])

    known = cardrow.solve([1, 5, 2], backend="exact")
    assert_type(known, game.Solution[cardrow.State, str, Fraction])
    assert_type(known.value, Fraction)

    response = cardrow.best_response([1, 5, 2], "random", backend="exact")
    assert_type(response, cardrow.Response[int | Fraction])
    assert_type(response.lead, int | Fraction)
    rounded = cardrow.best_response([1, 5, 2], "random")
    assert_type(rounded, cardrow.Response[float])
    assert_type(rounded.lead, float)

    backends: tuple[Literal["float64", "exact"], ...] = ("float64", "exact")
    for backend in backends:
        value = cardrow.value([1, 5], backend=backend)
        assert_type(value, float | int | Fraction)


def len_of(cards: tuple[int | Fraction, ...]) -> Any:
    """Return chances of both cards, as a player of one's own may."""
    return lambda state: {"left": 1, "right": len(cards) + state.left + state.right}


def test_pairs() -> None:
    rules = pairs.Rules(deck={1: 2, 2: 2}, target=2)
    solution = pairs.solve(rules)
    assert_type(solution, game.Solution[pairs.State, Literal["fold", "hit"], float])
    state = pairs.state(hand=[1], others=[2], rules=rules)
    assert_type(state, pairs.State)
    advice = solution.advice(state)
    assert_type(advice.action, Literal["fold", "hit"])
    assert_type(solution.value, float)
    assert_type(solution.payoffs, tuple[float, ...])
    known = pairs.solve(rules, backend="exact")
    assert_type(known, game.Solution[pairs.State, Literal["fold", "hit"], Fraction])
    assert_type(known.value, Fraction)
    assert_type(known.payoffs, tuple[Fraction, ...])
    assert_type(pairs.rates(rules, "never_hit").mean, tuple[float, ...])


def test_rules_of_pairs_are_typed_as_what_they_hold() -> None:
    rules = pairs.Rules(np.int64(3), deck={np.int64(2): 5, np.int64(3): 1})
    assert_type(rules.players, int)
    assert_type(rules.deck, tuple[tuple[int, int], ...])
    assert_type(rules.capacity, int)
    assert_type(rules.target, int)
    assert rules.target + rules.deck[0][1] == 26
    official = pairs.Rules.official(deck=[(1, 8), (2, 2), (5, 1)], target=3, burn=0)
    assert_type(official.deck, tuple[tuple[int, int], ...])
    assert_type(pairs.HitBelow("0.4").chance, Fraction)
    assert_type(pairs.FoldUpTo(np.int8(1)).points, int)
    scores = np.zeros(3, np.int64)
    solution = pairs.solve(pairs.Rules(3, {2: 2, 3: 2}, np.int32(3)))
    start = pairs.state(scores=scores, rules=pairs.Rules(3, {2: 2, 3: 2}, 3))
    assert_type(solution.payoffs_at(start), tuple[float, ...])
    assert_type(pairs.positions(solution, scores), pairs.Round)


def test_fits() -> None:
    fit = fitting.fit([1, 4, 9, 16], [1, 2, 3, 5])
    assert_type(fit.predict(9), float)
    assert_type(fit.predict([9, 16]), NDArray[np.float64])
    assert_type(fitting.asymptotic_value(1000).value, float)
    assert_type(fitting.asymptotic_value([1000]).value, NDArray[np.float64])
    assert_type(fitting.limit_constant(30), Decimal)


def test_an_exact_solution_knows_states_and_actions_of_its_game() -> None:
    rules = RedBlack(2, 2)
    solution = exact.solve(rules)
    assert_type(solution, game.Solution[tuple[int, int, str], str, Fraction])
    assert_type(solution.policy[rules.initial_state()], str)
    assert_type(solution.value, Fraction)
    assert_type(solution.payoffs, tuple[Fraction, ...])
    assert_type(solution.values[rules.initial_state()], Fraction)
    assert_type(solution.payoffs_at(rules.initial_state()), tuple[Fraction, ...])
    arrays = exact.solve(redblack.game(2, 2))
    assert_type(arrays, game.Solution[Any, Any, Fraction])
    assert_type(arrays.values[redblack.State(2, 2)], Fraction)
    assert_type(arrays.errors[redblack.State(2, 2)], float)
    row = exact.solve(cardrow.game([1, 5, 2]))
    assert_type(row, game.Solution[Any, Any, Fraction])


def test_mistakes_are_seen() -> None:
    """By mypy, too: it complains of an ignore that ignores nothing."""
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = cardgames_dp.nothing  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="backend must be one of"):
        redblack.value(3, 3, backend="double")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="tie must be one of"):
        redblack.Rules(tie="left")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="backend must be one of"):
        cardrow.solve([1, 2], backend="float32")  # type: ignore[call-overload]


def test_played_games() -> None:
    rules = RedBlack(2, 2)
    solution = exact.solve(rules)
    advice = solution.advice((1, 2, "decide"))
    assert_type(advice.value, Fraction)
    assert_type(advice.margin, Fraction | None)

    def stop(state: tuple[int, int, str]) -> str:
        return "stop" if state[0] >= 0 else "draw"

    assert_type(play.evaluate(rules, stop).value, float)
    assert_type(play.evaluate(solution).payoffs, tuple[float, ...])
    exactly = play.evaluate(solution, [stop], backend="exact")
    assert_type(exactly.value, Fraction)
    assert_type(exactly.payoffs, tuple[Fraction, ...])
    response = play.best_response(rules, stop, 0)
    assert_type(response.gain, float | None)
    assert_type(play.regret(rules, response).loss, float)
    assert_type(play.regret(rules, stop, backend="exact").loss, Fraction)
    assert_type(play.distribution(rules, stop).moves.mean, float)
    assert_type(play.distribution(solution).moves.mean, float)
    laws = play.distribution(rules, {**solution.policy, (2, 2, "decide"): "stop"})
    assert_type(laws.returns[0].mean, float)
    assert_type(play.simulate(rules, stop, 10).mean, tuple[float, ...])
