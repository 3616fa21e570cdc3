"""Backward induction: from the highest scores down, round by round, layer by layer.

Every round adds to somebody's score, so vectors of scores with the same total are
independent of each other, and all are solved once those of higher totals are. A *block*
is some vectors of one total; they are the columns that `cardgames_dp.pairs.induction`
takes through a round side by side. As seats are counted from the leader of a round, a
profile of how the seats play turns with the lead: all turns of it are carried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._extras import progress_bar
from cardgames_dp.diagonal import refuse_too_large
from cardgames_dp.pairs.dealing import Dealing
from cardgames_dp.pairs.induction import (
    Floats,
    Gaps,
    Profile,
    Solver,
    Step,
    starts,
    steps,
)
from cardgames_dp.pairs.policies import Decide, Decisions
from cardgames_dp.pairs.positions import Positions
from cardgames_dp.pairs.rules import Rules

_BLOCK_CELLS = 2**19
"""About how many values of one layer a block holds, so that caches are of some use."""


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

    def __repr__(self) -> str:
        return (
            f"<pairs.Sweep of {self.positions.size} positions with "
            f"{self.tables[0].shape[1]} vectors of scores>"
        )

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
        widest = max([len(layer.keys) for layer in self.positions.layers])
        n = self.rules.players
        columns = max(_BLOCK_CELLS // (widest * n), 8)
        portions = -(-len(vectors) // columns)
        if self.dealing is None:
            return np.array_split(vectors, portions)
        # The deal mixes a vector with its turns: they stay together.
        turns = [self.index(np.roll(vectors, by, axis=1)) for by in range(n)]
        smallest = np.min(turns, axis=0)
        together = np.array_split(np.unique(smallest), portions)
        return [vectors[np.isin(smallest, some)] for some in together if len(some)]

    def run(self, side_by_side: Callable[..., Any], *, progress: bool) -> None:
        """Fill the tables; `side_by_side` is `map` or that of an executor."""
        todo = self.vectors()[::-1]
        total = self.positions.size * sum(map(len, todo))
        with progress_bar(total, "positions", shown=progress) as bar:
            for vectors in todo:
                blocks = self.blocks(vectors)
                solve = partial(starts, self._solver())
                outcomes = map(self.outcomes, blocks)
                for block, (values_of, gaps) in zip(
                    blocks, side_by_side(solve, blocks, outcomes), strict=True
                ):
                    self.gaps.add(gaps)
                    for table, values in zip(self.tables, values_of, strict=True):
                        columns = self.index(block)
                        table[self._start_decks[:, None], columns] = values.swapaxes(
                            1, 2
                        )
                    if bar is not None:
                        bar.update(self.positions.size * len(block))

    def says(self, how: Decide, in_hands: int, vectors: NDArray[np.int64]) -> Decisions:
        """Return where a policy hits, shape (positions, vectors) or (positions, 1)."""
        return self._solver().says(how, in_hands, vectors)

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
