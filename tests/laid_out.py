"""Games with cycles, laid out for the sweeps."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from cardgames_dp._graph import walking
from cardgames_dp._graph.explored import Explored
from cardgames_dp._graph.graph import Block, Graph, narrowed, exact_array, sizes_of, spans
from cardgames_dp.game import CHANCE, TERMINAL


def laid_out(game: Any) -> Explored[Any, Any]:
    found = walking.walk(game, 10_000_000)
    states = list(found.numbers)
    players, counts = np.asarray(found.players), np.asarray(found.counts)
    following = np.asarray(found.following)
    n = len(states)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    src = np.repeat(np.arange(n), counts)
    g = csr_array((np.ones(len(following), np.int8), following, offsets), shape=(n, n))
    k, comp = connected_components(g, connection="strong")
    cyclic = np.bincount(comp, minlength=k) > 1
    cyclic[comp[src[src == following]]] = True
    a, b = comp[src], comp[following]
    e = np.unique(np.stack([a[a != b], b[a != b]]), axis=1)
    level = np.zeros(k, dtype=int)
    waiting = np.bincount(e[1], minlength=k)
    out = [[] for _ in range(k)]
    for x, y in e.T.tolist():
        out[x].append(y)
    todo = np.flatnonzero(waiting == 0).tolist()
    while todo:
        x = todo.pop()
        for y in out[x]:
            level[y] = max(level[y], level[x] + 1)
            waiting[y] -= 1
            if not waiting[y]:
                todo.append(y)
    levels, on = level[comp], cyclic[comp]
    sizes = sizes_of(counts); sizes = np.where(sizes == sizes[0], -1, sizes)
    order = np.lexsort((np.arange(n), sizes, -players * np.where(players == players[0], 9, 1) if False else (players != players[0]) * 9 - players, on, levels))
    place = np.empty(n, dtype=np.int32)
    place[order] = np.arange(n)
    moves = spans((np.cumsum(counts) - counts)[order], counts[order])
    at = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(counts[order], out=at[1:])
    luck = order[players[order] == CHANCE]
    ends = order[players[order] == TERMINAL]
    lucky = np.where(players == CHANCE, counts, 0)
    drawn = spans((np.cumsum(lucky) - lucky)[luck], counts[luck])
    paid = (np.cumsum(players == TERMINAL) - 1)[ends]
    key = np.stack([levels, on, players, sizes])[:, order]
    starts = np.concatenate([[0], np.flatnonzero((np.diff(key) != 0).any(axis=0)) + 1, [n]])
    blocks, ahead = [], {CHANCE: 0, TERMINAL: 0}
    for first, last in zip(starts[:-1].tolist(), starts[1:].tolist()):
        player = int(players[order[first]])
        mv = slice(int(at[first]), int(at[last]))
        size = mv.stop - mv.start if player == CHANCE else last - first
        own = slice(ahead.get(player, 0), ahead.get(player, 0) + size)
        ahead[player] = own.stop
        c = np.diff(at)[first:last]
        group = int(levels[order[first]]) if on[order[first]] else -1
        blocks.append(Block(player, slice(first, last), mv, own, int(c.max()), bool(c.max() == c.min()), group))
    shape = -1, found.num_players
    graph = Graph(
        players=narrowed(players[order]),
        offsets=narrowed(at, np.int32),
        following=place[following[moves]],
        weights=exact_array(found.weights)[drawn],
        numerators=exact_array(found.returns.numerators).reshape(shape)[paid],
        denominators=exact_array(found.returns.denominators).reshape(shape)[paid],
        blocks=tuple(blocks),
        components=np.where(on, comp, -1)[order],
    )
    ordered = [states[i] for i in order.tolist()]
    which = np.full(n, -1, dtype=np.int32)
    deciding = graph.players >= 0
    rank = np.cumsum(players >= 0) - 1
    which[deciding] = np.asarray(found.which)[rank[order[deciding]]]
    return Explored(tuple(ordered), dict(zip(ordered, range(n))), tuple(found.action_sets), which, graph)
