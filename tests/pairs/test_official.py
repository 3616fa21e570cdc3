"""The official game, state by state, against games dealt at a table and simulated."""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from cardgames_dp import diagonal, exact, pairs, play
from cardgames_dp._graph.answers import CheckedGame
from cardgames_dp.game import CHANCE

from .tabletop import Tabletop

SMALL = pairs.Rules.official(deck=4, target=2, burn=1)
THREE = pairs.Rules.official(players=3, deck={1: 2, 2: 3, 3: 3}, target=2, burn=0)
BURNED = pairs.Rules.official(deck={1: 2, 2: 3, 3: 2}, target=2, burn=2)

Decide = Callable[[pairs.View], Any]


def by_state(rules: pairs.Rules, decide: Decide) -> Any:
    """Return a policy of views as one of states."""
    game = rules.game()

    def policy(state: pairs.State) -> Any:
        actions = game.legal_actions(state)
        if len(actions) == 1:
            return actions[0]
        seat = state.player
        hands = np.array(state.hands[seat:] + state.hands[:seat])
        scores = np.array(state.scores[seat:] + state.scores[:seat])
        unseen = np.array(state.unseen)[None]
        view = pairs.View(rules, hands[:1], hands[None, 1:], unseen, scores[None])
        return "hit" if np.all(decide(view)) else "fold"

    return policy


@pytest.mark.slow
@pytest.mark.parametrize("rules", [SMALL, THREE, BURNED], ids=["two", "three", "burn"])
def test_as_simulated_and_as_at_a_table(rules: pairs.Rules) -> None:
    """Exact chances of policies, against many games; optimal play is better."""
    policies: list[Any] = [pairs.FoldUpTo(1), pairs.HitBelow("0.3"), pairs.FoldUpTo(2)]
    policies = policies[: rules.players]
    game, solution = rules.game(), diagonal.solve(rules.game())
    profile = [by_state(rules, policy) for policy in policies]
    chances = play.evaluate(game, profile).value
    games = 100_000
    found = pairs.simulate(rules, policies, games=games, rng=7)
    for chance, rate in zip(chances, found.win_rates, strict=True):
        assert abs(rate - chance) < 4.5 * (chance * (1 - chance) / games) ** 0.5
    if rules.players == 2:
        assert play.evaluate(game, [solution, profile[1]]).value[0] >= chances[0]
        assert play.evaluate(game, [profile[0], solution]).value[1] >= chances[1]
    one = by_state(rules, pairs.FoldUpTo(1))
    chance = play.evaluate(game, [one] * rules.players).value[0]
    cards = [rank for rank, count in rules.deck for _ in range(count)]
    rng, games, lost = random.Random(3), 5000, 0
    for _ in range(games):
        table = Tabletop(cards, rules.players, rules.target, rules.burn, rng)
        lost += table.play([lambda at: at.lowest > 1] * rules.players) == 0
    error = (chance * (1 - chance) / games) ** 0.5
    assert abs(1 - lost / games - chance) < 4.5 * error


@pytest.mark.slow
@given(
    st.dictionaries(st.integers(1, 3), st.integers(1, 3), min_size=2),
    *(st.integers(2, 3), st.integers(1, 2), st.integers(0, 2)),
)
def test_every_state_keeps_the_promises(
    deck: dict[int, int], players: int, target: int, burn: int
) -> None:
    """No cycle, no card lost or twice, and the solution is the same in floats."""
    assume(sum(deck.values()) <= 7)
    try:
        rules = pairs.Rules.official(players, deck, target, burn)
    except ValueError:
        assume(False)
        raise
    solution = exact.solve(CheckedGame(rules.game()), max_states=100_000)
    counts = [count for _, count in rules.deck]
    for state, value in solution.values.items():
        gone = np.sum([state.unseen, state.scored, *state.hands], axis=0)
        assert (gone <= counts).all()
        assert np.max(state.hands) <= 1
        points = np.dot(state.scored, [rank for rank, _ in rules.deck])
        assert points == sum(state.scores)
        assert sum(value) == players - 1
    floats = diagonal.solve(rules.game())
    # Of three players, one decides a tie between the others: the error has it.
    assert floats.error < 1e-12 or players == 3
    for found, right in zip(floats.value, solution.value, strict=True):
        assert abs(Fraction(found) - right) <= floats.error


def test_a_deal_that_runs_out_again_and_again() -> None:
    """One player has the 1; a 2 is dealt however often the 1s come first.

    Unseen are two 1s and a 2, and the deck ends with one card burned. Of the three
    orders of the 2 it is burned in one, and then the discards come back.
    """
    game = pairs.Rules.official(deck={1: 4, 2: 2}, target=1, burn=1).game()
    state = pairs.State(
        scores=(0, 0),
        hands=((1, 0), (1, 0)),
        unseen=(2, 1),
        scored=(0, 0),
        player=0,
        dealing=(0, 1),
        dealt=(),
        drawing=True,
    )
    assert game.current_player(state) == CHANCE
    outcomes = game.chance_outcomes(state)
    total = sum(weight for weight, _ in outcomes)
    chances = {after.unseen: Fraction(weight, total) for weight, after in outcomes}
    # The 2 comes at once (1/3); or after a 1 (1/3), which exhausts the deck; or it was
    # burned. Then two 1s and two 2s are shuffled, and a 2 comes first (1/2), after one
    # 1 (1/3), or after both (1/6), which exhausts the deck once more.
    later = Fraction(1, 3) + Fraction(1, 3) * (Fraction(1, 2) + Fraction(1, 6))
    rest = Fraction(2, 3) - later
    assert chances == {(2, 0): Fraction(1, 3), (2, 1): later, (1, 1): rest}
