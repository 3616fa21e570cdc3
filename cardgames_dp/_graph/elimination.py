"""Exact values of states to which plays can come back: policies, and elimination.

The values under fixed policies are the solution of a linear system, one equation a
state. It is solved in integers by eliminating states one by one, first those with the
fewest neighbours: in most games, states that follow each other in a turn collapse
without fill.

Policies are improved from a start in which play ends, by what one player does alone if
there is such a player, or else by what both do: the moves are tried in the order
of a guess, made in floats, so mostly nothing has to be improved. An action is kept
unless another is strictly better, and one player is improved to the end before the
other moves once. Without rewards an improvement never makes play endless: on states
from which play would not end, values would be constant, so no action was strictly
better. With rewards it can, where a player gains each time that play comes back.

At the end no decision can be improved. If one player decides, the values are then the
best of all policies that end. If two decide, the tied actions must let each of them
force the end against all tied actions of the other; then each guarantees the value, as
any other endless play would cost the opponent more and more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise
from operator import mul
from typing import Any, TypeAlias

import numpy as np

from cardgames_dp._graph.answers import CHANCE
from cardgames_dp._graph.components import (
    Group,
    RefusedError,
    never_left,
    nobody_ends,
    told_endless,
    told_round,
)
from cardgames_dp._graph.graph import Graph

Vector: TypeAlias = tuple[list[int], int]
"""A rational number for each column: numerators over one denominator."""

Known: TypeAlias = Vector | None
"""A vector, or None if all its numbers are 0."""


@dataclass(slots=True)
class Row:
    """An equation ``scale * x = sum(after[t] * x[t]) + known``."""

    scale: int
    after: dict[int, int]
    known: Known


def solution(rows: list[Row], columns: int) -> list[Vector] | None:
    """Return the solution of a system of equations, which is used up.

    Parameters
    ----------
    rows : list of Row
        The equations. Coefficients are >= 0, and their sum is at most the scale.
    columns : int
        The number of columns.

    Returns
    -------
    list or None
        None if play never ends from some state.
    """
    before: list[set[int]] = [set() for _ in rows]
    for s, row in enumerate(rows):
        row.scale -= row.after.pop(s, 0)
        if not row.scale:
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
            if not _substitute(rows, s, t, before):
                return None
    nothing: Vector = [0] * columns, 1
    values = [nothing] * len(rows)
    for s in reversed(order):
        row = rows[s]
        terms = [(weight, values[t]) for t, weight in row.after.items()]
        if row.known is not None:
            terms.append((1, row.known))
        values[s] = _combined(terms, row.scale) if terms else nothing
    return values


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
    if not scale:
        return False
    common = math.gcd(scale, *after.values())
    if common > 1:
        scale //= common
        for f in after:
            after[f] //= common
    row.scale = scale
    if row.known is not None and gone.known is not None:
        row.known = _combined([(times, row.known), (share, gone.known)], common)
    elif row.known is not None:
        row.known = _combined([(times, row.known)], common)
    elif gone.known is not None:
        row.known = _combined([(share, gone.known)], common)
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


@dataclass(slots=True)
class Component:
    """States that can all come back to each other, and their moves.

    Attributes
    ----------
    places : list of int
        The places of the states.
    players : list of int
        The player who decides; `CHANCE` also where there is only one action.
    moves : list of list of int
        By state: the number of each move in `Graph.following`; of chance, only those
        of positive weight.
    weights : list of list of int
        Their weights.
    targets : list of list of int
        The state to which each leads, by its index in the component; -1 for an exit.
    known : list of list of Known
        What each pays and, for an exit, the value of the state to which it leads.
    columns : int
        The number of columns of values.
    """

    places: list[int]
    players: list[int]
    moves: list[list[int]]
    weights: list[list[int]]
    targets: list[list[int]]
    known: list[list[Known]]
    columns: int

    def values(self, taken: Sequence[Sequence[int]]) -> list[Vector] | None:
        """Return the values if moves are taken in proportion to their weights.

        Parameters
        ----------
        taken : sequence of sequence of int
            By state: the ranks of the moves that are taken.

        Returns
        -------
        list of Vector or None
            None if play does not end from some state.
        """
        rows = []
        for ranks, weights, targets, known in zip(
            taken, self.weights, self.targets, self.known, strict=True
        ):
            after: dict[int, int] = {}
            for k in ranks:
                if targets[k] >= 0:
                    after[targets[k]] = after.get(targets[k], 0) + weights[k]
            terms = [(weights[k], vector) for k in ranks if (vector := known[k])]
            total = sum([weights[k] for k in ranks])
            rows.append(Row(total, after, _combined(terms, 1) if terms else None))
        return solution(rows, self.columns)

    def worth(
        self, s: int, k: int, values: list[Vector], column: int
    ) -> tuple[int, int]:
        """Return the value of a move in one column: numerator and denominator."""
        known, target = self.known[s][k], self.targets[s][k]
        top, bottom = (known[0][column], known[1]) if known else (0, 1)
        if target < 0:
            return top, bottom
        more, below = values[target]
        if not top:
            return more[column], below
        return top * below + more[column] * bottom, bottom * below

    def tied(
        self, s: int, values: list[Vector], column: int, sign: int
    ) -> tuple[list[int], bool]:
        """Return the best moves, and whether they are better than the state's value."""
        tops, bottom = values[s]
        top, best, better = tops[column], list[int](), False
        for k in range(len(self.moves[s])):
            n, d = self.worth(s, k, values, column)
            more = sign * (n * bottom - top * d)
            if more > 0:
                top, bottom, best, better = n, d, [k], True
            elif not more:
                best.append(k)
        return best, better

    def ending(
        self, allowed: Sequence[Sequence[int]], helpers: set[int]
    ) -> tuple[list[int], list[int]]:
        """Return moves of some players that make sure that play ends.

        Parameters
        ----------
        allowed : sequence of sequence of int
            By state: the ranks of the moves that may be taken, the preferred one first.
            Another one is taken only where without it play might not end.
        helpers : set of int
            These players; all others may be against it. Chance is on nobody's side.

        Returns
        -------
        chosen : list of int
            By state: the rank of the move.
        left : list of int
            The states from which the others can avoid the end, ascending.
        """
        size = len(self.places)
        chosen, open_ = [ranks[0] for ranks in allowed], [True] * size
        missing = [0] * size
        before: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        sure: list[int] = []
        spare: list[tuple[int, int]] = []

        def leads_on(s: int, rank: int) -> None:
            """Note that a move of a state makes sure that play can end."""
            if not open_[s]:
                return
            if self.players[s] == CHANCE or (self.players[s] in helpers and not rank):
                missing[s] = 0
            elif self.players[s] in helpers:
                spare.append((s, rank))
                return
            else:
                missing[s] -= 1
            if not missing[s]:
                open_[s] = False
                sure.append(s)

        for s, ranks in enumerate(allowed):
            missing[s] = len(ranks)
            for i, k in enumerate(ranks):
                if self.targets[s][k] >= 0:
                    before[self.targets[s][k]].append((s, i))
        for s, ranks in enumerate(allowed):
            for i, k in enumerate(ranks):
                if self.targets[s][k] < 0:
                    leads_on(s, i)
        while sure or spare:
            while sure:
                for s, rank in before[sure.pop()]:
                    leads_on(s, rank)
            for s, rank in sorted(spare):  # of several moves of a state, the first
                if open_[s]:
                    chosen[s], open_[s] = allowed[s][rank], False
                    sure.append(s)
            spare.clear()
        return chosen, [s for s in range(size) if open_[s]]

    def round(self, left: list[int], allowed: Sequence[Sequence[int]]) -> list[int]:
        """Return a cycle of states from which play need not end."""
        inside, path, seen = set(left), [left[0]], {left[0]: 0}
        while True:
            s = path[-1]
            ahead = [self.targets[s][k] for k in allowed[s]]
            s = next(t for t in ahead if t in inside)
            if s in seen:
                return path[seen[s] :]
            seen[s] = len(path)
            path.append(s)


def components(
    graph: Graph,
    group: Group,
    columns: Sequence[Sequence[int]],
    bottoms: Sequence[int],
    payments: Sequence[Vector],
) -> list[Component]:
    """Return the components of a group.

    Parameters
    ----------
    graph, group
        The game, and the group.
    columns, bottoms : sequence of int
        By place: the numerators of values, and their denominators, of later states.
    payments : sequence of Vector
        The different payments of moves, of all players; empty if nothing is paid.
    """
    order = np.argsort(group.components, kind="stable")
    first = np.cumsum(np.bincount(group.components))
    index = np.empty(group.num_states, dtype=np.int64)
    index[order] = np.arange(group.num_states)
    index -= (first - np.diff(first, prepend=0))[group.components]
    inside = np.where(group.inside < 0, -1, index[group.inside]).tolist()
    following, weights = group.following.tolist(), group.weights.tolist()
    paid: list[Known] = [None] * len(following)
    if graph.rewards is not None:
        rows: list[Known] = [
            (tops[: len(columns)], unit) if any(tops) else None
            for tops, unit in payments
        ]
        paid = [rows[row] for row in group.pays.tolist()]
    found = [Component([], [], [], [], [], [], len(columns)) for _ in first]
    for s, (player, number, (begin, end)) in enumerate(
        zip(
            group.players.tolist(),
            group.components.tolist(),
            pairwise(group.offsets.tolist()),
            strict=True,
        )
    ):
        moves = [move for move in range(begin, end) if weights[move]]
        known = [paid[move] for move in moves]
        for k, move in enumerate(moves):
            if inside[move] < 0:
                target = following[move]
                terms = [(1, ([each[target] for each in columns], bottoms[target]))]
                terms += [(1, vector) for vector in known[k : k + 1] if vector]
                known[k] = _combined(terms, 1)
        part = found[number]
        part.places.append(group.place(s))
        part.players.append(player)
        part.moves.append([group.moves.start + move for move in moves])
        part.weights.append([weights[move] for move in moves])
        part.targets.append([inside[move] for move in moves])
        part.known.append(known)
    return found


@dataclass(slots=True)
class Solved:
    """A component, solved; ranks of moves are given by state.

    Attributes
    ----------
    values : list of Vector
        The values.
    optimal : list of list of int
        All optimal moves of the states in which a player decides among several.
    taken : list of list of int
        The moves that are taken, of players and of chance.
    turned : list of int
        The places where the action of the tie rule would let play go on for ever.
    """

    values: list[Vector]
    optimal: list[list[int]]
    taken: list[list[int]]
    turned: list[int]


class Solver:
    """Find values and policies of a component.

    Parameters
    ----------
    component : Component
        The component, in which at most two players decide, whose interests are opposed.
    columns : sequence of (int, int)
        By player: the column of values that counts for the player, and 1 if the player
        wants it to be large, or -1.
    guess : sequence of int
        By state: the rank of the move that is tried first.

    Raises
    ------
    RefusedError
        If no policies of all who decide make sure that play ends.
    """

    def __init__(
        self,
        component: Component,
        columns: Sequence[tuple[int, int]],
        guess: Sequence[int],
    ) -> None:
        self._component, self._columns = component, columns
        self._deciding = sorted({player for player in component.players if player >= 0})
        self._order = [list(range(len(moves))) for moves in component.moves]
        for ranks, best in zip(self._order, guess, strict=True):
            if best in ranks:
                ranks.remove(best)
                ranks.insert(0, best)
        deciding, self._stuck = self._deciding, list[int]()
        for player in deciding or [CHANCE]:
            self._start, left = component.ending(self._order, {player})
            if not left:
                break
        else:
            self._stuck = component.round(left, self._order)
            self._start, left = component.ending(self._order, set(deciding))
            if left:
                raise self._endless(component.round(left, self._order))
        deciding.sort(key=lambda mover: mover != player)

    def solve(
        self, prefer: Callable[[int, list[int]], list[int]], *, mixed: bool = False
    ) -> Solved:
        """Return values, all optimal moves, and the moves that are taken.

        Parameters
        ----------
        prefer : callable
            The tie rule: brings the optimal moves of a place in the order in which they
            are to be tried.
        mixed : bool
            Whether all optimal moves are taken, each as often.

        Raises
        ------
        RefusedError
            If one of two players cannot make sure that play ends without losing by it,
            or somebody can gain for ever.
        """
        part = self._component
        chosen = list(self._start)
        values = self._improve(chosen)
        optimal = [[0] if player < 0 else [] for player in part.players]
        taken = [list(range(len(moves))) for moves in part.moves]
        wanted = [list(ranks) for ranks in taken]
        for s, player in enumerate(part.players):
            if player >= 0:
                optimal[s], _ = part.tied(s, values, *self._columns[player])
                several = len(optimal[s]) > 1
                wanted[s] = (
                    prefer(part.places[s], optimal[s]) if several else optimal[s]
                )
        turned = []
        if all(len(ranks) == 1 for ranks in optimal):
            return Solved(values, optimal, self._with_chance([[k] for k in chosen]), [])
        for helper in self._deciding:
            final, left = part.ending(wanted, {helper})
            if left:
                raise self._endless(part.round(left, wanted), nobody_ends)
            for s, player in enumerate(part.players):
                if player == helper:
                    taken[s] = optimal[s] if mixed else [final[s]]
                    if final[s] != wanted[s][0] and not mixed:
                        turned.append(part.places[s])
        if len(values[0][0]) > 1 and taken != self._with_chance([[k] for k in chosen]):
            values = part.values(taken) or values  # of the others, as all plays end
        return Solved(values, optimal, taken, turned)

    def _improve(self, chosen: list[int]) -> list[Vector]:
        """Improve moves to the end, in place, and return their values."""
        if len(self._deciding) < 2:
            return self._best(chosen, *self._deciding)
        first, second = self._deciding
        while True:
            values = self._best(chosen, second)
            if not self._switch(chosen, values, first):
                return values

    def _best(self, chosen: list[int], player: int = CHANCE) -> list[Vector]:
        """Improve the moves of one player to the end; all others keep theirs."""
        values = self._values(chosen)
        if values is None:  # the other player would gain, were it not for this
            self._repair(chosen, player)
            values = self._values(chosen)
        while values is not None:
            if not self._switch(chosen, values, player):
                return values
            values = self._values(chosen)
        raise self._unbounded(chosen)

    def _repair(self, chosen: list[int], player: int) -> None:
        """Let one player end plays that would not end, in place."""
        part = self._component
        allowed = [
            [rank, *self._order[s]] if mover == player else [rank]
            for s, (mover, rank) in enumerate(zip(part.players, chosen, strict=True))
        ]
        chosen[:], left = part.ending(self._with_chance(allowed), {player})
        if left:
            raise self._unbounded(chosen)

    def _values(self, chosen: list[int]) -> list[Vector] | None:
        return self._component.values(self._with_chance([[k] for k in chosen]))

    def _with_chance(self, taken: list[list[int]]) -> list[list[int]]:
        """Return moves that are taken, with all of those of chance."""
        return [
            ranks if player >= 0 else everything
            for player, ranks, everything in zip(
                self._component.players, taken, self._order, strict=True
            )
        ]

    def _switch(self, chosen: list[int], values: list[Vector], player: int) -> bool:
        """Take better moves of a player where there are, and return whether."""
        part, changed = self._component, False
        for s, mover in enumerate(part.players):
            if mover == player >= 0:
                best, better = part.tied(s, values, *self._columns[player])
                if better:
                    chosen[s], changed = best[0], True
        return changed

    def _unbounded(self, chosen: list[int]) -> RefusedError:
        """Return the error if somebody can gain for ever, or nobody alone ends play."""
        part = self._component
        if self._stuck:
            return self._endless(self._stuck)
        taken = self._with_chance([[k] for k in chosen])
        _, left = part.ending(taken, set(self._deciding))
        return self._endless(part.round(left, taken), _gaining)

    def _endless(
        self, cycle: list[int], told: Callable[[Sequence[Any]], str] | None = None
    ) -> RefusedError:
        """Return the error if plays can go round for ever."""
        part = self._component
        decided = any(part.players[s] >= 0 for s in cycle)
        places = [part.places[s] for s in cycle]
        return RefusedError(places, told or (told_endless if decided else never_left))


def _gaining(cycle: Sequence[Any]) -> str:
    return (
        "what players get must have a bound, but somebody gains each time round: "
        f"{told_round(cycle)}"
    )
