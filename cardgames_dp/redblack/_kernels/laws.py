"""The results that an optimal player may have, and how likely each of them is.

Play is run forwards (:mod:`cardgames_dp.redblack._kernels.forward`), and what it ends
with is added up. Under linear rules the stop set comes from the boundary, without a
table, so the whole takes O(l**1.5) time in float64; under a utility it comes from the
table of all states.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._numbers import printable
from cardgames_dp.redblack._kernels import limits, tables
from cardgames_dp.redblack._kernels.antidiagonals import antidiagonal
from cardgames_dp.redblack._kernels.boundary import tops
from cardgames_dp.redblack._kernels.forward import Ending, StopSet, endings
from cardgames_dp.redblack._kernels.stakes import as_float
from cardgames_dp.redblack._kernels.terms import Terms


def payoff(
    rules: Terms, red: int, black: int, *, exact: bool, progress: bool
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the cash that play may end with, increasing, and its probabilities."""
    unit = rules.cash_unit
    win, lose = int(rules.gain / unit), int(rules.cost / unit)
    weights: dict[int, Any] = defaultdict(int)  # by cash in units: equal cash must meet
    for end in _endings(rules, red, black, exact=exact, progress=progress):
        black_drawn = black - (end.n - end.red)
        weights[win * (red - end.red) - lose * black_drawn] += end.weight
    cash = [printable(unit * units) for units in sorted(weights)]
    support = np.empty(len(cash), dtype=object if exact else np.float64)
    support[:] = cash if exact else [as_float(amount) for amount in cash]
    return support, _probabilities(weights, red, black, exact=exact)


def duration(
    rules: Terms, red: int, black: int, *, exact: bool, progress: bool
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return the numbers of cards that may be drawn, increasing, and their chances."""
    weights: dict[int, Any] = defaultdict(int)
    for end in _endings(rules, red, black, exact=exact, progress=progress):
        weights[red + black - end.n] += end.weight
    support = np.array(sorted(weights), dtype=np.int64)
    return support, _probabilities(weights, red, black, exact=exact)


def _endings(
    rules: Terms, red: int, black: int, *, exact: bool, progress: bool
) -> Iterator[Ending]:
    """Yield where an optimal player stops, and how often, unless it takes too much."""
    limits.refuse_law(red, black, exact=exact, progress=progress)
    stop_set = _stop_set(rules, red, black, exact=exact, progress=progress)
    return endings(red, black, stop_set, exact=exact, progress=progress)


def _stop_set(
    rules: Terms, red: int, black: int, *, exact: bool, progress: bool
) -> StopSet:
    """Return where an optimal player stops: by the boundary, or by a table."""
    if rules.utility is None:
        top = tops(rules, red, black, exact=exact, progress=progress).tolist()
        top[0] = 0  # with no cards play ends under any tie rule
        return lambda n, first, last: range(min(top[n], last) + 1 - first)
    limits.refuse_tables(red, black, exact=exact, progress=progress)
    _, stop, _ = tables.tables(rules, red, black, exact=exact, progress=progress)
    return lambda n, first, last: np.flatnonzero(
        antidiagonal(stop, n, first, last)
    ).tolist()


def _probabilities(
    weights: Mapping[int, Any], red: int, black: int, *, exact: bool
) -> NDArray[Any]:
    """Return the weights of `endings`, by increasing result, as probabilities."""
    ordered = [weights[result] for result in sorted(weights)]
    shares = np.empty(len(ordered), dtype=object if exact else np.float64)
    if exact:
        orders = math.comb(red + black, red)
        ordered = [printable(Fraction(weight, orders)) for weight in ordered]
    shares[:] = ordered
    return shares
