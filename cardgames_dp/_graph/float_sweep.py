"""Backward induction in float64, with a proved bound on every error.

A sweep solves a game, or several *variants* of it at once: games with the same states
and moves, whose returns, rewards or weights differ. Then arrays have a last axis of
variants. `cardgames_dp.diagonal` states the bounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL
from cardgames_dp._graph.graph import (
    Block,
    Floats,
    Graph,
    Integers,
    Ranks,
    by_rank,
)
from cardgames_dp._graph.solving import Pick, SolvedValues
from cardgames_dp._loops.components import Group
from cardgames_dp._loops.groups import GroupSolver

UNIT = 2.0**-53
_TINY = 2.0**-1073


class FloatSweep:
    """Values, error bounds and optimal actions of the states solved so far.

    Within a block, arrays have an axis of moves and one of states: the first moves of
    all states, then the second ones, and so on. Below, (v) is the axis of variants.

    Parameters
    ----------
    graph : Graph
        The game, or the variants; of a game with loops only one.
    pick : Pick
        The tie rule.
    table : ndarray of float64, shape (2 * players, states, (v)), optional
        Where to keep values and errors, if it is there already.

    Attributes
    ----------
    values, errors : ndarray of float64, shape (players, states, (v))
        By place.
    optimal : ndarray of bool, shape (moves, (v))
        Which actions may be optimal.
    chosen : ndarray of int, shape (states, (v))
        By place: the index of the action that the tie rule chose.
    open, turned
        As for `Sweep`; of several variants, pairs of a place and of a variant.
    """

    def __init__(self, graph: Graph, pick: Pick, table: Floats | None = None) -> None:
        self._graph, self._pick = graph, pick
        self._players = graph.num_players
        axis = graph.axis
        self._last = (np.newaxis,) * len(axis)
        # Values and errors are gathered together, so they are rows of one array.
        shape = 2 * graph.num_players, graph.num_states, *axis
        self._table = np.zeros(shape) if table is None else table
        self.values, self.errors = np.split(self._table, 2)
        largest = graph.largest_return()
        self._summable = graph.weights_are_summable(largest)
        # Sums of integer multiples underflow only when they are divided.
        self._tiny = _TINY * (1 if self._summable else 1 + largest)
        weights = graph.weights if self._summable else graph.chances()
        self._weights = self._with_variant_axis(weights, 1)
        self._reward_rows = None if graph.rewards is None else graph.rewards.rows
        if graph.rewards is not None:
            # By row: payments of all players, and bounds on their rounding errors.
            paid = np.concatenate(graph.rewards.floats(), axis=1)
            self._paid = self._with_variant_axis(paid, 2).swapaxes(0, 1)
        most = np.min_scalar_type(max([block.max_moves for block in graph.blocks]))
        self.chosen = np.zeros((graph.num_states, *axis), most)
        self.optimal = np.zeros((len(graph.following), *axis), np.bool_)
        self.open, self.turned = list[Any](), list[int]()
        self._groups: GroupSolver | None = None

    def result(self) -> SolvedValues:
        """Return values and decisions, once all steps are taken."""
        errors = self.errors[0] if self._players == 1 else self.errors.max(axis=0)
        return SolvedValues(self.values, None, self.optimal, self.chosen, errors)

    def _with_variant_axis(self, numbers: NDArray[Any], axes: int) -> NDArray[Any]:
        """Return numbers of so many axes with one of variants, if there is one."""
        return numbers[(..., *self._last)] if numbers.ndim == axes else numbers

    def step(self, blocks: tuple[Block, ...]) -> None:
        """Solve the states of a block, or of all blocks of a group, all at once."""
        block = blocks[0]
        if block.group >= 0:
            self._solve_group(blocks)
            return
        if block.player == TERMINAL:
            payoffs = np.concatenate(self._graph.payoffs(block.rows), axis=1)
            self._table[:, block.places] = self._with_variant_axis(payoffs, 2).swapaxes(
                0, 1
            )
            return
        following, rows = self._graph.following[block.moves], None
        if self._reward_rows is not None:
            rows = self._reward_rows[block.moves]
            rows = rows if rows.any() else None
        if block.max_moves == 1 and rows is None:
            # As below, in half the time: chains of states have a block for each.
            self._table[:, block.places] = self._table.take(following, axis=1)
            self.optimal[block.moves] = block.player != CHANCE
            return
        ranks = None if block.same_counts else Ranks.of(block, self._graph.offsets)
        after = self._table.take(by_rank(following, block, ranks), axis=1)
        if rows is not None:
            self._add_rewards(by_rank(rows, block, ranks), after)
        if block.max_moves == 1:
            self._table[:, block.places] = after[:, 0]
            self.optimal[block.moves] = block.player != CHANCE
        elif block.player == CHANCE:
            self._average(block, ranks, after)
        else:
            self._decide(block, ranks, after)

    def _solve_group(self, blocks: tuple[Block, ...]) -> None:
        """Solve the components of a group."""
        if self._groups is None:
            self._groups = GroupSolver(self._graph, self._table, self._pick)
        group = Group.of(self._graph, blocks)
        optimal, chosen, several, turned = self._groups.solve(group)
        self.optimal[group.moves] = optimal
        self.chosen[group.places] = chosen
        self.open += [group.place(state) for state in several]
        self.turned += [group.place(state) for state in turned]

    def _add_rewards(self, rows: Integers, after: Floats) -> None:
        """Add what moves pay to values, and the rounding errors to their bounds."""
        values, errors = np.split(after, 2)
        paid, doubt = np.split(self._paid.take(rows, axis=1), 2)
        total = values + paid
        # The exact rounding error of each sum.
        back = total - values
        rounded = np.abs((values - (total - back)) + (paid - back))
        rounded += doubt
        errors += rounded
        errors *= 1 + 4 * UNIT * (rounded > 0)
        values[:] = total

    def _average(self, block: Block, ranks: Ranks | None, after: Floats) -> None:
        weights = by_rank(self._weights[block.rows], block, ranks).astype(np.float64)
        counts: int | Integers = block.max_moves
        if ranks is not None:
            weights *= self._with_variant_axis(ranks.real, 2)
            counts = self._with_variant_axis(ranks.counts, 1)
        after *= weights
        values = after.sum(axis=1)
        sizes = np.abs(after[: self._players]).sum(axis=1)
        if self._summable:
            total = weights.sum(axis=0)
            values /= total
            sizes /= total
        errors = values[self._players :]
        errors += sizes * ((counts + 1) * UNIT)
        errors *= 1 + (counts + 8) * (2 * UNIT)
        errors += counts * self._tiny
        self._table[:, block.places] = values

    def _decide(self, block: Block, ranks: Ranks | None, after: Floats) -> None:
        values, errors = after[block.player], after[self._players + block.player]
        unsure = errors > 0
        lower, upper, doubtful = values, values, unsure.any()
        if doubtful:
            # Enough to cover the rounding of the two bounds themselves.
            margin = errors * (1 + 4 * UNIT) + np.abs(values) * (unsure * (2 * UNIT))
            lower, upper = values - margin, values + margin
        optimal = upper >= lower.max(axis=0)
        if ranks is not None:
            optimal &= self._with_variant_axis(ranks.real, 2)
        chosen = self._choose(block, optimal)
        if len(optimal) == 2:
            taken = np.where(chosen, after[:, 1], after[:, 0])
        else:
            index = chosen * chosen.size + np.arange(chosen.size).reshape(chosen.shape)
            taken = after.reshape(len(after), -1).take(index, axis=1)
        self._table[:, block.places] = taken
        self.chosen[block.places] = chosen
        here = self.optimal[block.moves]
        if ranks is None:
            shape = len(chosen), block.max_moves, *chosen.shape[1:]
            here.reshape(shape).swapaxes(0, 1)[:] = optimal
        else:
            here[ranks.moves[ranks.real]] = optimal[ranks.real]
        if np.count_nonzero(optimal) > chosen.size:
            if self._pick == "uniform":
                self._average_ties(block, after, optimal)
            if doubtful:
                self._widen_errors_of_ties(block, after, optimal, unsure)

    def _choose(self, block: Block, optimal: NDArray[np.bool_]) -> Integers:
        """Return the ranks of the actions taken among those that may be optimal."""
        if self._pick == "last":
            last: Integers = len(optimal) - 1 - optimal[::-1].argmax(axis=0)
            return last
        if len(optimal) == 2 and not callable(self._pick):
            other: Integers = (~optimal[0]).astype(np.int64)  # eight times faster
            return other
        chosen: Integers = optimal.argmax(axis=0)
        if callable(self._pick):
            several = np.count_nonzero(optimal, axis=0) > 1
            each: Any = zip(*np.nonzero(several), strict=True)
            for at in each:
                among = np.flatnonzero(optimal[:, *at]).tolist()
                chosen[at] = self._pick(block.places.start + int(at[0]), among)
        return chosen

    def _average_ties(
        self, block: Block, after: Floats, optimal: NDArray[np.bool_]
    ) -> None:
        """Set values to means over all actions that may be optimal, where several may.

        Of m equal values the mean is their value. The error of any other mean is that
        of ``m - 1`` additions and a division, and the mean of the errors.
        """
        counts = np.count_nonzero(optimal, axis=0)
        at: Any = np.nonzero(counts > 1)
        counts, among = counts[at], optimal[:, *at]
        each = after[:, :, *at] * among
        means = each.sum(axis=1) / counts
        values = after[: self._players, :, *at]
        low = np.where(among, values, np.inf).min(axis=1)
        high = np.where(among, values, -np.inf).max(axis=1)
        sizes = np.abs(each[: self._players]).sum(axis=1) / counts
        rounding = sizes * ((counts + 1) * UNIT) * (1 + (counts + 8) * (2 * UNIT))
        means[: self._players] = np.where(low == high, low, means[: self._players])
        means[self._players :] *= 1 + (counts + 8) * (2 * UNIT)
        means[self._players :] += np.where(low == high, 0.0, rounding + self._tiny)
        self._table[:, at[0] + block.places.start, *at[1:]] = means

    def _widen_errors_of_ties(
        self,
        block: Block,
        after: Floats,
        optimal: NDArray[np.bool_],
        unsure: NDArray[np.bool_],
    ) -> None:
        """Enlarge errors to cover whichever of several actions is optimal."""
        several = np.count_nonzero(optimal, axis=0) > 1
        at: Any = np.nonzero(several & (optimal & unsure).any(axis=0))
        if not at[0].size:
            return
        here = at[0] + block.places.start, *at[1:]
        values, errors = np.split(after[:, :, *at], 2)
        away = np.abs(values - self.values[:, np.newaxis, *here]) + errors
        among = optimal[:, *at]
        away *= among * (1 + 4 * UNIT)
        self.errors[:, *here] = away.max(axis=1)
        if self._players == 1:
            # A lone player gets the largest, whichever it is: were it that of the
            # action which the tie rule takes, doubts would grow from level to level.
            best = np.where(among, values[0], -np.inf).max(axis=0)
            self.values[0, *here] = best
            self.errors[0, *here] = (errors[0] * among).max(axis=0)
        columns = [each.tolist() for each in here]
        self.open += columns[0] if len(columns) == 1 else zip(*columns, strict=True)
