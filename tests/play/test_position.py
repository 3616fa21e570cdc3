"""Games in progress, of any game: walked to their ends, and held against solutions."""

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import diagonal, exact, play, redblack
from cardgames_dp.game import CHANCE, Solution

from ..written import Cards, games

GAME = redblack.Rules().game(2, 2)
START = play.Position(exact.solve(GAME))


@given(game=games(max_players=3), seed=st.integers(0, 2**32))
def test_a_game_is_played_to_its_end(game: Any, seed: int) -> None:
    """Each move as the game's own methods say, and back again."""
    rng = np.random.default_rng(seed)
    solution = exact.solve(game)
    here = play.Position(solution)
    states = [here.state]
    while not here.over:
        assert here.returns is None
        assert here.player == game.current_player(here.state)
        assert here.value == solution.values[here.state]
        if here.player == CHANCE:
            follow = [s for w, s in game.chance_outcomes(here.state) if w]
            assert {*here.outcomes} == {*follow}
            assert here.actions == ()
            move: Any = here.outcomes[int(rng.integers(len(here.outcomes)))]
            after = move
        else:
            assert here.outcomes == ()
            assert list(here.actions) == list(game.legal_actions(here.state))
            assert here.advice() == solution.advice(here.state)
            move = here.actions[int(rng.integers(len(here.actions)))]
            after = game.next_state(here.state, move)
        here = here.play(move)
        assert here.state == after
        assert here.history[-1] == move
        states.append(after)
    assert list(here.returns or ()) == list(game.returns(here.state))
    assert pickle.loads(pickle.dumps(here)) == here
    for state in reversed(states[:-1]):
        here = here.undo()
        assert here.state == state
    assert here == play.Position(solution)


def test_advice_follows_a_response() -> None:
    on = dict.fromkeys(exact.solve(GAME).policy, "draw")
    response = play.best_response(GAME, on, 0, backend="exact")
    here = play.Position(response)
    while not here.over:
        here = here.play(here.advice().action if here.actions else here.outcomes[-1])
    assert list(here.returns or ()) == list(GAME.returns(here.state))
    assert "over=True" in repr(here)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: play.Position(3), TypeError, "solution must be what exact.solve"),  # type: ignore[arg-type]
        (
            lambda: play.Position(diagonal.solve(Cards(2, 2))),  # type: ignore[arg-type]
            TypeError,
            "of a game written for states, got ArraySolution",
        ),
        (
            lambda: play.Position(Solution("a", "first", {"a": (0,)}, {}, {})),
            ValueError,
            "solution must know the game",
        ),
        (lambda: START.play("stay"), ValueError, r"move must be one of \('stop', 'dr"),
        (lambda: START.play([]), ValueError, r"move must be one of .*, got \[\]"),
        (lambda: START.play("draw").play("draw"), ValueError, r"move must be one of"),
        (lambda: START.play("draw").advice(), ValueError, "^chance moves, so there"),
        (lambda: START.play("stop").advice(), ValueError, "^the game is over, so the"),
        (lambda: START.play("stop").play(1), ValueError, "^the game is over, so noth"),
        (START.undo, ValueError, "there is no move to undo"),
    ],
)
def test_refusals(call: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        call()
