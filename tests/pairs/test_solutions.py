"""Solutions, rounds, advice and goals, against the exact backend in every position."""

from __future__ import annotations

import dataclasses
import pickle
from concurrent.futures import Executor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardgames_dp import diagonal, exact, game, pairs
from cardgames_dp.pairs import Rules
from cardgames_dp.pairs._kernels import positions as positions_module, sweeps
from cardgames_dp.pairs._kernels.positions import Positions, most_positions
from cardgames_dp.pairs.fast import most_states

from .strategies import small_rules

RULES = Rules(deck=4, target=8)
THREE = Rules(players=3, deck=3, target=4)
two, no_essay = st.just(2), st.sampled_from(["round", "exhausted"])


def explored_of(rules: Rules, goal: Any = "win") -> Any:
    return game.explore(pairs.game(rules, goal=goal), max_states=300_000)


def agrees(rules: Rules) -> int:
    """Compare all states with the exact backend's; count the decisions.

    The other ways to ask agree as well: rounds, and advice in some states.
    """
    n, explored = rules.players, explored_of(rules)
    oracle, solution = exact.solve(explored), pairs.solve(rules)
    source: Any = solution._source
    assert oracle.num_states <= most_states(rules)
    states = explored.states_at(np.arange(explored.num_states))
    assert source.reaches(states).all()
    right = oracle.payoffs_at(states).astype(float)
    values, errors = solution.payoffs_at(states), solution.errors(states)
    assert values == pytest.approx(right, abs=1e-13)
    assert (np.abs(values - right).max(axis=1) <= errors).all()
    assert solution.values(states).tolist() == values[:, 0].tolist()
    deciding = states[explored.graph.players >= 0]
    if len(deciding):
        assert (solution.policy(deciding) == oracle.policy(deciding)).all()
        for one, other in zip(
            solution.optimal_actions(deciding),
            oracle.optimal_actions(deciding),
            strict=True,
        ):
            assert (one == other).all()
    for state in [*oracle.policy][::50]:
        advice, known = solution.advice(state), oracle.advice(state)
        assert advice.action == known.action
        assert {*advice.best} == {*known.best}
        for action, value in known.values.items():
            assert advice.values[action] == pytest.approx(float(value), abs=1e-13)
        assert solution.policy[state] == known.action
        assert solution.payoffs_at(state) == advice.payoffs
    ties, largest, smallest, size = 0, 0.0, 1.0, 0
    for scores in np.ndindex((rules.target,) * n):
        table = pairs.positions(solution, scores)
        size += len(table)
        gaps = np.abs(table.hit[:, 0] - table.fold[:, 0])
        ties += table.ties.sum()
        largest = max(largest, gaps[table.ties].max(initial=0.0))
        choice = table.can_hit & table.can_fold & ~table.ties
        smallest = min(smallest, gaps[choice].min(initial=1.0))
        assert not table.hit[~table.can_hit].any()
        assert not table.fold[~table.can_fold].any()
        for i in range(0, len(table), 40):
            state = state_at(rules, table, i)
            assert solution.payoffs_at(state) == pytest.approx(
                np.roll(table.values[i], state.player), abs=1e-15
            )
            if table.cards[i] >= max(n * rules.deal, 1):
                assert solution.policy[state] == ("hit" if table.hits[i] else "fold")
    about = pairs.score_table(solution)
    assert (about.ties, about.doubtful) == (ties, 0)
    assert about.largest_tie == pytest.approx(largest, abs=1e-15)
    assert about.smallest_lead == pytest.approx(smallest, abs=1e-14)
    assert about.num_positions == size or rules.first == "lowest"
    assert about.payoffs == solution.payoffs
    return len(deciding)


def state_at(rules: Rules, table: pairs.Round, i: int) -> pairs.State:
    """Return the state in a row of a round that the first seat leads."""
    hand, *others = map(tuple, table.hands[i].tolist())
    mover = int(table.cards[i]) % rules.players
    scores = tuple(np.roll(table.scores, -mover).tolist())
    unseen = tuple(table.unseen[i].tolist())
    few = table.cards[i] < rules.players * rules.deal
    return pairs.State(hand, tuple(others), scores, unseen, mover, bool(few))


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


def by_hand(rules: Rules, goal: Any) -> Any:
    """Return the exact solution of returns that are written out here."""

    def returns(states: Any) -> Any:
        n, rows = rules.players, []
        for state in explored.named_states(explored.places(states)):
            scores = state.scores[n - state.player :] + state.scores[: n - state.player]
            rows.append(_paid(rules, goal, scores))
        return np.array(rows, dtype=object)

    explored = explored_of(rules)
    return exact.solve(explored.with_returns(returns))


def _paid(rules: Rules, goal: Any, scores: Any) -> list[Fraction]:
    n = rules.players
    if goal == "points":
        return [Fraction(-own) for own in scores]
    if goal == "lead":
        return [Fraction(sum(scores) - own, n - 1) - own for own in scores]
    if goal == "win":
        return [Fraction(own < rules.target) for own in scores]
    if goal is squares:
        paid: list[Fraction] = squares(scores)
        return paid
    # Everybody's chance if those who are tied are put in order by lot.
    chances = []
    for own in scores:
        lower, tied = sum(other < own for other in scores), scores.count(own)
        places = range(lower, lower + tied)
        chances.append(Fraction(sum(place < goal for place in places), tied))
    return chances


@pytest.mark.slow
@given(
    small_rules(reshuffle=no_essay),
    st.sampled_from(["win", "points", "lead", 1, 2, squares]),
)
def test_goals(rules: Rules, goal: Any) -> None:
    """In every state of two players, and by the door to both backends."""
    goal = 1 if goal == 2 == rules.players else goal
    solution, expected = pairs.solve(rules, goal=goal), by_hand(rules, goal)
    exactly = pairs.solve(rules, goal=goal, backend="exact")
    assert exactly.payoffs == expected.payoffs
    states = expected.explored.states_at(np.arange(expected.num_states))
    right = expected.payoffs_at(states).astype(float)
    values, errors = solution.payoffs_at(states), solution.errors(states)
    assert (np.abs(values - right).max(axis=1) <= errors).all()
    close = pytest.approx(right, abs=1e-10)
    assert values[:1] == pytest.approx(right[:1], abs=1e-10)
    if rules.players == 2:
        assert values == close


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 2)
@given(small_rules(), st.sampled_from(["first", "last"]))
def test_both_tie_rules_of_a_backend(rules: Rules, tie_break: Any) -> None:
    """The last of several optimal actions is what the other tie rule takes."""
    solution: Any = diagonal.solve(pairs.game(rules), tie_break=tie_break)
    oracle = exact.solve(explored_of(rules), tie_break=tie_break)
    states = oracle.explored.states_at(np.arange(oracle.num_states))
    right = oracle.payoffs_at(states).astype(float)
    assert solution.payoffs_at(states) == pytest.approx(right, abs=1e-13)
    deciding = states[oracle.explored.graph.players >= 0]
    if len(deciding):
        assert (solution.policy(deciding) == oracle.policy(deciding)).all()


def test_states_that_cannot_arise_are_unknown() -> None:
    """And none is read from the other end of a table."""
    for rules in (THREE, KINDS["exhausted"]):
        explored, source = explored_of(rules), pairs.solve(rules)._source
        states = explored.states_at(np.arange(0, explored.num_states, 97))
        for column in range(states.shape[1]):
            for change in (-1, 1):
                others = states.copy()
                others[:, column] += change
                known = source.lookup.reaches(others)
                assert not known[(others < 0).any(axis=1)].any()
    state = pairs.state(hand=[2], others=[3], rules=RULES)
    for wrong in (
        state._replace(scores=(-1, 0)),
        state._replace(scores=(RULES.target, 0)),
        state._replace(player=2),
        state._replace(hand=(0, 0, 0, 0)),
        state._replace(hand=(0, 2, 0, 0)),
        state._replace(unseen=RULES.counts),
        state._replace(others=()),
        (),
        "hit",
    ):
        with pytest.raises(KeyError, match="cannot be reached in this game"):
            pairs.solve(RULES).values[wrong]  # type: ignore[index]


def table_of(solution: Any) -> Any:
    return pairs.score_table(solution).table


@pytest.mark.slow
def test_doubtful_gaps_are_reported() -> None:
    """Where rounding decides, exact ties are leads."""
    exactly = pairs.solve(RULES)
    noisy = pairs.solve(dataclasses.replace(RULES, tie="rounding"))
    one, other = pairs.score_table(exactly), pairs.score_table(noisy)
    assert other.ties < one.ties
    assert other.smallest_lead < 1e-15
    assert np.allclose(other.table, one.table, rtol=0, atol=1e-13)


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
    assert table_of(shared).tobytes() == table_of(alone).tobytes()
    assert table_of(alone) == pytest.approx(table_of(usual), abs=1e-15)
    assert pairs.score_table(alone).ties == pairs.score_table(usual).ties
    for policies in ("optimal", ["fifty_percent", *[None] * (rules.players - 1)][:2]):
        if rules.players == 2 or policies == "optimal":
            known = pairs.rates(rules, policies)
            result = pairs.rates(rules, policies, executor=executor)
            assert result == known
            assert result.counts["hits"].tolist() == known.counts["hits"].tolist()


@given(small_rules())
def test_estimate_of_memory(rules: Rules) -> None:
    """Never below, and far above only in decks of a few cards."""
    positions = Positions(rules)
    counted = most_positions(rules, positions.decks)
    assert counted >= positions.size
    if not rules.deal and rules.reshuffle == "round" and rules.burn == 0:
        assert counted == positions.size
    with pytest.MonkeyPatch.context() as patch:  # without counting hands
        patch.setattr(positions_module, "_MOST_COUNTED", 0)
        assert counted <= most_positions(rules, positions.decks)


def test_rules_are_values() -> None:
    """A mapping in any order, pairs and NumPy's integers make the same rules."""
    rules = Rules(deck=3, target=9)
    deck = {np.int64(rank): np.uint8(rank) for rank in (3, 1, 2)}
    in_pairs = zip((2, 1, 3), (2, 1, 3), strict=True)
    for same in (Rules(np.int8(2), deck, np.int32(9)), Rules(deck=in_pairs, target=9)):
        assert (same, hash(same), repr(same)) == (rules, hash(rules), repr(rules))
        assert type(same.players) is type(same.target) is int
    assert eval(repr(rules), {"Rules": Rules}) == rules
    assert pairs.solve(rules) != pairs.solve(dataclasses.replace(rules, target=8))


def test_tables_after_pickling() -> None:
    """Rounds and advice are made from the table alone, which is small."""
    for rules in (RULES, THREE, KINDS["exhausted"]):
        solution, n = pairs.solve(rules), rules.players
        written = pickle.dumps(solution)
        other, scores = pickle.loads(written), [*range(n)]
        assert other == solution
        everything = pairs.positions(solution, scores)
        assert pairs.positions(other, scores) == everything
        assert len(written) < 2 * table_of(other).nbytes + 3000
    remembered = KINDS["exhausted"]
    solution = pairs.solve(remembered)

    def start(deck: Any) -> Any:
        return solution.payoffs_at(pairs.state(deck=deck, rules=remembered))

    assert len({start({4: c}) for c in (1, 2, 3)}) == 3
    every = [card for card, count in remembered.deck for _ in range(count)]
    assert start(every) == solution.payoffs


def test_forms_of_a_hand() -> None:
    """Ranks in any order, or counts; the other's hand alone or in a list."""
    rules = Rules(deck=3, target=9)
    state = pairs.state(hand=[1, 3], others=[3, 2], scores=[0, 3], rules=rules)
    hands: list[Any] = [[3, 1], (1, 3), {1: 1, 3: 1, 2: 0}, np.array([1, 3])]
    others: list[Any] = [[2, 3], [[2, 3]], [{2: 1, 3: 1}], {3: 1, 2: 1}, ((2, 3),)]
    for hand in hands:
        for other in others:
            assert pairs.state(hand, other, [0, 3], rules=rules) == state
    assert state == ((1, 0, 1), ((0, 1, 1),), (0, 3), (0, 1, 1), 0, False, (), (), ())
    assert pairs.state(hand=[3], others=[3, 2], rules=rules).player == 1
    assert pairs.state([3], [3, 2], leader=1, rules=rules).player == 0
    dealt = pairs.state(rules=Rules(players=3, deck=3, deal=1))
    assert (dealt.drawing, dealt.player, dealt.others) == (True, 0, ((0,) * 3,) * 2)


@pytest.mark.parametrize(
    "rules",
    [RULES, THREE, KINDS["lowest"], KINDS["exhausted"], Rules(4, {1: 2, 3: 3}, 4)],
    ids=["two", "three", "lowest", "exhausted", "four"],
)
def test_opening_table(rules: Rules) -> None:
    """Every entry is the advice to the player with that card."""
    solution, scores = pairs.solve(rules), [1, *[0] * (rules.players - 1)]
    table = pairs.opening_table(solution, scores)
    assert (table.ranks, table.scores) == (rules.ranks, tuple(scores))
    for cards in np.ndindex(table.hits.shape):
        ranks = [rules.ranks[card] for card in cards]
        there = all(ranks.count(r) <= c for r, c in rules.deck)
        assert table.possible[cards] == there
        lead = 0.0
        if there:
            others = [[rank] for rank in ranks[1:]]
            state = pairs.state(ranks[:1], others, scores, rules=rules)
            advice = solution.advice(state)
            assert table.hits[cards] == (advice.action == "hit")
            assert table.ties[cards] == advice.tie
            hit, fold = (advice.values.get(x) for x in ("hit", "fold"))
            lead = hit - fold if hit is not None and fold is not None else 0.0
        assert table.lead[cards] == pytest.approx(lead, abs=1e-15)
    assert table.hits.any()
