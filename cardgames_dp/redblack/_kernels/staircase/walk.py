r"""A fair random walk below a barrier, many steps at once, by the sine transform.

Cells ``D[i]`` stand at the heights -1, -3, ..., -(2 N - 1) below a barrier at height 0
on which D vanishes. One draw averages neighbours, ``D(h) <- (D(h-1) + D(h+1)) / 2``;
two draws lead from these heights back to them. Extended oddly about the barrier, the
cells obey the averaging everywhere, barrier or not (the reflection principle); extended
oddly about -2 N as well, they are a sum of sines

.. math:: D_i = \sum_j c_j \sin\bigl((2 i + 1)\, \theta_j\bigr),
   \qquad \theta_j = \frac{\pi j}{2 N}, \quad j = 1, \ldots, N,

each of which a draw multiplies by cos(theta_j). So a walk of any even number of steps
is a sine transform (DST-II), a multiplication and the inverse transform, exact up to
rounding, with both ends of the window absorbing. Cells further from the far end than
the walk reaches are not affected by that end.

After many steps few waves survive. Only those with ``cos(theta)**steps`` above exp(-44)
are computed; the others are smaller than the rounding of the rest (`arithmetic` has the
exponent for each kind of numbers).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import scipy  # its parts are loaded when they are used

from cardgames_dp.redblack._kernels.staircase import arithmetic
from cardgames_dp.redblack._kernels.staircase.arithmetic import PI, Reals


def good_length(cells: int) -> int:
    """Return the next number of cells whose transform is fast: 2**a 3**b 5**c."""
    return int(scipy.fft.next_fast_len(max(cells, 2), real=True))


def surviving(cells: int, steps: int, survival: float) -> int:
    """Return how many waves of a window survive this many steps."""
    # cos(theta)**steps <= exp(-steps theta**2 / 2)
    return math.ceil(2 * cells / math.pi * math.sqrt(2 * survival / steps))


class Waves(NamedTuple):
    """The waves of a window of cells that survive a number of steps.

    Attributes
    ----------
    amplitudes : ndarray
        The coefficients c_j, times 2 N, as `scipy.fft` scales them.
    sines : ndarray
        ``sin(theta_j)``, the waves' heights in the cell next to the barrier.
    losses : ndarray
        ``sin(theta_j)**2``, the part of a wave that two steps take away.
    log_cosines : ndarray
        ``log(cos(theta_j)**2)``.
    window : ndarray
        The N cells, or some of them.
    fewest_steps : int
    stride : int
        The window holds every `stride`-th cell, from the middle one of the first on.
    """

    amplitudes: Reals
    sines: Reals
    losses: Reals
    log_cosines: Reals
    window: Reals
    fewest_steps: int
    stride: int = 1

    @classmethod
    def of(cls, cells: Reals, fewest_steps: int, stride: int = 1) -> Waves:
        """Return the waves that outlive this many steps, at least 2."""
        size, survival = len(cells), arithmetic.of(cells.dtype).survival
        # The last wave vanishes after one step.
        count = min(size - 1, surviving(size * stride, fewest_steps, survival))
        sines = np.arange(1, count + 1, dtype=cells.dtype)
        sines *= cells.dtype.type(PI) / (2 * size * stride)
        np.sin(sines, out=sines)
        losses = sines * sines
        amplitudes = scipy.fft.dst(cells, 2)[:count]
        decays = np.log1p(-losses)
        return cls(amplitudes, sines, losses, decays, cells, fewest_steps, stride)

    def after(self, steps: int) -> Reals:
        """Return the amplitudes after an even number of steps."""
        left: Reals = np.exp(self.log_cosines * (steps / 2))
        left *= self.amplitudes
        return left

    def two_steps(self, amplitudes: Reals) -> Reals:
        """Return the amplitudes two steps later."""
        left: Reals = amplitudes - amplitudes * self.losses
        return left

    def first(self, amplitudes: Reals) -> Any:
        """Return the cell next to the barrier, a scalar of the cells' kind."""
        found: Any = amplitudes @ self.sines
        return found / len(self.window)

    def summed(self, amplitudes: Reals) -> Reals:
        """Return all cells."""
        spectrum = np.zeros(len(self.window), dtype=amplitudes.dtype)
        spectrum[: len(amplitudes)] = amplitudes
        result: Reals = scipy.fft.idst(spectrum, 2, overwrite_x=True)
        return result


def walk(cells: Reals, steps: int) -> Reals:
    """Return the cells after an even number of steps."""
    if steps == 0:
        return cells
    waves = Waves.of(cells, steps)
    return waves.summed(waves.after(steps))


def walk_free(cells: Reals, stride: int, steps: int, rise: int, to: int) -> Reals:
    """Return a walk of every `stride`-th cell as if there were no barrier.

    After any number of steps the cells are returned at the stride `to`, for a barrier
    that is then higher by `rise`, of the same parity.
    """
    waves = Waves.of(cells, steps, stride)
    size = len(cells) * stride // to
    left = waves.after(steps) * (size / len(cells))
    turns = np.arange(1, len(left) + 1, dtype=cells.dtype)
    turns *= cells.dtype.type(PI) * rise / (2 * size * to)
    sines, cosines = np.zeros((2, size), dtype=cells.dtype)
    sines[: len(left)] = left * np.cos(turns)
    cosines[1 : len(left) + 1] = left * np.sin(turns)
    result: Reals = scipy.fft.idst(sines, 2, overwrite_x=True)
    result -= scipy.fft.idct(cosines, 2, overwrite_x=True)
    return result


def step(cells: Reals) -> Reals:
    """Return the heights 0, -2, ..., -(2 N - 2) after one step more; the first is 0."""
    result = np.empty_like(cells)
    result[0] = 0
    np.add(cells[:-1], cells[1:], out=result[1:])
    result[1:] *= 0.5
    return result
