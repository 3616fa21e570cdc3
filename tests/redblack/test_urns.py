"""The game with a prior over the composition, against Bayes' rule written out."""

import math
import pickle
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import diagonal, exact, game as games, play, redblack
from cardgames_dp.redblack import Rules, urns
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


@given(prior=priors, rules=linear_rules | utility_rules)
def test_every_state_is_that_of_bayes(prior: list[int], rules: Rules) -> None:
    oracle = Bayesian(prior, rules)
    exact = urns.solve(prior, rules=rules, backend="exact")
    floats = urns.solve(prior, rules=rules)
    totals, rounded = exact.totals, floats.totals
    for red, black in np.ndindex(totals.shape):
        believed = oracle.believed(red, black) if red + black < len(prior) else []
        assert exact.possible[red, black] == floats.possible[red, black]
        assert exact.possible[red, black] == bool(believed)
        if not believed:
            with pytest.raises(ValueError, match="cannot be drawn from"):
                exact.advice(red=red, black=black)
            continue
        total, stop = oracle.total(red, black), oracle.stop(red, black)
        assert totals[red, black] == total
        assert exact.values[red, black] == total - stop
        assert rounded[red, black] == pytest.approx(float(total), abs=1e-12)
        left = len(prior) - 1 - red - black
        advice, shown = (x.advice(red=red, black=black) for x in (exact, floats))
        assert (advice.values["stop"], advice.value) == (stop, total)
        assert advice.state == shown.state == (red, black)
        assert (shown.action, shown.best) == (advice.action, advice.best)
        if left:
            odds, draw = oracle.odds(red, black), oracle.draw(red, black)
            assert exact.odds[red, black] == odds
            assert advice.values["draw"] == draw
            assert floats.odds[red, black] == pytest.approx(float(odds))
            assert advice.tie == exact.ties[red, black] == (draw == stop)
            better = draw > stop or (draw == stop and rules.tie == "draw")
            assert advice.action == ("draw" if better else "stop")
            assert exact.stop[red, black] == (not better)
        else:
            assert (advice.action, advice.tie) == ("stop", False)
    assert exact.value == oracle.total(0, 0)


@pytest.mark.parametrize(("red", "black"), [(26, 26), (12, 30), (30, 12), (0, 5)])
def test_a_deck_that_is_known_is_the_usual_game(red: int, black: int) -> None:
    prior = [0] * (red + black + 1)
    prior[red] = 7
    exact = urns.solve(prior, backend="exact")
    assert exact.value == redblack.value(red, black, backend="exact")
    assert urns.solve(prior).value == pytest.approx(float(exact.value), abs=1e-12)
    if red == 26:  # with the same tie, too
        table = redblack.solve(red, black, backend="exact")
        assert [*zip(*np.nonzero(exact.ties), strict=True)] == [(25, 24)]
        assert table.ties[1, 2]


def test_fixed_odds_are_worth_their_mean_or_nothing() -> None:
    """A walk at fixed odds is worth playing to the end, or not at all."""
    assert urns.fixed_odds(2, "1/3") == (Fraction(4, 9), Fraction(4, 9), Fraction(1, 9))
    fair = urns.solve(urns.fixed_odds(30, "1/2"), backend="exact")
    assert fair.value == 0
    not_all = np.add.outer(np.arange(31), np.arange(31)) < 30
    assert np.array_equal(fair.ties, not_all)
    for odds, value in (("0.6", 6), ("0.4", 0), ("1", 30), ("0", 0)):
        assert urns.solve(urns.fixed_odds(30, odds)).value == pytest.approx(value)
    learnt = urns.solve(urns.fixed_odds(30, "0.6")).odds
    assert learnt[3, 4] == pytest.approx(0.6)
    wins = urns.solve(urns.fixed_odds(30, "0.4"), rules=Rules(win=2), backend="exact")
    assert wins.value == 30 * (Fraction(4, 5) - Fraction(3, 5))


def test_beta_binomial_is_polyas_urn() -> None:
    prior = urns.beta_binomial(12, 2, "3/2")
    assert sum(prior) == 1
    solution = urns.solve(prior, backend="exact")
    for red, black in ((0, 0), (3, 2), (0, 11)):
        assert solution.odds[red, black] == (2 + red) / (Fraction(7, 2) + red + black)
    assert urns.beta_binomial(5, 1, 1) == (Fraction(1, 6),) * 6


def test_large_priors_lose_no_digits() -> None:
    cards = 150
    exact = urns.solve([1] * (cards + 1), backend="exact")
    floats = urns.solve([1] * (cards + 1))
    assert floats.value == pytest.approx(float(exact.value), rel=1e-12)
    assert np.array_equal(exact.stop, floats.stop)
    assert np.array_equal(exact.ties, floats.ties)


def test_what_is_too_unlikely_for_float64_is_impossible() -> None:
    prior = urns.fixed_odds(500, "1/1000")
    solution = urns.solve(prior)
    assert solution.possible[5, 5]
    assert not solution.possible[200, 0]
    assert solution.value == 0
    assert np.isfinite(solution.totals).all()


def test_as_a_data_frame_it_has_the_states_that_can_occur() -> None:
    solution = urns.solve([1, 0, 2, 1], backend="exact")
    frame = solution.to_pandas()
    assert {*frame.index} == {*zip(*np.nonzero(solution.possible), strict=True)}
    assert [sum(state) for state in frame.index] == sorted(map(sum, frame.index))
    for red, black in frame.index.tolist():
        row = frame.loc[(red, black)].tolist()
        assert row == [
            table[red, black]
            for table in (
                *(solution.values, solution.totals, solution.odds),
                *(solution.stop, solution.ties),
            )
        ]


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
    asked = [s for s in solution.values if s.decision == ""]
    assert {s[:2] for s in asked} == {*possible}
    for red, black in possible:
        state = urns.State(red, black)
        total, stop = oracle.total(red, black), oracle.stop(red, black)
        paid = Fraction(0) if rules.utility else rules.cash(red, black)
        assert solution.values[state] == total - paid
        bound = Fraction(floats.errors[state])
        assert abs(Fraction(floats.values[state]) - (total - paid)) <= bound
        if red + black == cards:
            assert state not in solution.policy
            continue
        draw, advice = oracle.draw(red, black), solution.advice(state)
        assert advice.values == {"stop": stop - paid, "draw": draw - paid}
        assert advice.tie == (draw == stop)
        better = draw > stop or (draw == stop and rules.tie == "draw")
        assert solution.policy[state] == ("draw" if better else "stop")
        outcomes = dict.fromkeys([(red + 1, black), (red, black + 1)], Fraction(0))
        drawn = games.explore(game).chance_outcomes(state._replace(decision="draw"))
        whole = sum([weight for weight, *_ in drawn])
        for weight, after, *_ in drawn:
            outcomes[after[:2]] += Fraction(weight, whole)
        assert [*outcomes.values()] == [
            oracle.odds(red, black),
            1 - oracle.odds(red, black),
        ]


@given(prior=priors, rules=linear_rules | utility_rules)
def test_its_policy_wins_its_value_over_all_orders(
    prior: list[int], rules: Rules
) -> None:
    """Orders of the same cards are equally likely, whatever the prior."""
    solution, cards = exact.solve(urns.game(prior, rules=rules)), len(prior) - 1
    won = Fraction(0)
    for reds, weight in enumerate(prior):
        orders = [*combinations(range(cards), reds)] if weight else []
        for order in orders:
            red = black = 0
            while red + black < cards and solution.policy[red, black] == "draw":
                red, black = (
                    (red + 1, black) if red + black in order else (red, black + 1)
                )
            paid = in_fractions(rules.utility, [rules.cash(red, black)])[0]
            won += Fraction(weight, len(orders)) * paid
    assert solution.value == won / sum(prior)
    assert play.evaluate(solution, backend="exact").value == solution.value


def large_priors() -> st.SearchStrategy[list[int]]:
    """Priors whose weights of chance have few digits, or many, or are 0 in gaps."""
    weights = st.one_of(
        st.just(0), st.integers(0, 9), st.integers(1, 10**6), st.just(10**40)
    )
    return st.lists(weights, min_size=20, max_size=45).filter(any)


@given(prior=large_priors())
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
    assert solution.value == urns.solve(prior, backend="exact").value


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
        assert mine.num_states == usual.num_states
        for state in usual.policy:
            drawn = red - state.red, black - state.black
            assert mine.policy[drawn] == usual.policy[state]
            bound = mine.errors[drawn] + usual.errors[state]  # 0 if exact
            assert abs(float(mine.values[drawn] - usual.values[state])) <= bound
        assert len(mine.ties) == len(usual.ties)


def test_one_order_of_no_cards() -> None:
    game = urns.game([3])
    assert exact.solve(game).value == 0
    assert games.explore(game).num_states == 1


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
    frame = solution.to_pandas()
    assert list(frame.columns)[:3] == ["red", "black", "decision"]
