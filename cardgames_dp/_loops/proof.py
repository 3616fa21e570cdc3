"""The proof of the values of a group in float64, which rounds everything outwards.

The proof does not care how the guess v was made. Let s be the policy of the lead, and
let it force the end whatever the opponent does (`components.forced`). Let T be one move
with s given and the opponent free, and P its probabilities. Its only fixed point is
what s guarantees, and it is monotone. Let ``w >= 1 + P w`` and ``T v >= v - r``, and
let all exits have errors of at most e. Then ``x = v - r w - e`` has ``T x >= x``, so
the value is at least x. It is enough that w holds for actions of the opponent that are
nearly best: for each other action it is checked that ``T x >= x``, to which the
distance of its value helps. The same from above, with the policy of the opponent given.
A lead alone is free from above, as every policy ends (see `groups`). So r and w are the
residual and about the longest expected stay in the component, and the bound of a
component is ``r w + e``, not ``(r + e) w``, which would grow from component to
component.

With rewards, a side may have endless plays that are infinitely bad for it. If x gains
at least r at every move, endless play is of this kind, and cannot be better than x.

All of this is rounded outwards. A chance move with m outcomes takes a product and
``m - 1`` additions, and its probabilities are rounded, so with u = 2**-53 the error is
at most ``(m + 4) u`` times the mean of absolute values.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from cardgames_dp._graph.graph import Floats, Integers
from cardgames_dp._loops.components import (
    Flags,
    RefusedError,
    ending,
    endless,
    forced,
    forcing,
)
from cardgames_dp._loops.endless import undecided
from cardgames_dp._loops.merging import Merged
from cardgames_dp._loops.policy_iteration import (
    ROUNDS,
    Local,
    guessed,
    raise_gains,
    settled,
)
from cardgames_dp._loops.systems import DIRECT, TINY, UNIT, solved_by_sums
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import with_noun

_NEARLY = 1e-6
"""The part of the size of values within which actions are nearly best."""

_POOR = 1e-6
"""The part of the size of values of a bound that is poor."""

_CLOSE = 2.0**-44
"""The part of the size of values within which a guess is taken to be right."""

_SMALL = 2.0**-400
"""Numbers that are smaller are nothing, and an error, in an elimination by sums."""

_HARD = 2.0**-32
"""The part of the size of values of a bound that is worth an elimination by sums."""


class Answer:
    """Values and policies of a group, which can be proved.

    Parameters
    ----------
    local : Local
        The group.
    alone : ndarray of bool, shape (states,)
        Where the lead has no opponent.

    Raises
    ------
    RefusedError
        If there is no policy that ends.
    """

    def __init__(self, local: Local, alone: Flags) -> None:
        self._local, self._certain, self._ways = settled(local, alone)
        self._alone, self._sure = alone, np.isfinite(self._certain)
        self._v = self._certain
        self._policy = self._local.group.offsets[:-1]
        if not self._sure.all():
            self._v, self._policy = guessed(self._local, alone)

    @classmethod
    def of(cls, local: Local, alone: Flags, some: Merged) -> Answer:
        """Return the answer in a merged group; a refusal is of the whole one.

        Raises
        ------
        RefusedError
            As for the answer.
        """
        try:
            return cls(local, alone)
        except RefusedError as error:
            if error.policy is not None:  # it walks round between states, not merged
                raise_gains(local, some.whole, some.spread(error.policy))
            raise

    def values(self, *, prove: bool = True) -> tuple[Floats, Floats, Integers]:
        """Return values, bounds on their errors, and policies.

        Unless bounds are proved they are rough.

        Raises
        ------
        RefusedError
            If there is no bound that is useful.
        """
        local, v, policy = self._local, self._v, self._policy
        bound = _CLOSE * local.by_part(np.abs(v))
        if prove and not self._sure.all():
            v, policy, bound = proved(local, v, policy, self._alone)
            if local.paid and not np.isfinite(bound).all():
                refuse_undecided(local, v, self._alone)
            refuse_useless(local, v, bound)
        v, bound = (
            np.where(self._sure, self._certain, v),
            np.where(self._sure, 0, bound),
        )
        return v, bound, np.where(self._ways >= 0, self._ways, policy)


def proved(
    local: Local, v: Floats, policy: Integers, alone: Flags
) -> tuple[Floats, Integers, Floats]:
    """Return values, a policy that is proved to be good, and bounds on their errors."""
    low, high = local.between(local.possible)
    v = np.clip(v, low, high)
    size = local.by_part(_sizes(local, v))
    gains = local.gains(v)
    loss = local.largest(gains)[local.group.sources] - gains
    policy = _ends_against(local, policy, loss, size, alone)
    bound, gaps = np.zeros(len(v)), _gaps(local, v)
    for side in (1, -1):
        # The policy of this side is given; the other side is free.
        bound = np.maximum(bound, _one_side(local, gaps, policy, loss, size, side))
    exits = local.by_part(local.largest(local.exit_error))
    far = np.maximum(high - v, v - low) * (1 + 2 * UNIT) + exits
    bound = np.minimum(bound, far)
    hard = bound - exits > _HARD * size
    if not hard.any():
        return v, policy, bound
    x, wrong = _by_sums(local, policy, hard)
    better = (wrong < bound) & _solves(local, policy, x, wrong)
    return np.where(better, x, v), policy, np.where(better, wrong, bound)


def _by_sums(local: Local, policy: Integers, hard: Flags) -> tuple[Floats, Floats]:
    """Return values of a policy that is played in hard components, and their errors.

    The errors of rewards and exits are added up like rewards.
    """
    x, bound = np.zeros((2, len(hard)))
    bound += np.inf
    sources, order = local.group.sources, local.systems.order
    made = local.made(policy) & local.possible
    base = np.where(np.abs(local.base) < _SMALL, 0.0, local.base)
    wrong = local.base_error + local.exit_error + np.abs(local.base - base)
    wrong = np.where(wrong > 0, np.maximum(wrong, _SMALL), 0.0)
    columns = [np.maximum(base, 0.0), np.maximum(-base, 0.0), wrong]
    for part in np.unique(local.parts[hard]).tolist():
        states = order[local.parts[order] == part]
        size, index = len(states), np.empty(len(hard), dtype=np.int64)
        if size > DIRECT:
            continue
        index[states] = np.arange(size)
        moves = np.flatnonzero(made & (local.parts == part)[sources])
        rows, p = index[sources[moves]], local.p[moves]
        to = np.where(local.within[moves], index[local.index[moves]], size)
        chances, constants = np.zeros((size, size + 1)), np.zeros((size, 3))
        np.add.at(chances, (rows, to), p)
        for number, column in enumerate(columns):
            np.add.at(constants[:, number], rows, p * column[moves])
        solution, error = solved_by_sums(chances, constants)
        # Numbers of a row with m moves are off by at most ``m + 1`` roundings.
        rounded = (2 * len(moves) + 2 * size) * (1.01 * UNIT)
        error = error + rounded if p.all() else np.inf
        x[states] = solution[:, 0] - solution[:, 1]
        bound[states] = (solution[:, 0] + solution[:, 1]) * error + solution[:, 2]
    return x, bound * (1 + 2.0**-8)


def _solves(local: Local, policy: Integers, x: Floats, wrong: Floats) -> Flags:
    """Return where no other move is better, and each side forces the end.

    Then the values of the policy solve the optimality equations.
    """
    group, sources = local.group, local.group.sources
    bound = np.where(np.isfinite(wrong), wrong, 0.0)
    margin = local.rounding(x) + local.ahead(bound) + local.exit_error
    margin = (margin + bound[sources]) * (1 + 4 * UNIT)
    lost = x[sources] * local.sign[sources] - local.gains(x)
    margin += np.abs(lost) * (2 * UNIT)
    other = ~local.made(policy) & local.possible
    right = np.isfinite(wrong)
    right[sources[other & (lost < margin)]] = False
    for side in (1, -1):
        free = local.sign == -side
        right &= ending(group, free, local.made(policy) | free[sources])
    return group.everywhere(right)


def _sizes(local: Local, v: Floats) -> Floats:
    """Return the size of the numbers of each state and its moves."""
    return np.maximum(np.abs(v), local.largest(np.abs(local.base)))


def _ends_against(
    local: Local, policy: Integers, loss: Floats, size: Floats, alone: Flags
) -> Integers:
    """Return a policy of which both sides force the end, with as little loss as can be.

    For a lead alone, all policies do.

    Raises
    ------
    RefusedError
        If a side loses by ending the play, so that it matters what endless play is
        worth.
    """
    group = local.group
    for side in (1, -1):
        own = (local.sign == side) & ~alone
        free = (local.sign == -side) & ~alone
        made = local.made(policy) | free[group.sources]
        reached = ending(group, free, made)
        share = 2 * UNIT
        while not reached.all() and share < _NEARLY:
            stuck = ~local.group.everywhere(reached)
            close = (own & stuck)[group.sources] & (
                loss <= (share * size)[group.sources]
            )
            sure, ways = forced(group, free, made | close)
            mended = local.group.everywhere(sure)
            policy = np.where(own & stuck & mended, ways, policy)
            made = local.made(policy) | free[group.sources]
            reached = ending(group, free, made)
            share *= 8
        if not reached.all() and not local.paid:
            raise endless(group, sure, made | close, undecided)
    return policy


def _gaps(local: Local, v: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return by how much values change in a move, with bounds of rounding errors.

    They are, by move, how much larger v is than the value of the move, and the bound of
    its error; and by state, how much larger than the mean over the moves, where chance
    moves, and the bound of that.
    """
    q, counts = local.after(v), np.diff(local.group.offsets)
    gap = v[local.group.sources] - q
    rounding = local.rounding(v) + np.abs(gap) * (2 * UNIT) + TINY * (gap != 0)
    wrong = local.means(np.abs(q) + rounding) * ((counts + 6) * UNIT) + counts * TINY
    wrong = np.where(counts > 1, wrong, 0.0) + local.means(rounding)  # of one: exact
    mean = v - local.means(q)
    return gap, rounding, mean, wrong + (np.abs(mean) + wrong) * (4 * UNIT)


def _one_side(
    local: Local,
    gaps: tuple[Floats, Floats, Floats, Floats],
    policy: Integers,
    loss: Floats,
    size: Floats,
    side: int,
) -> Floats:
    """Return how far the value can be beyond v, if the policy of one side is given."""
    group, sources = local.group, local.group.sources
    free, lucky = local.sign == -side, local.sign == 0
    made = local.made(policy)
    every = made | free[sources]
    reached = ending(group, free, every)
    strict = ~local.group.everywhere(reached)
    if strict.any() and not local.paid:
        return np.where(strict, np.inf, 0.0)
    gap, rounding, mean, mean_rounding = gaps
    gap = side * gap + rounding  # by which v is too large, for the side
    mean = side * mean + mean_rounding
    exits = np.where(every & local.possible, local.exit_error, 0.0)
    e = local.by_part(local.largest(exits))
    share, unsure = np.full(len(size), 2.0**-40), np.zeros(len(size), dtype=np.bool_)
    while True:  # nothing is nearly best with which play would not end
        near = made | (every & (loss <= (share * size)[sources]))
        if strict.any():
            unsure = ~group.everywhere(ending(group, free, near)) & (share > 0)
        if not unsure.any():
            break
        share[unsure] = np.where(share > UNIT, share / 64, 0.0)[unsure]
    for _ in range(ROUNDS):
        # If all moves of the free side lead nearer to the end, some of them do.
        if strict.any() and not ending(group, free, near).all():
            break
        w = local.stay(near, policy)
        hopeless = ~local.group.everywhere(np.isfinite(w))
        w = np.where(hopeless, 0.0, w)
        residual = local.largest(np.where(near, gap, -np.inf))
        r = local.by_part(np.maximum(np.where(lucky, mean, residual), 0.0))
        r = np.where(strict, 4 * r + size * UNIT + TINY, r)
        # The other actions of the free side: what they lose outweighs a longer stay.
        ahead = local.ahead(w)
        need = (r * (1 + 1e-12))[sources] * (ahead - w[sources] * (1 - 1e-12))
        need += strict[sources] * r[sources]
        bad = every & ~near & (gap + need > 0)
        if not bad.any():
            beyond = r * w * (1 + 1e-12) + e * (1 + 4 * UNIT)
            return np.where(hopeless, np.inf, beyond)
        near |= bad
    return np.full(len(size), np.inf)


def refuse_useless(local: Local, v: Floats, bound: Floats) -> None:
    """Refuse a bound that says nothing, and warn of one that says little."""
    size = np.maximum(local.by_part(_sizes(local, v)), local.numbers.largest)
    outside = local.by_part(local.largest(local.exit_error))
    own = np.where(np.isfinite(bound), bound - outside, np.inf)
    useless = ~(own <= np.maximum(1e-2 * size, 2.0**-1000))
    if not useless.any():
        poor = own > np.maximum(_POOR * size, 2.0**-1000)
        if poor.any():
            warnings.warn(
                "values of states on loops are proved within "
                f"{own[poor].max():.2g} only; cardgames_dp.exact.solve has no error",
                RuntimeWarning,
                stacklevel=2,
            )
        return
    state = int(np.argmax(useless))
    count = int(np.count_nonzero(local.parts == local.parts[state]))
    width, verb = float(bound[state]), "is" if count == 1 else "are"

    def message(states: Sequence[Any]) -> str:
        return (
            f"the {with_noun(count, 'state')} that can come back to "
            f"{arguments.shown(states[0])} {verb} too hard for "
            f"float64: values within {width:.2g} are all that could be proved; use "
            "cardgames_dp.exact.solve"
        )

    raise RefusedError([local.group.place(state)], message)


def refuse_undecided(local: Local, v: Floats, alone: Flags) -> None:
    """Refuse values that depend on what an endless play pays, where moves pay."""
    group, gains = local.group, local.gains(v)
    close = (2.0**-40 * _sizes(local, v))[group.sources]
    tied = gains >= local.largest(gains)[group.sources] - close
    made = tied | (local.sign == 0)[group.sources]
    for side in (1, -1):
        own, free = (local.sign == side) & ~alone, (local.sign == -side) & ~alone
        _, reached = forcing(group, local.best(gains), own, free, tied, tied)
        if not (reached | alone).all():
            raise endless(group, reached | alone, made, undecided)


def followed(local: Local, policy: Integers, optimal: Flags) -> tuple[Floats, Floats]:
    """Return the values of a player who does not decide, and bounds on their errors.

    The bounds cover whichever of several actions that may be optimal is taken.
    """
    group, sources = local.group, local.group.sources
    made = local.made(policy)
    near = made | optimal
    low, high = local.between(near)
    v = np.clip(local.valued(policy), low, high)
    q, counts = local.after(v), np.diff(group.offsets)
    rounding = local.rounding(v) + TINY
    apart = np.abs(v[sources] - q) * (1 + 2 * UNIT) + rounding
    mean = np.abs(v - local.means(q)) * (1 + UNIT)
    mean += local.means(np.abs(q) + rounding) * ((counts + 6) * UNIT)
    mean += local.means(rounding) + counts * TINY
    lucky = local.sign == 0
    exits = np.where(near & local.possible, local.exit_error, 0.0)
    e = local.by_part(local.largest(exits))
    residual = local.largest(np.where(near, apart, 0.0))
    r = local.by_part(np.where(lucky, mean, residual))
    sure = ending(group, ~lucky, near)
    ends = local.group.everywhere(sure)
    bound = np.full(len(v), np.inf)
    if ends.all():
        w = local.stay(near, policy)
        bound = np.where(np.isfinite(w), r * np.where(np.isfinite(w), w, 0.0), np.inf)
        bound *= 1 + 1e-12
    if not local.paid:
        bound = np.minimum(bound, np.maximum(high - v, v - low))
    bound = (bound + e) * (1 + 4 * UNIT)
    alike = np.ones_like(sure)  # where it is clear what is done
    alike[sources[near & ~made]] = False
    size = local.by_part(np.abs(v))
    hard = group.everywhere(alike) & ends & ~(bound - e <= _HARD * size)
    if hard.any():
        x, wrong = _by_sums(local, policy, hard)
        v, bound = np.where(wrong < bound, x, v), np.minimum(wrong, bound)
    if not np.isfinite(bound).all():
        refuse_useless(local, v, np.where(np.isfinite(bound), 0.0, np.inf))
    return v, bound
