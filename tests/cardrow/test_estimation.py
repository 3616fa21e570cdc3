"""Known players are recovered from their games."""

import pickle
from typing import Any

import numpy as np
import pytest

from cardgames_dp import cardrow
from cardgames_dp.cardrow import Mixed, Rules, Turn, estimate, match, recorded


def left_end(_cards: Any, _left: int, _right: int) -> Any:
    return "left"


def games_of(sister: Any, count: int, cards: int = 10, seed: int = 1) -> Any:
    rng = np.random.default_rng(seed)
    rows = cardrow.deal(count, cards, rng=rng)
    return [match(row, "greedy", sister, rng=rng) for row in rows]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("weights", "candidates"),
    [
        ({"larger": 4, "random": 1}, ["larger", "random"]),
        ({"optimal": 1, "smaller": 2, "random": 2}, ["optimal", "smaller", "random"]),
        ({left_end: 3, "larger": 7}, [left_end, "larger"]),
        ({"random": 1}, ["greedy", "random"]),
    ],
)
def test_a_known_sister_is_recovered(weights: Any, candidates: Any) -> None:
    sister = Mixed(weights)
    found = estimate(games_of(sister, 300), str(sister), candidates=candidates)
    total = sum(weights.values())
    true = np.array([weights.get(policy, 0) / total for policy in candidates])
    assert found.turns == 300 * 4
    assert found.weights.sum() == pytest.approx(1)
    assert (np.abs(found.weights - true) < 4 * found.errors + 0.01).all()
    assert (found.errors < 0.06).all()


@pytest.mark.slow
def test_the_best_response_to_what_was_found_is_nearly_the_best() -> None:
    sister = Mixed({"larger": 4, "random": 1})
    found = estimate(games_of(sister, 300), str(sister))
    row = cardrow.deal(1, 20, rng=5)[0]
    best = cardrow.best_response(row, sister)
    answer = cardrow.best_response(row, found.policy)
    law = cardrow.lead_law(row, answer, sister)
    assert law.mean <= best.value + 1e-9
    assert law.mean > best.value - 0.5


def test_the_weights_are_most_likely() -> None:
    """Where the likelihood with its prior is largest, its gradient is constant."""
    sister = Mixed({"greedy": 2, "random": 1})
    candidates: Any = ["greedy", "larger", "random"]
    games = games_of(sister, 40)
    for prior in (1, 5):
        found = estimate(games, str(sister), candidates=candidates, prior=prior)
        alone = [
            estimate(games, str(sister), candidates=[p, "random"]) for p in candidates
        ]
        assert len({one.turns for one in alone}) == 1
        table = np.array([*_table(games, str(sister), candidates)])
        gradient = (table / (table @ found.weights)[:, None]).sum(axis=0)
        gradient += prior / found.weights
        assert gradient == pytest.approx(np.full(3, len(table) + 3 * prior))


def _table(games: Any, player: str, candidates: Any) -> Any:
    """Yield the chances of each turn that was taken, once more."""
    from .opponents import chance_of_left

    for game in games:
        left, right = 0, len(game.cards) - 1
        for turn, from_right in enumerate(game.from_right.tolist()[:-1]):
            if game.players[turn % 2] == player:
                chances = [
                    float(chance_of_left(p, game.cards, "right")(left, right))
                    for p in candidates
                ]
                yield [1 - p if from_right else p for p in chances]
            left, right = (left, right - 1) if from_right else (left + 1, right)


def test_a_strong_prior_keeps_its_mind() -> None:
    games = games_of("larger", 3)
    for prior, least in [(0, 0.99), (1, 0.8), (10**6, 0.49)]:
        found = estimate(games, "larger", candidates=["larger", "random"], prior=prior)
        assert found.weights[0] >= least
    assert found.weights[0] == pytest.approx(0.5, abs=1e-4)


def test_candidates_that_do_the_same_share_their_weight() -> None:
    rows = [[1, 2, 4], [9, 4, 1]]
    games = [match(row, "smaller", "larger") for row in rows]
    found = estimate(games, "larger", candidates=["larger", "greedy"])
    assert found.weights.tolist() == [0.5, 0.5]
    assert found.errors.min() > 0.2


def test_any_rules() -> None:
    rules = Rules(take=2, players=3)
    rng = np.random.default_rng(2)
    sister = Mixed({"larger": 1, "random": 1})
    rows = cardrow.deal(150, 12, rng=rng)
    games = [
        match(row, "larger", sister, "greedy", rules=rules, rng=rng) for row in rows
    ]
    found = estimate(games, str(sister), candidates=["larger", "smaller", "random"])
    assert np.abs(found.weights - [0.5, 0, 0.5]).max() < 0.1


def test_recorded_games_are_those_that_were_played() -> None:
    for rules in (Rules(), Rules(take=3), Rules(take=2, players=3, misere=True)):
        row = cardrow.deal(1, 9, rng=3)[0].tolist()
        names: Any = ["greedy", "larger", "random"][: rules.players]
        game = match(row, *names, rules=rules, rng=1)
        turns = []
        state = rules.game(row).initial_state()
        at = 0
        while at < 9:
            count = 1
            while at + count < 9 and game.takers[at + count] == game.takers[at]:
                count += 1
            turns.append(Turn("right" if game.from_right[at] else "left", count))
            state = rules.game(row).next_state(state, turns[-1])
            at += count
        again = recorded(row, turns, players=names, rules=rules)
        assert again == game
        assert again.sums == state.sums
    assert recorded([3], ["right"]) == recorded([3], ["left"])


def test_copies_and_tables() -> None:
    found = estimate(games_of("larger", 2), "larger", candidates=["larger", "random"])
    assert pickle.loads(pickle.dumps(found)) == found
    assert str(found).splitlines()[0] == "larger, by 8 turns"
    assert "larger" in str(found).splitlines()[2]


def test_refusals() -> None:
    game = match([1, 2, 3], "larger", "random", rng=1)
    with pytest.raises(TypeError, match=r"games\[0\] must be a cardrow\.Match"):
        estimate([3], "larger")  # type: ignore[list-item]
    with pytest.raises(ValueError, match="player must be one of the players"):
        estimate([game], "sister")
    with pytest.raises(ValueError, match="candidates must hold at least one"):
        estimate([game], "larger", candidates=[])
    with pytest.raises(ValueError, match=r"candidates\[0\] must be"):
        estimate([game], "larger", candidates=["largest"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="prior must be"):
        estimate([game], "larger", prior=-1)
    with pytest.raises(ValueError, match="had a choice"):
        estimate([match([1], "larger", "random")], "larger")
    with pytest.raises(ValueError, match="some turn is taken by none of them"):
        estimate([game], "larger", candidates=["smaller"])
    with pytest.raises(ValueError, match="turns must take all 2 cards, got 1 left"):
        recorded([1, 2], ["left"])
    with pytest.raises(ValueError, match="stop when no card is left, got more than 1"):
        recorded([1], ["left", "left"])
    with pytest.raises(ValueError, match="players must be 2 names"):
        recorded([1], ["left"], players=["me"])
    with pytest.raises(ValueError, match="action must be one of the legal turns"):
        recorded([1, 2, 3], [Turn("left", 2)])
    with pytest.raises(ValueError, match="side must be"):
        recorded([1], ["middle"])  # type: ignore[list-item]
