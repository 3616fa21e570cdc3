"""Linear systems of policies: the values of states that can come back to each other.

When a policy changes, only the components in which it does are solved anew. They are
solved by elimination. Most games fall apart without a few *hubs*, states to which plays
return, such as the beginnings of turns. With the hubs last and all others in the order
of play, elimination fills only the rows and columns of the hubs. Otherwise an order is
sought for the matrix, and where elimination would fill too much memory, sweeps take its
place.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from cardgames_dp._graph.components import Flags, Group
from cardgames_dp._graph.graph import Floats, Integers

_HUBS = 6
"""The most hubs of a component."""

_DIRECT = 1000
"""Components of at most this many states are always eliminated."""

_MOST_FILL, _MOST_WORK = 2**25, 2.0**34
"""The largest fill and number of operations of an elimination."""

MOST_SWEPT, SWEEP = 2.0**31, 2**14
"""The most moves that sweeps take in place of an elimination, and the price of one."""


class _Part(NamedTuple):
    """Some components of a group with the moves that are made there.

    Attributes
    ----------
    states : ndarray of int
        The states, in the order of elimination.
    matrix : csc_array
        ``1 - P`` for the probabilities P of the moves.
    factors : object or None
        Its factors, or None if sweeps take the place of elimination.
    """

    states: Integers
    matrix: Any
    factors: Any

    def solved(self, given: Floats, moves: int) -> Floats:
        """Return x with ``x - P x = given``."""
        if self.factors is None:
            return by_sweeps(lambda x: given + (x - self.matrix @ x), given, moves)
        x: Floats = self.factors.solve(given)
        x += self.factors.solve(given - self.matrix @ x)  # which refines it
        return x


class Systems:
    """The linear systems of the policies of a group.

    Parameters
    ----------
    group : Group
        The group.
    p : ndarray of float64, shape (moves,)
        The probability of each move of chance; 1 for actions.
    """

    def __init__(self, group: Group, p: Floats) -> None:
        self._group, self._p = group, p
        self._within = group.inside >= 0
        self._made: Flags = np.zeros_like(self._within)
        self._parts: list[_Part] = []
        self._part_of = np.full(group.num_components, -1)

    def solved(self, made: Flags, given: Floats) -> Floats:
        """Return x with ``x = P x + given``, for the probabilities P of some moves."""
        self._prepare(made & self._within)
        x: Floats = np.empty_like(given)
        for number, part in enumerate(self._parts):
            found = part.solved(given[part.states], len(self._p))
            here = self._part_of[self._group.components[part.states]] == number
            x[part.states[here]] = found[here]
        return x

    def _prepare(self, made: Flags) -> None:
        """Factor the matrix of all components in which other moves are made."""
        new = self._part_of < 0
        new[self._group.components[self._group.sources[made != self._made]]] = True
        if not new.any():
            return
        self._made, self._part_of[new] = made, len(self._parts)
        self._parts.append(self._part(new[self._group.components[self._order]]))
        kept, self._part_of = np.unique(self._part_of, return_inverse=True)
        self._parts = [self._parts[number] for number in kept.tolist()]

    def _part(self, here: Flags) -> _Part:
        """Return some of the states, given in order, with the moves that are made."""
        from scipy.sparse import csc_array

        moves, rows, columns = self._entries
        kept = np.flatnonzero(((moves < 0) | self._made[moves]) & here[columns])
        states = np.flatnonzero(here)
        data = np.where(moves[kept] < 0, 1.0, -self._p[moves[kept]])
        starts = np.searchsorted(columns[kept], np.append(states, len(here)))
        index = np.cumsum(here) - 1
        shape = len(states), len(states)
        matrix = csc_array((data, index[rows[kept]], starts), shape=shape)
        factors = None
        if self.eliminates:
            factors = factored(matrix, ordered=self._of_play is not None)
        return _Part(self._order[states], matrix, factors)

    @cached_property
    def eliminates(self) -> bool:
        """Whether linear systems are solved by elimination."""
        largest = int(np.bincount(self._group.components).max())
        ordered = self._of_play is not None
        return largest <= _DIRECT or ordered or self._is_narrow()

    @cached_property
    def _entries(self) -> tuple[Integers, Integers, Integers]:
        """The moves within the group, and -1 for all states, by columns and rows."""
        group, every = self._group, np.arange(self._group.num_states)
        place = np.empty_like(every)
        place[self._order] = every
        moves = np.flatnonzero(self._within)
        rows = np.concatenate([place[group.sources[moves]], every])
        columns = np.concatenate([place[group.inside[moves]], every])
        moves = np.concatenate([moves, np.full(len(every), -1)])
        order = (columns * len(every) + rows).argsort(kind="stable")
        return moves[order], rows[order], columns[order]

    @cached_property
    def _order(self) -> Integers:
        """The states in the order of elimination."""
        order = self._of_play
        return np.arange(self._group.num_states) if order is None else order

    @cached_property
    def _of_play(self) -> Integers | None:
        """The states in the order of play, and hubs last; None if these are many."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        group, size = self._group, self._group.num_states
        kept = self._within & (group.sources != group.inside)
        rows, columns = group.sources[kept], group.inside[kept]
        hubs: list[Integers] = []
        while True:
            ones = np.ones(len(rows), dtype=np.int8)
            matrix = csr_array((ones, (rows, columns)), shape=(size, size))
            count, parts = connected_components(matrix, connection="strong")
            if count == size:
                break
            if len(hubs) == _HUBS:
                return None
            back = np.bincount(columns[parts[rows] == parts[columns]], minlength=size)
            by_part = np.lexsort((back, parts))
            some = by_part[np.flatnonzero(np.diff(parts[by_part], append=count))]
            hubs.append(some[back[some] > 0])
            gone = np.zeros(size, dtype=np.bool_)
            gone[hubs[-1]] = True
            kept = ~(gone[rows] | gone[columns])
            rows, columns = rows[kept], columns[kept]
        if (parts[rows] < parts[columns]).any():  # pragma: no cover
            return None  # another version of SciPy may number parts as it likes
        place = parts.astype(np.int64)
        for number, last in enumerate(hubs):
            place[last] = size + number
        order: Integers = np.argsort(place, kind="stable")
        return order

    def _is_narrow(self) -> bool:
        """Return whether states can be ordered so that elimination fills little."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import reverse_cuthill_mckee

        size = self._group.num_states
        rows, columns = self._group.sources[self._within], self._group.inside
        columns = columns[self._within]
        ends = np.concatenate([rows, columns]), np.concatenate([columns, rows])
        matrix = csr_array((np.ones(len(ends[0]), np.int8), ends), shape=(size, size))
        order = reverse_cuthill_mckee(matrix, symmetric_mode=True)
        place = np.empty(size, dtype=np.int64)
        place[order] = np.arange(size)
        apart = np.zeros(size)
        np.maximum.at(apart, place[ends[0]], place[ends[0]] - place[ends[1]])
        return bool(2 * apart.sum() < _MOST_FILL and (apart**2).sum() < _MOST_WORK)


def factored(matrix: Any, *, ordered: bool = False) -> Any:
    """Return the factors of ``1 - P``, for a sparse matrix P of probabilities.

    If ends are so rare that it is singular in float64, they are those of a matrix that
    is nearly the same: what is solved with them is a guess, as always.

    Parameters
    ----------
    matrix : csc_array
        ``1 - P``.
    ordered : bool, optional
        Whether elimination takes the states as they come, with pivots on the diagonal
        (which is no less than the rest of each row); by default, SuperLU decides.
    """
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import splu

    options: dict[str, Any] = {"panel_size": 1, "relax": 1}
    if ordered:
        options |= {"permc_spec": "NATURAL", "diag_pivot_thresh": 0.0}
    try:
        return splu(matrix, **options)
    except RuntimeError:
        nearly = matrix + 2.0**-45 * eye_array(matrix.shape[0], format="csc")
        return splu(nearly.tocsc(), **options)


def by_sweeps(step: Callable[[Floats], Floats], x: Floats, moves: int) -> Floats:
    """Return the last of repeated steps: when differences no longer fall."""
    best, since, swept = np.inf, 0, 0
    while True:
        after = step(x)
        apart = float(np.abs(after - x).max())
        x, swept, since = after, swept + moves + SWEEP, since + 1
        if apart < best:
            best, since = apart, 0
        if since > 16 or not apart or swept > MOST_SWEPT:
            return x
