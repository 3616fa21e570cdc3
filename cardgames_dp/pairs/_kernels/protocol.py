"""The part of the rules that the engines use, and its types.

The public module `rules` checks and stores the rules; the engines do not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Reshuffle: TypeAlias = Literal["round", "exhausted", "essay"]
First: TypeAlias = Literal["rotation", "lowest"]
Action: TypeAlias = Literal["fold", "hit"]
Tie: TypeAlias = Literal["fold", "hit", "rounding"]

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Decisions: TypeAlias = NDArray[np.bool_]
Returns: TypeAlias = Callable[[Integers], Floats]
"""A function from final scores to returns, both of shape (ends, players)."""

TOLERANCE = 1e-12
"""Chances of winning count as equal if they differ by at most this. Rounding makes the
two sides of an exact tie differ by up to about 1e-16; other differences are rarely
below about 1e-12. `Solution.doubtful` counts the positions in between."""


class RuleSet(Protocol):
    """The rules; `cardgames_dp.pairs.Rules` implements this protocol."""

    @property
    def players(self) -> int:
        """The number of players."""

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks, increasing."""

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of cards of each rank in the full deck."""

    @property
    def capacities(self) -> tuple[int, ...]:
        """The number of cards of each rank that a hand may hold."""

    @property
    def target(self) -> int:
        """The score that loses."""

    @property
    def reshuffle(self) -> Reshuffle:
        """When cards return to the deck."""

    @property
    def deal(self) -> int:
        """The number of cards dealt to each player when a round starts."""

    @property
    def first(self) -> First:
        """Who leads in the next round."""

    @property
    def burn(self) -> int:
        """The number of cards put aside, unseen, at each shuffle."""

    @property
    def kept_back(self) -> int:
        """The number of unseen cards at which the deck counts as exhausted."""

    @property
    def tie(self) -> Tie:
        """The action of a player when both are equally good."""


def tolerance_of(rules: RuleSet) -> float:
    """Return the largest difference of two chances that counts as a tie."""
    return 0.0 if rules.tie == "rounding" else TOLERANCE


def largest_holdings(rules: RuleSet) -> list[int]:
    """Return the largest number of cards of each rank in a hand."""
    return list(map(min, rules.capacities, rules.counts))


def numbers_of(rules: RuleSet, scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the columns of tables for vectors of scores, shape (..., players)."""
    powers = rules.target ** np.arange(rules.players)[::-1]
    numbers: NDArray[np.int64] = scores @ powers
    return numbers
