"""Read tables of transitions: probabilities, rewards and a discount, as floats.

Rows of probabilities become integer weights. A float stands for the fraction of a small
denominator that it rounds, if there is one and its row then sums to exactly 1: two such
fractions are further apart than floats round. Fractions like this are convergents of
continued fractions (Legendre), which are found for all floats at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import GameError
from cardgames_dp._graph.graph import Exact, Integers, exact_array
from cardgames_dp._support import arguments
from cardgames_dp._support.running import refuse_too_large

MOST_DENOMINATOR = 10**7
"""Fractions of larger denominators are too close to each other for floats."""

NEAR = 1e-15
"""The largest distance of a float from the fraction that it stands for, near 0."""

_MOST_NUMBER = 2**31 - 1
"""The largest number of a state or of an action in a mapping."""

LARGEST_ERROR = 1e-9
"""The largest distance of a sum of probabilities from 1."""


@dataclass(slots=True)
class Moves:
    """The moves of a table in columns, sorted by state and action.

    Attributes
    ----------
    num_states, num_actions : int
        The size of the table.
    states, actions, following : ndarray of int
        From where, by which action, and to where each move leads.
    probabilities, rewards : ndarray
        Its probability and what it pays: numbers, or objects if they are Fractions.
    done : ndarray of bool
        Whether play is over after it.
    """

    num_states: int
    num_actions: int
    states: Integers
    actions: Integers
    following: Integers
    probabilities: NDArray[Any]
    rewards: NDArray[Any]
    done: NDArray[np.bool_]

    def __getitem__(self, where: Any) -> Moves:
        """Return some of the moves."""
        every = self.states, self.actions, self.following
        more = self.probabilities, self.rewards, self.done
        some = [column[where] for column in (*every, *more)]
        return Moves(self.num_states, self.num_actions, *some)

    def pair(self, move: Any) -> str:
        """Return the words for the action and the state of a move."""
        return f"action {self.actions[move]} in state {self.states[move]}"

    @property
    def keys(self) -> Integers:
        """A number for each move, the same for those of one action in one state."""
        return self.states * self.num_actions + self.actions


def read(transitions: Any, rewards: Any, axis: Any) -> Moves:
    """Return the moves of a table that are possible and legal, checked.

    Raises
    ------
    TypeError, GameError
        As for `cardgames_dp.interop.from_transitions`.
    """
    if axis is not None and (type(axis) is not int or axis not in (0, 1)):
        raise arguments.wrong_value("action_axis must be 0, 1 or None", axis)
    if hasattr(transitions, "unwrapped"):
        raise TypeError(
            "transitions must be the table of an environment, env.unwrapped.P, got the "
            "environment"
        )
    if isinstance(transitions, Mapping):
        if rewards is not None or axis is not None:
            raise TypeError(
                "rewards and action_axis must not be given with a mapping, which has "
                "states, actions and rewards"
            )
        moves = _of_mapping(transitions)
    else:
        moves = _of_arrays(transitions, rewards, axis)
    numbers = floats_of(moves.probabilities, "probabilities")
    wrong = ~(numbers >= 0) | np.isinf(numbers)
    if wrong.any():
        move = int(wrong.argmax())
        raise GameError(
            "probabilities must be finite numbers >= 0, got "
            f"{arguments.shown(moves.probabilities[move])} for {moves.pair(move)}"
        )
    paid, keys = floats_of(moves.rewards, "rewards"), moves.keys
    illegal = keys[(paid == -math.inf) & (numbers > 0)]
    legal = ~np.isin(keys, illegal)
    order = keys.argsort(kind="stable")
    order = order[legal[order]]
    if not order.size:
        raise GameError("rewards must not be -inf everywhere, as no action is legal")
    moves, numbers, paid = moves[order], numbers[order], paid[order]
    heads = starts_of(moves.keys)
    sums = np.add.reduceat(numbers, heads)
    refuse_sums(sums, lambda row: moves.pair(heads[row]))
    possible = moves.probabilities > 0
    wrong = possible & ~np.isfinite(paid)
    if wrong.any():
        move = int(wrong.argmax())
        raise GameError(
            "rewards must be finite, or -inf where an action is not legal, got "
            f"{moves.rewards[move]} for {moves.pair(move)}"
        )
    return moves[possible]


def _of_mapping(table: Mapping[Any, Any]) -> Moves:
    """Return the moves of a table like ``env.unwrapped.P`` of Gymnasium."""
    must = (
        "transitions[state][action] must be a list of (probability, next state, "
        "reward, done)"
    )
    try:
        parts = [
            (state, action, outcomes)
            for state, actions in table.items()
            for action, outcomes in actions.items()
        ]
        rows = [tuple(row) for _, _, outcomes in parts for row in outcomes]
        counts = [len(outcomes) for _, _, outcomes in parts]
    except (AttributeError, TypeError, ValueError) as error:
        raise TypeError(must) from error
    if not rows or {*map(len, rows)} != {4}:
        raise TypeError(f"{must}, got {arguments.shown(table)}")
    empty = [f"action {a} in state {s}" for s, a, outcomes in parts if not outcomes]
    refuse_sums(np.zeros(len(empty)), empty.__getitem__)
    probabilities, after, rewards, done = zip(*rows, strict=True)
    if not {bool, np.bool_}.issuperset(map(type, done)):
        wrong = next(x for x in done if type(x) not in (bool, np.bool_))
        raise arguments.wrong_type("done of transitions must be a bool", wrong)
    pairs = [action for _, action, _ in parts]
    names = "states", "actions", "next states"
    indices = list[Integers]()
    for name, column in zip(names, ([*table], pairs, after), strict=True):
        numbers = np.array(column)
        must = f"{name} of transitions must be integers >= 0"
        if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or numbers.min() < 0:
            raise arguments.wrong_type(must, min(column, key=_sign))
        if numbers.max() > _MOST_NUMBER:
            raise arguments.wrong_value(f"{must} and below 2**31", int(numbers.max()))
        indices.append(numbers.astype(np.int64))
    states, actions, following = indices
    size = 1 + max(int(states.max()), int(following.max()))
    what = f"a table of {size} states"
    refuse_too_large(what, 64 * size, "number states from 0 without gaps")
    return Moves(
        size,
        1 + int(actions.max()),
        np.repeat(states, [*map(len, table.values())]).repeat(counts),
        actions.repeat(counts),
        following,
        _column(probabilities),
        _column(rewards),
        np.array(done, dtype=np.bool_),
    )


def _sign(number: object) -> float:
    return float(number) if isinstance(number, (int, np.integer)) else -math.inf


def _column(numbers: Sequence[Any]) -> NDArray[Any]:
    """Return numbers as an array; of objects if they are not all floats and ints."""
    plain = {float, int, np.float64, np.float32, np.int64}.issuperset(
        map(type, numbers)
    )
    return np.array(numbers, dtype=None if plain else object)


class _Table(NamedTuple):
    """Probabilities, or what is of their form: dense, or matrices one for each action.

    Attributes
    ----------
    shape : tuple of int
        The numbers of states and of actions.
    where : tuple of ndarray of int
        States, actions and next states of the entries that are stored, or not 0.
    numbers : ndarray
        These entries.
    of : callable
        Returns the entries for other states, actions and next states.
    """

    shape: tuple[int, int]
    where: tuple[Integers, Integers, Integers]
    numbers: NDArray[Any]
    of: Callable[[Integers, Integers, Integers], NDArray[Any]]


def _of_arrays(transitions: Any, rewards: Any, axis: int | None) -> Moves:
    """Return the moves of arrays, or of sparse matrices."""
    if rewards is not None and not _is_sparse(rewards):
        rewards = arguments.array(rewards, "rewards must be numbers in an array")
    table = _table("transitions", transitions, axis, rewards)
    (size, actions), (s, a, t) = table.shape, table.where
    missing = np.ones(table.shape, dtype=np.bool_)
    missing[s[table.numbers != 0], a[table.numbers != 0]] = False
    if rewards is None:
        r: NDArray[Any] = np.zeros(len(s), dtype=np.int64)
    elif _is_sparse(rewards) or np.ndim(rewards) == 3:
        if not _is_sparse(rewards):
            _refuse_shape(rewards, table, np.shape(transitions))
            axis = int(np.shape(rewards)[1] != size) if axis is None else axis
        paid = _table("rewards", rewards, axis)
        if paid.shape != table.shape:
            raise GameError(
                f"rewards must be {actions} matrices of {size} x {size}, as "
                f"transitions are, got {paid.shape[1]} of {paid.shape[0]} x "
                f"{paid.shape[0]}"
            )
        r, never = paid.of(s, a, t), paid.numbers == -math.inf
        missing[paid.where[0][never], paid.where[1][never]] = False
    else:
        _refuse_shape(rewards, table, np.shape(transitions))
        r = rewards[s] if rewards.ndim == 1 else rewards[s, a]
        missing &= ~(rewards.reshape(size, -1) == -math.inf)
    if missing.any():
        state, action = np.argwhere(missing)[0]
        refuse_sums(np.zeros(1), lambda _: f"action {action} in state {state}")
    never_done = np.zeros(len(s), dtype=np.bool_)
    return Moves(size, actions, s, a, t, table.numbers, r, never_done)


def _is_sparse(matrices: Any) -> bool:
    """Return whether something is a sequence of sparse matrices of SciPy."""
    several = isinstance(matrices, Sequence) and len(matrices) > 0
    return several and any(hasattr(matrix, "tocoo") for matrix in matrices)


def _table(name: str, table: Any, axis: int | None, rewards: Any = None) -> _Table:
    """Return a table of shape (actions, states, states), in whatever form it is."""
    if _is_sparse(table):
        return _of_sparse(name, table)
    must = f"{name} must be numbers in a mapping, an array or sparse matrices"
    dense = arguments.array(table, must)
    if not dense.ndim:
        raise arguments.wrong_type(must, table)
    shape = dense.shape
    possible = [i for i in (0, 1) if len(shape) == 3 and shape[1 - i] == shape[2]]
    if not dense.size or not possible or (axis is not None and axis not in possible):
        hint = ", and rewards come second" if np.ndim(rewards) == 3 else ""
        ways = ["(actions, states, states)", "(states, actions, states)"]
        ways = ways if axis is None else [ways[axis]]
        raise GameError(
            f"{name} must have the shape {' or '.join(ways)}{hint}, got {shape}"
        )
    if axis is None and len(possible) > 1 and len(dense) > 1:
        raise GameError(
            f"{name} have as many actions as states, {shape[0]}: give action_axis=0 if "
            "the first axis is that of actions (as for pymdptoolbox), 1 if the second "
            "is (as for QuantEcon)"
        )
    axis = possible[0] if axis is None else axis
    moved = np.moveaxis(dense, axis, 1)
    where: Any = moved.nonzero()
    return _Table(moved.shape[:2], where, moved[where], lambda *at: moved[at])


def _of_sparse(name: str, matrices: Sequence[Any]) -> _Table:
    """Return a table of sparse matrices, one for each action."""
    from scipy import sparse

    size = np.shape(matrices[0])[0]
    for matrix in matrices:
        if not sparse.issparse(matrix) or matrix.shape != (size, size):
            must = f"{name} must be sparse matrices of one shape (states, states)"
            raise arguments.wrong_type(must, matrix)
    parts = [matrix.tocoo() for matrix in matrices]
    a = np.repeat(np.arange(len(parts)), [part.nnz for part in parts])
    s, t = (np.concatenate([getattr(x, i) for x in parts]) for i in ("row", "col"))
    numbers = np.concatenate([part.data for part in parts])
    stacked = sparse.vstack(parts).tocsr()

    def entries(s: Integers, a: Integers, t: Integers) -> NDArray[Any]:
        rows = stacked[a * size + s, t]
        dense = rows.toarray() if sparse.issparse(rows) else np.asarray(rows)
        return dense.ravel()

    where = s.astype(np.int64), a, t.astype(np.int64)
    return _Table((size, len(parts)), where, numbers, entries)


def _refuse_shape(rewards: NDArray[Any], table: _Table, whole: tuple[int, ...]) -> None:
    """Refuse rewards of none of the three shapes."""
    size, actions = table.shape
    dense = whole if len(whole) == 3 else (actions, size, size)
    if rewards.shape not in {(size,), (size, actions), dense}:
        hint = "; transpose them" if rewards.shape == (actions, size) else ""
        raise GameError(
            f"rewards must have the shape {(size,)}, {(size, actions)} or {dense}, got "
            f"{rewards.shape}{hint}"
        )


def floats_of(numbers: NDArray[Any], name: str) -> NDArray[np.float64]:
    """Return numbers as floats."""
    if numbers.dtype.kind in "biuf":
        return numbers.astype(np.float64)
    must, items = f"{name} must be numbers that fit in a float", numbers.tolist()
    exact = [x if isinstance(x, float) else arguments.finite(name, x) for x in items]
    return np.array([arguments.nearest_float(must, x) for x in exact])


def starts_of(keys: Integers) -> Integers:
    """Return where runs of equal keys start."""
    return np.flatnonzero(np.diff(keys, prepend=-1))


def refuse_sums(sums: NDArray[np.float64], name: Callable[[int], str]) -> None:
    """Refuse rows of probabilities that do not sum to 1."""
    wrong = np.flatnonzero(~(np.abs(sums - 1) <= LARGEST_ERROR))
    if wrong.size:
        row = int(wrong[0])
        hint = "; an action that is not legal has the reward -inf"
        raise GameError(
            f"probabilities must sum to 1 within {LARGEST_ERROR}, got a sum of "
            f"{sums[row]:.10g} for {name(row)}{hint * int(sums[row] == 0)}"
        )


def weights_of(numbers: NDArray[Any], heads: Integers, most: int) -> Exact:
    """Return integers in the proportions of the probabilities in each row.

    They are objects, and sum in each row to the common denominator of its fractions.

    Parameters
    ----------
    numbers : ndarray
        Probabilities > 0.
    heads : ndarray of int
        The start of each row.
    most : int
        The largest denominator of a fraction that a float stands for; 0 for none.
    """
    row = np.repeat(np.arange(len(heads)), np.diff(heads, append=len(numbers)))
    weights, binary = np.empty(len(numbers), dtype=object), np.zeros(len(row), np.bool_)
    if most and numbers.dtype.kind == "f":  # most rows are known by their first number
        binary = (simple(numbers[heads], most)[1] == 0)[row]
    for last in (False, True):
        some = np.flatnonzero(binary == last)
        if some.size:
            tops, bottoms = ratios_of(numbers[some], 0 if last else most)
            starts = starts_of(row[some])
            weights[some], binary[some] = _over_common(tops, bottoms, starts)
    return weights


def _over_common(
    tops: Exact, bottoms: Exact, heads: Integers
) -> tuple[Exact, NDArray[np.bool_]]:
    """Return numerators over common denominators, and whether rows do not sum to 1."""
    counts = np.diff(heads, append=len(tops))
    common = np.lcm.reduceat(bottoms, heads)
    weights = tops * (np.repeat(common, counts) // bottoms)
    return weights, np.repeat(np.add.reduceat(weights, heads) != common, counts)


def ratios_of(numbers: NDArray[Any], most: int) -> tuple[Exact, Exact]:
    """Return numerators and denominators, as objects, of the fractions for numbers."""
    items = [] if numbers.dtype.kind == "f" else numbers.tolist()
    exact = np.flatnonzero([not isinstance(x, float) for x in items])
    floats = numbers
    if exact.size:
        floats = numbers.copy()
        floats[exact] = 0
    floats = floats.astype(np.float64)
    tops, bottoms = simple(floats, most) if most else np.zeros((2, len(floats)), int)
    rest = np.flatnonzero(bottoms == 0)
    tops, bottoms = tops.astype(object), bottoms.astype(object)
    tops[rest], bottoms[rest] = _binary(floats[rest])
    for index in exact.tolist():
        tops[index], bottoms[index] = Fraction(items[index]).as_integer_ratio()
    return tops, bottoms


def _binary(floats: NDArray[np.float64]) -> tuple[Exact, Exact]:
    """Return the numerators and denominators of floats as the fractions they are."""
    digits, powers = np.frexp(floats)
    tops = (digits * 2.0**53).astype(np.int64)
    zeros = np.frexp((tops & -tops).astype(np.float64))[1] - 1
    zeros, powers = np.maximum(zeros, 0), (powers.astype(np.int64) - 53) * (tops != 0)
    powers += zeros
    wide = int(np.abs(powers).max(initial=0))
    twos = np.array([1 << k for k in range(wide + 1)], dtype=object)
    return (tops >> zeros) * twos[np.maximum(powers, 0)], twos[np.maximum(-powers, 0)]


def simple(floats: NDArray[np.float64], most: int) -> tuple[Integers, Integers]:
    """Return numerators and denominators; a denominator of 0 where there is none."""
    tops, bottoms = np.zeros((2, len(floats)), dtype=np.int64)
    left = np.flatnonzero(np.abs(floats) < 2.0**52 / most)
    near = np.maximum(NEAR, np.spacing(np.abs(floats[left])))
    whole = np.floor(floats[left])
    part = rest = floats[left] - whole
    h, k, h_before, k_before = whole * 0, whole * 0 + 1, whole * 0 + 1, whole * 0
    while left.size:
        fits = np.abs(h / k - part) <= near
        fits &= (h + whole * k != 0) | (floats[left] == 0)
        here = left[fits]
        tops[here] = (h + whole * k)[fits]
        bottoms[here] = k[fits]
        go = ~fits & (rest > 0)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            inverse = 1 / rest
            steps = np.floor(inverse)
            h, h_before = steps * h + h_before, h
            k, k_before = steps * k + k_before, k
            rest = inverse - steps
        go &= k <= most
        parts = left, near, whole, part, rest, h, k, h_before, k_before
        left, near, whole, part, rest, h, k, h_before, k_before = (x[go] for x in parts)
    return tops, bottoms


def fractions_of(numbers: Sequence[Any] | NDArray[Any], most: int) -> list[Fraction]:
    """Return the Fractions for numbers."""
    tops, bottoms = ratios_of(_column(list(numbers)), most)
    return list(map(Fraction, tops.tolist(), bottoms.tolist()))


def rows_of(prices: NDArray[Any], players: int, most: int) -> NDArray[Any]:
    """Return the rows of what each player gets."""
    paid = fractions_of(prices.tolist(), most)
    column = np.array(paid, dtype=object)
    if all(x.denominator == 1 for x in paid):
        column = exact_array([x.numerator for x in paid])
    return np.stack([column] if players == 1 else [column, -column], axis=1)
