"""What a kernel needs of the rules: amounts, and the utility of cash."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Tie: TypeAlias = Literal["stop", "draw"]


class Terms(Protocol):
    """The rules as kernels see them; `cardgames_dp.redblack.Rules` satisfies it."""

    @property
    def tie(self) -> Tie:
        """What the player does where both are worth the same."""

    @property
    def utility(self) -> Any:
        """A function of the cash, or None if the utility is the cash itself."""

    @property
    def gain(self) -> Fraction:
        """The gain from a red card."""

    @property
    def cost(self) -> Fraction:
        """The cost of a black card."""

    @property
    def cash_unit(self) -> Fraction:
        """The largest amount of which gain and cost are multiples."""

    def reward(self, cash: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the utilities of amounts of cash."""

    def exact_reward(self, cash: Iterable[Fraction]) -> list[Fraction]:
        """Return the exact utilities of amounts of cash."""
