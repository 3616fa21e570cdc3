"""The three games of this library, and the integer sequences that they compute.

Red/black: the cards of a deck are turned over one by one; a red one pays 1, a black one
costs 1, and you stop when you like. Cards in a row: two players take cards in turns
from either end. Pairs: a card that you have already scores its rank, and the first
player with 31 points loses; if you fold, you score the lowest card on the table.

The On-Line Encyclopedia of Integer Sequences (oeis.org) has the values of red/black as
numerators and denominators: A108883 and A108884 for as many red as black cards, A108885
and A108886 for all decks, by the number of cards and then of red ones.

It has the least and the most by which the first player wins with the cards 1 to n in
some row: A276168 and A276163, by P. Kagey, each with 16 terms. Here they have any
number of terms, as simple bounds are reached:

- With an even number of cards the first player can take every second card, the first
  one or the second one and so on. So the lead is never negative; it is odd if the sum
  of all cards is. It is at most the upper half less the lower half.
- With an odd number the first player takes a card c, and then the other is the first
  player with an even number, to which these bounds apply.

The script prints terms, and for each of n cards the rows that reach the bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from cardgames_dp import cardrow, pairs, redblack


def searched(n: int) -> tuple[int, int]:
    """Return the least and the most that n cards are worth, by a search of all rows."""
    # A row and its mirror image are worth the same.
    rows = [row for row in permutations(range(1, n + 1)) if row[0] <= row[-1]]
    found = cardrow.values(rows, backend="exact")
    return int(found.min()), int(found.max())


def spread(cards: Sequence[int]) -> int:
    """Return the upper half of ascending cards less the lower half."""
    half = len(cards) // 2
    return sum(cards[half:]) - sum(cards[:half])


def bounds(n: int) -> tuple[int, int]:
    """Return a lower and an upper bound of what any row of n cards is worth."""
    cards = range(1, n + 1)
    if n % 2 == 0:
        return sum(cards) % 2, spread(cards)
    rests = {card: [other for other in cards if other != card] for card in cards}
    return (
        min(card - spread(rest) for card, rest in rests.items()),
        max(card - sum(rest) % 2 for card, rest in rests.items()),
    )


def alternating(n: int) -> list[int]:
    """Return a low card, a high one, and so on: with four cards 1 3 2 4."""
    low = (n + 1) // 2
    return [low * (i % 2) + i // 2 + 1 for i in range(n)]


def paired(n: int) -> list[int]:
    """Return an even number of cards by twos, with eight cards 1 2, 3 4, 6 5, 8 7."""
    twos = [[i, i + 1] for i in range(1, n, 2)]
    turned = (len(twos) + 1) // 2
    return [
        c for i, two in enumerate(twos) for c in (two[::-1] if i >= turned else two)
    ]


def extremes(n: int) -> tuple[list[int], list[int]]:
    """Return rows of n cards that are worth as little and as much as can be."""
    if n % 2 == 0:
        return paired(n), alternating(n)
    return alternating(n), [*paired(n - 1), n]


def term(n: int) -> tuple[int, int]:
    """Return the terms of A276168 and A276163, proved by two rows and two bounds."""
    reached = tuple(cardrow.value(row, backend="exact") for row in extremes(n))
    if reached != bounds(n):
        raise ArithmeticError(f"the rows of {n} cards do not reach the bounds")
    least, most = map(int, reached)
    return least, most


def main() -> None:
    """Print values and sequences."""
    even = [redblack.value(n, n, backend="exact") for n in range(27)]
    print("red/black, 26 + 26 cards:", even[26], f"= {float(even[26]):.12f}")
    print("  A108883:", *[value.numerator for value in even[:12]])
    print("  A108884:", *[value.denominator for value in even[:12]])
    for n in range(1, 6):
        row = [redblack.value(red, n - red, backend="exact") for red in range(n + 1)]
        print(f"  A108885 / A108886, {n} cards:", *row)
    terms = [term(n) for n in range(1, 25)]
    print("cards in a row, all rows searched up to 8 cards:", end=" ")
    print([searched(n) for n in range(1, 9)] == terms[:8])
    for name, which in (("A276168", 0), ("A276163", 1)):
        print(f"  {name}, published:", *[each[which] for each in terms[:16]])
        print("    from 17 on:", *[each[which] for each in terms[16:]])
    first, second = pairs.published().payoffs
    print(f"Pairs: the first player wins {first:.6f}, the other {second:.6f}")


if __name__ == "__main__":
    main()
