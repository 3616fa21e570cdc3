"""Linear systems by lifting beside elimination: the same Fractions, or nothing."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardgames_dp import exact
from cardgames_dp._loops import elimination, lifting
from cardgames_dp._loops.elimination import Row, Vector

from .games import Table

System = list[tuple[int, dict[int, int], Vector | None]]
Solution = list[Vector] | None


@st.composite
def systems(draw: st.DrawFn) -> tuple[System, int]:
    """Return equations of states, some of which hardly ever end or never, and columns.

    A walk on a line, with moves to anywhere: by weights that floats hold, or not.
    """
    size = draw(st.integers(2, 12))
    columns = draw(st.integers(1, 2))
    weights = st.sampled_from([1, 2, 3, 10, 10**6, 10**12])
    numbers = st.sampled_from([0, 0, 1, -3, 10**9, -(10**60) - 1])
    system: System = []
    for s in range(size):
        targets = [t for t in (s - 1, s + 1) if 0 <= t < size]
        targets += draw(st.lists(st.integers(0, size - 1), max_size=2))
        after = {t: draw(weights) for t in targets}
        scale = sum(after.values()) + draw(st.sampled_from([0, 0, 0, 1, 5]))
        known: Vector | None = None
        if draw(st.booleans()):
            tops = [draw(numbers) for _ in range(columns)]
            known = tops, draw(st.sampled_from([1, 6, 35, 7**40]))
        system.append((scale, after, known))
    return system, columns


def solutions(system: System, columns: int) -> tuple[Solution, Solution]:
    """Return what lifting and elimination find."""
    each = [[Row(s, dict(after), known) for s, after, known in system] for _ in "12"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lifting, "_LEAST_FILL", 0)
        patch.setattr(elimination, "LEAST_STATES", 0)
        lifted = elimination._lift(each[0], columns)
        patch.setattr(elimination, "LEAST_STATES", len(system) + 1)
        return lifted, elimination.solution(each[1], columns)


@given(systems())
def test_lifting_beside_elimination(drawn: tuple[System, int]) -> None:
    lifted, eliminated = solutions(*drawn)
    assert lifted in (None, eliminated)
    small = max(scale for scale, *_ in drawn[0]) < 1000  # so floats are good enough
    if small and drawn[1] == 1 and eliminated is not None:
        assert lifted == eliminated


def walk(size: int, forward: int, back: int) -> System:
    """Return the equations of a walk that ends at one end of a line only."""
    system: System = [
        (forward + back, {max(s - 1, 0): back, s + 1: forward}, None)
        for s in range(size - 1)
    ]
    return [*system, (forward + back, {size - 2: back}, ([forward], 1))]


@pytest.mark.parametrize(
    ("system", "some"),
    [
        (walk(30, 1, 1), True),
        (walk(30, 1, 2), True),
        (walk(30, 1, 3), True),
        (walk(30, 1, 5), False),  # more rounds than integers hold
        (walk(30, 1, 10**12), False),
        ([*walk(5, 1, 1), (1, {5: 1}, None)], False),  # a state that is never left
        ([(2, {1: 2}, None), (2, {0: 2}, None)], False),
        ([(2, {1: 1}, ([10**400], 3**500)), (2, {0: 1}, ([1], 3))], True),
        ([(2**41, {1: 1}, None), (2, {0: 1}, ([1], 3))], False),
    ],
)
def test_what_is_lifted(system: System, some: bool) -> None:
    lifted, eliminated = solutions(system, 1)
    assert (lifted is not None) == some
    assert lifted in (None, eliminated)


def grid(size: int) -> Table:
    """Return a walk within walls, with two doors; a player chooses once a row."""
    rows: dict[Any, Any] = {"in": ("end", [1]), "out": ("end", [Fraction(1, 7)])}
    for x in range(size):
        for y in range(size):
            steps = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            near: list[Any] = [s for s in steps if size > max(s) >= min(s) >= 0]
            doors = {(0, 0): "out", (size - 1, size - 2): "in"}
            near += [doors[x, y]] if (x, y) in doors else []
            rows[x, y] = ("chance", [(1 + k, s) for k, s in enumerate(near)])
            if y == x // 2:
                rows[x, y] = (0, {s: s for s in near})
    return Table(rows, (size // 2, 0))


def test_a_grid_with_lifting_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> Any:
        raise AssertionError("it is lifted")

    with monkeypatch.context() as patch:
        patch.setattr(elimination, "_substitute", refused)
        lifted = exact.solve(grid(12))
    monkeypatch.setattr(elimination, "LEAST_STATES", 10**6)
    eliminated = exact.solve(grid(12))
    assert dict(lifted.values) == dict(eliminated.values)
    assert dict(lifted.policy) == dict(eliminated.policy)


def test_an_order_of_play_is_not_lifted(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> Any:
        raise AssertionError("an order is found")

    monkeypatch.setattr(lifting, "_lift", refused)
    size = 200
    rows: dict[Any, Any] = {
        s: ("chance", [(1, min(s + d, size)) for d in range(1, 7)] + [(1, 0)])
        for s in range(size)
    }
    assert exact.solve(Table({**rows, size: ("end", [3])})).value == 3
