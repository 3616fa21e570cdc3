"""What solutions over arrays tell, beside the same games state by state."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from cardgames_dp import diagonal, exact
from cardgames_dp._graph import array_answers, arrays, explored, positions
from cardgames_dp._support import running
from cardgames_dp.game import CHANCE, GameError

from .test_arrays import Listed, scaled
from .test_rewards import ListedPaying
from .written import Cards, Paying, games, paying

WORDS = st.sampled_from(["first", "last"])


@given(game=paying(), tie_break=WORDS)
def test_advice(game: Paying, tie_break: Any) -> None:
    one_by_one = exact.solve(game, tie_break=tie_break)
    states = list(one_by_one.policy)
    if not states:
        return
    for solve in (exact.solve, diagonal.solve):
        solution = solve(ListedPaying(game), tie_break=tie_break)
        asked = ListedPaying(game).written(states)
        index, actions, values, best = solution.advice(asked)
        for i, state in enumerate(states):
            advice = one_by_one.advice(state)
            here = np.flatnonzero(index == i)
            assert [f"{k}" for k in actions[here]] == list(advice.values)
            for value, other in zip(values[here], advice.values.values(), strict=True):
                close = 1e-15 * (1 + abs(other)) if solution.error else 0
                assert abs(value - other) <= solution.error + close
            flagged = {f"{k}" for k in actions[here][best[here]]}
            assert flagged >= {*advice.best}
            assert solve is diagonal.solve or flagged == {*advice.best}


# Many positions
# --------------


@st.composite
def many(draw: st.DrawFn) -> tuple[arrays.ExploredArrays, list[NDArray[Any]]]:
    """Return a game of several positions, and the returns in each."""
    game = draw(games(max_players=3, max_moves=5).map(scaled))
    found = explored.explore(Listed(game))
    ends = int(np.count_nonzero(found.graph.players < CHANCE))
    shape = draw(st.integers(1, 5)), ends, found.num_players
    size = int(np.prod(shape))
    numbers = st.lists(st.integers(-2, 2), min_size=size, max_size=size)
    returns = np.array(draw(numbers)).reshape(shape) / draw(st.sampled_from([1, 7]))
    return found.with_returns(lambda _: returns), list(returns)


@given(both=many(), tie_break=WORDS, cache=st.sampled_from([1, 2**18]))
def test_many_positions(both: Any, tie_break: Any, cache: int) -> None:
    found, returns = both
    assert found.num_positions == len(returns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(positions, "_CACHE", cache)
        patch.setattr(positions, "_LEAST_WIDTH", 2)
        solution: Any = diagonal.solve(found, tie_break=tie_break)
    places = np.arange(found.num_states)
    states = found.states_at(places)
    decided = states[found.graph.players >= 0]
    assert solution.values(states).shape == (
        len(returns),
        found.num_states,
        found.num_players,
    )
    for position, paid in enumerate(returns):
        alone = diagonal.solve(found.at(position), tie_break=tie_break)
        again = found.with_returns(lambda _, paid=paid: paid)
        assert found.at(position).graph.numerators.tolist() == (
            again.graph.numerators.tolist()
        )
        away = np.abs(solution.values(states)[position] - alone.values(states)).max()
        assert away <= solution.error[position] + alone.error
        assert np.array_equal(
            solution.value[position], solution.values(states[:1])[position, 0]
        )
        if decided.size and found.num_players == 1:
            least = 2.0**-1060  # one that has underflowed in one of the two forms only
            assert alone.error <= solution.error[position] + least
        if decided.size and solution.error[position] == alone.error == 0:
            chosen = solution.policy(decided)[position]
            assert chosen.tolist() == alone.policy(decided).tolist()
            _, _, values, best = solution.advice(decided)
            expected = alone.advice(decided)
            assert values[position].tolist() == expected[2].tolist()
            assert best[position].tolist() == expected[3].tolist()


@given(both=many(), tie_break=WORDS)
def test_errors_of_many_positions(both: Any, tie_break: Any) -> None:
    """Against Fractions: of one player, whose values do not depend on ties."""
    found, returns = both
    if found.num_players > 1:
        return
    solution = diagonal.solve(found, tie_break=tie_break)
    states = found.states_at(np.arange(found.num_states))
    for position, paid in enumerate(returns):
        fractions = np.vectorize(Fraction, otypes=[object])(paid)
        exactly = exact.solve(found.with_returns(lambda _, f=fractions: f))
        away = solution.values(states)[position] - exactly.values(states)
        assert (abs(away) <= Fraction(solution.error[position])).all()


def of_positions() -> arrays.ExploredArrays:
    game = Cards(3, 2)
    paid = np.arange(1, 4)[:, np.newaxis, np.newaxis]
    found = explored.explore(game)
    return found.with_returns(lambda ends: paid * game.returns(ends)[:, np.newaxis])


def test_a_solution_of_many_positions() -> None:
    solution: Any = diagonal.solve(of_positions())
    one = diagonal.solve(Cards(3, 2)).value[0]
    assert solution.value[:, 0] == pytest.approx([one, 2 * one, 3 * one])
    assert repr(solution).startswith("ArraySolution(num_positions=3, num_states=34, e")
    assert solution.to_dict(json=True)["initial_values"] == [
        [[value]] for value in solution.value[:, 0]
    ]
    assert solution == diagonal.solve(of_positions())


def solved(game: Any) -> Any:
    return diagonal.solve(game)


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (exact.solve, TypeError, "game must be of one position to be sol"),
        (lambda g: g.at(3), ValueError, "position must be below num_positions, 3, got"),
        (lambda g: g.at(-1), ValueError, "position must be"),
        (lambda g: g.at(0).at(0), ValueError, "at is for a game of many positions"),
        (
            lambda g: solved(g).optimal_actions(np.array([[3, 2, 0]])),
            ValueError,
            "optimal_actions is for one position",
        ),
        (
            lambda g: solved(g).to_pandas(),
            ValueError,
            "to_pandas is for one po",
        ),
        (
            lambda g: g.with_returns(lambda s: np.zeros((2, len(s), 2))),
            GameError,
            r"returns\(states\) must hold one number a player",
        ),
        (
            lambda g: g.with_returns(lambda s: np.full((2, len(s), 1), np.inf)),
            GameError,
            r"must hold finite numbers, got \[inf\] at state .* in position 0$",
        ),
        (
            lambda g: g.with_returns(lambda s: np.full((2, len(s), 1), "1")),
            TypeError,
            "must hold integers of at most 64 bits or floats",
        ),
    ],
)
def test_refusals_of_many_positions(
    ask: Callable[[Any], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        ask(of_positions())


def test_many_positions_of_a_game_that_pays_on_the_way() -> None:
    rows: Any = {0: (0, {"0": 1, "1": 2}), 1: ("end", [0]), 2: ("end", [0])}
    game = ListedPaying(Paying(rows, paid={(0, "1"): [1]}), kind=int)
    found = explored.explore(game).with_returns(lambda s: np.zeros((2, len(s), 1)))
    with pytest.raises(ValueError, match="pays on the way is solved in one position"):
        diagonal.solve(found)
    assert diagonal.solve(found.at(1)).value == (1,)


def test_more_positions_than_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    found = of_positions()
    monkeypatch.setattr(running, "physical_memory", lambda: 1500)
    message = r"a solution of 3 x 34 x 1 values .*; solve fewer positions at a time"
    with pytest.raises(running.TooLargeError, match=message):
        diagonal.solve(found)


# Other weights
# -------------


@given(game=paying(), factors=st.lists(st.integers(0, 3), min_size=5, max_size=5))
def test_other_weights(game: Paying, factors: list[int]) -> None:
    def weighed(outcomes: Any) -> Any:
        """Other weights, some of them 0, in another order."""
        given = [(w * factors[s % 5], s, *paid) for w, s, *paid in outcomes]
        return given[::-1] if any(w for w, *_ in given) else outcomes

    rows = {
        state: (kind, weighed(row) if kind == "chance" else row)
        for state, (kind, row) in game.rows.items()
    }
    other = Paying(rows, game.start, game.num_players, game.paid)
    expected = exact.solve(explored.explore(game).with_weights(other.chance_outcomes))
    listed = ListedPaying(other)
    for at_once in (1, 2**18):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(arrays, "_AT_ONCE", at_once)
            found = explored.explore(ListedPaying(game))
            again = found.with_weights(listed.chance_outcomes)
        states = listed.written(list(expected.values))
        values = exact.solve(again).values(states)
        assert list(map(tuple, values)) == list(expected.values.values())


def test_weights_of_other_states() -> None:
    game, found = Cards(2, 1), explored.explore(Cards(2, 1))

    def skipping(states: NDArray[Any]) -> Any:
        index, weights, after = game.chance_outcomes(states)
        return index, weights, after - [1, 0, 0]

    message = r"must lead from state \[2, 1, 2\] to states that follow it .* got \[0, 1"
    with pytest.raises(GameError, match=message):
        found.with_weights(skipping)


# Calls and the index of states
# -----------------------------


class Counting(Cards):
    """It remembers the most states of a call."""

    most = 0

    def current_players(self, states: NDArray[Any]) -> NDArray[Any]:
        self.most = max(self.most, len(states))
        return super().current_players(states)

    def chance_outcomes(self, states: NDArray[Any]) -> Any:
        self.most = max(self.most, len(states))
        return super().chance_outcomes(states)


@given(game=paying(), tie_break=WORDS, mixed=st.booleans())
def test_calls_of_bounded_size(game: Paying, tie_break: Any, mixed: bool) -> None:
    listed = ListedPaying(game, mixed=mixed)
    whole = exact.solve(listed, tie_break=tie_break)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(array_answers, "_AT_ONCE", 2)
        assert exact.solve(listed, tie_break=tie_break) == whole


def test_no_call_has_more_states(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = explored.explore(Cards(9, 9))
    monkeypatch.setattr(array_answers, "_AT_ONCE", 4)
    game = Counting(9, 9)
    assert explored.explore(game).graph == whole.graph
    assert game.most == 4


def test_copies_share_the_index_of_states(monkeypatch: pytest.MonkeyPatch) -> None:
    found, state = explored.explore(Cards(3, 3)), np.array([[1, 1, 0]])
    copies = [found.with_returns(Cards(3, 3).returns) for _ in range(2)]
    place = copies[0].places(state)
    monkeypatch.setattr(arrays, "bounds", None)  # which sorting the states begins with
    assert found.places(state) == copies[1].places(state) == place
    with pytest.raises(TypeError):
        explored.explore(Cards(3, 2)).places(state)
