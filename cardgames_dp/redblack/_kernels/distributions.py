"""Distributions of payoff, draws and lowest cash: play run forwards under a stop set.

Play is at (r, b), n = r + b, with some probability. If it goes on, a card is drawn and
the probability flows to level n - 1; in the stop set play ends. In exact arithmetic the
flow is a number of paths F, which obeys Pascal's rule, and the probability is
``F(n, r) C(n, r) / C(N, R)``: all orders of the remaining cards are equally likely. The
results of the endings are added up: in O(l**1.5) time in float64, besides the time for
the policy itself.

The lowest cash is followed in rows of one array, one for each depth: play whose lowest
cash so far is -x moves along its row, and on to a deeper one where the cash sinks below
that. All depths of a deck of l + l cards are O(sqrt l) rows of O(sqrt l) cells at 2 l
levels: O(l**2) time.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._support import arguments
from cardgames_dp._support.running import refuse_too_large, with_progress
from cardgames_dp.redblack._kernels.scaling import BLOCK, Band, about_width
from cardgames_dp.redblack._kernels.stop_sets import StopSet
from cardgames_dp.redblack.rules import Problem, Stakes, in_units
from cardgames_dp.redblack.utilities import in_float64, in_fractions

_RARE = 2.0**-64
"""Depths whose states all have a probability of at most this / N are left out."""

_MOST_DEPTHS = 10**6
"""The most depths, followed row by row: more would take days."""

_RESULT_BYTES = 300
"""Bytes of a result, in dicts and arrays, besides its boundary's level."""

_MOST_STEPS = 10**15
"""Depths times cells times levels, which take about a week."""

_MOST_FOLLOWED, _MOST_FOLLOWED_EXACTLY = 10**10, 10**6
"""Cards that take about a week on one core of a server of 2025."""


def refuse_large(problem: Problem) -> None:
    """Refuse to follow play that would be too large or too long."""
    what = f"a distribution of {problem.deck}"
    refuse_too_large(what, _RESULT_BYTES * (problem.cards + 1), problem.instead)
    most = _MOST_FOLLOWED_EXACTLY if problem.exact else _MOST_FOLLOWED
    arguments.at_most(f"the cards of {what}", problem.cards, most, problem.instead)


Front: TypeAlias = tuple[int, int, NDArray[Any], Sequence[int], NDArray[Any]]
"""A level of play: n, the first r, the flow, the stops, and what has ended."""


def play(
    problem: Problem,
    stop_set: StopSet,
    start: NDArray[Any] | None = None,
    sink: Callable[[int, int, NDArray[Any]], None] | None = None,
) -> Iterator[Front]:
    """Yield the levels of play from the full deck down, until all of it has ended.

    The flow is the probability, or the number of paths, with which play reaches each
    cell, from a first one on. In the cells with the indices `stops` some of it has
    ended: all, but for a mixed policy. In float64 only the band is kept. Flows of
    several rows have a `start`, and `sink` moves them between rows.
    """
    _, red, black, exact = problem
    band = None if exact or min(red, black) == 0 else Band(red, black)
    flow, first = np.ones(1, problem.dtype) if start is None else start, red
    for n in range(red + black, -1, -1):
        if sink:
            sink(n, first, flow)
        stops = stop_set(n, first, first + flow.shape[-1] - 1) if n else range(1)
        ended = flow
        if isinstance(stops, np.ndarray):
            ended = flow * stops
            stops = _columns(ended).tolist()
        yield n, first, flow, stops, ended
        if ended is flow and len(stops) == flow.shape[-1]:
            return
        if isinstance(stops, range):  # no flow is left below the boundary
            flow, first = flow[..., len(stops) :], first + len(stops)
        else:
            flow[..., stops] -= ended[..., stops]
            left = _columns(flow)
            if not len(left):
                return
            flow, first = flow[..., left[0] : left[-1] + 1], first + left.item(0)
        flow, first = _next_flow(flow, n, first)
        if band and n % BLOCK == 0:
            lowest, highest = band.over(max(n - BLOCK, 0), n)
            flow = flow[..., max(lowest - first, 0) : highest - first + 1]
            first = max(lowest, first)
            if not flow.size:  # all flow is outside the band
                return


def _columns(flow: NDArray[Any]) -> NDArray[np.int64]:
    """Return the cells with any flow."""
    return np.flatnonzero(flow if flow.ndim == 1 else flow.any(axis=0))


def _next_flow(flow: NDArray[Any], n: int, first: int) -> tuple[NDArray[Any], int]:
    """Return the flow on the next level, n - 1, and the r of its first cell."""
    by_red, by_black, cells = flow, flow, flow.shape[-1]
    if flow.dtype != object:
        r = np.arange(first, first + cells, dtype=np.float64)
        by_red, by_black = flow * (r / n), flow * ((n - r) / n)
    result = np.zeros((*flow.shape[:-1], cells + 1), flow.dtype)
    result[..., :-1] = by_red
    result[..., 1:] += by_black
    # A colour that is used up cannot be drawn: no r = -1, nor r = n.
    low, high = int(first == 0), cells + 1 - int(first + cells > n)
    return result[..., low:high], first - 1 + low


Law: TypeAlias = tuple[NDArray[Any], NDArray[Any], float]
"""What play may end with, increasing, the probabilities, and a bound on their errors.

With u = 2**-53 and N cards, a step of play rounds at most six times: the chance of a
card, its product with the flow, the sum of both colours, and where the player stops by
chance the product and the rest of the flow. Play only mixes what came before, so that
the errors of all cells sum to at most 6 N u; adding m of them to one result rounds m
times more. Where the player follows one of several policies, their probabilities are
rounded as well. The band leaves out at most 2**-63, and underflow far less.
"""

Outcome: TypeAlias = Callable[[int, int], int]
"""What a play gives that ends with n cards remaining, r of them red."""


def _outcomes(
    problem: Problem, stops: StopSet, *outcomes: Outcome, more: int = 0
) -> list[Law]:
    """Return what play may end with, if stops are rounded `more` times, by outcome."""
    weights: list[dict[int, Any]] = [defaultdict(int) for _ in outcomes]
    terms = [Counter[int]() for _ in outcomes]
    parts = list(zip(outcomes, weights, terms, strict=True))
    fronts = with_progress(play(problem, stops), problem.cards + 1, "levels")
    for n, first, _, places, ended in fronts:
        for i in places:
            if weight := ended.item(i):
                r = first + i
                if problem.exact:
                    weight *= math.comb(n, r)
                for outcome, weight_of, terms_of in parts:
                    weight_of[outcome(n, r)] += weight
                    terms_of[outcome(n, r)] += 1
    return [_law(problem, *each, more) for each in zip(weights, terms, strict=True)]


def _law(
    problem: Problem, weights: dict[int, Any], terms: Counter[int], more: int
) -> Law:
    """Return a law from the weights of results, and how many were added to each."""
    results, error = sorted(weights), 0.0
    shares = [weights[result] for result in results]
    if problem.exact:
        every = math.comb(problem.cards, problem.red)
        shares = [Fraction(weight, every) for weight in shares]
    else:
        rounded = (6 + more) * problem.cards + max(terms.values())
        error = rounded * 2.0**-53 * (1 + 2.0**-20) + 2.0**-63
    chances = np.array(shares, dtype=problem.dtype)
    return np.array(results, dtype=object), chances, error


def payoff(problem: Problem, stops: StopSet) -> Law:
    """Return the cash that play may end with."""
    [law] = _outcomes(problem, stops, _cash(problem))
    return _in_cash(problem, *law)


def payoff_and_draws(
    problem: Problem, stops: StopSet, more: int = 0
) -> tuple[Law, Law]:
    """Return the cash that play may end with, and the numbers of cards drawn."""
    drawn: Outcome = lambda n, _: problem.cards - n  # noqa: E731
    payoff, draws = _outcomes(problem, stops, _cash(problem), drawn, more=more)
    return _in_cash(problem, *payoff), (draws[0].astype(np.int64), *draws[1:])


def _cash(problem: Problem) -> Outcome:
    rules, red, black, _ = problem
    _, (win, lose) = in_units(rules)
    return lambda n, r: win * (red - r) - lose * (black - n + r)


def _in_cash(
    problem: Problem, units: NDArray[Any], chances: NDArray[Any], error: float
) -> Law:
    unit, _ = in_units(problem.rules)
    cash = [problem.number(unit * number) for number in units.tolist()]
    return np.array(cash, dtype=problem.dtype), chances, error


def worth(problem: Problem, stops: StopSet) -> float | Fraction:
    """Return the expected reward: the mean of the payoff or of its utility."""
    utility = problem.rules.utility
    cash, chances, _ = payoff(problem, stops)
    if problem.exact:
        rewards = in_fractions(utility, cash.tolist())
        shares = zip(rewards, chances.tolist(), strict=True)
        return sum((u * p for u, p in shares), Fraction(0))
    return math.fsum((in_float64(utility, cash) * chances).tolist())


def lowest_cash(problem: Problem, stops: StopSet) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the possible lowest cash, increasing, and the probabilities."""
    rules, red, black, exact = problem
    if rules.gain <= 0:  # the cash never rises: the final cash is the lowest
        return payoff(problem, stops)[:2]
    if not exact:
        width = int(about_width(red, black))
        what = f"the steps to the lowest cash of {problem.deck}"
        steps = width * width * problem.cards
        arguments.at_most(what, steps, _MOST_STEPS, problem.instead)
    stakes = Stakes.of(rules)
    gain, slope = stakes.gain, stakes.gain + stakes.cost
    kind: Any = np.int64 if slope * problem.cards < 2**62 else object

    def lost(n: int, reds: NDArray[Any]) -> NDArray[Any]:
        """Return what is lost with n cards left, in units of the stakes."""
        units: NDArray[Any] = slope * reds.astype(kind)
        return units + (stakes.cost * (black - n) - gain * red)

    depths = np.array(_depths(problem, stops, lost), kind)
    what = f"the lowest cash of {problem.deck}, with {len(depths)} depths,"
    bands = min(red, black) + 1 if exact else width
    refuse_too_large(what, 40 * len(depths) * bands, problem.instead)
    rows, weights = np.arange(len(depths)), np.zeros(len(depths), problem.dtype)

    def sink(n: int, first: int, flow: NDArray[Any]) -> None:
        """Move play to the rows of its lowest cash."""
        columns = np.arange(flow.shape[1])
        deepest = depths.searchsorted(lost(n, columns + first), "right") - 1
        above = rows[:, np.newaxis] < deepest
        sunk = np.where(above, flow, 0).sum(axis=0)
        flow[above] = 0
        flow[np.maximum(deepest, 0), columns] += sunk

    # In a row for each depth, play whose lowest cash so far is this.
    start = (rows[:, np.newaxis] == 0).astype(problem.dtype)
    fronts = play(problem, stops, start, sink)
    for n, first, _, places, ended in with_progress(
        fronts, problem.cards + 1, "levels"
    ):
        ends = ended[:, places]
        if exact:
            orders = [math.comb(n, first + i) for i in places]
            ends = ends * np.array(orders, dtype=object)
        weights += ends.sum(axis=1)
    if exact:
        weights = weights * Fraction(1, math.comb(problem.cards, red))
    some = np.flatnonzero(weights)[::-1]
    support = [problem.number(-stakes.unit * depth) for depth in depths[some].tolist()]
    return merged(np.array(support, problem.dtype), weights[some])


def merged(support: NDArray[Any], chances: NDArray[Any]) -> tuple[Any, Any]:
    """Return results, increasing, each once, and the sums of their probabilities."""
    different, places = np.unique(support, return_inverse=True)
    if len(different) == len(support):
        return different, chances[np.argsort(support)]
    parts: list[list[Any]] = [[] for _ in different]
    for place, chance in zip(places.ravel().tolist(), chances.tolist(), strict=True):
        parts[place].append(chance)
    add: Any = sum if chances.dtype == object else math.fsum
    return different, np.array(list(map(add, parts)), dtype=chances.dtype)


def _depths(
    problem: Problem,
    stops: StopSet,
    lost: Callable[[int, NDArray[Any]], NDArray[Any]],
) -> list[int]:
    """Return 0 and all losses that play may reach, increasing, in units."""
    least = 0 if problem.exact else _RARE / max(problem.cards, 1)
    depths = {0}
    fronts = with_progress(play(problem, stops), problem.cards + 1, "levels")
    for n, first, flow, *_ in fronts:
        depths.update(lost(n, first + np.flatnonzero(flow > least)).tolist())
        instead = "use a smaller deck, or the same amount for both colours"
        arguments.at_most("the depths of cash", len(depths), _MOST_DEPTHS, instead)
    return sorted(depth for depth in depths if depth >= 0)
