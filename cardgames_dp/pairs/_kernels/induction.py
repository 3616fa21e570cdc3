"""Backward induction within a round, layer by layer, for many scores side by side.

The layers of `positions` are taken from the fullest hands to the empty table. Several
*profiles*, each of which says how every seat plays, are solved at once, each with its
own values. A seat that plays optimally uses the values of its own profile: it is the
best response if the others do not play optimally. A seat that plays the optimal policy
of the game in which all play optimally copies the decisions of the first profile.

Chances of winning sum to n - 1, so those of the last seat are not computed, except for
the essay's rules, as in its program: there rounding changes the sums, and where it runs
out of cards they are different.
"""

from __future__ import annotations

import functools
import math
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.pairs._kernels.game import (
    Floats,
    Hits,
    Integers,
    tolerance_of,
)
from cardgames_dp.pairs._kernels.positions import MOST_ROWS, Dealing, Layer, Positions

BEST: Final = "best"
"""The behaviour of a seat that plays optimally in its own profile."""
COPY: Final = "copy"
"""The behaviour of a seat that copies optimal play from the first profile."""


Bits: TypeAlias = NDArray[np.uint8]
"""Decisions, eight positions of a layer in a byte."""


class InRounds(Protocol):
    """A policy, asked about rounds."""

    def in_round(
        self, positions: Positions, vectors: Integers
    ) -> Callable[[int], Hits]:
        """Return where to hit in rounds with some vectors of scores, leader first.

        Or with what probability.

        A function of the layer's number. Its answers are of shape (positions, vectors),
        or (positions, 1) if the scores do not matter.
        """


Behaviour: TypeAlias = str | InRounds
"""How a seat plays: `BEST`, `COPY` or a policy."""

Profile: TypeAlias = tuple[Behaviour, ...]
"""How each seat plays, from the leader on."""

_PORTION_CELLS = 2**15
"""The number of values decided on at a time, so that they stay in the caches."""

DOUBT = (1e-14, 1e-9)
"""The range of differences between hit and fold that may or may not be ties."""


def optimal(players: int) -> Profile:
    """Return the profile in which all seats play optimally."""
    return (BEST,) * players


class Step(NamedTuple):
    """A layer, or some of its positions, solved for one profile and one block.

    Attributes
    ----------
    in_hands : int
        The layer's number, how many cards are in hands.
    layer : Layer
    rows : slice
        Which of its positions.
    hit, fold : ndarray of float64, shape (positions, kept players, columns)
        Chances of winning, from the leader on, after either action; without meaning
        where it is not allowed. See `all_players`.
    lead : ndarray of float64, shape (positions, columns)
        By how much a hit is better for the player to move.
    hits : ndarray of bool or float64, shape (positions, columns)
        What is done: where there is a hit, or with what probability.
    values : ndarray of float64, shape (positions, kept players, columns)
        Chances of winning.
    """

    in_hands: int
    layer: Layer
    rows: slice
    hit: Floats
    fold: Floats
    lead: Floats
    hits: Hits
    values: Floats


@dataclass(slots=True)
class Gaps:
    """How far decisions are from ties, over positions with a choice.

    Attributes
    ----------
    ties : int
        Positions, times score vectors, in which hit and fold are equal to tolerance.
    largest_tie, smallest_lead : float
        The largest difference taken for a tie, and the smallest that is not.
    doubtful : int
        How many differences are between the bounds of `DOUBT`.
    """

    ties: int = 0
    largest_tie: float = 0.0
    smallest_lead: float = 1.0
    doubtful: int = 0

    def add(self, other: Gaps) -> None:
        """Include those of another block."""
        self.ties += other.ties
        self.largest_tie = max(self.largest_tie, other.largest_tie)
        self.smallest_lead = min(self.smallest_lead, other.smallest_lead)
        self.doubtful += other.doubtful

    def look(self, differences: Floats, tolerance: float) -> None:
        """Include differences."""
        sizes = np.abs(differences)
        low, high = DOUBT
        near = max(high, tolerance)
        few = sizes[sizes <= near]
        ties, leads = few[few <= tolerance], few[few > tolerance]
        self.ties += len(ties)
        self.largest_tie = max(self.largest_tie, float(ties.max(initial=0)))
        if not len(leads) and self.smallest_lead > near and len(few) < sizes.size:
            leads = sizes.min(where=sizes > near, initial=1, keepdims=True).ravel()
        self.smallest_lead = min(self.smallest_lead, float(leads.min(initial=1)))
        self.doubtful += int(np.count_nonzero((few > low) & (few < high)))


class Solver(NamedTuple):
    """What is needed to solve a block, given the values of the ends of rounds.

    Another process gets the rules. If it was forked after all positions were found, it
    has them; otherwise it finds them again, once.
    """

    positions: Positions
    profiles: list[Profile]
    dealing: Dealing | None

    @property
    def layers(self) -> range:
        """The layers of a round from the fullest hands on.

        With a deal of which the lowest card leads, up to the first one after the deal.
        """
        first = 0 if self.dealing is None else self.positions.rules.players
        return range(len(self.positions.layers) - 1, first - 1, -1)

    def __reduce__(self) -> tuple[Any, ...]:
        lowest = self.dealing is not None
        return _found_again, (self.positions.rules, self.profiles, lowest)


def _found_again(rules: Any, profiles: list[Profile], lowest: bool) -> Solver:
    positions = _all_positions(rules)
    dealing = Dealing(positions) if lowest else None
    return Solver(positions, profiles, dealing)


_in_use: weakref.WeakValueDictionary[Any, Positions] = weakref.WeakValueDictionary()
"""Positions whose blocks are spread, by their rules: for workers that are forked."""


def share(positions: Positions) -> None:
    """Let processes that are forked from now on have these positions, at no cost."""
    _in_use[positions.rules] = positions


@functools.lru_cache(maxsize=1)
def _all_positions(rules: Any) -> Positions:
    return _in_use.get(rules) or Positions(rules)


Task: TypeAlias = tuple[Integers, list[list[Floats]]]
"""A block, and what ends of rounds are worth: all that a worker is sent of tables."""


def solved(
    shared: tuple[Solver, Sequence[int] | None], task: Task
) -> tuple[list[Floats], Gaps, Bits | None]:
    """Return what `starts` does, but before a deal if there is one, in any process."""
    solver, (vectors, outcomes) = shared[0], task
    starting, gaps, bits = starts(*shared, vectors, outcomes)
    if solver.dealing is not None:
        starting = solver.dealing.values_before(solver.profiles, starting, vectors)
    return starting, gaps, bits


def scores_of(task: Task) -> str:
    """Return what a task is called."""
    first, last = task[0][[0, -1]].tolist()
    return f"the scores {first} to {last}"


def starts(
    solver: Solver,
    kept: Sequence[int] | None,
    vectors: NDArray[np.int64],
    outcomes: list[list[Floats]],
) -> tuple[list[Floats], Gaps, Bits | None]:
    """Return the values at the start of a round, shape (decks, columns, players).

    And how clear decisions were; and the decisions themselves, packed, if `kept` says
    of which profile, by the seat of the player to move.

    Two layers are held at a time, with the ends of rounds after the positions, and a
    layer is taken in portions that stay in the caches.
    """
    positions, n = solver.positions, solver.positions.rules.players
    block = _Block(solver, vectors, outcomes)
    bits: list[Bits] = []
    here, after = (
        [
            np.empty((positions.widest + len(by_seat[0]), block.width))
            for by_seat in outcomes
        ]
        for _ in range(2)
    )
    for in_hands in solver.layers:
        layer, mover = positions.layers[in_hands], in_hands % n
        to_come = slice(layer.following + layer.outcomes)
        for values, by_seat in zip(after, outcomes, strict=True):
            values[layer.following : to_come.stop] = _flat(by_seat[mover])
        follows = [values[to_come] for values in after]
        parts = []
        for by_profile in block.portions(in_hands, follows):
            for values, step in zip(here, by_profile, strict=True):
                values[step.rows] = _flat(step.values)
            if kept is not None:
                best: Any = by_profile[kept[mover]].hits
                parts.append(np.packbits(best, axis=0))
        if kept is not None:
            bits.append(np.concatenate(parts))
        here, after = after, here
    first = len(layer.keys)
    starting = [
        all_players(values[:first].reshape(first, -1, len(vectors)), n)
        for values in after
    ]
    return starting, block.gaps, np.concatenate(bits[::-1]) if bits else None


def steps(
    solver: Solver, vectors: NDArray[np.int64], outcomes: list[list[Floats]]
) -> Iterator[list[Step]]:
    """Yield whole layers of a block, a step for each profile."""
    n, block = solver.positions.rules.players, _Block(solver, vectors, outcomes)
    after = [np.empty((0, block.width)) for _ in outcomes]
    for in_hands in solver.layers:
        follows = [
            np.concatenate([values, _flat(by_seat[in_hands % n])])
            for values, by_seat in zip(after, outcomes, strict=True)
        ]
        rows = slice(0, len(solver.positions.layers[in_hands].keys))
        by_profile = block.steps(in_hands, rows, block.hits(in_hands, rows, follows))
        yield by_profile
        after = [_flat(step.values) for step in by_profile]


class _Block:
    """Vectors of scores that are solved side by side."""

    __slots__ = ("_decisions", "_in_round", "gaps", "outcomes", "shape", "solver")

    def __init__(
        self,
        solver: Solver,
        vectors: NDArray[np.int64],
        outcomes: list[list[Floats]],
    ) -> None:
        self.solver, self.outcomes, self.gaps = solver, outcomes, Gaps()
        self.shape = outcomes[0][0].shape[1:]  # kept players, columns
        policies = {id(seat): seat for profile in solver.profiles for seat in profile}
        self._in_round = {
            number: policy.in_round(solver.positions, vectors)
            for number, policy in policies.items()
            if not isinstance(policy, str)
        }
        self._decisions: tuple[int, dict[int, Hits]] = (-1, {})

    @property
    def width(self) -> int:
        """How many values a position has."""
        return math.prod(self.shape)

    def portions(
        self, in_hands: int, follows: Sequence[Floats]
    ) -> Iterator[list[Step]]:
        """Yield the positions of a layer in portions, a step for each profile."""
        size = len(self.solver.positions.layers[in_hands].keys)
        for some in _slices(slice(0, size), MOST_ROWS):
            hits = self.hits(in_hands, some, follows)
            for rows in _slices(some, _PORTION_CELLS // self.width):
                here = slice(rows.start - some.start, rows.stop - some.start)
                yield self.steps(in_hands, rows, [hit[here] for hit in hits])

    def hits(
        self, in_hands: int, rows: slice, follows: Sequence[Floats]
    ) -> list[Floats]:
        """Return what a hit is worth in some positions, for each profile.

        Given the values of all positions of the next layer, and of the ends of rounds,
        shape (positions + outcomes, kept players x columns).
        """
        draws = self.solver.positions.layers[in_hands].hit(rows)
        return [(draws @ values).reshape(-1, *self.shape) for values in follows]

    def steps(self, in_hands: int, rows: slice, hits: Sequence[Floats]) -> list[Step]:
        """Return some positions of a layer, given what a hit is worth."""
        by_profile: list[Step] = []
        for place, hit in enumerate(hits):
            by_profile.append(self._step(in_hands, rows, hit, place, by_profile))
        return by_profile

    def _step(
        self, in_hands: int, rows: slice, hit: Floats, place: int, before: list[Step]
    ) -> Step:
        """Return the step of a profile, given what a hit is worth."""
        positions, profiles, _ = self.solver
        tolerance = tolerance_of(positions.rules)
        layer, mover = positions.layers[in_hands], in_hands % positions.rules.players
        can_hit, can_fold = layer.can_hit[rows], layer.can_fold[rows]
        if not can_fold.any():  # an empty table, or a deal
            hits, lead = np.ones(hit[:, 0].shape, bool), np.zeros(hit[:, 0].shape)
            return Step(in_hands, layer, rows, hit, hit, lead, hits, hit)
        fold = np.take(self.outcomes[place][mover], layer.fold[rows], axis=0)
        lead = _lead(hit, fold, mover)
        choice = can_hit & can_fold
        behaviour = profiles[place][mover]
        if behaviour == BEST:
            if not before:
                self.gaps.look(lead if choice.all() else lead[choice], tolerance)
            eager = positions.rules.tie == "hit"
            hits = lead >= -tolerance if eager else lead > tolerance
        elif behaviour == COPY:
            hits = before[0].hits
        else:
            hits = self._decided(behaviour, in_hands)[rows]
        if not choice.all() or hits.shape != lead.shape:
            hits = np.where(choice[:, None], hits, can_hit[:, None])
            hits = np.broadcast_to(hits, lead.shape)
        values = np.where(hits[:, None], hit, fold)
        if hits.dtype != np.bool_:  # a player who mixes
            values = hits[:, None] * hit + (1 - hits[:, None]) * fold
        return Step(in_hands, layer, rows, hit, fold, lead, hits, values)

    def _decided(self, behaviour: Behaviour, in_hands: int) -> Hits:
        """Return where a policy hits in a layer, which it is asked about once."""
        if self._decisions[0] != in_hands:
            self._decisions = in_hands, {}
        known = self._decisions[1]
        if id(behaviour) not in known:
            known[id(behaviour)] = self._in_round[id(behaviour)](in_hands)
        return known[id(behaviour)]


def _slices(rows: slice, size: int) -> Iterator[slice]:
    """Yield rows in portions of about some size, each but the last of whole bytes."""
    step = max(size // 8, 1) * 8
    for first in range(rows.start, rows.stop, step):
        yield slice(first, min(first + step, rows.stop))


def _flat(values: Floats) -> Floats:
    """Return values with the players and columns of a position side by side."""
    return values.reshape(len(values), -1)


def _lead(hit: Floats, fold: Floats, mover: int) -> Floats:
    """Return by how much a hit is better for the player to move."""
    if mover < hit.shape[1]:
        return hit[:, mover] - fold[:, mover]
    others = fold - hit  # what all others lose
    return functools.reduce(np.add, np.moveaxis(others, 1, 0))


def all_players(chances: Floats, players: int) -> Floats:
    """Return chances of winning of all players, from those that are kept.

    Shape (rows, players, columns).
    """
    if chances.shape[1] == players:
        return chances
    last = players - 1 - chances.sum(axis=1, keepdims=True)
    return np.concatenate([chances, last], axis=1)
