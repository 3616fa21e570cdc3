"""What a certificate takes on trust, tried out: transforms, decays, probabilities.

An account of errors holds if the library's functions are as accurate as they are known
to be. Nobody proves that of a running program, but faults of any size that matter show
in a few numbers, on the first window of each length that a climb comes to. Each trial
raises `ArithmeticError` when something errs by more than the account allows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy  # its parts are loaded when they are used

from cardgames_dp.redblack._kernels.band import TAIL_BITS
from cardgames_dp.redblack._kernels.staircase import arithmetic
from cardgames_dp.redblack._kernels.staircase.arithmetic import PI, Reals
from cardgames_dp.redblack._kernels.staircase.pmf import pmf, pmf_below
from cardgames_dp.redblack._kernels.staircase.walk import Waves

PMF_ROUNDINGS = 20
"""Of a probability, within ten standard deviations."""

_DECAY_ROUNDINGS = 5
"""Of what is left of a wave; 4 by the account, and one for the division here."""

_DIRECT = 8
"""Coefficients of a transform that are summed one by one: the first, and any."""

_FURTHEST = 8.0
"""Standard deviations at which the end of a row of probabilities is tried."""

_BAND_SLACK = 2.0
"""For the rounding of logarithms of large factorials."""

_BITS = 240
"""In which the roundings of a climb, and a logarithm as large as 2**50, are nothing."""


def _context() -> Any:
    import mpmath  # not needed without an audit

    context = mpmath.mp.clone()
    context.prec = _BITS
    return context


@dataclass(frozen=True, slots=True)
class Trial:
    """The trials of one climb, with an arithmetic of mpmath's own."""

    context: Any = field(default_factory=_context)

    def transforms(self, window: Reals, allowed: float) -> None:
        """Try the transforms of a window, whose error is at most a part of its norm.

        On waves known beforehand; there and back on the window itself; and some of its
        coefficients against the sums that they stand for.
        """
        size, real = len(window), window.dtype.type
        unit = arithmetic.of(window.dtype).unit_roundoff
        places = 2 * np.arange(size) + 1

        def sines(waves: Reals) -> Reals:
            angle: Reals = real(PI) / (2 * size)
            return np.sin(places * waves[:, None] % (4 * size) * angle)

        known = np.unique([1, size // 3 + 1, size])
        spectrum = np.zeros(size, dtype=window.dtype)
        spectrum[known - 1] = size * (1 + (known == size))
        cells = sines(known).sum(axis=0)
        exactness = allowed + 20 * unit
        there = _norm(scipy.fft.dst(cells, 2) - spectrum) / math.sqrt(2 * size)
        back = _norm(scipy.fft.idst(spectrum, 2) - cells)
        _refuse_more(max(there, back), exactness * _norm(cells), size)

        found = scipy.fft.dst(window, 2)
        returned = _norm(scipy.fft.idst(found, 2) - window)
        _refuse_more(returned, 2 * exactness * _norm(window), size)

        any_of = np.random.default_rng(size).integers(1, size, _DIRECT)
        waves = np.unique([*range(1, min(size, _DIRECT)), *any_of])
        direct = 2 * (sines(waves) * window).sum(axis=1)
        summing = 60 * unit  # sines err by 7 roundings, NumPy's sums by log(size)
        error = float(np.abs(direct - found[waves - 1]).max()) / math.sqrt(2 * size)
        _refuse_more(error, (allowed + summing) * _norm(window), size)

    def decay(self, window: Reals, steps: int) -> None:
        """Try what is left of some waves after an even number of steps, at least 2."""
        waves = Waves.of(window, steps)
        after, size = waves.after(steps), len(window)
        allowed = _DECAY_ROUNDINGS * arithmetic.of(window.dtype).unit_roundoff
        count = len(after)
        for j in {1, 2, count // 4 + 1, count // 2 + 1}:
            if j > count or not waves.amplitudes[j - 1]:
                continue
            left = self.context.cos(self.context.pi * j / (2 * size)) ** steps
            found = self._exactly(after[j - 1]) / self._exactly(waves.amplitudes[j - 1])
            if not abs(found - left) <= allowed:
                raise ArithmeticError(
                    f"the decay of wave {j} of {size} in {steps} steps errs by "
                    f"{float(abs(found - left)):.1e}; no error can be certified"
                )

    def row(self, n: int, s: int, count: int, real: type[Any]) -> None:
        """Try P(n, s), and the row below it, some way out and as far as it matters."""
        first = pmf(n, s, real)
        self.pmf(n, s, first)
        last = math.floor(_FURTHEST * math.sqrt(n) / 2) + s // 2
        count = min(count, last, (n + s) // 2)
        if count > 1:
            row = pmf_below(n, s, first, count)
            for m in {count // 2, count - 1}:
                self.pmf(n, s - 2 * m, row[m], roundings=PMF_ROUNDINGS + 2 * m)

    def pmf(self, n: int, s: int, found: Any, roundings: int = PMF_ROUNDINGS) -> None:
        """Try P(n, s), which may have so many roundings."""
        log_factorial, red, black = self.context.loggamma, (n - s) // 2, (n + s) // 2
        logarithm = log_factorial(n + 1) - n * self.context.log(2)
        logarithm -= log_factorial(red + 1) + log_factorial(black + 1)
        error = abs(self._exactly(found) / self.context.exp(logarithm) - 1)
        unit = arithmetic.of(np.asarray(found).dtype).unit_roundoff
        if not error <= roundings * unit:
            raise ArithmeticError(
                f"the probability that {n} fair steps sum to {s} errs by "
                f"{float(error):.1e} of itself; no error can be certified"
            )

    def band(self, red: int, black: int, n: int, lowest: int) -> None:
        """Try that a deck's path is seldom at an excess of `lowest` or below at n."""
        left, total = (n - lowest) // 2, red + black  # red cards left, out of n
        if left >= min(red, n) or black - (n - left) > total - n:
            return
        ways = _log_binomial(red, left) + _log_binomial(black, n - left)
        # Further out the probabilities fall at least as fast as here.
        next_one = (red - left) * (n - left) / (left + 1) / (black - n + left + 1)
        tail = ways - _log_binomial(total, n) - math.log1p(-min(next_one, 0.999))
        if not tail <= math.log(_BAND_SLACK / total) - TAIL_BITS * math.log(2):
            raise ArithmeticError(
                f"paths leave the band of {red} + {black} cards at {n} too often; no "
                "error can be certified"
            )

    def _exactly(self, number: Any) -> Any:
        numerator, denominator = number.as_integer_ratio()
        return self.context.mpf(numerator) / denominator


def _log_binomial(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _norm(cells: Reals) -> float:
    return float(np.sqrt((cells * cells).sum()))


def _refuse_more(error: float, allowed: float, size: int) -> None:
    if not error <= allowed:
        raise ArithmeticError(
            f"the sine transform of {size} numbers errs by {error:.1e}, where "
            f"{allowed:.1e} was allowed; no error can be certified"
        )
