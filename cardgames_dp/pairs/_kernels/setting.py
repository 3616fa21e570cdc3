"""The rules as the engines see them: what they read of them, and its words.

The door `rules` checks and keeps them. Nothing here depends on how.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Reshuffle: TypeAlias = Literal["round", "exhausted", "essay"]
First: TypeAlias = Literal["rotation", "lowest"]
Action: TypeAlias = Literal["fold", "hit"]

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Decisions: TypeAlias = NDArray[np.bool_]
Returns: TypeAlias = Callable[[Integers], Floats]
"""What players get for final scores, both of shape (ends, players)."""


class Setting(Protocol):
    """What the rules say; see `cardgames_dp.pairs.Rules`, which is one."""

    @property
    def players(self) -> int:
        """How many play."""

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks, increasing."""

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards the full deck has of each rank."""

    @property
    def capacities(self) -> tuple[int, ...]:
        """How many cards of each rank a hand may hold."""

    @property
    def losing_score(self) -> int:
        """The target."""

    @property
    def reshuffle(self) -> Reshuffle:
        """When cards return to the deck."""

    @property
    def deal(self) -> int:
        """How many cards each player is dealt when a round starts."""

    @property
    def first(self) -> First:
        """Who leads in the next round."""

    @property
    def burn(self) -> int:
        """How many cards are put aside, unseen, at each shuffle."""

    @property
    def kept_back(self) -> int:
        """The deck counts as exhausted when this many cards are unseen."""

    @property
    def tie(self) -> Action:
        """What a player does when both are exactly as good."""


def largest_holdings(rules: Setting) -> list[int]:
    """Return how many cards of each rank there can be in a hand."""
    return list(map(min, rules.capacities, rules.counts))
