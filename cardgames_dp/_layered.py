"""Place the nodes of an acyclic graph in a picture: in levels, with few crossings.

The method is that of [1]_. Every node has a level, and edges lead to later levels. An
edge that passes levels gets a point on each of them, so that it can go around the nodes
there. The points of a level are ordered by the mean place of their neighbours, in
several rounds down and up, and adjacent points are exchanged if that saves a crossing;
the order with the fewest crossings is kept. In this order points are placed as close to
that mean as a distance of 1 allows, by least squares.

References
----------
.. [1] K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of
   hierarchical system structures", IEEE Transactions on Systems, Man, and Cybernetics
   11 (1981), 109-125.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

Edge: TypeAlias = tuple[int, int]

_ROUNDS = 12
"""The number of rounds of ordering, and of placing; more change little."""


def lay_out(
    levels: Sequence[int], edges: Sequence[Edge]
) -> tuple[list[float], list[list[int]]]:
    """Return the horizontal place of every point, and the points of every edge.

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
    rows = _ordered(rows, places, above, below)
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
) -> list[list[int]]:
    """Return the points of each level in an order with few crossings; place them."""
    for row in rows:
        _number(row, places)
    fewest, best = _crossings(rows, places, below), [list(row) for row in rows]
    for _ in range(_ROUNDS):
        for order, beside in ((rows, above), (rows[::-1], below)):
            for row in order:
                means = {point: _mean(point, beside, places) for point in row}
                row.sort(key=means.__getitem__)
                _number(row, places)
            _exchange(rows, places, above, below)
            crossings = _crossings(rows, places, below)
            if crossings < fewest:
                fewest, best = crossings, [list(row) for row in rows]
    for row in best:
        _number(row, places)
    return best


def _exchange(
    rows: list[list[int]],
    places: list[float],
    above: list[list[int]],
    below: list[list[int]],
) -> None:
    """Exchange adjacent points as long as this saves crossings."""

    def crossing(left: int, right: int) -> int:
        return sum(
            places[a] > places[b]
            for beside in (above, below)
            for a in beside[left]
            for b in beside[right]
        )

    better = True
    while better:
        better = False
        for row in rows:
            for k, (left, right) in enumerate(pairwise(row)):
                if crossing(left, right) > crossing(right, left):
                    row[k], row[k + 1] = right, left
                    places[left], places[right] = places[right], places[left]
                    better = True
                    break


def _number(row: list[int], places: list[float]) -> None:
    for k, point in enumerate(row):
        places[point] = float(k)


def _crossings(
    rows: list[list[int]], places: list[float], below: list[list[int]]
) -> int:
    """Return the number of crossings of edges between neighbouring levels."""
    total = 0
    for row in rows:
        ends = [sorted(places[lower] for lower in below[point]) for point in row]
        passed: list[float] = []  # the lower ends of what starts further left
        for group in ends:
            total += sum(len(passed) - bisect_right(passed, end) for end in group)
            for end in group:
                insort(passed, end)
    return total


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
