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
from cardgames_dp import TooLargeError, game, pairs, play
from cardgames_dp.pairs import Rules, fast as fast_module
from cardgames_dp.pairs.players import LookupPlayer, ThumbPlayer
from cardgames_dp.pairs.policies import expected_points
from cardgames_dp.pairs.rounds import solved_by_pairs

FLAT = {1: 2, 2: 2, 3: 3}
KINDS = {
    "round": Rules(deck=4, target=10),
    "deal": Rules(deck=4, target=10, deal=1),
    "lowest": Rules(deck=4, target=10, deal=1, first="lowest"),
    "capacity": Rules(deck=4, target=6, capacity=2),
    "burned": Rules(deck=3, target=6, burn=3),
    "exhausted burned": Rules(2, 3, 6, "exhausted", burn=2),
    "exhausted lowest": Rules(2, FLAT, 5, "exhausted", 1, "lowest", 1),
    # The deck comes down to 2s, of which none is the lowest card.
    "none lowest": Rules(3, {1: 2, 2: 3}, 4, "exhausted", 1, "lowest", 1),
    "essay deal": Rules(2, FLAT, 5, "essay", deal=1),
    "three": Rules(3, 4, 6),
    "three lowest": Rules(3, 4, 5, deal=1, first="lowest", tie="hit"),
    "three exhausted": Rules(3, 3, 5, "exhausted"),
}


def behind(state: Any) -> Any:
    """Take risks while having fewer points than the next player."""
    fewer = state.scores[:, 0] < state.scores[:, 1]
    return np.where(fewer & (state.hand.sum(axis=1) < 2), "hit", "fold")


def hesitant(_: Any) -> Any:
    return {"hit": 3, "fold": 1}


def agree(results: Any, known: Any, games: int, deviations: float = 5) -> None:
    """Compare frequencies with probabilities."""
    assert {*results.support.tolist()} <= {*known.support.tolist()}
    for result, chance in known:
        often = results.pmf(result)
        error = math.sqrt(max(chance * (1 - chance), 0) / games)
        assert abs(often - chance) <= deviations * error + 1e-9


@pytest.mark.parametrize(
    ("kind", "seats"),
    [(kind, [behind, hesitant, "never_hit"]) for kind in KINDS]
    + [(kind, "optimal") for kind in ("round", "exhausted burned", "three lowest")],
)
def test_games_are_as_evaluated(kind: str, seats: Any) -> None:
    """Of optimal play; and of players who look at scores, or mix."""
    rules, games = KINDS[kind], 2000
    seats = seats if isinstance(seats, str) else seats[: rules.players]
    usual = pairs.rates(rules, seats)
    rates = pairs.rates(rules, seats, games=games, rng=2)
    result = play.simulate(pairs.game(rules), seats, games, rng=2, count="round")
    assert rates.policies == usual.policies
    assert rates.payoffs == rates.mean == result.mean

    def close(results: float, mean: float, variance: float) -> bool:
        return abs(results - mean) <= 5 * math.sqrt(variance / games) + 1e-12

    for results, chance in zip(result.mean, usual.payoffs, strict=True):
        assert close(results, chance, chance * (1 - chance))
    rounds = result.moves
    assert close(rounds.mean, usual.rounds, rounds.variance)
    assert rates.rounds == pytest.approx(rounds.mean)
    # The numbers of a game vary as that of its rounds does, and from round to round.
    for name in ("choices", "hits", "folds", "pairs"):
        for results, mean in zip(rates.counts[name], usual.counts[name], strict=True):
            each = mean / usual.rounds
            variance = 2 * usual.rounds * each + each**2 * rounds.variance
            assert close(results, mean, variance), name
    ended = rates.counts["folds"].sum() + rates.counts["pairs"].sum()
    assert ended == pytest.approx(rounds.mean, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "count"),
    [
        *(("deal", "hit"), ("lowest", None)),
        *(("three exhausted", "fold"), ("essay deal", None)),
    ],
)
def test_moves_and_returns_are_those_of_states(kind: str, count: Any) -> None:
    """Of the game explored, with final scores as returns."""
    rules, games = replace(KINDS[kind], target=3), 10_000
    goal: Any = "win" if rules.reshuffle == "essay" else "points"
    seats = [behind, hesitant, "never_hit"][: rules.players]
    own = pairs.game(rules, goal=goal)
    result = play.simulate(own, seats, games, rng=5, count=count)
    known = play.distribution(game.explore(own), seats, count=count)
    for one, other in zip(
        (*result.returns, result.moves), (*known.returns, known.moves), strict=True
    ):
        agree(one, other, games)


def test_official_moves_are_those_of_states() -> None:
    rules, games = Rules.official(3, {1: 2, 2: 3, 3: 3}, target=2, burn=0), 10_000
    own = pairs.game(rules, goal="points")
    result = play.simulate(own, ["always_hit", behind, "never_hit"], games, rng=5)
    explored = game.explore(own)
    known = play.distribution(explored, ["always_hit", behind, "never_hit"])
    for one, other in zip(
        (*result.returns, result.moves), (*known.returns, known.moves), strict=True
    ):
        agree(one, other, games)


def test_decisions_that_do_not_fit_are_refused() -> None:
    """After a pickle: the table of decisions is made again."""
    rules = KINDS["three"]
    solution = pickle.loads(pickle.dumps(pairs.solve(rules)))
    sweep = solved_by_pairs(solution).sweep
    needed = sweep.decisions_bytes + 32 * sweep.positions.size
    message = rf"^the policy of {sweep.positions.size} positions x 216 vectors .* needs"
    with (
        cardgames_dp.running(max_bytes=needed - 1),
        pytest.raises(TooLargeError, match=message),
    ):
        play.simulate(pairs.game(rules), solution, 20, rng=3)


def test_a_solution_plays_by_hands_and_scores_in_another_game() -> None:
    """Where everything returns, burned cards change no chance but the deck's end."""
    rules = KINDS["round"]
    own, solution = pairs.game(rules), pairs.solve(rules)
    same = play.simulate(own, solution, 500, rng=1)
    assert same == play.simulate(own, "optimal", 500, rng=1)
    assert same == play.simulate(solution, games=500, rng=1)
    kept = play.simulate(own, solution, 20, rng=1, histories=2).histories
    assert [type(history[0]) for history in kept] == [pairs.State] * 2
    against: list[Any] = [solution, "fifty_percent"]
    burned = pairs.game(replace(rules, burn=2))
    result = play.simulate(burned, against, 10_000, rng=1)
    chance = play.evaluate(own, ["optimal", "fifty_percent"]).value
    assert abs(result.mean[0] - chance) < 5 * result.standard_error[0]


def test_a_solution_without_the_position_looks_at_expected_points() -> None:
    """One whose rules deal a card does not know what to do with an empty hand."""
    dealt = replace(KINDS["round"], deal=1)
    otherwise = ThumbPlayer(expected_points, dealt)
    player = LookupPlayer(solved_by_pairs(pairs.solve(dealt)).sweep, otherwise)
    rng = np.random.default_rng(3)
    hands = np.zeros((2, 4, 40), np.int8)
    hands[0, :, :20] = rng.integers(0, 2, (4, 20))  # the other's hand stays empty
    hands[1, 0] = hands[0, 0] == 0
    unseen = np.array(dealt.counts)[:, None] - hands.sum(axis=0)
    scores = rng.integers(0, 10, (2, 40))
    seen: Any = hands.transpose(2, 0, 1), unseen.T, scores.T, np.zeros(40, np.int64)
    expected = np.asarray(otherwise(*seen))
    sizes = hands.sum(axis=1)
    unknown = (sizes[1] == 0) | (sizes[1] < sizes[0]) | (sizes[0] == 0)
    assert unknown.sum() > 20
    assert player(*seen)[unknown].tolist() == expected[unknown].tolist()
    assert len(set(expected[unknown].tolist())) == 2


OFFICIAL = Rules.official(players=3, deck=5, target=5, burn=1)


@pytest.mark.parametrize("rules", [KINDS["three"], OFFICIAL], ids=["usual", "official"])
def test_policies_that_look_at_scores_see_their_own_games(rules: Any) -> None:
    seen_vectors, seats = set[Any](), set[Any]()

    def watch(state: Any) -> Any:
        size, ranks = len(state.hand), len(rules.ranks)
        assert state.scores.shape == (size, 3)
        assert state.hand.shape == (size, ranks)
        assert state.others.shape == (size, 2, ranks)
        table = state.hand + state.others.sum(axis=1)
        counts, there = np.array(rules.counts), state.unseen + table
        scored_stay_out = rules.reshuffle == "official"
        assert (there <= counts if scored_stay_out else there == counts).all()
        assert (state.unseen >= 0).all()
        seen_vectors.update(map(tuple, state.scores.tolist()))
        seats.update(state.player.tolist())
        return np.where(rules.lowest(state) > 1, "hit", "fold")

    own = pairs.game(rules)
    result = play.simulate(own, watch, 2000, rng=2)
    assert result == play.simulate(own, pairs.FoldUpTo(1), 2000, rng=2)
    assert len(seen_vectors) > 60
    assert max(map(max, seen_vectors)) == rules.target - 1
    assert seats == {0, 1, 2}


# Results.


@pytest.mark.slow
def test_seeds_bars_and_executors(
    executor: Executor, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fast_module, "CHUNK", 64)
    rules = Rules(players=3, deck=3, target=6)
    seats: list[Any] = [pairs.solve(rules), pairs.HitBelow("1/4"), "fifty_percent"]
    games: list[Any] = [
        (pairs.game(rules), seats),
        (pairs.game(Rules.official(3, 10, 6)), seats[1:] + seats[2:]),
    ]
    for own, policies in games:
        first = play.simulate(own, policies, 300, rng=9)
        with cardgames_dp.running(progress=True):
            seed = np.random.default_rng(9)
            assert play.simulate(own, policies, 300, rng=seed) == first
        assert "300/300" in capsys.readouterr().err
        shared = play.simulate(own, policies, 300, rng=9, executor=executor)
        assert shared == first != play.simulate(own, policies, 300, rng=10)
        assert sum(first.mean) == pytest.approx(2)
