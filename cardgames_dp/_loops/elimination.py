"""Exact values of states on loops: policies, and elimination.

The values under fixed policies are the solution of a linear system, one equation a
state. It is solved in integers by eliminating states one by one, first those with the
fewest neighbours: in most games, states that follow each other in a turn collapse
without fill.

Policies are improved from a guess, made in floats, so mostly nothing has to be
improved. An action is kept unless another is strictly better, and one player is
improved to the end before the other moves once.

If it is known what an endless play pays (see `endless`), states that play never leaves
have this value under policies that pay nothing there. Where no action is strictly
better, a side holds the states in which endless play is better for it, if it can do so
while the other makes tied moves; this is an improvement, too. If there is none, values
are final.

Otherwise policies start from some with which play ends: by what one player does alone
if there is such a player, or else by what both do. Without rewards an improvement never
makes play endless: on states from which play would not end, values would be constant,
so no action was strictly better. With rewards it can, where a player gains each time
that play comes back. If one player decides, the values are at the end the best of all
policies that end. If two decide, the tied actions must let each of them force the end
against all tied actions of the other; then each guarantees the value, as any other
endless play would cost the opponent more and more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import pairwise
from operator import mul
from typing import TypeAlias

import numpy as np

from cardgames_dp._graph.graph import Integers
from cardgames_dp._graph.solving import Pick
from cardgames_dp._loops.components import (
    Flags,
    Group,
    RefusedError,
    endless,
    forced,
    forcing,
    forcing_if_possible,
)
from cardgames_dp._loops.endless import Endless, gaining, undecided
from cardgames_dp._loops.groups import picked_moves
from cardgames_dp._loops.lifting import LEAST_STATES, lift

Vector: TypeAlias = tuple[list[int], int]
"""A rational number for each column: numerators over one denominator."""

Constant: TypeAlias = Vector | None
"""A vector, or None if all its numbers are 0."""


@dataclass(slots=True)
class Row:
    """An equation ``scale * x = sum(after[t] * x[t]) + constant``."""

    scale: int
    after: dict[int, int]
    constant: Constant


def solution(
    rows: list[Row], columns: int, never: Vector | None = None
) -> list[Vector] | None:
    """Return the solution of a system of equations, which is used up.

    Parameters
    ----------
    rows : list of Row
        The equations. Coefficients are >= 0, and their sum is at most the scale.
    columns : int
        The number of columns.
    never : Vector, optional
        The value of states that play never leaves, if nothing is paid there.

    Returns
    -------
    list or None
        None if play never ends from some state whose value is not given.
    """
    values = _lift(rows, columns)
    if values is not None:
        return values
    before: list[set[int]] = [set() for _ in rows]
    for s, row in enumerate(rows):
        row.scale -= row.after.pop(s, 0)
        if not row.scale and not _stopped(row, never):
            return None
        for t in row.after:
            before[t].add(s)
    waiting = [(len(before[s]) * len(row.after), s) for s, row in enumerate(rows)]
    heapify(waiting)
    done, order = [False] * len(rows), []
    while waiting:
        cost, s = heappop(waiting)
        row = rows[s]
        now = len(before[s]) * len(row.after)
        if done[s] or now > cost:
            if not done[s]:
                heappush(waiting, (now, s))
            continue
        done[s] = True
        order.append(s)
        for t in row.after:
            before[t].discard(s)
        for t in before[s]:
            if not _substitute(rows, s, t, before) and not _stopped(rows[t], never):
                return None
    nothing: Vector = [0] * columns, 1
    values = [nothing] * len(rows)
    for s in reversed(order):
        row = rows[s]
        terms = [(weight, values[t]) for t, weight in row.after.items()]
        if row.constant is not None:
            terms.append((1, row.constant))
        values[s] = _combined(terms, row.scale) if terms else nothing
    return values


def _lift(rows: list[Row], columns: int) -> list[Vector] | None:
    """Return the solution of a system of one column, if lifting finds it sooner."""
    if len(rows) < LEAST_STATES or columns > 1:
        return None
    entries = [(row.scale, s, s) for s, row in enumerate(rows)]
    for s, row in enumerate(rows):
        entries += [(-weight, s, t) for t, weight in row.after.items()]
    constants = [row.constant or ([0], 1) for row in rows]
    unit = math.lcm(*[bottom for _, bottom in constants])
    right = [top * (unit // bottom) for (top,), bottom in constants]
    tops, bottom = lift(entries, right) or ([], 1)
    return [_combined([(1, ([top], bottom))], unit) for top in tops] or None


def _substitute(rows: list[Row], s: int, t: int, before: list[set[int]]) -> bool:
    """Eliminate state s from the row of t; return whether play can still end there."""
    gone, row = rows[s], rows[t]
    after, share = row.after, row.after.pop(s)
    common = math.gcd(share, gone.scale)
    times, share = gone.scale // common, share // common
    scale = row.scale * times
    if times > 1:
        for f in after:
            after[f] *= times
    for f, weight in gone.after.items():
        if f == t:
            scale -= share * weight
        elif f in after:
            after[f] += share * weight
        else:
            after[f] = share * weight
            before[f].add(t)
    common = math.gcd(scale, *after.values()) or 1
    if common > 1:
        scale //= common
        for f in after:
            after[f] //= common
    row.scale = scale
    if row.constant is not None and gone.constant is not None:
        row.constant = _combined(
            [(times, row.constant), (share, gone.constant)], common
        )
    elif row.constant is not None:
        row.constant = _combined([(times, row.constant)], common)
    elif gone.constant is not None:
        row.constant = _combined([(share, gone.constant)], common)
    return bool(scale)


def _stopped(row: Row, never: Vector | None) -> bool:
    """Give a state that play never leaves its value, if nothing is paid there."""
    if never is None or (row.constant is not None and any(row.constant[0])):
        return False
    row.scale, row.constant = 1, never
    return True


def _combined(terms: list[tuple[int, Vector]], over: int) -> Vector:
    """Return the sum of multiples of vectors, divided by an integer."""
    factors = [weight for weight, _ in terms]
    bottoms = [vector[1] for _, vector in terms]
    bottom = bottoms[0]
    if bottoms.count(bottom) < len(bottoms):
        bottom = math.lcm(*bottoms)
        factors = [w * (bottom // d) for w, d in zip(factors, bottoms, strict=True)]
    columns = zip(*[vector[0] for _, vector in terms], strict=True)
    tops = [sum(map(mul, factors, column)) for column in columns]
    bottom *= over
    common = math.gcd(bottom, *tops)
    if common > 1:
        return [top // common for top in tops], bottom // common
    return tops, bottom


class PolicyIteration:
    """Find the values and policies of a group, component by component.

    Parameters
    ----------
    group : Group
        The group, in each component of which at most two players decide, whose
        interests are opposed.
    constants : list of Constant
        What each move pays and, for an exit, the value of the state to which it leads.
    wants : sequence of (int, int)
        By player: the column of values that counts for the player, and 1 if the player
        wants it to be large, or -1.
    columns : int
        The number of columns.
    guess : ndarray of int, shape (states,)
        The move of each state that is tried first.
    limits : Endless
        What a play that never ends pays.

    Raises
    ------
    RefusedError
        If no policies of all who decide make sure that play ends.
    """

    def __init__(
        self,
        group: Group,
        constants: list[Constant],
        wants: Sequence[tuple[int, int]],
        columns: int,
        guess: Integers,
        limits: Endless,
    ) -> None:
        self._group, self._constants = group, constants
        self._columns, self._limits = columns, limits
        self._players, self._inside = group.players.tolist(), group.inside.tolist()
        self._weights = weights = group.weights.tolist()
        self._moves = [
            [move for move in range(first, last) if weights[move]]
            for first, last in pairwise(group.offsets.tolist())
        ]
        nothing: Vector = [0] * columns, 1
        self._values = [nothing] * group.num_states
        leads, opponents = group.sides()
        signs = group.signs(leads, opponents)
        self._lead, self._opponent = signs > 0, signs < 0
        self._two = ~group.everywhere(signs >= 0)
        self._nobody = np.zeros(group.num_states, dtype=np.bool_)
        self._lucky = (group.players < 0)[group.sources]
        self._best_moves = bytearray(len(weights))
        # Two who decide in a component want the lead's number large, and small.
        whose = [wants[lead] for lead in leads[group.components].tolist()]
        self._column = [column for column, _ in whose]
        self._toward = [sign for _, sign in whose]
        self._sign = [s or 1 for s in (signs * self._toward).tolist()]
        each = zip(leads.tolist(), limits.least, limits.most, strict=True)
        both = [
            [self._vector(wants[x], low), self._vector(wants[x], high)]
            for x, low, high in each
        ]
        self._never, self._most = map(list, zip(*both, strict=True))
        self._start(guess)

    def _vector(self, want: tuple[int, int], limit: Fraction | None) -> Vector | None:
        """Return the value of states that play never leaves, or None if it must."""
        if limit is None:
            return None
        each = [Fraction(0)] * self._columns
        each[want[0]] = limit  # others do not matter, as play ends if it is not given
        if self._limits.given is not None:
            each = list(self._limits.given[: self._columns])
        bottom = math.lcm(*[x.denominator for x in each])
        return [x.numerator * (bottom // x.denominator) for x in each], bottom

    def _start(self, guess: Integers) -> None:
        """Choose first policies, and whose moves are improved first."""
        group, lead, opponent = self._group, self._lead, self._opponent
        free = np.array([x is not None for x in self._never])[group.components]
        policy, reached = forcing(group, guess, lead, opponent)
        outer = lead & group.everywhere(reached)
        self._stuck = stuck = ~group.everywhere(reached) & ~free
        if stuck.any():
            other, reached = forcing(group, guess, opponent, lead)
            policy = np.where(stuck, other, policy)
            outer |= opponent & stuck
            self._reached, self._stuck = reached, stuck & ~group.everywhere(reached)
            both = (lead | opponent) & self._stuck
            policy, _ = forcing(group, policy, both, self._nobody)
        # Who pays in loops must answer at once, and so must a lead alone.
        payer = self._limits.payer[group.components]
        answers = np.where(self._two & (payer < 0), opponent, lead)
        outer = np.where(free, (lead | opponent) & ~answers, outer)
        self._inner = (lead | opponent) & ~outer
        self._policy: list[int] = np.where(free, guess, policy).tolist()

    def solve(self, pick: Pick) -> tuple[list[Vector], Flags, Integers, list[int]]:
        """Return the solution of the group.

        Returns
        -------
        values : list of Vector
            By state.
        optimal : ndarray of bool, shape (moves,)
            Which actions are optimal, where a player has several.
        policy : ndarray of int, shape (states,)
            The move that is taken.
        turned : list of int
            The states in which the choice of the tie rule would let play go on for
            ever.

        Raises
        ------
        RefusedError
            If the value depends on what an endless play pays, and the game does not say
            it, or somebody can gain for ever.
        """
        group, lead, opponent = self._group, self._lead, self._opponent
        order = np.argsort(group.components, kind="stable")
        ends = np.cumsum(np.bincount(group.components))
        parts = [part.tolist() for part in np.split(order, ends[:-1])]
        self._improve(parts)
        optimal = self._tied_moves()
        self._refuse_open(optimal)
        picked = policy = picked_moves(group, optimal, pick)
        every = range(group.num_states)
        for side, own, free in ((1, lead, opponent), (-1, opponent, lead & self._two)):
            better = self._apart(every, -side, self._never if side > 0 else self._most)
            leave = self._limits.to_leave(group, side, better)
            policy, reached = forcing_if_possible(
                group, policy, own, free, optimal, optimal, leave
            )
            if not reached.all():
                raise endless(group, reached, optimal | self._lucky, undecided)
        if self._limits.given is None:
            policy, _ = forcing(group, policy, lead | opponent, self._nobody, optimal)
        if pick == "uniform":
            policy = picked
        if self._columns > 1:
            self._follow(parts, optimal, policy, mixed=pick == "uniform")
        turned = np.flatnonzero(policy != picked).tolist()
        return self._values, optimal, policy, turned

    def _improve(self, parts: list[list[int]]) -> None:
        """Improve the policies of all components until nobody has a better move."""
        inner, outer = (
            [
                [s for s in states if self._players[s] >= 0 and in_[s]]
                for states in parts
            ]
            for in_ in (self._inner, ~self._inner)
        )
        left = list(range(len(parts)))
        while left:
            answering = left
            while answering:
                for part in answering:
                    self._best(parts[part], inner[part])
                answering = self._hold(parts, answering, inner=True)
            better = [part for part in left if self._switch(outer[part])]
            rest = {*left} - {*better}
            left = better + self._hold(parts, sorted(rest), inner=False)

    def _follow(
        self, parts: list[list[int]], optimal: Flags, policy: Integers, *, mixed: bool
    ) -> None:
        """Set the values to those of the moves that are taken, as others need them."""
        taken = [[move] for move in policy.tolist()]
        if mixed:
            taken = [[m for m in moves if optimal[m]] for moves in self._moves]
        for states in parts:
            deciding = [s for s in states if self._players[s] >= 0]
            if any(taken[s] != [self._policy[s]] for s in deciding):
                self._solved(states, taken)

    def _best(self, states: list[int], inner: list[int]) -> None:
        """Improve the moves of some states of a component to the end."""
        if not self._solved(states):  # the other would gain, were it not for this
            self._repair(states, inner)
            if not self._solved(states):
                raise self._unbounded(states)
        while self._switch(inner):
            if not self._solved(states):
                raise self._unbounded(states)

    def _solved(
        self, states: list[int], taken: Sequence[Sequence[int]] | None = None
    ) -> bool:
        """Set the values of a component; return False if play does not end there.

        Moves of the policy, or those `taken` by state, are taken in proportion to their
        weights.
        """
        index, rows = {s: i for i, s in enumerate(states)}, []
        for s in states:
            moves: Sequence[int] = self._moves[s]
            if self._players[s] >= 0:
                moves = [self._policy[s]] if taken is None else taken[s]
            after: dict[int, int] = {}
            total, terms = 0, list[tuple[int, Vector]]()
            for move in moves:
                weight, target = self._weights[move], self._inside[move]
                total += weight
                if target >= 0:
                    target = index[target]
                    after[target] = after.get(target, 0) + weight
                vector = self._constants[move]
                if vector:
                    terms.append((weight, vector))
            rows.append(Row(total, after, _combined(terms, 1) if terms else None))
        never = self._never[self._group.components[states[0]]]
        values = solution(rows, self._columns, never)
        for s, value in zip(states, values or [], strict=False):
            self._values[s] = value
        return values is not None

    def _worth(self, move: int, column: int) -> tuple[int, int]:
        """Return the value of a move in one column: numerator and denominator."""
        constant, target = self._constants[move], self._inside[move]
        top, bottom = (constant[0][column], constant[1]) if constant else (0, 1)
        if target < 0:
            return top, bottom
        more, below = self._values[target]
        if not top:
            return more[column], below
        return top * below + more[column] * bottom, bottom * below

    def _tied(self, s: int) -> tuple[list[int], bool]:
        """Return the best moves, and whether they are better than the state's value."""
        column, sign = self._column[s], self._sign[s]
        tops, bottom = self._values[s]
        top, best, better = tops[column], list[int](), False
        for move in self._moves[s]:
            n, d = self._worth(move, column)
            more = sign * (n * bottom - top * d)
            if more > 0:
                top, bottom, best, better = n, d, [move], True
            elif not more:
                best.append(move)
        return best, better

    def _switch(self, states: list[int]) -> bool:
        """Take better moves in some states where there are, and return whether."""
        changed = False
        for s in states:
            best, better = self._tied(s)
            for move in self._moves[s]:
                self._best_moves[move] = 0
            for move in best:
                self._best_moves[move] = 1
            if better:
                self._policy[s], changed = best[0], True
        return changed

    def _apart(
        self, states: Iterable[int], side: int, limits: Sequence[Vector | None]
    ) -> Flags:
        """Return the states where endless play is better for the lead, or worse."""
        apart = self._nobody.copy()
        parts = self._group.components.tolist()
        for s in states:
            limit, column = limits[parts[s]], self._column[s]
            if limit is not None:
                tops, bottom = self._values[s]
                more = limit[0][column] * bottom - tops[column] * limit[1]
                apart[s] = more * self._toward[s] * side > 0
        return apart

    def _hold(
        self, parts: list[list[int]], among: list[int], *, inner: bool
    ) -> list[int]:
        """Let a side keep play where that is better; return in which components."""
        among = [part for part in among if self._never[part] is not None]
        if not among:
            return []
        group, worse = self._group, self._nobody.copy()
        own = (self._lead | self._opponent) & (self._inner == inner)
        for side, leads in ((1, self._lead), (-1, self._opponent)):
            deciding = {*group.components[own & leads].tolist()}
            states = [s for part in among if part in deciding for s in parts[part]]
            worse |= self._apart(states, side, self._never)
        if not worse.any():
            return []
        usable = self._made()
        if inner:
            usable &= ~own[group.sources]
            usable |= self._tied_moves() & own[group.sources]
        else:
            usable = self._tied_moves() | self._lucky
        held = worse & ~forced(group, own, usable, worse)[0]
        self._stay(held & own, usable & held[group.inside] & (group.inside >= 0))
        return np.unique(group.components[held]).tolist()  # type: ignore[no-any-return]

    def _stay(self, states: Flags, moves: Flags) -> None:
        """Take the first of some moves in some states."""
        sources = self._group.sources
        some = np.flatnonzero(moves & states[sources])
        for s, first in zip(*np.unique(sources[some], return_index=True), strict=True):
            self._policy[s] = int(some[first])

    def _tied_moves(self) -> Flags:
        return np.frombuffer(self._best_moves, dtype=np.bool_).copy()

    def _made(self) -> Flags:
        """Return the moves of chance, and those of the policies."""
        made = self._lucky.copy()
        deciding = self._lead | self._opponent
        made[np.array(self._policy)[deciding]] = True
        return made

    def _refuse_open(self, optimal: Flags) -> None:
        """Refuse values that depend on what an endless play pays."""
        group, limits = self._group, self._limits
        some = [
            s
            for s, part in enumerate(group.components.tolist())
            if limits.least[part] != limits.most[part]
        ]
        worse = self._apart(some, 1, self._most)
        usable = (optimal | self._lucky) & (group.weights > 0)
        held = worse & ~forced(group, self._lead, usable, worse)[0]
        if held.any():
            state = int(held.argmax())
            tops, bottom = self._values[state]
            value = Fraction(tops[self._column[state]], bottom)
            raise limits.refusal(group, held, usable, (state, value))

    def _repair(self, states: list[int], inner: list[int]) -> None:
        """Let some states of a component end plays that would not end.

        If it is known what endless play pays, it is enough if it pays nothing more.
        """
        group, own, here = self._group, self._nobody.copy(), self._nobody.copy()
        own[inner], here[states] = True, True
        if self._never[group.components[states[0]]] is not None:
            pays = np.array([x is not None for x in self._constants]) & (
                group.inside >= 0
            )
            usable = self._made() | own[group.sources]
            here[group.sources[usable & pays & ~own[group.sources]]] = False
            usable &= ~pays
            here &= np.bincount(group.sources[usable], minlength=len(here)) > 0
            held = here & ~forced(group, own, usable, here)[0]
            self._stay(held & own, usable & held[group.inside] & (group.inside >= 0))
            here = ~held
        else:
            here[:] = True
        policy = np.array(self._policy)
        policy, reached = forcing(group, policy, own, self._nobody, among=here)
        if not reached[states].all():
            raise self._unbounded(states)
        self._policy = policy.tolist()

    def _unbounded(self, states: list[int]) -> RefusedError:
        """Return the error if somebody can gain for ever, or nobody alone ends play."""
        group, here = self._group, self._nobody.copy()
        here[states] = True
        if self._stuck[states[0]]:
            return endless(group, self._reached | ~here, True, undecided)
        pays = np.array([x is not None for x in self._constants]) & (group.inside >= 0)
        error = gaining(group, np.array(self._policy), pays, here)
        assert error is not None  # as play need not end
        return error


def constants_of(
    group: Group,
    columns: Sequence[Sequence[int]],
    bottoms: Sequence[int],
    payments: Sequence[Vector],
) -> list[Constant]:
    """Return what each move of a group pays and, for an exit, the value there.

    Parameters
    ----------
    group : Group
        The group.
    columns, bottoms : sequence of int
        By place: the numerators of values, and their denominators, of later states.
    payments : sequence of Vector
        The different payments of moves, of all players; empty if nothing is paid.
    """
    rows: list[Constant] = [
        (tops[: len(columns)], unit) if any(tops) else None for tops, unit in payments
    ]
    constants = [rows[row] for row in group.pays.tolist()] if rows else []
    constants = constants or [None] * len(group.sources)
    following = group.following.tolist()
    for move in np.flatnonzero(group.inside < 0).tolist():
        target, paid = following[move], constants[move]
        value: Vector = [each[target] for each in columns], bottoms[target]
        constants[move] = _combined([(1, x) for x in (value, paid) if x], 1)
    return constants
