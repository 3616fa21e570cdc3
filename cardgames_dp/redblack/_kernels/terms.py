"""What an engine asks of the rules: amounts, and what an amount of cash is worth."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Tie: TypeAlias = Literal["stop", "draw"]


class Terms(Protocol):
    """The rules as engines see them; `cardgames_dp.redblack.Rules` are of this kind."""

    @property
    def tie(self) -> Tie:
        """What the player does where both are worth the same."""

    @property
    def utility(self) -> Any:
        """A function of the cash, or None if the player wants cash itself."""

    @property
    def gain(self) -> Fraction:
        """What a red card brings."""

    @property
    def cost(self) -> Fraction:
        """What a black card costs."""

    @property
    def cash_unit(self) -> Fraction:
        """The largest amount of which both are multiples."""

    def reward(self, cash: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what amounts of cash are worth."""

    def exact_reward(self, cash: Iterable[Fraction]) -> list[Fraction]:
        """Return what amounts of cash are worth exactly."""
