"""All rounds of a game: backward from the highest scores, and forward from the start.

Every round adds to some player's score, so vectors of scores with the same total are
independent of each other, and can be solved after those of higher totals. A *block* is
a set of vectors of one total: the columns that `induction` takes through a round side
by side. As seats are counted from the leader of a round, a profile rotates with the
lead: all its rotations, here called turns, are solved together.

Forward, the weights of starts of rounds flow through the layers, by the transposed
sparse matrices, to the starts of later rounds.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import astuple
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import scipy  # its parts are loaded when they are used

from cardgames_dp._support import executors
from cardgames_dp._support.checkpoints import Arrays, Checkpoint
from cardgames_dp._support.running import progress_bar, refuse_too_large, with_progress
from cardgames_dp.pairs._kernels import induction
from cardgames_dp.pairs._kernels.positions import Positions, share, weights_after
from cardgames_dp.pairs.rules import (
    Decisions,
    Floats,
    Goal,
    Integers,
    Rules,
    in_arrays,
    numbers_of,
    tolerance_of,
    vectors_of,
)

_BLOCK_CELLS = 2**19
"""About the number of values of one layer in a block, so that caches are of use."""
_MOST_KEPT = 2**26
"""The most bytes of a table of decisions that is kept while the game is solved."""


class Passed(NamedTuple):
    """How often the positions of a layer are reached, by steps, one for each profile.

    `visits`, `hits` and `folds`, of shape (positions, columns), are the expected
    numbers of visits, and of those followed by either action; `pairs` and `ends`, of
    shape (ranks * decks, columns), those of rounds that end here by pairs and by folds.
    """

    steps: list[induction.Step]
    visits: Floats
    hits: Floats
    folds: Floats
    pairs: Floats
    ends: Floats


Flow: TypeAlias = tuple[int, Integers, float, list[Passed]]
"""How often the positions of rounds with some vectors of scores are reached.

The seat of the player who is followed, counted from the leader; the vectors, leader
first; the expected number of such rounds; and the layers, beginning with the first of a
round.
"""


class Sweep:
    """The tables of some profiles, while they are being filled and afterwards.

    If a seat copies optimal play, the first profile must be that of all seats; turns
    are added. `played` is the last one given.

    For each profile, `tables` has an array of shape (decks, vectors of scores,
    players): the chances of winning, from the leader on, at the start of a round.
    `index` numbers vectors of scores in base `target`, leader first. `gaps` are those
    of all seats that do what is best, and differences up to `tolerance` count as ties.
    """

    def __init__(
        self,
        positions: Positions,
        profiles: Sequence[induction.Profile],
        goal: Goal = "win",
    ) -> None:
        self.positions = positions
        self.rules: Rules = positions.rules
        n = self.rules.players
        self.profiles: list[induction.Profile] = []
        for profile in profiles:
            for by in range(n):
                turned = profile[by:] + profile[:by]
                if turned not in self.profiles:
                    self.profiles.append(turned)
        self.played = profiles[-1]
        self.goal, self.returns = goal, in_arrays(self.rules, goal)
        self.tolerance = tolerance_of(self.rules)
        self.index = functools.partial(numbers_of, self.rules)
        self.tables: list[Floats] = []
        self.gaps = induction.Gaps()
        self._decisions: induction.DecisionTable | None = None

    def place(self, profile: induction.Profile, leader: int) -> int:
        """Return the place of the turn of a profile in which a seat leads."""
        return self.profiles.index(profile[leader:] + profile[:leader])

    def places(self, profile: induction.Profile, player: int) -> list[int]:
        """Return these places by the seat of a player, counted from the leader."""
        n = len(profile)
        return [self.place(profile, (player - seat) % n) for seat in range(n)]

    @property
    def deciding(self) -> list[int]:
        """The place of the profile, by seat, in which that seat does what is best."""
        return self.places(self.played, self.played.index(induction.BEST))

    def blocks(self, vectors: Integers) -> list[Integers]:
        """Return vectors of one total in portions of a sensible size."""
        n = self.rules.players
        portions = -(-len(vectors) // self.block_size)
        if self.positions.dealing is None:
            return np.array_split(vectors, portions)
        # The deal mixes a vector with its turns: they stay together.
        turns = [self.index(np.roll(vectors, by, axis=1)) for by in range(n)]
        smallest = np.min(turns, axis=0)
        together = np.array_split(np.unique(smallest), portions)
        return [vectors[np.isin(smallest, some)] for some in together if len(some)]

    def all_blocks(self, step: Literal[1, -1] = 1) -> Iterable[Integers]:
        """Return all vectors of scores in portions, low totals first or last."""
        size = self.positions.size
        every = [
            block for some in vectors_of(self.rules) for block in self.blocks(some)
        ]
        total = size * sum(map(len, every))
        return with_progress(every[::step], total, "positions", lambda x: size * len(x))

    def run(
        self,
        executor: Executor | None,
        keep_decisions: bool,
        checkpoint: Checkpoint | None,
        saved: Arrays | None,
    ) -> None:
        """Fill the tables, blocks side by side if there is an executor.

        The best decisions are kept on request, if a table of them is small. The
        checkpoint, which does not have them, is saved after each total; what it had,
        `saved`, is not made again.
        """
        self.refuse_too_much()
        vectors = self.rules.target**self.rules.players
        shape = (self.positions.decks, vectors, self.rules.players)
        self.tables = [np.zeros(shape) for _ in self.profiles]
        deciding = None
        if keep_decisions and self.decisions_bytes <= _MOST_KEPT:
            deciding = self.deciding
            self._decisions = self._no_decisions()
        todo = vectors_of(self.rules)[::-1]
        totals = self.restore(saved)
        total = self.positions.size * sum(map(len, todo))
        keys = self.positions.layers[0].keys
        share(self.positions)
        shared = self.positions, self.profiles, deciding
        with progress_bar(total, "positions") as bar:
            if bar is not None:
                bar.update(self.positions.size * sum(map(len, todo[:totals])))
            for number in range(totals, len(todo)):
                blocks = self.blocks(todo[number])
                items = ((each, self.outcomes(each)) for each in blocks)
                for place, result in executors.map_items(
                    induction.solved_block,
                    shared,
                    items,
                    executor=executor,
                    name=induction.scores_of,
                ):
                    block, (values_of, gaps, bits) = blocks[place], result
                    self.gaps.add(gaps)
                    columns = self.index(block)
                    if bits is not None and self._decisions is not None:
                        self._decisions.write(bits, columns)
                    for table, values in zip(self.tables, values_of, strict=True):
                        table[keys[:, None], columns] = values.swapaxes(1, 2)
                    if bar is not None:
                        bar.update(self.positions.size * len(block))
                if checkpoint is not None:
                    state: dict[str, Any] = {
                        "totals": number + 1,
                        "tables": self.tables,
                    }
                    state["gaps"] = astuple(self.gaps)
                    checkpoint.save({name: np.array(x) for name, x in state.items()})

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
            2 * 8 * rows * self._carried * self.block_size * len(self.profiles),
            instead,
        )

    def restore(self, state: Arrays | None) -> int:
        """Take over a checkpoint, and return how many totals it has."""
        if state is None:
            return 0
        self.tables = list(state["tables"])
        ties, largest_tie, smallest_lead, doubtful = state["gaps"].tolist()
        self.gaps = induction.Gaps(int(ties), largest_tie, smallest_lead, int(doubtful))
        return int(state["totals"])

    def hits(self, vectors: Integers) -> dict[int, Decisions]:
        """Return what is best, by layer, in rounds with some vectors of scores."""
        table = self._decisions
        if table is None:
            n, deciding = self.rules.players, self.deciding
            layers = {
                by_profile[0].in_hands: by_profile for by_profile in self.steps(vectors)
            }
            best: Any = {t: layers[t][deciding[t % n]].hits for t in layers}
            return best  # type: ignore[no-any-return]  # the best does not mix
        columns = self.index(vectors)
        return {t: table.read(t, columns) for t in self.positions.downwards}

    def decisions(self) -> induction.DecisionTable:
        """Return what is best everywhere, made now if it was not kept."""
        if self._decisions is not None:
            return self._decisions
        positions, vectors = self.positions.size, self.tables[0].shape[1]
        refuse_too_large(
            f"the policy of {positions} positions x {vectors} vectors of scores",
            self.decisions_bytes + 32 * positions,
            "use a smaller deck or target",
        )
        table = self._no_decisions()
        for block in self.all_blocks():
            _, bits = self._block(block).starts(self.deciding)
            assert bits is not None
            table.write(bits, self.index(block))
        if self.decisions_bytes <= _MOST_KEPT:
            self._decisions = table
        return table

    def steps(
        self, vectors: Integers, positions: Positions | None = None
    ) -> Iterator[list[induction.Step]]:
        """Yield the layers of a block from the fullest hands, a step for each profile.

        The tables of higher totals must be filled. All positions are looked at, or
        those given.
        """
        return self._block(vectors, positions).steps()

    @property
    def decisions_bytes(self) -> int:
        """How many bytes the table of `decisions` takes."""
        rows = sum([-(-len(layer.keys) // 8) for layer in self.positions.layers])
        return rows * int(self.tables[0].shape[1])

    def _no_decisions(self) -> induction.DecisionTable:
        return induction.DecisionTable(self.positions.layers, self.tables[0].shape[1])

    @functools.cached_property
    def block_size(self) -> int:
        """About the number of vectors of scores in a block."""
        return max(_BLOCK_CELLS // (self.positions.widest * self.rules.players), 16)

    @property
    def _carried(self) -> int:
        """How many players' chances are carried: the last one's follow from the sum."""
        add_up = self.goal == "win" and self.rules.reshuffle != "essay"
        return self.rules.players - add_up

    def _block(
        self, vectors: Integers, positions: Positions | None = None
    ) -> induction.Block:
        outcomes = self.outcomes(vectors)
        return induction.Block(
            positions or self.positions, self.profiles, vectors, outcomes
        )

    def outcomes(self, vectors: Integers) -> list[list[Floats]]:
        """Return what ends of rounds are worth, as a `Block` takes it."""
        n = self.rules.players
        shape = (len(self.rules.ranks), self.positions.decks, n, len(vectors))
        result: list[list[Floats]] = []
        for profile in self.profiles:
            by_seat = []
            for seat in range(n):
                lead = (seat + 1) % n
                table = self.tables[self.place(profile, lead)]
                worth = np.empty(shape)
                for here, ends in zip(worth, self.ends(vectors, seat), strict=True):
                    rank, lost, columns = ends
                    here[:] = np.roll(table[:, columns], lead, axis=2).swapaxes(1, 2)
                    final = vectors[lost]
                    final[:, seat] += rank
                    here[..., lost] = self.returns(final).T
                rows = worth.reshape(-1, n, len(vectors))
                by_seat.append(np.ascontiguousarray(rows[:, : self._carried]))
            result.append(by_seat)
        return result

    def ends(
        self, vectors: Integers, seat: int
    ) -> Iterator[tuple[int, Decisions, Integers]]:
        """Yield, for each rank that a seat may score, what comes after the round.

        The rank; where the seat has lost; and the numbers of the next round's scores,
        which begin with the next seat, without meaning where it has lost.
        """
        before = self.index(np.roll(vectors, -seat - 1, axis=1))
        for rank in self.rules.ranks:
            lost: Decisions = vectors[:, seat] + rank >= self.rules.target
            # The seat is the last one to lead, so its points are the last digit.
            yield rank, lost, np.where(lost, 0, before + rank)

    def flows(self, turns: Sequence[int], first: int) -> Iterator[Flow]:
        """Yield a flow for each block of scores and turn, from the game's start up.

        A player, who starts in the seat `first`, is followed: `turns` are the places of
        profiles by the player's seat, counted from the leader.
        """
        positions = self.positions
        vectors = self.rules.target**self.rules.players
        starts = np.zeros((len(turns), positions.decks, vectors))
        starts[first, positions.full_deck, 0] = 1.0
        for block in self.all_blocks():
            before = starts[:, :, self.index(block)]
            if before.any():
                yield from self._through(starts, block, before, turns)

    def _through(
        self, starts: Floats, block: Integers, before: Floats, turns: Sequence[int]
    ) -> Iterator[Flow]:
        """Yield the flows of a block, and add what they lead to to `starts`."""
        positions, n = self.positions, self.rules.players
        steps = [*self.steps(block)][::-1]
        before = before[:, positions.layers[0].keys]
        # The essay's dead end, a start with an empty deck, is no round.
        rounds = before[:, positions.layers[0].can_hit].sum(axis=(1, 2)).tolist()
        if positions.dealing is not None:
            before = weights_after(positions.dealing, before, block)
        for turn, starting in enumerate(before):
            layers = [*followed(steps, turns[turn], starting)]
            for passed in layers:
                mover = passed.steps[0].in_hands % n
                after = starts[(turn - mover - 1) % len(starts)]
                ends = passed.pairs + passed.ends
                by_rank = ends.reshape(-1, positions.decks, len(block))
                for arrivals, (_, lost, columns) in zip(
                    by_rank, self.ends(block, mover), strict=True
                ):
                    after[:, columns[~lost]] += arrivals[:, ~lost]
            yield turn, block, rounds[turn], layers


def followed(
    steps: Sequence[list[induction.Step]], place: int, weights: Floats
) -> Iterator[Passed]:
    """Yield how often the layers of a round are reached, from the first one on.

    By the profile at a place, given how often the first layer's positions are reached.
    """
    for by_profile in steps:
        step = by_profile[place]
        layer = step.layer
        hits = weights * step.hits
        folds = np.where(layer.can_fold[:, None], weights - hits, 0.0)
        onwards = layer.hit().T @ hits
        following, pairs = np.split(onwards, [layer.following])
        count = len(layer.fold)
        one_each = (np.ones(count), layer.fold, np.arange(count + 1))
        by_outcome = scipy.sparse.csc_array(one_each, shape=(layer.outcomes, count))
        yield Passed(by_profile, weights, hits, folds, pairs, by_outcome @ folds)
        weights = following
