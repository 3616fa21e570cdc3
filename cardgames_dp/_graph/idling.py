"""Where a player who decides alone can go on for ever for nothing: one state of each.

The value is that of the best policy with which play ends. An *end component* [1]_ is a
set of states in which the player can stay for ever, and come from each state to each
other. While moves within it pay nothing, its states share one value, that of the best
*exit*: of the actions that lead out of it, or pay. So it is merged into one state, with
all exits as its actions. In what remains, every policy ends, or some endless play pays.

References
----------
.. [1] L. de Alfaro, "Computing minimum and maximum reachability times in probabilistic
   systems", CONCUR 1999, Lecture Notes in Computer Science 1664, 66-81.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cardgames_dp._graph.answers import CHANCE
from cardgames_dp._graph.components import Flags, Group, ending, endless, forced
from cardgames_dp._graph.graph import Integers


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
        starts = self.group.offsets[:-1]
        taken = self.moves[np.where(self.group.players < 0, starts, policy)]
        made = self.idle | (self.whole.players < 0)[self.whole.sources]
        made[taken[taken >= 0]] = True
        nobody = np.zeros(self.whole.num_states, dtype=np.bool_)
        ways = forced(self.whole, nobody, made).moves
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


def merged(group: Group, alone: Integers, free: Flags) -> Merged | None:
    """Return a group with its end components merged; None if there are none.

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
    every = np.ones(len(group.sources), dtype=np.bool_)
    stuck = ~ending(group, (alone >= 0) & (group.players >= 0), every)
    stuck &= alone >= 0
    if not stuck.any():
        return None
    reached = ending(group, np.zeros_like(stuck), every) | (alone < 0)
    if not reached.all():
        raise endless(group, reached, every)
    idle = _idle(group, stuck, free[group.pays])
    if not idle.any():
        return None
    members = np.unique(group.sources[idle])
    parts = _strong(group, idle)[members]
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


def _idle(group: Group, stuck: Flags, free: Flags) -> Flags:
    """Return the moves within end components of some states that pay nothing.

    What is not strongly connected by such moves is cut, and so is chance that can leave
    what it is in, until nothing is left to cut.
    """
    possible = group.weights > 0
    idle = possible & free & (group.inside >= 0)
    idle &= stuck[group.sources] & stuck[group.inside]
    while True:
        parts = _strong(group, idle)
        same = idle & (parts[group.sources] == parts[group.inside])
        leaves = np.zeros_like(stuck)
        leaves[group.sources[possible & ~same]] = True
        cut = leaves & (group.players < 0)
        same &= ~cut[group.sources] & ~cut[group.inside]
        if np.array_equal(same, idle):
            return idle
        idle = same


def _strong(group: Group, moves: Flags) -> Integers:
    """Return the number of the strong component of each state by some moves."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    ends = group.sources[moves], group.inside[moves]
    ones = np.ones(len(ends[0]), dtype=np.int8)
    matrix = csr_array((ones, ends), shape=(group.num_states, group.num_states))
    parts: Integers = connected_components(matrix, connection="strong")[1]
    return parts
