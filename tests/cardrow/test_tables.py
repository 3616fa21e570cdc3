"""Tables, advice, lines and positions, against the general backends by any rules."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from cardgames_dp import cardrow, exact, interop, play, running
from cardgames_dp.cardrow import Position, Rules, Turn, solve, value
from cardgames_dp.cardrow._kernels import diagonals
from cardgames_dp.cardrow._kernels.row import exact_array
from cardgames_dp.game import TERMINAL, ArrayGame, explore

from . import oracles
from .oracles import games, lists, play_out, small


def agrees(cards: Any, rules: Rules) -> None:
    """Compare table, line, advice and value with backward induction."""
    game = rules.game(cards)
    solved, table = exact.solve(game), solve(cards, rules=rules, backend="exact")
    sign, second = -1 if rules.misere else 1, table.sums_of_second
    for state, policy in solved.policy.items():
        left, right, player, sums = state
        advice = table.advice(left, right, player=player)
        assert (advice.left, advice.right, advice.action) == (left, right, policy)
        assert {*advice.best} == {*solved.optimal_actions[state]}
        assert table.ties[left, right] == (len(advice.best) > 1) == advice.tie
        assert table.best[left, right] == policy.code
        # What the state returns less what has been taken before it.
        returns = solved.payoffs_at(state)
        before = sums if rules.players > 2 else [sums[0] - sums[1], sums[1] - sums[0]]
        assert sign * advice.value == returns[player] - sign * before[player]
        cell = (second if player and second is not None else table.sums)[:, left, right]
        if rules.players > 2:
            turned = [*returns[player:], *returns[:player]]
            had = [*sums[player:], *sums[:player]]
            assert [sign * r - b for r, b in zip(turned, had, strict=True)] == [*cell]
        else:
            assert cell[0] - cell[1] == advice.value
            if rules.weights is None:
                assert sum(cell) == sum(game.worths[0][left : right + 1])
    below = np.tril_indices(len(cards), -1)
    assert not table.best[below].any()
    assert not table.ties[below].any()
    state, turns = solved.initial_state, []
    while game.current_player(state) != TERMINAL:
        turns.append(solved.policy[state])
        state = game.next_state(state, turns[-1])
    line, everybody = table.play(), ["optimal"] * rules.players
    assert line == cardrow.match(cards, *everybody, rules=rules)  # type: ignore[arg-type]
    assert cardrow.match(cards, table, *everybody[1:], rules=rules).turns == line.turns  # type: ignore[arg-type]
    assert (line.turns, line.sums) == (tuple(turns), state.sums)
    quick = cardrow.match(cards, rules=rules)
    assert tuple(play_out(cards, rules, quick.turns)) == quick.sums
    assert quick.lead == line.lead
    advice = Position(cards, rules=rules).advice()
    assert advice == table.advice(0, len(cards) - 1)
    found = value(cards, rules=rules, backend="exact")
    how: Any = {"rules": rules, "backend": "exact"}
    assert found == table.value == value(cards, method="diagonal", **how)
    first, *others = state.sums
    assert found == first - (min if rules.misere else max)(others)


@pytest.mark.parametrize("tie", ["larger", "left", "right"])
@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(("take", "players"), [(1, 2), (2, 2), (3, 2), (1, 3), (2, 4)])
def test_small_rows(take: int, players: int, misere: bool, tie: Any) -> None:
    rules = Rules(take=take, players=players, misere=misere, tie=tie)
    for cards in [*oracles.rows((0, 1), 3), (0, 1, 1, 0), (0, 0, 1, 1, 1, 0), (2, 1)]:
        agrees(cards, rules)


@given(games(6, players=4) | st.tuples(lists(6), oracles.rules))
def test_any_rules(game: Any) -> None:
    cards, rules = game
    agrees([Fraction(x) for x in cards], rules)


LARGEST = (2**49 - 1) // 8**2
"""Of integers up to this `solve` promises exact tables of eight cards in floats."""
promised = st.lists(small | st.integers(-LARGEST, LARGEST), min_size=1, max_size=8)


@given(promised, oracles.rules)
def test_float_tables_of_integers_are_exact(cards: Any, rules: Rules) -> None:
    exactly = solve(cards, rules=rules, backend="exact")
    floats = solve(cards, rules=rules)
    assert floats.backend == "float64"
    assert floats.sums.dtype == np.float64
    for name in ("best", "ties", "sums"):
        assert np.array_equal(getattr(floats, name), getattr(exactly, name))
    assert floats.play().positions.tolist() == exactly.play().positions.tolist()
    last = len(cards) - 1
    assert floats.advice(0, last) == exactly.advice(0, last)
    assert type(floats.value) is float


@given(lists(8), oracles.rules)
def test_float_tables_of_any_numbers(cards: list[Any], rules: Rules) -> None:
    """Sums are right to the tolerance; ties are found, and perhaps some more."""
    cards = [Fraction(x) / 10**20 if abs(x) > 10**12 else Fraction(x) for x in cards]
    rules = replace(rules, players=2)
    exactly, floats = (
        solve(cards, rules=rules, backend="exact"),
        solve(cards, rules=rules),
    )
    near = 5 * 2.0**-53 * float(max(map(abs, cards))) * len(cards) ** 2
    assert np.abs(floats.sums - exactly.sums.astype(float)).max() <= 2 * near
    assert (floats.ties >= exactly.ties).all()
    best = floats.advice(0, len(cards) - 1).best
    assert {*exactly.advice(0, len(cards) - 1).best} <= {*best}


def test_ties_to_rounding() -> None:
    """Tenths tie in floats where they tie as decimals, though their sums do not."""
    rng, found, exactly = np.random.default_rng(8), 0, 0
    for tenths in rng.integers(1, 9, (30, 8)).tolist():
        floats = solve([x / 10 for x in tenths])
        decimals = solve([Fraction(x, 10) for x in tenths], backend="exact")
        assert np.array_equal(floats.ties, decimals.ties)
        assert np.array_equal(floats.best, decimals.best)
        found += floats.ties.sum()
        exactly += solve([x / 10 for x in tenths], backend="exact").ties.sum()
    assert exactly < found
    # A difference beyond the tolerance is none: 5 u x D**2, with D = 2.
    for units, tie in [(16, True), (26, False)]:
        cards = [1.0, 1 + units * 2.0**-53]
        for rules in (Rules(), Rules(misere=True), Rules(take=2), Rules(weights=cards)):
            table = solve(cards, rules=rules)
            # Two cards a turn are worth more or less than one by a whole card.
            assert table.ties[0, 1] == (tie and rules.take == 1)
            assert table.advice(0, 1).tie == table.ties[0, 1]
    assert diagonals.tolerance(np.array([-3.0, 1.0]), 2) == 60 * 2.0**-53
    assert diagonals.tolerance(np.array([3, 1]), 2) == 0


def test_tables_are_of_their_kind() -> None:
    table = solve([14, 4, 7, 2, 5, 12], backend="exact")
    kinds = [array.dtype for array in (table.sums, table.best, table.ties)]
    assert kinds == [np.int64, np.int8, bool]
    assert table.sums.shape == (2, 6, 6)
    assert table == solve(np.array(table.cards, np.uint8), backend="exact")
    assert table != solve(table.cards)
    rows: list[Any] = [([10**30, 1], int), ([Fraction(1, 3), 2], Fraction)]
    for cards, kind in rows:
        table = solve(cards, backend="exact")
        assert {*map(type, table.sums.ravel())} == {kind} == {type(table.value)}
    many = solve(range(140), rules=Rules(take=130), backend="exact")
    assert many.best.dtype == np.int16
    assert many.best.min() == -130


def test_more_players_or_cards_a_turn_than_there_are() -> None:
    assert cardrow.match([3, 4], rules=Rules(players=5)).sums == (4, 3, 0, 0, 0)
    many = Rules(take=10**9)
    assert value([3, 4, 5], rules=many) == 12
    assert cardrow.match([3, 4, 5], rules=many).turns == (Turn("left", 3),)


@pytest.mark.parametrize(("take", "players"), [(6, 5), (40, 2), (20, 20)])
def test_memory_of_a_sweep(take: int, players: int) -> None:
    """What is refused is what is taken, to a factor of two."""
    cards, rules = 2000, Rules(take, players)
    tracemalloc.start()
    for _ in islice(diagonals.sweep(exact_array([1] * cards), rules), take + 6):
        pass  # as many diagonals as there ever are
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0.6 * peak < diagonals.sweep_bytes(cards, take, players, 8) < 2 * peak


def test_limit_of_a_table() -> None:
    with running(max_bytes=10_000):
        assert solve([0.5] * 9).value == 0.5
    with running(max_bytes=2000):
        assert solve([1] * 9, backend="exact").value == 1


class Player(RuleBasedStateMachine):
    """Takes, undoes and asks at random; the oracle and the table know the answers."""

    @initialize(game=games(8, players=2) | st.tuples(lists(8), st.just(Rules())))
    def deal(self, game: tuple[list[Any], Rules]) -> None:
        cards, rules = game
        rules = replace(rules, take=1 + (rules.take == 2 and len(cards) < 6))
        self.position = Position(cards, rules=rules)
        self.table = solve(cards, rules=rules, backend="exact")
        self.game = rules.game(cards)
        self.oracle = exact.solve(self.game)
        self.states, self.turns = [self.game.initial_state()], list[Turn]()

    @precondition(lambda self: self.position)
    @rule(data=st.data())
    def take(self, data: Any) -> None:
        state = self.states[-1]
        turn = data.draw(st.sampled_from(self.game.legal_actions(state)))
        before, self.position = self.position, self.position.play(turn)
        assert before.state == state
        assert before.play(turn) == self.position != before
        if len(before) == 1:  # either end is the only card
            assert before.play("right").state.sums == self.position.state.sums
        self.turns.append(turn)
        self.states.append(self.game.next_state(state, turn))

    @precondition(lambda self: self.turns)
    @rule()
    def undo(self) -> None:
        self.states.pop()
        self.turns.pop()
        self.position = self.position.undo()

    @rule()
    def ask(self) -> None:
        position, state = self.position, self.states[-1]
        assert (position.state, position.player) == (state, state.player)
        assert position.history == tuple(self.turns)
        assert len(position) == state.right - state.left + 1
        assert position.over == (not position)
        returns = self.game.returns(state)
        if position:
            returns = self.oracle.payoffs_at(state)
        lead = -returns[0] if position.rules.misere else returns[0]
        ahead = lead - (state.sums[0] - state.sums[1])
        assert position.lead == lead
        assert position.value == (-ahead if state.player else ahead)
        if position:
            advice = self.table.advice(state.left, state.right, player=state.player)
            assert position.advice() == advice
            assert {*advice.best} == {*self.oracle.optimal_actions[state]}
            assert advice.action == self.oracle.policy[state]


Player.TestCase.settings = settings(stateful_step_count=20)
TestPlayer = Player.TestCase


ROWS: dict[str, Callable[[random.Random], list[int]]] = {
    "of 1 to 13": lambda rng: [rng.randint(1, 13) for _ in range(100)],
    "large": lambda rng: [rng.randint(-(10**30), 10**30) for _ in range(100)],
    "rising": lambda rng: list(range(100)),
    "a peak": lambda rng: [*range(50), *range(50, 0, -1)],
    "a valley": lambda rng: [*range(50, 0, -1), *range(50)],
    "constant": lambda rng: [7] * 100,
    "zigzag": lambda rng: [1, 5] * 50,
}


@pytest.mark.parametrize("kind", ROWS)
def test_long_games(kind: str) -> None:
    """On and back across the middles of the row, where other blocks are needed."""
    rng = random.Random(1)
    cards = ROWS[kind](rng)
    table, position = solve(cards, backend="exact"), Position(cards)
    drift = [0.3, 0.5, 0.7][len(kind) % 3]
    while position:
        left, right = position.state[:2]
        assert position.value == value(cards[left : right + 1], backend="exact")
        assert position.advice() == table.advice(left, right)
        position = position.play("left" if rng.random() < drift else "right")
        while len(position) < 100 and rng.random() < 0.45:
            position = position.undo()
    assert sum(position.state.sums) == sum(cards)


def test_rows_of_many_blocks_need_no_recursion() -> None:
    position = Position(range(20_000)).play("right")
    assert (position.value, position.advice().action) == (9999, Turn("right"))
    while position:
        position = position.play("left")
    assert len(position.history) == 20_000


@given(games(7, players=4), st.sampled_from(["exact", "float64"]))
def test_a_solution_is_played_along(game: Any, backend: Any) -> None:
    cards, rules = game
    table = solve(cards, rules=rules, backend=backend)
    alone = solve(cards, rules=rules, backend="exact")
    for start in (Position(table), Position(cards, rules=rules)):
        position = start
        assert position.value == pytest.approx(float(alone.value), abs=1e-9)
        while position:
            left, right, player, _ = position.state
            advice = alone.advice(left, right, player=player)
            assert {*advice.best} <= {*position.advice().best}
            position = position.play(advice.action)
        assert position.state.sums == alone.play().sums
        assert position.value == 0


@given(games(6, players=4), st.sampled_from(["exact", "float64"]))
def test_any_game_s_functions_take_a_solution(game: Any, backend: Any) -> None:
    cards, rules = game
    table: Any = solve(cards, rules=rules, backend=backend)
    exactly = backend == "exact"
    close = pytest.approx(table.payoffs, abs=0 if exactly else 1e-12)
    assert play.evaluate(table, backend=backend).payoffs == close
    sign, sums = -1 if rules.misere else 1, table.play().sums
    each = sums if rules.players > 2 else (sums[0] - sums[1], sums[1] - sums[0])
    assert tuple([sign * x for x in each]) == close
    laws = play.distribution(table, backend=backend)
    assert laws.mean == close
    assert laws.moves.to_dict().keys() <= {*range(len(cards) + 1)}
    if rules.players == 2:
        optimal: Any = ["optimal"] * 2
        how: Any = {"rules": rules, "backend": backend}
        (lead,) = cardrow.distribution(cards, *optimal, **how).support
        assert sign * lead == pytest.approx(laws.mean[0], abs=1e-12)
    assert play.simulate(table, games=2, rng=1).mean == pytest.approx(
        [*map(float, table.payoffs)], abs=1e-9
    )
    for seat in range(rules.players):
        assert play.regret(table, table, seat, backend=backend).loss == 0
    position: Any = play.Position(table)
    assert position.payoffs == close
    assert type(position.value) is (Fraction if exactly else float)
    while not position.over:
        advice = position.advice()
        left, right = position.state[:2]
        if exactly:
            assert advice.action.code == table.best[left, right]
            assert {*advice.best} == {*table.advice(*position.state[:2]).best}
        position = position.play(advice.action)
    assert position.returns == close


def test_the_table_s_turns_are_played_where_others_care(tmp_path: Path) -> None:
    """Which tie is taken decides what the others get, in floats as well."""
    cards = [Fraction(x, 7) for x in (2, 4, 4, 2, 3, 2, 2, 4)]
    for tie in ("larger", "left", "right"):
        rules = Rules(players=4, tie=tie)
        exactly = solve(cards, rules=rules, backend="exact").payoffs
        table = solve(cards, rules=rules)
        assert table.ties.any()
        expected = pytest.approx([*map(float, exactly)], abs=1e-14)
        assert table.payoffs == expected
        assert play.evaluate(table).payoffs == expected
        interop.to_table(table, tmp_path / "row.npz")
        assert interop.from_table(tmp_path / "row.npz").payoffs == expected


@given(st.data(), games(5, players=4), st.booleans())
def test_the_game_in_arrays_is_the_plain_game(
    data: Any, known: Any, huge: bool
) -> None:
    cards, terms = known
    if huge:
        cards = [x * 10**40 for x in cards]
    arrays, game = terms.arrays(cards), terms.game(cards)
    found, plain = exact.solve(arrays), exact.solve(game)
    assert found.payoffs == plain.payoffs
    state, row = game.initial_state(), arrays.initial_states()
    while game.current_player(state) != TERMINAL:
        assert arrays.current_players(row) == game.current_player(state)
        _, codes = arrays.legal_actions(row)
        turns = [Turn.of_code(code) for code in codes.tolist()]
        assert turns == list(game.legal_actions(state))
        assert tuple(found.payoffs_at(row)[0]) == plain.payoffs_at(state)
        assert found.policy(row).tolist() == [plain.policy[state].code]
        turn = data.draw(st.sampled_from(turns))
        state = game.next_state(state, turn)
        row = arrays.next_states(row, np.array([turn.code]))
    assert arrays.current_players(row) == TERMINAL
    assert tuple(arrays.returns(row)[0]) == tuple(game.returns(state))


def test_large_numbers_take_more_words() -> None:
    game = Rules().arrays([3 * 10**25, 10**25, -7, 10**25 + 1, 2])
    assert isinstance(game, ArrayGame)
    found = explore(game)
    states = found.states_at(np.arange(found.num_states))
    left, right, player, *words = states.T
    assert len(words) == 2
    assert (game.rows(left, right, player, game.tallies(states)) == states).all()


def test_states_may_be_plain_tuples() -> None:
    game = Rules().game([1, 5])
    start, plain = game.initial_state(), (0, 1, 0, (0, 0))
    assert game.current_player(plain) == 0  # type: ignore[arg-type]
    assert game.legal_actions(plain) == game.legal_actions(start)  # type: ignore[arg-type]
    assert game.next_state(plain, Turn("left")) == (1, 1, 1, (1, 0))  # type: ignore[arg-type]
    assert game.returns((2, 1, 0, (1, 5))) == (-4, 4)  # type: ignore[arg-type]
