"""The rules as kernels see them.

`Terms` has what any kernel needs: amounts, and the utility of cash. `Stakes` has linear
rules as the sweeps use them: two coprime integers and a unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Stakes:
    """Gain and cost of the linear rules as coprime integers, in units of `unit`.

    Scaling changes no policy, so ``win = lose = 0.1`` is exactly the classic game.
    """

    gain: int
    cost: int
    unit: Fraction

    @classmethod
    def of(cls, rules: Terms) -> Stakes:
        """Return the stakes of rules under which drawing can pay, ``gain > 0``."""
        gain, cost = rules.gain, rules.cost
        unit = Fraction(
            math.gcd(
                gain.numerator * cost.denominator, cost.numerator * gain.denominator
            ),
            gain.denominator * cost.denominator,
        )
        return cls(int(gain / unit), int(cost / unit), unit)

    def reward(self, n: int, r: int) -> int:
        """Return how much more stopping brings than playing to the end, in units."""
        return self.cost * n - (self.gain + self.cost) * r


def as_float(amount: float | Fraction) -> float:
    """Return an amount in the unit of the rules as the nearest float64.

    Raises
    ------
    ValueError
        If it is too large for one.
    """
    try:
        return float(amount)
    except OverflowError:
        raise ValueError(
            "rules must have amounts whose winnings fit in a float64; use "
            "backend='exact'"
        ) from None
