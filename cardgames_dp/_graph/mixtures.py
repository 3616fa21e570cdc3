"""Policies that draw what to do anew in each state: one of several, or any action."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np

from cardgames_dp._graph.array_answers import CheckedGame
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
