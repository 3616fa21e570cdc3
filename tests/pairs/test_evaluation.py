"""What policies are worth and how often they hit, against independent evaluation."""

import dataclasses
import pickle
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact, pairs

from . import oracles
from .counted import compared, win_rate
from .strategies import small_rules

two = st.just(2)
heuristics = st.sampled_from(sorted(oracles.PLAYS))
RULES = pairs.Rules(deck=4, target=5)


def play(rules: pairs.Rules, name: str) -> oracles.Play:
    return oracles.optimal(rules) if name == "optimal" else oracles.PLAYS[name]


@pytest.mark.slow
@given(
    small_rules(),
    st.sampled_from([*sorted(oracles.PLAYS), "optimal"]),
    st.sampled_from([*sorted(oracles.PLAYS), "optimal"]),
)
def test_win_rate(rules: pairs.Rules, a: Any, b: Any) -> None:
    """In each seat, as the oracle has it with nothing left to decide."""
    rate = win_rate(rules, a, b)
    assert (rate.a, rate.b) == (a, b)
    mine, theirs = play(rules, a), play(rules, b)
    for seat, chance in enumerate(rate.values):
        plays = {**dict.fromkeys(range(rules.players), theirs), seat: mine}
        assert chance == pytest.approx(oracles.value(rules, plays)[seat], abs=1e-13)
    assert len(rate.values) == rules.players
    assert (rate.first, rate.second) == rate.values[:2]
    assert rate.mean == sum(rate.values) / rules.players


@pytest.mark.parametrize("name", ["optimal", "always_hit"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_alike(players: int, name: Any) -> None:
    """Of n players who play alike one loses."""
    rules = pairs.Rules(players=players, deck={1: 2, 2: 2, 3: 2}, target=3)
    rate = win_rate(rules, name, name)
    assert rate.mean == pytest.approx(1 - 1 / players, abs=1e-15)
    if name == "optimal":
        assert rate.values == pairs.solve(rules).value


@given(small_rules(), heuristics)
def test_best_response(rules: pairs.Rules, name: Any) -> None:
    response = pairs.best_response(rules, name)
    for seat, chance in enumerate(response.values):
        others = [i for i in range(rules.players) if i != seat]
        plays = dict.fromkeys(others, oracles.PLAYS[name])
        assert chance == pytest.approx(oracles.value(rules, plays)[seat], abs=1e-13)
    assert response.mean == pytest.approx(np.mean(response.values))


@given(small_rules(), st.sampled_from([*sorted(oracles.PLAYS), "optimal"]))
def test_frequencies(rules: pairs.Rules, name: Any) -> None:
    usual = pairs.evaluate(rules, name)
    expected = oracles.usual(rules, play(rules, name))
    for field in ("choices", "hits", "folds", "pairs"):
        found = getattr(usual, field)
        assert found == pytest.approx(float(expected[field]), abs=1e-12), field
    assert usual.rounds == pytest.approx(float(expected["folds"] + expected["pairs"]))
    if expected["choices"]:
        rate = float(expected["hits"] / expected["choices"])
        assert usual.hit_rate == pytest.approx(rate)
    else:
        assert np.isnan(usual.hit_rate)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["optimal", "fifty_percent"])
@pytest.mark.parametrize(
    "rules",
    [
        pairs.Rules(players=3, deck=3, target=4, deal=1, first="lowest"),
        pairs.Rules(players=3, deck={1: 3, 2: 2}, target=3, reshuffle="exhausted"),
        # Deals are interrupted by reshuffles: who is dealt the first card matters.
        pairs.Rules(
            players=3,
            deck={1: 1, 2: 2, 3: 2},
            target=4,
            reshuffle="exhausted",
            deal=1,
            first="lowest",
        ),
    ],
    ids=["lowest", "exhausted", "both"],
)
def test_frequencies_among_three(rules: pairs.Rules, name: Any) -> None:
    """Turning a position with the lead turns the scores the same way."""
    usual = pairs.evaluate(rules, name)
    expected = oracles.usual(rules, play(rules, name))
    for field in ("choices", "hits", "folds", "pairs"):
        found = getattr(usual, field)
        assert found == pytest.approx(float(expected[field]), abs=1e-12), field


@pytest.mark.parametrize(
    "rules",
    [
        pairs.Rules(players=3, deck=3, target=4),
        pairs.Rules(players=3, deck=3, target=3, deal=1, first="lowest"),
        pairs.Rules(deck=3, target=4, reshuffle="exhausted"),
    ],
    ids=["round", "lowest", "exhausted"],
)
def test_frequencies_of_different_players(rules: pairs.Rules) -> None:
    """One in each seat, whoever leads; the same after a pickle."""
    names: list[Any] = ["never_hit", "fifty_percent", "optimal"][: rules.players]
    found = pairs.evaluate(rules, names)
    expected = oracles.usual(rules, *[play(rules, name) for name in names])
    for field in ("choices", "hits", "folds", "pairs"):
        mean = pytest.approx(float(expected[field]), abs=1e-12)
        assert getattr(found, field) == mean, field
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert (again.rounds, again.hits) == (found.rounds, found.hits)


def test_frequencies_with_a_dead_end() -> None:
    """A start with an empty deck, where the essay's program stops, is no round."""
    rules = pairs.Rules(deck=3, target=5, reshuffle="essay")
    rate = win_rate(rules, "always_hit", "always_hit")
    assert rate.first + rate.second == pytest.approx(0.8)  # one game in five
    usual = pairs.evaluate(rules, "always_hit")
    expected = oracles.usual(rules, oracles.PLAYS["always_hit"])
    assert usual.folds == pytest.approx(float(expected["folds"]), abs=1e-12)
    assert usual.pairs == pytest.approx(float(expected["pairs"]), abs=1e-12)


@pytest.mark.slow
@given(
    small_rules(players=two, reshuffle=st.sampled_from(["round", "exhausted"])),
    heuristics,
)
def test_order_of_policies(rules: pairs.Rules, name: Any) -> None:
    """Nothing beats optimal play; a best response is at least as good as that."""
    value = pairs.solve(rules).value
    rate = win_rate(rules, "optimal", name)
    response = pairs.best_response(rules, name)
    best = response.values
    for seat, chance in enumerate((rate.first, rate.second)):
        assert value[seat] - 1e-13 <= chance <= best[seat] + 1e-13
    assert rate.mean >= 0.5 - 1e-13
    back = win_rate(rules, name, "optimal")
    assert rate.first + back.second == pytest.approx(1, abs=1e-13)
    assert rate.second + back.first == pytest.approx(1, abs=1e-13)


@pytest.mark.slow
@given(small_rules())
def test_response_to_optimal_play(rules: pairs.Rules) -> None:
    response = pairs.best_response(rules, "optimal")
    solution = pairs.solve(rules)
    assert response.values == solution.value
    for seat in range(rules.players):
        assert (response.round([0] * rules.players, seat=seat).values).tolist() == (
            solution.round([0] * rules.players).values.tolist()
        )


@given(small_rules(), heuristics)
def test_rounds_of_a_response(rules: pairs.Rules, name: Any) -> None:
    """The responder does what is best, the others what their policy says."""
    response = pairs.best_response(rules, name)
    scores = [0] * rules.players
    for seat in range(rules.players):
        table = response.round(scores, seat=seat)
        theirs = table.choice & (table.cards % rules.players == seat)
        lead = table.hit[theirs, 0] - table.fold[theirs, 0]
        best = np.where(lead > 1e-12, True, rules.tie == "hit") & (lead > -1e-12)
        assert (table.hits[theirs] == best).all()
        for i in np.flatnonzero(table.choice & ~theirs):
            mover = int(table.cards[i]) % rules.players
            hands = np.roll(table.hands[i], mover, axis=0)
            state = pairs.State(
                tuple(scores),
                tuple([tuple(hand) for hand in hands.tolist()]),
                tuple(table.unseen[i].tolist()),
                mover,
                drawing=False,
            )
            assert table.hits[i] == oracles.PLAYS[name](rules, state)
        if not rules.deal:
            full = np.flatnonzero((table.unseen == rules.counts).all(axis=1))
            chance = table.values[full[0]][seat]
            assert chance == pytest.approx(response.values[seat], abs=1e-15)


@pytest.mark.parametrize("name", [*sorted(oracles.PLAYS), "optimal"])
@pytest.mark.parametrize("reshuffle", ["round", "exhausted"])
def test_against_oneself(name: Any, reshuffle: Any) -> None:
    """The seats share the games out."""
    rules = dataclasses.replace(RULES, reshuffle=reshuffle)
    rate = win_rate(rules, name, name)
    assert rate.first + rate.second == pytest.approx(1, abs=1e-14)
    if name == "optimal":
        assert (rate.first, rate.second) == pairs.solve(rules).value


def test_policies_that_look_at_scores() -> None:
    """A callable may answer for each vector of scores."""

    def near_the_end(view: pairs.View) -> Any:
        desperate = view.lowest[:, None] + view.scores[:, 0] >= 5
        assert view.scores.shape == (desperate.shape[1], 2)
        return desperate | pairs.policies.fifty_percent(view)[:, None]

    def scalar(rules: pairs.Rules, state: pairs.State) -> bool:
        lost = oracles.lowest(rules, state) + state.scores[state.player] >= 5
        return lost or oracles.PLAYS["fifty_percent"](rules, state)

    rate = win_rate(RULES, near_the_end, "fifty_percent")
    plain = oracles.PLAYS["fifty_percent"]
    assert rate.a == "near_the_end"
    assert rate.first == pytest.approx(
        oracles.value(RULES, {0: scalar, 1: plain})[0], abs=1e-13
    )
    assert rate.second == pytest.approx(
        oracles.value(RULES, {0: plain, 1: scalar})[1], abs=1e-13
    )
    assert rate.mean > 0.5  # the Pairs essay's remark: not to fold at 30 points


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "scalar"),
    [
        (
            pairs.HitBelow(0.3),
            lambda r, s: oracles.chances(r, s, face_up=False)[0] < 0.3,
        ),
        (pairs.HitBelow(0), lambda r, s: False),
        (
            pairs.HitBelow(1),
            lambda r, s: oracles.chances(r, s, face_up=False)[0] < 1,
        ),
        (pairs.FoldUpTo(0), lambda r, s: True),
        (pairs.FoldUpTo(2), lambda r, s: oracles.lowest(r, s) > 2),
        (pairs.FoldUpTo(4), lambda r, s: False),
    ],
    ids=["30 %", "0 %", "100 %", "0 points", "2 points", "4 points"],
)
def test_thresholds(rule: Any, scalar: oracles.Play) -> None:
    rate = win_rate(RULES, rule, "optimal")
    assert rate.a == repr(rule)
    plays = {0: scalar, 1: oracles.optimal(RULES)}
    assert rate.first == pytest.approx(oracles.value(RULES, plays)[0], abs=1e-13)


@pytest.mark.slow
def test_three_players() -> None:
    """A response is at least as good as what the others do themselves."""
    rules = pairs.Rules(players=3, deck=3, target=4)
    response = pairs.best_response(rules, "fifty_percent")
    alike = dict.fromkeys(range(3), oracles.PLAYS["fifty_percent"])
    assert (np.array(response.values) > oracles.value(rules, alike)).all()
    assert len(response.tables) == 3
    rate = win_rate(rules, "optimal", "fifty_percent")
    usual = win_rate(rules, "fifty_percent", "fifty_percent")
    assert all(
        worse < better <= best
        for worse, better, best in zip(
            usual.values, rate.values, response.values, strict=True
        )
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "name"),
    [
        (pairs.Rules(players=4, deck={1: 2, 2: 2, 3: 1}, target=2), "expected_points"),
        (
            pairs.Rules(players=4, deck={1: 3, 2: 3}, target=2, deal=1, tie="hit"),
            "fifty_percent",
        ),
    ],
    ids=["round", "deal"],
)
def test_four_players(rules: pairs.Rules, name: Any) -> None:
    """All that is asked about policies, as the oracles have it."""
    rate = win_rate(rules, "optimal", name)
    response, usual = pairs.best_response(rules, name), pairs.evaluate(rules, name)
    thumb, best = oracles.PLAYS[name], oracles.optimal(rules)
    for seat in range(4):
        others = {i: thumb for i in range(4) if i != seat}
        alone = oracles.value(rules, {**others, seat: best})[seat]
        assert rate.values[seat] == pytest.approx(alone, abs=1e-13)
        free = oracles.value(rules, others)[seat]
        assert response.values[seat] == pytest.approx(free, abs=1e-13)
    expected = oracles.usual(rules, thumb)
    for field in ("choices", "hits", "folds", "pairs"):
        assert getattr(usual, field) == pytest.approx(float(expected[field]), abs=1e-12)
    loss = pairs.regret(rules, name).loss
    assert loss == pytest.approx(response.mean - 3 / 4, abs=1e-13)
    # Seen from the player to move, so that a turn of the seats is no other position.
    seen = {
        (
            state.scores[state.player :] + state.scores[: state.player],
            state.hands[state.player :] + state.hands[: state.player],
        )
        for state in exact.solve(rules.game(), max_states=200_000).policy
    }
    differing = 0
    for scores, hands in seen:
        held = map(sum, zip(*hands, strict=True))
        unseen = tuple(c - h for c, h in zip(rules.counts, held, strict=True))
        state = pairs.State(scores, hands, unseen, 0, drawing=False)
        if any(map(any, hands)):
            differing += oracles.PLAYS["fifty_percent"](rules, state) != (
                oracles.PLAYS["expected_points"](rules, state)
            )
    found = compared(rules, "fifty_percent", "expected_points")
    assert found.visited == len(seen)
    assert found.differing == differing


def test_exact_ties_of_chances() -> None:
    """A chance of exactly one half is folded by the text, not hit by the program."""
    rules = pairs.Rules(deck={1: 2, 2: 2}, target=3)
    # With 1 against 2 there are one 1 and one 2 left: a pair in one of two cases.
    view = pairs.View(
        rules,
        np.array([[1, 0]]),
        np.array([[[0, 1]]]),
        np.array([[1, 1]]),
        np.zeros((1, 2), int),
    )
    assert not pairs.policies.fifty_percent(view).any()
    assert not pairs.policies.fifty_percent_code(view).any()
    assert not pairs.HitBelow(0.5)(view).any()
    assert pairs.HitBelow(0.5, or_equal=True)(view).all()
    assert not pairs.HitBelow(np.nextafter(0.5, 0), or_equal=True)(view).any()
    assert pairs.HitBelow(Decimal("0.5")) == pairs.HitBelow(0.5)
    assert pairs.HitBelow(Decimal("0.5" + "0" * 40 + "1"))(view).all()
    assert pairs.HitBelow(np.nextafter(0.5, 1))(view).all()
    # A hit scores 1/2 on average, a fold 1.
    assert pairs.policies.expected_points(view).all()


@pytest.mark.parametrize("reshuffle", ["round", "exhausted", "essay"])
@pytest.mark.parametrize("name", ["fifty_percent", "expected_points"])
def test_cards_that_are_counted(name: str, reshuffle: Any) -> None:
    """The text's chances differ from the program's where discards are out."""
    rules = pairs.Rules(deck=4, target=6, reshuffle=reshuffle)
    result = compared(rules, name, f"{name}_face_up")
    assert (result.differing == 0) == (reshuffle == "round")


@given(small_rules(players=two), st.sampled_from([*sorted(oracles.PLAYS), "optimal"]))
def test_a_best_response_wins_what_it_promises(rules: pairs.Rules, name: Any) -> None:
    response = pairs.best_response(rules, name)
    rate = win_rate(rules, response.policy, name)
    assert (rate.first, rate.second) == pytest.approx(response.values, abs=1e-13)


@given(small_rules())
def test_a_solution_plays_as_its_rounds_say(rules: pairs.Rules) -> None:
    solution = pairs.solve(rules)
    table = solution.round((0,) * rules.players)
    for place in np.flatnonzero(table.choice)[::7]:
        mover = int(table.cards[place]) % rules.players
        scores = np.zeros((1, rules.players), int)
        view = pairs.View(
            rules,
            table.hands[place][None, 0].astype(int),
            table.hands[place][None, 1:].astype(int),
            table.unseen[place][None],
            scores,
        )
        assert solution.policy(view).tolist() == [[bool(table.hits[place])]]
        assert mover == table.hands[place].sum() % rules.players


@pytest.mark.parametrize("players", [2, 3])
def test_a_solution_that_is_asked_wins_as_one_that_is_looked_up(players: int) -> None:
    rules = pairs.Rules(players=players, deck={1: 2, 2: 2, 3: 2}, target=5)
    solution = pairs.solve(rules)

    def ask(view: pairs.View) -> Any:
        return solution.policy(view)

    asked = win_rate(rules, ask, "fifty_percent")
    known = win_rate(rules, solution.policy, "fifty_percent")
    assert asked.values == pytest.approx(known.values, abs=1e-14)


@pytest.mark.slow
def test_not_counting_cards_costs() -> None:
    """Two players who remember, but one plays as if all were shuffled each round."""
    deck = 3
    shuffled = pairs.Rules(deck=deck, target=5)
    rules = pairs.Rules(deck=deck, target=5, reshuffle="exhausted")
    rate = win_rate(rules, "optimal", pairs.solve(shuffled).policy)
    assert 0.5 < rate.mean < 0.7
    policy = oracles.optimal(shuffled)

    def forgetful(_: pairs.Rules, state: pairs.State) -> bool:
        held = np.sum(state.hands, axis=0)
        unseen = tuple((np.array(shuffled.counts) - held).tolist())
        return policy(shuffled, state._replace(unseen=unseen))

    plays = {0: oracles.optimal(rules), 1: forgetful}
    assert rate.first == pytest.approx(oracles.value(rules, plays)[0], abs=1e-13)


def test_a_policy_of_another_game_is_refused() -> None:
    solution = pairs.solve(pairs.Rules(deck=3, target=5))
    longer = pairs.Rules(deck=3, target=6)
    with pytest.raises(ValueError, match="positions that can arise under Rules"):
        win_rate(longer, "optimal", solution.policy)
    other = pairs.Rules(deck={1: 1, 2: 2, 4: 3, 5: 1}, target=5)
    with pytest.raises(ValueError, match="positions that can arise under Rules"):
        pairs.best_response(other, solution.policy)
    more = pairs.Rules(deck={1: 2, 2: 2, 3: 3}, target=5)  # two 1s can be in hands
    with pytest.raises(ValueError, match="positions that can arise under Rules"):
        pairs.best_response(more, solution.policy)
