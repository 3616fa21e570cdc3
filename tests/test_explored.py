"""Games explored once and solved many times."""

import copy
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any, assert_type

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp import diagonal, exact, redblack
from cardgames_dp._graph import explored
from cardgames_dp.game import CHANCE, TERMINAL, GameError, Solution

from .written import RedBlack, Table, games

SOLVERS: list[Callable[..., Any]] = [exact.solve, diagonal.solve]


def changed(game: Table, data: st.DataObject) -> Table:
    """Return a game with the same states, and other returns and positive weights."""
    rows: dict[Any, tuple[Any, Any]] = {}
    for state, (kind, row) in game.rows.items():
        if kind == "end":
            drawn = st.tuples(*[st.fractions(-2, 2, max_denominator=4)] * len(row))
            rows[state] = kind, data.draw(drawn)
        elif kind == "chance":
            weights = st.integers(1, 5)
            rows[state] = kind, [(data.draw(weights) if w else 0, s) for w, s in row]
        else:
            rows[state] = kind, row
    return Table(rows, num_players=game.num_players)


@given(game=games(), data=st.data(), tie_break=st.sampled_from(["first", "last"]))
def test_solving_again_is_solving_afresh(
    game: Table, data: st.DataObject, tie_break: Any
) -> None:
    other = changed(game, data)
    once = explored.explore(game)
    again = once.with_returns(other.returns).with_weights(other.chance_outcomes)
    for solve in SOLVERS:
        assert solve(once, tie_break=tie_break) == solve(game, tie_break=tie_break)
        assert solve(again, tie_break=tie_break) == solve(other, tie_break=tie_break)
    assert once == explored.explore(game)
    assert again == explored.explore(other)


def test_types() -> None:
    game = explored.explore(RedBlack(2, 2))
    assert_type(game, explored.Explored[tuple[int, int, str], str])
    solution = diagonal.solve(game)
    assert_type(solution, Solution[tuple[int, int, str], str, float])
    assert_type(exact.solve(game).value, tuple[Fraction, ...])


@given(game=games())
def test_places_go_forward(game: Table) -> None:
    """Whatever leads somewhere comes before; the arrays repeat the game."""
    found = explored.explore(game)
    graph = found.graph
    assert found.states[0] == game.start
    assert found.num_states == len(found.places) == graph.num_states
    assert [found.places[state] for state in found.states] == list(
        range(found.num_states)
    )
    for place, state in enumerate(found.states):
        first, last = graph.offsets[place : place + 2].tolist()
        after = [found.states[i] for i in graph.following[first:last].tolist()]
        assert all(found.places[s] > place for s in after)
        assert graph.players[place] == game.current_player(state)
        kind, row = game.rows[state]
        if kind == "chance":
            assert after == [s for weight, s in row if weight]
        elif kind == "end":
            assert after == []
        else:
            assert after == list(row.values())
            assert found.actions_at(place) == tuple(row)
    assert found.num_moves == len(graph.following)


@given(game=games())
def test_blocks_hold_all_states_once(game: Table) -> None:
    graph = explored.explore(game).graph
    places: list[int] = []
    moves: list[int] = []
    for block in graph.blocks:
        here = range(graph.num_states)[block.places]
        places += here
        moves += range(len(graph.following))[block.moves]
        counts = np.diff(graph.offsets)[block.places]
        assert set(graph.players[block.places].tolist()) == {block.player}
        assert block.most == counts.max() <= 2 * counts.min()
        assert block.even == (counts.min() == counts.max())
        if block.player == CHANCE:
            assert graph.weights[block.own].size == counts.sum()
        if block.player == TERMINAL:
            assert len(graph.numerators[block.own]) == len(here)
    assert places == list(range(graph.num_states))
    assert moves == list(range(len(graph.following)))


def test_an_outcome_may_come_to_have_no_weight() -> None:
    """Its state stays, and is worth what it was."""
    rows: dict[Any, Any] = {
        0: ("chance", [(1, 1), (1, 2), (1, 1)]),
        1: ("end", [0]),
        2: ("end", [1]),
    }
    game = explored.explore(Table(rows))
    for given_weights, value in [
        ([(3, 2)], 1),
        ([(2, 1), (0, 2)], 0),
        ([(1, 2), (1, 1), (2, 2)], Fraction(3, 4)),
    ]:
        other = game.with_weights(lambda state, w=given_weights: w)  # type: ignore[misc]
        assert exact.solve(other).values == {0: (value,), 1: (0,), 2: (1,)}
        assert diagonal.solve(other).value == (value,)


BRANCH: Any = {
    0: ("chance", [(1, 1), (0, 2), (1, 3)]),
    1: ("end", [0]),
    3: ("end", [1]),
}


@pytest.mark.parametrize(
    ("outcomes", "error", "message"),
    [
        (
            [(1, 2)],
            GameError,
            r"^chance_outcomes\(0\) must lead to states that follow it in the explored "
            r"game, and pay what it pays, got 2; explore the game with these weights$",
        ),
        ([(0, 1)], GameError, "weights have a positive sum, got 0$"),
        ([(0.5, 1)], TypeError, "integers >= 0, got the weight 0.5"),
        (None, TypeError, r"^chance_outcomes\(0\) must hold pairs"),
        ([(1, [])], TypeError, r"^chance_outcomes\(0\) must give hashable"),
    ],
)
def test_wrong_weights(outcomes: Any, error: type[Exception], message: str) -> None:
    game = explored.explore(Table(BRANCH))
    before = copy.deepcopy(game)
    with pytest.raises(error, match=message):
        game.with_weights(lambda state: outcomes)
    assert game == before


@pytest.mark.parametrize(
    ("returns", "error", "message"),
    [
        ([1, 2], GameError, r"^returns\(1\) must hold one number a player"),
        (["1"], TypeError, r"^returns\(1\) must hold numbers .* got '1' of"),
        (
            [True],
            TypeError,
            r"^returns\(1\) must hold numbers .* got True of",
        ),
        (
            [float("nan")],
            GameError,
            r"^returns\(1\) must hold finite .* nan$",
        ),
        (3, TypeError, r"^returns\(1\) must be a sequence"),
    ],
)
def test_wrong_returns(returns: Any, error: type[Exception], message: str) -> None:
    game = explored.explore(Table(BRANCH))
    with pytest.raises(error, match=message):
        game.with_returns(lambda state: returns)


def test_an_explored_game_is_data() -> None:
    game = explored.explore(redblack.Rules().game(3, 3))
    assert repr(game) == "Explored(num_states=46, num_moves=54, num_players=1)"
    assert pickle.loads(pickle.dumps(game)) == game
    assert game != explored.explore(redblack.Rules(win=2).game(3, 3))
    assert explored.explore(game) is game
    with pytest.raises(ValueError, match="read-only"):
        game.graph.following[0] = 1


def test_equal_actions_are_one_but_asked_as_given() -> None:
    """Two states call an action 1 and True: each gets back what it gave."""
    asked = []

    class Spelled(Table):
        def legal_actions(self, state: Any) -> list[Any]:
            return [1] if state == 0 else [True]

        def next_state(self, state: Any, action: Any) -> Any:
            asked.append(action)
            return state + 1

    rows: Any = {0: (0, {}), 1: (0, {}), 2: ("end", [5])}
    assert exact.solve(Spelled(rows)).policy == {0: 1, 1: 1}
    assert asked[0] is not True
    assert asked[1] is True
