"""Probability laws of red/black, for any policy; the optimal policy if not given.

A law is a probability distribution: the possible results and their probabilities.
`cardgames_dp.redblack._kernels.laws` computes the laws of the payoff and of the number
of draws, by running play forwards. `cardgames_dp.redblack._kernels.lowest` computes the
law of the lowest cash.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple, SupportsIndex, overload

from cardgames_dp import _checks, _law
from cardgames_dp._checks import Backend
from cardgames_dp._numbers import Number
from cardgames_dp.redblack import _stopping, policies
from cardgames_dp.redblack._kernels import laws as kernel
from cardgames_dp.redblack._kernels import limits, lowest
from cardgames_dp.redblack.policies import Policy
from cardgames_dp.redblack.rules import Rules


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Law(_law.Law[Number]):
    """A probability distribution of finitely many results; prints as a table.

    Made by :func:`payoff_law`, :func:`duration_law`, :func:`lowest_cash_law` and
    :func:`omniscient_law`.

    Attributes
    ----------
    of : {"payoff", "duration", "lowest cash"}
        The quantity that is distributed.
    support : ndarray, shape (k,), read-only
        The possible results, increasing. Durations are numbers of cards, int64. The
        others are amounts of cash in the unit of the rules' amounts, float64 or
        Fractions (dtype object).
    probabilities : ndarray, shape (k,), read-only
        The probabilities of the results, all positive: float64, or Fractions (dtype
        object) that sum to 1.
    red, black : int or None
        Numbers of red and black cards in the full deck; None if the law belongs to no
        deck.
    rules : Rules or None
        The rules, the tie rule included.
    policy : str or None
        The policy in words, as in ``Simulation.policy``.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> law = redblack.payoff_law(2, 2, backend="exact")
    >>> {int(x): str(p) for x, p in law.to_dict().items()}
    {0: '1/3', 1: '2/3'}
    >>> law.mean, law.median
    (Fraction(2, 3), Fraction(1, 1))
    >>> print(redblack.payoff_law(26, 26))
    payoff  probability
         0     0.220521
         1     0.145155
         2     0.109334
         3     0.129925
         4     0.152057
         5     0.195397
         6    0.0476107
    (mean 2.62448, standard deviation 1.97377)
    """

    red: int | None = None
    black: int | None = None
    rules: Rules | None = None
    policy: str | None = None

    def _known(self) -> dict[str, Any]:
        deck = {"red": self.red, "black": self.black, "rules": self.rules}
        known = {**deck, "policy": self.policy}
        return {k: v for k, v in known.items() if v not in (None, Rules(), "optimal")}


@overload
def payoff_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    progress: bool = False,
) -> Law[float]: ...
@overload
def payoff_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["exact"],
    progress: bool = False,
) -> Law[Fraction]: ...
def payoff_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Backend = "float64",
    progress: bool = False,
) -> Law[float] | Law[Fraction]:
    """Return the probability distribution of the final cash.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the deck.
    policy : str, StopAtCash, StopAtLoss, ..., Solution or callable
        When the player stops: any `Policy`; optimal if not given.
    rules : Rules, optional
        The classic rules if not given. With a utility, the optimal player maximises the
        expected utility; the law is still that of the cash. The tie rule changes the
        law of the optimal player, but never its mean.
    backend : {"float64", "exact"}
        The arithmetic. In float64, ties are found up to rounding.
    progress : bool, default False
        Show progress bars, one for the sweep that finds the boundary and one for the
        play up to it, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Law
        The law of the payoff. Under linear rules its mean is the value of the deck for
        this policy.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`value`; under a utility, as for :func:`solve`.

    Notes
    -----
    Play is run forwards through the states, with the probability that each is reached.
    In float64 only the states of a band about the mean are kept, some ``10 sqrt(l)``
    wide for a deck of l + l cards. The probability of leaving the band is below 2**-63
    in all. A callable policy is called for the same states; its law takes about twice
    as long as that of a boundary. 100,000 + 100,000 cards take three to six seconds,
    and ten seconds for `OptimalWithin`.

    References
    ----------
    The Problem 14 essay estimates the mean by simulation. We know of no source for the
    law itself.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> law = redblack.payoff_law(26, 26)
    >>> law.support.tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    >>> law.probabilities.round(6).tolist()
    [0.220521, 0.145155, 0.109334, 0.129925, 0.152057, 0.195397, 0.047611]

    A player who quits as soon as the cash is negative, and otherwise plays optimally:

    >>> timid = redblack.StopAtFirst("optimal", "quit_when_negative")
    >>> print(redblack.payoff_law(26, 26, policy=timid))
    payoff  probability
        -1     0.866908
         1  3.80386e-06
         2  9.50964e-05
         3   0.00171099
         4    0.0145602
         5    0.0776573
         6    0.0390641
    (mean -0.180669, standard deviation 2.10494)
    """
    play = _checked(red, black, policy, rules, backend, progress)
    found = kernel.payoff(play.rules, play.red, play.black, play.stops, **play.how)
    return play.law("payoff", found)


@overload
def duration_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    progress: bool = False,
) -> Law[float]: ...
@overload
def duration_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["exact"],
    progress: bool = False,
) -> Law[Fraction]: ...
def duration_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Backend = "float64",
    progress: bool = False,
) -> Law[float] | Law[Fraction]:
    """Return the probability distribution of the number of cards drawn.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black, policy, rules, backend, progress
        As for :func:`payoff_law`.

    Returns
    -------
    Law
        The law of the duration; its support is a part of 0, 1, ..., red + black.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`payoff_law`.

    Notes
    -----
    The method is that of :func:`payoff_law`.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> round(redblack.duration_law(26, 26).mean, 6)
    36.45156
    >>> round(redblack.duration_law(26, 26, rules=redblack.Rules(tie="draw")).mean, 6)
    36.607294
    """
    play = _checked(red, black, policy, rules, backend, progress)
    found = kernel.duration(play.red, play.black, play.stops, **play.how)
    return play.law("duration", found)


@overload
def lowest_cash_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    progress: bool = False,
) -> Law[float]: ...
@overload
def lowest_cash_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Literal["exact"],
    progress: bool = False,
) -> Law[Fraction]: ...
def lowest_cash_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    backend: Backend = "float64",
    progress: bool = False,
) -> Law[float] | Law[Fraction]:
    """Return the probability distribution of the lowest cash during the game.

    The lowest cash is the smallest of all amounts in hand, from 0 at the start to the
    final cash; it is never positive.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black, policy, rules, backend, progress
        As for :func:`payoff_law`.

    Returns
    -------
    Law
        The law of the lowest cash. ``cdf(-x)`` is the probability that the player
        is x or more behind at some time. In float64, depths whose states are all
        reached with a probability of at most 2**-64 / (red + black) are left out.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`payoff_law`. The exact law of l + l cards takes O(l**3) additions.

    Notes
    -----
    For each depth, play is run forwards with one more reason to end: it ends at that
    depth. If a red card gains what a black card costs and there are many depths, this
    is done only at the nodes of an interpolation, after every second node has been
    predicted well from the others; the probabilities are then accurate to about 11
    digits. 100,000 + 100,000 cards take some twenty seconds. With other amounts almost
    each state has a depth of its own, and large decks are refused.

    References
    ----------
    The Problem 14 essay says that "optimal play can go quite negative before quitting",
    without a figure. We know of no source for the law.

    Examples
    --------
    With 52 cards, half of all optimal players are 4 or more behind at some time,
    although none of them ends with a loss:

    >>> from cardgames_dp import redblack
    >>> law = redblack.lowest_cash_law(26, 26)
    >>> [round(law.cdf(-x), 4) for x in (1, 2, 4, 8)]
    [0.8669, 0.7487, 0.502, 0.0852]
    """
    play = _checked(red, black, policy, rules, backend, progress)
    found = lowest.law(play.rules, play.red, play.black, play.stops, **play.how)
    return play.law("lowest cash", found)


class _Play(NamedTuple):
    """The game of which a law is computed: deck, rules, stop set and arithmetic."""

    red: int
    black: int
    rules: Rules
    stops: Any
    policy: str
    how: dict[str, bool]

    def law(self, of: str, found: tuple[Any, Any]) -> Law[Any]:
        """Return the law made of results and their probabilities."""
        return Law(of, *found, self.red, self.black, self.rules, self.policy)


def _checked(
    red: SupportsIndex,
    black: SupportsIndex,
    policy: Policy,
    rules: Rules | None,
    backend: Backend,
    progress: bool,
) -> _Play:
    """Return the game described by checked arguments."""
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    policies.check("policy", policy)
    rules = _checks.rules(rules, Rules)
    how = {
        "exact": _checks.backend(backend) == "exact",
        "progress": _checks.boolean("progress", progress),
    }
    limits.refuse_law(red, black, **how)
    stops = _stopping.stop_set(policy, rules, red, black, **how)
    return _Play(red, black, rules, stops, _stopping.named(policy), how)
