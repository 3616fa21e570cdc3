r"""Stairs of the boundary: one by one, and in blocks, climbed among the waves.

A `Stair` is a fixed barrier, and the level at which it rises. A `Block` has many, which
are climbed among the waves of the cells next to the barrier: a `Rise` of the barrier
changes these in closed form.

Below a barrier let the cells be a sum of waves ``c_j sin(theta_j h)`` at the level
under a threshold, h the depth below the barrier and ``theta_j = pi j / 2 N``. At the
threshold the walk makes one step, the barrier rises by one, and what is below is a sum
of waves again: with ``h = 2 x + 1`` below the new barrier wave i has become
``cos(theta_i) sin(2 x theta_i)``, whose part in wave j is, the sums being geometric,

.. math:: \cos^2 \theta_i \, \delta_{ij} - \frac2N \,
   \frac{\sin \theta_i \cos^2 \theta_i \sin \theta_j}{\sin^2 \theta_j - \sin^2 \theta_i}
   \quad (i + j \text{ odd}).

Odd waves become even ones and even waves odd ones: two matrices of half the size. The
slopes ``b_j = c_j / sin(theta_j)`` are stored, odd waves in one row and even waves in
another, because then the matrices need no scaling.

At the threshold one row of P, the law of a free walk, is subtracted from the cells. The
row is so smooth that a polynomial through some twenty points replaces it; the waves of
Chebyshev's polynomials are computed beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np
import scipy  # its parts are loaded when they are used
from numpy.polynomial.chebyshev import chebvander

from cardgames_dp.redblack._kernels import large_decks as guess
from cardgames_dp.redblack._kernels.staircase import walks
from cardgames_dp.redblack._kernels.staircase.walks import Arithmetic, Reals, Waves

DOUBT = 90
"""Roundings of what is at risk, times the excess: ten times the errors observed."""


@dataclass(frozen=True, slots=True)
class Stair:
    """The levels above a threshold, at which the player stops from one excess on.

    `waves` are those of the cells at the level `begin`, for the barrier at `excess`,
    and `before` their amplitudes at the level below the `top`, the threshold n_k. `pmf`
    is P(top, excess), in the arithmetic of the cells. If the stair begins further up,
    or if its fastest waves were dropped, it is not `whole`: its lowest levels are not
    known.
    """

    waves: Waves
    begin: int
    excess: int
    top: int
    pmf: Any
    before: Reals
    whole: bool = True

    @classmethod
    def of(cls, cells: Reals, begin: int, excess: int, *, whole: bool = True) -> Stair:
        """Return the stair that begins with these cells, and find its top."""
        top = guess.level(excess)
        waves = Waves.of(cells, max((top - begin) // 8 * 6, 2))
        numbers = walks.arithmetic_of(cells.dtype)
        doubt = DOUBT * numbers.unit_roundoff * excess
        # The guess stands unless it is clearly wrong.
        while True:
            if top - 1 - begin < waves.fewest_steps:
                waves = Waves.of(cells, 2)
            before = waves.after(top - 1 - begin)
            at_top = walks.pmf(top, excess, numbers.real)
            stair = cls(waves, begin, excess, top, at_top, before, whole)
            if top > begin + 3 and stair.advantage(top) > doubt * stair.pmf:
                top -= 2
            elif stair.advantage(top + 2) < -doubt * stair.pmf:
                top += 2
            else:
                return stair

    def with_all_waves(self) -> Stair:
        """Return the stair with all waves, for questions at its lowest levels."""
        waves = Waves.of(self.waves.window, 2)
        return replace(self, waves=waves, before=waves.after(self.top - 1 - self.begin))

    def at_risk(self, n: int) -> Any:
        """Return P(n - 1, excess + 1), half of which is what a drawing player risks."""
        if n == self.top:
            return self.pmf * (n - self.excess) / n
        if n == self.top + 2:
            return self.pmf * (n - 1) / (n + self.excess)
        return walks.pmf(n - 1, self.excess + 1, type(self.pmf))

    def advantage(self, n: int) -> Any:
        """Return by how much drawing with n cards leads stopping, times 2 P(n, .).

        A draw leads above the barrier, where the total is one higher, or below it,
        where D is the difference.
        """
        if n == self.top:
            waves = self.before
        elif n == self.top + 2:
            waves = self.before - self.before * self.waves.losses
        else:
            waves = self.waves.after(n - 1 - self.begin)
        return self.waves.first(waves) + self.at_risk(n)

    def end(self) -> Reals:
        """Return the cells at the top, for the barrier one higher."""
        cells = walks.step(self.waves.cells(self.before))
        cells -= walks.pmf_below(self.top, self.excess, self.pmf, len(cells))
        return cells


class Rise(NamedTuple):
    """The waves of a window of N cells, in pairs: arrays of shape (2, pairs).

    `losses` are ``sin(theta_j)**2``, j = 1, 3, 5, ... and 2, 4, 6, ..., and
    `log_cosines` ``log(cos(theta_j)**2)``. `coupling`, of shape (2, pairs, pairs): the
    matrices from even to odd slopes, and from odd to even ones. `places`: Chebyshev's
    points, as places of cells counted from the barrier, not whole numbers; `weights`:
    the matrix from values there to coefficients of Chebyshev's polynomials; `basis`, of
    shape (nodes, 2, pairs): the slopes of the polynomials.
    """

    cells: int
    losses: Reals
    log_cosines: Reals
    coupling: Reals
    places: Reals
    weights: Reals
    basis: Reals

    @classmethod
    def of(cls, cells: int, pairs: int, nodes: int, real: type[Any]) -> Rise:
        """Return the slowest waves of a window, and of P at this many nodes."""
        number = np.dtype(real).type
        unit = number(walks.PI) / (2 * cells)
        waves = np.arange(1, 2 * pairs + 1).reshape(pairs, 2).T
        # sin(j pi / 2 N), j from -2 pairs on: each serves many waves, sums, differences
        table = np.sin(np.arange(-2 * pairs, 4 * pairs) * unit)
        sines = table[waves + 2 * pairs]
        losses = sines * sines
        odd, even = waves[0][:, None] + 2 * pairs, waves[1]
        differences = table[odd - even] * table[odd + even]
        taken = losses * (1 - losses) * (number(2) / cells)
        to_odd, to_even = -taken[1] / differences, taken[0][:, None] / differences
        coupling = np.stack([to_odd, to_even.T])
        # Of the polynomials, in the cells.
        degrees, middle = np.arange(nodes), number(cells - 1) / 2
        angles = (2 * degrees + 1) * (number(walks.PI) / (2 * nodes))
        weights = np.cos(angles[:, None] * degrees) * (number(2) / nodes)
        weights[:, 0] /= 2
        rows = chebvander((np.arange(cells) - middle) / middle, nodes - 1).T
        spectra = scipy.fft.dst(rows, 2, overwrite_x=True)[:, : 2 * pairs] / cells
        basis = spectra.reshape(nodes, pairs, 2).transpose(0, 2, 1) / sines
        places = middle + middle * np.cos(angles)
        decays = np.log1p(-losses)
        return cls(cells, losses, decays, coupling, places, weights, basis)

    def is_of(self, cells: int, pairs: int, nodes: int) -> bool:
        """Return whether it belongs to this window, with as many waves and nodes."""
        return (cells, nodes, 2, pairs) == (self.cells, *self.basis.shape)

    def of_pmf(self, tops: Any, excesses: Any) -> tuple[Reals, Reals]:
        """Return P at some levels, from an excess down: coefficients and slopes."""
        levels = tops[:, None].astype(self.places.dtype)
        at_places = walks.pmf_at(levels, excesses[:, None] - 2 * self.places)
        coefficients: Reals = at_places @ self.weights
        slopes = coefficients @ self.basis.reshape(len(self.basis), -1)
        return coefficients, slopes.reshape(len(tops), 2, -1)

    def after_rise(self, slopes: Reals, pairs: int) -> Reals:
        """Return the slopes after a step and a rise, of this many pairs, but for P."""
        given = slopes.shape[1]
        matrices = self.coupling[:, :pairs, :given]
        result: Reals = np.matmul(matrices, slopes[::-1, :, None])[:, :, 0]
        shared = min(pairs, given)
        own = slopes[:, :shared]
        result[:, :shared] += own - own * self.losses[:, :shared]
        return result


def nodes_needed(n: int, highest: int, cells: int, part: float) -> int:
    """Return how many nodes give P(n, highest - 2 x), x < cells, to a part of P(n, 0).

    On the ellipse about the window with half axes L (rho +- 1 / rho) / 2, L its half
    length, P is at most ``P(n, 0) exp(y**2 n / 2 (n**2 - s**2))``, y and s the largest
    imaginary and real part. `docs/appendix/methods.rst` proves that and what follows.
    """
    half = float(cells - 1)
    rho = 1.2 ** np.arange(2.0, 40.0)
    imaginary = half * (rho - 1 / rho) / 2
    real = abs(highest - half) + half * (rho + 1 / rho) / 2
    inside = real < 0.9 * n
    rho, imaginary, real = rho[inside], imaginary[inside], real[inside]
    largest = imaginary**2 * n / (2 * (n - real) * (n + real))
    logarithm = math.log(4 / part) + largest - np.log(rho - 1)
    return max(1 + math.ceil(float((logarithm / np.log(rho)).min())), 2)


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
    most = math.pi / 2 * math.sqrt(max(steps, 0) / (2 * survival))
    return [1, *takewhile(lambda stride: stride <= most, _strides())][-1]


def _up(number: int, unit: int) -> int:
    """Return the next multiple of a unit."""
    return -(-number // unit) * unit


def _least_steps(steps: int) -> int:
    """Return the number of steps after which a walk can be evaluated."""
    return steps - steps // 8


class Block(NamedTuple):
    """Stairs to be climbed at once, from the middle of one to the middle of another.

    Between the levels `begin` and `end` there are all thresholds of the block, which
    `guesses` predicts, and no other. `excess`: the k of the last threshold at or below
    the beginning. The cells are sampled at a `stride` at the beginning, and `to`
    another one in the end. The length of a window is a multiple of `unit`. `reach`:
    cells that the walk of the whole block reaches, with some samples to spare.
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

        If few thresholds below n are left, the block ends with all cells.
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
        width = numbers.deviations * math.sqrt(end - begin + 2 * OFF) / 2
        reach = math.ceil(width) + len(guesses) // 2 + 2 * max(fitting, to)
        unit = _SAMPLES * fitting
        return cls(begin, end, excess, guesses, stride, to, unit, reach)

    @property
    def stairs(self) -> int:
        """The number of thresholds."""
        return len(self.guesses)

    def window(self, cells: int) -> int:
        """Return the next possible length of a window, at least this many cells."""
        return self.unit * walks.good_length(_up(cells, self.unit) // self.unit)

    def rise(self, cells: int, last: Rise | None, real: type[Any]) -> Rise:
        """Return the matrices for a window: the known ones if they fit."""
        numbers = walks.arithmetic_of(real)
        shortest = min(self.guesses[0] - self.begin, self.end - self.guesses[-1])
        # The thresholds may be elsewhere, and a walk ends one step before the next.
        steps = max(shortest - 3 * OFF, 1)
        waves = walks.surviving(cells, _least_steps(steps), numbers.survival)
        pairs = min(_up(waves // 2 + 1, 16), (cells - 1) // 2)
        part = numbers.unit_roundoff / 4
        nodes = _up(nodes_needed(self.guesses[0], self.excess, cells, part), 4)
        if last is not None and last.is_of(cells, pairs, nodes):
            return last
        return Rise.of(cells, pairs, nodes, real)


class Passage(NamedTuple):
    """The waves of a window on their way through a block.

    `tops` are the thresholds; `walks` the steps from the beginning to below the first
    one, from there to below the next one, ..., and from the last to the end; as many
    `pairs` of waves survive each. `slopes` and `before`, of shape (stairs + 1, 2,
    pairs), are those at the beginning of each walk, and at its end; `coefficients`, of
    shape (stairs, nodes), those of P at the thresholds, in Chebyshev's polynomials.
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
            passage = cls._after_block(amplitudes, block, rise, tops)
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
    def _after_block(
        cls, amplitudes: Reals, block: Block, rise: Rise, tops: Any
    ) -> Passage:
        numbers, count = walks.arithmetic_of(amplitudes.dtype), len(tops)
        lengths = np.append(tops - 1, block.end) - np.append(block.begin, tops)
        available = rise.losses.shape[1]
        alive = [
            walks.surviving(rise.cells, _least_steps(steps), numbers.survival)
            for steps in lengths.tolist()
        ]
        pairs = [min(waves // 2 + 1, available) for waves in alive]
        pairs[0] = min(pairs[0], len(amplitudes) // 2)
        most = max(pairs)
        halves = (lengths / amplitudes.dtype.type(2))[:, None, None]
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
                np.subtract(
                    rise.after_rise(ended, after), lost[i, :, :after], out=risen
                )
        return cls(block, rise, tops, lengths, pairs, slopes, before, coefficients)

    def advantages(self) -> tuple[Reals, Reals, Reals]:
        """Return `Stair.advantage` at tops and two above, and P at the tops."""
        stairs, most = len(self.tops), self.before.shape[2]
        losses = self.rise.losses[:, :most].ravel()
        below = self.before[:-1].reshape(stairs, -1)
        first = below @ losses
        second = first - below @ (losses * losses)
        tops = self.tops.astype(below.dtype)
        excess = self.block.excess + 1 + np.arange(stairs, dtype=below.dtype)
        risk = walks.pmf_at(tops, excess)
        at_top = first + risk * ((tops - excess) / tops)
        above = second + risk * ((tops + 1) / (tops + 2 + excess))
        return at_top, above, risk

    def _wrong(self) -> Any:
        """Return 1 or -1 where a threshold is clearly higher or lower, 0 elsewhere."""
        at_top, above, risk = self.advantages()
        unit = walks.arithmetic_of(risk.dtype).unit_roundoff
        excess = self.block.excess + 1 + np.arange(len(risk))
        doubt = DOUBT * unit * excess * risk
        return np.where(at_top > doubt, -1, np.where(above < -doubt, 1, 0))

    def norms(self, slopes: Reals) -> Any:
        """Return the norms of the cells of a window, given its slopes, or more."""
        squares = slopes * slopes * self.rise.losses[:, : slopes.shape[2]]
        of_cells = squares.sum(axis=(1, 2)) * (self.rise.cells / 2)
        return np.sqrt(of_cells.astype(np.float64)) * (1 + 1e-9)

    def samples_at_end(self, to: int) -> Reals:
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
        top, excess = int(self.tops[i]), self.block.excess + 1 + i
        steps = int(self.walks[i])
        window = self._samples(self.slopes[i], pairs, stride)
        losses = self.rise.losses[:, :pairs].T.ravel()
        decays = self.rise.log_cosines[:, :pairs].T.ravel()
        sines, scale = np.sqrt(losses), len(window)
        amplitudes, before = (
            slopes[i, :, :pairs].T.ravel() * sines * scale
            for slopes in (self.slopes, self.before)
        )
        waves = Waves(
            amplitudes, sines, losses, decays, window, _least_steps(steps), stride
        )
        # The formula of rows, which has other last bits than that of a single P.
        place = np.array([[top], [excess]], dtype=window.dtype)
        begin, probability = top - 1 - steps, walks.pmf_at(*place)[0]
        return Stair(waves, begin, excess, top, probability, before, whole=False)
