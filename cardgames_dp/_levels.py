"""The levels of the states of a graph, or a cycle.

The *level* of a state is the number of moves of the longest play that leads to it. It
is found by Kahn's algorithm: a state is on the next level when all moves to it have
been made.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from cardgames_dp import _checks
from cardgames_dp._answers import GameError
from cardgames_dp._graph import Integers, spans

_CYCLE_STATES = 6  # named in an error message before it shortens the cycle


def levels(states: Collection[Any], counts: Integers, following: Integers) -> Integers:
    """Return the level of every state.

    Parameters
    ----------
    states : collection
        The states, all of which can be reached from the first one.
    counts : ndarray of int, shape (asked,)
        The numbers of moves of the first states; the others have none.
    following : ndarray of int, shape (moves,)
        The state to which each move leads, state by state.

    Raises
    ------
    GameError
        If a play can return to a state.
    """
    offsets = np.zeros(len(states) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1 : len(counts) + 1])
    offsets[len(counts) + 1 :] = len(following)
    waiting = np.bincount(following, minlength=len(states))
    found = np.full(len(states), -1, dtype=np.int32)
    front, level = np.flatnonzero(waiting[:1] == 0), 0
    while front.size:
        found[front] = level
        reached = following[_moves_of(front, offsets)]
        np.subtract.at(waiting, reached, 1)
        front, level = np.unique(reached[waiting[reached] == 0]), level + 1
    if found.min() < 0:
        everything = list(states)
        on_cycle = _cycle(offsets.tolist(), following.tolist())
        raise GameError(_told([everything[state] for state in on_cycle]))
    return found


def _moves_of(states: Integers, offsets: Integers) -> slice | Integers:
    """Return the moves of some states, which are in ascending order."""
    first, last = states[0], states[-1]
    if last - first == len(states) - 1:
        return slice(offsets[first], offsets[last + 1])
    return spans(offsets[states], offsets[states + 1] - offsets[states])


def _cycle(offsets: list[int], following: list[int]) -> list[int]:
    """Return the states of the first cycle that a depth-first search finds."""
    path, on_path, seen = [0], {0}, {0}
    ahead = [iter(following[: offsets[1]])]
    while True:
        for state in ahead[-1]:
            if state in on_path:
                return path[path.index(state) :]
            if state not in seen:
                seen.add(state)
                on_path.add(state)
                path.append(state)
                ahead.append(iter(following[offsets[state] : offsets[state + 1]]))
                break
        else:
            ahead.pop()
            on_path.discard(path.pop())


def _told(states: list[Any]) -> str:
    """Return the error message for a cycle of states."""
    steps = [_checks.shown(state) for state in states[: _CYCLE_STATES - 1]]
    if len(states) > _CYCLE_STATES:
        steps.append("...")
    if len(states) >= _CYCLE_STATES:
        steps.append(_checks.shown(states[-1]))
    again = _checks.shown(states[0])
    return (
        f"the game must be acyclic, but a play can come back to {again}: "
        f"{' -> '.join([*steps, again])} (a cycle of {len(states)})"
    )
