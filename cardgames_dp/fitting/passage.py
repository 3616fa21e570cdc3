r"""The first passage time of an Ornstein-Uhlenbeck process from 0 to alpha.

Let ``n = N exp(-t)`` of N cards be left. In the limit of large decks,
``y = excess / sqrt(n)`` becomes the process with generator ``f'' / 2 - y f' / 2``, and
the player stops when it reaches alpha, at the time T. The Laplace transform of T is

.. math::

   E\, e^{-zT} = \frac{D_{-2z}(0)}{e^{\alpha^2 / 4} D_{-2z}(-\alpha)}
   = \frac{1}{G(z)}, \quad
   G(z) = M\Bigl(z, \frac12, a\Bigr) + \sqrt 2\, \alpha\,
   \frac{\Gamma(z + \frac12)}{\Gamma(z)}\, M\Bigl(z + \frac12, \frac32, a\Bigr),
   \quad a = \frac{\alpha^2}2,

with the parabolic cylinder function D and Kummer's function M. Its poles are the
``-lambda_k``, so ``P(T > t)`` is the sum of ``c_k exp(-lambda_k t)`` with
``c_k = 1 / (lambda_k G'(-lambda_k))``. This sum is used for large t. The smaller t is,
the more terms it needs, and the more they cancel. For small t the inverse transform, an
integral, is computed on a contour about the poles: by the midpoint rule on Weideman's
modification of Talbot's contour, whose error decreases like 3.89**-N with N nodes.

To any number of digits
-----------------------
Abate and Valkó found that Talbot's contour with M nodes gives 0.6 M digits if as many
are carried. Here somewhat more nodes and digits are used. No proof of the error is
known. So each inversion is made twice, on two contours, the second a third finer. The
difference shows the error of the first. If it affects the digits asked for, both are
repeated with more nodes. This is an estimate of the error, not a bound.

References
----------
J. Abate and P. P. Valkó, "Multi-precision Laplace transform inversion", International
Journal for Numerical Methods in Engineering 60 (2004), 979-993.
L. Breiman, "First exit times from a square root boundary", Proceedings of the Fifth
Berkeley Symposium on Mathematical Statistics and Probability II.2 (1967), 9-16.
J. A. C. Weideman, "Optimizing Talbot's contours for the inversion of the Laplace
transform", SIAM Journal on Numerical Analysis 44 (2006), 2342-2362.
"""

from __future__ import annotations

import functools
import math
from itertools import islice
from typing import Any, Literal, TypeAlias

import numpy as np
import scipy  # its parts are loaded when they are used
from numpy.typing import NDArray

from cardgames_dp.fitting.constants import (
    GUARD,
    about,
    alpha_at,
    enclosed_root,
    unit_brackets,
)
from cardgames_dp.redblack._kernels.large_decks import ALPHA

Floats = NDArray[np.float64]
Event: TypeAlias = Literal["before", "after", "density"]

_SHORT = 0.125
"""The time from which on the series is used."""

_NEVER = 0.005
"""The time up to which P(T <= t) is below 1e-31, by the reflection principle."""

_LAST = 4000.0
"""A time at which P(T > t) is below the smallest float64."""

_WAVES = 320
"""Terms of the series: at `_SHORT` the last one is exp(-39)."""

_NODES = 18
"""Nodes of the contour, in the upper half plane."""

_BLOCK = 1000
"""The number of times for which the contour is summed together."""

_NODES_PER_DIGIT = 1.75
_DIGITS_PER_NODE = 0.18
"""Digits of exp(2 / 5), the factor by which each node enlarges the terms."""


def chance(event: Event, times: Floats) -> Floats:
    """Return P(T <= t), P(T > t) or the density of T, for times from 0 on.

    Both probabilities are accurate also where they are small.
    """
    dense = event == "density"
    short, long = _inverted(times, int(not dense)), _series(times, int(dense))
    if event == "after":
        short = 1 - short
    elif event == "before":
        long = 1 - long
    return np.where(times < _SHORT, short, long)


def when(event: Event, levels: Floats) -> Floats:
    """Return the times at which the probability of an event reaches a level."""
    sign = 1 if event == "before" else -1
    lower, upper = np.full_like(levels, _NEVER), np.full_like(levels, _LAST)
    for _ in range(64):
        middle = np.sqrt(lower * upper)
        early = (chance(event, middle) - levels) * sign < 0
        lower, upper = np.where(early, middle, lower), np.where(early, upper, middle)
    return np.where(
        levels == (1 - sign) / 2,
        0.0,
        np.where(levels == (1 + sign) / 2, np.inf, np.sqrt(lower * upper)),
    )


def _series(times: Floats, power: int) -> Floats:
    """Return the sums of ``c_k lambda_k**power exp(-lambda_k t)``."""
    rates, shares = waves()
    parts = (shares * rates**power)[::-1]
    # Small terms first. For short times the sum is not used, but must not overflow.
    long = np.maximum(times, _SHORT)
    found = np.empty_like(long)
    for place in range(0, len(long), _BLOCK):
        block = slice(place, place + _BLOCK)
        found[block] = np.exp(-np.multiply.outer(long[block], rates[::-1])) @ parts
    return found


def _inverted(times: Floats, power: int) -> Floats:
    """Return the inverse transforms of ``1 / (z**power G(z))``, 0 beyond `_SHORT`."""
    result = np.zeros_like(times)
    (short,) = np.nonzero((times > _NEVER) & (times < _SHORT))
    nodes, weights = _contour()
    for place in range(0, len(short), _BLOCK):
        block = short[place : place + _BLOCK]
        z = np.divide.outer(1 / times[block], 1 / nodes)
        values = weights / z**power / _reciprocal(z)
        sums = values.sum(axis=1).imag / times[block]
        result[block] = np.maximum(sums, 0.0)  # rounding may be negative
    return result


def _contour() -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the nodes ``z t`` and the weights ``exp(z t) d(z t)`` of the contour."""
    angle = (2 * np.arange(_NODES) + 1) * np.pi / (2 * _NODES)
    tangent, sine = np.tan(0.6407 * angle), np.sin(0.6407 * angle)
    nodes = 0.6122 * angle / tangent - 0.4814 + 0.2645j * angle
    slopes = 0.6122 / tangent - 0.6122 * 0.6407 * angle / sine**2 + 0.2645j
    count = 2 * _NODES
    return count * nodes, 2 * np.exp(count * nodes) * slopes


def _reciprocal(z: NDArray[Any]) -> NDArray[Any]:
    """Return G(z), right of its poles."""
    log_gamma = scipy.special.loggamma
    ratio = np.exp(log_gamma(z + 0.5) - log_gamma(z))
    even, odd = _kummer(z, 0.5), _kummer(z + 0.5, 1.5)
    found: NDArray[Any] = even + np.sqrt(2) * ALPHA * ratio * odd
    return found


def _kummer(z: NDArray[Any], b: float) -> NDArray[Any]:
    """Return M(z, b, alpha**2 / 2), by its series."""
    total = term = np.ones_like(z)
    j = 0
    while np.any(np.abs(term) > 1e-17 * np.abs(total)) or j < _WAVES // 4:
        term = term * ((z + j) * (ALPHA**2 / 2 / ((b + j) * (j + 1))))
        total = total + term
        j += 1
    return total


@functools.cache
def waves() -> tuple[Floats, Floats]:
    """Return the `_WAVES` rates lambda_k and shares c_k.

    They are accurate to rounding where they matter; the last ones, of terms below
    exp(-39), to 1e-9.
    """
    # Each m with 2 lambda_k between m - 1 and m.
    upper = np.array(list(islice(unit_brackets(ALPHA), _WAVES))) / 2
    lower = upper - 0.5
    below = _killed(lower).real
    for _ in range(60):
        middle = (lower + upper) / 2
        same = _killed(middle).real * below > 0
        lower, upper = np.where(same, middle, lower), np.where(same, upper, middle)
    rates = (lower + upper) / 2
    tiny = 1e-30
    slopes = _killed(rates + 1j * tiny).imag / tiny
    return rates, -np.cos(np.pi * rates) / (rates * slopes)


def _killed(rates: NDArray[Any]) -> NDArray[Any]:
    """Return ``cos(pi lambda) G(-lambda)``, which has the same zeros and no poles."""
    log_gamma = scipy.special.loggamma
    rates = rates.astype(complex)
    ratio = np.exp(log_gamma(rates + 1) - log_gamma(rates + 0.5))
    even, odd = _kummer(-rates, 0.5), _kummer(0.5 - rates, 1.5)
    angle = np.pi * rates
    found: NDArray[Any] = np.cos(angle) * even - np.sqrt(2) * ALPHA * ratio * (
        np.sin(angle) * odd
    )
    return found


def chance_enclosed(context: Any, event: Event, t: Any) -> tuple[Any, Any]:
    """Return two close numbers with a chance between them, as two contours differ."""
    nodes = math.ceil(_NODES_PER_DIGIT * context.dps) + 5
    power = int(event != "density")
    found = [_on_contour(context, t, power, m) for m in (nodes, nodes + nodes // 3)]
    (lower, _), (_, upper) = about(context, min(found)), about(context, max(found))
    return (1 - upper, 1 - lower) if event == "after" else (lower, upper)


def when_enclosed(
    context: Any, event: Event, level: Any, start: float
) -> tuple[Any, Any]:
    """Return two close times between which an event's probability reaches a level."""

    def surplus(t: Any) -> Any:
        return sum(chance_enclosed(context, event, t)) / 2 - level

    apart = context.mpf(10) ** -11
    while True:
        lower, upper = start * (1 - apart), start * (1 + apart)
        if surplus(lower) * surplus(upper) < 0:
            break
        apart *= 10
    return enclosed_root(context, surplus, lower, upper)


def moment(context: Any, z: Any) -> Any:
    """Return E exp(-z T), for z >= 0."""
    return 1 / _reciprocal_at(context, context.mpf(z)) if z else context.mpf(1)


def digits_lost(t: float, event: Event) -> int:
    """Return about how many leading zeros a small probability has.

    By P(T <= t) ~ ``exp(-alpha**2 / (2 t))`` and P(T > t) ~ ``exp(-lambda t)``.
    """
    early = ALPHA**2 / (2 * t)
    late = float(waves()[0][0]) * t
    exponent = {"before": early, "after": late, "density": max(early, late)}[event]
    return math.ceil(exponent / math.log(10))


def _on_contour(context: Any, t: Any, power: int, nodes: int) -> Any:
    """Return the integral of the transform, computed with this many nodes."""
    digits = context.dps
    context.dps = digits + math.ceil(_DIGITS_PER_NODE * nodes) + GUARD
    r = context.mpf(2 * nodes) / 5
    total = context.exp(r) / r**power / _reciprocal_at(context, r / t) / 2
    for k in range(1, nodes):
        angle = k * context.pi / nodes
        slope = context.cot(angle)
        z = context.mpc(r * angle * slope, r * angle)
        weight = context.mpc(1, angle + (angle * slope - 1) * slope)
        value = context.exp(z) / z**power / _reciprocal_at(context, z / t)
        total += (value * weight).real
    total *= r / nodes
    if not power:
        total /= t
    context.dps = digits
    return +total


def _reciprocal_at(context: Any, z: Any) -> Any:
    """Return G(z)."""
    a, half = alpha_at(context) ** 2 / 2, context.mpf(1) / 2
    ratio = context.gammaprod([z + half], [z])
    odd = context.hyp1f1(z + half, 3 * half, a)
    return context.hyp1f1(z, half, a) + 2 * context.sqrt(a) * ratio * odd
