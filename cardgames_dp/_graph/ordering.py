"""The order of the states of a graph: levels and strong components.

A state is on the next level when all moves to it have been made (Kahn's algorithm).
Where that never happens, plays come back to a state, or come from such states. Strong
components then take the place of states, and moves within them do not count.
"""

from __future__ import annotations

import numpy as np

from cardgames_dp._graph.graph import Integers, spans


def levels_of(
    offsets: Integers, following: Integers
) -> tuple[Integers, Integers | None]:
    """Return the level and the strong component of every state.

    Parameters
    ----------
    offsets : ndarray of int, shape (states + 1,)
        Where the moves of each state begin, and their end.
    following : ndarray of int, shape (moves,)
        The state to which each move leads, state by state.

    Returns
    -------
    levels : ndarray of int, shape (states,)
        The number of moves of the longest play that leads to a state, where all states
        of a component count as one.
    components : ndarray of int, shape (states,), or None
        The number of the component, from 0, or -1 where plays cannot come back to the
        state;
        None if they can come back to no state.
    """
    size = len(offsets) - 1
    waiting = np.bincount(following, minlength=size)
    found = np.full(size, -1, dtype=np.int32)
    front, level = np.flatnonzero(waiting == 0), 0
    while front.size:
        found[front] = level
        reached = following[_moves_of(front, offsets)]
        np.subtract.at(waiting, reached, 1)
        front, level = np.unique(reached[waiting[reached] == 0]), level + 1
    if found.min() >= 0:
        return found, None
    return _with_cycles(found, offsets, following)


def _moves_of(states: Integers, offsets: Integers) -> slice | Integers:
    """Return the moves of some states, which are in ascending order."""
    first, last = states[0], states[-1]
    if last - first == len(states) - 1:
        return slice(offsets[first], offsets[last + 1])
    return spans(offsets[states], offsets[states + 1] - offsets[states])


def _with_cycles(
    found: Integers, offsets: Integers, following: Integers
) -> tuple[Integers, Integers]:
    """Return levels and components where not all levels are found.

    Parameters
    ----------
    found : ndarray of int, shape (states,)
        The levels, or -1 for the states that plays reach only after, or on, a cycle.
    offsets, following
        As for `levels_of`.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    left = np.flatnonzero(found < 0)
    sources = np.repeat(np.arange(len(found)), np.diff(offsets))
    into = np.flatnonzero(found[following] < 0)
    local = np.empty(len(found), dtype=np.int32)
    local[left] = np.arange(len(left), dtype=np.int32)
    after, before = local[following[into]], sources[into]
    inside = found[before] < 0
    source, target = local[before[inside]], after[inside]
    ones = np.ones(len(source), dtype=np.int8)
    shape = len(left), len(left)
    matrix = csr_array((ones, (source, target)), shape=shape)
    count, parts = connected_components(matrix, connection="strong")
    del matrix, ones
    on_cycle = np.bincount(parts, minlength=count) > 1
    on_cycle[parts[source[source == target]]] = True
    # The least levels, from moves that come from states whose levels are found.
    least = np.zeros(count, dtype=np.int32)
    ahead = found[before[~inside]] + 1
    np.maximum.at(least, parts[after[~inside]], ahead)
    # The moves between components, in the order of the component from which they lead.
    between = parts[source] != parts[target]
    first, last = parts[source[between]], parts[target[between]]
    order = np.argsort(first, kind="stable")
    ends = last[order]
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(first, minlength=count), out=starts[1:])
    waiting = np.bincount(ends, minlength=count)
    front = np.flatnonzero(waiting == 0)
    while front.size:
        lengths = starts[front + 1] - starts[front]
        reached = ends[spans(starts[front], lengths)]
        np.maximum.at(least, reached, np.repeat(least[front] + 1, lengths))
        np.subtract.at(waiting, reached, 1)
        front = np.unique(reached[waiting[reached] == 0])
    components = np.full(len(found), -1, dtype=np.int32)
    components[left] = np.where(on_cycle, np.cumsum(on_cycle) - 1, -1)[parts]
    found[left] = least[parts]
    return found, components
