"""Outcomes of chance, read and checked, with weights as integers in the same ratio.

Integers stay as they are. Fractions, Decimals and floats of a state are multiplied by
their common denominator, so its probabilities are exactly the given numbers, of which
floats are binary fractions, over their sum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._graph.answers import (
    MOST_STATES,
    TEXT,
    GameError,
    is_integer,
    items,
    payoffs,
    require_hashable,
)
from cardgames_dp._graph.graph import Exact, Integers
from cardgames_dp._support import arguments

_APART = 1e-9
"""Floats of at most 1 are probabilities, whose sum is 1 up to this."""

_NUMBERS = "numbers >= 0 (int, Fraction, Decimal or float)"


def outcomes_of(
    answer: Any, state: object, num_players: int, max_states: int = MOST_STATES
) -> list[tuple[int | Fraction | float, Any, tuple[Fraction | float, ...]]]:
    """Return the outcomes of positive weight, from the answer of `chance_outcomes`.

    They are triples of weight, state and what the outcome pays to each player.
    """
    if not isinstance(answer, (list, tuple)):
        _require_iterable(answer, state)
    call = f"chance_outcomes({arguments.shown(state)})"
    possible: list[tuple[int | Fraction | float, Any, tuple[Fraction | float, ...]]]
    possible = []
    nothing: tuple[Fraction | float, ...] = (Fraction(0),) * num_players
    for outcome in items(answer, call, max_states):
        if not isinstance(outcome, (tuple, list)) or len(outcome) not in {2, 3}:
            raise TypeError(f"{_outcome_rule(state)}, got {arguments.shown(outcome)}")
        weight, following, *more = outcome
        number = _weight(weight, following, f"{_outcome_rule(state)} whose weights")
        if number:
            require_hashable(following, "chance_outcomes", state)
            rewards = nothing
            if more:
                rewards = payoffs(more[0], num_players, "chance_outcomes", state)
            possible.append((number, following, rewards))
    if not possible:
        raise GameError(
            f"{_outcome_rule(state)} whose weights have a positive sum, got 0"
        )
    weights = np.array([float(weight) for weight, *_ in possible])
    if any(isinstance(weight, float) for weight, *_ in possible):
        at = np.zeros(len(weights), dtype=np.int64)
        _require_probabilities(weights, at, call, lambda _: "")
    return possible


def integer_weights(weights: Sequence[Any]) -> list[int]:
    """Return the weights of a state as integers in the same ratio."""
    if all(type(weight) is int for weight in weights):
        return list(weights)
    pairs = [weight.as_integer_ratio() for weight in weights]
    unit = math.lcm(*[bottom for _, bottom in pairs])
    tops = [int(top) * (unit // bottom) for top, bottom in pairs]
    common = math.gcd(*tops) or 1
    return [top // common for top in tops]


def integer_weight_array(
    weights: NDArray[Any], index: Integers, call: str, at: Callable[[int], str]
) -> tuple[Exact, bool]:
    """Return weights as integers in the same ratio, and whether none is a float.

    Parameters
    ----------
    weights : ndarray, shape (count,)
    index : ndarray of int, shape (count,)
        The state of each: only ratios within a state matter.
    call : str
        The call that they answer.
    at : callable
        Says at which state a weight is, for messages.
    """
    kind = weights.dtype.kind
    if kind == "u" and weights.max(initial=0) > np.iinfo(np.int64).max:
        weights = weights.astype(object)
    if kind not in "iufO":
        array = f"an array of {weights.dtype} of shape {weights.shape}"
        hint = "; give numbers, as by astype(float)" if kind in "US" else ""
        raise TypeError(f"{call} must hold weights that are numbers, got {array}{hint}")
    if kind in "iu" and weights.dtype != object:
        _require_not_negative(weights < 0, weights, call, at)
        return weights.astype(np.int64, copy=False), True
    if kind == "f":
        floats = weights.astype(np.float64, copy=False)
        _require_not_negative(~(np.isfinite(floats) & (floats >= 0)), floats, call, at)
        _require_probabilities(floats, index, call, at)
        return integers_from_floats(floats, index), False
    return _integers_from_objects(weights.tolist(), index, call, at)


def integers_from_floats(weights: NDArray[np.float64], index: Integers) -> Exact:
    """Return floats as integers in the same ratios, state by state."""
    mantissas, exponents = np.frexp(weights)
    tops = np.ldexp(mantissas, 53).astype(np.int64)
    lowest = np.frexp((tops & -tops).astype(np.float64))[1] - 1
    tops >>= np.maximum(lowest, 0)  # odd, or nothing
    exponents = np.where(tops > 0, exponents + lowest, np.iinfo(np.int32).max)
    least = np.full(int(index.max(initial=-1)) + 1, np.iinfo(np.int32).max)
    np.minimum.at(least, index, exponents)
    shifts = np.where(tops > 0, exponents - least[index], 0)
    if (np.frexp(tops.astype(np.float64))[1] + shifts).max(initial=0) < 63:
        result: Exact = tops << shifts
        return result
    pairs = zip(tops.tolist(), shifts.tolist(), strict=True)
    return np.array([top << shift for top, shift in pairs], dtype=object)


def _integers_from_objects(
    weights: list[Any], index: Integers, call: str, at: Callable[[int], str]
) -> tuple[Exact, bool]:
    """Return numbers of any types as integers in the same ratios, state by state."""
    for i, weight in enumerate(weights):
        if type(weight) is not int or weight < 0:
            weights[i] = _weight(weight, None, f"{call} must hold weights that", at(i))
    exact = float not in map(type, weights)
    if not exact:
        floats = np.array([*map(float, weights)])
        some = np.array([isinstance(weight, float) for weight in weights])
        mixed = np.isin(index, index[some])
        where = np.flatnonzero(mixed)
        _require_probabilities(
            floats[mixed], index[mixed], call, lambda i: at(int(where[i]))
        )
    if not all(type(weight) is int for weight in weights):
        states: dict[int, list[int]] = {}
        for i, state in enumerate(index.tolist()):
            states.setdefault(state, []).append(i)
        for own in states.values():
            for i, top in zip(
                own, integer_weights([weights[i] for i in own]), strict=True
            ):
                weights[i] = top
    try:
        return np.array(weights, dtype=np.int64), exact
    except OverflowError:
        return np.array(weights, dtype=object), exact


def _require_not_negative(
    wrong: NDArray[np.bool_], weights: NDArray[Any], call: str, at: Callable[[int], str]
) -> None:
    """Refuse the first wrong weight."""
    if wrong.any():
        i = int(wrong.argmax())
        got = arguments.shown(weights[i].item())
        raise GameError(f"{call} must hold weights >= 0, got {got}{at(i)}")


def _require_probabilities(
    weights: NDArray[np.float64], index: Integers, call: str, at: Callable[[int], str]
) -> None:
    """Refuse floats of at most 1 whose sum is not 1: they are no probabilities."""
    sums = np.bincount(index, weights)
    largest = np.zeros(len(sums))
    np.maximum.at(largest, index, weights)
    wrong = (largest > 0) & (largest <= 1) & ~(np.abs(sums - 1) <= _APART)
    if wrong.any():
        state = int(wrong.argmax())
        where = at(int((index == state).argmax()))
        raise GameError(
            f"{call} must hold probabilities whose sum is 1, if they are floats of at "
            f"most 1, got the sum {sums[state]:.12g}{where}; weights in other "
            "ratios may be integers or Fractions"
        )


def _weight(value: Any, after: Any, must: str, at: str = "") -> int | Fraction | float:
    """Return a weight as an int, a Fraction or a float.

    Parameters
    ----------
    value : object
    after : object
        The next state, for the message about a pair the wrong way round.
    must : str
        What the message begins with.
    at : str, optional
        Where it is, at the end of the message.
    """
    if type(value) is int or is_integer(value):
        number: int | Fraction | float = int(value)
    else:
        try:
            number = arguments.finite("a weight", value)
        except TypeError:
            got = f"{must} are {_NUMBERS}, got the weight {arguments.described(value)}"
            raise TypeError(f"{got}{at}{_hint(value, after)}") from None
        except ValueError:
            number = -1
        else:
            if isinstance(value, (float, np.floating)):
                number = float(value)
    if number < 0:
        shown = arguments.shown(value)
        raise GameError(f"{must} are {_NUMBERS}, got the weight {shown}{at}")
    return number


def _hint(value: Any, after: Any) -> str:
    """Return what to write in place of a weight that is no number."""
    if isinstance(value, str):
        try:
            number = Fraction(value)
        except (ValueError, ZeroDivisionError):
            pass
        else:
            exact = number if number.denominator == 1 else f"Fraction({value!r})"
            return f"; write {exact}"
    if isinstance(after, (int, float, Fraction, Decimal)) and not isinstance(
        value, (bool, np.bool_)
    ):
        pair = f"({arguments.shown(after)}, {arguments.shown(value)})"
        return f"; the weight comes first: write {pair}"
    return ""


def _outcome_rule(state: object) -> str:
    """Return the beginning of an error message about outcomes."""
    return (
        f"chance_outcomes({arguments.shown(state)}) must hold pairs (weight, state), "
        "or triples (weight, state, rewards)"
    )


def _require_iterable(answer: object, state: object) -> None:
    got = f"{_outcome_rule(state)}, got {arguments.described(answer)}"
    if isinstance(answer, Mapping):  # its keys might look like pairs
        raise GameError(
            f"{got}; return [(weight, state) for state, weight in outcomes.items()]"
        )
    if isinstance(answer, TEXT) or not arguments.is_iterable(answer):
        raise TypeError(got)
