"""A row and its rules in the form of the engines: integers, and the unit of results.

The engines see integers only: the cards times their least common denominator. Scaling
changes no decision, and no tie is an accident of rounding.

Two variations need no engine of their own:

- *Weights.* With cards worth p to the first player and q to the second, who holds the
  cards H and the others, the first is ahead by ``sum p(H) - sum q(not H)``, which is
  ``(sum w(H) - sum w(not H) + sum p - sum q) / 2`` for w = p + q. So both play for w.
- *Misère.* To want a difference small is to want it large with all cards negated.

They hold for any number of cards a turn.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from operator import sub
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.records import Record
from cardgames_dp._support.arguments import Backend
from cardgames_dp.game import TERMINAL

Number: TypeAlias = (
    int | Fraction | Decimal | float | str | np.integer[Any] | np.floating[Any]
)
"""What a card may be."""

Cards: TypeAlias = Iterable[Number] | NDArray[Any]
"""A row of cards, from left to right."""

Exact: TypeAlias = int | Fraction
"""An exact result: an int if all cards were integers, otherwise a Fraction."""

Real = TypeVar("Real", float, int | Fraction)
"""The numbers of a result: floats with the backend "float64", otherwise exact."""


LARGEST_SUM = 2**62
"""Absolute values with a smaller sum are safe: twice as much still fits in an int64."""


@dataclass(frozen=True, slots=True)
class Row:
    """Numbers over their least common denominator.

    `integral`: whether all cards were given as integers, so that results are ints.
    """

    numerators: list[int]
    denominator: int
    integral: bool

    @classmethod
    def of(cls, numbers: Sequence[Exact], *, integral: bool) -> Row:
        """Return exact numbers over their least common denominator."""
        denominator = math.lcm(*{x.denominator for x in numbers})
        numerators = [x.numerator * (denominator // x.denominator) for x in numbers]
        return cls(numerators, denominator, integral)

    @classmethod
    def concatenate(cls, rows: Sequence[Row]) -> Row:
        """Return one row after the other as one."""
        denominator = math.lcm(*[row.denominator for row in rows])
        numerators = [x for row in rows for x in row.over(denominator)]
        return cls(numerators, denominator, all(row.integral for row in rows))

    def exact(self, numerator: int) -> Exact:
        """Return units as an int or, unless all cards are ints, as a Fraction."""
        if self.integral:
            return numerator // self.denominator
        return Fraction(numerator, self.denominator)

    def numbers(self) -> tuple[Exact, ...]:
        """Return the cards as exact numbers."""
        if self.integral:
            return tuple(self.numerators)
        return tuple([Fraction(x, self.denominator) for x in self.numerators])

    def over(self, denominator: int) -> list[int]:
        """Return the numerators over a multiple of the denominator."""
        factor = denominator // self.denominator
        return self.numerators if factor == 1 else [x * factor for x in self.numerators]


_CHUNK, _CHUNK_CELLS = 1024, 2**24
"""Rows side by side at most, and how many table cells they may have."""


def alike(rows: Iterable[Row]) -> Iterator[tuple[list[int], list[Row]]]:
    """Yield rows again, those of one length together, and their numbers."""
    by_length: dict[int, list[tuple[int, Row]]] = defaultdict(list)
    for number, row in enumerate(rows):
        by_length[len(row.numerators)].append((number, row))
    for length, same in by_length.items():
        size = min(_CHUNK, max(1, _CHUNK_CELLS // length**2))
        for start in range(0, len(same), size):
            numbers, chunk = zip(*same[start : start + size], strict=True)
            yield list(numbers), list(chunk)


def exact_array(*rows: list[int]) -> NDArray[Any]:
    """Return rows of integers as an array of int64, or of Python ints.

    An int64 is used where no sum or difference in a sweep can overflow it.
    """
    safe = all(sum(map(abs, row)) < LARGEST_SUM for row in rows)
    return np.array(rows, dtype=np.int64 if safe else object)


def float_array(*rows: list[int], denominator: int) -> NDArray[np.float64]:
    """Return rows of integers over a denominator in float64, unless sums are large."""
    try:
        floats = np.array([[x / denominator for x in row] for row in rows])
        largest = max([math.fsum(map(abs, row)) for row in floats])
    except OverflowError:
        largest = math.inf
    if largest > 1e307:
        raise ValueError(
            "cards must have sums of at most 1e307 for backend='float64'; use "
            "backend='exact'"
        )
    return floats


Tie: TypeAlias = Literal["larger", "left", "right"]


@dataclass(frozen=True, slots=True, repr=False)
class RuleSet(Record):
    """The rules as the engines need them; `cardgames_dp.cardrow.Rules` checks them."""

    take: int
    players: int
    misere: bool
    weights: tuple[Exact, ...] | None
    tie: Tie


def is_linear(rules: RuleSet) -> bool:
    """Return whether collapsing is valid: one card a turn, two players."""
    return rules.take == 1 and rules.players == 2


def turn_orders(length: int, take: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the legal turns, those from the left first, and those from the right.

    A turn is minus its count from the left, also of all cards, or its count from the
    right.
    """
    left = range(-1, -min(take, length) - 1, -1)
    right = range(1, min(take, length - 1) + 1)
    return (*left, *right), (*right, *left)


def prefers_right(tie: Tie, first: Any, last: Any) -> Any:
    """Return whether a tie rule takes the right end, by the worths of both to all."""
    return last >= first if tie == "larger" else tie == "right"


def legal_turns(
    left: NDArray[Any], right: NDArray[Any], worths: NDArray[Any], rules: RuleSet
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the interval of each legal turn, and the turn, the preferred side first.

    `worths` are those of the cards to all players together.
    """
    preferred = prefers_right(rules.tie, worths[left], worths[right])
    orders = np.array(turn_orders(len(worths), rules.take))
    turns = orders[np.broadcast_to(preferred, len(left)).astype(int)]
    cards = (right - left + 1)[:, np.newaxis]
    index, place = np.nonzero((-cards <= turns) & (turns < cards))
    return index, turns[index, place]


class EndStates(Record):
    """A base of games whose states begin with the end cards and the player to move."""

    __slots__ = ()

    def levels(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return a number for each state that rises with the cards taken."""
        levels: NDArray[Any] = states[:, 0] - states[:, 1]
        return levels

    def current_players(self, states: NDArray[Any]) -> NDArray[Any]:
        """Return the player to move, or `TERMINAL` where no card is left."""
        return np.where(states[:, 0] <= states[:, 1], states[:, 2], TERMINAL)

    def chance_outcomes(self, states: NDArray[Any]) -> Any:
        """Never asked: this game has no chance events."""


def sums_of(cards: list[int]) -> NDArray[Any]:
    """Return the sums of the first cards, from none to all, as integers that fit."""
    sums = [*accumulate(cards, initial=0)]
    return np.array(sums, dtype=exact_array(cards).dtype)


def weights_of(rules: RuleSet, cards: int) -> Row | None:
    """Return the weights of a row, or None if both players value the cards alike."""
    if rules.weights is None:
        return None
    if cards != len(rules.weights):
        raise ValueError(
            "rules.weights must hold one number for each card, got "
            f"{len(rules.weights)} for {cards}"
        )
    return Row.of(rules.weights, integral=isinstance(rules.weights[0], int))


@dataclass(frozen=True, slots=True)
class Instance:
    """What the cards of a row are worth, under the rules, as integers.

    There is one row of `worths` if all players value the cards alike; with weights,
    what they are worth to the two together, to the first and to the second. Decisions
    depend on the first of these rows only. `unit` converts the integers to results.
    """

    rules: RuleSet
    worths: tuple[list[int], ...]
    unit: Row

    @classmethod
    def of(cls, rules: RuleSet, row: Row) -> Instance:
        """Return the instance of a row under the rules."""
        weights = weights_of(rules, len(row.numerators))
        if weights is None:
            return cls(rules, (row.numerators,), row)
        denominator = math.lcm(row.denominator, weights.denominator)
        first, second = row.over(denominator), weights.over(denominator)
        both = [p + q for p, q in zip(first, second, strict=True)]
        unit = Row([], denominator, integral=row.integral and weights.integral)
        return cls(rules, (both, first, second), unit)

    @property
    def weighted(self) -> bool:
        """Whether the players value the cards differently."""
        return len(self.worths) > 1

    @property
    def objective(self) -> list[int]:
        """The cards of a game of two with the same decisions and larger sums wanted."""
        cards = self.worths[0]
        return [-x for x in cards] if self.rules.misere else cards

    @property
    def scale(self) -> int:
        """How many units of `objective` a lead or a sum of 1 is."""
        return self.unit.denominator * (2 if self.weighted else 1)

    @property
    def surplus(self) -> list[int]:
        """With weights: how much more cards are worth to the first player, else none.

        In units of `objective`.
        """
        more = [*map(sub, self.own(0), self.own(1))] if self.weighted else []
        return [-x for x in more] if self.rules.misere else more

    def array(self, backend: Backend = "exact") -> NDArray[Any]:
        """Return the worths in an array: as integers, or in float64 in their unit."""
        if backend == "exact":
            return exact_array(*self.worths)
        return float_array(*self.worths, denominator=self.unit.denominator)

    def row(self) -> Row:
        """Return what the cards are worth to the first player."""
        return Row(self.own(0), self.unit.denominator, self.unit.integral)

    def own(self, player: int) -> list[int]:
        """Return what the cards are worth to a player."""
        return self.worths[1 + player] if self.weighted else self.worths[0]

    def lead(self, total: int) -> Exact:
        """Return what the first of two players is ahead by, given it in `objective`."""
        ahead = -total if self.rules.misere else total
        if self.weighted:
            ahead = (ahead + sum(self.own(0)) - sum(self.own(1))) // 2
        return self.unit.exact(ahead)
