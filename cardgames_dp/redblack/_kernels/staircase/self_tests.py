"""Tests by which a climb with certified errors holds itself to its assumptions.

An account of errors holds if the library's functions are as accurate as their
algorithms are known to be. This cannot be proved of a running program. But faults that
matter show in a few numbers, on the first window of each length in a climb. Each test
raises `ArithmeticError` if an error is larger than the account allows.

The first functions test parts: transforms, decays, probabilities, matrices. The others
test what is made of them, the cells that a climb stores, found a second time in another
way: the first stairs draw by draw, every single stair by sums over the cells that it
began with, the first block stair by stair, and some samples of every later block by
sums. A
`HandOver` is a copy of the cells where a stair or a block ends: the next one must begin
with them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import scipy  # its parts are loaded when they are used
from numpy.polynomial.chebyshev import chebval
from numpy.typing import NDArray

from cardgames_dp.redblack._kernels.scaling import TAIL_BITS
from cardgames_dp.redblack._kernels.staircase import walks
from cardgames_dp.redblack._kernels.staircase.stairs import Passage, Stair
from cardgames_dp.redblack._kernels.staircase.walks import Arithmetic, Reals

_DIRECT = 8
"""Coefficients of a transform that are summed directly: the first, and random ones."""

_FURTHEST = 8.0
"""Standard deviations at which the end of a row of probabilities is tested."""

_RISE, _POLYNOMIAL = 200, 4
"""Roundings of a rise, and of a polynomial at a place over its degree squared."""

_BAND_SLACK = 2.0
"""Factor for the rounding of logarithms of large factorials."""

_BITS = 240
"""Bits in which the roundings of a climb, and logarithms up to 2**50, are negligible.
"""


@functools.cache
def _context() -> Any:
    """Return a context that nobody changes; to make one takes milliseconds."""
    import mpmath  # not needed without an audit

    context = mpmath.mp.clone()
    context.prec = _BITS
    return context


@functools.lru_cache(maxsize=1)  # most questions are about the same level as the last
def _log_of_level(n: int) -> Any:
    """Return the logarithm of n! / 2**n."""
    return _context().loggamma(n + 1) - n * _context().ln2


def transforms(window: Reals, allowed: float) -> None:
    """Test the transforms of a window, up to an error relative to its norm.

    Of known waves; of the window, there and back; some coefficients by their sums.
    """
    size, real = len(window), window.dtype.type
    unit = walks.arithmetic_of(window.dtype).unit_roundoff
    places = 2 * np.arange(size) + 1

    def sines(waves: Reals) -> Reals:
        angle: Reals = real(walks.PI) / (2 * size)
        return np.sin(places * waves[:, None] % (4 * size) * angle)

    orders = np.unique([1, size // 3 + 1, size])
    spectrum = np.zeros(size, dtype=window.dtype)
    spectrum[orders - 1] = size * (1 + (orders == size))
    cells = sines(orders).sum(axis=0)
    exactness = allowed + 20 * unit
    there = walks.norm(scipy.fft.dst(cells, 2) - spectrum) / math.sqrt(2 * size)
    back = walks.norm(scipy.fft.idst(spectrum, 2) - cells)
    _refuse_more(max(there, back), exactness * walks.norm(cells), size)

    amplitudes = scipy.fft.dst(window, 2)
    returned = walks.norm(scipy.fft.idst(amplitudes, 2) - window)
    _refuse_more(returned, 2 * exactness * walks.norm(window), size)

    any_of = np.random.default_rng(size).integers(1, size, _DIRECT)
    waves = np.unique([*range(1, min(size, _DIRECT)), *any_of])
    direct = 2 * (sines(waves) * window).sum(axis=1)
    summing = 60 * unit  # sines err by 7 roundings, NumPy's sums by log(size)
    error = float(np.abs(direct - amplitudes[waves - 1]).max()) / math.sqrt(2 * size)
    _refuse_more(error, (allowed + summing) * walks.norm(window), size)


def decay(window: Reals, steps: int, stride: int = 1) -> None:
    """Test the decay of all waves of a window after some steps, at least 2."""
    waves = walks.Waves.of(window, steps, stride)
    after, size = waves.after(steps), len(window) * stride
    count = len(after)
    orders, some = np.arange(1, count + 1), {0, count // 4, count // 2}
    # Roundings: four by the account, one of the division.
    _decays(waves.amplitudes, after, orders, size, steps, some, 5)


def _decays(
    before: Reals,
    after: Reals,
    waves: NDArray[Any],
    size: int,
    steps: Any,
    some: Iterable[Any],
    roundings: int,
) -> None:
    """Test waves after some steps: all by another formula, some by mpmath.

    Their decay, and a division here, may have some roundings, as may the formula.
    """
    waves, steps = np.broadcast_arrays(waves, steps)
    real, context = after.dtype.type, _context()
    allowed = roundings * walks.arithmetic_of(after.dtype).unit_roundoff

    def test(at: Any, ratio: Any, left: Any) -> None:
        if not abs(ratio - left) <= allowed:
            raise _refusal(
                f"the decay of wave {waves[at]} of {size} in {steps[at]} steps "
                f"errs by {float(abs(ratio - left)):.1e}"
            )

    tangents = np.tan(waves * (real(walks.PI) / (2 * size)))
    right = before * np.exp(-np.log1p(tangents * tangents) * (steps / real(2)))
    errors = abs(after - right) - 2 * allowed * abs(before)
    if not errors.max() <= 0:
        at = np.unravel_index(errors.argmax(), errors.shape)
        test(at, *(float(x[at] / before[at]) for x in (after, right)))
    for at in some:
        if before[at]:
            angle = context.pi * int(waves[at]) / (2 * size)
            ratio = _exactly(after[at]) / _exactly(before[at])
            test(at, ratio, context.cos(angle) ** int(steps[at]))


def rise(passage: Passage, allowed: float) -> None:
    """Test a passage's matrices and decays by transforms of all cells."""
    rise, numbers = passage.rise, walks.arithmetic_of(passage.slopes.dtype)
    cells, pairs, unit = rise.cells, rise.losses.shape[1], numbers.unit_roundoff
    rng, real = np.random.default_rng(cells), passage.slopes.dtype.type
    sines = np.sqrt(rise.losses)
    steep = rng.standard_normal((2, pairs)) / sines
    spectrum = np.zeros(cells, dtype=real)
    spectrum[: 2 * pairs] = (steep * sines).T.ravel() * cells
    window = scipy.fft.idst(spectrum, 2)
    transforms(window, allowed)
    moved = scipy.fft.dst(walks.step(window), 2)[: 2 * pairs].reshape(pairs, 2).T
    result = rise.after_rise(steep.astype(real), pairs) * sines * cells
    error = walks.norm(result - moved) / math.sqrt(2 * cells)
    _refuse_more(error, (2 * allowed + _RISE * unit) * walks.norm(window), cells)
    # A random polynomial in the cells, and its waves.
    nodes = len(rise.basis)
    middle = real(cells - 1) / 2
    some = rng.standard_normal(nodes).astype(real)
    row = chebval((np.arange(cells) - middle) / middle, some)  # by Clenshaw's sums
    direct = scipy.fft.dst(row, 2)[: 2 * pairs].reshape(pairs, 2).T
    waves = np.tensordot(some, rise.basis, 1) * sines * cells
    error = walks.norm(waves - direct) / math.sqrt(2 * cells)
    _refuse_more(error, (2 * allowed + _RISE * unit) * walks.norm(row), cells)
    _row_of_polynomials(passage)
    slopes, steps = passage.slopes, passage.walks[:, None, None]
    number = np.arange(1, 2 * slopes.shape[2] + 1).reshape(-1, 2).T
    places = [
        (i, parity, pair)
        for i in {0, 1, len(steps) - 1}
        for parity, pair in ((0, 0), (1, passage.pairs[i] // 2))
    ]
    # Roundings: eight by the account.
    _decays(slopes, passage.before, number, cells, steps, places, 9)


def _row_of_polynomials(passage: Passage) -> None:
    """Test P at the first threshold, as computed by the passage."""
    top, excess = int(passage.tops[0]), passage.block.excess + 1
    cells, series = passage.rise.cells, passage.coefficients[0]
    unit = walks.arithmetic_of(series.dtype).unit_roundoff
    largest = float(walks.pmf(top, top % 2))
    for place in (0, 1, cells // 64, cells // 16, cells // 4, cells - 1):
        turn = np.arccos(np.clip(2 * series.dtype.type(place) / (cells - 1) - 1, -1, 1))
        value = (series * np.cos(np.arange(len(series)) * turn)).sum()
        exact = walks.pmf(top, excess - 2 * place, series.dtype.type)
        if excess - 2 * place > -top:
            pmf(top, excess - 2 * place, exact)
        if not abs(value - exact) <= _POLYNOMIAL * len(series) ** 2 * unit * largest:
            raise _refusal(
                f"the probability that {top} fair steps sum to "
                f"{excess - 2 * place} errs by {float(abs(value - exact)):.1e} "
                "as a polynomial has it"
            )


def row_of_samples(n: int, excess: int, real: type[Any]) -> None:
    """Test P(n, .) as computed at samples, as far out as it matters."""
    last = math.floor(_FURTHEST * math.sqrt(n) / 2)
    places = np.array([0, last // 3, last])
    row = walks.pmf_at(real(n), (excess - 2 * places).astype(real))
    for place, chance in zip(places.tolist(), row, strict=True):
        roundings = walks.PMF_ROUNDINGS + 3 * math.ceil((excess - 2 * place) ** 2 / n)
        pmf(n, excess - 2 * place, chance, roundings)


def row(n: int, s: int, count: int, real: type[Any]) -> None:
    """Test P(n, s) and the row below it, halfway and as far out as it matters."""
    first = walks.pmf(n, s, real)
    pmf(n, s, first)
    last = math.floor(_FURTHEST * math.sqrt(n) / 2) + s // 2
    count = min(count, last, (n + s) // 2)
    if count > 1:
        row = walks.pmf_below(n, s, first, count)
        for m in {count // 2, count - 1}:
            pmf(n, s - 2 * m, row[m], roundings=walks.PMF_ROUNDINGS + 2 * m)


def pmf(n: int, s: int, chance: Any, roundings: int = walks.PMF_ROUNDINGS) -> None:
    """Test P(n, s), which may have this many roundings."""
    context, red, black = _context(), (n - s) // 2, (n + s) // 2
    logarithm = _log_of_level(n) - context.loggamma(red + 1)
    logarithm -= context.loggamma(black + 1)
    error = abs(_exactly(chance) / context.exp(logarithm) - 1)
    unit = walks.arithmetic_of(np.asarray(chance).dtype).unit_roundoff
    if not error <= roundings * unit:
        raise _refusal(
            f"the probability that {n} fair steps sum to {s} errs by "
            f"{float(error):.1e} of itself"
        )


def band(red: int, black: int, n: int, lowest: int) -> None:
    """Test that a deck's path is seldom at an excess of `lowest` or below at n."""
    left, total = (n - lowest) // 2, red + black  # red cards left, out of n
    if left >= min(red, n) or black - (n - left) > total - n:
        return
    ways = _log_binomial(red, left) + _log_binomial(black, n - left)
    # Further out the probabilities fall at least as fast.
    next_one = (red - left) * (n - left) / (left + 1) / (black - n + left + 1)
    tail = ways - _log_binomial(total, n) - math.log1p(-min(next_one, 0.999))
    if not tail <= math.log(_BAND_SLACK / total) - TAIL_BITS * math.log(2):
        raise _refusal(
            f"paths leave the band of {red} + {black} cards at {n} too often"
        )


def _exactly(number: Any) -> Any:
    numerator, denominator = number.as_integer_ratio()
    # The denominator is a power of two; a division would take five times as long.
    return _context().ldexp(numerator, 1 - denominator.bit_length())


def _log_binomial(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _refuse_more(error: float, allowed: float, size: int) -> None:
    if not error <= allowed:
        raise _refusal(
            f"the sine transform of {size} numbers errs by {error:.1e}, where "
            f"{allowed:.1e} was allowed"
        )


FIRST_STAIRS = 12
"""The excess at which the first stairs are compared: some 200 draws."""

_SCALED = 10
"""Roundings of waves on their way from samples to slopes, or back."""

_TERMS = 2**22
"""Cells of a stair that are tested, times the root of its steps, at most."""

_FEWEST_STEPS = 1024
"""Steps of a walk whose law `pmf_at` knows."""


class Climbed(NamedTuple):
    """A block of stairs as the climb leaves it.

    The whole window is sampled at the beginning and, some samples fewer, at the end;
    the first `near` samples at the beginning are the near window's.
    """

    passage: Passage
    begun: Reals
    ended: Reals
    near: int

    @property
    def window(self) -> Reals:
        """The near window, which climbed stair by stair."""
        return self.begun[: self.near]

    @property
    def whole(self) -> Reals | None:
        """The whole window, if it is more than the near one and walked freely."""
        return self.begun if self.near < len(self.begun) else None

    @property
    def joint(self) -> int:
        """The number of samples in the end that come from the near window."""
        block = self.passage.block
        return self.near * block.stride // (2 * block.to)


class HandOver(NamedTuple):
    """A copy of the cells, in a stride, below a barrier where a stair or block ends."""

    cells: Reals
    level: int
    barrier: int
    stride: int

    def check_start(self, window: Reals, level: int, barrier: int, stride: int) -> None:
        """Test that a window begins with these cells; below, W is 0 or more."""
        count = min(len(window), len(self.cells))
        right = (level, barrier, stride) == self[1:]
        right = right and np.array_equal(window[:count], self.cells[:count])
        if right and len(window) > count:
            edge = barrier - stride * (2 * count + 1)
            most = barrier * walks.pmf(level, edge) * walks.SLACK
            right = bool(np.abs(window[count:]).max() <= most)
        if not right:
            raise _refusal(
                f"the cells with {level} cards left, below excess {barrier}, are not "
                f"those handed over with {self.level} cards left"
            )


def parity(tops: NDArray[np.int64], excesses: NDArray[np.int64]) -> None:
    """Test that thresholds are levels at which a path can have their excess."""
    odd = np.flatnonzero((tops - excesses) % 2)
    if len(odd):
        first = odd[0]
        raise _refusal(
            f"no path has excess {excesses[first]} with {tops[first]} cards left, "
            "where the climb has a threshold"
        )


def geometry(climbed: Climbed, numbers: Arithmetic) -> None:
    """Test that samples resolve the waves that are left, and that windows are wide."""
    block, tops = climbed.passage.block, climbed.passage.tops
    before, after = int(tops[0]) - 1 - block.begin, block.end - int(tops[-1])
    for stride, steps in ((block.stride, before), (block.to, after)):
        if stride > 1:
            left = steps * math.log(math.cos(math.pi / (2 * stride)))
            if left > -numbers.survival:
                raise _refusal(
                    f"every cell in {stride} does not determine the waves that are "
                    f"left after {steps} draws"
                )
    # In cells, of which a path passes one in two draws, as the barrier does.
    reach = numbers.deviations * math.sqrt(block.end - block.begin) / 2
    reach += block.stairs / 2
    near, joint = climbed.near * block.stride, climbed.joint * block.to
    spared = len(climbed.begun) * block.stride - len(climbed.ended) * block.to
    rooms = [spared]
    if climbed.whole is not None:
        rooms += [joint, near - joint]
    if min(rooms) < reach:
        raise _refusal(
            f"windows have room for {min(rooms)} cells, and a walk of "
            f"{block.end - block.begin} draws reaches {math.ceil(reach)}"
        )


def first_stairs(cells: Reals, n: int, excess: int, allowed: float) -> None:
    """Test the cells at a threshold against the game, draw by draw.

    Every cell is at least as good as stopping: nothing is assumed of the boundary.
    """
    sums = np.arange(-n - 1, n + 2).astype(cells.dtype)
    law, worth = (sums == 0).astype(cells.dtype), np.zeros_like(sums)
    for _ in range(n):
        law[1:-1], worth[1:-1] = (law[:-2] + law[2:]) / 2, (worth[:-2] + worth[2:]) / 2
        np.maximum(worth, sums * law, out=worth)
    count = min(len(cells), (n + excess) // 2 + 1)
    places = n + 1 + excess - 2 * np.arange(count)
    worth, law = worth[places], law[places] * (excess + 1)
    # One rounding of each sum, and few at the end.
    rounding = (n + 5) * walks.arithmetic_of(cells.dtype).unit_roundoff
    allowed += rounding * (walks.norm(worth) + walks.norm(law))
    _compare(cells[:count], worth - law, allowed, f"the first {excess} stairs")


def walk_by_sums(
    cells: Reals, steps: int, first: int, last: int, numbers: Arithmetic
) -> tuple[Reals, float]:
    """Return some cells after any number of steps, by sums, and their error's bound.

    Like a sine transform, the walk is absorbed at both ends of the window. After an odd
    number of steps the heights are 0, -2, ... The error is bounded in the norm.
    """
    odd, size = steps % 2, len(cells)
    reach = (min(math.ceil(numbers.deviations * math.sqrt(steps)), steps) + odd) // 2
    half = walks.pmf_below(steps, odd, walks.pmf(steps, odd, numbers.real), reach + 1)
    law = np.concatenate([half[:0:-1], half[odd:]])
    period = np.concatenate([cells, -cells[::-1]])
    turns = reach // (2 * size) + 1
    begin = 2 * size * turns + first - reach
    around = np.concatenate([period] * (2 * turns + 1))
    around = around[begin : begin + last - first + len(law) - 1]
    # A term has two roundings for each one nearer to the middle, and one for each sum.
    roundings = 2 * len(law) + walks.PMF_ROUNDINGS
    part = roundings * numbers.unit_roundoff + walks.tails(numbers)
    return np.convolve(around, law, "valid"), part * walks.norm(cells)


def stair(current: Stair, cells: Reals, noise: float, numbers: Arithmetic) -> None:
    """Test the cells where a stair ends by sums over those with which it began.

    Of a large window those next to the barrier are tested. They may err by `noise`.
    """
    window, steps = current.waves.window, current.top - current.begin
    count = min(len(window), math.ceil(_TERMS / math.sqrt(steps)))
    sums, error = walk_by_sums(window, steps, 0, count, numbers)
    chance = walks.pmf(current.top, current.excess, numbers.real)
    sums -= walks.pmf_below(current.top, current.excess, chance, count)
    # The row has its own roundings here.
    name, allowed = f"the stair at excess {current.excess}", 2 * noise + error
    _compare(cells[:count], sums, allowed, name)


def total(number: Any, right: Any, allowed: float) -> None:
    """Test the total of a deck, which was computed in another way, too."""
    error = abs(float(number - right))
    if not error <= allowed:
        raise _refusal(
            f"the total of a deck, computed in two ways, errs by {error:.1e}"
        )


def assembly(climbed: Climbed, ended: Reals, numbers: Arithmetic) -> None:
    """Test that a block takes and leaves what its parts make.

    The near window's samples, also those in the end, `ended`, must have its waves;
    those further down are from a free walk.
    """
    passage, block = climbed.passage, climbed.passage.block
    unit = numbers.unit_roundoff
    name = f"the samples of the stairs from {block.excess + 1}"
    for samples, slopes in (
        (climbed.window, passage.slopes[0, :, : passage.pairs[0]]),
        (ended, passage.before[-1, :, : passage.pairs[-1]]),
    ):
        size = len(samples)
        count = min(slopes.shape[1], size // 2)
        heights = slopes[:, :count] * np.sqrt(passage.rise.losses[:, :count])
        amplitudes = scipy.fft.dst(samples, 2)[: 2 * count]
        part = 2 * (walks.transform_roundings(size) + _SCALED) * unit
        allowed = part * walks.norm(samples) * math.sqrt(2 * size)
        _compare(amplitudes, heights.T.ravel() * size, allowed, name)
    right = ended[: len(climbed.ended)]
    if climbed.whole is not None:
        steps, joint = block.end - block.begin, climbed.joint
        right = walks.walk_free(
            climbed.begun, block.stride, steps, block.stairs, block.to
        )[: len(climbed.ended)]
        places = np.arange(joint, len(right), dtype=right.dtype)
        heights = block.excess + block.stairs + 1 - block.to * (2 * places + 1)
        right[joint:] -= block.stairs * walks.pmf_at(
            right.dtype.type(block.end), heights
        )
        right[:joint] = ended[:joint]
    _compare(climbed.ended, right, 8 * unit * walks.norm(right), name)


def stair_by_stair(climbed: Climbed, allowed: float, numbers: Arithmetic) -> None:
    """Test a block that begins with all cells against single stairs of the same tops.

    The block's own cells may err by a norm that is allowed.
    """
    block, cells = climbed.passage.block, climbed.begun
    begin, allowed = block.begin, allowed / math.sqrt(block.to)
    for excess, top in enumerate(climbed.passage.tops.tolist(), block.excess + 1):
        chance = walks.pmf(top, excess, numbers.real)
        allowed += walks.error_of_walk(cells, begin, top, excess + 1, 1, numbers)
        cells = walks.step(walks.walk(cells, top - 1 - begin))
        cells -= walks.pmf_below(top, excess, chance, len(cells))
        begin = top
    last = block.excess + block.stairs
    allowed += walks.error_of_walk(cells, begin, block.end, last + 1, 0, numbers)
    cells = walks.walk(cells, block.end - begin)[block.to // 2 :: block.to]
    name = f"the stairs from {block.excess + 1} to {last}"
    _compare(climbed.ended, cells[: len(climbed.ended)], allowed, name)


def samples(
    climbed: Climbed, near_allowed: float, far_allowed: float, numbers: Arithmetic
) -> None:
    """Test three samples against sums over the samples in the beginning.

    The barrier has no effect on them. The first is the last that climbed stair by
    stair.
    """
    block = climbed.passage.block
    steps, joint, unit = block.end - block.begin, climbed.joint, numbers.unit_roundoff
    if climbed.whole is None or steps < _FEWEST_STEPS:
        return
    cells, dtype, last = climbed.begun, climbed.begun.dtype, len(climbed.ended) - 1
    reach = math.ceil(numbers.deviations * math.sqrt(steps) / (2 * block.stride)) + 1
    around = 2 * block.stride * np.arange(-reach, reach + 1)
    laws: dict[int, Reals] = {}
    for place in sorted({joint - 1, (joint + last) // 2, last}):
        depth = block.to * (2 * place + 1) - block.stairs
        middle = depth // (2 * block.stride)
        offset = depth - block.stride * (2 * middle + 1)
        if offset not in laws:
            laws[offset] = walks.pmf_at(
                dtype.type(steps), (offset - around).astype(dtype)
            )
        first = max(middle - reach, 0)
        amounts = cells[first : middle + reach + 1]
        law = laws[offset][first - middle + reach :][: len(amounts)]
        terms = amounts * law * block.stride
        excess = block.excess + 1 - depth
        lost = block.stairs * walks.pmf(block.end, excess, numbers.real)
        error = abs(float(terms.sum() - lost - climbed.ended[place]))
        # Of each term, and of the sum: P at up to nine deviations, and few additions.
        sizes = float(np.abs(terms).sum()) + float(lost)
        allowed = near_allowed if place < joint else far_allowed
        allowed += (3 * numbers.deviations**2 + walks.PMF_ROUNDINGS) * unit * sizes
        if not error <= allowed:
            raise _refusal(
                f"a sample at excess {excess} with {block.end} cards left errs by "
                f"{error:.1e}, where {allowed:.1e} was allowed"
            )


def row_of_pmf(climbed: Climbed, allowed: float, numbers: Arithmetic) -> None:
    """Test that the free walk of a block makes a row of P of one, below the joint.

    The walk may err by a part of the row's norm that is allowed.
    """
    block, dtype = climbed.passage.block, climbed.begun.dtype
    depths = block.stride * (2 * np.arange(len(climbed.begun), dtype=dtype) + 1)
    row = walks.pmf_at(dtype.type(block.begin), block.excess + 1 - depths)
    steps = block.end - block.begin
    moved = walks.walk_free(row, block.stride, steps, block.stairs, block.to)
    places = np.arange(climbed.joint, len(climbed.ended), dtype=dtype)
    heights = block.excess + block.stairs + 1 - block.to * (2 * places + 1)
    right = walks.pmf_at(dtype.type(block.end), heights)
    allowed += 2 * walks.PMF_ROUNDINGS * numbers.unit_roundoff
    allowed += walks.tails(numbers) + 8 * walks.dropped(numbers)
    allowed *= walks.norm_of_pmf(block.begin)
    amounts = moved[climbed.joint : len(climbed.ended)]
    _compare(amounts, right, allowed, f"the probabilities of {block.end} steps")


def _compare(cells: Reals, right: Reals, allowed: float, name: str) -> None:
    error = walks.norm(cells - right)
    if not error <= allowed:
        raise _refusal(
            f"{name}, climbed in two ways, differ by {error:.1e}, where {allowed:.1e} "
            "was allowed"
        )


def _refusal(reason: str) -> ArithmeticError:
    return ArithmeticError(f"{reason}; no error can be certified")
