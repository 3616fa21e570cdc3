"""The linear systems of the policies of a group in float64.

When a policy changes, only the components in which it does are solved anew. They are
solved by elimination. Most games fall apart without a few *hubs*, states to which plays
return, such as the beginnings of turns. With the hubs last and all others in the order
of play, elimination fills only the rows and columns of the hubs. Otherwise an order is
sought for the matrix, and where elimination would fill too much memory, sweeps take its
place or, where these do not settle, a Krylov method.

What is solved in these ways is a guess. Elimination without subtraction [1]_ [2]_ has a
bound of its own, however rarely plays end.

References
----------
.. [1] W. K. Grassmann, M. I. Taksar and D. P. Heyman, "Regenerative analysis and steady
   state distributions for Markov chains", Operations Research 33 (1985), 1107-1116.
.. [2] C. A. O'Cinneide, "Entrywise perturbation theory and error analysis for Markov
   chains", Numerische Mathematik 65 (1993), 109-120.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import fsum
from typing import Any

import numpy as np

from cardgames_dp._graph.graph import Floats, Integers
from cardgames_dp._loops.components import Flags, Group

UNIT = 2.0**-53
TINY = 2.0**-1060

_HUBS = 6
"""The most hubs of a component."""

_FEW = 64
"""Matrices of groups of at most this many states are dense: sparse ones cost more."""

DIRECT = 1000
"""Components of at most this many states are always eliminated."""

_SHIFT = 2.0**-45
"""What makes a singular matrix regular."""

_LEAST = 2.0**-500
"""Products of numbers that are not smaller do not underflow."""

_MOST_FILL, _MOST_WORK = 2**26, 2.0**34
"""The largest fill and number of operations of an elimination."""

_PATIENCE = 64
"""In eight times as many sweeps differences have to vanish, or it takes too long."""

_MOST_STEPS, _FAR = 2000, 0.5
"""The most steps of a Krylov method, and the part of a residual that is no progress."""

_DROP, _FILL = 1e-3, 4
"""What an incomplete elimination drops, and the fill that it may add."""

MOST_SWEPT, SWEEP = 2.0**31, 2**14
"""The most moves that sweeps take in place of an elimination, and the price of one."""


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
        self.settles = True  # whether sweeps may settle, where nothing is eliminated
        self._within = group.inside >= 0
        self._made: Flags = np.zeros_like(self._within)
        # Some components each, with what solves ``x - P x = given`` there.
        self._parts: list[tuple[Integers, Callable[[Floats], Floats]]] = []
        self._part_of = np.full(group.num_components, -1)

    def matrix(self, moves: Integers) -> Any:
        """Return the matrix of the probabilities of some moves within the group."""
        from scipy.sparse import csr_array

        size = self._group.num_states
        ends = self._group.sources[moves], self._group.inside[moves]
        if size > _FEW:
            return csr_array((self._p[moves], ends), shape=(size, size))
        entries = np.bincount(ends[0] * size + ends[1], self._p[moves], size * size)
        return entries.reshape(size, size)

    def solved(self, made: Flags, given: Floats) -> Floats:
        """Return x with ``x = P x + given``, for the probabilities P of some moves."""
        self._prepare(made & self._within)
        x: Floats = np.empty_like(given)
        for number, (states, solve) in enumerate(self._parts):
            here = self._part_of[self._group.components[states]] == number
            x[states[here]] = solve(given[states])[here]
        return x

    def _prepare(self, made: Flags) -> None:
        """Factor the matrix of all components in which other moves are made."""
        new = self._part_of < 0
        new[self._group.components[self._group.sources[made != self._made]]] = True
        if not new.any():
            return
        self._made, self._part_of[new] = made, len(self._parts)
        parts, self._part_of = np.unique(self._part_of, return_inverse=True)
        # What is no longer used goes before there is more.
        self._parts = [self._parts[number] for number in parts[:-1].tolist()]
        self._parts.append(self._part(new[self._group.components[self.order]]))

    def _part(self, here: Flags) -> tuple[Integers, Callable[[Floats], Floats]]:
        """Return some of the states, given in order, and what solves a system there.

        The moves between them are those that are made.
        """
        from scipy.sparse import csc_array

        if len(here) <= _FEW:
            return self.order, _dense(self.matrix(np.flatnonzero(self._made)))
        moves, rows, columns = self._entries
        entries = np.flatnonzero(((moves < 0) | self._made[moves]) & here[columns])
        states = np.flatnonzero(here)
        data = np.where(moves[entries] < 0, 1.0, -self._p[moves[entries]])
        starts = np.searchsorted(columns[entries], np.append(states, len(here)))
        index = np.cumsum(here) - 1
        shape = len(states), len(states)
        matrix = csc_array((data, index[rows[entries]], starts), shape=shape)

        count, factors, settles = len(self._p), None, self.settles
        if self.eliminates:
            factors = factored(matrix, ordered=self._of_play is not None)

        def solved(given: Floats) -> Floats:  # without self, which would keep factors
            if factors is None and settles:
                x, settled = by_sweeps(lambda x: given + (x - matrix @ x), given, count)
                if settled:
                    return x
            rows = matrix if factors else matrix.tocsr()
            refined: Floats = np.zeros_like(given)
            for share in (1e-12, 1e-3):
                rest = given - matrix @ refined
                refined += factors.solve(rest) if factors else krylov(rows, rest, share)
            return refined

        return self.order[states], solved

    @cached_property
    def eliminates(self) -> bool:
        """Whether linear systems are solved by elimination."""
        largest = int(np.bincount(self._group.components).max())
        ordered = self._of_play is not None
        return largest <= DIRECT or ordered or self._fills_little()

    @cached_property
    def _entries(self) -> tuple[Integers, Integers, Integers]:
        """The moves within the group, and -1 for all states, by columns and rows."""
        group, every = self._group, np.arange(self._group.num_states)
        place = np.empty_like(every)
        place[self.order] = every
        moves = np.flatnonzero(self._within)
        rows = np.concatenate([place[group.sources[moves]], every])
        columns = np.concatenate([place[group.inside[moves]], every])
        moves = np.concatenate([moves, np.full(len(every), -1)])
        order = (columns * len(every) + rows).argsort(kind="stable")
        return moves[order], rows[order], columns[order]

    @cached_property
    def order(self) -> Integers:
        """The states in the order of elimination."""
        order = self._of_play
        return np.arange(self._group.num_states) if order is None else order

    @cached_property
    def _of_play(self) -> Integers | None:
        """The states in the order of play, and hubs last; None if these are many."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        group, size = self._group, self._group.num_states
        if size <= _FEW:
            return None
        inner = self._within & (group.sources != group.inside)
        rows, columns = group.sources[inner], group.inside[inner]
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
            inner = ~(gone[rows] | gone[columns])
            rows, columns = rows[inner], columns[inner]
        if (parts[rows] < parts[columns]).any():  # pragma: no cover
            return None  # another version of SciPy may number parts as it likes
        place = parts.astype(np.int64)
        for number, last in enumerate(hubs):
            place[last] = size + number
        order: Integers = np.argsort(place, kind="stable")
        return order

    def _fills_little(self) -> bool:
        """Return whether states can be ordered so that elimination fills little."""
        from scipy.sparse import csr_array

        size = self._group.num_states
        rows, columns = self._group.sources[self._within], self._group.inside
        columns = columns[self._within]
        ends = np.concatenate([rows, columns]), np.concatenate([columns, rows])
        matrix = csr_array((np.ones(len(ends[0]), np.int8), ends), shape=(size, size))
        fill, work = _filled(matrix, _MOST_FILL / size)
        return bool(fill < _MOST_FILL and work < _MOST_WORK)


def _filled(matrix: Any, share: float) -> Floats:
    """Return about how much an elimination fills, and the number of its operations.

    States are taken along a narrow band or, where this fills more than a `share` for
    each, in two halves with those between them last, by nested dissection.
    """
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    size = matrix.shape[0]
    order = reverse_cuthill_mckee(matrix, symmetric_mode=True)
    matrix = matrix[order][:, order]
    ends, apart = matrix.tocoo(), np.zeros(size)
    np.maximum.at(apart, ends.row, (ends.row - ends.col).astype(np.float64))
    band: Floats = np.array([2 * apart.sum(), (apart**2).sum()])
    between = np.unique(ends.col[(ends.row < size // 2) & (ends.col >= size // 2)])
    last = np.array([6.0 * len(between) ** 2, 16.0 * len(between) ** 3])
    if band[0] < share * size or size < DIRECT or last[0] > band[0]:
        return band
    rest = np.setdiff1d(np.arange(size // 2, size), between)
    halves = matrix[: size // 2, : size // 2], matrix[rest][:, rest]
    parts = sum([_filled(half, share) for half in halves], last)
    return np.minimum(band, parts)


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
        nearly = matrix + _SHIFT * eye_array(matrix.shape[0], format="csc")
        return splu(nearly.tocsc(), **options)


def _dense(chances: Floats) -> Callable[[Floats], Floats]:
    """Return what solves ``x - P x = given``, for a dense matrix P."""
    matrix = np.eye(len(chances)) - chances
    try:
        inverse = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        inverse = np.linalg.inv(matrix + _SHIFT * np.eye(len(matrix)))

    def solve(given: Floats) -> Floats:
        x = inverse @ given
        x += inverse @ (given - matrix @ x)
        return x

    return solve


def krylov(matrix: Any, given: Floats, share: float) -> Floats:
    """Return the solution of a system by BiCGSTAB, up to a share of what is given.

    Where the method fails, as on long chains, it is tried once more after an incomplete
    elimination. The solution is 0 where this fails, too.
    """
    from scipy.sparse.linalg import LinearOperator, bicgstab, spilu

    def solved(preconditioner: Any = None) -> tuple[Floats, bool]:
        options: dict[str, Any] = {"rtol": share, "atol": 0, "maxiter": _MOST_STEPS}
        x, _ = bicgstab(matrix, given, M=preconditioner, **options)
        rest = np.abs(given - matrix @ x).max()
        return x, rest < _FAR * np.abs(given).max()  # not so for NaN

    if not given.any():
        return np.zeros_like(given)
    with np.errstate(all="ignore"):
        x, near = solved()
        if not near:
            try:
                factors = spilu(matrix.tocsc(), drop_tol=_DROP, fill_factor=_FILL)
            except RuntimeError:
                return np.zeros_like(given)
            x, _ = solved(LinearOperator(matrix.shape, factors.solve))
    return x if np.isfinite(x).all() else np.zeros_like(given)


def by_sweeps(
    step: Callable[[Floats], Floats], x: Floats, moves: int
) -> tuple[Floats, bool]:
    """Return the last of repeated steps, and whether differences no longer fall.

    It is the last one, too, if by their fall they would take too long.
    """
    best, since, work, number, before = np.inf, 0, 0, 0, np.inf
    while True:
        after = step(x)
        apart = float(np.abs(after - x).max())
        x, work, since, number = after, work + moves + SWEEP, since + 1, number + 1
        if apart < best:
            best, since = apart, 0
        left = apart / (2 * UNIT * max(float(np.abs(x).max()), TINY))
        if since > 16 or not apart:
            return x, left < 2.0**10
        if number % _PATIENCE == 0:
            if work > MOST_SWEPT or left * (apart / before) ** 8 > 1:
                return x, False
            before = apart


def solved_by_sums(chances: Floats, constants: Floats) -> tuple[Floats, float]:
    """Return x with ``x = P x + c``, and a bound on the relative error of all of it.

    A state is eliminated by the sum of the chances to leave it for others, not by 1
    less the chance to stay. By the matrix tree theorem, x is a sum of products of
    chances over another such sum, and each product has one chance of each state. So if
    numbers of one row are off by a factor of at most ``1 + d``, x is by at most
    ``(1 + d)**2``; and as an elimination is exact but for the roundings of the rows
    that it changes, errors add up row by row.

    Parameters
    ----------
    chances : ndarray of float64, shape (states, states + 1)
        The probabilities to come to each state and, last, to leave.
    constants : ndarray of float64, shape (states, columns)
        The numbers c, which are not negative.

    Returns
    -------
    x : ndarray of float64, shape (states, columns)
    error : float
        Infinite if nothing was found.
    """
    size, x = len(chances), np.zeros_like(constants)
    rows, totals = np.hstack([chances, constants]), np.zeros(size)
    least, count = rows.min(initial=1.0, where=rows > 0), 0
    for state in range(size):
        after = np.flatnonzero(rows[state, state + 1 :]) + state + 1
        before = np.flatnonzero(rows[state + 1 :, state]) + state + 1
        row = rows[state, after]
        totals[state] = fsum(row[after <= size].tolist())
        if not least >= _LEAST or not totals[state]:
            return x, np.inf
        more = np.outer(rows[before, state] / totals[state], row)
        rows[np.ix_(before, after)] += more
        rows[before, before] = 0.0  # who stays is where it was
        least = min(least, more.min(initial=1.0))
        count += 8 * len(before) + len(after) + 4
    for state in reversed(range(size)):
        ahead = rows[state, state + 1 : size] @ x[state + 1 :]
        x[state] = (ahead + rows[state, size + 1 :]) / totals[state]
    wild = x.min(initial=1.0, where=x > 0) < _LEAST or not np.isfinite(x).all()
    return x, np.inf if wild or count > 2**44 else count * UNIT * 1.01
