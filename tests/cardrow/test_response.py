"""Best responses against enumeration, the oracle, and every fixed strategy."""

import json
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import TooLargeError, exact
from cardgames_dp._results.records import plain
from cardgames_dp.cardrow.best_responses import best_response
from cardgames_dp.cardrow.matches import match
from cardgames_dp.cardrow.policies import Mixed
from cardgames_dp.cardrow.rules import Rules, State
from cardgames_dp.cardrow.tournaments import tournament
from cardgames_dp.cardrow.valuation import value

from .opponents import NAMES, TIES, AgainstChance, chance_of_left, expected_lead

MIXED = Mixed({"larger": 4, "random": 1})
opponents = st.sampled_from([*NAMES, MIXED])
seats = st.sampled_from(["first", "second"])
ties = st.sampled_from(TIES)
numbers = st.one_of(st.integers(-3, 9), st.fractions(0, 3, max_denominator=3))
rows = st.lists(numbers, min_size=1, max_size=7)
LOST = [4, 4, 6, 6, 12, 9]


def test_pashevich_the_lost_game_can_be_won() -> None:
    response = best_response(LOST, "larger", backend="exact")
    assert response.value == 3
    assert type(response.value) is int
    assert match(LOST, response, "larger").sums == (22, 19)


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize("tie", TIES)
def test_pashevich_draw_in_either_seat(seat: Any, tie: Any) -> None:
    row = [8, 4, 2, 2, 4, 8]
    response = best_response(
        row, "larger", seat=seat, rules=Rules(tie=tie), backend="exact"
    )
    assert response.value == 0
    players: list[Any] = [response, "larger"]
    first, second = players if seat == "first" else reversed(players)
    assert match(row, first, second, rules=Rules(tie=tie)).sums == (14, 14)


def test_pashevich_random_sister() -> None:
    row = [8, 4, 2, 2, 4, 8]
    for seat, expected in [("first", 6), ("second", 0)]:
        response = best_response(row, "random", seat=seat, backend="exact")  # type: ignore[call-overload]
        assert response.value == expected
        assert isinstance(response.value, Fraction)


@given(rows, opponents, seats, ties)
def test_oracle(cards: list[Fraction], opponent: Any, seat: Any, tie: Any) -> None:
    response = best_response(
        cards, opponent, seat=seat, rules=Rules(tie=tie), backend="exact"
    )
    chance = chance_of_left(opponent, cards, tie)
    game = AgainstChance(tuple(map(Fraction, cards)), chance, seat == "first")
    solution = exact.solve(game)
    assert response.value == solution.value[0]
    n = len(cards)
    ties = response.ties
    for state, actions in solution.optimal_actions.items():
        left, right = state.left, state.right
        assert ties[left, right] == (len(actions) == 2)
        assert response(state_of(response, left, right)).side in actions
        if len(actions) == 2:
            larger = "left" if cards[left] > cards[right] else "right"
            preferred = larger if tie == "larger" else tie
            assert response(state_of(response, left, right)).side == preferred
    for left in range(n):
        for right in range(n):
            taken_before = n - 1 - (right - left)
            ours = left <= right and taken_before % 2 == (seat == "second")
            assert (table(response)[left][right] != 0) == ours


@given(rows, opponents, opponents, ties)
def test_at_least_as_good_as_every_strategy(
    cards: list[Fraction], opponent: Any, ours: Any, tie: Any
) -> None:
    we = chance_of_left(ours, cards, tie)
    they = chance_of_left(opponent, cards, tie)
    first = best_response(cards, opponent, rules=Rules(tie=tie), backend="exact")
    second = best_response(
        cards, opponent, rules=Rules(tie=tie), seat="second", backend="exact"
    )
    assert first.value >= expected_lead(cards, we, they)
    assert second.value >= -expected_lead(cards, they, we)
    assert first.value >= value(cards, backend="exact") >= -second.value
    # ... and the policy itself attains the value.
    we = chance_of(first)
    assert expected_lead(cards, we, they) == first.value
    assert expected_lead(cards, they, chance_of(second)) == -second.value


def chance_of(response: Any) -> Any:
    return lambda left, right: Fraction(
        response(state_of(response, left, right)).side == "left"
    )


def state_of(response: Any, left: int, right: int) -> State:
    """Return a state in which it is to move, whatever has been taken."""
    return State(left, right, response.seat, (0, 0))


@given(rows, ties)
def test_against_optimal_it_is_the_value(cards: list[Fraction], tie: Any) -> None:
    first = best_response(cards, "optimal", rules=Rules(tie=tie), backend="exact")
    second = best_response(
        cards, "optimal", seat="second", rules=Rules(tie=tie), backend="exact"
    )
    assert first.value == value(cards, backend="exact") == -second.value


@pytest.mark.parametrize("opponent", [*NAMES, MIXED])
@pytest.mark.parametrize("seat", ["first", "second"])
def test_backends_agree(opponent: Any, seat: Any) -> None:
    tenths = [Fraction(x, 10) for x in np.random.default_rng(5).integers(-20, 99, 120)]
    precise = best_response(tenths, opponent, seat=seat, backend="exact")
    rounded = best_response(tenths, opponent, seat=seat, backend="float64")
    assert isinstance(rounded.value, float)
    difference = Fraction(precise.value) - Fraction(rounded.value)
    assert abs(difference) < 8 * 2**-53 * 10 * 120**2
    assert np.array_equal(precise.best, rounded.best)  # type: ignore[arg-type]
    assert precise.ties.any()


def test_callables_and_long_integers() -> None:
    row = [3 * 10**25, 10**25, -7, 10**25 + 1, 2]
    third = Fraction(1, 3)
    chance = chance_of_left("larger", row, "larger")
    game = AgainstChance(tuple(map(Fraction, row)), lambda *_: third, we_start=True)
    assert (
        best_response(row, lambda cards, left, right: third, backend="exact").value
        == (exact.solve(game).value[0])
    )
    game = AgainstChance(tuple(map(Fraction, row)), chance, we_start=False)
    asked = best_response(
        row,
        lambda x, i, j: "left" if x[i] > x[j] else "right",
        seat="second",
        backend="exact",
    )
    assert asked.value == exact.solve(game).value[0]
    assert asked.opponents == ("<lambda>",)


def test_long_fractions_of_nothing() -> None:
    assert best_response([0] * 150, "random", backend="exact").value == 0
    response = best_response([1] * 151, "random", backend="exact")
    assert (response.value, response.value.denominator) == (1, 1)


def test_response_to_a_response() -> None:
    row = [4, 1, 7, 7, 2, 9, 3]
    sister = best_response(row, "greedy", seat="second", backend="exact")
    ours = best_response(row, sister, backend="exact")
    game = match(row, ours, sister)
    assert game.lead == ours.value >= value(row, backend="exact")
    assert game.players == (f"response to {ours.opponents[0]}", *ours.opponents)
    assert ours.opponents == (f"response to {sister.opponents[0]}",)


def test_as_a_player_it_keeps_to_its_row_and_its_seat() -> None:
    response = best_response(LOST, "larger", backend="exact")
    with pytest.raises(ValueError, match="must be made for this row and these"):
        match(LOST[::-1], response, "larger")
    with pytest.raises(ValueError, match=r"second, must be in seat 0, for which"):
        match(LOST, "larger", response)
    with pytest.raises(ValueError, match="a tournament plays all seats; use match"):
        tournament([response, "larger"], [LOST])


def table(response: Any) -> Any:
    return response.best.tolist()


def test_single_card() -> None:
    for opponent in ("random", "larger"):
        first = best_response([7], opponent, backend="exact")
        assert (first.value, table(first)) == (7, [[-1]])
        second = best_response([7], opponent, seat="second", backend="exact")
        assert (second.value, table(second)) == (-7, [[0]])


def test_response_is_a_value() -> None:
    response = best_response([2, 2], "random", backend="exact")
    assert response == best_response([2, 2], "random", backend="exact")
    assert response != best_response([2, 2], "larger", backend="exact")
    assert pickle.loads(pickle.dumps(response)) == response
    with pytest.raises(ValueError, match="read-only"):
        response.best[0] = 1  # type: ignore[index]
    assert repr(response) == (
        "Response(cards=2, opponents=('random',), seat=0, goal='lead', value=0)"
    )
    assert "value=0.5)" in repr(best_response([1.5, 1], "random", backend="float64"))
    assert json.loads(json.dumps(response.to_dict(), default=int)) == {
        "cards": [2, 2],
        "rules": plain(Rules()),
        "opponents": ["random"],
        "seat": 0,
        "goal": "lead",
        "backend": "exact",
        "lead": 0,
        "value": 0,
        "best": [[0, 2], [0, 0]],
        **dict.fromkeys(["win", "draw", "guaranteed", "plan"]),
    }


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"cards": []}, ValueError, "cards must hold at least one card, got none"),
        ({"cards": [[1]]}, TypeError, r"cards\[0\] must be a finite int"),
        (
            {"opponent": "sister"},
            ValueError,
            "opponent must be one of .*, got 'sister'",
        ),
        ({"opponent": 1}, TypeError, "opponent must be one of .*, got 1"),
        ({"seat": 2}, ValueError, "seat must be less than the number of players, 2"),
        ({"backend": "fast"}, ValueError, "backend must be one of 'float64', 'exact'"),
        (
            {"cards": [10**400, 1], "backend": "float64"},
            ValueError,
            "cards must have sums of at most 1e307 for backend='float64'; use backend=",
        ),
        (
            {"cards": [1e308] * 2, "backend": "float64"},
            ValueError,
            "cards must have sums of at most 1e307 for backend='float64'; use backend=",
        ),
        (
            {"cards": np.zeros(10**7, np.int64)},
            TooLargeError,
            "a best response on 10000000 cards needs about .* use a shorter row",
        ),
        (
            {"cards": [1, 2, 3], "opponent": lambda cards, left, right: 2},
            ValueError,
            "player '<lambda>', the opponent, must return 'left', 'right' or .* got 2 "
            r"for the cards \[1, 2\] at 0 to 1",
        ),
    ],
)
def test_errors(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        best_response(**({"cards": [1, 2], "opponent": "larger"} | arguments))
