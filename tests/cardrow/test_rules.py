"""The rules, and that every solver follows them as the oracle does."""

import pickle
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import cardrow, exact
from cardgames_dp.cardrow import Rules, Turn
from cardgames_dp.game import TERMINAL

from . import oracles
from .oracles import lists, play_out, rows, small


def check_against_the_oracle(cards: Any, rules: Rules) -> None:
    """Compare table, line, best move, scores and value with backward induction."""
    game = rules.game(cards)
    solved = exact.solve(game)
    table = cardrow.solve(cards, rules=rules, backend="exact")
    for state, policy in solved.policy.items():
        left, right, player, sums = state
        advice = table.advice(left, right, player=player)
        assert (advice.action, set(advice.best)) == (
            policy,
            set(solved.optimal_actions[state]),
        )
        assert table.ties[left, right] == (len(advice.best) > 1)
        # What the state returns less what has been taken before it.
        returns = solved.values[state]
        sign = -1 if rules.misere else 1
        before = sums if rules.players > 2 else [sums[0] - sums[1], sums[1] - sums[0]]
        assert sign * advice.value == returns[player] - sign * before[player]
    state, turns = solved.initial_state, []
    while game.current_player(state) != TERMINAL:
        turns.append(solved.policy[state])
        state = game.next_state(state, turns[-1])
    by_table = table.play()
    everybody: list[Any] = ["optimal"] * rules.players
    assert by_table == cardrow.match(cards, *everybody, rules=rules)
    assert by_table.turns == tuple(turns)
    assert by_table.sums == state.sums
    advice = cardrow.Position(cards, rules=rules).advice()
    assert advice == table.advice(0, len(cards) - 1)
    line = cardrow.match(cards, rules=rules)
    assert tuple(play_out(cards, rules, line.turns)) == line.sums
    value = cardrow.value(cards, rules=rules, backend="exact")
    assert (
        value
        == table.value
        == cardrow.value(cards, rules=rules, method="diagonal", backend="exact")
    )
    if rules.players == 2:
        assert value == state.sums[0] - state.sums[1] == line.sums[0] - line.sums[1]


@pytest.mark.parametrize("tie", ["larger", "left", "right"])
@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(("take", "players"), [*product([1, 2, 3], [2, 3, 4])])
def test_small_rows(take: int, players: int, misere: bool, tie: Any) -> None:
    rules = Rules(take=take, players=players, misere=misere, tie=tie)
    for cards in [*rows((0, 1), 4), (0, 0, 1, 1, 1, 0), (2, 0, 1, 2, 1, 1)]:
        check_against_the_oracle(cards, rules)


@given(lists(6), oracles.rules)
def test_any_rules(cards: list[Any], rules: Rules) -> None:
    check_against_the_oracle([Fraction(x) for x in cards], rules)


@given(
    pairs=st.lists(st.tuples(small, small), min_size=1, max_size=6),
    take=st.integers(1, 3),
    misere=st.booleans(),
    tie=st.sampled_from(["larger", "left", "right"]),
)
def test_any_weights(
    pairs: list[tuple[int, int]], take: int, misere: bool, tie: Any
) -> None:
    cards, weights = zip(*pairs, strict=True)
    rules = Rules(take=take, misere=misere, tie=tie, weights=weights)
    check_against_the_oracle(cards, rules)


def test_the_last_cards_are_taken_from_the_left() -> None:
    """Whatever the tie rule, and so that the whole rest is one turn and no tie."""
    for take, tie in product([1, 2, 3], ["larger", "left", "right"]):
        rules = Rules(take=take, tie=tie)  # type: ignore[arg-type]
        cards = [1] * take
        game = rules.game(cards)
        actions = game.legal_actions(game.initial_state())
        assert Turn("left", take) in actions
        assert Turn("right", take) not in actions
        table = cardrow.solve(cards, rules=rules, backend="exact")
        assert table.best_turn(0, take - 1) == Turn("left", take)
        assert not table.ties[0, take - 1]


def test_tie_rules() -> None:
    for cards, larger in [((4, 7, 2), "left"), ((2, 7, 4), "right"), ((3, 3), "right")]:
        assert cardrow.Position(cards).advice().tie
        sides = {"larger": larger, "left": "left", "right": "right"}
        for tie, side in sides.items():
            rules = Rules(tie=tie)  # type: ignore[arg-type]
            assert cardrow.Position(cards, rules=rules).advice().action == Turn(side)  # type: ignore[arg-type]
            table = cardrow.solve(cards, rules=rules, backend="exact")
            assert table.best_turn(0, len(cards) - 1).side == side
            # One's own best turn is worth the same by any rule.
            assert table.value == cardrow.value(cards, backend="exact")


def test_fewer_cards_are_taken_where_it_makes_no_difference() -> None:
    rules = Rules(take=3)
    advice = cardrow.Position([0, 0, 0, 0], rules=rules).advice()
    assert advice.action == Turn("right", 1)
    assert len(advice.best) == len(advice.values) == 6


@given(lists(), st.integers(1, 3))
def test_misere_is_the_game_of_negated_cards(cards: list[Any], take: int) -> None:
    exactly = [Fraction(x) for x in cards]
    negated = [-x for x in exactly]
    misere = Rules(misere=True, take=take)
    value = cardrow.value(exactly, rules=misere, backend="exact")
    assert value == -cardrow.value(negated, rules=Rules(take=take), backend="exact")
    positions = cardrow.match(exactly, rules=misere).positions
    if take == 1:
        assert np.array_equal(positions, cardrow.match(negated).positions)


@given(st.lists(st.tuples(small, small), min_size=1, max_size=12))
def test_weights_identities(pairs: list[tuple[int, int]]) -> None:
    first, second = (list(row) for row in zip(*pairs, strict=True))
    both = [p + q for p, q in zip(first, second, strict=True)]
    value = cardrow.value(first, rules=Rules(weights=second), backend="exact")
    assert 2 * value == cardrow.value(both, backend="exact") + sum(first) - sum(second)
    # Who does not care for the cards keeps the other from what is best.
    assert cardrow.value(
        first, rules=Rules(weights=first), backend="exact"
    ) == cardrow.value(first, backend="exact")
    nothing = [0] * len(first)
    selfless = cardrow.value(first, rules=Rules(weights=nothing), backend="exact")
    assert 2 * selfless == cardrow.value(first, backend="exact") + sum(first)
    # Starting is better by the value of the shared row, for either of them.
    other = cardrow.value(second, rules=Rules(weights=first), backend="exact")
    assert value + other == cardrow.value(both, backend="exact")


def test_weights_are_exact() -> None:
    rules = Rules(weights=[0.5, Decimal("0.25"), 1])
    assert rules.weights == (Fraction(1, 2), Fraction(1, 4), 1)
    assert rules == Rules(weights=np.array([0.5, 0.25, 1]))
    assert hash(rules) == hash(Rules(weights=(Fraction(1, 2), Fraction(1, 4), 1)))
    assert cardrow.value([1, 2, 3], rules=rules, backend="exact") == Fraction(
        cardrow.value([6, 9, 16], backend="exact") + 24 - 7, 8
    )
    integral = cardrow.value([1, 2], rules=Rules(weights=(3, 4)), backend="exact")
    assert (integral, type(integral)) == (-1, int)


def test_rules_are_values() -> None:
    rules = Rules(take=2, misere=True, tie="left", weights=[1, 2])
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert rules != Rules(take=2, misere=True, tie="left", weights=[1, 3])
    with pytest.raises(AttributeError):
        rules.take = 3  # type: ignore[misc]
    assert [Rules(take=k, players=m).linear for k, m in [(1, 2), (2, 2), (1, 3)]] == [
        True,
        False,
        False,
    ]
    assert rules.worths([5, 6]) == ((5, 6), (1, 2))
    assert Rules(players=3).worths([5]) == ((5,), (5,), (5,))


def test_codes_of_turns() -> None:
    for code in (-300, -2, -1, 1, 2, 300):
        turn = Turn.of_code(code)
        assert turn.code == code
        assert (turn.side == "left") == (code < 0)
        assert turn.count == abs(code)
    assert Turn("left") == Turn.of_code(-1)
    turn = Turn.of_code(np.int8(-128))  # as in a table of int8
    assert turn == Turn("left", 128)
    assert type(turn.count) is int


BAD_RULES: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"take": 0}, ValueError, "take must be an integer >= 1, got 0"),
    ({"take": 1.0}, TypeError, "take must be an integer >= 1, got 1.0 of type float"),
    ({"take": True}, TypeError, "take must be an integer >= 1, got True of type bool"),
    ({"players": 1}, ValueError, "players must be an integer >= 2, got 1"),
    ({"players": "2"}, TypeError, "players must be an integer >= 2, got '2'"),
    ({"misere": 1}, TypeError, "misere must be True or False, got 1 of type int"),
    ({"tie": "up"}, ValueError, "tie must be one of 'larger', 'left', 'right', got"),
    ({"tie": None}, TypeError, "tie must be one of 'larger', 'left', 'right', got"),
    ({"weights": []}, ValueError, "weights must hold at least one card, got none"),
    ({"weights": 3}, TypeError, "weights must be an iterable of numbers"),
    ({"weights": [1, None]}, TypeError, r"weights\[1\] must be a finite int, Fraction"),
    ({"weights": [float("nan")]}, ValueError, r"weights\[0\] must be .*, got nan"),
    (
        {"weights": [1, 2], "players": 3},
        ValueError,
        "second of two players, got players=3",
    ),
]


@pytest.mark.parametrize(("fields", "error", "message"), BAD_RULES)
def test_bad_rules(
    fields: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Rules(**fields)


FUNCTIONS = [
    cardrow.value,
    cardrow.Position,
    cardrow.match,
    cardrow.solve,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_rules_that_do_not_fit(function: Any) -> None:
    with pytest.raises(
        TypeError, match=r"rules must be cardrow\.Rules or None, got 3 of type int"
    ):
        function([1, 2], rules=3)
    for weights in ([1], [1, 2, 3]):
        with pytest.raises(
            ValueError,
            match=rf"rules\.weights must hold .*, got {len(weights)} for 2",
        ):
            function([1, 2], rules=Rules(weights=weights))
    with pytest.raises(TypeError, match=r"rules must be cardrow\.Rules"):
        cardrow.value([1, 2], rules="misere")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match=r"rules\.weights .*, got 2 for 3"):
        cardrow.value([1, 2], [3], rules=Rules(weights=[1, 2]), backend="exact")


@pytest.mark.parametrize("weights", [[1], [1, 2, 3]])
def test_weights_that_do_not_fit_a_game(weights: list[int]) -> None:
    with pytest.raises(ValueError, match=rf"got {len(weights)} for 2"):
        Rules(weights=weights).game([1, 2])
