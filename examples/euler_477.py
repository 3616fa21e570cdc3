"""Solve a row of a hundred million cards in a second: problem 477 of Project Euler.

The cards are s(1) = 0, s(i+1) = (s(i)**2 + 45) mod 1,000,000,007; F(n) is the sum that
the first player takes of the first n cards. Such a sequence runs into a cycle, and a
cycle collapses to a dozen cards, so that any number of cycles takes one doubling for
each binary digit of the number. Takes n, or else 10**8; the memory is that of one
cycle, whatever n is.

Source: https://projecteuler.net/problem=477, which gives F(2), F(4), F(100) and
F(10**4) to try a program on.
"""

import sys
from collections.abc import Iterator

from cardgames_dp import cardrow

MODULUS = 1_000_000_007
GIVEN = {2: 45, 4: 4284990, 100: 26365463243, 10**4: 2495838522951}


def sequence() -> Iterator[int]:
    """Yield the cards, for ever."""
    card = 0
    while True:
        yield card
        card = (card * card + 45) % MODULUS


def first_cycle() -> tuple[list[int], list[int]]:
    """Return the cards before the sequence first repeats one, and its cycle."""
    places: dict[int, int] = {}
    cards: list[int] = []
    for card in sequence():
        if card in places:
            start = places[card]
            return cards[:start], cards[start:]
        places[card] = len(cards)
        cards.append(card)
    raise AssertionError("a sequence of remainders repeats one")


def repeated(cards: tuple[int, ...], times: int) -> tuple[int, ...]:
    """Return what a piece collapses to if it is repeated several times."""
    row: tuple[int, ...] = ()
    for digit in f"{times:b}":
        row = row + row + (cards if digit == "1" else ())
        row = tuple(map(int, cardrow.collapsed(row)))
    return row


def first_players_sum(n: int) -> int:
    """Return F(n)."""
    head, cycle = first_cycle()
    if n <= len(head):
        return int(cardrow.match(head[:n]).sums[0])
    times, rest = divmod(n - len(head), len(cycle))
    tail = cycle[:rest]
    total = sum(head) + times * sum(cycle) + sum(tail)
    piece = tuple(map(int, cardrow.collapsed(cycle)))
    row = [*head, *(repeated(piece, times) if times else ()), *tail]
    lead = int(cardrow.value(row, backend="exact"))
    return (total + lead) // 2


def main() -> None:
    """Check the figures that the problem gives, and answer it."""
    n = int(sys.argv[1]) if sys.argv[1:] else 10**8
    head, cycle = first_cycle()
    print(f"{len(head):,} cards, then a cycle of {len(cycle):,} for ever")
    for size, given in GIVEN.items():
        found = first_players_sum(size)
        print(f"F({size}) = {found}{'' if found == given else ', not as given!'}")
    print(f"F({n}) = {first_players_sum(n)}")


if __name__ == "__main__":
    main()
