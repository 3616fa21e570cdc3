"""Certified bounds of every chance of winning in games of two players.

The value of a game of two players, one of whom wins, is unique, and monotone in the
values of the ends of rounds, as means, maxima and minima are. So lower bounds of later
values give lower bounds of earlier ones, if each step is rounded down, and upper bounds
likewise. No tolerance is needed: it does not matter which action is better, only that
the player to move gets the larger value.

The arrays hold bounds of the leader's chance of winning: the first half of the columns
are lower bounds, the second half upper bounds, for the same scores.

Rounding, with u = 2**-53. A hit is a sum of at most R products of a probability, which
is a rounded quotient of integers, and a bound. Its error is a factor between
``(1 - u)**(R + 1)`` and ``(1 + u)**(R + 1)``, whatever the order, as nothing is
negative. The result is lowered or raised by ``(R + 4) u``, which covers this and the
rounding of that product itself. `_TINY` covers underflow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, SupportsIndex, TypeAlias

import numpy as np

from cardgames_dp._results import tables
from cardgames_dp._results.records import Result
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.pairs._kernels.induction import optimal
from cardgames_dp.pairs._kernels.positions import Layer, Positions, turns_of
from cardgames_dp.pairs._kernels.sweeps import Sweep
from cardgames_dp.pairs.rounds import score_columns, start_of
from cardgames_dp.pairs.rules import Floats, Integers, Rules, tabled_rules
from cardgames_dp.pairs.state import checked_scores

_UNIT = 2.0**-53
_TINY = 1e-300
_MOST_SCORES = 11


Bounds: TypeAlias = tuple[float, float]
"""A chance is at least the first, and at most the second."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Enclosure(Result):
    """Certified bounds of every chance of winning; made by :func:`enclosure`.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    lower, upper : ndarray of float64, shape (decks, vectors of scores)
        Bounds of the leader's chance of winning at the start of a round, in the order
        of ``ScoreTable.table``.
    choices : int
        The number of positions, with scores, in which both actions are allowed.
    undecided : int
        The number of these in which the bounds do not show which action is better. They
        include exact ties: bounds cannot show that two numbers are equal.
    largest_doubt : float
        The largest amount that the worse action may cost in these.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> certain = pairs.enclosure(pairs.Rules(deck=4, target=10))
    >>> lower, upper = certain.value_at([3, 5])[0]
    >>> 0 < upper - lower < 1e-13
    True
    >>> certain.undecided, certain.largest_doubt < 1e-13
    (83, True)
    """

    rules: Rules
    lower: Floats
    upper: Floats
    choices: int
    undecided: int
    largest_doubt: float

    @property
    def value(self) -> Bounds:
        """Bounds of the leader's chance at the start of the game."""
        return self.payoffs[0]

    @property
    def payoffs(self) -> tuple[Bounds, Bounds]:
        """Bounds of both chances at the start of the game, the leader's first."""
        return self._of_both(-1, 0)

    @property
    def width(self) -> float:
        """The largest difference between an upper and a lower bound."""
        return float((self.upper - self.lower).max())

    def value_at(
        self,
        scores: Iterable[SupportsIndex],
        *,
        deck: Mapping[Any, SupportsIndex] | None = None,
    ) -> tuple[Bounds, Bounds]:
        """Return bounds of the chances of winning at the start of a round.

        Parameters
        ----------
        scores : iterable of int
            The points of the players in turn order, the leader of the round first; with
            ``first="lowest"``, the player who is dealt the first card first.
        deck : mapping of int to int, optional
            The cards that nobody has seen, for rules under which discards stay out of
            the deck; ranks that are not keys have no cards. The full deck if not given.

        Returns
        -------
        tuple of tuple of float
            A lower and an upper bound of each chance, in the order of `scores`.
        """
        vector = checked_scores(self.rules, scores)
        return self._of_both(*start_of(Positions(self.rules), vector, deck))

    _derived = ("value", "payoffs", "width")

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        ends = {"win_lower": self.lower[-1], "win_upper": self.upper[-1]}
        return None, score_columns(self.rules, ends)

    def _of_both(self, deck: int, vector: int) -> tuple[Bounds, Bounds]:
        leader = np.array([self.lower[deck, vector], self.upper[deck, vector]])
        (low, high), (below, above) = leader.tolist(), complement(leader).tolist()
        return (low, high), (below, above)

    def _facts(self) -> dict[str, object]:
        names = ("value", "width", "choices", "undecided")
        return {name: getattr(self, name) for name in names}

    def _table(self) -> tables.Table:
        target = self.rules.target
        shown = tables.spread(target, _MOST_SCORES)
        lower, upper = (
            bounds[-1].reshape(target, target) for bounds in (self.lower, self.upper)
        )
        width = upper - lower
        rows = [
            [own, *(f"{lower[own, i]:.6f} + {width[own, i]:.0e}" for i in shown)]
            for own in shown
        ]
        notes = [
            "Lower bounds of the leader's chance of winning, plus the difference to "
            "the upper bounds, by the leader's points (down) and the other player's."
        ]
        return tables.Table(["own \\ other", *map(str, shown)], rows, notes)


@suggest_arguments
def enclosure(rules: Rules | None = None) -> Enclosure:
    """Return certified bounds of all chances of winning in a game of two players.

    Grade: certified.

    Parameters
    ----------
    rules : Rules, optional
        Rules for two players; the published game if not given.

    Raises
    ------
    ValueError
        If the rules are not for two players, or have ``reshuffle="essay"``, under which
        a game may end without a winner.

    Notes
    -----
    The whole game is solved in interval arithmetic (:doc:`/appendix/methods` has
    the proof). The bounds rely on the code, and on floats being rounded as IEEE 754
    says. With more than two players values are not continuous: the choice of an
    indifferent player decides between the others, and no bounds are known.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=4, target=10)
    >>> certain, solution = pairs.enclosure(rules), pairs.solve(rules)
    >>> lower, upper = certain.value
    >>> lower <= solution.value <= upper
    True
    >>> certain.width < 1e-13
    True
    """
    rules = tabled_rules(rules)
    if rules.players != 2:
        raise ValueError(
            "rules must be for two players, where one wins if the other loses, got "
            f"players={rules.players}"
        )
    if rules.reshuffle == "essay":
        raise ValueError(
            "rules must not have reshuffle='essay', under which a game may end without "
            "a winner; use 'round' or 'exhausted'"
        )
    sweep = Sweep(Positions(rules), [optimal(2)])
    positions = sweep.positions
    sweep.refuse_too_much()
    bounds = np.zeros((2, positions.decks, rules.target**2))
    choices = undecided = 0
    largest = 0.0
    keys = positions.layers[0].keys
    for block in sweep.all_blocks(-1):
        start = np.empty((0, 0))
        for layer, hit, fold, values in _layers(sweep, bounds, block):
            start, both = values, layer.choice
            choices += int(both.sum()) * len(block)
            doubts = _open_costs(hit[both], fold[both])
            undecided += len(doubts)
            largest = max(largest, float(doubts.max(initial=0.0)))
        if positions.dealing is not None:
            start = _before_deal(positions.dealing, len(rules.ranks), start, block)
        halves = start.reshape(len(start), 2, len(block)).swapaxes(0, 1)
        bounds[:, keys[:, None], sweep.index(block)] = halves
    return Enclosure(rules, bounds[0], bounds[1], choices, undecided, largest)


def _layers(
    sweep: Sweep, bounds: Floats, block: Integers
) -> Iterator[tuple[Layer, Floats, Floats, Floats]]:
    """Yield bounds for the layers of a block, beginning with the fullest hands.

    Those of higher totals are in `bounds`, of shape (2, decks, vectors of scores). For
    each layer they are those of the leader's chance of winning after a hit and after a
    fold, without meaning where it is not allowed, and under optimal play.
    """
    ends = [_ends(sweep, bounds, block, mover) for mover in range(2)]
    off = _rounding(len(sweep.rules.ranks) + 4)
    values = np.empty((0, 2 * len(block)))
    for in_hands in sweep.positions.downwards:
        layer, mover = sweep.positions.layers[in_hands], in_hands % 2
        hit = _widened(layer.hit() @ np.concatenate([values, ends[mover]]), off)
        fold = ends[mover][layer.fold]
        better = np.maximum if mover == 0 else np.minimum
        values = np.where(layer.can_fold[:, None], fold, hit)
        values[layer.choice] = better(hit[layer.choice], fold[layer.choice])
        yield layer, hit, fold, values


def _ends(sweep: Sweep, bounds: Floats, block: Integers, mover: int) -> Floats:
    """Return bounds of the leader's chance after `mover` has scored, by rank."""
    worth = np.empty((len(sweep.rules.ranks), sweep.positions.decks, 2, len(block)))
    for here, (_, lost, columns) in zip(worth, sweep.ends(block, mover), strict=True):
        after = bounds[:, :, columns]
        if mover == 0:  # the other player leads
            after = complement(after)
        here[:] = after.swapaxes(0, 1)
        here[..., lost] = float(mover)
    return worth.reshape(-1, 2 * len(block))


def complement(bounds: Floats) -> Floats:
    """Return bounds of one player's chances from those of the other's, first axis 2."""
    lower, upper = bounds
    below, above = np.nextafter(1 - upper, -1), np.nextafter(1 - lower, 2)
    return np.stack([np.maximum(below, 0.0), np.minimum(above, 1.0)])


def _before_deal(
    dealing: list[Any], ranks: int, after: Floats, block: Integers
) -> Floats:
    """Return bounds before the deal after which the lowest card leads.

    The chances of deals are sums and quotients of sums of at most R**2 products.
    """
    off = _rounding(2 * ranks**2 + 2 * ranks + 16)
    by_half = after.reshape(len(after), 2, len(block)).swapaxes(0, 1)
    second = complement(by_half[:, :, turns_of(block, 1)])
    first, second = (
        half.swapaxes(0, 1).reshape(len(after), -1) for half in (by_half, second)
    )
    return _widened(dealing[0] @ first + dealing[1] @ second, off)


def _rounding(units: int) -> float:
    """Return an even number of units, so that 1 less it and 1 plus it are exact."""
    return (units + units % 2) * _UNIT


def _widened(values: Floats, off: float) -> Floats:
    """Return bounds that hold despite relative rounding errors below `off`."""
    half = values.shape[1] // 2
    values[:, :half] = np.maximum(values[:, :half] * (1 - off) - _TINY, 0.0)
    values[:, half:] = np.minimum(values[:, half:] * (1 + off) + _TINY, 1.0)
    return values


def _open_costs(hit: Floats, fold: Floats) -> Floats:
    """Return the largest possible cost of each decision that the bounds leave open."""
    half = hit.shape[1] // 2
    hit_above = hit[:, :half] > fold[:, half:]
    fold_above = fold[:, :half] > hit[:, half:]
    most = np.maximum(hit[:, half:] - fold[:, :half], fold[:, half:] - hit[:, :half])
    return most[~(hit_above | fold_above)]
