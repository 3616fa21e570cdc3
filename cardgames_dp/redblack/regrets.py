"""The mistakes of a policy of red/black, and what they cost."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.redblack import policies
from cardgames_dp.redblack.deck import State, game
from cardgames_dp.redblack.policies import Policy
from cardgames_dp.redblack.rules import Decision, Problem, Rules

if TYPE_CHECKING:
    from cardgames_dp.play import Regret

_CELL_BYTES = 850
"""Bytes for each number of red and black cards left; twice as many for Fractions."""


@overload
def regret(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
) -> Regret[State, Decision, float]: ...
@overload
def regret(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy,
    rules: Rules | None = None,
    backend: Literal["exact"],
) -> Regret[State, Decision, Fraction]: ...
@suggest_arguments
def regret(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy,
    rules: Rules | None = None,
    backend: Backend = "float64",
) -> Regret[State, Decision, Any]:
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
        its mean.

    Raises
    ------
    TooLargeError
        If the states would not fit in memory: 1000 + 1000 cards take some seconds.

    See Also
    --------
    cardgames_dp.play.regret : The same for any game, that of ``game(red, black)``, too.

    Examples
    --------
    A player who stops as soon as the cash is positive loses most by doing so when the
    first card is red:

    >>> from cardgames_dp import redblack
    >>> found = redblack.regret(6, 6, policy="first_positive")
    >>> print(found)
    state                               taken  best      reach  given up       cost
    State(red=5, black=6, decision='')  stop   draw        0.5  0.549784   0.274892
    State(red=4, black=5, decision='')  stop   draw   0.136364  0.444444  0.0606061
    State(red=3, black=4, decision='')  stop   draw  0.0757576  0.342857   0.025974
    State(red=2, black=3, decision='')  stop   draw  0.0541126       0.2  0.0108225
    (mistakes in 5 of 48 states, 4 of them reached; total loss 0.372294)
    >>> round(redblack.value(6, 6) - found.loss, 6)
    0.857143
    >>> round(redblack.value(6, 6, policy="first_positive"), 6)
    0.857143
    """
    from cardgames_dp import play

    problem = Problem.of(red, black, rules, backend)
    policies.check("policy", policy)
    refuse_too_large(
        f"the regret in all states of {problem.deck}",
        (problem.red + 1) * (problem.black + 1) * (1 + problem.exact) * _CELL_BYTES,
        "use value(...) with and without policy=, whose difference is the loss",
    )
    played = policies.in_states(policies.stop_set(policy, problem), problem)
    deck = game(problem.red, problem.black, rules=problem.rules)
    return play.regret(deck, played, backend=backend)
