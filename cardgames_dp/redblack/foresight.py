"""Partial foresight: what the game is worth to a player who sees the next cards.

`cardgames_dp.redblack._kernels.foresight` has the method.
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
    """Return what the game is worth to a player who sees the next cards of the deck.

    The classic amounts are meant: a red card pays 1, a black one costs 1.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the deck.
    cards : int
        How many cards are seen in advance, at every moment: with 0 it is the ordinary
        game, with one less than all the deck that of :func:`omniscient_value`.
    backend : {"float64", "exact"}
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    float or Fraction
        What the best such player expects to win.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above.
    TooLargeError, TooLongError
        If it would not fit in memory, or would take weeks, or more than an hour without
        `progress`. Each card more that is seen takes 1.6 times the time and memory,
        unless it is almost all of them.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

    Notes
    -----
    Of the cards seen only the records of the cash count, which are as many as the
    Fibonacci number F(cards + 2), instead of 2**cards; each of them has its sweep, of
    O(l**1.5) time in float64. Exact arithmetic takes O(l**2) additions of integers of
    up to 2 l bits for each.

    References
    ----------
    The question is a reader's of the Problem 14 essay, which has the omniscient player
    only.

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
    if cards >= red + black - 1:  # the last card is known by the others
        if exact:
            return omniscient_value(red, black, backend="exact", progress=progress)
        return omniscient_value(red, black, progress=progress)
    found = kernel.value(red, black, cards, exact=exact, progress=progress)
    return printable(found) if isinstance(found, Fraction) else found
