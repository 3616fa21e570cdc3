r"""The passage time of `passage`, to any number of digits.

J. Abate and P. P. Valkó ("Multi-precision Laplace transform inversion", International
Journal for Numerical Methods in Engineering 60 (2004), 979-993) found that Talbot's
contour with M nodes gives 0.6 M digits if as many are carried. Here somewhat more nodes
and digits are used. No proof of the error is known. So each inversion is made twice, on
two contours, the second a third finer. The difference shows the error of the first. If
it affects the digits asked for, both are repeated with more nodes. This is an estimate
of the error, not a bound.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from cardgames_dp.fitting import passage
from cardgames_dp.fitting.constants import GUARD, enclosed_root, shepp_alpha
from cardgames_dp.fitting.passage import Event
from cardgames_dp.redblack._kernels.boundary_law import ALPHA

_NODES = 1.75
"""Nodes of the contour for each digit."""

_DIGITS = 0.18
"""Digits of exp(2 / 5), the factor by which each node enlarges the terms."""


def after(context: Any, t: Any) -> tuple[Any, Any]:
    """Return two close numbers with P(T > t) between them."""
    lower, upper = before(context, t)
    return 1 - upper, 1 - lower


def before(context: Any, t: Any) -> tuple[Any, Any]:
    """Return two close numbers with P(T <= t) between them."""
    return _inverted(context, t, 1)


def density(context: Any, t: Any) -> tuple[Any, Any]:
    """Return two close numbers with the density of T between them."""
    return _inverted(context, t, 0)


def when(context: Any, event: Event, level: Any, start: float) -> tuple[Any, Any]:
    """Return two close times between which an event's probability reaches a level."""
    chance = before if event == "before" else after

    def surplus(t: Any) -> Any:
        return sum(chance(context, t)) / 2 - level

    apart = context.mpf(10) ** -11
    while True:
        lower, upper = start * (1 - apart), start * (1 + apart)
        if surplus(lower) * surplus(upper) < 0:
            break
        apart *= 10
    return enclosed_root(context, surplus, lower, upper)


def moment(context: Any, z: Any) -> Any:
    """Return E exp(-z T), for z >= 0."""
    return 1 / _reciprocal(context, context.mpf(z)) if z else context.mpf(1)


def alpha(context: Any) -> Any:
    """Return Shepp's constant."""
    return context.mpf(_alpha(context.dps))


@functools.lru_cache(maxsize=8)
def _alpha(digits: int) -> str:
    """Return the digits of Shepp's constant, which a contour needs at each node."""
    return str(shepp_alpha(digits))


def about(context: Any, found: Any) -> tuple[Any, Any]:
    """Return two close numbers that enclose a number known up to rounding."""
    margin = context.mpf(10) ** (GUARD // 2 - context.dps)
    return found - margin, found + margin


def digits_lost(t: float, event: Event) -> int:
    """Return about how many leading zeros a small probability has.

    By P(T <= t) ~ ``exp(-alpha**2 / (2 t))`` and P(T > t) ~ ``exp(-lambda t)``.
    """
    early = ALPHA**2 / (2 * t)
    late = float(passage.waves()[0][0]) * t
    exponent = {"before": early, "after": late, "density": max(early, late)}[event]
    return math.ceil(exponent / math.log(10))


def _inverted(context: Any, t: Any, power: int) -> tuple[Any, Any]:
    """Return two numbers that differ as two contours do, plus some roundings."""
    digits = context.dps
    margin = context.mpf(10) ** (GUARD // 2 - digits)
    nodes = math.ceil(_NODES * digits) + 5
    found = [_on_contour(context, t, power, m) for m in (nodes, nodes + nodes // 3)]
    return min(found) - margin, max(found) + margin


def _on_contour(context: Any, t: Any, power: int, nodes: int) -> Any:
    """Return the integral of the transform, computed with this many nodes."""
    digits = context.dps
    context.dps = digits + math.ceil(_DIGITS * nodes) + GUARD
    r = context.mpf(2 * nodes) / 5
    total = context.exp(r) / r**power / _reciprocal(context, r / t) / 2
    for k in range(1, nodes):
        angle = k * context.pi / nodes
        slope = context.cot(angle)
        z = context.mpc(r * angle * slope, r * angle)
        weight = context.mpc(1, angle + (angle * slope - 1) * slope)
        value = context.exp(z) / z**power / _reciprocal(context, z / t)
        total += (value * weight).real
    total *= r / nodes
    if not power:
        total /= t
    context.dps = digits
    return +total


def _reciprocal(context: Any, z: Any) -> Any:
    """Return G(z)."""
    a, half = alpha(context) ** 2 / 2, context.mpf(1) / 2
    ratio = context.gammaprod([z + half], [z])
    odd = context.hyp1f1(z + half, 3 * half, a)
    return context.hyp1f1(z, half, a) + 2 * context.sqrt(a) * ratio * odd
