"""Backward induction within a round, layer by layer, for many scores side by side.

The layers of `positions` are taken from the fullest hands to the empty table. Several
*profiles*, each of which says how every seat plays, are carried along at once, each
with its own values. A seat that plays optimally looks at those of its own profile,
which makes it the best response if the others do not. One that keeps to what is optimal
where all play so, whatever the others do, copies the decisions of the first profile.

Chances of winning add up to n - 1, so those of the last seat are not carried along. For
the essay's rules they are, as its program does: in its arithmetic the sums do not quite
hold, and where it runs out of cards they do not hold at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.pairs._kernels.dealing import Dealing
from cardgames_dp.pairs._kernels.decisions import Bits, packed
from cardgames_dp.pairs._kernels.positions import Layer, Positions
from cardgames_dp.pairs._kernels.setting import Decisions, Floats, Integers

BEST: Final = "best"
"""How a seat plays that does what is best for it in its own profile."""
COPY: Final = "copy"
"""How a seat plays that does what is best where all play so: the first profile."""


class InRounds(Protocol):
    """A policy, asked about rounds."""

    def in_round(
        self, positions: Positions, vectors: Integers
    ) -> Callable[[int], Decisions]:
        """Return where to hit in rounds with some vectors of scores, leader first.

        A function of the layer's number. Its answers are of shape (positions, vectors),
        or (positions, 1) if the scores do not matter.
        """


Behaviour: TypeAlias = str | InRounds
"""How a seat plays: `BEST`, `COPY` or a policy."""

Profile: TypeAlias = tuple[Behaviour, ...]
"""How each seat plays, from the leader on."""

DOUBT = (1e-14, 1e-9)
"""Differences between hit and fold of which one could doubt whether they are ties."""


def optimal(players: int) -> Profile:
    """Return the profile in which all seats play optimally."""
    return (BEST,) * players


class Step(NamedTuple):
    """A layer, solved for one profile and one block.

    Attributes
    ----------
    in_hands : int
        The layer's number, how many cards are in hands.
    layer : Layer
    hit, fold : ndarray of float64, shape (positions, kept players, columns)
        Chances of winning, from the leader on, after either action; without meaning
        where it is not allowed. See `all_players`.
    lead : ndarray of float64, shape (positions, columns)
        By how much a hit is better for the player to move.
    hits : ndarray of bool, shape (positions, columns)
        What is done.
    values : ndarray of float64, shape (positions, kept players, columns)
        Chances of winning.
    """

    in_hands: int
    layer: Layer
    hit: Floats
    fold: Floats
    lead: Floats
    hits: NDArray[np.bool_]
    values: Floats


@dataclass(slots=True)
class Gaps:
    """How clear the decisions are, over positions where there is a choice.

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
        """Take those of another block in."""
        self.ties += other.ties
        self.largest_tie = max(self.largest_tie, other.largest_tie)
        self.smallest_lead = min(self.smallest_lead, other.smallest_lead)
        self.doubtful += other.doubtful

    def look(self, differences: Floats, tolerance: float) -> None:
        """Take differences in."""
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
    """What it takes to solve a block, given what the ends of rounds are worth."""

    positions: Positions
    profiles: list[Profile]
    tolerance: float
    dealing: Dealing | None


def starts(
    solver: Solver,
    kept: Sequence[int] | None,
    vectors: NDArray[np.int64],
    outcomes: list[list[Floats]],
) -> tuple[list[Floats], Gaps, Bits | None]:
    """Return the values at the start of a round, shape (decks, columns, players).

    And how clear decisions were; and the decisions themselves, packed, if `kept` says
    of which profile, by the seat of the player to move.
    """
    gaps = Gaps()
    bits: list[Bits] = []
    for by_profile in steps(solver, vectors, outcomes, gaps):
        if kept is not None:
            in_hands = by_profile[0].in_hands
            bits.append(packed(by_profile[kept[in_hands % len(kept)]].hits))
    n = solver.positions.rules.players
    values = [all_players(step.values, n) for step in by_profile]
    if solver.dealing is not None:
        values = solver.dealing.values_before(solver.profiles, values, vectors)
    return values, gaps, np.concatenate(bits[::-1]) if bits else None


def steps(
    solver: Solver,
    vectors: NDArray[np.int64],
    outcomes: list[list[Floats]],
    gaps: Gaps,
) -> Iterator[list[Step]]:
    """Yield the layers of a block from the fullest hands, a step for each profile.

    With a deal of which the lowest card leads, up to the first layer after the deal.
    """
    positions, profiles, tolerance, dealing = solver
    rules = positions.rules
    n, (kept, columns) = rules.players, outcomes[0][0].shape[1:]
    before = [np.empty((0, kept, columns)) for _ in profiles]
    policies = {id(seat): seat for profile in profiles for seat in profile}
    decisions_of = {
        number: policy.in_round(positions, vectors)
        for number, policy in policies.items()
        if not isinstance(policy, str)
    }
    first = 0 if dealing is None else n
    for in_hands in range(len(positions.layers) - 1, first - 1, -1):
        layer, mover = positions.layers[in_hands], in_hands % n
        choice = layer.can_hit & layer.can_fold
        by_profile: list[Step] = []
        for profile, after, worth in zip(profiles, before, outcomes, strict=True):
            what_follows = np.concatenate([after, worth[mover]])
            hit = layer.hit @ what_follows.reshape(len(what_follows), -1)
            hit = hit.reshape(-1, kept, columns)
            if not layer.can_fold.any():  # an empty table, or a deal
                hits = np.ones((len(hit), columns), bool)
                lead = np.zeros((len(hit), columns))
                by_profile.append(Step(in_hands, layer, hit, hit, lead, hits, hit))
                continue
            fold = worth[mover][layer.fold]
            lead = _lead(hit, fold, mover)
            behaviour = profile[mover]
            if behaviour == BEST:
                if not by_profile:
                    gaps.look(lead if choice.all() else lead[choice], tolerance)
                hits = lead >= -tolerance if rules.tie == "hit" else lead > tolerance
            elif behaviour == COPY:
                hits = by_profile[0].hits
            else:
                hits = decisions_of[id(behaviour)](in_hands)
            if not choice.all() or hits.shape != lead.shape:
                hits = np.where(choice[:, None], hits, layer.can_hit[:, None])
                hits = np.broadcast_to(hits, lead.shape)
            values = np.where(hits[:, None], hit, fold)
            by_profile.append(Step(in_hands, layer, hit, fold, lead, hits, values))
        yield by_profile
        before = [step.values for step in by_profile]


def _lead(hit: Floats, fold: Floats, mover: int) -> Floats:
    """Return by how much a hit is better for the player to move."""
    if mover < hit.shape[1]:
        return hit[:, mover] - fold[:, mover]
    if mover == 1:  # of two players: what the other one loses
        return fold[:, 0] - hit[:, 0]
    others: Floats = (fold - hit).sum(axis=1)
    return others


def all_players(chances: Floats, players: int) -> Floats:
    """Return chances of winning of all players, from those that are kept.

    Shape (rows, players, columns).
    """
    if chances.shape[1] == players:
        return chances
    last = players - 1 - chances.sum(axis=1, keepdims=True)
    return np.concatenate([chances, last], axis=1)
