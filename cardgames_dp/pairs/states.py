"""Policies of Pairs in the game of states and moves, for `cardgames_dp.play`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cardgames_dp import _checks
from cardgames_dp._records import Record
from cardgames_dp.pairs._kernels import turns
from cardgames_dp.pairs._kernels.setting import Action
from cardgames_dp.pairs._kernels.turns import State
from cardgames_dp.pairs.policies import Policy, decider
from cardgames_dp.pairs.rules import Rules
from cardgames_dp.pairs.solver import solve
from cardgames_dp.pairs.views import Decide, decided_at


def state_policy(rules: Rules | None, policy: Policy) -> Callable[[State], Action]:
    """Return a policy of Pairs as a policy of the game ``rules.game()``.

    The functions of :mod:`cardgames_dp.play` ask policies about one `State` at a time.
    With this, they take the policies of this package, too, and are exact.

    Grade: float64 for "optimal" and for solved play; else exact.

    Parameters
    ----------
    rules : Rules or None
        The published game of two players if None.
    policy : Policy
        A name, a function of a `View`, a `Solution` or a `BestResponse`. For "optimal"
        the game is solved.

    Returns
    -------
    callable
        A function of a `State` that returns "hit" or "fold".

    Raises
    ------
    TypeError, ValueError
        If `policy` is not a policy.
    TooLargeError, TooLongError
        As by :func:`solve`, for "optimal".

    See Also
    --------
    evaluate : The chances of all seats in float64, much faster.

    Examples
    --------
    >>> from cardgames_dp import pairs, play
    >>> rules = pairs.Rules(deck={1: 1, 2: 2}, target=3)
    >>> names = ["fifty_percent", "always_hit"]
    >>> policies = [pairs.state_policy(rules, name) for name in names]
    >>> exact = play.evaluate(rules.game(), policies, backend="exact").value
    >>> exact
    (Fraction(155, 243), Fraction(88, 243))
    >>> abs(float(exact[0]) - pairs.evaluate(rules, names).value[0]) < 1e-15
    True
    """
    rules = _checks.rules(rules, Rules)
    decide = decider("policy", policy)
    return _ByState(rules, solve(rules).policy if decide is None else decide)


@dataclass(frozen=True, slots=True)
class _ByState(Record):
    """A policy of views, asked about one state."""

    rules: Rules
    decide: Decide

    def __call__(self, state: State) -> Action:
        if not isinstance(state, State):
            raise TypeError(
                f"state must be a pairs.State, got {_checks.described(state)}"
            )
        allowed = turns.actions(self.rules, state)
        if len(allowed) == 1:
            return allowed[0]
        hands = np.roll(np.array(state.hands), -state.player, axis=0)
        scores = np.roll(state.scores, -state.player)
        unseen = np.array(state.unseen)
        return decided_at(self.decide, self.rules, hands, unseen, scores)
