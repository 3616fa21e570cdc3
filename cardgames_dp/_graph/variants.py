"""The float64 backend for many variants of a game at once.

Variants have the same states and moves, and differ in returns, rewards or weights. They
are swept in slices whose table stays in the processor's cache; games with loops one by
one, as each variant has its own policy iteration.

One player
----------
The tie rule does not change what a lone player gets. So the largest values of all
actions are passed on, with the largest bound, and a bound of each state serves all
variants: in units of M, the largest total that a game can pay in each variant. Values
are at most M, up to their errors. A mean of m outcomes adds, in these units, at most
``(m + 1) u (1 + e')`` for its rounding; a payment ``3 u (1 + e')`` for its own and that
of the sum, and the mean of m payments ``(m + 5) u (1 + e')``. What underflow adds, at
most ``m 2**-1073 (1 + M)``, is below ``m 2**-572`` in units of at least 2**-500. The
bound is a column of the table beside the values, so that one operation makes both.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph import solving
from cardgames_dp._graph.answers import CHANCE, TERMINAL, GameError
from cardgames_dp._graph.explored import name_states_in_errors
from cardgames_dp._graph.float_sweep import UNIT, FloatSweep
from cardgames_dp._graph.graph import (
    Block,
    Floats,
    Graph,
    Integers,
    Ranks,
    Rewards,
    by_rank,
    with_axis,
    zero_rewards,
)
from cardgames_dp._graph.solution import Solution
from cardgames_dp._graph.value_arrays import ValueArrays
from cardgames_dp._support.running import refuse_too_large, with_progress

_LEAST, _UNDERFLOW = 2.0**-500, 2.0**-572
_CACHE, _LEAST_WIDTH = 2**22, 16
"""The numbers in the table of a slice, 32 MB, and its least number of variants."""


def solve_variants(explored: Any, tie_break: Any) -> Solution[Any, Any, Any]:
    """Return the solution of all variants of a game in float64.

    Of a lone player, except by a callable tie rule, the optimal and the chosen actions
    are empty: values and errors say which are optimal.
    """
    graph: Graph = explored.graph
    alone = graph.num_players == 1 and graph.weights.ndim == 1
    alone = alone and graph.components is None and not callable(tie_break)
    states, moves, players = graph.num_states, len(graph.following), graph.num_players
    variants = graph.num_variants or 1
    most = np.min_scalar_type(max([block.max_moves for block in graph.blocks]))
    by_decision = 0 if alone else states * (most.itemsize + 8) + moves
    refuse_too_large(
        f"a solution of {variants} x {states} x {players} values (variants, states, "
        "players)",
        variants * (8 * states * players + by_decision),
        "solve fewer variants at a time",
    )
    values = np.empty((players, states, variants))
    decided = 0 if alone else variants
    optimal = np.empty((moves, decided), dtype=np.bool_)
    chosen = np.empty((states, decided), dtype=most)
    errors = np.empty((1 if alone else states, variants))
    if alone:
        lone = _LonePlayer(graph)
        for part in _slices(variants, states):
            values[0, :, part], errors[:, part] = lone.solve(part)
    else:
        pick = solving.tie_rule(tie_break, explored)
        for part, sweep in _sweeps(explored, pick):
            here, _, optimal[:, part], chosen[:, part], errors[:, part] = sweep.result()
            values[:, :, part] = here
    bounds, nothing = np.broadcast_to(errors, (states, variants)), np.empty(0, int)
    rule = solving.rule_name(tie_break)
    results = values, None, optimal, chosen, bounds, nothing, nothing
    return Solution(ValueArrays(explored, rule, *results))


def solve_together(
    games: Sequence[Any], tie_break: Any
) -> list[Solution[Any, Any, Any] | ValueError]:
    """Return the solutions of explored games in float64, or why they are refused.

    Games that have the same moves, whatever their states are called, are solved as
    variants of one; each solution is the same as that of the game alone.
    """
    groups: dict[Any, list[int]] = {}
    for number, game in enumerate(games):
        graph: Graph = game.graph
        key: Any = number
        if graph.components is None and not callable(tie_break):
            arrays = graph.players, graph.offsets, graph.following
            paid = [graph.numerators]
            if graph.rewards is not None:
                paid.append(graph.rewards.numerators)
            floats = [each.dtype.kind == "f" for each in paid]
            moves = [array.tobytes() for array in arrays]
            key = graph.num_players, _rounding(graph), *floats, *moves
        groups.setdefault(key, []).append(number)
    outcomes: dict[int, Solution[Any, Any, Any] | ValueError] = {}
    for group in groups.values():
        some = [games[number] for number in group]
        try:
            solutions = _solve_group(some, tie_break)
        except ValueError as error:
            if len(some) > 1:  # of one of them
                each = [solve_together([game], tie_break)[0] for game in some]
                outcomes |= dict(zip(group, each, strict=True))
            else:
                outcomes[group[0]] = error
        else:
            outcomes |= dict(zip(group, solutions, strict=True))
    return [outcomes[number] for number in range(len(games))]


def _rounding(graph: Graph) -> float | None:
    """Return what decides how means are rounded, and what underflow may add."""
    try:
        largest = graph.largest_return()
    except ValueError:  # too large, and refused when it is solved
        return None
    return -1.0 if graph.weights_are_summable(largest) else largest


def _solve_group(games: list[Any], tie_break: Any) -> list[Solution[Any, Any, Any]]:
    """Return the solutions of games with the same moves."""
    if len(games) == 1:
        return [solving.solve_by_sweep(games[0], tie_break, FloatSweep)]
    stack = games[0]._with_graph(_stack_variants([game.graph for game in games]))
    rule, solutions = solving.rule_name(tie_break), list[Solution[Any, Any, Any]]()
    for part, sweep in _sweeps(stack, tie_break):
        values, _, *results = sweep.result()
        columns: list[Any] = results
        pairs = np.array(sweep.open, dtype=np.int64).reshape(-1, 2)
        for i, game in enumerate(games[part]):
            each = [np.ascontiguousarray(array[:, i]) for array in columns]
            places, worth = np.sort(pairs[pairs[:, 1] == i, 0]), values[:, :, i].copy()
            rest: Any = worth, None, *each, places, np.empty(0, int)
            solutions.append(Solution(ValueArrays(game, rule, *rest)))
    return solutions


def _stack_variants(graphs: list[Graph]) -> Graph:
    """Return graphs with the same moves as one graph of variants."""

    def stack(arrays: list[NDArray[Any]]) -> NDArray[Any]:
        return np.stack(arrays, axis=-1)

    first, rewards = graphs[0], None
    if any(graph.rewards is not None for graph in graphs):
        # A row for each combination of rows in all variants.
        every = [graph.rewards or zero_rewards(graph) for graph in graphs]
        combined = stack([np.append(0, each.rows) for each in every])  # 0 is nothing
        different, rows = np.unique(combined, axis=0, return_inverse=True)
        tops, bottoms = (
            stack([getattr(r, name)[different[:, i]] for i, r in enumerate(every)])
            for name in ("numerators", "denominators")
        )
        exact = all(each.exact for each in every)
        rewards = Rewards(rows.ravel()[1:], tops, bottoms, exact)
    return replace(
        first,
        numerators=stack([graph.numerators for graph in graphs]),
        denominators=stack([graph.denominators for graph in graphs]),
        weights=stack([graph.weights for graph in graphs]),
        rewards=rewards,
        exact=all(graph.exact for graph in graphs),
    )


def _slices(variants: int, size: int) -> Iterator[slice]:
    """Yield slices of variants, given the numbers in the table of each."""
    width = max(_CACHE // size, _LEAST_WIDTH)
    starts = range(0, variants, width)
    for start in with_progress(starts, len(starts), "slices of variants"):
        yield slice(start, min(start + width, variants))


def _sweeps(explored: Any, pick: solving.Pick) -> Iterator[tuple[Any, FloatSweep]]:
    """Yield variants and their sweeps: in slices, those of a game with loops alone."""
    graph: Graph = explored.graph
    variants, rows = graph.num_variants or 1, (2 * graph.num_players, graph.num_states)
    parts: Iterator[Any] = _slices(variants, math.prod(rows))
    if graph.components is not None:
        parts = iter(with_progress(range(variants), variants, "variants"))
    buffer = np.empty(0)
    for part in parts:
        some = graph.variants(part)
        shape = *rows, *some.axis
        buffer = buffer if buffer.size else np.empty(math.prod(shape))
        table = buffer[: math.prod(shape)].reshape(shape)
        sweep = FloatSweep(some, pick, table)
        try:
            with name_states_in_errors(explored):
                for step in some.steps(backward=True):
                    sweep.step(step)
        except GameError as error:
            raise GameError(f"variant {part}: {error}") from None
        yield part, sweep


class _LonePlayer:
    """The variants of a game without loops for one player, whose weights are the same.

    Parameters
    ----------
    graph : Graph
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        exact = graph.weights_are_summable(graph.largest_return())
        weights = graph.weights if exact else graph.chances()
        largest = np.abs(graph.payoffs()[0]).max(axis=(0, 1))
        if graph.rewards is not None:
            # No play has more moves than there are blocks.
            paid = np.abs(graph.rewards.floats()[0]).max(axis=(0, 1))
            largest = largest + len(graph.blocks) * paid
        units = np.where(largest > 0, np.maximum(largest, _LEAST), 0.0)
        self._units: Floats = np.broadcast_to(units, (graph.num_variants or 1,))
        blocks = graph.blocks[::-1]
        self._steps = [_Step(graph, block, weights, exact) for block in blocks]

    def solve(self, part: slice) -> tuple[Floats, Floats]:
        """Return values and largest errors of some variants."""
        graph, units = self._graph.variants(part), self._units[part]
        returns, doubts = (with_axis(each, 2)[:, 0] for each in graph.payoffs())
        doubts = (doubts / np.where(units > 0, units, 1.0)).max(axis=1, initial=0.0)
        paid = None
        if graph.rewards is not None:
            paid = with_axis(graph.rewards.floats()[0], 2)[:, 0]
        table = np.zeros((graph.num_states, len(units) + 1))
        for step in self._steps:
            places, player = step.block.places, step.block.player
            if player == TERMINAL:
                table[places, :-1] = returns[step.block.rows]
                table[places, -1] = doubts[step.block.rows] * (1 + 4 * UNIT)
            elif player == CHANCE and step.block.max_moves > 1:
                table[places] = step.mean(table, paid)
            else:
                table[places] = step.largest(table, paid)
        return table[:, :-1], table[:, -1].max() * units * (1 + 4 * UNIT)


class _Step:
    """A block of a graph, ready to be solved in any slice of variants.

    Attributes
    ----------
    block : Block
    following : ndarray of int, shape (most, count)
        The places to which moves lead, by rank and state.
    weights : csr_array
        For chance states, the weights by state and place.
    totals : ndarray of float64, shape (count, 1)
        Their sums; 1 where the weights are probabilities.
    pays : ndarray of int, shape (most, count), or csr_array, or None
        The rows of what moves pay; for chance states, the weights by state and row.
    counts : ndarray of int, shape (count,)
        The numbers of moves.
    """

    def __init__(
        self, graph: Graph, block: Block, weights: NDArray[Any], exact: bool
    ) -> None:
        self.block = block
        self.pays: Any = None
        following, rows = graph.following[block.moves], None
        offsets = graph.offsets[block.places.start : block.places.stop + 1]
        self.counts: Integers = np.diff(offsets)
        if graph.rewards is not None and graph.rewards.rows[block.moves].any():
            rows = graph.rewards.rows[block.moves]
        if block.player == CHANCE and block.max_moves > 1:
            from scipy.sparse import csr_array

            shares = weights[block.rows].astype(np.float64)
            ends, count = offsets - block.moves.start, len(self.counts)
            shape = count, graph.num_states
            self.weights: Any = csr_array((shares, following, ends), shape=shape)
            sums = self.weights.sum(axis=1) if exact else np.ones(count)
            self.totals: Floats = sums[:, np.newaxis]
            if rows is not None and graph.rewards is not None:
                shape = count, len(graph.rewards.numerators)
                self.pays = csr_array((shares, rows, ends), shape=shape)
        elif block.player != TERMINAL:
            ranks = None if block.same_counts else Ranks.of(block, graph.offsets)
            self.following = by_rank(following, block, ranks)
            if rows is not None:
                self.pays = by_rank(rows, block, ranks)

    def mean(self, table: Floats, paid: Floats | None) -> Floats:
        """Return the rows of chance states: means, and the bound on their errors."""
        rows: Floats = self.weights @ table
        roundings = self.counts + 1
        if self.pays is not None:
            rows[:, :-1] += self.pays @ paid
            roundings = roundings + self.counts + 5
        rows /= self.totals
        bounds = rows[:, -1]
        bounds += (1 + bounds) * (roundings * UNIT)
        bounds *= 1 + (self.counts + 8) * (2 * UNIT)
        bounds += self.counts * _UNDERFLOW
        return rows

    def largest(self, table: Floats, paid: Floats | None) -> Floats:
        """Return the rows of decision states: the largest of all moves."""
        rows = np.full((len(self.counts), table.shape[1]), -np.inf)
        for rank, following in enumerate(self.following):
            after = table[following]
            if self.pays is not None and paid is not None:
                after[:, :-1] += paid[self.pays[rank]]
            np.maximum(rows, after, out=rows)
        if self.pays is not None:
            rows[:, -1] += (1 + rows[:, -1]) * (3 * UNIT * (1 + 8 * UNIT))
        return rows
