"""Decks of several kinds of cards: the recurrence with a maximum in every cell.

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
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.printing import printable
from cardgames_dp._support.running import tracked
from cardgames_dp.redblack._kernels.scaling import Band

UNIT_ROUNDOFF = 2.0**-53


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
        bits = (len(self.worths) + 3) * cards * UNIT_ROUNDOFF + 2**-60
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


class Level(NamedTuple):
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


def value(deck: Kinds, *, exact: bool) -> float | Fraction:
    """Return the value of a full deck."""
    ahead = draw(deck, exact=exact)
    return max(ahead, type(ahead)(0))


def draw(deck: Kinds, *, exact: bool) -> float | Fraction:
    """Return by how much drawing leads stopping with a full deck."""
    deck = deck.commonest_last()
    levels = exact_levels(deck) if exact else float_levels(deck, banded=True)
    steps = tracked(levels, deck.total + 1, "levels")
    for level in steps:
        found = level
    (ahead,) = level.ahead.ravel().tolist()
    if found.denominators is None:
        return float(ahead)
    return Fraction(ahead, found.denominators.item())


def tables(deck: Kinds, *, exact: bool) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return the values and ties of all states, indexed by the numbers of each kind."""
    shape = tuple([count + 1 for count in deck.counts])
    deck = deck.with_axes()
    whole = tuple([count + 1 for count in deck.counts])
    values = np.zeros(whole, dtype=object if exact else np.float64)
    ties = np.zeros(whole, dtype=bool)
    levels = exact_levels(deck) if exact else float_levels(deck, banded=False)
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


def float_levels(deck: Kinds, *, banded: bool) -> Iterator[Level]:
    """Yield the levels n = 0, 1, ... in float64."""
    worths = [float(worth) for worth in deck.worths]
    frame = _Frame(deck, banded)
    lows, numbers, last, valid = frame.level(0)
    best: NDArray[np.float64] = np.zeros(valid.shape)
    for n in range(deck.total + 1):
        if n:
            before = lows, best
            lows, numbers, last, valid = frame.level(n)
            ahead = last * (worths[-1] + shifted(*before, lows, valid.shape))
            for axis, (worth, number) in enumerate(zip(worths, numbers, strict=False)):
                one_less = [low - (i == axis) for i, low in enumerate(lows)]
                ahead += number * (worth + shifted(*before, one_less, valid.shape))
            ahead = np.where(valid, ahead / n, 0.0)
            best = np.maximum(ahead, 0.0)
        else:
            ahead = best
        yield Level(n, lows, valid, ahead)


def exact_levels(deck: Kinds) -> Iterator[Level]:
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
            orders = np.add.reduce([shifted(*ways, s, valid.shape) for s in starts])
            drawn = np.add.reduce([shifted(*before, s, valid.shape) for s in starts])
            orders, drawn = np.where(valid, orders, 0), np.where(valid, drawn, 0)
        else:
            drawn = best
        rest = last.astype(object) * worths[-1]
        for worth, number in zip(worths, numbers, strict=False):
            rest = rest + number.astype(object) * worth
        stop = -rest * orders
        best = np.maximum(stop, drawn)
        yield Level(n, lows, valid, drawn - stop, orders * unit)


def shifted(
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
