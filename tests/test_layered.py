"""Nodes stand apart, lines are not tangled, and nothing is lost."""

from itertools import combinations, pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardgames_dp._layered import lay_out

Picture = tuple[list[int], list[tuple[int, int]]]


@st.composite
def graphs(draw: st.DrawFn) -> Picture:
    """Return levels and edges: each node but the first has an edge from above."""
    count = draw(st.integers(1, 12))
    levels, edges = [0], set()
    for node in range(1, count):
        first = draw(st.integers(0, node - 1))
        levels.append(levels[first] + draw(st.integers(1, 3)))
        edges.add((first, node))
    for first, last in draw(st.lists(st.tuples(*[st.integers(0, count - 1)] * 2))):
        if levels[first] < levels[last]:
            edges.add((first, last))
    return levels, sorted(edges)


def crossings(levels: list[int], edges: list[tuple[int, int]]) -> int:
    """Return how many pairs of lines between neighbouring levels cross, one by one."""
    places, paths = lay_out(levels, edges)
    level_of = dict(enumerate(levels))
    for path in paths:
        for point, other in pairwise(path):
            level_of[other] = level_of[point] + 1
    lines = [line for path in paths for line in pairwise(path)]
    return sum(
        level_of[a] == level_of[c]
        and (places[a] - places[c]) * (places[b] - places[d]) < 0
        for (a, b), (c, d) in combinations(lines, 2)
    )


@given(graphs())
def test_every_edge_goes_down_level_by_level(graph: Picture) -> None:
    levels, edges = graph
    places, paths = lay_out(levels, edges)
    assert [(path[0], path[-1]) for path in paths] == edges
    assert [len(path) - 1 for path in paths] == [
        levels[b] - levels[a] for a, b in edges
    ]
    between = [point for path in paths for point in path[1:-1]]
    assert sorted(between) == list(range(len(levels), len(places)))


@given(graphs())
@example(([0, 1, 1, 1], [(0, 1), (0, 2), (0, 3)]))
def test_points_of_a_level_stand_apart(graph: Picture) -> None:
    levels, edges = graph
    places, paths = lay_out(levels, edges)
    rows: dict[int, list[float]] = {}
    for node, level in enumerate(levels):
        rows.setdefault(level, []).append(places[node])
    for path in paths:
        for k, point in enumerate(path[1:-1], 1):
            rows.setdefault(levels[path[0]] + k, []).append(places[point])
    for row in rows.values():
        for left, right in pairwise(sorted(row)):
            assert right - left >= 1 - 1e-9


def test_a_tree_is_drawn_without_crossings() -> None:
    """However its nodes are numbered."""
    levels = [0, 1, 1, 2, 2, 2, 2, 3, 3]
    edges = [(0, 1), (0, 2), (1, 3), (2, 4), (1, 5), (2, 6), (5, 8), (4, 7)]
    assert crossings(levels, edges) == 0


def test_a_grid_is_drawn_without_crossings() -> None:
    """As the decks of red/black are: each state follows from two."""
    cells = [(r, b) for r in range(5) for b in range(5)]
    number = {cell: k for k, cell in enumerate(cells)}
    edges = [
        (number[r, b], number[after])
        for r, b in cells
        for after in ((r + 1, b), (r, b + 1))
        if after in number
    ]
    assert crossings([r + b for r, b in cells], edges) == 0


TANGLES: dict[str, Picture] = {
    "ordered by means": (
        [0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3],
        [
            *((0, 1), (0, 2), (0, 3), (0, 4), (1, 6), (2, 8), (3, 5), (3, 7), (4, 5)),
            *((4, 8), (5, 9), (6, 9), (6, 11), (7, 10), (8, 9)),
        ],
    ),
    "exchanged": (
        [0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3],
        [
            *((0, 1), (0, 2), (0, 3), (0, 4), (1, 5), (2, 7), (3, 5), (3, 6), (4, 5)),
            *((4, 7), (6, 9), (6, 10), (7, 8)),
        ],
    ),
}
"""5 and 4 pairs of lines cross in the order of a walk, 0 and 2 by means alone."""


@pytest.mark.parametrize("name", TANGLES)
def test_tangles_are_undone(name: str) -> None:
    assert crossings(*TANGLES[name]) == 0


def test_what_must_cross_crosses_once() -> None:
    """Two nodes that both lead to two."""
    edges = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 3), (2, 4)]
    assert crossings([0, 1, 1, 2, 2], edges) == 1


@pytest.mark.parametrize("children", [1, 2, 5])
def test_a_node_stands_in_the_middle_above_its_children(children: int) -> None:
    edges = [(0, child) for child in range(1, children + 1)]
    places, _ = lay_out([0] + [1] * children, edges)
    assert places[0] == pytest.approx(sum(places[1:]) / children)
    assert max(places[1:]) - min(places[1:]) == pytest.approx(children - 1)
