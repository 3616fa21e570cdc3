"""Games played, many side by side: one for each deal."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp.cardrow._kernels.choosers import Chooser, Deals, Hands


class Course(NamedTuple):
    """How games went.

    Attributes
    ----------
    positions : ndarray of int64, shape (deals, cards)
        Of the cards, in the order in which they were taken.
    from_right : ndarray of bool, shape (deals, cards)
    """

    positions: NDArray[np.int64]
    from_right: NDArray[np.bool_]


def play(
    deals: Deals, first: Chooser, second: Chooser, rng: np.random.Generator
) -> Course:
    """Play one game for each deal."""
    games, n = deals.rows.shape
    numbers = np.arange(games)
    left = np.zeros(games, np.int64)
    positions = np.empty((games, n), np.int64)
    from_right = np.zeros((games, n), bool)
    for turn, length in enumerate(range(n, 1, -1)):
        chance = (first, second)[turn % 2](Hands(deals, length, (numbers, left)))
        if chance.whole == 1:
            takes_left = chance.parts.astype(bool)
        else:  # drawn as a multiple of 2**-53
            takes_left = rng.random(games) < (chance.parts / chance.whole).astype(float)
        positions[:, turn] = np.where(takes_left, left, left + (length - 1))
        from_right[:, turn] = ~takes_left
        left += takes_left
    positions[:, -1] = left
    return Course(positions, from_right)
