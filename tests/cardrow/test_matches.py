"""Games, tournaments and laws of the lead by any rules, against solvers of any game."""

from __future__ import annotations

import math
import pickle
import statistics
import sys
from collections import Counter
from concurrent.futures import Executor, ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import cardrow, play
from cardgames_dp.cardrow import (
    Rules,
    Turn,
    deal,
    distribution,
    match,
    tournament,
)
from cardgames_dp.cardrow.policies import name_of

from . import oracles
from .oracles import games, play_out, player

LOST = [4, 4, 6, 6, 12, 9]
MIXED = {"larger": 3, "random": 1}


@given(st.data(), games(7))
def test_matches_are_games_by_the_rules(data: Any, game: Any) -> None:
    cards, rules = game
    policies = data.draw(oracles.seated(rules))
    found = match(cards, *policies, rules=rules, rng=1)
    turns: list[tuple[str, int]] = []
    before = None
    for taker, right in zip(found.takers.tolist(), found.from_right, strict=True):
        if taker == before:  # the same turn: there are two players at least
            turns[-1] = (turns[-1][0], turns[-1][1] + 1)
        else:
            turns.append(("right" if right else "left", 1))
        before = taker
    assert [*found.sums] == play_out(cards, rules, turns)
    assert list(found.turns) == turns
    assert sorted(found.positions.tolist()) == [*range(len(cards))]
    oracle = [player(policy, rules, cards) for policy in policies]
    state = rules.game(cards).initial_state()
    for side, count in turns:  # each turn is one that its player may take
        turn = Turn(side, count)  # type: ignore[arg-type]
        assert oracle[state.player](state).get(turn)
        state = rules.game(cards).next_state(state, turn)
    assert state.sums == found.sums
    best = min(found.sums) if rules.misere else max(found.sums)
    places = [i for i, x in enumerate(found.sums) if x == best]
    seat = ["first", "second", "third"][places[0]] if len(places) == 1 else "draw"
    assert found.winner == seat
    assert match(cards, *policies, rules=rules, rng=1) == found
    assert pickle.loads(pickle.dumps(found)) == found


@given(st.data(), games(4))
def test_the_law_of_the_lead(data: Any, game: Any) -> None:
    cards, rules = game
    policies = data.draw(oracles.seated(rules))
    found = distribution(cards, *policies, rules=rules, backend="exact")
    oracle = play.distribution(
        rules.game(cards), [player(p, rules, cards) for p in policies], backend="exact"
    )
    known = [player(p, rules, cards) if callable(p) else p for p in policies]
    forms: list[Any] = [rules.game(cards)]
    forms += [] if any(map(callable, known)) else [rules.arrays(cards)]
    for form in forms:  # where words are policies as well
        law = play.distribution(form, known, backend="exact")
        assert (law.returns, law.moves) == (oracle.returns, oracle.moves)
    sign = -1 if rules.misere else 1
    if rules.players == 2:
        expected = {sign * x: p for x, p in oracle.returns[0].to_dict().items()}
        assert found.to_dict() == expected
    assert found.probabilities.sum() == 1
    rounded = distribution(cards, *policies, rules=rules)
    assert [*map(float, rounded.support)] == [*map(float, found.support)]
    assert rounded.probabilities == pytest.approx(found.probabilities.astype(float))


@given(st.data(), oracles.rules)
def test_tournaments_are_matches(data: Any, rules: Rules) -> None:
    if rules.players == 2 and data.draw(st.booleans()):
        rules = Rules(rules.take, 2, rules.misere, [1, 5, 2, "1/2"], rules.tie)
    sizes = st.just(4) if rules.weights else st.integers(1, 6)
    row = sizes.flatmap(lambda n: st.lists(oracles.small, min_size=n, max_size=n))
    rows = data.draw(st.lists(row, min_size=2, max_size=3))
    names: list[Any] = ["greedy", "larger", "optimal"]
    found = tournament(names, rows, rules=rules)
    assert found.games == len(rows)
    for (i, first), (j, second) in product(enumerate(names), repeat=2):
        seated = [first, *[second] * (rules.players - 1)]
        results = [match(row, *seated, rules=rules) for row in rows]
        leads = [Fraction(game.lead) for game in results]
        wins = [game.winner == "first" for game in results]
        assert found.mean_lead[i, j] == pytest.approx(float(sum(leads) / len(rows)))
        assert found.wins[i, j] == sum(wins)
        assert found.draws[i, j] == leads.count(Fraction(0))
        assert found.losses[i, j] == len(rows) - sum(wins) - leads.count(Fraction(0))
        samples: list[tuple[Any, list[Any]]] = [
            (found.lead_error, leads),
            (found.win_rate_error, [Fraction(win) for win in wins]),
        ]
        for error, sample in samples:
            wanted = float(statistics.stdev(sample)) / math.sqrt(len(rows))
            assert error[i, j] == pytest.approx(wanted, rel=1e-12, abs=1e-15)


def test_players_are_exact() -> None:
    """Tenths tie as they should, and large integers do not overflow."""
    wrong = 0
    for row in product(range(1, 5), repeat=4):
        a, b, c, d = (x / 10 for x in row)
        tenths = [Decimal(x) / 10 for x in row]
        goes_left = match(tenths, "greedy", "larger").positions[0] == 0
        assert goes_left == (match(row, "greedy", "larger").positions[0] == 0)
        wrong += goes_left != (a - max(b, d) > d - max(a, c))
    assert wrong
    big = 2**62
    for cards in ([big, big - 1, -big, big], [10**30, 1, -(10**30), 10**30 + 1]):
        start = Rules().game(cards).initial_state()
        for policy in ("greedy", "greedy_literal", "larger", "optimal"):
            (turn,) = player(policy, Rules(), cards)(start)
            assert match(cards, policy, "larger").turns[0] == turn
    game = match([Fraction(1, 3), 0.5, Fraction(1, 6)], "larger", "larger")
    assert (game.sums, game.winner) == ((Fraction(1, 2), Fraction(1, 2)), "draw")
    short = np.array([250, 7, 251], np.uint8)
    assert match(short, "larger", "larger").sums == (258, 250)


def test_callables_answer_in_many_ways() -> None:
    asked: list[tuple[Any, int, int]] = []
    answers = [np.str_("left"), np.float64(1), 1, Fraction(0)]

    def watching(cards: Any, left: int, right: int) -> Any:
        asked.append((cards, left, right))
        return answers[len(asked) - 1]

    row = (1, Fraction(1, 2), 3, 4, 5)
    game = match(row, watching, watching)
    assert asked == [(row, 0, 4), (row, 1, 4), (row, 2, 4), (row, 3, 4)]
    assert game.positions.tolist() == [0, 1, 2, 4, 3]
    assert game.players == ("watching", "watching")

    def both(_cards: Any, left: int, right: int) -> Any:
        return Turn("left", min(2, right - left + 1))

    two = Rules(take=2)
    assert match([1, 2, 3, 4], both, both, rules=two).sums == (3, 7)
    for either in (lambda c, i, j: {Turn("left"): 3, "right": 1}, lambda c, i, j: 0.75):
        law = distribution([1, 2, 4], either, both, rules=two, backend="exact")
        assert law.to_dict() == {-5: Fraction(3, 4), 1: Fraction(1, 4)}
    for chance in (Fraction(1, 3), 0.1, Fraction(1, 10**30)):
        law = distribution([1, 2], lambda *_, p=chance: p, both, backend="exact")
        assert law.to_dict() == {-1: Fraction(chance), 1: 1 - Fraction(chance)}


def test_only_the_ratios_of_weights_matter() -> None:
    def mean(weights: Any) -> Any:
        return distribution([8, 4, 1, 5], weights, "random", backend="exact").mean

    assert mean({"larger": 0.75, "random": 0.25}) == mean({"larger": 3, "random": 1})
    assert mean({"larger": 4, "random": 1}) != mean({"larger": 3, "random": 1})
    tenths = {"larger": Decimal("0.7"), "random": "0.3"}
    assert mean(tenths) == mean({"larger": 7, "random": 3})
    assert mean(tenths) != mean({"larger": 0.7, "random": 0.3})
    assert name_of({"larger": 4, "random": 1}) == "0.8 larger + 0.2 random"


@pytest.mark.parametrize("whole", [10**8, 2**61 - 1, 2**62, 2**63, 2**64 - 1, 10**30])
def test_shares_of_huge_denominators(whole: int) -> None:
    """Parts of a mixture, their sums and their products with cards exceed 64 bits."""
    share = Fraction(1, whole)

    def law(second: str) -> Any:
        mixture: Any = {"larger": share, second: 1 - share}
        return distribution([4, 1], mixture, "larger", backend="exact").to_dict()

    assert law("smaller") == {3: share, -3: 1 - share}
    assert law("greedy") == {3: 1}
    row = [64, 1, 32, 2, 16, 4]
    players: list[Any] = [{"larger": share, "smaller": 1 - share}, lambda *_: share]
    for opponent in players:
        given: Any = {"seat": 1, "backend": "exact"}
        lead = cardrow.best_response(row, opponent, **given).lead
        game = Rules().game(row)
        policies: Any = [player(opponent, Rules(), row), None]
        response = play.best_response(game, policies, 1, backend="exact")
        assert lead == response.payoffs[1]


@pytest.mark.parametrize("form", ["solution", "game", "arrays"])
def test_words_are_policies_in_play(form: str) -> None:
    row, rules = [4, 4, 6, 6, 12, 9], Rules()
    forms: dict[str, Any] = {"game": rules.game, "arrays": rules.arrays}
    game: Any = forms.get(form, cardrow.solve)(row)
    assert play.best_response(game, [None, "larger"], 0).value == 3
    mixture: Any = {"larger": 2, "random": 1, "optimal": "1/2"}
    lead = cardrow.best_response(row, mixture, backend="exact").lead
    response = play.best_response(game, [None, mixture], 0, backend="exact")
    assert response.value == lead
    with pytest.raises(ValueError, match=r"^policies must be one of 'optimal', 'greed"):
        play.simulate(game, ["larger", "largr"], games=1)


def test_chance_is_used_where_there_is_some() -> None:
    generator = np.random.default_rng(1)
    match(LOST, "greedy", {"larger": 1}, rng=generator)
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
    law = distribution(row, MIXED, "random", rules=rules)
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


@given(games(6), st.data())
def test_plans_are_played_in_their_seats(game: Any, data: Any) -> None:
    """Against players without chance, what a plan expects is what it gets."""
    cards, rules = game
    seat = data.draw(st.integers(0, rules.players - 1))
    others: list[Any] = ["larger", "greedy", "smaller"][: rules.players - 1]
    opponents: Any = others if rules.players > 2 else others[0]
    how: Any = {"rules": rules, "seat": seat, "goal": "win", "backend": "exact"}
    plan: Any = cardrow.best_response(cards, opponents, **how)
    players = [*others[len(others) - seat :], plan, *others[: len(others) - seat]]
    found = match(cards, *players, rules=rules)
    assert plan.win == (found.winner == ["first", "second", "third"][seat])
    ahead: Any = found.sums[seat]
    if rules.players == 2:
        ahead -= found.sums[1 - seat]
    assert plan.lead == ahead


def test_rates_measured_for_the_report() -> None:
    """Win/draw/lose of 4000 games, the first seat against the larger end."""
    measured: dict[Any, tuple[int, int, int]] = {
        "greedy_literal": (2143, 127, 1730),
        "greedy": (3530, 80, 390),
        "larger": (2986, 106, 908),
        "optimal": (3978, 22, 0),
    }
    games = 4000
    rows = deal(games, 10, deck=range(1, 14), replace=True, rng=1)
    result = tournament([*measured], rows, rules=Rules(tie="right"))
    column = result.players.index("larger")
    for i, counts in enumerate(measured.values()):
        found = [int(x[i, column]) for x in (result.wins, result.draws, result.losses)]
        assert sum(found) == games
        for ours, theirs in zip(found, counts, strict=True):
            share = (ours + theirs) / (2 * games)
            # The difference of two independent counts.
            assert abs(ours - theirs) <= 5 * math.sqrt(2 * games * share * (1 - share))


def leftmost(*_: Any) -> Any:
    """A player of one's own, whom other processes cannot import."""
    return "left"


# As an attribute of the package this name is the function.
CHUNKS = sys.modules["cardgames_dp.cardrow._kernels.row"]
ROWS = [*deal(50, 7, rng=1), *deal(30, 4, rng=2), [Fraction(1, 3), 2, Fraction(5, 7)]]


def test_seeds() -> None:
    players: list[Any] = ["random", MIXED]
    result = tournament(players, ROWS, rng=1)
    generator = np.random.default_rng(1)
    assert tournament(players, iter(ROWS), rng=generator) == result
    assert tournament(players, ROWS, rng=generator) != result
    assert tournament(players, ROWS) != tournament(players, ROWS)


@pytest.mark.slow
def test_executors(executor: Executor, monkeypatch: Any) -> None:
    """Workers draw what one would have drawn."""
    monkeypatch.setattr(CHUNKS, "_CHUNK", 16)
    named: dict[str, Any] = {"r": "random", "mixed": MIXED, "o": "optimal"}
    if isinstance(executor, ThreadPoolExecutor):
        named["mine"] = leftmost
    alone = tournament(named, ROWS, rng=1)
    assert tournament(named, ROWS, rng=1, executor=executor) == alone


def test_chunks_matter_to_chance_alone(monkeypatch: Any) -> None:
    fixed: list[Any] = ["optimal", "greedy_literal"]
    usual = tournament(fixed, ROWS)
    for chunk, cells in [(7, 2**24), (1024, 1)]:
        monkeypatch.setattr(CHUNKS, "_CHUNK", chunk)
        monkeypatch.setattr(CHUNKS, "_CHUNK_CELLS", cells)
        assert tournament(fixed, reversed(ROWS)) == usual
