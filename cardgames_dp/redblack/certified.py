"""Certified bounds of values: computed, and published with the package.

No function reads the published values and thresholds, which have a provenance: `value`,
`enclosure` and `thresholds` compute their results.

Before any work it is known which algorithm and numbers give the digits that are asked
for. The widths of bounds can be predicted: those of the diagonal from its error bound,
which is known before it starts; those of the staircase because its account of errors
grows in a known way with the deck. So digits that cannot be reached are refused at
once, with the number that can.
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from typing import (
    Any,
    Generic,
    Literal,
    SupportsIndex,
    TypeAlias,
    TypedDict,
    TypeVar,
    Unpack,
    overload,
)

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results import tables
from cardgames_dp._results.records import Result
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Count, Counts
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.redblack import valuation
from cardgames_dp.redblack._kernels import large_decks, methods
from cardgames_dp.redblack._kernels.methods import METHODS, Method, chosen
from cardgames_dp.redblack._kernels.staircase import climb
from cardgames_dp.redblack._kernels.staircase.climb import Deck
from cardgames_dp.redblack._kernels.staircase.walks import has_extended
from cardgames_dp.redblack._kernels.sweep import MOST_SWEPT, Sweep
from cardgames_dp.redblack.boundaries import Thresholds
from cardgames_dp.redblack.rules import Problem, Rules, as_float
from cardgames_dp.redblack.valuation import Checkpoint, decks_of, group_decks

Ends = TypeVar("Ends", bound=float | NDArray[np.float64])


_MOST_SHOWN = 8
"""The most ends of intervals that are printed."""

_FLOAT_DIGITS = 15
"""Significant digits of a float64 that are certain, after one rounding outwards."""

_MOST_EXACT = 10**8
"""States of a deck that is solved exactly for its digits: about ten seconds of work."""

_OUTWARDS = 2.0**-52
"""The relative width that remains when exact bounds are rounded to float64."""

_Algorithm: TypeAlias = Literal["diagonal", "staircase", "extended", "exact"]
"""An algorithm in float64, the staircase in longer floats, or a sweep in integers."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Enclosure(Result, Generic[Ends]):
    """Intervals that are certain to contain the exact values; made by `enclosure`.

    ``lower, upper = bounds`` unpacks the two ends; ``float(bounds)`` is the midpoint of
    a single interval. ``numbers in bounds`` tells whether each number is in its
    interval.

    Attributes
    ----------
    lower, upper : float, or ndarray of float64
        The ends, which belong to the interval, in the unit of the rules' amounts.
    method : str, or ndarray of str
        The algorithm that found the interval: "diagonal", "staircase", or "exact" if
        exact numbers were rounded to the next floats; "theorem" if it was a proved
        formula.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> bounds = redblack.enclosure(26, 26)
    >>> redblack.value(26, 26, backend="exact") in bounds
    True
    """

    lower: Ends
    upper: Ends
    method: Any

    @property
    def width(self) -> Ends:
        """The width of the interval, ``upper - lower``."""
        ends: Any = self
        width: Ends = ends.upper - ends.lower
        return width

    @property
    def midpoint(self) -> Ends:
        """The middle of the interval, as a float."""
        ends: Any = self
        middle: Ends = ends.lower + ends.width / 2
        return middle

    @property
    def digits(self) -> Any:
        """The number of certain significant digits: ``width <= 10**-digits * lower``.

        At most 15, which is what float64 has; 0 if `lower` is 0, unless `upper` is 0 as
        well. An int, or an array of them.
        """
        numbers = range(1, _FLOAT_DIGITS + 1)
        return sum(1 * (self.width * 10.0**number <= self.lower) for number in numbers)

    _derived = ("width", "midpoint", "digits")

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        columns = {name: np.ravel(fact) for name, fact in self.to_dict().items()}
        return None, {name: column.tolist() for name, column in columns.items()}

    def __repr__(self) -> str:
        # In full, as a rounded end might exclude the value.
        parts = [f"{name}={_in_full(end)}" for name, end in self.to_dict().items()][:3]
        return f"Enclosure({', '.join(parts)})"

    def __iter__(self) -> Iterator[Ends]:
        return iter((self.lower, self.upper))

    def __float__(self) -> float:
        return float(self.midpoint)

    def __contains__(self, numbers: Any) -> bool:
        amounts = np.array(numbers, dtype=object)
        for at in np.ndindex(amounts.shape):
            amounts[at] = arguments.real("number", amounts[at])
        # As objects, because Fractions are compared with floats exactly.
        lower, upper = (np.array(end, dtype=object) for end in self)
        return bool(np.all(lower <= amounts) and np.all(amounts <= upper))


def _in_full(ends: object) -> str:
    """Return a number, or the first of some numbers, with all digits."""
    if not isinstance(ends, list):
        return repr(ends)
    more = ", ..." * (len(ends) > _MOST_SHOWN)
    return f"[{', '.join(map(_in_full, ends[:_MOST_SHOWN]))}{more}]"


class _Options(TypedDict, total=False):
    """What does not change the type of an enclosure."""

    digits: SupportsIndex | None
    rules: Rules | None
    method: Method
    checkpoint: Checkpoint


@overload
def enclosure(  # type: ignore[overload-overlap]
    red: Count, black: Count, **how: Unpack[_Options]
) -> Enclosure[float]: ...
@overload
def enclosure(
    red: Counts, black: Counts, **how: Unpack[_Options]
) -> Enclosure[NDArray[np.float64]]: ...
@suggest_arguments
def enclosure(
    red: Counts,
    black: Counts,
    *,
    digits: SupportsIndex | None = None,
    rules: Rules | None = None,
    method: Method = "auto",
    checkpoint: Checkpoint = None,
) -> Enclosure[float] | Enclosure[NDArray[np.float64]]:
    """Return certified lower and upper bounds of the value of a deck.

    Of arrays of decks, it returns bounds of the value of each.

    Grade: certified.

    Parameters
    ----------
    red, black : int, or array_like of int
        Numbers of red and black cards in the deck. Arrays, lists and ranges broadcast.
        One climb of the staircase serves all balanced decks among them.
    digits : int, optional
        The number of significant digits that must be certain, from 1 to 15: the width
        of the interval is then at most ``10**-digits`` of the value. If not given, as
        many as float64 gives. If more are needed, the staircase computes with the
        longer floats of this machine, four to ten times slower, and small decks are
        solved exactly.
    rules : Rules, optional
        Rules without a utility, because the rounding errors of a utility cannot be
        bounded. The classic rules if not given.
    method, checkpoint
        As for :func:`value`.

    Returns
    -------
    Enclosure
        An interval that contains the exact value; for arrays, one record with arrays
        of ends. For a balanced deck of l + l cards its relative width is about
        ``4.4e-16 l`` by the diagonal. By the staircase it is 5e-12 at l = 10,000 and
        6e-11 at 10 million, and 2000 times less with longer floats: twelve digits and
        more up to a billion cards. From l = 5e9 on, up to 10**600, "auto" uses a
        theorem, which takes a millisecond: 9e-10 there, and 15 digits from 1e18 on.

    Raises
    ------
    ValueError, TooLargeError
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
    ``(1 + u)**m - 1``. The band: paths outside of it have a total probability of at
    most ``2**-63`` and could not add more than ``(lose + fee) black``.

    The staircase computes the value of the policy that its own thresholds define: a
    lower bound, but for rounding. Where the comparisons at a threshold are too close to
    be certain, the gain that an optimal player could make there is added to the upper
    bound. The appendix on methods proves this under one assumption: that SciPy's
    transforms, and the elementary functions, are as accurate as their algorithms are
    known to be. The climb tests that while it goes on.

    The theorem bounds the value of l + l cards by
    ``(1 - alpha**2) 4**l / C(2 l, l) - x l**-lambda`` with x from 0.1007 to 0.1063, for
    all l from 128,000 on. The appendix on large decks has the proof.

    Finally, the interval is rounded outwards.

    References
    ----------
    N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., lemma 3.1;
    the tails are in ``cardgames_dp.redblack._kernels.sweep``.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.enclosure(1000, 1000).width < 1e-11
    True
    >>> bounds = redblack.enclosure(5000, 5000, digits=13)
    >>> bounds.width <= 1e-13 * bounds.lower
    True
    >>> bounds = redblack.enclosure([3000, 30_000], [3000, 30_000], digits=12)
    >>> [f"{middle:.12g}" for middle in bounds.midpoint]
    ['28.5782250842', '90.4104841506']
    """
    decks, shape = decks_of(red, black)
    of = arguments.rules(rules, Rules)
    if of.utility is not None:
        raise ValueError(
            "rules must be without a utility, whose rounding cannot be certified; use "
            "value(..., backend='exact')"
        )
    groups = [decks] if shape is None else group_decks(decks)
    closed, least = methods.closed_forms(of, decks), 0
    if digits is not None:
        hint, instead = ", as many as a float64 has", "use value(..., digits=)"
        least = valuation.digits_up_to(digits, _FLOAT_DIGITS, hint, instead)
    automatic = arguments.choice("method", method, METHODS) == "auto"
    bounds, plans = dict[Deck, Enclosure[float]](), []
    if automatic and checkpoint is None:
        bounds = _by_theorem(of, decks, least)
    groups = [[deck for deck in group if deck not in bounds] for group in groups]
    names = [chosen(method, of, group) for group in groups]
    valuation.refuse_checkpoint_without_staircase(checkpoint, names)
    for group, name in zip(groups, names, strict=True):
        for deck in group:
            if (value := closed[deck]) is not None:
                bounds[deck] = _between(value, value, name)
        unsolved = [deck for deck in group if deck not in bounds]
        plans.append(
            (unsolved, _algorithms(of, unsolved, name, least, only=not automatic))
        )
    for group, ways in plans:
        while not all(d in bounds and bounds[d].digits >= least for d in group):
            if (way := next(ways, None)) is None:
                raise ArithmeticError(
                    f"digits={least} were expected, but the bounds found are too wide"
                )
            bounds |= _bounds(of, group, way, checkpoint)
    if not shape:
        return bounds[decks[0]]
    columns = (
        np.array([getattr(bounds[deck], name) for deck in decks]).reshape(shape)
        for name in ("lower", "upper", "method")
    )
    return Enclosure(*columns)


def _by_theorem(
    rules: Rules, decks: list[Deck], digits: int
) -> dict[Deck, Enclosure[float]]:
    """Return the bounds of the theorem for the decks for which it is the best way."""
    best = {}
    for deck in decks:
        fair = rules.gain == rules.cost > 0 and not deck.excess
        if not fair or deck.red < large_decks.NARROWER_FROM:
            continue
        arguments.at_most("red", deck.red, large_decks.MOST, "give a smaller deck")
        lower, upper = large_decks.proved_bounds(deck.red)
        bounds = _between(rules.gain * lower, rules.gain * upper, "theorem")
        if bounds.digits >= digits:
            best[deck] = bounds
        elif deck.cards > climb.MOST_CARDS:
            raise ValueError(
                f"digits must be at most {bounds.digits} for a deck of {deck.red} red "
                f"and {deck.black} black cards, got {digits}"
            )
    return best


def _algorithms(
    rules: Rules,
    decks: Sequence[Deck],
    method: Literal["diagonal", "staircase"],
    digits: int,
    *,
    only: bool,
) -> Iterator[_Algorithm]:
    """Return the ways that should give the digits for all decks, the cheapest first.

    They use the method `only`, or any other as well. It is refused if there are none.
    """
    if not digits or not decks:
        return iter([method])
    ways: list[_Algorithm] = [method]
    lacking = ""
    climbing = not (only and method == "diagonal")
    if climbing and not methods.staircase_obstacle(rules, decks):
        if has_extended():
            ways.append("extended")
        else:
            lacking = "; more need longer floats than float64, which NumPy lacks here"
    states = sum(deck.red * deck.black for deck in decks)
    if not (only and method == "staircase") and states <= _MOST_EXACT:
        ways.append("exact")
    worth = [(deck, _rough_value(rules, deck)) for deck in decks]
    widths = {
        way: max(_relative_width(rules, *each, way) for each in worth) for way in ways
    }
    enough = [way for way, width in widths.items() if width <= 10.0**-digits]
    if not enough:
        most = max(math.floor(-math.log10(min(widths.values()))), 0)
        with_method = f" by method={method!r}" if only else ""
        largest = decks[-1]
        raise ValueError(
            f"digits must be at most {most} for a deck of {largest.red} red and "
            f"{largest.black} black cards{with_method}, got {digits}{lacking}"
        )
    return iter(enough)


def _rough_value(rules: Rules, deck: Deck) -> float:
    """Return the value, or slightly less where the law of growth gives it at once."""
    if deck.excess == 0 and rules.gain == rules.cost and deck.red <= MOST_SWEPT:
        classic: float = 0.522 * math.sqrt(deck.red) - 0.103 * deck.red**-0.231
        return float(rules.gain) * 0.99 * classic
    if chosen("auto", rules, [deck]) == "staircase":
        return float(methods.by_staircase(rules, [deck])[deck])
    problem = Problem(rules, deck.red, deck.black, exact=False)
    return float(methods.by_diagonal(problem, [deck])[deck])


def _relative_width(rules: Rules, deck: Deck, value: float, way: _Algorithm) -> float:
    """Return about how wide the bounds of a value will be, relative to it."""
    if value == 0:
        return 0.0  # The player stops at once, and most ways are certain of it.
    if way == "exact":
        return _OUTWARDS
    if way != "diagonal":
        error = climb.expected_error(deck, extended=way == "extended")
        return float(rules.gain) * error / value + _OUTWARDS
    sweep = Sweep.of(Problem(rules, deck.red, deck.black, exact=False))
    unit = float(sweep.stakes.unit)
    stopping = float(sweep.stakes.reward(deck.cards, deck.red))
    best = value / unit + stopping
    return 2 * float(sweep.error * best + sweep.omitted) * unit / value + _OUTWARDS


def _bounds(
    rules: Rules, decks: list[Deck], way: _Algorithm, checkpoint: Checkpoint
) -> dict[Deck, Enclosure[float]]:
    """Return the bounds that an algorithm gives."""
    bounds = {}
    if way in ("staircase", "extended"):
        how: Any = {"extended": way == "extended", "checkpoint": checkpoint}
        ascent = climb.ascend(decks, audited=True, **how)
        for deck, *ends in zip(decks, ascent.lower, ascent.upper, strict=True):
            lower, upper = (rules.gain * (end - deck.excess) for end in ends)
            bounds[deck] = _between(lower, upper, "staircase")
        return bounds
    for deck in decks:
        sweep = Sweep.of(Problem(rules, deck.red, deck.black, way == "exact"))
        best, error, omitted = methods.best_reward(sweep), sweep.error, sweep.omitted
        lower = methods.of_best(sweep, best / (1 + error) - omitted)
        upper = methods.of_best(sweep, best / (1 - error) + omitted)
        bounds[deck] = _between(lower, upper, way)
    return bounds


def _between(lower: Fraction, upper: Fraction, method: str) -> Enclosure[float]:
    """Return the interval of a value between exact bounds, rounded outwards."""
    lower = max(lower, Fraction(0))
    return Enclosure(_rounded(lower, -math.inf), _rounded(upper, math.inf), method)


def _rounded(exact: Fraction, towards: float) -> float:
    """Return the exact number as a float64, rounded in the direction of `towards`."""
    nearest = as_float(exact)
    wrong_side = nearest > exact if towards < 0 else nearest < exact
    return math.nextafter(nearest, towards) if wrong_side else nearest


_FOLDER = resources.files(__package__) / "_data"

_CHECKSUMS = {
    "values.csv": "1669c62f50b97b20cdc1b1dfb420d094",
    "thresholds.npz": "df74e54d8f9db6d0fa2162035c91f13f",
}
"""Of the files, as they were when the table was made."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PublishedValues(Result):
    """Certified values and thresholds of the classic rules; see `published_values`.

    Attributes
    ----------
    decks : tuple of int
        The sizes l of decks of l red and l black cards: 1, 2, 5, 10, 20, ...
    enclosure : Enclosure
        Certified bounds of their values: arrays.
    thresholds : Thresholds
        The thresholds n_1, n_2, ...; -1 where one could not be certified.
    provenance : str
        How and when the values and thresholds were computed.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> known = redblack.published_values()
    >>> known.decks[:5], known.thresholds.exact_up_to
    ((1, 2, 5, 10, 20), 21585)
    """

    decks: tuple[int, ...]
    enclosure: Enclosure[NDArray[np.float64]]
    thresholds: Thresholds
    provenance: str

    def _facts(self) -> dict[str, object]:
        count = len(self.thresholds.n)
        return {"decks": self.decks, "thresholds": count, "provenance": self.provenance}

    def _table(self) -> tables.Table:
        bounds = self.enclosure
        columns = self.decks, *(map(str, end.tolist()) for end in bounds), bounds.digits
        head, rows = ("l", "lower", "upper", "digits"), list(zip(*columns, strict=True))
        return tables.Table(head, rows, [self.provenance], left=())

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        return {"l": self.decks}, self.enclosure._columns()[1]


@suggest_arguments
def published_values() -> PublishedValues:
    """Return the certified values and thresholds that come with the package.

    They are a reference to look up and to compare with; nothing is computed.

    Grade: certified.

    Returns
    -------
    PublishedValues
        Bounds of the values of l + l cards, for l = 1, 2, 5, 10, ... up to ten thousand
        million, and the 118,782 thresholds up to the last of these decks, from one
        climb with longer floats. 132 of the thresholds are not certain and stored as
        -1; the first is at excess 21,586.

    Raises
    ------
    ValueError
        If a file of it was changed or damaged after it was installed.

    References
    ----------
    Computed by this package, as `PublishedValues.provenance` says.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> known = redblack.published_values()
    >>> million = known.enclosure.midpoint[known.decks.index(1_000_000)]
    >>> redblack.value(1_000_000, 1_000_000) in redblack.enclosure(10**6, 10**6)
    True
    >>> print(f"{million:.13g}")
    522.0335326184
    >>> known.thresholds.n[:8].tolist()
    [3, 8, 17, 28, 41, 58, 79, 100]
    """
    provenance, *lines = _content("values.csv").decode().splitlines()
    rows = list(csv.DictReader(lines))
    file = io.BytesIO(_content("thresholds.npz"))
    with np.load(file, allow_pickle=False) as npz:
        bends, undecided = npz["bends"], npz["undecided"]
    levels = np.cumsum(np.cumsum(bends, dtype=np.int64))
    levels[undecided - 1] = -1
    lower, upper = (
        np.array([float(row[end]) for row in rows]) for end in ("lower", "upper")
    )
    bounds = Enclosure(lower, upper, np.array(["staircase"] * len(rows)))
    decks = tuple(int(row["l"]) for row in rows)
    thresholds = Thresholds(levels, Rules())
    return PublishedValues(decks, bounds, thresholds, provenance.removeprefix("# "))


def checksum(content: bytes) -> str:
    """Return the checksum of a file's content."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _content(name: str) -> bytes:
    """Return what a file holds, if it is as it was made."""
    path = _FOLDER / name
    content = path.read_bytes()
    if name.endswith(".csv"):
        content = content.replace(b"\r\n", b"\n")  # as Git has it on some machines
    if checksum(content) != _CHECKSUMS[name]:
        raise ValueError(
            f"{path} was changed after it was made; install cardgames_dp again"
        )
    return content
