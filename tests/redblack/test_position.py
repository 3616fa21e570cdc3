"""A game in progress knows what the exact backend knows of each state."""

import dataclasses
import pickle
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact, redblack
from cardgames_dp.redblack import Position, Rules

from .strategies import linear_rules

OTHER: dict[Any, Any] = {"red": "black", "black": "red"}


@given(
    red=st.integers(0, 5),
    black=st.integers(0, 5),
    rules=linear_rules,
    cards=st.lists(st.sampled_from(["red", "black"]), max_size=8),
)
def test_every_card_is_followed(
    red: int, black: int, rules: Rules, cards: list[Any]
) -> None:
    oracle = exact.solve(rules.game(red, black))
    solution = redblack.solve(red, black, rules=rules, backend="exact")
    position, mirrored = Position(solution), Position(solution, good="black")
    played = []
    for card in cards:
        if not {"red": position.red, "black": position.black}[card]:
            with pytest.raises(ValueError, match=f"no {card} card is left|game is ove"):
                position.play(card)
            continue
        played.append(card)
        before, position = position, position.play(card)
        mirrored = mirrored.play(OTHER[card])
        assert position.undo() is before
        state = redblack.State(position.red, position.black)
        assert position.state == mirrored.state == state
        assert position.cash == rules.cash(red - position.red, black - position.black)
        assert position.over == (sum(state[:2]) == 0)
        assert position.value == oracle.values[state][0]
        assert position.gain == position.value - position.cash
        assert (mirrored.red, mirrored.black) == (position.black, position.red)
        assert (mirrored.value, mirrored.cash) == (position.value, position.cash)
        if not position.over:
            advice, mirrored_advice = position.advice(), mirrored.advice()
            assert set(advice.best) == set(oracle.optimal_actions[state])
            assert advice == solution.advice(red=position.red, black=position.black)
            assert mirrored_advice.values == advice.values
            assert (mirrored_advice.red, mirrored_advice.black) == (
                position.black,
                position.red,
            )
    assert position.history == tuple(played)
    assert mirrored.history == tuple([OTHER[card] for card in played])
    assert pickle.loads(pickle.dumps(mirrored)) == mirrored
    if played:
        assert position != position.undo()
        assert position != mirrored


def test_a_stop_ends_the_game() -> None:
    position = Position(redblack.solve(3, 3)).play("red").play("stop")
    assert (position.over, position.gain, position.cash) == (True, 0, 1)
    assert position.value == 1
    assert position.history == ("red", "stop")
    assert repr(position) == "Position(red=2, black=3, cash=1, value=1, over=True)"
    for move in ("red", "stop"):
        with pytest.raises(ValueError, match=f"game is over, so that '{move}' cannot"):
            position.play(move)
    with pytest.raises(ValueError, match=r"the game is over.* no action to advise"):
        position.advice()
    assert not position.undo().over


def test_the_whole_deck_ends_the_game() -> None:
    position = Position(redblack.solve(1, 0)).play("red")
    assert (position.over, position.gain) == (True, 0)


def test_past_ruin_nothing_is_worth_something() -> None:
    rules = Rules(utility=redblack.utilities.log(wealth=1))
    position = Position(redblack.solve(0, 2, rules=rules)).play("black").play("stop")
    assert position.gain == 0


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match=r"solution must be what redblack\.solve ret"):
        Position((26, 26))  # type: ignore[arg-type]
    solution = redblack.solve(2, 2)
    with pytest.raises(ValueError, match="good must be one of 'red', 'black', got 'b"):
        Position(solution, good="blue")  # type: ignore[arg-type]
    position = Position(solution)
    with pytest.raises(ValueError, match=r"move must be one of .*, got 'draw'"):
        position.play("draw")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="has just begun: there is no move to undo"):
        position.undo()
    with pytest.raises(dataclasses.FrozenInstanceError, match="Position is frozen"):
        position.state = None  # type: ignore[misc, assignment]
