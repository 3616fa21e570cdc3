"""Policies as stop sets, the form in which they are played and simulated."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp.redblack._kernels import limits, tables, within
from cardgames_dp.redblack._kernels.boundary import tops
from cardgames_dp.redblack._kernels.stops import Asked, Edges, StopSet, Table, either
from cardgames_dp.redblack.policies import (
    OptimalWithin,
    StopAfter,
    StopAtCash,
    StopAtExcess,
    StopAtFirst,
    StopAtLoss,
    StopFunction,
)
from cardgames_dp.redblack.rules import Rules
from cardgames_dp.redblack.solution import Solution


def named(policy: object) -> str:
    """Return the name of a policy."""
    if isinstance(policy, str):
        return policy
    if isinstance(policy, StopAtExcess | StopAtFirst | Solution):
        return repr(policy)
    if callable(policy):
        return _checks.called(policy)
    return _checks.shown(policy)


def stop_set(
    policy: object,
    rules: Rules,
    red: int,
    black: int,
    *,
    exact: bool = False,
    progress: bool = False,
) -> StopSet:
    """Return the states in which a player of a checked policy stops.

    `exact` says whether a policy that has to be computed first is computed exactly.

    Raises
    ------
    ValueError
        If the policy belongs to another deck.
    TooLargeError, TooLongError
        If the policy would not fit in memory, or take too long.
    """
    cards = red + black
    how = {"exact": exact, "progress": progress}
    if isinstance(policy, StopAtFirst):
        parts = [stop_set(part, rules, red, black, **how) for part in policy.policies]
        return either(parts)
    if isinstance(policy, OptimalWithin):
        loss = None if policy.loss is None else _checks.amount("loss", policy.loss)
        draws = None if policy.draws is None else int(policy.draws)
        return within.best(rules, red, black, loss, draws, **how)
    if isinstance(policy, Solution):
        return Table(_table_of(policy, red, black))
    if isinstance(policy, StopAtExcess):
        return Edges.of(cards, ahead=_excess_tops(policy.excess, red, black))
    if isinstance(policy, StopAfter):
        n = np.arange(cards + 1)
        drawn = min(int(policy.cards), cards + 1)
        return Edges.of(cards, ahead=np.where(n <= cards - drawn, n, -1))
    if isinstance(policy, StopAtCash):
        amount = _checks.amount("amount", policy.amount)
        return Edges.of(cards, ahead=_at_least(amount, rules, red, black))
    if isinstance(policy, StopAtLoss):
        amount = _checks.amount("amount", policy.amount)
        return Edges.of(cards, behind=_richer(-amount, rules, red, black) + 1)
    if isinstance(policy, str):
        return _by_name(policy, rules, red, black, **how)
    return Asked(cast("StopFunction", policy), red, black)


def _by_name(
    policy: str, rules: Rules, red: int, black: int, *, exact: bool, progress: bool
) -> StopSet:
    """Return the stop set of a named policy."""
    if policy == "optimal":
        return _optimal(rules, red, black, exact=exact, progress=progress)
    cards, nothing = red + black, Fraction(0)
    if policy == "first_positive":
        return Edges.of(cards, ahead=_richer(nothing, rules, red, black))
    if policy == "quit_when_negative":
        return Edges.of(cards, behind=_at_least(nothing, rules, red, black) + 1)
    return Edges.of(cards)  # "never_stop"


def _optimal(
    rules: Rules, red: int, black: int, *, exact: bool, progress: bool
) -> StopSet:
    """Return the stop set of the optimal player, as a boundary or a table."""
    if rules.utility is None:
        best = tops(rules, red, black, exact=exact, progress=progress)
        return Edges.of(red + black, ahead=best)
    limits.refuse_tables(red, black, exact=exact, progress=progress)
    _, stop, _ = tables.tables(rules, red, black, exact=exact, progress=progress)
    return Table(stop)


def _at_least(
    amount: Fraction, rules: Rules, red: int, black: int
) -> NDArray[np.int64]:
    """Return for each n the largest r where the cash is at least `amount`, else -1."""
    unit = Fraction(1, math.lcm(rules.cash_unit.denominator, amount.denominator))
    gain, cost, wanted = (int(x / unit) for x in (rules.gain, rules.cost, amount))
    found = []
    for n in range(red + black + 1):
        # The cash with r red cards is gain (red - r) - cost (black - (n - r)).
        spare = gain * red - cost * (black - n) - wanted
        if spare < 0:
            found.append(-1)
        elif gain + cost == 0:  # the cash does not depend on the colours
            found.append(n)
        else:
            found.append(min(spare // (gain + cost), n))
    return np.array(found, np.int64)


def _richer(amount: Fraction, rules: Rules, red: int, black: int) -> NDArray[np.int64]:
    """Return for each n the largest r where the cash is more than `amount`, else -1."""
    unit = Fraction(1, math.lcm(rules.cash_unit.denominator, amount.denominator))
    return _at_least(amount + unit, rules, red, black)


def _excess_tops(excess: NDArray[np.int64], red: int, black: int) -> NDArray[np.int64]:
    """Return for each n the largest r with ``(n - r) - r >= excess[n]``."""
    levels = red + black + 1
    if excess.ndim and len(excess) != levels:
        raise ValueError(
            f"policy.excess must have red + black + 1 = {levels} entries, one for each "
            f"number of cards remaining, got {len(excess)}"
        )
    n = np.arange(levels)
    # Clipped to avoid overflow: -n stops everywhere, n + 2 nowhere.
    highest: NDArray[np.int64] = (n - excess.clip(-n, n + 2)) // 2
    return highest


def _table_of(solution: Solution[Any], red: int, black: int) -> NDArray[np.bool_]:
    """Return the stops of a solution, for its own deck or a part of it."""
    deck, own = (red, black), (solution.red, solution.black)
    # Under a utility the cash matters, and so do the cards drawn.
    fits = deck == own if solution.rules.utility else red <= own[0] and black <= own[1]
    if not fits:
        part = "" if solution.rules.utility else ", or of one that holds it"
        raise ValueError(
            f"policy must be a solution of the deck, {red} red and {black} black "
            f"cards{part}, got one of {own[0]} and {own[1]}"
        )
    return solution.stop
