r"""The law of growth: the value of a balanced deck of any size, and where to stop.

For large l::

    V(l) = c sqrt(l) - A l**-lambda + (c / 8) l**-(1/2) + ...

in powers of l that follow from four facts; the page "The law of growth" of the
documentation derives them. Here n is the number of cards left, and l = n / 2.

- *The limit.* The deck becomes a Brownian bridge that is stopped at the boundary
  ``alpha sqrt(n)``. This gives c, and is proved [1]_.
- *The end of the deck* is not a bridge. Its influence decays like ``n**-lambda_k``,
  with one unknown constant for each k, fitted here: A and A_2. The boundary adapts to
  this influence, which gives the term in ``l**-(1/2 + 2 lambda)``.
- *The walk is not a diffusion*: its steps are +-1, which changes the binomial law and
  the values by a factor ``1 + O(1 / n)``: terms c / 8 and ``l**-(1 + lambda)``.
- *The player stops at whole numbers only*: with curvature 2 kappa of the value at the
  boundary, kappa = alpha / sqrt(n), rounding costs kappa / 12 on average, and a further
  ``-8 zeta(-3/2) / (3 sqrt(pi)) kappa**(3/2)``, and nothing of order kappa**2, by an
  identity between Hurwitz zeta functions that the page proves: hence the term in
  ``l**-(3/4)`` and none in 1 / l. The next order is ``kappa**(5/2)`` times
  ``(zeta(-1/2) / 3 + (14/5 - 2 / alpha**2) zeta(-5/2)) / sqrt(pi)``, hence the term in
  ``l**-(5/4)``.

That c is the limit, and that the value differs from it by ``A l**-lambda`` to first
order, with some A > 0, is proved, the latter on the page "Limit laws"; the rest is
formal asymptotics.

References
----------
.. [1] L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
   Mathematical Statistics 40 (1969), 993-1010.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    overload,
)

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _boundary_law, _checks, _html
from cardgames_dp._extras import require
from cardgames_dp._records import ArrayRecord, Record, plain
from cardgames_dp.fitting import _design
from cardgames_dp.fitting._design import Numbers, Range

if TYPE_CHECKING:
    import pandas as pd

Origin: TypeAlias = Literal["proved", "derived", "fitted"]
Real = TypeVar("Real", float, NDArray[np.float64])

MOST_CARDS = 10**20
"""The most cards left for a guess; with more, float64 has no digits for a millionth."""

_SIZES = Range(
    "a number from 1000 to 1e30 (use redblack.value(...) for fewer cards)",
    lambda x: (x >= 1000) & (x <= 1e30),
)


@dataclass(frozen=True, slots=True)
class GrowthTerm(Record):
    """One term of the law of growth, ``coefficient * l**exponent``.

    `GROWTH_TERMS` lists all terms; l is half of a balanced deck.

    Attributes
    ----------
    exponent, coefficient : float
        The exponent of l, and the factor.
    uncertainty : float
        The uncertainty of the coefficient: 0, up to rounding, if it is a formula; if it
        is fitted, or contains a fitted number, about three times the spread of the fits
        to l >= 1000, 2000, ..., 50,000.
    origin : {"proved", "derived", "fitted"}
        Whether the coefficient is a theorem, derived without proof (from the constants
        alone, or from A), or fitted to values.

    Examples
    --------
    >>> from cardgames_dp import fitting
    >>> limit, correction = fitting.GROWTH_TERMS[:2]
    >>> limit.origin, limit.exponent, correction.origin, round(correction.exponent, 4)
    ('proved', 0.5, 'fitted', -0.2312)

    With a million cards of each colour, the second term is:

    >>> round(correction.coefficient * 1e6**correction.exponent, 6)
    -0.004208
    """

    exponent: float
    coefficient: float
    uncertainty: float
    origin: Origin

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields by name.

        Parameters
        ----------
        json : bool, default False
            Without effect: all types are ones that JSON has.
        """
        found: dict[str, Any] = plain(self, json=json)
        return found


_C = 0.5220376759871239
_LAMBDA = _boundary_law.LAMBDA
_LAMBDA_2 = 1.067043004393163
_A, _A_ERROR = 0.10258986596, 3e-10
# The effects of a disturbance A: A**2 and A times functions of alpha and lambda.
_OF_SQUARE, _OF_LATTICE = 1.1554510834878458, 0.029621441613114328

GROWTH_TERMS: tuple[GrowthTerm, ...] = (
    GrowthTerm(1 / 2, _C, 0.0, "proved"),
    GrowthTerm(-_LAMBDA, -_A, _A_ERROR, "fitted"),
    GrowthTerm(-1 / 2, _C / 8, 0.0, "derived"),
    GrowthTerm(-3 / 4, -0.01107926835194782, 0.0, "derived"),
    GrowthTerm(
        -1 / 2 - 2 * _LAMBDA,
        _OF_SQUARE * _A**2,
        2 * _OF_SQUARE * _A * _A_ERROR,
        "derived",
    ),
    GrowthTerm(-_LAMBDA_2, -0.0422615, 1e-4, "fitted"),
    GrowthTerm(-1 - _LAMBDA, _OF_LATTICE * _A, _OF_LATTICE * _A_ERROR, "derived"),
    GrowthTerm(-5 / 4, 0.010104743136498, 0.0, "derived"),
)
"""The terms of :func:`asymptotic_value`, from the largest to the smallest."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AsymptoticValue(ArrayRecord, Generic[Real]):
    """Values of decks by the law of growth, with their errors.

    Made by :func:`asymptotic_value`; ``float(...)`` returns the value of a single deck.

    Attributes
    ----------
    cards : float or ndarray of float64, read-only
        Half of each deck, l.
    value : float or ndarray of float64, read-only
        The value by the law of growth.
    error : float or ndarray of float64, read-only
        The largest distance of the exact value from `value`; tested, not proved.

    Examples
    --------
    >>> from cardgames_dp import fitting, redblack
    >>> deck = fitting.asymptotic_value(1000)
    >>> deck.lower <= redblack.value(1000, 1000) <= deck.upper
    True
    >>> decks = fitting.asymptotic_value([10**6, 10**9])
    >>> (decks.value / decks.cards**0.5).round(6).tolist()
    [0.522034, 0.522038]
    """

    cards: Real
    value: Real
    error: Real

    @property
    def lower(self) -> Real:
        """The lower bound, ``value - error``."""
        return self.value - self.error

    @property
    def upper(self) -> Real:
        """The upper bound, ``value + error``."""
        return self.value + self.error

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields and the two bounds as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Without effect: all types are ones that JSON has.
        """
        bounds = {"lower": self.lower, "upper": self.upper}
        found: dict[str, Any] = plain(self, json=json) | plain(bounds, json=json)
        return found

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with a row for each deck: value, error, lower and upper.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        names = ("value", "error", "lower", "upper")
        columns = {name: np.atleast_1d(getattr(self, name)) for name in names}
        index = pandas.Index(np.atleast_1d(self.cards), name="cards")
        frame: pd.DataFrame = pandas.DataFrame(columns, index=index)
        return frame

    def __float__(self) -> float:
        if isinstance(self.value, np.ndarray):
            raise TypeError(
                f"only the value of a single deck is a float, not {len(self.value)} "
                "values; use the array in the attribute value"
            )
        return self.value

    def _repr_html_(self) -> str:
        columns = np.atleast_2d(np.transpose([self.cards, self.value, self.error]))

        def row(place: int) -> tuple[str, ...]:
            cards, value, error = columns[place].tolist()
            return f"{cards:.10g}", f"{value:.12g}", f"{error:.2g}"

        title, notes = "Values by the law of growth", ["V(l) within ± error"]
        return _html.listing(title, ["l", "V(l)", "error"], row, len(columns), notes)


@overload
def asymptotic_value(cards: float) -> AsymptoticValue[float]: ...
@overload
def asymptotic_value(cards: Numbers) -> AsymptoticValue[NDArray[np.float64]]: ...
def asymptotic_value(
    cards: float | Numbers,
) -> AsymptoticValue[float] | AsymptoticValue[NDArray[np.float64]]:
    """Return the values of balanced decks by the law of growth, with their errors.

    It takes microseconds, however large the deck is. From about ten million cards of
    each colour on, it is more accurate than the staircase.

    Grade: estimated, with the error that comes with it.

    Parameters
    ----------
    cards : number, or iterable of numbers
        Half of each deck, l, from 1000 to 1e30: a number of any type, not necessarily
        whole, because the law is smooth.

    Returns
    -------
    AsymptoticValue
        Floats for a single number, arrays otherwise.

    Raises
    ------
    TypeError, ValueError
        If `cards` is not as described above. For smaller decks use
        :func:`cardgames_dp.redblack.value`.

    Notes
    -----
    The stated error is ``0.1 l**-(7/4) + 1e-9 l**-lambda`` and four units of rounding.

    The first part allows for what the law leaves out. The thresholds are whole numbers
    of cards; their remainders behave like random numbers, and their effect on the value
    adds up to about ``l**-(7/4)``, which no smooth law can follow. Up to l = 3000 the
    steps also show as a wave, of 2e-7 at l = 1000. Among all decks with l from 1000 to
    100,000, and 1200 up to 10**6, no error exceeds 0.0504 ``l**-(7/4)``, and the
    largest multiple is that of l = 1050. The second part allows for three times the
    uncertainty of A; the uncertainty of the smaller terms decays faster. So the error
    decreases to 2e-11 at l = 10**8, where rounding begins to dominate: the first term
    is exact.

    The law was fitted to 101 decks with l from 20,000 to 10**6, in 64-bit precision
    (errors of 1e-18). The other decks, and those up to 10**10 by the staircase, were
    held out.

    References
    ----------
    L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
    Mathematical Statistics 40 (1969), 993-1010, for the first term. The page "The law
    of growth" derives the other terms, which are this project's own.

    Examples
    --------
    >>> from cardgames_dp import fitting
    >>> deck = fitting.asymptotic_value(133_787_000)
    >>> f"{float(deck):.9f}", f"{deck.error:.0e}"
    ('6038.216882591', '2e-11')
    >>> fitting.asymptotic_value([10**4, 10**8, 10**12]).value.round(6).tolist()
    [52.192206, 5220.375315, 522037.675815]
    """
    if _design.is_single(cards):
        sizes = np.array([_design.number("cards", cards, _SIZES)])
    else:
        sizes = _design.array("cards", cards, _SIZES)
    # Smallest terms first, so that the sum is rounded about once.
    value = np.zeros_like(sizes)
    for term in reversed(GROWTH_TERMS[1:]):
        value += term.coefficient * sizes**term.exponent
    value += _C * np.sqrt(sizes)
    error = 0.1 * sizes**-1.75 + 1e-9 * sizes**-_LAMBDA + 2.0**-50 * value
    if _design.is_single(cards):
        return AsymptoticValue(sizes.item(), value.item(), error.item())
    return AsymptoticValue(sizes, value, error)


@overload
def boundary_guess(n: int | np.integer[Any]) -> int: ...
@overload
def boundary_guess(n: Iterable[SupportsIndex]) -> NDArray[np.int64]: ...
def boundary_guess(
    n: int | np.integer[Any] | Iterable[SupportsIndex],
) -> int | NDArray[np.int64]:
    """Return an estimate of the smallest excess at which to stop with n cards left.

    It takes no time for any n, where :func:`cardgames_dp.redblack.thresholds` would
    have to climb, and it is seldom wrong.

    Grade: estimated; no threshold is known that it misses.

    Parameters
    ----------
    n : int, or iterable of int
        The number of cards left, red and black together, from 1 to 10**20.

    Returns
    -------
    int, or ndarray of int64
        The excess, black less red cards left; even or odd as n is. (In a balanced deck
        it is the cash in hand.)

    Raises
    ------
    TypeError, ValueError
        If `n` is not as described above.

    Notes
    -----
    Of the thresholds up to excess 118,782 (n up to 2e10), 118,650 are certified with
    longer floats, and the estimates agree with all of them: no n is known for which the
    estimate is wrong. For some n it will be wrong by one step of 2; stopping and
    drawing are then worth nearly the same.

    References
    ----------
    L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
    Mathematical Statistics 40 (1969), 993-1010, for ``alpha sqrt(n)``; the page "The
    law of growth" derives the corrections.

    Examples
    --------
    In the Problem 14 essay's sheet, the player of 26 + 26 cards stops with 22 black and
    16 red cards left, an excess of 6:

    >>> from cardgames_dp import fitting
    >>> fitting.boundary_guess(38)
    6
    >>> fitting.boundary_guess([1, 2, 3, 10**6, 10**6 + 1]).tolist()
    [1, 2, 1, 840, 841]
    """
    if not isinstance(n, Iterable):
        return _stopping_excess("n", n)
    levels = _checks.integers("n", n, minimum=1)
    found = [_stopping_excess(f"n[{i}]", level) for i, level in enumerate(levels)]
    return np.array(found, dtype=np.int64)


def _stopping_excess(name: str, n: object) -> int:
    level = _checks.integer(name, n, minimum=1)
    if level > MOST_CARDS:
        raise ValueError(
            f"{name} must be at most {MOST_CARDS}, got {_checks.shown(level)}"
        )
    excess = math.ceil(_boundary_law.boundary(level))
    return excess + ((excess - level) & 1)
