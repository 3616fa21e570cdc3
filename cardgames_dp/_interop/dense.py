"""Solve dense tables of transitions in float64, without a graph of their moves.

A table of floats whose probabilities are not mostly 0 is left as an array. What it says
is the same as that of its moves, row by row, and is made exact when the game is asked
about them. Its values are found by value iteration, centred after each step [1]_, and
by policy iteration where that is slow.

Error
-----
Let T be one step of optimal play, d the discount, and r the largest ``|T v - v|``. Then
v is within ``r / (1 - d)`` of the values, and ``T v`` within d times that [2]_. The
mean of a row of n probabilities is computed for v less its middle, of which no number
is larger than h, and divided by the sum of the row. With u = 2**-53 it is wrong by
``2 (n + 8) u h`` at most, and by the distances of floats from the fractions that they
stand for.

References
----------
.. [1] J. MacQueen, "A modified dynamic programming method for Markovian decision
   problems", Journal of Mathematical Analysis and Applications 14 (1966), 38-43.
.. [2] M. L. Puterman, *Markov Decision Processes*, Wiley, 1994, section 6.3.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.graph import Exact, Floats, Integers
from cardgames_dp._interop import transitions as tables
from cardgames_dp._results.records import ArrayRecord
from cardgames_dp._results.tables import MOST_ROWS, Marked, Table
from cardgames_dp._support.printing import vector_text
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.game import TERMINAL

UNIT = 2.0**-53

_LEAST, _SHARE = 2**16, 4
"""The least numbers of a dense table, and that of which one at least is not 0."""

_SWEEPS, _ROUNDS = 24, 200
"""The most steps of value iteration, and of policy iteration."""

_CLEAR = 2.0**-46
"""The part of the size of values by which a change is more than rounding."""

_POOR = 2.0**-30
"""The part of the size of values of a bound that is not good enough."""


def dense_arrays(
    transitions: Any, rewards: Any, axis: int | None
) -> tuple[Floats, Floats, Floats, Integers] | None:
    """Return p, r, sums and movers of a dense table; None if it is none, or wrong."""
    if type(transitions) is not np.ndarray or transitions.dtype != np.float64:
        return None
    if transitions.size < _LEAST or tables.is_sparse(rewards):
        return None
    given, axis = tables.states_first(transitions, rewards, axis)
    paid = tables.rewards_of(rewards, given.shape[:2], axis)
    if paid.shape[2] > 1 or paid.dtype.kind not in "iuf":
        return None
    p = np.array(given, order="C")
    r = np.array(np.broadcast_to(paid[..., 0], p.shape[:2]), dtype=np.float64)
    legal, sums, least = r > -np.inf, p.sum(axis=2), p.min()
    fits = np.abs(sums - 1) <= tables.LARGEST_ERROR
    right = least >= 0 and np.isfinite(sums).all() and (fits | ~legal).all()
    right = right and np.isfinite(r[legal]).all() and legal.any(axis=1).all()
    if not right or (least == 0 and np.count_nonzero(p) * _SHARE < p.size):
        return None
    p[~legal] = 0
    states = np.arange(len(p))
    ends = (((p[states, :, states] > 0) & (r == 0)) | ~legal).all(axis=1)
    ends[ends] = [not np.delete(p[s], s, axis=1).any() for s in states[ends]]
    return p, r, sums, np.where(ends, TERMINAL, 0)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DenseTable(ArrayRecord):
    """A dense table whose plays may stop after each move.

    Attributes
    ----------
    p : ndarray of float64, shape (states, actions, states)
        The probabilities; 0 for actions that are not legal.
    r : ndarray of float64, shape (states, actions)
        What actions pay; -inf where they are not legal.
    sums : ndarray of float64, shape (states, actions)
        The sums of probabilities, 1 but for rounding.
    movers : ndarray of int, shape (states,)
        Who decides in each state: 0, or `TERMINAL` at an end.
    discount : Fraction
        The chance that play goes on.
    first : int or None
        The first state; if there is none, chance comes before it.
    chances : ndarray of int or object, shape (states,)
        The weight of each state then.
    most : int
        The largest denominator of a fraction that a float stands for; 0 for none.
    """

    p: Floats
    r: Floats
    sums: Floats
    movers: Integers
    discount: Fraction
    first: int | None
    chances: Exact
    most: int
    cache: list[Any] = field(default_factory=list, compare=False)

    @property
    def keys(self) -> Integers:
        """The numbers of pairs of a state that is no end and a legal action."""
        deciding = self.movers[:, np.newaxis] != TERMINAL
        return np.flatnonzero((self.r > -np.inf) & deciding)

    @property
    def after(self) -> Integers:
        """What follows each of these pairs: chance."""
        return len(self.r) + np.arange(len(self.keys))

    def rewards(self, pairs: Integers) -> NDArray[Any]:
        """Return what the actions of some pairs pay."""
        return tables.rows_of(self.r.ravel()[self.keys[pairs]], 1, self.most)

    def solve(self, backend: str, _tie_break: str) -> DenseValues | None:
        """Return the values in float64, if the bound on their error is good."""
        size = len(self.r)
        if backend != "float64":
            return None
        what = f"a linear system of {size} states"
        refuse_too_large(what, 24 * size * size, "solve a smaller game")
        with np.errstate(all="ignore"):
            ahead, error = self._solved()
        values = (self.r + ahead).max(axis=1)
        most = np.abs(self.r, where=self.r > -np.inf, out=0 * ahead).max()
        good = error <= _POOR * (most + np.abs(values).max())
        values[self.movers == TERMINAL] = 0
        return DenseValues(self, values, ahead, error) if good else None

    def _solved(self) -> tuple[Floats, float]:
        """Return what is to come after actions, and a bound on the error of values."""
        p, r, ends = self.p, self.r, self.movers == TERMINAL
        going, stopping = float(self.discount), float(1 - self.discount)
        sums = np.where(r > -np.inf, self.sums, 1)

        def after(v: Floats) -> Floats:
            middle = (v.max() + v.min()) / 2
            ahead: Floats = going * (middle + p @ (v - middle) / sums)
            return ahead

        v, spread = np.zeros(len(r)), np.inf
        for _ in range(_SWEEPS):
            gain = (r + after(v)).max(axis=1) - v
            low, high = gain.min(), gain.max()
            v += gain if ends.any() else gain + going / stopping * (low + high) / 2
            if high - low > spread / 2 or high - low < _CLEAR * np.abs(v).max():
                break
            spread = high - low
        states = np.arange(len(r))
        policy: NDArray[Any] = states[:0]
        for _ in range(_ROUNDS):
            v[ends] = 0
            ahead = after(v)
            best = (r + ahead).argmax(axis=1)
            residual = np.abs((r + ahead)[states, best] - v).max()
            small = residual <= _CLEAR * np.abs(v).max()
            if small or np.array_equal(best, policy):
                break
            policy = best
            system = -going * p[states, policy] / sums[states, policy][:, np.newaxis]
            system[states, states] += 1
            v = np.linalg.solve(system, r[states, policy])
        rounding = self._rounding(v)
        return ahead, float(going * (residual + rounding) / stopping + rounding) * 1.01

    def _rounding(self, v: Floats) -> float:
        """Return a bound on the errors of one step from v, with those of numbers."""
        count, legal = len(v), self.r > -np.inf
        half = (v.max() - v.min()) / 2
        large = max(np.abs(v).max(), np.abs(self.r[legal]).max())
        error = 2 * (count + 8) * UNIT * half + 16 * UNIT * large + count * 2.0**-1000
        if self.most:
            error += tables.NEAR
            # A row of fractions has none but them; 0 is one.
            if tables.simple(self.p[:, :, 0][legal], self.most)[1].any():
                error += 4 * count * tables.NEAR * half
        return float(error)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DenseValues(ArrayRecord):
    """The values of a dense table, looked up by the numbers of states.

    Attributes
    ----------
    table : DenseTable
    by_state : ndarray of float64, shape (states,)
    ahead : ndarray of float64, shape (states, actions)
        What is to come after actions.
    error : float
        A bound on the errors of all values.
    """

    table: DenseTable
    by_state: Floats
    ahead: Floats
    error: float

    def reaches(self, states: Integers) -> NDArray[np.bool_]:
        """Return whether each of some states can be reached."""
        table, deciding = self.table, self.table.movers != TERMINAL
        reached = (table.chances > 0) | (np.arange(len(table.r)) == table.first)
        front = np.flatnonzero(reached)
        while front.size and not reached.all():
            new = (table.p[front] > 0).any(axis=(0, 1)) & ~reached
            reached |= new
            front = np.flatnonzero(new & deciding)
        chance = reached[table.keys // table.r.shape[1]]
        stops = (reached & deciding).any()
        every = np.concatenate([reached, chance, [table.first is None, stops]])
        fits = (states >= 0) & (states < len(every))
        reachable: NDArray[np.bool_] = fits & every[np.where(fits, states, 0)]
        return reachable

    def values(self, states: Integers) -> Floats:
        """Return what is still to come, of shape (count, 1)."""
        table = self.table
        weights = table.chances.astype(object)
        share = (weights / max(weights.sum(), 1)).astype(np.float64)
        start = share @ self.by_state
        every = np.concatenate(
            [self.by_state, self.ahead.ravel()[table.keys], [start, 0]]
        )
        return every[states, np.newaxis]

    def errors(self, states: Integers) -> Floats:
        """Return bounds on the errors of these values."""
        mean = (len(self.by_state) + 8) * 2 * UNIT * np.abs(self.by_state).max()
        last = len(self.by_state) + len(self.table.keys)
        return np.where(states == last, self.error + mean, self.error)

    def optimal(self, states: Integers, actions: Integers) -> NDArray[np.bool_]:
        """Return whether each action may be optimal in its state."""
        worth = self.table.r + self.ahead
        rounding = 8 * UNIT * np.abs(self.by_state)
        least = self.by_state - rounding - 2 * self.error
        return worth[states, actions] >= least[states]

    def sheet(self) -> Table:
        """Return the table of the first states, as any solution prints."""
        states = np.flatnonzero(self.reaches(np.arange(len(self.by_state))))
        rows, notes = list[tuple[object, ...]](), list[str]()
        actions = np.arange(self.ahead.shape[1])
        for state in states[:MOST_ROWS].tolist():
            decides = self.table.movers[state] != TERMINAL
            best = actions[self.optimal(np.full_like(actions, state), actions)]
            words: Any = ", ".join(map(str, best.tolist())) if decides else ""
            if decides and len(best) > 1:
                words = Marked(words, " (tie?)")
                notes = ["marked (tie?): several may be optimal, up to rounding"]
            rows.append((str(state), vector_text(self.by_state[state].item()), words))
        if len(rows) < len(states):
            notes.append(f"the first {len(rows)} of {len(states)} states shown")
        return Table(("state", "value", "optimal actions"), rows, notes, left=(0, 2))
