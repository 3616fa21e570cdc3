"""Read tables of transitions: probabilities, rewards and a discount, as floats.

Rows of probabilities become integer weights. A float stands for the fraction of a small
denominator that it rounds, if there is one and its row then sums to exactly 1: two such
fractions are further apart than floats round. Fractions like this are convergents of
continued fractions (Legendre), which are found for all floats at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import GameError
from cardgames_dp._graph.graph import Exact, Integers, exact_array
from cardgames_dp._graph.outcomes import integers_from_floats
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


class Moves(NamedTuple):
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

    def select(self, where: NDArray[Any]) -> Moves:
        """Return some of the moves."""
        return Moves(*self[:2], *[column[where] for column in self[2:]])

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
    if not isinstance(transitions, Mapping):
        moves = _of_arrays(transitions, rewards, axis)
    elif rewards is None and axis is None:
        moves = _of_mapping(transitions)
    else:
        raise TypeError(
            "rewards and action_axis must not be given with a mapping, which has "
            "states, actions and rewards"
        )
    numbers = floats_of(moves.probabilities, "probabilities")
    paid = floats_of(moves.rewards, "rewards")
    possible, keys = moves.probabilities > 0, moves.keys

    def refuse(wrong: NDArray[np.bool_], must: str, column: NDArray[Any]) -> None:
        if wrong.any():
            move = int(wrong.argmax())
            wrong_number = arguments.shown(column.tolist()[move])
            raise GameError(f"{must}, got {wrong_number} for {moves.pair(move)}")

    wrong = ~(numbers >= 0) | np.isinf(numbers)
    refuse(wrong, "probabilities must be finite numbers >= 0", moves.probabilities)
    legal = ~np.isin(keys, keys[(paid == -math.inf) & possible])
    must = "rewards must be finite, or -inf where an action is not legal"
    refuse(legal & possible & ~np.isfinite(paid), must, moves.rewards)
    order = keys.argsort(kind="stable")
    order = order[legal[order]]
    if not order.size:
        raise GameError("rewards must not be -inf everywhere, as no action is legal")
    heads = starts_of(keys[order])
    sums = np.add.reduceat(numbers[order], heads)
    refuse_sums(sums, lambda row: moves.pair(order[heads[row]]))
    return moves.select(order[possible[order]])


def _of_mapping(table: Mapping[Any, Any]) -> Moves:
    """Return the moves of a table like ``env.unwrapped.P`` of Gymnasium."""
    must = (
        "transitions[state][action] must be a list of (probability, next state, "
        "reward, done)"
    )
    try:
        pairs = [action for actions in table.values() for action in actions]
        parts = [rows for actions in table.values() for rows in actions.values()]
        rows = [*chain.from_iterable(parts)]
        counts, sizes = np.array([*map(len, parts)]), {*map(len, rows)}
        numbers = [*chain.from_iterable(rows)]
    except (AttributeError, TypeError) as error:
        raise TypeError(must) from error
    if sizes != {4}:
        raise TypeError(f"{must}, got {arguments.shown(table)}")
    probabilities, after, rewards, done = (numbers[i::4] for i in range(4))
    if not {bool, np.bool_}.issuperset(map(type, done)):
        wrong = next(x for x in done if type(x) not in (bool, np.bool_))
        raise arguments.wrong_type("done of transitions must be a bool", wrong)
    states = _indices("a state", [*table]).repeat([*map(len, table.values())])
    actions, following = _indices("an action", pairs), _indices("a next state", after)
    refuse_sums(
        np.minimum(counts, 1), lambda i: f"action {actions[i]} in state {states[i]}"
    )
    size = 1 + max(int(states.max()), int(following.max()))
    what = f"a table of {size} states"
    refuse_too_large(what, 64 * size, "number states from 0 without gaps")
    return Moves(
        size,
        1 + int(actions.max()),
        states.repeat(counts),
        actions.repeat(counts),
        following,
        _column(probabilities),
        _column(rewards),
        np.array(done, dtype=np.bool_),
    )


def _indices(name: str, column: list[Any]) -> Integers:
    """Return the numbers of states or actions, checked."""
    name = f"{name} of transitions"
    usual = {int, np.int64, np.int32}.issuperset(map(type, column))
    numbers = np.array(
        column if usual else [arguments.integer(name, x) for x in column]
    )
    least, most = int(numbers.min()), int(numbers.max())
    if least < 0 or most > _MOST_NUMBER:
        must = f"{name} must be an integer >= 0 and below 2**31"
        raise arguments.wrong_value(must, least if least < 0 else most)
    return numbers.astype(np.int64)


def _column(numbers: Sequence[Any]) -> NDArray[Any]:
    """Return numbers as an array; of objects if floats and int64 do not hold them."""
    kinds = {*map(type, numbers)}
    if kinds <= {float, np.float64, np.float32}:
        return np.array(numbers)
    if kinds <= {float, int, np.float64, np.float32, np.int64}:
        column = np.array(numbers)
        if column.dtype.kind == "i" or (np.abs(column) < 2.0**53).all():
            return column
    return np.array(numbers, dtype=object)


def _of_arrays(transitions: Any, rewards: Any, axis: int | None) -> Moves:
    """Return the moves of arrays, or of sparse matrices."""
    if is_sparse(transitions):
        matrix, axis = _stacked("transitions", transitions).tocoo(), 0
        (rows, size), p = matrix.shape, matrix.data
        actions, t = rows // size, matrix.col.astype(np.int64)
        a, s = np.divmod(matrix.row.astype(np.int64), size)
    else:
        dense, axis = states_first(transitions, rewards, axis)
        (size, actions), (s, a, t) = dense.shape[:2], dense.nonzero()
        p = dense[s, a, t]
    missing = np.ones((size, actions), dtype=np.bool_)
    missing[s[p != 0], a[p != 0]] = False
    if is_sparse(rewards):
        stacked = _stacked("rewards", rewards)
        if stacked.shape != (actions * size, size):
            side = stacked.shape[1]
            raise GameError(
                f"rewards must be {actions} matrices of {size} x {size}, as "
                f"transitions are, got {len(rewards)} of {side} x {side}"
            )
        r = np.asarray(stacked[a * size + s, t]).ravel()
        entries = stacked.tocoo()
        never = entries.row[entries.data == -math.inf]
        missing[never % size, never // size] = False
    else:
        paid = rewards_of(rewards, (size, actions), axis)
        r = np.broadcast_to(paid, (size, actions, size))[s, a, t]
        missing &= ~(paid == -math.inf).any(axis=2)
    if missing.any():
        state, action = np.argwhere(missing)[0]
        refuse_sums(np.zeros(1), lambda _: f"action {action} in state {state}")
    return Moves(size, actions, s, a, t, p, r, np.zeros(len(s), dtype=np.bool_))


def is_sparse(matrices: Any) -> bool:
    """Return whether something is a sequence of sparse matrices of SciPy."""
    several = isinstance(matrices, Sequence) and len(matrices) > 0
    return several and any(hasattr(matrix, "tocoo") for matrix in matrices)


def _stacked(name: str, matrices: Sequence[Any]) -> Any:
    """Return sparse matrices, one for each action, below each other."""
    from scipy import sparse

    size = np.shape(matrices[0])[0]
    for matrix in matrices:
        if not sparse.issparse(matrix) or matrix.shape != (size, size) or not size:
            must = f"{name} must be sparse matrices of one shape (states, states)"
            raise arguments.wrong_type(must, matrix)
    return sparse.csr_matrix(sparse.vstack(matrices))


def states_first(table: Any, rewards: Any, axis: Any) -> tuple[NDArray[Any], int]:
    """Return an array of shape (states, actions, states), and which axis was second.

    That of actions is `axis`, or what the shape says.
    """
    if axis is not None and (type(axis) is not int or axis not in (0, 1)):
        raise arguments.wrong_value("action_axis must be 0, 1 or None", axis)
    if hasattr(table, "unwrapped"):
        raise TypeError(
            "transitions must be the table of an environment, env.unwrapped.P, got the "
            "environment"
        )
    must = "transitions must be numbers in a mapping, an array or sparse matrices"
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
            f"transitions must have the shape {' or '.join(ways)}{hint}, got {shape}"
        )
    if axis is None and len(possible) > 1 and len(dense) > 1:
        raise GameError(
            f"transitions have as many actions as states, {shape[0]}: give "
            "action_axis=0 if the first axis is that of actions (as for pymdptoolbox), "
            "1 if the second is (as for QuantEcon)"
        )
    axis = possible[0] if axis is None else axis
    return np.moveaxis(dense, axis, 1), axis


def rewards_of(rewards: Any, shape: tuple[int, ...], axis: int) -> NDArray[Any]:
    """Return rewards in an array that broadcasts to (states, actions, states)."""
    size, actions = shape
    if rewards is None:
        rewards = np.zeros(size, dtype=np.int64)
    paid = arguments.array(rewards, "rewards must be numbers in an array")
    dense = (size, actions, size) if axis else (actions, size, size)
    if paid.shape not in {(size,), (size, actions), dense}:
        hint = "; transpose them" if paid.shape == (actions, size) else ""
        raise GameError(
            f"rewards must have the shape {(size,)}, {(size, actions)} or {dense}, got "
            f"{paid.shape}{hint}"
        )
    if paid.ndim == 3:
        return np.moveaxis(paid, axis, 1)
    return paid.reshape(size, -1, 1)


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
    """Return integers, as objects, in the proportions of probabilities in each row.

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
    floats = numbers.dtype.kind == "f"
    if floats:  # most rows are known by their first number
        binary = (simple(numbers[heads], most)[1] == 0)[row] if most else ~binary
    for last in (False, True):
        some = np.flatnonzero(binary == last)
        if last and floats:
            rest = numbers[some].astype(np.float64)
            weights[some] = integers_from_floats(rest, row[some])
        elif some.size:
            tops, bottoms = ratios_of(numbers[some], 0 if last else most)
            starts = starts_of(row[some])
            counts = np.diff(starts, append=len(some))
            common = np.lcm.reduceat(bottoms, starts)
            weights[some] = tops * (common.repeat(counts) // bottoms)
            sums = np.add.reduceat(weights[some], starts)
            binary[some] = (sums != common).repeat(counts)
    return weights


def ratios_of(numbers: NDArray[Any], most: int) -> tuple[Exact, Exact]:
    """Return numerators and denominators, as objects, of the fractions for numbers."""
    items = numbers.tolist()
    floats = (
        numbers.astype(np.float64)
        if numbers.dtype.kind == "f"
        else np.array([x if isinstance(x, float) else math.nan for x in items])
    )
    ratios = np.zeros((2, len(items)), dtype=object)
    if most:
        ratios[:] = simple(floats, most)
    rest = np.flatnonzero(ratios[1] == 0)
    exact = [
        x if isinstance(x, (int, float)) else arguments.finite("numbers", x)
        for x in map(items.__getitem__, rest.tolist())
    ]
    pairs = [x.as_integer_ratio() for x in exact]
    ratios[:, rest] = np.array(pairs, dtype=object).reshape(-1, 2).T
    return ratios[0], ratios[1]


def simple(floats: NDArray[np.float64], most: int) -> tuple[Integers, Integers]:
    """Return numerators and denominators; a denominator of 0 where there is none."""
    tops, bottoms = np.zeros((2, len(floats)), dtype=np.int64)
    places: Integers = np.flatnonzero(np.abs(floats) < 2.0**52 / most)
    part = floats[places] - np.floor(floats[places])
    zero, one = 0 * part, 1 + 0 * part
    # Remainders, and the numerators and denominators of two convergents.
    rows: list[NDArray[Any]] = [places, floats[places], part, zero, one, one, zero]
    while rows[0].size:
        here, numbers, rest, h, k, h_before, k_before = rows
        whole, near = np.floor(numbers), np.spacing(np.abs(numbers))
        fits = np.abs(h / k - (numbers - whole)) <= np.maximum(NEAR, near)
        fits &= (h + whole * k != 0) | (numbers == 0)
        tops[here[fits]] = (h + whole * k)[fits]
        bottoms[here[fits]] = k[fits]
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            steps = np.floor(1 / rest)
            after = 1 / rest - steps, steps * h + h_before, steps * k + k_before, h, k
        go = ~fits & (rest > 0) & (after[2] <= most)
        rows = [column[go] for column in (here, numbers, *after)]
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
