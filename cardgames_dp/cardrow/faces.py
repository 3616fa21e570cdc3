"""Rows of cards written with letters: A, J, Q and K besides numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cardgames_dp import _checks
from cardgames_dp.cardrow._cards import read
from cardgames_dp.cardrow._kernels.row import Exact, Number

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
        or instead of them. In `FRENCH_DECK` an ace is worth 1: ``worths={"A": 1}``.

    Returns
    -------
    tuple of int or Fraction
        Fractions if a card is not an integer.

    Raises
    ------
    TypeError
        If `cards` is neither a str nor an iterable, or `worths` is not a mapping of
        words to numbers.
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
    table = _table(worths)
    listed: Iterable[object] = cards
    if isinstance(cards, str):
        listed = cards.replace(",", " ").split()
    elif isinstance(cards, bytes) or not isinstance(cards, Iterable):
        raise TypeError(
            "cards must be a text or an iterable of words and numbers, got "
            f"{_checks.described(cards)}"
        )
    numbers = [
        table.get(card.upper(), card) if isinstance(card, str) else card
        for card in _checks.items("cards", listed)
    ]
    try:
        row = read("cards", numbers)
    except ValueError as error:
        raise ValueError(f"{error} (or one of the words {', '.join(table)})") from None
    # A number written as text counts as an integer if it reads as one.
    return tuple(row.numerators if row.denominator == 1 else row.numbers())


def _table(worths: object) -> dict[str, Number]:
    """Return what each word is worth, in capital letters."""
    if worths is None:
        return _WORTHS
    if not isinstance(worths, Mapping):
        raise TypeError(
            "worths must be a mapping of words to numbers, got "
            f"{_checks.described(worths)}"
        )
    table = dict(_WORTHS)
    for word, worth in worths.items():
        if not isinstance(word, str):
            raise TypeError(
                f"worths must have words for keys, got {_checks.described(word)}"
            )
        table[word.upper()] = _checks.finite(
            f"worths[{_checks.shown(word)}]", worth, "a finite number", text=True
        )
    return table
