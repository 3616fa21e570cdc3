"""A row as the solvers see it: integers, and what their results stand for.

Two variations need no solver of their own:

- *Weights.* With cards worth p to the first player and q to the second, who holds the
  cards H and the others, the first is ahead by ``sum p(H) - sum q(not H)``, which is
  ``(sum w(H) - sum w(not H) + sum p - sum q) / 2`` for w = p + q. So both play for w.
- *Misère.* To want a difference small is to want it large with all cards negated.

They hold for any number of cards a turn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from cardgames_dp.cardrow.cards import Exact, Row
from cardgames_dp.cardrow.rules import Rules, check_lengths


@dataclass(frozen=True, slots=True)
class Stakes:
    """What the cards of a row are worth, under the rules, as integers.

    Attributes
    ----------
    rules : Rules
    worths : tuple of lists of int
        One row if all players value the cards alike; with weights, what they are worth
        to the two together, to the first and to the second. Decisions depend on the
        first of these rows only.
    unit : Row
        It knows how to turn the integers into results.
    """

    rules: Rules
    worths: tuple[list[int], ...]
    unit: Row

    @classmethod
    def of(cls, rules: Rules, row: Row) -> Stakes:
        """Return the stakes of a row.

        Raises
        ------
        ValueError
            If there are more or fewer cards than weights.
        """
        weights = rules.second_row()
        if weights is None:
            return cls(rules, (row.numerators,), row)
        check_lengths(len(row.numerators), len(weights.numerators))
        denominator = math.lcm(row.denominator, weights.denominator)
        first, second = row.over(denominator), weights.over(denominator)
        both = [p + q for p, q in zip(first, second, strict=True)]
        unit = Row([], denominator, integral=row.integral and weights.integral)
        return cls(rules, (both, first, second), unit)

    @property
    def wanted(self) -> list[int]:
        """The cards of a game of two with the same decisions and larger sums wanted."""
        cards = self.worths[0]
        return [-x for x in cards] if self.rules.misere else cards

    def own(self, player: int) -> list[int]:
        """Return what the cards are worth to a player."""
        return self.worths[0] if len(self.worths) == 1 else self.worths[1 + player]

    def lead(self, wanted: int) -> Exact:
        """Return what the first of two players is ahead by in the end.

        Parameters
        ----------
        wanted : int
            The same with the cards of `wanted`.
        """
        ahead = -wanted if self.rules.misere else wanted
        if len(self.worths) > 1:
            _, first, second = self.worths
            ahead = (ahead + sum(first) - sum(second)) // 2  # always even
        return self.unit.exact(ahead)
