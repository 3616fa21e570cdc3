"""A guess at the values of a group in float64, by strategy iteration.

What is found is proved in `proof`, whatever it is.

Each component has a *lead*, whose values are sought: the player who decides, or the
first of the two who do. The other of the two, the *opponent*, wants them to be small. A
few sweeps give the first policies. Then the opponent's policy, or that of a lead alone,
is improved to the end before that of a lead with an opponent moves once [1]_. An action
is kept unless another is better; improving both at once could circle. The values of
policies are those of a sparse linear system, of all components of the group side by
side. Where elimination would fill too much memory, sweeps take its place.

References
----------
.. [1] A. J. Hoffman and R. M. Karp, "On nonterminating stochastic games", Management
   Science 12 (1966), 359-370.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cardgames_dp._graph.components import Flags, Group, ending, endless, forced
from cardgames_dp._graph.graph import Floats, Graph, Integers, Rewards, spans
from cardgames_dp._graph.systems import MOST_SWEPT, SWEEP, Systems, by_sweeps

UNIT = 2.0**-53
TINY = 2.0**-1060
_SWEEPS, _MOST_SWEEPS = 12, 100
"""The number of sweeps before strategy iteration, and that for many states."""

ROUNDS = 200
"""The most improvements of a policy, after which what is found is proved."""

_CALM = 12
"""The number of rounds after which small improvements no longer count."""


class Known:
    """What is known of a game when a group of it is solved.

    Parameters
    ----------
    graph : Graph
        The game.
    table : ndarray of float64, shape (2 * players, states)
        Values and errors by place; those of places after the group are known.

    Attributes
    ----------
    chances : ndarray of float64
        The probabilities of all moves of chance.
    pays : tuple of two ndarray of float64, shape (rows, players), or None
        The different payments of moves, and bounds of their rounding errors.
    largest : float
        The largest absolute value of a single payment or return.
    """

    def __init__(self, graph: Graph, table: Floats) -> None:
        self.graph, self.table, self.chances = graph, table, graph.chances()
        self.pays = None if graph.rewards is None else _pays(graph.rewards)
        paid = 0.0 if self.pays is None else float(np.abs(self.pays[0]).max())
        self.largest = max(paid, float(np.abs(graph.payoffs()[0]).max(initial=0.0)))


def _pays(rewards: Rewards) -> tuple[Floats, Floats]:
    rows = zip(rewards.numerators.tolist(), rewards.denominators.tolist(), strict=True)
    pays = np.array([[a / b for a, b in zip(*row, strict=True)] for row in rows])
    return pays, np.abs(pays) * (rewards.denominators != 1) * (2 * UNIT)


class Local:
    """A group with the values of one player in each component.

    Attributes
    ----------
    known : Known
    group : Group
    sign : ndarray of int, shape (states,)
        1 where the lead decides, -1 where the opponent does, 0 for chance.
    p : ndarray of float64, shape (moves,)
        The probability of each move of chance; 1 for actions.
    base, base_error : ndarray of float64, shape (moves,)
        What a move pays, plus the value of an exit; the rounding error of this.
    exit_error : ndarray of float64, shape (moves,)
        The error of the value of an exit.
    paid : bool
        Whether moves pay anything.
    """

    def __init__(
        self,
        known: Known,
        group: Group,
        sign: Integers,
        whose: Integers,
    ) -> None:
        self.known, self.group, self.sign = known, group, sign
        self.p = np.ones(len(group.sources))
        lucky = group.own >= 0
        self.p[lucky] = known.chances[group.own[lucky]]
        player = whose[group.sources]
        out = group.inside < 0
        self.base = np.where(out, known.table[player, group.following], 0.0)
        error = known.table[player + known.graph.num_players, group.following]
        self.exit_error = np.where(out, error, 0.0)
        self.base_error = np.zeros(len(self.base))
        self.paid = known.pays is not None
        if known.pays is not None:
            pays, rounding = (each[group.pays, player] for each in known.pays)
            self.base += pays
            size = np.abs(self.base) + np.abs(pays)
            self.base_error = rounding + (size * (pays != 0)) * (2 * UNIT)
        self.index = np.maximum(group.inside, 0)
        self.within = group.inside >= 0
        self.parts = group.components
        self.possible = group.weights > 0
        self.systems = Systems(group, self.p)

    def largest(self, of_moves: Floats) -> Floats:
        """Return the largest number of the moves of each state."""
        most: Floats = np.maximum.reduceat(of_moves, self.group.offsets[:-1])
        return most

    def means(self, of_moves: Floats) -> Floats:
        """Return the means over the moves of each state, where chance moves."""
        sums: Floats = np.add.reduceat(self.p * of_moves, self.group.offsets[:-1])
        return sums

    def after(self, v: Floats) -> Floats:
        """Return the value of each move."""
        return self.base + np.where(self.within, v[self.index], 0.0)

    def by_part(self, of_states: Floats) -> Floats:
        """Return the largest number of each component, by state."""
        most = np.full(self.group.num_components, -np.inf)
        np.maximum.at(most, self.parts, of_states)
        return most[self.parts]

    def best(self, of_moves: Floats, allowed: Flags | None = None) -> Integers:
        """Return the first of the best moves of each state."""
        if allowed is not None:
            of_moves = np.where(allowed, of_moves, -np.inf)
        top = self.largest(of_moves)[self.group.sources]
        hits = np.flatnonzero(of_moves == top)[::-1]
        first: Integers = np.zeros(self.group.num_states, dtype=np.int64)
        first[self.group.sources[hits]] = hits
        return first

    def made(self, policy: Integers) -> Flags:
        """Return the moves that are made under a policy, those of chance included."""
        moves: Flags = self.sign[self.group.sources] == 0
        moves[policy[self.sign != 0]] = True
        return moves

    def between(self, moves: Flags) -> tuple[Floats, Floats]:
        """Return the least and the largest value that some moves can lead to."""
        if self.paid:
            anything = np.full(len(self.sign), np.inf)
            return -anything, anything
        ways = (
            moves & self.possible & ~self.within
        )  # a value is a mean of those of exits
        high = self.by_part(self.largest(np.where(ways, self.base, -np.inf)))
        low = -self.by_part(self.largest(np.where(ways, -self.base, -np.inf)))
        return low, high

    def sweep(self) -> Callable[[Floats], Floats]:
        """Return what adds one move more of optimal play to values, for a guess."""
        from scipy.sparse import csr_array

        sources, deciding = self.group.sources, self.sign != 0
        drawn = np.flatnonzero(~deciding[sources] & self.within)
        entries = self.p[drawn], (sources[drawn], self.index[drawn])
        matrix = csr_array(entries, shape=(len(self.sign),) * 2)
        fixed = np.where(deciding, 0.0, self.means(self.base))
        states, starts = np.flatnonzero(deciding), self.group.offsets[:-1][deciding]
        counts = np.diff(self.group.offsets)[deciding]
        most = int(counts.max(initial=1))
        # All states as if they had as many moves, unless these are many more.
        padded = most * len(states) <= 4 * counts.sum()
        moves = spans(starts, counts)
        if padded:
            ranks = np.minimum(np.arange(most)[:, np.newaxis], counts - 1)
            moves = starts + ranks
        signs, index = self.sign[sources[moves]], self.index[moves]
        base, inside = self.base[moves] * signs, signs * self.within[moves]
        starts = np.cumsum(counts) - counts

        def swept(v: Floats) -> Floats:
            after: Floats = matrix @ v + fixed
            if states.size:
                gains = v[index] * inside + base
                best = gains.max(0) if padded else np.maximum.reduceat(gains, starts)
                after[states] = best * self.sign[states]
            return after

        return swept

    def solved(self, policy: Integers, given: Floats) -> Floats:
        """Return x with ``x = P x + given``, for the probabilities P of a policy."""
        return self.systems.solved(self.made(policy), given)

    def valued(self, policy: Integers) -> Floats:
        """Return the values of a policy."""
        given = np.where(self.sign == 0, self.means(self.base), self.base[policy])
        return self.solved(policy, given)

    def rounding(self, v: Floats) -> Floats:
        """Return bounds of the rounding errors of `after`, by move."""
        if not self.paid:
            return self.base_error
        q = self.after(v)
        return self.base_error + np.where(self.within, np.abs(q) * (2 * UNIT), 0.0)

    def stay(self, allowed: Flags, policy: Integers) -> Floats:
        """Return w with ``w >= 1 + P w``, whichever allowed moves are made.

        All policies of allowed moves must end; one of them is `policy`.
        """
        deciding, policy = self.sign != 0, policy.copy()
        ones = np.ones(self.group.num_states)
        if self.systems.eliminates:
            for _ in range(ROUNDS):
                w = np.maximum(self.solved(policy, ones), 1.0)
                ahead = np.where(self.within, w[self.index], 0.0)
                best = self.best(ahead, allowed)
                better = deciding & (ahead[best] > ahead[policy] * (1 + 1e-9) + 1e-9)
                if not better.any():
                    break
                policy[better] = best[better]
        else:
            w = ones
        swept, most = 0, MOST_SWEPT / (64 if self.systems.eliminates else 1)
        while True:
            more = 1 + self._longest(w, allowed)
            gap = 1 - (more - w) - more * (self._most + 6) * (2 * UNIT)
            least = -self.by_part(-gap)
            swept += len(self.p) + SWEEP
            hopeless = swept > most or not np.isfinite(w).all()
            if least.min() > 0.25 or hopeless:
                break
            w = np.maximum(w, more)
        never = np.full(len(w), np.inf)
        np.divide(w, least, out=never, where=least > 1e-6)
        return never

    @property
    def _most(self) -> int:
        return int(np.diff(self.group.offsets).max())

    def _longest(self, w: Floats, allowed: Flags) -> Floats:
        ahead = np.where(self.within, w[self.index], 0.0)
        most = self.largest(np.where(allowed, ahead, -np.inf))
        return np.where(self.sign == 0, self.means(ahead), most)


class Guess:
    """Strategy iteration.

    Parameters
    ----------
    local : Local
        The group, which is also an attribute.
    alone : ndarray of bool, shape (states,)
        Where the lead has no opponent.
    """

    def __init__(self, local: Local, alone: Flags) -> None:
        self.local, self._alone = local, alone
        sign = local.sign
        self._outer = (sign > 0) & ~alone
        self._inner = (sign != 0) & ~self._outer

    def found(self) -> tuple[Floats, Integers]:
        """Return values, and a policy of which the lead's part forces the end.

        Raises
        ------
        RefusedError
            If there is none.
        """
        local = self.local
        v, sweep = np.zeros(local.group.num_states), local.sweep()
        for _ in range(min(_SWEEPS + len(v) // 50, _MOST_SWEEPS)):
            v = sweep(v)
        policy = local.best(local.after(v) * local.sign[local.group.sources])
        policy = self._ending(policy, local.sign < 0)
        self._require_ends()
        if not local.systems.eliminates:
            v = by_sweeps(sweep, v, len(local.p))
            best = local.best(local.after(v) * local.sign[local.group.sources])
            return v, self._ending(best, local.sign < 0)
        margin = 8 * UNIT
        for number in range(ROUNDS):
            for rounds in range(ROUNDS):
                v = local.valued(policy)
                better, best = self._better(
                    v, policy, margin * 2.0 ** max(rounds - _CALM, 0)
                )
                if not self._improved(policy, best, better & self._inner):
                    break
            margin *= 1 + (number > _CALM)
            if not self._improved(policy, best, better & self._outer):
                break
        return v, policy

    def _better(
        self, v: Floats, policy: Integers, margin: float
    ) -> tuple[Flags, Integers]:
        """Return where an action is better than that of a policy, and the best one."""
        local = self.local
        gains = local.after(v) * local.sign[local.group.sources]
        best = local.best(gains)
        size = local.by_part(np.abs(v))
        better = gains[best] > gains[policy] + margin * size
        return better & (local.sign != 0), best

    def _improved(self, policy: Integers, best: Integers, where: Flags) -> bool:
        """Change a policy in place, but for endless play; return whether it changes."""
        if not where.any():
            return False
        before = policy.copy()
        policy[where] = best[where]
        local = self.local
        if self._outer[where].any() or local.paid:
            free, made = local.sign < 0, local.made(policy)
            if local.paid:  # endless play may be bad for the opponent, who avoids it
                free = np.zeros_like(free)
            made |= free[local.group.sources]
            back = ~ending(local.group, free, made) & where
            policy[back] = before[back]
            where = where & ~back
        return bool(where.any())

    def _ending(self, policy: Integers, free: Flags) -> Integers:
        """Return a policy whose part of the others than the free forces the end.

        Raises
        ------
        RefusedError
            If there is none.
        """
        local, group = self.local, self.local.group
        made = local.made(policy) | free[group.sources]
        reached = ending(group, free, made)
        if reached.all():
            return policy
        every = np.ones(len(group.sources), dtype=np.bool_)
        sure = forced(group, free, every)
        if not sure.reached.all():
            if not local.paid:
                raise endless(group, sure.reached, every)
            nobody = np.zeros_like(free)
            sure = forced(group, nobody, every)
            if not sure.reached.all():
                raise endless(group, sure.reached, every)
            free = nobody
        # In components in which it does not, all follow the way to the end.
        stuck = ~local.group.everywhere(reached)
        where = stuck & (local.sign != 0) & ~free
        return np.where(where, sure.moves, policy)

    def _require_ends(self) -> None:
        """Refuse a group in which the opponent, or a lead alone, is not sure to end."""
        local, group = self.local, self.local.group
        if local.paid or group.ends:
            return
        every = np.ones(len(group.sources), dtype=np.bool_)
        sure = forced(group, local.sign > 0, every)
        if not sure.reached.all():
            raise endless(group, sure.reached, every)
