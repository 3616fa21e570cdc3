"""Pairs' own sweeps against the general backends, which see every state."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardgames_dp import exact, game, pairs, play
from cardgames_dp.pairs import FoldUpTo, HitBelow, Rules, SumBelow
from cardgames_dp.pairs._kernels import sweeps as sweep_module
from cardgames_dp.pairs.rounds import solved_by_pairs

from ..refusals import value_error
from . import oracles
from .strategies import small_rules

NAMES = sorted(oracles.PLAYS)
PLAYS: dict[Any, oracles.Play] = {
    **oracles.PLAYS,
    HitBelow(0.3): lambda r, s: oracles.chances(r, s)[0] < 0.3,
    HitBelow(0): lambda r, s: False,
    HitBelow(1): lambda r, s: oracles.chances(r, s)[0] < 1,
    FoldUpTo(0): lambda r, s: True,
    FoldUpTo(2): lambda r, s: oracles.lowest(r, s) > 2,
}


# Functions of states: of arrays, of single states, that mix, and look at seats.


def by_scores(state: Any) -> Any:
    hand, _, scores, unseen, *_ = state
    hit = 2 + scores[:, 0] + hand.sum(axis=1) + unseen[:, 0]
    return {"hit": hit, "fold": 1 + scores[:, -1]}


def one_by_one(state: Any) -> Any:
    if sum(state.hand) < 2:
        return {"hit": 2, "fold": Fraction(1, 3)}
    return "hit" if state.scores[0] > state.scores[1] else "fold"


def one_in_four(_state: Any) -> Any:
    return {"hit": 1, "fold": 3}


def by_seat(state: Any) -> Any:
    return np.where((state.player + state.hand.sum(axis=1)) % 2, "hit", "fold")


def behind(state: Any) -> Any:
    """Take risks while having more points than the next player."""
    more = state.scores[:, 0] > state.scores[:, 1]
    few = state.hand.sum(axis=1) < 2
    return np.where(more | few, "hit", "fold")


FUNCTIONS = (by_scores, one_by_one, one_in_four, by_seat, behind)


def policy_for(rules: Rules, name: Any) -> Any:
    """Return a policy, of which some have to be made for the rules."""
    if name == "response":
        return response_to(rules, "never_hit")
    if name == "solution":
        return pairs.solve(rules)
    if name == "exact":
        return pairs.solve(rules, backend="exact")
    if name == "mapping":
        states = exact.solve(game.explore(pairs.game(rules))).policy
        return {
            state: "fold" if any(map(any, (state.hand, *state.others))) else "hit"
            for state in states
        }
    if name == "mixture":
        return play.mixture({"optimal": 1, "fifty_percent": 2, by_scores: 1})
    return name


IN_SWEEPS = st.sampled_from(
    [*PLAYS, "optimal", SumBelow(4, 1), *FUNCTIONS, "response", "solution", "mixture"]
)
KINDS_OF_POLICIES = IN_SWEEPS | st.sampled_from(["exact", "mapping"])


def response_to(rules: Rules, other: Any) -> Any:
    others = [other] * (rules.players - 1)
    return play.best_response(pairs.game(rules), [None, *others], 0)


def explored_of(rules: Rules, goal: Any = "win") -> Any:
    return game.explore(pairs.game(rules, goal=goal), max_states=300_000)


def all_states(explored: Any) -> Any:
    return explored.states_at(np.arange(explored.num_states))


def same_values(result: Any, known: Any, close: float = 1e-12) -> None:
    """Compare all states; with bounds of errors, if there are any."""
    states = all_states(known.explored)
    assert result._source.reaches(states).all()
    values, right = result.payoffs_at(states), known.payoffs_at(states)
    assert values == pytest.approx(right.astype(float), abs=close)
    bound = result.errors(states) + known.errors(states)
    assert (np.abs(values - right).max(axis=1) <= bound).all()


def seated(players: int, policies: st.SearchStrategy[Any]) -> Any:
    """A policy for each seat, or one for all."""
    each = st.lists(policies, min_size=players, max_size=players)
    return each | policies.map(lambda policy: [policy] * players)


def same_moves(result: Any, known: Any) -> None:
    """A game played along in the values of policies, or against them, is the same."""
    one, other = play.Position(result), play.Position(known)
    for turn in range(6):
        assert one.player == other.player
        assert one.actions == other.actions
        assert {*one.outcomes} == {*other.outcomes}
        if one.over:
            return
        every = sorted(other.outcomes) if other.outcomes else other.actions
        move = every[turn % len(every)]
        one, other = one.play(move), other.play(move)


@pytest.mark.slow
@given(small_rules(), st.data())
def test_values_of_policies(rules: Rules, data: st.DataObject) -> None:
    """In all states, for any policies, as of an explored game."""
    n = rules.players
    names = data.draw(seated(n, KINDS_OF_POLICIES))
    goals = ["win"] if rules.reshuffle == "essay" else ["win", "points"]
    goal: Any = data.draw(st.sampled_from(goals))
    explored = explored_of(rules, goal)
    policies = [policy_for(rules, name) for name in names]
    result = play.evaluate(pairs.game(rules, goal=goal), policies)
    known = play.evaluate(explored, policies)
    # Optimal play of several players in floats may differ where ties matter to others.
    same_values(result, known)
    same_moves(result, known)
    assert dict(result.policy) == {}
    assert result.value == result.payoffs[0]


@pytest.mark.slow
@given(small_rules(), st.data())
def test_best_responses_and_mistakes(rules: Rules, data: st.DataObject) -> None:
    """Values in all states, decisions, regrets, and what the costs sum to."""
    n = rules.players
    names = data.draw(seated(n, IN_SWEEPS))
    player = data.draw(st.integers(0, n - 1))
    tie_break: Any = data.draw(st.sampled_from(["first", "last"]))
    policies = [policy_for(rules, name) for name in names]
    explored, own = explored_of(rules), pairs.game(rules)
    result = play.best_response(own, policies, player, tie_break=tie_break)
    known = play.best_response(explored, policies, player, tie_break=tie_break)
    assert result.before == pytest.approx(known.before, abs=1e-12)
    states = all_states(explored)
    mine = result.solution.payoffs_at(states)[:, player]
    right = known.solution.payoffs_at(states)[:, player]
    assert mine == pytest.approx(right, abs=1e-12)
    if n == 2:
        same_values(result.solution, known.solution)
    same_moves(result.solution, known.solution)
    deciding = states[explored.graph.players == player]
    if len(deciding) and n == 2:
        best, same = (x.solution.optimal_actions(deciding) for x in (known, result))
        assert np.array_equal(best, same)
    lost, right = (play.regret(x, policies, player) for x in (own, explored))
    assert lost.loss == pytest.approx(right.loss, abs=1e-12)
    assert abs(lost.loss - right.loss) <= lost.error + right.error
    assert lost.num_states == (right.reach > 0).sum()
    assert sorted(lost.cost, reverse=True) == lost.cost.tolist()
    places = {state: i for i, state in enumerate(right.states)}
    at = [places[state] for state in lost.states]
    for what in ("cost", "reach", "given_up"):
        mine, known_of = getattr(lost, what), getattr(right, what)
        assert mine == pytest.approx(known_of[at], abs=1e-12)
    assert lost.cost.sum() == pytest.approx(right.cost.sum(), abs=1e-12)
    assert lost.mistakes == (right.given_up[right.reach > 0] > 1e-12).sum()
    for of, known_of in ((lost.taken, right.taken), (lost.best, right.best)):
        assert [*of] == [known_of[i] for i in at]
    few = play.regret(own, policies, player, most=3)
    assert (few.loss, few.mistakes) == (lost.loss, lost.mistakes)
    assert few.cost.tolist() == pytest.approx(lost.cost[:3].tolist(), abs=1e-15)


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 2)
@given(small_rules(), st.data())
def test_distributions(rules: Rules, data: st.DataObject) -> None:
    """Of returns, for several goals, and of moves of each kind."""
    n = rules.players
    names = data.draw(seated(n, KINDS_OF_POLICIES))
    goals = ["win"] if rules.reshuffle == "essay" else ["win", "points"]
    goal: Any = data.draw(st.sampled_from(goals))
    count = data.draw(st.sampled_from([None, "fold", "hit"]))
    policies = [policy_for(rules, name) for name in names]
    own, explored = pairs.game(rules, goal=goal), explored_of(rules, goal)
    try:
        known = play.distribution(explored, policies, count=count)
    except ValueError:  # nobody ever takes it
        value_error("count", play.distribution, own, policies, count=count)
        return
    result = play.distribution(own, policies, count=count)
    for one, other in zip(
        (*result.returns, result.moves), (*known.returns, known.moves), strict=True
    ):
        assert one.of == other.of
        assert one.support.tolist() == other.support.tolist()
        off = np.abs(one.probabilities - other.probabilities)
        assert off.max() < 1e-12
        assert off.max() <= result.error + known.error
    states = all_states(explored)
    reach = known.reach(states)
    assert result.reach(states) == pytest.approx(reach, abs=1e-12)


@pytest.mark.slow
@given(small_rules(), st.data())
def test_rates_as_the_oracle_says(rules: Rules, data: st.DataObject) -> None:
    """What happens in a game, by the game followed literally."""
    n, names = rules.players, st.sampled_from([*PLAYS, "optimal"])
    given_ = data.draw(seated(n, names))
    result = pairs.rates(rules, given_)
    assert result.policies == tuple(map(str, given_))
    known = dict(PLAYS)
    if "optimal" in given_:
        known["optimal"] = oracles.optimal(rules)
    plays = {seat: known[name] for seat, name in enumerate(given_)}
    assert result.payoffs == pytest.approx(oracles.value(rules, plays), abs=1e-13)
    usual = oracles.usual(rules, *plays.values())
    for field, each in result.counts.items():
        mean = pytest.approx(float(usual[field]), abs=1e-12)
        assert each.sum() == mean, field
    assert result.rounds == pytest.approx(float(usual["folds"] + usual["pairs"]))
    values = play.evaluate(pairs.game(rules), given_)
    start = pairs.state(rules=rules)
    for leader in range(n):
        there = values.payoffs_at(start._replace(player=leader))
        assert result.by_leader[leader] == there
    assert result.mean == pytest.approx(np.mean(result.by_leader, axis=0))
    assert sum(result.lose) == pytest.approx(1) or rules.reshuffle == "essay"
    again = pickle.loads(pickle.dumps(result))
    assert (again, again.rounds) == (result, result.rounds)


KINDS = {
    "round": Rules(deck=4, target=4),
    "burned": Rules(deck=3, target=4, burn=2, capacity=2),
    "exhausted lowest": Rules(2, {1: 2, 2: 2, 3: 3}, 3, "exhausted", 1, "lowest", 1),
    "essay": Rules(deck=3, target=4, reshuffle="essay"),
    "three": Rules(players=3, deck=3, target=3),
    "three lowest": Rules(3, 4, 2, deal=1, first="lowest", tie="hit"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_best_response_is_a_policy(kind: str, monkeypatch: Any) -> None:
    """It wins what it promises: those kept, pickled, and too many to keep."""
    rules, others = KINDS[kind], [behind] * (KINDS[kind].players - 1)
    response = response_to(rules, "expected_points")
    again = pickle.loads(pickle.dumps(response))
    assert again.solution == response.solution
    with monkeypatch.context() as patch:
        patch.setattr(sweep_module, "_MOST_KEPT", 0)
        large = response_to(rules, "expected_points")
        assert solved_by_pairs(large).sweep._decisions is None
    thumbs = ["expected_points"] * (rules.players - 1)
    rates = pairs.rates(rules, [response, *thumbs])
    assert rates.payoffs == pytest.approx(response.payoffs, abs=1e-13)
    best = pairs.rates(rules, [None, *thumbs])
    assert np.array(best.by_leader) == pytest.approx(
        np.array(rates.by_leader), abs=1e-13
    )
    explored = explored_of(rules)
    states = all_states(explored)
    slow = play.evaluate(explored, [response.policy, *others]).payoffs_at(states)
    for policy in (response, response.policy, again, large):
        fast = play.evaluate(pairs.game(rules), [policy, *others])
        assert fast.payoffs_at(states) == pytest.approx(slow, abs=1e-13)


def test_a_response_to_a_response() -> None:
    rules = KINDS["round"]
    response = response_to(rules, "never_hit")
    back, slow = (
        play.best_response(where, [None, response], 0)
        for where in (pairs.game(rules), explored_of(rules))
    )
    same_values(back.solution, slow.solution)
    # The response itself sits in the other seat as well.
    assert play.evaluate(pairs.game(rules), [back, response]).value == pytest.approx(
        back.value, abs=1e-13
    )


@pytest.mark.slow
def test_in_another_game() -> None:
    """A player who remembers discards where they return, and one who does not count."""
    shuffled = Rules(deck=3, target=5)
    remembered = Rules(deck=3, target=5, reshuffle="exhausted")
    fresh, known = pairs.solve(shuffled), pairs.solve(remembered)
    for rules, policy in ((remembered, fresh), (shuffled, known)):
        one, other = (
            play.evaluate(where, ["optimal", policy])
            for where in (pairs.game(rules), explored_of(rules))
        )
        same_values(one, other)


@pytest.mark.parametrize("kind", ["round", "three"])
def test_rounds_and_openings_of_a_response(kind: str) -> None:
    """What advice says, in either seat."""
    rules, n = KINDS[kind], KINDS[kind].players
    response, at = response_to(rules, "always_hit"), (2, 1, 0)[:n]
    for leader in range(n):
        table = pairs.positions(response, at, leader=leader)
        columns = table._columns()[1]
        for i in np.flatnonzero((table.cards + leader) % n == 0)[::3]:
            hand, *others = map(tuple, table.hands[i].tolist())
            scores = np.roll(at, -(table.cards[i] % n)).tolist()
            unseen = tuple(table.unseen[i].tolist())
            state = pairs.State(hand, tuple(others), tuple(scores), unseen, 0, False)
            advice = response.solution.advice(state)
            assert advice.action == columns["action"][i]
            for name in ("hit", "fold"):
                assert columns[name][i] == advice.values.get(name)
            assert advice.payoffs == tuple(table.values[i].tolist())
            if len(advice.values) == 2:
                assert pairs.decision(response, state, rules=rules) == advice.action
    table, opening = pairs.positions(response, at), pairs.opening_table(response, at)
    one_each = (table.cards == n) & (table.hands.sum(axis=2) == 1).all(axis=1)
    assert opening.hits.sum() == table.hits[one_each].sum() > 0


def test_optimal_opponents_keep_the_tie_rule_of_the_game() -> None:
    """Whatever the responder does in ties."""
    game = pairs.game(Rules(players=3, deck={2: 3, 3: 3}, target=3, deal=1), goal=1)
    policies = ["always_hit", "optimal", "optimal"]
    exact = play.best_response(game, policies, 0, tie_break="last", backend="exact")
    rounded = play.best_response(game, policies, 0, tie_break="last")
    assert rounded.value == pytest.approx(float(exact.value), abs=1e-12)


def test_rounding_of_large_returns_is_in_the_error() -> None:
    """It decides where exact ties differ by more than the tolerance."""
    rules = Rules(deck={2: 1, 3: 3}, target=3, deal=1, tie="hit")

    def large(scores: Any) -> Any:
        return [-Fraction(x * 10**6, 3) for x in scores]

    rounded = pairs.solve(rules, goal=large)
    exact = pairs.solve(rules, goal=large, backend="exact")
    for state in exact.values:
        near, right = rounded.payoffs_at(state), exact.payoffs_at(state)
        for x, y in zip(near, right, strict=True):
            assert abs(Fraction(x) - y) <= Fraction(rounded.error)
