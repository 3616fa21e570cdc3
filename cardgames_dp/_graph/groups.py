"""Groups solved in float64: a guess, its proof, and then the tie rule.

Ties are decided after the values are final. An action may be optimal if its interval,
from the error of what follows it, reaches the best lower end of all actions. Where the
choice of the tie rule would let play go on for ever, the next tied action that leads
nearer to the end is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cardgames_dp._graph.components import (
    Flags,
    Group,
    Interests,
    ending,
    refuse_many,
)
from cardgames_dp._graph.graph import Block, Floats, Graph, Integers
from cardgames_dp._graph.idling import Merged, merged
from cardgames_dp._graph.policy_iteration import UNIT, Guess, Known, Local
from cardgames_dp._graph.proof import followed, proved, refuse_useless
from cardgames_dp._graph.solving import Pick


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
    table : ndarray of float64, shape (2 * players, states)
        Values and errors by place; those of places after a group are known when it is
        solved.
    pick : Pick
        The tie rule.
    """

    def __init__(self, graph: Graph, table: Floats, pick: Pick) -> None:
        self._known, self._pick = Known(graph, table), pick
        self._interests = Interests(graph)
        nothing = np.ones(1, dtype=np.bool_)
        if graph.rewards is not None:
            nothing = (graph.rewards.numerators == 0).all(axis=1)
        self._nothing: Flags = nothing

    def solve(self, blocks: Sequence[Block]) -> tuple[Group, Solved]:
        """Return the group that some blocks form, and its solution.

        Raises
        ------
        RefusedError
            If no policy forces the end of play, or three decide, or two whose interests
            are not opposed, or no useful bound is found.
        """
        graph = self._known.graph
        group, leads, opponents = self._sides(blocks)
        lead, against = leads[group.components], opponents[group.components]
        local, alone = self._local(group, lead, against, lead), against < 0
        small, some = local, self._merged(group, lead, alone)
        if some is not None:
            small = self._local(some.group, lead, against, lead)
        v, policy, bound = proved(small, *Guess(small, alone).found(), alone)
        refuse_useless(small, v, bound)
        if some is not None:
            v, bound, policy = v[some.first], bound[some.first], some.spread(policy)
        optimal = optimal_actions(local, v, bound)
        chosen, several, turned = chosen_actions(
            local, optimal, policy, alone, self._pick
        )
        values, errors = np.zeros((2, graph.num_players, group.num_states))
        every = np.arange(group.num_states)
        values[lead, every], errors[lead, every] = v, bound
        if self._interests.constant:  # then it does not matter who decides
            opponents = 1 - leads
        other = opponents[group.components]
        pairs = zip(leads.tolist(), opponents.tolist(), strict=True)
        for pair in {pair for pair in pairs if pair[1] >= 0}:
            here = np.flatnonzero((lead == pair[0]) & (other == pair[1]))
            sums = self._interests.sums(here + group.places.start, pair)
            values[pair[1], here] = sums - v[here]
            size = np.abs(sums) + np.abs(values[pair[1], here])
            errors[pair[1], here] = bound[here] + size * (2 * UNIT)
        for player in range(graph.num_players):
            others = (lead != player) & (other != player)
            if others.any():
                whose = np.full(len(lead), player)
                if some is None:
                    of = self._local(group, lead, against, whose)
                    x, e = followed(of, chosen, optimal)
                else:
                    of = self._local(some.group, lead, against, whose)
                    among = optimal[some.moves] & (some.moves >= 0)
                    x, e = followed(of, some.gathered(chosen), among)
                    x, e = x[some.first], e[some.first]
                values[player, others], errors[player, others] = x[others], e[others]
        starts = group.offsets[:-1]
        ranks = np.where(local.sign != 0, chosen - starts, 0)
        single = np.diff(group.offsets) == 1
        single &= graph.players[group.places] >= 0
        optimal[starts[single]] = True
        return group, Solved(values, errors, optimal, ranks, several, turned)

    def guess(self, blocks: Sequence[Block]) -> Integers:
        """Return the indices of actions that are best in floats, without a proof.

        Raises
        ------
        RefusedError
            As for `solve`, except that interests are not looked at.
        """
        group, leads, opponents = self._sides(blocks)
        lead, against = leads[group.components], opponents[group.components]
        some = self._merged(group, lead, against < 0)
        small = group if some is None else some.group
        local = self._local(small, lead, against, lead)
        _, policy = Guess(local, against < 0).found()
        if some is not None:
            policy = some.spread(policy)
        ranks: Integers = policy - group.offsets[:-1]
        return ranks

    def _sides(self, blocks: Sequence[Block]) -> tuple[Group, Integers, Integers]:
        """Return a group, with the leads and opponents (or -1) of its components."""
        group = Group.of(self._known.graph, blocks)
        leads, opponents = np.zeros((2, group.num_components), dtype=np.int64)
        for component, players in enumerate(group.deciders()):
            if len(players) > 2:
                raise refuse_many(group, component, players)
            leads[component] = players[0] if players else 0
            opponents[component] = players[1] if len(players) == 2 else -1
        return group, leads, opponents

    def _local(
        self, group: Group, lead: Integers, against: Integers, whose: Integers
    ) -> Local:
        """Return a group with the values of one player in each component."""
        sign = (group.players == lead).astype(np.int64)
        sign[(group.players == against) & (against >= 0)] = -1
        return Local(self._known, group, sign, whose)

    def _merged(self, group: Group, lead: Integers, alone: Flags) -> Merged | None:
        """Return a group in which nobody alone can go on for ever for nothing."""
        if not alone.any():
            return None
        return merged(group, np.where(alone, lead, -1), self._nothing)


def optimal_actions(local: Local, v: Floats, bound: Floats) -> Flags:
    """Return the actions that may be optimal."""
    gains = local.after(v) * local.sign[local.group.sources]
    margin = local.rounding(v) + np.where(
        local.within, bound[local.index], local.exit_error
    )
    margin = margin * (1 + 4 * UNIT) + np.abs(gains) * (margin > 0) * (2 * UNIT)
    least = local.largest(gains - margin)
    deciding = local.sign[local.group.sources] != 0
    found: Flags = deciding & (gains + margin >= least[local.group.sources])
    return found


def chosen_actions(
    local: Local, optimal: Flags, proved: Integers, alone: Flags, pick: Pick
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
            reached = ending(group, free, made)
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
