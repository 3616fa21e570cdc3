"""The game with a prior over the composition, against Bayes' rule written out."""

import math
import pickle
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import diagonal, exact, game as games, redblack
from cardgames_dp._graph.lookup import LookupValues
from cardgames_dp.redblack import Rules, urns
from cardgames_dp.redblack._kernels import bayes as kernel
from cardgames_dp.redblack.utilities import in_fractions

from .strategies import linear_rules, utility_rules

priors = st.lists(st.integers(0, 5), min_size=1, max_size=7).filter(any)


class Bayesian:
    """A player who reckons with every composition at each draw."""

    def __init__(self, prior: list[int], rules: Rules) -> None:
        self.prior, self.rules, self.cards = prior, rules, len(prior) - 1
        self.total = cache(self._total)

    def believed(self, red: int, black: int) -> list[Fraction]:
        """Return how likely each composition is, after these cards in some order."""
        weights = [
            weight * math.comb(r, red) * math.comb(self.cards - r, black)
            for r, weight in enumerate(self.prior)
        ]
        whole = sum(weights)
        return [Fraction(weight, whole) for weight in weights] if whole else []

    def odds(self, red: int, black: int) -> Fraction:
        left = self.cards - red - black
        return sum(
            [
                chance * Fraction(r - red, left)
                for r, chance in enumerate(self.believed(red, black))
            ],
            Fraction(0),
        )

    def stop(self, red: int, black: int) -> Fraction:
        return in_fractions(self.rules.utility, [self.rules.cash(red, black)])[0]

    def draw(self, red: int, black: int) -> Fraction:
        odds, worth = self.odds(red, black), Fraction(0)
        if odds:
            worth += odds * self.total(red + 1, black)
        return worth + ((1 - odds) * self.total(red, black + 1) if odds < 1 else 0)

    def _total(self, red: int, black: int) -> Fraction:
        if red + black == self.cards:
            return self.stop(red, black)
        return max(self.stop(red, black), self.draw(red, black))


def test_fixed_odds_are_worth_their_mean_or_nothing() -> None:
    """A walk at fixed odds is worth playing to the end, or not at all."""
    assert urns.fixed_odds(2, "1/3") == (Fraction(4, 9), Fraction(4, 9), Fraction(1, 9))
    not_all = np.add.outer(np.arange(31), np.arange(31)) < 30
    for solve in (exact.solve, diagonal.solve):
        fair = solve(urns.game(urns.fixed_odds(30, "1/2")))
        assert fair.value == 0
        assert np.array_equal(fair.table("ties"), not_all)
        for odds, value in (("0.6", 6), ("0.4", 0), ("1", 30), ("0", 0)):
            result = solve(urns.game(urns.fixed_odds(30, odds)))
            assert result.value == pytest.approx(value, abs=1e-12)
    wins = exact.solve(urns.game(urns.fixed_odds(30, "0.4"), rules=Rules(win=2)))
    assert wins.value == 30 * (Fraction(4, 5) - Fraction(3, 5))


def test_beta_binomial_is_polyas_urn() -> None:
    prior = urns.beta_binomial(12, 2, "3/2")
    assert sum(prior) == 1
    explored = games.explore(urns.game(prior))
    for red, black in ((0, 0), (3, 2), (0, 11)):
        weights, _, _ = zip(
            *explored.chance_outcomes((red, black, "draw")), strict=True
        )
        odds = Fraction(weights[0], sum(weights))
        assert odds == (2 + red) / (Fraction(7, 2) + red + black)
    assert urns.beta_binomial(5, 1, 1) == (Fraction(1, 6),) * 6


# As a game
# ---------


@given(prior=priors, rules=linear_rules | utility_rules)
def test_the_game_has_the_states_and_values_of_bayes(
    prior: list[int], rules: Rules
) -> None:
    oracle, game = Bayesian(prior, rules), urns.game(prior, rules=rules)
    solution, floats = exact.solve(game), diagonal.solve(game)
    cards, explored = oracle.cards, games.explore(game)
    cells = [(red, n - red) for n in range(cards + 1) for red in range(n + 1)]
    possible = [cell for cell in cells if oracle.believed(*cell)]
    undecided = [s for s in solution.values if s.decision == ""]
    assert {s[:2] for s in undecided} == {*possible}
    values, totals, stops, ties = (
        solution.table(what) for what in ("values", "total", "stop", "ties")
    )
    assert {*zip(*np.nonzero(values != None), strict=True)} == {*possible}  # noqa: E711
    assert np.array_equal(np.isnan(floats.table("total")), values == None)  # noqa: E711
    for red, black in possible:
        state = urns.State(red, black)
        total, stop = oracle.total(red, black), oracle.stop(red, black)
        paid = Fraction(0) if rules.utility else rules.cash(red, black)
        assert solution.values[state] == values[red, black] == total - paid
        assert totals[red, black] == total
        bound = Fraction(floats.errors[state])
        assert abs(Fraction(floats.values[state]) - (total - paid)) <= bound
        if red + black == cards:
            assert state not in solution.policy
            assert not stops[red, black]
            assert not ties[red, black]
            continue
        draw, advice = oracle.draw(red, black), solution.advice(state)
        assert advice.values == {"stop": stop - paid, "draw": draw - paid}
        assert advice.tie == ties[red, black] == (draw == stop)
        better = draw > stop or (draw == stop and rules.tie == "draw")
        assert stops[red, black] == (not better)
        assert solution.policy[state] == ("draw" if better else "stop")
        outcomes = dict.fromkeys([(red + 1, black), (red, black + 1)], Fraction(0))
        drawn = explored.chance_outcomes(state._replace(decision="draw"))
        whole = sum([weight for weight, *_ in drawn])
        for weight, after, *_ in drawn:
            outcomes[after[:2]] += Fraction(weight, whole)
        assert [*outcomes.values()] == [
            oracle.odds(red, black),
            1 - oracle.odds(red, black),
        ]


def large_priors(least: int, most: int) -> st.SearchStrategy[list[int]]:
    """Priors whose weights of chance have few digits, or many, or are 0 in gaps."""
    weights = st.one_of(
        st.just(0), st.integers(0, 9), st.integers(1, 10**6), st.just(10**40)
    )
    return st.lists(weights, min_size=least, max_size=most).filter(any)


@given(prior=large_priors(20, 45))
def test_weights_of_chance_of_any_size(prior: list[int]) -> None:
    """They are in the ratio of q, as rows of integers tell it."""
    cards, game = len(prior) - 1, urns.game(prior)
    orders = [math.comb(cards, i) for i in range(cards + 1)]
    unit = math.lcm(*orders)
    row = [weight * (unit // c) for weight, c in zip(prior, orders, strict=True)]
    for n in range(cards - 1, -1, -1):
        red = np.arange(n + 1)
        states = np.column_stack([red, n - red, np.full(n + 1, 2)])
        _, weights, after, _ = game.chance_outcomes(states)
        assert after.tolist() == [[i + 1, n - i, 0] for i in red] + [
            [i, n - i + 1, 0] for i in red
        ]
        for i, (by_red, by_black) in enumerate(
            zip(weights[: n + 1].tolist(), weights[n + 1 :].tolist(), strict=True)
        ):
            assert by_red * row[i] == by_black * row[i + 1]
            assert bool(by_red or by_black) == bool(row[i] or row[i + 1])
        row = [a + b for a, b in zip(row[1:], row[:-1], strict=True)]
    solution, floats = exact.solve(game), diagonal.solve(game)
    assert abs(Fraction(floats.value) - solution.value) <= Fraction(floats.error)
    assert floats.error < 1e-11
    assert solution.value == exact.solve(games.explore(game)).value


@pytest.mark.parametrize(
    "prior", [[1] * 400, urns.beta_binomial(400, "1/2", 3), urns.fixed_odds(400, "0.1")]
)
def test_usual_priors_have_small_weights(prior: list[Fraction]) -> None:
    assert games.explore(urns.game(prior)).graph.weights.itemsize <= 2


@pytest.mark.parametrize(("red", "black"), [(26, 26), (12, 30), (30, 12), (0, 5)])
@pytest.mark.parametrize("rules", [Rules(), Rules(win=2, fee="1/3", tie="draw")])
def test_a_game_with_a_deck_that_is_known(red: int, black: int, rules: Rules) -> None:
    prior = [0] * (red + black + 1)
    prior[red] = 7
    for solve in (exact.solve, diagonal.solve):
        mine = solve(urns.game(prior, rules=rules))
        usual = solve(redblack.game(red, black, rules=rules))
        assert mine.explored.num_states == usual.explored.num_states
        for state in usual.policy:
            drawn = red - state.red, black - state.black
            assert mine.policy[drawn] == usual.policy[state]
            bound = mine.errors[drawn] + usual.errors[state]  # 0 if exact
            assert abs(float(mine.values[drawn] - usual.values[state])) <= bound
        assert len(mine.ties) == len(usual.ties)


# The solver of urns
# ------------------


def exponential(cash: np.ndarray) -> np.ndarray:
    """Return a utility in powers of 2: exact in floats, and soon of any size."""
    sizes = np.array([2.0 ** -float(c) for c in cash.ravel()]).reshape(cash.shape)
    return 1 - sizes


steep = st.builds(
    Rules,
    win=st.integers(0, 5),
    lose=st.integers(0, 5),
    utility=st.sampled_from([exponential, lambda cash: cash / 3]),
    tie=st.sampled_from(["stop", "draw"]),
)


def uneven_priors() -> st.SearchStrategy[list[Fraction]]:
    """Priors of states that are all but impossible, in floats entirely so."""
    weights = st.builds(
        lambda digits, power: digits * Fraction(10) ** power,
        st.integers(0, 99),
        st.one_of(st.just(0), st.integers(-700, 700), st.integers(-9, 9)),
    )
    return st.lists(weights, min_size=1, max_size=9).filter(any)


def all_states(game: urns.Urn) -> np.ndarray:
    explored = games.explore(game)
    return explored.states_at(np.arange(explored.num_states))


@given(
    prior=uneven_priors() | large_priors(1, 12) | priors,
    rules=linear_rules | utility_rules | steep,
)
def test_errors_are_bounds_in_every_state(prior: list[Any], rules: Rules) -> None:
    game = urns.game(prior, rules=rules)
    solution, floats = exact.solve(game), diagonal.solve(game)
    states = all_states(game)
    values, result = solution.values(states).tolist(), floats.values(states)
    assert np.isfinite(result).all()
    errors = floats.errors(states).tolist()
    for value, near, error in zip(values, result.tolist(), errors, strict=True):
        assert abs(Fraction(near) - value) <= Fraction(error)
    deciding = states[game.current_players(states) == 0]
    if len(deciding):
        optimal, may_be = (
            {*zip(*map(np.ndarray.tolist, each.optimal_actions(deciding)), strict=True)}
            for each in (solution, floats)
        )
        assert optimal <= may_be


@given(
    prior=uneven_priors() | large_priors(1, 12) | priors,
    rules=linear_rules | utility_rules | steep,
)
def test_it_answers_as_any_solver(prior: list[Any], rules: Rules) -> None:
    """In all states, exactly: also what a card is about to be drawn for, or is over."""
    game = urns.game(prior, rules=rules)
    mine, usual = exact.solve(game), exact.solve(games.explore(game))
    assert isinstance(mine._source, LookupValues)
    assert not isinstance(usual._source, LookupValues)
    states = all_states(game)
    deciding = states[game.current_players(states) == 0]
    last = [exact.solve(x, tie_break="last") for x in (game, games.explore(game))]
    for one, other in ((mine, usual), last):
        assert np.array_equal(one.values(states), other.values(states))
        assert np.array_equal(one.policy(deciding), other.policy(deciding))
    if len(deciding):
        result, best = (np.array(x.optimal_actions(deciding)) for x in (mine, usual))
        assert np.array_equal(result, best)
    size = len(prior)
    every = np.indices((size + 2, size + 2, 3)).reshape(3, -1).T - [1, 1, 0]
    reached = mine._source.reaches(every)
    assert {*map(tuple, every[reached].tolist())} == {*map(tuple, states.tolist())}


def test_errors_of_odds_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """With odds from numbers of 24 bits, whose rounding outweighs all other."""

    def odds(*given: Any, exactly: Any = kernel._odds) -> Any:
        red, black, sizes, powers = exactly(*given)
        return red, black, sizes.astype(np.float32).astype(float), powers

    def more(roundings: int, exactly: Any = kernel._more) -> tuple[float, float]:
        of_odds, rest = exactly(roundings)
        return 2**29 * of_odds, 1 + 2**29 * (rest - 1)

    monkeypatch.setattr(kernel, "_odds", odds)
    monkeypatch.setattr(kernel, "_more", more)
    for prior in ([1, 0, 7, 3, 0, 2] * 6, [0] * 20 + [1] + [0] * 15):
        game = urns.game(prior)
        states = all_states(game)
        floats = diagonal.solve(game)
        off = np.abs(exact.solve(game).values(states) - floats.values(states))
        assert (off.astype(float) <= floats.errors(states)).all()
        assert 1e-8 < off.max() < floats.errors(states).max() < 1e-3


def test_no_state_is_too_unlikely_for_float64() -> None:
    """After 500 red cards of 1 in 1000, the next one is no likelier."""
    game = urns.game(urns.fixed_odds(600, "1/1000"))
    solution = diagonal.solve(game)
    drawing = urns.State(500, 0, "draw")
    assert solution.values[drawing] == pytest.approx(-0.998, abs=1e-12)
    assert solution.errors[drawing] < 1e-9
    assert not np.isnan(solution.table("total")).any(
        where=np.add.outer(np.arange(601), np.arange(601)) <= 600
    )


# Records
# -------


def test_states_of_several_draws_at_once() -> None:
    """Also where some levels have large weights, and others small ones."""
    game = urns.game([1, 10**30, 1, 5, 1, 2, 10**20])
    states = np.array([[2, 3, 2], [0, 0, 2], [1, 1, 2], [0, 5, 2]])
    _, weights, _, _ = game.chance_outcomes(states)
    for i, state in enumerate(states):
        _, alone, _, _ = game.chance_outcomes(state[np.newaxis])
        assert weights[[i, i + len(states)]].tolist() == alone.tolist()


def test_the_game_is_a_record() -> None:
    game, solution = urns.game([1, 2, "1/2"]), exact.solve(urns.game([2, 4, 1]))
    assert game == solution.explored.game == pickle.loads(pickle.dumps(game))
    assert hash(game) == hash(urns.game([2, 4, 1]))
    assert game != urns.game([2, 4, 1], rules=Rules(win=2))
    games.check(game)
    assert pickle.loads(pickle.dumps(solution)) == solution
    assert pickle.loads(pickle.dumps(diagonal.solve(game))) == diagonal.solve(game)
    assert solution != exact.solve(urns.game([1, 1, 1]))
    frame = solution.to_pandas()
    assert list(frame.columns)[:3] == ["red_drawn", "black_drawn", "decision"]
