"""Games, tournaments and laws of the lead by any rules, against solvers of any game."""

from __future__ import annotations

import math
import pickle
import statistics
import sys
from collections import Counter
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import cardrow, play
from cardgames_dp.cardrow import Rules, State, deal, match, tournament
from cardgames_dp.cardrow.policies import name_of
from cardgames_dp.game import explore

from ..refusals import type_error, value_error
from . import oracles
from .oracles import Slow, games, player

LOST = [4, 4, 6, 6, 12, 9]
MIXED = play.mixture({"larger": 3, "random": 1})


@given(st.data(), games(7))
def test_matches_are_games_by_the_rules(data: Any, game: Any) -> None:
    cards, rules = game
    policies = data.draw(oracles.seated(rules))
    result = match(cards, *policies, rules=rules, rng=1)
    oracle = [player(policy, rules, cards) for policy in policies]
    slow = Slow(cards, rules)
    state, positions = slow.initial_state(), list[int]()
    for turn in result.turns:  # each is one that its player may take
        assert oracle[state.player](state).get(turn)
        some, _, _ = oracles.taken(turn, state.left, state.right)
        cards_taken = [*range(len(cards))[some]]
        positions += cards_taken if "left" in turn else cards_taken[::-1]
        state = slow.next_state(state, turn)
    assert positions == result.positions.tolist()
    assert state.left > state.right
    assert state.sums == result.sums
    best = min(result.sums) if rules.misere else max(result.sums)
    places = [i for i, x in enumerate(result.sums) if x == best]
    seat = ["first", "second", "third"][places[0]] if len(places) == 1 else "draw"
    assert result.winner == seat
    assert match(cards, *policies, rules=rules, rng=1) == result
    assert pickle.loads(pickle.dumps(result)) == result


@given(st.data(), games(4))
def test_the_law_of_the_lead(data: Any, game: Any) -> None:
    """Words and functions of the game are the policies of the slow game."""
    cards, rules = game
    policies = data.draw(oracles.seated(rules))
    row, slow = cardrow.game(cards, rules=rules), Slow(cards, rules)
    oracle: Any = play.distribution(
        slow, [player(p, rules, cards) for p in policies], backend="exact"
    )
    for form in (row, explore(row)):
        law: Any = play.distribution(form, policies, backend="exact")
        assert (law.returns, law.moves) == (oracle.returns, oracle.moves)
    rounded: Any = play.distribution(row, policies)
    for x, y in zip(rounded.returns, law.returns, strict=True):
        assert [*map(float, x.support)] == [*map(float, y.support)]
        assert x.probabilities == pytest.approx(y.probabilities.astype(float))


@given(st.data(), oracles.rules)
def test_tournaments_are_matches(data: Any, rules: Rules) -> None:
    if rules.players == 2 and data.draw(st.booleans()):
        rules = Rules(rules.take, 2, rules.misere, [1, 5, 2, "1/2"], rules.tie)
    sizes = st.just(4) if rules.weights else st.integers(1, 6)
    row = sizes.flatmap(lambda n: st.lists(oracles.small, min_size=n, max_size=n))
    rows = data.draw(st.lists(row, min_size=2, max_size=3))
    names: list[Any] = ["greedy", "larger", "optimal"]
    result = tournament(names, rows, rules=rules)
    assert result.games == len(rows)
    for (i, first), (j, second) in product(enumerate(names), repeat=2):
        seated = [first, *[second] * (rules.players - 1)]
        results = [match(row, *seated, rules=rules) for row in rows]
        leads = [Fraction(game.lead) for game in results]
        wins = [game.winner == "first" for game in results]
        assert result.mean_lead[i, j] == pytest.approx(float(sum(leads) / len(rows)))
        assert result.wins[i, j] == sum(wins)
        assert result.draws[i, j] == leads.count(Fraction(0))
        assert result.losses[i, j] == len(rows) - sum(wins) - leads.count(Fraction(0))
        samples: list[tuple[Any, list[Any]]] = [
            (result.lead_error, leads),
            (result.win_rate_error, [Fraction(win) for win in wins]),
        ]
        for error, sample in samples:
            expected = float(statistics.stdev(sample)) / math.sqrt(len(rows))
            assert error[i, j] == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_players_are_exact() -> None:
    """Large integers do not overflow."""
    big = 2**62
    for cards in ([big, big - 1, -big, big], [10**30, 1, -(10**30), 10**30 + 1]):
        start = Slow(cards, Rules()).initial_state()
        for policy in ("greedy", "greedy_literal", "larger", "optimal"):
            (turn,) = player(policy, Rules(), cards)(start)
            assert match(cards, policy, "larger").turns[0] == turn
    game = match([Fraction(1, 3), 0.5, Fraction(1, 6)], "larger", "larger")
    assert (game.sums, game.winner) == ((Fraction(1, 2), Fraction(1, 2)), "draw")
    short = np.array([250, 7, 251], np.uint8)
    assert match(short, "larger", "larger").sums == (258, 250)


def law_of(cards: Any, *policies: Any, **rules: Any) -> Any:
    row = cardrow.game(cards, **rules)
    law: Any = play.distribution(row, [*policies], backend="exact").returns[0]
    return law.to_dict()


def test_policies_answer_in_many_ways() -> None:
    states: list[State] = []
    answers: list[Any] = [np.str_("left"), {"left": 2}, np.array("left"), "right"]

    def watching(state: State) -> Any:
        states.append(state)
        return answers[len(states) - 1]

    row = (1, Fraction(1, 2), 3, 4, 5)
    game = match(row, watching, watching)
    assert states == [(0, 4, 0), (1, 4, 1), (2, 4, 0), (3, 4, 1)]
    assert game.positions.tolist() == [0, 1, 2, 4, 3]
    assert game.players == ("watching", "watching")
    turns = {(0, 4, 0): "left", State(1, 4, 1): "left", (2, 4, 0): "left"}
    turns[3, 4, 1] = "right"
    assert match(row, turns, turns) == replace(game, players=("mapping", "mapping"))
    solution = cardrow.solve(row)
    assert match(row, solution, solution).sums == match(row).sums

    def both(state: State) -> str:
        return "2 from the left" if state.left < state.right else "left"

    two = Rules(take=2)
    assert match([1, 2, 3, 4], both, both, rules=two).sums == (3, 7)

    def either(state: State) -> Any:
        return {"left": 3, "right": 1} if state.left < state.right else "left"

    law = law_of([1, 2, 4], either, both, rules=two)
    assert law == {-5: Fraction(3, 4), 1: Fraction(1, 4)}


def test_only_the_ratios_of_weights_matter() -> None:
    mixtures = [
        play.mixture({"larger": 6, "random": 2}),
        play.mixture({"larger": Decimal("0.75"), "random": Decimal("0.25")}),
        play.mixture({"larger": 0.75, "random": 0.25}),  # binary fractions
        MIXED,
    ]
    games = [match(range(30), each, MIXED, rng=1) for each in mixtures]
    assert len({game.turns for game in games}) == 1
    laws = [law_of([8, 4, 1, 5], mixtures[i], "random") for i in (0, 1, 3)]
    assert laws[0] == laws[1] == laws[2]
    often = play.mixture({"larger": 4, "random": 1})
    assert law_of([8, 4, 1, 5], often, "random") != laws[0]
    assert name_of(often) == "0.8 larger + 0.2 random"


@pytest.mark.parametrize("whole", [10**8, 2**61 - 1, 2**62, 2**63, 2**64 - 1, 10**30])
def test_shares_of_huge_denominators(whole: int) -> None:
    """Parts of a mixture, their sums and their products with cards exceed 64 bits."""
    share = Fraction(1, whole)

    def law(second: str) -> Any:
        mixture = play.mixture({"larger": share, second: 1 - share})
        return law_of([4, 1], mixture, "larger")

    assert law("smaller") == {3: share, -3: 1 - share}
    assert law("greedy") == {3: 1}
    row = [64, 1, 32, 2, 16, 4]

    def rarely(state: State) -> Any:
        single = state.left == state.right
        return {"left": 1} if single else {"left": 1, "right": whole - 1}

    for opponent in (play.mixture({"larger": share, "smaller": 1 - share}), rarely):
        policies: list[Any] = [player(opponent, Rules(), row), None]
        slow: Any = Slow(row, Rules())
        oracle = play.best_response(slow, policies, 1, backend="exact")
        policies[0], game = opponent, cardrow.game(row)
        response = play.best_response(game, policies, 1, backend="exact")
        assert response.payoffs == oracle.payoffs


def test_parts_of_a_mixture() -> None:
    """One that is never followed may have any weights; none looks at sums."""
    huge = play.mixture({"larger": 1, "smaller": 2**63})
    never = play.mixture([(huge, 0), ("random", 1)])
    assert cardrow.values([[1, 2]], never) == cardrow.values([[1, 2]], "random")
    assert match([1, 2], never, huge, rng=1).sums
    plan = cardrow.best_response([3, 1, 4], "random")
    mixture = play.mixture([(plan, 1)])
    type_error("looks only at the cards left", match, [3, 1, 4], mixture, "random")
    other = cardrow.solve([3, 1, 5]).policy
    for policy in (plan.plan, other):
        value_error("must be made for this row", match, [3, 1, 4], policy, "larger")


def test_chance_is_used_where_there_is_some() -> None:
    generator = np.random.default_rng(1)
    match(LOST, "greedy", play.mixture({"larger": 1}), rng=generator)
    assert generator.random() == np.random.default_rng(1).random()
    row = np.arange(30)
    first, again, other, any_ = (
        match(row, "random", "random", rng=s) for s in (1, 1, 2, None)
    )
    assert first == again != other
    assert any_ != other


@pytest.mark.slow
@pytest.mark.parametrize("rules", [Rules(), Rules(take=2)])
def test_drawn_turns_come_as_often_as_they_should(rules: Rules) -> None:
    """In matches, and in games side by side."""
    row, games = [3, 1, 4, 1, 5], 200
    mixed: Any = [MIXED, "random"]
    law = play.distribution(cardrow.game(row, rules=rules), mixed).returns[0]
    source = np.random.default_rng(3)
    count = Counter(
        match(row, MIXED, "random", rules=rules, rng=source).lead for _ in range(games)
    )
    assert {*count} <= {*law.support.tolist()}
    for lead, p in law.to_dict().items():
        assert abs(count[lead] / games - p) < 5 * (p * (1 - p) / games) ** 0.5 + 1e-9
    many = tournament([MIXED, "random"], [row] * 4000, rules=rules, rng=1)
    assert abs(many.mean_lead[0, 1] - law.mean) < 5 * many.lead_error[0, 1]
    win = sum(p for lead, p in law.to_dict().items() if lead > 0)
    assert abs(many.win_rate[0, 1] - win) < 5 * many.win_rate_error[0, 1]


def leftmost(_cards: Any) -> Any:
    """A player of one's own, whom other processes cannot import."""
    return lambda _state: "left"


def test_a_function_of_the_cards_knows_its_row() -> None:
    def kind(cards: Any) -> Any:
        answers: dict[int, Any] = {2: "larger", 3: play.mixture({"greedy": 1})}
        return answers.get(len(cards)) or {**cardrow.solve(cards).policy}

    rows = [[1, 5], [2, 7, 1], [3, 1, 4, 1]]
    result = tournament([kind, "random"], rows, rng=1)
    rules: list[Any] = ["larger", "greedy", "optimal"]
    leads = [match(x, y, y).lead for x, y in zip(rows, rules, strict=True)]
    assert result.mean_lead[0, 0] == pytest.approx(float(sum(leads)) / 3)
    assert cardrow.values(rows, kind).tolist() == [
        cardrow.values([x], y).item() for x, y in zip(rows, rules, strict=True)
    ]


# As an attribute of the package this name is the function.
CHUNKS = sys.modules["cardgames_dp.cardrow._kernels.row"]
ROWS = [*deal(50, 7, rng=1), *deal(30, 4, rng=2), [Fraction(1, 3), 2, Fraction(5, 7)]]


def test_seeds() -> None:
    players: list[Any] = ["random", MIXED]
    result = tournament(players, ROWS, rng=1)
    generator = np.random.default_rng(1)
    assert tournament(players, iter(ROWS), rng=generator) == result
    assert tournament(players, ROWS, rng=generator) != tournament(players, ROWS)
    one = tournament(players, ROWS[:1])  # of which no deviation is known
    assert np.isnan(one.lead_error).all()


@pytest.mark.slow
def test_executors(executor: Executor, monkeypatch: Any) -> None:
    """Workers draw what one would have drawn."""
    monkeypatch.setattr(CHUNKS, "_CHUNK", 16)
    named: dict[str, Any] = {"r": "random", "mixed": MIXED, "o": "optimal"}
    if isinstance(executor, ThreadPoolExecutor):
        named["mine"] = leftmost
    alone = tournament(named, ROWS, rng=1)
    assert tournament(named, ROWS, rng=1, executor=executor) == alone
