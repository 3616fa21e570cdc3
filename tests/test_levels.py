"""Games for arrays that tell their levels, beside the same games state by state."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from cardgames_dp import diagonal, exact, play
from cardgames_dp._graph import explored
from cardgames_dp._graph.ordering import levels_of
from cardgames_dp.game import CHANCE, TERMINAL, GameError, TooManyStatesError

from .games import cyclic_games
from .test_arrays import Listed, scaled
from .test_rewards import ListedPaying
from .written import Paying, Table, games, paying


class Levelled(Listed):
    """A game that is given state by state, with a level for each state."""

    def __init__(self, table: Table, levels: list[int], **form: bool) -> None:
        super().__init__(table, **form)
        self.of_states = np.array(levels)

    def levels(self, states: NDArray[Any]) -> NDArray[Any]:
        found: NDArray[Any] = self.of_states[self.read(states)]
        return found


@st.composite
def levelled(draw: st.DrawFn) -> tuple[Table, Levelled]:
    """Return a random game, and the same for arrays with random levels."""
    game = draw(games(max_players=3).map(scaled))
    count = len(game.rows)
    levels = st.lists(st.integers(-2, 3), min_size=count, max_size=count)
    form = {"rows": draw(st.booleans()), "mixed": draw(st.booleans())}
    return game, Levelled(game, sorted(draw(levels)), **form)


@given(both=levelled(), tie_break=st.sampled_from(["first", "last"]))
def test_random_games(both: tuple[Table, Levelled], tie_break: Any) -> None:
    game, listed = both
    one_by_one = exact.solve(game, tie_break=tie_break)
    exactly = exact.solve(listed, tie_break=tie_break)
    floats = diagonal.solve(listed, tie_break=tie_break)
    states = listed.written(list(one_by_one.values))
    assert exactly.num_states == one_by_one.num_states  # each state once
    assert exactly.value == one_by_one.value
    assert list(map(tuple, exactly.values(states))) == list(one_by_one.values.values())
    errors = np.abs(exactly.values(states) - floats.values(states))
    assert (errors <= floats.error).all()
    assert exactly.num_ties == len(one_by_one.ties)
    graph = exactly.explored.graph
    sources = np.repeat(np.arange(graph.num_states), np.diff(graph.offsets))
    assert (graph.following > sources).all()
    assert graph.components is None
    assert exactly.explored.initial.tolist() == [0]


class LevelledPaying(ListedPaying):
    """With rewards."""

    def __init__(self, table: Paying, levels: list[int], *, mixed: bool) -> None:
        super().__init__(table, mixed=mixed)
        self.of_states = np.array(levels)

    def levels(self, states: NDArray[Any]) -> NDArray[Any]:
        found: NDArray[Any] = self.of_states[self.read(states)]
        return found


@given(game=paying(), data=st.data(), mixed=st.booleans())
def test_rewards(game: Paying, data: st.DataObject, mixed: bool) -> None:
    count = len(game.rows)
    levels = st.lists(st.integers(-2, 3), min_size=count, max_size=count)
    listed = LevelledPaying(game, sorted(data.draw(levels)), mixed=mixed)
    one_by_one, exactly = exact.solve(game), exact.solve(listed)
    states = listed.written(list(one_by_one.values))
    assert list(map(tuple, exactly.values(states))) == list(one_by_one.values.values())


@given(both=levelled())
def test_played(both: tuple[Table, Levelled]) -> None:
    """Each state has one place, so that what is said of it is said once."""
    game, listed = both
    first = {state: row[0] for state, row in game.rows.items() if row[0] != "end"}
    if not any(isinstance(kind, int) for kind in first.values()):
        return

    def one(state: int) -> str:
        action: str = next(iter(game.rows[state][1]))
        return action

    def many(states: NDArray[Any]) -> NDArray[Any]:
        return np.zeros(len(states), dtype=int)

    expected: Any = play.regret(game, one, backend="exact")
    found: Any = play.regret(listed, many, backend="exact")
    costs = dict(zip(listed.read(found.states), found.cost.tolist(), strict=True))
    assert costs == dict(zip(expected.states, expected.cost.tolist(), strict=True))
    assert play.evaluate(listed, many, backend="exact").value == (
        play.evaluate(game, one, backend="exact").value
    )


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    """Return the states that follow each state of a random graph, cycles included."""
    size = draw(st.integers(1, 9))
    return [
        draw(
            st.lists(st.integers(0, size - 1), max_size=3 if draw(st.booleans()) else 1)
        )
        for _ in range(size)
    ]


def reached(after: list[list[int]]) -> list[set[int]]:
    """Return the states that plays of one or more moves reach from each state."""
    known = [set(each) for each in after]
    for _ in after:
        known = [each.union(*(known[i] for i in each)) for each in known]
    return known


@given(after=graphs())
def test_components_and_their_order(after: list[list[int]]) -> None:
    counts = np.array([len(each) for each in after])
    flat = np.array([i for each in after for i in each], dtype=int)
    levels, components = levels_of(np.append(0, np.cumsum(counts)), flat)
    known, states = reached(after), range(len(after))
    comes_back = [i in known[i] for i in states]
    assert (components is not None) is any(comes_back)
    if components is None:
        components = np.full(len(after), -1)
    assert (components >= 0).tolist() == comes_back
    together = [{j for j in known[i] if i in known[j]} | {i} for i in states]
    for i in states:
        for j in known[i]:
            if j in together[i]:
                assert (components[i], levels[i]) == (components[j], levels[j])
            else:
                assert levels[i] < levels[j]
                assert components[i] != components[j] or components[i] < 0
        # The longest play: one of those before is just one level lower.
        before = [levels[j] for j in states if set(after[j]) & together[i] - {j}]
        entering = [
            levels[j]
            for j in states
            if set(after[j]) & together[i] and j not in together[i]
        ]
        assert levels[i] == max(entering, default=-1) + 1 <= max(before, default=-1) + 1
    assert set(components[components >= 0]) == set(range(components.max() + 1))


@given(after=graphs(), data=st.data())
def test_groups_are_laid_out_after_what_leads_to_them(
    after: list[list[int]], data: st.DataObject
) -> None:
    """With levels that are those of the components, or all the same."""
    rows: dict[int, Any] = {
        i: (0, {f"{k}": j for k, j in enumerate(each)}) for i, each in enumerate(after)
    }
    for i, each in enumerate(after):
        if not each:
            rows[i] = ("end", [i])
        elif data.draw(st.booleans()):
            rows[i] = ("chance", [(1 + j % 2, j) for j in each])
    order, _ = levels_of(
        np.cumsum([0, *map(len, after)]),
        np.array([i for each in after for i in each], dtype=int),
    )
    levels = order // data.draw(st.integers(1, 5))
    game = Levelled(Table(rows), levels.tolist())
    found = explored.explore(game)
    graph = found.graph
    states = found.states_at(np.arange(found.num_states)).tolist()
    assert sorted(states) == sorted({0} | reached(after)[0])
    for place, state in enumerate(states):
        moves = slice(graph.offsets[place], graph.offsets[place + 1])
        assert [states[i] for i in graph.following[moves]] == after[state]
    step_of: dict[int, int] = {}
    for number, step in enumerate(graph.steps()):
        assert len(step) == 1 or {block.group for block in step} != {-1}
        for block in step:
            here = range(block.places.start, block.places.stop)
            step_of |= dict.fromkeys(here, number)
            assert (graph.players[block.places] == block.player).all()
            counts = np.diff(graph.offsets)[block.places]
            assert counts.max() == block.most
            assert block.even == (counts.min() == block.most)
            if block.player == CHANCE:
                weights = [1 + states[i] % 2 for i in graph.following[block.moves]]
                assert graph.weights[block.own].tolist() == weights
            if block.player == TERMINAL:
                paid = [states[i] for i in here]
                assert graph.numerators[block.own].ravel().tolist() == paid
    components = graph.components
    for place in range(found.num_states):
        for target in graph.following[graph.offsets[place] : graph.offsets[place + 1]]:
            if (
                components is None
                or components[place] != components[target]
                or components[place] < 0
            ):
                assert step_of[place] < step_of[target]
            else:
                assert step_of[place] == step_of[target]
    comes_back = {i for i in states if i in reached(after)[i]}
    if components is None:
        assert not comes_back
    else:
        assert {
            s for s, c in zip(states, components, strict=True) if c >= 0
        } == comes_back


@st.composite
def levelled_cycles(draw: st.DrawFn) -> tuple[Table, Levelled]:
    """Return a random game that comes back to states, and the same for arrays."""
    lone = cyclic_games(deciders=(0,), num_players=draw(st.integers(1, 3)))
    opposed = cyclic_games(deciders=(0, 1), num_players=2, opposed=True)
    game = scaled(draw(st.one_of(lone, opposed)))
    rows: dict[Any, Any] = {
        state: (kind, [(min(w, 9), t) for w, t in row] if kind == "chance" else row)
        for state, (kind, row) in game.rows.items()
    }
    game = Table(rows, num_players=game.num_players)
    after: list[list[int]] = []
    for kind, row in rows.values():
        ahead: Any = () if kind == "end" else row
        after.append(
            [t for _, t in ahead] if kind == "chance" else [*dict(ahead).values()]
        )
    counts = np.cumsum([0, *map(len, after)])
    order, _ = levels_of(counts, np.array([t for each in after for t in each], int))
    levels = order // draw(st.integers(1, 5))
    form = {"rows": draw(st.booleans()), "mixed": draw(st.booleans())}
    return game, Levelled(game, levels.tolist(), **form)


@given(both=levelled_cycles(), tie_break=st.sampled_from(["first", "last"]))
def test_cycles(both: tuple[Table, Levelled], tie_break: Any) -> None:
    """Beside the game state by state, in both backends."""
    game, listed = both
    try:
        one_by_one = exact.solve(game, tie_break=tie_break)
    except GameError as error:
        for backend in (exact, diagonal):
            with pytest.raises(GameError, match=f"^{str(error)[:15]}"):
                backend.solve(listed)
        return
    exactly = exact.solve(listed, tie_break=tie_break)
    floats = diagonal.solve(listed, tie_break=tie_break)
    states = listed.written(list(one_by_one.values))
    assert list(map(tuple, exactly.values(states))) == list(one_by_one.values.values())
    assert exactly.num_ties == len(one_by_one.ties)
    assert exactly.num_turned_ties == len(one_by_one.turned_ties)
    errors = np.abs(exactly.values(states) - floats.values(states))
    assert (errors <= floats.error).all()
    plain = diagonal.solve(game, tie_break=tie_break)
    assert floats.num_turned_ties == len(plain.turned_ties)


def test_a_level_that_falls() -> None:
    rows: Any = {0: (0, {"0": 1, "1": 2}), 1: ("end", [0]), 2: ("chance", [(1, 3)])}
    rows[3] = ("end", [1])
    message = (
        r"^levels\(states\) must not fall along a move, got level 4 at state 2 and 3 "
        "at 3, which can follow it$"
    )
    with pytest.raises(GameError, match=message):
        exact.solve(Levelled(Table(rows), [0, 4, 4, 3]))


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (np.zeros(2, int), GameError, r"must hold one integer a state, .* \(1,\), got"),
        (np.zeros(1), TypeError, "must hold integers of at most 64 bits, got an array"),
        (None, TypeError, "must hold integers of at most 64 bits, got an array of obj"),
    ],
)
def test_wrong_levels(answer: Any, error: type[Exception], message: str) -> None:
    game: Any = Levelled(Table({0: ("end", [0])}), [0])
    game.levels = lambda states: answer
    with pytest.raises(error, match=rf"^levels\(states\) {message}"):
        diagonal.solve(game)


def test_too_many_states() -> None:
    rows: Any = {i: (0, {"0": i + 1}) for i in range(9)} | {9: ("end", [0])}
    for levels in ([0] * 10, list(range(10))):
        game = Levelled(Table(rows), levels)
        assert exact.solve(game, max_states=10).num_states == 10
        with pytest.raises(
            TooManyStatesError, match="7 are found, and 1 follow, among"
        ):
            exact.solve(game, max_states=7)
