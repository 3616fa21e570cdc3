"""Policies that follow one of several, drawn anew in each state."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments


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
