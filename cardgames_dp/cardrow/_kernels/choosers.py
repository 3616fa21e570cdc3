"""Policies in the form in which the engines play them.

Each policy becomes a function of many intervals, all of one length, that returns for
each the probability of taking the left card. Probabilities are fractions, not floats,
so that exact results are possible.

The simple rules are those of Pashevich's report. If the cards from i to j are left,
its greedy player compares, for either end, the card with the opponent's next card::

    d0 = x[i] - max(x[i+1], x[j]),    d1 = x[j] - max(x[i], x[j-1]).

"greedy" takes the left card if d0 > d1, as is meant; "greedy_literal" takes it if
abs(d0) < abs(d1), as the report prints it, and so takes the 1 of [2, 1].

References
----------
Pashevich and others ("APP2: Hold'em for n00bs"), section 2.1.
"""

from __future__ import annotations

import math
import reprlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._memory import refuse_too_large
from cardgames_dp.cardrow._kernels.diagonals import leads
from cardgames_dp.cardrow._kernels.instance import Tie
from cardgames_dp.cardrow._kernels.row import Exact, Row, exact_array

_INT64_WHOLE = 2**62
"""Wholes below this fit in an int64, with all their parts."""


@dataclass(frozen=True, slots=True, eq=False)
class Deals:
    """Rows of the same length, side by side.

    Attributes
    ----------
    rows : ndarray of int64 or Python ints, shape (deals, cards)
        What the cards are worth, times `denominator`.
    denominator : int
    given : tuple of tuples of int or Fraction
        The same as numbers.
    """

    rows: NDArray[Any]
    denominator: int
    given: tuple[tuple[Exact, ...], ...]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Deals:
        """Return one or more rows side by side."""
        denominator = math.lcm(*{row.denominator for row in rows})
        numerators = exact_array(*[row.over(denominator) for row in rows])
        return cls(numerators, denominator, tuple([tuple(r.numbers()) for r in rows]))


class Hands(NamedTuple):
    """What is left in several games: intervals, all of one length.

    Attributes
    ----------
    deals : Deals
    length : int
        At least 2: a single card leaves no choice.
    which : tuple
        The index of these intervals in an array of shape (deals, cards + 1 - length)
        with a cell for each interval of this length, by the position of its left card.
    """

    deals: Deals
    length: int
    which: tuple[Any, Any]

    def card(self, k: int) -> NDArray[Any]:
        """Return the k-th card of each interval; negative k count from the right."""
        return self.of_each(self.deals.rows[:, k % self.length :])

    def of_each(self, table: NDArray[Any]) -> NDArray[Any]:
        """Return the cells of a table, or of one with more columns than it needs."""
        chosen: NDArray[Any] = table[:, : self._lefts][self.which]
        return chosen

    def places(self) -> Iterable[tuple[int, int]]:
        """Return for each interval the number of its deal and its left position."""
        deal, left = np.indices((len(self.deals.rows), self._lefts))
        numbers = [self.of_each(table).ravel().tolist() for table in (deal, left)]
        return zip(*numbers, strict=True)

    @property
    def _lefts(self) -> int:
        cards: int = self.deals.rows.shape[1]
        return cards + 1 - self.length


class Chance(NamedTuple):
    """The probabilities of taking the left card, in each of several intervals.

    Attributes
    ----------
    parts : ndarray of bool, int64 or Python ints
        The probability of the left card, times `whole`.
    whole : int
        1 if the player is deterministic.
    """

    parts: NDArray[Any]
    whole: int = 1


Chooser: TypeAlias = Callable[[Hands], Chance]


def even(hands: Hands) -> Chance:
    """Return even chances."""
    return Chance(np.ones(hands.card(0).shape, np.int64), 2)


def taken(preference: NDArray[Any], hands: Hands, tie: Tie) -> Chance:
    """Return a choice, from the amounts by which the left card is better."""
    if tie == "left":
        return Chance(preference >= 0)
    taken = preference > 0
    if tie == "larger":
        taken = taken | ((preference == 0) & (hands.card(0) > hands.card(-1)))
    return Chance(taken)


def _look_ahead(hands: Hands) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return d0 and d1, as in the docstring of this module."""
    first, last = hands.card(0), hands.card(-1)
    left = first - np.maximum(hands.card(1), last)
    right = last - np.maximum(first, hands.card(-2))
    return left, right


def _greedy(hands: Hands) -> NDArray[Any]:
    left, right = _look_ahead(hands)
    return np.asarray(left - right)


def _greedy_literal(hands: Hands) -> NDArray[Any]:
    left, right = _look_ahead(hands)
    return np.asarray(abs(right) - abs(left))


RULES_OF_THUMB: dict[str, Callable[[Hands], NDArray[Any]]] = {
    "greedy": _greedy,
    "greedy_literal": _greedy_literal,
    "larger": lambda hands: np.asarray(hands.card(0) - hands.card(-1)),
    "smaller": lambda hands: np.asarray(hands.card(-1) - hands.card(0)),
}


def optimal_preferences(
    rows: NDArray[Any], progress: bool = False
) -> list[NDArray[np.int8]]:
    """Return for each length the signs of left less right, for all intervals."""
    deals, n = rows.shape
    refuse_too_large(
        f"an optimal player of {deals} rows of {n} cards",
        deals * n * (n + 1) // 2,
        "use shorter rows; optimal_play(...) needs no table",
    )
    signs = [np.zeros((deals, n + 1), np.int8)]

    def compare(left: NDArray[Any], right: NDArray[Any]) -> None:
        signs.append((left > right).view(np.int8) - (left < right).view(np.int8))

    deque(leads(rows, take=1, compare=compare, progress=progress), maxlen=0)
    return signs


def mixed(chances: Sequence[Chance], shares: Sequence[Fraction]) -> Chance:
    """Return the chances of following one of several players, drawn by their shares."""
    factors = [x / chance.whole for x, chance in zip(shares, chances, strict=True)]
    whole = math.lcm(*[factor.denominator for factor in factors])
    dtype: Any = np.int64 if whole < _INT64_WHOLE else object
    parts = sum(
        chance.parts.astype(dtype) * int(factor * whole)
        for chance, factor in zip(chances, factors, strict=True)
    )
    return Chance(np.asarray(parts), whole)


def asked(
    policy: Callable[[tuple[Exact, ...], int, int], object], name: str, hands: Hands
) -> Chance:
    """Ask a callable about each interval, and check its answers."""
    answers = []
    for deal, left in hands.places():
        cards, right = hands.deals.given[deal], left + hands.length - 1
        answer = policy(cards, left, right)
        try:
            answers.append(_probability(answer))
        except (TypeError, ValueError) as error:
            rest = reprlib.repr(list(cards[left : right + 1]))
            raise type(error)(
                f"player {name} must return 'left', 'right' or the probability of "
                f"'left', a number from 0 to 1, got {_checks.shown(answer)} for the "
                f"cards {rest} at {left} to {right}"
            ) from None
    whole = math.lcm(*{answer.denominator for answer in answers})
    parts = [answer.numerator * (whole // answer.denominator) for answer in answers]
    dtype: Any = np.int64 if whole < _INT64_WHOLE else object
    return Chance(np.array(parts, dtype).reshape(hands.card(0).shape), whole)


def _probability(answer: object) -> Fraction:
    """Return the probability of the left card; errors have no message."""
    if isinstance(answer, str) and answer in ("left", "right"):
        return Fraction(answer == "left")
    if isinstance(answer, str):
        raise ValueError
    probability = _checks.amount("answer", answer)
    if probability > 1:
        raise ValueError
    return probability
