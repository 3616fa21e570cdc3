"""What a sample of played games tells, and how well: one convention for all games.

The *sample variance* of n games has the divisor ``n - 1``, as the mean is that of the
same games: so it is right on average for games of any distribution. A *standard error*,
of the mean of n independent games, is ``sqrt(variance / n)``.

A rate, such as the share of games won, is the mean of zeros and ones. Its sample
variance is ``n p (1 - p) / (n - 1)``, hence its standard error
``sqrt(p (1 - p) / (n - 1))``: the same number whether wins are counted or averaged, and
one that does not change when ones and zeros are taken for another payoff.

One game tells nothing of a variance, and its standard errors are NaN. A rate of 0 or 1
has a standard error of 0, which says that all games ended alike, not that the rate is
known.
"""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = TypeVar("Floats", float, NDArray[np.float64])

SHOWN_ERRORS = 2
"""Standard errors to each side in pictures: where 95 % of normal estimates lie."""


def deviation(
    values: NDArray[Any], counts: NDArray[np.int64], mean: float | None = None
) -> float:
    """Return the sample's standard deviation; NaN for one game.

    Parameters
    ----------
    values : ndarray of real numbers, shape (n,)
        Different results of games.
    counts : ndarray of int64, shape (n,)
        How many games had each.
    mean : float, optional
        The sample's mean, if it is known already.
    """
    games = int(counts.sum())
    if games == 1:
        return math.nan
    if mean is None:
        mean = math.fsum(counts / games * values)
    # By hypot, as squares might overflow where their root does not.
    return math.hypot(*(np.sqrt(counts / (games - 1)) * (values - mean)))


def mean_error(deviation: Floats, games: int) -> Floats:
    """Return the standard error of a mean, by the sample's standard deviation."""
    return deviation / math.sqrt(games)


def rate_error(rate: Floats, games: int) -> Floats:
    """Return the standard error of the share of games that ended so; NaN for one."""
    variance = rate * (1 - rate) / (games - 1) if games > 1 else rate * math.nan
    error: Floats = variance**0.5
    return error
