"""A guess at the values of a group in float64, by strategy iteration.

What is found is proved in `proof`, whatever it is.

Each component has a *lead*, whose values are sought: the player who decides, or the
first of the two who do. The other of the two, the *opponent*, wants them to be small. A
few sweeps give the first policies. Then the opponent's policy, or that of a lead alone,
is improved to the end before that of a lead with an opponent moves once [1]_. An action
is kept unless another is better; improving both at once could circle. The values of
policies are those of a sparse linear system, of all components of the group side by
side (`systems`).

References
----------
.. [1] A. J. Hoffman and R. M. Karp, "On nonterminating stochastic games", Management
   Science 12 (1966), 359-370.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import truediv

import numpy as np

from cardgames_dp._graph.graph import Floats, Graph, Integers, joined_ranges
from cardgames_dp._loops.components import (
    Flags,
    Group,
    ending,
    endless,
    forced,
    forcing,
)
from cardgames_dp._loops.endless import gaining, told_gains
from cardgames_dp._loops.systems import (
    MOST_SWEPT,
    SWEEP,
    UNIT,
    Systems,
    by_sweeps,
)

_SWEEPS, _MOST_SWEEPS = 12, 100
"""The number of sweeps before strategy iteration, and that for many states."""

ROUNDS = 200
"""The most improvements of a policy, after which what is found is proved."""

_CLEAR = 1e-6
"""The part of the size of values by which a move is clearly better."""

_CALM = 12
"""The number of rounds after which small improvements no longer count."""


class Numbers:
    """The numbers of a game, of which a group is solved.

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
        The different payments of moves, and bounds on their rounding errors.
    largest : float
        The largest absolute value of a single payment or return.
    """

    def __init__(self, graph: Graph, table: Floats) -> None:
        self.graph, self.table, self.chances = graph, table, graph.chances()
        self.largest = float(np.abs(graph.payoffs()[0]).max(initial=0.0))
        self.pays: tuple[Floats, Floats] | None = None
        if graph.rewards is not None:
            tops, bottoms = graph.rewards.numerators, graph.rewards.denominators
            pays = np.vectorize(truediv, otypes=[np.float64])(tops, bottoms)
            self.pays = pays, np.abs(pays) * (bottoms != 1) * (2 * UNIT)
            self.largest = max(self.largest, float(np.abs(pays).max()))


class Local:
    """A group with the values of one player in each component.

    Attributes
    ----------
    numbers : Numbers
    group : Group
    sign : ndarray of int, shape (states,)
        1 where the lead decides, -1 where the opponent does, 0 for chance.
    whose : ndarray of int, shape (states,)
        The player whose values they are.
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
        numbers: Numbers,
        group: Group,
        sign: Integers,
        whose: Integers,
        never: Floats | None = None,
    ) -> None:
        self.numbers, self.group, self.sign, self.whose = numbers, group, sign, whose
        self.p = np.ones(len(group.sources))
        lucky = group.own >= 0
        self.p[lucky] = numbers.chances[group.own[lucky]]
        player = whose[group.sources]
        out = group.inside < 0
        self.base = np.where(out, numbers.table[player, group.following], 0.0)
        error = numbers.table[player + numbers.graph.num_players, group.following]
        self.exit_error = np.where(out, error, 0.0)
        stays = np.flatnonzero(group.following < 0)
        if never is not None:
            self.base[stays], self.exit_error[stays] = never[:, group.sources[stays]]
        self.base_error = np.zeros(len(self.base))
        self.paid = numbers.pays is not None
        if numbers.pays is not None:
            pays, rounding = (each[group.pays, player] for each in numbers.pays)
            self.base, error = added(self.base, pays)
            self.base_error = (error + rounding) * (1 + 2 * UNIT)
        self.index = np.maximum(group.inside, 0)
        self.within = group.inside >= 0
        self.parts = group.components
        self.possible = group.weights > 0
        self.systems = Systems(group, self.p)
        self._stay: tuple[Integers, Floats] | None = None

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
        return self.base + self.ahead(v)

    def ahead(self, of_states: Floats) -> Floats:
        """Return the number of the state to which each move leads; 0 for exits."""
        return np.where(self.within, of_states[self.index], 0.0)

    def gains(self, v: Floats) -> Floats:
        """Return the value of each move for who decides; 0 for chance."""
        return self.after(v) * self.sign[self.group.sources]

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
        # A value is a mean of those of exits.
        ways = moves & self.possible & ~self.within
        high = self.by_part(self.largest(np.where(ways, self.base, -np.inf)))
        low = -self.by_part(self.largest(np.where(ways, -self.base, -np.inf)))
        return low, high

    def sweep(self) -> Callable[[Floats], Floats]:
        """Return what adds one move more of optimal play to values, for a guess."""
        sources, deciding = self.group.sources, self.sign != 0
        drawn = np.flatnonzero(~deciding[sources] & self.within)
        matrix = self.systems.matrix(drawn)
        fixed = np.where(deciding, 0.0, self.means(self.base))
        states, starts = np.flatnonzero(deciding), self.group.offsets[:-1][deciding]
        counts = np.diff(self.group.offsets)[deciding]
        most = int(counts.max(initial=1))
        # All states as if they had as many moves, unless these are many more.
        padded = most * len(states) <= 4 * counts.sum()
        moves = joined_ranges(starts, counts)
        if padded:
            ranks = np.minimum(np.arange(most)[:, np.newaxis], counts - 1)
            moves = starts + ranks
        signs, index = self.sign[sources[moves]], self.index[moves]
        base, inside = self.base[moves] * signs, signs * self.within[moves]
        starts = np.cumsum(counts) - counts

        def step(v: Floats) -> Floats:
            after: Floats = matrix @ v + fixed
            if states.size:
                gains = v[index] * inside + base
                best = gains.max(0) if padded else np.maximum.reduceat(gains, starts)
                after[states] = best * self.sign[states]
            return after

        return step

    def solved(self, policy: Integers, given: Floats) -> Floats:
        """Return x with ``x = P x + given``, for the probabilities P of a policy."""
        return self.systems.solved(self.made(policy), given)

    def valued(self, policy: Integers) -> Floats:
        """Return the values of a policy."""
        given = np.where(self.sign == 0, self.means(self.base), self.base[policy])
        return self.solved(policy, given)

    def rounding(self, v: Floats) -> Floats:
        """Return bounds on the rounding errors of `after`, by move."""
        if not self.paid:
            return self.base_error
        wrong: Floats = added(self.base, self.ahead(v))[1] + self.base_error
        return wrong * (1 + 2 * UNIT)

    def stay(self, allowed: Flags, policy: Integers) -> Floats:
        """Return w with ``w >= 1 + P w``, whichever allowed moves are made.

        All policies of allowed moves must end; one of them is `policy`.
        """
        deciding, policy = self.sign != 0, policy.copy()
        ones = np.ones(self.group.num_states)
        if self._stay is None or not np.array_equal(self._stay[0], policy):
            self._stay = policy.copy(), self.solved(policy, ones)
        w = self._stay[1]  # the same for both sides
        for number in range(ROUNDS):
            w = np.maximum(self.solved(policy, ones) if number else w, 1.0)
            ahead = self.ahead(w)
            best = self.best(ahead, allowed)
            better = deciding & (ahead[best] > ahead[policy] * (1 + 1e-9) + 1e-9)
            if not better.any():
                break
            policy[better] = best[better]
        work, most = 0, MOST_SWEPT / 64
        count = int(np.diff(self.group.offsets).max())
        while True:
            ahead = self.ahead(w)
            longest = self.largest(np.where(allowed, ahead, -np.inf))
            more = 1 + np.where(deciding, longest, self.means(ahead))
            gap = 1 - (more - w) - more * (count + 6) * (2 * UNIT)
            least = -self.by_part(-gap)
            work += len(self.p) + SWEEP
            hopeless = work > most or not np.isfinite(w).all()
            if least.min() > 0.25 or hopeless:
                break
            w = np.maximum(w, more)
        never = np.full(len(w), np.inf)
        np.divide(w, least, out=never, where=least > 1e-6)
        return never


def added(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the sums of numbers, and the sizes of their exact rounding errors."""
    total = x + y
    back = total - x
    return total, np.abs((x - (total - back)) + (y - back))


def settled(local: Local, alone: Flags) -> tuple[Local, Floats, Integers]:
    """Return a group in which states end at once whose value is certain by its graph.

    It is where a lone player can force with probability 1 that play comes to the best
    of all exits of the component, and to no other.

    Returns
    -------
    local : Local
        The group.
    value : ndarray of float64, shape (states,)
        What is certain, or NaN.
    ways : ndarray of int, shape (states,)
        The moves that force it, or -1.
    """
    group, sources = local.group, local.group.sources
    own = alone & (local.sign != 0)
    sure = alone & ~group.everywhere(~own) & (not local.paid)
    nothing = np.full(len(own), np.nan), np.full(len(own), -1)
    if not sure.any():
        return local, *nothing
    toward = np.where(local.by_part(local.sign.astype(np.float64)) > 0, 1, -1)
    worth = np.where(local.within, -np.inf, local.base * toward[sources])
    worth[~local.possible] = -np.inf
    top = local.by_part(local.largest(worth))
    best = (worth == top[sources]) & (local.exit_error == 0)
    others = np.where(best, -np.inf, worth + local.exit_error)
    sure &= local.by_part(local.largest(others)) < top
    safe, nobody = np.zeros_like(own), np.zeros_like(own)
    safe[sources[best & own[sources]]] = True
    elsewhere = ~best & ~safe[sources]
    while sure.any():
        # What chance can lead elsewhere, whatever the player does, goes.
        sure &= ~forced(group, own, elsewhere, sure)[0]
        inside = best | (local.within & sure[local.index])
        reached, moves = forced(group, nobody, inside & sure[sources])
        if np.array_equal(reached, sure):
            break
        sure = reached
    if not sure.any():
        return local, *nothing
    value, ways = np.where(sure, toward * top, np.nan), np.where(sure & own, moves, -1)
    out = sure[sources]
    some = replace(
        group,
        inside=np.where(out, -1, group.inside),
        following=np.where(out, -1, group.following),
    )
    never, stays = np.zeros((2, len(own))), np.flatnonzero(group.following < 0)
    never[:, sources[stays]] = local.base[stays], local.exit_error[stays]
    never[:, sure] = value[sure], 0 * value[sure]
    return Local(local.numbers, some, local.sign, local.whose, never), value, ways


def guessed(local: Local, alone: Flags) -> tuple[Floats, Integers]:
    """Return values, and a policy of which the lead's part forces the end.

    Parameters
    ----------
    local : Local
        The group.
    alone : ndarray of bool, shape (states,)
        Where the lead has no opponent.

    Raises
    ------
    RefusedError
        If there is none.
    """
    outer = (local.sign > 0) & ~alone
    inner = (local.sign != 0) & ~outer
    v, sweep, settled = np.zeros(local.group.num_states), local.sweep(), False
    if local.systems.eliminates:
        for _ in range(min(_SWEEPS + len(v) // 50, _MOST_SWEEPS)):
            v = sweep(v)
    else:
        v, settled = by_sweeps(sweep, v, len(local.p))
        local.systems.settles = settled
    policy = _ending(local, local.best(local.gains(v)))
    # The opponent, or a lead alone, must be sure to end as well.
    if not local.paid and not (sure := ending(local.group, local.sign > 0)).all():
        raise endless(local.group, sure)
    if settled:
        return v, policy
    margin = 8 * UNIT if local.systems.eliminates else 2.0**-44
    for number in range(ROUNDS):
        for rounds in range(ROUNDS):
            v = local.valued(policy)
            gains = local.gains(v)
            best = local.best(gains)
            least = margin * 2.0 ** max(rounds - _CALM, 0) * local.by_part(np.abs(v))
            better = gains[best] > gains[policy] + least
            if not _improved(local, policy, best, better & inner, ends=not local.paid):
                break
        _refuse_gains(local, policy, best, v, inner)
        margin *= 1 + (number > _CALM)
        if not _improved(local, policy, best, better & outer, answers=inner):
            break
    return v, policy


def _refuse_gains(
    local: Local, policy: Integers, best: Integers, v: Floats, inner: Flags
) -> None:
    """Refuse moves by which somebody gains each time round.

    Raises
    ------
    RefusedError
        If there are some that are clearly better, as they make play endless.
    """
    after, gains = local.after(v), local.gains(v)
    size = _CLEAR * local.by_part(np.abs(gains[best]))
    left = np.where(local.sign == 0, local.means(after), after[policy]) - v
    if not (np.abs(left) <= size).all():  # these are not the values of the policy
        return
    better = inner & (gains[best] > gains[policy] + size)
    if local.paid and better.any():
        raise_gains(local, local.group, np.where(better, best, policy))


def raise_gains(local: Local, group: Group, policy: Integers) -> None:
    """Refuse a policy with which somebody gains each time round, if there is a cycle.

    Raises
    ------
    RefusedError
        If play need not end with it.
    """
    rewards = local.numbers.graph.rewards
    assert rewards is not None
    pays = (rewards.numerators != 0).any(axis=1)[group.pays]
    error = gaining(group, policy, pays)
    if error is not None:
        error.policy = policy
        raise error


def _improved(
    local: Local,
    policy: Integers,
    best: Integers,
    where: Flags,
    *,
    ends: bool = False,
    answers: Flags | None = None,
) -> bool:
    """Change a policy in place, and return whether it changes.

    Changes that make play endless are taken back, unless it is known that it `ends`, or
    the other side has `answers` that end it, in states where moves pay.
    """
    if not where.any():
        return False
    before = policy.copy()
    policy[where] = best[where]
    if not ends:
        free, made = local.sign < 0, local.made(policy)
        if local.paid:  # endless play may be bad for the opponent, who avoids it
            free = np.zeros_like(free)
        made |= free[local.group.sources]
        reached = ending(local.group, free, made)
        if local.paid and answers is not None and not reached.all():
            policy[:], reached = forcing(local.group, policy, answers, free)
        back = ~reached & where
        policy[back] = before[back]
        where = where & ~back
    return bool(where.any())


def _ending(local: Local, policy: Integers) -> Integers:
    """Return a policy whose part of the lead forces the end.

    If moves pay, it is enough that the end is forced by both.

    Raises
    ------
    RefusedError
        If there is none.
    """
    group, free = local.group, local.sign < 0
    reached = ending(group, free, local.made(policy) | free[group.sources])
    if reached.all():
        return policy
    sure, ways = forced(group, free)
    if local.paid and not sure.all():
        free = np.zeros_like(free)
        sure, ways = forced(group, free)
    if not sure.all():
        raise endless(group, sure, True, told_gains if local.paid else None)
    # In components in which it does not, all follow the way to the end.
    stuck = ~local.group.everywhere(reached)
    return np.where(stuck & (local.sign != 0) & ~free, ways, policy)
