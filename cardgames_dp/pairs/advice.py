"""Advice in one position of Pairs: the best action, or that of a policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._advice import AdviceRecord
from cardgames_dp._numbers import short
from cardgames_dp.pairs._arguments import checked_scores, read_position
from cardgames_dp.pairs._kernels.induction import Step, all_players
from cardgames_dp.pairs._kernels.setting import Action
from cardgames_dp.pairs._kernels.sweep import Sweep
from cardgames_dp.pairs.policies import Policy, decider
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.views import decided_at

Hand: TypeAlias = Mapping[Any, SupportsIndex] | Iterable[SupportsIndex]
"""The cards of a hand: its ranks, one for each card, or a mapping of rank to count."""


@dataclass(frozen=True, slots=True, repr=False)
class Advice(AdviceRecord[Action, float]):
    """The best action in a position; prints as a sentence.

    Attributes
    ----------
    action : {"hit", "fold"}
        The best action; in a tie, the one of the tie rule.
    best : tuple of {"hit", "fold"}
        All best actions: both in a tie, up to the solution's tolerance.
    worths : mapping of {"hit", "fold"} to float
        The player's chance of winning after each action that is allowed, if this player
        plays on optimally and the others play as in the solution (optimally) or as the
        best response assumes.
    values : tuple of float
        The chances of winning of all players if the advice is followed: of the player
        to move, then of the others in turn order.

    Examples
    --------
    >>> from cardgames_dp import pairs
    >>> solution = pairs.solve(pairs.Rules(deck=pairs.triangular(3), target=5))
    >>> advice = solution.advice(hand=[2], others=[3], scores=[0, 0])
    >>> advice.action, round(advice.margin, 4)
    ('hit', 0.18)
    >>> [round(chance, 4) for chance in advice.values]  # the player's, the other's
    [0.4878, 0.5122]
    >>> print(advice)
    hit, winning 0.48779; a fold wins 0.307781.
    >>> advice = solution.advice(hand=[], others=[], scores=[0, 0])
    >>> advice.action, advice.fold, advice.margin  # on an empty table nobody can fold
    ('hit', None, None)
    >>> print(advice)
    hit, winning 0.448757; nobody can fold here.
    """

    values: tuple[float, ...]

    @property
    def hit(self) -> float | None:
        """The player's chance of winning after a hit; None if no card is left."""
        return self.worths.get("hit")

    @property
    def fold(self) -> float | None:
        """The player's chance of winning after a fold; None on an empty table."""
        return self.worths.get("fold")

    def __str__(self) -> str:
        return f"{self._summary()}."

    def _summary(self) -> str:
        hit, fold = self.hit, self.fold
        if hit is None:
            return f"fold, winning {short(self.worth)}; there is no card to draw"
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


def advice_from(
    sweep: Sweep,
    hand: object,
    others: object,
    scores: NDArray[np.int64],
    deck: object,
) -> Advice:
    """Return advice for a player who plays the best response of a seat in the sweep."""
    n = sweep.rules.players
    hands, unseen = read_position(sweep.rules, hand, others, deck)
    in_hands = int(hands.sum())
    mover = in_hands % n
    by_seat = np.roll(hands, mover, axis=0)
    (key,) = sweep.positions.keys(unseen[None], by_seat[None], in_hands)
    found = _step_at(sweep, in_hands, int(key), np.roll(scores, mover))
    if found is None:
        raise ValueError(
            f"hand={_checks.shown(hand)} and others={_checks.shown(others)} with "
            f"deck={_checks.shown(deck)} must be a position that can arise in a round"
        )
    step, place = found
    order = np.roll(np.arange(n), -mover)
    can_hit, can_fold = step.layer.can_hit[place], step.layer.can_fold[place]
    hits, folds, values = (
        all_players(chances[place : place + 1], n)[0, order, 0].tolist()
        for chances in (step.hit, step.fold, step.values)
    )
    worths: dict[Action, float] = {"hit": hits[0]} if can_hit else {}
    worths |= {"fold": folds[0]} if can_fold else {}
    action: Action = "hit" if step.hits[place, 0] else "fold"
    tie = len(worths) == 2 and abs(worths["hit"] - worths["fold"]) <= sweep.tolerance
    best = tuple(worths) if tie else (action,)
    return Advice(action, best, worths, tuple(values))


def _step_at(
    sweep: Sweep, in_hands: int, key: int, vector: NDArray[np.int64]
) -> tuple[Step, int] | None:
    """Return the step in which a position is solved, and its place there.

    It is for the profile in which the player to move plays optimally; None if no round
    leads to the position. With reshuffle='round' only the position and those that may
    follow it are solved. The scores are leader first.
    """
    rules, positions = sweep.rules, None
    if sweep.positions.decks == 1:
        if in_hands and sum(rules.counts) - in_hands < rules.burn:
            return None
        positions = sweep.positions.after(in_hands, key)
    for by_profile in sweep.steps(vector[None], positions):
        if by_profile[0].in_hands == in_hands:
            step = by_profile[sweep.deciding[in_hands % rules.players]]
            place = int(np.searchsorted(step.layer.keys, key))
            found = step.layer.keys[place : place + 1]
            return (step, place) if (found == key).any() else None
    return None


def decision(
    policy: Policy,
    *,
    hand: Hand,
    others: Iterable[Hand] | Hand,
    scores: Iterable[SupportsIndex],
    deck: Mapping[Any, SupportsIndex] | None = None,
    rules: Rules | None = None,
) -> Action:
    """Return the action of a policy in one position, without solving the game.

    Where only one action is allowed, it is returned whatever the policy says: nobody
    can fold on an empty table, or hit if no card is left to draw.

    Grade: float64.

    Parameters
    ----------
    policy : Policy
        Any policy but "optimal", for which the game must be solved; use
        ``Solution.advice`` instead.
    hand, others, scores, deck
        The position, as for :meth:`Solution.advice`. The cards and the numbers of cards
        are checked, but not whether a round can reach exactly this `deck`.
    rules : Rules, optional
        The published game of two players if not given.

    Returns
    -------
    {"hit", "fold"}
        The action.

    Raises
    ------
    TypeError, ValueError
        If the policy is "optimal" or not a policy, or as for :meth:`Solution.advice`.

    Examples
    --------
    With 3 and 9 against 7 and 10, at 12 points to 20:

    >>> from cardgames_dp import pairs
    >>> position = {"hand": [3, 9], "others": [7, 10], "scores": [12, 20]}
    >>> pairs.decision("expected_points", **position)
    'hit'
    >>> pairs.decision(pairs.HitBelow(0.15), **position)
    'fold'
    """
    rules = _checks.rules(rules, Rules)
    decide = decider("policy", policy)
    if decide is None:
        raise ValueError(
            "policy must not be 'optimal', for which the game must be solved; use "
            "solve(rules).advice(...)"
        )
    vector = checked_scores(rules, scores)
    hands, unseen = read_position(rules, hand, others, deck)
    if not hands.any():
        return "hit"
    if unseen.sum() <= rules.burn:
        return "fold"
    return decided_at(decide, rules, hands, unseen, vector)
