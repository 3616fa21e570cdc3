"""Decks of several kinds of cards, with more than two worths.

A deck is a mapping of worths to numbers of cards: ``{2: 2, 0: 3, -1: 5}`` has two cards
that pay 2, three cards that pay nothing and five cards that cost 1. Otherwise the game
is red/black: the player turns over the cards one by one and stops at any time.
`cardgames_dp.redblack._kernels.kinds` describes how it is solved.

The number of states is the product of the numbers of cards, each plus one. Three kinds
of a thousand cards each take seconds, because all but the likely states can be left
out. A deck of 52 cards with 13 ranks, each with its own worth, has ``5**13`` states,
1.2 billion, which is too many.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Literal, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.advice import Advice
from cardgames_dp._results.printing import Number, printable, short
from cardgames_dp._results.records import Result
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.redblack._kernels import kinds as kernel
from cardgames_dp.redblack._kernels.kinds import Kinds
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
    found = kernel.value(cards, exact=backend == "exact")
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
        ahead = kernel.draw(rest, exact=exact)
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
    values, ties = kernel.tables(cards, exact=exact)
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
