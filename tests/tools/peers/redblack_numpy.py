"""NumPy: a sweep over the antidiagonals of the table, in floats."""

import numpy as np

ABOUT = ("NumPy, O(l²)", "numpy", "float64")


def build(n: int) -> int:
    return n


def solve(n: int) -> float:
    value = np.zeros(1)
    for cards in range(1, 2 * n + 1):
        red = np.arange(max(0, cards - n), min(cards, n) + 1)
        black = cards - red
        before = np.concatenate([[0.0], value, [0.0]])
        low = max(0, cards - 1 - n)
        win = red / cards * (before[red - low] + 1)
        lose = black / cards * (before[red - low + 1] - 1)
        value = np.maximum(0, win + lose)
    return float(value[0])
