"""The float64 solver against the exact backend, in every position of small games."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from cardgames_dp import exact, pairs

from .strategies import small_rules


def in_rounds(solution: pairs.Solution) -> dict[Any, dict[Any, list[Any]]]:
    """Return what is known of each position, by the scores of its round."""
    rules = solution.rules
    known = {}
    for scores in np.ndindex((rules.target,) * rules.players):
        table = solution.round(scores)
        known[scores] = {
            (hands.tobytes(), unseen.astype(np.int64).tobytes()): row
            for hands, unseen, *row in zip(
                table.hands,
                table.unseen,
                table.values,
                table.hits,
                table.ties,
                table.can_hit,
                table.can_fold,
                strict=True,
            )
        }
    return known


def agrees(rules: pairs.Rules) -> int:
    """Compare every state that the oracle visits; return how many decisions."""
    game = rules.game()
    oracle = exact.solve(game, max_states=200_000)
    solution = pairs.solve(rules)
    assert solution.value == pytest.approx([float(x) for x in oracle.value], abs=1e-13)
    known, n, decisions = in_rounds(solution), rules.players, 0
    for state, best in oracle.optimal_actions.items():
        in_hands = sum(map(sum, state.hands))
        leader = (state.player - in_hands) % n
        scores = tuple(np.roll(state.scores, -leader).tolist())
        hands = np.roll(np.array(state.hands, np.int8), -state.player, axis=0)
        unseen = np.array(state.unseen, np.int64)
        values, hits, tie, can_hit, can_fold = known[scores][
            hands.tobytes(), unseen.tobytes()
        ]
        expected = np.roll([float(x) for x in oracle.values[state]], -state.player)
        assert values == pytest.approx(expected, abs=1e-13)
        assert bool(tie) == (len(best) == 2)
        allowed = game.legal_actions(state)
        assert (can_fold, can_hit) == ("fold" in allowed, "hit" in allowed)
        assert ("hit" if hits else "fold") == oracle.policy[state]
        decisions += 1
    return decisions


@pytest.mark.slow
@given(small_rules())
def test_every_position(rules: pairs.Rules) -> None:
    assert agrees(rules) > 0


def test_mapping() -> None:
    rules = pairs.Rules(deck=3, target=5)
    assert exact.solve(rules.game()).value[0] == Fraction(27261969263, 60750000000)
