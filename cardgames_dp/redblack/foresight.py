"""Partial foresight: the value of the game for a player who sees the next cards.

`cardgames_dp.redblack._kernels.foresight` describes the method.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, SupportsIndex, overload

from cardgames_dp import _checks
from cardgames_dp._checks import Backend
from cardgames_dp._numbers import printable
from cardgames_dp.redblack._kernels import foresight as kernel
from cardgames_dp.redblack.omniscient import omniscient_value


@overload
def foresight_value(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    cards: SupportsIndex,
    backend: Literal["float64"] = "float64",
    progress: bool = False,
) -> float: ...
@overload
def foresight_value(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    cards: SupportsIndex,
    backend: Literal["exact"],
    progress: bool = False,
) -> Fraction: ...
def foresight_value(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    cards: SupportsIndex,
    backend: Backend = "float64",
    progress: bool = False,
) -> float | Fraction:
    """Return the value of a deck for a player who sees the next cards in advance.

    The rules are the classic ones: a red card pays 1, a black card costs 1.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the deck.
    cards : int
        The number of cards that are seen in advance at each moment. With 0 this is the
        ordinary game; with all cards but one it is that of :func:`omniscient_value`.
    backend : {"float64", "exact"}
        The arithmetic: floats, or integers, which give a Fraction.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    float or Fraction
        The expected winnings of an optimal player with this foresight.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above.
    TooLargeError, TooLongError
        If it would not fit in memory; if it would take weeks, or more than an hour
        without `progress`. Each further card seen multiplies time and memory by 1.6,
        unless almost all cards are seen.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

    Notes
    -----
    Of the cards seen only the records of the cash matter. They have F(cards + 2)
    patterns, a Fibonacci number, instead of 2**cards. Each pattern has its own sweep,
    which takes O(l**1.5) time in float64, and O(l**2) additions of integers of up to
    2 l bits in exact arithmetic.

    References
    ----------
    A reader of the Problem 14 essay asked this question; the essay itself treats only
    the omniscient player.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> for cards in (0, 1, 2, 5, 10):
    ...     print(round(redblack.foresight_value(26, 26, cards=cards), 6))
    2.624476
    3.076827
    3.381628
    3.63077
    3.804587
    """
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    cards = _checks.integer("cards", cards)
    exact = _checks.backend(backend) == "exact"
    progress = _checks.boolean("progress", progress)
    if cards >= red + black - 1:  # the last card follows from the others
        if exact:
            return omniscient_value(red, black, backend="exact", progress=progress)
        return omniscient_value(red, black, progress=progress)
    found = kernel.value(red, black, cards, exact=exact, progress=progress)
    return printable(found) if isinstance(found, Fraction) else found
