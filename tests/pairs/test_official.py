"""The official game, simulated, against the game followed literally."""

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardgames_dp import pairs, play
from cardgames_dp.pairs import Rules

from . import oracles

KINDS = {
    "two": Rules.official(deck=4, target=3, burn=1),
    "ties": Rules.official(deck={1: 3, 2: 2, 4: 1}, target=3, burn=1),
    "burned": Rules.official(deck={1: 2, 2: 3, 3: 2}, target=2, burn=2),
    "three": Rules.official(players=3, deck={1: 2, 2: 3, 3: 3}, target=2, burn=0),
    "crowded": Rules.official(4, {1: 2, 2: 3, 3: 2}, target=2, burn=1),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_rates_of_simulated_games(kind: str) -> None:
    """Chances of winning, and how often something happens."""
    rules, games = KINDS[kind], 20_000
    names = ["expected_points", "fifty_percent", "always_hit", "never_hit"]
    policies: Any = names[: rules.players]
    plays = [oracles.PLAYS[name] for name in policies]
    chances, usual = (
        oracles.value(rules, dict(enumerate(plays))),
        oracles.usual(rules, *plays),
    )
    exactly = play.evaluate(pairs.game(rules), policies)
    assert exactly.payoffs == pytest.approx(chances, abs=1e-13)
    rates = pairs.rates(rules, policies, games=games, rng=7)
    for share, chance in zip(rates.payoffs, chances, strict=True):
        assert abs(share - chance) < 4.5 * (chance * (1 - chance) / games) ** 0.5 + 1e-9
    for name, counts in rates.counts.items():
        mean = float(usual[name])
        # A game has a few of them, and their number varies less than a Poisson law's.
        assert abs(counts.sum() - mean) < 4.5 * (mean / games) ** 0.5 + 1e-9


def test_a_deal_that_runs_out_again_and_again() -> None:
    """One player has the 1; a 2 is dealt however often the 1s come first.

    Unseen are two 1s and a 2, and the deck ends with one card burned. Of the three
    orders of the 2 it is burned in one, and then the discards come back.
    """
    rules = Rules.official(deck={1: 4, 2: 2}, target=1, burn=1)
    game = pairs.game(rules)
    state = pairs.State(
        *((1, 0), ((1, 0),), (0, 0), (2, 1), 0, True),
        *((0, 0), (1, 1), (0, 0)),
    )
    rows = game.names.row_of(state)[np.newaxis]
    _, weights, after = game.chance_outcomes(rows)
    states = map(game.names.state_of, after)
    total = int(weights.sum())
    chances: Counter[tuple[int, ...]] = Counter()
    for weight, each in zip(weights, states, strict=True):
        chances[each.unseen] += Fraction(int(weight), total)  # type: ignore[assignment]
    # The 2 comes at once (1/3); or after a 1 (1/3), which exhausts the deck; or it was
    # burned. Then two 1s and two 2s are shuffled, and a 2 comes first (1/2), after one
    # 1 (1/3), or after both (1/6), which exhausts the deck once more.
    later = Fraction(1, 3) + Fraction(1, 3) * (Fraction(1, 2) + Fraction(1, 6))
    rest = Fraction(2, 3) - later
    assert chances == {(2, 0): Fraction(1, 3), (2, 1): later, (1, 1): rest}
