"""Rewards on the way, held against the same games whose states carry the points."""

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from cardgames_dp import diagonal, exact
from cardgames_dp._graph import explored, payments

from .test_arrays import Listed
from .written import Cards, Carried, Paying, Table, added, paying

SOLVERS: list[Callable[..., Any]] = [exact.solve, diagonal.solve]
WORDS = st.sampled_from(["first", "last"])


def whole(game: Paying) -> Paying:
    """Return a game with twelve times the rewards and returns, which are integers."""

    def scaled(numbers: Any) -> Any:
        return tuple([int(12 * x) for x in numbers])

    rows: dict[Any, Any] = {}
    for state, (kind, row) in game.rows.items():
        rows[state] = kind, row
        if kind == "end":
            rows[state] = kind, scaled(row)
        elif kind == "chance":
            rows[state] = kind, [(w, s, *map(scaled, paid)) for w, s, *paid in row]
    paid = {key: scaled(numbers) for key, numbers in game.paid.items()}
    return Paying(rows, game.start, game.num_players, paid)


def check(game: Any, tie_break: Any) -> None:
    """Hold both backends against the game without rewards."""
    carried = exact.solve(Carried(game), tie_break=tie_break)
    exactly = exact.solve(game, tie_break=tie_break)
    floats = diagonal.solve(game, tie_break=tie_break)
    for (state, points), value in carried.values.items():
        assert added(points, exactly.values[state]) == value
        for x, y in zip(floats.values[state], exactly.values[state], strict=True):
            assert abs(Fraction(x) - y) <= Fraction(floats.error)
    for (state, points), best in carried.optimal_actions.items():
        assert exactly.optimal_actions[state] == best
        assert exactly.policy[state] == carried.policy[state, points]
        advice = exactly.advice(state)
        values = advice.values
        for action, value in values.items():
            following = carried.values[
                Carried(game).next_state((state, points), action)
            ]
            assert points[advice.player] + value == following[advice.player]
        assert advice.value == exactly.values[state][advice.player]
        near = floats.advice(state)
        assert near.error >= floats.error
        if floats.error < 1e-9:
            assert set(best) <= set(floats.optimal_actions[state])
            for action, x in near.values.items():
                assert abs(Fraction(x) - values[action]) <= Fraction(near.error)
        assert near.value == floats.values[state][near.player] or near.tie
    assert set(floats.ties) <= set(exactly.ties)
    assert set(exactly.values) == {state for state, _ in carried.values}


@given(game=paying(), tie_break=WORDS)
def test_random_games(game: Paying, tie_break: Any) -> None:
    check(game, tie_break)


@given(data=st.data(), tie_break=WORDS, sums=st.integers(-1, 2))
def test_constant_sums(data: st.DataObject, tie_break: Any, sums: int) -> None:
    """The second player's values follow from the first's; or not, if rewards differ."""
    game = data.draw(paying(sums=sums))
    check(game, tie_break)
    for first, second in exact.solve(game).values.values():
        assert first + second == sums
    if game.paid:
        key = data.draw(st.sampled_from(sorted(game.paid)))
        first, second = game.paid[key]
        check(
            Paying(game.rows, 0, 2, {**game.paid, key: (first, second + 1)}), tie_break
        )


@given(game=paying(floats=True), tie_break=WORDS)
def test_floats_are_the_numbers_that_they_are(game: Paying, tie_break: Any) -> None:
    class Rational(Paying):
        """The same numbers as Fractions."""

        def rewards(self, state: Any, action: Any) -> Any:
            return added(super().rewards(state, action))

        def returns(self, state: Any) -> Any:
            return added(super().returns(state))

        def chance_outcomes(self, state: Any) -> Any:
            outcomes = super().chance_outcomes(state)
            return [(w, s, *map(added, paid)) for w, s, *paid in outcomes]

    same = Rational(game.rows, game.start, game.num_players, game.paid)
    assert diagonal.solve(game, tie_break=tie_break) == diagonal.solve(
        same, tie_break=tie_break
    )
    check(same, tie_break)


@given(game=paying().map(whole), tie_break=WORDS)
def test_integers_without_chance_have_no_error(game: Paying, tie_break: Any) -> None:
    rows = {
        state: (kind, row[:1] if kind == "chance" and row[0][0] else row)
        for state, (kind, row) in game.rows.items()
    }
    if any(kind == "chance" and len(row) > 1 for kind, row in rows.values()):
        return
    game = Paying(rows, 0, game.num_players, game.paid)
    floats, exactly = (solve(game, tie_break=tie_break) for solve in SOLVERS[::-1])
    assert floats.error == 0
    assert floats.possible_ties == ()
    assert floats.ties == exactly.ties
    assert floats.policy == exactly.policy


# Rounding.


NUMBERS = st.one_of(
    st.floats(-(2.0**900), 2.0**900),
    st.integers(-(2**54), 2**54),
    st.sampled_from([2.0**-1074, 2.0**-1022, 2**53, 1, Fraction(1, 3), 0.1]),
    st.fractions(max_denominator=10**6).map(lambda x: x / 10**300),
)


@given(
    data=st.data(),
    path=st.lists(st.booleans(), min_size=1, max_size=6),
    weights=st.lists(st.integers(1, 2**40), min_size=2, max_size=2),
)
def test_numbers_of_any_size(
    data: st.DataObject, path: list[bool], weights: list[int]
) -> None:
    """Chance and choice in turn; each leads on, with rewards, or to an end."""
    rows: dict[Any, Any] = {}
    paid: dict[Any, Any] = {}
    for i, lucky in enumerate(path):
        if lucky:
            mine, other = [data.draw(NUMBERS)], [data.draw(NUMBERS)]
            rows[i] = "chance", [(weights[0], i + 1, mine), (weights[1], -1, other)]
        else:
            rows[i] = 0, {"on": i + 1, "off": -1}
            paid |= {(i, "on"): [data.draw(NUMBERS)], (i, "off"): [data.draw(NUMBERS)]}
    rows |= {len(path): ("end", [data.draw(NUMBERS)]), -1: ("end", [0])}
    game = Paying(rows, paid=paid)
    floats = diagonal.solve(game)
    carried = Carried(game)
    exactly = exact.solve(carried).values
    for (state, points), value in exactly.items():
        away = abs(points[0] + Fraction(floats.values[state][0]) - value[0])
        assert away <= Fraction(floats.error)
    for state in floats.policy:
        advice = floats.advice(state)
        for action, x in advice.values.items():
            following = carried.next_state((state, added([0])), action)
            worth = exact.solve(Carried(Paying(rows, state, 1, paid))).values[following]
            assert abs(Fraction(x) - worth[0]) <= Fraction(advice.error)


def test_sums_beyond_53_bits_are_told() -> None:
    """The sum rounds to what the other action pays, which is less by one."""
    rows: Any = {0: (0, {"a": 1, "b": 2}), 1: (0, {"on": 2}), 2: ("end", [2**53])}
    game = Paying(rows, paid={(1, "on"): [1]})
    floats = diagonal.solve(game)
    assert floats.possible_ties == (0,)
    assert floats.error >= 1
    assert floats.advice(1).error >= 1
    assert exact.solve(game).optimal_actions[0] == ("a",)
    even = diagonal.solve(Paying(rows, paid={(1, "on"): [2]}))
    assert (even.error, even.optimal_actions[0]) == (0, ("a",))


def test_rewards_that_floats_cannot_hold() -> None:
    rows: Any = {0: (0, {"on": 1}), 1: ("end", [0])}
    floats = diagonal.solve(Paying(rows, paid={(0, "on"): [Fraction(1, 3)]}))
    away = abs(Fraction(1, 3) - Fraction(floats.value[0]))
    assert 0 < away <= Fraction(floats.error) < Fraction(2.0**-50)


@pytest.mark.parametrize(
    ("reward", "message"),
    [
        (2**1001, r"^rewards must be at most 2\*\*1000 in absolute value to be summed"),
        (
            -(2.0**1000),
            r"^returns with all rewards must be at most 2\*\*1000 in absolut",
        ),
    ],
)
def test_rewards_too_large_for_floats(reward: Any, message: str) -> None:
    rows: Any = {0: (0, {"on": 1}), 1: ("end", [1])}
    game = Paying(rows, paid={(0, "on"): [reward]})
    with pytest.raises(ValueError, match=message):
        diagonal.solve(game)
    if isinstance(reward, int):
        assert exact.solve(game).value[0] == reward + 1


def test_floats_are_refused_by_exact_arithmetic() -> None:
    rows: Any = {0: (0, {"0": 1}), 1: ("end", [1])}
    message = r"^rewards must be integers or Fractions to be exact, got floats; use flo"
    game = Paying(rows, paid={(0, "0"): [0.5]})
    with pytest.raises(TypeError, match=message):
        exact.solve(game)
    with pytest.raises(TypeError, match=message):
        exact.solve(ListedPaying(game))
    found = explored.explore(game)
    assert exact.solve(found.with_rewards(lambda *_: [2])).value[0] == 3
    with pytest.raises(TypeError, match=r"^returns must be integers or Fractions to"):
        exact.solve(found.with_rewards(lambda *_: [2]).with_returns(lambda _: [0.5]))
    lucky: Any = {0: ("chance", [(1, 1, [0.5])]), 1: ("end", [1])}
    assert diagonal.solve(Table(lucky)).value == (1.5,)
    again = explored.explore(Table(lucky)).with_rewards(lambda *_: [2])
    with pytest.raises(TypeError, match=message):
        exact.solve(again)


# What is explored.


@given(game=paying())
def test_each_payment_is_kept_once(game: Paying) -> None:
    graph = explored.explore(game).graph
    found = explored.explore(game)
    rewards = graph.rewards
    for place, state in enumerate(found.states):
        moves = range(*graph.offsets[place : place + 2].tolist())
        kind, row = game.rows[state]
        paid = [game.rewards(state, action) for action in row]
        if kind == "chance":
            nothing = (0,) * game.num_players
            paid = [x[2] if len(x) == 3 else nothing for x in row if x[0]]
        if kind != "end":
            assert [graph.paid(move) for move in moves] == [added(x) for x in paid]
    every = {graph.paid(move) for move in range(found.num_moves)}
    assert (rewards is None) == (not any(map(any, every)))
    if rewards is not None:
        assert len(rewards.numerators) == len({*every, (0,) * game.num_players})
        assert not rewards.numerators[0].any()
        assert rewards.which.dtype == np.int8
    assert pickle.loads(pickle.dumps(found)) == found


@given(game=paying(), data=st.data(), tie_break=WORDS)
def test_other_rewards_returns_and_weights(
    game: Paying, data: st.DataObject, tie_break: Any
) -> None:
    """Solving again is solving afresh, whatever is changed."""
    numbers = st.tuples(*[st.fractions(-2, 2, max_denominator=3)] * game.num_players)
    paid = {
        (state, action): data.draw(numbers)
        for state, (kind, row) in game.rows.items()
        if isinstance(kind, int)
        for action in row
    }
    rows: dict[Any, Any] = {}
    for state, (kind, row) in game.rows.items():
        rows[state] = kind, row
        if kind == "end":
            rows[state] = kind, data.draw(numbers)
        elif kind == "chance":
            drawn = [data.draw(st.integers(1, 5)) if x[0] else 0 for x in row]
            rows[state] = kind, [(w, *x[1:]) for w, x in zip(drawn, row, strict=True)]
    again = Paying(rows, game.start, game.num_players, paid)
    found = explored.explore(game)
    before = pickle.dumps(found)
    for change in data.draw(st.permutations(["returns", "weights", "rewards"])):
        name = "chance_outcomes" if change == "weights" else change
        found = getattr(found, f"with_{change}")(getattr(again, name))
    afresh = explored.explore(again)
    assert found == afresh
    for solve in SOLVERS:
        assert solve(found, tie_break=tie_break) == solve(afresh, tie_break=tie_break)
    assert explored.explore(game) == pickle.loads(before)


@given(game=paying())
def test_tables_give_rewards_back(game: Paying) -> None:
    found = explored.explore(game)

    class Known(explored.Table[Any, Any]):
        __slots__ = ()

    class Asked(Known):  # so that it is asked, not looked up
        __slots__ = ()

    again = explored.explore(Asked(found))
    assert again is not found
    assert again == found


# Games for arrays.


class ListedPaying(Listed):
    """A game that is given state by state, as a game for arrays, with rewards."""

    def __init__(self, table: Any, *, mixed: bool = False, kind: Any = object) -> None:
        super().__init__(table, mixed=mixed)
        self.paying, self.kind = table, kind

    def numbers(self, rows: list[Any]) -> NDArray[Any]:
        found = np.zeros((len(rows), self.num_players), dtype=self.kind)
        found[:] = rows
        return found[:, 0] if self.num_players == 1 and self.mixed else found

    def rewards(self, states: NDArray[Any], actions: NDArray[Any]) -> NDArray[Any]:
        pairs = zip(self.read(states), actions.tolist(), strict=True)
        return self.numbers([self.paying.rewards(s, f"{k}") for s, k in pairs])

    def chance_outcomes(self, states: NDArray[Any]) -> Any:
        nothing = (0,) * self.num_players
        rows = [
            (i, w, t, *(paid or [nothing]))
            for i, s in enumerate(self.read(states))
            for w, t, *paid in self.table.rows[s][1]
        ]
        if self.mixed:
            rows = rows[::2] + rows[1::2]
        index, weights, following, paid = zip(*rows, strict=True)
        if self.mixed and not any(map(any, paid)):  # three arrays will do
            return np.array(index), np.array(weights), np.array(following)
        given = np.array(index), np.array(weights), np.array(following)
        return *given, self.numbers(list(paid))

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        return self.numbers([self.table.rows[s][1] for s in self.read(states)])


@given(game=paying(), tie_break=WORDS, mixed=st.booleans(), data=st.data())
def test_arrays(game: Paying, tie_break: Any, mixed: bool, data: st.DataObject) -> None:
    """Fractions in arrays, or integers; rows of moves in any order."""
    kind: Any = object
    if data.draw(st.booleans()):
        game, kind = whole(game), data.draw(st.sampled_from([np.int8, np.int64]))
    listed = ListedPaying(game, mixed=mixed, kind=kind)
    one_by_one = exact.solve(game, tie_break=tie_break)
    exactly = exact.solve(listed, tie_break=tie_break)
    floats = diagonal.solve(listed, tie_break=tie_break)
    states = listed.written(list(one_by_one.values))
    assert [tuple(x) for x in exactly.values(states)] == [*one_by_one.values.values()]
    errors = np.abs(exactly.values(states) - floats.values(states))
    assert (errors <= Fraction(floats.error)).all()
    if one_by_one.policy:
        asked = listed.written(list(one_by_one.policy))
        index, actions = exactly.optimal_actions(asked)
        for i, best in enumerate(one_by_one.optimal_actions.values()):
            assert tuple(f"{k}" for k in actions[index == i]) == best
    rewards = explored.explore(listed).graph.rewards
    if rewards is not None:
        every = list(map(tuple, rewards.numbers().tolist()))
        assert len(set(every)) == len(every)
        assert every[0] == (0,) * game.num_players
        assert rewards.which.dtype == np.int8


def broad(seed: int) -> Paying:
    """Return a game with many states side by side, with different numbers of moves."""
    rng = np.random.default_rng(seed)
    rows: dict[Any, Any] = {0: ("chance", [(1, k, [k, 0]) for k in range(1, 21)])}
    paid: dict[Any, Any] = {}
    for state in range(1, 61):
        layer = (state - 1) // 20
        following = rng.integers(20 * layer + 21, 20 * layer + 41, rng.integers(1, 7))
        numbers = rng.integers(-9, 10, (len(following), 2)).tolist()
        if state % 3:
            rows[state] = (
                state % 2,
                {f"{k}": s for k, s in enumerate(following.tolist())},
            )
            paid |= {(state, f"{k}"): pair for k, pair in enumerate(numbers)}
        else:
            weights = rng.integers(1, 5, len(following)).tolist()
            rows[state] = (
                "chance",
                [*zip(weights, following.tolist(), numbers, strict=True)],
            )
    rows |= {state: ("end", [state % 7, -state % 5]) for state in range(61, 81)}
    return Paying(rows, num_players=2, paid=paid)


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_broad_games(seed: int, mixed: bool) -> None:
    """Moves are reordered where states are solved at once."""
    game = broad(seed)
    listed = ListedPaying(game, mixed=mixed, kind=np.int64)
    one_by_one = exact.solve(game)
    exactly, floats = exact.solve(listed), diagonal.solve(listed)
    states = listed.written(list(one_by_one.values))
    assert [tuple(x) for x in exactly.values(states)] == [*one_by_one.values.values()]
    assert np.abs(floats.values(states) - exactly.values(states)).max() < 1e-12
    near = diagonal.solve(game)
    for state, value in one_by_one.values.items():
        assert near.values[state] == pytest.approx([float(x) for x in value])
    assert explored.explore(game).with_rewards(game.rewards) == explored.explore(game)
    found = explored.explore(listed)
    assert found.with_rewards(listed.rewards).graph == found.graph


@given(game=paying(), tie_break=WORDS)
def test_arrays_with_other_rewards(game: Paying, tie_break: Any) -> None:
    def paid(state: int, action: str) -> Any:
        return [3 * x - 1 for x in game.rewards(state, action)]

    again = Paying(
        game.rows,
        0,
        game.num_players,
        {
            (state, action): paid(state, action)
            for state, (kind, row) in game.rows.items()
            if isinstance(kind, int)
            for action in row
        },
    )
    listed = ListedPaying(again)
    found = explored.explore(ListedPaying(game)).with_rewards(listed.rewards)
    found = found.with_returns(listed.returns)
    assert exact.solve(found, tie_break=tie_break) == exact.solve(
        explored.explore(listed), tie_break=tie_break
    )
    assert found.graph == explored.explore(listed).graph


@given(
    rows=st.lists(
        st.tuples(st.integers(-3, 3), st.floats(-2, 2), st.integers(0, 2**62)),
        min_size=1,
        max_size=30,
    ),
    column=st.lists(st.sampled_from([0, 1, 2]), min_size=1, max_size=3),
    kind=st.sampled_from([np.int64, np.float64, object]),
)
def test_different_rows(rows: Any, column: list[int], kind: Any) -> None:
    """As a set tells them apart; also numbers too far apart for a table."""
    array = np.array([[row[k] for k in column] for row in rows]).astype(kind)
    kept, which = payments.distinct(array)
    assert kept[which].tolist() == array.tolist()
    assert len(kept) == len({*map(tuple, array.tolist())})


class Paid(Cards):
    """Red/black in which each card pays when it is drawn, and the end nothing."""

    def chance_outcomes(self, states: NDArray[Any]) -> Any:
        index, weights, after = super().chance_outcomes(states)
        return index, weights, after, np.repeat([1, -1], len(states))

    def returns(self, states: NDArray[Any]) -> NDArray[Any]:
        return np.zeros(len(states), dtype=int)


def test_red_black_paid_card_by_card() -> None:
    """What is to come with a deck is the value of that deck as a new one."""
    solution = diagonal.solve(Paid(26, 26))
    assert abs(solution.value[0] - 2.624475548993) < 1e-12
    decks = [(26, 26), (13, 7), (3, 5), (1, 0)]
    values = solution.values(np.array([[*deck, 0] for deck in decks])).ravel()
    for deck, value in zip(decks, values, strict=True):
        assert abs(value - diagonal.solve(Cards(*deck)).value[0]) < 1e-13
    assert exact.solve(Paid(6, 5)).value == exact.solve(Cards(6, 5)).value
    rewards = solution.explored.graph.rewards
    assert rewards is not None
    assert rewards.numerators.tolist() == [[0], [1], [-1]]
