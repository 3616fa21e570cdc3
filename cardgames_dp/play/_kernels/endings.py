"""The distributions of how games end, from the probabilities of terminal states."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._answers import TERMINAL
from cardgames_dp._graph import Floats, Graph, Integers
from cardgames_dp._law import Law
from cardgames_dp._numbers import printable_array
from cardgames_dp.play._kernels.forward import Reached

_UNIT = 2.0**-53


def laws_of_returns(
    graph: Graph, reached: Reached, *, exact: bool
) -> tuple[tuple[Law[Any], ...], float]:
    """Return the law of each player's returns, and a bound of their errors."""
    ends = np.flatnonzero(graph.players == TERMINAL)
    some = reached.chances[ends] > 0
    chances, errors = reached.chances[ends][some], reached.errors[ends][some]
    tops, bottoms = graph.numerators[some], graph.denominators[some]
    floats = None if exact else graph.payoffs()[0][some]
    laws, most = [], 0.0
    for player in range(graph.num_players):
        of = "return" if graph.num_players == 1 else f"return of player {player}"
        if floats is None:
            pairs = zip(tops[:, player], bottoms[:, player], strict=True)
            worths = [Fraction(int(top), int(bottom)) for top, bottom in pairs]
            laws.append(_exact_law(of, worths, chances.tolist()))
        else:
            found, error = _law(of, floats[:, player], chances, errors)
            laws.append(found)
            most = max(most, error)
    return tuple(laws), most


def law_of_moves(lengths: Iterable[Reached], *, exact: bool) -> tuple[Law[Any], float]:
    """Return the law of the number of moves, and a bound of its errors.

    Parameters
    ----------
    lengths : iterable of Reached
        The terminal states of plays that end after 0, 1, 2, ... moves.
    exact : bool
        Whether to compute in Fractions.
    """
    support, chances, most = [], [], 0.0
    for moves, ends in enumerate(lengths):
        if not ends.places.size:
            continue
        support.append(moves)
        if exact:
            chances.append(sum(ends.chances.tolist(), Fraction(0)))
        else:
            chances.append(math.fsum(ends.chances))
            most = max(most, math.fsum(ends.errors) + _UNIT)
    shares: NDArray[Any] = np.array(chances, dtype=object if exact else np.float64)
    if exact:
        shares = printable_array(shares)
    return Law("moves", np.array(support, dtype=np.int64), shares), most


def _law(
    of: str, worths: Floats, chances: Floats, errors: Floats
) -> tuple[Law[Any], float]:
    support, starts = _sorted(worths)
    order = np.argsort(worths, kind="stable")
    groups = np.split(chances[order], starts)
    doubts = np.split(errors[order], starts)
    shares = np.array([math.fsum(group) for group in groups])
    most = max([math.fsum(group) for group in doubts]) + _UNIT
    return Law(of, support, shares), most


def _sorted(worths: Floats) -> tuple[Floats, Integers]:
    """Return different numbers in order, and where each but the first begins."""
    support, starts = np.unique(np.sort(worths), return_index=True)
    return support, starts[1:]


def _exact_law(of: str, worths: list[Fraction], chances: list[Fraction]) -> Law[Any]:
    shares: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for worth, chance in zip(worths, chances, strict=True):
        shares[worth] += chance
    columns = np.empty((2, len(shares)), dtype=object)
    columns[0], columns[1] = zip(*sorted(shares.items()), strict=True)
    support, probabilities = printable_array(columns)
    return Law(of, support, probabilities)
