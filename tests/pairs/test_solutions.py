"""Solutions, rounds, advice and goals, against the exact backend in every position."""

from __future__ import annotations

import dataclasses
import pickle
from concurrent.futures import Executor
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import cardgames_dp
from cardgames_dp import TooLargeError, exact, interop, pairs, play
from cardgames_dp._graph import explored
from cardgames_dp.pairs import Rules
from cardgames_dp.pairs._kernels import positions as positions_module, sweeps
from cardgames_dp.pairs._kernels.positions import Positions, most_positions
from cardgames_dp.pairs.solver import _most_states

from . import oracles
from .strategies import small_rules

RULES = Rules(deck=4, target=8)
THREE = Rules(players=3, deck=3, target=4)
two, no_essay = st.just(2), st.sampled_from(["round", "exhausted"])


def agrees(rules: Rules) -> int:
    """Compare all states with the oracle's; count the decisions.

    The two ways to ask agree as well: rounds with advice, in some positions.
    """
    game, n = rules.game(), rules.players
    oracle = exact.solve(game, max_states=200_000)
    assert oracle.num_states <= _most_states(rules)
    solution = pairs.solve(rules)
    assert solution.payoffs == pytest.approx([*map(float, oracle.payoffs)], abs=1e-13)
    assert solution.value == solution.payoffs[0]
    known, ties, largest, smallest = {}, 0, 0.0, 1.0
    for scores in np.ndindex((rules.target,) * n):
        table = solution.round(scores)
        gaps = np.abs(table.hit[:, 0] - table.fold[:, 0])
        ties += table.ties.sum()
        largest = max(largest, gaps[table.ties].max(initial=0.0))
        smallest = min(
            smallest,
            gaps[(table.can_hit & table.can_fold) & ~table.ties].min(initial=1.0),
        )
        assert not table.hit[~table.can_hit].any()
        assert not table.fold[~table.can_fold].any()
        for i, hands in enumerate(table.hands):
            known[scores, hands.tobytes(), table.unseen[i].tobytes()] = table, i
    assert (solution.ties, solution.doubtful) == (ties, 0)
    assert solution.largest_tie == pytest.approx(largest, abs=1e-15)
    assert solution.smallest_lead == pytest.approx(smallest, abs=1e-14)
    decisions = 0
    for state, best in oracle.optimal_actions.items():
        in_hands = sum(map(sum, state.hands))
        scores = tuple(np.roll(state.scores, in_hands - state.player).tolist())
        hands = np.roll(np.array(state.hands, np.int8), -state.player, axis=0)
        unseen = np.array(state.unseen, np.int64)
        table, i = known[scores, hands.tobytes(), unseen.tobytes()]
        expected = np.roll([*map(float, oracle.payoffs_at(state))], -state.player)
        assert table.values[i] == pytest.approx(expected, abs=1e-13)
        allowed = game.legal_actions(state)
        assert (table.can_fold[i], table.can_hit[i]) == (
            *("fold" in allowed, "hit" in allowed),
        )
        assert ("hit" if table.hits[i] else "fold") == oracle.policy[state]
        assert table.ties[i] == (len(best) == 2)
        if decisions % 50 == 0:
            asked: Any = {
                "hand": held(rules, hands[0]),
                "others": [held(rules, hand) for hand in hands[1:]],
                "scores": np.roll(state.scores, -state.player).tolist(),
            }
            deck = held(rules, unseen)
            for more in [{"deck": deck}, {}][: 1 + (rules.reshuffle == "round")]:
                advice = solution.advice(**asked, **more)
                assert advice.action == oracle.policy[state]
                assert (advice.tie, {*advice.best}) == (len(best) == 2, {*best})
                assert advice.returns == tuple(table.values[i])
                can = table.can_hit[i], table.can_fold[i]
                chances = {"hit": table.hit[i, 0], "fold": table.fold[i, 0]}
                legal = [name for name, at in zip(chances, can, strict=True) if at]
                assert advice.values == {name: chances[name] for name in legal}
                gap = abs(table.hit[i, 0] - table.fold[i, 0]) if all(can) else None
                assert advice.margin == gap
            view = pairs.View(
                *(rules, hands[:1].astype(int), hands[None, 1:].astype(int)),
                *(unseen[None], np.array([asked["scores"]])),
            )
            if all(can):
                assert solution.policy(view).tolist() == [[bool(table.hits[i])]]
        decisions += 1
    return decisions


def held(rules: Rules, cards: Any) -> dict[int, int]:
    return {r: int(c) for r, c in zip(rules.ranks, cards, strict=True) if c}


@pytest.mark.slow
@given(small_rules())
def test_every_position(rules: Rules) -> None:
    assert agrees(rules) > 0


ODD = [
    # One rank: nothing to choose but when to score it.
    Rules(deck={1: 1}, target=2),
    Rules(deck={3: 4}, target=7, capacity=2, reshuffle="exhausted"),
    # All cards may lie on the table.
    Rules(players=4, deck=2, target=3),
    Rules(players=3, deck=3, target=2),
    Rules(deck={1: 1, 2: 1, 3: 1}, target=4, reshuffle="exhausted", burn=1),
    # Ranks with gaps, above the target, out of order.
    Rules(deck={7: 2, 2: 1, 40: 1}, target=9),
    Rules(deck=[(5, 1), (1, 3)], target=6, tie="hit"),
    # A capacity above what there is.
    Rules(deck={1: 3, 2: 2}, target=4, capacity=10**30),
    Rules(deck={1: 3, 2: 2}, target=4, capacity=9, reshuffle="exhausted"),
    Rules(deck={1: 6, 2: 2}, target=4, capacity=2, reshuffle="essay"),
    # Reshuffled early.
    Rules(deck={1: 2, 2: 3}, target=3, reshuffle="exhausted", burn=3),
    # Dealt.
    Rules(deck={1: 1, 2: 1}, target=3, deal=1),
    Rules(deck={1: 1, 2: 2}, target=3, deal=1, reshuffle="exhausted"),
    Rules(deck={1: 1, 2: 3}, target=3, deal=1, reshuffle="essay"),
    Rules(deck={1: 1, 2: 2}, target=3, deal=1, first="lowest"),
    # The deck comes down to two 2s, of which none is the lowest card.
    Rules(deck={1: 1, 2: 3}, target=3, deal=1, first="lowest", reshuffle="exhausted"),
    # Reshuffled while the cards are dealt: who is dealt the first one matters.
    Rules(2, {1: 1, 2: 2, 3: 1}, 3, deal=1, first="lowest", reshuffle="exhausted"),
    Rules(3, {1: 2, 2: 2, 3: 1}, 2, deal=1, first="lowest", burn=1),
    # Over after a round, or never far from it.
    Rules(target=1, deck=3),
    Rules(players=6, target=1, deck={1: 2, 2: 2}),
    Rules(target=2, deck={1: 10**6, 2: 10**6}),
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", ODD, ids=str)
def test_odd_rules(rules: Rules) -> None:
    assert agrees(rules)


def squares(scores: tuple[int, ...]) -> list[Fraction]:
    """Return something that no word says: large scores hurt more."""
    return [Fraction(-points * points, 7) for points in scores]


def direct(rules: Rules, goal: Any) -> Any:
    """Return the exact solution of returns that are written out here."""

    def returns(state: pairs.State) -> Any:
        scores, n = state.scores, rules.players
        if goal == "points":
            return [Fraction(-own) for own in scores]
        if goal == "lead":
            return [Fraction(sum(scores) - own, n - 1) - own for own in scores]
        if goal == "win":
            return [Fraction(own < rules.target) for own in scores]
        if goal is squares:
            return squares(scores)
        # Everybody's chance if those who are tied are put in order by lot.
        chances = []
        for own in scores:
            lower, tied = sum(other < own for other in scores), scores.count(own)
            places = range(lower, lower + tied)
            chances.append(Fraction(sum(place < goal for place in places), tied))
        return chances

    game = explored.explore(rules.game(), max_states=300_000)
    return exact.solve(game.with_returns(returns))


@pytest.mark.slow
@given(
    small_rules(reshuffle=no_essay),
    st.sampled_from(["win", "points", "lead", 1, 2, squares]),
)
def test_goals(rules: Rules, goal: Any) -> None:
    """In every start of a round of two players, by the door to both backends."""
    goal = 1 if goal == 2 == rules.players else goal
    solution, expected = pairs.solve(rules, goal=goal), direct(rules, goal)
    chances = [*map(float, expected.payoffs)]
    assert solution.payoffs == pytest.approx(chances, abs=1e-10)
    by_door = pairs.solve(rules, goal=goal, backend="exact")
    assert (by_door.payoffs, by_door.policy) == (expected.payoffs, expected.policy)
    for state in expected.values:
        if any(map(any, state.hands)) or max(state.scores) >= rules.target:
            continue
        if state.drawing == rules.deal and rules.players == 2:
            order = [state.player, 1 - state.player]
            deck = held(rules, state.unseen) if rules.reshuffle != "round" else None
            found = solution.value_at([state.scores[i] for i in order], deck=deck)
            right = [float(expected.payoffs_at(state)[i]) for i in order]
            assert found == pytest.approx(right, abs=1e-10)


@pytest.mark.parametrize("goal", ["win", "points", "lead"])
@pytest.mark.parametrize(
    "rules",
    [
        Rules(deck=3, target=5),
        Rules(players=3, deck=3, target=3),
        Rules(deck=3, target=3, reshuffle="exhausted", tie="hit"),
        Rules(deck={1: 2, 2: 2, 3: 1}, target=4, deal=1, first="lowest"),
    ],
    ids=["round", "three", "exhausted", "lowest"],
)
def test_any_game_s_functions_take_a_solution(
    rules: Rules, goal: Any, tmp_path: Path
) -> None:
    """Ties are broken as in the table, on which the values of others depend."""
    solution: Any = pairs.solve(rules, goal=goal)
    close = pytest.approx(solution.payoffs, abs=1e-13)
    assert play.evaluate(solution).payoffs == close
    exactly = pairs.solve(rules, goal=goal, backend="exact")
    assert play.evaluate(exactly, backend="exact").payoffs == exactly.payoffs
    assert play.evaluate(exactly).payoffs == close
    laws = play.distribution(solution)
    assert laws.mean == close
    games = play.simulate(solution, games=2_000, rng=1)
    off = np.abs(np.array(games.mean) - solution.payoffs)
    assert (off <= 5 * np.array(games.standard_error)).all()
    assert play.regret(solution, solution, rules.players - 1).loss == 0
    position = play.Position(solution)
    assert position.payoffs == close
    own = oracles.by_states(rules, solution)
    policy = position.solution.policy
    assert all(own(state) == action for state, action in policy.items())
    # Against others, in a game of chances of winning.
    others = oracles.by_states(rules, "fifty_percent")
    profile = [solution] + [others] * (rules.players - 1)
    seats: Any = [solution] + ["fifty_percent"] * (rules.players - 1)
    found = play.evaluate(rules.game(), profile).payoffs
    assert found == pytest.approx(pairs.evaluate(rules, seats).payoffs, abs=1e-13)
    interop.to_table(solution, tmp_path / "game.npz")
    assert interop.from_table(tmp_path / "game.npz").payoffs == close


@pytest.mark.parametrize("how", [pairs.evaluate, pairs.best_response])
def test_what_is_no_solution_of_a_game(how: Any) -> None:
    found = how(Rules(deck=3, target=3), "never_hit")
    words = r"^cardgames_dp.play takes what pairs.solve returns, and no (Eval|Resp)"
    for game, policy in ((found, None), (RULES.game(), found)):
        with pytest.raises(TypeError, match=words):
            play.evaluate(game, policy)


@given(small_rules(reshuffle=st.just("round"), left=4), st.integers(0, 3))
def test_burned_cards_change_nothing(rules: Rules, burn: int) -> None:
    """Unless the deck may run out: nobody has seen them."""
    burned = pairs.solve(dataclasses.replace(rules, burn=burn))
    assert (burned.table == pairs.solve(rules).table).all()


@given(small_rules(), st.data())
def test_points(rules: Rules, data: st.DataObject) -> None:
    """The same of all is as a lower target; beyond the target they lose at once."""
    solution, target = pairs.solve(rules), rules.target
    points = data.draw(st.integers(0, target - 1))
    lower = dataclasses.replace(rules, target=target - points)
    everybody = solution.value_at([points] * rules.players)
    assert everybody == pairs.solve(lower).payoffs
    ranks = [rank + 2 * (rank >= target) for rank in rules.ranks]
    changed = dataclasses.replace(
        rules,
        deck=tuple(zip(ranks, rules.counts, strict=True)),
    )
    assert (pairs.solve(changed).table == solution.table).all()
    if rules.players == 2 and rules.reshuffle != "essay":
        # Who has fewer can play as if they had more; to whom it does not matter what
        # the two do, it does not matter what they do.
        table = solution.table.reshape(-1, target, target, 2)
        assert (np.diff(table[..., 0], axis=1) <= 1e-13).all()
        assert (np.diff(table[..., 0], axis=2) >= -1e-13).all()
        other = dataclasses.replace(rules, tie="hit" if rules.tie == "fold" else "fold")
        assert pairs.solve(other).table == pytest.approx(solution.table, abs=1e-13)


@pytest.mark.slow
def test_doubtful_gaps_are_reported() -> None:
    """Where rounding decides, exact ties are leads."""
    exactly = pairs.solve(RULES)
    noisy = pairs.solve(dataclasses.replace(RULES, tie="rounding"))
    assert noisy.ties < exactly.ties
    assert noisy.smallest_lead < 1e-15
    assert np.allclose(noisy.table, exactly.table, rtol=0, atol=1e-13)


KINDS = {
    "round": RULES,
    "exhausted": Rules(deck=4, target=5, reshuffle="exhausted"),
    "essay": Rules(deck=3, target=5, reshuffle="essay"),
    "three": THREE,
    "lowest": dataclasses.replace(THREE, deal=1, first="lowest"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_executors_and_blocks(kind: str, executor: Executor, monkeypatch: Any) -> None:
    """Bit for bit the same in workers; nearly, with many blocks in each total."""
    rules = KINDS[kind]
    usual = pairs.solve(rules)
    monkeypatch.setattr(sweeps, "_BLOCK_CELLS", 1)
    alone, shared = pairs.solve(rules), pairs.solve(rules, executor=executor)
    assert shared == alone
    assert shared.table.tobytes() == alone.table.tobytes()
    assert alone.table == pytest.approx(usual.table, abs=1e-15)
    assert alone.ties == usual.ties
    for call in (
        lambda **how: pairs.evaluate(rules, "optimal", **how),
        lambda **how: pairs.best_response(rules, "fifty_percent", **how),
        lambda **how: pairs.regret(rules, "fifty_percent", **how).loss,
    ):
        assert call(executor=executor) == call()


@given(small_rules())
def test_estimate_of_memory(rules: Rules) -> None:
    """Never below, and far above only in decks of a few cards."""
    positions = Positions(rules)
    counted = most_positions(rules, positions.decks)
    assert counted >= positions.size
    if not rules.deal and rules.reshuffle == "round" and rules.burn == 0:
        assert counted == positions.size


@pytest.mark.parametrize(
    "rules",
    [
        Rules(3, 5),
        Rules(deck=5, reshuffle="exhausted"),
        Rules(3, 4, reshuffle="exhausted"),
    ],
    ids=["round", "two", "three"],
)
def test_estimates_are_near(rules: Rules, monkeypatch: Any) -> None:
    """With hands counted, and still a bound where they are not."""
    positions = Positions(rules)
    near = most_positions(rules, positions.decks)
    assert positions.size <= near <= 1.1 * positions.size
    monkeypatch.setattr(positions_module, "_MOST_COUNTED", 0)
    assert near <= most_positions(rules, positions.decks) <= 20 * near


def test_memory_is_that_of_two_layers_for_a_block_of_scores() -> None:
    rules = Rules(deck=6, target=2)
    most = 2 * 8 * (300 + 6) * 873  # 6 ends of rounds; 873 x 300 fit in a cache
    with cardgames_dp.running(max_bytes=most):
        assert pairs.solve(rules).rules == rules
    with (
        pytest.raises(TooLargeError, match=r"^two layers .* needs about 4\.076 MiB"),
        cardgames_dp.running(max_bytes=most - 1),
    ):
        pairs.solve(rules)


def test_rules_are_values() -> None:
    """A mapping in any order, pairs and NumPy's integers make the same rules."""
    rules = Rules(deck=3, target=9)
    numpy_integers: dict[str, Any] = {
        "players": np.int8(2),
        "deck": {np.int64(rank): np.uint8(rank) for rank in (1, 2, 3)},
        "target": np.int32(9),
    }
    for same in [
        Rules(deck={3: 3, 1: 1, 2: 2}, target=9),
        Rules(deck=zip((2, 1, 3), (2, 1, 3), strict=True), target=9),
        Rules(**numpy_integers),
        Rules(deck=rules.deck, target=9, capacity=np.int8(1)),
    ]:
        assert (same, hash(same), repr(same)) == (rules, hash(rules), repr(rules))
        assert type(same.players) is type(same.target) is int
    assert eval(repr(rules), {"Rules": Rules}) == rules
    assert (rules.ranks, rules.counts, rules.capacity) == ((1, 2, 3), (1, 2, 3), 1)
    assert pairs.solve(rules) != pairs.solve(dataclasses.replace(rules, target=8))


def test_tables_after_pickling() -> None:
    """Rounds and advice are made from the table alone, which is small."""
    for rules in (RULES, THREE, KINDS["exhausted"]):
        solution, n = pairs.solve(rules), rules.players
        written = pickle.dumps(solution)
        other, scores = pickle.loads(written), [*range(n)]
        assert (other, other.round(scores)) == (solution, solution.round(scores))
        assert other.num_positions == len(solution.round(scores)) * rules.target**n
        assert len(written) < 2 * solution.table.nbytes + 2000
        everything = solution.round(scores)
        assert (everything.hands.sum(axis=(1, 2)) == everything.cards).all()
        assert (np.diff(everything.cards) >= 0).all()
    remembered = KINDS["exhausted"]
    solution = pairs.solve(remembered)
    decks = {solution.value_at([0, 0], deck={4: c}) for c in (1, 2, 3)}
    assert len(decks) == 3
    every = [card for card, count in remembered.deck for _ in range(count)]
    assert solution.value_at([0, 0], deck=every) == solution.payoffs  # type: ignore[arg-type]


def test_forms_of_a_hand() -> None:
    """Ranks in any order, or counts; the other's hand alone or in a list."""
    solution = pairs.solve(Rules(deck=3, target=9))
    advice = solution.advice(hand=[1, 3], others=[3, 2], scores=[0, 3])
    hands: list[Any] = [[3, 1], (1, 3), {1: 1, 3: 1, 2: 0}, np.array([1, 3])]
    others: list[Any] = [[2, 3], [[2, 3]], [{2: 1, 3: 1}], {3: 1, 2: 1}, ((2, 3),)]
    for hand in hands:
        for other in others:
            assert solution.advice(hand=hand, others=other, scores=[0, 3]) == advice


def test_advice_follows_the_turns() -> None:
    """For any numbers of cards: it is given just where a round can come to them."""
    cards = {0: [], 1: [1], 2: [1, 2], 3: [1, 2, 3]}
    for deal in (0, 1):
        rules = Rules(deck={1: 3, 2: 3, 3: 3}, target=1, players=3, deal=deal)
        solution = pairs.solve(rules)
        sizes = solution.round([0, 0, 0]).hands.sum(axis=2).tolist()
        met = {tuple(size) for size in sizes if size[0] >= deal}
        given = set()
        for sizes in np.ndindex(4, 4, 4):
            hand, *others = [cards[size] for size in sizes]
            try:
                solution.advice(hand=hand, others=others, scores=[0, 0, 0])
            except ValueError as error:
                assert "must hold" in str(error)  # noqa: PT017
            else:
                given.add(sizes)
        assert given == met


@pytest.mark.parametrize(
    "rules",
    [RULES, THREE, KINDS["lowest"], KINDS["exhausted"], Rules(4, {1: 2, 3: 3}, 4)],
    ids=["two", "three", "lowest", "exhausted", "four"],
)
def test_opening_table(rules: Rules) -> None:
    """Every entry is the advice to the player with that card."""
    solution, scores = pairs.solve(rules), [1, *[0] * (rules.players - 1)]
    table = solution.opening_table(scores)
    assert (table.ranks, table.scores) == (rules.ranks, tuple(scores))
    for cards in np.ndindex(table.hits.shape):
        ranks = [rules.ranks[card] for card in cards]
        there = all(ranks.count(r) <= c for r, c in rules.deck)
        assert table.possible[cards] == there
        lead = 0.0
        if there:
            others = [[rank] for rank in ranks[1:]]
            advice = solution.advice(hand=ranks[:1], others=others, scores=scores)
            assert table.hits[cards] == (advice.action == "hit")
            assert table.ties[cards] == advice.tie
            hit, fold = (advice.values.get(x) for x in ("hit", "fold"))
            lead = hit - fold if hit is not None and fold is not None else 0.0
        assert table.lead[cards] == pytest.approx(lead, abs=1e-15)
    assert table.hits.any()


# In arrays
# ---------


@settings(max_examples=settings().max_examples // 2)
@given(rules=small_rules(reshuffle=st.just("round")))
def test_the_game_in_arrays_is_the_plain_game(rules: Rules) -> None:
    if rules.first == "lowest":
        with pytest.raises(ValueError, match="arrays are for reshuffle='round' and"):
            rules.arrays()
        return
    arrays, plain = exact.solve(rules.arrays()), exact.solve(rules.game())
    assert arrays.num_states == plain.num_states

    def row(state: pairs.State) -> list[int]:
        turned = [np.roll(each, -state.player, axis=0) for each in state[:2]]
        cells = [x for each in turned for x in each.ravel().tolist()]
        return [*cells, state.player, int(state.drawing)]

    rows = np.array([row(state) for state in plain.values])
    expected = [list(plain.payoffs_at(state)) for state in plain.values]
    assert arrays.payoffs_at(rows).tolist() == expected
    if plain.policy:
        actions = arrays.policy(np.array([row(state) for state in plain.policy]))
        assert [("fold", "hit")[a] for a in actions] == [*plain.policy.values()]
