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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.arguments import shown
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.pairs._kernels.positions import (
    MOST_ROWS,
    Layer,
    Positions,
    values_before,
)
from cardgames_dp.pairs.rules import Floats, Hits, Integers, tolerance_of

BEST: Final = "best"
"""The behaviour of a seat that plays optimally in its own profile."""
COPY: Final = "copy"
"""The behaviour of a seat that copies optimal play from the first profile."""


Bits: TypeAlias = NDArray[np.uint8]
"""Decisions, eight positions of a layer in a byte."""


ByLayer: TypeAlias = Callable[[int], Hits]
"""A function from a layer's number to where to hit, or with what probability, of shape
(positions, vectors), or (positions, 1) if the scores do not matter."""

InRounds: TypeAlias = Callable[[Positions, Integers], ByLayer]
"""A policy, asked about rounds with some vectors of scores, leader first."""

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
    refuse_too_large(
        f"a profile of {shown(players)} players", 8 * players, "use fewer players"
    )
    return (BEST,) * players


class Step(NamedTuple):
    """A layer, or some of its positions, solved for one profile and one block.

    `in_hands` is the layer's number, how many cards are in hands. `hit`, `fold` and
    `values`, of shape (positions, kept players, columns), are chances of winning, from
    the leader on: after either action, without meaning where it is not allowed, and by
    what is done (see `all_players`). `lead` and `hits`, of shape (positions, columns):
    by how much a hit is better for the player to move, and where there is a hit, or
    with what probability.
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

    `ties`: positions, times score vectors, in which hit and fold are equal to
    tolerance. `largest_tie` is the largest difference taken for a tie, `smallest_lead`
    the smallest that is not. As many differences as `doubtful` are between the bounds
    of `DOUBT`.
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


Task: TypeAlias = tuple[Integers, list[list[Floats]]]
"""A block, and what ends of rounds are worth: all that a worker is sent of tables."""


def solved_block(
    shared: tuple[Positions, list[Profile], Sequence[int] | None], task: Task
) -> tuple[list[Floats], Gaps, Bits | None]:
    """Return what `Block.starts` does, but before a deal if there is one."""
    (positions, profiles, places), (vectors, outcomes) = shared, task
    block = Block(positions, profiles, vectors, outcomes)
    starting, bits = block.starts(places)
    if positions.dealing is not None:
        starting = values_before(positions.dealing, profiles, starting, vectors)
    return starting, block.gaps, bits


def scores_of(task: Task) -> str:
    """Return what a task is called."""
    first, last = task[0][[0, -1]].tolist()
    return f"the scores {first} to {last}"


class Block:
    """Vectors of scores that are solved side by side.

    The positions are all of a round, or one and what may follow it; the vectors, of
    shape (columns, players), begin with the leader. The outcomes say what ends of
    rounds are worth, by profile and by the seat that ends the round, in arrays of shape
    (ranks * decks, kept players, columns). `gaps` says how clear the decisions were.
    """

    def __init__(
        self,
        positions: Positions,
        profiles: list[Profile],
        vectors: Integers,
        outcomes: list[list[Floats]],
    ) -> None:
        self.positions, self.profiles = positions, profiles
        self.outcomes, self.gaps = outcomes, Gaps()
        self._shape = outcomes[0][0].shape[1:]  # kept players, columns
        self._width = math.prod(self._shape)
        policies = dict.fromkeys([seat for profile in profiles for seat in profile])
        self._in_round = {
            policy: policy(positions, vectors)
            for policy in policies
            if not isinstance(policy, str)
        }
        self._decisions: tuple[int, dict[InRounds, Hits]] = (-1, {})
        self._values: list[Floats] = []

    def starts(self, places: Sequence[int] | None) -> tuple[list[Floats], Bits | None]:
        """Return the values at the start of a round, shape (decks, players, columns).

        And the decisions, packed, if the `places` are given of their profiles, by the
        seat of the player to move. Layers are taken in portions that stay in the
        caches.
        """
        n, bits = self.positions.rules.players, dict[int, list[Bits]]()
        for by_profile in self._walk(_PORTION_CELLS // self._width):
            in_hands = by_profile[0].in_hands
            if places is not None:
                best: Any = by_profile[places[in_hands % n]].hits
                bits.setdefault(in_hands, []).append(np.packbits(best, axis=0))
        first = len(self.positions.layers[self.positions.first].keys)
        starting = [
            all_players(values[:first].reshape(first, *self._shape), n)
            for values in self._values
        ]
        packed = [part for in_hands in sorted(bits) for part in bits[in_hands]]
        return starting, np.concatenate(packed) if packed else None

    def steps(self) -> Iterator[list[Step]]:
        """Yield whole layers, a step for each profile."""
        return self._walk(None)

    def _walk(self, size: int | None) -> Iterator[list[Step]]:
        """Yield layers, whole or in portions of some size, a step for each profile.

        The values of two layers are held at a time, followed by those of the ends of
        rounds; afterwards those of the first layer are in `_values`.
        """
        positions, n = self.positions, self.positions.rules.players
        here, self._values = (
            [
                np.empty((positions.widest + len(by_seat[0]), self._width))
                for by_seat in self.outcomes
            ]
            for _ in range(2)
        )
        for in_hands in positions.downwards:
            layer, mover = positions.layers[in_hands], in_hands % n
            to_come = slice(layer.following + layer.outcomes)
            for values, by_seat in zip(self._values, self.outcomes, strict=True):
                values[layer.following : to_come.stop] = _flat(by_seat[mover])
            every, follows = (
                slice(0, len(layer.keys)),
                [x[to_come] for x in self._values],
            )
            for some in [every] if size is None else _slices(every, MOST_ROWS):
                hits = self._hits(in_hands, some, follows)
                for rows in [some] if size is None else _slices(some, size):
                    portion = slice(rows.start - some.start, rows.stop - some.start)
                    by_profile: list[Step] = []
                    for place, each in enumerate(hits):
                        step = self._step(
                            in_hands, rows, each[portion], place, by_profile
                        )
                        by_profile.append(step)
                    for values, step in zip(here, by_profile, strict=True):
                        values[rows] = _flat(step.values)
                    yield by_profile
            here, self._values = self._values, here

    def _hits(
        self, in_hands: int, rows: slice, follows: Sequence[Floats]
    ) -> list[Floats]:
        """Return what a hit is worth in some positions, for each profile.

        It follows from the values of the next layer and of the ends of rounds, side by
        side.
        """
        draws = self.positions.layers[in_hands].hit(rows)
        return [(draws @ values).reshape(-1, *self._shape) for values in follows]

    def _step(
        self, in_hands: int, rows: slice, hit: Floats, place: int, before: list[Step]
    ) -> Step:
        """Return the step of a profile, given what a hit is worth."""
        rules, layer = self.positions.rules, self.positions.layers[in_hands]
        tolerance, mover = tolerance_of(rules), in_hands % rules.players
        can_hit, can_fold = layer.can_hit[rows], layer.can_fold[rows]
        if not can_fold.any():  # an empty table, or a deal
            hits, lead = np.ones(hit[:, 0].shape, bool), np.zeros(hit[:, 0].shape)
            return Step(in_hands, layer, rows, hit, hit, lead, hits, hit)
        fold = np.take(self.outcomes[place][mover], layer.fold[rows], axis=0)
        lead = _lead(hit, fold, mover)
        choice = can_hit & can_fold
        behaviour = self.profiles[place][mover]
        if behaviour == BEST:
            self.gaps.look(lead if choice.all() else lead[choice], tolerance)
            eager = rules.tie == "hit"
            hits = lead >= -tolerance if eager else lead > tolerance
        elif isinstance(behaviour, str):  # it copies
            hits = before[0].hits
        else:
            hits = self._hits_of_policy(behaviour, in_hands)[rows]
        if not choice.all() or hits.shape != lead.shape:
            hits = np.where(choice[:, None], hits, can_hit[:, None])
            hits = np.broadcast_to(hits, lead.shape)
        values = np.where(hits[:, None], hit, fold)
        if hits.dtype != np.bool_:  # a player who mixes
            values = hits[:, None] * hit + (1 - hits[:, None]) * fold
        return Step(in_hands, layer, rows, hit, fold, lead, hits, values)

    def _hits_of_policy(self, behaviour: InRounds, in_hands: int) -> Hits:
        """Return where a policy hits in a layer, which it is asked about once."""
        if self._decisions[0] != in_hands:
            self._decisions = in_hands, {}
        answers = self._decisions[1]
        if behaviour not in answers:
            answers[behaviour] = self._in_round[behaviour](in_hands)
        return answers[behaviour]


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
    """Return the chances of all players, on the second axis, from those kept."""
    if chances.shape[1] == players:
        return chances
    last = players - 1 - chances.sum(axis=1, keepdims=True)
    return np.concatenate([chances, last], axis=1)


class DecisionTable:
    """Where to hit: bits for positions in rows, a column for each vector of scores.

    Simulations, and evaluations of solved play as a policy, look decisions up here
    instead of solving the rounds again. Each layer starts with a byte of its own.
    """

    __slots__ = ("_sizes", "_starts", "bits")

    def __init__(self, layers: Sequence[Layer], vectors: int) -> None:
        self._sizes = [len(layer.keys) for layer in layers]
        self._starts = np.cumsum([0] + [-(-size // 8) for size in self._sizes])
        self.bits: Bits = np.zeros((self._starts[-1], vectors), np.uint8)

    def write(self, packed: Bits, columns: NDArray[Any]) -> None:
        """Store the last layers of some vectors of scores, each made by `packed`."""
        self.bits[len(self.bits) - len(packed) :, columns] = packed

    def read(self, in_hands: int, columns: NDArray[Any]) -> NDArray[np.bool_]:
        """Return the decisions of a layer, shape (positions, columns)."""
        start, end = self._starts[in_hands : in_hands + 2]
        rows = self.bits[start:end, columns]
        bits = np.unpackbits(rows, axis=0, count=self._sizes[in_hands])
        return bits.view(np.bool_)

    def places(self, in_hands: int) -> NDArray[np.int64]:
        """Return where the bits of a layer's positions are, for `look_up`."""
        bits: NDArray[np.int64] = 8 * self._starts[in_hands] + np.arange(
            self._sizes[in_hands]
        )
        return bits

    def look_up(
        self, places: NDArray[np.int64], columns: NDArray[Any]
    ) -> NDArray[np.bool_]:
        """Return single decisions, by their places and vectors of scores."""
        bits = self.bits[places >> 3, columns] >> (7 - (places & 7)).astype(np.uint8)
        hits: NDArray[np.bool_] = (bits & 1).view(np.bool_)
        return hits
