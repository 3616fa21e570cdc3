"""Bearing off, held against plain recursions over whole plays and published counts."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames_dp import diagonal, exact

from .scripts import loaded

BEAROFF = loaded("bearoff")
Men = tuple[int, ...]


def played(men: Men, die: int) -> set[Men]:
    """Return all positions after one die: the highest checker may use more pips."""
    if not any(men):
        return {men}
    highest = max(point for point in range(1, 7) if men[point - 1])
    result = set()
    for point in range(1, 7):
        if men[point - 1] and (point >= die or point == highest):
            after = list(men)
            after[point - 1] -= 1
            if point > die:
                after[point - die - 1] += 1
            result.add(tuple(after))
    return result


@cache
def after_roll(men: Men, first: int, second: int) -> frozenset[Men]:
    """Return all positions after a roll."""
    dice = [first] * 4 if first == second else [first, second]
    result: set[Men] = set()
    for order in {tuple(dice), tuple(dice[::-1])}:
        reached = {men}
        for die in order:
            reached = {last for each in reached for last in played(each, die)}
        result |= reached
    return frozenset(result)


ROLLS = [*product(range(1, 7), repeat=2)]


@cache
def fewest(men: Men) -> Fraction:
    """Return the least expected number of rolls."""
    if not any(men):
        return Fraction(0)
    best = [min(map(fewest, after_roll(men, *roll))) for roll in ROLLS]
    return 1 + sum(best) / Fraction(36)


@cache
def wins(mine: Men, other: Men) -> Fraction:
    """Return how often who rolls is off first."""
    if not any(other):
        return Fraction(0)
    best = [
        max(1 - wins(other, after) for after in after_roll(mine, *roll))
        for roll in ROLLS
    ]
    return sum(best, Fraction(0)) / 36


@pytest.mark.parametrize("solve", [exact.solve, diagonal.solve])
def test_the_fewest_rolls(solve: Any) -> None:
    solution = solve(BEAROFF.BearOff(3))
    men = BEAROFF.positions(3)
    assert len(men) == comb(9, 6)
    rolling = np.insert(men, 6, 0, axis=1)
    result, errors = -solution.values(rolling), solution.errors(rolling)
    for row, rolls, error in zip(men.tolist(), result, errors, strict=True):
        assert abs(fewest(tuple(row)) - Fraction(rolls)) <= error


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        ((1, 0, 0, 1, 0, 1), (0, 1, 0, 0, 1, 0)),
        ((0, 0, 2, 0, 0, 0), (1, 0, 0, 0, 0, 2)),
        ((8, 0, 0, 0, 0, 0), (6, 0, 0, 0, 0, 0)),
    ],
)
def test_a_race(mine: Men, other: Men) -> None:
    race = BEAROFF.Race([*mine], [*other])
    value = exact.solve(race).payoffs
    assert value == (wins(mine, other), 1 - wins(mine, other))
    floats = diagonal.solve(race)
    assert abs(Fraction(floats.value) - value[0]) <= floats.error


def test_published_chances_on_the_ace_point() -> None:
    """H. A. Peelle, "Backgammon Tools in J", Vector 24: one value, and a table."""
    assert round(float(wins((8, *[0] * 5), (6, *[0] * 5))), 6) == 0.301055
    for mine, other, told in ((3, 3, 0.86), (5, 5, 0.79), (9, 7, 0.33), (11, 11, 0.70)):
        result = wins((mine, *[0] * 5), (other, *[0] * 5))
        assert round(float(result), 2) == told


def sorted_positions(checkers: int) -> Any:
    men = BEAROFF.positions(checkers)
    return men[np.argsort(men @ BEAROFF.POINTS, kind="stable")]


def test_chances_of_numbers_of_rolls() -> None:
    solution, men = diagonal.solve(BEAROFF.BearOff(6)), sorted_positions(6)
    chances = BEAROFF.chances(solution, men)
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-13)
    rolls = -solution.values(np.insert(men, 6, 0, axis=1))
    assert chances @ np.arange(chances.shape[1]) == pytest.approx(rolls, abs=1e-12)
    (six,) = chances[(men == [6, 0, 0, 0, 0, 0]).all(axis=1)]
    # With doubles in one of two rolls, two are enough.
    assert six[:4] == pytest.approx([0, 0, 11 / 36, 25 / 36], abs=1e-15)
    (alone,) = chances[(men == [0, 0, 0, 0, 0, 1]).all(axis=1)]
    assert alone[:3] == pytest.approx([0, 27 / 36, 9 / 36], abs=1e-15)


def test_misers_with_three_checkers() -> None:
    result = {
        tuple(row)
        for row in BEAROFF.misers(diagonal.solve(BEAROFF.BearOff(3))).tolist()
    }
    expected = set()
    for row in BEAROFF.positions(3).tolist():
        for first, second in BEAROFF.PAIRS:
            every = after_roll(tuple(row), first, second)
            off = [fewest(men) for men in every if sum(men) < sum(row)]
            if off and sum(row) and min(off) > min(map(fewest, every)):
                expected.add((*row, BEAROFF.CODE[first, second]))
    assert result == expected


def written(
    path: Path, head: bytes, chances: Any, order: Any, *, gammons: bool
) -> None:
    """Write a database as GNU Backgammon does."""
    index, numbers = b"", list[int]()
    for place in np.argsort(order).tolist():
        units = np.round(chances[place] * 65535).astype(int)
        (some,) = np.nonzero(units)
        first, size = int(some[0]), int(some[-1] - some[0]) + 1
        entry = [len(numbers).to_bytes(4, "little"), bytes([size, first])]
        index += b"".join(entry) + bytes([1, 5] if gammons else [])
        numbers += units[first : first + size].tolist()
        numbers += [65535] if gammons else []
    text = np.array(numbers, dtype="<u2").tobytes()
    path.write_bytes(head.ljust(40, b"\0") + index + text)


@pytest.mark.parametrize("gammons", [True, False])
def test_a_database(tmp_path: Path, gammons: bool) -> None:
    men = sorted_positions(4)
    chances = BEAROFF.chances(diagonal.solve(BEAROFF.BearOff(4)), men)
    order = BEAROFF.ranked(men)
    assert sorted(order) == [*range(len(men))]
    told = {(1, *[0] * 5): 1, (*[0] * 5, 1): 6, (2, *[0] * 5): 7, (1, 1, *[0] * 4): 8}
    for position, number in told.items():  # J. Thyssen on the mailing list, 2002
        assert BEAROFF.ranked(np.array([position])).tolist() == [number]
    head = b"gnubg-OS-06-04-%d-1-0" % gammons
    written(tmp_path / "os.bd", head, chances, order, gammons=gammons)
    result = BEAROFF.database(tmp_path / "os.bd")
    assert result.shape == (len(men), 32)
    assert np.abs(result[order][:, : chances.shape[1]] - chances).max() < 1 / 65535
    assert not result[:, chances.shape[1] :].any()
