"""Read what a policy gives for a state, as integer weights of its actions."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from cardgames_dp import _checks

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
                f"{self._player} moves, and has none for {_checks.shown(state)}"
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
            f"{_checks.shown(actions)} at state {_checks.shown(state)}, or a mapping "
            "of them to weights"
        )
        if not isinstance(given, Mapping):
            raise ValueError(f"{must}, got {_checks.described(given)}")
        return self._mixture(given, places, must)

    def _mixture(
        self, given: Mapping[Any, Any], places: dict[Any, int], must: str
    ) -> list[int]:
        weights = [Fraction(0)] * len(places)
        for action, weight in given.items():
            place = places.get(action)
            if place is None:
                raise ValueError(f"{must}, got a weight for {_checks.shown(action)}")
            weights[place] = self._weight(weight, action, must)
        unit = math.lcm(*[weight.denominator for weight in weights])
        whole = [int(weight * unit) for weight in weights]
        if not any(whole):
            raise ValueError(f"{must} with a positive sum, got {_checks.shown(given)}")
        common = math.gcd(*whole)
        return [weight // common for weight in whole]

    def _weight(self, weight: Any, action: object, must: str) -> Fraction:
        if isinstance(weight, (float, np.floating)) and self._exact:
            raise TypeError(
                f"{must} which are exact (int, Fraction or Decimal) with "
                f"backend='exact', got {_checks.described(weight)} for "
                f"{_checks.shown(action)}"
            )
        if isinstance(weight, (bool, np.bool_)) or not isinstance(
            weight, (numbers.Rational, float, np.floating, Decimal)
        ):
            raise TypeError(
                f"{must}, got the weight {_checks.described(weight)} for "
                f"{_checks.shown(action)}"
            )
        infinite = not (
            isinstance(weight, numbers.Rational) or _checks.is_finite(weight)
        )
        if infinite or weight < 0:
            raise ValueError(
                f"{must} that are finite and >= 0, got {_checks.shown(weight)} for "
                f"{_checks.shown(action)}"
            )
        return _checks.finite("weight", weight)
