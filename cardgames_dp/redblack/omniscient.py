r"""The winnings of a player who knows the order of the cards: a bound for all policies.

Such a player stops when the cash is highest, so the value is the expected maximum M of
the cash, seen as a walk. By the reflection principle, the number of orders whose walk
reaches m is the number of walks that end where the reflected walk ends [1]_::

    P(M >= m) = C(N, black + m) / C(N, red)     for m > max(red - black, 0)

and P = 1 for smaller m. For a balanced deck the sum over m is
``(4**l / C(2 l, l) - 1) / 2``.

References
----------
.. [1] W. Feller, *An Introduction to Probability Theory and Its Applications*, vol. 1,
   3rd ed., chapter III.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._checks import Backend
from cardgames_dp._effort import real
from cardgames_dp._extras import tracked
from cardgames_dp._numbers import printable
from cardgames_dp.redblack._kernels import limits
from cardgames_dp.redblack.laws import Law
from cardgames_dp.redblack.rules import Rules

_NEGLIGIBLE = 1e-25


@overload
def omniscient_value(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    backend: Literal["float64"] = "float64",
    progress: bool = False,
) -> float: ...
@overload
def omniscient_value(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    backend: Literal["exact"],
    progress: bool = False,
) -> Fraction: ...
def omniscient_value(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    backend: Backend = "float64",
    progress: bool = False,
) -> float | Fraction:
    """Return what a player who knows the order of the cards expects to win.

    The rules are the classic ones: a red card pays 1, a black card costs 1.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the deck.
    backend : {"float64", "exact"}
        The arithmetic: floats, or integers, which give a Fraction.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``). In
        float64 it ends early, when further terms are negligible.

    Returns
    -------
    float or Fraction
        The expected maximum of the cash during the game, an upper bound of
        :func:`value`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above.
    TooLongError
        If it would take weeks, or more than an hour without `progress`. For l + l cards
        the value is about ``sqrt(pi l) / 2 - 1 / 2``.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

    Notes
    -----
    With N = red + black, the maximum M has ``P(M >= m) = C(N, black + m) / C(N, red)``
    for m > red - black, m > 0, by the reflection principle. The float64 backend sums
    these terms, which are all positive, by their ratios until further terms are
    negligible.

    References
    ----------
    The Problem 14 essay, whose footnote credits the 4.04 of the 52 cards to Howe, 2014.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> round(redblack.omniscient_value(26, 26), 4)
    4.0407
    >>> redblack.omniscient_value(1, 1, backend="exact")
    Fraction(1, 2)
    """
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    exact = _checks.backend(backend) == "exact"
    progress = _checks.boolean("progress", progress)
    limits.refuse_omniscience(red, black, exact=exact, progress=progress)
    certain = max(red - black, 0)
    leads = tracked(range(certain + 1, red + 1), red - certain, "leads", shown=progress)
    # C(N, black + m) is C(N, black + m - 1) times (red - m + 1) / (black + m), and the
    # last certain one is C(N, red) itself.
    if exact:
        orders = term = math.comb(red + black, red)
        total = 0
        for m in leads:
            term = term * (red - m + 1) // (black + m)
            total += term
        return printable(certain + Fraction(total, orders))
    chance, expected = 1.0, 0.0
    for m in leads:
        chance *= (red - m + 1) / (black + m)
        expected += chance
        # The ratios fall, so the rest is less than a geometric series with this ratio.
        if chance < _NEGLIGIBLE * expected:
            break
    must = "red - black must be at most 1e308 in float64 (use backend='exact')"
    return _checks.nearest_float(must, certain) + expected


@overload
def omniscient_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    backend: Literal["float64"] = "float64",
    progress: bool = False,
) -> Law[float]: ...
@overload
def omniscient_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    backend: Literal["exact"],
    progress: bool = False,
) -> Law[Fraction]: ...
def omniscient_law(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    backend: Backend = "float64",
    progress: bool = False,
) -> Law[float] | Law[Fraction]:
    """Return the law of the winnings of a player who knows the order of the cards.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black, backend, progress
        As for :func:`omniscient_value`.

    Returns
    -------
    Law
        The law of the highest cash during the deck. In float64, results that are
        reached or exceeded with a probability below 1e-25 are left out, and the
        probability of the k-th result has an error of about k roundings at most.

    Raises
    ------
    TypeError, ValueError, TooLongError, ModuleNotFoundError
        As for :func:`omniscient_value`.
    TooLargeError
        If the results would not fit in memory: exact ones for more than some ten
        thousand cards of a colour, or about ``8 sqrt(l)`` floats.

    Notes
    -----
    The formula of :func:`omniscient_value` gives
    ``P(M = m) = P(M >= m) (black - red + 2 m + 1) / (black + m + 1)`` for all m from
    ``max(red - black, 0)`` on. So no difference of nearly equal numbers is taken. The
    mean is the omniscient value.

    References
    ----------
    W. Feller, *An Introduction to Probability Theory and Its Applications*, vol. 1, 3rd
    ed., chapter III: the reflection principle.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> law = redblack.omniscient_law(26, 26)
    >>> round(law.mean, 4), law.median, round(law.cdf(0), 4)
    (4.0407, 4.0, 0.037)
    """
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    exact = _checks.backend(backend) == "exact"
    progress = _checks.boolean("progress", progress)
    limits.refuse_omniscience(red, black, exact=exact, progress=progress)
    limits.refuse_omniscient_law(red, black, exact=exact, progress=progress)
    if not exact and real(red - black) == math.inf:
        raise ValueError(
            "red - black must fit in float64, got "
            f"{_checks.shown(red - black)}; use backend='exact'"
        )
    leads, chances = (
        _exact_law(red, black, progress) if exact else _float_law(red, black)
    )
    return Law("payoff", leads, chances, red, black, Rules(), "omniscient")


def _exact_law(
    red: int, black: int, progress: bool
) -> tuple[NDArray[Any], NDArray[Any]]:
    certain = max(red - black, 0)
    orders = above = math.comb(red + black, red)  # `above`: those with M >= m
    support = np.array([Fraction(m) for m in range(certain, red + 1)], dtype=object)
    chances = np.empty(len(support), dtype=object)
    steps = tracked(range(len(support)), len(support), "leads", shown=progress)
    for i in steps:
        m = certain + i
        further = above * (red - m) // (black + m + 1)
        chances[i] = printable(Fraction(above - further, orders))
        above = further
    return support, chances


def _float_law(red: int, black: int) -> tuple[NDArray[Any], NDArray[Any]]:
    certain = max(red - black, 0)
    most = limits.omniscient_results(red, black)
    lead = certain + np.arange(most, dtype=np.float64)
    # P(M >= m), from its ratios: 1 at the certain lead.
    steps = (red - lead[1:] + 1) / (black + lead[1:])
    reached = np.cumprod(np.concatenate([np.ones(1), steps]))
    kept = reached > _NEGLIGIBLE
    lead, reached = lead[kept], reached[kept]
    return lead, reached * ((black - red + lead + lead + 1) / (black + lead + 1))
