"""Solitaire Yahtzee, held against a plain recursion over a few boxes."""

from collections import Counter
from functools import cache
from itertools import combinations, product

import pytest

from .scripts import loaded

YAHTZEE = loaded("yahtzee")
FACES = ("aces", "twos", "threes", "fours", "fives", "sixes")
FIXED = {"full house": 25, "small straight": 30, "large straight": 40}

Dice = tuple[int, ...]


def points(dice: Dice, box: str) -> int:
    """Return what sorted dice score in a box."""
    counts, text = sorted(Counter(dice).values()), "".join(map(str, sorted({*dice})))
    if box in FACES:
        face = FACES.index(box) + 1
        return face * dice.count(face)
    return {
        "three of a kind": sum(dice) * (counts[-1] >= 3),
        "four of a kind": sum(dice) * (counts[-1] >= 4),
        "full house": 25 * (counts == [2, 3]),
        "small straight": 30 * any(run in text for run in ("1234", "2345", "3456")),
        "large straight": 40 * (text in ("12345", "23456")),
        "yahtzee": 50 * (counts == [5]),
        "chance": sum(dice),
    }[box]


def choices(
    rule: str, left: frozenset[str], holds: bool, dice: Dice
) -> list[tuple[str, int, int]]:
    """Return the boxes that are allowed, with their points, and a bonus."""
    usual = [(box, points(dice, box), 0) for box in left]
    if len({*dice}) > 1 or "yahtzee" in left or rule == "none":
        return usual
    own, lower, bonus = FACES[dice[0] - 1], left - {*FACES}, 100 * holds
    jokers = [(box, FIXED.get(box, points(dice, box)), bonus) for box in lower]
    if rule == "forced":
        if own in left:
            return [(own, sum(dice), bonus)]
        return jokers or [(box, 0, bonus) for box in left]
    if rule == "original":
        return jokers or [(box, 0, bonus) for box in left]
    if own in left:
        allowed = {own} if rule == "paid" and holds else left
        return [(box, score, bonus) for box, score, _ in usual if box in allowed]
    return [*jokers, *[(box, 0, bonus) for box in left & {*FACES}]]


@cache
def throws(count: int) -> dict[Dice, int]:
    return Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=count))


@cache
def keeps(dice: Dice) -> frozenset[Dice]:
    return frozenset(kept for n in range(6) for kept in combinations(dice, n))


def expected(rule: str, boxes: tuple[str, ...], enough: int) -> float:
    """Return the expected points of the best play of a few boxes."""

    @cache
    def start(left: frozenset[str], holds: bool, upper: int) -> float:
        if not left:
            return 0.0

        @cache
        def rolled(dice: Dice, rolls: int) -> float:
            if rolls:
                return max(kept(some, rolls) for some in keeps(dice))
            return max(ends(*each) for each in choices(rule, left, holds, dice))

        def ends(box: str, score: int, bonus: int) -> float:
            after = min(upper + score * (box in FACES), enough)
            fifty = holds or (box == "yahtzee" and score == 50)
            now: float = score + bonus + 35 * (upper < enough == after)
            later: float = start(left - {box}, fifty, after)
            return now + later

        @cache
        def kept(some: Dice, rolls: int) -> float:
            total: float = sum(
                ways * rolled(tuple(sorted(some + more)), rolls - 1)
                for more, ways in throws(5 - len(some)).items()
            )
            return total / 6.0 ** (5 - len(some))

        return kept((), 3)

    return start(frozenset(boxes), False, 0)


@pytest.mark.parametrize(
    ("rule", "boxes", "enough"),
    [
        *((rule, ("sixes", "full house", "yahtzee"), 63) for rule in YAHTZEE.RULES),
        *((rule, ("aces", "large straight"), 63) for rule in YAHTZEE.RULES),
        ("none", ("three of a kind", "four of a kind", "small straight"), 63),
        ("none", ("fives", "sixes"), 28),
    ],
)
def test_yahtzee(
    rule: str, boxes: tuple[str, ...], enough: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(YAHTZEE, "ENOUGH", enough)
    game = YAHTZEE.Solitaire(rule, boxes)
    assert abs(game.solve() - expected(rule, boxes, enough)) < 1e-10
    assert 0 < game.error < 1e-10
