"""A game in progress knows what the exact backend knows of each state."""

import pickle
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardgames_dp import exact, game, pairs, play
from cardgames_dp.game import CHANCE
from cardgames_dp.pairs import Rules

from .strategies import small_rules

ODD = [
    Rules(deck={1: 2, 2: 2, 3: 1}, target=4, deal=1, first="lowest"),
    Rules(2, {1: 2, 2: 3}, 4, "exhausted", 1, "lowest"),
    Rules(deck={1: 1, 2: 2}, target=3, players=3),
    Rules(deck={1: 2, 2: 3}, target=4, reshuffle="essay"),
    Rules(deck={1: 2, 2: 3}, target=4, reshuffle="exhausted", burn=1),
]


@settings(max_examples=10)
@given(small_rules(players=st.just(2)) | st.sampled_from(ODD), st.integers(0, 2**16))
def test_every_move_is_followed(rules: Rules, seed: int) -> None:
    """Play a game at random; the oracle knows the answers, and the next states."""
    rng, names = random.Random(seed), pairs.game(rules).names
    oracle = exact.solve(game.explore(pairs.game(rules)))
    position, history = play.Position(pairs.solve(rules)), []
    assert names.outcome is not None
    while not position.over:
        state = position.state
        values = [float(value) for value in oracle.payoffs_at(state)]
        assert position.payoffs == pytest.approx(values, abs=1e-12)
        moves: list[Any] = []
        if position.player == CHANCE:
            following = {after for _, after in oracle.explored.chance_outcomes(state)}
            assert {*position.outcomes} == following
            named = [(names.outcome(state, after), after) for after in following]
            for name, after in named:
                assert position.play(name).state == after
            moves = [name for name, _ in named]
        else:
            advice = position.advice()
            assert {*advice.best} == {*oracle.optimal_actions[state]}
            assert position.actions == oracle.explored.legal_actions(state)
            moves = [*position.actions]
            # A card alone is a hit that draws it.
            if "hit" in moves:
                drawing = position.play("hit")
                cards = [names.outcome(drawing.state, x) for x in drawing.outcomes]
                for card in cards:
                    both = position.play(card)
                    assert both == drawing.play(card)
                    assert both.undo() == drawing
        history.append(rng.choice(moves))
        position = position.play(history[-1])
    assert position.history == tuple(history)
    assert position.payoffs == tuple(map(float, oracle.payoffs_at(position.state)))
    assert pickle.loads(pickle.dumps(position)) == position


def test_cards_that_are_not_there_are_refused() -> None:
    rules = Rules(deck=3, target=4)
    position = play.Position(pairs.solve(rules)).play(1)
    for wrong in (1, 4, 0, "card", (1, 2)):
        with pytest.raises(ValueError, match="move must be one of"):
            position.play(wrong)
    with pytest.raises(ValueError, match=r"move must be one of \(2, 3\), got 1"):
        position.play("hit").play(1)
    dealt = Rules(deck={1: 2, 2: 2, 3: 1}, target=4, deal=1, first="lowest")
    begun = play.Position(pairs.solve(dealt))
    after = begun.play((2, 1))
    assert (after.state.player, after.state.hand) == (1, (1, 0, 0))
    with pytest.raises(ValueError, match="move must be one of"):
        begun.play((2, 2))


def test_others_who_follow_policies_are_played_along() -> None:
    """Against a response's opponents, whose actions are outcomes with names."""
    rules = Rules(deck=3, target=4)
    own = pairs.game(rules)
    response = play.best_response(own, [None, "always_hit"], 0)
    position = play.Position(response).play(3)
    assert position.player == CHANCE
    assert len(position.outcomes) == 1
    after = position.play("hit").play(2)
    assert after.state == pairs.state([3], [2], rules=rules)
    assert np.isfinite(after.advice().value)
