"""Distributions of payoff, draws and lowest cash: play run forwards under a stop set.

Play is at (r, b), n = r + b, with some probability. If it goes on, a card is drawn and
the probability flows to level n - 1; in the stop set play ends. In exact arithmetic the
flow is a number of paths F, which obeys Pascal's rule, and the probability is
``F(n, r) C(n, r) / C(N, R)``: all orders of the remaining cards are equally likely. The
results of the endings are added up: in O(l**1.5) time in float64, besides the time for
the policy itself.

The probability that the cash sinks to -x or below is found by adding a rule: play also
ends there. So play is run forwards once for each depth x, many depths together, as rows
of one array of numbers of paths. Paths that reach the *floor* of a row, the smallest r
with so little cash, are counted and removed. All depths of a deck of l + l cards are
O(sqrt l) floors of O(sqrt l) cells at 2 l levels: O(l**2) time.
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
from cardgames_dp._support.running import progress_bar, refuse_too_large, with_progress
from cardgames_dp.redblack._kernels.scaling import BLOCK, TAIL_BITS, Band, about_width
from cardgames_dp.redblack._kernels.stop_sets import StopSet
from cardgames_dp.redblack.rules import Problem, Stakes, in_units
from cardgames_dp.redblack.utilities import in_float64, in_fractions

_CELLS = 2**15
"""Cells of the flows that run together: few enough for the cache."""

_RARE = 2.0**-64
"""Depths whose states all have a probability of at most this / N are left out."""

_MOST_DEPTHS = 10**6
"""The most depths, where each is followed by itself: more would take days."""

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


def play(problem: Problem, stop_set: StopSet) -> Iterator[Front]:
    """Yield the levels of play from the full deck down, until all of it has ended.

    The flow is the probability, or the number of paths, with which play reaches each
    cell, from a first one on. In the cells with the indices `stops` some of it has
    ended: all, but for a mixed policy. In float64 only the band is kept.
    """
    _, red, black, exact = problem
    band = None if exact or min(red, black) == 0 else Band(red, black)
    flow, first = np.ones(1, problem.dtype), red
    for n in range(red + black, -1, -1):
        stops = stop_set(n, first, first + len(flow) - 1) if n else range(1)
        ended = flow
        if isinstance(stops, np.ndarray):
            ended = flow * stops
            stops = np.flatnonzero(ended).tolist()
        yield n, first, flow, stops, ended
        if ended is flow and len(stops) == len(flow):
            return
        if isinstance(stops, range):  # no flow is left below the boundary
            flow, first = flow[len(stops) :], first + len(stops)
        else:
            flow[stops] -= ended[stops]
            left = np.flatnonzero(flow)
            if not len(left):
                return
            flow, first = flow[left[0] : left[-1] + 1], first + left.item(0)
        flow, first = _next_flow(flow, n, first)
        if band and n % BLOCK == 0:
            lowest, highest = band.over(max(n - BLOCK, 0), n)
            flow = flow[max(lowest - first, 0) : highest - first + 1]
            first = max(lowest, first)
            if not len(flow):  # all flow is outside the band
                return


def _next_flow(flow: NDArray[Any], n: int, first: int) -> tuple[NDArray[Any], int]:
    """Return the flow on the next level, n - 1, and the r of its first cell."""
    by_red = by_black = flow
    if flow.dtype != object:
        r = np.arange(first, first + len(flow), dtype=np.float64)
        by_red, by_black = flow * (r / n), flow * ((n - r) / n)
    result = np.zeros(len(flow) + 1, flow.dtype)
    result[:-1] = by_red
    result[1:] += by_black
    # A colour that is used up cannot be drawn: no r = -1, nor r = n.
    low, high = int(first == 0), len(result) - int(first + len(flow) > n)
    return result[low:high], first - 1 + low


Law: TypeAlias = tuple[NDArray[Any], NDArray[Any], float]
"""What play may end with, increasing, the probabilities, and a bound of their errors.

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
    if problem.rules.gain <= 0:  # the cash never rises: the final cash is the lowest
        return payoff(problem, stops)[:2]
    if not problem.exact:
        width = int(about_width(problem.red, problem.black))
        steps = width * width * problem.cards
        what = f"the steps to the lowest cash of {problem.deck}"
        arguments.at_most(what, steps, _MOST_STEPS, problem.instead)
    stakes = Stakes.of(problem.rules)
    depths = _depths(problem, stops, stakes)
    reached = [1, *_sweep(problem, stops, depths), 0]
    # Below this share of the chance before, a difference may be only rounding.
    noise = 0 if problem.exact else problem.cards * 2.0**-52
    atoms = [
        (depth, here - below)
        for depth, here, below in zip([0, *depths], reached, reached[1:], strict=False)
        if here - below > noise * here
    ]
    support = [problem.number(-stakes.unit * depth) for depth, _ in reversed(atoms)]
    chances = [problem.number(p) for _, p in reversed(atoms)]
    return merged(np.array(support, problem.dtype), np.array(chances, problem.dtype))


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


def _depths(problem: Problem, stops: StopSet, stakes: Stakes) -> list[int]:
    """Return all positive losses that play may reach, increasing, in units."""
    least = 0 if problem.exact else _RARE / max(problem.cards, 1)
    gain, cost = stakes.gain, stakes.cost

    def lost(n: int, r: int) -> int:
        return cost * (problem.black - (n - r)) - gain * (problem.red - r)

    depths: set[int] = set()
    deepest = 0
    fronts = with_progress(play(problem, stops), problem.cards + 1, "levels")
    for n, first, flow, *_ in fronts:
        likely = np.flatnonzero(flow > least)
        if gain == cost:
            if len(likely):
                deepest = max(deepest, lost(n, first + int(likely[-1])))
            continue
        depths.update(lost(n, r) for r in (likely + first).tolist())
        instead = "use a smaller deck, or the same amount for both colours"
        arguments.at_most("the depths of cash", len(depths), _MOST_DEPTHS, instead)
    if gain == cost:
        return list(range(1, deepest + 1))
    return sorted(depth for depth in depths if depth > 0)


def _sweep(problem: Problem, stops: StopSet, depths: Sequence[int]) -> list[Any]:
    """Return the probabilities of sinking to these depths, one sweep for each."""
    _, red, black, exact = problem
    # Play above a floor has about a third of the band's cells, on average.
    rows = max(_CELLS // (int(about_width(red, black) / 3) + 2), 1)
    chunks = [depths[i : i + rows] for i in range(0, len(depths), rows)]
    total = len(chunks) * (red + black)
    weights: list[Any] = []
    with progress_bar(total, "levels") as bar:
        for chunk in chunks:
            weights += _side_by_side(problem, stops, chunk, bar).tolist()
    if exact:
        orders = math.comb(red + black, red)
        return [Fraction(weight, orders) for weight in weights]
    return weights


def _side_by_side(
    problem: Problem, stops: StopSet, depths: Sequence[int], bar: Any
) -> NDArray[Any]:
    """Return the weights of play that reaches each of several floors."""
    rules, red, black, exact = problem
    stakes = Stakes.of(rules)
    band, by_red, by_black = _balancing_weights(problem)
    kind = problem.dtype
    slope, cards, ratio = stakes.gain + stakes.cost, red + black, by_red / by_black
    small = slope * cards + max(depths) < 2**62
    # With n cards left (start + cost n) // slope is the smallest r with so little cash.
    start = np.array(depths, dtype=np.int64 if small else object)
    start += stakes.gain * red - stakes.cost * black + slope - 1
    rows, weights = np.arange(len(depths)), np.zeros(len(depths), kind)
    paths, share, first = np.ones((len(depths), 1), kind), np.ones(1, kind), red
    for n in range(cards, -1, -1):
        if (cards - n) % BLOCK == 0:
            if bar is not None:
                bar.update(min(BLOCK, n))
            if not paths[:, max(-first, 0) : n - first + 1].any():
                break
            paths, share, first = _window(paths, share, n, first, band, ratio)
            spare, begin = np.zeros_like(paths), 0
        floor = ((start + stakes.cost * n) // slope).astype(np.int64, copy=False)
        floor -= first
        lowest, end = max(-first, 0), min(paths.shape[1], min(n, red) - first + 1)
        # At most one cell of a row can be at its floor.
        low, high = floor.searchsorted((lowest, end)).tolist()
        if low < high:
            cells = rows[low:high], floor[low:high]
            reds = (cells[1] + first).tolist()
            orders = [math.comb(n, r) for r in reds] if exact else share[cells[1]]
            weights[low:high] += paths[cells] * np.array(orders, kind)
            paths[cells] = 0
        begin, end = max(begin, lowest), min(end, floor.item(-1))
        if not n or begin >= end:
            break
        ends = stops(n, first + begin, first + end - 1)
        if isinstance(ends, np.ndarray):
            paths[:, begin:end] *= 1 - ends
        elif isinstance(ends, range):
            paths[:, begin : begin + len(ends)] = 0
            begin += len(ends)
        else:
            paths[:, begin:end][:, ends] = 0
        _draw(paths, spare, by_red, by_black)
        paths, spare = spare, paths
        if not exact:
            share *= np.arange(first, first + len(share)) / (n * by_red)
        first -= 1
    return weights


def _balancing_weights(problem: Problem) -> tuple[Band | None, float, float]:
    """Return the band, and weights of the colours that keep paths of similar size."""
    _, red, black, exact = problem
    if exact:
        return None, 1, 1
    # Deep floors have small probabilities; the band's tail must be smaller still.
    band = Band(red, black, 2 * TAIL_BITS) if min(red, black) else None
    ratio = (red + 1) / (black + 1)
    return band, min(ratio, 1), min(1 / ratio, 1)


def _window(
    paths: NDArray[Any],
    share: NDArray[Any],
    n: int,
    first: int,
    band: Band | None,
    ratio: float,
) -> tuple[NDArray[Any], NDArray[Any], int]:
    """Return paths and shares with room for the next levels, and the first r.

    A window has a column for each number of black cards that remain, the largest first;
    its first r falls by one at each level. The share of a column is that of its C(n, r)
    orders in all orders of the deck, divided by scale and weights, which have a ratio.
    """
    used = np.flatnonzero(paths[:, : n - first + 1].any(axis=0))
    begin, end = max(used.item(0), -first), used.item(-1) + 1
    if band:
        lowest, highest = band.over(max(n - BLOCK, 0), n)
        end = max(min(end, highest - first + 1), begin + 1)
        begin = min(max(begin, lowest - first), end - 1)
    paths, first = paths[:, begin:end], first + begin
    room = np.zeros((len(paths), BLOCK + 1), paths.dtype)
    if share.dtype == object:  # exact shares are computed where they are needed
        return np.hstack((paths, room)), share, first
    share = share[begin:end]
    scale = 2.0 ** math.frexp(share.max())[1]
    r = np.arange(first + len(share) - 1, first + len(share) + BLOCK)
    ratios = (n - r) / (r + 1) * ratio
    share = np.concatenate((share, share[-1] * ratios.cumprod())) / scale
    return np.hstack((paths * scale, room)), share, first


def _draw(
    paths: NDArray[Any], drawn: NDArray[Any], by_red: float, by_black: float
) -> None:
    """Put the paths of the next level into `drawn`: all rows as one line, for speed."""
    # The last column is empty, so that no path moves to another row.
    line, result = paths.reshape(-1), drawn.reshape(-1)
    drew_red = line if by_red == 1 else line * by_red
    drew_black = line if by_black == 1 else line * by_black
    result[0] = drew_red[0]
    np.add(drew_red[1:], drew_black[:-1], out=result[1:])
