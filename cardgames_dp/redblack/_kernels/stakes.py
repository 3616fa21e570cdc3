"""Linear rules as the sweeps use them: two coprime integers and a unit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from cardgames_dp.redblack._kernels.terms import Terms


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
