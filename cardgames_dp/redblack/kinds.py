"""Decks of several kinds of cards, with more than two worths.

A deck is a mapping of worths to numbers of cards: ``{2: 2, 0: 3, -1: 5}`` has two cards
that pay 2, three cards that pay nothing and five cards that cost 1. Otherwise the game
is red/black: the player turns over the cards one by one and stops at any time.

The number of states is the product of the numbers of cards, each plus one. Three kinds
of a thousand cards each take seconds, because all but the likely states can be left
out. A deck of 52 cards with 13 ranks, each with its own worth, has ``5**13`` states,
1.2 billion, which is too many.

Draw if the `value` of the remaining cards is positive. For distributions, and for other
policies and their mistakes, give `game` to `cardgames_dp.play`, with up to some
millions of states. A million takes a second, and `value` a thirtieth of that, with a
hundredth of the memory.

Examples
--------
What may an optimal player win, and what is it worth to draw until a card pays?

>>> import numpy as np
>>> from cardgames_dp import diagonal, play, redblack
>>> game = redblack.kinds.game({2: 2, 0: 3, -1: 5})
>>> solution = diagonal.solve(game)
>>> solution
Solution(value=0.8095238095, num_states=214, ties=3, possible_ties=4, \
error=..., tie_break='first')
>>> print(play.distribution(solution).returns[0])
return  probability
    -1     0.190476
     0     0.142857
     1     0.333333
     2     0.333333
(mean 0.809524, standard deviation 1.09627)
>>> def paid(states):
...     return np.where(states[:, 0] < 2, 1, 2)         # 1 is to stop, 2 to draw
>>> play.evaluate(game, paid).value
0.333...

How the value is found
----------------------
A state is how many cards of each kind remain, x = (x_1, ..., x_k), n in all. With
worths w_i the value of playing on is::

    v(x) = max(0, sum of x_i / n (w_i + v(x - e_i))).

All states with n cards are a level. The number of the last kind is n minus the others,
so a level is an array of k - 1 dimensions, computed from the level before in k shifts.

Levels hold v itself. Only a *band* of each level is swept.
The number of cards of one kind that remain has the same law as the red cards of a deck
of two colours, so the band of ``cardgames_dp.redblack._kernels.scaling`` is valid for
each kind. A player who leaves the band is assumed to stop there, so the result is a
lower bound up to rounding; the probability of leaving it is at most ``2 k 2**-64``.

Rounding: values are at most M, the sum of all positive worths, so each level adds at
most ``(k + 3) u (M + max |w|)`` to the error, with u = 2**-53; a mean and a maximum do
not enlarge errors.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any, Literal, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import exact
from cardgames_dp._support import arguments
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import short
from cardgames_dp._support.running import refuse_too_large, with_progress
from cardgames_dp.game import ArrayGame
from cardgames_dp.redblack._kernels.scaling import Band
from cardgames_dp.redblack.cards import CardsInArrays
from cardgames_dp.redblack.rules import Rules

__all__ = ["game", "value"]
__dir__ = __all__.copy  # for completion

Deck: TypeAlias = Mapping[Any, SupportsIndex] | Iterable[tuple[Any, SupportsIndex]]
"""Worths, and the number of cards of each."""

_MOST_CELLS = 10**14
"""The most cells of all levels, for each kind: beyond, a sweep would take days."""

_LEVEL_BYTES, _STATE_BYTES = 60, 1000
"""The memory for a cell of the largest level, and for a state in exact numbers."""

_WORTH = "a finite int, Fraction, Decimal or float, or one written as text, '-1/20'"


@overload
def value(deck: Deck, *, backend: Literal["float64"] = "float64") -> float: ...
@overload
def value(deck: Deck, *, backend: Literal["exact"]) -> Fraction: ...
@suggest_arguments
def value(deck: Deck, *, backend: Backend = "float64") -> float | Fraction:
    """Return the value of a deck of several kinds of cards under optimal play.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    deck : mapping of worth to int, or iterable of pairs
        The number of cards of each worth. Worths are ints, Fractions, Decimals, floats
        or text, of any sign.
    backend : {"float64", "exact"}
        The arithmetic. float64 sweeps only the likely states; the exact backend solves
        the :func:`game`, a quarter of a million states in two seconds.

    Returns
    -------
    float or Fraction
        The expected winnings from playing on, never negative; 0 where it is right to
        stop.

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
    worths, counts = parse_deck(deck)
    total, states = sum(counts), math.prod([count + 1 for count in counts])
    what = f"a deck of {arguments.shown(states)} states"
    instead = "merge kinds of about the same worth, or use a smaller deck"
    if arguments.backend(backend) == "exact":
        refuse_too_large(what, states * _STATE_BYTES, instead)
        return exact.solve(CardsInArrays(Rules(), worths, counts)).value
    largest = max(map(abs, worths))
    if largest * (total + 1) > Fraction(10**300):
        raise ValueError(
            "deck must have worths that float64 can sum, got one of "
            f"{short(largest)}; use backend='exact'"
        )
    if len(counts) == 1:  # two kinds at least, so that levels have axes
        worths, counts = (Fraction(0), *worths), (0, *counts)
    # With the commonest kind last, levels are smallest; here two hundred of them.
    kinds = sorted(zip(counts, worths, strict=True), key=itemgetter(0))
    counts = tuple([count for count, _ in kinds])
    levels = range(0, total + 1, 1 + total // 200)
    ranges = [likely_counts(counts, n) for n in levels]
    sizes = [math.prod([high - low + 1 for low, high in each]) for each in ranges]
    refuse_too_large(what, max(sizes) * _LEVEL_BYTES, instead)
    cells = sum(sizes) * (total + 1) // len(sizes) * len(counts)
    arguments.at_most("the likely states of deck", cells, _MOST_CELLS, instead)
    return max(_advantage_of_drawing([float(worth) for _, worth in kinds], counts), 0.0)


@suggest_arguments
def game(deck: Deck) -> ArrayGame:
    """Return the game as an array game, for either backend and `cardgames_dp.play`.

    Grade: exact.

    Parameters
    ----------
    deck : mapping of worth to int, or iterable of pairs
        As for :func:`value`.

    Returns
    -------
    ArrayGame
        A game for one player; chance draws the cards. Its states are rows of integers:
        the cards left of each kind, the best kind first, and 0 to decide, 1 after
        stopping or 2 to draw. Its actions are 1 to stop, which comes first, and 2 to
        draw. Cards pay when they are drawn.

    Examples
    --------
    >>> from cardgames_dp import exact, redblack
    >>> solution = exact.solve(redblack.kinds.game({2: 2, 0: 3, -1: 5}))
    >>> solution.value
    Fraction(17, 21)
    >>> solution.values([[1, 3, 5, 0]]).tolist()
    [Fraction(0, 1)]
    """
    return CardsInArrays(Rules(), *parse_deck(deck))


def parse_deck(given: object) -> tuple[tuple[Fraction, ...], tuple[int, ...]]:
    """Return a deck as worths, the best first, and numbers of cards."""
    must = "deck must be a mapping of worths to numbers of cards, or pairs of both"
    items = arguments.iterable(must, given)
    pairs = list(items.items()) if isinstance(items, Mapping) else items
    counts: dict[Fraction, int] = {}
    for pair in arguments.limited_items("deck", pairs):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(f"{must}, got the item {arguments.shown(pair)}")
        worth = arguments.finite("a worth of deck", pair[0], _WORTH, text=True)
        count = arguments.integer(f"deck[{arguments.shown(pair[0])}]", pair[1])
        counts[worth] = counts.get(worth, 0) + count
    if not counts:
        raise arguments.wrong_value(f"{must}, at least one", given)
    worths = sorted(counts, reverse=True)
    return tuple(worths), tuple([counts[worth] for worth in worths])


def likely_counts(counts: Sequence[int], n: int) -> list[tuple[int, int]]:
    """Return the likely numbers of each kind but the last, with n cards left."""
    ranges, total = [], sum(counts)
    for count in counts[:-1]:
        low, high = max(0, n - total + count), min(count, n)
        if total:
            first, last = Band(count, total - count).over(n, n)
            low, high = max(low, first), min(high, last)
        ranges.append((low, high))
    return ranges


def _advantage_of_drawing(worths: Sequence[float], counts: Sequence[int]) -> float:
    """Return by how much drawing leads stopping with a full deck, in float64."""
    total = sum(counts)
    lows, numbers, last, valid = _level(counts, 0)
    best: NDArray[np.float64] = np.zeros(valid.shape)
    ahead = best
    for n in with_progress(range(1, total + 1), total, "levels"):
        before = lows, best
        lows, numbers, last, valid = _level(counts, n)
        ahead = last * (worths[-1] + _shifted(*before, lows, valid.shape))
        for axis, (worth, number) in enumerate(zip(worths, numbers, strict=False)):
            one_less = [low - (i == axis) for i, low in enumerate(lows)]
            ahead += number * (worth + _shifted(*before, one_less, valid.shape))
        ahead = np.where(valid, ahead / n, 0.0)
        best = np.maximum(ahead, 0.0)
    return float(ahead.item())


def _shifted(
    start: Sequence[int],
    cells: NDArray[Any],
    begin: Sequence[int],
    shape: tuple[int, ...],
) -> NDArray[Any]:
    """Return a part of cells that begin at `start`, from `begin` on; 0 beyond them."""
    result = np.zeros(shape, dtype=cells.dtype)
    into, out = [], []
    for have, want, held, size in zip(start, begin, cells.shape, shape, strict=True):
        first, end = max(have, want), min(have + held, want + size)
        if first >= end:
            return result
        into.append(slice(first - want, end - want))
        out.append(slice(first - have, end - have))
    result[tuple(into)] = cells[tuple(out)]
    return result


def _level(
    counts: Sequence[int], n: int
) -> tuple[tuple[int, ...], list[NDArray[Any]], NDArray[Any], NDArray[np.bool_]]:
    """Return the states with n cards, an array over all kinds but the last.

    They are the least numbers of each kind; all numbers by axis, which broadcast
    against each other; those of the last kind; and whether there are so many.
    """
    ranges = likely_counts(counts, n)
    numbers = list(np.ix_(*[np.arange(low, high + 1) for low, high in ranges]))
    last = np.asarray(n - sum(numbers))
    valid = (last >= 0) & (last <= counts[-1])
    return tuple([low for low, _ in ranges]), numbers, last, valid
