"""Advice in one position of Pairs: the best action, or that of a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, SupportsIndex, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results.advice import AdviceRecord
from cardgames_dp._results.printing import short
from cardgames_dp._support import arguments
from cardgames_dp.pairs._kernels.backward import Sweep
from cardgames_dp.pairs._kernels.game import Action
from cardgames_dp.pairs._kernels.induction import Step, all_players
from cardgames_dp.pairs._kernels.positions import Layer, Positions
from cardgames_dp.pairs.hands import read_position

Hand: TypeAlias = Mapping[Any, SupportsIndex] | Iterable[SupportsIndex]
"""The cards of a hand: its ranks, one for each card, or a mapping of rank to count."""


class Solved(Protocol):
    """A layer that is solved: a step of the engine, or bounds."""

    @property
    def in_hands(self) -> int:
        """How many cards are in hands."""

    @property
    def layer(self) -> Layer:
        """The positions."""


Found = TypeVar("Found", bound=Solved)


@dataclass(frozen=True, slots=True, repr=False)
class Advice(AdviceRecord[Action, float]):
    """The best action in a position; prints as a sentence.

    Attributes
    ----------
    action : {"hit", "fold"}
        The best action; in a tie, the one of the tie rule.
    best : tuple of {"hit", "fold"}
        All best actions: both in a tie.
    values : mapping of {"hit", "fold"} to float
        The player's chance of winning after each action that is allowed, if this player
        plays on optimally and the others play as in the solution (optimally) or as the
        best response assumes.
    returns : tuple of float
        The chances of winning of all players if the advice is followed: of the player
        to move, then of the others in turn order.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=3, target=5))
    >>> advice = solution.advice(hand=[2], others=[3], scores=[0, 0])
    >>> advice.action, round(advice.margin, 4)
    ('hit', 0.18)
    >>> [round(chance, 4) for chance in advice.returns]  # the player's, the other's
    [0.4878, 0.5122]
    >>> print(advice)
    hit, winning 0.48779; a fold wins 0.307781.
    >>> advice = solution.advice(hand=[], others=[], scores=[0, 0])
    >>> advice.action, advice.fold, advice.margin  # on an empty table nobody can fold
    ('hit', None, None)
    >>> print(advice)
    hit, winning 0.448757; nobody can fold here.
    """

    returns: tuple[float, ...]

    @property
    def hit(self) -> float | None:
        """The player's chance of winning after a hit; None if no card is left."""
        return self.values.get("hit")

    @property
    def fold(self) -> float | None:
        """The player's chance of winning after a fold; None on an empty table."""
        return self.values.get("fold")

    def __str__(self) -> str:
        return f"{self._summary()}."

    def _summary(self) -> str:
        hit, fold = self.hit, self.fold
        if hit is None:
            return f"fold, winning {short(self.value)}; there is no card to draw"
        if fold is None:
            return f"hit, winning {short(hit)}; nobody can fold here"
        if self.tie:
            return (
                f"hitting and folding both win {short(fold)}; the tie rule says "
                f"{self.action}"
            )
        if self.action == "hit":
            return f"hit, winning {short(hit)}; a fold wins {short(fold)}"
        return f"fold, winning {short(fold)}; a hit wins {short(hit)}"

    def _measure(self) -> str:
        return "chance of winning"


def found_step(
    sweep: Sweep,
    given: tuple[object, object, object],
    scores: NDArray[np.int64],
    steps: Callable[[NDArray[np.int64], Positions | None], Iterable[Found]],
) -> tuple[Found, int, int]:
    """Return the step in which a position is solved, its place, and the seat to move.

    With reshuffle='round' only the position and those that may follow it are solved.

    Parameters
    ----------
    sweep : Sweep
    given : tuple
        The hand, those of the others, and the deck, as a user gives them.
    scores : ndarray of int64, shape (players,)
        From the player to move on.
    steps : callable
        Solves the round with some scores, leader first, in these or in all positions.

    Raises
    ------
    ValueError
        If no round leads to the position.
    """
    rules, positions = sweep.rules, None
    hands, unseen = read_position(rules, *given)
    in_hands = int(hands.sum())
    mover = in_hands % rules.players
    by_seat = np.roll(hands, mover, axis=0)
    (key,) = sweep.positions.keys(unseen[None], by_seat[None], in_hands)
    burned = in_hands > 0 and sum(rules.counts) - in_hands < rules.burn
    if sweep.positions.decks == 1 and not burned:
        positions = sweep.positions.after(in_hands, int(key))
    if sweep.positions.decks > 1 or not burned:
        for step in steps(np.roll(scores, mover), positions):
            if step.in_hands == in_hands:
                place = int(np.searchsorted(step.layer.keys, key))
                if (step.layer.keys[place : place + 1] == key).any():
                    return step, place, mover
                break
    hand, others, deck = map(arguments.shown, given)
    raise ValueError(
        f"hand={hand} and others={others} with deck={deck} must be a position that can "
        "arise in a round"
    )


def advice_from(
    sweep: Sweep, hand: object, others: object, scores: NDArray[np.int64], deck: object
) -> Advice:
    """Return advice for a player who plays the best response of a seat in the sweep."""
    n = sweep.rules.players

    def steps(vector: NDArray[np.int64], positions: Positions | None) -> Iterator[Step]:
        for by_profile in sweep.steps(vector[None], positions):
            yield by_profile[sweep.deciding[by_profile[0].in_hands % n]]

    step, place, mover = found_step(sweep, (hand, others, deck), scores, steps)
    order = np.roll(np.arange(n), -mover)
    hits, folds, returns = (
        all_players(chances[place : place + 1], n)[0, order, 0].tolist()
        for chances in (step.hit, step.fold, step.values)
    )
    values: dict[Action, float] = {"hit": hits[0]} if step.layer.can_hit[place] else {}
    values |= {"fold": folds[0]} if step.layer.can_fold[place] else {}
    action: Action = "hit" if step.hits[place, 0] else "fold"
    tie = len(values) == 2 and abs(values["hit"] - values["fold"]) <= sweep.tolerance
    best = tuple(values) if tie else (action,)
    return Advice(action, best, values, tuple(returns))
