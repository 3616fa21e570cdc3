"""Certified bounds of every chance of winning in games of two players.

The argument is that of the engine, `enclosing`: a mean, a maximum and a minimum are
monotone in their arguments, so bounds of later values give bounds of earlier ones, if
each operation is rounded outwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from cardgames_dp._results import tables
from cardgames_dp._results.records import Result
from cardgames_dp._support import arguments
from cardgames_dp.pairs._kernels.backward import Sweep
from cardgames_dp.pairs._kernels.enclosing import Bounded, complement, enclose, layers
from cardgames_dp.pairs._kernels.induction import optimal
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.protocol import Action, Floats, Integers
from cardgames_dp.pairs.advice import Hand, found_step
from cardgames_dp.pairs.hands import checked_scores, start_deck
from cardgames_dp.pairs.rules import Rules

_MOST_SCORES = 11


class Bounds(NamedTuple):
    """Certified lower and upper bounds of a chance.

    Attributes
    ----------
    lower, upper : float
        The chance is at least `lower` and at most `upper`.
    """

    lower: float
    upper: float


class CertifiedChances(NamedTuple):
    """Bounds of the chances after each action; made by :meth:`Enclosure.chances`.

    Attributes
    ----------
    hit, fold : Bounds or None
        The chance of winning of the player to move after this action; None if it is not
        allowed.
    best : tuple of str
        The actions that can be best; a single one if it is certainly best.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> certain = pairs.enclosure(pairs.Rules(deck=3, target=5))
    >>> found = certain.chances(hand=[2], others=[1], scores=[0, 0])
    >>> found.best, found.hit.upper < found.fold.lower
    (('fold',), True)
    """

    hit: Bounds | None
    fold: Bounds | None
    best: tuple[Action, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Enclosure(Result):
    """Certified bounds of every chance of winning; made by :func:`enclosure`.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    lower, upper : ndarray of float64, shape (decks, vectors of scores)
        Bounds of the leader's chance of winning at the start of a round, in the order
        of ``Solution.table``.
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
    def value(self) -> tuple[Bounds, Bounds]:
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
        scores, deck
            As for :meth:`Solution.value_at`.

        Returns
        -------
        tuple of Bounds
            In the order of `scores`.
        """
        sweep = _unfilled(self.rules)
        vector = checked_scores(self.rules, scores)
        number = start_deck(sweep.positions, deck)
        return self._of_both(number, int(sweep.index(vector)))

    def chances(
        self,
        *,
        hand: Hand,
        others: Iterable[Hand] | Hand,
        scores: Iterable[SupportsIndex],
        deck: Mapping[Any, SupportsIndex] | None = None,
    ) -> CertifiedChances:
        """Return bounds of the chances of winning after each action in a position.

        Parameters
        ----------
        hand, others, scores, deck
            As for :meth:`Solution.advice`.

        Returns
        -------
        CertifiedChances
            The bounds for the player to move.
        """
        vector = checked_scores(self.rules, scores)
        sweep, bounds = _unfilled(self.rules), np.stack([self.lower, self.upper])

        def steps(vector: Integers, positions: Positions | None) -> Iterator[Bounded]:
            return layers(sweep, positions or sweep.positions, bounds, vector[None])

        given = hand, others, deck
        step, place, mover = found_step(sweep, given, vector, steps)
        hit, fold = (
            Bounds(*(bounds if mover == 0 else complement(bounds)).tolist())
            for bounds in (step.hit[place], step.fold[place])
        )
        if not (step.layer.can_hit[place] and step.layer.can_fold[place]):
            if step.layer.can_hit[place]:
                return CertifiedChances(hit, None, ("hit",))
            return CertifiedChances(None, fold, ("fold",))
        best: tuple[Action, ...] = ("fold", "hit")
        if hit.lower > fold.upper or fold.lower > hit.upper:
            best = ("hit",) if hit.lower > fold.upper else ("fold",)
        return CertifiedChances(hit, fold, best)

    _derived = ("value", "width")

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        sweep = _unfilled(self.rules)
        vectors = np.concatenate(sweep.vectors())
        here = sweep.index(vectors)
        return None, {
            "score_0": vectors[:, 0].tolist(),
            "score_1": vectors[:, 1].tolist(),
            "win_lower": self.lower[-1, here].tolist(),
            "win_upper": self.upper[-1, here].tolist(),
        }

    def _of_both(self, deck: int, vector: int) -> tuple[Bounds, Bounds]:
        leader = np.array([self.lower[deck, vector], self.upper[deck, vector]])
        return Bounds(*leader.tolist()), Bounds(*complement(leader).tolist())

    def _facts(self) -> dict[str, object]:
        told = {"value": tuple(self.value[0]), "width": self.width}
        return {**told, "choices": self.choices, "undecided": self.undecided}

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


def enclosure(rules: Rules | None = None) -> Enclosure:
    """Return certified bounds of all chances of winning in a game of two players.

    Grade: certified.

    Parameters
    ----------
    rules : Rules, optional
        Rules for two players; the published game if not given.

    Returns
    -------
    Enclosure
        Bounds for all scores, and the number of decisions that they leave open.

    Raises
    ------
    ValueError
        If the rules are not for two players, or have ``reshuffle="essay"``, under which
        a game may end without a winner.
    TooLargeError
        As for :func:`solve`.

    See Also
    --------
    solve : The chances themselves, with ties found by a tolerance.

    Notes
    -----
    The whole game is solved in interval arithmetic (:doc:`/theory/pairs` has the
    proof). The bounds rely on the code, and on floats being rounded as IEEE 754 says.
    With more than two players values are not continuous: the choice of an indifferent
    player decides between the others, and no bounds are known.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=4, target=10)
    >>> certain, solution = pairs.enclosure(rules), pairs.solve(rules)
    >>> (lower, upper), _ = certain.value
    >>> lower <= solution.value[0] <= upper
    True
    >>> certain.width < 1e-13
    True
    """
    rules = arguments.rules(rules, Rules)
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
    lower, upper, doubt = enclose(_unfilled(rules))
    return Enclosure(rules, lower, upper, *doubt)


def _unfilled(rules: Rules) -> Sweep:
    return Sweep(Positions(rules), [optimal(2)])
