"""Rows of cards, dealt at random."""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardgames_dp import _checks
from cardgames_dp._memory import refuse_too_large

FRENCH_DECK: tuple[int, ...] = tuple(range(1, 14)) * 4
"""52 cards: the ranks 1 to 13 in four suits."""


def deal(
    games: SupportsIndex,
    cards: SupportsIndex,
    *,
    deck: ArrayLike = FRENCH_DECK,
    replace: bool = False,
    rng: int | np.random.Generator | None = None,
) -> NDArray[Any]:
    """Deal rows of cards at random, for many games.

    Grade: exact; the cards are not converted.

    Parameters
    ----------
    games, cards : int
        The number of rows and the number of cards in each, at least 1.
    deck : array_like of int or float, shape (deck size,), default FRENCH_DECK
        The cards to draw from; the ranks 1 to 13 in four suits if not given.
    replace : bool, default False
        Whether each card is put back into the deck after it is drawn. If not, a row is
        the top of a shuffled deck.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers.

    Returns
    -------
    ndarray, shape (games, cards)
        Of the deck's dtype.

    Raises
    ------
    TypeError
        If an argument is not as described above.
    ValueError
        If a number is less than 1, a seed is negative, `deck` is empty, is not
        one-dimensional or holds NaN or an infinity, or a row has more cards than the
        deck and `replace` is false.
    TooLargeError
        If the rows would not fit in memory.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> rows = cardrow.deal(1000, 3, rng=1)
    >>> seconds = sum(cardrow.who_should_start(row) == "second" for row in rows)
    >>> 100 < seconds < 180  # about 14%
    True
    """
    games = _checks.integer("games", games, minimum=1)
    cards = _checks.integer("cards", cards, minimum=1)
    replace = _checks.boolean("replace", replace)
    source = _checks.generator(rng)
    try:
        pack = np.asarray(deck)
    except ValueError as error:
        raise ValueError(
            f"deck must be one row of cards, got {_checks.described(deck)}"
        ) from error
    if pack.dtype.kind not in "iuf":
        raise TypeError(f"deck must be an array of numbers, got dtype {pack.dtype}")
    if isinstance(deck, (list, tuple)) and not {bool, np.bool_}.isdisjoint(
        map(type, deck)  # among numbers, NumPy takes a bool for one
    ):
        raise TypeError(f"deck must hold numbers, got {_checks.described(deck)}")
    if pack.ndim != 1 or not pack.size:
        raise ValueError(f"deck must be one row of cards, got shape {pack.shape}")
    wrong = pack[~np.isfinite(pack)]
    if wrong.size:
        raise ValueError(f"deck must hold finite numbers, got {wrong[0]}")
    if cards > pack.size and not replace:
        raise ValueError(
            f"cards must be at most the {pack.size} of the deck, got "
            f"{_checks.shown(cards)}; or use replace=True"
        )
    refuse_too_large(
        f"{games} rows of {cards} cards",
        games * pack.itemsize * (cards if replace else 2 * pack.size),
        "deal them in several calls",
    )
    if replace:
        return pack[source.integers(pack.size, size=(games, cards))]
    shuffled = source.permuted(np.broadcast_to(pack, (games, pack.size)), axis=1)
    return shuffled[:, :cards].copy()
