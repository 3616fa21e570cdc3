"""End components of a player who decides alone, merged to one state each.

An *end component* [1]_ is a set of states in which the player can stay for ever, and
come from each state to each other. While moves within it pay nothing, its states share
one value, that of the best *exit*: of the actions that lead out of it, or pay. So it
becomes one state, with all exits as its actions; where it is said what an endless play
pays, to stay is one action more. In what remains, every policy ends, or some endless
play pays.

References
----------
.. [1] L. de Alfaro, "Computing minimum and maximum reachability times in probabilistic
   systems", CONCUR 1999, Lecture Notes in Computer Science 1664, 66-81.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cardgames_dp._graph.answers import CHANCE
from cardgames_dp._graph.graph import Integers, Rewards, fractions
from cardgames_dp._loops.components import (
    Flags,
    Group,
    ending,
    endless,
    forced,
    strong,
)
from cardgames_dp._loops.endless import idle_moves


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
        Which move of `whole` it is; -1 for those to first states, or to stay.
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
        ends, nobody = np.zeros_like(self.idle), np.zeros_like(self.first, np.bool_)
        ends[taken[taken >= 0]] = True
        out = replace(self.whole, inside=np.where(ends, -1, self.whole.inside))
        _, ways = forced(out, nobody, self.idle | ends)
        inside = np.zeros_like(nobody)
        inside[self.whole.sources[self.idle]] = True
        stay = np.flatnonzero(self.idle)[::-1]
        round_ = np.zeros_like(taken)
        round_[self.whole.sources[stay]] = stay
        other: Integers = np.where(taken >= 0, taken, round_)
        return np.where(inside & (ways >= 0), ways, other)

    def gathered(self, policy: Integers) -> Integers:
        """Return a policy of `group` from one of `whole`, which ends."""
        index = np.full(len(self.whole.sources), -1)
        index[self.moves[self.moves >= 0]] = np.flatnonzero(self.moves >= 0)
        chosen = self.group.offsets[:-1].copy()
        deciding = np.flatnonzero(self.whole.players >= 0)[::-1]
        taken = index[policy[deciding]]
        chosen[self.first[deciding[taken >= 0]]] = taken[taken >= 0]
        return chosen


def merged(
    group: Group,
    alone: Integers,
    rewards: Rewards | None,
    stays: Flags | None = None,
) -> Merged:
    """Return a group with its end components merged, if there are any.

    Parameters
    ----------
    group : Group
        The group.
    alone : ndarray of int, shape (states,)
        The player who decides alone in the component of each state; -1 where two do.
    rewards : Rewards or None
        What moves pay; nothing, in the mean, is no reason to go or to stay.
    stays : ndarray of bool, shape (states,), optional
        Where it is said what an endless play pays. Nowhere if not given.

    Raises
    ------
    RefusedError
        If the player must end the play and cannot.
    """
    if stays is None:
        stays = np.zeros(group.num_states, dtype=np.bool_)
    every, moves = np.arange(group.num_states), np.arange(len(group.sources))
    unchanged = Merged(group, group, np.zeros(len(moves), dtype=np.bool_), every, moves)
    stuck = alone >= 0
    if stuck.any():
        stuck &= ~ending(group, stuck & (group.players >= 0))
    if not stuck.any():
        return unchanged
    reached = ending(group, np.zeros_like(stuck)) | (alone < 0) | stays
    if not reached.all():
        raise endless(group, reached)
    idle = idle_moves(group, stuck, _free(group, rewards))
    return _joined(group, alone, idle, stays) if idle.any() else unchanged


def _joined(group: Group, alone: Integers, idle: Flags, stays: Flags) -> Merged:
    """Return a group whose end components, of the idle moves, are merged."""
    members = np.unique(group.sources[idle])
    parts = strong(group, idle)[members]
    _, start, index = np.unique(parts, return_index=True, return_inverse=True)
    first = np.arange(group.num_states)
    first[members] = members[start[index.ravel()]]
    inside = np.zeros_like(stays)
    inside[members] = True
    remaining = ~idle & ((group.weights > 0) | ~inside[group.sources])
    moves = np.flatnonzero(remaining)
    others = np.flatnonzero(first != np.arange(len(first)))
    stay = np.unique(first[members[stays[members]]])
    sources = np.concatenate([first[group.sources[moves]], others, stay])
    order = np.argsort(sources, kind="stable")
    ahead = np.where(group.inside[moves] < 0, -1, first[group.inside[moves]])

    def joined(
        of_moves: Integers, of_others: Integers | int, of_stays: int
    ) -> Integers:
        more = np.broadcast_to(of_others, others.shape).astype(of_moves.dtype)
        last = np.full(len(stay), of_stays, dtype=of_moves.dtype)
        both: Integers = np.concatenate([of_moves, more, last])[order]
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
        following=joined(group.following[moves], 0, -1),
        inside=joined(ahead, first[others], -1),
        weights=joined(group.weights[moves], 1, 1),
        own=joined(group.own[moves], -1, -1),
        pays=joined(group.pays[moves], 0, 0),
    )
    return Merged(group, small, idle, first, joined(moves, -1, -1))


def _free(group: Group, rewards: Rewards | None) -> Flags:
    """Return the moves that pay nothing, or whose states of chance pay nothing."""
    if rewards is None:
        return np.ones(len(group.sources), dtype=np.bool_)
    free: Flags = (rewards.numerators == 0).all(axis=1)[group.pays]
    paying = np.zeros(group.num_states, dtype=np.bool_)
    paying[group.sources[~free]] = True
    mean = group.weights * rewards.floats()[0][group.pays].T
    sums, sizes = (
        np.add.reduceat(x.astype(np.float64), group.offsets[:-1], axis=1)
        for x in (mean, np.abs(mean))
    )
    nearly = (np.abs(sums) <= sizes * 2.0**-40).all(axis=0)
    for state in np.flatnonzero(paying & nearly & (group.players < 0)).tolist():
        moves = slice(*group.offsets[state : state + 2].tolist())
        rows = group.pays[moves]
        paid = fractions(rewards.numerators[rows], rewards.denominators[rows])
        if not (group.weights[moves].astype(object) @ paid).any():
            free[moves] = True
    return free
