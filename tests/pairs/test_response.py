"""What a best response does wherever it is used, against asking it state by state."""

import itertools
import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from cardgames_dp import pairs
from cardgames_dp.pairs._kernels import backward as sweep_module
from cardgames_dp.pairs._kernels.game import Decisions
from cardgames_dp.pairs.advice import sweep_of

from .counted import compared, win_rate

THREE, FOUR = 3, 4
FLAT = {1: 2, 2: 2, 3: 3}

KINDS = {
    "round": pairs.Rules(deck=FOUR, target=9),
    "deal": pairs.Rules(deck=THREE, target=6, deal=1),
    "lowest": pairs.Rules(deck=FOUR, target=6, deal=1, first="lowest"),
    "ties hit": pairs.Rules(deck=THREE, target=6, tie="hit"),
    "burned": pairs.Rules(deck=THREE, target=6, burn=2, capacity={1: 1, 2: 2, 3: 1}),
    "exhausted": pairs.Rules(deck=THREE, target=5, reshuffle="exhausted"),
    "exhausted lowest": pairs.Rules(
        deck=FLAT, target=4, reshuffle="exhausted", deal=1, first="lowest", burn=1
    ),
    "essay": pairs.Rules(deck=THREE, target=5, reshuffle="essay"),
    "three": pairs.Rules(players=3, deck=THREE, target=4),
    "three lowest": pairs.Rules(
        players=3, deck=FOUR, target=4, deal=1, first="lowest", tie="hit"
    ),
}
OTHERS = ["expected_points", "fifty_percent_code", "never_hit", "optimal"]


def behind(view: pairs.View) -> Decisions:
    """Take risks while having more points than the next player."""
    more: Decisions = view.scores[:, 0] > view.scores[:, 1]
    return more[None, :] | (view.lowest > 2)[:, None]


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

    def slowly(view: pairs.View) -> Decisions:
        hands = np.concatenate([view.hand[:, None], view.others], axis=1)
        hits = np.zeros((len(hands), len(view.scores)), bool)
        for i, j in itertools.product(range(len(hands)), range(len(view.scores))):
            seat = int(hands[i].sum()) % view.rules.players
            scores = tuple(np.roll(view.scores[j], seat).tolist())
            row = [*hands[i].tolist(), view.unseen[i].tolist()]
            hits[i, j] = in_round(scores, seat)[repr(row)]
        return hits

    return slowly


@pytest.fixture(params=KINDS, ids=str)
def rules(request: pytest.FixtureRequest) -> pairs.Rules:
    return KINDS[request.param]


@pytest.mark.parametrize("other", [*OTHERS, behind])
@pytest.mark.parametrize("kind", KINDS)
def test_it_wins_what_it_promises(kind: str, other: Any) -> None:
    rules = KINDS[kind]
    response = pairs.best_response(rules, other)
    for policy in (response, response.policy):
        rate = win_rate(rules, policy, other)
        assert rate.values == pytest.approx(response.values, abs=1e-14)
        assert rate.a == f"best response to {rate.b}"


@pytest.mark.slow
def test_state_by_state(rules: pairs.Rules) -> None:
    """Whole rounds from tables are what single positions were, bit for bit."""
    other: Any = "expected_points"
    response = pairs.best_response(rules, other)
    slowly = by_rounds(response)
    fast = win_rate(rules, response, behind)
    slow = win_rate(rules, slowly, behind)
    assert fast.values == slow.values
    usual, expected = (pairs.evaluate(rules, p) for p in (response, slowly))
    for name in ("rounds", "choices", "hits", "folds"):
        assert getattr(usual, name) == getattr(expected, name), name
    if rules.first == "rotation":  # for which positions are counted
        assert compared(rules, response.policy, slowly).differing == 0
    one, another = (
        pairs.simulate(rules, [p] + [other] * (rules.players - 1), games=300, rng=3)
        for p in (response, slowly)
    )
    for name in ("final_scores", "durations", "choices", "hits", "folds", "pairs"):
        assert (getattr(one, name) == getattr(another, name)).all(), name


@pytest.mark.parametrize("other", ["expected_points", behind])
def test_simulated(rules: pairs.Rules, other: Any) -> None:
    response = pairs.best_response(rules, other)
    for seat, chance in enumerate(response.values):
        policies = [other] * rules.players
        policies[seat] = response.policy
        result = pairs.simulate(rules, policies, games=2000, rng=seat)
        error = math.sqrt(chance * (1 - chance) / result.games)
        assert abs(result.win_rates[seat] - chance) <= 4.5 * error + 1e-12


def means(found: pairs.Evaluation) -> tuple[float, ...]:
    return found.rounds, found.choices, found.hits, found.folds, *found.value


def test_decisions_that_were_not_kept(
    rules: pairs.Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They follow from the tables: after a pickle, and where they are too many."""
    kept = pairs.best_response(rules, "expected_points")
    pickled = pickle.loads(pickle.dumps(kept))
    monkeypatch.setattr(sweep_module, "_MOST_KEPT", 0)
    large = pairs.best_response(rules, "expected_points")
    assert sweep_of(large)._decisions is None
    expected = sweep_of(kept).decisions()
    for other in (pickled, large):
        if rules.first == "rotation":
            assert compared(rules, kept, other).differing == 0
        assert means(pairs.evaluate(rules, kept)) == means(pairs.evaluate(rules, other))
        assert (sweep_of(other).decisions().bits == expected.bits).all()
    monkeypatch.undo()
    assert sweep_of(pickled).decisions() is sweep_of(pickled).decisions()


def test_in_threads(rules: pairs.Rules) -> None:
    plain = pairs.best_response(rules, "expected_points")
    with ThreadPoolExecutor(2) as pool:
        response = pairs.best_response(rules, "expected_points", executor=pool)
        usual = pairs.evaluate(rules, response, executor=pool)
    assert (
        sweep_of(response).decisions().bits == sweep_of(plain).decisions().bits
    ).all()
    assert means(usual) == means(pairs.evaluate(rules, plain))


def test_a_response_to_a_response() -> None:
    rules = KINDS["round"]
    response = pairs.best_response(rules, "never_hit")
    back = pairs.best_response(rules, response)
    assert repr(back).startswith("Response(to='best response to never_hit', values=(")
    same = pairs.best_response(rules, by_rounds(response))
    assert back.values == same.values
    assert pickle.loads(pickle.dumps(back)) == back
    again = pickle.loads(pickle.dumps(back)).round([0, 1], seat=1)
    assert again == same.round([0, 1], seat=1)


def test_in_another_game() -> None:
    """A player who remembers discards, in games where they return, and vice versa."""
    shuffled, remembered = KINDS["round"], KINDS["exhausted"]
    shuffled = pairs.Rules(deck=THREE, target=5)
    without = pairs.best_response(shuffled, "expected_points")
    slow = win_rate(remembered, _forgetting(without), "never_hit")
    rate = win_rate(remembered, without, "never_hit")
    assert (rate.first, rate.second) == (slow.first, slow.second)
    with_discards = pairs.best_response(remembered, "expected_points")
    slow = win_rate(shuffled, by_rounds(with_discards), "never_hit")
    rate = win_rate(shuffled, with_discards, "never_hit")
    assert (rate.first, rate.second) == (slow.first, slow.second)


def _forgetting(response: pairs.Response) -> Any:
    slowly, counts = by_rounds(response), np.array(response.rules.counts)

    def as_if_fresh(view: pairs.View) -> Decisions:
        decisions: Decisions = slowly(view._replace(unseen=counts - view.table))
        return decisions

    return as_if_fresh


def test_positions_of_another_game_are_refused() -> None:
    """Larger hands and decks do not pass for others that have the same number."""
    small = pairs.Rules(deck={1: 1, 2: 2, 3: 2}, target=4, capacity=2)
    large = pairs.Rules(deck={1: 2, 2: 2, 3: 2}, target=4, capacity=2)
    message = "view must be of positions that can arise under Rules"
    for policy in (pairs.solve(small), pairs.best_response(small, "never_hit")):
        with pytest.raises(ValueError, match=message):
            win_rate(large, policy, "never_hit")
        view = pairs.View(
            large,
            np.array([[2, 0, 0]]),
            np.array([[[0, 1, 1]]]),
            np.array([[0, 1, 1]]),
            np.zeros((1, 2), int),
        )
        with pytest.raises(ValueError, match=message):
            policy.policy(view)


def test_other_methods_are_no_policies() -> None:
    """What is bound to a solution is asked as any callable is."""
    solution = pairs.solve(KINDS["deal"])
    with pytest.raises(TypeError, match="positional argument"):
        win_rate(KINDS["deal"], solution.advice, "optimal")


def test_advice_and_opening() -> None:
    """What the responder's rounds say, in either seat."""
    rules = KINDS["round"]
    response = pairs.best_response(rules, "always_hit")
    rounds = [response.round([2, 5], seat=seat) for seat in (0, 1)]
    differing = 0
    for seat, table in enumerate(rounds):
        scores = [2, 5] if seat == 0 else [5, 2]
        columns = table._columns()[1]
        for i in np.flatnonzero(table.cards % 2 == seat):
            advice = response.advice(
                hand=columns["hand"][i], others=columns["others"][i][0], scores=scores
            )
            assert advice.action == columns["action"][i]
            assert (advice.hit, advice.fold) == (columns["hit"][i], columns["fold"][i])
            assert advice.returns == tuple(table.values[i].tolist())
            differing += rounds[1 - seat].values[i].tolist() != list(advice.returns)
    assert differing > 50
    table = response.round([3, 1])
    opening = response.opening_table([3, 1])
    one_each = (table.hands.sum(axis=2) == 1).all(axis=1)
    assert opening.hits.sum() == table.hits[one_each].sum() > 0
    assert opening != pairs.solve(rules).opening_table([3, 1])
    three = pairs.best_response(KINDS["three"], "never_hit")
    opening = three.opening_table([1, 0, 2])
    table = three.round([1, 0, 2])
    one_each = (table.cards == 3) & (table.hands.sum(axis=2) == 1).all(axis=1)
    assert opening.hits.sum() == table.hits[one_each].sum() > 0
    advice = three.advice(hand=[2], others=[[1], [3, 2]], scores=[0, 1, 2])
    assert advice.action in ("hit", "fold")


def test_html() -> None:
    response = pairs.best_response(KINDS["three"], "never_hit")
    html = str(response._repr_html_())
    assert "best response to never_hit" in html
    for chance in response.values:
        assert f"<td>{chance:.6f}</td>" in html
