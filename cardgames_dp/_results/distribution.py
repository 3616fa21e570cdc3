"""Probability distributions, with their moments and quantiles; and those of samples.

Samples follow one convention in all games. The *sample variance* of n games has the
divisor ``n - 1``, as the mean is estimated from the same games: it is unbiased for any
distribution. The *standard error* of the mean of n independent games is
``sqrt(variance / n)``.

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
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import Table, table_of_shares
from cardgames_dp._support import arguments
from cardgames_dp._support.printing import Number, short
from cardgames_dp._support.running import require

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Distribution(Result, Generic[Number]):
    """A probability distribution with finite support; prints as a table.

    Iteration gives pairs of a result and its probability, in increasing order; so does
    ``np.asarray``, in rows.

    Attributes
    ----------
    of : str
        The name of the random quantity, such as "payoff".
    support : ndarray, shape (k,), read-only
        The possible results, increasing: integers, floats or Fractions (dtype object).
    probabilities : ndarray, shape (k,), read-only
        The probability of each result: float64, or Fractions (dtype object), which sum
        to 1, or to 1 less `rest`.
    rest : float
        The probability of what is cut off, such as games that go on for very long.

    Examples
    --------
    >>> import numpy as np
    >>> from cardgames_dp import play
    >>> die = play.Distribution("points", np.arange(1, 7), np.full(6, 1 / 6))
    >>> die.mean, die.median, round(die.cdf(4), 6)
    (3.5, 3, 0.666667)

    How likely is a result above 4, or exactly a 6?

    >>> round(die.sf(4), 6), round(die.pmf(6), 6), len(die)
    (0.333333, 0.166667, 6)

    Exact probabilities are shown as fractions, too, where they are short:

    >>> from cardgames_dp import redblack
    >>> print(play.distribution(redblack.solve(2, 2), backend="exact").returns[0])
    return  probability  exact
         0     0.333333    1/3
         1     0.666667    2/3
    (mean 0.666667, standard deviation 0.471405)
    """

    of: str
    support: NDArray[Any]
    probabilities: NDArray[Any]
    rest: float = 0.0

    @property
    def mean(self) -> Number:
        """The expected result; a Fraction if it is exact."""
        return self._expect(self.support)

    @property
    def median(self) -> float | Number:
        """The smallest result `x` with ``cdf(x) >= 1/2``."""
        return self.quantile(0.5)

    @property
    def variance(self) -> Number:
        """The variance; a Fraction if it is exact, NaN with ruin."""
        mean: Any = self.mean
        if abs(mean) == math.inf:
            return mean * 0  # type: ignore[no-any-return]
        return self._expect((self.support - mean) ** 2)

    @property
    def std(self) -> float:
        """The square root of the variance."""
        return math.sqrt(self.variance)

    @property
    def loss_probability(self) -> Number:
        """The probability of a result below 0 (0 for durations)."""
        return self._expect(self.support < 0)

    def cdf(self, x: int | float | Fraction) -> Number:
        """Return the probability of a result of at most `x`: the distribution function.

        Parameters
        ----------
        x : int, Fraction, Decimal or float
            Any real number or infinity; compared exactly with the results.

        Raises
        ------
        TypeError, ValueError
            If `x` is not a real number or infinity.
        """
        count = bisect_right(self.support.tolist(), arguments.real("x", x))
        return self._expect(np.arange(len(self.support)) < count)

    def sf(self, x: int | float | Fraction) -> Number:
        """Return the probability of a result above `x`: the survival function."""
        count = bisect_right(self.support.tolist(), arguments.real("x", x))
        return self._expect(np.arange(len(self.support)) >= count)

    def pmf(self, x: int | float | Fraction) -> Number:
        """Return the probability of one result; 0 if it cannot occur."""
        value = arguments.real("x", x)
        return self._expect(np.array([y == value for y in self.support.tolist()]))

    def __iter__(self) -> Iterator[tuple[Any, Number]]:
        return zip(self.support.tolist(), self.probabilities.tolist(), strict=True)

    def __len__(self) -> int:
        return len(self.support)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        pairs = np.column_stack([self.support, self.probabilities])
        return np.array(pairs, dtype=dtype, copy=copy)

    def quantile(self, q: int | float | Fraction) -> float | Number:
        """Return the smallest result `x` with ``cdf(x) >= q``.

        What is cut off counts as infinite: the result is never too short, but may be
        infinite if `q` is above ``1 - rest``.

        Parameters
        ----------
        q : int, Fraction, Decimal or float
            A probability, from 0 to 1. It is compared exactly with Fractions, and up to
            rounding with floats.

        Raises
        ------
        TypeError, ValueError
            If `q` is not a number from 0 to 1.

        Examples
        --------
        >>> from cardgames_dp import play, redblack
        >>> payoff = play.distribution(redblack.solve(26, 26)).returns[0]
        >>> payoff.quantile(0.1), payoff.median, payoff.quantile(0.9)
        (0.0, 3.0, 5.0)
        """
        level = arguments.real("q", q)
        if not 0 <= level <= 1:
            raise arguments.wrong_value("q must be a probability, from 0 to 1", q)
        if 1 - level < self.rest:
            return math.inf
        cumulative = list(accumulate(self.probabilities.tolist()))
        exact = self.probabilities.dtype == object
        near = level if exact else level - len(cumulative) * 2.0**-52
        # Rounded probabilities may sum to a little less than 1.
        place = min(bisect_left(cumulative, near), len(cumulative) - 1)
        result: float | Number = self.support.item(place)
        return result

    def sample(
        self,
        size: int | None = None,
        *,
        rng: int | np.random.Generator | None = None,
    ) -> Any:
        """Return results drawn at random.

        Parameters
        ----------
        size : int, optional
            The number of results; one, without an array, if not given.
        rng : None, int or numpy.random.Generator
            The source of random numbers.

        Raises
        ------
        TypeError, ValueError
            If `size` is no integer >= 0, or `rng` is anything else.

        Examples
        --------
        >>> import numpy as np
        >>> from cardgames_dp import play
        >>> coin = play.Distribution("heads", np.arange(2), np.array([0.5, 0.5]))
        >>> coin.sample(5, rng=1).tolist()
        [1, 1, 0, 1, 0]
        """
        count = 1 if size is None else arguments.integer("size", size)
        until = np.cumsum(self.probabilities.astype(np.float64))
        shares = arguments.generator(rng).random(count) * until[-1]
        results = self.support[np.searchsorted(until, shares, side="right")]
        return results.item(0) if size is None else results

    _derived = ("mean", "std", "loss_probability")
    _repr_fields = ("of", "support", *_derived[:2])

    def to_dict(self, *, json: bool = False) -> dict[Any, Any]:
        """Return ``{result: probability}``, in increasing order.

        Parameters
        ----------
        json : bool, default False
            Return all attributes by name instead, with the mean, in types that JSON
            has; Fractions become strings.
        """
        if arguments.boolean("json", json):  # no super(): slots make a class anew
            return Result.to_dict(self, json=True)
        return dict(self)

    def to_pandas(self) -> pd.Series[Any]:  # type: ignore[override]
        """Return the probabilities as a Series indexed by the results.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        index = pandas.Index(self.support, name=self.of)
        series: pd.Series[Any] = pandas.Series(
            self.probabilities, index=index, name="probability"
        )
        return series

    def _table(self) -> Table:
        shares: list[Any] = self.probabilities.tolist()
        exactly = shares if self._is_exact else []
        spread = short(self.std)
        notes = [f"mean {short(self.mean)}, standard deviation {spread}"]
        head = (self.of, "probability")
        columns = self.support.tolist(), [*map(float, shares)]
        return table_of_shares(head, *columns, exactly, notes)

    @property
    def _is_exact(self) -> bool:
        return bool(self.probabilities.dtype == object)

    def _expect(self, results: NDArray[Any]) -> Number:
        products: Any = (results * self.probabilities).tolist()
        exact = self._is_exact
        expected: Any = sum(products, Fraction(0)) if exact else math.fsum(products)
        return expected  # type: ignore[no-any-return]


Floats = TypeVar("Floats", float, NDArray[np.float64])


def frequencies(
    of: str, values: NDArray[Any], counts: NDArray[np.int64]
) -> Distribution[float]:
    """Return how often each of the different results occurred, as a distribution."""
    return Distribution(of, values, counts / counts.sum())


def deviation(values: NDArray[Any], counts: NDArray[np.int64], mean: float) -> float:
    """Return the sample standard deviation; NaN for one game.

    Parameters
    ----------
    values : ndarray of real numbers, shape (n,)
        The different results of games.
    counts : ndarray of int64, shape (n,)
        The number of games with each result.
    mean : float
        The sample mean.
    """
    games = int(counts.sum())
    if games == 1:
        return math.nan
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
