"""Read what a policy gives for a state, as integer weights of its actions.

In games for arrays policies are asked about many states at once: such a policy is a
callable of an array of states in the form that the game uses, or an `ArraySolution`. It
returns an array with one action for each state or, for a mixture, arrays ``(index,
actions, weights)``, as `ArrayGame.chance_outcomes` does.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.array_answers import CheckedArrays
from cardgames_dp._graph.array_solution import ArraySolution
from cardgames_dp._graph.arrays import ExploredArrays
from cardgames_dp._graph.graph import Exact, Integers, spans
from cardgames_dp._support import arguments
from cardgames_dp._support.running import refuse_too_large, tracked
from cardgames_dp.game import CHANCE

Asked: TypeAlias = Callable[[Any], Any]
"""A policy as a callable of a state."""


class LookUp:
    """A policy that is a mapping, as a callable.

    Parameters
    ----------
    name : str
        The name of the argument in error messages.
    mapping : mapping
        The policy.
    player : int
        The player whose policy it is.
    """

    __slots__ = ("_name", "_player", "mapping")

    def __init__(self, name: str, mapping: Mapping[Any, Any], player: int) -> None:
        self._name, self.mapping, self._player = name, mapping, player

    def __call__(self, state: Any) -> Any:
        """Return what the mapping has for a state.

        Raises
        ------
        ValueError
            If the mapping does not have it.
        """
        try:
            return self.mapping[state]
        except KeyError:
            raise ValueError(
                f"{self._name} must have an action for every state in which player "
                f"{self._player} moves, and has none for {arguments.shown(state)}"
            ) from None


class Mixer:
    """Read what a policy gives for a state, as integer weights of its actions.

    Parameters
    ----------
    player : int
        The player whose policy it is.
    exact : bool
        Whether to refuse floats, which are rarely the exact numbers that are meant.
    """

    __slots__ = ("_exact", "_places", "_player")

    def __init__(self, player: int, *, exact: bool) -> None:
        self._player, self._exact = player, exact
        self._places: dict[Any, dict[Any, int]] = {}

    def __call__(
        self, given: Any, state: object, actions: tuple[Any, ...]
    ) -> int | list[int]:
        """Return the place of the action that is taken, or the weights of all.

        Raises
        ------
        TypeError, ValueError
            If it is neither a legal action nor a mixture of them.
        """
        places = self._places.get(actions)
        if places is None:
            places = {action: k for k, action in enumerate(actions)}
            self._places[actions] = places
        try:
            return places[given]
        except (KeyError, TypeError):  # no legal action, or not hashable
            pass
        must = (
            f"the policy of player {self._player} must give one of the legal actions "
            f"{arguments.shown(actions)} at state {arguments.shown(state)}, or a "
            "mapping "
            "of them to weights"
        )
        if not isinstance(given, Mapping):
            raise ValueError(f"{must}, got {arguments.described(given)}")
        return self._mixture(given, places, must)

    def _mixture(
        self, given: Mapping[Any, Any], places: dict[Any, int], must: str
    ) -> list[int]:
        weights = [Fraction(0)] * len(places)
        for action, weight in given.items():
            place = places.get(action)
            if place is None:
                raise ValueError(f"{must}, got a weight for {arguments.shown(action)}")
            weights[place] = self._weight(weight, action, must)
        unit = math.lcm(*[weight.denominator for weight in weights])
        whole = [int(weight * unit) for weight in weights]
        if not any(whole):
            raise ValueError(
                f"{must} with a positive sum, got {arguments.shown(given)}"
            )
        common = math.gcd(*whole)
        return [weight // common for weight in whole]

    def _weight(self, weight: Any, action: object, must: str) -> Fraction:
        if isinstance(weight, (float, np.floating)) and self._exact:
            raise TypeError(
                f"{must} which are exact (int, Fraction or Decimal) with "
                f"backend='exact', got {arguments.described(weight)} for "
                f"{arguments.shown(action)}"
            )
        if isinstance(weight, (bool, np.bool_)) or not isinstance(
            weight, (numbers.Rational, float, np.floating, Decimal)
        ):
            raise TypeError(
                f"{must}, got the weight {arguments.described(weight)} for "
                f"{arguments.shown(action)}"
            )
        infinite = not (
            isinstance(weight, numbers.Rational) or arguments.is_finite(weight)
        )
        if infinite or weight < 0:
            raise ValueError(
                f"{must} that are finite and >= 0, got {arguments.shown(weight)} for "
                f"{arguments.shown(action)}"
            )
        return arguments.finite("weight", weight)


_AT_ONCE = 2**20
"""The largest number of states that a policy is asked about in one call."""


def weighed_arrays(
    explored: ExploredArrays, asked: Sequence[Asked | None], *, exact: bool
) -> Exact:
    """Return the weights of all moves, as `weighed` does for other games.

    Parameters
    ----------
    explored : ExploredArrays
        The game.
    asked : sequence of callable or None
        The policy of each player.
    exact : bool
        Whether to refuse float weights.

    Raises
    ------
    TypeError, ValueError
        If a policy is a mapping, or gives anything but legal actions or mixtures.
    TooLargeError
        If the weights would not fit in memory.
    """
    graph = explored.graph
    states, moves = graph.num_states, len(graph.following)
    refuse_too_large(
        f"policies of a game of {states} states and {moves} moves",
        48 * (states + moves),
        "play a smaller game",
    )
    wide = graph.weights.dtype == object
    weights: NDArray[Any] = np.zeros(moves, dtype=object if wide else np.int64)
    counts = np.diff(graph.offsets)
    weights[np.repeat(graph.players == CHANCE, counts)] = graph.weights
    checked = CheckedArrays(explored.game)
    for player, ask in enumerate(asked):
        if isinstance(ask, LookUp):
            raise TypeError(
                "policies of a game for arrays must be callables of an array of "
                f"states, or solutions, got {arguments.described(ask.mapping)}"
            )
        if ask is None:
            continue
        places = np.flatnonzero(graph.players == player)
        known = getattr(ask, "__self__", None)
        if isinstance(known, ArraySolution) and _same(known, explored, places):
            if known.tie_break == "uniform":
                every = spans(graph.offsets[places], counts[places])
                weights[every] = known.optimal[every]
            else:
                taken = known.chosen[places].astype(np.int64)
                weights[graph.offsets[places] + taken] = 1
            continue
        parts = range(0, len(places), _AT_ONCE)
        for start in tracked(parts, len(parts), "parts of states"):
            some = places[start : start + _AT_ONCE]
            answer = _Answer(checked, explored.columns[:, some], player, exact=exact)
            found = answer.weights(ask)
            if found.dtype == object:
                weights = weights.astype(object)
            weights[spans(graph.offsets[some], counts[some])] = found
    return weights


def _same(
    known: ArraySolution[Any], explored: ExploredArrays, places: Integers
) -> bool:
    """Return whether a solution is of the same game, and decides at these places."""
    one, other = known.explored.columns, explored.columns
    return (
        one.shape == other.shape
        and np.may_share_memory(one, other)
        and bool((known.explored.graph.players[places] >= 0).all())
    )


class _Answer:
    """The answer of a policy about some states, checked.

    Parameters
    ----------
    game : CheckedArrays
        The game.
    columns : ndarray of int, shape (width, count)
        The states.
    player : int
        The player who moves in them.
    exact : bool
        Whether to refuse float weights.
    """

    def __init__(
        self, game: CheckedArrays, columns: Integers, player: int, *, exact: bool
    ) -> None:
        self._states, self._player, self._exact = game.states(columns), player, exact
        self._index, self._actions, _ = game.actions(columns)

    def weights(self, ask: Asked) -> Exact:
        """Return the weights of the moves of these states.

        Raises
        ------
        TypeError, ValueError
            If the answer is neither an action for each state nor a mixture.
        """
        done = ask(self._states)
        if isinstance(done, tuple):
            return self._mixture(done)
        taken = np.asarray(done)
        shape = (len(self._states), *self._actions.shape[1:])
        if taken.dtype.kind not in "iu" or taken.shape != shape:
            raise TypeError(
                f"the policy of player {self._player} must give an array of integers "
                f"of shape {shape}, one action a state, or a mixture (index, actions, "
                f"weights), got {arguments.described(done)}"
            )
        same = np.reshape(self._actions == taken[self._index], (len(self._index), -1))
        found = np.logical_and.reduce(same, axis=1)
        legal = np.bincount(self._index[found], minlength=len(taken)) > 0
        if not legal.all():
            self._refuse(int(legal.argmin()), taken[legal.argmin()])
        weights: Exact = found.astype(np.int64)
        return weights

    def _mixture(self, done: tuple[Any, ...]) -> Exact:
        must = (
            f"the policy of player {self._player} must give a mixture as arrays (index,"
            " actions, weights) of the same length"
        )
        parts = [np.asarray(part) for part in done]
        if len(parts) != 3 or len({part.shape[:1] for part in parts}) > 1:
            raise TypeError(f"{must}, got {arguments.described(done)}")
        index, actions, given = parts
        count = len(self._states)
        if index.dtype.kind not in "iu" or actions.dtype.kind not in "iu":
            raise TypeError(f"{must}, index and actions of integers")
        if not given.shape == index.shape == (len(index),) or (
            actions.shape[1:] != self._actions.shape[1:]
        ):
            raise TypeError(f"{must} and of one action and one weight each")
        if len(index) and not (index.min() >= 0 and index.max() < count):
            raise ValueError(f"{must}, index from 0 to {count - 1}")
        places = self._places(index.astype(np.int64), actions)
        whole = self._whole(given, must)
        weights: NDArray[Any] = np.zeros(len(self._index), dtype=whole.dtype)
        np.add.at(weights, places, whole)
        some = np.bincount(self._index[weights > 0], minlength=count) > 0
        if not some.all():
            state = self._states[some.argmin()].tolist()
            raise ValueError(f"{must}, with a positive sum for state {state}")
        return weights

    def _places(self, index: Integers, actions: Integers) -> Integers:
        """Return the indices of the given moves among the legal ones."""
        both = np.concatenate([self._actions, actions]).reshape(
            len(self._actions) + len(actions), -1
        )
        _, codes = np.unique(both, axis=0, return_inverse=True)
        codes = codes.ravel().astype(np.int64)
        known = self._index * len(both) + codes[: len(self._actions)]
        asked = index * len(both) + codes[len(self._actions) :]
        order = known.argsort()
        places = order[np.minimum(np.searchsorted(known[order], asked), len(known) - 1)]
        wrong = known[places] != asked
        if wrong.any():
            self._refuse(int(index[wrong.argmax()]), actions[wrong.argmax()])
        return places

    def _whole(self, given: NDArray[Any], must: str) -> Exact:
        """Return weights as integers in the same ratio."""
        if given.dtype.kind == "f" and not self._exact:
            if not (np.isfinite(given).all() and (given >= 0).all()):
                raise ValueError(f"{must}, weights finite and >= 0")
            mantissas, exponents = np.frexp(given)
            exponents -= exponents[given > 0].min(initial=exponents.max(initial=0))
            whole: Exact = np.ldexp(mantissas, 53).astype(np.int64)
            if exponents[given > 0].max(initial=0) < 9:
                whole <<= np.maximum(exponents, 0)
                whole //= max(int(np.gcd.reduce(whole)), 1)
                return whole
            pairs = zip(whole.tolist(), exponents.tolist(), strict=True)
            return np.array([w << max(e, 0) for w, e in pairs], dtype=object)
        if given.dtype.kind not in "iu":
            kinds = "integers" if self._exact else "integers or floats"
            raise TypeError(f"{must}, weights of {kinds}, got {given.dtype}")
        if (given < 0).any():
            raise ValueError(f"{must}, weights finite and >= 0")
        integers: Exact = given.astype(np.int64)
        return integers

    def _refuse(self, i: int, action: Any) -> None:
        legal = self._actions[self._index == i].tolist()
        raise ValueError(
            f"the policy of player {self._player} must give one of the legal actions "
            f"{arguments.shown(legal)} at state {self._states[i].tolist()}, got "
            f"{np.asarray(action).tolist()}"
        )
