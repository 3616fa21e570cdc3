"""NumPy: all intervals of one length at a time."""

import numpy as np

ABOUT = ("NumPy, O(n²)", "numpy", "exact")


def build(n: int) -> list[int]:
    cards: list[int] = np.random.default_rng(1).integers(1, 14, n).tolist()
    return cards


def solve(cards: list[int]) -> int:
    row = np.array(cards)
    ahead = row
    for length in range(2, len(cards) + 1):
        left = row[: 1 - length] - ahead[1:]
        right = row[length - 1 :] - ahead[:-1]
        ahead = np.maximum(left, right)
    return int(ahead[0])
