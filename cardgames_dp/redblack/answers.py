"""Where policies of any game stop, which are asked level by level.

A function of a state with named fields is asked about all states of a level at once
and, if it does not take arrays, about each of them; a mapping is looked up, and a
solution is asked in rows of its game.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.by_state import ByState
from cardgames_dp._graph.explored import Explored
from cardgames_dp._support import arguments
from cardgames_dp.redblack._kernels import stop_sets
from cardgames_dp.redblack.cards import STOP, State
from cardgames_dp.redblack.rules import TIES

_MUST = "must give 'stop' or 'draw', or a mapping of these to weights"


def answers(policy: Any, exact: bool, n: int, first: int, last: int) -> stop_sets.Ends:
    """Return where a policy stops with n cards left, or how likely."""
    reds = np.arange(first, last + 1)
    if isinstance(policy, ByState) and not isinstance(policy.source.game, Explored):
        rows = np.column_stack([reds, n - reds, np.zeros_like(reds)])
        try:
            done = policy(rows)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                "a solution must have an action for every state of the deck that is "
                f"played: {error}"
            ) from error
        return _of_rows(done, len(reds), exact)
    if not isinstance(policy, Mapping):
        left = reds.astype(object) if exact else reds.copy()  # it may be changed
        nothing: NDArray[Any] = np.full(len(reds), "", dtype=object)
        try:
            done = policy(State(left, n - left, nothing))  # type: ignore[arg-type]
        except Exception:  # called again for each state, where errors are raised
            done = None
        if isinstance(done, list):
            done = np.asarray(done)
        if isinstance(done, tuple) and len(done) == 3:
            return _of_words(done, len(reds), exact)
        if isinstance(done, np.ndarray) and done.shape == (len(reds),):
            stops = np.asarray(done == "stop")
            if not (stops | (done == "draw")).all():
                wrong = done[(~stops & (done != "draw")).argmax()]
                raise _refused(wrong, State(int(reds[0]), n - int(reds[0])))
            ends: list[int] = np.flatnonzero(stops).tolist()
            return ends
        if isinstance(done, Mapping) and any(map(np.ndim, done.values())):
            return _chances(done, len(reds), exact)
    each = [_one(policy, State(r, n - r), exact) for r in reds.tolist()]
    if all(chance in (0, 1) for chance in each):
        return [i for i, chance in enumerate(each) if chance]
    return np.array(each, dtype=object if exact else np.float64)


def _of_rows(done: Any, count: int, exact: bool) -> stop_sets.Ends:
    """Return where a solution stops, which answers with codes, or all of several."""
    if not isinstance(done, tuple):
        ends: list[int] = np.flatnonzero(done == STOP).tolist()
        return ends
    index, actions, _ = done
    stops: NDArray[Any] = np.bincount(index[actions == STOP], minlength=count)
    if exact:
        stops = stops.astype(object) * Fraction(1)
    shares: NDArray[Any] = stops / np.bincount(index, minlength=count)
    return shares


def _of_words(done: tuple[Any, ...], count: int, exact: bool) -> NDArray[Any]:
    """Return how likely a policy stops that answers (index, actions, weights)."""
    index, words, weights = map(np.asarray, done)
    each = []
    for word in TIES:
        total = np.zeros(count, dtype=weights.dtype)
        np.add.at(total, index[words == word], weights[words == word])
        each.append(total)
    if not np.isin(words, TIES).all():
        raise _refused(words[~np.isin(words, TIES)][0], "a state")
    return _chances(dict(zip(TIES, each, strict=True)), count, exact)


def _one(policy: Any, state: State, exact: bool) -> Any:
    """Return how likely a policy stops in a state."""
    try:
        done = policy[state] if isinstance(policy, Mapping) else policy(state)
    except Exception as error:
        if isinstance(policy, Mapping) and isinstance(error, KeyError):
            raise ValueError(
                "a mapping must have an action for every state in which player 0 "
                f"moves, and has none for {state}"
            ) from error
        error.add_note(f"raised by the policy of player 0 for {state}")
        raise
    if isinstance(done, np.ndarray) and not done.ndim:
        done = done.item()  # from np.where
    if isinstance(done, Mapping):
        return _chances(done, 1, exact)[0]
    if not isinstance(done, str) or done not in TIES:
        raise _refused(done, state)
    return int(done == "stop")


def _refused(done: object, state: object) -> ValueError:
    return ValueError(
        f"the policy of player 0 {_MUST}, at state {state}, got "
        f"{arguments.described(done)}"
    )


def _chances(done: Mapping[Any, Any], count: int, exact: bool) -> NDArray[Any]:
    """Return the probabilities of stopping, from weights of both actions."""
    if not done or not set(done) <= set(TIES):
        raise arguments.wrong_value(f"the policy of player 0 {_MUST}", done)
    weights: list[Any] = []
    for word in TIES:
        name = f"the weight of {word!r} in the policy of player 0"
        given = np.asarray(done.get(word, 0))
        if given.shape not in {(), (count,)}:
            must = f"{name} must be one number, or one for each of {count} states"
            raise arguments.wrong_value(must, done[word])
        if given.dtype.kind not in "biufOU":
            raise arguments.wrong_type(f"{name} must be a number >= 0", done[word])
        given = np.broadcast_to(given * 1 if given.dtype == bool else given, count)
        if exact or given.dtype.kind in "OU":
            floats = [x for x in given.tolist() if isinstance(x, float)]
            if exact and floats:
                raise TypeError(
                    f"{name} must be exact (int, Fraction or Decimal) with "
                    f"backend='exact', got {arguments.described(floats[0])}"
                )
            numbers = [arguments.amount(name, x) for x in given.tolist()]
            given = np.array([*numbers, None], dtype=object)[:-1]
        elif not (np.isfinite(given).all() and (given >= 0).all()):
            raise arguments.wrong_value(f"{name} must be finite and >= 0", done[word])
        weights.append(given)
    largest = np.maximum(*weights)
    if not (largest > 0).all():
        must = "the policy of player 0 must give weights with a positive sum"
        raise arguments.wrong_value(must, done)
    if largest.dtype != object:  # so that the sum does not overflow
        weights = [weight / largest for weight in weights]
    else:
        pairs = [[Fraction(x) for x in weight.tolist()] for weight in weights]
        weights = [np.array([*pair, None], dtype=object)[:-1] for pair in pairs]
    found: NDArray[Any] = weights[0] / (weights[0] + weights[1])
    return found if exact else found.astype(np.float64)
