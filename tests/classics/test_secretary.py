"""The secretary problem, held against formulas and all orders of a few candidates."""

from fractions import Fraction

import pytest

from cardgames_dp import diagonal, exact

from .scripts import loaded

SECRETARY = loaded("secretary")


def secretary(count: int = 100) -> Fraction:
    """Return the expected rank, below 0: back over the number of who have come."""
    rank = Fraction(count + 1, 2)
    for k in range(count - 1, 0, -1):
        some = int(rank * (k + 1) / (count + 1))  # ranks that are better than to go on
        total = Fraction(count + 1, k + 1) * (some * (some + 1) // 2)
        rank = (total + (k - some) * rank) / k
    return -rank


def chance(count: int, passed: int) -> Fraction:
    """Return how often the best is taken if some pass, and then the first best one."""
    if passed == 0:
        return Fraction(1, count)
    later = range(passed, count)
    return Fraction(passed, count) * sum(Fraction(1, k) for k in later)


@pytest.mark.parametrize("count", [1, 2, 7, 30])
def test_the_best(count: int) -> None:
    value = exact.solve(SECRETARY.Candidates(count)).value
    assert value == max(chance(count, passed) for passed in range(count))
    assert chance(count, SECRETARY.to_let_pass(count)) == value
    floats = diagonal.solve(SECRETARY.Candidates(count))
    assert abs(floats.value - float(value)) <= floats.error + 1e-16


@pytest.mark.parametrize("count", [1, 2, 7, 30])
def test_the_rank(count: int) -> None:
    solution = exact.solve(SECRETARY.Candidates(count, "rank"))
    assert solution.value == secretary(count)
