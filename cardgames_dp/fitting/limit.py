r"""The distributions of payoff and duration in the limit of large decks.

Let X be the share of the cards that is left when the optimal player of a balanced deck
of 2 l cards stops. In the limit, ``-log X`` is the time that an Ornstein-Uhlenbeck
process takes from 0 to alpha, and the payoff is ``alpha sqrt(2 l X)``. The
appendix on large decks proves:

- ``E X**q = D(-2q, 0) / (exp(alpha**2 / 4) D(-2q, -alpha))``, with the parabolic
  cylinder function D; in particular ``E X = 1 - alpha**2``, so the player draws a share
  alpha**2 = 0.7055 of the cards on average;
- ``P(X <= x)`` is the sum of ``c_k x**lambda_k``, with the exponents of
  `decay_exponent`.

References
----------
L. Breiman, "First exit times from a square root boundary", Proceedings of the Fifth
Berkeley Symposium on Mathematical Statistics and Probability II.2 (1967), 9-16, for the
transform. We know of no earlier source that applies it to this game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from cardgames_dp._results.records import Result
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Range
from cardgames_dp.fitting import passage
from cardgames_dp.fitting.constants import FLOAT_DIGITS, GUARD, about, alpha_at, rounded
from cardgames_dp.fitting.passage import Event
from cardgames_dp.fitting.regression import VALUES, Numbers
from cardgames_dp.redblack._kernels.large_decks import ALPHA

Of: TypeAlias = Literal["payoff", "duration", "left"]
Given: TypeAlias = float | Fraction | Decimal | str | Numbers

_LEVEL = Range("a probability, from 0 to 1", lambda x: (x >= 0) & (x <= 1))
_MOST_ORDER = 1000
"""The largest order of a moment; larger orders of a duration would take long."""

_MOST_DIGITS = 5_000
"""What takes some hours, for a quantile; leading zeros of a probability count too."""


def limit_distribution(
    of: Of = "payoff", *, digits: int | None = None
) -> LimitDistribution:
    """Return the distribution of the payoff, or of the draws, in the limit.

    The limit is that of balanced decks of 2 l cards for large l, under optimal play.

    Grade: float64; estimated with `digits`: probabilities and quantiles are computed on
    two contours, with more nodes until both give the same digits.

    Parameters
    ----------
    of : {"payoff", "duration", "left"}
        The quantity that is distributed: the payoff divided by sqrt(l), the share of
        the cards that is drawn, or the share that is left.
    digits : int, optional
        The number of significant digits of probabilities, moments and quantiles, as
        Decimals. float64 if not given.

    Returns
    -------
    LimitDistribution
        It has a distribution function, density, quantiles and moments.

    References
    ----------
    L. Breiman, "First exit times from a square root boundary", Proceedings of the Fifth
    Berkeley Symposium on Mathematical Statistics and Probability II.2 (1967), 9-16, and
    the appendix on large decks.

    Examples
    --------
    How many cards does the player draw from a large deck?

    >>> from cardgames_dp import fitting
    >>> limit = fitting.limit_distribution("duration")
    >>> round(limit.mean, 6), round(limit.median, 6), round(limit.standard_deviation, 6)
    (0.705472, 0.80508, 0.293171)
    >>> fitting.limit_distribution("duration", digits=30).mean
    Decimal('0.705471780988586053322657246822')
    """
    arguments.choice("of", of, get_args(Of))
    if digits is not None:
        digits = arguments.integer("digits", digits, minimum=1)
        arguments.at_most("digits", digits, _MOST_DIGITS, "ask for fewer")
    return LimitDistribution(of, digits)


@dataclass(frozen=True, slots=True, repr=False)
class LimitDistribution(Result):
    """A probability distribution in the limit of large decks, under optimal play.

    Made by :func:`limit_distribution`. Its methods take and return float64 numbers or
    arrays. If `digits` is set, they take a single number of any type, read exactly, and
    return Decimals.

    Attributes
    ----------
    of : {"payoff", "duration", "left"}
        The quantity that is distributed: the payoff divided by sqrt(l), in a deck of l
        red and l black cards; the share of the cards that is drawn; or the share that
        is left.
    digits : int or None
        The number of significant digits of results; None for float64.

    Examples
    --------
    >>> from cardgames_dp import fitting
    >>> limit = fitting.limit_distribution("payoff")
    >>> limit.cdf([0.1, 0.5, 1]).round(6)
    array([0.213965, 0.485469, 0.865662])

    That of 1000 + 1000 cards is close to the limit. The half unit is the continuity
    correction for whole numbers:

    >>> from cardgames_dp import redblack
    >>> deck = redblack.distribution(1000, 1000).payoff
    >>> round(float(deck.cdf(20)), 4), round(limit.cdf(20.5 / 1000**0.5), 4)
    (0.5763, 0.5763)
    """

    of: Of
    digits: int | None = None

    _told = ("of", "digits", "mean")
    _derived = ("mean", "standard_deviation")

    @property
    def mean(self) -> Any:
        """The expectation."""
        return self.moment(1)

    @property
    def median(self) -> Any:
        """The result that is exceeded with probability 1/2."""
        return self.quantile(0.5)

    @property
    def standard_deviation(self) -> Any:
        """The standard deviation."""
        return self._expected(lambda m, e: m.sqrt(e(2) - e(1) ** 2))

    def cdf(self, x: Given) -> Any:
        """Return the probability that the result is at most `x`.

        In float64 the error is at most 1e-13 (measured).

        Parameters
        ----------
        x : number, or iterable of numbers
            The results. With `digits`, a single int, float, Fraction or Decimal, or a
            number as text.

        Returns
        -------
        float, ndarray of float64 or Decimal
            The probabilities: a float for a single number, a Decimal with `digits`.

        Examples
        --------
        The probability that at most a hundredth of the cards is left at the end:

        >>> from cardgames_dp import fitting
        >>> fitting.limit_distribution("left", digits=25).cdf("0.01")
        Decimal('0.2320756088601717662556954')
        """
        return self._probability(x, "before" if _grows(self.of) else "after", (0, 1))

    def sf(self, x: Given) -> Any:
        """Return the probability that the result is above `x`, the survival function.

        Parameters
        ----------
        x : number, or iterable of numbers
            As for :meth:`cdf`.
        """
        return self._probability(x, "after" if _grows(self.of) else "before", (1, 0))

    def pdf(self, x: Given) -> Any:
        """Return the probability density at `x`, which is 0 outside the support.

        It is infinite where no cards are left: at 0, or at 1 for a duration.

        Parameters
        ----------
        x : number, or iterable of numbers
            As for :meth:`cdf`.
        """
        return self._probability(x, "density", (0, 0))

    def quantile(self, q: Given) -> Any:
        """Return the result `x` with ``cdf(x) == q``.

        Parameters
        ----------
        q : number, or iterable of numbers
            Probabilities, from 0 to 1; with `digits`, a single number.

        Examples
        --------
        In one of ten games, at most a quarter of the cards is drawn:

        >>> from cardgames_dp import fitting
        >>> fitting.limit_distribution("duration").quantile([0.1, 0.5, 0.9]).round(4)
        array([0.2463, 0.8051, 0.9997])
        """
        event: Event = "before" if _grows(self.of) else "after"
        if self.digits is None:
            levels = arguments.one_or_more_in("q", q, _LEVEL)
            found = _result(self.of, np, passage.when(event, levels))
            return found.item() if arguments.is_single(q) else found
        level = arguments.finite("q", q, text=True)
        arguments.float_in("q", level, _LEVEL)
        if level == 0:
            return Decimal(0)
        if level == 1:
            return rounded(lambda m: about(m, _largest(self.of, m)), self.digits)
        start = float(passage.when(event, np.array([float(level)]))[0])

        def enclosed(context: Any) -> tuple[Any, Any]:
            times = passage.when_enclosed(
                context, event, _number(context, level), start
            )
            return tuple(_result(self.of, context, t) for t in times)

        return self._rounded(enclosed, start, "before")

    def moment(self, order: int) -> Any:
        """Return the expectation of a power of the result.

        Parameters
        ----------
        order : int
            The exponent of the power, from 0 to 1000.

        Examples
        --------
        The mean share of the cards left is 1 - alpha**2:

        >>> from cardgames_dp import fitting
        >>> fitting.limit_distribution("left", digits=20).moment(1)
        Decimal('0.29452821901141394668')
        """
        order = arguments.integer("order", order)
        if order > _MOST_ORDER:
            raise ValueError(
                f"order must be from 0 to {_MOST_ORDER}, got {arguments.shown(order)}"
            )
        return self._expected(lambda _, e: e(order))

    def _probability(self, x: Any, event: Event, outside: tuple[int, int]) -> Any:
        """Return the probability of an event of T, or the density, at some results."""
        if self.digits is not None:
            return self._single(x, event, outside)
        results = arguments.one_or_more_in("x", x, VALUES)
        found = np.where(results <= 0, *map(float, outside))
        inside = (results > 0) & (results < _largest(self.of, np))
        chances = passage.chance(event, _time(self.of, np, results[inside]))
        if event == "density":
            with np.errstate(over="ignore"):  # close to where it is infinite
                chances *= _slope(self.of, results[inside])
            found[results == float(_grows(self.of))] = np.inf
        found[inside] = chances
        return found.item() if arguments.is_single(x) else found

    def _single(self, x: Any, event: Event, outside: tuple[int, int]) -> Decimal:
        """Return the same for one result, as a Decimal."""
        result = arguments.finite("x", x, text=True)
        if event == "density" and result == int(_grows(self.of)):
            return Decimal("Infinity")
        if result <= 0:
            return Decimal(outside[0])
        if result < Fraction(1, 10**300):  # its time would be found in no float
            raise ValueError(
                f"x must be 0 or at least 1e-300, got {arguments.shown(x)}"
            )
        near = (
            float(_time(self.of, np, float(result)))
            if result < _largest(self.of, np)
            else 0.0
        )
        if near <= 0:
            return Decimal(outside[1])

        def enclosed(context: Any) -> tuple[Any, Any]:
            exact = _number(context, result)
            time = _time(self.of, context, exact)
            chances = passage.chance_enclosed(context, event, time)
            slope = _slope(self.of, exact) if event == "density" else 1
            return tuple(slope * chance for chance in chances)

        return self._rounded(enclosed, near, event)

    def _expected(self, of_moments: Callable[[Any, Callable[[int], Any]], Any]) -> Any:
        """Return a function of the moments, given a context and a moment function."""

        def enclosed(context: Any) -> tuple[Any, Any]:
            found = of_moments(context, lambda k: _moment(self.of, context, k))
            return about(context, found)

        found = self._rounded(enclosed, 1.0, "before")
        return float(found) if self.digits is None else found

    def _rounded(
        self,
        enclosed: Callable[[Any], tuple[Any, Any]],
        time: float,
        event: Event,
    ) -> Decimal:
        """Return a number to the digits of this distribution."""
        digits = FLOAT_DIGITS if self.digits is None else self.digits
        lost = passage.digits_lost(time, event)
        zeros = "the leading zeros of a probability so close to an end"
        arguments.at_most(zeros, lost, _MOST_DIGITS, "leave out digits for float64")
        return rounded(enclosed, digits, GUARD + lost)


def _number(context: Any, exact: Fraction) -> Any:
    return context.mpf(exact.numerator) / exact.denominator


# The result for a time T of `passage`: the payoff, the cards drawn, or those left. `m`
# is the module of functions: NumPy, or a context of mpmath.


def _grows(of: Of) -> bool:
    """Return whether the result grows with T."""
    return of == "duration"


def _largest(of: Of, m: Any) -> Any:
    """Return the largest result."""
    if of != "payoff":
        return 1.0
    return m.sqrt(2) * (ALPHA if m is np else alpha_at(m))


def _result(of: Of, m: Any, t: Any) -> Any:
    """Return the result for a time T."""
    if of == "duration":
        return -m.expm1(-t)
    return _largest(of, m) * m.exp(-t / _pace(of))


def _time(of: Of, m: Any, x: Any) -> Any:
    """Return the time T for a result."""
    if of == "duration":
        return -m.log1p(-x)
    # Two logarithms, because the quotient may be too small for a float.
    return (m.log(_largest(of, m)) - m.log(x)) * _pace(of)


def _slope(of: Of, x: Any) -> Any:
    """Return the size of the derivative of T by the result."""
    return 1 / (1 - x) if of == "duration" else _pace(of) / x


def _moment(of: Of, context: Any, order: int) -> Any:
    """Return the expectation of a power of the result."""
    if of == "duration":
        return context.fsum(
            (-1) ** k * context.binomial(order, k) * passage.moment(context, k)
            for k in range(order + 1)
        )
    power = context.mpf(order) / _pace(of)
    return _largest(of, context) ** order * passage.moment(context, power)


def _pace(of: Of) -> int:
    """Return the increase of T while the logarithm of the result falls by 1."""
    return 2 if of == "payoff" else 1
