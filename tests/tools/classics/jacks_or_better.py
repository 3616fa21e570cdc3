"""Video poker by its payments alone, for all classes of hands at once."""

from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from cardgames_dp import diagonal
from tests.classics.scripts import loaded

GAME = "Jacks or Better"
SPECIAL = "NumPy, sums of payments over subsets"


def ours() -> float:
    """Return the value by the script."""
    value: float = diagonal.solve(loaded("jacks_or_better").JacksOrBetter()).value[0]
    return value


def payments(hands: Any) -> Any:
    """Return what ascending hands pay."""
    ranks = hands // 4
    flush = (hands % 4 == hands[:, :1] % 4).all(axis=1)
    same = ranks[:, 1:] == ranks[:, :-1]
    pairs, span = same.sum(axis=1), ranks[:, 4] - ranks[:, 0]
    three = (same[:, 1:] & same[:, :-1]).sum(axis=1)
    run = (pairs == 0) & ((span == 4) | ((span == 12) & (ranks[:, 3] == 3)))
    high = (same & (ranks[:, 1:] > 8)).any(axis=1)
    cases = [
        (run & flush & (ranks[:, 0] == 8), 800),
        (run & flush, 50),
        (three == 2, 25),
        ((pairs == 3), 9),
        (flush, 6),
        (run, 4),
        (three == 1, 3),
        (pairs == 2, 2),
        (high, 1),
    ]
    found, pays = zip(*cases, strict=True)
    return np.select(list(found), list(pays), default=0)


def special() -> float:
    """Return the value, by inclusion and exclusion over the cards thrown away."""
    count = comb(52, 5)
    flat = (card for hand in combinations(range(52), 5) for card in hand)
    hands = np.fromiter(flat, np.int8, 5 * count).reshape(count, 5)
    paid = payments(hands).astype(float)
    suits = [
        (hands % 4 == suit) * (1 << hands.astype(np.int64) // 4) for suit in range(4)
    ]
    masks = np.sort([each.sum(axis=1) for each in suits], axis=0)
    codes = masks.T @ (1 << 13 * np.arange(4))
    _, first, ways = np.unique(codes, return_index=True, return_counts=True)
    chosen = hands[first]
    binomials = np.array([[comb(n, k) for k in range(6)] for n in range(53)])
    sums = np.zeros((32, len(chosen)))
    for size in range(6):
        totals = np.zeros(comb(52, size))
        places = list(combinations(range(5), size))
        for columns in places:
            totals += np.bincount(where(hands, columns, binomials), paid, len(totals))
        for columns in places:
            mask = sum(1 << column for column in columns)
            sums[mask] = totals[where(chosen, columns, binomials)]
    for bit in (1, 2, 4, 8, 16):
        without = [mask for mask in range(32) if not mask & bit]
        sums[without] -= sums[[mask | bit for mask in without]]
    draws = np.array([comb(47, 5 - mask.bit_count()) for mask in range(32)])
    best = (sums / draws[:, np.newaxis]).max(axis=0)
    return float(best @ ways / count)


def where(hands: Any, columns: tuple[int, ...], binomials: Any) -> Any:
    """Return the places of some cards of hands among all sets of so many."""
    place = np.zeros(len(hands), np.int64)
    for i, column in enumerate(columns):
        place += binomials[hands[:, column], i + 1]
    return place
