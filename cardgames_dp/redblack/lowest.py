"""The lowest cash of a player of red/black, on the way to the end of the game."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, SupportsIndex, overload

from cardgames_dp._results.distribution import Distribution
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp.redblack import policies
from cardgames_dp.redblack._kernels import distributions as kernel
from cardgames_dp.redblack.policies import Policy
from cardgames_dp.redblack.rules import Problem, Rules


@overload
def lowest_cash(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
) -> Distribution[float]: ...
@overload
def lowest_cash(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["exact"],
) -> Distribution[Fraction]: ...
@suggest_arguments
def lowest_cash(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Backend = "float64",
) -> Distribution[Any]:
    """Return the distribution of the smallest of all amounts in hand; never positive.

    ``lowest_cash(...).cdf(-x)`` is the probability that the player is x or more behind
    at some time. What else may happen, `cardgames_dp.play.distribution` tells.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the deck.
    policy : Policy, default "optimal"
        When the player stops: any policy that `cardgames_dp.play` takes for the deck.
    rules : Rules, optional
        The classic rules if not given.
    backend : {"float64", "exact"}
        The arithmetic. In float64, depths whose states are all reached with a
        probability of at most 2**-64 / (red + black) are left out.

    Returns
    -------
    Distribution
        In the unit of the rules' amounts, also under a utility.

    Raises
    ------
    ValueError
        Also if more than a million depths would be followed one by one, as with amounts
        that differ.
    TooLargeError
        If it would not fit in memory.

    Notes
    -----
    Play is run forwards for each depth, at which it ends as well: O(l**2) time for l +
    l cards, some seconds for 10,000 + 10,000. If a red card does not gain what a black
    card costs, almost each state has a depth of its own, and large decks take long. In
    exact arithmetic l + l cards take O(l**3) additions.

    References
    ----------
    The Problem 14 essay says that "optimal play can go quite negative before quitting",
    without a figure.

    Examples
    --------
    Half of all optimal players are 4 or more behind at some time, although none of them
    ends with a loss:

    >>> from cardgames_dp import redblack
    >>> lowest = redblack.lowest_cash(26, 26)
    >>> [round(lowest.cdf(-x), 4) for x in (1, 2, 4, 8)]
    [0.8669, 0.7487, 0.502, 0.0852]
    """
    problem = Problem.of(red, black, rules, backend)
    policies.check("policy", policy)
    kernel.refuse_large(problem)
    stops = policies.stop_set(policy, problem)
    return Distribution("lowest cash", *kernel.lowest_cash(problem, stops))
