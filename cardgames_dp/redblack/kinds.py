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
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, overload

from cardgames_dp import _checks
from cardgames_dp._checks import Backend
from cardgames_dp._effort import real, refuse_too_long
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._numbers import printable, short
from cardgames_dp.redblack._kernels import kinds as kernel
from cardgames_dp.redblack._kernels.kinds import Kinds
from cardgames_dp.redblack._kinds import Advice, Deck, Solution, advice_on, part, read

__all__ = ["Advice", "Solution", "advice", "solve", "value"]

_SECONDS = {"float64": 6e-9, "exact": 0.25e-6}
"""The time for a cell of a level, for each kind."""

_LEVEL_BYTES = {"float64": 60, "exact": 400}
"""The memory for a cell of the largest level."""

_TABLE_BYTES = {"float64": 9, "exact": 200}


def __dir__() -> list[str]:
    return __all__


@overload
def value(
    deck: Deck, *, backend: Literal["float64"] = "float64", progress: bool = False
) -> float: ...
@overload
def value(
    deck: Deck, *, backend: Literal["exact"], progress: bool = False
) -> Fraction: ...
def value(
    deck: Deck, *, backend: Backend = "float64", progress: bool = False
) -> float | Fraction:
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
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    float or Fraction
        The expected winnings, never negative.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, or worths do not fit in float64.
    TooLargeError, TooLongError
        If it would not fit in memory; if it would take weeks, or more than an hour
        without `progress`. The message says how many states there are.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

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
    cards, backend = read("deck", deck), _checks.backend(backend)
    progress = _checks.boolean("progress", progress)
    _refuse(cards, backend, progress=progress)
    found = kernel.value(cards, exact=backend == "exact", progress=progress)
    return printable(found) if isinstance(found, Fraction) else found


@overload
def advice(
    deck: Deck,
    left: Deck,
    *,
    backend: Literal["float64"] = "float64",
    progress: bool = False,
) -> Advice[float]: ...
@overload
def advice(
    deck: Deck, left: Deck, *, backend: Literal["exact"], progress: bool = False
) -> Advice[Fraction]: ...
def advice(
    deck: Deck, left: Deck, *, backend: Backend = "float64", progress: bool = False
) -> Advice[float] | Advice[Fraction]:
    """Return what to do in one state, without a table.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    deck : mapping of worth to int, or iterable of pairs
        The full deck, as for :func:`value`.
    left : mapping of worth to int, or iterable of pairs
        The number of cards that remain of each worth; 0 for worths that are not named.
    backend, progress
        As for :func:`value`.

    Returns
    -------
    Advice
        What to do, and what each action is worth.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`value`; also if `left` is not a part of the deck.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> deck = {2: 2, 0: 3, -1: 5}
    >>> print(redblack.kinds.advice(deck, {2: 1, 0: 3, -1: 5}, backend="exact"))
    1 of 2, 3 of 0, 5 of -1 left, 2 in hand: stop, worth 2; drawing is worth 1.66667.
    """
    cards, backend = read("deck", deck), _checks.backend(backend)
    rest = part(cards, left)
    progress = _checks.boolean("progress", progress)
    _refuse(rest, backend, progress=progress)
    exact, tie = backend == "exact", False
    ahead: Any = None
    if rest.total:
        ahead = kernel.draw(rest, exact=exact, progress=progress)
        tie = abs(ahead) <= (0 if exact else rest.error(rest.total))
    found: Advice[float] | Advice[Fraction]
    found = advice_on(cards, rest, ahead, tie, exact=exact)
    return found


@overload
def solve(
    deck: Deck,
    *,
    backend: Literal["float64"] = "float64",
    max_bytes: SupportsIndex | None = None,
    progress: bool = False,
) -> Solution[float]: ...
@overload
def solve(
    deck: Deck,
    *,
    backend: Literal["exact"],
    max_bytes: SupportsIndex | None = None,
    progress: bool = False,
) -> Solution[Fraction]: ...
def solve(
    deck: Deck,
    *,
    backend: Backend = "float64",
    max_bytes: SupportsIndex | None = None,
    progress: bool = False,
) -> Solution[float] | Solution[Fraction]:
    """Solve a deck of several kinds in all states.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    deck, backend, progress
        As for :func:`value`.
    max_bytes : int, optional
        The largest table to make, in bytes; half of this machine's memory if not given.

    Returns
    -------
    Solution
        Tables indexed by the cards remaining of each kind, the best kind first.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
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
    cards, backend = read("deck", deck), _checks.backend(backend)
    if max_bytes is not None:
        max_bytes = _checks.integer("max_bytes", max_bytes)
    progress = _checks.boolean("progress", progress)
    _refuse(cards, backend, progress=progress, table=True, max_bytes=max_bytes)
    exact = backend == "exact"
    values, ties = kernel.tables(cards, exact=exact, progress=progress)
    return Solution(cards.worths, cards.counts, backend, values, ties)


def _refuse(
    cards: Kinds,
    backend: Backend,
    *,
    progress: bool,
    table: bool = False,
    max_bytes: int | None = None,
) -> None:
    """Refuse a deck that would overflow, not fit in memory, or take too long."""
    exact = backend == "exact"
    largest = max(map(abs, cards.worths)) * (cards.total + 1)
    if not exact and largest > Fraction(10**300):
        raise ValueError(
            "deck must have worths that float64 can sum, got one of "
            f"{short(max(map(abs, cards.worths)))}; use backend='exact'"
        )
    states = math.prod([count + 1 for count in cards.counts])
    what = f"a deck of {_checks.shown(states)} states"
    instead = "merge kinds of about the same worth, or use a smaller deck"
    if table:
        needed = states * _TABLE_BYTES[backend]
        smaller = "use value(...) and advice(...), which need no table"
        refuse_too_large(f"the table of {what}", needed, smaller, max_bytes)
    swept = cards.commonest_last()
    widest = swept.widest(banded=not (exact or table))
    refuse_too_large(what, widest * _LEVEL_BYTES[backend], instead)
    cells = swept.cells(banded=not (exact or table)) * len(swept.counts)
    seconds = real(cells) * _SECONDS[backend]
    refuse_too_long(what, seconds, instead, progress=progress)
