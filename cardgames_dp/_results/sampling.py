"""Standard deviations and errors of samples: one convention for all games.

The *sample variance* of n games has the divisor ``n - 1``, as the mean is estimated
from the same games: it is unbiased for any distribution. The *standard error* of the
mean of n independent games is ``sqrt(variance / n)``.

A rate, such as the share of games won, is the mean of zeros and ones. Its sample
variance is ``n p (1 - p) / (n - 1)``, so its standard error is
``sqrt(p (1 - p) / (n - 1))``. This is the same whether wins are counted or averaged,
and whichever payoffs stand for a win and a loss, up to their scale.

One game does not determine a variance, and its standard errors are NaN. A rate of 0 or
1 has a standard error of 0, which means that all games ended alike, not that the rate
is known.
"""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.distribution import Distribution

Floats = TypeVar("Floats", float, NDArray[np.float64])


def frequencies(
    of: str, values: NDArray[Any], counts: NDArray[np.int64]
) -> Distribution[float]:
    """Return how often each of the different results occurred, as a distribution."""
    return Distribution(of, values, counts / counts.sum())


def deviation(
    values: NDArray[Any], counts: NDArray[np.int64], mean: float | None = None
) -> float:
    """Return the sample standard deviation; NaN for one game.

    Parameters
    ----------
    values : ndarray of real numbers, shape (n,)
        The different results of games.
    counts : ndarray of int64, shape (n,)
        The number of games with each result.
    mean : float, optional
        The sample mean, if it is known already.
    """
    games = int(counts.sum())
    if games == 1:
        return math.nan
    if mean is None:
        mean = math.fsum(counts / games * values)
    # With hypot, as squares might overflow where their root does not.
    return math.hypot(*(np.sqrt(counts / (games - 1)) * (values - mean)))


def mean_error(deviation: Floats, games: int) -> Floats:
    """Return the standard error of a mean, from the sample standard deviation."""
    return deviation / math.sqrt(games)


def rate_error(rate: Floats, games: int) -> Floats:
    """Return the standard error of a share of games; NaN for one game."""
    variance = rate * (1 - rate) / (games - 1) if games > 1 else rate * math.nan
    error: Floats = variance**0.5
    return error
