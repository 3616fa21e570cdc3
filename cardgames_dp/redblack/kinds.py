"""Decks of several kinds of cards, with more than two worths.

A deck is a mapping of worths to numbers of cards: ``{2: 2, 0: 3, -1: 5}`` has two cards
that pay 2, three cards that pay nothing and five cards that cost 1. Otherwise the game
is red/black: the player turns over the cards one by one and stops at any time.

The number of states is the product of the numbers of cards, each plus one. Three kinds
of a thousand cards each take seconds, because all but the likely states can be left
out. A deck of 52 cards with 13 ranks, each with its own worth, has ``5**13`` states,
1.2 billion, which is too many.

How it is solved
----------------
A state is how many cards of each kind remain, x = (x_1, ..., x_k), n in all. With
worths w_i the value of playing on is::

    v(x) = max(0, sum of x_i / n (w_i + v(x - e_i))).

All states with n cards are a level. The number of the last kind is n less the others,
so a level is an array of k - 1 dimensions, computed from the level before in k shifts.

Float64 levels hold v itself. For a single value only a *band* of each level is swept.
The number of cards of one kind that remain has the same law as the red cards of a deck
of two colours, so the band of `cardgames_dp.redblack._kernels.scaling` is valid for
each kind. A player who leaves the band is assumed to stop there, so the result is a
lower bound up to rounding; the probability of leaving it is at most ``2 k 2**-64``.

Rounding: values are at most M, the sum of all positive worths, so each level adds at
most ``(k + 3) u (M + max |w|)`` to the error, with u = 2**-53; a mean and a maximum do
not enlarge errors.

Exact levels hold integers, as the Pascal form of
`cardgames_dp.redblack._kernels.sweep`: with C(x) the number of orders of the remaining
cards and rewards counted from playing to the end, in units of the worths' common
denominator, ``U(x) = max(-C(x) sum of w_i x_i, sum of U(x - e_i))``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Literal, NamedTuple, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.advice import Advice
from cardgames_dp._results.records import Result
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.printing import Number, printable, short
from cardgames_dp._support.running import refuse_too_large, tracked
from cardgames_dp.redblack._kernels.scaling import Band
from cardgames_dp.redblack.solution import Action

__all__ = ["Solution", "advice", "solve", "value"]

Deck: TypeAlias = Mapping[Any, SupportsIndex] | Iterable[tuple[Any, SupportsIndex]]
"""Worths, and the number of cards of each."""

_MOST_CELLS = {"float64": 10**14, "exact": 10**12}
"""The most cells of all levels, for each kind: beyond, a sweep would take days."""

_LEVEL_BYTES = {"float64": 60, "exact": 400}
"""The memory for a cell of the largest level."""

_TABLE_BYTES = {"float64": 9, "exact": 200}

_WORTH = "a finite int, Fraction, Decimal or float, or one written as text, '-1/20'"


def __dir__() -> list[str]:
    return __all__


@overload
def value(deck: Deck, *, backend: Literal["float64"] = "float64") -> float: ...
@overload
def value(deck: Deck, *, backend: Literal["exact"]) -> Fraction: ...
def value(deck: Deck, *, backend: Backend = "float64") -> float | Fraction:
    """Return the value of a deck of several kinds of cards under optimal play.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    deck : mapping of worth to int, or iterable of pairs
        The number of cards of each worth. Worths are ints, Fractions, Decimals, floats
        or text, of any sign.
    backend : {"float64", "exact"}
        The arithmetic. float64 sweeps only the likely states; the exact backend sweeps
        all states, with integers.

    Returns
    -------
    float or Fraction
        The expected winnings, never negative.

    Raises
    ------
    ValueError
        Also if worths do not fit in float64, or a sweep would take days.
    TooLargeError
        If it would not fit in memory. The message says how many states there are.

    References
    ----------
    The recurrence is that of L. A. Shepp's urn, with more than two kinds of balls.

    Examples
    --------
    Cards that are worth nothing change nothing:

    >>> from cardgames_dp import redblack
    >>> redblack.kinds.value({1: 26, 0: 10, -1: 26})
    2.6244755489939...
    >>> redblack.kinds.value({2: 2, 0: 3, -1: 5}, backend="exact")
    Fraction(17, 21)
    """
    cards, backend = read("deck", deck), arguments.backend(backend)
    _refuse(cards, backend)
    found = _best(cards, exact=backend == "exact")
    return printable(found) if isinstance(found, Fraction) else found


@overload
def advice(
    deck: Deck, left: Deck, *, backend: Literal["float64"] = "float64"
) -> Advice[tuple[int, ...], Action, float]: ...
@overload
def advice(
    deck: Deck, left: Deck, *, backend: Literal["exact"]
) -> Advice[tuple[int, ...], Action, Fraction]: ...
def advice(
    deck: Deck, left: Deck, *, backend: Backend = "float64"
) -> Advice[tuple[int, ...], Action, Any]:
    """Return what to do in one state, without a table.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    deck : mapping of worth to int, or iterable of pairs
        The full deck, as for :func:`value`.
    left : mapping of worth to int, or iterable of pairs
        The number of cards that remain of each worth; 0 for worths that are not named.
    backend
        As for :func:`value`.

    Returns
    -------
    Advice
        What to do, and the expected final cash after each action. Its state is the
        number of cards that remain of each kind, the best kind first.

    Raises
    ------
    ValueError, TooLargeError
        As for :func:`value`; also if `left` is not a part of the deck.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> deck = {2: 2, 0: 3, -1: 5}
    >>> print(redblack.kinds.advice(deck, {2: 1, 0: 3, -1: 5}, backend="exact"))
    (1, 3, 5): stop; value: stop 2, draw 1.66667.
    """
    cards, backend = read("deck", deck), arguments.backend(backend)
    rest = part(cards, left)
    _refuse(rest, backend)
    exact, tie = backend == "exact", False
    ahead: Any = None
    if rest.total:
        ahead = _ahead(rest, exact=exact)
        tie = abs(ahead) <= (0 if exact else rest.error(rest.total))
    return _advice_on(cards, rest, ahead, tie, exact=exact)


@overload
def solve(
    deck: Deck, *, backend: Literal["float64"] = "float64"
) -> Solution[float]: ...
@overload
def solve(deck: Deck, *, backend: Literal["exact"]) -> Solution[Fraction]: ...
def solve(
    deck: Deck, *, backend: Backend = "float64"
) -> Solution[float] | Solution[Fraction]:
    """Solve a deck of several kinds in all states.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    deck, backend
        As for :func:`value`.

    Returns
    -------
    Solution
        Tables indexed by the cards remaining of each kind, the best kind first.

    Raises
    ------
    ValueError, TooLargeError
        As for :func:`value`; :func:`advice` works without a table.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> solution = redblack.kinds.solve({2: 2, 0: 3, -1: 5}, backend="exact")
    >>> solution
    Solution(deck={2: 2, 0: 3, -1: 5}, backend='exact', value=0.809524)
    >>> bool(solution.stop[1, 3, 5])
    True
    """
    cards, backend = read("deck", deck), arguments.backend(backend)
    _refuse(cards, backend, table=True)
    exact = backend == "exact"
    values, ties = _tables(cards, exact=exact)
    return Solution(cards.worths, cards.counts, backend, values, ties)


def _refuse(cards: Kinds, backend: Backend, *, table: bool = False) -> None:
    """Refuse a deck that would overflow, not fit in memory, or never end."""
    exact = backend == "exact"
    largest = max(map(abs, cards.worths)) * (cards.total + 1)
    if not exact and largest > Fraction(10**300):
        raise ValueError(
            "deck must have worths that float64 can sum, got one of "
            f"{short(max(map(abs, cards.worths)))}; use backend='exact'"
        )
    states = math.prod([count + 1 for count in cards.counts])
    what = f"a deck of {arguments.shown(states)} states"
    instead = "merge kinds of about the same worth, or use a smaller deck"
    if table:
        needed = states * _TABLE_BYTES[backend]
        smaller = "use value(...) and advice(...), which need no table"
        refuse_too_large(f"the table of {what}", needed, smaller)
    swept = cards.commonest_last()
    widest = swept.widest(banded=not (exact or table))
    refuse_too_large(what, widest * _LEVEL_BYTES[backend], instead)
    cells = swept.cells(banded=not (exact or table)) * len(swept.counts)
    arguments.at_most("the likely states of deck", cells, _MOST_CELLS[backend], instead)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution(Result, Generic[Number]):
    """A solved deck of several kinds: tables of all states. Made by :func:`solve`.

    Attributes
    ----------
    worths : tuple of Fraction
        The worth of each kind, the best first.
    counts : tuple of int
        The number of cards of each kind.
    backend : {"float64", "exact"}
        The arithmetic of the tables.
    values : ndarray, shape (counts[0] + 1, counts[1] + 1, ...)
        The expected gain from playing on optimally instead of stopping now, indexed by
        the cards remaining of each kind; float64, or Fractions (dtype object). Like all
        tables, read-only.
    ties : ndarray of bool, same shape
        Where drawing and stopping are worth the same; in float64, up to rounding.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> solution = redblack.kinds.solve({1: 4, 0: 1, -1: 4})
    >>> round(solution.value, 6), round(redblack.value(4, 4), 6)
    (1.0, 1.0)
    >>> print(solution.advice({1: 2, -1: 4}))
    (2, 0, 4): stop; value: stop 2, draw 1.8.
    """

    worths: tuple[Fraction, ...]
    counts: tuple[int, ...]
    backend: Backend
    values: NDArray[Any]
    ties: NDArray[np.bool_]

    @property
    def value(self) -> Number:
        """The value of the full deck."""
        last: Any = self.values.flat[-1]
        as_shown: Any = last if self.backend == "exact" else float(last)
        found: Number = as_shown
        return found

    @property
    def stop(self) -> NDArray[np.bool_]:
        """Where an optimal player stops, who stops in a tie."""
        stops: NDArray[np.bool_] = np.asarray(self.values == 0)
        return stops

    @property
    def error(self) -> float:
        """A bound of the error of every value; 0 for Fractions."""
        cards = Kinds(self.worths, self.counts)
        return 0.0 if self.backend == "exact" else cards.error(cards.total)

    def advice(self, left: Deck) -> Advice[tuple[int, ...], Action, Number]:
        """Return what to do now, given the cards that remain of each worth.

        Parameters
        ----------
        left : mapping of worth to int, or iterable of pairs
            The number of cards that remain of each worth; 0 for worths that are not
            named.

        Returns
        -------
        Advice
            Its state is the index of `values`; with floats, or with Fractions for an
            exact solution.

        Raises
        ------
        ValueError
            If it is not a part of the deck.
        """
        cards = Kinds(self.worths, self.counts)
        rest = part(cards, left)
        ahead: Any = None
        if rest.total:
            # `values` does not have it where drawing is worth less than stopping.
            drawn = [
                count * (worth + self.values[_one_less(rest.counts, i)])
                for i, (worth, count) in enumerate(
                    zip(self.worths, rest.counts, strict=True)
                )
                if count
            ]
            ahead = sum(drawn) / rest.total
        tie = bool(self.ties[rest.counts])
        return _advice_on(cards, rest, ahead, tie, exact=self.backend == "exact")

    _derived = ("value",)

    def __repr__(self) -> str:
        pairs = zip(self.worths, self.counts, strict=True)
        deck = ", ".join([f"{short(worth)}: {count}" for worth, count in pairs])
        known = f"backend={self.backend!r}, value={short(self.value)}"
        return f"Solution(deck={{{deck}}}, {known})"


def read(name: str, given: object, *, least: int = 1) -> Kinds:
    """Return a deck as worths, the best first, and numbers of cards.

    There must be `least` of them, 0 or 1.
    """
    pairs = list(given.items()) if isinstance(given, Mapping) else given
    must = f"{name} must be a mapping of worths to numbers of cards, or pairs of both"
    if isinstance(pairs, (str, bytes)) or not isinstance(pairs, Iterable):
        raise TypeError(f"{must}, got {arguments.described(given)}")
    counts: dict[Fraction, int] = {}
    for pair in arguments.items(name, pairs):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(f"{must}, got the item {arguments.shown(pair)}")
        worth = arguments.finite(f"a worth of {name}", pair[0], _WORTH, text=True)
        count = arguments.integer(f"{name}[{arguments.shown(pair[0])}]", pair[1])
        counts[worth] = counts.get(worth, 0) + count
    if len(counts) < least:
        raise ValueError(f"{must}, at least one, got {arguments.shown(given)}")
    worths = sorted(counts, reverse=True)
    return Kinds(tuple(worths), tuple([counts[worth] for worth in worths]))


def part(deck: Kinds, left: object) -> Kinds:
    """Return how many cards remain of each kind of a deck."""
    rest = dict(zip(*read("left", left, least=0), strict=True))
    for worth, count in rest.items():
        held = dict(zip(*deck, strict=True)).get(worth, 0)
        if count > held:
            raise ValueError(
                f"left must be a part of the deck, which has {arguments.shown(held)} "
                f"cards of {short(worth)}, got {arguments.shown(count)}"
            )
    return Kinds(deck.worths, tuple([rest.get(worth, 0) for worth in deck.worths]))


def _advice_on(
    deck: Kinds, rest: Kinds, ahead: Any, tie: bool, *, exact: bool
) -> Advice[tuple[int, ...], Action, Any]:
    """Return the advice for a state in which drawing leads stopping by `ahead`."""

    def number(amount: Any) -> Any:
        return printable(Fraction(amount)) if exact else float(amount)

    stop = number(deck.cash() - rest.cash())
    values: dict[Action, Any] = {"stop": stop}
    if ahead is not None:
        values["draw"] = stop if tie else number(stop + ahead)
    action: Action = "draw" if ahead is not None and ahead > 0 and not tie else "stop"
    best: tuple[Action, ...] = ("stop", "draw") if tie else (action,)
    error = 0.0 if exact else deck.error(deck.total)
    returns, certain = (values[action],), exact or not tie
    return Advice(action, best, values, rest.counts, 0, returns, certain, error)


def _one_less(counts: tuple[int, ...], kind: int) -> tuple[int, ...]:
    return tuple([count - (i == kind) for i, count in enumerate(counts)])


_UNIT_ROUNDOFF = 2.0**-53


class Kinds(NamedTuple):
    """A deck: the worth of each kind, and how many cards there are of it."""

    worths: tuple[Fraction, ...]
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """The number of cards."""
        return sum(self.counts)

    def cash(self) -> Fraction:
        """Return the sum of the worths of all cards."""
        pairs = zip(self.worths, self.counts, strict=True)
        return sum([worth * count for worth, count in pairs], Fraction(0))

    def error(self, cards: int) -> float:
        """Return a bound of the rounding error of float64 values of some cards."""
        pairs = zip(self.worths, self.counts, strict=True)
        most = sum([worth * count for worth, count in pairs if worth > 0], Fraction(0))
        largest = most + max(map(abs, self.worths), default=Fraction(0))
        bits = (len(self.worths) + 3) * cards * _UNIT_ROUNDOFF + 2**-60
        return float(largest) * bits

    def commonest_last(self) -> Kinds:
        """Return the same deck with the commonest kind last, the fastest order."""
        order = sorted(range(len(self.counts)), key=self.counts.__getitem__)
        return Kinds(
            tuple([self.worths[i] for i in order]),
            tuple([self.counts[i] for i in order]),
        ).with_axes()

    def with_axes(self) -> Kinds:
        """Return the same deck with two kinds at least, so that levels have axes."""
        if len(self.counts) > 1:
            return self
        return Kinds((Fraction(0), *self.worths), (0, *self.counts))

    def window(self, n: int, *, banded: bool) -> list[tuple[int, int]]:
        """Return the range of the number of each kind but the last, at level n."""
        found = []
        for count in self.counts[:-1]:
            low, high = max(0, n - self.total + count), min(count, n)
            if banded and self.total:
                first, last = Band(count, self.total - count).over(n, n)
                low, high = max(low, first), min(high, last)
            found.append((low, high))
        return found

    def widest(self, *, banded: bool) -> int:
        """Return about how many cells the largest level has."""
        return max(self._sizes(banded))

    def cells(self, *, banded: bool) -> int:
        """Return about how many cells all levels have together."""
        sizes = self._sizes(banded)
        return sum(sizes) * (self.total + 1) // len(sizes)

    def _sizes(self, banded: bool) -> list[int]:
        """Return the numbers of cells of about two hundred of the levels."""
        levels = range(0, self.total + 1, 1 + self.total // 200)
        windows = [self.window(n, banded=banded) for n in levels]
        return [
            math.prod([high - low + 1 for low, high in window]) for window in windows
        ]


class _Level(NamedTuple):
    """The states with n cards, as an array over the numbers of all kinds but the last.

    Attributes
    ----------
    lows : tuple of int
        The least number of each of these kinds; cell 0 of its axis.
    valid : ndarray of bool
        Where the last kind has enough cards for the rest.
    ahead : ndarray
        By how much drawing leads stopping: float64, or integers (dtype object) over
        `denominators`.
    denominators : ndarray of int, or None
    """

    n: int
    lows: tuple[int, ...]
    valid: NDArray[np.bool_]
    ahead: NDArray[Any]
    denominators: NDArray[Any] | None = None


def _best(deck: Kinds, *, exact: bool) -> float | Fraction:
    """Return the value of a full deck."""
    ahead = _ahead(deck, exact=exact)
    return max(ahead, type(ahead)(0))


def _ahead(deck: Kinds, *, exact: bool) -> float | Fraction:
    """Return by how much drawing leads stopping with a full deck."""
    deck = deck.commonest_last()
    levels = _exact_levels(deck) if exact else _float_levels(deck, banded=True)
    steps = tracked(levels, deck.total + 1, "levels")
    for level in steps:
        found = level
    (ahead,) = level.ahead.ravel().tolist()
    if found.denominators is None:
        return float(ahead)
    return Fraction(ahead, found.denominators.item())


def _tables(deck: Kinds, *, exact: bool) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return the values and ties of all states, indexed by the numbers of each kind."""
    shape = tuple([count + 1 for count in deck.counts])
    deck = deck.with_axes()
    whole = tuple([count + 1 for count in deck.counts])
    values = np.zeros(whole, dtype=object if exact else np.float64)
    ties = np.zeros(whole, dtype=bool)
    levels = _exact_levels(deck) if exact else _float_levels(deck, banded=False)
    for level in tracked(levels, deck.total + 1, "levels"):
        cells = np.nonzero(level.valid)
        places: list[Any]
        places = [at + low for at, low in zip(cells, level.lows, strict=True)]
        places.append(level.n - sum(places))
        ahead = level.ahead[cells]
        if level.denominators is None:
            tied = np.abs(ahead) <= deck.error(level.n)
            ahead = np.where(tied, 0.0, np.maximum(ahead, 0.0))
        else:
            tied = ahead == 0
            numbers = zip(ahead, level.denominators[cells], strict=True)
            ahead = np.array([printable(Fraction(max(a, 0), d)) for a, d in numbers])
        values[tuple(places)], ties[tuple(places)] = ahead, tied
    ties.flat[0] = False  # an empty deck leaves no choice
    return values.reshape(shape), ties.reshape(shape)


def _float_levels(deck: Kinds, *, banded: bool) -> Iterator[_Level]:
    """Yield the levels n = 0, 1, ... in float64."""
    worths = [float(worth) for worth in deck.worths]
    frame = _Frame(deck, banded)
    lows, numbers, last, valid = frame.level(0)
    best: NDArray[np.float64] = np.zeros(valid.shape)
    for n in range(deck.total + 1):
        if n:
            before = lows, best
            lows, numbers, last, valid = frame.level(n)
            ahead = last * (worths[-1] + _shifted(*before, lows, valid.shape))
            for axis, (worth, number) in enumerate(zip(worths, numbers, strict=False)):
                one_less = [low - (i == axis) for i, low in enumerate(lows)]
                ahead += number * (worth + _shifted(*before, one_less, valid.shape))
            ahead = np.where(valid, ahead / n, 0.0)
            best = np.maximum(ahead, 0.0)
        else:
            ahead = best
        yield _Level(n, lows, valid, ahead)


def _exact_levels(deck: Kinds) -> Iterator[_Level]:
    """Yield the levels n = 0, 1, ... in integers."""
    unit = math.lcm(*(worth.denominator for worth in deck.worths))
    worths = [int(worth * unit) for worth in deck.worths]
    frame = _Frame(deck, banded=False)
    lows, numbers, last, valid = frame.level(0)
    orders = np.full(valid.shape, 1, dtype=object)
    best = np.zeros(valid.shape, dtype=object)
    for n in range(deck.total + 1):
        before, ways = (lows, best), (lows, orders)
        lows, numbers, last, valid = frame.level(n)
        if n:
            starts = [lows] + [
                tuple([low - (i == axis) for i, low in enumerate(lows)])
                for axis in range(len(lows))
            ]
            orders = np.add.reduce([_shifted(*ways, s, valid.shape) for s in starts])
            drawn = np.add.reduce([_shifted(*before, s, valid.shape) for s in starts])
            orders, drawn = np.where(valid, orders, 0), np.where(valid, drawn, 0)
        else:
            drawn = best
        rest = last.astype(object) * worths[-1]
        for worth, number in zip(worths, numbers, strict=False):
            rest = rest + number.astype(object) * worth
        stop = -rest * orders
        best = np.maximum(stop, drawn)
        yield _Level(n, lows, valid, drawn - stop, orders * unit)


def _shifted(
    start: Sequence[int],
    cells: NDArray[Any],
    wanted: Sequence[int],
    shape: tuple[int, ...],
) -> NDArray[Any]:
    """Return a part of an array of cells, 0 where there are no cells.

    Parameters
    ----------
    start, wanted : sequence of int
        The places of the first cell given, and of the first cell of the result.
    shape : tuple of int
        The shape of the result.
    """
    result = np.zeros(shape, dtype=cells.dtype)
    into, out = [], []
    for have, want, held, size in zip(start, wanted, cells.shape, shape, strict=True):
        first, end = max(have, want), min(have + held, want + size)
        if first >= end:
            return result
        into.append(slice(first - want, end - want))
        out.append(slice(first - have, end - have))
    result[tuple(into)] = cells[tuple(out)]
    return result


class _Frame:
    """The cells of the levels of a deck."""

    def __init__(self, deck: Kinds, banded: bool) -> None:
        self.deck, self.banded = deck, banded

    def level(
        self, n: int
    ) -> tuple[tuple[int, ...], list[NDArray[Any]], NDArray[Any], NDArray[np.bool_]]:
        """Return first numbers, numbers by axis, those of the last kind, and validity.

        The numbers of the axes broadcast against each other.
        """
        window = self.deck.window(n, banded=self.banded)
        axes = [np.arange(low, high + 1) for low, high in window]
        numbers = list(np.ix_(*axes))
        last = np.asarray(n - sum(numbers))
        valid = (last >= 0) & (last <= self.deck.counts[-1])
        return tuple([low for low, _ in window]), numbers, last, valid
