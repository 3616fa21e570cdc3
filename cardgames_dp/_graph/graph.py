"""A game as arrays, diagonal by diagonal: the input of every sweep.

A *diagonal* holds the states to which the longest play from the start has the same
number of moves. They lead only to later diagonals, so none of them depends on another.
In a game with loops, strong components take the place of states: those of one diagonal
do not depend on each other, and their blocks form a *group*.
States have *places*, from 0, the initial state, to the end of the game: a sweep
backward through the places reaches each state after all states that can follow it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from cardgames_dp._graph.answers import CHANCE, TERMINAL, Endless
from cardgames_dp._results.records import ArrayRecord
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.integer[Any]]
Exact: TypeAlias = NDArray[Any]
"""Integers: of int64 if all of them fit, otherwise Python ints."""

Bounds: TypeAlias = tuple[list[int], list[int]]
"""The smallest and the largest number of each column."""

_MOST = 2.0**1000
"""The largest absolute value of a return: beyond it, sums might overflow."""


class Block(NamedTuple):
    """States of one diagonal that are solved at once, side by side.

    The same player moves in all of them, and the numbers of moves are similar: they
    differ at most by a factor of two.

    Attributes
    ----------
    player : int
        The player to move, or `CHANCE` or `TERMINAL`.
    first, last : int
        The places of the states: from the first to before the last.
    first_move, last_move : int
        The moves of these states in `Graph.following`, likewise.
    first_row : int
        For chance states, their first move in `Graph.weights`; for terminal states,
        their first row in the returns.
    max_moves : int
        The largest number of moves of a state.
    same_counts : bool
        Whether all states have this number of moves.
    group : int
        The number of the group of blocks to which it belongs, if its states are in
        loops; otherwise -1.
    """

    player: int
    first: int
    last: int
    first_move: int
    last_move: int
    first_row: int
    max_moves: int
    same_counts: bool
    group: int = -1

    # Slices are made when needed: a long chain has a block for each state.

    @property
    def places(self) -> slice:
        """The places of the states."""
        return slice(self.first, self.last)

    @property
    def moves(self) -> slice:
        """The moves of these states in `Graph.following`."""
        return slice(self.first_move, self.last_move)

    @property
    def rows(self) -> slice:
        """The moves of chance in `Graph.weights`, or the rows of terminal states."""
        each = self.moves if self.player == CHANCE else self.places
        return slice(self.first_row, self.first_row + each.stop - each.start)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rewards(ArrayRecord):
    """What the moves of a game pay on the way.

    Attributes
    ----------
    rows : ndarray of int, shape (moves,)
        By move: the row of what it pays.
    numerators, denominators : ndarray of int or object, shape (rows, players)
        The different payments, in lowest terms, in the order in which moves first have
        them; the first is nothing. (For an array game, the numerators may be
        floats.)
    exact : bool
        Whether no payment was given as a float.
    """

    rows: Integers
    numerators: Exact
    denominators: Exact
    exact: bool = True

    def in_type(self, kind: np.dtype[Any]) -> NDArray[Any]:
        """Return the payments as floats or, for objects, as Fractions."""
        if kind.hasobject:
            return fractions(self.numerators, self.denominators)
        return self.floats()[0]

    def floats(self) -> tuple[Floats, Floats]:
        """Return the payments as floats, and bounds on their rounding errors."""
        return _as_floats(self.numerators, self.denominators, "rewards")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Graph(ArrayRecord):
    """All states of a game by their places, and the moves between them.

    Attributes
    ----------
    players : ndarray of int, shape (states,)
        The player to move, or `CHANCE` or `TERMINAL`.
    offsets : ndarray of int32 or int64, shape (states + 1,)
        The moves from place i are those from ``offsets[i]`` to ``offsets[i + 1]``.
    following : ndarray of int32 or int64, shape (moves,)
        The place to which each move leads: a later one, or one of the same group.
    weights : ndarray of int or object, shape (moves of chance,)
        The weight of each move of chance.
    numerators, denominators : ndarray of int or object, shape (ends, players)
        The returns of terminal states, in lowest terms. (For an array game, the
        numerators may be floats.)
    blocks : tuple of Block
        The blocks that a sweep solves in one step, from the start of the game to its
        end.
    rewards : Rewards or None
        What moves pay; None if no move of the game pays anything.
    components : ndarray of int, shape (states,), or None
        By place: the number of the strong component, -1 for a state in no loop; None of
        a game without loops.
    exact, exact_weights : bool
        Whether no return, and no weight of chance, was given as a float.
    endless : tuple of Fraction or float, one a player, or None
        What endless play pays, if the game says so.
    """

    players: Integers
    offsets: Integers
    following: Integers
    weights: Exact
    numerators: Exact
    denominators: Exact
    blocks: tuple[Block, ...]
    rewards: Rewards | None = None
    components: Integers | None = None
    exact: bool = True
    endless: Endless | None = None
    exact_weights: bool = True

    @property
    def num_states(self) -> int:
        """The number of states."""
        return len(self.players)

    @property
    def num_players(self) -> int:
        """The number of players."""
        return int(self.numerators.shape[1])

    @property
    def num_variants(self) -> int | None:
        """The number of variants, if the last axis of an array is one of variants."""
        return next(iter(self.counts_of_variants().values()), None)

    @property
    def axis(self) -> tuple[int, ...]:
        """The last axis of arrays of variants: empty if there is one variant."""
        return () if self.num_variants is None else (self.num_variants,)

    def counts_of_variants(self) -> dict[str, int]:
        """Return the numbers of variants of what has many."""
        arrays = {"returns": (self.numerators, 2), "weights": (self.weights, 1)}
        if self.rewards is not None:
            arrays["rewards"] = self.rewards.numerators, 2
        pairs = arrays.items()
        return {name: x.shape[-1] for name, (x, axes) in pairs if x.ndim > axes}

    def variants(self, part: int | slice) -> Graph:
        """Return one variant, without an axis, or several with theirs."""

        def cut(array: Exact, axes: int) -> Exact:
            return array[..., part] if array.ndim > axes else array

        tops, bottoms, rewards = self.numerators, self.denominators, self.rewards
        if rewards is not None:
            numbers = cut(rewards.numerators, 2), cut(rewards.denominators, 2)
            rewards = replace(rewards, numerators=numbers[0], denominators=numbers[1])
        return replace(
            self,
            numerators=np.ascontiguousarray(cut(tops, 2)),
            denominators=cut(bottoms, 2),
            weights=np.ascontiguousarray(cut(self.weights, 1)),
            rewards=rewards,
        )

    @property
    def num_steps(self) -> int:
        """The number of steps of a sweep."""
        if self.components is None:
            return len(self.blocks)
        return sum(1 for _ in self.steps())

    def steps(self, *, backward: bool = False) -> Iterator[tuple[Block, ...]]:
        """Return what a sweep solves at once: single blocks, and groups of blocks.

        The steps are made one by one: thousands of tuples at once would start a search
        for garbage through all states that have just been found.
        """
        blocks = self.blocks[::-1] if backward else self.blocks
        if self.components is None:
            return zip(blocks, strict=True)
        each = groupby(blocks, lambda block: (block.group, block.group < 0 and block))
        groups = (tuple(step) for _, step in each)
        return (step[::-1] for step in groups) if backward else groups

    def chances(self, backend: Backend = "float64") -> NDArray[Any]:
        """Return the probability of each move of chance: exact, or correctly rounded.

        Their type of number is that in which kernels compute what follows from them.
        """
        counts = np.diff(self.offsets)[self.players == CHANCE]
        if not counts.size:
            return np.empty(0, dtype=object if backend == "exact" else np.float64)
        starts = np.cumsum(counts) - counts
        weights = (
            self.weights.astype(np.float64)
            if _fit_in_float64(self.weights)
            else [np.inf]
        )
        if backend == "float64" and np.max(weights) * counts.max() < 2.0**53:
            # Sums of weights are exact.
            totals = np.add.reduceat(weights, starts)
            floats: Floats = weights / np.repeat(totals, counts, axis=0)
            return floats
        exact = self.weights.astype(object)
        totals = np.repeat(np.add.reduceat(exact, starts), counts, axis=0)
        if backend == "exact":
            return fractions(exact, totals)
        rounded: Floats = (exact / totals).astype(np.float64)
        return rounded

    def weights_are_summable(self, largest: float) -> bool:
        """Return whether sums of weights, and of returns times weights, fit in float64.

        If so, the weights of a state sum exactly, and products with returns of at most
        `largest` do not overflow; otherwise use `chances`.
        """
        if not _fit_in_float64(self.weights):
            return False
        outcomes = max([block.max_moves for block in self.blocks])
        total = float(self.weights.max(initial=0)) * outcomes
        return total < 2.0**53 and total * max(largest, 1.0) < _MOST

    def largest_return(self) -> float:
        """Return an upper bound of the absolute values of what plays pay in all."""
        tops = self.numerators
        if tops.dtype == object:
            tops, _ = self.payoffs()
        largest = max(float(tops.max(initial=0)), -float(tops.min(initial=0)))
        if self.endless is not None:
            largest = max(largest, *[abs(float(x)) for x in self.endless])
        if self.rewards is not None:
            # No play has more moves than there are blocks; if plays can come back to a
            # state, none of which a bound is found is expected to have 2**60.
            longest = len(self.blocks) if self.components is None else 2.0**60
            largest += longest * float(np.abs(self.rewards.floats()[0]).max())
        if largest > _MOST:
            with_all = " with all rewards" if self.rewards is not None else ""
            raise _overflow_error(f"returns{with_all}", largest)
        return largest

    def payoffs(self, rows: slice = slice(None)) -> tuple[Floats, Floats]:
        """Return the returns as floats, and bounds on their rounding errors.

        Parameters
        ----------
        rows : slice, optional
            The terminal states; all if not given.
        """
        return _as_floats(self.numerators[rows], self.denominators[rows], "returns")

    def reward_of_move(self, move: int) -> tuple[Fraction, ...]:
        """Return what a move pays to each player."""
        if self.rewards is None:
            return (Fraction(0),) * self.num_players
        row = self.rewards.rows[move]
        return exact_payments(
            self.rewards.numerators[row], self.rewards.denominators[row]
        )

    def refuse_floats(self) -> None:
        """Refuse a game with floats for exact arithmetic."""
        if not self.exact_weights:
            raise TypeError(
                "weights must be integers, Fractions or Decimals to be exact, got "
                "floats, and [0.4, 0.6] is not 2/5 and 3/5: write Fraction(2, 5), or "
                "Fraction(x).limit_denominator(1000); or use float64 "
                "(cardgames_dp.diagonal.solve, backend='float64')"
            )
        for name, exact in (
            ("returns", self.exact),
            ("rewards", self.rewards is None or self.rewards.exact),
            ("endless_returns", float not in map(type, self.endless or ())),
        ):
            if not exact:
                raise TypeError(
                    f"{name} must be integers or Fractions to be exact, got floats; "
                    "use float64 (cardgames_dp.diagonal.solve, backend='float64')"
                )


def zero_rewards(graph: Graph, axis: tuple[int, ...] = ()) -> Rewards:
    """Return the rewards of a game whose moves pay nothing, in all variants."""
    nothing = np.zeros((1, graph.num_players, *axis), dtype=np.int8)
    rows = np.zeros(len(graph.following), dtype=np.int8)
    return Rewards(rows, nothing, nothing + 1)


def blocks_of(
    starts: Integers, players: Integers, offsets: Integers, groups: Integers
) -> tuple[Block, ...]:
    """Return the blocks that start at some places, and belong to some groups."""
    counts, bounds = np.diff(offsets), np.append(starts, len(players))
    movers, ends = players[starts], offsets[bounds]
    own = np.where(movers == CHANCE, np.diff(ends), np.diff(bounds)) * (movers < 0)
    until = np.zeros_like(own)
    for kind in (CHANCE, TERMINAL):
        until[movers == kind] = np.cumsum(own[movers == kind])
    most = np.maximum.reduceat(counts, starts)
    even = most == np.minimum.reduceat(counts, starts)
    edges, ends, *rest = [
        each.tolist() for each in (bounds, ends, until - own, most, even, groups)
    ]
    columns = edges, edges[1:], ends, ends[1:], *rest
    return tuple(map(Block, movers.tolist(), *columns))


def joined_ranges(starts: Integers, counts: Integers) -> Integers:
    """Return runs of integers, one after the other, with given starts and lengths."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) + np.repeat(starts - ends + counts, counts)


def size_classes(counts: Integers) -> Integers:
    """Return classes of numbers of moves: up to 1, 2, 4, 8, ...

    States of one class are swept at once, none padded to more than twice its moves.
    """
    sizes: Integers = np.frexp(np.maximum(counts - 1, 0))[1]
    return sizes


def exact_array(numbers: Sequence[int]) -> Exact:
    """Return integers in the smallest type that holds them, or as Python ints."""
    try:
        return narrowed(np.array(numbers, dtype=np.int64))
    except OverflowError:
        return np.array(numbers, dtype=object)


def narrowed(numbers: Integers, least: DTypeLike = np.int8) -> Integers:
    """Return integers in the smallest type that holds them, at least `least`."""
    if not numbers.size:
        return numbers.astype(least)
    low, high = int(numbers.min()), int(numbers.max())
    return numbers.astype(
        np.promote_types(smallest_integer_type(low, high), least), copy=False
    )


def smallest_integer_type(low: int, high: int) -> type[np.signedinteger[Any]]:
    """Return the smallest type of integers that holds a range."""
    bits = max(high.bit_length(), (~low).bit_length() if low < 0 else 0)
    if bits < 16:
        return np.int8 if bits < 8 else np.int16
    return np.int32 if bits < 32 else np.int64


def distinct_states(columns: Integers, within: Bounds) -> tuple[Integers, Integers]:
    """Return the distinct states, sorted, and the index of each state among them."""
    count = columns.shape[1]
    keys = state_keys(columns, within)
    if (keys[1:] > keys[:-1]).all():
        return columns, np.arange(count)
    if keys.dtype == np.int64:
        low = keys.min()
        size = int(keys.max()) - int(low) + 1
        if size <= 2 * count:  # dense: a table takes less time than sorting
            keys -= low
            first = np.full(size, -1)
            first[keys] = np.arange(count)
            distinct = first >= 0
            return columns.take(first[distinct], axis=1), (distinct.cumsum() - 1)[keys]
    order = keys.argsort(kind="stable")  # fast if there are sorted runs
    ordered = keys[order]
    new = np.ones(count, dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    first = order[new]
    new[0] = False
    index = np.empty(count, dtype=np.int64)
    index[order] = new.cumsum()
    return columns.take(first, axis=1), index


def bounds(columns: Integers) -> Bounds:
    """Return the smallest and the largest number of each column."""
    return columns.min(axis=1).tolist(), columns.max(axis=1).tolist()


def state_keys(columns: Integers, within: Bounds) -> NDArray[Any]:
    """Return a key for each state; keys are equal if and only if states are.

    Parameters
    ----------
    columns : ndarray of int, shape (width, count)
        The states.
    within : tuple of list of int
        `bounds` of all numbers: keys within the same bounds can be compared.
    """
    low, high = within
    sizes = [b - a + 1 for a, b in zip(low, high, strict=True)]
    if math.prod(sizes) >= 2**63:  # bytes in place of one number
        rows = np.ascontiguousarray(columns.T, dtype=np.int64)
        texts: NDArray[Any] = rows.view(f"S{rows.shape[1] * 8}").ravel()
        return texts
    # The sum of all multiples of the lows is subtracted at once; it may wrap around.
    keys: Integers = columns[0].astype(np.int64)
    for column, size in zip(columns[1:], sizes[1:], strict=True):
        keys *= size
        keys += column
    return keys


def with_axis(numbers: NDArray[Any], axes: int) -> NDArray[Any]:
    """Return an array of so many axes with one of variants, at least of length 1."""
    return numbers if numbers.ndim > axes else numbers[..., np.newaxis]


def fractions(tops: Exact, bottoms: Exact) -> NDArray[Any]:
    """Return ratios of integers, which broadcast, as an array of Fractions."""
    divided = np.frompyfunc(Fraction, 2, 1)
    ratios: NDArray[Any] = divided(tops.astype(object), bottoms.astype(object))
    return ratios


def over_one_bottom(rows: list[list[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return rows of Fractions as integers, and the denominator of each row."""
    bottoms = [math.lcm(*[x.denominator for x in row]) for row in rows]
    pairs = zip(rows, bottoms, strict=True)
    tops = [[int(x * bottom) for x in row] for row, bottom in pairs]
    return np.array(tops, dtype=object), np.array(bottoms, dtype=object)


def exact_payments(tops: Exact, bottoms: Exact) -> tuple[Fraction, ...]:
    """Return ratios of what is paid, which may be floats, as Fractions."""
    pairs = zip(tops.tolist(), bottoms.tolist(), strict=True)
    return tuple([Fraction(top) / bottom for top, bottom in pairs])


def _fit_in_float64(numbers: Exact) -> bool:
    """Return whether all numbers are integers that float64 represents exactly."""
    if numbers.dtype.itemsize < 8:
        return True
    return numbers.dtype != object and bool(
        numbers.max(initial=0) <= 2**53 and numbers.min(initial=0) >= -(2**53)
    )


def _as_floats(tops: Exact, bottoms: Exact, what: str) -> tuple[Floats, Floats]:
    """Return ratios as floats, and bounds on their rounding errors."""
    if tops.dtype.kind == "f":
        largest = float(np.abs(tops).max())
        if largest > _MOST:
            raise _overflow_error(what, largest)
        return tops, np.zeros_like(tops)
    if _fit_in_float64(tops) and _fit_in_float64(bottoms):
        values = tops / bottoms  # correctly rounded, as both are exact
        rounded = (bottoms & (bottoms - 1)) != 0
    else:
        values, rounded = _divide(tops, bottoms, what)
    if not rounded.any():
        return values, np.zeros_like(values)
    return values, np.where(rounded, np.spacing(np.abs(values)), 0.0)


def _divide(tops: Exact, bottoms: Exact, what: str) -> tuple[Floats, NDArray[np.bool_]]:
    """Return ratios of integers of any size as floats, and where they were rounded."""
    ratios = list(zip(tops.ravel().tolist(), bottoms.ravel().tolist(), strict=True))
    try:
        floats = [top / bottom for top, bottom in ratios]  # correctly rounded
    except OverflowError:
        floats = [np.inf]
    values = np.array(floats)
    if np.abs(values).max() > _MOST:
        raise _overflow_error(what, max(abs(Fraction(*ratio)) for ratio in ratios))
    rounded = [x.as_integer_ratio() != y for x, y in zip(floats, ratios, strict=True)]
    return values.reshape(tops.shape), np.array(rounded).reshape(tops.shape)


def _overflow_error(what: str, largest: Fraction | float) -> ValueError:
    return ValueError(
        f"{what} must be at most 2**1000 in absolute value to be summed in float64, "
        f"got {arguments.shown(largest)}; use cardgames_dp.exact.solve"
    )


class Ranks(NamedTuple):
    """The moves of a block whose states have different numbers of moves.

    Attributes
    ----------
    moves : ndarray of int, shape (most, states)
        The moves by rank and state; if a state has no more moves, its last one again.
    real : ndarray of bool, shape (most, states)
        Whether the state has a move of this rank.
    counts : ndarray of int, shape (states,)
        The number of moves of each state.
    """

    moves: Integers
    real: NDArray[np.bool_]
    counts: Integers

    @classmethod
    def of(cls, block: Block, offsets: Integers) -> Ranks:
        """Return the ranks of a block."""
        ends = offsets[block.places.start : block.places.stop + 1] - block.moves.start
        counts = np.diff(ends).astype(np.int64)
        ranks = np.arange(block.max_moves)[:, np.newaxis]
        moves = ends[:-1] + np.minimum(ranks, counts - 1)
        return cls(moves, ranks < counts, counts)


def by_rank(of_moves: Exact, block: Block, ranks: Ranks | None) -> Exact:
    """Return the entries of the moves of a block, in shape (max_moves, states, ...)."""
    if ranks is None:
        shape = -1, block.max_moves, *of_moves.shape[1:]
        return of_moves.reshape(shape).swapaxes(0, 1)
    return of_moves[ranks.moves]
