"""Rows of cards: numbers read exactly, cards written with letters, random deals.

A card is an int of any size, a Fraction, a Decimal or a float, or NumPy's equivalent of
one, or such a number written as text. A float counts as the binary fraction that it is:
0.1 is a little more than a tenth. Tenths are written ``"0.1"``, ``"1/10"``,
``Decimal("0.1")`` or ``Fraction(1, 10)``. The letters J, Q, K and A are 11 to 14, and a
whole row may be one text, "A 5 7 K 4 9". Anything else is refused.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Iterator, Mapping, Set
from fractions import Fraction
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardgames_dp._support import arguments
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.cardrow._kernels.row import Row

_WORTHS = {"J": 11, "Q": 12, "K": 13, "A": 14}
"""The ace is high, as in Pashevich's report: its table has a card worth 14."""


def parse_row(name: str, cards: object) -> Row:
    """Return a row of cards as exact numbers; `name` is the argument's in messages."""
    if isinstance(cards, str):
        row = parse_row(name, cards.replace(",", " ").split())
        return Row(row.numerators, row.denominator, integral=row.denominator == 1)
    values = _items_of(name, cards)
    if not values:
        raise ValueError(f"{name} must hold at least one card, got none")
    kinds = set(map(type, values))
    if kinds == {int}:
        return Row(values, 1, integral=True)
    if kinds != {float}:
        return _read_each(name, values)
    if not all(map(math.isfinite, values)):
        _read_each(name, values)  # names the first one that is not
    ratios = [x.as_integer_ratio() for x in values]
    denominator = max([d for _, d in ratios])  # all of them are powers of two
    numerators = [n * (denominator // d) for n, d in ratios]
    return Row(numerators, denominator, integral=False)


def _items_of(name: str, cards: object) -> list[Any]:
    if type(cards) is np.ndarray:  # a masked array, for one, is read card by card
        if cards.ndim != 1:
            raise TypeError(
                f"{name} must be one row of numbers, got an array of shape "
                f"{cards.shape}{_HINT if cards.ndim else ''}"
            )
        if cards.dtype.kind in "iuf":
            return list(arguments.limited_items(name, cards).tolist())
    unordered = isinstance(cards, (Mapping, Set))
    if isinstance(cards, bytes) or unordered or not isinstance(cards, Iterable):
        raise arguments.wrong_type(
            f"{name} must be an iterable of numbers from left to right", cards
        )
    return list(arguments.limited_items(name, cards))


def _read_each(name: str, values: list[Any]) -> Row:
    integral = True
    exact: list[Fraction] = []
    for i, given in enumerate(values):
        value = _WORTHS.get(given.upper(), given) if isinstance(given, str) else given
        try:
            exact.append(arguments.finite(f"{name}[{i}]", value, _ACCEPTED, text=True))
        except TypeError as error:
            nested = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
            raise TypeError(f"{error}{_HINT if nested else ''}") from error.__cause__
        integral = integral and isinstance(value, numbers.Integral)
    return Row.of(exact, integral=integral)


_ACCEPTED = (
    "a finite int, Fraction, Decimal or float, or one written as text, '0.1' or '1/10' "
    "(or one of the letters J, Q, K, A)"
)


_HINT = (
    "; cardrow.values is for many rows, each a game of its own, and "
    "cardrow.value(*rows) is for one game on several rows"
)


def parse_rows(name: str, rows: Any, *, least: int = 1) -> Iterator[Row]:
    """Yield several rows, at least `least` of them, each read by `parse_row`."""
    unordered = isinstance(rows, (str, bytes, Mapping, Set))
    if unordered or not arguments.is_iterable(rows):
        raise arguments.wrong_type(f"{name} must be an iterable of rows of cards", rows)
    count = 0
    for row in arguments.limited_items(name, rows):
        if not arguments.is_iterable(row):
            raise TypeError(
                f"{name}[{count}] must be a row, an iterable of numbers, got "
                f"{arguments.described(row)}; put the cards of a row into a list, "
                "as for cardrow.value([3, 1, 4]) or cardrow.values([[3, 1, 4]])"
            )
        yield parse_row(f"{name}[{count}]", row)
        count += 1
    if count < least:
        raise ValueError(f"{name} must hold at least one row, got none")


_FRENCH_DECK: tuple[int, ...] = tuple(range(1, 14)) * 4
"""52 cards: the ranks 1 to 13 in four suits."""


@suggest_arguments
def deal(
    games: SupportsIndex,
    cards: SupportsIndex,
    *,
    deck: ArrayLike = _FRENCH_DECK,
    replace: bool = False,
    rng: int | np.random.Generator | None = None,
) -> NDArray[Any]:
    """Deal rows of cards at random, for many games.

    Grade: exact; the cards are not converted.

    Parameters
    ----------
    games, cards : int
        The number of rows and the number of cards in each, at least 1.
    deck : array_like of int or float, shape (deck size,), default 52 cards
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

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> rows = cardrow.deal(1000, 3, rng=1)
    >>> float((cardrow.values(rows) < 0).mean())  # better to move second
    0.135
    """
    games = arguments.integer("games", games, minimum=1)
    cards = arguments.integer("cards", cards, minimum=1)
    replace = arguments.boolean("replace", replace)
    source = arguments.generator(rng)
    pack = arguments.array(deck, "deck must be one row of cards")
    if pack.dtype.kind not in "iuf":
        raise TypeError(f"deck must be an array of numbers, got dtype {pack.dtype}")
    if isinstance(deck, (list, tuple)) and not {bool, np.bool_}.isdisjoint(
        map(type, deck)  # among numbers, NumPy takes a bool for one
    ):
        raise arguments.wrong_type("deck must hold numbers", deck)
    if pack.ndim != 1 or not pack.size:
        raise ValueError(f"deck must be one row of cards, got shape {pack.shape}")
    wrong = pack[~np.isfinite(pack)]
    if wrong.size:
        raise ValueError(f"deck must hold finite numbers, got {wrong[0]}")
    if cards > pack.size and not replace:
        raise ValueError(
            f"cards must be at most the {pack.size} of the deck, got "
            f"{arguments.shown(cards)}; or use replace=True"
        )
    refuse_too_large(
        f"{arguments.shown(games)} rows of {arguments.shown(cards)} cards",
        games * pack.itemsize * (cards if replace else 2 * pack.size),
        "deal them in several calls",
    )
    if replace:
        return pack[source.integers(pack.size, size=(games, cards))]
    shuffled = source.permuted(np.broadcast_to(pack, (games, pack.size)), axis=1)
    return shuffled[:, :cards].copy()
