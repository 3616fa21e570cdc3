r"""The effect of a rise of the barrier on the waves below it, in closed form.

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
from typing import Any, NamedTuple

import numpy as np
import scipy  # its parts are loaded when they are used
from numpy.polynomial.chebyshev import chebvander

from cardgames_dp.redblack._kernels.staircase.arithmetic import PI, Reals
from cardgames_dp.redblack._kernels.staircase.pmf import pmf_at


class Rise(NamedTuple):
    """The waves of a window of N cells, in pairs: arrays of shape (2, pairs).

    Attributes
    ----------
    cells : int
        N.
    losses : ndarray
        ``sin(theta_j)**2``, j = 1, 3, 5, ... and 2, 4, 6, ...
    log_cosines : ndarray
        ``log(cos(theta_j)**2)``.
    coupling : ndarray, shape (2, pairs, pairs)
        The matrices from even to odd slopes, and from odd to even ones.
    places : ndarray
        Chebyshev's points, as places of cells counted from the barrier, not whole
        numbers.
    weights : ndarray, shape (nodes, nodes)
        The matrix from values at the points to coefficients of Chebyshev's polynomials.
    basis : ndarray, shape (nodes, 2, pairs)
        The slopes of the polynomials.
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
        unit = number(PI) / (2 * cells)
        waves = np.arange(1, 2 * pairs + 1).reshape(pairs, 2).T
        # sin(j pi / 2 N), j from -2 pairs on: each serves many waves, sums, differences
        known = np.sin(np.arange(-2 * pairs, 4 * pairs) * unit)
        sines = known[waves + 2 * pairs]
        losses = sines * sines
        odd, even = waves[0][:, None] + 2 * pairs, waves[1]
        differences = known[odd - even] * known[odd + even]
        taken = losses * (1 - losses) * (number(2) / cells)
        to_odd, to_even = -taken[1] / differences, taken[0][:, None] / differences
        coupling = np.stack([to_odd, to_even.T])
        # Of the polynomials, in the cells.
        degrees, middle = np.arange(nodes), number(cells - 1) / 2
        angles = (2 * degrees + 1) * (number(PI) / (2 * nodes))
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
        at_places = pmf_at(levels, excesses[:, None] - 2 * self.places)
        coefficients: Reals = at_places @ self.weights
        slopes = coefficients @ self.basis.reshape(len(self.basis), -1)
        return coefficients, slopes.reshape(len(tops), 2, -1)

    def risen(self, slopes: Reals, pairs: int) -> Reals:
        """Return the slopes after a step and a rise, of this many pairs, but for P."""
        given = slopes.shape[1]
        matrices = self.coupling[:, :pairs, :given]
        result: Reals = np.matmul(matrices, slopes[::-1, :, None])[:, :, 0]
        shared = min(pairs, given)
        kept = slopes[:, :shared] - slopes[:, :shared] * self.losses[:, :shared]
        result[:, :shared] += kept
        return result


def nodes_needed(n: int, highest: int, cells: int, part: float) -> int:
    """Return how many nodes give P(n, highest - 2 x), x < cells, to a part of P(n, 0).

    On the ellipse about the window with half axes L (rho +- 1 / rho) / 2, L its half
    length, P is at most ``P(n, 0) exp(y**2 n / 2 (n**2 - s**2))``, y and s the largest
    imaginary and real part. `docs/theory/staircase.rst` proves that and what follows.
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
