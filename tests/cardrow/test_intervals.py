"""The values of intervals, from stacks that are split at fixed middles."""

import random

import pytest
from hypothesis import given, strategies as st

from cardgames_dp.cardrow._kernels import collapse
from cardgames_dp.cardrow._kernels.collapse import Intervals

from . import oracles


@given(
    cards=st.lists(st.integers(-9, 9) | st.integers(), min_size=1, max_size=70),
    ends=st.lists(st.tuples(st.integers(0, 69), st.integers(0, 69)), max_size=20),
)
def test_intervals(cards: list[int], ends: list[tuple[int, int]]) -> None:
    intervals = Intervals(cards)
    for end, other in ends:
        left, right = sorted((end % len(cards), other % len(cards)))
        assert intervals.value(left, right) == collapse.value(cards[left : right + 1])
        assert intervals.value(right + 1, right) == 0


@pytest.mark.slow
def test_intervals_of_small_rows() -> None:
    """All intervals of all short rows, by all games played to the end."""
    for cards in oracles.rows((-1, 0, 1), 6):
        intervals = Intervals(list(cards))
        for left in range(len(cards)):
            for right in range(left, len(cards)):
                expected = oracles.brute_force(cards[left : right + 1])
                assert intervals.value(left, right) == expected


def test_blocks_are_collapsed_once() -> None:
    """A line of play needs halves of halves; to and fro over a middle, nothing new."""
    n = 2**12
    rng = random.Random(1)
    intervals = Intervals([rng.randint(1, 13) for _ in range(n)])

    def collapsed() -> int:
        blocks = intervals._blocks.values()
        return sum(len(stacks.card) - 1 for block in blocks for stacks in block)

    for left in range(n // 2):
        intervals.value(left, n - 1)
    assert collapsed() == n
    intervals.value(n // 2, n - 1)
    for left in [n // 2 - 1, n // 2] * 5:
        intervals.value(left, n - 1)
    assert collapsed() == n + n // 2
    for left in range(n // 2, n):
        intervals.value(left, n - 1)
    assert collapsed() < 2 * n
    for left in range(n):  # and at last all there are
        intervals.value(left, min(left + 1, n - 1))
    assert collapsed() == n * 12


def test_stacks_are_short_on_random_rows() -> None:
    """Otherwise nothing would be saved; a row that rises has no peak to collapse."""
    rng = random.Random(1)
    for largest in (13, 10**6):
        intervals = Intervals([rng.randint(1, largest) for _ in range(2**14)])
        intervals.value(0, 2**14 - 1)
        for stacks in intervals._blocks[2**13]:
            assert max(len(stacks.outermost_first(i)) for i in range(2**13)) < 30
    rising = Intervals(list(range(64)))
    rising.value(0, 63)
    assert len(rising._blocks[32][1].outermost_first(32)) == 32
