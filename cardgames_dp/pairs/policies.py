"""Rules of thumb: policies that are words, and ready-made ones with numbers.

They are evaluated in integers, so rounding never decides. Each is a function of the
rules and of a `State`, whose fields may be arrays of any shape before their last axes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, TypeAlias, get_args

import numpy as np

from cardgames_dp._results.records import Record
from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.pairs.rules import Rules, in_integers

_LARGE = 10**20
"""Chances with smaller denominators are printed exactly."""

Name: TypeAlias = Literal[
    "optimal", "fifty_percent", "expected_points", "never_hit", "always_hit"
]
NAMES: tuple[Name, ...] = get_args(Name)

Thumb: TypeAlias = Callable[[Rules, Any], Any]
"""A rule of thumb: where it hits, given the rules and a `State`."""


def fifty_percent(rules: Rules, state: Any) -> Any:
    """Hit if the chance of a pair is below 1/2."""
    making, cards = _chances(rules, state)
    return 2 * making.sum(axis=-1) < cards


def expected_points(rules: Rules, state: Any) -> Any:
    """Hit if that scores less on average than a fold."""
    making, cards = _chances(rules, state)
    return making @ np.array(rules.ranks) < rules.lowest(state) * cards


def never_hit(_: Rules, state: Any) -> Any:
    """Fold whenever folding is allowed."""
    return np.zeros(np.shape(state.hand)[:-1], np.bool_)


def always_hit(_: Rules, state: Any) -> Any:
    """Hit whenever hitting is allowed."""
    return np.ones(np.shape(state.hand)[:-1], np.bool_)


THUMBS: dict[str, Thumb] = {
    rule.__name__: rule
    for rule in (fifty_percent, expected_points, never_hit, always_hit)
}


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
    >>> from cardgames_dp import pairs, play
    >>> game = pairs.game(pairs.Rules(deck=4, target=10))
    >>> round(play.evaluate(game, [pairs.HitBelow(0.3), "fifty_percent"]).value, 4)
    0.4348
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

    def hits(self, rules: Rules, state: Any) -> Any:
        """Return where to hit."""
        making, cards = _chances(rules, state)
        chance = self.chance
        # Python's integers, as a float's denominator is up to 2**1074.
        pairs = making.sum(axis=-1).astype(object) * chance.denominator
        most = cards.astype(object) * chance.numerator
        below = pairs <= most if self.or_equal else pairs < most
        return np.asarray(below).astype(np.bool_)


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
    >>> from cardgames_dp import pairs, play
    >>> game = pairs.game(pairs.Rules(deck=4, target=10))
    >>> round(play.evaluate(game, ["optimal", pairs.FoldUpTo(1)]).value, 4)
    0.5572
    """

    points: int

    def __init__(self, points: SupportsIndex) -> None:
        self._set(points=arguments.integer("points", points))

    def __repr__(self) -> str:
        return f"FoldUpTo({self.points})"

    def hits(self, rules: Rules, state: Any) -> Any:
        """Return where to hit."""
        return rules.lowest(state) > self.points


@suggest_arguments
@dataclass(frozen=True, slots=True, repr=False, init=False)
class SumBelow(Record):
    """The policy of hitting if the own hand is small compared with the lowest card.

    In seven steps, with the default numbers:

    1. If there is no card on the table, you must hit.
    2. If a fold would lose you the game, hit.
    3. Add up the cards in your hand.
    4. Count a card double if a pair of it would lose you the game.
    5. Take nine times the lowest card on the table, minus 4: 5, 14, 23, 32, ....
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
    >>> for own in (12, 22):
    ...     table = pairs.state(hand=[3, 10], others=[2, 6], scores=[own, 20])
    ...     print(pairs.decision(pairs.SumBelow(), table))
    hit
    fold
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

    def hits(self, rules: Rules, state: Any) -> Any:
        """Return where to hit."""
        own, ranks = in_integers(state.scores)[..., 0], np.array(rules.ranks)
        loses = (ranks + own[..., np.newaxis] >= rules.target).astype(np.int64)
        # A product of matrices, where every hand meets every vector of scores.
        counted = 1 + (self.losing - 1) * loses
        points = in_integers(state.hand) * ranks
        if points.ndim == 3 and points.shape[1] == counted.shape[0] == 1:
            total = points[:, 0] @ counted[0].T
        else:
            total = (points * counted).sum(axis=-1)
        lowest = rules.lowest(state)
        return (total < self.times * lowest - self.less) | (
            lowest + own >= rules.target
        )


def thumb_of(policy: Any) -> Thumb | None:
    """Return the rule of thumb that a policy is; None for "optimal" and any other."""
    if isinstance(policy, str):
        return THUMBS.get(policy)
    if isinstance(policy, HitBelow | FoldUpTo | SumBelow):
        return policy.hits
    return None


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


def _chances(rules: Rules, state: Any) -> tuple[Any, Any]:
    """Return how many unseen cards make a pair, by rank, and their number, or 1."""
    unseen = in_integers(state.unseen).sum(axis=-1)
    return rules.pairing(state), np.maximum(unseen, 1)
