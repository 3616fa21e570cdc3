"""Linear systems of policies beside dense ones, whichever order elimination takes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import sparse

from cardgames_dp import diagonal
from cardgames_dp._loops import policy_iteration, systems
from cardgames_dp._loops.components import Group
from cardgames_dp._loops.systems import Systems, krylov
from cardgames_dp.game import CHANCE, TERMINAL, GameError, explore

from .games import Paying, Table


class Rooms:
    """Walks in some rooms of a few states each, until a move leads out of them."""

    num_players = 1

    def __init__(self, rooms: list[list[list[int]]]) -> None:
        self.rooms = rooms

    def initial_state(self) -> Any:
        return "first"

    def current_player(self, state: Any) -> int:
        if state == "out":
            return TERMINAL
        return CHANCE if state == "first" or state[1] % 2 else 0

    def legal_actions(self, state: Any) -> range:
        return range(len(self.rooms[state[0]][state[1]]))

    def next_state(self, state: Any, action: int) -> Any:
        to = self.rooms[state[0]][state[1]][action]
        return (state[0], to) if to < len(self.rooms[state[0]]) else "out"

    def chance_outcomes(self, state: Any) -> list[tuple[int, Any]]:
        if state == "first":
            return [
                (1, (r, s))
                for r, room in enumerate(self.rooms)
                for s in range(len(room))
            ]
        outcomes = [(1, self.next_state(state, i)) for i in self.legal_actions(state)]
        return [*outcomes, (1, "out")]

    def returns(self, state: Any) -> list[int]:
        return [1]


@st.composite
def rooms(draw: st.DrawFn) -> list[list[list[int]]]:
    """Return rooms of one size, so that one group holds those that come back."""
    size = draw(st.integers(2, 5))
    ways = st.lists(st.integers(0, size), min_size=1, max_size=3)
    return draw(
        st.lists(st.lists(ways, min_size=size, max_size=size), min_size=1, max_size=4)
    )


def groups(walks: list[list[list[int]]]) -> list[Group]:
    """Return the groups of a game."""
    graph = explore(Rooms(walks)).graph
    return [Group.of(graph, step) for step in graph.steps() if step[0].group >= 0]


@pytest.mark.parametrize(("hubs", "few"), [(0, 0), (1, 0), (6, 0), (6, 64)])
@given(walks=rooms(), data=st.data())
def test_solved(
    hubs: int, few: int, walks: list[list[list[int]]], data: st.DataObject
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(systems, "_HUBS", hubs)
        patch.setattr(systems, "_FEW", few)
        for group in groups(walks):
            _hold(group, data.draw)


def _hold(group: Group, draw: Callable[[st.SearchStrategy[int]], int]) -> None:
    """Hold the values of some policies, one after the other, against dense systems."""
    counts, size = np.diff(group.offsets), group.num_states
    p = np.where(group.own >= 0, 1 / counts[group.sources], 1.0)
    system = Systems(group, p)
    for number in range(3):
        picked = [
            first + draw(st.integers(0, count - 1))
            for first, count in zip(group.offsets[:-1], counts, strict=True)
        ]
        made = group.players[group.sources] == CHANCE
        made[picked] = True
        within = made & (group.inside >= 0)
        dense = np.zeros((size, size))
        np.add.at(dense, (group.sources[within], group.inside[within]), p[within])
        if max(abs(np.linalg.eigvals(dense))) > 1 - 1e-6:
            continue  # play need not end
        given_ = np.cos(np.arange(size) + number)
        result = system.solved(made, given_)
        expected = np.linalg.solve(np.eye(size) - dense, given_)
        np.testing.assert_allclose(result, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("nearby", [True, False])
def test_a_grid_is_eliminated(monkeypatch: pytest.MonkeyPatch, nearby: bool) -> None:
    """Few states join its halves; as many moves to anywhere would fill the memory."""
    monkeypatch.setattr(systems, "_MOST_FILL", 2**20)
    size, rng = 100, np.random.default_rng(1)
    rows: dict[Any, Any] = {"out": ("end", [1])}
    for x, y in np.ndindex(size, size):
        after = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        if not nearby:
            after = [(int(a), int(b)) for a, b in rng.integers(-1, size, (4, 2))]
        rows[x, y] = ("chance", [(1, a) for a in after])
    for state, (_, moves) in list(rows.items())[1:]:
        rows[state] = "chance", [(w, a if a in rows else "out") for w, a in moves]
    graph = explore(Table(rows, (0, 0))).graph
    (group,) = [Group.of(graph, step) for step in graph.steps() if step[0].group >= 0]
    system = Systems(group, np.full(len(group.sources), 0.25))
    assert system.eliminates == nearby


def test_a_long_chain_is_solved_where_nothing_is_eliminated() -> None:
    """A Krylov method alone takes as many steps as the chain is long."""
    size = 5000
    chances = sparse.eye_array(size, k=1) * 0.9 + sparse.eye_array(size, k=-3) * 0.1
    matrix = (sparse.eye_array(size) - chances).tocsr()
    x = krylov(matrix, np.ones(size), 1e-12)
    assert abs(matrix @ x - 1).max() < 1e-6


def test_what_is_not_solved_is_no_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every move of a walk costs 1; numbers that no solver gave prove nothing."""
    rows: dict[Any, Any] = {9: ("end", [0])}
    paid: dict[Any, Any] = {}
    for x in range(9):
        rows[x] = 0, {"left": (x, -1), "right": (x, 1)}
        for step in (-1, 1):
            after = max(x + step, 0)
            rows[x, step] = "chance", [(9, after, [-1]), (1, x, [-1])]
    game = Paying(rows, 0, 1, paid)
    right = diagonal.solve(game)
    assert right.value == pytest.approx(-10)
    noise = np.random.default_rng(0).normal(size=30) * 100
    monkeypatch.setattr(systems.Systems, "eliminates", False)
    monkeypatch.setattr(
        policy_iteration, "by_sweeps", lambda step, x, moves: (x, False)
    )
    monkeypatch.setattr(
        systems.Systems, "solved", lambda self, made, given: noise[: len(given)]
    )
    with pytest.raises(GameError, match="too hard for float64"):
        diagonal.solve(game)
