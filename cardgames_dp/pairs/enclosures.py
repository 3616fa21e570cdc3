"""Certified bounds of every chance of winning in games of two players.

The argument is that of the engine, `enclosing`: a mean, a maximum and a minimum are
monotone in their arguments, so bounds of later values give bounds of earlier ones, if
each operation is rounded outwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

import numpy as np

from cardgames_dp import _checks, _html, _records
from cardgames_dp._records import ArrayRecord
from cardgames_dp.pairs._arguments import checked_scores, read_position, start_deck
from cardgames_dp.pairs._frames import data_frame
from cardgames_dp.pairs._kernels.enclosing import Bounded, complement, enclose, layers
from cardgames_dp.pairs._kernels.induction import optimal
from cardgames_dp.pairs._kernels.positions import Positions
from cardgames_dp.pairs._kernels.setting import Action, Floats, Integers
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs.advice import Hand
from cardgames_dp.pairs.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

_MOST_SCORES = 11


class Bounds(NamedTuple):
    """Certified lower and upper bounds of a chance.

    Attributes
    ----------
    lower, upper : float
        The chance is at least `lower` and at most `upper`.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from cardgames_dp import pairs
    >>> rules = pairs.Rules(deck=pairs.triangular(3), target=5)
    >>> bounds = pairs.enclosure(rules).value[0]
    >>> bounds.lower <= Fraction(27261969263, 60750000000) <= bounds.upper
    True
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
    >>> certain = pairs.enclosure(pairs.Rules(deck=pairs.triangular(3), target=5))
    >>> found = certain.chances(hand=[2], others=[1], scores=[0, 0])
    >>> found.best, found.hit.upper < found.fold.lower
    (('fold',), True)
    """

    hit: Bounds | None
    fold: Bounds | None
    best: tuple[Action, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Enclosure(ArrayRecord):
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
    >>> certain = pairs.enclosure(pairs.Rules(deck=pairs.triangular(4), target=10))
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

        Raises
        ------
        TypeError, ValueError
            As for :meth:`Solution.value_at`.
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

        Raises
        ------
        TypeError, ValueError
            As for :meth:`Solution.advice`.
        """
        vector = checked_scores(self.rules, scores)
        hands, unseen = read_position(self.rules, hand, others, deck)
        in_hands = int(hands.sum())
        mover = in_hands % 2
        by_seat = np.roll(hands, mover, axis=0)
        sweep = _unfilled(self.rules)
        (key,) = sweep.positions.keys(unseen[None], by_seat[None], in_hands)
        found = self._found(sweep, in_hands, int(key), np.roll(vector, mover))
        if found is None:
            raise ValueError(
                f"hand={_checks.shown(hand)} and others={_checks.shown(others)} with "
                f"deck={_checks.shown(deck)} must be a position that can arise in a "
                "round"
            )
        step, place = found
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

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields, with the rules, as plain objects.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: tuples become lists.

        Returns
        -------
        dict
            The columns of `to_pandas` as lists; the attributes by name, with "lower"
            and "upper" for all decks; "value" and "width".
        """
        everything = {
            **self._columns(),
            "lower": self.lower,
            "upper": self.upper,
            "rules": self.rules,
            "choices": self.choices,
            "undecided": self.undecided,
            "largest_doubt": self.largest_doubt,
            "value": self.value,
            "width": self.width,
        }
        plain: dict[str, Any] = _records.plain(everything, json=json)
        return plain

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame of bounds, one row for each scores.

        They are for the start of a round with the full deck. The columns are "score_0"
        and "score_1", the leader's first, and "win_lower" and "win_upper", the bounds
        of the leader's chance.

        Raises
        ------
        ModuleNotFoundError
            If pandas is not installed (the extra ``pandas``).
        """
        return data_frame(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        sweep = _unfilled(self.rules)
        vectors = np.concatenate(sweep.vectors())
        here = sweep.index(vectors)
        return {
            "score_0": vectors[:, 0].tolist(),
            "score_1": vectors[:, 1].tolist(),
            "win_lower": self.lower[-1, here].tolist(),
            "win_upper": self.upper[-1, here].tolist(),
        }

    def _of_both(self, deck: int, vector: int) -> tuple[Bounds, Bounds]:
        leader = np.array([self.lower[deck, vector], self.upper[deck, vector]])
        return Bounds(*leader.tolist()), Bounds(*complement(leader).tolist())

    def _found(
        self, sweep: Sweep, in_hands: int, key: int, vector: Integers
    ) -> tuple[Bounded, int] | None:
        """Return the layer of a position and its place there, or None."""
        positions = sweep.positions
        if positions.decks == 1:
            if in_hands and sum(self.rules.counts) - in_hands < self.rules.burn:
                return None
            positions = positions.after(in_hands, key)
        bounds = np.stack([self.lower, self.upper])
        for step in layers(sweep, positions, bounds, vector[None]):
            if step.in_hands == in_hands:
                place = int(np.searchsorted(step.layer.keys, key))
                found = step.layer.keys[place : place + 1]
                return (step, place) if (found == key).any() else None
        return None

    def __repr__(self) -> str:
        return _records.summary(
            self,
            value=tuple(self.value[0]),
            width=self.width,
            choices=self.choices,
            undecided=self.undecided,
        )

    def _repr_html_(self) -> str:
        target = self.rules.losing_score
        shown = _html.spread(target, _MOST_SCORES)
        lower, upper = (
            bounds[-1].reshape(target, target) for bounds in (self.lower, self.upper)
        )
        rows = [
            [
                _html.label(str(own)),
                *(
                    _html.cell(f"{lower[own, other]:.6f} + {width:.0e}")
                    for other in shown
                    for width in [upper[own, other] - lower[own, other]]
                ),
            ]
            for own in shown
        ]
        notes = [
            "Lower bounds of the leader's chance of winning, plus the difference to "
            "the upper bounds, by the leader's points (down) and the other player's."
        ]
        head = ["own \\ other", *map(str, shown)]
        return _html.table(repr(self), head, rows, notes)


def enclosure(
    rules: Rules | None = None,
    *,
    progress: bool = False,
    max_bytes: SupportsIndex | None = None,
) -> Enclosure:
    """Return certified bounds of all chances of winning in a game of two players.

    Grade: certified.

    Parameters
    ----------
    rules : Rules, optional
        Rules for two players; the published game if not given.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).
    max_bytes : int, optional
        The most memory to use for positions, in bytes; half of this machine's memory if
        not given.

    Returns
    -------
    Enclosure
        Bounds for all scores, and the number of decisions that they leave open.

    Raises
    ------
    TypeError, ValueError
        If the rules are not for two players, or have ``reshuffle="essay"``, under which
        a game may end without a winner.
    TooLargeError, TooLongError
        As for :func:`solve`.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

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
    >>> rules = pairs.Rules(deck=pairs.triangular(4), target=10)
    >>> certain, solution = pairs.enclosure(rules), pairs.solve(rules)
    >>> (lower, upper), _ = certain.value
    >>> lower <= solution.value[0] <= upper
    True
    >>> certain.width < 1e-13
    True
    """
    rules = _checks.rules(rules, Rules)
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
    progress = _checks.boolean("progress", progress)
    limit = None if max_bytes is None else _checks.integer("max_bytes", max_bytes)
    lower, upper, doubt = enclose(_unfilled(rules, limit), progress=progress)
    return Enclosure(rules, lower, upper, *doubt)


def _unfilled(rules: Rules, max_bytes: int | None = None) -> Sweep:
    return Sweep(Positions(rules, max_bytes), [optimal(2)], 0.0, max_bytes)
