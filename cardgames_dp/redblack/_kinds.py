"""Decks of several kinds: reading of arguments, solutions and advice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _records
from cardgames_dp._advice import AdviceRecord
from cardgames_dp._checks import Backend
from cardgames_dp._numbers import Number, printable, short
from cardgames_dp._records import ArrayRecord
from cardgames_dp.redblack._kernels.kinds import Kinds
from cardgames_dp.redblack.advice import Action

Deck: TypeAlias = Mapping[Any, SupportsIndex] | Iterable[tuple[Any, SupportsIndex]]
"""Worths, and the number of cards of each."""

_WORTH = "a finite int, Fraction, Decimal or float, or one written as text, '-1/20'"


@dataclass(frozen=True, slots=True, repr=False)
class Advice(AdviceRecord[Action, Number], Generic[Number]):
    """What to do in one state of a deck of several kinds; prints as a sentence.

    Attributes
    ----------
    action : {"draw", "stop"}
        What an optimal player does, who stops in a tie.
    best : tuple of {"draw", "stop"}
        The optimal actions: both in a tie; in float64, up to rounding.
    worths : mapping of {"draw", "stop"} to float or Fraction
        The expected final cash after each action.
    left : tuple of pairs of Fraction and int
        The worths of the deck, the best first, and the number of cards that remain of
        each.
    cash : float or Fraction
        The cash in hand.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> advice = redblack.kinds.advice({3: 1, -1: 3}, {3: 1, -1: 2}, backend="exact")
    >>> advice.action, advice.worths["draw"], advice.margin
    ('draw', Fraction(1, 1), Fraction(2, 1))
    """

    left: tuple[tuple[Fraction, int], ...]
    cash: Number

    def __str__(self) -> str:
        return f"{self._summary()}."

    def _summary(self) -> str:
        cards = ", ".join([f"{count} of {short(worth)}" for worth, count in self.left])
        position = f"{cards} left, {short(self.cash)} in hand"
        if "draw" not in self.worths:
            return f"{position}: the deck is empty, the game is over"
        stop, draw = short(self.worths["stop"]), short(self.worths["draw"])
        if self.tie:
            return f"{position}: drawing and stopping are both worth {stop}"
        if self.action == "draw":
            return f"{position}: draw, worth {draw}; stopping is worth {stop}"
        return f"{position}: stop, worth {stop}; drawing is worth {draw}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution(ArrayRecord, Generic[Number]):
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
    2 of 1, 0 of 0, 4 of -1 left, 2 in hand: stop, worth 2; drawing is worth 1.8.
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

    def advice(self, left: Deck) -> Advice[Number]:
        """Return what to do now, given the cards that remain of each worth.

        Parameters
        ----------
        left : mapping of worth to int, or iterable of pairs
            The number of cards that remain of each worth; 0 for worths that are not
            named.

        Returns
        -------
        Advice
            With floats, or with Fractions for an exact solution.

        Raises
        ------
        TypeError, ValueError
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
        found: Advice[Any]
        found = advice_on(cards, rest, ahead, tie, exact=self.backend == "exact")
        return found

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions become text.
        """
        own = _records.plain(self, json=json)
        return {**own, "value": _records.plain(self.value, json=json)}

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
        raise TypeError(f"{must}, got {_checks.described(given)}")
    counts: dict[Fraction, int] = {}
    for pair in _checks.items(name, pairs):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(f"{must}, got the item {_checks.shown(pair)}")
        worth = _checks.finite(f"a worth of {name}", pair[0], _WORTH, text=True)
        count = _checks.integer(f"{name}[{_checks.shown(pair[0])}]", pair[1])
        counts[worth] = counts.get(worth, 0) + count
    if len(counts) < least:
        raise ValueError(f"{must}, at least one, got {_checks.shown(given)}")
    worths = sorted(counts, reverse=True)
    return Kinds(tuple(worths), tuple([counts[worth] for worth in worths]))


def part(deck: Kinds, left: object) -> Kinds:
    """Return how many cards remain of each kind of a deck."""
    rest = dict(zip(*read("left", left, least=0), strict=True))
    for worth, count in rest.items():
        held = dict(zip(*deck, strict=True)).get(worth, 0)
        if count > held:
            raise ValueError(
                f"left must be a part of the deck, which has {_checks.shown(held)} "
                f"cards of {short(worth)}, got {_checks.shown(count)}"
            )
    return Kinds(deck.worths, tuple([rest.get(worth, 0) for worth in deck.worths]))


def advice_on(
    deck: Kinds,
    rest: Kinds,
    ahead: float | Fraction | None,
    tie: bool,
    *,
    exact: bool,
) -> Any:
    """Return the advice for a state in which drawing leads stopping by `ahead`."""

    def number(amount: Any) -> Any:
        return printable(Fraction(amount)) if exact else float(amount)

    cash = deck.cash() - rest.cash()
    worths: dict[Action, Any] = {"stop": number(cash)}
    if ahead is not None:
        worths["draw"] = worths["stop"] if tie else number(worths["stop"] + ahead)
    action: Action = "draw" if ahead is not None and ahead > 0 and not tie else "stop"
    best: tuple[Action, ...] = ("stop", "draw") if tie else (action,)
    left = tuple(zip(deck.worths, rest.counts, strict=True))
    return Advice(action, best, worths, left=left, cash=worths["stop"])


def _one_less(counts: tuple[int, ...], kind: int) -> tuple[int, ...]:
    return tuple([count - (i == kind) for i, count in enumerate(counts)])
