"""What a player sees, in many positions at once, and rules of thumb that look at it.

Rules of thumb are evaluated in integers, so rounding never decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, TypeAlias, get_args

import numpy as np

from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.pairs._kernels.game import Decisions, Hits, Integers
from cardgames_dp.pairs.rules import Rules

_LARGE = 10**20
"""Chances with smaller denominators are printed exactly."""

Name: TypeAlias = Literal[
    "optimal", "fifty_percent", "expected_points", "never_hit", "always_hit"
]
NAMES: tuple[Name, ...] = get_args(Name)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class View(Record):
    """The information of the player to move, in many positions and with several scores.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    hand : ndarray of int64, shape (positions, ranks)
        The number of cards of each rank in the player's hand.
    others : ndarray of int64, shape (positions, players - 1, ranks)
        The same for the other hands, in turn order.
    unseen : ndarray of int64, shape (positions, ranks)
        The number of cards of each rank that nobody has seen: neither on the table nor
        among the discards that players remember.
    scores : ndarray of int64, shape (vectors, players)
        Points in turn order, the player's own first. Every vector is combined with
        every position.

    Examples
    --------
    Improve a simple policy by hitting if a fold would lose the game:

    >>> from cardgames_dp import pairs
    >>> def at_last(view):
    ...     fold_loses = view.lowest[:, None] + view.scores[:, 0] >= view.rules.target
    ...     return pairs.HitBelow(0.5)(view)[:, None] | fold_loses
    >>> rules = pairs.Rules(deck=3, target=5)
    >>> round(pairs.evaluate(rules, [at_last, "fifty_percent"]).mean[0], 4)
    0.5427
    """

    rules: Rules
    hand: Integers
    others: Integers
    unseen: Integers
    scores: Integers

    def __post_init__(self) -> None:
        if not isinstance(self.rules, Rules):
            raise arguments.wrong_type("rules must be pairs.Rules", self.rules)
        n, ranks = self.rules.players, len(self.rules.ranks)
        positions, vectors = (
            getattr(x, "shape", ())[:1] for x in (self.hand, self.scores)
        )
        shapes = {
            "hand": (*positions, ranks),
            "others": (*positions, n - 1, ranks),
            "unseen": (*positions, ranks),
            "scores": (*vectors, n),
        }
        for name, shape in shapes.items():
            counts = getattr(self, name)
            if not isinstance(counts, np.ndarray) or counts.dtype.kind not in "iu":
                raise arguments.wrong_type(
                    f"{name} must be an array of integers", counts
                )
            if counts.shape != shape:
                raise ValueError(
                    f"{name} must be of shape {shape}, to fit the rules and the other "
                    f"arrays, got one of shape {counts.shape}"
                )

    def __repr__(self) -> str:
        return f"View(positions={len(self.hand)}, vectors={len(self.scores)})"

    @property
    def ranks(self) -> Integers:
        """The ranks, shape (ranks,)."""
        return np.array(self.rules.ranks)

    @property
    def table(self) -> Integers:
        """The number of cards of each rank on the table, shape (positions, ranks)."""
        cards: Integers = self.hand + self.others.sum(axis=1)
        return cards

    @property
    def scoring(self) -> Decisions:
        """Whether drawing a card of each rank scores, shape (positions, ranks)."""
        full: Decisions = self.hand == self.rules.capacity
        return full

    @property
    def lowest(self) -> Integers:
        """The points of a fold, shape (positions,); above all ranks if not allowed."""
        beyond = self.ranks[-1] + 1
        lowest: Integers = np.where(self.table > 0, self.ranks, beyond).min(axis=1)
        return lowest


def require_view(view: object) -> None:
    """Refuse what is not a `View`."""
    if not isinstance(view, View):
        raise TypeError(
            f"view must be a pairs.View, got {arguments.described(view)}; "
            "pairs.decision asks a policy about one position"
        )


Decide: TypeAlias = Callable[[View], Hits | Mapping[Any, Any]]
"""A policy as a function: it returns true where to hit, of shape (positions, vectors),
or always (positions,) if it does not look at the scores; then it is asked only once
about the same positions. Where only one action is allowed, its answer is ignored.
Who mixes returns probabilities of a hit, or a mapping of actions to weights."""


def fifty_percent(view: View) -> Decisions:
    """Hit if the chance of a pair is below 1/2."""
    scoring, cards = _chances(view)
    less: Decisions = 2 * scoring.sum(axis=1) < cards
    return less


def expected_points(view: View) -> Decisions:
    """Hit if that scores less on average than a fold."""
    scoring, cards = _chances(view)
    less: Decisions = scoring @ view.ranks < view.lowest * cards
    return less


def never_hit(view: View) -> Decisions:
    """Fold whenever folding is allowed."""
    return np.zeros(len(view.hand), bool)


def always_hit(view: View) -> Decisions:
    """Hit whenever hitting is allowed."""
    return np.ones(len(view.hand), bool)


@suggest_arguments
@dataclass(frozen=True, slots=True, repr=False, init=False)
class HitBelow(Record):
    """The policy of hitting if the chance of a pair is below a threshold.

    Chances are compared exactly. In a small deck they are often equal to a simple
    threshold; then the player folds, or hits with ``or_equal=True``.

    Parameters
    ----------
    chance : int, float, Decimal, Fraction or str
        The threshold, from 0 to 1. A float counts as exactly the binary fraction that
        it is, so 0.2 is a little more than 1/5; a str, such as "0.4" or "2/5", as
        exactly what it says.
    or_equal : bool, default False
        Whether to hit also if the chance is equal to the threshold. "Fold if the chance
        of a pair is above 1/5" is ``HitBelow("1/5", or_equal=True)``; "fold if it is
        1/5 or more" is ``HitBelow("1/5")``.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=4, target=10)
    >>> found = pairs.evaluate(rules, [pairs.HitBelow(0.3), "fifty_percent"])
    >>> found.policies[0], round(found.mean[0], 4)
    ('HitBelow(0.3)', 0.487)
    """

    chance: Fraction
    or_equal: bool

    def __init__(
        self, chance: Fraction | int | Decimal | float | str, *, or_equal: bool = False
    ) -> None:
        checked = arguments.amount("chance", chance)
        if checked > 1:
            raise arguments.wrong_value("chance must be a number from 0 to 1", chance)
        self._set(chance=checked, or_equal=arguments.boolean("or_equal", or_equal))

    def __repr__(self) -> str:
        more = ", or_equal=True" * self.or_equal
        return f"HitBelow({_written(self.chance)}{more})"

    def __call__(self, view: View) -> Decisions:
        """Return true where to hit, shape (positions,)."""
        require_view(view)
        scoring, cards = _chances(view)
        chance = self.chance
        # Python's integers, as a float's denominator is up to 2**1074.
        pairs = scoring.sum(axis=1).astype(object) * chance.denominator
        most = cards.astype(object) * chance.numerator
        below = pairs <= most if self.or_equal else pairs < most
        decisions: Decisions = below.astype(bool)
        return decisions


@suggest_arguments
@dataclass(frozen=True, slots=True, repr=False, init=False)
class FoldUpTo(Record):
    """The policy of folding if that scores at most some points, and hitting otherwise.

    Parameters
    ----------
    points : int
        The largest score of a fold that is accepted, at least 0.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=4, target=10)
    >>> round(pairs.evaluate(rules, ["optimal", pairs.FoldUpTo(1)]).mean[0], 4)
    0.5943
    """

    points: int

    def __init__(self, points: SupportsIndex) -> None:
        self._set(points=arguments.integer("points", points))

    def __repr__(self) -> str:
        return f"FoldUpTo({self.points})"

    def __call__(self, view: View) -> Decisions:
        """Return true where to hit, shape (positions,)."""
        require_view(view)
        over: Decisions = view.lowest > self.points
        return over


@suggest_arguments
@dataclass(frozen=True, slots=True, repr=False, init=False)
class SumBelow(Record):
    """The policy of hitting if the own hand is small compared with the lowest card.

    In seven steps, with the default numbers:

    1. If there is no card on the table, you must hit.
    2. If a fold would lose you the game, hit.
    3. Add up the cards in your hand.
    4. Count a card double if a pair of it would lose you the game.
    5. Take nine times the lowest card on the table, less 4: that is 5, 14, 23, 32, ....
    6. If your sum is smaller, hit.
    7. Otherwise fold.

    Parameters
    ----------
    times : int, default 9
        The factor of the lowest card.
    less : int, default 4
        The number subtracted from this.
    losing : int, default 2
        The factor of a card if a pair of it would lose the game.

    Examples
    --------
    The lowest card is a 2, so the limit is 14. With 22 points a pair of tens would lose
    the game, and the 10 counts double:

    >>> from cardgames_dp import pairs
    >>> table = {"hand": [3, 10], "others": [2, 6]}
    >>> pairs.decision(pairs.SumBelow(), **table, scores=[12, 20])
    'hit'
    >>> pairs.decision(pairs.SumBelow(), **table, scores=[22, 20])
    'fold'
    """

    times: int
    less: int
    losing: int

    def __init__(
        self,
        times: SupportsIndex = 9,
        less: SupportsIndex = 4,
        losing: SupportsIndex = 2,
    ) -> None:
        for name, given in (("times", times), ("less", less), ("losing", losing)):
            self._set(**{name: arguments.integer(name, given)})

    def __repr__(self) -> str:
        return f"SumBelow({self.times}, {self.less}, {self.losing})"

    def __call__(self, view: View) -> Decisions:
        """Return true where to hit, shape (positions, vectors)."""
        require_view(view)
        own, target = view.scores[:, 0], view.rules.target
        points = view.hand * view.ranks
        loses: Integers = (view.ranks + own[:, None] >= target).astype(np.int64)
        total = points @ (1 + (self.losing - 1) * loses).T
        lowest = view.lowest[:, None]
        hits: Decisions = (total < self.times * lowest - self.less) | (
            lowest + own >= target
        )
        return hits


NAMED: dict[str, Decide] = {
    rule.__name__: rule
    for rule in (fifty_percent, expected_points, never_hit, always_hit)
}


def _written(chance: Fraction) -> str:
    """Return the shortest text from which the same chance is read, if it is short."""
    if chance.denominator == 1:
        return str(chance)
    if Fraction(float(chance)) == chance:
        return repr(float(chance))
    if chance.denominator >= _LARGE:
        return f"about {float(chance):.6g}"
    decimal = Decimal(chance.numerator) / chance.denominator
    return f"'{decimal if Fraction(decimal) == chance else chance}'"


def _chances(view: View) -> tuple[Integers, Integers]:
    """Return the number of unseen cards that would score, by rank, and of all.

    If there are none, one that does not score is assumed, so that the chance of a pair
    is 0.
    """
    scoring = np.where(view.scoring, view.unseen, 0)
    return scoring, np.maximum(view.unseen.sum(axis=1), 1)
