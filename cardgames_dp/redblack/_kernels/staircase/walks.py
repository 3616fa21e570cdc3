r"""A fair random walk: many steps at once below a barrier, probabilities, errors.

**Below a barrier**, by the sine transform.

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
are computed; the others are smaller than the rounding of the rest (`Arithmetic` has the
exponent for each kind of numbers).

**Probabilities**, accurate to the last digits for any length. P(n, s) is the
probability that n steps of +-1 sum to s, ``C(n, (n + s) / 2) / 2**n``. With ``lgamma``
its logarithm would have a relative error of 1e-16, an absolute error of about 1e-8 for
n = 10**10, which is not enough. Stirling's series for the three factorials and the
series of the entropy about the middle give, with d = s / n,

.. math::

   P(n, s) = \sqrt{\frac{n}{2 \pi r b}} \exp\Bigl(-n \sum_{j \ge 1}
   \frac{d^{2j}}{2j (2j - 1)} + \sigma(n) - \sigma(r) - \sigma(b)\Bigr),

where r and b are ``(n -+ s) / 2`` and sigma is the rest of Stirling's series. All terms
are small except the first of the sum, ``s**2 / 2n``, which is split into an integer and
a remainder in exact arithmetic.

**Errors** of transforms and of walks are bounded in the norm of the cells; the
appendix on methods in the documentation derives the bounds.

**Numbers.** A climb uses the arithmetic of its cells: float64, or longer floats.
NumPy's `longdouble` has 64 or 113 bits if the processor and the compiler support them
(with Microsoft's compiler and on Apple's processors it is float64); SciPy's transforms
take it as well.

References
----------
C. Loader, "Fast and accurate computation of binomial probabilities", 2000: the saddle
point expansion, here about the centre.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy  # its parts are loaded when they are used
from numpy.typing import DTypeLike, NDArray

Reals = NDArray[Any]
"""An array of float64 or longdouble."""

Decay = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""The part of an amount that is left after some steps."""

PI = np.longdouble("3.14159265358979323846264338327950288420")

_EXTENDED_BITS = (63, 112)
"""Bits of fractions of x87 and IEEE quadruple; pairs of doubles round otherwise."""


class Arithmetic(NamedTuple):
    """A kind of floating-point numbers, and what a climb with them neglects.

    `real` is the type of a scalar; Python's float for float64, which is faster. Walks
    are taken to end `deviations` standard deviations away: those that get further are
    fewer than a part exp(-deviations**2 / 2), by Hoeffding's inequality. Waves that
    decay by more than exp(-survival), a rounding error, are dropped.
    """

    real: type[Any]
    unit_roundoff: float
    deviations: float
    survival: float


DOUBLE = Arithmetic(float, 2.0**-53, 9.0, 44.0)
EXTENDED = Arithmetic(np.longdouble, float(np.finfo(np.longdouble).eps) / 2, 10.6, 53.0)


def has_extended() -> bool:
    """Return whether this machine has longer floats than float64."""
    return np.finfo(np.longdouble).nmant in _EXTENDED_BITS


def arithmetic_of(dtype: DTypeLike) -> Arithmetic:
    """Return the arithmetic of the numbers of a dtype."""
    return DOUBLE if np.dtype(dtype) == np.dtype(np.float64) else EXTENDED


def good_length(cells: int) -> int:
    """Return the next number of cells whose transform is fast: 2**a 3**b 5**c."""
    return int(scipy.fft.next_fast_len(max(cells, 2), real=True))


def surviving(cells: int, steps: int, survival: float) -> int:
    """Return how many waves of a window survive this many steps."""
    # cos(theta)**steps <= exp(-steps theta**2 / 2)
    return math.ceil(2 * cells / math.pi * math.sqrt(2 * survival / steps))


class Waves(NamedTuple):
    """The waves of a window of cells that survive a number of steps.

    `amplitudes`: the coefficients c_j, times 2 N, as `scipy.fft` scales them. `sines`:
    ``sin(theta_j)``, the waves' heights in the cell next to the barrier. `losses`:
    their squares, the part of a wave that two steps take away. `log_cosines`:
    ``log(cos(theta_j)**2)``. The window holds the N cells, or every `stride`-th of
    them, from the middle one of the first on.
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
        size, survival = len(cells), arithmetic_of(cells.dtype).survival
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

    def first(self, amplitudes: Reals) -> Any:
        """Return the cell next to the barrier, a scalar of the cells' kind."""
        height: Any = amplitudes @ self.sines
        return height / len(self.window)

    def cells(self, amplitudes: Reals) -> Reals:
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
    return waves.cells(waves.after(steps))


def walk_free(cells: Reals, stride: int, steps: int, rise: int, to: int) -> Reals:
    """Return a walk of every `stride`-th cell as if there were no barrier.

    The cells are returned at the stride `to`, for a barrier higher by `rise`, of the
    same parity.
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


_FEWEST_STEPS = 1024
"""Steps of a walk: for fewer, the binomial coefficients are computed exactly."""

_LARGEST_EXPONENT = 745
"""The largest x for which exp(-x) is not 0 in float64."""

_SMALLEST_TERM = 1e-22
"""The smallest terms of the exponent: a hundredth of a rounding of the longest floats.
"""

_MANTISSA = 64
"""Bits of an unsigned integer; the floats of a climb need no more."""


def pmf(n: int, s: int, real: type[Any] = float) -> Any:
    """Return P(n, s), for n and s of equal parity, as a number of type `real`.

    The error is a few units in the last place within ten standard deviations, and grows
    to about a hundred units at 30.
    """
    red, black = (n - s) // 2, (n + s) // 2
    if red < 0 or black < 0:
        return real(0)
    whole, rest = divmod(s * s, max(2 * n, 1))
    if whole > _LARGEST_EXPONENT:
        return real(0)
    if n < _FEWEST_STEPS or min(red, black) < _FEWEST_STEPS // 4:
        return _counted(n, red, real)
    functions: Any = math if real is float else np
    square = (real(s) / n) ** 2
    exponent = real(rest) / (2 * n)
    exponent -= _stirling(real(n)) - _stirling(real(red)) - _stirling(real(black))
    j, power = 2, square * square
    while (term := n * power / (2 * j * (2 * j - 1))) > _SMALLEST_TERM:
        exponent += term
        j, power = j + 1, power * square
    spread = functions.sqrt(real(n) / red / black / (2 * real(PI)))
    return spread * functions.exp(-exponent) * functions.exp(-real(whole))


_comb = functools.lru_cache(maxsize=16)(math.comb)
"""A stair and its tests use the same one; one of 1000 draws takes 0.1 ms."""


def _counted(n: int, red: int, real: type[Any]) -> Any:
    """Return C(n, red) / 2**n."""
    count = _comb(n, red)
    if real is float:
        # Python divides integers with a single rounding, at any size.
        return count / (1 << n)
    excess = max(count.bit_length() - _MANTISSA, 0)
    return np.ldexp(real(np.uint64(count >> excess)), excess - n)


def _stirling(n: Any) -> Any:
    """Return log n! less Stirling's formula; for n >= 256 the next term is 1e-20."""
    square = 1 / (n * n)
    return ((1 - square * (1 - square * 2 / 7) / 30) / 12) / n


def pmf_below(n: int, s: int, first: Any, count: int) -> Reals:
    """Return P(n, s - 2 m), m = 0, ..., count - 1, given the `first` of them.

    They follow by ratios of integers: entry m has 2 m roundings more than the first.
    """
    # P(n, s - 2) / P(n, s) = (n + s) / (n - s + 2): twice the counts of the two steps.
    lower = np.arange(n - s, n - s + 2 * count, 2, dtype=np.asarray(first).dtype)
    ratios = np.subtract(2.0 * n + 2, lower)
    ratios[0], lower[0] = first, 1
    ratios /= lower  # one of them is 0, at s = -n: nothing is below
    return np.multiply.accumulate(ratios, out=ratios)


def pmf_at(n: Any, s: Reals) -> Reals:
    """Return P(n, s) for arrays that broadcast: floats, s not necessarily whole.

    n must be at least 1024, and ``|s|`` below n / 2. Between whole numbers, P is
    defined by the Gamma function. The error is at most 3 x + 12 units of the last
    place, where x is ``s**2 / 2n``.
    """
    square = s / n
    square *= square
    power, j = square * square, 2
    # Small terms first, so that at most three roundings are as large as x.
    exponent = power * n
    exponent /= 12
    while True:
        j += 1
        power = power * square
        term = power * n
        term /= 2 * j * (2 * j - 1)
        if not term.max() > _SMALLEST_TERM:
            break
        exponent += term
    red, black = (n - s) / 2, (n + s) / 2
    exponent -= _stirling(n)
    exponent += _stirling(red)
    exponent += _stirling(black)
    exponent += s * s / (2 * n)
    red *= black
    red *= 2 * s.dtype.type(PI)
    spread: Reals = np.sqrt(n / red)
    np.negative(exponent, out=exponent)
    spread *= np.exp(exponent, out=exponent)
    return spread


SLACK = 1 + 1e-9
"""Factor for the rounding of the account itself: thousands of positive terms."""

PMF_ROUNDINGS = 20
"""Roundings of a probability, within ten standard deviations."""

_PASSES, _FRAME = {4: 6, 2: 5, 3: 12, 5: 20}, 8
"""Roundings of the passes of a transform, by their radix; of what comes with them."""

_WALK = 12
"""Roundings of a walk besides its two transforms: decays, the last step, a joint."""


def spread(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the part of an error of norm 1 that reaches a cell after some steps."""
    return np.maximum(math.pi * steps, 1) ** -0.25


def spread_at_barrier(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the part of an error of norm 1 that reaches the cell at the barrier."""
    return spread(steps) / np.sqrt(steps + 1)


def most_likely(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a bound of the largest probability of a walk to be in one place."""
    return np.minimum(1, np.sqrt(2 / math.pi / np.maximum(steps, 0.5)))


def at(decay: Decay, steps: int) -> float:
    """Return a decay after one number of steps."""
    return float(decay(np.array(float(steps))))


def transform_roundings(cells: int) -> int:
    """Return the bound of a sine transform's relative error in the norm, over u."""
    roundings, rest = _FRAME, cells
    for radix, cost in _PASSES.items():
        while rest % radix == 0:
            roundings, rest = roundings + cost, rest // radix
    if rest != 1:
        raise ArithmeticError(f"no bound is known for a transform of {cells} numbers")
    return roundings


def norm(cells: Reals) -> float:
    """Return the Euclidean norm, or a little more."""
    # Not by a dot product, which may wait for threads at each call.
    return math.sqrt(float((cells * cells).sum())) * SLACK


def norm_of_pmf(n: int) -> float:
    """Return a bound of the norm of P(n, .), the root of P(2n, 0)."""
    return at(spread, n)


def tails(numbers: Arithmetic) -> float:
    """Return the part of a walk that gets too far: two ends, each with its image."""
    return 4 * math.exp(-(numbers.deviations**2) / 2)


def dropped(numbers: Arithmetic) -> float:
    """Return the largest remainder of a wave that is dropped."""
    return math.exp(-numbers.survival)


def cut(magnitude: float, begin: int, barrier: int, numbers: Arithmetic) -> float:
    """Return the effect, in the norm, of walks that go too far and of dropped waves."""
    reached = magnitude + barrier * norm_of_pmf(begin)
    return tails(numbers) * reached + dropped(numbers) * magnitude


def error_of_walk(
    window: Reals, begin: int, n: int, barrier: int, stairs: int, numbers: Arithmetic
) -> float:
    """Return a bound on the error of a window's walk from one level to another.

    At the end the barrier is as given, and P has been subtracted for each of `stairs`.
    """
    size, unit, magnitude = len(window), numbers.unit_roundoff, norm(window)
    rounding = (2 * transform_roundings(size) + _WALK) * unit * magnitude
    # Entry m of a row of P has 2 m roundings more than its first.
    rows = (2 * size + PMF_ROUNDINGS) * unit * stairs * norm_of_pmf(n)
    return rounding + rows + cut(magnitude, begin, barrier, numbers)
