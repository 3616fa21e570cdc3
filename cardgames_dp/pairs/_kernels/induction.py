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
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.pairs._kernels.dealing import Dealing
from cardgames_dp.pairs._kernels.decisions import Bits, packed
from cardgames_dp.pairs._kernels.positions import Layer, Positions
from cardgames_dp.pairs.policies import ByRounds, Decide, Decisions, view_of

Floats: TypeAlias = NDArray[np.float64]

BEST: Final = "best"
"""How a seat plays that does what is best for it in its own profile."""
COPY: Final = "copy"
"""How a seat plays that does what is best where all play so: the first profile."""

Behaviour: TypeAlias = str | Decide
"""How a seat plays: `BEST`, `COPY` or a function of views."""

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


class Said(dict[tuple[int, int], Decisions]):
    """What policies that do not look at scores have said, by their `id` and layer.

    Another process, which knows them by other numbers, starts anew.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return Said, ()


class Solver(NamedTuple):
    """What it takes to solve a block, given what the ends of rounds are worth."""

    positions: Positions
    profiles: list[Profile]
    tolerance: float
    dealing: Dealing | None
    said: Said

    def says(
        self, how: Decide, vectors: NDArray[np.int64]
    ) -> Callable[[int], Decisions]:
        """Return what a policy says in each layer, by its number.

        Shape (positions, vectors) or (positions, 1): where to hit. A policy that does
        not look at the scores is asked once for each layer, one that knows rounds once
        for all layers.
        """
        if isinstance(how, ByRounds):
            return how.in_round(self.positions, vectors)
        return partial(self._asked, how, vectors)

    def _asked(
        self, how: Decide, vectors: NDArray[np.int64], in_hands: int
    ) -> Decisions:
        known = self.said.get((id(how), in_hands))
        if known is None:
            layer, mover = self.positions.layers[in_hands], in_hands % vectors.shape[1]
            known = how(view_of(self.positions, layer, mover, vectors))
            if known.ndim == 2:
                return known
            self.said[id(how), in_hands] = known
        return known[:, None]


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
    for done in steps(solver, vectors, outcomes, gaps):
        if kept is not None:
            in_hands = done[0].in_hands
            bits.append(packed(done[kept[in_hands % len(kept)]].hits))
    n = solver.positions.rules.players
    values = [all_players(step.values, n) for step in done]
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
    positions, profiles, tolerance, dealing, _ = solver
    rules = positions.rules
    n, (kept, columns) = rules.players, outcomes[0][0].shape[1:]
    before = [np.empty((0, kept, columns)) for _ in profiles]
    policies = {id(how): how for profile in profiles for how in profile}
    says = {
        number: solver.says(how, vectors)
        for number, how in policies.items()
        if not isinstance(how, str)
    }
    first = 0 if dealing is None else n
    for in_hands in range(len(positions.layers) - 1, first - 1, -1):
        layer, mover = positions.layers[in_hands], in_hands % n
        choice = layer.can_hit & layer.can_fold
        done: list[Step] = []
        for profile, after, worth in zip(profiles, before, outcomes, strict=True):
            what_follows = np.concatenate([after, worth[mover]])
            hit = layer.hit @ what_follows.reshape(len(what_follows), -1)
            hit = hit.reshape(-1, kept, columns)
            if not layer.can_fold.any():  # an empty table, or a deal
                hits = np.ones((len(hit), columns), bool)
                lead = np.zeros((len(hit), columns))
                done.append(Step(in_hands, layer, hit, hit, lead, hits, hit))
                continue
            fold = worth[mover][layer.fold]
            lead = _lead(hit, fold, mover)
            how = profile[mover]
            if how == BEST:
                if not done:
                    gaps.look(lead if choice.all() else lead[choice], tolerance)
                hits = lead >= -tolerance if rules.tie == "hit" else lead > tolerance
            elif how == COPY:
                hits = done[0].hits
            else:
                hits = says[id(how)](in_hands)
            if not choice.all() or hits.shape != lead.shape:
                hits = np.where(choice[:, None], hits, layer.can_hit[:, None])
                hits = np.broadcast_to(hits, lead.shape)
            values = np.where(hits[:, None], hit, fold)
            done.append(Step(in_hands, layer, hit, fold, lead, hits, values))
        yield done
        before = [step.values for step in done]


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
