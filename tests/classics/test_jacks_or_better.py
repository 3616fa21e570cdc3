"""Video poker, held against brute force over all draws from a small deck."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from cardgames_dp import diagonal, exact, play

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


def worth(hand: tuple[int, ...], held: tuple[int, ...], lowest: int) -> Fraction:
    """Return what holding some cards of a hand brings on average."""
    rest = [card for card in range(lowest, 52) if card not in hand]
    paid = [
        POKER.PAYS[POKER.HANDS.index(kind(tuple(sorted(held + drawn))))]
        for drawn in combinations(rest, 5 - len(held))
    ]
    return Fraction(sum(paid), len(paid))


@pytest.mark.slow
def test_all_kinds_are_as_frequent_as_known() -> None:
    found = np.bincount(POKER.kinds(POKER.all_hands(13)), minlength=10)
    assert dict(zip(POKER.HANDS, found.tolist(), strict=True)) == {
        "royal flush": 4,
        "straight flush": 36,
        "four of a kind": 13 * 48,
        "full house": 13 * 4 * 12 * 6,
        "flush": 4 * 1287 - 40,
        "straight": 10 * 4**5 - 40,
        "three of a kind": 13 * 4 * 66 * 16,
        "two pairs": 78 * 36 * 44,
        "jacks or better": 4 * 6 * 220 * 64,
        "nothing": 2_598_960
        - 40
        - 624
        - 3744
        - 5108
        - 10_200
        - 54_912
        - 123_552
        - 337_920,
    }


def test_kinds_of_single_hands() -> None:
    hands = POKER.all_hands(6)[::97]
    names = [POKER.HANDS[each] for each in POKER.kinds(hands)]
    assert names == [kind(tuple(hand)) for hand in hands.tolist()]
    assert {"straight", "two pairs", "jacks or better", "full house"} <= set(names)


@pytest.mark.slow
def test_a_small_deck() -> None:
    machine = POKER.JacksOrBetter(ranks=4)
    assert machine.ways.sum() == 4368
    solution = exact.solve(machine)
    total = Fraction(0)
    for hand, ways in zip(machine.hands.tolist(), machine.ways.tolist(), strict=True):
        holds = [held for n in range(6) for held in combinations(hand, n)]
        total += ways * max(worth(tuple(hand), held, 36) for held in holds)
    assert solution.value == (total / 4368,)
    floats = diagonal.solve(machine)
    assert abs(Fraction(floats.value[0]) - solution.value[0]) <= floats.error


@pytest.fixture(scope="module")
def machine() -> Any:
    return POKER.JacksOrBetter()


@pytest.mark.slow
def test_the_machine(machine: Any) -> None:
    best = diagonal.solve(machine)
    # S. N. Ethier, J. J. Kim and J. Lee, arXiv:1602.04171: 134,459 hands, 1,153 values.
    assert len(machine.hands) == 134_459
    worths, common = POKER.worths(machine, best)
    assert len(np.unique(worths)) == 1153
    value = Fraction(int(worths @ machine.ways), common * 2_598_960)
    assert abs(Fraction(best.value[0]) - value) <= best.error
    # jazbo.com: 99.544 %; J. Grochowski (2012): a royal flush in 40,391 hands.
    assert round(100 * float(value), 3) == 99.544
    royal = best.explored.places(np.array([[POKER.DONE, 9]]))
    assert round(1 / play.distribution(best, best).reach[royal][0]) == 40_391


@pytest.mark.slow
def test_the_list(machine: Any) -> None:
    held = POKER.simple(machine)
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
        "2c 5d Js Qs Ah": "Js Qs",
        "Ac 3c 5c 9d Th": "Ac 3c 5c",
        "2c 7d Js Qh Ac": "Js Qh",
        "2c 6d 8h Ts Ks": "Ts Ks",
        "2c 5d 7h 9s Qc": "Qc",
        "2c 4d 6h 8s Tc": "",
    }
    classes = {tuple(hand): place for place, hand in enumerate(machine.hands.tolist())}
    for text, keep in named.items():
        hand, kept = (
            sorted("23456789TJQKA".index(c[0]) * 4 + "cdhs".index(c[1]) for c in part)
            for part in (text.split(), keep.split())
        )
        place, mapped = next(
            (classes[tuple(other)], suits)
            for suits in permutations_of_suits()
            if tuple(other := sorted(c // 4 * 4 + suits[c % 4] for c in hand))
            in classes
        )
        cards = machine.hands[place]
        chosen = [int(c) for i, c in enumerate(cards) if held[place] >> i & 1]
        assert chosen == sorted(c // 4 * 4 + mapped[c % 4] for c in kept), text


def permutations_of_suits() -> list[tuple[int, ...]]:
    return [
        (a, b, c, 6 - a - b - c)
        for a in range(4)
        for b in range(4)
        for c in range(4)
        if len({a, b, c}) == 3
    ]


@pytest.mark.slow
def test_from_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["jacks_or_better.py", "8", "5"])
    POKER.main()
    told = capsys.readouterr().out.splitlines()
    # The usual worse machine, which everybody quotes as 97.30 %.
    assert told[1].startswith("the best play returns 97.29")
    assert len(told) == 16
