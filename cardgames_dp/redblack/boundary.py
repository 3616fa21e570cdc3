"""The stopping boundary of red/black: where to stop, without a table.

Under linear rules the stop set of each n is ``red <= top(n)``, or in the words of a
player ``excess >= n - 2 top(n)``. Read the other way round, along a fixed excess k, it
is the thresholds n_k: stop at excess k exactly when no more than n_k cards remain.

They exist when a red card gains at least what a black one costs. Then a pair of cards,
one of each colour, can only help: a player who ignores the pair plays the smaller deck,
and by symmetry either card of the pair is as likely to be met before they stop. So if
stopping is right at (r + 1, b + 1), it is at (r, b).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._records import ArrayRecord
from cardgames_dp.diagonal import antidiagonal, refuse_too_large
from cardgames_dp.redblack.rules import Rules, Tie, checked
from cardgames_dp.redblack.sweep import Sweep

_LEVEL_BYTES = 48
"""Of a level of a boundary, as an array and as the list of ints that a loop reads."""

EXACT_EXCESS = 100
"""Decisions up to this excess are always settled, by integers where float64 cannot."""


def tops(
    rules: Rules, red: int, black: int, *, exact: bool, tie: Tie | None = None
) -> NDArray[np.int64]:
    """Return for each n the largest r at which stopping is right; -1 where none is.

    Parameters
    ----------
    rules : Rules
        Linear ones, without a utility.
    red, black : int
        The full deck; only cells that it can reach are meant.
    exact : bool
        Decide in integers, or in float64.
    tie : {"stop", "draw"}, optional
        The tie rule; that of `rules` if not given.

    Returns
    -------
    ndarray of int64, shape (red + black + 1,)
    """
    tie = rules.tie if tie is None else tie
    gain, cost, total = rules.gain, rules.cost, red + black
    refuse_too_large(
        f"the boundary of {total} levels",
        _LEVEL_BYTES * total,
        "use value(...), or thresholds(...) with a bound on the excess",
    )
    if gain <= 0 or cost == 0:
        return _tops_of_free_cards(rules, total, tie)
    result = np.zeros(total + 1, dtype=np.int64)
    if red == 0 or black == 0:
        return result
    top = n = 0
    for level in Sweep.of(rules, red, black, exact=exact, tie=tie).levels():
        n, top = level.n, level.top
        result[n] = top
    # Out of the deck's reach the boundary keeps its place; a deck that stops, stops.
    result[n + 1 :] = red if top >= red else top
    return result


def _tops_of_free_cards(rules: Rules, total: int, tie: Tie) -> NDArray[np.int64]:
    """Return the boundary of rules under which a colour costs or brings nothing.

    Then whole lines of cells tie: those where only such cards are left.
    """
    all_stop, none_stops = np.arange(total + 1), np.full(total + 1, -1)
    if rules.gain < 0 or (rules.gain == 0 and tie == "stop"):
        return all_stop
    if rules.gain == 0:
        return none_stops if rules.cost == 0 else all_stop - 1
    return none_stops if tie == "draw" else none_stops + 1


@dataclass(frozen=True, slots=True, eq=False)
class Boundary(ArrayRecord):
    """The stopping boundary of a solved deck, in both forms.

    Attributes
    ----------
    red, black : int
        The full deck.
    rules : Rules
    excess : ndarray of int64, shape (red + black + 1,), read-only
        For each number n of cards remaining, the smallest excess (black less red
        remaining) at which the player stops: at (r, b) they stop exactly when
        ``b - r >= excess[r + b]``. It is n + 1, which no state has, where they do not
        stop in any state of the deck.
    """

    red: int
    black: int
    rules: Rules
    excess: NDArray[np.int64]

    @classmethod
    def of_table(cls, rules: Rules, stop: NDArray[np.bool_]) -> Boundary:
        """Read the boundary off a table of stops, indexed ``[red, black]`` remaining.

        Raises
        ------
        ValueError
            If for some n the stop set is not one-sided.
        """
        red, black = stop.shape[0] - 1, stop.shape[1] - 1
        excess = np.arange(1, red + black + 2)
        for n in range(red + black + 1):
            first, last = max(0, n - black), min(red, n)
            stops = antidiagonal(stop, n, first, last)
            count = int(np.count_nonzero(stops))
            if not stops[:count].all():
                raise ValueError(
                    f"with {n} cards remaining the stop set is not one-sided, so there "
                    "is no boundary; Solution.stop tells where to stop"
                )
            if count:
                excess[n] = n - 2 * (first + count - 1)
        return cls(red, black, rules, excess)

    @property
    def thresholds(self) -> NDArray[np.int64]:
        """The thresholds that the deck determines: entry ``k - 1`` is n_k.

        At excess k the player stops exactly when at most n_k cards remain. A deck
        determines n_k if it also has states of excess k with more cards.

        Raises
        ------
        ValueError
            If the rules have no thresholds (see :func:`thresholds`).
        """
        _refuse_rules_without_thresholds(self.rules)
        found = []
        for k in range(1, self.black + 1):
            # States of excess k: red = (n - k) / 2 and black = (n + k) / 2.
            n = np.arange(k, min(2 * self.red + k, 2 * self.black - k) + 1, 2)
            stops = self.excess[n] <= k
            if stops.all():
                break
            found.append(int(n[stops].max()))
        return np.array(found, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Thresholds(ArrayRecord):
    """The largest n at which stopping is right, for each excess: n_1, n_2, ...

    A sequence of ints, and an array to NumPy. ``thresholds[0]`` is n_1.

    Attributes
    ----------
    n : ndarray of int64, read-only
        ``n[k - 1]`` is n_k: the player stops at excess k (black less red remaining)
        exactly when no more than n_k cards remain. -1 where the decision is not known.
    exact_up_to : int
        The largest excess up to which every decision is certain.
    undecided : tuple of int
        The excesses whose threshold float64 could not tell.
    rules : Rules
    """

    n: NDArray[np.int64]
    exact_up_to: int
    undecided: tuple[int, ...]
    rules: Rules

    def __len__(self) -> int:
        return len(self.n)

    def __iter__(self) -> Iterator[int]:
        return iter(self.n.tolist())

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        found: int | list[int] = self.n[index].tolist()
        return found

    def __array__(
        self, dtype: np.dtype[np.generic] | None = None, copy: bool | None = None
    ) -> NDArray[np.generic]:
        return (
            np.array(self.n, dtype=dtype) if copy else np.asarray(self.n, dtype=dtype)
        )

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self[:8])) + (", ..." if len(self) > 8 else "")
        return (
            f"Thresholds(n=[{shown}], exact_up_to={self.exact_up_to}, "
            f"undecided={self.undecided})"
        )


def thresholds(max_excess: int, *, rules: Rules | None = None) -> Thresholds:
    """Return the thresholds of the stopping boundary, n_1 to n_max_excess, by a sweep.

    The player stops at excess k (black less red cards remaining; how far ahead the
    player of a balanced deck is) exactly when at most n_k cards remain.

    A decision compares two float64 numbers whose error is bounded; those that the bound
    leaves open are settled in integers up to excess 100, where the classic game has
    one, the tie at 1 red and 2 black, and reported beyond.

    Parameters
    ----------
    max_excess : int
        The largest excess asked for, at least 1. Time grows as its cube: 1000 takes
        some 4 seconds.
    rules : Rules, optional
        Linear rules under which a red card gains at least what a black one costs, and
        both something; ``rules.tie`` says whether the boundary includes the cells where
        both are worth the same. The classic ones if not given.

    Returns
    -------
    Thresholds
        In every array, entry ``k - 1`` belongs to excess k.

    Raises
    ------
    TypeError, ValueError
        If `max_excess` is not an integer >= 1, or `rules` have no thresholds.

    References
    ----------
    W. M. Boyce, "On a simple optimal stopping problem", Discrete Mathematics 5 (1973),
    297-312, tabulates the boundary of decks of up to 200 cards.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.thresholds(12)[:]
    [3, 8, 17, 28, 41, 58, 79, 100, 127, 154, 185, 220]
    """
    max_excess = _checks.integer("max_excess", max_excess, minimum=1)
    rules = checked(rules)
    _refuse_rules_without_thresholds(rules)
    # The boundary is at 0.84 sqrt(n) or beyond: met long before this deck ends.
    deck = 4 * (max_excess + 2) ** 2
    last = np.zeros(max_excess + 3, dtype=np.int64)  # of each excess, with its parity
    doubtful: dict[int, list[int]] = {}  # excess -> levels
    sweep = Sweep.of(rules, deck, deck, exact=False, tie=rules.tie)
    for level in sweep.levels():
        excess = level.n - 2 * level.top
        if excess > max_excess + 1:
            break
        last[excess] = level.n
        if not sweep.certain(level):
            decided = excess if level.rose else excess - 2
            doubtful.setdefault(decided, []).append(level.n)
    undecided = []
    for excess, levels in doubtful.items():
        if excess <= EXACT_EXCESS:
            stopping = (n for n in reversed(levels) if _stops(rules, n, excess))
            last[excess] = next(stopping, levels[0] - 2)
        elif excess <= max_excess:
            undecided.append(excess)
            last[excess] = -1
    result = last[1 : max_excess + 1].copy()
    exact_up_to = min(undecided, default=max_excess + 1) - 1
    return Thresholds(result, exact_up_to, tuple(undecided), rules)


def _stops(rules: Rules, n: int, excess: int) -> bool:
    """Return whether stopping is right at a state, decided in integers."""
    red = (n - excess) // 2
    return bool(tops(rules, red, n - red, exact=True)[n] >= red)


def _refuse_rules_without_thresholds(rules: Rules) -> None:
    if rules.utility is not None:
        raise ValueError(
            "rules must be linear, without a utility, to have thresholds; "
            "use solve(...).stop"
        )
    if not rules.gain >= rules.cost > 0:
        raise ValueError(
            "rules must have win - fee >= lose + fee > 0 to have thresholds (else "
            "stopping can be right with many cards and wrong with fewer), got "
            f"win - fee = {rules.gain}, lose + fee = {rules.cost}; "
            "use solve(...).boundary.excess"
        )
