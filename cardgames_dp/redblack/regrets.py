"""The mistakes of a policy of red/black, and what they cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.redblack import policies
from cardgames_dp.redblack._kernels.stop_sets import StopSet, chances
from cardgames_dp.redblack.policies import Policy
from cardgames_dp.redblack.rules import DRAW, STOP, Decision, Problem, Rules

if TYPE_CHECKING:
    from cardgames_dp.play import Regret


@overload
def regret(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
) -> Regret[tuple[int, int], Decision, float]: ...
@overload
def regret(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy,
    rules: Rules | None = None,
    backend: Literal["exact"],
) -> Regret[tuple[int, int], Decision, Fraction]: ...
@suggest_arguments
def regret(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy,
    rules: Rules | None = None,
    backend: Backend = "float64",
) -> Regret[tuple[int, int], Decision, Any]:
    """Return what a policy gives up in every state, and what that costs.

    Grade: exact, or certified by its `error` in float64.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the deck.
    policy : str, StopAt, OptimalWithin, Solution, callable or mapping
        When the player stops: any `Policy`.
    rules : Rules, optional
        The classic rules if not given. A utility must be finite: no ruin.
    backend : {"float64", "exact"}
        The arithmetic. In float64 a decision that may be optimal, up to rounding,
        counts as giving up nothing.

    Returns
    -------
    cardgames_dp.play.Regret
        In each state: how likely the player gets there, what the decision gives up, and
        the product of both, its cost. The costs sum to what optimal play is worth more
        than the policy. A decision of a player who stops with some probability gives up
        its mean. Here `states` is an array: a row for each state, the costliest mistake
        first, of the red and the black cards left.

    Raises
    ------
    TooLargeError
        If the states would not fit in memory: 1000 + 1000 cards take some seconds.

    See Also
    --------
    cardgames_dp.play.regret : The same for any game.

    Examples
    --------
    A player who stops as soon as the cash is positive loses most by doing so when the
    first card is red:

    >>> from cardgames_dp import redblack
    >>> found = redblack.regret(6, 6, policy="first_positive")
    >>> print(found)
    state  taken  best      reach  given up       cost
    [5 6]  stop   draw        0.5  0.549784   0.274892
    [4 5]  stop   draw   0.136364  0.444444  0.0606061
    [3 4]  stop   draw  0.0757576  0.342857   0.025974
    [2 3]  stop   draw  0.0541126       0.2  0.0108225
    (mistakes in 5 of 48 states, 4 of them reached; total loss 0.372294)
    >>> round(redblack.value(6, 6) - found.loss, 6)
    0.857143
    >>> round(redblack.value(6, 6, policy="first_positive"), 6)
    0.857143

    The same as a table, indexed by cards left:

    >>> import numpy as np
    >>> cost = np.zeros((7, 7))
    >>> cost[tuple(found.states.T)] = found.cost
    >>> float(cost[5, 6].round(6))
    0.274892
    """
    from cardgames_dp import play

    problem = Problem.of(red, black, rules, backend)
    policies.check("policy", policy)
    asked = _asked(policies.stop_set(policy, problem), problem)
    game = problem.rules.arrays(problem.red, problem.black)
    found: Any = play.regret(game, asked, backend=backend)
    words = np.array(["", "stop", "draw"])
    return replace(
        found,
        states=found.states[:, :2],
        taken=(found.taken[0], words[found.taken[1]]),
        best=(found.best[0], words[found.best[1]]),
    )


def _asked(stops: StopSet, problem: Problem) -> Callable[[NDArray[Any]], Any]:
    """Return a stop set as a policy of the game for arrays."""
    _, red, black, exact = problem
    table = np.zeros((red + 1, black + 1), problem.dtype)
    for n in range(1, red + black + 1):
        r = np.arange(max(0, n - black), min(red, n) + 1)
        ends = stops(n, int(r[0]), int(r[-1]))
        table[r, n - r] = chances(ends, len(r))

    def policy(states: NDArray[Any]) -> Any:
        chance = table[states[:, 0], states[:, 1]]
        certain = (chance == 0) | (chance == 1)
        if certain.all():
            return np.where(chance == 1, STOP, DRAW)
        index = np.repeat(np.arange(len(states)), 2)
        both = [(p, 1 - p) for p in chance.tolist()]
        if exact:
            both = [(p.numerator, p.denominator - p.numerator) for p in chance]
        return index, np.tile([STOP, DRAW], len(states)), np.array(both).ravel()

    return policy
