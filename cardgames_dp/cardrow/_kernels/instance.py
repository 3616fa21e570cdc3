"""A row and its rules in the form of the engines: integers, and the unit of results.

Two variations need no engine of their own:

- *Weights.* With cards worth p to the first player and q to the second, who holds the
  cards H and the others, the first is ahead by ``sum p(H) - sum q(not H)``, which is
  ``(sum w(H) - sum w(not H) + sum p - sum q) / 2`` for w = p + q. So both play for w.
- *Misère.* To want a difference small is to want it large with all cards negated.

They hold for any number of cards a turn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from numpy.typing import NDArray

from cardgames_dp.cardrow._kernels.row import Exact, Row, exact_array, float_array

Tie: TypeAlias = Literal["larger", "left", "right"]


class Terms(NamedTuple):
    """The part of `Rules` that the engines use, with the same attributes."""

    take: int
    players: int
    misere: bool
    tie: Tie

    @property
    def linear(self) -> bool:
        """Whether collapsing is valid: one card a turn, two players."""
        return self.take == 1 and self.players == 2


@dataclass(frozen=True, slots=True)
class Instance:
    """What the cards of a row are worth, under the rules, as integers.

    Attributes
    ----------
    terms : Terms
    worths : tuple of lists of int
        One row if all players value the cards alike; with weights, what they are worth
        to the two together, to the first and to the second. Decisions depend on the
        first of these rows only.
    unit : Row
        It converts the integers to results.
    """

    terms: Terms
    worths: tuple[list[int], ...]
    unit: Row

    @classmethod
    def of(cls, terms: Terms, row: Row, weights: Row | None) -> Instance:
        """Return the instance of a row, and of weights for each of its cards."""
        if weights is None:
            return cls(terms, (row.numerators,), row)
        denominator = math.lcm(row.denominator, weights.denominator)
        first, second = row.over(denominator), weights.over(denominator)
        both = [p + q for p, q in zip(first, second, strict=True)]
        unit = Row([], denominator, integral=row.integral and weights.integral)
        return cls(terms, (both, first, second), unit)

    @property
    def weighted(self) -> bool:
        """Whether the players value the cards differently."""
        return len(self.worths) > 1

    @property
    def wanted(self) -> list[int]:
        """The cards of a game of two with the same decisions and larger sums wanted."""
        cards = self.worths[0]
        return [-x for x in cards] if self.terms.misere else cards

    def array(self, *, exact: bool) -> NDArray[Any]:
        """Return the worths as an array: exact integers, or in float64 in their unit.

        Raises
        ------
        ValueError
            If float64 could not hold their sums.
        """
        if exact:
            return exact_array(*self.worths)
        return float_array(*self.worths, denominator=self.unit.denominator)

    def own(self, player: int) -> list[int]:
        """Return what the cards are worth to a player."""
        return self.worths[1 + player] if self.weighted else self.worths[0]

    def lead(self, wanted: int) -> Exact:
        """Return what the first of two players is ahead by in the end.

        Parameters
        ----------
        wanted : int
            The same with the cards of `wanted`.
        """
        favour = sum(self.own(0)) - sum(self.own(1)) if self.weighted else 0
        return self.ahead(wanted, favour)

    def ahead(self, wanted: int, favour: int) -> Exact:
        """Return what a player is ahead by in some cards.

        Parameters
        ----------
        wanted : int
            The same with the cards of `wanted`.
        favour : int
            With weights, what these cards are worth to the player more than to the
            other one.
        """
        ahead = -wanted if self.terms.misere else wanted
        if self.weighted:
            ahead = (ahead + favour) // 2  # always even
        return self.unit.exact(ahead)
