"""What happens to a player: the distributions of payoff, draws and lowest cash.

For any policy; the optimal policy if not given.
``cardgames_dp.redblack._kernels.distributions`` runs play forwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Literal, SupportsIndex, overload

from cardgames_dp._results.distribution import Distribution
from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import Table
from cardgames_dp._support.arguments import Backend
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.printing import Number
from cardgames_dp.redblack import policies
from cardgames_dp.redblack._kernels import distributions as kernel
from cardgames_dp.redblack._kernels.stop_sets import StopSet
from cardgames_dp.redblack.policies import Policy
from cardgames_dp.redblack.rules import Problem, Rules, told

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Distributions(Result, Generic[Number]):
    """What may happen to a player, and how likely it is; made by :func:`distribution`.

    Each distribution is computed when it is first asked for, and then kept. It prints
    as that of the payoff.

    Attributes
    ----------
    red, black : int
        Numbers of red and black cards in the full deck.
    rules : Rules
        The rules, the tie rule included.
    policy : str
        The policy in words, as in ``Simulation.policy``.
    backend : {"float64", "exact"}
        The arithmetic: probabilities are floats or Fractions.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> found = redblack.distribution(2, 2, backend="exact")
    >>> {int(x): str(p) for x, p in found.payoff}
    {0: '1/3', 1: '2/3'}
    >>> found.payoff.mean, found.payoff.median, found.moves.mean
    (Fraction(2, 3), Fraction(1, 1), Fraction(7, 3))
    """

    red: int
    black: int
    rules: Rules
    policy: str
    backend: Backend
    _stops: StopSet = field(repr=False)
    _made: dict[str, Distribution[Any]] = field(
        default_factory=dict, compare=False, repr=False
    )

    _derived = ("payoff", "moves", "lowest_cash")

    @property
    def payoff(self) -> Distribution[Number]:
        """The distribution of the final cash, in the unit of the rules' amounts.

        Under linear rules its mean is the value of the deck for this policy.
        """
        return self._of("payoff", kernel.payoff)

    @property
    def moves(self) -> Distribution[Number]:
        """The distribution of the number of cards drawn."""
        return self._of("moves", kernel.moves)

    @property
    def lowest_cash(self) -> Distribution[Number]:
        """The distribution of the smallest of all amounts in hand; never positive.

        ``lowest_cash.cdf(-x)`` is the probability that the player is x or more behind
        at some time. In float64, depths whose states are all reached with a probability
        of at most 2**-64 / (red + black) are left out.
        """
        return self._of("lowest cash", kernel.lowest_cash)

    def _of(self, of: str, compute: Callable[..., Any]) -> Distribution[Number]:
        if of not in self._made:
            exact = self.backend == "exact"
            problem = Problem(self.rules, self.red, self.black, exact)
            self._made[of] = Distribution(of, *compute(problem, self._stops))
        return self._made[of]

    def to_pandas(self) -> pd.Series[Any]:  # type: ignore[override]
        """Return the distribution of the payoff as a Series indexed by the results."""
        return self.payoff.to_pandas()

    def _facts(self) -> dict[str, object]:
        return told(self, "red", "black", "rules", "policy", "backend")

    def _table(self) -> Table:
        return self.payoff._table()


@overload
def distribution(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
) -> Distributions[float]: ...
@overload
def distribution(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["exact"],
) -> Distributions[Fraction]: ...
@suggest_arguments
def distribution(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Backend = "float64",
) -> Distributions[float] | Distributions[Fraction]:
    """Return the distributions of the payoff, of the draws and of the lowest cash.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the deck.
    policy : str, StopAt, OptimalWithin, Solution, callable or mapping
        When the player stops: any `Policy`; optimal if not given.
    rules : Rules, optional
        The classic rules if not given. With a utility, the optimal player maximises the
        expected utility; the payoff is still the cash. The tie rule changes the
        distributions of the optimal player, but never the mean of the payoff.
    backend : {"float64", "exact"}
        The arithmetic. In float64, ties are found up to rounding.

    Returns
    -------
    Distributions
        ``payoff``, ``moves`` and ``lowest_cash``, each a `Distribution` that is
        computed when it is first asked for.

    Raises
    ------
    ValueError
        Also if the lowest cash is asked for and has more than a million depths that are
        followed one by one, as with amounts that differ.
    TooLargeError
        If it would not fit in memory.

    Notes
    -----
    Play is run forwards through the states, with the probability that each is reached.
    In float64 only the states of a band about the mean are kept, some ``10 sqrt(l)``
    wide for a deck of l + l cards, which is left with a probability below 2**-63. A
    callable policy is called for the same states. 100,000 + 100,000 cards take three to
    six seconds, and half a minute for `OptimalWithin`.

    For the lowest cash, play is run forwards for each depth, at which it ends as well:
    O(l**2) time for l + l cards, some seconds for 10,000 + 10,000. If a red card does
    not gain what a black card costs, almost each state has a depth of its own, and
    large decks take long. In exact arithmetic l + l cards take O(l**3) additions.

    References
    ----------
    The Problem 14 essay estimates the mean of the payoff by simulation, and says that
    "optimal play can go quite negative before quitting", without a figure. We know of
    no source for the distributions themselves.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> found = redblack.distribution(26, 26)
    >>> print(found)
    payoff  probability
         0     0.220521
         1     0.145155
         2     0.109334
         3     0.129925
         4     0.152057
         5     0.195397
         6    0.0476107
    (mean 2.62448, standard deviation 1.97377)
    >>> round(found.moves.mean, 6)
    36.45156

    Half of all optimal players are 4 or more behind at some time, although none of them
    ends with a loss:

    >>> [round(found.lowest_cash.cdf(-x), 4) for x in (1, 2, 4, 8)]
    [0.8669, 0.7487, 0.502, 0.0852]

    A player who quits as soon as the cash is negative, and otherwise plays optimally:

    >>> timid = redblack.StopAt(loss=1, policy="optimal")
    >>> round(redblack.distribution(26, 26, policy=timid).payoff.mean, 6)
    -0.180669
    """
    problem = Problem.of(red, black, rules, backend)
    policies.check("policy", policy)
    kernel.refuse_large(problem)
    stops, name = policies.stop_set(policy, problem), policies.named(policy)
    deck = problem.red, problem.black, problem.rules
    return Distributions(*deck, name, backend, stops)
