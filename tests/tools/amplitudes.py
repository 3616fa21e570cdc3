"""Find the factors of l**-lambda in the value and in the distribution of the payoff.

With l + l cards, H - V(l) is about A l**-lambda, and a payoff of j has a probability of
about C_j l**-lambda. ``python -m tests.tools amplitudes [EXCESS]`` climbs the stairs of
the published boundary with H - W itself, which nothing cancels, and with the
probabilities of the payoffs 0 to 5; up to excess 2000, if none is given, that takes
about two minutes, and up to 6500 half an hour.

All cells of a level are kept. Below the barrier the functions times P are averages of
their two neighbours on the level before; the sine waves of their odd extension are
multiplied by powers of a cosine on each stair. At the barrier the probabilities are 0,
and H - W is H less the excess: a smooth function of the level, whose share of each wave
is a sum of powers, added up in halves, so that nothing cancels there either.

- A and the factor of l**-(3/2) are fitted to H - V at all decks with as many cards as
  a threshold has, with the terms of the law of growth whose coefficients are derived.
- C_0 is fitted to the sum over a level of P times the probability times n**lambda f(y),
  which converges faster than the probability itself. Its corrections are smooth powers
  of the excess, and a sum over all later thresholds, of how far their rounding has
  moved them. All C_j have the same corrections, so their ratios converge faster still.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import mpmath
import numpy as np
from numpy.polynomial import Chebyshev, Polynomial
from numpy.polynomial.chebyshev import chebpts1
from numpy.typing import NDArray
from scipy import fft

from cardgames_dp import fitting, redblack
from cardgames_dp.fitting.growth import _OF_LATTICE, _OF_SQUARE
from cardgames_dp.redblack._kernels.large_decks import boundary, level

Reals: TypeAlias = NDArray[Any]
MP: Any = mpmath.mp.clone()
MP.dps = 60

ALPHA = MP.mpf(str(fitting.shepp_alpha(50)))
LAMBDA = float(fitting.decay_exponent(1, 20))
LAMBDA_2 = float(fitting.decay_exponent(2, 20))
FIRST = 20
"""The excess up to which whole numbers are used."""

PAYOFFS = 6
DEVIATIONS = 9.2
"""How far below 0 cells are kept, in deviations: e**-42 is left out."""

ORDERS = 6
"""Orders of 1 / n of H."""


def thresholds() -> list[int]:
    """Return n_0 = 0, n_1, ...: the published ones, the open ones by the expansion."""
    found = redblack.published_values().thresholds.n.tolist()
    listed = [n if n > 0 else level(k) for k, n in enumerate(found, 1)]
    return [0, *listed]


def pmf(n: Any, s: Any) -> Any:
    """Return P(S_n = s), for s much smaller than n, to the last bits."""
    square = (s / n) ** 2
    exponent = sum(square**i / (i * (2 * i - 1)) for i in range(12, 0, -1)) * n / 2
    black, red = (n + s) / 2, (n - s) / 2

    def rest(m: Any) -> Any:  # of Stirling's formula
        return 1 / (12 * m) - 1 / (360 * m**3) + 1 / (1260 * m**5)

    exponent += rest(black) + rest(red) - rest(n)
    return np.exp(-exponent) * np.sqrt(n / (2 * np.pi * black * red))


class Gap:
    """H - s next to the boundary, by the expansion of Theorem 1's proof.

    H / sqrt(n) is the sum of n**-p F_p(y); each F_p is a sum of moments J_k(y).
    """

    def __init__(self) -> None:
        cosh = MP.taylor(lambda w: MP.log(MP.cosh(w)), 0, 2 * ORDERS + 4)
        tanh = MP.taylor(MP.tanh, 0, 2 * ORDERS + 3)
        # Powers of 1/n, v and y, and their factors.
        bend = {(q - 1, 2 * q, 0): -cosh[2 * q] for q in range(2, ORDERS + 2)}
        term, series = {(0, 0, 0): MP.mpf(1)}, {(0, 0, 0): MP.mpf(1)}
        for i in range(1, ORDERS + 1):
            term = {key: x / i for key, x in _product(term, bend).items()}
            series = {k: series.get(k, 0) + term.get(k, 0) for k in {*series, *term}}
        slope = {(q + 1, 2 * q + 1, 1): -tanh[2 * q + 1] for q in range(ORDERS)}
        self.parts = _product(series, {(0, 0, 0): MP.mpf(1), **slope})
        rows = [
            MP.taylor(lambda y, p=p: self.order(p, y), ALPHA, 8)
            for p in range(ORDERS + 1)
        ]
        rows[0][0] = rows[0][1] = MP.mpf(0)  # F_0 - y has a double root there
        self.rows = [Polynomial([float(x) for x in row]) for row in rows]

    def order(self, p: int, y: Any) -> Any:
        """Return F_p(y)."""
        moments = [MP.exp(y * y / 2) * MP.sqrt(2 * MP.pi) * MP.ncdf(y)]
        moments.append(1 + y * moments[0])
        for k in range(1, 6 * ORDERS + 4):
            moments.append(y * moments[k] + k * moments[k - 1])
        terms = [x * moments[v] * y**e for (q, v, e), x in self.parts.items() if q == p]
        return (1 - ALPHA**2) * MP.fsum(terms)

    def __call__(self, n: Any, s: int) -> Any:
        """Return H(n, s) - s."""
        # In longer floats: two large numbers are subtracted.
        root = np.sqrt(np.asarray(n, np.longdouble))
        apart = ((s - np.longdouble(MP.nstr(ALPHA, 30)) * root) / root).astype(float)
        series = [row(apart) for row in self.rows]
        return sum(
            x * float(n) ** -p if np.ndim(n) == 0 else x * n ** -float(p)
            for p, x in enumerate(series)
        ) * root.astype(float)


def _product(one: Any, other: Any) -> Any:
    """Return the product of two series in 1/n, cut at the last order."""
    found: dict[tuple[int, int, int], Any] = {}
    for (p, v, y), x in one.items():
        for (q, w, z), factor in other.items():
            if p + q <= ORDERS:
                key = p + q, v + w, y + z
                found[key] = found.get(key, 0) + x * factor
    return found


def beginning(tops: list[int]) -> Reals:
    """Return P times H - W, and times the chances of the payoffs, by whole numbers.

    At the first threshold: in the cells at its excess, two less, and so on.
    """
    last = tops[FIRST]
    middle = last + 2
    paths: list[int] = [0] * (2 * middle + 1)
    paths[middle] = 1
    rows = [[0] * len(paths) for _ in range(1 + PAYOFFS)]
    rows[1][middle] = 1
    excess = 1
    for n in range(1, last + 1):
        while tops[excess] < n:
            excess += 1
        before, paths = paths, [0] * len(paths)
        old, rows = rows, [[0] * len(paths) for _ in rows]
        for s in range(-n, n + 1, 2):
            i = middle + s
            paths[i] = before[i - 1] + before[i + 1]
            for kind, row in enumerate(rows):
                if s < excess:
                    row[i] = old[kind][i - 1] + old[kind][i + 1]
                elif kind == 0:
                    row[i] = s * paths[i]
                elif kind - 1 == s:
                    row[i] = paths[i]
    cells = [middle + s for s in range(FIRST, -last - 1, -2)]
    below, less = {}, 0
    for s in range(-last, last + 1, 2):
        below[middle + s], less = less, less + paths[middle + s]
    share, scale = 1 - ALPHA**2, MP.mpf(2) ** last
    rows[0] = [
        share * (2 * below[i] + paths[i]) - rows[0][i] if i in below else 0
        for i in range(len(paths))
    ]
    return np.array([[float(row[i] / scale) for i in cells] for row in rows])


class Level(NamedTuple):
    """A threshold, and P times the functions there, from the barrier down."""

    excess: int
    n: int
    cells: Reals


def climb(tops: list[int], most: int) -> Iterator[Level]:
    """Yield the levels of all thresholds up to an excess."""
    gap, cells = Gap(), beginning(tops)
    for excess in range(FIRST + 1, most + 1):
        begin, n = tops[excess - 1], tops[excess]
        steps, size = n - begin, cells.shape[1]
        need = int((DEVIATIONS + 0.94) * math.sqrt(n) / 2) + 4
        need = min(need, (begin + excess) // 2 + steps + 4)
        if need > size:
            size = fft.next_fast_len(int(1.05 * need) + 2)
            cells = np.pad(cells, ((0, 0), (0, size - cells.shape[1])))
        angles = np.arange(1, size + 1) * np.pi / (2 * size)
        tangents = np.append(np.tan(angles[:-1]), 1e9)
        # The logarithm of cos**-2; that of a cosine near 1 would lose digits.
        decay = np.log1p(tangents**2)
        waves = fft.dst(cells, type=2) * np.exp(-steps / 2 * decay)
        waves[:, -1] = 0.0
        inner = (steps - 1) // 2
        if inner:
            # The higher the stair, the shorter beside its level.
            degree = 9 if excess < 400 else 5
            nodes = (chebpts1(degree + 1) + 1) / 2
            levels = begin + (steps - 2 - 2 * nodes * inner)
            paid = pmf(levels, excess) * gap(levels, excess)
            factors = np.linalg.solve(np.vander(nodes, increasing=True), paid)
            waves[0] += (
                np.sin(angles)
                * np.exp(-decay / 2)
                * (factors @ _powers(decay, inner, degree))
            )
        moved = fft.dst(waves[:, :-1], type=1) / (2 * size)
        cells = np.pad(moved, ((0, 0), (1, 0)))
        cells[0, 0] = pmf(n, excess) * gap(n, excess)
        yield Level(excess, n, cells)


def _powers(decay: Reals, count: int, degree: int) -> Reals:
    """Return the sums of (m / count)**p z**m for m < count, z = exp(-decay)."""
    binomials = [[math.comb(p, q) for q in range(p + 1)] for p in range(degree + 1)]
    sums, length = np.zeros((degree + 1, len(decay))), 1
    sums[0] = 1.0
    for bit in f"{count:b}"[1:]:
        after = np.exp(-length * decay)
        shifted = [sum(x * sums[q] for q, x in enumerate(row)) for row in binomials]
        sums = np.array(
            [(sums[p] + after * shifted[p]) / 2.0**p for p in range(degree + 1)]
        )
        length *= 2
        if bit == "1":
            ratio = length / (length + 1)
            after = np.exp(-length * decay)
            sums = np.array([(sums[p] + after) * ratio**p for p in range(degree + 1)])
            length += 1
    return sums


class Profile:
    """f(y) = exp(y**2 / 4) D_nu(-y), the shape of what decays as n**-lambda."""

    def __init__(self) -> None:
        self.nu, self.edges = MP.mpf(2) * MP.mpf(str(LAMBDA)), np.arange(-14, 1.6, 0.5)
        self.pieces = [
            Chebyshev.interpolate(np.vectorize(self.exactly), 21, [low, low + 0.5])
            for low in self.edges[:-1]
        ]
        places = [-mpmath.inf, -8, -4, -2, 0, ALPHA]
        with MP.workdps(25):
            square = MP.quad(lambda y: self.value(y) ** 2 * MP.exp(-y * y / 2), places)
        norm = self.value(MP.mpf(0)) * MP.mpf(2) ** (-self.nu / 2)
        self.norm = float(norm * MP.sqrt(2 * MP.pi) / square)

    def value(self, y: Any) -> Any:
        """Return f at a place, in many digits."""
        return MP.exp(y * y / 4) * MP.pcfd(self.nu, -y)

    def exactly(self, y: float) -> float:
        """Return f at a place."""
        with MP.workdps(25):
            return float(self.value(MP.mpf(float(y))))

    def __call__(self, y: Reals) -> Reals:
        """Return f in many places, from the largest to the smallest; 0 below -14."""
        found, ends = np.zeros_like(y), np.searchsorted(-y, -self.edges)
        for piece, high, low in zip(self.pieces, ends[1:], ends[:-1], strict=True):
            found[high:low] = piece(y[high:low])
        return found


def fitted(y: Reals, columns: Any, weights: Reals) -> Reals:
    """Return the factors of columns by weighted least squares."""
    matrix = np.array(columns).T * weights[:, None]
    sizes = np.linalg.norm(matrix, axis=0)
    found: Reals = np.linalg.lstsq(matrix / sizes, y * weights, rcond=None)[0] / sizes
    return found


def value_factors(size: Reals, missing: Reals) -> Reals:
    """Return A, minus A_2 and the factor of l**-(3/2), of H - V at some decks."""
    terms = {round(t.exponent, 6): t.coefficient for t in fitting.GROWTH_TERMS}
    weights, a = size ** (1.75 - LAMBDA) / (1 + (size / 3e7) ** 1.52), 0.1026
    for _ in range(5):  # the terms that are derived from A
        known = -_OF_SQUARE * a * a * size ** (-0.5 - LAMBDA) - _OF_LATTICE * a / size
        known -= terms[-0.75] * size ** (LAMBDA - 0.75) + terms[-1.25] * size ** (
            LAMBDA - 1.25
        )
        columns = [size ** (LAMBDA - e) for e in (LAMBDA, LAMBDA_2, 1.5)]
        a, *others = fitted(missing * size**LAMBDA - known, columns, weights)
    return np.array([a, *others])


def later_roundings(tops: list[int]) -> Reals:
    """Return, for each excess, how far later n_k are rounded, times k**-3, summed."""
    k, alpha = np.arange(1.0, len(tops)), float(ALPHA)
    nth = ((k + 0.5) / alpha) ** 2
    for _ in range(60):  # Newton's method: where the expansion of the boundary is k
        nth += (k - boundary(nth)) * 2 * np.sqrt(nth) / alpha
    moved = (np.array(tops[1:]) - (nth - 1)) * k**-3.0
    return np.append(np.cumsum(moved[::-1])[::-1], 0.0)


def main() -> None:
    """Climb, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("excess", nargs="?", type=int, default=2000)
    most = parser.parse_args().excess
    tops, profile = thresholds(), Profile()
    decks, missing, excesses, sums = [], [], [], []
    for excess, n, cells in climb(tops, most):
        if excess % 2 == 0:
            decks.append(n / 2)
            missing.append(cells[0, excess // 2] / pmf(n, 0))
        if excess >= most // 40 and excess % max(most // 1000, 1) == 0:
            places = (excess - 2.0 * np.arange(cells.shape[1])) / math.sqrt(n)
            excesses.append(float(excess))
            sums.append(cells[1:] @ profile(places) * n**LAMBDA * profile.norm)
    a, second, rest = value_factors(np.array(decks), np.array(missing))
    print(f"A = {a:.14f}, A_2 = {second:.7f}, of l**-(3/2): {-rest:.5f}")
    k, later = np.array(excesses), later_roundings(tops)
    columns = [k**0, k ** (-1 - 2 * LAMBDA), k**-1.5, k**-2, later[k.astype(int)]]
    first, *corrections = fitted(np.array(sums)[:, 0], columns, k**2)
    print("corrections of C_0:", " ".join(f"{x:.5f}" for x in corrections))
    for j, ratio in enumerate(sums[-1] / sums[-1][0]):
        print(f"C_{j} = {first * ratio:.12f}")


if __name__ == "__main__":
    main()
