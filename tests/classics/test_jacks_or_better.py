"""Video poker, held against brute force over draws from a small deck."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cardgames_dp import diagonal, exact

from .scripts import loaded

POKER = loaded("jacks_or_better")


@cache
def kind(hand: tuple[int, ...]) -> str:
    """Return what a hand is, in words, by counting."""
    ranks, suits = sorted(card // 4 for card in hand), {card % 4 for card in hand}
    counts = sorted(Counter(ranks).values())
    run = ranks in [*[list(range(i, i + 5)) for i in range(9)], [0, 1, 2, 3, 12]]
    if run and len(suits) == 1:
        return "royal flush" if ranks[0] == 8 else "straight flush"
    paired = {
        (1, 4): "four of a kind",
        (2, 3): "full house",
        (1, 1, 3): "three of a kind",
        (1, 2, 2): "two pairs",
    }
    if tuple(counts) in paired:
        return paired[tuple(counts)]
    if len(suits) == 1:
        return "flush"
    if run:
        return "straight"
    high = any(ranks.count(rank) == 2 for rank in range(9, 13))
    return "jacks or better" if high else "nothing"


def test_kinds_of_single_hands() -> None:
    """Of six ranks, and all runs of five ranks, the lowest with an ace."""
    runs = [[(i + k) % 13 for k in (-1, 0, 1, 2, 3)] for i in range(10)]
    hands = [
        *POKER.all_hands(6)[::97].tolist(),
        *(sorted(4 * r + s * (r % 2) for r in run) for run in runs for s in range(2)),
        *(
            sorted(4 * r + 3 for r in run)
            for run in ([0, 2, 4, 6, 12], [7, 9, 10, 11, 12])
        ),
        *([0, 1, 4 * r, 4 * r + 1, 50] for r in range(1, 12)),
        *([0, 5, 10, 4 * r, 4 * r + 1] for r in range(3, 13)),
    ]
    names = [POKER.HANDS[each] for each in POKER.kinds(np.array(hands, np.int8))]
    assert names == [kind(tuple(hand)) for hand in hands]
    assert {*names} == {*POKER.HANDS}


@pytest.fixture(scope="module")
def machine() -> Any:
    """A deck of nines to aces: 42,504 hands."""
    return POKER.JacksOrBetter(ranks=6)


def test_what_follows_from_what_is_held(machine: Any) -> None:
    """By all draws from the rest of the deck, for all masks of some hands."""
    hands = machine.hands.tolist()
    assert machine.ways.sum() == 42_504
    for place in range(0, len(hands), 301):
        rest = [card for card in range(28, 52) if card not in hands[place]]
        for mask in range(32):
            held = [card for i, card in enumerate(hands[place]) if mask >> i & 1]
            result = Counter(
                kind(tuple(sorted([*held, *drawn])))
                for drawn in combinations(rest, 5 - len(held))
            )
            counts = machine.draws[machine.after[place, mask]].tolist()
            assert dict(zip(POKER.HANDS, counts, strict=True)) == {
                name: result[name] for name in POKER.HANDS
            }


def best_of(machine: Any) -> Fraction:
    """Return the value, by what follows from what is held."""
    paid = machine.draws @ machine.pays
    return (
        sum(
            (
                ways
                * max(
                    Fraction(int(paid[i]), comb(19, 5 - POKER.SIZES[k]))
                    for k, i in enumerate(after)
                )
                for ways, after in zip(
                    machine.ways.tolist(), machine.after, strict=True
                )
            ),
            Fraction(0),
        )
        / 42_504
    )


def test_a_small_deck(machine: Any) -> None:
    solution = exact.solve(machine)
    assert solution.value == best_of(machine)
    floats = diagonal.solve(machine)
    assert abs(Fraction(floats.value) - solution.value) <= floats.error


def test_the_list() -> None:
    named = {
        "4c 4d 4h 4s Kc": "4c 4d 4h 4s",
        "Td Jd Qd Kd Ks": "Td Jd Qd Kd",
        "2c 2d 2h 9c 9d": "2c 2d 2h 9c 9d",
        "2c 3c 4c 5c 5d": "2c 3c 4c 5c",
        "Jc Jd 5c 5d 2s": "Jc Jd 5c 5d",
        "Jc Jd Qd Kd 2s": "Jc Jd",
        "2c 2d Td Qd Kd": "Td Qd Kd",
        "3c 3d 7c Tc Kc": "3c 7c Tc Kc",
        "4c 4d 5s 6c 7h": "4c 4d",
        "5c 6d 7s 8c Ah": "5c 6d 7s 8c",
        "2c Jd Qh Ks Ac": "Jd Qh",
        "2c 5d Js Qs Ah": "Js Qs",
        "Ac 3c 5c 9d Th": "Ac 3c 5c",
        "2c 7d Js Qh Ac": "Js Qh",
        "2c 6d 8h Ts Ks": "Ts Ks",
        "2c 5d 7h 9s Qc": "Qc",
        "2c 4d 6h 8s Tc": "",
    }
    hands, kept = (
        [
            sorted(
                "23456789TJQKA".index(c[0]) * 4 + "cdhs".index(c[1])
                for c in text.split()
            )
            for text in texts
        ]
        for texts in (named, named.values())
    )
    held = POKER.simple(SimpleNamespace(hands=np.array(hands, np.int8)))
    for hand, mask, keep in zip(hands, held, kept, strict=True):
        assert [card for i, card in enumerate(hand) if mask >> i & 1] == keep
