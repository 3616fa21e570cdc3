"""Bounds of the errors of transforms and of walks, in the norm of the cells.

The page "How the staircase works" derives them.
"""

from __future__ import annotations

import math

from cardgames_dp.redblack._kernels.staircase.arithmetic import Arithmetic, Reals
from cardgames_dp.redblack._kernels.staircase.ledger import SLACK, at, spread

PMF_ROUNDINGS = 20
"""Roundings of a probability, within ten standard deviations."""

FIRST = 30
"""Roundings of the cell next to the barrier, besides those of its sum."""

_PASSES, _FRAME = {4: 6, 2: 5, 3: 12, 5: 20}, 8
"""Roundings of the passes of a transform, by their radix; of what comes with them."""

_WALK = 12
"""Roundings of a walk besides its two transforms: decays, the last step, a joint."""


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


def cut(found: float, begin: int, barrier: int, numbers: Arithmetic) -> float:
    """Return the effect of walks that go too far, and of dropped waves, in the norm.

    The window has norm `found` at the level `begin`.
    """
    reached = found + barrier * norm_of_pmf(begin)
    return tails(numbers) * reached + dropped(numbers) * found


def error_of_walk(
    window: Reals, begin: int, n: int, barrier: int, stairs: int, numbers: Arithmetic
) -> float:
    """Return a bound of the error of a window's walk from one level to another.

    At the end the barrier is as given, and P has been subtracted for each of `stairs`.
    """
    size, unit, found = len(window), numbers.unit_roundoff, norm(window)
    rounding = (2 * transform_roundings(size) + _WALK) * unit * found
    # Entry m of a row of P has 2 m roundings more than its first.
    rows = (2 * size + PMF_ROUNDINGS) * unit * stairs * norm_of_pmf(n)
    return rounding + rows + cut(found, begin, barrier, numbers)
