"""Plain Python: a sweep in integers, the number of orders times the worth of a deck."""

from fractions import Fraction
from math import comb

ABOUT = ("Python, integers", "python", "exact")


def build(n: int) -> int:
    return n


def solve(n: int) -> Fraction:
    orders, worth, first = [1] * (n + 1), list(range(n + 1)), 1
    for black in range(1, n + 1):
        ways, total = comb(first - 1 + black, black), 0
        for red in range(first, n + 1):
            total += worth[red] + ways - orders[red]
            ways += orders[red]
            if total <= 0:  # stop here, and in what has fewer red or more black cards
                total, first = 0, red + 1
            orders[red], worth[red] = ways, total
    return Fraction(worth[n], orders[n])
