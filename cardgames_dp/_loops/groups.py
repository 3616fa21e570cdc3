"""Groups solved in float64: a guess, its proof, and then the tie rule.

Before that, states among which a player who decides alone can go round for nothing are
merged, as the value is that of the best policy of states that ends. An *end component*
[1]_ is a set of states in which the player can stay for ever, and come from each state
to each other. While moves within it pay nothing, its states share one value, that of
the best *exit*: of the actions that lead out of it, or pay. So it becomes one state,
with all exits as its actions. In what remains, every policy ends, or some endless play
pays.

Ties are decided after the values are final. An action may be optimal if its interval,
from the error of what follows it, reaches the best lower end of all actions. Where the
choice of the tie rule would let play go on for ever, the next tied action that leads
nearer to the end is taken.

References
----------
.. [1] L. de Alfaro, "Computing minimum and maximum reachability times in probabilistic
   systems", CONCUR 1999, Lecture Notes in Computer Science 1664, 66-81.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cardgames_dp._graph.answers import CHANCE
from cardgames_dp._graph.graph import Floats, Graph, Integers
from cardgames_dp._graph.solving import Pick
from cardgames_dp._loops.components import (
    Flags,
    Group,
    Interests,
    ending,
    endless,
    forced,
    forcing,
    strong,
)
from cardgames_dp._loops.endless import idle_moves
from cardgames_dp._loops.policy_iteration import UNIT, Known, Local, guessed
from cardgames_dp._loops.proof import followed, proved, refuse_useless


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

    def solve(self, group: Group) -> tuple[Flags, Integers, list[int], list[int]]:
        """Solve a group: write its values and errors in the table.

        Returns
        -------
        optimal : ndarray of bool, shape (moves,)
            Which actions may be optimal.
        chosen : ndarray of int, shape (states,)
            The index of the action that is taken, or 0.
        several, turned : list of int
            The states in which several actions may be optimal, and those in which the
            choice of the tie rule would let play go on for ever.

        Raises
        ------
        RefusedError
            If no policy forces the end of play, or three decide, or two whose interests
            are not opposed, or no useful bound is found.
        """
        graph, (leads, opponents) = self._known.graph, group.sides()
        lead, alone = leads[group.components], (opponents < 0)[group.components]

        def local_of(group: Group, whose: Integers) -> Local:
            return Local(self._known, group, group.signs(leads, opponents), whose)

        local = small = local_of(group, lead)
        some = merged(group, np.where(alone, lead, -1), self._nothing)
        if some.group is not group:
            small = local_of(some.group, lead)
        v, policy, bound = proved(small, *guessed(small, alone), alone)
        refuse_useless(small, v, bound)
        v, bound, policy = v[some.first], bound[some.first], some.spread(policy)
        optimal = optimal_actions(local, v, bound)
        chosen, several, turned = chosen_actions(
            local, optimal, policy, alone, self._pick
        )
        values, errors = np.zeros((2, graph.num_players, group.num_states))
        every = np.arange(group.num_states)
        values[lead, every], errors[lead, every] = v, bound
        if graph.rewards is None and self._interests.constant is not None:
            # It does not matter who decides.
            opponents = 1 - leads
        other = opponents[group.components]
        for pair, here in group.pairs(leads, opponents):
            sums = self._interests.sums(here + group.places.start, pair)
            values[pair[1], here] = sums - v[here]
            size = np.abs(sums) + np.abs(values[pair[1], here])
            errors[pair[1], here] = bound[here] + size * (2 * UNIT)
        for player in range(graph.num_players):
            others = (lead != player) & (other != player)
            if others.any():
                of = local_of(some.group, np.full(len(lead), player))
                among = optimal[some.moves] & (some.moves >= 0)
                x, e = followed(of, some.gathered(chosen), among)
                x, e = x[some.first], e[some.first]
                values[player, others], errors[player, others] = x[others], e[others]
        starts = group.offsets[:-1]
        ranks = np.where(local.sign != 0, chosen - starts, 0)
        single = np.diff(group.offsets) == 1
        single &= graph.players[group.places] >= 0
        optimal[starts[single]] = True
        self._known.table[:, group.places] = np.concatenate([values, errors])
        return optimal, ranks, several, turned

    def guess(self, group: Group) -> Integers:
        """Return the moves that are best in floats, without a proof.

        Raises
        ------
        RefusedError
            As for `solve`, except that interests are not looked at.
        """
        leads, opponents = group.sides()
        lead, alone = leads[group.components], (opponents < 0)[group.components]
        some = merged(group, np.where(alone, lead, -1), self._nothing)
        signs = some.group.signs(leads, opponents)
        _, policy = guessed(Local(self._known, some.group, signs, lead), alone)
        return some.spread(policy)


def optimal_actions(local: Local, v: Floats, bound: Floats) -> Flags:
    """Return the actions that may be optimal."""
    gains = local.gains(v)
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
    group, several = local.group, tied(local.group, optimal)
    policy = picked = picked_moves(group, optimal, pick)
    if not several:
        return policy, [], []
    turned = np.zeros(len(policy), dtype=np.bool_)
    for side in (1, -1):
        own, free = local.sign == side, (local.sign == -side) & ~alone
        policy, reached = forcing(group, policy, own, free, optimal)
        turned |= policy != picked
        if not reached.all():  # the policy of the proof always ends
            policy = np.where(own & ~group.everywhere(reached), proved, policy)
            picked = policy
    if pick == "uniform":  # play ends, as it does by one of the actions
        turned[:] = False
    return policy, several, np.flatnonzero(turned).tolist()


def tied(group: Group, optimal: Flags) -> list[int]:
    """Return the states with several optimal moves."""
    counts = np.add.reduceat(optimal.astype(np.int64), group.offsets[:-1])
    found: list[int] = np.flatnonzero(counts > 1).tolist()
    return found


def picked_moves(group: Group, optimal: Flags, pick: Pick) -> Integers:
    """Return the optimal move of each state that a tie rule prefers; 0 for chance."""
    starts, every = group.offsets[:-1], np.arange(len(optimal))
    policy: Integers = np.minimum.reduceat(np.where(optimal, every, len(every)), starts)
    if pick == "last":
        policy = np.maximum.reduceat(np.where(optimal, every, -1), starts)
    elif callable(pick):
        for state in tied(group, optimal):
            first, last = group.offsets[state : state + 2].tolist()
            among = np.flatnonzero(optimal[first:last]).tolist()
            policy[state] = first + pick(group.place(state), among)
    return np.where(group.players < 0, 0, policy)


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
    """A group in which end components are merged.

    The first state of an end component has all its exits, and each other one has a
    single move, to the first, so that states keep their numbers.

    Attributes
    ----------
    whole, group : Group
        The group before and after.
    idle : ndarray of bool, shape (moves of `whole`,)
        The moves within end components that pay nothing.
    first : ndarray of int, shape (states,)
        The first state of the end component of each state, or the state itself.
    moves : ndarray of int, shape (moves of `group`,)
        Which move of `whole` it is; -1 for those to first states.
    """

    whole: Group
    group: Group
    idle: Flags
    first: Integers
    moves: Integers

    def spread(self, policy: Integers) -> Integers:
        """Return a policy of `whole` from one of `group`: all go to the exit taken."""
        if self.group is self.whole:
            return policy
        starts = self.group.offsets[:-1]
        taken = self.moves[np.where(self.group.players < 0, starts, policy)]
        made = self.idle | (self.whole.players < 0)[self.whole.sources]
        made[taken[taken >= 0]] = True
        nobody = np.zeros(self.whole.num_states, dtype=np.bool_)
        _, ways = forced(self.whole, nobody, made)
        inside = np.zeros_like(nobody)
        inside[self.whole.sources[self.idle]] = True
        found: Integers = np.where(inside & (ways >= 0), ways, np.maximum(taken, 0))
        return found

    def gathered(self, policy: Integers) -> Integers:
        """Return a policy of `group` from one of `whole`, which ends."""
        index = np.full(len(self.whole.sources), -1)
        index[self.moves[self.moves >= 0]] = np.flatnonzero(self.moves >= 0)
        found = self.group.offsets[:-1].copy()
        deciding = np.flatnonzero(self.whole.players >= 0)[::-1]
        taken = index[policy[deciding]]
        found[self.first[deciding[taken >= 0]]] = taken[taken >= 0]
        return found


def merged(group: Group, alone: Integers, free: Flags) -> Merged:
    """Return a group with its end components merged, if there are any.

    Parameters
    ----------
    group : Group
        The group.
    alone : ndarray of int, shape (states,)
        The player who decides alone in the component of each state; -1 where two do.
    free : ndarray of bool, shape (rows of rewards,)
        Which of the different payments of moves are nothing; of a single row if no move
        of the game pays.

    Raises
    ------
    RefusedError
        If the player cannot end the play.
    """
    every, moves = np.arange(group.num_states), np.arange(len(group.sources))
    unchanged = Merged(group, group, np.zeros(len(moves), dtype=np.bool_), every, moves)
    stuck = alone >= 0
    if stuck.any():
        stuck &= ~ending(group, stuck & (group.players >= 0))
    if not stuck.any():
        return unchanged
    reached = ending(group, np.zeros_like(stuck)) | (alone < 0)
    if not reached.all():
        raise endless(group, reached)
    idle = idle_moves(group, stuck, free[group.pays])
    if not idle.any():
        return unchanged
    members = np.unique(group.sources[idle])
    parts = strong(group, idle)[members]
    _, start, which = np.unique(parts, return_index=True, return_inverse=True)
    first = np.arange(group.num_states)
    first[members] = members[start[which.ravel()]]
    inside = np.zeros_like(stuck)
    inside[members] = True
    kept = ~idle & ((group.weights > 0) | ~inside[group.sources])
    moves = np.flatnonzero(kept)
    others = np.flatnonzero(first != np.arange(len(first)))
    sources = np.concatenate([first[group.sources[moves]], others])
    order = np.argsort(sources, kind="stable")
    ahead = np.where(group.inside[moves] < 0, -1, first[group.inside[moves]])

    def joined(of_moves: Integers, of_others: Integers | int) -> Integers:
        more = np.broadcast_to(of_others, others.shape).astype(of_moves.dtype)
        both: Integers = np.concatenate([of_moves, more])[order]
        return both

    counts = np.bincount(sources, minlength=len(first))
    players = np.where(inside, CHANCE, group.players)
    several = np.unique(first[members])
    several = several[counts[several] > 1]
    players[several] = alone[several]
    small = replace(
        group,
        players=players,
        offsets=np.concatenate([[0], np.cumsum(counts)]),
        sources=sources[order],
        following=joined(group.following[moves], 0),
        inside=joined(ahead, first[others]),
        weights=joined(group.weights[moves], 1),
        own=joined(group.own[moves], -1),
        pays=joined(group.pays[moves], 0),
    )
    return Merged(group, small, idle, first, joined(moves, -1))
