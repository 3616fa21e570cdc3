"""The game with a prior over the composition, against Bayes' rule written out."""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import redblack
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
