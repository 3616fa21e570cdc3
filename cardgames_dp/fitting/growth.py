r"""The law of growth: the value of a large deck of any size.

For a balanced deck of l red and l black cards, l large::

    V(l) = c sqrt(l) - A l**-lambda + (c / 8) l**-(1/2) + ...

in powers of l that follow from four facts; the appendix on large decks
derives them. Here n is the number of cards left, and l = n / 2.

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
order, with some A > 0, is proved, the latter in the appendix on large decks; the rest
is formal asymptotics.

Unequal colours
---------------
Let N = R + B be the number of cards and s = B - R the excess. With ``y = s / sqrt(N)``
the total of optimal play (s plus the value) is::

    sqrt(N) F(y) + G(y) / sqrt(N) + sum of  C_k (N/2)**-e_k  H(e_k, y) / H(e_k, 0)

- *The bridge*: F(y) = sqrt(2 pi) (1 - alpha**2) exp(y**2 / 2) Phi(y), by Shepp.
- *The lattice*: steps of +-1 are not a diffusion, and stopping only at whole numbers
  costs on average alpha / 12 at the boundary, in the same units. Both effects are in ::

      G(y) = ((1 - alpha**2) He_3(y) + F(y) He_4(y) + (2 alpha**2 - 1) y) / 12

  with Hermite polynomials; at y = 0 it is F / 4, the law's term c / 8.
- *Effects of the boundary* and of the end of the deck spread below the boundary as
  solutions of Hermite's equation, ``H(e, y) = exp(y**2 / 4) D(2 e, -y)``, D the
  parabolic cylinder function. The terms of `GROWTH_TERMS` with exponents -lambda, -3/4,
  -1/2 - 2 lambda and -lambda_2 are of this kind; C_k is their coefficient.

References
----------
.. [1] L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
   Mathematical Statistics 40 (1969), 993-1010.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Generic, Literal, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
import scipy  # its parts are loaded when they are used
from numpy.typing import NDArray

from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Range
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.fitting.regression import Numbers
from cardgames_dp.redblack._kernels.large_decks import ALPHA, LAMBDA

Origin: TypeAlias = Literal["proved", "derived", "fitted"]
Real = TypeVar("Real", float, NDArray[np.float64])

_SIZES = Range(
    "a number from 1000 to 1e30 (use redblack.value(...) for fewer cards)",
    lambda x: (x >= 1000) & (x <= 1e30),
)


@dataclass(frozen=True, slots=True, repr=False)
class GrowthTerm(Result):
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


_C = 0.5220376759871239
_LAMBDA_2 = 1.067043004393163
_A, _A_ERROR = 0.102589865804, 1e-12
# The effects of a disturbance A: A**2 and A times functions of alpha and lambda.
_OF_SQUARE, _OF_LATTICE = 1.1554510834878458, 0.029621441613114328

GROWTH_TERMS: tuple[GrowthTerm, ...] = (
    GrowthTerm(1 / 2, _C, 0.0, "proved"),
    GrowthTerm(-LAMBDA, -_A, _A_ERROR, "fitted"),
    GrowthTerm(-1 / 2, _C / 8, 0.0, "derived"),
    GrowthTerm(-3 / 4, -0.01107926835194782, 0.0, "derived"),
    GrowthTerm(
        -1 / 2 - 2 * LAMBDA,
        _OF_SQUARE * _A**2,
        2 * _OF_SQUARE * _A * _A_ERROR,
        "derived",
    ),
    GrowthTerm(-_LAMBDA_2, -0.0422853, 5e-6, "fitted"),
    GrowthTerm(-1 - LAMBDA, _OF_LATTICE * _A, _OF_LATTICE * _A_ERROR, "derived"),
    GrowthTerm(-5 / 4, 0.010104743136498, 0.0, "derived"),
    GrowthTerm(-3 / 2, 0.00385, 3e-4, "fitted"),
)
"""The terms of :func:`asymptotic_value`, from the largest to the smallest."""


_FEWEST, _MOST = 2000, 10**30
_LEAST_Y, _MOST_Y = -4.0, 0.5
"""The range of y in which the law holds: it cannot follow the steps of the boundary."""

_SPREADING = [
    term for term in GROWTH_TERMS[1:] if term.exponent > -1.1 and term.exponent != -0.5
]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AsymptoticValue(Result, Generic[Real]):
    """Values of decks by the law of growth, with their errors.

    Made by :func:`asymptotic_value`; ``float(...)`` returns the value of a single deck.

    Attributes
    ----------
    cards : float or ndarray of float64, read-only
        Half of each deck, l.
    value : float or ndarray of float64, read-only
        The value by the law of growth.
    error : float or ndarray of float64, read-only
        The largest distance of the exact value from `value`; tested, and proved only
        for balanced decks with l from 1e19 on.
    excess : int
        Black cards less red ones; 0 in balanced decks.

    Examples
    --------
    >>> from cardgames_dp import fitting, redblack
    >>> deck = fitting.asymptotic_value(1000)
    >>> abs(deck.value - redblack.value(1000, 1000)) <= deck.error
    True
    >>> decks = fitting.asymptotic_value([10**6, 10**9])
    >>> (decks.value / decks.cards**0.5).round(6).tolist()
    [0.522034, 0.522038]
    """

    cards: Real
    value: Real
    error: Real
    excess: int = 0

    def __float__(self) -> float:
        if isinstance(self.value, np.ndarray):
            raise TypeError(
                f"only the value of a single deck is a float, not {len(self.value)} "
                "values; use the array in the attribute value"
            )
        return self.value

    def _table(self) -> Table:
        columns = np.atleast_2d(np.transpose([self.cards, self.value, self.error]))
        rows = [(f"{l_:.10g}", f"{x:.12g}", f"{e:.2g}") for l_, x, e in columns]
        notes = ["V(l) within ± error"]
        if self.excess:
            notes.append(f"black - red = {self.excess}")
        return Table(["l", "V(l)", "error"], rows, notes, "Values by the law of growth")

    def _columns(self) -> tuple[dict[str, Any], dict[str, Any]]:
        cards, value, error = np.atleast_1d(self.cards, self.value, self.error)
        return {"cards": cards}, {"value": value, "error": error}


@overload
def asymptotic_value(
    red: float, black: SupportsIndex | None = None
) -> AsymptoticValue[float]: ...
@overload
def asymptotic_value(red: Numbers) -> AsymptoticValue[NDArray[np.float64]]: ...
@suggest_arguments
def asymptotic_value(
    red: float | Numbers, black: SupportsIndex | None = None
) -> AsymptoticValue[float] | AsymptoticValue[NDArray[np.float64]]:
    """Return the values of large decks by the law of growth, with their errors.

    It takes microseconds, however large the deck is. From about ten million cards of
    each colour on, it is more accurate than the staircase.

    Grade: estimated, with the error that comes with it; certified for balanced decks
    from l = 1e19 on.

    Parameters
    ----------
    red : number, or iterable of numbers
        The red cards of each deck, l, from 1000 to 1e30: a number of any type, not
        necessarily whole, because the law is smooth. With `black`, an integer.
    black : int, optional
        The black cards; as many as red ones if not given. There must be 2000 to 1e30
        cards in all, and ``black - red`` must be from -4 to 0.5 times the square root
        of their sum. With more black cards the deck is close to the boundary at 0.84,
        whose steps no smooth law can follow.

    Returns
    -------
    AsymptoticValue
        Floats for a single number, arrays otherwise.

    Notes
    -----
    The stated error of a balanced deck is ``0.1 l**-(7/4) + 1e-11 l**-lambda`` and four
    units of rounding.

    The first part allows for what the law leaves out. The thresholds are whole numbers
    of cards; their remainders behave like random numbers, and their effect on the value
    adds up to about ``l**-(7/4)``, which no smooth law can follow. Up to l = 3000 the
    steps also show as a wave, of 2e-7 at l = 1000. Among all decks with l from 1000 to
    100,000 no error exceeds 0.0462 ``l**-(7/4)``, that of l = 1023, and from 3000 on
    none exceeds 0.0226 of it. The second part allows for ten times the uncertainty of
    A. So the error decreases to 5e-12 at l = 10**8, where rounding dominates: the first
    term is exact. From 10**19 on, rounding also exceeds the width of the proved bounds
    of :func:`cardgames_dp.redblack.enclosure`, so that the stated error is certified.

    The fitted terms come from 3230 decks with l from 1279 to 3 * 10**7, of which the
    difference from the bound of Theorem 1 was computed itself, to 1e-14 of it. Those
    above, and others up to 10**10, were held out.

    For unequal colours it is ``2 N**-1.23`` plus eight units of rounding, for N cards.
    Among the decks tested, of 2000 to 10**6 cards, no error exceeds 0.6 of the first
    part. Under other rules, by which a red card gains g and a black card costs c, the
    value of a deck with ``s = c B - g R`` of the order of sqrt(N) is about
    ``f sqrt(N) F(y) - s``, with ``f = sqrt(g c)`` and ``y = s / (f sqrt(N))``: a bridge
    whose steps have variance g c. The next term is bounded (the cards then have a
    skewness) and not part of this law.

    References
    ----------
    L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
    Mathematical Statistics 40 (1969), 993-1010, for the first term. The page "The law
    of growth" derives the other terms, which are this project's own.

    Examples
    --------
    >>> from cardgames_dp import fitting, redblack
    >>> deck = fitting.asymptotic_value(133_787_000)
    >>> f"{float(deck):.9f}", f"{deck.error:.0e}"
    ('6038.216882591', '5e-12')
    >>> fitting.asymptotic_value([10**4, 10**8, 10**12]).value.round(6).tolist()
    [52.192206, 5220.375315, 522037.675815]

    With 500,001 red and 500,000 black cards:

    >>> deck = fitting.asymptotic_value(500_001, 500_000)
    >>> f"{float(deck):.7f}"
    '369.8373691'
    >>> abs(deck.value - redblack.value(500_001, 500_000)) <= deck.error
    True
    """
    if black is not None:
        red, black = arguments.integer("red", red), arguments.integer("black", black)
        if red != black:
            return _unequal(red, black)
    sizes = arguments.float_or_floats_in("red", red, _SIZES)
    # Smallest terms first, so that the sum is rounded about once.
    value = np.zeros_like(sizes)
    for term in reversed(GROWTH_TERMS[1:]):
        value += term.coefficient * sizes**term.exponent
    value += _C * np.sqrt(sizes)
    error = 0.1 * sizes**-1.75 + 1e-11 * sizes**-LAMBDA + 2.0**-50 * value
    if arguments.is_single(red):
        return AsymptoticValue(sizes.item(), value.item(), error.item())
    return AsymptoticValue(sizes, value, error)


def _unequal(red: int, black: int) -> AsymptoticValue[float]:
    """Return the value of a deck of unequal colours."""
    cards, excess = red + black, black - red
    if not _FEWEST <= cards <= _MOST:
        raise ValueError(
            f"red and black must be {_FEWEST} to 1e30 cards in all, got "
            f"{arguments.shown(cards)}; use redblack.value(...) for fewer"
        )
    root = math.sqrt(cards)
    y = excess / root
    if not _LEAST_Y <= y <= _MOST_Y:
        raise ValueError(
            f"black - red must be from {_LEAST_Y:g} to {_MOST_Y:g} times the root of "
            f"red + black, got {arguments.shown(excess)} with {arguments.shown(cards)} "
            "cards; use redblack.value(...)"
        )
    bridge = math.sqrt(math.pi / 2) * (1 - ALPHA**2)
    bridge *= float(scipy.special.erfcx(-y / math.sqrt(2)))
    total = _lattice(y, bridge) / root
    for term in _SPREADING:
        spread = _disturbance(-term.exponent, y) / _disturbance(-term.exponent, 0.0)
        total += term.coefficient * (cards / 2) ** term.exponent * spread
    value = root * bridge - excess + total
    size = max(root * bridge, float(abs(excess)))
    error = 2 * cards**-1.23 + 2.0**-50 * size
    return AsymptoticValue(cards / 2, value, error, excess)


def _lattice(y: float, bridge: float) -> float:
    """Return G."""
    square = ALPHA**2
    third, fourth = y**3 - 3 * y, y**4 - 6 * y**2 + 3
    return ((1 - square) * third + bridge * fourth + (2 * square - 1) * y) / 12


def _disturbance(exponent: float, y: float) -> float:
    """Return H."""
    value, _ = scipy.special.pbdv(2 * exponent, -y)
    return math.exp(y * y / 4) * float(value)
