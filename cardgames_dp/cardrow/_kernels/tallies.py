"""The results of games: counts, and exact sums."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.cardrow._kernels.choosers import Deals


class Tally(NamedTuple):
    """Results of the first player of a pair, and sums of the leads and their squares.

    The sums are exact, so that no result depends on the order of addition.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    leads: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)

    def plus(self, other: Tally) -> Tally:
        """Return the results of both."""
        return Tally(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            self.leads + other.leads,
            self.squares + other.squares,
        )

    def deviation(self, games: int) -> float:
        """Return the sample's standard deviation of the leads, rounded at the end."""
        if games == 1:
            return math.nan  # no deviation is known
        return math.sqrt((self.squares - self.leads**2 / games) / (games - 1))


def tally(deals: Deals, positions: NDArray[np.int64]) -> Tally:
    """Return the results of games, one for each deal."""
    taken = np.take_along_axis(deals.rows, positions, axis=1)
    leads = (taken[:, ::2].sum(axis=1) - taken[:, 1::2].sum(axis=1)).tolist()
    return tally_of(leads, deals.denominator)


def tally_of(leads: list[int], denominator: int, *, misere: bool = False) -> Tally:
    """Return the results of games from what the first player won by, in units."""
    ahead, behind = (sum([x > 0 for x in leads]), sum([x < 0 for x in leads]))
    return Tally(
        wins=behind if misere else ahead,
        draws=leads.count(0),
        losses=ahead if misere else behind,
        leads=Fraction(sum(leads), denominator),
        squares=Fraction(sum([lead * lead for lead in leads]), denominator**2),
    )
