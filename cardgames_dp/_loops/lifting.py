"""Exact solutions of large linear systems, by lifting one in floats.

A system in integers is factored once in float64. Solved for the last residual, shifted
left, it gives some more bits of the solution, and the next residual, an exact integer
[1]_. From twice as many bits as a denominator has, the number is known: it is the best
approximation. So digits cost as many solutions as there are, where elimination handles
long integers in every step.

Nothing rests on floats: that the system has one solution, and that the numbers are this
solution, is checked in integers. Where floats lose the way, nothing is found.

References
----------
.. [1] Z. Wan, "An algorithm to solve integer linear systems exactly using numerical
   methods", Journal of Symbolic Computation 41 (2006), 621-632.
.. [2] A. Berman and R. J. Plemmons, *Nonnegative Matrices in the Mathematical
   Sciences*, SIAM, 1994, chapter 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from operator import mul
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

LEAST_STATES = 100
_LEAST_FILL = 2
"""Below these, elimination takes no more time: it finds an order of play."""

_MOST_FILL = 2**25
"""A bound of the entries of the factors in float64, which fill memory."""

Fractions: TypeAlias = tuple[list[int], int]
"""Numerators over one denominator."""


def lift(
    entries: Sequence[tuple[int, int, int]], right: Sequence[int]
) -> Fractions | None:
    """Return the solution of a large system of equations, if lifting finds it sooner.

    Parameters
    ----------
    entries : sequence of (int, int, int)
        The entries of the matrix: value, row and column. Only those on the diagonal are
        positive.
    right : sequence of int
        The right-hand side.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee
    from scipy.sparse.linalg import splu

    values, rows, inside = map(np.array, zip(*entries, strict=True))
    if values.max() >= 2**40:
        return None
    matrix = csr_array((values.astype(np.int64), (rows, inside)))
    place = np.argsort(reverse_cuthill_mckee(matrix))
    size = len(place)
    if np.abs(place[rows] - place[inside]).max() * size > _MOST_FILL:
        return None
    options = {"permc_spec": "MMD_AT_PLUS_A", "diag_pivot_thresh": 0.0}
    try:
        factors = splu(matrix.astype(np.float64).tocsc(), **options)
    except RuntimeError:  # it is singular
        return None
    # It makes a positive vector positive: an M-matrix, so there is one solution [2]_.
    times = np.rint(factors.solve(np.full(size, 2.0**10)))
    norm = float(abs(matrix).sum(axis=1).max())
    if (
        factors.L.nnz + factors.U.nnz < _LEAST_FILL * matrix.nnz
        or not 0 < times.min() <= times.max() < 2.0**62 / norm
        or (matrix @ times.astype(np.int64)).min() <= 0
    ):
        return None
    return _lift(matrix, norm, factors, right)


def _lift(
    matrix: Any, norm: float, factors: Any, right: Sequence[int], step: int = 32
) -> Fractions | None:
    """Return the solution, by so many bits a step, or fewer if floats are off."""
    constants: Any = np.array(right, dtype=object)
    first = -(-max(map(abs, right)).bit_length() // step)
    check, numbers = first + 4, [0] * len(right)
    residual: NDArray[np.int64] = np.zeros(len(right), dtype=np.int64)
    # No denominator is larger than the product of the diagonal.
    most = sum(map(int.bit_length, matrix.diagonal().tolist()))
    for done in range(1, first + (4 * most + 256) // step):
        residual = residual << step
        if done <= first:
            parts = abs(constants) >> step * (first - done) & (1 << step) - 1
            residual += (np.sign(constants) * parts).astype(np.int64)
        y = np.rint(factors.solve(residual.astype(np.float64)))
        if not np.abs(y).max() * norm < 2.0**62:
            break
        digits = y.astype(np.int64)
        residual = residual - matrix @ digits
        if np.abs(residual).max() >= 2.0 ** (61 - step):
            break
        numbers = [
            (x << step) + digit
            for x, digit in zip(numbers, digits.tolist(), strict=True)
        ]
        if done == check:
            solution = _reconstruct(numbers, step * (check - first))
            if solution is not None and _solves(matrix, solution, right):
                return solution
            check = first + (check - first) * 3 // 2
    return _lift(matrix, norm, factors, right, step - 8) if step > 8 else None


def _reconstruct(numbers: list[int], bits: int) -> Fractions | None:
    """Return numbers, given in units of ``2**-bits``, as fractions of one denominator.

    None if it has more than half of these bits.
    """
    bottom, tops, unit = 1, list[int](), 1 << bits
    for x in numbers:
        # More bits than these would tell no more.
        more = min(bottom.bit_length() + bits // 8, bits)
        near, half = (x >> bits - more) * bottom, 1 << more - 1
        top = near + half >> more
        if abs(near - (top << more)) >> more - bits // 16:
            part = Fraction(x * bottom % unit, unit).limit_denominator(1 << bits // 2)
            bottom *= part.denominator
            if bottom.bit_length() > bits // 2:
                return None
            tops = [each * part.denominator for each in tops]
            top = (x * bottom + unit // 2) >> bits
        tops.append(top)
    return tops, bottom


def _solves(matrix: Any, solution: Fractions, right: Sequence[int]) -> bool:
    """Return whether a system of equations has this solution."""
    tops, bottom = solution
    after = map(tops.__getitem__, matrix.indices.tolist())
    terms = list(map(mul, matrix.data.tolist(), after))
    rows = pairwise(matrix.indptr.tolist())
    sums = [sum(terms[first:last]) for first, last in rows]
    return sums == [number * bottom for number in right]
