"""A game in progress knows what the exact backend knows of each state."""

import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from cardgames_dp import CHANCE, exact, pairs
from cardgames_dp.pairs import Position, Rules

from .strategies import small_rules

LITTLE = pairs.solve(Rules(deck=3, target=4))


def moves(position: Position) -> list[Any]:
    """Return the moves that are allowed, by trying what could be one."""
    ranks = position.rules.ranks
    tried: list[Any] = ["fold", *ranks]
    tried += [(one, other) for one in ranks for other in ranks]
    found = []
    for move in tried:
        try:
            position.play(move)
        except (TypeError, ValueError):
            continue
        found.append(move)
    return found


def follows(rules: Rules, rng: random.Random) -> None:
    """Play a game at random; the oracle knows the answers, and the next states."""
    game = rules.game()
    oracle = exact.solve(game, max_states=200_000)
    position = Position(pairs.solve(rules))
    history = []
    while not position.over:
        state = position.state
        values = [float(value) for value in oracle.values[state]]
        assert position.values == pytest.approx(values, abs=1e-12)
        assert position.value == position.values[position.player]
        following = set()
        if position.dealing:
            assert game.current_player(state) == CHANCE
            following = {after for _, after in game.chance_outcomes(state)}
        else:
            advice = position.advice()
            assert set(advice.best) == set(oracle.optimal_actions[state])
            for action in game.legal_actions(state):
                after = game.next_state(state, action)
                if action == "fold":
                    following.add(after)
                else:
                    following |= {card for _, card in game.chance_outcomes(after)}
        allowed = moves(position)
        assert {position.play(move).state for move in allowed} == following
        history.append(rng.choice(allowed))
        position = position.play(history[-1])
    assert position.history == tuple(history)
    assert position.values == tuple(map(float, game.returns(position.state)))
    assert pickle.loads(pickle.dumps(position)) == position
    with pytest.raises(ValueError, match="game is over, so 1 cannot be played"):
        position.play(1)
    with pytest.raises(ValueError, match=r"game is over.* no action to advise"):
        position.advice()


@settings(max_examples=25)
@given(rules=small_rules(), seed=st.integers(0, 2**16))
def test_every_move_is_followed(rules: Rules, seed: int) -> None:
    if rules.players == 2:
        follows(rules, random.Random(seed))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "rules",
    [
        Rules(deck={1: 2, 2: 2, 3: 1}, target=4, deal=1),
        Rules(deck={1: 2, 2: 2, 3: 1}, target=4, deal=1, first="lowest"),
        Rules(
            deck={1: 2, 2: 3},
            target=4,
            deal=1,
            first="lowest",
            reshuffle="exhausted",
        ),
        Rules(deck={1: 1, 2: 2}, target=3, players=3),
        Rules(deck={1: 2, 2: 3}, target=4, reshuffle="essay"),
        Rules(deck={1: 2, 2: 3}, target=4, reshuffle="exhausted", burn=1),
    ],
)
def test_every_rule_set_is_followed(rules: Rules, seed: int) -> None:
    follows(rules, random.Random(seed))


def test_a_game_can_begin_with_points() -> None:
    position = Position(LITTLE, scores=[3, 1])
    assert position.scores == (3, 1)
    assert position.values == LITTLE.value_at([3, 1])
    assert position.play(3).play(2).play(3).scores == (6, 1)
    assert repr(position.play(2)) == (
        "Position(scores=(3, 1), hands=((2,), ()), player=1, over=False)"
    )


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match=r"solution must be a result of pairs\.solve"):
        Position(Rules())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="scores must hold an integer from 0 to 3"):
        Position(LITTLE, scores=[4, 0])
    position = Position(LITTLE)
    with pytest.raises(ValueError, match="nobody can fold here"):
        position.play("fold")
    with pytest.raises(ValueError, match="move must be one of 'fold', got 'hit'"):
        position.play("hit")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="move must be a rank that the cards unseen"):
        position.play(4)
    with pytest.raises(ValueError, match=r"unseen allow, \{1: 0, 2: 2, 3: 3\}, got 1"):
        position.play(1).play(1)
    with pytest.raises(TypeError, match="move must be an integer"):
        position.play((1, 2))
    dealt = Rules(deck={1: 2, 2: 2, 3: 1}, target=4, deal=1, first="lowest")
    position = Position(pairs.solve(dealt))
    with pytest.raises(ValueError, match=r"a card is dealt.* no action to advise"):
        position.advice()
    with pytest.raises(ValueError, match="nobody can fold here"):
        position.play("fold")
    with pytest.raises(ValueError, match="move must be the rank dealt to each of 2"):
        position.play((1, 2, 3))
    with pytest.raises(ValueError, match="move must be a deal that the cards unseen"):
        position.play((2, 2))
    with pytest.raises(ValueError, match="move must be a deal that the cards unseen"):
        position.play((2, 7))
