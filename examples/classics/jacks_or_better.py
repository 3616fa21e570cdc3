"""Video poker, "9/6 Jacks or Better": which of five cards to hold.

You are dealt five cards, hold as many as you like, and get new ones for the others. The
hand that you have then pays, by bets of one: a royal flush 800, a straight flush 50,
four of a kind 25, a full house 9, a flush 6, a straight 4, three of a kind 3, two pairs
2, a pair of jacks or better 1; "9/6" are the payments that differ between machines.

Hands that differ in suits only are one: there are 134,459 of 2,598,960. What follows
from holding some cards depends on nothing but how many of the final hands pay how much,
so this is the state after a decision: 4.3 million of them become 56,651. They are
counted for all hands at once. Let N(S) be the number of hands with the cards S. The
hands with the cards H that are held, and with none of those that are thrown away, D,
number the sum of (-1)^|T| N(H + T) over all subsets T of D.

S. N. Ethier, J. J. Kim and J. Lee, "Optimal conditional expectation at the video poker
game Jacks or Better", arXiv:1602.04171, 2016, count hands and values; strategy pages
have the return, and how often a royal flush comes.

The script takes what a full house and a flush pay, or else 9 6. It prints what the
machine returns and how often each hand comes, with the best play and by a list of
sixteen lines (`SIMPLE`), and how many values a dealt hand can have. It writes how often
each hand comes to jacks_or_better.csv.
"""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import diagonal, play
from cardgames_dp.game import CHANCE, TERMINAL, explore

Array = NDArray[Any]
HANDS = (
    *("nothing", "jacks or better", "two pairs", "three of a kind", "straight"),
    *("flush", "full house", "four of a kind", "straight flush", "royal flush"),
)
PAYS = (0, 1, 2, 3, 4, 6, 9, 25, 50, 800)
JACK, ACE = 9, 12
"""Ranks are counted from 0, the two. A card is four times its rank plus its suit."""

DEAL, HOLD, DRAW, DONE = range(4)
MASKS = np.arange(32)
"""What can be held: bit i is the i-th card of the hand, from the lowest."""
SIZES = np.array([int(mask).bit_count() for mask in MASKS])

CHOOSE = np.array([[1] + [0] * 5] * 53)
for _n in range(1, 53):
    CHOOSE[_n, 1:] = CHOOSE[_n - 1, 1:] + CHOOSE[_n - 1, :-1]


HANDS_OF_52 = int(CHOOSE[52, 5])


def all_hands(ranks: int) -> Array:
    """Return all hands of five cards of the highest ranks, each in ascending order."""
    cards = range(52 - 4 * ranks, 52)
    flat = (card for hand in combinations(cards, 5) for card in hand)
    count = int(CHOOSE[4 * ranks, 5])
    return np.fromiter(flat, np.int8, 5 * count).reshape(count, 5)


def kinds(hands: Array) -> Array:
    """Return what hands are, as places in `HANDS`."""
    ranks, suits = hands // 4, hands % 4
    same = ranks[:, 1:] == ranks[:, :-1]
    pairs = same.sum(axis=1)
    three = (same[:, 1:] & same[:, :-1]).sum(axis=1)
    high = (same & (ranks[:, 1:] >= JACK)).any(axis=1)
    flush = (suits == suits[:, :1]).all(axis=1)
    wheel = (ranks[:, 4] == ACE) & (ranks[:, 3] == 3)
    straight = (pairs == 0) & (wheel | (ranks[:, 4] - ranks[:, 0] == 4))
    found = np.where((pairs == 1) & high, 1, 0)
    found[pairs == 2] = 2
    found[(pairs == 2) & (three == 1)] = 3
    found[(pairs == 3) & (three == 1)] = 6
    found[(pairs == 3) & (three == 2)] = 7
    found[straight] = 4
    found[flush] = 5
    found[straight & flush] = 8
    found[straight & flush & (ranks[:, 0] == ACE - 4)] = 9
    return found.astype(np.int8)


def place(cards: Array, lowest: int) -> Array:
    """Return the places of ascending cards among all sets of so many cards."""
    return sum(
        (CHOOSE[cards[:, i] - lowest, i + 1] for i in range(cards.shape[1])),
        np.zeros(len(cards), dtype=np.int64),
    )


def parts(hands: Array) -> Iterator[Array]:
    """Yield what hands keep, for each of the masks."""
    for mask in MASKS:
        yield hands[:, (mask >> np.arange(5) & 1).astype(bool)]


class JacksOrBetter:
    """The machine. A state is what is next, and a hand, a draw or a final hand.

    Attributes
    ----------
    hands, ways : ndarray
        A hand for each class of hands that differ in suits only, and how many it has.
    draws : ndarray of int, shape (draws, kinds)
        How many final hands are of each kind.
    after : ndarray of int, shape (hands, masks)
        Which draw follows when some cards are held.
    """

    num_players = 1

    def __init__(self, pays: tuple[int, ...] = PAYS, ranks: int = 13) -> None:
        self.pays = np.array(pays)
        every = all_hands(ranks)
        bits = 1 << (every // 4).astype(np.int64)
        suits = [(bits * (every % 4 == suit)).sum(axis=1) for suit in range(4)]
        which = (1 << 13 * np.arange(4)) @ np.sort(suits, axis=0)
        _, first, self.ways = np.unique(which, return_index=True, return_counts=True)
        self.hands = every[first]
        self.draws, self.after = self.counted(every)

    def counted(self, every: Array) -> tuple[Array, Array]:
        """Return the distinct draws, and which follows from what is held."""
        kind, lowest = kinds(every), int(every.min())
        tables = []  # for each size, how many hands of each kind have these cards
        for size in range(6):
            table = np.zeros((CHOOSE[52 - lowest, size], len(HANDS)), np.int32)
            for mask, held in zip(MASKS, parts(every), strict=True):
                if SIZES[mask] == size:
                    cells = place(held, lowest) * len(HANDS) + kind
                    if size == 5:  # no hand comes twice
                        table.reshape(-1)[cells] = 1
                        continue
                    table += np.bincount(cells, minlength=table.size).reshape(-1, 10)
            tables.append(table)
        mixed = np.random.default_rng(1).integers(2**62, size=len(HANDS))
        found: dict[int, Array] = {}
        keys = np.empty((len(self.hands), 32), np.int64)
        for start in range(0, len(self.hands), 8192):
            hands = self.hands[start : start + 8192]
            some = np.empty((32, len(hands), len(HANDS)), np.int32)
            for mask, held in zip(MASKS, parts(hands), strict=True):
                some[mask] = tables[SIZES[mask]][place(held, lowest)]
            for bit in 1 << np.arange(5):
                without = MASKS[MASKS & bit == 0]
                some[without] -= some[without | bit]
            # Equal counts have equal keys; that different ones differ is checked.
            key = some @ mixed
            keys[start : start + 8192] = key.T
            new, where = np.unique(key, return_index=True)
            rows = some.reshape(-1, len(HANDS))
            for each, row in zip(new.tolist(), rows[where], strict=True):
                if not np.array_equal(found.setdefault(each, row.copy()), row):
                    raise ArithmeticError("two draws have the same key")
        known = np.array(sorted(found))
        return np.array([found[key] for key in known.tolist()]), np.searchsorted(
            known, keys
        )

    def initial_states(self) -> Array:
        """Return the state before the deal."""
        return np.array([[DEAL, 0]])

    def current_players(self, states: Array) -> Array:
        """Return whether you decide or cards are dealt."""
        return np.array([CHANCE, 0, CHANCE, TERMINAL])[states[:, 0]]

    def legal_actions(self, states: Array) -> tuple[Array, Array]:
        """Return all masks."""
        return np.repeat(np.arange(len(states)), 32), np.tile(MASKS, len(states))

    def next_states(self, states: Array, masks: Array) -> Array:
        """Return the draws."""
        draws = self.after[states[:, 1], masks]
        return np.column_stack([np.full_like(draws, DRAW), draws])

    def chance_outcomes(self, states: Array) -> tuple[Array, Array, Array]:
        """Return the hands of the deal, or how a draw ends."""
        dealt = states[0, 0] == DEAL
        ways = self.ways[np.newaxis] if dealt else self.draws[states[:, 1]]
        index, after = np.nonzero(ways)
        phase = np.full_like(after, HOLD if dealt else DONE)
        return index, ways[index, after], np.column_stack([phase, after])

    def returns(self, states: Array) -> Array:
        """Return what final hands pay."""
        return self.pays[states[:, 1]]


def features(cards: Array) -> dict[str, Array]:
    """Return what a list of good holds asks of cards that might be held."""
    ranks, suits = cards // 4, cards % 4
    count = cards.shape[1]
    if not count:
        return {}
    same = ranks[:, 1:] == ranks[:, :-1]
    apart = ~same.any(axis=1)
    low = np.where(ranks[:, -1:] == ACE, np.sort((ranks + 1) % 13, axis=1), ranks + 1)
    spread = np.minimum(ranks[:, -1] - ranks[:, 0], low[:, -1] - low[:, 0])
    suited = (suits == suits[:, :1]).all(axis=1)
    open_ended = apart & (ranks[:, -1] - ranks[:, 0] == count - 1)
    return {
        "pairs": same.sum(axis=1),
        "alike": ~apart & (ranks[:, 0] == ranks[:, -1]),
        "suited": suited,
        "royal": suited & (ranks[:, 0] >= ACE - 4) & apart,
        "straight flush": suited & apart & (spread <= 4),
        "outside": open_ended & (ranks[:, -1] < ACE),
        "high": (ranks >= JACK).sum(axis=1),
        "ten": ranks[:, 0] == JACK - 1,
        "sum": ranks.astype(np.int64).sum(axis=1),
    }


SIMPLE = (
    "four of a kind or better",
    "four to a royal flush",
    "three of a kind, a straight, a flush or a full house",
    "four to a straight flush",
    "two pairs",
    "a pair of jacks or better",
    "three to a royal flush",
    "four to a flush",
    "a low pair",
    "four to a straight that is open at both ends",
    "two high cards of a suit",
    "three to a straight flush",
    "two high cards, the lowest of more",
    "a ten and a high card of its suit",
    "one high card",
    "nothing",
)
"""A list of what to hold: the first line that the hand has."""


def lines(cards: Array, kind: Array) -> Array:
    """Return which line of `SIMPLE` cards are, or a large number."""
    count, has = cards.shape[1], features(cards)
    if count == 0:
        return np.full(len(cards), len(SIMPLE) - 1)
    pair = has["pairs"] == 1
    named = {
        5: {0: kind >= 8, 2: (kind >= 4) & (kind <= 6)},
        4: {
            0: has["alike"],
            1: has["royal"],
            3: has["straight flush"],
            4: (has["pairs"] == 2) & ~has["alike"],
            7: has["suited"],
            9: has["outside"],
        },
        3: {
            2: has["alike"],
            6: has["royal"],
            11: has["straight flush"],
        },
        2: {
            5: pair & (has["high"] == 2),
            8: pair,
            10: has["suited"] & (has["high"] == 2),
            12: has["high"] == 2,
            13: has["suited"] & has["ten"] & (has["high"] == 1),
        },
        1: {14: has["high"] == 1},
    }[count]
    found = np.full(len(cards), 99)
    for line in sorted(named, reverse=True):
        found[named[line]] = line
    if count == 4:  # two pairs are not three of a kind with another card
        ranks = cards // 4
        triple = (ranks[:, 1] == ranks[:, 2]) & (found == 4)
        found[triple] = 99
    return found


def simple(game: JacksOrBetter) -> Array:
    """Return what the list holds, for all hands."""
    kind = kinds(game.hands)
    worst = [
        # In a line more cards are better, and of high ones the lower.
        lines(held, kind) * 1000
        - held.shape[1] * 100
        + features(held).get("sum", np.zeros(1, np.int64))
        for held in parts(game.hands)
    ]
    best: Array = np.argmin(worst, axis=0)
    return best


def main() -> None:
    """Solve the machine."""
    house, flush = map(int, sys.argv[1:3] or PAYS[6:4:-1])
    game = JacksOrBetter((*PAYS[:5], flush, house, *PAYS[7:]))
    found = explore(game)
    best = diagonal.solve(found)
    print(f"{len(game.hands):,} hands, {len(game.draws):,} draws")
    held = simple(game)
    rules: dict[str, Any] = {
        "the best play": best,
        "sixteen lines": lambda states: held[states[:, 1]],
    }
    endings = {}
    for name, policy in rules.items():
        reached = play.distribution(found, policy)
        ends = np.array([[DONE, kind] for kind in range(len(HANDS))])
        endings[name] = reached.reach(ends)
        mean = endings[name] @ game.pays
        print(f"{name} returns {100 * mean:.10f} %")
    print("one in         the best play  sixteen lines")
    table: list[list[Any]] = [["hand", "pays", *(f"one in, {name}" for name in rules)]]
    for kind in reversed(range(len(HANDS))):
        often = [1 / endings[name][kind] for name in rules]
        print(f"{HANDS[kind]:15}", *(f"{each:13,.3f}" for each in often), sep="  ")
        table.append([HANDS[kind], game.pays[kind], *(f"{each:.3f}" for each in often)])
    with Path("jacks_or_better.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(table)
    worth, common = worths(game, best)
    print(
        "the best play is worth", Fraction(int(worth @ game.ways), common * HANDS_OF_52)
    )
    print(f"{len(np.unique(worth)):,} values of a dealt hand")
    if len(sys.argv) < 3:
        print("published: 99.544 %; one in 40,391; 134,459 hands with 1,153 values")


def worths(game: JacksOrBetter, best: Any) -> tuple[Array, int]:
    """Return what hands are worth by a policy, as numerators of a fraction."""
    masks = best.policy(np.array([[HOLD, i] for i in range(len(game.hands))]))
    draws = game.draws[game.after[np.arange(len(game.hands)), masks]]
    common = math.lcm(*CHOOSE[47].tolist())
    worth: Array = (draws @ game.pays) * (common // CHOOSE[47, 5 - SIZES[masks]])
    return worth, common


if __name__ == "__main__":
    main()
