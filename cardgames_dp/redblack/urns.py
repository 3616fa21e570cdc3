"""Red/black with odds that are fixed, or that are unknown and learnt while drawing.

A *prior* is a probability for each number of red cards among N cards: N + 1 weights,
for 0, 1, ..., N red cards. A known deck has a single positive weight. `fixed_odds` is
the prior of draws with replacement, at fixed odds. Unknown odds are learnt while
drawing, by Bayes' rule: ``[1] * (N + 1)`` makes all compositions equally likely, and
`beta_binomial` describes a player who has seen some cards before. States count cards
*drawn*, because the numbers of each colour remaining are unknown.

`cardgames_dp.redblack._kernels.urns` describes how the game is solved.
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
from cardgames_dp._effort import real, refuse_too_long
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
    """Return the prior of draws with replacement: each is red with the same odds.

    Grade: exact.

    Parameters
    ----------
    draws : int
        The largest number of draws.
    odds : int, Fraction, Decimal, float or str
        The probability of a red card, from 0 to 1.

    Returns
    -------
    tuple of Fraction
        Binomial probabilities of 0, 1, ..., `draws` red cards.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above.
    TooLargeError, TooLongError
        If these fractions would not fit in memory, or would take more than an hour.

    Examples
    --------
    A fair coin is worth nothing, however often it is thrown. A coin that shows red in
    11 of 20 throws is worth 1/10 a throw:

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
    _refuse_too_long_a_prior(draws, draws, red.denominator.bit_length())
    if red == 1:
        return (Fraction(0),) * draws + (Fraction(1),)
    black = 1 - red
    chances = [black**draws]
    for i in range(draws):
        chances.append(chances[-1] * (Fraction(draws - i, i + 1) * red / black))
    return tuple(chances)


def beta_binomial(
    draws: SupportsIndex, red: Amount, black: Amount
) -> tuple[Fraction, ...]:
    """Return the prior of a player who has seen some cards: Pólya's urn.

    The next card is red with probability ``red / (red + black)``, and each card drawn
    adds one to its colour. This is the same as draws at fixed odds that are unknown and
    have a beta distribution.

    Grade: exact.

    Parameters
    ----------
    draws : int
        The number of cards to draw.
    red, black : int, Fraction, Decimal, float or str
        The two parameters of the beta distribution, positive. With 1 and 1, all odds
        are equally likely, and so are all compositions.

    Returns
    -------
    tuple of Fraction
        Probabilities of 0, 1, ..., `draws` red cards.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above.
    TooLargeError, TooLongError
        If these fractions would not fit in memory, or would take more than an hour.

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
    unit = math.lcm(a.denominator, b.denominator)
    # With whole numbers, most factors cancel.
    factors = draws if unit > 1 else min(draws, int(a + b))
    _refuse_too_long_a_prior(draws, factors, int((a + b + draws) * unit).bit_length())
    first = Fraction(1)
    for i in range(draws):
        first *= (b + i) / (a + b + i)
    chances = [first]
    for i in range(draws):
        step = Fraction(draws - i, i + 1) * (a + i) / (b + draws - i - 1)
        chances.append(chances[-1] * step)
    return tuple(chances)


def _refuse_too_long_a_prior(draws: int, factors: int, bits: int) -> None:
    """Refuse probabilities with too many factors, or factors with too many bits."""
    count, size = draws + 1, factors * bits
    what = f"{short(count)} probabilities in exact numbers"
    instead = "ask for fewer draws, or odds with fewer digits"
    refuse_too_large(what, count * (size // 4 + 200), instead)
    seconds = real(count) * (20e-6 + real(size) * real(bits + 400) * 5e-12)
    refuse_too_long(what, seconds, instead, progress=None)


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
    """Solve the game with a prior over the number of red cards, in all states.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    prior : iterable of int, Fraction, Decimal, float or str
        The weights of 0, 1, ..., N red cards among N cards: not negative, and not all
        0.
    rules : Rules, optional
        The classic rules if not given. A utility must be finite: no ruin.
    backend : {"float64", "exact"}
        The arithmetic: floats, or integers, which give Fractions.
    max_bytes : int, optional
        The largest tables to make, in bytes; half of this machine's memory if not
        given.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Solution
        Tables indexed by cards drawn, ``[red, black]``.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above.
    TooLargeError, TooLongError
        If the tables would not fit in memory; if they would take weeks, or more than an
        hour without `progress`.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

    References
    ----------
    The Problem 14 essay asks what the game would be worth with odds that stay at one
    half, "perhaps because we were sampling with replacement".

    Examples
    --------
    Among 52 cards, all numbers of red cards are equally likely. Looking at some of them
    pays:

    >>> from cardgames_dp import redblack
    >>> urn = redblack.urns.solve([1] * 53)
    >>> urn
    Solution(cards=52, backend='float64', value=11.1745)
    >>> print(urn.advice(red=1, black=2))
    1 red and 2 black cards drawn, -1 in hand, the next is red with chance 0.4: draw, \
worth 1.25145; stopping is worth -1.

    A known deck is a prior, too:

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
    given = list(_checks.items("prior", prior))
    weights = [_checks.amount(f"prior[{i}]", weight) for i, weight in enumerate(given)]
    whole = sum(weights)
    if not whole:
        raise ValueError(
            f"prior must have a positive weight, got {_checks.shown(given)}"
        )
    return [weight / whole for weight in weights]


def _tables(
    rules: Rules, weights: list[Fraction], *, exact: bool, progress: bool
) -> tuple[NDArray[Any], ...]:
    """Return the totals, values, odds, ties and possible states."""
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
    """Return the smallest worth of stopping; refuse ruin and overflow."""
    largest = max(abs(rules.gain), rules.cost) * (cards + 1)
    if largest > 10**300:
        raise ValueError(
            "rules must have amounts that float64 can sum, got one of "
            f"{short(max(abs(rules.gain), rules.cost))}; use backend='exact'"
        )
    lowest = kernel.lowest_reward(rules, cards)
    if lowest == -math.inf:
        raise ValueError(
            "rules must have a utility that is finite for all amounts of cash that can "
            "occur, got ruin"
        )
    return lowest
