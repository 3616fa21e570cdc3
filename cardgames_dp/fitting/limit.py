r"""The laws of payoff and duration in the limit of large decks.

Let X be the share of the cards that is left when the optimal player of a balanced deck
of 2 l cards stops. In the limit, ``-log X`` is the time that an Ornstein-Uhlenbeck
process takes from 0 to alpha, and the payoff is ``alpha sqrt(2 l X)``. The page "Limit
laws" proves:

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
from typing import Any, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._records import Record, plain, summary
from cardgames_dp.fitting import _design, _passage, _results
from cardgames_dp.fitting import _passage_digits as _digits
from cardgames_dp.fitting._design import Numbers, Range
from cardgames_dp.fitting._passage import Event
from cardgames_dp.fitting._precision import FLOAT_DIGITS, GUARD, rounded
from cardgames_dp.fitting._results import Of

Result: TypeAlias = float | Fraction | Decimal | str | Numbers

_LEVEL = Range("a probability, from 0 to 1", lambda x: (x >= 0) & (x <= 1))
_MOST_ORDER = 1000
"""The largest order of a moment; larger orders of a duration would take long."""


def limit_law(of: Of = "payoff", *, digits: int | None = None) -> LimitLaw:
    """Return the law of the payoff, or of the number of draws, in the limit.

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
    LimitLaw
        The law, with its distribution function, density, quantiles and moments.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above.

    References
    ----------
    L. Breiman, "First exit times from a square root boundary", Proceedings of the Fifth
    Berkeley Symposium on Mathematical Statistics and Probability II.2 (1967), 9-16, and
    the page "Limit laws".

    Examples
    --------
    How many cards does the player draw from a large deck?

    >>> from cardgames_dp import fitting
    >>> law = fitting.limit_law("duration")
    >>> round(law.mean, 6), round(law.median, 6), round(law.standard_deviation, 6)
    (0.705472, 0.80508, 0.293171)
    >>> fitting.limit_law("duration", digits=30).mean
    Decimal('0.705471780988586053322657246822')
    """
    _checks.choice("of", of, get_args(Of))
    if digits is not None:
        digits = _checks.integer("digits", digits, minimum=1)
    return LimitLaw(of, digits)


@dataclass(frozen=True, slots=True, repr=False)
class LimitLaw(Record):
    """A probability distribution in the limit of large decks, under optimal play.

    Made by :func:`limit_law`. Its methods take and return float64 numbers or arrays. If
    `digits` is set, they take a single number of any type, read exactly, and return
    Decimals.

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
    >>> law = fitting.limit_law("payoff")
    >>> law.cdf([0.1, 0.5, 1]).round(6)
    array([0.213965, 0.485469, 0.865662])

    The law of 1000 + 1000 cards is close to the limit. The half unit is the continuity
    correction for whole numbers:

    >>> from cardgames_dp import redblack
    >>> deck = redblack.payoff_law(1000, 1000)
    >>> round(float(deck.cdf(20)), 4), round(law.cdf(20.5 / 1000**0.5), 4)
    (0.5763, 0.5763)
    """

    of: Of
    digits: int | None = None

    @property
    def support(self) -> tuple[Any, Any]:
        """The smallest and the largest possible result."""
        if self.digits is None:
            return 0.0, float(_results.largest(self.of, np))
        top = rounded(
            lambda m: _digits.about(m, _results.largest(self.of, m)), self.digits
        )
        return Decimal(0), top

    @property
    def mean(self) -> Any:
        """The expectation."""
        return self.moment(1)

    @property
    def median(self) -> Any:
        """The result that is exceeded with probability 1/2."""
        return self.quantile(0.5)

    @property
    def variance(self) -> Any:
        """The variance."""
        return self._expected(lambda m, e: e(2) - e(1) ** 2)

    @property
    def standard_deviation(self) -> Any:
        """The square root of the variance."""
        return self._expected(lambda m, e: m.sqrt(e(2) - e(1) ** 2))

    def cdf(self, x: Result) -> Any:
        """Return the probability that the result is at most `x`.

        In float64 the error is at most 5e-14 (measured).

        Parameters
        ----------
        x : number, or iterable of numbers
            The results. With `digits`, a single int, float, Fraction or Decimal, or a
            number as text.

        Returns
        -------
        float, ndarray of float64 or Decimal
            The probabilities: a float for a single number, a Decimal with `digits`.

        Raises
        ------
        TypeError, ValueError
            If `x` is not as described above.
        TooLongError
            If the digits would take hours.

        Examples
        --------
        The probability that at most a hundredth of the cards is left at the end:

        >>> from cardgames_dp import fitting
        >>> fitting.limit_law("left", digits=25).cdf("0.01")
        Decimal('0.2320756088601717662556954')
        """
        return self._probability(
            x, "before" if _results.grows(self.of) else "after", (0, 1)
        )

    def sf(self, x: Result) -> Any:
        """Return the probability that the result is above `x`, the survival function.

        Parameters
        ----------
        x : number, or iterable of numbers
            As for :meth:`cdf`.

        Raises
        ------
        TypeError, ValueError, TooLongError
            As for :meth:`cdf`.
        """
        return self._probability(
            x, "after" if _results.grows(self.of) else "before", (1, 0)
        )

    def pdf(self, x: Result) -> Any:
        """Return the probability density at `x`, which is 0 outside the support.

        It is infinite where no cards are left: at 0, or at 1 for a duration.

        Parameters
        ----------
        x : number, or iterable of numbers
            As for :meth:`cdf`.

        Raises
        ------
        TypeError, ValueError, TooLongError
            As for :meth:`cdf`.
        """
        return self._probability(x, "density", (0, 0))

    def quantile(self, q: Result) -> Any:
        """Return the result `x` with ``cdf(x) == q``.

        Parameters
        ----------
        q : number, or iterable of numbers
            Probabilities, from 0 to 1; with `digits`, a single number.

        Raises
        ------
        TypeError, ValueError, TooLongError
            As for :meth:`cdf`.

        Examples
        --------
        In one of ten games, at most a quarter of the cards is drawn:

        >>> from cardgames_dp import fitting
        >>> fitting.limit_law("duration").quantile([0.1, 0.5, 0.9]).round(4)
        array([0.2463, 0.8051, 0.9997])
        """
        event: Event = "before" if _results.grows(self.of) else "after"
        if self.digits is None:
            levels = _floats("q", q, _LEVEL)
            what, instead = f"{levels.size} quantiles", "ask for fewer"
            refuse_too_long(what, 5e-5 * levels.size, instead, progress=None)
            found = _results.result(self.of, np, _passage.when(event, levels))
            return found.item() if _design.is_single(q) else found
        level = _checks.finite("q", q, text=True)
        _design.number("q", level, _LEVEL)
        if level in (0, 1):
            return self.support[int(level)]
        start = float(_passage.when(event, np.array([float(level)]))[0])

        def enclosed(context: Any) -> tuple[Any, Any]:
            times = _digits.when(context, event, _number(context, level), start)
            return tuple(_results.result(self.of, context, t) for t in times)

        return self._rounded(enclosed, start, "before", times=20)

    def moment(self, order: int) -> Any:
        """Return the expectation of a power of the result.

        Parameters
        ----------
        order : int
            The exponent of the power, from 0 to 1000.

        Raises
        ------
        TypeError, ValueError, TooLongError
            As for :meth:`cdf`.

        Examples
        --------
        The mean share of the cards left is 1 - alpha**2:

        >>> from cardgames_dp import fitting
        >>> fitting.limit_law("left", digits=20).moment(1)
        Decimal('0.29452821901141394668')
        """
        order = _checks.integer("order", order)
        if order > _MOST_ORDER:
            raise ValueError(
                f"order must be from 0 to {_MOST_ORDER}, got {_checks.shown(order)}"
            )
        return self._expected(lambda _, e: e(order), times=order + 1)

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return the fields, the support, the mean and the standard deviation.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Decimals become text.
        """
        facts = {
            "support": self.support,
            "mean": self.mean,
            "standard_deviation": self.standard_deviation,
        }
        found: dict[str, Any] = plain(self, json=json) | plain(facts, json=json)
        return found

    def __repr__(self) -> str:
        return summary(self, of=self.of, digits=self.digits, mean=self.mean)

    def _probability(self, x: Any, event: Event, outside: tuple[int, int]) -> Any:
        """Return the probability of an event of T, or the density, at some results."""
        if self.digits is not None:
            return self._single(x, event, outside)
        results = _floats("x", x, _design.VALUES)
        found = np.where(results <= 0, *map(float, outside))
        inside = (results > 0) & (results < _results.largest(self.of, np))
        chances = getattr(_passage, event)(_results.time(self.of, np, results[inside]))
        if event == "density":
            with np.errstate(over="ignore"):  # close to where it is infinite
                chances *= _results.slope(self.of, results[inside])
            found[results == float(_results.grows(self.of))] = np.inf
        found[inside] = chances
        return found.item() if _design.is_single(x) else found

    def _single(self, x: Any, event: Event, outside: tuple[int, int]) -> Decimal:
        """Return the same for one result, as a Decimal."""
        result = _checks.finite("x", x, text=True)
        if event == "density" and result == int(_results.grows(self.of)):
            return Decimal("Infinity")
        if result <= 0:
            return Decimal(outside[0])
        if result < Fraction(1, 10**300):  # its time would be found in no float
            raise ValueError(f"x must be 0 or at least 1e-300, got {_checks.shown(x)}")
        near = (
            float(_results.time(self.of, np, float(result)))
            if result < _results.largest(self.of, np)
            else 0.0
        )
        if near <= 0:
            return Decimal(outside[1])

        def enclosed(context: Any) -> tuple[Any, Any]:
            exact = _number(context, result)
            chances = getattr(_digits, event)(
                context, _results.time(self.of, context, exact)
            )
            slope = _results.slope(self.of, exact) if event == "density" else 1
            return tuple(slope * chance for chance in chances)

        return self._rounded(enclosed, near, event)

    def _expected(
        self, of_moments: Callable[[Any, Callable[[int], Any]], Any], times: int = 3
    ) -> Any:
        """Return a function of the moments, given a context and a moment function."""

        def enclosed(context: Any) -> tuple[Any, Any]:
            found = of_moments(context, lambda k: _results.moment(self.of, context, k))
            return _digits.about(context, found)

        found = self._rounded(enclosed, 1.0, "before", times=times)
        return float(found) if self.digits is None else found

    def _rounded(
        self,
        enclosed: Callable[[Any], tuple[Any, Any]],
        time: float,
        event: Event,
        times: int = 1,
    ) -> Decimal:
        """Return a number to the digits of this law, unless it would take too long."""
        digits = FLOAT_DIGITS if self.digits is None else self.digits
        guard = GUARD + _digits.digits_lost(time, event)
        seconds = 4.0 * times * min((digits + guard) / 150, 1e100) ** 2.5
        what = f"{_checks.shown(digits)} digits of this law"
        refuse_too_long(what, seconds, "ask for fewer digits", progress=None)
        return rounded(enclosed, digits, guard)


def _floats(name: str, numbers: Any, accepted: Range) -> NDArray[np.float64]:
    if _design.is_single(numbers):
        return np.array([_design.number(name, numbers, accepted)])
    return _design.array(name, numbers, accepted)


def _number(context: Any, exact: Fraction) -> Any:
    return context.mpf(exact.numerator) / exact.denominator
