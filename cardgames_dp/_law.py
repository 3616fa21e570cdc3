"""Probability distributions, with their moments and quantiles."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Generic, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html, _text
from cardgames_dp._extras import require
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._numbers import Number, printable, short
from cardgames_dp._records import ArrayRecord, plain, summary

if TYPE_CHECKING:
    import pandas as pd

_SAMPLE_BYTES = 24
"""Bytes of a sampled result: itself, its place, and its random number."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Law(ArrayRecord, Generic[Number]):
    """A probability distribution (law) with finite support; prints as a table.

    Attributes
    ----------
    of : str
        The name of the random quantity, such as "payoff".
    support : ndarray, shape (k,), read-only
        The possible results, increasing: integers, floats or Fractions (dtype object).
    probabilities : ndarray, shape (k,), read-only
        The probability of each result: float64, or Fractions (dtype object), which sum
        to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from cardgames_dp import play
    >>> die = play.Law("points", np.arange(1, 7), np.full(6, 1 / 6))
    >>> die.mean, die.median, round(die.cdf(4), 6)
    (3.5, 3, 0.666667)

    An exact law shows its probabilities as fractions, too, where they are short:

    >>> from cardgames_dp import redblack
    >>> print(redblack.payoff_law(2, 2, backend="exact"))
    payoff  probability  exact
         0     0.333333    1/3
         1     0.666667    2/3
    (mean 0.666667, standard deviation 0.471405)
    """

    of: str
    support: NDArray[Any]
    probabilities: NDArray[Any]

    @property
    def mean(self) -> Number:
        """The expected result; a Fraction for an exact law."""
        return self._expect(self.support)

    @property
    def median(self) -> int | Number:
        """The smallest result `x` with ``cdf(x) >= 1/2``."""
        return self.quantile(0.5)

    @property
    def variance(self) -> Number:
        """The variance; a Fraction for an exact law."""
        return self._expect((self.support - self.mean) ** 2)

    @property
    def standard_deviation(self) -> float:
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
        count = bisect_right(self.support.tolist(), _checks.real("x", x))
        return self._expect(np.arange(len(self.support)) < count)

    def quantile(self, q: int | float | Fraction) -> int | Number:
        """Return the smallest result `x` with ``cdf(x) >= q``.

        Parameters
        ----------
        q : int, Fraction, Decimal or float
            A probability, from 0 to 1. It is compared exactly in an exact law, and up
            to rounding in others.

        Raises
        ------
        TypeError, ValueError
            If `q` is not a number from 0 to 1.

        Examples
        --------
        >>> from cardgames_dp import redblack
        >>> law = redblack.payoff_law(26, 26)
        >>> law.quantile(0.1), law.median, law.quantile(0.9)
        (0.0, 3.0, 5.0)
        """
        wanted = _checks.real("q", q)
        if not 0 <= wanted <= 1:
            raise ValueError(
                f"q must be a probability, from 0 to 1, got {_checks.shown(q)}"
            )
        reached = list(accumulate(self.probabilities.tolist()))
        # Rounded probabilities may sum to a little less than 1.
        place = min(bisect_left(reached, wanted), len(reached) - 1)
        result: int | Number = self.support.item(place)
        return result

    def sample(
        self, size: SupportsIndex, *, rng: int | np.random.Generator | None = None
    ) -> NDArray[Any]:
        """Return a random sample of independent results.

        Parameters
        ----------
        size : int
            The number of results.
        rng : None, int or numpy.random.Generator
            A seed, or a source of random numbers. Probabilities are rounded to float64
            here, also those of an exact law.

        Returns
        -------
        ndarray, shape (size,)
            The results, of the type of `support`.

        Raises
        ------
        TypeError, ValueError
            If an argument is not as described above.
        TooLargeError
            If the sample would not fit in memory.

        Examples
        --------
        >>> from cardgames_dp import redblack
        >>> redblack.payoff_law(26, 26).sample(8, rng=1)
        array([3., 5., 0., 5., 1., 2., 5., 2.])
        """
        size = _checks.integer("size", size)
        source = _checks.generator(rng)
        refuse_too_large(
            f"a sample of {_checks.shown(size)} results",
            _SAMPLE_BYTES * size,
            "draw several smaller ones",
        )
        shares = np.array(self._shares())
        places = source.choice(len(shares), size, p=shares / shares.sum())
        return self.support[places]

    def to_dict(self, *, json: bool = False) -> dict[Any, Any]:
        """Return ``{result: probability}``, in increasing order.

        Parameters
        ----------
        json : bool, default False
            Return all attributes by name instead, with the mean, in types that JSON
            has; Fractions become strings.
        """
        if _checks.boolean("json", json):
            names = ("mean", "standard_deviation", "loss_probability")
            derived = {name: getattr(self, name) for name in names}
            return {**plain(self, json=True), **plain(derived, json=True)}
        pairs = zip(self.support.tolist(), self.probabilities.tolist(), strict=True)
        return dict(pairs)

    def to_pandas(self) -> pd.Series[Any]:
        """Return the probabilities as a Series indexed by the results.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        index = pandas.Index(self.support, name=self.of)
        series: pd.Series[Any] = pandas.Series(
            self.probabilities, index=index, name="probability"
        )
        return series

    def __str__(self) -> str:
        head = (self.of, "probability")
        exactly = self.probabilities.tolist() if self._is_exact else []
        lines = _text.histogram(head, self.support.tolist(), self._shares(), exactly)
        spread = short(self.standard_deviation)
        lines.append(f"(mean {short(self.mean)}, standard deviation {spread})")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return summary(
            self,
            of=self.of,
            **self._known(),
            results=len(self.support),
            mean=self.mean,
            standard_deviation=self.standard_deviation,
        )

    def _repr_html_(self) -> str:
        head = (self.of, "probability")
        return _html.histogram(repr(self), head, self.support.tolist(), self._shares())

    def _known(self) -> dict[str, Any]:
        """Return further facts for the repr."""
        return {}

    @property
    def _is_exact(self) -> bool:
        return bool(self.probabilities.dtype == object)

    def _shares(self) -> list[float]:
        return [float(p) for p in self.probabilities.tolist()]

    def _expect(self, results: NDArray[Any]) -> Number:
        products: Any = (results * self.probabilities).tolist()
        exact = self._is_exact
        add: Any = (lambda x: printable(sum(x, Fraction(0)))) if exact else math.fsum
        expected: Number = add(products)
        return expected
