"""Policies: how a player may decide, for many positions at once.

Document 004's heuristics come in two readings each, as its text and its program differ:

- The text's 50 % rule folds when a pair is as likely as not or likelier; the program's
  *hits* when a pair is likelier than not, which is the rule upside down.
- The program takes chances from the cards that may be drawn; the text from all that are
  not on the table, discards included. Where every round is shuffled these are the same.

All are evaluated in integers, so that no rounding decides.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal, NamedTuple, Self, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._records import Record
from cardgames_dp.pairs._kernels.positions import Layer, Positions
from cardgames_dp.pairs.rules import Rules

_LARGE = 10**20
"""Chances with smaller denominators are printed exactly."""

Integers: TypeAlias = NDArray[np.int64]
Decisions: TypeAlias = NDArray[np.bool_]


class _Seen(NamedTuple):
    """The fields of a `View`."""

    rules: Rules
    hand: Integers
    others: Integers
    unseen: Integers
    scores: Integers


class View(_Seen):
    """What the player to move sees, in many positions, with several vectors of scores.

    Attributes
    ----------
    rules : Rules
        Those of the game.
    hand : ndarray of int64, shape (positions, ranks)
        How many cards of each rank the player has.
    others : ndarray of int64, shape (positions, players - 1, ranks)
        The others' cards, from the player on the left on.
    unseen : ndarray of int64, shape (positions, ranks)
        Cards that are neither on the table nor among discards that one remembers.
    scores : ndarray of int64, shape (vectors, players)
        Points, the player's own first, then from the left on. Every vector goes with
        every position.

    Examples
    --------
    A rule of thumb can be improved by hitting where a fold would lose the game:

    >>> from cardgames_dp import pairs
    >>> def at_last(view):
    ...     fold_loses = view.lowest[:, None] + view.scores[:, 0] >= view.rules.target
    ...     return pairs.HitBelow(0.5)(view)[:, None] | fold_loses
    >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5)
    >>> round(pairs.win_rate(rules, at_last, "fifty_percent").mean, 4)
    0.5427
    """

    __slots__ = ()

    def __new__(
        cls,
        rules: Rules,
        hand: Integers,
        others: Integers,
        unseen: Integers,
        scores: Integers,
    ) -> Self:
        """Return a view of arrays that go together."""
        if not isinstance(rules, Rules):
            raise TypeError(
                f"rules must be pairs.Rules, got {_checks.described(rules)}"
            )
        n, ranks = rules.players, len(rules.ranks)
        positions, vectors = (getattr(x, "shape", ())[:1] for x in (hand, scores))
        _require_counts("hand", hand, (*positions, ranks))
        _require_counts("others", others, (*positions, n - 1, ranks))
        _require_counts("unseen", unseen, (*positions, ranks))
        _require_counts("scores", scores, (*vectors, n))
        return super().__new__(cls, rules, hand, others, unseen, scores)

    def __repr__(self) -> str:
        return f"View(positions={len(self.hand)}, vectors={len(self.scores)})"

    @property
    def ranks(self) -> Integers:
        """The ranks, shape (ranks,)."""
        return np.array(self.rules.ranks)

    @property
    def table(self) -> Integers:
        """How many cards of each rank are on the table, shape (positions, ranks)."""
        cards: Integers = self.hand + self.others.sum(axis=1)
        return cards

    @property
    def not_on_table(self) -> Integers:
        """All cards of the full deck but those, shape (positions, ranks)."""
        cards: Integers = np.array(self.rules.counts) - self.table
        return cards

    @property
    def scoring(self) -> Decisions:
        """Whether one more card of a rank scores, shape (positions, ranks)."""
        full: Decisions = self.hand == np.array(self.rules.capacities)
        return full

    @property
    def lowest(self) -> Integers:
        """What a fold scores, shape (positions,); above all ranks on an empty table."""
        beyond = self.ranks[-1] + 1
        lowest: Integers = np.where(self.table > 0, self.ranks, beyond).min(axis=1)
        return lowest


def _require_counts(name: str, counts: object, shape: tuple[int, ...]) -> None:
    """Refuse what is not an array of integers of that shape, as far as it is known."""
    if not isinstance(counts, np.ndarray) or counts.dtype.kind not in "iu":
        raise TypeError(
            f"{name} must be an array of integers, got {_checks.described(counts)}"
        )
    if counts.shape != shape:
        raise ValueError(
            f"{name} must be of shape {shape}, as the rules and the other arrays are, "
            f"got one of shape {counts.shape}"
        )


def require_view(view: object) -> None:
    """Refuse what is not a `View`."""
    if not isinstance(view, View):
        raise TypeError(f"view must be a pairs.View, got {_checks.described(view)}")


Decide: TypeAlias = Callable[[View], Decisions]
"""Returns true where to hit, shape (positions, vectors), or always (positions,) if it
does not look at the scores: then it is asked only once about the same positions. Where
only one action is allowed it is not heeded."""


class ByRounds(ABC):
    """A policy that knows what to do in a whole round at once."""

    __slots__ = ()

    @abstractmethod
    def __call__(self, view: View) -> Decisions:
        """Return where to hit, shape (positions, vectors)."""

    @abstractmethod
    def in_round(
        self, positions: Positions, vectors: Integers
    ) -> Callable[[int], Decisions]:
        """Return where to hit in rounds with some vectors of scores, leader first.

        Shape (positions, vectors), for each layer of the positions by its number.
        """


Name: TypeAlias = Literal[
    "optimal",
    "fifty_percent",
    "fifty_percent_code",
    "fifty_percent_face_up",
    "expected_points",
    "expected_points_face_up",
    "never_hit",
    "always_hit",
]
NAMES: tuple[Name, ...] = get_args(Name)


def fifty_percent(view: View) -> Decisions:
    """Hit while a pair is less likely than not, among the cards that may be drawn."""
    scoring, cards = _chances(view, view.unseen)
    less: Decisions = 2 * scoring.sum(axis=1) < cards
    return less


def fifty_percent_code(view: View) -> Decisions:
    """Hit when a pair is likelier than not: document 004's program, a mistake."""
    scoring, cards = _chances(view, view.unseen)
    more: Decisions = 2 * scoring.sum(axis=1) > cards
    return more


def fifty_percent_face_up(view: View) -> Decisions:
    """Hit while a pair is less likely than not, among all cards not on the table."""
    scoring, cards = _chances(view, view.not_on_table)
    less: Decisions = 2 * scoring.sum(axis=1) < cards
    return less


def expected_points(view: View) -> Decisions:
    """Hit while that scores less on average than folding, as the cards to draw are."""
    scoring, cards = _chances(view, view.unseen)
    less: Decisions = scoring @ view.ranks < view.lowest * cards
    return less


def expected_points_face_up(view: View) -> Decisions:
    """Hit while that scores less than folding, among all cards not on the table."""
    scoring, cards = _chances(view, view.not_on_table)
    less: Decisions = scoring @ view.ranks < view.lowest * cards
    return less


def never_hit(view: View) -> Decisions:
    """Fold whenever that is allowed."""
    return np.zeros(len(view.hand), bool)


def always_hit(view: View) -> Decisions:
    """Hit whenever that is allowed."""
    return np.ones(len(view.hand), bool)


@dataclass(frozen=True, slots=True, repr=False)
class HitBelow(Record):
    """Hit while the chance of a pair is below a threshold.

    Parameters
    ----------
    chance : int, float, Decimal, Fraction or str
        The threshold, from 0 to 1. A float is taken for exactly the fraction that it
        is; text, as "0.4" or "2/5", for exactly what it says.

    Attributes
    ----------
    chance : Fraction
        The same.

    Raises
    ------
    TypeError, ValueError
        If it is not such a number.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> rate = pairs.win_rate(rules, pairs.HitBelow(0.3), "fifty_percent")
    >>> rate.a, round(rate.mean, 4)
    ('HitBelow(0.3)', 0.487)
    """

    chance: Fraction | int | Decimal | float | str

    def __post_init__(self) -> None:
        chance = _checks.amount("chance", self.chance)
        if chance > 1:
            raise ValueError(
                f"chance must be a number from 0 to 1, got {_checks.shown(self.chance)}"
            )
        object.__setattr__(self, "chance", chance)

    def __repr__(self) -> str:
        # The shortest text that makes the same again, if there is a short one.
        chance = Fraction(self.chance)
        if chance.denominator == 1:
            return f"HitBelow({chance})"
        if Fraction(float(chance)) == chance:
            return f"HitBelow({float(chance)!r})"
        if chance.denominator >= _LARGE:
            return f"HitBelow(about {float(chance):.6g})"
        decimal = Decimal(chance.numerator) / chance.denominator
        exact = Fraction(decimal) == chance
        return f"HitBelow('{decimal if exact else chance}')"

    def __call__(self, view: View) -> Decisions:
        """Return true where to hit, shape (positions,)."""
        require_view(view)
        scoring, cards = _chances(view, view.unseen)
        chance = Fraction(self.chance)
        # Python's integers, for a float's denominator is up to 2**1074.
        pairs = scoring.sum(axis=1).astype(object) * chance.denominator
        most = cards.astype(object) * chance.numerator
        below: Decisions = (pairs < most).astype(bool)
        return below


@dataclass(frozen=True, slots=True, repr=False)
class FoldUpTo(Record):
    """Fold when that scores so many points at most, and hit otherwise.

    Parameters
    ----------
    points : int
        At least 0.

    Raises
    ------
    TypeError, ValueError
        If it is not such an integer.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> round(pairs.win_rate(rules, "optimal", pairs.FoldUpTo(1)).mean, 4)
    0.5943
    """

    points: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", _checks.integer("points", self.points))

    def __repr__(self) -> str:
        return f"FoldUpTo({self.points})"

    def __call__(self, view: View) -> Decisions:
        """Return true where to hit, shape (positions,)."""
        require_view(view)
        over: Decisions = view.lowest > self.points
        return over


NAMED: dict[str, Decide] = {
    rule.__name__: rule
    for rule in (
        fifty_percent,
        fifty_percent_code,
        fifty_percent_face_up,
        expected_points,
        expected_points_face_up,
        never_hit,
        always_hit,
    )
}


def view_of(positions: Positions, layer: Layer, mover: int, vectors: Integers) -> View:
    """Return what the player to move sees in a layer's positions."""
    unseen, hands = positions.cards(layer.keys)
    order = np.roll(np.arange(positions.rules.players), -mover)
    return View(
        positions.rules,
        hands[:, mover],
        hands[:, order[1:]],
        unseen,
        vectors[:, order],
    )


def decided(decide: Decide, view: View) -> Decisions:
    """Return decisions of shape (positions, vectors), or (positions, 1)."""
    hits = decide(view)
    return hits[:, None] if hits.ndim == 1 else hits


def _chances(view: View, cards: Integers) -> tuple[Integers, Integers]:
    """Return how many cards would score, by rank, and how many there are.

    Without any, one that does not score is pretended: nothing is to be feared then.
    """
    return np.where(view.scoring, cards, 0), np.maximum(cards.sum(axis=1), 1)
