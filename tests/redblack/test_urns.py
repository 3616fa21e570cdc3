"""The game with a prior over the composition, against Bayes' rule written out."""

import math
import pickle
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import diagonal, exact, game as games
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
    cards = oracle.cards
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


@given(
    prior=uneven_priors() | large_priors(1, 12) | priors,
    rules=linear_rules | utility_rules | steep,
)
def test_both_backends_in_every_state(prior: list[Any], rules: Rules) -> None:
    """As any solver, exactly; in float64 within an error, also where nobody decides."""
    game = urns.game(prior, rules=rules)
    explored = games.explore(game)
    states = explored.states_at(np.arange(explored.num_states))
    deciding = states[game.current_players(states) == 0]
    for how in ("first", "last"):
        mine, usual = (exact.solve(x, tie_break=how) for x in (game, explored))
        assert isinstance(mine._source, LookupValues)
        assert not isinstance(usual._source, LookupValues)
        assert np.array_equal(mine.values(states), usual.values(states))
        assert np.array_equal(mine.policy(deciding), usual.policy(deciding))
    floats = diagonal.solve(game)
    near, errors = floats.values(states), floats.errors(states)
    assert np.isfinite(near).all()
    of_states = zip(*map(np.ndarray.tolist, (near, errors)), strict=True)
    for (value, error), right in zip(of_states, mine.values(states), strict=True):
        assert abs(Fraction(value) - right) <= Fraction(error)
    if len(deciding):
        best, same, may_be = (
            {*zip(*map(np.ndarray.tolist, x.optimal_actions(deciding)), strict=True)}
            for x in (mine, usual, floats)
        )
        assert best == same <= may_be
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
        explored = games.explore(game)
        states = explored.states_at(np.arange(explored.num_states))
        floats = diagonal.solve(game)
        off = np.abs(exact.solve(game).values(states) - floats.values(states))
        assert (off.astype(float) <= floats.errors(states)).all()
        assert 1e-8 < off.max() < floats.errors(states).max() < 1e-3


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
    assert solution != exact.solve(urns.game([1, 1, 1]))
    frame = solution.to_pandas()
    assert list(frame.columns)[:3] == ["red_drawn", "black_drawn", "decision"]
