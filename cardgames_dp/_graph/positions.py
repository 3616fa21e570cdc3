"""The float64 backend for many positions at once, which differ in returns only.

The values of a state in all positions are a row of a table, so that a sweep gathers
whole rows. Positions are swept in slices whose table stays in the processor's cache.

Error
-----
As in `cardgames_dp.diagonal`, with bounds in units of the largest total M that a game
can pay in each position: values are at most M, up to their errors. So with one player,
whose choice does not matter to the bound if the largest one of all actions is passed
on, there is one bound a state for all positions. A mean of m outcomes adds, in these
units, at most ``(m + 1) u (1 + e')`` for its rounding, and a payment ``3 u (1 + e')``
for its own and that of the sum; the mean of m payments ``(m + 5) u (1 + e')``. What
underflow adds, at most ``m 2**-1073 (1 + M)``, is below ``m 2**-572`` in units of at
least 2**-500.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL
from cardgames_dp._graph.graph import (
    Block,
    Exact,
    Floats,
    Graph,
    Integers,
    Ranks,
    by_rank,
)
from cardgames_dp._graph.solving import Word
from cardgames_dp._support.running import refuse_too_large, tracked

_UNIT = 2.0**-53
_LEAST, _UNDERFLOW = 2.0**-500, 2.0**-572
_CACHE, _LEAST_WIDTH = 2**18, 16
"""The values of a slice, about two megabytes, and its least number of positions."""


def solve_positions(
    graph: Graph, tie_break: Word
) -> tuple[Floats, Floats, NDArray[np.bool_], Integers]:
    """Return values, bounds of their errors, optimal moves and choices of positions.

    Their shapes are (players, states, positions), (positions,), (moves, positions) and
    (states, positions), that of the returns of the graph is (ends, players, positions).
    With one player the last two are empty, as values and errors say which are optimal.

    Raises
    ------
    TooLargeError
        If the values would not fit in memory.
    ValueError
        If the game has loops, or the tie rule is "uniform" or a callable.
    """
    for reason, refused in (
        ("a game with loops", graph.components is not None),
        ("tie_break='uniform'", tie_break == "uniform"),
        ("a callable tie_break", callable(tie_break)),
    ):
        if refused:
            raise ValueError(
                f"game must be of one position for {reason}, got one of "
                f"{graph.numerators.shape[2]}; solve explored.at(position) for each"
            )
    _, players, positions = graph.numerators.shape
    states, moves = graph.num_states, len(graph.following)
    most = np.min_scalar_type(max([block.most for block in graph.blocks]))
    kept = positions if players > 1 else 0
    refuse_too_large(
        f"a solution of {positions} x {states} x {players} values (positions, states, "
        "players)",
        8 * positions * states * players + kept * (states * most.itemsize + moves),
        "solve fewer positions at a time",
    )
    values, errors = np.empty((players, states, positions)), np.empty(positions)
    optimal, chosen = np.zeros((moves, kept), np.bool_), np.zeros((states, kept), most)
    width = max(_CACHE // (states * players), _LEAST_WIDTH)
    starts = range(0, positions, width)
    exact = graph.weights_are_summable(graph.largest_return())
    weights = graph.weights if exact else graph.chances()
    steps = [_Step(graph, block, weights, exact) for block in graph.blocks[::-1]]
    for start in tracked(starts, len(starts), "slices of positions"):
        part = slice(start, start + width)
        decisions = optimal[:, part], chosen[:, part]
        sweep = _Sweep(graph, graph.numerators[:, :, part], tie_break, *decisions)
        for step in steps:
            sweep.take(step)
        values[:, :, part] = sweep.values.transpose(1, 0, 2)
        errors[part] = sweep.errors.max(axis=(0, 1)) * sweep.units * (1 + 4 * _UNIT)
    return values, errors, optimal, chosen


class _Step:
    """A block of a graph, ready to be solved in any slice of positions.

    Attributes
    ----------
    block : Block
    following : ndarray of int, shape (most, count)
        The places to which moves lead, by rank and state.
    real : ndarray of bool, shape (most, count, 1)
        Whether the state has a move of this rank.
    weights : csr_array
        For chance states, the weights by state and place.
    totals : ndarray of float64, shape (count, 1)
        Their sums; 1 where the weights are probabilities.
    paid : ndarray of float64, shape (most, count, players, 1), or None
        What moves pay; of chance the mean, of shape (count, players, 1).
    counts : ndarray of int, shape (count, 1, 1)
        The numbers of moves.
    """

    def __init__(self, graph: Graph, block: Block, weights: Exact, exact: bool) -> None:
        self.block = block
        following = graph.following[block.moves]
        offsets = graph.offsets[block.places.start : block.places.stop + 1]
        self.counts = np.diff(offsets)[:, np.newaxis, np.newaxis]
        self.paid: Floats | None = None
        paid = None
        if graph.rewards is not None and graph.rewards.which[block.moves].any():
            paid = graph.rewards.floats()[0][graph.rewards.which[block.moves]]
        if block.player == CHANCE and block.most > 1:
            from scipy.sparse import csr_array

            shares = weights[block.own].astype(np.float64)
            parts = shares, following, offsets - block.moves.start
            shape = len(self.counts), graph.num_states
            self.weights: Any = csr_array(parts, shape=shape)
            sums = self.weights.sum(axis=1) if exact else np.ones(shape[0])
            self.totals: Floats = sums[:, np.newaxis]
            if paid is not None:
                paid = np.add.reduceat(paid * shares[:, np.newaxis], parts[2][:-1])
                self.paid = (paid / self.totals)[:, :, np.newaxis]
        elif block.player != TERMINAL:
            ranks = None if block.even else Ranks.of(block, graph.offsets)
            self.following = by_rank(following, block, ranks)
            self.real = np.ones((*self.following.shape, 1), dtype=np.bool_)
            if ranks is not None:
                self.real = ranks.real[:, :, np.newaxis]
            if paid is not None:
                rows = by_rank(np.arange(len(paid)), block, ranks)
                self.paid = paid[rows][:, :, :, np.newaxis]


class _Sweep:
    """Values and error bounds in a slice of positions.

    Attributes
    ----------
    values : ndarray of float64, shape (states, players, positions)
    errors : ndarray of float64, shape (states, players, positions or 1)
        In units of each position.
    units : ndarray of float64, shape (positions,)
    optimal, chosen : ndarray
        With several players, which moves may be optimal and which are chosen.
    """

    def __init__(
        self,
        graph: Graph,
        returns: Floats,
        tie_break: Word,
        optimal: NDArray[np.bool_],
        chosen: Integers,
    ) -> None:
        self.optimal, self.chosen = optimal, chosen
        _, players, positions = returns.shape
        self._returns, self._last = returns, tie_break == "last"
        self.values = np.zeros((graph.num_states, players, positions))
        alone = players == 1
        self.errors = np.zeros((graph.num_states, players, 1 if alone else positions))
        largest = np.abs(returns).max(axis=(0, 1))
        if graph.rewards is not None:  # no play has more moves than there are blocks
            largest += len(graph.blocks) * np.abs(graph.rewards.floats()[0]).max()
        self.units = np.where(largest > 0, np.maximum(largest, _LEAST), 0.0)

    def take(self, step: _Step) -> None:
        """Solve the states of a block, in all positions."""
        block = step.block
        if block.player == TERMINAL:
            self.values[block.places] = self._returns[block.own]
        elif block.most == 1:
            self.optimal[block.moves] = block.player != CHANCE
            after, errors = self._after(step)
            self.values[block.places], self.errors[block.places] = after[0], errors[0]
        elif block.player == CHANCE:
            self._average(step)
        elif self.values.shape[1] == 1:
            self._largest(step)
        else:
            self._decide(step)

    def _after(self, step: _Step) -> tuple[Floats, Floats]:
        """Return the values of moves, with what they pay, and their errors, by rank."""
        after, errors = self.values[step.following], self.errors[step.following]
        if step.paid is not None:
            after += step.paid
            errors += (1 + errors) * (3 * _UNIT * (1 + 8 * _UNIT))
        return after, errors

    def _average(self, step: _Step) -> None:
        values, errors = [
            (step.weights @ each.reshape(len(each), -1)) / step.totals
            for each in (self.values, self.errors)
        ]
        values = values.reshape(-1, *self.values.shape[1:])
        errors = errors.reshape(-1, *self.errors.shape[1:])
        roundings = step.counts + 1
        if step.paid is not None:
            values += step.paid
            roundings = roundings + step.counts + 5
        self.values[step.block.places] = values
        errors += (1 + errors) * (roundings * _UNIT)
        errors *= 1 + (step.counts + 8) * (2 * _UNIT)
        errors += step.counts * _UNDERFLOW
        self.errors[step.block.places] = errors

    def _largest(self, step: _Step) -> None:
        """Solve decision states of the only player."""
        if step.paid is not None:
            after, errors = self._after(step)
            self.values[step.block.places] = after.max(axis=0)
            self.errors[step.block.places] = errors.max(axis=0)
            return
        values = self.values[step.following[0]]
        for following in step.following[1:]:
            np.maximum(values, self.values[following], out=values)
        self.values[step.block.places] = values
        self.errors[step.block.places] = self.errors[step.following].max(axis=0)

    def _decide(self, step: _Step) -> None:
        """Solve decision states of one of several players."""
        player = step.block.player
        after, errors = self._after(step)
        worth, unsure = after[:, :, player], errors[:, :, player] > 0
        margin = errors[:, :, player] * self.units * (1 + 6 * _UNIT)
        margin += np.abs(worth) * (unsure * (2 * _UNIT))
        optimal = worth + margin >= (worth - margin).max(axis=0)
        optimal &= step.real
        chosen = optimal.argmax(axis=0)
        if self._last:
            chosen = len(optimal) - 1 - optimal[::-1].argmax(axis=0)
        real = step.real[:, :, 0].T
        self.optimal[step.block.moves] = optimal.swapaxes(0, 1)[real]
        self.chosen[step.block.places] = chosen
        taken = chosen[np.newaxis, :, np.newaxis]
        values = np.take_along_axis(after, taken, axis=0)
        self.values[step.block.places] = values[0]
        # Enlarged to cover whichever of several actions is optimal.
        several = np.count_nonzero(optimal, axis=0) > 1
        doubtful = several & (optimal & unsure).any(axis=0)
        away = np.abs(after - values) / np.where(self.units > 0, self.units, 1.0)
        away = (away + errors) * (optimal[:, :, np.newaxis] * (1 + 6 * _UNIT))
        sure = np.take_along_axis(errors, taken, axis=0)[0]
        self.errors[step.block.places] = np.where(
            doubtful[:, np.newaxis], away.max(axis=0), sure
        )
