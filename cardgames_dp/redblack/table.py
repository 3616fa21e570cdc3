"""Full tables of red/black, by both backends."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, diagonal
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._extras import tracked
from cardgames_dp._numbers import printable
from cardgames_dp.redblack._kernels import costs, recurrence
from cardgames_dp.redblack._kernels.methods import TABLE_METHODS, TableMethod
from cardgames_dp.redblack.rules import Rules
from cardgames_dp.redblack.solution import Solution
from cardgames_dp.redblack.valuation import BACKENDS, Backend

_FRACTION_BYTES = 200
"""About what a Fraction takes, with its place in the array and its two integers."""


def solve(
    red: int,
    black: int,
    *,
    rules: Rules | None = None,
    backend: Backend = "float64",
    method: TableMethod = "auto",
    max_bytes: int | None = None,
    progress: bool = False,
) -> Solution:
    """Solve the game in every state that it can reach.

    Grade: float64; exact with ``backend="exact"``.

    Parameters
    ----------
    red, black : int
        Cards of each colour in the full deck.
    rules : Rules, optional
        The classic ones if not given.
    backend : {"float64", "exact"}
        Float tables by vectorised antidiagonals; exact ones in integers, as Fractions,
        for decks of up to some hundreds of cards.
    method : {"auto", "diagonal"}
        The algorithm; "diagonal" is the only one that makes tables.
    max_bytes : int, optional
        The largest table to make; half of this machine's memory if not given.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).

    Returns
    -------
    Solution
        Tables indexed by cards remaining, ``[red, black]``.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the kinds above, amounts are too large or too small
        for float64, or the utility returns something else than finite real numbers.
    TooLargeError
        If the tables would not fit in memory. :func:`value` gives the value,
        :func:`thresholds` the boundary and :func:`payoff_law` the law without a table.
    TooLongError
        If they would take weeks, or more than an hour without `progress`.
    ModuleNotFoundError
        If `progress` is asked for and `tqdm` is not installed.

    Notes
    -----
    In float64 two worths that differ by no more than a running bound of their rounding
    error are taken for a tie; the exact backend knows for certain.

    References
    ----------
    Document 001 ("Problem 14 Dynamic Programming Solutions"), whose spreadsheet by Han
    Zheng is the table of totals of 26 red and 26 black cards.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> table = redblack.solve(4, 4)
    >>> table.values[:5, :5].round(4).tolist()[3]
    [3.0, 2.25, 1.5, 0.85, 0.3429]
    >>> bool(table.stop[1, 2]), bool(table.ties[1, 2])
    (True, True)
    """
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    rules = _checks.rules(rules, Rules)
    exact = _checks.choice("backend", backend, BACKENDS) == "exact"
    if _checks.choice("method", method, TABLE_METHODS) == "auto":
        method = "diagonal"
    if max_bytes is not None:
        max_bytes = _checks.integer("max_bytes", max_bytes)
    progress = _checks.boolean("progress", progress)
    shape = (red + 1, black + 1)
    what = f"a table of {_checks.shown(shape[0])} x {_checks.shown(shape[1])} states"
    instead = "use value(...), thresholds(...), payoff_law(...), which need no table"
    cell_bytes = _FRACTION_BYTES + (red + black) // 4 if exact else 10
    diagonal.refuse_too_large(
        what, shape[0] * shape[1] * cell_bytes, instead, max_bytes
    )
    seconds = costs.table(red, black, exact=exact)
    refuse_too_long(what, seconds, instead, progress=progress)
    # The table first takes what drawing is ahead of stopping by, with its sign.
    values = np.empty(shape, object if exact else np.float64)
    levels = (_exact if exact else _float64)(rules, red, black)
    for n, first, advantage in tracked(
        levels, red + black + 1, "levels", shown=progress
    ):
        last = first + len(advantage) - 1
        diagonal.antidiagonal(values, n, first, last)[:] = advantage
    stop, ties = np.empty(shape, bool), np.empty(shape, bool)
    nothing: Any = Fraction(0) if exact else 0.0
    for row in range(red + 1):  # row by row, because only rows lie together in memory
        ties[row] = values[row] == 0
        stop[row] = values[row] <= 0
        np.maximum(values[row], nothing, out=values[row])
    if rules.tie == "draw":
        stop &= ~ties
    stop[0, 0], ties[0, 0] = True, False  # an empty deck leaves no choice
    return Solution(red, black, rules, backend, method, values, stop, ties)


def _float64(
    rules: Rules, red: int, black: int
) -> Iterator[tuple[int, int, NDArray[np.float64]]]:
    """Yield n, the first r, and what drawing is ahead by in ``[r, n - r]``."""
    for level in recurrence.float_levels(rules, red, black):
        advantage = recurrence.ahead(level.draw, level.stop)
        advantage[np.abs(advantage) <= level.error] = 0  # a tie, to rounding
        yield level.n, level.first, advantage


def _exact(
    rules: Rules, red: int, black: int
) -> Iterator[tuple[int, int, NDArray[np.object_]]]:
    """Yield the same in Fractions."""
    for level in recurrence.exact_levels(rules, red, black):
        advantage = level.draw - level.stop
        for i, denominator in enumerate(level.denominators):
            advantage[i] = printable(Fraction(advantage[i], denominator))
        yield level.n, level.first, advantage
