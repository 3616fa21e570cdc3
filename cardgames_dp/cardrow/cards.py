"""Rows of cards: numbers read exactly, cards written with letters, random deals.

A card is an int of any size, a Fraction, a Decimal or a float, or NumPy's equivalent of
one, or such a number written as text. A float counts as the binary fraction that it is:
0.1 is a little more than a tenth. Tenths are written ``"0.1"``, ``"1/10"``,
``Decimal("0.1")`` or ``Fraction(1, 10)``. Anything else is refused.
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
from cardgames_dp._support.running import refuse_too_large
from cardgames_dp.cardrow._kernels.row import Exact, Number, Row


def read(name: str, cards: object) -> Row:
    """Return a row of cards as exact numbers.

    Parameters
    ----------
    name : str
        The name of the argument in error messages.
    cards : iterable of int, Fraction, Decimal or float
        The row, at least one card; or a one-dimensional NumPy array of integers or
        floats. Numbers may be written as text.

    Raises
    ------
    ValueError
        If there is no card, one is NaN or infinite, or a text is not a number.
    """
    values = _listed(name, cards)
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


def _listed(name: str, cards: object) -> list[Any]:
    if type(cards) is np.ndarray:  # a masked array, for one, is read card by card
        if cards.ndim != 1:
            raise TypeError(
                f"{name} must be one row of numbers, got an array of shape "
                f"{cards.shape}{_HINT if cards.ndim else ''}"
            )
        if cards.dtype.kind in "iuf":
            listed: list[Any] = arguments.items(name, cards).tolist()
            return listed
    unordered = isinstance(cards, (Mapping, Set))
    if isinstance(cards, (str, bytes)) or unordered or not isinstance(cards, Iterable):
        hint = "; cardrow.read_cards reads a row that is written as text"
        raise TypeError(
            f"{name} must be an iterable of numbers from left to right, got "
            f"{arguments.described(cards)}{hint if isinstance(cards, str) else ''}"
        )
    return list(arguments.items(name, cards))


def _read_each(name: str, values: list[Any]) -> Row:
    integral = True
    exact: list[Fraction] = []
    for i, value in enumerate(values):
        try:
            exact.append(arguments.finite(f"{name}[{i}]", value, _ACCEPTED, text=True))
        except TypeError as error:
            nested = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
            raise TypeError(f"{error}{_HINT if nested else ''}") from error.__cause__
        integral = integral and isinstance(value, numbers.Integral)
    denominator = math.lcm(*{x.denominator for x in exact})
    numerators = [x.numerator * (denominator // x.denominator) for x in exact]
    return Row(numerators, denominator, integral)


_ACCEPTED = (
    "a finite int, Fraction, Decimal or float, or one written as text, '0.1' or '1/10'"
)


_HINT = (
    "; cardrow.values and guarantees are for many rows, each a game of its own, and "
    "cardrow.value_of_rows is for one game on several rows"
)


def read_rows(name: str, rows: object, *, least: int = 1) -> Iterator[Row]:
    """Yield several rows, each read by `read`.

    There must be at least `least` of them, 0 or 1.

    Raises
    ------
    TypeError, ValueError
        As for `read`, for a row; or if there are too few rows.
    """
    flat = isinstance(rows, np.ndarray) and not rows.ndim  # iterable by its type only
    unordered = isinstance(rows, (str, bytes, Mapping, Set))
    if flat or unordered or not isinstance(rows, Iterable):
        raise TypeError(
            f"{name} must be an iterable of rows of cards, got "
            f"{arguments.described(rows)}"
        )
    count = 0
    for row in arguments.items(name, rows):
        if not isinstance(row, Iterable):
            raise TypeError(
                f"{name}[{count}] must be a row, an iterable of numbers, got "
                f"{arguments.described(row)}; put a single row into a list: [row]"
            )
        yield read(f"{name}[{count}]", row)
        count += 1
    if count < least:
        raise ValueError(f"{name} must hold at least one row, got none")


_FRENCH_DECK: tuple[int, ...] = tuple(range(1, 14)) * 4
"""52 cards: the ranks 1 to 13 in four suits."""


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

    Raises
    ------
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
    >>> float((cardrow.values(rows) < 0).mean())  # better to move second
    0.135
    """
    games = arguments.integer("games", games, minimum=1)
    cards = arguments.integer("cards", cards, minimum=1)
    replace = arguments.boolean("replace", replace)
    source = arguments.generator(rng)
    try:
        pack = np.asarray(deck)
    except ValueError as error:
        raise ValueError(
            f"deck must be one row of cards, got {arguments.described(deck)}"
        ) from error
    if pack.dtype.kind not in "iuf":
        raise TypeError(f"deck must be an array of numbers, got dtype {pack.dtype}")
    if isinstance(deck, (list, tuple)) and not {bool, np.bool_}.isdisjoint(
        map(type, deck)  # among numbers, NumPy takes a bool for one
    ):
        raise TypeError(f"deck must hold numbers, got {arguments.described(deck)}")
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
        f"{games} rows of {cards} cards",
        games * pack.itemsize * (cards if replace else 2 * pack.size),
        "deal them in several calls",
    )
    if replace:
        return pack[source.integers(pack.size, size=(games, cards))]
    shuffled = source.permuted(np.broadcast_to(pack, (games, pack.size)), axis=1)
    return shuffled[:, :cards].copy()


_WORTHS: dict[str, Number] = {"J": 11, "Q": 12, "K": 13, "A": 14}
"""The ace is high, as in Pashevich's report: its table has a card worth 14."""


def read_cards(
    cards: str | Iterable[Number], *, worths: Mapping[str, Number] | None = None
) -> tuple[Exact, ...]:
    """Convert a row of cards written with letters (A, J, Q, K) to numbers.

    Grade: exact.

    Parameters
    ----------
    cards : str, or iterable of str and numbers
        The row from left to right: "A 5 7 K 4 9", with spaces or commas between cards,
        or ``["A", 5, 7, "K", 4, 9]``. Letters may be upper or lower case.
    worths : mapping of str to number, optional
        The worths of letters or other words, in addition to J 11, Q 12, K 13 and A 14,
        or instead of them. In :func:`deal` an ace is worth 1: ``worths={"A": 1}``.

    Returns
    -------
    tuple of int or Fraction
        Fractions if a card is not an integer.

    Raises
    ------
    ValueError
        If there is no card, or a card is neither a number nor a known word.

    References
    ----------
    The report "APP2: Hold'em for n00bs" by A. Pashevich and others, section 4.1, has
    the row below.

    Examples
    --------
    >>> from cardgames_dp import cardrow
    >>> cardrow.read_cards("A 5 7 K 4 9")
    (14, 5, 7, 13, 4, 9)
    >>> cardrow.value(cardrow.read_cards("A 4 7 2 5 Q"))
    8.0
    >>> cardrow.read_cards("A 10 J", worths={"A": 1, "J": 10, "Q": 10, "K": 10})
    (1, 10, 10)
    """
    table = _words(worths)
    listed: Iterable[object] = cards
    if isinstance(cards, str):
        listed = cards.replace(",", " ").split()
    elif isinstance(cards, bytes) or not isinstance(cards, Iterable):
        raise TypeError(
            "cards must be a text or an iterable of words and numbers, got "
            f"{arguments.described(cards)}"
        )
    numbers = [
        table.get(card.upper(), card) if isinstance(card, str) else card
        for card in arguments.items("cards", listed)
    ]
    try:
        row = read("cards", numbers)
    except ValueError as error:
        raise ValueError(f"{error} (or one of the words {', '.join(table)})") from None
    # A number written as text counts as an integer if it reads as one.
    return tuple(row.numerators if row.denominator == 1 else row.numbers())


def _words(worths: object) -> dict[str, Number]:
    """Return what each word is worth, in capital letters."""
    if worths is None:
        return _WORTHS
    if not isinstance(worths, Mapping):
        raise TypeError(
            "worths must be a mapping of words to numbers, got "
            f"{arguments.described(worths)}"
        )
    table = dict(_WORTHS)
    for word, worth in worths.items():
        if not isinstance(word, str):
            raise TypeError(
                f"worths must have words for keys, got {arguments.described(word)}"
            )
        table[word.upper()] = arguments.finite(
            f"worths[{arguments.shown(word)}]", worth, "a finite number", text=True
        )
    return table
