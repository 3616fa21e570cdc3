"""Values of red/black between certified bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from cardgames_dp import _checks
from cardgames_dp.redblack import marginal
from cardgames_dp.redblack.rules import Rules, checked
from cardgames_dp.redblack.sweep import Sweep
from cardgames_dp.redblack.valuation import METHODS, Method


@dataclass(frozen=True, slots=True)
class Enclosure:
    """An interval that is certain to contain the exact value.

    Attributes
    ----------
    lower, upper : float
    method : str
        The algorithm that found it.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> bounds = redblack.enclosure(26, 26)
    >>> redblack.value(26, 26, backend="exact") in bounds
    True
    """

    lower: float
    upper: float
    method: str

    @property
    def width(self) -> float:
        """``upper - lower``."""
        return self.upper - self.lower

    @property
    def midpoint(self) -> float:
        """The middle of the interval, as a float."""
        return self.lower + (self.upper - self.lower) / 2

    def __contains__(self, number: Fraction | float) -> bool:
        return self.lower <= number <= self.upper


def enclosure(
    red: int, black: int, *, rules: Rules | None = None, method: Method = "auto"
) -> Enclosure:
    """Return certified lower and upper bounds of the value, by float64 sweeps.

    Parameters
    ----------
    red, black : int
        Cards of each colour in the deck.
    rules : Rules, optional
        Without a utility, whose own rounding nobody could certify.
    method : {"auto", "diagonal"}

    Returns
    -------
    Enclosure
        The exact value lies within. For a balanced deck of l + l cards the relative
        width is about ``4.4e-16 l``.

    Raises
    ------
    TypeError, ValueError, TooLargeError
        As for :func:`value`; also if `rules` has a utility.

    Notes
    -----
    Two errors are bounded. Rounding: every number of the sweep is a sum, product or
    maximum of non-negative ones, so its relative error after m roundings is at most
    ``(1 + u)**m - 1``. The band: the sweep finds the best that a player can do who
    counts only the paths inside it; the others have a total probability of at most
    ``2**-63`` and could not bring more than ``(lose + fee) black``. The interval is
    then rounded outwards.

    References
    ----------
    N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., lemma 3.1;
    the tails are in `cardgames_dp.redblack.sweep`.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.enclosure(1000, 1000).width < 1e-11
    True
    """
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    rules = checked(rules)
    if _checks.choice("method", method, METHODS) == "auto":
        method = "diagonal"
    if rules.utility is not None:
        raise ValueError(
            "rules must be without a utility, whose rounding cannot be certified; use "
            "value(..., backend='exact')"
        )
    lower = upper = marginal.closed_form(rules, red, black)
    if lower is None or upper is None:
        sweep = Sweep.of(rules, red, black, exact=False)
        best, error, omitted = marginal.best_reward(sweep), sweep.error, sweep.omitted
        lower = max(marginal.of_best(sweep, best / (1 + error) - omitted), Fraction(0))
        upper = marginal.of_best(sweep, best / (1 - error) + omitted)
    return Enclosure(_rounded(lower, -math.inf), _rounded(upper, math.inf), method)


def _rounded(exact: Fraction, towards: float) -> float:
    """Return a float64 next to an exact number, on the side of `towards` or equal."""
    nearest = _checks.as_float(exact)
    wrong_side = nearest > exact if towards < 0 else nearest < exact
    return math.nextafter(nearest, towards) if wrong_side else nearest
