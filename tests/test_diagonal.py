"""The float64 backend: what rounding does, and what the stated error covers."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from cardgames_dp import diagonal, exact

from .games import Paying, Table
from .test_solutions import TIE_OF_THIRDS


def test_a_possible_tie_is_told_from_a_certain_one() -> None:
    solution = diagonal.solve(TIE_OF_THIRDS)
    assert solution.possible_ties == (0,)
    assert solution.ties == ()
    assert solution.optimal_actions == {0: ("a", "b")}
    assert "possible_ties=1, error=" in repr(solution)
    assert "&#x27;a&#x27;, &#x27;b&#x27; (tie?)" in str(solution._repr_html_())
    result = solution.to_dict(json=True)
    assert (result["possible_ties"], result["error"]) == ([0], solution.error)


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
    off = abs(Fraction(solution.value) - Fraction(30 * first + second, 31))
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
    for state, value in exactly.values.items():
        assert abs(Fraction(floats.values[state]) - value) <= Fraction(
            floats.errors[state]
        )
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
    assert 0 < abs(third - Fraction(floats.value)) <= floats.error < 2.0**-50


# Many near ties
# --------------


def test_doubts_of_a_lone_player_do_not_grow_from_level_to_level() -> None:
    """The player gets the largest value, whichever of two actions has it."""
    third = Fraction(2**40, 3)
    rows: dict[Any, Any] = {i: (0, {"on": i + 1, "less": i + 1}) for i in range(30)}
    rows |= {30: (0, {"pay": 31}), 31: ("end", [third])}
    paid: dict[Any, Any] = {(30, "pay"): [-int(third)]}
    doubt = diagonal.solve(Paying(rows, 30, paid=paid)).error
    paid |= {(i, "less"): [-Fraction(doubt)] for i in range(30)}
    game = Paying(rows, paid=paid)
    solution = diagonal.solve(game, tie_break="last")
    assert solution.possible_ties == tuple(range(30))
    assert 0 < solution.error < 1.01 * doubt
    away = Fraction(solution.value) - exact.solve(game).value
    assert abs(away) <= solution.error
