"""Simulated games of Pairs against solved ones, and against one deck on one table."""

from __future__ import annotations

import math
import pickle
import random
import sys
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import cardgames_dp
from cardgames_dp import TooLargeError, pairs
from cardgames_dp._support import running
from cardgames_dp.pairs import simulation as simulation_module
from cardgames_dp.pairs._kernels import backward, simulation
from cardgames_dp.pairs._kernels.game import Decisions
from cardgames_dp.pairs._kernels.players import FewDecisions, LookedUp
from cardgames_dp.pairs._kernels.simulation import Seen, Tally
from cardgames_dp.pairs.advice import sweep_of
from cardgames_dp.pairs.players import Asked
from cardgames_dp.pairs.policies import always_hit, expected_points

from .counted import win_rate
from .tabletop import Decide, Tabletop

THREE, FOUR = 3, 4
FLAT = {1: 2, 2: 2, 3: 3}

KINDS = {
    "round": pairs.Rules(deck=FOUR, target=10),
    "deal": pairs.Rules(deck=FOUR, target=10, deal=1),
    "lowest": pairs.Rules(deck=FOUR, target=10, deal=1, first="lowest"),
    "capacity": pairs.Rules(deck=THREE, target=6, capacity=2),
    "capacities": pairs.Rules(deck=FOUR, target=6, capacity={1: 1, 2: 2, 3: 1, 4: 3}),
    "tie": pairs.Rules(deck=THREE, target=6, tie="hit"),
    "burned": pairs.Rules(deck=THREE, target=6, burn=3),
    "exhausted": pairs.Rules(deck=THREE, target=6, reshuffle="exhausted"),
    "exhausted burned": pairs.Rules(
        deck=THREE, target=6, reshuffle="exhausted", burn=1, shuffle_limit=1
    ),
    "exhausted deal": pairs.Rules(deck=FLAT, target=6, reshuffle="exhausted", deal=1),
    "essay": pairs.Rules(deck=THREE, target=5, reshuffle="essay"),
    "essay deal": pairs.Rules(deck=FLAT, target=5, reshuffle="essay", deal=1),
    "essay limit": pairs.Rules(
        deck=THREE, target=5, reshuffle="essay", shuffle_limit=2
    ),
    "exhausted lowest": pairs.Rules(
        deck=FLAT, target=5, reshuffle="exhausted", deal=1, first="lowest", burn=1
    ),
    "three": pairs.Rules(players=3, deck=FOUR, target=6),
    "three lowest": pairs.Rules(
        players=3, deck=FOUR, target=5, deal=1, first="lowest", tie="hit"
    ),
    "three exhausted": pairs.Rules(
        players=3, deck=THREE, target=5, reshuffle="exhausted"
    ),
}


def behind(view: pairs.View) -> Decisions:
    """Take risks while having fewer points than the next player."""
    fewer: Decisions = view.scores[:, 0] < view.scores[:, 1]
    return fewer[None, :] & (view.lowest > 1)[:, None]


def close(found: float, expected: float, error: float) -> bool:
    return abs(found - expected) <= 5 * error + 1e-12


@pytest.fixture(params=KINDS, ids=str)
def rules(request: pytest.FixtureRequest) -> pairs.Rules:
    return KINDS[request.param]


def test_means_are_those_of_the_solution(rules: pairs.Rules) -> None:
    solution, usual = pairs.solve(rules), pairs.evaluate(rules, "optimal")
    games = 5000
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


def _per_game(result: pairs.Simulation, name: str) -> float:
    if name == "rounds":
        return result.mean_rounds
    return float(getattr(result, name).sum()) / result.games


@pytest.mark.parametrize("kind", ["round", "lowest", "exhausted", "essay deal"])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("optimal", "fifty_percent_code"),
        (behind, pairs.FoldUpTo(1)),
        (pairs.HitBelow(0.3), behind),
        ("never_hit", "always_hit"),
    ],
)
def test_matches_have_the_chances_of_win_rate(kind: str, a: Any, b: Any) -> None:
    rules = KINDS[kind]
    rate = win_rate(rules, a, b)
    first = pairs.simulate(rules, [a, b], games=5000, rng=4)
    second = pairs.simulate(rules, [b, a], games=5000, rng=5)
    assert first.policies == second.policies[::-1] == (rate.a, rate.b)
    assert close(first.win_rates[0], rate.first, first.standard_errors[0])
    assert close(second.win_rates[1], rate.second, second.standard_errors[1])


@pytest.mark.slow
def test_the_published_game() -> None:
    """Means of `frequencies` and chances of `win_rate`, which take ten seconds each."""
    games = 20_000
    result = pairs.simulate(None, "expected_points", games=games, rng=8)
    assert close(result.mean_rounds, 9.027607973034211, result.mean_rounds_error)
    # With about 12 for the standard deviation of a game's choices, and of its hits.
    error = 12 / math.sqrt(games)
    assert close(result.choices.sum() / games, 44.20687753666577, error)
    assert close(result.hits.sum() / games, 40.952623401373664, error)
    assert result.final_scores.shape == (2, 31 + 10)
    match = ["expected_points", "fifty_percent"]
    result = pairs.simulate(None, match, games=games, rng=8)  # type: ignore[arg-type]
    assert close(result.win_rates[0], 0.5273840412624414, result.standard_errors[0])


def nobody(seen: Seen) -> Decisions:
    raise AssertionError(seen)


def test_a_table_of_decisions_is_the_solution(rules: pairs.Rules) -> None:
    solution = pairs.solve(rules)
    player = LookedUp(sweep_of(solution), nobody)
    rng = np.random.default_rng(1)
    for scores in rng.integers(rules.target, size=(20, rules.players)):
        table = solution.round(scores)
        where = np.flatnonzero(table.choice)
        turned = [np.roll(scores, -t) for t in table.cards[where].tolist()]
        seen = Seen(
            table.hands[where].transpose(1, 2, 0),
            table.unseen[where].T,
            np.array(turned).T,
        )
        assert player(seen).tolist() == table.hits[where].tolist()


Limit = Callable[[pairs.Solution, int], None]


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> Limit:
    """Let the decisions of a few rounds fit in memory, but not those of all."""

    def limit(solution: pairs.Solution, rounds: int) -> None:
        solved = sweep_of(solution)
        each = solved.decisions_bytes // solved.tables[0].shape[1]
        memory = 2 * (rounds * each + 32 * solved.positions.size)
        monkeypatch.setattr(running, "physical_memory", lambda: memory)

    return limit


def test_decisions_made_round_by_round_are_those_of_the_table(
    rules: pairs.Rules,
    little_memory: Limit,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solution = pairs.solve(rules)
    whole = LookedUp(sweep_of(solution), nobody)
    rng = np.random.default_rng(2)
    vectors = rng.integers(rules.target, size=(9, rules.players))
    asked = []
    for scores in (*vectors, *vectors[:3]):
        table = solution.round(scores)
        where = np.flatnonzero(table.choice)
        hands, unseen = table.hands[where], table.unseen[where]
        turned = [np.roll(scores, -t) for t in table.cards[where].tolist()]
        asked.append((hands.transpose(1, 2, 0), unseen.T, np.array(turned).T))
    little_memory(solution, 4)
    monkeypatch.setattr(backward, "_BLOCK_CELLS", 0)
    few = LookedUp(sweep_of(solution), nobody, side_by_side=4)
    kept = few._table
    assert isinstance(kept, FewDecisions)
    for parts in (asked[:1], asked[:3], asked[1:5], asked, asked[:2]):
        hands, unseen, scores = (
            np.concatenate(x, axis=-1) for x in zip(*parts, strict=True)
        )
        order = rng.permutation(len(unseen.T))
        seen = Seen(hands, unseen, scores).of(order)
        assert few(seen).tolist() == whole(seen).tolist()
        assert len(kept._kept) <= 4


def test_games_of_a_table_that_does_not_fit(
    little_memory: Limit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of the published game of three players: a game meets a few rounds only."""
    rules = pairs.Rules(players=3, deck=FOUR, target=6)
    solution = pickle.loads(pickle.dumps(pairs.solve(rules)))
    whole = pairs.simulate(rules, solution, games=20, rng=3)
    solution = pickle.loads(pickle.dumps(solution))  # without the table just made
    little_memory(solution, 20)
    made: list[int] = []
    bits = backward.Sweep.bits

    def counted(self: Any, vectors: Any) -> Any:
        made.extend(self.index(vectors).tolist())
        return bits(self, vectors)

    monkeypatch.setattr(backward.Sweep, "bits", counted)
    assert pairs.simulate(rules, solution, games=20, rng=3) == whole
    met = len(set(made))
    assert 20 < met < rules.target**3
    assert len(made) < 1.2 * met, "few are forgotten, and met again by later games"
    with pytest.raises(TooLargeError, match=r"x 21 vectors of scores .*simulate fewer"):
        pairs.simulate(rules, solution, games=21, rng=3)


def test_a_solution_plays_by_hands_and_scores_in_another_game() -> None:
    """Where everything returns, burned cards change no chance but the deck's end."""
    rules = KINDS["round"]
    solution = pairs.solve(rules)
    same = pairs.simulate(rules, solution, games=500, rng=1)
    assert same.policies == ("Solution", "Solution")
    optimal = pairs.simulate(rules, "optimal", games=500, rng=1)
    assert replace(same, policies=optimal.policies) == optimal
    burned = replace(rules, burn=2)
    against: list[pairs.Solution | pairs.Policy] = [solution, "never_hit"]
    result = pairs.simulate(burned, against, games=10_000, rng=1)
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
    unseen = np.array([[1], [2], [3], [4]]) - hands.sum(axis=0)
    scores = np.repeat([[3], [7]], 40, axis=1)
    seen = Seen(hands, unseen, scores)
    expected = otherwise(seen)
    sizes = hands.sum(axis=1)
    unknown = (sizes[1] == 0) | (sizes[1] < sizes[0]) | (sizes[0] == 0)
    assert unknown.sum() > 20
    assert player(seen)[unknown].tolist() == expected[unknown].tolist()
    assert len(set(expected[unknown].tolist())) == 2


def test_policies_that_look_at_scores_see_their_own_games() -> None:
    seen_vectors = set()

    def watch(view: pairs.View) -> Decisions:
        assert view.scores.shape[1] == 3
        assert view.hand.shape == (len(view.hand), 4)
        assert view.others.shape == (len(view.hand), 2, 4)
        counts = np.array(view.rules.counts)
        assert (view.unseen + view.table == counts).all()
        if len(view.scores) == 1:
            seen_vectors.add(tuple(view.scores[0].tolist()))
        return np.repeat((view.lowest > 1)[:, None], len(view.scores), axis=1)

    rules = KINDS["three"]
    result = pairs.simulate(rules, watch, games=3000, rng=2)
    plain = pairs.simulate(rules, pairs.FoldUpTo(1), games=3000, rng=2)
    assert replace(result, policies=plain.policies) == plain
    assert len(seen_vectors) > 100
    assert max(map(max, seen_vectors)) == 5


# The official game.

SMALL = {
    "two": pairs.OfficialRules(deck=5, target=8, burn=2),
    "ties": pairs.OfficialRules(deck={1: 4, 2: 3, 4: 2}, target=4, burn=1),
    "all but tied": pairs.OfficialRules(deck={1: 9, 2: 1}, target=3, burn=3),
    "three": pairs.OfficialRules(players=3, deck=5, target=5, burn=1),
    "crowded": pairs.OfficialRules(4, {1: 2, 2: 5, 3: 3}, target=3, burn=1),
}

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


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kind", SMALL)
def test_official_games_are_those_of_one_deck_on_one_table(
    kind: str, style: str
) -> None:
    rules = SMALL[kind]
    ranks = [rank for rank, count in rules.deck for _ in range(count)]
    policy, by_hand = STYLES[style]
    source = random.Random(f"{kind}, {style}")
    tables = []
    losses = np.zeros(rules.players)
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
    for name in ("rounds", "choices", "hits", "pairs"):
        by_table = np.array([getattr(table, name) for table in tables])
        error = by_table.std(ddof=1) * pooled
        difference = by_table.mean() - _per_game(result, name)
        assert abs(difference) <= 4.5 * error + 1e-12, name


@pytest.mark.parametrize("kind", SMALL)
def test_scored_cards_stay_out(kind: str) -> None:
    rules = SMALL[kind]
    known = rules.without_scored_cards
    tally = Tally.empty(known)
    players = [Asked("policy", always_hit, known)] * known.players
    rng = np.random.default_rng(7)
    table = simulation._Table(known, players, 300, rng, tally, scored_stay_out=True)
    counts, ranks = np.array(known.counts)[:, None], np.array(known.ranks)
    most_scored = 0
    while table.seat.size:
        table.deal()
        for after_turn in (False, True):
            if after_turn:
                table.turn()
            on_table = table.hands.sum(axis=0)
            assert (ranks @ table.scored == table.scores.sum(axis=0)).all()
            assert (table.unseen >= 0).all()
            assert (table.hands >= 0).all()
            assert (table.hands <= 1).all()
            assert (table.unseen + on_table + table.scored <= counts).all()
            assert (table.left == table.unseen.sum(axis=0)).all()
            assert (table.in_hands == on_table.sum(axis=0)).all()
            most_scored = max(most_scored, *table.scored.sum(axis=0).tolist(), 0)
    assert most_scored >= 2
    assert tally.final_scores.sum() == 300 * known.players
    assert tally.durations.sum() == 300


def test_tied_players_get_other_cards() -> None:
    """With eight 1s of eleven cards most deals are tied, and some of them again."""
    rules = pairs.OfficialRules(deck={1: 8, 2: 2, 5: 1}, target=3, burn=0)
    known = rules.without_scored_cards
    tally = Tally.empty(known)
    players = [Asked("policy", always_hit, known)] * 2
    table = simulation._Table(
        known, players, 4000, np.random.default_rng(5), tally, scored_stay_out=True
    )
    table.deal()
    leader, other = table.hands[0], table.hands[1]
    sizes = table.hands.sum(axis=1)
    once, twice = sizes[1] == 1, sizes[0] == 3
    # The lower card leads, and after a tie the lower of the new cards.
    lower = leader.argmax(axis=0) < other.argmax(axis=0)
    assert lower[once].all()
    assert (sizes[0] == 1)[once].all()
    new = table.hands - (leader & other)
    tied = ~once & ~twice
    assert (sizes[:, tied] == 2).all()
    assert (new[0].argmax(axis=0) < new[1].argmax(axis=0))[tied].all()
    # After two ties only the 5 fits: who gets it leads, as the other gets no card.
    assert (leader[:, twice] == 1).all()
    assert (other[:, twice] == [[1], [1], [0]]).all()
    # Chance of a tie: two of eight 1s or both 2s, among 55 pairs of cards; of another:
    # both 2s are the next cards that are no 1s, or two 1s come before the 5.
    for found, chance in [(~once, 29 / 55), (twice, (28 / 3 + 7 / 9) / 55)]:
        assert close(found.mean(), chance, math.sqrt(chance * (1 - chance) / 4000))


def test_official_targets_and_nearest_rules() -> None:
    targets = [pairs.OfficialRules(players=n).target for n in range(2, 7)]
    assert targets == [31, 21, 16, 13, 11]
    rules = pairs.OfficialRules(players=3, deck=THREE, target=2, burn=1)
    assert rules.deck == ((1, 1), (2, 2), (3, 3))
    assert rules.without_scored_cards == pairs.Rules(
        3, THREE, 2, reshuffle="exhausted", deal=1, first="lowest", burn=1
    )
    assert rules.solvable == pairs.Rules(3, THREE, 2, deal=1, first="lowest")
    assert rules == pickle.loads(pickle.dumps(rules))


@pytest.mark.slow
def test_the_solvable_policy_beats_heuristics_in_the_official_game() -> None:
    rules = pairs.OfficialRules(deck=5, target=12, burn=2)
    solution = pairs.solve(rules.solvable)
    for other in (pairs.FoldUpTo(2), pairs.HitBelow(0.2), "never_hit"):
        result = pairs.simulate(rules, [solution, other], games=8000, rng=6)
        assert result.win_rates[0] > 0.5 + 3 * result.standard_errors[0]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("burn", [0, 1])
@pytest.mark.parametrize("deck", [THREE, {1: 1, 2: 3}, {1: 2, 2: 1, 3: 2}])
def test_a_deal_that_cannot_have_a_lowest_card_is_from_the_full_deck(
    players: int, burn: int, deck: dict[int, int]
) -> None:
    rules = pairs.Rules(
        players, deck, 5, reshuffle="exhausted", deal=1, first="lowest", burn=burn
    )
    game, tally, rng = rules.game(), Tally.empty(rules), np.random.default_rng(0)
    start, found = game.initial_state(), set()
    for unseen in np.ndindex(*np.add(rules.counts, 1)):
        if sum(unseen) <= rules.kept_back:
            continue
        table = simulation._Table(rules, [], 50, rng, tally, scored_stay_out=False)
        table.unseen[:], table.left[:] = np.array(unseen)[:, None], sum(unseen)
        table.deal()
        leaders_first = np.concatenate([table.hands, table.unseen[None]]).T.tolist()
        possible = set()
        for _, after in game.chance_outcomes(start._replace(unseen=unseen)):
            hands = after.hands[after.player :] + after.hands[: after.player]
            possible.add((*hands, after.unseen))
        for cards in leaders_first:
            dealt = tuple(map(tuple, np.transpose(cards).tolist()))
            assert dealt in possible
        found.add(sum(map(sum, dealt)) > sum(unseen))
    assert found == {False, True}


# Results.


def test_seeds_repeat_and_bars_change_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(simulation_module, "CHUNK", 64)
    rules = SMALL["three"]
    first = pairs.simulate(rules, "expected_points", games=200, rng=9)
    with cardgames_dp.running(progress=True):
        again = pairs.simulate(
            rules, "expected_points", games=200, rng=np.random.default_rng(9)
        )
    assert first == again
    assert "200" in capsys.readouterr().err
    other = pairs.simulate(rules, "expected_points", games=200, rng=10)
    assert first != other
    assert sum(first.losses) == first.games == 200


@pytest.mark.slow
def test_executors(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation_module, "CHUNK", 64)
    rules = pairs.Rules(players=3, deck=THREE, target=6)
    seats: list[pairs.Policy] = [
        *(pairs.solve(rules), pairs.HitBelow("1/4"), "fifty_percent")
    ]
    games: list[tuple[pairs.Rules | pairs.OfficialRules, list[pairs.Policy]]] = [
        (rules, seats),
        (pairs.OfficialRules(players=3, target=6), seats[1:] + seats[2:]),
    ]
    for game, policies in games:
        alone = pairs.simulate(game, policies, games=500, rng=9)
        assert alone == pairs.simulate(
            game, policies, games=500, rng=9, executor=executor
        )


def test_bars_of_tables_and_of_two_passes(capsys: pytest.CaptureFixture[str]) -> None:
    rules = pairs.Rules(deck=THREE, target=4)
    response = pickle.loads(pickle.dumps(pairs.best_response(rules, "never_hit")))
    calls: list[Callable[[], object]] = [
        lambda: pairs.simulate(rules, response, games=10),
        lambda: pairs.simulate(rules, "optimal", games=10),
        lambda: pairs.evaluate(rules, "optimal").rounds,
    ]
    for call in calls:
        with cardgames_dp.running(progress=True):
            call()
        shown = capsys.readouterr().err
        assert shown.count("\n") == 2, shown  # two bars have ended
        assert "400/400" in shown  # 25 positions with 16 vectors of scores


def test_progress_needs_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with (
        pytest.raises(ModuleNotFoundError, match="progress=True needs tqdm"),
        cardgames_dp.running(progress=True),
    ):
        pairs.simulate(SMALL["two"], "never_hit", games=1)


def test_statistics_are_those_of_the_counts() -> None:
    rules = KINDS["three"]
    result = pairs.simulate(rules, "always_hit", games=1000, rng=0)
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
    assert sum(result.win_rates) == pytest.approx(2)
    share = result.wins[1] / 1000
    assert result.standard_errors[1] == math.sqrt(share * (1 - share) / 999)


def test_undecided_games_have_no_winner() -> None:
    """The essay's program starts rounds without a card when the last one pairs."""
    rules = KINDS["essay"]
    result = pairs.simulate(rules, "always_hit", games=5000, rng=0)
    rate = win_rate(rules, "always_hit", "always_hit")
    assert rate.first + rate.second < 1
    assert sum(result.losses) < 5000
    assert result.wins == result.losses[::-1]
    for found, chance, error in zip(
        result.win_rates,
        (rate.first, rate.second),
        result.standard_errors,
        strict=True,
    ):
        assert close(found, chance, error)


def test_one_game() -> None:
    result = pairs.simulate(SMALL["two"], "never_hit", games=1, rng=0)
    assert math.isnan(result.mean_rounds_error)
    assert set(result.win_rates) == {0.0, 1.0}
    # The first player has to hit, and the second one folds.
    short = pairs.Rules(deck={1: 3}, target=1)
    result = pairs.simulate(short, "never_hit", games=1, rng=0)
    assert (result.losses, result.choices.tolist()) == ((0, 1), [0, 1])
    assert (result.durations.tolist(), result.hit_rate) == ([0, 1], 0.0)
    # With a single card nobody has any choice.
    bare = pairs.Rules(deck={1: 1}, target=1)
    result = pairs.simulate(bare, "always_hit", games=1, rng=0)
    assert result.folds.tolist() == [0, 1]
    assert math.isnan(result.hit_rate)


def test_records_are_plain_and_short() -> None:
    rules = pairs.Rules(deck=FOUR, target=10)

    def me_first(view: pairs.View) -> Decisions:
        return view.lowest > 2

    me_first.__name__ = "<me>"
    result = pairs.simulate(rules, [me_first, "never_hit"], games=100, rng=1)
    rates = result.win_rates
    error = result.standard_errors[0]
    assert repr(result) == (
        f"Simulation(policies=('<me>', 'never_hit'), games=100, win_rates="
        f"({rates[0]:.6g}, {rates[1]:.6g}), standard_errors=({error:.6g}, {error:.6g}))"
    )
    assert str(result) == (
        f"100 games of {result.mean_rounds:.4g} rounds on average; chances of winning: "
        f"<me> {rates[0]:.4f} ± {error:.2g}, never_hit {rates[1]:.4f} ± {error:.2g}."
    )
    html = str(result._repr_html_())
    assert "&lt;me&gt;" in html
    assert "<me>" not in html
    assert f"<td>{result.wins[0]}</td>" in html
    columns = result.to_dict()
    assert columns["wins"] == result.wins
    assert columns["final_scores"] == result.final_scores.tolist()
    assert pickle.loads(pickle.dumps(result)) == result
    with pytest.raises(ValueError, match="read-only"):
        result.durations[0] = 1


# Refusals.


def wrong_shape(view: pairs.View) -> Decisions:
    return np.zeros(len(view.hand) + 1, bool)


def mixed_up(view: pairs.View) -> Any:
    """Compare positions with vectors of scores, as if there were one of each."""
    return view.scores[:, 0] > 3


SOLVED = pairs.solve(pairs.Rules(deck=THREE, target=4))
TWO = pairs.Rules(deck=THREE, target=5)
LARGE = pairs.Rules(deck={1: 2, 10**12: 1}, target=10**12)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: pairs.simulate(2, "optimal", games=1), TypeError, "rules must be"),  # type: ignore[arg-type]
        (
            lambda: pairs.simulate(TWO, ["optimal"] * 3, games=1),
            ValueError,
            "policies must be one for each of 2 players, or a single one for all, "
            "got 3",
        ),
        (
            lambda: pairs.simulate(TWO, 3, games=1),  # type: ignore[arg-type]
            TypeError,
            r"policies must be a policy \(a name, a callable, a Solution or a "
            r"Response\), or an iterable of one for each seat, got 3 of type int",
        ),
        (
            lambda: pairs.simulate(TWO, "best", games=1),  # type: ignore[arg-type]
            ValueError,
            "policies must be one of 'optimal', .*got 'best'",
        ),
        (
            lambda: pairs.simulate(TWO, ["optimal", 7], games=1),  # type: ignore[list-item]
            TypeError,
            r"policies\[1\] must be one of 'optimal', .*got 7",
        ),
        (
            lambda: pairs.simulate(TWO, "optimal", games=0),
            ValueError,
            "games must be an integer >= 1, got 0",
        ),
        (
            lambda: pairs.simulate(TWO, "optimal", games=True),
            TypeError,
            "games must be an integer >= 1, got True",
        ),
        (
            lambda: pairs.simulate(TWO, "optimal", games=1, rng="x"),  # type: ignore[arg-type]
            TypeError,
            "rng must be None, a seed",
        ),
        (
            lambda: pairs.simulate(SMALL["two"], ["never_hit", "optimal"], games=1),
            ValueError,
            r"policies\[1\]='optimal' is not known under the official rules, .*"
            r"solve\(rules.solvable\)",
        ),
        (
            lambda: pairs.simulate(TWO, SOLVED, games=1),
            ValueError,
            "policies must be a Solution of rules with the same players, deck, "
            "capacity and target, got target=4 instead of 5",
        ),
        (
            lambda: pairs.simulate(SMALL["three"], ["never_hit", "x", SOLVED], games=1),  # type: ignore[list-item]
            ValueError,
            r"policies\[1\] must be one of",
        ),
        (
            lambda: pairs.simulate(TWO, wrong_shape, games=10),
            ValueError,
            r"policies must return an array of bool of shape",
        ),
        (
            lambda: pairs.simulate(TWO, ["always_hit", mixed_up], games=300, rng=1),
            ValueError,
            r"policies\[1\] must return an array of bool of shape .*\(1,\)",
        ),
        (  # asked about two vectors of scores, even by games that have one each
            lambda: pairs.simulate(
                TWO, lambda view: view.lowest > view.scores[:, 0], games=300, rng=1
            ),
            ValueError,
            "could not be broadcast",
        ),
        (
            lambda: pairs.simulate(LARGE, "never_hit", games=1),
            TooLargeError,
            "counts of games to 1000000000000 points",
        ),
        (
            lambda: pairs.OfficialRules(deck=THREE, target=9, burn=0),
            ValueError,
            r"burn=0 and up to 6 scored cards \(target=9 for 2 players\) must leave a "
            "card of the deck, which holds 6",
        ),
        (
            lambda: pairs.OfficialRules(burn=-1),
            ValueError,
            "burn must be an integer >= 0, got -1",
        ),
    ],
)
def test_refusals(
    call: Callable[[], object], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        call()
