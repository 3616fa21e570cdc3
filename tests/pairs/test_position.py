"""A game in progress knows what the exact backend knows of each state."""

import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from cardgames_dp import exact, pairs
from cardgames_dp.game import CHANCE
from cardgames_dp.pairs import Position, Rules

from .strategies import small_rules


def moves(position: Position) -> list[Any]:
    """Return the moves that are allowed, by trying what could be one."""
    ranks, found = position.rules.ranks, []
    tried: list[Any] = ["fold", *ranks, *((a, b) for a in ranks for b in ranks)]
    for move in tried:
        try:
            position.play(move)
        except (TypeError, ValueError):
            continue
        found.append(move)
    return found


ODD = [
    Rules(deck={1: 2, 2: 2, 3: 1}, target=4, deal=1, first="lowest"),
    Rules(2, {1: 2, 2: 3}, 4, "exhausted", 1, "lowest"),
    Rules(deck={1: 1, 2: 2}, target=3, players=3),
    Rules(deck={1: 2, 2: 3}, target=4, reshuffle="essay"),
    Rules(deck={1: 2, 2: 3}, target=4, reshuffle="exhausted", burn=1),
]


@settings(max_examples=25)
@given(small_rules(players=st.just(2)) | st.sampled_from(ODD), st.integers(0, 2**16))
def test_every_move_is_followed(rules: Rules, seed: int) -> None:
    """Play a game at random; the oracle knows the answers, and the next states."""
    game, rng = rules.game(), random.Random(seed)
    oracle = exact.solve(game, max_states=200_000)
    position, history = Position(pairs.solve(rules)), []
    while not position.over:
        state = position.state
        values = [float(value) for value in oracle.payoffs_at(state)]
        assert position.values == pytest.approx(values, abs=1e-12)
        assert position.value == position.values[position.player]
        following = set()
        if position.dealing:
            assert game.current_player(state) == CHANCE
            following = {after for _, after in game.chance_outcomes(state)}
        else:
            advice = position.advice()
            assert {*advice.best} == {*oracle.optimal_actions[state]}
            for action in game.legal_actions(state):
                after = game.next_state(state, action)
                if action == "fold":
                    following.add(after)
                else:
                    following |= {card for _, card in game.chance_outcomes(after)}
        allowed = moves(position)
        assert {position.play(move).state for move in allowed} == following
        history.append(rng.choice(allowed))
        before, position = position, position.play(history[-1])
        if isinstance(history[-1], tuple):  # dealt from the player on
            seats = [(before.player + i) % 2 for i in range(2)]
            assert tuple(position.hands[seat][0] for seat in seats) == history[-1]
    assert position.history == tuple(history)
    assert position.values == tuple(map(float, game.returns(position.state)))
    assert pickle.loads(pickle.dumps(position)) == position


def test_a_game_can_begin_with_points() -> None:
    solution = pairs.solve(Rules(deck=3, target=4))
    position = Position(solution, scores=[3, 1])
    assert position.state.scores == (3, 1)
    assert position.values == solution.value_at([3, 1])
    assert position.play(3).play(2).play(3).state.scores == (6, 1)
