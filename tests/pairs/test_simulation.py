"""Simulated games of Pairs against solved ones, and against one deck on one table."""

from __future__ import annotations

import math
import pickle
import random
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import cardgames_dp
from cardgames_dp import TooLargeError, pairs
from cardgames_dp.pairs import OfficialRules, Rules, simulation as simulation_module
from cardgames_dp.pairs._kernels.simulation import LookedUp, Seen
from cardgames_dp.pairs.players import Asked
from cardgames_dp.pairs.policies import expected_points
from cardgames_dp.pairs.solution import sweep_of

from .counted import win_rate
from .tabletop import Decide, Tabletop

FLAT = {1: 2, 2: 2, 3: 3}
KINDS = {
    "round": Rules(deck=4, target=10),
    "deal": Rules(deck=4, target=10, deal=1),
    "lowest": Rules(deck=4, target=10, deal=1, first="lowest"),
    "capacity": Rules(deck=4, target=6, capacity=2),
    "tie": Rules(deck=3, target=6, tie="hit"),
    "burned": Rules(deck=3, target=6, burn=3),
    "exhausted": Rules(deck=3, target=6, reshuffle="exhausted"),
    "exhausted burned": Rules(2, 3, 6, "exhausted", burn=2),
    "exhausted deal": Rules(2, FLAT, 6, "exhausted", deal=1),
    "exhausted lowest": Rules(2, FLAT, 5, "exhausted", 1, "lowest", 1),
    # The deck comes down to 2s, of which none is the lowest card.
    "none lowest": Rules(3, {1: 2, 2: 3}, 4, "exhausted", 1, "lowest", 1),
    "essay": Rules(2, 3, 5, "essay"),
    "essay deal": Rules(2, FLAT, 5, "essay", deal=1),
    "three": Rules(3, 4, 6),
    "three lowest": Rules(3, 4, 5, deal=1, first="lowest", tie="hit"),
    "three exhausted": Rules(3, 3, 5, "exhausted"),
}


def behind(view: pairs.View) -> Any:
    """Take risks while having fewer points than the next player."""
    fewer = view.scores[:, 0] < view.scores[:, 1]
    return fewer[None, :] & (view.lowest > 1)[:, None]


def close(found: float, expected: float, error: float) -> bool:
    return abs(found - expected) <= 5 * error + 1e-12


@pytest.mark.parametrize("kind", KINDS)
def test_means_are_those_of_the_solution(kind: str) -> None:
    rules = KINDS[kind]
    solution, usual = pairs.solve(rules), pairs.evaluate(rules, "optimal")
    games = 4000
    result = pairs.simulate(rules, solution, games=games, rng=2)
    for won, chance in zip(result.wins, solution.value, strict=True):
        assert close(won / games, chance, math.sqrt(chance * (1 - chance) / games))
    assert close(result.mean_rounds, usual.rounds, result.mean_rounds_error)
    rounds, choices = games * usual.rounds, games * usual.choices
    # Of one game the rounds, and decisions, are nearly independent of each other.
    share = usual.hit_rate
    assert close(result.hit_rate, share, math.sqrt(share * (1 - share) / choices))
    share = usual.folds / usual.rounds
    error = math.sqrt(share * (1 - share) * rounds)
    assert close(int(result.folds.sum()), share * rounds, 1.5 * error)
    ended = result.folds.sum() + result.pairs.sum()
    assert ended == np.arange(len(result.durations)) @ result.durations
    # The numbers of choices of rounds vary by less than their mean.
    error = usual.choices / usual.rounds * math.sqrt(rounds)
    assert close(int(result.choices.sum()), choices, 1.5 * error)


@pytest.mark.parametrize("kind", ["round", "lowest", "exhausted", "essay deal"])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("optimal", "never_hit"),
        (pairs.HitBelow(0.3), behind),
        (lambda view: np.full(len(view.hand), 0.25), "always_hit"),
    ],
    ids=["optimal", "behind", "mixed"],
)
def test_matches_have_the_chances_of_win_rate(kind: str, a: Any, b: Any) -> None:
    rules = KINDS[kind]
    rate = win_rate(rules, a, b)
    first = pairs.simulate(rules, [a, b], games=4000, rng=4)
    second = pairs.simulate(rules, [b, a], games=4000, rng=5)
    assert first.policies == second.policies[::-1] == (rate.a, rate.b)
    assert close(first.win_rates[0], rate.first, first.standard_errors[0])
    assert close(second.win_rates[1], rate.second, second.standard_errors[1])


def test_decisions_that_do_not_fit_are_refused() -> None:
    """After a pickle: the table of decisions is made again."""
    solution = pickle.loads(pickle.dumps(pairs.solve(KINDS["three"])))
    sweep = sweep_of(solution)
    needed = sweep.decisions_bytes + 32 * sweep.positions.size
    message = rf"^the policy of {sweep.positions.size} positions x 216 vectors .* needs"
    with (
        cardgames_dp.running(max_bytes=needed - 1),
        pytest.raises(TooLargeError, match=message),
    ):
        pairs.simulate(solution.rules, solution, games=20, rng=3)


def test_a_solution_plays_by_hands_and_scores_in_another_game() -> None:
    """Where everything returns, burned cards change no chance but the deck's end."""
    rules = KINDS["round"]
    solution = pairs.solve(rules)
    same = pairs.simulate(rules, solution, games=500, rng=1)
    optimal = pairs.simulate(rules, "optimal", games=500, rng=1)
    assert replace(same, policies=optimal.policies) == optimal
    against: list[pairs.Solution | pairs.Policy] = [solution, "never_hit"]
    result = pairs.simulate(replace(rules, burn=2), against, games=10_000, rng=1)
    rate = win_rate(rules, "optimal", "never_hit").first
    assert close(result.win_rates[0], rate, result.standard_errors[0])


def test_a_solution_without_the_position_looks_at_expected_points() -> None:
    """One whose rules deal a card does not know what to do with an empty hand."""
    dealt = pairs.solve(replace(KINDS["round"], deal=1))
    otherwise = Asked("policy", expected_points, dealt.rules)
    player = LookedUp(sweep_of(dealt), otherwise)
    rng = np.random.default_rng(3)
    hands = np.zeros((2, 4, 40), np.int8)
    hands[0, :, :20] = rng.integers(0, 2, (4, 20))  # the other's hand stays empty
    hands[1, 0] = hands[0, 0] == 0
    unseen = np.array(dealt.rules.counts)[:, None] - hands.sum(axis=0)
    seen = Seen(hands, unseen, rng.integers(0, 10, (2, 40)))
    expected = otherwise(seen)
    sizes = hands.sum(axis=1)
    unknown = (sizes[1] == 0) | (sizes[1] < sizes[0]) | (sizes[0] == 0)
    assert unknown.sum() > 20
    assert player(seen)[unknown].tolist() == expected[unknown].tolist()
    assert len(set(expected[unknown].tolist())) == 2


# The official game.

SMALL = {
    "two": OfficialRules(deck=5, target=8, burn=2),
    "ties": OfficialRules(deck={1: 4, 2: 3, 4: 2}, target=4, burn=1),
    "all but tied": OfficialRules(deck={1: 9, 2: 1}, target=3, burn=3),
    "three": OfficialRules(players=3, deck=5, target=5, burn=1),
    "crowded": OfficialRules(4, {1: 2, 2: 5, 3: 3}, target=3, burn=1),
}


@pytest.mark.parametrize(
    "rules", [KINDS["three"], SMALL["three"]], ids=["usual", "official"]
)
def test_policies_that_look_at_scores_see_their_own_games(rules: Any) -> None:
    seen_vectors = set()

    def watch(view: pairs.View) -> Any:
        ranks = len(view.rules.ranks)
        assert view.scores.shape[1] == 3
        assert view.hand.shape == (len(view.hand), ranks)
        assert view.others.shape == (len(view.hand), 2, ranks)
        counts, there = np.array(view.rules.counts), view.unseen + view.table
        scored_stay_out = isinstance(rules, OfficialRules)
        assert (there <= counts if scored_stay_out else there == counts).all()
        assert (view.unseen >= 0).all()
        if len(view.scores) == 1:
            seen_vectors.add(tuple(view.scores[0].tolist()))
        return np.repeat((view.lowest > 1)[:, None], len(view.scores), axis=1)

    result = pairs.simulate(rules, watch, games=2000, rng=2)
    plain = pairs.simulate(rules, pairs.FoldUpTo(1), games=2000, rng=2)
    assert replace(result, policies=plain.policies) == plain
    assert len(seen_vectors) > 60
    assert max(map(max, seen_vectors)) == rules.target - 1


STYLES: dict[str, tuple[Any, Decide]] = {
    "fold up to 1": (pairs.FoldUpTo(1), lambda game: game.lowest > 1),
    "always": ("always_hit", lambda game: True),
    "behind": (
        behind,
        lambda game: (
            game.score(game.mover) < game.score((game.mover + 1) % game.players)
            and game.lowest > 1
        ),
    ),
    "unseen": (
        "fifty_percent",
        lambda game: (
            2 * sum(card in game.hands[game.mover] for card in game.deck + game.burned)
            < len(game.deck + game.burned)
        ),
    ),
}


@pytest.mark.parametrize(
    ("kind", "style"),
    [
        *(("two", "behind"), ("two", "unseen"), ("ties", "always")),
        *(("ties", "fold up to 1"), ("all but tied", "always")),
        *(("all but tied", "unseen"), ("three", "behind"), ("three", "always")),
        *(("crowded", "unseen"), ("crowded", "fold up to 1")),
    ],
)
def test_official_games_are_those_of_one_deck_on_one_table(
    kind: str, style: str
) -> None:
    rules = SMALL[kind]
    ranks = [rank for rank, count in rules.deck for _ in range(count)]
    policy, by_hand = STYLES[style]
    source = random.Random(f"{kind}, {style}")
    tables, losses = [], np.zeros(rules.players)
    for _ in range(400):
        table = Tabletop(ranks, rules.players, rules.target, rules.burn, source)
        losses[table.play([by_hand] * rules.players)] += 1
        tables.append(table)
    games = 5000
    result = pairs.simulate(rules, policy, games=games, rng=3)
    assert sum(result.losses) == games
    pooled = np.sqrt(1 / len(tables) + 1 / games)
    shares = (losses + np.array(result.losses)) / (len(tables) + games)
    errors = np.sqrt(shares * (1 - shares)) * pooled
    differences = losses / len(tables) - np.array(result.losses) / games
    assert (np.abs(differences) <= 4.5 * errors).all()
    means = {
        name: float(getattr(result, name).sum()) / games
        for name in ("choices", "hits", "pairs")
    }
    for name, mean in (means | {"rounds": result.mean_rounds}).items():
        by_table = np.array([getattr(table, name) for table in tables])
        error = by_table.std(ddof=1) * pooled
        assert abs(by_table.mean() - mean) <= 4.5 * error + 1e-12, name


def test_official_targets_and_nearest_rules() -> None:
    targets = [OfficialRules(players=n).target for n in range(2, 7)]
    assert targets == [31, 21, 16, 13, 11]
    rules = OfficialRules(players=3, deck=3, target=2, burn=1)
    assert rules.deck == ((1, 1), (2, 2), (3, 3))
    assert rules.without_scored_cards == Rules(3, 3, 2, "exhausted", 1, "lowest", 1)
    assert rules.solvable == Rules(3, 3, 2, deal=1, first="lowest")
    assert rules == pickle.loads(pickle.dumps(rules))
    # Its solution beats heuristics in the official game.
    rules = OfficialRules(deck=5, target=12, burn=2)
    solution = pairs.solve(rules.solvable)
    for other in (pairs.FoldUpTo(2), "never_hit"):
        result = pairs.simulate(rules, [solution, other], games=4000, rng=6)
        assert result.win_rates[0] > 0.5 + 3 * result.standard_errors[0]


# Results.


@pytest.mark.slow
def test_seeds_bars_and_executors(
    executor: Executor, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(simulation_module, "CHUNK", 64)
    rules = Rules(players=3, deck=3, target=6)
    seats: list[Any] = [pairs.solve(rules), pairs.HitBelow("1/4"), "fifty_percent"]
    games: list[Any] = [
        (rules, seats),
        (OfficialRules(3, 10, 6), seats[1:] + seats[2:]),
    ]
    for game, policies in games:
        first = pairs.simulate(game, policies, games=300, rng=9)
        with cardgames_dp.running(progress=True):
            seed = np.random.default_rng(9)
            assert pairs.simulate(game, policies, games=300, rng=seed) == first
        assert "300/300" in capsys.readouterr().err
        shared = pairs.simulate(game, policies, games=300, rng=9, executor=executor)
        assert shared == first != pairs.simulate(game, policies, games=300, rng=10)
        assert sum(first.losses) == first.games == 300


def test_bars(capsys: pytest.CaptureFixture[str]) -> None:
    """Of tables and of two passes: 25 positions with 16 vectors of scores."""
    rules = Rules(deck=3, target=4)
    response = pickle.loads(pickle.dumps(pairs.best_response(rules, "never_hit")))
    calls: dict[Callable[[], object], int] = {
        lambda: pairs.simulate(rules, response, games=10): 2,
        lambda: pairs.simulate(rules, "optimal", games=10): 2,
        lambda: pairs.evaluate(rules, "optimal").rounds: 2,
        lambda: pairs.solve(rules): 1,
        lambda: pairs.best_response(rules, "fifty_percent"): 1,
    }
    for call, bars in calls.items():
        with cardgames_dp.running(progress=True):
            call()
        shown = capsys.readouterr()
        assert shown.err.count("\n") == bars, shown.err
        assert "400/400" in shown.err
        assert not shown.out


def test_statistics_are_those_of_the_counts() -> None:
    result = pairs.simulate(KINDS["three"], "always_hit", games=1000, rng=0)
    scores = np.arange(result.final_scores.shape[1])
    rounds = np.repeat(np.arange(len(result.durations)), result.durations)
    assert len(rounds) == 1000
    assert result.mean_rounds == rounds.mean()
    error = rounds.std(ddof=1) / math.sqrt(1000)
    assert result.mean_rounds_error == pytest.approx(error)
    assert result.folds.sum() + result.pairs.sum() == rounds.sum()
    assert not result.folds.any()
    assert result.hit_rate == 1.0
    lost = result.final_scores[:, scores >= 6].sum(axis=1)
    assert result.losses == tuple(lost)
    assert result.wins == tuple(1000 - lost)
    share = result.wins[1] / 1000
    assert result.standard_errors[1] == math.sqrt(share * (1 - share) / 999)
    # The essay's program starts rounds without a card, and nobody wins.
    essay = pairs.simulate(KINDS["essay"], "always_hit", games=2000, rng=0)
    assert sum(essay.losses) < 2000
    assert essay.wins == essay.losses[::-1]


def test_one_game() -> None:
    result = pairs.simulate(SMALL["two"], "never_hit", games=1, rng=0)
    assert math.isnan(result.mean_rounds_error)
    assert set(result.win_rates) == {0.0, 1.0}
    # The first player has to hit, and the second one folds.
    result = pairs.simulate(Rules(deck={1: 3}, target=1), "never_hit", games=1, rng=0)
    assert (result.losses, result.choices.tolist()) == ((0, 1), [0, 1])
    assert (result.durations.tolist(), result.hit_rate) == ([0, 1], 0.0)
    # With a single card nobody has any choice.
    result = pairs.simulate(Rules(deck={1: 1}, target=1), "always_hit", games=1, rng=0)
    assert result.folds.tolist() == [0, 1]
    assert math.isnan(result.hit_rate)
