"""Backward induction: from the highest scores down, round by round, layer by layer.

Every round adds to somebody's score, so vectors of scores with the same total are
independent of each other, and all are solved once those of higher totals are. Within
a round the layers of `cardgames_dp.pairs.positions` are taken from the fullest hands
to the empty table. A *block* is some vectors of one total; they are columns that go
through the same sparse products side by side.

Several *profiles*, each of which says how every seat plays, are carried along at once,
each with its own values. A seat that plays optimally looks at those of its own profile,
which makes it the best response if the others do not. One that keeps to what is optimal
where all play so, whatever the others do, copies the decisions of the first profile. As
seats are counted from the leader of a round, a profile turns with the lead: all turns
of it are carried.

Chances of winning add up to n - 1, so those of the last seat are not carried along. For
the essay's rules they are, as its program does: in its arithmetic the sums do not quite
hold, and where it runs out of cards they do not hold at all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._extras import progress_bar
from cardgames_dp.diagonal import refuse_too_large
from cardgames_dp.pairs.dealing import Dealing
from cardgames_dp.pairs.policies import Decide, Decisions, view_of
from cardgames_dp.pairs.positions import Layer, Positions
from cardgames_dp.pairs.rules import Rules

Floats: TypeAlias = NDArray[np.float64]

BEST: Final = "best"
"""How a seat plays that does what is best for it in its own profile."""
COPY: Final = "copy"
"""How a seat plays that does what is best where all play so: the first profile."""

Behaviour: TypeAlias = str | Decide
"""How a seat plays: `BEST`, `COPY` or a function of views."""

Profile: TypeAlias = tuple[Behaviour, ...]
"""How each seat plays, from the leader on."""

_BLOCK_CELLS = 2**19
"""About how many values of one layer a block holds, so that caches are of some use."""

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


class Sweep:
    """The tables of some profiles, while they are being filled and afterwards.

    Parameters
    ----------
    positions : Positions
    profiles : sequence of Profile
        If a seat copies optimal play, the first is that of all seats. Turns are added.
    tolerance : float
        Chances that differ by so much at most are taken for equal.
    max_bytes : int, optional
        The most memory for the tables; half of this machine's if not given.

    Attributes
    ----------
    tables : list of ndarray, shape (decks, vectors of scores, players)
        For each profile the chances of winning, from the leader on, at the start of a
        round. Vectors of scores are numbered in base `target`, leader first.
    gaps : Gaps
        Of the first profile.
    """

    def __init__(
        self,
        positions: Positions,
        profiles: Sequence[Profile],
        tolerance: float,
        max_bytes: int | None = None,
    ) -> None:
        self.positions, self.tolerance = positions, tolerance
        self.rules: Rules = positions.rules
        n, target = self.rules.players, self.rules.losing_score
        self.profiles: list[Profile] = []
        for profile in profiles:
            for by in range(n):
                turned = profile[by:] + profile[:by]
                if turned not in self.profiles:
                    self.profiles.append(turned)
        vectors = target**n
        refuse_too_large(
            f"a table of {positions.decks} x {vectors} starts of rounds",
            positions.decks * vectors * n * 8 * len(self.profiles),
            "use a smaller deck or target, or simulate(...), which needs no table",
            max_bytes,
        )
        shape = (positions.decks, vectors, n)
        self.tables = [np.zeros(shape) for _ in self.profiles]
        self.gaps = Gaps()
        self._said: dict[tuple[int, int], Decisions] = {}
        self.dealing = Dealing(positions) if self.rules.first == "lowest" else None

    def index(self, scores: NDArray[Any]) -> NDArray[np.int64]:
        """Return the numbers of vectors of scores, shape (..., players)."""
        powers = self.rules.losing_score ** np.arange(self.rules.players)[::-1]
        numbers: NDArray[np.int64] = scores @ powers
        return numbers

    def vectors(self) -> list[NDArray[np.int64]]:
        """Return all vectors of scores, shape (vectors, players), by their totals."""
        n, target = self.rules.players, self.rules.losing_score
        powers = target ** np.arange(n)[::-1]
        every = np.arange(target**n)[:, None] // powers % target
        totals = every.sum(axis=1)
        order = np.argsort(totals, kind="stable")
        ends = np.cumsum(np.bincount(totals))[:-1]
        return np.split(every[order], ends)

    def blocks(self, vectors: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Return vectors of one total in portions of a sensible size."""
        if self.dealing is not None:  # the deal mixes a vector with its turns
            return [vectors]
        widest = max([len(layer.keys) for layer in self.positions.layers])
        columns = max(_BLOCK_CELLS // (widest * self.rules.players), 8)
        return np.array_split(vectors, -(-len(vectors) // columns))

    def run(self, *, progress: bool, executor: Executor | None) -> None:
        """Fill the tables."""
        todo = self.vectors()[::-1]
        apply: Callable[..., Any] = map if executor is None else executor.map
        total = self.positions.size * sum(map(len, todo))
        with progress_bar(total, "positions", shown=progress) as bar:
            for vectors in todo:
                blocks = self.blocks(vectors)
                solve = partial(_starts, self._solver())
                outcomes = map(self.outcomes, blocks)
                for block, (starts, gaps) in zip(
                    blocks, apply(solve, blocks, outcomes), strict=True
                ):
                    self.gaps.add(gaps)
                    for table, values in zip(self.tables, starts, strict=True):
                        columns = self.index(block)
                        table[self._start_decks[:, None], columns] = values.swapaxes(
                            1, 2
                        )
                    if bar is not None:
                        bar.update(self.positions.size * len(block))

    def steps(self, vectors: NDArray[np.int64]) -> Iterator[list[Step]]:
        """Yield the layers of a block from the fullest hands, a step for each profile.

        The tables of higher totals must be filled.
        """
        return steps(self._solver(), vectors, self.outcomes(vectors), Gaps())

    @property
    def _kept(self) -> int:
        """How many players' chances are carried: the last one's follow from the sum."""
        return self.rules.players - (self.rules.reshuffle != "essay")

    @property
    def _start_decks(self) -> NDArray[np.int64]:
        return self.positions.layers[0].keys

    def _solver(self) -> Solver:
        return Solver(
            self.positions, self.profiles, self.tolerance, self.dealing, self._said
        )

    def outcomes(self, vectors: NDArray[np.int64]) -> list[list[Floats]]:
        """Return what ends of rounds are worth.

        Returns
        -------
        list of lists of ndarray, shape (ranks * decks, kept players, columns)
            For each profile, and for each seat that may end the round.
        """
        rules = self.rules
        n = rules.players
        result: list[list[Floats]] = []
        for profile in self.profiles:
            by_seat = []
            for seat in range(n):
                lead = (seat + 1) % n
                turned = profile[lead:] + profile[:lead]
                table = self.tables[self.profiles.index(turned)]
                worth = np.empty(
                    (len(rules.ranks), self.positions.decks, n, len(vectors))
                )
                for index, rank in enumerate(rules.ranks):
                    scores = vectors.copy()
                    scores[:, seat] += rank
                    lost = scores[:, seat] >= rules.losing_score
                    scores[lost] = 0
                    after = table[:, self.index(np.roll(scores, -lead, axis=1))]
                    worth[index] = np.roll(after, lead, axis=2).swapaxes(1, 2)
                    worth[index][..., lost] = (np.arange(n) != seat)[:, None]
                rows = worth.reshape(-1, n, len(vectors))
                by_seat.append(np.ascontiguousarray(rows[:, : self._kept]))
            result.append(by_seat)
        return result


class Solver(NamedTuple):
    """What it takes to solve a block, given what the ends of rounds are worth."""

    positions: Positions
    profiles: list[Profile]
    tolerance: float
    dealing: Dealing | None
    said: dict[tuple[int, int], Decisions]

    def says(self, how: Decide, in_hands: int, vectors: NDArray[np.int64]) -> Decisions:
        """Return where a policy hits, shape (positions, vectors) or (positions, 1).

        A policy that does not look at the scores is asked once for each layer.
        """
        known = self.said.get((id(how), in_hands))
        if known is None:
            layer, mover = self.positions.layers[in_hands], in_hands % vectors.shape[1]
            known = how(view_of(self.positions, layer, mover, vectors))
            if known.ndim == 2:
                return known
            self.said[id(how), in_hands] = known
        return known[:, None]


def _starts(
    solver: Solver, vectors: NDArray[np.int64], outcomes: list[list[Floats]]
) -> tuple[list[Floats], Gaps]:
    """Return the values at the start of a round, shape (decks, columns, players)."""
    gaps = Gaps()
    last = deque(steps(solver, vectors, outcomes, gaps), maxlen=1).pop()
    n = solver.positions.rules.players
    values = [all_players(step.values, n) for step in last]
    if solver.dealing is not None:
        values = solver.dealing.values_before(solver.profiles, values, vectors)
    return values, gaps


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
                hits = solver.says(how, in_hands, vectors)  # type: ignore[arg-type]
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
