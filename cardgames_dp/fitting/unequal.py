r"""The law of growth for decks with more cards of one colour than of the other.

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

The page "The law of growth" derives it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, SupportsIndex

import scipy  # its parts are loaded when they are used

from cardgames_dp import _checks
from cardgames_dp._boundary_law import ALPHA
from cardgames_dp._records import Record, plain
from cardgames_dp.fitting.growth import GROWTH_TERMS

_FEWEST, _MOST = 2000, 10**30
_LEAST_Y, _MOST_Y = -4.0, 0.5
"""The range of y in which the law holds: it cannot follow the steps of the boundary."""

_SPREADING = [
    term for term in GROWTH_TERMS[1:] if term.exponent > -1.1 and term.exponent != -0.5
]


@dataclass(frozen=True, slots=True)
class AsymptoticDeck(Record):
    """The value of a deck by the law of growth, with its error.

    Made by :func:`asymptotic_deck`; ``float(...)`` returns the value.

    Attributes
    ----------
    red, black : int
        Numbers of red and black cards in the deck.
    value : float
        The value by the law of growth.
    error : float
        The largest distance of the exact value from `value`; tested, not proved.

    Examples
    --------
    >>> from cardgames_dp import fitting, redblack
    >>> deck = fitting.asymptotic_deck(5100, 4900)
    >>> deck.lower <= redblack.value(5100, 4900) <= deck.upper
    True
    """

    red: int
    black: int
    value: float
    error: float

    @property
    def lower(self) -> float:
        """The lower bound, ``value - error``."""
        return self.value - self.error

    @property
    def upper(self) -> float:
        """The upper bound, ``value + error``."""
        return self.value + self.error

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields and the two bounds by name.

        Parameters
        ----------
        json : bool, default False
            Without effect: all types are ones that JSON has.
        """
        return {**plain(self, json=json), "lower": self.lower, "upper": self.upper}

    def __float__(self) -> float:
        return self.value


def asymptotic_deck(red: SupportsIndex, black: SupportsIndex) -> AsymptoticDeck:
    """Return the value of a large deck of unequal colours by the law of growth.

    Grade: estimated, with the error that comes with it.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards, 2000 to 1e30 in all. ``black - red`` must be
        from -4 to 0.5 times the square root of their sum. With more black cards the
        deck is close to the boundary at 0.84, whose steps no smooth law can follow.

    Returns
    -------
    AsymptoticDeck
        The value, with its error.

    Raises
    ------
    TypeError, ValueError
        If the deck is not as described above; :func:`cardgames_dp.redblack.value`
        accepts all decks.

    Notes
    -----
    The stated error is ``2 N**-1.23`` plus eight units of rounding, for N cards. Among
    the decks tested, of 2000 to 10**6 cards, no error exceeds 0.6 of the first part.
    For balanced decks :func:`asymptotic_value` has more terms.

    Under other rules, by which a red card gains g and a black card costs c, the value
    of a deck with ``s = c B - g R`` of the order of sqrt(N) is about
    ``f sqrt(N) F(y) - s``, with ``f = sqrt(g c)`` and ``y = s / (f sqrt(N))``: a bridge
    whose steps have variance g c. The next term is bounded (the cards then have a
    skewness) and not part of this law.

    References
    ----------
    L. A. Shepp, "Explicit solutions to some problems of optimal stopping", Annals of
    Mathematical Statistics 40 (1969), 993-1010, for F. The page "The law of growth"
    derives the rest, which is this project's own.

    Examples
    --------
    With 500,001 red and 500,000 black cards:

    >>> from cardgames_dp import fitting, redblack
    >>> f"{float(fitting.asymptotic_deck(500_001, 500_000)):.7f}"
    '369.8373691'
    >>> f"{redblack.value(500_001, 500_000):.7f}"
    '369.8373691'
    """
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    cards, excess = red + black, black - red
    if not _FEWEST <= cards <= _MOST:
        raise ValueError(
            f"red and black must be {_FEWEST} to 1e30 cards in all, got "
            f"{_checks.shown(cards)}; use redblack.value(...) for fewer"
        )
    root = math.sqrt(cards)
    y = excess / root
    if not _LEAST_Y <= y <= _MOST_Y:
        raise ValueError(
            f"black - red must be from {_LEAST_Y:g} to {_MOST_Y:g} times the root of "
            f"red + black, got {_checks.shown(excess)} with {_checks.shown(cards)} "
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
    return AsymptoticDeck(red, black, value, 2 * cards**-1.23 + 2.0**-50 * size)


def _lattice(y: float, bridge: float) -> float:
    """Return G."""
    square = ALPHA**2
    third, fourth = y**3 - 3 * y, y**4 - 6 * y**2 + 3
    return ((1 - square) * third + bridge * fourth + (2 * square - 1) * y) / 12


def _disturbance(exponent: float, y: float) -> float:
    """Return H."""
    found, _ = scipy.special.pbdv(2 * exponent, -y)
    return math.exp(y * y / 4) * float(found)
