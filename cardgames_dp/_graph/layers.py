"""Where the nodes of a drawn graph stand, in layers, and the bends of its edges."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

_ROUNDS = 12
"""The number of rounds of ordering, and of placing; more change little."""


def laid_out(
    levels: Sequence[int], edges: Sequence[tuple[int, int]]
) -> tuple[list[float], list[list[int]]]:
    """Return the horizontal place of every point, and the points of every edge.

    As K. Sugiyama, S. Tagawa and M. Toda do (IEEE Transactions on Systems, Man, and
    Cybernetics 11, 1981, 109-125): an edge that passes levels gets a point on each of
    them, so that it can go around the nodes there; the points of a level are ordered by
    the mean place of their neighbours, in several rounds down and up, and then placed
    as close to that mean as a distance of 1 allows, by least squares.

    Parameters
    ----------
    levels : sequence of int
        The level of each node.
    edges : sequence of pairs of int
        Pairs of a node and a node of a later level.

    Returns
    -------
    places : list of float
        The places of the nodes, then of the points between them; at least 1 apart on a
        level.
    paths : list of list of int
        For each edge: its first node, the points between, and its last node.
    """
    level_of, paths = list(levels), []
    for first, last in edges:
        between = range(len(level_of), len(level_of) + levels[last] - levels[first] - 1)
        level_of += range(levels[first] + 1, levels[last])
        paths.append([first, *between, last])
    above: list[list[int]] = [[] for _ in level_of]
    below: list[list[int]] = [[] for _ in level_of]
    for path in paths:
        for upper, lower in pairwise(path):
            above[lower].append(upper)
            below[upper].append(lower)
    rows: list[list[int]] = [[] for _ in range(max(level_of) + 1)]
    for point in _by_depth(below):
        rows[level_of[point]].append(point)
    places = [0.0] * len(level_of)
    _ordered(rows, places, above, below)
    near = [up + down for up, down in zip(above, below, strict=True)]
    for _ in range(_ROUNDS):
        for row in rows:
            _place(row, places, [_mean(point, near, places) for point in row])
    return places, paths


def _ordered(
    rows: list[list[int]],
    places: list[float],
    above: list[list[int]],
    below: list[list[int]],
) -> None:
    """Order the points of each level by the means of their neighbours; place them."""
    for row in rows:
        _numbered(row, places)
    for _ in range(_ROUNDS):
        for order, beside in ((rows, above), (rows[::-1], below)):
            for row in order:
                means = {point: _mean(point, beside, places) for point in row}
                row.sort(key=means.__getitem__)
                _numbered(row, places)


def _numbered(row: list[int], places: list[float]) -> None:
    for k, point in enumerate(row):
        places[point] = float(k)


def _by_depth(below: list[list[int]]) -> list[int]:
    """Return all points in the order of a depth-first walk downward."""
    met: dict[int, None] = {}
    ahead = [0]
    while ahead:
        point = ahead.pop()
        if point not in met:
            met[point] = None
            ahead += reversed(below[point])
    return list(met)


def _mean(point: int, beside: list[list[int]], places: list[float]) -> float:
    others = beside[point]
    if not others:
        return places[point]
    return sum([places[other] for other in others]) / len(others)


def _place(row: list[int], places: list[float], wanted: list[float]) -> None:
    """Place a row in its order, at least 1 apart, as close as possible to the wanted.

    This is isotonic regression by pooling adjacent violators: with k subtracted from
    the k-th place, places must not decrease, and each group gets its mean.
    """
    groups: list[tuple[float, int]] = []
    for k, want in enumerate(wanted):
        mean, size = want - k, 1
        while groups and groups[-1][0] > mean:
            other, count = groups.pop()
            mean = (mean * size + other * count) / (size + count)
            size += count
        groups.append((mean, size))
    shifted = [mean for mean, size in groups for _ in range(size)]
    for k, (point, shift) in enumerate(zip(row, shifted, strict=True)):
        places[point] = shift + k
