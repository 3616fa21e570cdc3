"""Simulated games of Pairs against evaluated ones, and what is counted of them."""

from __future__ import annotations

import math
import pickle
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import cardgames_dp
from cardgames_dp import TooLargeError, pairs
from cardgames_dp.pairs import Rules, simulation as simulation_module
from cardgames_dp.pairs._kernels.simulation import LookedUp, Seen
from cardgames_dp.pairs.players import Asked
from cardgames_dp.pairs.policies import expected_points
from cardgames_dp.pairs.solution import sweep_of

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


def hesitant(view: pairs.View) -> Any:
    return np.full(len(view.hand), 0.75)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seats", ["optimal", [behind, hesitant, "never_hit"]])
def test_games_are_as_evaluated(kind: str, seats: Any) -> None:
    """Of optimal play; and of players who look at scores, or mix."""
    rules, games = KINDS[kind], 2000
    seats = seats if isinstance(seats, str) else seats[: rules.players]
    usual = pairs.evaluate(rules, seats)
    result = pairs.simulate(rules, seats, games=games, rng=2)
    assert result.policies == usual.policies

    def close(found: float, mean: float, variance: float) -> bool:
        return abs(found - mean) <= 5 * math.sqrt(variance / games) + 1e-12

    for found, chance in zip(result.win_rates, usual.payoffs, strict=True):
        assert close(found, chance, chance * (1 - chance))
    rounds = result.rounds
    assert close(rounds.mean, usual.rounds, rounds.variance)
    # The numbers of a game vary as that of its rounds does, and from round to round.
    for name in ("choices", "hits", "folds"):
        each = getattr(usual, name) / usual.rounds
        variance = 2 * usual.rounds * each + each**2 * rounds.variance
        mean = getattr(result, name).sum() / games
        assert close(mean, getattr(usual, name), variance), name
    ended = int(result.folds.sum() + result.pairs.sum())
    assert ended == pytest.approx(rounds.mean * games, rel=1e-12)
    if usual.choices:
        rate, found = usual.hits / usual.choices, result.hits.sum()
        assert close(
            found / result.choices.sum(), rate, rate * (1 - rate) / usual.choices
        )


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
    against: list[Any] = [solution, "fifty_percent"]
    result = pairs.simulate(replace(rules, burn=2), against, games=10_000, rng=1)
    chance = pairs.evaluate(rules, ["optimal", "fifty_percent"]).value
    assert abs(result.win_rates[0] - chance) < 5 * result.standard_errors[0]


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


OFFICIAL = Rules.official(players=3, deck=5, target=5, burn=1)


@pytest.mark.parametrize("rules", [KINDS["three"], OFFICIAL], ids=["usual", "official"])
def test_policies_that_look_at_scores_see_their_own_games(rules: Any) -> None:
    seen_vectors = set()

    def watch(view: pairs.View) -> Any:
        ranks = len(view.rules.ranks)
        assert view.scores.shape[1] == 3
        assert view.hand.shape == (len(view.hand), ranks)
        assert view.others.shape == (len(view.hand), 2, ranks)
        counts, there = np.array(view.rules.counts), view.unseen + view.table
        scored_stay_out = rules.reshuffle == "official"
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
        (Rules.official(3, 10, 6), seats[1:] + seats[2:]),
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
