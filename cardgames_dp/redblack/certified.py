"""Certified bounds of the values of red/black."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsIndex

from cardgames_dp import _checks
from cardgames_dp._extras import require
from cardgames_dp._records import Record, plain
from cardgames_dp.redblack._kernels import accuracy, limits, marginal
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

    ``lower, upper = bounds`` unpacks the two ends; ``float(bounds)`` is the midpoint.

    Attributes
    ----------
    lower, upper : float
        The ends, which belong to the interval, in the unit of the rules' amounts.
    method : str
        The algorithm that found the interval: "diagonal", "staircase", or "exact" if
        exact numbers were rounded to the next floats.

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
        """The width of the interval, ``upper - lower``."""
        return self.upper - self.lower

    @property
    def midpoint(self) -> float:
        """The middle of the interval, as a float."""
        return self.lower + (self.upper - self.lower) / 2

    @property
    def digits(self) -> int:
        """The number of certain significant digits: ``width <= 10**-digits * lower``.

        At most 15, which is what float64 has; 0 if `lower` is 0, unless `upper` is 0 as
        well.
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
            Without effect: all types are ones that JSON has.
        """
        derived = {
            "width": self.width,
            "midpoint": self.midpoint,
            "digits": self.digits,
        }
        return {**plain(self, json=json), **derived}

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row: the content of `to_dict`.

        ``pandas.concat`` joins the rows of many decks into a table.

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
    """Return certified lower and upper bounds of the value of a deck.

    Grade: certified.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the deck.
    digits : int, optional
        The number of significant digits that must be certain, from 1 to 15: the width
        of the interval is then at most ``10**-digits`` of the value. If not given, as
        many as float64 gives. If more are needed, the staircase computes with the
        longer floats of this machine, four to ten times slower, and small decks are
        solved exactly.
    rules : Rules, optional
        Rules without a utility, because the rounding errors of a utility cannot be
        bounded. The classic rules if not given.
    method, progress, checkpoint
        As for :func:`value`.

    Returns
    -------
    Enclosure
        An interval that contains the exact value. For a balanced deck of l + l cards
        its relative width is about ``4.4e-16 l`` by the diagonal. By the staircase it
        is 5e-12 at l = 10,000 and 6e-11 at 10 million, and 2000 times less with longer
        floats: twelve digits and more up to a billion cards.

    Raises
    ------
    TypeError, ValueError, TooLargeError, ModuleNotFoundError
        As for :func:`value`; also if `rules` has a utility, or if `digits` is more than
        can be certified for this deck. The message then says how many can, and no work
        has been done.
    ArithmeticError
        If a library function is found to be less accurate than assumed, so that nothing
        can be certified; if the boundary of a very large deck cannot be decided.

    Notes
    -----
    The diagonal has two errors. Rounding: each number of the sweep is a sum, product or
    maximum of non-negative numbers, so its relative error after m roundings is at most
    ``(1 + u)**m - 1``. The band: the sweep finds the best that a player can do who
    counts only the paths inside the band. The other paths have a total probability of
    at most ``2**-63`` and could not add more than ``(lose + fee) black``.

    The staircase computes the value of the policy that its own thresholds define,
    whatever they are. This is a lower bound, except for the rounding of its transforms,
    which is bounded in the Euclidean norm. Where the comparisons at a threshold are too
    close to be certain, the gain that an optimal player could make there is added to
    the upper bound. The page "How the staircase works" proves all this under one
    assumption: that SciPy's transforms, and the elementary functions, are as accurate
    as their algorithms are known to be. The climb tests this assumption for each length
    of a transform, and computes some of its cells a second time in another way.

    Finally, the interval is rounded outwards.

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

    One climb of the staircase serves all decks; the diagonal sweeps once for each deck.

    Grade: certified.

    Parameters
    ----------
    sizes : iterable of int
        The sizes l of decks of l red and l black cards, in any order.
    digits, rules, method, progress, checkpoint
        As for :func:`enclosure`; `digits` applies to each deck.

    Returns
    -------
    tuple of Enclosure
        ``enclosures(sizes)[i]`` belongs to the deck of ``sizes[i]`` red and
        ``sizes[i]`` black cards.

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
    closed = marginal.closed_forms(of, decks)
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
    """Return the bounds that an algorithm gives."""
    if means.method == "staircase":
        last, extended = decks[-1], means.numbers == "extended"
        limits.refuse_audited_climb(
            last.red, last.black, extended=extended, progress=progress
        )
        climb = ascend(
            decks,
            audited=True,
            extended=extended,
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
    """Return the exact number as a float64, rounded in the direction of `towards`."""
    nearest = as_float(exact)
    wrong_side = nearest > exact if towards < 0 else nearest < exact
    return math.nextafter(nearest, towards) if wrong_side else nearest
