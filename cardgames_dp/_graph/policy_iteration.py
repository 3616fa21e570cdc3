"""Groups solved in float64: a guess by strategy iteration, and then the proof.

Guess
-----
Each component has a *lead*, whose values are sought: the player who decides, or the
first of the two who do. The other of the two, the *opponent*, wants them to be small. A
few sweeps give the first policies. Then the opponent's policy, or that of a lead alone,
is improved to the end before that of a lead with an opponent moves once [1]_. An action
is kept unless another is better; improving both at once could circle. The values of
policies are those of a sparse linear system, of all components of the group side by
side. Where elimination would fill too much memory, sweeps take its place.

Proof
-----
The proof does not care how the guess v was made. Let s be the policy of the lead, and
let it force the end whatever the opponent does (`components.forced`). Let T be one move
with s given and the opponent free, and P its probabilities. Its only fixed point is
what s guarantees, and it is monotone. Let ``w >= 1 + P w`` and ``T v >= v - r``, and
let all exits have errors of at most e. Then ``x = v - r w - e`` has ``T x >= x``, so
the value is at least x. It is enough that w holds for actions of the opponent that are
nearly best: for each other action it is checked that ``T x >= x``, to which the
distance of its value helps. The same from above, with the policy of the opponent given.
A lead alone is free from above. So r and w are the residual and about the longest
expected stay in the component, and the bound of a component is ``r w + e``, not
``(r + e) w``, which would grow from component to component.

With rewards, a side may have endless plays that are infinitely bad for it. If x gains
at least r at every move, endless play is of this kind, and cannot be better than x.

All of this is rounded outwards. A chance move with m outcomes takes a product and
``m - 1`` additions, and its probabilities are rounded, so with u = 2**-53 the error is
at most ``(m + 4) u`` times the mean of absolute values.

References
----------
.. [1] A. J. Hoffman and R. M. Karp, "On nonterminating stochastic games", Management
   Science 12 (1966), 359-370.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cardgames_dp._graph.components import (
    Flags,
    Group,
    Interests,
    RefusedError,
    endless,
    forced,
    refuse_many,
)
from cardgames_dp._graph.graph import Block, Floats, Graph, Integers, Rewards
from cardgames_dp._graph.ties import Pick
from cardgames_dp._support import arguments

_UNIT = 2.0**-53
_TINY = 2.0**-1060
_SWEEPS = 12
"""The number of sweeps before strategy iteration."""

_ROUNDS = 200
"""The most improvements of a policy, after which what is found is proved."""

_CALM = 12
"""The number of rounds after which small improvements no longer count."""

_NEARLY = 1e-6
"""The part of the size of values within which actions are nearly best."""

_DIRECT = 1000
"""Components of at most this many states are always eliminated."""

_MOST_FILL, _MOST_WORK = 2**25, 2.0**34
"""The largest fill and number of operations of an elimination."""

_MOST_SWEPT = 2.0**31
"""The most moves that sweeps take in place of an elimination."""


class Solved(NamedTuple):
    """The solution of a group.

    Attributes
    ----------
    values, errors : ndarray of float64, shape (players, states)
    optimal : ndarray of bool, shape (moves,)
        Which actions may be optimal.
    chosen : ndarray of int, shape (states,)
        The index of the action that is taken, or 0.
    open : list of int
        The states in which several actions may be optimal.
    turned : list of int
        The states in which the choice of the tie rule would let play go on for ever.
    """

    values: Floats
    errors: Floats
    optimal: Flags
    chosen: Integers
    open: list[int]
    turned: list[int]


class GroupSolver:
    """Solves the groups of a game, one after the other.

    Parameters
    ----------
    graph : Graph
        The game.
    pick : Pick
        The tie rule.
    """

    def __init__(self, graph: Graph, pick: Pick) -> None:
        self.graph, self._pick = graph, pick
        self.chances = graph.chances()
        self.pays = None if graph.rewards is None else _pays(graph.rewards)
        self._interests = Interests(graph)
        self._largest = graph.largest_return()

    def solve(self, blocks: Sequence[Block], table: Floats) -> tuple[Group, Solved]:
        """Return a group and its solution.

        Parameters
        ----------
        blocks : sequence of Block
            The blocks of the group.
        table : ndarray of float64, shape (2 * players, states)
            Values and errors by place, in which those of later places are known.

        Raises
        ------
        RefusedError
            If no policy forces the end of play, or three decide, or two whose interests
            are not opposed, or no useful bound is found.
        """
        players = self.graph.num_players
        group, local, leads, opponents = self._local(blocks, table)
        lead, against = leads[group.components], opponents[group.components]
        sign, alone = local.sign, against < 0
        v, policy = _Guess(local, alone).found()
        low, high = local.between(local.possible)
        v = np.clip(v, low, high)
        policy, bound = _proved(local, v, policy, alone)
        if not local.paid:
            exits = local.by_part(local.largest(local.exit_error))
            bound = np.minimum(
                bound, np.maximum(high - v, v - low) * (1 + 2 * _UNIT) + exits
            )
        _refuse_useless(local, v, bound, self._largest)
        optimal = _optimal(local, v, bound)
        chosen, open_, turned = _chosen(local, optimal, policy, alone, self._pick)
        values, errors = np.zeros((2, players, group.num_states))
        every = np.arange(group.num_states)
        values[lead, every], errors[lead, every] = v, bound
        for component, pair in enumerate(zip(leads, opponents, strict=True)):
            if pair[1] >= 0:
                both = int(pair[0]), int(pair[1])
                sums = np.array(self._interests.sums(group, component, both))
                here = np.flatnonzero(group.components == component)
                values[pair[1], here] = sums - v[here]
                size = np.abs(sums) + np.abs(values[pair[1], here])
                errors[pair[1], here] = bound[here] + size * (2 * _UNIT)
        for player in range(players):
            others = (lead != player) & (against != player)
            if others.any():
                whose = np.full(len(lead), player)
                of = _Local(self, group, table, sign, whose)
                x, e = _followed(of, chosen, optimal)
                values[player, others], errors[player, others] = x[others], e[others]
        starts = group.offsets[:-1]
        ranks = np.where(sign != 0, chosen - starts, 0)
        single = np.diff(group.offsets) == 1
        single &= self.graph.players[group.places] >= 0
        optimal[starts[single]] = True
        return group, Solved(values, errors, optimal, ranks, open_, turned)

    def guess(self, blocks: Sequence[Block], table: Floats) -> Integers:
        """Return the ranks of the moves of policies that floats find to be best.

        Parameters
        ----------
        blocks, table
            As for `solve`.

        Raises
        ------
        RefusedError
            If more than two players decide, or in floats no policy forces the end.
        """
        group, local, _, opponents = self._local(blocks, table)
        _, policy = _Guess(local, opponents[group.components] < 0).found()
        ranks: Integers = policy - group.offsets[:-1]
        return ranks

    def _local(
        self, blocks: Sequence[Block], table: Floats
    ) -> tuple[Group, _Local, Integers, Integers]:
        """Return a group for its leads, and the leads and opponents."""
        group = Group.of(self.graph, blocks)
        leads, opponents = _sides(group)
        lead, against = leads[group.components], opponents[group.components]
        sign = (group.players == lead).astype(np.int64)
        sign[(group.players == against) & (against >= 0)] = -1
        return group, _Local(self, group, table, sign, lead), leads, opponents


def _pays(rewards: Rewards) -> tuple[Floats, Floats]:
    """Return the different payments as floats, and bounds of their rounding errors."""
    rows = zip(rewards.numerators.tolist(), rewards.denominators.tolist(), strict=True)
    pays = np.array([[a / b for a, b in zip(*row, strict=True)] for row in rows])
    return pays, np.abs(pays) * (rewards.denominators != 1) * (2 * _UNIT)


def _sides(group: Group) -> tuple[Integers, Integers]:
    """Return the lead and the opponent of each component; -1 if there is none."""
    leads, opponents = np.zeros((2, group.num_components), dtype=np.int64)
    for component, players in enumerate(group.deciders()):
        if len(players) > 2:
            raise refuse_many(group, component, players)
        leads[component] = players[0] if players else 0
        opponents[component] = players[1] if len(players) == 2 else -1
    return leads, opponents


class _Local:
    """A group with the values of one player in each component.

    Attributes
    ----------
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
        solver: GroupSolver,
        group: Group,
        table: Floats,
        sign: Integers,
        whose: Integers,
    ) -> None:
        self.group, self.sign = group, sign
        self.p = np.ones(len(group.sources))
        lucky = group.own >= 0
        self.p[lucky] = solver.chances[group.own[lucky]]
        player = whose[group.sources]
        out = group.inside < 0
        self.base = np.where(out, table[player, group.following], 0.0)
        error = table[player + len(table) // 2, group.following]
        self.exit_error = np.where(out, error, 0.0)
        self.base_error = np.zeros(len(self.base))
        self.paid = solver.graph.rewards is not None
        if solver.graph.rewards is not None and solver.pays is not None:
            rows = solver.graph.rewards.which[group.moves]
            pays, rounding = (each[rows, player] for each in solver.pays)
            self.base += pays
            size = np.abs(self.base) + np.abs(pays)
            self.base_error = rounding + (size * (pays != 0)) * (2 * _UNIT)
        self.index = np.maximum(group.inside, 0)
        self.within = group.inside >= 0
        self.parts = group.components
        self.possible = group.weights > 0
        self._factor: tuple[Integers, Any] | None = None
        self._eliminates: bool | None = None

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

    def swept(self, v: Floats) -> tuple[Floats, Floats]:
        """Return one move more of optimal play, and the values of moves before it."""
        q = self.after(v)
        signs = self.sign
        best = signs * self.largest(q * signs[self.group.sources])
        return np.where(signs == 0, self.means(q), best), q

    def eliminates(self) -> bool:
        """Return whether linear systems are solved by elimination."""
        if self._eliminates is None:
            largest = int(np.bincount(self.parts).max())
            self._eliminates = largest <= _DIRECT or self._is_narrow()
        return self._eliminates

    def _is_narrow(self) -> bool:
        """Return whether states can be ordered so that elimination fills little."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import reverse_cuthill_mckee

        size = self.group.num_states
        rows, columns = self.group.sources[self.within], self.index[self.within]
        ends = np.concatenate([rows, columns]), np.concatenate([columns, rows])
        matrix = csr_array((np.ones(len(ends[0]), np.int8), ends), shape=(size, size))
        order = reverse_cuthill_mckee(matrix, symmetric_mode=True)
        place = np.empty(size, dtype=np.int64)
        place[order] = np.arange(size)
        apart = np.zeros(size)
        np.maximum.at(apart, place[ends[0]], place[ends[0]] - place[ends[1]])
        return bool(2 * apart.sum() < _MOST_FILL and (apart**2).sum() < _MOST_WORK)

    def solved(self, policy: Integers, given: Floats) -> Floats:
        """Return x with ``x = P x + given``, for the probabilities P of a policy."""
        made = np.flatnonzero(self.made(policy) & self.within)
        from scipy.sparse import csr_array, eye_array

        size = self.group.num_states
        if not self.eliminates():
            starts = np.zeros(size + 1, dtype=np.int64)
            counts = np.bincount(self.group.sources[made], minlength=size)
            np.cumsum(counts, out=starts[1:])
            matrix = csr_array((self.p[made], self.index[made], starts), (size, size))
            return _by_sweeps(lambda x: matrix @ x + given, given, len(self.p))
        if self._factor is None or not np.array_equal(self._factor[0], policy):
            from scipy.sparse.linalg import splu

            entries = (self.p[made], (self.group.sources[made], self.index[made]))
            matrix = csr_array(entries, shape=(size, size))
            factor = splu((eye_array(size) - matrix).tocsc())
            self._factor = policy.copy(), (factor, matrix)
        factor, matrix = self._factor[1]
        x: Floats = factor.solve(given)
        x += factor.solve(given - (x - matrix @ x))  # which refines it
        return x

    def valued(self, policy: Integers) -> Floats:
        """Return the values of a policy."""
        given = np.where(self.sign == 0, self.means(self.base), self.base[policy])
        return self.solved(policy, given)

    def rounding(self, v: Floats) -> Floats:
        """Return bounds of the rounding errors of `after`, by move."""
        if not self.paid:
            return self.base_error
        q = self.after(v)
        return self.base_error + np.where(self.within, np.abs(q) * (2 * _UNIT), 0.0)

    def stay(self, allowed: Flags, policy: Integers) -> Floats:
        """Return w with ``w >= 1 + P w``, whichever allowed moves are made.

        All policies of allowed moves must end; one of them is `policy`.
        """
        deciding, policy = self.sign != 0, policy.copy()
        ones = np.ones(self.group.num_states)
        if self.eliminates():
            for _ in range(_ROUNDS):
                w = np.maximum(self.solved(policy, ones), 1.0)
                ahead = np.where(self.within, w[self.index], 0.0)
                best = self.best(ahead, allowed)
                better = deciding & (ahead[best] > ahead[policy] * (1 + 1e-9) + 1e-9)
                if not better.any():
                    break
                policy[better] = best[better]
        else:
            w = ones
        swept = 0.0
        while True:
            more = 1 + self._longest(w, allowed)
            gap = 1 - (more - w) - more * (self._most + 6) * (2 * _UNIT)
            least = -self.by_part(-gap)
            swept += len(self.p)
            if least.min() > 0.25 or swept > _MOST_SWEPT or not np.isfinite(w).all():
                break
            w = np.maximum(w, more)
        return np.where(least > 0, w / np.maximum(least, _TINY), np.inf)

    @property
    def _most(self) -> int:
        return int(np.diff(self.group.offsets).max())

    def _longest(self, w: Floats, allowed: Flags) -> Floats:
        ahead = np.where(self.within, w[self.index], 0.0)
        most = self.largest(np.where(allowed, ahead, -np.inf))
        return np.where(self.sign == 0, self.means(ahead), most)


def _by_sweeps(step: Any, x: Floats, moves: int) -> Floats:
    """Return the last of repeated steps: when differences no longer fall."""
    best, since, swept = np.inf, 0, 0.0
    while True:
        after = step(x)
        apart = float(np.abs(after - x).max())
        x, swept, since = after, swept + moves, since + 1
        if apart < best:
            best, since = apart, 0
        if since > 16 or not apart or swept > _MOST_SWEPT:
            return x


class _Guess:
    """Strategy iteration.

    Parameters
    ----------
    local : _Local
        The group.
    alone : ndarray of bool, shape (states,)
        Where the lead has no opponent.
    """

    def __init__(self, local: _Local, alone: Flags) -> None:
        self._local, self._alone = local, alone
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
        local = self._local
        v = np.zeros(local.group.num_states)
        for _ in range(_SWEEPS):
            v, _ = local.swept(v)
        policy = local.best(local.after(v) * local.sign[local.group.sources])
        policy = self._ending(policy, local.sign < 0)
        self._require_ends()
        if not local.eliminates():
            v = _by_sweeps(lambda x: local.swept(x)[0], v, len(local.p))
            best = local.best(local.after(v) * local.sign[local.group.sources])
            return v, self._ending(best, local.sign < 0)
        margin = 8 * _UNIT
        for number in range(_ROUNDS):
            for rounds in range(_ROUNDS):
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
        local = self._local
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
        local = self._local
        if self._outer[where].any() or local.paid:
            free, made = local.sign < 0, local.made(policy)
            if local.paid:  # endless play may be bad for the opponent, who avoids it
                free = np.zeros_like(free)
            made |= free[local.group.sources]
            back = ~forced(local.group, free, made).reached & where
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
        local, group = self._local, self._local.group
        made = local.made(policy) | free[group.sources]
        reached = forced(group, free, made).reached
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
        stuck = local.by_part((~reached).astype(np.float64)) > 0
        where = stuck & (local.sign != 0) & ~free
        return np.where(where, sure.moves, policy)

    def _require_ends(self) -> None:
        """Refuse a group in which the opponent, or a lead alone, is not sure to end."""
        local, group = self._local, self._local.group
        if local.paid:
            return
        every = np.ones(len(group.sources), dtype=np.bool_)
        sure = forced(group, local.sign > 0, every)
        if not sure.reached.all():
            raise endless(group, sure.reached, every)


def _proved(
    local: _Local, v: Floats, policy: Integers, alone: Flags
) -> tuple[Integers, Floats]:
    """Return a policy that is proved to be good, and bounds of the errors of values."""
    size = local.by_part(_sizes(local, v))
    gains = local.after(v) * local.sign[local.group.sources]
    loss = local.largest(gains)[local.group.sources] - gains
    policy = _ends_against(local, policy, loss, size, alone)
    bound = np.zeros(len(v))
    for side in (1, -1):
        # The policy of this side is given; the other side is free.
        bound = np.maximum(bound, _one_side(local, v, policy, loss, size, side))
    return policy, bound


def _sizes(local: _Local, v: Floats) -> Floats:
    """Return the size of the numbers of each state and its moves."""
    return np.maximum(np.abs(v), local.largest(np.abs(local.base)))


def _ends_against(
    local: _Local, policy: Integers, loss: Floats, size: Floats, alone: Flags
) -> Integers:
    """Return a policy of which both sides force the end, with as little loss as can be.

    For a lead alone, all policies do.
    """
    group = local.group
    for side in (1, -1):
        own = (local.sign == side) & ~alone
        free = (local.sign == -side) & ~alone
        made = local.made(policy) | free[group.sources]
        reached = forced(group, free, made).reached
        share = 2 * _UNIT
        while not reached.all() and share < 2:
            stuck = local.by_part((~reached).astype(np.float64)) > 0
            close = (own & stuck)[group.sources] & (
                loss <= (share * size)[group.sources]
            )
            sure = forced(group, free, made | close)
            mended = local.by_part((~sure.reached).astype(np.float64)) == 0
            policy = np.where(own & stuck & mended, sure.moves, policy)
            made = local.made(policy) | free[group.sources]
            reached = forced(group, free, made).reached
            share *= 8
    return policy


def _one_side(
    local: _Local, v: Floats, policy: Integers, loss: Floats, size: Floats, side: int
) -> Floats:
    """Return how far the value can be beyond v, if the policy of one side is given."""
    group, sources = local.group, local.group.sources
    free, lucky = local.sign == -side, local.sign == 0
    made = local.made(policy)
    every = made | free[sources]
    reached = forced(group, free, every).reached
    strict = local.by_part((~reached).astype(np.float64)) > 0
    if strict.any() and not local.paid:
        return np.where(strict, np.inf, 0.0)
    q = local.after(v)
    gap = side * (v[sources] - q)  # by which v is too large, for the side
    rounding = local.rounding(v) + np.abs(gap) * (2 * _UNIT) + _TINY
    counts = np.diff(group.offsets)
    mean = side * (v - local.means(q))
    mean += local.means(np.abs(q) + rounding) * ((counts + 6) * _UNIT)
    mean += local.means(rounding) + np.abs(mean) * _UNIT + counts * _TINY
    exits = np.where(every & local.possible, local.exit_error, 0.0)
    e = local.by_part(local.largest(exits))
    near = made | (every & (loss <= (_NEARLY * size)[sources]))
    for _ in range(_ROUNDS):
        if not forced(group, free, near).reached.all():
            return np.full(len(v), np.inf)
        w = local.stay(near, policy)
        hopeless = local.by_part((~np.isfinite(w)).astype(np.float64)) > 0
        w = np.where(hopeless, 0.0, w)
        residual = local.largest(np.where(near, gap + rounding, -np.inf))
        r = local.by_part(np.maximum(np.where(lucky, mean, residual), 0.0))
        r = np.where(strict, 4 * r + size * _UNIT + _TINY, r)
        # The other actions of the free side: what they lose outweighs a longer stay.
        ahead = np.where(local.within, w[local.index], 0.0)
        need = (r * (1 + 1e-12))[sources] * (ahead - w[sources] * (1 - 1e-12))
        need += strict[sources] * r[sources]
        bad = every & ~near & (gap + rounding + need > 0)
        if not bad.any():
            found = r * w * (1 + 1e-12) + e * (1 + 4 * _UNIT)
            return np.where(hopeless, np.inf, found)
        near |= bad
    return np.full(len(v), np.inf)


def _refuse_useless(local: _Local, v: Floats, bound: Floats, largest: float) -> None:
    """Refuse a bound that says nothing, and name the size of the component."""
    size = np.maximum(local.by_part(_sizes(local, v)), largest)
    outside = local.by_part(local.largest(local.exit_error))
    useless = bound - outside > np.maximum(1e-2 * size, 2.0**-1000)
    if not useless.any():
        return
    state = int(np.argmax(useless))
    count = int(np.count_nonzero(local.parts == local.parts[state]))
    found = float(bound[state])

    def told(states: Sequence[Any]) -> str:
        return (
            f"the {count} states that can come back to {arguments.shown(states[0])} "
            f"are too hard for float64: values within {found:.2g} are all that could "
            "be proved"
        )

    raise RefusedError([local.group.place(state)], told)


def _optimal(local: _Local, v: Floats, bound: Floats) -> Flags:
    """Return the actions that may be optimal."""
    gains = local.after(v) * local.sign[local.group.sources]
    margin = local.rounding(v) + np.where(
        local.within, bound[local.index], local.exit_error
    )
    margin = margin * (1 + 4 * _UNIT) + np.abs(gains) * (margin > 0) * (2 * _UNIT)
    least = local.largest(gains - margin)
    deciding = local.sign[local.group.sources] != 0
    found: Flags = deciding & (gains + margin >= least[local.group.sources])
    return found


def _chosen(
    local: _Local, optimal: Flags, proved: Integers, alone: Flags, pick: Pick
) -> tuple[Integers, list[int], list[int]]:
    """Return the moves that the tie rule takes, where it had a choice, and was turned.

    Where its choice would let play go on for ever, the next tied action that leads
    nearer to the end is taken.
    """
    group, starts = local.group, local.group.offsets[:-1]
    policy = local.best(optimal.astype(np.float64))
    ties = np.add.reduceat(optimal.astype(np.int64), starts)
    several = np.flatnonzero(ties > 1)
    if pick == "last":
        ranks = np.where(optimal, np.arange(len(optimal)), -1)
        policy = np.maximum.reduceat(ranks, starts)
    elif callable(pick):
        for state in several.tolist():
            first, last = group.offsets[state : state + 2].tolist()
            among = np.flatnonzero(optimal[first:last]).tolist()
            policy[state] = first + pick(group.place(state), among)
    policy = np.where(local.sign == 0, 0, policy)
    turned: list[int] = []
    if not several.size:
        return policy, [], turned
    for side in (1, -1):
        own = local.sign == side
        free = (local.sign == -side) & ~alone
        while True:
            made = local.made(policy) | free[group.sources]
            reached = forced(group, free, made).reached
            if reached.all():
                break
            leads = ~local.within | reached[local.index]
            way = optimal & leads & (own & ~reached)[group.sources]
            states = np.unique(group.sources[way])
            if not states.size:  # the policy of the proof always ends
                stuck = local.by_part((~reached).astype(np.float64)) > 0
                policy = np.where(own & stuck, proved, policy)
                break
            for state in states.tolist():
                first, last = group.offsets[state : state + 2].tolist()
                moves = np.flatnonzero(way[first:last]) + first
                later = moves[moves > policy[state]]
                policy[state] = later[0] if later.size else moves[0]
                turned.append(state)
    if pick == "uniform":  # play ends, as it does by one of the actions
        turned = []
    return policy, several.tolist(), sorted(turned)


def _followed(local: _Local, policy: Integers, optimal: Flags) -> tuple[Floats, Floats]:
    """Return the values of a player who does not decide, and bounds of their errors.

    The bounds cover whichever of several actions that may be optimal is taken.
    """
    group, sources = local.group, local.group.sources
    made = local.made(policy)
    near = made | optimal
    low, high = local.between(near)
    v = np.clip(local.valued(policy), low, high)
    q, counts = local.after(v), np.diff(group.offsets)
    rounding = local.rounding(v) + _TINY
    apart = np.abs(v[sources] - q) * (1 + 2 * _UNIT) + rounding
    mean = np.abs(v - local.means(q)) * (1 + _UNIT)
    mean += local.means(np.abs(q) + rounding) * ((counts + 6) * _UNIT)
    mean += local.means(rounding) + counts * _TINY
    lucky = local.sign == 0
    exits = np.where(near & local.possible, local.exit_error, 0.0)
    e = local.by_part(local.largest(exits))
    residual = local.largest(np.where(near, apart, 0.0))
    r = local.by_part(np.where(lucky, mean, residual))
    sure = forced(group, ~lucky, near).reached
    ends = -local.by_part(-sure.astype(np.float64)) > 0
    bound = np.full(len(v), np.inf)
    if ends.all():
        w = local.stay(near, policy)
        bound = np.where(np.isfinite(w), r * np.where(np.isfinite(w), w, 0.0), np.inf)
        bound *= 1 + 1e-12
    if not local.paid:
        bound = np.minimum(bound, np.maximum(high - v, v - low))
    return v, (bound + e) * (1 + 4 * _UNIT)
