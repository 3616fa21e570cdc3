"""The results that a player may have, and their probabilities.

Play is run forwards (:mod:`cardgames_dp.redblack._kernels.forward`) under the stop set
of any policy, and the results of its endings are added up: in O(l**1.5) time in
float64, besides the time for the policy itself.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._numbers import printable
from cardgames_dp.redblack._kernels.forward import endings
from cardgames_dp.redblack._kernels.stakes import as_float
from cardgames_dp.redblack._kernels.stops import StopSet
from cardgames_dp.redblack._kernels.terms import Terms


def payoff(
    rules: Terms, red: int, black: int, stops: StopSet, *, exact: bool, progress: bool
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the cash that play may end with, increasing, and its probabilities."""
    unit = rules.cash_unit
    win, lose = int(rules.gain / unit), int(rules.cost / unit)
    weights: dict[int, Any] = defaultdict(int)  # by cash in whole units
    for end in endings(red, black, stops.among, exact=exact, progress=progress):
        black_drawn = black - (end.n - end.red)
        weights[win * (red - end.red) - lose * black_drawn] += end.weight
    cash = [printable(unit * units) for units in sorted(weights)]
    support = np.empty(len(cash), dtype=object if exact else np.float64)
    support[:] = cash if exact else [as_float(amount) for amount in cash]
    return support, _probabilities(weights, red, black, exact=exact)


def duration(
    red: int, black: int, stops: StopSet, *, exact: bool, progress: bool
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return the numbers of cards that may be drawn, increasing, and their chances."""
    weights: dict[int, Any] = defaultdict(int)
    for end in endings(red, black, stops.among, exact=exact, progress=progress):
        weights[red + black - end.n] += end.weight
    support = np.array(sorted(weights), dtype=np.int64)
    return support, _probabilities(weights, red, black, exact=exact)


def worth(
    rules: Terms, red: int, black: int, stops: StopSet, *, exact: bool, progress: bool
) -> float | Fraction:
    """Return the expected reward: the mean of the payoff or of its utility."""
    cash, chances = payoff(rules, red, black, stops, exact=exact, progress=progress)
    if exact:
        rewards = rules.exact_reward(cash.tolist())
        shares = zip(rewards, chances.tolist(), strict=True)
        return sum((u * p for u, p in shares), Fraction(0))
    return math.fsum((rules.reward(cash) * chances).tolist())


def _probabilities(
    weights: Mapping[int, Any], red: int, black: int, *, exact: bool
) -> NDArray[Any]:
    """Return the weights of `endings`, ordered by result, as probabilities."""
    ordered = [weights[result] for result in sorted(weights)]
    shares = np.empty(len(ordered), dtype=object if exact else np.float64)
    if exact:
        orders = math.comb(red + black, red)
        ordered = [printable(Fraction(weight, orders)) for weight in ordered]
    shares[:] = ordered
    return shares
