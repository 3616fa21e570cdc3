"""Simulated games of red/black, and their results.

`cardgames_dp.redblack._kernels.playing` describes how games are dealt.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardgames_dp import _checks, _html, _records, _samples, _spread
from cardgames_dp._extras import progress_bar, require
from cardgames_dp._records import ArrayRecord
from cardgames_dp.redblack import _stopping, policies
from cardgames_dp.redblack._kernels import limits, playing
from cardgames_dp.redblack.policies import Policy
from cardgames_dp.redblack.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

Result: TypeAlias = Literal["payoff", "duration"]
RESULTS: tuple[Result, ...] = ("payoff", "duration")

_TASK_DRAWS = 2**26
"""The most cards of all games that a worker is given at a time, unless one chunk has
more; a task with small decks takes some tenths of a second.
"""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Simulation(ArrayRecord):
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
    payoffs, payoff_counts : ndarray of float64 and of int64, same shape, read-only
        The final amounts of cash, increasing, and the number of games that ended with
        each.
    durations, duration_counts : ndarray of int64, same shape, read-only
        The numbers of cards drawn, increasing, and the number of games that ended after
        each.
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
    >>> result.payoffs.tolist(), result.payoff_counts.tolist(), result.mean_draws
    ([0.0], [100], 52.0)
    """

    red: int
    black: int
    rules: Rules
    policy: str
    games: int
    payoffs: NDArray[np.float64]
    payoff_counts: NDArray[np.int64]
    durations: NDArray[np.int64]
    duration_counts: NDArray[np.int64]
    mean: float
    standard_deviation: float
    paths: tuple[NDArray[np.float64], ...]

    @property
    def standard_error(self) -> float:
        """The standard error of `mean`, estimated from the sample."""
        return _samples.mean_error(self.standard_deviation, self.games)

    @property
    def mean_draws(self) -> float:
        """The mean number of cards drawn."""
        return int(self.durations @ self.duration_counts) / self.games

    @property
    def loss_frequency(self) -> float:
        """The share of the games that ended with negative cash."""
        return int(self.payoff_counts[self.payoffs < 0].sum()) / self.games

    def to_dict(self, *, json: bool = False) -> dict[str, Any]:
        """Return all fields and statistics as plain lists and numbers.

        Parameters
        ----------
        json : bool, default False
            Whether to use only types that JSON has: Fractions, NaN and infinities
            become text, a utility its name.
        """
        derived = {
            "standard_error": self.standard_error,
            "mean_draws": self.mean_draws,
            "loss_frequency": self.loss_frequency,
        }
        own = _records.plain(self, json=json)
        return {
            **own,
            "paths": list(own["paths"]),
            **_records.plain(derived, json=json),
        }

    def to_pandas(self, what: Result = "payoff") -> pd.DataFrame:
        """Return how often each result occurred, as a DataFrame indexed by the results.

        Parameters
        ----------
        what : {"payoff", "duration"}
            The results: final cash, or numbers of cards drawn.

        Returns
        -------
        DataFrame
            It has the columns "games" and "frequency".

        Raises
        ------
        TypeError, ValueError
            If `what` is not one of these words.
        ModuleNotFoundError
            If pandas is not installed.
        """
        payoff = _checks.choice("what", what, RESULTS) == "payoff"
        results = self.payoffs if payoff else self.durations
        counts = self.payoff_counts if payoff else self.duration_counts
        pandas = require("pandas", extra="pandas", purpose="to_pandas")
        frame: pd.DataFrame = pandas.DataFrame(
            {"games": counts, "frequency": counts / self.games},
            index=pandas.Index(results, name=what),
        )
        return frame

    def __str__(self) -> str:
        reward = "payoff" if self.rules.utility is None else "utility"
        return (
            f"{self.games} games with {self.red} red and {self.black} black cards, "
            f"policy {self.policy}: mean {reward} {self.mean:.8g}, standard error "
            f"{self.standard_error:.2g}; {self.mean_draws:.6g} cards drawn on average, "
            f"{self.loss_frequency:.4%} of the games lost money."
        )

    def __repr__(self) -> str:
        rules = {} if self.rules == Rules() else {"rules": self.rules}
        return _records.summary(
            self,
            red=self.red,
            black=self.black,
            **rules,
            policy=self.policy,
            games=self.games,
            mean=self.mean,
            standard_error=self.standard_error,
        )

    def _repr_html_(self) -> str:
        shares = (self.payoff_counts / self.games).tolist()
        head = ("payoff", "frequency")
        return _html.histogram(str(self), head, self.payoffs.tolist(), shares)


def simulate(
    red: SupportsIndex,
    black: SupportsIndex,
    *,
    games: SupportsIndex,
    policy: Policy = "optimal",
    rules: Rules | None = None,
    rng: int | np.random.Generator | None = None,
    progress: bool = False,
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
    policy : str, StopAtCash, StopAtLoss, ..., Solution or callable
        When the player stops: any `Policy`; optimal if not given. The player may stop
        before the first card. A callable is called with all states of a level
        ``red + black = n > 0``.
    rules : Rules, optional
        The classic rules if not given.
    rng : None, int or numpy.random.Generator
        A seed, or a generator of random numbers. The same seed gives the same games,
        whatever `progress`, `paths` and `executor` are.
    progress : bool, default False
        Show a progress bar, for which `tqdm` is needed (the extra ``progress``).
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
        If an argument is not as described above; if cash would not fit in float64; if
        the utility returns anything but real numbers and -inf, or a policy anything but
        an array of bool; if a boundary or a solution belongs to another deck.
    TooLargeError
        If the deck or the paths would not fit in memory, or the table that the optimal
        policy needs under a utility.
    TooLongError
        If games to the end of the deck would take weeks, or more than an hour without
        `progress`.
    ModuleNotFoundError
        If `progress` is true and `tqdm` is not installed.

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
    >>> result.payoffs.tolist(), len(result.paths)
    ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 49)

    A policy of your own, which does not stop before the last third of the deck:

    >>> def patient(red, black):
    ...     return (black > red) & (red + black < 18)
    >>> result = redblack.simulate(26, 26, games=1000, policy=patient)
    >>> result.policy, result.loss_frequency
    ('patient', 0.0)
    """
    red, black = _checks.integer("red", red), _checks.integer("black", black)
    games = _checks.integer("games", games, minimum=1)
    policies.check("policy", policy)
    rules = _checks.rules(rules, Rules)
    source = _checks.generator(rng)
    progress = _checks.boolean("progress", progress)
    executor = _spread.checked(executor)
    paths = _checks.integer("paths", paths)
    if paths > games:
        raise ValueError(
            f"paths must be at most games, {games}, got {_checks.shown(paths)}"
        )
    limits.refuse_simulation(red, black, games, paths, progress=progress)
    _refuse_overflow(rules, red, black)
    stops = _stopping.stop_set(policy, rules, red, black, progress=progress)
    full = playing.Deck(red, black, _stopping.named(policy), stops)
    ends: Counter[int] = Counter()
    courses: dict[int, list[NDArray[np.float64]]] = {}
    with progress_bar(games, "games", shown=progress) as bar:
        played = 0
        for task, (found, counts, trails) in _spread.each(
            _dealt,
            (full, paths, bar if executor is None else None),
            _tasks(full, games, source, executor),
            executor=executor,
            name=_spread.games_of,
        ):
            ends.update(dict(zip(found.tolist(), counts.tolist(), strict=True)))
            courses[task] = [playing.course(full, rules, trail) for trail in trails]
            played += int(counts.sum())
            if bar is not None:
                bar.update(played - bar.n)
    kept = [course for _, some in sorted(courses.items()) for course in some]
    return _simulation(full, rules, games, ends, kept)


def _tasks(
    deck: playing.Deck,
    games: int,
    source: np.random.Generator,
    executor: Executor | None,
) -> Iterator[tuple[_spread.Chunk, ...]]:
    """Return the tasks: chunks of games, several to a task for small decks."""
    chunks = _spread.chunks(games, playing.CHUNK, source)
    draws = playing.CHUNK * max(deck.red + deck.black, 1)
    most = max(_TASK_DRAWS // draws, 1)
    return _spread.batches(chunks, -(-games // playing.CHUNK), most, executor)


def _dealt(
    shared: tuple[playing.Deck, int, Any], chunks: tuple[_spread.Chunk, ...]
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[NDArray[np.int64]]]:
    """Return the states in which games ended, their counts, and the watched games."""
    deck, paths, bar = shared
    states, counts, courses = [], [], []
    for chunk in chunks:
        watched = min(chunk.games, max(paths - chunk.start, 0))
        ends, trails = playing.deal(deck, chunk.games, watched, chunk.rng, bar)
        found = np.unique(ends, return_counts=True)
        states.append(found[0])
        counts.append(found[1])
        courses += trails
    return *playing.histogram(np.concatenate(states), np.concatenate(counts)), courses


def _simulation(
    deck: playing.Deck,
    rules: Rules,
    games: int,
    ends: Counter[int],
    paths: list[NDArray[np.float64]],
) -> Simulation:
    counts = np.fromiter(ends.values(), np.int64, len(ends))
    n, r = np.divmod(np.fromiter(ends, np.int64, len(ends)), deck.red + 1)
    draws = deck.red + deck.black - n
    cash = playing.cash_of(rules, deck.red - r, draws - (deck.red - r))
    payoffs, payoff_counts = playing.histogram(cash, counts)
    rewards = rules.reward(payoffs)
    mean = math.fsum(payoff_counts / games * rewards)
    ruined = mean == -math.inf
    deviation = math.nan if ruined else _samples.deviation(rewards, payoff_counts, mean)
    return Simulation(
        deck.red,
        deck.black,
        rules,
        deck.policy,
        games,
        payoffs,
        payoff_counts,
        *playing.histogram(draws, counts),
        mean,
        deviation,
        tuple(paths),
    )


def _refuse_overflow(rules: Rules, red: int, black: int) -> None:
    most = abs(rules.gain) * red + rules.cost * black
    if most > Fraction(np.finfo(np.float64).max):
        raise ValueError(
            "rules must have amounts whose sums over the deck fit in a float64, got "
            f"win={_checks.shown(rules.win)}, lose={_checks.shown(rules.lose)}, "
            f"fee={_checks.shown(rules.fee)}"
        )
