"""Laws of what happens to a player of any policy, the optimal one if not given.

A law is a probability distribution: the results that can be, and how likely each is.
`cardgames_dp.redblack._kernels.laws` finds those of the payoff and of the number of
draws, by running play forwards, `cardgames_dp.redblack._kernels.lowest` those of the
lowest cash on the way.
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
        What is distributed.
    support : ndarray, shape (k,), read-only
        The results it can take, increasing: cards drawn, int64, for a duration; else
        cash in the unit of the rules' amounts, float64 or Fractions (dtype object).
    probabilities : ndarray, shape (k,), read-only
        Theirs, all positive: float64, or Fractions (dtype object) that sum to 1.
    red, black : int or None
        Cards of each colour in the deck that is played; None if it is of no deck.
    rules : Rules or None
        Those that are played by, the tie rule included.
    policy : str or None
        The policy in words, as ``Simulation.policy``.

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
    """Return the distribution of the cash that a player goes home with.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the deck.
    policy : word, StopAtCash, StopAtLoss, ..., Solution or callable
        When the player stops: any `Policy`; the optimal one if not given.
    rules : Rules, optional
        The classic rules if not given. With a utility, the optimal player maximises its
        expectation; the law is still that of the cash. Their tie rule changes the
        optimal player's law, never its mean.
    backend : {"float64", "exact"}
        In float64 a tie is a tie to rounding.
    progress : bool, default False
        Show progress bars, of the sweep that finds the boundary and of the play that
        meets it, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Law
        Under linear rules its mean is the value of the game to such a player.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`value`; with a utility, as for :func:`solve`.

    Notes
    -----
    Play is run forwards through the states, each with the probability that it is met:
    in float64 through those of a band about the mean, some ``10 sqrt(l)`` wide in a
    deck of l + l cards. What leaves it has a probability below 2**-63 in all. A
    callable is asked about the same states, so that its law takes about twice as long
    as that of a boundary. 100,000 + 100,000 cards take three to six seconds, ten by
    `OptimalWithin`.

    References
    ----------
    The Problem 14 essay simulates the mean. The law itself has no source.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> law = redblack.payoff_law(26, 26)
    >>> law.support.tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    >>> law.probabilities.round(6).tolist()
    [0.220521, 0.145155, 0.109334, 0.129925, 0.152057, 0.195397, 0.047611]

    Quitting as soon as the cash is negative, and else as the best player does:

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
    """Return the distribution of the number of cards that a player draws.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black, policy, rules, backend, progress
        As for :func:`payoff_law`.

    Returns
    -------
    Law
        Its support is a part of 0, 1, ..., red + black.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`payoff_law`, which also has the source.

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
    """Return the distribution of the lowest cash on the way: how deep a player sinks.

    The lowest of all amounts in hand, from 0 at the start to what the player goes home
    with; never more than 0.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black, policy, rules, backend, progress
        As for :func:`payoff_law`.

    Returns
    -------
    Law
        Its ``cdf(-x)`` is the probability of being x or more behind at some time. In
        float64 depths that no state reaches with a chance of more than 2**-64, over the
        cards of the deck, are left out.

    Raises
    ------
    TypeError, ValueError, TooLargeError, TooLongError, ModuleNotFoundError
        As for :func:`payoff_law`. The exact law of l + l cards takes O(l**3) additions.

    Notes
    -----
    Play is run forwards for each depth, with one more reason to end. If a red card
    gains what a black one costs, and there are many depths, that is done at the nodes
    of polynomials, every second of which the others have predicted; the probabilities
    are good to about 11 digits then. 100,000 + 100,000 cards take some twenty seconds.
    Other amounts have a depth for almost every state, and large decks of them are
    refused.

    References
    ----------
    The Problem 14 essay says that "optimal play can go quite negative before quitting",
    without a figure. The law has no source.

    Examples
    --------
    Every second optimal player of the 52 cards is 4 or more behind at some time, and
    none of them goes home with a loss:

    >>> from cardgames_dp import redblack
    >>> law = redblack.lowest_cash_law(26, 26)
    >>> [round(law.cdf(-x), 4) for x in (1, 2, 4, 8)]
    [0.8669, 0.7487, 0.502, 0.0852]
    """
    play = _checked(red, black, policy, rules, backend, progress)
    found = lowest.law(play.rules, play.red, play.black, play.stops, **play.how)
    return play.law("lowest cash", found)


class _Play(NamedTuple):
    """What a law is asked of: a deck, its rules, when the player stops, and how."""

    red: int
    black: int
    rules: Rules
    stops: Any
    policy: str
    how: dict[str, bool]

    def law(self, of: str, found: tuple[Any, Any]) -> Law[Any]:
        """Return the law of results that were found, with their probabilities."""
        return Law(of, *found, self.red, self.black, self.rules, self.policy)


def _checked(
    red: SupportsIndex,
    black: SupportsIndex,
    policy: Policy,
    rules: Rules | None,
    backend: Backend,
    progress: bool,
) -> _Play:
    """Return the play that a law is asked of, or say what is wrong with it."""
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
