"""What a play that never ends pays, and whether values depend on it.

Where a game says it (`endless_returns`), a play that goes on for ever pays that much at
its end, on top of what was paid on the way. Otherwise, and if no move of the game pays,
such a play pays something between the least and the most that the game pays: the least
to the one side that alone can end the play from everywhere in a component; if both or
neither can, the value must be the same whatever it is. A player who decides alone has
to end the play, and so has each of two where moves pay.

Let u solve the optimality equations, with payments of one sign in each end component. A
move is *tied* if what it pays and u after it are u before it, and a side *holds* states
if it can keep play there for ever while the other makes tied moves. If an endless play
pays e, u is the value if and only if the first side holds no states with u < e, and the
second none with u > e. If: let the second side make tied moves and, where u < e, those
that lead out of what is not held. Then u and what was paid never rise in the mean. So
in a class of states that play never leaves, the mean payment is at most 0: it pays
minus infinity; or nothing, and then all its moves are tied and u is the same
everywhere, at least e. Only if: what is held is a policy that is worth more than u.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from cardgames_dp._graph.graph import Floats, Graph, Integers
from cardgames_dp._loops.components import (
    Flags,
    Group,
    RefusedError,
    ending,
    endless,
    forced,
    round_of,
    strong,
    walked_round,
)
from cardgames_dp._loops.interests import Interests
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import vector_text


class Endless(NamedTuple):
    """What a play that never ends pays in the components of a group.

    Attributes
    ----------
    given : tuple of Fraction or None
        What it pays to each player, if the game says so.
    least, most : list of Fraction or None
        By component: between which numbers it is what the lead gets; None where play
        must end.
    ends : tuple of two ndarray of bool, shape (components,)
        Whether the lead, and the opponent, alone can end the play from everywhere.
    payer : ndarray of int, shape (components,)
        1 where the lead pays in loops, otherwise -1.
    """

    given: tuple[Fraction, ...] | None
    least: list[Fraction | None]
    most: list[Fraction | None]
    ends: tuple[Flags, Flags]
    payer: Integers

    @classmethod
    def of(
        cls, interests: Interests, group: Group, leads: Integers, opponents: Integers
    ) -> Endless:
        """Return what an endless play pays in a group.

        Raises
        ------
        RefusedError
            If nobody can end a play and the game does not say what it then pays, or if
            moves in a loop pay both ways.
        """
        graph, count = interests.graph, group.num_components
        nothing: list[Fraction | None] = [None] * count
        every = np.ones(count, dtype=np.bool_)
        payer = np.full(count, -1)
        if group.ends:
            return cls(None, nothing, nothing, (every, every), payer)
        if graph.endless is not None:
            given = tuple([Fraction(x) for x in graph.endless])
            if graph.rewards is not None:
                payer = _payers(graph, group, leads)
            each: list[Fraction | None] = [given[lead] for lead in leads.tolist()]
            return cls(given, each, each, (every, every), payer)
        nobody = np.zeros(group.num_states, dtype=np.bool_)
        reached, _ = forced(group, nobody)
        if not reached.all():
            raise endless(group, reached)
        if graph.rewards is not None or (opponents < 0).all():
            return cls(None, nothing, nothing, (every, every), payer)
        sign, sure = group.signs(leads, opponents), []
        for side in (1, -1):
            stuck = ~forced(group, sign == -side)[0]
            sure.append(every.copy())
            sure[-1][group.components[stuck]] = False
        least, most = nothing.copy(), nothing.copy()
        for part in np.flatnonzero(opponents >= 0).tolist():
            low, high = interests.between(int(leads[part]))
            alone = sure[0][part] != sure[1][part]
            least[part] = high if alone and sure[1][part] else low
            most[part] = low if alone and sure[0][part] else high
        return cls(None, least, most, (sure[0], sure[1]), payer)

    def to_leave(self, group: Group, side: int, better: Flags) -> tuple[Flags, Flags]:
        """Return the states that a side leaves if it can, and those that it has to.

        It has to where endless play is worse for it, given by `better`, where nothing
        is said, and where it alone can end the play.
        """
        if self.given is not None:
            return better, better
        own, other = self.ends[:: 1 if side > 0 else -1]
        alone = np.array([low is None for low in self.least]) | (own & ~other)
        return np.ones_like(better), better | alone[group.components]

    def floats(self, group: Group) -> tuple[Floats, Floats]:
        """Return by state what endless play pays at least and at most, and errors.

        Each is of shape (2, states), NaN where play must end.
        """
        bounds = []
        for limits in (self.least, self.most):
            each = [np.nan if x is None else float(x) for x in limits]
            wrong = [
                0.0 if x is None or Fraction(y) == x else float(np.spacing(abs(y)))
                for x, y in zip(limits, each, strict=True)
            ]
            bounds.append(np.array([each, wrong])[:, group.components])
        return bounds[0], bounds[1]

    def all_to_leave(
        self, group: Group, v: Floats, bound: Floats
    ) -> list[tuple[Flags, Flags]]:
        """Return what each side leaves, given values of the leads and their errors."""
        least, most = self.floats(group)
        better = v - least[0] > bound, most[0] - v > bound
        return [self.to_leave(group, 1, better[0]), self.to_leave(group, -1, better[1])]

    def refusal(
        self,
        group: Group,
        held: Flags,
        usable: Flags,
        value: tuple[int, Fraction | float],
    ) -> RefusedError:
        """Return the refusal of a value that depends on what an endless play pays.

        Parameters
        ----------
        group : Group
            The group.
        held : ndarray of bool, shape (states,)
            The states that the lead holds if endless play pays the most.
        usable : ndarray of bool, shape (moves,)
            The moves of chance, and tied moves.
        value : tuple of int and Fraction or float
            A state that is held, and its value if an endless play pays the least.
        """
        state, least = value
        part = int(group.components[state])
        stays = usable & (group.inside >= 0) & held[group.sources] & held[group.inside]
        moves = np.flatnonzero(stays)[::-1]
        after = dict(zip(group.sources[moves].tolist(), moves.tolist(), strict=True))
        cycle = walked_round(state, lambda s: int(group.inside[after[s]]))
        who = "both players" if self.ends[0][part] else "neither player alone"
        low, high = self.least[part], self.most[part]

        def message(states: Sequence[Any]) -> str:
            first, *others = states
            assert low is not None
            assert high is not None
            near = Fraction(least).limit_denominator(10**6)
            close = abs(near - Fraction(least)) < 1e-9 * (1 + abs(near))
            numbers = (near if close else least), low, high
            u, bottom, top = map(vector_text, numbers)
            return (
                f"the value of {arguments.shown(first)} depends on what a play that "
                f"never ends pays: it is {u} if that is {bottom}, the least that this "
                f"game pays, and {top} if it is {top}, the most; play can go on for "
                f"ever {round_of(others)}, which {who} can prevent; give "
                "endless_returns"
            )

        places = [group.place(each) for each in (state, *cycle)]
        return RefusedError(places, message)


def undecided(cycle: Sequence[Any]) -> str:
    """Return the message for a cycle, where moves pay, that no side alone ends."""
    return (
        f"the value of {arguments.shown(cycle[0])} depends on what a play that never "
        f"ends pays: play can go on for ever {round_of(cycle)}, and who ends it loses "
        "by that; give endless_returns"
    )


def gaining(
    group: Group, policy: Integers, pays: Flags, here: Flags | bool = True
) -> RefusedError | None:
    """Return the refusal of a policy with which somebody gains each time round.

    It names a cycle that pays, if there is one, and none if play ends.

    Parameters
    ----------
    group : Group
        The group.
    policy : ndarray of int, shape (states,)
        The moves of all players.
    pays : ndarray of bool, shape (moves,)
        The moves that pay something.
    here : ndarray of bool, shape (states,)
        Where the cycle is sought.
    """
    nobody = np.zeros(group.num_states, dtype=np.bool_)
    made = (group.players < 0)[group.sources]
    made[policy[group.players >= 0]] = True
    out = replace(group, inside=np.where(pays, -1, group.inside))
    among, _ = forced(out, nobody, made)  # elsewhere play goes round for nothing
    for states in (among, True):
        reached = ending(group, nobody, made, states) | ~np.asarray(here)
        if not reached.all():
            return endless(group, reached, made, told_gains)
    return None


def told_gains(cycle: Sequence[Any]) -> str:
    """Return the message for a cycle in which somebody gains."""
    return (
        "what players get must have a bound, but somebody gains each time round: "
        f"a play can come back to {arguments.shown(cycle[0])}: {round_of(cycle)}"
    )


def idle_moves(group: Group, stuck: Flags, free: Flags) -> Flags:
    """Return the moves within end components of some states that pay nothing.

    What is not strongly connected by such moves is cut, and so is chance that can leave
    what it is in, until nothing is left to cut.
    """
    possible = group.weights > 0
    moves = possible & free & (group.inside >= 0)
    moves &= stuck[group.sources] & stuck[group.inside]
    while True:
        parts = strong(group, moves)
        same = moves & (parts[group.sources] == parts[group.inside])
        leaves = np.zeros_like(stuck)
        leaves[group.sources[possible & ~same]] = True
        cut = leaves & (group.players < 0)
        same &= ~cut[group.sources] & ~cut[group.inside]
        if np.array_equal(same, moves):
            return moves
        moves = same


def _payers(graph: Graph, group: Group, leads: Integers) -> Integers:
    """Return 1 where the lead pays in the loops of a component, otherwise -1.

    Raises
    ------
    RefusedError
        If moves of one end component pay both ways.
    """
    assert graph.rewards is not None
    everybody = np.ones(group.num_states, dtype=np.bool_)
    moves = np.flatnonzero(
        idle_moves(group, everybody, np.ones_like(group.inside, bool))
    )
    paid = graph.rewards.numerators[
        group.pays[moves], leads[group.components][group.sources[moves]]
    ]
    parts = strong(group, np.isin(np.arange(len(group.sources)), moves))
    up, down = (np.zeros(group.num_states, dtype=np.bool_) for _ in range(2))
    for flags, some in ((up, paid > 0), (down, paid < 0)):
        flags[parts[group.sources[moves[some.astype(bool)]]]] = True
    if (up & down).any():
        both = np.flatnonzero((up & down)[parts])
        here = both[parts[both] == parts[both[0]]]

        def message(states: Sequence[Any]) -> str:
            names = ", ".join(map(arguments.shown, states[:6]))
            more = ", ..." if len(states) > 6 else ""
            return (
                f"moves among {names}{more} pay both ways, so a play that goes on for "
                "ever has no total"
            )

        raise RefusedError([group.place(s) for s in here.tolist()], message)
    payer = np.full(group.num_components, -1)
    payer[group.components[down[parts]]] = 1
    return payer
