"""Matches and laws of the lead by any rules, against solvers of any game."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import play
from cardgames_dp.cardrow import (
    Mixed,
    Rules,
    Turn,
    best_response,
    distribution,
    match,
    solve,
    tournament,
    value,
)

from .oracles import play_out, small
from .test_plans import general, numbers, thumb, thumbs


@given(st.data(), general)
def test_the_law_of_the_lead(data: Any, rules: Rules) -> None:
    cards = data.draw(st.lists(st.integers(-2, 6), min_size=1, max_size=5))
    if rules.players == 2 and data.draw(st.booleans()):
        weights = st.lists(numbers, min_size=len(cards), max_size=len(cards))
        rules = Rules(rules.take, 2, rules.misere, data.draw(weights), rules.tie)
    players = [data.draw(thumbs) for _ in range(rules.players)]
    found = distribution(cards, *players, rules=rules, backend="exact")
    game = rules.game(cards)
    oracle = play.distribution(
        game, [thumb(p, rules, game.worths) for p in players], backend="exact"
    )
    sign = -1 if rules.misere else 1
    if rules.players == 2:
        expected = {sign * x: p for x, p in oracle.returns[0].to_dict().items()}
        assert found.to_dict() == expected
    assert found.probabilities.sum() == 1
    rounded = distribution(cards, *players, rules=rules)
    assert [*map(float, rounded.support)] == [*map(float, found.support)]
    assert rounded.probabilities == pytest.approx(found.probabilities.astype(float))


@given(st.data(), general)
def test_matches_are_games_by_the_rules(data: Any, rules: Rules) -> None:
    cards = data.draw(st.lists(numbers, min_size=1, max_size=7))
    if rules.players == 2 and data.draw(st.booleans()):
        weights = st.lists(numbers, min_size=len(cards), max_size=len(cards))
        rules = Rules(rules.take, 2, rules.misere, data.draw(weights), rules.tie)
    players = [data.draw(thumbs) for _ in range(rules.players)]
    game = match(cards, *players, rules=rules, rng=1)
    turns: list[tuple[str, int]] = []
    before = None
    for taker, right in zip(game.takers.tolist(), game.from_right, strict=True):
        if taker == before:  # the same turn: there are two players at least
            turns[-1] = (turns[-1][0], turns[-1][1] + 1)
        else:
            turns.append(("right" if right else "left", 1))
        before = taker
    assert list(game.sums) == play_out(cards, rules, turns)
    assert sorted(game.positions.tolist()) == [*range(len(cards))]
    oracle = [thumb(p, rules, rules.worths(cards)) for p in players]
    state = rules.game(cards).initial_state()
    for side, count in turns:  # each turn is one that its player may take
        told = oracle[state.player](state)
        turn = Turn(side, count)  # type: ignore[arg-type]
        assert turn in told if isinstance(told, dict) else turn == told
        state = rules.game(cards).next_state(state, turn)
    assert state.sums == game.sums


@given(st.lists(st.integers(0, 9), min_size=1, max_size=7), general)
def test_optimal_players_end_as_the_table_does(cards: Any, rules: Rules) -> None:
    everybody: list[Any] = ["optimal"] * rules.players
    game = match(cards, *everybody, rules=rules)
    assert game.sums == solve(cards, rules=rules, backend="exact").play().sums
    assert game.lead == value(cards, rules=rules, backend="exact")


@given(st.data(), general)
def test_tournaments_are_matches(data: Any, rules: Rules) -> None:
    if rules.players == 2 and data.draw(st.booleans()):
        rules = Rules(rules.take, 2, rules.misere, [1, 5, 2, "1/2"], rules.tie)
    rows = data.draw(st.lists(st.lists(small, min_size=4, max_size=4), min_size=1))
    names: list[Any] = ["greedy", "larger", "optimal"]
    found = tournament(names, rows, rules=rules)
    for i, first in enumerate(names):
        for j, second in enumerate(names):
            seated = [first, *[second] * (rules.players - 1)]
            games = [match(row, *seated, rules=rules) for row in rows]
            leads = [game.lead for game in games]
            assert found.mean_lead[i, j] == pytest.approx(float(sum(leads) / len(rows)))
            sign = -1 if rules.misere else 1
            assert found.wins[i, j] == sum(sign * lead > 0 for lead in leads)
            assert found.draws[i, j] == leads.count(0)
            assert found.wins[i, j] == [g.winner for g in games].count("first")


def test_winners_and_words() -> None:
    three = Rules(players=3)
    all_three: list[Any] = ["larger"] * 3
    game = match([1, 9, 5, 2], *all_three, rules=three)
    assert (game.sums, game.winner, game.lead) == ((3, 5, 9), "third", -6)
    assert str(game) == ("4 cards: larger, who started, took 3, larger 5 and larger 9.")
    least = match([1, 9, 5, 2], *all_three, rules=Rules(players=3, misere=True))
    assert (least.winner, least.lead) == ("first", -2)
    assert match([1, 1, 1], *all_three, rules=three).winner == "draw"
    assert game.takers.tolist() == [0, 1, 2, 0]
    assert game.to_dict()["takers"] == [0, 1, 2, 0]


def test_callables_may_return_turns_and_mappings() -> None:
    two = Rules(take=2)

    def both(_cards: Any, left: int, right: int) -> Any:
        return Turn("left", min(2, right - left + 1))

    def either(_cards: Any, _left: int, right: int) -> Any:
        return {Turn("left"): 3, "right": 1} if right else "left"

    assert match([1, 2, 3, 4], both, both, rules=two).sums == (3, 7)

    def mostly(_cards: Any, _left: int, right: int) -> Any:
        return Fraction(3, 4) if right else 1

    for policy in (either, mostly):
        law = distribution([1, 2, 4], policy, both, rules=two, backend="exact")
        assert law.to_dict() == {-5: Fraction(3, 4), 1: Fraction(1, 4)}


@pytest.mark.slow
def test_drawn_turns_come_as_often_as_they_should() -> None:
    two, row = Rules(take=2), [3, 1, 4, 1]
    uneven = Mixed({"larger": 3, "random": 1})
    law = distribution(row, uneven, "greedy", rules=two)
    source = np.random.default_rng(3)
    games = 1000
    leads = [
        match(row, uneven, "greedy", rules=two, rng=source).lead for _ in range(games)
    ]
    count = Counter(leads)
    assert {*count} <= {*law.support.tolist()}
    assert len({round(p, 6) for p in law.probabilities.tolist()}) > 1
    for lead, p in law.to_dict().items():
        assert abs(count[lead] / games - p) < 5 * (p * (1 - p) / games) ** 0.5 + 1e-9


@pytest.mark.parametrize("goal", ["lead", "win"])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_plans_are_played_and_have_laws(goal: Any, seat: int) -> None:
    rules = Rules(players=3, take=2)
    row = [2, 7, 5, 3, 8, 1, 4]
    others: list[Any] = ["random", "greedy"]
    plan = best_response(
        row, others, rules=rules, goal=goal, seat=seat, backend="exact"
    )
    players: list[Any] = [plan, *others]
    players = players[-seat:] + players[:-seat] if seat else players
    law = distribution(row, *players, rules=rules, backend="exact")
    if seat == 0:
        assert plan.win == sum(p for x, p in law.to_dict().items() if x > 0)
        assert plan.draw == law.to_dict().get(0, 0)
    games = [match(row, *players, rules=rules, rng=seed) for seed in range(40)]
    assert all(sum(game.sums) == sum(row) for game in games)
    with pytest.raises(ValueError, match="must be made for this row and these rules"):
        match(row[::-1], *players, rules=rules)
    with pytest.raises(ValueError, match="must be in seat"):
        distribution(row, *players[1:], players[0], rules=rules)


def test_a_plan_by_the_classic_rules() -> None:
    row = [5, 2, 9, 12, 10, 11, 4, 4]
    for goal, opponent in product(["lead", "win"], ["random", "greedy"]):
        kind: Any = goal
        policy: Any = opponent
        plan = best_response(row, policy, goal=kind, seat="second", backend="exact")
        law = distribution(row, policy, plan, backend="exact")
        assert -law.mean == plan.lead
        assert law.loss_probability == plan.win
        assert match(row, policy, plan, rng=1).lead in law.support


def nothing(_cards: Any, _left: int, _right: int) -> Any:
    return {}


def more_than_certain(_cards: Any, _left: int, _right: int) -> Any:
    return 2


def test_refusals() -> None:
    with pytest.raises(TypeError, match="a player for each of 2 seats, got 3"):
        match([1, 2], "larger", "larger", "larger")
    with pytest.raises(TypeError, match="a player for each of 3 seats, got 2"):
        distribution([1, 2], "larger", "larger", rules=Rules(players=3))
    with pytest.raises(ValueError, match="second must be"):
        distribution([1, 2], "larger", "largest")  # type: ignore[call-overload]
    for policy in (nothing, more_than_certain):
        with pytest.raises(ValueError, match="must return 'left', 'right' or"):
            distribution([1, 2], policy, "larger")
    with pytest.raises(ValueError, match="up to"):
        distribution([3**k for k in range(80)], "random", "random")
