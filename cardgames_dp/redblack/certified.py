"""Values of red/black between certified bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cardgames_dp import _checks
from cardgames_dp._records import Record, plain
from cardgames_dp.redblack import marginal
from cardgames_dp.redblack.methods import Method, chosen
from cardgames_dp.redblack.rules import Rules
from cardgames_dp.redblack.staircase.ascent import Deck, ascend
from cardgames_dp.redblack.sweep import Sweep
from cardgames_dp.redblack.valuation import (
    Checkpoint,
    refuse_checkpoint_without_staircase,
)


@dataclass(frozen=True, slots=True)
class Enclosure(Record):
    """An interval that is certain to contain the exact value; made by `enclosure`.

    ``lower, upper = bounds`` takes it apart, and ``float(bounds)`` is its middle.

    Attributes
    ----------
    lower, upper : float
        Its ends, which belong to it, in the unit of the rules' amounts.
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

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all attributes by name, with `width` and `midpoint`.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it, which is so anyway.
        """
        derived = {"width": self.width, "midpoint": self.midpoint}
        return {**plain(self, json=json), **derived}

    def __iter__(self) -> Iterator[float]:
        return iter((self.lower, self.upper))

    def __float__(self) -> float:
        return self.midpoint

    def __contains__(self, number: Fraction | float) -> bool:
        return self.lower <= number <= self.upper


def enclosure(
    red: int,
    black: int,
    *,
    rules: Rules | None = None,
    method: Method = "auto",
    progress: bool = False,
    checkpoint: Checkpoint = None,
) -> Enclosure:
    """Return certified lower and upper bounds of the value, computed in float64.

    Grade: certified.

    Parameters
    ----------
    red, black : int
        Cards of each colour in the deck.
    rules : Rules, optional
        Without a utility, whose own rounding nobody could certify.
    method, progress, checkpoint
        As for :func:`value`.

    Returns
    -------
    Enclosure
        The exact value lies within. For a balanced deck of l + l cards the relative
        width is about ``4.4e-16 l`` by the diagonal; by the staircase 5e-12 at 10,000,
        4e-10 at 133,787,000.

    Raises
    ------
    TypeError, ValueError, TooLargeError, ModuleNotFoundError
        As for :func:`value`; also if `rules` has a utility.
    ArithmeticError
        If the staircase finds the library's sine transform less accurate than they are
        known to be, or a deck too large for float64 to tell anything of its boundary.

    Notes
    -----
    The diagonal has two errors. Rounding: every number of the sweep is a sum, product
    or maximum of non-negative ones, so its relative error after m roundings is at most
    ``(1 + u)**m - 1``. The band: the sweep finds the best that a player can do who
    counts only the paths inside it; the others have a total probability of at most
    ``2**-63`` and could not bring more than ``(lose + fee) black``.

    The staircase computes what the policy of its own thresholds is worth, whatever they
    are: a lower bound but for the rounding of its transforms, which is bounded in the
    norm. Where the comparisons at a threshold are too close to be certain, what the
    best player could gain there is added to the upper bound. The page "How the
    staircase works" derives it all.

    The interval is then rounded outwards.

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
    rules = _checks.rules(rules, Rules)
    progress = _checks.boolean("progress", progress)
    if rules.utility is not None:
        raise ValueError(
            "rules must be without a utility, whose rounding cannot be certified; use "
            "value(..., backend='exact')"
        )
    deck = Deck(red, black)
    method = chosen(method, rules, [deck])
    refuse_checkpoint_without_staircase(checkpoint, method)
    lower = upper = marginal.closed_form(rules, red, black)
    if (lower is None or upper is None) and method == "staircase":
        found = ascend([deck], audited=True, progress=progress, checkpoint=checkpoint)
        lower = rules.gain * max(Fraction(found.lower[0]) - deck.excess, Fraction(0))
        upper = rules.gain * (Fraction(found.upper[0]) - deck.excess)
    if lower is None or upper is None:
        sweep = Sweep.of(rules, red, black, exact=False)
        best = marginal.best_reward(sweep, progress=progress)
        error, omitted = sweep.error, sweep.omitted
        lower = max(marginal.of_best(sweep, best / (1 + error) - omitted), Fraction(0))
        upper = marginal.of_best(sweep, best / (1 - error) + omitted)
    return Enclosure(_rounded(lower, -math.inf), _rounded(upper, math.inf), method)


def _rounded(exact: Fraction, towards: float) -> float:
    """Return a float64 next to an exact number, on the side of `towards` or equal."""
    nearest = _checks.as_float(exact)
    wrong_side = nearest > exact if towards < 0 else nearest < exact
    return math.nextafter(nearest, towards) if wrong_side else nearest
