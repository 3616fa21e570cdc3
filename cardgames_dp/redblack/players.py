"""Players of red/black: the simulation of many games.

Games are dealt card by card, many side by side, all with n cards remaining: each is
given the number of its next card, uniform among 0, ..., n - 1 in integers, so without a
bias of rounding, and the first r of these cards are the red ones. Games that stop leave
the array. Only the states in which games ended are kept, and counted, so memory does
not grow with the number of games, and nothing is rounded before averages are taken.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks
from cardgames_dp._effort import refuse_too_long
from cardgames_dp._extras import progress_bar
from cardgames_dp.diagonal import refuse_too_large
from cardgames_dp.redblack._kernels import costs
from cardgames_dp.redblack.policies import Policy, Stops, stop_rule
from cardgames_dp.redblack.rules import Rules
from cardgames_dp.redblack.simulation import Simulation

CHUNK = 2**16
"""Games dealt side by side: few enough for their arrays to stay in the cache."""

_LEVELS_A_STEP = 2**12
"""Levels after which the progress bar of long games moves."""

_PATH_BYTES, _LEVEL_BYTES = 16, 64
"""What a level takes at most: for each path, and for the policy."""


def simulate(
    red: int,
    black: int,
    *,
    games: int,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    rng: int | np.random.Generator | None = None,
    progress: bool = False,
    paths: int = 0,
) -> Simulation:
    """Deal many games to a player of a given policy, and return what came of them.

    Grade: estimated, with standard errors.

    Parameters
    ----------
    red, black : int
        Cards of each colour in the full deck.
    games : int
        How many games, at least 1.
    policy : word, StopAtCash, StopAtExcess or callable
        When the player stops; before the first card, too, if the policy says so.

        - "optimal": as the solution of the rules says, ``rules.tie`` included.
        - "first_positive": as soon as the cash in hand is positive.
        - "never_stop": not before the deck is empty.
        - ``StopAtCash(amount)``: as soon as the cash in hand is at least that.
        - ``StopAtExcess(excess)``: at any stopping boundary.
        - a callable of two int64 arrays, red and black cards *remaining*, that returns
          a bool array of their shape, true where to stop. It is asked for whole levels
          ``red + black = n > 0``, more than once, and must not depend on chance.
    rules : Rules, optional
        The classic ones if not given.
    rng : None, int or numpy.random.Generator
        A seed, or a source of random numbers. The same seed gives the same games,
        whatever `progress` and `paths` are.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).
    paths : int, default 0
        Of how many of the first games to keep the course as well; at most `games`.

    Returns
    -------
    Simulation
        How the games ended, in counts.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the kinds above, cash would not fit in a float64, the
        utility returns something else than finite real numbers, or a policy something
        else than such an array, or a boundary is not of this deck.
    TooLargeError
        If deck or paths would not fit in memory, or the table that the optimal policy
        needs under a utility.
    TooLongError
        If games that go on to the end of the deck would take weeks, or more than an
        hour without `progress`.
    ModuleNotFoundError
        If `progress` is asked for and `tqdm` is not installed.

    Notes
    -----
    Time grows as the number of cards drawn, some 7 ns each; memory does not depend on
    `games`.

    References
    ----------
    Document 001 ("Problem 14 Dynamic Programming Solutions") confirms the value of 26
    red and 26 black cards in this way: 10,000,000 games had the mean 2.6243913; and it
    draws the paths of 49 games.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> result = redblack.simulate(26, 26, games=100_000, rng=14, paths=49)
    >>> abs(result.mean - redblack.value(26, 26)) < 5 * result.standard_error
    True
    >>> result.payoffs.tolist(), len(result.paths)
    ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 49)

    A player of one's own, who does not stop before the last third of the deck:

    >>> def patient(red, black):
    ...     return (black > red) & (red + black < 18)
    >>> result = redblack.simulate(26, 26, games=1000, policy=patient)
    >>> result.policy, result.loss_frequency
    ('patient', 0.0)
    """
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    games = _checks.integer("games", games, minimum=1)
    rules = _checks.rules(rules, Rules)
    source = _checks.generator(rng)
    progress = _checks.boolean("progress", progress)
    paths = _checks.integer("paths", paths)
    if paths > games:
        raise ValueError(
            f"paths must be at most games, {games}, got {_checks.shown(paths)}"
        )
    deck = f"{_checks.shown(red)} red and {_checks.shown(black)} black cards"
    refuse_too_large(
        f"a simulation of {deck} with {_checks.shown(paths)} paths",
        (paths * _PATH_BYTES + _LEVEL_BYTES) * (red + black + 1),
        "simulate a smaller deck, or ask for fewer paths",
    )
    refuse_too_long(
        f"to play {_checks.shown(games)} games of {deck} to the end",
        costs.simulation(red, black, games),
        "simulate fewer games, or a smaller deck; payoff_law(...) is what they tend to",
        progress=progress,
    )
    _refuse_overflow(rules, red, black)
    player = stop_rule(policy, rules, red, black, progress=progress)
    full = _Deck(red, black, *player)
    ends: Counter[int] = Counter()
    courses: list[NDArray[np.float64]] = []
    with progress_bar(games, "games", shown=progress) as bar:
        for start in range(0, games, CHUNK):
            size = min(CHUNK, games - start)
            watched = min(size, max(paths - start, 0))
            states, trails = _deal(full, size, watched, source, bar)
            found, counts = np.unique(states, return_counts=True)
            ends.update(dict(zip(found.tolist(), counts.tolist(), strict=True)))
            courses += [_course(full, rules, trail) for trail in trails]
            if bar is not None:
                bar.update(start + size - bar.n)
    return _simulation(full, rules, games, ends, courses)


class _Deck(NamedTuple):
    """A full deck and its player: the policy's name, and its stops."""

    red: int
    black: int
    policy: str
    stops: Stops


def _deal(
    deck: _Deck, games: int, watched: int, rng: np.random.Generator, bar: Any
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """Play games; return where they ended, and the first ones' red cards at each draw.

    The end with n cards remaining, r of them red, is the number ``n (red + 1) + r``.
    """
    red, total = deck.red, deck.red + deck.black
    # Short integers are drawn, and moved, twice as fast.
    dtype: Any = np.uint16 if total < 2**16 else np.int64
    reds: NDArray[Any] = np.full(games, red, dtype)
    trails = np.empty((watched, total + 1), np.int64)
    lengths = np.full(watched, total + 1)
    going_on = np.arange(watched)  # the watched games among the first of `reds`
    ends = []
    for n in range(total, 0, -1):
        if bar is not None and n % _LEVELS_A_STEP == 0:
            bar.update(games * min(_LEVELS_A_STEP / total, 1))
        trails[going_on, total - n] = reds[: len(going_on)]
        leaving = deck.stops(n, reds)
        if leaving.any():
            ends.append(n * (red + 1) + reds[leaving].astype(np.int64))
            reds = reds[~leaving]
            if watched:
                left = leaving[: len(going_on)]
                lengths[going_on[left]] = total - n + 1
                going_on = going_on[~left]
            if not len(reds):
                break
        reds -= rng.integers(n, size=len(reds), dtype=dtype) < reds
    trails[going_on, total] = 0
    ends.append(np.zeros(len(reds), np.int64))
    paths = [trail[:length] for trail, length in zip(trails, lengths, strict=True)]
    return np.concatenate(ends), paths


def _course(deck: _Deck, rules: Rules, trail: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the cash along one game, given its red cards remaining at each draw."""
    red_drawn = deck.red - trail
    return _cash(rules, red_drawn, np.arange(len(trail)) - red_drawn)


def _simulation(
    deck: _Deck,
    rules: Rules,
    games: int,
    ends: Counter[int],
    paths: list[NDArray[np.float64]],
) -> Simulation:
    counts = np.fromiter(ends.values(), np.int64, len(ends))
    n, r = np.divmod(np.fromiter(ends, np.int64, len(ends)), deck.red + 1)
    draws = deck.red + deck.black - n
    cash = _cash(rules, deck.red - r, draws - (deck.red - r))
    payoffs, payoff_counts = _histogram(cash, counts)
    rewards = rules.reward(payoffs)
    mean = math.fsum(payoff_counts / games * rewards)
    deviation = math.nan
    if games > 1 and mean > -math.inf:
        weights = np.sqrt(payoff_counts / (games - 1))
        deviation = math.hypot(*(weights * (rewards - mean)))
    return Simulation(
        deck.red,
        deck.black,
        rules,
        deck.policy,
        games,
        payoffs,
        payoff_counts,
        *_histogram(draws, counts),
        mean,
        deviation,
        tuple(paths),
    )


def _histogram(values: NDArray[Any], counts: NDArray[np.int64]) -> tuple[Any, Any]:
    """Return the different values, increasing, and the total count of each."""
    different, place = np.unique(values, return_inverse=True)
    totals = np.zeros(len(different), np.int64)
    np.add.at(totals, place, counts)
    return different, totals


def _cash(
    rules: Rules, red_drawn: NDArray[np.int64], black_drawn: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the cash after so many draws, rounded once: equal amounts stay equal."""
    unit = rules.cash_unit
    units = int(rules.gain / unit) * red_drawn.astype(object)
    units -= int(rules.cost / unit) * black_drawn.astype(object)
    cash: NDArray[np.float64] = (units / unit.denominator).astype(np.float64)
    return cash


def _refuse_overflow(rules: Rules, red: int, black: int) -> None:
    most = abs(rules.gain) * red + rules.cost * black
    if most > Fraction(np.finfo(np.float64).max):
        raise ValueError(
            "rules must have amounts whose sums over the deck fit in a float64, got "
            f"win={_checks.shown(rules.win)}, lose={_checks.shown(rules.lose)}, "
            f"fee={_checks.shown(rules.fee)}"
        )
