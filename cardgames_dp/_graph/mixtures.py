"""Policies that draw what to do anew in each state, and what functions answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.array_answers import CheckedGame
from cardgames_dp._graph.graph import exact_array
from cardgames_dp._graph.names import Names, names_of, own_member
from cardgames_dp._graph.outcomes import integer_weights
from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend

RANDOM: Final = "random"
"""The name of the policy that takes every legal action with equal chances."""


@dataclass(frozen=True, slots=True)
class Mixture(Record):
    """A policy that follows one of several; made by `cardgames_dp.play.mixture`.

    Attributes
    ----------
    policies : tuple of Policy
    weights : tuple of int, Fraction, Decimal or float
        How likely each is followed, up to a common factor.
    """

    policies: tuple[Any, ...]
    weights: tuple[Any, ...]

    def shares(self, *, exact: bool) -> list[Fraction]:
        """Return the probability of each policy."""
        floats = [weight for weight in self.weights if isinstance(weight, float)]
        if exact and floats:
            raise TypeError(
                "weights of a mixture must be exact (int, Fraction or Decimal) with "
                f"backend='exact', got {arguments.described(floats[0])}"
            )
        amounts = [arguments.amount("a weight", weight) for weight in self.weights]
        total = sum(amounts)
        return [amount / total for amount in amounts]


@dataclass(frozen=True, slots=True)
class Random(Record):
    """The policy that takes every legal action of a game with equal chances.

    Attributes
    ----------
    game : Game, ArrayGame, Explored or ExploredArrays
    """

    game: Any

    def __call__(self, state: Any) -> dict[Any, int]:
        """Return the actions of a state, with equal weights."""
        if not callable(getattr(self.game, "initial_states", None)):
            return dict.fromkeys(self.game.legal_actions(state), 1)
        names, checked = names_of(self.game), CheckedGame(self.game)
        rows = names.row_of(state)[np.newaxis]
        _, codes, _ = checked.actions(checked.columns(rows, None, "states"))
        return {names.action_of(code): 1 for code in codes}


def freeze_policies(game: Any, policies: Any) -> Any:
    """Return policies so that later changes do not matter, and "random" as a policy.

    Where a game has a policy of this name, it stays a name.
    """
    if isinstance(policies, (list, tuple)):
        return tuple([_freeze(game, policy) for policy in policies])
    return _freeze(game, policies)


def _freeze(game: Any, policy: Any) -> Any:
    """Do so for one policy."""
    if isinstance(policy, Mixture):
        parts = tuple([_freeze(game, part) for part in policy.policies])
        return replace(policy, policies=parts)
    if not isinstance(policy, str) or policy != RANDOM:
        return policy
    own = own_member(game, "as_policy")
    try:
        answer = None if own is None else own(policy, "float64")
    except ValueError:  # it has no policy of this name
        answer = None
    return Random(game) if answer is None else policy


def array_answer(policy: Any, fields: Any, count: int) -> Any:
    """Return what a function says of states with arrays as fields.

    None if it is a function of one state, such as ``"stop" if s.cash else "draw"``,
    which fails, or answers once, for arrays.
    """
    try:
        answer = policy(fields)
    except Exception:  # called again for each state, where errors are raised
        return None
    weights = answer.values() if isinstance(answer, Mapping) else [answer]
    if any(map(np.ma.is_masked, weights)):
        raise ValueError("a policy must not give masked arrays; fill them first")
    if not isinstance(answer, tuple) and not any(map(np.ndim, weights)):
        return None
    if isinstance(answer, list) and len(answer) != count:
        return None
    return answer


def in_codes(result: Any, count: int, names: Names, backend: Backend) -> Any:
    """Return the answer of a policy for some states with codes of actions."""
    if isinstance(result, tuple) and len(result) == 3:
        index, actions, weights = result
        return index, names.codes_of(actions), weights
    if not isinstance(result, Mapping):
        return names.codes_of(result)
    codes = names.codes_of(list(result))
    index = np.tile(np.arange(count), len(codes))
    for action, weight in result.items():
        if np.shape(weight) not in {(), (count,)}:
            must = f"the weight of {arguments.shown(action)} must be one number, or "
            must += f"one for each of {count} states"
            raise arguments.wrong_value(must, weight)
    columns = [np.broadcast_to(weight, count) for weight in result.values()]
    if any(column.dtype.kind not in "bif" for column in columns):
        columns = [column.astype(object) for column in columns]
    weights = np.concatenate(columns)
    if weights.dtype == object:
        numbers = [int(x) if isinstance(x, bool) else x for x in weights.tolist()]
        exact = [_amount("a weight of policies", x, backend) for x in numbers]
        weights = exact_array(integer_weights(exact))
    elif weights.dtype == np.bool_:
        weights = weights.astype(np.int64)
    some = weights != 0  # an action of weight 0 need not be legal everywhere
    return index[some], codes.repeat(count, axis=0)[some], weights[some]


def mixture_weights(
    answer: Any, rank: Mapping[Any, int], must: str, where: str, backend: Backend
) -> list[int]:
    """Return what a policy gives for a state as integer weights of all actions."""
    if not isinstance(answer, Mapping):
        raise ValueError(f"{must}, got {arguments.described(answer)}")
    weights = [Fraction(0)] * len(rank)
    for action, weight in answer.items():
        if action not in rank:
            raise ValueError(f"{must}, got a weight for {arguments.shown(action)}")
        name = f"the weight of {arguments.shown(action)} in {where}"
        weights[rank[action]] = _amount(name, weight, backend)
    if not any(weights):
        raise arguments.wrong_value(f"{must} with a positive sum", answer)
    return integer_weights(weights)


def _amount(name: str, weight: Any, backend: Backend) -> Fraction:
    """Return a weight as a Fraction; a float only where numbers are floats."""
    if backend == "exact" and isinstance(weight, (float, np.floating)):
        raise TypeError(
            f"{name} must be exact (int, Fraction or Decimal) with "
            f"backend='exact', got {arguments.described(weight)}"
        )
    return arguments.amount(name, weight)


def shares(
    who: str,
    policy: Any,
    fields: Any,
    state_at: Callable[[int], Any],
    words: tuple[str, ...],
    backend: Backend,
) -> NDArray[Any]:
    """Return how likely a policy takes each of two actions in some states.

    Parameters
    ----------
    who : str
        The policy in messages.
    policy : callable or mapping
    fields : NamedTuple of ndarray
        The states, with arrays as fields.
    state_at : callable
        The state with an index.
    words : tuple of str
        The actions, both of which are legal.
    backend : {"float64", "exact"}

    Returns
    -------
    ndarray of float64 or Fraction, shape (2, states)
    """
    count, answer = len(fields[0]), None
    must = (
        f"{who} must give {words[0]!r} or {words[1]!r}, or a mapping of both to weights"
    )
    if not isinstance(policy, Mapping):
        answer = array_answer(policy, fields, count)
    if answer is not None:
        weights = _weights_in_arrays(must, answer, count, words, backend)
    else:
        each = [
            _weights_at(who, must, policy, state_at(i), words, backend)
            for i in range(count)
        ]
        weights = np.reshape(exact_array([x for pair in each for x in pair]), (-1, 2)).T
    largest = weights.max(axis=0)
    if not ((weights >= 0) & (largest > 0) & (largest < np.inf)).all():
        raise arguments.wrong_value(
            f"{must}, finite and >= 0, of a positive sum", answer
        )
    exactly = Fraction(1) if backend == "exact" else 1
    weights = weights * exactly / largest  # so that the sum does not overflow
    result: NDArray[Any] = weights / weights.sum(axis=0)
    return result if backend == "exact" else result.astype(np.float64)


def _weights_in_arrays(
    must: str, answer: Any, count: int, words: tuple[str, ...], backend: Backend
) -> NDArray[Any]:
    """Return the weights of both actions in all states from an answer in arrays."""
    try:
        coded = in_codes(answer, count, Names(actions=words), backend)
        if not isinstance(coded, tuple):
            coded = np.arange(count), coded, np.ones(coded.shape, dtype=np.int64)
        index, codes, weights = map(np.asarray, coded)
        if weights.dtype.kind not in "bif" or (
            weights.dtype.kind == "f" and backend == "exact"
        ):
            amounts = [
                _amount("a weight", x, backend) for x in weights.ravel().tolist()
            ]
            weights = exact_array(integer_weights(amounts)).reshape(weights.shape)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{must}: {error}") from None
    fits = index.ndim == 1 and index.shape == codes.shape == weights.shape
    if (
        not fits
        or index.dtype.kind not in "iu"
        or set(index.tolist()) - {*range(count)}
    ):
        raise arguments.wrong_value(f"{must}, of {count} states", answer)
    totals = np.zeros((2, count), dtype=np.result_type(weights, np.int64))
    np.add.at(totals, (codes, index), weights)
    return totals


def _weights_at(
    who: str,
    must: str,
    policy: Any,
    state: Any,
    words: tuple[str, ...],
    backend: Backend,
) -> list[int]:
    """Return the weights of both actions in one state."""
    try:
        answer = policy[state] if isinstance(policy, Mapping) else policy(state)
    except Exception as error:
        shown = arguments.shown(state)
        if isinstance(policy, Mapping) and isinstance(error, KeyError):
            raise ValueError(
                f"{who} must have an action for every state that comes up, and has "
                f"none for {shown}"
            ) from error
        error.add_note(f"raised by {who} for {shown}")
        raise
    if isinstance(answer, np.ndarray) and not answer.ndim:
        answer = answer.item()  # from np.where
    if isinstance(answer, str) and answer in words:
        return [int(answer == word) for word in words]
    at = f"at state {arguments.shown(state)}"
    rank = {word: i for i, word in enumerate(words)}
    return mixture_weights(answer, rank, f"{must}, {at}", f"{who} {at}", backend)
