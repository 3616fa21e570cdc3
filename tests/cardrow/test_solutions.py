"""Solved rows, against the general backends and a slow game, by any rules."""

from __future__ import annotations

import pickle
import sys
import tracemalloc
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import TooLargeError, cardrow, diagonal, exact, play, running
from cardgames_dp.cardrow import Rules, State, solve, value
from cardgames_dp.cardrow._kernels import diagonals
from cardgames_dp.cardrow._kernels.row import Instance, Row
from cardgames_dp.game import explore

from . import oracles
from .oracles import Slow, games, lists, play_out

# As an attribute of the package this name is the module of the game.
FAST = sys.modules["cardgames_dp.cardrow.fast"]


def agrees(cards: Any, rules: Rules, tie_break: Any = "first") -> None:
    """Hold the own solver against the explored game, in all states, exactly."""
    game = cardrow.game(cards, rules=rules)
    own = exact.solve(game, tie_break=tie_break)
    general = exact.solve(explore(game), tie_break=tie_break)
    every = general.explored.states_at(np.arange(general.num_states))
    near = product(*[range(-1, len(cards) + 1)] * 2, range(-1, rules.players + 1))
    some = np.array([*near])
    known = own._source.reaches(some)
    assert {*map(tuple, some[known].tolist())} == {*map(tuple, every.tolist())}
    assert own.initial_state == general.initial_state
    assert own.payoffs == general.payoffs
    assert (own.payoffs_at(every) == general.payoffs_at(every)).all()
    for state in map(State._make, every.tolist()):
        assert own.payoffs_at(state) == general.payoffs_at(state)
        if state.left <= state.right:
            assert own.policy[state] == general.policy[state]
            assert own.optimal_actions[state] == general.optimal_actions[state]
            assert own.advice(state) == general.advice(state)
    assert own.table().tolist() == general.table().tolist()
    for what in ("ties", "left", "right"):
        assert (own.table(what) == general.table(what)).all()
    assert str(own) == str(general)
    again = pickle.loads(pickle.dumps(own))
    assert again == own
    assert again.policy == own.policy
    if tie_break == "first":
        agrees_with_slow(cards, rules, own)


def agrees_with_slow(cards: Any, rules: Rules, own: Any) -> None:
    """Compare values, turns, a line of play and sums with a game from the rules."""
    slow = exact.solve(Slow(cards, rules))
    assert own.payoffs == slow.payoffs
    for state, turn in slow.policy.items():
        here = State._make(state[:3])
        assert own.policy[here] == turn
        assert {*own.optimal_actions[here]} == {*slow.optimal_actions[state]}
        had = Slow(cards, rules).returns(state)
        ahead = [x - y for x, y in zip(slow.payoffs_at(state), had, strict=True)]
        assert own.payoffs_at(here) == tuple(ahead)
    everybody = ["optimal"] * rules.players
    line = cardrow.match(cards, *everybody, rules=rules)
    assert cardrow.match(cards, own, *everybody[1:], rules=rules).turns == line.turns
    assert [*line.sums] == play_out(cards, rules, line.turns)
    quick = cardrow.match(cards, rules=rules)
    assert [*quick.sums] == play_out(cards, rules, quick.turns)
    assert quick.lead == line.lead
    worth = value(cards, rules=rules, backend="exact")
    assert worth == line.lead
    assert worth == value(cards, rules=rules, method="diagonal", backend="exact")
    if rules.players == 2:
        assert own.value == (-worth if rules.misere else worth)


@given(
    games(6, players=4) | st.tuples(lists(6), oracles.rules),
    st.sampled_from(["first", "last"]),
)
def test_any_rules(game: Any, tie_break: Any) -> None:
    cards, rules = game
    agrees([Fraction(x) for x in cards], rules, tie_break)


@given(games(6, players=4) | st.tuples(lists(8), oracles.rules))
def test_floats_are_within_their_error(game: Any) -> None:
    """And ties are certain: all is computed in integers, and rounded at the end."""
    cards, rules = game
    row = cardrow.game(cards, rules=rules)
    own, exactly = diagonal.solve(row), exact.solve(row)
    assert type(own.value) is float
    left, right = np.indices((len(cards), len(cards))).reshape(2, -1)
    player = (len(cards) - 1 - right + left) % rules.players
    states = np.column_stack([left, right, player])[left <= right]
    rounded, errors = own.payoffs_at(states), own._source.error_of(states)
    for floats, right_ones, error in zip(
        rounded, exactly.payoffs_at(states), errors, strict=True
    ):
        for x, y in zip(floats.tolist(), right_ones, strict=True):
            assert abs(Fraction(x) - y) <= Fraction(float(error))
        assert error <= 2.0**-51 * max(map(abs, floats)) + 2.0**-1000
    assert (own.policy(states) == exactly.policy(states)).all()
    assert (own.table("ties") == exactly.table("ties")).all()
    whole = all(Fraction(x).denominator == 1 and abs(x) < 10**6 for x in cards)
    if whole and rules.weights is None:
        assert own.error == 0
        assert not own.possible_ties


@pytest.mark.parametrize("cells", [1, 9, 10**9])
@given(game=games(7, players=2) | st.tuples(lists(8), st.just(Rules())))
def test_long_rows_are_short_rows(cells: int, game: Any) -> None:
    """Values by collapsing peaks are those of the table, on any path to them."""
    cards, rules = game
    rules = replace(rules, take=1)
    table = exact.solve(cardrow.game(cards, rules=rules))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FAST, "_SHORT", 0)
        patch.setattr(FAST, "_CELLS", cells)
        long = exact.solve(cardrow.game(cards, rules=rules))
        assert long.value == table.value
        position: Any = play.Position(long)
        while not position.over:
            assert position.payoffs == table.payoffs_at(position.state)
            assert position.advice() == table.advice(position.state)
            position = position.play(position.actions[-1])
        assert (long.table("values") == table.table("values")).all()


def test_tables_are_of_their_kind() -> None:
    table = solve([14, 4, 7, 2, 5, 12], backend="exact")
    assert table == solve(np.array([14, 4, 7, 2, 5, 12], np.uint8), backend="exact")
    assert table != solve([14, 4, 7, 2, 5, 13], backend="exact")
    cells = table.table()
    assert cells.shape == (6, 6)
    assert type(cells[0, 5]) is Fraction
    assert cells[5, 0] is None
    assert np.isnan(solve([1, 2, 3]).table()[2, 0])
    assert solve([1, 2, 3]).table(player=1)[0].tolist() == [-1, 1, -2]
    many = solve(range(140), rules=Rules(take=130), backend="exact")
    assert many.policy[State(0, 139)] == "130 from the right"


def test_more_players_or_cards_a_turn_than_there_are() -> None:
    assert cardrow.match([3, 4], rules=Rules(players=5)).sums == (4, 3, 0, 0, 0)
    many = Rules(take=10**9)
    assert value([3, 4, 5], rules=many) == 12
    assert cardrow.match([3, 4, 5], rules=many).turns == ("3 from the left",)
    assert solve([3, 4, 5], rules=many).policy[State(0, 2)] == "3 from the left"


@pytest.mark.parametrize(("take", "players"), [(6, 5), (40, 2)])
def test_memory_of_a_sweep(take: int, players: int) -> None:
    """What is refused is what is taken, to a factor of two."""
    cards, rules = 2000, Rules(take, players)
    instance = Instance.of(rules, Row([1] * cards, 1, integral=True))
    tracemalloc.start()
    for _ in islice(diagonals.sweep(instance), take + 6):
        pass  # as many diagonals as there ever are
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0.6 * peak < diagonals.sweep_bytes(cards, take, players, 8) < 2 * peak


def test_limit_of_a_table() -> None:
    """A long row needs a table for many states only; then it is refused."""
    with running(max_bytes=2000):
        assert solve([0.5] * 9).value == 0.5
    long = solve(range(20_000))
    assert long.value == 10_000
    with running(max_bytes=10**6), pytest.raises(TooLargeError, match="20000 x 20000"):
        long.table()


def test_a_class_of_its_own_goes_the_general_way() -> None:
    """Its rules may be others."""

    class Doubled(cardrow.row.CardRow):
        def rewards(self, states: Any, actions: Any) -> Any:
            return 2 * super().rewards(states, actions)

    game: Any = Doubled(Rules(), (1, 5, 2))
    assert game.fast is None
    assert game.layout is None
    assert exact.solve(game).value == -4 == 2 * solve([1, 5, 2]).value


def test_states_may_be_plain_tuples_of_the_first_fields() -> None:
    solution: Any = solve([1, 5])
    assert solution.policy[0, 1] == solution.policy[State(0, 1, 0)] == "right"
    with pytest.raises(KeyError, match=r"^'\(0, 0\) cannot be reached"):
        solution.values[0, 0]
    assert solution.values[0, 0, 1] == -1


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("take", [127, 128, 129])
def test_many_cards_a_turn(take: int, players: int) -> None:
    rules = Rules(take, players)
    first = cardrow.match([1] * 129, rules=rules)
    assert first.turns[0] in {f"{take} from the {side}" for side in ("left", "right")}
    assert value([1] * 129, rules=rules) == first.lead
    assert solve([1] * 129, rules=rules).payoffs[0] == (
        first.lead if players == 2 else first.sums[0]
    )


def test_rounding_leaves_no_tie_open() -> None:
    solution = solve(["0.1"] * 3)
    assert solution.error > 0
    assert not solution.possible_ties
    assert solution.advice(State(0, 2)).certain
    _, _, worths, _ = solution.advice(np.array([[0, 2, 0]]))
    assert worths.dtype == np.float64


def test_long_rows_are_refused_what_needs_all_states() -> None:
    long, other = solve(range(10**5)), solve(range(1, 10**5 + 1))
    assert long != other
    assert play.Position(long) != play.Position(other)
    assert long.values(np.array([[k, k + 5, 0] for k in range(2, 4000, 2)])).any()
    for ask in (lambda: long.ties, lambda: len(long.values), lambda: long.num_states):
        with pytest.raises(TooLargeError, match="states"):
            ask()
    with pytest.raises(ValueError, match=r"such as State\(left=0, right=99999, player"):
        long.advice(State(5, 3))
