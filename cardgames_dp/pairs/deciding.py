"""What a policy does in one position, for a person who asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from cardgames_dp import _checks
from cardgames_dp.pairs.advice import read_position
from cardgames_dp.pairs.deciders import Policy, decider
from cardgames_dp.pairs.policies import View, decided
from cardgames_dp.pairs.rules import Action, Rules
from cardgames_dp.pairs.solution import Hand
from cardgames_dp.pairs.starts import checked_scores


def decision(
    policy: Policy,
    *,
    hand: Hand,
    others: Iterable[Hand] | Hand,
    scores: Iterable[int],
    deck: Mapping[int, int] | None = None,
    rules: Rules | None = None,
) -> Action:
    """Return what a policy does in one position, without solving the game.

    Where only one action is allowed it is that one, whatever the policy says: on an
    empty table nobody can fold, and without a card to draw nobody can hit.

    Grade: float64.

    Parameters
    ----------
    policy : word or callable
        Any that :func:`win_rate` knows but "optimal", for which the game must be
        solved: that is ``Solution.advice``.
    hand, others, scores, deck
        The position, as for ``Solution.advice``. The cards and the numbers of cards are
        checked; whether a round can come to just this `deck` is not.
    rules : Rules, optional
        The published game if not given.

    Returns
    -------
    {"hit", "fold"}

    Raises
    ------
    TypeError, ValueError
        If the policy is "optimal" or none at all, or as by ``Solution.advice``.

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
    view = View(rules, hands[:1], hands[None, 1:], unseen[None], vector[None])
    return "hit" if np.all(decided(decide, view)) else "fold"
