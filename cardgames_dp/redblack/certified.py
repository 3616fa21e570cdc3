"""Values of red/black between certified bounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsIndex

from cardgames_dp import _checks
from cardgames_dp._extras import require
from cardgames_dp._records import Record, plain
from cardgames_dp.redblack._kernels import accuracy, marginal
from cardgames_dp.redblack._kernels.accuracy import Means
from cardgames_dp.redblack._kernels.methods import Method, chosen
from cardgames_dp.redblack._kernels.staircase.ascent import Deck, ascend
from cardgames_dp.redblack._kernels.stakes import as_float
from cardgames_dp.redblack._kernels.sweep import Sweep
from cardgames_dp.redblack.rules import Rules
from cardgames_dp.redblack.valuation import (
    Checkpoint,
    refuse_checkpoint_without_staircase,
    value,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Enclosure(Record):
    """An interval that is certain to contain the exact value; made by `enclosure`.

    ``lower, upper = bounds`` takes it apart, and ``float(bounds)`` is its middle.

    Attributes
    ----------
    lower, upper : float
        Its ends, which belong to it, in the unit of the rules' amounts.
    method : str
        The algorithm that found it: "diagonal", "staircase", or "exact" where exact
        numbers were rounded to the next floats.

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

    @property
    def digits(self) -> int:
        """How many significant digits are certain: ``width <= 10**-digits * lower``.

        At most 15, which is what a float64 has; none if `lower` is 0, unless `upper` is
        as well.
        """
        for digits in range(accuracy.MOST_DIGITS, 0, -1):
            if self.width * 10.0**digits <= self.lower:
                return digits
        return 0

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all attributes by name, with `width`, `midpoint` and `digits`.

        Parameters
        ----------
        json : bool, default False
            Whether only what JSON has may be in it, which is so anyway.
        """
        derived = {
            "width": self.width,
            "midpoint": self.midpoint,
            "digits": self.digits,
        }
        return {**plain(self, json=json), **derived}

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row: the content of `to_dict`.

        Those of many decks make a table: ``pandas.concat`` of them.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed.
        """
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        frame: pd.DataFrame = pandas.DataFrame([self.to_dict()])
        return frame

    def __iter__(self) -> Iterator[float]:
        return iter((self.lower, self.upper))

    def __float__(self) -> float:
        return self.midpoint

    def __contains__(self, number: Fraction | float) -> bool:
        return self.lower <= _checks.real("number", number) <= self.upper


def enclosure(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    digits: SupportsIndex | None = None,
    rules: Rules | None = None,
    method: Method = "auto",
    progress: bool = False,
    checkpoint: Checkpoint = None,
) -> Enclosure:
    """Return certified lower and upper bounds of the value.

    Grade: certified.

    Parameters
    ----------
    red, black : int
        Cards of each colour in the deck.
    digits : int, optional
        How many significant digits shall be certain, 1 to 15: the width is then at most
        ``10**-digits`` of the value. As many as float64 gives if not given. For more,
        the staircase takes the longer floats of this machine, four to ten times slower,
        and small decks are solved exactly.
    rules : Rules, optional
        Without a utility, whose own rounding nobody could certify.
    method, progress, checkpoint
        As for :func:`value`.

    Returns
    -------
    Enclosure
        The exact value lies within. For a balanced deck of l + l cards the relative
        width is about ``4.4e-16 l`` by the diagonal; by the staircase 5e-12 at 10,000,
        6e-11 at 10 million, and in longer floats 2000 times less: twelve digits and
        more up to a thousand million cards.

    Raises
    ------
    TypeError, ValueError, TooLargeError, ModuleNotFoundError
        As for :func:`value`; also if `rules` has a utility, or `digits` are more than
        can be had for this deck, which the message says; no work was done then.
    ArithmeticError
        If a function of a library is found less accurate than it is known to be, and
        nothing can be certified; if the boundary of a very large deck cannot be told.

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
    staircase works" proves it all, but for one assumption: that SciPy's transforms,
    and the elementary functions, are as accurate as their algorithms are known to be.
    It is tried out on the way, on every length of a transform.

    The interval is then rounded outwards.

    References
    ----------
    N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., lemma 3.1;
    the tails are in `cardgames_dp.redblack._kernels.sweep`.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.enclosure(1000, 1000).width < 1e-11
    True
    >>> bounds = redblack.enclosure(5000, 5000, digits=13)
    >>> bounds.width <= 1e-13 * bounds.lower
    True
    """
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    decks = [Deck(red, black)]
    return _enclosed(decks, digits, rules, method, progress, checkpoint)[0]


def enclosures(
    sizes: Iterable[SupportsIndex],
    *,
    digits: SupportsIndex | None = None,
    rules: Rules | None = None,
    method: Method = "auto",
    progress: bool = False,
    checkpoint: Checkpoint = None,
) -> tuple[Enclosure, ...]:
    """Return certified bounds of the values of many balanced decks.

    The staircase passes all of them on its way to the largest; the diagonal sweeps once
    for each.

    Grade: certified.

    Parameters
    ----------
    sizes : iterable of int
        The sizes l of decks of l red and l black cards, in any order.
    digits, rules, method, progress, checkpoint
        As for :func:`enclosure`; the digits are those of every deck.

    Returns
    -------
    tuple of Enclosure
        ``enclosures(sizes)[i]`` is that of ``sizes[i]`` red and as many black cards.

    Raises
    ------
    TypeError, ValueError, ArithmeticError, TooLargeError, ModuleNotFoundError
        As for :func:`enclosure`.

    References
    ----------
    As for :func:`enclosure`.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> for bounds in redblack.enclosures([3000, 30_000], digits=12):
    ...     print(f"{bounds.midpoint:.12g}")
    28.5782250842
    90.4104841506
    """
    asked = _checks.integers("sizes", sizes)
    balanced = [Deck(size, size) for size in sorted(set(asked))]
    found = _enclosed(balanced, digits, rules, method, progress, checkpoint)
    of_size = {deck.red: bounds for deck, bounds in zip(balanced, found, strict=True)}
    return tuple(of_size[size] for size in asked)


def _enclosed(
    decks: list[Deck],
    digits: object,
    rules: object,
    method: object,
    progress: object,
    checkpoint: Checkpoint,
) -> list[Enclosure]:
    """Return the bounds of one deck, or of balanced ones of increasing sizes."""
    of = _checks.rules(rules, Rules)
    shown = _checks.boolean("progress", progress)
    if of.utility is not None:
        raise ValueError(
            "rules must be without a utility, whose rounding cannot be certified; use "
            "value(..., backend='exact')"
        )
    closed = {d: marginal.closed_form(of, d.red, d.black) for d in decks}
    solved = [deck for deck in decks if closed[deck] is None]
    named = chosen(method, of, solved)
    refuse_checkpoint_without_staircase(checkpoint, named)
    found = {
        deck: _between(known, known, named)
        for deck, known in closed.items()
        if known is not None
    }
    wanted = None if digits is None else accuracy.checked(digits)
    ways = accuracy.means(
        of,
        solved,
        named,
        method == "auto",
        wanted,
        lambda deck: value(deck.red, deck.black, rules=of, progress=shown),
    )
    while not all(
        deck in found and found[deck].digits >= (wanted or 0) for deck in decks
    ):
        if (means := next(ways, None)) is None:
            raise ArithmeticError(
                f"digits={wanted} were expected, but the bounds found are too wide"
            )
        found |= _found(of, solved, means, shown, checkpoint)
    return [found[deck] for deck in decks]


def _found(
    rules: Rules,
    decks: list[Deck],
    means: Means,
    progress: bool,
    checkpoint: Checkpoint,
) -> dict[Deck, Enclosure]:
    """Return the bounds that some means give."""
    if means.method == "staircase":
        climb = ascend(
            decks,
            audited=True,
            extended=means.numbers == "extended",
            progress=progress,
            checkpoint=checkpoint,
        )
        return {
            deck: _between(
                rules.gain * max(lower - deck.excess, Fraction(0)),
                rules.gain * (upper - deck.excess),
                means.method,
            )
            for deck, lower, upper in zip(decks, climb.lower, climb.upper, strict=True)
        }
    found = {}
    for deck in decks:
        exact = means.numbers == "exact"
        sweep = Sweep.of(rules, deck.red, deck.black, exact=exact, progress=progress)
        best = marginal.best_reward(sweep, progress=progress)
        error, omitted = (0, 0) if exact else (sweep.error, sweep.omitted)
        lower = marginal.of_best(sweep, best / (1 + error) - omitted)
        upper = marginal.of_best(sweep, best / (1 - error) + omitted)
        name = "exact" if exact else means.method
        found[deck] = _between(max(lower, Fraction(0)), upper, name)
    return found


def _between(lower: Fraction, upper: Fraction, method: str) -> Enclosure:
    """Return the interval between two exact numbers, rounded outwards."""
    return Enclosure(_rounded(lower, -math.inf), _rounded(upper, math.inf), method)


def _rounded(exact: Fraction, towards: float) -> float:
    """Return a float64 next to an exact number, on the side of `towards` or equal."""
    nearest = as_float(exact)
    wrong_side = nearest > exact if towards < 0 else nearest < exact
    return math.nextafter(nearest, towards) if wrong_side else nearest
