"""A block of stairs, climbed among the waves of the cells next to the barrier."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import scipy  # its parts are loaded when they are used

from cardgames_dp import _boundary_law as guess
from cardgames_dp.redblack._kernels.staircase import arithmetic
from cardgames_dp.redblack._kernels.staircase.arithmetic import Arithmetic, Reals
from cardgames_dp.redblack._kernels.staircase.pmf import pmf_at
from cardgames_dp.redblack._kernels.staircase.rise import Rise, nodes_needed
from cardgames_dp.redblack._kernels.staircase.stair import DOUBT, Stair
from cardgames_dp.redblack._kernels.staircase.walk import (
    Waves,
    good_length,
    surviving,
)

FEWEST = 4
"""Stairs of a block; fewer are climbed one by one."""

_STAIRS, _GROWTH = 4.4, 0.25
"""A block that begins at excess k has ``4.4 k**0.25`` stairs: 13 at 80, 44 at 10,000.

The time of a stair's products grows as the square of the number of waves, which is
proportional to the number of stairs. The time of a block's transforms, per stair, grows
as the number of samples, about ``sqrt(k)``, divided by the number of stairs.
"""

OFF = 2
"""Levels by which thresholds of a block may differ from their predictions."""

_SAMPLES = 45
"""The length of a window is a multiple of this many samples, at both strides."""


def _strides() -> Iterator[int]:
    """Yield 1, 3, 5, 9, 15, 27, 45, ...: odd, and the next divides 45 times the last.

    At an odd stride the samples, at the depths ``stride (2 i + 1)``, are where a sine
    transform has its points, as all cells are.
    """
    yield 1
    power = 3
    while True:
        yield power
        yield power // 3 * 5
        power *= 3


def _half_stair(excess: int) -> int:
    """Return about half the levels of the stair above a threshold, an even number."""
    return (guess.level(excess + 1) - guess.level(excess)) // 4 * 2


def stride_at(excess: int, survival: float) -> int:
    """Return the largest distance of samples in the middle of a stair.

    All waves that survive half of the stair are then resolved by the samples.
    """
    steps = _half_stair(excess) - 3 * OFF
    most, found = math.pi / 2 * math.sqrt(max(steps, 0) / (2 * survival)), 1
    for stride in _strides():
        if stride > most:
            break
        found = stride
    return found


def _up(number: int, unit: int) -> int:
    """Return the next multiple of a unit."""
    return -(-number // unit) * unit


def _asked(steps: int) -> int:
    """Return the number of steps after which a walk can be evaluated."""
    return steps - steps // 8


class Block(NamedTuple):
    """Stairs to be climbed at once, from the middle of one to the middle of another.

    Attributes
    ----------
    begin, end : int
        Levels; between them there are all thresholds of the block, and no other.
    excess : int
        The k of the last threshold at or below `begin`.
    guesses : list of int
        The predicted thresholds.
    stride, to : int
        The cells are sampled at this stride at the beginning, and at the other one in
        the end.
    unit : int
        The length of a window must be a multiple of this number of cells.
    reach : int
        Cells that the walk of the whole block reaches, with some samples to spare.
    """

    begin: int
    end: int
    excess: int
    guesses: list[int]
    stride: int
    to: int
    unit: int
    reach: int

    @classmethod
    def of(
        cls, begin: int, excess: int, n: int, stride: int, numbers: Arithmetic
    ) -> Block | None:
        """Return the next block, or None if level n is too near.

        Some thresholds below n are left; if they are few, the block ends with all
        cells.
        """
        guesses: list[int] = []
        most = int(_STAIRS * excess**_GROWTH)
        following = guess.level(excess + 1)
        while len(guesses) < most + FEWEST:
            top, following = following, guess.level(excess + len(guesses) + 2)
            if following + OFF >= n:
                break
            guesses.append(top)
        more = len(guesses) - most
        del guesses[most:]
        if len(guesses) < FEWEST:
            return None
        last = excess + len(guesses)
        end = guesses[-1] + _half_stair(last)
        to = stride_at(last, numbers.survival) if more == FEWEST else 1
        fitting = max(stride_at(excess, numbers.survival), stride)
        walked = numbers.deviations * math.sqrt(end - begin + 2 * OFF) / 2
        reach = math.ceil(walked) + len(guesses) // 2 + 2 * max(fitting, to)
        unit = _SAMPLES * fitting
        return cls(begin, end, excess, guesses, stride, to, unit, reach)

    @property
    def stairs(self) -> int:
        """The number of thresholds."""
        return len(self.guesses)

    def window(self, cells: int) -> int:
        """Return the next possible length of a window, at least this many cells."""
        return self.unit * good_length(_up(cells, self.unit) // self.unit)

    def rise(self, cells: int, known: Rise | None, real: type[Any]) -> Rise:
        """Return the matrices for a window: the known ones if they fit."""
        numbers = arithmetic.of(real)
        shortest = min(self.guesses[0] - self.begin, self.end - self.guesses[-1])
        # The thresholds may be elsewhere, and a walk ends one step before the next.
        steps = max(shortest - 3 * OFF, 1)
        waves = surviving(cells, _asked(steps), numbers.survival)
        pairs = min(_up(waves // 2 + 1, 16), (cells - 1) // 2)
        part = numbers.unit_roundoff / 4
        nodes = _up(nodes_needed(self.guesses[0], self.excess, cells, part), 4)
        if known is not None and known.is_of(cells, pairs, nodes):
            return known
        return Rise.of(cells, pairs, nodes, real)


class Passage(NamedTuple):
    """The waves of a window on their way through a block.

    Attributes
    ----------
    block : Block
    rise : Rise
    tops : ndarray of int64
        The thresholds.
    walks : ndarray of int64
        Steps from `begin` to below the first threshold, from there to below the next
        one, ..., and from the last to the end.
    pairs : list of int
        Of waves that survive each walk.
    slopes, before : ndarray, shape (stairs + 1, 2, pairs)
        At the beginning of each walk, and at its end.
    coefficients : ndarray, shape (stairs, nodes)
        Of P at the thresholds, in Chebyshev's polynomials.
    """

    block: Block
    rise: Rise
    tops: Any
    walks: Any
    pairs: list[int]
    slopes: Reals
    before: Reals
    coefficients: Reals

    @classmethod
    def of(cls, samples: Reals, block: Block, rise: Rise) -> Passage:
        """Return the passage of some samples up the block, and find its thresholds."""
        amplitudes = scipy.fft.dst(samples, 2) / len(samples)
        tops = np.array(block.guesses)
        while True:
            passage = cls._climbed(amplitudes, block, rise, tops)
            wrong = passage._wrong()
            if not wrong.any():
                return passage
            first = int(np.flatnonzero(wrong)[0])
            tops[first] += 2 * wrong[first]
            if abs(tops[first] - block.guesses[first]) > OFF:
                raise ArithmeticError(
                    f"a threshold between excess {block.excess} and "
                    f"{block.excess + block.stairs} is not where it was expected; the "
                    "windows may have been too narrow for it"
                )

    @classmethod
    def _climbed(
        cls, amplitudes: Reals, block: Block, rise: Rise, tops: Any
    ) -> Passage:
        numbers, count = arithmetic.of(amplitudes.dtype), len(tops)
        walks = np.append(tops - 1, block.end) - np.append(block.begin, tops)
        known = rise.losses.shape[1]
        pairs = [
            min(surviving(rise.cells, _asked(steps), numbers.survival) // 2 + 1, known)
            for steps in walks.tolist()
        ]
        pairs[0] = min(pairs[0], len(amplitudes) // 2)
        most = max(pairs)
        halves = (walks / amplitudes.dtype.type(2))[:, None, None]
        decays = np.exp(rise.log_cosines[:, :most] * halves)
        excesses = block.excess + 1 + np.arange(count)
        coefficients, lost = rise.of_pmf(tops, excesses)
        slopes, before = np.zeros((2, count + 1, 2, most), dtype=amplitudes.dtype)
        first = amplitudes[: 2 * pairs[0]].reshape(-1, 2).T
        slopes[0, :, : pairs[0]] = first / np.sqrt(rise.losses[:, : pairs[0]])
        for i, (here, after) in enumerate(zip(pairs, [*pairs[1:], 0], strict=True)):
            ended = before[i, :, :here]
            np.multiply(slopes[i, :, :here], decays[i, :, :here], out=ended)
            if after:
                risen = slopes[i + 1, :, :after]
                np.subtract(rise.risen(ended, after), lost[i, :, :after], out=risen)
        return cls(block, rise, tops, walks, pairs, slopes, before, coefficients)

    def advantages(self) -> tuple[Reals, Reals, Reals]:
        """Return for each stair what `Stair.advantage` is at its top, and two above.

        And P at the tops.
        """
        stairs, most = len(self.tops), self.before.shape[2]
        losses = self.rise.losses[:, :most].ravel()
        below = self.before[:-1].reshape(stairs, -1)
        first = below @ losses
        second = first - below @ (losses * losses)
        tops = self.tops.astype(below.dtype)
        excess = self.block.excess + 1 + np.arange(stairs, dtype=below.dtype)
        risk = pmf_at(tops, excess)
        at_top = first + risk * ((tops - excess) / tops)
        above = second + risk * ((tops + 1) / (tops + 2 + excess))
        return at_top, above, risk

    def _wrong(self) -> Any:
        """Return 1 or -1 where a threshold is clearly higher or lower, 0 elsewhere."""
        at_top, above, risk = self.advantages()
        unit = arithmetic.of(risk.dtype).unit_roundoff
        excess = self.block.excess + 1 + np.arange(len(risk))
        doubt = DOUBT * unit * excess * risk
        return np.where(at_top > doubt, -1, np.where(above < -doubt, 1, 0))

    def norms(self, slopes: Reals) -> Any:
        """Return the norms of the cells of a window, given its slopes, or more."""
        squares = slopes * slopes * self.rise.losses[:, : slopes.shape[2]]
        of_cells = squares.sum(axis=(1, 2)) * (self.rise.cells / 2)
        return np.sqrt(of_cells.astype(np.float64)) * (1 + 1e-9)

    def sampled(self, to: int) -> Reals:
        """Return the cells at the end, of a stride."""
        return self._samples(self.before[-1], self.pairs[-1], to)

    def _samples(self, slopes: Reals, pairs: int, to: int) -> Reals:
        size = self.rise.cells // to
        count = min(pairs, size // 2)
        spectrum = np.zeros(size, dtype=slopes.dtype)
        heights = slopes[:, :count] * np.sqrt(self.rise.losses[:, :count]) * size
        spectrum[: 2 * count] = heights.T.ravel()
        result: Reals = scipy.fft.idst(spectrum, 2, overwrite_x=True)
        return result

    def stair(self, i: int) -> Stair:
        """Return a single stair of the block."""
        pairs, stride = self.pairs[i], self.block.unit // _SAMPLES
        window = self._samples(self.slopes[i], pairs, stride)
        losses = self.rise.losses[:, :pairs].T.ravel()
        decays = self.rise.log_cosines[:, :pairs].T.ravel()
        sines, scale = np.sqrt(losses), len(window)
        amplitudes, before = (
            slopes[i, :, :pairs].T.ravel() * sines * scale
            for slopes in (self.slopes, self.before)
        )
        steps, top, excess = (
            int(self.walks[i]),
            int(self.tops[i]),
            self.block.excess + 1 + i,
        )
        waves = Waves(amplitudes, sines, losses, decays, window, _asked(steps), stride)
        probability = pmf_at(
            np.array([top], dtype=window.dtype), np.array([excess], dtype=window.dtype)
        )[0]
        begin = top - 1 - steps
        return Stair(waves, begin, excess, top, probability, before, whole=False)
