"""Stop sets: where a player stops, asked level by level.

Each kind answers two questions about the states with n cards remaining: for simulated
games, which of many games stop, given their red cards; for play run forwards, in which
states from `first` to `last` red cards play ends, as indices ``r - first``. Neither is
asked about the empty deck, which ends every game. These are classes, not functions, as
those can be sent to other processes.

A *mixed* policy stops with a probability. It answers either question with an array of
the probabilities in all states asked about: floats or, in exact arithmetic, Fractions.

`best_within` computes that of the best player with a floor for the cash, or a limit of
draws. Such a player may draw only if the worst card left still leaves the cash at the
floor or above, and only until the draws are used up. In all other cells the maximum of
the recurrence is taken. With a floor the stop set need not have a single boundary,
because more cash leaves more room: the result is a list of runs of red cards in which
the player goes on, level by level. Under linear rules and in float64, only the band is
computed that a path from the full deck may visit
(`cardgames_dp.redblack._kernels.band`). Outside of it the player is assumed to stop.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import ArrayRecord
from cardgames_dp._support import arguments
from cardgames_dp._support.running import tracked
from cardgames_dp.redblack._kernels import limits, recurrence
from cardgames_dp.redblack._kernels.recurrence import Barred, antidiagonal
from cardgames_dp.redblack._kernels.scaling import BLOCK, Band
from cardgames_dp.redblack.rules import Rules, Stakes, as_float


class StopSet(Protocol):
    """Where a player of a full deck stops."""

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[Any]:
        """Return whether games stop with n cards remaining, r of them red.

        Of a mixed policy, the probabilities in float64.
        """

    def among(self, n: int, first: int, last: int) -> Ends:
        """Return the indices of the states that stop: a range from 0 on, or a list.

        Of a mixed policy, an array of probabilities.
        """


Ends: TypeAlias = Sequence[int] | NDArray[Any]
"""Where play ends: indices of states, or for all states the probability."""


def chances(ends: Ends, count: int) -> NDArray[Any]:
    """Return the probability of stopping in each of some states."""
    if isinstance(ends, np.ndarray):
        return ends
    found = np.zeros(count, dtype=np.int64)
    found[ends] = 1
    return found


@dataclass(frozen=True, slots=True)
class Edges:
    """A player who goes on exactly where ``ahead[n] < r < behind[n]``.

    The fewer red cards remain, the more cash is in hand. The edges are lists of Python
    ints, which do not widen arrays of short integers.
    """

    ahead: list[int]
    behind: list[int]

    @classmethod
    def of(
        cls,
        cards: int,
        ahead: NDArray[np.int64] | None = None,
        behind: NDArray[np.int64] | None = None,
    ) -> Edges:
        """Return the edges from arrays by n; without an array that edge never stops."""
        levels = np.arange(cards + 1)
        return cls(
            (levels * 0 - 1 if ahead is None else ahead).tolist(),
            (levels + 1 if behind is None else behind).tolist(),
        )

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[np.bool_]:
        """Return whether games stop with n cards remaining, r of them red."""
        stops: NDArray[np.bool_] = r <= self.ahead[n]
        if self.behind[n] <= n:
            stops |= r >= self.behind[n]
        return stops

    def among(self, n: int, first: int, last: int) -> Sequence[int]:
        """Return the indices of the states that stop."""
        low = min(max(self.ahead[n] + 1, first), last + 1) - first
        high = self.behind[n] - first
        if high > last - first:
            return range(low)
        return [*range(low), *range(max(low, high), last - first + 1)]


@dataclass(frozen=True, slots=True)
class Runs:
    """A player who goes on in runs of red cards: any set of states.

    ``bounds[n]`` lists where the first run begins, where it has ended, where the second
    run begins, and so on.
    """

    bounds: list[list[int]]

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[np.bool_]:
        """Return whether games stop with n cards remaining, r of them red."""
        passed = np.searchsorted(self.bounds[n], r.astype(np.int64), side="right")
        stops: NDArray[np.bool_] = passed % 2 == 0
        return stops

    def among(self, n: int, first: int, last: int) -> Sequence[int]:
        """Return the indices of the states that stop."""
        starts = [first, *self.bounds[n][1::2]]
        ends = [*self.bounds[n][::2], last + 1]
        found: list[int] = []
        for start, end in zip(starts, ends, strict=True):
            found += range(max(start, first) - first, min(end, last + 1) - first)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Table(ArrayRecord):
    """A player whose stops are a table, indexed ``[red, black]``."""

    table: NDArray[np.bool_]

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[np.bool_]:
        """Return whether games stop with n cards remaining, r of them red."""
        reds = r.astype(np.intp)
        stops: NDArray[np.bool_] = self.table[reds, n - reds]
        return stops

    def among(self, n: int, first: int, last: int) -> Sequence[int]:
        """Return the indices of the states that stop."""
        found: list[int] = np.flatnonzero(
            antidiagonal(self.table, n, first, last)
        ).tolist()
        return found


@dataclass(frozen=True, slots=True)
class Always:
    """A player who stops with the same probability everywhere."""

    chance: float | Fraction

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[np.float64]:
        """Return the probability of stopping."""
        return np.full(len(r), float(self.chance))

    def among(self, n: int, first: int, last: int) -> NDArray[Any]:
        """Return the probability of stopping."""
        return np.full(last - first + 1, self.chance)


@dataclass(frozen=True, slots=True)
class Asked:
    """A player given as a function of red and black cards; each result is checked."""

    policy: Callable[..., object]
    red: int
    black: int
    exact: bool = False

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[Any]:
        """Return whether games stop; the function is called with the whole level."""
        first, last = max(0, n - self.black), min(self.red, n)
        answer = self._answer(n, first, last)[r.astype(np.intp) - first]
        return answer if answer.dtype == np.bool_ else answer.astype(np.float64)

    def among(self, n: int, first: int, last: int) -> Ends:
        """Return the indices of the states that stop; no others are asked about."""
        answer = self._answer(n, first, last)
        if answer.dtype != np.bool_:
            return answer
        found: list[int] = np.flatnonzero(answer).tolist()
        return found

    def _answer(self, n: int, first: int, last: int) -> NDArray[Any]:
        expected = "policy must return a bool array of the shape of its arguments"
        reds = np.arange(first, last + 1)
        try:
            answer = self.policy(reds, n - reds)
        except Exception as error:
            error.add_note(
                "policy was called with arrays of the red and of the black cards that "
                "remain, of one dimension, and must return an array of bool"
            )
            raise
        if not isinstance(answer, np.ndarray):
            raise TypeError(f"{expected}, got {type(answer).__name__}")
        if answer.dtype.kind not in "bfO":
            raise TypeError(f"{expected}, got one of dtype {answer.dtype}")
        if answer.shape != (last - first + 1,):
            raise ValueError(
                f"{expected}, {(last - first + 1,)}, got shape {answer.shape}"
            )
        return answer if answer.dtype == np.bool_ else self._chances(answer)

    def _chances(self, answer: NDArray[Any]) -> NDArray[Any]:
        """Return probabilities of stopping, checked."""
        must = "policy must return probabilities of stopping from 0 to 1"
        if self.exact:
            if answer.dtype != object:
                raise TypeError(
                    f"{must} that are Fractions, with backend='exact', got an array of "
                    f"dtype {answer.dtype}"
                )
            found = [arguments.finite("a probability of policy", p) for p in answer]
            answer = np.array([*found, None], dtype=object)[:-1]
        elif answer.dtype == object:
            answer = answer.astype(np.float64)
        right = (answer >= 0) & (answer <= 1)
        if not right.all():
            raise ValueError(f"{must}, got {answer[right.argmin()]}")
        return answer


@dataclass(frozen=True, slots=True)
class Either:
    """A player who stops where any of several players stops."""

    parts: tuple[StopSet, ...]

    def __call__(self, n: int, r: NDArray[Any]) -> NDArray[Any]:
        """Return whether games stop with n cards remaining, r of them red."""
        stops = [part(n, r) for part in self.parts]
        if any(each.dtype != np.bool_ for each in stops):
            return _of_any(stops)
        either: NDArray[np.bool_] = np.any(stops, axis=0)
        return either

    def among(self, n: int, first: int, last: int) -> Ends:
        """Return the indices of the states that stop."""
        found = [part.among(n, first, last) for part in self.parts]
        if any(isinstance(each, np.ndarray) for each in found):
            return _of_any([chances(each, last - first + 1) for each in found])
        return sorted({i for each in found for i in each})


def _of_any(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return the probability that any of several players stops, independently."""
    goes_on = parts[0] * 0 + 1
    for part in parts:
        goes_on = goes_on * (1 - part)
    stops: NDArray[Any] = 1 - goes_on
    return stops


def either(parts: Sequence[StopSet]) -> StopSet:
    """Return where any of several players stops, as edges if they all have them."""
    edges = [part for part in parts if isinstance(part, Edges)]
    if len(edges) < len(parts):
        return Either(tuple(parts))
    ahead = np.max([part.ahead for part in edges], axis=0)
    behind = np.min([part.behind for part in edges], axis=0)
    return Edges(ahead.tolist(), behind.tolist())


_TIE = 2.0**-46
"""Worths that differ by at most this share of their terms are a tie."""


class _Level(NamedTuple):
    """By how much drawing leads stopping, times a positive number, from `first` on."""

    n: int
    first: int
    advantage: NDArray[Any]


def best_within(
    rules: Rules,
    red: int,
    black: int,
    loss: Fraction | None,
    draws: int | None,
    *,
    exact: bool,
) -> Runs:
    """Return the stops of the best player with a limited loss, or number of draws."""
    limits.refuse_floor(rules, red, black, exact=exact)
    barred = _barred(rules, red, black, loss, draws)
    if exact:
        levels = _exact(rules, red, black, barred)
    elif rules.utility is not None:
        levels = _with_utility(rules, red, black, barred)
    elif rules.gain <= 0:
        levels = _hopeless(rules, red, black)
    else:
        begin = 0 if draws is None else max(red + black - draws, 0)
        levels = _linear(rules, red, black, barred, begin)
    ties = rules.tie == "draw"
    bounds: list[list[int]] = [[]] * (red + black + 1)
    for level in tracked(levels, red + black + 1, "levels"):
        bounds[level.n] = _runs(level, barred(level.n), draws_at_ties=ties)
    return Runs(bounds)


def _barred(
    rules: Rules, red: int, black: int, loss: Fraction | None, draws: int | None
) -> Barred:
    """Return for each n where the player may not draw: a range of r, or none."""
    last = -1 if draws is None else red + black - draws
    floored = None if loss is None else _floored(rules, red, black, loss)

    def barred(n: int) -> tuple[int, int]:
        if n <= last:
            return 0, n
        return floored(n) if floored else (n + 1, n)

    return barred


def _floored(rules: Rules, red: int, black: int, loss: Fraction) -> Barred:
    """Return for each n where another card may leave less than the floor."""
    unit = Fraction(1, math.lcm(rules.cash_unit.denominator, loss.denominator))
    gain, cost, floor = (int(x / unit) for x in (rules.gain, rules.cost, loss))

    def floored(n: int) -> tuple[int, int]:
        # The cash with r red cards is gain (red - r) - cost (black - (n - r)); black
        # cards are the worst, as long as there are any.
        spare = gain * red - cost * (black - n) - cost + floor
        if gain + cost:
            first = max(spare // (gain + cost) + 1, 0)
        else:
            first = 0 if spare < 0 else n + 1
        if first > n or gain * (red - n) - cost * black + min(gain, 0) < -floor:
            return first, n
        return first, n - 1

    return floored


def _runs(level: _Level, barred: tuple[int, int], *, draws_at_ties: bool) -> list[int]:
    """Return the bounds of the runs of r in which the player goes on."""
    _, first, advantage = level
    goes_on = advantage >= 0 if draws_at_ties else advantage > 0
    goes_on[max(barred[0] - first, 0) : max(barred[1] + 1 - first, 0)] = False
    bounds: list[int] = (
        np.flatnonzero(goes_on[1:] != goes_on[:-1]) + first + 1
    ).tolist()
    last = first + len(goes_on) - 1
    if len(goes_on) and goes_on[0]:
        bounds.insert(0, first)
    if len(goes_on) and goes_on[-1]:
        bounds.append(last + 1)
    return bounds


def _exact(rules: Rules, red: int, black: int, barred: Barred) -> Iterator[_Level]:
    for level in recurrence.exact_levels(rules, red, black, barred):
        yield _Level(level.n, level.first, level.draw - level.stop)


def _with_utility(
    rules: Rules, red: int, black: int, barred: Barred
) -> Iterator[_Level]:
    for level in recurrence.float_levels(rules, red, black, barred):
        advantage = recurrence.ahead(level.draw, level.stop)
        advantage[np.abs(advantage) <= level.error] = 0  # a tie, to rounding
        yield _Level(level.n, level.first, advantage)


def _hopeless(rules: Rules, red: int, black: int) -> Iterator[_Level]:
    """Yield the levels of a game in which no card has a gain."""
    for n in range(red + black + 1):
        r = np.arange(max(0, n - black), min(red, n) + 1)
        free = (r == 0) if rules.gain else np.ones(len(r), bool)
        free &= (r == n) | (rules.cost == 0)
        yield _Level(n, int(r[0]), np.where(free, 0, -1))


def _linear(
    rules: Rules, red: int, black: int, barred: Barred, begin: int
) -> Iterator[_Level]:
    """Yield the levels of marginal values ``max(0, r/n (g + v) + b/n (v' - c))``.

    They begin at `begin`; the player does not draw at lower levels.
    """
    stakes = Stakes.of(rules)
    gain, cost = as_float(stakes.gain), as_float(stakes.cost)
    band = Band(red, black) if min(red, black) else None
    reds, lowest, highest = np.arange(red + 1.0), 0, red
    values, start = np.zeros(0), 0
    for n in range(begin, red + black + 1):
        if band and (n % BLOCK == 0 or n == begin):
            lowest, highest = band.over(n, min(n + BLOCK - 1, red + black))
        first, last = max(0, n - black, lowest), min(red, n, highest)
        # v of the level before, for r from first - 1 to last; 0 where it was not kept.
        before = np.zeros(last - first + 2)
        low, high = max(first - 1, start), min(last, start + len(values) - 1)
        if low <= high:
            kept = values[low - start : high + 1 - start]
            before[low - first + 1 : high - first + 2] = kept
        r = reds[first : last + 1]
        by_red, by_black = r * (before[:-1] + gain), (n - r) * (before[1:] - cost)
        advantage = by_red + by_black
        advantage[np.abs(advantage) <= _TIE * (by_red + cost * n)] = 0
        bars = slice(*(max(bar - first, 0) for bar in (barred(n)[0], barred(n)[1] + 1)))
        advantage[bars] = 0
        yield _Level(n, first, advantage)
        values, start = np.maximum(advantage, 0) / max(n, 1), first
