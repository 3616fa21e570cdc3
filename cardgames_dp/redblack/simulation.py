"""Simulated games of red/black, and their results.

Games are dealt card by card, many at a time. All games have n cards remaining. For each
game the number of its next card is drawn, uniform among 0, ..., n - 1, in integers and
therefore without a bias of rounding; the first r of these cards are the red ones. Games
that stop leave the array. Only the states in which games ended are kept and counted, so
memory does not grow with the number of games, and nothing is rounded before averages
are taken.
"""

from __future__ import annotations

import math
from collections import Counter
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp._results import distribution
from cardgames_dp._results.distribution import Distribution
from cardgames_dp._results.records import Result
from cardgames_dp._results.tables import Table, table_of_shares
from cardgames_dp._support import arguments, executors
from cardgames_dp._support.calls import suggest_arguments
from cardgames_dp._support.running import progress_bar, refuse_too_large
from cardgames_dp.redblack import policies
from cardgames_dp.redblack._kernels.stop_sets import StopSet, chances
from cardgames_dp.redblack.policies import Policy
from cardgames_dp.redblack.rules import Problem, Rules, in_units, told
from cardgames_dp.redblack.utilities import in_float64

CHUNK = 2**16
"""Games dealt at a time: few enough for their arrays to stay in the cache."""

_LEVELS_A_STEP = 2**12
"""Levels after which the progress bar of long games moves."""

_TASK_DRAWS = 2**26
"""The most cards of all games that a worker is given at a time, unless one chunk has
more; a task with small decks takes some tenths of a second.
"""

_PATH_BYTES, _POLICY_BYTES = 16, 64
"""Bytes of a level of a simulation: for each path, and for the policy."""

_MOST_DRAWN = 10**14
"""Cards of all games, which take about a week."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Simulation(Result):
    """The results of simulated games; made by :func:`simulate`, prints as a sentence.

    Attributes
    ----------
    red, black : int
        Numbers of red and black cards in the full deck.
    rules : Rules
        The rules; cash is in the unit of their amounts.
    policy : str
        The policy in words: its name, or what it prints as.
    games : int
        The number of games.
    payoff, moves : Distribution
        The frequencies of the final cash, and of the numbers of cards drawn.
    mean, standard_deviation : float
        The mean and the sample standard deviation (with the divisor ``games - 1``) of
        the final cash or, under a utility, of ``utility(cash)``. The standard deviation
        is NaN for one game, and where the mean is -inf because a player was ruined.
    paths : tuple of ndarray of float64
        For each of the first games, as many as were asked for: the cash after 0, 1, 2,
        ... draws, until the game ended.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> result = redblack.simulate(26, 26, games=100, policy="never_stop")
    >>> result
    Simulation(red=26, black=26, policy='never_stop', games=100, mean=0, \
    standard_error=0)
    >>> result.payoff.to_dict(), result.moves.mean
    ({0.0: 1.0}, 52.0)
    """

    red: int
    black: int
    rules: Rules
    policy: str
    games: int
    payoff: Distribution[float]
    moves: Distribution[float]
    mean: float
    standard_deviation: float
    paths: tuple[NDArray[np.float64], ...]

    @property
    def standard_error(self) -> float:
        """The standard error of `mean`, estimated from the sample."""
        return distribution.mean_error(self.standard_deviation, self.games)

    _derived = ("standard_error",)

    def _columns(self) -> tuple[Any, dict[str, Any]]:
        columns = {"frequency": self.payoff.probabilities}
        return {"payoff": self.payoff.support}, columns

    def _facts(self) -> dict[str, object]:
        names = "red", "black", "rules", "policy", "games", "mean", "standard_error"
        return told(self, *names)

    def __str__(self) -> str:
        reward = "payoff" if self.rules.utility is None else "utility"
        return (
            f"{self.games} games with {self.red} red and {self.black} black cards, "
            f"policy {self.policy}: mean {reward} {self.mean:.8g}, standard error "
            f"{self.standard_error:.2g}; {self.moves.mean:.6g} cards drawn on average, "
            f"{self.payoff.loss_probability:.4%} of the games lost money."
        )

    def _repr_html_(self) -> str:
        return self._table().html(str(self))

    def _table(self) -> Table:
        results, shares = zip(*self.payoff, strict=True)
        return table_of_shares(("payoff", "frequency"), [*results], [*shares])


@suggest_arguments
def simulate(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    games: SupportsIndex,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    rng: int | np.random.Generator | None = None,
    paths: SupportsIndex = 0,
    executor: Executor | None = None,
) -> Simulation:
    """Simulate games with a given policy, and return their results.

    Grade: estimated, with standard errors.

    Parameters
    ----------
    red, black : int
        Numbers of red and black cards in the full deck.
    games : int
        The number of games, at least 1.
    policy : str, StopAt, OptimalWithin, Solution, callable or mapping
        When the player stops: any `Policy`; optimal if not given. The player may stop
        before the first card. A callable is called with all states of a level
        ``red + black = n > 0``.
    rules : Rules, optional
        The classic rules if not given.
    rng : None, int or numpy.random.Generator
        A seed, or a generator of random numbers. The same seed gives the same games,
        whatever `paths` and `executor` are.
    paths : int, default 0
        The number of games whose paths are kept, the first ones; at most `games`.
    executor : concurrent.futures.Executor, optional
        Where to play chunks of games in parallel: threads, processes or a cluster
        (:doc:`/cluster`). Processes and clusters have to pickle the policy; a
        ``lambda`` can be pickled on a Dask cluster only.

    Returns
    -------
    Simulation
        The counts of all results, and statistics.

    Raises
    ------
    TypeError, ValueError
        Also if cash would not fit in float64, or if a boundary or a solution belongs to
        another deck.
    TooLargeError
        If the deck or the paths would not fit in memory, or the table that the optimal
        policy needs under a utility.

    Notes
    -----
    The time is about 7 ns for each card drawn; the memory does not depend on `games`.

    References
    ----------
    The Problem 14 essay ("Problem 14 Dynamic Programming Solutions") confirms the value
    of 26 red and 26 black cards in this way: 10,000,000 games had the mean 2.6243913.
    It also draws the paths of 49 games.

    Examples
    --------
    >>> from cardgames_dp import redblack
    >>> result = redblack.simulate(26, 26, games=100_000, rng=14, paths=49)
    >>> abs(result.mean - redblack.value(26, 26)) < 5 * result.standard_error
    True
    >>> result.payoff.support.tolist(), len(result.paths)
    ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 49)

    A policy of your own, which does not stop before the last third of the deck:

    >>> def patient(red, black):
    ...     return (black > red) & (red + black < 18)
    >>> result = redblack.simulate(26, 26, games=1000, policy=patient)
    >>> result.policy, result.payoff.loss_probability
    ('patient', 0.0)
    """
    problem = Problem.of(red, black, rules, "float64")
    games = arguments.integer("games", games, minimum=1)
    policies.check("policy", policy)
    source = arguments.generator(rng)
    executor = executors.checked(executor)
    paths = arguments.integer("paths", paths)
    if paths > games:
        raise arguments.wrong_value(f"paths must be at most games, {games}", paths)
    _refuse_large(problem, games, paths)
    rules, red, black, _ = problem
    full = red, black, policies.stop_set(policy, problem)
    chunks = executors.chunks(games, CHUNK, source)
    most = max(_TASK_DRAWS // (CHUNK * max(problem.cards, 1)), 1)
    tasks = executors.batches(chunks, -(-games // CHUNK), most, executor)
    ends: Counter[int] = Counter()
    courses: dict[int, list[NDArray[np.float64]]] = {}
    with progress_bar(games, "games") as bar:
        played = 0
        for task, (found, counts, trails) in executors.each(
            _dealt,
            (full, paths, bar if executor is None else None),
            tasks,
            executor=executor,
            name=executors.games_of,
        ):
            ends.update(dict(zip(found.tolist(), counts.tolist(), strict=True)))
            courses[task] = [
                _cash(rules, red - trail, np.arange(len(trail))) for trail in trails
            ]
            played += int(counts.sum())
            if bar is not None:
                bar.update(played - bar.n)
    kept = [path for _, some in sorted(courses.items()) for path in some]
    return _simulation(problem, policies.named(policy), ends, kept)


def _dealt(
    shared: tuple[Player, int, Any], chunks: tuple[executors.Chunk, ...]
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[NDArray[np.int64]]]:
    """Return the states in which games ended, their counts, and the watched games."""
    player, paths, bar = shared
    found, courses = [], []
    for chunk in chunks:
        watched = min(chunk.games, max(paths - chunk.start, 0))
        ends, trails = deal(player, chunk.games, watched, chunk.rng, bar)
        found.append(np.unique(ends, return_counts=True))
        courses += trails
    return *histogram(*map(np.concatenate, zip(*found, strict=True))), courses


def _simulation(
    problem: Problem, policy: str, ends: Counter[int], paths: list[NDArray[np.float64]]
) -> Simulation:
    rules, red, black, _ = problem
    counts = np.fromiter(ends.values(), np.int64, len(ends))
    games = ends.total()
    n, r = np.divmod(np.fromiter(ends, np.int64, len(ends)), red + 1)
    draws = red + black - n
    payoffs, ended = histogram(_cash(rules, red - r, draws), counts)
    rewards = in_float64(rules.utility, payoffs)
    mean = math.fsum(ended / games * rewards)
    ruined = mean == -math.inf
    return Simulation(
        red,
        black,
        rules,
        policy,
        games,
        distribution.frequencies("payoff", payoffs, ended),
        distribution.frequencies("moves", *histogram(draws, counts)),
        mean,
        math.nan if ruined else distribution.deviation(rewards, ended, mean),
        tuple(paths),
    )


def _refuse_large(problem: Problem, games: int, paths: int) -> None:
    """Refuse games that would be too large or too long, or whose cash overflows."""
    rules, red, black, _ = problem
    refuse_too_large(
        f"a simulation of {problem.deck} with {arguments.shown(paths)} paths",
        (paths * _PATH_BYTES + _POLICY_BYTES) * (problem.cards + 1),
        "simulate a smaller deck, or ask for fewer paths",
    )
    what = f"the cards of {arguments.shown(games)} games of {problem.deck}"
    arguments.at_most(what, games * problem.cards, _MOST_DRAWN, "simulate fewer games")
    most = abs(rules.gain) * red + rules.cost * black
    if most > Fraction(np.finfo(np.float64).max):
        raise ValueError(
            "rules must have amounts whose sums over the deck fit in a float64, got "
            f"win={arguments.shown(rules.win)}, lose={arguments.shown(rules.lose)}, "
            f"fee={arguments.shown(rules.fee)}"
        )


Player: TypeAlias = tuple[int, int, StopSet]
"""The red and the black cards of a full deck, and where its player stops."""


def deal(
    player: Player, games: int, watched: int, rng: np.random.Generator, bar: Any
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """Play games; return where they ended, and the red cards of the first ones by draw.

    The end with n cards remaining, r of them red, is the number ``n (red + 1) + r``.
    """
    red, black, _ = player
    total = red + black
    # Short integers are drawn and moved twice as fast.
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
        leaving = _leaving(player, n, reds)
        if leaving.dtype != np.bool_:  # probabilities
            leaving = rng.random(len(reds)) < leaving
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


def _leaving(player: Player, n: int, reds: NDArray[Any]) -> NDArray[Any]:
    """Return whether games stop with these red cards left, or how likely that is."""
    red, black, stop_set = player
    first, last = max(0, n - black), min(red, n)
    ends = stop_set(n, first, last)
    if isinstance(ends, range):
        stops: NDArray[np.bool_] = reds < first + len(ends)
        return stops
    each: NDArray[Any] = chances(ends, last - first + 1)[reds - first]
    return each


def histogram(values: NDArray[Any], counts: NDArray[np.int64]) -> tuple[Any, Any]:
    """Return the distinct values, increasing, and the total count of each."""
    different, place = np.unique(values, return_inverse=True)
    totals = np.zeros(len(different), np.int64)
    np.add.at(totals, place, counts)
    return different, totals


def _cash(
    rules: Rules, red_drawn: NDArray[np.int64], drawn: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the cash after these draws, rounded once: equal amounts stay equal."""
    unit, (gain, cost) = in_units(rules)
    units = gain * red_drawn.astype(object) - cost * (drawn - red_drawn).astype(object)
    cash: NDArray[np.float64] = (units / unit.denominator).astype(np.float64)
    return cash
