"""The official game, state by state, against games dealt at a table and simulated."""

import random
from collections import Counter
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

from cardgames_dp import diagonal, exact, pairs, play
from cardgames_dp.pairs import Rules

from . import oracles
from .literal import Seated
from .tabletop import Decide, Tabletop

KINDS = {
    "two": Rules.official(deck=4, target=3, burn=1),
    "ties": Rules.official(deck={1: 3, 2: 2, 4: 1}, target=3, burn=1),
    "burned": Rules.official(deck={1: 2, 2: 3, 3: 2}, target=2, burn=2),
    "three": Rules.official(players=3, deck={1: 2, 2: 3, 3: 3}, target=2, burn=0),
    "crowded": Rules.official(4, {1: 2, 2: 3, 3: 2}, target=2, burn=1),
}


class Style(NamedTuple):
    """The same player in three dialects: of states, of literal ones, of the table."""

    policy: Any
    play: oracles.Play
    at_table: Decide


def behind(state: Any) -> Any:
    more = state.scores[:, 0] > state.scores[:, 1]
    ones = state.hand[:, 0] + state.others[:, :, 0].sum(axis=1)
    return np.where(more | (ones == 0), "hit", "fold")


def is_behind(rules: Rules, state: Seated) -> bool:
    own, other = (state.scores[(state.player + i) % rules.players] for i in (0, 1))
    return own > other or oracles.lowest(rules, state) > 1


STYLES = (
    Style(
        behind,
        is_behind,
        lambda at: (
            at.score(at.mover) > at.score((at.mover + 1) % at.players) or at.lowest > 1
        ),
    ),
    Style(
        "fifty_percent",
        oracles.PLAYS["fifty_percent"],
        lambda at: (
            2 * sum(card in at.hands[at.mover] for card in at.deck + at.burned)
            < len(at.deck + at.burned)
        ),
    ),
    Style("always_hit", oracles.PLAYS["always_hit"], lambda at: True),
    Style(
        pairs.FoldUpTo(1),
        lambda rules, state: oracles.lowest(rules, state) > 1,
        lambda at: at.lowest > 1,
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_exact_games_are_those_simulated_and_at_a_table(kind: str) -> None:
    """Chances of winning, and how often something happens; optimal play is better."""
    rules, games, tables = KINDS[kind], 20_000, 1500
    n = rules.players
    styles = STYLES[:n]
    plays = {seat: style.play for seat, style in enumerate(styles)}
    chances, usual = oracles.value(rules, plays), oracles.usual(rules, *plays.values())
    policies = [style.policy for style in styles]
    game = pairs.game(rules)
    found = play.simulate(game, policies, games, rng=7)
    rates = pairs.rates(rules, policies, games=games, rng=7)
    assert rates.payoffs == found.mean
    exactly = play.evaluate(game, policies)
    assert exactly.payoffs == pytest.approx([*map(float, chances)], abs=1e-13)
    cards = [rank for rank, count in rules.deck for _ in range(count)]
    source, lost, counted = random.Random(kind), np.zeros(n), []
    for _ in range(tables):
        table = Tabletop(cards, n, rules.target, rules.burn, source)
        lost[table.play([style.at_table for style in styles])] += 1
        counted.append((table.choices, table.hits, table.pairs))
    for seat, chance in enumerate(chances):
        error = 4.5 * (chance * (1 - chance)) ** 0.5 + 1e-9
        assert abs(found.mean[seat] - chance) < error / games**0.5
        assert abs(1 - lost[seat] / tables - chance) < error / tables**0.5
    deviations = np.std(counted, axis=0)
    for at, name in enumerate(("choices", "hits", "pairs")):
        mean, error = float(usual[name]), 4.5 * deviations[at] + 1e-9
        assert abs(rates.counts[name].sum() - mean) < error / games**0.5
        assert abs(np.mean(counted, axis=0)[at] - mean) < error / tables**0.5
    if n == 2:
        alone = [oracles.value(rules, {1 - seat: plays[1 - seat]}) for seat in (0, 1)]
        assert all(alone[seat][seat] >= chances[seat] for seat in (0, 1))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_state_keeps_the_promises(kind: str) -> None:
    """No card lost or twice, and the solution is the same in floats."""
    rules = KINDS[kind]
    game = pairs.game(rules)
    solution = exact.solve(game)
    counts, ranks = np.array(rules.counts), np.array(rules.ranks)
    for state in solution.values:
        cards = np.array([state.unseen, state.scored, state.hand, *state.others])
        assert (cards.sum(axis=0) <= counts).all()
        assert cards[2:].max() <= 1
        assert ranks @ state.scored == sum(state.scores)
        assert sum(solution.payoffs_at(state)) == rules.players - 1
    floats = diagonal.solve(game)
    # Of three players, one decides a tie between the others: the error has it.
    assert floats.error < 1e-12 or rules.players > 2
    for found, right in zip(floats.payoffs, solution.payoffs, strict=True):
        assert abs(Fraction(found) - right) <= floats.error


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
