"""Backward induction: from the highest scores down, round by round, layer by layer.

Every round adds to some player's score, so vectors of scores with the same total are
independent of each other, and can be solved after those of higher totals. A *block* is
a set of vectors of one total: the columns that `induction` takes through a round side
by side. As seats are counted from the leader of a round, a profile rotates with the
lead: all its rotations, here called turns, are solved together.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import astuple
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import executors
from cardgames_dp._support.checkpoints import Arrays, Checkpoint
from cardgames_dp._support.running import progress_bar, refuse_too_large
from cardgames_dp.pairs._kernels.game import (
    Decisions,
    Floats,
    Returns,
    RuleSet,
    numbers_of,
    tolerance_of,
)
from cardgames_dp.pairs._kernels.induction import (
    BEST,
    Bits,
    Gaps,
    Profile,
    Solver,
    Step,
    optimal,
    scores_of,
    share,
    solved,
    starts,
    steps,
)
from cardgames_dp.pairs._kernels.positions import Dealing, Layer, Positions

_BLOCK_CELLS = 2**19
"""About the number of values of one layer in a block, so that caches are of use."""
_MOST_KEPT = 2**26
"""The most bytes of a table of decisions that is kept while the game is solved."""


class Sweep:
    """The tables of some profiles, while they are being filled and afterwards.

    Parameters
    ----------
    positions : Positions
    profiles : sequence of Profile
        If a seat copies optimal play, the first is that of all seats. Turns are added.
    returns : callable, optional
        A function from final scores to returns, both of shape (ends, players), with the
        seats in any rotation; 1 for winning and 0 for losing if not given.

    Attributes
    ----------
    tables : list of ndarray, shape (decks, vectors of scores, players)
        For each profile the chances of winning, from the leader on, at the start of a
        round. Vectors of scores are numbered in base `target`, leader first.
    gaps : Gaps
        Of the first profile.
    first : int
        The first layer of a round: that after the deal if the lowest card leads.
    """

    def __init__(
        self,
        positions: Positions,
        profiles: Sequence[Profile],
        returns: Returns | None = None,
    ) -> None:
        self.positions = positions
        self.rules: RuleSet = positions.rules
        n = self.rules.players
        self.profiles: list[Profile] = []
        for profile in profiles:
            for by in range(n):
                turned = profile[by:] + profile[:by]
                if turned not in self.profiles:
                    self.profiles.append(turned)
        self.returns = returns
        self.tables: list[Floats] = []
        self.gaps = Gaps()
        self._decisions: DecisionTable | None = None
        self.first = 0 if self.rules.first == "rotation" else n

    @functools.cached_property
    def dealing(self) -> Dealing | None:
        """The deal, if the lowest card leads."""
        return None if self.rules.first == "rotation" else Dealing(self.positions)

    @property
    def deciding(self) -> list[int]:
        """The place of the profile, by seat, in which that seat does what is best."""
        return [
            next(i for i, plays in enumerate(self.profiles) if plays[seat] == BEST)
            for seat in range(self.rules.players)
        ]

    @property
    def tolerance(self) -> float:
        """The largest difference of chances that counts as a tie."""
        return tolerance_of(self.rules)

    def __repr__(self) -> str:
        return f"Sweep({self.rules!r}, profiles={len(self.profiles)})"

    @classmethod
    def filled(
        cls,
        rules: RuleSet,
        tables: Sequence[Floats],
        profiles: Sequence[Profile] | None = None,
        returns: Returns | None = None,
    ) -> Sweep:
        """Return one whose tables are known: of optimal play, or a profile's turns."""
        known = profiles or [optimal(rules.players)]
        sweep = cls(Positions(rules), known[:1], returns)
        sweep.tables = [tables[known.index(profile)] for profile in sweep.profiles]
        return sweep

    def index(self, scores: NDArray[Any]) -> NDArray[np.int64]:
        """Return the numbers of vectors of scores, shape (..., players)."""
        return numbers_of(self.rules, scores)

    def vectors(self) -> list[NDArray[np.int64]]:
        """Return all vectors of scores, shape (vectors, players), by their totals."""
        n, target = self.rules.players, self.rules.target
        every = np.indices((target,) * n).reshape(n, -1).T
        totals = every.sum(axis=1)
        return [every[totals == total] for total in range(n * (target - 1) + 1)]

    def blocks(self, vectors: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Return vectors of one total in portions of a sensible size."""
        n = self.rules.players
        portions = -(-len(vectors) // self.columns)
        if self.dealing is None:
            return np.array_split(vectors, portions)
        # The deal mixes a vector with its turns: they stay together.
        turns = [self.index(np.roll(vectors, by, axis=1)) for by in range(n)]
        smallest = np.min(turns, axis=0)
        together = np.array_split(np.unique(smallest), portions)
        return [vectors[np.isin(smallest, some)] for some in together if len(some)]

    def all_blocks(self) -> Iterator[NDArray[np.int64]]:
        """Yield all vectors of scores in portions, low totals first."""
        for vectors in self.vectors():
            yield from self.blocks(vectors)

    def run(
        self,
        executor: Executor | None = None,
        *,
        keep_decisions: bool = False,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        """Fill the tables, blocks side by side if there is an executor.

        The best decisions are kept on request, if a table of them is small. With a
        checkpoint, which does not have them, the tables are saved after each total, and
        those that it has are not made again.
        """
        self.refuse_too_much()
        vectors = self.rules.target**self.rules.players
        shape = (self.positions.decks, vectors, self.rules.players)
        self.tables = [np.zeros(shape) for _ in self.profiles]
        kept = None
        if keep_decisions and self.decisions_bytes <= _MOST_KEPT:
            kept = self.deciding
            self._decisions = self._no_decisions()
        todo = self.vectors()[::-1]
        totals = 0 if checkpoint is None else self.restore(checkpoint.load())
        total = self.positions.size * sum(map(len, todo))
        share(self.positions)
        spread = executors.over(
            solved, (self._solver(), kept), executor=executor, name=scores_of
        )
        with progress_bar(total, "positions") as bar:
            if bar is not None:
                bar.update(self.positions.size * sum(map(len, todo[:totals])))
            for number in range(totals, len(todo)):
                blocks = self.blocks(todo[number])
                items = ((block, self.outcomes(block)) for block in blocks)
                for place, found in spread(items):
                    self._take_in(blocks[place], *found)
                    if bar is not None:
                        bar.update(self.positions.size * len(blocks[place]))
                if checkpoint is not None:
                    checkpoint.save(self._state(number + 1))

    def refuse_too_much(self) -> None:
        """Refuse what would not fit in memory."""
        positions, vectors = self.positions, self.rules.target**self.rules.players
        rows = positions.widest + len(self.rules.ranks) * positions.decks
        instead = "use a smaller deck or target, or simulate(...), which needs no table"
        refuse_too_large(
            f"a table of {positions.decks} x {vectors} starts of rounds",
            8 * positions.decks * vectors * self.rules.players * len(self.profiles),
            instead,
        )
        refuse_too_large(
            f"two layers of up to {positions.widest} positions",
            2 * 8 * rows * self._kept * self.columns * len(self.profiles),
            instead,
        )

    def _take_in(
        self,
        block: NDArray[np.int64],
        values_of: list[Floats],
        gaps: Gaps,
        bits: Bits | None,
    ) -> None:
        """Enter a block that has been solved."""
        columns = self.index(block)
        self.gaps.add(gaps)
        if bits is not None and self._decisions is not None:
            self._decisions.write(bits, columns)
        for table, values in zip(self.tables, values_of, strict=True):
            table[self.positions.layers[0].keys[:, None], columns] = values.swapaxes(
                1, 2
            )

    def _state(self, totals: int) -> Arrays:
        """Return the tables after some totals, for a checkpoint."""
        return {
            "totals": np.array(totals),
            "tables": np.array(self.tables),
            "gaps": np.array(astuple(self.gaps)),
        }

    def restore(self, state: Arrays | None) -> int:
        """Take over a checkpoint, and return how many totals it has."""
        if state is None:
            return 0
        self.tables = list(state["tables"])
        ties, largest_tie, smallest_lead, doubtful = state["gaps"].tolist()
        self.gaps = Gaps(int(ties), largest_tie, smallest_lead, int(doubtful))
        return int(state["totals"])

    def hits(self, vectors: NDArray[np.int64]) -> dict[int, Decisions]:
        """Return what is best in rounds with some vectors of scores, leader first.

        Shape (positions, vectors) for each layer, by its number.
        """
        table = self._decisions
        if table is None:
            found: Any = {x.in_hands: x.hits for x in self._best_steps(vectors)}
            return found  # type: ignore[no-any-return]  # the best does not mix
        columns = self.index(vectors)
        layers = range(self.first, len(self.positions.layers))
        return {in_hands: table.read(in_hands, columns) for in_hands in layers}

    def bits(self, vectors: NDArray[np.int64]) -> Bits:
        """Return what is best in rounds with some vectors of scores, for a table."""
        task = self._solver(), self.deciding, vectors, self.outcomes(vectors)
        bits = starts(*task)[2]
        assert bits is not None
        return bits

    def decisions(self) -> DecisionTable:
        """Return what is best everywhere, made now if it was not kept.

        Raises
        ------
        TooLargeError
            If it would not fit in memory.
        """
        if self._decisions is not None:
            return self._decisions
        table = self._no_decisions()
        total = self.positions.size * self.tables[0].shape[1]
        with progress_bar(total, "positions") as bar:
            for block in self.all_blocks():
                table.write(self.bits(block), self.index(block))
                if bar is not None:
                    bar.update(self.positions.size * len(block))
        if self.decisions_bytes <= _MOST_KEPT:
            self._decisions = table
        return table

    def steps(
        self, vectors: NDArray[np.int64], positions: Positions | None = None
    ) -> Iterator[list[Step]]:
        """Yield the layers of a block from the fullest hands, a step for each profile.

        The tables of higher totals must be filled. All positions are looked at, or
        those given: one and what follows it.
        """
        solver = self._solver()
        if positions is not None:
            solver = solver._replace(positions=positions)
        return steps(solver, vectors, self.outcomes(vectors))

    def _best_steps(self, vectors: NDArray[np.int64]) -> Iterator[Step]:
        """Yield layers as the profile has them in which the player to move is free."""
        deciding, n = self.deciding, self.rules.players
        for by_profile in self.steps(vectors):
            yield by_profile[deciding[by_profile[0].in_hands % n]]

    @property
    def decisions_bytes(self) -> int:
        """How many bytes the table of `decisions` takes."""
        return DecisionTable.bytes(self.positions.layers, self.tables[0].shape[1])

    def _no_decisions(self) -> DecisionTable:
        return DecisionTable(self.positions.layers, self.tables[0].shape[1])

    @functools.cached_property
    def columns(self) -> int:
        """How many vectors of scores a block holds, about."""
        widest = self.positions.widest
        return max(_BLOCK_CELLS // (widest * self.rules.players), 16)

    @property
    def _kept(self) -> int:
        """How many players' chances are carried: the last one's follow from the sum."""
        add_up = self.returns is None and self.rules.reshuffle != "essay"
        return self.rules.players - add_up

    def _solver(self) -> Solver:
        return Solver(self.positions, self.profiles, self.dealing)

    def outcomes(self, vectors: NDArray[np.int64]) -> list[list[Floats]]:
        """Return what ends of rounds are worth.

        Returns
        -------
        list of lists of ndarray, shape (ranks * decks, kept players, columns)
            For each profile, and for each seat that may end the round.
        """
        rules, n, target = self.rules, self.rules.players, self.rules.target
        shape = (len(rules.ranks), self.positions.decks, n, len(vectors))
        result: list[list[Floats]] = []
        for profile in self.profiles:
            by_seat = []
            for seat in range(n):
                lead = (seat + 1) % n
                turned = profile[lead:] + profile[:lead]
                table = self.tables[self.profiles.index(turned)]
                worth = np.empty(shape)
                for index, rank in enumerate(rules.ranks):
                    scores = vectors.copy()
                    scores[:, seat] += rank
                    lost = scores[:, seat] >= target
                    ends = scores[lost]
                    scores[lost] = 0
                    after = table[:, self.index(np.roll(scores, -lead, axis=1))]
                    worth[index] = np.roll(after, lead, axis=2).swapaxes(1, 2)
                    won = self.returns(ends) if self.returns else ends < target
                    worth[index][..., lost] = won.T
                rows = worth.reshape(-1, n, len(vectors))
                by_seat.append(np.ascontiguousarray(rows[:, : self._kept]))
            result.append(by_seat)
        return result


class DecisionTable:
    """Where to hit: bits for positions in rows, a column for each vector of scores.

    The values at the start of every round are a small table, from which decisions
    follow round by round. Simulations, and evaluations of solved play as a policy, need
    those of many rounds, and look them up here instead of solving the rounds again.
    Each layer starts with a byte of its own.

    Parameters
    ----------
    layers : sequence of Layer
        Of the positions.
    vectors : int
        How many vectors of scores there are.
    """

    __slots__ = ("_sizes", "_starts", "bits")

    def __init__(self, layers: Sequence[Layer], vectors: int) -> None:
        self._sizes = [len(layer.keys) for layer in layers]
        self._starts = _starts(self._sizes)
        self.bits: Bits = np.zeros((self._starts[-1], vectors), np.uint8)

    @staticmethod
    def bytes(layers: Sequence[Layer], vectors: int) -> int:
        """Return the bytes that a table takes."""
        return int(_starts([len(layer.keys) for layer in layers])[-1]) * vectors

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
        return bits_at(self.bits[places >> 3, columns], places)


def bits_at(found: Bits, places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the bits of places in their bytes."""
    bits = found >> (7 - (places & 7)).astype(np.uint8)
    hits: NDArray[np.bool_] = (bits & 1).view(np.bool_)
    return hits


def _starts(sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return the first byte of each layer, and where the last one ends."""
    return np.cumsum([0] + [-(-size // 8) for size in sizes])
