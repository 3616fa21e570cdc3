"""Policies that draw what to do anew in each state: one of several, or any action."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np

from cardgames_dp._graph.array_answers import CheckedArrays
from cardgames_dp._graph.names import names_of, own_member
from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments

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
        """Return the probability of each policy.

        Raises
        ------
        TypeError
            If floats are given where exact weights are needed.
        """
        floats = [weight for weight in self.weights if isinstance(weight, float)]
        if exact and floats:
            raise TypeError(
                "weights of a mixture must be exact (int, Fraction or Decimal) with "
                f"backend='exact', got {arguments.described(floats[0])}"
            )
        amounts = [arguments.amount("a weight", weight) for weight in self.weights]
        total = sum(amounts)
        return [amount / total for amount in amounts]


class Random:
    """The policy that takes every legal action of a game with equal chances.

    Parameters
    ----------
    game : Game, ArrayGame, Explored or ExploredArrays
    """

    def __init__(self, game: Any) -> None:
        self.game = game
        arrays = callable(getattr(game, "initial_states", None))
        self._rows = CheckedArrays(game) if arrays else None

    def __reduce__(self) -> tuple[Any, ...]:
        return Random, (self.game,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Random) and self.game == other.game

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(RANDOM)

    def __call__(self, state: Any) -> dict[Any, int]:
        """Return the actions of a state, with equal weights."""
        if self._rows is None:
            return dict.fromkeys(self.game.legal_actions(state), 1)
        names = names_of(self.game)
        rows = names.row_of(state)[np.newaxis]
        _, codes, _ = self._rows.actions(self._rows.columns(rows, None, "states"))
        return {names.action_of(code): 1 for code in codes}


def as_given(game: Any, policies: Any) -> Any:
    """Return policies so that later changes do not matter, and "random" as a policy.

    Where a game has a policy of this name, it stays a name.
    """
    if isinstance(policies, (list, tuple)):
        return tuple([as_given(game, policy) for policy in policies])
    if isinstance(policies, Mixture):
        return replace(policies, policies=as_given(game, policies.policies))
    if not isinstance(policies, str) or policies != RANDOM:
        return policies
    own = own_member(game, "as_policy")
    try:
        known = None if own is None else own(policies, "float64")
    except ValueError:  # it has no policy of this name
        known = None
    return Random(game) if known is None else policies
