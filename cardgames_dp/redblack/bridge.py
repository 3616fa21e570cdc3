r"""The game in continuous time: when to stop a Brownian bridge.

The Problem 14 essay remarks that the cash in hand is a discrete Brownian bridge, and
that the question when to stop it resembles the pricing of an American option. With N
cards in all, n of them left and excess s, let ``t = 1 - n / N`` and
``x = s / sqrt(N)``. As N grows, x becomes a Brownian bridge X, which is 0 at the times
0 and 1. The total of optimal play, divided by sqrt(N), becomes the value of stopping
the bridge:

.. math:: V(t, x) = \sup_\tau E\,[X_\tau \mid X_t = x].

The solution is known in closed form. The player stops at ``alpha sqrt(1 - t)`` and
above, with Shepp's alpha = 0.8399; below,

.. math::

   V(t, x) = \sqrt{2 \pi (1 - t)}\, (1 - \alpha^2)\, e^{y^2 / 2}\, \Phi(y),
   \qquad y = \frac x{\sqrt{1 - t}}.

References
----------
L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
Mathematical Statistics 40 (1969), 993-1010.
E. Ekström and H. Wanntorp, "Optimal stopping of a Brownian bridge", Journal of Applied
Probability 46 (2009), 170-180.
"""

from __future__ import annotations

import math
from typing import Any, overload

import numpy as np
import scipy  # its parts are loaded when they are used
from numpy.typing import ArrayLike, NDArray

from cardgames_dp import _checks
from cardgames_dp._boundary_law import ALPHA

_LARGEST = 1e100
"""Largest size of a place: squares of larger ones could overflow."""


@overload
def bridge_value(t: float, x: float) -> float: ...
@overload
def bridge_value(t: ArrayLike, x: ArrayLike) -> NDArray[np.float64]: ...
def bridge_value(t: ArrayLike, x: ArrayLike) -> float | NDArray[np.float64]:
    """Return the value of a Brownian bridge that is stopped at the best time.

    Grade: float64.

    Parameters
    ----------
    t : number or array_like
        The time now, from 0 to 1; at time 1 the bridge ends in 0.
    x : number or array_like
        The place of the bridge at that time, from -1e100 to 1e100.

    Returns
    -------
    float, or ndarray of float64
        The largest expectation of the place at which the bridge is stopped; if `t` or
        `x` is an array, an array of the shape to which both broadcast.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, or the shapes do not broadcast.

    References
    ----------
    L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
    Mathematical Statistics 40 (1969), 993-1010; E. Ekström and H. Wanntorp, "Optimal
    stopping of a Brownian bridge", Journal of Applied Probability 46 (2009), 170-180.

    Examples
    --------
    The value of a deck, with 20,000 cards and with infinitely many:

    >>> from cardgames_dp import redblack
    >>> round(redblack.value(10_000, 10_000) / 20_000**0.5, 5)
    0.36905
    >>> round(redblack.bridge_value(0, 0), 5)
    0.36914

    At x = 1 the player stops and wins 1; further below, playing on is worth more than
    x:

    >>> redblack.bridge_value(0.5, [-0.5, 0.0, 0.5, 1.0]).round(4)
    array([0.1607, 0.261 , 0.5096, 1.    ])
    """
    times, places = _times(t), _bounded("x", x, -_LARGEST, _LARGEST)
    try:
        times, places = np.broadcast_arrays(times, places)
    except ValueError:
        raise ValueError(
            f"t and x must have shapes that broadcast, got {times.shape} and "
            f"{places.shape}"
        ) from None
    root = np.sqrt(1 - times)
    result = np.asarray(np.maximum(places, 0.0))
    going = places < ALPHA * root
    root, below = root[going], -places[going]
    # Far below the boundary, or close to the end, the value is 0.
    with np.errstate(over="ignore", divide="ignore"):
        scaled = scipy.special.erfcx(below / root / math.sqrt(2))
    # exp(y**2 / 2) Phi(y) is half of erfcx, which does not overflow.
    result[going] = math.sqrt(math.pi / 2) * (1 - ALPHA**2) * root * scaled
    return result.item() if result.ndim == 0 else result


@overload
def bridge_boundary(t: float) -> float: ...
@overload
def bridge_boundary(t: ArrayLike) -> NDArray[np.float64]: ...
def bridge_boundary(t: ArrayLike) -> float | NDArray[np.float64]:
    """Return the optimal stopping boundary of a Brownian bridge.

    Grade: float64.

    Parameters
    ----------
    t : number or array_like
        The time, from 0 to 1.

    Returns
    -------
    float, or ndarray of float64
        ``alpha sqrt(1 - t)``: the bridge is best stopped there and above.

    Raises
    ------
    TypeError, ValueError
        If `t` is not as described above.

    References
    ----------
    As for :func:`bridge_value`.

    Examples
    --------
    With 100 of 1000 cards left, the boundary of the bridge corresponds to an excess of
    8.4. In the deck, the player stops at excess 8 if at most this many cards are left:

    >>> from cardgames_dp import redblack
    >>> round(redblack.bridge_boundary(0.9) * 1000**0.5, 2)
    8.4
    >>> redblack.thresholds(8)[8 - 1]
    100
    """
    result = np.asarray(ALPHA * np.sqrt(1 - _times(t)))
    return result.item() if result.ndim == 0 else result


def _times(t: ArrayLike) -> NDArray[np.float64]:
    return _bounded("t", t, 0.0, 1.0)


def _bounded(name: str, given: Any, least: float, most: float) -> NDArray[np.float64]:
    """Return finite numbers of any shape as an array, if they are within bounds."""
    found = _checks.float_array(name, given)
    if ((found < least) | (found > most)).any():
        raise ValueError(
            f"{name} must be from {least:g} to {most:g}, got {_checks.shown(given)}"
        )
    return found
