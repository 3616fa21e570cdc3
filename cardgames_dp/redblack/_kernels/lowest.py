"""The lowest cash on the way: how deep a player sinks before the game ends.

The chance that the cash sinks to -x or below is that of play under one more rule: it
ends there, too. So play is run forwards once for each depth x, many of them side by
side, as rows of one array (`cardgames_dp.redblack._kernels.forward`); what comes to the
*floor* of a row, the smallest r with so little cash, is counted and leaves. All depths
of a deck of l + l cards are O(sqrt l) floors of O(sqrt l) cells at 2 l levels: O(l**2)
time.

Where red and black weigh the same, the logarithm of that chance is a smooth function of
the depth. Of many depths it is computed at nodes alone, whose distances grow with the
depth, and interpolated from the `_POINTS` nearest: O(l**1.5) time. Every second node
has first to be predicted by the others, of twice the distance; with all of them the
error is 2**16 times smaller. A policy for which they are not is given more nodes, or
all depths.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._extras import progress_bar, tracked
from cardgames_dp._numbers import printable
from cardgames_dp.redblack._kernels import costs, laws, limits
from cardgames_dp.redblack._kernels.band import BLOCK, Band
from cardgames_dp.redblack._kernels.forward import drawn, play
from cardgames_dp.redblack._kernels.stakes import Stakes, as_float
from cardgames_dp.redblack._kernels.stops import StopSet
from cardgames_dp.redblack._kernels.terms import Terms

_DENSITY = 16
"""Nodes are a part in so many of their depth apart, at first."""

_POINTS = 16
"""Nodes from which a depth between them is interpolated."""

_CLOSE = 1e-6
"""How well every second node has to be predicted by the others, as a logarithm."""

_CELLS = 2**15
"""Cells of the flows that run side by side: few enough for the cache."""

_RARE = 2.0**-64
"""Depths whose states are met with less than this chance, over N, are left out."""


class _Play(NamedTuple):
    """A deck and its player, with amounts in whole units of the stakes."""

    stakes: Stakes
    red: int
    black: int
    stops: StopSet
    exact: bool

    def depth(self, n: int, r: int) -> int:
        """Return how much is lost with n cards remaining, r of them red."""
        gained = self.stakes.gain * (self.red - r)
        return self.stakes.cost * (self.black - (n - r)) - gained


def law(
    rules: Terms, red: int, black: int, stops: StopSet, *, exact: bool, progress: bool
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return what the lowest cash may be, increasing, and its probabilities."""
    if rules.gain <= 0:  # the cash never rises: the last is the lowest
        return laws.payoff(rules, red, black, stops, exact=exact, progress=progress)
    stakes = Stakes.of(rules)
    player = _Play(stakes, red, black, stops, exact)
    depths = _depths(player, progress=progress)
    reached = [1, *_reached(player, depths, progress=progress), 0]
    # Below this share of the chance before, a difference may be nothing but rounding.
    noise = 0 if exact else (red + black) * 2.0**-52
    found = [
        (depth, here - below)
        for depth, here, below in zip([0, *depths], reached, reached[1:], strict=False)
        if here - below > noise * here
    ]
    support = np.empty(len(found), dtype=object if exact else np.float64)
    chances = np.empty_like(support)
    cash = [-stakes.unit * depth for depth, _ in reversed(found)]
    support[:] = [printable(c) if exact else as_float(c) for c in cash]
    chances[:] = [printable(p) if exact else p for _, p in reversed(found)]
    return support, chances


def _depths(player: _Play, *, progress: bool) -> list[int]:
    """Return all positive depths that play may reach, increasing."""
    stakes, red, black, stops, exact = player
    fronts = play(red, black, stops.among, exact=exact)
    cards = red + black
    found: set[int] = set()
    deepest = 0
    for front in tracked(fronts, cards + 1, "levels", shown=progress):
        met = np.flatnonzero(front.flow > (0 if exact else _RARE / max(cards, 1)))
        if stakes.gain == stakes.cost:
            if len(met):
                lowest = player.depth(front.n, front.first + int(met[-1]))
                deepest = max(deepest, lowest)
            continue
        for r in (met + front.first).tolist():
            found.add(player.depth(front.n, r))
        limits.refuse_depths(red, black, len(found), exact=exact, progress=progress)
    if stakes.gain == stakes.cost:
        return list(range(1, deepest + 1))
    return sorted(depth for depth in found if depth > 0)


def _reached(player: _Play, depths: list[int], *, progress: bool) -> list[Any]:
    """Return the chances that the cash sinks to these depths."""
    density, nodes = _DENSITY, _nodes(len(depths), _DENSITY)
    smooth = not player.exact and player.stakes.gain == player.stakes.cost
    while smooth and 2 * len(nodes) < len(depths):
        swept = _swept(player, nodes.tolist(), progress=progress)
        values, last = np.log(swept), len(depths)
        between = _through(nodes[::2], values[::2], nodes[1::2], last)
        if np.abs(between - values[1::2]).max() < _CLOSE:
            chances = np.exp(_through(nodes, values, np.array(depths), last))
            chances[nodes - 1] = swept
            return [*chances.tolist()]
        density *= 2
        nodes = _nodes(len(depths), density)
    return _swept(player, depths, progress=progress)


def _nodes(deepest: int, density: int) -> NDArray[np.int64]:
    """Return depths from 1 to the deepest, further apart the deeper they are."""
    found = [1]
    while found[-1] < deepest:
        found.append(min(found[-1] + max(1, found[-1] // density), deepest))
    return np.array(found)


def _through(
    nodes: NDArray[np.int64],
    values: NDArray[np.float64],
    depths: NDArray[np.int64],
    deepest: int,
) -> NDArray[np.float64]:
    """Return what the polynomials through the nearest nodes are at other depths."""
    scale = np.log(nodes + deepest / 8)
    nearest = np.searchsorted(nodes, depths) - _POINTS // 2
    chosen = nearest.clip(0, len(nodes) - _POINTS)[:, None] + np.arange(_POINTS)
    x, at = scale[chosen], np.log(depths + deepest / 8)[:, None]
    apart = x[:, :, None] - x[:, None, :]
    apart[:, range(_POINTS), range(_POINTS)] = 1
    distance = at - x
    distance[distance == 0] = 1e-100  # the node itself, which then outweighs the rest
    weights = 1 / (apart.prod(axis=2) * distance)
    found: NDArray[np.float64] = (weights * values[chosen]).sum(1) / weights.sum(1)
    return found


def _swept(player: _Play, depths: Sequence[int], *, progress: bool) -> list[Any]:
    """Return the chances that the cash sinks to these depths, by one sweep for each."""
    red, black, exact = player.red, player.black, player.exact
    limits.refuse_depths(red, black, len(depths), exact=exact, progress=progress)
    rows = max(_CELLS // costs.floor_cells(red, black), 1)
    chunks = [depths[i : i + rows] for i in range(0, len(depths), rows)]
    total = len(chunks) * (red + black)
    found: list[Any] = []
    with progress_bar(total, "levels", shown=progress) as bar:
        for chunk in chunks:
            found += _side_by_side(player, chunk, bar).tolist()
    if exact:
        orders = math.comb(red + black, red)
        return [Fraction(weight, orders) for weight in found]
    return found


def _side_by_side(player: _Play, depths: Sequence[int], bar: Any) -> NDArray[Any]:
    """Return the weights of play that comes to each of several floors."""
    stakes, red, black, stops, exact = player
    band = None if exact or min(red, black) == 0 else Band(red, black)
    kind: Any = object if exact else np.float64
    slope, cards = stakes.gain + stakes.cost, red + black
    small = slope * cards + max(depths) < 2**62
    depth = np.array(depths, dtype=np.int64 if small else object)
    flow, first = np.ones((len(depths), 1), kind), red
    weights = np.zeros(len(depths), kind)
    for n in range(cards, -1, -1):
        if bar is not None and n % BLOCK == 0:
            bar.update(BLOCK)
        # The smallest r with so little cash: in a row one cell at most can be there.
        level = depth + stakes.gain * red - stakes.cost * (black - n)
        floor = (-(-level // slope)).astype(np.int64) - first
        rows = np.flatnonzero((floor >= 0) & (floor < flow.shape[1]))
        places = floor[rows]
        met = flow[rows, places]
        weights[rows] += met * _orders(n, places + first) if exact else met
        flow[rows, places] = 0
        if not n:
            break
        flow = flow[:, : max(floor[-1], 0)]
        ends = stops.among(n, first, first + flow.shape[1] - 1)
        if isinstance(ends, range):
            flow, first = flow[:, len(ends) :], first + len(ends)
        else:
            flow[:, ends] = 0
        if not flow.size or (n % BLOCK == 0 and not flow.any()):
            break
        flow, first = drawn(flow, n, first, exact=exact)
        if band and n % BLOCK == 0:
            lowest, _ = band.over(max(n - BLOCK, 0), n)
            flow, first = flow[:, max(lowest - first, 0) :], max(lowest, first)
    return weights


def _orders(n: int, reds: NDArray[np.int64]) -> NDArray[np.object_]:
    return np.array([math.comb(n, r) for r in reds.tolist()], dtype=object)
