"""Errors of a user's own functions get a note that says for what they were called."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cardgames_dp import cardrow, exact, game, pairs, play, plots, redblack

from .games import Cards, RedBlack
from .test_refusals import toy

GAME = RedBlack(2, 2)
NAMED = redblack.game(2, 2)
ARRAYS = Cards(2, 2)


def broken(*_: object, **__: object) -> Any:
    """Raise a KeyError, which says nothing, once it is called."""
    raise KeyError(0)


LITTLE = pairs.Rules(deck=3, target=2)

CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "policy": (
        lambda: play.evaluate(GAME, broken),
        "raised by the policy of player 0 for (2, 2, 'decide')",
    ),
    "policy by names": (
        lambda: play.evaluate(NAMED, broken),
        "raised by the policy of player 0 for State(red=2, black=2, decision='')",
    ),
    "policy by arrays": (
        lambda: play.evaluate(ARRAYS, broken),
        "raised by the policy of player 0 for array([[2, 2, 0]",
    ),
    "simulated policy": (
        lambda: play.simulate(GAME, broken, 3, rng=1),
        "raised by the policy of player 0 for (2, 2, 'decide')",
    ),
    "simulated policy by names": (
        lambda: play.simulate(NAMED, broken, 3, rng=1),
        "raised by the policy of player 0 for State(",
    ),
    "tie_break": (
        lambda: exact.solve(redblack.game(1, 2), tie_break=broken),
        "raised by tie_break for State(red=1, black=2, decision=''), ('stop', 'draw')",
    ),
    "tie_break by states": (
        lambda: exact.solve(RedBlack(1, 2), tie_break=broken),
        "raised by tie_break for (1, 2, 'decide'), ('stop', 'draw')",
    ),
    "returns": (
        lambda: game.explore(GAME).with_returns(broken),
        "raised by returns for (",
    ),
    "rewards": (
        lambda: game.explore(GAME).with_rewards(broken),
        "raised by rewards for (2, 2, 'decide'), 'stop'",
    ),
    "name": (
        lambda: plots.plot_tree(exact.solve(NAMED), name=broken),
        "raised by name for State(red=2, black=2, decision='')",
    ),
    "red/black": (
        lambda: redblack.value(2, 2, policy=broken),
        "raised by the policy of player 0 for State(red=2, black=2, decision='')",
    ),
    "utility": (
        lambda: redblack.value(2, 2, rules=redblack.Rules(utility=broken)),
        "(raised by utility for array([",
    ),
    "row": (
        lambda: cardrow.match([1, 5, 2], broken, "greedy"),
        "raised by player 'broken', who is to move first, for "
        "State(left=0, right=2, player=0)",
    ),
    "decision": (
        lambda: pairs.decision(
            broken, pairs.state([1], [2, 3], rules=LITTLE), rules=LITTLE
        ),
        "raised by policy for State(hand=(1, 0, 0), others=((0, 1, 1),), scores=(0, 0)",
    ),
    "pairs": (
        lambda: play.evaluate(pairs.game(LITTLE), [broken, "optimal"]),
        "raised by policies[0] for State(hand=(",
    ),
}


@pytest.mark.parametrize(("call", "note"), CALLS.values(), ids=CALLS)
def test_what_was_asked_is_noted(call: Callable[[], object], note: str) -> None:
    with pytest.raises(KeyError) as caught:
        call()
    assert any(note in each for each in caught.value.__notes__)


def test_a_message_that_names_the_state_needs_no_note() -> None:
    with pytest.raises(ValueError, match="and has none for State") as caught:
        play.evaluate(NAMED, {})
    assert not hasattr(caught.value, "__notes__")


@pytest.mark.parametrize("text", ["hold", "", "12", b"12", bytearray(b"12")])
@pytest.mark.parametrize(
    "method", ["legal_actions", "rewards", "chance_outcomes", "returns"]
)
def test_a_text_is_no_sequence(method: str, text: Any) -> None:
    """Of its letters, which a game would play with."""
    words = rf"{method}\(.*\) must .*, got .* of type {type(text).__name__}"
    wrong = toy(**{method: text})
    for solve in (exact.solve, game.explore):
        with pytest.raises(TypeError, match=words):
            solve(wrong)
    with pytest.raises(game.GameError, match=words):
        game.check(wrong)


def test_a_word_alone_is_an_action() -> None:
    one = toy(legal_actions=["hold"], next_state=3)
    assert exact.solve(one).policy == {0: "hold"}
    assert game.check(one) is None


@pytest.mark.parametrize("rng", [np.random.RandomState(1), random.Random(1)])
def test_older_generators_are_refused(rng: Any) -> None:
    for call in (
        lambda: play.simulate(NAMED, "optimal", 2, rng=rng),
        lambda: play.simulate(GAME, lambda _: "draw", 2, rng=rng),
        lambda: cardrow.deal(3, 2, rng=rng),
        lambda: game.check(GAME, rng=rng),
    ):
        with pytest.raises(TypeError, match=r"; use numpy\.random\.default_rng\(seed"):
            call()


def test_a_generator_that_spawns_no_others_is_refused() -> None:
    bits = np.random.RandomState(1)._bit_generator
    with pytest.raises(TypeError, match=r"rng must be a .*Generator that can spawn"):
        play.simulate(NAMED, "optimal", 2, rng=np.random.Generator(bits))


def test_long_mappings_print_some_states() -> None:
    solution = exact.solve(redblack.game(26, 26))
    for mapping in (solution.values, solution.policy, solution.optimal_actions):
        text = repr(mapping)
        assert text.count("State(") == 20
        assert text.endswith(f", ...}} (20 of {len(mapping)} states)")
        assert len(text) < 4000
    assert "decision=''): 2.62447..., State(" in repr(solution.values)
    small = exact.solve(redblack.game(1, 1))
    assert repr(small.policy) == repr(dict(small.policy))
