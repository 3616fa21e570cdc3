"""A policy that is easy to remember and to follow without a calculator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np

from cardgames_dp import _checks
from cardgames_dp._records import Record
from cardgames_dp.pairs._kernels.setting import Decisions, Integers
from cardgames_dp.pairs.views import View, require_view


@dataclass(frozen=True, slots=True, repr=False, init=False)
class SumBelow(Record):
    """The policy of hitting if the own hand is small compared with the lowest card.

    In seven steps, with the default numbers:

    1. If there is no card on the table, you must hit.
    2. If a fold would lose you the game, hit.
    3. Add up the cards in your hand.
    4. Count a card double if a pair of it would lose you the game.
    5. Take nine times the lowest card on the table, less 4: that is 5, 14, 23, 32, ....
    6. If your sum is smaller, hit.
    7. Otherwise fold.

    Parameters
    ----------
    times : int, default 9
        The factor of the lowest card.
    less : int, default 4
        The number subtracted from this.
    losing : int, default 2
        The factor of a card if a pair of it would lose the game.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an integer >= 0.

    Notes
    -----
    With the default numbers the policy wins most often against optimal play in the
    published game of two players, more often than with any numbers one step away;
    ``examples/pairs_rule.py`` searches for them.

    Examples
    --------
    The lowest card is a 2, so the limit is 14. Hit with a 10 and a 3, fold with a 10
    and a 4:

    >>> from cardgames_dp import pairs
    >>> table = {"others": [2, 6], "scores": [12, 20]}
    >>> pairs.decision(pairs.SumBelow(), hand=[3, 10], **table)
    'hit'
    >>> pairs.decision(pairs.SumBelow(), hand=[4, 10], **table)
    'fold'

    With 22 points a pair of tens would lose the game, and the 10 counts double:

    >>> table = {"others": [2, 6], "scores": [22, 20]}
    >>> pairs.decision(pairs.SumBelow(), hand=[3, 10], **table)
    'fold'
    """

    times: int
    less: int
    losing: int

    def __init__(
        self,
        times: SupportsIndex = 9,
        less: SupportsIndex = 4,
        losing: SupportsIndex = 2,
    ) -> None:
        object.__setattr__(self, "times", _checks.integer("times", times))
        object.__setattr__(self, "less", _checks.integer("less", less))
        object.__setattr__(self, "losing", _checks.integer("losing", losing))

    def __repr__(self) -> str:
        return f"SumBelow({self.times}, {self.less}, {self.losing})"

    def __call__(self, view: View) -> Decisions:
        """Return true where to hit, shape (positions, vectors)."""
        require_view(view)
        own, target = view.scores[:, 0], view.rules.losing_score
        points = view.hand * view.ranks
        loses: Integers = (view.ranks + own[:, None] >= target).astype(np.int64)
        total = points @ (1 + (self.losing - 1) * loses).T
        lowest = view.lowest[:, None]
        hits: Decisions = (total < self.times * lowest - self.less) | (
            lowest + own >= target
        )
        return hits
