"""The official game, state by state, against games dealt at a table and simulated."""

import random
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from cardgames_dp import diagonal, exact, pairs
from cardgames_dp.game import CHANCE
from cardgames_dp.pairs import Rules

from . import oracles
from .tabletop import Decide, Tabletop

KINDS = {
    "two": Rules.official(deck=4, target=3, burn=1),
    "ties": Rules.official(deck={1: 3, 2: 2, 4: 1}, target=3, burn=1),
    "burned": Rules.official(deck={1: 2, 2: 3, 3: 2}, target=2, burn=2),
    "three": Rules.official(players=3, deck={1: 2, 2: 3, 3: 3}, target=2, burn=0),
    "crowded": Rules.official(4, {1: 2, 2: 3, 3: 2}, target=2, burn=1),
}


class Style(NamedTuple):
    """The same player in three dialects: of views, of states, of the table."""

    policy: Any
    play: oracles.Play
    at_table: Decide


def behind(view: pairs.View) -> Any:
    more = view.scores[:, 0] > view.scores[:, 1]
    return more[None, :] | (view.lowest > 1)[:, None]


def is_behind(rules: Rules, state: pairs.State) -> bool:
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
    found = pairs.simulate(
        rules, [style.policy for style in styles], games=games, rng=7
    )
    cards = [rank for rank, count in rules.deck for _ in range(count)]
    source, lost, counted = random.Random(kind), np.zeros(n), []
    for _ in range(tables):
        table = Tabletop(cards, n, rules.target, rules.burn, source)
        lost[table.play([style.at_table for style in styles])] += 1
        counted.append((table.choices, table.hits, table.pairs))
    for seat, chance in enumerate(chances):
        error = 4.5 * (chance * (1 - chance)) ** 0.5 + 1e-9
        assert abs(found.win_rates[seat] - chance) < error / games**0.5
        assert abs(1 - lost[seat] / tables - chance) < error / tables**0.5
    deviations = np.std(counted, axis=0)
    for at, name in enumerate(("choices", "hits", "pairs")):
        mean, error = float(usual[name]), 4.5 * deviations[at] + 1e-9
        assert abs(getattr(found, name).sum() / games - mean) < error / games**0.5
        assert abs(np.mean(counted, axis=0)[at] - mean) < error / tables**0.5
    if n == 2:
        alone = [oracles.value(rules, {1 - seat: plays[1 - seat]}) for seat in (0, 1)]
        assert all(alone[seat][seat] >= chances[seat] for seat in (0, 1))


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
        rules = Rules.official(players, deck, target, burn)
    except ValueError:
        assume(False)
        raise
    solution = exact.solve(rules.game(), max_states=100_000)
    counts = [count for _, count in rules.deck]
    for state in solution.values:
        gone = np.sum([state.unseen, state.scored, *state.hands], axis=0)
        assert (gone <= counts).all()
        assert np.max(state.hands) <= 1
        points = np.dot(state.scored, [rank for rank, _ in rules.deck])
        assert points == sum(state.scores)
        assert sum(solution.payoffs_at(state)) == players - 1
    floats = diagonal.solve(rules.game())
    # Of three players, one decides a tie between the others: the error has it.
    assert floats.error < 1e-12 or players == 3
    for found, right in zip(floats.payoffs, solution.payoffs, strict=True):
        assert abs(Fraction(found) - right) <= floats.error


def test_a_deal_that_runs_out_again_and_again() -> None:
    """One player has the 1; a 2 is dealt however often the 1s come first.

    Unseen are two 1s and a 2, and the deck ends with one card burned. Of the three
    orders of the 2 it is burned in one, and then the discards come back.
    """
    game = Rules.official(deck={1: 4, 2: 2}, target=1, burn=1).game()
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
