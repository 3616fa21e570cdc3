"""Groups: the states of one diagonal that lie on loops.

A group holds all strong components of one diagonal, side by side. From the outside only
the values of its *exits* matter: the places after it to which its moves lead.

A play stays in a component for ever only if somebody lets it. `forced` finds where the
policy of a player, or chance, leads to the end whatever all others do: from each state
that is reached, an exit follows with a positive chance within as many moves as there
are states; if it is reached from all states, plays end with probability 1.

Who decides in a component: nobody or one player, and the others' values are those of
the chosen actions; or two players whose interests are opposed, which means that the sum
of what both still get is the same whatever they do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE
from cardgames_dp._graph.graph import (
    Block,
    Exact,
    Graph,
    Integers,
    joined_ranges,
)
from cardgames_dp._support import arguments

Flags = NDArray[np.bool_]

_TOLD = 6
"""The most states that a message names before it shortens a cycle."""


@dataclass(frozen=True, eq=False)
class Group:
    """The states of a group, numbered from 0 in the order of places.

    Attributes
    ----------
    places : slice
        The places of the states.
    moves : slice
        Their moves in `Graph.following`.
    players : ndarray of int, shape (states,)
        Who decides, or `CHANCE` where nobody does: also where a player has one action.
    offsets : ndarray of int, shape (states + 1,)
        Where the moves of each state begin.
    sources : ndarray of int, shape (moves,)
        The state of each move.
    following : ndarray of int, shape (moves,)
        The place to which each move leads.
    inside : ndarray of int, shape (moves,)
        The state of the group to which it leads, or -1.
    weights : ndarray of int or object, shape (moves,)
        The weight of each move of chance, and 1 for actions.
    own : ndarray of int, shape (moves,)
        The index of each move of chance in `Graph.weights`, otherwise -1.
    pays : ndarray of int, shape (moves,)
        The row of what each move pays in `Graph.rewards`; 0 if no move pays anything.
    components : ndarray of int, shape (states,)
        The number of the component, from 0.
    """

    places: slice
    moves: slice
    players: Integers
    offsets: Integers
    sources: Integers
    following: Integers
    inside: Integers
    weights: Exact
    own: Integers
    pays: Integers
    components: Integers

    @cached_property
    def ends(self) -> bool:
        """Whether play ends, whatever anybody does."""
        reached, _ = forced(self, self.players >= 0)
        return bool(reached.all())

    @cached_property
    def _into(self) -> tuple[Integers, Integers]:
        """The moves to each state of the group, and where they begin."""
        within = np.flatnonzero(self.inside >= 0)
        into = within[np.argsort(self.inside[within], kind="stable")]
        return into, np.searchsorted(self.inside[into], np.arange(self.num_states + 1))

    @classmethod
    def of(cls, graph: Graph, blocks: Sequence[Block]) -> Group:
        """Return the group that some blocks form, which are all of it."""
        places = slice(blocks[0].places.start, blocks[-1].places.stop)
        moves = slice(blocks[0].moves.start, blocks[-1].moves.stop)
        size = places.stop - places.start
        offsets = graph.offsets[places.start : places.stop + 1].astype(np.int64)
        offsets -= offsets[0]
        counts = np.diff(offsets)
        players = graph.players[places].astype(np.int64)
        own = np.full(int(offsets[-1]), -1, dtype=np.int64)
        weights = np.ones(len(own), dtype=graph.weights.dtype)
        for block in blocks:
            if block.player == CHANCE:
                first = block.moves.start - moves.start
                here = slice(first, first + block.rows.stop - block.rows.start)
                own[here] = np.arange(block.rows.start, block.rows.stop)
                weights[here] = graph.weights[block.rows]
        players[counts == 1] = CHANCE
        following = graph.following[moves].astype(np.int64)
        inside = following - places.start
        inside[(inside < 0) | (inside >= size)] = -1
        assert graph.components is not None
        _, components = np.unique(graph.components[places], return_inverse=True)
        sources = np.repeat(np.arange(size), counts)
        pays: Integers = np.zeros_like(own)
        if graph.rewards is not None:
            pays = graph.rewards.rows[moves]
        return cls(
            places,
            moves,
            players,
            offsets,
            sources,
            following,
            inside,
            weights,
            own,
            pays,
            components.ravel(),
        )

    @property
    def num_states(self) -> int:
        """The number of states."""
        return len(self.players)

    @property
    def num_components(self) -> int:
        """The number of components."""
        return int(self.components.max()) + 1

    def place(self, state: int) -> int:
        """Return the place of a state."""
        return int(self.places.start + state)

    def before(self, states: Integers) -> Integers:
        """Return the moves that lead to some states."""
        into, starts = self._into
        counts = starts[states + 1] - starts[states]
        return into[joined_ranges(starts[states], counts)]

    def sides(self) -> tuple[Integers, Integers]:
        """Return the lead and the opponent, or -1, of each component.

        The lead is the player who decides, or the first of two, or the first of all
        where nobody decides.

        Raises
        ------
        RefusedError
            If three players decide in a component.
        """
        deciding = self.players >= 0
        counts = np.zeros((self.num_components, self.players.max(initial=0) + 1), int)
        counts[self.components[deciding], self.players[deciding]] = 1
        several = counts.sum(axis=1)
        if several.max() > 2:
            component = int(several.argmax())
            raise _refused(self, component, np.flatnonzero(counts[component]).tolist())
        last = counts.shape[1] - 1 - counts[:, ::-1].argmax(axis=1)
        return counts.argmax(axis=1), np.where(several == 2, last, -1)

    def signs(self, leads: Integers, opponents: Integers) -> Integers:
        """Return 1 where the lead decides, -1 where the opponent does, 0 for chance."""
        sign: Integers = (self.players == leads[self.components]).astype(np.int64)
        against = opponents[self.components]
        sign[(self.players == against) & (against >= 0)] = -1
        return sign

    def pairs(
        self, leads: Integers, opponents: Integers
    ) -> Iterator[tuple[tuple[int, int], Integers]]:
        """Return the pairs who decide, and the states of the components of each."""
        both = zip(leads.tolist(), opponents.tolist(), strict=True)
        for pair in sorted({pair for pair in both if pair[1] >= 0}):
            here = (leads == pair[0]) & (opponents == pair[1])
            yield pair, np.flatnonzero(here[self.components])

    def everywhere(self, of_states: Flags) -> Flags:
        """Return by state whether something holds in all states of its component."""
        wrong = np.zeros(self.num_components, dtype=np.bool_)
        wrong[self.components[~of_states]] = True
        return ~wrong[self.components]


def forced(
    group: Group,
    free: Flags,
    usable: Flags | bool = True,
    among: Flags | bool = True,
) -> tuple[Flags, Integers]:
    """Return from where the end is forced, whatever the free states do.

    Parameters
    ----------
    group : Group
        The states.
    free : ndarray of bool, shape (states,)
        Where all usable moves must lead nearer to the end; elsewhere one suffices.
    usable : ndarray of bool, shape (moves,)
        The moves that can be made. (Those of chance of weight 0 never are.)
    among : ndarray of bool, shape (states,)
        The states to be left; a move to another state counts as an end.

    Returns
    -------
    reached : ndarray of bool, shape (states,)
        Where the end follows, with probability 1 if it does for all states.
    moves : ndarray of int, shape (states,)
        A move that leads nearer to the end, where one move suffices; otherwise -1.
    """
    reached, by, _ = _walk_back(group, free, usable, among)
    by[~reached] = -1
    by[free] = -1
    return reached, by


def _walk_back(
    group: Group, free: Flags, usable: Flags | bool, among: Flags | bool
) -> tuple[Flags, Integers, Callable[[Integers], Integers]]:
    """Return what `forced` does, and what goes on from more states that end play.

    It returns these states and those from which the end is then forced.
    """
    usable = usable & (group.weights > 0)
    size, sources = group.num_states, group.sources
    stays = (group.inside >= 0) & np.broadcast_to(among, size)[group.inside]
    need = np.where(free, np.bincount(sources[usable], minlength=size), 1)
    reached, by = np.zeros(size, dtype=np.bool_), np.full(size, len(sources))
    within, exits = usable & stays, np.flatnonzero(usable & ~stays)

    def walk(front: Integers, leading: Integers = exits[:0]) -> Integers:
        fronts = [front]
        while front.size or leading.size:
            reached[front] = True
            before = group.before(front)
            leading = np.append(leading, before[within[before]])
            from_ = sources[leading]
            np.subtract.at(need, from_, 1)
            new = (need[from_] <= 0) & ~reached[from_]
            leading, from_ = leading[new], from_[new]
            np.minimum.at(by, from_, leading)  # the first of several
            front, leading = from_[by[from_] == leading], exits[:0]
            fronts.append(front)
        return np.concatenate(fronts)

    walk(exits[:0], exits)
    return reached, by, walk


def ending(
    group: Group,
    free: Flags,
    usable: Flags | bool = True,
    among: Flags | bool = True,
) -> Flags:
    """Return from which states the end is forced, if each has a usable move."""
    if group.ends:
        return np.ones(group.num_states, dtype=np.bool_)
    reached, _ = forced(group, free, usable, among)
    return reached | ~np.asarray(among, dtype=np.bool_)


def forcing(
    group: Group,
    policy: Integers,
    own: Flags,
    free: Flags,
    allowed: Flags | bool = True,
    against: Flags | bool = True,
    among: Flags | bool = True,
) -> tuple[Integers, Flags]:
    """Return a policy with which play ends, and the states from which it then does.

    Where the policy that is given would let play go on for ever, the next allowed move
    that leads nearer to the end is taken.

    Parameters
    ----------
    group : Group
        The states.
    policy : ndarray of int, shape (states,)
        The move of each state that is not free.
    own, free : ndarray of bool, shape (states,)
        Where the policy may change, and where all moves `against` it may be made.
    allowed, against : ndarray of bool, shape (moves,)
        The moves that may be taken in own states, and those of free states.
    among : ndarray of bool, shape (states,)
        The states to be left, as for `forced`.
    """
    sources, policy = group.sources, policy.copy()
    if group.ends:
        return policy, np.ones(group.num_states, dtype=np.bool_)
    made = against & free[sources] | (group.players < 0)[sources]
    made[policy[~free & (group.players >= 0)]] = True
    reached, _, walk = _walk_back(group, free, made, among)
    beyond = ~np.broadcast_to(among, len(reached))
    allowed = np.broadcast_to(allowed, len(sources))
    way: Integers = np.flatnonzero(
        (group.inside < 0) | (reached | beyond)[group.inside]
    )
    while True:
        from_ = sources[way]
        some = allowed[way] & own[from_] & ~reached[from_] & ~beyond[from_]
        way, from_ = way[some], from_[some]
        if not way.size:
            return policy, reached | beyond
        order = np.lexsort((way, way <= policy[from_], from_))
        states, first = np.unique(from_[order], return_index=True)
        policy[states] = way[order[first]]
        way = group.before(walk(states))


def forcing_if_possible(
    group: Group,
    policy: Integers,
    own: Flags,
    free: Flags,
    allowed: Flags,
    against: Flags | bool,
    leave: tuple[Flags, Flags],
) -> tuple[Integers, Flags]:
    """Return as `forcing` a policy that leaves some states, and more if it can.

    Parameters
    ----------
    group, policy, own, free, allowed, against
        As for `forcing`.
    leave : tuple of two ndarray of bool, shape (states,)
        The states to be left in components where that can be forced, and elsewhere.
    """
    ending_, reached = forcing(group, policy, own, free, allowed, against, leave[0])
    if reached.all():
        return ending_, reached
    able = group.everywhere(reached)
    policy = np.where(able, ending_, policy)
    among = np.where(able, *leave)
    return forcing(group, policy, own, free, allowed, against, among)


class RefusedError(Exception):
    """A group is refused; `explored.naming` makes a GameError of it, with its states.

    Parameters
    ----------
    places : list of int
        The places of the states that the message names.
    message : callable
        Makes the message from these states.

    Attributes
    ----------
    policy : ndarray of int or None
        The moves with which somebody gains each time round, if that is why.
    """

    def __init__(
        self, places: list[int], message: Callable[[Sequence[Any]], str]
    ) -> None:
        self.places, self.message = places, message
        self.policy: Integers | None = None


def endless(
    group: Group,
    reached: Flags,
    usable: Flags | bool = True,
    message: Callable[[Sequence[Any]], str] | None = None,
) -> RefusedError:
    """Return the refusal of a group in which no policy forces the end.

    Parameters
    ----------
    group, usable
        As for `forced`.
    reached : ndarray of bool, shape (states,)
        The states from which the end is forced; all others have a move to another.
    message : callable, optional
        The message, given the states of a cycle; by default, that nobody can end it.
    """
    usable = usable & (group.weights > 0) & (group.inside >= 0)
    usable &= ~reached[group.sources] & ~reached[group.inside]
    moves = np.flatnonzero(usable)
    states, first = np.unique(group.sources[moves], return_index=True)
    after = dict(zip(states.tolist(), group.inside[moves[first]].tolist(), strict=True))
    cycle = walked_round(int(states[0]), after.__getitem__)
    decided = (group.players[cycle] >= 0).any()
    message = message or (told_endless if decided else never_left)
    return RefusedError([group.place(state) for state in cycle], message)


def strong(group: Group, moves: Flags) -> Integers:
    """Return the number of the strong component of each state by some moves."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    ends = group.sources[moves], group.inside[moves]
    ones = np.ones(len(ends[0]), dtype=np.int8)
    matrix = csr_array((ones, ends), shape=(group.num_states, group.num_states))
    parts: Integers = connected_components(matrix, connection="strong")[1]
    return parts


def walked_round(state: int, after: Callable[[int], int]) -> list[int]:
    """Return the cycle to which a walk from a state comes."""
    path: dict[int, int] = {}
    while state not in path:
        path[state] = len(path)
        state = after(state)
    return list(path)[path[state] :]


def told_endless(cycle: Sequence[Any]) -> str:
    """Return the message for a cycle from which nobody can lead play to its end."""
    return (
        "every play must end, but nobody can prevent that one goes on for ever: "
        f"{round_of(cycle)}; drop a move that changes nothing, charge for it, or give "
        "endless_returns"
    )


def never_left(cycle: Sequence[Any]) -> str:
    """Return the message for a cycle in which nobody decides."""
    return (
        f"every play must end, but {told_round(cycle)}, and never leave it; or give "
        "endless_returns"
    )


def round_of(cycle: Sequence[Any]) -> str:
    """Return a cycle of states in words."""
    steps = [arguments.shown(state) for state in cycle[: _TOLD - 1]]
    if len(cycle) > _TOLD:
        steps.append("...")
    if len(cycle) >= _TOLD:
        steps.append(arguments.shown(cycle[-1]))
    again = arguments.shown(cycle[0])
    return f"{' -> '.join([*steps, again])} (a cycle of {len(cycle)})"


def a_cycle(graph: Graph) -> list[int]:
    """Return the places of a cycle of a graph with loops."""
    for step in graph.steps():
        if step[0].group >= 0:
            group = Group.of(graph, step)
            return endless(group, np.zeros(group.num_states, dtype=np.bool_)).places
    raise ValueError("the graph has no cycle")


def told_round(cycle: Sequence[Any]) -> str:
    """Return in words that a play can come back to the first state of a cycle."""
    return f"a play can come back to {arguments.shown(cycle[0])}: {round_of(cycle)}"


def _refused(group: Group, component: int, players: list[int]) -> RefusedError:
    """Return the refusal of a component in which more than two players decide."""
    state = int(np.argmax(group.components == component))

    def message(states: Sequence[Any]) -> str:
        return (
            f"players {', '.join(map(str, players))} all decide in the states that can "
            f"come back to {arguments.shown(states[0])}: with more than two, what is "
            "best for each need not be determined. cardgames_dp.play.equilibrium looks "
            "for an equilibrium"
        )

    return RefusedError([group.place(state)], message)
