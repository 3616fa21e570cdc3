"""Blocks of stairs against stairs one by one, and samples against all cells."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardgames_dp.redblack._kernels import large_decks as guess
from cardgames_dp.redblack._kernels.staircase import stairs, walks
from cardgames_dp.redblack._kernels.staircase.climb import Staircase
from cardgames_dp.redblack._kernels.staircase.stairs import (
    Block,
    Passage,
    Stair,
    stride_at,
)
from cardgames_dp.redblack._kernels.staircase.walks import surviving, walk, walk_free

STAIRCASE = "cardgames_dp.redblack._kernels.staircase"

CARDS = 400_000


def climbed(excess: int) -> Staircase:
    """A climb that has come to an excess or further, not to all cells."""
    staircase = Staircase(CARDS, CARDS)
    while staircase.excess < excess:
        staircase.climb(2 * CARDS)
    return staircase


@pytest.fixture(scope="module")
def by_stairs() -> Staircase:
    """One stair at a time, up to excess 300."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"{STAIRCASE}.climb._FIRST", 10**9)
        return climbed(300)


@pytest.fixture(scope="module")
def passage() -> tuple[Staircase, Passage]:
    """A climb that is sampled at every third cell, and the block that comes next."""
    staircase = climbed(300)
    begin, excess = staircase.level, staircase.excess
    ahead = Block.of(begin, excess, 2 * CARDS, staircase.stride, staircase.numbers)
    assert ahead is not None
    near = ahead.window(2 * ahead.reach)
    window = staircase.cells[: near // ahead.stride]
    return staircase, Passage.of(window, ahead, ahead.rise(near, None, float))


def test_samples_are_cells(by_stairs: Staircase) -> None:
    """In the middle of a stair, at a stride of three, after five blocks."""
    staircase = climbed(300)
    assert staircase.stride == 3
    assert staircase.levels[:300] == by_stairs.levels[:300]
    while by_stairs.excess < staircase.excess:
        by_stairs._pass(
            Stair.of(by_stairs.cells, by_stairs.level, by_stairs.excess + 1)
        )
    cells = walk(by_stairs.cells, staircase.level - by_stairs.level)[1::3]
    count = min(len(cells), len(staircase.cells)) - 100
    assert count > 100
    scale = np.abs(cells).max()
    np.testing.assert_allclose(
        staircase.cells[:count], cells[:count], rtol=0, atol=1e-13 * scale
    )


def test_a_passage_is_its_stairs(passage: tuple[Staircase, Passage]) -> None:
    """Thresholds and what drawing is worth there, as each stair by itself has them."""
    _, way = passage
    at_top, above, risk = way.advantages()
    assert len(at_top) == way.block.stairs > 15
    for i in (0, 1, 7, way.block.stairs - 1):
        stair = way.stair(i)
        assert (stair.top, stair.excess) == (way.tops[i], way.block.excess + 1 + i)
        assert stair.top - 1 - stair.begin == way.walks[i]
        scale = 1e-12 * stair.excess * stair.pmf
        assert risk[i] == pytest.approx(stair.pmf, rel=1e-14)
        assert at_top[i] == pytest.approx(stair.advantage(stair.top), abs=scale)
        assert above[i] == pytest.approx(stair.advantage(stair.top + 2), abs=scale)
        assert stair.advantage(stair.top - 2) < at_top[i] <= 0 < above[i]
        assert stair.advantage(stair.top + 4) > above[i]
        assert not stair.whole


def test_norms_of_a_passage(passage: tuple[Staircase, Passage]) -> None:
    _, way = passage
    norms = way.norms(way.slopes)
    for i in (0, 3, way.block.stairs):
        cells = way._samples(way.slopes[i], way.pairs[i], 1)
        assert norms[i] == pytest.approx(np.linalg.norm(cells), rel=1e-8)
    assert norms[-1] > norms[0]


@given(excess=st.integers(1, 10**7), survival=st.sampled_from([44.0, 53.0]))
def test_samples_are_denser_than_waves(excess: int, survival: float) -> None:
    """Waves slower than the samples are all that survives half a stair."""
    stride = stride_at(excess, survival)
    half = (guess.level(excess + 1) - guess.level(excess)) // 4 * 2
    cells = 45 * 16 * stride
    if stride > 1:
        assert surviving(cells, half - 6, survival) <= cells // stride
        assert surviving(3 * cells, half, survival) > cells // stride


@given(
    excess=st.integers(80, 20_000),
    levels=st.integers(0, 300_000),
    whole=st.booleans(),
)
def test_a_block_ends_in_the_middle_of_a_stair(
    excess: int, levels: int, whole: bool
) -> None:
    numbers, begin = walks.DOUBLE, guess.level(excess)
    n = begin + levels
    stride = 1 if whole else stride_at(excess, numbers.survival)
    result = Block.of(begin, excess, n, stride, numbers)
    if result is None:
        assert guess.level(excess + stairs.FEWEST + 1) + 2 >= n
        return
    last = excess + result.stairs
    assert result.guesses == [guess.level(k) for k in range(excess + 1, last + 1)]
    assert guess.level(last) < result.end < guess.level(last + 1) < n
    assert (result.end - guess.level(last)) % 2 == 0
    assert result.window(1000) % (45 * stride) == 0
    assert result.window(1000) % result.to == 0
    assert 9 * np.sqrt(result.end - begin) / 2 < result.reach
    # Where all cells are not given, there is room for another block.
    if result.to > 1:
        assert Block.of(result.end, last, n, result.to, numbers) is not None


@given(
    steps=st.integers(1000, 3000),
    rise=st.integers(0, 20),
    strides=st.sampled_from([(1, 1), (1, 3), (3, 1), (3, 5), (5, 5)]),
)
def test_a_walk_without_a_barrier(
    steps: int, rise: int, strides: tuple[int, int]
) -> None:
    """Of a smooth hill in all cells, by its samples."""
    stride, to = strides
    steps += (steps - rise) % 2
    depths = 2.0 * np.arange(2025) + 1

    def hill(depth: np.ndarray, width: float) -> np.ndarray:
        left: np.ndarray = np.exp(-((depth - 2000.0) ** 2) / (2 * width)) / width**0.5
        return left

    result = walk_free(
        hill(depths, 30_000.0)[stride // 2 :: stride], stride, steps, rise, to
    )
    # A walk widens a hill by its steps, in the limit, and the depths grow by the rise.
    expected = hill(depths[to // 2 :: to] - rise, 30_000.0 + steps)
    np.testing.assert_allclose(result, expected, atol=3e-8)
    cells = hill(depths, 30_000.0)
    if rise == 0:
        exact = walk(cells, steps)[to // 2 :: to]
        np.testing.assert_allclose(result, exact, atol=1e-15)


def test_a_threshold_off_its_guess_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = climbed(400).levels
    level = guess.level
    for shift in (-2, 2):
        monkeypatch.setattr(
            guess, "level", lambda k, by=shift: level(k) + by * (k in (200, 201, 330))
        )
        assert climbed(400).levels == right
