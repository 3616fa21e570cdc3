"""The limit distribution by mpmath's own inversion of its transform."""

from __future__ import annotations

from typing import Any

import mpmath

from cardgames_dp import fitting


def transform(context: Any, q: Any) -> Any:
    """Return E X**q by parabolic cylinder functions, to the precision of a context."""
    alpha = context.mpf(str(fitting.shepp_alpha(context.dps + 5)))
    q = context.mpmathify(q)
    at_barrier = context.exp(alpha**2 / 4) * context.pcfd(-2 * q, -alpha)
    return context.pcfd(-2 * q, 0) / at_barrier


def precisely(method: str, x: float) -> Any:
    """Return ``cdf`` or ``pdf`` of X, the share of the cards left, to 16 digits.

    The time T = -log X has the transform E X**z.
    """
    context = mpmath.MPContext()
    context.dps = 17
    x = context.mpf(x)
    power = method != "pdf"
    result = context.invertlaplace(
        lambda z: transform(context, z) / z**power, -context.log(x), method="talbot"
    )
    return 1 - result if power else result / x
