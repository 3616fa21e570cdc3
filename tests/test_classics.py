"""The scripts of the classics, held against plain recursions over a few moves."""

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from cardgames_dp import diagonal, exact, play

CLASSICS = Path(__file__).parents[1] / "examples" / "classics"


def loaded(name: str) -> Any:
    """Return a script as a module."""
    spec = spec_from_file_location(name, CLASSICS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
        return [(box, score, bonus) for box, score, _ in usual]
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


@pytest.mark.parametrize("rule", YAHTZEE.RULES)
@pytest.mark.parametrize(
    ("boxes", "enough"),
    [
        (("sixes", "full house", "yahtzee"), 63),
        (("aces", "three of a kind", "large straight"), 63),
        (("fives", "sixes"), 28),
    ],
)
def test_yahtzee(
    rule: str, boxes: tuple[str, ...], enough: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(YAHTZEE, "ENOUGH", enough)
    game = YAHTZEE.Solitaire(rule, boxes)
    assert abs(game.solve() - expected(rule, boxes, enough)) < 1e-10
    assert 0 < game.error < 1e-10


PIG = loaded("pig")


def iterated(after: Any, states: list[Any], ends: Any) -> dict[Any, float]:
    """Return values by plain value iteration.

    Parameters
    ----------
    after : callable
        The actions of a state: lists of (weight, sign, next state, what is paid).
    states : list
        All states, and `ends`, the values of those that are over.
    """
    ahead = {s: after(s) for s in states}
    values: dict[Any, float] = dict.fromkeys(states, 0.0) | ends
    while True:
        apart = 0.0
        for s in states:
            best = max(
                sum(w * (paid + sign * values[t]) for w, sign, t, paid in action)
                / sum(w for w, *_ in action)
                for action in ahead[s]
            )
            apart, values[s] = max(apart, abs(best - values[s])), best
        if apart < 1e-15:
            return values


def pig_value(goal: int, dice: int) -> float:
    """Return how often who begins wins, as the lead of the mover: a plain recursion."""
    rolls = Counter(map(tuple, product(range(1, 7), repeat=dice)))

    def after(state: Any) -> list[Any]:
        own, other, turn = state
        rolled: list[Any] = []
        for faces in rolls:
            if 1 in faces:
                kept = 0 if dice > 1 and set(faces) == {1} else own
                rolled.append((1, -1, (other, kept, 0), 0))
            elif own + turn + sum(faces) >= goal:
                rolled.append((1, 1, "won", 0))
            else:
                rolled.append((1, 1, (own, other, turn + sum(faces)), 0))
        return [rolled, [(1, -1, (other, own + turn, 0), 0)]] if turn else [rolled]

    every = product(range(goal), range(goal), range(goal))
    states = [s for s in every if s[0] + s[2] < goal]
    return (1 + iterated(after, states, {"won": 1.0})[0, 0, 0]) / 2


@pytest.mark.parametrize(("goal", "dice"), [(8, 1), (7, 2)])
def test_pig(goal: int, dice: int) -> None:
    solution = diagonal.solve(PIG.Pig(goal, dice))
    assert solution.value[0] == pytest.approx(pig_value(goal, dice), abs=1e-12)
    exactly = exact.solve(PIG.Pig(goal, dice))
    assert abs(Fraction(solution.value[0]) - exactly.value[0]) <= solution.error


@pytest.mark.parametrize("goal", [12])
def test_solitaire_pig(goal: int) -> None:
    def after(state: Any) -> list[Any]:
        score, turn = state
        rolled: list[Any] = [(1, 1, (score, 0), -1)]
        for face in range(2, 7):
            over = score + turn + face >= goal
            reached = "over" if over else (score, turn + face)
            rolled.append((1, 1, reached, -over))
        return [rolled, [(1, 1, (score + turn, 0), -1)]]

    every = product(range(goal), range(goal))
    states = [s for s in every if sum(s) < goal]
    solution = diagonal.solve(PIG.Solitaire(goal))
    turns = iterated(after, states, {"over": 0.0})[0, 0]
    assert solution.value[0] == pytest.approx(turns, abs=1e-12)


def test_holding_at_20_in_the_solitaire() -> None:
    """By turns that end with 20 to 25 points, or where the goal is reached."""

    def turns(needed: int) -> tuple[float, dict[int, float]]:
        chances, ends = defaultdict(float, {0: 1.0}), defaultdict[int, float](float)
        lost = 0.0
        for points in range(needed + 26):
            chance = chances.pop(points, 0.0)
            if points >= min(20, needed):
                ends[points] += chance
                continue
            lost += chance / 6
            for face in range(2, 7):
                chances[points + face] += chance / 6
        return lost, ends

    # T. Neller, "Hold-at-20 outcomes", Nifty Assignments 2010.
    lost, ends = turns(100)
    assert [round(x, 6) for x in (lost, ends[20], ends[25])] == [
        *(0.624541, 0.099713, 0.017173)
    ]
    expected = [0.0]
    for needed in range(1, 61):
        lost, ends = turns(needed)
        after = [p * expected[max(needed - k, 0)] for k, p in ends.items()]
        expected.append((1 + sum(after)) / (1 - lost))
    value = play.evaluate(PIG.Solitaire(60), PIG.hold_at_20)
    assert -value.value[0] == pytest.approx(expected[60], abs=1e-9)
    found = play.distribution(PIG.Solitaire(30), PIG.hold_at_20).returns[0]
    assert -found.mean == pytest.approx(expected[30], abs=1e-9)
    best = diagonal.solve(PIG.Solitaire(60))
    assert best.value[0] > value.value[0]


def test_pig_from_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["pig.py", "8"])
    PIG.main()
    told = capsys.readouterr().out
    assert float(told.split()[3].strip(",")) == pytest.approx(
        pig_value(8, 1), abs=1e-11
    )
    assert len(told.splitlines()) == 4
