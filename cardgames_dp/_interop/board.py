"""A game on its way to OpenSpiel: all its states, as plain numbers and texts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardgames_dp import _checks
from cardgames_dp._labels import labels
from cardgames_dp._nodes import nodes
from cardgames_dp.explored import Explored
from cardgames_dp.game import GameError


@dataclass(frozen=True, eq=False)
class Board:
    """All states of a game in the form that OpenSpiel needs, with numbers for all.

    Attributes
    ----------
    name : str
        The name of the game.
    states : list of str
        The texts of the states, all different.
    actions : list of str
        The names of the actions, all different.
    players : list of int
        The player to move in each state, or `CHANCE` or `TERMINAL`.
    moves : list of dict of int to int
        For each state: the next state for each action or outcome of chance.
    chances : list of list of float
        For chance states: the probability of each outcome; otherwise empty.
    returns : list of list of float
        For terminal states: the returns; otherwise zeros.
    utility : str
        OpenSpiel's word for how returns sum up.
    total : float or None
        The sum, if it is always the same.
    tensors : ndarray of float32, shape (states, ...), or None
        What is observed in each state; None for a one-hot vector of its number.
    """

    name: str
    states: list[str]
    actions: list[str]
    players: list[int]
    moves: list[dict[int, int]]
    chances: list[list[float]]
    returns: list[list[float]]
    utility: str
    total: float | None
    tensors: NDArray[np.float32] | None

    def digest(self) -> str:
        """Return a text that no other board has, and that OpenSpiel reads as a text."""
        found = hashlib.sha256()
        for part in fields(self):
            value = getattr(self, part.name)
            if isinstance(value, np.ndarray):
                found.update(f"{value.shape}".encode())
                found.update(np.ascontiguousarray(value).data)
            else:
                found.update(f"{value}".encode("utf-8", "surrogatepass"))
        return f"x{found.hexdigest()[:16]}"


def board_of(
    found: Explored[Any, Any],
    name: str,
    tensors: NDArray[np.float32] | None,
    *,
    zero_sum: bool,
) -> Board:
    """Return the states of a game that has been explored, numbered by their places.

    Raises
    ------
    GameError
        If returns shall sum to zero, and their sum is not always the same.
    """
    states = nodes(found)
    number: dict[Hashable, int] = {}
    for node in states:
        for action in node.actions:
            number.setdefault(action, len(number))
    utility, total = _utility([node.returns for node in states if node.returns])
    share = Fraction(0)
    if zero_sum:
        if total is None:
            raise GameError(
                "with zero_sum=True, the returns of at least two players must have the "
                f"same sum in every terminal state, got a game of kind {utility}"
            )
        utility, total, share = "ZERO_SUM", Fraction(0), total / found.num_players
    nothing = [0.0] * found.num_players
    moves, chances = [], []
    for node in states:
        weights: dict[int, int] = {}
        for place, weight in zip(node.following, node.weights, strict=False):
            weights[place] = weights.get(place, 0) + weight
        whole = sum(weights.values())
        chances.append([weight / whole for weight in weights.values()])
        ids = [number[action] for action in node.actions]
        # OpenSpiel needs legal actions in increasing order.
        known = zip(ids, node.following, strict=True) if ids else enumerate(weights)
        moves.append(dict(sorted(known)))
    return Board(
        name,
        labels(found.states),
        labels(list(number)),
        [node.player for node in states],
        moves,
        chances,
        [[_float(x - share) for x in node.returns] or nothing for node in states],
        utility,
        None if total is None else _float(total),
        tensors,
    )


def tensors_of(
    tensor: Callable[[Any], ArrayLike], states: Sequence[object]
) -> NDArray[np.float32]:
    """Return what a function observes in each state.

    Raises
    ------
    TypeError, ValueError
        If an answer is no array of finite numbers of the same shape as the others.
    """
    rows: list[NDArray[np.float64]] = []
    for state in states:
        call = f"tensor({_checks.shown(state)})"
        row = _checks.float_array(call, tensor(state))
        if (rows and row.shape != rows[0].shape) or not row.ndim:
            must = f"{rows[0].shape} as for other states" if rows else "at least (1,)"
            raise ValueError(f"{call} must have the shape {must}, got {row.shape}")
        rows.append(row)
    return np.array(rows, dtype=np.float32)


def _utility(returns: list[Any]) -> tuple[str, Fraction | None]:
    """Return OpenSpiel's word for how returns sum up, and the sum if there is one."""
    sums = {sum(each) for each in returns}
    if len(returns[0]) > 1:
        if len(sums) == 1:
            (total,) = sums
            return "CONSTANT_SUM" if total else "ZERO_SUM", total
        if all(len(set(each)) == 1 for each in returns):
            return "IDENTICAL", None
    return "GENERAL_SUM", None


def _float(number: Any) -> float:
    """Return a return as a float."""
    must = "returns must fit in a float64, which OpenSpiel has"
    return _checks.nearest_float(must, number)
