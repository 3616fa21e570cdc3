"""Each seat with a policy of its own, against slow and simple evaluation."""

import pickle
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact, pairs, play

from . import oracles
from .counted import win_rate
from .strategies import small_rules

NAMES = [*sorted(oracles.PLAYS), "optimal"]
FOUR = pairs.Rules(players=4, deck=4, target=3)
SMALL = pairs.Rules(players=3, deck=3, target=3)
TINY = pairs.Rules(players=3, deck={1: 2, 2: 2, 3: 1}, target=3)


@dataclass(frozen=True)
class From(oracles.Kept):
    """A game that starts with given points, and with another leader."""

    scores: tuple[int, ...]
    leader: int

    def initial_state(self) -> pairs.State:
        start = super().initial_state()
        return start._replace(scores=self.scores, player=self.leader)


@dataclass(frozen=True)
class Losing(oracles.Kept):
    """A game in which a player's return is 1 for losing."""

    def returns(self, state: pairs.State) -> list[int]:
        return [int(score >= self.rules.target) for score in state.scores]


def plays_of(rules: pairs.Rules, names: list[Any]) -> Mapping[int, oracles.Play]:
    known = dict(oracles.PLAYS)
    if "optimal" in names:
        known["optimal"] = oracles.optimal(rules)
    return {seat: known[name] for seat, name in enumerate(names)}


def value(game: Any) -> list[float]:
    return list(map(float, exact.solve(game, max_states=200_000).value))


@pytest.mark.slow
@given(small_rules(), st.data())
def test_every_seat_wins_and_loses_as_the_oracle_says(
    rules: pairs.Rules, data: st.DataObject
) -> None:
    """At the start of the game, and of rounds with any scores and any leader."""
    n = rules.players
    names: list[Any] = data.draw(
        st.lists(st.sampled_from(NAMES), min_size=n, max_size=n)
    )
    chances = pairs.evaluate(rules, names)
    assert chances.policies == tuple(names)
    plays = plays_of(rules, names)
    assert chances.value == pytest.approx(oracles.value(rules, plays), abs=1e-13)
    assert chances.lose == pytest.approx(value(Losing(rules, plays)), abs=1e-13)
    assert chances.value_at([0] * n) == chances.value
    point = st.integers(0, rules.target - 1)
    scores = data.draw(st.tuples(*[point] * n))
    leader = data.draw(st.integers(0, n - 1))
    found = chances.value_at(scores, leader=leader)
    # Optimal play is that of the whole game, whatever is reached from elsewhere.
    if "optimal" not in names:
        expected = value(From(rules, plays, scores, leader))
        assert found == pytest.approx(expected, abs=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("leader", range(3))
def test_scores_and_chances_are_by_seat_whoever_leads(leader: int) -> None:
    names: list[Any] = ["fifty_percent", "expected_points", "always_hit"]
    chances = pairs.evaluate(TINY, names)
    for scores in [(2, 0, 1), (0, 1, 2)]:
        expected = value(From(TINY, plays_of(TINY, names), scores, leader))
        found = chances.value_at(scores, leader=leader)
        assert found == pytest.approx(expected, abs=1e-14)


@pytest.mark.slow
def test_the_newcomers_question() -> None:
    """Figures of an independent recursion, which agreed to 1e-15."""
    optimal = pairs.evaluate(FOUR, "optimal")
    assert optimal.value == pairs.solve(FOUR).value
    usual = [0.31685, 0.26537, 0.22542, 0.19236]
    assert optimal.lose == pytest.approx(usual, abs=5e-6)
    careful = pairs.HitBelow("1/5", or_equal=True)
    chances = pairs.evaluate(FOUR, [careful, "optimal", "optimal", "optimal"])
    found = [0.50514, 0.18572, 0.16707, 0.14207]
    assert chances.lose == pytest.approx(found, abs=5e-6)
    assert chances.lose[0] - optimal.lose[0] == pytest.approx(0.18829, abs=5e-6)
    assert chances.policies[:2] == ("HitBelow('0.2', or_equal=True)", "optimal")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("a", "b"), [("fifty_percent", "optimal"), ("optimal", "always_hit")]
)
def test_win_rates_are_those_of_one_seat(a: Any, b: Any) -> None:
    rate = win_rate(SMALL, a, b)
    for seat, win in enumerate(rate.values):
        policies = [b] * seat + [a] + [b] * (2 - seat)
        assert pairs.evaluate(SMALL, policies).value[seat] == win


@pytest.mark.slow
def test_policies_of_all_kinds_as_simulated() -> None:
    """Solved play, its method, a function of views and a word; 20,000 games."""
    solution, response = pairs.solve(SMALL), pairs.best_response(SMALL, "never_hit")

    def low(view: pairs.View) -> Any:
        return view.hand.sum(axis=1) < 2

    policies: list[Any] = [solution.policy, low, response]
    chances = pairs.evaluate(SMALL, policies)
    assert chances.policies == ("Solution", "low", "best response to never_hit")
    played = pairs.simulate(SMALL, policies, games=20_000, rng=5)
    for found, rate, error in zip(
        chances.value, played.win_rates, played.standard_errors, strict=True
    ):
        assert abs(found - rate) < 5 * error
    # A solution of these very rules is what "optimal" is.
    other = pairs.evaluate(SMALL, [solution, low, response])
    assert pairs.evaluate(SMALL, ["optimal", low, response]).value == other.value


@pytest.mark.slow
def test_a_best_response_wins_what_it_says() -> None:
    response = pairs.best_response(SMALL, "never_hit")
    for seat in range(3):
        policies: list[Any] = ["never_hit"] * 3
        policies[seat] = response
        found = pairs.evaluate(SMALL, policies).value[seat]
        assert found == pytest.approx(response.values[seat], abs=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        TINY,
        pairs.Rules(deck=3, target=3, reshuffle="exhausted", burn=1),
        pairs.Rules(
            players=3, deck={1: 2, 2: 2, 3: 1}, target=2, deal=1, first="lowest"
        ),
    ],
    ids=["three", "exhausted", "lowest"],
)
def test_as_any_game(rules: pairs.Rules) -> None:
    """Each policy of a seat, asked state by state, in Fractions."""
    given: list[Any] = [
        pairs.HitBelow("1/3", or_equal=True),
        "optimal",
        pairs.best_response(rules, "never_hit"),
    ]
    given = given[: rules.players]
    policies = [oracles.by_states(rules, policy) for policy in given]
    exactly = play.evaluate(rules.game(), policies, backend="exact").value
    found = pairs.evaluate(rules, given).value
    assert found == pytest.approx([float(x) for x in exactly], abs=1e-14)


def test_the_same_policy_is_evaluated_once() -> None:
    """With turns that are alike, there is no second table of the same."""

    def low(view: pairs.View) -> Any:
        return view.hand.sum(axis=1) < 2

    tables = pairs.evaluate(FOUR, ["never_hit", low, "never_hit", low]).tables
    assert np.shares_memory(tables[0], tables[2])
    assert not np.shares_memory(tables[0], tables[1])
    one = pairs.evaluate(FOUR, low)
    assert one.policies == ("low",) * 4
    assert all(np.shares_memory(one.tables[0], table) for table in one.tables)


def test_decks_that_are_remembered() -> None:
    rules = pairs.Rules(deck=3, target=4, reshuffle="exhausted")
    solution = pairs.solve(rules)
    chances = pairs.evaluate(rules, "optimal")
    deck = {2: 1, 3: 3}
    there = solution.value_at([1, 3], deck=deck)
    assert chances.value_at([1, 3], deck=deck) == there
    assert chances.value_at([3, 1], leader=1, deck=deck) == there[::-1]
    assert there != solution.value_at([1, 3])


def test_games_without_a_loser() -> None:
    """The essay's program stops where the deck runs out, in one game of five."""
    rules = pairs.Rules(deck=3, target=5, reshuffle="essay")
    chances = pairs.evaluate(rules, "always_hit")
    assert sum(chances.value) == pytest.approx(0.8)
    assert sum(chances.lose) == pytest.approx(0.8)
    assert chances.lose == pytest.approx(chances.value[::-1])


def test_print() -> None:
    chances = pairs.evaluate(SMALL, ["fifty_percent", "optimal", "always_hit"])
    lines = str(chances).splitlines()
    assert lines[0].split() == ["seat", "policy", "wins", "loses"]
    for seat, line in enumerate(lines[1:]):
        win, lose = chances.value[seat], chances.lose[seat]
        name = chances.policies[seat]
        assert line.split() == [str(seat), name, f"{win:.6f}", f"{lose:.6f}"]
        for text in (name, f"{win:.6f}", f"{lose:.6f}"):
            assert text in str(chances._repr_html_())
    frame = chances.to_pandas()
    assert frame.index.name == "seat"
    assert tuple(frame["win"]) == chances.value
    assert tuple(frame["lose"]) == chances.lose
    again = pickle.loads(pickle.dumps(chances))
    assert again == chances
    assert again.value_at([1, 0, 2], leader=2) == chances.value_at([1, 0, 2], leader=2)


@pytest.mark.parametrize(
    ("policies", "error", "message"),
    [
        (["optimal"] * 2, ValueError, "policies must be one for each of 3 players"),
        (["optimal", "best", "optimal"], ValueError, "policies[1] must be one of"),
        (3, TypeError, "policies must be a policy (a name, a callable"),
        (lambda view: 1, ValueError, "policies must return an array of bool"),
        (pairs.HitBelow, TypeError, "policies must be an instance of HitBelow"),
    ],
)
def test_no_policies(policies: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        pairs.evaluate(SMALL, policies)


def test_other_arguments() -> None:
    chances = pairs.evaluate(SMALL, "never_hit")
    with pytest.raises(ValueError, match="leader must be an integer from 0 to 2, got"):
        chances.value_at([0, 0, 0], leader=3)
    with pytest.raises(ValueError, match="scores must hold an integer from 0 to 2 for"):
        chances.value_at([0, 3, 0])
    with pytest.raises(
        ValueError, match="deck is for rules under which discards stay out"
    ):
        chances.value_at([0, 0, 0], deck={1: 1})
    with pytest.raises(TypeError, match="rules must be"):
        pairs.evaluate(3, "never_hit")  # type: ignore[arg-type]


def by_cards(view: pairs.View) -> Any:
    return {"hit": view.lowest, "fold": 1 + view.hand.sum(axis=1)}


def by_scores(view: pairs.View) -> Any:
    share = view.scores[:, 0] / view.rules.target
    cards = view.hand.sum(axis=1)[:, None]
    return (share + cards) / (2 + cards)


def one_in_four(_view: pairs.View) -> Any:
    return {"hit": 1, "fold": 3}


MIXING: list[Any] = [by_cards, by_scores, one_in_four]
TWO = pairs.Rules(deck=3, target=4, reshuffle="exhausted")


@pytest.mark.parametrize("rules", [TINY, TWO], ids=["three", "two"])
def test_players_who_mix_as_in_any_game(rules: pairs.Rules) -> None:
    given = MIXING[: rules.players]
    policies = [oracles.by_states(rules, policy) for policy in given]
    game = rules.game()
    expected = play.evaluate(game, policies).value
    found = pairs.evaluate(rules, given)
    assert found.value == pytest.approx(expected, abs=1e-13)
    games = 40_000
    simulated = pairs.simulate(rules, given, games=games, rng=1)
    errors = 4.5 * np.array(simulated.standard_errors)
    assert (np.abs(np.array(simulated.win_rates) - expected) < errors).all()
    assert simulated.hit_rate == pytest.approx(found.hit_rate, abs=0.02)
    seats = range(rules.players)
    for policy, by_state in zip(given, policies, strict=True):
        best = pairs.best_response(rules, policy)
        every = [by_state] * rules.players
        right = [play.best_response(game, every, i).value[i] for i in seats]
        assert best.values == pytest.approx(right, abs=1e-12)
        lost = pairs.regret(rules, policy)
        assert lost.loss == pytest.approx(best.gain, abs=1e-12)
        kinds = sum(cost for _, cost in lost.by_kind.values())
        assert kinds == pytest.approx(lost.loss, abs=1e-12)
        assert set(best.round([0] * rules.players)._columns()[1]["action"]) >= {"mix"}


def test_a_player_who_mixes_in_one_position() -> None:
    position: dict[str, Any] = {"hand": [3], "others": [2], "scores": [1, 1]}
    assert pairs.decision(one_in_four, **position) == {"hit": 0.25, "fold": 0.75}
    assert pairs.decision(lambda view: np.ones(1), **position) == "hit"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.full(1, 1.5), "must return an array of bool of shape .*, from 0 to 1$"),
        (np.full(1, np.nan), "floats must be probabilities of a hit, from 0 to 1$"),
        ({"hit": 1, "stay": 1}, r"weights of 'hit' and 'fold', got \['hit', 'stay'\]"),
        ({"hit": -1, "fold": 2}, "must return finite weights >= 0 with positive sums"),
        ({"hit": 0.0}, "must return finite weights >= 0 with positive sums"),
    ],
)
def test_mixtures_that_are_none(answer: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pairs.decision(lambda _: answer, hand=[3], others=[2], scores=[1, 1])
