"""What each side guarantees in a group, in float64, if an endless play pays a number.

Of two who decide in a component, the policy of one side is improved: by moves that are
better against the best answer of the other side, or else by holding states in which
endless play is better. The other side's policy then takes tied moves, and where endless
play is worse for it those that lead out of what is not held (`endless`). Each policy
with the best answer to it is a game of one player, in which end components that pay
nothing are merged, by the graph alone, and have one more move: to stay, which pays what
an endless play does. So every policy that pays nothing for ever ends, `proof` bounds
what is guaranteed, and the two bounds hold the value, whatever was unclear before.

The first policies are those of a retrograde analysis: values start at what an endless
play pays, and only states are looked at again that lead to a changed value. Without
chance these values are right in the end, and so are the moves that changed them last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cardgames_dp._graph.answers import CHANCE
from cardgames_dp._graph.graph import Floats, Integers, joined_ranges
from cardgames_dp._loops.components import Flags, Group, forced
from cardgames_dp._loops.endless import Endless
from cardgames_dp._loops.merging import merged
from cardgames_dp._loops.policy_iteration import ROUNDS, Local, Numbers
from cardgames_dp._loops.proof import Answer, followed, refuse_useless
from cardgames_dp._loops.systems import UNIT

_MOST_CHANGED, _STEP = 20, 16
"""How often the moves of a group with chance are looked at in a retrograde analysis,
and the price of a step in moves."""


class Sides(NamedTuple):
    """A group, who decides in it, and what an endless play pays there."""

    numbers: Numbers
    group: Group
    leads: Integers
    opponents: Integers
    limits: Endless

    def local(self, group: Group, never: Floats | None = None) -> Local:
        """Return the group, or one made of it, with the values of the leads."""
        signs = group.signs(self.leads, self.opponents)
        whose = self.leads[group.components]
        return Local(self.numbers, group, signs, whose, never)

    def answer(
        self, policy: Integers, side: Integers, never: Floats
    ) -> Callable[..., tuple[Floats, Floats, Integers]]:
        """Return the `Answer.values` of the best answers to a policy.

        Parameters
        ----------
        policy : ndarray of int, shape (states,)
            The moves of one side.
        side : ndarray of int, shape (states,)
            Which side it is: 1 for the lead, -1 for the opponent, 0 for nobody.
        never : ndarray of float64, shape (2, states)
            What an endless play pays, with its error; NaN where play must end.
        """
        group = self.group
        sign = group.signs(self.leads, self.opponents)
        some, moves = given_moves(group, policy, (sign == side) & (side != 0))
        others, leads = (x[group.components] for x in (self.opponents, self.leads))
        loners = np.where(side > 0, others, leads)
        one = merged(some, loners, self.numbers.graph.rewards, ~np.isnan(never[0]))
        every = np.ones(len(side), dtype=np.bool_)
        best = Answer.of(self.local(one.group, never), every, one)

        def values(*, prove: bool) -> tuple[Floats, Floats, Integers]:
            v, bound, policy = best.values(prove=prove)
            return v[one.first], bound[one.first], moves[one.spread(policy)]

        return values

    def guaranteed(self, *, prove: bool = True) -> tuple[Floats, Floats, Integers]:
        """Return values, bounds on their errors, and a policy of both sides.

        Raises
        ------
        RefusedError
            If the value depends on what an endless play pays, and the game does not say
            it; or if no useful bound is found.
        """
        group, limits = self.group, self.limits
        local, alone = self.local(group), (self.opponents < 0)[group.components]
        least, most = limits.floats(group)
        toward = np.where(alone, 0, -limits.payer[group.components])
        outer, deciding = (local.sign == toward) & ~alone, local.sign != 0
        policy, never = retrograde(local, least[0]), least[0]
        for number in range(ROUNDS):
            best = self.answer(policy, toward, least)
            v, bound, answer = best(prove=False)
            policy = np.where(outer, policy, answer)
            close = bound * 2.0 ** max(number - 20, 0)
            tied, better = _compared(local, v, policy, close)
            improved = better >= 0
            if not (improved & outer).any():
                worse = (toward * (never - v) > 4 * close) & ~alone
                held = worse & ~forced(group, outer, tied, worse)[0]
                stays = tied & held[group.sources] & (group.inside >= 0)
                stays &= held[group.inside]
                better, improved = first_moves(group, stays), held
            if not (improved & outer).any() or number == ROUNDS - 1:
                break
            policy = np.where(improved & outer, better, policy)
        worse = (
            toward * (np.where(toward > 0, most[0], never) - v) > 4 * close
        ) & ~alone
        reached, leave = forced(group, outer, tied, worse)
        held = worse & ~reached
        if held.any() and limits.given is None and prove:
            state = int(held.argmax())
            raise limits.refusal(group, held, tied, (state, float(v[state])))
        policy = np.where(worse & (leave >= 0) & deciding & ~outer, leave, policy)
        if not prove:
            return v, bound, policy
        v, bound, answer = best(prove=True)
        policy = np.where(alone, answer, policy)
        if not alone.all():
            other, wrong, _ = self.answer(policy, -toward, most)(prove=True)
            gap = toward * (other - v)
            apart = (gap + wrong + np.abs(gap) * (2 * UNIT)) * (1 + 4 * UNIT)
            bound = np.where(alone, bound, np.maximum(bound, apart))
            refuse_useless(local, v, bound)
        return v, bound, policy

    def followed(
        self, player: int, policy: Integers, optimal: Flags
    ) -> tuple[Floats, Floats]:
        """Return the values of a player who does not decide, and bounds of errors."""
        group, e = self.group, float((self.limits.given or [])[player])
        size = group.num_states
        never = np.tile([[e], [np.spacing(abs(e))]], (1, size))
        whose, nobody = np.full(size, player), np.zeros(size, dtype=np.int64)
        some, _ = given_moves(group, policy, group.players >= 0)
        one = merged(
            some, nobody, self.numbers.graph.rewards, np.ones(size, dtype=np.bool_)
        )
        local = Local(self.numbers, one.group, nobody, whose, never)
        x, wrong = followed(local, nobody, np.zeros(len(one.moves), dtype=np.bool_))
        x, wrong = x[one.first], wrong[one.first]
        every = Local(self.numbers, group, nobody, whose, never)
        low, high = every.between(optimal | (group.players < 0)[group.sources])
        far = np.maximum(np.maximum(high, e) - x, x - np.minimum(low, e))
        counts = np.add.reduceat(optimal.astype(np.int64), group.offsets[:-1])
        unclear = group.everywhere(counts < 2)
        return x, np.where(unclear, wrong, far * (1 + 4 * UNIT))


def given_moves(group: Group, policy: Integers, given: Flags) -> tuple[Group, Integers]:
    """Return a group in which a policy is given in some states, and its moves."""
    keep = (group.weights > 0) & ~given[group.sources]
    keep[policy[given]] = True
    moves = np.flatnonzero(keep)
    counts = np.bincount(group.sources[moves], minlength=group.num_states)
    some = replace(
        group,
        players=np.where(given, CHANCE, group.players),
        offsets=np.concatenate([[0], np.cumsum(counts)]),
        sources=group.sources[moves],
        following=group.following[moves],
        inside=group.inside[moves],
        weights=group.weights[moves],
        own=group.own[moves],
        pays=group.pays[moves],
    )
    return some, moves


def retrograde(local: Local, never: Floats) -> Integers:
    """Return the moves that change values last, which begin with endless play."""
    group, v = local.group, np.where(np.isnan(never), 0.0, never)
    policy, front = group.offsets[:-1].copy(), np.arange(len(v))
    chance = (np.diff(group.offsets)[local.sign == 0] > 1).any()
    left = _MOST_CHANGED * len(local.p) if chance or local.paid else 2**40
    while front.size and left > 0:
        counts = group.offsets[front + 1] - group.offsets[front]
        moves, sign = joined_ranges(group.offsets[front], counts), local.sign[front]
        left -= len(moves) + _STEP
        first = np.cumsum(counts) - counts
        q = local.base[moves] + np.where(local.within[moves], v[local.index[moves]], 0)
        best = np.maximum.reduceat(q * np.repeat(sign, counts), first)
        hits = np.where(
            q * np.repeat(sign, counts) == np.repeat(best, counts), moves, len(local.p)
        )
        means = np.add.reduceat(local.p[moves] * q, first)
        new = np.where(sign == 0, means, best * sign)
        some = new != v[front]
        front, new = front[some], new[some]
        policy[front], v[front] = np.minimum.reduceat(hits, first)[some], new
        front = np.unique(group.sources[group.before(front)])
    return policy


def first_moves(group: Group, some: Flags) -> Integers:
    """Return the first of some moves of each state, or -1."""
    first = np.full(group.num_states, -1)
    moves = np.flatnonzero(some)[::-1]
    first[group.sources[moves]] = moves
    return first


def _compared(
    local: Local, v: Floats, policy: Integers, close: Floats
) -> tuple[Flags, Integers]:
    """Return the moves of chance and those that tie, and better moves, or -1."""
    gains, sources = local.gains(v), local.group.sources
    most = local.largest(gains)
    lucky = local.sign == 0
    tied = lucky[sources] | (gains >= (most - 4 * close)[sources])
    better = ~lucky & (most > gains[policy] + 2 * close)
    return tied & local.possible, np.where(better, local.best(gains), -1)
