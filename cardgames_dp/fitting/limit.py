r"""The distributions of payoff and duration in the limit of large decks.

Let X be the share of the cards that is left when the optimal player of a balanced deck
of 2 l cards stops. In the limit, ``T = -log X`` is the time that an Ornstein-Uhlenbeck
process takes from 0 to alpha, and the payoff is ``alpha sqrt(2 l X)``. The
appendix on large decks proves:

- ``E X**q = D(-2q, 0) / (exp(alpha**2 / 4) D(-2q, -alpha))``, with the parabolic
  cylinder function D; in particular ``E X = 1 - alpha**2``, so the player draws a share
  alpha**2 = 0.7055 of the cards on average;
- ``P(X <= x)`` is the sum of ``c_k x**lambda_k``, with the exponents of
  `decay_exponent`.

The first passage time
----------------------
Let ``n = N exp(-t)`` of N cards be left. In the limit of large decks,
``y = excess / sqrt(n)`` becomes the process with generator ``f'' / 2 - y f' / 2``, and
the player stops when it reaches alpha, at the time T. The Laplace transform of T is

.. math::

   E\, e^{-zT} = \frac{D_{-2z}(0)}{e^{\alpha^2 / 4} D_{-2z}(-\alpha)}
   = \frac{1}{G(z)}, \quad
   G(z) = M\Bigl(z, \frac12, a\Bigr) + \sqrt 2\, \alpha\,
   \frac{\Gamma(z + \frac12)}{\Gamma(z)}\, M\Bigl(z + \frac12, \frac32, a\Bigr),
   \quad a = \frac{\alpha^2}2,

with Kummer's function M. Its poles are the ``-lambda_k``, so ``P(T > t)`` is the sum of
``c_k exp(-lambda_k t)`` with ``c_k = 1 / (lambda_k G'(-lambda_k))``. This sum is used
for large t. The smaller t is, the more terms it needs, and the more they cancel. For
small t the inverse transform, an integral, is computed on a contour about the poles: by
the midpoint rule on Weideman's modification of Talbot's contour, whose error decreases
like 3.89**-N with N nodes.

References
----------
L. Breiman, "First exit times from a square root boundary", Proceedings of the Fifth
Berkeley Symposium on Mathematical Statistics and Probability II.2 (1967), 9-16, for the
transform. We know of no earlier source that applies it to this game.
J. A. C. Weideman, "Optimizing Talbot's contours for the inversion of the Laplace
transform", SIAM Journal on Numerical Analysis 44 (2006), 2342-2362.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import scipy  # its parts are loaded when they are used
from numpy.typing import NDArray

from cardgames_dp._results.records import Result
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Range
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.fitting import constants
from cardgames_dp.fitting.regression import VALUES, Numbers
from cardgames_dp.redblack._kernels.large_decks import ALPHA

Of: TypeAlias = Literal["payoff", "duration", "left"]
Event: TypeAlias = Literal["before", "after", "density"]
Floats = NDArray[np.float64]

_LEVEL = Range("a probability, from 0 to 1", lambda x: (x >= 0) & (x <= 1))
_MOST_ORDER = 1000
"""The largest order of a moment; larger orders of a duration would take long."""

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


@suggest_arguments
@dataclass(frozen=True, slots=True, repr=False)
class LimitDistribution(Result):
    """The distribution of the payoff, or of the draws, in the limit of large decks.

    The limit is that of balanced decks of l red and l black cards for large l, under
    optimal play. Methods take and return float64 numbers or arrays.

    Grade: float64.

    Parameters
    ----------
    of : {"payoff", "duration", "left"}
        The quantity that is distributed: the payoff divided by sqrt(l); the share of
        the cards that is drawn; or the share that is left.

    References
    ----------
    L. Breiman, "First exit times from a square root boundary", Proceedings of the Fifth
    Berkeley Symposium on Mathematical Statistics and Probability II.2 (1967), 9-16, and
    the appendix on large decks.

    Examples
    --------
    How many cards does the player draw from a large deck?

    >>> from cardgames_dp import fitting, play, redblack
    >>> drawn = fitting.LimitDistribution("duration")
    >>> round(drawn.mean, 6), round(drawn.median, 6), round(drawn.std, 6)
    (0.705472, 0.80508, 0.293171)

    The payoff of 1000 + 1000 cards is close to the limit. The half unit is the
    continuity correction for whole numbers:

    >>> limit = fitting.LimitDistribution("payoff")
    >>> limit.cdf([0.1, 0.5, 1]).round(6)
    array([0.213965, 0.485469, 0.865662])
    >>> deck = play.distribution(redblack.game(1000, 1000), "optimal").returns[0]
    >>> round(float(deck.cdf(20)), 4), round(limit.cdf(20.5 / 1000**0.5), 4)
    (0.5763, 0.5763)
    """

    of: Of = "payoff"

    _repr_fields = ("of", "mean")
    _derived = ("mean", "std")

    def __post_init__(self) -> None:
        arguments.choice("of", self.of, get_args(Of))

    @property
    def mean(self) -> float:
        """The expectation."""
        return self.moment(1)

    @property
    def median(self) -> float:
        """The result that is exceeded with probability 1/2."""
        return float(self.quantile(0.5))

    @property
    def std(self) -> float:
        """The standard deviation."""
        return self._expected(lambda m, e: m.sqrt(e(2) - e(1) ** 2))

    def cdf(self, x: float | Numbers) -> Any:
        """Return the probability that the result is at most `x`.

        The error is at most 1e-13 (measured).

        Parameters
        ----------
        x : number, or iterable of numbers
            The results.

        Returns
        -------
        float, or ndarray of float64
            The probabilities; a float for a single number.

        Examples
        --------
        The probability that at most a hundredth of the cards is left at the end:

        >>> from cardgames_dp import fitting
        >>> round(fitting.LimitDistribution("left").cdf(0.01), 12)
        0.23207560886
        """
        return self._probability(x, "before" if _grows(self.of) else "after", (0, 1))

    def sf(self, x: float | Numbers) -> Any:
        """Return the probability that the result is above `x`, the survival function.

        Parameters
        ----------
        x : number, or iterable of numbers
            As for :meth:`cdf`.
        """
        return self._probability(x, "after" if _grows(self.of) else "before", (1, 0))

    def pdf(self, x: float | Numbers) -> Any:
        """Return the probability density at `x`, which is 0 outside the support.

        It is infinite where no cards are left: at 0, or at 1 for a duration.

        Parameters
        ----------
        x : number, or iterable of numbers
            As for :meth:`cdf`.
        """
        return self._probability(x, "density", (0, 0))

    def quantile(self, q: float | Numbers) -> Any:
        """Return the result `x` with ``cdf(x) == q``.

        Parameters
        ----------
        q : number, or iterable of numbers
            Probabilities, from 0 to 1.

        Examples
        --------
        In one of ten games, at most a quarter of the cards is drawn:

        >>> from cardgames_dp import fitting
        >>> fitting.LimitDistribution("duration").quantile([0.1, 0.5, 0.9]).round(4)
        array([0.2463, 0.8051, 0.9997])
        """
        event: Event = "before" if _grows(self.of) else "after"
        levels = arguments.float_or_floats_in("q", q, _LEVEL)
        results = _result(self.of, times_at(event, levels))
        return results.item() if arguments.is_single(q) else results

    def moment(self, order: int) -> float:
        """Return the expectation of a power of the result.

        Parameters
        ----------
        order : int
            The exponent of the power, from 0 to 1000.

        Examples
        --------
        The mean share of the cards left is 1 - alpha**2:

        >>> from cardgames_dp import fitting
        >>> round(fitting.LimitDistribution("left").moment(1), 12)
        0.294528219011
        """
        order = arguments.integer("order", order)
        if order > _MOST_ORDER:
            raise arguments.wrong_value(f"order must be from 0 to {_MOST_ORDER}", order)
        return self._expected(lambda _, e: e(order))

    def _probability(self, x: Any, event: Event, outside: tuple[int, int]) -> Any:
        """Return the probability of an event of T, or the density, at some results."""
        results = arguments.float_or_floats_in("x", x, VALUES)
        values = np.where(results <= 0, *map(float, outside))
        inside = (results > 0) & (results < _largest(self.of))
        chances = chance(event, _times_of(self.of, results[inside]))
        if event == "density":
            with np.errstate(over="ignore", under="ignore"):  # where it has no bound
                some = results[inside]
                # The size of the derivative of T by the result.
                chances *= 1 / (1 - some) if _grows(self.of) else _pace(self.of) / some
            values[results == float(_grows(self.of))] = np.inf
        values[inside] = chances
        return values.item() if arguments.is_single(x) else values

    def _expected(
        self, of_moments: Callable[[Any, Callable[[int], Any]], Any]
    ) -> float:
        """Return a function of the moments, given a context and a moment function."""

        def enclosed(context: Any) -> tuple[Any, Any]:
            result = of_moments(context, lambda k: _moment(self.of, context, k))
            return constants.enclose(context, result)

        return float(constants.rounded(enclosed, constants.FLOAT_DIGITS))


# The result for a time T: the payoff, the cards drawn, or those left.


def _grows(of: Of) -> bool:
    """Return whether the result grows with T."""
    return of == "duration"


def _largest(of: Of) -> float:
    """Return the largest result."""
    return float(np.sqrt(2) * ALPHA) if of == "payoff" else 1.0


@np.errstate(under="ignore")
def _result(of: Of, t: Floats) -> Floats:
    """Return the results for some times T."""
    if of == "duration":
        return -np.expm1(-t)
    return _largest(of) * np.exp(-t / _pace(of))


def _times_of(of: Of, x: Floats) -> Floats:
    """Return the times T for some results."""
    if of == "duration":
        return -np.log1p(-x)
    # Two logarithms, because the quotient may be too small for a float.
    result: Floats = (np.log(_largest(of)) - np.log(x)) * _pace(of)
    return result


def _moment(of: Of, context: Any, order: int) -> Any:
    """Return the expectation of a power of the result."""
    if of == "duration":
        return context.fsum(
            (-1) ** k * context.binomial(order, k) * _transform(context, k)
            for k in range(order + 1)
        )
    share = _transform(context, context.mpf(order) / _pace(of))
    largest = context.sqrt(2) * constants.alpha_at(context) if of == "payoff" else 1
    return largest**order * share


def _pace(of: Of) -> int:
    """Return the increase of T while the logarithm of the result falls by 1."""
    return 2 if of == "payoff" else 1


@np.errstate(under="ignore")
def chance(event: Event, times: Floats) -> Floats:
    """Return P(T <= t), P(T > t) or the density of T; small ones are accurate, too."""
    dense = event == "density"
    short, long = _inverted(times, int(not dense)), _series(times, int(dense))
    if event == "after":
        short = 1 - short
    elif event == "before":
        long = 1 - long
    return np.where(times < _SHORT, short, long)


def times_at(event: Event, levels: Floats) -> Floats:
    """Return the times at which the probability of an event reaches a level."""
    sign = 1 if event == "before" else -1
    times = np.where((levels == 0) == (sign == 1), 0.0, np.inf)  # at the ends
    inside = (levels > 0) & (levels < 1)
    targets = levels[inside]
    lower, upper = np.full_like(targets, _NEVER), np.full_like(targets, _LAST)
    for _ in range(64):
        middle = np.sqrt(lower * upper)
        early = (chance(event, middle) - targets) * sign < 0
        lower, upper = np.where(early, middle, lower), np.where(early, upper, middle)
    times[inside] = np.sqrt(lower * upper)
    return times


@np.errstate(under="ignore")
def _series(times: Floats, power: int) -> Floats:
    """Return the sums of ``c_k lambda_k**power exp(-lambda_k t)``."""
    rates, shares = waves()
    parts = (shares * rates**power)[::-1]
    # Small terms first. For short times the sum is not used, but must not overflow.
    long = np.maximum(times, _SHORT)
    sums = np.empty_like(long)
    for place in range(0, len(long), _BLOCK):
        block = slice(place, place + _BLOCK)
        sums[block] = np.exp(-np.multiply.outer(long[block], rates[::-1])) @ parts
    return sums


def _inverted(times: Floats, power: int) -> Floats:
    """Return the inverse transforms of ``1 / (z**power G(z))``, 0 beyond `_SHORT`."""
    result = np.zeros_like(times)
    (short,) = np.nonzero((times > _NEVER) & (times < _SHORT))
    # The nodes ``z t`` and the weights ``exp(z t) d(z t)`` of the contour.
    angle = (2 * np.arange(_NODES) + 1) * np.pi / (2 * _NODES)
    tangent, sine, count = np.tan(0.6407 * angle), np.sin(0.6407 * angle), 2 * _NODES
    nodes = count * (0.6122 * angle / tangent - 0.4814 + 0.2645j * angle)
    slopes = 0.6122 / tangent - 0.6122 * 0.6407 * angle / sine**2 + 0.2645j
    weights = 2 * np.exp(nodes) * slopes
    for place in range(0, len(short), _BLOCK):
        block = short[place : place + _BLOCK]
        z = np.divide.outer(1 / times[block], 1 / nodes)
        values = weights / z**power / _reciprocal(z)
        sums = values.sum(axis=1).imag / times[block]
        result[block] = np.maximum(sums, 0.0)  # rounding may be negative
    return result


def _reciprocal(z: NDArray[Any]) -> NDArray[Any]:
    """Return G(z), right of its poles."""
    log_gamma = scipy.special.loggamma
    ratio = np.exp(log_gamma(z + 0.5) - log_gamma(z))
    even, odd = _kummer(z, 0.5), _kummer(z + 0.5, 1.5)
    result: NDArray[Any] = even + np.sqrt(2) * ALPHA * ratio * odd
    return result


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

    Those of terms below exp(-39) are accurate to 1e-9, all others to rounding.
    """
    # Each m with 2 lambda_k between m - 1 and m.
    upper = np.array(list(islice(constants.unit_brackets(ALPHA), _WAVES))) / 2
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
    result: NDArray[Any] = np.cos(angle) * even - np.sqrt(2) * ALPHA * ratio * (
        np.sin(angle) * odd
    )
    return result


def _transform(context: Any, z: Any) -> Any:
    """Return E exp(-z T), for z >= 0, to the precision of a context."""
    if not z:
        return context.mpf(1)
    z, half = context.mpf(z), context.mpf(1) / 2
    a = constants.alpha_at(context) ** 2 / 2
    ratio = context.gammaprod([z + half], [z])
    odd = context.hyp1f1(z + half, 3 * half, a)
    return 1 / (context.hyp1f1(z, half, a) + 2 * context.sqrt(a) * ratio * odd)
