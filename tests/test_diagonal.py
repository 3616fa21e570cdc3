"""The float64 backend: what rounding does, and what the stated error covers."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from numpy.typing import NDArray

from cardgames_dp import cardrow, diagonal, exact
from cardgames_dp.game import CHANCE, TERMINAL

from .test_solutions import TIE_OF_THIRDS, near
from .written import Paying, Table

Rows = NDArray[Any]


def test_integers_without_chance_are_exact_and_tie_for_certain() -> None:
    game = cardrow.Rules().game([1, 2, 2, 1, 1])
    floats, exactly = diagonal.solve(game), exact.solve(game)
    assert (floats.error, floats.possible_ties) == (0, ())
    assert floats.ties == exactly.ties != ()


def test_a_possible_tie_is_told_from_a_certain_one() -> None:
    solution = diagonal.solve(TIE_OF_THIRDS)
    assert solution.possible_ties == (0,)
    assert solution.ties == ()
    assert solution.optimal_actions == {0: ("a", "b")}
    assert "possible_ties=1, error=" in repr(solution)
    assert "&#x27;a&#x27;, &#x27;b&#x27; (tie?)" in str(solution._repr_html_())
    found = solution.to_dict(json=True)
    assert (found["possible_ties"], found["error"]) == ([0], solution.error)


@given(parts=st.lists(st.fractions(-9, 9, max_denominator=99), min_size=2, max_size=9))
@example(parts=[Fraction(1, 10), Fraction(2, 10)])
@example(parts=[Fraction(-1, 10), Fraction(-2, 10)])
def test_a_mean_that_is_rounded_may_be_optimal(parts: list[Fraction]) -> None:
    """Nothing in the mean, of which rounding leaves something; nothing for certain."""
    returns = [0, *parts, -sum(parts)]
    rows: dict[Any, Any] = {state: ("end", [x]) for state, x in enumerate(returns, 2)}
    rows |= {0: (0, {"mean": 1, "sure": 2})}
    rows |= {1: ("chance", [(1, state) for state in range(3, 2 + len(returns))])}
    assert diagonal.solve(Table(rows)).optimal_actions[0] == ("mean", "sure")


def test_a_mean_that_needs_most_of_its_bound() -> None:
    """Found by a search among small weights and returns of 53 bits."""
    first, second = 4995393753488457, 6150704029045423
    rows = {0: ("chance", [(30, 1), (1, 2)]), 1: ("end", [first]), 2: ("end", [second])}
    solution = diagonal.solve(Table(rows))
    off = abs(Fraction(solution.value[0]) - Fraction(30 * first + second, 31))
    assert 0.8 * solution.error < off < solution.error


def test_what_a_possible_tie_leaves_open_for_others_is_in_the_error() -> None:
    """Equal for the first player up to rounding, far apart for the second."""
    third = Fraction(1, 3)
    rows: dict[Any, Any] = {
        0: (0, {"a": 1, "b": 2}),
        1: ("chance", [(1, 3), (2, 4)]),
        2: ("chance", [(2, 5), (1, 6)]),
        3: ("end", [third, 0]),
        4: ("end", [third, 0]),
        5: ("end", [third, 9]),
        6: ("end", [third + Fraction(1, 10**40), 9]),
    }
    game = Table(rows, num_players=2)
    assert exact.solve(game).policy == {0: "b"}
    solution = diagonal.solve(game)
    assert solution.possible_ties == (0,)
    assert 9 <= solution.error < 9.001


@pytest.mark.parametrize(
    "weights", [(10**400, 3 * 10**400), (2**60 + 1, 2**60 - 1)], ids=range(2)
)
def test_weights_beyond_float64(weights: tuple[int, int]) -> None:
    rows: dict[Any, Any] = {
        0: ("chance", [*zip(weights, (1, 2), strict=True)]),
        1: ("end", [4]),
        2: ("end", [8]),
    }
    near(diagonal.solve(Table(rows)), exact.solve(Table(rows)))


# Rewards
# -------

NUMBERS = st.one_of(
    st.floats(-(2.0**900), 2.0**900),
    st.integers(-(2**54), 2**54),
    st.sampled_from([2.0**-1074, 2.0**-1022, 2**53, 1, Fraction(1, 3), 0.1]),
    st.fractions(max_denominator=10**6).map(lambda x: x / 10**300),
)


@given(
    data=st.data(),
    path=st.lists(st.booleans(), min_size=1, max_size=6),
    weights=st.lists(st.integers(1, 2**40), min_size=2, max_size=2),
)
def test_numbers_of_any_size(
    data: st.DataObject, path: list[bool], weights: list[int]
) -> None:
    """Chance and choice in turn; each leads on, with rewards, or to an end."""

    def number() -> list[Fraction]:
        drawn: Any = data.draw(NUMBERS)
        return [Fraction(drawn)]

    rows: dict[Any, Any] = {}
    paid: dict[Any, Any] = {}
    for i, lucky in enumerate(path):
        if lucky:
            outcomes = (weights[0], i + 1, number()), (weights[1], -1, number())
            rows[i] = "chance", outcomes
        else:
            rows[i] = 0, {"on": i + 1, "off": -1}
            paid |= {(i, "on"): number(), (i, "off"): number()}
    rows |= {len(path): ("end", number()), -1: ("end", [0])}
    game = Paying(rows, paid=paid)
    floats, exactly = diagonal.solve(game), exact.solve(game)
    for state, (value,) in exactly.values.items():
        assert abs(Fraction(floats.values[state][0]) - value) <= Fraction(floats.error)
    for state in floats.policy:
        advice, right = floats.advice(state), exactly.advice(state).values
        for action, x in advice.values.items():
            assert abs(Fraction(x) - right[action]) <= Fraction(advice.error)


def test_sums_beyond_53_bits_are_told() -> None:
    """The sum rounds to what the other action pays, which is less by one."""
    rows: Any = {0: (0, {"a": 1, "b": 2}), 1: (0, {"on": 2}), 2: ("end", [2**53])}
    game = Paying(rows, paid={(1, "on"): [1]})
    floats = diagonal.solve(game)
    assert floats.possible_ties == (0,)
    assert floats.error >= 1
    assert floats.advice(1).error >= 1
    assert exact.solve(game).optimal_actions[0] == ("a",)
    even = diagonal.solve(Paying(rows, paid={(1, "on"): [2]}))
    assert (even.error, even.optimal_actions[0]) == (0, ("a",))


@pytest.mark.parametrize("where", ["end", "reward"])
def test_numbers_that_floats_cannot_hold(where: str) -> None:
    """The rounding of one number is in the error, and is all of it."""
    third = Fraction(1, 3)
    paid, end = ({(0, "on"): [third]}, 0) if where == "reward" else ({}, third)
    game = Paying({0: (0, {"on": 1}), 1: ("end", [end])}, paid=paid)
    floats = diagonal.solve(game)
    assert 0 < abs(third - Fraction(floats.value[0])) <= floats.error < 2.0**-50


# Many near ties
# --------------


class Bets:
    """Bet any part of your coins on flips that are won 3 times of 5, up to a cap.

    With many flips left almost every decision is nearly a tie. A state is a row of
    flips, coins, and the bet or -1.
    """

    num_players = 1

    def __init__(self, coins: int, cap: int, flips: int) -> None:
        self.coins, self.cap, self.flips = coins, cap, flips

    def initial_states(self) -> Rows:
        return np.array([[self.flips, self.coins, -1]])

    def current_players(self, states: Rows) -> Rows:
        flips, coins, bet = states.T
        over = (flips == 0) | (coins == 0) | (coins == self.cap)
        return np.where(over, TERMINAL, np.where(bet < 0, 0, CHANCE))

    def legal_actions(self, states: Rows) -> tuple[Rows, Rows]:
        count = np.minimum(states[:, 1], self.cap - states[:, 1]) + 1
        bets = np.concatenate([np.arange(n) for n in count])
        return np.repeat(np.arange(len(states)), count), bets

    def next_states(self, states: Rows, actions: Rows) -> Rows:
        return np.column_stack([states[:, :2], actions])

    def chance_outcomes(self, states: Rows) -> tuple[Rows, Rows, Rows]:
        flips, coins, bet = states.T
        after = [
            np.column_stack([flips - 1, coins + won, 0 * bet - 1])
            for won in (bet, -bet)
        ]
        index, weights = np.arange(len(states)), np.repeat([3, 2], len(states))
        return np.tile(index, 2), weights, np.concatenate(after)

    def returns(self, states: Rows) -> Rows:
        return states[:, 1]


def by_recurrence(game: Bets) -> float:
    """Return the value by a loop over the flips."""
    worth = np.arange(game.cap + 1.0)
    for _ in range(game.flips):
        best = worth.copy()
        for coins in range(1, game.cap):
            bets = np.arange(min(coins, game.cap - coins) + 1)
            means = 0.6 * worth[coins + bets] + 0.4 * worth[coins - bets]
            best[coins] = means.max()
        worth = best
    return float(worth[game.coins])


@pytest.mark.slow
def test_doubts_of_a_lone_player_do_not_grow_from_level_to_level() -> None:
    """The player gets the largest worth, whichever of many actions has it."""
    game = Bets(coins=10, cap=60, flips=60)
    solution = diagonal.solve(game)
    assert solution.num_possible_ties > 500
    assert solution.error < 1e-11
    assert solution.value[0] == pytest.approx(by_recurrence(game), rel=1e-13)
