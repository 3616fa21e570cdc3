"""What holds under all rules, and what one might think does."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact, pairs
from cardgames_dp.pairs._kernels.game import PairsGame

from .strategies import small_rules

no_essay = st.sampled_from(["round", "exhausted"])
two = st.just(2)


@given(small_rules(reshuffle=no_essay))
def test_chances_add_up(rules: pairs.Rules) -> None:
    """In every position, for one player loses."""
    solution = pairs.solve(rules)
    for scores in np.ndindex((rules.target,) * rules.players):
        table = solution.round(scores)
        for chances in (
            table.values,
            table.hit[table.can_hit],
            table.fold[table.can_fold],
        ):
            assert chances.sum(axis=1) == pytest.approx(rules.players - 1, abs=1e-13)
            assert (chances >= -1e-15).all()
            assert (chances <= 1 + 1e-15).all()
        assert not table.hit[~table.can_hit].any()
        assert not table.fold[~table.can_fold].any()


@given(small_rules(reshuffle=st.just("round"), left=4), st.integers(0, 3))
def test_burned_cards_change_nothing(rules: pairs.Rules, burn: int) -> None:
    """Unless the deck may run out: nobody has seen them."""
    burned = pairs.solve(dataclasses.replace(rules, burn=burn))
    assert (burned.table == pairs.solve(rules).table).all()


@pytest.mark.slow
@given(small_rules(reshuffle=st.just("exhausted"), left=5), st.integers(0, 2))
def test_burned_cards_are_kept_back(rules: pairs.Rules, burn: int) -> None:
    """They bring the discards back as early as a limit would."""
    kept = rules.shuffle_limit + burn
    limited = dataclasses.replace(rules, burn=0, shuffle_limit=kept)
    burned = dataclasses.replace(rules, burn=burn)
    assert (pairs.solve(limited).table == pairs.solve(burned).table).all()


@pytest.mark.parametrize("reshuffle", ["round", "exhausted"])
def test_burned_cards_may_run_the_deck_out(reshuffle: Any) -> None:
    rules = pairs.Rules(deck={1: 2, 2: 2}, target=4, reshuffle=reshuffle)
    burned = pairs.solve(dataclasses.replace(rules, burn=1))
    assert burned.value != pairs.solve(rules).value
    if reshuffle == "exhausted":
        limited = dataclasses.replace(rules, shuffle_limit=1)
        assert burned.value != pairs.solve(limited).value


@given(small_rules(), st.data())
def test_points_of_all(rules: pairs.Rules, data: st.DataObject) -> None:
    """That everybody has so many points is as a target lower by so many."""
    points = data.draw(st.integers(0, rules.target - 1))
    lower = dataclasses.replace(rules, target=rules.target - points)
    everybody = pairs.solve(rules).value_at([points] * rules.players)
    assert everybody == pairs.solve(lower).value


@given(small_rules(players=two, reshuffle=no_essay))
def test_points_do_not_help(rules: pairs.Rules) -> None:
    """With two players: who has fewer can play as if they had more."""
    target = rules.target
    table = pairs.solve(rules).table.reshape(-1, target, target, 2)
    assert (np.diff(table[..., 0], axis=1) <= 1e-13).all()
    assert (np.diff(table[..., 1], axis=2) <= 1e-13).all()
    assert (np.diff(table[..., 0], axis=2) >= -1e-13).all()


@pytest.mark.slow
def test_points_may_help_one_of_three() -> None:
    """A third player's threat makes the others play otherwise: exactly so."""
    rules = pairs.Rules(players=3, deck={2: 2, 5: 3}, target=7)
    target = rules.target
    table = pairs.solve(rules).table.reshape(target, target, target, 3)
    gains = np.diff(table[..., 1], axis=1)
    before = np.unravel_index(gains.argmax(), gains.shape)
    after = np.add(before, (0, 1, 0))
    assert gains.max() == pytest.approx(0.020284, abs=1e-9)
    chances = []
    for scores in (before, after):
        start = rules.game().initial_state()._replace(scores=tuple(map(int, scores)))

        class From(PairsGame):
            def initial_state(self, start: pairs.State = start) -> pairs.State:
                return start

        chances.append(exact.solve(From(rules)).value[1])
    assert chances[1] > chances[0]


@pytest.mark.slow
@given(small_rules(), st.integers(2, 4))
def test_points_as_multiples(rules: pairs.Rules, factor: int) -> None:
    ranks_and_counts = zip(rules.ranks, rules.counts, strict=True)
    deck = tuple([(rank * factor, count) for rank, count in ranks_and_counts])
    capacity = tuple(zip([rank for rank, _ in deck], rules.capacities, strict=True))
    target = factor * (rules.target - 1) + 1
    larger = dataclasses.replace(rules, deck=deck, capacity=capacity, target=target)
    usual, scaled = pairs.solve(rules), pairs.solve(larger)
    for scores in np.ndindex((rules.target,) * rules.players):
        times = [factor * points for points in scores]
        assert scaled.value_at(times) == usual.value_at(scores)
        few, many = usual.round(scores), scaled.round(times)
        assert (few.hits == many.hits).all()
        assert (few.values == many.values).all()


@pytest.mark.slow
@given(small_rules(), st.integers(1, 3))
def test_ranks_that_lose_at_once(rules: pairs.Rules, more: int) -> None:
    """How far above the target they are does not matter, in which order does."""
    target = rules.target
    ranks = [rank + more * (rank >= target) for rank in rules.ranks]
    deck = tuple(zip(ranks, rules.counts, strict=True))
    capacity = tuple(zip(ranks, rules.capacities, strict=True))
    higher = dataclasses.replace(rules, deck=deck, capacity=capacity)
    assert (pairs.solve(higher).table == pairs.solve(rules).table).all()


@given(small_rules(players=two, reshuffle=no_essay))
def test_the_tie_rule_between_two(rules: pairs.Rules) -> None:
    """What two players do when it does not matter, does not matter to either."""
    solutions = [
        pairs.solve(dataclasses.replace(rules, tie=tie)) for tie in ("fold", "hit")
    ]
    assert solutions[0].table == pytest.approx(solutions[1].table, abs=1e-13)


def test_the_tie_rule_among_three() -> None:
    """It changes the others' chances, as the Pairs essay does not say."""
    values = [
        pairs.solve(pairs.Rules(players=3, deck={1: 2, 2: 2}, target=3, tie=tie)).value
        for tie in ("fold", "hit")
    ]
    assert abs(values[0][0] - values[1][0]) > 0.04


@given(small_rules())
def test_ties_and_leads(rules: pairs.Rules) -> None:
    """What is told of them is what the rounds show."""
    solution = pairs.solve(rules)
    ties, largest, smallest = 0, 0.0, 1.0
    for scores in np.ndindex((rules.target,) * rules.players):
        table = solution.round(scores)
        gaps = np.abs(table.hit[:, 0] - table.fold[:, 0])
        ties += table.ties.sum()
        largest = max(largest, gaps[table.ties].max(initial=0.0))
        smallest = min(smallest, gaps[table.choice & ~table.ties].min(initial=1.0))
        assert (table.ties <= table.choice).all()
        assert (table.hits[table.ties] == (rules.tie == "hit")).all()
        best = np.maximum(table.hit[:, 0], table.fold[:, 0])[table.choice]
        assert table.values[table.choice, 0] == pytest.approx(best, abs=1e-12)
    assert solution.ties == ties
    assert solution.largest_tie == pytest.approx(largest, abs=1e-15)
    assert solution.smallest_lead == pytest.approx(smallest, abs=1e-14)
    assert solution.doubtful == 0
