"""What policies are worth, do and give away, against evaluation state by state."""

from __future__ import annotations

import itertools
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardgames_dp import exact, pairs, play
from cardgames_dp.pairs import FoldUpTo, HitBelow, Rules, SumBelow, View
from cardgames_dp.pairs._kernels import sweeps as sweep_module
from cardgames_dp.pairs._kernels.game import Decisions
from cardgames_dp.pairs.solution import sweep_of

from . import oracles
from .counted import win_rate
from .strategies import small_rules

NAMES = sorted(oracles.PLAYS)
SMALL = Rules(players=3, deck=3, target=3)
FOUR = Rules(players=4, deck=4, target=3)
FIELDS = ("choices", "hits", "folds", "pairs")
"""Counts of a simulation; the last one is no member of an evaluation."""
PLAYS: dict[Any, oracles.Play] = {
    **oracles.PLAYS,
    HitBelow(0.3): lambda r, s: oracles.chances(r, s)[0] < 0.3,
    HitBelow(0): lambda r, s: False,
    HitBelow(1): lambda r, s: oracles.chances(r, s)[0] < 1,
    FoldUpTo(0): lambda r, s: True,
    FoldUpTo(2): lambda r, s: oracles.lowest(r, s) > 2,
}


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


def value(game: Any) -> list[float]:
    return [*map(float, exact.solve(game, max_states=200_000).payoffs)]


def by_cards(view: View) -> Any:
    return {"hit": view.lowest, "fold": 1 + view.hand.sum(axis=1)}


def by_scores(view: View) -> Any:
    share = view.scores[:, 0] / view.rules.target
    cards = view.hand.sum(axis=1)[:, None]
    return (share + cards) / (2 + cards)


def one_in_four(_view: View) -> Any:
    return {"hit": 1, "fold": 3}


def behind(view: View) -> Decisions:
    """Take risks while having more points than the next player."""
    more: Decisions = view.scores[:, 0] > view.scores[:, 1]
    return more[None, :] | (view.lowest > 2)[:, None]


@pytest.mark.slow
@given(small_rules(), st.data())
def test_every_seat_as_the_oracle_says(rules: Rules, data: st.DataObject) -> None:
    """Chances of winning and losing, from the start and from anywhere; what happens."""
    n, names = rules.players, [*PLAYS, "optimal"]
    given_: list[Any] = data.draw(
        st.lists(st.sampled_from(names), min_size=n, max_size=n)
        | st.sampled_from(names).map(lambda name: [name] * n)
    )
    found = pairs.evaluate(rules, given_)
    assert found.policies == tuple(map(str, given_))
    known = dict(PLAYS)
    if "optimal" in given_:
        known["optimal"] = oracles.optimal(rules)
    plays = {seat: known[name] for seat, name in enumerate(given_)}
    assert found.payoffs == pytest.approx(oracles.value(rules, plays), abs=1e-13)
    assert found.lose == pytest.approx(value(Losing(rules, plays)), abs=1e-13)
    assert found.value_at([0] * n) == found.payoffs
    scores = data.draw(st.tuples(*[st.integers(0, rules.target - 1)] * n))
    leader = data.draw(st.integers(0, n - 1))
    # Optimal play is that of the whole game, whatever is reached from elsewhere.
    if "optimal" not in given_:
        expected = value(From(rules, plays, scores, leader))
        there = found.value_at(scores, leader=leader)
        assert there == pytest.approx(expected, abs=1e-13)
    usual = oracles.usual(rules, *plays.values())
    for field in FIELDS[:3]:
        mean = pytest.approx(float(usual[field]), abs=1e-12)
        assert getattr(found, field) == mean, field
    assert found.rounds == pytest.approx(float(usual["folds"] + usual["pairs"]))
    again = pickle.loads(pickle.dumps(found))
    assert (again, again.rounds) == (found, found.rounds)


def as_policy(rules: Rules, thumb: oracles.Play) -> Any:
    """Return a rule of thumb as a policy of states."""
    game = rules.game()

    def policy(state: pairs.State) -> Any:
        actions = game.legal_actions(state)
        hit = len(actions) == 2 and thumb(rules, state)
        return "hit" if hit else actions[-1] if len(actions) == 1 else "fold"

    return policy


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 2)
@given(
    small_rules(), st.sampled_from(NAMES), st.sampled_from([None, "optimal", *NAMES])
)
def test_responses_and_regrets_as_of_any_game(
    rules: Rules, name: Any, against: Any
) -> None:
    """A player in each seat in turn; the mean of what they give away."""
    game, n = rules.game(), rules.players
    own = others = as_policy(rules, oracles.PLAYS[name])
    if against == "optimal":
        others = as_policy(rules, oracles.optimal(rules))
    elif against is not None:
        others = as_policy(rules, oracles.PLAYS[against])
    found = pairs.regret(rules, name, against, most=10**6)
    by_seat, best = [], []
    for seat in range(n):
        profile = [others] * n
        best.append(play.best_response(game, profile, seat).payoffs[seat])
        profile[seat] = own
        by_seat.append(play.regret(game, profile, seat))
    losses = [regret.loss for regret in by_seat]
    assert found.loss_by_seat == pytest.approx(losses, abs=1e-12)
    assert found.loss == pytest.approx(np.mean(losses), abs=1e-12)
    mistakes = [regret.reach[regret.given_up > 1e-12].sum() for regret in by_seat]
    assert found.mistakes == pytest.approx(np.mean(mistakes), abs=1e-12)
    # A position on the table is a state for each player who may be to move in it.
    states: dict[Any, float] = {}
    for seat, regret in enumerate(by_seat):
        for state, cost in zip(regret.states, regret.cost, strict=True):
            turned = [
                np.roll(each, -seat, axis=0) for each in (state.hands, state.scores)
            ]
            key = (*(each.tobytes() for each in turned), state.unseen)
            states[key] = states.get(key, 0.0) + cost / n
    costs = [each.cost for each in found.dearest]
    dearest = sorted(states.values(), reverse=True)[: len(costs)]
    assert costs == pytest.approx(dearest, abs=1e-12)
    assert costs == sorted(costs, reverse=True)
    assert sum(costs) == pytest.approx(found.loss, abs=1e-12)
    few = pairs.regret(rules, name, against, most=3)
    assert (few.loss, few.mistakes) == (found.loss, found.mistakes)
    # Of positions that cost the same, to rounding, either may be the dearer one.
    assert [each.cost for each in few.dearest] == pytest.approx(costs[:3], abs=1e-15)
    response = pairs.best_response(rules, name if against is None else against)
    assert response.values == pytest.approx(best, abs=1e-12)
    assert response.mean == pytest.approx(np.mean(best))
    for each in found.dearest[:5]:
        where: Any = {
            "hand": each.hand,
            "others": each.others,
            "scores": each.scores,
            "deck": each.unseen,
        }
        advice = response.advice(**where)
        assert {each.taken, advice.action} == {"hit", "fold"}
        assert each.given_up == pytest.approx(advice.margin, abs=1e-13)
        assert each.cost == each.reach * each.given_up
        assert pairs.decision(name, **where, rules=rules) == each.taken


@pytest.mark.slow
@given(small_rules(), st.sampled_from([*NAMES, "optimal"]))
def test_a_best_response_is_a_policy(rules: Rules, name: Any) -> None:
    """It wins what it promises, and its rounds say what is done in them."""
    response, n = pairs.best_response(rules, name), rules.players
    for policy in (response, response.policy):
        rate = win_rate(rules, policy, name)
        assert rate.values == pytest.approx(response.values, abs=1e-13)
        assert (rate.a, rate.b) == (f"best response to {name}", name)
    assert pickle.loads(pickle.dumps(response)) == response
    scores = [0] * n
    if name == "optimal":
        solution = pairs.solve(rules)
        assert response.values == solution.payoffs
        for seat in range(n):
            values = response.round(scores, seat=seat).values.tolist()
            assert values == solution.round(scores).values.tolist()
        assert pairs.regret(rules, response).loss == 0
        return
    thumb = oracles.PLAYS[name]
    for seat in range(n):
        table = response.round(scores, seat=seat)
        choice = table.can_hit & table.can_fold
        ours = choice & (table.cards % n == seat)
        lead = table.hit[ours, 0] - table.fold[ours, 0]
        best = np.where(lead > 1e-12, True, rules.tie == "hit") & (lead > -1e-12)
        assert (table.hits[ours] == best).all()
        for i in np.flatnonzero(choice & ~ours):
            mover = int(table.cards[i]) % n
            hands = np.roll(table.hands[i], mover, axis=0).tolist()
            unseen = tuple(table.unseen[i].tolist())
            state = pairs.State(
                tuple(scores), tuple(map(tuple, hands)), unseen, mover, drawing=False
            )
            assert table.hits[i] == thumb(rules, state)
    value = pairs.solve(rules).payoffs
    if n == 2 and rules.reshuffle != "essay":  # nothing beats optimal play
        ahead = win_rate(rules, "optimal", name).values
        assert (np.array(value) <= np.array(ahead) + 1e-13).all()
        assert (np.array(ahead) <= np.array(response.values) + 1e-13).all()


ODD = [
    Rules(players=3, deck={1: 2, 2: 1, 3: 1}, target=2),
    Rules(deck=3, target=2, reshuffle="exhausted", burn=1),
    Rules(3, {1: 2, 2: 2, 3: 1}, 2, deal=1, first="lowest"),
    # Deals are interrupted by reshuffles: who is dealt the first card matters.
    Rules(2, {1: 1, 2: 2, 3: 2}, 2, "exhausted", 1, "lowest"),
    Rules(deck=3, target=2, reshuffle="essay"),
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", ODD, ids=["three", "burn", "lowest", "both", "essay"])
def test_policies_of_all_kinds_as_of_any_game(rules: Rules) -> None:
    """Each policy of a seat, asked state by state; thresholds, mixtures, records."""
    kinds: list[Any] = [
        *(by_scores, "optimal", pairs.best_response(rules, "never_hit")),
        *(HitBelow("1/3", or_equal=True), by_cards, SumBelow(4, 1)),
    ]
    game, n = rules.game(), rules.players
    for at in range(0, len(kinds) - n + 1, n):
        given_ = kinds[at : at + n]
        policies = [oracles.by_states(rules, policy) for policy in given_]
        expected = play.evaluate(game, policies).payoffs
        found = pairs.evaluate(rules, given_)
        assert found.payoffs == pytest.approx([*map(float, expected)], abs=1e-13)
    for policy in (by_cards, by_scores):
        response, seats = pairs.best_response(rules, policy), range(n)
        every = [oracles.by_states(rules, policy)] * n
        right = [play.best_response(game, every, i).payoffs[i] for i in seats]
        assert response.values == pytest.approx(right, abs=1e-12)
        lost = pairs.regret(rules, policy)
        losses = [play.regret(game, every, i).loss for i in seats]
        assert lost.loss_by_seat == pytest.approx(losses, abs=1e-12)


def test_policies_that_need_no_second_table() -> None:
    """With turns that are alike; a solution of these very rules is "optimal"."""

    def low(view: View) -> Any:
        return view.hand.sum(axis=1) < 2

    tables = pairs.evaluate(FOUR, ["never_hit", low, "never_hit", low]).tables
    assert np.shares_memory(tables[0], tables[2])
    assert not np.shares_memory(tables[0], tables[1])
    one = pairs.evaluate(FOUR, low)
    assert one.policies == ("low",) * 4
    assert all(np.shares_memory(one.tables[0], table) for table in one.tables)
    for rules in (SMALL, Rules(deck=3, target=5, reshuffle="exhausted")):
        solution = pairs.solve(rules)
        known = win_rate(rules, solution, "fifty_percent")
        assert known.values == win_rate(rules, "optimal", "fifty_percent").values

        def ask(view: View, solution: pairs.Solution = solution) -> Any:
            return solution.policy(view)

        asked = win_rate(rules, ask, "fifty_percent")
        assert asked.values == pytest.approx(known.values, abs=1e-14)


def test_decks_that_are_remembered() -> None:
    rules = Rules(deck=3, target=4, reshuffle="exhausted")
    solution, chances = pairs.solve(rules), pairs.evaluate(rules, "optimal")
    deck = {2: 1, 3: 3}
    there = solution.value_at([1, 3], deck=deck)
    assert chances.value_at([1, 3], deck=deck) == there
    assert chances.value_at([3, 1], leader=1, deck=deck) == there[::-1]
    assert there != solution.value_at([1, 3])


KINDS = {
    "round": Rules(deck=4, target=4),
    "burned": Rules(deck=3, target=4, burn=2, capacity=2),
    "exhausted lowest": Rules(2, {1: 2, 2: 2, 3: 3}, 3, "exhausted", 1, "lowest", 1),
    "essay": Rules(deck=3, target=4, reshuffle="essay"),
    "three": Rules(players=3, deck=3, target=3),
    "three lowest": Rules(3, 4, 2, deal=1, first="lowest", tie="hit"),
}


def by_rounds(response: pairs.Response) -> Any:
    """A best response's decisions, looked up in its rounds one after the other."""
    rounds: dict[Any, dict[Any, bool]] = {}

    def in_round(scores: tuple[int, ...], seat: int) -> dict[Any, bool]:
        key = scores, seat
        if key not in rounds:
            table = response.round(scores, seat=seat)
            cards = np.concatenate([table.hands, table.unseen[:, None]], axis=1)
            rows = zip(cards.tolist(), table.hits.tolist(), strict=True)
            rounds[key] = {repr(row): hits for row, hits in rows}
        return rounds[key]

    def slowly(view: View) -> Decisions:
        hands = np.concatenate([view.hand[:, None], view.others], axis=1)
        hits = np.zeros((len(hands), len(view.scores)), bool)
        for i, j in itertools.product(range(len(hands)), range(len(view.scores))):
            seat = int(hands[i].sum()) % view.rules.players
            scores = tuple(np.roll(view.scores[j], seat).tolist())
            row = [*hands[i].tolist(), view.unseen[i].tolist()]
            hits[i, j] = in_round(scores, seat)[repr(row)]
        return hits

    return slowly


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_responses_state_by_state(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole rounds from tables are what single positions are, bit for bit.

    Those kept, those after a pickle, those too many to keep, and those of threads.
    """
    rules, other = KINDS[kind], "expected_points"
    response = pairs.best_response(rules, "expected_points")
    pickled = pickle.loads(pickle.dumps(response))
    with ThreadPoolExecutor(2) as pool:
        threads = pairs.best_response(rules, "expected_points", executor=pool)
    with monkeypatch.context() as patch:
        patch.setattr(sweep_module, "_MOST_KEPT", 0)
        large = pairs.best_response(rules, "expected_points")
        assert sweep_of(large)._decisions is None
    slowly: Any = by_rounds(response)
    slow = pairs.evaluate(rules, [slowly, *[behind] * (rules.players - 1)])
    bits = sweep_of(response).decisions().bits
    for policy in (response, pickled, threads, large):
        fast = pairs.evaluate(rules, [policy, *[behind] * (rules.players - 1)])
        for name in ("value", "rounds", *FIELDS[:3]):
            assert getattr(fast, name) == getattr(slow, name), name
        assert (sweep_of(policy).decisions().bits == bits).all()
    assert sweep_of(pickled).decisions() is sweep_of(pickled).decisions()
    one, another = (
        pairs.simulate(rules, [p] + [other] * (rules.players - 1), games=200, rng=3)
        for p in (response, slowly)
    )
    assert one.rounds == another.rounds
    for name in ("final_scores", *FIELDS):
        assert (getattr(one, name) == getattr(another, name)).all(), name


def test_a_response_to_a_response() -> None:
    rules = KINDS["round"]
    response = pairs.best_response(rules, "never_hit")
    back = pairs.best_response(rules, response)
    same = pairs.best_response(rules, by_rounds(response))
    assert back.values == same.values
    again = pickle.loads(pickle.dumps(back))
    assert again == back
    assert again.round([0, 1], seat=1) == same.round([0, 1], seat=1)


@pytest.mark.slow
def test_in_another_game() -> None:
    """A player who remembers discards where they return, and one who does not count."""
    shuffled = Rules(deck=3, target=5)
    remembered = Rules(deck=3, target=5, reshuffle="exhausted")
    counts = np.array(shuffled.counts)
    without = pairs.best_response(shuffled, "expected_points")
    known = by_rounds(without)

    def as_if_fresh(view: View) -> Any:
        unseen = counts - view.table
        return known(View(shuffled, view.hand, view.others, unseen, view.scores))

    slow = win_rate(remembered, as_if_fresh, "never_hit")
    assert win_rate(remembered, without, "never_hit").values == slow.values
    with_discards = pairs.best_response(remembered, "expected_points")
    slow = win_rate(shuffled, by_rounds(with_discards), "never_hit")
    assert win_rate(shuffled, with_discards, "never_hit").values == slow.values
    rate = win_rate(remembered, "optimal", pairs.solve(shuffled).policy)
    assert 0.5 < rate.mean < 0.7
    policy = oracles.optimal(shuffled)

    def forgetful(_: Rules, state: pairs.State) -> bool:
        unseen = tuple((counts - np.sum(state.hands, axis=0)).tolist())
        return policy(shuffled, state._replace(unseen=unseen))

    plays = {0: oracles.optimal(remembered), 1: forgetful}
    assert rate.first == pytest.approx(oracles.value(remembered, plays)[0], abs=1e-13)


@pytest.mark.parametrize("kind", ["round", "three"])
def test_advice_and_opening_of_a_response(kind: str) -> None:
    """What the responder's rounds say, in either seat."""
    rules, n = KINDS[kind], KINDS[kind].players
    response, at = pairs.best_response(rules, "always_hit"), (2, 1, 0)[:n]
    rounds = [response.round(at, seat=seat) for seat in range(n)]
    for seat, table in enumerate(rounds):
        columns = table._columns()[1]
        for i in np.flatnonzero(table.cards % n == seat)[::3]:
            scores = [*at[seat:], *at[:seat]]
            hand, others = columns["hand"][i], columns["others"][i]
            advice = response.advice(hand=hand, others=[*others], scores=scores)
            assert advice.action == columns["action"][i]
            for name in ("hit", "fold"):
                assert columns[name][i] == advice.values.get(name)
            assert advice.returns == tuple(table.values[i].tolist())
            if len(advice.values) == 2:
                decided = pairs.decision(
                    *(response.policy,), hand=hand, others=[*others], scores=scores,
                    rules=rules,
                )  # fmt: skip
                assert decided == advice.action
    table, opening = rounds[0], response.opening_table(at)
    one_each = (table.cards == n) & (table.hands.sum(axis=2) == 1).all(axis=1)
    assert opening.hits.sum() == table.hits[one_each].sum() > 0
