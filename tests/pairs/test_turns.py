"""The game in arrays is the game followed literally, under all rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from cardgames_dp import exact, game, pairs
from cardgames_dp.game import CHANCE
from cardgames_dp.pairs import Rules

from .literal import PairsGame, named
from .strategies import small_rules

OFFICIAL = [
    Rules.official(deck={1: 3, 2: 2, 4: 1}, target=3, burn=1),
    Rules.official(deck={1: 2, 2: 3, 3: 2}, target=2, burn=2),
    Rules.official(players=3, deck={1: 2, 2: 3, 3: 3}, target=2, burn=0),
    Rules.official(4, {1: 2, 2: 3, 3: 2}, target=2, burn=1),
    Rules.official(deck={1: 4, 2: 2}, target=1, burn=1),
]


def same_game(rules: Rules) -> None:
    """Compare all states: who moves, what may be done, what follows, and values."""
    literal, arrays = PairsGame(rules), pairs.game(rules)
    known, result = exact.solve(literal), exact.solve(game.explore(arrays))
    assert result.num_states == known.num_states
    assert result.payoffs == known.payoffs
    states = {named(rules, state): state for state in known.values}
    assert len(states) == known.num_states
    for state, payoffs in result._payoffs.items():
        assert payoffs == known.payoffs_at(states[state])
    assert {s: result.policy[s] for s in result.policy} == {
        named(rules, s): action for s, action in known.policy.items()
    }
    explored = result.explored
    for state, plain in list(states.items())[:50]:
        assert explored.current_player(state) == literal.current_player(plain)
        if literal.current_player(plain) == CHANCE:
            total = sum(weight for weight, _ in literal.chance_outcomes(plain))
            expected: dict[Any, float] = {}
            for weight, after in literal.chance_outcomes(plain):
                key = named(rules, after)
                expected[key] = expected.get(key, 0) + weight / total
            outcomes = explored.chance_outcomes(state)
            total = sum(weight for weight, _ in outcomes)
            actual: dict[Any, float] = {}
            for weight, after in outcomes:
                actual[after] = actual.get(after, 0) + weight / total
            assert actual == pytest.approx(expected)
        elif literal.current_player(plain) >= 0:
            assert list(explored.legal_actions(state)) == literal.legal_actions(plain)


@pytest.mark.slow
@given(small_rules())
def test_every_state(rules: Rules) -> None:
    same_game(rules)


@pytest.mark.parametrize("rules", OFFICIAL, ids=str)
def test_official_rules(rules: Rules) -> None:
    same_game(rules)


@pytest.mark.slow
@given(
    st.dictionaries(st.integers(1, 3), st.integers(1, 3), min_size=2),
    *(st.integers(2, 3), st.integers(1, 2), st.integers(0, 2)),
)
def test_official_rules_of_all_kinds(
    deck: dict[int, int], players: int, target: int, burn: int
) -> None:
    assume(sum(deck.values()) <= 7)
    try:
        rules = Rules.official(players, deck, target, burn)
    except ValueError:
        assume(False)
        raise
    same_game(rules)


@pytest.mark.parametrize(
    "rules",
    [
        Rules(deck=3, target=3),
        Rules(players=3, deck={1: 2, 2: 2}, target=2, deal=1),
        Rules(deck={1: 2, 2: 2, 3: 1}, target=3, deal=1, first="lowest"),
        Rules.official(deck={1: 3, 2: 2, 3: 1}, target=2, burn=1),
    ],
    ids=["round", "deal", "lowest", "official"],
)
def test_outcomes_have_names(rules: Rules) -> None:
    """Cards, or deals, and no two of a state are alike unless the states are."""
    explored, names = game.explore(pairs.game(rules)), pairs.game(rules).names
    assert names.outcome is not None
    for state in explored.named_states(np.arange(explored.num_states)):
        if explored.current_player(state) != CHANCE:
            continue
        outcomes = [after for _, after in explored.chance_outcomes(state)]
        said = [names.outcome(state, after) for after in outcomes]
        assert len(set(said)) == len(said) or rules.reshuffle == "official"
        for name in said:
            cards = sum(map(sum, (state.hand, *state.others)))
            dealt = cards < rules.players * rules.deal or any(state.dealing)
            assert isinstance(name, tuple) == dealt
            cards_of: Any = name if dealt else (name,)
            assert {*cards_of} <= {*rules.ranks}
