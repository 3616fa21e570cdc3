"""The constants of the law of growth, to any number of digits.

In the limit a balanced deck is a Brownian bridge, for which the stopping problem is
solved (Shepp 1969): the player stops at excess ``alpha sqrt(n)`` with n cards left, and

- `shepp_alpha`: alpha > 0 solves
  ``alpha = (1 - alpha**2) exp(alpha**2 / 2) sqrt(2 pi) Phi(alpha)``,
- `limit_constant`: ``V(l) / sqrt(l)`` tends to ``c = sqrt(pi) (1 - alpha**2)``.

The last cards of a deck are not a bridge, which matters less the larger the deck is. A
disturbance ``n**-lambda f(excess / sqrt(n))`` of the limit, carried on by the bridge
and absorbed at the boundary, has to solve::

    f'' - y f' + 2 lambda f = 0  on  y < alpha,    f(alpha) = 0

with polynomial growth at minus infinity: ``f(y) = exp(y**2 / 4) D(2 lambda, -y)``, with
the parabolic cylinder function D. Each disturbance decays like ``l**-lambda``:

- `decay_exponent`: the k-th positive root lambda_k of ``D(2 lambda, -alpha) = 0``.

No root is missed
-----------------
Let nu = 2 lambda. With the weight ``exp(-y**2 / 2)`` this is a Sturm-Liouville problem:
its eigenvalues nu_1 < nu_2 < ... are simple, the k-th eigenfunction has k - 1 zeros,
and each nu_k decreases strictly as the barrier moves up, from 2 k - 1 with the barrier
at 0 towards k - 1 with it at infinity. For a whole number nu = m the solution is the
Hermite polynomial He_m, so nu_k = m exactly where the barrier is the k-th smallest zero
of He_m. Therefore *as many eigenvalues are <= m as zeros of He_m are <= alpha*. The
zeros of He_(m-1) and He_m interlace, so a unit interval (m - 1, m) contains one
eigenvalue or none; and by Sturm's theorem, for which the He_m are a chain, it contains
one exactly if He_(m-1) and He_m have the same sign at alpha. The k-th such m brackets
nu_k.

No digit is wrong
-----------------
A root is enclosed by two points at which the function has opposite signs, computed with
more digits than asked for. If these two points do not round to the same digits, the
computation is repeated with more digits. It uses a local mpmath context.

References
----------
L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
Mathematical Statistics 40 (1969), 993-1010.
NIST Digital Library of Mathematical Functions, chapter 12: https://dlmf.nist.gov/12.
"""

from __future__ import annotations

import decimal
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any, SupportsIndex

from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments

FLOAT_DIGITS = 17
"""Significant digits that determine a float64."""

GUARD = 10
"""Digits computed beyond those asked for, at first; half of them absorb rounding."""

_MOST_DIGITS, _MOST_DIGITS_OF_ROOTS, _MOST_ROOTS = 100_000, 10_000, 10**8
"""What takes some hours: time grows as digits to the power of 5/2, and as roots."""


@suggest_arguments
def shepp_alpha(digits: SupportsIndex = FLOAT_DIGITS) -> Decimal:
    """Return Shepp's constant alpha: in the limit, stop at excess ``alpha sqrt(n)``.

    Grade: float64, but to as many digits as requested.

    Parameters
    ----------
    digits : int
        The number of significant digits, at least 1. With the default, `float` of the
        result is the float64 nearest to the constant. A thousand digits take a fraction
        of a second, ten thousand about three hundred times as long.

    Returns
    -------
    Decimal
        The constant rounded to that many digits, all of them right. The Decimal stores
        and prints all digits, and `float` and mpmath's ``mpf`` accept it. Sums and
        products of Decimals are rounded to the precision of the `decimal` context, 28
        digits by default.

    References
    ----------
    L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
    Mathematical Statistics 40 (1969), 993-1010.

    Examples
    --------
    >>> from cardgames_dp import fitting
    >>> fitting.shepp_alpha(30)
    Decimal('0.839923675692372689603776977422')
    """
    return rounded(alpha_enclosed, _digits(digits))


@suggest_arguments
def limit_constant(digits: SupportsIndex = FLOAT_DIGITS) -> Decimal:
    """Return the limit c of ``V(l) / sqrt(l)``: ``c = sqrt(pi) (1 - alpha**2)``.

    Grade: float64, but to as many digits as requested.

    Parameters
    ----------
    digits : int
        As for :func:`shepp_alpha`.

    Returns
    -------
    Decimal
        As from :func:`shepp_alpha`.

    References
    ----------
    L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
    Mathematical Statistics 40 (1969), 993-1010.

    Examples
    --------
    The Problem 14 essay guesses a limit of 0.5.

    >>> from cardgames_dp import fitting
    >>> fitting.limit_constant(30)
    Decimal('0.522037675987123866538371033123')
    >>> float(fitting.limit_constant())
    0.5220376759871239
    """

    def enclosed(context: Any) -> list[Any]:
        root = context.sqrt(context.pi)
        return [root * (1 - alpha**2) for alpha in alpha_enclosed(context)]

    return rounded(enclosed, _digits(digits))


@suggest_arguments
def decay_exponent(k: SupportsIndex, digits: SupportsIndex = FLOAT_DIGITS) -> Decimal:
    """Return lambda_k, the k-th exponent by which the influence of the end decays.

    Grade: float64, but to as many digits as requested.

    Parameters
    ----------
    k : int
        The index of the exponent among the positive roots of
        ``D(2 lambda, -alpha) = 0``, from 1 for the smallest. No root is left out.
    digits : int
        As for :func:`shepp_alpha`; a hundred digits take as long as a thousand there.

    Returns
    -------
    Decimal
        As from :func:`shepp_alpha`.

    Notes
    -----
    The module docstring shows that no root is missed. The appendix on large decks
    proves that ``c sqrt(l) - V(l)`` decays like ``l**-lambda_1``. That the other
    exponents occur in the values as well is derived without proof, and confirmed by
    the values.

    References
    ----------
    NIST Digital Library of Mathematical Functions, chapter 12, for D:
    https://dlmf.nist.gov/12. The rates are this project's own.

    Examples
    --------
    >>> from cardgames_dp import fitting
    >>> [str(fitting.decay_exponent(k, 10)) for k in (1, 2, 3)]
    ['0.2311666867', '1.067043004', '1.942110774']
    """
    k = arguments.integer("k", k, minimum=1)
    digits = _digits(digits, roots=k)

    def enclosed(context: Any) -> list[Any]:
        alpha = sum(alpha_enclosed(context)) / 2
        m = next(itertools.islice(unit_brackets(alpha), k - 1, None))
        bracket = context.mpf(m - 1), context.mpf(m)
        ends = enclosed_root(context, lambda nu: context.pcfd(nu, -alpha), *bracket)
        return [nu / 2 for nu in ends]

    return rounded(enclosed, digits)


def _digits(digits: object, *, roots: int = 0) -> int:
    """Return a checked number of digits; of the last of some roots, if any."""
    number = arguments.integer("digits", digits, minimum=1)
    if roots:
        arguments.at_most("k", roots, _MOST_ROOTS, "ask for an earlier root")
    most = _MOST_DIGITS_OF_ROOTS if roots else _MOST_DIGITS
    return arguments.at_most("digits", number, most, "ask for fewer")


def rounded(enclosed: Callable[[Any], Iterable[Any]], digits: int) -> Decimal:
    """Return an enclosed number rounded to some digits.

    `enclosed` returns two bounds for a context of mpmath, which get closer as its
    precision grows. The context is a local one: ``mpmath.mp`` belongs to the user.
    """
    from mpmath import MPContext

    rounding = decimal.Context(prec=digits, rounding=decimal.ROUND_HALF_EVEN)
    guard = GUARD
    while True:
        context = MPContext()
        context.dps = digits + guard
        lower, upper = (
            rounding.create_decimal(context.nstr(end, context.dps))
            for end in enclosed(context)
        )
        if lower == upper:
            return lower
        guard *= 2


def alpha_enclosed(context: Any) -> tuple[Any, Any]:
    """Return two close points with Shepp's alpha between them."""

    def equation(a: Any) -> Any:
        whole = context.sqrt(2 * context.pi)
        return a - (1 - a**2) * context.exp(a**2 / 2) * whole * context.ncdf(a)

    return enclosed_root(context, equation, context.mpf(0), context.mpf(1))


def enclose(context: Any, value: Any) -> tuple[Any, Any]:
    """Return two close numbers that enclose a number known up to rounding."""
    margin = context.mpf(10) ** (GUARD // 2 - context.dps)
    return value - margin, value + margin


def alpha_at(context: Any) -> Any:
    """Return Shepp's constant to the precision of a context."""
    return context.mpf(_alpha(context.dps))


@functools.lru_cache(maxsize=8)
def _alpha(digits: int) -> str:
    """Return the digits of Shepp's constant, which a moment needs again and again."""
    return str(shepp_alpha(digits))


def unit_brackets(alpha: Any) -> Iterator[int]:
    """Yield every m, in increasing order, with an eigenvalue nu between m - 1 and m."""
    ratio = alpha  # of He_m to He_(m-1) at alpha, which grow too large for floats
    for m in itertools.count(1):
        if ratio > 0:
            yield m
        ratio = alpha - m / ratio


def enclosed_root(
    context: Any, function: Callable[[Any], Any], lower: Any, upper: Any
) -> tuple[Any, Any]:
    """Return two close points between which the function changes its sign.

    It changes its sign once between `lower` and `upper`, which are returned if the
    precision does not separate closer points.
    """
    root = context.findroot(function, (lower, upper), solver="anderson", verify=False)
    close = enclose(context, root)
    before, after = map(function, close)
    separate = before * after < 0 < before * function(lower)
    return close if separate else (lower, upper)
