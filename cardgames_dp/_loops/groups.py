"""Groups solved in float64: a guess, its proof, and then the tie rule.

Before that, states among which a player who decides alone can go round for nothing are
merged, as the value is that of the best policy of states that ends (`merging`). Where
an endless play pays a number, or it does not matter which, the policy of each side
gives a bound (`guarantees`).

Ties are decided after the values are final. An action may be optimal if its interval,
from the error of what follows it, reaches the best lower end of all actions. Where the
choice of the tie rule would let play go on for ever, the next tied action that leads
nearer to the end is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cardgames_dp._graph.graph import Floats, Graph, Integers
from cardgames_dp._graph.solving import Pick
from cardgames_dp._loops.components import (
    Flags,
    Group,
    RefusedError,
    forcing,
    forcing_if_possible,
)
from cardgames_dp._loops.endless import Endless
from cardgames_dp._loops.guarantees import Sides
from cardgames_dp._loops.interests import Interests
from cardgames_dp._loops.merging import Merged, merged
from cardgames_dp._loops.policy_iteration import Local, Numbers, added
from cardgames_dp._loops.proof import Answer, followed
from cardgames_dp._loops.systems import UNIT


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
        self._numbers, self._pick = Numbers(graph, table), pick
        self._interests = Interests(graph)

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
        graph, (leads, opponents) = self._numbers.graph, group.sides()
        lead, alone = leads[group.components], (opponents < 0)[group.components]
        limits = Endless.of(self._interests, group, leads, opponents)
        for pair, here in group.pairs(leads, opponents):
            self._interests.sums(here + group.places.start, pair)
        sides = Sides(self._numbers, group, leads, opponents, limits)
        local = sides.local(group)
        v, bound, policy = self._proved(sides, local)
        optimal = optimal_actions(local, v, bound)
        chosen, several, turned = chosen_actions(
            local,
            optimal,
            policy,
            alone,
            self._pick,
            limits.all_to_leave(group, v, bound),
        )
        values, errors = np.zeros((2, graph.num_players, group.num_states))
        every = np.arange(group.num_states)
        values[lead, every], errors[lead, every] = v, bound
        clear = graph.rewards is None or limits.given is not None
        if clear and self._interests.constant is not None:
            # It does not matter who decides.
            opponents = 1 - leads
        other = opponents[group.components]
        for pair, here in group.pairs(leads, opponents):
            sums, wrong = self._interests.sums(here + group.places.start, pair)
            values[pair[1], here], rounded = added(sums, -v[here])
            errors[pair[1], here] = (bound[here] + wrong + rounded) * (1 + 4 * UNIT)
        for player in range(graph.num_players):
            others = (lead != player) & (other != player)
            if others.any():
                x, e = self._followed(sides, player, chosen, optimal)
                values[player, others], errors[player, others] = x[others], e[others]
        starts = group.offsets[:-1]
        ranks = np.where(local.sign != 0, chosen - starts, 0)
        single = np.diff(group.offsets) == 1
        single &= graph.players[group.places] >= 0
        optimal[starts[single]] = True
        self._numbers.table[:, group.places] = np.concatenate([values, errors])
        return optimal, ranks, several, turned

    def _proved(self, sides: Sides, local: Local) -> tuple[Floats, Floats, Integers]:
        """Return values, bounds on their errors, and policies that guarantee them."""
        if sides.limits.given is not None:
            return sides.guaranteed()
        alone = (sides.opponents < 0)[sides.group.components]
        some = self._merged(sides)
        if some.group is not sides.group:
            local = sides.local(some.group)
        try:
            v, bound, policy = Answer.of(local, alone, some).values()
        except RefusedError:
            if any(least is not None for least in sides.limits.least):
                return sides.guaranteed()
            raise
        return v[some.first], bound[some.first], some.spread(policy)

    def _followed(
        self, sides: Sides, player: int, chosen: Integers, optimal: Flags
    ) -> tuple[Floats, Floats]:
        """Return the values of a player who does not decide, and their errors."""
        if sides.limits.given is not None:
            return sides.followed(player, chosen, optimal)
        some = self._merged(sides)
        signs = some.group.signs(sides.leads, sides.opponents)
        of = Local(self._numbers, some.group, signs, np.full(len(signs), player))
        among = optimal[some.moves] & (some.moves >= 0)
        x, e = followed(of, some.gathered(chosen), among)
        return x[some.first], e[some.first]

    def _merged(self, sides: Sides) -> Merged:
        """Return the group with end components of lone players merged."""
        group = sides.group
        loners = np.where(sides.opponents < 0, sides.leads, -1)[group.components]
        return merged(group, loners, self._numbers.graph.rewards)

    def guess(self, group: Group) -> Integers:
        """Return the moves that are best in floats, without a proof.

        Raises
        ------
        RefusedError
            As for `solve`, except that interests are not looked at.
        """
        leads, opponents = group.sides()
        limits = Endless.of(self._interests, group, leads, opponents)
        sides = Sides(self._numbers, group, leads, opponents, limits)
        if any(least is not None for least in limits.least):
            return sides.guaranteed(prove=False)[2]
        alone, some = (opponents < 0)[group.components], self._merged(sides)
        local = sides.local(some.group)
        *_, policy = Answer.of(local, alone, some).values(prove=False)
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
    optimal: Flags = deciding & (gains + margin >= least[local.group.sources])
    return optimal


def chosen_actions(
    local: Local,
    optimal: Flags,
    proved: Integers,
    alone: Flags,
    pick: Pick,
    leave: Sequence[tuple[Flags, Flags]],
) -> tuple[Integers, list[int], list[int]]:
    """Return the moves that the tie rule takes, where it had a choice, and was turned.

    Where its choice would let play go on for ever, the next tied action that leads
    nearer to the end is taken: in the states that each side leaves if it can, and in
    those that it has to.
    """
    group, several = local.group, tied(local.group, optimal)
    policy = picked = picked_moves(group, optimal, pick)
    if not several:
        return policy, [], []
    turned = np.zeros(len(policy), dtype=np.bool_)
    for side, states in zip((1, -1), leave, strict=True):
        own, free = local.sign == side, (local.sign == -side) & ~alone
        policy, reached = forcing_if_possible(
            group, policy, own, free, optimal, True, states
        )
        turned |= policy != picked
        if not reached.all():  # the policy of the proof always ends
            policy = np.where(own & ~group.everywhere(reached), proved, policy)
            picked = policy
    if leave[0][0].all():  # play has to end, if one side does not see to it then both
        policy, _ = forcing(group, policy, local.sign != 0, ~alone & False, optimal)
        turned |= policy != picked
    if pick == "uniform":  # play ends, as it does by one of the actions
        turned[:] = False
    return policy, several, np.flatnonzero(turned).tolist()


def tied(group: Group, optimal: Flags) -> list[int]:
    """Return the states with several optimal moves."""
    counts = np.add.reduceat(optimal.astype(np.int64), group.offsets[:-1])
    several: list[int] = np.flatnonzero(counts > 1).tolist()
    return several


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
