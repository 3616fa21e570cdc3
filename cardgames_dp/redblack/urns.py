"""Red/black with odds that are fixed, or that the player has to find out.

A *prior* says how likely each number of red cards is, among so many cards in all: N + 1
weights, of 0, 1, ..., N red ones. A deck that is known has one of them. Draws with
replacement, at fixed odds, are `fixed_odds`; odds that are not known are learnt while
drawing, by Bayes' rule: ``[1] * (N + 1)`` finds every composition as likely, and
`beta_binomial` has seen some cards before. States are cards *drawn*, as nobody knows
how many of each colour remain.

`cardgames_dp.redblack._kernels.urns` tells how it is solved.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._checks import Backend
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._extras import tracked
from cardgames_dp._memory import refuse_too_large
from cardgames_dp._numbers import printable_array, short
from cardgames_dp.redblack._kernels import urns as kernel
from cardgames_dp.redblack._urns import Advice, Solution
from cardgames_dp.redblack.rules import Amount, Rules

__all__ = ["Advice", "Solution", "beta_binomial", "fixed_odds", "solve"]

Prior: TypeAlias = Iterable[Any]
"""Weights of 0, 1, ..., N red cards: ints, Fractions, Decimals, floats or text."""

_CELL_BYTES = {"float64": 30, "exact": 600}
_CELL_SECONDS = {"float64": 0.2e-6, "exact": 15e-6}


def __dir__() -> list[str]:
    return __all__


def fixed_odds(draws: SupportsIndex, odds: Amount) -> tuple[Fraction, ...]:
    """Return the prior of draws with replacement: each is red with the same chance.

    Grade: exact.

    Parameters
    ----------
    draws : int
        How many there are at most.
    odds : int, Fraction, Decimal, float or str
        The probability of a red card, from 0 to 1.

    Returns
    -------
    tuple of Fraction
        Binomial probabilities.

    Raises
    ------
    TypeError, ValueError
        If an argument is something else.

    Examples
    --------
    A fair coin is worth nothing, however often it may be thrown. A coin that shows red
    in 11 of 20 throws is worth 1/10 for each:

    >>> from cardgames_dp import redblack
    >>> from cardgames_dp.redblack.urns import fixed_odds
    >>> redblack.urns.solve(fixed_odds(52, "1/2"), backend="exact").value
    Fraction(0, 1)
    >>> redblack.urns.solve(fixed_odds(52, "0.55"), backend="exact").value
    Fraction(26, 5)
    """
    draws = _checks.integer("draws", draws)
    red = _checks.amount("odds", odds)
    if red > 1:
        raise ValueError(f"odds must be from 0 to 1, got {_checks.shown(odds)}")
    black = 1 - red
    ways = [math.comb(draws, i) for i in range(draws + 1)]
    return tuple([c * red**i * black ** (draws - i) for i, c in enumerate(ways)])


def beta_binomial(
    draws: SupportsIndex, red: Amount, black: Amount
) -> tuple[Fraction, ...]:
    """Return the prior of a player who knows of some cards: Pólya's urn.

    The next card is red with probability ``red / (red + black)``, and each card that is
    drawn adds one to its colour: as where every draw has the same odds, unknown, with a
    beta distribution.

    Grade: exact.

    Parameters
    ----------
    draws : int
        How many cards there are to draw.
    red, black : int, Fraction, Decimal, float or str
        The two numbers of the beta distribution, positive: with 1 and 1 all odds, and
        all compositions, are as likely.

    Returns
    -------
    tuple of Fraction
        Probabilities of 0, 1, ..., `draws` red cards.

    Raises
    ------
    TypeError, ValueError
        If an argument is something else.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> redblack.urns.beta_binomial(3, 1, 1)
    (Fraction(1, 4), Fraction(1, 4), Fraction(1, 4), Fraction(1, 4))
    """
    draws = _checks.integer("draws", draws)
    a, b = (_checks.amount(name, x) for name, x in (("red", red), ("black", black)))
    for name, number in (("red", a), ("black", b)):
        if not number:
            raise ValueError(f"{name} must be positive, got 0")
    weights = [Fraction(1)]
    for i in range(draws):
        step = Fraction(draws - i, i + 1) * (a + i) / (b + draws - i - 1)
        weights.append(weights[-1] * step)
    whole = sum(weights)
    return tuple([weight / whole for weight in weights])


@overload
def solve(
    prior: Prior,
    *,
    rules: Rules | None = None,
    backend: Literal["float64"] = "float64",
    max_bytes: SupportsIndex | None = None,
    progress: bool = False,
) -> Solution[float]: ...
@overload
def solve(
    prior: Prior,
    *,
    rules: Rules | None = None,
    backend: Literal["exact"],
    max_bytes: SupportsIndex | None = None,
    progress: bool = False,
) -> Solution[Fraction]: ...
def solve(
    prior: Prior,
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
    max_bytes: SupportsIndex | None = None,
    progress: bool = False,
) -> Solution[float] | Solution[Fraction]:
    """Solve the game with a prior over the number of red cards, in every state.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    prior : iterable of int, Fraction, Decimal, float or str
        Weights of 0, 1, ..., N red cards among N: not negative, and not all 0.
    rules : Rules, optional
        The classic ones if not given. A utility must be finite: no ruin.
    backend : {"float64", "exact"}
    max_bytes : int, optional
        The largest tables to make; half of this machine's memory if not given.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Solution
        Tables indexed by cards drawn, ``[red, black]``.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the kinds above.
    TooLargeError, TooLongError
        If the tables would not fit in memory, or would take weeks, or more than an hour
        without `progress`.
    ModuleNotFoundError
        If `progress` is asked for and `tqdm` is not installed.

    References
    ----------
    The Problem 14 essay asks what the game would be with odds that stay at one half,
    "perhaps because we were sampling with replacement".

    Examples
    --------
    Of 52 cards every number of red ones is as likely. It pays to look:

    >>> from cardgames_dp import redblack
    >>> urn = redblack.urns.solve([1] * 53)
    >>> urn
    Solution(cards=52, backend='float64', value=11.1745)
    >>> print(urn.advice(red=1, black=2))
    1 red and 2 black cards drawn, -1 in hand, the next is red with chance 0.4: draw, \
worth 1.25145; stopping is worth -1.

    A deck that is known is a prior, too:

    >>> known = [0] * 26 + [1] + [0] * 26
    >>> round(redblack.urns.solve(known).value, 9)
    2.624475549
    """
    rules = _checks.rules(rules, Rules)
    exact = _checks.backend(backend) == "exact"
    if max_bytes is not None:
        max_bytes = _checks.integer("max_bytes", max_bytes)
    progress = _checks.boolean("progress", progress)
    weights = _weights(prior)
    size = len(weights)
    what = f"a table of {size} x {size} states"
    instead = "draw fewer cards" + ", or use backend='float64'" * exact
    refuse_too_large(what, size**2 * _CELL_BYTES[backend], instead, max_bytes)
    seconds = size**2 * _CELL_SECONDS[backend] * (1 + exact * size / 1000)
    refuse_too_long(what, seconds, instead, progress=progress)
    tables = _tables(rules, weights, exact=exact, progress=progress)
    return Solution(tuple(weights), rules, backend, *tables)


def _weights(prior: object) -> list[Fraction]:
    """Return a prior as probabilities."""
    if isinstance(prior, (str, bytes)) or not isinstance(prior, Iterable):
        raise TypeError(
            "prior must be an iterable of weights, one for each number of red cards, "
            f"got {_checks.described(prior)}"
        )
    given = list(prior)
    weights = [_checks.amount(f"prior[{i}]", weight) for i, weight in enumerate(given)]
    whole = sum(weights)
    if not whole:
        raise ValueError(
            f"prior must have a weight that is positive, got {_checks.shown(given)}"
        )
    return [weight / whole for weight in weights]


def _tables(
    rules: Rules, weights: list[Fraction], *, exact: bool, progress: bool
) -> tuple[NDArray[Any], ...]:
    """Return totals, values, odds, ties and possibility of all states."""
    shape = (len(weights), len(weights))
    number = object if exact else np.float64
    totals, values, odds = (np.zeros(shape, number) for _ in range(3))
    ties, possible = np.zeros(shape, bool), np.zeros(shape, bool)
    if exact:
        levels = kernel.exact_levels(rules, weights)
    else:
        lowest = _lowest(rules, len(weights) - 1)
        chances = np.array([float(weight) for weight in weights])
        levels = kernel.float_levels(rules, chances, lowest)
    for level in tracked(levels, len(weights), "levels", shown=progress):
        red = np.arange(level.n + 1)
        at = red, level.n - red
        totals[at], values[at], odds[at] = level.totals, level.values, level.red
        ties[at], possible[at] = level.ties, level.possible
    if exact:
        totals, values, odds = map(printable_array, (totals, values, odds))
    return totals, values, odds, ties, possible


def _lowest(rules: Rules, cards: int) -> float:
    """Return the smallest worth of stopping; ruin, and what overflows, is refused."""
    largest = max(abs(rules.gain), rules.cost) * (cards + 1)
    if largest > 10**300:
        raise ValueError(
            "rules must have amounts that float64 can sum, got one of "
            f"{short(max(abs(rules.gain), rules.cost))}; use backend='exact'"
        )
    lowest = kernel.lowest_reward(rules, cards)
    if lowest == -math.inf:
        raise ValueError(
            "rules must have a utility that is finite for all cash that can come up "
            "here, got ruin"
        )
    return lowest
